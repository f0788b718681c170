// troupe/motion/skateboarder.h - a mannequin on a skateboard: skeleton, body, and clips of gliding, turning,
// pushing, jumping, ducking and stopping.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/mannequin.h"

TR_BEGIN_DECLARATIONS

// Makes a mannequin with a skateboard. The board is part of the body and as large as the mannequin is high:
// 80 cm long and 20 cm wide for 1.75 m. The root is on the ground under the middle of the board and never
// moves; "hips", which has the joints of the mannequin below it, and "board" hang on it. The trucks of the
// board steer, and its wheels turn. `def` is that of tr_mannequin_make. In the rest pose the body stands on
// the deck and looks ahead. `skeleton` and `body` belong to the caller; `body`
// may be NULL. TR_INVALID: as for tr_mannequin_make.
TR_API tr_status tr_skateboarder_make(const tr_mannequin_def *def, tr_skeleton **skeleton, tr_body **body,
                                      tr_error *error);

typedef enum tr_skateboarder_kind {
    TR_SKATEBOARDER_STAND, // loops: the left foot on the board, the right one on the ground
    TR_SKATEBOARDER_START, // from standing to gliding: three pushes with the right foot
    TR_SKATEBOARDER_GLIDE, // straight, or turning by `turn`
    TR_SKATEBOARDER_PUSH,  // one push while gliding
    TR_SKATEBOARDER_JUMP,  // an ollie: the tail is popped, board and feet rise together
    TR_SKATEBOARDER_DUCK,  // squats on the board
    TR_SKATEBOARDER_WAIT,  // stops, stands for a moment, and starts again
    TR_SKATEBOARDER_END,   // from gliding to standing: brakes with two steps beside the board
    TR_SKATEBOARDER_KINDS
} tr_skateboarder_kind;

typedef struct tr_skateboarder_clip_def {
    const tr_allocator *allocator;
    const tr_skeleton *skeleton; // of tr_skateboarder_make
    tr_skateboarder_kind kind;
    float turn;               // of gliding, to the left [rad, up to 60 degrees]; negative: to the right
    double frames_per_second; // [10 to 1000]; 0: 30
    uint32_t extra_frames; // for blending [even, 0 to 1000]: half of them before the clip and half after it
} tr_skateboarder_clip_def;

// Makes a clip with a base, contacts and the events "push" (the foot comes down), "pop" and "land". The base
// is under the board. Gliding is at 2.5 m/s for a body of 1.75 m; speeds and times grow with the square root
// of the height, as does everything that falls. Clips begin and end standing or gliding straight ahead: those
// that meet have the same pose and the same speed of every joint there.
//
// Feet are locked on the board, or they swing. While a foot is on the ground it is labelled, and no point of
// it moves by 0.1 mm. Nothing is more than 2 mm below the ground. The centre of mass of body and board is
// where gravity and the acceleration of the clip want it, and falls freely while the board is in the air. No
// limit of a joint is exceeded by more than 0.001 rad. TR_INVALID: a value is out of range, the skeleton has
// other joints, or legs of these proportions do not reach; the error says which. The same bits everywhere.
TR_API tr_status tr_skateboarder_clip_make(const tr_skateboarder_clip_def *def, tr_clip **clip,
                                           tr_error *error);

// The behaviors of the skateboarder of Lau & Kuffner 2005, section 3.1: 11 states of one clip each, 835
// frames in all with the 16 extra frames of each clip.
typedef struct tr_skateboarder_behavior {
    const char *name; // "glide", "left", "jump" and so on; static storage
    tr_skateboarder_kind kind;
    float turn;      // [rad]
    float weight;    // of its cost: distance times weight [>= 1]
    uint32_t frames; // at 30 frames per second, for a body of 1.75 m
    uint32_t extra_frames;
    bool stands_before, stands_after; // otherwise it glides
    double action; // when a jump or a duck is executed [s from the first frame of its own]; negative: none
} tr_skateboarder_behavior;
#define TR_SKATEBOARDER_BEHAVIORS 11
TR_API tr_skateboarder_behavior tr_skateboarder_get_behavior(uint32_t number); // a bad number: zeros

TR_END_DECLARATIONS
