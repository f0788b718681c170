// The joint on the other side of the body.
#include "skeleton_data.h"

#include <string.h>

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(const char *text, const char *word) {
    for (; *word; text++, word++)
        if (lower(*text) != *word)
            return false;
    return true;
}

static bool is_letter(char c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
}

// Does the letter at `at` mark a side: alone between separators ("arm.L", "l_arm"), or first, before a word
// that begins with a capital ("lThigh", "RArm")?
static bool is_side_letter(const char *name, size_t at) {
    bool begins = at == 0 || !is_letter(name[at - 1]);
    char next = name[at + 1];
    bool word_follows = next >= 'A' && next <= 'Z' && at == 0;
    return begins && (!is_letter(next) || word_follows);
}

// Are the two names the same but for the side?
static bool are_sides(const char *a, const char *b) {
    bool differ = false;
    size_t i = 0, k = 0;
    while (a[i] && b[k]) {
        bool a_left = begins_with(a + i, "left"), a_right = begins_with(a + i, "right");
        bool b_left = begins_with(b + k, "left"), b_right = begins_with(b + k, "right");
        if ((a_left && b_right) || (a_right && b_left)) {
            i += a_left ? 4 : 5, k += b_left ? 4 : 5;
            differ = true;
            continue;
        }
        char ca = lower(a[i]), cb = lower(b[k]);
        if (ca != cb) {
            bool sides = (ca == 'l' && cb == 'r') || (ca == 'r' && cb == 'l');
            if (!sides || !is_side_letter(a, i) || !is_side_letter(b, k))
                return false;
            differ = true;
        }
        i++, k++;
    }
    return differ && a[i] == 0 && b[k] == 0;
}

uint32_t tr_skeleton_mirror_of(const tr_skeleton *skeleton, uint32_t joint) {
    if (joint >= skeleton->joint_count)
        return joint;
    tr_role role = skeleton->joints[joint].role;
    if (role != TR_ROLE_NONE) {
        uint32_t other = skeleton->with_role[tr_role_mirror(role)];
        return other == TR_NONE ? joint : other;
    }
    for (uint32_t i = 0; i < skeleton->joint_count; i++)
        if (i != joint && are_sides(skeleton->joints[joint].name, skeleton->joints[i].name))
            return i;
    return joint;
}
