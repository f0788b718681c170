// plan/behavior_crowd/behavior_crowd_data.h - a crowd while it is planned. Internal to plan/behavior_crowd.
#pragma once
#include "plan/behavior/behavior_map_data.h"
#include "plan/behavior/behavior_search_data.h"
#include "troupe/plan/behavior_crowd.h"

#define CROWD_EXPANSIONS 10000 // of a search, unless the query says how many
#define CROWD_EXPANSIONS_EXACT 20000
#define CROWD_HELP 2     // budgets that somebody is helped with
#define CROWD_BLOCKERS 8 // that are planned again for somebody

// A character. Its plan is what it does from `query.frame` on; until its first action it stands at its start.
typedef struct crowd_member {
    tr_behavior_plan plan;
    tr_behavior_plan staged; // found with the others of its batch, until its turn; with the same actions
    tr_behavior_crowd_by by;
    tr_status status; // of its last search
    char reason[TR_BEHAVIOR_REASON_MAX];
    uint32_t searches, replaced;
    uint64_t expanded, tests, nanoseconds;
    double length;    // of its trip, straight [m]
    double expected;  // cost, if it were alone; of the last search
    bool holds_long;  // its start is kept free for longer than those of others
    bool waits;       // its plan sets out later
    bool moves_goals; // its last search was for places beside its goals
    bool is_done;     // its plan is settled
    bool stays;       // it has none, and stands at its start for ever
    bool is_minded;   // the others have been told
} crowd_member;

// Memory for goals that differ from those of a query.
typedef struct crowd_goals {
    tr_vec2 goals[TR_BEHAVIOR_GOALS_MAX];
} crowd_goals;

struct tr_behavior_crowd {
    tr_allocator allocator;
    tr_behavior_crowd_def def;
    tr_behavior_map *map;
    const tr_behavior_person *people;
    crowd_member *members;
    tr_behavior_action *actions; // of all plans
    uint32_t count, capacity;
    tr_behavior_search **searches; // one for each member of the team
    uint32_t search_count;
    tr_behavior_spot *spots; // of one plan
    uint32_t spot_max;
    tr_behavior_plan ideal; // of the character that is helped, as if nobody else were there
    tr_behavior_plan kept[CROWD_BLOCKERS + 1]; // plans that are put back if a repair fails
    tr_behavior_action *spare;                 // their actions
    uint32_t *queue;                           // those that are planned in this pass
    uint32_t queue_count, batch_first;
    uint64_t allowance; // expansions that are left for all searches together
    uint32_t all_there; // frame at which all have arrived who have a plan
    tr_status trouble;  // out of memory in the middle of the work
};

static inline const tr_behavior *crowd_behavior(const tr_behavior_crowd *crowd, uint32_t person) {
    const tr_behavior *own = crowd->people[person].behavior;
    return own ? own : crowd->map->behavior;
}

// Places nearer to each other than this cannot both be stood at.
static inline float crowd_apart(const tr_behavior_crowd *crowd) {
    return 2 * behavior_keep(&crowd->map->behavior->def) + crowd->map->slack;
}

// Where a body is that does not move, or that follows a plan: its spots, in crowd->spots. Returns their
// number.
uint32_t tr_crowd_stand(tr_behavior_crowd *crowd, uint32_t person, tr_vec2 at, float heading, uint32_t frame);
uint32_t tr_crowd_spots(tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_plan *plan);
float tr_crowd_radius(const tr_behavior_crowd *crowd, uint32_t person);
// The body on the map: with the plan of the member; or standing at its start until its turn, for a few
// seconds.
bool tr_crowd_commit(tr_behavior_crowd *crowd, uint32_t person);
bool tr_crowd_hold(tr_behavior_crowd *crowd, uint32_t person);
// The first frame at which somebody or something comes by the start of a query; UINT32_MAX: never. The
// person's own body is not on the map.
uint32_t tr_crowd_free_until(const tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_query *query);
// From a straight way to a place [m].
float tr_crowd_way_to(tr_vec2 from, tr_vec2 to, tr_vec2 at);
// May somebody on its plan come near the start of another one?
bool tr_crowd_comes_by(const tr_behavior_crowd *crowd, uint32_t person, uint32_t other);
// Does a plan meet nobody who is on the map?
bool tr_crowd_is_clear(tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_plan *plan);

// Does somebody who has no plan stand where another one is to rest?
bool tr_crowd_holds(const tr_behavior_crowd *crowd, uint32_t holder, uint32_t person);
// Could somebody rest at a place, once all those have passed who have a plan? Things that move must not come
// by at any time.
bool tr_crowd_may_rest(const tr_behavior_map *map, tr_vec2 at, uint32_t frame);
// The person's query, with a budget.
tr_behavior_query tr_crowd_query(const tr_behavior_crowd *crowd, uint32_t person);
// Searches a plan from a query that is like the person's own. Its body is not on the map.
tr_status tr_crowd_search(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                          const tr_behavior_query *query, tr_behavior_plan *plan);
// The same for setting out now or later, with growing effort. It stands at its start until then.
tr_status tr_crowd_search_times(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                                const tr_behavior_query *query, tr_behavior_plan *plan, bool *waits);
// Searches the member's plan like this, with every effort.
tr_status tr_crowd_search_own(tr_behavior_crowd *crowd, uint32_t person, bool *waits);
void tr_crowd_note_end(tr_behavior_crowd *crowd); // finds `all_there`
// Helps somebody who found no plan; its body is not on the map. true: it has one now, and all bodies are on
// the map but its own.
bool tr_crowd_repair(tr_behavior_crowd *crowd, uint32_t person);
// Appends a plan to one that ends at rest where it begins. false: there is no room.
bool tr_crowd_append_plan(tr_behavior_plan *plan, const tr_behavior_plan *more);
void tr_crowd_copy_plan(tr_behavior_plan *to, const tr_behavior_plan *from);
