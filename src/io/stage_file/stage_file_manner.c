// How the characters of a stage file differ in the way they move: "variety", "seed" and "style".
#include "stage_file_data.h"

tr_status tr_stage_read_variety(const stage_reading *reading, uint32_t object, double *variety,
                                uint64_t *seed) {
    int64_t number = 0;
    tr_status status =
        tr_json_get_number(reading->json, object, "variety", TR_JSON_OPTIONAL, 0, 1, variety, reading->error);
    if (status == TR_OK)
        status = tr_json_get_integer(reading->json, object, "seed", TR_JSON_OPTIONAL, 0, INT64_MAX, &number,
                                     reading->error);
    *seed = (uint64_t)number;
    return status;
}

static tr_status read_style(const stage_reading *reading, uint32_t character, tr_style *style) {
    static const char *const known[] = {"brisk", "tired", "cautious", "carrying", "proud", NULL};
    float *const shares[] = {&style->brisk, &style->tired, &style->cautious, &style->carrying, &style->proud};
    uint32_t object = TR_NONE;
    tr_status status =
        tr_json_get_object(reading->json, character, "style", TR_JSON_OPTIONAL, &object, reading->error);
    if (status != TR_OK || object == TR_NONE)
        return status;
    status = tr_stage_check_keys(reading, object, known);
    for (size_t i = 0; known[i] && status == TR_OK; i++) {
        double share = 0;
        status = tr_json_get_number(reading->json, object, known[i], TR_JSON_OPTIONAL, 0, 1, &share,
                                    reading->error);
        *shares[i] = (float)share;
    }
    return status;
}

tr_status tr_stage_read_manner(const stage_reading *reading, uint32_t character, tr_stage_actor_def *def) {
    double variety = 1;
    tr_style style = {0};
    tr_status status = tr_stage_read_variety(reading, character, &variety, &def->seed);
    if (status == TR_OK)
        status = read_style(reading, character, &style);
    def->plain = (float)(1 - variety);
    def->manner = tr_manner_of_style(&style);
    return status;
}
