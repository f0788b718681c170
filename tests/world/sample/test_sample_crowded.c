// The sample scenes for crowds: rays against their triangles measure what their sizes promise.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t triangles;
    uint64_t hash, seed_1_hash;
} scenes[] = {
    {"corridor", 260, 0xe52357db9dd463a5, 0x5c06ffba1595a925},
    {"door", 132, 0x13528bf91053f437, 0x13528bf91053f437},
    {"crossing", 260, 0xc539147ba76d2479, 0x6a8729d3e60a01fd},
    {"plaza", 1860, 0x79dec1456373c5c1, 0x3fd0ef25e60436bf},
    {"bridge", 412, 0x19ed3579cb1f3da0, 0x74e5e60f29560912},
    {"course", 3540, 0x8ddf4b66c1c34218, 0x399511e45e8bc2c4},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static bool make(const tr_sample_def *def, tr_sample *sample) {
    tr_error error = {0};
    if (tr_sample_make(def, sample, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "sample %s: %s", def->name, error.message);
    return false;
}

static uint64_t hash_of(const tr_sample_def *def) {
    tr_sample sample;
    if (!make(def, &sample))
        return 0;
    uint64_t hash = tr_hash(TR_HASH_START, &sample.ground, sizeof sample.ground);
    hash = tr_hash(hash, &sample.start, sizeof sample.start);
    hash = tr_hash(hash, &sample.goal, sizeof sample.goal);
    for (uint32_t i = 0; i < tr_scene_mesh_count(sample.scene); i++) {
        tr_mesh_view mesh = tr_scene_mesh(sample.scene, i);
        hash = tr_hash(hash, mesh.positions, mesh.position_count * sizeof *mesh.positions);
        hash = tr_hash(hash, mesh.indices, (size_t)mesh.triangle_count * 3 * sizeof *mesh.indices);
    }
    for (uint32_t i = 0; i < tr_scene_object_count(sample.scene); i++) {
        tr_object_view object = tr_scene_object(sample.scene, i);
        hash = tr_hash(hash, &object.placement, sizeof object.placement);
        hash = tr_hash(hash, &object.tags, sizeof object.tags);
        hash = tr_hash(hash, object.name, strlen(object.name));
    }
    tr_scene_destroy(sample.scene);
    return hash;
}

TEST(crowd_scenes_have_the_same_bits_everywhere) {
    for (uint32_t i = 0; i < SCENES; i++) {
        CHECK_HASH(hash_of(&(tr_sample_def){.name = scenes[i].name}), scenes[i].hash);
        CHECK_HASH(hash_of(&(tr_sample_def){.name = scenes[i].name, .seed = 1}), scenes[i].seed_1_hash);
    }
}

static void check_count(const tr_sample_def *def, uint32_t expected) {
    tr_sample sample;
    if (!make(def, &sample))
        return;
    CHECK_INT(tr_scene_triangle_count(sample.scene), expected);
    tr_scene_destroy(sample.scene);
}

TEST(crowd_scenes_meet_any_number_of_triangles_that_is_enough) {
    for (uint32_t i = 0; i < SCENES; i++) {
        check_count(&(tr_sample_def){.name = scenes[i].name, .seed = i}, scenes[i].triangles);
        for (uint32_t more = 0; more < 40; more++) {
            uint32_t wish = scenes[i].triangles + more * more;
            check_count(&(tr_sample_def){.name = scenes[i].name, .triangles = wish}, wish);
        }
    }
}

static void check_refused(const tr_sample_def *def, const char *part) {
    tr_sample sample = {.movable_count = 77};
    tr_error error = {0};
    CHECK_INT(tr_sample_make(def, &sample, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, part);
    CHECK(sample.scene == NULL && sample.movable_count == 77);
}

TEST(sizes_out_of_range_are_refused_with_a_sentence) {
    check_refused(&(tr_sample_def){.name = "corridor", .width = 0.4f}, "0.4 m, it must be 0.5 to 20");
    check_refused(&(tr_sample_def){.name = "corridor", .length = 201}, "length");
    check_refused(&(tr_sample_def){.name = "bridge", .width = NAN}, "width");
    check_refused(&(tr_sample_def){.name = "bridge", .length = -INFINITY}, "length");
    check_refused(&(tr_sample_def){.name = "door", .length = 2}, "no length");
    check_refused(&(tr_sample_def){.name = "plaza", .width = 2}, "no width");
    check_refused(&(tr_sample_def){.name = "plaza", .people = 100001}, "1 to 100000");
    check_refused(&(tr_sample_def){.name = "office", .people = 10}, "does not depend on a number of people");
    check_refused(&(tr_sample_def){.name = "office", .width = 10}, "no width");
    check_refused(&(tr_sample_def){.name = "corridor", .triangles = 259}, "at least 260");
    check_refused(&(tr_sample_def){.name = "plaza", .people = 1000, .triangles = 5000}, "at least");
    check_refused(&(tr_sample_def){.name = "plaza", .triangles = 11}, "12 to 20000000");
}

// --- Rays ---

typedef struct soup {
    tr_vec3 (*corners)[3];
    uint32_t count;
} soup;

static soup collect(const tr_scene *scene) {
    soup all = {malloc((size_t)tr_scene_triangle_count(scene) * sizeof *all.corners), 0};
    for (uint32_t i = 0; all.corners && i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t j = 0; j < mesh.triangle_count; j++, all.count++)
            for (uint32_t k = 0; k < 3; k++)
                all.corners[all.count][k] =
                    tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * j + k]]);
    }
    return all;
}

// How far a ray gets along an axis (0 x, 1 y, 2 z) before the first triangle; INFINITY: there is none. The
// triangle is looked at along the axis, in doubles.
static double cast(const soup *all, tr_vec3 from, int axis, double sign) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double origin[3] = {(double)from.x, (double)from.y, (double)from.z};
    double nearest = INFINITY;
    for (uint32_t i = 0; i < all->count; i++) {
        double p[3][3], area[3], whole = 0, at = 0;
        for (int k = 0; k < 3; k++) {
            tr_vec3 c = all->corners[i][k];
            p[k][0] = (double)c.x, p[k][1] = (double)c.y, p[k][2] = (double)c.z;
        }
        for (int k = 0; k < 3; k++) {
            const double *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];
            area[k] = (a[u] - origin[u]) * (b[v] - origin[v]) - (b[u] - origin[u]) * (a[v] - origin[v]);
            whole += area[k];
            at += area[k] * p[k][axis];
        }
        bool inside =
            (area[0] >= 0 && area[1] >= 0 && area[2] >= 0) || (area[0] <= 0 && area[1] <= 0 && area[2] <= 0);
        double away = inside && whole != 0 ? (at / whole - origin[axis]) * sign : -1;
        if (away >= 0 && away < nearest)
            nearest = away;
    }
    return nearest;
}

// A place that has a slab of 0.1 m under it with its top at 0.
static void check_slab(const soup *all, float x, float z) {
    CHECK_NEAR(cast(all, tr_vec3_make(x, 1, z), 1, -1), 1, 1e-6);
    CHECK_NEAR(cast(all, tr_vec3_make(x, -1, z), 1, 1), 0.9, 1e-6);
}

static void check_free(const soup *all, tr_vec3 from, int axis, double below, double above) {
    CHECK_NEAR(cast(all, from, axis, -1), below, 1e-5);
    CHECK_NEAR(cast(all, from, axis, 1), above, 1e-5);
}

#define CASES 40
static float size_of(tr_random *random, uint32_t index, float own, float low, float high) {
    float drawn = tr_random_between(random, low, high);
    return index == 0 ? own : drawn;
}

TEST(a_corridor_is_as_wide_and_long_as_it_was_asked_to_be) {
    tr_random random = tr_random_seed(1);
    for (uint32_t i = 0; i < CASES; i++) {
        float width = size_of(&random, i, 3, 0.5f, 20), length = size_of(&random, i, 12, 1, 60);
        tr_sample_def def = {.name = "corridor", .width = i ? width : 0, .length = i ? length : 0, .seed = i};
        tr_sample sample;
        REQUIRE(make(&def, &sample));
        CHECK(sample.width == width && sample.length == length);
        soup all = collect(sample.scene);
        for (int j = 0; j < 5; j++) {
            float along = tr_random_between(&random, -0.49f, 0.49f) * length;
            float aside = tr_random_between(&random, -0.45f, 0.45f) * width;
            check_free(&all, tr_vec3_make(along, 1, aside), 2, (double)(width / 2 + aside),
                       (double)(width / 2 - aside));
            check_slab(&all, along, aside);
        }
        // Walls end at 2.5 m, and the far wall of each hall is 10 m from the corridor.
        CHECK_NEAR(cast(&all, tr_vec3_make(0, 9, width / 2 + 0.1f), 1, -1), 6.5, 1e-5);
        double far = (double)length / 2 + 10;
        check_free(&all, tr_vec3_make(0, 1, 0.01f), 0, far, far);
        // Beside the corridor there is neither floor nor anything else.
        CHECK(cast(&all, tr_vec3_make(0, 9, width / 2 + 0.3f), 1, -1) == INFINITY);
        check_slab(&all, sample.start.x, sample.start.z);
        check_slab(&all, sample.goal.x, sample.goal.z);
        free(all.corners);
        tr_scene_destroy(sample.scene);
    }
}

TEST(a_door_is_as_wide_as_it_was_asked_to_be_and_can_be_shut) {
    tr_random random = tr_random_seed(2);
    for (uint32_t i = 0; i < CASES; i++) {
        float width = size_of(&random, i, 1, 0.5f, 20);
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "door", .width = i ? width : 0}, &sample));
        soup all = collect(sample.scene);
        float aside = tr_random_between(&random, -0.45f, 0.45f) * width;
        check_free(&all, tr_vec3_make(0, 1, aside), 2, (double)(width / 2 + aside),
                   (double)(width / 2 - aside));
        check_free(&all, tr_vec3_make(0, 1, aside), 0, 10.1, 10.1);
        CHECK_NEAR(cast(&all, tr_vec3_make(0, 1, aside), 1, 1), 1.1, 1e-5); // the lintel
        check_slab(&all, 0, aside);
        free(all.corners);
        uint32_t leaf = tr_scene_find(sample.scene, "door");
        REQUIRE(leaf != TR_NONE);
        CHECK_INT(leaf, sample.first_movable);
        tr_affine shut = tr_scene_object(sample.scene, leaf).placement;
        shut.m[2][3] -= width;
        CHECK_INT(tr_scene_place(sample.scene, leaf, &shut), TR_OK);
        all = collect(sample.scene);
        for (int j = 0; j < 5; j++) { // nothing gets through any more
            float z = tr_random_between(&random, -0.499f, 0.499f) * width;
            CHECK(cast(&all, tr_vec3_make(-1, 1, z), 0, 1) < 1.2);
        }
        free(all.corners);
        tr_scene_destroy(sample.scene);
    }
}

TEST(a_crossing_has_four_arms_of_the_same_size) {
    tr_random random = tr_random_seed(3);
    for (uint32_t i = 0; i < CASES; i++) {
        float width = size_of(&random, i, 4, 0.5f, 20), length = size_of(&random, i, 12, 1, 60);
        tr_sample_def def = {.name = "crossing", .width = i ? width : 0, .length = i ? length : 0};
        tr_sample sample;
        REQUIRE(make(&def, &sample));
        soup all = collect(sample.scene);
        float side = width / 2, end = side + length, along = tr_random_between(&random, 0.05f, 0.95f);
        double far = (double)width / 2 + (double)length;
        check_free(&all, tr_vec3_make(0, 1, 0.01f), 0, far, far);
        check_free(&all, tr_vec3_make(0.01f, 1, 0), 2, far, far);
        for (float sign = -1; sign <= 1; sign += 2) {
            float at = sign * (side + along * length);
            check_free(&all, tr_vec3_make(at, 1, 0), 2, (double)side, (double)side);
            check_free(&all, tr_vec3_make(0, 1, at), 0, (double)side, (double)side);
            check_slab(&all, at, 0.01f);
            check_slab(&all, 0.01f, at);
            // No gap where the walls of two arms meet.
            CHECK_NEAR(cast(&all, tr_vec3_make(sign * (side + 0.1f), 9, side + 0.1f), 1, -1), 6.5, 1e-5);
        }
        CHECK(cast(&all, tr_vec3_make(end, 9, end), 1, -1) == INFINITY);
        free(all.corners);
        tr_scene_destroy(sample.scene);
    }
}

TEST(a_bridge_leads_over_a_gap_that_has_no_floor) {
    tr_random random = tr_random_seed(4);
    for (uint32_t i = 0; i < CASES; i++) {
        float width = size_of(&random, i, 3, 0.5f, 20), length = size_of(&random, i, 8, 1, 60);
        tr_sample_def def = {.name = "bridge", .width = i ? width : 0, .length = i ? length : 0, .seed = i};
        tr_sample sample;
        REQUIRE(make(&def, &sample));
        soup all = collect(sample.scene);
        float along = tr_random_between(&random, -0.49f, 0.49f) * length;
        CHECK_NEAR(cast(&all, tr_vec3_make(along, 1, 0), 1, -1), 1, 1e-6);
        CHECK_NEAR(cast(&all, tr_vec3_make(along, -1, 0), 1, 1), 0.9, 1e-6);
        CHECK_NEAR(cast(&all, tr_vec3_make(along, 2, width / 2 + 0.2f), 1, -1), 5, 1e-5); // the bed
        check_slab(&all, length / 2 + 3, 1);
        // The rails leave the whole width free, and stand right beside it.
        double left = cast(&all, tr_vec3_make(along, 0.98f, 0), 2, 1);
        CHECK(left >= (double)width / 2 && left < (double)width / 2 + 0.05);
        CHECK_TEXT(tr_scene_object(sample.scene, sample.first_movable).name, "cart");
        free(all.corners);
        tr_scene_destroy(sample.scene);
    }
}

TEST(a_plaza_has_ten_square_metres_for_everybody) {
    static const uint32_t people[] = {1, 2, 7, 40, 100, 333, 1000, 10000, 100000};
    for (uint32_t i = 0; i < sizeof people / sizeof people[0]; i++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "plaza", .people = people[i], .seed = i}, &sample));
        double side = (double)sample.ground.max.x - (double)sample.ground.min.x;
        CHECK_NEAR(side * side / people[i], 10, 1e-4);
        CHECK_INT(sample.people, people[i]);
        uint32_t trees = 0;
        for (uint32_t j = 0; j < tr_scene_object_count(sample.scene); j++)
            trees += strcmp(tr_scene_object(sample.scene, j).name, "tree") == 0;
        CHECK(people[i] < 40 || (trees > people[i] / 16 && sample.movable_count > people[i] / 16));
        tr_scene_destroy(sample.scene);
    }
}

// Cells in the largest piece of free ground, and free cells in all. The queue has a place for each cell.
static uint32_t largest_piece(const tr_bitmap *blocked, uint32_t *queue, uint8_t *marks, uint32_t *whole) {
    uint32_t largest = 0, columns = blocked->columns, rows = blocked->rows;
    *whole = 0;
    for (uint32_t seed = 0; seed < columns * rows; seed++) {
        uint32_t begin = 0, end = 0;
        if (marks[seed] || tr_bitmap_get(blocked, seed % columns, seed / columns))
            continue;
        marks[seed] = 1;
        queue[end++] = seed;
        while (begin < end) {
            static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            uint32_t cell = queue[begin++];
            for (int i = 0; i < 4; i++) {
                uint32_t column = cell % columns + (uint32_t)step[i][0];
                uint32_t row = cell / columns + (uint32_t)step[i][1];
                if (column >= columns || row >= rows || marks[row * columns + column] ||
                    tr_bitmap_get(blocked, column, row))
                    continue;
                marks[row * columns + column] = 1;
                queue[end++] = row * columns + column;
            }
        }
        *whole += end;
        largest = end > largest ? end : largest;
    }
    return largest;
}

TEST(nobody_is_shut_in_on_a_plaza) {
    static const uint32_t people[] = {1, 7, 40, 100, 333, 1000};
    tr_raster *raster;
    REQUIRE(tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, NULL) == TR_OK);
    for (uint32_t i = 0; i < sizeof people / sizeof people[0]; i++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            tr_sample sample;
            tr_occupancy *occupancy;
            tr_occupancy_def def = tr_occupancy_def_default(0);
            def.band.high = 2;
            REQUIRE(make(&(tr_sample_def){.name = "plaza", .people = people[i], .seed = seed}, &sample));
            REQUIRE(tr_grid_cover(sample.ground, 0.1f, 0, 0, &def.grid, NULL) == TR_OK);
            REQUIRE(tr_occupancy_create(&def, &occupancy, NULL) == TR_OK);
            REQUIRE(tr_occupancy_build(occupancy, raster, sample.scene, NULL) == TR_OK);
            size_t cells = (size_t)def.grid.columns * def.grid.rows;
            uint8_t *marks = calloc(cells, 1);
            uint32_t *queue = malloc(cells * sizeof *queue), whole = 0;
            REQUIRE(marks && queue);
            CHECK_INT(largest_piece(tr_occupancy_blocked(occupancy), queue, marks, &whole), whole);
            CHECK(whole > 0.75 * (double)cells);
            free(queue);
            free(marks);
            tr_occupancy_destroy(occupancy);
            tr_scene_destroy(sample.scene);
        }
    tr_raster_destroy(raster);
}

static bool attempt_all(const tr_allocator *allocator) {
    for (uint32_t i = 0; i < SCENES; i++) {
        tr_sample_def def = {.name = scenes[i].name, .allocator = allocator};
        tr_sample sample;
        tr_error error = {0};
        tr_status status = tr_sample_make(&def, &sample, &error);
        if (status != TR_OK) {
            CHECK_INT(status, TR_OUT_OF_MEMORY);
            CHECK(error.message[0] != 0);
            return false;
        }
        tr_scene_destroy(sample.scene);
    }
    return true;
}

TEST(every_allocation_may_fail_while_a_crowd_scene_is_made) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_all) > 50);
}
