// The MOTION of a BVH file: frames of channel values.
#include "bvh_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define RATE_OTHERWISE 30.0
#define RATE_MAX 10000.0

static tr_status expect(bvh_reader *reader, const char *first, const char *second, const char *both,
                        const char *name) {
    bvh_word word = tr_bvh_next(reader);
    uint32_t line = reader->line;
    bool good = tr_bvh_is(word, first) && (!second || tr_bvh_is(tr_bvh_next(reader), second));
    if (!good && !(both && tr_bvh_is(word, both)))
        return tr_bvh_fail(reader, line, "found \"%.*s\", expected %s", (int)word.length, word.text, name);
    if (tr_bvh_is(tr_bvh_peek(reader), ":"))
        tr_bvh_next(reader);
    return TR_OK;
}

// .0083333 means 120 frames per second.
static double rate_of(double frame_time) {
    double rate = 1 / frame_time, whole = floor(rate + 0.5);
    return whole >= 1 && fabs(rate - whole) <= 1e-4 * whole ? whole : rate;
}

static tr_status read_rate(bvh_reader *reader) {
    tr_status status = expect(reader, "frame", "time", "frametime", "Frame Time");
    if (status == TR_OK)
        status = tr_bvh_number(reader, "Frame Time", 1e9, &reader->frame_time);
    if (status != TR_OK)
        return status;
    reader->no_rate = !(reader->frame_time > 0 && rate_of(reader->frame_time) <= RATE_MAX);
    reader->rate = reader->no_rate ? RATE_OTHERWISE : rate_of(reader->frame_time);
    return TR_OK;
}

// The layout of the values after the header: usually one frame per line.
typedef struct bvh_layout {
    uint64_t values, lines;
    uint32_t odd_line;   // the first line whose number of values differs from that of a frame, 0 for none
    uint64_t odd_values; // on that line
    bool odd_is_last;
} bvh_layout;

static void end_line(const bvh_reader *reader, bvh_layout *layout, uint64_t values, uint32_t line) {
    if (values == 0)
        return;
    layout->lines++;
    layout->values += values;
    layout->odd_is_last = false;
    if (values != reader->channel_count && layout->odd_line == 0) {
        layout->odd_line = line;
        layout->odd_values = values;
        layout->odd_is_last = true;
    }
}

static bvh_layout look_ahead(const bvh_reader *reader) {
    bvh_layout layout = {0};
    uint32_t line = reader->line;
    uint64_t values = 0;
    bool inside = false;
    for (const char *at = reader->at; at < reader->end; at++) {
        bool ends = *at == '\n' || (*at == '\r' && !(at + 1 < reader->end && at[1] == '\n'));
        bool blank = *at == ' ' || (*at >= '\t' && *at <= '\r');
        values += !blank && !inside;
        inside = !blank;
        if (ends) {
            end_line(reader, &layout, values, line++);
            values = 0;
        }
    }
    end_line(reader, &layout, values, line);
    return layout;
}

// Uses the declared number of frames if the values match it, and counts lines otherwise.
static tr_status count_frames(bvh_reader *reader) {
    bvh_layout layout = look_ahead(reader);
    uint64_t channels = reader->channel_count;
    bool exact =
        channels && layout.values % channels == 0 && layout.values / channels == reader->frames_declared;
    if (channels == 0) {
        reader->frames_present = reader->frames_declared < 1 ? 0 : 1;
        return TR_OK;
    }
    if (exact || layout.odd_line == 0) {
        reader->frames_present = layout.values / channels;
        return TR_OK;
    }
    if (!layout.odd_is_last || layout.odd_values > channels)
        return tr_bvh_fail(reader, layout.odd_line, "the line has %llu values, but a frame has %llu",
                           (unsigned long long)layout.odd_values, (unsigned long long)channels);
    reader->cut_short = true;
    reader->frames_present = layout.lines - 1;
    return TR_OK;
}

static tr_status over_limit(const bvh_reader *reader, const char *what, uint64_t value, uint64_t most) {
    return tr_fail(reader->error, TR_LIMIT, "%s are %llu, the maximum is %llu", what,
                   (unsigned long long)value, (unsigned long long)most);
}

// A clip stores a rotation of each joint in each frame, even for joints without channels: a short file must
// not cause a large allocation that way.
static tr_status check_limits(const bvh_reader *reader, size_t size) {
    uint64_t frames = reader->frame_count, joints = reader->joint_count;
    uint64_t values = frames * (reader->channel_count > joints ? reader->channel_count : joints);
    uint64_t most = ((uint64_t)1 << 18) + 32 * (uint64_t)size;
    if (values > TR_BVH_VALUES_MAX)
        return over_limit(reader, "frames times channels", values, TR_BVH_VALUES_MAX);
    if (frames * joints > most)
        return over_limit(reader, "frames times joints of a file of this size", frames * joints, most);
    return TR_OK;
}

tr_status tr_bvh_read_motion_header(bvh_reader *reader) {
    double frames;
    const char *begin = reader->at;
    tr_status status = expect(reader, "frames", NULL, NULL, "Frames");
    if (status == TR_OK)
        status = tr_bvh_number(reader, "Frames", 1e15, &frames);
    if (status != TR_OK)
        return status;
    if (!(frames >= 0 && frames == floor(frames)))
        return tr_bvh_fail(reader, reader->line, "Frames is %g, it must be a whole number", frames);
    reader->frames_declared = (uint64_t)frames;
    status = read_rate(reader);
    if (status == TR_OK)
        status = count_frames(reader);
    if (status != TR_OK)
        return status;
    uint64_t count =
        reader->frames_declared < reader->frames_present ? reader->frames_declared : reader->frames_present;
    if (count == 0 && reader->frames_declared > 0)
        return tr_bvh_fail(reader, reader->line, "Frames is %g, but there is no complete frame", frames);
    if (count > TR_CLIP_FRAMES_MAX)
        return over_limit(reader, "frames", count, TR_CLIP_FRAMES_MAX);
    reader->frame_count = (uint32_t)count;
    return check_limits(reader, (size_t)(reader->end - begin));
}

typedef struct quaternion {
    double x, y, z, w;
} quaternion;

// q times a rotation about one of the axes [degrees].
static quaternion turn(quaternion q, int axis, double angle) {
    double s, c;
    tr_sin_cos(angle * (TR_PI / 360), &s, &c);
    quaternion r = {q.x * c, q.y * c, q.z * c, q.w * c};
    switch (axis) {
    case 0:
        r.x += q.w * s, r.y += q.z * s, r.z -= q.y * s, r.w -= q.x * s;
        return r;
    case 1:
        r.x -= q.z * s, r.y += q.w * s, r.z += q.x * s, r.w -= q.y * s;
        return r;
    default:
        r.x += q.y * s, r.y -= q.x * s, r.z += q.w * s, r.w -= q.z * s;
        return r;
    }
}

static const char *channel_name(uint8_t kind) {
    return kind < BVH_ROTATION ? "a position" : kind < BVH_SCALE ? "a rotation" : "a scale";
}

// Reads the channels of one joint, starting at `first`, which becomes the first of the next joint. `whole`
// stays true while all angles are whole numbers.
static tr_status read_joint(bvh_reader *reader, uint32_t *first, tr_pose *pose, bool *whole) {
    uint32_t number = reader->channels[*first].joint;
    const bvh_joint *joint = &reader->joints[number];
    double position[3] = {joint->offset[0], joint->offset[1], joint->offset[2]};
    quaternion q = {0, 0, 0, 1};
    for (; *first < reader->channel_count && reader->channels[*first].joint == number; ++*first) {
        uint8_t kind = reader->channels[*first].kind;
        bool turns = kind >= BVH_ROTATION && kind < BVH_SCALE;
        double value, most = turns ? BVH_ANGLE_MAX : BVH_VALUE_MAX;
        tr_status status = tr_bvh_number(reader, channel_name(kind), most, &value);
        if (status != TR_OK)
            return status;
        if (kind < BVH_ROTATION)
            position[kind] = value;
        if (turns)
            q = turn(q, kind - BVH_ROTATION, value);
        *whole = *whole && !(turns && value != floor(value));
    }
    double unit = reader->metres_per_unit;
    tr_transform local = {
        {(float)(position[0] * unit), (float)(position[1] * unit), (float)(position[2] * unit)},
        {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
        {1, 1, 1}};
    tr_pose_set(pose, number, local);
    return TR_OK;
}

tr_status tr_bvh_read_frames(bvh_reader *reader, const tr_skeleton *skeleton, tr_clip *clip) {
    tr_pose pose;
    tr_status status = tr_pose_create(&reader->allocator, reader->joint_count, &pose, reader->error);
    if (status != TR_OK)
        return status;
    tr_pose_set_rest(&pose, skeleton);
    uint32_t skipped = reader->frame_count - tr_clip_frame_count(clip);
    bool first_whole = false;
    for (uint32_t frame = 0; frame < reader->frame_count && status == TR_OK; frame++) {
        bool whole = true;
        for (uint32_t channel = 0; channel < reader->channel_count && status == TR_OK;)
            status = read_joint(reader, &channel, &pose, &whole);
        first_whole = frame == 0 ? whole : first_whole;
        reader->looks_added = reader->looks_added || (frame == 1 && first_whole && !whole);
        if (status == TR_OK && frame >= skipped && tr_clip_set_frame(clip, frame - skipped, &pose) != TR_OK)
            status = tr_bvh_fail(reader, reader->line, "frame %u has a value that is too large", frame);
    }
    tr_pose_destroy(&pose);
    return status;
}
