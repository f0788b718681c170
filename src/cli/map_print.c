#include "cli/map.h"
#include "troupe/io/json.h"

#include <inttypes.h>
#include <stdio.h>

static double percent(uint64_t part, uint64_t whole) {
    return 100.0 * (double)part / (double)whole;
}

// The greatest finite value of a plane, and the least; false when there is none.
static bool find_range(const float *plane, uint64_t count, double *least, double *greatest) {
    bool found = false;
    for (uint64_t i = 0; plane && i < count; i++) {
        double value = (double)plane[i];
        if (!isfinite(value))
            continue;
        *least = found ? fmin(*least, value) : value;
        *greatest = found ? fmax(*greatest, value) : value;
        found = true;
    }
    return found;
}

static void print_range(const char *name, const float *plane, uint64_t count) {
    double least, greatest;
    if (plane && find_range(plane, count, &least, &greatest))
        printf("%-10s %.2f m to %.2f m\n", name, least, greatest);
    else if (plane)
        printf("%-10s nothing\n", name);
}

void map_print_table(const map_result *result) {
    const tr_grid *grid = tr_footprint_grid(result->footprint);
    uint64_t free_cells = result->cells - result->blocked;
    printf("%-10s %s, %" PRIu64 " triangles in %u objects\n", "scene", result->scene_name, result->triangles,
           result->objects);
    printf("%-10s %u x %u cells of %g m, from x %g, z %g\n", "grid", grid->columns, grid->rows,
           (double)grid->cell, (double)grid->origin.x, (double)grid->origin.z);
    printf("%-10s height %g m to %g m, radius %g m, %s\n", "body", (double)result->band.low,
           (double)result->band.high, (double)result->radius,
           result->growth == TR_GROWTH_SAFE ? "safe" : "centres");
    printf("%-10s %s\n", "backend", result->backend);
    printf("%-10s %" PRIu64 " cells (%.1f %%)\n", "occupied", result->occupied,
           percent(result->occupied, result->cells));
    printf("%-10s %" PRIu64 " cells (%.1f %%)\n", "blocked", result->blocked,
           percent(result->blocked, result->cells));
    printf("%-10s %" PRIu64 " cells (%.1f %%)\n", "free", free_cells, percent(free_cells, result->cells));
    print_range("clearance", tr_footprint_clearance(result->footprint), result->cells);
    print_range("floor", tr_footprint_floor(result->footprint), result->cells);
    print_range("overhang", tr_footprint_overhang(result->footprint), result->cells);
    printf("%-10s project %.0f us, grow %.0f us, all %.0f us\n", "time", result->project_us, result->grow_us,
           result->build_us);
    if (result->picture)
        printf("%-10s %s\n", "picture", result->picture);
    if (result->height_picture)
        printf("%-10s %s\n", "heights", result->height_picture);
}

static void write_number(tr_json_writer *writer, const char *key, double number) {
    tr_json_write_key(writer, key);
    tr_json_write_number(writer, number);
}

static void write_float(tr_json_writer *writer, const char *key, float number) {
    tr_json_write_key(writer, key);
    tr_json_write_float(writer, number);
}

static void write_count(tr_json_writer *writer, const char *key, uint64_t count) {
    tr_json_write_key(writer, key);
    tr_json_write_integer(writer, (int64_t)count);
}

static void write_text(tr_json_writer *writer, const char *key, const char *text) {
    tr_json_write_key(writer, key);
    if (text)
        tr_json_write_text(writer, text);
    else
        tr_json_write_null(writer);
}

static void write_range(tr_json_writer *writer, const char *key, const float *plane, uint64_t count) {
    double least = 0, greatest = 0;
    if (!plane)
        return;
    tr_json_write_key(writer, key);
    if (!find_range(plane, count, &least, &greatest)) {
        tr_json_write_null(writer);
        return;
    }
    tr_json_write_object(writer);
    write_float(writer, "least", (float)least);
    write_float(writer, "greatest", (float)greatest);
    tr_json_write_end(writer);
}

static void write_grid(tr_json_writer *writer, const tr_grid *grid) {
    tr_json_write_key(writer, "grid");
    tr_json_write_object(writer);
    tr_json_write_key(writer, "origin");
    tr_json_write_array(writer);
    tr_json_write_float(writer, grid->origin.x);
    tr_json_write_float(writer, grid->origin.z);
    tr_json_write_end(writer);
    write_float(writer, "cell", grid->cell);
    write_count(writer, "columns", grid->columns);
    write_count(writer, "rows", grid->rows);
    tr_json_write_end(writer);
}

static void write_result(tr_json_writer *writer, const map_result *result) {
    write_text(writer, "scene", result->scene_name);
    write_count(writer, "triangles", result->triangles);
    write_count(writer, "objects", result->objects);
    write_text(writer, "backend", result->backend);
    write_grid(writer, tr_footprint_grid(result->footprint));
    tr_json_write_key(writer, "band");
    tr_json_write_array(writer);
    tr_json_write_float(writer, result->band.low);
    tr_json_write_float(writer, result->band.high);
    tr_json_write_end(writer);
    write_float(writer, "radius", result->radius);
    write_text(writer, "growth", result->growth == TR_GROWTH_SAFE ? "safe" : "centres");
    write_count(writer, "cells", result->cells);
    write_count(writer, "occupied", result->occupied);
    write_count(writer, "blocked", result->blocked);
    write_count(writer, "free", result->cells - result->blocked);
    write_number(writer, "free_share", (double)(result->cells - result->blocked) / (double)result->cells);
    write_range(writer, "clearance", tr_footprint_clearance(result->footprint), result->cells);
    write_range(writer, "floor", tr_footprint_floor(result->footprint), result->cells);
    write_range(writer, "overhang", tr_footprint_overhang(result->footprint), result->cells);
    write_number(writer, "prepare_us", result->prepare_us);
    write_number(writer, "project_us", result->project_us);
    write_number(writer, "grow_us", result->grow_us);
    write_number(writer, "build_us", result->build_us);
    write_number(writer, "bytes_per_cell", tr_footprint_bytes_per_cell(result->footprint));
    write_text(writer, "picture", result->picture);
    write_text(writer, "height_picture", result->height_picture);
}

tr_status map_print_json(const map_result *result, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    write_result(&writer, result);
    tr_json_write_end(&writer);
    tr_bytes text;
    tr_status status = tr_json_writer_finish(&writer, &text, error);
    if (status == TR_OK) {
        fwrite(text.data, 1, text.size, stdout);
        tr_bytes_free(NULL, &text);
    }
    return status;
}

void map_print_ascii(const map_result *result) {
    const tr_grid *grid = tr_footprint_grid(result->footprint);
    for (uint32_t row = 0; row < grid->rows; row++) {
        for (uint32_t column = 0; column < grid->columns; column++)
            putchar(tr_bitmap_get(tr_footprint_occupied(result->footprint), column, row)  ? '#'
                    : tr_bitmap_get(tr_footprint_blocked(result->footprint), column, row) ? '+'
                                                                                          : '.');
        putchar('\n');
    }
}
