// io/bvh_write.h - what the sources of the BVH writer share.
#pragma once
#include "io/name_set.h"
#include "troupe/io/bvh.h"

// Columns are where the axes go.
typedef struct bvh_matrix {
    double m[3][3];
} bvh_matrix;

// A joint of the file. BVH knows no rest rotations: where the skeleton has some, the axes of the file's
// joints are the body's in the rest pose.
typedef struct bvh_bone {
    uint32_t parent, first_child, next; // in the skeleton; TR_NONE for none
    const char *name;
    bool is_site;       // written as an End Site
    bool moves;         // has channels of position
    double offset[3];   // from the parent in the rest pose, in the axes of the body [m]
    bvh_matrix rest;    // axes of the joint in the rest pose
    bvh_matrix linear;  // of this frame: turn and scale in the world
    bvh_matrix turn;    // of this frame: how the axes of the file's joint stand in the world
    double position[3]; // of this frame, in the world [m]
    double angles[3];   // last written: about Z, X and Y [rad]
} bvh_bone;

typedef struct bvh_writer {
    const tr_skeleton *skeleton;
    const tr_clip *clip; // NULL: one frame of the rest pose
    tr_allocator allocator;
    tr_pose pose;
    tr_name_set names;
    bvh_bone *bones;
    uint32_t bone_count, first_root, root_count;
    double metres_per_unit;
    int decimals; // of lengths
    char *text;
    uint32_t size, capacity;
    bool no_memory; // remembered, so that the calls need no checks
} bvh_writer;

// The skeleton in its rest pose, with everything that does not change.
void tr_bvh_begin_bones(bvh_writer *writer);
// Where every joint is in a frame (of the clip, with its base put back).
void tr_bvh_place_bones(bvh_writer *writer, uint32_t frame);
// From the parent to the joint, in the parent's axes in the file [m]; from the origin for a root.
void tr_bvh_bone_offset(const bvh_writer *writer, uint32_t bone, double offset[3]);
// How the joint is turned against its parent: angles about Z, X and Y, close to those of the frame before.
void tr_bvh_bone_angles(bvh_writer *writer, uint32_t bone);
