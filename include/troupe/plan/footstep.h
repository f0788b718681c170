// troupe/plan/footstep.h - where the feet go along a way: footsteps left and right of it.
//
// Bandi & Thalmann 1998, 3.3.4: the paper puts them on the corners of the cells of the path. Bodies want
// soles that are wholly on a tread, and strides of their own: tr_footstep_plan chooses among all places along
// the way.
#pragma once
#include "troupe/base/archive.h"
#include "troupe/plan/climb.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_footstep {
    uint32_t side;    // 0 left, 1 right
    tr_vec3 position; // under the middle of the sole, on the floor [m]
    float heading;    // where the toes point [rad]
    float support;    // share of the sole that has floor under it at that height [0, 1]
    // How the floor rises under it towards the toes and towards the left, metres a metre: 0 on a tread, the
    // slope on a ramp. The sole lies in that plane.
    float pitch, roll;
} tr_footstep;

// Figure 8: for a path of cells, the next foot on the corner of the next cell on its own side of the line;
// `stride` cells at a time [1, 8]. The first two footsteps are where the feet begin, both in the first cell.
// TR_LIMIT: more than footstep_max, *footstep_count is how many; 2 * cell_count + 2 are enough. TR_INVALID:
// no cells, one outside the surface's grid, a bad stride.
TR_API tr_status tr_footstep_corners(const tr_surface *surface, const tr_climb_cell *cells,
                                     uint32_t cell_count, uint32_t stride, tr_footstep *footsteps,
                                     uint32_t footstep_max, uint32_t *footstep_count);

// Start from tr_footstep_params_default(height).
typedef struct tr_footstep_params {
    float sole_length, sole_width; // [m, 0.01 to 10, together no more than 4000 cells]
    float apart;                   // from the middle of one foot to the other, sideways [m, 0.001 to 10]
    float stride;        // from one foot to the other along the way that is liked best [m, 0.01 to 100]
    float stride_most;   // and at most [m, 0.01 to 100]
    float rise_most;     // between one foot and the next [m, 0 to 100]
    float level;         // floor that differs by no more from the sole's counts as support [m, 0 to 10], 0.02
    float support_least; // [0, 1], 0.7: less is no footstep
    float clear;         // toes and heel keep this far from higher floor [m, 0 to 10], 0.01
} tr_footstep_params;
TR_API tr_footstep_params tr_footstep_params_default(float height);

// Places that are considered along one way, left and right: one every 1.25 cm on ways up to 50 m, every 4 cm
// at most, so that a way may be 160 m long.
#define TR_FOOTSTEP_PLACES_MAX 8192

typedef struct tr_footstep_scratch tr_footstep_scratch;
TR_API tr_status tr_footstep_scratch_create(const tr_allocator *allocator, tr_footstep_scratch **scratch,
                                            tr_error *error);
TR_API void tr_footstep_scratch_destroy(tr_footstep_scratch *scratch);

// Footsteps along `points` (as tr_climb_straighten gives them), the best sequence of all: strides near the
// one that is liked, whole soles, small rises. `feet` are where the left and the right foot stand now, near
// the begin of the way; they may look elsewhere. `first` is the side that moves first (0, 1, or 2 for
// whichever is better). At the end both feet stand side by side. No allocation; the same bits everywhere.
// TR_OK with no footsteps: the feet are there already. TR_NOT_FOUND: no foothold somewhere; `stuck_at` (may
// be NULL) gets how far it went. TR_LIMIT: too long, or more than tread_max: *tread_count is how many there
// are. TR_INVALID: a number is not finite or out of its range. Only TR_OK writes treads.
TR_API tr_status tr_footstep_plan(tr_footstep_scratch *scratch, const tr_surface *surface,
                                  const tr_climb_point *points, uint32_t point_count,
                                  const tr_footstep feet[2], uint32_t first, const tr_footstep_params *params,
                                  tr_footstep *footsteps, uint32_t footstep_max, uint32_t *footstep_count,
                                  tr_vec3 *stuck_at);

// Written or read.
TR_API void tr_footstep_archive(tr_footstep *footstep, tr_archive *archive);

TR_END_DECLARATIONS
