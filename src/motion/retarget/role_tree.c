// Roles from the tree of joints and the rest pose: which chains are legs, trunk and arms.
#include "role_parts.h"

#include <math.h>

uint32_t tr_role_parent(const tr_role_tree *tree, uint32_t joint) {
    uint32_t parent = tree->joints[joint].parent;
    return parent < joint ? parent : TR_NONE;
}

bool tr_role_is_below(const tr_role_tree *tree, uint32_t joint, uint32_t above) {
    while (joint != TR_NONE && joint > above)
        joint = tr_role_parent(tree, joint);
    // Parents come before their children, so the search ends at or before `above`.
    return joint == above && above != TR_NONE;
}

uint32_t tr_role_common(const tr_role_tree *tree, uint32_t a, uint32_t b) {
    while (a != b && a != TR_NONE && b != TR_NONE) {
        if (a > b)
            a = tr_role_parent(tree, a);
        else
            b = tr_role_parent(tree, b);
    }
    return a == b ? a : TR_NONE;
}

static float bone_length(const tr_role_tree *tree, uint32_t joint) {
    uint32_t parent = tr_role_parent(tree, joint);
    return parent == TR_NONE ? 0
                             : tr_vec3_length(tr_vec3_subtract(tree->joints[joint].position,
                                                               tree->joints[parent].position));
}

// The sum of the bone lengths from `above` to `joint`, and the first joint on the way.
static float way_down(const tr_role_tree *tree, uint32_t joint, uint32_t above, uint32_t *child) {
    float length = 0;
    for (; joint != above; joint = tr_role_parent(tree, joint)) {
        length += bone_length(tree, joint);
        *child = joint;
    }
    return length;
}

static uint32_t child_with_longest_limb(const tr_role_tree *tree, uint32_t joint) {
    uint32_t best = TR_NONE;
    float longest = -1;
    for (uint32_t i = joint + 1; i < tree->count; i++) {
        if (!tr_role_is_below(tree, i, joint))
            continue;
        uint32_t child = i;
        float length = way_down(tree, i, joint, &child);
        if (length > longest) {
            longest = length;
            best = child;
        }
    }
    return best;
}

// A helper at the same place as its parent is skipped, a few of them at most.
uint32_t tr_role_next_along(const tr_role_tree *tree, uint32_t joint) {
    uint32_t next = child_with_longest_limb(tree, joint);
    for (int helper = 0; helper < 3 && next != TR_NONE; helper++) {
        if (bone_length(tree, next) > 1e-3f * tree->size)
            break;
        uint32_t further = child_with_longest_limb(tree, next);
        if (further == TR_NONE)
            break;
        next = further;
    }
    return next;
}

static bool is_leaf(const tr_role_tree *tree, uint32_t joint) {
    for (uint32_t i = joint + 1; i < tree->count; i++)
        if (tr_role_parent(tree, i) == joint)
            return false;
    return true;
}

static bool is_target(const tr_role_tree *tree, uint32_t joint) {
    tr_role_reading reading = tr_role_read_name(tree->joints[joint].name);
    return reading.part == TR_PART_IGNORED && !reading.is_end;
}

// The joint with a number on the way from `above` to `leaf`, where 0 is the child of `above`; TR_NONE past
// the leaf.
static uint32_t on_the_way(const tr_role_tree *tree, uint32_t above, uint32_t leaf, uint32_t number) {
    uint32_t count = 0;
    for (uint32_t at = leaf; at != above; at = tr_role_parent(tree, at))
        count++;
    if (number >= count)
        return TR_NONE;
    for (uint32_t back = count - 1 - number; back > 0; back--)
        leaf = tr_role_parent(tree, leaf);
    return leaf;
}

// The two longest consecutive bones are the upper and the lower half of a limb. Returns the number of the
// upper one on the way from `above` to `leaf`; TR_NONE if the way is too short.
static uint32_t longest_pair(const tr_role_tree *tree, uint32_t above, uint32_t leaf) {
    uint32_t best = TR_NONE;
    float longest = 0;
    for (uint32_t i = 0;; i++) {
        uint32_t lower = on_the_way(tree, above, leaf, i + 1), end = on_the_way(tree, above, leaf, i + 2);
        if (end == TR_NONE)
            return best;
        float length = bone_length(tree, lower) + bone_length(tree, end);
        if (length > longest) {
            longest = length;
            best = i;
        }
    }
}

// The lowest leaf on one side (+1 left, -1 right).
static uint32_t lowest_leaf(const tr_role_tree *tree, float side) {
    uint32_t best = TR_NONE;
    for (uint32_t i = 0; i < tree->count; i++) {
        tr_vec3 p = tree->joints[i].position;
        if ((p.x - tree->middle) * side > 0.01f * tree->size &&
            (best == TR_NONE || p.y < tree->joints[best].position.y) && is_leaf(tree, i) &&
            !is_target(tree, i))
            best = i;
    }
    return best;
}

static void take_limb(tr_role_tree *tree, uint32_t above, uint32_t leaf, tr_role upper, bool is_leg) {
    uint32_t at = longest_pair(tree, above, leaf), *found = &tree->found[upper];
    if (at == TR_NONE)
        return;
    for (uint32_t k = 0; k < 3; k++)
        found[k] = on_the_way(tree, above, leaf, at + k);
    if (is_leg)
        found[3] = on_the_way(tree, above, leaf, at + 3);
    else if (at > 0)
        found[-1] = on_the_way(tree, above, leaf, at - 1);
}

static void guess_legs(tr_role_tree *tree) {
    uint32_t left = lowest_leaf(tree, 1), right = lowest_leaf(tree, -1);
    if (left == TR_NONE || right == TR_NONE)
        return;
    uint32_t hips = tr_role_common(tree, left, right);
    if (hips == TR_NONE)
        return;
    if (tree->found[TR_ROLE_HIPS] == TR_NONE)
        tree->found[TR_ROLE_HIPS] = hips;
    take_limb(tree, hips, left, TR_ROLE_LEFT_THIGH, true);
    take_limb(tree, hips, right, TR_ROLE_RIGHT_THIGH, true);
}

static bool is_in_a_leg(const tr_role_tree *tree, uint32_t joint) {
    return tr_role_is_below(tree, joint, tree->found[TR_ROLE_LEFT_THIGH]) ||
           tr_role_is_below(tree, joint, tree->found[TR_ROLE_RIGHT_THIGH]);
}

// The leaf above the hips that is highest, or furthest to one side.
static uint32_t furthest_leaf(const tr_role_tree *tree, float side) {
    uint32_t best = TR_NONE, hips = tree->found[TR_ROLE_HIPS];
    float furthest = 0;
    for (uint32_t i = hips + 1; i < tree->count; i++) {
        tr_vec3 p = tree->joints[i].position;
        float far = side == 0 ? p.y - tree->joints[hips].position.y : (p.x - tree->middle) * side;
        if (far > furthest && tr_role_is_below(tree, i, hips) && !is_in_a_leg(tree, i) && is_leaf(tree, i) &&
            !is_target(tree, i)) {
            furthest = far;
            best = i;
        }
    }
    return best;
}

// Upwards from the branch of the arms: neck and head; a third joint only marks the top.
static void take_head(tr_role_tree *tree, uint32_t branch, uint32_t top) {
    uint32_t count = 0;
    while (on_the_way(tree, branch, top, count) != TR_NONE)
        count++;
    if (count == 0)
        return;
    uint32_t head = count < 3 ? count - 1 : count - 2;
    tree->found[TR_ROLE_HEAD] = on_the_way(tree, branch, top, head);
    if (head > 0)
        tree->found[TR_ROLE_NECK] = on_the_way(tree, branch, top, 0);
}

static void take_trunk(tr_role_tree *tree, uint32_t branch) {
    uint32_t hips = tree->found[TR_ROLE_HIPS], count = 0;
    while (branch != hips && on_the_way(tree, hips, branch, count) != TR_NONE)
        count++;
    if (count == 0)
        return;
    tree->found[TR_ROLE_SPINE] = on_the_way(tree, hips, branch, 0);
    if (count > 1)
        tree->found[TR_ROLE_CHEST] = on_the_way(tree, hips, branch, count == 2 ? 1 : count / 2);
    if (count > 2)
        tree->found[TR_ROLE_UPPER_CHEST] = branch;
}

static void guess_above_hips(tr_role_tree *tree, bool arms) {
    uint32_t hips = tree->found[TR_ROLE_HIPS], top = furthest_leaf(tree, 0);
    uint32_t left = furthest_leaf(tree, 1), right = furthest_leaf(tree, -1);
    if (top == TR_NONE || left == TR_NONE || right == TR_NONE)
        return;
    uint32_t branch = tr_role_common(tree, left, right);
    if (branch == TR_NONE || left == right || !tr_role_is_below(tree, top, branch) ||
        (branch != hips && !tr_role_is_below(tree, branch, hips)))
        return;
    if (arms) {
        take_limb(tree, branch, left, TR_ROLE_LEFT_UPPER_ARM, false);
        take_limb(tree, branch, right, TR_ROLE_RIGHT_UPPER_ARM, false);
    }
    if (tree->found[TR_ROLE_HEAD] == TR_NONE)
        take_head(tree, branch, top);
    if (tree->found[TR_ROLE_SPINE] == TR_NONE)
        take_trunk(tree, branch);
}

void tr_role_guess_from_tree(tr_role_tree *tree) {
    const uint32_t *found = tree->found;
    if (tree->size <= 0)
        return;
    if (found[TR_ROLE_LEFT_THIGH] == TR_NONE && found[TR_ROLE_RIGHT_THIGH] == TR_NONE)
        guess_legs(tree);
    bool legs = found[TR_ROLE_LEFT_THIGH] != TR_NONE && found[TR_ROLE_RIGHT_THIGH] != TR_NONE;
    bool arms = found[TR_ROLE_LEFT_UPPER_ARM] == TR_NONE && found[TR_ROLE_RIGHT_UPPER_ARM] == TR_NONE;
    if (legs && found[TR_ROLE_HIPS] != TR_NONE &&
        (arms || found[TR_ROLE_HEAD] == TR_NONE || found[TR_ROLE_SPINE] == TR_NONE))
        guess_above_hips(tree, arms);
}
