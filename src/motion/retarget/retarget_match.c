// Which joint of the target follows which of the source.
#include "retarget_data.h"

// From a rotation of the source's joint in the world to that of its bone relative to the common pose.
static tr_quat before(const retarget_body *from, tr_quat rest_turn, tr_role role) {
    return tr_quat_normalize(
        tr_quat_multiply(tr_quat_conjugate(rest_turn), tr_quat_conjugate(from->to_common[role])));
}

// The same for a joint between the hips and the head, which need not have a role.
static tr_quat before_in_column(const tr_retarget *retarget, uint32_t joint) {
    return retarget->column ? tr_quat_conjugate(retarget->column[joint])
                            : before(&retarget->from, retarget->from_turns[joint], TR_ROLE_SPINE);
}

static void match_roles(tr_retarget *retarget) {
    for (int role = 1; role < TR_ROLE_COUNT; role++) {
        uint32_t from = tr_skeleton_with_role(retarget->from.skeleton, (tr_role)role);
        uint32_t to = tr_skeleton_with_role(retarget->to.skeleton, (tr_role)role);
        if (from == TR_NONE || to == TR_NONE)
            continue;
        retarget_bone *bone = &retarget->bones[to];
        bone->first = bone->second = from;
        bone->part = 0;
        bone->first_before = bone->second_before =
            before(&retarget->from, retarget->from.rest_turn[role], (tr_role)role);
        bone->after = tr_quat_multiply(retarget->to.to_common[role], retarget->to.rest_turn[role]);
    }
}

// The number of joints below `top` down to and including `bottom`; 0 if it is not a descendant.
static uint32_t count_between(const tr_skeleton *skeleton, uint32_t top, uint32_t bottom) {
    uint32_t count = 0;
    for (; bottom != TR_NONE && bottom != top; bottom = tr_skeleton_parents(skeleton)[bottom])
        count++;
    return bottom == top ? count : 0;
}

static uint32_t go_up(const tr_skeleton *skeleton, uint32_t joint, uint32_t steps) {
    for (; steps > 0; steps--)
        joint = tr_skeleton_parents(skeleton)[joint];
    return joint;
}

// Backs of two and of five bones bend alike: each bone of the target takes the rotation at its share of the
// chain.
static void match_chain(tr_retarget *retarget, uint32_t from_top, uint32_t from_bottom, uint32_t to_top,
                        uint32_t to_bottom) {
    const tr_skeleton *from = retarget->from.skeleton, *to = retarget->to.skeleton;
    uint32_t from_count = count_between(from, from_top, from_bottom);
    uint32_t to_count = count_between(to, to_top, to_bottom);
    if (from_count == 0)
        return;
    for (uint32_t k = 1; k <= to_count; k++) {
        uint64_t share = (uint64_t)k * from_count;
        uint32_t whole = (uint32_t)(share / to_count), rest = (uint32_t)(share % to_count);
        uint32_t joint = go_up(to, to_bottom, to_count - k);
        retarget_bone *bone = &retarget->bones[joint];
        bone->first = go_up(from, from_bottom, from_count - whole);
        bone->second = rest ? go_up(from, from_bottom, from_count - whole - 1) : bone->first;
        bone->part = (float)rest / (float)to_count;
        bone->first_before = before_in_column(retarget, bone->first);
        bone->second_before = before_in_column(retarget, bone->second);
        bone->after = tr_quat_multiply(retarget->to.to_common[TR_ROLE_SPINE], retarget->to_turns[joint]);
    }
}

uint32_t tr_retarget_top(const tr_skeleton *skeleton) {
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    uint32_t neck = tr_skeleton_with_role(skeleton, TR_ROLE_NECK);
    if (neck == TR_NONE)
        neck = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    uint32_t top = tr_skeleton_parents(skeleton)[neck];
    return top != TR_NONE && count_between(skeleton, hips, top) > 0 ? top : hips;
}

void tr_retarget_match(tr_retarget *retarget) {
    const tr_skeleton *from = retarget->from.skeleton, *to = retarget->to.skeleton;
    for (uint32_t i = 0; i < retarget->joint_count; i++)
        retarget->bones[i].first = TR_NONE;
    match_roles(retarget);
    tr_retarget_rest_turns(from, retarget->from_turns);
    tr_retarget_rest_turns(to, retarget->to_turns);
    uint32_t from_top = tr_retarget_top(from), to_top = tr_retarget_top(to);
    match_chain(retarget, tr_skeleton_with_role(from, TR_ROLE_HIPS), from_top,
                tr_skeleton_with_role(to, TR_ROLE_HIPS), to_top);
    match_chain(retarget, from_top, tr_skeleton_with_role(from, TR_ROLE_HEAD), to_top,
                tr_skeleton_with_role(to, TR_ROLE_HEAD));
}
