// Slicing with the `soft` back end: tile after tile, each by one member of the team.
#include "raster_soft_slice.h"

#include <string.h>

#define COLUMNS_OF_TILE (TR_VOXEL_TILE * TR_VOXEL_TILE)
// One thread slices a smaller scene faster than a team does.
#define TRIANGLES_WORTH_THREADS 20000
#define TILES_WORTH_THREADS 64

static void open_tile(const slice_work *work, uint32_t tile_column, uint32_t tile_row, uint32_t member,
                      slice_tile *tile) {
    const tr_voxel_grid *grid = &work->request->grid;
    uint32_t column = tile_column * TR_VOXEL_TILE, row = tile_row * TR_VOXEL_TILE;
    uint32_t columns = grid->grid.columns - column, rows = grid->grid.rows - row;
    columns = columns < TR_VOXEL_TILE ? columns : TR_VOXEL_TILE;
    rows = rows < TR_VOXEL_TILE ? rows : TR_VOXEL_TILE;
    tr_cells window = {column, row, column + columns, row + rows};
    tr_voxels view = {
        .grid = *grid,
        .window = window,
        .words = work->words,
        .occupied = work->slicer->bits + (size_t)member * COLUMNS_OF_TILE * work->words,
        .tops = work->slicer->tops + (size_t)member * COLUMNS_OF_TILE * grid->layers,
    };
    memset(view.occupied, 0, (size_t)columns * rows * work->words * sizeof *view.occupied);
    slice_tile opened = {view, (int32_t)column, (int32_t)row, (int32_t)columns, (int32_t)rows};
    *tile = opened;
}

static void draw_block(const slice_work *work, uint32_t index, const slice_tile *tile) {
    const slice_block *block = &work->slicer->blocks[index];
    const slice_object *object = &work->slicer->objects[block->object];
    work->draw(work, object, block->number, tile);
}

static void draw_tile(void *user, uint32_t part, uint32_t member) {
    const slice_work *work = user;
    const soft_slicer *slicer = work->slicer;
    uint32_t tile_column = (uint32_t)work->tiles.column_first + part % work->tile_columns,
             tile_row = (uint32_t)work->tiles.row_first + part / work->tile_columns;
    slice_tile tile;
    open_tile(work, tile_column, tile_row, member, &tile);
    for (uint32_t i = 0; i < slicer->wide_count; i++) {
        const slice_block *block = &slicer->blocks[slicer->wide[i]];
        if (tile_column >= block->column_first && tile_column <= block->column_last &&
            tile_row >= block->row_first && tile_row <= block->row_last)
            draw_block(work, slicer->wide[i], &tile);
    }
    for (uint32_t i = slicer->starts[part]; i < slicer->starts[part + 1]; i++)
        draw_block(work, slicer->listed[i], &tile);
    uint32_t number = tile_row * tr_voxels_tile_columns(&work->request->grid.grid) + tile_column;
    work->request->take(work->request->user, &tile.view, number, member);
}

// Tops are not cleared from tile to tile: entries that were never written are ignored, but may be read.
static bool reserve_planes(const slice_work *work, const tr_allocator *allocator, uint64_t members) {
    soft_slicer *slicer = work->slicer;
    uint32_t old_capacity = slicer->tops_capacity;
    if (!tr_reserve(allocator, (void **)&slicer->bits, &slicer->bits_capacity,
                    members * COLUMNS_OF_TILE * work->words, sizeof *slicer->bits) ||
        !tr_reserve(allocator, (void **)&slicer->tops, &slicer->tops_capacity,
                    members * COLUMNS_OF_TILE * work->request->grid.layers, sizeof *slicer->tops))
        return false;
    if (slicer->tops_capacity != old_capacity)
        memset(slicer->tops, 0, slicer->tops_capacity * sizeof *slicer->tops);
    return true;
}

static soft_cells tiles_under(tr_cells region) {
    soft_cells tiles = {
        (int32_t)(region.column_begin / TR_VOXEL_TILE), (int32_t)((region.column_end - 1) / TR_VOXEL_TILE),
        (int32_t)(region.row_begin / TR_VOXEL_TILE), (int32_t)((region.row_end - 1) / TR_VOXEL_TILE)};
    return tiles;
}

tr_status tr_soft_slice(soft_slicer *slicer, const tr_allocator *allocator, tr_tasks *tasks, uint32_t lanes,
                        const tr_voxels_request *request, tr_error *error) {
    tr_cells region = request->region;
    if (region.column_begin == region.column_end || region.row_begin == region.row_end)
        return TR_OK;
    float cosine = request->stand_cosine;
    slice_work work = {
        .draw = lanes == 8 ? tr_soft_slice_draw_8 : tr_soft_slice_draw_4,
        .tiles_of = lanes == 8 ? tr_soft_slice_tiles_8 : tr_soft_slice_tiles_4,
        .lanes = lanes,
        .slicer = slicer,
        .request = request,
        .tiles = tiles_under(region),
        .words = (request->grid.layers + 63) / 64,
        .flatness = cosine * cosine * (1 - VOXEL_FLATNESS_ROUNDING),
    };
    work.tile_columns = (uint32_t)(work.tiles.column_last - work.tiles.column_first + 1);
    uint32_t tiles = work.tile_columns * (uint32_t)(work.tiles.row_last - work.tiles.row_first + 1);
    uint32_t members = tr_tasks_members(tasks);
    if (tiles == 1 ||
        (tiles < TILES_WORTH_THREADS && tr_scene_triangle_count(request->scene) < TRIANGLES_WORTH_THREADS))
        members = 1;
    if (!reserve_planes(&work, allocator, members))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u tiles of %u layers", members,
                       request->grid.layers);
    tr_status status = tr_soft_slice_bin(&work, allocator, error);
    if (status == TR_OK)
        tr_tasks_run(members > 1 ? tasks : NULL, tiles, draw_tile, &work);
    return status;
}

void tr_soft_slicer_clear(soft_slicer *slicer, const tr_allocator *allocator) {
    tr_release(allocator, slicer->objects, slicer->object_capacity, sizeof *slicer->objects);
    tr_release(allocator, slicer->blocks, slicer->block_capacity, sizeof *slicer->blocks);
    tr_release(allocator, slicer->emitted, slicer->emitted_capacity, sizeof *slicer->emitted);
    tr_release(allocator, slicer->starts, slicer->starts_capacity, sizeof *slicer->starts);
    tr_release(allocator, slicer->listed, slicer->listed_capacity, sizeof *slicer->listed);
    tr_release(allocator, slicer->wide, slicer->wide_capacity, sizeof *slicer->wide);
    tr_release(allocator, slicer->bits, slicer->bits_capacity, sizeof *slicer->bits);
    tr_release(allocator, slicer->tops, slicer->tops_capacity, sizeof *slicer->tops);
    memset(slicer, 0, sizeof *slicer);
}
