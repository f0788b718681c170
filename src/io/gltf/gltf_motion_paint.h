// io/gltf/gltf_motion_paint.h - the colours of triangles: material, base colour texture and vertex colours.
// Internal to gltf_motion*.c.
#pragma once
#include "gltf_motion_data.h"
#include "troupe/io/picture.h"

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
    const gltf_paint *paint;   // NULL: white
    const tr_picture *picture; // may be NULL
    const gltf_accessor *uv, *colors; // may be NULL
} gltf_brush;

// An image that cannot be shown is noted, and the colour of its material is used.
tr_status tr_gltf_brush_open(gltf_motion_reading *reading, gltf_paints *paints, const gltf_primitive *primitive,
                             gltf_brush *brush);
// The mean colour of a triangle [linear, 0 to 1], from its three positions in the primitive.
void tr_gltf_brush_color(const gltf_brush *brush, const uint32_t points[3], float color[3]);
void tr_gltf_paints_free(gltf_motion_reading *reading, gltf_paints *paints);
