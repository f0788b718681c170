// "behaviors" of a character: true, or an object with weights of states, and where the behaviors come from.
// Characters with the same skeleton and the same value share one cast.
#include "stage_file_data.h"

#include <string.h>

#define WEIGHT_MOST 1000.0

tr_status tr_stage_read_weights(const stage_reading *reading, uint32_t value, tr_behavior *behaviors) {
    uint32_t weights = tr_json_member(reading->json, value, "weights");
    if (!tr_stage_has(reading, value, "weights"))
        return TR_OK;
    if (tr_json_kind_of(reading->json, weights) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, weights, reading->error,
                            "must be an object such as {\"jump\": 4}, with the cost of a metre");
    for (uint32_t i = 0; i < tr_json_count(reading->json, weights); i++) {
        uint32_t item = tr_json_item(reading->json, weights, i), state = 0;
        const char *name = tr_json_key(reading->json, item);
        double weight = 0;
        tr_status status = tr_json_get_number(reading->json, weights, name, TR_JSON_REQUIRED, 0.001,
                                              WEIGHT_MOST, &weight, reading->error);
        if (status != TR_OK)
            return status;
        if (!behaviors)
            continue;
        const tr_behavior_def *def = tr_behavior_def_of(behaviors);
        while (state < def->state_count && strcmp(def->states[state].name, name) != 0)
            state++;
        if (state == def->state_count)
            return tr_json_fail(reading->json, item, reading->error, "is no state of the machine \"%.60s\"",
                                def->name ? def->name : "");
        status = tr_behavior_set_weight(behaviors, state, (float)weight, reading->error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static tr_status make_cast(stage_reading *reading, uint32_t value, const tr_stage_kind *kind,
                           tr_behavior_cast **cast) {
    tr_stage_play *play = reading->play;
    void *casts = play->casts;
    if (play->cast_count + play->folder_count >= TR_STAGE_FILE_CASTS_MAX)
        return tr_json_fail(reading->json, value, reading->error,
                            "differs from %d others in body or weights, the maximum is %d",
                            TR_STAGE_FILE_CASTS_MAX, TR_STAGE_FILE_CASTS_MAX);
    if (!tr_reserve(&play->allocator, &casts, &play->cast_capacity, (uint64_t)play->cast_count + 1,
                    sizeof *play->casts))
        return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for behaviors");
    play->casts = casts;
    const char *name = tr_json_text(reading->json, tr_json_member(reading->json, value, "cast"), NULL);
    bool walker = name && strcmp(name, "walker") == 0;
    tr_behavior_cast_human_def def = {.allocator = &play->allocator,
                                      .set = walker ? TR_BEHAVIOR_CLIPS_WALKER : TR_BEHAVIOR_CLIPS_JOGGER,
                                      .skeleton = tr_character_skeleton(kind->character),
                                      .body = tr_character_body(kind->character)};
    tr_error why = {0};
    tr_status status = tr_behavior_cast_human(&def, cast, &why);
    if (status != TR_OK)
        return tr_stage_blame(reading, value, "cannot be created", status, &why);
    reading->casts[play->cast_count] = (struct stage_cast){value, def.skeleton};
    play->casts[play->cast_count++] = *cast; // from here on freed with the play
    return TR_OK;
}

tr_status tr_stage_read_behaviors(stage_reading *reading, uint32_t character, const tr_stage_kind *kind,
                                  tr_stage_actor_def *def) {
    static const char *const known[] = {"weights",  "where_needed", "cast", "machine",
                                        "captures", "walks",        NULL};
    const tr_json *json = reading->json;
    if (!tr_stage_has(reading, character, "behaviors"))
        return TR_OK;
    uint32_t value = tr_json_member(json, character, "behaviors");
    bool plain = tr_json_kind_of(json, value) == TR_JSON_BOOLEAN, wanted = true;
    if (!plain && tr_json_kind_of(json, value) != TR_JSON_OBJECT)
        return tr_json_fail(json, value, reading->error,
                            "must be true, false or an object such as {\"weights\": {\"jump\": 4}}");
    tr_status status =
        plain ? tr_json_get_boolean(json, character, "behaviors", TR_JSON_REQUIRED, &wanted, reading->error)
              : tr_stage_check_keys(reading, value, known);
    if (status == TR_OK && !plain)
        status = tr_json_get_boolean(json, value, "where_needed", TR_JSON_OPTIONAL,
                                     &def->behaviors_where_needed, reading->error);
    bool walks = true;
    if (status == TR_OK && !plain)
        status = tr_json_get_boolean(json, value, "walks", TR_JSON_OPTIONAL, &walks, reading->error);
    if (status == TR_OK && !plain)
        status = tr_stage_read_weights(reading, value, NULL);
    if (status == TR_OK && !plain)
        status = tr_stage_check_source(reading, character, value);
    if (status != TR_OK || !wanted || reading->options.check_only)
        return status;
    if (!tr_character_walks(kind->character) && def->behaviors_where_needed)
        return tr_json_fail(json, tr_json_member(json, value, "where_needed"), reading->error,
                            "is true, but the character moves by behaviors alone");
    def->behaviors = kind->behaviors;
    if (kind->behaviors)
        return TR_OK;
    if (!walks)
        return tr_json_fail(json, tr_json_member(json, value, "walks"), reading->error,
                            "is false, but these behaviors are those of a body that walks");
    tr_behavior_cast *cast = NULL;
    for (uint32_t i = 0; i < reading->play->cast_count && !cast; i++)
        if (reading->casts[i].skeleton == tr_character_skeleton(kind->character) &&
            tr_stage_same_value(json, reading->casts[i].value, value))
            cast = reading->play->casts[i];
    if (!cast)
        status = make_cast(reading, value, kind, &cast);
    if (status == TR_OK && !plain)
        status = tr_stage_read_weights(reading, value, cast->machine);
    def->behaviors = cast;
    return status;
}
