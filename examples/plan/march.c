// The planner of Liu & Badler 2003 on our desk: from the start to the thermos and on to the teacup, cell by
// cell; once by depth maps, as in the paper, and once exactly.
#include "troupe/plan/march.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static tr_status reach(tr_march *march, const char *what, tr_vec3 goal, tr_posture *arm, tr_error *error) {
    tr_status status = tr_march_begin(march, arm, goal, NULL, error);
    while (status == TR_OK)
        status = tr_march_step(march);
    if (status != TR_DONE)
        return status;
    tr_march_result way = tr_march_look(march);
    *arm = way.postures[way.count - 1];
    printf("%-7s %3u nodes visited, %3u on the way, %2u refused\n", what, way.visited, way.count,
           way.refused);
    return TR_OK;
}

static tr_status reach_both(tr_march_def def, tr_error *error) {
    const float hand[3] = {0}; // in line with the forearm
    tr_sample_desk desk = tr_sample_desk_places();
    tr_march *march = NULL;
    tr_posture arm;
    tr_status status = tr_march_create(&def, &march, error);
    if (status == TR_OK && !tr_march_hold(&def.arm, desk.start, hand, NULL, &arm))
        status = TR_NOT_FOUND;
    if (status == TR_OK)
        status = reach(march, "thermos", desk.thermos_wrist, &arm, error);
    if (status == TR_OK)
        status = reach(march, "teacup", desk.teacup_wrist, &arm, error);
    tr_march_destroy(march);
    return status;
}

int main(void) {
    tr_sample sample = {.scene = NULL};
    tr_raster *raster = NULL;
    tr_solid *solid = NULL;
    tr_march_depth *maps = NULL;
    tr_error error = {.message = "no posture at the start"};
    tr_march_exact exact = {.arm = tr_arm_default(TR_ARM_RIGHT, 1.75f)};
    tr_march_def def = {.arm = exact.arm, .step = 0.05f / 3}; // a third of the arm's radius, as in the paper
    tr_status status = tr_sample_make(&(tr_sample_def){.name = "desk"}, &sample, &error);
    if (status == TR_OK)
        status = tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, &error);
    if (status == TR_OK) {
        tr_march_depth_def depth = tr_march_depth_def_default(raster, sample.scene, &def.arm);
        status = tr_march_depth_create(&depth, &maps, &error);
    }
    if (status == TR_OK) {
        puts("by depth maps:");
        def.is_free = tr_march_depth_is_free;
        def.user = maps;
        status = reach_both(def, &error);
    }
    if (status == TR_OK) {
        tr_solid_def triangles = tr_solid_def_default(sample.scene);
        status = tr_solid_create(&triangles, &solid, &error);
    }
    if (status == TR_OK) {
        puts("exactly:");
        exact.solid = solid;
        def.is_free = tr_march_exact_is_free;
        def.user = &exact;
        status = reach_both(def, &error);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_march_depth_destroy(maps);
    tr_solid_destroy(solid);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
    return status == TR_OK ? 0 : 1;
}
