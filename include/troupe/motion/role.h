// troupe/motion/role.h - which bone of a human body a joint is, whatever its file calls it.
#pragma once
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// The left side is the character's own; it faces +Z, so its left is +X.
typedef enum tr_role {
    TR_ROLE_NONE, // none of these bones: a finger, a tail, a helper
    TR_ROLE_HIPS, // the pelvis: moves the whole body
    TR_ROLE_SPINE,
    TR_ROLE_CHEST,
    TR_ROLE_UPPER_CHEST,
    TR_ROLE_NECK,
    TR_ROLE_HEAD,
    TR_ROLE_LEFT_SHOULDER, // the collar bone
    TR_ROLE_LEFT_UPPER_ARM,
    TR_ROLE_LEFT_FOREARM,
    TR_ROLE_LEFT_HAND,
    TR_ROLE_LEFT_THIGH,
    TR_ROLE_LEFT_SHANK,
    TR_ROLE_LEFT_FOOT,
    TR_ROLE_LEFT_TOES,
    TR_ROLE_RIGHT_SHOULDER,
    TR_ROLE_RIGHT_UPPER_ARM,
    TR_ROLE_RIGHT_FOREARM,
    TR_ROLE_RIGHT_HAND,
    TR_ROLE_RIGHT_THIGH,
    TR_ROLE_RIGHT_SHANK,
    TR_ROLE_RIGHT_FOOT,
    TR_ROLE_RIGHT_TOES,
    TR_ROLE_COUNT
} tr_role;

TR_API const char *tr_role_name(tr_role role); // "left_thigh"; static storage
TR_API tr_role tr_role_mirror(tr_role role);   // the role on the other side; itself in the middle
// Returns the role with that name, or TR_ROLE_NONE if there is none.
TR_API tr_role tr_role_find(const char *name);

// One joint, as read from a file.
typedef struct tr_role_joint {
    const char *name;
    uint32_t parent;  // a lower number, or TR_NONE
    tr_vec3 position; // in the rest pose, in the axes of the body [any unit]
} tr_role_joint;

// Guesses the role of every joint from names (CMU, Bandai-Namco, Mixamo, VRM, Blender, 3ds Max and similar,
// in any case, with or without prefixes) and, where names say nothing, from the tree and the rest pose. Each
// role goes to one joint at most, and along a limb roles follow the hierarchy. Returns how many of the 15
// required roles (hips, spine, head, upper arms, forearms, hands, thighs, shanks, feet; not shoulders and
// toes) were found: 15 is a humanoid. `roles` has room for `count`. Pure.
TR_API uint32_t tr_role_guess(const tr_role_joint *joints, uint32_t count, tr_role *roles);

#define TR_ROLE_NEEDED 15

TR_END_DECLARATIONS
