// Writes a skeleton and a motion as a BVH file that even strict readers accept.
#include "bvh_write.h"
#include "io/number.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define ANGLE_DECIMALS 5  // of a degree: a tenth of a micrometre at the end of a leg
#define MOVES_BEYOND 1e-6 // [m]; a joint that stays closer to its offset has no position channels
#define RATE_WITHOUT_CLIP 30.0
#define INDENT_MAX 32 // limits the tabs of a long chain of joints

static void put_bytes(bvh_writer *writer, const char *bytes, size_t count) {
    void *text = writer->text;
    bool room = !writer->no_memory &&
                tr_reserve(&writer->allocator, &text, &writer->capacity, (uint64_t)writer->size + count, 1);
    writer->text = text;
    writer->no_memory = !room;
    if (!room)
        return;
    memcpy(writer->text + writer->size, bytes, count);
    writer->size += (uint32_t)count;
}

static void put(bvh_writer *writer, const char *text) {
    put_bytes(writer, text, strlen(text));
}

// A plain number with a decimal point and no more digits than needed: some readers do not support exponents.
static void put_number(bvh_writer *writer, double value, int decimals) {
    double scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    double scaled = floor(fabs(value) * scale + 0.5);
    if (!(scaled < 9e15)) {
        char text[TR_NUMBER_TEXT];
        put_bytes(writer, text, tr_number_write(value, text));
        return;
    }
    uint64_t digits = (uint64_t)scaled;
    char text[40], *at = text + sizeof text;
    bool kept = false; // a digit after the point that is not a trailing 0
    for (int i = 0; i < decimals; i++, digits /= 10) {
        kept = kept || digits % 10 != 0 || i == decimals - 1;
        if (kept)
            *--at = (char)('0' + digits % 10);
    }
    *--at = '.';
    do
        *--at = (char)('0' + digits % 10);
    while ((digits /= 10) > 0);
    if (value < 0 && scaled > 0)
        *--at = '-';
    put_bytes(writer, at, (size_t)(text + sizeof text - at));
}

// A value of a row, separated from the previous one by a blank.
static void put_value(bvh_writer *writer, double value, int decimals) {
    if (writer->size > 0 && writer->text[writer->size - 1] != '\n')
        put(writer, " ");
    put_number(writer, value, decimals);
}

static void put_lengths(bvh_writer *writer, const double lengths[3]) {
    for (int axis = 0; axis < 3; axis++)
        put_value(writer, lengths[axis] / writer->metres_per_unit, writer->decimals);
}

static void put_line(bvh_writer *writer, uint32_t depth, const char *text) {
    for (uint32_t i = 0; i < depth && i < INDENT_MAX; i++)
        put(writer, "\t");
    put(writer, text);
}

static void put_offset(bvh_writer *writer, uint32_t depth, const double offset[3]) {
    put_line(writer, depth, "OFFSET");
    put_lengths(writer, offset);
    put(writer, "\n");
}

// A leaf gets an End Site, half as long as the bone before it, so that programs can show its bone.
static void put_leaf_end(bvh_writer *writer, uint32_t depth, const bvh_bone *bone) {
    double end[3] = {bone->offset[0] / 2, bone->offset[1] / 2, bone->offset[2] / 2};
    bool has_length = bone->parent != TR_NONE && (end[0] != 0 || end[1] != 0 || end[2] != 0);
    const double up[3] = {0, 0.1, 0};
    put_line(writer, depth, "End Site\n");
    put_line(writer, depth, "{\n");
    put_offset(writer, depth + 1, has_length ? end : up);
    put_line(writer, depth, "}\n");
}

static void begin_bone(bvh_writer *writer, uint32_t number, uint32_t depth) {
    const bvh_bone *bone = &writer->bones[number];
    static const double origin[3] = {0, 0, 0};
    put_line(writer, depth, bone->is_site ? "End Site" : depth == 0 ? "ROOT " : "JOINT ");
    if (!bone->is_site)
        put(writer, bone->name);
    put(writer, "\n");
    put_line(writer, depth, "{\n");
    // A moving joint is placed by its channels. Some readers add the offset of a root, so that is 0.
    put_offset(writer, depth + 1, bone->parent == TR_NONE ? origin : bone->offset);
    if (bone->is_site)
        return;
    put_line(writer, depth + 1, bone->moves ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3");
    put(writer, " Zrotation Xrotation Yrotation\n");
    if (bone->first_child == TR_NONE)
        put_leaf_end(writer, depth + 1, bone);
}

// The next bone in depth-first order, and the number of braces to close before it.
static uint32_t next_bone(const bvh_writer *writer, uint32_t at, uint32_t *closed) {
    *closed = 0;
    if (writer->bones[at].first_child != TR_NONE)
        return writer->bones[at].first_child;
    for (; at != TR_NONE; at = writer->bones[at].parent) {
        ++*closed;
        if (writer->bones[at].next != TR_NONE)
            return writer->bones[at].next;
    }
    return TR_NONE;
}

// Several roots become children of an added root.
static void put_common_root(bvh_writer *writer) {
    const char *name = tr_name_set_add(&writer->names, "root");
    static const double origin[3] = {0, 0, 0};
    writer->no_memory = writer->no_memory || !name;
    put(writer, "ROOT ");
    put(writer, name ? name : "");
    put(writer, "\n{\n");
    put_offset(writer, 1, origin);
    put(writer, "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n");
}

static void put_hierarchy(bvh_writer *writer) {
    put(writer, "HIERARCHY\n");
    bool several = writer->root_count > 1;
    if (several)
        put_common_root(writer);
    uint32_t depth = several, closed;
    for (uint32_t at = writer->first_root; at != TR_NONE && !writer->no_memory;) {
        begin_bone(writer, at, depth++);
        at = next_bone(writer, at, &closed);
        for (uint32_t i = 0; i < closed; i++)
            put_line(writer, --depth, "}\n");
    }
    if (several)
        put(writer, "}\n");
}

static void put_frame(bvh_writer *writer, uint32_t frame) {
    tr_bvh_place_bones(writer, frame);
    if (writer->root_count > 1)
        put(writer, "0.0 0.0 0.0 0.0 0.0 0.0");
    uint32_t closed;
    for (uint32_t at = writer->first_root; at != TR_NONE && !writer->no_memory;
         at = next_bone(writer, at, &closed)) {
        bvh_bone *bone = &writer->bones[at];
        if (bone->is_site)
            continue;
        double offset[3];
        tr_bvh_bone_offset(writer, at, offset);
        if (bone->moves)
            put_lengths(writer, offset);
        tr_bvh_bone_angles(writer, at);
        for (int i = 0; i < 3; i++)
            put_value(writer, bone->angles[i] * (180 / TR_PI), ANGLE_DECIMALS);
    }
    put(writer, "\n");
}

static uint32_t frame_count(const bvh_writer *writer) {
    return writer->clip ? tr_clip_frame_count(writer->clip) : 1;
}

static void put_motion(bvh_writer *writer) {
    put(writer, "MOTION\nFrames: ");
    char digits[16], *at = digits + sizeof digits;
    for (uint32_t count = frame_count(writer); count > 0; count /= 10)
        *--at = (char)('0' + count % 10);
    put_bytes(writer, at, (size_t)(digits + sizeof digits - at));
    put(writer, "\nFrame Time: ");
    put_number(writer, 1 / (writer->clip ? tr_clip_rate(writer->clip) : RATE_WITHOUT_CLIP), 10);
    put(writer, "\n");
    for (uint32_t frame = 0; frame < frame_count(writer) && !writer->no_memory; frame++)
        put_frame(writer, frame);
}

static bool may_move(const bvh_writer *writer) {
    if (!writer->clip)
        return false;
    const uint8_t *channels = tr_clip_channels(writer->clip);
    for (uint32_t i = 0; i < writer->bone_count; i++)
        if ((channels[i] & TR_CHANNEL_SCALES) ||
            ((channels[i] & TR_CHANNEL_MOVES) && writer->bones[i].parent != TR_NONE))
            return true;
    return writer->pose.scaled;
}

// Finds joints that leave their offset in any frame, also because a joint above them is scaled.
static void find_moving(bvh_writer *writer) {
    for (uint32_t i = 0; i < writer->bone_count; i++)
        writer->bones[i].moves = writer->bones[i].parent == TR_NONE;
    if (!may_move(writer))
        return;
    for (uint32_t frame = 0; frame < frame_count(writer); frame++) {
        tr_bvh_place_bones(writer, frame);
        for (uint32_t i = 0; i < writer->bone_count; i++) {
            bvh_bone *bone = &writer->bones[i];
            double offset[3];
            tr_bvh_bone_offset(writer, i, offset);
            for (int axis = 0; axis < 3; axis++)
                bone->moves |= fabs(offset[axis] - bone->offset[axis]) > MOVES_BEYOND;
        }
    }
}

// Names are single words, because readers treat text after a blank as something else.
static bool make_name(bvh_writer *writer, uint32_t joint, const char *given) {
    char name[256];
    size_t length = 0;
    for (; given[length] && length + 1 < sizeof name; length++) {
        unsigned char c = (unsigned char)given[length];
        name[length] = c <= ' ' || c == 0x7f || c == '{' || c == '}' ? '_' : (char)c;
    }
    name[length] = 0;
    writer->bones[joint].name = tr_name_set_add(&writer->names, length ? name : "joint");
    return writer->bones[joint].name != NULL;
}

static bool make_bones(bvh_writer *writer) {
    writer->first_root = TR_NONE;
    for (uint32_t i = 0; i < writer->bone_count; i++)
        writer->bones[i] = (bvh_bone){.first_child = TR_NONE, .next = TR_NONE};
    for (uint32_t i = writer->bone_count; i-- > 0;) {
        uint32_t parent = tr_skeleton_parents(writer->skeleton)[i];
        uint32_t *first = parent == TR_NONE ? &writer->first_root : &writer->bones[parent].first_child;
        writer->bones[i].parent = parent;
        writer->bones[i].next = *first;
        writer->root_count += parent == TR_NONE;
        *first = i;
    }
    for (uint32_t i = 0; i < writer->bone_count; i++)
        if (!make_name(writer, i, tr_skeleton_joint(writer->skeleton, i).name))
            return false;
    tr_bvh_begin_bones(writer);
    find_moving(writer);
    for (uint32_t i = 0; i < writer->bone_count; i++) {
        bvh_bone *bone = &writer->bones[i];
        bool alone =
            bone->parent != TR_NONE && writer->bones[bone->parent].first_child == i && bone->next == TR_NONE;
        bone->is_site = tr_skeleton_joint(writer->skeleton, i).is_end && alone && !bone->moves &&
                        bone->first_child == TR_NONE;
    }
    return true;
}

static tr_status check(const tr_skeleton *skeleton, const tr_clip *clip, double metres_per_unit,
                       tr_error *error) {
    if (!skeleton)
        return tr_fail(error, TR_INVALID, "a BVH file needs a skeleton");
    if (!(metres_per_unit >= 1e-6 && metres_per_unit <= 1e6))
        return tr_fail(error, TR_INVALID, "metres_per_unit is %g, it must be 1e-6 to 1e6", metres_per_unit);
    if (clip && tr_clip_joint_count(clip) != tr_skeleton_joint_count(skeleton))
        return tr_fail(error, TR_INVALID, "the clip has %u joints, but the skeleton has %u",
                       tr_clip_joint_count(clip), tr_skeleton_joint_count(skeleton));
    return TR_OK;
}

// Enough digits for lengths to be exact to a tenth of a micrometre; more would only show the rounding of
// floats.
static int decimals_for(double metres_per_unit) {
    int decimals = 4;
    for (double step = metres_per_unit * 1e-4; step > 2e-7 && decimals < 14; step /= 10)
        decimals++;
    return decimals;
}

tr_status tr_bvh_write(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                       double metres_per_unit, tr_bytes *bytes, tr_error *error) {
    *bytes = (tr_bytes){NULL, 0};
    tr_status status = check(skeleton, clip, metres_per_unit, error);
    if (status != TR_OK)
        return status;
    bvh_writer writer = {.skeleton = skeleton, .clip = clip, .metres_per_unit = metres_per_unit};
    writer.allocator = tr_allocator_or_default(allocator);
    writer.decimals = decimals_for(metres_per_unit);
    writer.names = tr_name_set_begin(&writer.allocator);
    writer.bone_count = tr_skeleton_joint_count(skeleton);
    writer.bones = tr_allocate(&writer.allocator, writer.bone_count, sizeof *writer.bones);
    status = tr_pose_create(&writer.allocator, writer.bone_count, &writer.pose, error);
    if (status == TR_OK && writer.bones && make_bones(&writer)) {
        put_hierarchy(&writer);
        put_motion(&writer);
    } else {
        writer.no_memory = true;
    }
    char *text = writer.no_memory ? NULL
                                  : writer.allocator.resize(writer.allocator.user, writer.text,
                                                            writer.capacity, writer.size);
    if (text)
        *bytes = (tr_bytes){(uint8_t *)text, writer.size};
    else
        tr_release(&writer.allocator, writer.text, writer.capacity, 1);
    tr_pose_destroy(&writer.pose);
    tr_name_set_end(&writer.names);
    tr_release(&writer.allocator, writer.bones, writer.bone_count, sizeof *writer.bones);
    return text ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to write a BVH file");
}
