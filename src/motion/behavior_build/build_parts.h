// motion/behavior_build/build_parts.h - what the builders of a behavior machine share: captures worn by one
// body, and what is measured in them. Internal to motion/.
#pragma once
#include "troupe/motion/behavior_build.h"

// Points of the body that poses are compared by.
typedef enum build_point {
    BUILD_HIPS,
    BUILD_HEAD,
    BUILD_LEFT_ARM,
    BUILD_RIGHT_ARM,
    BUILD_LEFT_ELBOW,
    BUILD_RIGHT_ELBOW,
    BUILD_LEFT_HAND,
    BUILD_RIGHT_HAND,
    BUILD_LEFT_KNEE,
    BUILD_RIGHT_KNEE,
    BUILD_LEFT_ANKLE,
    BUILD_RIGHT_ANKLE,
    BUILD_LEFT_TOES,
    BUILD_RIGHT_TOES,
    BUILD_POINTS
} build_point;

// The body that wears all captures.
typedef struct build_body {
    const tr_skeleton *skeleton;
    uint32_t joints[BUILD_POINTS];
    float leg;  // from hip to sole, stretched [m]
    float head; // height of the head when it stands upright [m]
} build_body;

// One frame of a capture.
typedef struct build_frame {
    tr_vec3 points[BUILD_POINTS];   // in the world, with the ground at height 0
    tr_vec3 velocity[BUILD_POINTS]; // [m/s]
    tr_base base;
    float low[2];       // the lower of heel and ball of each foot, above the ground
    tr_vec3 sole[2][2]; // heel and ball of each foot
    bool down[2];       // is the foot on the ground?
    float hand[2];      // the lowest point of each hand
    float speed;        // of the base over the ground [m/s]
    float stir;         // mean speed of the points [m/s]
    float turning;      // of the base [rad/s]
    uint8_t contacts;   // tr_contact
} build_frame;

// A capture, cleaned and worn by the body, at the rate at which it is examined.
typedef struct build_track {
    uint32_t capture;
    bool mirrored;
    tr_clip *clip; // with base and contacts, on ground of height 0
    build_frame *frames;
    uint32_t count;
    uint32_t skipped; // frames of the capture left out at its beginning
    double rate;
    char why[100]; // it could not be worn; "" otherwise
} build_track;

// What a moment of a capture is, at which it may be cut.
typedef enum build_moment {
    BUILD_STRIKES_LEFT,  // the left foot comes down
    BUILD_STRIKES_RIGHT, // the right foot comes down
    BUILD_RESTS,         // stands
    BUILD_MOMENTS
} build_moment;

// What a body does that is more than steps, over some frames.
typedef enum build_feat { BUILD_FLIES, BUILD_CRAWLS, BUILD_DUCKS, BUILD_FEATS } build_feat;
typedef struct build_deed {
    uint32_t track;
    build_feat feat;
    uint32_t begin, end, action; // frames; `end` is the last
    float value;                 // how high the feet are, or how low the head is [m]
} build_deed;

typedef struct build_event {
    uint32_t track, frame;
    build_moment moment;
    uint32_t label;               // TR_NONE: like no other
    tr_vec3 points[BUILD_POINTS]; // in the axes of the base
    tr_vec3 velocity[BUILD_POINTS];
} build_event;

typedef struct build_events {
    build_event *items;
    uint32_t count, capacity;
    build_deed *deeds;
    uint32_t deed_count, deed_capacity;
} build_events;

// Appends the events and the deeds of a track.
tr_status build_events_find(const tr_allocator *allocator, const build_body *body, const build_track *track,
                            uint32_t number, build_events *events, tr_error *error);
void build_events_destroy(const tr_allocator *allocator, build_events *events);
// How unlike two events are [leg lengths].
float build_event_distance(const build_body *body, const build_event *a, const build_event *b);

// --- The job ---

typedef struct build_label {
    uint32_t event; // that it was made for
    bool rests;
    bool dead;       // it leads nowhere
    uint32_t number; // of the result
} build_label;

// A piece while it is looked at.
typedef struct build_piece {
    uint32_t track, begin, end; // frames of the track; `end` is the last
    uint32_t labels[2];
    tr_behavior_piece_kind kind;
    uint32_t action; // frame of the track
    float height;
    bool runs;         // neither foot is down at times
    const char *fault; // NULL: can be used
    uint32_t state;
} build_piece;

typedef struct build_job {
    tr_allocator allocator;
    const tr_behavior_build_def *def;
    build_body body;
    float tolerance;
    double rate;    // of the clips made
    uint32_t times; // frames of a track for one of theirs
    uint32_t extra, clips_max;
    build_track *tracks; // a track without a clip could not be worn
    uint32_t track_count;
    build_events events;
    build_label *labels;
    uint32_t label_count;
    uint32_t rest; // label
    bool never_stands;
    build_piece *pieces;
    uint32_t piece_count, piece_capacity;
    tr_behavior_build *made;
} build_job;

// Labels all events that may be the end of a piece, and moves them to where they fit best.
tr_status build_labels_find(build_job *job, tr_error *error);
// Cuts all tracks at events whose labels can be reached from rest and lead back. Chooses the label of rest.
tr_status build_pieces_cut(build_job *job, tr_error *error);
// Groups pieces into states, and names these.
tr_status build_states_group(build_job *job, tr_error *error);
// Cuts the clips out of the tracks, and fills in the report.
tr_status build_clips_cut(build_job *job, tr_error *error);
// Way of the root over a piece.
tr_base build_piece_way(const build_job *job, const build_piece *piece);
double build_piece_seconds(const build_job *job, const build_piece *piece);
float build_body_speed(const build_body *body); // sqrt(g * leg) [m/s]
float build_body_rate(const build_body *body);  // sqrt(g / leg) [1/s]
bool build_label_lives(const build_job *job, uint32_t label);
uint32_t build_label_moments(const build_job *job, uint32_t label); // how often it is met
// Fills in place and speeds of an event from the frame that it is at.
void build_event_set(const build_track *track, build_event *event);

// A multiple of the rate of the clips made.
double build_track_rate(const tr_behavior_build_def *def);
// Finds how many frames at the beginning of a clip are added poses.
tr_status build_clean_added(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                            uint32_t *skipped, tr_error *error);
// Takes out spins of joints and noise; replaces *clip.
tr_status build_clean(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_clip **clip,
                      tr_error *error);
// Lifts what is below the ground of a clip that has a base.
tr_status build_floor_keep(const tr_allocator *allocator, const build_body *body, tr_clip *clip,
                           tr_error *error);
// The joint that is furthest from a joint it hangs on; the joint itself if nothing hangs on it.
uint32_t build_tip_of(const tr_skeleton *skeleton, uint32_t joint);
tr_status build_body_measure(const tr_skeleton *skeleton, build_body *body, tr_error *error);
// Zero is a valid track.
tr_status build_track_make(const tr_allocator *allocator, const build_body *body,
                           const tr_behavior_build_def *def, uint32_t capture, build_track *track,
                           tr_error *error);
tr_status build_track_mirror(const tr_allocator *allocator, const build_body *body, const build_track *from,
                             build_track *track, tr_error *error);
void build_track_destroy(const tr_allocator *allocator, build_track *track);
