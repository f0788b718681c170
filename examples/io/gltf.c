// Read a glTF text whose buffer comes from a callback: for programs that keep their files in an archive of
// their own.
#include "troupe/io/gltf.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"uri\": \"ramp.bin\", \"byteLength\": 48}],"
    " \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 48}],"
    " \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\"}],"
    " \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"mode\": 5}]}],"
    " \"nodes\": [{\"name\": \"ramp\", \"mesh\": 0}, {\"name\": \"next\", \"mesh\": 0, \"translation\": [0, "
    "1, 2]}]}";

static tr_status load(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                      tr_error *error) {
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 2}, {1, 1, 2}};
    (void)user;
    if (strcmp(uri, "ramp.bin") != 0)
        return tr_fail(error, TR_NO_FILE, "there is no \"%s\" in the archive", uri);
    bytes->data = tr_allocate(allocator, sizeof corners, 1);
    if (!bytes->data)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for \"%s\"", uri);
    memcpy(bytes->data, corners, sizeof corners);
    bytes->size = sizeof corners;
    return TR_OK;
}

int main(void) {
    tr_scene *scene = NULL;
    tr_error error = {0};
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return 1;
    if (tr_gltf_read(text, strlen(text), NULL, load, NULL, scene, &error) != TR_OK) {
        fprintf(stderr, "line %u: %s\n", error.line, error.message);
        return 1;
    }
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        printf("%s: mesh %u, %g to %g m high\n", object.name, object.mesh, (double)object.bounds.min.y,
               (double)object.bounds.max.y);
    }
    printf("%u mesh, %llu triangles\n", tr_scene_mesh_count(scene),
           (unsigned long long)tr_scene_triangle_count(scene));
    tr_scene_destroy(scene);
    return 0;
}
