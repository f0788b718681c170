// Checks requests to slice and stores the results; the back ends do the slicing itself.
#include "world/raster/raster_backend.h"

#include <math.h>
#include <string.h>

#define CELLS_MAX ((uint64_t)1 << 34)
#define CELLS_WITH_TOPS_MAX ((uint64_t)1 << 28)

static tr_status check_layers(double bottom, double layer, double layers, tr_error *error) {
    if (!isfinite(bottom))
        return tr_fail(error, TR_INVALID, "the bottom of the lowest layer, %g m, is not finite", bottom);
    if (!(layer > 0) || !isfinite(layer))
        return tr_fail(error, TR_INVALID, "the layers are %g m high, it must be above 0", layer);
    if (!(layers >= 1))
        return tr_fail(error, TR_INVALID, "the grid has %.0f layers, it must have at least one", layers);
    if (layers > TR_VOXEL_LAYERS_MAX)
        return tr_fail(error, TR_LIMIT, "%.0f layers of %g m are needed, the limit is %d: use higher layers",
                       layers, layer, TR_VOXEL_LAYERS_MAX);
    // A layer below the spacing of floats at that height could not be distinguished from its neighbour.
    double reach = fmax(fabs(bottom), fabs(bottom + layers * layer));
    if (layer < reach * 1e-6)
        return tr_fail(error, TR_INVALID,
                       "layers of %g m are too thin for single precision at %g m from the origin", layer,
                       reach);
    return TR_OK;
}

tr_status tr_voxel_grid_check(const tr_voxel_grid *grid, uint64_t max_columns, tr_error *error) {
    tr_status status = tr_grid_check(&grid->grid, max_columns, error);
    return status == TR_OK ? check_layers(grid->bottom, grid->layer, grid->layers, error) : status;
}

tr_status tr_voxel_grid_cover(tr_box box, float cell, float layer, float margin, uint64_t max_columns,
                              tr_voxel_grid *grid, tr_error *error) {
    tr_voxel_grid made = {.layer = layer};
    tr_status status = tr_grid_cover(box, cell, margin, max_columns, &made.grid, error);
    if (status != TR_OK)
        return status;
    if (!(box.min.y <= box.max.y))
        return tr_fail(error, TR_INVALID, "the box to cover is empty (y %g to %g)", box.min.y, box.max.y);
    status = check_layers(box.min.y, layer, 1, error);
    if (status != TR_OK)
        return status;
    made.bottom = (float)(floor((double)box.min.y / layer) * layer);
    if (made.bottom > box.min.y) // rounded up, it would cut off the lowest point
        made.bottom = nextafterf(made.bottom, -INFINITY);
    // Computed from the rounded bottom, or the top could be left out.
    double layers = ceil(((double)box.max.y - made.bottom) / layer);
    layers = layers < 1 ? 1 : layers;
    status = check_layers(made.bottom, layer, layers, error);
    if (status != TR_OK)
        return status;
    made.layers = (uint32_t)layers;
    *grid = made;
    return TR_OK;
}

static tr_status check_request(const tr_raster *raster, const tr_voxels_request *request, tr_error *error) {
    if (!request->scene)
        return tr_fail(error, TR_INVALID, "the request has no scene");
    tr_status status = tr_voxel_grid_check(&request->grid, UINT64_MAX, error);
    if (status != TR_OK)
        return status;
    if (!(request->stand_cosine >= 0 && request->stand_cosine <= 1))
        return tr_fail(error, TR_INVALID, "stand_cosine is %g, it must be 0 to 1", request->stand_cosine);
    if (raster->in_flight != 0)
        return tr_fail(error, TR_INVALID, "%u requests are in flight: collect them before slicing",
                       raster->in_flight);
    return TR_OK;
}

tr_status tr_voxels_draw(tr_raster *raster, const tr_voxels_request *request, tr_error *error) {
    tr_status status = check_request(raster, request, error);
    if (status != TR_OK)
        return status;
    if (!request->take)
        return tr_fail(error, TR_INVALID, "the request has no callback that takes the tiles");
    status = raster_region_check(&request->region, &request->grid.grid, error);
    return status == TR_OK ? raster->functions->slice(raster, request, error) : status;
}

// Copies the tops of the runs; other cells of a tile contain old values.
static void copy_tops(const tr_voxels *tile, const uint64_t *bits, const tr_voxel_top *from,
                      tr_voxel_top *to) {
    memset(to, 0, tile->grid.layers * sizeof *to);
    for (uint32_t word = 0; word < tile->words; word++) {
        uint64_t above = bits[word] >> 1 | (word + 1 < tile->words ? bits[word + 1] << 63 : 0);
        for (uint64_t tops = bits[word] & ~above; tops; tops &= tops - 1) {
            uint32_t layer = word * 64 + (uint32_t)__builtin_ctzll(tops);
            to[layer] = from[layer];
        }
    }
}

static void keep_tile(void *user, const tr_voxels *tile, uint32_t number, uint32_t member) {
    (void)number, (void)member;
    const tr_voxels *voxels = user;
    uint32_t words = tile->words, layers = tile->grid.layers;
    tr_cells window = tile->window;
    uint32_t columns = window.column_end - window.column_begin;
    for (uint32_t row = window.row_begin; row < window.row_end; row++) {
        size_t from = (size_t)tr_voxels_column(tile, window.column_begin, row),
               to = (size_t)tr_voxels_column(voxels, window.column_begin, row);
        memcpy(voxels->occupied + to * words, tile->occupied + from * words,
               (size_t)columns * words * sizeof *tile->occupied);
        for (uint32_t i = 0; i < columns && voxels->tops; i++)
            copy_tops(tile, tile->occupied + (from + i) * words, tile->tops + (from + i) * layers,
                      voxels->tops + (to + i) * layers);
    }
}

static size_t column_count(const tr_voxels *voxels) {
    return (size_t)(voxels->window.column_end - voxels->window.column_begin) *
           (voxels->window.row_end - voxels->window.row_begin);
}

void tr_voxels_destroy(const tr_allocator *allocator, tr_voxels *voxels) {
    tr_allocator own = tr_allocator_or_default(allocator);
    size_t columns = column_count(voxels);
    tr_release(&own, voxels->occupied, columns * voxels->words, sizeof *voxels->occupied);
    tr_release(&own, voxels->tops, columns * voxels->grid.layers, sizeof *voxels->tops);
    memset(voxels, 0, sizeof *voxels);
}

static tr_status check_size(const tr_voxel_grid *grid, bool with_tops, tr_error *error) {
    uint64_t columns = (uint64_t)grid->grid.columns * grid->grid.rows;
    uint64_t cells = columns * (with_tops ? grid->layers : (grid->layers + 63) / 64 * 64);
    uint64_t most = with_tops ? CELLS_WITH_TOPS_MAX : CELLS_MAX;
    if (cells > most)
        return tr_fail(error, TR_LIMIT,
                       "a dense grid of %u x %u x %u cells has %llu, the limit is %llu%s: take the tiles as "
                       "they are drawn instead",
                       grid->grid.columns, grid->layers, grid->grid.rows, (unsigned long long)cells,
                       (unsigned long long)most, with_tops ? " with tops" : "");
    return TR_OK;
}

tr_status tr_voxels_make(tr_raster *raster, const tr_voxels_request *request, bool with_tops,
                         const tr_allocator *allocator, tr_voxels *voxels, tr_error *error) {
    memset(voxels, 0, sizeof *voxels);
    tr_status status = check_request(raster, request, error);
    if (status == TR_OK)
        status = check_size(&request->grid, with_tops, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_voxels made = {.grid = request->grid,
                      .window = tr_grid_all(&request->grid.grid),
                      .words = (request->grid.layers + 63) / 64};
    size_t columns = column_count(&made);
    made.occupied = tr_allocate(&own, columns * made.words, sizeof *made.occupied);
    if (with_tops)
        made.tops = tr_allocate(&own, columns * made.grid.layers, sizeof *made.tops);
    if (!made.occupied || (with_tops && !made.tops)) {
        tr_voxels_destroy(&own, &made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u x %u x %u cells",
                       request->grid.grid.columns, request->grid.layers, request->grid.grid.rows);
    }
    tr_voxels_request whole = *request;
    whole.region = made.window;
    whole.take = keep_tile;
    whole.user = &made;
    status = raster->functions->slice(raster, &whole, error);
    if (status == TR_OK)
        *voxels = made;
    else
        tr_voxels_destroy(&own, &made);
    return status;
}

uint64_t tr_voxels_count(const tr_voxels *voxels) {
    uint64_t count = 0;
    for (size_t i = 0, end = column_count(voxels) * voxels->words; i < end; i++)
        count += (uint64_t)__builtin_popcountll(voxels->occupied[i]);
    return count;
}

// The tiles that may contain cells of a box, as cells; empty if there are none. The margin of one cell is
// more than any slack.
static tr_cells tiles_of_box(const tr_grid *grid, const tr_box *box) {
    tr_cells none = {0, 0, 0, 0};
    double x0 = ((double)box->min.x - grid->origin.x) / grid->cell - 1,
           x1 = ((double)box->max.x - grid->origin.x) / grid->cell + 1;
    double z0 = ((double)box->min.z - grid->origin.z) / grid->cell - 1,
           z1 = ((double)box->max.z - grid->origin.z) / grid->cell + 1;
    if (!(x0 <= x1 && z0 <= z1 && x1 >= 0 && z1 >= 0 && x0 <= grid->columns && z0 <= grid->rows))
        return none;
    double begin_x = fmax(floor(x0 / TR_VOXEL_TILE), 0) * TR_VOXEL_TILE,
           begin_z = fmax(floor(z0 / TR_VOXEL_TILE), 0) * TR_VOXEL_TILE;
    double end_x = fmin((floor(x1 / TR_VOXEL_TILE) + 1) * TR_VOXEL_TILE, grid->columns),
           end_z = fmin((floor(z1 / TR_VOXEL_TILE) + 1) * TR_VOXEL_TILE, grid->rows);
    if (begin_x >= end_x || begin_z >= end_z)
        return none;
    tr_cells cells = {(uint32_t)begin_x, (uint32_t)begin_z, (uint32_t)end_x, (uint32_t)end_z};
    return cells;
}

static bool holds(tr_cells outer, tr_cells inner) {
    return outer.column_begin <= inner.column_begin && outer.column_end >= inner.column_end &&
           outer.row_begin <= inner.row_begin && outer.row_end >= inner.row_end;
}

// The old and the new place of an object often share tiles: redoing them once is enough.
static bool is_redone(const tr_grid *grid, const tr_box *boxes, uint32_t count, uint32_t number,
                      tr_cells cells) {
    for (uint32_t i = 0; i < count; i++) {
        if (i == number)
            continue;
        tr_cells other = tiles_of_box(grid, &boxes[i]);
        if (holds(other, cells) && (i < number || !holds(cells, other)))
            return true;
    }
    return false;
}

tr_status tr_voxels_update(tr_voxels *voxels, tr_raster *raster, const tr_voxels_request *request,
                           const tr_box *boxes, uint32_t box_count, tr_error *error) {
    tr_status status = check_request(raster, request, error);
    if (status != TR_OK)
        return status;
    if (!voxels->occupied || memcmp(&voxels->grid, &request->grid, sizeof voxels->grid) != 0)
        return tr_fail(error, TR_INVALID, "the request has another grid than the cells");
    tr_voxels_request part = *request;
    part.take = keep_tile;
    part.user = voxels;
    for (uint32_t i = 0; i < box_count && status == TR_OK; i++) {
        part.region = tiles_of_box(&request->grid.grid, &boxes[i]);
        if (part.region.column_begin < part.region.column_end &&
            !is_redone(&request->grid.grid, boxes, box_count, i, part.region))
            status = raster->functions->slice(raster, &part, error);
    }
    return status;
}
