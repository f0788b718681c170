// Profiles against every triangle of the scene asked one by one, in doubles.
#include "block.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/world/profile.h"

#include <math.h>
#include <string.h>

#define SOUP_MAX 400

typedef struct triangle_soup {
    tr_scene *scene;
    tr_solid *solid;
    tr_profile *profile;
    tr_vec3 corners[3 * SOUP_MAX];
    uint32_t count;
} triangle_soup;

static tr_solid *solid_over(const tr_scene *scene) {
    tr_solid_def def = tr_solid_def_default(scene);
    tr_solid *solid = NULL;
    CHECK_INT(tr_solid_create(&def, &solid, NULL), TR_OK);
    return solid;
}

static tr_profile *new_profile(void) {
    tr_profile_def def = tr_profile_def_default();
    tr_profile *profile = NULL;
    CHECK_INT(tr_profile_create(&def, &profile, NULL), TR_OK);
    return profile;
}

static void finish(triangle_soup *soup) {
    tr_profile_destroy(soup->profile);
    tr_solid_destroy(soup->solid);
    tr_scene_destroy(soup->scene);
}

// Triangles of all sizes and slopes around the first metres of z.
static void make_soup(triangle_soup *soup, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    soup->count = 20 + tr_random_below(&random, SOUP_MAX - 20);
    uint32_t indices[3 * SOUP_MAX];
    for (uint32_t i = 0; i < soup->count; i++) {
        float size = tr_random_between(&random, 0.02f, 1.5f), rise = tr_random_between(&random, 0, 0.5f);
        tr_vec3 at =
            tr_vec3_make(tr_random_between(&random, -0.6f, 0.6f), tr_random_between(&random, -0.2f, 0.2f),
                         tr_random_between(&random, -0.5f, 3.5f));
        for (uint32_t k = 0; k < 3; k++) {
            soup->corners[3 * i + k] = tr_vec3_add(
                at, tr_vec3_make(size * tr_random_between(&random, -1, 1), rise * tr_random_unit(&random),
                                 size * tr_random_between(&random, -1, 1)));
            indices[3 * i + k] = 3 * i + k;
        }
    }
    tr_mesh_def mesh = {.positions = soup->corners,
                        .position_count = 3 * soup->count,
                        .indices = indices,
                        .triangle_count = soup->count};
    tr_object_def object = {.placement = tr_affine_identity()};
    CHECK_INT(tr_scene_create(NULL, &soup->scene), TR_OK);
    CHECK_INT(tr_scene_add_mesh(soup->scene, &mesh, &object.mesh, NULL), TR_OK);
    uint32_t number;
    CHECK_INT(tr_scene_add_object(soup->scene, &object, &number, NULL), TR_OK);
    soup->solid = solid_over(soup->scene);
    soup->profile = new_profile();
}

// The height of a triangle over a point, in doubles; -INFINITY beside it. `margin` tells how far the point is
// from its border, in shares of the triangle.
static double height_over(const tr_vec3 *c, double x, double z, double *margin) {
    double ax = (double)c[1].x - (double)c[0].x, az = (double)c[1].z - (double)c[0].z;
    double bx = (double)c[2].x - (double)c[0].x, bz = (double)c[2].z - (double)c[0].z;
    double px = x - (double)c[0].x, pz = z - (double)c[0].z, area = ax * bz - az * bx;
    *margin = 1;
    if (fabs(area) < 1e-9)
        return -INFINITY;
    double u = (px * bz - pz * bx) / area, v = (ax * pz - az * px) / area, w = 1 - u - v;
    *margin = fmin(fmin(fabs(u), fabs(v)), fabs(w));
    if (u < 0 || v < 0 || w < 0)
        return -INFINITY;
    return (double)c[0].y + u * ((double)c[1].y - (double)c[0].y) + v * ((double)c[2].y - (double)c[0].y);
}

TEST(the_floor_of_a_cell_is_the_highest_triangle_over_its_centre) {
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        triangle_soup soup;
        make_soup(&soup, seed);
        const tr_vec2 path[2] = {{0.01f * (float)seed, 0}, {-0.3f, 3}};
        tr_profile_query query = {soup.solid, path, 2, 0, 100, 1};
        REQUIRE(tr_profile_cut(soup.profile, &query, NULL) == TR_OK);
        tr_profile_view view = tr_profile_look(soup.profile);
        for (uint32_t i = 0; i < view.columns; i++)
            for (uint32_t j = 0; j < view.rows; j++) {
                float heading, along = ((float)i + 0.5f) * view.cell,
                               aside = ((float)j + 0.5f - 0.5f * (float)view.rows) * view.row;
                tr_vec2 at = tr_profile_place(soup.profile, along, aside, &heading);
                double highest = -INFINITY;
                bool border = false; // where rounding decides
                for (uint32_t k = 0; k < soup.count; k++) {
                    double margin,
                        height = height_over(&soup.corners[3 * k], (double)at.x, (double)at.z, &margin);
                    highest = fmax(highest, height);
                    border = border || margin < 1e-3;
                }
                float found = view.floor[i * view.rows + j];
                CHECK(found <= view.top[i * view.rows + j] + 1e-5f);
                if (border)
                    continue;
                compared++;
                if (!(fabs((double)found - highest) < 1e-3) && !((double)found == highest))
                    CHECK_NEAR(found, highest, 1e-3);
            }
        finish(&soup);
    }
    CHECK(compared > 40000);
}

TEST(no_point_of_a_triangle_is_above_the_top_of_its_cell) {
    for (uint64_t seed = 101; seed <= 130; seed++) {
        triangle_soup soup;
        make_soup(&soup, seed);
        tr_random random = tr_random_seed(seed);
        const tr_vec2 path[2] = {{0.2f, -0.1f}, {0.1f, 3}};
        tr_profile_query query = {soup.solid, path, 2, 0, 100, 1};
        REQUIRE(tr_profile_cut(soup.profile, &query, NULL) == TR_OK);
        tr_profile_view view = tr_profile_look(soup.profile);
        for (int i = 0; i < 20000; i++) {
            const tr_vec3 *c = &soup.corners[3 * tr_random_below(&random, soup.count)];
            float u = tr_random_unit(&random), v = (1 - u) * tr_random_unit(&random);
            tr_vec3 point = tr_vec3_add(tr_vec3_scale(c[0], 1 - u - v),
                                        tr_vec3_add(tr_vec3_scale(c[1], u), tr_vec3_scale(c[2], v)));
            float along, aside;
            tr_profile_find(soup.profile, tr_vec3_from_above(point), &along, &aside);
            float column = along / view.cell, row = aside / view.row + 0.5f * (float)view.rows;
            if (column < 0 || row < 0 || column >= (float)view.columns || row >= (float)view.rows)
                continue;
            float share = fmodf(column, 1), across = fmodf(row, 1), close = 1e-3f;
            if (share < close || share > 1 - close || across < close || across > 1 - close)
                continue; // rounding decides to which cell it belongs
            CHECK(view.top[(uint32_t)column * view.rows + (uint32_t)row] >= point.y - 1e-4f);
        }
        finish(&soup);
    }
}

typedef struct little {
    tr_scene *scene;
    tr_solid *solid;
    tr_profile *profile;
    tr_profile_view view;
} little;

static void cut(little *world, const tr_vec2 *path, uint32_t count, float height) {
    world->solid = solid_over(world->scene);
    world->profile = new_profile();
    tr_profile_query query = {world->solid, path, count, height, 0.45f, 0.9f};
    CHECK_INT(tr_profile_cut(world->profile, &query, NULL), TR_OK);
    world->view = tr_profile_look(world->profile);
}

static void drop(little *world) {
    tr_profile_destroy(world->profile);
    tr_solid_destroy(world->solid);
    tr_scene_destroy(world->scene);
}

static const float *cell(const little *world, const float *values, float along, float aside) {
    uint32_t i = (uint32_t)(along / world->view.cell);
    uint32_t j = (uint32_t)(aside / world->view.row + 0.5f * (float)world->view.rows);
    return &values[i * world->view.rows + j];
}

static void begin(little *world) {
    memset(world, 0, sizeof *world);
    CHECK_INT(tr_scene_create(NULL, &world->scene), TR_OK);
    add_block(world->scene, "floor", tr_vec3_make(-2, -0.2f, -1), tr_vec3_make(2, 0, 4));
}

TEST(a_table_is_an_overhang_and_a_block_is_floor) {
    little world;
    begin(&world);
    add_block(world.scene, "table", tr_vec3_make(-1, 0.7f, 1), tr_vec3_make(1, 0.75f, 2));
    add_block(world.scene, "block", tr_vec3_make(-1, 0, 2.5f), tr_vec3_make(1, 0.31f, 3));
    const tr_vec2 path[2] = {{0, 0}, {0, 3.5f}};
    cut(&world, path, 2, 0);
    CHECK_NEAR(*cell(&world, world.view.floor, 1.5f, 0.1f), 0, 0);
    CHECK_NEAR(*cell(&world, world.view.top, 1.5f, 0.1f), 0, 0);
    CHECK_NEAR(*cell(&world, world.view.under, 1.5f, 0.1f), 0.7f, 0);
    CHECK(isinf(*cell(&world, world.view.under, 0.5f, 0.1f)));
    CHECK_NEAR(*cell(&world, world.view.floor, 2.75f, -0.1f), 0.31f, 0);
    drop(&world);
}

TEST(a_wall_that_begins_at_the_floor_counts_with_its_whole_height) {
    little world;
    begin(&world);
    add_block(world.scene, "wall", tr_vec3_make(-1, 0, 2.01f), tr_vec3_make(0, 2.5f, 2.05f));
    const tr_vec2 path[2] = {{0, 0}, {0, 3}};
    cut(&world, path, 2, 0);
    CHECK_NEAR(*cell(&world, world.view.top, 2.011f, -0.1f), 2.5f, 0);
    CHECK_NEAR(*cell(&world, world.view.top, 2.011f, 0.1f), 0, 0);
    drop(&world);
}

TEST(stairs_are_followed_up_and_a_storey_above_is_no_floor) {
    little world;
    begin(&world);
    for (int i = 0; i < 6; i++)
        add_block(world.scene, "tread", tr_vec3_make(-1, 0, 1 + 0.3f * (float)i),
                  tr_vec3_make(1, 0.17f * (float)(i + 1), 4));
    add_block(world.scene, "storey", tr_vec3_make(-2, 2.4f, -1), tr_vec3_make(2, 2.6f, 4));
    const tr_vec2 path[2] = {{0, 0}, {0, 3}};
    cut(&world, path, 2, 0);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(*cell(&world, world.view.floor, 1.15f + 0.3f * (float)i, 0), 0.17f * (float)(i + 1), 1e-6);
    CHECK_NEAR(*cell(&world, world.view.under, 0.5f, 0), 2.4f, 0);
    drop(&world);
}

// The far bank of a pit is floor although it is above knee height over the bottom of the pit.
TEST(the_far_side_of_a_pit_is_floor_within_the_reach_of_a_step) {
    little world;
    memset(&world, 0, sizeof world);
    CHECK_INT(tr_scene_create(NULL, &world.scene), TR_OK);
    add_block(world.scene, "near", tr_vec3_make(-1, -1, -1), tr_vec3_make(1, 0, 1));
    add_block(world.scene, "bottom", tr_vec3_make(-1, -1, 1), tr_vec3_make(1, -0.6f, 1.5f));
    add_block(world.scene, "far", tr_vec3_make(-1, -1, 1.5f), tr_vec3_make(1, 0, 4));
    const tr_vec2 path[2] = {{0, 0}, {0, 3}};
    cut(&world, path, 2, 0);
    CHECK_NEAR(*cell(&world, world.view.floor, 1.25f, 0), -0.6f, 1e-6);
    CHECK_NEAR(*cell(&world, world.view.floor, 1.75f, 0), 0, 0);
    drop(&world);
}

TEST(a_path_with_corners_has_floor_everywhere) {
    little world;
    begin(&world);
    const tr_vec2 path[4] = {{0, 0}, {0.2f, 1}, {-0.3f, 1.8f}, {-0.2f, 2.6f}};
    cut(&world, path, 4, 0);
    for (uint32_t i = 0; i < world.view.columns * world.view.rows; i++)
        CHECK(world.view.floor[i] == 0 && world.view.top[i] == 0);
    for (float along = 0.05f; along < 2.6f; along += 0.1f) {
        float heading, back, aside;
        tr_vec2 place = tr_profile_place(world.profile, along, 0, &heading);
        tr_profile_find(world.profile, place, &back, &aside);
        CHECK_NEAR(back, along, 1e-5);
        CHECK_NEAR(aside, 0, 1e-5);
    }
    drop(&world);
}

// Something that stands in the outer wedge of a corner is not overlooked.
TEST(a_post_outside_a_corner_is_seen) {
    little world;
    begin(&world);
    add_block(world.scene, "post", tr_vec3_make(-0.125f, 0, 1.1f), tr_vec3_make(-0.115f, 0.4f, 1.11f));
    const tr_vec2 path[3] = {{0, 0}, {0, 1}, {1, 1}};
    cut(&world, path, 3, 0);
    float highest = 0;
    for (uint32_t i = 0; i < world.view.columns * world.view.rows; i++)
        highest = world.view.top[i] > highest ? world.view.top[i] : highest;
    CHECK_NEAR(highest, 0.4f, 1e-6);
    drop(&world);
}

TEST(a_profile_that_is_cut_again_shows_what_has_moved) {
    little world;
    begin(&world);
    uint32_t block = add_block(world.scene, "block", tr_vec3_make(-1, 0, 1), tr_vec3_make(1, 0.2f, 1.4f));
    const tr_vec2 path[2] = {{0, 0}, {0, 3}};
    cut(&world, path, 2, 0);
    CHECK_NEAR(*cell(&world, world.view.floor, 1.2f, 0), 0.2f, 0);
    tr_affine moved = tr_affine_place(tr_vec3_make(0, 0, 1), 0);
    CHECK_INT(tr_scene_place(world.scene, block, &moved), TR_OK);
    CHECK_INT(tr_solid_update(world.solid, NULL, NULL), TR_OK);
    tr_profile_query query = {world.solid, path, 2, 0, 0.45f, 0.9f};
    CHECK_INT(tr_profile_cut(world.profile, &query, NULL), TR_OK);
    CHECK_NEAR(*cell(&world, world.view.floor, 1.2f, 0), 0, 0);
    CHECK_NEAR(*cell(&world, world.view.floor, 2.2f, 0), 0.2f, 0);
    drop(&world);
}

TEST(bad_values_and_long_paths_are_refused_and_leave_an_empty_profile) {
    little world;
    begin(&world);
    const tr_vec2 path[2] = {{0, 0}, {0, 3}}, far[2] = {{0, 0}, {0, 300}}, none[2] = {{1, 1}, {1, 1}},
                  bad[2] = {{0, 0}, {NAN, 1}};
    cut(&world, path, 2, 0);
    tr_error error;
    tr_profile_query query = {world.solid, far, 2, 0, 0.45f, 0.9f};
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "300 m");
    CHECK_INT(tr_profile_look(world.profile).columns, 0);
    query.points = none;
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_INVALID);
    query.points = bad;
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_INVALID);
    query.points = path, query.height = NAN;
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_INVALID);
    query.height = 0, query.knee = INFINITY;
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_INVALID);
    query.knee = 0.4f, query.reach = -1;
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_INVALID);
    tr_profile_def def = tr_profile_def_default();
    def.cell = NAN;
    tr_profile *none_made;
    CHECK_INT(tr_profile_create(&def, &none_made, &error), TR_INVALID);
    def = tr_profile_def_default();
    def.rows = 65;
    CHECK_INT(tr_profile_create(&def, &none_made, &error), TR_INVALID);
    def = tr_profile_def_default();
    def.triangles = 2;
    tr_profile_destroy(world.profile);
    CHECK_INT(tr_profile_create(&def, &world.profile, &error), TR_OK);
    query = (tr_profile_query){world.solid, path, 2, 0, 0.45f, 0.9f};
    CHECK_INT(tr_profile_cut(world.profile, &query, &error), TR_LIMIT);
    drop(&world);
}

static bool make_once(const tr_allocator *allocator) {
    tr_profile_def def = tr_profile_def_default();
    def.allocator = allocator;
    tr_profile *profile;
    bool made = tr_profile_create(&def, &profile, NULL) == TR_OK;
    tr_profile_destroy(profile);
    return made;
}

TEST(a_profile_gives_everything_back_when_memory_runs_out) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_once) >= 9);
}
