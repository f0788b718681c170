// Add up a million numbers with a team of threads. The sum has the same bits for any team, because each part
// has a place of its own for its result and the places are added in their order.
#include "troupe/base/random.h"
#include "troupe/base/tasks.h"

#include <stdio.h>

#define PARTS 64

static void add_up(void *user, uint32_t part, uint32_t member) {
    (void)member; // says whose scratch may be used; none is needed here
    double *sums = user;
    tr_random random = tr_random_seed(part);
    for (int i = 0; i < 1000000 / PARTS; i++)
        sums[part] += tr_random_unit(&random);
}

static bool sum_with_team(uint32_t members, double *sum) {
    tr_tasks *tasks = NULL;
    tr_error error;
    if (tr_tasks_create(NULL, members, &tasks, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    double sums[PARTS] = {0};
    tr_tasks_run(tasks, PARTS, add_up, sums);
    *sum = 0;
    for (int part = 0; part < PARTS; part++)
        *sum += sums[part];
    printf("a team of %u: %.17g\n", tr_tasks_members(tasks), *sum);
    tr_tasks_destroy(tasks);
    return true;
}

int main(void) {
    double one, three;
    return sum_with_team(1, &one) && sum_with_team(3, &three) && one == three ? 0 : 1;
}
