// Little glTF files with skins and animations for tests: accessors are put together value by value, the rest
// is JSON with ' for ".
#pragma once
#include "gltf_build.h"
#include "troupe/io/gltf_motion.h"

#include <stdarg.h>
#include <stdlib.h>

typedef struct gltf_rig {
    gltf_build build;
    char views[2400], accessors[2400];
    int accessor_count;
} gltf_rig;

static inline void rig_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline void rig_append(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

// An accessor of `count` elements of `width` numbers, stored as glTF's component type. Returns its number.
static inline int rig_accessor(gltf_rig *rig, int component, bool normalized, int width, int count,
                               const double *numbers) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    while (rig->build.size % 4)
        gltf_put_u8(&rig->build, 0);
    size_t begin = rig->build.size;
    for (int i = 0; i < width * count; i++)
        if (component == 5126)
            gltf_put_float(&rig->build, (float)numbers[i]);
        else if (component == 5122 || component == 5123)
            gltf_put_u16(&rig->build, (uint32_t)(int32_t)numbers[i]);
        else
            gltf_put_u8(&rig->build, (uint32_t)(int32_t)numbers[i]);
    const char *comma = rig->accessor_count ? "," : "";
    rig_append(rig->views, sizeof rig->views, "%s{'buffer': 0, 'byteOffset': %zu, 'byteLength': %zu}", comma,
               begin, rig->build.size - begin);
    rig_append(rig->accessors, sizeof rig->accessors,
               "%s{'bufferView': %d, 'componentType': %d, 'normalized': %s, 'count': %d, 'type': '%s'}",
               comma, rig->accessor_count, component, normalized ? "true" : "false", count,
               width == 16 ? "MAT4" : types[width]);
    return rig->accessor_count++;
}
static inline int rig_floats(gltf_rig *rig, int width, int count, const double *numbers) {
    return rig_accessor(rig, 5126, false, width, count, numbers);
}

// All accessors, and `rest`: nodes, skins, animations, ...
static inline void rig_finish(gltf_rig *rig, const char *rest) {
    static char json[10000];
    if (rig->accessor_count)
        snprintf(json, sizeof json,
                 "{" GLTF_ASSET
                 "'buffers': [{'byteLength': %zu}], 'bufferViews': [%s], 'accessors': [%s], %s}",
                 rig->build.size, rig->views, rig->accessors, rest);
    else
        snprintf(json, sizeof json, "{" GLTF_ASSET "%s}", rest);
    gltf_set_json(&rig->build, json);
    gltf_make_glb(&rig->build);
}

static inline tr_status rig_try(const gltf_rig *rig, const tr_gltf_motion_options *options,
                                tr_figures *figures, tr_error *error) {
    return tr_gltf_read_figures(rig->build.glb, rig->build.glb_size, options, NULL, NULL, figures, error);
}

// Read it into new figures and check that it works.
static inline tr_figures rig_read(const gltf_rig *rig, const tr_gltf_motion_options *options) {
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    if (rig_try(rig, options, &figures, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "byte %llu: %s", (unsigned long long)error.offset, error.message);
    return figures;
}

// Where a joint is in a frame of a clip.
static inline tr_affine rig_joint(const tr_figure *figure, uint32_t clip, uint32_t frame, uint32_t joint) {
    uint32_t count = tr_skeleton_joint_count(figure->skeleton);
    tr_pose pose;
    tr_affine found = tr_affine_identity(), *model = calloc(count, sizeof *model);
    if (model && tr_pose_create(NULL, count, &pose, NULL) == TR_OK) {
        if (tr_clip_get_frame(figure->clips[clip], frame, &pose) != TR_OK)
            test_failed(__FILE__, __LINE__, "there is no frame %u", frame);
        tr_pose_to_model(figure->skeleton, &pose, NULL, model);
        found = model[joint];
        tr_pose_destroy(&pose);
    }
    free(model);
    return found;
}
