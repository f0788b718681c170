// Slicing with the `gl` back end as in Bandi & Thalmann 1998, 2.1: each layer is a band that is drawn and
// read back, while the next ones are being drawn. The layers of some adjacent tiles are gathered into
// columns, then the tiles are passed on.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL
#include <math.h>
#include <string.h>

#define COLUMNS_OF_TILE (TR_VOXEL_TILE * TR_VOXEL_TILE)
#define TOPS_AT_ONCE (1u << 23) // tops that are gathered before tiles are passed on

// What is drawn of a layer: everything, for the cells and their tops; then triangles that can be stood on,
// separately from those that are known to be meant for it.
typedef enum gl_pass { PASS_ALL, PASS_STAND, PASS_SURE, PASS_COUNT } gl_pass;

// The state of one slicing.
typedef struct slicing {
    gl_raster *raster;
    const tr_voxels_request *request;
    tr_cells cells; // of the tiles that are being gathered
    uint32_t words; // in a column
    tr_bitmap none; // requests bits; `read` decides where they go
    float nothing;  // the same for heights
} slicing;

// The pass and layer that come back next: they come in the order in which they were begun.
typedef struct slice_reader {
    slicing *work;
    uint32_t layer;
    gl_pass pass;
} slice_reader;

// Columns are stored tile by tile, as they are passed on.
static uint32_t column_number(const slicing *work, uint32_t column, uint32_t row) {
    uint32_t tile = (column - work->cells.column_begin) / TR_VOXEL_TILE,
             tile_column = work->cells.column_begin + tile * TR_VOXEL_TILE;
    uint32_t columns = work->cells.column_end - tile_column;
    columns = columns < TR_VOXEL_TILE ? columns : TR_VOXEL_TILE;
    return tile * COLUMNS_OF_TILE + (row - work->cells.row_begin) * columns + (column - tile_column);
}

static bool is_set(const gl_piece *piece, const uint32_t *words, uint32_t column, uint32_t row) {
    uint32_t bit = column - piece->tile_column;
    uint32_t word = (row - piece->cells.row_begin) * piece->words_per_row + (bit >> 5) - piece->word_begin;
    return words[word] >> (bit & 31) & 1;
}

// A height above the layer's floor in layers, from the shader's bits; 0 means none.
static float above_of(uint32_t bits, double layer) {
    float above;
    bits -= 1;
    memcpy(&above, &bits, sizeof above);
    above = (float)(above / layer);
    return above < 1 ? above : 1;
}

static uint16_t steps_of(float above, float steps) {
    float scaled = above * steps;
    uint32_t whole = (uint32_t)scaled;
    return (uint16_t)(whole + ((float)whole < scaled));
}

// The result of one cell in one pass; `height` in the shader's bits.
static void read_cell(const slice_reader *reader, uint32_t column, bool set, uint32_t height) {
    const slicing *work = reader->work;
    const tr_voxel_grid *grid = &work->request->grid;
    uint64_t *bits = &work->raster->slice_bits[(size_t)column * work->words + (reader->layer >> 6)];
    tr_voxel_top *top = &work->raster->slice_tops[(size_t)column * grid->layers + reader->layer];
    float above = height ? above_of(height, grid->layer) : 0;
    if (reader->pass == PASS_ALL) {
        *bits |= (uint64_t)set << (reader->layer & 63);
        top->top = steps_of(above, 65535);
        top->stand = 0;
    } else if (height) {
        uint16_t stand = (uint16_t)((1 + steps_of(above, 32766)) << 1 | (reader->pass == PASS_SURE));
        top->stand = stand > top->stand ? stand : top->stand;
    }
}

static void read_pass(void *user, const gl_piece *piece, const uint32_t *words) {
    const slice_reader *reader = user;
    tr_cells cells = piece->cells;
    const uint32_t *height = words + piece->floor_at;
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++)
            read_cell(reader, column_number(reader->work, column, row), is_set(piece, words, column, row),
                      *height++);
}

static tr_raster_request make_request(slicing *work, double low, double high) {
    const tr_voxels_request *request = work->request;
    tr_raster_request made = {
        .scene = request->scene,
        .grid = request->grid.grid,
        .band = {(float)low, (float)high, request->exclude_tags, request->exclude_object},
        .region = work->cells,
        .occupied = &work->none,
        .floor = &work->nothing,
        .overhang = &work->nothing,
    };
    // Rounded outwards: geometry outside the band is not drawn at all.
    made.band.low = made.band.low > low ? nextafterf(made.band.low, -INFINITY) : made.band.low;
    made.band.high = made.band.high < high ? nextafterf(made.band.high, INFINITY) : made.band.high;
    return made;
}

static tr_status begin_pass(slicing *work, slice_reader *reader, tr_error *error) {
    const tr_voxels_request *request = work->request;
    double layer = request->grid.layer, low = request->grid.bottom + reader->layer * layer;
    tr_raster_request slice_request = make_request(work, low, low + layer);
    float cosine = request->stand_cosine;
    gl_slice slice = {.exclude = request->exclude,
                      .exclude_count = request->exclude_count,
                      .read = read_pass,
                      .user = reader,
                      .low = low,
                      .height = layer,
                      .slack = layer * 0x1p-9,
                      .flatness = -1};
    if (reader->pass != PASS_ALL) {
        slice.flatness = cosine * cosine * (1 - VOXEL_FLATNESS_ROUNDING);
        slice_request.band.exclude_tags |= request->stand_exclude_tags;
    }
    if (reader->pass == PASS_STAND)
        slice_request.band.exclude_tags |= request->sure_tags;
    if (reader->pass == PASS_SURE)
        slice.require_tags = request->sure_tags;
    return tr_gl_begin(work->raster, &slice_request, &slice, error);
}

static tr_status end_pass(slicing *work, tr_error *error) {
    work->raster->base.in_flight--;
    return tr_gl_end(work->raster, error);
}

// Draws all layers of the tiles, with as many passes in flight as possible.
static tr_status draw_layers(slicing *work, tr_error *error) {
    gl_raster *raster = work->raster;
    slice_reader readers[TR_RASTER_IN_FLIGHT];
    tr_status status = TR_OK;
    uint32_t begun = 0;
    for (uint32_t layer = 0; layer < work->request->grid.layers && status == TR_OK; layer++)
        for (int pass = PASS_ALL; pass < PASS_COUNT && status == TR_OK; pass++) {
            if (pass == PASS_SURE && work->request->sure_tags == 0)
                continue;
            if (raster->base.in_flight == TR_RASTER_IN_FLIGHT)
                status = end_pass(work, error);
            if (status != TR_OK)
                break;
            slice_reader *reader = &readers[begun++ % TR_RASTER_IN_FLIGHT];
            slice_reader next = {work, layer, (gl_pass)pass};
            *reader = next;
            status = begin_pass(work, reader, error);
            raster->base.in_flight += status == TR_OK;
        }
    while (raster->base.in_flight > 0) { // after an error too: nothing may come back later
        tr_status ended = end_pass(work, status == TR_OK ? error : NULL);
        status = status == TR_OK ? ended : status;
    }
    return status;
}

static tr_status draw_tiles(slicing *work, tr_error *error) {
    gl_visit visit;
    tr_status status = tr_gl_context_enter(&work->raster->context, &visit, error);
    if (status != TR_OK)
        return status;
    status = draw_layers(work, error);
    tr_gl_context_leave(&work->raster->context, &visit);
    return status;
}

static void hand_out(const slicing *work) {
    const tr_voxels_request *request = work->request;
    const tr_voxel_grid *grid = &request->grid;
    uint32_t row = work->cells.row_begin / TR_VOXEL_TILE;
    for (uint32_t begin = work->cells.column_begin; begin < work->cells.column_end; begin += TR_VOXEL_TILE) {
        uint32_t end = begin + TR_VOXEL_TILE, first = column_number(work, begin, work->cells.row_begin);
        end = end < work->cells.column_end ? end : work->cells.column_end;
        tr_cells window = {begin, work->cells.row_begin, end, work->cells.row_end};
        tr_voxels tile = {.grid = *grid,
                          .window = window,
                          .words = work->words,
                          .occupied = work->raster->slice_bits + (size_t)first * work->words,
                          .tops = work->raster->slice_tops + (size_t)first * grid->layers};
        request->take(request->user, &tile, row * tr_voxels_tile_columns(&grid->grid) + begin / TR_VOXEL_TILE,
                      0);
    }
}

static bool reserve_planes(slicing *work, uint32_t tiles) {
    gl_raster *raster = work->raster;
    return tr_reserve(&raster->base.allocator, (void **)&raster->slice_bits, &raster->slice_bits_capacity,
                      (uint64_t)tiles * COLUMNS_OF_TILE * work->words, sizeof *raster->slice_bits) &&
           tr_reserve(&raster->base.allocator, (void **)&raster->slice_tops, &raster->slice_tops_capacity,
                      (uint64_t)tiles * COLUMNS_OF_TILE * work->request->grid.layers,
                      sizeof *raster->slice_tops);
}

// One row of tiles, several at once; no group crosses the border of two GL_TILEs.
static tr_status slice_row(slicing *work, uint32_t tile_row, uint32_t tiles_at_once, tr_error *error) {
    const tr_grid *grid = &work->request->grid.grid;
    tr_cells region = work->request->region;
    uint32_t tile_end = (region.column_end + TR_VOXEL_TILE - 1) / TR_VOXEL_TILE;
    tr_status status = TR_OK;
    for (uint32_t tile = region.column_begin / TR_VOXEL_TILE; tile < tile_end && status == TR_OK;) {
        uint32_t end = tile / tiles_at_once * tiles_at_once + tiles_at_once;
        end = end < tile_end ? end : tile_end;
        tr_cells cells = {tile * TR_VOXEL_TILE, tile_row * TR_VOXEL_TILE, end * TR_VOXEL_TILE,
                          (tile_row + 1) * TR_VOXEL_TILE};
        cells.column_end = cells.column_end < grid->columns ? cells.column_end : grid->columns;
        cells.row_end = cells.row_end < grid->rows ? cells.row_end : grid->rows;
        work->cells = cells;
        memset(work->raster->slice_bits, 0,
               (size_t)(end - tile) * COLUMNS_OF_TILE * work->words * sizeof *work->raster->slice_bits);
        status = draw_tiles(work, error);
        if (status == TR_OK)
            hand_out(work);
        tile = end;
    }
    return status;
}

tr_status tr_gl_slice(tr_raster *base, const tr_voxels_request *request, tr_error *error) {
    tr_cells region = request->region;
    if (region.column_begin == region.column_end || region.row_begin == region.row_end)
        return TR_OK;
    uint32_t layers = request->grid.layers, tiles_at_once = GL_TILE / TR_VOXEL_TILE;
    while (tiles_at_once > 1 && tiles_at_once * COLUMNS_OF_TILE * layers > TOPS_AT_ONCE)
        tiles_at_once /= 2; // a power of two: groups do not cross GL_TILEs
    slicing work = {.raster = (gl_raster *)base, .request = request, .words = (layers + 63) / 64};
    if (!reserve_planes(&work, tiles_at_once))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u tiles of %u layers", tiles_at_once, layers);
    // Drawn objects are asked once, not for each layer.
    work.cells = region;
    tr_raster_request whole = make_request(&work, request->grid.bottom,
                                           request->grid.bottom + (double)layers * request->grid.layer);
    tr_status status = tr_gl_scene_emit(work.raster, request->scene, &whole, error);
    for (uint32_t row = region.row_begin / TR_VOXEL_TILE;
         row <= (region.row_end - 1) / TR_VOXEL_TILE && status == TR_OK; row++)
        status = slice_row(&work, row, tiles_at_once, error);
    return status;
}
#else
typedef int raster_gl_slice_is_empty; // ISO C requires a declaration
#endif
