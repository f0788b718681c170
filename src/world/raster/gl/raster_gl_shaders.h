// The programs of the `gl` back end. Internal to world/.
#pragma once
#include "raster_gl_load.h"
#ifdef TROUPE_HAVE_GL

// Constants that the shaders use as well; the GLSL text repeats them.
#define GL_BLOCK 32              // triangles in a block of corners, the input of one work group
#define GL_BLOCK_FLOATS (9 * 32) // x, y, z of the first corner of all, ... then of the second and third
#define GL_LARGE_MAX 65536 // large triangles that are postponed; further ones are drawn at once, more slowly
#define GL_LARGE_UNITS 256 // a triangle of more (row, 256 columns) pieces than this is large
#define GL_COLUMN_BLOCK 256
#define GL_LARGE_GROUPS 64 // work groups for each large triangle, 16 of which are drawn at once

enum {
    GL_BINDING_MESHES,
    GL_BINDING_STREAM,
    GL_BINDING_BLOCKS,
    GL_BINDING_INSTANCES,
    GL_BINDING_CELLS,
    GL_BINDING_LARGE
};
enum { GL_UNIFORM_MODEL = 0, GL_UNIFORM_FIRST_BLOCK = 0 };
#define GL_CUTS 6 // the band from below and above, and the four sides around the tile
enum { GL_PLANE_OCCUPIED = 1, GL_PLANE_WIDENED = 2 };

// Uniform block 0, std140.
typedef struct gl_frame {
    double origin_x, low, origin_z, cells_per_metre;           // the tile's corner and the band's low end [m]
    double guard_x_min, guard_x_max, guard_z_min, guard_z_max; // geometry outside cannot matter [cells]
    double height, height_slack; // of the band, and the greatest tolerance for rounding of heights [m]
    float margin, radius, split; // [cells], [cells], [m above low]
    float flatness; // square of the least cosine to the ground of a triangle that counts; negative: all count
    int32_t column_begin, column_end, row_begin, row_end; // the cells to draw, counted from the tile's corner
    uint32_t word_begin, words_per_row, widened_at, floor_at; // where the planes are [32-bit words]
    uint32_t overhang_at, planes, cuts, unused;
} gl_frame;

// One placed mesh: std430.
typedef struct gl_instance {
    float placement[3][4];
    float height_slack; // [m]
    float unused[3];
} gl_instance;

// One work group's triangles: std430.
typedef struct gl_block {
    uint32_t instance;
    uint32_t corners;  // number of the block of corners
    uint32_t count;    // triangles in it [1, GL_BLOCK]
    uint32_t streamed; // 1: in the stream, 0: among the meshes
} gl_block;

typedef struct gl_programs {
    GLuint blocks[2]; // one work group for each gl_block; [1] also finds floor and overhang
    GLuint large[2];  // the large triangles that those postponed
    GLuint drawn[2];  // the same for triangles of draw_gl callbacks
} gl_programs;

// The context must be current. TR_UNAVAILABLE quotes the driver's message when it rejects a shader.
tr_status tr_gl_programs_create(const gl_functions *gl, gl_programs *programs, tr_error *error);
// A program of a vertex shader and, unless it is NULL, a fragment shader.
tr_status tr_gl_program_create(const gl_functions *gl, const char *vertex, const char *fragment,
                               GLuint *program, tr_error *error);
void tr_gl_programs_destroy(const gl_functions *gl, gl_programs *programs);
#endif
