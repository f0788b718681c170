#include "troupe/plan/predict.h"
#include "troupe/plan/route.h"
#include "world/little.h"

// An open field of 10 x 10 m and a box that moves over it.
static const tr_grid field = {{0, 0}, 0.1f, 100, 100};
static const tr_raster_band band = {.low = 0.05f, .high = 1.8f, .exclude_object = TR_NONE};

static tr_scene *make_scene(uint32_t *box, float x, float z) {
    tr_scene *scene = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    uint32_t mesh = little_box_mesh(scene, little_make_box(-0.5f, 0, -0.3f, 0.5f, 1, 0.3f));
    *box = little_object(scene, mesh, little_move(x, 0, z), 0);
    return scene;
}

static tr_predict *make_predict(uint32_t max) {
    tr_predict *predict = NULL;
    CHECK_INT(tr_predict_create(NULL, max, &predict, NULL), TR_OK);
    return predict;
}

static void move_box(tr_scene *scene, uint32_t box, float x, float z) {
    tr_affine place = little_move(x, 0, z);
    CHECK_INT(tr_scene_place(scene, box, &place), TR_OK);
}

TEST(velocity_is_the_difference_of_two_looks_unless_told) {
    uint32_t box = TR_NONE;
    tr_scene *scene = make_scene(&box, 2, 3);
    tr_predict *predict = make_predict(4);
    REQUIRE(scene && predict);
    CHECK_INT(tr_predict_observe(predict, scene, 10, NULL), TR_OK);
    CHECK_NEAR(tr_predict_velocity(predict, box).x, 0, 0); // one look says nothing
    move_box(scene, box, 2.5f, 2);
    CHECK_INT(tr_predict_observe(predict, scene, 10.5, NULL), TR_OK);
    CHECK_NEAR(tr_predict_velocity(predict, box).x, 1, 1e-5);
    CHECK_NEAR(tr_predict_velocity(predict, box).z, -2, 1e-5);
    const tr_vec2 told = {0.25f, 0.5f};
    CHECK_INT(tr_predict_set_velocity(predict, box, &told), TR_OK);
    CHECK_INT(tr_predict_observe(predict, scene, 11, NULL), TR_OK);
    CHECK_NEAR(tr_predict_velocity(predict, box).x, 0.25, 0);
    CHECK_INT(tr_predict_set_velocity(predict, box, NULL), TR_OK);
    CHECK_NEAR(tr_predict_velocity(predict, box).x, 0, 0); // it stood still at the last look
    CHECK_INT(tr_scene_remove_object(scene, box), TR_OK);
    CHECK_INT(tr_predict_observe(predict, scene, 12, NULL), TR_OK);
    CHECK_NEAR(tr_predict_velocity(predict, box).z, 0, 0);
    tr_predict_destroy(predict);
    tr_predict_destroy(NULL);
    tr_scene_destroy(scene);
}

// By definition: step through time and see which cells the grown box overlaps, and when first.
static void check_sweep(tr_box bounds, tr_vec2 velocity, const tr_predict_params *params,
                        const uint8_t *weights) {
    enum { STEPS = 400 };
    double reach_error = 0.02; // what may be missed between two steps [m]
    for (uint32_t row = 0; row < field.rows; row++)
        for (uint32_t column = 0; column < field.columns; column++) {
            double x = column * 0.1, z = row * 0.1, sooner = INFINITY, later = INFINITY;
            for (int i = 0; i <= STEPS; i++) {
                double t = (double)params->horizon * i / STEPS, grown = params->radius + params->spread * t;
                double gap = fmax(fmax(bounds.min.x + velocity.x * t - grown - (x + 0.1),
                                       x - (bounds.max.x + velocity.x * t + grown)),
                                  fmax(bounds.min.z + velocity.z * t - grown - (z + 0.1),
                                       z - (bounds.max.z + velocity.z * t + grown)));
                if (gap <= reach_error && sooner == INFINITY)
                    sooner = t;
                if (gap <= -reach_error && later == INFINITY)
                    later = t;
            }
            double most = sooner <= params->horizon ? params->weight * (1 - sooner / params->horizon) : 0,
                   least = later <= params->horizon ? params->weight * (1 - later / params->horizon) : 0;
            uint8_t weight = weights[row * field.columns + column];
            if (weight > most + 3 || weight < least - 3)
                test_failed(__FILE__, __LINE__, "cell (%u, %u) weighs %u, expected %.1f to %.1f", column, row,
                            weight, least, most);
        }
}

TEST(cells_weigh_by_how_soon_they_are_swept) {
    static uint8_t weights[100 * 100];
    const tr_vec2 velocities[] = {{1, 0}, {0, -1.5f}, {0.7f, 0.7f}, {-1, 0.4f}, {0.1f, 0}};
    for (size_t i = 0; i < 5; i++) {
        uint32_t box = TR_NONE;
        tr_scene *scene = make_scene(&box, 5, 5);
        tr_predict *predict = make_predict(1);
        REQUIRE(scene && predict);
        CHECK_INT(tr_predict_set_velocity(predict, box, &velocities[i]), TR_OK);
        tr_predict_params params = tr_predict_params_default(&band);
        memset(weights, 0, sizeof weights);
        CHECK_INT(tr_predict_weigh(predict, scene, &field, &params, weights, NULL), TR_OK);
        check_sweep(tr_scene_object(scene, box).bounds, velocities[i], &params, weights);
        // As blocked cells it is the same ones, and what was higher stays.
        tr_bitmap blocked;
        REQUIRE(tr_bitmap_create(NULL, 100, 100, &blocked) == TR_OK);
        CHECK_INT(tr_predict_block(predict, scene, &field, &params, &blocked, NULL), TR_OK);
        for (uint32_t cell = 0; cell < 10000; cell++)
            CHECK(!weights[cell] || tr_bitmap_get(&blocked, cell % 100, cell / 100));
        CHECK(tr_bitmap_count(&blocked) > 200 && tr_bitmap_count(&blocked) < 3000);
        memset(weights, 200, sizeof weights);
        CHECK_INT(tr_predict_weigh(predict, scene, &field, &params, weights, NULL), TR_OK);
        CHECK_INT(weights[50 * 100 + 50], 200);
        tr_bitmap_destroy(NULL, &blocked);
        tr_predict_destroy(predict);
        tr_scene_destroy(scene);
    }
}

TEST(what_rests_flies_is_left_out_or_was_put_elsewhere_sweeps_nothing) {
    uint32_t box = TR_NONE;
    tr_scene *scene = make_scene(&box, 5, 5);
    tr_predict *predict = make_predict(1);
    tr_bitmap blocked;
    REQUIRE(scene && predict && tr_bitmap_create(NULL, 100, 100, &blocked) == TR_OK);
    const tr_vec2 slow = {1, 0}, none = {0, 0}, jump = {50, 0};
    tr_predict_params good = tr_predict_params_default(&band), params = good;
    for (int i = 0; i < 6; i++) {
        params = good;
        tr_predict_set_velocity(predict, box, i == 0 ? &none : i == 1 ? &jump : &slow);
        if (i == 2)
            params.band.exclude_object = box;
        if (i == 3)
            params.band.low = 1.5f; // the box is 1 m high
        if (i == 4) {
            tr_scene_set_tags(scene, box, TR_TAG_CHARACTER);
            params.band.exclude_tags = TR_TAG_CHARACTER;
        }
        CHECK_INT(tr_predict_block(predict, scene, &field, &params, &blocked, NULL), TR_OK);
        CHECK((tr_bitmap_count(&blocked) > 0) == (i == 5));
    }
    tr_bitmap_destroy(NULL, &blocked);
    tr_predict_destroy(predict);
    tr_scene_destroy(scene);
}

// Where the route from (5, 2) to (5, 8) crosses z = 5, the line on which the box moves.
static float crossing(tr_route *route, const tr_route_map *map) {
    tr_route_params params = tr_route_params_default();
    const tr_vec2 start = {5, 2}, goal = {5, 8};
    CHECK_INT(tr_route_find(route, map, &params, start, &goal, 1, NULL), TR_OK);
    tr_route_result path = tr_route_last(route);
    for (uint32_t i = 0; i < path.cell_count; i++)
        if (tr_route_map_row(map, path.cells[i]) == 50)
            return tr_grid_centre(&field, tr_route_map_column(map, path.cells[i]), 50).x;
    return NAN;
}

TEST(a_route_goes_behind_a_thing_that_crosses) {
    static uint8_t weights[100 * 100];
    uint32_t box = TR_NONE;
    tr_scene *scene = make_scene(&box, 3.4f, 5);
    tr_predict *predict = make_predict(1);
    tr_raster *raster = little_raster(0);
    tr_footprint_def def = tr_footprint_def_default(0);
    def.grid = field;
    tr_footprint *footprint = NULL;
    tr_route_map map;
    tr_route *route = NULL;
    tr_bitmap blocked;
    REQUIRE(scene && predict && raster && tr_footprint_create(&def, &footprint, NULL) == TR_OK &&
            tr_route_map_create(NULL, &field, &map, NULL) == TR_OK &&
            tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK &&
            tr_bitmap_create(NULL, 100, 100, &blocked) == TR_OK);
    CHECK_INT(tr_predict_observe(predict, scene, 0, NULL), TR_OK);
    move_box(scene, box, 4.1f, 5); // 1.4 m/s towards the line from start to goal
    CHECK_INT(tr_predict_observe(predict, scene, 0.5, NULL), TR_OK);
    CHECK_INT(tr_footprint_build(footprint, raster, scene, NULL), TR_OK);
    tr_route_map_set(&map, tr_footprint_blocked(footprint), tr_grid_all(&field));
    CHECK(crossing(route, &map) > 4.9f); // without prediction: in front of it

    tr_predict_params params = tr_predict_params_default(&band);
    CHECK_INT(tr_predict_weigh(predict, scene, &field, &params, weights, NULL), TR_OK);
    tr_route_map_set_weights(&map, weights);
    CHECK(crossing(route, &map) < 3.4f); // with it: behind
    tr_route_map_set_weights(&map, NULL);

    memcpy(blocked.words, tr_footprint_blocked(footprint)->words, tr_bitmap_bytes(&blocked));
    CHECK_INT(tr_predict_block(predict, scene, &field, &params, &blocked, NULL), TR_OK);
    tr_route_map_set(&map, &blocked, tr_grid_all(&field));
    CHECK(crossing(route, &map) < 3.4f);
    tr_bitmap_destroy(NULL, &blocked);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    tr_footprint_destroy(footprint);
    tr_raster_destroy(raster);
    tr_predict_destroy(predict);
    tr_scene_destroy(scene);
}

TEST(bad_times_objects_and_parameters_are_refused) {
    uint32_t box = TR_NONE;
    tr_scene *scene = make_scene(&box, 5, 5);
    tr_predict *predict = NULL;
    tr_error error;
    CHECK_INT(tr_predict_create(NULL, 0, &predict, &error), TR_INVALID);
    predict = make_predict(1);
    REQUIRE(scene && predict);
    CHECK_INT(tr_predict_observe(predict, scene, NAN, &error), TR_INVALID);
    CHECK_INT(tr_predict_observe(predict, scene, 3, &error), TR_OK);
    CHECK_INT(tr_predict_observe(predict, scene, 3, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "later than the last look at 3");
    const tr_vec2 odd = {NAN, 0}, fine = {1, 0};
    CHECK_INT(tr_predict_set_velocity(predict, box, &odd), TR_INVALID);
    CHECK_INT(tr_predict_set_velocity(predict, 1, &fine), TR_INVALID);
    CHECK_INT(tr_predict_set_velocity(predict, box, &fine), TR_OK);
    CHECK_NEAR(tr_predict_velocity(predict, 77).x, 0, 0);
    little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    CHECK_INT(tr_predict_observe(predict, scene, 4, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "2 objects, there is room for 1");

    uint8_t weights[4] = {0};
    tr_grid grid = {{0, 0}, 1, 2, 2};
    tr_bitmap blocked;
    REQUIRE(tr_bitmap_create(NULL, 3, 2, &blocked) == TR_OK);
    tr_predict_params good = tr_predict_params_default(&band);
    CHECK_INT(tr_predict_block(predict, scene, &grid, &good, &blocked, &error), TR_INVALID);
    const float bad[] = {NAN, -1, INFINITY};
    for (int i = 0; i < 12; i++) {
        tr_predict_params params = good;
        float *const fields[] = {&params.horizon, &params.radius, &params.spread, &params.band.high};
        *fields[i / 3] = bad[i % 3];
        CHECK_INT(tr_predict_weigh(predict, scene, &grid, &params, weights, &error), TR_INVALID);
    }
    good.speed_max = 0;
    CHECK_INT(tr_predict_weigh(predict, scene, &grid, &good, weights, &error), TR_INVALID);
    CHECK_INT(weights[0] + weights[1] + weights[2] + weights[3], 0);
    // A horizon that carries the thing beyond all numbers sweeps the map and nothing else.
    good = tr_predict_params_default(&band), good.horizon = 3e38f;
    CHECK_INT(tr_predict_weigh(predict, scene, &field, &good, (uint8_t[10000]){0}, &error), TR_OK);
    tr_bitmap_destroy(NULL, &blocked);
    tr_predict_destroy(predict);
    tr_scene_destroy(scene);
}

static bool create_one(const tr_allocator *allocator) {
    tr_predict *predict = NULL;
    bool made = tr_predict_create(allocator, 100, &predict, NULL) == TR_OK;
    tr_predict_destroy(predict);
    return made;
}

TEST(creation_survives_every_allocation_failure) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_one), 2);
}
