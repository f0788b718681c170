// troupe/plan/field.h - how far it is to the nearest goal from everywhere: one flood, shared by any number of
// characters.
#pragma once
#include "troupe/plan/route.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_field tr_field;

// For maps of up to so many nodes. All memory is taken here, about 13 bytes a node; nothing allocates
// afterwards.
TR_API tr_status tr_field_create(const tr_allocator *allocator, uint32_t node_count, tr_field **field,
                                 tr_error *error);
TR_API void tr_field_destroy(tr_field *field); // NULL is allowed

// Find the cheapest way from every cell to the nearest of these goals (free nodes), with the metric,
// neighbours, corners and weights that tr_route_find would use: the costs are the same. Method, reach, budget
// and listener are not used. TR_INVALID: a goal is not free, a parameter is out of range. TR_LIMIT: more
// nodes than the field was made for, or a cost beyond 2^31 - 2.
TR_API tr_status tr_field_flood(tr_field *field, const tr_route_map *map, const tr_route_params *params,
                                const uint32_t *goals, uint32_t goal_count, tr_error *error);

// Of the last flood; any number of threads may ask at once, while the map lives and is not changed.
// UINT32_MAX: no goal can be reached from there.
TR_API uint32_t tr_field_cost(const tr_field *field, uint32_t node);
// The neighbour to step to on a cheapest way; the node itself at a goal, TR_NONE where no goal can be
// reached. Over a map that was changed since the flood a step may be dearer than it need be, or TR_NONE where
// the way is closed, but it never leads into a blocked cell or back.
TR_API uint32_t tr_field_next(const tr_field *field, uint32_t node);
// The whole way from `start`, goal included, into `cells` (room for `cell_max`). TR_NOT_FOUND: there is none.
// TR_LIMIT: it has more cells; `cell_count` says how many and the first `cell_max` are there.
TR_API tr_status tr_field_path(const tr_field *field, uint32_t start, uint32_t *cells, uint32_t cell_max,
                               uint32_t *cell_count);
// Cells that a goal can be reached from.
TR_API uint64_t tr_field_reached(const tr_field *field);

TR_END_DECLARATIONS
