// Draw the triangles of a scene between two heights into cells, with a mesh and with geometry of your own.
#include "troupe/world/raster.h"

#include <stdio.h>

#define COLUMNS 48
#define ROWS 16

// A roof ridge that the program keeps itself: two sloping triangles, handed over when they are asked for.
static void emit_ridge(void *user, tr_triangle_sink *sink) {
    (void)user;
    static const tr_vec3 corners[6] = {{1, 0, 1}, {5, 0, 1},    {3, 2, 2.5f},
                                       {1, 0, 4}, {3, 2, 2.5f}, {5, 0, 4}};
    sink->take(sink, corners, 2);
}

static bool add_wall(tr_scene *scene) {
    // One quad without thickness, seen edge-on from above: it still covers the cells it stands on.
    static const tr_vec3 corners[4] = {{6.1f, 0, 0.3f}, {11.3f, 0, 3.7f}, {11.3f, 3, 3.7f}, {6.1f, 3, 0.3f}};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    const tr_mesh_def mesh_def = {"wall", corners, 4, triangles, 2};
    tr_object_def object_def = {.name = "wall", .placement = tr_affine_identity()};
    uint32_t object;
    return tr_scene_add_mesh(scene, &mesh_def, &object_def.mesh, NULL) == TR_OK &&
           tr_scene_add_object(scene, &object_def, &object, NULL) == TR_OK;
}

static void print_cells(const tr_bitmap *cells) {
    for (uint32_t row = cells->rows; row-- > 0;) {
        for (uint32_t column = 0; column < cells->columns; column++)
            putchar(tr_bitmap_get(cells, column, row) ? '#' : '.');
        putchar('\n');
    }
}

int main(void) {
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_error error;
    const tr_drawn_def ridge = {.name = "ridge", .bounds = {{1, 0, 1}, {5, 2, 4}}, .emit = emit_ridge};
    const tr_raster_def def = {.backend = TR_RASTER_SOFT};
    uint32_t object;
    tr_bitmap cells;
    if (tr_scene_create(NULL, &scene) != TR_OK || !add_wall(scene) ||
        tr_scene_add_drawn(scene, &ridge, &object, &error) != TR_OK ||
        tr_raster_create(&def, &raster, &error) != TR_OK ||
        tr_bitmap_create(NULL, COLUMNS, ROWS, &cells) != TR_OK)
        return 1;
    const tr_grid grid = {{0, 0}, 0.25f, COLUMNS, ROWS};
    tr_raster_request request = {.scene = scene,
                                 .grid = grid,
                                 .band = {.low = 0.05f, .high = 1.8f, .exclude_object = TR_NONE},
                                 .region = tr_grid_all(&grid),
                                 .occupied = &cells};
    // Whoever compares these cells with a map of another origin allows for a difference in this border.
    printf("%s, exact but for geometry within %.2g m of a cell\n", tr_raster_name(raster),
           (double)(tr_raster_slack(&grid) * grid.cell));
    for (int i = 0; i < 2; i++) {
        if (tr_raster_draw(raster, &request, &error) != TR_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("from %g to %g m: %llu cells\n", request.band.low, request.band.high,
               (unsigned long long)tr_bitmap_count(&cells));
        print_cells(&cells);
        request.band.low = 1.2f; // higher up the slopes are nearer to each other
    }
    tr_bitmap_destroy(NULL, &cells);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return 0;
}
