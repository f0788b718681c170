// io/gltf/gltf_document.h - a glTF file while it is read. Internal to gltf*.c.
//
//   gltf.c           the container (text or GLB), version and extensions
//   gltf_buffer.c    bytes: buffers and views of them
//   gltf_accessor.c  numbers in those bytes
//   gltf_node.c      nodes as trees
//   gltf_mesh.c      primitives to triangles
//   gltf_scene.c     nodes to placed objects
//   gltf_motion*.c   skins and animations to figures (gltf_motion_data.h)
//   add/             the document once more, with clips added (gltf_add_data.h)
#pragma once
#include "io/scene_parts.h"
#include "troupe/io/gltf.h"
#include "troupe/io/json.h"
#include "troupe/motion/pose.h"

typedef struct gltf_buffer {
    const uint8_t *data; // NULL: not loaded yet
    uint64_t size;
    tr_bytes owned; // if the data did not come with the file
} gltf_buffer;

typedef struct gltf_view {
    const uint8_t *data;
    uint64_t size;
    uint32_t stride; // 0: items are contiguous
} gltf_view;

// Checked on opening: every element can then be read without further checks.
typedef struct gltf_accessor {
    uint32_t value; // in the JSON; TR_NONE: not opened yet
    uint32_t count;
    const uint8_t *data; // NULL: all zeros
    uint32_t stride;
    uint32_t component;    // glTF's number for its type
    uint8_t rows, columns; // 1 x 1 for SCALAR, 3 x 1 for VEC3, 4 x 4 for MAT4
    uint8_t column_stride; // columns of matrices begin at multiples of 4 bytes
    bool normalized;
    // A few elements that differ from the data, in increasing order.
    uint32_t sparse_count, sparse_component;
    const uint8_t *sparse_indices, *sparse_values;
} gltf_accessor;

typedef struct gltf_document {
    tr_scene_reading reading;
    tr_error *error;
    tr_json *json;
    uint32_t root;
    const uint8_t *json_text, *chunk; // the parts of the file; chunk: NULL if there is no BIN
    uint64_t json_size, chunk_size;
    uint64_t json_start; // in a GLB [bytes]
    bool is_binary;
    uint64_t bytes_read; // the file and every loaded buffer: sizes are limited relative to it
    tr_gltf_load load;
    void *load_user;
    uint32_t buffer_list, view_list, accessor_list, mesh_list, node_list, scene_list, skin_list,
        animation_list, material_list; // in the JSON
    gltf_buffer *buffers;
    gltf_accessor *accessors;
    uint32_t buffer_count, accessor_count;
    // For building meshes: the number of a position in the primitive that used it last.
    uint32_t *local, *owner;
    uint32_t local_count;
    // One entry for each primitive of each mesh, from first_primitive[mesh] on: its mesh in `parts`, or a
    // mark.
    uint32_t *first_primitive, *primitive_part;
    uint32_t mesh_count, primitive_count;
    uint32_t left_out; // primitives of points and lines
    tr_scene_parts parts;
} gltf_document;

// A primitive whose accessors are found and checked.
typedef struct gltf_primitive {
    uint32_t value;                           // in the JSON
    int64_t mode;                             // GLTF_MODE_TRIANGLES until it is read
    const gltf_accessor *positions, *indices; // indices: NULL if the positions are used in order
    uint32_t corner_count, triangle_count;
    uint32_t owner; // the number of its part: marks the positions that it uses
} gltf_primitive;
enum { GLTF_MODE_TRIANGLES = 4, GLTF_MODE_STRIP = 5, GLTF_MODE_FAN = 6 };

// The place of a node relative to its parent, as the file gives it.
typedef struct gltf_local {
    bool is_matrix;
    double matrix[3][4];               // rows
    double move[3], turn[4], scale[3]; // turn as in the file: of any length
} gltf_local;

// The nodes as trees.
typedef struct gltf_graph {
    gltf_document *document;
    uint32_t *parents; // TR_NONE for a root
    uint32_t *order;   // every node, parents first, depth first, children as they are listed
    uint32_t count;
} gltf_graph;

#define GLTF_NOT_BUILT TR_NONE   // in primitive_part
#define GLTF_EMPTY (TR_NONE - 1) // has no triangles

// Opens the container and everything that accessors need; close it in any case. The fields up to `error`,
// `load`, `load_user` and `bytes_read` must be set before.
tr_status tr_gltf_open(gltf_document *document, const void *data, size_t size);
void tr_gltf_close(gltf_document *document);

// Reads a member that is an index into `list` (named `what` in errors). If it is optional and absent, *index
// is unchanged.
tr_status tr_gltf_get_index(const gltf_document *document, uint32_t object, const char *key,
                            tr_json_need need, uint32_t list, const char *what, uint32_t *index);
bool tr_gltf_has_extension(const gltf_document *document, uint32_t object, const char *name);

tr_status tr_gltf_open_buffers(gltf_document *document);
void tr_gltf_close_buffers(gltf_document *document);
tr_status tr_gltf_open_buffer(gltf_document *document, uint32_t index); // finds and checks its bytes
tr_status tr_gltf_open_view(gltf_document *document, uint32_t index, gltf_view *view);

tr_status tr_gltf_open_accessors(gltf_document *document);
void tr_gltf_close_accessors(gltf_document *document);
// Opens and checks the accessor; the document owns it.
tr_status tr_gltf_open_accessor(gltf_document *document, uint32_t index, const gltf_accessor **accessor);
// Element `index` [< count] as rows * columns numbers, column by column; normalised if the accessor is.
void tr_gltf_read_numbers(const gltf_accessor *accessor, uint32_t index, double *numbers);
uint32_t tr_gltf_read_whole(const gltf_accessor *accessor, uint32_t index); // of unsigned scalars

// Finds the parent of every node; TR_BAD_FILE for a node with two parents, or that is its own ancestor. Close
// it in any case.
tr_status tr_gltf_open_graph(gltf_document *document, gltf_graph *graph);
void tr_gltf_close_graph(gltf_graph *graph);
uint32_t tr_gltf_node_value(const gltf_document *document, uint32_t node); // in the JSON
// Reads a node number in item `i` of a list in the JSON.
tr_status tr_gltf_read_node_number(const gltf_document *document, uint32_t list, uint32_t i, uint32_t *node);
tr_status tr_gltf_read_local(const gltf_document *document, uint32_t node, gltf_local *local);
// The transform of a node that has no matrix, its rotation normalized.
tr_transform tr_gltf_local_transform(const gltf_local *local, double metres_per_unit);

// Opens positions and indices; without positions, or with points and lines, there are no triangles. Set
// `value` before.
tr_status tr_gltf_open_primitive(gltf_document *document, gltf_primitive *primitive);
// The corners of a triangle: numbers of indices, or of positions if there are no indices.
void tr_gltf_find_triangle(int64_t mode, uint32_t triangle, uint32_t corner[3]);
// The position of corner `corner`.
tr_status tr_gltf_find_position(const gltf_document *document, const gltf_primitive *primitive,
                                uint32_t corner, uint32_t *position);
// Makes room in `local` and `owner` for the positions of an accessor; owners are TR_NONE when new.
tr_status tr_gltf_reserve_local(gltf_document *document, uint32_t count);

tr_status tr_gltf_open_meshes(gltf_document *document);
void tr_gltf_close_meshes(gltf_document *document);
// The part made from one primitive, built at its first use; GLTF_EMPTY if it has no triangles.
tr_status tr_gltf_build_primitive(gltf_document *document, uint32_t mesh, uint32_t primitive, uint32_t *part);

tr_status tr_gltf_add_objects(gltf_document *document);

// "image/png" and others, by the first bytes; NULL for bytes that no glTF file has as an image.
const char *tr_gltf_image_type(const uint8_t *data, size_t size);

// A foot that hangs on the shank in a skeleton, and on another node in the file (gltf_motion_joints.c).
typedef struct gltf_loose {
    uint32_t joint, bone; // the foot and the shank
    uint32_t above;       // the foot's parent in the file; TR_NONE: none
    tr_transform rest;    // of the foot, relative to that parent
} gltf_loose;
typedef struct gltf_loose_list {
    gltf_loose items[2];
    uint32_t count;
} gltf_loose_list;
// Turns the feet of a pose from the axes of the file into those of the skeleton, and back. All other joints
// are the same in both.
void tr_gltf_loose_hang(const gltf_loose_list *list, const tr_skeleton *skeleton, tr_pose *pose);
void tr_gltf_loose_free(const gltf_loose_list *list, const tr_skeleton *skeleton, tr_pose *pose);

// The skeleton of figure `figure`, in the order of tr_gltf_read_figures, and the node of each of its joints.
// Both use the allocator of the document: free the nodes with tr_release. TR_NOT_FOUND: there is no such
// figure.
tr_status tr_gltf_motion_find_joints(gltf_document *document, uint32_t figure, tr_skeleton **skeleton,
                                     uint32_t **nodes, gltf_loose_list *loose); // loose: may be NULL
