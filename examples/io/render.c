// A picture of the sample office, cut open at 1.4 m, with a walk through it: office.png.
#include <troupe/io/render.h>
#include <troupe/world/sample.h>

#include <stdio.h>

static tr_status draw(tr_render *render, const tr_sample *office, tr_picture *picture, tr_error *error) {
    const float cut_height = 1.4f, orange[3] = {0.75f, 0.24f, 0.06f};
    const tr_vec3 walk[] = {
        {-6.5f, 0.02f, 0.5f}, {-2, 0.02f, 1.2f}, {1, 0.02f, 2.4f}, {6, 0.02f, 2.2f}, {7.5f, 0.02f, -1}};
    tr_box box = tr_scene_bounds(office->scene);
    box.max.y = cut_height;
    tr_camera camera = tr_camera_around(box, 0.5f, 0.75f, (float)picture->width / (float)picture->height);
    tr_status status = tr_render_begin(render, &camera, error);
    if (status == TR_OK)
        status = tr_render_add_scene(render, office->scene, cut_height);
    if (status == TR_OK)
        status = tr_render_add_ground(render, box, office->ground.min.y);
    if (status == TR_OK)
        status = tr_render_add_line(render, walk, 5, 0.1f, orange);
    return status == TR_OK ? tr_render_end(render, picture, error) : status;
}

int main(void) {
    tr_sample office = {0};
    tr_tasks *tasks = NULL;
    tr_render *render = NULL;
    tr_picture picture = {0};
    tr_error error = {0};
    tr_render_def def = {.width = 960, .height = 540, .shadow_size = 2048};
    tr_status status = tr_sample_make(&(tr_sample_def){.name = "office"}, &office, &error);
    if (status == TR_OK)
        status = tr_tasks_create(NULL, 0, &tasks, &error); // the pixels do not depend on it
    def.tasks = tasks;
    if (status == TR_OK)
        status = tr_render_create(&def, &render, &error);
    if (status == TR_OK)
        status = tr_picture_create(NULL, def.width, def.height, (tr_color){0}, &picture, &error);
    if (status == TR_OK)
        status = draw(render, &office, &picture, &error);
    if (status == TR_OK)
        status = tr_picture_write_png(&picture, "office.png", &error);
    if (status == TR_OK)
        printf("office.png: %u x %u pixels\n", picture.width, picture.height);
    else
        printf("no picture: %s\n", error.message);
    tr_picture_destroy(&picture);
    tr_render_destroy(render);
    tr_tasks_destroy(tasks);
    tr_scene_destroy(office.scene);
    return status == TR_OK || status == TR_UNAVAILABLE ? 0 : 1;
}
