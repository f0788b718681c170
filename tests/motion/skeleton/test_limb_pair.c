// Two limbs at once, against tr_limb_reach one after the other.
#include "limb_cases.h"
#include "motion/skeleton/limb_pair.h"

#include <string.h>

#define CASES 10000

// Two limbs of three joints and one more each, on joint 1 of a root; their joints come in turns, or one limb
// after the other.
typedef struct pair_case {
    tr_skeleton *skeleton;
    tr_pose pose;
    tr_affine place, model[CASE_JOINTS_MAX];
    tr_limb limbs[2];
    limb_pair_goal goals[2];
} pair_case;

static bool make_pair(pair_case *made, tr_random *random, bool scaled) {
    tr_joint_def joints[CASE_JOINTS_MAX];
    uint32_t count = 0, chain[2][4];
    bool in_turns = tr_random_below(random, 2) != 0;
    add_joint(joints, &count, random, false);
    add_joint(joints, &count, random, scaled);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t side = in_turns ? i % 2 : i / 4, part = in_turns ? i / 2 : i % 4;
        chain[side][part] = add_joint(joints, &count, random, scaled);
        joints[chain[side][part]].parent = part ? chain[side][part - 1] : 1;
    }
    if (!make_posed(joints, count, random, &made->skeleton, &made->pose, &made->place, made->model))
        return false;
    bool good = true;
    for (int side = 0; side < 2; side++)
        good &= tr_limb_measure(made->skeleton, chain[side][0], chain[side][1], chain[side][2],
                                &made->limbs[side], NULL) == TR_OK;
    return good;
}

static void destroy_pair(pair_case *made) {
    tr_pose_destroy(&made->pose);
    tr_skeleton_destroy(made->skeleton);
}

// Anywhere around the hip, within reach or not.
static void choose_goals(pair_case *made, tr_random *random) {
    for (int side = 0; side < 2; side++) {
        const tr_limb *limb = &made->limbs[side];
        tr_vec3 way = tr_quat_rotate(random_turn(random), tr_vec3_make(0, 0, 1));
        float distance = limb->reach_max * tr_random_between(random, 0.1f, 1.2f);
        tr_vec3 hip = tr_affine_position(&made->model[limb->upper]);
        made->goals[side] =
            (limb_pair_goal){.position = tr_vec3_add(hip, tr_vec3_scale(way, distance)),
                             .rotation = random_turn(random),
                             .swivel = tr_random_below(random, 3) ? tr_random_between(random, -2, 2) : 0,
                             .least = limb->reach_min,
                             .most = limb->reach_max};
    }
}

static bool reach_both(pair_case *at, float left[2]) {
    limb_pair pair;
    return tr_limb_pair_look(at->limbs, at->skeleton, &at->pose, at->model, &pair) &&
           tr_limb_pair_reach(&pair, at->skeleton, at->goals, &at->pose, &at->place, at->model, left);
}

static void reach_each(const pair_case *at, tr_pose *pose, tr_affine *model, float left[2]) {
    for (int side = 0; side < 2; side++) {
        const limb_pair_goal *goal = &at->goals[side];
        tr_limb_goal one = {goal->position, &goal->rotation, 1, goal->swivel};
        left[side] = tr_limb_reach(&at->limbs[side], at->skeleton, &one, pose, &at->place, model);
    }
}

static float model_apart(const tr_affine *a, const tr_affine *b, uint32_t count) {
    float worst = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) {
                float off = fabsf(a[i].m[row][column] - b[i].m[row][column]);
                worst = off > worst || !isfinite(off) ? off : worst;
            }
    return worst;
}

TEST(both_limbs_do_what_each_does_alone) {
    tr_random random = tr_random_seed(11);
    uint32_t reached = 0;
    for (int i = 0; i < CASES; i++) {
        pair_case at;
        REQUIRE(make_pair(&at, &random, false));
        choose_goals(&at, &random);
        uint32_t count = at.pose.joint_count;
        tr_pose pose;
        REQUIRE(tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
        tr_pose_copy(&pose, &at.pose);
        tr_affine model[CASE_JOINTS_MAX], before[CASE_JOINTS_MAX];
        memcpy(model, at.model, sizeof model);
        memcpy(before, at.model, sizeof before);
        float left[2] = {-1, -1}, alone[2];
        if (reach_both(&at, left)) {
            reach_each(&at, &pose, model, alone);
            CHECK(fabsf(left[0] - alone[0]) < 2e-6f && fabsf(left[1] - alone[1]) < 2e-6f);
            CHECK(model_apart(at.model, model, count) < 1e-4f); // floats against doubles
            tr_pose_to_model(at.skeleton, &at.pose, &at.place, model);
            CHECK(model_apart(at.model, model, count) < 1e-6f);
            reached++;
        } else {
            CHECK(left[0] == -1 && left[1] == -1 && model_apart(at.model, before, count) == 0);
        }
        tr_pose_destroy(&pose);
        destroy_pair(&at);
    }
    CHECK(reached > CASES / 2); // goals are all around: many are behind a limb
}

TEST(rotations_of_both_ends_are_those_of_the_model) {
    tr_random random = tr_random_seed(13);
    uint32_t looked = 0;
    for (int i = 0; i < CASES; i++) {
        pair_case at;
        limb_pair pair;
        REQUIRE(make_pair(&at, &random, false));
        if (tr_limb_pair_look(at.limbs, at.skeleton, &at.pose, at.model, &pair)) {
            tr_quat ends[2];
            tr_limb_pair_ends(&pair, &at.pose, ends);
            for (int side = 0; side < 2; side++) {
                tr_quat meant = tr_affine_rotation(&at.model[at.limbs[side].end]);
                float near = meant.x * ends[side].x + meant.y * ends[side].y + meant.z * ends[side].z +
                             meant.w * ends[side].w;
                CHECK(fabsf(fabsf(near) - 1) < 1e-6f);
            }
            looked++;
        }
        destroy_pair(&at);
    }
    CHECK(looked > CASES / 2);
}

TEST(limbs_that_cannot_be_solved_as_a_pair_are_left_alone) {
    tr_random random = tr_random_seed(12);
    for (int i = 0; i < 1000; i++) {
        pair_case at;
        REQUIRE(make_pair(&at, &random, i % 4 == 0));
        choose_goals(&at, &random);
        tr_limb *limb = &at.limbs[i / 4 % 2];
        bool scaled = at.pose.scaled;
        if (i % 4 == 1) // a mirrored place
            for (int row = 0; row < 3; row++)
                at.place.m[row][0] = -at.place.m[row][0];
        else if (i % 4 == 2)
            at.goals[i / 4 % 2].position.y = i % 8 < 4 ? NAN : INFINITY;
        else if (i % 4 == 3) // a joint between
            limb->lower = limb->end, limb->end++;
        tr_pose_to_model(at.skeleton, &at.pose, &at.place, at.model);
        tr_affine before[CASE_JOINTS_MAX];
        memcpy(before, at.model, sizeof before);
        float left[2];
        if (i % 4 || scaled)
            CHECK(!reach_both(&at, left));
        if (i % 4 || scaled)
            CHECK(model_apart(at.model, before, at.pose.joint_count) == 0);
        destroy_pair(&at);
    }
}
