// Bodies of a crowd on stairs, over pits and between storeys, as somebody sees them from tick to tick.
#include "crowds.h"
#include "motion/cast/cast.h"

#include <math.h>

enum { PEOPLE = 8, JOINTS = 32 };

typedef struct past {
    tr_vec3 hips[2];
    tr_quat feet[2];
} past;

typedef struct jolts_seen {
    float hips;   // the greatest acceleration [m/s2]
    float feet;   // the fastest turn of a foot in the world [rad/s]
    float excess; // of a joint over its limit [rad]
} jolts_seen;

static float excess_of(const tr_actor_view *view) {
    const tr_skeleton *skeleton = view->character->skeleton;
    float most = 0;
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++)
        most = fmaxf(most, tr_skeleton_limit_excess(skeleton, i, tr_pose_rotation(view->pose, i)));
    return most;
}

static void look(const tr_actor_view *view, past *before, uint32_t ticks, jolts_seen *seen) {
    const float often = (float)(1 / TR_STAGE_TICK);
    const tr_legs *legs = &view->character->legs;
    tr_vec3 hips = tr_affine_position(&view->model[legs->hips]);
    tr_vec3 bend = tr_vec3_add(tr_vec3_subtract(hips, tr_vec3_scale(before->hips[1], 2)), before->hips[0]);
    if (ticks > 2)
        seen->hips = fmaxf(seen->hips, tr_vec3_length(bend) * often * often);
    before->hips[0] = before->hips[1], before->hips[1] = hips;
    for (uint32_t side = 0; side < 2; side++) {
        tr_quat now = tr_affine_rotation(&view->model[legs->feet[side].ankle]);
        tr_quat by = tr_quat_multiply(now, tr_quat_conjugate(before->feet[side]));
        if (ticks > 1)
            seen->feet = fmaxf(seen->feet, tr_vec3_length(tr_quat_to_vector(by)) * often);
        before->feet[side] = now;
    }
    seen->excess = fmaxf(seen->excess, excess_of(view));
}

static jolts_seen watch(const char *kind, uint64_t seed) {
    jolts_seen seen = {0, 0, 0};
    past before[PEOPLE] = {0};
    tr_sample_crowd_def def = {.kind = kind, .people = PEOPLE, .seed = seed};
    crowd_stage all;
    if (!crowd_stage_open(&all, &def, NULL))
        return seen;
    tr_status status = TR_OK;
    for (uint32_t ticks = 1; status == TR_OK && ticks < 2400; ticks++) {
        status = tr_stage_step(all.stage, TR_STAGE_TICK, NULL);
        for (uint32_t i = 0; i < all.count && i < PEOPLE; i++) {
            tr_actor_view view = {0};
            tr_stage_look(all.stage, all.actors[i], &view);
            look(&view, &before[i], ticks, &seen);
        }
    }
    CHECK_INT(status, TR_DONE);
    crowd_stage_close(&all);
    return seen;
}

// People wait with one foot far behind, are called back in the middle of a step, and go on: no foot snaps to
// the floor or through it, and no hips jump.
TEST(people_who_wait_and_go_on_over_stairs_and_pits_do_not_jerk) {
    static const struct {
        const char *kind;
        uint64_t seed;
    } cases[] = {{"stairs", 7}, {"stairs", 21}, {"stairs", 34}, {"house", 7}, {"house", 44}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jolts_seen seen = watch(cases[i].kind, cases[i].seed);
        if (!(seen.hips < 16 && seen.feet < 18 && seen.excess < 0.07f))
            test_failed(__FILE__, __LINE__, "%s %u: hips %g m/s2, feet %g rad/s, limits %g rad",
                        cases[i].kind, (uint32_t)cases[i].seed, (double)seen.hips, (double)seen.feet,
                        (double)seen.excess);
    }
}
