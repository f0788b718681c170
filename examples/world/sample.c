// Make every sample scene, and move the chairs of one about.
#include <troupe/base/clock.h>
#include <troupe/world/sample.h>

#include <inttypes.h>
#include <stdio.h>

static int show(const char *name) {
    tr_sample sample;
    tr_error error;
    uint64_t begin = tr_clock_nanoseconds();
    if (tr_sample_make(&(tr_sample_def){.name = name}, &sample, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double milliseconds = (double)(tr_clock_nanoseconds() - begin) / 1e6;
    tr_box ground = sample.ground;
    printf("%-9s %6" PRIu64 " triangles, %4u objects, %3u movable, %g m x %g m, made in %.2f ms\n", name,
           tr_scene_triangle_count(sample.scene), tr_scene_object_count(sample.scene), sample.movable_count,
           (double)(ground.max.x - ground.min.x), (double)(ground.max.z - ground.min.z), milliseconds);
    if (sample.layers)
        printf("%-9s a grid of %u x %u x %u cells, and a way from %.1f m up to %.1f m\n", "", sample.columns,
               sample.layers, sample.rows, (double)sample.start.y, (double)sample.goal.y);
    tr_scene_destroy(sample.scene);
    return 0;
}

static int move_chairs(void) {
    tr_sample room;
    if (tr_sample_make(&(tr_sample_def){.name = "room", .seed = 7}, &room, NULL) != TR_OK)
        return 1;
    for (uint64_t seed = 0; seed < 3; seed++) {
        tr_sample_shuffle(&room, seed);
        tr_affine chair = tr_scene_object(room.scene, room.first_movable).placement;
        printf("shuffled with seed %u, the first chair stands at (%.2f, %.2f)\n", (unsigned)seed,
               (double)chair.m[0][3], (double)chair.m[2][3]);
    }
    tr_scene_destroy(room.scene);
    return 0;
}

int main(void) {
    for (uint32_t i = 0; i < tr_sample_count(); i++)
        if (show(tr_sample_name(i)) != 0)
            return 1;
    return move_chairs();
}
