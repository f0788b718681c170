// Read an OBJ text with a concave face into a scene, write the scene as OBJ again, and see a mistake named.
#include "troupe/io/obj.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    static const char text[] = "o corner\n"
                               "v 0 0 0\nv 4 0 0\nv 4 0 1\nv 1 0 1\nv 1 0 4\nv 0 0 4\n"
                               "f 1 2 3 4 5 6   # an L: cut along its outline\n";
    static const char wrong[] = "v 0 0 0\nv 1 0 0\nf 1 2 3\n";
    tr_scene *scene = NULL;
    tr_error error = {0};
    tr_bytes written;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return 1;
    tr_scene_read_options options = tr_scene_read_options_default();
    options.metres_per_unit = 0.5f;
    if (tr_obj_read(text, strlen(text), &options, scene, &error) != TR_OK ||
        tr_obj_write(NULL, scene, &written, &error) != TR_OK) {
        fprintf(stderr, "line %u: %s\n", error.line, error.message);
        return 1;
    }
    printf("%llu triangles:\n%.*s", (unsigned long long)tr_scene_triangle_count(scene), (int)written.size,
           (const char *)written.data);
    tr_bytes_free(NULL, &written);

    tr_status status = tr_obj_read(wrong, strlen(wrong), NULL, scene, &error);
    printf("line %u: %s; the scene still has %u object\n", error.line, error.message,
           tr_scene_object_count(scene));
    tr_scene_destroy(scene);
    return status == TR_BAD_FILE ? 0 : 1;
}
