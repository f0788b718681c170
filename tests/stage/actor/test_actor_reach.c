// Arms of an actor: taken, moved, braked and given back without a jump, while the feet stand and the body is
// still.
#include "test.h"
#include "troupe/base/random.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

// Made once, because that takes longer than all the tests.
static const tr_character *some_character(void) {
    static tr_character *made;
    if (!made)
        CHECK_INT(tr_character_create(&(tr_character_def){.detail = 1}, &made, NULL), TR_OK);
    return made;
}

typedef struct player {
    const tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
} player;

static bool open_player(player *p, const tr_allocator *allocator, float heading) {
    *p = (player){.character = some_character()};
    if (!p->character)
        return false;
    tr_actor_def def = {.allocator = allocator,
                        .character = p->character,
                        .position = {2, -1},
                        .heading = heading,
                        .ground = 0.25f};
    return tr_actor_create(&def, &p->actor, NULL) == TR_OK &&
           tr_actor_scratch_create(allocator, tr_skeleton_joint_count(p->character->skeleton), &p->scratch,
                                   NULL) == TR_OK;
}

static void close_player(player *p) {
    tr_actor_scratch_destroy(&p->scratch);
    tr_actor_destroy(p->actor);
}

static tr_actor_arm_view look(const player *p, tr_arm_side side) {
    tr_actor_arm_view view = {0};
    CHECK_INT(tr_actor_look_arm(p->actor, side, &view), TR_OK);
    return view;
}

static tr_vec3 joint_place(const player *p, uint32_t joint) {
    return tr_affine_position(&tr_actor_look(p->actor).model[joint]);
}

static float distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

static void step(player *p, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        CHECK_INT(tr_actor_step(p->actor, &p->scratch, INFINITY), TR_DONE);
}

static bool take(player *p, tr_arm_side side) {
    CHECK_INT(tr_actor_take_arm(p->actor, side, NULL), TR_OK);
    for (int i = 0; i < 60 && look(p, side).doing != TR_ACTOR_ARM_STAYS; i++)
        step(p, 1);
    CHECK_INT(look(p, side).doing, TR_ACTOR_ARM_STAYS);
    return look(p, side).doing == TR_ACTOR_ARM_STAYS;
}

// Ahead and up, the elbow bent: well inside all limits.
static tr_posture raised(const tr_actor_arm_view *view) {
    tr_posture posture = {{1.0f, 0.3f, 0.1f, 1.1f, 0.4f, 0.1f, 0.05f, 0.2f, 0.1f, 0.1f}};
    return tr_arm_clamp(&view->arm, posture);
}

static void move(player *p, tr_arm_side side, const tr_posture *to, double seconds) {
    tr_actor_arm_view view = look(p, side);
    tr_posture knots[2] = {view.posture, *to};
    tr_arm_path arm_path = {knots, 2};
    tr_arm_timing_params params = {.duration = seconds};
    CHECK_INT(tr_actor_move_arm(p->actor, side, &arm_path, &params, NULL), TR_OK);
}

// Checks that the hand of the pose is where the arm says.
static void check_hand(const player *p, tr_arm_side side) {
    tr_actor_arm_view view = look(p, side);
    tr_arm_place place = tr_arm_put(&view.arm, &view.posture);
    CHECK_NEAR(distance(place.wrist, joint_place(p, view.joints->hand)), 0, 2e-4);
    CHECK_NEAR(distance(place.elbow, joint_place(p, view.joints->forearm)), 0, 2e-4);
}

TEST(an_arm_goes_where_its_path_leads_and_the_feet_stand) {
    for (uint32_t side = 0; side < 2; side++) {
        player p;
        REQUIRE(open_player(&p, NULL, 1.1f));
        REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
        step(&p, 40);
        tr_vec3 feet[2], now;
        for (uint32_t i = 0; i < 2; i++)
            feet[i] = joint_place(&p, p.character->legs.feet[i].ankle);
        REQUIRE(take(&p, (tr_arm_side)side));
        tr_actor_arm_view view = look(&p, (tr_arm_side)side);
        tr_posture goal = raised(&view);
        move(&p, (tr_arm_side)side, &goal, 0.8);
        step(&p, 12);
        CHECK_INT(look(&p, (tr_arm_side)side).doing, TR_ACTOR_ARM_MOVES);
        check_hand(&p, (tr_arm_side)side);
        step(&p, 20);
        view = look(&p, (tr_arm_side)side);
        CHECK_INT(view.doing, TR_ACTOR_ARM_STAYS);
        CHECK(memcmp(&view.posture, &goal, sizeof goal) == 0);
        check_hand(&p, (tr_arm_side)side);
        tr_vec3 hand = joint_place(&p, view.joints->hand);
        step(&p, 150);
        now = joint_place(&p, view.joints->hand);
        CHECK_NEAR(distance(now, hand), 0, 1e-5); // holds its breath
        for (uint32_t i = 0; i < 2; i++)
            CHECK_NEAR(distance(joint_place(&p, p.character->legs.feet[i].ankle), feet[i]), 0, 1e-4);
        close_player(&p);
    }
}

// The largest second difference of any joint's place in one step, over a whole shot.
static float roughness(player *p, uint32_t steps, tr_vec3 (*last)[64]) {
    float worst = 0;
    uint32_t joints = tr_skeleton_joint_count(p->character->skeleton);
    for (uint32_t i = 0; i < steps; i++) {
        step(p, 1);
        for (uint32_t k = 0; k < joints && k < 64; k++) {
            tr_vec3 now = joint_place(p, k);
            tr_vec3 bend = tr_vec3_add(tr_vec3_subtract(now, tr_vec3_scale(last[0][k], 2)), last[1][k]);
            worst = fmaxf(worst, tr_vec3_length(bend));
            last[1][k] = last[0][k];
            last[0][k] = now;
        }
    }
    return worst;
}

TEST(nothing_jumps_from_taking_an_arm_to_giving_it_back) {
    player p;
    REQUIRE(open_player(&p, NULL, -0.4f));
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    static tr_vec3 last[2][64];
    roughness(&p, 30, last);
    CHECK(roughness(&p, 30, last) < 0.001f); // breathing
    CHECK_INT(tr_actor_take_arm(p.actor, TR_ARM_RIGHT, NULL), TR_OK);
    CHECK(roughness(&p, 45, last) < 0.004f); // the hanging arm is brought inside its limits
    tr_actor_arm_view view = look(&p, TR_ARM_RIGHT);
    REQUIRE(view.doing == TR_ACTOR_ARM_STAYS);
    tr_posture goal = raised(&view), rest = view.rest;
    // Half a metre or so in 1 s with minimum jerk: 5.8 * way / time^2 at most, and every step is 1/30 s.
    move(&p, TR_ARM_RIGHT, &goal, 1);
    CHECK(roughness(&p, 12, last) < 0.008f);
    // Another path in the middle of it, which takes the speed over.
    view = look(&p, TR_ARM_RIGHT);
    tr_posture knots[4] = {view.posture, view.posture, goal, goal};
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        knots[1].q[i] += 0.1f * view.velocity.q[i];
        knots[2].q[i] += 0.05f;
    }
    tr_arm_path arm_path = {knots, 4};
    tr_arm_timing_params params = {.velocity = &view.velocity};
    CHECK_INT(tr_actor_move_arm(p.actor, TR_ARM_RIGHT, &arm_path, &params, NULL), TR_OK);
    CHECK(roughness(&p, 40, last) < 0.02f);
    CHECK_INT(look(&p, TR_ARM_RIGHT).doing, TR_ACTOR_ARM_STAYS);
    move(&p, TR_ARM_RIGHT, &rest, 1);
    CHECK(roughness(&p, 31, last) < 0.008f);
    CHECK_INT(look(&p, TR_ARM_RIGHT).doing, TR_ACTOR_ARM_STAYS);
    tr_actor_give_arm(p.actor, TR_ARM_RIGHT);
    CHECK_INT(look(&p, TR_ARM_RIGHT).doing, TR_ACTOR_ARM_FADES);
    CHECK(roughness(&p, 60, last) < 0.004f);
    CHECK_INT(look(&p, TR_ARM_RIGHT).doing, TR_ACTOR_ARM_SWINGS);
    close_player(&p);
}

TEST(an_arm_that_brakes_comes_to_rest_on_its_path) {
    player p;
    REQUIRE(open_player(&p, NULL, 0));
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    REQUIRE(take(&p, TR_ARM_LEFT));
    tr_actor_arm_view view = look(&p, TR_ARM_LEFT);
    tr_posture goal = raised(&view);
    static tr_vec3 last[2][64];
    roughness(&p, 3, last);
    move(&p, TR_ARM_LEFT, &goal, 1.2);
    roughness(&p, 15, last);
    tr_actor_brake_arm(p.actor, TR_ARM_LEFT);
    CHECK(roughness(&p, 12, last) < 0.03f);
    view = look(&p, TR_ARM_LEFT);
    CHECK_INT(view.doing, TR_ACTOR_ARM_STAYS);
    CHECK(view.time < 0.9 * view.arm_timing.duration);
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        CHECK(view.velocity.q[i] == 0);
    tr_posture there = tr_arm_timing_at(&view.arm_timing, view.time, NULL);
    CHECK(memcmp(&there, &view.posture, sizeof there) == 0);
    // And goes on from there.
    move(&p, TR_ARM_LEFT, &goal, 0.5);
    step(&p, 20);
    view = look(&p, TR_ARM_LEFT);
    CHECK(memcmp(&view.posture, &goal, sizeof goal) == 0);
    close_player(&p);
}

TEST(two_arms_may_be_out_at_once) {
    player p;
    REQUIRE(open_player(&p, NULL, 2));
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    REQUIRE(take(&p, TR_ARM_LEFT));
    tr_actor_arm_view left = look(&p, TR_ARM_LEFT);
    tr_posture goal = raised(&left);
    move(&p, TR_ARM_LEFT, &goal, 0.5); // with the trunk's help: the other arm is read from how it leans
    step(&p, 20);
    REQUIRE(take(&p, TR_ARM_RIGHT));
    tr_actor_arm_view right = look(&p, TR_ARM_RIGHT);
    goal = raised(&right);
    for (int i = TR_WAIST_LEAN; i <= TR_COLLAR; i++)
        goal.q[i] = 0;
    tr_vec3 hand = joint_place(&p, left.joints->hand);
    move(&p, TR_ARM_RIGHT, &goal, 0.5);
    step(&p, 20);
    check_hand(&p, TR_ARM_LEFT);
    check_hand(&p, TR_ARM_RIGHT);
    CHECK_NEAR(distance(joint_place(&p, left.joints->hand), hand), 0, 1e-4);
    close_player(&p);
}

TEST(impossible_tasks_for_arms_are_refused) {
    player p;
    REQUIRE(open_player(&p, NULL, 0));
    tr_error error = {0};
    tr_actor_arm_view view;
    CHECK_INT(tr_actor_take_arm(p.actor, TR_ARM_LEFT, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "no left arm");
    CHECK_INT(tr_actor_look_arm(p.actor, TR_ARM_LEFT, &view), TR_INVALID);
    CHECK(!tr_actor_has_arm(p.actor, TR_ARM_LEFT));
    tr_actor_brake_arm(p.actor, TR_ARM_LEFT);
    tr_actor_give_arm(p.actor, TR_ARM_LEFT);
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    CHECK(tr_actor_has_arm(p.actor, TR_ARM_LEFT) && tr_actor_has_arm(p.actor, TR_ARM_RIGHT));
    CHECK(!tr_actor_has_arm(p.actor, (tr_arm_side)2));
    static tr_posture knots[TR_ACTOR_KNOTS_MAX + 1];
    tr_arm_path arm_path = {knots, 2};
    tr_arm_timing_params params = {0};
    CHECK_INT(tr_actor_move_arm(p.actor, TR_ARM_LEFT, &arm_path, &params, &error), TR_INVALID);
    REQUIRE(take(&p, TR_ARM_LEFT));
    CHECK_INT(tr_actor_take_arm(p.actor, TR_ARM_LEFT, &error), TR_OK); // it is already
    arm_path.count = TR_ACTOR_KNOTS_MAX + 1;
    CHECK_INT(tr_actor_move_arm(p.actor, TR_ARM_LEFT, &arm_path, &params, &error), TR_LIMIT);
    arm_path.count = 0;
    CHECK_INT(tr_actor_move_arm(p.actor, TR_ARM_LEFT, &arm_path, &params, &error), TR_INVALID);
    CHECK_INT(look(&p, TR_ARM_LEFT).doing, TR_ACTOR_ARM_STAYS);
    close_player(&p);
}

TEST(an_arm_may_be_given_back_while_the_actor_walks_off) {
    player p;
    REQUIRE(open_player(&p, NULL, 0));
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    REQUIRE(take(&p, TR_ARM_RIGHT));
    static tr_vec3 last[2][64];
    roughness(&p, 3, last);
    tr_actor_give_arm(p.actor, TR_ARM_RIGHT);
    const tr_vec2 way[2] = {{2, -1}, {2, 3}};
    CHECK_INT(tr_actor_set_route(p.actor, way, 2, NULL, NULL, 0, NULL), TR_OK);
    float worst = 0;
    uint32_t joint = look(&p, TR_ARM_RIGHT).joints->hand;
    tr_vec3 before[2] = {joint_place(&p, joint), joint_place(&p, joint)};
    for (int i = 0; i < 40; i++) {
        CHECK_INT(tr_actor_step(p.actor, &p.scratch, INFINITY), TR_OK);
        tr_vec3 now = joint_place(&p, joint);
        tr_vec3 bend = tr_vec3_add(tr_vec3_subtract(now, tr_vec3_scale(before[0], 2)), before[1]);
        worst = fmaxf(worst, tr_vec3_length(bend));
        before[1] = before[0];
        before[0] = now;
    }
    CHECK(worst < 0.03f);
    CHECK_INT(look(&p, TR_ARM_RIGHT).doing, TR_ACTOR_ARM_SWINGS);
    close_player(&p);
}

// Where the face looks, in the world.
static tr_vec3 face_of(const player *p) {
    const tr_skeleton *skeleton = p->character->skeleton;
    uint32_t head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    tr_quat rest = tr_quat_normalize(tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[head]));
    tr_vec3 own = tr_quat_rotate(tr_quat_conjugate(rest), tr_vec3_make(0, 0, 1));
    return tr_quat_rotate(tr_quat_normalize(tr_affine_rotation(&tr_actor_look(p->actor).model[head])), own);
}

TEST(the_head_turns_to_what_is_looked_at_and_back_within_its_limits) {
    player p;
    REQUIRE(open_player(&p, NULL, 0.7f));
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    static tr_vec3 last[2][64];
    roughness(&p, 10, last);
    const tr_skeleton *skeleton = p.character->skeleton;
    uint32_t head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD),
             neck = tr_skeleton_with_role(skeleton, TR_ROLE_NECK);
    tr_vec3 ahead = face_of(&p), at = joint_place(&p, head);
    tr_random random = tr_random_seed(3);
    for (int i = 0; i < 12; i++) {
        double s = tr_random_between(&random, -0.7f, 0.7f), c = cos(0.7 + s);
        float high = tr_random_between(&random, -0.5f, 0.3f);
        bool behind = i % 4 == 3;
        tr_vec3 way = {(float)sin(0.7 + s), high, (float)c};
        tr_vec3 point = tr_vec3_add(at, tr_vec3_scale(way, behind ? -2.0f : 2.0f));
        tr_actor_look_at(p.actor, &point);
        CHECK(roughness(&p, 45, last) < 0.02f);
        tr_vec3 to = tr_vec3_subtract(point, tr_vec3_add(at, tr_vec3_make(0, 0.08f, 0)));
        double cosine = tr_vec3_dot(face_of(&p), to) / tr_vec3_length(to);
        if (!behind && acos(cosine) > 0.06)
            test_failed(__FILE__, __LINE__, "looks past it by %.2f rad", acos(cosine));
        const tr_pose *pose = tr_actor_look(p.actor).pose;
        CHECK(tr_skeleton_limit_excess(skeleton, head, tr_pose_rotation(pose, head)) < 1e-4f);
        CHECK(tr_skeleton_limit_excess(skeleton, neck, tr_pose_rotation(pose, neck)) < 1e-4f);
    }
    tr_vec3 nowhere = {NAN, 0, 0};
    tr_actor_look_at(p.actor, &nowhere); // as NULL
    CHECK(roughness(&p, 90, last) < 0.02f);
    CHECK(tr_vec3_dot(face_of(&p), ahead) > 0.999f);
    close_player(&p);
}

static bool attempt(const tr_allocator *allocator) {
    tr_actor *actor = NULL;
    tr_actor_def def = {.allocator = allocator, .character = some_character()};
    tr_status status = tr_actor_create(&def, &actor, NULL);
    if (status == TR_OK)
        status = tr_actor_prepare_arms(actor, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_actor_destroy(actor);
    return status == TR_OK;
}

TEST(without_memory_for_arms_an_actor_reports_it_and_leaks_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 8);
}

TEST(arms_are_moved_without_allocating) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    player p;
    REQUIRE(open_player(&p, &allocator, 0));
    REQUIRE(tr_actor_prepare_arms(p.actor, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    REQUIRE(take(&p, TR_ARM_RIGHT));
    tr_actor_arm_view view = look(&p, TR_ARM_RIGHT);
    tr_posture goal = raised(&view);
    move(&p, TR_ARM_RIGHT, &goal, 0);
    step(&p, 40);
    tr_actor_give_arm(p.actor, TR_ARM_RIGHT);
    step(&p, 20);
    CHECK_INT(memory.calls, calls);
    close_player(&p);
    CHECK_INT(memory.live_bytes, 0);
}
