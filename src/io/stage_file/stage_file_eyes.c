// "eyes" of a character: true, or an object with their properties.
#include "stage_file_data.h"
#include "troupe/base/scalar.h"

#define DEGREE (TR_PI / 180)

tr_status tr_stage_read_eyes(const stage_reading *reading, uint32_t character, tr_stage_eyes *eyes) {
    static const char *const known[] = {"stranger", "view_degrees", "range", "per_second", NULL};
    if (!tr_stage_has(reading, character, "eyes"))
        return TR_OK;
    uint32_t value = tr_json_member(reading->json, character, "eyes");
    if (tr_json_kind_of(reading->json, value) == TR_JSON_BOOLEAN)
        return tr_json_get_boolean(reading->json, character, "eyes", TR_JSON_REQUIRED, &eyes->open,
                                   reading->error);
    if (tr_json_kind_of(reading->json, value) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, value, reading->error,
                            "must be true, false or an object such as {\"stranger\": true}");
    double view = 120, range = 30, looks = 4;
    eyes->open = true;
    tr_status status = tr_stage_check_keys(reading, value, known);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "stranger", TR_JSON_OPTIONAL, &eyes->stranger,
                                     reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "view_degrees", TR_JSON_OPTIONAL, 10, 160, &view,
                                    reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "range", TR_JSON_OPTIONAL, 0.2, 10000, &range,
                                    reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "per_second", TR_JSON_OPTIONAL, 0.1, 30, &looks,
                                    reading->error);
    eyes->half_angle = (float)(view / 2 * DEGREE);
    eyes->range = (float)range;
    eyes->per_second = (float)looks;
    return status;
}
