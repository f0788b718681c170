// troupe/plan/field.h - the distance to the nearest goal from every cell: one flood, shared by any number of
// characters.
#pragma once
#include "troupe/plan/route.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_field tr_field;

// Creates a field for maps of up to `node_count` nodes. Allocates all memory, about 13 bytes a node; nothing
// allocates afterwards.
TR_API tr_status tr_field_create(const tr_allocator *allocator, uint32_t node_count, tr_field **field,
                                 tr_error *error);
TR_API void tr_field_destroy(tr_field *field); // NULL is allowed

// Finds the cheapest path from every cell to the nearest of these goals (free nodes). The costs are those of
// tr_route_find with the same metric, neighbours, corners and weights. Method, reach, budget and listener are
// not used. TR_INVALID: a goal is not free, or a parameter is out of range. TR_LIMIT: the map has more nodes
// than the field was created for, or a cost exceeds 2^31 - 2.
TR_API tr_status tr_field_flood(tr_field *field, const tr_route_map *map, const tr_route_params *params,
                                const uint32_t *goals, uint32_t goal_count, tr_error *error);

// Returns the cost from a node in the last flood; UINT32_MAX if no goal can be reached from it. Any number of
// threads may read at once, while the map lives and does not change.
TR_API uint32_t tr_field_cost(const tr_field *field, uint32_t node);
// Returns the neighbour to step to on a cheapest path: the node itself at a goal, TR_NONE where no goal can
// be reached. On a map that has changed since the flood, a step may cost more than necessary, or be TR_NONE
// where the path is closed, but it never leads into a blocked cell or back.
TR_API uint32_t tr_field_next(const tr_field *field, uint32_t node);
// Writes the whole path from `start`, goal included, into `cells` (room for `cell_max`). TR_NOT_FOUND: there
// is none. TR_LIMIT: the path has more cells; `cell_count` receives their number, and the first `cell_max`
// are written.
TR_API tr_status tr_field_path(const tr_field *field, uint32_t start, uint32_t *cells, uint32_t cell_max,
                               uint32_t *cell_count);
// Returns the number of cells from which a goal can be reached.
TR_API uint64_t tr_field_reached(const tr_field *field);

TR_END_DECLARATIONS
