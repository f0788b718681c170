// Look along a link of an arm from the inside, as Liu & Badler 2003 do: whatever is seen before the link's
// own wall is in its way. A rod crosses the link's beginning, where the paper's camera is blind, and a ball
// of clay sticks in its middle.
#include "troupe/world/depth.h"

#include <stdio.h>

#define SIDE 25

typedef struct box {
    tr_vec3 low, high;
} box;

static uint32_t add_box(tr_scene *scene, box of) {
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i & 1 ? of.high.x : of.low.x, i & 2 ? of.high.y : of.low.y,
                                  i & 4 ? of.high.z : of.low.z);
    tr_mesh_def def = {.positions = corners, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number = TR_NONE;
    if (tr_scene_add_mesh(scene, &def, &object.mesh, NULL) == TR_OK)
        tr_scene_add_object(scene, &object, &number, NULL);
    return number;
}

// # collides, + is something further off, . is the link's own wall.
static void print_maps(const tr_depth_map *link, const tr_depth_map *seen, float far) {
    for (uint32_t row = 0; row < SIDE; row++) {
        for (uint32_t column = 0; column < SIDE; column++) {
            float own = link->depth[row * SIDE + column], other = seen->depth[row * SIDE + column];
            printf(" %c", own > 0 && own >= other ? '#' : other < far ? '+' : own > 0 ? '.' : ' ');
        }
        printf("\n");
    }
}

int main(void) {
    const tr_vec3 shoulder = {0, 1.4f, 0}, elbow = {0, 1.4f, 0.3f};
    const float radius = 0.05f;
    const box rod = {{-0.5f, 1.43f, 0.02f}, {0.5f, 1.44f, 0.03f}},
              clay = {{0.01f, 1.36f, 0.15f}, {0.05f, 1.39f, 0.18f}};
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_raster_def def = {.backend = TR_RASTER_SOFT};
    if (tr_scene_create(NULL, &scene) != TR_OK || tr_raster_create(&def, &raster, NULL) != TR_OK)
        return 1;
    uint32_t rod_object = add_box(scene, rod), clay_object = add_box(scene, clay);
    for (int pulled = 0; pulled < 2; pulled++) {
        float own[SIDE * SIDE], seen[SIDE * SIDE];
        tr_depth_map link = {SIDE, SIDE, own, NULL}, map = {SIDE, SIDE, seen, NULL};
        tr_depth_request request = {.scene = scene,
                                    .camera = tr_depth_link_camera(shoulder, elbow, radius, (float)pulled),
                                    .exclude_object = TR_NONE};
        bool rod_hits = false, clay_hits = false;
        if (tr_depth_link(&request.camera, shoulder, elbow, radius, &link, NULL) != TR_OK ||
            tr_depth_draw(raster, &request, &map, NULL) != TR_OK)
            return 1;
        request.exclude_object = clay_object;
        tr_depth_hits(raster, &request, &link, TR_DEPTH_COMPARE_ON_CARD, &rod_hits, NULL);
        request.exclude_object = rod_object;
        tr_depth_hits(raster, &request, &link, TR_DEPTH_COMPARE_ON_CARD, &clay_hits, NULL);
        printf("%s: the rod %s, the clay %s\n", pulled ? "pulled back" : "the paper's camera",
               rod_hits ? "collides" : "is not seen", clay_hits ? "collides" : "is not seen");
        print_maps(&link, &map, request.camera.far);
    }
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return 0;
}
