// The upper body of figure 9, judged in doubles against every triangle; and the motion as it is handed over.
#include "comply_judge.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"

static const double margin = 0.004, slack = 2e-5; // [m]: to keep, and rounding

typedef struct figure {
    tr_sample sample;
    tr_solid *solid;
    tr_comply *comply;
    tr_comply_def def;
    judge_world world;
    judge_walk walk;
} figure;

static bool figure_begin(figure *f, const char *name, uint64_t seed, float height) {
    f->comply = NULL;
    f->solid = NULL;
    if (tr_sample_make(&(tr_sample_def){.name = name, .seed = seed}, &f->sample, NULL) != TR_OK)
        return false;
    tr_solid_def solid = tr_solid_def_default(f->sample.scene);
    f->def = tr_comply_def_default();
    f->def.body = tr_comply_body_default(height);
    judge_take(&f->world, f->sample.scene);
    judge_walk_make(&f->walk, height, f->sample.start.z, 9, 1.3f);
    return tr_solid_create(&solid, &f->solid, NULL) == TR_OK &&
           tr_comply_create(&f->def, &f->comply, NULL) == TR_OK;
}

static void figure_end(figure *f) {
    tr_comply_destroy(f->comply);
    tr_solid_destroy(f->solid);
    tr_scene_destroy(f->sample.scene);
}

static judge_least judge(const figure *f, const tr_comply_pose *poses, uint32_t steps) {
    return judge_motion(&f->def.body, &f->world, f->walk.places, poses, f->walk.frames, steps);
}

// Limits of angles, and speed and acceleration of what departs from the preferred motion.
static void check_rates(const tr_comply_body *body, const tr_comply_pose *preferred,
                        const tr_comply_pose *poses, uint32_t frames) {
    for (uint32_t f = 0; f < frames; f++)
        for (int k = 0; k < 11; k++) {
            bool waist = k < 3;
            const tr_arm *arm = &body->arms[k < 7 ? 0 : 1];
            int joint = waist ? k : (k - 3) % 4;
            float low = waist ? body->waist_low[joint] : arm->low.q[joint],
                  high = waist ? body->waist_high[joint] : arm->high.q[joint];
            const float *q = (const float *)&poses[f];
            CHECK(q[k] >= low && q[k] <= high);
            if (f < 2)
                continue;
            double at[3];
            for (uint32_t i = 0; i < 3; i++)
                at[i] =
                    (double)((const float *)&poses[f - i])[k] - (double)((const float *)&preferred[f - i])[k];
            double speed = 30 * fabs(at[0] - at[1]), acceleration = 900 * fabs(at[0] - 2 * at[1] + at[2]);
            CHECK(speed <= (double)(waist ? body->waist_speed : body->arm_speed) * 1.001 + 1e-4);
            bool held = q[k] == low || q[k] == high; // a limit stops an angle
            if (!held)
                CHECK(acceleration <=
                      (double)(waist ? body->waist_acceleration : body->arm_acceleration) * 1.01 + 0.05);
        }
}

TEST(capsules_are_where_plain_matrices_put_them) {
    tr_random random = tr_random_seed(1);
    for (int round = 0; round < 300; round++) {
        tr_comply_body body = tr_comply_body_default(tr_random_between(&random, 1.2f, 1.95f));
        tr_comply_place place = {{1, 0.9f, -2}, tr_random_between(&random, -3, 3)};
        tr_comply_pose pose;
        for (int k = 0; k < 11; k++)
            ((float *)&pose)[k] = tr_random_between(&random, -1.5f, 1.5f);
        const tr_comply_place places[2] = {place, place};
        const tr_comply_pose poses[2] = {pose, pose};
        tr_solid_capsule found[TR_COMPLY_CAPSULES_MAX];
        judge_capsule expected[TR_COMPLY_CAPSULES_MAX];
        uint32_t count = tr_comply_capsules(&body, &place, &pose, found);
        CHECK_INT(count, judge_at(&body, places, poses, 0, 0, expected));
        for (uint32_t i = 0; i < count; i++) {
            judge_vector a = judge_add(judge_from(found[i].a), expected[i].a, -1);
            judge_vector b = judge_add(judge_from(found[i].b), expected[i].b, -1);
            CHECK(judge_dot(a, a) < 1e-11 && judge_dot(b, b) < 1e-11);
            CHECK_NEAR(found[i].radius, expected[i].radius, 1e-7);
        }
    }
}

TEST(arms_are_those_of_plan_arm_with_its_help) {
    tr_random random = tr_random_seed(2);
    tr_comply_body body = tr_comply_body_default(1.7f);
    for (int round = 0; round < 100; round++)
        for (int side = 0; side < 2; side++) {
            tr_comply_pose pose = {{0}, {{0}}};
            tr_posture posture = {{0}};
            for (int k = 0; k < 4; k++)
                posture.q[k] = pose.arms[side][k] = tr_random_between(&random, -1, 1);
            posture.q[TR_WAIST_LEAN] = pose.waist[0] = tr_random_between(&random, 0, 0.9f);
            pose.waist[2] = tr_random_between(&random, -0.7f, 0.7f);
            posture.q[TR_WAIST_TURN] = side == TR_ARM_LEFT ? -pose.waist[2] : pose.waist[2];
            tr_arm arm = body.arms[side];
            tr_arm_allow_help(&arm);
            tr_vec3 points[4];
            tr_arm_points(&arm, &posture, points);
            tr_solid_capsule capsules[TR_COMPLY_CAPSULES_MAX];
            const tr_comply_place place = {{0, 0, 0}, 0};
            tr_comply_capsules(&body, &place, &pose, capsules);
            for (int link = 0; link < 3; link++)
                CHECK(tr_vec3_distance(capsules[body.part_count + 3 * (uint32_t)side + (uint32_t)link].b,
                                       points[link + 1]) < 2e-6f);
        }
}

static float most_of(const tr_comply_pose *poses, uint32_t frames, int angle) {
    float most = 0;
    for (uint32_t f = 0; f < frames; f++) {
        float value = fabsf(((const float *)&poses[f])[angle]);
        most = value > most ? value : most;
    }
    return most;
}

// Figure 9: what the body would do, touches; what it does, does not, at any frame or between.
static void check_figure(const char *name, uint64_t seed, float height, uint32_t steps, float most[11]) {
    static figure f;
    REQUIRE(figure_begin(&f, name, seed, height));
    judge_least before = judge(&f, f.walk.preferred, 2);
    CHECK(before.world < 0);
    tr_comply_query query = judge_walk_query(&f.walk, f.solid);
    tr_error error = {0};
    tr_status status = tr_comply_plan(f.comply, &query, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s, seed %d, %g m: %s", name, (int)seed, (double)height,
                    error.message);
    else {
        const tr_comply_result *result = tr_comply_last(f.comply);
        CHECK_INT(result->frame_count, f.walk.frames);
        judge_least after = judge(&f, result->poses, steps);
        CHECK(after.world >= margin - slack);
        CHECK(after.self >= -slack);
        check_rates(&f.def.body, f.walk.preferred, result->poses, f.walk.frames);
        for (int k = 0; k < 11; k++)
            most[k] = most_of(result->poses, f.walk.frames, k);
        // Far from everything it moves as preferred, at the begin and at the end.
        CHECK_NEAR(most_of(result->poses, 10, 0), 0, 1e-3);
        CHECK_NEAR(most_of(result->poses + f.walk.frames - 4, 4, 0), 0, 1e-3);
    }
    figure_end(&f);
}

TEST(figure_9_a_b_the_waist_is_turned_through_narrow_passages) {
    float most[11] = {0};
    check_figure("passage", 0, 1.75f, 8, most);
    CHECK(most[2] > 0.3f); // turned
}

TEST(figure_9_c_d_the_waist_is_bent_under_the_slide) {
    float most[11] = {0};
    check_figure("slide", 0, 1.75f, 8, most);
    CHECK(most[0] > 0.3f); // bent
    CHECK(most[2] < 0.3f);
}

TEST(arms_are_flexed_past_the_edges_of_tables) {
    float most[11] = {0};
    check_figure("tables", 0, 1.75f, 8, most);
    CHECK(most[0] < 0.01f && most[2] < 0.01f); // the waist has no reason to move
    CHECK(most[6] > 0.6f || most[4] > 0.5f);   // the right arm: more than it swings
    CHECK(most[10] > 0.6f || most[8] > 0.5f);
}

TEST(other_people_pass_other_scenes_of_figure_9) {
    static const char *const names[] = {"passage", "slide", "tables"};
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (int i = 0; i < 3; i++) {
            float most[11];
            check_figure(names[i], seed, 1.65f + 0.02f * (float)seed, 2, most);
        }
}

TEST(a_body_bends_before_the_slide_and_comes_up_after_it) {
    static figure f;
    REQUIRE(figure_begin(&f, "slide", 0, 1.75f));
    tr_comply_query query = judge_walk_query(&f.walk, f.solid);
    REQUIRE(tr_comply_plan(f.comply, &query, NULL) == TR_OK);
    const tr_comply_result *result = tr_comply_last(f.comply);
    uint32_t first = 0, last = 0; // frames in which the upright body touches
    for (uint32_t i = 0; i + 1 < f.walk.frames; i++) {
        judge_capsule capsules[TR_COMPLY_CAPSULES_MAX];
        uint32_t count = judge_at(&f.def.body, f.walk.places, f.walk.preferred, i, 0, capsules);
        if (judge_room(&f.def.body, &f.world, capsules, count) < 0)
            last = i, first = first ? first : i;
    }
    REQUIRE(first > 45);
    CHECK(result->poses[first - 6].waist[0] > 0.1f);
    CHECK(result->poses[last + 6].waist[0] > 0.02f);
    CHECK(result->poses[first - 45].waist[0] < 0.1f); // not long before
    int turns = 0;                                    // it goes down once and up once
    for (uint32_t i = 2; i < f.walk.frames; i++) {
        float a = result->poses[i - 2].waist[0], b = result->poses[i - 1].waist[0],
              c = result->poses[i].waist[0];
        turns += (b - a) * (c - b) < -1e-7f; // a movement of more than 0.5 degrees a second
    }
    CHECK(turns <= 3);
    figure_end(&f);
}

TEST(a_window_that_slides_along_has_no_seams) {
    static const char *const names[] = {"passage", "slide", "tables"};
    for (int n = 0; n < 3; n++)
        for (uint32_t step = 7; step <= 16; step += 9) { // 7: no multiple of the stride
            static figure f;
            static tr_comply_pose shown[JUDGE_FRAMES_MAX];
            REQUIRE(figure_begin(&f, names[n], 0, 1.75f));
            tr_comply_query query = judge_walk_query(&f.walk, f.solid);
            tr_comply_pose pose, velocity;
            uint32_t at = 0;
            while (at + 1 < f.walk.frames) {
                uint32_t left = f.walk.frames - at, count = left < 90 ? left : 90,
                         ahead = count - 1 < step ? count - 1 : step;
                query.places = f.walk.places + at;
                query.preferred = f.walk.preferred + at;
                query.frame_count = count;
                tr_error error = {0};
                if (tr_comply_plan(f.comply, &query, &error) != TR_OK) {
                    test_failed(__FILE__, __LINE__, "%s at %u: %s", names[n], at, error.message);
                    break;
                }
                const tr_comply_result *result = tr_comply_last(f.comply);
                for (int k = 0; k < 11 && at > 0; k++)
                    CHECK_NEAR(((const float *)&result->poses[0])[k], ((const float *)&pose)[k], 2e-5);
                for (uint32_t i = 0; i <= ahead; i++)
                    shown[at + i] = result->poses[i];
                pose = result->poses[ahead], velocity = result->velocities[ahead];
                query.pose = &pose, query.velocity = &velocity, query.passed = ahead;
                at += ahead;
            }
            if (at + 1 == f.walk.frames) {
                judge_least least = judge(&f, shown, 2);
                CHECK(least.world >= margin - 3 * slack && least.self >= -3 * slack);
                check_rates(&f.def.body, f.walk.preferred, shown, f.walk.frames);
            }
            figure_end(&f);
        }
}

TEST(where_nothing_is_near_the_body_moves_as_preferred_and_hardly_looks) {
    static judge_walk walk;
    tr_scene *scene;
    tr_solid *solid;
    tr_comply *comply;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    judge_box(scene, tr_vec3_make(-5, -0.1f, -5), tr_vec3_make(5, 0, 15)); // the floor
    judge_box(scene, tr_vec3_make(1.5f, 0, -5), tr_vec3_make(1.6f, 2, 15));
    tr_solid_def solid_def = tr_solid_def_default(scene);
    tr_comply_def def = tr_comply_def_default();
    REQUIRE(tr_solid_create(&solid_def, &solid, NULL) == TR_OK);
    REQUIRE(tr_comply_create(&def, &comply, NULL) == TR_OK);
    judge_walk_make(&walk, 1.75f, 0, 9, 1.4f);
    tr_comply_query query = judge_walk_query(&walk, solid);
    REQUIRE(tr_comply_plan(comply, &query, NULL) == TR_OK);
    const tr_comply_result *result = tr_comply_last(comply);
    for (uint32_t i = 0; i < walk.frames; i++)
        for (int k = 0; k < 11; k++)
            CHECK(((const float *)&result->poses[i])[k] == ((const float *)&walk.preferred[i])[k]);
    CHECK(result->checks <= walk.frames / def.stride + 1); // one for each segment
    tr_comply_destroy(comply);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
}
