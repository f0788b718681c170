// Sorts blocks of triangles into tiles.
#include "raster_soft_place.h"
#include "raster_soft_slice.h"

#include <string.h>

// A block over more tiles than this is tested by every tile, instead of being listed in each: this limits the
// lists to about the memory of the meshes.
#define LISTED_MAX 64

// Floats of corners and heights must be accurate to this, or the object is drawn in double precision.
static const double HEIGHT_ROUNDING = 0x1p-10; // [layers]

// The normal of a triangle is transformed by the cofactors of the matrix that transforms its corners. They
// are scaled to 1, so that their squares stay finite.
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

// Composes "place the mesh" and "see it from the grid" in double precision, about the mesh's centre. Returns
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
    // Floats are relative to the corner of a tile: the object's own size matters.
    double reach = x.reach > z.reach ? x.reach : z.reach, rounding = (2 * reach + TR_VOXEL_TILE) * 0x1p-22;
    job->needs_double = job->beyond_floats || rounding > job->slack / 3 || soft_rounding(y) > HEIGHT_ROUNDING;
    // For heights inside the layers; those of a block that bring_near moved are a quarter more.
    job->height_slack = (float)grid->layers * (job->needs_double ? 1.25f * 0x1p-21f : 0x1p-22f) +
                        (job->needs_double ? 0 : (float)(2 * soft_rounding(y)));
    double box_rounding = soft_rounding(x) > soft_rounding(z) ? soft_rounding(x) : soft_rounding(z);
    job->block_slack = (float)(2 * job->slack + 4 * box_rounding);
    soft_aim_box(job, x, z);
    object->block_height_slack = 4 * job->height_slack + (float)(4 * soft_rounding(y));
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
    object->job.slack = tr_raster_slack(&request->grid.grid) * 0.75f; // the rest is a margin for rounding
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

static bool reserve_blocks(slice_work *work, const tr_allocator *allocator, uint64_t more) {
    soft_slicer *slicer = work->slicer;
    return tr_reserve(allocator, (void **)&slicer->blocks, &slicer->block_capacity,
                      slicer->block_count + more, sizeof *slicer->blocks);
}

// The capacity must have been reserved.
static void add_block(soft_slicer *slicer, uint32_t number, int32_t column_first, int32_t column_last,
                      int32_t row_first, int32_t row_last) {
    slice_block block = {slicer->object_count,   number,
                         (uint16_t)column_first, (uint16_t)column_last,
                         (uint16_t)row_first,    (uint16_t)row_last};
    slicer->blocks[slicer->block_count++] = block;
}

static void add_everywhere(slice_work *work, const soft_job *job, uint32_t number) {
    add_block(work->slicer, number, job->box.column_first / TR_VOXEL_TILE,
              job->box.column_last / TR_VOXEL_TILE, job->box.row_first / TR_VOXEL_TILE,
              job->box.row_last / TR_VOXEL_TILE);
}

static bool add_mesh_blocks(slice_work *work, const tr_allocator *allocator, const slice_object *object) {
    const soft_job *job = &object->job;
    if (!reserve_blocks(work, allocator, job->block_count))
        return false;
    if (job->beyond_floats) { // not even the boxes of blocks are usable
        for (uint32_t number = 0; number < job->block_count; number++)
            add_everywhere(work, job, number);
        return true;
    }
    float layers = (float)work->request->grid.layers;
    for (uint32_t first = 0; first < job->block_count; first += work->lanes) {
        slice_tiles tiles;
        for (uint32_t rest = work->tiles_of(object, first, layers, &tiles); rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            add_block(work->slicer, first + lane, tiles.column_first[lane], tiles.column_last[lane],
                      tiles.row_first[lane], tiles.row_last[lane]);
        }
    }
    return true;
}

static tr_status collect_meshes(slice_work *work, const tr_allocator *allocator, tr_error *error) {
    const tr_scene *scene = work->request->scene;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE ||
            !soft_is_drawn(object, i, work->request->exclude_tags, work->request->exclude_object) ||
            scene_is_excluded(work->request->exclude, work->request->exclude_count, i))
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
        if (!add_mesh_blocks(work, allocator, added))
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to slice mesh %u", object->mesh);
        work->slicer->object_count++;
    }
    return TR_OK;
}

// The triangles of a drawn object are kept until all tiles are drawn.
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
    float bounds[6 * MESH_STRIDE] = {0}, box[6];
    tr_soft_slice_bound(&base->block, base->count, box);
    for (int i = 0; i < 6; i++)
        bounds[i * MESH_STRIDE] = box[i];
    if (!reserve_blocks(sink->work, sink->allocator, 1))
        return false;
    slice_object lone = *sink->object; // only this block
    lone.job.block_bounds = bounds;
    lone.job.block_stride = MESH_STRIDE;
    lone.job.block_count = 1;
    slice_tiles tiles;
    if (sink->work->tiles_of(&lone, 0, (float)sink->work->request->grid.layers, &tiles))
        add_block(slicer, number, tiles.column_first[0], tiles.column_last[0], tiles.row_first[0],
                  tiles.row_last[0]);
    return true;
}

static tr_status collect_drawn(slice_work *work, const tr_allocator *allocator, tr_error *error) {
    const tr_scene *scene = work->request->scene;
    const tr_affine identity = tr_affine_identity();
    soft_slicer *slicer = work->slicer;
    uint32_t first_drawn = slicer->object_count;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (!object->drawn.emit ||
            !soft_is_drawn(object, i, work->request->exclude_tags, work->request->exclude_object) ||
            scene_is_excluded(work->request->exclude, work->request->exclude_count, i))
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
    for (uint32_t i = first_drawn; i < slicer->object_count; i++) // they are not moved any more
        slicer->objects[i].job.blocks = slicer->emitted + slicer->objects[i].first_emitted;
    return TR_OK;
}

static uint32_t tiles_of(const slice_block *block) {
    return (uint32_t)(block->column_last - block->column_first + 1) *
           (uint32_t)(block->row_last - block->row_first + 1);
}

// Increments the entries of the tiles that the block covers. With `listed`, entries are positions in it, and
// `number` is stored there.
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

// A counting sort: the number of blocks of each tile, where its list begins, then the lists themselves.
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
        slicer->starts[tile] =
            (uint32_t)total; // the beginning of the previous tile's list, until it is filled
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
