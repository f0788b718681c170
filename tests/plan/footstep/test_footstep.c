// Footsteps over real surfaces: level ground, stairs, gaps, ramps, turns.
#include "footstep_world.h"

#include "troupe/base/hash.h"
#include "troupe/base/random.h"

#define HEIGHT 1.75f

// A straight stair along z from z = 1 + off on, between two floors.
static void add_stair(footstep_world *world, float going, float rise, uint32_t steps, float off) {
    float z = 1 + off;
    world_add(world, -1, -3, 1, z, -0.2f, 0);
    for (uint32_t i = 0; i < steps; i++, z += going)
        world_add(world, -1, z, 1, i + 1 == steps ? z + 3 : z + going, -0.2f, rise * (float)(i + 1));
}

// How many footsteps have this height.
static uint32_t count_at(const footstep_world *world, float height) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->footstep_count; i++)
        count += fabsf(world->footsteps[i].position.y - height) < 0.005f;
    return count;
}

static void check_plan(footstep_world *world, uint32_t first) {
    tr_footstep feet[2];
    world_feet(world, feet);
    CHECK_INT(world_plan(world, first), TR_OK);
    world_check(world, feet);
    if (first < 2)
        CHECK_INT(world->footsteps[0].side, first);
}

TEST(level_ground_is_walked_in_strides_near_the_one_that_is_liked) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -6, -6, 6, 6, -0.2f, 0);
    REQUIRE(world_build(&world, 0.05f));
    tr_random random = tr_random_seed(1);
    for (uint32_t round = 0; round < 12; round++) {
        float angle = tr_random_between(&random, -3.1f, 3.1f), length = tr_random_between(&random, 4, 9);
        float x = sinf(angle), z = cosf(angle);
        world.point_count = 0;
        world_go(&world, -0.5f * length * x, 0, -0.5f * length * z);
        world_go(&world, 0.5f * length * x, 0, 0.5f * length * z);
        check_plan(&world, round % 3);
        float before = -0.5f * length;
        for (uint32_t i = 0; i < world.footstep_count; i++) {
            const tr_footstep *footstep = &world.footsteps[i];
            float along = footstep->position.x * x + footstep->position.z * z,
                  left = footstep->position.x * z - footstep->position.z * x;
            CHECK_NEAR(left, (footstep->side ? -0.5 : 0.5) * (double)world.params.apart, 1e-4);
            CHECK_NEAR(sin((double)footstep->heading - (double)angle), 0, 1e-5);
            CHECK_NEAR(footstep->support, 1, 0);
            if (i + 1 < world.footstep_count)
                CHECK_NEAR(along - before, world.params.stride, 0.13 * (double)world.params.stride);
            else
                CHECK_NEAR(along, 0.5 * (double)length, 1e-4);
            before = along;
        }
    }
    world_end(&world);
}

TEST(a_stair_gets_one_whole_footstep_a_tread_up_and_down) {
    static const float goings[] = {0.27f, 0.29f, 0.30f, 0.32f}, rises[] = {0.18f, 0.17f, 0.15f, 0.16f};
    for (uint32_t round = 0; round < 12; round++) {
        static footstep_world world;
        memset(&world, 0, sizeof world);
        float rise = rises[round % 4];
        add_stair(&world, goings[round % 4], rise, 9, 0.0117f * (float)round);
        REQUIRE(world_build(&world, 0.05f));
        for (uint32_t down = 0; down < 2; down++) {
            world.point_count = 0;
            world_go(&world, 0, down ? rise * 9 : 0, down ? 5.5f : -1);
            world_go(&world, 0, down ? 0 : rise * 9, down ? -1 : 5.5f);
            check_plan(&world, 2);
            for (uint32_t step = 1; step < 9; step++)
                CHECK_INT(count_at(&world, rise * (float)step), 1);
            for (uint32_t i = 0; i < world.footstep_count; i++) {
                CHECK(world.footsteps[i].support >= 0.79f);
                CHECK(world_sole(&world, &world.footsteps[i]).carried >= 0.7f);
                CHECK(world_sole(&world, &world.footsteps[i]).sunk <= 0.001f);
            }
        }
        world_end(&world);
    }
}

TEST(finer_cells_give_wholly_carried_soles) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    add_stair(&world, 0.29f, 0.17f, 9, 0.003f);
    REQUIRE(world_build(&world, 0.01f));
    world_go(&world, 0.2f, 0, -1);
    world_go(&world, 0.2f, 0.17f * 9, 5);
    check_plan(&world, 1);
    for (uint32_t i = 0; i < world.footstep_count; i++)
        CHECK(world_sole(&world, &world.footsteps[i]).carried >= 0.96f);
    for (uint32_t step = 1; step < 9; step++)
        CHECK_INT(count_at(&world, 0.17f * (float)step), 1);
    world_end(&world);
}

TEST(treads_too_narrow_for_a_sole_are_no_way_and_it_says_where) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    add_stair(&world, 0.1f, 0.17f, 12, 0);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0, 0, -1);
    world_go(&world, 0, 0.17f * 12, 4);
    CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
    CHECK_INT(world.footstep_count, 0);
    CHECK(world.stuck_at.z > 0.6f && world.stuck_at.z < 1.3f);
    CHECK_NEAR(world.stuck_at.y, 0, 0.5);
    world_end(&world);
}

TEST(a_step_too_high_is_no_way) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -1, -2, 1, 1, -0.2f, 0);
    world_add(&world, -1, 1, 1, 4, -0.2f, 0.55f);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0, 0, -1);
    world_go(&world, 0, 0.55f, 3);
    CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
    CHECK(world.stuck_at.z > 0.6f && world.stuck_at.z < 1.1f);
    world.params.rise_most = 0.6f;
    CHECK_INT(world_plan(&world, 2), TR_OK);
    world_end(&world);
}

static void build_gap(footstep_world *world, float gap) {
    memset(world, 0, sizeof *world);
    world_add(world, -1, -2, 1, 1, -0.2f, 0);
    world_add(world, -1, 1 + gap, 1, 5, -0.2f, 0);
    world_add(world, -1, -2, 1, 5, -2, -1.5f); // far below
    if (world_build(world, 0.05f)) {
        world_go(world, 0, 0, -1.2f);
        world_go(world, 0, 0, 3.5f);
    }
}

TEST(a_gap_is_crossed_from_edge_to_edge) {
    for (uint32_t i = 0; i < 8; i++) {
        static footstep_world world;
        float gap = 0.2f + 0.06f * (float)i;
        build_gap(&world, gap);
        REQUIRE(world.point_count == 2);
        check_plan(&world, i % 3);
        // The last before the gap and the first behind it are one step apart, and whole.
        for (uint32_t j = 0; j < world.footstep_count; j++)
            CHECK(world_sole(&world, &world.footsteps[j]).carried >= 0.6f);
        if (gap >= 0.4f) {
            uint32_t j = 0;
            while (world.footsteps[j].position.z < 1)
                j++;
            CHECK(world.footsteps[j - 1].position.z > 0.75f);
            CHECK(world.footsteps[j].position.z < 1 + gap + 0.25f);
        }
        world_end(&world);
    }
}

TEST(a_gap_too_wide_is_no_way_but_taller_people_cross_it) {
    static footstep_world world;
    build_gap(&world, 0.95f);
    REQUIRE(world.point_count == 2);
    CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
    CHECK(world.stuck_at.z > 0.5f && world.stuck_at.z < 1.1f);
    world.params = tr_footstep_params_default(2.6f);
    CHECK_INT(world_plan(&world, 2), TR_OK);
    world_end(&world);
    build_gap(&world, 0.6f);
    world.params = tr_footstep_params_default(1.0f);
    CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
    world_end(&world);
}

TEST(a_stair_round_a_landing_is_climbed) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -0.6f, -2, 0.6f, 0, -0.2f, 0);
    for (uint32_t i = 0; i < 5; i++)
        world_add(&world, -0.6f, 0.29f * (float)i, 0.6f, 0.29f * (float)(i + 1), -0.2f,
                  0.17f * (float)(i + 1));
    world_add(&world, -0.6f, 1.45f, 0.6f, 2.65f, -0.2f, 1.02f);
    for (uint32_t i = 0; i < 5; i++)
        world_add(&world, 0.6f + 0.29f * (float)i, 1.45f, 0.6f + 0.29f * (float)(i + 1), 2.65f, -0.2f,
                  1.02f + 0.17f * (float)(i + 1));
    world_add(&world, 2.05f, 1.45f, 4, 2.65f, -0.2f, 2.04f);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0, 0, -1);
    world_go(&world, 0, 1.02f, 2.05f);
    world_go(&world, 3.2f, 2.04f, 2.05f);
    for (uint32_t first = 0; first < 3; first++) {
        check_plan(&world, first);
        for (uint32_t step = 1; step <= 11; step++)
            if (step != 6)
                CHECK_INT(count_at(&world, 0.17f * (float)step), 1);
        CHECK_NEAR(world.footsteps[world.footstep_count - 1].heading, 1.5707963, 1e-5);
        CHECK_NEAR(world.footsteps[0].heading, 0, 1e-5);
    }
    world_end(&world);
}

TEST(on_a_ramp_soles_lie_in_its_plane) {
    for (uint32_t round = 0; round < 4; round++) {
        static footstep_world world;
        memset(&world, 0, sizeof world);
        float rise = round % 2 ? 0.1763f : 0.35f; // 10 and 19 degrees
        world_add(&world, -1.5f, -2, 1.5f, 0, -0.2f, 0);
        world_ramp(&world, -1.5f, 0, 1.5f, 5, -0.2f, 0, rise);
        REQUIRE(world_build(&world, 0.05f));
        float x = round < 2 ? 0 : 0.8f;
        world_go(&world, -x, 0, -1);
        world_go(&world, x, rise * 4, 4);
        check_plan(&world, 2);
        uint32_t sloped = 0;
        for (uint32_t i = 0; i < world.footstep_count; i++) {
            const tr_footstep *footstep = &world.footsteps[i];
            if (footstep->position.z < 0.2f)
                continue;
            sloped++;
            CHECK_NEAR(footstep->support, 1, 0.05);
            CHECK_NEAR(footstep->pitch, (double)rise * cos((double)footstep->heading), 0.04);
            CHECK_NEAR(footstep->roll, -(double)rise * sin((double)footstep->heading), 0.1);
            CHECK_NEAR(footstep->position.y, rise * footstep->position.z, 0.01);
            CHECK(world_sole(&world, footstep).sunk < 0.01f);
        }
        CHECK(sloped >= 8);
        world_end(&world);
    }
}

// Wedges about the y axis; the walk goes round at a radius of one metre.
static void add_spiral(footstep_world *world, uint32_t steps, float *end_angle) {
    const float inner = 0.35f, outer = 1.7f, wedge = 0.29f;
    world_add(world, 0.3f, -2, 2, 0, -0.2f, 0);
    for (uint32_t i = 0; i < steps; i++) {
        float a = wedge * (float)i, b = wedge * (float)(i + 1);
        world_block *block = &world->blocks[world->block_count++];
        *block = (world_block){{{inner * cosf(a), inner * sinf(a)},
                                {inner * cosf(b), inner * sinf(b)},
                                {outer * cosf(b), outer * sinf(b)},
                                {outer * cosf(a), outer * sinf(a)}},
                               -0.2f,
                               0.16f * (float)(i + 1),
                               0};
    }
    *end_angle = wedge * ((float)steps - 0.5f);
}

TEST(a_spiral_stair_is_climbed) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    float end_angle;
    add_spiral(&world, 14, &end_angle);
    REQUIRE(world_build(&world, 0.04f));
    world.params.support_least = 0.6f; // wedges are short for the inner foot
    world_go(&world, 1, 0, -1);
    for (float angle = 0; angle < end_angle; angle += 0.15f)
        world_go(&world, 1.05f * cosf(angle), 0.16f * (1 + floorf(angle / 0.29f)), 1.05f * sinf(angle));
    tr_footstep feet[2];
    world_feet(&world, feet);
    CHECK_INT(world_plan(&world, 2), TR_OK);
    world_check(&world, feet);
    CHECK(world.footsteps[world.footstep_count - 1].position.y > 0.16f * 12);
    for (uint32_t step = 1; step < 12; step++)
        CHECK(count_at(&world, 0.16f * (float)step) <= 2);
    world_end(&world);
}

TEST(who_looks_elsewhere_turns_by_steps_first) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -4, -4, 4, 4, -0.2f, 0);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0, 0, 0);
    world_go(&world, 0, 0, 2.5f);
    for (int degrees = -180; degrees <= 180; degrees += 15) {
        tr_footstep feet[2];
        feet_at(&world, world.points[0].position, degrees * 0.017453292519943295, feet);
        CHECK_INT(tr_footstep_plan(world.scratch,
                                   &(tr_footstep_query){.surface = world.surface,
                                                        .points = world.points,
                                                        .point_count = 2,
                                                        .feet = feet,
                                                        .first = 2,
                                                        .params = &world.params},
                                   world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
                  TR_OK);
        world_check(&world, feet);
        float before = feet[1 - world.footsteps[0].side].heading;
        for (uint32_t i = 0; i < world.footstep_count; i++) {
            CHECK(cosf(world.footsteps[i].heading - before) > 0.44f);
            before = world.footsteps[i].heading;
        }
        CHECK_NEAR(world.footsteps[world.footstep_count - 1].heading, 0, 1e-6);
    }
    world_end(&world);
}

TEST(sharp_corners_and_ways_back_are_stepped_round) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -4, -4, 4, 4, -0.2f, 0);
    REQUIRE(world_build(&world, 0.05f));
    for (int degrees = -180; degrees <= 180; degrees += 20) {
        float angle = (float)degrees * 0.0174532925f;
        world.point_count = 0;
        world_go(&world, 0, 0, -1.5f);
        world_go(&world, 0, 0, 0);
        world_go(&world, 2 * sinf(angle), 0, 2 * cosf(angle));
        check_plan(&world, 2);
    }
    world_end(&world);
}

TEST(nobody_steps_through_a_wall) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -2, -2, 2, 2, -0.2f, 0);
    world_add(&world, -2, 0, 2, 0.06f, 0, 1.5f);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0, 0, -1.5f);
    world_go(&world, 0, 0, 1.5f);
    CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
    CHECK(world.stuck_at.z < 0 && world.stuck_at.z > -0.5f);
    world_end(&world);
}

TEST(a_low_bar_is_stepped_over) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -2, -2, 2, 2, -0.2f, 0);
    world_add(&world, -2, 0, 2, 0.06f, 0, 0.25f);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0, 0, -1.5f);
    world_go(&world, 0, 0, 1.5f);
    check_plan(&world, 2);
    CHECK_INT(count_at(&world, 0), world.footstep_count);
    world_end(&world);
}

TEST(beside_an_edge_both_feet_keep_to_the_floor) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, 0, -2, 2, 3, -0.2f, 0);
    REQUIRE(world_build(&world, 0.05f));
    world_go(&world, 0.07f, 0, -1.5f); // the right foot's middle would be on the edge
    world_go(&world, 0.07f, 0, 2.5f);
    tr_footstep feet[2];
    feet_at(&world, tr_vec3_make(0.15f, 0, -1.5f), 0, feet);
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = 2,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
              TR_OK);
    world_check(&world, feet);
    for (uint32_t i = 0; i < world.footstep_count; i++)
        CHECK(world.footsteps[i].support >= 0.95f);
    world_end(&world);
}

TEST(along_a_wall_the_feet_keep_off_it) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -1, -2, 2, 3, -0.2f, 0);
    world_add(&world, 0.08f, -2, 0.2f, 3, 0, 2);
    REQUIRE(world_build(&world, 0.02f));
    world_go(&world, 0, 0, -1.5f); // the left foot would be in the wall
    world_go(&world, 0, 0, 2.5f);
    check_plan(&world, 2);
    for (uint32_t i = 0; i < world.footstep_count; i++)
        CHECK(world.footsteps[i].position.x + 0.5f * world.params.sole_width <= 0.08f);
    world_end(&world);
}

TEST(on_a_beam_one_foot_goes_before_the_other) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -1, -2, 1, 0, 0.8f, 1);
    world_add(&world, -0.07f, 0, 0.07f, 3, 0.8f, 1);
    world_add(&world, -1, 3, 1, 5, 0.8f, 1);
    REQUIRE(world_build(&world, 0.02f));
    world_go(&world, 0, 1, -1);
    world_go(&world, 0, 1, 4);
    check_plan(&world, 2);
    for (uint32_t i = 0; i < world.footstep_count; i++)
        if (world.footsteps[i].position.z > 0.2f && world.footsteps[i].position.z < 2.8f)
            CHECK(world_sole(&world, &world.footsteps[i]).carried >= 0.8f);
    world_end(&world);
}

TEST(of_two_storeys_the_one_that_the_way_is_on_counts) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    world_add(&world, -1, -2, 1, 3, -0.2f, 0);
    world_add(&world, -1, -2, 1, 3, 2.5f, 2.7f);
    REQUIRE(world_build(&world, 0.05f));
    for (uint32_t storey = 0; storey < 2; storey++) {
        float height = storey ? 2.7f : 0;
        world.point_count = 0;
        world_go(&world, 0, height, -1);
        world_go(&world, 0, height, 2);
        check_plan(&world, 2);
        CHECK_INT(count_at(&world, height), world.footstep_count);
    }
    world_end(&world);
}

TEST(footsteps_have_the_same_bits_everywhere) {
    static footstep_world world;
    memset(&world, 0, sizeof world);
    float end_angle;
    add_spiral(&world, 14, &end_angle);
    REQUIRE(world_build(&world, 0.04f));
    world.params.support_least = 0.6f;
    world_go(&world, 1, 0, -1);
    for (uint32_t i = 0; i < 14; i++) {
        tr_vec2 a = world.blocks[1 + i].corners[0], b = world.blocks[1 + i].corners[3];
        world_go(&world, 0.5f * (a.x + b.x), 0.16f * (float)(i + 1), 0.5f * (a.z + b.z));
    }
    tr_footstep feet[2] = {{.side = 0, .position = {1.06f, 0, -1}, .heading = 0.1f},
                           {.side = 1, .position = {0.93f, 0, -1}, .heading = -0.1f}};
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = world.point_count,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
              TR_OK);
    CHECK(world.footstep_count > 12);
    uint64_t hash = tr_hash(TR_HASH_START, world.footsteps, world.footstep_count * sizeof *world.footsteps);
    CHECK_HASH(hash, 0xa5d2cba4bdb9f10eu);
    world_end(&world);
}
