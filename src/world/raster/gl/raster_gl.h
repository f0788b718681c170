// Declarations that the files of the `gl` back end share. Internal to world/.
#pragma once
#include "world/occupancy/depth_data.h"
#include "raster_gl_shaders.h"
#ifdef TROUPE_HAVE_GL

// Positions are floats relative to a tile's corner. Tiles lie at multiples of this in the grid, whatever the
// region, so that a region drawn alone has the same cells as in the whole.
#define GL_TILE 2048
// Floor and overhang take 64 times the memory of bits: then a tile is drawn in bands of rows with at most
// this many cells.
#define GL_HEIGHT_CELLS_MAX (1u << 20)
#define GL_RADIUS_MAX 4096 // [cells]: floats are not accurate to within the slack beyond this

typedef struct gl_buffer {
    GLuint name; // 0: none
    size_t size;
    unsigned char *map; // NULL unless persistently mapped
} gl_buffer;

// The place of a mesh's corners on the card.
typedef struct gl_mesh {
    uint32_t first_block, triangle_count;
} gl_mesh;

// The triangles that one drawn object emitted.
typedef struct gl_emitted {
    uint32_t object;
    uint32_t first_block, triangle_count;
} gl_emitted;

// A part of a request that is drawn at once: cells of one tile, and the places of its planes in the buffer.
typedef struct gl_piece {
    tr_cells cells;
    uint32_t tile_column, tile_row; // the tile's first cell
    uint32_t word_begin,
        words_per_row; // of bits; 32-bit words, counted from the tile's first column; both even
    uint32_t widened_at, floor_at, overhang_at; // [32-bit words]; occupied is at 0
    uint32_t word_count;
} gl_piece;

// Where the parts of a slot's upload buffer begin [bytes].
typedef struct gl_upload_layout {
    size_t blocks, instances, stream, size;
    size_t blocks_size, instances_size, stream_size;
} gl_upload_layout;

// The additional data of a request that draws one slice of a scene, or a part of it: all 0 for other
// requests.
typedef struct gl_slice {
    // Takes the cells as they come from the card; NULL: they go into the planes of the request.
    void (*read)(void *user, const gl_piece *piece, const uint32_t *words);
    void *user;
    double low, height;      // the request's band before rounding [m]
    double slack;            // the greatest tolerance for rounding of heights [m]
    float flatness;          // square of the least cosine of a triangle that counts
    uint32_t require_tags;   // only objects with one of these; 0: all
    const uint64_t *exclude; // bits of excluded objects; may be NULL
    uint32_t exclude_count;
} gl_slice;

// One request in flight.
typedef struct gl_slot {
    gl_buffer upload, readback;
    gl_upload_layout layout;
    GLsync fence; // NULL: nothing to wait for
    tr_raster_request request;
    gl_slice slice;
    gl_piece piece; // the last one: the others were collected while submitting
} gl_slot;

// The resources for depth maps; created for the first one.
typedef struct gl_depth {
    gl_slot slot;         // uploads its lists, and downloads a map
    gl_buffer wall;       // uploads a link's own map
    GLuint draw, compare; // programs
    GLuint framebuffer, texture, walls, vertices, query;
    uint32_t columns, rows; // of the two textures: the depth buffer, and a link's own map
} gl_depth;

typedef struct gl_raster {
    tr_raster base;
    gl_context context;
    gl_programs programs;
    GLuint framebuffer;
    gl_buffer meshes, cells, large;
    const tr_scene *scene; // whose meshes are on the card
    uint64_t scene_identity;
    gl_mesh *mesh_table;
    uint32_t mesh_count, mesh_capacity;
    float *stream; // blocks of corners that drawn objects emitted, and which object emitted them
    uint32_t stream_blocks, stream_capacity;
    gl_emitted *emitted;
    uint32_t emitted_count, emitted_capacity;
    gl_slot slots[TR_RASTER_IN_FLIGHT];
    uint32_t oldest; // slot of the oldest request
    gl_depth depth;
    uint64_t *slice_bits; // planes of the tiles that are being sliced, and their capacity in words and tops
    tr_voxel_top *slice_tops;
    uint32_t slice_bits_capacity, slice_tops_capacity;
    GLint64 storage_max; // greatest size of a buffer that a shader can access [bytes]
    GLint64 alignment;   // of buffer ranges that are bound to a shader [bytes]
} gl_raster;

static inline uint32_t gl_block_count(uint32_t triangles) {
    return triangles / GL_BLOCK + (triangles % GL_BLOCK != 0);
}

// raster_gl_buffer.c: makes the buffer at least this large; its content is lost when it grows. `flags` as in
// glBufferStorage; a buffer with GL_MAP_PERSISTENT_BIT is mapped. The context must be current.
tr_status tr_gl_buffer_reserve(gl_raster *raster, gl_buffer *buffer, size_t size, GLbitfield flags,
                               tr_error *error);
void tr_gl_buffer_destroy(const gl_functions *gl, gl_buffer *buffer);
// TR_OUT_OF_MEMORY or TR_UNAVAILABLE when OpenGL reports an error.
tr_status tr_gl_check(const gl_functions *gl, const char *what, tr_error *error);

// raster_gl_scene.c
bool tr_gl_scene_is_loaded(const gl_raster *raster, const tr_scene *scene);
tr_status tr_gl_scene_load(gl_raster *raster, const tr_scene *scene,
                           tr_error *error); // the context must be current
// Asks the drawn objects for their triangles; with a request only those that matter to it. The caller's own
// context is current, if it has one, because the callbacks are the caller's.
tr_status tr_gl_scene_emit(gl_raster *raster, const tr_scene *scene, const tr_raster_request *request,
                           tr_error *error);
// The layout for every object of the scene and all emitted triangles.
gl_upload_layout tr_gl_scene_layout(const gl_raster *raster, const tr_scene *scene);
// Fills the slot's blocks, instances and stream for one piece; returns the number of blocks.
uint32_t tr_gl_scene_list(const gl_raster *raster, gl_slot *slot, const gl_piece *piece);
// Whether the object can have cells in the piece. `height_slack` receives the rounding of its heights [m].
bool tr_gl_scene_matters(const tr_raster_request *request, const gl_slice *slice, tr_cells cells,
                         uint32_t object, float *height_slack);

// The same for depth maps; draw_gl callbacks do not support perspective, so those objects are asked to emit
// as well.
tr_status tr_gl_scene_emit_seen(gl_raster *raster, const depth_view *view, tr_error *error);
uint32_t tr_gl_scene_list_seen(const gl_raster *raster, gl_slot *slot, const depth_view *view);

// raster_gl.c: waits until the card has reached the fence, and deletes it.
tr_status tr_gl_wait(const gl_raster *raster, GLsync *fence, tr_error *error);
// The two halves of a request while the context is current; drawn objects have emitted already. `slice` is
// NULL except for slices.
tr_status tr_gl_begin(gl_raster *raster, const tr_raster_request *request, const gl_slice *slice,
                      tr_error *error);
tr_status tr_gl_end(gl_raster *raster, tr_error *error); // the oldest

// Flags for buffers that the processor writes, and for buffers that it reads.
#define GL_UPLOAD_FLAGS (GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)
#define GL_READBACK_FLAGS                                                                                    \
    (GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | GL_CLIENT_STORAGE_BIT)

// raster_gl_depth.c
tr_status tr_gl_depth_draw(tr_raster *raster, const depth_view *view, const tr_depth_map *map,
                           tr_error *error);
tr_status tr_gl_depth_hits(tr_raster *raster, const depth_view *view, const tr_depth_map *link,
                           tr_depth_comparison comparison, bool *hit, tr_error *error);
void tr_gl_depth_destroy(gl_raster *raster); // the context must be current

// raster_gl_slice.c
tr_status tr_gl_slice(tr_raster *raster, const tr_voxels_request *request, tr_error *error);

// raster_gl_draw.c: draws one piece of the slot's request, downloads its cells and sets the fence.
tr_status tr_gl_draw_piece(gl_raster *raster, gl_slot *slot, const gl_piece *piece, tr_error *error);

// raster_gl_read.c: copies from the buffer into the planes.
void tr_gl_read_piece(const tr_raster_request *request, const gl_piece *piece, const void *cells);
#endif
