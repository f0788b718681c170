// troupe/motion/horse.h - a horse: skeleton, body, and clips of its gallop made from published measurements.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_horse_def {
    const tr_allocator *allocator;
    float height;    // at the withers [m, 0.7 to 2.1]; 0: 1.6
    float color[3];  // of the coat, linear [0, 1]; all 0: bay
    uint32_t detail; // of the mesh: 0 normal (about 8,000 triangles), 1 coarse (about 1,800), for herds
} tr_horse_def;

// Makes a horse. Lengths of bones are fractions of the height at the withers. It stands square on y = 0 and
// faces +Z. Every joint has the identity as rest rotation, so that its axes are the body's: X to the left, Y
// up, Z ahead. A positive turn about X lowers the head, and takes the lower end of a leg backwards. The root
// is the pelvis. Joints have limits and no roles, because a horse is not a human. `skeleton` and `body`
// belong to the caller; `body` may be NULL. TR_INVALID: height, colour or detail out of range.
TR_API tr_status tr_horse_make(const tr_horse_def *def, tr_skeleton **skeleton, tr_body **body,
                               tr_error *error);

// The four legs of tr_horse_make, and the label of each hoof: for callers that hold what touches the ground.
typedef struct tr_horse_leg_joints {
    uint32_t upper, lower, toe; // joints: thigh or humerus, tibia or radius, end of the hoof
    uint32_t contact;           // the label of this hoof
} tr_horse_leg_joints;
#define TR_HORSE_LEG_COUNT 4
TR_API tr_horse_leg_joints tr_horse_get_leg(uint32_t number); // a bad number: zeros

typedef enum tr_horse_kind {
    TR_HORSE_STAND,  // loops: breathes, and moves head, ears and tail a little
    TR_HORSE_GALLOP, // one stride of a transverse gallop on the left lead, from mid-air to mid-air
    TR_HORSE_START,  // from standing to the gallop: four strides that grow
    TR_HORSE_END,    // from the gallop to standing: four strides that shrink
    TR_HORSE_KINDS
} tr_horse_kind;

typedef struct tr_horse_clip_def {
    const tr_allocator *allocator;
    const tr_skeleton *skeleton; // of tr_horse_make, or one with the same joints
    tr_horse_kind kind;
    // Of the gallop [m/s, 4 to 6.5 for a horse of 1.6 m; the range scales with the square root of the
    // height]; 0: 5 m/s, scaled in this way.
    float speed;
    // Turn of the gallop in the clip, to the left [rad]; negative: to the right. Limited by the lean of the
    // horse, which is at most 30 degrees.
    float turn;
    uint32_t frames; // of the clip without extra frames [8 to 1000]; 0: so many that a stride takes the
                     // time that it takes published horses of this speed; 4 s of standing
    double frames_per_second; // [10 to 1000]; 0: 60
    // Frames for blending [even, at most `frames`]: half of them come before the clip and half after it, as
    // the gallop straight ahead. 0: the clip loops if it does not turn.
    uint32_t extra_frames;
} tr_horse_clip_def;

// Makes a clip with a base, contacts and events. All gallops of one speed, rate and number of frames have the
// same pose and the same velocities of all joints at both ends, relative to the base: any of them can follow
// any other.
//
// A hoof is labelled while its toe stands: the left and right hind hooves as TR_CONTACT_LEFT_TOES and
// TR_CONTACT_RIGHT_TOES, the fore hooves as TR_CONTACT_LEFT_HAND and TR_CONTACT_RIGHT_HAND. The end joint of
// a labelled hoof (its toe) moves less than 0.1 mm along the base, and nothing goes below the ground. The
// events "right_hind", "left_hind", "right_fore" and "left_fore" mark footfalls. No limit of a joint is
// exceeded. TR_INVALID: a value is out of range, the turn is too tight for the speed, the skeleton has other
// joints, or a hoof cannot reach its footprint; the error says which. The same bits everywhere.
TR_API tr_status tr_horse_clip_make(const tr_horse_clip_def *def, tr_clip **clip, tr_error *error);

// The behaviors of the horse of Lau & Kuffner 2005, section 3.1: five gallops of 20 frames at 30 frames per
// second, with 12 extra frames each. `kind` to `extra_frames` are those of tr_horse_clip_def, for a horse of
// 1.6 m.
typedef struct tr_horse_behavior {
    const char *name; // "forward", "left", "sharp_left", "right", "sharp_right"; static storage
    float turn;       // [rad]
    float weight;     // of its cost: distance times weight [>= 1]
    float speed;      // [m/s]
    uint32_t frames, extra_frames;
    double frames_per_second;
} tr_horse_behavior;
#define TR_HORSE_BEHAVIORS 5
TR_API tr_horse_behavior tr_horse_get_behavior(uint32_t number); // a bad number: zeros

TR_END_DECLARATIONS
