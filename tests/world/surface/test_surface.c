// What a surface is, on scenes that can be counted by hand.
#include "surface_oracle.h"

// A surface of `scene`, cells of 0.25 m and layers of 0.1 m over 8 x 8 m (two by two tiles: one column more
// than 32) up to 6 m; NULL when it could not be built.
static tr_surface_def plain_def(void) {
    tr_surface_def def = tr_surface_def_default();
    def.grid = (tr_voxel_grid){{{0, 0}, 0.25f, 33, 33}, 0, 0.1f, 60};
    def.guess = false;
    return def;
}

static tr_surface *surface_of(const tr_surface_def *def, const tr_scene *scene) {
    tr_surface *surface = NULL;
    tr_raster *raster = little_raster(0);
    tr_error error = {.message = ""};
    if (tr_surface_create(def, &surface, &error) != TR_OK ||
        tr_surface_build(surface, raster, scene, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_raster_destroy(raster);
    return surface;
}

static tr_scene *empty_scene(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    return scene;
}

static tr_surface_place place_at(const tr_surface *surface, float x, float z, uint32_t index) {
    uint32_t column = 0, row = 0;
    CHECK(tr_grid_find(&tr_surface_grid(surface)->grid, (tr_vec2){x, z}, &column, &row));
    return tr_surface_place_of(surface, column, row, index);
}

static uint32_t count_at(const tr_surface *surface, float x, float z) {
    uint32_t column = 0, row = 0;
    CHECK(tr_grid_find(&tr_surface_grid(surface)->grid, (tr_vec2){x, z}, &column, &row));
    return tr_surface_at(surface, column, row).count;
}

#define CHECK_PLACE(place, its_height, its_room, its_kind)                                                   \
    do {                                                                                                     \
        tr_surface_place place_ = (place);                                                                   \
        CHECK_NEAR(place_.height, its_height, 0.0011);                                                       \
        if (isinf((double)(its_room)))                                                                       \
            CHECK(isinf(place_.room));                                                                       \
        else                                                                                                 \
            CHECK_NEAR(place_.room, its_room, 0.0001);                                                       \
        CHECK_INT(place_.kind, its_kind);                                                                    \
    } while (0)

// Bandi & Thalmann 1998, figure 4: a balcony above a floor, and stairs that lead up to it.
TEST(figure_4_a_balcony_is_above_the_floor_and_under_the_stairs_is_less_room) {
    tr_scene *scene = empty_scene();
    little_box(scene, little_make_box(0, 0, 0, 8.25f, 0.05f, 8.25f), 0);
    little_box(scene, little_make_box(4.02f, 2.62f, 0.02f, 7.98f, 2.75f, 7.98f), 0); // the balcony
    for (int i = 0; i < 15; i++) { // treads without anything below them, 0.18 m up each
        float x = 0.27f + 0.25f * (float)i, top = 0.05f + 0.18f * (float)(i + 1);
        little_box(scene, little_make_box(x, top - 0.04f, 3.02f, x + 0.21f, top, 3.98f), 0);
    }
    tr_surface_def def = plain_def();
    tr_surface *surface = surface_of(&def, scene);
    REQUIRE(surface);
    CHECK_INT(count_at(surface, 5.1f, 5.1f), 2); // b2 on the floor, b1 on the balcony
    CHECK_PLACE(place_at(surface, 5.1f, 5.1f, 0), 0.05, 2.55, TR_SURFACE_STAND);
    CHECK_PLACE(place_at(surface, 5.1f, 5.1f, 1), 2.75, INFINITY, TR_SURFACE_STAND);
    CHECK_INT(count_at(surface, 1.1f, 7.1f), 1); // beside the stairs
    CHECK_PLACE(place_at(surface, 1.1f, 7.1f, 0), 0.05, INFINITY, TR_SURFACE_STAND);
    for (int i = 0; i < 15; i++) {
        float x = 0.37f + 0.25f * (float)i;
        double top = 0.05 + 0.18 * (i + 1), under = floor((top - 0.04) / 0.1 + 1e-3) * 0.1 - 0.05;
        uint32_t count = count_at(surface, x, 3.4f);
        CHECK_INT(count, under >= 0.5 ? 2 : 1); // the forbidden region has too little room for anybody
        if (count == 2)
            CHECK_PLACE(place_at(surface, x, 3.4f, 0), 0.05, under, TR_SURFACE_STAND);
        CHECK_NEAR(place_at(surface, x, 3.4f, count - 1).height, top, 0.0011);
    }
    tr_surface_destroy(surface);
    tr_scene_destroy(scene);
}

TEST(heights_are_exact_to_the_unit) {
    tr_random random = tr_random_seed(9);
    for (int i = 0; i < 300; i++) {
        tr_scene *scene = empty_scene();
        uint32_t millimetres = tr_random_below(&random, 5900);
        float top = (float)millimetres / 1000, thick = tr_random_between(&random, 0, 0.5f);
        little_box(scene, little_make_box(2, top - thick, 2, 3, top, 3), 0);
        tr_surface_def def = plain_def();
        tr_surface *surface = surface_of(&def, scene);
        REQUIRE(surface);
        tr_surface_column cells = tr_surface_at(surface, 10, 10);
        REQUIRE(cells.count > 0);
        CHECK_INT(cells.heights[cells.count - 1], millimetres);
        CHECK_INT(cells.rooms[cells.count - 1], TR_SURFACE_STAND << 6 | TR_SURFACE_ROOM_MAX);
        tr_surface_destroy(surface);
        tr_scene_destroy(scene);
    }
}

TEST(a_tall_grid_has_larger_units) {
    tr_scene *scene = empty_scene();
    little_box(scene, little_make_box(0, 0, 0, 9, 150.5f, 9), 0);
    tr_surface_def def = plain_def();
    def.grid.bottom = -10;
    def.grid.layer = 0.25f;
    def.grid.layers = 800;
    tr_surface *surface = surface_of(&def, scene);
    REQUIRE(surface);
    tr_surface_scale scale = tr_surface_scale_of(surface);
    CHECK_NEAR(scale.unit, 200.0 / 65535, 1e-9);
    uint32_t last = count_at(surface, 4, 4) - 1;
    tr_surface_place top = place_at(surface, 4, 4, last);
    CHECK(top.height >= 150.4999f && top.height < 150.5f + 1.01 * scale.unit);
    CHECK_INT(tr_surface_units(surface, 200), 65535);
    CHECK_INT(tr_surface_units(surface, 1e9), 65535);
    tr_surface_destroy(surface);
    tr_scene_destroy(scene);
}

TEST(differences_round_down_and_needs_round_up) {
    tr_surface_def def = plain_def();
    tr_surface *surface = NULL;
    REQUIRE(tr_surface_create(&def, &surface, NULL) == TR_OK);
    CHECK_INT(tr_surface_units(surface, 0.45f), 450);
    CHECK_INT(tr_surface_units(surface, 0.4509), 450);
    CHECK_INT(tr_surface_units(surface, -1), 0);
    CHECK_INT(tr_surface_units(surface, NAN), 0);
    CHECK_INT(tr_surface_room(surface, 1.8f), 36);
    CHECK_INT(tr_surface_room(surface, 1.81), 37);
    CHECK_INT(tr_surface_room(surface, -1), 0);
    CHECK_INT(tr_surface_room(surface, 100), TR_SURFACE_ROOM_MAX);
    CHECK_INT(tr_surface_room(surface, NAN), TR_SURFACE_ROOM_MAX);
    CHECK_INT(tr_surface_cell_count(surface), 0); // nothing before the first build
    CHECK_INT(tr_surface_at(surface, 3, 3).count, 0);
    CHECK_INT(tr_surface_drop(surface, tr_vec3_make(1, 1, 1), 0).cell, TR_NONE);
    CHECK_INT(tr_surface_nearest(surface, tr_vec3_make(1, 1, 1), INFINITY, 0).cell, TR_NONE);
    CHECK_INT(tr_surface_find(surface, 0).cell, TR_NONE);
    tr_surface_destroy(surface);
}

// What hangs in the air says how much room there is below it; what stands on the bottom has nothing below.
TEST(the_air_below_the_lowest_thing_is_told) {
    tr_scene *scene = empty_scene();
    little_box(scene, little_make_box(1.02f, 2.02f, 1.02f, 1.98f, 2.08f, 1.98f), 0);
    little_box(scene, little_make_box(4.02f, 0.32f, 4.02f, 4.98f, 0.38f, 4.98f), 0);
    little_box(scene, little_make_box(6.02f, 0, 6.02f, 6.98f, 0.38f, 6.98f), 0);
    tr_surface_def def = plain_def();
    tr_surface *surface = surface_of(&def, scene);
    REQUIRE(surface);
    CHECK_INT(count_at(surface, 1.5f, 1.6f), 2);
    CHECK_PLACE(place_at(surface, 1.5f, 1.6f, 0), 0, 2, TR_SURFACE_VOID);
    CHECK_PLACE(place_at(surface, 1.5f, 1.6f, 1), 2.08, INFINITY, TR_SURFACE_STAND);
    CHECK_INT(count_at(surface, 4.6f, 4.6f), 1); // 0.3 m of air are nobody's way
    CHECK_PLACE(place_at(surface, 4.6f, 4.6f, 0), 0.38, INFINITY, TR_SURFACE_STAND);
    CHECK_INT(count_at(surface, 6.6f, 6.6f), 1);
    CHECK_INT(count_at(surface, 3, 3), 0);
    tr_surface_destroy(surface);
    tr_scene_destroy(scene);
}

static tr_surface_kind kind_of_tagged(uint32_t tags) {
    tr_scene *scene = empty_scene();
    little_box(scene, little_make_box(1, 0, 1, 3, 0.4f, 3), tags);
    tr_surface_def def = plain_def();
    tr_surface *surface = surface_of(&def, scene);
    tr_surface_place place = place_at(surface, 2.1f, 2.1f, 0);
    tr_surface_destroy(surface);
    tr_scene_destroy(scene);
    return place.cell == TR_NONE ? TR_SURFACE_VOID : place.kind;
}

TEST(tags_say_what_is_meant_for_standing_on) {
    CHECK_INT(kind_of_tagged(0), TR_SURFACE_STAND);
    CHECK_INT(kind_of_tagged(TR_TAG_WALKABLE), TR_SURFACE_SURE);
    CHECK_INT(kind_of_tagged(TR_TAG_NO_STEP), TR_SURFACE_STEEP);
    CHECK_INT(kind_of_tagged(TR_TAG_NO_STEP | TR_TAG_WALKABLE), TR_SURFACE_STEEP);
    CHECK_INT(kind_of_tagged(TR_TAG_CHARACTER), TR_SURFACE_VOID); // not there
}

// A ramp through the middle of the grid that rises by `slope` [rise over run].
static tr_surface_kind kind_of_ramp(float slope, float steepest) {
    tr_scene *scene = empty_scene();
    tr_vec3 corners[4] = {{0, 0, 0}, {4, 4 * slope, 0}, {0, 0, 8}, {4, 4 * slope, 8}};
    const uint32_t indices[6] = {0, 2, 1, 1, 2, 3};
    tr_mesh_def mesh_def = {
        .positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_add_mesh(scene, &mesh_def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    tr_surface_def def = plain_def();
    def.slope = steepest;
    tr_surface *surface = surface_of(&def, scene);
    tr_surface_column cells = tr_surface_at(surface, 8, 16);
    tr_surface_kind kind = cells.count ? tr_surface_kind_of(cells.rooms[cells.count - 1]) : TR_SURFACE_VOID;
    tr_surface_destroy(surface);
    tr_scene_destroy(scene);
    return kind;
}

TEST(slopes_decide_what_can_be_stood_on) {
    CHECK_INT(kind_of_ramp(0.99f, 0.78539816f), TR_SURFACE_STAND);
    CHECK_INT(kind_of_ramp(1, 0.78539816f), TR_SURFACE_STAND); // 45 degrees are not too steep
    CHECK_INT(kind_of_ramp(1.02f, 0.78539816f), TR_SURFACE_STEEP);
    CHECK_INT(kind_of_ramp(0.1f, 0), TR_SURFACE_STEEP);
    CHECK_INT(kind_of_ramp(0, 0), TR_SURFACE_STAND);
    CHECK_INT(kind_of_ramp(1.4f, 1), TR_SURFACE_STAND);
}

// Nails that stick out of a floor: 2 cm are stepped on where `merge` allows it.
TEST(what_sticks_out_a_little_can_be_forgiven) {
    for (int forgiving = 0; forgiving < 2; forgiving++) {
        tr_scene *scene = empty_scene();
        little_box(scene, little_make_box(0, 0, 0, 8, 0.03f, 8), 0);
        little_box(scene, little_make_box(2.1f, 0, 2.1f, 2.11f, 0.05f, 2.11f), TR_TAG_NO_STEP);
        tr_surface_def def = plain_def();
        def.merge = forgiving ? 0.025f : 0;
        tr_surface *surface = surface_of(&def, scene);
        CHECK_PLACE(place_at(surface, 2.1f, 2.1f, 0), 0.05, INFINITY,
                    forgiving ? TR_SURFACE_STAND : TR_SURFACE_STEEP);
        tr_surface_destroy(surface);
        tr_scene_destroy(scene);
    }
}

TEST(who_falls_lands_on_what_is_below) {
    tr_scene *scene = empty_scene();
    little_box(scene, little_make_box(0, 0, 0, 8.25f, 0.05f, 8.25f), 0);
    little_box(scene, little_make_box(2.02f, 3, 2.02f, 5.98f, 3.2f, 5.98f), 0);
    tr_surface_def def = plain_def();
    tr_surface *surface = surface_of(&def, scene);
    REQUIRE(surface);
    CHECK_NEAR(tr_surface_drop(surface, tr_vec3_make(4, 5, 4), 0).height, 3.2, 0.0011);
    CHECK_NEAR(tr_surface_drop(surface, tr_vec3_make(4, 3.2f, 4), 0).height, 3.2, 0.0011);
    CHECK_NEAR(tr_surface_drop(surface, tr_vec3_make(4, 3.1f, 4), 0).height, 0.05, 0.0011);
    CHECK_NEAR(tr_surface_drop(surface, tr_vec3_make(4, 3.1f, 4), 0.2f).height, 3.2, 0.0011);
    CHECK_NEAR(tr_surface_drop(surface, tr_vec3_make(4, INFINITY, 4), 0).height, 3.2, 0.0011);
    CHECK_INT(tr_surface_drop(surface, tr_vec3_make(4, -0.1f, 4), 0).cell, TR_NONE);
    CHECK_INT(tr_surface_drop(surface, tr_vec3_make(-0.1f, 5, 4), 0).cell, TR_NONE);
    CHECK(tr_surface_drop(surface, tr_vec3_make(8.25f, 5, 8.25f), 0).cell != TR_NONE); // the far border
    const tr_vec3 bad[] = {{NAN, 5, 4}, {4, NAN, 4}, {4, 5, NAN}, {INFINITY, 5, 4}};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(tr_surface_drop(surface, bad[i], 0).cell, TR_NONE);
        CHECK_INT(tr_surface_nearest(surface, bad[i], 10, 0).cell, TR_NONE);
    }
    CHECK_INT(tr_surface_drop(surface, tr_vec3_make(4, 5, 4), NAN).cell, TR_NONE);
    CHECK_INT(tr_surface_drop(surface, tr_vec3_make(4, 5, 4), -1).cell, TR_NONE);
    CHECK_INT(tr_surface_nearest(surface, tr_vec3_make(4, 5, 4), NAN, 0).cell, TR_NONE);
    CHECK_INT(tr_surface_nearest(surface, tr_vec3_make(4, 5, 4), 10, NAN).cell, TR_NONE);
    CHECK_INT(tr_surface_place_of(surface, 33, 0, 0).cell, TR_NONE);
    CHECK_INT(tr_surface_place_of(surface, 0, 4000000000u, 0).cell, TR_NONE);
    tr_surface_place place = tr_surface_drop(surface, tr_vec3_make(4.1f, 5, 4.1f), 0);
    tr_vec3 centre = tr_surface_centre(surface, &place);
    CHECK_NEAR(centre.x, 4.125, 1e-6);
    CHECK_NEAR(centre.y, 3.2, 0.0011);
    CHECK_NEAR(centre.z, 4.125, 1e-6);
    tr_surface_destroy(surface);
    tr_scene_destroy(scene);
}

TEST(the_inside_of_things_is_known) {
    tr_scene *scene = empty_scene();
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 2, 2, 2));
    little_object(scene, mesh, tr_affine_identity(), 0);
    tr_affine turned = tr_affine_place(tr_vec3_make(10, 0, 0), 0.7);
    little_object(scene, mesh, turned, 0);
    tr_affine mirrored = little_move(-5, 0, 0);
    mirrored.m[0][0] = -1;
    little_object(scene, mesh, mirrored, 0);
    little_box(scene, little_make_box(1, 0, 1, 3, 2, 3), 0); // overlaps the first
    little_box(scene, little_make_box(20, 5, 0, 22, 5, 2), 0);
    CHECK(tr_surface_is_inside(scene, tr_vec3_make(0.5f, 1, 0.5f)));
    CHECK(tr_surface_is_inside(scene, tr_vec3_make(1, 1, 1))); // under the edge between two triangles
    CHECK(tr_surface_is_inside(scene, tr_vec3_make(1.5f, 1, 1.5f)));
    CHECK(tr_surface_is_inside(scene, tr_vec3_make(-6, 1, 1)));
    tr_vec3 within = tr_affine_apply(&turned, tr_vec3_make(1.9f, 0.1f, 1.9f));
    CHECK(tr_surface_is_inside(scene, within));
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(1, 2.1f, 1)));
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(1, 2, 1))); // on top
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(1, -0.1f, 1)));
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(2.5f, 1, 0.5f)));
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(21, 1, 1))); // under a roof is not inside
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(NAN, 1, 1)));
    CHECK(!tr_surface_is_inside(scene, tr_vec3_make(1, INFINITY, 1)));
    tr_scene_destroy(scene);
}

TEST(the_nearest_triangle_below_and_above_is_known) {
    tr_scene *scene = empty_scene();
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 2, 2, 2));
    uint32_t first = little_object(scene, mesh, tr_affine_identity(), 0);
    tr_affine mirrored = little_move(2, 0, 0);
    mirrored.m[0][0] = -1; // in the same place, over the first
    mirrored.m[1][3] = 3;
    uint32_t second = little_object(scene, mesh, mirrored, 0);
    tr_surface_hit hit = {0};
    const struct {
        float y;
        bool upwards, found, looks_up;
        float height;
        uint32_t object;
    } cases[] = {{2.5f, false, true, true, 2, first}, {2.5f, true, true, false, 3, second},
                 {1, false, true, false, 0, first},   {1, true, true, true, 2, first},
                 {4, false, true, false, 3, second},  {4, true, true, true, 5, second},
                 {6, false, true, true, 5, second},   {6, true, false, false, 0, 0},
                 {-1, false, false, false, 0, 0},     {-1, true, true, false, 0, first},
                 {NAN, true, false, false, 0, 0},     {2, true, true, false, 3, second},
                 {2, false, true, false, 0, first}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool found = tr_surface_look(scene, tr_vec3_make(0.7f, cases[i].y, 1.1f), cases[i].upwards, &hit);
        CHECK_INT(found, cases[i].found);
        if (!found)
            continue;
        CHECK_INT(hit.looks_up, !cases[i].looks_up); // the faces of a little box look inwards
        CHECK_INT(hit.object, cases[i].object);
        CHECK_NEAR(hit.height, cases[i].height, 1e-6);
    }
    CHECK(!tr_surface_look(scene, tr_vec3_make(3, 2.5f, 1), false, &hit)); // beside them
    // Of two triangles at one height that look opposite ways, neither is more.
    little_object(scene, mesh, little_move(0, -2, 0), 0);
    CHECK(tr_surface_look(scene, tr_vec3_make(0.7f, 1, 1.1f), false, &hit) && !hit.looks_up);
    tr_scene_destroy(scene);
}
