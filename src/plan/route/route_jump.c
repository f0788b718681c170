// Jump-point search (Harabor & Grastien 2011, 2014) for 8 neighbours: of all equally short ways between two
// cells only the one that goes diagonally first is followed, and cells where nothing new can begin are jumped
// over, 64 at a time.
//
// If corners are not cut (`cut` is false), a way can turn beside a straight line only past a corner, where a
// free cell follows a blocked one. If they are cut, it turns diagonally before the corner, where a blocked
// cell is followed by a free one, and along a diagonal past a blocked cell too. `cut` is a constant in each
// of the two searches.
#include "route_domain.h"

#include <stdlib.h>

// One line of cells and the two beside it, by rows or (turned) by columns.
typedef struct line {
    const uint64_t *here, *before, *after; // bits, from the start of the line
} line;

static inline line line_of(const uint64_t *bits, uint32_t pitch, uint32_t number) {
    const uint64_t *here = bits + (size_t)number * (pitch / 64);
    line l = {here, here - pitch / 64, here + pitch / 64};
    return l;
}

// Places beside a line where a way along it can turn; `word` of the line beside.
SEARCH_INLINE uint64_t turns_up(const uint64_t *beside, ptrdiff_t word, bool cut) {
    uint64_t here = beside[word];
    return cut ? ~here & (here >> 1 | beside[word + 1] << 63) : here & ~(here << 1 | beside[word - 1] >> 63);
}

SEARCH_INLINE uint64_t turns_down(const uint64_t *beside, ptrdiff_t word, bool cut) {
    uint64_t here = beside[word];
    return cut ? ~here & (here << 1 | beside[word - 1] >> 63) : here & ~(here >> 1 | beside[word + 1] << 63);
}

// Going up the line from `place`: the first place beyond it that is blocked, or where the way can turn, or
// that is `goal`. 0: it is blocked, there is nothing to jump to.
SEARCH_INLINE uint32_t jump_up(line l, uint32_t place, uint32_t goal, bool cut) {
    ptrdiff_t word = (place + 1) >> 6; // signed: the word before the first is read
    uint64_t mask = ~(uint64_t)0 << ((place + 1) & 63);
    for (;; word++, mask = ~(uint64_t)0) {
        uint64_t stop = ~l.here[word] | turns_up(l.before, word, cut) | turns_up(l.after, word, cut);
        if ((ptrdiff_t)(goal >> 6) == word)
            stop |= (uint64_t)1 << (goal & 63);
        stop &= mask;
        if (stop) {
            uint32_t bit = (uint32_t)__builtin_ctzll(stop);
            return l.here[word] >> bit & 1 ? (uint32_t)word * 64 + bit : 0;
        }
    }
}

// The same down the line.
SEARCH_INLINE uint32_t jump_down(line l, uint32_t place, uint32_t goal, bool cut) {
    ptrdiff_t word = (place - 1) >> 6;
    uint64_t mask = ~(uint64_t)0 >> (63 - ((place - 1) & 63));
    for (;; word--, mask = ~(uint64_t)0) {
        uint64_t stop = ~l.here[word] | turns_down(l.before, word, cut) | turns_down(l.after, word, cut);
        if ((ptrdiff_t)(goal >> 6) == word)
            stop |= (uint64_t)1 << (goal & 63);
        stop &= mask;
        if (stop) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(stop);
            return l.here[word] >> bit & 1 ? (uint32_t)word * 64 + bit : 0;
        }
    }
}

// The place of the nearest goal on this line in the direction of travel; beyond every line if there is none.
static inline uint32_t goal_on_line(const uint32_t *lines, const uint32_t *places, uint32_t count,
                                    uint32_t number, uint32_t place, int32_t direction) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (lines[i] != number || (direction > 0 ? places[i] <= place : places[i] >= place))
            continue;
        if (best == UINT32_MAX || (direction > 0 ? places[i] < best : places[i] > best))
            best = places[i];
    }
    return best;
}

// The column where a jump along the row ends, 0 for none.
SEARCH_INLINE uint32_t jump_along_row(const route_domain *d, uint32_t column, uint32_t row, int32_t direction,
                                      bool cut) {
    line l = line_of(d->map->free, d->map->pitch, row);
    uint32_t goal = goal_on_line(d->goal_rows, d->goal_columns, d->goal_count, row, column, direction);
    return direction > 0 ? jump_up(l, column, goal, cut) : jump_down(l, column, goal, cut);
}

SEARCH_INLINE uint32_t jump_along_column(const route_domain *d, uint32_t column, uint32_t row,
                                         int32_t direction, bool cut) {
    line l = line_of(d->map->free_turned, d->map->pitch_turned, column);
    uint32_t goal = goal_on_line(d->goal_columns, d->goal_rows, d->goal_count, column, row, direction);
    return direction > 0 ? jump_up(l, row, goal, cut) : jump_down(l, row, goal, cut);
}

SEARCH_INLINE void reach(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                         uint32_t cost) {
    uint32_t child = row * d->map->pitch + column;
    if (search_wants(step, child, &cost))
        search_take(step, child, cost, route_estimate(d, (int32_t)column, (int32_t)row));
}

// Reaches what straight jumps from a place lead to, along x and along z (0: not in that axis). `cost` is that
// of the way there.
SEARCH_INLINE void jump_straight(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                                 int32_t dx, int32_t dz, uint32_t cost, bool cut) {
    uint32_t end = dx ? jump_along_row(d, column, row, dx, cut) : 0;
    if (end)
        reach(d, step, end, row, cost + (uint32_t)abs((int32_t)(end - column)) * d->steps.straight);
    end = dz ? jump_along_column(d, column, row, dz, cut) : 0;
    if (end)
        reach(d, step, column, end, cost + (uint32_t)abs((int32_t)(end - row)) * d->steps.straight);
}

static inline bool is_free(const tr_route_map *map, uint32_t node, int32_t offset) {
    return tr_route_map_is_free(map, node + (uint32_t)offset);
}

// May the way turn here, off a diagonal that steps by `along` in x and `across` in z?
static inline bool turns_off(const tr_route_map *map, uint32_t node, int32_t along, int32_t across) {
    return (!is_free(map, node, -along) && is_free(map, node, across - along)) ||
           (!is_free(map, node, -across) && is_free(map, node, along - across));
}

// Step by step along the diagonal. The cells that straight jumps lead to are reached from here at once, so
// that the turn itself need not wait in the queue.
SEARCH_INLINE void jump_diagonally(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                                   int32_t dx, int32_t dz, bool cut) {
    const tr_route_map *map = d->map;
    uint32_t node = row * map->pitch + column, cost = 0;
    int32_t along = dx, across = dz * (int32_t)map->pitch;
    for (;;) {
        int open = is_free(map, node, along) + is_free(map, node, across);
        if (open < (cut ? 1 : 2) || !is_free(map, node, along + across))
            return;
        node += (uint32_t)(along + across);
        column += (uint32_t)dx;
        row += (uint32_t)dz;
        cost += d->steps.diagonal;
        if (route_is_goal((void *)(uintptr_t)d, node) || (cut && turns_off(map, node, along, across))) {
            reach(d, step, column, row, cost);
            return;
        }
        jump_straight(d, step, column, row, dx, dz, cost, cut);
    }
}

static int32_t sign(int32_t value) {
    return (value > 0) - (value < 0);
}

SEARCH_INLINE void expand_start(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                                bool cut) {
    for (int32_t turn = -1; turn <= 1; turn += 2) {
        jump_straight(d, step, column, row, turn, turn, 0, cut);
        jump_diagonally(d, step, column, row, turn, turn, cut);
        jump_diagonally(d, step, column, row, turn, -turn, cut);
    }
}

// Arrived straight: goes on, and around the corner on either side.
SEARCH_INLINE void expand_straight(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                                   int32_t dx, int32_t dz, bool cut) {
    const tr_route_map *map = d->map;
    uint32_t node = row * map->pitch + column;
    int32_t forward = dz * (int32_t)map->pitch + dx, side = dx ? (int32_t)map->pitch : 1;
    jump_straight(d, step, column, row, dx, dz, 0, cut);
    for (int32_t turn = -1; turn <= 1; turn += 2) {
        int32_t beside = turn * side, turn_x = dx ? 0 : turn, turn_z = dx ? turn : 0;
        bool turns = cut ? !is_free(map, node, beside) && is_free(map, node, beside + forward)
                         : is_free(map, node, beside) && !is_free(map, node, beside - forward);
        if (!turns)
            continue;
        if (!cut)
            jump_straight(d, step, column, row, turn_x, turn_z, 0, cut);
        jump_diagonally(d, step, column, row, dx + turn_x, dz + turn_z, cut);
    }
}

// Arrived diagonally, which happens only at a goal or at a turn off the diagonal.
SEARCH_INLINE void expand_diagonal(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                                   int32_t dx, int32_t dz) {
    const tr_route_map *map = d->map;
    uint32_t node = row * map->pitch + column;
    jump_straight(d, step, column, row, dx, dz, 0, true);
    jump_diagonally(d, step, column, row, dx, dz, true);
    if (!is_free(map, node, -dx))
        jump_diagonally(d, step, column, row, -dx, dz, true);
    if (!is_free(map, node, -dz * (int32_t)map->pitch))
        jump_diagonally(d, step, column, row, dx, -dz, true);
}

SEARCH_INLINE void expand(const route_domain *d, uint32_t node, uint32_t parent, tr_search_step *step,
                          bool cut) {
    uint32_t pitch = d->map->pitch, row = node / pitch, column = node - row * pitch;
    if (parent == TR_NONE) {
        expand_start(d, step, column, row, cut);
        return;
    }
    // A leg is diagonal first, then straight: it arrives straight unless it was diagonal all the way.
    int32_t from_x = (int32_t)column - (int32_t)(parent % pitch),
            from_z = (int32_t)row - (int32_t)(parent / pitch);
    int32_t dx = abs(from_x) >= abs(from_z) ? sign(from_x) : 0,
            dz = abs(from_z) >= abs(from_x) ? sign(from_z) : 0;
    if (!dx || !dz)
        expand_straight(d, step, column, row, dx, dz, cut);
    else if (cut)
        expand_diagonal(d, step, column, row, dx, dz);
}

static void expand_keep(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    expand(user, node, parent, step, false);
}

static void expand_cut(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    expand(user, node, parent, step, true);
}

tr_status tr_route_jump_run(tr_search *search, route_domain *domain, bool cut, tr_search_budget budget,
                            const tr_search_listener *listener) {
    const tr_search_domain keep = {domain, expand_keep, route_estimate_node, route_is_goal, true};
    const tr_search_domain cuts = {domain, expand_cut, route_estimate_node, route_is_goal, true};
    return cut ? search_run(search, &cuts, budget, listener) : search_run(search, &keep, budget, listener);
}
