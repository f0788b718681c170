// stage/stage_trial.h - trials of motions, and their results. Internal to stage*.c.
#pragma once
#include "stage_data.h"

// A motion on trial: the ghost has carried it out.
typedef struct stage_trial {
    stage_commitment commitment;
    tr_vec3 *positions; // the first is the present position of the actor
    uint32_t count;
    bool free;
    uint32_t barred;  // the body that comes out of the stretch that it would enter; TR_NONE
    uint32_t soft;    // the body on whose strip it would rest, if nothing else is against it; TR_NONE
    uint32_t arrives; // it arrives after this many ticks; UINT32_MAX: it does not
    tr_timeline_meeting meeting; // the first meeting, at full pace
    uint32_t line_count;         // number of positions that are walked at full pace
} stage_trial;

// The route of a trial, from where it begins.
typedef struct stage_route {
    float length; // of the part of the route that belongs to the piece [m]
    float more;   // length minus that of the piece: the actor is not exactly at the start of the piece [m]
    float beyond; // length of the way after the piece [m]
    bool slows;   // footsteps follow
    float worth;  // a motion that leaves more than this of the way is useless [m]
    const tr_go_around_result *around; // the route leads around others first; NULL: along the way
} stage_route;

// Puts the ghost where the actor is, on the current piece of its way or on a way around others. false: it
// cannot go there.
bool tr_stage_trial_begin(tr_stage *stage, stage_actor *who, const tr_go_around_result *around,
                          stage_route *route);
// Goes at `limit` for the horizon, slower before footsteps. Returns the number of ticks.
uint32_t tr_stage_trial_go(tr_stage *stage, const stage_route *route, float limit, stage_trial *trial);
// The body that a motion is likely to meet, because an earlier trial did. Zero: none.
typedef struct stage_suspect {
    tr_timeline_track track;
    double square; // of the distance at a tick that certainly is a meeting; 0: unknown
    double closer; // the same for estimated places
    float height;  // the lesser of both heights
} stage_suspect;
stage_suspect tr_stage_suspect(const tr_stage *stage, const stage_actor *who, uint32_t body);
// Does a body at these places, from a tick on, certainly meet the suspect? false: perhaps.
bool tr_stage_meets_suspect(const stage_suspect *suspect, uint64_t tick, const tr_vec3 *positions,
                            uint32_t count);
// A line that a ghost walked, and how the actor changes its speed.
typedef struct stage_line {
    const tr_vec3 *points;
    uint32_t count;
    float share, most; // in one tick: share of the desired change of speed, and the largest change [m/s]
} stage_line;
stage_line tr_stage_line(const stage_actor *who, const tr_vec3 *points, uint32_t count);
// An estimate of where an actor will be after each tick.
typedef struct stage_foreseen {
    tr_vec3 places[TUNE_FORESEEN], rest;
    uint32_t count;
    float way; // distance covered [m]
} stage_foreseen;
// From point `first` on, at that speed: `ticks` ticks at `limit`, then to rest.
void tr_stage_foresee(const stage_line *line, uint32_t first, float speed, float limit, uint32_t ticks,
                      stage_foreseen *seen);
// Is a motion worth a trial? Not if it certainly meets the suspect, or may not come to rest at its end.
// FORESEEN_SHORT: nor is any motion that stops earlier.
typedef enum stage_verdict { FORESEEN_GOOD, FORESEEN_BAD, FORESEEN_SHORT } stage_verdict;
stage_verdict tr_stage_trial_foresee(tr_stage *stage, const stage_actor *who, const stage_route *route,
                                     float limit, uint32_t first, uint32_t ticks,
                                     const stage_suspect *suspect, stage_trial *trial);
// Goes at `limit`, then comes to rest. false: it certainly meets the suspect, and the trial was abandoned.
bool tr_stage_trial_past(tr_stage *stage, const stage_actor *who, const stage_route *route, float limit,
                         const stage_suspect *suspect, stage_trial *trial, uint32_t *gone);
bool tr_stage_goes_level(const stage_actor *who); // the rest of its way is level floor
bool tr_stage_trial_is_free(const tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                            tr_timeline_meeting *meeting);
// May it come to rest there, considering others?
bool tr_stage_may_rest(tr_stage *stage, const stage_actor *who, const stage_route *route, uint32_t gone,
                       stage_trial *trial);
float tr_stage_rest_along(const stage_actor *who); // where along its way it will come to rest [m]
bool tr_stage_is_better(const tr_stage *stage, const stage_actor *who, float to_go);
// The longest motion at this limit that meets no body. The ghost stands at its start.
void tr_stage_trial_limit(tr_stage *stage, stage_actor *who, const stage_route *route, float limit,
                          stage_trial *trial);
// Is the motion refused because the upper body has no motion for it? An actor that stands then looks for
// another way, or its order fails, unless others made the motion as it is (`met`).
bool tr_stage_upper_refuses(tr_stage *stage, stage_actor *who, const stage_trial *trial, bool met);
// Gives the actor the plan of its waist and arms for the motion that it is being committed to.
// false: there is no plan, and the motion is refused.
bool tr_stage_commit_upper(tr_stage *stage, stage_actor *who, const stage_trial *trial, bool may_refuse);
// May it come to rest like this? Otherwise it keeps the commitment that it has.
bool tr_stage_upper_lets_stop(tr_stage *stage, stage_actor *who, const stage_trial *trial);
void tr_stage_commit(tr_stage *stage, stage_actor *who, const stage_route *route, const stage_trial *trial);
// Comes to rest from its present motion, as fast as it can.
void tr_stage_trial_rest(tr_stage *stage, stage_actor *who, stage_trial *trial);
// Rides there. false: it does not stand, or meets a body.
bool tr_stage_trial_ride(tr_stage *stage, stage_actor *who, tr_vec3 to, float seconds, stage_trial *trial);
void tr_stage_commit_stop(tr_stage *stage, stage_actor *who, const stage_trial *trial);
float tr_stage_length(const tr_vec3 *points, uint32_t count); // seen from above [m]
float tr_stage_distance(tr_vec3 a, tr_vec3 b, tr_vec3 point); // of a point from a line, seen from above

// The speed that others ahead leave to an actor which walks behind them; at most the one that it wishes for.
float tr_stage_headway(const tr_stage *stage, const stage_actor *who);
// An actor that walks at `speed` because of others ahead moves over to where there is more room.
bool tr_stage_move_over(tr_stage *stage, stage_actor *who, float speed);

// Ways around others. Finds a way around them for stage->around; then takes it if it leaves less than `best`
// of the way (`tried`, which may be NULL, gets the trial).
bool tr_stage_find_around(tr_stage *stage, stage_actor *who);
bool tr_stage_go_around(tr_stage *stage, stage_actor *who, float best, stage_trial *tried);
// The same at another speed.
bool tr_stage_go_around_at(tr_stage *stage, stage_actor *who, float limit, float best, stage_trial *tried);
// Does its way lead through a place, not far ahead, where two actors cannot pass?
bool tr_stage_comes_to_narrow(const stage_actor *who);
// Does another actor go the same way, ahead of this one?
bool tr_stage_queues_behind(const tr_stage *stage, const stage_actor *who, uint32_t body);
// An actor that sets out again goes straight to the farthest visible point of its way.
void tr_stage_straighten(tr_stage *stage, stage_actor *who);
// An actor on a way around others that have moved on goes straight back to a visible point of its way farther
// ahead.
bool tr_stage_shorten(tr_stage *stage, stage_actor *who);
// The widest size that there is room for at a place, and whether an actor of that size can walk straight from
// one place to another: free ground may lead over steps, and a walking actor stays at the height of its level
// stretch. The farthest place along its way, within `most` [m], that it can walk straight to.
uint32_t tr_stage_size_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at);
bool tr_stage_may_walk(const tr_stage *stage, const stage_actor *who, uint32_t size, tr_vec3 from,
                       tr_vec3 to);
float tr_stage_see_ahead(const tr_stage *stage, const stage_actor *who, tr_vec3 at, float most);
// Turns to where the way leads on, or takes a step to the side between others, and goes on. If nothing helps,
// `meeting` becomes that of the step that gets farthest: with the body that it really waits for.
bool tr_stage_edge_past(tr_stage *stage, stage_actor *who, float left, tr_timeline_meeting *meeting);
bool tr_stage_pass_by(tr_stage *stage, stage_actor *who);
