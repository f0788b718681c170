// Write a document, read it back with ranges checked, print the sentence for one that breaks a rule, and list
// every value of a document whose members nobody knows beforehand.
#include "troupe/io/json.h"

#include <stdio.h>

static tr_status write_route(tr_bytes *text, tr_error *error) {
    static const double points[3][2] = {{0, 0}, {1.5, 0.25}, {3, 2}};
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "status");
    tr_json_write_text(&writer, "ok");
    tr_json_write_key(&writer, "complete");
    tr_json_write_boolean(&writer, true);
    tr_json_write_key(&writer, "length");
    tr_json_write_number(&writer, 3.82);
    tr_json_write_key(&writer, "points");
    tr_json_write_array(&writer);
    for (int i = 0; i < 3; i++) {
        tr_json_write_array(&writer);
        tr_json_write_number(&writer, points[i][0]);
        tr_json_write_number(&writer, points[i][1]);
        tr_json_write_end(&writer);
    }
    tr_json_write_end(&writer);
    tr_json_write_end(&writer);
    return tr_json_writer_finish(&writer, text, error);
}

static void list(const tr_json *json, uint32_t value) {
    char path[80];
    switch (tr_json_kind_of(json, value)) {
    case TR_JSON_ARRAY:
    case TR_JSON_OBJECT:
        for (uint32_t i = 0; i < tr_json_count(json, value); i++)
            list(json, tr_json_item(json, value, i));
        return;
    case TR_JSON_BOOLEAN:
        printf("  %s: %s\n", tr_json_path(json, value, path, sizeof path),
               tr_json_boolean(json, value) ? "yes" : "no");
        return;
    case TR_JSON_NUMBER:
        printf("  %s: %g\n", tr_json_path(json, value, path, sizeof path), tr_json_number(json, value));
        return;
    default: // a string, or null, whose text is ""
        printf("  %s: \"%s\"\n", tr_json_path(json, value, path, sizeof path),
               tr_json_text(json, value, NULL));
    }
}

int main(void) {
    tr_error error = {0};
    tr_bytes text;
    tr_json *json = NULL;
    double length = 0;
    int64_t floors = 1; // stays, because the document does not name it
    if (write_route(&text, &error) != TR_OK ||
        tr_json_read(NULL, text.data, text.size, &json, &error) != TR_OK)
        return 1;
    printf("%.*s", (int)text.size, (const char *)text.data);
    uint32_t root = tr_json_root(json), points = TR_NONE;
    if (tr_json_get_number(json, root, "length", TR_JSON_REQUIRED, 0, 1e6, &length, &error) != TR_OK ||
        tr_json_get_integer(json, root, "floors", TR_JSON_OPTIONAL, 1, 100, &floors, &error) != TR_OK ||
        tr_json_get_array(json, root, "points", TR_JSON_REQUIRED, &points, &error) != TR_OK)
        return 1;
    printf("%g m over %u points on %d floor\n", length, tr_json_count(json, points), (int)floors);
    // The same member with a range that it breaks:
    tr_status status = tr_json_get_number(json, root, "length", TR_JSON_REQUIRED, 5, 10, &length, &error);
    printf("line %u: %s\n", error.line, error.message);
    puts("all values:");
    list(json, root);
    tr_json_destroy(json);
    tr_bytes_free(NULL, &text);
    return status == TR_BAD_FILE ? 0 : 1;
}
