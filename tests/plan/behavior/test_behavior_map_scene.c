// Maps of random scenes are compared with their triangles, in doubles: an upright cylinder in a free cell
// touches nothing at any time of the slot, and one in a blocked cell nearly touches something.
#include "behavior_scenes.h"
#include "plan/behavior/behavior_map_data.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"

// --- Distances, in doubles ---

typedef struct flat_polygon {
    double x[8], y[8], z[8];
    int count;
} flat_polygon;

static flat_polygon cut(const flat_polygon *given, double height, double side) {
    flat_polygon kept = {.count = 0};
    for (int i = 0; i < given->count; i++) {
        int next = (i + 1) % given->count;
        double here = side * (given->y[i] - height), there = side * (given->y[next] - height);
        double t = here / (here - there);
        if (here >= 0) {
            kept.x[kept.count] = given->x[i], kept.y[kept.count] = given->y[i];
            kept.z[kept.count++] = given->z[i];
        }
        if ((here < 0) != (there < 0)) {
            kept.x[kept.count] = given->x[i] + t * (given->x[next] - given->x[i]);
            kept.z[kept.count] = given->z[i] + t * (given->z[next] - given->z[i]);
            kept.y[kept.count++] = height;
        }
    }
    return kept;
}

static double distance_to(const flat_polygon *polygon, double x, double z) {
    double least = INFINITY;
    bool left = true, right = true;
    for (int i = 0; i < polygon->count; i++) {
        int next = (i + 1) % polygon->count;
        double ax = polygon->x[i], az = polygon->z[i], bx = polygon->x[next] - ax, bz = polygon->z[next] - az;
        double length = bx * bx + bz * bz, t = length > 0 ? ((x - ax) * bx + (z - az) * bz) / length : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double away = sqrt((ax + t * bx - x) * (ax + t * bx - x) + (az + t * bz - z) * (az + t * bz - z));
        double turn = bx * (z - az) - bz * (x - ax);
        least = away < least ? away : least;
        left &= turn > 0;
        right &= turn < 0;
    }
    return polygon->count > 2 && (left || right) ? 0 : least;
}

// How far a point is, seen from above, from everything but the floor between two heights at a time; at most
// `most`.
static double clearance(fixture *f, tr_vec2 p, double low, double high, double most) {
    double least = most;
    for (uint32_t i = 0; i < tr_scene_object_count(f->scene); i++) {
        tr_object_view object = tr_scene_object(f->scene, i);
        tr_box box = object.bounds;
        if ((object.tags & TR_TAG_WALKABLE) || (double)box.min.x > (double)p.x + most ||
            (double)box.max.x < (double)p.x - most || (double)box.min.z > (double)p.z + most ||
            (double)box.max.z < (double)p.z - most)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(f->scene, object.mesh);
        for (uint32_t j = 0; j < mesh.triangle_count; j++) {
            flat_polygon whole = {.count = 3};
            for (uint32_t k = 0; k < 3; k++) {
                tr_vec3 q = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * j + k]]);
                whole.x[k] = (double)q.x, whole.y[k] = (double)q.y, whole.z[k] = (double)q.z;
            }
            flat_polygon part = cut(&whole, low, 1);
            part = cut(&part, high, -1);
            double away = distance_to(&part, (double)p.x, (double)p.z);
            least = away < least ? away : least;
        }
    }
    return least;
}

// Free cells: for random points in them and random times of the slot.
static void check_free(fixture *f, tr_random *random, float tilt, uint32_t samples) {
    const float radius = f->machine.def.radius;
    uint32_t frames = tr_behavior_map_end(f->map), checked = 0;
    for (uint32_t i = 0; i < samples; i++) {
        tr_vec2 p = {draw(random, -HALF, HALF), draw(random, -HALF, HALF)};
        uint32_t frame = tr_random_below(random, frames), band = tr_random_below(random, 3);
        uint32_t slot = frame / 3; // a tenth of a second at 30 frames a second
        if (!tr_behavior_map_is_free(f->map, band, p, frame))
            continue;
        double time = (slot + (double)tr_random_unit(random)) / 10;
        REQUIRE(tr_scene_set_time(f->scene, time) == TR_OK);
        double floor = (double)(tilt * p.x), low = fmax((double)f->machine.bands[band].low, (double)STEP);
        double away = clearance(f, p, floor + low, floor + (double)f->machine.bands[band].high, 2);
        checked++;
        if (away < (double)radius)
            test_failed(__FILE__, __LINE__, "band %u at (%g, %g), %g s is free, but something is %g m away",
                        band, (double)p.x, (double)p.z, time, away);
    }
    CHECK(checked > samples / 3);
}

// Blocked cells: the cylinder, larger by what cells and slots account for, touches something during the slot.
static void check_blocked(fixture *f, tr_random *random, float tilt, uint32_t samples) {
    // Both the place and the obstacle may be in the far corners of their cells.
    double cell = (double)f->grid.cell, allowed = f->map->growth + (2 * sqrt(2) + 0.25) * cell;
    uint32_t frames = tr_behavior_map_end(f->map), checked = 0, wrong = 0, loose = 0;
    for (uint32_t i = 0; i < samples; i++) {
        tr_vec2 p = {draw(random, -HALF, HALF), draw(random, -HALF, HALF)};
        uint32_t frame = tr_random_below(random, frames), band = tr_random_below(random, 3);
        if (tr_behavior_map_is_free(f->map, band, p, frame))
            continue;
        double floor = (double)(tilt * p.x), least = INFINITY,
               slack =
                   0.06 + 2 * cell * fabs((double)tilt) + (tilt != 0 ? 2 * allowed * fabs((double)tilt) : 0);
        double low = fmax((double)f->machine.bands[band].low, (double)STEP) - slack - cell / 4;
        // Slivers of special obstacles are blocked in their band because they are blocked upright.
        low = band && !tr_behavior_map_is_free(f->map, 0, p, frame) && f->map->object_bands == 0 ? 0.1 : low;
        for (int j = 0; j <= 16; j++) {
            REQUIRE(tr_scene_set_time(f->scene, (frame / 3 + j / 16.0) / 10) == TR_OK);
            double away = clearance(f, p, floor + low,
                                    floor + (double)f->machine.bands[band].high + slack + cell / 4, 3);
            least = fmin(least, away);
        }
        checked++;
        wrong += least > allowed;
        loose += least > f->map->growth + cell;
    }
    // Fast things are missed between two looks, and what is shut in is blocked, too.
    if (wrong > 1 + checked / 100)
        test_failed(__FILE__, __LINE__, "%u of %u blocked places are further from everything than %g m",
                    wrong, checked, allowed);
    if (loose * 10 > 3 * checked)
        test_failed(__FILE__, __LINE__, "%u of %u blocked places are further from everything than %g m",
                    loose, checked, f->map->growth + cell);
}

static void check_random(uint64_t seed, uint32_t standing, uint32_t moving, float tilt) {
    tr_random random = tr_random_seed(seed);
    fixture f;
    REQUIRE(make_machine(&f) && make_scene(&f, &random, standing, moving, tilt) && build(&f));
    check_free(&f, &random, tilt, 3000);
    check_blocked(&f, &random, tilt, 300);
    drop(&f);
}

TEST(free_cells_of_scenes_that_stand_touch_nothing_and_blocked_ones_nearly_do) {
    for (uint64_t seed = 0; seed < 8; seed++)
        check_random(seed, 24, 0, 0);
}

TEST(free_cells_beside_things_that_move_and_turn_touch_nothing_at_any_time) {
    for (uint64_t seed = 0; seed < 10; seed++)
        check_random(100 + seed, 6, 8, 0);
}

TEST(free_cells_on_slopes_touch_nothing) {
    for (uint64_t seed = 0; seed < 8; seed++)
        check_random(200 + seed, 16, 3, seed % 2 ? 0.3f : -0.2f);
}

// --- Sample scenes ---

static bool make_sample(fixture *f, const char *name, uint64_t seed, tr_sample *sample) {
    tr_sample_def def = {.name = name, .seed = seed};
    if (!make_machine(f) || tr_sample_make(&def, sample, NULL) != TR_OK)
        return false;
    f->scene = sample->scene;
    f->floor = sample->start;
    return tr_grid_cover(sample->ground, 0.1f, 0, 0, &f->grid, NULL) == TR_OK;
}

static bool is_free(const fixture *f, uint32_t band, float x, float z, double seconds) {
    return tr_behavior_map_is_free(f->map, band, tr_vec2_make(x, z), (uint32_t)(seconds * 30));
}

static bool is_within(const fixture *f, uint32_t band, float x, float z, double seconds) {
    return tr_behavior_map_is_within(f->map, band, tr_vec2_make(x, z), (uint32_t)(seconds * 30));
}

TEST(a_tree_is_no_obstacle_until_it_falls_then_one_for_all_then_one_to_jump_over) {
    for (uint64_t seed = 0; seed < 12; seed += 3) {
        fixture f;
        tr_sample sample;
        REQUIRE(make_sample(&f, "falling_tree", seed, &sample));
        // A map that begins 3 s later knows what happens 3 s earlier.
        tr_error error;
        double shift = seed ? 3 : 0;
        REQUIRE(build_at(&f, shift, &error) == TR_OK);
        tr_behavior_map_destroy(f.map);
        tr_behavior_map_def def = {.grid = f.grid, .behavior = f.behavior, .seconds = 12};
        tr_behavior_scene from = {f.scene, f.raster, shift, &f.floor, 1, 0, 0, 0};
        REQUIRE(tr_behavior_map_create(&def, &f.map, &error) == TR_OK);
        REQUIRE(tr_behavior_map_build(f.map, &from, &error) == TR_OK);
        const tr_trajectory *fall = tr_scene_trajectory(f.scene, tr_scene_find(f.scene, "tree"));
        double begin = tr_trajectory_begin(fall) - shift, end = tr_trajectory_end(fall) - shift;
        CHECK(is_free(&f, 0, 0, 0, 0) && is_free(&f, 0, 0, 0, begin - 0.2));
        bool shut = false;
        for (double time = begin; time < end; time += 0.05)
            shut |= !is_free(&f, 0, 0, 0, time) && !is_free(&f, 1, 0, 0, time) && !is_free(&f, 2, 0, 0, time);
        CHECK(shut);
        for (float x = -1.5f; x <= 1.5f; x += 0.25f) {
            CHECK(is_within(&f, 1, x, 0, end + 0.2) && is_within(&f, 1, x, 0, 11.9));
            CHECK(is_within(&f, 1, x, 0, 1e6)); // it rests there for ever
            CHECK(!is_within(&f, 2, x, 0, end + 0.2));
        }
        drop(&f);
    }
}

TEST(a_tree_that_leans_leaves_a_part_to_crawl_through) {
    for (uint64_t seed = 1; seed < 9; seed += seed % 3) { // 1, 2, 4, 5, 7, 8
        fixture f;
        tr_sample sample;
        REQUIRE(make_sample(&f, "falling_tree", seed, &sample));
        tr_behavior_map_def def = {.grid = f.grid, .behavior = f.behavior, .seconds = 12};
        tr_behavior_scene from = {f.scene, f.raster, 0, &f.floor, 1, 0, 0, 0};
        REQUIRE(tr_behavior_map_create(&def, &f.map, NULL) == TR_OK);
        REQUIRE(tr_behavior_map_build(f.map, &from, NULL) == TR_OK);
        float width = 0, side = seed / 3 % 2 ? 1 : -1;
        for (float x = -2.5f; x < 2.5f; x += 0.05f)
            width += is_within(&f, 2, side * x, 0, 11) ? 0.05f : 0;

        CHECK(width > 0.3f && width < 2.5f);
        CHECK(!is_free(&f, 0, 0, 0, 11) && !is_free(&f, 1, 0, 0, 11));
        drop(&f);
    }
}

TEST(the_long_wall_has_a_within_region_for_each_of_its_parts) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        fixture f;
        tr_sample sample;
        REQUIRE(make_sample(&f, "behaviors", seed, &sample) && build(&f));
        tr_box lintel = tr_scene_object(f.scene, tr_scene_find(f.scene, "lintel")).bounds;
        tr_box trunk = tr_scene_object(f.scene, tr_scene_find(f.scene, "log")).bounds;
        float under = (lintel.min.x + lintel.max.x) / 2, over = (trunk.min.x + trunk.max.x) / 2;
        uint32_t count[3] = {0, 0, 0};
        CHECK(is_within(&f, 2, under, 5, 0) && !is_within(&f, 1, under, 5, 0));
        CHECK(is_within(&f, 1, over, 5, 0) && !is_within(&f, 2, over, 5, 0));
        for (uint32_t i = 0; i < f.grid.columns * f.grid.rows; i++) {
            tr_vec2 p = tr_grid_centre(&f.grid, i % f.grid.columns, i / f.grid.columns);
            for (uint32_t band = 1; band < 3; band++)
                if (is_within(&f, band, p.x, p.z, 0)) {
                    CHECK(fabsf(p.z - 5) < 1 && fabsf(p.x - (band == 1 ? over : under)) < 1.5f);
                    count[band]++;
                }
        }
        CHECK(count[1] > 150 && count[2] > 150); // 2 m x 0.9 m at least, and nowhere else
        // The inside of walls is not free, the ground behind them is.
        CHECK(is_free(&f, 0, sample.goal.x, sample.goal.z, 0));
        CHECK(!is_free(&f, 2, -2, 5, 0) && !is_free(&f, 1, -2, 5, 0));
        drop(&f);
    }
}

TEST(the_floor_follows_a_hill_and_goes_on_under_a_log) {
    fixture f;
    tr_sample sample;
    REQUIRE(make_sample(&f, "hill", 0, &sample) && build(&f));
    CHECK_NEAR((double)tr_behavior_map_height(f.map, tr_vec2_make(-4.5f, -4)), 0.88, 0.02);
    CHECK_NEAR((double)tr_behavior_map_height(f.map, tr_vec2_make(5.5f, -4)), 0, 1e-3);
    CHECK_NEAR((double)tr_behavior_map_height(f.map, tr_vec2_make(2, 3)), 0, 1e-3);
    for (float x = -10; x < 4; x += 0.1f) // no part of the hill is an obstacle
        CHECK(is_free(&f, 0, x, -3.5f, 0));
    CHECK(is_within(&f, 1, 5.5f, -4, 0) && !is_free(&f, 2, 5.5f, -4, 0));
    drop(&f);
}

TEST(what_moves_on_and_on_rests_when_the_map_ends) {
    fixture f;
    tr_sample sample;
    REQUIRE(make_sample(&f, "hook", 0, &sample) && build(&f));
    uint32_t end = tr_behavior_map_end(f.map);
    uint32_t last = 0, later = 0;
    for (uint32_t i = 0; i < f.grid.columns * f.grid.rows; i++) {
        tr_vec2 p = tr_grid_centre(&f.grid, i % f.grid.columns, i / f.grid.columns);
        last += tr_behavior_map_is_free(f.map, 0, p, end - 1);
        later += tr_behavior_map_is_free(f.map, 0, p, end + 12345);
    }
    CHECK_INT(last, later);
    drop(&f);
}

// --- Ditches, ledges and bad places ---

static void add_slab(tr_scene *scene, float x0, float x1, float top) {
    tr_vec3 points[8];
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    for (int i = 0; i < 8; i++)
        points[i] = tr_vec3_make(i & 1 ? x1 : x0, i & 2 ? top : -3, i & 4 ? 5 : -5);
    tr_mesh_def def = {.positions = points, .position_count = 8, .indices = indices, .triangle_count = 12};
    uint32_t mesh;
    if (tr_scene_add_mesh(scene, &def, &mesh, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no slab");
    add_object(scene, mesh, tr_vec3_make(0, 0, 0), 0, TR_TAG_WALKABLE);
}

static bool make_slabs(fixture *f, const float (*slabs)[3], uint32_t count) {
    tr_box box = {{-6, 0, -5}, {6, 0, 5}};
    if (!make_machine(f) || tr_scene_create(NULL, &f->scene) != TR_OK ||
        tr_grid_cover(box, 0.1f, 0, 0, &f->grid, NULL) != TR_OK)
        return false;
    for (uint32_t i = 0; i < count; i++)
        add_slab(f->scene, slabs[i][0], slabs[i][1], slabs[i][2]);
    f->floor = tr_vec3_make(-4, slabs[0][2], 0);
    return true;
}

TEST(a_ditch_is_free_only_for_those_who_jump) {
    const float slabs[][3] = {{-6, -0.5f, 0}, {0.5f, 6, 0}};
    fixture f;
    REQUIRE(make_slabs(&f, slabs, 2) && build(&f));
    CHECK(is_free(&f, 0, -2, 0, 0) && is_free(&f, 0, 2, 0, 0));
    CHECK(is_within(&f, 1, 0, 0, 0) && !is_free(&f, 0, 0, 0, 0) && !is_free(&f, 2, 0, 0, 0));
    CHECK(!is_free(&f, 0, -0.7f, 0, 0)); // the disc would stick out over the edge
    drop(&f);
    const float wide[][3] = {{-6, -3.5f, 0}, {4, 6, 0}};
    REQUIRE(make_slabs(&f, wide, 2) && build(&f));
    CHECK(is_free(&f, 0, -5, 0, 0) && !is_free(&f, 0, 5, 0, 0)); // too wide for a floor to go on
    drop(&f);
}

TEST(a_ledge_is_a_wall_from_below_and_an_edge_that_is_kept_from_above) {
    const float slabs[][3] = {{-6, 0, 0}, {0, 6, 0.9f}};
    fixture f;
    REQUIRE(make_slabs(&f, slabs, 2));
    const tr_vec3 floors[2] = {{-4, 0, 0}, {4, 0.9f, 0}};
    tr_behavior_map_def def = {.grid = f.grid, .behavior = f.behavior, .seconds = SECONDS};
    tr_behavior_scene from = {f.scene, f.raster, 0, floors, 2, STEP, 0, 0};
    REQUIRE(tr_behavior_map_create(&def, &f.map, NULL) == TR_OK);
    REQUIRE(tr_behavior_map_build(f.map, &from, NULL) == TR_OK);
    CHECK_NEAR((double)tr_behavior_map_height(f.map, tr_vec2_make(2, 0)), 0.9, 1e-3);
    CHECK(is_free(&f, 0, -1, 0, 0) && is_free(&f, 0, 1, 0, 0));
    for (float x = -0.3f; x < -0.12f; x += 0.05f)
        CHECK(!is_free(&f, 0, x, 0, 0));
    drop(&f);
}

static void check_refused(fixture *f, tr_behavior_scene from, tr_status expected, const char *part) {
    tr_error error = {0};
    CHECK_INT(tr_behavior_map_build(f->map, &from, &error), expected);
    CHECK_CONTAINS(error.message, part);
}

TEST(a_scene_that_cannot_be_used_gets_a_sentence_and_the_map_stays) {
    fixture f;
    tr_sample sample;
    REQUIRE(make_sample(&f, "behaviors", 0, &sample) && build(&f));
    const tr_vec3 outside = {100, 0, 0}, above = {-7, 3, -12}, bad = {NAN, 0, 0};
    tr_behavior_scene from = {f.scene, f.raster, 0, &f.floor, 1, 0, 0, 0};
    check_refused(&f, (tr_behavior_scene){0}, TR_INVALID, "scene");
    from.floor_count = 0;
    check_refused(&f, from, TR_INVALID, "no place");
    from = (tr_behavior_scene){f.scene, f.raster, 0, &outside, 1, 0, 0, 0};
    check_refused(&f, from, TR_NOT_FOUND, "(100, 0, 0) is outside the map");
    from.floors = &above;
    check_refused(&f, from, TR_NOT_FOUND, "no floor at (-7, 3, -12)");
    from.floors = &bad;
    check_refused(&f, from, TR_INVALID, "finite");
    from = (tr_behavior_scene){f.scene, f.raster, (double)NAN, &f.floor, 1, 0, 0, 0};
    check_refused(&f, from, TR_INVALID, "time");
    from = (tr_behavior_scene){f.scene, f.raster, 0, &f.floor, 1, -1, 0, 0};
    check_refused(&f, from, TR_INVALID, "step is -1");
    CHECK(is_free(&f, 0, sample.start.x, sample.start.z, 0) && !is_free(&f, 0, -2, 5, 0));
    drop(&f);
}

static bool attempt(const tr_allocator *allocator) {
    fixture f;
    tr_sample sample;
    bool done = false;
    if (!make_sample(&f, "falling_tree", 0, &sample)) {
        test_failed(__FILE__, __LINE__, "no sample");
        return true;
    }
    f.grid.cell = 0.5f, f.grid.columns = 36, f.grid.rows = 56;
    tr_behavior_map_def def = {.allocator = allocator, .grid = f.grid, .behavior = f.behavior, .seconds = 9};
    tr_behavior_scene from = {f.scene, f.raster, 0, &f.floor, 1, 0, 0, 0};
    tr_error error = {0};
    if (tr_behavior_map_create(&def, &f.map, &error) == TR_OK) {
        tr_status status = tr_behavior_map_build(f.map, &from, &error);
        CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0]));
        done = status == TR_OK;
    }
    drop(&f);
    return done;
}

TEST(every_allocation_may_fail_while_a_map_is_built_from_a_scene) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 20);
}

static uint64_t hash_of(const fixture *f) {
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < f->grid.columns * f->grid.rows; i++) {
        tr_vec2 p = tr_grid_centre(&f->grid, i % f->grid.columns, i / f->grid.columns);
        float height = tr_behavior_map_height(f->map, p);
        hash = tr_hash(hash, &height, sizeof height);
        for (uint32_t band = 0; band < 3; band++)
            for (uint32_t frame = 0; frame < 180; frame += 15) {
                bool free = tr_behavior_map_is_free(f->map, band, p, frame);
                hash = tr_hash(hash, &free, sizeof free);
            }
    }
    return hash;
}

TEST(the_same_scene_gives_the_same_bits_everywhere_for_any_team) {
    static const char *const names[] = {"falling_tree", "hook", "hill"};
    static const uint64_t golden[] = {0x4de454f4af8606d9, 0x75ac2f718f5549fa, 0xce312cc5701e4ef6};
    for (uint32_t i = 0; i < 3; i++) {
        fixture f;
        tr_sample sample;
        REQUIRE(make_sample(&f, names[i], 1, &sample) && build(&f));
        CHECK_HASH(hash_of(&f), golden[i]);
        tr_tasks *tasks = NULL;
        REQUIRE(tr_tasks_create(NULL, 3, &tasks, NULL) == TR_OK);
        tr_raster_destroy(f.raster);
        tr_behavior_map_destroy(f.map);
        REQUIRE(tr_raster_create(&(tr_raster_def){.tasks = tasks}, &f.raster, NULL) == TR_OK);
        REQUIRE(build(&f));
        CHECK_HASH(hash_of(&f), golden[i]);
        drop(&f);
        tr_tasks_destroy(tasks);
    }
}
