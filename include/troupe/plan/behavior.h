// troupe/plan/behavior.h - a machine of behaviors: states, the moves in them, and which may follow which
// (Lau & Kuffner 2005, 3.1).
//
// A planner sees moves as plain numbers: how far, how long, which room they sweep over time, what may follow.
// It knows neither skeletons nor clips.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// A range of heights above the floor that a body occupies in some posture: upright, over a log (a jump),
// under an arch (a crawl). Band 0 is the upright body; a place that is blocked in band 0 but free in another
// band is a special obstacle of that band.
#define TR_BEHAVIOR_BANDS_MAX 8
typedef struct tr_behavior_band {
    const char *name;
    float low, high; // above the floor [m], 0 <= low < high
    // For going onto what is higher, and down: the edge between two floors is no obstacle of the band, only
    // what is above both of them. Behaviors that serve it happen at such an edge, where the floor rises as
    // they do.
    bool climbs;
} tr_behavior_band;

// A part of the room that a move sweeps: at this frame the body is inside discs of the machine's radius, in
// this band. Long bodies (a crawl, a horse) have several discs at a frame. Between two frames with discs,
// each disc moves in a straight line to the nearest one of the next frame. Moves whose discs begin at frame 0
// and end at the last frame leave no gap where they meet.
typedef struct tr_behavior_disc {
    float x, z;     // from the root where the move begins, in its axes [m]
    uint16_t frame; // in rising order, at most the frames of the move
    uint8_t band;
} tr_behavior_disc;

// One motion clip as numbers (the paper's action a). A heading is measured about +Y and is 0 along +Z.
typedef struct tr_behavior_move {
    const char *name; // may be NULL
    uint32_t clip;    // the caller's number of the motion clip
    float x, z, turn; // change of the root's place, in the axes of its beginning [m], and heading [rad]
    float rise;       // change of the floor's height, for climbing [m]
    float edge;       // of a climb: how far ahead of its beginning the floor changes [m]
    uint32_t frames;  // change of time [1 to TR_BEHAVIOR_FRAMES_MAX]
    uint32_t action;  // frame at which a special motion is executed; TR_NONE: the middle
    float parameter;  // of a parametrised state
    const tr_behavior_disc *discs;
    uint32_t disc_count; // 0: discs of band 0 on a straight line, every tenth of a second and every radius
    const tr_behavior_disc *core; // discs of the machine's core, at frame 0 as well; bands do not count
    uint32_t core_count;
} tr_behavior_move;
#define TR_BEHAVIOR_FRAMES_MAX 65535

// One high-level behavior.
typedef struct tr_behavior_state {
    const char *name;
    const tr_behavior_move *moves; // in a parametrised state by rising parameter, all with equally many discs
                                   // in the same bands
    uint32_t move_count;           // [> 0]
    uint32_t begin, end;           // transition labels [< label_count]
    float weight;                  // cost of a metre [> 0]
    uint32_t serves;               // band of the special obstacles that it is for; 0: an ordinary behavior
    bool parametrised;          // any parameter between those of the first move and the last may be chosen:
                                // the numbers in between are interpolated
    const uint32_t *successors; // numbers of states; NULL: all whose `begin` is this state's `end`
    uint32_t successor_count;
} tr_behavior_state;

typedef struct tr_behavior_def {
    const tr_allocator *allocator; // NULL: malloc
    const char *name;              // of the machine; may be NULL
    const char *const *labels;     // names of the transition labels
    uint32_t label_count;
    uint32_t rest; // label of standing (of a horse that only gallops: of the gallop): plans
                   // begin and end there
    const tr_behavior_band *bands;
    uint32_t band_count;      // [1, TR_BEHAVIOR_BANDS_MAX]
    float radius;             // of the discs [m, > 0]
    double frames_per_second; // of `frames`, [> 0]
    const tr_behavior_state *states;
    uint32_t state_count; // [1, TR_BEHAVIOR_STATES_MAX]
    // The discs of a frame hold the body until the next frame that has discs, or the end of the move: they do
    // not move in between. Then all moves have discs of their own, at frame 0 as well.
    bool discs_hold;
    // Radius of the core of a body [m, >= 0]: characters keep apart with the core discs of their moves, which
    // may leave out what seldom meets anybody; `discs` keep off everything else. Then all moves have core
    // discs, which hold as `discs` do (discs_hold), and no state is parametrised. 0: characters keep apart
    // with `discs`.
    float core;
    float up, down; // additional cost of a metre of height [>= 0]
    float idle; // a move counts as at least this many metres for each of its seconds, so that waiting is not
                // free [m/s, >= 0]; 0: TR_BEHAVIOR_IDLE
} tr_behavior_def;
#define TR_BEHAVIOR_STATES_MAX 4096
#define TR_BEHAVIOR_IDLE 0.1f

// Read-only once created; copies everything. Any number of threads may read it.
typedef struct tr_behavior tr_behavior;

// Checks the machine and creates it. TR_INVALID, with a sentence that names the state and the value: there is
// no state that ends at rest, or none that begins there; a state cannot be reached from rest, or cannot get
// back to rest; a successor begins with another label; a weight is zero, negative or not finite; a move takes
// no time; parameters do not rise; a frame or a band is out of range, and so on.
TR_API tr_status tr_behavior_create(const tr_behavior_def *def, tr_behavior **behavior, tr_error *error);
TR_API void tr_behavior_destroy(tr_behavior *behavior); // NULL is allowed
// Returns the copy, with the successors and discs that were NULL filled in.
TR_API const tr_behavior_def *tr_behavior_def_of(const tr_behavior *behavior);
// Computes the numbers of a parametrised state for a parameter, interpolated between its moves; `name` and
// `clip` are those of the nearer move. `discs` has room for the disc_count of the state's moves (NULL: they
// are not wanted, and move->discs is NULL). TR_INVALID: no such state, the state has no parameter, or the
// parameter is not between those of its moves.
TR_API tr_status tr_behavior_interpolate(const tr_behavior *behavior, uint32_t state, float parameter,
                                         tr_behavior_move *move, tr_behavior_disc *discs);
// Returns the cost of a move of a state on level ground: its weight times the distance, averaged over the
// moves of the state, or that of the parameter in a parametrised state. 0 for a state that does not exist.
TR_API double tr_behavior_cost(const tr_behavior *behavior, uint32_t state, float parameter);
// Changes the weight of a state (a user's preference). Nobody may read the machine meanwhile. TR_INVALID as
// above.
TR_API tr_status tr_behavior_set_weight(tr_behavior *behavior, uint32_t state, float weight, tr_error *error);

TR_END_DECLARATIONS
