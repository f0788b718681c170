// The `gl` back end: OpenGL 4.5 without a window.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL
#include <stdio.h>
#include <string.h>

#define WAIT_STEP_NANOSECONDS 1000000000u
#define WAIT_STEPS_MAX 30 // a driver that takes longer never answers

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// The piece of the region that begins at this cell, and the places of its planes.
static gl_piece make_piece(const tr_raster_request *request, uint32_t column, uint32_t row) {
    gl_piece piece = {.tile_column = column / GL_TILE * GL_TILE, .tile_row = row / GL_TILE * GL_TILE};
    tr_cells cells = {column, row, least(piece.tile_column + GL_TILE, request->region.column_end),
                      least(piece.tile_row + GL_TILE, request->region.row_end)};
    uint32_t columns = cells.column_end - cells.column_begin;
    uint32_t region_columns = request->region.column_end - request->region.column_begin;
    if (request->floor) // the same number of rows in all adjacent tiles
        cells.row_end = least(cells.row_end, row + GL_HEIGHT_CELLS_MAX / least(region_columns, GL_TILE));
    uint32_t rows = cells.row_end - cells.row_begin;
    piece.cells = cells;
    piece.word_begin = (cells.column_begin - piece.tile_column) / 64 * 2;
    piece.words_per_row = (cells.column_end - piece.tile_column + 63) / 64 * 2 - piece.word_begin;
    uint32_t bits = rows * piece.words_per_row;
    piece.widened_at = request->occupied ? bits : 0;
    piece.floor_at = piece.widened_at + (request->widened ? bits : 0);
    piece.overhang_at = piece.floor_at + (request->floor ? rows * columns : 0);
    piece.word_count = piece.overhang_at + (request->floor ? rows * columns : 0);
    return piece;
}

// The greatest number of words that any request on this grid can need at once.
static size_t largest_piece(const tr_grid *grid) {
    uint32_t columns = least(grid->columns, GL_TILE), rows = least(grid->rows, GL_TILE);
    size_t bits = (size_t)rows * ((columns + 63) / 64 * 2);
    size_t height_cells = (size_t)columns * rows;
    if (height_cells > GL_HEIGHT_CELLS_MAX)
        height_cells = GL_HEIGHT_CELLS_MAX;
    return 2 * bits + 2 * height_cells;
}

static tr_status reserve_slot(gl_raster *raster, gl_slot *slot, const tr_scene *scene, size_t words,
                              tr_error *error) {
    slot->layout = tr_gl_scene_layout(raster, scene);
    tr_status status = tr_gl_buffer_reserve(raster, &raster->cells, words * sizeof(uint32_t), 0, error);
    if (status == TR_OK)
        status = tr_gl_buffer_reserve(raster, &slot->upload, slot->layout.size, GL_UPLOAD_FLAGS, error);
    if (status == TR_OK)
        status =
            tr_gl_buffer_reserve(raster, &slot->readback, words * sizeof(uint32_t), GL_READBACK_FLAGS, error);
    return status;
}

static tr_status prepare_in_context(gl_raster *raster, const tr_scene *scene, const tr_grid *grid,
                                    tr_error *error) {
    tr_status status = tr_gl_scene_load(raster, scene, error);
    for (uint32_t i = 0; i < TR_RASTER_IN_FLIGHT && status == TR_OK; i++) {
        // Slots in flight keep their buffers, which grow when the slot is used again.
        uint32_t turn = (raster->oldest + TR_RASTER_IN_FLIGHT - 1 - i) % TR_RASTER_IN_FLIGHT;
        if (i + raster->base.in_flight < TR_RASTER_IN_FLIGHT)
            status = reserve_slot(raster, &raster->slots[turn], scene, largest_piece(grid), error);
    }
    return status;
}

static tr_status prepare(tr_raster *base, const tr_scene *scene, const tr_grid *grid, tr_error *error) {
    gl_raster *raster = (gl_raster *)base;
    tr_status status = tr_gl_scene_emit(raster, scene, NULL, error);
    if (status != TR_OK)
        return status;
    gl_visit visit;
    status = tr_gl_context_enter(&raster->context, &visit, error);
    if (status != TR_OK)
        return status;
    status = prepare_in_context(raster, scene, grid, error);
    tr_gl_context_leave(&raster->context, &visit);
    return status;
}

tr_status tr_gl_wait(const gl_raster *raster, GLsync *fence, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    GLenum state = GL_TIMEOUT_EXPIRED;
    for (int i = 0; i < WAIT_STEPS_MAX && state == GL_TIMEOUT_EXPIRED; i++)
        state = gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, WAIT_STEP_NANOSECONDS);
    gl->DeleteSync(*fence);
    *fence = NULL;
    if (state == GL_TIMEOUT_EXPIRED)
        return tr_fail(error, TR_UNAVAILABLE, "OpenGL did not finish drawing within %d s", WAIT_STEPS_MAX);
    if (state == GL_WAIT_FAILED)
        return tr_fail(error, TR_UNAVAILABLE, "OpenGL failed while drawing: the GPU may have been reset");
    return TR_OK;
}

static tr_status wait_and_read(gl_raster *raster, gl_slot *slot, const gl_piece *piece, tr_error *error) {
    tr_status status = tr_gl_wait(raster, &slot->fence, error);
    if (status != TR_OK)
        return status;
    if (slot->slice.read)
        slot->slice.read(slot->slice.user, piece, (const uint32_t *)(const void *)slot->readback.map);
    else
        tr_gl_read_piece(&slot->request, piece, slot->readback.map);
    return TR_OK;
}

// Draws piece after piece, and waits for all but the last, because the planes of a large grid do not fit into
// one buffer.
static tr_status draw_pieces(gl_raster *raster, gl_slot *slot, tr_error *error) {
    const tr_raster_request *request = &slot->request;
    tr_cells region = request->region;
    tr_status status = TR_OK;
    for (uint32_t row = region.row_begin; row < region.row_end && status == TR_OK;) {
        uint32_t next_row = row;
        for (uint32_t column = region.column_begin; column < region.column_end && status == TR_OK;) {
            gl_piece piece = make_piece(request, column, row);
            if (slot->fence)
                status = wait_and_read(raster, slot, &slot->piece, error);
            if (status == TR_OK)
                status = reserve_slot(raster, slot, request->scene, piece.word_count, error);
            if (status == TR_OK)
                status = tr_gl_draw_piece(raster, slot, &piece, error);
            slot->piece = piece;
            column = piece.cells.column_end;
            next_row = piece.cells.row_end;
        }
        row = next_row;
    }
    return status;
}

tr_status tr_gl_begin(gl_raster *raster, const tr_raster_request *request, const gl_slice *slice,
                      tr_error *error) {
    gl_slot *slot = &raster->slots[(raster->oldest + raster->base.in_flight) % TR_RASTER_IN_FLIGHT];
    const gl_slice none = {.read = NULL};
    slot->request = *request;
    slot->slice = slice ? *slice : none;
    tr_status status = TR_OK;
    if (!tr_gl_scene_is_loaded(raster, request->scene))
        status = tr_gl_scene_load(raster, request->scene, error);
    return status == TR_OK ? draw_pieces(raster, slot, error) : status;
}

tr_status tr_gl_end(gl_raster *raster, tr_error *error) {
    gl_slot *slot = &raster->slots[raster->oldest];
    raster->oldest = (raster->oldest + 1) % TR_RASTER_IN_FLIGHT;
    return slot->fence ? wait_and_read(raster, slot, &slot->piece, error) : TR_OK;
}

static tr_status submit(tr_raster *base, const tr_raster_request *request, tr_error *error) {
    gl_raster *raster = (gl_raster *)base;
    if (request->widened && request->radius / request->grid.cell > GL_RADIUS_MAX)
        return tr_fail(error, TR_LIMIT, "the radius is %g cells, the maximum of the gl rasteriser is %d",
                       (double)request->radius / request->grid.cell, GL_RADIUS_MAX);
    tr_status status = tr_gl_scene_emit(raster, request->scene, request, error);
    if (status != TR_OK)
        return status;
    gl_visit visit;
    status = tr_gl_context_enter(&raster->context, &visit, error);
    if (status != TR_OK)
        return status;
    status = tr_gl_begin(raster, request, NULL, error);
    tr_gl_context_leave(&raster->context, &visit);
    return status;
}

static tr_status collect(tr_raster *base, tr_error *error) {
    gl_raster *raster = (gl_raster *)base;
    if (!raster->slots[raster->oldest].fence)
        return tr_gl_end(raster, error); // the region was empty
    gl_visit visit;
    tr_status status = tr_gl_context_enter(&raster->context, &visit, error);
    if (status != TR_OK)
        return status;
    status = tr_gl_end(raster, error);
    tr_gl_context_leave(&raster->context, &visit);
    return status;
}

static void destroy_in_context(gl_raster *raster) {
    const gl_functions *gl = &raster->context.gl;
    for (int i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
        gl->DeleteSync(raster->slots[i].fence);
        tr_gl_buffer_destroy(gl, &raster->slots[i].upload);
        tr_gl_buffer_destroy(gl, &raster->slots[i].readback);
    }
    tr_gl_depth_destroy(raster);
    tr_gl_buffer_destroy(gl, &raster->meshes);
    tr_gl_buffer_destroy(gl, &raster->cells);
    tr_gl_buffer_destroy(gl, &raster->large);
    tr_gl_programs_destroy(gl, &raster->programs);
    gl->DeleteFramebuffers(1, &raster->framebuffer);
}

static void destroy(tr_raster *base) {
    gl_raster *raster = (gl_raster *)base;
    tr_allocator allocator = base->allocator;
    gl_visit visit;
    if (raster->context.context != EGL_NO_CONTEXT) {
        if (tr_gl_context_enter(&raster->context, &visit, NULL) == TR_OK) {
            destroy_in_context(raster);
            tr_gl_context_leave(&raster->context, &visit);
        }
        tr_gl_context_close(&raster->context);
    }
    tr_release(&allocator, raster->mesh_table, raster->mesh_capacity, sizeof *raster->mesh_table);
    tr_release(&allocator, raster->stream, raster->stream_capacity, GL_BLOCK_FLOATS * sizeof(float));
    tr_release(&allocator, raster->slice_bits, raster->slice_bits_capacity, sizeof *raster->slice_bits);
    tr_release(&allocator, raster->slice_tops, raster->slice_tops_capacity, sizeof *raster->slice_tops);
    tr_release(&allocator, raster->emitted, raster->emitted_capacity, sizeof *raster->emitted);
    tr_release(&allocator, raster, 1, sizeof *raster);
}

static tr_status create_in_context(gl_raster *raster, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    const char *renderer = (const char *)gl->GetString(GL_RENDERER);
    snprintf(raster->base.name, sizeof raster->base.name, "gl (%s)", renderer ? renderer : "unnamed");
    GLint64 uniform_alignment = 0;
    gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &raster->storage_max);
    gl->GetInteger64v(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &raster->alignment);
    gl->GetInteger64v(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &uniform_alignment);
    raster->alignment = raster->alignment > uniform_alignment ? raster->alignment : uniform_alignment;
    if (raster->alignment < 256)
        raster->alignment = 256;
    tr_status status = tr_gl_programs_create(gl, &raster->programs, error);
    if (status != TR_OK)
        return status;
    gl->CreateFramebuffers(1, &raster->framebuffer);
    gl->NamedFramebufferParameteri(raster->framebuffer, GL_FRAMEBUFFER_DEFAULT_WIDTH, GL_TILE);
    gl->NamedFramebufferParameteri(raster->framebuffer, GL_FRAMEBUFFER_DEFAULT_HEIGHT, GL_TILE);
    status =
        tr_gl_buffer_reserve(raster, &raster->large, 2 * sizeof(uint32_t) * (2 + GL_LARGE_MAX), 0, error);
    return status == TR_OK ? tr_gl_check(gl, "setting up", error) : status;
}

tr_status raster_gl_create(const tr_raster_def *def, tr_raster **raster, tr_error *error) {
    static const raster_functions functions = {.destroy = destroy,
                                               .prepare = prepare,
                                               .submit = submit,
                                               .collect = collect,
                                               .slice = tr_gl_slice,
                                               .depth_draw = tr_gl_depth_draw,
                                               .depth_hits = tr_gl_depth_hits};
    tr_allocator own = tr_allocator_or_default(def->allocator);
    gl_raster *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a rasteriser");
    made->base.functions = &functions;
    made->base.allocator = own;
    made->base.backend = TR_RASTER_GL;
    made->context.context = EGL_NO_CONTEXT;
    tr_status status = tr_gl_context_open(&made->context, error);
    gl_visit visit;
    if (status == TR_OK)
        status = tr_gl_context_enter(&made->context, &visit, error);
    if (status == TR_OK) {
        status = create_in_context(made, error);
        tr_gl_context_leave(&made->context, &visit);
    }
    if (status != TR_OK) {
        destroy(&made->base);
        return status;
    }
    *raster = &made->base;
    return TR_OK;
}
#else
tr_status raster_gl_create(const tr_raster_def *def, tr_raster **raster, tr_error *error) {
    (void)def, (void)raster;
    return tr_fail(error, TR_UNAVAILABLE, "this build of Troupe has no OpenGL back end");
}
#endif
