// Finds the free cells: those that can be stood on and are no nearer than the radius to a place that cannot
// be stepped to.
//
// The distance is measured from square to square, from a place that cannot be stepped to, along x and then
// along z, over cells that lead to each other. Both walks are done for all cells at once: along x every cell
// gets the number of cells between it and such a place, along z the remaining reach of the border. Then the
// same is done along z and then along x: obstacles beside a leap along z are found in no other way, since
// there are no cells between them and the leaping body.
#include "ground_data.h"

#include <math.h>
#include <string.h>

#define FAR_AWAY 255
#define NOBODY UINT32_MAX

// A standing cell in the window.
struct ground_node {
    uint32_t tile;
    uint16_t index;
    uint8_t ways;
    uint8_t across; // cells to the nearest place along one axis that cannot be stepped to; FAR_AWAY
    int16_t reach;  // cells along the other axis that the border still covers from here; -1: not border
    uint8_t steps[4];
    uint32_t next[4]; // nodes that the steps lead to; NOBODY: not in the window
};
typedef struct ground_node ground_node;

void tr_ground_scratch_release(const tr_ground *ground, ground_scratch *scratch) {
    const tr_allocator *allocator = &ground->allocator;
    tr_release(allocator, scratch->nodes, scratch->node_capacity, sizeof *scratch->nodes);
    tr_release(allocator, scratch->columns, scratch->column_capacity, sizeof *scratch->columns);
    tr_release(allocator, scratch->rects, scratch->rect_capacity, sizeof *scratch->rects);
    tr_release(allocator, scratch->portals, scratch->portal_capacity, sizeof *scratch->portals);
    tr_release(allocator, scratch->marks, scratch->mark_capacity, sizeof *scratch->marks);
    memset(scratch, 0, sizeof *scratch);
}

typedef struct free_window {
    const tr_ground *ground;
    ground_size *size;
    tr_cells inner, outer;
    uint32_t width; // of the outer one
    ground_node *nodes;
    uint32_t *columns;
    uint32_t node_count;
} free_window;

static tr_cells widened(const tr_ground *ground, tr_cells cells, uint32_t by) {
    tr_cells wide = {cells.column_begin > by ? cells.column_begin - by : 0,
                     cells.row_begin > by ? cells.row_begin - by : 0,
                     cells.column_end + by < ground->grid.columns ? cells.column_end + by
                                                                  : ground->grid.columns,
                     cells.row_end + by < ground->grid.rows ? cells.row_end + by : ground->grid.rows};
    return wide;
}

// All standing cells in the window, row by row.
static bool collect_nodes(free_window *w, ground_scratch *scratch) {
    const tr_ground *ground = w->ground;
    uint32_t column = 0, count = 0;
    for (uint32_t z = w->outer.row_begin; z < w->outer.row_end; z++)
        for (uint32_t x = w->outer.column_begin; x < w->outer.column_end; x++) {
            uint32_t number = ground_tile_of(ground, x, z);
            const ground_tile *tile = &ground->tiles[number];
            const uint16_t *offsets = ground_offsets_at(tile, x, z);
            uint32_t cells = offsets[1] - offsets[0];
            void *nodes = scratch->nodes;
            bool room = count + cells <= scratch->node_capacity ||
                        tr_reserve(&ground->allocator, &nodes, &scratch->node_capacity,
                                   (uint64_t)count + cells, sizeof *scratch->nodes);
            scratch->nodes = nodes;
            if (!room)
                return false;
            w->columns[column++] = count;
            for (uint32_t i = offsets[0]; i < offsets[1]; i++)
                if (ground_stands(&w->size->measure, tile->rooms[i]))
                    scratch->nodes[count++] = (ground_node){.tile = number,
                                                            .index = (uint16_t)i,
                                                            .ways = w->size->tiles[number].ways[i],
                                                            .reach = -1,
                                                            .next = {NOBODY, NOBODY, NOBODY, NOBODY}};
        }
    w->columns[column] = count;
    w->nodes = scratch->nodes;
    w->node_count = count;
    return true;
}

static uint32_t find_node(const free_window *w, const ground_spot *spot) {
    if (spot->x < w->outer.column_begin || spot->x >= w->outer.column_end || spot->z < w->outer.row_begin ||
        spot->z >= w->outer.row_end)
        return NOBODY;
    uint32_t column = (spot->z - w->outer.row_begin) * w->width + (spot->x - w->outer.column_begin);
    for (uint32_t i = w->columns[column]; i < w->columns[column + 1]; i++)
        if (w->nodes[i].index == spot->index)
            return i;
    return NOBODY;
}

// The node of a column that a step leads to: the one that fits.
static uint32_t fitting_node(const free_window *w, const ground_node *from, const uint32_t columns[2]) {
    const ground_tile *tile = &w->ground->tiles[from->tile],
                      *other = &w->ground->tiles[w->nodes[columns[0]].tile];
    uint32_t height = tile->heights[from->index], i = columns[0];
    uint8_t room = tile->rooms[from->index];
    while (i < columns[1] && !ground_fits(w->ground, &w->size->measure, height, room,
                                          other->heights[w->nodes[i].index], other->rooms[w->nodes[i].index]))
        i++;
    return i < columns[1] ? i : NOBODY;
}

// Follows the steps of one node. Where the column beside it has only one cell, the step leads there.
static void link_node(const free_window *w, ground_node *node, uint32_t x, uint32_t z) {
    for (uint32_t direction = 0; direction < 4; direction++) {
        if (!(node->ways >> direction & (GROUND_OPEN | GROUND_LEAP)))
            continue;
        uint32_t to_x = (uint32_t)((int32_t)x + ground_along_x(direction)) - w->outer.column_begin,
                 to_z = (uint32_t)((int32_t)z + ground_along_z(direction)) - w->outer.row_begin;
        bool inside = to_x < w->width && to_z < w->outer.row_end - w->outer.row_begin;
        const uint32_t *columns = w->columns + (inside ? to_z * w->width + to_x : 0);
        node->steps[direction] = 1;
        if ((node->ways >> direction & GROUND_OPEN) && inside) {
            node->next[direction] = columns[0];
            if (columns[1] - columns[0] > 1)
                node->next[direction] = fitting_node(w, node, columns);
        } else if (inside || (node->ways >> direction & GROUND_LEAP)) {
            ground_spot from = {node->tile, node->index, (uint16_t)x, (uint16_t)z}, to;
            node->steps[direction] = (uint8_t)tr_ground_step(w->ground, w->size, &from, direction, &to);
            node->next[direction] = node->steps[direction] ? find_node(w, &to) : NOBODY;
        }
    }
}

static void link_nodes(free_window *w) {
    uint32_t column = 0;
    for (uint32_t z = w->outer.row_begin; z < w->outer.row_end; z++)
        for (uint32_t x = w->outer.column_begin; x < w->outer.column_end; x++, column++)
            for (uint32_t i = w->columns[column]; i < w->columns[column + 1]; i++)
                link_node(w, &w->nodes[i], x, z);
}

static bool is_barred(const ground_node *node, uint32_t direction) {
    return !(node->ways >> direction & (GROUND_OPEN | GROUND_LEAP));
}

// Walks away from barred places in one direction. Nodes are sorted by rows, so that `next` has been visited
// before.
static void walk_away(free_window *w, uint32_t direction, uint8_t *between) {
    for (uint32_t k = 0; k < w->node_count; k++) {
        uint32_t i = direction >= 2 ? k : w->node_count - 1 - k, next = w->nodes[i].next[direction];
        uint32_t cells = FAR_AWAY;
        if (is_barred(&w->nodes[i], direction))
            cells = 0;
        else if (next != NOBODY)
            cells = between[next] + (uint32_t)w->nodes[i].steps[direction];
        between[i] = (uint8_t)(cells < FAR_AWAY ? cells : FAR_AWAY);
        w->nodes[i].across = between[i] < w->nodes[i].across ? between[i] : w->nodes[i].across;
    }
}

// Walks away from barred places in one direction, or beside a cell along the other axis; `reaches` gives the
// reach for the number of cells between along that axis.
static void walk_on(free_window *w, uint32_t direction, const int16_t *reaches, int16_t *left) {
    for (uint32_t k = 0; k < w->node_count; k++) {
        uint32_t i = direction >= 2 ? k : w->node_count - 1 - k, next = w->nodes[i].next[direction];
        // Beside a place that cannot be stepped to, the next cell is as near to it.
        int32_t reach = reaches[w->nodes[i].across] < 0 ? -1 : reaches[w->nodes[i].across] + 1;
        if (is_barred(&w->nodes[i], direction))
            reach = reaches[0] > reach ? reaches[0] : reach;
        else if (next != NOBODY && left[next] - w->nodes[i].steps[direction] > reach)
            reach = left[next] - w->nodes[i].steps[direction];
        left[i] = (int16_t)reach;
        w->nodes[i].reach = left[i] > w->nodes[i].reach ? left[i] : w->nodes[i].reach;
    }
}

// Walks along one axis (0: x), then along the other.
static void walk_both(free_window *w, uint32_t axis, const int16_t *reaches, void *marks) {
    for (uint32_t i = 0; i < w->node_count; i++)
        w->nodes[i].across = FAR_AWAY;
    walk_away(w, axis, marks);
    walk_away(w, axis + 2, marks);
    walk_on(w, 1 - axis, reaches, marks);
    walk_on(w, 3 - axis, reaches, marks);
}

// The greatest reach of the border along an axis for each number of cells along the other; -1: none.
static void find_reaches(double radius, int16_t reaches[256]) {
    for (uint32_t i = 0; i < 256; i++) {
        double most = radius * radius - (double)i * i;
        reaches[i] = -1;
        while (i < FAR_AWAY && reaches[i] < 255 && (reaches[i] + 1.0) * (reaches[i] + 1.0) < most)
            reaches[i]++;
    }
}

// A body that leaps has the gap or obstacle beside it, without cells there that would report a wall: is there
// a wall within the radius?
static bool leaps_by_wall(const free_window *w, const ground_node *node, uint32_t x, uint32_t z) {
    if (node->ways / GROUND_LEAP == 0)
        return false;
    const ground_measure *measure = &w->size->measure;
    uint32_t height = w->ground->tiles[node->tile].heights[node->index];
    int32_t most = (int32_t)measure->halo;
    for (int32_t k = -most; k <= most; k++)
        for (int32_t i = -most; i <= most; i++) {
            double across = i > 1 ? i - 1 : i < -1 ? -i - 1 : 0, along = k > 1 ? k - 1 : k < -1 ? -k - 1 : 0;
            uint32_t column = x + (uint32_t)i, row = z + (uint32_t)k;
            if (across * across + along * along < measure->radius * measure->radius &&
                column < w->ground->grid.columns && row < w->ground->grid.rows &&
                !tr_ground_is_low(w->ground, measure, column, row, height))
                return true;
        }
    return false;
}

// Records which cells of the inner columns are free.
static void note_free(const free_window *w, uint64_t *changed) {
    for (uint32_t z = w->inner.row_begin; z < w->inner.row_end; z++)
        for (uint32_t x = w->inner.column_begin; x < w->inner.column_end; x++) {
            uint32_t column = (z - w->outer.row_begin) * w->width + (x - w->outer.column_begin);
            uint32_t number = ground_tile_of(w->ground, x, z), node = w->columns[column];
            const uint16_t *offsets = ground_offsets_at(&w->ground->tiles[number], x, z);
            for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
                bool stands = node < w->columns[column + 1] && w->nodes[node].index == i;
                bool is_free = stands && w->nodes[node].reach < 0 && !leaps_by_wall(w, &w->nodes[node], x, z);
                node += stands;
                uint16_t *rect = &w->size->tiles[number].rects_of[i];
                if (is_free == (*rect != GROUND_NO_RECT))
                    continue;
                *rect = is_free ? 0 : GROUND_NO_RECT;
                changed[number / 64] |= (uint64_t)1 << (number & 63);
            }
        }
}

static bool find_free_anywhere(const tr_ground *ground, ground_size *size, tr_cells window, uint64_t *changed,
                               ground_scratch *scratch) {
    free_window w = {.ground = ground, .size = size, .inner = window};
    w.outer = widened(ground, window, size->measure.halo);
    w.width = w.outer.column_end - w.outer.column_begin;
    void *columns = scratch->columns, *marks = scratch->marks;
    bool room = tr_reserve(&ground->allocator, &columns, &scratch->column_capacity,
                           tr_cells_area(w.outer) + 1, sizeof *scratch->columns);
    scratch->columns = w.columns = columns;
    if (!room || !collect_nodes(&w, scratch))
        return false;
    room =
        tr_reserve(&ground->allocator, &marks, &scratch->mark_capacity, w.node_count, sizeof *scratch->marks);
    scratch->marks = marks;
    if (!room)
        return false;
    if (size->measure.radius > 0) {
        int16_t reaches[256];
        find_reaches(size->measure.radius, reaches);
        link_nodes(&w);
        walk_both(&w, 0, reaches, marks);
        walk_both(&w, 1, reaches, marks);
    }
    note_free(&w, changed);
    return true;
}

// --- Bit sets for windows whose floors are separate ---
//
// Most windows have one floor, and tops of walls and cupboards. A floor is all cells within a step of one
// height; where it leads only to itself, it can be processed alone. A cell on no floor has a side that leads
// nowhere, and is never free.

#define PLAIN_MOST 64 // columns, and rows, of the outer window: a row is a word
#define FLOORS_MOST 6

typedef struct plain_window {
    const tr_ground *ground;
    const ground_size *size;
    int32_t floors[FLOORS_MOST]; // their heights
    uint32_t floor_count;
    uint64_t borders[FLOORS_MOST][PLAIN_MOST]; // of each floor: too close to its edge
    uint64_t stands[PLAIN_MOST];               // on the current floor
    int32_t x, z;                              // of the first column and row; they may be beyond the grid
    int32_t width, rows;
} plain_window;

// A row of the window: cells of the floor, and which of them lead on in each direction.
typedef struct plain_row {
    uint64_t stands, open[4];
} plain_row;

static bool is_on_floor(const plain_window *w, uint32_t floor, uint32_t height) {
    int32_t away = (int32_t)height - w->floors[floor], rise = (int32_t)w->size->measure.rise;
    return away <= rise && -away <= rise;
}

static bool is_on_any_floor(const plain_window *w, uint32_t height) {
    for (uint32_t i = 0; i < w->floor_count; i++)
        if (is_on_floor(w, i, height))
            return true;
    return false;
}

// The number of columns of a row in the same tile, from x to `end`.
static uint32_t part_of_row(uint32_t x, uint32_t end) {
    uint32_t next = (x / GROUND_TILE + 1) * GROUND_TILE;
    return (next < end ? next : end) - x;
}

// Whether every column of a part of a row has one cell, with the same height, room and ways. Most parts do.
static bool is_even(const ground_tile *tile, const uint8_t *ways, uint32_t x, uint32_t z, uint32_t columns) {
    uint32_t mask = UINT32_MAX >> (GROUND_TILE - columns) << x % GROUND_TILE;
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    uint32_t first = offsets[0];
    return (tile->plain[z % GROUND_TILE] & mask) == mask && offsets[columns] - first == columns &&
           memcmp(tile->rooms + first, tile->rooms + first + 1, columns - 1) == 0 &&
           memcmp(ways + first, ways + first + 1, columns - 1) == 0;
}

// The floors of a part of a row. false: there are too many.
static bool find_floors_in(plain_window *w, uint32_t x, uint32_t z, uint32_t columns) {
    uint32_t number = ground_tile_of(w->ground, x, z);
    const ground_tile *tile = &w->ground->tiles[number];
    const uint8_t *ways = w->size->tiles[number].ways;
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    uint32_t end = is_even(tile, ways, x, z, columns) ? offsets[1] : offsets[columns];
    for (uint32_t i = offsets[0]; i < end; i++) {
        if (((ways[i] | ways[i] / GROUND_LEAP) & 15) != 15 || is_on_any_floor(w, tile->heights[i]))
            continue;
        if (w->floor_count == FLOORS_MOST)
            return false;
        w->floors[w->floor_count++] = tile->heights[i];
    }
    return true;
}

// All floors with cells that lead in all directions. false: there are too many, or none.
static bool find_floors(plain_window *w, tr_cells window) {
    for (uint32_t z = window.row_begin; z < window.row_end; z++)
        for (uint32_t x = window.column_begin, columns; x < window.column_end; x += columns) {
            columns = part_of_row(x, window.column_end);
            if (!find_floors_in(w, x, z, columns))
                return false;
        }
    return w->floor_count > 0;
}

// The cells of a part of a row on a floor. false: a column has two, or there is a leap.
static bool collect_part(const plain_window *w, uint32_t floor, uint32_t x, uint32_t z, uint32_t columns,
                         plain_row *row) {
    uint32_t number = ground_tile_of(w->ground, x, z);
    const ground_tile *tile = &w->ground->tiles[number];
    const uint8_t *known = w->size->tiles[number].ways;
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    uint32_t shift = (uint32_t)((int32_t)x - w->x),
             at_once = is_even(tile, known, x, z, columns) ? columns : 1;
    uint64_t bits = ~(uint64_t)0 >> (64 - at_once);
    for (uint32_t column = 0; column < columns; column += at_once, shift += at_once)
        for (uint32_t i = offsets[column]; i < offsets[column + 1]; i++) {
            if (!is_on_floor(w, floor, tile->heights[i]) || !ground_stands(&w->size->measure, tile->rooms[i]))
                continue;
            uint64_t ways = known[i];
            if (ways / GROUND_LEAP || (row->stands >> shift & 1))
                return false;
            row->stands |= bits << shift;
            for (uint32_t direction = 0; direction < 4; direction++)
                row->open[direction] |= (ways >> direction & GROUND_OPEN ? bits : 0) << shift;
        }
    return true;
}

// Cells of the floor must lead to each other wherever two are side by side, and to nothing else. (Nothing is
// known about cells beyond the window.)
static bool is_closed(const plain_window *w, const plain_row *row, const plain_row *above) {
    uint64_t first = 1, last = (uint64_t)1 << (w->width - 1);
    if (((row->stands & row->stands << 1) ^ row->open[2]) & ~first ||
        ((row->stands & row->stands >> 1) ^ row->open[0]) & ~last)
        return false;
    return !above ||
           ((row->stands & above->stands) == row->open[3] && (row->stands & above->stands) == above->open[1]);
}

static bool collect_bits(plain_window *w, uint32_t floor) {
    plain_row rows[2];
    int32_t most = (int32_t)w->ground->grid.columns;
    uint32_t first = (uint32_t)(w->x > 0 ? w->x : 0),
             end = (uint32_t)(w->x + w->width < most ? w->x + w->width : most);
    for (int32_t i = 0; i < w->rows; i++) {
        plain_row *row = &rows[i & 1];
        uint32_t z = (uint32_t)(w->z + i);
        memset(row, 0, sizeof *row);
        for (uint32_t x = first, columns; z < w->ground->grid.rows && x < end; x += columns) {
            columns = part_of_row(x, end);
            if (!collect_part(w, floor, x, z, columns, row))
                return false;
        }
        if (!is_closed(w, row, i > 0 ? &rows[!(i & 1)] : NULL))
            return false;
        w->stands[i] = row->stands;
    }
    return true;
}

// All cells of a row within `by` columns of a set one.
static uint64_t spread(uint64_t bits, uint32_t by) {
    for (uint32_t done = 0; done < by;) {
        uint32_t step = done + 1 < by - done ? done + 1 : by - done;
        bits |= bits << step | bits >> step;
        done += step;
    }
    return bits;
}

// The border of the floor in the rows from `halo` on.
static void find_border(plain_window *w, uint32_t floor, int32_t halo, const int16_t *reaches) {
    int32_t most = reaches[0] + 1;
    for (int32_t row = halo; row < w->rows - halo; row++) {
        uint64_t border = 0;
        for (int32_t off = -most; off <= most; off++) {
            int32_t between = off < 0 ? -off - 1 : off > 0 ? off - 1 : 0;
            if (reaches[between] >= 0)
                border |= spread(~w->stands[row + off], (uint32_t)reaches[between] + 1);
        }
        w->borders[floor][row] = border;
    }
}

// The first floor that a cell is on, if it can be stood on; else floor_count.
static uint32_t floor_of(const plain_window *w, uint32_t height, uint8_t room) {
    uint32_t floor = ground_stands(&w->size->measure, room) ? 0 : w->floor_count;
    while (floor < w->floor_count && !is_on_floor(w, floor, height))
        floor++;
    return floor;
}

// Records for every standing cell in a part of a row whether it is free.
static void note_part(const plain_window *w, ground_size *size, uint32_t x, uint32_t z, uint32_t columns,
                      uint64_t *changed) {
    uint32_t number = ground_tile_of(w->ground, x, z), row = (uint32_t)((int32_t)z - w->z);
    const ground_tile *tile = &w->ground->tiles[number];
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    uint16_t *rects_of = size->tiles[number].rects_of;
    uint32_t shift = (uint32_t)((int32_t)x - w->x);
    bool differs = false;
    uint32_t height = UINT32_MAX, room = 0, floor = 0; // of the previous cell: most cells are like it
    for (uint32_t column = 0; column < columns; column++, shift++)
        for (uint32_t i = offsets[column]; i < offsets[column + 1]; i++) {
            if (tile->heights[i] != height || tile->rooms[i] != room) {
                height = tile->heights[i], room = tile->rooms[i];
                floor = floor_of(w, height, tile->rooms[i]);
            }
            bool is_free = floor < w->floor_count && !(w->borders[floor][row] >> shift & 1);
            if (is_free == (rects_of[i] != GROUND_NO_RECT))
                continue;
            rects_of[i] = is_free ? 0 : GROUND_NO_RECT;
            differs = true;
        }
    if (differs)
        changed[number / 64] |= (uint64_t)1 << (number & 63);
}

static void note_bits(const plain_window *w, ground_size *size, tr_cells window, uint64_t *changed) {
    for (uint32_t z = window.row_begin; z < window.row_end; z++)
        for (uint32_t x = window.column_begin, columns; x < window.column_end; x += columns) {
            columns = part_of_row(x, window.column_end);
            note_part(w, size, x, z, columns, changed);
        }
}

static bool find_free_by_bits(plain_window *w, ground_size *size, tr_cells window, uint64_t *changed) {
    int16_t reaches[256];
    if (!(size->measure.radius > 0) || w->width > PLAIN_MOST || w->rows > PLAIN_MOST ||
        !find_floors(w, window))
        return false;
    find_reaches(size->measure.radius, reaches);
    for (uint32_t i = 0; i < w->floor_count; i++) {
        if (!collect_bits(w, i))
            return false;
        find_border(w, i, (int32_t)size->measure.halo, reaches);
    }
    note_bits(w, size, window, changed);
    return true;
}

static bool find_free_in(const tr_ground *ground, ground_size *size, tr_cells window, uint64_t *changed,
                         ground_scratch *scratch) {
    int32_t halo = (int32_t)size->measure.halo;
    plain_window w = {.ground = ground,
                      .size = size,
                      .x = (int32_t)window.column_begin - halo,
                      .z = (int32_t)window.row_begin - halo,
                      .width = (int32_t)(window.column_end - window.column_begin) + 2 * halo,
                      .rows = (int32_t)(window.row_end - window.row_begin) + 2 * halo};
    if (find_free_by_bits(&w, size, window, changed))
        return true;
    return find_free_anywhere(ground, size, window, changed, scratch);
}

// Splits the window into pieces that fit the bit sets.
bool tr_ground_find_free(const tr_ground *ground, ground_size *size, tr_cells window, uint64_t *changed,
                         ground_scratch *scratch) {
    uint32_t halo = size->measure.halo, side = halo < PLAIN_MOST / 4 ? PLAIN_MOST - 2 * halo : UINT32_MAX / 4;
    for (uint32_t z = window.row_begin; z < window.row_end; z += side)
        for (uint32_t x = window.column_begin; x < window.column_end; x += side) {
            tr_cells piece = {x, z, x + side < window.column_end ? x + side : window.column_end,
                              z + side < window.row_end ? z + side : window.row_end};
            if (!find_free_in(ground, size, piece, changed, scratch))
                return false;
        }
    return true;
}
