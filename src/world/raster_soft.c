// The `soft` back end: walks the objects of a scene and hands their blocks of triangles to the SIMD loops.
#include "raster_soft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void (*draw_function)(const soft_job *job);

typedef struct soft_raster {
    tr_raster base;
    tr_tasks *tasks;
    draw_function draw;
} soft_raster;

// A scene smaller than this is drawn faster by one thread than it is handed out.
#define TRIANGLES_WORTH_THREADS 20000
#define ROWS_WORTH_A_PART 16
#define HEIGHT_ROUNDING 1e-5 // [m]
#define FLOAT_SAFE 1e30      // products with coordinates below this are finite as floats

// Everything of a request that does not change from object to object.
static soft_job begin_job(const tr_raster_request *request, tr_cells region) {
    soft_job job = {.slack =
                        tr_raster_slack(&request->grid) * 0.9375f, // the rest is room for the last rounding
                    .column_begin = (int32_t)region.column_begin,
                    .column_end = (int32_t)region.column_end,
                    .row_begin = (int32_t)region.row_begin,
                    .row_end = (int32_t)region.row_end,
                    .floor = request->floor,
                    .overhang = request->overhang,
                    .columns = request->grid.columns,
                    .per_cell = 1.0 / request->grid.cell,
                    .split = request->split};
    if (request->occupied) {
        job.words = request->occupied->words;
        job.stride = request->occupied->stride;
    }
    return job;
}

// The band as this object sees it, whose middle height and reach are given: an end far beyond the object is
// moved near it. Nothing is cut there either way, and heights counted from far below would be rounded away.
static void aim_band(soft_job *job, const tr_raster_band *band, double middle, double reach) {
    const double near = 16;
    double low = band->low, high = band->high;
    low = low < middle - reach - near ? (float)(middle - reach - near) : low;
    high = high > middle + reach + near ? (float)(middle + reach + near) : high;
    job->low = (float)low;
    job->height = (float)(high - low);
}

// One axis of an object's box.
typedef struct reach_on_axis {
    double middle, reach;
} reach_on_axis;

// Compose "place the mesh" and `scale` for one axis. Returns the middle of the mesh's box in the world [m]
// and its reach in scaled units.
static reach_on_axis place_axis(double exact[4], const float m[4], double scale, tr_vec3 centre,
                                tr_vec3 half) {
    for (int k = 0; k < 3; k++)
        exact[k] = m[k] * scale;
    reach_on_axis on = {(double)m[0] * centre.x + (double)m[1] * centre.y + (double)m[2] * centre.z + m[3],
                        fabs(exact[0]) * half.x + fabs(exact[1]) * half.y + fabs(exact[2]) * half.z};
    return on;
}

static bool misses(reach_on_axis on, double begin, double end, double slack) {
    return !(on.middle + on.reach + slack >= begin && on.middle - on.reach - slack <= end);
}

// The rows of the matrix as the SIMD loops want them.
static void round_matrix(soft_job *job) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            job->matrix[axis][k] = (float)job->exact[axis][k];
            sum += fabs(job->exact[axis][k]);
        }
        for (int k = 0; k < 3; k++)
            job->matrix_size[axis][k] = fabsf(job->matrix[axis][k]);
    }
    job->beyond_floats = !(sum < FLOAT_SAFE);
    job->upright = job->matrix[0][1] == 0 && job->matrix[2][1] == 0;
}

static double rounding_of(reach_on_axis on) {
    return (fabs(on.middle) + on.reach) * 0x1p-22;
}

// The cells of the job that the object may touch.
static void aim_box(soft_job *job, reach_on_axis x, reach_on_axis z) {
    double column_reach = x.reach + job->block_slack, row_reach = z.reach + job->block_slack;
    job->box.column_first = soft_cell_at(x.middle - column_reach, job->column_begin, job->column_end - 1);
    job->box.column_last = soft_cell_at(x.middle + column_reach, job->column_begin, job->column_end - 1);
    job->box.row_first = soft_cell_at(z.middle - row_reach, job->row_begin, job->row_end - 1);
    job->box.row_last = soft_cell_at(z.middle + row_reach, job->row_begin, job->row_end - 1);
}

// Compose "place the mesh" and "see it from the grid" in double precision, about the mesh's centre: a scene 5
// km from the origin then loses nothing. Returns false when the object's box is outside the job's cells or
// the band: as soon as it is known, for when one object has moved all others are looked at too.
static bool aim_job(soft_job *job, const tr_raster_request *request, const tr_affine *placement,
                    tr_vec3 centre, tr_vec3 half) {
    double per_cell = job->per_cell, slack = 2 * job->slack;
    reach_on_axis x = place_axis(job->exact[0], placement->m[0], per_cell, centre, half);
    job->exact[0][3] = x.middle = (x.middle - request->grid.origin.x) * per_cell;
    if (misses(x, job->column_begin, job->column_end, slack))
        return false;
    reach_on_axis z = place_axis(job->exact[2], placement->m[2], per_cell, centre, half);
    job->exact[2][3] = z.middle = (z.middle - request->grid.origin.z) * per_cell;
    if (misses(z, job->row_begin, job->row_end, slack))
        return false;
    reach_on_axis y = place_axis(job->exact[1], placement->m[1], 1, centre, half);
    aim_band(job, &request->band, y.middle, y.reach);
    job->exact[1][3] = y.middle = y.middle - job->low;
    round_matrix(job);
    double rounding_x = rounding_of(x), rounding_z = rounding_of(z);
    double rounding = rounding_x > rounding_z ? rounding_x : rounding_z;
    // Heights must be right to well below a step of the foot; where floats are not, doubles are: the corners
    // themselves are exact (tr_mesh_choose_centre).
    job->needs_double = job->beyond_floats || rounding > job->slack / 2 || rounding_of(y) > HEIGHT_ROUNDING;
    job->height_slack = job->needs_double ? 1e-7f : (float)(2 * rounding_of(y));
    job->block_slack = (float)(2 * job->slack + 4 * rounding);
    aim_box(job, x, z);
    return !misses(y, 0, job->height, job->height_slack);
}

static void draw_blocks(const soft_raster *raster, const soft_job *job) {
    if (job->words)
        raster->draw(job);
    if (job->floor)
        tr_raster_soft_draw_heights(job);
}

static bool is_drawn(const tr_raster_band *band, const scene_object *object, uint32_t number) {
    return !object->removed && !(object->tags & band->exclude_tags) && number != band->exclude_object;
}

// All objects with a mesh, into one rectangle of cells.
static void draw_meshes(const soft_raster *raster, const tr_raster_request *request, tr_cells region) {
    const tr_scene *scene = request->scene;
    soft_job job = begin_job(request, region);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE || !is_drawn(&request->band, object, i))
            continue;
        const tr_mesh *mesh = &scene->meshes[object->mesh];
        if (mesh->block_count == 0 || !aim_job(&job, request, &object->placement, mesh->centre, mesh->half))
            continue;
        job.blocks = mesh->blocks;
        job.block_bounds = mesh->block_bounds;
        job.block_count = mesh->block_count;
        job.block_stride = mesh->block_stride;
        job.last_block_triangles = mesh->triangle_count - (mesh->block_count - 1) * MESH_BLOCK;
        draw_blocks(raster, &job);
    }
}

// Collects what a draw callback emits into one block at a time.
typedef struct soft_sink {
    tr_triangle_sink base;
    const soft_raster *raster;
    soft_job job;
    mesh_block block;
    float bounds[6 * MESH_STRIDE];
    tr_vec3 anchor; // corners are kept relative to this point
    tr_vec3 half;   // and are no further from it than this
    tr_box allowed; // where corners may be
    uint32_t count; // triangles in the block
    bool broken;    // a corner was not finite or not where it may be
} soft_sink;

static void flush_sink(soft_sink *sink) {
    if (sink->count == 0)
        return;
    sink->job.last_block_triangles = sink->count;
    const float half[3] = {sink->half.x, sink->half.y, sink->half.z};
    for (int i = 0; i < 3; i++) {
        sink->bounds[i * MESH_STRIDE] = 0;
        sink->bounds[(i + 3) * MESH_STRIDE] = half[i];
    }
    draw_blocks(sink->raster, &sink->job);
    sink->count = 0;
}

static void take_triangles(tr_triangle_sink *base, const tr_vec3 *corners, uint32_t count) {
    soft_sink *sink = (soft_sink *)base;
    for (uint32_t i = 0; i < count && !sink->broken; i++) {
        for (int k = 0; k < 3; k++) {
            tr_vec3 corner = corners[3 * (size_t)i + k];
            if (!box_holds(&sink->allowed, corner)) {
                sink->broken = true;
                return;
            }
            tr_vec3 p = tr_vec3_subtract(corner, sink->anchor);
            sink->block.corner[3 * k][sink->count] = p.x;
            sink->block.corner[3 * k + 1][sink->count] = p.y;
            sink->block.corner[3 * k + 2][sink->count] = p.z;
        }
        if (++sink->count == MESH_BLOCK)
            flush_sink(sink);
    }
}

// Objects that draw themselves: always on the caller's thread, whose callbacks they are.
static tr_status draw_drawn(const soft_raster *raster, const tr_raster_request *request, tr_error *error) {
    const tr_scene *scene = request->scene;
    const tr_affine identity = tr_affine_identity();
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (!object->drawn.emit || !is_drawn(&request->band, object, i))
            continue;
        soft_sink sink = {
            .base = {take_triangles}, .raster = raster, .job = begin_job(request, request->region)};
        sink.allowed = drawn_reach(object->bounds);
        tr_mesh_choose_centre(sink.allowed, &sink.anchor, &sink.half);
        if (!aim_job(&sink.job, request, &identity, sink.anchor, sink.half))
            continue;
        sink.job.blocks = &sink.block;
        sink.job.block_bounds = sink.bounds;
        sink.job.block_count = 1;
        sink.job.block_stride = MESH_STRIDE;
        object->drawn.emit(object->drawn.user, &sink.base);
        flush_sink(&sink);
        if (sink.broken)
            return tr_fail(
                error, TR_INVALID,
                "drawn object %u (\"%s\") emitted a corner that is not finite or outside its bounds", i,
                object->name ? object->name : "");
    }
    return TR_OK;
}

static void clear_region(const tr_raster_request *request) {
    tr_cells region = request->region;
    if (request->occupied)
        tr_bitmap_clear_cells(request->occupied, region);
    if (!request->floor)
        return;
    for (uint32_t row = region.row_begin; row < region.row_end; row++)
        for (uint32_t column = region.column_begin; column < region.column_end; column++) {
            request->floor[(size_t)row * request->grid.columns + column] = -INFINITY;
            request->overhang[(size_t)row * request->grid.columns + column] = INFINITY;
        }
}

// Each part is a band of rows and draws all that touches it: no two parts write the same word, and a region
// drawn alone has the same cells as in the whole.
typedef struct row_parts {
    const soft_raster *raster;
    const tr_raster_request *request;
    uint32_t parts;
} row_parts;

static void draw_part(void *user, uint32_t part, uint32_t member) {
    (void)member;
    const row_parts *work = user;
    tr_cells region = work->request->region;
    uint64_t rows = region.row_end - region.row_begin;
    tr_cells rows_of_part = region;
    rows_of_part.row_begin = region.row_begin + (uint32_t)(rows * part / work->parts);
    rows_of_part.row_end = region.row_begin + (uint32_t)(rows * (part + 1) / work->parts);
    draw_meshes(work->raster, work->request, rows_of_part);
}

static tr_status submit(tr_raster *base, const tr_raster_request *request, tr_error *error) {
    soft_raster *raster = (soft_raster *)base;
    if (request->widened)
        return tr_fail(error, TR_UNAVAILABLE,
                       "the soft rasteriser does not widen: grow the finished cells instead");
    clear_region(request);
    tr_cells region = request->region;
    if (region.row_begin == region.row_end || region.column_begin == region.column_end)
        return TR_OK;
    uint32_t members = tr_tasks_members(raster->tasks), rows = region.row_end - region.row_begin;
    row_parts work = {raster, request, 1};
    if (members > 1 && tr_scene_triangle_count(request->scene) >= TRIANGLES_WORTH_THREADS)
        work.parts = rows / ROWS_WORTH_A_PART < 4 * members ? 1 + rows / ROWS_WORTH_A_PART : 4 * members;
    tr_tasks_run(raster->tasks, work.parts, draw_part, &work);
    return draw_drawn(raster, request, error);
}

static tr_status collect(tr_raster *raster, tr_error *error) {
    (void)raster, (void)error;
    return TR_OK;
}

static tr_status prepare(tr_raster *raster, const tr_scene *scene, const tr_grid *grid, tr_error *error) {
    (void)raster, (void)scene, (void)grid,
        (void)error; // draws straight into the planes: there is nothing to make room for
    return TR_OK;
}

static void destroy(tr_raster *base) {
    tr_allocator allocator = base->allocator;
    tr_release(&allocator, base, 1, sizeof(soft_raster));
}

static uint32_t widest_lanes(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? 8 : 4;
#else
    return 4;
#endif
}

tr_status raster_soft_create(const tr_raster_def *def, tr_raster **raster, tr_error *error) {
    static const raster_functions functions = {destroy, prepare, submit, collect};
    uint32_t widest = widest_lanes(), lanes = def->lanes ? def->lanes : widest;
#if defined(__x86_64__)
    if (lanes > widest)
        return tr_fail(error, TR_UNAVAILABLE, "%u lanes were asked for, this processor has %u", lanes,
                       widest);
#endif
    tr_allocator own = tr_allocator_or_default(def->allocator);
    soft_raster *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a rasteriser");
    made->base.functions = &functions;
    made->base.allocator = own;
    made->base.backend = TR_RASTER_SOFT;
    made->tasks = def->tasks;
    made->draw = lanes == 8 ? tr_raster_soft_draw_8 : tr_raster_soft_draw_4;
    snprintf(made->base.name, sizeof made->base.name, "soft (%u lanes)", lanes);
    *raster = &made->base;
    return TR_OK;
}
