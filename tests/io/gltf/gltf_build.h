// Little glTF files for tests: JSON with ' for ", and a binary chunk that is put together value by value.
#pragma once
#include "io/reading.h"
#include "troupe/io/gltf.h"

typedef struct gltf_build {
    char json[10000];
    uint8_t bytes[4000];
    size_t size; // of bytes
    uint8_t glb[16000];
    size_t glb_size;
} gltf_build;

static inline void gltf_put_u8(gltf_build *build, uint32_t value) {
    build->bytes[build->size++] = (uint8_t)value;
}
static inline void gltf_put_u16(gltf_build *build, uint32_t value) {
    gltf_put_u8(build, value & 0xff);
    gltf_put_u8(build, value >> 8 & 0xff);
}
static inline void gltf_put_u32(gltf_build *build, uint32_t value) {
    gltf_put_u16(build, value & 0xffff);
    gltf_put_u16(build, value >> 16);
}
static inline void gltf_put_float(gltf_build *build, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    gltf_put_u32(build, bits);
}
static inline void gltf_put_point(gltf_build *build, float x, float y, float z) {
    gltf_put_float(build, x);
    gltf_put_float(build, y);
    gltf_put_float(build, z);
}

// Set the JSON; ' becomes ".
static inline void gltf_set_json(gltf_build *build, const char *json) {
    snprintf(build->json, sizeof build->json, "%s", json);
    for (char *at = build->json; *at; at++)
        if (*at == '\'')
            *at = '"';
}

static inline void gltf_put_glb_u32(gltf_build *build, uint32_t value) {
    for (int i = 0; i < 4; i++)
        build->glb[build->glb_size++] = (uint8_t)(value >> 8 * i);
}

static inline void gltf_put_chunk(gltf_build *build, const char *type, const void *data, size_t size,
                                  char fill) {
    size_t padded = (size + 3) / 4 * 4;
    gltf_put_glb_u32(build, (uint32_t)padded);
    memcpy(build->glb + build->glb_size, type, 4);
    memcpy(build->glb + build->glb_size + 4, data, size);
    memset(build->glb + build->glb_size + 4 + size, fill, padded - size);
    build->glb_size += 4 + padded;
}

// JSON and bytes as a GLB.
static inline void gltf_make_glb(gltf_build *build) {
    build->glb_size = 12;
    gltf_put_chunk(build, "JSON", build->json, strlen(build->json), ' ');
    if (build->size)
        gltf_put_chunk(build, "BIN\0", build->bytes, build->size, 0);
    size_t size = build->glb_size;
    memcpy(build->glb, "glTF\2\0\0\0", 8);
    build->glb_size = 8;
    gltf_put_glb_u32(build, (uint32_t)size);
    build->glb_size = size;
}

static inline tr_status gltf_read_plainly(const void *data, size_t size, const tr_scene_read_options *options,
                                          tr_scene *scene, tr_error *error) {
    return tr_gltf_read(data, size, options, NULL, NULL, scene, error);
}

// One triangle at (0, 0, 0), (1, 0, 0), (0, 0, 1), with 16-bit indices: 36 bytes of positions, 6 of indices,
// 2 spare.
static inline void gltf_put_triangle(gltf_build *build) {
    gltf_put_point(build, 0, 0, 0);
    gltf_put_point(build, 1, 0, 0);
    gltf_put_point(build, 0, 0, 1);
    for (uint32_t i = 0; i < 3; i++)
        gltf_put_u16(build, i);
    gltf_put_u16(build, 0);
}
#define GLTF_TRIANGLE                                                                                        \
    "'buffers': [{'byteLength': 44}],"                                                                       \
    "'bufferViews': [{'buffer': 0, 'byteLength': 36}, {'buffer': 0, 'byteOffset': 36, 'byteLength': 6}],"    \
    "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'},"                    \
    " {'bufferView': 1, 'componentType': 5123, 'count': 3, 'type': 'SCALAR'}],"                              \
    "'meshes': [{'name': 'm', 'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}]"
#define GLTF_ASSET "'asset': {'version': '2.0'},"
