// What a tr_traffic holds. Internal to plan/.
#pragma once
#include "climb_walk.h"
#include "troupe/plan/traffic.h"

// One straight motion of a cylinder. Standing for ever before or after has an infinite time and equal ends.
typedef struct traffic_piece {
    double begin, end; // [s]
    tr_vec3 from, to;
    float radius, height;
    uint32_t track;
} traffic_piece;

// A piece, or a part of one, listed under a square of the ground and a slot of time.
typedef struct traffic_entry {
    uint32_t piece, next; // TR_NONE ends the list
    uint32_t hash;
} traffic_entry;

// A span of time when somebody standing at a place would be met.
typedef struct traffic_contact {
    double begin, end;
    uint32_t track;
} traffic_contact;

// A stay without contact at a cell, and the earliest arrival that is known: a node of the search.
typedef struct traffic_node {
    double begin, end;   // of the stay; those of a cell lie one after the other
    double time, waited; // arrival [s], INFINITY: none yet; and how much of it was waiting
    double left;         // least time from here to the goal
    double depart;       // when its parent is left, on the way to here
    uint32_t parent;     // TR_NONE: the start
    uint32_t place;      // in the heap; TR_NONE: not in it
    uint32_t stays;      // of the cell, from this node on; only in its first
    uint32_t cell;
    uint16_t column, row, height; // height in the surface's units
    uint8_t room;
    uint8_t link; // 1 + the link that leads here, modulo 256; 0 on foot
    bool closed;
    bool leaps; // across a gap or along a link: a piece that is not changed afterwards
} traffic_node;

// Where the way turns, waits or begins and ends a leap.
typedef struct traffic_bend {
    climb_spot spot;
    tr_vec3 position;
    double arrive, depart; // depart = arrive: it does not wait
    double begin, end;     // of the stay in which it may wait
    double duration;       // of the leap that ends here
    bool leaps;
} traffic_bend;

struct tr_traffic {
    tr_allocator allocator;
    uint32_t track_count;
    traffic_piece *pieces;
    uint32_t piece_count, piece_max;
    // Lists by square and slot; a power of two of them.
    uint32_t *heads;
    uint32_t head_count;
    traffic_entry *entries;
    uint32_t entry_count, entry_max;
    int64_t slot_first, slot_last; // with anything in them; first > last: none
    // For who stands: every piece once.
    uint32_t *stamps;
    uint32_t stamp, stamp_max;
    traffic_contact *contacts;
    uint32_t contact_count, contact_max;
    // The search: nodes and heap have nodes_max, the slots (cell -> first node) are a power of two above
    // twice that.
    uint32_t nodes_max, node_count, slot_count;
    traffic_node *nodes;
    uint32_t *slots, *heap;
    uint32_t heap_count;
    // The line that comes out of it: TR_TRAFFIC_BENDS_MAX of each.
    traffic_bend *bends;
    tr_climb_point *points;
    uint32_t bend_count;
};

// A cylinder on its way, and whenever it begins.
typedef struct traffic_move {
    tr_vec3 from, to;
    double duration; // [s, >= 0]; INFINITY only where it stands
    float radius, height;
} traffic_move;

// The piece that is met by a move that begins at `depart`, TR_NONE for none.
uint32_t tr_traffic_meet(const tr_traffic *traffic, const traffic_move *move, double depart);
// The piece was met at `depart`: from when on it is not any more.
double tr_traffic_pass(const traffic_piece *piece, const traffic_move *move, double depart);
// Fills `contacts` with the spans after `since` when somebody standing there is met, sorted and joined.
void tr_traffic_contacts(tr_traffic *traffic, tr_vec3 position, float radius, float height, double since);
// List the pieces from number `first` on. false: no memory, nothing is listed.
bool tr_traffic_list(tr_traffic *traffic, uint32_t first);
