// Places: where a body stands, whether a place is free, and if not, why.
#include "ground_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SMOOTH_RISE 0.5   // neighbouring cells of a slope differ by no more, in cells: 26 degrees,
#define SMOOTH_MOST 0.025 // and this [m]: more is a step, however large the cells are

static const ground_size *size_at(const tr_ground *ground, uint32_t size) {
    return size < ground->size_count ? &ground->sizes[size] : NULL;
}

static tr_ground_place nowhere(tr_vec3 point, tr_ground_why why) {
    tr_ground_place place = {
        .cell = TR_NONE, .position = point, .region = TR_NONE, .why = why, .object = TR_NONE};
    return place;
}

// Why a body cannot stand on a cell that is not free.
static tr_ground_why why_not(const ground_size *size, const ground_tile *tile, uint32_t index) {
    uint8_t room = tile->rooms[index];
    if (!tr_surface_is_for_standing(room))
        return TR_GROUND_NO_FLOOR;
    return (room & 63u) < size->measure.room ? TR_GROUND_LOW : TR_GROUND_NARROW;
}

static tr_ground_place place_at(const tr_ground *ground, const ground_size *size, uint32_t tile,
                                uint32_t index, tr_vec3 point) {
    const ground_tile *cells = &ground->tiles[tile];
    uint32_t rect = size->tiles[tile].rects_of[index];
    bool is_free = rect != GROUND_NO_RECT;
    tr_ground_place place = {.cell = cells->first + index,
                             .position = point,
                             .region = is_free && size->labels ? ground_label_of(size, tile, rect) : TR_NONE,
                             .why = is_free ? TR_GROUND_FREE : why_not(size, cells, index),
                             .object = TR_NONE};
    place.position.y = (float)ground_height_of(ground, cells->heights[index]);
    return place;
}

// Whether there is a free cell at about this height within the width of a body's border.
static bool has_free_near(const tr_ground *ground, const ground_size *size, uint32_t x, uint32_t z,
                          uint32_t height) {
    uint32_t far = (uint32_t)size->measure.radius + 4, rise = size->measure.rise;
    uint32_t x_end = x + far + 1 < ground->grid.columns ? x + far + 1 : ground->grid.columns,
             z_end = z + far + 1 < ground->grid.rows ? z + far + 1 : ground->grid.rows;
    for (uint32_t row = z > far ? z - far : 0; row < z_end; row++)
        for (uint32_t column = x > far ? x - far : 0; column < x_end; column++) {
            uint32_t tile = ground_tile_of(ground, column, row);
            const ground_tile *cells = &ground->tiles[tile];
            const uint16_t *offsets = ground_offsets_at(cells, column, row);
            for (uint32_t i = offsets[0]; i < offsets[1]; i++)
                if (size->tiles[tile].rects_of[i] != GROUND_NO_RECT && cells->heights[i] <= height + rise &&
                    cells->heights[i] + rise >= height)
                    return true;
        }
    return false;
}

// The highest cell no higher than `most` that is free, or belongs to a floor that is free nearby: tops of
// walls and lamps are not floors. Otherwise the highest standing cell, otherwise any.
tr_ground_place tr_ground_drop_on(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                  float rise) {
    uint32_t x, z, stands = TR_NONE, any = TR_NONE;
    if (!(rise >= 0) || isnan(point.y) || !ground_find_column(ground, point.x, point.z, &x, &z))
        return nowhere(point, TR_GROUND_OUTSIDE);
    uint32_t tile = ground_tile_of(ground, x, z);
    const ground_tile *cells = &ground->tiles[tile];
    const uint16_t *offsets = ground_offsets_at(cells, x, z);
    double most = (double)point.y + rise + ground->scale.unit; // heights are rounded up
    for (uint32_t i = offsets[1]; i-- > offsets[0];) {
        if (!(ground_height_of(ground, cells->heights[i]) <= most))
            continue;
        bool is_floor = ground_stands(&size->measure, cells->rooms[i]);
        if (size->tiles[tile].rects_of[i] != GROUND_NO_RECT ||
            (is_floor && has_free_near(ground, size, x, z, cells->heights[i])))
            return place_at(ground, size, tile, i, point);
        if (stands == TR_NONE && tr_surface_is_for_standing(cells->rooms[i]))
            stands = i;
        if (any == TR_NONE && tr_surface_kind_of(cells->rooms[i]) != TR_SURFACE_VOID)
            any = i;
    }
    if (stands != TR_NONE || any != TR_NONE)
        return place_at(ground, size, tile, stands != TR_NONE ? stands : any, point);
    return nowhere(point, TR_GROUND_NO_FLOOR);
}

tr_ground_place tr_ground_drop(const tr_ground *ground, uint32_t size, tr_vec3 point, float rise) {
    const ground_size *of = size_at(ground, size);
    return of ? tr_ground_drop_on(ground, of, point, rise) : nowhere(point, TR_GROUND_OUTSIDE);
}

tr_ground_place tr_ground_level(const tr_ground *ground, uint32_t size, tr_vec3 point) {
    const ground_size *of = size_at(ground, size);
    uint32_t x, z, best = TR_NONE;
    if (!of || isnan(point.y) || !ground_find_column(ground, point.x, point.z, &x, &z))
        return nowhere(point, TR_GROUND_OUTSIDE);
    uint32_t tile = ground_tile_of(ground, x, z);
    const ground_tile *cells = &ground->tiles[tile];
    const uint16_t *offsets = ground_offsets_at(cells, x, z);
    double nearest = INFINITY;
    for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
        double away = fabs(ground_height_of(ground, cells->heights[i]) - point.y);
        if (tr_surface_is_for_standing(cells->rooms[i]) && away < nearest) {
            nearest = away;
            best = i;
        }
    }
    return best == TR_NONE ? nowhere(point, TR_GROUND_NO_FLOOR) : place_at(ground, of, tile, best, point);
}

ground_spot tr_ground_free_near(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                double most) {
    ground_spot found = {.tile = TR_NONE};
    uint32_t x, z;
    if (!ground_find_column(ground, point.x, point.z, &x, &z))
        return found;
    uint32_t tile = ground_tile_of(ground, x, z);
    const ground_tile *cells = &ground->tiles[tile];
    const uint16_t *offsets = ground_offsets_at(cells, x, z);
    double nearest = most + ground->scale.unit;
    for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
        double away = fabs(ground_height_of(ground, cells->heights[i]) - point.y);
        if (away <= nearest && tr_surface_is_for_standing(cells->rooms[i])) {
            nearest = away;
            found = (ground_spot){tile, (uint16_t)i, (uint16_t)x, (uint16_t)z};
        }
    }
    if (found.tile != TR_NONE && size->tiles[tile].rects_of[found.index] == GROUND_NO_RECT)
        found.tile = TR_NONE;
    return found;
}

bool tr_ground_is_free(const tr_ground *ground, uint32_t size, tr_vec3 point, float *height) {
    const ground_size *of = size_at(ground, size);
    uint32_t x, z;
    if (!of || !ground_find_column(ground, point.x, point.z, &x, &z))
        return false;
    uint32_t tile = ground_tile_of(ground, x, z);
    if (ground_is_plain(ground->tiles[tile].plain, x, z)) {
        double floor = ground_height_of(ground, ground->tiles[tile].floor),
               nearest = of->body.foot_rise + ground->scale.unit;
        bool is_free = fabs(floor - point.y) <= nearest && ground_is_plain(of->tiles[tile].plain, x, z);
        if (height && is_free)
            *height = (float)floor;
        return is_free;
    }
    ground_spot spot = tr_ground_free_near(ground, of, point, of->body.foot_rise);
    if (spot.tile == TR_NONE)
        return false;
    if (height)
        *height = (float)ground_height_of(ground, ground->tiles[spot.tile].heights[spot.index]);
    return true;
}

// The height of the floor nearest to `near` in a column; NAN: there is none within `most`.
static double floor_of(const tr_ground *ground, uint32_t x, uint32_t z, double near, double most) {
    double found = NAN;
    const ground_tile *cells = &ground->tiles[ground_tile_of(ground, x, z)];
    if (ground_is_plain(cells->plain, x, z)) {
        double height = ground_height_of(ground, cells->floor);
        return fabs(height - near) <= most ? height : found;
    }
    const uint16_t *offsets = ground_offsets_at(cells, x, z);
    for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
        double height = ground_height_of(ground, cells->heights[i]), away = fabs(height - near);
        if (away <= most && tr_surface_is_for_standing(cells->rooms[i])) {
            most = away;
            found = height;
        }
    }
    return found;
}

float tr_ground_height(const tr_ground *ground, tr_vec3 point, float rise) {
    uint32_t x, z;
    if (!ground_find_column(ground, point.x, point.z, &x, &z))
        return NAN;
    return (float)floor_of(ground, x, z, (double)point.y, (double)rise + ground->scale.unit);
}

// The floor of a neighbouring column; INFINITY: there is none within `most`, so the floor ends here.
static double floor_beside(const tr_ground *ground, uint32_t x, uint32_t z, int right, int down, double near,
                           double most) {
    int64_t column = (int64_t)x + right, row = (int64_t)z + down;
    if (column < 0 || row < 0 || column >= ground->grid.columns || row >= ground->grid.rows)
        return INFINITY;
    double top = floor_of(ground, (uint32_t)column, (uint32_t)row, near, most);
    return top == top ? top : (double)INFINITY;
}

// A cell has the height of its highest point. On a slope that is one of its corners, and of the four cells
// around a corner the one further down has its highest point there: the lowest of the four is the height of
// the corner.
float tr_ground_smooth_height(const tr_ground *ground, tr_vec3 point, float rise) {
    uint32_t x, z;
    if (!ground_find_column(ground, point.x, point.z, &x, &z))
        return NAN;
    static const int order[9] = {4, 1, 3, 5, 7, 0, 2, 6, 8};
    double cell = (double)ground->grid.cell, tops[3][3], corners[2][2];
    double steepest = SMOOTH_RISE * cell < SMOOTH_MOST ? SMOOTH_RISE * cell : SMOOTH_MOST;
    double middle = floor_of(ground, x, z, (double)point.y, (double)rise + ground->scale.unit);
    if (!(middle == middle))
        return NAN;
    bool level = true;
    for (int k = 0; k < 9; k++) { // the middle, beside it, across its corners
        int i = order[k] % 3, j = order[k] / 3;
        bool across = i != 1 && j != 1;
        double top = floor_beside(ground, x, z, i - 1, j - 1, middle, (across ? 2 : 1) * steepest);
        // Across a corner the slope must lead over one of the cells between: otherwise it is a step.
        if (across && !(fabs(top - tops[1][i]) <= steepest) && !(fabs(top - tops[j][1]) <= steepest))
            top = INFINITY;
        tops[j][i] = top;
        level = level && top >= middle;
    }
    if (level)
        return (float)middle;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double low = tops[j][i];
            low = tops[j][i + 1] < low ? tops[j][i + 1] : low;
            low = tops[j + 1][i] < low ? tops[j + 1][i] : low;
            corners[j][i] = tops[j + 1][i + 1] < low ? tops[j + 1][i + 1] : low;
        }
    double u = ((double)point.x - (double)ground->grid.origin.x) / cell - x,
           v = ((double)point.z - (double)ground->grid.origin.z) / cell - z;
    double near = corners[0][0] + u * (corners[0][1] - corners[0][0]),
           far = corners[1][0] + u * (corners[1][1] - corners[1][0]);
    return (float)(near + v * (far - near));
}

// Whether all columns from x0 to x1, in the rows from z0 to z1, are plain as far as they are in the tile.
static bool is_plain_in(const ground_tile *tile, const tr_cells *window, uint32_t x0, uint32_t z0) {
    uint32_t begin = window->column_begin > x0 ? window->column_begin - x0 : 0,
             end = window->column_end - x0 < GROUND_TILE ? window->column_end - x0 : GROUND_TILE,
             row = window->row_begin > z0 ? window->row_begin - z0 : 0,
             row_end = window->row_end - z0 < GROUND_TILE ? window->row_end - z0 : GROUND_TILE;
    uint32_t mask = UINT32_MAX >> (GROUND_TILE - (end - begin)) << begin, all = mask;
    for (; row < row_end; row++)
        all &= tile->plain[row];
    return all == mask;
}

bool tr_ground_is_even(const tr_ground *ground, tr_vec2 min, tr_vec2 max, float *height) {
    tr_cells window;
    if (!ground_find_column(ground, min.x, min.z, &window.column_begin, &window.row_begin) ||
        !ground_find_column(ground, max.x, max.z, &window.column_end, &window.row_end) ||
        window.column_end < window.column_begin || window.row_end < window.row_begin)
        return false;
    uint32_t floor = ground->tiles[ground_tile_of(ground, window.column_begin, window.row_begin)].floor;
    window.column_end++, window.row_end++;
    for (uint32_t z = window.row_begin & ~(GROUND_TILE - 1u); z < window.row_end; z += GROUND_TILE)
        for (uint32_t x = window.column_begin & ~(GROUND_TILE - 1u); x < window.column_end;
             x += GROUND_TILE) {
            const ground_tile *tile = &ground->tiles[ground_tile_of(ground, x, z)];
            if (tile->floor != floor || !is_plain_in(tile, &window, x, z))
                return false;
        }
    *height = (float)ground_height_of(ground, floor);
    return true;
}

// --- The nearest free place ---

typedef struct nearest_search {
    const tr_ground *ground;
    const ground_size *size;
    double x, y, z;
    double rise; // greatest height difference of the floor
    double best; // square of the distance to the nearest so far, or of the reach
    uint32_t region;
    tr_ground_place place;
} nearest_search;

static void look_into(nearest_search *search, uint32_t x, uint32_t z) {
    const tr_ground *ground = search->ground;
    const tr_grid *grid = &ground->grid;
    double across = grid->origin.x + (x + 0.5) * grid->cell - search->x,
           along = grid->origin.z + (z + 0.5) * grid->cell - search->z;
    if (across * across + along * along > search->best)
        return;
    uint32_t tile = ground_tile_of(ground, x, z);
    const ground_tile *cells = &ground->tiles[tile];
    const uint16_t *offsets = ground_offsets_at(cells, x, z);
    for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
        uint32_t rect = search->size->tiles[tile].rects_of[i];
        if (rect == GROUND_NO_RECT ||
            (search->region != TR_NONE && ground_label_of(search->size, tile, rect) != search->region))
            continue;
        double up = ground_height_of(ground, cells->heights[i]) - search->y,
               distance = across * across + up * up + along * along;
        if (fabs(up) > search->rise || distance > search->best ||
            (distance == search->best && cells->first + i > search->place.cell))
            continue;
        search->best = distance;
        tr_vec2 middle = tr_grid_centre(grid, x, z);
        search->place =
            place_at(ground, search->size, tile, i, tr_vec3_make(middle.x, (float)search->y, middle.z));
    }
}

static void look_around(nearest_search *search, int64_t column, int64_t row, int64_t ring) {
    const tr_grid *grid = &search->ground->grid;
    for (int64_t z = row - ring; z <= row + ring; z++) {
        bool whole = z == row - ring || z == row + ring;
        if (z < 0 || z >= grid->rows)
            continue;
        for (int64_t x = column - ring; x <= column + ring; x += whole || ring == 0 ? 1 : 2 * ring)
            if (x >= 0 && x < grid->columns)
                look_into(search, (uint32_t)x, (uint32_t)z);
    }
}

static int64_t nearest_cell(double value, uint32_t count) {
    return !(value > 0) ? 0 : value < count ? (int64_t)value : (int64_t)count - 1;
}

tr_ground_place tr_ground_nearest_on(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                     float reach, float rise, uint32_t region) {
    const tr_grid *grid = &ground->grid;
    nearest_search search = {.ground = ground,
                             .size = size,
                             .x = point.x,
                             .y = point.y,
                             .z = point.z,
                             .rise = rise,
                             .best = (double)reach * reach,
                             .region = region,
                             .place = nowhere(point, TR_GROUND_OUTSIDE)};
    if (!tr_vec3_is_finite(point) || !(reach >= 0))
        return search.place;
    int64_t column = nearest_cell((search.x - grid->origin.x) / grid->cell, grid->columns),
            row = nearest_cell((search.z - grid->origin.z) / grid->cell, grid->rows);
    int64_t rings = grid->columns > grid->rows ? grid->columns : grid->rows;
    for (int64_t ring = 0; ring < rings; ring++) {
        double least = ((double)ring - 0.5) * grid->cell * (1 - 1e-6); // no centre in this ring is nearer
        if (least > 0 && least * least > search.best)
            break;
        look_around(&search, column, row, ring);
    }
    if (search.place.cell == TR_NONE)
        search.place.why = TR_GROUND_NO_FLOOR;
    return search.place;
}

tr_ground_place tr_ground_nearest(const tr_ground *ground, uint32_t size, tr_vec3 point, float reach) {
    const ground_size *of = size_at(ground, size);
    return of ? tr_ground_nearest_on(ground, of, point, reach, INFINITY, TR_NONE)
              : nowhere(point, TR_GROUND_OUTSIDE);
}

// --- Regions ---

// The current region of a place: an earlier result may be out of date.
static uint32_t region_of(const tr_ground *ground, const ground_size *size, const tr_ground_place *place) {
    uint32_t x, z;
    if (place->cell == TR_NONE || !ground_find_column(ground, place->position.x, place->position.z, &x, &z))
        return TR_NONE;
    uint32_t tile = ground_tile_of(ground, x, z), index = place->cell - ground->tiles[tile].first;
    const uint16_t *offsets = ground_offsets_at(&ground->tiles[tile], x, z);
    if (place->cell < ground->tiles[tile].first || index < offsets[0] || index >= offsets[1] ||
        size->tiles[tile].rects_of[index] == GROUND_NO_RECT)
        return TR_NONE;
    return ground_label_of(size, tile, size->tiles[tile].rects_of[index]);
}

bool tr_ground_connected(const tr_ground *ground, uint32_t size, const tr_ground_place *from,
                         const tr_ground_place *to) {
    const ground_size *of = size_at(ground, size);
    uint32_t region = of ? region_of(ground, of, from) : TR_NONE;
    return region != TR_NONE && region == region_of(ground, of, to);
}

// --- Messages ---

#define EXPLAIN_REACH 10.0f // how far to search for a free place [m]

static const char *const reasons[] = {
    [TR_GROUND_FREE] = "is free",
    [TR_GROUND_OUTSIDE] = "is outside the area",
    [TR_GROUND_NO_FLOOR] = "has no floor below it",
    [TR_GROUND_INSIDE] = "is inside an obstacle",
    [TR_GROUND_LOW] = "has too little head room",
    [TR_GROUND_NARROW] = "is too near to an obstacle or an edge",
};

void tr_ground_look_inside(const tr_scene *scene, tr_vec3 point, tr_ground_place *place) {
    if (place->why == TR_GROUND_FREE || place->why == TR_GROUND_OUTSIDE)
        return;
    // Objects stand on floors: a point on the floor is inside of them slightly further up.
    static const float up[3] = {0, 0.05f, 0.25f};
    for (int i = 0; i < 3; i++) {
        uint32_t object = tr_surface_inside_of(scene, tr_vec3_make(point.x, point.y + up[i], point.z));
        if (object != TR_NONE) {
            place->why = TR_GROUND_INSIDE;
            place->object = object;
            return;
        }
    }
}

static bool has_any_room(const ground_size *size) {
    return size->rect_total > 0;
}

void tr_ground_explain(const tr_ground *ground, uint32_t size, tr_vec3 point, const tr_ground_place *place,
                       char *text, size_t text_size) {
    const ground_size *of = size_at(ground, size);
    int written = snprintf(text, text_size, "(%g, %g, %g) %s", point.x, point.y, point.z,
                           (uint32_t)place->why <= TR_GROUND_NARROW ? reasons[place->why] : "is not free");
    if (place->why == TR_GROUND_FREE || !of || written < 0 || (size_t)written >= text_size)
        return;
    text += written;
    text_size -= (size_t)written;
    if (place->why == TR_GROUND_INSIDE && place->object != TR_NONE) {
        written = snprintf(text, text_size, " (object %u)", place->object);
        if (written < 0 || (size_t)written >= text_size)
            return;
        text += written;
        text_size -= (size_t)written;
    }
    tr_ground_place near = tr_ground_nearest(ground, size, point, EXPLAIN_REACH);
    if (near.cell != TR_NONE)
        snprintf(text, text_size, "; the nearest free place is at (%g, %g, %g)", near.position.x,
                 near.position.y, near.position.z);
    else if (has_any_room(of))
        snprintf(text, text_size, "; there is no free place within %g m", EXPLAIN_REACH);
    else
        snprintf(text, text_size,
                 "; there is no free place anywhere for a body of %g m: is the scene in metres, with y up?",
                 of->body.height);
}
