// Soles on the floor. A surface knows the highest point of each cell, so an edge is known to a cell, and
// always too early for someone who climbs: a sole that keeps off higher cells keeps off the riser.
#include "tread_data.h"

#include <math.h>

#define SAMPLE 0.025f // between samples of a sole [m]
#define ROWS_MAX 26   // from heel to toe, and one more at each end for what the sole keeps clear of
#define COLUMNS_MAX 14
#define EVEN 1e-4f     // floor that differs by less is level
#define STEEPEST 1.0f  // a sole lies on no steeper plane [m/m]
#define SLOPE_LEAST 3u // samples without which no plane is fitted

tread_ground tr_tread_ground(const tr_surface *surface) {
    tr_surface_scale scale = tr_surface_scale_of(surface);
    tread_ground ground = {.surface = surface,
                           .grid = tr_surface_grid(surface)->grid,
                           .bottom = scale.bottom,
                           .unit = scale.unit,
                           .room = scale.room};
    ground.cells_per_metre = 1 / (double)ground.grid.cell;
    return ground;
}

static bool column_at(const tread_ground *ground, float x, float z, tr_surface_column *column) {
    double across = ((double)x - (double)ground->grid.origin.x) * ground->cells_per_metre,
           along = ((double)z - (double)ground->grid.origin.z) * ground->cells_per_metre;
    if (!(across >= 0 && across < ground->grid.columns && along >= 0 && along < ground->grid.rows))
        return false;
    *column = tr_surface_at(ground->surface, (uint32_t)across, (uint32_t)along);
    return column->count > 0;
}

static double height_of(const tread_ground *ground, const tr_surface_column *column, uint32_t index) {
    return ground->bottom + column->heights[index] * ground->unit;
}

tread_floor tr_tread_floor_at(const tread_ground *ground, float x, float z, float height, float rise,
                              float *found) {
    tr_surface_column column;
    if (!column_at(ground, x, z, &column))
        return TREAD_HOLE;
    uint32_t index = column.count;
    double top = 0;
    while (index > 0) {
        top = height_of(ground, &column, index - 1);
        if (top <= (double)height + (double)rise)
            break;
        index--;
    }
    if (index == 0)
        return TREAD_SHUT;
    uint8_t bits = column.rooms[index - 1], room = bits & TR_SURFACE_ROOM_MAX;
    if (room < TR_SURFACE_ROOM_MAX && top + room * ground->room < (double)height)
        return TREAD_SHUT;
    if (tr_surface_kind_of(bits) == TR_SURFACE_VOID || top < (double)height - (double)rise)
        return TREAD_HOLE;
    *found = (float)top;
    return tr_surface_is_for_standing(bits) ? TREAD_STAND : TREAD_SOLID;
}

bool tr_tread_follow(const tread_ground *ground, float x, float z, float height, float rise, float wish,
                     float *found) {
    tr_surface_column column;
    if (!column_at(ground, x, z, &column))
        return false;
    double nearest = (double)INFINITY;
    for (uint32_t i = 0; i < column.count; i++) {
        double top = height_of(ground, &column, i), off = fabs(top - (double)wish);
        if (fabs(top - (double)height) <= (double)rise && tr_surface_is_for_standing(column.rooms[i]) &&
            off < nearest) {
            nearest = off;
            *found = (float)top;
        }
    }
    return nearest < (double)INFINITY;
}

// The floor under a sole: rows from heel to toe, the first and the last beyond the sole's ends.
typedef struct sole_print {
    uint32_t rows, columns;
    float first_u, step_u, first_v, step_v; // where they are, from the middle, of rows 1 to rows - 2
    float clear;
    float heights[ROWS_MAX][COLUMNS_MAX]; // -INFINITY for holes
    bool stands[ROWS_MAX][COLUMNS_MAX];
} sole_print;

static float row_at(const sole_print *print, uint32_t row) {
    float u = print->first_u + (float)(row > 0 ? row - 1 : 0) * print->step_u;
    if (row == 0)
        return u - print->clear;
    return row == print->rows - 1 ? u - print->step_u + print->clear : u;
}

static uint32_t samples_for(float size, uint32_t most) {
    float needed = size / SAMPLE;
    uint32_t pieces = needed < (float)(most - 1) ? (uint32_t)needed + 1 : most - 1;
    return pieces + 1;
}

static void divide_sole(const tr_tread_params *params, sole_print *print) {
    uint32_t rows = samples_for(params->sole_length, ROWS_MAX - 2);
    print->rows = rows + 2;
    print->columns = samples_for(params->sole_width, COLUMNS_MAX);
    print->first_u = -0.5f * params->sole_length;
    print->step_u = params->sole_length / (float)(rows - 1);
    print->first_v = -0.5f * params->sole_width;
    print->step_v = params->sole_width / (float)(print->columns - 1);
    print->clear = params->clear;
}

// false: part of the sole would be inside something.
static bool take_print(const tread_ground *ground, const tr_tread_params *params, float x, float z,
                       float ahead_x, float ahead_z, float height, sole_print *print) {
    divide_sole(params, print);
    for (uint32_t row = 0; row < print->rows; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            float u = row_at(print, row), v = print->first_v + (float)column * print->step_v;
            float at_x = x + u * ahead_x + v * ahead_z, at_z = z + u * ahead_z - v * ahead_x;
            float top = -INFINITY;
            tread_floor kind = tr_tread_floor_at(ground, at_x, at_z, height, params->rise_most, &top);
            if (kind == TREAD_SHUT)
                return false;
            print->heights[row][column] = kind == TREAD_HOLE ? -INFINITY : top;
            print->stands[row][column] = kind == TREAD_STAND;
        }
    return true;
}

// A plane over the sole; u towards the toes, v towards the left.
typedef struct sole_plane {
    float height, pitch, roll, tolerance;
} sole_plane;

// How much of the sole the plane's floor carries. false: something sticks out of it.
static bool rest_on(const sole_print *print, const sole_plane *plane, tread_sole *sole) {
    uint32_t carried = 0;
    float out = 0;
    for (uint32_t row = 0; row < print->rows; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            float u = row_at(print, row), v = print->first_v + (float)column * print->step_v;
            float above = print->heights[row][column] - (plane->height + u * plane->pitch + v * plane->roll);
            if (above > plane->tolerance)
                return false;
            if (row == 0 || row == print->rows - 1 || !print->stands[row][column] ||
                above < -plane->tolerance)
                continue;
            carried++;
            out = above > out ? above : out;
        }
    *sole = (tread_sole){.height = plane->height,
                         .support = (float)carried / (float)((print->rows - 2) * print->columns),
                         .pitch = plane->pitch,
                         .roll = plane->roll,
                         .rough = plane->tolerance > 0 ? out / plane->tolerance : 0};
    return true;
}

// The plane of least squares through the floor under the sole.
typedef struct plane_sums {
    double n, u, v, uu, uv, vv, t, ut, vt;
} plane_sums;

static plane_sums sum_floor(const sole_print *print) {
    plane_sums s = {0};
    for (uint32_t row = 1; row + 1 < print->rows; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            if (!print->stands[row][column])
                continue;
            double u = (double)row_at(print, row),
                   v = (double)(print->first_v + (float)column * print->step_v),
                   t = (double)print->heights[row][column];
            s.n += 1, s.u += u, s.v += v, s.t += t;
            s.uu += u * u, s.uv += u * v, s.vv += v * v, s.ut += u * t, s.vt += v * t;
        }
    return s;
}

static bool fit_plane(const sole_print *print, sole_plane *plane) {
    plane_sums s = sum_floor(print);
    if (s.n < SLOPE_LEAST)
        return false;
    double mean_u = s.u / s.n, mean_v = s.v / s.n, mean = s.t / s.n;
    double uu = s.uu - s.u * mean_u, uv = s.uv - s.u * mean_v, vv = s.vv - s.v * mean_v;
    double ut = s.ut - s.u * mean, vt = s.vt - s.v * mean, area = uu * vv - uv * uv;
    if (!(area > 1e-12 * (uu + vv) * (uu + vv)))
        return false;
    plane->pitch = (float)((ut * vv - vt * uv) / area);
    plane->roll = (float)((vt * uu - ut * uv) / area);
    plane->height = (float)(mean - mean_u * (double)plane->pitch - mean_v * (double)plane->roll);
    return fabsf(plane->pitch) + fabsf(plane->roll) <= STEEPEST;
}

// A cell of a ramp has the height of its highest corner: the ramp itself is lower by half a cell's rise.
static float rise_in_half_cell(const tread_ground *ground, const sole_plane *plane, float ahead_x,
                               float ahead_z) {
    float slope_x = plane->pitch * ahead_x + plane->roll * ahead_z,
          slope_z = plane->pitch * ahead_z - plane->roll * ahead_x;
    return 0.5f * ground->grid.cell * (fabsf(slope_x) + fabsf(slope_z));
}

static bool lay_on_slope(const tread_ground *ground, const tr_tread_params *params, const sole_print *print,
                         float ahead_x, float ahead_z, tread_sole *sole) {
    sole_plane plane;
    if (!fit_plane(print, &plane))
        return false;
    float sunk = rise_in_half_cell(ground, &plane, ahead_x, ahead_z);
    plane.tolerance = params->level + sunk;
    if (!rest_on(print, &plane, sole))
        return false;
    sole->height -= sunk;
    return true;
}

// Level on the highest floor under it, if nothing else sticks out.
static bool lay_level(const tr_tread_params *params, const sole_print *print, float *uneven,
                      tread_sole *sole) {
    sole_plane plane = {.height = -INFINITY, .tolerance = params->level};
    float lowest = INFINITY;
    for (uint32_t row = 1; row + 1 < print->rows; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            float top = print->heights[row][column];
            if (print->stands[row][column] && top > plane.height)
                plane.height = top;
            lowest = top < lowest ? top : lowest;
        }
    *uneven = plane.height - lowest;
    return plane.height > -INFINITY && rest_on(print, &plane, sole);
}

bool tr_tread_lay(const tread_ground *ground, const tr_tread_params *params, float x, float z, float ahead_x,
                  float ahead_z, float height, tread_sole *sole) {
    sole_print print;
    if (!take_print(ground, params, x, z, ahead_x, ahead_z, height, &print))
        return false;
    float uneven = 0;
    tread_sole sloped;
    bool is_level = lay_level(params, &print, &uneven, sole);
    if (is_level && uneven <= EVEN)
        return sole->support >= params->support_least;
    if (lay_on_slope(ground, params, &print, ahead_x, ahead_z, &sloped) &&
        (!is_level || sloped.support >= 1 || sloped.support > sole->support)) {
        *sole = sloped;
        is_level = true;
    }
    return is_level && sole->support >= params->support_least;
}
