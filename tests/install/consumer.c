// Uses something of each folder, so that every library Troupe hands on must be there.
#include <troupe/troupe.h>

#include <stdio.h>

int main(void) {
    tr_scene *scene = NULL;
    tr_tasks *tasks = NULL;
    tr_picture picture = {0};
    tr_color white = {255, 255, 255};
    tr_error error = {0};
    tr_status status = tr_scene_create(NULL, &scene);
    if (status == TR_OK)
        status = tr_tasks_create(NULL, 2, &tasks, &error);
    if (status == TR_OK)
        status = tr_picture_create(NULL, 4, 4, white, &picture, &error);
    tr_status unreadable = tr_scene_file_read("there is no such file.obj", NULL, scene, &error);
    printf("troupe %s: %s; reading nothing: %s\n", tr_version(), tr_status_name(status),
           tr_status_name(unreadable));
    tr_picture_destroy(&picture);
    tr_tasks_destroy(tasks);
    tr_scene_destroy(scene);
    return status == TR_OK && unreadable == TR_NO_FILE ? 0 : 1;
}
