// Slice a scene into a 3D grid and look at it from the side: a floor, a table and a stair. Then lift the
// table.
#include "troupe/world/voxels.h"

#include <stdio.h>

static bool add_box(tr_scene *scene, tr_vec3 low, tr_vec3 high, uint32_t tags) {
    static const uint32_t triangles[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                           2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    const tr_mesh_def mesh_def = {"box", corners, 8, triangles, 12};
    tr_object_def object_def = {.placement = tr_affine_identity(), .tags = tags};
    uint32_t object;
    return tr_scene_add_mesh(scene, &mesh_def, &object_def.mesh, NULL) == TR_OK &&
           tr_scene_add_object(scene, &object_def, &object, NULL) == TR_OK;
}

static bool furnish(tr_scene *scene) {
    bool all = add_box(scene, tr_vec3_make(0, -0.1f, 0), tr_vec3_make(8, 0.02f, 2), TR_TAG_WALKABLE) &&
               add_box(scene, tr_vec3_make(1, 0.7f, 0.5f), tr_vec3_make(2.5f, 0.75f, 1.5f), TR_TAG_NO_STEP);
    for (int step = 0; step < 6; step++) {
        float x = 4 + 0.5f * (float)step, top = 0.2f * (float)(step + 1);
        all = all &&
              add_box(scene, tr_vec3_make(x, 0, 0.5f), tr_vec3_make(x + 0.5f, top, 1.5f), TR_TAG_WALKABLE);
    }
    return all;
}

// One row of columns from the side: # occupied, _ a top that can be stood on.
static void print_row(const tr_voxels *voxels, uint32_t row) {
    for (uint32_t layer = voxels->grid.layers; layer-- > 0;) {
        for (uint32_t column = 0; column < voxels->grid.grid.columns; column++) {
            bool set = tr_voxels_get(voxels, column, layer, row);
            bool top = layer + 1 == voxels->grid.layers || !tr_voxels_get(voxels, column, layer + 1, row);
            size_t number = (size_t)tr_voxels_column(voxels, column, row) * voxels->grid.layers + layer;
            putchar(!set ? '.' : top && voxels->tops[number].stand ? '_' : '#');
        }
        printf("  %g m\n", voxels->grid.bottom + (float)layer * voxels->grid.layer);
    }
}

// Lifts an object and redraws only the tiles where it was and where it is.
static tr_status lift(tr_scene *scene, uint32_t object, tr_raster *raster, const tr_voxels_request *request,
                      tr_voxels *voxels, tr_error *error) {
    tr_box boxes[2] = {tr_scene_object(scene, object).bounds};
    tr_affine placement = tr_affine_place(tr_vec3_make(0, 0.375f, 0), 0);
    tr_status status = tr_scene_place(scene, object, &placement);
    boxes[1] = tr_scene_object(scene, object).bounds;
    if (status == TR_OK)
        status = tr_voxels_update(voxels, raster, request, boxes, 2, error);
    return status;
}

int main(void) {
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_error error = {.message = "no memory"};
    tr_voxels voxels = {.words = 0};
    const tr_raster_def def = {.backend = TR_RASTER_SOFT};
    tr_voxels_request request = {
        .exclude_object = TR_NONE, .stand_cosine = 0.7071f, .stand_exclude_tags = TR_TAG_NO_STEP};
    if (tr_scene_create(NULL, &scene) != TR_OK || !furnish(scene) ||
        tr_raster_create(&def, &raster, &error) != TR_OK ||
        tr_voxel_grid_cover(tr_scene_bounds(scene), 0.125f, 0.125f, 0, 0, &request.grid, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    request.scene = scene;
    if (tr_voxels_make(raster, &request, true, NULL, &voxels, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%u x %u x %u cells, %llu occupied\n", voxels.grid.grid.columns, voxels.grid.layers,
           voxels.grid.grid.rows, (unsigned long long)tr_voxels_count(&voxels));
    print_row(&voxels, 8);
    enum { TABLE = 1 }; // the second object of furnish()
    tr_status status = lift(scene, TABLE, raster, &request, &voxels, &error);
    if (status == TR_OK) {
        printf("with the table lifted, %llu occupied\n", (unsigned long long)tr_voxels_count(&voxels));
        print_row(&voxels, 8);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    tr_voxels_destroy(NULL, &voxels);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return status == TR_OK ? 0 : 1;
}
