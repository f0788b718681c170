// motion/clip/clip_data.h - the data of a clip. Internal to clip*.c and locomotion.c.
#pragma once
#include "troupe/motion/clip.h"

typedef struct clip_event {
    double time;
    char *name;
    size_t name_size;
} clip_event;

struct tr_clip {
    tr_allocator allocator;
    char *name;
    size_t name_size;
    uint32_t joint_count, stride, frame_count;
    double rate;
    bool loop, scaled;
    uint8_t *channels, *contacts;
    // Rotations of a frame: x of all joints, then y, z and w; frame after frame.
    float *rotations;
    // Joints that move (scale), and x, y, z of each; frame after frame.
    uint32_t *moving, *scaling;
    uint32_t moving_count, scaling_count;
    float *positions, *scales;
    tr_pose fixed; // the joints that do not change
    tr_base *base; // NULL: none
    tr_base advance;
    clip_event *events;
    uint32_t event_count, event_capacity;
};

// The two frames around a time, and the share of the way from the first to the second.
typedef struct clip_moment {
    uint32_t frame, next;
    float part;
} clip_moment;
clip_moment tr_clip_moment(const tr_clip *clip, double time);
