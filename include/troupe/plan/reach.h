// troupe/plan/reach.h - move a hand through clutter: a collision-free, smooth path of the whole arm.
//
// First the straight way in joint space to the best postures that hold the hand at the goal, then best-first
// search of the wrist's space over all swivels, finer where it is tight (Liu & Badler 2003, without its
// limits), then two random trees; all inside one budget. What was found is pulled tight, bent smooth and
// certified: between the postures that were checked no point of the arm can have touched anything.
#pragma once
#include "troupe/plan/search.h"
#include "troupe/plan/arm_path.h"
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

// A part of the body that the arm must not run into, in the axes of arm.base at rest.
typedef struct tr_reach_body {
    tr_vec3 a, b;
    float radius;    // [m, > 0]
    bool on_trunk;   // moves with the waist; else with the pelvis
    uint8_t links;   // bits 0 to 2: which links of the arm are tested against it
    bool hits_scene; // and is itself tested against the scene while the trunk moves
} tr_reach_body;
#define TR_REACH_BODIES_MAX 16

typedef struct tr_reach_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_solid *solid;         // must outlive it; NULL: an empty world
    tr_arm arm;
    const tr_reach_body *bodies; // copied
    uint32_t body_count;         // [0, TR_REACH_BODIES_MAX]
    bool self;                   // upper arm against hand is tested
    float margin;          // that paths keep from everything where start and goal leave room [m, >= 0], 0.002
    float ignore_shoulder; // of the upper arm next to the shoulder this much is not tested [m, >= 0], 0
} tr_reach_def;
TR_API tr_reach_def tr_reach_def_default(const tr_solid *solid, const tr_arm *arm);

typedef struct tr_reach tr_reach;
// Takes all memory; planning allocates nothing.
TR_API tr_status tr_reach_create(const tr_reach_def *def, tr_reach **reach, tr_error *error);
TR_API void tr_reach_destroy(tr_reach *reach); // NULL is allowed
// The body stands elsewhere now.
TR_API tr_status tr_reach_place(tr_reach *reach, const tr_affine *base);
// Another arm, or the same with its body held otherwise, in place of what the planner was made with. No
// allocation. TR_INVALID, TR_LIMIT: nothing was changed.
TR_API tr_status tr_reach_set_arm(tr_reach *reach, const tr_arm *arm, const tr_reach_body *bodies,
                                  uint32_t body_count, tr_error *error);
TR_API const tr_arm *tr_reach_arm(const tr_reach *reach);

// How far the arm so held is from touching anything [m]: negative when it touches the scene, the body or
// itself; lower bounds of at least `enough` otherwise, as tr_solid_clearance. Limits are not asked.
TR_API float tr_reach_clearance(tr_reach *reach, const tr_posture *posture, float enough);
// Is every posture of the arm path in [begin, end] free, without a gap? Certified by clearance over motion.
TR_API bool tr_reach_is_free(tr_reach *reach, const tr_arm_path *arm_path, double begin, double end);

typedef struct tr_reach_params {
    uint64_t seed;         // of the random trees; the same seed gives the same bits
    uint32_t checks_max;   // postures checked before it gives up, 200,000; 0: no limit. What was found by
                           // then is still bent and certified, which takes some thousands at most
    uint64_t microseconds; // and time; 0: no limit. The one thing that may differ from run to run
    const tr_posture *velocity; // of the arm at the start [rad/s]; NULL: at rest. The path then begins that
                                // way
    float hand[3];              // angles of the hand that are preferred where the goal leaves them free
    bool keep_hand;             // prefer those of the start instead
    bool help;                  // the trunk may help where the arm alone is short
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
    TR_REACH_GOAL_INSIDE,   // proven: the wrist there is inside an obstacle, however it is held
    TR_REACH_GOAL_IN_BODY,  // proven: inside a part of the body
    TR_REACH_GOAL_BLOCKED,  // proven: every way to hold the hand there touches something
    TR_REACH_START_LIMITS,  // the start is not a posture of this arm
    TR_REACH_START_TOUCHES, // the start touches something and no way out was found nearby
    TR_REACH_OUT_OF_BUDGET, // nothing is proven
    TR_REACH_REASON_COUNT
} tr_reach_reason;
TR_API const char *tr_reach_reason_name(tr_reach_reason reason); // a sentence's worth; static storage

// Of the last plan; pointers are valid until the next.
typedef struct tr_reach_result {
    tr_reach_reason reason;
    tr_reach_by by;
    tr_arm_path path;    // certified; empty (count 0) when nothing was found
    bool start_touched;  // the path begins by getting out of it: that stretch is not certified
    double free_from;    // u from which on the path is certified: 0 but for such a start
    double length;       // in joint space [rad]
    double wrist_length; // [m]
    float clearance;     // the least that was seen when the path was certified [m]
    uint32_t checks;     // postures checked
    uint32_t search_checks, shorten_checks; // of these; the rest went into smoothing
    uint32_t nodes;                         // of cells and trees
    uint32_t goals;                         // postures at the goal that were free
    double search_us, shorten_us, smooth_us;
} tr_reach_result;

// TR_OK: found. TR_NOT_FOUND: proven that there is none, or the start is no good; `reason` and the error say
// which. TR_PARTIAL: the budget ran out, try again with more or with another seed. TR_INVALID: not finite.
// No allocation. One call at a time on one tr_reach; several may share a solid.
TR_API tr_status tr_reach_plan(tr_reach *reach, const tr_posture *start, const tr_arm_goal *goal,
                               const tr_reach_params *params, tr_error *error);
TR_API const tr_reach_result *tr_reach_last(const tr_reach *reach);

TR_END_DECLARATIONS
