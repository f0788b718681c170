#include "json_data.h"
#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A value of the wrong kind counts as absent.
static const json_value *find(const tr_json *json, uint32_t value) {
    return json && value < json->value_count ? &json->values[value] : NULL;
}

static const json_value *find_kind(const tr_json *json, uint32_t value, tr_json_kind kind) {
    const json_value *found = find(json, value);
    return found && found->kind == kind ? found : NULL;
}

uint32_t tr_json_root(const tr_json *json) {
    return json && json->value_count ? json->value_count - 1 : TR_NONE;
}

tr_json_kind tr_json_kind_of(const tr_json *json, uint32_t value) {
    const json_value *found = find(json, value);
    return found ? found->kind : TR_JSON_ABSENT;
}

uint32_t tr_json_count(const tr_json *json, uint32_t value) {
    const json_value *found = find(json, value);
    return found && found->kind >= TR_JSON_ARRAY ? found->is.span.count : 0;
}

uint32_t tr_json_item(const tr_json *json, uint32_t array, uint32_t index) {
    return index < tr_json_count(json, array) ? json->values[array].is.span.first + index : TR_NONE;
}

static uint32_t find_in_table(const tr_json *json, uint32_t object, const char *key) {
    for (uint32_t place = json_table_place(json, object, key);;
         place = (place + 1) & (json->table_size - 1)) {
        uint32_t member = json->table[place];
        if (member == TR_NONE || (json->values[member].parent == object &&
                                  strcmp(json->strings + json->values[member].key, key) == 0))
            return member;
    }
}

uint32_t tr_json_member(const tr_json *json, uint32_t object, const char *key) {
    const json_value *found = find_kind(json, object, TR_JSON_OBJECT);
    if (found && found->is.span.count > JSON_LARGE)
        return find_in_table(json, object, key);
    for (uint32_t i = found ? found->is.span.count : 0; i > 0; i--) {
        uint32_t member = found->is.span.first + i - 1;
        if (strcmp(json->strings + json->values[member].key, key) == 0)
            return member;
    }
    return TR_NONE;
}

const char *tr_json_key(const tr_json *json, uint32_t member) {
    const json_value *found = find(json, member);
    return found && found->key != TR_NONE ? json->strings + found->key : "";
}

double tr_json_number(const tr_json *json, uint32_t value) {
    const json_value *found = find_kind(json, value, TR_JSON_NUMBER);
    return found ? found->is.number : 0;
}

bool tr_json_boolean(const tr_json *json, uint32_t value) {
    const json_value *found = find_kind(json, value, TR_JSON_BOOLEAN);
    return found && found->is.number != 0;
}

const char *tr_json_text(const tr_json *json, uint32_t value, size_t *length) {
    const json_value *found = find_kind(json, value, TR_JSON_STRING);
    if (length)
        *length = found ? found->is.span.count : 0;
    return found ? json->strings + found->is.span.first : "";
}

uint32_t tr_json_line(const tr_json *json, uint32_t value) {
    const json_value *found = find(json, value);
    return found ? found->line : 0;
}

uint64_t tr_json_offset(const tr_json *json, uint32_t value) {
    const json_value *found = find(json, value);
    return found ? found->offset : 0;
}

const char *tr_json_path(const tr_json *json, uint32_t value, char *text, size_t size) {
    if (size == 0)
        return text;
    const json_value *found = find(json, value);
    if (!found || found->parent == TR_NONE) {
        snprintf(text, size, "%s", found ? "the document" : "nothing");
        return text;
    }
    uint32_t chain[TR_JSON_DEPTH_MAX + 1], depth = 0;
    for (uint32_t at = value; json->values[at].parent != TR_NONE && depth <= TR_JSON_DEPTH_MAX;
         at = json->values[at].parent)
        chain[depth++] = at;
    size_t used = 0;
    text[0] = 0;
    while (depth-- > 0 && used + 1 < size) {
        const json_value *step = &json->values[chain[depth]];
        int length;
        if (step->key != TR_NONE)
            length = snprintf(text + used, size - used, "%s%s", used ? "." : "", json->strings + step->key);
        else
            length = snprintf(text + used, size - used, "[%" PRIu32 "]",
                              chain[depth] - json->values[step->parent].is.span.first);
        used += length > 0 ? (size_t)length : 0;
    }
    return text;
}

tr_status tr_json_fail(const tr_json *json, uint32_t value, tr_error *error, const char *format, ...) {
    if (!error)
        return TR_BAD_FILE;
    char path[160], sentence[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    tr_fail(error, TR_BAD_FILE, "%s %s", tr_json_path(json, value, path, sizeof path), sentence);
    error->line = tr_json_line(json, value);
    error->offset = tr_json_offset(json, value);
    return TR_BAD_FILE;
}

static const char *kind_name(tr_json_kind kind) {
    static const char *const names[] = {"missing",  "null",     "a boolean", "a number",
                                        "a string", "an array", "an object"};
    return names[kind];
}

// Finds a member of the right kind; TR_NONE in *member: it is absent and optional.
static tr_status get(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                     tr_json_kind kind, uint32_t *member, tr_error *error) {
    tr_json_kind object_kind = tr_json_kind_of(json, object);
    if (object_kind != TR_JSON_OBJECT)
        return tr_json_fail(json, object, error, "is %s, it must be an object", kind_name(object_kind));
    *member = tr_json_member(json, object, key);
    tr_json_kind found = tr_json_kind_of(json, *member);
    if (found == TR_JSON_ABSENT && need == TR_JSON_REQUIRED)
        return tr_json_fail(json, object, error, "has no \"%s\", which is required", key);
    if (found == TR_JSON_NULL && need == TR_JSON_OPTIONAL)
        *member = TR_NONE;
    else if (found != TR_JSON_ABSENT && found != kind)
        return tr_json_fail(json, *member, error, "is %s, it must be %s", kind_name(found), kind_name(kind));
    return TR_OK;
}

tr_status tr_json_get_number(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                             double low, double high, double *number, tr_error *error) {
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_NUMBER, &member, error);
    if (status != TR_OK || member == TR_NONE)
        return status;
    double found = json->values[member].is.number;
    char text[TR_NUMBER_TEXT], limit[TR_NUMBER_TEXT];
    tr_number_write(found, text);
    if (!(found >= low)) {
        tr_number_write(low, limit);
        return tr_json_fail(json, member, error, "is %s, it must be at least %s", text, limit);
    }
    if (!(found <= high)) {
        tr_number_write(high, limit);
        return tr_json_fail(json, member, error, "is %s, it must be at most %s", text, limit);
    }
    *number = found;
    return TR_OK;
}

tr_status tr_json_get_integer(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                              int64_t low, int64_t high, int64_t *integer, tr_error *error) {
    const double exact_limit = 9007199254740992.0; // beyond 2^53 a double cannot represent all integers
    double number = 0;
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_NUMBER, &member, error);
    if (status != TR_OK || member == TR_NONE)
        return status;
    number = json->values[member].is.number;
    if (!(number >= -exact_limit && number <= exact_limit) || number != (double)(int64_t)number) {
        char text[TR_NUMBER_TEXT];
        tr_number_write(number, text);
        return tr_json_fail(json, member, error, "is %s, it must be a whole number", text);
    }
    int64_t found = (int64_t)number;
    if (found < low)
        return tr_json_fail(json, member, error, "is %" PRId64 ", it must be at least %" PRId64, found, low);
    if (found > high)
        return tr_json_fail(json, member, error, "is %" PRId64 ", it must be at most %" PRId64, found, high);
    *integer = found;
    return TR_OK;
}

tr_status tr_json_get_boolean(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                              bool *boolean, tr_error *error) {
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_BOOLEAN, &member, error);
    if (status == TR_OK && member != TR_NONE)
        *boolean = json->values[member].is.number != 0;
    return status;
}

tr_status tr_json_get_text(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                           const char **text, tr_error *error) {
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_STRING, &member, error);
    if (status != TR_OK || member == TR_NONE)
        return status;
    size_t length;
    const char *found = tr_json_text(json, member, &length);
    if (strlen(found) != length)
        return tr_json_fail(json, member, error, "must not contain a zero character");
    *text = found;
    return TR_OK;
}

tr_status tr_json_get_array(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                            uint32_t *array, tr_error *error) {
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_ARRAY, &member, error);
    if (status == TR_OK && member != TR_NONE)
        *array = member;
    return status;
}

tr_status tr_json_get_object(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                             uint32_t *result, tr_error *error) {
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_OBJECT, &member, error);
    if (status == TR_OK && member != TR_NONE)
        *result = member;
    return status;
}

tr_status tr_json_get_numbers(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                              double *numbers, uint32_t count, tr_error *error) {
    uint32_t member = TR_NONE;
    tr_status status = get(json, object, key, need, TR_JSON_ARRAY, &member, error);
    if (status != TR_OK || member == TR_NONE)
        return status;
    const json_value *array = &json->values[member];
    if (array->is.span.count != count)
        return tr_json_fail(json, member, error, "has %" PRIu32 " items, it must have %" PRIu32,
                            array->is.span.count, count);
    for (uint32_t i = 0; i < count; i++) {
        tr_json_kind kind = json->values[array->is.span.first + i].kind;
        if (kind != TR_JSON_NUMBER)
            return tr_json_fail(json, array->is.span.first + i, error, "is %s, it must be a number",
                                kind_name(kind));
    }
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = json->values[array->is.span.first + i].is.number;
    return TR_OK;
}
