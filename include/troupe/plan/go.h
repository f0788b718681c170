// troupe/plan/go.h - how to get there: a path over the ground, around others where they are in the way, and
// out of the way of others.
//
// The one planner of going: the stage and `troupe route` call it alike. Path first; a walker then paces along
// it against the timeline, and only where that loses time does it ask for a way around, by a search in space
// and time over safe intervals in a small window.
#pragma once
#include "troupe/plan/way.h"
#include "troupe/world/timeline.h"

TR_BEGIN_DECLARATIONS

// Memory of one planner. One for each thread.
typedef struct tr_go tr_go;
TR_API tr_status tr_go_create(const tr_allocator *allocator, tr_go **go, tr_error *error);
TR_API void tr_go_destroy(tr_go *go); // NULL is allowed
// Room for tr_go_find with such a node_max, as tr_path_reserve makes it.
TR_API tr_status tr_go_reserve(tr_go *go, const tr_ground *ground, uint32_t node_max, tr_error *error);

// What a walker needs of the ground. Its controller may lead it a little off its way, and the ground keeps as
// much more beside it; with its shoulders turned, and sideways, it needs less than its radius.
#define TR_GO_CORRIDOR 0.05f // [m]
typedef struct tr_go_body {
    float stature; // of the person: how far and high its legs step [m, > 0]
    float height;  // head room [m]; 0: 1.02 of its stature
    float radius;  // of the disc that it takes up [m]; 0: 0.3
} tr_go_body;
// The sizes of the ground for a walker in each tr_way_room, added where they are not there yet. Bodies that
// are nearly alike share them: legs no longer, heads and shoulders no smaller than theirs.
TR_API tr_status tr_go_add_sizes(tr_ground *ground, const tr_go_body *body, uint32_t sizes[3],
                                 tr_error *error);

// Start from tr_go_query_default(): how the stage plans for its actors.
typedef struct tr_go_query {
    uint32_t sizes[3]; // of the ground, for each tr_way_room; TR_NONE: the body never goes so
    tr_vec3 start;
    const tr_vec3 *goals;
    uint32_t goal_count; // [1, TR_PATH_GOALS_MAX]
    float speed;         // on level ground, for the times of the way [m/s, > 0], 1.3
    float up, down;      // as in tr_path_params, 4 and 1
    float rise, reach;   // likewise, 0.5 and 2
    bool stands;         // likewise, false
    float detour;        // a way in open room may be this much longer than one through a narrow place [m], 3
    uint32_t links;      // kinds that may be used, all but ladders
    float lane;          // how much to keep to the right in corridors [0, 1], 1; 0: the shortest way
    tr_search_budget budget;
    uint32_t node_max; // as in tr_path_params
} tr_go_query;
TR_API tr_go_query tr_go_query_default(uint32_t size);

typedef struct tr_go_result {
    double length, cost; // [m]
    uint32_t goal;       // which of them
    bool start_moved, goal_moved;
    tr_ground_place start, end;
    tr_search_counters counters; // of all searches together
} tr_go_result;
// The way to the goal that is reached most cheaply. TR_OK; TR_NOT_FOUND, with a sentence that says why;
// TR_PARTIAL: the budget ran out, the way leads nearer; TR_LIMIT, TR_INVALID. TR_OUT_OF_MEMORY: the same
// call may be made again. `result` may be NULL.
TR_API tr_status tr_go_find(tr_go *go, const tr_ground *ground, const tr_go_query *query, tr_way *way,
                            tr_go_result *result, tr_error *error);

// --- In time ---

// A disc that goes a way among others whose motions are known, and gives way to all of them.
typedef struct tr_go_disc {
    float radius, height; // [m]
    float margin;         // kept from others [m, >= 0]
    uint64_t begin;       // tick at which it sets out, now or later
    double tick_seconds;  // of the timeline
    double wait_max;      // it waits so long at most, in all [s]
    bool around;          // it may leave its way where that is quicker than to wait
} tr_go_disc;
typedef struct tr_go_pace_result {
    uint32_t ticks;        // that it takes
    double waits;          // of it [s]
    uint32_t arounds;      // times that it leaves its way
    uint32_t body, object; // TR_NOT_FOUND: whom or what it met nearest to its goal; TR_NONE
} tr_go_pace_result;
// Give a way of tr_go_find such times that nobody in the timeline is met from start to goal, nor at the goal
// afterwards: where it waits it has two points at one place. Earliest arrival at the ticks of the timeline;
// where it waits and `around` is set, ways around others (tr_go_around) are tried and taken if they are
// quicker. Commit the positions at whole ticks (tr_way_at_time) for those who come after. The first call
// allocates. TR_NOT_FOUND: somebody is in the way for too long, the way is as it was. TR_LIMIT: it takes more
// than TR_TIMELINE_TICKS_MAX ticks, or the way has no room for the points.
TR_API tr_status tr_go_pace(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                            const tr_go_query *query, const tr_go_disc *disc, tr_way *way,
                            tr_go_pace_result *result, tr_error *error);

// --- Among others ---

// A walker on level floor who has a way to go.
typedef struct tr_go_walker {
    uint32_t body;        // in the timeline
    uint32_t size;        // of the ground, with which it may go around
    float radius, height; // [m]
    float margin;         // kept from others [m]
    tr_vec3 position;     // where it is, on the floor
    float heading, speed; // that it faces [rad] and would like to go at [m/s]
    const tr_way *way;    // where it wants to go,
    float along, until;   // from here on it, not beyond there [m]
    uint64_t tick;        // now
    double tick_seconds;
    const struct tr_go_claim *claims; // ground that others have a right to
    uint32_t claim_count;
    const struct tr_go_claim *against; // tr_go_around: ways of others who come the other way
    uint32_t against_count;
    const tr_vec3 *fixed; // tr_go_aside: others that will not make room; passing them is no way out
    uint32_t fixed_count;
    float fixed_apart; // from their middle to the walker's [m]
} tr_go_walker;
// The strip along a way that is to be left free: nobody else comes to rest on it.
typedef struct tr_go_claim {
    const tr_way *way;
    float begin, end; // along it [m]
    float width;      // to both sides, for the other's middle [m]
} tr_go_claim;

#define TR_GO_AROUND_POINTS 32
typedef struct tr_go_around_result {
    tr_vec3 points[TR_GO_AROUND_POINTS]; // from where it is
    uint32_t point_count;
    float rejoins; // where along the way it comes back to it [m]
    float gain;    // time that it saves against waiting, within the sight of the search [s]
    uint32_t expanded;
} tr_go_around_result;
// A way around others that are in the way, back to the walker's own. TR_NOT_FOUND: waiting is as good.
TR_API tr_status tr_go_around(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                              const tr_go_walker *walker, tr_go_around_result *result);

// The nearest place where the walker is out of everybody's claims and of nobody's place; others who stand
// between are passed at a price, because they can be asked to make way as well. TR_NOT_FOUND: there is none
// in sight.
TR_API tr_status tr_go_aside(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                             const tr_go_walker *walker, tr_vec3 *place);
TR_API bool tr_go_is_claimed(const tr_go_claim *claims, uint32_t claim_count, tr_vec3 point);

TR_END_DECLARATIONS
