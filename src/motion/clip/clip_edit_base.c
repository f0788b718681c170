// Takes the motion over the ground out of the roots, and puts it back (Kuffner 1998, 7.2).
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"
#include "troupe/base/scalar.h"

// Below this speed [m/s] a line has no meaningful direction: a standing body sways about as fast.
#define STANDING_SPEED 0.05
// A stride sways at 0.8 to 1.5 Hz; slower motion is travel.
#define FOLLOW_HERTZ 0.6

uint32_t tr_clip_edit_hips(const tr_skeleton *skeleton) {
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    return hips == TR_NONE ? 0 : hips;
}

tr_base tr_clip_edit_hips_base(const tr_skeleton *skeleton, uint32_t hips, const tr_affine *model) {
    tr_quat rest = tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[hips]);
    tr_quat turn = tr_quat_multiply(tr_affine_rotation(&model[hips]), tr_quat_conjugate(rest));
    // The twist about +Y stays defined where a forward direction does not: crawling, bending down.
    double heading = 2 * tr_arc_tangent(turn.y, turn.w);
    if (heading > TR_PI)
        heading -= 2 * TR_PI;
    else if (heading <= -TR_PI)
        heading += 2 * TR_PI;
    tr_base base = {model[hips].m[0][3], model[hips].m[2][3], (float)heading};
    return base;
}

static void turn_root(tr_pose *pose, uint32_t joint, double half_sine, double half_cosine) {
    tr_quat turn = {0, (float)half_sine, 0, (float)half_cosine};
    tr_quat turned = tr_quat_multiply(turn, tr_pose_rotation(pose, joint));
    tr_pose_set_rotation(pose, joint, tr_quat_normalize(turned));
}

void tr_clip_edit_roots_into(const tr_skeleton *skeleton, tr_base base, tr_pose *pose) {
    double s, c, half_sine, half_cosine;
    tr_sin_cos(base.heading, &s, &c);
    tr_sin_cos(base.heading * 0.5, &half_sine, &half_cosine);
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        if (tr_skeleton_parents(skeleton)[i] != TR_NONE)
            continue;
        double x = (double)pose->position[0][i] - base.x, z = (double)pose->position[2][i] - base.z;
        pose->position[0][i] = (float)(c * x - s * z);
        pose->position[2][i] = (float)(s * x + c * z);
        turn_root(pose, i, -half_sine, half_cosine);
    }
}

void tr_clip_edit_roots_out(const tr_skeleton *skeleton, tr_base base, tr_pose *pose) {
    double s, c, half_sine, half_cosine;
    tr_sin_cos(base.heading, &s, &c);
    tr_sin_cos(base.heading * 0.5, &half_sine, &half_cosine);
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        if (tr_skeleton_parents(skeleton)[i] != TR_NONE)
            continue;
        double x = pose->position[0][i], z = pose->position[2][i];
        pose->position[0][i] = (float)(base.x + (c * x + s * z));
        pose->position[2][i] = (float)(base.z + (c * z - s * x));
        turn_root(pose, i, half_sine, half_cosine);
    }
}

void tr_clip_edit_world_frame(const tr_skeleton *skeleton, const tr_clip *clip, uint32_t frame,
                              tr_pose *pose) {
    tr_clip_get_frame(clip, frame, pose);
    if (tr_clip_has_base(clip))
        tr_clip_edit_roots_out(skeleton, tr_clip_frame_base(clip, frame), pose);
}

clip_edit_line tr_clip_edit_line(tr_base begin, tr_base end, double steps, double rate) {
    double x = (double)end.x - begin.x, z = (double)end.z - begin.z;
    clip_edit_line line = {begin.x, begin.z, 0, 0, begin.heading};
    if (!(steps > 0))
        return line;
    line.step_x = x / steps;
    line.step_z = z / steps;
    if (sqrt(x * x + z * z) * rate / steps >= STANDING_SPEED)
        line.heading = tr_arc_tangent(x, z);
    return line;
}

tr_base tr_clip_edit_line_at(const clip_edit_line *line, double frame) {
    tr_base base = {(float)(line->x + line->step_x * frame), (float)(line->z + line->step_z * frame),
                    (float)line->heading};
    return base;
}

// The places of the hips in each frame, with unwrapped headings, into job->bases; and their place where the
// next loop begins (in the last frame of a clip that does not loop).
typedef struct hips_path {
    tr_affine *model;
    tr_base end;
} hips_path;

static tr_base unwrap(tr_base base, double before) {
    double turns = floor((before - base.heading) / (2 * TR_PI) + 0.5);
    base.heading = (float)(base.heading + turns * 2 * TR_PI);
    return base;
}

// A looping clip without a base does not tell where it continues: at the seam it moves as on both sides of
// it, seen from the hips.
static tr_base guess_next(const tr_base *path, uint32_t count) {
    const tr_base *last = path + count - 1;
    if (count < 2)
        return *last;
    tr_base first_step = tr_base_difference(path[0], path[1]),
            last_step = tr_base_difference(last[-1], last[0]);
    tr_base step = {(first_step.x + last_step.x) * 0.5f, (first_step.z + last_step.z) * 0.5f,
                    (first_step.heading + last_step.heading) * 0.5f};
    return tr_base_move(*last, step);
}

static void trace_hips(clip_edit_job *job, hips_path *path) {
    uint32_t hips = tr_clip_edit_hips(job->skeleton), count = tr_clip_frame_count(job->clip);
    for (uint32_t i = 0; i < count; i++) {
        tr_clip_edit_world_frame(job->skeleton, job->clip, i, &job->pose);
        tr_pose_to_model(job->skeleton, &job->pose, NULL, path->model);
        tr_base base = tr_clip_edit_hips_base(job->skeleton, hips, path->model);
        job->bases[i] = i ? unwrap(base, job->bases[i - 1].heading) : base;
    }
    path->end = job->bases[count - 1];
    if (!tr_clip_loops(job->clip))
        return;
    path->end = guess_next(job->bases, count);
    if (tr_clip_has_base(job->clip)) {
        tr_base first = tr_clip_frame_base(job->clip, 0);
        tr_base after = tr_base_move(first, tr_clip_advance(job->clip));
        path->end = tr_base_move(after, tr_base_difference(first, job->bases[0]));
    }
}

// In the axes of frame 0: all passes of a loop are alike, each moved by `advance` relative to the previous
// one.
static void fill_padded(const clip_edit_job *job, const hips_path *path, size_t padding,
                        double *const tracks[3]) {
    int64_t count = job->frame_count, total = count + 2 * (int64_t)padding;
    bool loop = tr_clip_loops(job->clip);
    tr_base advance = tr_base_difference(job->bases[0], path->end);
    for (int64_t at = 0; at < total; at++) {
        int64_t i = at - (int64_t)padding, round = 0;
        tr_base base;
        if (loop) {
            round = i >= 0 ? i / count : -((count - 1 - i) / count);
            base = job->bases[i - round * count];
            tr_base within = tr_base_difference(job->bases[0], base), from = job->bases[0];
            tr_base back = tr_base_difference(advance, (tr_base){0, 0, 0});
            for (int64_t k = 0; k < (round < 0 ? -round : round); k++)
                from = tr_base_move(from, round < 0 ? back : advance);
            base = round ? tr_base_move(from, within) : base;
        } else { // reflected through the end, so that place and speed are continuous
            int64_t mirror = i < 0 ? -i : i >= count ? 2 * (count - 1) - i : i;
            tr_base pivot = i < 0 ? job->bases[0] : job->bases[count - 1];
            base = job->bases[mirror];
            if (mirror != i)
                base =
                    (tr_base){2 * pivot.x - base.x, 2 * pivot.z - base.z, 2 * pivot.heading - base.heading};
        }
        tracks[0][at] = base.x, tracks[1][at] = base.z, tracks[2][at] = base.heading;
    }
}

static tr_status follow_hips(clip_edit_job *job, hips_path *path, tr_error *error) {
    uint32_t count = job->frame_count;
    double cutoff = FOLLOW_HERTZ / tr_clip_rate(job->clip);
    if (cutoff >= 0.45 || count < 2)
        return TR_OK;
    size_t padding = tr_clip_edit_low_pass_padding(cutoff, count, tr_clip_loops(job->clip));
    size_t total = count + 2 * padding;
    double *block = tr_allocate(&job->allocator, total, 3 * sizeof *block);
    if (!block)
        return tr_clip_edit_no_memory(error, job->clip);
    double *const tracks[3] = {block, block + total, block + 2 * total};
    fill_padded(job, path, padding, tracks);
    for (int k = 0; k < 3; k++)
        tr_clip_edit_low_pass(tracks[k], total, cutoff);
    tr_base to_next = tr_base_difference(job->bases[0], path->end), start = job->bases[0];
    for (uint32_t i = 0; i < count; i++)
        job->bases[i] = (tr_base){(float)tracks[0][i + padding], (float)tracks[1][i + padding],
                                  (float)tracks[2][i + padding]};
    // The rigid step that takes the hips of one loop to the next also takes the base.
    tr_base within = tr_base_difference(start, job->bases[0]);
    path->end =
        tr_clip_loops(job->clip) ? tr_base_move(tr_base_move(start, to_next), within) : job->bases[count - 1];
    tr_release(&job->allocator, block, total, 3 * sizeof *block);
    return TR_OK;
}

static tr_status find_bases(clip_edit_job *job, tr_base_kind kind, tr_base *advance, tr_error *error) {
    uint32_t joint_count = tr_skeleton_joint_count(job->skeleton), count = job->frame_count;
    hips_path path = {.model = tr_allocate(&job->allocator, joint_count, sizeof *path.model)};
    if (!path.model)
        return tr_clip_edit_no_memory(error, job->clip);
    trace_hips(job, &path);
    tr_release(&job->allocator, path.model, joint_count, sizeof *path.model);
    tr_status status = TR_OK;
    if (kind == TR_BASE_FOLLOW) {
        status = follow_hips(job, &path, error);
    } else {
        double steps = tr_clip_loops(job->clip) ? count : count - 1.0;
        clip_edit_line line = tr_clip_edit_line(job->bases[0], path.end, steps, tr_clip_rate(job->clip));
        for (uint32_t i = 0; i < count; i++)
            job->bases[i] = tr_clip_edit_line_at(&line, i);
        path.end = tr_clip_edit_line_at(&line, steps);
    }
    *advance = tr_base_difference(job->bases[0], path.end);
    return status;
}

tr_status tr_clip_edit_take_base(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                 const tr_clip *clip, tr_base_kind kind, tr_clip **result, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    if (kind != TR_BASE_LINE && kind != TR_BASE_FOLLOW)
        return tr_fail(error, TR_INVALID, "the kind of base is %d, which is unknown", (int)kind);
    clip_edit_shape shape = tr_clip_edit_same(clip);
    shape.roots_free = true;
    clip_edit_job job;
    tr_base advance = {0, 0, 0};
    status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, NULL, error);
    if (status == TR_OK)
        status = find_bases(&job, kind, &advance, error);
    for (uint32_t i = 0; i < shape.frame_count && status == TR_OK; i++) {
        tr_clip_edit_world_frame(skeleton, clip, i, &job.pose);
        tr_clip_edit_roots_into(skeleton, job.bases[i], &job.pose);
        status = tr_clip_edit_set_frame(&job, i, error);
        tr_clip_set_contacts(job.made, i, tr_clip_frame_contacts(clip, i));
    }
    if (status == TR_OK)
        status = tr_clip_edit_set_base(&job, advance, error);
    if (status == TR_OK)
        status = tr_clip_edit_copy_events(&job, 0, error);
    return tr_clip_edit_end(&job, status, result);
}

tr_status tr_clip_edit_put_base(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                const tr_clip *clip, tr_clip **result, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    clip_edit_shape shape = tr_clip_edit_same(clip);
    shape.roots_free = tr_clip_has_base(clip);
    clip_edit_job job;
    status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, NULL, error);
    for (uint32_t i = 0; i < shape.frame_count && status == TR_OK; i++) {
        tr_clip_edit_world_frame(skeleton, clip, i, &job.pose);
        status = tr_clip_edit_set_frame(&job, i, error);
        tr_clip_set_contacts(job.made, i, tr_clip_frame_contacts(clip, i));
    }
    if (status == TR_OK)
        status = tr_clip_edit_copy_events(&job, 0, error);
    return tr_clip_edit_end(&job, status, result);
}
