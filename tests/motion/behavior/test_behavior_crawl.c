// Crawls: on hands and knees under a bar, in diagonal pairs.
#include "behavior_obstacle.h"

static const float bodies[] = {1.1f, 1.75f, 2.0f};
#define BODIES (sizeof bodies / sizeof *bodies)
#define HANDS (TR_CONTACT_LEFT_HAND | TR_CONTACT_RIGHT_HAND)
#define KNEES (TR_CONTACT_LEFT_KNEE | TR_CONTACT_RIGHT_KNEE)
#define FEET 15u

// For a body of 1.75 m.
static const float sizes[][2] = {{0.75f, 0.05f}, {0.75f, 2}, {0.8f, 0.6f}, {0.85f, 4}, {0.95f, 0.6f}};
#define SIZES (sizeof sizes / sizeof *sizes)

static tr_behavior_clip_def crawl(uint32_t size, float body) {
    return (tr_behavior_clip_def){.kind = TR_BEHAVIOR_CLIP_CRAWL,
                                  .height = sizes[size][0] * body / 1.75f,
                                  .length = sizes[size][1] * body / 1.75f};
}

TEST(every_part_of_the_body_crawls_under_the_bar) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < SIZES; i++) {
            behavior m;
            tr_behavior_clip_def def = crawl(i, bodies[b]);
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            obstacle bar = obstacle_of(&m, (double)def.length, (double)def.height, 4);
            double room = clearance(&m, &bar) * 1.75 / (double)bodies[b];
            CHECK(room > 0.02);
            CHECK(room < 0.2);
            behavior_end(&m);
        }
}

// Heels, balls, hands and knees move by less than 0.1 mm while they are labelled, at any frame rate.
TEST(hands_and_knees_stand_and_nothing_sinks) {
    static const double rates[] = {24, 30, 60, 120};
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < 4; i++) {
            behavior m;
            tr_behavior_clip_def def = crawl(i, bodies[b]);
            def.frames_per_second = rates[i];
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            CHECK(m.slide < 1e-4);
            CHECK(m.lowest > -5e-4);
            CHECK_NEAR(m.limit, 0, 0.5);
            behavior_end(&m);
        }
}

// Of the frames on all fours, in most a hand and the knee of the other side are on their way together.
TEST(hands_and_knees_go_in_diagonal_pairs) {
    behavior m;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_CRAWL, .height = 0.9f, .length = 2};
    REQUIRE(measure_behavior(&m, &def, 1.75f));
    uint32_t down = 0, diagonal = 0, others = 0, strikes = 0, before = 0;
    double first = 0, last = 0;
    for (uint32_t i = 0; i < tr_clip_frame_count(m.clip); i++) {
        uint32_t now = tr_clip_frame_contacts(m.clip, i);
        CHECK(!(now & HANDS) || (now & KNEES));
        CHECK(!(now & HANDS & ~before) || !(now & FEET));
        if ((now & HANDS) && (now & KNEES)) {
            bool left = !(now & TR_CONTACT_LEFT_HAND), right = !(now & TR_CONTACT_RIGHT_HAND);
            bool left_knee = !(now & TR_CONTACT_LEFT_KNEE), right_knee = !(now & TR_CONTACT_RIGHT_KNEE);
            down++;
            diagonal += (left && right_knee) || (right && left_knee);
            others += (left && left_knee) || (right && right_knee);
        }
        if ((now & TR_CONTACT_LEFT_HAND) && !(before & TR_CONTACT_LEFT_HAND)) {
            first = strikes == 0 ? i / 30.0 : first;
            last = i / 30.0;
            strikes++;
        }
        before = now;
    }
    CHECK(down > 100);
    CHECK(diagonal > 3 * others && diagonal > down / 3);
    double cadence = (strikes - 1) / (last - first); // strikes of a hand a second
    CHECK(strikes >= 5 && cadence > 0.8 && cadence < 1.3);
    double speed = (double)(tr_clip_base(m.clip, last).z - tr_clip_base(m.clip, first).z) / (last - first);
    CHECK(speed > 0.3 && speed < 0.6);
    behavior_end(&m);
}

TEST(longer_bars_are_crawled_longer) {
    uint32_t before = 0;
    for (int i = 0; i < 4; i++) {
        behavior m;
        tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_CRAWL, .length = 0.2f + 0.9f * (float)i};
        REQUIRE(measure_behavior(&m, &def, 1.75f));
        CHECK(tr_clip_frame_count(m.clip) > before);
        before = tr_clip_frame_count(m.clip);
        behavior_end(&m);
    }
}
