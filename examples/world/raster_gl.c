// Draw on graphics hardware where there is some, in `soft` elsewhere, and do other work while the card is
// busy: three maps of a maze are in the air before the first is looked at. The card also widens the walls by
// the radius of a body, which `soft` leaves to tr_occupancy.
#include "troupe/base/clock.h"
#include "troupe/world/raster.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static tr_raster *open_raster(void) {
    tr_raster *raster = NULL;
    tr_error error;
    tr_raster_def def = {.backend = TR_RASTER_GL};
    if (tr_raster_create(&def, &raster, &error) == TR_OK)
        return raster;
    printf("no OpenGL (%s); soft then\n", error.message);
    def.backend = TR_RASTER_SOFT;
    return tr_raster_create(&def, &raster, &error) == TR_OK ? raster : NULL;
}

int main(void) {
    tr_sample sample;
    tr_sample_def def = {.name = "maze"};
    tr_grid grid;
    tr_raster *raster = open_raster();
    if (!raster || tr_sample_make(&def, &sample, NULL) != TR_OK ||
        tr_grid_divide(sample.ground, 100, &grid, NULL) != TR_OK ||
        tr_raster_prepare(raster, sample.scene, &grid, NULL) != TR_OK)
        return 1;
    printf("%s, %u x %u cells\n", tr_raster_name(raster), grid.columns, grid.rows);

    // Ankles, knees, head: three bands of the same maze.
    const float low[TR_RASTER_IN_FLIGHT] = {0.05f, 0.4f, 1.5f},
                high[TR_RASTER_IN_FLIGHT] = {0.2f, 0.6f, 1.8f};
    tr_bitmap occupied[TR_RASTER_IN_FLIGHT], widened[TR_RASTER_IN_FLIGHT];
    bool widens = tr_raster_which(raster) == TR_RASTER_GL;
    uint64_t begin = tr_clock_nanoseconds();
    for (int i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
        if (tr_bitmap_create(NULL, grid.columns, grid.rows, &occupied[i]) != TR_OK ||
            tr_bitmap_create(NULL, grid.columns, grid.rows, &widened[i]) != TR_OK)
            return 1;
        float ground = sample.ground.min.y;
        tr_raster_request request = {.scene = sample.scene,
                                     .grid = grid,
                                     .band = {ground + low[i], ground + high[i], 0, TR_NONE},
                                     .region = tr_grid_all(&grid),
                                     .occupied = &occupied[i],
                                     .widened = widens ? &widened[i] : NULL,
                                     .radius = 0.3f};
        if (tr_raster_submit(raster, &request, NULL) != TR_OK)
            return 1;
    }
    printf("submitted after %.3f ms: here the program does something else\n",
           (double)(tr_clock_nanoseconds() - begin) / 1e6);
    for (int i = 0; tr_raster_collect(raster, NULL) == TR_OK; i++) {
        printf("%.2f to %.2f m: %llu cells, there after %.3f ms\n", low[i], high[i],
               (unsigned long long)tr_bitmap_count(&occupied[i]),
               (double)(tr_clock_nanoseconds() - begin) / 1e6);
        if (widens)
            printf("  %llu cells with 0.3 m around them\n", (unsigned long long)tr_bitmap_count(&widened[i]));
        tr_bitmap_destroy(NULL, &occupied[i]);
        tr_bitmap_destroy(NULL, &widened[i]);
    }
    tr_scene_destroy(sample.scene);
    tr_raster_destroy(raster);
    return 0;
}
