// `troupe gen tasks`: random tasks for an arm in one of the scenes to reach into, as a reach file.
#include "cli/reach/reach_draw.h"
#include "commands.h"
#include "gen.h"
#include "troupe/base/scalar.h"
#include "troupe/io/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_floats(tr_json_writer *json, const char *key, const float *values, uint32_t count) {
    tr_json_write_key(json, key);
    tr_json_write_array(json);
    for (uint32_t i = 0; i < count; i++)
        tr_json_write_float(json, values[i]);
    tr_json_write_end(json);
}

static void write_point(tr_json_writer *json, const char *key, tr_vec3 point) {
    const float values[3] = {point.x, point.y, point.z};
    write_floats(json, key, values, 3);
}

static void write_body(tr_json_writer *json, const tr_reach_body *body) {
    tr_json_write_object(json);
    write_point(json, "a", body->a);
    write_point(json, "b", body->b);
    tr_json_write_key(json, "r");
    tr_json_write_float(json, body->radius);
    tr_json_write_key(json, "on_trunk");
    tr_json_write_boolean(json, body->on_trunk);
    tr_json_write_end(json);
}

static void write_task(tr_json_writer *json, const tr_reach_task *task) {
    tr_json_write_object(json);
    tr_json_write_key(json, "id");
    tr_json_write_integer(json, task->id);
    tr_json_write_key(json, "name");
    tr_json_write_text(json, task->name);
    write_floats(json, "start_q", task->start.q, TR_ARM_JOINTS);
    write_point(json, "goal_wrist", task->position.wrist);
    write_point(json, "goal_hand_dir", task->pose.direction);
    tr_json_write_key(json, "goal_hand_tol_deg");
    tr_json_write_number(json, (double)task->pose.tolerance * 180 / TR_PI);
    write_floats(json, "goal_q_example", task->example.q, TR_ARM_JOINTS);
    tr_json_write_end(json);
}

static tr_status write_file(const tr_reach_file *file, float height, tr_bytes *text, tr_error *error) {
    tr_json_writer json = tr_json_writer_begin(NULL);
    tr_json_write_object(&json);
    tr_json_write_key(&json, "up");
    tr_json_write_text(&json, "y");
    tr_json_write_key(&json, "scene");
    tr_json_write_text(&json, file->scene);
    tr_json_write_key(&json, "arm");
    tr_json_write_object(&json);
    tr_json_write_key(&json, "side");
    tr_json_write_text(&json, "right");
    tr_json_write_key(&json, "height");
    tr_json_write_float(&json, height);
    tr_json_write_end(&json);
    tr_json_write_key(&json, "body_capsules");
    tr_json_write_array(&json);
    for (uint32_t i = 0; i < file->body_count; i++)
        write_body(&json, &file->bodies[i]);
    tr_json_write_end(&json);
    tr_json_write_key(&json, "tasks");
    tr_json_write_array(&json);
    for (uint32_t i = 0; i < file->task_count; i++)
        write_task(&json, &file->tasks[i]);
    tr_json_write_end(&json);
    tr_json_write_end(&json);
    return tr_json_writer_finish(&json, text, error);
}

int gen_tasks(const char *sample, uint64_t seed, uint32_t count, const char *path) {
    reach_draw_def def = {.sample = sample, .scene_seed = seed, .seed = seed + 1, .count = count};
    tr_scene *scene;
    tr_reach_file file;
    tr_bytes text = {NULL, 0};
    tr_error error = {0};
    tr_status status = reach_draw(&def, &scene, &file, &error);
    if (status == TR_OK) {
        status = write_file(&file, reach_draw_height(seed), &text, &error);
        tr_scene_destroy(scene);
        tr_reach_file_destroy(&file);
    }
    bool to_standard_output = strcmp(path, "-") == 0;
    if (status == TR_OK && to_standard_output)
        fwrite(text.data, 1, text.size, stdout);
    else if (status == TR_OK)
        status = tr_file_write(path, text.data, text.size, &error);
    tr_bytes_free(NULL, &text);
    if (status != TR_OK)
        return command_complain_of(&error);
    if (!to_standard_output)
        printf("%u tasks in the scene %s with the seed %" PRIu64 " written to %s\n", count, sample, seed,
               path);
    return COMMAND_DONE;
}
