// 3.2, 3.3.3: straight lines of cells in place of the staircases and corners of the path.
#include "surface_route_data.h"

#include <math.h>

#define EVERY_PASSES 4 // after the first, as long as they help

// A line of cells between two of the path, as by a digital differential analyser: cell k of `steps` is the
// one whose centre is nearest to that point of the line.
typedef struct refine_line {
    int32_t x, z; // total, in cells
    uint32_t steps;
} refine_line;

static refine_line line_between(const tr_surface_route_cell *from, const tr_surface_route_cell *to) {
    refine_line line = {(int32_t)to->column - (int32_t)from->column, (int32_t)to->row - (int32_t)from->row,
                        0};
    uint32_t x = (uint32_t)(line.x < 0 ? -line.x : line.x), z = (uint32_t)(line.z < 0 ? -line.z : line.z);
    line.steps = x > z ? x : z;
    return line;
}

// The offset along one axis after k steps: rounded to the nearest, halves away from the start, so that the
// mirrored line is the same.
static int32_t along(const refine_line *line, int32_t whole, uint32_t k) {
    int64_t far = whole < 0 ? -(int64_t)whole : whole;
    int64_t cells = (2 * far * k + line->steps) / (2 * (int64_t)line->steps);
    return (int32_t)(whole < 0 ? -cells : cells);
}

static bool holds(const tr_surface_route_cell *cells, uint32_t count, uint32_t cell) {
    for (uint32_t i = 0; i < count; i++)
        if (cells[i].cell == cell)
            return true;
    return false;
}

// May the path go there? It may enter border cells only where it did before.
static bool may_enter(const tr_surface_route *route, const tr_surface_route_cell *piece, uint32_t count,
                      uint32_t cell) {
    return route->last_border == TR_SURFACE_ROUTE_BORDER_IGNORE || tr_surface_route_is_free(route, cell) ||
           holds(piece, count, cell);
}

// One step of a line: the height of each cell follows from the one before.
static bool go(const tr_surface_route *route, const refine_line *line, uint32_t k,
               const tr_surface_route_place *from, tr_surface_route_place *to) {
    int32_t x = along(line, line->x, k) - along(line, line->x, k - 1),
            z = along(line, line->z, k) - along(line, line->z, k - 1);
    return x != 0 && z != 0 ? tr_surface_route_diagonal(route, from, x, z, to)
                            : tr_surface_route_beside(route, from, x, z, to);
}

static double apart(const tr_surface_route *route, int32_t x, int32_t up, int32_t z) {
    double side = route->grid.cell, y = route->scale.unit * up;
    return sqrt(side * side * ((double)x * x + (double)z * z) + y * y);
}

static double length_of(const tr_surface_route *route, const tr_surface_route_cell *piece, uint32_t count) {
    double length = 0;
    for (uint32_t i = 1; i < count; i++)
        length += apart(route, piece[i].column - piece[i - 1].column, piece[i].height - piece[i - 1].height,
                        piece[i].row - piece[i - 1].row);
    return length;
}

// The length of the line from the first to the last cell of a piece, if it leads over reachable cells to
// exactly that cell; else INFINITY.
static double line_length(const tr_surface_route *route, const tr_surface_route_cell *piece, uint32_t count) {
    refine_line line = line_between(&piece[0], &piece[count - 1]);
    tr_surface_route_place at = tr_surface_route_path_place(route, &piece[0]), next;
    double length = 0;
    for (uint32_t k = 1; k <= line.steps; k++) {
        if (!go(route, &line, k, &at, &next) || !may_enter(route, piece, count, next.cell))
            return INFINITY;
        length += apart(route, next.column - at.column, next.height - at.height, next.row - at.row);
        at = next;
    }
    return line.steps > 0 && at.cell == piece[count - 1].cell ? length : INFINITY;
}

// Over uneven floors a line may be longer: such a line is not taken either.
static bool line_is_free(const tr_surface_route *route, const tr_surface_route_cell *piece, uint32_t count) {
    return line_length(route, piece, count) <= length_of(route, piece, count) * (1 + 1e-12);
}

static bool line_is_shorter(const tr_surface_route *route, const tr_surface_route_cell *piece,
                            uint32_t count) {
    return line_length(route, piece, count) < length_of(route, piece, count) * (1 - 1e-9);
}

// Writes the cells of a free line after its first, and returns their number. It is no more than that of the
// piece: a path of single steps cannot be shorter.
static uint32_t write_line(const tr_surface_route *route, tr_surface_route_cell first,
                           tr_surface_route_cell last, tr_surface_route_cell *cells) {
    refine_line line = line_between(&first, &last);
    tr_surface_route_place at = tr_surface_route_path_place(route, &first), next;
    for (uint32_t k = 1; k <= line.steps && go(route, &line, k, &at, &next); k++) {
        cells[k - 1] = (tr_surface_route_cell){
            .cell = next.cell, .column = next.column, .row = next.row, .height = next.height};
        at = next;
    }
    return line.steps;
}

// Is the move to this cell a single step, which a line may replace?
static bool is_single(const tr_surface_route_cell *cell) {
    int32_t x = (int32_t)cell->column - (int32_t)cell[-1].column,
            z = (int32_t)cell->row - (int32_t)cell[-1].row;
    return cell->link == 0 && x >= -1 && x <= 1 && z >= -1 && z <= 1;
}

static bool turns_at(const tr_surface_route_cell *cell) {
    return cell[1].column - cell[0].column != cell[0].column - cell[-1].column ||
           cell[1].row - cell[0].row != cell[0].row - cell[-1].row;
}

// The last cell that single steps lead to from `begin`.
static uint32_t end_of_run(const tr_surface_route_cell *path, uint32_t begin, uint32_t count) {
    uint32_t end = begin;
    while (end + 1 < count && is_single(&path[end + 1]))
        end++;
    return end;
}

// The node after `at` in a run: where the path turns, or the run's end.
static uint32_t next_node(const tr_surface_route_cell *path, uint32_t at, uint32_t end) {
    for (at++; at < end && !turns_at(&path[at]); at++)
        ;
    return at < end ? at : end;
}

// The cell to connect `at` with. ALTERNATE: the node after the next. EVERY: each cell is a node, and lines
// are made longer as long as they are free.
static uint32_t choose_end(const tr_surface_route *route, tr_surface_route_refinement refinement, uint32_t at,
                           uint32_t end) {
    const tr_surface_route_cell *path = route->path;
    if (refinement == TR_SURFACE_ROUTE_ALTERNATE) {
        uint32_t node = next_node(path, at, end);
        uint32_t other = node < end ? next_node(path, node, end) : node;
        return line_is_free(route, path + at, other - at + 1) ? other : TR_NONE;
    }
    uint32_t best = TR_NONE;
    for (uint32_t other = at + 1; other <= end && line_is_free(route, path + at, other - at + 1); other++)
        best = other;
    return best;
}

// One pass over the path without its first `skip` cells; returns how many cells the first line has. `again`:
// lines that are not shorter than the present path are skipped.
static uint32_t refine_once(tr_surface_route *route, tr_surface_route_refinement refinement, uint32_t skip,
                            bool again) {
    uint32_t count = route->result.cell_count, written = skip + 1, at = skip, first = 0;
    tr_surface_route_cell *path = route->path;
    while (at + 1 < count) {
        uint32_t end = end_of_run(path, at, count);
        uint32_t other = end > at ? choose_end(route, refinement, at, end) : TR_NONE;
        if (other != TR_NONE && (!again || line_is_shorter(route, path + at, other - at + 1))) {
            // Writing never overtakes reading, and `at` itself is still intact.
            uint32_t cells = write_line(route, path[at], path[other], path + written);
            first = first ? first : cells;
            written += cells;
            at = other;
            continue;
        }
        // The old piece stays: one move across, or (in a run) up to the start of the next line.
        uint32_t keep =
            end > at && refinement == TR_SURFACE_ROUTE_ALTERNATE ? next_node(path, at, end) : at + 1;
        keep = other != TR_NONE ? other : keep;
        while (at < keep)
            path[written++] = path[++at];
    }
    route->result.cell_count = written;
    tr_surface_route_path_finish(route);
    return first;
}

tr_status tr_surface_route_refine(tr_surface_route *route, tr_surface_route_refinement refinement) {
    if ((unsigned)refinement > TR_SURFACE_ROUTE_EVERY ||
        route->revision != tr_surface_revision(route->surface))
        return TR_INVALID;
    if (route->result.cell_count == 0)
        return TR_OK;
    uint32_t first = refine_once(route, refinement, 0, false);
    // Lines that begin elsewhere cut the corners that the first ones left.
    double before = INFINITY;
    for (int i = 0; i < EVERY_PASSES && refinement == TR_SURFACE_ROUTE_EVERY && route->result.length < before;
         i++) {
        before = route->result.length;
        refine_once(route, refinement, first >> (i + 1), true);
    }
    return TR_OK;
}
