// What a ground says about places, on scenes that can be counted by hand.
#include "block.h"
#include "world/little.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/world/ground.h"

#include <stdlib.h>

typedef struct room {
    tr_scene *scene;
    tr_raster *raster;
    tr_ground *ground;
    uint32_t size;
} room;

static room empty_room(void) {
    room made = {.raster = little_raster(0)};
    CHECK_INT(tr_scene_create(NULL, &made.scene), TR_OK);
    return made;
}

static bool open_room(room *r, float cell, const tr_ground_body *body) {
    tr_ground_def def = tr_ground_def_default();
    tr_error error = {.message = ""};
    def.cell = cell;
    if (tr_ground_create(&def, r->raster, r->scene, &r->ground, &error) == TR_OK &&
        tr_ground_add_size(r->ground, body, &r->size, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "%s", error.message);
    return false;
}

static void close_room(room *r) {
    tr_ground_destroy(r->ground);
    tr_raster_destroy(r->raster);
    tr_scene_destroy(r->scene);
}

static tr_ground_body adult(void) {
    return tr_ground_body_of_height(1.8f);
}

static tr_ground_why why_at(const room *r, float x, float y, float z) {
    return tr_ground_drop(r->ground, r->size, tr_vec3_make(x, y, z), 0.5f).why;
}

// A thin slab is a floor: what is below it does not matter.
TEST(a_thin_slab_has_room_on_top) {
    static const float bottoms[3] = {0, -0.1f, 3.7f};
    for (int i = 0; i < 3; i++) {
        room r = empty_room();
        tr_ground_body body = adult();
        little_box(r.scene, little_make_box(-3, bottoms[i], -3, 3, bottoms[i] + 0.1f, 3), 0);
        REQUIRE(open_room(&r, 0.05f, &body));
        tr_ground_place place = tr_ground_drop(r.ground, r.size, tr_vec3_make(0, bottoms[i] + 0.1f, 0), 0.1f);
        CHECK_INT(place.why, TR_GROUND_FREE);
        CHECK_NEAR(place.position.y, bottoms[i] + 0.1, 0.0011);
        CHECK(place.cell != TR_NONE && place.region != TR_NONE);
        close_room(&r);
    }
}

TEST(it_is_said_why_nobody_can_stand) {
    room r = empty_room();
    tr_ground_body body = adult();
    little_box(r.scene, little_make_box(0, -0.1f, 0, 10, 0, 10), 0);
    uint32_t crate = little_box(r.scene, little_make_box(2, 0, 2, 3.2f, 1, 3.2f), 0);
    little_box(r.scene, little_make_box(5, 1.2f, 5, 7, 1.3f, 7), 0); // a shelf in the air
    little_box(r.scene, little_make_box(12, -3, 0, 14, -2.9f, 2), 0);
    REQUIRE(open_room(&r, 0.1f, &body));
    CHECK_INT(why_at(&r, 1, 0, 8), TR_GROUND_FREE);
    CHECK_INT(why_at(&r, 20, 0, 8), TR_GROUND_OUTSIDE);
    CHECK_INT(why_at(&r, 11, 0, 8), TR_GROUND_NO_FLOOR);
    CHECK_INT(why_at(&r, 6, 0, 6), TR_GROUND_LOW);
    CHECK_INT(why_at(&r, 1.85f, 0, 2.6f), TR_GROUND_NARROW);
    CHECK_INT(why_at(&r, 0.1f, 0, 5), TR_GROUND_NARROW); // the edge of the floor
    tr_ground_place place = tr_ground_drop(r.ground, r.size, tr_vec3_make(2.6f, 0, 2.6f), 0.1f);
    CHECK(place.why != TR_GROUND_FREE);
    tr_ground_look_inside(r.scene, tr_vec3_make(2.6f, 0, 2.6f), &place);
    CHECK_INT(place.why, TR_GROUND_INSIDE);
    CHECK_INT(place.object, crate);
    char text[200];
    tr_ground_explain(r.ground, r.size, tr_vec3_make(2.6f, 0, 2.6f), &place, text, sizeof text);
    if (!strstr(text, "(2.6, 0, 2.6) is inside an obstacle (object 1); the nearest free place is at ("))
        test_failed(__FILE__, __LINE__, "%s", text);
    place = tr_ground_drop(r.ground, r.size, tr_vec3_make(6, 0, 6), 0.1f);
    tr_ground_look_inside(r.scene, tr_vec3_make(6, 0, 6), &place); // below a shelf is not inside
    CHECK_INT(place.why, TR_GROUND_LOW);
    for (size_t size = 0; size < 60; size += 7)
        tr_ground_explain(r.ground, r.size, tr_vec3_make(6, 0, 6), &place, text, size); // cut, never beyond
    close_room(&r);
}

TEST(where_nobody_has_room_the_unit_is_suspicious) {
    room r = empty_room();
    tr_ground_body body = adult();
    little_box(r.scene, little_make_box(0, -0.01f, 0, 0.1f, 0, 0.1f), 0); // a room in decametres
    REQUIRE(open_room(&r, 0.05f, &body));
    tr_ground_place place = tr_ground_drop(r.ground, r.size, tr_vec3_make(0.05f, 0, 0.05f), 0.1f);
    CHECK_INT(place.why, TR_GROUND_NARROW);
    char text[200];
    tr_ground_explain(r.ground, r.size, tr_vec3_make(0.05f, 0, 0.05f), &place, text, sizeof text);
    CHECK(strstr(text, "is the scene in metres, with y up?") != NULL);
    close_room(&r);
}

// Walls at random: a cell is free when no cell of a wall and nothing beyond the grid is nearer than the
// radius.
TEST(free_cells_keep_the_radius) {
    tr_random random = tr_random_seed(3);
    for (int world = 0; world < 60; world++) {
        enum { SIDE = 40 };
        bool wall[SIDE][SIDE] = {{false}};
        room r = empty_room();
        little_box(r.scene, little_make_box(0, -0.1f, 0, SIDE * 0.1f, 0, SIDE * 0.1f), 0);
        for (int i = 0; i < 4; i++) {
            uint32_t x = tr_random_below(&random, SIDE - 4), z = tr_random_below(&random, SIDE - 4),
                     wide = 1 + tr_random_below(&random, 4), deep = 1 + tr_random_below(&random, 4);
            little_box(r.scene,
                       little_make_box((float)x * 0.1f + 0.02f, 0, (float)z * 0.1f + 0.02f,
                                       (float)(x + wide) * 0.1f - 0.02f, 2.5f,
                                       (float)(z + deep) * 0.1f - 0.02f),
                       0);
            for (uint32_t k = 0; k < wide * deep; k++)
                wall[z + k / wide][x + k % wide] = true;
        }
        tr_ground_body body = {.height = 1.8f,
                               .radius = tr_random_between(&random, 0, 0.8f),
                               .foot_span = 0.1f,
                               .foot_rise = 0.3f};
        REQUIRE(open_room(&r, 0.1f, &body));
        double radius = (double)(body.radius / 0.1f);
        for (int z = 0; z < SIDE; z++)
            for (int x = 0; x < SIDE; x++) {
                bool expected = !wall[z][x];
                for (int k = -9; k <= 9 && expected; k++)
                    for (int i = -9; i <= 9 && expected; i++) {
                        bool barred =
                            x + i < 0 || z + k < 0 || x + i >= SIDE || z + k >= SIDE || wall[z + k][x + i];
                        double across = abs(i) - 1 > 0 ? abs(i) - 1 : 0,
                               along = abs(k) - 1 > 0 ? abs(k) - 1 : 0;
                        expected = !barred || !(across * across + along * along < radius * radius);
                    }
                tr_vec3 middle = {(float)(x + 0.5) * 0.1f, 0, (float)(z + 0.5) * 0.1f};
                if (tr_ground_is_free(r.ground, r.size, middle, NULL) != expected)
                    test_failed(__FILE__, __LINE__, "world %d, cell (%d, %d), radius %g: expected %d", world,
                                x, z, radius, expected);
            }
        close_room(&r);
    }
}

// Walls, bins and hurdles at random. Hurdles are leapt over, walls and bins beside them are not: whoever is
// free, also just before a leap, has neither within its radius.
TEST(leaps_past_walls_keep_the_radius_along_both_axes) {
    tr_random random = tr_random_seed(4);
    uint32_t leaps = 0;
    for (int world = 0; world < 60; world++) {
        enum { SIDE = 40 };
        uint8_t what[SIDE][SIDE] = {{0}}; // 1: a hurdle, 2: a wall or a bin
        room r = empty_room();
        little_box(r.scene, little_make_box(0, -0.1f, 0, SIDE * 0.1f, 0, SIDE * 0.1f), 0);
        for (int i = 0; i < 12; i++) {
            bool low = i % 2, turned = tr_random_below(&random, 2);
            uint32_t x = tr_random_below(&random, SIDE - 8), z = tr_random_below(&random, SIDE - 8),
                     reach = low ? 1 + tr_random_below(&random, 8) : 1,
                     thick = 1 + tr_random_below(&random, 2), wide = turned ? reach : thick,
                     deep = turned ? thick : reach;
            float height = low ? 0.2f : i % 4 ? 1 : 0.25f;
            little_box(r.scene,
                       little_make_box((float)x * 0.1f + 0.02f, 0, (float)z * 0.1f + 0.02f,
                                       (float)(x + wide) * 0.1f - 0.02f, height,
                                       (float)(z + deep) * 0.1f - 0.02f),
                       TR_TAG_NO_STEP);
            for (uint32_t k = 0; k < wide * deep; k++)
                if (what[z + k / wide][x + k % wide] < 2)
                    what[z + k / wide][x + k % wide] = low ? 1 : 2;
        }
        tr_ground_body body = {.height = 1.8f,
                               .radius = tr_random_between(&random, 0.1f, 0.4f),
                               .foot_span = 0.5f,
                               .foot_rise = 0.4f};
        REQUIRE(open_room(&r, 0.1f, &body));
        double radius = (double)(body.radius / 0.1f);
        for (int z = 5; z < SIDE - 5; z++)
            for (int x = 5; x < SIDE - 5; x++) {
                tr_vec3 middle = {(float)(x + 0.5) * 0.1f, 0, (float)(z + 0.5) * 0.1f};
                bool is_free = tr_ground_is_free(r.ground, r.size, middle, NULL), walled = false;
                for (int k = -5; k <= 5; k++)
                    for (int i = -5; i <= 5; i++) {
                        double across = abs(i) - 1 > 0 ? abs(i) - 1 : 0,
                               along = abs(k) - 1 > 0 ? abs(k) - 1 : 0;
                        walled = walled || (what[z + k][x + i] == 2 &&
                                            across * across + along * along < radius * radius);
                    }
                CHECK(!is_free || !walled);
                leaps += is_free && (what[z + 1][x] == 1 || what[z][x + 1] == 1);
            }
        close_room(&r);
    }
    CHECK(leaps > 100);
}

TEST(room_to_a_side_ends_where_cells_are_not_free) {
    room r = empty_room();
    little_box(r.scene, little_make_box(0, -0.1f, 0, 8, 0, 8), 0);
    little_box(r.scene, little_make_box(5, 0, 0, 5.2f, 2.5f, 8), 0);
    tr_ground_body body = tr_ground_body_of_height(1.8f);
    REQUIRE(open_room(&r, 0.05f, &body));
    tr_random random = tr_random_seed(31);
    for (int i = 0; i < 1000; i++) {
        tr_vec3 from = {tr_random_between(&random, 0.5f, 4.5f), 0, tr_random_between(&random, 1, 7)};
        double angle = (double)tr_random_between(&random, 0, 6.28f), sine, cosine;
        tr_sin_cos(angle, &sine, &cosine);
        tr_vec2 way = {(float)sine, (float)cosine};
        float most = tr_random_between(&random, 0, 9),
              room_there = tr_ground_room(r.ground, r.size, from, way, most);
        for (float at = TR_GROUND_ROOM_STEP; at < room_there - 0.01f; at += TR_GROUND_ROOM_STEP)
            CHECK(tr_ground_is_free(r.ground, r.size,
                                    tr_vec3_make(from.x + at * way.x, 0, from.z + at * way.z), NULL));
        float next = room_there + TR_GROUND_ROOM_STEP;
        if (room_there < most)
            CHECK(!tr_ground_is_free(r.ground, r.size,
                                     tr_vec3_make(from.x + next * way.x, 0, from.z + next * way.z), NULL));
        CHECK(room_there <= most);
    }
    tr_vec2 none = {0, 0}, bad = {NAN, 1};
    CHECK(tr_ground_room(r.ground, r.size, tr_vec3_make(2, 0, 2), none, INFINITY) == 0);
    CHECK(tr_ground_room(r.ground, r.size, tr_vec3_make(2, 0, 2), bad, INFINITY) == 0);
    CHECK(tr_ground_room(r.ground, 7, tr_vec3_make(2, 0, 2), (tr_vec2){1, 0}, 3) == 0);
    close_room(&r);
}

// A wedge, `wide` metres along x from height `left` to height `right`, 4 m deep.
static void add_wedge(tr_scene *scene, float x, float wide, float left, float right) {
    tr_vec3 corners[8];
    little_box_corners(little_make_box(x, -1, 0, x + wide, 0, 4), corners);
    for (int i = 0; i < 8; i++)
        if (corners[i].y > -0.5f)
            corners[i].y = corners[i].x > x + wide / 2 ? right : left;
    tr_mesh_def def = {
        .positions = corners, .position_count = 8, .indices = little_box_indices, .triangle_count = 12};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
}

// A slope falls towards a ledge: tops of cells say that the step is lower than it is.
TEST(no_step_on_a_slope_is_higher_than_the_foot_rises) {
    tr_random random = tr_random_seed(4);
    int passed = 0, barred = 0;
    for (int i = 0; i < 200; i++) {
        static const float cells[3] = {0.05f, 0.1f, 0.15f};
        float slope = tr_random_between(&random, 0, 0.9f), step = tr_random_between(&random, 0.3f, 0.5f);
        room r = empty_room();
        tr_ground_body body = {.height = 1.8f, .radius = 0, .foot_span = 0.04f, .foot_rise = 0.45f};
        float at = 2 + tr_random_between(&random, 0, 0.15f);
        add_wedge(r.scene, 0, at, at * slope, 0);
        add_wedge(r.scene, at, 2, step, step);
        REQUIRE(open_room(&r, cells[i % 3], &body));
        bool sees = tr_ground_sees(r.ground, r.size, tr_vec3_make(at - 0.4f, 0.4f * slope, 2),
                                   tr_vec3_make(at + 0.8f, step, 2));
        if (sees && step > 0.45f + 0.003f)
            test_failed(__FILE__, __LINE__, "a step of %g m was taken, slope %g, cells of %g m", step, slope,
                        cells[i % 3]);
        passed += sees;
        barred += !sees;
        if (slope < 0.02f && step < 0.44f)
            CHECK(sees); // where the floor is level, nothing is taken away
        close_room(&r);
    }
    CHECK(passed > 40);
    CHECK(barred > 40);
}

// Steps of 31 cm with a landing; a chair of 45 cm beside them.
TEST(a_guess_at_furniture_leaves_steep_stairs_alone) {
    room r = empty_room();
    tr_ground_body body = adult();
    body.foot_rise = 0.4f;
    little_box(r.scene, little_make_box(0, -0.1f, 0, 8, 0, 8), 0);
    for (int i = 0; i < 6; i++)
        little_box(
            r.scene,
            little_make_box(2 + 0.3f * (float)i, 0, 2, 2.3f + 0.3f * (float)i, 0.31f * (float)(i + 1), 3.5f),
            0);
    little_box(r.scene, little_make_box(3.8f, 0, 2, 6, 0.31f * 6, 3.5f), 0);
    little_box(r.scene, little_make_box(1, 0, 6, 1.5f, 0.45f, 6.5f), 0);
    REQUIRE(open_room(&r, 0.05f, &body));
    tr_ground_place below = tr_ground_drop(r.ground, r.size, tr_vec3_make(1, 0, 2.75f), 0.1f),
                    above = tr_ground_drop(r.ground, r.size, tr_vec3_make(5, 2, 2.75f), 0.1f),
                    chair = tr_ground_drop(r.ground, r.size, tr_vec3_make(1.25f, 0.45f, 6.25f), 0.1f);
    CHECK_INT(below.why, TR_GROUND_FREE);
    CHECK_INT(above.why, TR_GROUND_FREE);
    CHECK(tr_ground_connected(r.ground, r.size, &below, &above));
    CHECK(chair.why != TR_GROUND_FREE);
    close_room(&r);
}

// A low table that legs could climb and not step over, a box of the same height before a higher one, and a
// low step.
TEST(nobody_walks_over_a_low_table) {
    room r = empty_room();
    tr_ground_body body = adult();
    body.foot_rise = 0.4f;
    body.radius = 0.3f;
    little_box(r.scene, little_make_box(0, -0.1f, 0, 8, 0, 8), 0);
    little_box(r.scene, little_make_box(2, 0, 1.6f, 3.2f, 0.35f, 2.6f), 0);
    little_box(r.scene, little_make_box(2, 0, 5, 3, 0.35f, 6.2f), 0);
    little_box(r.scene, little_make_box(3, 0, 5, 4.8f, 0.7f, 6.2f), 0);
    little_box(r.scene, little_make_box(5.5f, 0, 2, 6.5f, 0.2f, 3.2f), 0);
    REQUIRE(open_room(&r, 0.05f, &body));
    CHECK(!tr_ground_is_free(r.ground, r.size, tr_vec3_make(2.5f, 0.35f, 2.3f), NULL));
    CHECK(!tr_ground_is_free(r.ground, r.size, tr_vec3_make(2.5f, 0, 2.7f), NULL)); // too near to it
    CHECK(tr_ground_is_free(r.ground, r.size, tr_vec3_make(2.5f, 0, 3.2f), NULL));
    CHECK(tr_ground_is_free(r.ground, r.size, tr_vec3_make(2.5f, 0.35f, 5.6f), NULL)); // a step
    CHECK(tr_ground_is_free(r.ground, r.size, tr_vec3_make(6, 0.2f, 2.6f), NULL));
    close_room(&r);
}

TEST(links_join_regions_and_can_be_closed) {
    room r = empty_room();
    tr_ground_body body = adult();
    little_box(r.scene, little_make_box(0, -0.1f, 0, 4, 0, 4), 0);
    little_box(r.scene, little_make_box(0, 3, 0, 4, 3.1f, 4), 0);
    REQUIRE(open_room(&r, 0.1f, &body));
    tr_ground_place below = tr_ground_drop(r.ground, r.size, tr_vec3_make(2, 0, 2), 0.1f),
                    above = tr_ground_drop(r.ground, r.size, tr_vec3_make(2, 3.1f, 2), 0.1f);
    CHECK(!tr_ground_connected(r.ground, r.size, &below, &above));
    tr_ground_link lift = {TR_GROUND_LIFT, {1, 0, 1}, {1, 3.2f, 1}, true, false, 2}, bad = lift;
    bad.to.x = 40;
    tr_error error;
    uint64_t revision = tr_ground_revision(r.ground);
    CHECK_INT(tr_ground_set_links(r.ground, &bad, 1, &error), TR_INVALID);
    CHECK(strstr(error.message, "link 0") != NULL);
    CHECK_INT(tr_ground_set_links(r.ground, &lift, 1, &error), TR_OK);
    CHECK(tr_ground_revision(r.ground) > revision);
    CHECK(tr_ground_connected(r.ground, r.size, &below, &above));
    CHECK_INT(tr_ground_close_link(r.ground, 0, true), TR_OK);
    CHECK(!tr_ground_connected(r.ground, r.size, &below, &above));
    CHECK_INT(tr_ground_close_link(r.ground, 1, true), TR_INVALID);
    uint32_t count = 0;
    CHECK(tr_ground_links(r.ground, &count)[0].closed);
    CHECK_INT(count, 1);
    close_room(&r);
}

// Slabs, steps, tables and walls at random. What is said of a rectangle holds for the points in it; a floor
// that is the same everywhere is known to be; and whoever may stand at a point by the quick question may by
// the long one.
TEST(what_is_said_of_a_rectangle_holds_for_its_points) {
    tr_random random = tr_random_seed(11);
    uint32_t even = 0, uneven = 0, wrong = 0, differ = 0;
    for (int world = 0; world < 20; world++) {
        room r = empty_room();
        tr_ground_body body = adult();
        little_box(r.scene, little_make_box(0, -0.1f, 0, 8, 0, 8), 0);
        for (int i = 0; i < 5; i++) {
            float x = tr_random_between(&random, 0, 7), z = tr_random_between(&random, 0, 7),
                  low = tr_random_below(&random, 3) ? 0 : 2.2f,
                  high = low + tr_random_between(&random, 0.02f, 1.2f);
            little_box(r.scene, little_make_box(x, low, z, x + 0.7f, high, z + 0.5f), 0);
        }
        REQUIRE(open_room(&r, 0.05f, &body));
        for (int i = 0; i < 2000; i++) {
            tr_vec2 min = {tr_random_between(&random, -0.2f, 8), tr_random_between(&random, -0.2f, 8)},
                    max = {min.x + tr_random_between(&random, 0, 2),
                           min.z + tr_random_between(&random, 0, 2)};
            float height = 0, free_height = 0;
            bool is_even = tr_ground_is_even(r.ground, min, max, &height);
            even += is_even, uneven += !is_even;
            for (int k = 0; k < 20 && is_even; k++) {
                tr_vec3 at = {tr_random_between(&random, min.x, max.x), height,
                              tr_random_between(&random, min.z, max.z)};
                wrong += tr_ground_height(r.ground, at, 0.3f) != height;
            }
            tr_vec3 at = {min.x, tr_random_between(&random, -0.6f, 1.5f), min.z};
            tr_ground_place long_one = tr_ground_drop(r.ground, r.size, at, body.foot_rise);
            bool is_free = tr_ground_is_free(r.ground, r.size, at, &free_height);
            if (is_free && long_one.why == TR_GROUND_FREE)
                differ += fabsf(free_height - long_one.position.y) > 1e-6f;
            else if (is_free) // a lower floor may be nearer than the one that is dropped on
                differ +=
                    tr_ground_drop(r.ground, r.size, tr_vec3_make(at.x, free_height, at.z), 0.01f).why !=
                    TR_GROUND_FREE;
        }
        close_room(&r);
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(differ, 0);
    CHECK(even > 5000 && uneven > 5000);
}

TEST(bad_questions_are_answered) {
    room r = empty_room();
    tr_ground_body body = adult(), bad = body;
    little_box(r.scene, little_make_box(0, -0.1f, 0, 4, 0, 4), 0);
    REQUIRE(open_room(&r, 0.1f, &body));
    uint32_t size;
    bad.height = NAN;
    CHECK_INT(tr_ground_add_size(r.ground, &bad, &size, NULL), TR_INVALID);
    bad = body;
    bad.foot_rise = 2;
    CHECK_INT(tr_ground_add_size(r.ground, &bad, &size, NULL), TR_INVALID);
    bad = body;
    bad.radius = 90;
    CHECK_INT(tr_ground_add_size(r.ground, &bad, &size, NULL), TR_LIMIT);
    CHECK(tr_ground_size(r.ground, 1) == NULL);
    const tr_vec3 points[4] = {{NAN, 0, 1}, {1, NAN, 1}, {INFINITY, 0, 1}, {-1e30f, 0, 1e30f}};
    for (int i = 0; i < 4; i++) {
        CHECK(tr_ground_drop(r.ground, 0, points[i], 0.1f).why != TR_GROUND_FREE);
        CHECK(tr_ground_level(r.ground, 0, points[i]).why != TR_GROUND_FREE);
        CHECK_INT(tr_ground_nearest(r.ground, 0, points[i], 1).cell, TR_NONE);
        CHECK(!tr_ground_is_free(r.ground, 0, points[i], NULL));
        CHECK(isnan(tr_ground_height(r.ground, points[i], 1)));
        CHECK(!tr_ground_sees(r.ground, 0, points[i], tr_vec3_make(1, 0, 1)));
        CHECK(!tr_ground_sees(r.ground, 0, tr_vec3_make(1, 0, 1), points[i]));
    }
    CHECK(!tr_ground_is_free(r.ground, 7, tr_vec3_make(1, 0, 1), NULL));
    CHECK(tr_ground_is_free(r.ground, 0, tr_vec3_make(1, 0.3f, 1), NULL));
    CHECK(!tr_ground_is_free(r.ground, 0, tr_vec3_make(1, 0.6f, 1), NULL)); // too high above the floor
    tr_ground_place near = tr_ground_nearest(r.ground, 0, tr_vec3_make(-0.2f, 0, 2), 1);
    CHECK_NEAR(near.position.x, 0.35, 1e-5); // the first cell that keeps the radius
    tr_ground_def def = tr_ground_def_default();
    tr_scene *nothing = NULL;
    tr_ground *none = NULL;
    CHECK_INT(tr_scene_create(NULL, &nothing), TR_OK);
    CHECK_INT(tr_ground_create(&def, r.raster, nothing, &none, NULL), TR_INVALID);
    CHECK(none == NULL);
    tr_scene_destroy(nothing);
    close_room(&r);
}

// Near a wall upstairs one is upstairs; the top of a lamp is no storey.
TEST(nobody_falls_through_a_floor) {
    room r = empty_room();
    tr_ground_body body = adult();
    little_box(r.scene, little_make_box(0, -0.1f, 0, 6, 0, 6), 0);
    little_box(r.scene, little_make_box(0, 2.9f, 0, 4, 3, 6), 0);
    little_box(r.scene, little_make_box(2, 3, 2, 2.1f, 5, 4), 0);             // a wall upstairs
    little_box(r.scene, little_make_box(4.9f, 2.2f, 3, 5.1f, 2.3f, 3.2f), 0); // a lamp downstairs
    REQUIRE(open_room(&r, 0.05f, &body));
    tr_ground_place place = tr_ground_drop(r.ground, r.size, tr_vec3_make(2.2f, 3, 3), 0.2f);
    CHECK_INT(place.why, TR_GROUND_NARROW);
    CHECK_NEAR(place.position.y, 3, 0.0011);
    place = tr_ground_drop(r.ground, r.size, tr_vec3_make(1.2f, 3.4f, 3), 0.2f);
    CHECK_INT(place.why, TR_GROUND_FREE);
    CHECK_NEAR(place.position.y, 3, 0.0011);
    place = tr_ground_drop(r.ground, r.size, tr_vec3_make(5, 2.6f, 3.1f), 0.2f);
    CHECK_INT(place.why, TR_GROUND_FREE);
    CHECK_NEAR(place.position.y, 0, 0.0011);
    CHECK_NEAR(tr_ground_level(r.ground, r.size, tr_vec3_make(1.2f, 2, 3)).position.y, 3, 0.0011);
    CHECK_NEAR(tr_ground_level(r.ground, r.size, tr_vec3_make(1.2f, 1, 3)).position.y, 0, 0.0011);
    close_room(&r);
}

// A block whose top is a plane through the middle of its upper side.
static void add_slope(room *r, float x_slope, float z_slope) {
    tr_vec3 corners[8];
    block_corners(tr_vec3_make(-2, -2, -2), tr_vec3_make(2, 0, 2), corners);
    for (int i = 4; i < 8; i++)
        corners[i].y += x_slope * corners[i].x + z_slope * corners[i].z;
    CHECK(add_block_over(r->scene, NULL, corners) != TR_NONE);
}

TEST(between_cells_a_slope_has_its_own_height) {
    static const float slopes[][2] = {{0, 0.1f},       {0.2f, 0},     {-0.36f, 0},
                                      {0.25f, -0.25f}, {0.05f, 0.3f}, {0, 0}};
    tr_random random = tr_random_seed(8);
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        room r = empty_room();
        tr_ground_body body = adult();
        add_slope(&r, slopes[i][0], slopes[i][1]);
        REQUIRE(open_room(&r, 0.05f, &body));
        for (int k = 0; k < 400; k++) {
            tr_vec3 at = {tr_random_between(&random, -1.8f, 1.8f), 0,
                          tr_random_between(&random, -1.8f, 1.8f)};
            at.y = slopes[i][0] * at.x + slopes[i][1] * at.z;
            CHECK_NEAR(tr_ground_smooth_height(r.ground, at, 0.3f), (double)at.y, 1.5e-3);
        }
        close_room(&r);
    }
}

TEST(between_cells_steps_stay_steps) {
    room r = empty_room();
    tr_ground_body body = adult();
    little_box(r.scene, little_make_box(-2, -1, -2, 0, 0, 2), 0);
    little_box(r.scene, little_make_box(0, -1, -2, 2, 0.04f, 2), 0);
    REQUIRE(open_room(&r, 0.05f, &body));
    for (int i = -30; i <= 30; i++) {
        float x = 0.0123f * (float)i, low = tr_ground_height(r.ground, tr_vec3_make(x, 0, 0.3f), 0.3f);
        CHECK_NEAR(tr_ground_smooth_height(r.ground, tr_vec3_make(x, 0, 0.3f), 0.3f), (double)low, 1e-6);
    }
    CHECK(isnan(tr_ground_smooth_height(r.ground, tr_vec3_make(0, 1, 0), 0.3f)));
    CHECK(isnan(tr_ground_smooth_height(r.ground, tr_vec3_make(50, 0, 0), 0.3f)));
    close_room(&r);
}
