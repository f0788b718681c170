// Feet that do not hang on their legs. Rigs with inverse kinematics often have them beside the legs, where an
// animator moves them. A skeleton has to know that they belong together, so there they hang on the shank; in
// the file they stay where they are.
#include "gltf_motion_data.h"

#include <string.h>

#define NEAR 0.6f // a loose foot is this close to the end of the shank, as a share of its length

static bool has_word(const char *name, const char *word) {
    for (; *name; name++) {
        size_t i = 0;
        while (word[i] && (name[i] | 0x20) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

static uint32_t with_role(const tr_role *roles, uint32_t count, tr_role role) {
    uint32_t i = 0;
    while (i < count && roles[i] != role)
        i++;
    return i < count ? i : TR_NONE;
}

static bool is_leaf(const tr_joint_def *joints, uint32_t count, uint32_t joint) {
    for (uint32_t i = joint + 1; i < count; i++)
        if (joints[i].parent == joint)
            return false;
    return true;
}

static bool is_below(const tr_joint_def *joints, uint32_t joint, uint32_t above) {
    while (joint != TR_NONE && joint != above)
        joint = joints[joint].parent;
    return joint == above;
}

static float distance(const tr_affine *model, uint32_t a, uint32_t b) {
    return tr_vec3_length(tr_vec3_subtract(tr_affine_position(&model[a]), tr_affine_position(&model[b])));
}

// The foot beside one leg; TR_NONE: there is none.
static uint32_t find_foot(const tr_joint_def *joints, const tr_role *roles, const tr_affine *model,
                          uint32_t count, uint32_t side) {
    int shift = side ? TR_ROLE_RIGHT_THIGH - TR_ROLE_LEFT_THIGH : 0;
    uint32_t thigh = with_role(roles, count, (tr_role)(TR_ROLE_LEFT_THIGH + shift)),
             shank = with_role(roles, count, (tr_role)(TR_ROLE_LEFT_SHANK + shift)),
             end = with_role(roles, count, (tr_role)(TR_ROLE_LEFT_FOOT + shift)), best = TR_NONE;
    if (thigh == TR_NONE || shank == TR_NONE || end == TR_NONE || !is_leaf(joints, count, end))
        return TR_NONE;
    float least = NEAR * distance(model, shank, end);
    for (uint32_t i = 0; i < count; i++) {
        if (joints[i].is_end || joints[i].parent == TR_NONE || !has_word(joints[i].name, "foot") ||
            has_word(joints[i].name, "_end") || is_below(joints, i, thigh) || is_below(joints, thigh, i))
            continue;
        float off = distance(model, i, end);
        if (off < least) {
            least = off;
            best = i;
        }
    }
    return best;
}

// The nodes in an order in which the loose feet follow their shanks.
static tr_status reorder(gltf_motion_reading *reading, const tr_joint_def *joints) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t count = reading->joint_count, placed = 0;
    uint32_t *nodes = tr_allocate(allocator, count, sizeof *nodes);
    if (!nodes)
        return tr_gltf_motion_no_memory(reading);
    for (uint32_t i = 0; i < count; i++) {
        bool moved = false;
        for (uint32_t k = 0; k < reading->loose.count; k++)
            moved = moved || is_below(joints, i, reading->loose.items[k].joint);
        if (!moved)
            nodes[placed++] = reading->nodes[i];
        for (uint32_t k = 0; k < reading->loose.count && !moved; k++) {
            const gltf_loose *loose = &reading->loose.items[k];
            bool is_last =
                is_below(joints, i, loose->bone) && (i + 1 == count || !is_below(joints, i + 1, loose->bone));
            for (uint32_t n = 0; n < count && is_last; n++)
                if (is_below(joints, n, loose->joint))
                    nodes[placed++] = reading->nodes[n];
        }
    }
    bool complete = placed == count; // joints are depth first, so a shank's are together
    for (uint32_t k = 0; k < reading->loose.count && complete; k++) { // from here on, nodes
        gltf_loose *loose = &reading->loose.items[k];
        loose->joint = reading->nodes[loose->joint];
        loose->bone = reading->nodes[loose->bone];
    }
    if (complete)
        memcpy(reading->nodes, nodes, count * sizeof *nodes);
    else
        reading->loose.count = 0;
    for (uint32_t i = 0; i < count; i++)
        reading->joint[reading->nodes[i]] = i;
    tr_release(allocator, nodes, count, sizeof *nodes);
    return TR_OK;
}

tr_status tr_gltf_motion_find_loose(gltf_motion_reading *reading, const tr_joint_def *joints,
                                    const tr_role *roles, const tr_affine *model) {
    uint32_t count = reading->joint_count;
    reading->loose.count = 0;
    for (uint32_t side = 0; side < 2; side++) {
        tr_role shank = side ? TR_ROLE_RIGHT_SHANK : TR_ROLE_LEFT_SHANK;
        uint32_t foot = find_foot(joints, roles, model, count, side);
        if (foot != TR_NONE)
            reading->loose.items[reading->loose.count++] =
                (gltf_loose){.joint = foot, .bone = with_role(roles, count, shank)};
    }
    bool same = reading->loose.count == 2 && reading->loose.items[0].joint == reading->loose.items[1].joint;
    if (same)
        reading->loose.count = 0;
    return reading->loose.count > 0 ? reorder(reading, joints) : TR_OK;
}

// Where a joint is: its ancestors are not loose.
static tr_affine place_of(const tr_skeleton *skeleton, const tr_pose *pose, uint32_t joint) {
    tr_affine place = tr_affine_identity();
    for (; joint != TR_NONE; joint = tr_skeleton_parents(skeleton)[joint]) {
        tr_affine local = tr_affine_from_transform(tr_pose_get(pose, joint));
        place = tr_affine_multiply(&local, &place);
    }
    return place;
}

// From the axes of joint `from` to those of joint `to`.
static void change_parent(const tr_skeleton *skeleton, uint32_t from, uint32_t to, uint32_t joint,
                          tr_pose *pose) {
    tr_affine there = place_of(skeleton, pose, from), here = place_of(skeleton, pose, to), back;
    tr_affine local = tr_affine_from_transform(tr_pose_get(pose, joint));
    if (!tr_affine_invert(&here, &back))
        return;
    tr_affine place = tr_affine_multiply(&there, &local);
    place = tr_affine_multiply(&back, &place);
    tr_transform changed = tr_affine_to_transform(&place);
    if (tr_vec3_is_finite(changed.position) && tr_vec3_is_finite(changed.scale))
        tr_pose_set(pose, joint, changed);
}

void tr_gltf_loose_hang(const gltf_loose_list *list, const tr_skeleton *skeleton, tr_pose *pose) {
    for (uint32_t i = 0; i < list->count; i++)
        change_parent(skeleton, list->items[i].above, list->items[i].bone, list->items[i].joint, pose);
}

void tr_gltf_loose_free(const gltf_loose_list *list, const tr_skeleton *skeleton, tr_pose *pose) {
    for (uint32_t i = 0; i < list->count; i++)
        change_parent(skeleton, list->items[i].bone, list->items[i].above, list->items[i].joint, pose);
}
