// Closes a part of a motion to a loop. The gap at the seam is spread over the whole cycle, but a standing
// foot must stay: the offset of its place is made up while it swings, and the legs follow by inverse
// kinematics. Different speeds at the seam are blended within a short time around it.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"
#include "motion/foot/foot.h"
#include "troupe/motion/limb.h"
#include "troupe/base/scalar.h"

#define WINDOW 0.025    // speeds are measured over this time before and after [s]
#define BEND_TIME 0.15  // speeds are blended within this time before and after the seam [s]
#define STRETCHED 0.985 // of the length of the leg: almost straight
#define SHORTEST 0.06   // shorter contacts and gaps are noise [s]

enum { CHOICES = 5 }; // ways to distribute an offset

// The difference between both ends of the cycle: the total offset to add to the end, and by how much the end
// is faster [per frame].
typedef struct seam_gap {
    tr_vec3 lack, faster;
} seam_gap;

typedef struct seam_joint {
    seam_gap turn, move, scale;
} seam_joint;

typedef struct seam_foot {
    bool present;
    tr_foot foot;
    tr_limb limb;
    seam_gap move, turn;          // of the ball and of the foot, relative to the base
    uint32_t swing, swing_length; // the frame before it leaves the ground, and frames until it stands
    double middle;                // the share made up when the foot is where the capture has it
    double before, after;         // shares of the blend on both sides of the seam
} seam_foot;

typedef struct seam_work {
    clip_edit_job job;
    clip_edit_line line;
    uint32_t begin, count;
    uint32_t back, ahead; // frames over which speeds are measured
    uint32_t bend;        // frames
    seam_joint *joints;
    seam_foot feet[2];
    tr_affine *model;
    tr_pose others[3]; // at the other end, and before and after a frame
} seam_work;

static void read_frame(const seam_work *work, uint32_t frame, tr_pose *pose) {
    tr_clip_get_frame(work->job.clip, frame, pose);
    tr_clip_edit_roots_into(work->job.skeleton,
                            tr_clip_edit_line_at(&work->line, (double)frame - work->begin), pose);
}

static tr_vec3 turn_between(tr_quat from, tr_quat to) { // in the axes of `from`
    return tr_quat_to_vector(tr_quat_multiply(tr_quat_conjugate(from), to));
}

static tr_vec3 turn_between_outside(tr_quat from, tr_quat to) {
    return tr_quat_to_vector(tr_quat_multiply(to, tr_quat_conjugate(from)));
}

// The frames between which the speed at an end of the cycle is measured: on both sides as far as the clip
// continues, only on the inner side where it ends.
static void speed_frames(const seam_work *work, bool at_end, uint32_t *from, uint32_t *to) {
    uint32_t frame = at_end ? work->begin + work->count : work->begin;
    bool outside = work->back + work->ahead > 0;
    *from = frame - (outside ? work->back : at_end ? 1 : 0);
    *to = frame + (outside ? work->ahead : at_end ? 0 : 1);
}

static void add_speed(seam_gap *gap, tr_vec3 way, uint32_t from, uint32_t to, bool at_end) {
    float scale = (at_end ? 1.0f : -1.0f) / (float)(to - from);
    gap->faster = tr_vec3_add(gap->faster, tr_vec3_scale(way, scale));
}

static void measure_speeds(seam_work *work, bool at_end) {
    const tr_pose *a = &work->others[1], *b = &work->others[2];
    uint32_t from, to;
    speed_frames(work, at_end, &from, &to);
    read_frame(work, from, &work->others[1]);
    read_frame(work, to, &work->others[2]);
    for (uint32_t i = 0; i < a->joint_count; i++) {
        tr_transform s = tr_pose_get(a, i), t = tr_pose_get(b, i);
        seam_joint *joint = &work->joints[i];
        add_speed(&joint->turn, turn_between(s.rotation, t.rotation), from, to, at_end);
        add_speed(&joint->move, tr_vec3_subtract(t.position, s.position), from, to, at_end);
        add_speed(&joint->scale, tr_vec3_subtract(t.scale, s.scale), from, to, at_end);
    }
    tr_vec3 place[2];
    tr_quat turn[2];
    tr_pose_to_model(work->job.skeleton, a, NULL, work->model);
    for (int side = 0; side < 2; side++) {
        place[side] = tr_foot_ball(&work->feet[side].foot, work->model);
        turn[side] = tr_affine_rotation(&work->model[work->feet[side].foot.ankle]);
    }
    tr_pose_to_model(work->job.skeleton, b, NULL, work->model);
    for (int side = 0; side < 2; side++) {
        const tr_affine *ankle = &work->model[work->feet[side].foot.ankle];
        seam_foot *foot = &work->feet[side];
        add_speed(&foot->move, tr_vec3_subtract(tr_foot_ball(&foot->foot, work->model), place[side]), from,
                  to, at_end);
        add_speed(&foot->turn, turn_between_outside(turn[side], tr_affine_rotation(ankle)), from, to, at_end);
    }
}

static void measure_gaps(seam_work *work) {
    tr_pose *first = &work->job.pose, *last = &work->others[0];
    read_frame(work, work->begin, first);
    read_frame(work, work->begin + work->count, last);
    for (uint32_t i = 0; i < first->joint_count; i++) {
        tr_transform a = tr_pose_get(first, i), b = tr_pose_get(last, i);
        seam_joint joint = {{turn_between(b.rotation, a.rotation), {0, 0, 0}},
                            {tr_vec3_subtract(a.position, b.position), {0, 0, 0}},
                            {tr_vec3_subtract(a.scale, b.scale), {0, 0, 0}}};
        work->joints[i] = joint;
    }
    tr_vec3 place[2];
    tr_quat turn[2];
    tr_pose_to_model(work->job.skeleton, last, NULL, work->model);
    for (int side = 0; side < 2; side++) {
        place[side] = tr_foot_ball(&work->feet[side].foot, work->model);
        turn[side] = tr_affine_rotation(&work->model[work->feet[side].foot.ankle]);
    }
    tr_pose_to_model(work->job.skeleton, first, NULL, work->model);
    for (int side = 0; side < 2; side++) {
        const tr_affine *ankle = &work->model[work->feet[side].foot.ankle];
        seam_foot *foot = &work->feet[side];
        foot->move =
            (seam_gap){tr_vec3_subtract(tr_foot_ball(&foot->foot, work->model), place[side]), {0, 0, 0}};
        foot->turn = (seam_gap){turn_between_outside(turn[side], tr_affine_rotation(ankle)), {0, 0, 0}};
    }
    measure_speeds(work, false);
    measure_speeds(work, true);
}

// The share of a foot's offset that is made up at a frame [0, count]; it grows by one in every loop.
static double made_up(const seam_work *work, const seam_foot *foot, uint32_t frame) {
    if (foot->swing_length == 0) // never leaves the ground, or never stands
        return (double)frame / work->count;
    bool later = frame < foot->swing; // the previous swing, over or in progress, is of the loop before
    double t = ((double)frame + (later ? work->count : 0) - foot->swing) / foot->swing_length;
    return tr_ease(t) - (later ? 1 : 0);
}

static bool is_down(const seam_work *work, uint32_t frame, uint32_t side) {
    return tr_clip_edit_foot_down(tr_clip_frame_contacts(work->job.made, frame % work->count), side);
}

// The longest interval without contact, including across the seam.
static void find_swing(seam_work *work, uint32_t side) {
    seam_foot *foot = &work->feet[side];
    uint32_t count = work->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_down(work, i, side) || is_down(work, i + 1, side))
            continue;
        uint32_t length = 1;
        while (!is_down(work, i + length, side))
            length++;
        if (length > foot->swing_length)
            foot->swing = i, foot->swing_length = length;
    }
    bool stands_after = is_down(work, 0, side), stands_before = is_down(work, count - 1, side);
    foot->before = stands_after == stands_before ? 0.5 : stands_after ? 1 : 0;
    foot->after = 1 - foot->before;
}

static double bend_at(uint32_t from_seam, uint32_t bend) {
    if (from_seam >= bend)
        return 0;
    double rest = 1 - (double)from_seam / bend;
    return from_seam * rest * rest;
}

// The correction at a frame, for a gap of which the share `made` is made up.
static tr_vec3 fill_gap(const seam_work *work, const seam_gap *gap, uint32_t frame, double made,
                        double before, double after) {
    double bend = after * bend_at(frame, work->bend) + before * bend_at(work->count - frame, work->bend);
    return tr_vec3_add(tr_vec3_scale(gap->lack, (float)made), tr_vec3_scale(gap->faster, (float)bend));
}

static void fill_joint(const seam_work *work, uint32_t joint, uint32_t frame, double made, tr_pose *pose) {
    const seam_joint *gap = &work->joints[joint];
    tr_transform t = tr_pose_get(pose, joint);
    tr_vec3 turn = fill_gap(work, &gap->turn, frame, made, 0.5, 0.5);
    t.rotation = tr_quat_normalize(tr_quat_multiply(t.rotation, tr_quat_from_vector(turn)));
    t.position = tr_vec3_add(t.position, fill_gap(work, &gap->move, frame, made, 0.5, 0.5));
    if (pose->scaled)
        t.scale = tr_vec3_add(t.scale, fill_gap(work, &gap->scale, frame, made, 0.5, 0.5));
    tr_pose_set(pose, joint, t);
}

static void fill_pose(const seam_work *work, uint32_t frame, tr_pose *pose) {
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        double made = (double)frame / work->count - 0.5;
        for (int side = 0; side < 2; side++)
            if (work->feet[side].present && work->feet[side].foot.toes == i)
                made = made_up(work, &work->feet[side], frame);
        fill_joint(work, i, frame, made, pose);
    }
}

// The ankle of the capture with its correction: moved with the ball of the foot and turned about it, because
// the ball stands still the longest.
static tr_transform ankle_goal(const seam_work *work, const seam_foot *foot, uint32_t frame) {
    double made_level = made_up(work, foot, frame), made = made_level - foot->middle;
    const tr_affine *ankle = &work->model[foot->foot.ankle];
    tr_vec3 ball = tr_foot_ball(&foot->foot, work->model);
    // Along the ground it may stand elsewhere, but no higher and no more tilted than in the capture.
    tr_quat turn =
        tr_quat_from_vector(fill_gap(work, &foot->turn, frame, made_level, foot->before, foot->after));
    tr_transform goal = {.scale = {1, 1, 1}};
    tr_vec3 move = fill_gap(work, &foot->move, frame, made, foot->before, foot->after);
    move.y = fill_gap(work, &foot->move, frame, made_level, foot->before, foot->after).y;
    tr_vec3 moved = tr_vec3_add(ball, move);
    tr_vec3 back = tr_quat_rotate(turn, tr_vec3_subtract(tr_affine_position(ankle), ball));
    goal.position = tr_vec3_add(moved, back);
    goal.rotation = tr_quat_normalize(tr_quat_multiply(turn, tr_affine_rotation(ankle)));
    return goal;
}

static double apart(tr_vec3 a, tr_vec3 b) {
    return (double)tr_vec3_length(tr_vec3_subtract(a, b));
}

// By how much the foot's goals stretch the leg in a frame beyond the capture: an almost straight knee snaps.
// `strains` has a value for each of the choices.
static void strain_legs(seam_work *work, uint32_t frame, double strains[2][CHOICES]) {
    clip_edit_job *job = &work->job;
    double before[2], stretched[2];
    tr_vec3 goals[2][CHOICES];
    read_frame(work, work->begin + frame, &job->pose);
    tr_pose_to_model(job->skeleton, &job->pose, NULL, work->model);
    for (int side = 0; side < 2; side++) {
        seam_foot foot = work->feet[side];
        before[side] = apart(tr_affine_position(&work->model[foot.foot.thigh]),
                             tr_affine_position(&work->model[foot.foot.ankle]));
        stretched[side] = STRETCHED * ((double)foot.limb.upper_length + foot.limb.lower_length);
        for (int i = 0; i < CHOICES; i++) {
            foot.middle = (double)i / (CHOICES - 1);
            goals[side][i] = ankle_goal(work, &foot, frame).position;
        }
    }
    fill_pose(work, frame, &job->pose);
    tr_pose_to_model(job->skeleton, &job->pose, NULL, work->model);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < CHOICES; i++) {
            tr_vec3 thigh = tr_affine_position(&work->model[work->feet[side].foot.thigh]);
            double most = before[side] > stretched[side] ? before[side] : stretched[side];
            double over = apart(thigh, goals[side][i]) - most;
            strains[side][i] += over > 0 ? over * over : 0;
        }
}

// The offset may be distributed between the ends of the swing in any way: takes the one that strains the leg
// the least, with preference for the even one.
static void choose_middles(seam_work *work) {
    static const int order[CHOICES] = {2, 1, 3, 0, 4};
    double strains[2][CHOICES] = {{0}};
    for (uint32_t i = 0; i < work->count; i++)
        strain_legs(work, i, strains);
    for (int side = 0; side < 2; side++) {
        int best = order[0];
        for (int i = 1; i < CHOICES; i++)
            if (strains[side][order[i]] < strains[side][best] * 0.9)
                best = order[i];
        work->feet[side].middle = (double)best / (CHOICES - 1);
    }
}

static tr_status close_frame(seam_work *work, uint32_t frame, tr_error *error) {
    clip_edit_job *job = &work->job;
    tr_transform goals[2];
    read_frame(work, work->begin + frame, &job->pose);
    tr_pose_to_model(job->skeleton, &job->pose, NULL, work->model);
    for (int side = 0; side < 2; side++)
        goals[side] = ankle_goal(work, &work->feet[side], frame);
    fill_pose(work, frame, &job->pose);
    tr_pose_to_model(job->skeleton, &job->pose, NULL, work->model);
    for (int side = 0; side < 2; side++) {
        tr_limb_goal goal = {goals[side].position, &goals[side].rotation, 1, 0};
        if (work->feet[side].present)
            tr_limb_reach(&work->feet[side].limb, job->skeleton, &goal, &job->pose, NULL, work->model);
    }
    job->bases[frame] = tr_clip_edit_line_at(&work->line, frame);
    return tr_clip_edit_set_frame(job, frame, error);
}

// An interval in which a bit is set (or not) across the seam or beside it, and too short to be real: an
// artefact of joining two different steps.
static void clean_seam(seam_work *work, uint32_t bit, bool set, uint32_t at) {
    tr_clip *made = work->job.made;
    uint32_t count = work->count, first = at, length = 1, value = set ? bit : 0;
    double least = SHORTEST * tr_clip_rate(made);
    while (length <= count && (tr_clip_frame_contacts(made, (first + count - 1) % count) & bit) == value)
        first = (first + count - 1) % count, length++;
    while (length <= count && (tr_clip_frame_contacts(made, (first + length) % count) & bit) == value)
        length++;
    if ((tr_clip_frame_contacts(made, at) & bit) != value || length >= least || length >= count)
        return;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t frame = (first + i) % count;
        tr_clip_set_contacts(made, frame, tr_clip_frame_contacts(made, frame) ^ bit);
    }
}

// Copies the labels, except for the next contact of the left foot that began a frame or two before the end.
static void copy_labels(seam_work *work) {
    const uint32_t left = TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES;
    uint32_t count = work->count, early = 0;
    for (uint32_t i = 0; i < count; i++)
        tr_clip_set_contacts(work->job.made, i, tr_clip_frame_contacts(work->job.clip, work->begin + i));
    while (early < count && is_down(work, count - 1 - early, 0))
        early++;
    for (uint32_t i = count - early; i < count && early < count / 4; i++)
        tr_clip_set_contacts(work->job.made, i, tr_clip_frame_contacts(work->job.made, i) & ~left);
    for (int set = 0; set < 2; set++)
        for (uint32_t bit = TR_CONTACT_RIGHT_HEEL; bit <= TR_CONTACT_RIGHT_TOES; bit <<= 1) {
            clean_seam(work, bit, set == 1, count - 1);
            clean_seam(work, bit, set == 1, 0);
        }
}

static void measure_feet(seam_work *work) {
    for (uint32_t side = 0; side < 2; side++) {
        seam_foot *foot = &work->feet[side];
        const tr_skeleton *skeleton = work->job.skeleton;
        foot->present = tr_foot_measure(skeleton, side, &foot->foot) == TR_OK &&
                        tr_limb_measure(skeleton, foot->foot.thigh, foot->foot.shank, foot->foot.ankle,
                                        &foot->limb, NULL) == TR_OK;
        if (!foot->present) // measured as well, but never used
            foot->foot = (tr_foot){.toes = TR_NONE};
        find_swing(work, side);
    }
}

static void choose_line(seam_work *work) {
    const tr_skeleton *skeleton = work->job.skeleton;
    uint32_t hips = tr_clip_edit_hips(skeleton);
    tr_base ends[2];
    for (int i = 0; i < 2; i++) {
        tr_clip_get_frame(work->job.clip, work->begin + (i ? work->count : 0), &work->job.pose);
        tr_pose_to_model(skeleton, &work->job.pose, NULL, work->model);
        ends[i] = tr_clip_edit_hips_base(skeleton, hips, work->model);
    }
    work->line = tr_clip_edit_line(ends[0], ends[1], work->count, tr_clip_rate(work->job.clip));
}

static tr_status close_cycle(seam_work *work, tr_error *error) {
    double rate = tr_clip_rate(work->job.clip);
    uint32_t window = (uint32_t)(WINDOW * rate + 0.5), bend = (uint32_t)(BEND_TIME * rate + 0.5);
    uint32_t rest = tr_clip_frame_count(work->job.clip) - 1 - (work->begin + work->count);
    window = window < 1 ? 1 : window;
    work->back = work->begin < window ? work->begin : window;
    work->ahead = rest < window ? rest : window;
    work->bend = bend < work->count / 4 ? bend : work->count / 4;
    choose_line(work);
    copy_labels(work);
    measure_feet(work);
    measure_gaps(work);
    choose_middles(work);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < work->count && status == TR_OK; i++)
        status = close_frame(work, i, error);
    tr_base end = tr_clip_edit_line_at(&work->line, work->count);
    if (status == TR_OK)
        status = tr_clip_edit_set_base(&work->job, tr_base_difference(work->job.bases[0], end), error);
    return status == TR_OK ? tr_clip_edit_copy_events(&work->job, work->begin / rate, error) : status;
}

static tr_status allocate_work(seam_work *work, tr_error *error) {
    uint32_t joint_count = tr_skeleton_joint_count(work->job.skeleton);
    work->joints = tr_allocate(&work->job.allocator, joint_count, sizeof *work->joints);
    work->model = tr_allocate(&work->job.allocator, joint_count, sizeof *work->model);
    tr_status status = work->joints && work->model ? TR_OK : tr_clip_edit_no_memory(error, work->job.clip);
    for (int i = 0; i < 3 && status == TR_OK; i++)
        status = tr_pose_create(&work->job.allocator, joint_count, &work->others[i], error);
    return status;
}

static void release_work(seam_work *work) {
    uint32_t joint_count = tr_skeleton_joint_count(work->job.skeleton);
    for (int i = 0; i < 3; i++)
        if (work->others[i].joint_count)
            tr_pose_destroy(&work->others[i]);
    tr_release(&work->job.allocator, work->joints, joint_count, sizeof *work->joints);
    tr_release(&work->job.allocator, work->model, joint_count, sizeof *work->model);
}

tr_status tr_clip_edit_close(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                             uint32_t begin, uint32_t end, tr_clip **result, tr_error *error) {
    clip_edit_shape shape = {end - begin, tr_clip_rate(clip), true, true};
    seam_work work = {.begin = begin, .count = end - begin};
    tr_status status = tr_clip_edit_begin(&work.job, allocator, skeleton, clip, &shape, NULL, error);
    if (status == TR_OK)
        status = allocate_work(&work, error);
    if (status == TR_OK)
        status = close_cycle(&work, error);
    release_work(&work);
    return tr_clip_edit_end(&work.job, status, result);
}
