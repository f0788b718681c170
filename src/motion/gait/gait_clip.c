// From the states of a moving body to the frames of a clip: channels, contacts, events, and hips that come
// down where the legs would not reach.
#include "gait_parts.h"

tr_status tr_gait_create_clip(const tr_gait_rig *rig, const tr_clip_def *def, tr_clip **clip,
                              tr_error *error) {
    uint8_t *channels = tr_allocate(&rig->allocator, rig->joint_count, sizeof *channels);
    if (!channels)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the channels of %u joints", rig->joint_count);
    for (uint32_t i = 0; i < rig->joint_count; i++)
        channels[i] = tr_skeleton_joint(rig->skeleton, i).is_end ? 0 : TR_CHANNEL_TURNS;
    channels[rig->hips] = TR_CHANNEL_TURNS | TR_CHANNEL_MOVES;
    tr_clip_def made = *def;
    made.skeleton = rig->skeleton;
    made.channels = channels;
    tr_status status = tr_clip_create(&made, clip, error);
    tr_release(&rig->allocator, channels, rig->joint_count, sizeof *channels);
    return status;
}

uint32_t tr_gait_contacts(const tr_gait_state *state) {
    return state->feet[0].contacts | state->feet[1].contacts * (TR_CONTACT_RIGHT_HEEL / TR_CONTACT_LEFT_HEEL);
}

tr_status tr_gait_add_steps(tr_clip *clip, tr_error *error) {
    static const char *const names[2] = {"left_step", "right_step"};
    uint32_t frames = tr_clip_frame_count(clip);
    for (uint32_t i = tr_clip_loops(clip) ? 0 : 1; i < frames; i++) {
        uint32_t now = tr_clip_frame_contacts(clip, i);
        uint32_t before = tr_clip_frame_contacts(clip, i > 0 ? i - 1 : frames - 1);
        for (int side = 0; side < 2; side++) {
            uint32_t foot = side ? TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES
                                 : TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES;
            if (!(now & foot) || (before & foot))
                continue;
            tr_status status = tr_clip_add_event(clip, (double)i / tr_clip_rate(clip), names[side]);
            if (status != TR_OK)
                return tr_fail(error, status, "no memory for the events of a gait");
        }
    }
    return TR_OK;
}

// The number of frames to either side that the pelvis takes to come down in time and rise again without
// haste.
static uint32_t look_around(double rate) {
    return (uint32_t)(0.2 * rate + 0.5);
}

static uint32_t window_at(uint32_t i, uint32_t count, uint32_t wide, uint32_t share) {
    uint32_t end = (i < count - 1 - i ? i : count - 1 - i) / share;
    return wide < end ? wide : end;
}

void tr_gait_lower_hips(const tr_gait_rig *rig, double rate, tr_gait_state *states, uint32_t count,
                        double *lack, double *largest) {
    uint32_t wide = look_around(rate);
    for (uint32_t i = 0; i < count; i++) {
        lack[i] = tr_gait_excess(rig, &states[i]);
        lack[i] = lack[i] > 0 ? lack[i] : 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t window = window_at(i, count, wide, 1);
        largest[i] = 0;
        for (uint32_t k = i - window; k <= i + window; k++)
            largest[i] = lack[k] > largest[i] ? lack[k] : largest[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t window = window_at(i, count, wide, 2);
        double sum = 0;
        for (uint32_t k = i - window; k <= i + window; k++)
            sum += largest[k];
        states[i].up -= sum / (2 * window + 1);
    }
}
