// The motions of other characters on a behavior map: stamped as bits for each cell and slot, and for those
// who rest as the slot from which they stand there.
#include "behavior_map_data.h"

#include <string.h>

#define ROUNDING 1e-4 // of positions and cells [m]

// Where a part of a body is in slots [first, last]: within `radius` of the segment from a to b.
typedef struct stamp {
    double a[2], b[2], radius;
    uint32_t first, last;
    double side[2]; // from the segment to an edge of what it touches; zero for a point
} stamp;

#define FOUND 32 // tiles that a writer remembers

// What is being written: the motion of a body.
typedef struct writer {
    tr_behavior_map *map;
    uint32_t body;
    tr_cells cells; // nothing is written outside
    double per_metre;
    bool ends; // no memory
    // The body's bits in tiles that were found lately, by their places: the next disc is near.
    size_t places[FOUND];
    uint64_t *words[FOUND];
} writer;

// Columns [begin, end) of a row that a stamp touches; none: both are 0.
typedef struct run {
    uint32_t begin, end;
} run;

// --- One stamp ---

static void include(double reach[2], double x) {
    reach[0] = x < reach[0] ? x : reach[0];
    reach[1] = x > reach[1] ? x : reach[1];
}

// The part of a disc between the lines z = low and z = high.
static void include_disc(double reach[2], const double centre[2], double radius, double low, double high) {
    double off = centre[1] < low ? low - centre[1] : centre[1] > high ? centre[1] - high : 0;
    if (off > radius)
        return;
    double half = sqrt(radius * radius - off * off);
    include(reach, centre[0] - half);
    include(reach, centre[0] + half);
}

// The part of an edge between them: from a to b, moved by (x, z).
static void include_edge(double reach[2], const stamp *s, double x, double z, double low, double high) {
    double begin = s->a[1] + z, rise = s->b[1] - s->a[1], from = 0, to = 1;
    if (rise > 0 || rise < 0) {
        double at_low = (low - begin) / rise, at_high = (high - begin) / rise;
        from = at_low < at_high ? at_low : at_high;
        to = at_low < at_high ? at_high : at_low;
        from = from < 0 ? 0 : from;
        to = to > 1 ? 1 : to;
    } else if (begin < low || begin > high) {
        return;
    }
    if (from > to)
        return;
    include(reach, s->a[0] + x + (s->b[0] - s->a[0]) * from);
    include(reach, s->a[0] + x + (s->b[0] - s->a[0]) * to);
}

// The columns of a row that the stamp touches. The part of a capsule between two lines is convex, so what it
// touches is one run of cells.
static bool find_run(const writer *w, const stamp *s, uint32_t row, uint32_t *begin, uint32_t *end) {
    const tr_grid *grid = &w->map->grid;
    double cell = (double)grid->cell, low = (double)grid->origin.z + cell * row - ROUNDING;
    double high = low + cell + 2 * ROUNDING, reach[2] = {(double)INFINITY, -(double)INFINITY};
    include_disc(reach, s->a, s->radius, low, high);
    if (s->side[0] < 0 || s->side[0] > 0 || s->side[1] < 0 || s->side[1] > 0) {
        include_disc(reach, s->b, s->radius, low, high);
        include_edge(reach, s, s->side[0], s->side[1], low, high);
        include_edge(reach, s, -s->side[0], -s->side[1], low, high);
    }
    if (!(reach[0] <= reach[1]))
        return false;
    double first = (reach[0] - ROUNDING - (double)grid->origin.x) * w->per_metre;
    double last = (reach[1] + ROUNDING - (double)grid->origin.x) * w->per_metre;
    if (last < w->cells.column_begin || first >= w->cells.column_end)
        return false;
    *begin = first > w->cells.column_begin ? (uint32_t)first : w->cells.column_begin;
    *end = last < w->cells.column_end - 1 ? (uint32_t)last + 1 : w->cells.column_end;
    return true;
}

static bool find_rows(const writer *w, const stamp *s, uint32_t *begin, uint32_t *end) {
    double origin = (double)w->map->grid.origin.z, cell = (double)w->map->grid.cell;
    double reach = s->radius + 2 * ROUNDING;
    double first = ((s->a[1] < s->b[1] ? s->a[1] : s->b[1]) - reach - origin) / cell;
    double last = ((s->a[1] < s->b[1] ? s->b[1] : s->a[1]) + reach - origin) / cell;
    if (last < w->cells.row_begin || first >= w->cells.row_end)
        return false;
    *begin = first > w->cells.row_begin ? (uint32_t)first : w->cells.row_begin;
    *end = last < w->cells.row_end - 1 ? (uint32_t)last + 1 : w->cells.row_end;
    return true;
}

// The bits of a body in a tile. NULL: no memory.
static uint64_t *own_words(tr_behavior_map *map, uint32_t body, behavior_tile *tile) {
    uint32_t index = map->free_link;
    for (uint32_t link = tile->first_link; link != TR_NONE; link = map->links[link].next_in_tile)
        if (map->links[link].body == body)
            return map->links[link].own->words;
    if (index == TR_NONE) {
        void *links = map->links;
        bool room = tr_reserve(&map->allocator, &links, &map->link_capacity, (uint64_t)map->link_count + 1,
                               sizeof *map->links);
        map->links = links;
        if (!room)
            return NULL;
        map->links[map->link_count].next_of_body = TR_NONE;
        index = map->free_link = map->link_count++;
    }
    behavior_tile *own = tr_behavior_map_take_tile(map);
    if (!own)
        return NULL;
    map->free_link = map->links[index].next_of_body;
    map->links[index] = (behavior_link){body, tile->first_link, map->bodies[body].first_link, tile, own};
    tile->first_link = map->bodies[body].first_link = index;
    return own->words;
}

// The same by the tile's place; NULL: no memory, and the writer ends.
static uint64_t *words_at(writer *w, size_t place) {
    uint32_t known = (uint32_t)(place % FOUND);
    if (w->words[known] && w->places[known] == place)
        return w->words[known];
    behavior_tile *tile = tr_behavior_map_tile(w->map, &w->map->people, place);
    uint64_t *words = tile ? own_words(w->map, w->body, tile) : NULL;
    w->places[known] = place;
    w->words[known] = words;
    w->ends = w->ends || !words;
    return words;
}

// Runs in the rows of a line of tiles, from `row` on.
static void write_runs(writer *w, uint32_t block, uint64_t mask, uint32_t row, const run *runs,
                       uint32_t count) {
    const tr_behavior_map *map = w->map;
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (runs[i].begin == runs[i].end)
            continue;
        first = runs[i].begin < first ? runs[i].begin : first;
        last = runs[i].end > last ? runs[i].end : last;
    }
    for (uint32_t left = first / BEHAVIOR_TILE_SIDE * BEHAVIOR_TILE_SIDE; left < last && !w->ends;
         left += BEHAVIOR_TILE_SIDE) {
        uint64_t *words = words_at(w, behavior_place_of(map, block, left, row));
        for (uint32_t i = 0; i < count && words; i++) {
            uint32_t begin = runs[i].begin > left ? runs[i].begin - left : 0;
            uint32_t end = runs[i].end > left ? runs[i].end - left : 0;
            uint64_t *line = words + behavior_word(0, row + i);
            end = end < BEHAVIOR_TILE_SIDE ? end : BEHAVIOR_TILE_SIDE;
            for (; begin < end; begin++)
                line[begin] |= mask;
        }
    }
}

// The tiles have the bits of all bodies.
static void join_tiles(tr_behavior_map *map, uint32_t body) {
    for (uint32_t link = map->bodies[body].first_link; link != TR_NONE;
         link = map->links[link].next_of_body) {
        uint64_t *words = map->links[link].tile->words;
        const uint64_t *own = map->links[link].own->words;
        for (uint32_t i = 0; i < BEHAVIOR_TILE_SIDE * BEHAVIOR_TILE_SIDE; i++)
            words[i] |= own[i];
    }
}

static void find_side(stamp *s) {
    double x = s->b[0] - s->a[0], z = s->b[1] - s->a[1], length = sqrt(x * x + z * z);
    s->side[0] = length > 0 ? -z * s->radius / length : 0;
    s->side[1] = length > 0 ? x * s->radius / length : 0;
}

// Runs of some rows of a line of tiles, in the slots of a stamp.
static void write_slots(writer *w, const stamp *s, uint32_t row, const run *runs, uint32_t count) {
    uint32_t last_block = s->last / BEHAVIOR_BLOCK_SLOTS;
    for (uint32_t block = s->first / BEHAVIOR_BLOCK_SLOTS; block <= last_block; block++) {
        uint32_t low = block * BEHAVIOR_BLOCK_SLOTS < s->first ? s->first % BEHAVIOR_BLOCK_SLOTS : 0;
        uint32_t high = block < last_block ? BEHAVIOR_BLOCK_SLOTS - 1 : s->last % BEHAVIOR_BLOCK_SLOTS;
        write_runs(w, block, behavior_mask(low, high), row, runs, count);
    }
}

// The run of a row of both stamps, if they are one; otherwise that of the second one is written.
static run join_runs(writer *w, const stamp *other, uint32_t row, run first) {
    run second;
    if (!find_run(w, other, row, &second.begin, &second.end))
        return first;
    if (first.begin == first.end)
        return second;
    if (second.begin > first.end || first.begin > second.end) {
        write_slots(w, other, row, &second, 1);
        return first;
    }
    first.begin = second.begin < first.begin ? second.begin : first.begin;
    first.end = second.end > first.end ? second.end : first.end;
    return first;
}

// `other`: a stamp with the same slots, which is written at once; NULL: there is none.
static void write_stamp(writer *w, stamp *s, stamp *other) {
    uint32_t row = 0, row_end = 0, next, other_row, other_end;
    bool any = find_rows(w, s, &row, &row_end);
    find_side(s);
    if (other && find_rows(w, other, &other_row, &other_end)) {
        row = any && row < other_row ? row : other_row;
        row_end = any && row_end > other_end ? row_end : other_end;
        any = true;
        find_side(other);
    } else {
        other = NULL;
    }
    for (; any && row < row_end; row = next) {
        run runs[BEHAVIOR_TILE_SIDE];
        next = (row / BEHAVIOR_TILE_SIDE + 1) * BEHAVIOR_TILE_SIDE;
        next = next < row_end ? next : row_end;
        for (uint32_t i = row; i < next; i++) {
            run *found = &runs[i - row];
            if (!find_run(w, s, i, &found->begin, &found->end))
                *found = (run){0, 0};
            if (other)
                *found = join_runs(w, other, i, *found);
        }
        write_slots(w, s, row, runs, next - row);
    }
}

// --- A motion ---

static double people_radius(const tr_behavior_map *map, float radius) {
    double apart = (double)behavior_keep(&map->behavior->def) + (double)radius + (double)map->slack;
    double half = (double)map->behavior->step / 2;
    return sqrt(apart * apart + half * half) + ROUNDING;
}

// From one spot to another, slot by slot.
static void write_step(writer *w, const tr_behavior_spot *from, const tr_behavior_spot *to, double radius) {
    const tr_behavior_map *map = w->map;
    uint32_t first = behavior_last_slot(map, from->frame), last = behavior_last_slot(map, to->frame);
    double x = (double)to->x - (double)from->x, z = (double)to->z - (double)from->z;
    stamp s = {
        {(double)from->x, (double)from->z}, {(double)to->x, (double)to->z}, radius, first, last, {0, 0}};
    if (first == last || (x * x + z * z) < 1e-12) {
        write_stamp(w, &s, NULL);
        return;
    }
    double frames = to->frame - from->frame;
    for (uint32_t slot = first; slot <= last; slot++) {
        double begin = ((double)slot * map->slot_frames - from->frame) / frames;
        double end = begin + map->slot_frames / frames;
        if (begin >= 1)
            break; // only the instant at which the next step begins
        begin = begin < 0 ? 0 : begin;
        end = end > 1 ? 1 : end;
        s.a[0] = (double)from->x + x * begin;
        s.a[1] = (double)from->z + z * begin;
        s.b[0] = (double)from->x + x * end;
        s.b[1] = (double)from->z + z * end;
        s.first = s.last = slot;
        write_stamp(w, &s, NULL);
    }
}

// Discs that hold the body stand until the next ones take over; two at a time are written at once.
static void write_standing(writer *w, const tr_behavior_spot *spots, uint32_t count,
                           const tr_behavior_spot *next, double radius) {
    const tr_behavior_map *map = w->map;
    uint32_t until = next ? next->frame - 1 : spots->frame; // at that frame the next ones hold
    stamp pair[2];
    for (uint32_t i = 0; i < count; i += 2) {
        for (uint32_t k = 0; k < 2 && i + k < count; k++) {
            double x = (double)spots[i + k].x, z = (double)spots[i + k].z;
            pair[k] = (stamp){
                {x, z}, {x, z}, radius, behavior_last_slot(map, spots->frame), behavior_last_slot(map, until),
                {0, 0}};
        }
        write_stamp(w, &pair[0], i + 1 < count ? &pair[1] : NULL);
    }
}

static uint32_t group_end(const behavior_body *body, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < body->spot_count && body->spots[end].frame == body->spots[begin].frame)
        end++;
    return end;
}

static uint32_t nearest(const tr_behavior_spot *spots, uint32_t begin, uint32_t end,
                        const tr_behavior_spot *to) {
    uint32_t best = begin;
    float least = INFINITY;
    for (uint32_t i = begin; i < end; i++) {
        float x = spots[i].x - to->x, z = spots[i].z - to->z, distance = x * x + z * z;
        best = distance < least ? i : best;
        least = distance < least ? distance : least;
    }
    return best;
}

static void write_motion(writer *w, const behavior_body *body) {
    double radius = people_radius(w->map, body->radius);
    const tr_behavior_spot *spots = body->spots;
    for (uint32_t begin = 0, middle, end; begin < body->spot_count && !w->ends; begin = middle) {
        middle = group_end(body, begin);
        end = middle < body->spot_count ? group_end(body, middle) : middle;
        if (w->map->behavior->def.discs_hold) {
            write_standing(w, &spots[begin], middle - begin, end > middle ? &spots[middle] : NULL, radius);
            continue;
        }
        for (uint32_t i = begin; i < middle; i++)
            write_step(w, &spots[i],
                       end > middle ? &spots[nearest(spots, middle, end, &spots[i])] : &spots[i], radius);
        for (uint32_t i = middle; i < end && middle - begin + end - middle > 2; i++)
            write_step(w, &spots[nearest(spots, begin, middle, &spots[i])], &spots[i], radius);
    }
}

// --- Rest ---

// Sets or lowers `rest` where a body stands after its motion; only in some cells.
static void write_rest(tr_behavior_map *map, const behavior_body *body, tr_cells cells, bool clears) {
    writer w = {.map = map, .cells = cells, .per_metre = 1 / (double)map->grid.cell};
    const tr_behavior_spot *last = &body->spots[body->spot_count - 1];
    uint16_t slot = (uint16_t)behavior_last_slot(map, last->frame);
    for (uint32_t i = body->spot_count; i-- > 0 && body->spots[i].frame == last->frame;) {
        double x = (double)body->spots[i].x, z = (double)body->spots[i].z;
        stamp s = {{x, z}, {x, z}, people_radius(map, body->radius), slot, slot, {0, 0}};
        uint32_t row, row_end, begin, end;
        if (!find_rows(&w, &s, &row, &row_end))
            continue;
        for (; row < row_end; row++) {
            uint16_t *rest = map->rest + (size_t)row * map->grid.columns;
            if (!find_run(&w, &s, row, &begin, &end))
                continue;
            for (uint32_t column = begin; column < end; column++)
                rest[column] = clears ? BEHAVIOR_NEVER : slot < rest[column] ? slot : rest[column];
        }
    }
}

static tr_cells rest_cells(const tr_behavior_map *map, const behavior_body *body) {
    const tr_behavior_spot *last = &body->spots[body->spot_count - 1];
    double reach = people_radius(map, body->radius) + (double)map->grid.cell;
    double low[2] = {(double)INFINITY, (double)INFINITY}, high[2] = {-(double)INFINITY, -(double)INFINITY};
    for (uint32_t i = body->spot_count; i-- > 0 && body->spots[i].frame == last->frame;) {
        const double at[2] = {
            ((double)body->spots[i].x - (double)map->grid.origin.x) / (double)map->grid.cell,
            ((double)body->spots[i].z - (double)map->grid.origin.z) / (double)map->grid.cell};
        for (int k = 0; k < 2; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    const uint32_t most[2] = {map->grid.columns, map->grid.rows};
    uint32_t from[2], to[2];
    for (int k = 0; k < 2; k++) {
        double first = low[k] - reach / (double)map->grid.cell,
               last_cell = high[k] + reach / (double)map->grid.cell;
        from[k] = first > 0 ? first < most[k] ? (uint32_t)first : most[k] : 0;
        to[k] = last_cell > 0 ? last_cell < most[k] ? (uint32_t)last_cell + 1 : most[k] : 0;
        to[k] = to[k] > most[k] ? most[k] : to[k];
    }
    return (tr_cells){from[0], from[1], to[0], to[1]};
}

static void clear_rest(tr_behavior_map *map, uint32_t index) {
    tr_cells cells = rest_cells(map, &map->bodies[index]);
    if (cells.column_begin >= cells.column_end || cells.row_begin >= cells.row_end)
        return;
    write_rest(map, &map->bodies[index], cells, true);
    for (uint32_t i = 0; i < map->body_count; i++)
        if (i != index && map->bodies[i].spots && map->bodies[i].rests)
            write_rest(map, &map->bodies[i], cells, false);
}

// --- Commit and withdraw ---

static tr_status check(const tr_behavior_map *map, uint32_t body, const tr_behavior_spot *spots,
                       uint32_t count, float radius, tr_error *error) {
    if (body >= TR_BEHAVIOR_BODIES_MAX)
        return tr_fail(error, TR_INVALID, "body %u: the number must be below %u", body,
                       TR_BEHAVIOR_BODIES_MAX);
    if (!spots || count == 0)
        return tr_fail(error, TR_INVALID, "body %u: its motion has no spots", body);
    if (!(radius >= 0 && radius <= 1e3f))
        return tr_fail(error, TR_INVALID, "body %u: its radius is %g m, it must be 0 to 1000", body,
                       (double)radius);
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabsf(spots[i].x) < 1e7f && fabsf(spots[i].z) < 1e7f))
            return tr_fail(error, TR_INVALID, "body %u: spot %u is at (%g, %g)", body, i, (double)spots[i].x,
                           (double)spots[i].z);
        if (i > 0 && spots[i].frame < spots[i - 1].frame)
            return tr_fail(error, TR_INVALID, "body %u: spot %u is at frame %u, before the last one", body, i,
                           spots[i].frame);
    }
    if (spots[count - 1].frame >= tr_behavior_map_end(map))
        return tr_fail(error, TR_LIMIT, "body %u: its motion ends at frame %u, the map knows %u frames", body,
                       spots[count - 1].frame, tr_behavior_map_end(map));
    return TR_OK;
}

static bool reserve_body(tr_behavior_map *map, uint32_t body) {
    void *bodies = map->bodies;
    bool room =
        tr_reserve(&map->allocator, &bodies, &map->body_capacity, (uint64_t)body + 1, sizeof *map->bodies);
    map->bodies = bodies;
    for (; room && map->body_count <= body; map->body_count++)
        map->bodies[map->body_count] = (behavior_body){.first_link = TR_NONE};
    return room;
}

tr_status tr_behavior_map_visit(tr_behavior_map *map, uint32_t body, const tr_behavior_spot *spots,
                                uint32_t count, float radius, tr_error *error) {
    tr_behavior_map_withdraw(map, body);
    tr_status status = check(map, body, spots, count, radius, error);
    if (status != TR_OK)
        return status;
    tr_behavior_spot *copy = tr_allocate(&map->allocator, count, sizeof *copy);
    if (!copy || !reserve_body(map, body)) {
        tr_release(&map->allocator, copy, count, sizeof *copy);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the motion of body %u", body);
    }
    memcpy(copy, spots, count * sizeof *copy);
    map->bodies[body] = (behavior_body){copy, count, TR_NONE, radius, false};
    map->people_count++;
    map->spot_bytes += (uint64_t)count * sizeof *copy;
    writer w = {
        .map = map, .body = body, .cells = tr_grid_all(&map->grid), .per_metre = 1 / (double)map->grid.cell};
    write_motion(&w, &map->bodies[body]);
    join_tiles(map, body);
    if (w.ends) {
        tr_behavior_map_withdraw(map, body);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the motion of body %u", body);
    }
    return TR_OK;
}

tr_status tr_behavior_map_commit(tr_behavior_map *map, uint32_t body, const tr_behavior_spot *spots,
                                 uint32_t count, float radius, tr_error *error) {
    tr_status status = tr_behavior_map_visit(map, body, spots, count, radius, error);
    if (status != TR_OK)
        return status;
    map->bodies[body].rests = true;
    write_rest(map, &map->bodies[body], tr_grid_all(&map->grid), false);
    return TR_OK;
}

// Takes a body out of a tile: the tile has the bits of all others.
static void remove_link(tr_behavior_map *map, uint32_t index) {
    behavior_link *link = &map->links[index];
    behavior_tile *tile = link->tile;
    uint32_t *place = &tile->first_link;
    while (*place != index)
        place = &map->links[*place].next_in_tile;
    *place = link->next_in_tile;
    tr_behavior_map_put_tile(map, link->own);
    link->next_of_body = map->free_link;
    map->free_link = index;
    if (tile->first_link == TR_NONE) {
        tr_behavior_map_free_tile(map, &map->people, tile);
        return;
    }
    memset(tile->words, 0, sizeof tile->words);
    for (uint32_t other = tile->first_link; other != TR_NONE; other = map->links[other].next_in_tile)
        for (uint32_t i = 0; i < BEHAVIOR_TILE_SIDE * BEHAVIOR_TILE_SIDE; i++)
            tile->words[i] |= map->links[other].own->words[i];
}

void tr_behavior_map_withdraw(tr_behavior_map *map, uint32_t body) {
    if (body >= map->body_count || !map->bodies[body].spots)
        return;
    behavior_body *record = &map->bodies[body];
    if (record->rests)
        clear_rest(map, body);
    for (uint32_t link = record->first_link, next; link != TR_NONE; link = next) {
        next = map->links[link].next_of_body;
        remove_link(map, link);
    }
    map->spot_bytes -= (uint64_t)record->spot_count * sizeof *record->spots;
    tr_release(&map->allocator, record->spots, record->spot_count, sizeof *record->spots);
    *record = (behavior_body){.first_link = TR_NONE};
    map->people_count--;
}

void tr_behavior_map_withdraw_all(tr_behavior_map *map) {
    for (uint32_t i = 0; i < map->body_count; i++) {
        behavior_body *record = &map->bodies[i];
        for (uint32_t link = record->first_link; link != TR_NONE; link = map->links[link].next_of_body) {
            behavior_tile *tile = map->links[link].tile;
            if (map->people.directory[tile->place] == tile)
                tr_behavior_map_free_tile(map, &map->people, tile);
            tr_behavior_map_put_tile(map, map->links[link].own);
        }
        tr_release(&map->allocator, record->spots, record->spot_count, sizeof *record->spots);
        *record = (behavior_body){.first_link = TR_NONE};
    }
    map->link_count = 0;
    map->free_link = TR_NONE;
    map->people_count = 0;
    map->spot_bytes = 0;
    if (map->rest)
        memset(map->rest, 0xff, (size_t)map->grid.columns * map->grid.rows * sizeof *map->rest);
}
