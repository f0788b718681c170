// Any text: it is read or refused; what was read is written and must read back with the same triangles.
#include "target.h"
#include "troupe/io/obj.h"

static void write_and_read_back(const tr_allocator *allocator, const tr_scene *scene,
                                const tr_scene_read_options *options) {
    tr_scene *copy = NULL;
    tr_bytes text;
    TARGET_CHECK(tr_obj_write(allocator, scene, &text, NULL) == TR_OK);
    TARGET_CHECK(tr_scene_create(NULL, &copy) == TR_OK);
    TARGET_CHECK(tr_obj_read(text.data, text.size, options, copy, NULL) == TR_OK);
    TARGET_CHECK(tr_scene_triangle_count(copy) == tr_scene_triangle_count(scene));
    TARGET_CHECK(tr_scene_object_count(copy) == tr_scene_object_count(scene));
    tr_bytes_free(allocator, &text);
    tr_scene_destroy(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.allocator = &allocator;
    options.max_triangles = 100000;
    options.max_objects = 1000;
    tr_scene *scene = NULL;
    tr_error error = {0};
    TARGET_CHECK(tr_scene_create(NULL, &scene) == TR_OK);
    tr_status status = tr_obj_read(data, size, &options, scene, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    TARGET_CHECK(status == TR_OK || (tr_scene_mesh_count(scene) == 0 && tr_scene_object_count(scene) == 0));
    if (status == TR_OK)
        write_and_read_back(&allocator, scene, &options);
    tr_scene_destroy(scene);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
