// troupe/io/gltf_write.h - a shot as a GLB or glTF file: characters, their motion, the scene around them.
#pragma once
#include "troupe/io/file.h"
#include "troupe/motion/figure.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_gltf_form {
    TR_GLTF_SKINNED,  // bodies as skinned meshes
    TR_GLTF_SEGMENTS, // rigid pieces hung on the joints (a bone shape where there is no body): for viewers
                      // without skins
    TR_GLTF_BONES // joints alone, with a skin over a small bone mesh so that every program shows and animates
                  // them
} tr_gltf_form;

// One character of the shot.
typedef struct tr_gltf_actor {
    const char *name; // NULL: the skeleton's; equal names get a number
    const tr_skeleton *skeleton;
    const tr_body *body;         // may be NULL: bones
    const tr_clip *const *clips; // bases are put back; one that loops gets its first frame again at the end
    uint32_t clip_count;
    const tr_affine *place; // where the character's own axes are, without shear; NULL: the world's
} tr_gltf_actor;

// A line to be seen, such as a route.
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
    const tr_scene *scene; // NULL: left out. Meshes flat-shaded in quiet colours, objects with a trajectory
                           // move; those tagged TR_TAG_CHARACTER are left out where there are actors
    const tr_gltf_line *lines;
    uint32_t line_count;
    tr_gltf_form form;
    bool apart; // one animation for each clip of each character; else the first clips of all characters are
                // one animation, so that every viewer plays them together (further clips are animations of
                // their own)
    bool text;  // .gltf with the buffer inside as base64; else .glb
    float tolerance;   // keys that linear interpolation gives back within this are left out [m at the next
                       // joint, and rad]; 0: every frame is written
    const char *title; // asset.extras; may be NULL
} tr_gltf_shot;

// The file's bytes; free them with tr_bytes_free and the shot's allocator. What is written passes the Khronos
// validator without error or warning. The same shot gives the same bytes everywhere. TR_INVALID names what is
// wrong with the shot; TR_LIMIT: more than 2 GiB.
TR_API tr_status tr_gltf_write(const tr_gltf_shot *shot, tr_bytes *bytes, tr_error *error);

TR_END_DECLARATIONS
