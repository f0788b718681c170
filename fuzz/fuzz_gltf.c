// Any bytes: they are read as text or GLB, or refused.
#include "target.h"
#include "troupe/io/gltf.h"

#include <string.h>

// Every buffer outside of the file is 64 bytes, most of them a float that is 1.
static tr_status give_buffer(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                             tr_error *error) {
    (void)user;
    if (uri[0] == '!')
        return tr_fail(error, TR_NO_FILE, "there is no %.20s", uri);
    bytes->data = tr_allocate(allocator, 64, 1);
    TARGET_CHECK(bytes->data);
    bytes->size = 64;
    for (int i = 0; i < 64; i += 4)
        memcpy(bytes->data + i, "\0\0\x80\x3f", 4);
    return TR_OK;
}

static void ignore_note(void *user, const char *sentence) {
    (void)user;
    TARGET_CHECK(sentence[0]);
}

static void check_scene(const tr_scene *scene) {
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        TARGET_CHECK(tr_affine_is_finite(&object.placement));
        for (uint32_t k = 0; k < mesh.triangle_count * 3; k++)
            TARGET_CHECK(mesh.indices[k] < mesh.position_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.allocator = &allocator;
    options.max_triangles = 20000;
    options.max_objects = 500;
    options.note = ignore_note;
    tr_scene *scene = NULL;
    tr_error error = {0};
    TARGET_CHECK(tr_scene_create(NULL, &scene) == TR_OK);
    tr_status status = tr_gltf_read(data, size, &options, give_buffer, NULL, scene, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    TARGET_CHECK(status == TR_OK || (tr_scene_mesh_count(scene) == 0 && tr_scene_object_count(scene) == 0));
    check_scene(scene);
    tr_scene_destroy(scene);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
