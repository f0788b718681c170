// How a timeline is stored. Internal to world/.
//
// Time is divided into chunks of 16 ticks that begin at multiples of 16. A track is stored from the chunk in
// which it begins to the one in which it ends. Ticks before the first position hold the first position, and
// ticks after the last hold the last: that is where the body is then. So the chunks of any two tracks cover
// the same times, and no chunk is partly filled.
#pragma once
#include "world/scene/scene_data.h"
#include "trajectory_data.h"
#include "troupe/world/timeline.h"

#define CHUNK 16u // ticks
#define CHUNK_TICKS(tick) ((tick) & ~(uint64_t)(CHUNK - 1))
#define CHUNKS_FOR(ticks) (((ticks) + 2 * CHUNK - 2) / CHUNK) // wherever in its first chunk the motion begins
#define TICK_LIMIT ((uint64_t)1 << 52) // ticks are exact as doubles, with room for the length of a motion
#define LEVELS 28u                     // of the index: cells of 2 m to 2^28 m
#define SOLE_HAIR 1e-4                 // [m], see tr_timeline_meets

typedef struct flat_box {
    float min_x, max_x, min_z, max_z, min_y, max_y;
} flat_box;

// Stored positions: a track, or the motion of a query.
typedef struct laid_track {
    const float *x, *z, *y;     // from tick `first` on, chunk_count * CHUNK of them
    const flat_box *boxes;      // of the positions in each chunk
    uint64_t first, begin, end; // ticks: of x[0], of the first and of the last position
    uint32_t chunk_count;
    float step, rise; // the greatest displacement in a tick, sideways and in height; rounded up
    float radius, height;
} laid_track;

// The data of a body that a search for neighbours reads, 32 bytes: the box of its whole motion, radius and
// height included, and its neighbours in the list of an index cell.
typedef struct body_node {
    flat_box box;
    uint32_t next, previous; // bodies; TR_NONE
} body_node;

// The track of a body and all its numbers, in one block: data that is read first comes first.
typedef struct body_block {
    laid_track track;
    uint32_t chunks;  // room
    flat_box boxes[]; // then x, z, y
} body_block;

typedef struct body_place {
    uint32_t slot; // of the index; TR_NONE: there is no such body
    uint32_t level;
} body_place;

// A rectangle that moves in a straight line during one tick, seen from above.
typedef struct moving_rectangle {
    float x, z, move_x, move_z; // its middle when the tick begins, and its displacement in the tick
    float along_x, along_z;     // direction of its first side, a unit vector
    float half_along, half_across;
    float low, high; // heights
} moving_rectangle;

// A moving object.
typedef struct moving_object {
    uint32_t object;
    bool is_known;          // by a trajectory; else extrapolated
    uint64_t begin, end;    // the ticks of its motion, [begin, end); a ring holds those of a known one
    moving_rectangle still; // where it rests after the end (known), or is now (extrapolated)
    moving_rectangle drift; // the first tick of an extrapolated one
    tr_transform last;      // of a known one, at the end
    moving_rectangle *ring; // by tick % ring_ticks; NULL for an extrapolated one
    flat_box *ring_boxes;   // of whole chunks
    flat_box box;           // of everything from now on
} moving_object;

// The state of an object between two calls of tr_timeline_watch.
typedef struct object_memory {
    uint64_t revision, trajectory_revision;
    double change_begin, change_end; // the next time at which its trajectory changes; INFINITY: never
    tr_box bounds;
    uint32_t mover; // TR_NONE
    bool is_there;
} object_memory;

struct tr_timeline {
    tr_allocator allocator;
    double tick;
    uint32_t ticks_max, track_chunks;
    float doubt, speed_max;
    uint32_t sight_ticks, doubt_ticks, ring_ticks;
    uint64_t now;
    // bodies
    body_node *nodes;
    body_block **blocks; // kept when a body is removed
    body_place *places;
    uint32_t node_capacity, block_capacity, place_capacity;
    uint32_t body_count, body_live, free_body; // removed ones are chained by `next`
    uint32_t *heads;                           // of the lists of index cells
    uint32_t head_count;                       // a power of two; 0 at first
    uint32_t level_counts[LEVELS];
    uint32_t levels; // a bit for each level that has bodies
    // objects
    const tr_scene *scene;
    uint64_t scene_identity, scene_revision, last_look;
    uint64_t looked_tick; // an unfinished look: its tick, and
    uint32_t looked_at;   // the object at which it continues
    double scene_offset;  // the scene's time at tick 0 that the trajectories were sampled with
    object_memory *objects;
    uint32_t object_capacity, object_count;
    moving_object *movers;
    uint32_t mover_capacity, mover_count;
    uint64_t *moving;
    uint32_t moving_capacity;
};

// --- timeline.c ---
typedef struct track_room {
    float *x, *z, *y;
    flat_box *boxes;
} track_room;
// Whether all are finite and inside the world.
bool tr_timeline_is_sound(const tr_vec3 *positions, uint32_t count);
// Stores positions in `room`, which holds CHUNKS_FOR(count) chunks.
void tr_timeline_lay(track_room room, uint64_t begin, const tr_vec3 *positions, uint32_t count,
                     laid_track *laid);
flat_box tr_timeline_box(const laid_track *laid); // of all positions
// Adds a number with a block, at the head of the free ones. false: no memory.
bool tr_timeline_add_number(tr_timeline *timeline, uint32_t *number);
// Sets the motion of a body that has a number, whenever the motion begins.
void tr_timeline_store(tr_timeline *timeline, uint32_t number, uint64_t begin, const tr_vec3 *positions,
                       uint32_t count);
static inline bool body_is_there(const tr_timeline *timeline, uint32_t body) {
    return body < timeline->body_count && timeline->places[body].slot != TR_NONE;
}
// The most ticks of a motion of this body; of others, those of all bodies.
static inline uint32_t tr_timeline_room(const tr_timeline *timeline, uint32_t body) {
    bool more = body_is_there(timeline, body) && timeline->blocks[body]->chunks > timeline->track_chunks;
    return more ? (timeline->blocks[body]->chunks - 1) * CHUNK + 1 : timeline->ticks_max;
}
static inline bool is_measure(float value) { // false for NaN
    return value >= 0 && value <= TR_SCENE_EXTENT_MAX;
}
// The index into a laid track at a tick.
static inline uint32_t laid_index(const laid_track *laid, uint64_t tick) {
    if (tick <= laid->first)
        return 0;
    uint64_t past = tick - laid->first, last = (uint64_t)laid->chunk_count * CHUNK - 1;
    return (uint32_t)(past < last ? past : last);
}
static inline bool boxes_apart(const flat_box *a, const flat_box *b) {
    return a->min_x > b->max_x || a->max_x < b->min_x || a->min_z > b->max_z || a->max_z < b->min_z ||
           a->min_y > b->max_y || a->max_y < b->min_y;
}
static inline flat_box box_join(flat_box a, flat_box b) {
    flat_box both = {a.min_x < b.min_x ? a.min_x : b.min_x, a.max_x > b.max_x ? a.max_x : b.max_x,
                     a.min_z < b.min_z ? a.min_z : b.min_z, a.max_z > b.max_z ? a.max_z : b.max_z,
                     a.min_y < b.min_y ? a.min_y : b.min_y, a.max_y > b.max_y ? a.max_y : b.max_y};
    return both;
}
static inline float box_far(float low, float high) {
    return high > -low ? high : -low;
}
// Grows the box by more than the rounding error of floats.
static inline flat_box box_grow(flat_box box, float sideways, float below, float above) {
    float x = box_far(box.min_x, box.max_x), z = box_far(box.min_z, box.max_z),
          room = sideways + (sideways + (x > z ? x : z)) * 4e-7f,
          hair = (box_far(box.min_y, box.max_y) + below + above) * 4e-7f;
    flat_box grown = {box.min_x - room, box.max_x + room,         box.min_z - room,
                      box.max_z + room, box.min_y - below - hair, box.max_y + above + hair};
    return grown;
}

// --- timeline_index.c ---
// Makes room for one more body. false: no memory, nothing was changed.
bool tr_timeline_index_reserve(tr_timeline *timeline);
void tr_timeline_index_put(tr_timeline *timeline, uint32_t body, const flat_box *box); // adds or moves it
void tr_timeline_index_take(tr_timeline *timeline, uint32_t body);
// Calls `visit` once for every body whose box may meet the box, in no particular order.
void tr_timeline_index_visit(const tr_timeline *timeline, const flat_box *box,
                             void (*visit)(void *user, uint32_t body), void *user);

// --- timeline_object.c ---
// The rectangle of an object seen from above: its mesh's box, placed.
moving_rectangle tr_timeline_rectangle(const tr_scene *scene, const scene_object *object);
// The motion of an object between two times of the scene [s], by its trajectory; none when they are the same.
// `at` is its transform at the first time, and afterwards that at the second.
moving_rectangle tr_timeline_sample(const tr_scene *scene, const scene_object *object, double from, double to,
                                    tr_transform *at);
flat_box tr_timeline_rectangle_box(const moving_rectangle *rectangle); // during the whole tick
// The first interval in which the trajectory changes and that ends after `time`; both INFINITY: never again.
void tr_timeline_next_change(const tr_trajectory *trajectory, double time, double *begin, double *end);

// --- timeline_watch.c ---
// Creates the mover of an object that has none; it gets a ring when `is_known`. false: no memory.
bool tr_timeline_restore_mover(tr_timeline *timeline, const moving_object *mover);
void tr_timeline_mark_movers(tr_timeline *timeline); // in `moving`
bool tr_timeline_reserve_objects(tr_timeline *timeline, const tr_scene *scene);
// The rectangle of a mover in the tick that begins at `tick`. false: it is not known at that time.
bool tr_timeline_mover_at(const tr_timeline *timeline, const moving_object *mover, uint64_t tick,
                          moving_rectangle *rectangle);
// Whether the current place of a mover counts as occupied from now on, and the place: the mover may stop
// there, or not leave at all.
bool tr_timeline_may_stay(const tr_timeline *timeline, const moving_object *mover, moving_rectangle *place);

// --- timeline_clash.c ---
// The first meeting with an object; replaces `meeting` if it is earlier.
void tr_timeline_meets_objects(const tr_timeline *timeline, const tr_timeline_motion *motion,
                               const laid_track *own, uint64_t from, tr_timeline_meeting *meeting);
