// troupe/io/gltf_motion.h - glTF 2.0 and GLB: characters and their animations, in.
#pragma once
#include "troupe/io/gltf.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

// Start from tr_gltf_motion_options_default(); NULL means the default.
typedef struct tr_gltf_motion_options {
    const tr_allocator *allocator;
    double metres_per_unit;   // [> 0], 1 by default
    double frames_per_second; // that animations are sampled at; 0: the spacing of the keys where it is even,
                              // else 60
    uint64_t max_values;      // frames times joints of all clips together; TR_LIMIT beyond; 0: 2^27
    void (*note)(void *user, const char *sentence); // what was odd but readable; may be NULL
    void *note_user;
} tr_gltf_motion_options;
TR_API tr_gltf_motion_options tr_gltf_motion_options_default(void);

// Every skin becomes a figure, with all nodes from the scene's root down to its joints (so that positions are
// those of the world), its mesh as a body, and one clip for each animation that moves it; skins that share
// joints share a figure. A file without skins whose nodes are animated becomes one figure of all those nodes.
// STEP, LINEAR and CUBICSPLINE; normalised integers; sparse accessors; matrices (taken apart, a shear is
// noted); weights of morph targets are noted and left out. TR_NOT_FOUND: neither skins nor animations.
TR_API tr_status tr_gltf_read_figures(const void *data, size_t size, const tr_gltf_motion_options *options,
                                      tr_gltf_load load, void *load_user, tr_figures *figures,
                                      tr_error *error);

TR_END_DECLARATIONS
