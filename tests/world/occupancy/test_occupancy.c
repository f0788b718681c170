#include "world/little.h"

#include <float.h>

TEST(an_empty_world_is_free_and_infinitely_clear) {
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    REQUIRE(raster && tr_scene_create(NULL, &scene) == TR_OK);
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 50, 30});
    tr_occupancy *occupancy = little_occupancy(&def);
    REQUIRE(occupancy);
    for (int built = 0; built < 2; built++) { // before the first build, and after
        CHECK_INT(tr_bitmap_count(tr_occupancy_occupied(occupancy)), 0);
        CHECK_INT(tr_bitmap_count(tr_occupancy_blocked(occupancy)), 0);
        for (int i = 0; i < 50 * 30; i++)
            CHECK(tr_occupancy_clearance(occupancy)[i] == INFINITY &&
                  tr_occupancy_floor(occupancy)[i] == -INFINITY &&
                  tr_occupancy_overhang(occupancy)[i] == INFINITY);
        CHECK(tr_occupancy_is_free(occupancy, (tr_vec2){2.5f, 1.5f}));
        CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
    }
    CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){5.5f, 1}));
    CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){-0.01f, 1}));
    CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){NAN, 1}));
    tr_occupancy_destroy(occupancy);
    tr_occupancy_destroy(NULL);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

TEST(a_body_is_free_where_its_cylinder_touches_nothing) {
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    REQUIRE(raster && tr_scene_create(NULL, &scene) == TR_OK);
    little_box(scene, little_make_box(2, 0, 2, 3, 1, 3), 0);
    little_box(scene, little_make_box(0, -1, 0, 6, 0, 6), TR_TAG_WALKABLE); // the ground is below the band
    little_box(scene, little_make_box(0, 2, 0, 6, 3, 6), 0);                // the ceiling above it
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 60, 60});
    tr_occupancy *occupancy = little_occupancy(&def);
    REQUIRE(occupancy);
    CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
    tr_random random = tr_random_seed(6);
    uint32_t free_points = 0;
    for (int i = 0; i < 20000; i++) {
        tr_vec2 p = {tr_random_between(&random, 0, 6), tr_random_between(&random, 0, 6)};
        double dx = fmax(fmax(2 - p.x, p.x - 3), 0), dz = fmax(fmax(2 - p.z, p.z - 3), 0),
               gap = sqrt(dx * dx + dz * dz);
        bool is_free = tr_occupancy_is_free(occupancy, p);
        CHECK(!is_free || gap >= 0.3);     // never free where it would touch
        CHECK(is_free || gap < 0.3 + 0.3); // and no wider than the cells' own size asks for
        free_points += is_free;
    }
    CHECK(free_points > 15000);
    const tr_grid *grid = tr_occupancy_grid(occupancy);
    const float *floor_plane = tr_occupancy_floor(occupancy), *overhang = tr_occupancy_overhang(occupancy);
    CHECK_NEAR(floor_plane[25 * grid->columns + 20], 0.925f, 1e-6); // a side of the box goes up to the split
    CHECK_NEAR(overhang[25 * grid->columns + 20], 0.925f, 1e-6);
    CHECK(floor_plane[25 * grid->columns + 25] == -INFINITY); // inside there is only its top
    CHECK_NEAR(overhang[25 * grid->columns + 25], 1, 1e-6);
    tr_occupancy_destroy(occupancy);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

static void check_same_maps(const tr_occupancy *a, const tr_occupancy *b, int step) {
    const tr_grid *grid = tr_occupancy_grid(a);
    size_t bytes = (size_t)grid->columns * grid->rows * sizeof(float);
    if (!tr_bitmap_equal(tr_occupancy_occupied(a), tr_occupancy_occupied(b)))
        test_failed(__FILE__, __LINE__, "step %d: occupied differs", step);
    if (!tr_bitmap_equal(tr_occupancy_blocked(a), tr_occupancy_blocked(b)))
        test_failed(__FILE__, __LINE__, "step %d: blocked differs", step);
    if (tr_occupancy_floor(a) && (memcmp(tr_occupancy_floor(a), tr_occupancy_floor(b), bytes) != 0 ||
                                  memcmp(tr_occupancy_overhang(a), tr_occupancy_overhang(b), bytes) != 0))
        test_failed(__FILE__, __LINE__, "step %d: heights differ", step);
    if (tr_occupancy_clearance(a) && memcmp(tr_occupancy_clearance(a), tr_occupancy_clearance(b), bytes) != 0)
        test_failed(__FILE__, __LINE__, "step %d: clearance differs", step);
}

// What was there before an update: cells outside `changed` must not have changed.
typedef struct snapshot {
    tr_bitmap occupied, blocked;
} snapshot;

static void take_snapshot(snapshot *before, const tr_occupancy *occupancy) {
    memcpy(before->occupied.words, tr_occupancy_occupied(occupancy)->words,
           tr_bitmap_bytes(&before->occupied));
    memcpy(before->blocked.words, tr_occupancy_blocked(occupancy)->words, tr_bitmap_bytes(&before->blocked));
}

static void check_covered(const snapshot *before, const tr_occupancy *occupancy, tr_cells changed, int step) {
    for (uint32_t row = 0; row < before->occupied.rows; row++)
        for (uint32_t column = 0; column < before->occupied.columns; column++) {
            bool same = tr_bitmap_get(&before->occupied, column, row) ==
                            tr_bitmap_get(tr_occupancy_occupied(occupancy), column, row) &&
                        tr_bitmap_get(&before->blocked, column, row) ==
                            tr_bitmap_get(tr_occupancy_blocked(occupancy), column, row);
            if (!same && !little_is_inside(changed, column, row))
                test_failed(__FILE__, __LINE__, "step %d: cell (%u, %u) changed outside [%u, %u) x [%u, %u)",
                            step, column, row, changed.column_begin, changed.column_end, changed.row_begin,
                            changed.row_end);
        }
}

// A world that changes at random: meshes of several kinds and things that draw themselves, about a far or
// near place.
typedef struct world {
    tr_scene *scene;
    tr_random random;
    tr_vec3 home;
    float size;
    uint32_t meshes[4];
    little_drawing drawings[3];
    uint32_t drawn[3];
} world;

static tr_vec3 world_place(world *w) {
    // Mostly over the grid; at times beyond its border, or above and below the band.
    float out = tr_random_below(&w->random, 5) == 0 ? w->size : 0;
    float height = tr_random_below(&w->random, 5) == 0 ? tr_random_between(&w->random, -4, 4) : 0.2f;
    return tr_vec3_make(w->home.x + tr_random_between(&w->random, -out, w->size + out), height,
                        w->home.z + tr_random_between(&w->random, -out, w->size + out));
}

static tr_affine world_placement(world *w) {
    tr_transform t = tr_transform_identity();
    t.position = world_place(w);
    t.rotation = tr_quat_about(tr_vec3_make(tr_random_between(&w->random, -0.3f, 0.3f), 1, 0.1f),
                               tr_random_between(&w->random, -4, 4));
    t.scale = tr_vec3_make(tr_random_between(&w->random, 0.2f, 1), 1, tr_random_between(&w->random, 0.2f, 1));
    return tr_affine_from_transform(t);
}

static tr_box world_draw(world *w, int i) {
    tr_vec3 p = world_place(w);
    tr_box box = {
        p, {p.x + tr_random_between(&w->random, 0, 1), p.y + 1, p.z + tr_random_between(&w->random, 0, 1)}};
    little_draw_box(&w->drawings[i], box);
    return box;
}

static bool world_begin(world *w, uint64_t seed, tr_vec3 home, float size) {
    memset(w, 0, sizeof *w);
    w->random = tr_random_seed(seed);
    w->home = home;
    w->size = size;
    if (tr_scene_create(NULL, &w->scene) != TR_OK)
        return false;
    w->meshes[0] = little_box_mesh(w->scene, little_make_box(-0.5f, 0, -0.5f, 0.5f, 1, 0.5f));
    w->meshes[1] =
        little_box_mesh(w->scene, little_make_box(-1.5f, 0, 0, 1.5f, 2, 0));     // a wall without thickness
    w->meshes[2] = little_box_mesh(w->scene, little_make_box(0, 0, 0, 0, 2, 0)); // a rod
    w->meshes[3] = little_box_mesh(w->scene, little_make_box(3, 0, 3, 4, 0.5f, 4)); // away from its origin
    for (int i = 0; i < 25; i++)
        little_object(w->scene, w->meshes[tr_random_below(&w->random, 4)], world_placement(w), 0);
    for (int i = 0; i < 3; i++)
        w->drawn[i] = little_drawn(w->scene, &w->drawings[i], world_draw(w, i));
    return w->drawn[2] != TR_NONE;
}

static void world_change(world *w) {
    uint32_t count = tr_scene_object_count(w->scene), object = tr_random_below(&w->random, count);
    tr_object_view view = tr_scene_object(w->scene, object);
    tr_affine placement = world_placement(w);
    switch (tr_random_below(&w->random, 12)) {
    case 0:
        if (view.mesh != TR_NONE) // the drawings stay, their number is known
            tr_scene_remove_object(w->scene, object);
        break;
    case 1:
        if (count < 300)
            little_object(w->scene, w->meshes[tr_random_below(&w->random, 4)], placement, 0);
        break;
    case 2:
        tr_scene_set_tags(w->scene, object, tr_random_below(&w->random, 2) ? TR_TAG_STEP_OVER : 0);
        break;
    case 3: {
        int i = (int)tr_random_below(&w->random, 3);
        tr_scene_touch(w->scene, w->drawn[i], world_draw(w, i));
        break;
    }
    case 4: // a hair's breadth
        placement = view.placement;
        placement.m[0][3] = nextafterf(placement.m[0][3], INFINITY);
        tr_scene_place(w->scene, object, &placement);
        break;
    default:
        tr_scene_place(w->scene, object, &placement);
        break;
    }
}

// The rectangles cover every cell that differs, none covers one twice, and `changed` is around all of them.
static void check_changes(const snapshot *before, const tr_occupancy *after, tr_cells changed, int step) {
    uint32_t count;
    const tr_cells *list = tr_occupancy_changes(after, &count);
    CHECK(count <= TR_OCCUPANCY_CHANGES_MAX);
    for (uint32_t row = 0; row < before->blocked.rows; row++)
        for (uint32_t column = 0; column < before->blocked.columns; column++) {
            uint32_t times = 0;
            for (uint32_t i = 0; i < count; i++)
                times += little_is_inside(list[i], column, row);
            bool differs = tr_bitmap_get(&before->blocked, column, row) !=
                               tr_bitmap_get(tr_occupancy_blocked(after), column, row) ||
                           tr_bitmap_get(&before->occupied, column, row) !=
                               tr_bitmap_get(tr_occupancy_occupied(after), column, row);
            if (times > 1 || (differs && times == 0) ||
                (times == 1 && !little_is_inside(changed, column, row)))
                test_failed(__FILE__, __LINE__, "step %d: cell %u, %u is covered %u times", step, column, row,
                            times);
        }
}

static void update_and_compare(uint64_t seed, tr_vec3 home, tr_growth growth, float radius, uint32_t lanes,
                               int steps) {
    world w;
    tr_raster *raster = little_raster(lanes);
    tr_occupancy_def def = little_occupancy_def((tr_grid){{home.x, home.z}, 0.1f, 81, 77});
    def.growth = growth;
    def.radius = radius;
    def.band.exclude_tags = TR_TAG_STEP_OVER;
    def.band.exclude_object = 3;
    tr_occupancy *updated = little_occupancy(&def), *built = little_occupancy(&def);
    snapshot before;
    REQUIRE(raster && updated && built && world_begin(&w, seed, home, 8) &&
            tr_bitmap_create(NULL, 81, 77, &before.occupied) == TR_OK &&
            tr_bitmap_create(NULL, 81, 77, &before.blocked) == TR_OK);
    CHECK_INT(tr_occupancy_build(updated, raster, w.scene, NULL), TR_OK);
    uint64_t most = 0;
    for (int step = 0; step < steps; step++) {
        take_snapshot(&before, updated);
        static const uint32_t bunches[] = {0, 1, 1, 2, 5, 40};
        for (uint32_t changes = little_pick(&w.random, bunches, 6); changes > 0; changes--)
            world_change(&w);
        tr_cells changed = {9, 9, 9, 9};
        CHECK_INT(tr_occupancy_update(updated, raster, w.scene, &changed, NULL), TR_OK);
        CHECK_INT(tr_occupancy_build(built, raster, w.scene, NULL), TR_OK);
        check_same_maps(updated, built, step);
        check_covered(&before, updated, changed, step);
        check_changes(&before, updated, changed, step);
        most = tr_bitmap_count(tr_occupancy_occupied(built)) > most
                   ? tr_bitmap_count(tr_occupancy_occupied(built))
                   : most;
    }
    CHECK(most > 100); // there was something to see
    tr_bitmap_destroy(NULL, &before.occupied);
    tr_bitmap_destroy(NULL, &before.blocked);
    tr_occupancy_destroy(updated);
    tr_occupancy_destroy(built);
    tr_scene_destroy(w.scene);
    tr_raster_destroy(raster);
}

TEST(an_update_gives_the_bits_of_a_build_through_long_random_changes) {
    update_and_compare(1, tr_vec3_make(0, 0, 0), TR_GROWTH_SAFE, 0.3f, 0, 250);
    update_and_compare(2, tr_vec3_make(-4, 0, -4), TR_GROWTH_CENTRES, 0.55f, 4, 120);
    update_and_compare(3, tr_vec3_make(-4, 0, -4), TR_GROWTH_SAFE, 0, 4, 60);
}

TEST(an_update_gives_the_bits_of_a_build_far_from_the_origin) {
    update_and_compare(4, tr_vec3_make(5000, 0, -5000), TR_GROWTH_SAFE, 0.3f, 0, 120);
    update_and_compare(5, tr_vec3_make(-60000, 0, 777), TR_GROWTH_CENTRES, 0.3f, 0, 60);
}

TEST(an_update_gives_the_bits_of_a_build_for_a_mesh_far_from_its_own_origin) {
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.02f, 150, 150});
    tr_occupancy *updated = little_occupancy(&def), *built = little_occupancy(&def);
    REQUIRE(raster && updated && built && tr_scene_create(NULL, &scene) == TR_OK);
    uint32_t mesh = little_box_mesh(scene, little_make_box(90000, 0, 70000, 90000.5f, 1, 70000.5f));
    uint32_t object = little_object(scene, mesh, little_move(-89999, 0, -69999), 0);
    tr_random random = tr_random_seed(17);
    CHECK_INT(tr_occupancy_build(updated, raster, scene, NULL), TR_OK);
    for (int step = 0; step < 60; step++) {
        tr_affine back = little_move(-90000.25f, 0, -70000.25f);
        tr_affine turn = tr_affine_place(
            tr_vec3_make(tr_random_between(&random, 0.5f, 2.5f), 0, tr_random_between(&random, 0.5f, 2.5f)),
            tr_random_between(&random, -3, 3));
        tr_affine placement = tr_affine_multiply(&turn, &back);
        CHECK_INT(tr_scene_place(scene, object, &placement), TR_OK);
        CHECK_INT(tr_occupancy_update(updated, raster, scene, NULL, NULL), TR_OK);
        CHECK_INT(tr_occupancy_build(built, raster, scene, NULL), TR_OK);
        CHECK(tr_bitmap_count(tr_occupancy_occupied(built)) > 0);
        check_same_maps(updated, built, step);
    }
    tr_occupancy_destroy(updated);
    tr_occupancy_destroy(built);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

static bool is_none(tr_cells cells) {
    return cells.column_begin >= cells.column_end || cells.row_begin >= cells.row_end;
}

TEST(an_update_touches_only_what_lies_under_the_change) {
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    REQUIRE(raster && tr_scene_create(NULL, &scene) == TR_OK);
    uint32_t box = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    tr_affine placement = little_move(2, 0, 2);
    tr_scene_place(scene, box, &placement);
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 100, 100});
    tr_occupancy *occupancy = little_occupancy(&def);
    REQUIRE(occupancy);
    tr_cells changed = {0};
    // The first update of a scene is a build: everything.
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
    CHECK(changed.column_begin == 0 && changed.column_end == 100 && changed.row_begin == 0 &&
          changed.row_end == 100);
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
    CHECK(is_none(changed)); // nothing had moved
    placement = little_move(2.1f, 0, 2);
    tr_scene_place(scene, box, &placement);
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
    // Cells 20 to 31, four more for the radius, and one or two for rounding.
    CHECK(changed.column_begin >= 14 && changed.column_begin <= 17 && changed.column_end >= 34 &&
          changed.column_end <= 37);
    CHECK(changed.row_begin >= 14 && changed.row_begin <= 17 && changed.row_end >= 33 &&
          changed.row_end <= 36);
    // High above the band, and an object that the band leaves out: nothing to redo.
    uint32_t lamp = little_box(scene, little_make_box(5, 3, 5, 6, 4, 6), 0);
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
    CHECK(is_none(changed));
    placement = little_move(1, 0, 1);
    tr_scene_place(scene, lamp, &placement);
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
    CHECK(is_none(changed));
    tr_scene *other = NULL;
    REQUIRE(tr_scene_create(NULL, &other) == TR_OK);
    CHECK_INT(tr_occupancy_update(occupancy, raster, other, &changed, NULL), TR_OK);
    CHECK_INT(changed.column_end, 100); // another scene is a build
    CHECK_INT(tr_bitmap_count(tr_occupancy_blocked(occupancy)), 0);
    tr_scene_destroy(other);
    tr_occupancy_destroy(occupancy);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

TEST(after_the_first_build_neither_build_nor_update_allocates) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    world w;
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT, .allocator = &allocator};
    tr_raster *raster = NULL;
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 81, 77});
    def.allocator = &allocator;
    tr_occupancy *occupancy = little_occupancy(&def);
    REQUIRE(occupancy && tr_raster_create(&raster_def, &raster, NULL) == TR_OK &&
            world_begin(&w, 12, tr_vec3_make(0, 0, 0), 8));
    CHECK_INT(tr_occupancy_build(occupancy, raster, w.scene, NULL), TR_OK);
    uint64_t calls = memory.calls;
    for (int step = 0; step < 60; step++) {
        for (int i = 0; i < 3; i++) {
            tr_affine placement = world_placement(&w);
            tr_scene_place(w.scene, tr_random_below(&w.random, 25), &placement);
        }
        tr_scene_set_tags(w.scene, tr_random_below(&w.random, 25), (uint32_t)step);
        CHECK_INT(tr_occupancy_update(occupancy, raster, w.scene, NULL, NULL), TR_OK);
        CHECK_INT(tr_occupancy_build(occupancy, raster, w.scene, NULL), TR_OK);
    }
    CHECK_INT(memory.calls, calls);
    tr_occupancy_destroy(occupancy);
    tr_raster_destroy(raster);
    CHECK_INT(memory.live_bytes, 0);
    tr_scene_destroy(w.scene);
}

TEST(a_draw_that_failed_is_made_good_by_the_next_update) {
    tr_raster *raster = little_raster(0);
    world w;
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 81, 77});
    tr_occupancy *updated = little_occupancy(&def), *built = little_occupancy(&def);
    REQUIRE(raster && updated && built && world_begin(&w, 31, tr_vec3_make(0, 0, 0), 8));
    for (int round = 0; round < 6; round++) {
        if (round) // in round 0 already the first build fails
            CHECK_INT(tr_occupancy_update(updated, raster, w.scene, NULL, NULL), TR_OK);
        tr_box box = little_make_box(3 + (float)round / 7, 0, 3, 4.5f, 1, 5);
        little_draw_box(&w.drawings[1], box);
        w.drawings[1].corners[7].y = NAN;
        CHECK_INT(tr_scene_touch(w.scene, w.drawn[1], box), TR_OK);
        tr_affine moved = world_placement(&w);
        CHECK_INT(tr_scene_place(w.scene, 2, &moved), TR_OK);
        tr_error error = {0};
        CHECK_INT(tr_occupancy_update(updated, raster, w.scene, NULL, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "emitted a corner that is not finite");
        CHECK_INT(tr_occupancy_update(updated, raster, w.scene, NULL, NULL), TR_INVALID); // still broken
        little_draw_box(&w.drawings[1], box); // mended, without a touch: what failed is drawn again anyway
        tr_cells changed;
        CHECK_INT(tr_occupancy_update(updated, raster, w.scene, &changed, NULL), TR_OK);
        CHECK_INT(changed.column_end - changed.column_begin, 81);
        CHECK_INT(tr_occupancy_build(built, raster, w.scene, NULL), TR_OK);
        check_same_maps(updated, built, round);
    }
    tr_occupancy_destroy(updated);
    tr_occupancy_destroy(built);
    tr_scene_destroy(w.scene);
    tr_raster_destroy(raster);
}

TEST(a_map_is_the_same_whether_a_team_draws_it_or_one_thread) {
    tr_tasks *tasks = NULL;
    REQUIRE(tr_tasks_create(NULL, 3, &tasks, NULL) == TR_OK);
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .tasks = tasks};
    tr_raster *team = NULL, *alone = little_raster(0);
    world w;
    REQUIRE(tr_raster_create(&def, &team, NULL) == TR_OK && alone &&
            world_begin(&w, 5, tr_vec3_make(0, 0, 0), 8));
    for (int i = 0; i < 2000; i++) // enough triangles for a team to be worth while
        little_object(w.scene, w.meshes[i % 4], world_placement(&w), 0);
    tr_occupancy_def occupancy_def = little_occupancy_def((tr_grid){{0, 0}, 0.03f, 300, 290});
    tr_occupancy *a = little_occupancy(&occupancy_def), *b = little_occupancy(&occupancy_def);
    REQUIRE(a && b);
    for (int step = 0; step < 4; step++) {
        CHECK_INT(tr_occupancy_update(a, team, w.scene, NULL, NULL), TR_OK);
        CHECK_INT(tr_occupancy_update(b, alone, w.scene, NULL, NULL), TR_OK);
        check_same_maps(a, b, step);
        world_change(&w);
    }
    tr_occupancy_destroy(a);
    tr_occupancy_destroy(b);
    tr_raster_destroy(team);
    tr_raster_destroy(alone);
    tr_tasks_destroy(tasks);
    tr_scene_destroy(w.scene);
}

TEST(the_default_is_an_adult_on_the_ground) {
    tr_occupancy_def def = tr_occupancy_def_default(2);
    CHECK_NEAR(def.band.low, 2.05, 1e-6);
    CHECK_NEAR(def.band.high, 3.8, 1e-6);
    CHECK_NEAR(def.radius, 0.3, 1e-7);
    CHECK_INT(def.growth, TR_GROWTH_SAFE);
    CHECK_INT(def.band.exclude_object, TR_NONE);
    CHECK(!def.keep_heights && !def.keep_clearance);
    def.grid = (tr_grid){{0, 0}, 0.1f, 9, 9};
    tr_occupancy *occupancy = little_occupancy(&def);
    REQUIRE(occupancy);
    CHECK(tr_occupancy_floor(occupancy) == NULL && tr_occupancy_overhang(occupancy) == NULL &&
          tr_occupancy_clearance(occupancy) == NULL);
    CHECK_INT(tr_occupancy_grid(occupancy)->columns, 9);
    tr_occupancy_destroy(occupancy);
}

static void check_refused(const tr_occupancy_def *def, tr_status status, const char *sentence) {
    tr_occupancy *occupancy = (tr_occupancy *)&status;
    tr_error error = {0};
    CHECK_INT(tr_occupancy_create(def, &occupancy, &error), status);
    CHECK(occupancy == NULL);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(error.status, status);
    CHECK_INT(tr_occupancy_create(def, &occupancy, NULL), status);
}

TEST(a_bad_definition_is_refused_with_the_value) {
    tr_occupancy_def good = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 100, 100}), bad = good;
    bad.grid = (tr_grid){{-5000, -5000}, 0.01f, 1000000, 1000000}; // 10 km at 1 cm
    check_refused(&bad, TR_LIMIT,
                  "1000000 x 1000000 cells of 0.01 m are needed, the limit is 268435456 cells and 32768");
    bad = good, bad.max_cells = 9999;
    check_refused(&bad, TR_LIMIT, "100 x 100 cells of 0.1 m are needed, the limit is 9999");
    bad = good, bad.grid = (tr_grid){0};
    check_refused(&bad, TR_INVALID, "the grid's cell is 0 m");
    bad = good, bad.radius = -0.1f;
    check_refused(&bad, TR_INVALID,
                  "the radius is -0.1 m, it must be at least 0 and at most 65536 cells of 0.1 m");
    bad.radius = NAN;
    check_refused(&bad, TR_INVALID, "the radius is");
    bad.radius = INFINITY;
    check_refused(&bad, TR_INVALID, "the radius is inf m");
    bad.radius = 1e6f;
    check_refused(&bad, TR_INVALID, "the radius is 1e+06 m");
    bad = good, bad.band.low = 3;
    check_refused(&bad, TR_INVALID, "the height band goes from 3 to 1.8 m");
    bad.band.low = NAN;
    check_refused(&bad, TR_INVALID, "the height band goes from");
    bad = good, bad.band.high = INFINITY;
    check_refused(&bad, TR_INVALID, "the height band goes from 0.05 to inf m");
    bad = good, bad.growth = (tr_growth)7;
    check_refused(&bad, TR_INVALID, "growth 7 is unknown");
}

TEST(a_band_as_high_as_floats_go_is_a_band) {
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    REQUIRE(raster && tr_scene_create(NULL, &scene) == TR_OK);
    little_box(scene, little_make_box(1, 50, 1, 2, 60, 2), 0);
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 40, 40});
    def.band.low = -FLT_MAX, def.band.high = FLT_MAX;
    tr_occupancy *occupancy = little_occupancy(&def);
    REQUIRE(occupancy);
    CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
    CHECK_INT(tr_bitmap_count(tr_occupancy_occupied(occupancy)), 12 * 12);
    CHECK_NEAR(tr_occupancy_overhang(occupancy)[15 * 40 + 15], 50, 1e-4);
    CHECK(tr_occupancy_floor(occupancy)[15 * 40 + 15] == -INFINITY); // the split is 0
    tr_occupancy_destroy(occupancy);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

// What docs/world/occupancy.md says a cell costs.
TEST(the_memory_for_each_cell_is_what_the_page_says) {
    static const struct {
        bool heights, clearance;
        double bytes;
    } kinds[] = {{false, false, 0.28}, {true, false, 8.28}, {false, true, 4.29}, {true, true, 12.29}};
    for (int i = 0; i < 4; i++) {
        test_memory memory = {0};
        tr_allocator allocator = test_memory_allocator(&memory);
        tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 1000, 1000});
        def.allocator = &allocator;
        def.keep_heights = kinds[i].heights;
        def.keep_clearance = kinds[i].clearance;
        tr_occupancy *occupancy = little_occupancy(&def);
        REQUIRE(occupancy);
        double each = tr_occupancy_bytes_per_cell(occupancy);
        CHECK(each <= kinds[i].bytes && each > kinds[i].bytes - 0.02);
        CHECK_NEAR((double)memory.live_bytes / 1e6, each, 0.001); // and that is what was taken
        tr_occupancy_destroy(occupancy);
    }
}

static bool create_build_and_update(const tr_allocator *allocator) {
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 81, 77});
    def.allocator = allocator;
    tr_occupancy *occupancy = NULL;
    tr_error error = {0};
    if (tr_occupancy_create(&def, &occupancy, &error) != TR_OK) {
        CHECK(occupancy == NULL);
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
        CHECK_CONTAINS(error.message, "no memory for an occupancy");
        return false;
    }
    world w;
    tr_raster *raster = little_raster(0);
    bool done = raster && world_begin(&w, 3, tr_vec3_make(0, 0, 0), 8);
    done = done && tr_occupancy_build(occupancy, raster, w.scene, &error) == TR_OK;
    uint64_t blocked = tr_bitmap_count(tr_occupancy_blocked(occupancy));
    for (int i = 0; done && i < 40; i++)
        little_object(w.scene, w.meshes[0], world_placement(&w), 0);
    tr_cells changed = {1, 1, 2, 2};
    if (done && tr_occupancy_update(occupancy, raster, w.scene, &changed, &error) != TR_OK) {
        CHECK_CONTAINS(error.message, "no memory to remember 68 objects");
        CHECK_INT(tr_bitmap_count(tr_occupancy_blocked(occupancy)), blocked); // the map is as it was
        CHECK(is_none(changed));
        done = false;
    }
    if (!done)
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
    tr_scene_destroy(w.scene);
    tr_raster_destroy(raster);
    tr_occupancy_destroy(occupancy);
    return done;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_build_and_update), 10);
}
