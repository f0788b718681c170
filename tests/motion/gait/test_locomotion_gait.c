// The mannequin and its own clips, the main use of locomotion.
#include "test.h"
#include "troupe/motion/gait.h"
#include "motion/gait/locomotion.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <string.h>

enum { CYCLES = 5, JOINTS_MAX = 64 };

typedef struct person {
    tr_skeleton *skeleton;
    tr_clip *stand, *cycles[CYCLES];
    tr_locomotion *locomotion;
    tr_pose pose, scratch[2];
    tr_foot feet[2];
} person;

static tr_clip *make_clip(const tr_skeleton *skeleton, tr_gait_kind kind, float speed) {
    tr_gait_def def = {.skeleton = skeleton, .kind = kind, .speed = speed};
    tr_clip *clip = NULL;
    tr_error error = {0};
    if (tr_gait_make(&def, &clip, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return clip;
}

static bool begin(person *made, float height) {
    memset(made, 0, sizeof *made);
    tr_mannequin_def mannequin = {.height = height, .detail = 1};
    if (tr_mannequin_make(&mannequin, &made->skeleton, NULL, NULL) != TR_OK)
        return false;
    float pace = sqrtf(height / 1.75f); // smaller people are as much slower at the same gait
    static const tr_gait_kind kinds[CYCLES] = {TR_GAIT_WALK, TR_GAIT_WALK, TR_GAIT_WALK, TR_GAIT_JOG,
                                               TR_GAIT_RUN};
    static const float speeds[CYCLES] = {0.7f, 1.2f, 1.7f, 2.4f, 3.5f};
    made->stand = make_clip(made->skeleton, TR_GAIT_STAND, 0);
    bool there = made->stand != NULL;
    for (uint32_t i = 0; i < CYCLES; i++) {
        made->cycles[i] = make_clip(made->skeleton, kinds[i], speeds[i] * pace);
        there = there && made->cycles[i];
    }
    uint32_t joints = tr_skeleton_joint_count(made->skeleton);
    tr_locomotion_def def = {.skeleton = made->skeleton,
                             .stand = made->stand,
                             .cycles = (const tr_clip *const *)made->cycles,
                             .cycle_count = CYCLES};
    tr_error error = {0};
    if (there && tr_locomotion_create(&def, &made->locomotion, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return made->locomotion && joints <= JOINTS_MAX &&
           tr_pose_create(NULL, joints, &made->pose, NULL) == TR_OK &&
           tr_pose_create(NULL, joints, &made->scratch[0], NULL) == TR_OK &&
           tr_pose_create(NULL, joints, &made->scratch[1], NULL) == TR_OK &&
           tr_foot_measure(made->skeleton, 0, &made->feet[0]) == TR_OK &&
           tr_foot_measure(made->skeleton, 1, &made->feet[1]) == TR_OK;
}

static void end(person *made) {
    tr_locomotion_destroy(made->locomotion);
    for (uint32_t i = 0; i < CYCLES; i++)
        tr_clip_destroy(made->cycles[i]);
    tr_clip_destroy(made->stand);
    tr_pose_destroy(&made->pose);
    tr_pose_destroy(&made->scratch[0]);
    tr_pose_destroy(&made->scratch[1]);
    tr_skeleton_destroy(made->skeleton);
}

static uint32_t step(person *made, tr_locomotion_state *state, float speed, float dt) {
    uint32_t contacts = 0;
    tr_locomotion_step(made->locomotion, state, speed, dt, &made->pose, made->scratch, &contacts);
    return contacts;
}

// Heel, ball and tip of both feet, relative to the base.
static void find_soles(const person *made, tr_vec3 soles[2][3]) {
    tr_affine model[JOINTS_MAX];
    tr_pose_to_model(made->skeleton, &made->pose, NULL, model);
    for (int side = 0; side < 2; side++) {
        soles[side][0] = tr_foot_heel(&made->feet[side], model);
        soles[side][1] = tr_foot_ball(&made->feet[side], model);
        soles[side][2] = tr_foot_tip(&made->feet[side], model);
    }
}

// Heel and the lower one of ball and tip, of both feet.
static void find_points(const person *made, tr_vec3 points[4]) {
    tr_vec3 soles[2][3];
    find_soles(made, soles);
    for (int side = 0; side < 2; side++) {
        points[2 * side] = soles[side][0];
        points[2 * side + 1] = soles[side][soles[side][2].y < soles[side][1].y ? 2 : 1];
    }
}

TEST(feet_of_the_mannequin_hardly_slide_at_any_speed) {
    static const float heights[] = {1.2f, 1.75f, 2};
    for (int i = 0; i < 3; i++) {
        person made;
        REQUIRE(begin(&made, heights[i]));
        float walk = tr_clip_speed(made.cycles[2]), most = tr_locomotion_speed_max(made.locomotion);
        for (float speed = 0.01f; speed <= most; speed += 0.01f) {
            float slide = tr_locomotion_at(made.locomotion, speed).slide;
            if (!(slide < (speed < walk ? 0.02f : 0.05f)))
                test_failed(__FILE__, __LINE__, "%g m tall at %g m/s: feet slide at %g m/s",
                            (double)heights[i], (double)speed, (double)slide);
        }
        end(&made);
    }
}

// Mean speed over the ground of points that touch it from frame to frame, played at 60 frames a second.
static double play_slide(person *made, float speed) {
    tr_locomotion_state state = {.speed = speed};
    uint32_t held = step(made, &state, speed, 0);
    tr_vec3 before[2][3], now[2][3];
    double sum = 0, count = 0, dt = 1 / 60.0;
    find_soles(made, before);
    for (int frame = 0; frame < 300; frame++) {
        uint32_t contacts = step(made, &state, speed, (float)dt);
        find_soles(made, now);
        for (int label = 0; label < 4; label++) {
            const tr_vec3 *from = before[label / 2], *to = now[label / 2];
            int point = label % 2 == 0 ? 0 : from[2].y + to[2].y < from[1].y + to[1].y ? 2 : 1;
            double x = (double)(to[point].x - from[point].x) / dt,
                   z = (double)(to[point].z - from[point].z) / dt + (double)speed;
            if (contacts & held & 1u << label) {
                sum += sqrt(x * x + z * z);
                count++;
            }
        }
        memcpy(before, now, sizeof before);
        held = contacts;
    }
    return sum / count;
}

TEST(playback_of_the_mannequin_slides_little_in_the_world) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    for (float speed = 0.03f; speed < 3.5f; speed += 0.07f) {
        double slide = play_slide(&made, speed);
        if (!(slide < 0.02))
            test_failed(__FILE__, __LINE__, "at %g m/s feet slide at %g m/s", (double)speed, slide);
    }
    end(&made);
}

TEST(steps_of_the_mannequin_are_as_long_as_those_of_people) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    for (float speed = 0.7f; speed <= 1.7f; speed += 0.02f) {
        tr_locomotion_mix mix = tr_locomotion_at(made.locomotion, speed);
        CHECK_NEAR(speed / mix.rate / 2, sqrt(0.39 * (double)speed), 0.04);
    }
    for (float speed = 0.05f; speed < 3.5f; speed += 0.05f) { // faster is further and oftener
        tr_locomotion_mix slow = tr_locomotion_at(made.locomotion, speed - 0.05f),
                          fast = tr_locomotion_at(made.locomotion, speed);
        CHECK(speed / fast.rate > (speed - 0.05f) / slow.rate - 1e-3f);
        CHECK(fast.rate > 0.9f * slow.rate);
    }
    end(&made);
}

// How evenly joints turn: the largest change of a turn from frame to frame [rad].
typedef struct watch {
    tr_quat last[JOINTS_MAX];
    tr_vec3 turn[JOINTS_MAX];
    uint32_t frames;
    double worst;
} watch;

static void look(watch *seen, const tr_pose *pose) {
    for (uint32_t joint = 0; joint < pose->joint_count; joint++) {
        tr_quat now = tr_pose_rotation(pose, joint);
        tr_vec3 turn = {0, 0, 0};
        if (seen->frames > 0)
            turn = tr_quat_to_vector(tr_quat_multiply(now, tr_quat_conjugate(seen->last[joint])));
        double jump = (double)tr_vec3_length(tr_vec3_subtract(turn, seen->turn[joint]));
        if (seen->frames > 1 && jump > seen->worst)
            seen->worst = jump;
        seen->last[joint] = now;
        seen->turn[joint] = turn;
    }
    seen->frames++;
}

static double clip_unevenness(person *made, uint32_t cycle) {
    tr_locomotion_state state = {.speed = 1};
    watch seen = {.frames = 0};
    for (int frame = 0; frame < 200; frame++) {
        step(made, &state, tr_clip_speed(made->cycles[cycle]), 1 / 60.0f);
        look(&seen, &made->pose);
    }
    return seen.worst;
}

// While the speed goes from a slow walk to `most` and back again in 9 s.
static double change_unevenness(person *made, float most) {
    tr_locomotion_state state = {.speed = 0.7f};
    watch seen = {.frames = 0};
    for (int frame = 0; frame < 600; frame++) {
        float t = (float)frame / 60, part = t < 4 ? t / 4 : t < 5 ? 1 : t < 9 ? (9 - t) / 4 : 0;
        step(made, &state, 0.7f + (most - 0.7f) * part, 1 / 60.0f);
        look(&seen, &made->pose);
    }
    return seen.worst;
}

TEST(changes_of_speed_turn_no_joint_more_suddenly_than_the_clips_do) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    CHECK(change_unevenness(&made, 1.7f) < 1.2 * clip_unevenness(&made, 2));
    CHECK(change_unevenness(&made, 3.5f) < 1.2 * clip_unevenness(&made, 4));
    end(&made);
}

TEST(mixes_of_the_mannequin_keep_their_feet_on_the_ground) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    double lowest = 1, highest = -1;
    for (float speed = 0.05f; speed < 1.7f; speed += 0.05f)
        for (int i = 0; i < 60; i++) {
            tr_locomotion_state state = {.phase = i / 60.0, .speed = speed};
            uint32_t contacts = step(&made, &state, speed, 0);
            tr_vec3 points[4];
            find_points(&made, points);
            for (int point = 0; point < 4; point++) {
                lowest = (double)points[point].y < lowest ? (double)points[point].y : lowest;
                if (contacts & 1u << point)
                    highest = (double)points[point].y > highest ? (double)points[point].y : highest;
            }
        }
    CHECK(lowest > -0.003);
    CHECK(highest < 0.005);
    end(&made);
}

TEST(standing_feet_drift_little_while_the_speed_changes) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    tr_locomotion_state state = {0};
    uint32_t held = step(&made, &state, 0, 0);
    tr_vec3 landed[4], points[4];
    find_points(&made, landed);
    double way = 0, dt = 1 / 120.0, worst = 0;
    for (int frame = 0; frame < 960; frame++) { // 0.6 m/s^2 up to a brisk walk
        double t = frame * dt, speed = t < 2 ? 0.6 * t : t < 5 ? 1.2 : t < 7 ? 0.6 * (7 - t) : 0;
        uint32_t contacts = step(&made, &state, (float)speed, (float)dt);
        way += speed * dt;
        find_points(&made, points);
        for (int point = 0; point < 4; point++) {
            points[point].z += (float)way;
            if (!(contacts & 1u << point) || !(held & 1u << point)) {
                landed[point] = points[point];
                continue;
            }
            double drift = fabs((double)(points[point].z - landed[point].z));
            worst = drift > worst ? drift : worst;
        }
        held = contacts;
    }
    CHECK(worst < 0.16); // steps that grow or shrink while a foot stands: the foot lock holds it
    end(&made);
}

TEST(mixes_of_the_mannequin_bend_no_joint_beyond_its_limit) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    for (float speed = 0.002f; speed < 3.5f; speed *= 1.1f)
        for (int i = 0; i < 40; i++) {
            tr_locomotion_state state = {.phase = i / 40.0, .speed = speed};
            step(&made, &state, speed, 0);
            for (uint32_t joint = 0; joint < made.pose.joint_count; joint++) {
                float excess =
                    tr_skeleton_limit_excess(made.skeleton, joint, tr_pose_rotation(&made.pose, joint));
                if (!(excess < 0.0087f)) // half a degree
                    test_failed(__FILE__, __LINE__, "%s is %g rad beyond its limit at %g m/s, phase %g",
                                tr_skeleton_joint(made.skeleton, joint).name, (double)excess, (double)speed,
                                i / 40.0);
            }
        }
    end(&made);
}

TEST(side_steps_are_mixed_with_standing_like_a_walk) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    for (int side = 0; side < 2; side++) {
        tr_clip *cycle = make_clip(made.skeleton, side ? TR_GAIT_SIDE_RIGHT : TR_GAIT_SIDE_LEFT, 0);
        REQUIRE(cycle);
        tr_locomotion_def def = {.skeleton = made.skeleton,
                                 .stand = made.stand,
                                 .cycles = (const tr_clip *const *)&cycle,
                                 .cycle_count = 1};
        tr_locomotion *steps = NULL;
        REQUIRE(tr_locomotion_create(&def, &steps, NULL) == TR_OK);
        for (uint32_t line = 1; line < TR_LOCOMOTION_SPEEDS; line++)
            CHECK(tr_locomotion_at(steps, tr_locomotion_line_speed(steps, line)).slide < 0.003f);
        tr_locomotion_destroy(steps);
        tr_clip_destroy(cycle);
    }
    end(&made);
}
