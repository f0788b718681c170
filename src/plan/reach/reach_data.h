// Shared by the files of reach. Internal.
#pragma once
#include "reach_near.h"
#include "troupe/base/random.h"
#include "troupe/plan/reach.h"

#define REACH_SWIVELS_MAX 128
#define REACH_GOALS_MAX 48 // free postures at the goal that are kept
#define REACH_CANDIDATES_MAX 768
#define REACH_KNOTS_MAX 192  // of a path
#define REACH_WAY_MAX 187    // knots that a search finds: its ends and a way out of an obstacle are added
#define REACH_CELLS_MAX 4096 // nodes of the search through cells
#define REACH_ARMS_MAX 512   // of these nodes, those that differ in more than the hand
#define REACH_ARM_SLOTS 1024u
#define REACH_QUEUE_MAX 4096     // stretches of one edge that wait to be certified
#define REACH_EDGE_MAX 512       // stretches of one edge at most; more are needed only close to obstacles
#define REACH_TABLE_SIZE 8192u   // a power of two, twice the cells
#define REACH_LEAST_MARGIN 2e-5f // [m]
#define REACH_BODY_LANES 16      // TR_REACH_BODIES_MAX, rounded up to whole groups of four

// The parts that have to be certified, as bits.
#define REACH_UPPER 1u
#define REACH_FOREARM 2u
#define REACH_HAND 4u
#define REACH_SELF 8u   // upper arm against hand
#define REACH_TRUNK 16u // parts of the trunk against the scene
#define REACH_PARTS 5
#define REACH_ALL 31u
#define REACH_TOUCHES UINT32_MAX

// Capsules of the body in the world, four lanes in a row.
typedef struct reach_lanes {
    float start[3][REACH_BODY_LANES], along[3][REACH_BODY_LANES];
    float square[REACH_BODY_LANES]; // of the length of `along`
    float radius[REACH_BODY_LANES];
    int32_t tested[TR_ARM_LINKS][REACH_BODY_LANES]; // -1: tested against this link
} reach_lanes;

typedef struct reach_goal {
    tr_posture posture;
    float cost;
    float swivel;
    tr_posture tail; // where the path ends: `posture` itself, or beyond it where there is little room
    bool has_tail;
} reach_goal;

// A swivel at which upper arm and forearm are free at the goal.
typedef struct reach_swivel {
    float swivel;
    uint32_t branch;
    tr_posture posture;
} reach_swivel;

typedef struct reach_stretch {
    float begin, width; // of the edge, as shares
    uint32_t parts;     // not yet certified
} reach_stretch;

typedef struct reach_node {
    int16_t cell[3];
    int16_t swivel; // in bins
    uint16_t hand;  // number for tr_reach_hand
    uint32_t parent;
    uint32_t estimate;
    tr_posture posture; // set when it is expanded
} reach_node;

// Upper arm and forearm with the wrist in a cell.
typedef struct reach_arm {
    int16_t cell[3];
    int16_t swivel;
    bool free;
    tr_posture posture;
} reach_arm;

struct tr_reach {
    tr_allocator allocator;
    const tr_solid *solid;
    tr_arm arm;
    tr_reach_body bodies[TR_REACH_BODIES_MAX];
    uint32_t body_count, trunk_count;
    uint32_t tested_links; // links that are tested against any part of the body, as bits
    reach_lanes lanes;
    float trunk_reach; // largest distance from the waist of anything that can touch the scene [m]
    bool self, has_help;
    bool trunk_turns;            // parts of the body move with the trunk of the posture
    float margin_wanted, margin; // the second: the margin that is kept at present
    float slack;                 // by which stretches may fall short of a certificate during a search [m]
    float margin_ends;           // smaller margin near a start or goal that has no room for more
    float ignore_shoulder;
    uint32_t nodes_max; // of each random tree
    // The current query.
    tr_reach_result result;
    tr_random random;
    uint64_t deadline;  // [ns], 0: none
    uint32_t looked_at; // number of checks at the last reading of the clock
    bool late;
    uint32_t checks_max;
    uint32_t dimensions;    // TR_ARM_JOINTS, or all if the trunk helps
    tr_posture start;       // where the search begins
    tr_posture origin;      // where the arm is: before `start` if it moves or touches something
    bool has_tail;          // the path continues from a goal to where there is less room
    bool has_origin, moves; // `moves`: it must leave its origin along the first leg
    tr_arm_goal goal;
    float hand[3];
    tr_arm_family family;
    reach_swivel swivels[REACH_SWIVELS_MAX + 1];
    uint32_t swivel_count;
    reach_goal *candidates; // a heap, cheapest first
    uint32_t candidate_count;
    reach_goal goals[REACH_GOALS_MAX];
    uint32_t goal_count;
    tr_posture *knots, *spare, *kept; // REACH_KNOTS_MAX each
    uint32_t knot_count, kept_count;
    uint32_t tried; // searches through cells, as bits
    reach_stretch *queue;
    reach_tree trees[2];
    reach_node *nodes;
    uint32_t node_count;
    uint32_t *table; // of cells seen, by hash
    reach_arm *arms;
    uint32_t arm_count;
    uint32_t arm_table[REACH_ARM_SLOTS];
    tr_search *search;
};

static inline float tr_reach_gap(const tr_posture *a, const tr_posture *b) { // squared, in joint space
    float sum = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        sum += (a->q[i] - b->q[i]) * (a->q[i] - b->q[i]);
    return sum;
}
static inline tr_posture tr_reach_between(const tr_posture *a, const tr_posture *b, float t) {
    tr_posture posture;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        posture.q[i] = a->q[i] + (b->q[i] - a->q[i]) * t;
    return posture;
}

static inline tr_vec3 tr_reach_wrist(const tr_reach *reach, const tr_posture *posture) {
    tr_vec3 points[4];
    tr_arm_points(&reach->arm, posture, points);
    return points[2];
}

// reach_check.c
void tr_reach_set_lanes(tr_reach *reach, const tr_affine *trunk);
// The line of a link that is tested: the upper arm may leave out the part inside the shoulder.
void tr_reach_link_ends(const tr_reach *reach, uint32_t link, const tr_vec3 points[4], tr_vec3 *a,
                        tr_vec3 *b);
// Do these parts keep the margin?
bool tr_reach_is_clear(tr_reach *reach, const tr_posture *posture, uint32_t parts);
bool tr_reach_edge(tr_reach *reach, const tr_posture *a, const tr_posture *b);
bool tr_reach_out_of_budget(tr_reach *reach);
// The number of segments of the arm path in [begin, end] that are not certified: at most one if `bad` is
// NULL, else all of them, marked in `bad` (zeroed before, one for each segment).
uint32_t tr_reach_certify(tr_reach *reach, const tr_arm_path *arm_path, double begin, double end,
                          uint8_t *bad);
// reach_goals.c: TR_OK: there are candidates; otherwise `error` says why not.
tr_status tr_reach_find_goals(tr_reach *reach, bool help, tr_error *error);
// Adds the next free candidate to the goals and returns it; NULL: there is none left. `tight`: also those
// with less room than the margin.
reach_goal *tr_reach_next_goal(tr_reach *reach, bool tight);
// Adds candidates: other orientations of the hand, and swivels closer together.
void tr_reach_more_goals(tr_reach *reach, bool finer);
// The posture to which the path continues after its last knot, or NULL.
const tr_posture *tr_reach_tail(const tr_reach *reach);
// reach_chance.c: draws a posture from the whole family of the goal: the elbow anywhere on its circle, any
// hand that the goal allows, any help. Adds it to the goals if it is free and unlike them; NULL: it is not.
reach_goal *tr_reach_draw_goal(tr_reach *reach);
// reach_goals.c: adds a posture to the goals if it is free and unlike them; NULL: it is not. `tight`: also
// one with less room than the margin.
reach_goal *tr_reach_take_goal(tr_reach *reach, reach_goal goal, bool tight);
// reach_help.c: the family with the help of the trunk that suits the goal; `reaches`: the arm alone reaches
// it, and its family is set. TR_NOT_FOUND: no help was found.
tr_status tr_reach_find_help(tr_reach *reach, bool reaches);
// Sorts the goals by how far the arm has to turn.
void tr_reach_sort_goals(tr_reach *reach);
// What a posture at the goal costs: its distance from the start and its comfort.
float tr_reach_goal_cost(const tr_reach *reach, const tr_posture *posture);
// reach_proof.c: why the wrist certainly cannot be held there in any posture; TR_REACH_FOUND: it may be
// possible.
tr_reach_reason tr_reach_goal_inside(const tr_reach *reach);
tr_reach_reason tr_reach_goal_blocked(const tr_reach *reach);
// Too far, too near, or beyond the limits, however the trunk helps; TR_REACH_OUT_OF_BUDGET: not proven.
tr_reach_reason tr_reach_out_of_reach(const tr_reach *reach);

// Orientations of the hand that may pass where others do not [0, REACH_HANDS): bent up, down, to the sides.
#define REACH_HANDS 6
void tr_reach_hand(const tr_arm *arm, uint32_t number, float hand[3]);
// reach_line.c: straight to one of the goals, or straight with another orientation of the hand on the way.
bool tr_reach_by_line(tr_reach *reach);
// reach_cells.c, reach_trees.c: true: the path is in `knots`.
bool tr_reach_by_cells(tr_reach *reach);
// Finds a path other than those found before, with at most this many checks in all.
bool tr_reach_by_other_cells(tr_reach *reach, uint32_t checks_max);
bool tr_reach_by_trees(tr_reach *reach);
// reach_shorten.c
void tr_reach_shorten(tr_reach *reach);
// The cost of the path [rad], and the length of the wrist's path.
float tr_reach_cost(const tr_reach *reach, float *wrist);
// reach_bend.c: the whole path as one even arm path; false: it touches something with any pull.
bool tr_reach_bend(tr_reach *reach);
// reach_smooth.c: smooths the path; parts that cannot be smoothed without collision stay straight.
void tr_reach_smooth(tr_reach *reach);
// reach_start.c: a short free path from a posture with little room around it to one with the margin; false:
// none found.
bool tr_reach_push_off(tr_reach *reach, const tr_posture *from, tr_posture *to);
// Turns the arm a little, at most `pushes` times, to get this much room around it [m]; false: it got only
// part of it.
bool tr_reach_make_room(tr_reach *reach, float room, uint32_t pushes, tr_posture *posture);
// A free posture near a start that touches something; false: none found.
bool tr_reach_get_out(tr_reach *reach, tr_posture *out);
// The posture where the arm, moving at this velocity [rad/s], comes to rest or can turn; false: it cannot
// continue in that direction at all.
bool tr_reach_run_on(tr_reach *reach, const tr_posture *velocity, tr_posture *end);
