// Chains of behaviors as motion: roots, joints of steps, feet, goals, slopes.
#include "behavior_chain.h"
#include "motion/foot/foot.h"
#include "troupe/base/scalar.h"

static const float heights[] = {1.1f, 1.75f, 2.0f};

TEST(a_random_chain_of_clips_neither_slides_nor_jumps) {
    for (uint32_t b = 0; b < 3; b++) {
        chain_cast cast;
        REQUIRE(chain_cast_make(&cast, heights[b]));
        tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
        for (uint64_t seed = 1; seed <= 12; seed++) {
            chain c = chain_random(&cast, seed, 4 + (uint32_t)seed);
            REQUIRE(chain_set(motion, &c, NULL) == TR_OK);
            tr_audit audit = chain_audit(&cast, motion, &c, 30);
            CHECK(audit.plants > 8 && audit.slide_mm_max < 0.1f);
            CHECK(audit.penetration_mm_max < 2);
            CHECK(audit.seam_mps < 0.4f); // feet strike where the clips are cut
            CHECK_INT(audit.joint_limit_violations, 0);
        }
        tr_behavior_motion_destroy(motion);
        chain_cast_end(&cast);
    }
}

// Measured, not wished for: blends slide, by millimetres where the clips fit.
TEST(the_papers_blend_slides_a_little) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_PAPER);
    float worst = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        chain c = chain_random(&cast, seed, 4 + (uint32_t)seed);
        REQUIRE(chain_set(motion, &c, NULL) == TR_OK);
        tr_audit audit = chain_audit(&cast, motion, &c, 30);
        worst = audit.slide_mm_max > worst ? audit.slide_mm_max : worst;
        CHECK(audit.seam_mps < 0.2f && audit.penetration_mm_max < 2);
        CHECK_INT(audit.joint_limit_violations, 0);
    }
    CHECK(worst > 0.5f && worst < 5);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

TEST(the_root_of_every_step_is_where_the_planner_has_it) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    for (int style = 0; style < 2; style++) {
        tr_behavior_motion *motion = chain_motion(&cast, (tr_behavior_motion_style)style);
        chain c = chain_random(&cast, 5, 10);
        for (uint32_t i = 1; i < c.count; i++) // planners wrap headings
            c.steps[i].begin.heading += (float)(2 * TR_PI * ((int)i % 3 - 1));
        REQUIRE(chain_set(motion, &c, NULL) == TR_OK);
        double time = 0;
        for (uint32_t i = 0; i <= c.count; i++) {
            tr_behavior_motion_root root = tr_behavior_motion_root_at(motion, time);
            tr_base is = i < c.count ? c.steps[i].begin : c.end;
            CHECK_NEAR((double)root.base.x, (double)is.x, 2e-5);
            CHECK_NEAR((double)root.base.z, (double)is.z, 2e-5);
            CHECK(fabsf(root.turn_rate) < 5);
            if (i < c.count)
                CHECK_INT(tr_behavior_motion_step_at(motion, time + 1e-6), i);
            time += i < c.count ? c.steps[i].frames / 30.0 : 0;
        }
        CHECK_NEAR(tr_behavior_motion_duration(motion), time, 1e-9);
        tr_behavior_motion_root before = tr_behavior_motion_root_at(motion, -1),
                                after = tr_behavior_motion_root_at(motion, time + 1);
        CHECK_NEAR((double)tr_vec2_length(before.velocity), 0, 1e-6);
        CHECK_NEAR((double)tr_vec2_length(after.velocity), 0, 1e-6);
        tr_behavior_motion_destroy(motion);
    }
    chain_cast_end(&cast);
}

TEST(a_precise_goal_is_reached_without_sliding) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    uint32_t limits = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        chain c = chain_random(&cast, seed, 6);
        tr_random random = tr_random_seed(seed + 100);
        tr_base goal = c.end;
        goal.x += tr_random_between(&random, -0.35f, 0.35f);
        goal.z += tr_random_between(&random, -0.35f, 0.35f);
        goal.heading += tr_random_between(&random, -0.3f, 0.3f);
        REQUIRE(chain_set(motion, &c, &goal) == TR_OK);
        tr_behavior_motion_root root =
            tr_behavior_motion_root_at(motion, tr_behavior_motion_duration(motion));
        CHECK_NEAR((double)root.base.x, (double)goal.x, 1e-5);
        CHECK_NEAR((double)root.base.z, (double)goal.z, 1e-5);
        CHECK_NEAR((double)(root.base.heading - goal.heading), 0, 1e-5);
        tr_audit audit = chain_audit(&cast, motion, &c, 30);
        CHECK(audit.slide_mm_max < 0.5f && audit.penetration_mm_max < 3);
        CHECK(audit.seam_mps < 0.4f);
        limits += audit.joint_limit_violations;
    }
    CHECK(limits < 50); // of 40 chains of 150 frames: the goal is 0.35 m and 0.3 rad from where the clips end
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

static float hill(void *user, tr_vec2 point) {
    float slope = *(const float *)user;
    return slope * (0.7f * point.x - 0.6f * point.z);
}

TEST(feet_stand_on_slopes) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    tr_pose pose, scratch;
    tr_affine model[TR_SKELETON_JOINTS_MAX], place;
    uint32_t joints = tr_skeleton_joint_count(cast.skeleton);
    REQUIRE(tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, joints, &scratch, NULL) == TR_OK);
    uint32_t ankle = tr_skeleton_with_role(cast.skeleton, TR_ROLE_LEFT_FOOT);
    float slope = 0.2f, rest = tr_affine_position(&tr_skeleton_rest_model(cast.skeleton)[ankle]).y;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        chain c = chain_random(&cast, seed, 8);
        tr_behavior_motion_chain is = {
            .steps = c.steps, .step_count = c.count, .end = c.end, .floor = hill, .floor_user = &slope};
        REQUIRE(tr_behavior_motion_set(motion, &is, NULL) == TR_OK);
        for (int k = 0; k < 200; k++) {
            double time = k * 0.031;
            uint32_t contacts = tr_behavior_motion_sample(motion, time, &pose, &scratch, &place, model);
            if ((contacts & 3) != 3) // the left foot stands flat
                continue;
            tr_vec3 at = tr_affine_position(&model[ankle]);
            float above = at.y - hill(&slope, (tr_vec2){at.x, at.z});
            CHECK_NEAR((double)above, (double)rest, 0.012);
        }
    }
    tr_pose_destroy(&pose);
    tr_pose_destroy(&scratch);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

// On floors of 11 to 27 degrees: before heels rose, ankles were up to 0.6 rad beyond their limits there.
TEST(ankles_keep_their_limits_on_steep_slopes) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    tr_pose pose, scratch;
    tr_affine model[TR_SKELETON_JOINTS_MAX], place;
    uint32_t joints = tr_skeleton_joint_count(cast.skeleton), samples = 0, beyond = 0;
    REQUIRE(tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, joints, &scratch, NULL) == TR_OK);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        float slope = 0.2f + 0.1f * (float)(seed % 4);
        chain c = chain_random(&cast, seed, 8);
        tr_behavior_motion_chain is = {
            .steps = c.steps, .step_count = c.count, .end = c.end, .floor = hill, .floor_user = &slope};
        REQUIRE(tr_behavior_motion_set(motion, &is, NULL) == TR_OK);
        for (int k = 0; k < 200; k++) {
            tr_behavior_motion_sample(motion, k * 0.031, &pose, &scratch, &place, model);
            for (int side = 0; side < 2; side++) {
                uint32_t ankle =
                    tr_skeleton_with_role(cast.skeleton, side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT);
                float excess =
                    tr_skeleton_limit_excess(cast.skeleton, ankle, tr_pose_get(&pose, ankle).rotation);
                CHECK(excess < 0.25f);
                beyond += excess > 0.0175f;
                samples++;
            }
        }
    }
    if (!(beyond < samples / 50))
        test_failed(__FILE__, __LINE__, "%u of %u ankles are beyond a limit", beyond, samples);
    tr_pose_destroy(&pose);
    tr_pose_destroy(&scratch);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

// Hills and valleys of up to 21 degrees.
static float waves(void *user, tr_vec2 point) {
    (void)user;
    double sine, cosine;
    tr_sin_cos(0.7 * (double)point.x, &sine, &cosine);
    tr_sin_cos(0.7 * (double)point.z, &cosine, &sine);
    return (float)(0.3 * sine + 0.3 * cosine);
}

// Where a foot cannot lie flat, its heel rises; a foot in the air is lifted over a crest.
TEST(ankles_keep_their_limits_and_feet_stay_above_hills) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    tr_pose pose, scratch;
    tr_affine model[TR_SKELETON_JOINTS_MAX], place;
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(cast.skeleton), &pose, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(cast.skeleton), &scratch, NULL) == TR_OK);
    uint32_t ankles[2] = {tr_skeleton_with_role(cast.skeleton, TR_ROLE_LEFT_FOOT),
                          tr_skeleton_with_role(cast.skeleton, TR_ROLE_RIGHT_FOOT)};
    tr_foot feet[2];
    REQUIRE(tr_foot_measure(cast.skeleton, 0, &feet[0]) == TR_OK &&
            tr_foot_measure(cast.skeleton, 1, &feet[1]) == TR_OK);
    double worst = 0;
    uint32_t frames = 0, deep = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        chain c = chain_random(&cast, seed, 12);
        tr_behavior_motion_chain is = {.steps = c.steps, .step_count = c.count, .end = c.end, .floor = waves};
        REQUIRE(tr_behavior_motion_set(motion, &is, NULL) == TR_OK);
        for (double time = 0; time < tr_behavior_motion_duration(motion); time += 0.031) {
            uint32_t step = tr_behavior_motion_step_at(motion, time);
            bool special = c.steps[step].special || (step > 0 && c.steps[step - 1].special) ||
                           (step + 1 < c.count && c.steps[step + 1].special);
            if (special) // these keep heights of their own
                continue;
            frames++;
            tr_behavior_motion_sample(motion, time, &pose, &scratch, &place, model);
            for (int side = 0; side < 2; side++) {
                tr_quat turn = tr_pose_rotation(&pose, ankles[side]);
                worst = fmax(worst, (double)tr_skeleton_limit_excess(cast.skeleton, ankles[side], turn));
                tr_vec3 points[2] = {tr_foot_heel(&feet[side], model), tr_foot_ball(&feet[side], model)};
                for (int i = 0; i < 2; i++)
                    deep += waves(NULL, (tr_vec2){points[i].x, points[i].z}) - points[i].y > 0.05f;
            }
        }
    }
    CHECK(frames > 500);
    CHECK(worst < 0.02);
    CHECK(deep < frames / 100); // more than 5 cm below a crest
    tr_pose_destroy(&pose);
    tr_pose_destroy(&scratch);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

// Neighbours of a parametrised state, in phase: as far as the numbers in between say, without sliding.
TEST(a_mix_of_two_clips_goes_between_them) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_clip_def sharp = {
        .skeleton = cast.skeleton, .kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.9f, .extra = 8};
    uint32_t other = cast.count++, straight = 4;
    REQUIRE(tr_behavior_clip_make(&sharp, &cast.owned[other], &cast.infos[other], NULL) == TR_OK);
    cast.clips[other] =
        (tr_behavior_motion_clip){cast.owned[other], cast.infos[other].first, cast.infos[other].last};
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    chain c = {0};
    chain_add(&cast, &c, 0);
    for (int i = 0; i < 6; i++) {
        float share = 0.15f * (float)i;
        tr_base a = cast.infos[straight].advance, b = cast.infos[other].advance;
        tr_base by = {a.x + share * (b.x - a.x), a.z + share * (b.z - a.z),
                      a.heading + share * (b.heading - a.heading)};
        const tr_behavior_motion_clip *is = &cast.clips[straight];
        c.steps[c.count++] = (tr_behavior_motion_step){
            .clips = {straight, other}, .share = share, .frames = is->last - is->first, .begin = c.end};
        c.end = tr_base_move(c.end, by);
    }
    chain_add(&cast, &c, 2); // "end"
    REQUIRE(chain_set(motion, &c, NULL) == TR_OK);
    tr_audit audit = chain_audit(&cast, motion, &c, 30);
    CHECK(audit.slide_mm_max < 1 && audit.penetration_mm_max < 5 && audit.seam_mps < 0.5f);
    CHECK_INT(audit.joint_limit_violations, 0);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

// Clips that were not made for each other: the left foot comes after the left foot.
TEST(clips_that_do_not_fit_are_joined_with_continuous_speed) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    chain c = {0};
    chain_add(&cast, &c, 0);
    for (uint32_t i = 0; i < cast.count; i++)
        if (cast.infos[i].begin == TR_BEHAVIOR_CLIP_RIGHT && c.count < 5)
            chain_add(&cast, &c, i);
    chain_add(&cast, &c, 2);
    REQUIRE(chain_set(motion, &c, NULL) == TR_OK);
    tr_pose pose, scratch;
    tr_affine model[TR_SKELETON_JOINTS_MAX], place;
    uint32_t joints = tr_skeleton_joint_count(cast.skeleton);
    REQUIRE(tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, joints, &scratch, NULL) == TR_OK);
    uint32_t hips = tr_skeleton_with_role(cast.skeleton, TR_ROLE_HIPS);
    uint32_t hand = tr_skeleton_with_role(cast.skeleton, TR_ROLE_RIGHT_HAND);
    tr_vec3 last[2] = {{0}}, speed[2] = {{0}};
    float worst_speed = 0, worst_jump = 0;
    for (int k = 0; k < 480; k++) {
        tr_behavior_motion_sample(motion, k / 120.0, &pose, &scratch, &place, model);
        for (int i = 0; i < 2; i++) {
            tr_vec3 at = tr_affine_position(&model[i ? hand : hips]);
            tr_vec3 now = tr_vec3_scale(tr_vec3_subtract(at, last[i]), 120);
            float jump = tr_vec3_distance(now, speed[i]);
            worst_speed = k > 0 && tr_vec3_length(now) > worst_speed ? tr_vec3_length(now) : worst_speed;
            worst_jump = k > 1 && jump > worst_jump ? jump : worst_jump;
            last[i] = at;
            speed[i] = now;
        }
    }
    CHECK(worst_speed < 8 && worst_jump < 1.8f); // a jump of the pose by 1 cm would be 1.2 m/s, of 10 cm 12
    tr_pose_destroy(&pose);
    tr_pose_destroy(&scratch);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

TEST(events_of_the_clips_are_baked_at_their_times) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    chain c = chain_random(&cast, 3, 6);
    REQUIRE(chain_set(motion, &c, NULL) == TR_OK);
    tr_clip *clip = NULL;
    REQUIRE(tr_behavior_motion_bake(motion, NULL, 60, &clip, NULL) == TR_OK);
    uint32_t actions = 0, steps = 0;
    double before = -1;
    for (uint32_t i = 0; i < tr_clip_event_count(clip); i++) {
        tr_clip_event event = tr_clip_get_event(clip, i);
        actions += strcmp(event.name, "action") == 0;
        steps += strstr(event.name, "step") != NULL;
        CHECK(event.time >= before);
        before = event.time;
    }
    CHECK_INT(actions, c.count);
    CHECK(steps >= 2 * (c.count - 2));
    CHECK_NEAR(tr_clip_duration(clip), tr_behavior_motion_duration(motion), 1.0 / 60);
    tr_clip_destroy(clip);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

TEST(bad_definitions_and_chains_are_refused_with_a_reason) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    tr_behavior_motion_clip clip = cast.clips[0];
    tr_behavior_motion_clip wrong = {clip.clip, 5, 5}, far = {clip.clip, 0, 100000};
    const struct {
        tr_behavior_motion_def def;
        const char *words;
    } bad[] = {{{.skeleton = cast.skeleton}, "needs"},
               {{.skeleton = cast.skeleton, .clips = &wrong, .clip_count = 1}, "from frame 5 to 5"},
               {{.skeleton = cast.skeleton, .clips = &far, .clip_count = 1}, "it has"},
               {{.skeleton = cast.skeleton, .clips = &clip, .clip_count = 1, .frames_per_second = NAN},
                "frames per second"},
               {{.skeleton = cast.skeleton, .clips = &clip, .clip_count = 1, .limb_count = 99}, "99 limbs"}};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_behavior_motion *motion = NULL;
        tr_error error = {0};
        CHECK_INT(tr_behavior_motion_create(&bad[i].def, &motion, &error), TR_INVALID);
        CHECK(!motion && strstr(error.message, bad[i].words));
    }
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    chain c = {0};
    CHECK_INT(chain_set(motion, &c, NULL), TR_INVALID);
    chain_add(&cast, &c, 0);
    const tr_behavior_motion_step good = c.steps[0];
    for (int i = 0; i < 4; i++) {
        tr_behavior_motion_step *step = &c.steps[0];
        *step = good;
        step->clips[0] = i == 0 ? 9999 : 0;
        step->frames = i == 1 ? 0 : i == 3 ? TR_BEHAVIOR_MOTION_FRAMES_MAX : 10;
        step->begin.x = i == 2 ? NAN : 0;
        CHECK_INT(chain_set(motion, &c, NULL), i == 3 ? TR_LIMIT : TR_INVALID);
        CHECK_INT(tr_behavior_motion_step_at(motion, 0), TR_NONE);
    }
    tr_clip *baked = NULL;
    CHECK_INT(tr_behavior_motion_bake(motion, NULL, 30, &baked, NULL), TR_INVALID);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
}

static const chain_cast *shared;

static bool set_and_bake(const tr_allocator *allocator) {
    tr_behavior_motion_def def = {.allocator = allocator,
                                  .skeleton = shared->skeleton,
                                  .clips = shared->clips,
                                  .clip_count = shared->count};
    tr_behavior_motion *motion = NULL;
    tr_clip *clip = NULL;
    chain c = chain_random(shared, 2, 3);
    tr_behavior_motion_chain is = {.steps = c.steps, .step_count = c.count, .end = c.end};
    bool good = tr_behavior_motion_create(&def, &motion, NULL) == TR_OK &&
                tr_behavior_motion_set(motion, &is, NULL) == TR_OK &&
                tr_behavior_motion_bake(motion, allocator, 10, &clip, NULL) == TR_OK;
    tr_clip_destroy(clip);
    tr_behavior_motion_destroy(motion);
    return good;
}

TEST(every_allocation_may_fail_and_a_reserved_motion_needs_none) {
    chain_cast cast;
    REQUIRE(chain_cast_make(&cast, 1.75f));
    shared = &cast;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(set_and_bake) > 10);
    test_memory memory = {0};
    tr_allocator counting = test_memory_allocator(&memory);
    tr_behavior_motion_def def = {
        .allocator = &counting, .skeleton = cast.skeleton, .clips = cast.clips, .clip_count = cast.count};
    tr_behavior_motion *motion = NULL;
    REQUIRE(tr_behavior_motion_create(&def, &motion, NULL) == TR_OK);
    REQUIRE(tr_behavior_motion_reserve(motion, CHAIN_STEPS, 3000, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    for (uint64_t seed = 1; seed < 6; seed++) {
        chain c = chain_random(&cast, seed, 30);
        CHECK(chain_set(motion, &c, NULL) == TR_OK);
    }
    CHECK_INT(memory.calls, calls);
    CHECK_INT(tr_behavior_motion_reserve(motion, 100000, 10, NULL), TR_LIMIT);
    tr_behavior_motion_destroy(motion);
    CHECK_INT(memory.live_bytes, 0);
    chain_cast_end(&cast);
}
