#include "../closed_skin.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "motion/foot/foot.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/pose.h"

#include <math.h>
#include <stdlib.h>

#define HEIGHT 1.75f

static tr_skeleton *make_skeleton(float height, tr_body **body) {
    tr_mannequin_def def = {.height = height};
    tr_skeleton *skeleton = NULL;
    CHECK(tr_mannequin_make(&def, &skeleton, body, NULL) == TR_OK);
    return skeleton;
}

static tr_vec3 place_of(const tr_skeleton *skeleton, const char *name) {
    uint32_t joint = tr_skeleton_find(skeleton, name);
    CHECK(joint != TR_NONE);
    return joint == TR_NONE ? tr_vec3_make(NAN, NAN, NAN)
                            : tr_affine_position(&tr_skeleton_rest_model(skeleton)[joint]);
}

static double length_between(const tr_skeleton *skeleton, const char *a, const char *b) {
    return (double)tr_vec3_length(tr_vec3_subtract(place_of(skeleton, a), place_of(skeleton, b)));
}

TEST(the_mannequin_has_human_proportions_at_every_height) {
    for (float height = 0.5f; height <= 2.5f; height += 0.25f) {
        tr_skeleton *skeleton = make_skeleton(height, NULL);
        REQUIRE(skeleton);
        double h = (double)height;
        CHECK_NEAR((double)tr_skeleton_height(skeleton), h, 1e-5);
        CHECK_NEAR((double)place_of(skeleton, "head_end").y, h, 1e-5);
        CHECK_NEAR(length_between(skeleton, "left_thigh", "left_shank"), .245 * h, 1e-5);
        CHECK_NEAR(length_between(skeleton, "left_shank", "left_foot"), .246 * h, 1e-5);
        CHECK_NEAR(length_between(skeleton, "right_upper_arm", "right_forearm"), .188 * h, 1e-5);
        CHECK_NEAR(length_between(skeleton, "right_forearm", "right_hand"), .152 * h, 1e-5);
        CHECK(length_between(skeleton, "left_thigh", "right_thigh") < .191 * h);
        CHECK(length_between(skeleton, "left_upper_arm", "right_upper_arm") < .259 * h);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_mannequin_stands_on_the_ground_on_flat_soles) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (uint32_t side = 0; side < 2; side++) {
        tr_foot foot;
        REQUIRE(tr_foot_measure(skeleton, side, &foot) == TR_OK);
        tr_vec3 heel = tr_foot_heel(&foot, rest), ball = tr_foot_ball(&foot, rest);
        tr_vec3 tip = tr_foot_tip(&foot, rest);
        CHECK_NEAR((double)heel.y, 0, 1e-6);
        CHECK_NEAR((double)ball.y, 0, 1e-6);
        CHECK_NEAR((double)tip.y, 0, 1e-6);
        CHECK(heel.z < ball.z && ball.z < tip.z);
        CHECK_NEAR((double)(tip.z - heel.z), .152 * (double)HEIGHT, 1e-5);
        CHECK((side == 0) == (heel.x > 0));
    }
    tr_skeleton_destroy(skeleton);
}

TEST(every_role_has_a_joint_and_left_mirrors_right) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    uint32_t turning = 0;
    for (uint32_t role = TR_ROLE_HIPS; role < TR_ROLE_COUNT; role++) {
        uint32_t joint = tr_skeleton_with_role(skeleton, (tr_role)role);
        REQUIRE(joint != TR_NONE);
        CHECK_TEXT(tr_skeleton_joint(skeleton, joint).name, tr_role_name((tr_role)role));
    }
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, i);
        turning += !joint.is_end;
        CHECK(joint.rest.rotation.w == 1);
        CHECK_INT(tr_skeleton_subtree_end(skeleton, i) > i, 1);
        uint32_t other = tr_skeleton_mirror_of(skeleton, i);
        tr_joint_limit a = joint.limit, b = tr_skeleton_joint(skeleton, other).limit;
        CHECK_NEAR((double)rest[i].m[0][3], -(double)rest[other].m[0][3], 1e-7);
        CHECK_NEAR((double)rest[i].m[1][3], (double)rest[other].m[1][3], 1e-7);
        CHECK_NEAR((double)rest[i].m[2][3], (double)rest[other].m[2][3], 1e-7);
        CHECK(a.low.x == b.low.x && a.high.x == b.high.x);
        if (other != i) // outward on one side is outward on the other
            CHECK(a.low.y == -b.high.y && a.low.z == -b.high.z && a.high.y == -b.low.y &&
                  a.high.z == -b.low.z);
    }
    CHECK_INT(turning, 22);
    tr_skeleton_destroy(skeleton);
}

// How far a joint may turn about one of its axes.
static void check_range(const tr_skeleton *skeleton, const char *name, int axis, double low, double high) {
    uint32_t joint = tr_skeleton_find(skeleton, name);
    REQUIRE(joint != TR_NONE);
    tr_vec3 along = {axis == 0, axis == 1, axis == 2};
    const double degree = TR_PI / 180;
    CHECK(tr_skeleton_limit_excess(skeleton, joint, tr_quat_about(along, (low + .1) * degree)) == 0);
    CHECK(tr_skeleton_limit_excess(skeleton, joint, tr_quat_about(along, (high - .1) * degree)) == 0);
    CHECK_NEAR((double)tr_skeleton_limit_excess(skeleton, joint, tr_quat_about(along, (low - 2) * degree)),
               2 * degree, 1e-4);
    CHECK_NEAR((double)tr_skeleton_limit_excess(skeleton, joint, tr_quat_about(along, (high + 2) * degree)),
               2 * degree, 1e-4);
}

TEST(joints_turn_as_far_as_those_of_people) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    check_range(skeleton, "left_thigh", 0, -130, 30);
    check_range(skeleton, "right_shank", 0, 0, 138);
    check_range(skeleton, "left_foot", 0, -30, 55);
    check_range(skeleton, "right_forearm", 0, -145, 0);
    check_range(skeleton, "left_upper_arm", 0, -169, 60);
    check_range(skeleton, "left_toes", 0, -75, 40);
    tr_skeleton_destroy(skeleton);
}

// Knees bend backwards, elbows forwards, ankles and hips as their comments say.
TEST(limits_open_to_the_side_that_people_bend_to) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    tr_vec3 down = {0, -1, 0}, ahead = {0, 0, 1}, x = {1, 0, 0};
    CHECK(tr_quat_rotate(tr_quat_about(x, 1), down).z < 0);   // a bent knee: the shank goes back
    CHECK(tr_quat_rotate(tr_quat_about(x, -1), down).z > 0);  // a bent elbow, a lifted thigh
    CHECK(tr_quat_rotate(tr_quat_about(x, .5), ahead).y < 0); // toes pointed down
    uint32_t knee = tr_skeleton_find(skeleton, "left_shank"),
             elbow = tr_skeleton_find(skeleton, "left_forearm");
    CHECK(tr_skeleton_limit_excess(skeleton, knee, tr_quat_about(x, 1)) == 0);
    CHECK(tr_skeleton_limit_excess(skeleton, knee, tr_quat_about(x, -1)) > 0.9f);
    CHECK(tr_skeleton_limit_excess(skeleton, elbow, tr_quat_about(x, -1)) == 0);
    CHECK(tr_skeleton_limit_excess(skeleton, elbow, tr_quat_about(x, 1)) > 0.9f);
    tr_skeleton_destroy(skeleton);
}

TEST(capsules_cover_the_body_and_those_that_are_tested_are_apart_at_rest) {
    tr_body *body = NULL;
    tr_skeleton *skeleton = make_skeleton(HEIGHT, &body);
    REQUIRE(skeleton && body);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    const tr_body_def *view = tr_body_view(body);
    uint32_t count = view->capsule_count, tested = 0;
    float highest = 0, lowest = 1;
    REQUIRE(view->ignored_pairs != NULL);
    for (uint32_t i = 0; i < count; i++) {
        const tr_capsule *p = &view->capsules[i];
        tr_vec3 a = tr_affine_apply(&rest[p->joint], p->a), b = tr_affine_apply(&rest[p->joint], p->b);
        float low = (a.y < b.y ? a.y : b.y) - p->radius, high = (a.y > b.y ? a.y : b.y) + p->radius;
        highest = high > highest ? high : highest;
        lowest = low < lowest ? low : lowest;
        for (uint32_t j = 0; j < count; j++) {
            const tr_capsule *q = &view->capsules[j];
            CHECK(view->ignored_pairs[i * count + j] == view->ignored_pairs[j * count + i]);
            if (view->ignored_pairs[i * count + j])
                continue;
            tested++;
            tr_vec3 c = tr_affine_apply(&rest[q->joint], q->a), d = tr_affine_apply(&rest[q->joint], q->b);
            CHECK(distance_between(a, b, c, d) > p->radius + q->radius);
        }
    }
    CHECK(tested > 200);
    CHECK_NEAR((double)highest, (double)HEIGHT, 0.01);
    CHECK(lowest >= -1e-6f && lowest < 0.01f);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(the_skin_is_closed_and_faces_outwards) {
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_mannequin_def def = {.height = HEIGHT, .detail = detail};
        tr_skeleton *skeleton = NULL;
        tr_body *body = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
        const tr_body_def *view = tr_body_view(body);
        CHECK(detail ? view->triangle_count > 600 && view->triangle_count < 1000
                     : view->triangle_count > 5000 && view->triangle_count < 6500);
        check_closed(view);
        check_normals(view);
        // A person of 1.75 m holds about 70 litres; parts that reach into each other count twice.
        double volume = volume_of(view, view->positions);
        CHECK(volume > 0.055 && volume < 0.095);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

// The number of the closed skin that each vertex belongs to: that of its first vertex.
static void find_skins(const tr_body_def *view, uint32_t *skins) {
    for (uint32_t i = 0; i < view->vertex_count; i++)
        skins[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < 3 * view->triangle_count; i++) {
            uint32_t a = view->indices[i], b = view->indices[i % 3 == 2 ? i - 2 : i + 1];
            uint32_t least = skins[a] < skins[b] ? skins[a] : skins[b];
            changed = changed || skins[a] != least || skins[b] != least;
            skins[a] = skins[b] = least;
        }
    }
}

TEST(each_hand_has_four_fingers_and_a_thumb) {
    tr_mannequin_def def = {.height = 1};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
    const tr_body_def *view = tr_body_view(body);
    static uint32_t skins[8192];
    static float lowest[8192];
    REQUIRE(view->vertex_count <= 8192);
    find_skins(view, skins);
    for (uint32_t i = 0; i < view->vertex_count; i++)
        lowest[i] = 2;
    for (uint32_t i = 0; i < view->vertex_count; i++)
        lowest[skins[i]] = fminf(lowest[skins[i]], view->positions[i].y);
    uint32_t left = tr_skeleton_with_role(skeleton, TR_ROLE_LEFT_HAND), fingers = 0, longest = 0;
    for (uint32_t i = 0; i < view->vertex_count; i++)
        if (skins[i] == i &&
            view->joints[i][0] == left) { // the arm ends in the palm and begins there as well
            fingers++;
            longest += lowest[i] < .375f;
        }
    CHECK_INT(fingers, 6);
    CHECK_INT(longest, 3); // index, middle and ring finger
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(the_face_shows_where_the_head_looks) {
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_mannequin_def def = {.height = 1, .detail = detail};
        tr_skeleton *skeleton = NULL;
        tr_body *body = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
        const tr_body_def *view = tr_body_view(body);
        uint32_t head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD), foremost = 0;
        for (uint32_t i = 0; i < view->vertex_count; i++)
            if (view->positions[i].y > .87f && view->positions[i].z > view->positions[foremost].z)
                foremost = i;
        CHECK_NEAR(view->positions[foremost].x, 0, 0.002); // the tip of the nose
        CHECK_NEAR(view->positions[foremost].y, .905, 0.006);
        // The eyes are in the front half of the head, on both sides, and move with it.
        CHECK_INT(view->paint_count, detail ? 1 : 2);
        double sum = 0;
        for (uint32_t i = 3 * tr_body_plain_triangles(body); i < 3 * view->triangle_count; i++) {
            uint32_t vertex = view->indices[i];
            CHECK(view->positions[vertex].z > .03f && fabsf(view->positions[vertex].x) > .005f);
            CHECK(view->joints[vertex][0] == head && view->weights[vertex][0] == 1);
            sum += (double)view->positions[vertex].x;
        }
        CHECK_NEAR(sum, 0, 1e-3);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_skin_fits_the_skeleton) {
    tr_body *body = NULL;
    tr_skeleton *skeleton = make_skeleton(HEIGHT, &body);
    REQUIRE(skeleton && body);
    const tr_body_def *view = tr_body_view(body);
    tr_vec3 *positions = malloc(view->vertex_count * sizeof *positions);
    REQUIRE(positions);
    tr_body_skin(body, tr_skeleton_rest_model(skeleton), positions, NULL);
    float low = INFINITY, high = -INFINITY, right = INFINITY, left = -INFINITY;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        tr_vec3 p = view->positions[i];
        CHECK_NEAR((double)tr_vec3_length(tr_vec3_subtract(positions[i], p)), 0, 1e-5);
        low = p.y < low ? p.y : low, high = p.y > high ? p.y : high;
        right = p.x < right ? p.x : right, left = p.x > left ? p.x : left;
        float sum = 0;
        for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
            sum += view->weights[i][k];
            CHECK(!tr_skeleton_joint(skeleton, view->joints[i][k]).is_end);
        }
        CHECK_NEAR((double)sum, 1, 1e-6);
    }
    CHECK_NEAR((double)low, 0, 1e-6);
    CHECK_NEAR((double)high, (double)HEIGHT, 1e-5);
    CHECK_NEAR((double)(left + right), 0, 1e-6);
    CHECK(left > .1295f * HEIGHT && left < .16f * HEIGHT);
    free(positions);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(a_bent_body_keeps_most_of_its_volume) {
    tr_body *body = NULL;
    tr_skeleton *skeleton = make_skeleton(HEIGHT, &body);
    REQUIRE(skeleton && body);
    const tr_body_def *view = tr_body_view(body);
    tr_vec3 *positions = malloc(view->vertex_count * sizeof *positions);
    tr_affine *model = malloc(view->joint_count * sizeof *model);
    tr_pose pose = {0};
    REQUIRE(positions && model && tr_pose_create(NULL, view->joint_count, &pose, NULL) == TR_OK);
    const char *const joints[] = {"left_forearm", "right_forearm", "left_shank", "right_shank",
                                  "left_thigh",   "right_thigh",   "chest",      "left_upper_arm"};
    const double angles[] = {-1.5, -1.5, 1.5, 1.5, -1.3, -1.3, 0.3, -1.4};
    tr_pose_set_rest(&pose, skeleton);
    for (int i = 0; i < 8; i++)
        tr_pose_set_rotation(&pose, tr_skeleton_find(skeleton, joints[i]),
                             tr_quat_about(tr_vec3_make(1, 0, 0), angles[i]));
    tr_pose_to_model(skeleton, &pose, NULL, model);
    tr_body_skin(body, model, positions, NULL);
    double rest = volume_of(view, view->positions), bent = volume_of(view, positions);
    CHECK(bent > 0.85 * rest && bent < 1.1 * rest);
    tr_pose_destroy(&pose);
    free(model);
    free(positions);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(a_mannequin_of_impossible_size_or_colour_is_refused) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    const float heights[] = {0.49f, 2.51f, -1, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        tr_mannequin_def def = {.height = heights[i]};
        CHECK(tr_mannequin_make(&def, &skeleton, &body, &error) == TR_INVALID);
        CHECK_CONTAINS(error.message, "0.5 to 2.5");
        CHECK(!skeleton && !body);
    }
    tr_mannequin_def def = {.color = {0, 2, 0}};
    CHECK(tr_mannequin_make(&def, &skeleton, &body, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "colour");
    def = (tr_mannequin_def){.detail = 2};
    CHECK(tr_mannequin_make(&def, &skeleton, &body, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "detail");
}

static bool make_whole(const tr_allocator *allocator) {
    tr_mannequin_def def = {.allocator = allocator};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_status status = tr_mannequin_make(&def, &skeleton, &body, NULL);
    CHECK((status == TR_OK) == (skeleton != NULL) && (status == TR_OK) == (body != NULL));
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK;
}

TEST(a_mannequin_without_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_whole) >= 8);
}
