// troupe/io/gltf_motion.h - glTF 2.0 and GLB: characters and their animations, in.
#pragma once
#include "troupe/io/gltf.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

// Start from tr_gltf_motion_options_default(); NULL means the default.
typedef struct tr_gltf_motion_options {
    const tr_allocator *allocator; // for what is needed while reading; figures are made with their own
    double metres_per_unit;        // [> 0], 1 by default
    double frames_per_second;      // that animations are sampled at [<= 10000]; 0: what our own writer noted,
                                   // or the spacing of the keys where it is even (a multiple below 20 a
                                   // second), else 60
    uint64_t max_values; // frames times joints of all clips together, and vertices of bodies; TR_LIMIT
                         // beyond; 0: 2^27
    void (*note)(void *user, const char *sentence); // what was odd but readable; may be NULL
    void *note_user;
} tr_gltf_motion_options;
TR_API tr_gltf_motion_options tr_gltf_motion_options_default(void);

// Every skin becomes a figure, with all nodes from the scene's root down to its joints (so that positions are
// those of the world), its meshes as a body, and one clip for each animation that moves it; skins that share
// joints, or hang on each other's, share a figure. A file without skins whose nodes are animated becomes one
// figure of all those nodes. Nodes at the top that do nothing are left out; a leaf whose name ends in "_end"
// is the end of a bone. Joints come parents first and depth first, their names are made unique, their roles
// guessed. STEP, LINEAR and CUBICSPLINE; normalised integers; sparse accessors; matrices (taken apart, a
// shear is noted). A clip begins with the first key of its animation. Weights of morph targets are noted and
// left out. Meshes without skin that hang on joints are rigid parts of the body.
//
// Appends to `figures` (tr_figures_begin), which are as before when it fails. The error has the line (or
// byte) and the JSON path. TR_NOT_FOUND: neither skins nor animations of nodes. TR_LIMIT: max_values,
// TR_CLIP_FRAMES_MAX, TR_SKELETON_JOINTS_MAX, or 2^18 joints of all figures together. `load` as for
// tr_gltf_read.
TR_API tr_status tr_gltf_read_figures(const void *data, size_t size, const tr_gltf_motion_options *options,
                                      tr_gltf_load load, void *load_user, tr_figures *figures,
                                      tr_error *error);

TR_END_DECLARATIONS
