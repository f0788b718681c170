// motion/skateboarder/skateboarder_parts.h - the joints of the skateboarder, and how it moves: tracks over
// time, feet, and the pose that follows from them. Internal to motion/. Metres, radians, seconds, in doubles.
#pragma once
#include "motion/gait/gait_parts.h"
#include "motion/cast/skin.h"
#include "troupe/motion/skateboarder.h"

// Root, the joints of the mannequin, and those of the board.
#define TR_SKATER_BODY 1
typedef enum tr_skater_joint {
    TR_SKATER_BOARD = 28,
    TR_SKATER_FRONT_TRUCK,
    TR_SKATER_FRONT_LEFT_WHEEL,
    TR_SKATER_FRONT_RIGHT_WHEEL,
    TR_SKATER_BACK_TRUCK,
    TR_SKATER_BACK_LEFT_WHEEL,
    TR_SKATER_BACK_RIGHT_WHEEL,
    TR_SKATER_JOINTS
} tr_skater_joint;

// The board of a body of 1.75 m. The joint of the board is in the middle of the top of its deck.
#define TR_SKATER_HEIGHT 1.75f
#define TR_SKATER_DECK .105f  // height of the top of the deck
#define TR_SKATER_WHEEL .027f // radius
#define TR_SKATER_AXLE .18f   // from the middle to an axle
#define TR_SKATER_TRACK .075f // from the middle to a wheel
#define TR_SKATER_TUBES 7
extern const tr_tube tr_skater_tubes[TR_SKATER_TUBES]; // paints 1 and 2: the deck, the wheels and trucks
tr_vec3 tr_skater_board_place(uint32_t joint);         // in the axes of the body, at 1.75 m
const char *tr_skater_board_name(uint32_t joint);

// ---------------------------------------------------------------------------------------------------- tracks

#define TR_SKATER_KEYS_MAX 20
// A number over time: smooth between keys, level where it turns back and outside of them.
typedef struct tr_skater_track {
    uint32_t count;
    double time[TR_SKATER_KEYS_MAX], value[TR_SKATER_KEYS_MAX];
} tr_skater_track;
void tr_skater_add_key(tr_skater_track *track, double time, double value);
double tr_skater_track_at(const tr_skater_track *track, double time);

// What a plan says of the body above its feet. Angles are about the vertical relative to the way, forwards,
// and to the side, as in tr_gait_state.
typedef enum tr_skater_number {
    TR_SKATER_SPEED,
    TR_SKATER_COM_UP,    // height of the centre of mass, from where it is when gliding
    TR_SKATER_COM_LEFT,  // of it, beside what gravity and centrifugal force want
    TR_SKATER_COM_AHEAD, // the same along the board
    TR_SKATER_YAW,       // of the pelvis
    TR_SKATER_TILT,
    TR_SKATER_CHEST_YAW,
    TR_SKATER_LEAN, // of the chest
    TR_SKATER_HEAD_YAW,
    TR_SKATER_NOD,
    TR_SKATER_LEFT_FLEXION, // of the arms
    TR_SKATER_LEFT_ABDUCTION,
    TR_SKATER_LEFT_ELBOW,
    TR_SKATER_RIGHT_FLEXION,
    TR_SKATER_RIGHT_ABDUCTION,
    TR_SKATER_RIGHT_ELBOW,
    TR_SKATER_FRONT_YAW,   // of the left foot on the board
    TR_SKATER_FRONT_ALONG, // where it is along the board
    TR_SKATER_PITCH,       // of the board: nose up, about its back axle
    TR_SKATER_NUMBERS
} tr_skater_number;

// Where the right foot is: on the board, or on the ground at a place that is given relative to the base at a
// time. It swings from one to the next.
typedef struct tr_skater_plant {
    double begin, end; // it is there between these times
    bool on_board;
    double anchor, x, z, yaw; // on the ground: time and place of its middle
    double push;              // pitch of the foot when it leaves: heel up
    double lift, aside;       // in the swing that follows: up, and away from the other leg [m]
} tr_skater_plant;
#define TR_SKATER_PLANTS_MAX 12

// Where the base is, and how far it has gone.
typedef struct tr_skater_place {
    double x, z, way;
} tr_skater_place;
#define TR_SKATER_PLACES_RATE 100.0 // [1/s]
#define TR_SKATER_PLACES 520

typedef struct tr_skater_plan {
    double duration;
    bool stands_before, stands_after;
    double turn;                 // of the base
    double flight[2];            // when the board is in the air; equal: never
    double rise;                 // of the board in the air
    double fly_from, fly_to;     // heights of the centre of mass then
    double spring[2], absorb[2]; // when it begins to rise before, and from which height; when it has come
                                 // down, and to which
    tr_skater_track numbers[TR_SKATER_NUMBERS];
    tr_skater_plant plants[TR_SKATER_PLANTS_MAX];
    uint32_t plant_count;
    tr_skater_place places[TR_SKATER_PLACES]; // at steady times
} tr_skater_plan;

#define TR_SKATER_BACK_ALONG -.26 // where the right foot is on the board
#define TR_SKATER_BACK_YAW (-82 * TR_GAIT_DEGREE)
#define TR_SKATER_GLIDE_LEG .90 // of the length of the straighter leg, when gliding

// Times and lengths of a plan are those of a body of 1.75 m.
void tr_skater_make_plan(const tr_skateboarder_clip_def *def, tr_skater_plan *plan);
void tr_skater_find_way(tr_skater_plan *plan);                      // once its speed and duration are known
double tr_skater_plan_way(const tr_skater_plan *plan, double time); // distance since time 0
double tr_skater_plan_heading(const tr_skater_plan *plan, double time);
tr_base tr_skater_plan_base(const tr_skater_plan *plan, double time);

// ----------------------------------------------------------------------------------------------------- poses

// A foot in the axes of the base.
typedef struct tr_skater_foot {
    tr_vec3 ankle;
    tr_quat turn;      // from where it is flat and points ahead
    double toes;       // bent up
    uint32_t contacts; // as if it were the left one
} tr_skater_foot;

// A moment of a plan: everything that does not depend on the body.
typedef struct tr_skater_state {
    double numbers[TR_SKATER_NUMBERS];
    double lean[2];     // to the left, and back: of what gravity and accelerations want
    double com[3];      // where the centre of mass has to be: left, up from gliding, ahead
    double steer, roll; // of the front truck and of the deck, to the left
    double lift, spin;  // of the board; of the wheels
    bool flies;         // the centre of mass has to be where it is
    tr_vec3 board;      // where its joint is, of a body of 1.75 m
    tr_quat board_turn;
} tr_skater_state;

typedef struct tr_skater_rig {
    tr_gait_rig gait;
    double size;                // of the body and its board: 1 at 1.75 m
    double com_glide;           // height of the centre of mass when gliding, at this size
    double miss[2], worst_miss; // of the feet, from their places
    bool heel_up[2];            // the ankle did not bend as far as the foot wanted
} tr_skater_rig;

tr_status tr_skater_rig_create(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_skater_rig *rig,
                               tr_error *error);
void tr_skater_rig_destroy(tr_skater_rig *rig);
// The state of the plan and the feet at a time.
void tr_skater_state_at(const tr_skater_plan *plan, double time, tr_skater_state *state);
void tr_skater_feet_at(const tr_skater_rig *rig, const tr_skater_plan *plan, double time,
                       const tr_skater_state *state, tr_skater_foot feet[2]);
// Poses the rig's body; hips are where the centre of mass wants them.
void tr_skater_pose(tr_skater_rig *rig, const tr_skater_state *state, const tr_skater_foot feet[2]);
