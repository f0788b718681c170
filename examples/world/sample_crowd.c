// Who goes where: the people of each kind of crowd.
#include <troupe/world/sample_crowd.h>

#include <stdio.h>

static int show(const char *kind) {
    const tr_sample_crowd_def def = {.kind = kind, .seed = 1};
    tr_sample_crowd *crowd;
    tr_error error;
    if (tr_sample_crowd_create(&def, &crowd, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    uint32_t count;
    const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
    tr_vec3 next = tr_sample_crowd_goal(crowd, 0, 1);
    printf("%-9s %3u people in the scene \"%s\"; the first is %.2f m tall and goes from (%.2f, %.2f) to "
           "(%.2f, %.2f) at %.2f m/s, then to (%.2f, %.2f)\n",
           kind, count, tr_sample_crowd_scene_def(crowd).name, (double)people[0].height,
           (double)people[0].start.x, (double)people[0].start.z, (double)people[0].goal.x,
           (double)people[0].goal.z, (double)people[0].speed, (double)next.x, (double)next.z);
    tr_sample_crowd_destroy(crowd);
    return 0;
}

int main(void) {
    for (uint32_t i = 0; i < tr_sample_crowd_kind_count(); i++)
        if (show(tr_sample_crowd_kind(i)) != 0)
            return 1;
    return 0;
}
