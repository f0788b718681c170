// Scenes for crowds, where people get in each other's way: a corridor between two halls, a door, a crossing
// and a bridge. Everything is laid out about the origin; the widths are measured between walls and rails.
#include "sample_storey.h"
#include "troupe/base/scalar.h"

#define WALL 0.2f // thickness
#define HEIGHT 2.5f
#define DEPTH 10.0f // of halls, rooms and banks, along x
#define LINTEL 2.1f
#define LEAF 0.05f // thickness of the sliding door
#define BED 3.0f   // depth of the gap under the bridge

static float larger(float a, float b) {
    return a > b ? a : b;
}

static tr_box rectangle(float x0, float z0, float x1, float z1) {
    tr_box box = {{x0, 0, z0}, {x1, 0, z1}};
    return box;
}

static void wall_along_x(sample_builder *builder, float z, float from, float to) {
    sample_wall wall = {false, z, from, to, 0, HEIGHT, WALL};
    sample_shape_wall(&builder->shape, &wall, NULL, 0);
}

// With an opening of `width` about z = 0; 0: none.
static void wall_along_z(sample_builder *builder, float x, float half, float width, float head) {
    sample_wall wall = {true, x, -half, half, 0, HEIGHT, WALL};
    sample_opening opening = {-width / 2, width / 2, 0, head};
    sample_shape_wall(&builder->shape, &wall, &opening, width > 0);
}

// The three outer walls of a hall whose inside is x0 to x1; `outer` is the closed side.
static void hall_walls(sample_builder *builder, float x0, float x1, float half, float outer) {
    wall_along_x(builder, -half - WALL / 2, x0, x1);
    wall_along_x(builder, half + WALL / 2, x0, x1);
    wall_along_z(builder, outer < 0 ? x0 - WALL / 2 : x1 + WALL / 2, half + WALL, 0, 0);
}

// Litter bins, the movable objects.
static void place_bins(sample_builder *builder, const tr_vec2 *spots, uint32_t count) {
    sample_shape_column(&builder->shape, 6, 0.16f, 0.2f, 0, 0.7f);
    uint32_t mesh = sample_mesh(builder, "bin");
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < count; i++)
        sample_place(builder, "bin", mesh, sample_at(spots[i].x, 0, spots[i].z),
                     (double)sample_random(builder, 0, 6.2831f), 0);
    sample_movable_to_here(builder);
}

void sample_corridor_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    float end = sample->length / 2, side = sample->width / 2, far = end + DEPTH;
    float half = larger(DEPTH / 2, side + 1), rim = half + WALL;
    hall_walls(builder, -far, -end, half, -1);
    hall_walls(builder, end, far, half, 1);
    // The corridor's length includes the walls between hall and corridor.
    wall_along_z(builder, -end + WALL / 2, rim, sample->width, HEIGHT);
    wall_along_z(builder, end - WALL / 2, rim, sample->width, HEIGHT);
    wall_along_x(builder, -side - WALL / 2, -end + WALL, end - WALL);
    wall_along_x(builder, side + WALL / 2, -end + WALL, end - WALL);
    sample_finish(builder, "walls", 0);
    const tr_vec2 bins[4] = {{-far + 0.3f, -half + 0.3f},
                             {-far + 0.3f, half - 0.3f},
                             {far - 0.3f, -half + 0.3f},
                             {far - 0.3f, half - 0.3f}};
    place_bins(builder, bins, 4);
    const tr_box floors[3] = {rectangle(-far - WALL, -rim, -end + WALL, rim),
                              rectangle(-end + WALL, -side - WALL, end - WALL, side + WALL),
                              rectangle(end - WALL, -rim, far + WALL, rim)};
    sample_slab_floor(builder, floors, 3);
    sample->ground = rectangle(-far - WALL, -rim, far + WALL, rim);
    sample->start = sample_at(-end - DEPTH / 2, 0, 0);
    sample->goal = sample_at(end + DEPTH / 2, 0, 0);
}

void sample_door_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    float side = sample->width / 2, near = WALL / 2, far = near + DEPTH;
    float half = larger(DEPTH / 2, 3 * side + 1), rim = half + WALL;
    hall_walls(builder, -far, -near, half, -1);
    hall_walls(builder, near, far, half, 1);
    wall_along_z(builder, 0, rim, sample->width, LINTEL);
    sample_finish(builder, "walls", 0);
    // It stands open against the wall of the east room; moved by (0, 0, -width) it shuts.
    sample_box(builder, 0, 0, 0, LEAF, LINTEL - 0.02f, sample->width);
    uint32_t leaf = sample_mesh(builder, "door");
    sample_movable_from_here(builder);
    sample_place(builder, "door", leaf, sample_at(near + 0.01f, 0.01f, side), 0, 0);
    sample_movable_to_here(builder);
    tr_box floor = rectangle(-far - WALL, -rim, far + WALL, rim);
    sample_slab_floor(builder, &floor, 1);
    sample->ground = floor;
    sample->start = sample_at(-far / 2, 0, 1);
    sample->goal = sample_at(far / 2, 0, -1);
}

// The walls of one arm of the crossing, which leads away along +x, turned by `heading`.
static void arm_walls(sample_builder *builder, float side, float end, double heading) {
    sample_shape_move(&builder->shape, sample_at(0, 0, 0), heading);
    sample_wall left = {false, -side - WALL / 2, side, end + WALL, 0, HEIGHT, WALL};
    sample_wall right = {false, side + WALL / 2, side + WALL, end + WALL, 0, HEIGHT, WALL};
    sample_wall closed = {true, end + WALL / 2, -side, side, 0, HEIGHT, WALL};
    sample_shape_wall(&builder->shape, &left, NULL, 0);
    sample_shape_wall(&builder->shape, &right, NULL, 0);
    sample_shape_wall(&builder->shape, &closed, NULL, 0);
    sample_shape_home(&builder->shape);
}

void sample_crossing_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    float side = sample->width / 2, end = side + sample->length, rim = end + WALL, edge = side + WALL;
    for (int arm = 0; arm < 4; arm++)
        arm_walls(builder, side, end, TR_PI / 2 * arm);
    sample_finish(builder, "walls", 0);
    float aside = side > 0.5f ? side - 0.3f : 0;
    const tr_vec2 bins[4] = {
        {end - 0.3f, aside}, {-end + 0.3f, -aside}, {aside, end - 0.3f}, {-aside, -end + 0.3f}};
    place_bins(builder, bins, 4);
    const tr_box floors[3] = {rectangle(-rim, -edge, rim, edge), rectangle(-edge, -rim, edge, -edge),
                              rectangle(-edge, edge, edge, rim)};
    sample_slab_floor(builder, floors, 3);
    sample->ground = rectangle(-rim, -rim, rim, rim);
    sample->start = sample_at(-end + 2, 0, 0);
    sample->goal = sample_at(0, 0, end - 2);
}

static uint32_t make_cart(sample_builder *builder) {
    sample_box(builder, -0.6f, 0.2f, -0.4f, 0.6f, 0.9f, 0.4f);
    for (int wheel = 0; wheel < 4; wheel++) {
        float x = wheel & 1 ? 0.45f : -0.45f, z = wheel & 2 ? 0.35f : -0.35f;
        sample_shape_pipe(&builder->shape, 8, 0.12f, sample_at(x, 0.13f, z - 0.04f),
                          sample_at(x, 0.13f, z + 0.04f));
    }
    return sample_mesh(builder, "cart");
}

void sample_bridge_make(sample_builder *builder) {
    const float beside = 0.1f; // of the deck, for the rails
    tr_sample *sample = &builder->sample;
    float end = sample->length / 2, side = sample->width / 2, far = end + DEPTH;
    float half = larger(DEPTH / 2, side + 1);
    for (int i = -1; i <= 1; i += 2) {
        float z = (float)i * (side + beside / 2);
        sample_shape_rail(&builder->shape, sample_at(-end, 0, z), sample_at(end, 0, z));
    }
    sample_finish(builder, "rails", 0);
    sample_block(builder, "bed", sample_at(-end, -BED - SAMPLE_SLAB, -half), sample_at(end, -BED, half),
                 TR_TAG_NO_STEP);
    uint32_t cart = make_cart(builder);
    sample_movable_from_here(builder);
    sample_place(builder, "cart", cart,
                 sample_at(-far + 1.2f, 0, sample_random(builder, -half + 1, half - 1)), 0, 0);
    sample_movable_to_here(builder);
    const tr_box floors[3] = {rectangle(-far, -half, -end, half),
                              rectangle(-end, -side - beside, end, side + beside),
                              rectangle(end, -half, far, half)};
    sample_slab_floor(builder, floors, 3);
    sample->ground = rectangle(-far, -half, far, half);
    sample->start = sample_at(-end - DEPTH / 2, 0, 0);
    sample->goal = sample_at(end + DEPTH / 2, 0, 0);
}
