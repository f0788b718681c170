// "moves" in a stage file: moving objects of the scene, given by keys of time and place.
#include "stage_file_data.h"

#include <string.h>

// The placements of the object at its keys.
typedef struct move_keys {
    double *times;
    tr_transform *transforms;
    uint32_t count;
} move_keys;

// [seconds, x, y, z]: the displacement at that time.
static tr_status read_key(const stage_reading *reading, uint32_t key, double numbers[4]) {
    if (tr_json_kind_of(reading->json, key) != TR_JSON_ARRAY || tr_json_count(reading->json, key) != 4)
        return tr_json_fail(reading->json, key, reading->error, "must be [seconds, x, y, z]");
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t item = tr_json_item(reading->json, key, i);
        if (tr_json_kind_of(reading->json, item) != TR_JSON_NUMBER)
            return tr_json_fail(reading->json, item, reading->error, "must be a number");
        numbers[i] = tr_json_number(reading->json, item);
        if (!(numbers[i] >= -STAGE_FILE_EXTENT && numbers[i] <= STAGE_FILE_EXTENT))
            return tr_json_fail(reading->json, item, reading->error, "is %g, it must be within %g of 0",
                                numbers[i], STAGE_FILE_EXTENT);
    }
    return TR_OK;
}

static tr_status read_keys(const stage_reading *reading, uint32_t list, tr_transform rest, move_keys *keys) {
    double last = -INFINITY;
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t key = tr_json_item(reading->json, list, i);
        double numbers[4];
        tr_status status = read_key(reading, key, numbers);
        if (status != TR_OK)
            return status;
        if (!(numbers[0] > last))
            return tr_json_fail(reading->json, key, reading->error, "is at %g s, it must be later than %g s",
                                numbers[0], last);
        last = numbers[0];
        keys->times[i] = last;
        keys->transforms[i] = rest;
        tr_vec3 by = {(float)numbers[1], (float)numbers[2], (float)numbers[3]};
        keys->transforms[i].position = tr_vec3_add(rest.position, by);
    }
    return TR_OK;
}

// The object moves from key to key, each relative to its place in the scene.
static tr_status give_motion(const stage_reading *reading, uint32_t value, uint32_t list, const char *name,
                             bool loop, move_keys *keys) {
    uint32_t object = TR_NONE;
    tr_transform rest = tr_transform_identity();
    if (!reading->options.check_only) {
        tr_status status = tr_stage_find_object(reading, value, name, &object);
        if (status != TR_OK)
            return status;
        tr_affine placement = tr_scene_object(reading->play->scene, object).placement;
        rest = tr_affine_to_transform(&placement);
    }
    tr_status status = read_keys(reading, list, rest, keys);
    if (status != TR_OK || reading->options.check_only)
        return status;
    tr_trajectory_def def = {keys->times, keys->transforms, keys->count, loop};
    tr_error why;
    return tr_stage_blame(reading, value, "cannot move",
                          tr_scene_set_trajectory(reading->play->scene, object, &def, &why), &why);
}

static tr_status read_move(const stage_reading *reading, uint32_t value) {
    static const char *const known[] = {"object", "keys", "loop", NULL};
    const tr_allocator *allocator = &reading->play->allocator;
    const char *name = NULL;
    uint32_t list = TR_NONE;
    bool loop = false;
    if (tr_json_kind_of(reading->json, value) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, value, reading->error,
                            "must be an object with \"object\" and \"keys\"");
    tr_status status = tr_stage_check_keys(reading, value, known);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, value, "object", TR_JSON_REQUIRED, &name, reading->error);
    if (status == TR_OK)
        status = tr_json_get_array(reading->json, value, "keys", TR_JSON_REQUIRED, &list, reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "loop", TR_JSON_OPTIONAL, &loop, reading->error);
    if (status != TR_OK)
        return status;
    move_keys keys = {.count = tr_json_count(reading->json, list)};
    if (keys.count == 0 || keys.count > TR_STAGE_FILE_KEYS_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has %u keys, it must be 1 to %d",
                            keys.count, TR_STAGE_FILE_KEYS_MAX);
    keys.times = tr_allocate(allocator, keys.count, sizeof *keys.times);
    keys.transforms = tr_allocate(allocator, keys.count, sizeof *keys.transforms);
    status = keys.times && keys.transforms
                 ? give_motion(reading, value, list, name, loop, &keys)
                 : tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for the keys of a move");
    tr_release(allocator, keys.times, keys.count, sizeof *keys.times);
    tr_release(allocator, keys.transforms, keys.count, sizeof *keys.transforms);
    return status;
}

tr_status tr_stage_read_moves(stage_reading *reading) {
    uint32_t list = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, reading->root, "moves", TR_JSON_OPTIONAL, &list, reading->error);
    uint32_t count = status == TR_OK ? tr_json_count(reading->json, list) : 0;
    if (count > TR_STAGE_FILE_MOVES_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has %u moves, the maximum is %d", count,
                            TR_STAGE_FILE_MOVES_MAX);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = read_move(reading, tr_json_item(reading->json, list, i));
    return status;
}
