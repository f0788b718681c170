#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "motion/cast/cast.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"
#include "../humanoid.h"

#include <math.h>

typedef struct kind {
    tr_skeleton *skeleton;
    tr_cast *cast;
} kind;

static bool begin(kind *k) {
    tr_error error = {0};
    *k = (kind){0};
    bool good = tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &k->skeleton, NULL, &error) == TR_OK &&
                tr_cast_create(&(tr_cast_def){.skeleton = k->skeleton}, &k->cast, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(kind *k) {
    tr_cast_destroy(k->cast);
    tr_skeleton_destroy(k->skeleton);
}

TEST(moves_turn_and_step_as_declared) {
    kind k;
    if (begin(&k)) {
        CHECK_INT(k.cast->move_count, 10);
        for (uint32_t i = 0; i < k.cast->move_count; i++) {
            const tr_cast_move *move = &k.cast->moves[i];
            tr_base advance = tr_clip_advance(move->clip);
            CHECK_NEAR(advance.heading, move->turn, 1e-4);
            CHECK_NEAR(advance.x, move->aside, 1e-6);
            CHECK((move->turn == 0) != (move->aside == 0));
        }
    }
    end(&k);
}

TEST(the_nearest_turn_is_found_and_scaled_to_the_angle) {
    kind k;
    if (begin(&k)) {
        tr_random random = tr_random_seed(4);
        for (uint32_t i = 0; i < 5000; i++) {
            float angle = tr_random_between(&random, -3.1415f, 3.1415f), part;
            const tr_cast_move *move = tr_cast_turn(k.cast, angle, &part);
            REQUIRE(move);
            CHECK_NEAR(part * move->turn, angle, 1e-5);
            for (uint32_t j = 0; j < k.cast->move_count; j++) {
                const tr_cast_move *other = &k.cast->moves[j];
                if (other->turn != 0 && (other->turn > 0) == (angle > 0))
                    CHECK(fabsf(other->turn - angle) >= fabsf(move->turn - angle));
            }
        }
        CHECK(tr_cast_aside(k.cast, true)->aside > 0.2f);
        CHECK(tr_cast_aside(k.cast, false)->aside < -0.2f);
    }
    end(&k);
}

TEST(arms_held_close_keep_their_limits_and_are_nearer_to_the_body) {
    kind k;
    if (begin(&k)) {
        uint32_t joints = tr_skeleton_joint_count(k.skeleton);
        tr_pose pose;
        tr_affine model[64];
        REQUIRE(joints <= 64 && tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
        tr_clip_sample(k.cast->stand, 0, &pose);
        tr_pose_to_model(k.skeleton, &pose, NULL, model);
        const tr_role hands[2] = {TR_ROLE_LEFT_HAND, TR_ROLE_RIGHT_HAND};
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t hand = tr_skeleton_with_role(k.skeleton, hands[side]);
            float before = fabsf(tr_affine_position(&model[hand]).x);
            for (uint32_t part = 0; part < 2; part++) {
                uint32_t joint = k.cast->arms[side][part];
                tr_quat turn = k.cast->arms_close[side][part];
                CHECK(tr_skeleton_limit_excess(k.skeleton, joint, turn) < 1e-3f);
                tr_pose_set_rotation(&pose, joint, turn);
            }
            tr_pose_to_model(k.skeleton, &pose, NULL, model);
            CHECK(fabsf(tr_affine_position(&model[hand]).x) < before - 0.04f);
        }
        tr_pose_destroy(&pose);
    }
    end(&k);
}

TEST(a_cast_may_bring_its_own_moves) {
    kind k;
    if (begin(&k)) {
        tr_cast_move own = *tr_cast_aside(k.cast, true);
        tr_cast *other = NULL;
        tr_error error = {0};
        float part;
        tr_cast_def def = {.skeleton = k.skeleton, .moves = &own, .move_count = 1};
        CHECK_INT(tr_cast_create(&def, &other, &error), TR_OK);
        CHECK(tr_cast_turn(other, 1, &part) == NULL && part == 0);
        CHECK(tr_cast_aside(other, false) == NULL);
        CHECK(tr_cast_aside(other, true)->clip == own.clip);
        tr_cast_destroy(other);
        own.turn = 1;
        CHECK_INT(tr_cast_create(&def, &other, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "move 0");
        own.turn = 0, own.pace = NAN;
        CHECK_INT(tr_cast_create(&def, &other, &error), TR_INVALID);
        def.move_count = TR_CAST_MOVES_MAX + 1;
        CHECK_INT(tr_cast_create(&def, &other, &error), TR_INVALID);
        CHECK_INT(tr_cast_create(&(tr_cast_def){0}, &other, &error), TR_INVALID);
        CHECK(other == NULL);
    }
    end(&k);
}

// Every part is tested with every allocation failing; a cast makes hundreds, and takes its time.
TEST(without_memory_there_is_no_cast_and_nothing_leaks) {
    kind k;
    if (begin(&k)) {
        test_memory memory = {0};
        tr_allocator allocator = test_memory_allocator(&memory);
        tr_cast_def def = {.allocator = &allocator,
                           .skeleton = k.skeleton,
                           .stand = k.cast->stand,
                           .cycles = k.cast->cycles,
                           .cycle_count = 1,
                           .moves = k.cast->moves,
                           .move_count = k.cast->move_count};
        tr_cast *cast = NULL;
        CHECK_INT(tr_cast_create(&def, &cast, NULL), TR_OK);
        tr_cast_destroy(cast);
        CHECK_INT(memory.live_bytes, 0);
        uint64_t calls = memory.calls;
        for (uint64_t i = 1; i <= calls; i++) {
            memory = (test_memory){.fail_at = i};
            CHECK_INT(tr_cast_create(&def, &cast, NULL), TR_OUT_OF_MEMORY);
            CHECK_INT(memory.live_bytes, 0);
        }
    }
    end(&k);
}

TEST(short_legs_step_as_far_as_those_of_smaller_people) {
    static const float heights[] = {0.9f, 1.3f, 1.75f, 2.05f};
    for (int i = 0; i < 4; i++) {
        tr_skeleton *skeleton = NULL;
        tr_cast *cast = NULL;
        tr_mannequin_def def = {.height = heights[i], .detail = 1};
        REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
        REQUIRE(tr_cast_create(&(tr_cast_def){.skeleton = skeleton}, &cast, NULL) == TR_OK);
        CHECK(cast->stature == cast->height);
        tr_cast_destroy(cast);
        tr_skeleton_destroy(skeleton);
    }
    for (int i = 0; i < 3; i++) {
        float bone = 0.1f + 0.05f * (float)i;
        tr_cast *cast = NULL;
        tr_error error = {0};
        tr_skeleton *skeleton =
            humanoid_make(NULL, (humanoid_def){.size = 1, .thigh = bone, .shank = bone}, 3);
        REQUIRE(skeleton);
        REQUIRE(tr_cast_create(&(tr_cast_def){.skeleton = skeleton}, &cast, &error) == TR_OK);
        CHECK_NEAR(cast->stature, 2 * bone / 0.491f, 0.02);
        CHECK(cast->stature < 0.7f * cast->height);
        tr_cast_destroy(cast);
        tr_skeleton_destroy(skeleton);
    }
}
