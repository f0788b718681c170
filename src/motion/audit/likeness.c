// Finds the steady strides of a motion and averages the curves over them.
#include "likeness_parts.h"

#include "troupe/base/scalar.h"

#include <math.h>

#define RATE_LEAST 24.0  // [Hz]
#define SPEED_LEAST 0.8  // [m/s]
#define SPEED_MOST 2.0   // people run above it
#define UNSTEADY 0.1     // of the speed: the most by which that of half a stride may differ
#define TURN_MOST 5.0    // [deg]
#define FACING_MOST 30.0 // [deg]: a body that looks further aside walks sideways or backwards
#define SLOPE_MOST 0.04  // height over distance: less than that of the flattest stairs and of a ramp
#define JUMP_RATE 30.0   // [Hz]

typedef struct likeness_stride {
    double begin, end; // [s]
    uint32_t side;
} likeness_stride;

// Why strides do not count, in the order in which they are checked.
enum { NO_STEPS, TOO_SLOW, TOO_FAST, SPEEDS_UP, ASIDE, TURNS, CLIMBS, COUNTS, REASONS };
static const char *const reasons[REASONS] = {"does not contain exactly one step of the other foot",
                                             "is slower than 0.8 m/s",
                                             "is faster than 2 m/s",
                                             "changes its speed by more than 10 %",
                                             "does not go ahead",
                                             "turns by 5 degrees or more",
                                             "is not level"};

typedef struct likeness_job {
    audit_job *job;
    likeness_joints joints;
    likeness_strikes strikes;
    likeness_stride *strides; // all found, by begin
    bool *counts;
    uint32_t stride_count, verdicts[REASONS];
    double sums[TR_LIKENESS_CURVES][TR_LIKENESS_POINTS];
    double people[TR_LIKENESS_CURVES][TR_LIKENESS_POINTS][4];
    tr_likeness likeness;
} likeness_job;

// Sorted by their begin: those of both feet in turn.
static void find_strides(likeness_job *l) {
    uint32_t next[2] = {0, 0}, ends[2];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t count = l->strikes.count[side];
        ends[side] = l->job->round ? count / 2 : count > 0 ? count - 1 : 0;
    }
    while (next[0] < ends[0] || next[1] < ends[1]) {
        uint32_t side = next[0] == ends[0] ||
                        (next[1] < ends[1] && l->strikes.times[1][next[1]] < l->strikes.times[0][next[0]]);
        const double *strike = &l->strikes.times[side][next[side]++];
        l->strides[l->stride_count++] = (likeness_stride){strike[0], strike[1], side};
    }
}

static uint32_t steps_between(const likeness_job *l, const likeness_stride *stride) {
    uint32_t other = 1 - stride->side, steps = 0;
    for (uint32_t i = 0; i < l->strikes.count[other]; i++)
        steps += l->strikes.times[other][i] > stride->begin && l->strikes.times[other][i] < stride->end;
    return steps;
}

// Where the pelvis is and faces at a time.
static tr_vec3 place_pelvis(likeness_job *l, double time, tr_vec3 *facing) {
    tr_audit_place_time(l->job, time, true);
    tr_vec3 ahead = tr_quat_rotate(tr_likeness_turn(l->job, l->joints.hips), tr_vec3_make(0, 0, 1));
    *facing = tr_vec3_make(ahead.x, 0, ahead.z);
    return tr_affine_position(&l->job->model[l->joints.hips]);
}

static double turn_between(tr_vec3 a, tr_vec3 b) {
    double cross = (double)a.z * b.x - (double)a.x * b.z, dot = (double)a.x * b.x + (double)a.z * b.z;
    return fabs(tr_arc_tangent(cross, dot)) * 180 / TR_PI;
}

// At the same phase of the stride, the pelvis faces the same way: its turn from one heel strike to the next
// is that of the walk. The two halves of a stride are one step each, and equally fast in a steady walk.
static int judge(likeness_job *l, const likeness_stride *stride, tr_vec3 *travel, double *distance) {
    if (steps_between(l, stride) != 1)
        return NO_STEPS;
    double time = stride->end - stride->begin;
    tr_vec3 facing[3];
    tr_vec3 first = place_pelvis(l, stride->begin, &facing[0]),
            middle = place_pelvis(l, stride->begin + time / 2, &facing[1]),
            last = place_pelvis(l, stride->end, &facing[2]);
    tr_vec3 way = tr_vec3_subtract(last, first);
    *distance = (double)tr_vec3_distance_from_above(first, last);
    if (!(*distance / time >= SPEED_LEAST))
        return TOO_SLOW;
    if (*distance / time > SPEED_MOST)
        return TOO_FAST;
    *travel = tr_vec3_scale(tr_vec3_make(way.x, 0, way.z), (float)(1 / *distance));
    double half = (double)tr_vec3_dot(tr_vec3_subtract(middle, first), *travel);
    if (fabs(2 * half - *distance) > UNSTEADY * *distance)
        return SPEEDS_UP;
    for (int i = 0; i < 3; i++)
        if (turn_between(facing[i], *travel) > FACING_MOST)
            return ASIDE;
    if (turn_between(facing[0], facing[2]) >= TURN_MOST)
        return TURNS;
    return fabs((double)way.y) > SLOPE_MOST * *distance ? CLIMBS : COUNTS;
}

// Removes the straight line from the first to the last point, and the mean.
static void remove_trend(double *values) {
    double first = values[0], rise = values[TR_LIKENESS_POINTS - 1] - first, mean = 0;
    for (int i = 0; i < TR_LIKENESS_POINTS; i++)
        values[i] -= first + rise * i / (TR_LIKENESS_POINTS - 1);
    for (int i = 0; i < TR_LIKENESS_POINTS - 1; i++)
        mean += values[i] / (TR_LIKENESS_POINTS - 1);
    for (int i = 0; i < TR_LIKENESS_POINTS; i++)
        values[i] -= mean;
}

static void add_stride(likeness_job *l, const likeness_stride *stride, tr_vec3 travel, double distance) {
    double curves[TR_LIKENESS_CURVES][TR_LIKENESS_POINTS], values[TR_LIKENESS_CURVES];
    double time = stride->end - stride->begin, speed = distance / time;
    for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
        tr_audit_place_time(l->job, stride->begin + time * i / (TR_LIKENESS_POINTS - 1), true);
        tr_likeness_read(l->job, &l->joints, stride->side, travel, values);
        for (int c = 0; c < TR_LIKENESS_CURVES; c++)
            curves[c][i] = values[c];
    }
    remove_trend(curves[TR_LIKENESS_PELVIS_HEIGHT]);
    remove_trend(curves[TR_LIKENESS_PELVIS_SIDE]);
    for (int c = 0; c < TR_LIKENESS_CURVES; c++)
        for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
            tr_likeness_people people = tr_likeness_of_people((tr_likeness_curve)c, (float)speed,
                                                              100.0f / (TR_LIKENESS_POINTS - 1) * (float)i);
            l->sums[c][i] += curves[c][i];
            l->people[c][i][0] += (double)people.mean, l->people[c][i][1] += (double)people.sd;
            l->people[c][i][2] += (double)people.least, l->people[c][i][3] += (double)people.most;
        }
    l->likeness.strides[stride->side]++;
    l->likeness.speed += (float)speed;
    l->likeness.stride_length += (float)distance;
    l->likeness.cadence += (float)(120 / time);
}

static tr_status no_stride(const likeness_job *l, tr_error *error) {
    if (l->stride_count == 0)
        return tr_fail(error, TR_NOT_FOUND,
                       "the motion has no stride: no foot strikes the ground twice after a swing");
    int most = 0;
    for (int i = 0; i < COUNTS; i++)
        most = l->verdicts[i] > l->verdicts[most] ? i : most;
    return tr_fail(error, TR_NOT_FOUND,
                   "no stride of %u is steady walking; the most frequent reason (%u) is that a stride %s",
                   l->stride_count, l->verdicts[most], reasons[most]);
}

// Boulic, Thalmann & Thalmann 1990: a stride is 1.346 times the root of speed times length of the leg.
static void fill_usual_stride(likeness_job *l) {
    const tr_affine *rest = tr_skeleton_rest_model(l->job->skeleton);
    const likeness_joints *j = &l->joints;
    double leg = 0, speed = (double)l->likeness.speed;
    for (uint32_t side = 0; side < 2; side++) {
        tr_vec3 hip = tr_affine_position(&rest[j->thigh[side]]),
                knee = tr_affine_position(&rest[j->shank[side]]),
                ankle = tr_affine_position(&rest[j->foot[side]]);
        leg += 0.5 * ((double)tr_vec3_distance(hip, knee) + (double)tr_vec3_distance(knee, ankle));
    }
    double stride = 1.346 * sqrt(speed * leg);
    l->likeness.people_stride_length = (float)stride;
    l->likeness.people_cadence = (float)(120 * speed / stride);
}

static void average(likeness_job *l) {
    tr_likeness *all = &l->likeness;
    uint32_t count = all->strides[0] + all->strides[1], measured = 0;
    all->speed /= (float)count, all->stride_length /= (float)count, all->cadence /= (float)count;
    for (int c = 0; c < TR_LIKENESS_CURVES; c++) {
        tr_likeness_match *match = &all->curves[c];
        if (!tr_likeness_has_curve(&l->joints, (tr_likeness_curve)c))
            continue;
        tr_likeness_people people[TR_LIKENESS_POINTS];
        for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
            const double *sum = l->people[c][i];
            people[i] = (tr_likeness_people){(float)(sum[0] / count), (float)(sum[1] / count),
                                             (float)(sum[2] / count), (float)(sum[3] / count)};
            match->values[i] = (float)(l->sums[c][i] / count);
        }
        match->measured = true;
        tr_likeness_compare(people, match);
        all->likeness += match->within_2sd;
        measured++;
    }
    all->likeness /= (float)measured;
    fill_usual_stride(l);
}

// The velocity of the pelvis over one step of time, less that of two steps before: a kink in the path counts
// in full wherever it lies in the step between.
static void measure_jump(likeness_job *l, double begin, double end) {
    tr_vec3 places[4], facing;
    for (uint32_t k = 0; begin + k / JUMP_RATE <= end; k++) {
        places[k % 4] = place_pelvis(l, begin + k / JUMP_RATE, &facing);
        if (k < 3)
            continue;
        tr_vec3 before = tr_vec3_subtract(places[(k + 2) % 4], places[(k + 1) % 4]),
                after = tr_vec3_subtract(places[k % 4], places[(k + 3) % 4]);
        float jump = tr_vec3_distance(before, after) * (float)JUMP_RATE;
        l->likeness.hip_jump = jump > l->likeness.hip_jump ? jump : l->likeness.hip_jump;
    }
}

// Smoothness over every uninterrupted row of measured strides; a loop that is steady throughout has no ends.
static tr_status measure_smoothness(likeness_job *l, tr_error *error) {
    audit_job part = *l->job;
    bool endless = part.round && l->verdicts[COUNTS] == l->stride_count;
    tr_status status = endless ? tr_audit_pelvis(&part, error) : TR_OK;
    for (uint32_t i = 0; i < l->stride_count && status == TR_OK; i++) {
        if (!l->counts[i])
            continue;
        double begin = l->strides[i].begin, end = l->strides[i].end;
        for (; i + 1 < l->stride_count && (!l->counts[i + 1] || l->strides[i + 1].begin <= end); i++)
            if (l->counts[i + 1] && l->strides[i + 1].end > end)
                end = l->strides[i + 1].end;
        measure_jump(l, begin, end);
        part.first = begin > 0 ? (uint32_t)ceil(begin * part.rate) : 0; // in a loop, it may be before 0
        part.count = (uint32_t)(end * part.rate) - part.first + 1;
        part.round = false;
        if (!endless)
            status = tr_audit_pelvis(&part, error);
    }
    l->likeness.ldlj = part.ldlj_windows ? (float)(part.ldlj_sum / part.ldlj_windows) : NAN;
    return status;
}

static tr_status measure_strides(likeness_job *l, tr_error *error) {
    find_strides(l);
    for (uint32_t i = 0; i < l->stride_count; i++) {
        tr_vec3 travel;
        double distance;
        int verdict = judge(l, &l->strides[i], &travel, &distance);
        l->verdicts[verdict]++;
        l->counts[i] = verdict == COUNTS;
        if (l->counts[i])
            add_stride(l, &l->strides[i], travel, distance);
    }
    if (l->verdicts[COUNTS] == 0)
        return no_stride(l, error);
    l->likeness.found = l->stride_count;
    average(l);
    return measure_smoothness(l, error);
}

static tr_status measure(likeness_job *l, tr_error *error) {
    const tr_allocator *allocator = &l->job->allocator;
    tr_status status = tr_likeness_strikes_find(l->job, &l->joints, &l->strikes, error);
    if (status != TR_OK)
        return status;
    size_t room = (size_t)l->strikes.count[0] + l->strikes.count[1] + 1;
    l->strides = tr_allocate(allocator, room, sizeof *l->strides);
    l->counts = tr_allocate(allocator, room, sizeof *l->counts);
    status = l->strides && l->counts ? measure_strides(l, error) : tr_audit_no_memory(error);
    tr_release(allocator, l->counts, room, sizeof *l->counts);
    tr_release(allocator, l->strides, room, sizeof *l->strides);
    tr_likeness_strikes_destroy(allocator, &l->strikes);
    return status;
}

tr_status tr_likeness_measure(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              const tr_audit_params *params, tr_likeness *likeness, tr_error *error) {
    tr_audit_params own = params ? *params : tr_audit_params_default();
    own.scene = NULL, own.body = NULL;
    audit_job job;
    if (tr_clip_rate(clip) < RATE_LEAST)
        return tr_fail(error, TR_INVALID, "the motion has %g frames per second, strides need at least %g",
                       tr_clip_rate(clip), RATE_LEAST);
    tr_status status = tr_audit_job_begin(allocator, skeleton, clip, &own, &job, error);
    if (status != TR_OK)
        return status;
    likeness_job *l = tr_allocate_zero(&job.allocator, 1, sizeof *l);
    if (l) {
        l->job = &job;
        status = tr_likeness_joints_find(skeleton, &l->joints, error);
        if (status == TR_OK)
            status = measure(l, error);
        if (status == TR_OK)
            *likeness = l->likeness;
        tr_release(&job.allocator, l, 1, sizeof *l);
    } else
        status = tr_audit_no_memory(error);
    tr_audit_job_end(&job);
    return status;
}
