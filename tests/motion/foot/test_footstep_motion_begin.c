// How footstep motion begins, and how it treats footsteps that no planner would produce.
#include "motion/humanoid.h"
#include "motion/cast/cast.h"
#include "footstep_motion_walks.h"

// From one step before to one step after the begin, no joint of the legs nor the hips jumps.
static float worst_jump(footstep_walker *walker, const tr_affine *before) {
    const tr_legs *legs = &walker->character->legs;
    uint32_t joints[] = {legs->hips, legs->feet[0].ankle, legs->feet[1].ankle, legs->feet[0].shank,
                         legs->feet[1].shank};
    float worst = 0;
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        tr_vec3 off = tr_vec3_subtract(tr_affine_position(&walker->model[joints[i]]),
                                       tr_affine_position(&before[joints[i]]));
        float size = tr_vec3_length(off);
        worst = size > worst ? size : worst;
    }
    return worst;
}

TEST(a_body_that_stands_goes_on_from_where_it_is) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = level_walk(1.75f, 0.5f, 2);
    walker_begin(walker, &walk);
    tr_affine before[WALK_JOINTS];
    memcpy(before, walker->model, sizeof before);
    CHECK_INT(walker_step(walker, 0), TR_OK);
    CHECK_INT(walker->next, 1);
    CHECK(worst_jump(walker, before) < 0.002f); // knees: those of the clip are a hair elsewhere
    CHECK_INT(walker->contacts, 15);
}

// Treads as the walk would go on: the foot in the air, or the one behind, goes first.
static footstep_walk walk_on(const tr_footstep feet[2], uint32_t labels) {
    footstep_walk walk = {0};
    add_block(&walk, 100, 0, 0);
    bool both = labels & 3 && labels & 12;
    uint32_t side = both ? feet[0].position.z > feet[1].position.z : labels & 3 ? 1 : 0;
    for (uint32_t i = 0; i < 5; i++)
        walk.footsteps[walk.footstep_count++] =
            footstep_on(&walk, (side + i) % 2, feet[(side + i) % 2].position.x,
                        feet[1 - side].position.z + 0.6f * (float)(i < 4 ? i + 1 : 4), 0);
    return walk;
}

// Out of the walk, at any phase: the feet are where they were shown, and the hips too.
TEST(a_body_that_walks_goes_on_from_where_it_is) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    const tr_legs *legs = &walker->character->legs;
    for (uint32_t i = 0; i < 40; i++) {
        tr_locomotion_state state = {.phase = i / 40.0, .speed = 1.1f};
        uint32_t labels;
        tr_locomotion_step(walker->character->locomotion, &state, 1.1f, 0, &walker->pose, walker->scratch,
                           &labels);
        tr_affine before[WALK_JOINTS], at = tr_affine_place(tr_vec3_make(0, 0, 0), 0);
        tr_pose_to_model(walker->character->skeleton, &walker->pose, &at, walker->model);
        memcpy(before, walker->model, sizeof before);
        tr_footstep feet[2] = {footstep_under(walker, 0, 0), footstep_under(walker, 1, 0)};
        footstep_walk walk = walk_on(feet, labels);
        walker_begin(walker, &walk);
        tr_vec3 at_hips = tr_affine_position(&before[legs->hips]);
        tr_footstep_motion_start start = {.model = before,
                                          .feet = {feet[0], feet[1]},
                                          .in_air = labels & 3 && labels & 12 ? 2 : labels & 3 ? 1 : 0,
                                          .base = {at_hips.x, 0, at_hips.z},
                                          .velocity = {0, 0, 1.1f}};
        tr_footstep_motion_begin(&walker->state, legs, &start);
        CHECK_INT(walker_step(walker, 0), TR_OK);
        for (uint32_t side = 0; side < 2; side++) {
            tr_vec3 off = tr_vec3_subtract(tr_affine_position(&walker->model[legs->feet[side].ankle]),
                                           tr_affine_position(&before[legs->feet[side].ankle]));
            CHECK(tr_vec3_length(off) < 1e-4f);
        }
        tr_vec3 hips = tr_affine_position(&before[legs->hips]);
        tr_vec3 off = tr_vec3_subtract(tr_affine_position(&walker->model[legs->hips]), hips);
        CHECK(tr_vec3_length(off) < 0.005f);
        walk_watch watch = {.finite = true, .straightest = 9};
        walk_past past = {0};
        for (uint32_t k = 0; k < 400 && walker_step(walker, 1 / WALK_RATE) == TR_OK; k++)
            watch_frame(walker, &past, &watch);
        CHECK_INT(walker->status, TR_DONE);
        // A foot that is about to land leaves no time: then the hips are hurried.
        double swung = fmod(i / 40.0, 0.5);
        CHECK(watch.finite && watch.slide < 1e-5f && watch.jump * WALK_RATE < (swung < 0.26 ? 12 : 100));
    }
}

// Skeletons of others: joints with axes of their own, a root above the hips, more bones in the spine.
TEST(bodies_with_odd_axes_climb_too) {
    const humanoid_def defs[] = {{.size = 1, .thigh = 0.45f, .shank = 0.44f, .odd_axes = true},
                                 {.size = 1, .thigh = 0.45f, .shank = 0.44f, .odd_axes = true, .root = true},
                                 {.size = 1, .thigh = 0.45f, .shank = 0.44f, .spine_bones = 5}};
    for (uint32_t i = 0; i < 3; i++) {
        tr_skeleton *skeleton = humanoid_make(NULL, defs[i], 7 + i);
        REQUIRE(skeleton);
        footstep_walker walker;
        REQUIRE(walker_take(&walker, &(tr_character_def){.skeleton = skeleton}));
        footstep_walk walks[2] = {stair_walk(1.74f, 0.17f, 0.3f, 4), stair_walk(1.74f, -0.17f, 0.3f, 4)};
        for (uint32_t k = 0; k < 2; k++) {
            walk_watch watch = watch_walk(&walker, &walks[k], NULL, NULL);
            CHECK_INT(walker.status, TR_DONE);
            CHECK(watch.finite && watch.slide < 1e-5f && watch.depth < 1e-4f && watch.miss < 1e-5f);
            CHECK(watch.jump * WALK_RATE < 12);
        }
        walker_destroy(&walker);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(without_footsteps_it_comes_to_rest) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = {0};
    add_block(&walk, 100, 0, 0);
    walk_watch watch = watch_walk(walker, &walk, NULL, NULL);
    CHECK_INT(walker->status, TR_DONE);
    CHECK(watch.finite && watch.slide < 1e-5f && watch.frames < 60);
    // And goes on when there is one again.
    walk = level_walk(1.75f, 0.5f, 1);
    CHECK_INT(walker_step(walker, 1 / WALK_RATE), TR_OK);
    CHECK_INT(walker->next, 1);
}

// A body that has to wait stands with one foot above the other, and goes on from there.
TEST(it_waits_on_the_stairs_and_goes_on) {
    for (int way = -1; way <= 1; way += 2) {
        footstep_walker *walker = walker_of(1.75f);
        REQUIRE(walker);
        footstep_walk walk = stair_walk(1.75f, 0.17f * (float)way, 0.29f, 6);
        walker_begin(walker, &walk);
        walk_watch watch = {.finite = true, .straightest = 9};
        walk_past past = {0};
        uint32_t all = walk.footstep_count, waited = 0;
        for (uint32_t i = 0; i < 1200; i++) {
            bool waits = walker->next == 4 && waited < 120;
            walk.footstep_count = waits ? 4 : all;
            tr_status status = walker_step(walker, 1 / WALK_RATE);
            waited += status == TR_DONE && waits;
            watch_frame(walker, &past, &watch);
            if (status == TR_DONE && !waits)
                break;
        }
        CHECK_INT(walker->status, TR_DONE);
        CHECK_INT(waited, 120);
        CHECK_INT(walker->next, all);
        CHECK(watch.finite && watch.slide < 1e-5f && watch.depth < 1e-4f && watch.limit < 0.0087f);
        CHECK(watch.jump * WALK_RATE < 15 && watch.sunk < 0.02f); // the floor was given too late
    }
}

TEST(the_same_place_twice_is_a_step_on_the_spot) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = {0};
    add_block(&walk, 100, 0, 0);
    for (uint32_t i = 0; i < 6; i++)
        add_footstep(&walk, i % 2, 1.75f, 0);
    walk.footsteps[3] = walk.footsteps[2]; // and the same foot twice
    walk_watch watch = watch_walk(walker, &walk, NULL, NULL);
    CHECK_INT(walker->status, TR_DONE);
    CHECK(watch.finite && watch.slide < 1e-5f && watch.depth < 1e-4f && watch.limit < 0.0087f);
}

TEST(both_feet_on_one_point_break_nothing) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = {0};
    add_block(&walk, 100, 0, 0);
    for (uint32_t i = 0; i < 4; i++)
        walk.footsteps[walk.footstep_count++] = footstep_on(&walk, i % 2, 0, 0.1f, 0);
    walk_watch watch = watch_walk(walker, &walk, NULL, NULL);
    CHECK_INT(walker->status, TR_DONE);
    CHECK(watch.finite && watch.slide < 1e-5f);
}

TEST(a_footstep_out_of_reach_is_stepped_towards) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    const tr_vec3 far[] = {{0.09f, 0, 3}, {0.09f, 4, 0.3f}, {0.09f, -4, 0.3f}, {-5, 0, -5}};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        footstep_walk walk = {0};
        add_block(&walk, 100, 0, 0);
        walk.footsteps[0] = (tr_footstep){.side = 0, .position = far[i], .support = 1};
        walk.footstep_count = 1;
        walker_begin(walker, &walk);
        walker->params.floor = NULL;
        walk_watch watch = {.finite = true, .straightest = 9};
        walk_past past = {0};
        float shortfall = 0;
        for (uint32_t k = 0; k < 400 && walker_step(walker, 1 / WALK_RATE) == TR_OK; k++) {
            watch_frame(walker, &past, &watch);
            shortfall = walker->state.shortfall > shortfall ? walker->state.shortfall : shortfall;
        }
        CHECK_INT(walker->status, TR_DONE);
        CHECK(watch.finite && shortfall > 1);
        float went = tr_vec3_length(tr_vec3_subtract(walker->state.feet[0].footstep.position,
                                                     walker->state.feet[1].footstep.position));
        CHECK(went < 1.1f);
    }
}

TEST(bad_input_changes_nothing) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = level_walk(1.75f, 0.5f, 2);
    walker_begin(walker, &walk);
    for (uint32_t i = 0; i < 10; i++)
        CHECK_INT(walker_step(walker, 1 / WALK_RATE), TR_OK);
    tr_footstep_motion_state kept = walker->state;
    const tr_footstep_motion_params good = walker->params;
    const float times[] = {NAN, -1, INFINITY};
    for (uint32_t i = 0; i < 3; i++)
        CHECK_INT(walker_step(walker, times[i]), TR_INVALID);
    walker->params.step_time = NAN;
    CHECK_INT(walker_step(walker, 0), TR_INVALID);
    walker->params = good, walker->params.both_share = 0.7f;
    CHECK_INT(walker_step(walker, 0), TR_INVALID);
    walker->params = good, walker->params.lift = -1;
    CHECK_INT(walker_step(walker, 0), TR_INVALID);
    walker->params = good;
    tr_footstep *next = &walk.footsteps[walker->next], footstep = *next;
    next->position.x = NAN;
    CHECK_INT(walker_step(walker, 0), TR_INVALID);
    *next = footstep, next->side = 2;
    CHECK_INT(walker_step(walker, 0), TR_INVALID);
    *next = footstep, next->heading = INFINITY;
    CHECK_INT(walker_step(walker, 0), TR_INVALID);
    *next = footstep;
    CHECK(memcmp(&kept, &walker->state, sizeof kept) == 0);
    CHECK_INT(walker_step(walker, 1 / WALK_RATE), TR_OK);
}

static float mad_floor(void *user, tr_vec3 point) {
    tr_random *random = user;
    uint32_t kind = tr_random_below(random, 4);
    (void)point;
    return kind == 0 ? NAN : kind == 1 ? INFINITY : kind == 2 ? -INFINITY : 100;
}

TEST(a_floor_that_returns_nonsense_breaks_nothing) {
    footstep_walker *walker = walker_of(1.75f);
    REQUIRE(walker);
    footstep_walk walk = level_walk(1.75f, 0.5f, 2);
    tr_random random = tr_random_seed(5);
    walker_begin(walker, &walk);
    walker->params.floor = mad_floor, walker->params.floor_user = &random;
    walk_watch watch = {.finite = true, .straightest = 9};
    walk_past past = {0};
    for (uint32_t k = 0; k < 1000 && walker_step(walker, 1 / WALK_RATE) == TR_OK; k++)
        watch_frame(walker, &past, &watch);
    CHECK_INT(walker->status, TR_DONE);
    CHECK(watch.finite && watch.slide < 1e-5f);
}
