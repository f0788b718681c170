// The HIERARCHY of a BVH file: joints, their offsets and channels.
#include "bvh_data.h"

#include <string.h>

static tr_status read_vector(bvh_reader *reader, double *vector) {
    static const char *const parts[3] = {"x of an OFFSET", "y of an OFFSET", "z of an OFFSET"};
    tr_status status = TR_OK;
    for (int axis = 0; axis < 3 && status == TR_OK; axis++)
        status = tr_bvh_number(reader, parts[axis], BVH_VALUE_MAX, &vector[axis]);
    return status;
}

static tr_status read_offset(bvh_reader *reader, bvh_joint *joint) {
    if (joint->has_offset)
        return tr_bvh_fail(reader, reader->line, "a joint has a second OFFSET");
    joint->has_offset = true;
    return read_vector(reader, joint->offset);
}

// "Xposition", "Zrotation": the number of the kind, BVH_KINDS for anything else.
static int channel_kind(bvh_word word) {
    static const char *const names[BVH_KINDS] = {"xposition", "yposition", "zposition",
                                                 "xrotation", "yrotation", "zrotation",
                                                 "xscale",    "yscale",    "zscale"};
    int kind = 0;
    while (kind < BVH_KINDS && !tr_bvh_is(word, names[kind]))
        kind++;
    return kind;
}

static tr_status add_channel(bvh_reader *reader, uint32_t number) {
    tr_bvh_skip_blanks(reader);
    uint32_t line = reader->line;
    bvh_word word = tr_bvh_next(reader);
    int kind = channel_kind(word);
    if (kind == BVH_KINDS)
        return tr_bvh_fail(
            reader, line,
            "a channel is \"%.*s\", it must be an axis X, Y or Z and position, rotation or scale",
            (int)word.length, word.text);
    void *channels = reader->channels;
    bool room = tr_reserve(&reader->allocator, &channels, &reader->channel_capacity,
                           (uint64_t)reader->channel_count + 1, sizeof *reader->channels);
    reader->channels = channels;
    if (!room)
        return tr_bvh_no_memory(reader);
    reader->channels[reader->channel_count++] = (bvh_channel){number, (uint8_t)kind};
    bvh_joint *joint = &reader->joints[number];
    joint->moves |= kind < BVH_ROTATION;
    joint->turns |= kind >= BVH_ROTATION && kind < BVH_SCALE;
    if (kind >= BVH_SCALE)
        tr_bvh_count_oddity(&reader->scaled, line);
    return TR_OK;
}

static tr_status read_channels(bvh_reader *reader, uint32_t joint) {
    double count;
    if (reader->joints[joint].has_channels)
        return tr_bvh_fail(reader, reader->line, "a joint has a second CHANNELS");
    reader->joints[joint].has_channels = true;
    tr_status status = tr_bvh_number(reader, "the number of CHANNELS", 1e9, &count);
    if (status != TR_OK)
        return status;
    if (!(count >= 0 && count <= BVH_CHANNELS_MAX && count == (double)(uint32_t)count))
        return tr_bvh_fail(reader, reader->line, "a joint has %g channels, it must be 0 to %d", count,
                           BVH_CHANNELS_MAX);
    for (uint32_t i = 0; i < (uint32_t)count && status == TR_OK; i++)
        status = add_channel(reader, joint);
    return status;
}

// The name is the rest of the line up to a brace: names may contain blanks and colons.
static void read_name(bvh_reader *reader, bvh_joint *joint) {
    const char *begin = reader->at, *at = begin;
    while (at < reader->end && *at != '{' && *at != '\n' && *at != '\r')
        at++;
    reader->at = at;
    while (begin < at && (*begin == ' ' || *begin == '\t'))
        begin++;
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    size_t length = (size_t)(at - begin);
    if (length > BVH_NAME_MAX && !joint->is_end)
        tr_bvh_count_oddity(&reader->long_name, joint->line);
    joint->name = begin;
    joint->name_length = (uint32_t)(length < BVH_NAME_MAX ? length : BVH_NAME_MAX);
}

static tr_status begin_joint(bvh_reader *reader, bool is_end, uint32_t *current) {
    if (reader->joint_count == TR_SKELETON_JOINTS_MAX) {
        tr_fail(reader->error, TR_LIMIT, "there are more than %u joints, the maximum",
                TR_SKELETON_JOINTS_MAX);
        if (reader->error)
            reader->error->line = reader->line;
        return TR_LIMIT;
    }
    void *joints = reader->joints;
    bool room = tr_reserve(&reader->allocator, &joints, &reader->joint_capacity,
                           (uint64_t)reader->joint_count + 1, sizeof *reader->joints);
    reader->joints = joints;
    if (!room)
        return tr_bvh_no_memory(reader);
    bvh_joint *joint = &reader->joints[reader->joint_count];
    *joint = (bvh_joint){.line = reader->line, .parent = *current, .is_end = is_end};
    read_name(reader, joint);
    reader->root_count += *current == TR_NONE;
    bvh_word brace = tr_bvh_next(reader);
    if (!tr_bvh_is(brace, "{"))
        return tr_bvh_fail(reader, reader->line, "found \"%.*s\", expected the { of a joint",
                           (int)brace.length, brace.text);
    *current = reader->joint_count++;
    return TR_OK;
}

static void end_joint(bvh_reader *reader, uint32_t *current) {
    bvh_joint *joint = &reader->joints[*current];
    if (!joint->has_offset)
        tr_bvh_count_oddity(&reader->no_offset, joint->line);
    bool offset = joint->offset[0] != 0 || joint->offset[1] != 0 || joint->offset[2] != 0;
    if (joint->moves && offset && joint->parent == TR_NONE)
        tr_bvh_count_oddity(&reader->moved_offset, joint->line);
    if (joint->is_end && (joint->moves || joint->turns)) {
        tr_bvh_count_oddity(&reader->odd_end, joint->line);
        joint->is_end = false;
    }
    *current = joint->parent;
}

static tr_status read_inside(bvh_reader *reader, bvh_word word, uint32_t line, uint32_t *current) {
    if (tr_bvh_is(word, "}")) {
        end_joint(reader, current);
        return TR_OK;
    }
    if (tr_bvh_is(word, "offset"))
        return read_offset(reader, &reader->joints[*current]);
    if (tr_bvh_is(word, "channels"))
        return read_channels(reader, *current);
    bool is_end = tr_bvh_is(word, "end");
    if (is_end && reader->joints[*current].is_end)
        return tr_bvh_fail(reader, line, "an End Site contains an End Site");
    if (is_end || tr_bvh_is(word, "joint")) {
        reader->joints[*current].is_end = false; // a joint with a child does not end a bone
        return begin_joint(reader, is_end, current);
    }
    return tr_bvh_fail(reader, line,
                       "unexpected \"%.*s\" inside a joint; allowed: OFFSET, CHANNELS, JOINT, End Site and }",
                       (int)word.length, word.text);
}

tr_status tr_bvh_read_hierarchy(bvh_reader *reader) {
    bvh_word word = tr_bvh_next(reader);
    if (!tr_bvh_is(word, "hierarchy"))
        return tr_bvh_fail(reader, reader->line,
                           "the file begins with \"%.*s\", it must begin with HIERARCHY", (int)word.length,
                           word.text);
    uint32_t current = TR_NONE;
    for (tr_status status;;) {
        word = tr_bvh_next(reader);
        uint32_t line = reader->line;
        if (word.length == 0)
            return tr_bvh_fail(reader, line, "the file ends before MOTION");
        if (current != TR_NONE)
            status = read_inside(reader, word, line, &current);
        else if (tr_bvh_is(word, "root"))
            status = begin_joint(reader, false, &current);
        else if (tr_bvh_is(word, "motion") && reader->joint_count > 0)
            return TR_OK;
        else
            status = tr_bvh_fail(reader, line, "found \"%.*s\", expected %s", (int)word.length, word.text,
                                 reader->joint_count ? "MOTION" : "ROOT");
        if (status != TR_OK)
            return status;
    }
}
