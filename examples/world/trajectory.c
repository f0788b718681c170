// A guard that walks to and fro for ever, and where it is at some moments.
#include "troupe/base/scalar.h"
#include "troupe/world/trajectory.h"

#include <stdio.h>

int main(void) {
    const tr_vec3 up = {0, 1, 0};
    tr_transform there = tr_transform_identity(), turned = there, back = there, home = there;
    there.position = turned.position = tr_vec3_make(0, 0, 6);
    turned.rotation = back.rotation = tr_quat_about(up, TR_PI);
    back.position = home.position = tr_vec3_make(0, 0, 0);

    // Four seconds along +Z, one to turn about, four back, one to turn again.
    static const double times[] = {0, 4, 5, 9, 10};
    const tr_transform samples[] = {home, there, turned, back, home};
    const tr_trajectory_def def = {.times = times, .transforms = samples, .count = 5, .loop = true};
    tr_trajectory *walk = NULL;
    tr_error error;
    if (tr_trajectory_create(NULL, &def, &walk, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("from %g s to %g s, then again\n", tr_trajectory_begin(walk), tr_trajectory_end(walk));
    for (double time = 0; time <= 14; time += 2) {
        tr_transform now = tr_trajectory_sample(walk, time);
        tr_affine placed = tr_affine_from_transform(now);
        printf("%4.0f s: z = %4.1f m, %s\n", time, now.position.z,
               placed.m[2][2] > 0 ? "looking along +Z" : "looking along -Z");
    }
    tr_trajectory_destroy(walk);

    static const double wrong_times[] = {0, 4, 4, 9, 10};
    tr_trajectory_def wrong = def;
    wrong.times = wrong_times;
    if (tr_trajectory_create(NULL, &wrong, &walk, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    return 0;
}
