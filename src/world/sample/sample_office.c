// Kuffner's office: rooms on two sides, an open plan between them, lobbies that cross it. With more triangles
// than the paper's, there are more wings of the same plan, joined by their doors.
//
// The plan is drawn on a lattice of 45 modules a side: walls stand in the middle of a module and doors are
// three modules wide, so that the doors stay open for a body of 0.3 m on the coarsest grid of the paper, 45
// cells a side.
#include "sample_build.h"
#include "troupe/base/scalar.h"

#define WING 20.0f // side of the plan [m]
#define MODULES 45 // on a side
#define WING_TRIANGLES 15320
#define WALL_HEIGHT 2.7f
#define OUTER_HALF 0.07f // half the thickness of a wall [m]
#define INNER_HALF 0.06f
#define DOOR_WIDTH 1.48f // in the wall; 1.36 m between the posts of the frame
#define DOOR_HEIGHT 2.16f
#define FRAME 0.06f
#define MOST(array) (sizeof(array) / sizeof(array)[0])

// A hole in a wall. A sill of 0 is a door: it gets a frame.
typedef struct opening {
    float centre;              // along the wall [modules]
    float width, sill, lintel; // [m]
} opening;

typedef struct wall_plan {
    bool along_z;
    float line, from, to; // the line it stands on, and its ends [modules]
    float half;           // of its thickness [m]
    const opening *openings;
    uint32_t count;
} wall_plan;

typedef struct spot {
    float x, z;    // [m], from the middle of the plan
    float quarter; // turns of 90 degrees about Y
} spot;

static float module(float modules) {
    return WING * (modules / MODULES - 0.5f);
}

#define DOOR(centre)                                                                                         \
    { centre, DOOR_WIDTH, 0, DOOR_HEIGHT }
#define PASSAGE(centre)                                                                                      \
    { centre, 2.2f, 0, 2.3f }
static const opening north_side[] = {{5.5f, 2.6f, 0.9f, 2.1f},
                                     {15, 2.2f, 0.9f, 2.1f},
                                     DOOR(22.5f),
                                     {30, 2.2f, 0.9f, 2.1f},
                                     {39.5f, 2.6f, 0.9f, 2.1f}};
static const opening south_side[] = {{5.5f, 2.6f, 0.45f, 2.2f},
                                     {14, 2.6f, 0.45f, 2.2f},
                                     DOOR(22.5f),
                                     {29.5f, 1.4f, 1.2f, 1.9f},
                                     {39, 3.0f, 0.1f, 2.2f}};
static const opening west_side[] = {{6.5f, 2.4f, 0.9f, 2.1f},
                                    DOOR(15.5f),
                                    {21.5f, 1.8f, 0.6f, 2.2f},
                                    {27.5f, 1.8f, 0.6f, 2.2f},
                                    {38.5f, 2.6f, 0.45f, 2.2f}};
static const opening east_side[] = {{6.5f, 2.4f, 0.9f, 2.1f},
                                    DOOR(15.5f),
                                    {21.5f, 1.8f, 0.6f, 2.2f},
                                    {27.5f, 1.8f, 0.6f, 2.2f},
                                    {38.5f, 2.6f, 1.1f, 2.1f}};
static const opening north_rooms[] = {DOOR(7.5f), DOOR(13.5f), PASSAGE(22.5f), DOOR(31.5f), DOOR(37.5f)};
static const opening south_rooms[] = {DOOR(3.5f), DOOR(16.5f), PASSAGE(22.5f), DOOR(29.5f), DOOR(38.5f)};
static const opening glazing[] = {{38.5f, 3.2f, 0.9f, 2.2f}};

static const wall_plan walls[] = {
    {false, 0.5f, 0.5f, 44.5f, OUTER_HALF, north_side, MOST(north_side)},
    {false, 44.5f, 0.5f, 44.5f, OUTER_HALF, south_side, MOST(south_side)},
    {true, 0.5f, 0.5f, 44.5f, OUTER_HALF, west_side, MOST(west_side)},
    {true, 44.5f, 0.5f, 44.5f, OUTER_HALF, east_side, MOST(east_side)},
    {false, 12.5f, 0.5f, 44.5f, INNER_HALF, north_rooms, MOST(north_rooms)},
    {false, 32.5f, 0.5f, 44.5f, INNER_HALF, south_rooms, MOST(south_rooms)},
    {true, 10.5f, 0.5f, 12.5f, INNER_HALF, NULL, 0},
    {true, 19.5f, 0.5f, 12.5f, INNER_HALF, NULL, 0},
    {true, 25.5f, 0.5f, 12.5f, INNER_HALF, NULL, 0},
    {true, 34.5f, 0.5f, 12.5f, INNER_HALF, NULL, 0},
    {true, 19.5f, 32.5f, 44.5f, INNER_HALF, glazing, MOST(glazing)},
    {true, 25.5f, 32.5f, 44.5f, INNER_HALF, NULL, 0},
    {true, 33.5f, 32.5f, 44.5f, INNER_HALF, NULL, 0},
};

// Desks stand in three blocks of four, back to back, and one in each office.
static const spot desks[] = {
    {-6.1f, -0.42f, 2}, {-4.5f, -0.42f, 2}, {-6.1f, 0.42f, 0}, {-4.5f, 0.42f, 0},
    {-0.8f, -0.42f, 2}, {0.8f, -0.42f, 2},  {-0.8f, 0.42f, 0}, {0.8f, 0.42f, 0},
    {4.5f, -0.42f, 2},  {6.1f, -0.42f, 2},  {4.5f, 0.42f, 0},  {6.1f, 0.42f, 0},
    {-7.7f, -7.9f, 2},  {-3.3f, -7.9f, 2},  {3.3f, -7.9f, 2},  {7.7f, -7.9f, 2},
};
static const spot meeting_chairs[] = {
    {-6.9f, 6.55f, 0}, {-5.6f, 6.55f, 0}, {-4.3f, 6.55f, 0}, {-6.9f, 8.45f, 2},
    {-5.6f, 8.45f, 2}, {-4.3f, 8.45f, 2}, {-8.0f, 7.5f, 1},  {-3.2f, 7.5f, 3},
};
static const spot lounge_chair = {8.9f, 5.6f, 3.4f};
static const spot shelves[] = {
    {-9.48f, -6.1f, 1}, {-5.62f, -6.4f, 3}, {-1.62f, -6.4f, 3}, {1.62f, -6.4f, 1},
    {5.62f, -6.4f, 1},  {9.48f, -6.1f, 3},  {4.63f, 8.3f, 3},   {4.63f, 6.9f, 3},
};
static const spot plants[] = {
    {-9.3f, -9.3f, 0}, {9.3f, -9.3f, 1}, {-9.3f, 9.3f, 2}, {9.35f, 4.1f, 3}, {-9.3f, 2.9f, 0.5f}};
static const spot pillars[] = {{-2.65f, 0, 0}, {2.65f, 0, 0}, {-9.45f, 0, 0}, {9.45f, 0, 0}};
static const spot bins[] = {{-6.6f, -9.3f, 0}, {-2.2f, -9.3f, 0},  {2.2f, -9.3f, 0},
                            {6.6f, -9.3f, 0},  {-2.65f, 0.45f, 0}, {2.65f, 0.45f, 0}};
static const spot lamps[] = {
    {-5.3f, -0.9f, 0}, {-5.3f, 0.9f, 0}, {0, -0.9f, 0}, {0, 0.9f, 0},    {5.3f, -0.9f, 0}, {5.3f, 0.9f, 0},
    {-7.7f, -7, 1},    {-3.4f, -7, 1},   {3.4f, -7, 1}, {7.7f, -7, 1},   {-6.6f, 7.5f, 0}, {-4.6f, 7.5f, 0},
    {7.3f, 7, 0},      {0, -7, 1},       {0, 7, 1},     {3.2f, 7.2f, 1},
};
static const spot signs[] = {{-7.9f, -4.1f, 1}, {7.9f, -4.1f, 1}, {-1.9f, 4.3f, 1}, {1.9f, 4.3f, 1}};

// A box of a wall, from `from` to `to` along it [m].
static void wall_box(sample_builder *builder, const wall_plan *wall, float half, float from, float to,
                     float low, float high) {
    float line = module(wall->line);
    if (wall->along_z)
        sample_shape_box(&builder->shape, sample_at(line - half, low, from),
                         sample_at(line + half, high, to));
    else
        sample_shape_box(&builder->shape, sample_at(from, low, line - half),
                         sample_at(to, high, line + half));
}

static void door_frame(sample_builder *builder, const wall_plan *wall, float from, float to, float top) {
    float half = wall->half + 0.02f;
    wall_box(builder, wall, half, from, from + FRAME, 0, top);
    wall_box(builder, wall, half, to - FRAME, to, 0, top);
    wall_box(builder, wall, half, from + FRAME, to - FRAME, top - FRAME, top);
}

static void wall_opening(sample_builder *builder, const wall_plan *wall, const opening *hole) {
    float centre = module(hole->centre), from = centre - hole->width / 2, to = centre + hole->width / 2;
    wall_box(builder, wall, wall->half, from, to, hole->lintel, WALL_HEIGHT);
    if (hole->sill > 0) {
        wall_box(builder, wall, wall->half, from, to, 0, hole->sill);
        wall_box(builder, wall, 0.02f, centre - 0.02f, centre + 0.02f, hole->sill, hole->lintel);
    } else if (hole->width == DOOR_WIDTH) {
        door_frame(builder, wall, from, to, hole->lintel);
    }
}

static uint32_t make_walls(sample_builder *builder) {
    for (uint32_t i = 0; i < MOST(walls); i++) {
        const wall_plan *wall = &walls[i];
        float pier = module(wall->from) - wall->half;
        for (uint32_t j = 0; j < wall->count; j++) {
            const opening *hole = &wall->openings[j];
            wall_box(builder, wall, wall->half, pier, module(hole->centre) - hole->width / 2, 0, WALL_HEIGHT);
            wall_opening(builder, wall, hole);
            pier = module(hole->centre) + hole->width / 2;
        }
        wall_box(builder, wall, wall->half, pier, module(wall->to) + wall->half, 0, WALL_HEIGHT);
    }
    return sample_mesh(builder, "walls");
}

typedef enum {
    CHAIR,
    DESK,
    DRAWERS,
    MONITOR,
    KEYBOARD,
    SHELF,
    PLANT,
    PILLAR,
    BIN,
    LAMP,
    SIGN,
    WALLS,
    LEAF,
    SILL,
    DUCT,
    MEETING_TABLE,
    COFFEE_TABLE,
    SOFA,
    COUNTER,
    FRIDGE,
    COPIER,
    BOARD,
    KINDS
} mesh_kind;

static uint32_t box_mesh(sample_builder *builder, const char *name, tr_vec3 min, tr_vec3 max) {
    sample_shape_box(&builder->shape, min, max);
    return sample_mesh(builder, name);
}

static uint32_t column_mesh(sample_builder *builder, const char *name, uint32_t sides, float bottom,
                            float top, float height) {
    sample_shape_column(&builder->shape, sides, bottom, top, 0, height);
    return sample_mesh(builder, name);
}

static uint32_t counter_mesh(sample_builder *builder) {
    sample_shape_box(&builder->shape, sample_at(-1.2f, 0.1f, -0.28f), sample_at(1.2f, 0.86f, 0.28f));
    sample_shape_box(&builder->shape, sample_at(-1.22f, 0.86f, -0.3f), sample_at(1.22f, 0.9f, 0.32f));
    sample_shape_box(&builder->shape, sample_at(-1.2f, 1.4f, -0.3f),
                     sample_at(1.2f, 2.0f, 0.05f)); // on the wall
    return sample_mesh(builder, "counter");
}

static uint32_t copier_mesh(sample_builder *builder) {
    sample_shape_box(&builder->shape, sample_at(-0.35f, 0.05f, -0.3f), sample_at(0.35f, 0.85f, 0.3f));
    sample_shape_box(&builder->shape, sample_at(-0.35f, 0.85f, -0.3f), sample_at(0.35f, 1.05f, 0.25f));
    sample_shape_box(&builder->shape, sample_at(0.35f, 0.6f, -0.2f), sample_at(0.6f, 0.62f, 0.2f));
    return sample_mesh(builder, "copier");
}

static void make_meshes(sample_builder *builder, uint32_t meshes[KINDS], bool fine) {
    meshes[WALLS] = make_walls(builder);
    meshes[CHAIR] = sample_office_chair(builder, fine);
    meshes[DESK] = sample_desk(builder);
    meshes[DRAWERS] = sample_drawers(builder);
    meshes[MONITOR] = sample_monitor(builder);
    meshes[KEYBOARD] =
        box_mesh(builder, "keyboard", sample_at(-0.22f, 0, -0.07f), sample_at(0.22f, 0.02f, 0.07f));
    meshes[SHELF] = sample_shelf(builder);
    meshes[PLANT] = sample_plant(builder);
    meshes[PILLAR] = column_mesh(builder, "pillar", 12, 0.2f, 0.2f, WALL_HEIGHT);
    meshes[BIN] = column_mesh(builder, "bin", 8, 0.11f, 0.14f, 0.32f);
    meshes[LAMP] = sample_lamp(builder);
    meshes[SIGN] = sample_sign(builder);
    float leaf = DOOR_WIDTH / 2 - FRAME;
    meshes[LEAF] = box_mesh(builder, "door", sample_at(-leaf, 0.01f, -0.02f),
                            sample_at(leaf, DOOR_HEIGHT - FRAME, 0.02f));
    meshes[SILL] = box_mesh(builder, "door sill", sample_at(-leaf, 0, -0.08f), sample_at(leaf, 0.03f, 0.08f));
    meshes[DUCT] =
        box_mesh(builder, "cable duct", sample_at(-4.5f, 0, -0.06f), sample_at(4.5f, 0.03f, 0.06f));
    meshes[MEETING_TABLE] = sample_table(builder, "meeting table", 1.9f, 0.5f, 0.74f);
    meshes[COFFEE_TABLE] = sample_table(builder, "coffee table", 0.5f, 0.3f, 0.35f);
    meshes[SOFA] = sample_sofa(builder);
    meshes[COUNTER] = counter_mesh(builder);
    meshes[FRIDGE] = box_mesh(builder, "fridge", sample_at(-0.3f, 0, -0.3f), sample_at(0.3f, 1.85f, 0.3f));
    meshes[COPIER] = copier_mesh(builder);
    meshes[BOARD] =
        box_mesh(builder, "whiteboard", sample_at(-1.2f, 0.9f, -0.02f), sample_at(1.2f, 1.9f, 0.02f));
}

typedef struct wing_plan {
    sample_builder *builder;
    const uint32_t *meshes;
    tr_vec3 centre;
    bool closed[4]; // whether there is nothing beyond the north, south, west, east door
} wing_plan;

static void put(const wing_plan *wing, const char *name, uint32_t mesh, float x, float y, float z,
                double quarter, uint32_t tags) {
    sample_place(wing->builder, name, mesh, sample_at(wing->centre.x + x, y, wing->centre.z + z),
                 quarter * TR_PI / 2, tags);
}

static void put_all(const wing_plan *wing, const char *name, mesh_kind kind, const spot *spots,
                    uint32_t count, uint32_t tags) {
    for (uint32_t i = 0; i < count; i++)
        put(wing, name, wing->meshes[kind], spots[i].x, 0, spots[i].z, (double)spots[i].quarter, tags);
}

static void put_desk(const wing_plan *wing, spot desk) {
    float way = desk.quarter == 0 ? 1.0f : -1.0f; // towards the chair
    double quarter = (double)desk.quarter;
    put(wing, "desk", wing->meshes[DESK], desk.x, 0, desk.z, quarter, TR_TAG_NO_STEP);
    put(wing, "drawers", wing->meshes[DRAWERS], desk.x + way * 0.5f, 0, desk.z + way * 0.05f, quarter, 0);
    put(wing, "monitor", wing->meshes[MONITOR], desk.x, 0.73f, desk.z - way * 0.18f, quarter, 0);
    put(wing, "keyboard", wing->meshes[KEYBOARD], desk.x, 0.73f, desk.z + way * 0.15f, quarter, 0);
}

static void put_doors(const wing_plan *wing) {
    float edge = WING / 2 - WING / MODULES / 2, corridor = module(15.5f);
    static const float across[4][3] = {{0, -1, 0}, {0, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
    for (int side = 0; side < 4; side++) {
        float x = across[side][0] * edge, z = across[side][2] != 0 ? corridor : across[side][1] * edge;
        bool closed = wing->closed[side]; // a door that leads to another wing has a sill only
        put(wing, closed ? "door" : "door sill", wing->meshes[closed ? LEAF : SILL], x, 0, z,
            (double)across[side][2], closed ? 0 : TR_TAG_WALKABLE);
    }
    put(wing, "door sill", wing->meshes[SILL], module(3.5f), 0, module(32.5f), 0, TR_TAG_WALKABLE);
    put(wing, "door sill", wing->meshes[SILL], module(38.5f), 0, module(32.5f), 0, TR_TAG_WALKABLE);
}

static void put_fixed(const wing_plan *wing) {
    const uint32_t *meshes = wing->meshes;
    put(wing, "walls", meshes[WALLS], 0, 0, 0, 0, 0);
    put_doors(wing);
    for (uint32_t i = 0; i < MOST(desks); i++)
        put_desk(wing, desks[i]);
    put_all(wing, "shelf", SHELF, shelves, MOST(shelves), 0);
    put_all(wing, "plant", PLANT, plants, MOST(plants), 0);
    put_all(wing, "pillar", PILLAR, pillars, MOST(pillars), 0);
    put_all(wing, "bin", BIN, bins, MOST(bins), 0);
    put_all(wing, "lamp", LAMP, lamps, MOST(lamps), 0);
    put_all(wing, "sign", SIGN, signs, MOST(signs), 0);
    put(wing, "cable duct", meshes[DUCT], 0, 0, -3.3f, 0, TR_TAG_WALKABLE);
    put(wing, "meeting table", meshes[MEETING_TABLE], -5.6f, 0, 7.5f, 0, TR_TAG_NO_STEP);
    put(wing, "whiteboard", meshes[BOARD], -9.62f, 0, 6.0f, 1, 0);
    put(wing, "sofa", meshes[SOFA], 6.6f, 0, 9.2f, 2, TR_TAG_NO_STEP);
    put(wing, "coffee table", meshes[COFFEE_TABLE], 6.6f, 0, 8.2f, 0, TR_TAG_NO_STEP | TR_TAG_STEP_OVER);
    put(wing, "counter", meshes[COUNTER], 9.35f, 0, 7.8f, 3, TR_TAG_NO_STEP);
    put(wing, "fridge", meshes[FRIDGE], 9.33f, 0, 9.36f, 3, 0);
    put(wing, "copier", meshes[COPIER], 1.85f, 0, 8.9f, 1, TR_TAG_NO_STEP);
}

// Chairs are slightly turned.
static void put_chair(const wing_plan *wing, spot at, double aside, double turn) {
    float x = at.x + sample_random(wing->builder, -0.06f, 0.06f) * (float)aside;
    float z = at.z + sample_random(wing->builder, -0.06f, 0.06f) * (float)aside;
    double off = (double)sample_random(wing->builder, -0.25f, 0.25f) * turn;
    put(wing, "chair", wing->meshes[CHAIR], x, 0, z, (double)at.quarter + off, 0);
}

static void put_chairs(const wing_plan *wing) {
    for (uint32_t i = 0; i < MOST(desks); i++) {
        float way = desks[i].quarter == 0 ? 1.0f : -1.0f;
        spot at = {desks[i].x - 0.12f * way, desks[i].z + 0.55f * way, desks[i].quarter + 2};
        put_chair(wing, at, 1, 1);
    }
    for (uint32_t i = 0; i < MOST(meeting_chairs); i++)
        put_chair(wing, meeting_chairs[i], 0.5, 0.5);
    put_chair(wing, lounge_chair, 1, 1);
}

#define CHAIRS (MOST(desks) + MOST(meeting_chairs) + 1)
#define FINE_LEAST 14500 // triangles of a wing from which its chairs have full detail

// All wings share the same meshes, so that a thousand chairs take the memory of one.
typedef struct office_plan {
    sample_builder *builder;
    uint32_t meshes[KINDS];
    uint32_t columns, rows; // of wings
} office_plan;

static wing_plan wing_at(const office_plan *plan, uint32_t index) {
    uint32_t column = index % plan->columns, row = index / plan->columns;
    wing_plan wing = {.builder = plan->builder, .meshes = plan->meshes};
    wing.centre.x = WING * ((float)column + 0.5f - 0.5f * (float)plan->columns);
    wing.centre.z = WING * ((float)row + 0.5f - 0.5f * (float)plan->rows);
    wing.closed[0] = row == 0;
    wing.closed[1] = row + 1 == plan->rows;
    wing.closed[2] = column == 0;
    wing.closed[3] = column + 1 == plan->columns;
    return wing;
}

// Books use the triangles that are left of the requested number; `reserved` triangles are still to come.
static void put_books(const office_plan *plan, uint64_t reserved) {
    uint64_t placed = sample_triangles(plan->builder) + reserved, wish = plan->builder->wish;
    uint32_t wings = plan->columns * plan->rows;
    uint64_t books = wish > placed ? (wish - placed) / (12 * (uint64_t)wings) : 0,
             most = MOST(shelves) * SAMPLE_SHELF_BOOKS;
    books = books < most ? books : most;
    for (uint32_t i = 0; i < MOST(shelves); i++) {
        uint32_t here = (uint32_t)(books / (MOST(shelves) - i));
        books -= here;
        uint32_t mesh = sample_books(plan->builder, here);
        for (uint32_t j = 0; j < wings && here > 0; j++) {
            wing_plan wing = wing_at(plan, j);
            put(&wing, "books", mesh, shelves[i].x, 0, shelves[i].z, (double)shelves[i].quarter, 0);
        }
    }
}

void sample_office_make(sample_builder *builder) {
    uint32_t wanted = builder->wish / WING_TRIANGLES;
    wanted = wanted ? wanted : 1;
    office_plan plan = {.builder = builder, .rows = (uint32_t)sqrt((double)wanted)};
    plan.columns = wanted / plan.rows;
    uint32_t wings = plan.columns * plan.rows;
    make_meshes(builder, plan.meshes, builder->wish / wings >= FINE_LEAST);
    for (uint32_t i = 0; i < wings; i++) {
        wing_plan wing = wing_at(&plan, i);
        put_fixed(&wing);
    }
    uint64_t chair = tr_scene_mesh(builder->sample.scene, plan.meshes[CHAIR]).triangle_count;
    put_books(&plan, chair * CHAIRS * wings + 2);
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < wings; i++) {
        wing_plan wing = wing_at(&plan, i);
        put_chairs(&wing);
    }
    sample_movable_to_here(builder);
    sample_floor(builder, sample_ground(WING / 2 * (float)plan.columns, WING / 2 * (float)plan.rows), 2);
}
