// troupe/plan/predict.h - where moving things will be: the cells they are about to sweep, as weights to avoid
// or as blocked cells.
#pragma once
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

// Knows how fast the objects of one scene move over the ground: from where they were seen, or as told.
typedef struct tr_predict tr_predict;

// Takes all memory here, for scenes of up to `object_max` objects [1, ...; removed ones count].
TR_API tr_status tr_predict_create(const tr_allocator *allocator, uint32_t object_max, tr_predict **predict,
                                   tr_error *error);
TR_API void tr_predict_destroy(tr_predict *predict); // NULL is allowed

// Look at the scene as it is at `time` [s, later than the last look]. The velocity of an object is how far
// the middle of its bounds moved since then over the time between; 0 at the first look and for a new object.
// TR_INVALID for a time that is not later or not finite, TR_LIMIT for more objects than there is room for:
// nothing was changed.
TR_API tr_status tr_predict_observe(tr_predict *predict, const tr_scene *scene, double time, tr_error *error);
// Say it instead [m/s, finite]; holds until told otherwise. NULL: from what is seen, again. TR_INVALID: no
// room for that object, or a velocity that is not finite.
TR_API tr_status tr_predict_set_velocity(tr_predict *predict, uint32_t object, const tr_vec2 *velocity);
TR_API tr_vec2 tr_predict_velocity(const tr_predict *predict, uint32_t object); // 0 for an unknown one

typedef struct tr_predict_params {
    tr_raster_band band; // which objects: those whose bounds reach into it, less what it leaves out
    float horizon;       // how far ahead to look [s, > 0]
    float radius;        // of the body that is to keep off [m, >= 0]
    float spread;    // by which a thing may be faster or slower than predicted, in any direction [m/s, >= 0]
    float speed_max; // what is faster was put somewhere else, it does not move [m/s, > 0]
    uint8_t weight;  // of a cell that is swept at once; less the later, 0 at the horizon
} tr_predict_params;

// 2 s ahead, radius 0.3 m, spread 0.2 m/s, at most 5 m/s, weight 160 (eleven times the length).
TR_API tr_predict_params tr_predict_params_default(const tr_raster_band *band);

// A thing is its bounds, moving on in a straight line, grown by the radius on all sides and by `spread` as
// time goes on. A cell is swept when they overlap at some time within the horizon. Things at rest sweep
// nothing. Both return TR_INVALID for a parameter out of range: nothing was changed. No allocation.
//
// Raise the weights of the cells that will be swept; higher ones stay. `weights` is for
// tr_route_map_set_weights: columns * rows, begun with 0 or with weights of your own.
TR_API tr_status tr_predict_weigh(const tr_predict *predict, const tr_scene *scene, const tr_grid *grid,
                                  const tr_predict_params *params, uint8_t *weights, tr_error *error);
// Set the cells that will be swept in a bitmap of the grid's size, for tr_route_map_set.
TR_API tr_status tr_predict_block(const tr_predict *predict, const tr_scene *scene, const tr_grid *grid,
                                  const tr_predict_params *params, tr_bitmap *blocked, tr_error *error);

TR_END_DECLARATIONS
