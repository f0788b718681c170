// The scenes of Lau & Kuffner 2005 that do not move. Figures 4 and 5: a trap between start and goal, and a
// long wall with a part to crawl under and a part to jump over. Figure 7: a hill and a log on the direct way,
// and a level way around them.
#include "sample_behavior.h"
#include "troupe/base/scalar.h"

#define HALF 15.0f   // of the field of figure 4
#define THICK 0.4f   // of its walls
#define PART 2.8f    // width of the parts of the long wall that can be passed
#define HILL_X 16.0f // halves of the field of figure 7
#define HILL_Z 8.0f
#define CHANNEL 1.0f      // the wall between the hill and the way around, as z
#define CHANNEL_END 11.0f // and how far it reaches to both sides, as x
#define HILL_HALF 4.5f    // of the hill along x
#define HILL_AT (-4.5f)   // its middle
#define HILL_TOP 0.9f
#define HILL_LOG 5.5f // the log, as x
#define STEPS 24      // of the hill along x
#define ACROSS 12

// Open towards the start, so that the straight way to the goal leads into it.
static void place_trap(sample_builder *builder) {
    float x = sample_random(builder, -0.8f, 0.8f), z = sample_random(builder, -0.6f, 0.6f);
    float left = x - 3.8f, right = x + 3.2f, front = z - 4, back = z + 0.8f;
    sample_box(builder, left, 0, front, left + THICK, SAMPLE_OBSTACLE_TOP, back);
    sample_box(builder, right - THICK, 0, front, right, SAMPLE_OBSTACLE_TOP, back);
    sample_box(builder, left, 0, back, right, SAMPLE_OBSTACLE_TOP, back + THICK);
    sample_finish(builder, "trap", 0);
}

static void place_long_wall(sample_builder *builder) {
    const float z = 5, west = -3, east = HALF - SAMPLE_BORDER, low = z - THICK / 2, high = z + THICK / 2;
    float first = sample_random(builder, 1.4f, 2.2f), second = sample_random(builder, 7.2f, 9.2f);
    float crawl = builder->seed % 2 ? second : first, jump = builder->seed % 2 ? first : second;
    sample_box(builder, west, 0, low, first, SAMPLE_OBSTACLE_TOP, high);
    sample_box(builder, first + PART, 0, low, second, SAMPLE_OBSTACLE_TOP, high);
    sample_box(builder, second + PART, 0, low, east, SAMPLE_OBSTACLE_TOP, high);
    sample_finish(builder, "long wall", 0);
    sample_behavior_lintel(builder, crawl, crawl + PART, z, THICK);
    sample_behavior_log(builder, jump, jump + PART, z);
}

void sample_behaviors_make(sample_builder *builder) {
    static const tr_vec2 posts[] = {{-9.5f, -5}, {-9, 2},  {8, -4.5f},     {11, 0.5f},
                                    {0, -9},     {-7, 10}, {7.5f, -10.5f}, {-11.5f, -11.5f}};
    tr_sample *sample = &builder->sample;
    place_trap(builder);
    place_long_wall(builder);
    sample_behavior_posts(builder, posts, sizeof posts / sizeof posts[0], 0.5f);
    sample_behavior_field(builder, HALF, HALF, SAMPLE_BORDER_TOP);
    sample->start = sample_at(-7, 0, -12);
    sample->goal = sample_at(8, 0, 10.5f);
}

// --- Figure 7 ---

// The height of the hill: it rises and falls smoothly along x, with dents that the seed draws.
static float hill_height(uint32_t step, float dent) {
    float x = fabsf(2 * (float)step / STEPS - 1);
    float rise = tr_ease_float(1 - x);
    return HILL_TOP * rise * (1 - dent);
}

static void place_hill(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    const float z0 = -HILL_Z + SAMPLE_BORDER, z1 = CHANNEL, x0 = HILL_AT - HILL_HALF;
    uint32_t first = shape->position_count, wide = ACROSS + 1;
    for (uint32_t i = 0; i <= STEPS; i++)
        for (uint32_t j = 0; j <= ACROSS; j++) {
            float dent = sample_random(builder, 0, 0.03f);
            sample_shape_point(shape, sample_at(x0 + 2 * HILL_HALF * (float)i / STEPS, hill_height(i, dent),
                                                z0 + (z1 - z0) * (float)j / ACROSS));
        }
    for (uint32_t i = 0; i < STEPS; i++)
        for (uint32_t j = 0; j < ACROSS; j++) {
            uint32_t here = first + i * wide + j;
            sample_shape_faces(shape, here, here + 1, here + wide + 1, here + wide);
        }
    // Both sides stand on the floor. The foot of the hill is an edge, not a side.
    for (uint32_t i = 0; i < STEPS; i++) {
        float x = x0 + 2 * HILL_HALF * (float)i / STEPS, next = x0 + 2 * HILL_HALF * (float)(i + 1) / STEPS;
        uint32_t near = first + i * wide, far = near + ACROSS;
        uint32_t a = sample_shape_point(shape, sample_at(x, 0, z0));
        uint32_t b = sample_shape_point(shape, sample_at(next, 0, z0));
        uint32_t c = sample_shape_point(shape, sample_at(x, 0, z1));
        uint32_t d = sample_shape_point(shape, sample_at(next, 0, z1));
        sample_shape_faces(shape, near, near + wide, b, a);
        sample_shape_faces(shape, far + wide, far, c, d);
        sample_shape_faces(shape, a, b, d, c);
    }
    sample_finish(builder, "hill", TR_TAG_WALKABLE);
}

void sample_hill_make(sample_builder *builder) {
    static const tr_vec2 posts[] = {{-9, 4.2f}, {0, 5.6f}, {8, 4}, {-12.5f, -0.5f}};
    tr_sample *sample = &builder->sample;
    place_hill(builder);
    sample_block(builder, "wall", sample_at(-CHANNEL_END, 0, CHANNEL),
                 sample_at(CHANNEL_END, SAMPLE_OBSTACLE_TOP, CHANNEL + 0.3f), 0);
    sample_behavior_log_across(builder, HILL_LOG, -HILL_Z + SAMPLE_BORDER, CHANNEL);
    sample_behavior_posts(builder, posts, sizeof posts / sizeof posts[0], 0.3f);
    sample_behavior_field(builder, HILL_X, HILL_Z, HILL_TOP + SAMPLE_BORDER_TOP);
    sample->start = sample_at(-13.5f, 0, -4);
    sample->goal = sample_at(13.5f, 0, -4);
}
