// io/gltf/gltf_write_data.h - a glTF file while it is written. Internal to gltf_write*.c.
//
//   gltf_write.c         checks of the input; the order of work
//   gltf_write_data.c    the lists: bytes, views, accessors, nodes, meshes, channels
//   gltf_write_body.c    characters as skinned meshes or in segments
//   gltf_write_bones.c   a mesh for characters without a body
//   gltf_write_source.c  characters from glTF files (gltf_write_source.h)
//   gltf_write_clip.c    clips to channels, with fewer keys
//   gltf_write_labels.c  contacts and events of clips, as extras
//   gltf_write_scene.c   objects around the characters, and lines
//   gltf_write_json.c    the lists as JSON, and the container
//
// A failure is kept in gltf_out.status, and nothing is added afterwards: most calls need no check.
#pragma once
#include "gltf_document.h"
#include "io/name_set.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/json.h"

// glTF's numbers.
enum { GLTF_U8 = 5121, GLTF_U16 = 5123, GLTF_U32 = 5125, GLTF_FLOAT = 5126 };
enum { GLTF_NO_TARGET = 0, GLTF_VERTICES = 34962, GLTF_INDICES = 34963 };
enum { GLTF_LINE_STRIP = 3, GLTF_TRIANGLES = 4 };
typedef enum gltf_shape { GLTF_SCALAR, GLTF_VEC3, GLTF_VEC4, GLTF_MAT4 } gltf_shape;
typedef enum gltf_path { GLTF_TRANSLATION, GLTF_ROTATION, GLTF_SCALE } gltf_path;

typedef struct gltf_out_source gltf_out_source;

typedef struct gltf_out_view {
    uint32_t offset, size, target, stride; // stride 0: items are contiguous
} gltf_out_view;

typedef struct gltf_out_accessor {
    uint32_t view, offset, count, component;
    gltf_shape shape;
    uint32_t bound_count; // 0, 1 or 3: the size of min and max
    float low[3], high[3];
} gltf_out_accessor;

// One primitive, and one more with the same vertices for each paint. Missing accessors are TR_NONE.
typedef struct gltf_out_mesh {
    const char *name; // owned by the caller
    uint32_t mode, positions, normals, joints, weights, indices, material;
    uint32_t paint_count;
    struct {
        uint32_t indices, material;
    } paints[TR_BODY_PAINTS_MAX];
} gltf_out_mesh;

typedef struct gltf_out_material {
    const char *name;
    float color[3];
    bool unlit;
} gltf_out_material;

typedef struct gltf_out_node {
    char *name; // owned
    tr_transform local;
    uint32_t parent, first_child, last_child, next; // next: of the same parent
    uint32_t mesh, skin;
    const gltf_out_source *source; // NULL: none. Otherwise `mesh` is one of its file,
    uint32_t value;                // and this is the node in its JSON
} gltf_out_node;

// Its joints are consecutive nodes, or those that its source lists.
typedef struct gltf_out_skin {
    const char *name;
    uint32_t matrices, first_joint, joint_count;
    const gltf_out_source *source; // NULL: none
    uint32_t value;                // in the JSON of the source
} gltf_out_skin;

typedef struct gltf_out_channel {
    uint32_t node, input, output;
    gltf_path path;
} gltf_out_channel;

typedef struct gltf_out_animation {
    const char *name;
    uint32_t first_channel, channel_count;
    double rate;    // frames per second of its clips; 0 if they differ
    uint32_t actor; // the actor that moves; TR_NONE: all actors
    uint32_t clip;  // the number of the clip; TR_NONE: no character moves
} gltf_out_animation;

// An object of the scene with a trajectory.
typedef struct gltf_out_mover {
    uint32_t object, node;
} gltf_out_mover;

// The times of a clip, shared by all tracks with the same times.
typedef struct gltf_out_times {
    double rate;
    uint32_t frame_count, accessor;
} gltf_out_times;

typedef struct gltf_out {
    const tr_gltf_shot *shot;
    tr_allocator allocator;
    tr_status status;
    uint8_t *bytes;
    uint32_t size, capacity;
    gltf_out_view *views;
    gltf_out_accessor *accessors;
    gltf_out_mesh *meshes;
    gltf_out_material *materials;
    gltf_out_node *nodes;
    gltf_out_skin *skins;
    gltf_out_channel *channels;
    gltf_out_animation *animations;
    gltf_out_times *times;
    gltf_out_mover *movers;
    uint32_t view_count, accessor_count, mesh_count, material_count, node_count, skin_count, channel_count,
        animation_count, times_count, mover_count;
    uint32_t view_capacity, accessor_capacity, mesh_capacity, material_capacity, node_capacity, skin_capacity,
        channel_capacity, animation_capacity, times_capacity, mover_capacity;
    uint32_t *first_joint; // the node of joint 0 of each actor
    gltf_out_source *sources;
    uint32_t source_count;
    uint32_t *source_of; // of each actor; TR_NONE: none
    tr_error unwanted;   // of the sources, if the caller wants none
    // If the lists are added to those of another file (add/gltf_add.c): how many views and accessors that
    // file has, the buffer that `bytes` becomes, and the number of each node in that file (NULL: its own).
    uint32_t first_view, first_accessor, buffer;
    const uint32_t *node_numbers;
    const gltf_loose_list *loose; // feet that hang on other nodes in that file; NULL: none
    tr_name_set actor_names, animation_names;
} gltf_out;

// The vertices of a mesh; arrays that are NULL are left out.
typedef struct gltf_vertices {
    const tr_vec3 *positions, *normals;
    const uint16_t (*joints)[TR_BODY_INFLUENCES];
    const float (*weights)[TR_BODY_INFLUENCES];
    uint32_t count;
    const uint32_t *indices;
    uint32_t index_count, mode;
    uint32_t joint_count; // of the skeleton: selects the type of joint numbers
} gltf_vertices;

void tr_gltf_write_failed(gltf_out *out, tr_status status); // the first one is kept

// Begins a view: the accessors that follow are in it until the next one.
void tr_gltf_write_view(gltf_out *out, uint32_t target);
// Begins an accessor whose `count` elements are put next. Returns its number.
uint32_t tr_gltf_write_accessor(gltf_out *out, uint32_t component, gltf_shape shape, uint32_t count);
void tr_gltf_write_u8(gltf_out *out, uint32_t value);
void tr_gltf_write_u16(gltf_out *out, uint32_t value);
void tr_gltf_write_u32(gltf_out *out, uint32_t value);
void tr_gltf_write_float(gltf_out *out, float value);
void tr_gltf_write_bounds(gltf_out *out, uint32_t accessor, uint32_t count, const float *low,
                          const float *high);

void tr_gltf_write_bytes(gltf_out *out, const uint8_t *data, size_t size);
void tr_gltf_write_view_of(gltf_out *out, const uint8_t *data, size_t size); // a view with these bytes

// The images of a document that are files of their own. `note` may be NULL.
typedef struct gltf_image_files {
    gltf_document *document;
    uint32_t list; // the JSON array of images
    void (*note)(void *user, const char *sentence);
    void *note_user;
} gltf_image_files;
// Copies such an image into the bytes; *view becomes its view. If it cannot be read, the link stays, and a
// note says so. An image that is no file of its own is left alone.
tr_status tr_gltf_take_image(gltf_out *out, const gltf_image_files *files, uint32_t number, uint32_t *view);

// Each returns the number of the added item.
uint32_t tr_gltf_write_node(gltf_out *out, const char *name, uint32_t parent, tr_transform local);
uint32_t tr_gltf_write_material(gltf_out *out, const char *name, const float color[3], bool unlit);
uint32_t tr_gltf_write_mesh(gltf_out *out, const char *name, const gltf_vertices *vertices,
                            uint32_t material);
// Adds the next triangles of the same vertices to a mesh, in another material.
void tr_gltf_write_paint(gltf_out *out, uint32_t mesh, const gltf_vertices *vertices, uint32_t material);
void tr_gltf_write_mover(gltf_out *out, uint32_t object, uint32_t node);
void tr_gltf_write_channel(gltf_out *out, uint32_t node, gltf_path path, uint32_t input, uint32_t output);
uint32_t tr_gltf_write_times(gltf_out *out, double rate, uint32_t frame_count);
// The name, or a similar one that is still unused; valid as long as `out`. NULL: no memory.
const char *tr_gltf_write_unique(gltf_out *out, tr_name_set *names, const char *name);

// The transform of a map without shear; false if a transform cannot represent it.
bool tr_gltf_write_take_apart(const tr_affine *map, tr_transform *transform);

// A mesh of bones for a skeleton, in a tr_body_def whose arrays tr_gltf_bones_free frees.
bool tr_gltf_bones_make(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_body_def *bones);
void tr_gltf_bones_free(const tr_allocator *allocator, tr_body_def *bones);

void tr_gltf_write_actor(gltf_out *out, uint32_t actor);
// The nodes of a skeleton below `above`; `unit`: metres in a unit of their positions. Returns the first.
uint32_t tr_gltf_write_joints(gltf_out *out, const tr_skeleton *skeleton, uint32_t above, double unit);
// The unit in which the nodes of an actor are placed [m].
double tr_gltf_write_unit(const gltf_out *out, uint32_t actor);
void tr_gltf_write_animations(gltf_out *out);
void tr_gltf_write_objects(gltf_out *out);
void tr_gltf_write_lines(gltf_out *out);
// The extras of an animation: its rate and the labels of its clips. Writes nothing if there are neither.
void tr_gltf_write_extras(const gltf_out *out, const gltf_out_animation *animation, tr_json_writer *writer);
tr_status tr_gltf_write_file(gltf_out *out, tr_bytes *bytes, tr_error *error);
// One item of a list, as JSON.
void tr_gltf_write_animation_item(const gltf_out *out, uint32_t number, tr_json_writer *writer);
void tr_gltf_write_accessor_item(const gltf_out *out, uint32_t number, tr_json_writer *writer);
void tr_gltf_write_view_item(const gltf_out *out, uint32_t number, tr_json_writer *writer);
// The number of a node in the file.
uint32_t tr_gltf_write_node_number(const gltf_out *out, uint32_t node);
// Bytes as a data: URI that ends with a 0, in a block of *room bytes; NULL: no memory.
char *tr_gltf_write_uri(const tr_allocator *allocator, const uint8_t *data, size_t size, size_t *room);
// A GLB of the JSON and the bytes.
tr_status tr_gltf_write_pack(const gltf_out *out, const tr_bytes *json, tr_bytes *bytes, tr_error *error);
// Frees everything that `out` holds.
void tr_gltf_write_release(gltf_out *out);
