// Two random trees, from the start and from all goals, that grow towards each other (RRT-Connect, Kuffner &
// LaValle 2000): the last resort, which finds a path if there is one, given time.
#define SIMD_LANES 4
#include "base/simd.h"
#include "reach_data.h"

#include <math.h>

#define RANGE 0.8f       // longest edge [rad]
#define NEAR_SPREAD 0.7f // around the straight path, for half of all samples [rad]
#define HAND_SPREAD 0.5f

static tr_posture node_at(const reach_tree *tree, uint32_t node) {
    tr_posture posture;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        posture.q[i] = tree->q[i][node];
    return posture;
}

static uint32_t add_node(reach_tree *tree, const tr_posture *posture, uint32_t parent) {
    uint32_t node = tree->count++;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        tree->q[i][node] = posture->q[i];
    tree->parent[node] = parent;
    return node;
}

// Of equally near ones, the first. Arrays are padded to whole groups by repetition.
static uint32_t nearest(const reach_tree *tree, const tr_posture *to, uint32_t dimensions) {
    simd_float best = simd_set(INFINITY);
    simd_int which = simd_set_int(0), number = simd_numbers();
    const simd_int count = simd_set_int((int32_t)tree->count);
    for (uint32_t i = 0; i < tree->count; i += SIMD_LANES, number += SIMD_LANES) {
        simd_float sum = simd_set(0);
        for (uint32_t d = 0; d < dimensions; d++) {
            simd_float gap = simd_load(&tree->q[d][i]) - to->q[d];
            sum += gap * gap;
        }
        simd_int nearer = (sum < best) & (number < count);
        best = simd_select(nearer, sum, best);
        which = simd_select_int(nearer, number, which);
    }
    uint32_t lane = 0;
    for (uint32_t k = 1; k < SIMD_LANES; k++)
        if (best[k] < best[lane] || (best[k] == best[lane] && which[k] < which[lane]))
            lane = k;
    return (uint32_t)which[lane];
}

static float draw(tr_reach *reach, int i) {
    return tr_random_between(&reach->random, reach->arm.low.q[i], reach->arm.high.q[i]);
}

// Anywhere within the limits, or around the straight path from the start to a goal; the hand mostly around
// that path, because turning it seldom helps.
static tr_posture sample(tr_reach *reach) {
    const tr_posture *goal = &reach->goals[tr_random_below(&reach->random, reach->goal_count)].posture;
    float share = tr_random_unit(&reach->random);
    bool near = tr_random_unit(&reach->random) < 0.5f, near_hand = tr_random_unit(&reach->random) < 0.75f;
    tr_posture posture = tr_reach_between(&reach->start, goal, share);
    for (int i = 0; i < (int)reach->dimensions; i++) {
        bool is_hand = i >= TR_FOREARM_PRONATION && i < TR_ARM_JOINTS;
        if (is_hand ? near_hand : near)
            posture.q[i] += tr_random_between(&reach->random, -1, 1) * (is_hand ? HAND_SPREAD : NEAR_SPREAD);
        else
            posture.q[i] = draw(reach, i);
    }
    return tr_arm_clamp(&reach->arm, posture);
}

typedef enum growth { TRAPPED, ADVANCED, REACHED } growth;

static growth grow(tr_reach *reach, reach_tree *tree, const tr_posture *to, uint32_t *node) {
    uint32_t from = nearest(tree, to, reach->dimensions);
    tr_posture posture = node_at(tree, from), target = *to;
    float gap = sqrtf(tr_reach_gap(&posture, to));
    bool far = gap > RANGE;
    if (gap < 1e-6f) {
        *node = from;
        return REACHED;
    }
    if (far)
        target = tr_reach_between(&posture, to, RANGE / gap);
    if (tree->count == REACH_TREE_MAX || !tr_reach_edge(reach, &posture, &target))
        return TRAPPED;
    *node = add_node(tree, &target, from);
    return far ? ADVANCED : REACHED;
}

static bool take_path(tr_reach *reach, uint32_t from_start, uint32_t from_goal) {
    const reach_tree *start = &reach->trees[0], *goal = &reach->trees[1];
    uint32_t count = 0, total = 0;
    for (uint32_t node = from_start; node != TR_NONE; node = start->parent[node])
        count++;
    for (uint32_t node = goal->parent[from_goal]; node != TR_NONE; node = goal->parent[node])
        total++;
    total += count;
    if (total > REACH_WAY_MAX)
        return false;
    uint32_t place = count;
    for (uint32_t node = from_start; node != TR_NONE; node = start->parent[node])
        reach->knots[--place] = node_at(start, node);
    for (uint32_t node = goal->parent[from_goal]; node != TR_NONE; node = goal->parent[node])
        reach->knots[count++] = node_at(goal, node);
    reach->knot_count = total;
    return true;
}

static void plant(tr_reach *reach) {
    reach->trees[0].count = reach->trees[1].count = 0;
    add_node(&reach->trees[0], &reach->start, TR_NONE);
    for (uint32_t i = 0; i < reach->goal_count; i++)
        add_node(&reach->trees[1], &reach->goals[i].posture, TR_NONE);
}

bool tr_reach_by_trees(tr_reach *reach) {
    plant(reach);
    for (uint32_t turn = 0; !tr_reach_out_of_budget(reach); turn++) {
        reach_tree *tree = &reach->trees[turn & 1], *other = &reach->trees[~turn & 1];
        if (tree->count == REACH_TREE_MAX || other->count == REACH_TREE_MAX)
            plant(reach);
        uint32_t node, met;
        tr_posture target = sample(reach);
        if (grow(reach, tree, &target, &node) == TRAPPED)
            continue;
        target = node_at(tree, node);
        growth end;
        do
            end = grow(reach, other, &target, &met);
        while (end == ADVANCED && !tr_reach_out_of_budget(reach));
        reach->result.nodes = reach->trees[0].count + reach->trees[1].count;
        if (end == REACHED && take_path(reach, turn & 1 ? met : node, turn & 1 ? node : met))
            return true;
    }
    return false;
}
