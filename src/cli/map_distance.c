// How far it is from every free cell to the nearest of the points of --to.
#include "map.h"
#include "troupe/plan/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REACH 2.0f // a point that is not free moves to the nearest free cell within this [m]

static tr_status find_goals(const tr_route_map *map, const tr_vec2 *points, uint32_t count, uint32_t *goals,
                            tr_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        goals[i] = tr_route_map_nearest_free(map, points[i], REACH);
        if (goals[i] == TR_NONE)
            return tr_fail(error, TR_NOT_FOUND, "--to: there is no free cell within %g m of (%g, %g)",
                           (double)REACH, (double)points[i].x, (double)points[i].z);
    }
    return TR_OK;
}

// Fills the plane with metres, INFINITY where no goal can be reached.
static void take_costs(const tr_field *field, const tr_route_map *map, map_distance *distance) {
    const tr_grid *grid = &map->grid;
    double metres = (double)grid->cell / 985; // a straight step costs 985
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            uint32_t cost = tr_field_cost(field, tr_route_map_node(map, column, row));
            float value = cost == UINT32_MAX ? INFINITY : (float)(cost * metres);
            distance->plane[(size_t)row * grid->columns + column] = value;
            if (cost == UINT32_MAX)
                continue;
            distance->mean += (double)value;
            if ((double)value > distance->greatest) {
                distance->greatest = (double)value;
                distance->farthest = tr_grid_centre(grid, column, row);
            }
        }
    distance->reached = tr_field_reached(field);
    distance->mean /= distance->reached ? (double)distance->reached : 1;
}

tr_status map_distance_make(const tr_occupancy *occupancy, const tr_vec2 *points, uint32_t count,
                            map_distance *distance, tr_error *error) {
    const tr_grid *grid = tr_occupancy_grid(occupancy);
    tr_route_map map = {0};
    tr_field *field = NULL;
    uint32_t goals[MAP_POINTS_MAX];
    tr_route_params params = tr_route_params_default();
    *distance = (map_distance){.plane = malloc((size_t)grid->columns * grid->rows * sizeof(float))};
    tr_status status = distance->plane ? tr_route_map_create(NULL, grid, &map, error)
                                       : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the distances");
    if (status == TR_OK)
        status = tr_route_map_set(&map, tr_occupancy_blocked(occupancy), tr_grid_all(grid));
    if (status == TR_OK)
        status = find_goals(&map, points, count, goals, error);
    if (status == TR_OK)
        status = tr_field_create(NULL, tr_route_map_nodes(&map), &field, error);
    if (status == TR_OK)
        status = tr_field_flood(field, &map, &params, goals, count, error);
    if (status == TR_OK)
        take_costs(field, &map, distance);
    tr_field_destroy(field);
    tr_route_map_destroy(&map);
    return status;
}

void map_distance_destroy(map_distance *distance) {
    free(distance->plane);
}

// From the goal outwards: deep green over sand to brick.
static tr_color color_at(double share) {
    static const double stops[5][3] = {
        {38, 70, 83}, {42, 130, 125}, {138, 177, 125}, {233, 196, 106}, {231, 111, 81}};
    double t = fmin(fmax(share, 0), 1) * 4;
    uint32_t i = t < 4 ? (uint32_t)t : 3;
    double rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (t - i);
    return (tr_color){(uint8_t)rgb[0], (uint8_t)rgb[1], (uint8_t)rgb[2]};
}

// Shades come in 40 even bands, so that cells at the same distance are seen to be.
static double band_of(double value, double greatest) {
    return greatest > 0 ? floor(40 * value / greatest) / 40 : 0;
}

static void draw_legend(const map_distance *distance, const tr_map_view *view, tr_picture *picture) {
    float x = view->left, y = view->notes_top, height = view->text, length = 8 * height;
    for (float i = 0; i < length; i += 1)
        tr_picture_rectangle(picture, x + i, y, x + i + 1, y + height, color_at((double)(i / length)), 1);
    char text[80];
    snprintf(text, sizeof text, "walking distance, 0 to %.1f m", distance->greatest);
    tr_picture_text(picture, x + length + 0.5f * height, y, height, text, (tr_color){70, 70, 70});
}

tr_status map_distance_draw(const map_distance *distance, const tr_occupancy *occupancy, uint32_t pixels,
                            const char *title, tr_picture *picture, tr_error *error) {
    tr_map_layers layers = tr_map_layers_of(occupancy);
    tr_map_view view;
    layers.clearance = NULL;
    layers.note_lines = 1;
    tr_status status = tr_picture_draw_map(NULL, &layers, pixels, title, picture, &view, error);
    if (status != TR_OK)
        return status;
    float side = (float)view.pixels_per_cell;
    for (uint32_t row = 0; row < view.grid.rows; row++)
        for (uint32_t column = 0; column < view.grid.columns; column++) {
            float value = distance->plane[(size_t)row * view.grid.columns + column];
            float x = view.left + (float)column * side, y = view.top + (float)row * side;
            if (isfinite(value))
                tr_picture_rectangle(picture, x, y, x + side, y + side,
                                     color_at(band_of((double)value, distance->greatest)), 1);
        }
    draw_legend(distance, &view, picture);
    return TR_OK;
}
