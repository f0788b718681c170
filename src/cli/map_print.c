#include "json_fields.h"
#include "map.h"

#include <inttypes.h>
#include <stdio.h>

static double percent(uint64_t part, uint64_t whole) {
    return 100.0 * (double)part / (double)whole;
}

// The greatest and the least finite value of a plane; false if there is none.
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
    const tr_grid *grid = tr_occupancy_grid(result->occupancy);
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
    print_range("clearance", tr_occupancy_clearance(result->occupancy), result->cells);
    print_range("floor", tr_occupancy_floor(result->occupancy), result->cells);
    print_range("overhang", tr_occupancy_overhang(result->occupancy), result->cells);
    const map_distance *distance = &result->distance;
    if (distance->plane)
        printf("%-10s %" PRIu64 " free cells reach it, mean %.2f m, farthest %.2f m from (%g, %g)\n",
               "distance", distance->reached, distance->mean, distance->greatest,
               (double)distance->farthest.x, (double)distance->farthest.z);
    printf("%-10s project %.0f us, grow %.0f us, total %.0f us\n", "time", result->project_us,
           result->grow_us, result->build_us);
    if (result->picture)
        printf("%-10s %s\n", "picture", result->picture);
    if (result->height_picture)
        printf("%-10s %s\n", "heights", result->height_picture);
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
    json_field_float(writer, "least", (float)least);
    json_field_float(writer, "greatest", (float)greatest);
    tr_json_write_end(writer);
}

static void write_result(tr_json_writer *writer, const map_result *result) {
    json_field_text(writer, "scene", result->scene_name);
    json_field_count(writer, "triangles", result->triangles);
    json_field_count(writer, "objects", result->objects);
    json_field_text(writer, "backend", result->backend);
    json_field_grid(writer, "grid", tr_occupancy_grid(result->occupancy));
    tr_json_write_key(writer, "band");
    tr_json_write_array(writer);
    tr_json_write_float(writer, result->band.low);
    tr_json_write_float(writer, result->band.high);
    tr_json_write_end(writer);
    json_field_float(writer, "radius", result->radius);
    json_field_text(writer, "growth", result->growth == TR_GROWTH_SAFE ? "safe" : "centres");
    json_field_count(writer, "cells", result->cells);
    json_field_count(writer, "occupied", result->occupied);
    json_field_count(writer, "blocked", result->blocked);
    json_field_count(writer, "free", result->cells - result->blocked);
    json_field_number(writer, "free_share",
                      (double)(result->cells - result->blocked) / (double)result->cells);
    write_range(writer, "clearance", tr_occupancy_clearance(result->occupancy), result->cells);
    write_range(writer, "floor", tr_occupancy_floor(result->occupancy), result->cells);
    write_range(writer, "overhang", tr_occupancy_overhang(result->occupancy), result->cells);
    if (result->distance.plane) {
        tr_json_write_key(writer, "distance");
        tr_json_write_object(writer);
        json_field_count(writer, "reached", result->distance.reached);
        json_field_number(writer, "mean", result->distance.mean);
        json_field_number(writer, "greatest", result->distance.greatest);
        tr_json_write_key(writer, "farthest");
        tr_json_write_array(writer);
        tr_json_write_float(writer, result->distance.farthest.x);
        tr_json_write_float(writer, result->distance.farthest.z);
        tr_json_write_end(writer);
        tr_json_write_end(writer);
    }
    json_field_number(writer, "prepare_us", result->prepare_us);
    json_field_number(writer, "project_us", result->project_us);
    json_field_number(writer, "grow_us", result->grow_us);
    json_field_number(writer, "build_us", result->build_us);
    json_field_number(writer, "bytes_per_cell", tr_occupancy_bytes_per_cell(result->occupancy));
    json_field_text(writer, "picture", result->picture);
    json_field_text(writer, "height_picture", result->height_picture);
}

tr_status map_print_json(const map_result *result, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    write_result(&writer, result);
    tr_json_write_end(&writer);
    return json_print(&writer, error);
}

void map_print_ascii(const map_result *result) {
    const tr_grid *grid = tr_occupancy_grid(result->occupancy);
    for (uint32_t row = 0; row < grid->rows; row++) {
        for (uint32_t column = 0; column < grid->columns; column++)
            putchar(tr_bitmap_get(tr_occupancy_occupied(result->occupancy), column, row)  ? '#'
                    : tr_bitmap_get(tr_occupancy_blocked(result->occupancy), column, row) ? '+'
                                                                                          : '.');
        putchar('\n');
    }
}
