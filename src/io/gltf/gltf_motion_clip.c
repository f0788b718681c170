#include "gltf_motion_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define AT_KEY 1e-4 // a frame this close to a key is the key [frames], plus the rounding of floats

// A channel on a joint, with the keys around the current time.
typedef struct gltf_track {
    const gltf_channel *channel;
    uint32_t joint;
    uint32_t key;      // the values below belong to it and to the next; TR_NONE: none read yet
    double begin, end; // times of the two keys
    double value[4], out_tangent[4], in_tangent[4], next[4];
} gltf_track;

typedef struct gltf_sampling {
    gltf_motion_reading *reading;
    const gltf_animation *animation;
    gltf_track *tracks;
    uint32_t track_count, track_capacity;
    uint8_t *channels; // TR_CHANNEL_*, of each joint
    tr_pose nodes;     // the pose of the nodes, which joints keep that no track moves,
    uint8_t *differs;  // and what differs from the pose at rest: TR_CHANNEL_*, of each joint
} gltf_sampling;

static double time_at(const gltf_accessor *input, uint32_t key) {
    double time;
    tr_gltf_read_numbers(input, key, &time);
    return time;
}

// The last key at or before `time`, or the first key.
static uint32_t find_key(const gltf_accessor *input, double time) {
    uint32_t low = 0, high = input->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (time_at(input, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static tr_status read_value(const gltf_sampling *sampling, const gltf_channel *channel, uint32_t element,
                            double value[4]) {
    const gltf_document *document = sampling->reading->document;
    value[3] = 0;
    tr_gltf_read_numbers(channel->output, element, value);
    for (int k = 0; k < 4; k++)
        if (!(fabs(value[k]) <= 1e30))
            return tr_json_fail(document->json, channel->output->value, document->error,
                                "has %g in element %u, it must be a number within 1e30 of 0", value[k],
                                element);
    return TR_OK;
}

static void normalize(double q[4]) {
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] = length > 1e-12 ? q[k] / length : (k == 3);
}

// The key at or before `time`. Usually it is the one after the last.
static uint32_t advance(const gltf_track *track, double time) {
    const gltf_accessor *input = track->channel->input;
    uint32_t next = track->key + 1; // 0 for a track that has not begun
    if (track->key != TR_NONE && next < input->count && time >= track->end &&
        (next + 1 == input->count || time < time_at(input, next + 1)))
        return next;
    return find_key(input, time);
}

// Reads the key and the one after it.
static tr_status load_key(const gltf_sampling *sampling, gltf_track *track, uint32_t key) {
    const gltf_channel *channel = track->channel;
    bool cubic = channel->interpolation == GLTF_CUBIC;
    uint32_t next = key + 1 < channel->input->count ? key + 1 : key;
    bool goes_on = track->key != TR_NONE && key == track->key + 1;
    tr_status status = TR_OK;
    if (goes_on)
        memcpy(track->value, track->next, sizeof track->value);
    else
        status = read_value(sampling, channel, cubic ? key * 3 + 1 : key, track->value);
    track->begin = goes_on ? track->end : time_at(channel->input, key);
    track->end = time_at(channel->input, next);
    track->key = key;
    if (status == TR_OK)
        status = read_value(sampling, channel, cubic ? next * 3 + 1 : next, track->next);
    if (status == TR_OK && cubic)
        status = read_value(sampling, channel, key * 3 + 2, track->out_tangent);
    if (status == TR_OK && cubic)
        status = read_value(sampling, channel, next * 3, track->in_tangent);
    return status;
}

static void blend_cubic(const gltf_track *track, double t, double value[4]) {
    double length = track->end - track->begin, t2 = t * t, t3 = t2 * t;
    for (int k = 0; k < 4; k++)
        value[k] = (2 * t3 - 3 * t2 + 1) * track->value[k] +
                   length * (t3 - 2 * t2 + t) * track->out_tangent[k] + (3 * t2 - 2 * t3) * track->next[k] +
                   length * (t3 - t2) * track->in_tangent[k];
}

static void blend_turn(const gltf_track *track, double t, double value[4]) {
    double a[4], b[4];
    memcpy(a, track->value, sizeof a);
    memcpy(b, track->next, sizeof b);
    normalize(a);
    normalize(b);
    tr_quat from = {(float)a[0], (float)a[1], (float)a[2], (float)a[3]};
    tr_quat to = {(float)b[0], (float)b[1], (float)b[2], (float)b[3]};
    tr_quat q = tr_quat_blend(from, to, (float)t);
    const double parts[4] = {q.x, q.y, q.z, q.w};
    memcpy(value, parts, sizeof parts);
}

// The value of a track at a time of the file, as the standard defines it.
static tr_status sample(const gltf_sampling *sampling, gltf_track *track, double time, double value[4]) {
    const gltf_channel *channel = track->channel;
    double slack = AT_KEY / sampling->animation->rate + fabs(time) * 2e-7;
    if (track->key == TR_NONE || time + slack >= track->end || time < track->begin) {
        uint32_t key = advance(track, time + slack);
        tr_status status = key == track->key ? TR_OK : load_key(sampling, track, key);
        if (status != TR_OK)
            return status;
    }
    memcpy(value, track->value, 4 * sizeof *value);
    bool inside = track->end > track->begin && time > track->begin + slack;
    if (inside && channel->interpolation != GLTF_STEP) {
        double t = (time - track->begin) / (track->end - track->begin);
        t = t < 1 ? t : 1;
        if (channel->interpolation == GLTF_CUBIC)
            blend_cubic(track, t, value);
        else if (channel->path == GLTF_ROTATION)
            blend_turn(track, t, value);
        else
            for (int k = 0; k < 4; k++)
                value[k] = track->value[k] + (track->next[k] - track->value[k]) * t;
    }
    if (channel->path == GLTF_ROTATION)
        normalize(value);
    return TR_OK;
}

static void set_value(const gltf_sampling *sampling, const gltf_track *track, const double value[4],
                      tr_pose *pose) {
    tr_transform transform = tr_pose_get(pose, track->joint);
    double unit = sampling->reading->options.metres_per_unit;
    for (int k = 0; k < 4; k++)
        if (track->channel->path == GLTF_ROTATION)
            (&transform.rotation.x)[k] = (float)value[k];
        else if (k < 3 && track->channel->path == GLTF_TRANSLATION)
            (&transform.position.x)[k] = (float)(value[k] * unit);
        else if (k < 3)
            (&transform.scale.x)[k] = (float)value[k];
    tr_pose_set(pose, track->joint, transform);
}

static tr_status fill_clip(gltf_sampling *sampling, const tr_skeleton *skeleton, tr_pose *pose,
                           tr_clip *clip) {
    for (uint32_t frame = 0; frame < sampling->animation->frame_count; frame++) {
        double time = sampling->animation->begin + frame / sampling->animation->rate, value[4];
        const gltf_loose_list *loose = &sampling->reading->loose;
        tr_pose_copy(pose, &sampling->nodes);
        for (uint32_t i = 0; i < sampling->track_count; i++) {
            tr_status status = sample(sampling, &sampling->tracks[i], time, value);
            if (status != TR_OK)
                return status;
            set_value(sampling, &sampling->tracks[i], value, pose);
        }
        tr_gltf_loose_hang(loose, skeleton, pose);
        if (tr_clip_set_frame(clip, frame, pose) != TR_OK)
            return tr_json_fail(sampling->reading->document->json, sampling->animation->value,
                                sampling->reading->document->error, "has a value that is too large at %g s",
                                time);
    }
    return TR_OK;
}

static uint8_t channel_bit(gltf_path path) {
    return path == GLTF_ROTATION      ? TR_CHANNEL_TURNS
           : path == GLTF_TRANSLATION ? TR_CHANNEL_MOVES
                                      : TR_CHANNEL_SCALES;
}

static uint8_t difference(tr_transform a, tr_transform b) {
    bool turns = memcmp(&a.rotation, &b.rotation, sizeof b.rotation) != 0,
         moves = memcmp(&a.position, &b.position, sizeof b.position) != 0,
         scales = memcmp(&a.scale, &b.scale, sizeof b.scale) != 0;
    return (uint8_t)((turns ? TR_CHANNEL_TURNS : 0) | (moves ? TR_CHANNEL_MOVES : 0) |
                     (scales ? TR_CHANNEL_SCALES : 0));
}

static tr_status read_nodes(gltf_sampling *sampling, const tr_skeleton *skeleton) {
    const gltf_motion_reading *reading = sampling->reading;
    tr_pose_set_rest(&sampling->nodes, skeleton);
    memset(sampling->differs, 0, reading->joint_count);
    for (uint32_t i = 0; i < reading->joint_count && reading->bent; i++) {
        tr_transform now;
        tr_status status = tr_gltf_motion_read_rest(reading, reading->nodes[i], &now);
        if (status != TR_OK)
            return status;
        sampling->differs[i] = difference(now, tr_skeleton_joint(skeleton, i).rest);
        if (sampling->differs[i])
            tr_pose_set(&sampling->nodes, i, now);
    }
    for (uint32_t i = 0; i < reading->loose.count; i++) {
        const gltf_loose *loose = &reading->loose.items[i];
        tr_pose_set(&sampling->nodes, loose->joint, loose->rest);
        sampling->differs[loose->joint] |= TR_CHANNEL_TURNS | TR_CHANNEL_MOVES;
    }
    return TR_OK;
}

// The channels that move joints of this figure; if several move the same one, the first counts.
static tr_status choose_tracks(gltf_sampling *sampling) {
    gltf_motion_reading *reading = sampling->reading;
    uint32_t again = 0;
    sampling->track_count = 0;
    memset(sampling->channels, 0, reading->joint_count);
    for (uint32_t i = 0; i < sampling->animation->channel_count; i++) {
        const gltf_channel *channel = &reading->channels[sampling->animation->first_channel + i];
        uint32_t joint = reading->joint[channel->node];
        if (joint == TR_NONE)
            continue;
        uint8_t bit = channel_bit(channel->path);
        again += (sampling->channels[joint] & bit) != 0;
        if (sampling->channels[joint] & bit)
            continue;
        sampling->channels[joint] |= bit;
        if (!tr_gltf_motion_more(reading, &sampling->tracks, &sampling->track_capacity, sampling->track_count,
                                 sizeof *sampling->tracks))
            return tr_gltf_motion_no_memory(reading);
        gltf_track track = {.channel = channel, .joint = joint, .key = TR_NONE};
        sampling->tracks[sampling->track_count++] = track;
    }
    for (uint32_t i = 0; i < reading->joint_count && sampling->track_count > 0; i++)
        sampling->channels[i] |= sampling->differs[i];
    if (again)
        tr_scene_note(&reading->document->reading,
                      "%u channels of an animation move joints that other channels move already", again);
    return TR_OK;
}

static tr_status check_frames(gltf_motion_reading *reading, const gltf_animation *animation,
                              const char *name) {
    if (animation->frame_count > TR_CLIP_FRAMES_MAX)
        return tr_fail(reading->document->error, TR_LIMIT,
                       "the animation \"%.80s\" has %" PRIu64 " frames at %g per second, the maximum is %u",
                       name, animation->frame_count, animation->rate, TR_CLIP_FRAMES_MAX);
    char what[128];
    snprintf(what, sizeof what, "the animation \"%.80s\"", name);
    return tr_gltf_motion_spend(reading, animation->frame_count * reading->joint_count, what);
}

static tr_status make_clip(gltf_sampling *sampling, const char *name, tr_pose *pose, tr_figure *figure) {
    gltf_motion_reading *reading = sampling->reading;
    tr_status status = check_frames(reading, sampling->animation, name);
    if (status != TR_OK)
        return status;
    tr_clip *clip = NULL;
    tr_clip_def def = {.allocator = &reading->result,
                       .name = name,
                       .skeleton = figure->skeleton,
                       .channels = sampling->channels,
                       .frame_count = (uint32_t)sampling->animation->frame_count,
                       .frames_per_second = sampling->animation->rate};
    status = tr_clip_create(&def, &clip, reading->document->error);
    if (status == TR_OK)
        status = fill_clip(sampling, figure->skeleton, pose, clip);
    if (status == TR_OK)
        status = tr_gltf_motion_read_labels(reading, sampling->animation, clip);
    if (status == TR_OK && tr_figure_add_clip(figure, clip) != TR_OK)
        status = tr_gltf_motion_no_memory(reading);
    if (status != TR_OK)
        tr_clip_destroy(clip);
    return status;
}

static tr_status make_clips(gltf_sampling *sampling, tr_name_set *names, tr_pose *pose, tr_figure *figure) {
    gltf_motion_reading *reading = sampling->reading;
    const tr_json *json = reading->document->json;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < reading->animation_count && status == TR_OK; i++) {
        sampling->animation = &reading->animations[i];
        status = tr_gltf_motion_spend(reading, sampling->animation->channel_count, "channels");
        if (status == TR_OK)
            status = choose_tracks(sampling);
        if (status != TR_OK || sampling->track_count == 0)
            continue;
        char label[32];
        snprintf(label, sizeof label, "animation_%u", sampling->animation->number);
        const char *name = tr_json_text(json, tr_json_member(json, sampling->animation->value, "name"), NULL);
        name = tr_name_set_add(names, name[0] ? name : label);
        status = name ? make_clip(sampling, name, pose, figure) : tr_gltf_motion_no_memory(reading);
    }
    return status;
}

tr_status tr_gltf_motion_make_clips(gltf_motion_reading *reading, tr_figure *figure) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    gltf_sampling sampling = {.reading = reading};
    tr_name_set names = tr_name_set_begin(allocator);
    tr_pose pose = {0};
    tr_error *error = reading->document->error;
    sampling.channels = tr_allocate(allocator, reading->joint_count, 1);
    sampling.differs = tr_allocate(allocator, reading->joint_count, 1);
    tr_status status = sampling.channels && sampling.differs ? TR_OK : tr_gltf_motion_no_memory(reading);
    if (status == TR_OK)
        status = tr_pose_create(allocator, reading->joint_count, &pose, error);
    if (status == TR_OK)
        status = tr_pose_create(allocator, reading->joint_count, &sampling.nodes, error);
    if (status == TR_OK)
        status = read_nodes(&sampling, figure->skeleton);
    if (status == TR_OK)
        status = make_clips(&sampling, &names, &pose, figure);
    if (pose.joint_count)
        tr_pose_destroy(&pose);
    if (sampling.nodes.joint_count)
        tr_pose_destroy(&sampling.nodes);
    tr_name_set_end(&names);
    tr_release(allocator, sampling.channels, reading->joint_count, 1);
    tr_release(allocator, sampling.differs, reading->joint_count, 1);
    tr_release(allocator, sampling.tracks, sampling.track_capacity, sizeof *sampling.tracks);
    return status;
}
