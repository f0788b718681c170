#include "test.h"
#include "motion/gait/locomotion.h"
#include "motion/cast/cast.h"
#include "troupe/motion/mannequin.h"
#include "troupe/stage/character.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(a_character_of_any_height_has_all_it_needs_to_walk) {
    const float heights[] = {0.9f, 1.2f, 1.55f, 0, 2.0f};
    for (int i = 0; i < 5; i++) {
        tr_character *character = NULL;
        tr_error error = {0};
        tr_character_def def = {.height = heights[i], .detail = 1};
        CHECK_INT(tr_character_create(&def, &character, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        REQUIRE(character);
        float height = heights[i] > 0 ? heights[i] : 1.75f;
        CHECK_NEAR(character->height, height, 0.02 * height);
        CHECK(character->cycle_count >= 4 && character->body && character->locomotion);
        for (uint32_t j = 1; j < character->cycle_count; j++)
            CHECK(tr_clip_speed(character->cycles[j]) > tr_clip_speed(character->cycles[j - 1]));
        CHECK(tr_locomotion_speed_max(character->locomotion) > 2.0f * sqrtf(height / 1.75f));
        CHECK(character->move_count >= 10);
        tr_character_destroy(character);
    }
}

// The mannequin with other proportions; the hips stand where the legs reach the ground.
static tr_skeleton *make_odd(float height, float legs, float arms) {
    tr_skeleton *skeleton = NULL, *odd = NULL;
    tr_body *body = NULL;
    tr_joint_def joints[64];
    if (tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &skeleton, &body, NULL) != TR_OK)
        abort();
    uint32_t count = tr_skeleton_joint_count(skeleton);
    float grow = height / 1.75f, lower = 0;
    if (count > 64)
        abort();
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(skeleton, i);
        tr_role role = joints[i].role, left = role >= TR_ROLE_RIGHT_SHOULDER ? tr_role_mirror(role) : role;
        bool is_leg = left == TR_ROLE_LEFT_SHANK || left == TR_ROLE_LEFT_FOOT;
        bool is_arm = left == TR_ROLE_LEFT_FOREARM || left == TR_ROLE_LEFT_HAND;
        float factor = grow * (is_leg ? legs : is_arm ? arms : 1);
        if (is_leg && role == left)
            lower += joints[i].rest.position.y * (grow - factor);
        joints[i].rest.position = tr_vec3_scale(joints[i].rest.position, factor);
    }
    joints[0].rest.position.y += lower;
    tr_skeleton_def def = {.joints = joints, .joint_count = count};
    if (tr_skeleton_create(&def, &odd, NULL) != TR_OK)
        abort();
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return odd;
}

static void count_note(void *user, const char *sentence) {
    *(int *)user += sentence[0] != 0;
}

TEST(no_humanoid_is_refused_and_what_it_cannot_do_is_said) {
    static const struct {
        float height, legs, arms;
        bool says; // that its legs are too short for the gaits of its height
    } bodies[] = {{1.75f, 1, 1, false},      {3, 1, 1, false},       {0.9f, 1, 1, false},
                  {1.2f, 0.5f, 1, false},    {1.2f, 0.36f, 1, true}, {1.2f, 0.3f, 1, true},
                  {1.5f, 0.6f, 1.6f, false}, {1.9f, 1.5f, 1, false}, {0.3f, 1, 1, false},
                  {10, 1, 1, false}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        tr_skeleton *skeleton = make_odd(bodies[i].height, bodies[i].legs, bodies[i].arms);
        tr_character *character = NULL;
        tr_error error = {0};
        int notes = 0;
        tr_character_def def = {.skeleton = skeleton, .note = count_note, .note_user = &notes};
        CHECK_INT(tr_character_create(&def, &character, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        REQUIRE(character);
        CHECK((notes > 0) == bodies[i].says);
        CHECK(character->cycle_count >= 1);
        for (uint32_t j = 1; j < character->cycle_count; j++)
            CHECK(tr_clip_speed(character->cycles[j]) > tr_clip_speed(character->cycles[j - 1]));
        tr_character_destroy(character);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(a_skeleton_of_your_own_is_used_and_not_given_back) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){.height = 1.6f, .detail = 1}, &skeleton, &body, &error) ==
            TR_OK);
    tr_character *character = NULL;
    tr_character_def def = {.skeleton = skeleton, .body = body};
    CHECK_INT(tr_character_create(&def, &character, &error), TR_OK);
    CHECK(character && character->skeleton == skeleton && character->body == body);
    tr_character_destroy(character);
    CHECK(tr_skeleton_joint_count(skeleton) > 15);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(a_character_in_another_colour_shares_all_but_its_body) {
    tr_character *first = NULL, *second = NULL, *third = NULL;
    tr_error error = {0};
    REQUIRE(tr_character_create(&(tr_character_def){.detail = 1, .color = {0.5f, 0.25f, 0}}, &first,
                                &error) == TR_OK);
    REQUIRE(tr_character_create(&(tr_character_def){.like = first, .color = {0, 0.75f, 1}}, &second,
                                &error) == TR_OK);
    REQUIRE(tr_character_create(&(tr_character_def){.like = second}, &third, &error) == TR_OK);
    CHECK(second->skeleton == first->skeleton && second->locomotion == first->locomotion &&
          second->stand == first->stand && second->moves[1].clip == first->moves[1].clip);
    CHECK(second->height == first->height && second->cycle_count == first->cycle_count);
    const tr_body_def *one = tr_body_view(first->body), *other = tr_body_view(second->body);
    CHECK(other->color[0] == 0 && other->color[1] == 0.75f && other->color[2] == 1);
    CHECK(one->color[0] == 0.5f && one->color[1] == 0.25f && one->color[2] == 0);
    CHECK(one->capsule_count == other->capsule_count &&
          memcmp(one->capsules, other->capsules, one->capsule_count * sizeof *one->capsules) == 0);
    CHECK(third->body == second->body); // no colour: that of the other character
    tr_character_destroy(third);
    tr_character_destroy(second);
    CHECK(tr_locomotion_speed_max(first->locomotion) > 2); // still there
    tr_character_destroy(first);
}

static const tr_character *model;
static bool attempt_like(const tr_allocator *allocator) {
    tr_character *character = NULL;
    tr_character_def def = {.allocator = allocator, .like = model, .color = {0.1f, 0.2f, 0.3f}};
    tr_status status = tr_character_create(&def, &character, NULL);
    CHECK((character != NULL) == (status == TR_OK));
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_character_destroy(character);
    return status == TR_OK;
}

TEST(another_colour_survives_every_failed_allocation) {
    tr_character *character = NULL;
    REQUIRE(tr_character_create(&(tr_character_def){.detail = 1}, &character, NULL) == TR_OK);
    model = character;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_like) > 2);
    tr_character_destroy(character);
}

TEST(a_skeleton_that_cannot_walk_is_refused_with_a_reason) {
    tr_joint_def joint = {.name = "stone", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_skeleton_create(&(tr_skeleton_def){.joints = &joint, .joint_count = 1}, &skeleton, NULL) ==
            TR_OK);
    tr_character *character = NULL;
    tr_error error = {0};
    CHECK_INT(tr_character_create(&(tr_character_def){.skeleton = skeleton}, &character, &error),
              TR_NOT_FOUND);
    CHECK(character == NULL && error.message[0]);
    const tr_clip *none = NULL;
    CHECK_INT(tr_character_create(&(tr_character_def){.cycles = &none, .cycle_count = 1}, &character, &error),
              TR_INVALID);
    CHECK_INT(
        tr_character_create(&(tr_character_def){.skeleton = skeleton, .cycles = &none}, &character, &error),
        TR_INVALID);
    CHECK_INT(tr_character_create(&(tr_character_def){.height = 9}, &character, &error), TR_INVALID);
    tr_skeleton_destroy(skeleton);
}

static tr_status attempt(const tr_allocator *allocator) {
    tr_character *character = NULL;
    tr_character_def def = {.allocator = allocator, .detail = 1};
    tr_status status = tr_character_create(&def, &character, NULL);
    CHECK((character != NULL) == (status == TR_OK));
    tr_character_destroy(character);
    return status;
}

// Its parts are tested with every allocation failing; a character makes hundreds of allocations, which takes
// long.
TEST(without_memory_there_is_no_character_and_nothing_leaks) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    CHECK_INT(attempt(&allocator), TR_OK);
    CHECK_INT(memory.live_bytes, 0);
    uint64_t calls = memory.calls;
    CHECK(calls > 30);
    for (uint32_t i = 0; i < 24; i++) {
        memory = (test_memory){.fail_at = 1 + calls * i / 24};
        CHECK_INT(attempt(&allocator), TR_OUT_OF_MEMORY);
        CHECK_INT(memory.live_bytes, 0);
    }
}
