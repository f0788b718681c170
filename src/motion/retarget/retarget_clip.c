// Retargets whole clips to another body.
#include "retarget_data.h"

static void choose_channels(const tr_retarget *retarget, const tr_clip *from, uint8_t *channels) {
    for (uint32_t i = 0; i < retarget->joint_count; i++) {
        bool follows = retarget->bones[i].first != TR_NONE;
        channels[i] = retarget->is_copy ? tr_clip_channels(from)[i] : follows ? TR_CHANNEL_TURNS : 0;
    }
    channels[tr_skeleton_with_role(retarget->to.skeleton, TR_ROLE_HIPS)] |= TR_CHANNEL_MOVES;
    for (uint32_t i = 0; i < retarget->follower_count && !retarget->is_copy; i++)
        channels[retarget->followers[i].joint] |= TR_CHANNEL_MOVES | TR_CHANNEL_TURNS;
}

// What levelling the soles changes; restored after the clip.
typedef struct kept_feet {
    retarget_body from;
    float across, upward;
    retarget_bone bones[4];
} kept_feet;

static void swap_feet(tr_retarget *retarget, kept_feet *kept, bool put_back) {
    static const tr_role roles[4] = {TR_ROLE_LEFT_FOOT, TR_ROLE_LEFT_TOES, TR_ROLE_RIGHT_FOOT,
                                     TR_ROLE_RIGHT_TOES};
    for (int i = 0; i < 4; i++) {
        uint32_t joint = tr_skeleton_with_role(retarget->to.skeleton, roles[i]);
        if (joint != TR_NONE && put_back)
            retarget->bones[joint] = kept->bones[i];
        else if (joint != TR_NONE)
            kept->bones[i] = retarget->bones[joint];
    }
    if (put_back) {
        retarget->from = kept->from;
        retarget->across = kept->across;
        retarget->upward = kept->upward;
    } else {
        kept->from = retarget->from;
        kept->across = retarget->across;
        kept->upward = retarget->upward;
    }
}

static tr_status copy_frames(tr_retarget *retarget, const tr_clip *from, tr_clip *to, tr_error *error) {
    tr_pose there, here = {0};
    tr_status status = tr_pose_create(&retarget->allocator, tr_clip_joint_count(from), &there, error);
    if (status == TR_OK)
        status = tr_pose_create(&retarget->allocator, retarget->joint_count, &here, error);
    for (uint32_t frame = 0; frame < tr_clip_frame_count(from) && status == TR_OK; frame++) {
        tr_clip_get_frame(from, frame, &there);
        tr_retarget_pose(retarget, &there, &here);
        if (tr_clip_set_frame(to, frame, &here) != TR_OK)
            status = tr_fail(error, TR_INVALID, "frame %u cannot be retargeted: it is not finite", frame);
        tr_clip_set_contacts(to, frame, tr_clip_frame_contacts(from, frame));
    }
    tr_pose_destroy(&here);
    tr_pose_destroy(&there);
    return status;
}

static tr_base scale_base(const tr_retarget *retarget, tr_base base) {
    float scale = retarget->is_copy ? 1 : retarget->across;
    base.x *= scale;
    base.z *= scale;
    return base;
}

static tr_status copy_base(const tr_retarget *retarget, const tr_clip *from, tr_clip *to, tr_error *error) {
    if (!tr_clip_has_base(from))
        return TR_OK;
    uint32_t count = tr_clip_frame_count(from);
    tr_base *base = tr_allocate(&retarget->allocator, count, sizeof *base);
    if (!base)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for retargeting");
    for (uint32_t frame = 0; frame < count; frame++)
        base[frame] = scale_base(retarget, tr_clip_frame_base(from, frame));
    tr_status status = tr_clip_set_base(to, base, scale_base(retarget, tr_clip_advance(from)));
    tr_release(&retarget->allocator, base, count, sizeof *base);
    return status == TR_OK ? TR_OK : tr_fail(error, status, "the base point cannot be retargeted");
}

static tr_status copy_events(const tr_clip *from, tr_clip *to, tr_error *error) {
    for (uint32_t i = 0; i < tr_clip_event_count(from); i++) {
        tr_clip_event event = tr_clip_get_event(from, i);
        tr_status status = tr_clip_add_event(to, event.time, event.name);
        if (status != TR_OK)
            return tr_fail(error, status, "event %u cannot be retargeted", i);
    }
    return TR_OK;
}

tr_status tr_retarget_clip(tr_retarget *retarget, const tr_clip *from, tr_clip **to, tr_error *error) {
    *to = NULL;
    if (tr_clip_joint_count(from) != retarget->from_count)
        return tr_fail(error, TR_INVALID, "the clip has %u joints, the source skeleton %u",
                       tr_clip_joint_count(from), retarget->from_count);
    uint8_t *channels = tr_allocate(&retarget->allocator, retarget->joint_count, 1);
    if (!channels)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for retargeting");
    choose_channels(retarget, from, channels);
    tr_clip_def def = {.allocator = &retarget->allocator,
                       .name = tr_clip_name(from),
                       .skeleton = retarget->to.skeleton,
                       .channels = channels,
                       .frame_count = tr_clip_frame_count(from),
                       .frames_per_second = tr_clip_rate(from),
                       .loop = tr_clip_loops(from)};
    tr_clip *made = NULL;
    tr_status status = tr_clip_create(&def, &made, error);
    tr_release(&retarget->allocator, channels, retarget->joint_count, 1);
    kept_feet kept;
    swap_feet(retarget, &kept, false);
    if (status == TR_OK && retarget->level_soles && !retarget->is_copy)
        status = tr_retarget_level(retarget, from, error);
    if (status == TR_OK)
        status = copy_frames(retarget, from, made, error);
    if (status == TR_OK)
        status = copy_base(retarget, from, made, error);
    swap_feet(retarget, &kept, true);
    if (status == TR_OK)
        status = copy_events(from, made, error);
    if (status != TR_OK) {
        tr_clip_destroy(made);
        return status;
    }
    *to = made;
    return TR_OK;
}
