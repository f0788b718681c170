// Any text: it is read or refused; what was read is written and must read back with as many frames.
#include "target.h"
#include "troupe/io/bvh.h"

static void write_and_read_back(const tr_allocator *allocator, const tr_figure *figure) {
    const tr_clip *clip = figure->clip_count ? figure->clips[0] : NULL;
    uint64_t joints = tr_skeleton_joint_count(figure->skeleton);
    tr_bvh_options options = {.allocator = allocator, .metres_per_unit = 0.01};
    tr_figure copy = {0};
    tr_bytes text;
    tr_error error = {0};
    TARGET_CHECK(tr_bvh_write(allocator, figure->skeleton, clip, 0.01, &text, NULL) == TR_OK);
    tr_status status = tr_bvh_read(text.data, text.size, &options, &copy, &error);
    // Ends are added to leaves and a root above roots: a skeleton at the limit may pass it.
    TARGET_CHECK(status == TR_OK || status == TR_LIMIT || error.line > 0);
    if (status == TR_OK) {
        TARGET_CHECK(tr_skeleton_joint_count(copy.skeleton) >= joints);
        TARGET_CHECK(tr_clip_frame_count(copy.clips[0]) == (clip ? tr_clip_frame_count(clip) : 1));
    }
    tr_figure_destroy(&copy);
    tr_bytes_free(allocator, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_bvh_options options = {.allocator = &allocator, .skip_first = size % 2 == 0};
    tr_figure figure = {0};
    tr_error error = {0};
    tr_status status = tr_bvh_read(data, size, &options, &figure, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    TARGET_CHECK(status == TR_OK ? figure.skeleton != NULL : !figure.skeleton && figure.clip_count == 0);
    // Long texts only read: what is written grows with joints times frames.
    if (status == TR_OK && size < 100000)
        write_and_read_back(&allocator, &figure);
    tr_figure_destroy(&figure);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
