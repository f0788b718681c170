// The feet of an actor, and its footsteps.
#include "actor_data.h"

#include "troupe/base/scalar.h"

#define FEET_APART 0.08f // feet that stand farther apart along the way are in mid-stride [m]

// A foot on a slope stands on its plane.
static void lay_footstep(const tr_actor *actor, tr_footstep *foot) {
    tr_foot_lock_ground plane;
    if (!tr_overlay_foot_plane(actor->overlay, foot->side, &plane))
        return;
    double sine, cosine;
    tr_sin_cos((double)foot->heading, &sine, &cosine);
    foot->position.y = plane.at.y + plane.slope_x * (foot->position.x - plane.at.x) +
                       plane.slope_z * (foot->position.z - plane.at.z);
    foot->pitch = plane.slope_x * (float)sine + plane.slope_z * (float)cosine;
    foot->roll = plane.slope_x * (float)cosine - plane.slope_z * (float)sine;
}

uint32_t tr_actor_feet(const tr_actor *actor, tr_footstep feet[2]) {
    if (actor->driver.root.kind == TR_DRIVER_STEPS) {
        feet[0] = actor->driver.steps.feet[0].footstep;
        feet[1] = actor->driver.steps.feet[1].footstep;
        return actor->driver.steps.side;
    }
    const tr_legs *legs = &actor->nature.cast->legs;
    uint32_t standing = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        tr_vec3 heel = tr_foot_heel(foot, actor->body.model), tip = tr_foot_tip(foot, actor->body.model);
        bool stands = actor->body.contacts >> (2 * side) & 3;
        float floor = actor->driver.root.ground + (stands ? tr_overlay_foot_rise(actor->overlay, side) : 0);
        tr_vec3 ahead = tr_vec3_subtract(tip, heel);
        feet[side] = (tr_footstep){.side = side,
                                   .position = {0.5f * (heel.x + tip.x), floor, 0.5f * (heel.z + tip.z)},
                                   .heading = (float)tr_arc_tangent(ahead.x, ahead.z),
                                   .support = stands};
        lay_footstep(actor, &feet[side]);
        standing |= (uint32_t)stands << side;
    }
    if (standing == 1 || standing == 2)
        return standing == 1 ? 1 : 0;
    // If both feet stand, the rear one is about to leave the ground.
    double s, c;
    tr_sin_cos(actor->driver.root.state.heading, &s, &c);
    tr_vec3 apart = tr_vec3_subtract(feet[0].position, feet[1].position);
    double ahead = apart.x * s + apart.z * c;
    return ahead > FEET_APART ? 1 : ahead < -FEET_APART ? 0 : 2;
}

bool tr_actor_may_walk_on(const tr_actor *actor) {
    return actor->driver.root.kind == TR_DRIVER_STEPS &&
           tr_driver_of(&actor->driver)->may_leave(&actor->driver);
}

const tr_footstep *tr_actor_footsteps(const tr_actor *actor, uint32_t *footstep_count) {
    const tr_driver_root *root = &actor->driver.root;
    bool steps = root->kind == TR_DRIVER_STEPS;
    *footstep_count = steps ? root->footstep_count - root->footstep_next : 0;
    return steps ? actor->task.footsteps + root->footstep_next : NULL;
}

static tr_vec3 velocity_of(const tr_actor *actor) {
    double s, c;
    tr_sin_cos(actor->driver.root.state.heading, &s, &c);
    return tr_vec3_make((float)(actor->driver.root.state.speed * s), 0,
                        (float)(actor->driver.root.state.speed * c));
}

void tr_actor_begin_steps(const tr_actor *actor, tr_footstep_motion_state *steps) {
    tr_footstep feet[2];
    tr_actor_feet(actor, feet);
    tr_footstep_motion_begin(steps, &actor->nature.cast->legs, actor->body.model, feet, velocity_of(actor),
                             actor->driver.root.state.heading);
}

tr_status tr_actor_set_footsteps(tr_actor *actor, const tr_footstep *footsteps, uint32_t footstep_count,
                                 float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                 tr_error *error) {
    if (footstep_count > TR_ACTOR_FOOTSTEPS_MAX)
        return tr_fail(error, TR_LIMIT, "%u footsteps are too many, the limit is %d", footstep_count,
                       TR_ACTOR_FOOTSTEPS_MAX);
    tr_status status = tr_driver_task_reserve(&actor->allocator, 0, footstep_count, &actor->task, error);
    bool begins = actor->driver.root.kind != TR_DRIVER_STEPS;
    tr_footstep_motion_state steps;
    if (begins)
        tr_actor_begin_steps(actor, &steps);
    if (status == TR_OK)
        status = tr_driver_set_footsteps(&actor->driver, &actor->task, footsteps, footstep_count, floor,
                                         floor_user, error);
    if (status == TR_OK)
        tr_actor_trail_forget(actor);
    if (status == TR_OK && begins)
        actor->driver.steps = steps;
    return status;
}

void tr_actor_leave_footsteps(tr_actor *actor) {
    if (actor->driver.root.kind != TR_DRIVER_STEPS)
        return;
    bool walks_on = tr_actor_may_walk_on(actor);
    uint32_t landed = 1 - actor->driver.steps.side; // the other foot is about to swing
    float speed = walks_on ? actor->driver.root.state.speed : 0;
    tr_driver_leave_footsteps(&actor->driver);
    tr_overlay_hold_feet(actor->overlay, &actor->driver.root, &actor->body);
    actor->body.locomotion =
        (tr_locomotion_state){.phase = walks_on && landed == 1 ? 0.5 : 0, .speed = speed, .mix_speed = speed};
}
