#include "motion/cast/random_body.h"
#include "test.h"
#include "motion/skeleton/inertia.h"

#include <math.h>

#define JOINTS 6
#define DT (1.0f / 240)

// Two smooth motions that have nothing to do with each other.
static void play(int which, double time, tr_pose *pose) {
    for (uint32_t i = 0; i < JOINTS; i++) {
        tr_transform t = tr_transform_identity();
        double speed = 1 + i * 0.3 + which, angle = (which ? 1.2 : 0.2) + 0.5 * sin(time * speed);
        tr_vec3 axis = {which ? 1.0f : 0.3f, 0.5f, (float)i * 0.2f};
        t.rotation = tr_quat_about(axis, angle);
        t.position =
            tr_vec3_make((float)(which + 0.3 * sin(time * speed)), (float)cos(time), (float)time * 0.4f);
        tr_pose_set(pose, i, t);
    }
}

static float turn_between(tr_quat a, tr_quat b) {
    return tr_vec3_length(tr_quat_to_vector(tr_quat_multiply(a, tr_quat_conjugate(b))));
}

typedef struct rig {
    tr_inertia *inertia;
    tr_pose poses[6];
} rig;

static bool begin(rig *r) {
    bool good = tr_inertia_create(NULL, JOINTS, &r->inertia, NULL) == TR_OK;
    for (int i = 0; i < 6; i++)
        good = tr_pose_create(NULL, JOINTS, &r->poses[i], NULL) == TR_OK && good;
    CHECK(good);
    return good;
}

static void end(rig *r) {
    for (int i = 0; i < 6; i++)
        tr_pose_destroy(&r->poses[i]);
    tr_inertia_destroy(r->inertia);
}

TEST(at_the_switch_the_old_pose_is_shown_and_at_the_end_the_new_one) {
    rig r;
    if (begin(&r)) {
        play(0, 1 - DT, &r.poses[0]), play(0, 1, &r.poses[1]), play(1, 1, &r.poses[2]),
            play(1, 1 + DT, &r.poses[3]);
        CHECK(tr_inertia_is_over(r.inertia));
        CHECK_INT(tr_inertia_begin(r.inertia, &r.poses[0], &r.poses[1], &r.poses[2], &r.poses[3], DT, 0.4f),
                  TR_OK);
        tr_pose_copy(&r.poses[4], &r.poses[2]);
        tr_inertia_apply(r.inertia, 0, &r.poses[4]);
        for (uint32_t i = 0; i < JOINTS; i++) {
            tr_transform shown = tr_pose_get(&r.poses[4], i), old = tr_pose_get(&r.poses[1], i);
            CHECK_NEAR(turn_between(shown.rotation, old.rotation), 0, 1e-5);
            CHECK_NEAR(shown.position.x, old.position.x, 1e-5);
        }
        tr_inertia_apply(r.inertia, 0.4f, &r.poses[2]);
        CHECK(tr_inertia_is_over(r.inertia));
        play(1, 1, &r.poses[4]);
        CHECK_NEAR(turn_between(tr_pose_rotation(&r.poses[2], 3), tr_pose_rotation(&r.poses[4], 3)), 0, 1e-6);
    }
    end(&r);
}

// The largest change of a joint's velocity from one step to the next, over a switch at 1 s.
static double worst_kick(rig *r, bool inertialise, int component) {
    double worst = 0, last_speed = 0;
    tr_vec3 last = {0, 0, 0};
    for (int step = 0; step < 480; step++) {
        double time = 0.5 + step * (double)DT;
        int which = time >= 1;
        tr_pose *pose = &r->poses[4];
        play(which, time, pose);
        if (which && inertialise) {
            bool first = time < 1 + DT;
            if (first) {
                play(0, time - 2 * DT, &r->poses[0]), play(0, time - DT, &r->poses[1]);
                play(1, time - DT, &r->poses[2]), play(1, time, &r->poses[3]);
                tr_inertia_begin(r->inertia, &r->poses[0], &r->poses[1], &r->poses[2], &r->poses[3], DT,
                                 0.4f);
            }
            tr_inertia_apply(r->inertia, DT, pose);
        }
        tr_vec3 at = component ? tr_quat_rotate(tr_pose_rotation(pose, 2), tr_vec3_make(0, 1, 0))
                               : tr_pose_get(pose, 2).position;
        double speed = tr_vec3_length(tr_vec3_subtract(at, last)) / (double)DT;
        if (step > 1)
            worst = fmax(worst, fabs(speed - last_speed));
        last = at, last_speed = speed;
    }
    return worst;
}

TEST(velocities_are_continuous_over_the_switch) {
    rig r;
    if (begin(&r))
        for (int component = 0; component < 2; component++) {
            double kick = worst_kick(&r, false, component), smooth = worst_kick(&r, true, component);
            CHECK(kick > 50);     // without it a jump of many metres per second within a step
            CHECK(smooth < 0.25); // with it no more than accelerations of the transition itself
        }
    end(&r);
}

// From a motion to rest: the result is the offset alone, place (1, 0, 0) and speed (0, 1, 0) at the switch.
TEST(offsets_die_away_without_acceleration_at_both_ends) {
    const double duration = 0.5, h = 1.0 / 64;
    double shown[2][4]; // [place or speed][two moments after the switch, two before the end]
    rig r;
    if (begin(&r)) {
        for (int i = 0; i < 4; i++) {
            const double at[4] = {h, 2 * h, duration - 2 * h, duration - h};
            for (int k = 0; k < 4; k++)
                for (uint32_t joint = 0; joint < JOINTS; joint++)
                    tr_pose_set(&r.poses[k], joint, tr_transform_identity());
            tr_transform old = tr_transform_identity();
            old.position = tr_vec3_make(1, 0, 0);
            tr_pose_set(&r.poses[1], 2, old);
            old.position = tr_vec3_make(1, (float)-h, 0);
            tr_pose_set(&r.poses[0], 2, old);
            CHECK_INT(tr_inertia_begin(r.inertia, &r.poses[0], &r.poses[1], &r.poses[2], &r.poses[3],
                                       (float)h, (float)duration),
                      TR_OK);
            tr_inertia_apply(r.inertia, (float)at[i], &r.poses[2]);
            shown[0][i] = tr_pose_get(&r.poses[2], 2).position.x;
            shown[1][i] = tr_pose_get(&r.poses[2], 2).position.y;
        }
        // Without acceleration the remainder changes with the cube of the time.
        for (int k = 0; k < 2; k++) {
            double first = k ? h - shown[k][0] : 1 - shown[k][0];
            double second = k ? 2 * h - shown[k][1] : 1 - shown[k][1];
            CHECK(first > 0);
            CHECK(second > 6 * first);
            CHECK(shown[k][3] > 0);
            CHECK(shown[k][2] > 6 * shown[k][3]);
        }
    }
    end(&r);
}

TEST(bad_durations_and_other_skeletons_are_refused) {
    rig r;
    if (begin(&r)) {
        tr_pose *p = r.poses, other;
        REQUIRE(tr_pose_create(NULL, JOINTS + 1, &other, NULL) == TR_OK);
        const float bad[] = {0, -1, NAN, INFINITY};
        for (int i = 0; i < 4; i++) {
            CHECK_INT(tr_inertia_begin(r.inertia, p, p, p, p, bad[i], 0.4f), TR_INVALID);
            CHECK_INT(tr_inertia_begin(r.inertia, p, p, p, p, DT, bad[i]), TR_INVALID);
        }
        CHECK_INT(tr_inertia_begin(r.inertia, p, p, &other, p, DT, 0.4f), TR_INVALID);
        CHECK_INT(tr_inertia_begin(r.inertia, p, p, p, p, DT, 0.4f), TR_OK);
        CHECK(!tr_inertia_is_over(r.inertia));
        tr_inertia_clear(r.inertia);
        CHECK(tr_inertia_is_over(r.inertia));
        tr_pose_destroy(&other);
    }
    end(&r);
    CHECK_INT(tr_inertia_create(NULL, 0, &r.inertia, NULL), TR_INVALID);
}

static bool attempt(const tr_allocator *allocator) {
    tr_inertia *inertia = NULL;
    tr_status status = tr_inertia_create(allocator, 4, &inertia, NULL);
    tr_inertia_destroy(inertia);
    return status == TR_OK;
}

TEST(without_memory_nothing_leaks) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(attempt), 2);
}
