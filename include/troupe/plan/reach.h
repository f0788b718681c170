// troupe/plan/reach.h - moves a hand through clutter: plans a collision-free, smooth path of the whole arm.
//
// The planner first tries straight lines in joint space to the best postures that hold the hand at the goal.
// Then it runs a best-first search of the wrist's space over all swivels, with finer cells where space is
// tight (Liu & Badler 2003, without its limits). Then it grows two random trees. All of this shares one
// budget. The path found is shortened, smoothed and certified: between the postures that were checked, no
// point of the arm can touch anything.
#pragma once
#include "troupe/plan/search.h"
#include "troupe/plan/arm_path.h"
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

// A part of the body that the arm must not touch, in the axes of arm.base at rest.
typedef struct tr_reach_body {
    tr_vec3 a, b;
    float radius;    // [m, > 0]
    bool on_trunk;   // moves with the waist; otherwise with the pelvis
    uint8_t links;   // bits 0 to 2: which links of the arm are tested against it
    bool hits_scene; // the part is also tested against the scene while the trunk moves
} tr_reach_body;
#define TR_REACH_BODIES_MAX 16

typedef struct tr_reach_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_solid *solid;         // must outlive the planner; NULL: an empty world
    tr_arm arm;
    const tr_reach_body *bodies; // copied
    uint32_t body_count;         // [0, TR_REACH_BODIES_MAX]
    bool self;                   // test the upper arm against the hand
    float margin;                // clearance of paths where start and goal leave room [m, >= 0, < 1], 0.002
    float ignore_shoulder;       // length of upper arm next to the shoulder not tested [m, >= 0, < 10], 0
    uint32_t nodes_max;          // of each of the two random trees, 130 bytes each [64 to 2^24], 20,000
} tr_reach_def;
TR_API tr_reach_def tr_reach_def_default(const tr_solid *solid, const tr_arm *arm);

typedef struct tr_reach tr_reach;
// Allocates all memory; planning allocates nothing.
TR_API tr_status tr_reach_create(const tr_reach_def *def, tr_reach **reach, tr_error *error);
TR_API void tr_reach_destroy(tr_reach *reach); // NULL is allowed
// Moves the body to a new base.
TR_API tr_status tr_reach_place(tr_reach *reach, const tr_affine *base);
// Replaces the arm and the parts of the body, for example by the same arm with the body in another pose. No
// allocation. On TR_INVALID or TR_LIMIT nothing changes.
TR_API tr_status tr_reach_set_arm(tr_reach *reach, const tr_arm *arm, const tr_reach_body *bodies,
                                  uint32_t body_count, tr_error *error);
TR_API const tr_arm *tr_reach_arm(const tr_reach *reach);

// Returns the clearance of the arm in this posture [m]. It is negative when the arm touches the scene, the
// body or itself. Otherwise it is a lower bound, as tr_solid_clearance gives it for `enough`. Joint limits
// are not checked.
TR_API float tr_reach_clearance(tr_reach *reach, const tr_posture *posture, float enough);
// Returns true if every posture of the arm path in [begin, end] is free, without gaps. Certified by comparing
// clearance with motion.
TR_API bool tr_reach_is_free(tr_reach *reach, const tr_arm_path *arm_path, double begin, double end);

typedef struct tr_reach_params {
    uint64_t seed;              // of the random trees; the same seed gives the same bits
    uint32_t checks_max;        // postures checked before giving up, 500,000; 0: no limit. A path found by
                                // then is still smoothed and certified: a few thousand more at most
    uint64_t microseconds;      // time limit; 0: none. Results that it cuts short may differ from run to run
    const tr_posture *velocity; // of the arm at the start [rad/s]; NULL: at rest. The path begins in
                                // that direction
    float hand[3];              // preferred angles of the hand where the goal leaves them free
    bool keep_hand;             // prefer the hand angles of the start instead
    bool help;                  // the trunk may help, the more the further the goal is
} tr_reach_params;
TR_API tr_reach_params tr_reach_params_default(void);

typedef enum tr_reach_by {
    TR_REACH_BY_NOTHING,
    TR_REACH_BY_LINE,
    TR_REACH_BY_CELLS,
    TR_REACH_BY_TREES
} tr_reach_by;

typedef enum tr_reach_reason {
    TR_REACH_FOUND,
    TR_REACH_GOAL_TOO_FAR,  // proven: no posture
    TR_REACH_GOAL_TOO_NEAR, // proven
    TR_REACH_GOAL_LIMITS,   // proven
    TR_REACH_GOAL_INSIDE,   // proven: the wrist is inside an obstacle in every posture
    TR_REACH_GOAL_IN_BODY,  // proven: the wrist is inside a part of the body
    TR_REACH_GOAL_BLOCKED,  // proven: every posture of the arm at the goal touches something
    TR_REACH_START_LIMITS,  // the start is not a posture of this arm
    TR_REACH_START_TOUCHES, // the start touches something, and no free posture was found nearby
    TR_REACH_OUT_OF_BUDGET, // nothing is proven
    TR_REACH_REASON_COUNT
} tr_reach_reason;
TR_API const char *tr_reach_reason_name(tr_reach_reason reason); // a short sentence; static storage

// The result of the last plan. Pointers are valid until the next plan.
typedef struct tr_reach_result {
    tr_reach_reason reason;
    tr_reach_by by;
    tr_arm_path path;    // certified; empty (count 0) when nothing was found
    bool start_touched;  // the path first leaves the contact; that stretch is not certified
    double free_from;    // the path is certified from this u on; 0 unless start_touched
    double length;       // in joint space [rad]
    double wrist_length; // [m]
    float clearance;     // the least found while the path was certified [m]
    uint32_t checks;     // postures checked
    uint32_t search_checks, shorten_checks; // part of `checks`; the rest is smoothing
    uint32_t nodes;                         // of the cell search and the trees
    uint32_t goals;                         // free postures found at the goal
    double search_us, shorten_us, smooth_us;
} tr_reach_result;

// Plans a path from `start` to `goal`. TR_OK: a path was found. TR_NOT_FOUND: provably there is none, or the
// start is not usable; `reason` and the error say which. TR_PARTIAL: the budget ran out; try again with more
// or with another seed. TR_INVALID: a value is not finite. No allocation. A tr_reach serves one call at a
// time; several may share a solid.
TR_API tr_status tr_reach_plan(tr_reach *reach, const tr_posture *start, const tr_arm_goal *goal,
                               const tr_reach_params *params, tr_error *error);
TR_API const tr_reach_result *tr_reach_last(const tr_reach *reach);

TR_END_DECLARATIONS
