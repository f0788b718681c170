#include "reach_file_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

bool tr_reach_file_has(const reach_reading *reading, uint32_t object, const char *key) {
    tr_json_kind kind = tr_json_kind_of(reading->json, tr_json_member(reading->json, object, key));
    return kind != TR_JSON_ABSENT && kind != TR_JSON_NULL;
}

// With Z up the body looks along X and has Y on its left: a cyclic permutation of the axes.
tr_vec3 tr_reach_file_to_body(const tr_reach_file *file, const double point[3]) {
    return file->up == TR_UP_Z ? tr_vec3_make((float)point[1], (float)point[2], (float)point[0])
                               : tr_vec3_make((float)point[0], (float)point[1], (float)point[2]);
}

// As io/scene_file rotates scenes: by -90 degrees about X.
tr_vec3 tr_reach_file_to_world(const tr_reach_file *file, const double point[3]) {
    return file->up == TR_UP_Z ? tr_vec3_make((float)point[0], (float)point[2], (float)-point[1])
                               : tr_vec3_make((float)point[0], (float)point[1], (float)point[2]);
}

tr_vec3 tr_reach_file_point(const tr_reach_file *file, tr_vec3 world) {
    return file->up == TR_UP_Z ? tr_vec3_make(world.x, -world.z, world.y) : world;
}

tr_status tr_reach_file_get_point(const reach_reading *reading, uint32_t object, const char *key,
                                  tr_json_need need, double point[3]) {
    tr_status status = tr_json_get_numbers(reading->json, object, key, need, point, 3, reading->error);
    bool given = tr_reach_file_has(reading, object, key);
    for (uint32_t i = 0; i < 3 && status == TR_OK && given; i++)
        if (!(point[i] >= -REACH_FILE_EXTENT && point[i] <= REACH_FILE_EXTENT))
            return tr_json_fail(
                reading->json, tr_json_item(reading->json, tr_json_member(reading->json, object, key), i),
                reading->error, "is %g, it must be within %g of 0", point[i], REACH_FILE_EXTENT);
    return status;
}

void tr_reach_file_note_keys(const reach_reading *reading, uint32_t object, const char *const *known) {
    for (uint32_t i = 0; i < tr_json_count(reading->json, object) && reading->options.note; i++) {
        uint32_t member = tr_json_item(reading->json, object, i);
        const char *key = tr_json_key(reading->json, member);
        const char *const *at = known;
        while (*at && strcmp(*at, key) != 0)
            at++;
        if (*at || key[0] == '$' || strcmp(key, "comment") == 0)
            continue;
        tr_error sentence = {0};
        tr_json_fail(reading->json, member, &sentence, "is not a known key and is ignored");
        reading->options.note(reading->options.note_user, sentence.message);
    }
}

static char small_letter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

// The axis before a word in a text like "Z up, X forward": 'z' for "up"; 0 if the word is absent.
static char axis_before(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; *at; at++) {
        size_t same = 0;
        while (same < length && small_letter(at[same]) == word[same])
            same++;
        bool is_whole = same == length && (small_letter(at[same]) < 'a' || small_letter(at[same]) > 'z');
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '-'))
            before--;
        if (is_whole && before > text && before < at)
            return small_letter(before[-1]);
    }
    return 0;
}

// "frame" is prose for people. The axes it states must be those that this reader uses.
static tr_status read_frame(reach_reading *reading, tr_up_axis *up) {
    const char *text = NULL;
    tr_status status =
        tr_json_get_text(reading->json, reading->root, "frame", TR_JSON_OPTIONAL, &text, reading->error);
    if (status != TR_OK || !text)
        return status;
    uint32_t value = tr_json_member(reading->json, reading->root, "frame");
    char axis = axis_before(text, "up");
    if (axis && axis != 'y' && axis != 'z')
        return tr_json_fail(reading->json, value, reading->error,
                            "is \"%.60s\", but the axis that is up must be Y or Z", text);
    if (axis && *up == TR_UP_FROM_FORMAT)
        *up = axis == 'z' ? TR_UP_Z : TR_UP_Y;
    bool z = *up == TR_UP_Z;
    const char ahead = axis_before(text, "forward"), left = axis_before(text, "left");
    if ((ahead && ahead != (z ? 'x' : 'z')) || (left && left != (z ? 'y' : 'x')))
        return tr_json_fail(
            reading->json, value, reading->error,
            "is \"%.60s\", but with %s up the body must look along %s and have %s on its left", text,
            z ? "Z" : "Y", z ? "X" : "Z", z ? "Y" : "X");
    return TR_OK;
}

static tr_status read_axes(reach_reading *reading) {
    const char *text = NULL;
    tr_up_axis up = reading->options.up;
    tr_status status =
        tr_json_get_text(reading->json, reading->root, "up", TR_JSON_OPTIONAL, &text, reading->error);
    if (status != TR_OK)
        return status;
    if (text && strcmp(text, "y") != 0 && strcmp(text, "z") != 0)
        return tr_json_fail(reading->json, tr_json_member(reading->json, reading->root, "up"), reading->error,
                            "is \"%.20s\", it must be y or z", text);
    if (text && up == TR_UP_FROM_FORMAT)
        up = text[0] == 'z' ? TR_UP_Z : TR_UP_Y;
    status = read_frame(reading, &up);
    reading->file->up = up == TR_UP_Z ? TR_UP_Z : TR_UP_Y;
    return status;
}

// The scene of the tasks: "mesh" in third-party files, "scene" in ours.
static tr_status read_scene_name(reach_reading *reading) {
    const char *name = "", *unit = "m, rad";
    const char *const keys[] = {"mesh", "scene"};
    for (int i = 0; i < 2; i++) {
        tr_status status =
            tr_json_get_text(reading->json, reading->root, keys[i], TR_JSON_OPTIONAL, &name, reading->error);
        if (status != TR_OK)
            return status;
        if (strlen(name) >= sizeof reading->file->scene)
            return tr_json_fail(reading->json, tr_json_member(reading->json, reading->root, keys[i]),
                                reading->error, "has %zu characters, the maximum is %zu", strlen(name),
                                sizeof reading->file->scene - 1);
    }
    memcpy(reading->file->scene, name, strlen(name) + 1);
    tr_status status =
        tr_json_get_text(reading->json, reading->root, "units", TR_JSON_OPTIONAL, &unit, reading->error);
    if (status == TR_OK && strcmp(unit, "m, rad") != 0)
        return tr_json_fail(reading->json, tr_json_member(reading->json, reading->root, "units"),
                            reading->error, "is \"%.20s\", it must be \"m, rad\"", unit);
    return status;
}

// "collision_rules" is prose for the contents of the keys "self" and "links".
static tr_status read_rules(reach_reading *reading) {
    const char *rules = NULL;
    double degrees = 25;
    reading->file->self = true;
    tr_status status = tr_json_get_boolean(reading->json, reading->root, "self", TR_JSON_OPTIONAL,
                                           &reading->file->self, reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, reading->root, "help", TR_JSON_OPTIONAL,
                                     &reading->file->help, reading->error);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, reading->root, "collision_rules", TR_JSON_OPTIONAL, &rules,
                                  reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, reading->root, "goal_hand_tol_deg", TR_JSON_OPTIONAL, 0,
                                    180, &degrees, reading->error);
    reading->tolerance = degrees * TR_PI / 180;
    return status;
}

static tr_status read_document(reach_reading *reading) {
    static const char *const known[] = {"up",
                                        "frame",
                                        "mesh",
                                        "scene",
                                        "units",
                                        "collision_rules",
                                        "self",
                                        "help",
                                        "arm",
                                        "body_capsules",
                                        "goal_hand_tol_deg",
                                        "title",
                                        "tasks",
                                        NULL};
    if (tr_json_kind_of(reading->json, reading->root) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, reading->root, reading->error,
                            "must be an object with \"arm\" and \"tasks\"");
    tr_reach_file_note_keys(reading, reading->root, known);
    tr_status (*const steps[])(reach_reading *) = {read_axes,
                                                   read_scene_name,
                                                   read_rules,
                                                   tr_reach_file_read_arm,
                                                   tr_reach_file_read_bodies,
                                                   tr_reach_file_read_tasks};
    tr_status status = TR_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == TR_OK; i++)
        status = steps[i](reading);
    return status;
}

tr_status tr_reach_file_read(const void *data, size_t size, const char *path,
                             const tr_reach_file_options *options, tr_reach_file *file, tr_error *error) {
    tr_error unwanted;
    tr_reach_file_options none = {0};
    if (!file)
        return tr_fail(error, TR_INVALID, "the tr_reach_file to read into is NULL");
    reach_reading reading = {.file = file, .options = options ? *options : none};
    reading.error = error ? error : &unwanted;
    memset(reading.error, 0, sizeof *reading.error);
    *file = (tr_reach_file){.allocator = tr_allocator_or_default(reading.options.allocator)};
    if (reading.options.up > TR_UP_Z)
        return tr_fail(error, TR_INVALID, "up is %d, it must be TR_UP_FROM_FORMAT, TR_UP_Y or TR_UP_Z",
                       (int)reading.options.up);
    tr_status status = tr_json_read(&file->allocator, data, size, &reading.json, reading.error);
    if (status == TR_OK) {
        reading.root = tr_json_root(reading.json);
        status = read_document(&reading);
    }
    tr_json_destroy(reading.json);
    if (status != TR_OK)
        tr_reach_file_destroy(file);
    if (status != TR_OK && path)
        tr_error_set_file(reading.error, path);
    return status;
}

void tr_reach_file_destroy(tr_reach_file *file) {
    if (!file)
        return;
    tr_allocator allocator = tr_allocator_or_default(file->allocator.resize ? &file->allocator : NULL);
    tr_release(&allocator, file->tasks, file->task_capacity, sizeof *file->tasks);
    *file = (tr_reach_file){.allocator = allocator};
}
