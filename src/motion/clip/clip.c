#include "clip_data.h"
#include "motion/skeleton/pose_loops.h"
#include "motion/skeleton/skeleton_data.h"

#include <string.h>

static tr_status check_def(const tr_clip_def *def, tr_error *error) {
    if (!def || !def->skeleton)
        return tr_fail(error, TR_INVALID, "a clip needs a skeleton");
    if (def->frame_count == 0 || def->frame_count > TR_CLIP_FRAMES_MAX)
        return tr_fail(error, TR_INVALID, "the clip has %u frames, it must have 1 to %u", def->frame_count,
                       TR_CLIP_FRAMES_MAX);
    if (!(def->frames_per_second > 0 && def->frames_per_second <= 10000))
        return tr_fail(error, TR_INVALID,
                       "the clip has %g frames per second, it must have more than 0 and at most 10000",
                       def->frames_per_second);
    return TR_OK;
}

static uint8_t channels_of(const tr_clip_def *def, uint32_t joint) {
    if (def->channels)
        return def->channels[joint];
    bool is_root = tr_skeleton_parents(def->skeleton)[joint] == TR_NONE;
    return is_root ? TR_CHANNEL_TURNS | TR_CHANNEL_MOVES : TR_CHANNEL_TURNS;
}

static void count_channels(tr_clip *clip, const tr_clip_def *def) {
    for (uint32_t i = 0; i < clip->joint_count; i++) {
        uint8_t channels = channels_of(def, i);
        clip->moving_count += (channels & TR_CHANNEL_MOVES) != 0;
        clip->scaling_count += (channels & TR_CHANNEL_SCALES) != 0;
    }
}

static bool allocate_frames(tr_clip *clip) {
    size_t frames = clip->frame_count;
    const tr_allocator *allocator = &clip->allocator;
    clip->channels = tr_allocate(allocator, clip->joint_count, 1);
    clip->contacts = tr_allocate_zero(allocator, frames, 1);
    clip->rotations = tr_allocate(allocator, frames * clip->stride, 4 * sizeof(float));
    clip->moving = tr_allocate(allocator, clip->moving_count, sizeof *clip->moving);
    clip->scaling = tr_allocate(allocator, clip->scaling_count, sizeof *clip->scaling);
    clip->positions = tr_allocate(allocator, frames * clip->moving_count, 3 * sizeof(float));
    clip->scales = tr_allocate(allocator, frames * clip->scaling_count, 3 * sizeof(float));
    return clip->channels && clip->contacts && clip->rotations && clip->moving && clip->scaling &&
           clip->positions && clip->scales;
}

static void list_channels(tr_clip *clip, const tr_clip_def *def) {
    uint32_t moving = 0, scaling = 0;
    for (uint32_t i = 0; i < clip->joint_count; i++) {
        clip->channels[i] = channels_of(def, i);
        if (clip->channels[i] & TR_CHANNEL_MOVES)
            clip->moving[moving++] = i;
        if (clip->channels[i] & TR_CHANNEL_SCALES)
            clip->scaling[scaling++] = i;
    }
}

tr_status tr_clip_create(const tr_clip_def *def, tr_clip **clip, tr_error *error) {
    *clip = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_clip *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip");
    made->allocator = allocator;
    made->joint_count = tr_skeleton_joint_count(def->skeleton);
    made->stride = (made->joint_count + 3) / 4 * 4;
    made->frame_count = def->frame_count;
    made->rate = def->frames_per_second;
    made->loop = def->loop;
    count_channels(made, def);
    if (tr_pose_create(&allocator, made->joint_count, &made->fixed, NULL) != TR_OK ||
        !allocate_frames(made) || tr_clip_set_name(made, def->name) != TR_OK) {
        tr_clip_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip of %u joints and %u frames",
                       tr_skeleton_joint_count(def->skeleton), def->frame_count);
    }
    list_channels(made, def);
    tr_pose_set_rest(&made->fixed, def->skeleton);
    made->scaled = made->fixed.scaled || made->scaling_count > 0;
    for (uint32_t frame = 0; frame < made->frame_count; frame++)
        tr_clip_set_frame(made, frame, &made->fixed);
    *clip = made;
    return TR_OK;
}

void tr_clip_destroy(tr_clip *clip) {
    if (!clip)
        return;
    tr_allocator allocator = clip->allocator;
    size_t frames = clip->frame_count;
    for (uint32_t i = 0; i < clip->event_count; i++)
        tr_release(&allocator, clip->events[i].name, clip->events[i].name_size, 1);
    tr_release(&allocator, clip->events, clip->event_capacity, sizeof *clip->events);
    tr_release(&allocator, clip->base, frames, sizeof *clip->base);
    tr_release(&allocator, clip->scales, frames * clip->scaling_count, 3 * sizeof(float));
    tr_release(&allocator, clip->positions, frames * clip->moving_count, 3 * sizeof(float));
    tr_release(&allocator, clip->scaling, clip->scaling_count, sizeof *clip->scaling);
    tr_release(&allocator, clip->moving, clip->moving_count, sizeof *clip->moving);
    tr_release(&allocator, clip->rotations, frames * clip->stride, 4 * sizeof(float));
    tr_release(&allocator, clip->contacts, frames, 1);
    tr_release(&allocator, clip->channels, clip->joint_count, 1);
    tr_release(&allocator, clip->name, clip->name_size, 1);
    tr_pose_destroy(&clip->fixed);
    tr_release(&allocator, clip, 1, sizeof *clip);
}

const char *tr_clip_name(const tr_clip *clip) {
    return clip->name;
}

tr_status tr_clip_set_name(tr_clip *clip, const char *name) {
    size_t size = strlen(name ? name : "") + 1;
    char *copy = tr_allocate(&clip->allocator, size, 1);
    if (!copy)
        return TR_OUT_OF_MEMORY;
    memcpy(copy, name ? name : "", size);
    tr_release(&clip->allocator, clip->name, clip->name_size, 1);
    clip->name = copy;
    clip->name_size = size;
    return TR_OK;
}

uint32_t tr_clip_joint_count(const tr_clip *clip) {
    return clip->joint_count;
}

uint32_t tr_clip_frame_count(const tr_clip *clip) {
    return clip->frame_count;
}

double tr_clip_rate(const tr_clip *clip) {
    return clip->rate;
}

bool tr_clip_loops(const tr_clip *clip) {
    return clip->loop;
}

double tr_clip_duration(const tr_clip *clip) {
    return (clip->loop ? clip->frame_count : clip->frame_count - 1) / clip->rate;
}

const uint8_t *tr_clip_channels(const tr_clip *clip) {
    return clip->channels;
}

uint64_t tr_clip_bytes(const tr_clip *clip) {
    uint64_t frames = clip->frame_count;
    return sizeof *clip + clip->name_size + clip->joint_count + frames +
           frames * (16 * (uint64_t)clip->stride + 12 * (uint64_t)clip->moving_count +
                     12 * (uint64_t)clip->scaling_count) +
           (clip->base ? frames * sizeof *clip->base : 0) + (uint64_t)clip->stride * 10 * sizeof(float) +
           clip->event_capacity * sizeof *clip->events;
}

static float *rotations_of(const tr_clip *clip, uint32_t frame) {
    return clip->rotations + (size_t)frame * clip->stride * 4;
}

static bool is_finite_pose(const tr_clip *clip, const tr_pose *pose) {
    float sum = 0; // any NaN or infinity times zero makes it NaN
    for (uint32_t i = 0; i < clip->joint_count; i++) {
        for (int part = 0; part < 4; part++)
            sum += pose->rotation[part][i] * 0;
        for (int axis = 0; axis < 3; axis++)
            sum += pose->position[axis][i] * 0 + (pose->scaled ? pose->scale[axis][i] * 0 : 0);
    }
    return sum == 0;
}

tr_status tr_clip_set_frame(tr_clip *clip, uint32_t frame, const tr_pose *pose) {
    if (frame >= clip->frame_count || pose->joint_count != clip->joint_count || !is_finite_pose(clip, pose))
        return TR_INVALID;
    float *rotations = rotations_of(clip, frame);
    for (uint32_t i = 0; i < clip->stride; i++) {
        bool kept = i < clip->joint_count && (clip->channels[i] & TR_CHANNEL_TURNS);
        tr_quat q = kept ? tr_quat_normalize(tr_pose_rotation(pose, i)) : tr_pose_rotation(&clip->fixed, i);
        for (int part = 0; part < 4; part++)
            rotations[(size_t)part * clip->stride + i] = (&q.x)[part];
    }
    float *positions = clip->positions + (size_t)frame * clip->moving_count * 3;
    for (uint32_t i = 0; i < clip->moving_count; i++)
        for (int axis = 0; axis < 3; axis++)
            positions[i * 3 + (uint32_t)axis] = pose->position[axis][clip->moving[i]];
    float *scales = clip->scales + (size_t)frame * clip->scaling_count * 3;
    for (uint32_t i = 0; i < clip->scaling_count; i++)
        for (int axis = 0; axis < 3; axis++)
            scales[i * 3 + (uint32_t)axis] = pose->scaled ? pose->scale[axis][clip->scaling[i]] : 1;
    return TR_OK;
}

// Between two frames; `part_of_way` 0 gives the first one exactly, except for the rounding of its length.
static void mix_frames(const tr_clip *clip, uint32_t from, uint32_t to, float part_of_way, tr_pose *pose) {
    const float *a[4], *b[4];
    for (uint32_t part = 0; part < 4; part++) {
        a[part] = rotations_of(clip, from) + (size_t)part * clip->stride;
        b[part] = rotations_of(clip, to) + (size_t)part * clip->stride;
    }
    tr_pose_loops()->mix_rotations(a, b, part_of_way, clip->stride, pose->rotation);
}

// Positions or scales of the joints that have a track.
static void mix_vectors(const float *a, const float *b, float t, const uint32_t *joints, uint32_t count,
                        float *const arrays[3]) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            arrays[axis][joints[i]] = a[i * 3 + axis] * (1 - t) + b[i * 3 + axis] * t;
}

static void mix_all(const tr_clip *clip, uint32_t from, uint32_t to, float t, tr_pose *pose) {
    memcpy(pose->position[0], clip->fixed.position[0], (size_t)clip->stride * 3 * sizeof(float));
    mix_frames(clip, from, to, t, pose);
    size_t moving = (size_t)clip->moving_count * 3, scaling = (size_t)clip->scaling_count * 3;
    mix_vectors(clip->positions + moving * from, clip->positions + moving * to, t, clip->moving,
                clip->moving_count, pose->position);
    pose->scaled = clip->scaled;
    if (!clip->scaled)
        return;
    memcpy(pose->scale[0], clip->fixed.scale[0], (size_t)clip->stride * 3 * sizeof(float));
    mix_vectors(clip->scales + scaling * from, clip->scales + scaling * to, t, clip->scaling,
                clip->scaling_count, pose->scale);
}

tr_status tr_clip_get_frame(const tr_clip *clip, uint32_t frame, tr_pose *pose) {
    if (frame >= clip->frame_count || pose->joint_count != clip->joint_count)
        return TR_INVALID;
    mix_all(clip, frame, frame, 0, pose);
    for (int part = 0; part < 4; part++) // exactly as stored
        memcpy(pose->rotation[part], rotations_of(clip, frame) + (size_t)part * clip->stride,
               clip->stride * sizeof(float));
    return TR_OK;
}

clip_moment tr_clip_moment(const tr_clip *clip, double time) {
    clip_moment moment = {0, 0, 0};
    double at = time * clip->rate, count = clip->frame_count;
    if (!(at > -1e15 && at < 1e15))
        return moment;
    if (clip->loop) {
        at -= floor(at / count) * count;
        at = at < 0 || at >= count ? 0 : at;
    } else {
        at = at < 0 ? 0 : at > count - 1 ? count - 1 : at;
    }
    moment.frame = (uint32_t)at;
    moment.next = moment.frame + 1 < clip->frame_count ? moment.frame + 1 : clip->loop ? 0 : moment.frame;
    moment.part = (float)(at - moment.frame);
    return moment;
}

void tr_clip_sample(const tr_clip *clip, double time, tr_pose *pose) {
    if (pose->joint_count != clip->joint_count)
        return;
    clip_moment moment = tr_clip_moment(clip, time);
    mix_all(clip, moment.frame, moment.next, moment.part, pose);
}
