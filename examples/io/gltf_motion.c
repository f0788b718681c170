// What is in a glTF or GLB: figures, joints and clips. Without a path, a flag on a pole that comes with the
// program.
#include "troupe/io/gltf_motion.h"

#include <stdio.h>
#include <string.h>

// Two keys of a turn about +Y, half a second apart, in a buffer of 40 bytes.
static const char flag[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 40, \"uri\": "
    "\"data:;base64,AAAAAAAAAD8AAAAAAAAAAAAAAAAAAIA/AAAAAPMENT8AAAAA8wQ1Pw==\"}],"
    " \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 40}],"
    " \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\"},"
    " {\"bufferView\": 0, \"byteOffset\": 8, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC4\"}],"
    " \"nodes\": [{\"name\": \"pole\", \"children\": [1]}, {\"name\": \"flag\", \"translation\": [0, 5, 0]}],"
    " \"skins\": [{\"name\": \"flag pole\", \"joints\": [0, 1]}],"
    " \"animations\": [{\"name\": \"wind\", \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 1, "
    "\"path\": "
    "\"rotation\"}}], \"samplers\": [{\"input\": 0, \"output\": 1}]}]}";

static void print_note(void *user, const char *sentence) {
    (void)user;
    printf("  note: %s\n", sentence);
}

int main(int argument_count, char **arguments) {
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_figures figures = tr_figures_begin(NULL);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.note = print_note;
    tr_status status = TR_OK;
    if (argument_count > 1)
        status = tr_file_read(NULL, arguments[1], &bytes, &error);
    if (status == TR_OK)
        status = tr_gltf_read_figures(bytes.data ? (const char *)bytes.data : flag,
                                      bytes.data ? bytes.size : strlen(flag), &options, NULL, NULL, &figures,
                                      &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    for (uint32_t i = 0; i < figures.count; i++) {
        const tr_figure *figure = &figures.items[i];
        printf("%s: %u joints, %.2f m high, %u vertices\n", figure->name ? figure->name : "a figure",
               tr_skeleton_joint_count(figure->skeleton), (double)tr_skeleton_height(figure->skeleton),
               figure->body ? tr_body_view(figure->body)->vertex_count : 0);
        for (uint32_t k = 0; k < figure->clip_count; k++)
            printf("  %s: %.2f s, %u frames at %g a second\n", tr_clip_name(figure->clips[k]),
                   tr_clip_duration(figure->clips[k]), tr_clip_frame_count(figure->clips[k]),
                   tr_clip_rate(figure->clips[k]));
    }
    tr_figures_destroy(&figures);
    tr_bytes_free(NULL, &bytes);
    return status != TR_OK;
}
