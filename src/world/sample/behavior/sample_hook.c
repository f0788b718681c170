// The upper part of figure 8 of Lau & Kuffner 2005: the only gap of a wall is swept by a hook that slides to
// and fro. Its tall shank shuts the gap; its low shaft can be jumped over.
#include "sample_behavior.h"
#include "troupe/base/scalar.h"

#define HALF_X 22.0f
#define HALF_Z 12.0f
#define GAP 4.0f
#define WALL 0.3f
#define SHANK 4.4f // length of the tall part: wider than the gap
#define SHAFT 5.2f // of the low part
#define LOW 0.15f  // its height
#define TALL 1.6f
#define TIP 0.7f // height of the tip at the end of the shaft
#define THICK 0.1f
#define KEYS 48
#define HOLD 0.25 // part of the period that the hook rests at each end

static void place_wall(sample_builder *builder) {
    float far = HALF_Z - SAMPLE_BORDER;
    sample_box(builder, -WALL / 2, 0, -far, WALL / 2, SAMPLE_OBSTACLE_TOP, -GAP / 2);
    sample_box(builder, -WALL / 2, 0, GAP / 2, WALL / 2, SAMPLE_OBSTACLE_TOP, far);
    sample_finish(builder, "wall", 0);
}

// Along z from its middle, the border between shank and shaft at 0: shank, shaft and tip are one closed body.
static uint32_t make_hook(sample_builder *builder) {
    const float half = THICK / 2;
    sample_box(builder, -half, 0, -SHANK, half, TALL, 0);
    sample_box(builder, -half, 0, 0, half, LOW, SHAFT);
    sample_box(builder, -half, 0, SHAFT, half, TIP, SHAFT + THICK);
    return sample_mesh(builder, "hook");
}

// Where the hook is at `phase` of its period: 0 with the shaft in the gap, 1 with the shank in it.
static double hook_shift(double phase) {
    double leg = 0.5 - HOLD, rise = phase < 0.5 ? (phase - HOLD) / leg : (1 - phase) / leg;
    return tr_ease(rise);
}

void sample_hook_make(sample_builder *builder) {
    static const tr_vec2 posts[] = {{-14, 7}, {-6, -8}, {9, 6}, {13, -5}};
    tr_sample *sample = &builder->sample;
    double times[KEYS + 1], period = 8, begin = 0;
    tr_transform places[KEYS + 1];
    if (builder->seed) {
        period = (double)sample_random(builder, 6, 10);
        begin = (double)sample_random(builder, 0, 8);
    }
    for (uint32_t i = 0; i <= KEYS; i++) {
        double phase = (double)i / KEYS, shift = hook_shift(phase);
        double open = -(double)SHAFT / 2, shut = (double)SHANK / 2;
        times[i] = begin + period * phase;
        places[i] = sample_transform(sample_at(WALL / 2 + THICK, 0, (float)(open + (shut - open) * shift)),
                                     tr_quat_identity());
    }
    place_wall(builder);
    uint32_t hook =
        sample_place(builder, "hook", make_hook(builder), places[0].position, 0, TR_TAG_JUMP_OVER);
    sample_motion(builder, hook, times, places, KEYS + 1, true);
    sample_behavior_log_across(builder, -9.5f, 3, HALF_Z - SAMPLE_BORDER);
    sample_behavior_posts(builder, posts, sizeof posts / sizeof posts[0], 0.4f);
    sample_behavior_field(builder, HALF_X, HALF_Z, SAMPLE_BORDER_TOP);
    sample->start = sample_at(-19.5f, 0, 0);
    sample->goal = sample_at(19.5f, 0, 0);
}
