#include "reach_depth.h"
#include "troupe/io/picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SIDE 100 // pixels of a map, as in the paper
#define SCALE 3
#define MAPS (2 * TR_ARM_LINKS)

static const char *const names[MAPS] = {"upper arm, half way", "forearm, half way", "hand, half way",
                                        "upper arm, goal",     "forearm, goal",     "hand, goal"};

// The link's own wall is seen from a camera pulled back until the whole link is in view.
static tr_status draw_link(const reach_job *job, tr_raster *raster, const tr_vec3 points[4], int link,
                           const char *name, float *memory, tr_depth_layer *layer, tr_error *error) {
    float radius = job->file.arm.radius[link];
    tr_depth_camera camera = tr_depth_link_camera(points[link], points[link + 1], radius, 1);
    tr_depth_request request = {.scene = job->scene, .camera = camera, .exclude_object = TR_NONE};
    *layer = (tr_depth_layer){.name = name,
                              .scene = {SIDE, SIDE, memory},
                              .link = {SIDE, SIDE, memory + SIDE * SIDE},
                              .near = camera.near,
                              .far = camera.far};
    tr_status status = tr_depth_link(&camera, points[link], points[link + 1], radius, &layer->link, error);
    return status == TR_OK ? tr_depth_draw(raster, &request, &layer->scene, error) : status;
}

static tr_status draw_path(const reach_job *job, tr_raster *raster, float *memory, const char *title,
                           const char *path, tr_error *error) {
    tr_depth_layer layers[MAPS];
    tr_picture picture;
    tr_status status = TR_OK;
    for (int i = 0; i < MAPS && status == TR_OK; i++) {
        uint32_t at = i < TR_ARM_LINKS ? job->sample_count / 2 : job->sample_count - 1;
        tr_vec3 points[4];
        tr_arm_points(&job->file.arm, &job->samples[at], points);
        status = draw_link(job, raster, points, i % TR_ARM_LINKS, names[i],
                           memory + (size_t)i * 2 * SIDE * SIDE, &layers[i], error);
    }
    if (status == TR_OK)
        status = tr_picture_draw_depth(NULL, layers, MAPS, SCALE, title, &picture, error);
    if (status != TR_OK)
        return status;
    status = tr_picture_write_png(&picture, path, error);
    tr_picture_destroy(&picture);
    return status;
}

static tr_status draw_tasks(reach_job *job, const reach_request *request, tr_raster *raster, float *memory,
                            tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < job->file.task_count && status == TR_OK; i++) {
        const tr_reach_task *task = &job->file.tasks[i];
        char path[1024], title[160];
        reach_run run = {0};
        if (request->task >= 0 && task->id != request->task)
            continue;
        status = reach_job_run(job, task, request->pose, 1, &run, error);
        if (status != TR_OK || run.status != TR_OK)
            continue;
        snprintf(title, sizeof title, "Task %lld: %s", (long long)task->id, task->name);
        int length = snprintf(path, sizeof path, "%s/task_%lld.png", request->depth, (long long)task->id);
        if (length < 0 || (size_t)length >= sizeof path)
            return tr_fail(error, TR_NO_FILE, "the name of the folder is too long: %.80s...", request->depth);
        status = draw_path(job, raster, memory, title, path, error);
    }
    return status;
}

tr_status reach_depth_write(reach_job *job, const reach_request *request, tr_error *error) {
    tr_allocator memory = tr_allocator_default();
    tr_raster *raster = NULL;
    size_t pixels = (size_t)MAPS * 2 * SIDE * SIDE;
    if (mkdir(request->depth, 0777) != 0 && errno != EEXIST)
        return tr_fail(error, TR_NO_FILE, "cannot create the folder %.200s: %s", request->depth,
                       strerror(errno));
    float *maps = tr_allocate(&memory, pixels, sizeof *maps);
    tr_status status = maps ? tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, error)
                            : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for depth maps");
    if (status == TR_OK)
        status = draw_tasks(job, request, raster, maps, error);
    tr_raster_destroy(raster);
    tr_release(&memory, maps, pixels, sizeof *maps);
    return status;
}
