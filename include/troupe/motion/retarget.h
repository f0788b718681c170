// troupe/motion/retarget.h - a motion made for one body, worn by another: by the roles of the bones.
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_retarget_params {
    bool keep_feet; // legs of the target are bent so that feet stay as high above the ground and as still as
                    // in the source [true by default]
    bool level_soles; // of whole clips: feet that stand on level ground are made level, where a capture has
                      // them tilted by up to 15 degrees [true by default]
    float scale;      // of travel; 0: length of leg to length of leg, which heights are always scaled by
} tr_retarget_params;
TR_API tr_retarget_params tr_retarget_params_default(void);

// From one skeleton to another, prepared once; both must live as long. Bones are matched by role; the rest
// poses may differ (T-pose, arms down, any axes, any unit, any up axis of joints): each bone turns in the
// world as its model does from a common pose, worked out from where the joints are. Upper and lower arms and
// legs point the same way in the world as in the source (legs where keep_feet is off), soles keep their
// tilt. Roles that the source lacks keep their rest, several spine bones share a bend. The same skeleton
// twice copies. Has room for one pose at a time: one thread at a time. TR_NOT_FOUND: one of the two is no
// humanoid; the error names the missing roles.
typedef struct tr_retarget tr_retarget;
TR_API tr_status tr_retarget_create(const tr_allocator *allocator, const tr_skeleton *from,
                                    const tr_skeleton *to, const tr_retarget_params *params,
                                    tr_retarget **retarget, tr_error *error);
TR_API void tr_retarget_destroy(tr_retarget *retarget); // NULL is allowed
// No allocation. TR_INVALID: another joint count.
TR_API tr_status tr_retarget_pose(tr_retarget *retarget, const tr_pose *from, tr_pose *to);
// A whole clip: rate, labels, events, base and name go along.
TR_API tr_status tr_retarget_clip(tr_retarget *retarget, const tr_clip *from, tr_clip **to, tr_error *error);

TR_END_DECLARATIONS
