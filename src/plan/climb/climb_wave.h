// The wavefront of plan/climb: one byte of cost a cell, a queue of the size of its front.
#pragma once
#include "climb_data.h"

typedef enum climb_until {
    CLIMB_UNTIL_GOAL,
    CLIMB_UNTIL_FREE // the first free cell: the goals are not looked at
} climb_until;

typedef struct climb_wave_def {
    tr_climb_place start;
    const tr_climb_place *goals; // cell TR_NONE: not to be had
    uint32_t goal_count;
    climb_until until;
    bool estimate; // A*, else breadth first
    tr_climb_border_use
        border;         // ALLOW: entering a cell that is not free costs TR_CLIMB_BORDER_WEIGHT - 1 more
    uint32_t links;     // kinds of links to use, or'ed; closed ones are not
    uint32_t cost_most; // cells beyond this are not looked at
    tr_search_budget budget;
} climb_wave_def;

// What a search came to. `end` is the goal, or where the wave came nearest to one.
typedef struct climb_wave_end {
    tr_climb_place end; // cell TR_NONE: none
    uint32_t cost;      // of the way there
    uint32_t goal;      // its number, TR_NONE
    tr_search_counters counters;
} climb_wave_end;

// TR_OK: the goal was reached; TR_NOT_FOUND; TR_PARTIAL: the budget ran out.
tr_status tr_climb_wave(tr_climb *climb, const climb_wave_def *def, climb_wave_end *end);
// The path of the wave that was just made, from its start to `end`, into climb->path: `neighbours` 4 or 8.
// false: no memory.
bool tr_climb_wave_path(tr_climb *climb, const climb_wave_def *def, const climb_wave_end *end,
                        uint32_t neighbours);

// What it costs to enter a cell over so many columns.
static inline uint32_t tr_climb_entry_cost(const tr_climb *climb, tr_climb_border_use border, uint32_t cell,
                                           uint32_t steps) {
    bool is_dear = border == TR_CLIMB_BORDER_ALLOW && !tr_climb_is_free(climb, cell);
    return is_dear ? steps + TR_CLIMB_BORDER_WEIGHT - 1 : steps;
}

// Links are walked along as if they were so many cells.
uint32_t tr_climb_link_steps(const tr_climb *climb, uint32_t link);

static inline bool tr_climb_is_seen(const tr_climb *climb, uint32_t cell) {
    return climb->states[cell] >> TR_CLIMB_STAMP_SHIFT == climb->stamp;
}
static inline bool tr_climb_is_closed(const tr_climb *climb, uint32_t cell) {
    return tr_climb_is_seen(climb, cell) && (climb->states[cell] & TR_CLIMB_IS_CLOSED);
}
