#include "driver_parts.h"

#include <string.h>

tr_status tr_driver_task_create(const tr_allocator *allocator, uint32_t points, uint32_t footsteps,
                                tr_driver_task *task, tr_error *error) {
    *task = (tr_driver_task){0};
    tr_status status = tr_follow_route_create(allocator, points, &task->route, error);
    return status == TR_OK ? tr_driver_task_reserve(allocator, points, footsteps, task, error) : status;
}

tr_status tr_driver_task_reserve(const tr_allocator *allocator, uint32_t points, uint32_t footsteps,
                                 tr_driver_task *task, tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    void *stretches = task->stretches, *prints = task->footsteps;
    bool room = tr_reserve(&own, &stretches, &task->point_room, points, sizeof *task->stretches) &&
                tr_follow_route_reserve(task->route, task->point_room) == TR_OK;
    task->stretches = stretches;
    void *heights = task->heights;
    room = room && tr_reserve(&own, &heights, &task->height_room, task->point_room, sizeof *task->heights);
    task->heights = heights;
    room = room && (footsteps == 0 ||
                    tr_reserve(&own, &prints, &task->footstep_room, footsteps, sizeof *task->footsteps));
    task->footsteps = prints;
    return room ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the task of a driver");
}

void tr_driver_task_destroy(const tr_allocator *allocator, tr_driver_task *task) {
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_release(&own, task->footsteps, task->footstep_room, sizeof *task->footsteps);
    tr_release(&own, task->heights, task->height_room, sizeof *task->heights);
    tr_release(&own, task->stretches, task->point_room, sizeof *task->stretches);
    tr_follow_route_destroy(task->route);
}

tr_status tr_driver_task_copy_route(tr_driver_task *to, const tr_driver_task *from) {
    if (from->point_count > to->point_room || tr_follow_route_copy(to->route, from->route) != TR_OK)
        return TR_LIMIT;
    memcpy(to->stretches, from->stretches, from->stretch_count * sizeof *from->stretches);
    memcpy(to->heights, from->heights, from->height_count * sizeof *from->heights);
    to->height_count = from->height_count;
    to->stretch_count = from->stretch_count;
    to->point_count = from->point_count;
    to->follow = from->follow;
    return TR_OK;
}

static const tr_driver *const drivers[TR_DRIVER_KINDS] = {[TR_DRIVER_GAIT] = &tr_driver_gait,
                                                          [TR_DRIVER_STEPS] = &tr_driver_steps,
                                                          [TR_DRIVER_RIDE] = &tr_driver_rides,
                                                          [TR_DRIVER_PERFORM] = &tr_driver_performs};

const tr_driver *tr_driver_of(const tr_driver_state *state) {
    return drivers[state->root.kind];
}
