// The independent check of paths: where it puts the arm, and every fault that it must find.
#include "test.h"

// The tool is a program and no library: its files are compiled into this test.
#include "cli/reach/reach_recheck.c"
#include "cli/reach/reach_triangles.c"

#include "troupe/base/random.h"

// A square of 0.4 m that stands 0.4 m ahead of the shoulder, across.
static tr_scene *make_board(double x, double y, double z) {
    tr_vec3 positions[4] = {{-0.2f, -0.2f, 0}, {0.2f, -0.2f, 0}, {0.2f, 0.2f, 0}, {-0.2f, 0.2f, 0}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    tr_scene *scene = NULL;
    tr_mesh_def mesh = {.positions = positions, .position_count = 4, .indices = indices, .triangle_count = 2};
    tr_object_def object = {.placement = tr_affine_place(tr_vec3_make((float)x, (float)y, (float)z), 0)};
    uint32_t number;
    if (tr_scene_create(NULL, &scene) != TR_OK ||
        tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) != TR_OK ||
        tr_scene_add_object(scene, &object, &number, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no board");
    return scene;
}

static tr_reach_file make_file(tr_arm_side side) {
    tr_reach_file file = {.up = TR_UP_Y, .self = true, .body_count = 1};
    file.arm = tr_arm_default(side, 1.75f);
    file.bodies[0] = (tr_reach_body){{0, 0, 0}, {0, 0.45f, 0}, .radius = 0.1f, .on_trunk = true, .links = 6};
    return file;
}

typedef struct stand {
    tr_reach_file file;
    tr_scene *scene;
    reach_recheck *recheck;
} stand;

static stand stand_make(tr_reach_file file) {
    stand made = {.file = file};
    tr_vec3 shoulder = tr_affine_apply(&file.arm.base, file.arm.shoulder);
    made.scene = make_board(shoulder.x, shoulder.y, shoulder.z + 0.4);
    CHECK_INT(reach_recheck_create(made.scene, &made.file, &made.recheck, NULL), TR_OK);
    return made;
}

static void stand_destroy(stand *made) {
    reach_recheck_destroy(made->recheck);
    tr_scene_destroy(made->scene);
}

TEST(points_are_those_of_the_arm_on_both_sides_and_with_help) {
    tr_random random = tr_random_seed(4);
    for (int round = 0; round < 2000; round++) {
        tr_reach_file file = make_file(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT);
        float x = tr_random_between(&random, -2, 2), z = tr_random_between(&random, -2, 2);
        double heading = tr_random_between(&random, -3, 3);
        if (round % 4 >= 2)
            tr_arm_allow_help(&file.arm);
        file.arm.base = tr_affine_place(tr_vec3_make(x, 0.1f, z), heading);
        reach_recheck plain = {.arm = file.arm};
        tr_posture posture;
        tr_vec3 ours[4];
        double theirs[4][3];
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            posture.q[i] = tr_random_between(&random, file.arm.low.q[i], file.arm.high.q[i]);
        tr_arm_points(&file.arm, &posture, ours);
        reach_recheck_points(&plain, &posture, theirs);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(theirs[i][0], ours[i].x, 2e-6);
            CHECK_NEAR(theirs[i][1], ours[i].y, 2e-6);
            CHECK_NEAR(theirs[i][2], ours[i].z, 2e-6);
        }
    }
}

TEST(distances_are_those_of_all_triangles_one_by_one) {
    tr_random random = tr_random_seed(9);
    tr_scene *scene = NULL;
    tr_vec3 corners[300];
    uint32_t indices[300], number;
    for (uint32_t i = 0; i < 300; i++) {
        float x = tr_random_between(&random, -1, 1), y = tr_random_between(&random, -1, 1);
        corners[i] = tr_vec3_make(x, y, tr_random_between(&random, -1, 1));
        if (i % 3 > 0 && i % 9 > 2) // most of them small
            corners[i] = tr_vec3_add(corners[i - 1], tr_vec3_scale(corners[i], 0.05f));
        indices[i] = i;
    }
    tr_mesh_def mesh = {
        .positions = corners, .position_count = 300, .indices = indices, .triangle_count = 100};
    tr_object_def object = {.placement = tr_affine_identity()};
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    REQUIRE(tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK);
    REQUIRE(tr_scene_add_object(scene, &object, &number, NULL) == TR_OK);
    reach_triangles *triangles;
    tr_affine base = tr_affine_identity();
    REQUIRE(reach_triangles_create(scene, &base, tr_vec3_make(0, 0, 0), 0.8f, &triangles, NULL) == TR_OK);
    for (int round = 0; round < 3000; round++) {
        float p[6];
        for (int i = 0; i < 6; i++)
            p[i] = tr_random_between(&random, -0.5f, 0.5f);
        double limit = tr_random_between(&random, 0, 0.2f), least = limit;
        tr_vec3 a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]};
        for (uint32_t i = 0; i < 300; i += 3) {
            double square = tr_distance_segment_triangle(a, b, &corners[i], NULL, NULL);
            least = fmin(least, sqrt(square));
        }
        // In the grid X is ahead, which is Z of the world, and so on.
        double found = reach_triangles_distance(triangles, tr_vec3_make(a.z, a.x, a.y),
                                                tr_vec3_make(b.z, b.x, b.y), limit);
        CHECK_NEAR(found, least, 1e-6);
    }
    reach_triangles_destroy(triangles);
    tr_scene_destroy(scene);
}

// From hanging to somewhere aside, away from the board.
typedef struct sound_path {
    tr_posture postures[2];
    tr_arm_goal goal;
} sound_path;

static sound_path path_make(const stand *s) {
    sound_path path = {.postures = {{{0}}}};
    path.postures[0].q[TR_ELBOW_FLEXION] = 0.1f;
    path.postures[0].q[TR_SHOULDER_ABDUCTION] = 0.3f;
    path.postures[1] = path.postures[0];
    path.postures[1].q[TR_SHOULDER_ABDUCTION] = 1.2f;
    tr_vec3 points[4];
    tr_arm_points(&s->file.arm, &path.postures[1], points);
    path.goal = (tr_arm_goal){.kind = TR_ARM_GOAL_DIRECTION,
                              .wrist = points[2],
                              .direction = tr_vec3_subtract(points[3], points[2]),
                              .tolerance = 0.1f};
    return path;
}

static reach_finding check_path(const stand *s, const sound_path *path) {
    reach_finding finding;
    tr_posture start = path_make(s).postures[0];
    reach_recheck_path(s->recheck, &start, &path->goal, path->postures, 2, &finding);
    return finding;
}

TEST(a_sound_path_has_nothing_wrong_and_is_measured) {
    for (int side = 0; side < 2; side++) {
        stand s = stand_make(make_file(side ? TR_ARM_LEFT : TR_ARM_RIGHT));
        sound_path path = path_make(&s);
        reach_finding finding = check_path(&s, &path);
        CHECK_TEXT(reach_fault_name(finding.fault), "nothing");
        CHECK(finding.checked >= 46 && finding.checked <= 47); // 0.9 rad at steps of 0.02, and the start
        CHECK_NEAR(finding.length, 0.9, 1e-6);
        CHECK_NEAR(finding.wrist_length, 0.9 * (s.file.arm.length[0] + s.file.arm.length[1]), 2e-3);
        CHECK(finding.wrist_error < 1e-6);
        stand_destroy(&s);
    }
}

TEST(every_fault_is_found) {
    stand s = stand_make(make_file(TR_ARM_RIGHT));
    sound_path path = path_make(&s);
    path.postures[0].q[TR_ELBOW_FLEXION] = 0.2f;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_START);
    path = path_make(&s);
    path.goal.wrist.x += 0.002f;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_GOAL);
    path = path_make(&s);
    path.postures[1].q[TR_WRIST_FLEXION] = 0.2f;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_HAND);
    path.goal.kind = TR_ARM_GOAL_POSITION;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_NONE);
    path = path_make(&s);
    path.postures[1].q[TR_WRIST_DEVIATION] = 1.5f;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_LIMITS);
    path = path_make(&s);
    path.postures[1].q[TR_SHOULDER_ABDUCTION] = NAN;
    CHECK(check_path(&s, &path).fault != REACH_FAULT_NONE);
    // Straight ahead, through the board.
    path = path_make(&s);
    path.postures[1].q[TR_SHOULDER_ABDUCTION] = 0;
    path.postures[1].q[TR_SHOULDER_FLEXION] = 1.57f;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_SCENE);
    CHECK(check_path(&s, &path).depth > 0);
    // Across the chest, low, behind the board.
    path = path_make(&s);
    path.postures[1].q[TR_SHOULDER_ABDUCTION] = 0;
    path.postures[1].q[TR_SHOULDER_ROTATION] = 1.5f;
    path.postures[1].q[TR_ELBOW_FLEXION] = 1.6f;
    CHECK_INT(check_path(&s, &path).fault, REACH_FAULT_BODY);
    reach_finding finding;
    CHECK(!reach_recheck_path(s.recheck, &path.postures[0], &path.goal, path.postures, 0, &finding));
    stand_destroy(&s);
}

TEST(a_hand_on_the_upper_arm_is_found_where_that_is_asked_for) {
    tr_reach_file file = make_file(TR_ARM_RIGHT);
    file.body_count = 0;
    file.arm.high.q[TR_ELBOW_FLEXION] = 3;
    file.arm.length[0] = 0.3f;
    file.arm.length[1] = 0.25f;
    for (int self = 0; self < 2; self++) {
        file.self = self;
        stand s = stand_make(file);
        tr_posture folded = {{0}};
        folded.q[TR_SHOULDER_FLEXION] = -0.5f; // away from the board
        folded.q[TR_ELBOW_FLEXION] = 2.9f;
        reach_fault fault;
        double clearance = reach_recheck_posture(s.recheck, &folded, &fault);
        if (self) {
            CHECK(clearance < 0);
            CHECK_INT(fault, REACH_FAULT_SELF);
        } else {
            CHECK(clearance > 0);
        }
        stand_destroy(&s);
    }
}

TEST(the_trunk_that_leans_takes_its_capsules_along) {
    tr_reach_file file = make_file(TR_ARM_RIGHT);
    file.help = true;
    tr_arm_allow_help(&file.arm);
    file.bodies[0].hits_scene = true;
    stand s = stand_make(file);
    tr_posture upright = {{0}}, leaning = upright;
    upright.q[TR_SHOULDER_ABDUCTION] = leaning.q[TR_SHOULDER_ABDUCTION] = 0.4f;
    leaning.q[TR_WAIST_LEAN] = 0.9f;
    reach_fault fault;
    double before = reach_recheck_posture(s.recheck, &upright, &fault);
    double after = reach_recheck_posture(s.recheck, &leaning, &fault);
    CHECK(before > 0);
    CHECK(after < before);
    stand_destroy(&s);
}
