// A path of cells as a thread that is pulled tight. First, points that can be skipped are skipped. Then every
// bend is pulled in: in the triangle of a bend and its two neighbours the thread ends up along the hull of
// the blocked cells inside, whose corners replace the bend. A bend that is such a corner stays. This is
// repeated around each change until nothing moves; the line becomes shorter every time and there are finitely
// many corners, so it ends. Last, a search farther ahead finds parts that pass an obstacle on the wrong side.
#include "sight.h"

#include <math.h>
#include <string.h>

// The caller's array is the only memory: it holds places until they are converted to points.
_Static_assert(sizeof(place) == sizeof(tr_vec2), "a place is as large as a point");

typedef struct taut_line {
    const tr_route_map *map;
    int32_t keep;
    tr_vec2 *points;
    uint32_t count, max;
} taut_line;

static place get(const taut_line *line, uint32_t i) {
    place p;
    memcpy(&p, &line->points[i], sizeof p);
    return p;
}

static void put(taut_line *line, uint32_t i, place p) {
    memcpy(&line->points[i], &p, sizeof p);
}

static bool insert(taut_line *line, uint32_t i, place p) {
    if (line->count == line->max)
        return false;
    memmove(line->points + i + 1, line->points + i, (line->count - i) * sizeof *line->points);
    line->count++;
    put(line, i, p);
    return true;
}

static void drop(taut_line *line, uint32_t i, uint32_t how_many) {
    memmove(line->points + i, line->points + i + how_many,
            (line->count - i - how_many) * sizeof *line->points);
    line->count -= how_many;
}

// A bend `middle` between `from` and `to`, in the axes of the view.
typedef struct path_bend {
    sight_view view;
    place from, middle, to;
    int64_t side; // the sign of the turn
    int32_t keep;
    int32_t low, high; // rows of cells whose squares touch the triangle
} path_bend;

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t least_of(int32_t a, int32_t b, int32_t c) {
    return least(least(a, b), c);
}

static int32_t most_of(int32_t a, int32_t b, int32_t c) {
    return most(most(a, b), c);
}

static path_bend make_bend(const taut_line *line, place from, place middle, place to) {
    int32_t width = most_of(from.x, middle.x, to.x) - least_of(from.x, middle.x, to.x),
            depth = most_of(from.z, middle.z, to.z) - least_of(from.z, middle.z, to.z);
    bool turned = depth > width;
    path_bend made = {.view = tr_sight_view(line->map, turned),
                      .from = tr_sight_turn(from, turned),
                      .middle = tr_sight_turn(middle, turned),
                      .to = tr_sight_turn(to, turned),
                      .keep = line->keep};
    int64_t turn = tr_sight_cross(made.from, made.to, made.middle);
    made.side = (turn > 0) - (turn < 0);
    made.low = (least_of(made.from.z, made.middle.z, made.to.z) - made.keep) / UNITS;
    made.high = (most_of(made.from.z, made.middle.z, made.to.z) + made.keep - 1) / UNITS;
    return made;
}

// The columns of a row that are known so far.
typedef struct cell_span {
    int32_t first, last;
} cell_span;

// Widens the span by the cells that an edge of the triangle passes between two heights.
static void span_edge(const path_bend *bend, place a, place b, int32_t bottom, int32_t top, cell_span *span) {
    place low = a.z <= b.z ? a : b, high = a.z <= b.z ? b : a;
    bottom = most(bottom, low.z);
    top = least(top, high.z);
    if (bottom > top)
        return;
    int32_t left = least(a.x, b.x), right = most(a.x, b.x);
    if (low.z < high.z) {
        int32_t over_bottom, over_top, x = tr_sight_at(low, high, bottom, &over_bottom),
                                       y = tr_sight_at(low, high, top, &over_top);
        left = least(x, y);
        right = most(x + over_bottom, y + over_top);
    }
    span->first = least(span->first, (left - bend->keep) / UNITS);
    span->last = most(span->last, (right + bend->keep - 1) / UNITS);
}

// The next bit from `begin` on that is blocked (or free), at most `end`.
static uint64_t next_bit(const uint64_t *bits, uint64_t begin, uint64_t end, bool blocked) {
    uint64_t flip = blocked ? ~(uint64_t)0 : 0, mask = ~(uint64_t)0 << (begin & 63);
    for (uint64_t word = begin >> 6; word <= end >> 6; word++, mask = ~(uint64_t)0) {
        uint64_t found = (bits[word] ^ flip) & mask;
        if (found) {
            uint64_t bit = (word << 6) + (uint64_t)__builtin_ctzll(found);
            return bit < end ? bit : end;
        }
    }
    return end;
}

// Is `corner` a better next point of the hull, seen from `here`, than `best`? Only corners on the bend's side
// of the straight line count; of two in one direction, the farther one.
static void consider(const path_bend *bend, place here, int32_t x, int32_t z, place *best) {
    place corner = {x, z};
    if (tr_sight_cross(bend->from, bend->to, corner) * bend->side <= 0)
        return;
    int64_t turn = tr_sight_cross(here, *best, corner) * bend->side;
    if (turn == 0) {
        int64_t ahead = (int64_t)(corner.x - best->x) * (best->x - here.x) +
                        (int64_t)(corner.z - best->z) * (best->z - here.z);
        turn = ahead > 0;
    }
    if (turn > 0)
        *best = corner;
}

// The point after `here` on the hull of the blocked cells inside the triangle; `to` if the straight line is
// free. The sides of the triangle are free, so a blocked cell can leave it only across the straight line:
// every corner of such a cell on the bend's side of it is inside. The hull has corners only where a run of
// blocked cells ends.
static place next_on_hull(const path_bend *bend, place here) {
    place best = bend->to;
    for (int32_t row = bend->low; row <= bend->high; row++) {
        int32_t bottom = row * UNITS - bend->keep, top = row * UNITS + UNITS + bend->keep;
        cell_span span = {INT32_MAX, -1};
        span_edge(bend, bend->from, bend->middle, bottom, top, &span);
        span_edge(bend, bend->middle, bend->to, bottom, top, &span);
        span_edge(bend, bend->from, bend->to, bottom, top, &span);
        if (span.first > span.last)
            continue;
        uint64_t base = (uint64_t)row * bend->view.pitch, begin = base + (uint32_t)span.first,
                 end = base + (uint32_t)span.last + 1;
        while ((begin = next_bit(bend->view.free, begin, end, true)) < end) {
            uint64_t stop = next_bit(bend->view.free, begin, end, false);
            int32_t left = (int32_t)(begin - base) * UNITS - bend->keep,
                    right = (int32_t)(stop - base) * UNITS + bend->keep;
            consider(bend, here, left, bottom, &best);
            consider(bend, here, left, top, &best);
            consider(bend, here, right, bottom, &best);
            consider(bend, here, right, top, &best);
            begin = stop;
        }
    }
    return best;
}

static bool is_same(place a, place b) {
    return a.x == b.x && a.z == b.z;
}

// Pulls in point `i`. false: it is tight already (or there is no room for its replacements).
static bool pull_in(taut_line *line, uint32_t i) {
    place before = get(line, i - 1), middle = get(line, i), after = get(line, i + 1);
    path_bend bend = make_bend(line, before, middle, after);
    if (bend.side == 0 || tr_sight_is_free(line->map, before, after, line->keep)) {
        drop(line, i, 1);
        return true;
    }
    place here = next_on_hull(&bend, bend.from);
    if (is_same(here, bend.middle))
        return false;
    put(line, i, tr_sight_turn(here, bend.view.turned));
    for (uint32_t added = 0;; added++) {
        here = next_on_hull(&bend, here);
        if (is_same(here, bend.to))
            return true;
        if (!insert(line, i + added + 1, tr_sight_turn(here, bend.view.turned))) {
            drop(line, i, added);
            put(line, i, middle);
            return false;
        }
    }
}

// Pulls in all points from `i` on, and those before them that a change affects.
static void pull_tight(taut_line *line, uint32_t i) {
    for (i = i > 1 ? i : 1; i + 1 < line->count;) {
        if (pull_in(line, i))
            i = i > 1 ? i - 1 : 1; // the bend before has another neighbour now
        else
            i++;
    }
}

// A tight line may still go around the far side of an obstacle. Looks ahead from every point, farther and
// farther.
static void cut_short(taut_line *line) {
    for (uint32_t i = 0, step = 2; i + 2 < line->count;) {
        if (step >= line->count - i) {
            i++, step = 2;
        } else if (tr_sight_is_free(line->map, get(line, i), get(line, i + step), line->keep)) {
            drop(line, i + 1, step - 1);
            pull_tight(line, i);
            i = i > step ? i - step : 0, step = 2;
        } else {
            step *= 2;
        }
    }
}

static place centre_of(const tr_route_map *map, uint32_t node) {
    place centre = {(int32_t)(node % map->pitch) * UNITS + UNITS / 2,
                    (int32_t)(node / map->pitch) * UNITS + UNITS / 2};
    return centre;
}

// The original path: start, the centres of the cells, goal.
typedef struct cell_way {
    const tr_route_map *map;
    const uint32_t *cells;
    uint32_t last; // number of the goal
    place start, goal;
} cell_way;

static place way_at(const cell_way *way, uint32_t i) {
    return i == 0 ? way->start : i == way->last ? way->goal : centre_of(way->map, way->cells[i - 1]);
}

// The farthest point of the path that is visible from `here`, which is number `i`: in leaps that double, then
// by bisection. The visible points need not be consecutive; any visible point will do.
static uint32_t leap(const cell_way *way, uint32_t i, place here, int32_t keep) {
    uint32_t seen = i + 1, beyond = way->last + 1;
    for (uint32_t step = 2; seen < way->last; step *= 2) {
        uint32_t next = step < way->last - i ? i + step : way->last;
        if (!tr_sight_is_free(way->map, here, way_at(way, next), keep)) {
            beyond = next;
            break;
        }
        seen = next;
    }
    while (beyond - seen > 1) {
        uint32_t middle = seen + (beyond - seen) / 2;
        if (middle <= way->last && tr_sight_is_free(way->map, here, way_at(way, middle), keep))
            seen = middle;
        else
            beyond = middle;
    }
    return seen;
}

static bool skip_points(taut_line *line, const cell_way *way) {
    if (line->max < 2)
        return false;
    put(line, 0, way->start);
    line->count = 1;
    for (uint32_t i = 0; i < way->last;) {
        i = leap(way, i, way_at(way, i), line->keep);
        if (!insert(line, line->count, way_at(way, i)))
            return false;
    }
    return true;
}

// Is each cell free and a neighbour of the one before, by a step that the rule allows?
static bool path_is_sound(const tr_route_map *map, const uint32_t *cells, uint32_t count, bool cut_corners) {
    uint32_t nodes = tr_route_map_nodes(map), pitch = map->pitch;
    for (uint32_t i = 0; i < count; i++) {
        if (cells[i] >= nodes || !tr_route_map_is_free(map, cells[i]))
            return false;
        if (i == 0 || cells[i] == cells[i - 1])
            continue;
        uint32_t a = cells[i] < cells[i - 1] ? cells[i] : cells[i - 1], b = a ^ cells[i] ^ cells[i - 1],
                 step = b - a;
        if (step == 1 || step == pitch)
            continue;
        if (step != pitch - 1 && step != pitch + 1)
            return false;
        int sides = tr_route_map_is_free(map, a + pitch) + tr_route_map_is_free(map, b - pitch);
        if (sides < (cut_corners ? 1 : 2))
            return false;
    }
    return true;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

// The end of a thread inside its cell: unchanged if the line may begin there, else just off the border.
static bool place_end(const tr_route_map *map, uint32_t node, tr_vec2 point, int32_t keep, place *end) {
    place corner = {centre_of(map, node).x - UNITS / 2, centre_of(map, node).z - UNITS / 2}, p;
    if (!tr_sight_place(&map->grid, point, &p) || p.x < corner.x - 1 || p.x > corner.x + UNITS + 1 ||
        p.z < corner.z - 1 || p.z > corner.z + UNITS + 1)
        return false;
    end->x = clamp(p.x, corner.x, corner.x + UNITS);
    end->z = clamp(p.z, corner.z, corner.z + UNITS);
    if (!tr_sight_is_free(map, *end, *end, keep)) {
        end->x = clamp(p.x, corner.x + 1, corner.x + UNITS - 1);
        end->z = clamp(p.z, corner.z + 1, corner.z + UNITS - 1);
    }
    return true;
}

// Converts places to points; the ends are the given ones.
static double finish(const taut_line *line, tr_vec2 start, tr_vec2 goal) {
    const tr_grid *grid = &line->map->grid;
    double length = 0, scale = (double)grid->cell / UNITS;
    for (uint32_t i = 0; i < line->count; i++) {
        place p = get(line, i);
        tr_vec2 point = {(float)(grid->origin.x + (p.x - UNITS) * scale),
                         (float)(grid->origin.z + (p.z - UNITS) * scale)};
        line->points[i] = i == 0 ? start : i + 1 == line->count ? goal : point;
        if (i == 0)
            continue;
        double dx = (double)line->points[i].x - line->points[i - 1].x,
               dz = (double)line->points[i].z - line->points[i - 1].z;
        length += sqrt(dx * dx + dz * dz);
    }
    return length;
}

tr_status tr_line_of_sight_pull(const tr_route_map *map, const tr_line_of_sight_path *path, tr_vec2 *points,
                                uint32_t point_max, uint32_t *point_count, double *length) {
    const uint32_t *cells = path->cells, cell_count = path->cell_count;
    taut_line line = {map, path->cut_corners ? 0 : 1, points, 0, point_max};
    cell_way way = {.map = map, .cells = cells, .last = cell_count + 1};
    *point_count = 0;
    if (cell_count == 0 || cell_count > INT32_MAX ||
        !path_is_sound(map, cells, cell_count, path->cut_corners) ||
        !place_end(map, cells[0], path->start, line.keep, &way.start) ||
        !place_end(map, cells[cell_count - 1], path->goal, line.keep, &way.goal))
        return TR_INVALID;
    if (!skip_points(&line, &way))
        return TR_LIMIT;
    pull_tight(&line, 1);
    cut_short(&line);
    double metres = finish(&line, path->start, path->goal);
    *point_count = line.count;
    if (length)
        *length = metres;
    return TR_OK;
}
