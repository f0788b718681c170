// The sample scenes with storeys: their grids, their triangles, and that they are sound as buildings.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t columns, layers, rows, triangles, least;
    float cell, layer;
    uint64_t hash, seed_1_hash;
} scenes[] = {
    {"labyrinth", 72, 23, 93, 11400, 11238, 0.3f, 0.12f, 0x6c69eb58654688ad, 0xa52014cfad66042d},
    {"stairs", 53, 102, 91, 3000, 2836, 0.2f, 0.05f, 0xd943efb2cbb5ab73, 0x7c7a6d0a81d60fb5},
    {"factory", 69, 95, 69, 15000, 14782, 0.3f, 0.06f, 0xaf376f66b21bf4e0, 0xe2680a1b31d92ee1},
    {"house", 400, 108, 260, 6400, 5994, 0.05f, 0.05f, 0x78f82d646d5c6056, 0xc4456725d57d5e3e},
    {"city", 4000, 180, 4000, 300000, 268786, 0.05f, 0.1f, 0x9ffc03b4f4a7f076, 0xe340f0a9089fb72d},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static bool make(uint32_t scene, uint32_t triangles, uint64_t seed, tr_sample *sample) {
    tr_sample_def def = {.name = scenes[scene].name, .triangles = triangles, .seed = seed};
    tr_error error = {0};
    if (tr_sample_make(&def, sample, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "sample %s of %u triangles: %s", def.name, triangles, error.message);
    return false;
}

static uint64_t hash_scene(const tr_sample *sample) {
    const tr_scene *scene = sample->scene;
    uint64_t hash = tr_hash(TR_HASH_START, &sample->ground, sizeof sample->ground);
    hash = tr_hash(hash, &sample->start, sizeof sample->start);
    hash = tr_hash(hash, &sample->goal, sizeof sample->goal);
    for (uint32_t i = 0; i < tr_scene_mesh_count(scene); i++) {
        tr_mesh_view mesh = tr_scene_mesh(scene, i);
        hash = tr_hash(hash, mesh.positions, mesh.position_count * sizeof *mesh.positions);
        hash = tr_hash(hash, mesh.indices, (size_t)mesh.triangle_count * 3 * sizeof *mesh.indices);
    }
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        hash = tr_hash(hash, &object.mesh, sizeof object.mesh);
        hash = tr_hash(hash, &object.placement, sizeof object.placement);
        hash = tr_hash(hash, &object.tags, sizeof object.tags);
        hash = tr_hash(hash, object.name, strlen(object.name));
    }
    return hash;
}

TEST(scenes_with_storeys_have_the_grids_they_are_known_by) {
    for (uint32_t i = 0; i < SCENES; i++) {
        tr_sample sample;
        REQUIRE(make(i, 0, 0, &sample));
        CHECK_INT(sample.columns, scenes[i].columns);
        CHECK_INT(sample.layers, scenes[i].layers);
        CHECK_INT(sample.rows, scenes[i].rows);
        CHECK(sample.cell == scenes[i].cell && sample.layer == scenes[i].layer);
        tr_vec3 size = tr_vec3_subtract(sample.ground.max, sample.ground.min);
        CHECK_NEAR((double)size.x, (double)sample.cell * sample.columns, 1e-4);
        CHECK_NEAR((double)size.y, (double)sample.layer * sample.layers, 1e-4);
        CHECK_NEAR((double)size.z, (double)sample.cell * sample.rows, 1e-4);
        CHECK_INT(tr_scene_triangle_count(sample.scene), scenes[i].triangles);
        tr_scene_destroy(sample.scene);
    }
}

TEST(scenes_on_level_ground_have_no_grid_of_layers) {
    tr_sample sample;
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "room"}, &sample, NULL) == TR_OK);
    CHECK(sample.columns == 0 && sample.layers == 0 && sample.rows == 0);
    CHECK(sample.cell == 0 && sample.layer == 0);
    tr_scene_destroy(sample.scene);
}

TEST(scenes_with_storeys_meet_any_number_of_triangles_exactly) {
    static const uint32_t more[] = {0, 1, 2, 3, 17, 100, 101, 4999, 54321};
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint32_t j = 0; j < sizeof more / sizeof more[0]; j++) {
            tr_sample sample;
            uint32_t wish = scenes[i].least + more[j];
            REQUIRE(make(i, wish, j, &sample));
            CHECK_INT(tr_scene_triangle_count(sample.scene), wish);
            tr_scene_destroy(sample.scene);
        }
}

TEST(fewer_triangles_than_the_building_needs_are_refused) {
    for (uint32_t i = 0; i < SCENES; i++) {
        tr_sample sample;
        tr_error error;
        tr_sample_def def = {.name = scenes[i].name, .triangles = scenes[i].least - 1};
        CHECK_INT(tr_sample_make(&def, &sample, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "can have");
    }
}

static void check_inside(const tr_sample *sample, const char *name) {
    const float slack = 1e-4f;
    tr_box grid = sample->ground;
    for (uint32_t i = 0; i < tr_scene_object_count(sample->scene); i++) {
        tr_object_view object = tr_scene_object(sample->scene, i);
        tr_box box = object.bounds;
        if (box.min.x < grid.min.x - slack || box.min.y < grid.min.y - slack ||
            box.min.z < grid.min.z - slack || box.max.x > grid.max.x + slack ||
            box.max.y > grid.max.y + slack || box.max.z > grid.max.z + slack)
            test_failed(__FILE__, __LINE__, "%s: \"%s\" leaves the grid: %g %g %g to %g %g %g", name,
                        object.name, (double)box.min.x, (double)box.min.y, (double)box.min.z,
                        (double)box.max.x, (double)box.max.y, (double)box.max.z);
    }
}

TEST(everything_lies_inside_the_grid_before_and_after_a_shuffle) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            tr_sample sample;
            REQUIRE(make(i, 0, seed, &sample));
            check_inside(&sample, scenes[i].name);
            CHECK(sample.movable_count > 0);
            CHECK_INT(tr_sample_shuffle(&sample, seed), TR_OK);
            check_inside(&sample, scenes[i].name);
            tr_scene_destroy(sample.scene);
        }
}

TEST(buildings_have_the_same_bits_everywhere) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            tr_sample sample;
            REQUIRE(make(i, 0, seed, &sample));
            CHECK_HASH(hash_scene(&sample), seed ? scenes[i].seed_1_hash : scenes[i].hash);
            tr_scene_destroy(sample.scene);
        }
}

// A corner of a body, for finding the edges and the parts of a mesh.
typedef struct body_edge {
    tr_vec3 from, to;
} body_edge;

static int compare_points(const tr_vec3 *a, const tr_vec3 *b) {
    return a->x != b->x   ? (a->x < b->x ? -1 : 1)
           : a->y != b->y ? (a->y < b->y ? -1 : 1)
           : a->z != b->z ? (a->z < b->z ? -1 : 1)
                          : 0;
}

// Edges that run opposite ways are neighbours in this order.
static int compare_edges(const void *left, const void *right) {
    const body_edge *a = left, *b = right;
    bool a_turned = compare_points(&a->from, &a->to) > 0, b_turned = compare_points(&b->from, &b->to) > 0;
    int first = compare_points(a_turned ? &a->to : &a->from, b_turned ? &b->to : &b->from);
    return first ? first : compare_points(a_turned ? &a->from : &a->to, b_turned ? &b->from : &b->to);
}

static int compare_from(const void *left, const void *right) {
    const body_edge *a = left, *b = right;
    return compare_points(&a->from, &b->from);
}

// In closed bodies as many faces run along an edge one way as the other.
static bool is_closed(const tr_mesh_view *mesh) {
    uint32_t count = 3 * mesh->triangle_count;
    body_edge *edges = malloc(((size_t)count + 1) * sizeof *edges);
    if (!edges)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        edges[i].from = mesh->positions[mesh->indices[i]];
        edges[i].to = mesh->positions[mesh->indices[i - i % 3 + (i + 1) % 3]];
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    bool closed = true;
    for (uint32_t i = 0, end; i < count; i = end) {
        int balance = 0;
        for (end = i; end < count && compare_edges(&edges[i], &edges[end]) == 0; end++)
            balance += compare_points(&edges[end].from, &edges[end].to) < 0 ? 1 : -1;
        closed &= balance == 0;
    }
    free(edges);
    return closed;
}

static double volume_under(const tr_mesh_view *mesh, uint32_t triangle) {
    const uint32_t *corner = mesh->indices + 3 * (size_t)triangle;
    double p[3][3];
    for (int k = 0; k < 3; k++) { // far from the origin floats would not tell thin bars from nothing
        tr_vec3 at = mesh->positions[corner[k]];
        p[k][0] = (double)at.x, p[k][1] = (double)at.y, p[k][2] = (double)at.z;
    }
    return (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
            p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
            p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
           6;
}

static uint32_t part_of(uint32_t *parents, uint32_t i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

// The volume of the part of the mesh that has the least: negative where one looks inwards. Parts are joined
// where corners are equal.
static double least_volume(const tr_mesh_view *mesh) {
    uint32_t count = mesh->position_count;
    body_edge *sorted = malloc(((size_t)count + 1) * sizeof *sorted); // a point, and its number
    uint32_t *parents = malloc(((size_t)count + 1) * sizeof *parents);
    double *volumes = calloc((size_t)count + 1, sizeof *volumes), least = INFINITY;
    if (sorted && parents && volumes) {
        for (uint32_t i = 0; i < count; i++) {
            parents[i] = i;
            sorted[i].from = mesh->positions[i];
            sorted[i].to = tr_vec3_make((float)i, 0, 0); // exact below 2^24
        }
        qsort(sorted, count, sizeof *sorted, compare_from);
        for (uint32_t i = 1; i < count; i++)
            if (compare_points(&sorted[i].from, &sorted[i - 1].from) == 0)
                parents[part_of(parents, (uint32_t)sorted[i].to.x)] =
                    part_of(parents, (uint32_t)sorted[i - 1].to.x);
        for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
            parents[part_of(parents, mesh->indices[i])] = part_of(parents, mesh->indices[i - i % 3]);
        for (uint32_t i = 0; i < mesh->triangle_count; i++)
            volumes[part_of(parents, mesh->indices[3 * (size_t)i])] += volume_under(mesh, i);
        for (uint32_t i = 0; i < count; i++)
            if (part_of(parents, i) == i && volumes[i] < least)
                least = volumes[i];
    }
    free(sorted);
    free(parents);
    free(volumes);
    return least;
}

static void check_bodies(const tr_sample *sample, const char *name) {
    for (uint32_t j = 0; j < tr_scene_mesh_count(sample->scene); j++) {
        tr_mesh_view mesh = tr_scene_mesh(sample->scene, j);
        bool is_sheet = sample->columns && strcmp(mesh.name, "floor") == 0;
        if (is_sheet || strcmp(mesh.name, "base") == 0 || strcmp(mesh.name, "plant") == 0)
            continue;
        if (!is_closed(&mesh))
            test_failed(__FILE__, __LINE__, "%s: \"%s\" is not closed", name, mesh.name);
        if (!(least_volume(&mesh) > 0))
            test_failed(__FILE__, __LINE__, "%s: some of \"%s\" looks inwards", name, mesh.name);
    }
}

TEST(all_bodies_are_closed_and_look_outwards) {
    for (uint32_t i = 0; i < SCENES; i++) {
        tr_sample sample;
        REQUIRE(make(i, 0, 0, &sample));
        check_bodies(&sample, scenes[i].name);
        tr_scene_destroy(sample.scene);
    }
    // In scenes for crowds the floor, too: it is a slab.
    static const char *const crowded[] = {"corridor", "door", "crossing", "plaza", "bridge", "course"};
    for (uint32_t i = 0; i < sizeof crowded / sizeof *crowded; i++) {
        tr_sample sample;
        REQUIRE(tr_sample_make(&(tr_sample_def){.name = crowded[i]}, &sample, NULL) == TR_OK);
        check_bodies(&sample, crowded[i]);
        tr_scene_destroy(sample.scene);
    }
}

typedef struct test_triangles {
    tr_vec3 (*corners)[3];
    uint32_t count;
} test_triangles;

static test_triangles collect(const tr_scene *scene) {
    test_triangles all = {malloc((size_t)tr_scene_triangle_count(scene) * sizeof *all.corners), 0};
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

// Does the upright line through a point meet the triangle, and where?
static bool meets_upright(const tr_vec3 *corner, tr_vec3 point, double *height) {
    double area[3], all = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        tr_vec3 a = corner[(k + 1) % 3], b = corner[(k + 2) % 3];
        area[k] = ((double)a.x - (double)point.x) * ((double)b.z - (double)point.z) -
                  ((double)b.x - (double)point.x) * ((double)a.z - (double)point.z);
        all += area[k];
        sum += area[k] * (double)corner[k].y;
    }
    bool inside =
        (area[0] >= 0 && area[1] >= 0 && area[2] >= 0) || (area[0] <= 0 && area[1] <= 0 && area[2] <= 0);
    *height = inside && all != 0 ? sum / all : 0;
    return inside && all != 0;
}

static void check_place(const test_triangles *all, tr_vec3 place, const char *name) {
    const float around = 0.3f;
    bool has_floor = false;
    uint32_t in_the_way = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const tr_vec3 *corner = all->corners[i];
        double height;
        has_floor |= meets_upright(corner, place, &height) && fabs(height - (double)place.y) < 1e-3;
        tr_box box = {corner[0], corner[0]};
        for (int k = 1; k < 3; k++) {
            box.min = tr_vec3_make(fminf(box.min.x, corner[k].x), fminf(box.min.y, corner[k].y),
                                   fminf(box.min.z, corner[k].z));
            box.max = tr_vec3_make(fmaxf(box.max.x, corner[k].x), fmaxf(box.max.y, corner[k].y),
                                   fmaxf(box.max.z, corner[k].z));
        }
        in_the_way += box.min.x < place.x + around && box.max.x > place.x - around &&
                      box.min.z < place.z + around && box.max.z > place.z - around &&
                      box.min.y < place.y + 2.1f && box.max.y > place.y + 0.02f;
    }
    if (!has_floor || in_the_way)
        test_failed(__FILE__, __LINE__, "%s: at %g %g %g there is %s floor and %u triangles in the way", name,
                    (double)place.x, (double)place.y, (double)place.z, has_floor ? "a" : "no", in_the_way);
}

TEST(start_and_goal_stand_on_a_floor_with_room_around_them) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            tr_sample sample;
            REQUIRE(make(i, 0, seed, &sample));
            test_triangles all = collect(sample.scene);
            REQUIRE(all.corners);
            check_place(&all, sample.start, scenes[i].name);
            check_place(&all, sample.goal, scenes[i].name);
            free(all.corners);
            tr_scene_destroy(sample.scene);
        }
}

static bool attempt(uint32_t scene, const tr_allocator *allocator) {
    tr_sample_def def = {
        .name = scenes[scene].name, .triangles = scenes[scene].least, .allocator = allocator};
    tr_sample sample;
    tr_error error = {0};
    tr_status status = tr_sample_make(&def, &sample, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(error.message[0] != 0);
        return false;
    }
    tr_scene_destroy(sample.scene);
    return true;
}

static bool attempt_labyrinth(const tr_allocator *allocator) {
    return attempt(0, allocator);
}
static bool attempt_stairs(const tr_allocator *allocator) {
    return attempt(1, allocator);
}
static bool attempt_factory(const tr_allocator *allocator) {
    return attempt(2, allocator);
}
static bool attempt_house(const tr_allocator *allocator) {
    return attempt(3, allocator);
}

TEST(every_allocation_may_fail_while_a_building_is_made) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_labyrinth) > 20);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_stairs) > 20);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_factory) > 20);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_house) > 20);
}

// A city asks for memory a few thousand times: some of them, closer together at the beginning.
TEST(allocations_may_fail_while_a_city_is_made) {
    bool made = false;
    for (uint64_t fail_at = 1; !made; fail_at += 1 + fail_at / 8) {
        test_memory memory = {.fail_at = fail_at};
        tr_allocator allocator = test_memory_allocator(&memory);
        made = attempt(4, &allocator);
        CHECK_INT(memory.live_bytes, 0);
    }
}
