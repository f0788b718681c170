#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <stdlib.h>
#include <string.h>

static bool make(const char *name, uint32_t triangles, uint64_t seed, tr_sample *sample) {
    tr_sample_def def = {.name = name, .triangles = triangles, .seed = seed};
    tr_error error = {0};
    if (tr_sample_make(&def, sample, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "sample %s of %u triangles: %s", name, triangles, error.message);
    return false;
}

static uint64_t hash_scene(const tr_scene *scene) {
    uint64_t hash = TR_HASH_START;
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

static uint64_t hash_of(const char *name, uint32_t triangles, uint64_t seed) {
    tr_sample sample;
    if (!make(name, triangles, seed, &sample))
        return 0;
    uint64_t hash = hash_scene(sample.scene);
    tr_scene_destroy(sample.scene);
    return hash;
}

static void check_count(const char *name, uint32_t wish, uint64_t seed, uint32_t expected) {
    tr_sample sample;
    if (!make(name, wish, seed, &sample))
        return;
    CHECK_INT(tr_scene_triangle_count(sample.scene), expected);
    tr_scene_destroy(sample.scene);
}

TEST(the_scenes_of_the_paper_have_its_numbers_of_triangles) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        check_count("maze", 0, seed, 2780);
        check_count("office", 0, seed, 15320);
    }
}

TEST(fixed_scenes_have_their_number_by_default_and_when_asked_for_it) {
    check_count("edges", 0, 0, 200);
    check_count("edges", 200, 3, 200);
    check_count("terrace", 0, 0, 672);
    check_count("terrace", 672, 0, 672);
    check_count("room", 0, 0, 470);
    check_count("room", 470, 9, 470);
}

TEST(any_number_of_triangles_within_the_range_is_met_exactly) {
    static const uint32_t wishes[] = {8700,  8701,  9999,  14499,  14500, 15321,
                                      30000, 61279, 61280, 100001, 250000};
    for (uint32_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        check_count("maze", wishes[i], i, wishes[i]);
        check_count("office", wishes[i], i, wishes[i]);
        check_count("field", wishes[i], i, wishes[i]);
    }
    for (uint32_t wish = 600; wish < 700; wish++)
        check_count("maze", wish, wish, wish);
    for (uint32_t wish = 100; wish < 200; wish++)
        check_count("field", wish, wish, wish);
}

TEST(a_field_of_a_million_triangles_can_be_made) {
    check_count("field", 1000000, 1, 1000000);
}

// What the scene of edges puts beyond the ground on purpose has a name that says so.
static bool is_far(const char *name) {
    return strncmp(name, "far ", 4) == 0;
}

static void check_objects(const tr_sample *sample, const char *name) {
    const float slack = 1e-4f;
    tr_box ground = sample->ground;
    for (uint32_t i = 0; i < tr_scene_object_count(sample->scene); i++) {
        tr_object_view object = tr_scene_object(sample->scene, i);
        CHECK(!object.removed && tr_affine_is_finite(&object.placement));
        tr_mesh_view mesh = tr_scene_mesh(sample->scene, object.mesh);
        for (uint32_t j = 0; j < mesh.position_count; j++)
            CHECK(tr_vec3_is_finite(mesh.positions[j]));
        for (uint32_t j = 0; j < 3 * mesh.triangle_count; j++)
            CHECK(mesh.indices[j] < mesh.position_count);
        tr_box box = object.bounds;
        bool inside =
            tr_box_is_empty(box) || (box.min.x >= ground.min.x - slack && box.max.x <= ground.max.x + slack &&
                                     box.min.z >= ground.min.z - slack && box.max.z <= ground.max.z + slack);
        if (!inside && !is_far(object.name))
            test_failed(__FILE__, __LINE__,
                        "%s: object %u \"%s\" reaches beyond the ground: x %g to %g, z %g to %g", name, i,
                        object.name, (double)box.min.x, (double)box.max.x, (double)box.min.z,
                        (double)box.max.z);
    }
}

TEST(all_objects_are_finite_and_inside_the_ground) {
    for (uint32_t i = 0; i < tr_sample_count(); i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            tr_sample sample;
            REQUIRE(make(tr_sample_name(i), 0, seed, &sample));
            check_objects(&sample, tr_sample_name(i));
            CHECK(sample.movable_count > 0);
            CHECK(sample.first_movable + sample.movable_count <= tr_scene_object_count(sample.scene));
            CHECK(tr_scene_find(sample.scene, "floor") != TR_NONE);
            tr_scene_destroy(sample.scene);
        }
    tr_sample wings;
    REQUIRE(make("office", 100000, 2, &wings));
    check_objects(&wings, "office of several wings");
    tr_scene_destroy(wings.scene);
}

TEST(the_same_definition_gives_the_same_bits_everywhere) {
    static const struct {
        const char *name;
        uint32_t triangles;
        uint64_t seed, hash;
    } golden[] = {
        {"maze", 0, 0, 0x2482f1b2c24abee7},     {"maze", 0, 1, 0xcb8cd70bd999059e},
        {"maze", 20001, 5, 0x675d8827e7cac681}, {"office", 0, 0, 0x1b93d9be79c7b701},
        {"office", 0, 1, 0x7ed6205cfc80b9f2},   {"office", 100000, 3, 0xee7c2576d019d503},
        {"field", 0, 0, 0x6615995cabe378c8},    {"field", 30000, 2, 0xa6cd3cb6211e97e3},
        {"edges", 0, 0, 0x61f9ca45e11a513e},    {"terrace", 0, 0, 0x3d84974f7b1ea2e3},
        {"room", 0, 0, 0x177fcda313f79107},     {"room", 0, 1, 0xdb6d7ccba36aadef},
    };
    for (uint32_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        CHECK_HASH(hash_of(golden[i].name, golden[i].triangles, golden[i].seed), golden[i].hash);
        CHECK_HASH(hash_of(golden[i].name, golden[i].triangles, golden[i].seed), golden[i].hash);
    }
}

TEST(another_seed_gives_another_scene) {
    static const char *const names[] = {"maze", "office", "field", "room"};
    for (uint32_t i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed < 5; seed++)
            CHECK(hash_of(names[i], 0, seed) != hash_of(names[i], 0, seed - 1));
}

typedef struct test_map {
    tr_raster *raster;
    tr_occupancy *occupancy;
} test_map;

static bool build_map(const tr_sample *sample, uint32_t cells, test_map *made) {
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT};
    tr_occupancy_def def = tr_occupancy_def_default(sample->ground.min.y);
    *made = (test_map){NULL, NULL};
    tr_error error = {0};
    if (tr_grid_divide(sample->ground, cells, &def.grid, &error) == TR_OK &&
        tr_raster_create(&raster_def, &made->raster, &error) == TR_OK &&
        tr_occupancy_create(&def, &made->occupancy, &error) == TR_OK &&
        tr_occupancy_build(made->occupancy, made->raster, sample->scene, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "no map: %s", error.message);
    return false;
}

static void destroy_map(test_map *map) {
    tr_occupancy_destroy(map->occupancy);
    tr_raster_destroy(map->raster);
}

// The free cell nearest to a point, which may lie too near to a box itself; TR_NONE when there is none.
static uint32_t nearest_free_cell(const tr_occupancy *occupancy, tr_vec2 point) {
    const tr_grid *grid = tr_occupancy_grid(occupancy);
    uint32_t nearest = TR_NONE;
    float least = INFINITY;
    for (uint32_t cell = 0; cell < grid->columns * grid->rows; cell++) {
        tr_vec2 centre = tr_grid_centre(grid, cell % grid->columns, cell / grid->columns);
        float away =
            (centre.x - point.x) * (centre.x - point.x) + (centre.z - point.z) * (centre.z - point.z);
        if (away < least && tr_occupancy_is_free(occupancy, centre)) {
            least = away;
            nearest = cell;
        }
    }
    return nearest;
}

// Marks what can be reached over the sides of free cells from near `start`. The caller frees the marks.
static uint8_t *flood(const tr_occupancy *occupancy, tr_vec2 start) {
    const tr_grid *grid = tr_occupancy_grid(occupancy);
    const tr_bitmap *blocked = tr_occupancy_blocked(occupancy);
    uint8_t *marks = calloc((size_t)grid->columns * grid->rows, 1);
    uint32_t *queue = malloc((size_t)grid->columns * grid->rows * sizeof *queue), begin = 0, end = 0;
    uint32_t first = nearest_free_cell(occupancy, start);
    if (marks && queue && first != TR_NONE) {
        marks[first] = 1;
        queue[end++] = first;
    }
    while (begin < end) {
        static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        uint32_t cell = queue[begin++];
        for (int i = 0; i < 4; i++) {
            uint32_t next_column = cell % grid->columns + (uint32_t)step[i][0];
            uint32_t next_row = cell / grid->columns + (uint32_t)step[i][1];
            if (next_column >= grid->columns || next_row >= grid->rows ||
                tr_bitmap_get(blocked, next_column, next_row))
                continue;
            uint32_t next = next_row * grid->columns + next_column;
            if (!marks[next]) {
                marks[next] = 1;
                queue[end++] = next;
            }
        }
    }
    free(queue);
    return marks;
}

// Can some cell within `around` metres of the point be reached?
static bool is_reached(const tr_grid *grid, const uint8_t *marks, tr_vec2 point, float around) {
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_vec2 centre = tr_grid_centre(grid, column, row);
            if (marks[row * grid->columns + column] && fabsf(centre.x - point.x) <= around &&
                fabsf(centre.z - point.z) <= around)
                return true;
        }
    return false;
}

TEST(every_corner_of_the_maze_can_be_reached_at_the_papers_resolutions) {
    static const uint32_t cells[] = {50, 100, 150};
    const float pitch = 2.177f;
    for (uint64_t seed = 0; seed < 12; seed++)
        for (uint32_t i = 0; i < 3; i++) {
            tr_sample sample;
            test_map map;
            REQUIRE(make("maze", 0, seed, &sample));
            REQUIRE(build_map(&sample, cells[i], &map));
            uint8_t *marks = flood(map.occupancy, (tr_vec2){-4 * pitch, -4 * pitch});
            for (int row = -4; row <= 4; row++)
                for (int column = -4; column <= 4; column++)
                    if (!is_reached(tr_occupancy_grid(map.occupancy), marks,
                                    (tr_vec2){(float)column * pitch, (float)row * pitch}, 0.8f))
                        test_failed(__FILE__, __LINE__, "seed %u, %u cells: no way to column %d, row %d",
                                    (unsigned)seed, cells[i], column, row);
            free(marks);
            destroy_map(&map);
            tr_scene_destroy(sample.scene);
        }
}

TEST(every_room_of_the_office_can_be_reached_at_the_papers_resolutions) {
    static const uint32_t cells[] = {45, 90, 135};
    static const tr_vec2 places[] = {{-7.7f, -6},   {-3.6f, -6},   {3.6f, -6}, {7.7f, -6}, {0, -7},
                                     {0, 7},        {-8.2f, 5.3f}, {3, 6},     {7, 6},     {0, -3.2f},
                                     {-2.5f, 5.3f}, {0, 3},        {8, 3},     {-8, 3}};
    for (uint64_t seed = 0; seed < 8; seed++)
        for (uint32_t i = 0; i < 3; i++) {
            tr_sample sample;
            test_map map;
            REQUIRE(make("office", 0, seed, &sample));
            REQUIRE(build_map(&sample, cells[i], &map));
            uint8_t *marks = flood(map.occupancy, (tr_vec2){0, -3.2f});
            for (uint32_t j = 0; j < sizeof places / sizeof places[0]; j++)
                if (!is_reached(tr_occupancy_grid(map.occupancy), marks, places[j], 0.45f))
                    test_failed(__FILE__, __LINE__, "seed %u, %u cells: no way to %g, %g", (unsigned)seed,
                                cells[i], (double)places[j].x, (double)places[j].z);
            free(marks);
            destroy_map(&map);
            tr_scene_destroy(sample.scene);
        }
}

TEST(the_wings_of_a_large_office_are_joined) {
    tr_sample sample;
    test_map map;
    REQUIRE(make("office", 4 * 15320, 0, &sample));
    REQUIRE(build_map(&sample, 180, &map));
    uint8_t *marks = flood(map.occupancy, (tr_vec2){-10, -13.2f});
    for (int i = 0; i < 4; i++)
        CHECK(is_reached(tr_occupancy_grid(map.occupancy), marks,
                         (tr_vec2){i & 1 ? 10 : -10, i & 2 ? 13 : -7}, 0.6f));
    free(marks);
    destroy_map(&map);
    tr_scene_destroy(sample.scene);
}

TEST(one_can_walk_round_the_table_and_out_of_the_door_of_the_room) {
    tr_sample sample;
    test_map map;
    REQUIRE(make("room", 0, 0, &sample));
    REQUIRE(build_map(&sample, 60, &map));
    uint8_t *marks = flood(map.occupancy, (tr_vec2){-2.2f, 0});
    CHECK(is_reached(tr_occupancy_grid(map.occupancy), marks, (tr_vec2){1.5f, -1}, 0.3f));
    CHECK(is_reached(tr_occupancy_grid(map.occupancy), marks, (tr_vec2){1.75f, 2.4f}, 0.3f));
    free(marks);
    destroy_map(&map);
    tr_scene_destroy(sample.scene);
}

TEST(chairs_share_one_mesh_and_can_be_moved) {
    tr_sample sample;
    REQUIRE(make("office", 0, 0, &sample));
    CHECK_INT(sample.movable_count, 25);
    uint32_t mesh = tr_scene_object(sample.scene, sample.first_movable).mesh;
    for (uint32_t i = 0; i < sample.movable_count; i++) {
        tr_object_view chair = tr_scene_object(sample.scene, sample.first_movable + i);
        CHECK_TEXT(chair.name, "chair");
        CHECK_INT(chair.mesh, mesh);
    }
    CHECK_INT(tr_scene_mesh(sample.scene, mesh).triangle_count, 304);
    tr_scene_destroy(sample.scene);
}

TEST(objects_carry_the_tags_that_planners_need) {
    tr_sample sample;
    REQUIRE(make("terrace", 0, 0, &sample));
    CHECK_INT(tr_scene_object(sample.scene, tr_scene_find(sample.scene, "floor")).tags, TR_TAG_WALKABLE);
    CHECK_INT(tr_scene_object(sample.scene, tr_scene_find(sample.scene, "table")).tags, TR_TAG_NO_STEP);
    CHECK_INT(tr_scene_object(sample.scene, tr_scene_find(sample.scene, "kerb")).tags, TR_TAG_STEP_OVER);
    CHECK_INT(tr_scene_object(sample.scene, tr_scene_find(sample.scene, "low bar")).tags, TR_TAG_CRAWL_UNDER);
    tr_scene_destroy(sample.scene);
}

TEST(shuffling_keeps_everything_on_the_ground_and_depends_on_the_seed_alone) {
    for (uint32_t i = 0; i < tr_sample_count(); i++) {
        tr_sample sample;
        REQUIRE(make(tr_sample_name(i), 0, 0, &sample));
        uint64_t before = hash_scene(sample.scene);
        CHECK_INT(tr_sample_shuffle(&sample, 7), TR_OK);
        uint64_t first = hash_scene(sample.scene);
        check_objects(&sample, tr_sample_name(i));
        CHECK(first != before);
        CHECK_INT(tr_sample_shuffle(&sample, 8), TR_OK);
        CHECK(hash_scene(sample.scene) != first);
        CHECK_INT(tr_sample_shuffle(&sample, 7), TR_OK);
        CHECK_HASH(hash_scene(sample.scene), first);
        tr_scene_destroy(sample.scene);
    }
}

TEST(shuffling_passes_over_what_was_removed) {
    tr_sample sample;
    REQUIRE(make("room", 0, 0, &sample));
    CHECK_INT(tr_scene_remove_object(sample.scene, sample.first_movable), TR_OK);
    CHECK_INT(tr_sample_shuffle(&sample, 1), TR_OK);
    CHECK(tr_scene_object(sample.scene, sample.first_movable).removed);
    tr_scene_destroy(sample.scene);
    CHECK_INT(tr_sample_shuffle(NULL, 1), TR_INVALID);
}

TEST(names_and_summaries_end_with_null) {
    CHECK_INT(tr_sample_count(), 38);
    for (uint32_t i = 0; i < tr_sample_count(); i++)
        CHECK(tr_sample_name(i)[0] && tr_sample_summary(i)[0]);
    CHECK(tr_sample_name(tr_sample_count()) == NULL);
    CHECK(tr_sample_summary(UINT32_MAX) == NULL);
}

static void check_refused(const tr_sample_def *def, tr_status expected, const char *part) {
    tr_sample sample = {.movable_count = 77};
    tr_error error = {0};
    CHECK_INT(tr_sample_make(def, &sample, &error), expected);
    CHECK_INT(error.status, expected);
    CHECK_CONTAINS(error.message, part);
    CHECK(sample.scene == NULL && sample.movable_count == 77);
    CHECK_INT(tr_sample_make(def, &sample, NULL), expected);
}

TEST(bad_names_and_numbers_are_refused_with_a_sentence) {
    check_refused(&(tr_sample_def){.name = "mazes"}, TR_NOT_FOUND, "\"mazes\"");
    check_refused(&(tr_sample_def){.name = ""}, TR_NOT_FOUND, "maze, office");
    check_refused(&(tr_sample_def){.name = NULL}, TR_INVALID, "the sample has no name");
    check_refused(NULL, TR_INVALID, "the sample has no name");
    check_refused(&(tr_sample_def){.name = "maze", .triangles = 1}, TR_INVALID, "600 to 4000000");
    check_refused(&(tr_sample_def){.name = "office", .triangles = 8699}, TR_INVALID, "8699");
    check_refused(&(tr_sample_def){.name = "field", .triangles = UINT32_MAX}, TR_INVALID, "4294967295");
    check_refused(&(tr_sample_def){.name = "room", .triangles = 471}, TR_INVALID, "always has 470");
}

static bool attempt_all(const tr_allocator *allocator) {
    static const struct {
        const char *name;
        uint32_t triangles;
    } wishes[] = {{"maze", 600}, {"office", 8700}, {"field", 600}, {"edges", 0}, {"terrace", 0}, {"room", 0}};
    for (uint32_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        tr_sample_def def = {
            .name = wishes[i].name, .triangles = wishes[i].triangles, .allocator = allocator};
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

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_all) > 100);
}
