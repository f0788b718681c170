// troupe/io/gltf_motion.h - reads characters and their animations from glTF 2.0 and GLB.
#pragma once
#include "troupe/io/gltf.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

// Start from tr_gltf_motion_options_default(); NULL means the default.
typedef struct tr_gltf_motion_options {
    const tr_allocator *allocator; // for temporary memory; figures use their own allocator
    double metres_per_unit;        // [> 0], 1 by default
    double frames_per_second;      // rate at which animations are sampled [<= 10000]; 0: the rate that
                                   // Troupe's writer stored, or that of the keys where they are evenly
                                   // spaced (a multiple if below 20 a second), else 60
    uint64_t max_values; // limit on frames times joints of all clips together, and on vertices of bodies;
                         // TR_LIMIT beyond; 0: 2^27
    bool textures; // read base colour textures (PNG) for the colours of triangles; otherwise these are those of
                   // materials and vertices alone
    void (*note)(void *user, const char *sentence); // reports unusual but readable content; may be NULL
    void *note_user;
} tr_gltf_motion_options;
TR_API tr_gltf_motion_options tr_gltf_motion_options_default(void);

// Reads all figures of a file. Every skin becomes a figure with all nodes from the scene's root down to its
// joints (so that positions are in the world), its meshes as a body, and one clip for each animation that
// moves it. Skins that share joints, or whose joints are below each other's, share a figure. In a file
// without skins, all animated nodes form one figure. Nodes at the top that have no effect are left out. A
// leaf whose name ends in "_end" is the end of a bone. Joints are ordered depth first, parents before
// children; their names are made unique and their roles are guessed. The reader supports STEP, LINEAR and
// CUBICSPLINE, normalised integers, sparse accessors, and matrices (decomposed; a shear is noted). A clip
// begins with the first key of its animation. Weights of morph targets are left out with a note. Meshes
// without a skin that are attached to joints become rigid parts of the body.
//
// Appends to `figures` (tr_figures_begin), which are unchanged on failure. The error has the line (or byte)
// and the JSON path. TR_NOT_FOUND: the file has neither skins nor animations of nodes. TR_LIMIT: max_values,
// TR_CLIP_FRAMES_MAX, TR_SKELETON_JOINTS_MAX, or 2^18 joints of all figures together. `load` is as for
// tr_gltf_read.
TR_API tr_status tr_gltf_read_figures(const void *data, size_t size, const tr_gltf_motion_options *options,
                                      tr_gltf_load load, void *load_user, tr_figures *figures,
                                      tr_error *error);

TR_END_DECLARATIONS
