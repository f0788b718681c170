// Writes a driver and its task into bytes and reads them back.
#include "driver_parts.h"
#include "plan/plan_archive.h"
#include "follow_data.h"

#define FOOTSTEPS_MAX (1u << 16) // the most footsteps of a task
#define POINTS_MAX (1u << 20)
#define SPEED_MAX 100.0f // [m/s]

static void archive_root(tr_driver_root *root, const tr_cast *cast, tr_archive *archive) {
    tr_follow_archive_state(&root->state, archive);
    tr_archive_float(archive, &root->ground);
    tr_archive_bool(archive, &root->slopes);
    tr_archive_bool(archive, &root->ground_new);
    tr_archive_float(archive, &root->ground_off);
    tr_archive_float(archive, &root->final_heading);
    tr_archive_bool(archive, &root->has_route);
    tr_archive_bool(archive, &root->has_final);
    root->kind = (tr_driver_kind)tr_archive_choice(archive, root->kind, TR_DRIVER_KINDS);
    root->doing = (tr_driver_doing)tr_archive_choice(archive, root->doing, TR_DRIVER_PERFORMS + 1);
    tr_archive_u32(archive, &root->footstep_count);
    tr_archive_u32(archive, &root->footstep_next);
    tr_archive_u32(archive, &root->side);
    // 0: none; otherwise 1 + the index of a move of the cast
    uint32_t move = root->move ? 1 + (uint32_t)(root->move - cast->moves) : 0;
    move = tr_archive_choice(archive, move, cast->move_count + 1);
    root->move = move ? &cast->moves[move - 1] : NULL;
    tr_archive_double(archive, &root->move_time);
    tr_archive_float(archive, &root->move_begin.x);
    tr_archive_float(archive, &root->move_begin.z);
    tr_archive_float(archive, &root->move_begin.heading);
    tr_archive_float(archive, &root->move_scale);
    tr_archive_float(archive, &root->move_turn);
    tr_archive_vec2(archive, &root->move_way);
}

static void archive_ride(tr_driver_ride *ride, tr_archive *archive) {
    tr_archive_vec3(archive, &ride->from);
    tr_archive_vec3(archive, &ride->to);
    tr_archive_double(archive, &ride->time);
    tr_archive_float(archive, &ride->seconds);
    tr_archive_check(archive,
                     tr_vec3_is_finite(ride->from) && tr_vec3_is_finite(ride->to) && ride->time >= 0 &&
                         ride->seconds > 0 && ride->seconds < INFINITY,
                     "a saved ride has a place or a time out of range");
}

static void archive_stretch(tr_driver_stretch *stretch, tr_archive *archive) {
    tr_archive_float(archive, &stretch->begin);
    tr_archive_float(archive, &stretch->end);
    tr_archive_vec2(archive, &stretch->to);
    tr_archive_u8(archive, &stretch->passage);
    tr_archive_check(archive, stretch->passage <= TR_PASSAGE_SIDE, "a saved stretch has an unknown passage");
}

static void archive_task(tr_driver_task *task, uint32_t footstep_count, const tr_driver_nature *nature,
                         const tr_allocator *allocator, tr_archive *archive) {
    uint32_t points = tr_archive_count(archive, task->point_count, POINTS_MAX, "points of a route");
    if (points) {
        float speed = task->follow.speed;
        tr_archive_float(archive, &speed);
        tr_archive_check(archive, speed > 0 && speed <= SPEED_MAX, "a saved speed is out of range");
        if (tr_archive_reads(archive) && tr_archive_is_good(archive))
            task->follow = tr_driver_follow_params(nature, speed);
        tr_follow_archive_route(task->route, &task->follow, archive);
        if (tr_archive_reads(archive) && tr_archive_is_good(archive))
            tr_follow_announce(task->route, &task->follow, nature->dt);
    }
    uint32_t stretches = tr_archive_count(archive, task->stretch_count, points, "stretches of a route");
    uint32_t heights = tr_archive_count(archive, task->height_count, points, "heights of a route");
    if (tr_archive_reads(archive)) {
        task->point_count = task->stretch_count = task->height_count = 0;
        if (tr_driver_task_reserve(allocator, points, footstep_count, task, NULL) != TR_OK)
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for the task of a driver");
        if (!tr_archive_is_good(archive))
            return;
    }
    task->point_count = points;
    task->stretch_count = stretches;
    task->height_count = heights;
    for (uint32_t i = 0; i < stretches; i++)
        archive_stretch(&task->stretches[i], archive);
    for (uint32_t i = 0; i < heights; i++) {
        tr_archive_float(archive, &task->heights[i].along);
        tr_archive_float(archive, &task->heights[i].height);
    }
    for (uint32_t i = 0; i < footstep_count; i++)
        tr_footstep_archive(&task->footsteps[i], archive);
}

void tr_driver_archive(tr_driver_state *state, tr_driver_task *task, const tr_driver_nature *nature,
                       const tr_allocator *allocator, float (*floor)(void *user, tr_vec3 point),
                       void *floor_user, tr_archive *archive) {
    tr_driver_root *root = &state->root;
    archive_root(root, nature->cast, archive);
    bool steps = root->kind == TR_DRIVER_STEPS;
    uint32_t footsteps =
        tr_archive_count(archive, steps ? root->footstep_count : 0, FOOTSTEPS_MAX, "footsteps");
    archive_task(task, footsteps, nature, allocator, archive);
    if (steps) {
        tr_archive_float(archive, &task->footstep_speed);
        tr_archive_check(archive, task->footstep_speed > 0 && task->footstep_speed <= SPEED_MAX,
                         "the pace of saved footsteps is out of range");
        tr_footstep_motion_archive(&state->steps, archive);
    }
    if (root->kind == TR_DRIVER_RIDE)
        archive_ride(&state->ride, archive);
    if (!tr_archive_reads(archive))
        return;
    tr_archive_check(archive,
                     !steps || (root->footstep_count == footsteps && root->footstep_next <= footsteps),
                     "a saved driver takes footsteps that are missing");
    tr_archive_check(archive, root->side <= task->stretch_count,
                     "the next stretch of a saved driver is missing");
    tr_archive_check(archive, !root->has_route || task->point_count > 0,
                     "a saved driver follows a route without points");
    task->footstep_motion = tr_driver_steps_params(nature, task->footstep_speed);
    task->footstep_motion.floor = floor;
    task->footstep_motion.floor_user = floor_user;
}
