#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/base/vector.h"

#include <string.h>

static tr_vec3 draw_point(tr_random *random) {
    float x = tr_random_between(random, -10, 10), y = tr_random_between(random, -10, 10);
    return tr_vec3_make(x, y, tr_random_between(random, -10, 10));
}

static tr_transform draw_transform(tr_random *random) {
    tr_vec3 position = draw_point(random), axis = draw_point(random);
    tr_quat rotation = tr_quat_about(axis, tr_random_between(random, -3, 3));
    float x = tr_random_between(random, 0.5f, 2), y = tr_random_between(random, 0.5f, 2);
    tr_vec3 scale = {x, y, tr_random_between(random, 0.5f, 2)};
    tr_transform transform = {position, rotation, scale};
    return transform;
}

// q v q* in double: what tr_affine_from_transform does with a matrix of floats.
static void rotate_in_double(tr_quat q, const double v[3], double rotated[3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w;
    double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
    rotated[0] = v[0] + w * tx + (y * tz - z * ty);
    rotated[1] = v[1] + w * ty + (z * tx - x * tz);
    rotated[2] = v[2] + w * tz + (x * ty - y * tx);
}

#define CHECK_VEC3(actual, x_, y_, z_, tolerance)                                                            \
    do {                                                                                                     \
        tr_vec3 vec3_ = (actual);                                                                            \
        CHECK_NEAR(vec3_.x, x_, tolerance);                                                                  \
        CHECK_NEAR(vec3_.y, y_, tolerance);                                                                  \
        CHECK_NEAR(vec3_.z, z_, tolerance);                                                                  \
    } while (0)

TEST(vectors_agree_with_double) {
    tr_random random = tr_random_seed(1);
    for (int i = 0; i < 10000; i++) {
        tr_vec3 a = draw_point(&random), b = draw_point(&random);
        double ax = a.x, ay = a.y, az = a.z, bx = b.x, by = b.y, bz = b.z;
        CHECK_VEC3(tr_vec3_add(a, b), ax + bx, ay + by, az + bz, 1e-6);
        CHECK_VEC3(tr_vec3_subtract(a, b), ax - bx, ay - by, az - bz, 1e-6);
        CHECK_VEC3(tr_vec3_scale(a, 0.3f), ax * 0.3f, ay * 0.3f, az * 0.3f, 1e-6);
        CHECK_NEAR(tr_vec3_dot(a, b), ax * bx + ay * by + az * bz, 4e-5);
        CHECK_VEC3(tr_vec3_cross(a, b), ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx, 4e-5);
        CHECK_NEAR(tr_vec3_length(a), sqrt(ax * ax + ay * ay + az * az), 3e-6);
    }
}

TEST(one_bad_coordinate_makes_a_vector_not_finite) {
    CHECK(tr_vec3_is_finite(tr_vec3_make(1, 2, 3)));
    CHECK(!tr_vec3_is_finite(tr_vec3_make(NAN, 2, 3)));
    CHECK(!tr_vec3_is_finite(tr_vec3_make(1, INFINITY, 3)));
    CHECK(!tr_vec3_is_finite(tr_vec3_make(1, 2, -INFINITY)));
}

TEST(a_transform_scales_then_rotates_then_moves) {
    tr_random random = tr_random_seed(2);
    for (int i = 0; i < 10000; i++) {
        tr_transform t = draw_transform(&random);
        tr_vec3 p = draw_point(&random);
        double scaled[3] = {(double)t.scale.x * p.x, (double)t.scale.y * p.y, (double)t.scale.z * p.z}, r[3];
        rotate_in_double(t.rotation, scaled, r);
        tr_affine a = tr_affine_from_transform(t);
        CHECK_VEC3(tr_affine_apply(&a, p), r[0] + t.position.x, r[1] + t.position.y, r[2] + t.position.z,
                   2e-5);
    }
}

TEST(a_product_applies_the_second_map_first) {
    tr_random random = tr_random_seed(3);
    for (int i = 0; i < 10000; i++) {
        tr_affine a = tr_affine_from_transform(draw_transform(&random));
        tr_affine b = tr_affine_from_transform(draw_transform(&random));
        tr_vec3 p = draw_point(&random);
        tr_affine product = tr_affine_multiply(&a, &b);
        tr_vec3 expected = tr_affine_apply(&a, tr_affine_apply(&b, p));
        CHECK_VEC3(tr_affine_apply(&product, p), expected.x, expected.y, expected.z, 1e-4);
    }
}

TEST(the_identity_changes_nothing) {
    tr_affine one = tr_affine_identity(), same = tr_affine_from_transform(tr_transform_identity());
    tr_vec3 p = {1.5f, -2.25f, 1e6f};
    CHECK_VEC3(tr_affine_apply(&one, p), p.x, p.y, p.z, 0);
    CHECK_VEC3(tr_affine_apply(&same, p), p.x, p.y, p.z, 0);
}

TEST(heading_turns_from_z_towards_x) {
    tr_vec3 ahead = {0, 0, 1}, origin = {4, 5, 6};
    tr_affine straight = tr_affine_place(origin, 0), right = tr_affine_place(origin, TR_PI / 2);
    tr_affine half = tr_affine_place(origin, TR_PI / 4);
    CHECK_VEC3(tr_affine_apply(&straight, ahead), 4, 5, 7, 0);
    CHECK_VEC3(tr_affine_apply(&right, ahead), 5, 5, 6, 1e-6);
    CHECK_VEC3(tr_affine_apply(&half, ahead), 4 + sqrt(0.5), 5, 6 + sqrt(0.5), 1e-6);
    tr_transform turned = tr_transform_identity();
    turned.rotation = tr_quat_about(tr_vec3_make(0, 3, 0), TR_PI / 2);
    tr_affine by_quaternion = tr_affine_from_transform(turned);
    CHECK_VEC3(tr_affine_apply(&by_quaternion, ahead), 1, 0, 0, 1e-6);
}

TEST(one_bad_number_makes_a_map_not_finite) {
    tr_affine a = tr_affine_identity();
    CHECK(tr_affine_is_finite(&a));
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            tr_affine bad = a;
            bad.m[row][column] = (row + column) % 2 ? NAN : INFINITY;
            CHECK(!tr_affine_is_finite(&bad));
        }
}

TEST(boxes_grow_to_hold_points_and_boxes) {
    tr_box empty = tr_box_empty();
    CHECK(tr_box_is_empty(empty));
    tr_box box = tr_box_include(tr_box_include(empty, tr_vec3_make(1, 5, -3)), tr_vec3_make(-2, 6, 4));
    CHECK(!tr_box_is_empty(box));
    CHECK_VEC3(box.min, -2, 5, -3, 0);
    CHECK_VEC3(box.max, 1, 6, 4, 0);
    tr_box with_nan = tr_box_include(box, tr_vec3_make(NAN, 7, NAN));
    CHECK_VEC3(with_nan.min, -2, 5, -3, 0);
    CHECK_VEC3(with_nan.max, 1, 7, 4, 0);
}

TEST(a_union_with_the_empty_box_is_the_other_box) {
    tr_box empty = tr_box_empty(), box = {{-1, -2, -3}, {4, 5, 6}};
    tr_box left = tr_box_union(empty, box), right = tr_box_union(box, empty);
    CHECK_VEC3(left.min, -1, -2, -3, 0);
    CHECK_VEC3(left.max, 4, 5, 6, 0);
    CHECK_VEC3(right.min, -1, -2, -3, 0);
    CHECK_VEC3(right.max, 4, 5, 6, 0);
    CHECK(tr_box_is_empty(tr_box_union(empty, empty)));
}

TEST(the_image_of_a_box_holds_the_image_of_every_point) {
    tr_random random = tr_random_seed(4);
    for (int i = 0; i < 1000; i++) {
        tr_affine a = tr_affine_from_transform(draw_transform(&random));
        tr_box box = tr_box_include(tr_box_include(tr_box_empty(), draw_point(&random)), draw_point(&random));
        tr_box image = tr_affine_apply_box(&a, box);
        for (int j = 0; j < 20; j++) {
            tr_vec3 p = {tr_random_between(&random, box.min.x, box.max.x),
                         tr_random_between(&random, box.min.y, box.max.y),
                         tr_random_between(&random, box.min.z, box.max.z)};
            tr_vec3 q = tr_affine_apply(&a, p);
            CHECK(q.x >= image.min.x - 1e-5f && q.x <= image.max.x + 1e-5f);
            CHECK(q.y >= image.min.y - 1e-5f && q.y <= image.max.y + 1e-5f);
            CHECK(q.z >= image.min.z - 1e-5f && q.z <= image.max.z + 1e-5f);
        }
    }
    tr_affine one = tr_affine_identity();
    CHECK(tr_box_is_empty(tr_affine_apply_box(&one, tr_box_empty())));
}

TEST(quaternions_of_any_finite_length_normalise) {
    static const float lengths[] = {1e-38f, 1e-20f, 0.5f, 1, 3, 1e18f, 3e38f};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        tr_quat q = {lengths[i] * 0.5f, -lengths[i] * 0.5f, lengths[i] * 0.5f, lengths[i] * 0.5f};
        tr_quat unit = tr_quat_normalize(q);
        CHECK_NEAR(unit.x, 0.5, 1e-6);
        CHECK_NEAR(unit.y, -0.5, 1e-6);
        CHECK_NEAR(unit.w, 0.5, 1e-6);
    }
    static const tr_quat bad[] = {{0, 0, 0, 0}, {NAN, 0, 0, 1}, {0, INFINITY, 0, 1}};
    for (int i = 0; i < 3; i++) {
        tr_quat unit = tr_quat_normalize(bad[i]);
        CHECK(unit.x == 0 && unit.y == 0 && unit.z == 0 && unit.w == 1);
    }
}

TEST(a_turn_about_no_axis_is_no_turn) {
    static const tr_vec3 axes[] = {{0, 0, 0}, {NAN, 0, 1}, {INFINITY, 0, 0}};
    for (int i = 0; i < 3; i++)
        CHECK(tr_quat_about(axes[i], 1).w == 1);
}

// How far b is turned against a [rad], by double arithmetic.
static double angle_between(tr_quat a, tr_quat b) {
    double minus = 0, plus = 0;
    const double x[4] = {a.x, a.y, a.z, a.w}, y[4] = {b.x, b.y, b.z, b.w};
    for (int i = 0; i < 4; i++) {
        minus += (x[i] - y[i]) * (x[i] - y[i]);
        plus += (x[i] + y[i]) * (x[i] + y[i]);
    }
    return 4 * atan2(sqrt(minus < plus ? minus : plus), sqrt(minus < plus ? plus : minus));
}

TEST(a_blend_turns_the_shorter_way_at_constant_speed) {
    tr_random random = tr_random_seed(5);
    double worst = 0;
    for (int i = 0; i < 2000; i++) {
        tr_transform a = draw_transform(&random), b = draw_transform(&random);
        double whole = angle_between(a.rotation, b.rotation);
        CHECK(whole <= TR_PI + 1e-6);
        for (int step = 0; step <= 16; step++) {
            tr_transform middle = tr_transform_blend(a, b, (float)step / 16);
            worst = fmax(worst, fabs(angle_between(a.rotation, middle.rotation) - whole * step / 16));
            worst = fmax(worst, fabs(angle_between(middle.rotation, b.rotation) - whole * (16 - step) / 16));
        }
    }
    CHECK_NEAR(worst, 0, 1e-6);
}

TEST(a_blend_is_exact_at_both_ends_and_between_equals) {
    tr_random random = tr_random_seed(6);
    for (int i = 0; i < 1000; i++) {
        tr_transform a = draw_transform(&random), b = draw_transform(&random);
        CHECK_VEC3(tr_transform_blend(a, b, 0).position, a.position.x, a.position.y, a.position.z, 0);
        CHECK_VEC3(tr_transform_blend(a, b, 1).position, b.position.x, b.position.y, b.position.z, 0);
        CHECK_VEC3(tr_transform_blend(a, b, 1).scale, b.scale.x, b.scale.y, b.scale.z, 0);
        tr_transform same = tr_transform_blend(a, a, tr_random_unit(&random));
        CHECK_VEC3(same.position, a.position.x, a.position.y, a.position.z, 0);
        CHECK_NEAR(angle_between(same.rotation, a.rotation), 0, 1e-6);
    }
}

TEST(a_blend_of_rotations_of_any_length_is_a_unit_rotation) {
    tr_transform a = tr_transform_identity(), b = a;
    a.rotation.w = 5;
    b.rotation = tr_quat_about(tr_vec3_make(0, 1, 0), -1);
    b.rotation.y *= -0.01f;
    b.rotation.w *= -0.01f; // a long and a short quaternion in opposite halves: one radian apart all the same
    tr_quat middle = tr_transform_blend(a, b, 0.5f).rotation;
    CHECK_NEAR(2 * atan2(fabs(middle.y), fabs(middle.w)), 0.5, 1e-6);
    CHECK_NEAR(middle.y * middle.y + middle.w * middle.w, 1, 1e-6);
}

static tr_quat random_rotation(tr_random *random) {
    float x = tr_random_between(random, -1, 1);
    float y = tr_random_between(random, -1, 1);
    float z = tr_random_between(random, -1, 1);
    return tr_quat_about(tr_vec3_make(x, y, z), tr_random_between(random, -3, 3));
}

static tr_vec3 random_point(tr_random *random) {
    float x = tr_random_between(random, -2, 2);
    float y = tr_random_between(random, -2, 2);
    float z = tr_random_between(random, -2, 2);
    return tr_vec3_make(x, y, z);
}

static double apart(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

TEST(quaternions_turn_as_the_maps_made_of_them_do) {
    tr_random random = tr_random_seed(31);
    for (int round = 0; round < 2000; round++) {
        tr_quat a = random_rotation(&random), b = random_rotation(&random);
        tr_vec3 p = random_point(&random);
        tr_transform ta = tr_transform_identity(), tb = ta;
        ta.rotation = a, tb.rotation = b;
        tr_affine ma = tr_affine_from_transform(ta), mb = tr_affine_from_transform(tb);
        tr_affine both = tr_affine_multiply(&ma, &mb);
        CHECK_NEAR(apart(tr_quat_rotate(a, p), tr_affine_apply(&ma, p)), 0, 2e-6);
        CHECK_NEAR(apart(tr_quat_rotate(tr_quat_multiply(a, b), p), tr_affine_apply(&both, p)), 0, 4e-6);
        CHECK_NEAR(apart(tr_quat_rotate(tr_quat_conjugate(a), tr_quat_rotate(a, p)), p), 0, 3e-6);
        CHECK_NEAR(apart(tr_quat_rotate(tr_affine_rotation(&both), p), tr_affine_apply(&both, p)), 0, 4e-6);
        tr_vec3 vector = tr_quat_to_vector(a);
        CHECK(tr_vec3_length(vector) <= 3.1415930f);
        CHECK_NEAR(apart(tr_quat_rotate(tr_quat_from_vector(vector), p), tr_quat_rotate(a, p)), 0, 4e-6);
    }
    CHECK_NEAR(tr_vec3_length(tr_quat_to_vector(tr_quat_identity())), 0, 0);
}

TEST(the_turn_between_two_directions_takes_one_to_the_other_even_when_they_are_opposite) {
    tr_random random = tr_random_seed(32);
    for (int round = 0; round < 2000; round++) {
        tr_vec3 from = random_point(&random), to = random_point(&random);
        if (round % 4 == 0)
            to = tr_vec3_scale(from, -2);
        if (round % 4 == 1)
            to = tr_vec3_scale(from, 3);
        tr_vec3 turned = tr_quat_rotate(tr_quat_between(from, to), from);
        turned = tr_vec3_scale(turned, tr_vec3_length(to) / tr_vec3_length(from));
        CHECK_NEAR(apart(turned, to) / tr_vec3_length(to), 0, 2e-5);
    }
    tr_quat none = tr_quat_between(tr_vec3_make(0, 0, 0), tr_vec3_make(1, 0, 0));
    CHECK(none.w == 1 && none.x == 0);
}

TEST(a_map_is_taken_apart_and_undone) {
    tr_random random = tr_random_seed(33);
    for (int round = 0; round < 2000; round++) {
        tr_transform t = {random_point(&random), random_rotation(&random), {1, 1, 1}};
        for (int axis = 0; axis < 3; axis++)
            (&t.scale.x)[axis] = tr_random_between(&random, 0.2f, 3);
        if (round % 2)
            t.scale.x = -t.scale.x; // mirrored
        tr_affine map = tr_affine_from_transform(t), again, inverse;
        again = tr_affine_from_transform(tr_affine_to_transform(&map));
        REQUIRE(tr_affine_invert(&map, &inverse));
        tr_vec3 p = random_point(&random);
        CHECK_NEAR(apart(tr_affine_apply(&again, p), tr_affine_apply(&map, p)), 0, 2e-5);
        CHECK_NEAR(apart(tr_affine_apply(&inverse, tr_affine_apply(&map, p)), p), 0, 5e-5);
        tr_affine own = map;
        REQUIRE(tr_affine_invert(&own, &own));
        CHECK(memcmp(&own, &inverse, sizeof own) == 0);
    }
    tr_affine flat = tr_affine_identity(), kept = flat;
    flat.m[1][1] = 0;
    CHECK(!tr_affine_invert(&flat, &kept));
    CHECK(kept.m[1][1] == 1);
    flat.m[1][1] = NAN;
    CHECK(!tr_affine_invert(&flat, &kept));
}

TEST(the_bits_are_the_same_on_every_machine) {
    tr_random random = tr_random_seed(7);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 10000; i++) {
        tr_transform a = draw_transform(&random), b = draw_transform(&random);
        tr_transform middle = tr_transform_blend(a, b, tr_random_unit(&random));
        tr_affine map = tr_affine_from_transform(middle), place = tr_affine_place(a.position, b.position.x);
        tr_affine product = tr_affine_multiply(&map, &place);
        tr_box box =
            tr_affine_apply_box(&product, tr_box_include(tr_box_include(tr_box_empty(), a.scale), b.scale));
        hash = tr_hash(hash, &middle, sizeof middle);
        hash = tr_hash(hash, &product, sizeof product);
        hash = tr_hash(hash, &box, sizeof box);
    }
    CHECK_HASH(hash, 0x396f0638f2d34517);
}
