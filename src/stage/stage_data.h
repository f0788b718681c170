// stage/stage_data.h - a stage while it plays. Internal to stage*.c.
//
//   stage.c         making it, actors, orders, the tick
//   stage_plan.c    maps of the ground and the ways over them
//   stage_storeys.c the same over stairs and storeys
//   stage_legs.c    such a way in pieces: level ones, footprints, lifts
//   stage_ground.c  what lies flat on the floor, for feet
//   stage_avoid.c   looking ahead along the ways of the others
//   stage_reach*.c  arms
//   stage_record.c  what was played, as clips
#pragma once
#include "stage_reach.h"
#include "troupe/plan/route.h"
#include "troupe/plan/straight.h"
#include "troupe/plan/traffic.h"
#include "troupe/stage/stage.h"
#include "troupe/world/footprint.h"

#define STAGE_ROUTE_POINTS 256
#define STAGE_PLANS 256
#define STAGE_NARROW 0.5f        // of its radius is what an actor needs sideways
#define STAGE_MISS 0.15f         // further from its goal an actor has not arrived [m]
#define STAGE_PLACE_PATIENCE 3.0 // how long it waits for somebody who stands there [s]
#define STAGE_CORRIDOR 0.05f     // how far an actor may get from its way; its map is grown by as much [m]
#define STAGE_SIGHT 6            // in steps a second: how finely the future is looked at

// The map of everybody who has the same radius and height.
typedef struct stage_map {
    float radius, height;
    tr_footprint *footprint;
} stage_map;

// Everybody of the same radius and height, and with the same legs, climbs alike.
typedef struct stage_climber {
    float radius, height;
    float legs; // height of the character whose they are: no step is planned that its footprints refuse [m]
    tr_climb *climb;
} stage_climber;

// What a stage with storeys has instead of maps.
typedef struct stage_storeys {
    tr_surface *surface;
    tr_link *links;
    uint32_t link_count;
    stage_climber *climbers;
    uint32_t climber_count, climber_capacity;
    tr_traffic *traffic; // those whom the one that plans has to mind
    tr_tread_scratch *scratch;
    tr_tread treads[TR_ACTOR_TREADS_MAX];
    tr_climb_point line[STAGE_ROUTE_POINTS];
    tr_traffic_point timed[STAGE_ROUTE_POINTS];
} stage_storeys;

typedef enum stage_leg_kind {
    STAGE_LEG_WALK, // level: as on any other stage
    STAGE_LEG_STEP, // by footprints
    STAGE_LEG_RIDE  // stands and is carried
} stage_leg_kind;

// A piece of a way: points `first` to `first` + `count` - 1, of which the last is the first of the next.
typedef struct stage_leg {
    stage_leg_kind kind;
    uint32_t first, count;
    float begin, end; // along the way [m]
} stage_leg;
#define STAGE_LEGS 128

// A way through storeys.
typedef struct stage_ascent {
    tr_vec3 points[STAGE_ROUTE_POINTS];
    double times[STAGE_ROUTE_POINTS]; // when to be there; not before
    uint32_t point_count;
    stage_leg legs[STAGE_LEGS];
    uint32_t leg_count, leg; // leg: the one under way
    bool timed;              // others were in the way: times are to be kept
    tr_vec3 goal;
    double ride_time; // of a ride so far [s]
} stage_ascent;

typedef struct stage_order {
    tr_order order;
    tr_order_state state;
    const char *reason;
    double begin, end;
    bool beside; // it came to rest beside the goal
    tr_order_reach reach;
} stage_order;

typedef struct stage_actor {
    tr_actor *actor;
    char *name;
    size_t name_size;
    uint32_t map, scratch; // which of the stage's
    uint32_t narrow_map;   // for side-steps: where it fits through sideways
    uint32_t climber;      // with storeys, instead of these
    const tr_stage *stage; // whose floor it asks for
    float level;           // with storeys: the floor of its level stretch [m]
    stage_ascent *ascent;  // and its way; NULL without
    stage_reach *reach;    // its arms; NULL until it is told to reach
    float radius, speed;
    stage_order *orders;
    uint32_t order_count, order_capacity, current; // current: the order under way or next
    double wait_until;
    // The way at present.
    tr_vec2 points[STAGE_ROUTE_POINTS];
    uint32_t point_count;
    uint8_t sideways[STAGE_ROUTE_POINTS]; // tr_passage of the piece that begins at each point
    bool narrow;                          // some are
    tr_vec2 goal;                         // the order's, brought to free ground
    bool walking;                         // has a way to go
    bool replan;                          // the world or somebody made the way doubtful
    double planned;                       // when it was planned last [s]
    // Others.
    float limit;         // of speed, decided in this tick [m/s]
    uint32_t blocker;    // who makes it go slower, TR_NONE for nobody
    double waits_since;  // when it came to stand for others; INFINITY: it does not
    double held_since;   // when it first waited before stairs; INFINITY: it does not
    double slow_since;   // when others made it go slower; INFINITY: they do not
    double misses_since; // when it first ended beside its goal, because somebody stood there
    bool makes_way;      // is on its way out of somebody's way, or stays there
    uint32_t way_for;    // whose
    double way_since;    // and since when [s]
    double asked;        // when it was last asked to [s]
    bool around;         // the way was planned with others in mind who may be gone by now
    tr_vec2 *future;     // where it will be, step by step
    tr_status stepped;   // what tr_actor_step said
    // What came of it.
    float plan_us[STAGE_PLANS]; // how long the last plans took, in a ring
    uint32_t plan_count;
    float nearest;
    double waited;
    tr_transform *frames; // of all joints, frame after frame, roots in the world
    uint8_t *contacts;
    tr_vec3 *trace;
    uint32_t frame_count, frame_capacity, contact_capacity, trace_capacity;
} stage_actor;

struct tr_stage {
    tr_stage_def def;
    tr_allocator allocator;
    tr_grid grid;
    tr_raster *raster;
    stage_storeys *storeys; // NULL: level ground, and the maps are used
    stage_map *maps;
    uint32_t map_count, map_capacity;
    tr_footprint *ground;  // with the heights of what lies on the floor; NULL until there is an actor
    bool ground_is_uneven; // something does or did
    tr_bitmap blocked;     // for the actor that plans: obstacles and those who stand
    uint8_t *weights;
    tr_route_map route_map;
    tr_route *route;
    tr_solid *solid;    // what arms run into; NULL until somebody is told to reach
    bool solid_changed; // something moved in this tick
    bool reaching;      // somebody is
    tr_polish *polish;  // with the solid; NULL before the first order to reach
    stage_planner *planners;
    uint32_t planner_count, planner_capacity;
    stage_actor **actors;
    uint32_t actor_count, actor_capacity;
    uint64_t tick;
    uint32_t future_steps, steps_between; // of the look ahead; ticks from one of them to the next
    tr_vec2 *trial;                       // a future that is tried
    // For each number of joints, one for each member of the team.
    struct stage_scratch {
        uint32_t joints;
        tr_actor_scratch *members;
    } * scratches;
    uint32_t scratch_count, scratch_capacity, member_count;
};

// The ground. TR_NOT_FOUND: there is no way.
tr_status tr_stage_map_for(tr_stage *stage, float radius, float height, uint32_t *map, tr_error *error);
tr_status tr_stage_update_maps(tr_stage *stage, tr_error *error);
// A way for the actor to `goal`, around those who stand and, where it costs little, the futures of those
// before it; it becomes the actor's way.
tr_status tr_stage_plan(tr_stage *stage, uint32_t actor, tr_vec2 goal, tr_error *error);
// A way to come back to: what of it is done is left out, what is stepped sideways is kept.
typedef struct stage_way {
    tr_vec2 points[STAGE_ROUTE_POINTS], goal;
    uint8_t sideways[STAGE_ROUTE_POINTS];
    bool narrow;
    uint32_t point_count;
    float progress; // how much of it is done [m]
} stage_way;
void tr_stage_keep_way(const stage_actor *actor, stage_way *way);
void tr_stage_resume_way(stage_actor *actor, const stage_way *way);
// Is what is left of the actor's way still free of obstacles?
bool tr_stage_way_is_free(tr_stage *stage, const stage_actor *actor);
// The nearest free place that is out of the way of `other`, for one who is in it.
bool tr_stage_find_lay_by(tr_stage *stage, uint32_t actor, uint32_t other, tr_vec2 *place);

// What feet step onto: made before the first actor comes, brought up to date with the maps.
tr_status tr_stage_prepare_ground(tr_stage *stage, tr_error *error);
tr_status tr_stage_update_ground(tr_stage *stage, tr_error *error);
float tr_stage_rise(void *stage, tr_vec2 point); // for tr_actor_def

// With storeys. A place to stand for an actor of this climber: the surface below or nearest to `level`.
tr_status tr_stage_open_storeys(tr_stage *stage, tr_error *error);
void tr_stage_close_storeys(tr_stage *stage);
tr_status tr_stage_update_storeys(tr_stage *stage, tr_error *error);
tr_status tr_stage_climber_for(tr_stage *stage, float radius, float height, float legs, uint32_t *climber,
                               tr_error *error);
bool tr_stage_find_floor(const tr_stage *stage, uint32_t climber, tr_vec2 point, bool has_level, float level,
                         float *floor);
bool tr_stage_find_lay_by_on_floor(tr_stage *stage, uint32_t actor, uint32_t other, tr_vec2 *place);
tr_status tr_stage_climb(tr_stage *stage, uint32_t actor, tr_vec3 goal, tr_error *error);
float tr_stage_rise_on_level(void *actor, tr_vec2 point); // for tr_actor_def
float tr_stage_floor_near(void *actor, tr_vec3 point);    // for tr_stepping_params
// The height of the surface nearest to `height`, within `rise` of it; NAN when there is none.
float tr_stage_height_near(const tr_surface *surface, tr_vec2 point, float height, float rise);
// Cut the way of `ascent` into legs. TR_LIMIT: too many of them, or of points.
tr_status tr_stage_cut_legs(const tr_surface *surface, float rise, stage_ascent *ascent, tr_error *error);
tr_status tr_stage_begin_leg(tr_stage *stage, uint32_t actor, tr_error *error);
// How fast to go on a leg: slower where footprints follow, and not ahead of the times of the way.
float tr_stage_leg_pace(const tr_stage *stage, const stage_actor *who);
// Every tick, before the actors are stepped: the next leg where one ends. A reason why it cannot go on, or
// NULL.
const char *tr_stage_guide(tr_stage *stage, uint32_t actor);
// After an actor has come to the end of a leg: is there more to go? Then that was begun, or `reason` says why
// not.
bool tr_stage_goes_on(tr_stage *stage, uint32_t actor, const char **reason);
// Not on stairs, where feet are bound to their footprints, but when they have waited there; nor in a lift.
bool tr_stage_may_climb_anew(const tr_stage *stage, const stage_actor *who);
// Has it stood for others for a while? Those may be waiting for it.
bool tr_stage_is_stuck(const tr_stage *stage, const stage_actor *who);
// Neither on footprints nor in a lift.
bool tr_stage_walks_level(const stage_actor *who);
// Will it meet somebody on what is left of its way, if all go on as they mean to?
bool tr_stage_way_meets(tr_stage *stage, uint32_t actor);
bool tr_stage_same_floor(const stage_actor *a, const stage_actor *b);

// Decide on the speed of everybody, in order; plans anew where that helps.
void tr_stage_avoid(tr_stage *stage);
bool tr_stage_stands(const stage_actor *actor);
float tr_stage_gap(const stage_actor *a, const stage_actor *b); // from disc to disc [m]

tr_status tr_stage_record(tr_stage *stage, tr_error *error);
void tr_stage_forget(tr_stage *stage, stage_actor *actor); // frees what was recorded
