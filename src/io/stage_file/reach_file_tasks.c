// The tasks of a task file.
#include "reach_file_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

static tr_status read_posture(const reach_reading *reading, uint32_t task, const char *key,
                              tr_posture *posture) {
    double angles[TR_ARM_JOINTS];
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        angles[i] = posture->q[i];
    tr_status status = tr_json_get_numbers(reading->json, task, key, TR_JSON_OPTIONAL, angles, TR_ARM_JOINTS,
                                           reading->error);
    for (uint32_t i = 0; i < TR_ARM_JOINTS && status == TR_OK; i++) {
        if (!(angles[i] >= -2 * TR_PI && angles[i] <= 2 * TR_PI))
            return tr_json_fail(reading->json,
                                tr_json_item(reading->json, tr_json_member(reading->json, task, key), i),
                                reading->error, "is %g rad, it must be -2 pi to 2 pi", angles[i]);
        posture->q[i] = (float)angles[i];
    }
    return status;
}

static tr_status read_direction(const reach_reading *reading, uint32_t task, tr_reach_task *made) {
    double direction[3] = {0}, degrees = reading->tolerance * 180 / TR_PI;
    made->has_pose = tr_reach_file_has(reading, task, "goal_hand_dir");
    tr_status status = tr_reach_file_get_point(reading, task, "goal_hand_dir", TR_JSON_OPTIONAL, direction);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, task, "goal_hand_tol_deg", TR_JSON_OPTIONAL, 0, 180,
                                    &degrees, reading->error);
    if (status != TR_OK || !made->has_pose)
        return status;
    double square = direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    if (!(square >= 1e-12))
        return tr_json_fail(reading->json, tr_json_member(reading->json, task, "goal_hand_dir"),
                            reading->error, "is [%g, %g, %g], it must be a direction", direction[0],
                            direction[1], direction[2]);
    for (int i = 0; i < 3; i++)
        direction[i] /= sqrt(square);
    made->pose.kind = TR_ARM_GOAL_DIRECTION;
    made->pose.direction = tr_reach_file_to_world(reading->file, direction);
    made->pose.tolerance = (float)(degrees * TR_PI / 180);
    return TR_OK;
}

static tr_status read_best(const reach_reading *reading, uint32_t task, tr_reach_task *made) {
    static const char *const keys[2] = {"best_known_position", "best_known_pose"};
    tr_status status = TR_OK;
    for (int i = 0; i < 2 && status == TR_OK; i++) {
        uint32_t best = TR_NONE;
        made->best_length[i] = made->best_wrist[i] = NAN;
        status = tr_json_get_object(reading->json, task, keys[i], TR_JSON_OPTIONAL, &best, reading->error);
        if (status == TR_OK && best != TR_NONE)
            status = tr_json_get_number(reading->json, best, "best_len_rad", TR_JSON_OPTIONAL, 0, 1e6,
                                        &made->best_length[i], reading->error);
        if (status == TR_OK && best != TR_NONE)
            status = tr_json_get_number(reading->json, best, "best_wrist_m", TR_JSON_OPTIONAL, 0, 1e6,
                                        &made->best_wrist[i], reading->error);
    }
    return status;
}

static tr_status read_label(const reach_reading *reading, uint32_t task, uint32_t number,
                            tr_reach_task *made) {
    const char *name = "";
    made->id = (int64_t)number + 1;
    made->line = tr_json_line(reading->json, task);
    tr_status status = tr_json_get_integer(reading->json, task, "id", TR_JSON_OPTIONAL, 0, (int64_t)1 << 53,
                                           &made->id, reading->error);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, task, "name", TR_JSON_OPTIONAL, &name, reading->error);
    if (status != TR_OK)
        return status;
    size_t length = strlen(name);
    if (length >= sizeof made->name) { // do not cut inside a UTF-8 character
        length = sizeof made->name - 1;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
            length--;
    }
    memcpy(made->name, name, length);
    for (uint32_t i = 0; i < number; i++)
        if (reading->file->tasks[i].id == made->id)
            return tr_json_fail(reading->json, task, reading->error, "has the id %lld of the task on line %u",
                                (long long)made->id, reading->file->tasks[i].line);
    return TR_OK;
}

static tr_status read_task(const reach_reading *reading, uint32_t task, uint32_t number,
                           tr_reach_task *made) {
    static const char *const known[] = {"id",
                                        "name",
                                        "start_q",
                                        "start_wrist",
                                        "goal_wrist",
                                        "goal_hand_dir",
                                        "goal_hand_tol_deg",
                                        "goal_q_example",
                                        "best_known_position",
                                        "best_known_pose",
                                        "goal_free_fraction_position",
                                        "goal_free_fraction_pose",
                                        "straight_line_m",
                                        NULL};
    double wrist[3] = {0};
    *made = (tr_reach_task){0};
    if (tr_json_kind_of(reading->json, task) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, task, reading->error, "must be an object with \"goal_wrist\"");
    tr_reach_file_note_keys(reading, task, known);
    tr_status status = read_label(reading, task, number, made);
    if (status == TR_OK)
        status = tr_reach_file_get_point(reading, task, "goal_wrist", TR_JSON_REQUIRED, wrist);
    if (status != TR_OK)
        return status;
    made->position.kind = TR_ARM_GOAL_POSITION;
    made->position.wrist = tr_reach_file_to_world(reading->file, wrist);
    made->position.rotation = tr_quat_identity();
    made->pose = made->position;
    made->start = tr_arm_clamp(&reading->file->arm, made->start);
    made->has_example = tr_reach_file_has(reading, task, "goal_q_example");
    status = read_direction(reading, task, made);
    if (status == TR_OK)
        status = read_posture(reading, task, "start_q", &made->start);
    if (status == TR_OK)
        status = read_posture(reading, task, "goal_q_example", &made->example);
    return status == TR_OK ? read_best(reading, task, made) : status;
}

tr_status tr_reach_file_read_tasks(reach_reading *reading) {
    tr_reach_file *file = reading->file;
    uint32_t list = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, reading->root, "tasks", TR_JSON_REQUIRED, &list, reading->error);
    if (status != TR_OK)
        return status;
    uint32_t count = tr_json_count(reading->json, list);
    if (count > TR_REACH_FILE_TASKS_MAX) {
        tr_json_fail(reading->json, list, reading->error, "has %u tasks, the maximum is %d", count,
                     TR_REACH_FILE_TASKS_MAX);
        return reading->error->status = TR_LIMIT;
    }
    if (!tr_reserve(&file->allocator, (void **)&file->tasks, &file->task_capacity, count,
                    sizeof *file->tasks))
        return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for %u tasks", count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        status = read_task(reading, tr_json_item(reading->json, list, i), i, &file->tasks[i]);
        file->task_count += status == TR_OK;
    }
    return status;
}
