#include "troupe/plan/refine.h"
#include "troupe/plan/line_of_sight.h"
#include "world/little.h"

#include <stdlib.h>

// Rooms, three by three, whose walls have gaps that are wide, narrow or not there; and some clutter.
#define ROOM 4.0f
#define ROOMS 3

static void add_wall(tr_scene *scene, bool along_x, float line, float from, float to, float thickness) {
    if (to - from < 0.01f)
        return;
    tr_box wall = along_x ? little_make_box(from, 0, line - thickness, to, 2, line + thickness)
                          : little_make_box(line - thickness, 0, from, line + thickness, 2, to);
    little_box(scene, wall, 0);
}

static void add_walls(tr_scene *scene, tr_random *random) {
    for (int i = 0; i < 2 * ROOMS * (ROOMS - 1); i++) {
        bool along_x = i & 1;
        float line = ROOM * (float)(1 + i / 2 % (ROOMS - 1)), begin = ROOM * (float)(i / 2 / (ROOMS - 1));
        float gap = tr_random_below(random, 3) == 0 ? 0 : tr_random_between(random, 0.45f, 1.9f);
        float at = begin + tr_random_between(random, 0.2f, ROOM - 0.2f - gap);
        float thickness = tr_random_between(random, 0.02f, 0.2f);
        // A wall of an outer room goes on to the edge of the map.
        float end = begin + ROOM, edge = ROOM * ROOMS;
        add_wall(scene, along_x, line, begin > 0 ? begin : -1, at, thickness);
        add_wall(scene, along_x, line, at + gap, end < edge ? end : edge + 2, thickness);
    }
}

static void add_clutter(tr_scene *scene, tr_random *random) {
    for (int i = 0; i < 12; i++) {
        float x = tr_random_between(random, 0.1f, 0.6f);
        float z = tr_random_between(random, 0.1f, 0.6f);
        uint32_t mesh = little_box_mesh(scene, little_make_box(-x, 0, -z, x, 1, z));
        float px = tr_random_between(random, 0, ROOM * ROOMS);
        float pz = tr_random_between(random, 0, ROOM * ROOMS);
        double heading = tr_random_between(random, 0, 3);
        little_object(scene, mesh, tr_affine_place(tr_vec3_make(px, 0, pz), heading), 0);
    }
}

static tr_scene *make_rooms(tr_random *random) {
    tr_scene *scene = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    add_walls(scene, random);
    add_clutter(scene, random);
    return scene;
}

// 13 m, so that the last tiles are not whole.
static tr_occupancy_def room_def(uint32_t level) {
    tr_occupancy_def def = tr_occupancy_def_default(0);
    float cell = 0.4f / (float)(1u << level);
    def.grid = (tr_grid){{-0.5f, -0.5f}, cell, 33u << level, 33u << level};
    def.radius = 0.25f;
    return def;
}

static tr_refine *make_refine(uint32_t levels, float stretch, const tr_allocator *allocator) {
    tr_occupancy_def occupancy = room_def(0);
    tr_refine_def def = tr_refine_def_default(&occupancy);
    def.allocator = allocator;
    def.levels = levels;
    def.stretch = stretch;
    tr_refine *refine = NULL;
    return tr_refine_create(&def, &refine, NULL) == TR_OK ? refine : NULL;
}

// The whole map of one level, searched.
typedef struct whole_map {
    tr_occupancy *occupancy;
    tr_route_map map;
    tr_route *route;
} whole_map;

static bool make_whole(whole_map *whole, uint32_t level) {
    tr_occupancy_def def = room_def(level);
    return tr_occupancy_create(&def, &whole->occupancy, NULL) == TR_OK &&
           tr_route_map_create(NULL, &def.grid, &whole->map, NULL) == TR_OK &&
           tr_route_create(NULL, tr_route_map_nodes(&whole->map), &whole->route, NULL) == TR_OK;
}

static void build_whole(whole_map *whole, tr_raster *raster, const tr_scene *scene) {
    CHECK_INT(tr_occupancy_build(whole->occupancy, raster, scene, NULL), TR_OK);
    tr_route_map_set(&whole->map, tr_occupancy_blocked(whole->occupancy), tr_grid_all(&whole->map.grid));
}

static tr_status search_whole(whole_map *whole, tr_vec2 start, tr_vec2 goal) {
    tr_route_params params = tr_route_params_default();
    params.reach = 0;
    return tr_route_find(whole->route, &whole->map, &params, start, &goal, 1, NULL);
}

static void destroy_whole(whole_map *whole) {
    tr_occupancy_destroy(whole->occupancy);
    tr_route_map_destroy(&whole->map);
    tr_route_destroy(whole->route);
}

static tr_vec2 pick_point(tr_random *random) {
    tr_vec2 point; // one after the other, or compilers may differ
    point.x = tr_random_between(random, 0, ROOM * ROOMS);
    point.z = tr_random_between(random, 0, ROOM * ROOMS);
    return point;
}

// A place where the finest map lets the body stand, so that passages decide.
static tr_vec2 pick_free(tr_random *random, const whole_map *finest) {
    tr_vec2 point = pick_point(random);
    while (!tr_occupancy_is_free(finest->occupancy, point))
        point = pick_point(random);
    return point;
}

TEST(what_is_free_stays_free_when_cells_are_halved) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(1);
    whole_map maps[4] = {0};
    for (uint32_t i = 0; i < 4; i++)
        REQUIRE(make_whole(&maps[i], i));
    uint32_t opened = 0;
    for (int i = 0; i < 60; i++) {
        tr_scene *scene = make_rooms(&random);
        for (uint32_t level = 0; level < 4; level++)
            build_whole(&maps[level], raster, scene);
        for (uint32_t level = 1; level < 4; level++) {
            const tr_bitmap *coarse = tr_occupancy_blocked(maps[level - 1].occupancy),
                            *fine = tr_occupancy_blocked(maps[level].occupancy);
            for (uint32_t row = 0; row < fine->rows; row++)
                for (uint32_t column = 0; column < fine->columns; column++) {
                    bool was_free = !tr_bitmap_get(coarse, column / 2, row / 2),
                         is_free = !tr_bitmap_get(fine, column, row);
                    if (was_free && !is_free)
                        test_failed(__FILE__, __LINE__, "scene %d, level %u: (%u, %u) was free", i, level,
                                    column, row);
                    opened += is_free && !was_free;
                }
        }
        tr_scene_destroy(scene);
    }
    CHECK(opened > 100000);
    for (uint32_t i = 0; i < 4; i++)
        destroy_whole(&maps[i]);
    tr_raster_destroy(raster);
}

static void check_path(const tr_refine_result *result, const whole_map *whole, tr_vec2 start, tr_vec2 goal,
                       int number) {
    uint32_t column, row;
    for (uint32_t i = 0; i < result->cell_count; i++) {
        column = tr_route_map_column(result->map, result->cells[i]);
        row = tr_route_map_row(result->map, result->cells[i]);
        if (tr_bitmap_get(tr_occupancy_blocked(whole->occupancy), column, row))
            test_failed(__FILE__, __LINE__, "scene %d: cell (%u, %u) of the path is blocked on level %u",
                        number, column, row, result->level);
    }
    REQUIRE(result->cell_count > 0 && tr_grid_find(&result->map->grid, start, &column, &row));
    CHECK_INT(result->cells[0], tr_route_map_node(result->map, column, row));
    REQUIRE(tr_grid_find(&result->map->grid, goal, &column, &row));
    CHECK_INT(result->cells[result->cell_count - 1], tr_route_map_node(result->map, column, row));
    // The rule of the straight lines checks that every step is one to a neighbour.
    tr_vec2 *points = malloc((result->cell_count + 2) * sizeof *points);
    uint32_t count;
    double length;
    CHECK_INT(tr_line_of_sight_pull(result->map, result->cells, result->cell_count, start, goal, false,
                                    points, result->cell_count + 2, &count, &length),
              TR_OK);
    CHECK(length <= result->length + result->map->grid.cell * 1.5);
    free(points);
}

TEST(the_answer_is_that_of_the_finest_map_for_fewer_cells) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(2);
    whole_map maps[4] = {0};
    tr_refine *refine = make_refine(3, INFINITY, NULL);
    REQUIRE(refine && raster);
    for (uint32_t i = 0; i < 4; i++)
        REQUIRE(make_whole(&maps[i], i));
    uint32_t found[4] = {0}, missing = 0, most_searches = 0;
    double share = 0, share_missing = 0;
    for (int i = 0; i < 300; i++) {
        tr_scene *scene = make_rooms(&random);
        for (uint32_t level = 0; level < 4; level++)
            build_whole(&maps[level], raster, scene);
        tr_vec2 start = pick_free(&random, &maps[3]);
        tr_vec2 goal = pick_free(&random, &maps[3]);
        tr_status expected = search_whole(&maps[3], start, goal),
                  status = tr_refine_find(refine, raster, scene, start, goal, NULL);
        tr_refine_result result = tr_refine_last(refine);
        if (status != expected)
            test_failed(__FILE__, __LINE__, "scene %d: %s, expected %s", i, tr_status_name(status),
                        tr_status_name(expected));
        CHECK_INT(result.whole, 264 * 264);
        most_searches = result.searches > most_searches ? result.searches : most_searches;
        if (status == TR_OK) {
            found[result.level]++;
            check_path(&result, &maps[result.level], start, goal, i);
            for (uint32_t level = 0; level < result.level; level++) // no finer than it must be
                CHECK(search_whole(&maps[level], start, goal) != TR_OK);
            share += (double)result.projected / (double)result.whole;
        } else {
            missing++;
            share_missing += (double)result.projected / (double)result.whole;
        }
        tr_scene_destroy(scene);
    }
    uint32_t all = found[0] + found[1] + found[2] + found[3];
    if (getenv("TROUPE_TEST_VERBOSE"))
        printf("found on levels %u %u %u %u, missing %u, projected %.1f %% and %.1f %%, searches <= %u\n",
               found[0], found[1], found[2], found[3], missing, 100 * share / all,
               100 * share_missing / missing, most_searches);
    CHECK(found[0] > 10 && found[1] > 10 && found[2] > 10 && found[3] > 5 && missing > 10);
    CHECK(share / all < 0.25 && share_missing / missing < 0.75);
    for (uint32_t i = 0; i < 4; i++)
        destroy_whole(&maps[i]);
    tr_refine_destroy(refine);
    tr_raster_destroy(raster);
}

TEST(a_stretch_of_one_gives_the_shortest_path_of_the_finest_map) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(3);
    whole_map finest = {0};
    tr_refine *refine = make_refine(2, 1, NULL), *half = make_refine(2, 1.5f, NULL);
    REQUIRE(refine && half && raster && make_whole(&finest, 2));
    uint32_t found = 0;
    double share = 0, share_half = 0;
    for (int i = 0; i < 60; i++) {
        tr_scene *scene = make_rooms(&random);
        build_whole(&finest, raster, scene);
        tr_vec2 start = pick_free(&random, &finest);
        tr_vec2 goal = pick_free(&random, &finest);
        tr_status expected = search_whole(&finest, start, goal);
        CHECK_INT(tr_refine_find(refine, raster, scene, start, goal, NULL), expected);
        CHECK_INT(tr_refine_find(half, raster, scene, start, goal, NULL), expected);
        if (expected == TR_OK) {
            tr_refine_result best = tr_refine_last(refine), good = tr_refine_last(half);
            double length = tr_route_last(finest.route).length;
            if (best.level == 2)
                CHECK_NEAR(best.length, length, 1e-6);
            CHECK(best.length <= length + 1); // a straight way over coarse cells begins at other centres
            CHECK(good.length <= 1.5 * length + 1);
            share += (double)best.projected / (double)best.whole;
            share_half += (double)good.projected / (double)good.whole;
            found++;
        }
        tr_scene_destroy(scene);
    }
    if (getenv("TROUPE_TEST_VERBOSE"))
        printf("%u found, stretch 1 projected %.1f %%, stretch 1.5 %.1f %%\n", found, 100 * share / found,
               100 * share_half / found);
    CHECK(found > 15 && share_half < share && share / found < 1);
    destroy_whole(&finest);
    tr_refine_destroy(refine);
    tr_refine_destroy(half);
    tr_raster_destroy(raster);
}

// Two rooms and a door of 0.9 m, which a box may stand in.
static tr_scene *make_door(uint32_t *box) {
    tr_scene *scene = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    add_wall(scene, false, 6, -0.5f, 5.7f, 0.1f);
    add_wall(scene, false, 6, 6.6f, 13, 0.1f);
    uint32_t mesh = little_box_mesh(scene, little_make_box(-0.2f, 0, -0.2f, 0.2f, 1, 0.2f));
    *box = little_object(scene, mesh, little_move(2, 0, 2), 0);
    return scene;
}

TEST(a_door_that_opens_and_shuts_is_seen_and_what_is_known_is_kept) {
    tr_raster *raster = little_raster(0);
    uint32_t box = TR_NONE;
    tr_scene *scene = make_door(&box);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_refine *refine = make_refine(2, INFINITY, &allocator);
    REQUIRE(raster && scene && refine);
    const tr_vec2 start = {3, 3}, goal = {9, 9};
    tr_error error;
    CHECK_INT(tr_refine_find(refine, raster, scene, start, goal, &error), TR_OK);
    tr_refine_result first = tr_refine_last(refine);
    CHECK(first.level > 0 && first.projected > 0 && first.projected < first.whole / 10);
    uint64_t calls = memory.calls;
    CHECK_INT(tr_refine_find(refine, raster, scene, goal, start, &error), TR_OK);
    CHECK_INT(tr_refine_last(refine).projected, first.projected); // nothing new to look at
    for (int i = 0; i < 3; i++) {
        tr_affine shut = little_move(6, 0, 6.15f), open = little_move(2, 0, 2);
        CHECK_INT(tr_scene_place(scene, box, &shut), TR_OK);
        CHECK_INT(tr_refine_find(refine, raster, scene, start, goal, &error), TR_NOT_FOUND);
        CHECK_CONTAINS(error.message, "no way from (3, 3) to (9, 9)");
        CHECK_INT(tr_refine_last(refine).cell_count, 0);
        CHECK_INT(tr_scene_place(scene, box, &open), TR_OK);
        CHECK_INT(tr_refine_find(refine, raster, scene, start, goal, &error), TR_OK);
        CHECK_NEAR(tr_refine_last(refine).length, first.length, 1e-9);
    }
    CHECK_INT(memory.calls, calls);
    tr_refine_destroy(refine);
    tr_refine_destroy(NULL);
    CHECK_INT(memory.live_bytes, 0);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

TEST(ends_that_only_a_fine_map_frees_are_looked_at) {
    tr_raster *raster = little_raster(0);
    uint32_t box = TR_NONE;
    tr_scene *scene = make_door(&box);
    tr_refine *refine = make_refine(2, INFINITY, NULL);
    REQUIRE(raster && scene && refine);
    const tr_vec2 door = {6, 6.15f}, far_one = {9, 9}, wall = {6, 3};
    CHECK_INT(tr_refine_find(refine, raster, scene, door, far_one, NULL), TR_OK);
    CHECK(tr_refine_last(refine).level > 0);
    CHECK_INT(tr_refine_find(refine, raster, scene, far_one, wall, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_refine_find(refine, raster, scene, far_one, far_one, NULL), TR_OK);
    CHECK_INT(tr_refine_last(refine).cell_count, 1);
    tr_refine_destroy(refine);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

TEST(bad_definitions_and_points_are_refused_with_the_value) {
    tr_occupancy_def occupancy = room_def(0);
    tr_refine_def good = tr_refine_def_default(&occupancy), def = good;
    tr_refine *refine = NULL;
    tr_error error;
    def.occupancy.growth = TR_GROWTH_CENTRES;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "TR_GROWTH_SAFE");
    def = good, def.levels = 7;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "7 were asked for");
    def = good, def.stretch = NAN;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_INVALID);
    def = good, def.stretch = 0.5f;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "0.5");
    def = good, def.occupancy.radius = NAN;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_INVALID);
    def = good, def.occupancy.max_cells = 2000;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "66 x 66");
    def = good, def.occupancy.radius = 20000;
    CHECK_INT(tr_refine_create(&def, &refine, &error), TR_INVALID);
    CHECK(refine == NULL);

    tr_raster *raster = little_raster(0);
    uint32_t box;
    tr_scene *scene = make_door(&box);
    REQUIRE(raster && scene && tr_refine_create(&good, &refine, &error) == TR_OK);
    const tr_vec2 start = {3, 3}, outside[] = {{-1, 3}, {NAN, 3}, {3, INFINITY}, {3, 1e30f}};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(tr_refine_find(refine, raster, scene, start, outside[i], &error), TR_INVALID);
        CHECK_INT(tr_refine_find(refine, raster, scene, outside[i], start, NULL), TR_INVALID);
    }
    CHECK_CONTAINS(error.message, "leaves the map");
    CHECK_INT(tr_refine_find(refine, raster, scene, start, (tr_vec2){9, 9}, &error), TR_OK);
    tr_refine_destroy(refine);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

static bool create_one(const tr_allocator *allocator) {
    tr_refine *refine = make_refine(2, INFINITY, allocator);
    tr_refine_destroy(refine);
    return refine != NULL;
}

TEST(memory_is_as_documented_and_creation_survives_every_failure) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_one) > 10);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_occupancy_def occupancy = room_def(0);
    occupancy.grid.columns = occupancy.grid.rows = 250;
    tr_refine_def def = tr_refine_def_default(&occupancy);
    def.allocator = &allocator;
    tr_refine *refine = NULL;
    REQUIRE(tr_refine_create(&def, &refine, NULL) == TR_OK);
    if (getenv("TROUPE_TEST_VERBOSE"))
        printf("%.2f bytes for each of the finest cells\n", (double)memory.live_bytes / (1000 * 1000));
    CHECK(memory.live_bytes < 45 * 1000 * 1000);
    tr_refine_destroy(refine);
}

// A thing that draws nonsense while `broken`.
typedef struct moody {
    little_drawing drawing;
    bool broken;
} moody;

static void emit_moody(void *user, tr_triangle_sink *sink) {
    moody *thing = user;
    const tr_vec3 nonsense[3] = {{NAN, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    if (thing->broken)
        sink->take(sink, nonsense, 1);
    little_emit(&thing->drawing, sink);
}

TEST(after_a_draw_that_failed_the_next_find_is_right) {
    tr_raster *raster = little_raster(0);
    uint32_t box = TR_NONE, object = TR_NONE;
    tr_scene *scene = make_door(&box);
    moody thing = {0};
    tr_box bounds = little_make_box(5.5f, 0, 5, 5.9f, 1, 5.4f);
    little_draw_box(&thing.drawing, bounds);
    tr_drawn_def def = {.bounds = bounds, .user = &thing, .emit = emit_moody};
    tr_refine *refine = make_refine(2, INFINITY, NULL), *fresh = make_refine(2, INFINITY, NULL);
    REQUIRE(raster && scene && refine && fresh);
    REQUIRE(tr_scene_add_drawn(scene, &def, &object, NULL) == TR_OK);
    const tr_vec2 start = {3, 3}, other = {3, 9}, goal = {9, 9};
    CHECK_INT(tr_refine_find(refine, raster, scene, start, other, NULL), TR_OK); // the coarse map is made
    thing.broken = true;
    CHECK_INT(tr_refine_find(refine, raster, scene, start, goal, NULL), TR_INVALID);
    thing.broken = false;
    CHECK_INT(tr_refine_find(refine, raster, scene, start, goal, NULL), TR_OK);
    CHECK_INT(tr_refine_find(fresh, raster, scene, start, goal, NULL), TR_OK);
    CHECK_NEAR(tr_refine_last(refine).length, tr_refine_last(fresh).length, 0);
    CHECK_INT(tr_refine_last(refine).projected, tr_refine_last(fresh).projected);
    tr_refine_destroy(refine);
    tr_refine_destroy(fresh);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}
