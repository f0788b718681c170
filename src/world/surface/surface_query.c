// Finds cells by place, and tells whether a place is inside an object.
#include "surface_data.h"

#include <math.h>

static const tr_surface_place nowhere = {.cell = TR_NONE};

static double height_of(const tr_surface *surface, uint16_t units) {
    return surface->scale.bottom + units * surface->scale.unit;
}

static tr_surface_place place_in(const tr_surface *surface, const tr_surface_column *cells, uint32_t column,
                                 uint32_t row, uint32_t index) {
    uint8_t room = cells->rooms[index] & TR_SURFACE_ROOM_MAX;
    tr_surface_place place = {.cell = cells->first + index,
                              .column = column,
                              .row = row,
                              .height = (float)height_of(surface, cells->heights[index]),
                              .room =
                                  room < TR_SURFACE_ROOM_MAX ? (float)(room * surface->scale.room) : INFINITY,
                              .kind = tr_surface_kind_of(cells->rooms[index])};
    return place;
}

tr_surface_place tr_surface_place_of(const tr_surface *surface, uint32_t column, uint32_t row,
                                     uint32_t index) {
    tr_surface_column cells = tr_surface_at(surface, column, row);
    return index < cells.count ? place_in(surface, &cells, column, row, index) : nowhere;
}

tr_surface_place tr_surface_drop(const tr_surface *surface, tr_vec3 point, float rise) {
    uint32_t column, row;
    if (!(rise >= 0) || isnan(point.y) ||
        !tr_grid_find(&surface->def.grid.grid, (tr_vec2){point.x, point.z}, &column, &row))
        return nowhere;
    tr_surface_column cells = surface_at(surface, column, row);
    // Heights are rounded up: a body that stands on a cell may be a unit below its height.
    double most = (double)point.y + rise + surface->scale.unit;
    for (uint32_t i = cells.count; i-- > 0;)
        if (tr_surface_is_for_standing(cells.rooms[i]) && height_of(surface, cells.heights[i]) <= most)
            return place_in(surface, &cells, column, row, i);
    return nowhere;
}

typedef struct nearest_search {
    const tr_surface *surface;
    double x, y, z;
    uint8_t room;
    double best; // square of the distance to the nearest so far, or of the reach
    tr_surface_place place;
} nearest_search;

static void look_into(nearest_search *search, uint32_t column, uint32_t row) {
    const tr_surface *surface = search->surface;
    const tr_grid *grid = &surface->def.grid.grid;
    double x = grid->origin.x + (column + 0.5) * grid->cell - search->x,
           z = grid->origin.z + (row + 0.5) * grid->cell - search->z;
    if (x * x + z * z > search->best)
        return;
    tr_surface_column cells = surface_at(surface, column, row);
    for (uint32_t i = 0; i < cells.count; i++) {
        if (!tr_surface_is_for_standing(cells.rooms[i]) ||
            (cells.rooms[i] & TR_SURFACE_ROOM_MAX) < search->room)
            continue;
        double y = height_of(surface, cells.heights[i]) - search->y, distance = x * x + y * y + z * z;
        if (distance > search->best || (distance == search->best && cells.first + i > search->place.cell))
            continue;
        search->best = distance;
        search->place = place_in(surface, &cells, column, row, i);
    }
}

// The columns whose number differs from the middle one's by `ring` in one direction and by at most that in
// the other.
static void look_around(nearest_search *search, int64_t column, int64_t row, int64_t ring) {
    const tr_grid *grid = &search->surface->def.grid.grid;
    int64_t first = column - ring > 0 ? column - ring : 0,
            last = column + ring < grid->columns ? column + ring : grid->columns - 1;
    for (int64_t r = row - ring; r <= row + ring; r++) {
        if (r < 0 || r >= grid->rows)
            continue;
        bool whole = r == row - ring || r == row + ring;
        for (int64_t c = first; c <= last && whole; c++)
            look_into(search, (uint32_t)c, (uint32_t)r);
        if (!whole && column - ring >= 0)
            look_into(search, (uint32_t)(column - ring), (uint32_t)r);
        if (!whole && column + ring < grid->columns)
            look_into(search, (uint32_t)(column + ring), (uint32_t)r);
    }
}

static int64_t nearest_cell(double at, uint32_t count) {
    return at <= 0 ? 0 : at >= count ? (int64_t)count - 1 : (int64_t)at;
}

tr_surface_place tr_surface_nearest(const tr_surface *surface, tr_vec3 point, float reach, float room) {
    const tr_grid *grid = &surface->def.grid.grid;
    if (!tr_vec3_is_finite(point) || !(reach >= 0) || isnan(room))
        return nowhere;
    nearest_search search = {.surface = surface,
                             .x = point.x,
                             .y = point.y,
                             .z = point.z,
                             .room = tr_surface_room(surface, room),
                             .best = (double)reach * reach,
                             .place = nowhere};
    int64_t column = nearest_cell((search.x - grid->origin.x) / grid->cell, grid->columns),
            row = nearest_cell((search.z - grid->origin.z) / grid->cell, grid->rows);
    int64_t rings = grid->columns > grid->rows ? grid->columns : grid->rows;
    for (int64_t ring = 0; ring < rings; ring++) {
        double least = ((double)ring - 0.5) * grid->cell * (1 - 1e-6); // no centre in this ring is nearer
        if (least > 0 && least * least > search.best)
            break;
        look_around(&search, column, row, ring);
    }
    return search.place;
}

// The last tile whose first cell is no greater than `value`. The first tile always qualifies.
static uint32_t last_tile(const surface_cells *cells, uint32_t value) {
    uint32_t low = 0, high = cells->tile_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (cells->tiles[middle].first <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

tr_surface_place tr_surface_find(const tr_surface *surface, uint32_t cell) {
    if (cell >= surface->cell_count)
        return nowhere;
    // Of several tiles with the same first number only the last has cells.
    uint32_t tile = last_tile(&surface->cells, cell);
    tr_cells window = surface_tile_window(&surface->def.grid.grid, tile % surface->tile_columns,
                                          tile / surface->tile_columns);
    const uint16_t *offsets = surface->cells.offsets + surface->cells.tiles[tile].offsets;
    uint32_t wanted = cell - surface->cells.tiles[tile].first, low = 0,
             high = (uint32_t)tr_cells_area(window), width = window.column_end - window.column_begin;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (offsets[middle] <= wanted)
            low = middle;
        else
            high = middle;
    }
    return tr_surface_place_of(surface, window.column_begin + low % width, window.row_begin + low / width,
                               wanted - offsets[low]);
}

tr_vec3 tr_surface_centre(const tr_surface *surface, const tr_surface_place *place) {
    tr_vec2 middle = tr_grid_centre(&surface->def.grid.grid, place->column, place->row);
    return tr_vec3_make(middle.x, place->height, middle.z);
}

typedef struct exact_point {
    double x, y, z;
} exact_point;

// Whether the edge passes the point at a greater x. Both triangles of an edge get the same answer, because it
// is always computed from the end with the lesser z.
static int crossing(exact_point a, exact_point b, exact_point p) {
    bool a_beyond = a.z > p.z, b_beyond = b.z > p.z;
    if (a_beyond == b_beyond)
        return 0;
    exact_point low = a_beyond ? b : a, high = a_beyond ? a : b;
    double at = low.x + (high.x - low.x) * ((p.z - low.z) / (high.z - low.z));
    return at > p.x ? (b_beyond ? 1 : -1) : 0;
}

// How often surfaces wind around the point, counted upwards and downwards: both are equal for a closed
// surface, and 0 for a point outside it. A lone roof counts above only.
typedef struct winding {
    int64_t above, below;
} winding;

// Which way a triangle faces where the vertical line through the point meets it, at height `at`. 1: its front
// faces down; -1: up; 0: the line misses it, or lies in its plane.
static int meet_vertical(const exact_point corner[3], exact_point p, double *at) {
    int turn = crossing(corner[0], corner[1], p) + crossing(corner[1], corner[2], p) +
               crossing(corner[2], corner[0], p);
    if (turn == 0)
        return 0;
    double ax = corner[1].x - corner[0].x, ay = corner[1].y - corner[0].y, az = corner[1].z - corner[0].z,
           bx = corner[2].x - corner[0].x, by = corner[2].y - corner[0].y, bz = corner[2].z - corner[0].z;
    double nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
    if (ny == 0)
        return 0;
    *at = corner[0].y - (nx * (p.x - corner[0].x) + nz * (p.z - corner[0].z)) / ny;
    return turn;
}

static exact_point apply(const tr_affine *placement, tr_vec3 point) {
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = (double)placement->m[i][0] * point.x + (double)placement->m[i][1] * point.y +
                (double)placement->m[i][2] * point.z + placement->m[i][3];
    exact_point placed = {at[0], at[1], at[2]};
    return placed;
}

static int meet_triangle(const tr_object_view *object, const tr_mesh_view *mesh, uint32_t triangle,
                         exact_point p, double *at) {
    exact_point corner[3];
    for (int k = 0; k < 3; k++)
        corner[k] = apply(&object->placement, mesh->positions[mesh->indices[3 * (size_t)triangle + k]]);
    return meet_vertical(corner, p, at);
}

static bool object_encloses(const tr_scene *scene, const tr_object_view *object, exact_point p) {
    tr_mesh_view mesh = tr_scene_mesh(scene, object->mesh);
    winding count = {0, 0};
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        double y = 0;
        int turn = meet_triangle(object, &mesh, i, p, &y);
        if (y > p.y)
            count.above -= turn;
        else if (y < p.y)
            count.below += turn;
    }
    return count.above == count.below && count.above != 0; // for either orientation of its faces
}

uint32_t tr_surface_inside_of(const tr_scene *scene, tr_vec3 point) {
    if (!tr_vec3_is_finite(point))
        return TR_NONE;
    exact_point p = {point.x, point.y, point.z};
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (!object.removed && object.mesh != TR_NONE && box_holds(&object.bounds, point) &&
            object_encloses(scene, &object, p))
            return i;
    }
    return TR_NONE;
}

bool tr_surface_is_inside(const tr_scene *scene, tr_vec3 point) {
    return tr_surface_inside_of(scene, point) != TR_NONE;
}

// A mirroring placement reverses the fronts of triangles.
static int sign_of(const tr_affine *placement) {
    const float(*m)[4] = placement->m;
    double volume = (double)m[0][0] * ((double)m[1][1] * m[2][2] - (double)m[1][2] * m[2][1]) -
                    (double)m[0][1] * ((double)m[1][0] * m[2][2] - (double)m[1][2] * m[2][0]) +
                    (double)m[0][2] * ((double)m[1][0] * m[2][1] - (double)m[1][1] * m[2][0]);
    return volume < 0 ? -1 : 1;
}

// The height that is compared: the greater, the nearer.
typedef struct looking {
    exact_point from;
    double side; // 1: down, -1: up
    double best;
    int64_t looks_up; // triangles at this height that face up, less those that face down
} looking;

static void look_at_object(const tr_scene *scene, uint32_t number, const tr_object_view *object,
                           looking *look, tr_surface_hit *hit) {
    tr_mesh_view mesh = tr_scene_mesh(scene, object->mesh);
    int sign = sign_of(&object->placement);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        double y = 0;
        int turn = sign * meet_triangle(object, &mesh, i, look->from, &y);
        double height = look->side * y;
        if (turn == 0 || !(height < look->side * look->from.y) || height < look->best)
            continue;
        look->looks_up = height > look->best ? -turn : look->looks_up - turn;
        look->best = height;
        *hit = (tr_surface_hit){.object = number, .height = (float)y, .looks_up = look->looks_up > 0};
    }
}

bool tr_surface_look(const tr_scene *scene, tr_vec3 point, bool upwards, tr_surface_hit *hit) {
    looking look = {.from = {point.x, point.y, point.z}, .side = upwards ? -1 : 1, .best = (double)-INFINITY};
    if (!tr_vec3_is_finite(point))
        return false;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_vec3 level = tr_vec3_make(point.x, object.bounds.min.y, point.z);
        bool apart = upwards ? object.bounds.max.y < point.y : object.bounds.min.y > point.y;
        if (!object.removed && object.mesh != TR_NONE && !apart && box_holds(&object.bounds, level))
            look_at_object(scene, i, &object, &look, hit);
    }
    return look.best > (double)-INFINITY;
}
