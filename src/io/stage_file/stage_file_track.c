// A recorded mouse track in a stage file: "track".
#include "stage_file_data.h"

#include "troupe/base/scalar.h"

#define SPEED 1.2       // of a vector of length 1 that is dragged up [m/s]
#define TURN_DEGREES 60 // a second, of one that is dragged to the side

// [seconds, right, up] or [seconds, right, up, left]
typedef struct track_key {
    double numbers[4];
} track_key;

static tr_status read_key(const stage_reading *reading, uint32_t key, track_key *read) {
    uint32_t count =
        tr_json_kind_of(reading->json, key) == TR_JSON_ARRAY ? tr_json_count(reading->json, key) : 0;
    if (count != 3 && count != 4)
        return tr_json_fail(reading->json, key, reading->error,
                            "must be [seconds, right, up] or [seconds, right, up, aside]");
    *read = (track_key){0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = tr_json_item(reading->json, key, i);
        double least = i == 0 ? 0 : -1, most = i == 0 ? 36000 : 1,
               value = tr_json_number(reading->json, item);
        if (tr_json_kind_of(reading->json, item) != TR_JSON_NUMBER || !(value >= least && value <= most))
            return tr_json_fail(reading->json, item, reading->error, "must be a number from %g to %g", least,
                                most);
        read->numbers[i] = value;
    }
    return TR_OK;
}

// The vector of one key holds until the next.
static tr_order order_of(const track_key *key, const track_key *next, double speed, double turn) {
    return (tr_order){.kind = TR_ORDER_DRAG,
                      .drag = {(float)(key->numbers[2] * speed), (float)(-key->numbers[3] * speed),
                               (float)(-key->numbers[1] * turn)},
                      .seconds = next->numbers[0] - key->numbers[0]};
}

static tr_status give_keys(const stage_reading *reading, uint32_t list, uint32_t actor, double speed,
                           double turn,
                           tr_status (*give)(const stage_reading *reading, uint32_t value, uint32_t actor,
                                             const tr_order *order)) {
    uint32_t count = tr_json_count(reading->json, list);
    track_key key, next;
    tr_status status = read_key(reading, tr_json_item(reading->json, list, 0), &key);
    if (status == TR_OK && key.numbers[0] > 0) {
        tr_order wait = {.kind = TR_ORDER_WAIT, .seconds = key.numbers[0]};
        status = give(reading, list, actor, &wait);
    }
    for (uint32_t i = 1; i < count && status == TR_OK; i++, key = next) {
        uint32_t item = tr_json_item(reading->json, list, i);
        status = read_key(reading, item, &next);
        if (status == TR_OK && !(next.numbers[0] > key.numbers[0]))
            return tr_json_fail(reading->json, item, reading->error, "is at %g s, it must be later than %g s",
                                next.numbers[0], key.numbers[0]);
        if (status != TR_OK)
            return status;
        tr_order drag = order_of(&key, &next, speed, turn);
        status = give(reading, item, actor, &drag);
    }
    return status;
}

tr_status tr_stage_read_track(const stage_reading *reading, uint32_t value, uint32_t actor,
                              tr_status (*give)(const stage_reading *reading, uint32_t value, uint32_t actor,
                                                const tr_order *order)) {
    static const char *const known[] = {"track", "speed", "turn_degrees", NULL};
    uint32_t list = TR_NONE;
    double speed = SPEED, turn = TURN_DEGREES;
    tr_status status = tr_stage_check_keys(reading, value, known);
    if (status == TR_OK)
        status = tr_json_get_array(reading->json, value, "track", TR_JSON_REQUIRED, &list, reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "speed", TR_JSON_OPTIONAL, 0.1, 10, &speed,
                                    reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "turn_degrees", TR_JSON_OPTIONAL, 1, 720, &turn,
                                    reading->error);
    if (status != TR_OK)
        return status;
    uint32_t count = tr_json_count(reading->json, list);
    if (count < 2 || count > TR_STAGE_FILE_TRACK_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has %u keys, it must be 2 to %d", count,
                            TR_STAGE_FILE_TRACK_MAX);
    return give_keys(reading, list, actor, speed, turn * TR_PI / 180, give);
}
