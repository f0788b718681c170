// Chains of behaviors that an actor plays.
#include "actor_data.h"

tr_status tr_actor_prepare_perform(tr_actor *actor, const tr_behavior_motion_def *def, tr_error *error) {
    tr_behavior_motion_def own = *def;
    own.allocator = &actor->allocator;
    if (tr_skeleton_joint_count(def->skeleton) != actor->joint_count)
        return tr_fail(error, TR_INVALID, "the behaviors are for %u joints, the character has %u",
                       tr_skeleton_joint_count(def->skeleton), actor->joint_count);
    for (uint32_t i = 0; i < 2; i++) {
        tr_behavior_motion *made = NULL;
        tr_status status = tr_behavior_motion_create(&own, &made, error);
        if (status != TR_OK)
            return status;
        tr_behavior_motion_destroy(actor->motions[i]);
        actor->motions[i] = made;
    }
    return TR_OK;
}

bool tr_actor_may_perform(const tr_actor *actor) {
    return actor->motions[1] != NULL;
}

tr_status tr_actor_try_perform(tr_actor *actor, const tr_behavior_motion_chain *chain, double time,
                               tr_vec3 *positions, uint32_t max, uint32_t *count, tr_error *error) {
    *count = 0;
    if (!tr_actor_may_perform(actor))
        return tr_fail(error, TR_INVALID, "the actor has no behaviors");
    tr_behavior_motion *motion = actor->motions[1 - actor->motion];
    tr_behavior_motion_chain own = *chain;
    own.stands = actor->driver.root.kind == TR_DRIVER_PERFORM ? NULL : actor->body.model;
    tr_status status = tr_behavior_motion_set(motion, &own, error);
    tr_driver_task task = {0};
    tr_driver_state ghost = {.root = actor->driver.root, .perform = actor->driver.perform};
    if (status == TR_OK)
        status = tr_driver_set_perform(&ghost, &task, motion, time, error);
    if (status != TR_OK)
        return status;
    actor->tried = time;
    for (; ghost.root.kind == TR_DRIVER_PERFORM; ++*count) {
        tr_driver_of(&ghost)->predict(&ghost, &task, &actor->nature, 0);
        tr_vec2 at = ghost.root.state.position;
        if (*count < max)
            positions[*count] = tr_vec3_make(at.x, ghost.root.ground, at.z);
    }
    return TR_OK;
}

void tr_actor_perform(tr_actor *actor) {
    uint32_t next = 1 - actor->motion;
    if (tr_driver_set_perform(&actor->driver, &actor->task, actor->motions[next], actor->tried, NULL) !=
        TR_OK)
        return;
    actor->motion = next;
    tr_actor_trail_forget(actor);
}

const tr_behavior_motion *tr_actor_motion(const tr_actor *actor, double *time) {
    bool performs = actor->driver.root.kind == TR_DRIVER_PERFORM;
    *time = performs ? actor->driver.perform.time : 0;
    return performs ? actor->motions[actor->motion] : NULL;
}

void tr_actor_end_perform(tr_actor *actor) {
    if (!tr_cast_walks(actor->nature.cast)) {
        actor->body.locomotion = (tr_locomotion_state){0};
        return;
    }
    actor->body.locomotion = tr_locomotion_standing(actor->nature.cast->locomotion, &actor->manner);
    tr_overlay_hold_feet(actor->overlay, &actor->driver.root, &actor->body);
}
