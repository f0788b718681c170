// motion/cast/cast.h - the data that all characters of one kind share: skeleton, body, feet, and the clips
// that their drivers use.
#pragma once
#include "troupe/motion/body.h"
#include "motion/gait/locomotion.h"
#include "motion/foot/foot_lock.h"
#include "motion/foot/footstep_motion.h"

#define TR_CAST_MOVES_MAX 16

// A clip from standing to standing: a turn on the spot, or a step aside. Its angle or distance can be
// scaled by a factor.
typedef struct tr_cast_move {
    const tr_clip *clip;
    float turn;  // to the left [rad]; 0: does not turn
    float aside; // to the left [m]; 0: stays on the spot
    double pace; // playback speed relative to the clip's own [> 0]
    // When the body begins to move, and when it has come to rest on both feet. Before and after that, it only
    // shifts its weight as from a stand and to one. Found by tr_cast_create [s].
    double begin, end;
} tr_cast_move;

// A ball attached to a joint.
typedef struct tr_cast_ball {
    uint32_t joint;
    tr_vec3 at;   // in the joint's axes [m]
    float radius; // [m]
} tr_cast_ball;

// Joints that a manner turns; TR_NONE: missing.
typedef enum tr_cast_bend {
    TR_CAST_SPINE,
    TR_CAST_CHEST,
    TR_CAST_UPPER_CHEST,
    TR_CAST_NECK,
    TR_CAST_HEAD,
    TR_CAST_LEFT_UPPER_ARM, // the arms come last
    TR_CAST_LEFT_FOREARM,
    TR_CAST_RIGHT_UPPER_ARM,
    TR_CAST_RIGHT_FOREARM,
    TR_CAST_BENDS
} tr_cast_bend;
typedef struct tr_cast_joint {
    uint32_t joint;
    tr_vec3 left, ahead; // these directions of a body that stands, in the axes of the joint's parent
    tr_quat stands;      // the rotation of the joint in it
} tr_cast_joint;

// The joints from the root to the head, and those of them that lean and turn the head.
#define TR_CAST_CHAIN_MAX 16
#define TR_CAST_SPINE_MAX 8 // trunk, neck and head are five
typedef struct tr_cast_spine {
    uint32_t chain[TR_CAST_CHAIN_MAX], chain_count;
    uint32_t count, trunk_count; // joints that turn; those of the trunk come first
    uint32_t place[TR_CAST_SPINE_MAX];
    float share[TR_CAST_SPINE_MAX]; // of the lean of the trunk; for neck and head, of the turn of the head
} tr_cast_spine;

typedef struct tr_cast_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_skeleton *skeleton;   // with roles (tr_role_guess)
    const tr_body *body;           // may be NULL
    // Clips on that skeleton; NULL: made from published gaits (tr_gait_make).
    const tr_clip *stand;
    const tr_clip *const *cycles; // walk, jog, run...: see tr_locomotion_def
    uint32_t cycle_count;         // [1, TR_LOCOMOTION_CLIPS_MAX], 0 without cycles
    const tr_cast_move *moves;    // NULL: turns by 45, 90, 135 and 180 degrees, one step aside, both ways
    uint32_t move_count;          // [1, TR_CAST_MOVES_MAX], 0 without moves
    // It moves by chains of behaviors alone, on any number of legs or wheels: `stand` is required, all other
    // clips and roles are not used. It has no gait, no moves and no legs that hold feet.
    bool performs;
    void (*note)(void *user, const char *sentence); // what the body cannot do; may be NULL
    void *note_user;
} tr_cast_def;

// Read-only: a cast never changes. Create it once and use it for any number of bodies and threads.
typedef struct tr_cast {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    const tr_body *body; // may be NULL
    const tr_clip *stand;
    const tr_clip *cycles[TR_LOCOMOTION_CLIPS_MAX];
    uint32_t cycle_count, move_count;
    tr_cast_move moves[TR_CAST_MOVES_MAX];
    tr_locomotion *locomotion; // NULL: it moves by behaviors alone, and has no legs either
    tr_legs legs;
    tr_footstep_motion_stand footstep_motion_stand;
    // Upper arm and forearm, left and right (TR_NONE: missing), and their rotations when held close.
    uint32_t arms[2][2];
    tr_quat arms_close[2][2];
    // The rotations of the same arms when they hang straight down, which makes the body as slim as it gets,
    // and the parts of the arms that keep clear of others: elbow, wrist and finger tips.
    tr_quat arms_hang[2][2];
    tr_cast_ball arm_balls[2][3];
    // Arms that reach the floor; upper_length 0: this one does not.
    tr_limb long_arms[2];
    // The distances that the middle lines of left forearm, left hand, right forearm and right hand keep from
    // those of the thigh on their side, and of the hips: no larger than in the standing body [m]. And the
    // middle line of the hips, in their axes.
    float arm_apart[2][4];
    tr_vec3 hips_line[2];
    tr_cast_joint bends[TR_CAST_BENDS];
    tr_cast_spine spine;
    tr_manner manner; // how characters of this kind depart from the clips
    float height;     // in the rest pose [m]
    float stature;    // height of people who step as far and as high: less than its own if its legs are short
    float radius; // of the disc that the capsules of the standing body lie over, with arms that hang [m]; 0:
                  // it has none
    float depth;  // how far fitted capsules of trunk, head and thighs reach ahead and behind then [m]; 0: the
                  // body is as flat as people are
    // Hash of everything that the motion of a body depends on, and of its colour. For saving and loading, two
    // casts with the same fingerprint are the same.
    uint64_t fingerprint;
    // Created by the cast, and destroyed with it.
    tr_skeleton *own_skeleton;
    tr_body *own_body;
    bool own_stand, own_cycles, own_moves, own_locomotion;
} tr_cast;

// Creates a cast. The data in `def` stays the caller's and must outlive the cast. TR_NOT_FOUND: the skeleton
// lacks roles; the error names one. TR_INVALID: a count is out of range, or a move neither turns nor goes
// aside.
tr_status tr_cast_create(const tr_cast_def *def, tr_cast **cast, tr_error *error);
// Does it have a gait?
static inline bool tr_cast_walks(const tr_cast *cast) {
    return cast->locomotion != NULL;
}
void tr_cast_destroy(tr_cast *cast); // NULL is allowed

// Returns the move whose turn is closest to `angle` [rad, left > 0], and the factor to scale it by; NULL:
// there is none in that direction.
const tr_cast_move *tr_cast_turn(const tr_cast *cast, float angle, float *part);
// Returns the longest move to that side; NULL: there is none.
const tr_cast_move *tr_cast_aside(const tr_cast *cast, bool to_left);
