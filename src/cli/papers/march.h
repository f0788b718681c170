// cli/papers/march.h - the planner of Liu & Badler 2003, step by step: best-first search of the wrist
// through the cells of the space around the arm.
//
// Section 3.2 of the paper: from the wrist's cell, of the six neighbours that have not been visited, the one
// nearest to the goal is marked and tried. It has one posture from analytic inverse kinematics, which is
// checked for collision link by link. If it is free, the arm moves there. If not, the next neighbour is
// tried. If none is left, the search goes back one step. The module exists for comparison and for its charm;
// reach.h finds more paths, faster and smoother.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/plan/arm.h"
#include "troupe/world/depth.h"
#include "troupe/world/solid.h"

typedef struct march_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_arm arm;                    // help is not used
    float step;                    // side of a cell [m, > 0]
    // Returns true if the arm is free of collision in this posture. Called once for each posture tried, only
    // by march_step. march_exact_is_free and march_depth_is_free, below, are two implementations.
    bool (*is_free)(void *user, const tr_posture *posture);
    void *user;
} march_def;

#define MARCH_CELLS_MAX (1u << 24)

typedef struct march_search march_search;
// Allocates all memory, only for the cells that the arm can reach. TR_LIMIT: more than MARCH_CELLS_MAX of
// them.
tr_status march_create(const march_def *def, march_search **march, tr_error *error);
void march_destroy(march_search *march); // NULL is allowed

// Begins a search from this posture to the cell of `goal` (3.2 step 3). The cell of the posture's wrist is
// the first node. The start may touch something: the path then leads out of it. The hand keeps its angles.
// TR_NOT_FOUND: no posture puts the wrist in the middle of the goal's cell; `reason` (may be NULL) says why.
// TR_INVALID: a posture is outside the limits, or not finite. On either failure nothing changes.
tr_status march_begin(march_search *march, const tr_posture *start, tr_vec3 goal, tr_arm_reason *reason,
                      tr_error *error);
// Sets another goal, at any time after march_begin; the search continues from where the arm is. The path
// so far stays. All other cells may be visited again, because a former detour may now lead to the goal, and
// obstacles may have moved. If the goal lies on the path, the arm goes back along it.
tr_status march_set_goal(march_search *march, tr_vec3 goal, tr_arm_reason *reason, tr_error *error);

// Visits one node: steps 4 to 8. TR_OK: continue. TR_DONE: at the goal. TR_NOT_FOUND: every reachable cell
// was visited. TR_INVALID: not begun. No allocation.
tr_status march_step(march_search *march);

typedef struct march_result {
    uint32_t visited;           // nodes marked since the beginning, including the start
    uint32_t backtracks;        // steps back
    uint32_t refused;           // nodes in collision
    uint32_t out_of_reach;      // nodes that no posture reaches
    const tr_posture *postures; // of the present path, from the start; valid until the next step
    const tr_vec3 *wrists;      // middles of the cells; the first is the wrist of the start
    uint32_t count;             // nodes of the present path
} march_result;
march_result march_look(const march_search *march);

// Step 5 alone: computes the one posture that a march uses for a wrist and the hand's three angles. Of two
// equally natural postures it takes the one nearer to `present` (NULL: the arm hanging). Returns false if
// there is none.
bool march_hold(const tr_arm *arm, tr_vec3 wrist, const float hand[3], const tr_posture *present,
                tr_posture *posture);

// --- Implementations of `is_free` ---

// Exact check: the capsules of the three links against the triangles. `user` points to a march_exact.
typedef struct march_exact {
    const tr_solid *solid;
    tr_arm arm;
} march_exact;
bool march_exact_is_free(void *exact, const tr_posture *posture);

// Check by depth buffer (3.2.3): a camera in each link. `user` points to a march_depth. The links' own
// maps are drawn once (step 2). A link without length has no camera.
typedef struct march_depth_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_raster *raster;             // raster and scene must outlive it
    const tr_scene *scene;
    tr_arm arm;
    uint32_t size;                  // columns and rows of each map [1, TR_DEPTH_SIZE_MAX], the paper has 100
    float pull_back;                // of the cameras [0 to 1], see depth.h; the paper has 0
    tr_depth_comparison comparison; // used by the `gl` rasteriser
    uint32_t exclude_tags, exclude_object; // left out of the scene, as in tr_depth_request
} march_depth_def;
march_depth_def march_depth_def_default(tr_raster *raster, const tr_scene *scene,
                                        const tr_arm *arm); // the paper's, the whole scene

typedef struct march_depth march_depth;
tr_status march_depth_create(const march_depth_def *def, march_depth **depth, tr_error *error);
void march_depth_destroy(march_depth *depth); // NULL is allowed
// Also returns false if a map could not be drawn. march_depth_status then returns the failure once.
bool march_depth_is_free(void *depth, const tr_posture *posture);
tr_status march_depth_status(march_depth *depth, tr_error *error);
// Tests one link alone [0, TR_ARM_LINKS), with the arm's points as tr_arm_points gives them.
// march_depth_map returns the link's own map.
tr_status march_depth_hits(march_depth *depth, const tr_vec3 points[4], uint32_t link, bool *hit,
                           tr_error *error);
const tr_depth_map *march_depth_map(const march_depth *depth, uint32_t link);

// Where a link touches something that the exact check finds, as its camera sees it: the first of these that
// applies. Slow, because every triangle is examined; drawn objects are left out.
typedef enum march_zone {
    MARCH_TOUCHES_NOTHING,
    MARCH_IN_VIEW, // seen, unless it lies between the middles of the pixels
    MARCH_BESIDE,  // beside the view: zones Z1 and Z2 of figure 2
    MARCH_BEHIND,  // behind the near plane: the round end about the joint
    MARCH_ZONE_COUNT
} march_zone;
march_zone march_depth_zone(const march_depth *depth, const tr_vec3 points[4], uint32_t link);
