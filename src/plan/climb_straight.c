// A path of cells as a thread pulled tight over the surface. First cells that can be skipped are skipped.
// Then every bend is pulled in: the thread is let slide along its next piece as far as its last bend can be
// seen from there; what it then touches is the corner of a cell that cannot be entered, and there it bends.
// That is repeated until nothing moves. Every piece is walked cell by cell before it is taken, so that it
// stays on its storey; a piece that replaces others has no more border cells than they, and, after a search
// by effort, costs no more than they.
#include "climb_walk.h"

#include <math.h>
#include <string.h>

#define STEP_LEAST 4 // a bend that would slide by less stays [1/256 of a cell]
#define ROUNDS 3     // of pulling all bends

// The caller's points serve as memory for spots until they are finished.
typedef struct taut_line {
    const tr_climb *climb;
    tr_climb_point *points;
    uint32_t first, count, max; // bends before `first` are done with
    bool by_effort;
    bool by_border;  // border cells are counted; else none is entered
    bool any_border; // or they do not matter
    double up, down; // a unit of height, in 1/256 of a cell
} taut_line;

static uint32_t border_most(const taut_line *line, uint32_t old) {
    return line->any_border ? UINT32_MAX : line->by_border ? old : 0;
}

static void put(taut_line *line, uint32_t i, climb_spot spot) {
    _Static_assert(sizeof spot == sizeof line->points[0].position, "a spot takes the room of a position");
    memcpy(&line->points[i].position, &spot, sizeof spot);
    line->points[i].obstacle = line->points[i].link = 0;
}

static climb_spot get(const taut_line *line, uint32_t i) {
    climb_spot spot;
    memcpy(&spot, &line->points[i].position, sizeof spot);
    return spot;
}

static bool insert(taut_line *line, uint32_t i, climb_spot spot) {
    if (line->count == line->max)
        return false;
    memmove(line->points + i + 1, line->points + i, (line->count - i) * sizeof *line->points);
    line->count++;
    put(line, i, spot);
    return true;
}

static void drop(taut_line *line, uint32_t i, uint32_t count) {
    memmove(line->points + i, line->points + i + count, (line->count - i - count) * sizeof *line->points);
    line->count -= count;
}

static double distance(climb_spot a, climb_spot b) {
    double dx = (double)a.x - b.x, dz = (double)a.z - b.z;
    return sqrt(dx * dx + dz * dz);
}

// What a way is worth: its length, or effort; and its border cells.
typedef struct worth {
    double cost;
    uint32_t border;
} worth;

static worth worth_of(const taut_line *line, const climb_walk *w, climb_spot from, climb_spot to) {
    worth a = {distance(from, to), w->border};
    if (line->by_effort)
        a.cost += line->up * w->rise + line->down * w->fall;
    return a;
}

static worth worth_of_piece(const taut_line *line, climb_spot from, climb_spot to) {
    climb_walk w = climb_walk_begin(line->climb, &from, to.x, to.z);
    climb_walk_all(&w, UINT32_MAX);
    return worth_of(line, &w, from, to);
}

static worth worth_sum(worth a, worth b) {
    worth sum = {a.cost + b.cost, a.border + b.border};
    return sum;
}

// Does the walk lead to that very cell, and is it worth no less than `old`? `w` keeps what was in the way.
static bool sees(const taut_line *line, climb_spot from, climb_spot to, worth old, climb_walk *w) {
    *w = climb_walk_begin(line->climb, &from, to.x, to.z);
    return climb_walk_all(w, border_most(line, old.border)) && w->at.cell == to.cell &&
           (!line->by_effort || worth_of(line, w, from, to).cost <= old.cost + 1e-6);
}

static bool is_plain(const taut_line *line) {
    return !line->by_effort && !line->by_border;
}

static worth worth_between(const taut_line *line, uint32_t first, uint32_t last) {
    worth sum = {0, 0};
    for (uint32_t i = first; i < last && !is_plain(line); i++)
        sum = worth_sum(sum, worth_of_piece(line, get(line, i), get(line, i + 1)));
    return sum;
}

// A run of the path without gaps and links: its first spot, the centres of its cells, its last spot.
typedef struct cell_run {
    const tr_climb_cell *cells;
    uint32_t last; // number of the last spot
    climb_spot from, to;
} cell_run;

static climb_spot run_at(const cell_run *run, uint32_t i) {
    if (i == 0)
        return run->from;
    if (i == run->last)
        return run->to;
    const tr_climb_cell *cell = run->cells + i - 1;
    return climb_spot_centre(cell->column, cell->row, cell->cell);
}

static worth run_worth(const taut_line *line, const cell_run *run, uint32_t first, uint32_t last) {
    worth sum = {0, 0};
    for (uint32_t i = first; i < last && !is_plain(line); i++)
        sum = worth_sum(sum, worth_of_piece(line, run_at(run, i), run_at(run, i + 1)));
    return sum;
}

static bool run_sees(const taut_line *line, const cell_run *run, uint32_t i, uint32_t k) {
    climb_walk w;
    return sees(line, run_at(run, i), run_at(run, k), run_worth(line, run, i, k), &w);
}

// The furthest spot that can be seen from number `i`: in leaps that double, then in halves. What can be seen
// need not be without gaps; any that is seen will do.
static uint32_t leap(const taut_line *line, const cell_run *run, uint32_t i) {
    uint32_t seen = i + 1, beyond = run->last + 1;
    for (uint32_t step = 2; seen < run->last; step *= 2) {
        uint32_t next = step < run->last - i ? i + step : run->last;
        if (!run_sees(line, run, i, next)) {
            beyond = next;
            break;
        }
        seen = next;
    }
    while (beyond - seen > 1) {
        uint32_t middle = seen + (beyond - seen) / 2;
        if (middle <= run->last && run_sees(line, run, i, middle))
            seen = middle;
        else
            beyond = middle;
    }
    return seen;
}

static bool skip_cells(taut_line *line, const cell_run *run) {
    if (!insert(line, line->count, run->from))
        return false;
    for (uint32_t i = 0; i < run->last;) {
        i = leap(line, run, i);
        if (!insert(line, line->count, run_at(run, i)))
            return false;
    }
    return true;
}

// A spot part of the way from one to another; false when it is not on free ground there.
static bool spot_between(const taut_line *line, climb_spot from, climb_spot to, int32_t part, int32_t parts,
                         climb_spot *spot) {
    spot->x = climb_spot_inside(from.x + (int32_t)((int64_t)(to.x - from.x) * part / parts));
    spot->z = climb_spot_inside(from.z + (int32_t)((int64_t)(to.z - from.z) * part / parts));
    climb_walk w = climb_walk_begin(line->climb, &from, spot->x, spot->z);
    bool free = climb_walk_all(&w, border_most(line, UINT32_MAX));
    spot->cell = w.at.cell;
    return free;
}

// The corners of a cell in the way, just outside it: the one that makes the least detour from `a` to `b`.
static bool find_corner(const taut_line *line, climb_spot a, climb_spot b, int32_t column, int32_t row,
                        worth old, climb_spot *best) {
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        climb_spot corner = {(i & 1 ? column + 1 : column) * CLIMB_UNITS + (i & 1 ? 1 : -1),
                             (i & 2 ? row + 1 : row) * CLIMB_UNITS + (i & 2 ? 1 : -1), TR_NONE};
        double detour = distance(a, corner) + distance(corner, b);
        if (corner.x < 0 || corner.z < 0 || corner.x >= (int32_t)line->climb->grid.columns * CLIMB_UNITS ||
            corner.z >= (int32_t)line->climb->grid.rows * CLIMB_UNITS || !(detour < least) ||
            (corner.x == a.x && corner.z == a.z) || (corner.x == b.x && corner.z == b.z))
            continue;
        climb_walk there = climb_walk_begin(line->climb, &a, corner.x, corner.z), on;
        if (!climb_walk_all(&there, border_most(line, old.border)))
            continue;
        corner.cell = there.at.cell;
        worth rest = worth_of(line, &there, a, corner);
        if (line->by_border && rest.border > old.border)
            continue;
        rest.cost = old.cost - rest.cost;
        rest.border = old.border - (line->by_border ? rest.border : 0);
        if (!sees(line, corner, b, rest, &on))
            continue;
        least = detour;
        *best = corner;
    }
    return least < INFINITY;
}

// Slide the bend `b` between `a` and `c` towards `c`, as far as `a` sees it. What is in the way beyond is
// left in `w`.
static bool slide(const taut_line *line, climb_spot a, climb_spot b, climb_spot c, climb_spot *end,
                  climb_walk *w) {
    int32_t wide = c.x > b.x ? c.x - b.x : b.x - c.x, deep = c.z > b.z ? c.z - b.z : b.z - c.z;
    int32_t parts = wide > deep ? wide : deep, good = 0, bad = parts;
    worth first = {0, 0};
    if (!is_plain(line))
        first = worth_of_piece(line, a, b);
    climb_walk tried = *w;
    while (bad - good > STEP_LEAST) {
        int32_t middle = good + (bad - good) / 2;
        climb_spot spot;
        bool free = spot_between(line, b, c, middle, parts, &spot);
        worth old = first;
        if (free && !is_plain(line))
            old = worth_sum(first, worth_of_piece(line, b, spot));
        if (free && sees(line, a, spot, old, &tried)) {
            good = middle;
            *end = spot;
        } else {
            bad = middle;
            if (free)
                *w = tried;
        }
    }
    climb_walk rest;
    worth last = {0, 0};
    if (good == 0)
        return false;
    if (!is_plain(line))
        last = worth_of_piece(line, b, c);
    return sees(line, *end, c, last, &rest);
}

// Pull in one bend. true: it changed, for the better.
static bool pull(taut_line *line, uint32_t i) {
    climb_spot a = get(line, i - 1), b = get(line, i), c = get(line, i + 1), end = b, corner = b;
    climb_walk w;
    worth old = worth_between(line, i - 1, i + 1);
    if (sees(line, a, c, old, &w)) {
        drop(line, i, 1);
        return true;
    }
    double before = distance(a, b) + distance(b, c);
    if (slide(line, a, b, c, &end, &w) && distance(a, end) + distance(end, c) < before - STEP_LEAST) {
        worth half = old;
        put(line, i, end);
        if (w.blocked && line->count < line->max &&
            find_corner(line, a, end, w.column, w.row, half, &corner) &&
            distance(a, corner) + distance(corner, end) + distance(end, c) < before - STEP_LEAST)
            insert(line, i, corner);
        return true;
    }
    // From the other side: the same towards `a`. A walk back may fail where one on fails not, so it is only
    // a way to find the place.
    if (slide(line, c, b, a, &end, &w) && distance(a, end) + distance(end, c) < before - STEP_LEAST) {
        climb_walk there, on;
        if (sees(line, a, end, old, &there) && sees(line, end, c, old, &on) &&
            (!line->by_effort ||
             worth_of(line, &there, a, end).cost + worth_of(line, &on, end, c).cost <= old.cost + 1e-6) &&
            (!line->by_border || there.border + on.border <= old.border)) {
            put(line, i, end);
            return true;
        }
    }
    return false;
}

static void pull_tight(taut_line *line, uint32_t first) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bool changed = false;
        uint32_t work = 16 * (line->count - first) + 64; // a bend goes on being pulled while it moves
        for (uint32_t i = first + 1; i + 1 < line->count && work > 0; work--) {
            if (pull(line, i)) {
                changed = true;
                i = i > first + 1 ? i - 1 : i;
            } else {
                i++;
            }
        }
        if (!changed)
            return;
    }
}

// A look further ahead finds shortcuts past the other side of something.
static void cut_short(taut_line *line, uint32_t first) {
    for (uint32_t i = first; i + 2 < line->count;) {
        uint32_t step = 2;
        climb_walk w;
        while (i + step < line->count &&
               !sees(line, get(line, i), get(line, i + step), worth_between(line, i, i + step), &w))
            step *= 2;
        if (i + step < line->count) {
            drop(line, i + 1, step - 1);
            pull_tight(line, first);
            i = i > first + step ? i - step : first;
        } else {
            i++;
        }
    }
}

static bool is_leap(const tr_climb_cell *cell) {
    return cell->link || cell->obstacle == TR_OBSTACLE_CROSS || cell->obstacle == TR_OBSTACLE_STEP_OVER;
}

climb_spot tr_climb_spot_at(const tr_climb *climb, const tr_climb_place *place, tr_vec3 point, bool *inside) {
    double x = floor(((double)point.x - climb->grid.origin.x) / climb->grid.cell * CLIMB_UNITS + 0.5) -
               (double)place->column * CLIMB_UNITS,
           z = floor(((double)point.z - climb->grid.origin.z) / climb->grid.cell * CLIMB_UNITS + 0.5) -
               (double)place->row * CLIMB_UNITS;
    climb_spot spot = climb_spot_centre(place->column, place->row, place->cell);
    *inside = x >= 0 && z >= 0 && x <= CLIMB_UNITS && z <= CLIMB_UNITS;
    if (*inside) {
        x = x < 1 ? 1 : x > CLIMB_UNITS - 1 ? CLIMB_UNITS - 1 : x;
        z = z < 1 ? 1 : z > CLIMB_UNITS - 1 ? CLIMB_UNITS - 1 : z;
        spot.x += (int32_t)x - CLIMB_UNITS / 2;
        spot.z += (int32_t)z - CLIMB_UNITS / 2;
    }
    return spot;
}

static tr_vec3 position_of(const tr_climb *climb, climb_spot spot) {
    double scale = (double)climb->grid.cell / CLIMB_UNITS;
    tr_climb_place place = climb_spot_place(climb, &spot);
    return tr_vec3_make((float)(climb->grid.origin.x + spot.x * scale),
                        (float)(climb->scale.bottom + place.height * climb->scale.unit),
                        (float)(climb->grid.origin.z + spot.z * scale));
}

// The runs one after the other, and the leaps between them.
static bool lay_line(taut_line *line, const tr_climb_cell *cells, uint32_t count, climb_spot start,
                     climb_spot goal) {
    for (uint32_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && !is_leap(cells + next);)
            next++;
        cell_run run = {cells + first, next - first + 1,
                        climb_spot_centre(cells[first].column, cells[first].row, cells[first].cell),
                        climb_spot_centre(cells[next - 1].column, cells[next - 1].row, cells[next - 1].cell)};
        run.from = first == 0 ? start : run.from;
        run.to = next == count ? goal : run.to;
        line->first = line->count;
        if (!skip_cells(line, &run))
            return false;
        pull_tight(line, line->first);
        cut_short(line, line->first);
        // A run of one cell without an extent is one point, and two ends that are the same are one.
        while (line->count > line->first + 1 &&
               distance(get(line, line->count - 2), get(line, line->count - 1)) == 0)
            drop(line, line->count - 2, 1);
        if (first > 0) {
            line->points[line->first].obstacle = cells[first].obstacle;
            line->points[line->first].link = cells[first].link;
        }
    }
    return true;
}

static double finish(const taut_line *line) {
    double length = 0;
    for (uint32_t i = 0; i < line->count; i++) {
        line->points[i].position = position_of(line->climb, get(line, i));
        if (i == 0)
            continue;
        tr_vec3 a = line->points[i - 1].position, b = line->points[i].position;
        double dx = (double)b.x - a.x, dy = (double)b.y - a.y, dz = (double)b.z - a.z;
        length += sqrt(dx * dx + dy * dy + dz * dz);
    }
    return length;
}

tr_status tr_climb_straighten(tr_climb *climb, tr_vec3 start, tr_vec3 goal, tr_climb_point *points,
                              uint32_t point_max, uint32_t *point_count, double *length) {
    const tr_climb_result *result = &climb->result;
    *point_count = 0;
    if (length)
        *length = 0;
    if (result->cell_count == 0 || climb->revision != tr_surface_revision(climb->surface))
        return TR_INVALID;
    double up = 0, down = 0, scale = climb->scale.unit / climb->grid.cell * CLIMB_UNITS;
    taut_line line = {.climb = climb, .points = points, .max = point_max};
    line.by_effort = tr_climb_effort_rates(climb, &up, &down);
    line.any_border = climb->last_border == TR_CLIMB_BORDER_IGNORE;
    line.by_border = result->border_cells > 0 && !line.any_border;
    line.up = up * scale;
    line.down = down * scale;
    tr_climb_place first = tr_climb_path_place(climb, climb->path),
                   last = tr_climb_path_place(climb, climb->path + result->cell_count - 1);
    bool start_inside, goal_inside;
    climb_spot from = tr_climb_spot_at(climb, &first, start, &start_inside),
               to = tr_climb_spot_at(climb, &last, goal, &goal_inside);
    if (!lay_line(&line, climb->path, result->cell_count, from, to))
        return TR_LIMIT;
    double metres = finish(&line);
    if (start_inside) {
        points[0].position.x = start.x;
        points[0].position.z = start.z;
    }
    if (goal_inside) {
        points[line.count - 1].position.x = goal.x;
        points[line.count - 1].position.z = goal.z;
    }
    *point_count = line.count;
    if (length)
        *length = metres;
    return TR_OK;
}

static bool is_there(const tr_climb *climb, const tr_surface_place *place) {
    if (place->column >= climb->grid.columns || place->row >= climb->grid.rows)
        return false;
    tr_surface_column cells = tr_climb_column(climb, place->column, place->row);
    return place->cell >= cells.first && place->cell - cells.first < cells.count &&
           tr_climb_stands(climb, cells.rooms[place->cell - cells.first]);
}

bool tr_climb_sees(const tr_climb *climb, const tr_surface_place *from, const tr_surface_place *to) {
    if (climb->revision != tr_surface_revision(climb->surface) || !is_there(climb, from) ||
        !is_there(climb, to))
        return false;
    climb_spot a = climb_spot_centre(from->column, from->row, from->cell),
               b = climb_spot_centre(to->column, to->row, to->cell);
    climb_walk w = climb_walk_begin(climb, &a, b.x, b.z);
    return climb_walk_all(&w, UINT32_MAX) && w.at.cell == to->cell;
}
