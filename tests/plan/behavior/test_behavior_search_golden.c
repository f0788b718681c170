// The bits of plans: the same for every compiler, level of optimisation and machine.
#include "behavior_room.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"

static room r;

static uint64_t hash_of_plans(tr_behavior_heuristic heuristic, float inflation) {
    tr_random random = tr_random_seed(71);
    uint64_t hash = 0;
    room_begin(&r);
    if (!room_open(&r, NULL, 24, 24))
        return 0;
    for (int i = 0; i < 10; i++) {
        float x = tr_random_between(&random, 3, 19), z = tr_random_between(&random, 5, 18);
        room_box(&r, i % 3 ? 7 : 5, x, z, x + tr_random_between(&random, 0.5f, 4), z + 0.5f);
    }
    if (!room_walls(&r))
        return 0;
    for (uint32_t who = 0; who < 8; who++) {
        tr_vec2 goals[2] = {{tr_random_between(&random, 2, 22), tr_random_between(&random, 19, 22)},
                            {tr_random_between(&random, 2, 22), tr_random_between(&random, 2, 4)}};
        tr_behavior_query query = room_query(tr_vec2_make(1.3f + 2.8f * (float)who, 1.7f), goals);
        query.goal_count = 1 + who % 2;
        query.heuristic = heuristic;
        query.inflation = inflation;
        query.heading = tr_random_between(&random, -1, 1);
        tr_status status = room_find(&r, &query);
        hash = tr_hash(hash, &status, sizeof status);
        hash = tr_hash(hash, &r.result.nodes, sizeof r.result.nodes);
        for (uint32_t i = 0; status == TR_OK && i < r.plan.action_count; i++) {
            const tr_behavior_action *a = &r.actions[i];
            const float numbers[3] = {a->position.x, a->position.z, a->heading};
            hash = tr_hash(hash, &a->state, sizeof a->state);
            hash = tr_hash(hash, numbers, sizeof numbers);
        }
        if (status == TR_OK)
            CHECK(room_commit(&r, who));
    }
    room_close(&r);
    return hash;
}

TEST(plans_have_the_same_bits_everywhere) {
    CHECK_HASH(hash_of_plans(TR_BEHAVIOR_STRAIGHT, 1.3f), 0x81ad490078a533bc);
    CHECK_HASH(hash_of_plans(TR_BEHAVIOR_FIELD, 1.5f), 0xd8bafcd91f9fac15);
}
