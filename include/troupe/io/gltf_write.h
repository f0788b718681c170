// troupe/io/gltf_write.h - writes a shot as a GLB or glTF file: characters, their motion, the scene around
// them.
#pragma once
#include "troupe/io/gltf.h"
#include "troupe/motion/figure.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_gltf_form {
    TR_GLTF_SKINNED,  // bodies as skinned meshes
    TR_GLTF_SEGMENTS, // rigid pieces attached to the joints (a bone shape where there is no body), for
                      // viewers that do not support skins
    TR_GLTF_BONES // only joints, with a skin over a small bone mesh so that every program shows and animates
                  // them
} tr_gltf_form;

// The glTF or GLB file that a character comes from. Its meshes with all attributes and morph targets, its
// materials, textures and images are written in place of the body. Its own animations, cameras, lights and
// whatever else is in the file are left out.
typedef struct tr_gltf_source {
    const void *data; // a .gltf text or a .glb
    size_t size;
    tr_gltf_load load; // reads the buffers and images that the file names; may be NULL
    void *load_user;
    uint32_t figure;        // the character among those of the file, as tr_gltf_read_figures lists them
    double metres_per_unit; // with which the skeleton and the clips were read [> 0]
} tr_gltf_source;

// One character of the shot.
typedef struct tr_gltf_actor {
    const char *name; // NULL: that of the skeleton; equal names get a number
    const tr_skeleton *skeleton;
    const tr_body *body;         // may be NULL: bones
    const tr_clip *const *clips; // bases are put back; a looping clip repeats its first frame at the end
    uint32_t clip_count;
    const tr_affine *place; // placement of the character's own axes, without shear; NULL: the world's axes
    const tr_gltf_source *source; // NULL: the body is written; ignored unless the form is TR_GLTF_SKINNED
} tr_gltf_actor;

// A visible line, such as a route.
typedef struct tr_gltf_line {
    const char *name;
    const tr_vec3 *points;
    uint32_t point_count; // fewer than two: no line
    float color[3];
} tr_gltf_line;

typedef struct tr_gltf_shot {
    const tr_allocator *allocator;
    const tr_gltf_actor *actors;
    uint32_t actor_count;
    const tr_scene *scene; // NULL: none. Meshes are flat-shaded in muted colours; objects with a trajectory
                           // move; those tagged TR_TAG_CHARACTER are left out if there are actors
    const tr_gltf_line *lines;
    uint32_t line_count;
    tr_gltf_form form;
    bool apart;      // write one animation for each clip of each character; otherwise the first clips of all
                     // characters form one animation, so that every viewer plays them together (further clips
                     // are separate animations)
    bool root_motion; // the motion over the ground is on the node of the character, and its joints move
                      // relative to it, for clips that have a base; otherwise the joints have all of it
    bool text;       // .gltf with the buffer inside as base64; otherwise .glb
    float tolerance; // leave out keys that linear interpolation restores within this [m at the next
                     // joint, and rad]; 0: write every frame
    const char *title; // asset.extras; may be NULL
    void (*note)(void *user, const char *sentence); // reports images that cannot be read; may be NULL
    void *note_user;
} tr_gltf_shot;

// Returns the bytes of the file; free them with tr_bytes_free and the shot's allocator. The output passes the
// Khronos validator without error or warning. The same shot gives the same bytes on every platform.
// Characters from the same source (the same `data`) share meshes and materials. TR_INVALID: the error names
// what is wrong with the shot. TR_LIMIT: more than 2 GiB. Errors of a source are those of
// tr_gltf_read_figures; a warning or error that the validator has for the source stays.
TR_API tr_status tr_gltf_write(const tr_gltf_shot *shot, tr_bytes *bytes, tr_error *error);

TR_END_DECLARATIONS
