// plan/go_data.h - the memory of a planner of going. Internal to go*.c.
//
//   go.c         ways over the ground, in the room that there is
//   go_lane.c    to one side of corridors
//   go_bend.c    around corners on arcs
//   go_window.c  a window of nodes around a walker: floor, times
//   go_distance.c  how far it is from each of them
//   go_around.c  around others, in space and time
//   go_aside.c   out of the way of others
//   go_pace.c    along a way in time, among others whose motions are known
#pragma once
#include "troupe/plan/go.h"

#define GO_STEP 0.25f // from node to node [m]
#define GO_SIDE_MAX 81
#define GO_NODES_MAX (GO_SIDE_MAX * GO_SIDE_MAX)
#define GO_STATES_MAX 16384
#define GO_POINTS_MAX 2048

// Entries with the least key first; of equal keys the least item, so that the order is the same everywhere.
// Keys are at least 0: as bits they are in the same order, and an entry is one number, its key above its
// item.
typedef struct go_heap {
    uint32_t count;
    uint64_t entries[GO_STATES_MAX];
} go_heap;

typedef struct go_entry {
    float key;
    uint32_t item;
} go_entry;

// Nodes by their distances, in bins as wide as the shortest step. A step from a node leads into a later bin,
// so that the nodes of the first bin are as near as they will ever be, whatever their order.
#define GO_BINS 256
typedef struct go_bin_entry {
    float key;
    uint32_t node, next; // in the bin; TR_NONE
} go_bin_entry;

typedef struct go_bins {
    float begin;  // where the first bin begins [m]
    uint32_t bin; // bins before it are empty
    uint32_t end; // and those from this one on
    uint32_t count, firsts[GO_BINS];
    go_bin_entry entries[GO_STATES_MAX];
} go_bins;

// A node at a time, in the first slot at which it can be reached within one interval of free slots.
typedef struct go_state {
    uint32_t node, parent;
    float price; // of passing others on the left, on the way here [slots]
    uint8_t slot;
} go_state;

struct tr_go {
    tr_allocator allocator;
    tr_path *path;
    tr_path_point points[GO_POINTS_MAX];
    uint32_t point_count;
    // The window.
    uint32_t side; // nodes on a side, odd; the walker is in the middle
    tr_vec3 middle;
    uint8_t column[GO_NODES_MAX], row[GO_NODES_MAX];
    float height[GO_NODES_MAX];      // of the floor; NAN: cannot be reached
    uint8_t steps[GO_NODES_MAX + 8]; // 1 << direction: to an open node, past no corner; eight at once
    float to_go[GO_NODES_MAX];       // to the end of the way, over static ground [m]; see tr_go_distance
    float rejoins[GO_NODES_MAX];
    uint32_t next[GO_NODES_MAX]; // towards the way; TR_NONE: on it
    uint64_t taken[GO_NODES_MAX], reached[GO_NODES_MAX];
    uint32_t queue[GO_NODES_MAX];
    go_state states[GO_STATES_MAX];
    uint32_t state_count;
    go_heap heap;
    go_bins far;          // of distances
    struct go_pace *pace; // once it is asked for
};
void tr_go_free_pace(tr_go *go);
// Says of every stretch of a way how much room it has.
void tr_go_name_rooms(const tr_ground *ground, const tr_go_query *query, tr_way *way);
// Over footsteps, for the times of a way [m/s].
static inline float go_step_speed(const tr_go_query *query) {
    return query->speed < 0.6f ? query->speed : 0.6f;
}

static inline tr_vec2 go_node_point(const tr_go *go, uint32_t node) {
    int half = (int)go->side / 2, column = (int)go->column[node] - half, row = (int)go->row[node] - half;
    tr_vec2 point = {go->middle.x + GO_STEP * (float)column, go->middle.z + GO_STEP * (float)row};
    return point;
}
// Move the path into its lane.
void tr_go_keep_lane(tr_go *go, const tr_ground *ground, const tr_go_query *query);
// Round its corners, as long as it has no more than so many points.
void tr_go_round_bends(tr_go *go, const tr_ground *ground, const tr_go_query *query, uint32_t most);

// A node of the window that can be walked to.
static inline bool go_is_open(const tr_go *go, uint32_t node) {
    return node != TR_NONE && go->height[node] == go->height[node];
}
// TR_NONE: outside the window.
uint32_t tr_go_node_at(const tr_go *go, tr_vec3 point);
// How far the number of the neighbour in each of eight directions is from that of a node. Even ones are
// straight.
void tr_go_directions(const tr_go *go, int32_t directions[8]);

void tr_go_push(go_heap *heap, float key, uint32_t item); // left out when it is full: it has room for all
go_entry tr_go_pop(go_heap *heap);                        // not when empty

// Open a window around the walker and find the floor in it: all that can be walked to. `level`: only what is
// as high as the walker's own floor.
void tr_go_open_window(tr_go *go, const tr_ground *ground, const tr_go_walker *walker, uint32_t side,
                       bool level);
// Begin to find how far it is from every node to the end of the walker's way, around those who stand; after
// the times. false: the way is not in the window.
bool tr_go_begin_distances(tr_go *go, const tr_go_walker *walker);
// How far it is from a node; INFINITY: there is no way. `next` and `rejoins` are known then, for this node
// and those that it leads to. What is `most` or more [m] may be said to be any distance from `most` on.
float tr_go_distance(tr_go *go, uint32_t node, float most);
// When each node is taken, as far as a search that takes `pace` slots for a step asks. `slot` [ticks].
tr_status tr_go_fill_times(tr_go *go, const tr_timeline *timeline, const tr_go_walker *walker, uint32_t slot,
                           uint32_t pace);
