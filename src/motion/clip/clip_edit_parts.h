// What the sources of `clip_edit` share: making one clip out of another, the world under a base point, and a
// low-pass filter.
#pragma once
#include "troupe/motion/clip.h"

// A clip while it is made. A zeroed one is valid; tr_clip_edit_end releases everything.
typedef struct clip_edit_job {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    const tr_clip *clip; // the source
    tr_clip *made;
    tr_pose pose;
    tr_base *bases; // one for each frame of `made`
    uint32_t frame_count;
} clip_edit_job;

// The shape of the new clip; everything else is as in the source.
typedef struct clip_edit_shape {
    uint32_t frame_count;
    double rate;
    bool loop;
    bool roots_free; // every root turns and moves, whatever the source's channels say
} clip_edit_shape;

// The shape of the source.
clip_edit_shape tr_clip_edit_same(const tr_clip *clip);
// TR_INVALID: something is missing, or the clip is not one of the skeleton. Sets *result to NULL.
tr_status tr_clip_edit_check(const tr_skeleton *skeleton, const tr_clip *clip, tr_clip **result,
                             tr_error *error);
// `channels` may be NULL: those of the source.
tr_status tr_clip_edit_begin(clip_edit_job *job, const tr_allocator *allocator, const tr_skeleton *skeleton,
                             const tr_clip *clip, const clip_edit_shape *shape, const uint8_t *channels,
                             tr_error *error);
// Hands the clip over if `status` is TR_OK, and releases the rest in any case. Returns `status`.
tr_status tr_clip_edit_end(clip_edit_job *job, tr_status status, tr_clip **result);
// Writes job->pose; TR_INVALID names the frame in which a value is too large for a float.
tr_status tr_clip_edit_set_frame(clip_edit_job *job, uint32_t frame, tr_error *error);
tr_status tr_clip_edit_set_base(clip_edit_job *job, tr_base advance, tr_error *error);
// Adds an event to the new clip; a time outside by rounding only is moved inside.
tr_status tr_clip_edit_add_event(clip_edit_job *job, double time, const char *name, tr_error *error);
// Copies the events of the source from `begin` [s] on, up to the end of the new clip.
tr_status tr_clip_edit_copy_events(clip_edit_job *job, double begin, tr_error *error);
tr_status tr_clip_edit_no_memory(tr_error *error, const tr_clip *clip);

// The hips, or the first root if no joint has that role.
uint32_t tr_clip_edit_hips(const tr_skeleton *skeleton);
// The place of the hips over the ground, and their heading: their rotation from the rest pose about +Y.
tr_base tr_clip_edit_hips_base(const tr_skeleton *skeleton, uint32_t hips, const tr_affine *model);
// Moves every root from the world into the axes of a base point, or back.
void tr_clip_edit_roots_into(const tr_skeleton *skeleton, tr_base base, tr_pose *pose);
void tr_clip_edit_roots_out(const tr_skeleton *skeleton, tr_base base, tr_pose *pose);
// A frame in the world: with the base put back if the clip has one.
void tr_clip_edit_world_frame(const tr_skeleton *skeleton, const tr_clip *clip, uint32_t frame,
                              tr_pose *pose);
// The base point of the paper: straight from `begin` to `end` over `steps` frames. It heads along the line,
// or like `begin` if it hardly moves.
typedef struct clip_edit_line {
    double x, z, step_x, step_z, heading;
} clip_edit_line;
clip_edit_line tr_clip_edit_line(tr_base begin, tr_base end, double steps, double rate);
tr_base tr_clip_edit_line_at(const clip_edit_line *line, double frame);

// A Butterworth filter of order 2 over `values`, forwards and backwards, in place. `cutoff` is the share of
// the rate [0 to 0.5] at which both passes together halve the power.
void tr_clip_edit_low_pass(double *values, size_t count, double cutoff);
// The number of values to add before and after `count` values, so that the ends have no effect.
size_t tr_clip_edit_low_pass_padding(double cutoff, uint32_t count, bool loop);

// Do the labels of a frame have the left (0) or right (1) foot on the ground?
bool tr_clip_edit_foot_down(uint32_t contacts, uint32_t side);
// Frames `begin` to `end` - 1 of a clip without a base, closed to a loop: frame `end` equals frame `begin`.
tr_status tr_clip_edit_close(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                             uint32_t begin, uint32_t end, tr_clip **result, tr_error *error);
