// Which blocks of triangles reach into which tiles.
#include "raster_soft_place.h"
#include "raster_soft_slice.h"

#include <string.h>

// A block over more tiles than this is looked at by every tile, instead of being listed in each: that bounds
// the lists to as much memory as the meshes have.
#define LISTED_MAX 64

// Floats of corners and heights must be right to within this, or the object is drawn in double precision.
static const double HEIGHT_ROUNDING = 0x1p-10; // [layers]

// The normal of a triangle turns with the cofactors of what turns its corners. They are scaled to 1, so that
// their squares stay finite.
static void make_cofactor(slice_object *object, const tr_affine *placement) {
    double made[3][3], largest = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const float *a = placement->m[(row + 1) % 3], *b = placement->m[(row + 2) % 3];
            int c1 = (column + 1) % 3, c2 = (column + 2) % 3;
            made[row][column] = (double)a[c1] * b[c2] - (double)a[c2] * b[c1];
            double size = fabs(made[row][column]);
            largest = size > largest ? size : largest;
        }
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            object->cofactor[row][column] = largest > 0 ? (float)(made[row][column] / largest) : 0;
}

// Compose "place the mesh" and "see it from the grid" in double precision, about the mesh's centre. Returns
// false when the object's box is outside the tiles or the layers.
static bool aim_object(const slice_work *work, slice_object *object, const tr_affine *placement,
                       tr_vec3 centre, tr_vec3 half) {
    const tr_voxel_grid *grid = &work->request->grid;
    soft_job *job = &object->job;
    double per_cell = 1.0 / grid->grid.cell, per_layer = 1.0 / grid->layer, slack = 2 * job->slack;
    soft_reach x = soft_place_axis(job->exact[0], placement->m[0], per_cell, centre, half);
    job->exact[0][3] = x.middle = (x.middle - grid->grid.origin.x) * per_cell;
    if (soft_misses(x, job->column_begin, job->column_end, slack))
        return false;
    soft_reach z = soft_place_axis(job->exact[2], placement->m[2], per_cell, centre, half);
    job->exact[2][3] = z.middle = (z.middle - grid->grid.origin.z) * per_cell;
    if (soft_misses(z, job->row_begin, job->row_end, slack))
        return false;
    soft_reach y = soft_place_axis(job->exact[1], placement->m[1], per_layer, centre, half);
    job->exact[1][3] = y.middle = (y.middle - grid->bottom) * per_layer;
    soft_round_matrix(job);
    // Floats are relative to the corner of a tile: what counts is the object's own size.
    double reach = x.reach > z.reach ? x.reach : z.reach, rounding = (2 * reach + TR_VOXEL_TILE) * 0x1p-22;
    job->needs_double = job->beyond_floats || rounding > job->slack / 3 || soft_rounding(y) > HEIGHT_ROUNDING;
    // Of heights that are inside the layers; those of a block that was brought near are a quarter more.
    job->height_slack = (float)grid->layers * (job->needs_double ? 1.25f * 0x1p-21f : 0x1p-22f) +
                        (job->needs_double ? 0 : (float)(2 * soft_rounding(y)));
    double box_rounding = soft_rounding(x) > soft_rounding(z) ? soft_rounding(x) : soft_rounding(z);
    job->block_slack = (float)(2 * job->slack + 4 * box_rounding);
    soft_aim_box(job, x, z);
    object->reach_x = x.reach;
    object->reach_z = z.reach;
    return !soft_misses(y, 0, grid->layers, 2 * job->height_slack);
}

static slice_object *add_object(slice_work *work, const tr_allocator *allocator, uint32_t number,
                                tr_error *error) {
    soft_slicer *slicer = work->slicer;
    const tr_voxels_request *request = work->request;
    if (!tr_reserve(allocator, (void **)&slicer->objects, &slicer->object_capacity,
                    (uint64_t)slicer->object_count + 1, sizeof *slicer->objects)) {
        tr_fail(error, TR_OUT_OF_MEMORY, "no memory to slice %u objects", slicer->object_count + 1);
        return NULL;
    }
    slice_object *object = &slicer->objects[slicer->object_count];
    memset(object, 0, sizeof *object);
    uint32_t tags = request->scene->objects[number].tags;
    object->job.slack = tr_raster_slack(&request->grid.grid) * 0.75f; // the rest is room for rounding
    object->job.column_begin = work->tiles.column_first * TR_VOXEL_TILE;
    object->job.row_begin = work->tiles.row_first * TR_VOXEL_TILE;
    int32_t column_end = (work->tiles.column_last + 1) * TR_VOXEL_TILE,
            row_end = (work->tiles.row_last + 1) * TR_VOXEL_TILE;
    int32_t columns = (int32_t)request->grid.grid.columns, rows = (int32_t)request->grid.grid.rows;
    object->job.column_end = column_end < columns ? column_end : columns;
    object->job.row_end = row_end < rows ? row_end : rows;
    object->stands = !(tags & request->stand_exclude_tags);
    object->sure = (tags & request->sure_tags) != 0;
    return object;
}

static bool add_block(slice_work *work, const tr_allocator *allocator, uint32_t number,
                      const soft_cells *cells) {
    soft_slicer *slicer = work->slicer;
    if (!tr_reserve(allocator, (void **)&slicer->blocks, &slicer->block_capacity,
                    (uint64_t)slicer->block_count + 1, sizeof *slicer->blocks))
        return false;
    slice_block block = {slicer->object_count,
                         number,
                         (uint16_t)(cells->column_first / TR_VOXEL_TILE),
                         (uint16_t)(cells->column_last / TR_VOXEL_TILE),
                         (uint16_t)(cells->row_first / TR_VOXEL_TILE),
                         (uint16_t)(cells->row_last / TR_VOXEL_TILE)};
    slicer->blocks[slicer->block_count++] = block;
    return true;
}

// The cells of the job that a box of the mesh (centre and half size, from its centre) may touch; false for
// none.
static bool bound_box(const soft_job *job, uint32_t layers, const float box[6], soft_cells *cells) {
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const double *m = job->exact[axis];
        double centre = box[0] * m[0] + box[1] * m[1] + box[2] * m[2] + m[3],
               half = box[3] * fabs(m[0]) + box[4] * fabs(m[1]) + box[5] * fabs(m[2]);
        low[axis] = centre - half;
        high[axis] = centre + half;
    }
    double reach = job->block_slack, height_reach = 4 * (double)job->height_slack;
    if (!(high[1] >= -height_reach && low[1] <= layers + height_reach))
        return false;
    cells->column_first = soft_cell_at(low[0] - reach, job->column_begin, job->column_end);
    cells->column_last = soft_cell_at(high[0] + reach, job->column_begin - 1, job->column_end - 1);
    cells->row_first = soft_cell_at(low[2] - reach, job->row_begin, job->row_end);
    cells->row_last = soft_cell_at(high[2] + reach, job->row_begin - 1, job->row_end - 1);
    return cells->column_first <= cells->column_last && cells->row_first <= cells->row_last;
}

static bool add_mesh_blocks(slice_work *work, const tr_allocator *allocator, const soft_job *job) {
    for (uint32_t number = 0; number < job->block_count; number++) {
        float box[6];
        soft_cells cells;
        for (int i = 0; i < 6; i++)
            box[i] = job->block_bounds[(size_t)i * job->block_stride + number];
        if (bound_box(job, work->request->grid.layers, box, &cells) &&
            !add_block(work, allocator, number, &cells))
            return false;
    }
    return true;
}

static tr_status collect_meshes(slice_work *work, const tr_allocator *allocator, tr_error *error) {
    const tr_scene *scene = work->request->scene;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE ||
            !soft_is_drawn(object, i, work->request->exclude_tags, work->request->exclude_object))
            continue;
        const tr_mesh *mesh = &scene->meshes[object->mesh];
        if (mesh->block_count == 0)
            continue;
        slice_object *added = add_object(work, allocator, i, error);
        if (!added)
            return TR_OUT_OF_MEMORY;
        if (!aim_object(work, added, &object->placement, mesh->centre, mesh->half))
            continue;
        soft_take_mesh(&added->job, mesh);
        make_cofactor(added, &object->placement);
        if (!add_mesh_blocks(work, allocator, &added->job))
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to slice mesh %u", object->mesh);
        work->slicer->object_count++;
    }
    return TR_OK;
}

// What a drawn object emits is kept until all tiles are drawn.
typedef struct keeping_sink {
    soft_sink base;
    slice_work *work;
    const tr_allocator *allocator;
    slice_object *object;
} keeping_sink;

static bool keep_emitted(soft_sink *base) {
    keeping_sink *sink = (keeping_sink *)base;
    soft_slicer *slicer = sink->work->slicer;
    soft_job *job = &sink->object->job;
    if (!tr_reserve(sink->allocator, (void **)&slicer->emitted, &slicer->emitted_capacity,
                    (uint64_t)slicer->emitted_count + 1, sizeof *slicer->emitted))
        return false;
    slicer->emitted[slicer->emitted_count++] = base->block;
    uint32_t number = job->block_count++;
    job->last_block_triangles = base->count;
    float box[6];
    soft_cells cells;
    tr_soft_slice_bound(&base->block, base->count, box);
    return !bound_box(job, sink->work->request->grid.layers, box, &cells) ||
           add_block(sink->work, sink->allocator, number, &cells);
}

static tr_status collect_drawn(slice_work *work, const tr_allocator *allocator, tr_error *error) {
    const tr_scene *scene = work->request->scene;
    const tr_affine identity = tr_affine_identity();
    soft_slicer *slicer = work->slicer;
    uint32_t first_drawn = slicer->object_count;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (!object->drawn.emit ||
            !soft_is_drawn(object, i, work->request->exclude_tags, work->request->exclude_object))
            continue;
        keeping_sink sink = {.work = work, .allocator = allocator};
        tr_soft_sink_begin(&sink.base, object, keep_emitted);
        sink.object = add_object(work, allocator, i, error);
        if (!sink.object)
            return TR_OUT_OF_MEMORY;
        if (!aim_object(work, sink.object, &identity, sink.base.anchor, sink.base.half))
            continue;
        make_cofactor(sink.object, &identity);
        sink.object->first_emitted = slicer->emitted_count;
        tr_status status = tr_soft_sink_run(&sink.base, object, i, error);
        if (status != TR_OK)
            return status;
        slicer->object_count++;
    }
    for (uint32_t i = first_drawn; i < slicer->object_count; i++) // they move no more
        slicer->objects[i].job.blocks = slicer->emitted + slicer->objects[i].first_emitted;
    return TR_OK;
}

static uint32_t tiles_of(const slice_block *block) {
    return (uint32_t)(block->column_last - block->column_first + 1) *
           (uint32_t)(block->row_last - block->row_first + 1);
}

// Add `step` to the entry of each tile that the block lies over; with `listed` the entries are places in it,
// and `number` goes there.
static void visit_tiles(const slice_work *work, const slice_block *block, uint32_t *entries, uint32_t *listed,
                        uint32_t number) {
    for (int32_t row = block->row_first; row <= block->row_last; row++) {
        uint32_t *line = entries + (size_t)(row - work->tiles.row_first) * work->tile_columns;
        for (int32_t column = block->column_first; column <= block->column_last; column++) {
            uint32_t place = line[column - work->tiles.column_first]++;
            if (listed)
                listed[place] = number;
        }
    }
}

// A counting sort: how many blocks each tile has, where its list begins, then the lists themselves.
static bool list_blocks(slice_work *work, const tr_allocator *allocator) {
    soft_slicer *slicer = work->slicer;
    uint64_t tiles =
        (uint64_t)work->tile_columns * (uint64_t)(work->tiles.row_last - work->tiles.row_first + 1);
    if (!tr_reserve(allocator, (void **)&slicer->starts, &slicer->starts_capacity, tiles + 1,
                    sizeof *slicer->starts))
        return false;
    memset(slicer->starts, 0, (size_t)(tiles + 1) * sizeof *slicer->starts);
    slicer->wide_count = 0;
    for (uint32_t i = 0; i < slicer->block_count; i++) {
        if (tiles_of(&slicer->blocks[i]) <= LISTED_MAX) {
            visit_tiles(work, &slicer->blocks[i], slicer->starts + 1, NULL, i);
            continue;
        }
        if (!tr_reserve(allocator, (void **)&slicer->wide, &slicer->wide_capacity,
                        (uint64_t)slicer->wide_count + 1, sizeof *slicer->wide))
            return false;
        slicer->wide[slicer->wide_count++] = i;
    }
    uint64_t total = 0;
    for (uint64_t tile = 1; tile <= tiles; tile++) {
        uint32_t count = slicer->starts[tile];
        slicer->starts[tile] = (uint32_t)total; // where the list of the tile before begins, for now
        total += count;
    }
    if (!tr_reserve(allocator, (void **)&slicer->listed, &slicer->listed_capacity, total,
                    sizeof *slicer->listed))
        return false;
    for (uint32_t i = 0; i < slicer->block_count; i++)
        if (tiles_of(&slicer->blocks[i]) <= LISTED_MAX)
            visit_tiles(work, &slicer->blocks[i], slicer->starts + 1, slicer->listed, i);
    return true;
}

tr_status tr_soft_slice_bin(slice_work *work, const tr_allocator *allocator, tr_error *error) {
    soft_slicer *slicer = work->slicer;
    slicer->object_count = slicer->block_count = slicer->emitted_count = 0;
    tr_status status = collect_meshes(work, allocator, error);
    if (status == TR_OK)
        status = collect_drawn(work, allocator, error);
    if (status == TR_OK && !list_blocks(work, allocator))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory to sort %u blocks of triangles into tiles",
                         slicer->block_count);
    return status;
}
