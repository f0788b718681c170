// motion/retarget/retarget_data.h - what the sources of retarget share.
#pragma once
#include "troupe/motion/limb.h"
#include "troupe/motion/retarget.h"

// Two bodies are compared in a common pose, computed for each from its rest pose: upright, facing +Z, arms
// stretched out to the sides with the palms down, legs straight down, soles level.
typedef struct retarget_body {
    const tr_skeleton *skeleton;
    tr_vec3 up;                       // normally a world axis
    tr_quat to_common[TR_ROLE_COUNT]; // rotation of the bone from the rest pose to the common pose
    tr_quat rest_turn[TR_ROLE_COUNT]; // of the joint in the rest pose, in the world; the identity where the
                                      // motions told the common pose, which is then in to_common alone
    tr_vec3 middle;           // halfway between the thigh joints, from the hips, in the axes of the hips [m]
    tr_vec3 heel[2], ball[2]; // points of the soles from the ankles, in the common pose [m]
    float behind[2];          // how far the heel is behind the ankle, as a share of the way to the ball
    bool has_toes[2];         // the foot is in two pieces
    tr_vec3 toes[2];          // the joint of the toes from the ankle, in the common pose [m]
    tr_vec3 tip[2];           // the tip of the sole from that joint, or from the ankle [m]
    // Directions in the common pose, zero where there is none: from between the thighs to the neck (between
    // the upper arms without one), from neck to head, from the head to its top, from the toes to their tip.
    tr_vec3 trunk, neck, crown, tiptoe[2];
    float leg; // length from the thigh joints to the soles [m]
} retarget_body;

// A joint of the target: rotated like one joint of the source, or between two.
typedef struct retarget_bone {
    uint32_t first, second; // TR_NONE: the joint keeps its rest rotation
    float part;             // from first to second
    tr_quat first_before, second_before, after;
} retarget_bone;

// A joint of the target that the hips do not carry: it keeps its place relative to a bone of the body.
typedef struct retarget_follower {
    uint32_t joint, leader;
    tr_vec3 offset;      // in the axes of the leader
    tr_quat turn;        // from the leader
    tr_affine to_parent; // from the world into its parent, which never moves
    tr_quat parent_turn;
} retarget_follower;

struct tr_retarget {
    tr_allocator allocator;
    retarget_body from, to;
    bool is_copy; // the two skeletons are the same
    bool keep_feet, level_soles;
    float across, upward;             // scale of travel, and of heights
    tr_quat world;                    // from the source's up axis to the target's
    tr_affine to_hips;                // from the world into the parent of the target's hips
    uint32_t from_count, joint_count; // of the source and of the target
    retarget_bone *bones;
    tr_quat *column; // rotations of the source's joints from hips to head in the common pose; NULL: by rest
    tr_limb legs[2];
    retarget_follower *followers;
    uint32_t follower_count, follower_capacity;
    // Working data for one pose at a time.
    tr_quat *from_turns, *to_turns;
    tr_affine *from_model, *to_model;
};

// TR_NOT_FOUND names the roles that are missing. `which` is "source" or "target".
tr_status tr_retarget_measure(const tr_skeleton *skeleton, const char *which, retarget_body *body,
                              tr_error *error);
// Whether a body stands in its rest pose, in whatever direction. TR_INVALID says what is amiss.
tr_status tr_retarget_check_rest(const retarget_body *body, const char *which, tr_error *error);
// Sets the sole from the ball and the tip of the foot, from the ankle, in the common pose [m].
void tr_retarget_set_sole(retarget_body *body, int side, tr_vec3 ball, tr_vec3 tip, float shank);
// Replaces the common pose of the source by the one that its motions tell. One that is trusted stays, unless
// it lies in the motions. The target is measured before.
tr_status tr_retarget_study(tr_retarget *retarget, const tr_retarget_params *params, bool trusted,
                            tr_error *error);
// The last joint of the back: the parent of the neck, or of the head where there is no neck.
uint32_t tr_retarget_top(const tr_skeleton *skeleton);
// Which joint of the target follows which of the source.
void tr_retarget_match(tr_retarget *retarget);
// Finds the joints that the hips do not carry, and puts them where they belong in a pose.
tr_status tr_retarget_find_followers(tr_retarget *retarget, tr_error *error);
void tr_retarget_lead_followers(tr_retarget *retarget, tr_pose *to);
// Sets from_model and from_turns to the places and rotations of the source's joints in a pose.
void tr_retarget_look(tr_retarget *retarget, const tr_pose *from);
// Removes the tilt of the source's feet while they stand on level ground, for this clip.
tr_status tr_retarget_level(tr_retarget *retarget, const tr_clip *clip, tr_error *error);
// The rotations of all joints in the world.
void tr_retarget_rest_turns(const tr_skeleton *skeleton, tr_quat *turns);
