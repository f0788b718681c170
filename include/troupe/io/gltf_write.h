// troupe/io/gltf_write.h - writes a shot as a GLB or glTF file: characters, their motion, the scene around
// them.
#pragma once
#include "troupe/io/file.h"
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

// One character of the shot.
typedef struct tr_gltf_actor {
    const char *name; // NULL: that of the skeleton; equal names get a number
    const tr_skeleton *skeleton;
    const tr_body *body;         // may be NULL: bones
    const tr_clip *const *clips; // bases are put back; a looping clip repeats its first frame at the end
    uint32_t clip_count;
    const tr_affine *place; // placement of the character's own axes, without shear; NULL: the world's axes
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
    bool text;       // .gltf with the buffer inside as base64; otherwise .glb
    float tolerance; // leave out keys that linear interpolation restores within this [m at the next
                     // joint, and rad]; 0: write every frame
    const char *title; // asset.extras; may be NULL
} tr_gltf_shot;

// Returns the bytes of the file; free them with tr_bytes_free and the shot's allocator. The output passes the
// Khronos validator without error or warning. The same shot gives the same bytes on every platform.
// TR_INVALID: the error names what is wrong with the shot. TR_LIMIT: more than 2 GiB.
TR_API tr_status tr_gltf_write(const tr_gltf_shot *shot, tr_bytes *bytes, tr_error *error);

TR_END_DECLARATIONS
