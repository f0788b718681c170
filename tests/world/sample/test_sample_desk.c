#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/distance.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make(uint32_t triangles, uint64_t seed, tr_sample *sample) {
    tr_sample_def def = {.name = "desk", .triangles = triangles, .seed = seed};
    tr_error error = {0};
    if (tr_sample_make(&def, sample, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "a desk of %u triangles: %s", triangles, error.message);
    return false;
}

static uint64_t hash_mesh(uint64_t hash, const tr_scene *scene, uint32_t object) {
    tr_object_view view = tr_scene_object(scene, object);
    tr_mesh_view mesh = tr_scene_mesh(scene, view.mesh);
    hash = tr_hash(hash, &view.placement, sizeof view.placement);
    hash = tr_hash(hash, mesh.positions, mesh.position_count * sizeof *mesh.positions);
    return tr_hash(hash, mesh.indices, (size_t)mesh.triangle_count * 3 * sizeof *mesh.indices);
}

static uint64_t hash_desk(uint32_t triangles, uint64_t seed) {
    tr_sample sample;
    uint64_t hash = TR_HASH_START;
    if (!make(triangles, seed, &sample))
        return 0;
    for (uint32_t i = 0; i < tr_scene_object_count(sample.scene); i++)
        hash = hash_mesh(hash, sample.scene, i);
    tr_scene_destroy(sample.scene);
    return hash;
}

TEST(a_desk_has_the_same_bits_everywhere) {
    CHECK_HASH(hash_desk(0, 0), 0xf3320e86f6b154cd);
    CHECK_HASH(hash_desk(0, 1), 0x378a0d1f67749fbe);
    CHECK_HASH(hash_desk(7634, 0), 0x1dd563ae13d5c930);
    CHECK_HASH(hash_desk(90001, 5), 0xfd9b4e207632edbd);
}

TEST(a_desk_has_more_than_30000_triangles_or_as_many_as_one_likes) {
    static const uint32_t wishes[] = {7634, 7635, 18000, 30000, 34001, 100000, 333333};
    tr_sample sample;
    REQUIRE(make(0, 0, &sample));
    CHECK_INT(tr_scene_triangle_count(sample.scene), 34000);
    tr_mesh_view floor =
        tr_scene_mesh(sample.scene, tr_scene_object(sample.scene, tr_scene_find(sample.scene, "floor")).mesh);
    CHECK(34000 - floor.triangle_count > 30000); // things, not tiles
    tr_scene_destroy(sample.scene);
    for (uint32_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        REQUIRE(make(wishes[i], i, &sample));
        CHECK_INT(tr_scene_triangle_count(sample.scene), wishes[i]);
        tr_scene_destroy(sample.scene);
    }
    tr_sample_def too_few = {.name = "desk", .triangles = 7633};
    tr_error error = {0};
    CHECK_INT(tr_sample_make(&too_few, &sample, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "7634 to 4000000");
}

TEST(everything_on_the_desk_has_its_name) {
    static const char *const names[] = {"desk",    "monitor", "keyboard", "mouse",   "mouse mat",
                                        "thermos", "teacup",  "saucer",   "pen cup", "lamp",
                                        "books",   "plant",   "cable",    "notepad", "computer",
                                        "chair",   "basket",  "wall",     "floor",   "picture"};
    tr_sample sample;
    REQUIRE(make(0, 0, &sample));
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (tr_scene_find(sample.scene, names[i]) == TR_NONE)
            test_failed(__FILE__, __LINE__, "there is no \"%s\"", names[i]);
    CHECK_INT(tr_scene_object_count(sample.scene), sizeof names / sizeof names[0]);
    tr_scene_destroy(sample.scene);
}

static int compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static uint64_t edge_key(const tr_mesh_view *mesh, uint32_t i, bool turned) {
    uint32_t from = mesh->indices[i], to = mesh->indices[i - i % 3 + (i + 1) % 3];
    return turned ? (uint64_t)to << 32 | from : (uint64_t)from << 32 | to;
}

// Each edge is run along once one way and once the other.
static bool is_closed(const tr_mesh_view *mesh) {
    uint32_t count = 3 * mesh->triangle_count;
    uint64_t *one = malloc(count * sizeof *one), *other = malloc(count * sizeof *other);
    bool closed = one && other;
    for (uint32_t i = 0; closed && i < count; i++) {
        one[i] = edge_key(mesh, i, false);
        other[i] = edge_key(mesh, i, true);
    }
    if (closed) {
        qsort(one, count, sizeof *one, compare_keys);
        qsort(other, count, sizeof *other, compare_keys);
        closed = memcmp(one, other, count * sizeof *one) == 0;
        for (uint32_t i = 1; i < count; i++)
            closed = closed && one[i] != one[i - 1];
    }
    free(one);
    free(other);
    return closed;
}

static uint32_t part_of(uint32_t *parents, uint32_t i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static double volume_under(const tr_mesh_view *mesh, uint32_t triangle, tr_vec3 middle) {
    double p[3][3];
    for (int k = 0; k < 3; k++) {
        tr_vec3 at = mesh->positions[mesh->indices[3 * triangle + (uint32_t)k]];
        p[k][0] = (double)at.x - (double)middle.x;
        p[k][1] = (double)at.y - (double)middle.y;
        p[k][2] = (double)at.z - (double)middle.z;
    }
    return p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
           p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
           p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
}

// How many parts of the mesh do not enclose a volume that they look out of.
static uint32_t parts_inside_out(const tr_mesh_view *mesh) {
    uint32_t count = mesh->position_count, bad = 0;
    uint32_t *parents = malloc(count * sizeof *parents);
    double *volumes = calloc(count, sizeof *volumes);
    if (!parents || !volumes) {
        free(parents);
        free(volumes);
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        parents[part_of(parents, mesh->indices[i])] = part_of(parents, mesh->indices[i - i % 3]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t part = part_of(parents, mesh->indices[3 * i]);
        volumes[part] += volume_under(mesh, i, mesh->positions[part]);
    }
    for (uint32_t i = 0; i < count; i++)
        bad += part_of(parents, i) == i && !(volumes[i] > 0);
    free(parents);
    free(volumes);
    return bad;
}

TEST(the_things_on_the_desk_are_closed_and_look_outwards_however_fine_they_are) {
    static const uint32_t wishes[] = {7634, 0, 120000};
    for (uint32_t wish = 0; wish < 3; wish++) {
        tr_sample sample;
        REQUIRE(make(wishes[wish], wish, &sample));
        for (uint32_t i = 0; i < tr_scene_mesh_count(sample.scene); i++) {
            tr_mesh_view mesh = tr_scene_mesh(sample.scene, i);
            if (strcmp(mesh.name, "floor") == 0)
                continue; // a sheet
            if (!is_closed(&mesh))
                test_failed(__FILE__, __LINE__, "\"%s\" is not closed", mesh.name);
            CHECK_INT(parts_inside_out(&mesh), 0);
        }
        tr_scene_destroy(sample.scene);
    }
}

// From a point to the nearest triangle of an object [m].
static float away_from(const tr_scene *scene, uint32_t object, tr_vec3 point) {
    tr_object_view view = tr_scene_object(scene, object);
    tr_mesh_view mesh = tr_scene_mesh(scene, view.mesh);
    float least = INFINITY;
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        tr_vec3 corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = tr_affine_apply(&view.placement, mesh.positions[mesh.indices[3 * i + (uint32_t)k]]);
        float squared = tr_distance_point_triangle(point, corners, NULL);
        least = squared < least ? squared : least;
    }
    return sqrtf(least);
}

static float away_from_all(const tr_scene *scene, tr_vec3 point) {
    float least = INFINITY;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        float away = away_from(scene, i, point);
        least = away < least ? away : least;
    }
    return least;
}

TEST(places_on_the_desk_are_where_the_things_are_whatever_the_seed) {
    tr_sample_desk places = tr_sample_desk_places();
    uint64_t vessels = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        tr_sample sample;
        REQUIRE(make(0, seed, &sample));
        uint32_t thermos = tr_scene_find(sample.scene, "thermos");
        uint32_t teacup = tr_scene_find(sample.scene, "teacup");
        CHECK(away_from(sample.scene, thermos, places.thermos) < 0.045f); // on its axis
        CHECK(away_from(sample.scene, teacup, places.teacup) < 0.045f);
        CHECK(away_from(sample.scene, tr_scene_find(sample.scene, "desk"),
                        tr_vec3_make(0.3f, places.desktop, 0.7f)) < 0.001f);
        // A wrist fits at each of them.
        CHECK(away_from_all(sample.scene, places.start) > 0.05f);
        CHECK(away_from_all(sample.scene, places.thermos_wrist) > 0.05f);
        CHECK(away_from_all(sample.scene, places.teacup_wrist) > 0.05f);
        uint64_t hash = hash_mesh(hash_mesh(TR_HASH_START, sample.scene, thermos), sample.scene, teacup);
        CHECK(seed == 0 || hash == vessels);
        vessels = hash;
        // And the person has room to stand.
        CHECK(away_from_all(sample.scene, tr_vec3_make(0, places.desktop, 0)) > 0.3f);
        tr_scene_destroy(sample.scene);
    }
}

static bool attempt(const tr_allocator *allocator) {
    tr_sample_def def = {.name = "desk", .triangles = 7634, .allocator = allocator};
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

TEST(every_allocation_may_fail_while_a_desk_is_made) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 40);
}
