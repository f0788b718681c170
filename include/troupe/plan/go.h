// troupe/plan/go.h - plans how a body gets to its goal: over the ground, around others, and out of their way.
//
// The stage and `troupe route` use this planner with the same settings. It first finds a path. A walker then
// follows the path and checks it against the timeline. Only if the walker loses time does it ask for a way
// around others. That is a search in space and time, over safe intervals, in a small window.
#pragma once
#include "troupe/plan/way.h"
#include "troupe/world/timeline.h"

TR_BEGIN_DECLARATIONS

// The memory of one planner. Use one for each thread.
typedef struct tr_go tr_go;
TR_API tr_status tr_go_create(const tr_allocator *allocator, tr_go **go, tr_error *error);
TR_API void tr_go_destroy(tr_go *go); // NULL is allowed
// Reserves memory for tr_go_find with this node_max, as tr_path_reserve does.
TR_API tr_status tr_go_reserve(tr_go *go, const tr_ground *ground, uint32_t node_max, tr_error *error);

// The room that a walker needs on the ground. Its controller may stray from its way by TR_GO_CORRIDOR, so its
// size on the ground is larger than its radius by that distance. With its shoulders turned, and sideways, it
// needs less than its radius.
#define TR_GO_CORRIDOR 0.05f // [m]
typedef struct tr_go_body {
    float stature; // height of the person; sets how far and how high it steps [m, > 0]
    float height;  // head room [m]; 0: 1.02 of its stature
    float radius;  // of its disc [m]; 0: 0.3
    float depth;   // how far it reaches ahead and behind while it stands: with its shoulders turned, and
                   // sideways, it needs this room at least [m]; 0: what people of this radius need
    float bent;    // head room that it needs while it bends [m]; 0: it does not bend
} tr_go_body;
// Adds the sizes of the ground for a walker in each tr_way_room, unless they exist. Nearly equal bodies share
// sizes. The legs of a shared size are no longer than those of the body, and its head and shoulders no
// smaller. A body that does not bend gets TR_NONE for TR_WAY_BENT.
TR_API tr_status tr_go_add_sizes(tr_ground *ground, const tr_go_body *body, uint32_t sizes[TR_WAY_ROOMS],
                                 tr_error *error);

#define TR_GO_MERGE 0.35f // tangent at which an actor goes to its lane if nobody comes the other way

// Start from tr_go_query_default(), the settings of the stage's actors.
typedef struct tr_go_query {
    uint32_t
        sizes[TR_WAY_ROOMS]; // of the ground, for each tr_way_room; TR_NONE: the body never walks like this
    tr_vec3 start;
    const tr_vec3 *goals;
    uint32_t goal_count; // [1, TR_PATH_GOALS_MAX]
    float speed;         // on level ground, for the times of the way [m/s, > 0], 1.3
    float up, down;      // as in tr_path_params, 4 and 1
    float rise, reach;   // likewise, 0.5 and 2
    bool stands;         // likewise, false
    float detour;        // how much longer an open way may be than one through narrow places [m], 3
    uint32_t links;      // kinds that may be used, all but ladders
    float lane;          // how much to keep to the right in corridors [0, 1], 1; 0: the shortest way
    float merge; // tangent at which a way that begins or ends in a corridor goes to its lane [> 0], 0.35
    bool passes; // the way goes on from its goal: in a corridor it may end beside it, in its lane, false
    float bend;  // how gently to turn, where there is room beside the way [m], 1; 0: the shortest way
    tr_search_budget budget;
    uint32_t node_max; // as in tr_path_params
} tr_go_query;
TR_API tr_go_query tr_go_query_default(uint32_t size);

typedef struct tr_go_result {
    double length, cost; // [m]
    uint32_t goal;       // index of the goal that is reached
    bool start_moved, goal_moved;
    tr_ground_place start, end;
    tr_search_counters counters; // of all searches together
} tr_go_result;
// Returns whether the way is much longer than the straight line: a narrow place may offer a shorter one.
TR_API bool tr_go_is_detour(const tr_go_query *query, const tr_go_result *result);
// Finds the way to the goal that is cheapest to reach. TR_OK; TR_NOT_FOUND: the error says why; TR_PARTIAL:
// the budget ran out, and the way leads closer to a goal; TR_LIMIT, TR_INVALID; TR_OUT_OF_MEMORY: the call
// may be repeated. `result` may be NULL.
TR_API tr_status tr_go_find(tr_go *go, const tr_ground *ground, const tr_go_query *query, tr_way *way,
                            tr_go_result *result, tr_error *error);

#define TR_GO_BEND 1.0f // of the stage's actors [m]
// Computes an arc that replaces corners of a way, so that a walker need not stop to turn there. The arc
// passes outside the corners. It has the greatest radius, up to `radius` [m], for which there is room. `line`
// is the point before the corners, the corners, which turn the same way, and the point behind them: at least
// 3 points on one level floor. Returns the number of points of the arc. 0: there is no such arc, and the
// corners stay.
#define TR_GO_BEND_POINTS 10
TR_API uint32_t tr_go_bend(const tr_ground *ground, uint32_t size, float radius, const tr_vec3 *line,
                           uint32_t count, tr_vec3 points[TR_GO_BEND_POINTS]);

// --- In time ---

// A disc that follows a way among others whose motions are known, and yields to all of them.
typedef struct tr_go_disc {
    float radius, height; // [m]
    float margin;         // kept from others [m, >= 0]
    uint64_t begin;       // tick at which it sets out [now or later]
    double tick_seconds;  // of the timeline
    double wait_max;      // maximum total waiting time [s]
    bool around;          // it may leave its way if that is quicker than waiting
} tr_go_disc;
typedef struct tr_go_pace_result {
    uint32_t ticks;        // from start to goal
    double waits;          // time spent waiting [s]
    uint32_t arounds;      // number of times that it leaves its way
    uint32_t body, object; // TR_NOT_FOUND: the obstacle closest to its goal; TR_NONE: neither
} tr_go_pace_result;
// Times a way of tr_go_find so that the disc meets no body of the timeline, neither on the way nor at the
// goal afterwards, and arrives at the earliest possible tick. A wait is two points at one place. If the disc
// has to wait and `around` is set, ways around others (tr_go_around) are tried, and taken if they are
// quicker. Commit the positions at whole ticks (tr_way_at_time), so that later discs avoid them. The first
// call allocates. TR_NOT_FOUND: an obstacle is in the way for too long; the way is unchanged. TR_LIMIT: the
// motion takes more than TR_TIMELINE_TICKS_MAX ticks, or the way has no room for the points.
TR_API tr_status tr_go_pace(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                            const tr_go_query *query, const tr_go_disc *disc, tr_way *way,
                            tr_go_pace_result *result, tr_error *error);

// --- Among others ---

// A walker on a level floor that follows a way.
typedef struct tr_go_walker {
    uint32_t body;        // in the timeline
    uint32_t size;        // of the ground, for going around others
    float radius, height; // [m]
    float margin;         // kept from others [m]
    tr_vec3 position;     // where it is, on the floor
    float heading, speed; // current heading [rad] and desired speed [m/s]
    bool rests;           // it stands and may stay: the other bodies of the timeline avoid its place
    const tr_way *way;    // the way that it follows
    float along, until;   // the part of the way: from `along` to at most `until` [m]
    uint64_t tick;        // current tick
    double tick_seconds;
    const struct tr_go_claim *claims; // ground that is reserved for others
    uint32_t claim_count;
    const tr_vec3 *fixed; // tr_go_aside: centres of others that do not make room and cannot be passed
    uint32_t fixed_count;
    float fixed_apart; // least distance from their centres to the walker's [m]
} tr_go_walker;
// A strip along a way that is kept free: no other actor comes to rest on it.
typedef struct tr_go_claim {
    const tr_way *way;
    float begin, end; // along it [m]
    float width;      // to both sides, for the centre of another actor [m]
} tr_go_claim;

#define TR_GO_AROUND_POINTS 32
typedef struct tr_go_around_result {
    tr_vec3 points[TR_GO_AROUND_POINTS]; // from the walker's position
    uint32_t point_count;
    float rejoins; // where the walker returns to its way [m]
    float gain;    // time saved compared with waiting, within the window of the search [s]
    uint32_t expanded;
} tr_go_around_result;
// Finds a way around others, back to the walker's own way, over the level floor that the walker is on.
// TR_NOT_FOUND: no way is quicker than waiting.
TR_API tr_status tr_go_around(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                              const tr_go_walker *walker, tr_go_around_result *result);

// Finds the nearest place that is neither claimed nor occupied. Passing others that stand in between adds a
// cost, because they can be asked to make room as well. TR_NOT_FOUND: there is no such place in the window.
TR_API tr_status tr_go_aside(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                             const tr_go_walker *walker, tr_vec3 *place);
TR_API bool tr_go_is_claimed(const tr_go_claim *claims, uint32_t claim_count, tr_vec3 point);

TR_END_DECLARATIONS
