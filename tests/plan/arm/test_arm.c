#define SIMD_LANES 4
#include "base/simd_trigonometry.h"
#include "plan/arm/arm_lanes.h"
#include "arm_oracle.h"
#include "test.h"
#include "troupe/base/scalar.h"

TEST(lanes_of_sines_and_cosines_are_near_those_of_libm) {
    tr_random random = tr_random_seed(1);
    double worst = 0;
    for (int round = 0; round < 50000; round++) {
        float angle[4], s[4], c[4], reach = round % 2 ? 4 : 1000;
        for (int k = 0; k < 4; k++)
            angle[k] = tr_random_between(&random, -reach, reach);
        simd_float sine, cosine;
        simd_sin_cos(simd_load(angle), &sine, &cosine);
        simd_store_float(s, sine);
        simd_store_float(c, cosine);
        for (int k = 0; k < 4; k++) {
            worst = fmax(worst, fabs((double)s[k] - sin((double)angle[k])));
            worst = fmax(worst, fabs((double)c[k] - cos((double)angle[k])));
        }
    }
    CHECK(worst < 2e-7);
}

TEST(sine_and_cosine_of_nothing_are_exact_and_of_no_number_are_none) {
    simd_float angle = {0, -0.0f, NAN, INFINITY}, sine, cosine;
    simd_sin_cos(angle, &sine, &cosine);
    CHECK(sine[0] == 0 && cosine[0] == 1 && sine[1] == 0 && cosine[1] == 1);
    CHECK(isnan(sine[2]) && isnan(cosine[2]) && isnan(sine[3]) && isnan(cosine[3]));
}

// The three angles of the trunk in Troupe's axes, by hand: about the collar bone, then about the waist.
static tr_vec3 helped(const tr_arm *arm, const tr_posture *posture, tr_vec3 from_shoulder) {
    double side = arm->side == TR_ARM_LEFT ? -1 : 1, c = side * posture->q[TR_COLLAR],
           turn = side * posture->q[TR_WAIST_TURN], lean = posture->q[TR_WAIST_LEAN];
    double x = (double)arm->shoulder.x - arm->collar.x, z = (double)arm->shoulder.z - arm->collar.z;
    double px = arm->collar.x + cos(c) * x + sin(c) * z + from_shoulder.x - arm->waist.x,
           py = (double)arm->shoulder.y + from_shoulder.y - arm->waist.y,
           pz = arm->collar.z - sin(c) * x + cos(c) * z + from_shoulder.z - arm->waist.z;
    double ly = cos(lean) * py - sin(lean) * pz, lz = sin(lean) * py + cos(lean) * pz;
    tr_vec3 p =
        tr_vec3_make((float)(cos(turn) * px + sin(turn) * lz + arm->waist.x), (float)(ly + arm->waist.y),
                     (float)(-sin(turn) * px + cos(turn) * lz + arm->waist.z));
    return tr_affine_apply(&arm->base, p);
}

TEST(points_are_those_of_the_formula_multiplied_out_matrix_by_matrix) {
    tr_random random = tr_random_seed(2);
    for (int round = 0; round < 4000; round++) {
        tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        oracle_random_base(&arm, &random);
        if (round % 3 == 0)
            tr_arm_allow_help(&arm);
        tr_posture posture = oracle_random_posture(&arm, &random);
        double q[7], length[3];
        for (int k = 0; k < 7; k++)
            q[k] = posture.q[k];
        for (int k = 0; k < 3; k++)
            length[k] = arm.length[k];
        oracle_vector at[4];
        oracle_matrix rotations[3];
        oracle_points(length, (oracle_vector){{0, 0, 0}}, q, at, rotations);
        tr_vec3 points[4];
        tr_arm_points(&arm, &posture, points);
        for (int k = 0; k < 4; k++) {
            tr_vec3 p = oracle_to_troupe(at[k]);
            if (arm.side == TR_ARM_LEFT)
                p.x = -p.x;
            CHECK(oracle_distance(helped(&arm, &posture, p), points[k]) < 1e-6);
        }
    }
}

TEST(places_agree_with_points_and_their_rotations_lead_along_the_links) {
    tr_random random = tr_random_seed(3);
    const tr_vec3 down = {0, -1, 0};
    for (int round = 0; round < 3000; round++) {
        tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.6f);
        oracle_random_base(&arm, &random);
        if (round % 3 == 0)
            tr_arm_allow_help(&arm);
        tr_posture posture = oracle_random_posture(&arm, &random);
        tr_vec3 points[4];
        tr_arm_points(&arm, &posture, points);
        tr_arm_place place = tr_arm_put(&arm, &posture);
        CHECK(memcmp(&place.shoulder, &points[0], sizeof points) == 0);
        tr_quat turns[3] = {place.upper, place.forearm, place.hand};
        for (int k = 0; k < 3; k++) {
            tr_vec3 along = tr_vec3_scale(tr_quat_rotate(turns[k], down), arm.length[k]);
            CHECK(oracle_distance(tr_vec3_add(points[k], along), points[k + 1]) < 1e-6);
        }
        if (posture.q[TR_COLLAR] == 0)
            CHECK(oracle_distance(tr_affine_apply(&place.trunk, arm.shoulder), points[0]) < 1e-6);
    }
}

TEST(the_hands_turn_is_that_of_the_formula) {
    tr_random random = tr_random_seed(4);
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    double length[3] = {0.3, 0.27, 0.18};
    for (int round = 0; round < 1000; round++) {
        tr_posture posture = oracle_random_posture(&arm, &random);
        double q[7];
        for (int k = 0; k < 7; k++)
            q[k] = posture.q[k];
        oracle_vector at[4];
        oracle_matrix rotations[3];
        oracle_points(length, (oracle_vector){{0, 0, 0}}, q, at, rotations);
        tr_arm_place place = tr_arm_put(&arm, &posture);
        tr_quat turns[3] = {place.upper, place.forearm, place.hand};
        for (int k = 0; k < 3; k++) {
            // The file's Y is Troupe's X.
            oracle_vector y = {{rotations[k].m[0][1], rotations[k].m[1][1], rotations[k].m[2][1]}};
            CHECK(oracle_distance(tr_quat_rotate(turns[k], tr_vec3_make(1, 0, 0)), oracle_to_troupe(y)) <
                  2e-6);
        }
    }
}

TEST(eight_postures_at_once_have_the_bits_of_each_alone) {
    tr_random random = tr_random_seed(5);
    for (int round = 0; round < 500; round++) {
        tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        oracle_random_base(&arm, &random);
        if (round % 3 == 0)
            tr_arm_allow_help(&arm);
        tr_arm_lanes lanes;
        tr_posture postures[ARM_LANES];
        for (int lane = 0; lane < ARM_LANES; lane++) {
            postures[lane] = oracle_random_posture(&arm, &random);
            for (int k = 0; k < TR_ARM_ANGLES; k++)
                lanes.q[k][lane] = postures[lane].q[k];
        }
        tr_arm_lane_points at;
        tr_arm_lanes_points(&arm, &lanes, ARM_LANES, &at);
        for (int lane = 0; lane < ARM_LANES; lane++) {
            tr_vec3 points[4];
            tr_arm_points(&arm, &postures[lane], points);
            for (int k = 0; k < 4; k++) {
                tr_vec3 p = {at.x[k][lane], at.y[k][lane], at.z[k][lane]};
                CHECK(p.x == points[k].x && p.y == points[k].y && p.z == points[k].z);
            }
        }
    }
}

TEST(a_left_arm_is_the_mirror_image_of_a_right_one_to_the_bit) {
    tr_random random = tr_random_seed(6);
    for (int round = 0; round < 1000; round++) {
        tr_arm right = tr_arm_default(TR_ARM_RIGHT, 1.75f), left = tr_arm_default(TR_ARM_LEFT, 1.75f);
        if (round % 2) {
            tr_arm_allow_help(&right);
            tr_arm_allow_help(&left);
        }
        tr_posture posture = oracle_random_posture(&right, &random);
        tr_vec3 a[4], b[4];
        tr_arm_points(&right, &posture, a);
        tr_arm_points(&left, &posture, b);
        for (int k = 0; k < 4; k++)
            CHECK(a[k].x == -b[k].x && a[k].y == b[k].y && a[k].z == b[k].z);
        tr_quat p = tr_arm_put(&right, &posture).hand, q = tr_arm_put(&left, &posture).hand;
        CHECK(p.x == q.x && p.y == -q.y && p.z == -q.z && p.w == q.w);
    }
}
