// io/bvh/bvh_write.h - shared by the sources of the BVH writer.
#pragma once
#include "io/name_set.h"
#include "troupe/io/bvh.h"

// The columns are the images of the axes.
typedef struct bvh_matrix {
    double m[3][3];
} bvh_matrix;

// A joint of the file. BVH has no rest rotations: if the skeleton has some, the axes of the file's joints are
// those of the body in the rest pose.
typedef struct bvh_bone {
    uint32_t parent, first_child, next; // in the skeleton; TR_NONE for none
    const char *name;
    bool is_site;       // written as an End Site
    bool moves;         // has position channels
    double offset[3];   // from the parent in the rest pose, in the axes of the body [m]
    bvh_matrix rest;    // axes of the joint in the rest pose
    bvh_matrix linear;  // of this frame: rotation and scale in the world
    bvh_matrix turn;    // of this frame: orientation of the file's joint in the world
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
    bool no_memory; // sticky, so that the calls need no checks
} bvh_writer;

// Prepares the skeleton in its rest pose and everything that does not change.
void tr_bvh_begin_bones(bvh_writer *writer);
// Places all joints for a frame (of the clip, with its base applied).
void tr_bvh_place_bones(bvh_writer *writer, uint32_t frame);
// From the parent to the joint, in the parent's axes in the file [m]; from the origin for a root.
void tr_bvh_bone_offset(const bvh_writer *writer, uint32_t bone, double offset[3]);
// The rotation relative to the parent as angles about Z, X and Y, close to those of the previous frame.
void tr_bvh_bone_angles(bvh_writer *writer, uint32_t bone);
