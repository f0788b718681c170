// Shared by the files of plan/path.
//
// Shortest ways over rectangles, as in Polyanya (Cui, Harabor, Grastien 2017): a node is an interval on a
// portal and the point (the root) that sees all of it. Its successors are what is visible through it and, if
// it ends at a corner, what is visible from there. All lengths are in cells. A leap over a gap moves the root
// along with it: a way over a gap is straight if it would be straight without the gap.
#pragma once
#include "troupe/plan/path.h"
#include "world/ground/ground_data.h"

typedef enum path_kind {
    PATH_PORTAL, // an interval of a portal
    PATH_TARGET, // arrived: at a goal, or where a link begins
    PATH_START   // a point that sees all portals of a rectangle: the start, or the end of a link
} path_kind;

enum { PATH_LOW = 1, PATH_HIGH = 2 }; // the two ends of an interval

typedef struct path_node {
    double cost;      // of the way to the root, plus rises and leaps since
    double root_cost; // to the root alone
    double root_x, root_z;
    double line;                // x or z of the interval
    double low, high;           // its ends along the other axis
    double low_cost, high_cost; // of reaching them
    uint32_t parent;            // TR_NONE for the first
    uint32_t root;              // number of the vertex, TR_NONE: none
    uint32_t ends[2];           // vertices at its ends, where ways may bend
    uint32_t portal;            // its number
    uint32_t tile;              // into which it leads
    uint16_t rect;
    uint8_t kind;
    uint8_t direction; // of the portal
    uint8_t corners;   // PATH_LOW, PATH_HIGH: ways may bend there
    uint8_t bend;      // PATH_LOW, PATH_HIGH: the way to the root bends at that end of the parent's interval
    uint8_t steps;     // of the portal: a leap if more than 1
    uint16_t before, height; // of the floor before and after the portal [units]
    uint16_t root_height;    // up to which the cost of the root counts
    double entry;            // the part of the cost for the portal itself
    uint32_t target;         // PATH_TARGET: number; PATH_START: the link that led here, TR_NONE
} path_node;

typedef struct path_entry {
    double total;
    uint32_t node;
} path_entry;

// A goal, or the start of a link.
typedef struct path_target {
    double x, z;
    double rest; // least cost from here to a goal
    uint32_t tile;
    uint16_t rect;
    uint16_t height; // [units]
    uint32_t goal;   // TR_NONE: a link
    uint32_t link;
    bool backwards; // the link is used from `to` to `from`
    bool taken;     // the link was used: the first time was the cheapest
} path_target;
#define PATH_TARGETS_MAX (TR_PATH_GOALS_MAX + 2 * TR_GROUND_LINKS_MAX)

// A point of the way while it is traced back: its position and its rectangle.
typedef struct path_corner {
    double x, z;         // [cells]
    int8_t off_x, off_z; // direction in which it is moved a little, off the corner of a cell
    uint32_t tile;
    uint16_t rect;
    uint8_t move;
    bool fixed; // it must not be left out
    uint32_t link;
} path_corner;

typedef struct path_root {
    double cost;
    uint16_t height;
    uint32_t stamp;
} path_root;

// What is known of a portal: the least costs of reaching three places of it. From any of them a way can
// continue along the portal.
typedef struct path_known {
    double at, cost; // the place with the least cost
    double begin_cost, end_cost;
    double through,
        through_cost; // a root on the portal that saw everything behind it, and its cost
    uint32_t stamp;
} path_known;

struct tr_path {
    tr_allocator allocator;
    path_node *nodes;
    path_entry *heap;
    path_entry hand;   // one more entry; node TR_NONE: none
    path_root *roots;  // of each vertex: the least cost so far
    path_known *known; // of each portal
    path_corner *corners;
    tr_path_point *points;
    uint32_t node_count, node_capacity, heap_count, heap_capacity, root_capacity, known_capacity;
    uint32_t corner_count, corner_capacity, point_capacity;
    uint32_t stamp;
    path_target targets[PATH_TARGETS_MAX];
    uint32_t target_count;
    uint32_t estimated; // targets that the estimate uses: the first ones
    const tr_ground *ground;
    const ground_size *size;
    double up, down; // a unit of height, in cells
    tr_path_result result;
    bool no_memory;
    uint32_t node_max; // 0: no limit
    bool full;         // the limit was exceeded
};

#define PATH_CORNERS_MAX 1024 // limit for searches with a limit of nodes

// Reserves memory for the vertices and portals of a size. false: no memory.
bool tr_path_make_room(tr_path *path, uint32_t vertices, uint32_t portals);
void tr_path_forget_stamps(tr_path *path); // all vertices and portals become unknown

// The cost of a change of height [cells].
static inline double path_charge(const tr_path *path, uint16_t from, uint16_t to) {
    return to > from ? path->up * (to - from) : path->down * (from - to);
}

// Searches from `start`, which stands in a rectangle. TR_OK, TR_NOT_FOUND, TR_PARTIAL, TR_OUT_OF_MEMORY;
// `last` gets the last node of the way.
tr_status tr_path_search(tr_path *path, double x, double z, uint32_t tile, uint16_t rect, uint16_t height,
                         tr_search_budget budget, uint32_t *last);
// Writes the points of the way to a node to path->points and path->result. false: no memory.
bool tr_path_trace(tr_path *path, uint32_t last);
