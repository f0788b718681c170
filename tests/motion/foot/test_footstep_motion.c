#include "footstep_motion_walks.h"
#include "motion/cast/cast.h"

#define HEIGHTS 4
static const float heights[HEIGHTS] = {1.1f, 1.4f, 1.75f, 1.95f};

static float shorter(float height) {
    return height < 1.75f ? height / 1.75f : 1;
}

// What must hold for every walk, over any ground.
static void check_watch(const walk_watch *watch, const char *name, float height) {
    bool good = watch->finite && watch->slide < 1e-5f && watch->depth < 1e-4f && watch->limit < 0.0087f &&
                watch->miss < 1e-5f && watch->jump * WALK_RATE < 8 && watch->sunk < 0.005f;
    if (!good)
        test_failed(__FILE__, __LINE__,
                    "%s at %g m: slide %g mm, depth %g mm, limit %g rad, miss %g mm, acceleration %g m/s^2, "
                    "sunk %g mm",
                    name, (double)height, 1e3 * (double)watch->slide, 1e3 * (double)watch->depth,
                    (double)watch->limit, 1e3 * (double)watch->miss, (double)(watch->jump * WALK_RATE),
                    1e3 * (double)watch->sunk);
}

static void check_walks(const char *name, footstep_walk (*make)(float height)) {
    for (uint32_t i = 0; i < HEIGHTS; i++) {
        footstep_walker *walker = walker_of(heights[i]);
        REQUIRE(walker);
        footstep_walk walk = make(heights[i]);
        walk_watch watch = watch_walk(walker, &walk, NULL, NULL);
        check_watch(&watch, name, heights[i]);
        CHECK_INT(walker->status, TR_DONE);
        CHECK_INT(walker->next, walk.footstep_count);
        CHECK_INT(walker->contacts, 15);
        CHECK(walker->state.shortfall == 0);
    }
}

static footstep_walk make_level(float height) {
    return level_walk(height, 0.6f * shorter(height), 3);
}

static float rise_for(float height) {
    return height < 1.4f ? 0.136f : 0.17f;
}

// Treads on which the soles of tall people have room.
static float going_for(float height) {
    return height > 1.8f ? 0.33f : 0.29f;
}

static footstep_walk make_up(float height) {
    return stair_walk(height, rise_for(height), going_for(height), 7);
}

static footstep_walk make_down(float height) {
    return stair_walk(height, -rise_for(height), going_for(height), 7);
}

static footstep_walk make_gap(float height) {
    return gap_walk(height, 0.8f * shorter(height));
}

static footstep_walk make_long_gap(float height) {
    return gap_walk(height, 0.85f * shorter(height));
}

static footstep_walk make_ramp(float height) {
    return ramp_walk(height, 0.15f);
}

static footstep_walk make_ramp_down(float height) {
    return ramp_walk(height, -0.15f);
}

static footstep_walk make_curve(float height) {
    return turning_walk(height, 0.4f * shorter(height), 0.5f, 8);
}

static footstep_walk make_sharp_turn(float height) {
    return turning_walk(height, 0.3f * shorter(height), -1.05f, 6);
}

static footstep_walk make_turn_on_the_spot(float height) {
    return turning_walk(height, 0, 0.5f, 6);
}

TEST(level_ground_is_walked_over) {
    check_walks("level", make_level);
}

TEST(stairs_are_climbed) {
    check_walks("up", make_up);
}

TEST(stairs_are_descended) {
    check_walks("down", make_down);
}

TEST(gaps_are_crossed_by_a_long_step) {
    check_walks("gap", make_gap);
    check_walks("long gap", make_long_gap);
}

TEST(soles_follow_the_slope_of_a_ramp) {
    check_walks("ramp", make_ramp);
    check_walks("ramp down", make_ramp_down);
}

TEST(footsteps_may_turn) {
    check_walks("curve", make_curve);
    check_walks("sharp turn", make_sharp_turn);
    check_walks("on the spot", make_turn_on_the_spot);
}

// Every step may rise, fall, turn and be long or short, as far as planners of footsteps would let it.
static footstep_walk random_walk(tr_random *random, float height) {
    footstep_walk walk = {0};
    float z = 0, at = 0, scale = shorter(height), foot = 0.08f * height + 0.03f;
    uint32_t count = 6 + tr_random_below(random, 8);
    add_block(&walk, foot, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        float step = scale * tr_random_between(random, 2 * foot / scale, 0.7f);
        float rise = scale * tr_random_between(random, -0.18f, 0.18f);
        bool same = tr_random_below(random, 3) == 0;
        z += step < 2 * foot ? 2 * foot : step;
        at += same ? 0 : rise;
        walk.blocks[walk.block_count - 1].end = z - foot;
        add_block(&walk, 100, at, 0);
        add_footstep(&walk, i % 2, height, z);
        walk.footsteps[walk.footstep_count - 1].heading += tr_random_between(random, -0.15f, 0.15f);
    }
    finish_walk(&walk, height);
    return walk;
}

TEST(random_footsteps_are_followed) {
    uint32_t bad = 0;
    for (uint32_t i = 0; i < HEIGHTS; i++) {
        footstep_walker *walker = walker_of(heights[i]);
        REQUIRE(walker);
        for (uint32_t seed = 0; seed < 5; seed++) {
            tr_random random = tr_random_seed(100 * i + seed);
            footstep_walk walk = random_walk(&random, heights[i]);
            walk_watch watch = watch_walk(walker, &walk, NULL, NULL);
            CHECK_INT(walker->status, TR_DONE);
            bad += !(watch.finite && watch.slide < 1e-5f && watch.depth < 1e-4f && watch.limit < 0.0087f &&
                     watch.miss < 1e-5f && watch.jump * WALK_RATE < 18);
            if (bad == 1)
                check_watch(&watch, "random", heights[i]);
        }
    }
    CHECK_INT(bad, 0);
}

TEST(any_length_of_frame_gives_the_same_footsteps) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = make_up(1.75f);
    const float frames[] = {1 / 24.0f, 1 / 30.0f, 1 / 120.0f, 0.3f, 2.0f};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        walker_begin(walker, &walk);
        uint32_t steps = 0;
        while (walker_step(walker, frames[i]) == TR_OK && steps < 5000)
            steps++;
        CHECK_INT(walker->status, TR_DONE);
        for (uint32_t side = 0; side < 2; side++) {
            tr_vec3 heel = tr_foot_heel(&walker->character->legs.feet[side], walker->model);
            tr_vec3 tip = tr_foot_tip(&walker->character->legs.feet[side], walker->model);
            tr_vec3 middle = tr_vec3_scale(tr_vec3_add(heel, tip), 0.5f);
            tr_footstep footstep = walk.footsteps[walk.footstep_count - 1];
            if (footstep.side != side)
                footstep = walk.footsteps[walk.footstep_count - 2];
            CHECK(tr_vec3_length(tr_vec3_subtract(middle, footstep.position)) < 1e-5f);
        }
    }
}

// At the end the body is where standing has it: feet, hips and height.
TEST(at_the_end_the_body_stands) {
    for (uint32_t i = 0; i < HEIGHTS; i++) {
        footstep_walker *walker = walker_of(heights[i]);
        REQUIRE(walker);
        footstep_walk walk = make_up(heights[i]);
        watch_walk(walker, &walk, NULL, NULL);
        const tr_legs *legs = &walker->character->legs;
        tr_vec3 hips = tr_affine_position(&walker->model[legs->hips]), ankles[2];
        for (uint32_t side = 0; side < 2; side++)
            ankles[side] = tr_affine_position(&walker->model[legs->feet[side].ankle]);
        tr_locomotion_state stand = {0};
        uint32_t contacts;
        tr_locomotion_step(walker->character->locomotion, &stand, 0, 0, &walker->pose, walker->scratch,
                           &contacts);
        tr_pose_to_model(walker->character->skeleton, &walker->pose, &walker->place, walker->model);
        tr_vec3 off = tr_vec3_subtract(hips, tr_affine_position(&walker->model[legs->hips]));
        CHECK(tr_vec3_length(off) < 0.004f * heights[i]);
        for (uint32_t side = 0; side < 2; side++) {
            off = tr_vec3_subtract(ankles[side], tr_affine_position(&walker->model[legs->feet[side].ankle]));
            CHECK(tr_vec3_length(off) < 0.006f * heights[i]); // footsteps are a little wider than it stands
        }
        tr_vec3 base, velocity;
        float heading;
        tr_footstep_motion_base(&walker->state, &base, &heading, &velocity);
        CHECK(tr_vec3_length(velocity) < 1e-6f);
        CHECK_NEAR(heading, 0, 1e-5);
        CHECK_NEAR(base.y, walk.footsteps[walk.footstep_count - 1].position.y, 1e-5);
        CHECK_NEAR(base.x, tr_affine_position(&walker->place).x, 0);
    }
}

// A body that is stopped in the middle of a step, with its feet far apart, and continues before it stands
// still is not thrown forward.
TEST(a_body_that_is_stopped_and_goes_on_is_never_faster_than_people_are) {
    float fastest = 0;
    for (uint32_t i = 0; i < HEIGHTS; i++) {
        footstep_walker *walker = walker_of(heights[i]);
        REQUIRE(walker);
        for (uint32_t seed = 0; seed < 60; seed++) {
            tr_random random = tr_random_seed(1000 * i + seed);
            footstep_walk walk =
                seed % 3 ? random_walk(&random, heights[i]) : gap_walk(heights[i], 0.6f * heights[i]);
            uint32_t frames = 0, held = 0, all = walk.footstep_count;
            walker_begin(walker, &walk);
            while (frames++ < 6000 && (walker->status == TR_OK || walker->next < all)) {
                if (held == 0 && tr_random_below(&random, 20) == 0)
                    held = 1 + tr_random_below(&random, 60);
                walk.footstep_count = held > 0 ? walker->next : all;
                held -= held > 0;
                walker_step(walker, 1 / WALK_RATE);
                tr_vec3 base, velocity;
                float heading;
                tr_footstep_motion_base(&walker->state, &base, &heading, &velocity);
                fastest = fmaxf(fastest, sqrtf(velocity.x * velocity.x + velocity.z * velocity.z));
            }
        }
    }
    CHECK(fastest < 2.2f);
}

TEST(steps_take_as_long_as_people_take) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walks[3] = {make_level(1.75f), make_up(1.75f), make_gap(1.75f)};
    float least[3] = {0.5f, 0.5f, 0.55f}, most[3] = {0.65f, 0.65f, 0.75f};
    for (uint32_t i = 0; i < 3; i++) {
        walker_begin(walker, &walks[i]);
        float longest = 0;
        while (walker_step(walker, 1 / WALK_RATE) == TR_OK)
            if (walker->next > 2 && walker->state.steps)
                longest = walker->state.duration > longest ? walker->state.duration : longest;
        CHECK(longest > least[i] && longest < most[i]);
    }
}

TEST(the_same_bits_everywhere) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    uint64_t hash = TR_HASH_START;
    footstep_walk walks[5] = {make_level(1.75f), make_up(1.75f), make_down(1.75f), make_gap(1.75f),
                              make_curve(1.75f)};
    for (uint32_t i = 0; i < 5; i++) {
        walk_watch watch = watch_walk(walker, &walks[i], NULL, NULL);
        hash = tr_hash(hash, &watch.hash, sizeof watch.hash);
    }
    CHECK_HASH(hash, 0x124f479d8737ccf8);
}
