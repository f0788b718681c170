// troupe/world/profile.h - the ground profile along a path: how high the floor is under a foot, and what a
// foot or a shin must clear, cut from the triangles of a solid.
//
// A strip of cells follows the path. For each cell the profile holds the exact height of the floor at its
// centre and the highest point of all geometry in it. What lies above knee height over the floor that can be
// reached is an overhang and not floor: table tops, branches, upper storeys. Cutting a window of a few metres
// takes microseconds, so a profile is not repaired when things move: it is cut again.
#pragma once
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_profile tr_profile;

#define TR_PROFILE_COLUMNS_MAX 4096
#define TR_PROFILE_ROWS_MAX 64
#define TR_PROFILE_POINTS_MAX 256 // of a path

// Start from tr_profile_def_default().
typedef struct tr_profile_def {
    const tr_allocator *allocator; // NULL: malloc
    float cell;                    // length of a cell along the path [m, 0.005 to 0.5], 0.02
    float row;                     // width of a cell across the path [m, 0.005 to 0.5], 0.02
    uint32_t columns;              // room along the path [1 to TR_PROFILE_COLUMNS_MAX], 256
    uint32_t rows;                 // across it [1 to TR_PROFILE_ROWS_MAX], 24
    uint32_t triangles;            // room for the triangles beside one leg of the path [1 to 2^24], 8192
} tr_profile_def;
TR_API tr_profile_def tr_profile_def_default(void);

// Only this call allocates. A profile serves one thread at a time.
TR_API tr_status tr_profile_create(const tr_profile_def *def, tr_profile **profile, tr_error *error);
TR_API void tr_profile_destroy(tr_profile *profile); // NULL is allowed

typedef struct tr_profile_query {
    const tr_solid *solid;
    const tr_vec2 *points; // the path, seen from above [m]
    uint32_t point_count;  // [2 to TR_PROFILE_POINTS_MAX]; points that coincide are skipped
    float height;          // of the floor at the beginning of the path [m]
    float knee;            // geometry that begins higher than this over the floor is an overhang [m, > 0]
    // The floor that can be reached from a place is the highest one along this much of the path behind it:
    // the length of the longest step [m, >= 0].
    float reach;
} tr_profile_query;

// Cuts the profile. The strip covers the whole path; its length is rounded up to whole cells. TR_INVALID: a
// value is not finite or out of range, or the path has no length. TR_LIMIT: the path has more columns than
// the profile has room for, or there are too many triangles. On failure the profile is empty. Allocates
// nothing; the same bits everywhere.
TR_API tr_status tr_profile_cut(tr_profile *profile, const tr_profile_query *query, tr_error *error);

// The cells, column by column: the cell of column i and row j is number i * rows + j. Column i begins at i *
// cell along the path. Row j begins at (j - rows / 2) * row to the left of the path. Valid until the profile
// is cut again.
typedef struct tr_profile_view {
    float cell, row; // [m]
    uint32_t columns, rows;
    const float *floor; // height at the centre of the cell, exact [m]; -INFINITY: no floor
    // The highest point of the floor and of everything that stands on it, anywhere in the cell: never too
    // low; exact where a triangle covers the cell [m]. -INFINITY: nothing.
    const float *top;
    const float *under; // the lowest point of an overhang, never too high [m]; INFINITY: none
} tr_profile_view;
TR_API tr_profile_view tr_profile_look(const tr_profile *profile);

// Converts between the world and the path: metres along it and metres to its left. A place before the
// beginning or behind the end lies on the extension of the first or last leg.
TR_API tr_vec2 tr_profile_place(const tr_profile *profile, float along, float aside, float *heading);
TR_API void tr_profile_find(const tr_profile *profile, tr_vec2 point, float *along, float *aside);

TR_END_DECLARATIONS
