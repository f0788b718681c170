// Going over footprints: stairs, gaps, whatever is not level. The disc does not lead here, it goes with the
// body.
#include "actor_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define WAIT_SPEED 0.05f     // at a limit below this nobody takes another step [m/s]
#define HIPS_DEPTH 16        // joints that hips may hang on
#define FEET_APART 0.08f     // feet that stand further apart along the way are in mid-stride [m]
#define WALK_ON_SPEED 0.25f  // who is slower comes to a stand first [m/s]
#define WALK_ON_LEVEL 0.004f // so level must the feet stand for that [m]

static bool is_good(const tr_tread *tread) {
    return tr_vec3_is_finite(tread->position) && isfinite(tread->heading) && tread->side < 2;
}

uint32_t tr_actor_feet(const tr_actor *actor, tr_tread feet[2]) {
    if (actor->stepping) {
        feet[0] = actor->steps.feet[0].tread;
        feet[1] = actor->steps.feet[1].tread;
        return actor->steps.side;
    }
    const tr_legs *legs = &actor->character->legs;
    uint32_t standing = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        tr_vec3 heel = tr_foot_heel(foot, actor->model), tip = tr_foot_tip(foot, actor->model);
        bool stands = actor->contacts >> (2 * side) & 3;
        float floor = actor->ground + (stands ? actor->plant.feet[side].rise : 0);
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
    tr_sin_cos(actor->state.heading, &s, &c);
    tr_vec3 apart = tr_vec3_subtract(feet[0].position, feet[1].position);
    double ahead = apart.x * s + apart.z * c;
    return ahead > FEET_APART ? 1 : ahead < -FEET_APART ? 0 : 2;
}

bool tr_actor_may_walk_on(const tr_actor *actor) {
    float left = actor->steps.feet[0].tread.position.y, right = actor->steps.feet[1].tread.position.y;
    return actor->stepping && actor->tread_next == actor->tread_count && actor->steps.steps &&
           !actor->steps.swings && actor->state.speed > WALK_ON_SPEED &&
           fabsf(left - right) < WALK_ON_LEVEL && fabsf(actor->ground - left) < WALK_ON_LEVEL;
}

const tr_tread *tr_actor_treads(const tr_actor *actor, uint32_t *tread_count) {
    *tread_count = actor->stepping ? actor->tread_count - actor->tread_next : 0;
    return actor->treads + actor->tread_next;
}

static tr_vec3 velocity_of(const tr_actor *actor) {
    double s, c;
    tr_sin_cos(actor->state.heading, &s, &c);
    return tr_vec3_make((float)(actor->state.speed * s), 0, (float)(actor->state.speed * c));
}

tr_status tr_actor_set_treads(tr_actor *actor, const tr_tread *treads, uint32_t tread_count,
                              float (*floor)(void *user, tr_vec3 point), void *floor_user, tr_error *error) {
    if (tread_count == 0)
        return tr_fail(error, TR_INVALID, "an actor cannot go over no footprints");
    if (tread_count > TR_ACTOR_TREADS_MAX)
        return tr_fail(error, TR_LIMIT, "%u footprints, there may be %d", tread_count, TR_ACTOR_TREADS_MAX);
    for (uint32_t i = 0; i < tread_count; i++)
        if (!is_good(&treads[i]))
            return tr_fail(error, TR_INVALID, "footprint %u is not finite or on neither side", i);
    memcpy(actor->treads, treads, tread_count * sizeof *treads);
    actor->tread_count = tread_count;
    actor->tread_next = 0;
    if (!actor->stepping) {
        tr_tread feet[2];
        tr_actor_feet(actor, feet);
        tr_stepping_begin(&actor->steps, &actor->character->legs, actor->model, feet, velocity_of(actor),
                          actor->state.heading);
    }
    actor->steps_params = tr_stepping_params_default();
    actor->steps_params.floor = floor;
    actor->steps_params.floor_user = floor_user;
    actor->stepping = true;
    actor->has_route = actor->has_final = false;
    actor->turn = NULL;
    return TR_OK;
}

void tr_actor_carry(tr_actor *actor, float rise) {
    tr_vec3 by = {0, rise, 0};
    actor->ground += rise;
    actor->plant_params.ground = actor->ground;
    actor->place.m[1][3] += rise;
    tr_plant_carry(&actor->plant, by);
    for (uint32_t i = 0; i < actor->joint_count; i++)
        actor->model[i].m[1][3] += rise;
}

// What the body did before dies away over the new motion, in trunk and arms. Hips, and what they hang on, go
// on from where they were by themselves; legs come afterwards.
static void soften(tr_actor *actor, bool begins, tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(actor->character->skeleton);
    tr_transform kept[HIPS_DEPTH];
    uint32_t count = 0, joint = actor->character->legs.hips;
    for (; joint != TR_NONE && count < HIPS_DEPTH; joint = parents[joint])
        kept[count++] = tr_pose_get(pose, joint);
    if (begins && actor->has_shown)
        tr_inertia_begin(actor->inertia, &actor->shown[1], &actor->shown[0], pose, pose, actor->dt,
                         ACTOR_TRANSITION);
    tr_inertia_apply(actor->inertia, actor->dt, pose);
    joint = actor->character->legs.hips;
    for (uint32_t i = 0; i < count; i++, joint = parents[joint])
        tr_pose_set(pose, joint, kept[i]);
}

// The disc goes where the body is.
static void lead_disc(tr_actor *actor) {
    tr_vec3 position, velocity;
    float heading;
    tr_stepping_base(&actor->steps, &position, &heading, &velocity);
    actor->state.turn_rate = (heading - actor->state.heading) / actor->dt;
    actor->state.position = (tr_vec2){position.x, position.z};
    actor->state.heading = heading;
    actor->state.speed = sqrtf(velocity.x * velocity.x + velocity.z * velocity.z);
    actor->state.side_speed = 0;
    actor->ground = position.y;
    actor->plant_params.ground = position.y;
}

// A walker again, whose feet are held where they are shown.
static void end_treads(tr_actor *actor) {
    actor->stepping = false;
    actor->plant = (tr_plant_state){0};
    actor->plant_params.rise[0] = actor->plant_params.rise[1] = 0;
    float left = actor->steps.feet[0].tread.position.y, right = actor->steps.feet[1].tread.position.y;
    actor->plant_params.ground = actor->ground = left < right ? left : right;
    actor->locomotion = (tr_locomotion_state){0};
    tr_plant_step(&actor->plant, &actor->plant_params, &actor->character->legs, actor->character->skeleton,
                  actor->contacts, 0, &actor->pose, &actor->place, actor->model);
}

void tr_actor_leave_treads(tr_actor *actor) {
    if (!actor->stepping)
        return;
    bool walks_on = tr_actor_may_walk_on(actor);
    uint32_t landed = 1 - actor->steps.side; // the other one is about to swing
    end_treads(actor);
    actor->locomotion.phase = walks_on && landed == 1 ? 0.5 : 0;
    actor->locomotion.speed = actor->locomotion.mix_speed = walks_on ? actor->state.speed : 0;
}

tr_status tr_actor_step_treads(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit) {
    bool begins = actor->doing != TR_ACTOR_STEPS;
    uint32_t used = 0, left = actor->tread_count - actor->tread_next;
    uint32_t seen = speed_limit > WAIT_SPEED ? left : 0; // who has to wait takes no further step
    tr_pose *pose = &actor->pose;
    const tr_legs *legs = &actor->character->legs;
    const tr_skeleton *skeleton = actor->character->skeleton;
    tr_status status =
        tr_stepping_body(&actor->steps, &actor->steps_params, legs, skeleton, actor->character->locomotion,
                         actor->treads + actor->tread_next, seen, &used, actor->dt, pose, scratch->poses + 1,
                         &actor->place, actor->model);
    if (status != TR_OK && status != TR_DONE)
        return status;
    actor->tread_next += used;
    actor->doing = TR_ACTOR_STEPS;
    soften(actor, begins, pose);
    tr_stepping_legs(&actor->steps, legs, skeleton, actor->dt, pose, &actor->place, actor->model,
                     &actor->contacts);
    tr_actor_show(actor, pose);
    tr_actor_step_arms(actor);
    lead_disc(actor);
    if (status != TR_DONE)
        return status;
    actor->state.speed = actor->state.turn_rate = 0;
    if (left > used)
        return TR_OK; // waits on the stairs
    end_treads(actor);
    return TR_DONE;
}

void tr_actor_predict_treads(const tr_actor *actor, float speed_limit, uint32_t stride, uint32_t count,
                             tr_vec2 *positions) {
    tr_vec3 from, velocity;
    float heading;
    tr_stepping_base(&actor->steps, &from, &heading, &velocity);
    tr_vec2 at = {from.x, from.z};
    double step_time = actor->steps_params.step_time, in_step = 0; // of the present step [s]
    uint32_t next = speed_limit > WAIT_SPEED ? actor->tread_next : actor->tread_count;
    for (uint32_t i = 0; i < count; i++) {
        double rest = (double)stride * actor->dt;
        // When a foot comes down the body is in the middle between it and the other.
        while (next < actor->tread_count && rest > 0) {
            tr_vec3 a = actor->treads[next].position, b = next > 0 ? actor->treads[next - 1].position : a;
            double left = step_time - in_step, part = rest < left ? rest / left : 1;
            at.x += (float)part * (0.5f * (a.x + b.x) - at.x);
            at.z += (float)part * (0.5f * (a.z + b.z) - at.z);
            in_step = part < 1 ? in_step + rest : 0;
            next += part >= 1;
            rest -= left;
        }
        positions[i] = at;
    }
}
