// troupe/io/moving_ai.h - reads the grid maps and scenarios of the Moving AI Lab, the common benchmark of
// path planners.
#pragma once
#include "troupe/io/file.h"
#include "troupe/world/grid.h"

TR_BEGIN_DECLARATIONS

// Reads a .map text ("type octile", height, width, map, then rows of . G @ O T S W). '.', 'G' and 'S' are
// free, the rest is blocked. Column 0 is the first character, row 0 the first line. The grid has cells of 1 m
// and its origin at 0. On failure nothing is written and the error has the line: TR_BAD_FILE, TR_LIMIT for a
// size beyond the limits of tr_grid, TR_OUT_OF_MEMORY. Memory is allocated only for rows that exist in the
// text. Destroy the bitmap with the same allocator.
TR_API tr_status tr_moving_ai_read_map(const tr_allocator *allocator, const void *text, size_t size,
                                       tr_grid *grid, tr_bitmap *blocked, tr_error *error);

typedef struct tr_moving_ai_query {
    uint32_t line; // in the file, from 1
    uint32_t bucket;
    uint32_t map_width, map_height; // as the scenario states them
    uint32_t start_column, start_row, goal_column, goal_row;
    double optimal; // optimal length: 8 neighbours, sqrt 2, no corners cut
} tr_moving_ai_query;

typedef struct tr_moving_ai_scenario {
    tr_moving_ai_query *queries;
    uint32_t count, capacity;
    uint32_t decimals; // the most decimals of any length: the file's lengths were rounded to these
} tr_moving_ai_scenario;

// Reads a .scen text (version 1). Checks that all numbers are present and that cells lie inside the stated
// size. On failure nothing is written and the error has the line.
TR_API tr_status tr_moving_ai_read_scenario(const tr_allocator *allocator, const void *text, size_t size,
                                            tr_moving_ai_scenario *scenario, tr_error *error);
TR_API void tr_moving_ai_free_scenario(const tr_allocator *allocator, tr_moving_ai_scenario *scenario);

// Returns true if `length` is the optimal length of a query, to the precision of the file. The two may differ
// by at most 1e-5 * max(1, optimal), the precision of six digits, or by half a unit of the last decimal where
// all lengths of the file were rounded to two or more decimals: older files write 2.83 for two diagonal
// steps. Returns false for a length that is not finite.
TR_API bool tr_moving_ai_agrees(const tr_moving_ai_scenario *scenario, uint32_t query, double length);

TR_END_DECLARATIONS
