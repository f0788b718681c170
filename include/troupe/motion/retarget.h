// troupe/motion/retarget.h - transfers a motion made for one body to another, by the roles of the bones.
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_retarget_params {
    bool keep_feet; // bends the legs of the target so that feet stay as high above the ground and as still as
                    // in the source [true by default]
    bool level_soles; // whole clips only: levels feet that stand on level ground, if a capture has them
                      // tilted by up to 15 degrees [true by default]
    float scale;      // factor of travel; 0: ratio of the lengths of the legs, which always scales heights
    // Motions of the source: its anatomy is learned from them, and its rest pose does not matter. None: the
    // rest pose must be that of a body that stands, and its axis from hips to head is up [none by default].
    // Read by tr_retarget_create only.
    const tr_clip *const *motions;
    uint32_t motion_count;
    bool trust_rest; // uses the motions only if the body does not stand in its rest pose: for characters,
                     // whose rest pose was made with their skin [false by default]
} tr_retarget_params;
TR_API tr_retarget_params tr_retarget_params_default(void);

// A prepared transfer from one skeleton to another; both must outlive it. Bones are matched by role. The rest
// poses may differ (T-pose, arms down, any axes, any unit, any up axis of joints): each bone turns in the
// world as the matching bone of the source does, from a common pose that is worked out from the positions of
// the joints, at rest or in the motions. Upper and lower arms and legs point the same way in the world as in
// the source (legs only if keep_feet is off), and soles keep their tilt. Roles that the source lacks keep
// their rest pose. Several spine bones share a bend. Retargeting a skeleton to itself copies the motion. Has
// room for one pose: use it from one thread at a time. TR_NOT_FOUND: one of the two is not a humanoid; the
// error names the missing roles. TR_INVALID: a parameter is out of range, a body does not stand in its rest
// pose, or a bone has no length; the error says which.
typedef struct tr_retarget tr_retarget;
TR_API tr_status tr_retarget_create(const tr_allocator *allocator, const tr_skeleton *from,
                                    const tr_skeleton *to, const tr_retarget_params *params,
                                    tr_retarget **retarget, tr_error *error);
TR_API void tr_retarget_destroy(tr_retarget *retarget); // NULL is allowed
// No allocation. TR_INVALID: another joint count.
TR_API tr_status tr_retarget_pose(tr_retarget *retarget, const tr_pose *from, tr_pose *to);
// Retargets a whole clip. Rate, labels, events, base and name are carried along.
TR_API tr_status tr_retarget_clip(tr_retarget *retarget, const tr_clip *from, tr_clip **to, tr_error *error);

TR_END_DECLARATIONS
