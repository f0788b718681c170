// troupe/plan/march.h - the planner of Liu & Badler 2003, step by step: best-first search by the wrist
// through the cells of the space around the arm.
//
// Section 3.2: the wrist's cell; its six neighbours less those visited; the one nearest to the goal is
// marked and tried: one posture from analytic inverse kinematics, checked for collision link by link. Free:
// the arm moves there. Not: the next neighbour; none left: back one step. Made for comparison and for its
// charm; reach.h finds more, faster and smoother.
#pragma once
#include "troupe/plan/arm.h"
#include "troupe/base/allocator.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_march_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_arm arm;                    // help is not used
    float step;                    // side of a cell [m, > 0]
    // Is the arm free of collision so? Called once for each posture tried, by tr_march_step alone.
    bool (*is_free)(void *user, const tr_posture *posture);
    void *user;
} tr_march_def;

typedef struct tr_march tr_march;
// Takes all memory: for the cells that the arm can reach and no others. TR_LIMIT: more than 2^24 of them.
TR_API tr_status tr_march_create(const tr_march_def *def, tr_march **march, tr_error *error);
TR_API void tr_march_destroy(tr_march *march); // NULL is allowed

// From this posture (its wrist's cell is the first node) to the cell of `goal` (3.2 step 3). TR_NOT_FOUND:
// no posture puts the wrist there, `reason` (may be NULL) says why. The goal may be changed at any time
// later: cells stay visited, the search goes on from where the arm is.
TR_API tr_status tr_march_begin(tr_march *march, const tr_posture *start, tr_vec3 goal, tr_arm_reason *reason,
                                tr_error *error);
TR_API tr_status tr_march_set_goal(tr_march *march, tr_vec3 goal, tr_arm_reason *reason, tr_error *error);

// Visit one node: steps 4 to 8. TR_OK: go on; TR_DONE: at the goal; TR_NOT_FOUND: all that can be reached was
// visited.
TR_API tr_status tr_march_step(tr_march *march);

typedef struct tr_march_result {
    uint32_t visited;           // nodes marked so far, the start among them
    uint32_t backtracks;        // steps back
    uint32_t refused;           // nodes in collision
    uint32_t out_of_reach;      // nodes that no posture reaches
    const tr_posture *postures; // of the way as it is now, from the start; the march's, until the next step
    const tr_vec3 *wrists;      // middles of the cells; the first is the start's own wrist
    uint32_t count;             // solution nodes
} tr_march_result;
TR_API tr_march_result tr_march_look(const tr_march *march);

TR_END_DECLARATIONS
