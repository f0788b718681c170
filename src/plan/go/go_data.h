// plan/go/go_data.h - the memory of a way planner. Internal to go*.c.
//
//   go.c           ways over the ground, for the available room
//   go_lane.c      on one side of corridors
//   go_smooth.c    smoothly around corners
//   go_bend.c      around one corner on an arc
//   go_window.c    a window of nodes around a body: floor, times
//   go_distance.c  distances from the nodes to the end of the way
//   go_around.c    around others, in space and time
//   go_aside.c     out of the way of others
//   go_pace.c      along a way in time, among others whose motions are known
#pragma once
#include "troupe/plan/go.h"

#define GO_STEP 0.25f // from node to node [m]
#define GO_SIDE_MAX 81
#define GO_NODES_MAX (GO_SIDE_MAX * GO_SIDE_MAX)
#define GO_STATES_MAX 16384
#define GO_POINTS_MAX 2048

// Entries with the least key first; of equal keys the least item, so that the order is the same everywhere.
// Keys are at least 0, so their bits have the same order, and an entry is one number: its key above its item.
typedef struct go_heap {
    uint32_t count;
    uint64_t entries[GO_STATES_MAX];
} go_heap;

typedef struct go_entry {
    float key;
    uint32_t item;
} go_entry;

// Nodes by their distances, in bins as wide as the shortest step. A step from a node leads into a later bin,
// so the distances of the nodes of the first bin are final, whatever their order.
#define GO_BINS 256
typedef struct go_bin_entry {
    float key;
    uint32_t node, next; // in the bin; TR_NONE
} go_bin_entry;

typedef struct go_bins {
    float begin;  // begin of the first bin [m]
    uint32_t bin; // bins before it are empty
    uint32_t end; // bins from this one on are empty
    uint32_t count, firsts[GO_BINS];
    go_bin_entry entries[GO_STATES_MAX];
} go_bins;

// A node with the first slot at which it can be reached within one interval of free slots.
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
    uint32_t side; // nodes on a side, odd; the body is in the middle
    tr_vec3 middle;
    uint8_t column[GO_NODES_MAX], row[GO_NODES_MAX];
    float height[GO_NODES_MAX];      // of the floor; NAN: it cannot be reached
    uint8_t steps[GO_NODES_MAX + 8]; // 1 << direction: to an open node, past no corner; read eight at once
    float to_go[GO_NODES_MAX];       // to the end of the way, over static ground [m]; see tr_go_distance
    float rejoins[GO_NODES_MAX];
    uint32_t next[GO_NODES_MAX]; // towards the way; TR_NONE: on it
    uint64_t taken[GO_NODES_MAX], reached[GO_NODES_MAX];
    uint32_t queue[GO_NODES_MAX];
    go_state states[GO_STATES_MAX];
    uint32_t state_count;
    go_heap heap;
    go_bins far;          // for distances
    struct go_pace *pace; // NULL until it is needed
};
void tr_go_free_pace(tr_go *go);
// Sets the kind of room of every stretch of a way.
void tr_go_name_rooms(const tr_ground *ground, const tr_go_query *query, tr_way *way);
// The speed over footsteps, for the times of a way [m/s].
static inline float go_step_speed(const tr_go_query *query) {
    return query->speed < 0.6f ? query->speed : 0.6f;
}

static inline tr_vec2 go_node_point(const tr_go *go, uint32_t node) {
    int half = (int)go->side / 2, column = (int)go->column[node] - half, row = (int)go->row[node] - half;
    tr_vec2 point = {go->middle.x + GO_STEP * (float)column, go->middle.z + GO_STEP * (float)row};
    return point;
}
// Moves the path into its lane.
void tr_go_keep_lane(tr_go *go, const tr_ground *ground, const tr_go_query *query);
// Smooths the corners of the path in the room beside it. It then has at most this many points.
void tr_go_smooth(tr_go *go, const tr_ground *ground, const tr_go_query *query, uint32_t most);

// Is it a node of the window to which the body can walk?
static inline bool go_is_open(const tr_go *go, uint32_t node) {
    return node != TR_NONE && go->height[node] == go->height[node];
}
// TR_NONE: outside the window.
uint32_t tr_go_node_at(const tr_go *go, tr_vec3 point);
// The differences of the numbers of the neighbours in eight directions from that of a node. Even directions
// are straight.
void tr_go_directions(const tr_go *go, int32_t directions[8]);

void tr_go_push(go_heap *heap, float key, uint32_t item); // dropped if the heap is full: it has room for all
go_entry tr_go_pop(go_heap *heap);                        // must not be empty

// Opens a window around the body and finds the floor to which it can walk. `level`: only floor at the height
// of the body's own floor.
void tr_go_open_window(tr_go *go, const tr_ground *ground, const tr_go_walker *walker, uint32_t side,
                       bool level);
// Begins to find the distances from the nodes to the end of the body's way, around standing bodies. Call it
// after tr_go_fill_times. false: the way is not in the window.
bool tr_go_begin_distances(tr_go *go, const tr_go_walker *walker);
// The distance from a node; INFINITY: there is no way. Sets `next` and `rejoins` for this node and those it
// leads to. A distance of `most` or more [m] may be returned as any number from `most` on.
float tr_go_distance(tr_go *go, uint32_t node, float most);
// Finds when each node is taken, as far as a search needs that takes `pace` slots for a step. `slot` [ticks].
tr_status tr_go_fill_times(tr_go *go, const tr_timeline *timeline, const tr_go_walker *walker, uint32_t slot,
                           uint32_t pace);
