// json_check FILE [KEY ...]: is the file one JSON document? Prints the value of each key ("grid.columns",
// "tasks.0.id") on a line.
#include "troupe/io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t find(const tr_json *json, const char *path) {
    uint32_t value = tr_json_root(json);
    while (*path && value != TR_NONE) {
        char key[64];
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        if (tr_json_kind_of(json, value) == TR_JSON_ARRAY)
            value = tr_json_item(json, value, (uint32_t)strtoul(key, NULL, 10));
        else
            value = tr_json_member(json, value, key);
        path += length + (path[length] == '.');
    }
    return value;
}

static bool print_value(const tr_json *json, uint32_t value) {
    switch (tr_json_kind_of(json, value)) {
    case TR_JSON_ABSENT:
        return false;
    case TR_JSON_NUMBER:
        printf("%.9g\n", tr_json_number(json, value));
        return true;
    case TR_JSON_STRING:
        printf("%s\n", tr_json_text(json, value, NULL));
        return true;
    case TR_JSON_BOOLEAN:
        puts(tr_json_boolean(json, value) ? "true" : "false");
        return true;
    case TR_JSON_NULL:
        puts("null");
        return true;
    default:
        printf("%u\n", tr_json_count(json, value));
        return true;
    }
}

int main(int count, char **arguments) {
    tr_bytes text = {NULL, 0};
    tr_json *json = NULL;
    tr_error error = {0};
    if (count < 2 || tr_file_read(NULL, arguments[1], &text, &error) != TR_OK ||
        tr_json_read(NULL, text.data, text.size, &json, &error) != TR_OK) {
        fprintf(stderr, "json_check: line %u: %s\n", error.line, error.message);
        tr_bytes_free(NULL, &text);
        return 1;
    }
    int missing = 0;
    for (int i = 2; i < count; i++)
        if (!print_value(json, find(json, arguments[i]))) {
            fprintf(stderr, "json_check: there is no %s\n", arguments[i]);
            missing = 1;
        }
    tr_json_destroy(json);
    tr_bytes_free(NULL, &text);
    return missing;
}
