// The nearest node of a growing tree, compared with a look at every node.
#include "plan/reach/reach_near.h"
#include "test.h"
#include "troupe/base/random.h"

static double gap(const tr_posture *a, const tr_posture *b) {
    double sum = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        sum += ((double)a->q[i] - b->q[i]) * ((double)a->q[i] - b->q[i]);
    return sum;
}

// `kind` 0: spread evenly; 1: in clumps; 2: on few values, so that many are equal; 3: seven angles.
static tr_posture draw(tr_random *random, int kind) {
    tr_posture posture = {{0}};
    float middle = kind == 1 ? (float)tr_random_below(random, 3) : 0;
    for (int i = 0; i < (kind == 3 ? TR_ARM_JOINTS : TR_ARM_ANGLES); i++) {
        float drawn = tr_random_between(random, -1, 1);
        posture.q[i] = kind == 1   ? middle + 0.01f * drawn
                       : kind == 2 ? (float)tr_random_below(random, 3)
                                   : 3 * drawn;
    }
    return posture;
}

TEST(the_nearest_is_that_of_a_look_at_all) {
    enum { NODES = 3000 };
    static tr_posture nodes[NODES];
    tr_allocator memory = tr_allocator_default();
    for (int kind = 0; kind < 4; kind++) {
        tr_random random = tr_random_seed(70 + (uint64_t)kind);
        reach_tree tree = {0};
        REQUIRE(tr_reach_tree_reserve(&tree, &memory, NODES));
        tr_reach_tree_clear(&tree);
        for (uint32_t count = 1; count <= NODES; count++) {
            nodes[count - 1] = draw(&random, kind);
            CHECK_INT(tr_reach_tree_add(&tree, &nodes[count - 1], count - 1), count - 1);
            if (count % 7 != 0 && count > 60)
                continue;
            tr_posture to = draw(&random, kind);
            double least = INFINITY;
            for (uint32_t i = 0; i < count; i++)
                least = fmin(least, gap(&nodes[i], &to));
            uint32_t found = tr_reach_tree_nearest(&tree, &to);
            REQUIRE(found < count);
            tr_posture at = tr_reach_tree_at(&tree, found);
            CHECK(gap(&at, &nodes[found]) == 0);
            CHECK_NEAR(gap(&at, &to), least, 1e-5 * (1 + least));
        }
        tr_reach_tree_release(&tree, &memory);
    }
}

TEST(a_tree_of_equal_postures_neither_ends_nor_overflows) {
    tr_allocator memory = tr_allocator_default();
    reach_tree tree = {0};
    tr_posture same = {{1, 2, 3}}, other = {{1, 2, 3.5f}};
    REQUIRE(tr_reach_tree_reserve(&tree, &memory, 500));
    tr_reach_tree_clear(&tree);
    for (int i = 0; i < 499; i++)
        tr_reach_tree_add(&tree, &same, TR_NONE);
    tr_reach_tree_add(&tree, &other, 4);
    CHECK_INT(tr_reach_tree_nearest(&tree, &other), 499);
    CHECK_INT(tr_reach_tree_nearest(&tree, &same), 0);
    tr_reach_tree_release(&tree, &memory);
}
