// Walking and standing against the bands that people keep to (Boulic et al. 1990, Winter's trial).
#include "gait_measure.h"

#include <string.h>

#define HEIGHT 1.75f
static const float speeds[] = {0.8f, 1.0f, 1.2f, 1.4f, 1.6f};
#define SPEEDS (sizeof speeds / sizeof *speeds)

static bool measure_walk(measured *m, float speed) {
    tr_gait_def def = {.kind = TR_GAIT_WALK, .speed = speed};
    return measure_gait(m, &def, HEIGHT);
}

TEST(stride_cadence_and_stance_follow_the_published_formulas) {
    // The results of the published formulas for a height of 1.75 m.
    const double strides[] = {1.116, 1.248, 1.367, 1.476, 1.578}, cadences[] = {86, 96, 105, 114, 122};
    const double stances[] = {.649, .637, .626, .616, .607};
    for (uint32_t i = 0; i < SPEEDS; i++) {
        measured m;
        REQUIRE(measure_walk(&m, speeds[i]));
        CHECK_NEAR((double)tr_clip_speed(m.clip), (double)speeds[i], 1e-4);
        CHECK_NEAR(m.stride, strides[i], 0.03);
        CHECK_NEAR(120 / m.period, cadences[i], 2.5);
        CHECK_INT(m.frames % 2, 0);
        uint32_t down = 0;
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            down += touches(&m, f, 0, 0) || touches(&m, f, 0, 1) || sole_point(&m, 0, 2).y < 1e-4f;
        }
        CHECK_NEAR((double)down / m.frames, stances[i], 0.025);
        measure_end(&m);
    }
}

TEST(planted_feet_neither_slide_nor_sink) {
    for (uint32_t i = 0; i < SPEEDS; i++) {
        measured m;
        REQUIRE(measure_walk(&m, speeds[i]));
        double drift, depth;
        measure_plants(&m, 3 * m.frames, &drift, &depth);
        CHECK(drift < 1e-4);
        CHECK(depth < 1e-4);
        measure_end(&m);
    }
}

// The largest turn of a joint about X, against the way it bends [degrees].
static double largest_turn(measured *m, uint32_t joint, double way) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < m->frames; i++) {
        CHECK(tr_clip_get_frame(m->clip, i, &m->pose) == TR_OK);
        tr_vec3 angles = tr_skeleton_limit_angles(m->skeleton, joint, tr_pose_rotation(&m->pose, joint));
        double turn = way * (double)angles.x * DEGREES;
        most = turn > most ? turn : most;
    }
    return most;
}

TEST(no_joint_passes_its_limit_at_any_walking_speed) {
    for (float speed = 0.5f; speed < 1.85f; speed += 0.1f) {
        measured m;
        REQUIRE(measure_walk(&m, speed));
        CHECK_NEAR(worst_limit(&m), 0, 0.05);
        // Captured people extend the hip by 15 +- 7 degrees, and under their weight the ankle bends by 23 +-
        // 3: further than the 13 of people lying down.
        for (int side = 0; side < 2; side++) {
            CHECK(largest_turn(&m, m.feet[side].thigh, 1) < 19);
            CHECK(largest_turn(&m, m.feet[side].ankle, -1) < 26);
        }
        measure_end(&m);
    }
}

// Least height of the tip in the middle half of the swing.
static double clearance_of(measured *m) {
    uint32_t off = 0, last = 0;
    for (uint32_t i = 0; i < m->frames; i++) {
        pose_frame(m, i);
        bool down = touches(m, i, 0, 0) || touches(m, i, 0, 1) || sole_point(m, 0, 2).y < 1e-4f;
        last = down ? last : i;
        off = !down && off == 0 ? i : off;
    }
    double least = INFINITY;
    for (uint32_t i = off + (last - off) * 2 / 5; i <= off + (last - off) * 4 / 5; i++) {
        pose_frame(m, i);
        double height = (double)sole_point(m, 0, 2).y;
        least = height < least ? height : least;
    }
    return least;
}

TEST(pelvis_steps_and_clearance_stay_inside_the_human_bands) {
    for (uint32_t i = 0; i < SPEEDS; i++) {
        measured m;
        REQUIRE(measure_walk(&m, speeds[i]));
        double low = INFINITY, high = -INFINITY, left = -INFINITY, right = INFINITY, width = 0;
        uint32_t hips = tr_skeleton_with_role(m.skeleton, TR_ROLE_HIPS);
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            double x = (double)m.model[hips].m[0][3], y = (double)m.model[hips].m[1][3];
            low = y < low ? y : low, high = y > high ? y : high;
            left = x > left ? x : left, right = x < right ? x : right;
            width = (double)(sole_point(&m, 0, 0).x - sole_point(&m, 1, 0).x);
        }
        const tr_affine *rest = tr_skeleton_rest_model(m.skeleton);
        double leg = (double)rest[tr_skeleton_with_role(m.skeleton, TR_ROLE_LEFT_THIGH)].m[1][3];
        CHECK(high - low > 0.026 && high - low < 0.049);
        CHECK(left - right > 0.049 && left - right < 0.068);
        CHECK_NEAR(width / leg, 0.14, 0.03);
        double clearance = clearance_of(&m);
        CHECK(clearance > 0.013 && clearance < 0.025);
        measure_end(&m);
    }
}

// Angles of the left leg in the sagittal plane, as Winter measures them [degrees].
typedef struct leg_angles {
    double thigh, knee, ankle;
} leg_angles;

static leg_angles angles_of(const tr_vec3 hip, tr_vec3 knee, tr_vec3 ankle, tr_vec3 heel, tr_vec3 ball) {
    double thigh = atan2((double)(knee.z - hip.z), (double)(hip.y - knee.y)) * DEGREES;
    double shank = atan2((double)(ankle.z - knee.z), (double)(knee.y - ankle.y)) * DEGREES;
    double foot = atan2((double)(ball.y - heel.y), (double)(ball.z - heel.z)) * DEGREES;
    leg_angles angles = {thigh, thigh - shank, foot - shank};
    return angles;
}

typedef struct angle_ranges {
    leg_angles low, high;
} angle_ranges;

static void widen(angle_ranges *ranges, leg_angles now) {
    const double values[3] = {now.thigh, now.knee, now.ankle};
    double *low = &ranges->low.thigh, *high = &ranges->high.thigh;
    for (int k = 0; k < 3; k++) {
        low[k] = values[k] < low[k] ? values[k] : low[k];
        high[k] = values[k] > high[k] ? values[k] : high[k];
    }
}

static angle_ranges no_range(void) {
    angle_ranges ranges = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return ranges;
}

static angle_ranges ranges_of(measured *m) {
    angle_ranges ranges = no_range();
    for (uint32_t i = 0; i < m->frames; i++) {
        pose_frame(m, i);
        const tr_foot *foot = &m->feet[0];
        widen(&ranges, angles_of(tr_affine_position(&m->model[foot->thigh]),
                                 tr_affine_position(&m->model[foot->shank]),
                                 tr_affine_position(&m->model[foot->ankle]), sole_point(m, 0, 0),
                                 sole_point(m, 0, 1)));
    }
    return ranges;
}

TEST(legs_swing_and_bend_as_far_as_those_of_people) {
    for (uint32_t i = 0; i < SPEEDS; i++) {
        measured m;
        REQUIRE(measure_walk(&m, speeds[i]));
        angle_ranges r = ranges_of(&m);
        CHECK(r.high.knee > 55 && r.high.knee < 75);
        CHECK(r.low.knee > 5 && r.low.knee < 22); // captured people: 14 to 21 at their straightest
        CHECK(r.high.thigh - r.low.thigh > 24 && r.high.thigh - r.low.thigh < 62); // 49 to 58
        CHECK(r.high.ankle - r.low.ankle > 20 && r.high.ankle - r.low.ankle < 40);
        measure_end(&m);
    }
}

// Reads the numbers of a line; returns how many.
static int read_numbers(const char *line, double *numbers, int room) {
    int count = 0;
    char *end;
    for (double value = strtod(line, &end); end != line && count < room; value = strtod(line, &end)) {
        numbers[count++] = value;
        line = end;
    }
    return count;
}

static tr_vec3 marker(const double *row, int number) {
    return tr_vec3_make(0, (float)row[3 + 2 * number] / 100, (float)row[2 + 2 * number] / 100);
}

// Winter's trial, one stride: rib cage, hip, knee, fibula, ankle, heel, fifth metatarsal, toe.
TEST(the_walk_agrees_with_the_trial_that_winter_published) {
    char path[512];
    const char *folder = test_data_folder();
    snprintf(path, sizeof path, "%s/gait/WinterTableA1.txt", folder ? folder : "");
    FILE *file = folder ? fopen(path, "r") : NULL;
    if (!file) {
        test_skip("the table of Winter's trial is not here");
        return;
    }
    char line[1024];
    angle_ranges winter = no_range();
    uint32_t rows = 0;
    while (fgets(line, sizeof line, file)) {
        double row[18];
        if (read_numbers(line, row, 18) < 18 || row[0] < 28 || row[0] > 97)
            continue; // from one strike of the heel to the next
        tr_vec3 knee = marker(row, 2), ankle = marker(row, 4), fibula = marker(row, 3);
        leg_angles now = angles_of(marker(row, 1), knee, ankle, marker(row, 5), marker(row, 6));
        double shank = atan2((double)(ankle.z - fibula.z), (double)(fibula.y - ankle.y)) * DEGREES;
        now.ankle += (now.thigh - now.knee) - shank; // the shank by the head of the fibula, as Winter has it
        now.knee = now.thigh - shank;
        widen(&winter, now);
        rows++;
    }
    fclose(file);
    REQUIRE(rows > 60);
    measured m;
    REQUIRE(measure_walk(&m, 1.433f));
    angle_ranges r = ranges_of(&m);
    CHECK_NEAR(m.stride, 1.414, 0.12);
    CHECK_NEAR(r.high.thigh - r.low.thigh, winter.high.thigh - winter.low.thigh, 10);
    CHECK_NEAR(r.high.knee - r.low.knee, winter.high.knee - winter.low.knee, 18);
    CHECK_NEAR(r.high.ankle - r.low.ankle, winter.high.ankle - winter.low.ankle, 10);
    measure_end(&m);
}

// A jump of speed would give accelerations that grow with the rate of frames; a smooth motion has the same at
// any rate, over the seam and elsewhere.
TEST(the_loop_closes_with_its_speed) {
    for (uint32_t i = 0; i < SPEEDS; i++) {
        measured coarse, fine;
        tr_gait_def def = {.kind = TR_GAIT_WALK, .speed = speeds[i], .frames_per_second = 60};
        REQUIRE(measure_gait(&coarse, &def, HEIGHT));
        def.frames_per_second = 480;
        REQUIRE(measure_gait(&fine, &def, HEIGHT));
        uint32_t at;
        double plain = worst_jolt(&coarse, 2 * coarse.frames + 2, &at) * 60 * 60;
        double sharp = worst_jolt(&fine, 2 * fine.frames + 2, &at) * 480 * 480;
        CHECK(plain < 120); // [m/s^2], at the tip of a foot when the heel strikes
        CHECK(sharp < 2 * plain);
        measure_end(&coarse);
        measure_end(&fine);
    }
}

TEST(left_and_right_steps_are_alike) {
    measured m;
    REQUIRE(measure_walk(&m, 1.3f));
    for (uint32_t i = 0; i < m.frames; i++) {
        tr_vec3 left[3];
        pose_frame(&m, i);
        for (int p = 0; p < 3; p++)
            left[p] = sole_point(&m, 0, p);
        pose_frame(&m, i + m.frames / 2);
        for (int p = 0; p < 3; p++) {
            tr_vec3 right = sole_point(&m, 1, p);
            CHECK_NEAR((double)right.x, -(double)left[p].x, 1e-5);
            CHECK_NEAR((double)right.y, (double)left[p].y, 1e-5);
            CHECK_NEAR((double)right.z, (double)left[p].z + 0.5 * m.stride, 1e-5);
        }
    }
    measure_end(&m);
}

TEST(the_walk_begins_with_the_left_heel_and_has_an_event_for_each_landing) {
    measured m;
    REQUIRE(measure_walk(&m, 1.3f));
    CHECK_INT(tr_clip_frame_contacts(m.clip, 0) & (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES),
              TR_CONTACT_LEFT_HEEL);
    CHECK_INT(tr_clip_frame_contacts(m.clip, m.frames - 1) & TR_CONTACT_LEFT_HEEL, 0);
    REQUIRE(tr_clip_event_count(m.clip) == 2);
    CHECK_TEXT(tr_clip_get_event(m.clip, 0).name, "left_step");
    CHECK_NEAR(tr_clip_get_event(m.clip, 0).time, 0, 1e-9);
    CHECK_TEXT(tr_clip_get_event(m.clip, 1).name, "right_step");
    CHECK_NEAR(tr_clip_get_event(m.clip, 1).time, m.period / 2, 1e-9);
    measure_end(&m);
}

TEST(bodies_of_every_size_walk_without_sliding) {
    for (float height = 0.6f; height <= 2.45f; height += 0.45f) {
        measured m;
        tr_gait_def def = {.kind = TR_GAIT_WALK};
        REQUIRE(measure_gait(&m, &def, height));
        double drift, depth;
        measure_plants(&m, 2 * m.frames, &drift, &depth);
        CHECK(drift < 1e-4 && depth < 1e-4);
        CHECK_NEAR(worst_limit(&m), 0, 0.5);
        measure_end(&m);
    }
}

TEST(standing_breathes_with_feet_that_stay) {
    measured m;
    tr_gait_def def = {.kind = TR_GAIT_STAND};
    REQUIRE(measure_gait(&m, &def, HEIGHT));
    double drift, depth;
    measure_plants(&m, 2 * m.frames, &drift, &depth);
    CHECK(drift < 1e-4 && depth < 1e-4);
    CHECK_NEAR(worst_limit(&m), 0, 0.05);
    uint32_t chest = tr_skeleton_with_role(m.skeleton, TR_ROLE_UPPER_CHEST);
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < m.frames; i++) {
        CHECK_INT(tr_clip_frame_contacts(m.clip, i), 15);
        pose_frame(&m, i);
        double z = (double)m.model[chest].m[2][3];
        least = z < least ? z : least, most = z > most ? z : most;
    }
    CHECK(most - least > 0.001 && most - least < 0.02);
    CHECK_INT(tr_clip_event_count(m.clip), 0);
    CHECK(tr_clip_speed(m.clip) == 0);
    measure_end(&m);
}

static void check_refused(tr_gait_def def, const char *part) {
    tr_mannequin_def body = {0};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    def.skeleton = skeleton;
    tr_clip *clip = NULL;
    tr_error error = {0};
    CHECK(tr_gait_make(&def, &clip, &error) == TR_INVALID);
    CHECK(clip == NULL);
    CHECK_CONTAINS(error.message, part);
    tr_skeleton_destroy(skeleton);
}

TEST(impossible_gaits_are_refused) {
    check_refused((tr_gait_def){.kind = TR_GAIT_WALK, .speed = 3}, "0.50 to 1.80 m/s");
    check_refused((tr_gait_def){.kind = TR_GAIT_WALK, .speed = NAN}, "walk at nan");
    check_refused((tr_gait_def){.kind = TR_GAIT_WALK, .speed = -1}, "walk at -1");
    check_refused((tr_gait_def){.kind = TR_GAIT_STAND, .speed = INFINITY}, "inf");
    check_refused((tr_gait_def){.kind = TR_GAIT_WALK, .angle = 4}, "angle is 4 rad");
    check_refused((tr_gait_def){.kind = TR_GAIT_WALK, .frames_per_second = 5}, "5 frames");
    check_refused((tr_gait_def){.kind = TR_GAIT_WALK, .frames_per_second = NAN}, "nan frames");
    check_refused((tr_gait_def){.kind = (tr_gait_kind)99}, "no gait kind 99");
}

TEST(a_skeleton_without_the_roles_is_refused_by_name) {
    tr_joint_def joint = {
        .name = "hips", .parent = TR_NONE, .rest = tr_transform_identity(), .role = TR_ROLE_HIPS};
    tr_skeleton_def made = {.joints = &joint, .joint_count = 1};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_skeleton_create(&made, &skeleton, NULL) == TR_OK);
    tr_gait_def def = {.kind = TR_GAIT_WALK, .skeleton = skeleton};
    tr_clip *clip = NULL;
    tr_error error = {0};
    CHECK(tr_gait_make(&def, &clip, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "left leg needs a thigh");
    def.skeleton = NULL;
    CHECK(tr_gait_make(&def, &clip, &error) == TR_INVALID);
    tr_skeleton_destroy(skeleton);
}

TEST(gaits_are_found_by_name) {
    for (uint32_t kind = 0; kind < TR_GAIT_KINDS; kind++) {
        REQUIRE(tr_gait_name((tr_gait_kind)kind) != NULL);
        CHECK_INT(tr_gait_find(tr_gait_name((tr_gait_kind)kind)), kind);
    }
    CHECK_INT(tr_gait_find("moonwalk"), TR_GAIT_KINDS);
    CHECK_INT(tr_gait_find(NULL), TR_GAIT_KINDS);
    CHECK(tr_gait_name(TR_GAIT_KINDS) == NULL);
}

static bool make_walk(const tr_allocator *allocator) {
    tr_mannequin_def body = {0};
    tr_skeleton *skeleton = NULL;
    if (tr_mannequin_make(&body, &skeleton, NULL, NULL) != TR_OK)
        return true;
    tr_gait_def def = {.allocator = allocator, .skeleton = skeleton, .frames_per_second = 30};
    def.kind = TR_GAIT_WALK;
    tr_clip *clip = NULL;
    tr_status status = tr_gait_make(&def, &clip, NULL);
    CHECK((status == TR_OK) == (clip != NULL));
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK;
}

TEST(a_gait_without_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_walk) >= 10);
}
