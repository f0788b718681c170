// What does not belong to a motion: poses that were added at its beginning, joints that spin, noise.
#include "build_parts.h"
#include "troupe/motion/clip_edit.h"

#define NOISE 10.0      // people do not move at higher frequencies [Hz]
#define NOISY 2.0       // a capture that jerks this much more than without them is noisy
#define ADDED_TIME 0.12 // added poses are at the beginning [s]
#define ADDED_JUMP 4.0  // and further away than the fastest motion after them by this factor
#define SPIN 32.0       // no joint of a human turns this fast [rad/s]
#define SPIN_GAP 0.2    // spins that are nearer to each other are one [s]

typedef struct places {
    tr_pose pose;
    tr_affine *model;
    tr_vec3 *points; // [frame][joint]
    uint32_t frames, joints;
} places;

static void places_destroy(const tr_allocator *allocator, places *p) {
    tr_pose_destroy(&p->pose);
    tr_release(allocator, p->model, p->joints, sizeof *p->model);
    tr_release(allocator, p->points, (size_t)p->frames * p->joints, sizeof *p->points);
}

// Where all joints are in the first `frames` frames.
static tr_status places_make(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                             uint32_t frames, places *p, tr_error *error) {
    *p = (places){.frames = frames, .joints = tr_skeleton_joint_count(skeleton)};
    tr_status status = tr_pose_create(allocator, p->joints, &p->pose, error);
    p->model = tr_allocate(allocator, p->joints, sizeof *p->model);
    p->points = tr_allocate(allocator, (size_t)frames * p->joints, sizeof *p->points);
    if (status != TR_OK || !p->model || !p->points) {
        places_destroy(allocator, p);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the joints of %u frames", frames);
    }
    for (uint32_t i = 0; i < frames; i++) {
        tr_clip_get_frame(clip, i, &p->pose);
        tr_pose_to_model(skeleton, &p->pose, NULL, p->model);
        for (uint32_t k = 0; k < p->joints; k++)
            p->points[(size_t)i * p->joints + k] = tr_affine_position(&p->model[k]);
    }
    return TR_OK;
}

static double mean_step(const places *p, uint32_t from) {
    double sum = 0;
    for (uint32_t k = 0; k < p->joints; k++)
        sum += (double)tr_vec3_distance(p->points[(size_t)from * p->joints + k],
                                        p->points[(size_t)(from + 1) * p->joints + k]);
    return sum / p->joints;
}

// A pose that was added at the beginning is far from the motion: the body jumps from it to the next frame. In
// a resampled capture it may take several frames.
tr_status build_clean_added(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                            uint32_t *skipped, tr_error *error) {
    double rate = tr_clip_rate(clip);
    uint32_t count = tr_clip_frame_count(clip), near = (uint32_t)(ADDED_TIME * rate) + 1;
    *skipped = 0;
    if (count < 2 * near + 4)
        return TR_OK;
    places p;
    tr_status status = places_make(allocator, skeleton, clip, 2 * near + 3, &p, error);
    if (status != TR_OK)
        return status;
    double after = 0;
    for (uint32_t i = near; i + 1 < p.frames; i++) {
        double step = mean_step(&p, i);
        after = step > after ? step : after;
    }
    double least = 0.002 * (double)tr_skeleton_height(skeleton);
    for (uint32_t i = 0; i < near; i++)
        if (mean_step(&p, i) > ADDED_JUMP * after + least)
            *skipped = i + 1;
    places_destroy(allocator, &p);
    return TR_OK;
}

// Mean size of the third difference of the joints.
static tr_status measure_jerk(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              double *jerk, tr_error *error) {
    uint32_t count = tr_clip_frame_count(clip);
    double sum = 0;
    places p;
    tr_status status = places_make(allocator, skeleton, clip, count, &p, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i + 3 < count; i++)
        for (uint32_t k = 0; k < p.joints; k++) {
            const tr_vec3 *a = &p.points[(size_t)i * p.joints + k], *b = a + p.joints, *c = b + p.joints,
                          *d = c + p.joints;
            tr_vec3 third = {d->x - a->x + 3 * (b->x - c->x), d->y - a->y + 3 * (b->y - c->y),
                             d->z - a->z + 3 * (b->z - c->z)};
            sum += (double)tr_vec3_length(third);
        }
    places_destroy(allocator, &p);
    *jerk = sum;
    return TR_OK;
}

// --- Joints that spin ---

static double turn_between(tr_quat a, tr_quat b) {
    return (double)tr_vec3_length(tr_quat_to_vector(tr_quat_multiply(tr_quat_conjugate(a), b)));
}

typedef struct spin_track {
    tr_quat *turns; // of one joint in every frame
    uint32_t count;
    double rate;
} spin_track;

static bool spins_after(const spin_track *t, uint32_t frame) {
    return turn_between(t->turns[frame], t->turns[frame + 1]) * t->rate > SPIN;
}

// The last frame of the spin that begins after `begin`: another one that follows soon turns it back.
static uint32_t end_of_spin(const spin_track *t, uint32_t begin) {
    uint32_t near = (uint32_t)(SPIN_GAP * t->rate), last = begin;
    for (uint32_t i = begin; i + 1 < t->count && i - last <= near; i++)
        last = spins_after(t, i) ? i : last;
    return last + 1;
}

// Goes straight from the frame before a spin to the one after it.
static bool take_out_spins(spin_track *t) {
    bool any = false;
    for (uint32_t i = 0; i + 1 < t->count; i++) {
        if (!spins_after(t, i))
            continue;
        uint32_t end = end_of_spin(t, i), from = i > 0 ? i - 1 : i, to = end + 1 < t->count ? end + 1 : end;
        tr_quat a = t->turns[from], b = t->turns[to];
        for (uint32_t k = from + 1; k < to; k++)
            t->turns[k] = tr_quat_blend(a, b, (float)(k - from) / (float)(to - from));
        any = true;
        i = end;
    }
    return any;
}

// Captures lose a foot or a hand for some frames, and it spins. No joint of a human turns as fast.
static tr_status repair_spins(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_clip *clip,
                              tr_error *error) {
    spin_track t = {.count = tr_clip_frame_count(clip), .rate = tr_clip_rate(clip)};
    tr_pose pose;
    tr_status status = tr_pose_create(allocator, tr_clip_joint_count(clip), &pose, error);
    if (status != TR_OK)
        return status;
    t.turns = tr_allocate(allocator, t.count, sizeof *t.turns);
    if (!t.turns)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the joints of %u frames", t.count);
    for (uint32_t joint = 0; joint < pose.joint_count && status == TR_OK; joint++) {
        for (uint32_t i = 0; i < t.count; i++) {
            tr_clip_get_frame(clip, i, &pose);
            t.turns[i] = tr_pose_rotation(&pose, joint);
        }
        if (tr_skeleton_joint(skeleton, joint).role == TR_ROLE_NONE || !take_out_spins(&t))
            continue;
        for (uint32_t i = 0; i < t.count && status == TR_OK; i++) {
            tr_clip_get_frame(clip, i, &pose);
            tr_pose_set_rotation(&pose, joint, t.turns[i]);
            status = tr_clip_set_frame(clip, i, &pose);
        }
    }
    tr_release(allocator, t.turns, t.count, sizeof *t.turns);
    tr_pose_destroy(&pose);
    return status;
}

// --- Noise ---

// Takes out what is too fast to be motion, if that is most of what jerks.
static tr_status take_out_noise(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_clip **clip,
                                tr_error *error) {
    double before, after;
    tr_clip *smooth = NULL;
    if (tr_clip_rate(*clip) <= 2.2 * NOISE || tr_clip_frame_count(*clip) < 8)
        return TR_OK;
    tr_status status = tr_clip_edit_smooth(allocator, skeleton, *clip, NOISE, &smooth, error);
    if (status == TR_OK)
        status = measure_jerk(allocator, skeleton, *clip, &before, error);
    if (status == TR_OK)
        status = measure_jerk(allocator, skeleton, smooth, &after, error);
    bool better = status == TR_OK && before > NOISY * after;
    tr_clip_destroy(better ? *clip : smooth);
    if (better)
        *clip = smooth;
    return status;
}

tr_status build_clean(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_clip **clip,
                      tr_error *error) {
    tr_status status = repair_spins(allocator, skeleton, *clip, error);
    return status == TR_OK ? take_out_noise(allocator, skeleton, clip, error) : status;
}
