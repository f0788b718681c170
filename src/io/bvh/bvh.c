#include "troupe/io/bvh.h"
#include "bvh_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tr_bvh_options tr_bvh_options_default(void) {
    tr_bvh_options options = {.metres_per_unit = 0};
    return options;
}

static void note(const bvh_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(const bvh_reader *reader, const char *format, ...) {
    if (!reader->options.note)
        return;
    char sentence[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    reader->options.note(reader->options.note_user, sentence);
}

// A zero byte means UTF-16 or binary data, which deserves a clear error. Zeros and the DOS end mark after the
// text are ignored.
static tr_status begin_text(bvh_reader *reader, const char *text, size_t size) {
    while (size > 0 && (text[size - 1] == 0 || text[size - 1] == 0x1a))
        size--;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    reader->at = text;
    reader->end = text + size;
    const char *zero = size ? memchr(text, 0, size) : NULL;
    if (!zero)
        return TR_OK;
    tr_fail(reader->error, TR_BAD_FILE, "the text contains a zero byte: it is not BVH in ASCII or UTF-8");
    if (reader->error)
        reader->error->offset = (uint64_t)(zero - text);
    return TR_BAD_FILE;
}

static void rest_positions(const bvh_reader *reader, tr_role_joint *joints) {
    for (uint32_t i = 0; i < reader->joint_count; i++) {
        const double *offset = reader->joints[i].offset;
        uint32_t parent = reader->joints[i].parent;
        tr_vec3 p = {(float)offset[0], (float)offset[1], (float)offset[2]};
        joints[i].parent = parent;
        joints[i].position = parent == TR_NONE ? p : tr_vec3_add(joints[parent].position, p);
    }
}

static float distance(const tr_role_joint *joints, uint32_t a, uint32_t b) {
    return tr_vec3_length(tr_vec3_subtract(joints[a].position, joints[b].position));
}

// The length of a leg, or the size of the whole body, in the file's units; *expected is that of an adult [m].
static double measure(const bvh_reader *reader, const tr_role_joint *joints, const tr_role *roles,
                      double *expected) {
    uint32_t at[TR_ROLE_COUNT];
    for (uint32_t role = 0; role < TR_ROLE_COUNT; role++)
        at[role] = TR_NONE;
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < reader->joint_count; i++) {
        at[roles[i]] = i;
        box = tr_box_include(box, joints[i].position);
    }
    uint32_t thigh = at[TR_ROLE_LEFT_THIGH], shank = at[TR_ROLE_LEFT_SHANK], foot = at[TR_ROLE_LEFT_FOOT];
    if (thigh != TR_NONE && shank != TR_NONE && foot != TR_NONE) {
        *expected = 0.83;
        return (double)distance(joints, thigh, shank) + (double)distance(joints, shank, foot);
    }
    tr_vec3 size = tr_vec3_subtract(box.max, box.min);
    *expected = 1.7;
    float wide = size.x > size.z ? size.x : size.z;
    return (double)(wide > size.y ? wide : size.y);
}

// Chooses the unit that makes the body closest to the size of a person. CMU's files are in inches divided by
// 0.45.
static void guess_unit(bvh_reader *reader, const tr_role_joint *joints, const tr_role *roles) {
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1, "metres"},          {0.01, "centimetres"},
                 {0.0254, "inches"},     {0.0254 / 0.45, "CMU's units of 0.0564 m"},
                 {0.001, "millimetres"}, {0.3048, "feet"}};
    double expected, size = measure(reader, joints, roles, &expected), best = INFINITY;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        double ratio = size * units[i].metres / expected;
        double off = ratio < 1 ? 1 / ratio : ratio;
        if (off < best) {
            best = off;
            chosen = i;
        }
    }
    reader->metres_per_unit = units[chosen].metres;
    if (!(size > 0))
        note(reader, "the skeleton has no size to guess the unit from: metres are assumed");
    else
        note(reader, "the file's unit is unknown: %s are assumed from the size of the body (%s %.2f m)",
             units[chosen].name, expected < 1 ? "legs of" : "it measures", size * units[chosen].metres);
}

// Makes names unique and zero-terminated. An End Site is named after its joint.
static tr_status make_names(bvh_reader *reader, tr_name_set *set, tr_role_joint *joints) {
    uint32_t renamed = 0, first = 0;
    for (uint32_t i = 0; i < reader->joint_count; i++) {
        const bvh_joint *joint = &reader->joints[i];
        char name[BVH_NAME_MAX + 16];
        if (joint->is_end)
            snprintf(name, sizeof name, "%.*s_end", BVH_NAME_MAX, joints[joint->parent].name);
        else if (joint->name_length > 0)
            snprintf(name, sizeof name, "%.*s", (int)joint->name_length, joint->name);
        else
            snprintf(name, sizeof name, "joint%u", i);
        joints[i].name = tr_name_set_add(set, name);
        if (!joints[i].name)
            return tr_bvh_no_memory(reader);
        if (!joint->is_end && strcmp(name, joints[i].name) != 0 && renamed++ == 0)
            first = joint->line;
    }
    if (renamed)
        note(reader,
             "%u joints have the name of another joint and were given a number suffix, the first on line %u",
             renamed, first);
    return TR_OK;
}

static tr_status make_skeleton(bvh_reader *reader, const tr_role_joint *joints, const tr_role *roles,
                               tr_joint_def *defs, tr_skeleton **skeleton) {
    double unit = reader->metres_per_unit;
    for (uint32_t i = 0; i < reader->joint_count; i++) {
        const bvh_joint *joint = &reader->joints[i];
        defs[i] = (tr_joint_def){.name = joints[i].name,
                                 .parent = joint->parent,
                                 .rest = tr_transform_identity(),
                                 .role = roles[i],
                                 .is_end = joint->is_end};
        defs[i].rest.position =
            tr_vec3_make((float)(joint->offset[0] * unit), (float)(joint->offset[1] * unit),
                         (float)(joint->offset[2] * unit));
    }
    tr_skeleton_def def = {
        .allocator = &reader->allocator, .joints = defs, .joint_count = reader->joint_count};
    return tr_skeleton_create(&def, skeleton, reader->error);
}

static tr_status build_skeleton(bvh_reader *reader, tr_skeleton **skeleton) {
    uint32_t count = reader->joint_count;
    tr_role_joint *joints = tr_allocate(&reader->allocator, count, sizeof *joints);
    tr_role *roles = tr_allocate(&reader->allocator, count, sizeof *roles);
    tr_joint_def *defs = tr_allocate(&reader->allocator, count, sizeof *defs);
    tr_name_set set = tr_name_set_begin(&reader->allocator);
    tr_status status = joints && roles && defs ? TR_OK : tr_bvh_no_memory(reader);
    if (status == TR_OK)
        status = make_names(reader, &set, joints);
    if (status == TR_OK) {
        rest_positions(reader, joints);
        tr_role_guess(joints, count, roles);
        reader->metres_per_unit = reader->options.metres_per_unit;
        if (reader->metres_per_unit == 0)
            guess_unit(reader, joints, roles);
        status = make_skeleton(reader, joints, roles, defs, skeleton);
    }
    tr_name_set_end(&set);
    tr_release(&reader->allocator, joints, count, sizeof *joints);
    tr_release(&reader->allocator, roles, count, sizeof *roles);
    tr_release(&reader->allocator, defs, count, sizeof *defs);
    return status;
}

static tr_status build_clip(bvh_reader *reader, const tr_skeleton *skeleton, tr_clip **clip) {
    uint8_t *channels = tr_allocate(&reader->allocator, reader->joint_count, 1);
    if (!channels)
        return tr_bvh_no_memory(reader);
    for (uint32_t i = 0; i < reader->joint_count; i++)
        channels[i] = (uint8_t)((reader->joints[i].turns ? TR_CHANNEL_TURNS : 0) |
                                (reader->joints[i].moves ? TR_CHANNEL_MOVES : 0));
    bool skip = reader->options.skip_first && reader->frame_count > 1;
    tr_clip_def def = {.allocator = &reader->allocator,
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = reader->frame_count - skip,
                       .frames_per_second = reader->rate};
    tr_status status = tr_clip_create(&def, clip, reader->error);
    tr_release(&reader->allocator, channels, reader->joint_count, 1);
    return status == TR_OK ? tr_bvh_read_frames(reader, skeleton, *clip) : status;
}

static void tell_oddities(const bvh_reader *reader) {
    static const struct {
        size_t at;
        const char *sentence;
    } oddities[] = {
        {offsetof(bvh_reader, no_offset), "joints have no OFFSET and are placed at their parent"},
        {offsetof(bvh_reader, moved_offset), "roots have an OFFSET that their position channels replace"},
        {offsetof(bvh_reader, scaled), "scale channels are left out"},
        {offsetof(bvh_reader, long_name), "names are too long and are truncated"},
        {offsetof(bvh_reader, odd_end), "End Sites have channels and are treated as joints"},
    };
    for (uint32_t i = 0; i < sizeof oddities / sizeof oddities[0]; i++) {
        const bvh_oddity *oddity = (const bvh_oddity *)((const char *)reader + oddities[i].at);
        if (oddity->count)
            note(reader, "%u %s, the first on line %u", oddity->count, oddities[i].sentence, oddity->line);
    }
    if (reader->root_count > 1)
        note(reader, "there are %u roots", reader->root_count);
}

static void tell_motion(const bvh_reader *reader) {
    if (reader->frames_declared == 0)
        note(reader, "Frames is 0: the file has a skeleton but no motion");
    else if (reader->channel_count == 0)
        note(reader, "no joint has channels: the motion is one frame, the rest pose");
    else if (reader->cut_short)
        note(reader, "Frames is %llu, but the file ends inside a frame: the %u complete frames are read",
             (unsigned long long)reader->frames_declared, reader->frame_count);
    else if (reader->frames_declared != reader->frames_present)
        note(reader, "Frames is %llu, but the file has %llu frames: %u are read",
             (unsigned long long)reader->frames_declared, (unsigned long long)reader->frames_present,
             reader->frame_count);
    if (reader->no_rate)
        note(reader, "Frame Time is %g: %g frames per second are assumed", reader->frame_time, reader->rate);
    if (reader->options.skip_first && reader->frame_count == 1)
        note(reader, "the file has only one frame, so skip_first has no effect");
    if (!reader->options.skip_first && reader->looks_added)
        note(reader, "frame 0 looks like an added T-pose; it is kept unless skip_first is set");
}

static tr_status begin(bvh_reader *reader, const void *data, size_t size, const tr_figure *figure) {
    if (!data && size)
        return tr_fail(reader->error, TR_INVALID, "the BVH text is NULL");
    double unit = reader->options.metres_per_unit;
    if (!(unit >= 0 && unit <= 1e6))
        return tr_fail(reader->error, TR_INVALID,
                       "metres_per_unit is %g, it must be at least 0 (a guess) and at most 1e6", unit);
    if (figure->skeleton || figure->clip_count)
        return tr_fail(reader->error, TR_INVALID, "the figure to read a BVH file into must be empty");
    return begin_text(reader, data ? data : "", size);
}

// The figure is changed only after everything is complete.
static tr_status hand_over(bvh_reader *reader, tr_figure *figure, tr_skeleton *skeleton, tr_clip *clip) {
    if (!figure->allocator.resize)
        figure->allocator = reader->allocator;
    if (clip && tr_figure_add_clip(figure, clip) != TR_OK)
        return tr_bvh_no_memory(reader);
    figure->skeleton = skeleton;
    return TR_OK;
}

tr_status tr_bvh_read(const void *data, size_t size, const tr_bvh_options *options, tr_figure *figure,
                      tr_error *error) {
    bvh_reader reader = {.line = 1, .error = error};
    reader.options = options ? *options : tr_bvh_options_default();
    reader.allocator = tr_allocator_or_default(reader.options.allocator);
    tr_skeleton *skeleton = NULL;
    tr_clip *clip = NULL;
    tr_status status = begin(&reader, data, size, figure);
    if (status == TR_OK)
        status = tr_bvh_read_hierarchy(&reader);
    if (status == TR_OK)
        status = tr_bvh_read_motion_header(&reader);
    if (status == TR_OK)
        status = build_skeleton(&reader, &skeleton);
    if (status == TR_OK && reader.frame_count > 0)
        status = build_clip(&reader, skeleton, &clip);
    if (status == TR_OK)
        status = hand_over(&reader, figure, skeleton, clip);
    if (status == TR_OK) {
        tell_oddities(&reader);
        tell_motion(&reader);
    } else {
        tr_clip_destroy(clip);
        tr_skeleton_destroy(skeleton);
    }
    tr_release(&reader.allocator, reader.joints, reader.joint_capacity, sizeof *reader.joints);
    tr_release(&reader.allocator, reader.channels, reader.channel_capacity, sizeof *reader.channels);
    return status;
}
