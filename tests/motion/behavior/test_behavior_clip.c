// Behavior clips: feet that stand, limits, speeds, labels, and ends at which any clip can follow any other.
#include "behavior_measure.h"

#include <string.h>

static const float bodies[] = {1.1f, 1.75f, 2.0f};
#define BODIES (sizeof bodies / sizeof *bodies)

// Parameters over their ranges, for a body of 1.75 m.
static const tr_behavior_clip_def samples[] = {
    {.kind = TR_BEHAVIOR_CLIP_START},
    {.kind = TR_BEHAVIOR_CLIP_START, .mirrored = true, .seed = 7},
    {.kind = TR_BEHAVIOR_CLIP_END},
    {.kind = TR_BEHAVIOR_CLIP_END, .seed = 3},
    {.kind = TR_BEHAVIOR_CLIP_JOG},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.3f, .seed = 5},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 1.04f},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = -0.6f},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = -1.04f},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = -1.04f, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_SHORT},
    {.kind = TR_BEHAVIOR_CLIP_SHORT, .turn = 0.34f},
    {.kind = TR_BEHAVIOR_CLIP_SHORT, .turn = -0.34f, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_WAIT},
    {.kind = TR_BEHAVIOR_CLIP_WAIT, .seconds = 3.3, .seed = 2},
    {.kind = TR_BEHAVIOR_CLIP_JUMP, .height = 0.1f, .length = 0.05f},
    {.kind = TR_BEHAVIOR_CLIP_JUMP, .height = 0.4f, .mirrored = true, .seed = 4},
    {.kind = TR_BEHAVIOR_CLIP_JUMP, .height = 0.3f, .length = 1.4f},
    {.kind = TR_BEHAVIOR_CLIP_JUMP, .height = 0.9f, .length = 0.1f},
    {.kind = TR_BEHAVIOR_CLIP_DUCK, .height = 0.95f, .length = 1},
    {.kind = TR_BEHAVIOR_CLIP_DUCK, .height = 1.45f, .mirrored = true, .seed = 9},
    {.kind = TR_BEHAVIOR_CLIP_CRAWL, .height = 0.95f, .mirrored = true, .seed = 6},
    {.kind = TR_BEHAVIOR_CLIP_CRAWL, .height = 0.75f, .length = 1.5f},
    {.kind = TR_BEHAVIOR_CLIP_TURN, .turn = 0.5f},
    {.kind = TR_BEHAVIOR_CLIP_TURN, .turn = -1.5f, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_TURN, .turn = 3.14f},
    {.kind = TR_BEHAVIOR_CLIP_SET_OUT},
    {.kind = TR_BEHAVIOR_CLIP_SET_OUT, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_HALT},
    {.kind = TR_BEHAVIOR_CLIP_HALT, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_WALK, .seed = 3},
    {.kind = TR_BEHAVIOR_CLIP_WALK, .turn = 0.5f},
    {.kind = TR_BEHAVIOR_CLIP_WALK, .turn = 0.87f},
    {.kind = TR_BEHAVIOR_CLIP_WALK, .turn = -0.87f, .seed = 8},
    {.kind = TR_BEHAVIOR_CLIP_WALK, .turn = -0.87f, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_PACE},
    {.kind = TR_BEHAVIOR_CLIP_PACE, .mirrored = true},
    {.kind = TR_BEHAVIOR_CLIP_STAND},
    {.kind = TR_BEHAVIOR_CLIP_STAND, .seconds = 4.2, .seed = 2},
};
#define SAMPLES (sizeof samples / sizeof *samples)

static tr_behavior_clip_def sample_for(uint32_t i, float body) {
    tr_behavior_clip_def def = samples[i];
    def.height *= body / 1.75f;
    def.length *= body / 1.75f;
    return def;
}

TEST(whatever_touches_the_ground_neither_slides_nor_sinks) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < SAMPLES; i++) {
            behavior m;
            tr_behavior_clip_def def = sample_for(i, bodies[b]);
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            CHECK(m.slide < 1e-4);
            CHECK(m.lowest > -5e-4);
            behavior_end(&m);
        }
}

TEST(no_joint_passes_its_limit_or_turns_faster_than_people) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < SAMPLES; i++) {
            behavior m;
            tr_behavior_clip_def def = sample_for(i, bodies[b]);
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            CHECK_NEAR(m.limit, 0, 0.5);
            // Smaller bodies are faster. The ankle that takes off and lands is the fastest joint of a jump.
            double fastest = m.fastest * sqrt((double)bodies[b] / 1.75);
            CHECK(fastest < (def.kind == TR_BEHAVIOR_CLIP_JUMP    ? 21
                             : def.kind == TR_BEHAVIOR_CLIP_CRAWL ? 17
                                                                  : 15));
            behavior_end(&m);
        }
}

#define JOIN_RATE 480.0
#define LABELS 5
// The frames around an end: the pose itself, and what comes one frame before and after.
static double worst_difference(behavior *a, uint32_t frame, behavior *b, uint32_t other) {
    double worst = 0;
    for (int step = -1; step <= 1; step++) {
        CHECK(tr_clip_get_frame(a->clip, frame + (uint32_t)step, &a->pose) == TR_OK);
        CHECK(tr_clip_get_frame(b->clip, other + (uint32_t)step, &b->pose) == TR_OK);
        for (uint32_t joint = 0; joint < a->pose.joint_count; joint++) {
            double turn = turn_between(tr_pose_rotation(&a->pose, joint), tr_pose_rotation(&b->pose, joint));
            tr_vec3 way = tr_vec3_subtract(tr_pose_get(&a->pose, joint).position,
                                           tr_pose_get(&b->pose, joint).position);
            double moved = (double)tr_vec3_length(way);
            worst = turn > worst ? turn : worst;
            worst = moved > worst ? moved : worst;
        }
    }
    return worst;
}

static double base_speed(const behavior *m, uint32_t frame) {
    tr_base a = tr_clip_frame_base(m->clip, frame), b = tr_clip_frame_base(m->clip, frame + 1);
    tr_base way = tr_base_difference(a, b);
    CHECK_NEAR((double)way.x, 0, 1e-4);
    return (double)way.z * tr_clip_rate(m->clip);
}

TEST(clips_with_equal_labels_join_without_a_jump) {
    for (uint32_t b = 0; b < BODIES; b++) {
        tr_behavior_clip_def ends[LABELS] = {{.kind = TR_BEHAVIOR_CLIP_START},
                                             {.kind = TR_BEHAVIOR_CLIP_JOG},
                                             {.kind = TR_BEHAVIOR_CLIP_JOG, .mirrored = true},
                                             {.kind = TR_BEHAVIOR_CLIP_WALK},
                                             {.kind = TR_BEHAVIOR_CLIP_WALK, .mirrored = true}};
        behavior model[LABELS]; // by the label that each begins with
        for (int k = 0; k < LABELS; k++) {
            ends[k].extra = 2;
            ends[k].frames_per_second = JOIN_RATE;
            REQUIRE(measure_behavior(&model[k], &ends[k], bodies[b]));
            CHECK_INT(model[k].info.begin, k);
        }
        for (uint32_t i = 0; i < SAMPLES; i++) {
            behavior m;
            tr_behavior_clip_def def = sample_for(i, bodies[b]);
            def.extra = 2;
            def.frames_per_second = JOIN_RATE;
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            CHECK_INT(m.info.first, 2);
            CHECK_INT(m.info.last, tr_clip_frame_count(m.clip) - 3);
            uint32_t at[2] = {m.info.first, m.info.last};
            for (int end = 0; end < 2; end++) {
                behavior *other = &model[end ? m.info.end : m.info.begin];
                // The poses are equal, and so are the speeds: within 0.1 rad/s and 0.1 m/s.
                CHECK_NEAR(worst_difference(&m, at[end], other, other->info.first), 0, 0.1 / JOIN_RATE);
                double speed = other == &model[0] ? 0 : base_speed(other, 0);
                CHECK_NEAR(base_speed(&m, at[end] - (end ? 0 : 1)), speed, 1e-3);
            }
            behavior_end(&m);
        }
        for (int k = 0; k < LABELS; k++)
            behavior_end(&model[k]);
    }
}

TEST(a_clip_goes_as_far_and_turns_as_much_as_it_says) {
    behavior m;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = -0.5f};
    REQUIRE(measure_behavior(&m, &def, 1.75f));
    CHECK_NEAR((double)m.info.advance.heading, -0.5, 1e-5);
    CHECK(m.info.advance.x < 0); // a heading below 0 goes to the right
    double far = sqrt((double)(m.info.advance.x * m.info.advance.x + m.info.advance.z * m.info.advance.z));
    CHECK(far > 1.6 && far < 1.77);
    CHECK_INT(tr_clip_frame_count(m.clip), 23); // the paper: about 25 frames
    CHECK_INT(m.info.begin, TR_BEHAVIOR_CLIP_LEFT);
    CHECK_INT(m.info.end, TR_BEHAVIOR_CLIP_LEFT);
    behavior_end(&m);
    def = (tr_behavior_clip_def){.kind = TR_BEHAVIOR_CLIP_SHORT, .mirrored = true};
    REQUIRE(measure_behavior(&m, &def, 1.75f));
    CHECK_INT(m.info.begin, TR_BEHAVIOR_CLIP_RIGHT);
    CHECK_INT(m.info.end, TR_BEHAVIOR_CLIP_LEFT);
    behavior_end(&m);
}

TEST(a_body_waits_as_long_as_it_is_told) {
    behavior with, without;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_WAIT};
    REQUIRE(measure_behavior(&without, &def, 1.75f));
    def.seconds = 2;
    REQUIRE(measure_behavior(&with, &def, 1.75f));
    CHECK_INT(tr_clip_frame_count(with.clip) - tr_clip_frame_count(without.clip), 60);
    CHECK_NEAR((double)with.info.advance.z, (double)without.info.advance.z, 1e-5);
    tr_base before = tr_clip_base(with.clip, with.info.action - 0.9);
    tr_base after = tr_clip_base(with.clip, with.info.action + 0.9);
    CHECK_NEAR((double)before.z, (double)after.z, 1e-6);
    behavior_end(&with);
    behavior_end(&without);
}

TEST(neighbouring_parameters_give_neighbouring_clips) {
    for (int k = -9; k < 9; k++) {
        behavior a, b;
        tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.1f * (float)k};
        REQUIRE(measure_behavior(&a, &def, 1.75f));
        def.turn += 0.01f;
        REQUIRE(measure_behavior(&b, &def, 1.75f));
        CHECK(clips_apart(&a, &b) < 0.03); // [rad, m], at 0.01 rad
        behavior_end(&a);
        behavior_end(&b);
    }
}

TEST(seeds_change_details_only) {
    behavior plain, other;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_JOG};
    REQUIRE(measure_behavior(&plain, &def, 1.75f));
    def.seed = 11;
    REQUIRE(measure_behavior(&other, &def, 1.75f));
    double apart = clips_apart(&plain, &other);
    CHECK(apart > 0.01 && apart < 0.2);
    CHECK_NEAR((double)plain.info.advance.z, (double)other.info.advance.z, 1e-6);
    behavior_end(&plain);
    behavior_end(&other);
}

TEST(parameters_out_of_range_are_refused_with_the_range) {
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def body = {0};
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    static const struct {
        tr_behavior_clip_def def;
        const char *words;
    } bad[] = {{{.kind = TR_BEHAVIOR_CLIP_KINDS}, "no kind"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 1.2f}, "the most is 60.0"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .turn = NAN}, "turns by"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 1, .speed = 3}, "the most is 48.0"},
               {{.kind = TR_BEHAVIOR_CLIP_WAIT, .turn = 0.1f}, "turns by"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .speed = 7}, "1.80 to 3.00"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .speed = NAN}, "1.80 to 3.00"},
               {{.kind = TR_BEHAVIOR_CLIP_WAIT, .seconds = -1}, "0 to 60"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .extra = 2000}, "1000"},
               {{.kind = TR_BEHAVIOR_CLIP_JOG, .frames_per_second = 5}, "10 to 1000"}};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_behavior_clip_def def = bad[i].def;
        tr_clip *clip = NULL;
        tr_error error = {0};
        def.skeleton = skeleton;
        CHECK_INT(tr_behavior_clip_make(&def, &clip, NULL, &error), TR_INVALID);
        CHECK(!clip && strstr(error.message, bad[i].words));
    }
    tr_behavior_clip_def none = {0};
    tr_clip *clip = NULL;
    CHECK_INT(tr_behavior_clip_make(&none, &clip, NULL, NULL), TR_INVALID);
    tr_skeleton_destroy(skeleton);
}

TEST(kinds_have_names) {
    for (uint32_t kind = 0; kind < TR_BEHAVIOR_CLIP_KINDS; kind++)
        CHECK_INT(tr_behavior_clip_find(tr_behavior_clip_name((tr_behavior_clip_kind)kind)), kind);
    CHECK(!tr_behavior_clip_name(TR_BEHAVIOR_CLIP_KINDS));
    CHECK_INT(tr_behavior_clip_find("swim"), TR_BEHAVIOR_CLIP_KINDS);
    CHECK_INT(tr_behavior_clip_find(NULL), TR_BEHAVIOR_CLIP_KINDS);
}

static void check_repertoire(float height, tr_behavior_clip_set set) {
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def body = {.height = height};
    tr_behavior_clip_state states[TR_BEHAVIOR_CLIP_STATES_MAX];
    uint32_t count = 0;
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    REQUIRE(tr_behavior_clip_repertoire(skeleton, set, states, &count, NULL) == TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(states[i].weight >= 1 && states[i].clip_count >= 1 &&
              states[i].clip_count <= TR_BEHAVIOR_CLIP_CLIPS_MAX);
        for (uint32_t k = 0; k < i; k++)
            CHECK(strcmp(states[i].name, states[k].name) != 0);
        for (uint32_t k = 0; k < states[i].clip_count; k++) {
            tr_behavior_clip_def def = states[i].def;
            tr_clip *clip = NULL;
            def.seed += k;
            CHECK(tr_behavior_clip_make(&def, &clip, NULL, NULL) == TR_OK);
            tr_clip_destroy(clip);
        }
    }
    tr_skeleton_destroy(skeleton);
}

TEST(every_clip_of_the_repertoires_can_be_made) {
    uint32_t count;
    for (uint32_t b = 0; b < BODIES; b++) {
        check_repertoire(bodies[b], TR_BEHAVIOR_CLIPS_JOGGER);
        check_repertoire(bodies[b], TR_BEHAVIOR_CLIPS_WALKER);
    }
    CHECK_INT(tr_behavior_clip_repertoire(NULL, TR_BEHAVIOR_CLIPS_JOGGER, NULL, &count, NULL), TR_INVALID);
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){0}, &skeleton, NULL, NULL) == TR_OK);
    CHECK_INT(tr_behavior_clip_repertoire(skeleton, (tr_behavior_clip_set)7, NULL, &count, NULL), TR_INVALID);
    tr_skeleton_destroy(skeleton);
}

TEST(a_walker_needs_little_room) {
    static const struct {
        tr_behavior_clip_def def;
        double metres, seconds; // at most
    } rows[] = {{{.kind = TR_BEHAVIOR_CLIP_SET_OUT}, 0.85, 1.55},
                {{.kind = TR_BEHAVIOR_CLIP_HALT}, 0.85, 1.6},
                {{.kind = TR_BEHAVIOR_CLIP_WALK}, 1.4, 1.15},
                {{.kind = TR_BEHAVIOR_CLIP_PACE}, 0.7, 0.6},
                {{.kind = TR_BEHAVIOR_CLIP_STAND, .seconds = 0.5}, 0, 0.5}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        behavior m;
        REQUIRE(measure_behavior(&m, &rows[i].def, 1.75f));
        CHECK_NEAR((double)m.info.advance.x, 0, 1e-5);
        CHECK((double)m.info.advance.z <= rows[i].metres);
        CHECK((m.info.last - m.info.first) / tr_clip_rate(m.clip) <= rows[i].seconds);
        behavior_end(&m);
    }
}

TEST(a_turn_that_is_mirrored_goes_the_way_it_says) {
    behavior m;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_TURN, .turn = -1.5f, .mirrored = true};
    REQUIRE(measure_behavior(&m, &def, 1.75f));
    tr_base way =
        tr_base_difference(tr_clip_frame_base(m.clip, m.info.first), tr_clip_frame_base(m.clip, m.info.last));
    CHECK_NEAR((double)way.heading, -1.5, 1e-4);
    CHECK_NEAR((double)m.info.advance.heading, -1.5, 1e-4);
    behavior_end(&m);
}

static tr_skeleton *shared;
static bool make_two(const tr_allocator *allocator) {
    tr_clip *clip = NULL;
    tr_behavior_clip_def def = {.allocator = allocator, .skeleton = shared, .kind = TR_BEHAVIOR_CLIP_START};
    bool good = tr_behavior_clip_make(&def, &clip, NULL, NULL) == TR_OK;
    tr_clip_destroy(clip);
    def.kind = TR_BEHAVIOR_CLIP_SHORT;
    def.mirrored = true;
    good = good && tr_behavior_clip_make(&def, &clip, NULL, NULL) == TR_OK;
    if (good)
        tr_clip_destroy(clip);
    return good;
}

TEST(clips_without_memory_leave_nothing_behind) {
    tr_mannequin_def body = {0};
    REQUIRE(tr_mannequin_make(&body, &shared, NULL, NULL) == TR_OK);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_two) > 20);
    tr_skeleton_destroy(shared);
}
