// Meshes whose triangles have colours of their own.
#include "test.h"
#include "troupe/io/render.h"

#include <string.h>

// Two triangles in their own colours are the same picture as two meshes of one each.
TEST(a_painted_mesh_has_the_colour_of_each_triangle) {
    static const tr_vec3 corners[] = {{-1, 0, 0}, {1, 0, 0}, {-1, 2, 0}, {1, 2, 0}};
    static const uint32_t indices[] = {0, 1, 2, 1, 3, 2};
    static const float colors[2][3] = {{0.8f, 0.1f, 0}, {0, 0.2f, 0.7f}};
    static const float bad[2][3] = {{0.8f, 0.1f, 0}, {0, 1.2f, 0.7f}};
    tr_camera camera = tr_camera_around((tr_box){{-1, 0, -1}, {1, 2, 1}}, 0.3f, 0.2f, 1);
    tr_render_def def = {.width = 64, .height = 64};
    tr_render *render = NULL;
    tr_picture pictures[2];
    tr_error error = {0};
    REQUIRE(tr_render_create(&def, &render, &error) == TR_OK);
    for (int apart = 0; apart < 2; apart++) {
        REQUIRE(tr_picture_create(NULL, 64, 64, (tr_color){0}, &pictures[apart], NULL) == TR_OK);
        CHECK_INT(tr_render_add_painted_mesh(render, corners, NULL, 4, indices, 2, NULL, colors), TR_INVALID);
        CHECK_INT(tr_render_begin(render, &camera, &error), TR_OK);
        CHECK_INT(tr_render_add_painted_mesh(render, corners, NULL, 4, indices, 2, NULL, bad), TR_INVALID);
        CHECK_INT(tr_render_add_painted_mesh(render, corners, NULL, 4, indices, 2, NULL, NULL), TR_INVALID);
        for (uint32_t i = 0; apart && i < 2; i++)
            CHECK_INT(tr_render_add_mesh(render, corners, NULL, 4, indices + 3 * i, 1, NULL, colors[i]),
                      TR_OK);
        if (!apart)
            CHECK_INT(tr_render_add_painted_mesh(render, corners, NULL, 4, indices, 2, NULL, colors), TR_OK);
        CHECK_INT(tr_render_end(render, &pictures[apart], &error), TR_OK);
    }
    CHECK(memcmp(pictures[0].pixels, pictures[1].pixels, 3 * 64 * 64) == 0);
    tr_picture_destroy(&pictures[0]);
    tr_picture_destroy(&pictures[1]);
    tr_render_destroy(render);
}
