// Where would a walker be in two seconds, and where would it come to rest if it were stopped then?
#include "troupe/motion/driver.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <stdio.h>

int main(void) {
    tr_skeleton *skeleton = NULL;
    tr_cast *cast = NULL;
    tr_driver_task task = {0};
    tr_error error = {0};
    if (tr_mannequin_make(&(tr_mannequin_def){0}, &skeleton, NULL, &error) != TR_OK ||
        tr_cast_create(&(tr_cast_def){.skeleton = skeleton}, &cast, &error) != TR_OK ||
        tr_driver_task_create(NULL, 8, 0, &task, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_driver_nature nature = {.cast = cast, .dt = 1.0f / 30, .speed = 1.3f, .corridor = 0.1f};
    tr_driver_state state = {0};
    const tr_vec2 way[] = {{0, 0}, {0, 3}, {4, 5}};
    tr_driver_set_route(&state, &task, &nature, way, 3, NULL, NULL, 0, &error);
    const tr_driver *driver = tr_driver_of(&state);
    for (int i = 0; i < 60; i++)
        driver->predict(&state, &task, &nature, INFINITY);
    tr_vec2 at = state.root.state.position;
    printf("%s: after 2 s at (%.2f, %.2f), %.2f m/s\n", driver->name, (double)at.x, (double)at.z,
           (double)state.root.state.speed);
    int ticks = 0;
    for (; !driver->rests(&state); ticks++)
        driver->predict(&state, &task, &nature, 0);
    at = state.root.state.position;
    printf("stopped then, it rests %.2f s later at (%.2f, %.2f)\n", ticks / 30.0, (double)at.x, (double)at.z);
    tr_driver_task_destroy(NULL, &task);
    tr_cast_destroy(cast);
    tr_skeleton_destroy(skeleton);
    return 0;
}
