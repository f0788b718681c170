// Jumps: the body clears the obstacle, falls freely, and lands softly.
#include "behavior_obstacle.h"

static const float bodies[] = {1.1f, 1.75f, 2.0f};
#define BODIES (sizeof bodies / sizeof *bodies)

// For a body of 1.75 m.
static const float sizes[][2] = {{0.1f, 0.05f}, {0.2f, 0.2f}, {0.2f, 1.5f},  {0.35f, 1.0f}, {0.4f, 0.3f},
                                 {0.5f, 0.6f},  {0.6f, 0.2f}, {0.75f, 0.3f}, {0.9f, 0.1f}};
#define SIZES (sizeof sizes / sizeof *sizes)

static tr_behavior_clip_def jump(uint32_t size, float body) {
    return (tr_behavior_clip_def){.kind = TR_BEHAVIOR_CLIP_JUMP,
                                  .height = sizes[size][0] * body / 1.75f,
                                  .length = sizes[size][1] * body / 1.75f};
}

TEST(every_part_of_the_body_clears_the_obstacle) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < SIZES; i++) {
            behavior m;
            tr_behavior_clip_def def = jump(i, bodies[b]);
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            obstacle box = obstacle_of(&m, (double)def.length, 0, (double)def.height);
            double room = clearance(&m, &box) * 1.75 / (double)bodies[b];
            CHECK(room > 0.045);
            CHECK(room < 0.17); // it does not jump higher than it must
            behavior_end(&m);
        }
}

TEST(the_centre_of_mass_falls_freely) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 1; i < SIZES; i++) {
            behavior m;
            tr_behavior_clip_def def = jump(i, bodies[b]);
            def.frames_per_second = 120;
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            flight f = measure_flight(&m);
            CHECK(f.end - f.begin > 20);
            CHECK_NEAR(f.fall, 9.81, 1);
            CHECK(f.off < 0.03);
            CHECK(f.speed_top - f.speed_low < 0.15);
            behavior_end(&m);
        }
}

TEST(higher_obstacles_are_jumped_higher_and_longer_ones_faster) {
    double rise = 0, speed = 0;
    for (int i = 1; i <= 8; i++) {
        behavior m;
        tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_JUMP,
                                    .height = 0.1f * (float)i,
                                    .length = 0.2f,
                                    .frames_per_second = 60};
        REQUIRE(measure_behavior(&m, &def, 1.75f));
        flight f = measure_flight(&m);
        CHECK(f.rise >= rise - 0.005);
        rise = f.rise;
        behavior_end(&m);
    }
    CHECK(rise > 0.4);
    for (int i = 1; i <= 6; i++) {
        behavior m;
        tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_JUMP,
                                    .height = 0.3f,
                                    .length = 0.2f * (float)i,
                                    .frames_per_second = 60};
        REQUIRE(measure_behavior(&m, &def, 1.75f));
        flight f = measure_flight(&m);
        CHECK(f.speed_top > speed);
        speed = f.speed_top;
        behavior_end(&m);
    }
}

// After the landing the hips sink and the knee bends; then the jog goes on at its height.
TEST(the_leg_absorbs_the_landing) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 3; i < SIZES; i++) {
            behavior m;
            tr_behavior_clip_def def = jump(i, bodies[b]);
            def.frames_per_second = 120;
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            uint32_t hips = tr_skeleton_with_role(m.skeleton, TR_ROLE_HIPS);
            uint32_t knee = tr_skeleton_with_role(m.skeleton, TR_ROLE_RIGHT_SHANK);
            uint32_t frame = (uint32_t)(m.info.action * 120);
            while (!tr_clip_frame_contacts(m.clip, frame))
                frame++;
            pose_behavior(&m, frame);
            double height = (double)tr_affine_position(&m.model[hips]).y, lowest = height;
            double bent = turn_between(tr_pose_rotation(&m.pose, knee), tr_quat_identity()), most = bent;
            for (uint32_t k = frame; k < frame + 32; k++) {
                pose_behavior(&m, k);
                lowest = fmin(lowest, (double)tr_affine_position(&m.model[hips]).y);
                most = fmax(most, turn_between(tr_pose_rotation(&m.pose, knee), tr_quat_identity()));
            }
            double scale = (double)bodies[b] / 1.75;
            CHECK(height - lowest > 0.05 * scale && height - lowest < 0.3 * scale);
            CHECK(most * DEGREES > 50 && most * DEGREES < 120);
            CHECK(bent * DEGREES > 10 && bent * DEGREES < 55);
            behavior_end(&m);
        }
}

TEST(a_mirrored_jump_lands_on_the_other_foot) {
    behavior m;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_JUMP, .mirrored = true};
    REQUIRE(measure_behavior(&m, &def, 1.75f));
    CHECK_INT(m.info.begin, TR_BEHAVIOR_CLIP_RIGHT);
    CHECK_INT(m.info.end, TR_BEHAVIOR_CLIP_RIGHT);
    flight f = measure_flight(&m);
    CHECK(tr_clip_frame_contacts(m.clip, f.begin - 1) & TR_CONTACT_RIGHT_TOES);
    CHECK(tr_clip_frame_contacts(m.clip, f.end + 1) & (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES));
    behavior_end(&m);
}

TEST(an_obstacle_beyond_human_jumps_is_refused) {
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def body = {0};
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    static const struct {
        float height, length;
        const char *words;
    } bad[] = {{1.2f, 0.2f, "0.10 to 0.90"}, {0.3f, 2.1f, "0.05 to 2.00"}, {NAN, 0.2f, "height"},
               {0.3f, INFINITY, "length"},   {0.9f, 1.5f, "cannot clear"}, {-0.3f, 0, "0.10 to 0.90"}};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_behavior_clip_def def = {.skeleton = skeleton,
                                    .kind = TR_BEHAVIOR_CLIP_JUMP,
                                    .height = bad[i].height,
                                    .length = bad[i].length};
        tr_clip *clip = NULL;
        tr_error error = {0};
        CHECK_INT(tr_behavior_clip_make(&def, &clip, NULL, &error), TR_INVALID);
        CHECK(!clip && strstr(error.message, bad[i].words));
        if (!strstr(error.message, bad[i].words))
            printf("    %s\n", error.message);
    }
    tr_behavior_clip_def jog = {.skeleton = skeleton, .kind = TR_BEHAVIOR_CLIP_JOG, .height = 0.3f};
    tr_clip *clip = NULL;
    CHECK_INT(tr_behavior_clip_make(&jog, &clip, NULL, NULL), TR_INVALID);
    tr_skeleton_destroy(skeleton);
}
