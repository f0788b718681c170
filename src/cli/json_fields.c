#include "json_fields.h"

#include <stdio.h>

void json_field_number(tr_json_writer *writer, const char *key, double number) {
    tr_json_write_key(writer, key);
    tr_json_write_number(writer, number);
}

void json_field_float(tr_json_writer *writer, const char *key, float number) {
    tr_json_write_key(writer, key);
    tr_json_write_float(writer, number);
}

void json_field_count(tr_json_writer *writer, const char *key, uint64_t count) {
    tr_json_write_key(writer, key);
    tr_json_write_integer(writer, (int64_t)count);
}

void json_field_boolean(tr_json_writer *writer, const char *key, bool boolean) {
    tr_json_write_key(writer, key);
    tr_json_write_boolean(writer, boolean);
}

void json_field_text(tr_json_writer *writer, const char *key, const char *text) {
    tr_json_write_key(writer, key);
    if (text)
        tr_json_write_text(writer, text);
    else
        tr_json_write_null(writer);
}

void json_field_grid(tr_json_writer *writer, const char *key, const tr_grid *grid) {
    tr_json_write_key(writer, key);
    tr_json_write_object(writer);
    tr_json_write_key(writer, "origin");
    tr_json_write_array(writer);
    tr_json_write_float(writer, grid->origin.x);
    tr_json_write_float(writer, grid->origin.z);
    tr_json_write_end(writer);
    json_field_float(writer, "cell", grid->cell);
    json_field_count(writer, "columns", grid->columns);
    json_field_count(writer, "rows", grid->rows);
    tr_json_write_end(writer);
}

static void print_text(void *user, const char *text, size_t size) {
    fwrite(text, 1, size, user);
}

void json_print_part(tr_json_writer *writer) {
    tr_json_writer_drain(writer, print_text, stdout);
}

void json_drop(tr_json_writer *writer) {
    tr_bytes text;
    if (tr_json_writer_finish(writer, &text, NULL) == TR_OK)
        tr_bytes_free(NULL, &text);
}

tr_status json_print(tr_json_writer *writer, tr_error *error) {
    tr_bytes text;
    tr_status status = tr_json_writer_finish(writer, &text, error);
    if (status == TR_OK) {
        fwrite(text.data, 1, text.size, stdout);
        tr_bytes_free(NULL, &text);
    }
    return status;
}
