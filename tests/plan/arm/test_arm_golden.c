// Points, families and bounds have the same bits everywhere: one hash, whatever the compiler, the
// optimisation, and under WASM.
#include "arm_oracle.h"
#include "test.h"
#include "troupe/base/hash.h"

static uint64_t hash_family(uint64_t hash, const tr_arm *arm, const tr_posture *posture, int kind) {
    tr_arm_place place = tr_arm_put(arm, posture);
    tr_arm_goal goal = {.kind = (tr_arm_goal_kind)kind, .wrist = place.wrist, .rotation = place.hand};
    goal.direction = tr_vec3_subtract(place.tip, place.wrist);
    tr_arm_family family;
    tr_posture found;
    hash = tr_hash(hash, &place, sizeof place);
    if (tr_arm_solve(arm, posture->q + TR_ARM_JOINTS, &goal, &family))
        return hash;
    hash = tr_hash(hash, family.ranges, family.range_count * sizeof *family.ranges);
    hash = tr_hash(hash, family.shoulder_rows, sizeof family.shoulder_rows);
    float swivel = tr_arm_natural_swivel(arm, &family), comfort = 0;
    uint32_t branch = family.ranges[0].branch;
    if (tr_arm_family_at(arm, &family, &goal, swivel, branch, posture->q + TR_FOREARM_PRONATION, &found)) {
        hash = tr_hash(hash, &found, sizeof found);
        comfort = tr_arm_comfort(arm, &found);
    }
    return tr_hash(hash, &comfort, sizeof comfort);
}

TEST(arms_have_the_same_bits_everywhere) {
    tr_random random = tr_random_seed(41);
    uint64_t hash = TR_HASH_START;
    for (int round = 0; round < 3000; round++) {
        tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        oracle_random_base(&arm, &random);
        if (round % 3 == 0)
            tr_arm_allow_help(&arm);
        tr_posture posture = oracle_random_posture(&arm, &random), change = posture;
        tr_vec3 points[4];
        float bound[4];
        tr_arm_points(&arm, &posture, points);
        tr_arm_bound_at(&arm, points, &change, 0.5f, bound);
        hash = tr_hash(hash, bound, sizeof bound);
        hash = hash_family(hash, &arm, &posture, round / 2 % 3);
    }
    CHECK_HASH(hash, 0xef82f59ff8948a16);
}
