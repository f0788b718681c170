// The tables of pairs that come with other people's scenes: a thousand ways each, with the lengths that
// Detour found.
#include "ground.h"

#include <stdlib.h>

#define PAIRS 1000

typedef struct table {
    tr_vec3 starts[PAIRS], goals[PAIRS];
    double lengths[PAIRS];
    uint32_t count;
} table;

static bool table_read(table *t, const char *name) {
    const char *folder = test_data_folder();
    char path[1024], line[256];
    if (!folder)
        return false;
    snprintf(path, sizeof path, "%s/scenes/%s_pairs.csv", folder, name);
    FILE *file = fopen(path, "r");
    bool first = true;
    t->count = 0;
    while (file && fgets(line, sizeof line, file) && t->count < PAIRS) {
        tr_vec3 *s = &t->starts[t->count], *e = &t->goals[t->count];
        bool right = sscanf(line, "%f,%f,%f,%f,%f,%f,%lf", &s->x, &s->y, &s->z, &e->x, &e->y, &e->z,
                            &t->lengths[t->count]) == 7;
        CHECK(right || first); // the first line holds the names
        t->count += right;
        first = false;
    }
    if (file)
        fclose(file);
    return t->count > 0;
}

// The places lie on Detour's mesh, whose outlines are simplified: some are in our border, and are moved out
// of it.
static void find_all(const char *name) {
    static ground g;
    static table t;
    static double ratios[PAIRS];
    if (!ground_create(&g, name)) {
        ground_destroy(&g);
        return;
    }
    CHECK(table_read(&t, name));
    uint32_t found = 0;
    for (uint32_t i = 0; i < t.count; i++) {
        double length = ground_length(&g, t.starts[i], t.goals[i], 1);
        if (isnan(length))
            test_failed(__FILE__, __LINE__, "%s_pairs.csv:%u: no way, Detour's is %.2f m", name, i + 2,
                        t.lengths[i]);
        else
            ratios[found++] = t.lengths[i] > 0 ? length / t.lengths[i] : 1;
    }
    qsort(ratios, found, sizeof ratios[0], ground_compare);
    CHECK_NEAR(found > 0 ? ratios[found / 2] : 0, 1, 0.03);
    printf("%s: %u of %u found; length over Detour's: least %.4f, median %.4f, 95 of 100 below %.4f, most "
           "%.4f\n",
           name, found, t.count, ratios[0], found ? ratios[found / 2] : 0,
           found ? ratios[found * 19 / 20] : 0, found ? ratios[found - 1] : 0);
    ground_destroy(&g);
}

TEST(all_pairs_of_nav_test_have_a_way_as_short_as_detours) {
    find_all("nav_test");
}

TEST(all_pairs_of_undulating_ground_have_a_way_as_short_as_detours) {
    find_all("undulating");
}
