// stage/stage_trial.h - motions that are tried, and what becomes of them. Internal to stage*.c.
#pragma once
#include "stage_data.h"

// A motion that is tried: the ghost has gone it.
typedef struct stage_trial {
    stage_commitment commitment;
    tr_vec3 *positions; // the first is where the actor is now
    uint32_t count;
    bool free;
    uint32_t barred;  // who comes out of where it would go; TR_NONE
    uint32_t soft;    // whose strip it would rest on, where nothing else speaks against it; TR_NONE
    uint32_t arrives; // after so many ticks it comes to its end; UINT32_MAX: it does not
    tr_timeline_meeting meeting; // the first, at full pace
    uint32_t line_count;         // of the positions: a line that is walked at full pace
} stage_trial;

// What is tried, from where it begins.
typedef struct stage_route {
    float length; // of the part of the route that belongs to the piece [m]
    float more;   // length minus that of the piece: the actor is not exactly where that begins [m]
    float beyond; // length of the way behind the piece [m]
    bool slows;   // footsteps follow
    float worth;  // a motion that leaves more than this of the way is of no use [m]
    const tr_go_around_result *around; // it leads around others first; NULL: along the way
} stage_route;

// A ghost on the present piece of its way, or around others, where the actor is. false: it cannot go there.
bool tr_stage_trial_begin(tr_stage *stage, stage_actor *who, const tr_go_around_result *around,
                          stage_route *route);
// Go at `limit` for as long as the horizon, slower before footsteps. Gives the ticks gone.
uint32_t tr_stage_trial_go(tr_stage *stage, const stage_route *route, float limit, stage_trial *trial);
// Whom a motion is likely to meet: another one, tried before, did. Zero: nobody.
typedef struct stage_suspect {
    tr_timeline_track track;
    double square; // of the distance, at a tick, that is surely a meeting; 0: not to be told
    double closer; // the same for places that are only foreseen
    float height;  // the lesser of both
} stage_suspect;
stage_suspect tr_stage_suspect(const tr_stage *stage, const stage_actor *who, uint32_t body);
// Does whoever is at these places, from a tick on, surely meet it? false: perhaps.
bool tr_stage_meets_suspect(const stage_suspect *suspect, uint64_t tick, const tr_vec3 *positions,
                            uint32_t count);
// A line that a ghost walked, and how its actor changes its speed.
typedef struct stage_line {
    const tr_vec3 *points;
    uint32_t count;
    float share, most; // of the change of speed that is wanted, in a tick, and at most [m/s]
} stage_line;
stage_line tr_stage_line(const stage_actor *who, const tr_vec3 *points, uint32_t count);
// About where somebody will be after each tick.
typedef struct stage_foreseen {
    tr_vec3 places[TUNE_FORESEEN], rest;
    uint32_t count;
    float way; // that it goes [m]
} stage_foreseen;
// From one of the points on, at that speed: so many ticks at `limit`, then to rest.
void tr_stage_foresee(const stage_line *line, uint32_t first, float speed, float limit, uint32_t ticks,
                      stage_foreseen *seen);
// Is it of use to try a motion? Not if it surely meets the suspect, or may not come to rest where it would.
// Short: nor is one that stops earlier.
typedef enum stage_verdict { FORESEEN_GOOD, FORESEEN_BAD, FORESEEN_SHORT } stage_verdict;
stage_verdict tr_stage_trial_foresee(tr_stage *stage, const stage_actor *who, const stage_route *route,
                                     float limit, uint32_t first, uint32_t ticks,
                                     const stage_suspect *suspect, stage_trial *trial);
// Go at `limit`, then to rest. false: it surely meets the suspect, and was given up.
bool tr_stage_trial_past(tr_stage *stage, const stage_actor *who, const stage_route *route, float limit,
                         const stage_suspect *suspect, stage_trial *trial, uint32_t *gone);
bool tr_stage_goes_level(const stage_actor *who); // nothing but level floor is left of its way
bool tr_stage_trial_is_free(const tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                            tr_timeline_meeting *meeting);
// May it come to rest there, for the sake of others?
bool tr_stage_may_rest(tr_stage *stage, const stage_actor *who, const stage_route *route, uint32_t gone,
                       stage_trial *trial);
float tr_stage_rest_along(const stage_actor *who); // its way, where it is committed to come to rest [m]
bool tr_stage_is_better(const tr_stage *stage, const stage_actor *who, float to_go);
// The furthest motion at this limit that meets nobody. The ghost stands at its begin.
void tr_stage_trial_limit(tr_stage *stage, stage_actor *who, const stage_route *route, float limit,
                          stage_trial *trial);
void tr_stage_commit(tr_stage *stage, stage_actor *who, const stage_route *route, const stage_trial *trial);
// Come to rest from where it is, as fast as it can; and take that over.
void tr_stage_trial_rest(tr_stage *stage, stage_actor *who, stage_trial *trial);
// Be carried there. false: it does not stand, or meets somebody.
bool tr_stage_trial_ride(tr_stage *stage, stage_actor *who, tr_vec3 to, float seconds, stage_trial *trial);
void tr_stage_commit_stop(tr_stage *stage, stage_actor *who, const stage_trial *trial);
float tr_stage_length(const tr_vec3 *points, uint32_t count); // seen from above [m]
float tr_stage_distance(tr_vec3 a, tr_vec3 b, tr_vec3 point); // of a point from a line, too

// Around others. A way around them into stage->around; then onto it, if it is better than what is still to go
// otherwise (`tried`, may be NULL, gets what was tried).
bool tr_stage_find_around(tr_stage *stage, stage_actor *who);
bool tr_stage_go_around(tr_stage *stage, stage_actor *who, float best, stage_trial *tried);
// Does somebody go where this one goes, and before it?
bool tr_stage_queues_behind(const tr_stage *stage, const stage_actor *who, uint32_t body);
// Whoever sets out again goes straight to what it sees of its way.
void tr_stage_straighten(tr_stage *stage, stage_actor *who);
// Whoever goes around others who have gone on leaves that way for what it sees of it further on.
bool tr_stage_shorten(tr_stage *stage, stage_actor *who);
// The widest size that there is room for at a place, and whether an actor of that size can walk straight from
// one to another: ground that is free may lead over steps, and whoever walks stays at the height of its level
// stretch. The furthest place along its way, within `most` [m], that it can walk straight to.
uint32_t tr_stage_size_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at);
bool tr_stage_may_walk(const tr_stage *stage, const stage_actor *who, uint32_t size, tr_vec3 from,
                       tr_vec3 to);
float tr_stage_see_ahead(const tr_stage *stage, const stage_actor *who, tr_vec3 at, float most);
// Turn to where the way leads on, or take a step to a side between others, and on. Where nothing helps,
// `meeting` becomes that of the step that gets furthest: whom it really waits for.
bool tr_stage_edge_past(tr_stage *stage, stage_actor *who, float left, tr_timeline_meeting *meeting);
bool tr_stage_pass_by(tr_stage *stage, stage_actor *who);
