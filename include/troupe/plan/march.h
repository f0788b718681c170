// troupe/plan/march.h - the planner of Liu & Badler 2003, step by step: best-first search by the wrist
// through the cells of the space around the arm.
//
// Section 3.2: the wrist's cell; its six neighbours less those visited; the one nearest to the goal is
// marked and tried: one posture from analytic inverse kinematics, checked for collision link by link. Free:
// the arm moves there. Not: the next neighbour; none left: back one step. Made for comparison and for its
// charm; reach.h finds more, faster and smoother.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/plan/arm.h"
#include "troupe/world/depth.h"
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_march_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_arm arm;                    // help is not used
    float step;                    // side of a cell [m, > 0]
    // Is the arm free of collision so? Called once for each posture tried, by tr_march_step alone.
    // tr_march_exact_is_free and tr_march_depth_is_free, below, are two ready answers.
    bool (*is_free)(void *user, const tr_posture *posture);
    void *user;
} tr_march_def;

#define TR_MARCH_CELLS_MAX (1u << 24)

typedef struct tr_march tr_march;
// Takes all memory: for the cells that the arm can reach and no others. TR_LIMIT: more than
// TR_MARCH_CELLS_MAX of them.
TR_API tr_status tr_march_create(const tr_march_def *def, tr_march **march, tr_error *error);
TR_API void tr_march_destroy(tr_march *march); // NULL is allowed

// From this posture (its wrist's cell is the first node; it may touch something: the way then leads out of
// it) to the cell of `goal` (3.2 step 3). The hand keeps its angles. TR_NOT_FOUND: no posture puts the wrist
// in the middle of that cell, `reason` (may be NULL) says why. TR_INVALID: a posture outside the limits, or
// not finite. After either nothing has changed.
TR_API tr_status tr_march_begin(tr_march *march, const tr_posture *start, tr_vec3 goal, tr_arm_reason *reason,
                                tr_error *error);
// Another goal, at any time after: the search goes on from where the arm is. The way so far stays; all other
// cells may be visited again, because what was a detour may now lead to the goal and what was blocked may
// have moved. Goes back along the way where the goal lies on it.
TR_API tr_status tr_march_set_goal(tr_march *march, tr_vec3 goal, tr_arm_reason *reason, tr_error *error);

// Visit one node: steps 4 to 8. TR_OK: go on; TR_DONE: at the goal; TR_NOT_FOUND: all that can be reached was
// visited; TR_INVALID: not begun. No allocation.
TR_API tr_status tr_march_step(tr_march *march);

typedef struct tr_march_result {
    uint32_t visited;           // nodes marked since the beginning, the start among them
    uint32_t backtracks;        // steps back
    uint32_t refused;           // nodes in collision
    uint32_t out_of_reach;      // nodes that no posture reaches
    const tr_posture *postures; // of the way as it is now, from the start; the march's, until the next step
    const tr_vec3 *wrists;      // middles of the cells; the first is the start's own wrist
    uint32_t count;             // solution nodes
} tr_march_result;
TR_API tr_march_result tr_march_look(const tr_march *march);

// Step 5 alone: the one posture that a march has for a wrist and the hand's three angles; of two equally
// natural ones that nearer to `present` (NULL: the arm hanging). false: none.
TR_API bool tr_march_hold(const tr_arm *arm, tr_vec3 wrist, const float hand[3], const tr_posture *present,
                          tr_posture *posture);

// --- What `is_free` may be ---

// Exact: the capsules of the three links against the triangles, with `user` pointing to one of these.
typedef struct tr_march_exact {
    const tr_solid *solid;
    tr_arm arm;
} tr_march_exact;
TR_API bool tr_march_exact_is_free(void *exact, const tr_posture *posture);

// By depth buffer (3.2.3): a camera in each link, with `user` pointing to one of these. The links' own maps
// are made once (step 2). A link without length is not looked along.
typedef struct tr_march_depth_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_raster *raster;             // these two must outlive it
    const tr_scene *scene;
    tr_arm arm;
    uint32_t size;                  // columns and rows of each map [1, TR_DEPTH_SIZE_MAX], the paper's is 100
    float pull_back;                // of the cameras [0 to 1], see depth.h; the paper's is 0
    tr_depth_comparison comparison; // of `gl`
    uint32_t exclude_tags, exclude_object; // of the scene: as in tr_depth_request
} tr_march_depth_def;
TR_API tr_march_depth_def tr_march_depth_def_default(tr_raster *raster, const tr_scene *scene,
                                                     const tr_arm *arm); // the paper's, all of the scene

typedef struct tr_march_depth tr_march_depth;
TR_API tr_status tr_march_depth_create(const tr_march_depth_def *def, tr_march_depth **depth,
                                       tr_error *error);
TR_API void tr_march_depth_destroy(tr_march_depth *depth); // NULL is allowed
// false as well where a map could not be drawn: the status says so until it is asked for.
TR_API bool tr_march_depth_is_free(void *depth, const tr_posture *posture);
TR_API tr_status tr_march_depth_status(tr_march_depth *depth, tr_error *error);
// One link alone [0, TR_ARM_LINKS), with the arm's points as tr_arm_points gives them, and its own map.
TR_API tr_status tr_march_depth_hits(tr_march_depth *depth, const tr_vec3 points[4], uint32_t link, bool *hit,
                                     tr_error *error);
TR_API const tr_depth_map *tr_march_depth_map(const tr_march_depth *depth, uint32_t link);

// Where a link touches what the exact check finds, as its camera sees it: the first of these that applies.
// Slow, every triangle is looked at; drawn objects are left out.
typedef enum tr_march_zone {
    TR_MARCH_TOUCHES_NOTHING,
    TR_MARCH_IN_VIEW, // seen, unless it slips through between the middles of the pixels
    TR_MARCH_BESIDE,  // beside the view: zones Z1 and Z2 of figure 2
    TR_MARCH_BEHIND,  // behind the near plane: the round end about the joint
    TR_MARCH_ZONE_COUNT
} tr_march_zone;
TR_API tr_march_zone tr_march_depth_zone(const tr_march_depth *depth, const tr_vec3 points[4], uint32_t link);

TR_END_DECLARATIONS
