#include "troupe/motion/role.h"
#include "role_parts.h"

#include <math.h>
#include <string.h>

static const char *const role_names[TR_ROLE_COUNT] = {
    "none",       "hips",          "spine",          "chest",          "upper_chest",     "neck",
    "head",       "left_shoulder", "left_upper_arm", "left_forearm",   "left_hand",       "left_thigh",
    "left_shank", "left_foot",     "left_toes",      "right_shoulder", "right_upper_arm", "right_forearm",
    "right_hand", "right_thigh",   "right_shank",    "right_foot",     "right_toes",
};

// The offset from a role of the left side to the same one on the right.
#define TO_THE_RIGHT (TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER)

static bool is_role(tr_role role) {
    return (unsigned)role < TR_ROLE_COUNT;
}

const char *tr_role_name(tr_role role) {
    return is_role(role) ? role_names[role] : role_names[TR_ROLE_NONE];
}

tr_role tr_role_mirror(tr_role role) {
    if (!is_role(role))
        return TR_ROLE_NONE;
    if (role < TR_ROLE_LEFT_SHOULDER)
        return role;
    return (tr_role)(role < TR_ROLE_RIGHT_SHOULDER ? (int)role + TO_THE_RIGHT : (int)role - TO_THE_RIGHT);
}

tr_role tr_role_find(const char *name) {
    for (uint32_t role = 0; name && role < TR_ROLE_COUNT; role++)
        if (strcmp(name, role_names[role]) == 0)
            return (tr_role)role;
    return TR_ROLE_NONE;
}

// The parts read from the names are stored in the result array until the roles are known, so that no memory
// is needed.
typedef struct role_guess {
    tr_role_tree tree;
    tr_role *said; // part * TR_SIDE_COUNT + side of each joint
} role_guess;

static tr_role_part part_of(const role_guess *guess, uint32_t joint) {
    return (tr_role_part)((uint32_t)guess->said[joint] / TR_SIDE_COUNT);
}
static tr_role_side side_of(const role_guess *guess, uint32_t joint) {
    return (tr_role_side)((uint32_t)guess->said[joint] % TR_SIDE_COUNT);
}

// The first joint with this part and side, among the descendants of `above` (TR_NONE: all joints).
static uint32_t first(const role_guess *guess, tr_role_part part, tr_role_side side, uint32_t above) {
    for (uint32_t i = above == TR_NONE ? 0 : above + 1; i < guess->tree.count; i++)
        if (part_of(guess, i) == part && side_of(guess, i) == side &&
            (above == TR_NONE || tr_role_is_below(&guess->tree, i, above)))
            return i;
    return TR_NONE;
}

// The first part that exists, in order of preference.
static uint32_t first_of(const role_guess *guess, const tr_role_part *parts, uint32_t count,
                         tr_role_side side, uint32_t above) {
    uint32_t joint = TR_NONE;
    for (uint32_t i = 0; i < count && joint == TR_NONE; i++)
        joint = first(guess, parts[i], side, above);
    return joint;
}

static uint32_t below(const role_guess *guess, tr_role_part part, tr_role_part otherwise, tr_role_side side,
                      uint32_t above) {
    const tr_role_part parts[2] = {part, otherwise};
    return above == TR_NONE ? TR_NONE : first_of(guess, parts, 2, side, above);
}

// Where a limb has joints with unknown names, the next joint along it takes the role.
static void fill_limb(tr_role_tree *tree, tr_role upper) {
    for (int k = 1; k < 3; k++) {
        uint32_t *joint = &tree->found[(int)upper + k], above = tree->found[(int)upper + k - 1];
        if (*joint != TR_NONE || above == TR_NONE)
            continue;
        uint32_t next = tr_role_next_along(tree, above), end = tree->found[(int)upper + 2];
        if (k == 2 || end == TR_NONE || (next != TR_NONE && tr_role_is_below(tree, end, next)))
            *joint = next;
    }
}

static void guess_leg(role_guess *guess, tr_role_side side) {
    static const tr_role_part uppers[] = {TR_PART_THIGH, TR_PART_HIP, TR_PART_LEG};
    tr_role thigh = side == TR_SIDE_LEFT ? TR_ROLE_LEFT_THIGH : TR_ROLE_RIGHT_THIGH;
    uint32_t *found = &guess->tree.found[thigh];
    found[0] = first_of(guess, uppers, 3, side, TR_NONE);
    found[1] = below(guess, TR_PART_SHANK, TR_PART_LEG, side, found[0]);
    found[2] = below(guess, TR_PART_FOOT, TR_PART_LEG, side, found[1]);
    fill_limb(&guess->tree, thigh);
    // Where the ankle has a name of its own, its child called foot is the toes.
    found[3] = below(guess, TR_PART_TOES, TR_PART_FOOT, side, found[2]);
    if (found[3] == TR_NONE)
        found[3] = below(guess, TR_PART_LEG, TR_PART_LEG, side, found[2]);
}

// "Shoulder" means the collar bone in some conventions and the upper arm in others.
static void guess_arm(role_guess *guess, tr_role_side side) {
    static const tr_role_part uppers[] = {TR_PART_UPPER_ARM, TR_PART_ARM, TR_PART_SHOULDER};
    tr_role upper = side == TR_SIDE_LEFT ? TR_ROLE_LEFT_UPPER_ARM : TR_ROLE_RIGHT_UPPER_ARM;
    uint32_t *found = &guess->tree.found[upper];
    found[0] = first_of(guess, uppers, 3, side, TR_NONE);
    found[1] = below(guess, TR_PART_FOREARM, TR_PART_ARM, side, found[0]);
    uint32_t shoulder = first(guess, TR_PART_SHOULDER, side, TR_NONE);
    if (found[1] == TR_NONE && found[0] != TR_NONE && shoulder != TR_NONE &&
        tr_role_is_below(&guess->tree, found[0], shoulder)) { // shoulder, arm, hand: three are a whole arm
        found[1] = found[0];
        found[0] = shoulder;
    }
    found[2] = below(guess, TR_PART_HAND, TR_PART_ARM, side, found[1]);
    fill_limb(&guess->tree, upper);
    for (uint32_t at = found[0] == TR_NONE ? TR_NONE : tr_role_parent(&guess->tree, found[0]); at != TR_NONE;
         at = tr_role_parent(&guess->tree, at)) {
        tr_role_part part = part_of(guess, at);
        if (side_of(guess, at) == side && (part == TR_PART_COLLAR || part == TR_PART_SHOULDER)) {
            found[-1] = at;
            return;
        }
    }
}

// A head without a name is the last joint of the neck.
static void guess_head(role_guess *guess) {
    tr_role_tree *tree = &guess->tree;
    uint32_t head = first(guess, TR_PART_HEAD, TR_SIDE_NONE, TR_NONE);
    uint32_t neck = first(guess, TR_PART_NECK, TR_SIDE_NONE, TR_NONE);
    if (head == TR_NONE && neck != TR_NONE) {
        uint32_t last = neck;
        for (uint32_t next; (next = first(guess, TR_PART_NECK, TR_SIDE_NONE, last)) != TR_NONE;)
            last = next;
        head = last != neck ? last : tr_role_next_along(tree, neck);
        if (head == TR_NONE)
            head = neck;
    }
    tree->found[TR_ROLE_HEAD] = head;
    if (neck != TR_NONE && head != TR_NONE && tr_role_is_below(tree, head, neck))
        tree->found[TR_ROLE_NECK] = neck;
}

// The joint that moves legs and trunk alike. One with that name is preferred, if it does.
static void guess_hips(role_guess *guess) {
    tr_role_tree *tree = &guess->tree;
    static const tr_role all[] = {TR_ROLE_LEFT_THIGH, TR_ROLE_RIGHT_THIGH, TR_ROLE_HEAD};
    uint32_t common = TR_NONE, known = 0;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t joint = tree->found[all[i]];
        if (joint == TR_NONE)
            continue;
        common = known++ == 0 ? joint : tr_role_common(tree, common, joint);
    }
    uint32_t named = known < 2 ? first(guess, TR_PART_HIPS, TR_SIDE_NONE, TR_NONE) : common;
    while (named != TR_NONE && part_of(guess, named) != TR_PART_HIPS)
        named = tr_role_parent(tree, named);
    tree->found[TR_ROLE_HIPS] = named != TR_NONE ? named : known < 2 ? TR_NONE : common;
}

// The joints between the hips and `top`, without ignored ones: their number, and the joint with a given
// number, counted from the top.
static uint32_t trunk(const role_guess *guess, uint32_t top, uint32_t number, uint32_t *joint) {
    const tr_role_tree *tree = &guess->tree;
    uint32_t count = 0;
    for (uint32_t at = tr_role_parent(tree, top); at != TR_NONE && at != tree->found[TR_ROLE_HIPS];
         at = tr_role_parent(tree, at))
        if (part_of(guess, at) != TR_PART_IGNORED && count++ == number)
            *joint = at;
    return count;
}

static void guess_trunk(role_guess *guess) {
    tr_role_tree *tree = &guess->tree;
    uint32_t hips = tree->found[TR_ROLE_HIPS], top = tree->found[TR_ROLE_NECK];
    if (top == TR_NONE)
        top = tree->found[TR_ROLE_HEAD];
    if (hips == TR_NONE || top == TR_NONE || !tr_role_is_below(tree, top, hips))
        return;
    uint32_t count = trunk(guess, top, TR_NONE, NULL);
    if (count > 0)
        trunk(guess, top, count - 1, &tree->found[TR_ROLE_SPINE]);
    if (count > 1)
        trunk(guess, top, count == 2 ? 0 : (count - 1) / 2, &tree->found[TR_ROLE_CHEST]);
    if (count > 2)
        trunk(guess, top, 0, &tree->found[TR_ROLE_UPPER_CHEST]);
}

// Bones of a limb with the same name on both sides are told apart by their places.
static void read_names(role_guess *guess) {
    const tr_role_tree *tree = &guess->tree;
    for (uint32_t i = 0; i < tree->count; i++) {
        tr_role_reading reading = tr_role_read_name(tree->joints[i].name);
        float off = tree->joints[i].position.x - tree->middle;
        if (reading.side == TR_SIDE_NONE && reading.part >= TR_PART_COLLAR && fabsf(off) > 0.01f * tree->size)
            reading.side = off > 0 ? TR_SIDE_LEFT : TR_SIDE_RIGHT;
        guess->said[i] = (tr_role)((uint32_t)reading.part * TR_SIDE_COUNT + (uint32_t)reading.side);
    }
}

static void measure(tr_role_tree *tree) {
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < tree->count; i++)
        if (tr_vec3_is_finite(tree->joints[i].position))
            box = tr_box_include(box, tree->joints[i].position);
    tree->size = tree->middle = 0;
    for (uint32_t i = 0; i < TR_ROLE_COUNT; i++)
        tree->found[i] = TR_NONE;
    if (tr_box_is_empty(box))
        return;
    tr_vec3 size = tr_vec3_subtract(box.max, box.min);
    float wide = size.x > size.z ? size.x : size.z;
    tree->size = wide > size.y ? wide : size.y;
    tree->middle = (box.min.x + box.max.x) / 2;
}

static bool is_needed(uint32_t role) {
    tr_role left = role >= TR_ROLE_RIGHT_SHOULDER ? tr_role_mirror((tr_role)role) : (tr_role)role;
    return left == TR_ROLE_HIPS || left == TR_ROLE_SPINE || left == TR_ROLE_HEAD ||
           (left >= TR_ROLE_LEFT_UPPER_ARM && left < TR_ROLE_LEFT_TOES);
}

uint32_t tr_role_guess(const tr_role_joint *joints, uint32_t count, tr_role *roles) {
    role_guess guess = {.tree = {.joints = joints, .count = count}, .said = roles};
    measure(&guess.tree);
    read_names(&guess);
    guess_leg(&guess, TR_SIDE_LEFT);
    guess_leg(&guess, TR_SIDE_RIGHT);
    guess_arm(&guess, TR_SIDE_LEFT);
    guess_arm(&guess, TR_SIDE_RIGHT);
    guess_head(&guess);
    guess_hips(&guess);
    guess_trunk(&guess);
    tr_role_guess_from_tree(&guess.tree);
    uint32_t needed = 0;
    for (uint32_t i = 0; i < count; i++)
        roles[i] = TR_ROLE_NONE;
    for (uint32_t role = 1; role < TR_ROLE_COUNT; role++) {
        uint32_t joint = guess.tree.found[role];
        if (joint == TR_NONE || roles[joint] != TR_ROLE_NONE)
            continue;
        roles[joint] = (tr_role)role;
        needed += is_needed(role);
    }
    return needed;
}
