// The views of the cameras of Liu & Badler 2003 (3.2.3) at the end of each reach: one for each link of the
// arm, at its beginning as in the paper, and pulled back so that the whole link is in view.
#include "play.h"
#include "troupe/io/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SIDE 100u // pixels of a map, as in the paper
#define SCALE 3
#define MAPS (2 * TR_ARM_LINKS)

static const char *const names[MAPS] = {
    "upper arm", "forearm", "hand", "upper arm, pulled back", "forearm, pulled back", "hand, pulled back"};

static tr_status draw_link(const play_shot *shot, tr_raster *raster, const tr_order_reach *reach, int map,
                           float *memory, tr_depth_layer *layer, tr_error *error) {
    tr_vec3 points[4];
    int link = map % TR_ARM_LINKS;
    float radius = reach->arm.radius[link], pull_back = map < TR_ARM_LINKS ? 0.0f : 1.0f;
    tr_arm_points(&reach->arm, &reach->posture, points);
    tr_depth_camera camera = tr_depth_link_camera(points[link], points[link + 1], radius, pull_back);
    tr_depth_request request = {.scene = shot->play.scene,
                                .camera = camera,
                                .exclude_tags = TR_TAG_CHARACTER,
                                .exclude_object = TR_NONE};
    *layer = (tr_depth_layer){.name = names[map],
                              .scene = {SIDE, SIDE, memory},
                              .link = {SIDE, SIDE, memory + SIDE * SIDE},
                              .near = camera.near,
                              .far = camera.far};
    tr_status status = tr_depth_link(&camera, points[link], points[link + 1], radius, &layer->link, error);
    return status == TR_OK ? tr_depth_draw(raster, &request, &layer->scene, error) : status;
}

static tr_status draw_reach(const play_shot *shot, tr_raster *raster, const tr_order_reach *reach,
                            float *memory, const char *title, const char *path, tr_error *error) {
    tr_depth_layer layers[MAPS];
    tr_picture picture;
    tr_status status = TR_OK;
    tr_scene_set_time(shot->play.scene, reach->move_end); // moving objects are where they were then
    for (int i = 0; i < MAPS && status == TR_OK; i++)
        status = draw_link(shot, raster, reach, i, memory + (size_t)i * 2 * SIDE * SIDE, &layers[i], error);
    if (status == TR_OK)
        status = tr_picture_draw_depth(NULL, layers, MAPS, SCALE, title, &picture, error);
    if (status != TR_OK)
        return status;
    status = tr_picture_write_png(&picture, path, error);
    tr_picture_destroy(&picture);
    return status;
}

// Draws every order of an actor that has reached its target.
static tr_status draw_actor(const play_request *request, const play_shot *shot, uint32_t actor,
                            tr_raster *raster, float *memory, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < play_order_count(shot->play.stage, actor) && status == TR_OK; i++) {
        tr_order_report report = play_order(shot->play.stage, actor, i);
        char path[1024], title[200], target[64] = "a point";
        if (!report.reach.plans || report.state != TR_ORDER_DONE)
            continue;
        if (report.order.has_object)
            snprintf(target, sizeof target, "\"%.60s\"",
                     tr_scene_object(shot->play.scene, report.order.object).name);
        snprintf(title, sizeof title, "%.60s reaches for %s: view of the cameras in the links of the arm",
                 shot->parts[actor].name, target);
        int length = snprintf(path, sizeof path, "%s/%02u-order-%u.png", request->depth, actor, i + 1);
        if (length < 0 || (size_t)length >= sizeof path)
            return tr_fail(error, TR_NO_FILE, "the name of the folder is too long: %.80s...", request->depth);
        status = draw_reach(shot, raster, &report.reach, memory, title, path, error);
    }
    return status;
}

tr_status play_write_depth(const play_request *request, const play_shot *shot, tr_error *error) {
    if (mkdir(request->depth, 0777) != 0 && errno != EEXIST)
        return tr_fail(error, TR_NO_FILE, "cannot create the folder %.200s: %s", request->depth,
                       strerror(errno));
    double now = tr_scene_time(shot->play.scene);
    tr_raster *raster = NULL;
    float *memory = calloc((size_t)MAPS * 2 * SIDE * SIDE, sizeof *memory);
    tr_status status = memory ? tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, error)
                              : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for depth maps");
    for (uint32_t i = 0; i < shot->count && status == TR_OK; i++)
        status = draw_actor(request, shot, i, raster, memory, error);
    tr_scene_set_time(shot->play.scene, now);
    tr_raster_destroy(raster);
    free(memory);
    return status;
}
