// Bits for planners. What a body covers in a slot lies in a capsule: the line from its position at the
// beginning to that at the end, with room for the detours between. What an object covers lies in a rectangle.
// Both are a polygon rounded by a radius, and each row of cells cuts one interval out of it.
#define SIMD_LANES 4
#include "timeline_data.h"

#include "base/simd.h"

#define WORDS_MAX 8u

typedef struct filling {
    const tr_timeline *timeline;
    const tr_timeline_window *window;
    uint64_t *words;
    uint32_t slots;
    double floor_low, floor_high; // of all cells with a floor
} filling;

// Cells; the ends are excluded.
typedef struct cell_span {
    uint32_t column_begin, column_end, row_begin, row_end;
} cell_span;

static uint32_t span_begin(uint32_t middle, uint32_t reach) {
    return middle > reach ? middle - reach : 0;
}

static uint32_t span_end(uint32_t middle, uint32_t reach, uint32_t count) {
    return reach < count - middle ? middle + reach + 1 : count;
}

// The greatest distance of the planning body from the middle in a slot [cells].
static uint32_t reach_in(const tr_timeline_window *window, uint32_t slot) {
    return window->pace ? slot / window->pace + 1 : UINT32_MAX;
}

static cell_span cells_in_reach(const tr_grid *grid, uint32_t reach) {
    uint32_t column = grid->columns / 2, row = grid->rows / 2;
    return (cell_span){span_begin(column, reach), span_end(column, reach, grid->columns),
                       span_begin(row, reach), span_end(row, reach, grid->rows)};
}

// Bits of a cell: one slot, or all slots from one on.
typedef struct slot_bits {
    uint32_t word_begin, word_end; // the words with any bits
    uint64_t bits[WORDS_MAX];
} slot_bits;

// A convex polygon rounded by a radius, over a span of heights.
typedef struct rounded {
    double x[4], z[4];
    uint32_t count; // of the corners, 2 or 4
    double radius;
    double low, high;
} rounded;

// One of the straight sides of the rounded shape: x = at + slope * z for z in [low, high].
typedef struct outer_side {
    double at, slope, low, high;
} outer_side;

// Every side of the polygon moved outwards, to both sides of it: the one inside does no harm.
static uint32_t find_sides(const rounded *shape, outer_side sides[8]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->count && (i == 0 || shape->count > 2); i++) {
        uint32_t k = (i + 1) % shape->count;
        double dx = shape->x[k] - shape->x[i], dz = shape->z[k] - shape->z[i],
               length = sqrt(dx * dx + dz * dz);
        if (dz == 0)
            continue; // the corners cover this case
        double slope = dx / dz, out_x = -dz / length * shape->radius, out_z = dx / length * shape->radius;
        for (int side = -1; side <= 1; side += 2) {
            double x = shape->x[i] + side * out_x, z = shape->z[i] + side * out_z;
            sides[count++] = (outer_side){x - slope * z, slope, dz > 0 ? z : z + dz, dz > 0 ? z + dz : z};
        }
    }
    return count;
}

static uint32_t clamp_index(double index, uint32_t least, uint32_t most) { // rounded down
    return index <= least ? least : index >= most ? most : (uint32_t)index;
}

// For cells of one word whose floors are all inside the shape: sets the bits wherever there is a floor.
static void mark_floors(const filling *f, size_t begin, size_t end, uint64_t bits) {
    const float *floor = f->window->floor;
    for (size_t i = begin; i < end; i++)
        f->words[i] |= floor[i] == floor[i] ? bits : 0;
}

static void mark_cells(const filling *f, const rounded *shape, uint32_t row, uint32_t begin, uint32_t end,
                       const slot_bits *bits) {
    const tr_timeline_window *window = f->window;
    uint32_t count = window->word_count;
    size_t base = (size_t)row * window->grid.columns;
    if (window->floor && count == 1 && shape->low < f->floor_low + window->height &&
        f->floor_high < shape->high) {
        mark_floors(f, base + begin, base + end, bits->bits[0]);
        return;
    }
    for (uint32_t column = begin; column < end; column++) {
        if (window->floor) {
            double floor = window->floor[base + column];
            if (!(shape->low < floor + window->height && floor < shape->high)) // NaN: no floor
                continue;
        }
        uint64_t *words = &f->words[(base + column) * count];
        for (uint32_t i = bits->word_begin; i < bits->word_end; i++)
            words[i] |= bits->bits[i];
    }
}

// The interval that a row cuts out of the shape.
static inline void cut_row(const rounded *shape, uint32_t corners, const outer_side *sides,
                           uint32_t side_count, double z, double *from, double *to) {
    double left = *from, right = *to, square = shape->radius * shape->radius;
    for (uint32_t i = 0; i < corners; i++) {
        double dz = z - shape->z[i], inside = square - dz * dz, half = inside > 0 ? sqrt(inside) : -INFINITY;
        left = shape->x[i] - half < left ? shape->x[i] - half : left;
        right = shape->x[i] + half > right ? shape->x[i] + half : right;
    }
    for (uint32_t i = 0; i < side_count; i++) {
        double x = sides[i].at + sides[i].slope * z;
        bool is_cut = z >= sides[i].low && z <= sides[i].high;
        left = is_cut && x < left ? x : left;
        right = is_cut && x > right ? x : right;
    }
    *from = left;
    *to = right;
}

// Sets the bits in every cell of the span whose centre lies in the shape. Cells exactly on its border may be
// in or out.
static void mark(const filling *f, const rounded *shape, const slot_bits *bits, cell_span span) {
    const tr_timeline_window *window = f->window;
    const tr_grid *grid = &window->grid;
    if (!window->floor &&
        !(shape->low < (double)window->level + window->height && window->level < shape->high))
        return;
    double low = shape->z[0], high = low, left_most = shape->x[0], right_most = left_most;
    double cell = grid->cell, scale = 1 / cell;
    for (uint32_t i = 1; i < shape->count; i++) {
        low = shape->z[i] < low ? shape->z[i] : low;
        high = shape->z[i] > high ? shape->z[i] : high;
        left_most = shape->x[i] < left_most ? shape->x[i] : left_most;
        right_most = shape->x[i] > right_most ? shape->x[i] : right_most;
    }
    if (right_most + shape->radius < grid->origin.x ||
        left_most - shape->radius > grid->origin.x + grid->columns * cell)
        return;
    uint32_t row_begin = clamp_index((low - shape->radius - grid->origin.z) * scale + 0.5 - 1e-5,
                                     span.row_begin, span.row_end),
             row_end = clamp_index((high + shape->radius - grid->origin.z) * scale + 0.5 + 1e-5,
                                   span.row_begin, span.row_end);
    outer_side sides[8];
    uint32_t side_count = row_begin < row_end ? find_sides(shape, sides) : 0;
    for (uint32_t row = row_begin; row < row_end; row++) {
        double z = grid->origin.z + (row + 0.5) * cell, left = INFINITY, right = -INFINITY;
        if (shape->count == 2 && side_count == 2) // the most frequent case: loops of constant length are fast
            cut_row(shape, 2, sides, 2, z, &left, &right);
        else
            cut_row(shape, shape->count, sides, side_count, z, &left, &right);
        if (left < right) // the centre of column c is at c + 0.5
            mark_cells(
                f, shape, row,
                clamp_index((left - grid->origin.x) * scale + 0.5 - 1e-5, span.column_begin, span.column_end),
                clamp_index((right - grid->origin.x) * scale + 0.5 + 1e-5, span.column_begin,
                            span.column_end),
                bits);
    }
}

static slot_bits bits_of(uint32_t begin, uint32_t end) {
    slot_bits made = {.word_begin = begin / 64, .word_end = (end + 63) / 64};
    for (uint32_t i = made.word_begin; i < made.word_end; i++) {
        uint32_t low = begin > i * 64 ? begin - i * 64 : 0, high = end - i * 64 < 64 ? end - i * 64 : 64;
        made.bits[i] = (~(uint64_t)0 >> (64 - (high - low))) << low;
    }
    return made;
}

// The first slot from which nothing changes any more, given the tick at which the motion ends.
static uint32_t resting_slot(const filling *f, uint64_t end) {
    uint64_t begin = f->window->begin, slot = f->window->slot;
    uint64_t slots = end <= begin ? 0 : (end - begin + slot - 1) / slot;
    return slots < f->slots ? (uint32_t)slots : f->slots;
}

// --- Bodies ---

// Covers the positions from `first` to `last` with a capsule: adds the greatest distance from the line to the
// radius, and sets the heights.
static void cover_slot(const laid_track *track, uint32_t first, uint32_t last, rounded *shape) {
    double x = track->x[first], z = track->z[first], dx = track->x[last] - x, dz = track->z[last] - z,
           square = dx * dx + dz * dz, part = square > 0 ? 1 / square : 0, off = 0, low = track->y[first],
           high = low;
    for (uint32_t i = first + 1; i <= last; i++) {
        double px = track->x[i] - x, pz = track->z[i] - z;
        double share = (px * dx + pz * dz) * part;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        double ex = px - share * dx, ez = pz - share * dz, far = ex * ex + ez * ez;
        off = far > off ? far : off;
        low = track->y[i] < low ? track->y[i] : low;
        high = track->y[i] > high ? track->y[i] : high;
    }
    shape->x[0] = x, shape->z[0] = z;
    shape->x[1] = track->x[last], shape->z[1] = track->z[last];
    shape->count = 2;
    shape->radius += sqrt(off);
    shape->low = low;
    shape->high = high + track->height;
}

// Whether a body, at an index of its track, is too far away to cover a cell within reach in this slot.
static bool is_beyond(const filling *f, const laid_track *track, uint32_t at, uint32_t reach, double room) {
    const tr_grid *grid = &f->window->grid;
    double half = (reach + 0.5) * (double)grid->cell + room + 2.01 * (double)track->step * f->window->slot,
           x = grid->origin.x + (grid->columns / 2 + 0.5) * (double)grid->cell,
           z = grid->origin.z + (grid->rows / 2 + 0.5) * (double)grid->cell;
    return fabs(track->x[at] - x) > half || fabs(track->z[at] - z) > half;
}

static void fill_body(void *user, uint32_t body) {
    const filling *f = user;
    const tr_timeline_window *window = f->window;
    if (body == window->self)
        return;
    const laid_track *track = &f->timeline->blocks[body]->track;
    double reach = (double)track->radius + window->radius + window->margin + 1e-6;
    uint32_t rest = resting_slot(f, track->end), begun = 0;
    // Before its motion begins, the body stands at the first position.
    if (track->begin > window->begin) {
        uint64_t slots = (track->begin - window->begin) / window->slot;
        begun = slots < rest ? (uint32_t)slots : rest;
    }
    rounded shape = {.radius = reach};
    slot_bits bits;
    if (begun > 0) {
        bits = bits_of(0, begun);
        cover_slot(track, 0, 0, &shape);
        mark(f, &shape, &bits, cells_in_reach(&window->grid, reach_in(window, begun - 1)));
    }
    for (uint32_t slot = begun; slot < rest; slot++) {
        uint64_t tick = window->begin + (uint64_t)slot * window->slot;
        uint32_t first = laid_index(track, tick), cells = reach_in(window, slot);
        if (is_beyond(f, track, first, cells, reach))
            continue;
        shape.radius = reach;
        cover_slot(track, first, laid_index(track, tick + window->slot), &shape);
        bits = bits_of(slot, slot + 1);
        mark(f, &shape, &bits, cells_in_reach(&window->grid, cells));
    }
    if (rest < f->slots) {
        uint32_t last = laid_index(track, track->end);
        bits = bits_of(rest, f->slots);
        shape.radius = reach;
        cover_slot(track, last, last, &shape);
        mark(f, &shape, &bits, cells_in_reach(&window->grid, UINT32_MAX));
    }
}

// --- Objects ---

// Extends [*low, *high] to everything that a rectangle covers in a direction during its tick.
static void stretch(const moving_rectangle *r, double x, double z, double *low, double *high) {
    double at = r->x * x + r->z * z, end = at + r->move_x * x + r->move_z * z,
           half = fabs(r->along_x * x + r->along_z * z) * r->half_along +
                  fabs(r->along_x * z - r->along_z * x) * r->half_across;
    double least = (at < end ? at : end) - half, greatest = (at > end ? at : end) + half;
    *low = least < *low ? least : *low;
    *high = greatest > *high ? greatest : *high;
}

// The rectangle, oriented as in the first tick, around everything that happens in some ticks.
static bool cover_ticks(const filling *f, const moving_object *mover, uint64_t begin, uint64_t end,
                        rounded *shape) {
    moving_rectangle r;
    if (!tr_timeline_mover_at(f->timeline, mover, begin, &r))
        return false;
    double x = r.along_x, z = r.along_z, a0 = INFINITY, a1 = -INFINITY, b0 = INFINITY, b1 = -INFINITY;
    shape->low = r.low, shape->high = r.high;
    for (uint64_t tick = begin; tick < end && tr_timeline_mover_at(f->timeline, mover, tick, &r); tick++) {
        stretch(&r, x, z, &a0, &a1);
        stretch(&r, -z, x, &b0, &b1);
        shape->low = r.low < shape->low ? r.low : shape->low;
        shape->high = r.high > shape->high ? r.high : shape->high;
    }
    const double a[4] = {a0, a1, a1, a0}, b[4] = {b0, b0, b1, b1};
    for (uint32_t i = 0; i < 4; i++) {
        shape->x[i] = a[i] * x - b[i] * z;
        shape->z[i] = a[i] * z + b[i] * x;
    }
    shape->count = 4;
    return true;
}

static void fill_still(const filling *f, const moving_rectangle *place, uint32_t from, rounded *shape) {
    moving_object still = {.is_known = true, .still = *place}; // and the end of its motion
    if (from >= f->slots || !cover_ticks(f, &still, 0, 1, shape))
        return;
    slot_bits bits = bits_of(from, f->slots);
    mark(f, shape, &bits, cells_in_reach(&f->window->grid, UINT32_MAX));
}

static void fill_object(const filling *f, const moving_object *mover) {
    const tr_timeline_window *window = f->window;
    rounded shape = {.radius = (double)window->radius + window->clear + 1e-6};
    uint32_t rest = resting_slot(f, mover->end);
    slot_bits bits;
    for (uint32_t slot = 0; slot < rest; slot++) {
        uint64_t tick = window->begin + (uint64_t)slot * window->slot, end = tick + window->slot;
        tick = tick > mover->begin ? tick : mover->begin;
        tick = tick > f->timeline->now ? tick : f->timeline->now; // earlier ticks are not kept
        if (tick >= end || !cover_ticks(f, mover, tick, end, &shape))
            continue;
        bits = bits_of(slot, slot + 1);
        mark(f, &shape, &bits, cells_in_reach(&window->grid, reach_in(window, slot)));
    }
    moving_rectangle place;
    if (tr_timeline_may_stay(f->timeline, mover, &place))
        fill_still(f, &place, 0, &shape);
    if (mover->is_known)
        fill_still(f, &mover->still, rest, &shape);
}

// --- A window ---

static bool window_is_sound(const tr_timeline_window *window) {
    return tr_grid_check(&window->grid, UINT64_MAX, NULL) == TR_OK && window->slot >= 1 &&
           window->slot <= 65536 && window->word_count >= 1 && window->word_count <= WORDS_MAX &&
           window->begin <= TICK_LIMIT && is_measure(window->radius) && is_measure(window->height) &&
           is_measure(window->margin) && is_measure(window->clear) &&
           (window->floor || isfinite(window->level));
}

static void find_floors(filling *f) {
    const float *floor = f->window->floor;
    size_t count = floor ? (size_t)f->window->grid.columns * f->window->grid.rows : 0, i = 0;
    simd_float lows = simd_set(INFINITY), highs = simd_set(-INFINITY);
    for (; i + 4 <= count; i += 4) { // NaN is neither less nor greater
        lows = simd_min(simd_load(floor + i), lows);
        highs = simd_max(simd_load(floor + i), highs);
    }
    float low = INFINITY, high = -INFINITY;
    for (int lane = 0; lane < 4; lane++) {
        low = lows[lane] < low ? lows[lane] : low;
        high = highs[lane] > high ? highs[lane] : high;
    }
    for (; i < count; i++) {
        low = floor[i] < low ? floor[i] : low;
        high = floor[i] > high ? floor[i] : high;
    }
    f->floor_low = low;
    f->floor_high = high;
}

tr_status tr_timeline_fill(const tr_timeline *timeline, const tr_timeline_window *window, uint64_t *words) {
    if (!window_is_sound(window))
        return TR_INVALID;
    filling f = {timeline, window, words, window->word_count * 64, 0, 0};
    const tr_grid *grid = &window->grid;
    find_floors(&f);
    size_t count = (size_t)grid->columns * grid->rows * window->word_count;
    for (size_t i = 0; i < count; i++)
        words[i] = 0;
    flat_box box = {grid->origin.x,
                    grid->origin.x + (float)grid->columns * grid->cell,
                    grid->origin.z,
                    grid->origin.z + (float)grid->rows * grid->cell,
                    window->floor ? -INFINITY : window->level,
                    window->floor ? INFINITY : window->level + window->height};
    flat_box near = box_grow(box, window->radius + window->margin, 0, 0),
             clear = box_grow(box, window->radius + window->clear, 0, 0);
    tr_timeline_index_visit(timeline, &near, fill_body, &f);
    for (uint32_t i = 0; i < timeline->mover_count; i++)
        if (!boxes_apart(&clear, &timeline->movers[i].box))
            fill_object(&f, &timeline->movers[i]);
    return TR_OK;
}
