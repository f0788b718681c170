// The ground of a sample office: who can stand where, why not, which links there are, and what an update
// costs.
#include "troupe/base/clock.h"
#include "troupe/world/ground.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static void ask(const tr_ground *ground, uint32_t size, const tr_scene *scene, tr_vec3 point) {
    char text[200];
    tr_ground_place place = tr_ground_drop(ground, size, point, 0.5f);
    tr_ground_look_inside(scene, point, &place);
    tr_ground_explain(ground, size, point, &place, text, sizeof text);
    printf("%s\n", text);
}

// A game that keeps something of its own for the ground (here, a list for its map) makes it anew only when
// the revision has grown.
static void list_links(const tr_ground *ground, uint64_t *revision) {
    if (*revision == tr_ground_revision(ground)) {
        printf("the list of links is still right\n");
        return;
    }
    *revision = tr_ground_revision(ground);
    uint32_t count = 0;
    const tr_ground_link *links = tr_ground_links(ground, &count);
    printf("%u link", count);
    for (uint32_t i = 0; i < count; i++)
        printf(": a %s from (%g, %g) to (%g, %g), %s", links[i].kind == TR_GROUND_DOOR ? "door" : "link",
               links[i].from.x, links[i].from.z, links[i].to.x, links[i].to.z,
               links[i].closed ? "locked" : "open");
    printf("\n");
}

static tr_status use_door(tr_ground *ground, tr_error *error) {
    tr_ground_link door = {TR_GROUND_DOOR, {-8.3f, 0, -4}, {-4.9f, 0, -2.3f}, .both_ways = true, .cost = 1};
    uint64_t seen = 0;
    tr_status status = tr_ground_set_links(ground, &door, 1, error);
    if (status != TR_OK)
        return status;
    list_links(ground, &seen);
    list_links(ground, &seen);
    status = tr_ground_close_link(ground, 0, true); // somebody locks it
    list_links(ground, &seen);
    return status;
}

static tr_status look(tr_ground *ground, tr_raster *raster, tr_sample *office, tr_error *error) {
    tr_ground_body adult = tr_ground_body_of_height(1.8f);
    uint32_t size = 0, changes = 0;
    tr_status status = tr_ground_add_size(ground, &adult, &size, error);
    if (status != TR_OK)
        return status;
    for (int i = 0; i < 6; i++)
        ask(ground, size, office->scene, tr_vec3_make(-8 + 3.1f * (float)i, 0, -4 + 1.7f * (float)i));
    ask(ground, size, office->scene, tr_vec3_make(100, 0, 0));
    status = use_door(ground, error);
    if (status != TR_OK)
        return status;
    tr_affine place = tr_scene_object(office->scene, office->first_movable).placement;
    place.m[0][3] += 0.4f;
    tr_scene_place(office->scene, office->first_movable, &place);
    uint64_t begun = tr_clock_nanoseconds();
    status = tr_ground_update(ground, raster, office->scene, NULL, 0, error);
    const tr_cells *cells = tr_ground_changes(ground, &changes);
    printf("a chair was moved: %.2f ms, %u rectangles changed",
           (double)(tr_clock_nanoseconds() - begun) / 1e6, changes);
    for (uint32_t i = 0; i < changes; i++)
        printf(", columns %u to %u", cells[i].column_begin, cells[i].column_end);
    printf("\n");
    return status;
}

int main(void) {
    tr_error error = {.message = "no memory"};
    tr_sample_def sample = {.name = "office"};
    tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_ground_def def = tr_ground_def_default();
    tr_sample office = {.scene = NULL};
    tr_raster *raster = NULL;
    tr_ground *ground = NULL;
    bool done = tr_sample_make(&sample, &office, &error) == TR_OK &&
                tr_raster_create(&soft, &raster, &error) == TR_OK &&
                tr_ground_create(&def, raster, office.scene, &ground, &error) == TR_OK &&
                look(ground, raster, &office, &error) == TR_OK;
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    tr_ground_destroy(ground);
    tr_raster_destroy(raster);
    tr_scene_destroy(office.scene);
    return done ? 0 : 1;
}
