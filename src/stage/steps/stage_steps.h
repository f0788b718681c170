// stage/steps/stage_steps.h - the next few steps of an actor over the triangles of the scene. Internal to
// stage/.
//
//   stage_window.c  plans them: the ground under a course, the footsteps on it, or why there are none
//   stage_floor.c   heights of the triangles, for swinging feet
//   stage_drag.c    actors that are dragged
#pragma once
#include "troupe/plan/footstep_window.h"
#include "troupe/world/profile.h"

struct stage_actor;
struct tr_stage;

#define STAGE_COURSE 96 // points of a course

// Where the feet are to go: a line that begins behind them.
typedef struct stage_course {
    tr_vec2 points[STAGE_COURSE];
    uint32_t count;
    float facing; // 1: forwards along the course; -1: backwards
    float turn;   // as in tr_footstep_window_query
    tr_footstep_window_kind kind;
    float heading; // of the body at its beginning [rad]
} stage_course;
// A course on the spot, for a body that faces `heading` and turns by `turn` [rad].
stage_course tr_stage_course_around(tr_vec2 middle, float heading, float turn);

// What one stage needs to plan windows; all of its actors use it, one after the other.
typedef struct stage_steps {
    tr_profile *lane, *yard; // a strip for steps ahead, and a wider one for all others
    tr_profile *profile;     // the one in use
    tr_footstep_window *window;
    tr_footstep_window_plan plan;
    // The last step of each reason that was examined and found impossible.
    tr_stride refused[TR_STRIDE_REASONS];
    uint32_t refused_count[TR_STRIDE_REASONS];
    tr_stride_body body;   // of the actor whose window is planned
    const tr_solid *solid; // the obstacles for its legs
    const struct tr_stage *stage;
    uint32_t actor;          // its id
    bool shows;              // steps that are examined are shown to who watches
    tr_stride_reason reason; // why there are no more steps in the last window; TR_STRIDE_FINE: there are
    char text[128];          // the same as a sentence
} stage_steps;

// Allocates what windows need, and the obstacles for limbs, once.
tr_status tr_stage_open_steps(struct tr_stage *stage, tr_error *error);
void tr_stage_close_steps(struct tr_stage *stage);
// The middle between the ankles of feet that stand there, seen from above.
tr_vec2 tr_stage_between_ankles(const struct stage_actor *who, const tr_footstep feet[2]);
// Plans the next steps along a course, from where the feet will be when the step in progress has ended, and
// writes them to stage->footsteps. Returns their number; if it is less than that of a whole window, `reason`
// and `text` of stage->steps tell why. Allocates nothing.
uint32_t tr_stage_plan_window(struct tr_stage *stage, const struct stage_actor *who,
                              const stage_course *course);
// Where the feet are after steps; `feet` is where they were.
void tr_stage_stand_after(const tr_footstep *footsteps, uint32_t count, tr_footstep feet[2]);
// Is there a whole window of steps along a course for a body that stands there? stage->footsteps stay.
bool tr_stage_has_window(struct tr_stage *stage, const struct stage_actor *who, const tr_footstep feet[2],
                         const stage_course *course);
// The highest point of all triangles in a small square around a point of a swing, near its height; NAN:
// nothing. `actor` is a stage_actor.
float tr_stage_triangle_near(void *actor, tr_vec3 point);

// An actor that is dragged: does it do what its order asks?
bool tr_stage_is_dragged(const struct stage_actor *who);
void tr_stage_pace_drag(struct tr_stage *stage, struct stage_actor *who);
