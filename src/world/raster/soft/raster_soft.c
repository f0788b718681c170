// The `soft` back end: goes through the objects of a scene and passes their blocks of triangles to the SIMD
// loops.
#include "base/simd_width.h"
#include "raster_soft_depth.h"
#include "raster_soft_place.h"
#include "raster_soft_slice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void (*draw_function)(const soft_job *job);

typedef struct soft_raster {
    tr_raster base;
    tr_tasks *tasks;
    draw_function draw;
    uint32_t lanes;
    soft_slicer slicer;
} soft_raster;

// One thread draws a smaller scene faster than a team does.
#define TRIANGLES_WORTH_THREADS 20000
#define ROWS_WORTH_A_PART 16
#define HEIGHT_ROUNDING 1e-5 // [m]

// The part of a request that is the same for all objects.
static soft_job begin_job(const tr_raster_request *request, tr_cells region) {
    soft_job job = {.slack = tr_raster_slack(&request->grid) *
                             0.9375f, // the rest is a margin for the last rounding
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

// The band for an object with this middle height and reach: an end far beyond the object is moved close to
// it. Nothing is cut there either way, and heights counted from far below would lose their precision.
static void aim_band(soft_job *job, const tr_raster_band *band, double middle, double reach) {
    const double near = 16;
    double low = band->low, high = band->high;
    low = low < middle - reach - near ? (float)(middle - reach - near) : low;
    high = high > middle + reach + near ? (float)(middle + reach + near) : high;
    job->low = (float)low;
    job->height = (float)(high - low);
}

// Composes "place the mesh" and "see it from the grid" in double precision, about the mesh's centre: a scene
// 5 km from the origin then loses no precision. Returns false when the object's box is outside the job's
// cells or the band, as early as possible: when one object has moved, all others are tested too.
static bool aim_job(soft_job *job, const tr_raster_request *request, const tr_affine *placement,
                    tr_vec3 centre, tr_vec3 half) {
    double per_cell = job->per_cell, slack = 2 * job->slack;
    soft_reach x = soft_place_axis(job->exact[0], placement->m[0], per_cell, centre, half);
    job->exact[0][3] = x.middle = (x.middle - request->grid.origin.x) * per_cell;
    if (soft_misses(x, job->column_begin, job->column_end, slack))
        return false;
    soft_reach z = soft_place_axis(job->exact[2], placement->m[2], per_cell, centre, half);
    job->exact[2][3] = z.middle = (z.middle - request->grid.origin.z) * per_cell;
    if (soft_misses(z, job->row_begin, job->row_end, slack))
        return false;
    soft_reach y = soft_place_axis(job->exact[1], placement->m[1], 1, centre, half);
    aim_band(job, &request->band, y.middle, y.reach);
    job->exact[1][3] = y.middle = y.middle - job->low;
    soft_round_matrix(job);
    double rounding_x = soft_rounding(x), rounding_z = soft_rounding(z);
    double rounding = rounding_x > rounding_z ? rounding_x : rounding_z;
    // Heights must be accurate to well below a step of the foot. Where floats are not, doubles are used: the
    // corners themselves are exact (tr_mesh_choose_centre).
    job->needs_double = job->beyond_floats || rounding > job->slack / 2 || soft_rounding(y) > HEIGHT_ROUNDING;
    job->height_slack = job->needs_double ? 1e-7f : (float)(2 * soft_rounding(y));
    job->block_slack = (float)(2 * job->slack + 4 * rounding);
    soft_aim_box(job, x, z);
    return !soft_misses(y, 0, job->height, job->height_slack);
}

static void draw_blocks(const soft_raster *raster, const soft_job *job) {
    if (job->words)
        raster->draw(job);
    if (job->floor)
        tr_raster_soft_draw_heights(job);
}

// Draws all objects with a mesh into one rectangle of cells.
static void draw_meshes(const soft_raster *raster, const tr_raster_request *request, tr_cells region) {
    const tr_scene *scene = request->scene;
    soft_job job = begin_job(request, region);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE ||
            !soft_is_drawn(object, i, request->band.exclude_tags, request->band.exclude_object))
            continue;
        const tr_mesh *mesh = &scene->meshes[object->mesh];
        if (mesh->block_count == 0 || !aim_job(&job, request, &object->placement, mesh->centre, mesh->half))
            continue;
        soft_take_mesh(&job, mesh);
        draw_blocks(raster, &job);
    }
}

// Draws the triangles that a draw callback emits at once, one block at a time.
typedef struct drawing_sink {
    soft_sink base;
    const soft_raster *raster;
    soft_job job;
    float bounds[6 * MESH_STRIDE];
} drawing_sink;

static bool draw_emitted(soft_sink *base) {
    drawing_sink *sink = (drawing_sink *)base;
    sink->job.last_block_triangles = base->count;
    const float half[3] = {base->half.x, base->half.y, base->half.z};
    for (int i = 0; i < 3; i++) {
        sink->bounds[i * MESH_STRIDE] = 0;
        sink->bounds[(i + 3) * MESH_STRIDE] = half[i];
    }
    draw_blocks(sink->raster, &sink->job);
    return true;
}

// Draws objects with callbacks: always on the caller's thread.
static tr_status draw_drawn(const soft_raster *raster, const tr_raster_request *request, tr_error *error) {
    const tr_scene *scene = request->scene;
    const tr_affine identity = tr_affine_identity();
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (!object->drawn.emit ||
            !soft_is_drawn(object, i, request->band.exclude_tags, request->band.exclude_object))
            continue;
        drawing_sink sink = {.raster = raster, .job = begin_job(request, request->region)};
        tr_soft_sink_begin(&sink.base, object, draw_emitted);
        if (!aim_job(&sink.job, request, &identity, sink.base.anchor, sink.base.half))
            continue;
        sink.job.blocks = &sink.base.block;
        sink.job.block_bounds = sink.bounds;
        sink.job.block_count = 1;
        sink.job.block_stride = MESH_STRIDE;
        tr_status status = tr_soft_sink_run(&sink.base, object, i, error);
        if (status != TR_OK)
            return status;
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

// Each part is a band of rows and draws everything that touches it: no two parts write the same word, and a
// region drawn alone has the same cells as in the whole.
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
                       "the soft rasteriser cannot widen: grow the finished cells instead");
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
        (void)error; // draws directly into the planes: no memory is needed
    return TR_OK;
}

static tr_status slice(tr_raster *base, const tr_voxels_request *request, tr_error *error) {
    soft_raster *raster = (soft_raster *)base;
    return tr_soft_slice(&raster->slicer, &base->allocator, raster->tasks, raster->lanes, request, error);
}

static tr_status depth_draw(tr_raster *base, const depth_view *view, const tr_depth_map *map,
                            tr_error *error) {
    return tr_soft_depth_draw(((soft_raster *)base)->lanes, view, map, error);
}

// The `soft` back end has no card, so nothing is read back.
static tr_status depth_hits(tr_raster *base, const depth_view *view, const tr_depth_map *link,
                            tr_depth_comparison comparison, bool *hit, tr_error *error) {
    (void)comparison;
    return tr_soft_depth_hits(((soft_raster *)base)->lanes, view, link, hit, error);
}

static void destroy(tr_raster *base) {
    tr_allocator allocator = base->allocator;
    tr_soft_slicer_clear(&((soft_raster *)base)->slicer, &allocator);
    tr_release(&allocator, base, 1, sizeof(soft_raster));
}

tr_status raster_soft_create(const tr_raster_def *def, tr_raster **raster, tr_error *error) {
    static const raster_functions functions = {.destroy = destroy,
                                               .prepare = prepare,
                                               .submit = submit,
                                               .collect = collect,
                                               .slice = slice,
                                               .depth_draw = depth_draw,
                                               .depth_hits = depth_hits};
    uint32_t widest = simd_widest(), lanes = def->lanes ? def->lanes : widest;
#if defined(__x86_64__)
    if (lanes > widest)
        return tr_fail(error, TR_UNAVAILABLE, "%u lanes requested, this processor supports %u", lanes,
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
    made->lanes = lanes;
    made->draw = lanes == 8 ? tr_raster_soft_draw_8 : tr_raster_soft_draw_4;
    snprintf(made->base.name, sizeof made->base.name, "soft (%u lanes)", lanes);
    *raster = &made->base;
    return TR_OK;
}
