// The upper body of an actor among obstacles, and understudies, which rehearse what an actor will do.
#include "actor_data.h"

tr_status tr_actor_prepare_upper(tr_actor *actor, const tr_upper *upper, tr_error *error) {
    return tr_overlay_prepare_comply(actor->overlay, upper, error);
}

void tr_actor_set_departures(tr_actor *actor, const tr_comply_pose *departures, uint32_t count) {
    tr_overlay_set_departures(actor->overlay, departures, count);
}

bool tr_actor_departs(const tr_actor *actor) {
    return tr_overlay_departs(actor->overlay);
}

bool tr_actor_has_departures(const tr_actor *actor) {
    return tr_overlay_has_departures(actor->overlay);
}

bool tr_actor_departure(const tr_actor *actor, tr_overlay_departure_view *view) {
    return tr_overlay_departure(actor->overlay, view);
}

tr_status tr_actor_mimic(tr_actor *to, const tr_actor *from) {
    if (to->nature.cast != from->nature.cast)
        return TR_INVALID;
    const tr_driver_task *task = &from->task;
    uint32_t steps = from->driver.root.kind == TR_DRIVER_STEPS ? from->driver.root.footstep_count : 0;
    if (steps > to->task.footstep_room || tr_driver_task_copy_route(&to->task, task) != TR_OK)
        return TR_LIMIT;
    if (steps > 0)
        memcpy(to->task.footsteps, task->footsteps, steps * sizeof *task->footsteps);
    to->task.footstep_motion = task->footstep_motion;
    to->task.footstep_speed = task->footstep_speed;
    to->nature = from->nature;
    to->driver = from->driver;
    to->manner = from->manner;
    tr_pose *pose = to->body.pose;
    tr_affine *model = to->body.model;
    to->body = from->body;
    to->body.pose = pose;
    to->body.model = model;
    to->body.locomotion.manner = &to->manner;
    to->body.next = NULL;
    tr_pose_copy(pose, from->body.pose);
    memcpy(model, from->body.model, to->joint_count * sizeof *model);
    tr_overlay_plain_hips(from->overlay, &model[to->nature.cast->legs.hips]);
    tr_overlay_mimic(to->overlay, from->overlay);
    to->before = from->before;
    to->ticks = from->ticks;
    tr_actor_trail_forget(to);
    return TR_OK;
}
