#include "reach_oracle.h"
#include "reach_draw.h"
#include "troupe/base/random.h"

#include <math.h>
#include <string.h>

#define RANGE 0.8     // longest edge [rad]
#define GOAL_EVERY 16 // iterations from one more posture at the goal to the next
#define CUTS 400      // short cuts that are tried

typedef struct oracle_node {
    tr_posture posture;
    uint32_t parent;
} oracle_node;

typedef struct oracle_tree {
    oracle_node *nodes;
    uint32_t count;
} oracle_tree;

struct reach_oracle {
    oracle_tree trees[2];
    tr_posture *path;
    uint32_t nodes_max, path_count;
    tr_random random;
    tr_reach *reach;
};

tr_status reach_oracle_create(uint32_t nodes_max, reach_oracle **created, tr_error *error) {
    tr_allocator memory = tr_allocator_default();
    reach_oracle *oracle = *created = tr_allocate_zero(&memory, 1, sizeof *oracle);
    if (!oracle)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an oracle");
    oracle->nodes_max = nodes_max;
    for (int k = 0; k < 2; k++)
        oracle->trees[k].nodes = tr_allocate(&memory, nodes_max, sizeof(oracle_node));
    oracle->path = tr_allocate(&memory, nodes_max, sizeof *oracle->path);
    if (oracle->trees[0].nodes && oracle->trees[1].nodes && oracle->path)
        return TR_OK;
    reach_oracle_destroy(oracle);
    *created = NULL;
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an oracle");
}

void reach_oracle_destroy(reach_oracle *oracle) {
    tr_allocator memory = tr_allocator_default();
    if (!oracle)
        return;
    for (int k = 0; k < 2; k++)
        tr_release(&memory, oracle->trees[k].nodes, oracle->nodes_max, sizeof(oracle_node));
    tr_release(&memory, oracle->path, oracle->nodes_max, sizeof *oracle->path);
    tr_release(&memory, oracle, 1, sizeof *oracle);
}

static double gap(const tr_posture *a, const tr_posture *b) {
    double sum = 0;
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        sum += ((double)a->q[i] - b->q[i]) * ((double)a->q[i] - b->q[i]);
    return sqrt(sum);
}

static tr_posture mix(const tr_posture *a, const tr_posture *b, double t) {
    tr_posture posture = *a;
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        posture.q[i] = (float)(a->q[i] + (b->q[i] - a->q[i]) * t);
    return posture;
}

static bool is_free(tr_reach *reach, const tr_posture *a, const tr_posture *b) {
    const tr_posture knots[2] = {*a, *b};
    return tr_reach_is_free(reach, &(tr_arm_path){knots, 2}, 0, 1);
}

static tr_posture draw(reach_oracle *oracle) {
    const tr_arm *arm = tr_reach_arm(oracle->reach);
    tr_posture posture = {{0}};
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        posture.q[i] = tr_random_between(&oracle->random, arm->low.q[i], arm->high.q[i]);
    return posture;
}

static void add_node(oracle_tree *tree, const tr_posture *posture, uint32_t parent) {
    tree->nodes[tree->count++] = (oracle_node){*posture, parent};
}

// One more posture at the goal, if what is drawn is free.
static void add_goal(reach_oracle *oracle, const tr_arm_goal *goal) {
    tr_posture posture;
    if (reach_draw_goal(tr_reach_arm(oracle->reach), goal, &oracle->random, &posture) &&
        tr_reach_clearance(oracle->reach, &posture, 1e-4f) > 1e-4f)
        add_node(&oracle->trees[1], &posture, TR_NONE);
}

static uint32_t nearest(const oracle_tree *tree, const tr_posture *to) {
    double best = INFINITY;
    uint32_t which = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        double far = gap(&tree->nodes[i].posture, to);
        if (far < best)
            best = far, which = i;
    }
    return which;
}

// One edge towards `to`. 0: not free; 1: a part of the way; 2: all of it.
static int grow(reach_oracle *oracle, oracle_tree *tree, const tr_posture *to) {
    uint32_t from = nearest(tree, to);
    const tr_posture *at = &tree->nodes[from].posture;
    double far = gap(at, to);
    tr_posture next = far > RANGE ? mix(at, to, RANGE / far) : *to;
    if (far > 0 && !is_free(oracle->reach, at, &next))
        return 0;
    add_node(tree, &next, from);
    return far > RANGE ? 1 : 2;
}

static void take_path(reach_oracle *oracle) {
    uint32_t count = 0;
    for (int side = 0; side < 2; side++) {
        const oracle_tree *tree = &oracle->trees[side];
        uint32_t first = count;
        for (uint32_t node = tree->count - 1; node != TR_NONE; node = tree->nodes[node].parent)
            oracle->path[count++] = tree->nodes[node].posture;
        for (uint32_t i = first, k = count - 1; side == 0 && i < k; i++, k--) {
            tr_posture kept = oracle->path[i];
            oracle->path[i] = oracle->path[k], oracle->path[k] = kept;
        }
    }
    oracle->path_count = count;
}

static double wrist_length(const reach_oracle *oracle) {
    return tr_arm_path_wrist_length(&(tr_arm_path){oracle->path, oracle->path_count},
                                    tr_reach_arm(oracle->reach), 32 * oracle->path_count);
}

// Short cuts between random points of the path.
static void shorten(reach_oracle *oracle) {
    for (int i = 0; i < CUTS && oracle->path_count > 2; i++) {
        uint32_t a = tr_random_below(&oracle->random, oracle->path_count - 1),
                 b = tr_random_below(&oracle->random, oracle->path_count - 1);
        float s = tr_random_unit(&oracle->random), t = tr_random_unit(&oracle->random);
        if (a >= b)
            continue;
        tr_posture *path = oracle->path, from = mix(&path[a], &path[a + 1], (double)s),
                   to = mix(&path[b], &path[b + 1], (double)t);
        if (oracle->path_count + 2 > oracle->nodes_max || !is_free(oracle->reach, &from, &to))
            continue;
        memmove(&path[a + 3], &path[b + 1], (oracle->path_count - b - 1) * sizeof *path);
        path[a + 1] = from, path[a + 2] = to;
        oracle->path_count = oracle->path_count - b - 1 + a + 3;
    }
}

bool reach_oracle_solves(reach_oracle *oracle, tr_reach *reach, const tr_reach_task *task, bool pose,
                         uint64_t seed, uint64_t iterations, double *wrist) {
    oracle->random = tr_random_seed(seed);
    oracle->reach = reach;
    oracle->trees[0].count = oracle->trees[1].count = 0;
    add_node(&oracle->trees[0], &task->start, TR_NONE);
    add_node(&oracle->trees[1], &task->example, TR_NONE);
    for (uint64_t i = 0; i < iterations; i++) {
        oracle_tree *tree = &oracle->trees[i & 1], *other = &oracle->trees[~i & 1];
        if (tree->count + 3 >= oracle->nodes_max || other->count + 3 >= oracle->nodes_max)
            return false;
        if (i % GOAL_EVERY == 0)
            add_goal(oracle, pose ? &task->pose : &task->position);
        tr_posture target = draw(oracle);
        if (!grow(oracle, tree, &target))
            continue;
        target = tree->nodes[tree->count - 1].posture;
        int grown = 1;
        while (grown == 1 && other->count + 3 < oracle->nodes_max)
            grown = grow(oracle, other, &target);
        if (grown != 2)
            continue;
        take_path(oracle);
        shorten(oracle);
        if (wrist)
            *wrist = wrist_length(oracle);
        return true;
    }
    return false;
}
