// What the tests of BVH share: a small file, and reading with notes kept.
#pragma once
#include "io/reading.h"
#include "troupe/io/bvh.h"

// Two legs of a body of 1.7 m in centimetres; frame 0 is the rest pose.
static const char bvh_sample[] = "HIERARCHY\n"
                                 "ROOT Hips\n"
                                 "{\n"
                                 "\tOFFSET 0 0 0\n"
                                 "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
                                 "\tJOINT LeftUpLeg\n"
                                 "\t{\n"
                                 "\t\tOFFSET 10 -5 0\n"
                                 "\t\tCHANNELS 3 Zrotation Yrotation Xrotation\n"
                                 "\t\tJOINT LeftLeg\n"
                                 "\t\t{\n"
                                 "\t\t\tOFFSET 0 -42 0\n"
                                 "\t\t\tCHANNELS 3 Zrotation Yrotation Xrotation\n"
                                 "\t\t\tJOINT LeftFoot\n"
                                 "\t\t\t{\n"
                                 "\t\t\t\tOFFSET 0 -41 0\n"
                                 "\t\t\t\tCHANNELS 3 Xrotation Yrotation Zrotation\n"
                                 "\t\t\t\tEnd Site\n"
                                 "\t\t\t\t{\n"
                                 "\t\t\t\t\tOFFSET 0 -7 15.5\n"
                                 "\t\t\t\t}\n"
                                 "\t\t\t}\n"
                                 "\t\t}\n"
                                 "\t}\n"
                                 "}\n"
                                 "MOTION\n"
                                 "Frames: 3\n"
                                 "Frame Time: .0083333\n"
                                 "0 95 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                                 "1.5 95 -2 10 20 30 -5.25 0 40 0 0 -60 1 2 3\n"
                                 "3 94.5 4e0 11 21 31 -5 0 41 0 0 -61 1.5 2.5 3.5\n";

// A copy of exactly this size, so that the sanitizer sees one byte too many.
static inline tr_status bvh_read_copy(const tr_allocator *allocator, const void *text, size_t size,
                                      const tr_bvh_options *options, tr_figure *figure, tr_error *error) {
    tr_allocator heap = tr_allocator_default();
    uint8_t *copy = tr_allocate(&heap, size, 1);
    if (copy && size)
        memcpy(copy, text, size);
    tr_bvh_options used = options ? *options : tr_bvh_options_default();
    used.allocator = allocator;
    tr_status status = tr_bvh_read(copy, size, &used, figure, error);
    tr_release(&heap, copy, size, 1);
    return status;
}

static inline tr_status bvh_read_text(const char *text, reading_notes *notes, tr_figure *figure,
                                      tr_error *error) {
    tr_bvh_options options = tr_bvh_options_default();
    if (notes)
        memset(notes, 0, sizeof *notes);
    options.note = notes ? reading_note : NULL;
    options.note_user = notes;
    return bvh_read_copy(NULL, text, strlen(text), &options, figure, error);
}

// The text with the first `from` replaced, in static storage.
static inline const char *bvh_with(const char *text, const char *from, const char *to) {
    static char changed[1 << 16];
    const char *at = strstr(text, from);
    if (!at) {
        test_failed(__FILE__, __LINE__, "\"%s\" is not in the text", from);
        return text;
    }
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

// Where a joint is in a frame, with the base put back [m].
static inline void bvh_place(const tr_skeleton *skeleton, const tr_clip *clip, uint32_t frame,
                             tr_affine *model) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return;
    tr_clip_get_frame(clip, frame, &pose);
    tr_base base = tr_clip_frame_base(clip, frame);
    tr_affine place = tr_affine_place(tr_vec3_make(base.x, 0, base.z), (double)base.heading);
    tr_pose_to_model(skeleton, &pose, tr_clip_has_base(clip) ? &place : NULL, model);
    tr_pose_destroy(&pose);
}
