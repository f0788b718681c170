// Shared by the files of comply. Internal.
//
// The motion of a limb is the preferred motion plus an offset. The offset is a uniform quadratic B-spline:
// segment j, of `stride` frames, depends on the control points j, j + 1 and j + 2. A node of the roadmap is a
// control point at its time: a pose of a lattice, or the preferred motion itself. The pair of the last two
// control points is position and velocity at the end of the segment. So every path of the roadmap is a motion
// with continuous velocity, and the segment that is certified is the one that will be played.
#pragma once
#include "troupe/plan/comply.h"

#define COMPLY_STRIDE_MAX 16
#define COMPLY_MOVES_MAX 81 // 3^4
#define COMPLY_SPARE 0.002f // kept in addition to margins, so that a plan can be certified again [m]
#define COMPLY_LINKS_ALL 7u

// Lengths of the paths of angles up to each frame, for bounds of the motion between frames [rad].
typedef struct comply_path {
    float swing, rotation, elbow; // of an arm; of the waist: `swing` alone
} comply_path;

// The angles of a limb in successive frames, the first of which is `first`.
typedef struct comply_track {
    float (*q)[TR_COMPLY_ARM_ANGLES];
    comply_path *path;
    uint32_t first;
} comply_track;

// Pelvis and trunk in the middle of a stretch, and how far they move within it.
typedef struct comply_base {
    tr_affine pelvis, trunk;
    float way, turn, swing;
} comply_base;
#define COMPLY_BASES 8 // stretches of a segment whose bases are kept: whole, halves, quarters

// What a capsule met.
typedef struct comply_block {
    tr_comply_kind kind;
    uint32_t id;
    float time;               // [frames]
    tr_solid_capsule capsule; // for TR_COMPLY_SCENE: looked up when it is reported
} comply_block;

typedef struct comply_node {
    float c[TR_COMPLY_ARM_ANGLES]; // the control point [rad]
    float cost;
    uint32_t parent, cell, slot;
    uint32_t stamp;  // of the newest member of the roadmap when it was expanded
    uint16_t stage;  // segments up to here
    uint8_t state;   // comply_node_state
    uint8_t on_path; // of the result
    uint8_t grown;   // added by growing, not a member before
    uint8_t exact;   // on the lattice or preferred; otherwise of a start or of a guess
} comply_node;
enum { COMPLY_OPEN, COMPLY_FREE, COMPLY_BLOCKED };

typedef struct comply_item {
    float key;
    uint32_t node;
} comply_item;
typedef struct comply_heap {
    comply_item *items;
    uint32_t count;
} comply_heap;

// What is fixed for a limb.
typedef struct comply_lattice {
    uint32_t dimensions;
    uint8_t axis[TR_COMPLY_ARM_ANGLES];                          // the angle of each dimension
    float low[TR_COMPLY_ARM_ANGLES], high[TR_COMPLY_ARM_ANGLES]; // limits of all angles of the limb
    uint32_t angles;                                             // of the limb
    float weight[TR_COMPLY_ARM_ANGLES];                          // of departing from the preferred motion
    float step;                                                  // between nodes [rad]
    float speed, acceleration; // most change and most second difference of control points
    int32_t first[TR_COMPLY_ARM_ANGLES], last[TR_COMPLY_ARM_ANGLES]; // nodes, in steps from 0, by dimension
    uint32_t cells;    // of the lattice; the cell of this number is the preferred motion
    uint32_t *members; // by cell: the stamp at which the cell joined the roadmap
} comply_lattice;

struct tr_comply {
    tr_allocator allocator;
    tr_comply_def def;
    comply_lattice lattices[TR_COMPLY_LIMBS];
    uint32_t controls_max;
    // The window.
    tr_comply_query query;
    uint32_t frames, segments;
    float generous;        // room that the waist leaves for the arms as well [m]
    float room, self_room; // what is kept now: a margin, and what a new plan keeps in addition [m]
    uint32_t lead;         // frames of the first segment that lie before the window
    float *headings;       // unwrapped
    float *ways, *turns;   // path lengths of the pelvis up to each frame [m, rad]
    float *mover_paths, *other_paths, *leg_paths; // up to each frame, thing by thing [m]
    float *mover_reach;                           // of the farthest point of a mover from its origin [m]
    uint8_t *others_near;                         // by segment and other person: within reach of any pose
    float reach;                                  // of any pose, from the pelvis [m]
    float (*aims)[TR_COMPLY_WAIST_ANGLES]; // by control point: the departure of the waist to look for first
    bool *quiet;                    // by segment: the preferred motion of everything is clear of the world
    tr_comply_pose *preferred_rate; // by frame [rad/frame]
    float (*usual[TR_COMPLY_LIMBS])[TR_COMPLY_ARM_ANGLES]; // control points of the preferred motion
    // The motion.
    float (*control[TR_COMPLY_LIMBS])[TR_COMPLY_ARM_ANGLES]; // of this plan
    float (*kept[TR_COMPLY_LIMBS])[TR_COMPLY_ARM_ANGLES];    // of the last plan that was found
    // By control point: smoothing found it at rest, and nothing has moved around it since.
    uint8_t *rests[TR_COMPLY_LIMBS], *kept_rests[TR_COMPLY_LIMBS];
    uint32_t kept_segments, kept_lead, kept_frames; // no segments: there is none
    uint32_t shift; // from control points of this plan to those of the last; TR_NONE: it is no guess
    comply_track tracks[TR_COMPLY_LIMBS]; // all frames of the limbs that are planned
    comply_base *bases;                   // by segment and stretch, of the waist that was found
    uint8_t *bases_known;                 // by segment: bits of stretches
    bool folded;                          // the waist is searched with the folded arms as parts of the trunk
    tr_comply_part folded_parts[2 * TR_ARM_LINKS];
    // The search.
    comply_node *nodes;
    uint32_t node_count, limb_begin[TR_COMPLY_LIMBS + 1];
    uint32_t checks_end; // of this attempt
    uint32_t *table;     // of states that were reached
    uint32_t table_size, stamp;
    comply_heap open, grow;
    // Reports.
    tr_comply_pose *poses, *velocities;
    tr_comply_result result;
    comply_block block; // at which the search that came furthest ended
    uint32_t block_stage;
};

static inline tr_arm_side comply_side(tr_comply_limb limb) {
    return limb == TR_COMPLY_LEFT_ARM ? TR_ARM_LEFT : TR_ARM_RIGHT;
}
static inline const float *comply_preferred(const tr_comply *comply, tr_comply_limb limb, uint32_t frame) {
    const tr_comply_pose *pose = &comply->query.preferred[frame];
    return limb == TR_COMPLY_WAIST ? pose->waist : pose->arms[comply_side(limb)];
}
static inline float comply_greater(float a, float b) {
    return a > b ? a : b;
}
static inline float comply_lesser(float a, float b) {
    return a < b ? a : b;
}

// Of the body.
tr_status tr_comply_check_def(const tr_comply_def *def, tr_error *error);
tr_status tr_comply_check_same_limits(const tr_comply_body *a, const tr_comply_body *b, tr_error *error);

// The joints of an arm in the axes of the trunk: shoulder, elbow, wrist, tip. `bend` receives the sine of the
// elbow.
void tr_comply_arm_points(const tr_arm *arm, const float q[TR_COMPLY_ARM_ANGLES], tr_vec3 points[4],
                          float *bend);
// From the axes of the trunk to those of the pelvis.
tr_affine tr_comply_trunk(const tr_comply_body *body, const float waist[TR_COMPLY_WAIST_ANGLES]);
// From the axes of the pelvis to the world.
tr_affine tr_comply_pelvis(tr_vec3 position, float heading);

// Of the window.
tr_status tr_comply_check_query(const tr_comply *comply, const tr_comply_query *query, tr_error *error);
void tr_comply_measure(tr_comply *comply); // path lengths of everything that moves
// Continues the spline of the last plan if the body follows it; otherwise begins one.
void tr_comply_continue(tr_comply *comply);
// Writes the control points that are given, and returns their number: two, or three if the window begins
// inside a segment.
uint32_t tr_comply_start(const tr_comply *comply, tr_comply_limb limb, float start[3][TR_COMPLY_ARM_ANGLES]);
// The frame at which segment j begins.
static inline uint32_t comply_frame_of(const tr_comply *comply, uint32_t segment) {
    uint32_t frame = segment * comply->def.stride;
    frame = frame > comply->lead ? frame - comply->lead : 0;
    return frame < comply->frames - 1 ? frame : comply->frames - 1;
}
// The angles and path lengths of segment j from its three control points.
void tr_comply_trace(const tr_comply *comply, tr_comply_limb limb, uint32_t segment,
                     const float *const control[3], comply_track *track);
// A spline at a frame, `lead` frames of which lie before the first, and its velocity [rad per frame].
void tr_comply_offset(const float (*control)[TR_COMPLY_ARM_ANGLES], uint32_t segments, uint32_t stride,
                      uint32_t frame, float offset[TR_COMPLY_ARM_ANGLES], float rate[TR_COMPLY_ARM_ANGLES]);

// Is the limb clear of everything during the segment? `track` has its angles there; limbs before it are taken
// from comply->tracks. Otherwise writes what it met.
bool tr_comply_clear(tr_comply *comply, tr_comply_limb limb, uint32_t segment, const comply_track *track,
                     bool quiet, comply_block *block);
// Aims of the waist: none; or those that are found, after the quiet segments (false: none).
void tr_comply_clear_aims(tr_comply *comply);
bool tr_comply_find_aims(tr_comply *comply);
static inline bool comply_is_aimed(const tr_comply *comply, uint32_t index) {
    const float *aim = comply->aims[index];
    return aim[0] != 0 || aim[1] != 0 || aim[2] != 0;
}
// Marks the segments in which the whole body, moving as preferred, is clear of the world.
void tr_comply_find_quiet(tr_comply *comply);

// Bound and test of one set of links or parts against the world.
typedef struct comply_swept {
    tr_solid_capsule capsule;
    float bound; // how far it moves within the stretch [m]
} comply_swept;
// Returns the bits of those that are not certified; UINT32_MAX: one touches. `block` says what was nearest.
// `stretch` is begin, middle and end [frames]; the capsules are those of the middle.
uint32_t tr_comply_world(tr_comply *comply, const comply_swept *swept, uint32_t mask, const float stretch[3],
                         comply_block *block);
// Finds the other people who are within reach, segment by segment.
void tr_comply_find_near(tr_comply *comply);
// A path length at a time, and the greater of its lengths before and after the middle of a stretch.
float tr_comply_path_at(const float *path, float time, uint32_t frames);
float tr_comply_span(const float *path, const float stretch[3], uint32_t frames);
tr_solid_capsule tr_comply_capsule_at(const tr_solid_capsule *capsules, uint32_t in_frame, uint32_t number,
                                      float time, uint32_t frames);
bool tr_comply_apart(const tr_solid_capsule *a, const tr_solid_capsule *b, float room);

// Sets the room to keep: the margins, and the spare room unless the motion was certified with it before.
static inline void comply_set_room(tr_comply *comply, bool again) {
    float spare = again ? 0 : COMPLY_SPARE;
    comply->room = comply->def.margin + spare + (again ? 0 : comply->generous);
    comply->self_room = comply->def.self_margin + spare;
}
// Is the segment free?
bool tr_comply_try(tr_comply *comply, tr_comply_limb limb, uint32_t segment, const float *const control[3],
                   comply_block *block);
// Is the control point within the limits of angles? Are three successive ones, in speed and acceleration?
bool tr_comply_within(const tr_comply *comply, tr_comply_limb limb, uint32_t index, const float *point);
bool tr_comply_gentle(const tr_comply *comply, tr_comply_limb limb, const float *a, const float *b,
                      const float *c);

// The roadmap.
tr_status tr_comply_lattice_create(tr_comply *comply, tr_comply_limb limb, tr_error *error);
uint32_t tr_comply_cell(const comply_lattice *lattice, const int32_t n[TR_COMPLY_ARM_ANGLES]);
bool tr_comply_in_lattice(const comply_lattice *lattice, const int32_t n[TR_COMPLY_ARM_ANGLES]);
void tr_comply_round(const comply_lattice *lattice, const float *point, int32_t n[TR_COMPLY_ARM_ANGLES]);
// Makes the common patterns members. Returns the stamp from which on cells are members in this search.
uint32_t tr_comply_begin_members(tr_comply *comply, tr_comply_limb limb);
// Finds control points. TR_OK, TR_NOT_FOUND (comply->block says why), TR_PARTIAL: no room for more nodes.
tr_status tr_comply_search(tr_comply *comply, tr_comply_limb limb);
// Moves control points towards the preferred motion and towards even motion, as far as segments stay
// certified.
void tr_comply_smooth(tr_comply *comply, tr_comply_limb limb);
