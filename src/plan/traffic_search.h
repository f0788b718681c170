// The search of tr_traffic_find, and the lines it works with. Internal to plan/.
#pragma once
#include "traffic_data.h"

// One call of tr_traffic_find.
typedef struct traffic_quest {
    tr_traffic *traffic;
    tr_climb *climb;
    const tr_traffic_params *params;
    float radius, height; // of the body, margin included
    tr_climb_place start, goal;
    tr_vec3 start_position, goal_position;
    climb_spot start_spot, goal_spot;
    uint32_t stride;                // cells of a move
    bool border_is_open;            // else border cells are entered near the ends only:
    uint32_t near_start, near_goal; // so many cells around them
    bool has_links;
    uint32_t found, nearest; // nodes; TR_NONE
    uint32_t blocked_by;     // track
    double blocked_left;     // how far from the goal that was
    uint64_t expanded, clock_begin;
    uint32_t
        special_count; // cells that a move may lead to wherever they are: the goal, and where links begin
    tr_climb_place specials[1 + 2 * TR_CLIMB_LINKS_MAX];
} traffic_quest;

#define TR_TRAFFIC_NEVER INFINITY

// Take the memory for a search with so many nodes, where it is not there yet.
bool tr_traffic_search_reserve(tr_traffic *traffic, uint32_t nodes_max);
void tr_traffic_search_release(tr_traffic *traffic);

// A* over stays: quest->found is the stay at the goal that lasts for ever. TR_OK, TR_NOT_FOUND, TR_PARTIAL.
tr_status tr_traffic_search_run(traffic_quest *quest);

tr_vec3 tr_traffic_position(const traffic_quest *quest, const tr_climb_place *place);
climb_spot tr_traffic_spot(const traffic_quest *quest, const tr_climb_place *place);
// How long somebody walks straight from one place to another [s].
double tr_traffic_time(const traffic_quest *quest, tr_vec3 from, tr_vec3 to);
// May it be entered, as far as the border is concerned?
bool tr_traffic_may_enter(const traffic_quest *quest, uint32_t cell, uint32_t column, uint32_t row);
void tr_traffic_note_block(traffic_quest *quest, uint32_t track, double left);

// traffic_line.c. Walk straight from one bend to another, over the ground, from `depart` on. The piece of
// traffic that is met, TR_NONE for none; `arrive` gets the time at the end, or the departure that lets that
// piece pass.
uint32_t tr_traffic_walk_leg(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b,
                             double depart, double *arrive);
// How long that takes, and in how many pieces: more than one where the ground leaves the straight line.
double tr_traffic_leg_time(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b,
                           uint32_t *pieces);

// And quest->traffic->bends.
// Bends from the line that tr_climb_straighten pulled, walked without waiting. false: it meets somebody, or
// is too long.
bool tr_traffic_line_plain(traffic_quest *quest, const tr_climb_point *points, uint32_t count);
// Bends from the nodes that lead to `end`. false: too many.
bool tr_traffic_line_nodes(traffic_quest *quest, uint32_t end);
// Leave out bends where the way without them is free in space and time, and not slower.
void tr_traffic_line_straighten(traffic_quest *quest);
// As points with times; false: more than `max`.
bool tr_traffic_line_points(const traffic_quest *quest, tr_traffic_point *points, uint32_t max,
                            uint32_t *count);
