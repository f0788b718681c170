// Soles on the floor. A surface stores the highest point of each cell, so an edge is known to a cell, and
// always too early for an ascending person: a sole that keeps off higher cells keeps off the riser.
#include "footstep_data.h"

#include <math.h>

#define SAMPLE 0.025f // between samples of a sole [m]
#define ROWS_MAX 24   // of samples from heel to toe
#define COLUMNS_MAX 14
#define CLEAR_ROWS 2     // beyond heel and toes, for obstacles that the sole must keep clear of
#define EDGE_ROWS 4      // farther out, up to a cell: is an edge near?
#define EDGE_DROP 0.08f  // floor beside a sole that is this much lower is an edge, not rough ground [m]
#define EVEN 1e-4f       // floor that differs by less is level [m]
#define STEEPEST 1.25f   // steepest plane for a sole [m/m]: 45 degrees, plus the error of cells
#define SLOPE_LEAST 3u   // samples needed to fit a plane
#define BUMP_LEAST 1e-3f // lower bumps carry no sole [m]
#define BUMP_FULL 4.0f   // those this many times higher than that carry it wholly
#define HAIR 1e-4f       // heights nearer to a limit are evaluated again [m]

footstep_ground tr_footstep_ground(const tr_surface *surface, footstep_glance *glances) {
    tr_surface_scale scale = tr_surface_scale_of(surface);
    footstep_ground ground = {.surface = surface,
                              .grid = tr_surface_grid(surface)->grid,
                              .bottom = scale.bottom,
                              .unit = scale.unit,
                              .room = scale.room,
                              .glances = glances};
    ground.cells_per_metre = 1 / (double)ground.grid.cell;
    for (uint32_t i = 0; glances != NULL && i < FOOTSTEP_GLANCES; i++)
        glances[i].column = TR_NONE;
    return ground;
}

static bool find_cell(const footstep_ground *ground, float x, float z, uint32_t *column, uint32_t *row) {
    double across = ((double)x - (double)ground->grid.origin.x) * ground->cells_per_metre,
           along = ((double)z - (double)ground->grid.origin.z) * ground->cells_per_metre;
    if (!(across >= 0 && across < ground->grid.columns && along >= 0 && along < ground->grid.rows))
        return false;
    *column = (uint32_t)across;
    *row = (uint32_t)along;
    return true;
}

static double height_of(const footstep_ground *ground, const tr_surface_column *column, uint32_t index) {
    return ground->bottom + column->heights[index] * ground->unit;
}

// The highest top that is no more than a step above `height` decides.
static footstep_glance look(const footstep_ground *ground, uint32_t column, uint32_t row, double height,
                            double rise) {
    tr_surface_column cells = tr_surface_at(ground->surface, column, row);
    footstep_glance glance = {column, row, INFINITY, -INFINITY, -INFINITY, FOOTSTEP_HOLE};
    uint32_t index = cells.count;
    double top = 0, above = (double)INFINITY;
    for (; index > 0; index--) {
        top = height_of(ground, &cells, index - 1);
        if (top <= height + rise)
            break;
        above = top;
    }
    if (index == 0) {
        glance.kind = cells.count > 0 ? FOOTSTEP_SHUT : FOOTSTEP_HOLE;
        return glance;
    }
    uint8_t bits = cells.rooms[index - 1], room = bits & TR_SURFACE_ROOM_MAX;
    double roof = room < TR_SURFACE_ROOM_MAX ? top + room * ground->room : (double)INFINITY;
    if (roof < height)
        glance.kind = FOOTSTEP_SHUT;
    else if (tr_surface_kind_of(bits) != TR_SURFACE_VOID && top >= height - rise) {
        double high = top + rise < above - rise ? top + rise : above - rise;
        glance.kind = tr_surface_is_for_standing(bits) ? FOOTSTEP_STAND : FOOTSTEP_SOLID;
        glance.top = (float)top;
        glance.low = (float)(top - rise) + HAIR;
        glance.high = (float)(high < roof ? high : roof) - HAIR;
    }
    return glance;
}

static inline footstep_floor glance_at(const footstep_ground *ground, uint32_t column, uint32_t row,
                                       float height, float rise, float *found) {
    footstep_glance unkept, *glance = &unkept;
    if (ground->glances != NULL) {
        glance = ground->glances +
                 (row % FOOTSTEP_GLANCES_SIDE * FOOTSTEP_GLANCES_SIDE + column % FOOTSTEP_GLANCES_SIDE);
        if (glance->column == column && glance->row == row && height >= glance->low &&
            height <= glance->high) {
            *found = glance->top;
            return (footstep_floor)glance->kind;
        }
    }
    *glance = look(ground, column, row, (double)height, (double)rise);
    *found = glance->top;
    return (footstep_floor)glance->kind;
}

footstep_floor tr_footstep_floor_at(const footstep_ground *ground, float x, float z, float height, float rise,
                                    float *found) {
    uint32_t column, row;
    *found = -INFINITY;
    if (!find_cell(ground, x, z, &column, &row))
        return FOOTSTEP_HOLE;
    return glance_at(ground, column, row, height, rise, found);
}

bool tr_footstep_follow(const footstep_ground *ground, float x, float z, float height, float rise, float wish,
                        float *found) {
    uint32_t across, along;
    if (!find_cell(ground, x, z, &across, &along))
        return false;
    tr_surface_column column = tr_surface_at(ground->surface, across, along);
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

// The floor under a sole: rows from heel to toe, then the rows beyond its ends.
typedef struct sole_print {
    uint32_t rows, columns;
    float u[ROWS_MAX + CLEAR_ROWS + EDGE_ROWS], v[COLUMNS_MAX];    // from the middle, ahead and to the left
    float heights[ROWS_MAX + CLEAR_ROWS + EDGE_ROWS][COLUMNS_MAX]; // -INFINITY for holes
    bool stands[ROWS_MAX + CLEAR_ROWS + EDGE_ROWS][COLUMNS_MAX];
    float lowest, highest;     // floor of the sole itself
    float cell;                // of the surface [m]
    float beside[ROWS_MAX][2]; // the floor a cell beyond the sides of the sole
} sole_print;

static uint32_t divide(float size, uint32_t most, float *at) {
    float needed = size / SAMPLE;
    uint32_t pieces = needed < (float)(most - 1) ? (uint32_t)needed + 1 : most - 1;
    for (uint32_t i = 0; i <= pieces; i++)
        at[i] = size * ((float)i / (float)pieces - 0.5f);
    return pieces + 1;
}

static void divide_sole(const footstep_ground *ground, const tr_footstep_params *params, sole_print *print) {
    print->rows = divide(params->sole_length, ROWS_MAX, print->u);
    print->columns = divide(params->sole_width, COLUMNS_MAX, print->v);
    const float beyond[] = {params->clear, 0.5f * ground->grid.cell, ground->grid.cell};
    for (uint32_t i = 0; i < CLEAR_ROWS + EDGE_ROWS; i++)
        print->u[print->rows + i] =
            (0.5f * params->sole_length + beyond[i / 2]) * (i % 2 == 0 ? 1.0f : -1.0f);
}

// Samples are counted in cells from a cell well before the sole, so that truncation rounds down.
typedef struct print_frame {
    int64_t column, row; // of that cell
    float x, z;          // of the sole's middle from its corner
    float ahead_x, ahead_z;
} print_frame;
#define FRAME_BEFORE 4096 // cells

static bool make_frame(const footstep_ground *ground, const footstep_foot *foot, print_frame *frame) {
    const tr_grid *grid = &ground->grid;
    double x = ((double)foot->position.x - (double)grid->origin.x) * ground->cells_per_metre,
           z = ((double)foot->position.z - (double)grid->origin.z) * ground->cells_per_metre;
    if (!(fabs(x) < 1e9 && fabs(z) < 1e9))
        return false;
    frame->column = (int64_t)floor(x) - FRAME_BEFORE;
    frame->row = (int64_t)floor(z) - FRAME_BEFORE;
    frame->x = (float)(x - floor(x) + FRAME_BEFORE);
    frame->z = (float)(z - floor(z) + FRAME_BEFORE);
    frame->ahead_x = (float)((double)foot->ahead_x * ground->cells_per_metre);
    frame->ahead_z = (float)((double)foot->ahead_z * ground->cells_per_metre);
    return true;
}

static footstep_floor take_sample(const footstep_ground *ground, const print_frame *frame, float u, float v,
                                  float height, float rise, float *top) {
    float x = frame->x + u * frame->ahead_x + v * frame->ahead_z,
          z = frame->z + u * frame->ahead_z - v * frame->ahead_x;
    int64_t column = frame->column + (int32_t)x, row = frame->row + (int32_t)z;
    *top = -INFINITY;
    if ((uint64_t)column >= ground->grid.columns || (uint64_t)row >= ground->grid.rows)
        return FOOTSTEP_HOLE;
    return glance_at(ground, (uint32_t)column, (uint32_t)row, height, rise, top);
}

// false: part of the sole would be inside an obstacle.
static bool take_print(const footstep_ground *ground, const tr_footstep_params *params,
                       const footstep_foot *foot, sole_print *print) {
    print_frame frame;
    if (!make_frame(ground, foot, &frame))
        return false;
    divide_sole(ground, params, print);
    print->cell = ground->grid.cell;
    print->lowest = INFINITY;
    print->highest = -INFINITY;
    for (uint32_t row = 0; row < print->rows + CLEAR_ROWS + EDGE_ROWS; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            float top;
            footstep_floor kind = take_sample(ground, &frame, print->u[row], print->v[column],
                                              foot->position.y, params->rise_most, &top);
            if (kind == FOOTSTEP_SHUT && row < print->rows + CLEAR_ROWS)
                return false;
            print->heights[row][column] = kind == FOOTSTEP_SHUT ? INFINITY : top;
            print->stands[row][column] = kind == FOOTSTEP_STAND;
            if (row >= print->rows)
                continue;
            print->lowest = top < print->lowest ? top : print->lowest;
            if (kind == FOOTSTEP_STAND && top > print->highest)
                print->highest = top;
        }
    for (uint32_t row = 0; row < print->rows; row++)
        for (uint32_t side = 0; side < 2; side++) {
            float out = side == 0 ? ground->grid.cell : -ground->grid.cell;
            float rim = print->v[side == 0 ? print->columns - 1 : 0];
            footstep_floor kind = take_sample(ground, &frame, print->u[row], rim + out, foot->position.y,
                                              params->rise_most, &print->beside[row][side]);
            if (kind == FOOTSTEP_SHUT)
                print->beside[row][side] = INFINITY;
        }
    return true;
}

// A plane over the sole; u towards the toes, v towards the left.
typedef struct sole_plane {
    float height, pitch, roll, tolerance;
} sole_plane;

// The share of the sole that the plane's floor carries. false: an obstacle sticks out of the plane.
static bool rest_on(const sole_print *print, const sole_plane *plane, footstep_sole *sole) {
    uint32_t carried = 0, lower = 0, aside = 0;
    float out = 0, rim = fabsf(print->v[0] - print->v[print->columns - 1]);
    for (uint32_t row = 0; row < print->rows; row++) {
        float least = plane->height + print->u[row] * plane->pitch - plane->tolerance -
                      fabsf(plane->roll) * (rim + print->cell);
        bool any = false; // rows of the heel that hang over a step have no edge beside them
        for (uint32_t column = 0; column < print->columns; column++)
            any = any || print->heights[row][column] >= least;
        float drop = least - EDGE_DROP;
        aside += any ? (uint32_t)(print->beside[row][0] < drop) + (print->beside[row][1] < drop) : 0;
    }
    for (uint32_t row = 0; row < print->rows + CLEAR_ROWS + EDGE_ROWS; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            float above = print->heights[row][column] -
                          (plane->height + print->u[row] * plane->pitch + print->v[column] * plane->roll);
            if (row >= print->rows + CLEAR_ROWS) {
                lower += above < -plane->tolerance;
                continue;
            }
            if (above > plane->tolerance)
                return false;
            if (row < print->rows && print->stands[row][column] && above >= -plane->tolerance) {
                // Samples on the rim stand for half as much of the sole, those in its corners for a quarter.
                carried += (row == 0 || row + 1 == print->rows ? 1u : 2u) *
                           (column == 0 || column + 1 == print->columns ? 1u : 2u);
                out = above > out ? above : out;
            }
        }
    *sole = (footstep_sole){.height = plane->height,
                            .support = (float)carried / (float)(4 * (print->rows - 1) * (print->columns - 1)),
                            .aside = (float)aside / (float)(2 * print->rows),
                            .pitch = plane->pitch,
                            .roll = plane->roll,
                            .rough = plane->tolerance > 0 ? out / plane->tolerance : 0,
                            .edge = (float)lower / (float)(EDGE_ROWS * print->columns)};
    return true;
}

// The plane of least squares through the floor under the sole.
typedef struct plane_sums {
    double n, u, v, uu, uv, vv, t, ut, vt;
} plane_sums;

static plane_sums sum_floor(const sole_print *print) {
    plane_sums s = {0};
    for (uint32_t row = 0; row < print->rows; row++)
        for (uint32_t column = 0; column < print->columns; column++) {
            if (!print->stands[row][column])
                continue;
            double u = (double)print->u[row], v = (double)print->v[column],
                   t = (double)(print->heights[row][column] - print->highest);
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
    plane->height =
        (float)((double)print->highest + mean - mean_u * (double)plane->pitch - mean_v * (double)plane->roll);
    return plane->pitch * plane->pitch + plane->roll * plane->roll <= STEEPEST * STEEPEST;
}

// A cell of a ramp has the height of its highest corner: the ramp itself is lower by half a cell's rise.
static float rise_in_half_cell(const footstep_ground *ground, const sole_plane *plane,
                               const footstep_foot *foot) {
    float slope_x = plane->pitch * foot->ahead_x + plane->roll * foot->ahead_z,
          slope_z = plane->pitch * foot->ahead_z - plane->roll * foot->ahead_x;
    return 0.5f * ground->grid.cell * (fabsf(slope_x) + fabsf(slope_z));
}

// How much higher than the slope itself a sole lies because something sticks `out` of the fitted plane. The
// cells of a slope do so by half a cell's rise, `sunk`, and by a little more because the fit is not exact.
static float carried_by_bumps(float out, float sunk) {
    float more = out - 1.25f * sunk - BUMP_LEAST, steep = BUMP_FULL * more;
    return more <= 0 ? 0 : steep < out + sunk ? steep : out + sunk;
}

static bool lay_on_slope(const footstep_ground *ground, const tr_footstep_params *params,
                         const sole_print *print, const footstep_foot *foot, footstep_sole *sole) {
    sole_plane plane;
    if (!fit_plane(print, &plane))
        return false;
    float sunk = rise_in_half_cell(ground, &plane, foot);
    plane.tolerance = params->level + sunk;
    if (!rest_on(print, &plane, sole))
        return false;
    sole->height += carried_by_bumps(sole->rough * plane.tolerance, sunk) - sunk;
    return true;
}

bool tr_footstep_lay(const footstep_ground *ground, const tr_footstep_params *params,
                     const footstep_foot *foot, footstep_sole *sole) {
    sole_print print;
    if (!take_print(ground, params, foot, &print) || !(print.highest > -INFINITY))
        return false;
    // Level, on the highest floor under it; sloped if that carries more.
    sole_plane level = {.height = print.highest, .tolerance = params->level};
    bool lies = rest_on(&print, &level, sole);
    footstep_sole sloped;
    if (!(lies && print.highest - print.lowest <= EVEN) &&
        lay_on_slope(ground, params, &print, foot, &sloped) &&
        (!lies || sloped.support >= 1 || sloped.support > sole->support)) {
        *sole = sloped;
        lies = true;
    }
    return lies && sole->support >= params->support_least;
}
