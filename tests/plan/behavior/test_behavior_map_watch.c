// Updates of behavior maps: things that move as nobody announced.
#include "behavior_scenes.h"

static tr_behavior_scene scene_of(const fixture *f) {
    tr_behavior_scene from = {f->scene, f->raster, 0, &f->floor, 1, STEP, 0, 0};
    return from;
}

// A free field with a crate of 1 m x 1 m.
static uint32_t make_field(fixture *f, tr_vec3 at) {
    tr_box box = {{-HALF, 0, -HALF}, {HALF, 0, HALF}};
    if (!make_machine(f) || tr_scene_create(NULL, &f->scene) != TR_OK ||
        tr_grid_cover(box, 0.1f, 0, 0, &f->grid, NULL) != TR_OK)
        return TR_NONE;
    add_floor(f->scene, HALF + 1, 0);
    f->floor = tr_vec3_make(-5, 0, -5);
    uint32_t mesh = add_prism(f->scene, 4, tr_vec3_make(0.7071f, 1, 0.7071f), 0, 1.2f);
    return add_object(f->scene, mesh, at, 0, 0);
}

static bool place(fixture *f, uint32_t object, float x, float z) {
    tr_affine there = tr_affine_place(tr_vec3_make(x, 0, z), 0);
    return tr_scene_place(f->scene, object, &there) == TR_OK;
}

static bool is_free(const fixture *f, float x, float z, double seconds) {
    return tr_behavior_map_is_free(f->map, 0, tr_vec2_make(x, z), (uint32_t)(seconds * 30));
}

TEST(what_moves_unannounced_is_expected_to_go_on_for_a_while) {
    fixture f;
    uint32_t crate = make_field(&f, tr_vec3_make(-3, 0, 0));
    tr_behavior_change change;
    REQUIRE(crate != TR_NONE && build(&f));
    tr_behavior_scene from = scene_of(&f);
    CHECK(!is_free(&f, -3, 0, 0) && is_free(&f, 1, 0, 3));
    REQUIRE(tr_behavior_map_update(f.map, &from, 3, &change, NULL) == TR_OK);
    CHECK(change.cells.column_begin == change.cells.column_end); // nothing happened
    for (int i = 1; i <= 10; i++) {                              // 2 m/s along x
        float x = -3 + 0.2f * (float)i;
        REQUIRE(place(&f, crate, x, 0));
        REQUIRE(tr_behavior_map_update(f.map, &from, 3 + 3 * (uint32_t)i, &change, NULL) == TR_OK);
        double now = 0.1 + 0.1 * i;
        CHECK(change.blocks && change.first <= 3 + 3 * (uint32_t)i && change.last >= change.first);
        for (double later = 0; later < 1.9; later += 0.1) {
            CHECK(!is_free(&f, x + 2 * (float)later, 0, now + later + 0.01));
            CHECK(!is_free(&f, x, 0, now + later + 0.01)); // it may stop
        }
        CHECK(is_free(&f, x + 2, 0, now + 0.01));    // it is not there yet
        CHECK(is_free(&f, x - 1.5f, 0, now + 0.01)); // nor there any more
        CHECK(is_free(&f, x + 4, 0, now + 2.5));     // nobody knows
    }
    // It stops.
    REQUIRE(tr_behavior_map_update(f.map, &from, 36, &change, NULL) == TR_OK);
    CHECK(change.blocks && change.last == UINT32_MAX);
    CHECK(!is_free(&f, -1, 0, 1.3) && !is_free(&f, -1, 0, 1000) && is_free(&f, 1, 0, 2));
    REQUIRE(tr_behavior_map_update(f.map, &from, 40, &change, NULL) == TR_OK);
    CHECK(change.cells.column_begin == change.cells.column_end);
    // It goes elsewhere, and is then put far away.
    REQUIRE(place(&f, crate, -1, 0.2f));
    REQUIRE(tr_behavior_map_update(f.map, &from, 43, &change, NULL) == TR_OK);
    CHECK(change.blocks && !is_free(&f, -1, 2.2f, 2.44) && is_free(&f, 1, 0, 2.44));
    REQUIRE(place(&f, crate, 4, -4));
    REQUIRE(tr_behavior_map_update(f.map, &from, 46, &change, NULL) == TR_OK);
    CHECK(!is_free(&f, 4, -4, 1000) && is_free(&f, -1, 0, 1.6) && is_free(&f, -1, 2.2f, 2.44));
    drop(&f);
}

TEST(doubt_grows_and_can_be_chosen) {
    for (int large = 0; large < 2; large++) {
        fixture f;
        uint32_t crate = make_field(&f, tr_vec3_make(-3, 0, 0));
        REQUIRE(crate != TR_NONE && build(&f));
        tr_behavior_scene from = scene_of(&f);
        from.doubt = large ? 1.0f : 0.1f;
        from.doubt_seconds = large ? 3 : 1;
        REQUIRE(place(&f, crate, -2.8f, 0));
        REQUIRE(tr_behavior_map_update(f.map, &from, 3, NULL, NULL) == TR_OK);
        // The crate's side is 0.5 m from its middle, discs have 0.35 m, and somewhat more is blocked.
        CHECK(is_free(&f, -0.8f, 1.5f, 1) == (large == 0));
        CHECK(!is_free(&f, -0.8f, 0.6f, 1));
        CHECK(is_free(&f, 1.2f, 0, 2.1) == (large == 0));
        drop(&f);
    }
}

// Both maps are the same from a frame on.
static void check_same(const fixture *f, const tr_behavior_map *other, uint32_t first, const char *what) {
    uint32_t differences = 0;
    for (uint32_t i = 0; i < f->grid.columns * f->grid.rows; i++) {
        tr_vec2 p = tr_grid_centre(&f->grid, i % f->grid.columns, i / f->grid.columns);
        for (uint32_t band = 0; band < 3; band++)
            for (uint32_t frame = first; frame < tr_behavior_map_end(f->map); frame += 3)
                differences += tr_behavior_map_is_free(f->map, band, p, frame) !=
                               tr_behavior_map_is_free(other, band, p, frame);
    }
    if (differences > 0)
        test_failed(__FILE__, __LINE__, "%s: %u cells and slots differ", what, differences);
}

static tr_behavior_map *build_anew(fixture *f) {
    tr_behavior_map *own = f->map, *fresh = NULL;
    if (build(f))
        fresh = f->map;
    f->map = own;
    return fresh;
}

// Known motions, some replaced; things that come, go and wander about. When they are gone, the map is that of
// a scene in which they never were.
static void check_wandering(uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    fixture f;
    uint32_t wanderers[4];
    float x[4], z[4];
    REQUIRE(make_machine(&f) && make_scene(&f, &random, 8, 5, 0));
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t mesh = random_mesh(f.scene, &random);
        x[i] = draw(&random, -5, -2), z[i] = draw(&random, -5, 5);
        wanderers[i] = add_object(f.scene, mesh, tr_vec3_make(x[i], 0, z[i]), 0, 0);
    }
    REQUIRE(build(&f));
    tr_behavior_scene from = scene_of(&f);
    uint32_t frame = 0;
    for (int step = 0; step < 12; step++) {
        frame += 1 + tr_random_below(&random, 8);
        REQUIRE(tr_scene_set_time(f.scene, frame / 30.0) == TR_OK);
        for (uint32_t i = 0; i < 4; i++)
            if (tr_random_below(&random, 3)) {
                x[i] += draw(&random, -0.3f, 0.4f), z[i] += draw(&random, -0.3f, 0.3f);
                REQUIRE(place(&f, wanderers[i], x[i], z[i]));
            }
        tr_error error = {0};
        if (tr_behavior_map_update(f.map, &from, frame, NULL, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "no update: %s", error.message);
        for (uint32_t i = 0; i < 4; i++) // where it is now is taken
            CHECK(!tr_behavior_map_is_free(f.map, 0, tr_vec2_make(x[i], z[i]), frame));
    }
    uint32_t object = tr_scene_object_count(f.scene) - 5; // a thing whose motion was known
    add_motion(&f, object, &random, HALF, 0);
    for (uint32_t i = 0; i < 4; i++)
        REQUIRE(tr_scene_remove_object(f.scene, wanderers[i]) == TR_OK);
    REQUIRE(tr_behavior_map_update(f.map, &from, frame, NULL, NULL) == TR_OK);
    tr_behavior_map *fresh = build_anew(&f);
    REQUIRE(fresh);
    check_same(&f, fresh, frame, "things that are gone");
    tr_behavior_map_destroy(fresh);
    drop(&f);
}

TEST(things_that_are_gone_leave_no_trace) {
    for (uint64_t seed = 0; seed < 8; seed++)
        check_wandering(seed);
}

TEST(a_thing_that_is_added_is_found) {
    fixture f;
    uint32_t crate = make_field(&f, tr_vec3_make(-3, 0, 0));
    tr_behavior_change change;
    REQUIRE(crate != TR_NONE && build(&f));
    tr_behavior_scene from = scene_of(&f);
    uint32_t mesh = tr_scene_object(f.scene, crate).mesh;
    add_object(f.scene, mesh, tr_vec3_make(3, 0, 3), 0, 0);
    CHECK(is_free(&f, 3, 3, 1));
    REQUIRE(tr_behavior_map_update(f.map, &from, 20, &change, NULL) == TR_OK);
    CHECK(!is_free(&f, 3, 3, 1) && change.blocks && change.last == UINT32_MAX);
    tr_behavior_map *fresh = build_anew(&f);
    REQUIRE(fresh);
    check_same(&f, fresh, 0, "a thing that was added");
    tr_behavior_map_destroy(fresh);
    REQUIRE(tr_scene_remove_object(f.scene, crate) == TR_OK);
    REQUIRE(tr_behavior_map_update(f.map, &from, 20, &change, NULL) == TR_OK);
    CHECK(is_free(&f, -3, 0, 1) && !change.blocks);
    drop(&f);
}

TEST(an_update_that_cannot_be_made_gets_a_sentence) {
    fixture f;
    tr_error error = {0};
    REQUIRE(make_field(&f, tr_vec3_make(0, 0, 0)) != TR_NONE);
    tr_behavior_scene from = scene_of(&f);
    tr_behavior_map_def def = {.grid = f.grid, .behavior = f.behavior, .seconds = SECONDS};
    REQUIRE(tr_behavior_map_create(&def, &f.map, NULL) == TR_OK);
    CHECK_INT(tr_behavior_map_update(f.map, &from, 0, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "not built from a scene");
    REQUIRE(tr_behavior_map_build(f.map, &from, NULL) == TR_OK);
    REQUIRE(tr_behavior_map_update(f.map, &from, 9, NULL, NULL) == TR_OK);
    CHECK_INT(tr_behavior_map_update(f.map, &from, 8, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "before that of the last update, 9");
    from.doubt = NAN;
    CHECK_INT(tr_behavior_map_update(f.map, &from, 9, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "doubt");
    from.doubt = 0;
    from.doubt_seconds = 61;
    CHECK_INT(tr_behavior_map_update(f.map, &from, 9, NULL, &error), TR_INVALID);
    drop(&f);
}

static bool attempt(const tr_allocator *allocator) {
    fixture f;
    tr_error error = {0};
    bool done = false;
    uint32_t crate = make_field(&f, tr_vec3_make(0, 0, 0));
    if (crate == TR_NONE)
        return true;
    f.grid.cell = 0.4f, f.grid.columns = f.grid.rows = 30;
    tr_behavior_map_def def = {
        .allocator = allocator, .grid = f.grid, .behavior = f.behavior, .seconds = SECONDS};
    tr_behavior_scene from = scene_of(&f);
    if (tr_behavior_map_create(&def, &f.map, &error) == TR_OK &&
        tr_behavior_map_build(f.map, &from, &error) == TR_OK && place(&f, crate, 0.1f, 0)) {
        tr_status status = tr_behavior_map_update(f.map, &from, 3, NULL, &error);
        CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0]));
        if (status != TR_OK) // it can be built again
            CHECK_INT(tr_behavior_map_update(f.map, &from, 3, NULL, &error), TR_INVALID);
        done = status == TR_OK;
    }
    drop(&f);
    return done;
}

TEST(every_allocation_of_an_update_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 20);
}
