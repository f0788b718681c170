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
                CHECK(deep > -0.015); // the tip of a foot that passes the edge
                CHECK((m.lowest - ground) * scale > -0.006);
                CHECK(m.slide < 1e-4);
                CHECK(m.limit < 4);
                CHECK(m.fastest < 20);
                CHECK_NEAR((double)m.info.rise, kinds[k].up * height, 1e-6);
                behavior_end(&m);
            }
}

// Both hands lie on the top of the block before the body is lifted.
TEST(hands_bear_on_the_edge) {
    for (uint32_t b = 0; b < BODIES; b++) {
        behavior m;
        tr_behavior_clip_def def = clip_of(1, 0.8, bodies[b]);
        REQUIRE(measure_behavior(&m, &def, bodies[b]));
        double edge = (double)tr_clip_base(m.clip, m.info.action).z, scale = 1.75 / (double)bodies[b];
        uint32_t frames = 0;
        for (uint32_t i = 0; i < tr_clip_frame_count(m.clip); i++) {
            if ((tr_clip_frame_contacts(m.clip, i) & HANDS) != HANDS)
                continue;
            frames++;
            pose_behavior(&m, i);
            for (uint32_t bit = 4; bit < 6; bit++) {
                tr_vec3 hand = contact_point(&m, bit);
                double above = ((double)hand.y - (double)def.height) * scale;
                double beyond = ((double)hand.z - edge) * scale;
                CHECK(above > 0.05 && above < 0.15);
                CHECK(beyond > 0 && beyond < 0.2);
            }
        }
        CHECK(frames > 8);
        behavior_end(&m);
    }
}

// Who leaps down falls freely, and bends the knees.
TEST(a_leap_falls_freely) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 1; i < 3; i++) {
            behavior m;
            tr_behavior_clip_def def = clip_of(3, 0.5 * i, bodies[b]);
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            while (
                tr_clip_contacts(m.clip, m.info.action)) // the flight begins after the base passed the edge
                m.info.action += 1 / 60.0;
            flight f = measure_flight(&m);
            CHECK(f.end - f.begin > 5);
            CHECK(f.fall > 9 && f.fall < 11);
            CHECK(f.off < 0.03);
            behavior_end(&m);
        }
}

// Clips of different heights take equally long and go equally far: what is between them can be mixed.
TEST(clips_of_all_heights_fit_each_other) {
    for (uint32_t k = 0; k < KINDS; k++) {
        tr_behavior_clip_info first = {0};
        for (uint32_t i = 0; i < 4; i++) {
            behavior m;
            tr_behavior_clip_def def = clip_of(k, i / 3.0, 1.75f);
            REQUIRE(measure_behavior(&m, &def, 1.75f));
            first = i == 0 ? m.info : first;
            CHECK_INT(m.info.last, first.last);
            CHECK_NEAR((double)m.info.advance.z, (double)first.advance.z, 1e-5);
            CHECK_INT(m.info.begin, TR_BEHAVIOR_CLIP_STANDS);
            CHECK_INT(m.info.end, TR_BEHAVIOR_CLIP_STANDS);
            behavior_end(&m);
        }
    }
}
