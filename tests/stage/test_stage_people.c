// Walks as they are recorded, beside captured people: on a straight way, for the character as it is and for
// people who walk in ways of their own.
#include "theatre.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/likeness.h"

// Walks straight ahead for 12 s at 30 frames a second, recorded.
static bool record_walk(float height, float speed, uint64_t seed, float variety, tr_likeness *likeness) {
    tr_character *character = NULL;
    tr_character_def kind = {.height = height, .detail = 1};
    tr_scene *scene = NULL;
    tr_stage *stage = NULL;
    tr_clip *clip = NULL;
    tr_error error = {0};
    bool good =
        tr_character_create(&kind, &character, &error) == TR_OK && tr_scene_create(NULL, &scene) == TR_OK;
    add_block(scene, "floor", tr_vec3_make(0, -0.2f, 0), tr_vec3_make(26, 0, 4));
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    def.variety = variety;
    good = good && tr_stage_create(&def, &stage, &error) == TR_OK;
    tr_stage_actor_def who = {.character = character, .position = {1, 0, 2}, .speed = speed, .seed = seed};
    who.heading = (float)TR_PI / 2;
    tr_order order = {.kind = TR_ORDER_GO, .goal = {25, 0, 2}};
    tr_actor_id actor = 0;
    good = good && tr_stage_add_actor(stage, &who, &actor, &error) == TR_OK &&
           tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, &error) == TR_OK;
    for (int tick = 0; good && tick < 12 * 30; tick++)
        CHECK_INT(tr_stage_step(stage, TR_STAGE_TICK, NULL), TR_OK);
    const tr_skeleton *skeleton = good ? tr_character_skeleton(character) : NULL;
    good = good && tr_stage_clip(stage, actor, NULL, &clip, &error) == TR_OK &&
           tr_likeness_measure(NULL, skeleton, clip, NULL, likeness, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_clip_destroy(clip);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    tr_character_destroy(character);
    return good;
}

static void check_curves(const tr_likeness *likeness, float speed, float within) {
    for (int c = 0; c < TR_LIKENESS_CURVES; c++) {
        const tr_likeness_match *match = &likeness->curves[c];
        if (!(match->within_2sd >= within))
            test_failed(__FILE__, __LINE__, "%s at %g m/s: %g %% within 2 SD, %+g SD at %g %%",
                        tr_likeness_name((tr_likeness_curve)c), (double)speed,
                        (double)match->within_2sd * 100, (double)match->worst_sd,
                        (double)match->worst_percent);
    }
}

static const float speeds[] = {1.0f, 1.4f, 1.8f};

TEST(every_curve_of_a_recorded_walk_is_that_of_people) {
    for (int i = 0; i < 3; i++) {
        tr_likeness likeness;
        REQUIRE(record_walk(1.75f, speeds[i], 0, 0, &likeness));
        check_curves(&likeness, speeds[i], 0.95f);
        CHECK(likeness.ldlj > -7.4f && likeness.ldlj < -7.0f);
        for (int c = 0; c < TR_LIKENESS_CURVES; c++)
            if (c != TR_LIKENESS_HEAD_PITCH || i > 0)
                CHECK(likeness.curves[c].correlation > 0.8f);
        // The mean of people drifts over the stride. Of all walks whose left and right halves are alike, the
        // best correlates with it by 0.56.
        CHECK(likeness.curves[TR_LIKENESS_HEAD_PITCH].correlation > 0.45f);
    }
}

// People depart from the mean, as captured people do: a person of these has 95 % of the values within 2 SD.
TEST(walks_of_different_people_are_within_what_people_do) {
    enum { PEOPLE = 8 };
    double within[TR_LIKENESS_CURVES] = {0}, ldlj = 0;
    for (uint64_t seed = 1; seed <= PEOPLE; seed++)
        for (int i = 0; i < 3; i++) {
            tr_likeness likeness;
            REQUIRE(record_walk(1.75f, speeds[i], seed, 1, &likeness));
            check_curves(&likeness, speeds[i], 0.85f);
            ldlj += (double)likeness.ldlj / (3 * PEOPLE); // slow steps are smooth ones: up to -6.5
            CHECK(likeness.ldlj > -7.5f && likeness.ldlj < -6.5f);
            CHECK(likeness.likeness > 0.98f);
            for (int c = 0; c < TR_LIKENESS_CURVES; c++)
                within[c] += (double)likeness.curves[c].within_2sd / (3 * PEOPLE);
        }
    for (int c = 0; c < TR_LIKENESS_CURVES; c++)
        if (!(within[c] >= 0.97))
            test_failed(__FILE__, __LINE__, "%s: %g %% within 2 SD", tr_likeness_name((tr_likeness_curve)c),
                        within[c] * 100);
    CHECK(ldlj > -7.4 && ldlj < -6.95);
}
