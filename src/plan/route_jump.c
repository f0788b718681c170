// Jump-point search (Harabor & Grastien 2011, 2014) for 8 neighbours and corners that are not cut: of all
// equally short ways between two cells only the one that goes diagonally first is looked at, and cells where
// nothing new can begin are jumped over, 64 at a time.
#include "route_domain.h"

#include <stdlib.h>

// One line of cells and the two beside it, by rows or (turned) by columns.
typedef struct line {
    const uint64_t *here, *before, *after; // bits, from the line's beginning
} line;

static inline line line_of(const uint64_t *bits, uint32_t pitch, uint32_t number) {
    const uint64_t *here = bits + (size_t)number * (pitch / 64);
    line l = {here, here - pitch / 64, here + pitch / 64};
    return l;
}

// Going up the line from `place`: the first place beyond it that is blocked, or where a cell beside the line
// is free behind a blocked one (there a way can turn), or that is `goal`. 0 when it is blocked: nothing to
// jump to.
static inline uint32_t jump_up(line l, uint32_t place, uint32_t goal) {
    ptrdiff_t word = (place + 1) >> 6; // signed: the word before the first is looked at
    uint64_t mask = ~(uint64_t)0 << ((place + 1) & 63);
    for (;; word++, mask = ~(uint64_t)0) {
        uint64_t before = l.before[word], after = l.after[word];
        uint64_t turn_before = before & ~(before << 1 | l.before[word - 1] >> 63);
        uint64_t turn_after = after & ~(after << 1 | l.after[word - 1] >> 63);
        uint64_t stop = ~l.here[word] | turn_before | turn_after;
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
static inline uint32_t jump_down(line l, uint32_t place, uint32_t goal) {
    ptrdiff_t word = (place - 1) >> 6;
    uint64_t mask = ~(uint64_t)0 >> (63 - ((place - 1) & 63));
    for (;; word--, mask = ~(uint64_t)0) {
        uint64_t before = l.before[word], after = l.after[word];
        uint64_t turn_before = before & ~(before >> 1 | l.before[word + 1] << 63);
        uint64_t turn_after = after & ~(after >> 1 | l.after[word + 1] << 63);
        uint64_t stop = ~l.here[word] | turn_before | turn_after;
        if ((ptrdiff_t)(goal >> 6) == word)
            stop |= (uint64_t)1 << (goal & 63);
        stop &= mask;
        if (stop) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(stop);
            return l.here[word] >> bit & 1 ? (uint32_t)word * 64 + bit : 0;
        }
    }
}

// Where the nearest goal on this line lies in the direction of travel; beyond every line when there is none.
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
static inline uint32_t jump_along_row(const route_domain *d, uint32_t column, uint32_t row,
                                      int32_t direction) {
    line l = line_of(d->map->free, d->map->pitch, row);
    uint32_t goal = goal_on_line(d->goal_rows, d->goal_columns, d->goal_count, row, column, direction);
    return direction > 0 ? jump_up(l, column, goal) : jump_down(l, column, goal);
}

static inline uint32_t jump_along_column(const route_domain *d, uint32_t column, uint32_t row,
                                         int32_t direction) {
    line l = line_of(d->map->free_turned, d->map->pitch_turned, column);
    uint32_t goal = goal_on_line(d->goal_columns, d->goal_rows, d->goal_count, column, row, direction);
    return direction > 0 ? jump_up(l, row, goal) : jump_down(l, row, goal);
}

SEARCH_INLINE void reach(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                         uint32_t cost) {
    uint32_t child = row * d->map->pitch + column;
    if (search_wants(step, child, &cost))
        search_take(step, child, cost, route_estimate(d, (int32_t)column, (int32_t)row));
}

static void jump_straight(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                          int32_t dx, int32_t dz) {
    if (dx) {
        uint32_t end = jump_along_row(d, column, row, dx);
        if (end)
            reach(d, step, end, row, (uint32_t)abs((int32_t)(end - column)) * d->steps.straight);
    } else {
        uint32_t end = jump_along_column(d, column, row, dz);
        if (end)
            reach(d, step, column, end, (uint32_t)abs((int32_t)(end - row)) * d->steps.straight);
    }
}

// Step by step along the diagonal: a cell from which a straight jump leads somewhere is where the way may
// turn. The cells that those jumps lead to are reached from here at once, so that the turn itself need not
// wait in the queue.
static void jump_diagonally(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row,
                            int32_t dx, int32_t dz) {
    const tr_route_map *map = d->map;
    uint32_t node = row * map->pitch + column, cost = 0;
    int32_t along = dx, across = dz * (int32_t)map->pitch;
    for (;;) {
        if (!tr_route_map_is_free(map, node + (uint32_t)along) ||
            !tr_route_map_is_free(map, node + (uint32_t)across) ||
            !tr_route_map_is_free(map, node + (uint32_t)(along + across)))
            return;
        node += (uint32_t)(along + across);
        column += (uint32_t)dx;
        row += (uint32_t)dz;
        cost += d->steps.diagonal;
        if (route_is_goal((void *)(uintptr_t)d, node)) {
            reach(d, step, column, row, cost);
            return;
        }
        uint32_t end = jump_along_row(d, column, row, dx);
        if (end)
            reach(d, step, end, row, cost + (uint32_t)abs((int32_t)(end - column)) * d->steps.straight);
        end = jump_along_column(d, column, row, dz);
        if (end)
            reach(d, step, column, end, cost + (uint32_t)abs((int32_t)(end - row)) * d->steps.straight);
    }
}

static int32_t sign(int32_t value) {
    return (value > 0) - (value < 0);
}

// Beside a straight way, at `node`: may it turn to the side where `side` leads?
static inline bool turns(const tr_route_map *map, uint32_t node, int32_t back, int32_t side) {
    return tr_route_map_is_free(map, node + (uint32_t)side) &&
           !tr_route_map_is_free(map, node + (uint32_t)(side + back));
}

static void expand_start(const route_domain *d, tr_search_step *step, uint32_t column, uint32_t row) {
    for (int32_t dz = -1; dz <= 1; dz++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (dx && dz)
                jump_diagonally(d, step, column, row, dx, dz);
            else if (dx || dz)
                jump_straight(d, step, column, row, dx, dz);
        }
}

static inline void expand_jump(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    const route_domain *d = user;
    const tr_route_map *map = d->map;
    uint32_t pitch = map->pitch, row = node / pitch, column = node - row * pitch;
    if (parent == TR_NONE) {
        expand_start(d, step, column, row);
        return;
    }
    // A leg is diagonal first, then straight: it arrives straight unless it was diagonal all the way, to a
    // goal.
    int32_t from_x = (int32_t)column - (int32_t)(parent % pitch),
            from_z = (int32_t)row - (int32_t)(parent / pitch);
    int32_t dx = abs(from_x) >= abs(from_z) ? sign(from_x) : 0,
            dz = abs(from_z) >= abs(from_x) ? sign(from_z) : 0;
    if (dx && dz)
        return;
    jump_straight(d, step, column, row, dx, dz);
    int32_t back = -(dz * (int32_t)pitch + dx), side = dx ? (int32_t)pitch : 1;
    for (int32_t turn = -1; turn <= 1; turn += 2) {
        if (!turns(map, node, back, turn * side))
            continue;
        int32_t turn_x = dx ? 0 : turn, turn_z = dx ? turn : 0;
        jump_straight(d, step, column, row, turn_x, turn_z);
        jump_diagonally(d, step, column, row, dx + turn_x, dz + turn_z);
    }
}

tr_status tr_route_jump_run(tr_search *search, route_domain *domain, tr_search_budget budget,
                            const tr_search_listener *listener) {
    const tr_search_domain jump = {domain, expand_jump, route_estimate_node, route_is_goal, true};
    return search_run(search, &jump, budget, listener);
}
