// From a walk to a run and back, on the mannequin with its own cycles.
#include "test.h"
#include "motion/cast/cast.h"
#include "troupe/base/random.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <string.h>

enum { JOINTS_MAX = 64 };
#define LEFT (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES)
#define RIGHT (TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES)

typedef struct person {
    tr_skeleton *skeleton;
    tr_cast *cast;
    tr_pose pose, scratch[2];
    tr_affine model[JOINTS_MAX];
} person;

static bool begin(person *made, float height) {
    memset(made, 0, sizeof *made);
    tr_error error = {0};
    tr_mannequin_def mannequin = {.height = height, .detail = 1};
    bool good = tr_mannequin_make(&mannequin, &made->skeleton, NULL, &error) == TR_OK;
    tr_cast_def def = {.skeleton = made->skeleton};
    good = good && tr_cast_create(&def, &made->cast, &error) == TR_OK;
    uint32_t joints = good ? tr_skeleton_joint_count(made->skeleton) : 0;
    good = good && joints <= JOINTS_MAX && tr_pose_create(NULL, joints, &made->pose, &error) == TR_OK &&
           tr_pose_create(NULL, joints, &made->scratch[0], &error) == TR_OK &&
           tr_pose_create(NULL, joints, &made->scratch[1], &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(person *made) {
    tr_pose_destroy(&made->pose);
    tr_pose_destroy(&made->scratch[0]);
    tr_pose_destroy(&made->scratch[1]);
    tr_cast_destroy(made->cast);
    tr_skeleton_destroy(made->skeleton);
}

static uint32_t step(person *made, tr_locomotion_state *state, double speed, double dt) {
    uint32_t contacts = 0;
    tr_locomotion_step(made->cast->locomotion, state, (float)speed, (float)dt, &made->pose, made->scratch,
                       &contacts);
    tr_pose_to_model(made->skeleton, &made->pose, NULL, made->model);
    return contacts;
}

// What is being done: a walk, a run, or a change from one to the other.
typedef enum doing { WALKS, CHANGES, RUNS } doing;

static doing doing_of(const tr_locomotion_state *state) {
    float goal = state->gait == TR_LOCOMOTION_RUNS ? 1 : 0;
    bool done = state->run[0] == goal && state->run[1] == goal && state->run_body == goal;
    return !done ? CHANGES : goal > 0 ? RUNS : WALKS;
}

// Joints and hips, frame by frame. The hips are relative to the base, which has the acceleration of the ramp.
typedef struct watch {
    uint32_t frames;
    tr_vec3 hips[3];
    tr_quat last[JOINTS_MAX];
    double turn, knee[3]; // [rad/s]: all joints but toes and shanks; shanks by what is done
    double hips_jolt[3];  // [m/s^2]
    const char *turned;
} watch;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void look(watch *seen, const person *made, doing now, double dt) {
    const tr_foot *feet = made->cast->legs.feet;
    for (uint32_t i = 0; i < made->pose.joint_count; i++) {
        tr_quat turn = tr_pose_rotation(&made->pose, i);
        tr_vec3 by = tr_quat_to_vector(tr_quat_multiply(turn, tr_quat_conjugate(seen->last[i])));
        double rate = seen->frames > 0 ? (double)tr_vec3_length(by) / dt : 0;
        seen->last[i] = turn;
        if (i == feet[0].toes || i == feet[1].toes)
            continue;
        bool shank = i == feet[0].shank || i == feet[1].shank;
        double *worst = shank ? &seen->knee[now] : &seen->turn;
        if (rate > *worst && !shank)
            seen->turned = tr_skeleton_joint(made->skeleton, i).name;
        *worst = larger(*worst, rate);
    }
    seen->hips[0] = seen->hips[1], seen->hips[1] = seen->hips[2];
    seen->hips[2] = tr_affine_position(&made->model[made->cast->legs.hips]);
    tr_vec3 bend =
        tr_vec3_add(tr_vec3_subtract(seen->hips[2], tr_vec3_scale(seen->hips[1], 2)), seen->hips[0]);
    if (seen->frames++ > 1)
        seen->hips_jolt[now] = larger(seen->hips_jolt[now], (double)tr_vec3_length(bend) / (dt * dt));
}

// The hips of the slowest run when it is steady.
static double steady_jolt(person *made, double dt) {
    double speed = 2.2 * sqrt((double)made->cast->height / 1.75);
    tr_locomotion_state state = {.speed = (float)speed};
    watch seen = {0};
    for (double t = 0; t < 3; t += dt) {
        step(made, &state, speed, dt);
        look(&seen, made, doing_of(&state), dt);
    }
    CHECK(doing_of(&state) == RUNS);
    return seen.hips_jolt[RUNS];
}

// From 0.3 m/s up to 6 or the fastest, and back.
static void ramp(person *made, double acceleration, double dt, watch *seen) {
    double top = larger(0.3, fmin(6, (double)tr_locomotion_speed_max(made->cast->locomotion)));
    uint32_t half = (uint32_t)((top - 0.3) / acceleration / dt);
    tr_locomotion_state state = {.speed = 0.3f};
    for (uint32_t i = 0; i < 2 * half; i++) {
        double speed = 0.3 + acceleration * dt * (i < half ? i : 2 * half - i);
        step(made, &state, speed, dt);
        look(seen, made, doing_of(&state), dt);
    }
}

TEST(between_a_walk_and_a_run_no_joint_jumps_and_no_hips_jolt) {
    static const float heights[] = {1.1f, 1.75f, 2};
    static const double rates[] = {24, 60, 120}, accelerations[] = {0.3, 1, 2.5};
    for (int h = 0; h < 3; h++) {
        person made;
        REQUIRE(begin(&made, heights[h]));
        for (int i = 0; i < 9; i++) {
            double dt = 1 / rates[i / 3], acceleration = accelerations[i % 3];
            watch seen = {0};
            ramp(&made, acceleration, dt, &seen);
            double steady = steady_jolt(&made, dt);
            if (!(seen.turn < 15))
                test_failed(__FILE__, __LINE__, "%g m tall, %g m/s^2: %s turns at %g rad/s",
                            (double)heights[h], acceleration, seen.turned, seen.turn);
            CHECK(seen.knee[WALKS] < 15);
            CHECK(seen.knee[CHANGES] < 19); // shanks that begin to run swing fast
            // At the slowest clip the mix changes its course within a frame: a hard start shows that.
            CHECK(seen.hips_jolt[WALKS] < (acceleration > 2 ? 12 : 7.5));
            CHECK(seen.hips_jolt[CHANGES] < 1.5 * steady);
            CHECK(steady > 8 && steady < 14);
        }
        end(&made);
    }
}

// Each foot comes down in turn, and a point that touches is on the ground.
TEST(feet_take_turns_through_a_change_and_are_down_where_they_say) {
    static const double accelerations[] = {0.25, 0.6, 1.1, 1.7, 2.5};
    person made;
    REQUIRE(begin(&made, 1.75f));
    const tr_foot *feet = made.cast->legs.feet;
    for (int a = 0; a < 5; a++) {
        double dt = 1 / 60.0, t = 0, highest = 0;
        tr_locomotion_state state = {.speed = 1};
        uint32_t before = step(&made, &state, 1, 0), last = TR_NONE, changes = 0;
        doing was = WALKS;
        for (double speed = 1; speed <= 4 || t > 0; t = speed >= 4 ? 1 : t) {
            speed += t > 0 ? -accelerations[a] * dt : accelerations[a] * dt;
            if (speed < 1)
                break;
            uint32_t now = step(&made, &state, speed, dt);
            for (uint32_t side = 0; side < 2; side++) {
                uint32_t bits = side ? RIGHT : LEFT;
                if ((now & bits) && !(before & bits)) {
                    CHECK(last == TR_NONE || last != side);
                    last = side;
                }
                double heel = (double)tr_foot_heel(&feet[side], made.model).y;
                double ball = (double)tr_foot_ball(&feet[side], made.model).y;
                if (now & bits & (TR_CONTACT_LEFT_HEEL | TR_CONTACT_RIGHT_HEEL))
                    highest = larger(highest, heel);
                if (now & bits & (TR_CONTACT_LEFT_TOES | TR_CONTACT_RIGHT_TOES))
                    highest = larger(highest, ball);
            }
            changes += doing_of(&state) == CHANGES && was != CHANGES;
            was = doing_of(&state);
            before = now;
        }
        CHECK_INT(changes, 2);
        CHECK(highest < 0.025); // the foot lock brings it down
    }
    end(&made);
}

TEST(a_body_keeps_its_gait_between_the_two_speeds_of_change) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    tr_random random = tr_random_seed(5);
    tr_locomotion_state walk = {.speed = 1.93f, .gait = TR_LOCOMOTION_WALKS}, run = {.speed = 1.93f};
    run.gait = TR_LOCOMOTION_RUNS;
    run.run[0] = run.run[1] = run.run_body = 1;
    double speed = 1.93;
    for (int i = 0; i < 900; i++) {
        speed += 0.3 * (1.93 - speed) + (double)tr_random_between(&random, -0.004f, 0.004f);
        step(&made, &walk, speed, 1 / 30.0);
        step(&made, &run, speed, 1 / 30.0);
        CHECK(doing_of(&walk) == WALKS && doing_of(&run) == RUNS);
    }
    for (int i = 0; i < 60; i++) {
        step(&made, &walk, 2.1, 1 / 30.0);
        step(&made, &run, 1.85, 1 / 30.0);
    }
    CHECK(doing_of(&walk) == RUNS && doing_of(&run) == WALKS);
    end(&made);
}

// The state in an archive, and back.
static tr_locomotion_state restored(tr_locomotion_state state) {
    uint8_t bytes[256];
    tr_error error = {0};
    tr_archive write = tr_archive_write(bytes, sizeof bytes);
    tr_locomotion_archive(&state, &write);
    tr_archive read = tr_archive_read(bytes, sizeof bytes, &error);
    tr_locomotion_state again = {0};
    tr_locomotion_archive(&again, &read);
    CHECK(tr_archive_is_good(&write) && tr_archive_is_good(&read));
    return again;
}

TEST(a_state_that_was_copied_or_saved_in_a_change_goes_on_alike) {
    person made;
    REQUIRE(begin(&made, 1.75f));
    tr_locomotion_state state = {.speed = 1.5f};
    double speed = 1.5, dt = 1 / 30.0;
    while (doing_of(&state) != CHANGES || state.run_body < 0.4f) {
        speed += 1.5 * dt;
        step(&made, &state, speed, dt);
        REQUIRE(speed < 4);
    }
    tr_locomotion_state copies[2] = {state, restored(state)};
    for (int i = 0; i < 60; i++) {
        speed += i < 20 ? 1.5 * dt : -1.5 * dt;
        uint32_t contacts = step(&made, &state, speed, dt);
        tr_quat thigh = tr_pose_rotation(&made.pose, made.cast->legs.feet[0].thigh);
        for (int k = 0; k < 2; k++) {
            CHECK_INT(step(&made, &copies[k], speed, dt), contacts);
            tr_quat other = tr_pose_rotation(&made.pose, made.cast->legs.feet[0].thigh);
            CHECK(memcmp(&thigh, &other, sizeof thigh) == 0);
        }
    }
    end(&made);
}

TEST(a_runner_that_stops_hard_walks_its_last_steps_and_stands_without_a_jump) {
    static const float heights[] = {1.1f, 1.75f};
    for (int h = 0; h < 2; h++) {
        person made;
        REQUIRE(begin(&made, heights[h]));
        double dt = 1 / 60.0;
        for (int start = 0; start < 8; start++) {
            tr_locomotion_state state = {.phase = start / 8.0, .speed = 3.4f};
            watch seen = {0};
            for (double speed = 3.4; speed > -1; speed -= 3.2 * dt) {
                double now = speed > 0 ? speed : 0;
                step(&made, &state, now, dt);
                look(&seen, &made, doing_of(&state), dt);
            }
            CHECK(seen.turn < 15);
            CHECK(seen.hips_jolt[CHANGES] < 1.5 * steady_jolt(&made, dt));
        }
        end(&made);
    }
}
