// A path of cells as a thread that is pulled tight over the surface. First, cells that can be skipped are
// skipped. Then every bend is pulled in: the bend slides along its next piece as long as the previous bend is
// visible from there; what the thread then touches is the corner of a cell that cannot be entered, and it
// bends there. This is repeated until nothing moves. Every piece is walked cell by cell before it is taken,
// so that it stays on its storey; a piece that replaces others has no more border cells than they and, after
// a search by effort, costs no more than they.
#include "surface_route_walk.h"

#include <math.h>
#include <string.h>

#define GAIN_LEAST 0.05 // a bend stays if moving it would save less [1/256 of a cell]
#define SMALL_SLIDE 8   // of a bend [1/256 of a cell]
#define ROUNDS 3        // of pulling all bends

// The caller's points serve as memory for spots until they are final.
typedef struct taut_line {
    const tr_surface_route *route;
    tr_surface_route_point *points;
    uint32_t first, count, max; // bends before `first` are final
    bool by_effort;
    bool by_border;  // border cells are counted; else none is entered
    bool any_border; // or they do not matter
    double up, down; // a unit of height, in 1/256 of a cell
} taut_line;

static uint32_t border_most(const taut_line *line, uint32_t old) {
    return line->any_border ? UINT32_MAX : line->by_border ? old : 0;
}

static void put(taut_line *line, uint32_t i, surface_route_spot spot) {
    _Static_assert(sizeof spot == sizeof line->points[0].position, "a spot is as large as a position");
    memcpy(&line->points[i].position, &spot, sizeof spot);
    line->points[i].obstacle = line->points[i].link = 0;
}

static surface_route_spot get(const taut_line *line, uint32_t i) {
    surface_route_spot spot;
    memcpy(&spot, &line->points[i].position, sizeof spot);
    return spot;
}

static bool insert(taut_line *line, uint32_t i, surface_route_spot spot) {
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

static double distance(surface_route_spot a, surface_route_spot b) {
    double dx = (double)a.x - b.x, dz = (double)a.z - b.z;
    return sqrt(dx * dx + dz * dz);
}

// The cost of a way: its length, or effort; and its border cells.
typedef struct worth {
    double cost;
    uint32_t border;
} worth;

static worth worth_of(const taut_line *line, const surface_route_walk *w, surface_route_spot from,
                      surface_route_spot to) {
    worth a = {distance(from, to), w->border};
    if (line->by_effort)
        a.cost += line->up * w->rise + line->down * w->fall;
    return a;
}

static worth worth_of_piece(const taut_line *line, surface_route_spot from, surface_route_spot to) {
    surface_route_walk w = surface_route_walk_begin(line->route, &from, to.x, to.z);
    surface_route_walk_all(&w, UINT32_MAX);
    return worth_of(line, &w, from, to);
}

static worth worth_sum(worth a, worth b) {
    worth sum = {a.cost + b.cost, a.border + b.border};
    return sum;
}

// Does the walk lead to exactly that cell, and is it no worse than `old`? `w` keeps the obstacle.
static bool sees(const taut_line *line, surface_route_spot from, surface_route_spot to, worth old,
                 surface_route_walk *w) {
    *w = surface_route_walk_begin(line->route, &from, to.x, to.z);
    return surface_route_walk_all(w, border_most(line, old.border)) && w->at.cell == to.cell &&
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
    const tr_surface_route_cell *cells;
    uint32_t last; // number of the last spot
    surface_route_spot from, to;
} cell_run;

static surface_route_spot run_at(const cell_run *run, uint32_t i) {
    if (i == 0)
        return run->from;
    if (i == run->last)
        return run->to;
    const tr_surface_route_cell *cell = run->cells + i - 1;
    return surface_route_spot_centre(cell->column, cell->row, cell->cell);
}

static worth run_worth(const taut_line *line, const cell_run *run, uint32_t first, uint32_t last) {
    worth sum = {0, 0};
    for (uint32_t i = first; i < last && !is_plain(line); i++)
        sum = worth_sum(sum, worth_of_piece(line, run_at(run, i), run_at(run, i + 1)));
    return sum;
}

static bool run_sees(const taut_line *line, const cell_run *run, uint32_t i, uint32_t k) {
    surface_route_walk w;
    return sees(line, run_at(run, i), run_at(run, k), run_worth(line, run, i, k), &w);
}

// The farthest spot that is visible from number `i`: in leaps that double, then by bisection. The visible
// spots need not be consecutive; any visible spot will do.
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

// A spot part of the way from one to another; false: it is not on free ground there.
static bool spot_between(const taut_line *line, surface_route_spot from, surface_route_spot to, int32_t part,
                         int32_t parts, surface_route_spot *spot) {
    spot->x = surface_route_spot_inside(from.x + (int32_t)((int64_t)(to.x - from.x) * part / parts));
    spot->z = surface_route_spot_inside(from.z + (int32_t)((int64_t)(to.z - from.z) * part / parts));
    surface_route_walk w = surface_route_walk_begin(line->route, &from, spot->x, spot->z);
    bool free = surface_route_walk_all(&w, border_most(line, UINT32_MAX));
    spot->cell = w.at.cell;
    return free;
}

// The corners of a cell in the way, just outside it, sorted by the detour from `a` to `b`. Their cells are
// not known yet.
static uint32_t find_corners(const taut_line *line, surface_route_spot a, surface_route_spot b,
                             const surface_route_walk *w, surface_route_spot corners[4]) {
    double detours[4];
    uint32_t count = 0;
    for (int i = 0; i < 4 && w->blocked; i++) {
        surface_route_spot corner = {
            (i & 1 ? w->column + 1 : w->column) * SURFACE_ROUTE_UNITS + (i & 1 ? 1 : -1),
            (i & 2 ? w->row + 1 : w->row) * SURFACE_ROUTE_UNITS + (i & 2 ? 1 : -1), TR_NONE};
        double detour = distance(a, corner) + distance(corner, b);
        if (corner.x < 0 || corner.z < 0 ||
            corner.x >= (int32_t)line->route->grid.columns * SURFACE_ROUTE_UNITS ||
            corner.z >= (int32_t)line->route->grid.rows * SURFACE_ROUTE_UNITS)
            continue;
        uint32_t place = count++;
        for (; place > 0 && detours[place - 1] > detour; place--) {
            detours[place] = detours[place - 1];
            corners[place] = corners[place - 1];
        }
        detours[place] = detour;
        corners[place] = corner;
    }
    return count;
}

// Slides the bend `b` between `a` and `c` towards `c`, as far as it is visible from `a`: by bisection. A bend
// that was not visible after three halvings is likely to be tight, and a small step is tried next. `w` keeps
// the obstacle beyond.
static bool slide(const taut_line *line, surface_route_spot a, surface_route_spot b, surface_route_spot c,
                  surface_route_spot *end, surface_route_walk *w) {
    int32_t wide = c.x > b.x ? c.x - b.x : b.x - c.x, deep = c.z > b.z ? c.z - b.z : b.z - c.z;
    int32_t parts = wide > deep ? wide : deep, good = 0, bad = parts;
    worth first = {0, 0};
    if (!is_plain(line))
        first = worth_of_piece(line, a, b);
    while (bad - good > 1) {
        bool may_be_tight = good == 0 && bad <= parts / 8 && bad > SMALL_SLIDE;
        int32_t middle = may_be_tight ? SMALL_SLIDE : good + (bad - good) / 2;
        surface_route_spot spot;
        surface_route_walk tried;
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
    return good > 0;
}

// A bend and its neighbours, and the cost of the way over it.
typedef struct bend {
    surface_route_spot a, b, c;
    worth old;
    double length;
} bend;

// Bends at these one or two spots instead, if that is shorter and no worse. Their cells are found on the way.
static bool take(taut_line *line, uint32_t i, const bend *old, surface_route_spot *spots, uint32_t count) {
    surface_route_spot from = old->a;
    double length = 0;
    worth sum = {0, 0};
    for (uint32_t k = 0; k <= count; k++) {
        surface_route_spot to = k < count ? spots[k] : old->c;
        surface_route_walk w = surface_route_walk_begin(line->route, &from, to.x, to.z);
        length += distance(from, to);
        if (length > old->length - GAIN_LEAST ||
            !surface_route_walk_all(&w, border_most(line, old->old.border)) ||
            (k == count && w.at.cell != old->c.cell))
            return false;
        if (k < count)
            to.cell = spots[k].cell = w.at.cell;
        sum = worth_sum(sum, worth_of(line, &w, from, to));
        from = to;
    }
    if ((line->by_effort && sum.cost > old->old.cost + 1e-6) ||
        (line->by_border && sum.border > old->old.border) || (count == 2 && line->count == line->max))
        return false;
    put(line, i, spots[0]);
    return count == 1 || insert(line, i + 1, spots[1]);
}

static int32_t outwards(int32_t a, int32_t b, int32_t c) {
    int64_t off = 2 * (int64_t)b - a - c;
    return off > 0 ? 2 : off < 0 ? -2 : 0;
}

// Bends at the spot that slid and, if there is one, also at the corner that it slid past: before it, or
// behind it if it came from the other side. Spots are rounded: one on the edge of a corner may be beyond it,
// so a spot a little farther out is tried too.
static bool take_slid(taut_line *line, uint32_t i, const bend *old, surface_route_spot end,
                      const surface_route_walk *w, bool back) {
    surface_route_spot corners[4];
    for (uint32_t further = 0; further < 2; further++) {
        uint32_t count = find_corners(line, back ? old->c : old->a, end, w, corners);
        for (uint32_t k = 0; k < count && k < 2; k++) {
            surface_route_spot two[2] = {back ? end : corners[k], back ? corners[k] : end};
            if (take(line, i, old, two, 2))
                return true;
        }
        if (take(line, i, old, &end, 1))
            return true;
        end.x = surface_route_spot_inside(end.x + outwards(old->a.x, old->b.x, old->c.x));
        end.z = surface_route_spot_inside(end.z + outwards(old->a.z, old->b.z, old->c.z));
    }
    return false;
}

// Neither side of the bend can slide: each touches a corner, and the bend is beyond both.
static bool take_corners(taut_line *line, uint32_t i, const bend *old, const surface_route_walk *on,
                         const surface_route_walk *back) {
    surface_route_spot first[4], second[4];
    uint32_t firsts = find_corners(line, old->a, old->b, on, first),
             seconds = find_corners(line, old->c, old->b, back, second);
    for (uint32_t k = 0; k < firsts && k < 2; k++) {
        for (uint32_t l = 0; l < seconds && l < 2; l++) {
            surface_route_spot two[2] = {first[k], second[l]};
            if (take(line, i, old, two, 2))
                return true;
        }
        if (take(line, i, old, first + k, 1))
            return true;
    }
    for (uint32_t l = 0; l < seconds && l < 2; l++)
        if (take(line, i, old, second + l, 1))
            return true;
    return false;
}

// Pulls in one bend. true: it changed for the better.
static bool pull(taut_line *line, uint32_t i) {
    bend old = {get(line, i - 1), get(line, i), get(line, i + 1), worth_between(line, i - 1, i + 1), 0};
    surface_route_walk w, on = {.blocked = false}, back = {.blocked = false};
    surface_route_spot end;
    if (sees(line, old.a, old.c, old.old, &w)) {
        drop(line, i, 1);
        return true;
    }
    old.length = distance(old.a, old.b) + distance(old.b, old.c);
    if (slide(line, old.a, old.b, old.c, &end, &on) && take_slid(line, i, &old, end, &on, false))
        return true;
    // A walk back may be blocked where a walk forward is not, so this only finds a place to try.
    if (slide(line, old.c, old.b, old.a, &end, &back) && take_slid(line, i, &old, end, &back, true))
        return true;
    return take_corners(line, i, &old, &on, &back);
}

static void pull_tight(taut_line *line, uint32_t first) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bool changed = false;
        uint32_t work = 16 * (line->count - first) + 64; // a bend is pulled again as long as it moves
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

// A search farther ahead finds shortcuts past the other side of an obstacle.
static void cut_short(taut_line *line, uint32_t first) {
    for (uint32_t i = first; i + 2 < line->count;) {
        uint32_t step = 2;
        surface_route_walk w;
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

static bool is_leap(const tr_surface_route_cell *cell) {
    return cell->link || cell->obstacle == TR_OBSTACLE_CROSS || cell->obstacle == TR_OBSTACLE_STEP_OVER;
}

surface_route_spot tr_surface_route_spot_at(const tr_surface_route *route,
                                            const tr_surface_route_place *place, tr_vec3 point,
                                            bool *inside) {
    double x = floor(((double)point.x - route->grid.origin.x) / route->grid.cell * SURFACE_ROUTE_UNITS +
                     0.5) -
               (double)place->column * SURFACE_ROUTE_UNITS,
           z = floor(((double)point.z - route->grid.origin.z) / route->grid.cell * SURFACE_ROUTE_UNITS +
                     0.5) -
               (double)place->row * SURFACE_ROUTE_UNITS;
    surface_route_spot spot = surface_route_spot_centre(place->column, place->row, place->cell);
    *inside = x >= 0 && z >= 0 && x <= SURFACE_ROUTE_UNITS && z <= SURFACE_ROUTE_UNITS;
    if (*inside) {
        x = x < 1 ? 1 : x > SURFACE_ROUTE_UNITS - 1 ? SURFACE_ROUTE_UNITS - 1 : x;
        z = z < 1 ? 1 : z > SURFACE_ROUTE_UNITS - 1 ? SURFACE_ROUTE_UNITS - 1 : z;
        spot.x += (int32_t)x - SURFACE_ROUTE_UNITS / 2;
        spot.z += (int32_t)z - SURFACE_ROUTE_UNITS / 2;
    }
    return spot;
}

static tr_vec3 position_of(const tr_surface_route *route, surface_route_spot spot) {
    double scale = (double)route->grid.cell / SURFACE_ROUTE_UNITS;
    tr_surface_route_place place = surface_route_spot_place(route, &spot);
    return tr_vec3_make((float)(route->grid.origin.x + spot.x * scale),
                        (float)(route->scale.bottom + place.height * route->scale.unit),
                        (float)(route->grid.origin.z + spot.z * scale));
}

// The runs one after the other, and the leaps between them.
static bool lay_line(taut_line *line, const tr_surface_route_cell *cells, uint32_t count,
                     surface_route_spot start, surface_route_spot goal) {
    for (uint32_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && !is_leap(cells + next);)
            next++;
        cell_run run = {
            cells + first, next - first + 1,
            surface_route_spot_centre(cells[first].column, cells[first].row, cells[first].cell),
            surface_route_spot_centre(cells[next - 1].column, cells[next - 1].row, cells[next - 1].cell)};
        run.from = first == 0 ? start : run.from;
        run.to = next == count ? goal : run.to;
        line->first = line->count;
        if (!skip_cells(line, &run))
            return false;
        pull_tight(line, line->first);
        cut_short(line, line->first);
        // A run of one cell without extent is one point, and two identical ends are one.
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
        line->points[i].position = position_of(line->route, get(line, i));
        if (i == 0)
            continue;
        tr_vec3 a = line->points[i - 1].position, b = line->points[i].position;
        double dx = (double)b.x - a.x, dy = (double)b.y - a.y, dz = (double)b.z - a.z;
        length += sqrt(dx * dx + dy * dy + dz * dz);
    }
    return length;
}

tr_status tr_surface_route_straighten(tr_surface_route *route, tr_vec3 start, tr_vec3 goal,
                                      tr_surface_route_point *points, uint32_t point_max,
                                      uint32_t *point_count, double *length) {
    const tr_surface_route_result *result = &route->result;
    *point_count = 0;
    if (length)
        *length = 0;
    if (result->cell_count == 0 || route->revision != tr_surface_revision(route->surface))
        return TR_INVALID;
    double up = 0, down = 0, scale = route->scale.unit / route->grid.cell * SURFACE_ROUTE_UNITS;
    taut_line line = {.route = route, .points = points, .max = point_max};
    line.by_effort = tr_surface_route_effort_rates(route, &up, &down);
    line.any_border = route->last_border == TR_SURFACE_ROUTE_BORDER_IGNORE;
    line.by_border = result->border_cells > 0 && !line.any_border;
    line.up = up * scale;
    line.down = down * scale;
    tr_surface_route_place first = tr_surface_route_path_place(route, route->path),
                           last = tr_surface_route_path_place(route, route->path + result->cell_count - 1);
    bool start_inside, goal_inside;
    surface_route_spot from = tr_surface_route_spot_at(route, &first, start, &start_inside),
                       to = tr_surface_route_spot_at(route, &last, goal, &goal_inside);
    if (!lay_line(&line, route->path, result->cell_count, from, to))
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

static bool is_there(const tr_surface_route *route, const tr_surface_place *place) {
    if (place->column >= route->grid.columns || place->row >= route->grid.rows)
        return false;
    tr_surface_column cells = tr_surface_route_column(route, place->column, place->row);
    return place->cell >= cells.first && place->cell - cells.first < cells.count &&
           tr_surface_route_stands(route, cells.rooms[place->cell - cells.first]);
}

bool tr_surface_route_sees(const tr_surface_route *route, const tr_surface_place *from,
                           const tr_surface_place *to) {
    if (route->revision != tr_surface_revision(route->surface) || !is_there(route, from) ||
        !is_there(route, to))
        return false;
    surface_route_spot a = surface_route_spot_centre(from->column, from->row, from->cell),
                       b = surface_route_spot_centre(to->column, to->row, to->cell);
    surface_route_walk w = surface_route_walk_begin(route, &a, b.x, b.z);
    return surface_route_walk_all(&w, UINT32_MAX) && w.at.cell == to->cell;
}
