// Draw the map of the sample room as room.png, with a walk from the door to the table over it, and make the
// same file in memory, for a program that sends it or packs it into a file of its own.
#include <troupe/io/picture.h>
#include <troupe/world/sample.h>

#include <stdio.h>

static tr_status build_map(tr_occupancy **occupancy, tr_error *error) {
    tr_sample room;
    tr_raster *raster = NULL;
    tr_status status = tr_sample_make(&(tr_sample_def){.name = "room"}, &room, error);
    if (status != TR_OK)
        return status;
    tr_occupancy_def def = tr_occupancy_def_default(room.ground.min.y);
    def.keep_clearance = true; // shades the free ground
    status = tr_grid_cover(room.ground, 0.05f, 0, 0, &def.grid, error);
    if (status == TR_OK)
        status = tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, error);
    if (status == TR_OK)
        status = tr_occupancy_create(&def, occupancy, error);
    if (status == TR_OK)
        status = tr_occupancy_build(*occupancy, raster, room.scene, error);
    tr_raster_destroy(raster);
    tr_scene_destroy(room.scene);
    return status;
}

static void draw_walk(tr_picture *picture, const tr_map_view *view) {
    const tr_color blue = {38, 110, 180};
    const tr_vec2 walk[] = {{1.85f, 2.2f}, {1.9f, 1.2f}, {1.4f, 0.2f}, {0.9f, -0.4f}};
    for (int i = 0; i < 3; i++) {
        tr_vec2 a = tr_map_view_pixel(view, walk[i]), b = tr_map_view_pixel(view, walk[i + 1]);
        tr_picture_line(picture, a.x, a.z, b.x, b.z, 4, blue, 0.9f);
    }
    tr_vec2 end = tr_map_view_pixel(view, walk[3]);
    tr_picture_disc(picture, end.x, end.z, 7, blue, 1);
    tr_picture_text(picture, end.x + 10, end.z - 22, 16, "here", blue);
}

int main(void) {
    tr_occupancy *occupancy = NULL;
    tr_picture picture = {0};
    tr_map_view view;
    tr_bytes png = {0};
    tr_error error = {0};
    tr_status status = build_map(&occupancy, &error);
    if (status == TR_OK)
        status = tr_picture_draw_occupancy(NULL, occupancy, 5, "A room", &picture, &view, &error);
    if (status == TR_OK) {
        draw_walk(&picture, &view);
        status = tr_picture_write_png(&picture, "room.png", &error);
    }
    if (status == TR_OK)
        status = tr_picture_encode_png(NULL, &picture, &png, &error);
    if (status == TR_OK)
        printf("room.png: %u x %u pixels; in memory: %zu bytes, %.0f times smaller than the pixels\n",
               picture.width, picture.height, png.size,
               3.0 * picture.width * picture.height / (double)png.size);
    else
        fprintf(stderr, "no picture: %s\n", error.message);
    tr_bytes_free(NULL, &png);
    tr_picture_destroy(&picture);
    tr_occupancy_destroy(occupancy);
    return status == TR_OK || status == TR_UNAVAILABLE ? 0 : 1;
}
