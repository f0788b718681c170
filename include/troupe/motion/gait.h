// troupe/motion/gait.h - makes clips from published measurements of human gait: standing, walking, jogging,
// running, starting, stopping, turning.
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_gait_kind {
    TR_GAIT_STAND,     // loops: breathing, a little sway
    TR_GAIT_WALK,      // loops: one stride, beginning with the contact of the left heel
    TR_GAIT_JOG,       // loops
    TR_GAIT_RUN,       // loops
    TR_GAIT_START,     // from standing into the walk, ends at its phase 0
    TR_GAIT_STOP,      // from the walk's phase 0 to standing
    TR_GAIT_TURN_LEFT, // on the spot by `angle`, with steps
    TR_GAIT_TURN_RIGHT,
    TR_GAIT_SIDE_LEFT, // loops: side-steps
    TR_GAIT_SIDE_RIGHT,
    TR_GAIT_STEP_LEFT, // one step aside, from standing to standing: one foot opens, the other follows
    TR_GAIT_STEP_RIGHT,
    TR_GAIT_KINDS
} tr_gait_kind;

typedef struct tr_gait_def {
    const tr_allocator *allocator;
    const tr_skeleton
        *skeleton; // with the roles of hips and legs, and of what else it has: the mannequin or the like
    tr_gait_kind kind;
    // Speed of walk, jog, run, start, stop and side-steps [m/s]; 0: the default of the kind. For a body of
    // 1.75 m: walk, start and stop 0.5 to 1.8 (1.3), jog 1.8 to 3.0 (2.4), run 2.6 to 6.0 (3.5), sideways 0.1
    // to 0.7 (0.5), one step aside 0.05 to 0.3 (0.25) on average. For other bodies the speeds scale with the
    // square root of the length of the leg.
    float speed;
    float angle;              // of a turn [rad, > 0 to pi]; 0: a quarter turn
    double frames_per_second; // 0: 60
} tr_gait_def;

// Makes a clip. The walk follows Boulic, Thalmann & Thalmann 1990. Then the legs fix the feet to the ground
// exactly: in the clip, along its base, no point of contact moves by 0.1 mm or goes below the ground (that of
// the rest pose). The clip has contacts, a base, and events "left_step" and "right_step" where feet come
// down. Toes count as in contact as long as the ball is down; the tip stays down a moment longer. A stride is
// an even number of frames. Start ends and stop begins with the walk of the same speed; both, and turns,
// begin or end in the standing pose. TR_INVALID: the speed is outside the range of the kind (the error gives
// the range), a role is missing, or the legs are too unusual to reach. The same bits everywhere. Making a
// walk takes some hundredths of a second.
TR_API tr_status tr_gait_make(const tr_gait_def *def, tr_clip **clip, tr_error *error);
// The range of speeds of a kind for a skeleton [m/s]; 0 and 0 if the kind does not travel. TR_INVALID: as for
// tr_gait_make.
TR_API tr_status tr_gait_speeds(const tr_skeleton *skeleton, tr_gait_kind kind, float *slowest,
                                float *fastest, tr_error *error);
TR_API const char *tr_gait_name(tr_gait_kind kind); // "walk"
TR_API tr_gait_kind tr_gait_find(const char *name); // TR_GAIT_KINDS for none

TR_END_DECLARATIONS
