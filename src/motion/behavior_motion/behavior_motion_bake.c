// The chain as a clip.
#include "behavior_motion_data.h"

#define ROUNDS 1e-9 // of times [s]

// A joint changes if a clip changes it. Hips that are lowered move.
static void join_channels(const tr_behavior_motion *motion, uint8_t *channels) {
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    for (uint32_t i = 0; i < motion->joint_count; i++)
        channels[i] = (uint8_t)(TR_CHANNEL_TURNS | (parents[i] == TR_NONE ? TR_CHANNEL_MOVES : 0));
    if (motion->hips != TR_NONE)
        channels[motion->hips] |= TR_CHANNEL_MOVES;
    for (uint32_t s = 0; s < motion->step_count; s++)
        for (uint32_t which = 0; which < 1 + (uint32_t)(motion->steps[s].is.share > 0); which++) {
            const uint8_t *more = tr_clip_channels(motion->clips[motion->steps[s].is.clips[which]].clip);
            for (uint32_t i = 0; i < motion->joint_count; i++)
                channels[i] |= more[i];
        }
}

typedef struct baking {
    const tr_behavior_motion *motion;
    tr_pose pose, scratch;
    tr_affine *model;
    tr_base *bases;
    uint8_t *channels;
    uint32_t frames;
    double rate;
} baking;

static tr_status make_room(baking *b, const tr_allocator *own, tr_error *error) {
    uint32_t joints = b->motion->joint_count;
    tr_status status = tr_pose_create(own, joints, &b->pose, error);
    if (status == TR_OK)
        status = tr_pose_create(own, joints, &b->scratch, error);
    b->model = tr_allocate(own, joints, sizeof *b->model);
    b->channels = tr_allocate(own, joints, sizeof *b->channels);
    b->bases = tr_allocate(own, b->frames, sizeof *b->bases);
    if (status == TR_OK && !(b->model && b->channels && b->bases))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory to bake %u frames", b->frames);
    return status;
}

static void release_room(baking *b, const tr_allocator *own) {
    tr_release(own, b->bases, b->frames, sizeof *b->bases);
    tr_release(own, b->channels, b->motion->joint_count, sizeof *b->channels);
    tr_release(own, b->model, b->motion->joint_count, sizeof *b->model);
    tr_pose_destroy(&b->scratch);
    tr_pose_destroy(&b->pose);
}

static tr_status bake_frames(baking *b, tr_clip *clip, tr_error *error) {
    const tr_behavior_motion *motion = b->motion;
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    for (uint32_t k = 0; k < b->frames; k++) {
        double time = k / b->rate + ROUNDS;
        tr_affine place;
        uint32_t contacts = tr_behavior_motion_sample(motion, time, &b->pose, &b->scratch, &place, b->model);
        time = time < motion->duration ? time : motion->duration;
        b->bases[k] = tr_motion_base(motion, time);
        float ground = tr_motion_ground(motion, time) + tr_motion_climbed(motion, time);
        for (uint32_t i = 0; i < motion->joint_count; i++)
            if (parents[i] == TR_NONE)
                b->pose.position[1][i] += ground;
        if (tr_clip_set_frame(clip, k, &b->pose) != TR_OK)
            return tr_fail(error, TR_INVALID, "frame %u of the motion is not finite", k);
        tr_clip_set_contacts(clip, k, contacts);
    }
    tr_base first = b->bases[0], last = b->bases[b->frames - 1];
    return tr_clip_set_base(clip, b->bases, tr_base_difference(first, last));
}

// The events of the clip that is played, at the times at which it plays them.
static tr_status bake_events(const baking *b, tr_clip *clip) {
    const tr_behavior_motion *motion = b->motion;
    double end = tr_clip_duration(clip);
    tr_status status = TR_OK;
    for (uint32_t s = 0; s < motion->step_count; s++) {
        const motion_step *step = &motion->steps[s];
        const tr_behavior_motion_clip *is = &motion->clips[step->is.clips[step->is.share > 0.5f]];
        double rate = tr_clip_rate(is->clip), first = is->first / rate;
        double slower = step->seconds / ((is->last - is->first) / rate);
        uint32_t count = tr_clip_event_count(is->clip);
        for (uint32_t i = 0; i < count && status == TR_OK; i++) {
            tr_clip_event event = tr_clip_get_event(is->clip, i);
            double since = (event.time - first) * slower, time = step->begin + since;
            bool begins = s == 0 && since > -ROUNDS;
            if ((since > ROUNDS || begins) && since < step->seconds + ROUNDS)
                status = tr_clip_add_event(clip, time < 0 ? 0 : time < end ? time : end, event.name);
        }
    }
    return status;
}

tr_status tr_behavior_motion_bake(const tr_behavior_motion *motion, const tr_allocator *allocator,
                                  double frames_per_second, tr_clip **clip, tr_error *error) {
    *clip = NULL;
    if (motion->step_count == 0)
        return tr_fail(error, TR_INVALID, "the motion of behaviors has no chain");
    if (!(frames_per_second > 0 && frames_per_second <= 10000))
        return tr_fail(error, TR_INVALID, "%g frames per second, it must be above 0 and at most 10000",
                       frames_per_second);
    double frames = floor(motion->duration * frames_per_second + 1e-6) + 1;
    if (!(frames <= TR_CLIP_FRAMES_MAX))
        return tr_fail(error, TR_LIMIT, "the clip would have %g frames, the most is %u", frames,
                       TR_CLIP_FRAMES_MAX);
    tr_allocator own = tr_allocator_or_default(allocator);
    baking b = {.motion = motion, .frames = (uint32_t)frames, .rate = frames_per_second};
    tr_status status = make_room(&b, &own, error);
    if (status == TR_OK) {
        join_channels(motion, b.channels);
        tr_clip_def def = {.allocator = allocator,
                           .name = "behaviors",
                           .skeleton = motion->skeleton,
                           .channels = b.channels,
                           .frame_count = b.frames,
                           .frames_per_second = frames_per_second};
        status = tr_clip_create(&def, clip, error);
    }
    if (status == TR_OK)
        status = bake_frames(&b, *clip, error);
    if (status == TR_OK)
        status = bake_events(&b, *clip);
    release_room(&b, &own);
    if (status == TR_OUT_OF_MEMORY)
        tr_fail(error, status, "no memory for a clip of %u frames", b.frames);
    if (status != TR_OK) {
        tr_clip_destroy(*clip);
        *clip = NULL;
    }
    return status;
}
