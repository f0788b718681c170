// Stairs and obstacles: Bandi & Thalmann 1998, figure 10, with the holes of figure 7 and the storeys of
// figure 4. The floor lies on a base so that holes can be pits: one two cells wide, which a long step
// crosses, and one without a bottom that cannot be crossed.
#include "sample_storey.h"

#define CELL 0.2f
#define FLOOR 0.6f // deeper than a step: a body cannot climb out of a pit
#define RISE 0.17f
#define RISES 15
#define UPPER (FLOOR + RISE * RISES)
#define EDGE 6.34f // of the upper storey, where the stairs arrive
#define WIDTH (53 * CELL)
#define DEPTH (91 * CELL)

static const tr_box trench = {{0.95f, 0, 13.95f},
                              {6.05f, FLOOR, 14.45f}}; // edges lie inside cells: 70 and 71 are empty
static const tr_box pit = {{0.95f, 0, 8.15f}, {4.45f, FLOOR, 11.25f}};
static const tr_box well = {{4.35f, 0, 2.35f}, {5.85f, 0, 3.85f}};
static const sample_flight stairs = {
    {8.2f, FLOOR, EDGE + (RISES - 1) * 0.29f}, SAMPLE_NORTH, RISES, RISE, 0.29f, 1.8f, 0.26f};

// The walls of a pit, facing into it.
static void draw_pit_walls(sample_shape *shape, tr_box box) {
    tr_vec3 low[4] = {
        box.min, {box.max.x, 0, box.min.z}, {box.max.x, 0, box.max.z}, {box.min.x, 0, box.max.z}};
    for (int i = 0; i < 4; i++) {
        tr_vec3 a = low[i], b = low[(i + 1) % 4];
        sample_shape_quad(shape, a, b, sample_at(b.x, FLOOR, b.z), sample_at(a.x, FLOOR, a.z));
    }
}

static void place_base(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    draw_pit_walls(shape, trench);
    sample_shape_ground(shape, trench, 2);
    draw_pit_walls(shape, pit);
    tr_vec3 rim[4] = {{0, 0, 0}, {0, 0, DEPTH}, {WIDTH, 0, DEPTH}, {WIDTH, 0, 0}};
    for (int i = 0; i < 4; i++) {
        tr_vec3 a = rim[i], b = rim[(i + 1) % 4];
        sample_shape_quad(shape, a, b, sample_at(b.x, FLOOR, b.z), sample_at(a.x, FLOOR, a.z));
    }
    sample_finish(builder, "base", 0);
}

static void place_upper(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    tr_box slab = {{0.3f, UPPER - 0.2f, 0.3f}, {WIDTH - 0.3f, UPPER, EDGE}};
    sample_shape_slab(shape, slab, well);
    sample_finish(builder, "upper floor", TR_TAG_WALKABLE);
    float left = slab.min.x + 0.04f, right = slab.max.x - 0.04f, back = slab.min.z + 0.04f,
          front = EDGE - 0.04f, half = stairs.width / 2;
    sample_shape_rail(shape, sample_at(left, UPPER, front), sample_at(stairs.foot.x - half, UPPER, front));
    sample_shape_rail(shape, sample_at(stairs.foot.x + half, UPPER, front), sample_at(right, UPPER, front));
    sample_shape_rail(shape, sample_at(left, UPPER, back), sample_at(right, UPPER, back));
    sample_shape_rail(shape, sample_at(left, UPPER, back + 0.04f), sample_at(left, UPPER, front - 0.04f));
    sample_shape_rail(shape, sample_at(right, UPPER, back + 0.04f), sample_at(right, UPPER, front - 0.04f));
    sample_finish(builder, "railing", 0);
    sample_shape_column(shape, 24, 0.16f, 0.14f, 0, UPPER - FLOOR - 0.2f);
    uint32_t pillar = sample_mesh(builder, "pillar");
    for (int i = 0; i < 6; i++) {
        tr_vec3 at = sample_at(0.8f + 4.5f * (float)(i % 3), FLOOR, i < 3 ? 0.9f : 5.7f);
        sample_place(builder, "pillar", pillar, at, 0, 0);
    }
}

static void place_flight(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_shape_flight(shape, &stairs);
    sample_finish(builder, "stairs", TR_TAG_WALKABLE);
    sample_shape_flight_rail(shape, &stairs, -1, 2);
    sample_shape_flight_rail(shape, &stairs, 1, 2);
    sample_finish(builder, "handrails", 0);
}

// Between the start and the stairs: objects to walk around, to step on and to step over.
static void place_obstacles(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_block(builder, "block", sample_at(5.2f, FLOOR, 10.6f), sample_at(6.2f, FLOOR + 1.3f, 11.8f), 0);
    sample_block(builder, "block", sample_at(4.6f, FLOOR, 15.9f), sample_at(5.8f, FLOOR + 0.9f, 16.7f), 0);
    sample_block(builder, "wall", sample_at(6.6f, FLOOR, 12.5f), sample_at(6.8f, FLOOR + 1.9f, 16.4f), 0);
    sample_block(builder, "low step", sample_at(7.2f, FLOOR, 13.6f), sample_at(9.4f, FLOOR + 0.2f, 15.0f),
                 TR_TAG_WALKABLE);
    sample_block(builder, "kerb", sample_at(0.6f, FLOOR, 12.6f), sample_at(5.0f, FLOOR + 0.22f, 12.72f),
                 TR_TAG_STEP_OVER);
    tr_vec3 pillars[3] = {{8.6f, FLOOR, 16.4f}, {1.2f, FLOOR, 7.3f}, {5.2f, FLOOR, 8.6f}};
    sample_shape_column(shape, 32, 0.3f, 0.3f, 0, 0.2f);
    sample_shape_column(shape, 32, 0.22f, 0.18f, 0.2f, 2.0f);
    sample_shape_column(shape, 32, 0.28f, 0.28f, 2.0f, 2.15f);
    uint32_t pillar = sample_mesh(builder, "round pillar");
    for (int i = 0; i < 3; i++)
        sample_place(builder, "round pillar", pillar, pillars[i], 0, 0);
    uint32_t table = sample_table(builder, "table", 0.7f, 0.45f, 0.72f);
    sample_place(builder, "table", table, sample_at(1.9f, UPPER, 3.9f), 0, TR_TAG_NO_STEP);
}

static void place_crates(sample_builder *builder) {
    sample_box(builder, -0.25f, 0, -0.25f, 0.25f, 0.5f, 0.25f);
    uint32_t mesh = sample_mesh(builder, "crate");
    static const float spots[5][2] = {
        {9.8f, 17.4f}, {9.9f, 16.7f}, {9.7f, 11.8f}, {0.6f, 5.9f}, {9.8f, 1.4f}};
    sample_movable_from_here(builder);
    for (int i = 0; i < 5; i++) {
        float x = spots[i][0] + sample_random(builder, -0.1f, 0.1f);
        float z = spots[i][1] + sample_random(builder, -0.1f, 0.1f);
        sample_place(builder, "crate", mesh, sample_at(x, FLOOR, z),
                     (double)sample_random(builder, -0.2f, 0.2f), 0);
    }
    sample_movable_to_here(builder);
}

void sample_stairs_make(sample_builder *builder) {
    sample_grid(builder, 53, 102, 91, CELL, 0.05f);
    builder->sample.start = sample_at(2.1f, FLOOR, 16.9f);
    builder->sample.goal = sample_at(2.1f, UPPER, 1.7f);
    place_base(builder);
    place_upper(builder);
    place_flight(builder);
    place_obstacles(builder);
    place_crates(builder);
    const float floor = FLOOR;
    const tr_box pieces[] = {
        {{0, floor, 0}, {WIDTH, floor, pit.min.z}},
        {{0, floor, pit.min.z}, {pit.min.x, floor, pit.max.z}},
        {{pit.max.x, floor, pit.min.z}, {WIDTH, floor, pit.max.z}},
        {{0, floor, pit.max.z}, {WIDTH, floor, trench.min.z}},
        {{0, floor, trench.min.z}, {trench.min.x, floor, trench.max.z}},
        {{trench.max.x, floor, trench.min.z}, {WIDTH, floor, trench.max.z}},
        {{0, floor, trench.max.z}, {WIDTH, floor, DEPTH}},
    };
    sample_storey_floor(builder, pieces, sizeof pieces / sizeof pieces[0]);
}
