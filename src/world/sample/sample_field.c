// An open field with scattered convex blocks, for measuring how costs scale. A few dozen meshes are shared by
// all objects.
#include "sample_build.h"

#define PITCH 3.0f // from block to block [m]
#define SHAPES 24
#define MOVABLES_MOST 64
#define FLOOR_LEAST 2

// Prisms, stumps, boxes and boulders, each of its own size.
static uint32_t make_shape(sample_builder *builder, uint32_t index) {
    sample_shape *shape = &builder->shape;
    float radius = sample_random(builder, 0.3f, 0.8f);
    float height = sample_random(builder, 0.2f, 2.4f);
    float taper = sample_random(builder, 0.4f, 1.0f);
    // A block that is wide enough to stand in has its top below head height: a band that cuts only through
    // the sides of a closed shape would find free ground inside.
    if (radius > 0.45f && height > 1.7f)
        height -= 0.7f;
    uint32_t sides = 3 + index % 8;
    switch (index % 4) {
    case 0:
        sample_shape_box(shape, sample_at(-radius * 0.7f, 0, -radius * 0.4f),
                         sample_at(radius * 0.7f, height, radius * 0.4f));
        break;
    case 1:
        sample_shape_column(shape, sides, radius, radius, 0, height);
        break;
    case 2:
        sample_shape_column(shape, sides, radius, radius * taper, 0, height);
        break;
    default:
        shape->frame.m[1][3] = height * 0.4f; // partly sunk into the ground
        sample_shape_ball(shape, 8, 5, sample_at(radius, height * 0.5f, radius * taper));
        break;
    }
    return sample_mesh(builder, "block");
}

// The sequence of shapes until the requested number is reached: one pass counts them, one places them.
static uint32_t next_shape(const sample_builder *builder, const uint32_t meshes[SHAPES], tr_random *random,
                           uint64_t *left) {
    uint32_t shape = tr_random_below(random, SHAPES);
    uint32_t cost = tr_scene_mesh(builder->sample.scene, meshes[shape]).triangle_count;
    if (builder->status != TR_OK || cost + FLOOR_LEAST > *left)
        return TR_NONE;
    *left -= cost;
    return shape;
}

static void place_block(sample_builder *builder, uint32_t mesh, uint32_t index, uint32_t side) {
    float jitter_x = sample_random(builder, -0.35f, 0.35f);
    float jitter_z = sample_random(builder, -0.35f, 0.35f);
    float heading = sample_random(builder, 0, 6.2831f);
    float x = PITCH * ((float)(index % side) + 0.5f - 0.5f * (float)side) + jitter_x;
    float z = PITCH * ((float)(index / side) + 0.5f - 0.5f * (float)side) + jitter_z;
    bool low = tr_scene_mesh(builder->sample.scene, mesh).bounds.max.y <= 0.3f;
    sample_place(builder, NULL, mesh, sample_at(x, 0, z), (double)heading, low ? TR_TAG_STEP_OVER : 0);
}

void sample_field_make(sample_builder *builder) {
    uint32_t meshes[SHAPES], count = 0, side = 1;
    for (uint32_t i = 0; i < SHAPES; i++)
        meshes[i] = make_shape(builder, i);
    tr_random order = tr_random_seed(builder->seed ^ 0x6669656c64u);
    tr_random again = order;
    uint64_t left = builder->wish, left_again = builder->wish;
    while (next_shape(builder, meshes, &order, &left) != TR_NONE)
        count++;
    while ((uint64_t)side * side < count)
        side++;
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < count && builder->status == TR_OK; i++) {
        place_block(builder, meshes[next_shape(builder, meshes, &again, &left_again)], i, side);
        if (i + 1 == (count < MOVABLES_MOST ? count : MOVABLES_MOST))
            sample_movable_to_here(builder);
    }
    float half = PITCH * (float)side / 2;
    sample_floor(builder, sample_ground(half, half), FLOOR_LEAST);
}
