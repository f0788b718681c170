// One piece of a request on the card: lists the objects that matter, draws them, downloads the cells.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL
#include <string.h>

static const GLuint GROUPS_MAX = 65535; // of one dispatch; every card supports this

static gl_frame make_frame(const tr_raster_request *request, const gl_slice *slice, const gl_piece *piece) {
    double cell = request->grid.cell, slack = tr_raster_slack(&request->grid);
    gl_frame frame = {.low = request->band.low, .cells_per_metre = 1 / cell};
    frame.origin_x = request->grid.origin.x + piece->tile_column * cell;
    frame.origin_z = request->grid.origin.z + piece->tile_row * cell;
    frame.height = (double)request->band.high - request->band.low;
    frame.height_slack = 0.5 * slack * cell;
    // Rounding stays below a third of the slack, so that this margin neither loses a cell nor goes beyond the
    // slack.
    frame.margin = (float)(slack * 0.375);
    frame.radius =
        request->widened && request->radius > 0 ? (float)(request->radius / cell + slack * 0.25) : 0;
    frame.split = (float)((double)request->split - request->band.low);
    frame.flatness = -1;
    if (slice->read) {
        frame.low = slice->low;
        frame.height = slice->height;
        frame.height_slack = slice->slack < frame.height_slack ? slice->slack : frame.height_slack;
        frame.split = (float)slice->height;
        frame.flatness = slice->flatness;
    }
    double around = frame.radius + 2.0;
    frame.guard_x_min = frame.guard_z_min = -around;
    frame.guard_x_max = frame.guard_z_max = GL_TILE + around;
    frame.column_begin = (int32_t)(piece->cells.column_begin - piece->tile_column);
    frame.column_end = (int32_t)(piece->cells.column_end - piece->tile_column);
    frame.row_begin = (int32_t)(piece->cells.row_begin - piece->tile_row);
    frame.row_end = (int32_t)(piece->cells.row_end - piece->tile_row);
    frame.word_begin = piece->word_begin;
    frame.words_per_row = piece->words_per_row;
    frame.widened_at = piece->widened_at;
    frame.floor_at = piece->floor_at;
    frame.overhang_at = piece->overhang_at;
    frame.planes = (request->occupied ? GL_PLANE_OCCUPIED : 0u) | (request->widened ? GL_PLANE_WIDENED : 0u);
    frame.cuts = GL_CUTS;
    return frame;
}

// An empty range is bound with one step of the alignment: OpenGL does not accept a size of 0.
static void bind_part(const gl_raster *raster, GLuint binding, GLuint buffer, size_t offset, size_t size) {
    raster->context.gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, (GLintptr)offset,
                                       (GLsizeiptr)(size ? size : (size_t)raster->alignment));
}

static void bind_buffers(const gl_raster *raster, const gl_slot *slot) {
    const gl_functions *gl = &raster->context.gl;
    const gl_upload_layout *layout = &slot->layout;
    GLuint upload = slot->upload.name;
    gl->BindBufferRange(GL_UNIFORM_BUFFER, 0, upload, 0, sizeof(gl_frame));
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, GL_BINDING_MESHES, raster->meshes.name);
    bind_part(raster, GL_BINDING_STREAM, upload, layout->stream, layout->stream_size);
    bind_part(raster, GL_BINDING_BLOCKS, upload, layout->blocks, layout->blocks_size);
    bind_part(raster, GL_BINDING_INSTANCES, upload, layout->instances, layout->instances_size);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, GL_BINDING_CELLS, raster->cells.name);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, GL_BINDING_LARGE, raster->large.name);
}

// Whether a triangle can be large, as the shader defines it, in these cells.
static bool may_be_large(const gl_frame *frame) {
    int32_t across = ((frame->column_end - 1) / GL_COLUMN_BLOCK) - frame->column_begin / GL_COLUMN_BLOCK + 1;
    return (frame->row_end - frame->row_begin) * across > GL_LARGE_UNITS;
}

static void draw_blocks(const gl_raster *raster, int heights, const gl_frame *frame, uint32_t block_count) {
    const gl_functions *gl = &raster->context.gl;
    bool large = may_be_large(frame);
    // The input of DispatchComputeIndirect, and the number of triangles: the shader increments the second and
    // the last.
    const GLuint no_large[4] = {GL_LARGE_GROUPS, 0, 1, 0};
    if (large)
        gl->ClearNamedBufferSubData(raster->large.name, GL_RGBA32UI, 0, sizeof no_large, GL_RGBA_INTEGER,
                                    GL_UNSIGNED_INT, no_large);
    GLuint program = raster->programs.blocks[heights];
    gl->UseProgram(program);
    for (uint32_t first = 0; first < block_count; first += GROUPS_MAX) {
        uint32_t left = block_count - first;
        gl->ProgramUniform1ui(program, GL_UNIFORM_FIRST_BLOCK, first);
        gl->DispatchCompute(left < GROUPS_MAX ? left : GROUPS_MAX, 1, 1);
    }
    if (!large)
        return;
    gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    gl->UseProgram(raster->programs.large[heights]);
    gl->BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, raster->large.name);
    gl->DispatchComputeIndirect(0);
}

// From the world to -1..1 for everything that can matter to the piece, the radius included.
static tr_affine world_to_clip(const tr_raster_request *request, const gl_frame *frame) {
    double cell = request->grid.cell, around = frame->radius + 1.0;
    double x_min = frame->origin_x + (frame->column_begin - around) * cell;
    double x_max = frame->origin_x + (frame->column_end + around) * cell;
    double z_min = frame->origin_z + (frame->row_begin - around) * cell;
    double z_max = frame->origin_z + (frame->row_end + around) * cell;
    double y_min = request->band.low - 1e-3, y_max = request->band.high + 1e-3;
    tr_affine clip = {{{(float)(2 / (x_max - x_min)), 0, 0, (float)(-(x_max + x_min) / (x_max - x_min))},
                       {0, 0, (float)(2 / (z_max - z_min)), (float)(-(z_max + z_min) / (z_max - z_min))},
                       {0, (float)(-2 / (y_max - y_min)), 0, (float)((y_max + y_min) / (y_max - y_min))}}};
    return clip;
}

// A callback may have changed any state of the context, so all state that matters is set for each.
static void call_back(const gl_raster *raster, const gl_slot *slot, const gl_frame *frame, GLuint program,
                      const scene_object *object) {
    static const GLfloat identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const gl_functions *gl = &raster->context.gl;
    bind_buffers(raster, slot);
    gl->BindFramebuffer(GL_FRAMEBUFFER, raster->framebuffer);
    gl->Viewport(0, 0, frame->column_end - frame->column_begin, frame->row_end - frame->row_begin);
    const GLenum off[] = {GL_SCISSOR_TEST, GL_CULL_FACE, GL_RASTERIZER_DISCARD, GL_DEPTH_TEST,
                          GL_STENCIL_TEST};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        gl->Disable(off[i]);
    gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl->ProgramUniformMatrix4fv(program, GL_UNIFORM_MODEL, 1, GL_FALSE, identity);
    gl->UseProgram(program);
    tr_gl_target target = {raster->framebuffer, program, GL_UNIFORM_MODEL,
                           world_to_clip(&slot->request, frame)};
    object->drawn.draw_gl(object->drawn.user, &target);
}

static void draw_callbacks(const gl_raster *raster, const gl_slot *slot, const gl_piece *piece,
                           const gl_frame *frame, GLuint program) {
    const tr_scene *scene = slot->request.scene;
    float height_slack;
    for (uint32_t i = 0; i < scene->object_count; i++)
        if (scene->objects[i].drawn.draw_gl &&
            tr_gl_scene_matters(&slot->request, &slot->slice, piece->cells, i, &height_slack))
            call_back(raster, slot, frame, program, &scene->objects[i]);
}

tr_status tr_gl_draw_piece(gl_raster *raster, gl_slot *slot, const gl_piece *piece, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    const tr_raster_request *request = &slot->request;
    GLsizeiptr size = (GLsizeiptr)piece->word_count * (GLsizeiptr)sizeof(uint32_t);
    gl_frame frame = make_frame(request, &slot->slice, piece);
    memcpy(slot->upload.map, &frame, sizeof frame);
    uint32_t block_count = tr_gl_scene_list(raster, slot, piece);
    int heights = request->floor != NULL;
    gl->ClearNamedBufferSubData(raster->cells.name, GL_R32UI, 0, size, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    bind_buffers(raster, slot);
    if (block_count)
        draw_blocks(raster, heights, &frame, block_count);
    draw_callbacks(raster, slot, piece, &frame, raster->programs.drawn[heights]);
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    gl->CopyNamedBufferSubData(raster->cells.name, slot->readback.name, 0, 0, size);
    gl->MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    slot->fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!slot->fence)
        return tr_fail(error, TR_UNAVAILABLE, "OpenGL cannot create a fence");
#ifndef NDEBUG
    tr_status status = tr_gl_check(gl, "drawing", error);
    if (status != TR_OK) {
        gl->DeleteSync(slot->fence);
        slot->fence = NULL;
    }
    return status;
#else
    return TR_OK;
#endif
}
#else
typedef int raster_gl_draw_is_empty; // ISO C requires a declaration
#endif
