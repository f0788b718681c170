// Onto blocks and down again.
#include "behavior_obstacle.h"

static const float bodies[] = {1.2f, 1.45f, 1.75f, 1.95f};
#define BODIES (sizeof bodies / sizeof *bodies)
#define HEIGHTS 6
#define HANDS (TR_CONTACT_LEFT_HAND | TR_CONTACT_RIGHT_HAND)

static const struct {
    tr_behavior_clip_kind kind;
    float low, high; // of the block, for a body of 1.75 m
    int up;
} kinds[] = {{TR_BEHAVIOR_CLIP_STEP_UP, 0.2f, 0.45f, 1},
             {TR_BEHAVIOR_CLIP_CLIMB, 0.45f, 0.95f, 1},
             {TR_BEHAVIOR_CLIP_STEP_DOWN, 0.2f, 0.45f, -1},
             {TR_BEHAVIOR_CLIP_LEAP_DOWN, 0.45f, 0.95f, -1}};
#define KINDS (sizeof kinds / sizeof *kinds)

static tr_behavior_clip_def clip_of(uint32_t kind, double share, float body) {
    float height = kinds[kind].low + (float)share * (kinds[kind].high - kinds[kind].low);
    return (tr_behavior_clip_def){.kind = kinds[kind].kind, .height = height * body / 1.75f};
}

// The block that a clip goes onto, or comes from: the base is over its edge at the action.
static obstacle block_of(const behavior *m, uint32_t kind, double height) {
    double edge = (double)tr_clip_base(m->clip, m->info.action).z;
    return kinds[kind].up > 0 ? (obstacle){edge, 100, -100, height} : (obstacle){-100, edge, -100, 0};
}

// The least distance of the skin from the block, or how deep it is in it, at the frames and between them.
static double skin_off(behavior *m, const obstacle *block) {
    const tr_body_def *view = tr_body_view(m->body);
    uint32_t steps = (tr_clip_frame_count(m->clip) - 1) * OBSTACLE_STEPS;
    double least = INFINITY;
    for (uint32_t i = 0; i <= steps; i++) {
        pose_between(m, (double)i / OBSTACLE_STEPS / tr_clip_rate(m->clip));
        tr_body_skin(m->body, m->model, m->skin, NULL);
        for (uint32_t k = 0; k < view->vertex_count; k++)
            least = fmin(least, obstacle_distance(block, (double)m->skin[k].z, (double)m->skin[k].y));
    }
    return least;
}

TEST(no_part_of_the_body_is_in_the_block) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t k = 0; k < KINDS; k++)
            for (uint32_t i = 0; i < HEIGHTS; i++) {
                behavior m;
                tr_behavior_clip_def def = clip_of(k, (double)i / (HEIGHTS - 1), bodies[b]);
                REQUIRE(measure_behavior(&m, &def, bodies[b]));
                double height = (double)def.height, scale = 1.75 / (double)bodies[b];
                obstacle block = block_of(&m, k, height);
                double deep = skin_off(&m, &block) * scale, ground = kinds[k].up > 0 ? 0 : -height;
                CHECK(deep > -0.006);
                CHECK((m.lowest - ground) * scale > -0.006);
                CHECK(m.slide < 1e-4);
                CHECK(m.limit < 1);
                CHECK(m.fastest < 18);
                CHECK_NEAR((double)m.info.rise, kinds[k].up * height, 1e-6);
                printf("%.2f %-10s %.2f: deep %.4f low %.4f limit %.2f fastest %.1f\n", bodies[b],
                       tr_behavior_clip_name(def.kind), height, deep, m.lowest - ground, m.limit, m.fastest);
                behavior_end(&m);
            }
}
