// Joints of the target that its hips do not carry. Rigs made for inverse kinematics attach the feet to the
// root instead of the shanks: left alone, they would stay behind while the body walks away.
#include "retarget_data.h"

// Is the joint at or below `above`?
static bool is_below(const uint32_t *parents, uint32_t joint, uint32_t above) {
    while (joint != TR_NONE && joint > above)
        joint = parents[joint];
    return joint == above;
}

// Neither carried by the hips nor carrying them; its parent is not such a joint, or it would be carried by
// that.
static bool is_loose(const tr_skeleton *skeleton, uint32_t joint, uint32_t hips) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t parent = parents[joint];
    return !is_below(parents, joint, hips) && !is_below(parents, hips, joint) &&
           (parent == TR_NONE || is_below(parents, hips, parent));
}

// The bone of the body that is nearest at rest: for a foot, the end of the shank.
static uint32_t find_leader(const tr_skeleton *skeleton, uint32_t joint, uint32_t hips) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    uint32_t leader = hips;
    float nearest = INFINITY;
    for (int role = 1; role < TR_ROLE_COUNT; role++) {
        uint32_t other = tr_skeleton_with_role(skeleton, (tr_role)role);
        if (other == TR_NONE || !is_below(tr_skeleton_parents(skeleton), other, hips))
            continue;
        tr_vec3 apart = tr_vec3_subtract(tr_affine_position(&rest[other]), tr_affine_position(&rest[joint]));
        if (tr_vec3_length(apart) < nearest) {
            nearest = tr_vec3_length(apart);
            leader = other;
        }
    }
    return leader;
}

static tr_status measure(const tr_skeleton *skeleton, const tr_quat *rest_turns, retarget_follower *follower,
                         tr_error *error) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    uint32_t parent = tr_skeleton_parents(skeleton)[follower->joint];
    tr_affine inverse;
    follower->to_parent = tr_affine_identity();
    follower->parent_turn = parent == TR_NONE ? tr_quat_identity() : rest_turns[parent];
    if ((parent != TR_NONE && !tr_affine_invert(&rest[parent], &follower->to_parent)) ||
        !tr_affine_invert(&rest[follower->leader], &inverse))
        return tr_fail(error, TR_INVALID, "joint %u of the target skeleton has a parent that is scaled to 0",
                       follower->joint);
    follower->offset = tr_affine_apply(&inverse, tr_affine_position(&rest[follower->joint]));
    follower->turn =
        tr_quat_multiply(tr_quat_conjugate(rest_turns[follower->leader]), rest_turns[follower->joint]);
    return TR_OK;
}

tr_status tr_retarget_find_followers(tr_retarget *retarget, tr_error *error) {
    const tr_skeleton *skeleton = retarget->to.skeleton;
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    tr_status status = TR_OK;
    tr_retarget_rest_turns(skeleton, retarget->to_turns);
    for (uint32_t i = 0; i < retarget->joint_count && status == TR_OK; i++) {
        if (!is_loose(skeleton, i, hips))
            continue;
        if (!tr_reserve(&retarget->allocator, (void **)&retarget->followers, &retarget->follower_capacity,
                        (uint64_t)retarget->follower_count + 1, sizeof *retarget->followers))
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for retargeting");
        retarget_follower *follower = &retarget->followers[retarget->follower_count++];
        follower->joint = i;
        follower->leader = find_leader(skeleton, i, hips);
        status = measure(skeleton, retarget->to_turns, follower, error);
    }
    return status;
}

// The rotation of a joint in the world. (to_turns has those from before the feet were placed.)
static tr_quat turn_in_pose(const tr_skeleton *skeleton, const tr_pose *pose, uint32_t joint) {
    tr_quat turn = tr_quat_identity();
    for (; joint != TR_NONE; joint = tr_skeleton_parents(skeleton)[joint])
        turn = tr_quat_multiply(tr_pose_rotation(pose, joint), turn);
    return tr_quat_normalize(turn);
}

void tr_retarget_lead_followers(tr_retarget *retarget, tr_pose *to) {
    const tr_skeleton *skeleton = retarget->to.skeleton;
    if (retarget->follower_count == 0)
        return;
    tr_pose_to_model(skeleton, to, NULL, retarget->to_model);
    for (uint32_t i = 0; i < retarget->follower_count; i++) {
        const retarget_follower *follower = &retarget->followers[i];
        tr_transform local = tr_pose_get(to, follower->joint);
        tr_vec3 place = tr_affine_apply(&retarget->to_model[follower->leader], follower->offset);
        tr_quat turn = tr_quat_multiply(turn_in_pose(skeleton, to, follower->leader), follower->turn);
        local.position = tr_affine_apply(&follower->to_parent, place);
        local.rotation = tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(follower->parent_turn), turn));
        tr_pose_set(to, follower->joint, local);
    }
}
