// io/gltf/gltf_motion_data.h - a glTF file while its characters are read. Internal to gltf_motion*.c.
//
//   gltf_motion.c         options; which skins and nodes form a figure
//   gltf_motion_joints.c  the nodes of a figure as a skeleton; feet that do not hang on their legs
//   gltf_motion_bind.c    the rest pose, where the nodes hold another one
//   gltf_motion_body.c    meshes of a figure as a body
//   gltf_motion_paint.c   colours of its triangles
//   gltf_motion_keys.c    animations: channels, and the rate they are sampled at
//   gltf_motion_clip.c    animations sampled into clips
//   gltf_motion_labels.c  contacts and events stored by our writer
#pragma once
#include "gltf_document.h"
#include "io/name_set.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/io/picture.h"

#define GLTF_JOINTS_MAX (1u << 18) // of all figures together

typedef enum gltf_path { GLTF_TRANSLATION, GLTF_ROTATION, GLTF_SCALE, GLTF_OTHER_PATH } gltf_path;
typedef enum gltf_interpolation { GLTF_STEP, GLTF_LINEAR, GLTF_CUBIC } gltf_interpolation;

// The times of an accessor, examined once for all channels that use them.
typedef struct gltf_times {
    bool checked;
    double begin, end; // [s]
    double rate;       // of evenly spaced keys; 0: they are uneven, or there is only one
    bool even;         // also true for a single key
} gltf_times;

typedef struct gltf_channel {
    uint32_t node;
    gltf_path path;
    gltf_interpolation interpolation;
    const gltf_accessor *input, *output;
    uint32_t input_number; // of the accessor: its gltf_times
} gltf_channel;

typedef struct gltf_animation {
    uint32_t number, value; // in the file; in the JSON
    uint32_t first_channel, channel_count;
    double begin, rate; // [s], frames per second
    uint64_t frame_count;
} gltf_animation;

typedef struct gltf_skin {
    uint32_t value;                    // in the JSON
    uint32_t first_joint, joint_count; // in skin_joints
    const gltf_accessor *matrices;     // NULL: all are the identity
    uint32_t group;                    // the skin whose figure it shares; itself for the first
} gltf_skin;

typedef struct gltf_motion_reading {
    gltf_document *document;
    gltf_graph graph;
    tr_gltf_motion_options options; // with every default filled in
    tr_figures *figures;
    tr_allocator result; // allocator of the figures

    gltf_skin *skins;
    uint32_t *skin_joints; // nodes, skin by skin
    uint32_t skin_count, skin_capacity, skin_joint_count, skin_joint_capacity;
    gltf_animation *animations;
    gltf_channel *channels;
    uint32_t animation_count, animation_capacity, channel_count, channel_capacity;
    gltf_times *times;      // of each accessor
    uint32_t weights_count; // channels of morph targets

    // For each node.
    uint32_t *member;    // the group of skins that it is a joint of, TR_NONE for none
    uint32_t *owner;     // the group of the nearest joint at or above it
    uint32_t *rank;      // its position in graph.order
    uint32_t *joint;     // its number in the current figure, TR_NONE outside
    uint32_t *next;      // the next member of the same group
    uint32_t *next_mesh; // the next node with a mesh of the same group
    bool *is_animated;
    // For each group.
    uint32_t *first, *first_mesh;
    uint32_t group_count;

    // The current figure.
    uint32_t *nodes;       // its joints, parents first
    uint32_t dropped;      // the lowest of the idle nodes above it that are left out; TR_NONE for none
    gltf_loose_list loose; // by numbers of joints; of nodes while the skeleton is made
    uint32_t joint_count, joint_capacity;
    bool bent;                         // its rest pose is not that of its nodes
    uint32_t piece_count;              // primitives so far, of all bodies
    uint64_t joint_total, value_total; // of all figures; values: frames times joints, and vertices
    uint64_t label_work, label_bytes;  // visited labels; bytes of events: both are limited
} gltf_motion_reading;

// Grows a list of items of `size` bytes by one; false: no memory.
bool tr_gltf_motion_more(gltf_motion_reading *reading, void *list, uint32_t *capacity, uint32_t count,
                         size_t size);
tr_status tr_gltf_motion_no_memory(const gltf_motion_reading *reading);

// Adds `values` to value_total; TR_LIMIT beyond max_values.
tr_status tr_gltf_motion_spend(gltf_motion_reading *reading, uint64_t values, const char *what);

// The first of the skins that form a figure with this one.
uint32_t tr_gltf_motion_group(gltf_motion_reading *reading, uint32_t skin);
// The inverse bind matrix of a joint of a skin.
tr_status tr_gltf_motion_read_matrix(const gltf_motion_reading *reading, const gltf_skin *skin, uint32_t i,
                                     tr_affine *matrix);
// The transform of a node.
tr_status tr_gltf_motion_read_rest(const gltf_motion_reading *reading, uint32_t node, tr_transform *rest);
// Sets the rest pose of a figure to that in which its meshes were bound, if its nodes hold another one. On
// input `model` is where the nodes are, on output where the joints are.
tr_status tr_gltf_motion_bind(gltf_motion_reading *reading, uint32_t group, tr_joint_def *defs,
                              tr_affine *model);

tr_status tr_gltf_motion_read_animations(gltf_motion_reading *reading);
// The joints of `group`, and the skeleton made from them.
tr_status tr_gltf_motion_collect(gltf_motion_reading *reading, uint32_t group);
tr_status tr_gltf_motion_make_skeleton(gltf_motion_reading *reading, uint32_t group, tr_figure *figure);
// Finds feet that lie at the end of a leg and do not hang on it. If there are some, orders the nodes of the
// figure so that they follow the shanks; reading->loose has the nodes of both.
tr_status tr_gltf_motion_find_loose(gltf_motion_reading *reading, const tr_joint_def *joints,
                                    const tr_role *roles, const tr_affine *model);
tr_status tr_gltf_motion_make_body(gltf_motion_reading *reading, uint32_t group, tr_figure *figure);
// Makes the skeleton again with the soles of the mesh, if it has some.
tr_status tr_gltf_motion_find_soles(gltf_motion_reading *reading, tr_figure *figure);
tr_status tr_gltf_motion_make_clips(gltf_motion_reading *reading, tr_figure *figure);
// Reads the labels in the extras of an animation for the current figure. Invalid ones are noted and left out;
// fails only with TR_OUT_OF_MEMORY.
tr_status tr_gltf_motion_read_labels(gltf_motion_reading *reading, const gltf_animation *animation,
                                     tr_clip *clip);

// A material, read once.
typedef struct gltf_paint {
    bool read;
    float factor[3];
    uint32_t image; // in `pictures`; TR_NONE: no texture
    uint32_t set;   // of texture coordinates
    bool clamps[2]; // u and v: the border goes on; otherwise the texture repeats
    bool mirrors[2];
    double offset[2], scale[2], sine, cosine; // KHR_texture_transform
} gltf_paint;

typedef struct gltf_paints {
    gltf_paint *materials; // NULL: none was needed yet
    uint32_t material_count;
    tr_picture *pictures; // of each image; without pixels: not read, or it cannot be
    bool *tried;
    uint32_t picture_count, image_list, texture_list, sampler_list;
} gltf_paints;

// What colours the triangles of one primitive.
typedef struct gltf_brush {
    const gltf_paint *paint;          // NULL: white
    const tr_picture *picture;        // may be NULL
    const gltf_accessor *uv, *colors; // may be NULL
} gltf_brush;

// An image that cannot be shown is noted, and the colour of its material is used.
tr_status tr_gltf_brush_open(gltf_motion_reading *reading, gltf_paints *paints,
                             const gltf_primitive *primitive, gltf_brush *brush);
// The mean colour of a triangle [linear, 0 to 1], from its three positions in the primitive.
void tr_gltf_brush_color(const gltf_brush *brush, const uint32_t points[3], float color[3]);
void tr_gltf_paints_free(gltf_motion_reading *reading, gltf_paints *paints);
