// Depth maps with the `gl` back end: the rendering pipeline, into a depth buffer and nothing else.
//
// Depths are stored as near / (2 depth) in 32-bit floats, so that far depths have as many digits as near
// ones. The upper half of the range is for pixels of a link that nothing may pass.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL
#include <string.h>

#define CORNERS_OF_BLOCK (3 * GL_BLOCK)
#define BLOCKS_AT_ONCE (1u << 20) // so that the corners of one call fit into 31 bits
#define NOTHING_PASSES 1.0f

static const GLint STORAGE_BLOCKS = 4; // that the vertex shader reads

// Uniform block 0, std140. In doubles, so that a camera 5 km from the origin loses no precision.
typedef struct gl_camera {
    double eye[4];
    double right[4], down[4]; // divided by half the view's width
    double forward[4];        // and the near plane
} gl_camera;

// Corners are fetched as in the compute shaders; missing triangles of a block collapse into one point.
static const char vertex_text[] =
    "struct Block { uint instance, corners, count, streamed; };\n"
    "struct Instance { vec4 placement[3]; vec4 unused; };\n"
    "layout(std430, binding = 0) readonly buffer Meshes { float meshes[]; };\n"
    "layout(std430, binding = 1) readonly buffer Stream { float stream[]; };\n"
    "layout(std430, binding = 2) readonly buffer Blocks { Block blocks[]; };\n"
    "layout(std430, binding = 3) readonly buffer Instances { Instance instances[]; };\n"
    "layout(std140, binding = 0) uniform Camera { dvec4 eye, right, down, forward; };\n"
    "layout(location = 0) uniform uint first_block;\n"
    "void main() {\n"
    "    Block block = blocks[first_block + uint(gl_VertexID) / 96u];\n"
    "    uint triangle = uint(gl_VertexID) % 96u / 3u, corner = uint(gl_VertexID) % 3u;\n"
    "    gl_Position = vec4(0.0, 0.0, -1.0, 1.0);\n"
    "    if (triangle >= block.count) return;\n"
    "    uint at = block.corners * 288u + corner * 96u + triangle;\n"
    "    vec3 p = block.streamed != 0u ? vec3(stream[at], stream[at + 32u], stream[at + 64u])\n"
    "                                  : vec3(meshes[at], meshes[at + 32u], meshes[at + 64u]);\n"
    "    dvec4 own = dvec4(p, 1.0);\n"
    // One by one: NVIDIA's compiler cannot write a component of a dvec3 with an index that is not constant.
    "    vec4 x = instances[block.instance].placement[0], y = instances[block.instance].placement[1],\n"
    "         z = instances[block.instance].placement[2];\n"
    "    dvec3 from_eye = dvec3(dot(dvec4(x) - dvec4(0.0, 0.0, 0.0, eye.x), own),\n"
    "                           dot(dvec4(y) - dvec4(0.0, 0.0, 0.0, eye.y), own),\n"
    "                           dot(dvec4(z) - dvec4(0.0, 0.0, 0.0, eye.z), own));\n"
    "    gl_Position = vec4(float(dot(right.xyz, from_eye)), float(dot(down.xyz, from_eye)),\n"
    "                       float(forward.w), float(dot(forward.xyz, from_eye)));\n"
    "}\n";

// Only fragments at least as near as the link's own wall remain for the occlusion query.
static const char fragment_text[] =
    "layout(binding = 0) uniform sampler2D walls;\n"
    "void main() {\n"
    "    if (!(gl_FragCoord.z >= texelFetch(walls, ivec2(gl_FragCoord.xy), 0).r)) discard;\n"
    "}\n";

static tr_status create(gl_raster *raster, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    gl_depth *depth = &raster->depth;
    if (depth->compare)
        return TR_OK;
    GLint64 blocks = 0;
    gl->GetInteger64v(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &blocks);
    if (blocks < STORAGE_BLOCKS)
        return tr_fail(error, TR_UNAVAILABLE,
                       "depth maps need %d buffers in vertex shaders, this OpenGL driver allows %lld",
                       (int)STORAGE_BLOCKS, (long long)blocks);
    gl->CreateFramebuffers(1, &depth->framebuffer);
    gl->CreateVertexArrays(1, &depth->vertices);
    gl->CreateQueries(GL_ANY_SAMPLES_PASSED, 1, &depth->query);
    tr_status status = tr_gl_check(gl, "querying the limits for depth maps", error);
    if (status == TR_OK)
        status = tr_gl_program_create(gl, vertex_text, NULL, &depth->draw, error);
    if (status == TR_OK)
        status = tr_gl_program_create(gl, vertex_text, fragment_text, &depth->compare, error);
    if (status != TR_OK)
        tr_gl_depth_destroy(raster);
    return status;
}

void tr_gl_depth_destroy(gl_raster *raster) {
    const gl_functions *gl = &raster->context.gl;
    gl_depth *depth = &raster->depth;
    gl->DeleteSync(depth->slot.fence);
    tr_gl_buffer_destroy(gl, &depth->slot.upload);
    tr_gl_buffer_destroy(gl, &depth->slot.readback);
    tr_gl_buffer_destroy(gl, &depth->wall);
    gl->DeleteProgram(depth->draw);
    gl->DeleteProgram(depth->compare);
    gl->DeleteFramebuffers(1, &depth->framebuffer);
    gl->DeleteTextures(1, &depth->texture);
    gl->DeleteTextures(1, &depth->walls);
    gl->DeleteVertexArrays(1, &depth->vertices);
    gl->DeleteQueries(1, &depth->query);
    memset(depth, 0, sizeof *depth);
}

static void replace_texture(const gl_functions *gl, GLuint *texture, GLenum format, uint32_t columns,
                            uint32_t rows) {
    gl->DeleteTextures(1, texture);
    gl->CreateTextures(GL_TEXTURE_2D, 1, texture);
    gl->TextureStorage2D(*texture, 1, format, (GLsizei)columns, (GLsizei)rows);
}

// Creates textures of at least this size.
static tr_status reserve_textures(gl_raster *raster, uint32_t columns, uint32_t rows, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    gl_depth *depth = &raster->depth;
    if (depth->columns >= columns && depth->rows >= rows)
        return TR_OK;
    columns = columns > depth->columns ? columns : depth->columns;
    rows = rows > depth->rows ? rows : depth->rows;
    depth->columns = depth->rows = 0;
    replace_texture(gl, &depth->texture, GL_DEPTH_COMPONENT32F, columns, rows);
    replace_texture(gl, &depth->walls, GL_R32F, columns, rows);
    gl->NamedFramebufferTexture(depth->framebuffer, GL_DEPTH_ATTACHMENT, depth->texture, 0);
    tr_status status = tr_gl_check(gl, "a depth buffer", error);
    if (status != TR_OK)
        return status;
    GLenum state = gl->CheckNamedFramebufferStatus(depth->framebuffer, GL_FRAMEBUFFER);
    if (state != GL_FRAMEBUFFER_COMPLETE)
        return tr_fail(error, TR_UNAVAILABLE,
                       "OpenGL cannot draw into a framebuffer with a depth buffer only: status 0x%x",
                       (unsigned)state);
    depth->columns = columns;
    depth->rows = rows;
    return TR_OK;
}

static void write_camera(gl_slot *slot, const depth_view *view) {
    double tangent = (double)view->request->camera.half_tangent;
    gl_camera camera = {.forward = {0, 0, 0, (double)view->near}};
    for (int i = 0; i < 3; i++) {
        camera.eye[i] = view->eye[i];
        camera.right[i] = view->right[i] / tangent;
        camera.down[i] = view->down[i] / tangent;
        camera.forward[i] = view->forward[i];
    }
    memcpy(slot->upload.map, &camera, sizeof camera);
}

static void bind_part(const gl_raster *raster, GLuint binding, size_t offset, size_t size) {
    raster->context.gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, raster->depth.slot.upload.name,
                                       (GLintptr)offset,
                                       (GLsizeiptr)(size ? size : (size_t)raster->alignment));
}

// Callbacks of other requests may have changed any state of the context, so all state that matters is set.
static void set_state(const gl_raster *raster, const depth_view *view, GLuint program) {
    const gl_functions *gl = &raster->context.gl;
    const gl_upload_layout *layout = &raster->depth.slot.layout;
    static const GLenum off[] = {GL_SCISSOR_TEST, GL_CULL_FACE,           GL_RASTERIZER_DISCARD,
                                 GL_STENCIL_TEST, GL_POLYGON_OFFSET_FILL, GL_DEPTH_CLAMP};
    static const GLenum rows[] = {GL_PACK_ROW_LENGTH,   GL_PACK_SKIP_ROWS,   GL_PACK_SKIP_PIXELS,
                                  GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        gl->Disable(off[i]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        gl->PixelStorei(rows[i], 0);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    gl->BindFramebuffer(GL_FRAMEBUFFER, raster->depth.framebuffer);
    gl->Viewport(0, 0, (GLsizei)view->columns, (GLsizei)view->rows);
    gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl->ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    gl->DepthRangef(0, 0.5f);
    gl->DepthFunc(GL_GEQUAL);
    gl->UseProgram(program);
    gl->BindVertexArray(raster->depth.vertices);
    gl->BindBufferRange(GL_UNIFORM_BUFFER, 0, raster->depth.slot.upload.name, 0, sizeof(gl_camera));
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, GL_BINDING_MESHES, raster->meshes.name);
    bind_part(raster, GL_BINDING_STREAM, layout->stream, layout->stream_size);
    bind_part(raster, GL_BINDING_BLOCKS, layout->blocks, layout->blocks_size);
    bind_part(raster, GL_BINDING_INSTANCES, layout->instances, layout->instances_size);
}

// Restores the state that the other requests assume.
static void reset_state(const gl_functions *gl) {
    gl->Disable(GL_DEPTH_TEST);
    gl->DepthRangef(0, 1);
    gl->ClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    gl->BindVertexArray(0);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

static void draw_blocks(const gl_raster *raster, GLuint program, uint32_t block_count) {
    const gl_functions *gl = &raster->context.gl;
    for (uint32_t first = 0; first < block_count; first += BLOCKS_AT_ONCE) {
        uint32_t left = block_count - first, count = left < BLOCKS_AT_ONCE ? left : BLOCKS_AT_ONCE;
        gl->ProgramUniform1ui(program, GL_UNIFORM_FIRST_BLOCK, first);
        gl->DrawArrays(GL_TRIANGLES, 0, (GLsizei)(count * CORNERS_OF_BLOCK));
    }
}

// Prepares a drawing; `block_count` receives the number of blocks to draw.
static tr_status begin(gl_raster *raster, const depth_view *view, uint32_t *block_count, tr_error *error) {
    gl_slot *slot = &raster->depth.slot;
    const tr_scene *scene = view->request->scene;
    tr_status status = create(raster, error);
    if (status == TR_OK)
        status = reserve_textures(raster, view->columns, view->rows, error);
    if (status == TR_OK && !tr_gl_scene_is_loaded(raster, scene))
        status = tr_gl_scene_load(raster, scene, error);
    if (status != TR_OK)
        return status;
    slot->layout = tr_gl_scene_layout(raster, scene);
    status = tr_gl_buffer_reserve(raster, &slot->upload, slot->layout.size, GL_UPLOAD_FLAGS, error);
    if (status != TR_OK)
        return status;
    write_camera(slot, view);
    *block_count = tr_gl_scene_list_seen(raster, slot, view);
    return TR_OK;
}

static tr_status finish(gl_raster *raster, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    reset_state(gl);
    raster->depth.slot.fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!raster->depth.slot.fence)
        return tr_fail(error, TR_UNAVAILABLE, "OpenGL cannot create a fence");
    tr_status status = tr_gl_wait(raster, &raster->depth.slot.fence, error);
    return status == TR_OK ? tr_gl_check(gl, "drawing a depth map", error) : status;
}

// Draws the map and downloads it, as near / (2 depth).
static tr_status draw_and_read(gl_raster *raster, const depth_view *view, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    gl_slot *slot = &raster->depth.slot;
    const GLfloat nothing = 0;
    uint32_t block_count = 0;
    tr_status status = begin(raster, view, &block_count, error);
    if (status == TR_OK)
        status =
            tr_gl_buffer_reserve(raster, &slot->readback, (size_t)view->columns * view->rows * sizeof(float),
                                 GL_READBACK_FLAGS, error);
    if (status != TR_OK)
        return status;
    set_state(raster, view, raster->depth.draw);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    gl->ClearNamedFramebufferfv(raster->depth.framebuffer, GL_DEPTH, 0, &nothing);
    draw_blocks(raster, raster->depth.draw, block_count);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, slot->readback.name);
    gl->ReadPixels(0, 0, (GLsizei)view->columns, (GLsizei)view->rows, GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
    gl->MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    return finish(raster, error);
}

// Without a branch, so that the compiler can vectorise it: empty pixels are stored as 0.
static inline float depth_of(float near, float far, float kept) {
    float depth = 0.5f * near / kept;
    depth = depth > near ? depth : near;
    return depth < far ? depth : far;
}

// Whether a row of the link's own map has A >= E. The whole row is tested, for the same reason.
static bool row_collides(const float *restrict link, const float *restrict kept, uint32_t columns, float near,
                         float far) {
    int32_t hits = 0;
    for (uint32_t i = 0; i < columns; i++)
        hits |= link[i] >= depth_of(near, far, kept[i]);
    return hits != 0;
}

static bool row_reaches(const float *link, uint32_t columns, float far) {
    int32_t hits = 0;
    for (uint32_t i = 0; i < columns; i++)
        hits |= link[i] >= far;
    return hits != 0;
}

// The context is current in all of these functions.
typedef tr_status (*depth_work)(gl_raster *raster, const depth_view *view, const tr_depth_map *map, bool *hit,
                                tr_error *error);

static tr_status draw_map(gl_raster *raster, const depth_view *view, const tr_depth_map *map, bool *hit,
                          tr_error *error) {
    (void)hit;
    tr_status status = draw_and_read(raster, view, error);
    if (status != TR_OK)
        return status;
    const float *kept = (const float *)(const void *)raster->depth.slot.readback.map;
    const float near = view->near, far = view->far;
    for (size_t i = 0; i < (size_t)map->columns * map->rows; i++)
        map->depth[i] = depth_of(near, far, kept[i]);
    return TR_OK;
}

static tr_status compare_here(gl_raster *raster, const depth_view *view, const tr_depth_map *link, bool *hit,
                              tr_error *error) {
    tr_status status = draw_and_read(raster, view, error);
    if (status != TR_OK)
        return status;
    const float *kept = (const float *)(const void *)raster->depth.slot.readback.map;
    for (uint32_t row = 0; row < link->rows && !*hit; row++) {
        size_t begin = (size_t)row * link->columns;
        *hit = row_collides(link->depth + begin, kept + begin, link->columns, view->near, view->far);
    }
    return TR_OK;
}

// Draws the scene against the link's own map: does any fragment pass?
static tr_status compare_on_card(gl_raster *raster, const depth_view *view, const tr_depth_map *link,
                                 bool *hit, tr_error *error) {
    const gl_functions *gl = &raster->context.gl;
    gl_depth *depth = &raster->depth;
    size_t pixels = (size_t)link->columns * link->rows;
    uint32_t block_count = 0;
    tr_status status = begin(raster, view, &block_count, error);
    if (status == TR_OK)
        status = tr_gl_buffer_reserve(raster, &depth->wall, pixels * sizeof(float), GL_UPLOAD_FLAGS, error);
    if (status != TR_OK)
        return status;
    float *restrict wall = (float *)(void *)depth->wall.map;
    const float near = view->near, *own = link->depth;
    for (size_t i = 0; i < pixels; i++) {
        float kept = 0.5f * near / own[i];
        wall[i] = own[i] >= near ? kept : NOTHING_PASSES;
    }
    set_state(raster, view, depth->compare);
    gl->Disable(GL_DEPTH_TEST);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, depth->wall.name);
    gl->TextureSubImage2D(depth->walls, 0, 0, 0, (GLsizei)link->columns, (GLsizei)link->rows, GL_RED,
                          GL_FLOAT, NULL);
    gl->BindTextureUnit(0, depth->walls);
    gl->BeginQuery(GL_ANY_SAMPLES_PASSED, depth->query);
    draw_blocks(raster, depth->compare, block_count);
    gl->EndQuery(GL_ANY_SAMPLES_PASSED);
    status = finish(raster, error);
    if (status != TR_OK)
        return status;
    GLuint passed = 0;
    gl->GetQueryObjectuiv(depth->query, GL_QUERY_RESULT, &passed);
    *hit = passed != 0;
    return tr_gl_check(gl, "an occlusion query", error);
}

static tr_status work_in_context(gl_raster *raster, depth_work work, const depth_view *view,
                                 const tr_depth_map *map, bool *hit, tr_error *error) {
    tr_status status = tr_gl_scene_emit_seen(raster, view, error);
    gl_visit visit;
    if (status == TR_OK)
        status = tr_gl_context_enter(&raster->context, &visit, error);
    if (status != TR_OK)
        return status;
    status = work(raster, view, map, hit, error);
    tr_gl_context_leave(&raster->context, &visit);
    return status;
}

tr_status tr_gl_depth_draw(tr_raster *raster, const depth_view *view, const tr_depth_map *map,
                           tr_error *error) {
    bool hit = false;
    if (map->objects)
        return tr_fail(error, TR_UNAVAILABLE, "the gl back end does not draw item buffers: use soft");
    return work_in_context((gl_raster *)raster, draw_map, view, map, &hit, error);
}

tr_status tr_gl_depth_hits(tr_raster *raster, const depth_view *view, const tr_depth_map *link,
                           tr_depth_comparison comparison, bool *hit, tr_error *error) {
    *hit = false;
    // A link that reaches the far plane collides with nothing at all, as the maps compare.
    for (uint32_t row = 0; row < link->rows && !*hit; row++)
        *hit = row_reaches(link->depth + (size_t)row * link->columns, link->columns, view->far);
    if (*hit)
        return TR_OK;
    depth_work work = comparison == TR_DEPTH_READ_BACK ? compare_here : compare_on_card;
    return work_in_context((gl_raster *)raster, work, view, link, hit, error);
}
#else
typedef int raster_gl_depth_is_empty; // ISO C requires a declaration
#endif
