#include "arm_oracle.h"
#include "test.h"

typedef struct bounds {
    tr_arm arm;
    tr_posture middle, change, other;
    tr_vec3 from[4], to[4];
    float any[4], here[4];
} bounds;

// A posture, another in the box around it, and both bounds; changes from a thousandth to a radian, of all
// joints or of one.
static bounds random_bounds(tr_random *random, int round) {
    bounds it = {.arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f)};
    oracle_random_base(&it.arm, random);
    if (round % 3 == 0)
        tr_arm_allow_help(&it.arm);
    it.middle = oracle_random_posture(&it.arm, random);
    const float sizes[4] = {0.001f, 0.03f, 0.3f, 1};
    float size = sizes[round / 8 % 4];
    int alone = (int)tr_random_below(random, 2 * TR_ARM_ANGLES);
    for (int k = 0; k < TR_ARM_ANGLES; k++) {
        bool moves = alone >= TR_ARM_ANGLES || alone == k;
        it.change.q[k] = moves ? tr_random_between(random, 0, size) : 0;
        // The corners of the box are the likeliest to break a bound.
        float part = tr_random_below(random, 2) ? 1 : tr_random_unit(random);
        it.other.q[k] = it.middle.q[k] + it.change.q[k] * (tr_random_below(random, 2) ? part : -part);
    }
    tr_arm_points(&it.arm, &it.middle, it.from);
    tr_arm_points(&it.arm, &it.other, it.to);
    tr_arm_bound(&it.arm, &it.change, 0.7f, it.any);
    tr_arm_bound_at(&it.arm, it.from, &it.change, 0.7f, it.here);
    return it;
}

static tr_vec3 between(tr_vec3 a, tr_vec3 b, float part) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), part));
}

TEST(no_point_moves_further_than_its_bound) {
    tr_random random = tr_random_seed(21);
    int exceeded = 0;
    for (int round = 0; round < 60000; round++) {
        bounds it = random_bounds(&random, round);
        for (int link = 0; link < 3; link++)
            for (int step = 0; step <= 2; step++) {
                float part = (float)step / 2;
                double moved = oracle_distance(between(it.from[link], it.from[link + 1], part),
                                               between(it.to[link], it.to[link + 1], part));
                exceeded += moved > it.any[link] + 1e-6;
                exceeded += moved > it.here[link] + 1e-6;
            }
        double shoulder = oracle_distance(it.from[0], it.to[0]);
        exceeded += shoulder > it.any[3] + 1e-6 || shoulder > it.here[3] + 1e-6;
    }
    CHECK_INT(exceeded, 0);
}

TEST(no_point_of_the_trunk_moves_further_than_its_bound) {
    tr_random random = tr_random_seed(22);
    int exceeded = 0;
    for (int round = 0; round < 20000; round += 3) {
        bounds it = random_bounds(&random, round);
        tr_vec3 offset = oracle_random_point(&random, 0.4f), point = tr_vec3_add(it.arm.waist, offset);
        tr_affine from = tr_arm_put(&it.arm, &it.middle).trunk, to = tr_arm_put(&it.arm, &it.other).trunk;
        double moved = oracle_distance(tr_affine_apply(&from, point), tr_affine_apply(&to, point));
        exceeded += moved > it.here[3] + 1e-6 || moved > it.any[3] + 1e-6;
    }
    CHECK_INT(exceeded, 0);
}

TEST(the_bound_of_a_posture_is_tighter_than_that_of_all) {
    tr_random random = tr_random_seed(23);
    double any = 0, here = 0, moved = 0;
    for (int round = 0; round < 20000; round++) {
        bounds it = random_bounds(&random, round);
        if (round % 3 == 0) // the trunk helps
            continue;
        for (int k = 0; k < 3; k++)
            CHECK(it.here[k] <= it.any[k] * 1.0001f);
        if (round / 8 % 4 == 1) {
            any += it.any[2];
            here += it.here[2];
            moved += oracle_distance(it.from[3], it.to[3]);
        }
    }
    CHECK(here < 0.85 * any && moved < here && here < 5 * moved);
}

TEST(what_does_not_change_does_not_move) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_arm_allow_help(&arm);
    tr_posture none = {{0}};
    tr_vec3 points[4];
    float any[4], here[4];
    tr_arm_points(&arm, &none, points);
    tr_arm_bound(&arm, &none, 1, any);
    tr_arm_bound_at(&arm, points, &none, 1, here);
    for (int k = 0; k < 4; k++)
        CHECK(any[k] == 0 && here[k] == 0);
}
