// Going over footprints: stairs, gaps, whatever is not level. The disc does not lead here, it goes with the
// body.
#include "actor_data.h"

#include "troupe/base/scalar.h"

#define HIPS_DEPTH 16        // joints that hips may hang on
#define FEET_APART 0.08f     // feet that stand further apart along the way are in mid-stride [m]
#define WALK_ON_SPEED 0.25f  // who is slower comes to a stand first [m/s]
#define WALK_ON_LEVEL 0.004f // so level must the feet stand for that [m]

uint32_t tr_actor_feet(const tr_actor *actor, tr_tread feet[2]) {
    if (actor->root.stepping) {
        feet[0] = actor->steps.feet[0].tread;
        feet[1] = actor->steps.feet[1].tread;
        return actor->steps.side;
    }
    const tr_legs *legs = &actor->nature.character->legs;
    uint32_t standing = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        tr_vec3 heel = tr_foot_heel(foot, actor->model), tip = tr_foot_tip(foot, actor->model);
        bool stands = actor->contacts >> (2 * side) & 3;
        float floor = actor->root.ground + (stands ? actor->plant.feet[side].rise : 0);
        tr_vec3 ahead = tr_vec3_subtract(tip, heel);
        feet[side] = (tr_tread){.side = side,
                                .position = {0.5f * (heel.x + tip.x), floor, 0.5f * (heel.z + tip.z)},
                                .heading = (float)tr_arc_tangent(ahead.x, ahead.z),
                                .support = stands};
        standing |= (uint32_t)stands << side;
    }
    if (standing == 1 || standing == 2)
        return standing == 1 ? 1 : 0;
    // Of two that stand the one behind is about to leave the ground.
    double s, c;
    tr_sin_cos(actor->root.state.heading, &s, &c);
    tr_vec3 apart = tr_vec3_subtract(feet[0].position, feet[1].position);
    double ahead = apart.x * s + apart.z * c;
    return ahead > FEET_APART ? 1 : ahead < -FEET_APART ? 0 : 2;
}

bool tr_actor_may_walk_on(const tr_actor *actor) {
    float left = actor->steps.feet[0].tread.position.y, right = actor->steps.feet[1].tread.position.y;
    return actor->root.stepping && actor->root.tread_next == actor->root.tread_count && actor->steps.steps &&
           !actor->steps.swings && actor->root.state.speed > WALK_ON_SPEED &&
           fabsf(left - right) < WALK_ON_LEVEL && fabsf(actor->root.ground - left) < WALK_ON_LEVEL;
}

const tr_tread *tr_actor_treads(const tr_actor *actor, uint32_t *tread_count) {
    *tread_count = actor->root.stepping ? actor->root.tread_count - actor->root.tread_next : 0;
    return actor->task.treads + actor->root.tread_next;
}

static tr_vec3 velocity_of(const tr_actor *actor) {
    double s, c;
    tr_sin_cos(actor->root.state.heading, &s, &c);
    return tr_vec3_make((float)(actor->root.state.speed * s), 0, (float)(actor->root.state.speed * c));
}

void tr_actor_begin_steps(const tr_actor *actor, tr_stepping_state *steps) {
    tr_tread feet[2];
    tr_actor_feet(actor, feet);
    tr_stepping_begin(steps, &actor->nature.character->legs, actor->model, feet, velocity_of(actor),
                      actor->root.state.heading);
}

tr_status tr_actor_set_treads(tr_actor *actor, const tr_tread *treads, uint32_t tread_count,
                              float (*floor)(void *user, tr_vec3 point), void *floor_user, tr_error *error) {
    tr_status status = tr_actor_root_check_treads(treads, tread_count, error);
    if (status == TR_OK)
        status = tr_actor_task_reserve(&actor->allocator, 0, tread_count, &actor->task, error);
    if (status != TR_OK)
        return status;
    if (!actor->root.stepping)
        tr_actor_begin_steps(actor, &actor->steps);
    tr_actor_root_set_treads(&actor->root, &actor->task, treads, tread_count, floor, floor_user);
    return TR_OK;
}

void tr_actor_carry(tr_actor *actor, float rise) {
    tr_vec3 by = {0, rise, 0};
    actor->root.ground += rise;
    actor->plant_params.ground = actor->root.ground;
    actor->place.m[1][3] += rise;
    tr_plant_carry(&actor->plant, by);
    for (uint32_t i = 0; i < actor->joint_count; i++)
        actor->model[i].m[1][3] += rise;
}

// What the body did before dies away over the new motion, in trunk and arms. Hips, and what they hang on, go
// on from where they were by themselves; legs come afterwards.
static void soften(tr_actor *actor, bool begins, tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(actor->nature.character->skeleton);
    tr_transform kept[HIPS_DEPTH];
    uint32_t count = 0, joint = actor->nature.character->legs.hips;
    for (; joint != TR_NONE && count < HIPS_DEPTH; joint = parents[joint])
        kept[count++] = tr_pose_get(pose, joint);
    if (begins && actor->has_shown)
        tr_inertia_begin(actor->inertia, &actor->shown[1], &actor->shown[0], pose, pose, actor->nature.dt,
                         ACTOR_TRANSITION);
    tr_inertia_apply(actor->inertia, actor->nature.dt, pose);
    joint = actor->nature.character->legs.hips;
    for (uint32_t i = 0; i < count; i++, joint = parents[joint])
        tr_pose_set(pose, joint, kept[i]);
}

// A walker again, whose feet are held where they are shown.
static void end_treads(tr_actor *actor) {
    actor->plant = (tr_plant_state){0};
    actor->plant_params.rise[0] = actor->plant_params.rise[1] = 0;
    actor->plant_params.ground = actor->root.ground;
    actor->locomotion = (tr_locomotion_state){0};
    tr_plant_step(&actor->plant, &actor->plant_params, &actor->nature.character->legs,
                  actor->nature.character->skeleton, actor->contacts, 0, &actor->pose, &actor->place,
                  actor->model);
}

void tr_actor_leave_treads(tr_actor *actor) {
    if (!actor->root.stepping)
        return;
    bool walks_on = tr_actor_may_walk_on(actor);
    uint32_t landed = 1 - actor->steps.side; // the other one is about to swing
    tr_actor_root_leave_treads(&actor->root, &actor->steps);
    end_treads(actor);
    actor->locomotion.phase = walks_on && landed == 1 ? 0.5 : 0;
    actor->locomotion.speed = actor->locomotion.mix_speed = walks_on ? actor->root.state.speed : 0;
}

tr_status tr_actor_step_treads(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit) {
    bool begins = actor->root.doing != TR_ACTOR_STEPS;
    uint32_t used = 0, seen = tr_actor_root_treads_seen(&actor->root, speed_limit);
    tr_pose *pose = &actor->pose;
    const tr_legs *legs = &actor->nature.character->legs;
    const tr_skeleton *skeleton = actor->nature.character->skeleton;
    tr_status status = tr_stepping_body(
        &actor->steps, &actor->task.stepping, legs, skeleton, actor->nature.character->locomotion,
        actor->task.treads + actor->root.tread_next, seen, &used, actor->nature.dt, pose, scratch->poses + 1,
        &actor->place, actor->model);
    if (status != TR_OK && status != TR_DONE)
        return status;
    actor->root.doing = TR_ACTOR_STEPS;
    soften(actor, begins, pose);
    tr_stepping_legs(&actor->steps, legs, skeleton, actor->nature.dt, pose, &actor->place, actor->model,
                     &actor->contacts);
    tr_actor_show(actor, pose);
    tr_actor_step_tuck(actor);
    tr_actor_step_arms(actor);
    status = tr_actor_root_follow_steps(&actor->root, &actor->steps, used, status, actor->nature.dt);
    actor->plant_params.ground = actor->root.ground;
    if (status == TR_DONE)
        end_treads(actor);
    return status;
}
