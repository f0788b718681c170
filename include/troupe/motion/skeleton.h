// troupe/motion/skeleton.h - a hierarchy of joints: names, rest pose, roles and limits.
//
// A skeleton never changes once it is made: any number of characters, clips and threads share it.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/motion/role.h"

TR_BEGIN_DECLARATIONS

#define TR_SKELETON_JOINTS_MAX 4096
#define TR_SKELETON_LIMIT_MAX 3.1415928 // largest angle of a limit, just above pi [rad]

// How far a joint may turn from its rest rotation. The turn is decomposed into a twist about one of the
// joint's own axes (along the bone) followed by a swing, whose rotation vector has components on the two
// other axes only. Each component must lie between `low` and `high` [rad, -pi to pi]. A hinge has low == high
// == 0 on two axes.
typedef struct tr_joint_limit {
    bool active;        // false: turns freely
    uint8_t twist_axis; // 0: X, 1: Y, 2: Z
    tr_vec3 low, high;
} tr_joint_limit;

typedef struct tr_joint_def {
    const char *name;  // NULL: "joint" and its number
    uint32_t parent;   // the number of an earlier joint, or TR_NONE for a root
    tr_transform rest; // relative to the parent [m]
    tr_role role;
    bool is_end; // only marks where its parent's bone ends; never turns (the "End Site" of a BVH file)
    tr_joint_limit limit;
} tr_joint_def;

// Where a foot ends on the ground, in the axes of the body in its rest pose; both at the height of the sole.
typedef struct tr_sole {
    bool known;        // false: the joints tell, as well as they can
    tr_vec3 heel, tip; // [m]
} tr_sole;

typedef struct tr_skeleton_def {
    const tr_allocator *allocator; // NULL: malloc
    const char *name;              // may be NULL
    const tr_joint_def *joints;    // copied
    uint32_t joint_count;          // [1, TR_SKELETON_JOINTS_MAX]
    tr_sole soles[2];              // left, right: of the mesh on these joints (tr_body_soles)
} tr_skeleton_def;

typedef struct tr_skeleton tr_skeleton;

// Creates a skeleton. Rest rotations are normalised. TR_INVALID: the error names the first joint that breaks
// a rule: parent not before it, rest transform not finite, scale 0, limits out of range.
TR_API tr_status tr_skeleton_create(const tr_skeleton_def *def, tr_skeleton **skeleton, tr_error *error);
TR_API void tr_skeleton_destroy(tr_skeleton *skeleton); // NULL is allowed

TR_API const char *tr_skeleton_name(const tr_skeleton *skeleton); // "" if it has none
TR_API uint32_t tr_skeleton_joint_count(const tr_skeleton *skeleton);
TR_API const uint32_t *tr_skeleton_parents(const tr_skeleton *skeleton); // one for each joint
// Returns a joint as it was given, with its name filled in; a bad number gives a joint without a name (NULL).
TR_API tr_joint_def tr_skeleton_joint(const tr_skeleton *skeleton, uint32_t joint);
TR_API uint32_t tr_skeleton_find(const tr_skeleton *skeleton,
                                 const char *name); // the first; TR_NONE for none
TR_API uint32_t tr_skeleton_with_role(const tr_skeleton *skeleton, tr_role role); // TR_NONE for none
// Returns the sole of the left (0) or right (1) foot, as it was given.
TR_API tr_sole tr_skeleton_sole(const tr_skeleton *skeleton, uint32_t side);
// Returns the joint on the other side of the body: by role, else by a name that differs only in left and
// right; the joint itself if there is none.
TR_API uint32_t tr_skeleton_mirror_of(const tr_skeleton *skeleton, uint32_t joint);
// Returns the end of the subtree of a joint, if joints are numbered depth first: all joints in [joint, end)
// lie below it. If the joints are not in depth-first order, the range may be larger than the subtree, never
// smaller.
TR_API uint32_t tr_skeleton_subtree_end(const tr_skeleton *skeleton, uint32_t joint);
// Returns whether a joint is a descendant of another, or the same; false if one of them does not exist.
TR_API bool tr_skeleton_hangs_on(const tr_skeleton *skeleton, uint32_t joint, uint32_t above);
// Returns the placement of each joint in the rest pose, with roots relative to the origin of the body
// [joint_count].
TR_API const tr_affine *tr_skeleton_rest_model(const tr_skeleton *skeleton);
// Returns the height of the body in its rest pose: highest joint minus lowest, ends included [m].
TR_API float tr_skeleton_height(const tr_skeleton *skeleton);
// Returns where the body faces in its rest pose, by its left and right thighs and upper arms: the heading
// [rad], 0 along +Z; 0 if it has neither.
TR_API float tr_skeleton_facing(const tr_skeleton *skeleton);
// Returns the components of the turn from the rest rotation of the joint to `rotation`, as its limit measures
// them [rad].
TR_API tr_vec3 tr_skeleton_limit_angles(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation);
// Returns by how much a local rotation exceeds the limit of the joint [rad]; 0 inside or without a limit.
TR_API float tr_skeleton_limit_excess(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation);
// Returns the rotation with each component clamped to the limit.
TR_API tr_quat tr_skeleton_limit_clamp(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation);

TR_END_DECLARATIONS
