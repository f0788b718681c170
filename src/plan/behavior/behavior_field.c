// Distances over coarse cells: a wave of bits spreads from a goal, 64 cells at a time. A step spreads to the
// four neighbours, or to all eight. Of five steps two are of the second kind: then the wave is an octagon
// that lies within 8 % of a circle.
#include "behavior_search_data.h"

#include <string.h>

#define UNREACHED 0xffff
#define AHEAD_STEPS 6
#define DELAY_MOST 20000 // steps

static size_t wave_words(const tr_behavior_map *map) {
    return (size_t)map->coarse_stride * (map->coarse_rows + 2);
}

static uint32_t coarse_cells(const tr_behavior_map *map) {
    return map->coarse_columns * map->coarse_rows;
}

void tr_behavior_fields_release(tr_behavior_search *s) {
    for (uint32_t i = 0; i < s->field_count; i++)
        tr_release(&s->allocator, s->fields[i].steps, s->field_cells, sizeof *s->fields[i].steps);
    tr_release(&s->allocator, s->waves, 3 * (size_t)s->field_words, sizeof *s->waves);
    tr_release(&s->allocator, s->delayed, s->field_cells, sizeof *s->delayed);
    s->waves = NULL;
    s->delayed = NULL;
    s->field_count = s->field_cells = s->field_words = 0;
}

tr_status tr_behavior_fields_reserve(tr_behavior_search *s, const tr_behavior_map *map, uint32_t count) {
    uint32_t cells = coarse_cells(map), words = (uint32_t)wave_words(map);
    if (cells > s->field_cells || words > s->field_words) {
        uint32_t least = s->field_count;
        tr_behavior_fields_release(s);
        count = least > count ? least : count;
        s->field_words = words;
        s->field_cells = cells;
        s->waves = tr_allocate(&s->allocator, 3 * (size_t)words, sizeof *s->waves);
        s->delayed = tr_allocate(&s->allocator, cells, sizeof *s->delayed);
        if (!s->waves || !s->delayed) {
            tr_behavior_fields_release(s);
            return TR_OUT_OF_MEMORY;
        }
    }
    for (; s->field_count < count; s->field_count++) {
        behavior_field *field = &s->fields[s->field_count];
        field->steps = tr_allocate(&s->allocator, s->field_cells, sizeof *field->steps);
        if (!field->steps)
            return TR_OUT_OF_MEMORY;
    }
    return TR_OK;
}

static bool find_coarse(const tr_behavior_map *map, float x, float z, uint32_t *column, uint32_t *row) {
    if (!behavior_cell(map, x, z, column, row))
        return false;
    *column /= map->coarse;
    *row /= map->coarse;
    return true;
}

static inline uint64_t widen(const uint64_t *word) {
    return word[0] | word[0] << 1 | word[-1] >> 63 | word[0] >> 1 | word[1] << 63;
}

// Cells that a wave enters later, in the order of their times: a list for each band.
typedef struct wave_delay {
    uint32_t steps;       // later
    uint32_t first, last; // cells; TR_NONE: there are none
} wave_delay;

typedef struct wave {
    const tr_behavior_map *map;
    uint16_t *steps; // of cells that are delayed: when they are entered
    uint64_t *visited, *front, *next;
    uint32_t low, high;                       // rows of the front, from 1 on
    uint32_t *links;                          // of the cells that are delayed; NULL: none ever is
    wave_delay delays[TR_BEHAVIOR_BANDS_MAX]; // of cells that are crossed in this band
    uint32_t waiting;                         // cells that are delayed
} wave;

static inline void number(uint16_t *steps, uint64_t bits, uint16_t step) {
    for (; bits; bits &= bits - 1)
        steps[__builtin_ctzll(bits)] = step;
}

// A cell that cannot be crossed upright is entered later from one that can be: by as many steps as the
// special behavior costs more than its way.
static void delay(wave *w, uint32_t cell, uint32_t step) {
    uint32_t bands = w->map->postures[cell], best = 0;
    if (w->steps[cell] != UNREACHED)
        return; // it waits already
    for (uint32_t band = 1; band < TR_BEHAVIOR_BANDS_MAX; band++)
        if ((bands >> band & 1) && (best == 0 || w->delays[band].steps < w->delays[best].steps))
            best = band;
    wave_delay *of = &w->delays[best];
    uint32_t due = step + of->steps;
    w->steps[cell] = (uint16_t)(due < UNREACHED - 1 ? due : UNREACHED - 1);
    w->links[cell] = TR_NONE;
    if (of->first == TR_NONE)
        of->first = cell;
    else
        w->links[of->last] = cell;
    of->last = cell;
    w->waiting++;
}

// Of the bits of a word, takes out those of cells that are entered later.
static uint64_t hold_back(wave *w, uint32_t row, size_t i, uint64_t bits, uint32_t step) {
    const tr_behavior_map *map = w->map;
    size_t stride = map->coarse_stride;
    uint32_t first = (row - 1) * map->coarse_columns + (uint32_t)(i - 1) * 64;
    for (uint64_t rest = bits & ~map->upright[row * stride + i]; rest; rest &= rest - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(rest), column = (uint32_t)(i - 1) * 64 + bit;
        bool is_inside = false; // it is entered from one that is not crossed upright, either
        for (uint32_t k = 0; k < 9 && !is_inside; k++) {
            uint32_t c = column + k % 3 - 1, r = row + k / 3 - 1; // beyond the edges there is no front
            is_inside = c < map->coarse_columns && r >= 1 && r <= map->coarse_rows &&
                        (w->front[r * stride + 1 + c / 64] >> c % 64 & 1) &&
                        !(map->postures[(size_t)(r - 1) * map->coarse_columns + c] & 1);
        }
        if (!is_inside) {
            delay(w, first + bit, step);
            bits &= ~((uint64_t)1 << bit);
        }
    }
    return bits;
}

// Enters the cells whose time has come, if the wave was not there before. false: there are none.
static bool enter_delayed(wave *w, uint32_t step) {
    const tr_behavior_map *map = w->map;
    bool any = false;
    for (uint32_t band = 0; band < TR_BEHAVIOR_BANDS_MAX && w->waiting > 0; band++) {
        wave_delay *of = &w->delays[band];
        while (of->first != TR_NONE && w->steps[of->first] <= step) {
            uint32_t cell = of->first, column = cell % map->coarse_columns,
                     row = cell / map->coarse_columns + 1;
            size_t word = (size_t)row * map->coarse_stride + 1 + column / 64;
            uint64_t bit = (uint64_t)1 << column % 64;
            of->first = w->links[cell];
            w->waiting--;
            if (w->visited[word] & bit)
                continue;
            w->visited[word] |= bit;
            w->front[word] |= bit;
            any = true;
            w->low = row < w->low ? row : w->low;
            w->high = row > w->high ? row : w->high;
        }
    }
    return any;
}

// Spreads by one step. false: there is nowhere to go.
static bool spread(wave *w, uint16_t step, bool is_wide) {
    const tr_behavior_map *map = w->map;
    size_t stride = map->coarse_stride;
    uint32_t low = UINT32_MAX, high = 0;
    uint32_t from = w->low > 1 ? w->low - 1 : 1,
             to = w->high < map->coarse_rows ? w->high + 1 : map->coarse_rows;
    for (uint32_t row = from; row <= to; row++) {
        const uint64_t *front = w->front + row * stride;
        uint64_t any = 0;
        for (size_t i = 1; i + 1 < stride; i++) {
            size_t word = row * stride + i;
            const uint64_t *here = front + i, *above = here - stride, *below = here + stride;
            uint64_t sides = is_wide ? widen(above) | widen(below) : *above | *below;
            uint64_t bits = (widen(here) | sides) & map->open[word] & ~w->visited[word];
            if (w->links && (bits & ~map->upright[word]))
                bits = hold_back(w, row, i, bits, step);
            w->next[word] = bits;
            w->visited[word] |= bits;
            number(w->steps + (size_t)(row - 1) * map->coarse_columns + (i - 1) * 64, bits, step);
            any |= bits;
        }
        low = any && row < low ? row : low;
        high = any ? row : high;
    }
    memset(w->front + w->low * stride, 0, (w->high - w->low + 1) * stride * sizeof *w->front);
    uint64_t *front = w->front;
    w->front = w->next;
    w->next = front;
    w->low = high ? low : 1;
    w->high = high ? high : 1;
    return (w->waiting > 0 && enter_delayed(w, step)) || high > 0 || w->waiting > 0;
}

// How much later a wave crosses a place where a special behavior is needed.
static void begin_delays(wave *w, tr_behavior_search *s) {
    const tr_behavior *behavior = s->behavior;
    double metres = (double)s->map->grid.cell * s->map->coarse;
    for (uint32_t band = 0; band < TR_BEHAVIOR_BANDS_MAX; band++)
        w->delays[band] = (wave_delay){DELAY_MOST, TR_NONE, TR_NONE};
    for (uint32_t i = 0; i < behavior->def.state_count; i++) {
        const tr_behavior_state *state = &behavior->states[i];
        const behavior_state_info *info = &behavior->infos[i];
        double cost = state->parametrised ? info->longest * (double)state->weight : info->cost;
        double more = (cost / behavior->rate - info->longest) / metres;
        uint32_t steps = more > 0 ? more < DELAY_MOST ? (uint32_t)more : DELAY_MOST : 0;
        if (state->serves && steps < w->delays[state->serves].steps)
            w->delays[state->serves].steps = steps;
    }
    w->links = behavior->special_bands ? s->delayed : NULL;
}

static void flood(tr_behavior_search *s, behavior_field *field, tr_vec2 goal, tr_vec2 start) {
    const tr_behavior_map *map = s->map;
    size_t words = wave_words(map);
    uint32_t column, row, stop_column = 0, stop_row = 0, end = UNREACHED - 1;
    memset(field->steps, 0xff, coarse_cells(map) * sizeof *field->steps);
    memset(s->waves, 0, 3 * words * sizeof *s->waves);
    field->last = 0;
    field->is_whole = true;
    if (!find_coarse(map, goal.x, goal.z, &column, &row))
        return;
    bool stops = find_coarse(map, start.x, start.z, &stop_column, &stop_row);
    wave w = {.map = map,
              .steps = field->steps,
              .visited = s->waves,
              .front = s->waves + words,
              .next = s->waves + 2 * words,
              .low = row + 1,
              .high = row + 1};
    begin_delays(&w, s);
    size_t word = (size_t)(row + 1) * map->coarse_stride + column / 64 + 1;
    w.visited[word] = w.front[word] = (uint64_t)1 << (column & 63);
    field->steps[(size_t)row * map->coarse_columns + column] = 0;
    const uint16_t *stop = &field->steps[(size_t)stop_row * map->coarse_columns + stop_column];
    for (uint32_t step = 1; step <= end; step++) {
        field->is_whole =
            !spread(&w, (uint16_t)step, s->query.inflation <= 1 || step % 5 == 2 || step % 5 == 4);
        if (field->is_whole)
            return;
        field->last = step;
        if (stops && *stop <= step)
            end = end < step + step / 4 + 12 ? end : step + step / 4 + 12;
    }
}

void tr_behavior_fields_flood(tr_behavior_search *s) {
    for (uint32_t i = 0; i < s->query.goal_count && !s->keeps_fields; i++)
        flood(s, &s->fields[i], s->goals[i], i > 0 ? s->goals[i - 1] : s->query.start);
}

bool tr_behavior_field_steps(const tr_behavior_search *s, uint32_t leg, float x, float z, uint32_t *steps) {
    const behavior_field *field = &s->fields[leg];
    uint32_t column, row;
    if (!find_coarse(s->map, x, z, &column, &row))
        return false;
    *steps = field->steps[(size_t)row * s->map->coarse_columns + column];
    if (*steps != UNREACHED)
        return true;
    *steps = field->last;
    return !field->is_whole;
}

tr_vec2 tr_behavior_field_ahead(const tr_behavior_search *s, uint32_t leg, float x, float z) {
    const tr_behavior_map *map = s->map;
    const uint16_t *steps = s->fields[leg].steps;
    uint32_t column, row;
    if (!find_coarse(map, x, z, &column, &row))
        return s->goals[leg];
    for (uint32_t i = 0; i < AHEAD_STEPS; i++) {
        uint32_t best_column = column, best_row = row,
                 best = steps[(size_t)row * map->coarse_columns + column];
        for (uint32_t k = 0; k < 9; k++) {
            uint32_t c = column + k % 3 - 1, r = row + k / 3 - 1; // beyond the edges they are huge
            if (c >= map->coarse_columns || r >= map->coarse_rows)
                continue;
            uint32_t there = steps[(size_t)r * map->coarse_columns + c];
            if (there < best) {
                best = there;
                best_column = c;
                best_row = r;
            }
        }
        if (best == 0 || (best_column == column && best_row == row))
            return s->goals[leg];
        column = best_column;
        row = best_row;
    }
    float cell = map->grid.cell * (float)map->coarse;
    return tr_vec2_make(map->grid.origin.x + ((float)column + 0.5f) * cell,
                        map->grid.origin.z + ((float)row + 0.5f) * cell);
}
