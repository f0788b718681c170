// A building is a stack of storeys that share their meshes: walls with windows, rooms, a slab with a well and
// a flight of stairs along the back wall. Each flight lies above the one below; the way to the next flight
// leads around the well.
#include "sample_city.h"

#define STOREY SAMPLE_CITY_STOREY
#define HALF_X (SAMPLE_CITY_WIDTH / 2)
#define HALF_Z (SAMPLE_CITY_DEPTH / 2)
#define OUTER 0.25f // thickness of walls
#define INNER 0.12f
#define SLAB 0.25f
#define BASE 0.05f // height of the ground floor above the pavement
#define RISES 18
#define WINDOW_WIDTH 1.4f
#define WINDOWS_MOST 5
#define EDGE 0.04f

static const sample_flight flight = {
    {-17 * 0.14f, 0, -HALF_Z + OUTER + 0.65f}, SAMPLE_EAST, RISES, STOREY / RISES, 0.28f, 1.3f, 0.24f};

static tr_box well_box(void) {
    float back = -HALF_Z + OUTER;
    tr_box well = {{flight.foot.x, 0, back}, {-flight.foot.x, 0, back + flight.width}};
    return well;
}

// A mullion and a transom in a window of a wall.
static void draw_bars(sample_shape *shape, const sample_wall *wall, const sample_opening *window) {
    sample_wall mullion = *wall, transom = *wall;
    mullion.thickness = transom.thickness = 0.06f;
    mullion.from = (window->from + window->to) / 2 - 0.03f;
    mullion.to = (window->from + window->to) / 2 + 0.03f;
    mullion.bottom = wall->bottom + window->sill;
    mullion.top = wall->bottom + window->head;
    transom.from = window->from;
    transom.to = window->to;
    transom.bottom = wall->bottom + window->head - 0.45f;
    transom.top = transom.bottom + 0.05f;
    sample_shape_wall(shape, &mullion, NULL, 0);
    sample_shape_wall(shape, &transom, NULL, 0);
}

// A wall with `count` evenly spaced windows; number `door` is a door instead (`count`: none).
static void draw_side(sample_shape *shape, const sample_wall *wall, uint32_t count, uint32_t door) {
    sample_opening openings[WINDOWS_MOST] = {{0}};
    float pitch = (wall->to - wall->from) / (float)count;
    for (uint32_t i = 0; i < count; i++) {
        float middle = wall->from + pitch * ((float)i + 0.5f), half = WINDOW_WIDTH / 2;
        sample_opening window = {middle - half, middle + half, 0.9f, 2.4f};
        if (i == door)
            window.sill = 0;
        openings[i] = window;
    }
    sample_shape_wall(shape, wall, openings, count);
    for (uint32_t i = 0; i < count; i++)
        if (i != door)
            draw_bars(shape, wall, &openings[i]);
}

static uint32_t make_walls(sample_builder *builder, const char *name, bool has_door) {
    float top = STOREY - SLAB, x = HALF_X - OUTER / 2, z = HALF_Z - OUTER / 2;
    sample_wall front = {false, z, -HALF_X, HALF_X, 0, top, OUTER};
    sample_wall back = {false, -z, -HALF_X, HALF_X, 0, top, OUTER};
    sample_wall left = {true, -x, -HALF_Z + OUTER, HALF_Z - OUTER, 0, top, OUTER};
    sample_wall right = {true, x, -HALF_Z + OUTER, HALF_Z - OUTER, 0, top, OUTER};
    draw_side(&builder->shape, &front, 5, has_door ? 2 : 5);
    draw_side(&builder->shape, &back, 5, 5);
    draw_side(&builder->shape, &left, 4, 4);
    draw_side(&builder->shape, &right, 4, 4);
    return sample_mesh(builder, name);
}

static uint32_t make_rooms(sample_builder *builder) {
    float top = STOREY - SLAB, x = HALF_X - OUTER, z = HALF_Z - OUTER;
    sample_wall hall = {false, -0.5f, -x, x, 0, top, INNER};
    sample_wall left = {true, -2.6f, -0.44f, z, 0, top, INNER};
    sample_wall right = {true, 2.6f, -0.44f, z, 0, top, INNER};
    const sample_opening doors[] = {
        {-5.5f, -4.5f, 0, 2.15f}, {-0.6f, 0.6f, 0, 2.15f}, {4.5f, 5.5f, 0, 2.15f}};
    sample_shape_wall(&builder->shape, &hall, doors, 3);
    sample_shape_wall(&builder->shape, &left, NULL, 0);
    sample_shape_wall(&builder->shape, &right, NULL, 0);
    return sample_mesh(builder, "rooms");
}

static void make_stairs(sample_builder *builder, sample_city_parts *parts) {
    sample_shape *shape = &builder->shape;
    sample_shape_flight(shape, &flight);
    parts->flight = sample_mesh(builder, "stairs");
    tr_box well = well_box();
    float side = well.max.z + EDGE, end = well.min.x - EDGE;
    sample_shape_flight_rail(shape, &flight, 1, 3);
    sample_shape_rail(shape, sample_at(well.min.x, STOREY, side), sample_at(well.max.x, STOREY, side));
    parts->well_rail = sample_mesh(builder, "railing");
    sample_shape_rail(shape, sample_at(end, STOREY, well.min.z + 0.02f), sample_at(end, STOREY, side));
    parts->well_end = sample_mesh(builder, "railing");
}

static void make_slabs(sample_builder *builder, sample_city_parts *parts) {
    sample_shape *shape = &builder->shape;
    tr_box slab = {{-HALF_X, STOREY - SLAB, -HALF_Z}, {HALF_X, STOREY, HALF_Z}}, well = well_box();
    sample_shape_slab(shape, slab, well);
    parts->slab = sample_mesh(builder, "floor slab");
    sample_shape_box(shape, slab.min, slab.max);
    parts->roof = sample_mesh(builder, "roof");
    tr_box rim = {{-HALF_X, STOREY, -HALF_Z}, {HALF_X, STOREY + 0.9f, HALF_Z}};
    tr_box inside = {{-HALF_X + 0.2f, 0, -HALF_Z + 0.2f}, {HALF_X - 0.2f, 0, HALF_Z - 0.2f}};
    sample_shape_slab(shape, rim, inside);
    parts->parapet = sample_mesh(builder, "parapet");
    sample_box(builder, -HALF_X, -BASE, -HALF_Z, HALF_X, 0, HALF_Z);
    parts->base = sample_mesh(builder, "ground floor");
}

sample_city_parts sample_city_make_parts(sample_builder *builder) {
    sample_city_parts parts = {0};
    parts.shop = make_walls(builder, "ground walls", true);
    parts.storey = make_walls(builder, "walls", false);
    parts.rooms = make_rooms(builder);
    make_slabs(builder, &parts);
    make_stairs(builder, &parts);
    float x = HALF_X - OUTER - 0.05f, z = HALF_Z - OUTER - 0.05f, half = WINDOW_WIDTH / 2;
    sample_box(builder, -x, 0, -z, x, STOREY - SLAB, z);
    parts.core = sample_mesh(builder, "closed storey");
    sample_box(builder, -half, 0, HALF_Z - OUTER, half, 2.4f, HALF_Z - 0.1f);
    parts.door = sample_mesh(builder, "closed door");
    return parts;
}

void sample_city_build(sample_builder *builder, const sample_city_parts *parts,
                       const sample_city_building *building) {
    tr_vec3 at = sample_at(building->at.x, building->at.y + BASE, building->at.z);
    double heading = building->heading;
    sample_place(builder, "ground floor", parts->base, at, heading, TR_TAG_WALKABLE);
    for (uint32_t i = 0; i < building->storeys; i++) {
        bool is_last = i + 1 == building->storeys;
        sample_place(builder, "walls", i ? parts->storey : parts->shop, at, heading, 0);
        if (building->open) {
            if (i > 0)
                sample_place(builder, "rooms", parts->rooms, at, heading, 0);
            sample_place(builder, is_last ? "roof" : "floor slab", is_last ? parts->roof : parts->slab, at,
                         heading, TR_TAG_WALKABLE);
            if (!is_last) {
                sample_place(builder, "stairs", parts->flight, at, heading, TR_TAG_WALKABLE);
                sample_place(builder, "railing", parts->well_rail, at, heading, 0);
            }
            if (i + 2 == building->storeys) // no flight leads on from the last floor
                sample_place(builder, "railing", parts->well_end, at, heading, 0);
        } else {
            sample_place(builder, "closed storey", parts->core, at, heading, 0);
            sample_place(builder, "roof", parts->roof, at, heading, TR_TAG_WALKABLE);
        }
        if (is_last)
            sample_place(builder, "parapet", parts->parapet, at, heading, 0);
        at.y += STOREY;
    }
    at.y = building->at.y + BASE;
    if (!building->open)
        sample_place(builder, "closed door", parts->door, at, heading, 0);
}
