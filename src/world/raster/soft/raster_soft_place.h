// Places objects on the grid for the requests of the `soft` back end, and collects the triangles of drawn
// objects. Internal to world/.
#pragma once
#include "raster_soft.h"

#include <math.h>

#define SOFT_FLOAT_SAFE 1e30 // products with coordinates below this are finite as floats

// One axis of an object's box.
typedef struct soft_reach {
    double middle, reach;
} soft_reach;

// Composes "place the mesh" and `scale` for one axis. Returns the middle of the mesh's box in the world [m]
// and its reach in scaled units.
static inline soft_reach soft_place_axis(double exact[4], const float m[4], double scale, tr_vec3 centre,
                                         tr_vec3 half) {
    for (int k = 0; k < 3; k++)
        exact[k] = m[k] * scale;
    soft_reach on = {(double)m[0] * centre.x + (double)m[1] * centre.y + (double)m[2] * centre.z + m[3],
                     fabs(exact[0]) * half.x + fabs(exact[1]) * half.y + fabs(exact[2]) * half.z};
    return on;
}

static inline bool soft_misses(soft_reach on, double begin, double end, double slack) {
    return !(on.middle + on.reach + slack >= begin && on.middle - on.reach - slack <= end);
}

static inline double soft_rounding(soft_reach on) {
    return (fabs(on.middle) + on.reach) * 0x1p-22;
}

// Rounds the rows of the matrix for the SIMD loops.
static inline void soft_round_matrix(soft_job *job) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            job->matrix[axis][k] = (float)job->exact[axis][k];
            sum += fabs(job->exact[axis][k]);
        }
        for (int k = 0; k < 3; k++)
            job->matrix_size[axis][k] = fabsf(job->matrix[axis][k]);
    }
    job->beyond_floats = !(sum < SOFT_FLOAT_SAFE);
    job->upright = job->matrix[0][1] == 0 && job->matrix[2][1] == 0;
}

// The cells of the job that the object may touch.
static inline void soft_aim_box(soft_job *job, soft_reach x, soft_reach z) {
    double column_reach = x.reach + job->block_slack, row_reach = z.reach + job->block_slack;
    job->box.column_first = soft_cell_at(x.middle - column_reach, job->column_begin, job->column_end - 1);
    job->box.column_last = soft_cell_at(x.middle + column_reach, job->column_begin, job->column_end - 1);
    job->box.row_first = soft_cell_at(z.middle - row_reach, job->row_begin, job->row_end - 1);
    job->box.row_last = soft_cell_at(z.middle + row_reach, job->row_begin, job->row_end - 1);
}

static inline void soft_take_mesh(soft_job *job, const tr_mesh *mesh) {
    job->blocks = mesh->blocks;
    job->block_bounds = mesh->block_bounds;
    job->block_count = mesh->block_count;
    job->block_stride = mesh->block_stride;
    job->last_block_triangles = mesh->triangle_count - (mesh->block_count - 1) * MESH_BLOCK;
}

static inline bool soft_is_drawn(const scene_object *object, uint32_t number, uint32_t exclude_tags,
                                 uint32_t exclude_object) {
    return !object->removed && !(object->tags & exclude_tags) && number != exclude_object;
}

// Collects the triangles that a draw callback emits into one block at a time. The user puts it first in a
// struct of its own and sets `flush`, which takes the `count` triangles of the block; false stops the
// collection.
typedef struct soft_sink soft_sink;
struct soft_sink {
    tr_triangle_sink base;
    bool (*flush)(soft_sink *sink);
    mesh_block block;
    tr_vec3 anchor; // corners are kept relative to this point
    tr_vec3 half;   // their greatest distance from it
    tr_box allowed; // where corners are allowed
    uint32_t count; // triangles in the block
    bool broken;    // a corner was not finite or not where it is allowed
    bool stopped;   // `flush` returned false
};

void tr_soft_sink_begin(soft_sink *sink, const scene_object *object, bool (*flush)(soft_sink *sink));
// Runs the object's callback. TR_INVALID when it emitted an invalid corner; TR_OUT_OF_MEMORY when `flush`
// stopped it.
tr_status tr_soft_sink_run(soft_sink *sink, const scene_object *object, uint32_t number, tr_error *error);
