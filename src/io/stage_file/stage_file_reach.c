// Orders for arms in a stage file: "reach" and "lower".
#include "stage_file_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

// One of the words, each with the hands it stands for.
typedef struct hand_word {
    const char *word;
    uint32_t hands;
} hand_word;

static tr_status get_hands(const stage_reading *reading, uint32_t object, const char *key,
                           const hand_word words[3], uint32_t *hands) {
    const char *text = NULL;
    tr_status status = tr_json_get_text(reading->json, object, key, TR_JSON_OPTIONAL, &text, reading->error);
    if (status != TR_OK || !text)
        return status;
    for (int i = 0; i < 3; i++)
        if (strcmp(words[i].word, text) == 0) {
            *hands = words[i].hands;
            return TR_OK;
        }
    return tr_json_fail(reading->json, tr_json_member(reading->json, object, key), reading->error,
                        "is \"%.20s\", it must be %s, %s or %s", text, words[0].word, words[1].word,
                        words[2].word);
}

static tr_status get_place(const stage_reading *reading, uint32_t object, const char *key, tr_vec3 *place) {
    double numbers[3] = {0};
    tr_status status = tr_stage_get_metres(reading, object, key, numbers, 3);
    *place = tr_vec3_make((float)numbers[0], (float)numbers[1], (float)numbers[2]);
    return status;
}

static tr_status get_direction(const stage_reading *reading, uint32_t object, tr_order *order) {
    double numbers[3] = {0};
    tr_status status =
        tr_json_get_numbers(reading->json, object, "direction", TR_JSON_OPTIONAL, numbers, 3, reading->error);
    order->has_direction = status == TR_OK && tr_stage_has(reading, object, "direction");
    if (!order->has_direction)
        return status;
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fabs(numbers[i]) > most ? fabs(numbers[i]) : most;
    if (!(most > 0 && most < INFINITY))
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, "direction"), reading->error,
                            "is [%g, %g, %g], it must not have length 0", numbers[0], numbers[1], numbers[2]);
    order->direction =
        tr_vec3_make((float)(numbers[0] / most), (float)(numbers[1] / most), (float)(numbers[2] / most));
    return TR_OK;
}

static tr_status get_object(const stage_reading *reading, uint32_t object, tr_order *order) {
    const char *name = NULL;
    tr_status status =
        tr_json_get_text(reading->json, object, "object", TR_JSON_OPTIONAL, &name, reading->error);
    order->has_object = status == TR_OK && name;
    if (!order->has_object || reading->options.check_only)
        return status;
    return tr_stage_find_object(reading, object, name, &order->object);
}

static tr_status get_times(const stage_reading *reading, uint32_t object, tr_order *order) {
    double degrees = 0;
    tr_status status = tr_json_get_number(reading->json, object, "tolerance_degrees", TR_JSON_OPTIONAL, 0.1,
                                          180, &degrees, reading->error);
    order->tolerance = (float)(degrees * TR_PI / 180);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, object, "seconds", TR_JSON_OPTIONAL, 0.1, 60,
                                    &order->seconds, reading->error);
    return status == TR_OK ? tr_json_get_number(reading->json, object, "hold", TR_JSON_OPTIONAL, 0, 36000,
                                                &order->hold, reading->error)
                           : status;
}

static tr_status read_details(const stage_reading *reading, uint32_t object, tr_order *order) {
    static const char *const known[] = {"at",      "object", "hand", "direction", "tolerance_degrees",
                                        "seconds", "hold",   NULL};
    static const hand_word words[3] = {{"right", TR_HAND_RIGHT}, {"left", TR_HAND_LEFT}, {"either", 0}};
    tr_status status = tr_stage_check_keys(reading, object, known);
    if (status == TR_OK && tr_stage_has(reading, object, "at") == tr_stage_has(reading, object, "object"))
        return tr_json_fail(reading->json, object, reading->error,
                            "must have either \"at\" (a point) or \"object\" (a name)");
    if (status == TR_OK)
        status = get_place(reading, object, "at", &order->point);
    if (status == TR_OK)
        status = get_hands(reading, object, "hand", words, &order->hands);
    if (status == TR_OK)
        status = get_direction(reading, object, order);
    if (status == TR_OK)
        status = get_times(reading, object, order);
    return status == TR_OK ? get_object(reading, object, order) : status;
}

tr_status tr_stage_read_reach(const stage_reading *reading, uint32_t value, tr_order *order) {
    static const char *const known[] = {"reach", NULL};
    order->kind = TR_ORDER_REACH;
    tr_status status = tr_stage_check_keys(reading, value, known);
    if (status != TR_OK)
        return status;
    uint32_t what = tr_json_member(reading->json, value, "reach");
    tr_json_kind kind = tr_json_kind_of(reading->json, what);
    if (kind == TR_JSON_ARRAY)
        return get_place(reading, value, "reach", &order->point);
    if (kind == TR_JSON_OBJECT)
        return read_details(reading, what, order);
    return tr_json_fail(reading->json, what, reading->error,
                        "must be [x, y, z] or an object with \"at\" or \"object\"");
}

tr_status tr_stage_read_lower(const stage_reading *reading, uint32_t value, tr_order *order) {
    static const char *const known[] = {"lower", NULL};
    static const hand_word words[3] = {{"right", TR_HAND_RIGHT}, {"left", TR_HAND_LEFT}, {"both", 0}};
    order->kind = TR_ORDER_LOWER;
    tr_status status = tr_stage_check_keys(reading, value, known);
    return status == TR_OK ? get_hands(reading, value, "lower", words, &order->hands) : status;
}
