// Read a scene from a file named on the command line (OBJ, glTF, GLB, or what assimp reads), or from a little
// one that is written first, and tell what is in it.
#include "troupe/io/file.h"
#include "troupe/io/scene_file.h"

#include <stdio.h>

static void print_note(void *user, const char *sentence) {
    (void)user;
    printf("note: %s\n", sentence);
}

int main(int argument_count, char **arguments) {
    static const char own[] = "example_scene_file.obj", text[] =
                                                            "o step\nv 0 0 0\nv 1 0 0\nv 1 0.2 0\nv 0 0.2 0\n"
                                                            "f 1 2 3 4\no edge\nl 1 2\n";
    const char *path = argument_count > 1 ? arguments[1] : own;
    tr_error error = {0};
    tr_scene *scene = NULL;
    if (path == own && tr_file_write(own, text, sizeof text - 1, &error) != TR_OK)
        return 1;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return 1;
    tr_scene_read_options options = tr_scene_read_options_default();
    options.note = print_note;
    tr_status status = tr_scene_file_read(path, &options, scene, &error);
    if (path == own)
        remove(own);
    if (status != TR_OK) {
        char line[700];
        fprintf(stderr, "%s\n", tr_error_format(&error, line, sizeof line));
        tr_scene_destroy(scene);
        return 1;
    }
    tr_box box = tr_scene_bounds(scene);
    printf("%s: %u objects, %u meshes, %llu triangles\n", path, tr_scene_object_count(scene),
           tr_scene_mesh_count(scene), (unsigned long long)tr_scene_triangle_count(scene));
    printf("from (%g, %g, %g) to (%g, %g, %g) m\n", (double)box.min.x, (double)box.min.y, (double)box.min.z,
           (double)box.max.x, (double)box.max.y, (double)box.max.z);
    tr_scene_destroy(scene);
    return 0;
}
