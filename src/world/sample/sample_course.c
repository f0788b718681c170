// A course for one walker a lane, to look at how bodies move: each lane leads along +z over or through one
// thing. From west to east: ramps, stairs, rough blocks, a gap that is too narrow to walk through, bends, and
// a straight track to walk, jog and run on.
#include "sample_storey.h"

#define LANE 4.0f                  // width of a lane
#define HALF (0.5f * LANE - 0.05f) // of what fills a lane
#define LENGTH 30.0f               // of the floor, along z
#define RAILS 15.0f                // lanes are apart from -RAILS to RAILS
#define TOP 0.72f                  // height of the platform between two ramps
#define RISE 0.17f                 // of a stair
#define GOING 0.29f
#define STEPS 8
#define BLOCK 0.39f // side of a rough block
#define BLOCKS_ACROSS 10
#define BLOCKS_ALONG 12
#define ROUGH 0.18f // the highest block
#define GAP 0.6f    // between the walls
#define WALL 0.2f

enum { RAMPS, STAIRS, ROUGH_BLOCKS, NARROW, BENDS, TRACK, LANES };

// The middle of a lane.
static float lane(int number) {
    return ((float)number - 0.5f * (LANES - 1)) * LANE;
}

// Up 10 degrees (1 : 5.67), along a platform, and down 15 degrees (1 : 3.73).
static void place_ramps(sample_builder *builder) {
    float x = lane(RAMPS), up = 5.67f * TOP, down = 3.73f * TOP, top = 2.4f, begin = -up - 0.5f * top;
    tr_box rise = {{x - HALF, 0, begin}, {x + HALF, TOP, begin + up}};
    sample_shape_ramp(&builder->shape, rise, SAMPLE_SOUTH);
    sample_finish(builder, "ramp up", TR_TAG_WALKABLE);
    sample_block(builder, "platform", sample_at(x - HALF, 0, begin + up),
                 sample_at(x + HALF, TOP, begin + up + top), TR_TAG_WALKABLE);
    tr_box fall = {{x - HALF, 0, begin + up + top}, {x + HALF, TOP, begin + up + top + down}};
    sample_shape_ramp(&builder->shape, fall, SAMPLE_NORTH);
    sample_finish(builder, "ramp down", TR_TAG_WALKABLE);
}

static void place_stairs(sample_builder *builder) {
    float x = lane(STAIRS), half = 1.2f, run = (STEPS - 1) * GOING;
    sample_flight up = {sample_at(x, 0, -half - run), SAMPLE_SOUTH, STEPS, RISE, GOING, 2 * HALF, 0};
    sample_flight down = {sample_at(x, 0, half + run), SAMPLE_NORTH, STEPS, RISE, GOING, 2 * HALF, 0};
    sample_shape_flight(&builder->shape, &up);
    sample_shape_flight(&builder->shape, &down);
    sample_finish(builder, "stairs", TR_TAG_WALKABLE);
    sample_block(builder, "landing", sample_at(x - HALF, 0, -half), sample_at(x + HALF, STEPS * RISE, half),
                 TR_TAG_WALKABLE);
}

static void place_blocks(sample_builder *builder) {
    float x0 = lane(ROUGH_BLOCKS) - 0.5f * BLOCKS_ACROSS * BLOCK, z0 = -0.5f * BLOCKS_ALONG * BLOCK;
    for (int i = 0; i < BLOCKS_ACROSS; i++)
        for (int j = 0; j < BLOCKS_ALONG; j++) {
            float x = x0 + (float)i * BLOCK, z = z0 + (float)j * BLOCK;
            sample_box(builder, x, 0, z, x + BLOCK, sample_random(builder, 0.01f, ROUGH), z + BLOCK);
        }
    sample_finish(builder, "blocks", TR_TAG_WALKABLE);
}

static void place_gap(sample_builder *builder) {
    float x = lane(NARROW), far = HALF;
    sample_box(builder, x - far, 0, -0.5f * WALL, x - 0.5f * GAP, 2.2f, 0.5f * WALL);
    sample_box(builder, x + 0.5f * GAP, 0, -0.5f * WALL, x + far, 2.2f, 0.5f * WALL);
    sample_finish(builder, "narrow gap", 0);
}

// Hedges that leave a way of two metres, first to the east and then to the west.
static void place_bends(sample_builder *builder) {
    float x = lane(BENDS), far = HALF;
    sample_box(builder, x - far, 0, -3.2f, x, 1.1f, -2.8f);
    sample_box(builder, x, 0, 0.8f, x + far, 1.1f, 1.2f);
    sample_box(builder, x - far, 0, 4.8f, x, 1.1f, 5.2f);
    sample_finish(builder, "hedges", 0);
}

static void place_rails(sample_builder *builder) {
    for (int i = 0; i < LANES - 1; i++) {
        float x = 0.5f * (lane(i) + lane(i + 1));
        sample_shape_rail(&builder->shape, sample_at(x, 0, -RAILS), sample_at(x, 0, RAILS));
    }
    sample_finish(builder, "rails", 0);
}

static void place_posts(sample_builder *builder) {
    float x = lane(TRACK) - 0.5f * LANE + 0.1f;
    sample_shape_column(&builder->shape, 8, 0.04f, 0.04f, 0, 1);
    uint32_t mesh = sample_mesh(builder, "post");
    sample_movable_from_here(builder);
    for (int i = -2; i <= 2; i++)
        sample_place(builder, "post", mesh, sample_at(x, 0, 5 * (float)i), 0, 0);
    sample_movable_to_here(builder);
}

void sample_course_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    place_ramps(builder);
    place_stairs(builder);
    place_blocks(builder);
    place_gap(builder);
    place_bends(builder);
    place_rails(builder);
    place_posts(builder);
    tr_box floor = sample_ground(0.5f * LANES * LANE, 0.5f * LENGTH);
    sample_slab_floor(builder, &floor, 1);
    sample->ground = floor;
    sample->start = sample_at(lane(RAMPS), 0, -0.4f * LENGTH);
    sample->goal = sample_at(lane(RAMPS), 0, 0.4f * LENGTH);
}
