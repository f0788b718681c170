#include "motion/clip/clip_data.h"
#include "locomotion_data.h"
#include "troupe/base/scalar.h"
#include "locomotion_manner.h"

#include <math.h>

// When people start from standing, their step rate does not drop to 0: towards speed 0 it goes to this share
// of the rate of the slowest clip.
#define SLOWEST_RATE 0.6f
#define LINES_LEAST 4 // intervals of the table for each pair
// A cycle that turns by more than this per loop, or goes in another direction than the first, cannot be
// mixed.
#define TURN_MOST 0.1f
#define LEFT (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES)
#define RIGHT (TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES)
#define ALL_DOWN (LEFT | RIGHT)

static tr_status check_cycle(const tr_locomotion_def *def, uint32_t number, uint32_t joints,
                             tr_error *error) {
    const tr_clip *clip = def->cycles[number];
    if (!clip)
        return tr_fail(error, TR_INVALID, "cycle %u is missing", number);
    const char *name = tr_clip_name(clip);
    if (tr_clip_joint_count(clip) != joints)
        return tr_fail(error, TR_INVALID, "the cycle \"%s\" has %u joints, the skeleton %u", name,
                       tr_clip_joint_count(clip), joints);
    if (!tr_clip_loops(clip))
        return tr_fail(error, TR_INVALID, "the cycle \"%s\" does not loop", name);
    if (!tr_clip_has_base(clip))
        return tr_fail(error, TR_INVALID, "the cycle \"%s\" has no base point", name);
    float speed = tr_clip_speed(clip), turn = tr_clip_advance(clip).heading;
    if (!(speed > 0) || !isfinite(speed))
        return tr_fail(error, TR_INVALID,
                       "the cycle \"%s\" goes at %g m/s, its speed must be above 0 and finite", name,
                       (double)speed);
    if (!(fabsf(turn) <= TURN_MOST))
        return tr_fail(error, TR_INVALID, "the cycle \"%s\" turns by %g rad per loop, it must go straight",
                       name, (double)turn);
    if (number > 0 && !(speed > tr_clip_speed(def->cycles[number - 1])))
        return tr_fail(error, TR_INVALID, "the cycle \"%s\" goes at %g m/s, not faster than \"%s\" before it",
                       name, (double)speed, tr_clip_name(def->cycles[number - 1]));
    return TR_OK;
}

static tr_status set_stride(tr_locomotion *locomotion, uint32_t number, const tr_clip *clip,
                            tr_error *error) {
    tr_locomotion_stride *stride = &locomotion->strides[number];
    tr_base advance = tr_clip_advance(clip);
    float length = sqrtf(advance.x * advance.x + advance.z * advance.z);
    stride->clip = clip;
    stride->duration = tr_clip_duration(clip);
    stride->rate = (float)(1 / stride->duration);
    stride->speed = tr_clip_speed(clip);
    stride->direction = (tr_vec2){advance.x / length, advance.z / length};
    tr_vec2 first = locomotion->strides[0].direction;
    float along = first.x * stride->direction.x + first.z * stride->direction.z;
    float across = first.x * stride->direction.z - first.z * stride->direction.x;
    if (!(along > 0 && fabsf(across) <= TURN_MOST))
        return tr_fail(error, TR_INVALID, "the cycle \"%s\" goes in another direction than \"%s\"",
                       tr_clip_name(clip), tr_clip_name(locomotion->strides[0].clip));
    return tr_locomotion_stride_find(stride, error);
}

// Runs follow walks; without walks before them, or without runs, there is one gait.
static uint32_t find_runs(const tr_locomotion *locomotion) {
    for (uint32_t i = 1; i < locomotion->count; i++)
        if (locomotion->strides[i - 1].order != TR_LOCOMOTION_RUN &&
            locomotion->strides[i].order == TR_LOCOMOTION_RUN)
            return i;
    return locomotion->count;
}

// Lines are distributed by the speed range of each pair, so that every clip has a line of its own.
static void set_lines(tr_locomotion *locomotion) {
    uint32_t count = locomotion->count, spare = TR_LOCOMOTION_SPEEDS - 1 - count * LINES_LEAST, line = 0;
    float most = locomotion->strides[count - 1].speed;
    for (uint32_t pair = 0; pair < count; pair++) {
        float low = pair ? locomotion->strides[pair - 1].speed : 0, high = locomotion->strides[pair].speed;
        uint32_t end = LINES_LEAST * (pair + 1) + (uint32_t)((float)spare * (high / most));
        end = pair + 1 == count ? TR_LOCOMOTION_SPEEDS - 1 : end;
        locomotion->first_line[pair] = line;
        for (uint32_t i = line; i < end; i++)
            locomotion->speed[i] = low + (high - low) * ((float)(i - line) / (float)(end - line));
        line = end;
    }
    locomotion->first_line[count] = line;
    locomotion->speed[line] = most;
}

static tr_status check(const tr_locomotion_def *def, tr_error *error) {
    if (!def || !def->skeleton || !def->stand || !def->cycles)
        return tr_fail(error, TR_INVALID, "locomotion needs a skeleton, a standing clip and cycles");
    uint32_t joints = tr_skeleton_joint_count(def->skeleton);
    if (tr_clip_joint_count(def->stand) != joints)
        return tr_fail(error, TR_INVALID, "the standing clip \"%s\" has %u joints, the skeleton %u",
                       tr_clip_name(def->stand), tr_clip_joint_count(def->stand), joints);
    if (def->cycle_count == 0 || def->cycle_count > TR_LOCOMOTION_CLIPS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u cycles, there must be 1 to %d", def->cycle_count,
                       TR_LOCOMOTION_CLIPS_MAX);
    for (uint32_t i = 0; i < def->cycle_count; i++) {
        tr_status status = check_cycle(def, i, joints, error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

tr_status tr_locomotion_create(const tr_locomotion_def *def, tr_locomotion **locomotion, tr_error *error) {
    *locomotion = NULL;
    tr_status status = check(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_locomotion *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the table of %u cycles", def->cycle_count);
    made->allocator = allocator;
    made->stand = def->stand;
    made->stand_duration = tr_clip_loops(def->stand) ? tr_clip_duration(def->stand) : 0;
    made->joint_count = tr_skeleton_joint_count(def->skeleton);
    made->count = def->cycle_count;
    for (uint32_t i = 0; i < made->count && status == TR_OK; i++)
        status = set_stride(made, i, def->cycles[i], error);
    if (status == TR_OK) {
        made->first_run = find_runs(made);
        tr_locomotion_align(made);
        tr_locomotion_legs_find(made, def->skeleton);
        tr_locomotion_start_find(made, def->skeleton);
        set_lines(made);
        tr_locomotion_find_span(made);
        status = tr_locomotion_fill(made, def->skeleton, error);
    }
    if (status != TR_OK)
        tr_locomotion_destroy(made);
    else
        *locomotion = made;
    return status;
}

void tr_locomotion_destroy(tr_locomotion *locomotion) {
    if (!locomotion)
        return;
    tr_allocator allocator = locomotion->allocator;
    tr_release(&allocator, locomotion, 1, sizeof *locomotion);
}

float tr_locomotion_speed_max(const tr_locomotion *locomotion) {
    return locomotion->strides[locomotion->count - 1].speed;
}

float tr_locomotion_line_speed(const tr_locomotion *locomotion, uint32_t line) {
    return locomotion->speed[line < TR_LOCOMOTION_SPEEDS ? line : TR_LOCOMOTION_SPEEDS - 1];
}

static float clean(float value) {
    return value > 0 && isfinite(value) ? value : 0;
}

static uint32_t pair_of(const tr_locomotion *locomotion, float speed) {
    uint32_t pair = 0;
    while (pair + 1 < locomotion->count && speed >= locomotion->strides[pair].speed)
        pair++;
    return pair;
}

// Human step length grows with the square root of speed: the rate divided by that root is nearly the same at
// all walking speeds, and is interpolated from clip to clip.
float tr_locomotion_pair_rate(const tr_locomotion *locomotion, uint32_t pair, float speed) {
    const tr_locomotion_stride *upper = &locomotion->strides[pair];
    if (pair == 0) {
        const float least = SLOWEST_RATE * SLOWEST_RATE;
        return upper->rate * sqrtf(least + (1 - least) * (speed / upper->speed));
    }
    const tr_locomotion_stride *lower = upper - 1;
    float part = (speed - lower->speed) / (upper->speed - lower->speed);
    float low = lower->rate / sqrtf(lower->speed), high = upper->rate / sqrtf(upper->speed);
    return sqrtf(speed) * (low + (high - low) * part);
}

float tr_locomotion_natural_rate(const tr_locomotion *locomotion, float speed) {
    float asked = clean(speed), most = tr_locomotion_speed_max(locomotion);
    asked = asked < most ? asked : most;
    return tr_locomotion_pair_rate(locomotion, pair_of(locomotion, asked), asked);
}

tr_locomotion_mix tr_locomotion_at(const tr_locomotion *locomotion, float speed) {
    speed = clean(speed);
    tr_locomotion_find found =
        tr_locomotion_find_mix(locomotion, speed, tr_locomotion_runs_at(locomotion, speed));
    tr_locomotion_mix mix = {found.pair ? found.pair - 1 : TR_NONE, found.blend, found.rate, found.slide};
    return mix;
}

// The body stands, so the phase is invisible. Where clips have no first step, the next of the two mid-stances
// serves.
static void begin_walk(const tr_locomotion *locomotion, tr_locomotion_state *state) {
    if (tr_locomotion_start_begin(locomotion, state))
        return;
    double phase = state->phase >= 0 && state->phase < 1 ? state->phase : 0, way[2];
    for (int side = 0; side < 2; side++) {
        way[side] = locomotion->begin[side] - phase;
        way[side] += way[side] < 0 ? 1 : 0;
    }
    state->phase = locomotion->begin[way[1] < way[0]];
}

// Walks and runs have different lift-offs, so the same share of a stride is another phase in each.
static double advance(const tr_locomotion *locomotion, const tr_locomotion_find mixes[2], float run,
                      double phase, double dt) {
    double strides = (double)(mixes[0].rate + (mixes[1].rate - mixes[0].rate) * run) * dt, next = 0;
    for (int gait = 0; gait < 2; gait++) {
        const tr_locomotion_find *mix = &mixes[gait];
        double weight = gait ? (double)run : 1 - (double)run;
        if (!(weight > 0))
            continue;
        double on = tr_locomotion_map_advance(&locomotion->maps[mix->pair], mix->stands ? 1 : mix->blend,
                                              phase, strides);
        next += weight * (on < phase ? on + 1 : on);
    }
    return next - floor(next);
}

// Returns the phase before.
static double go_on(const tr_locomotion *locomotion, tr_locomotion_state *state,
                    const tr_locomotion_find mixes[2], float speed, double dt) {
    double phase = state->phase >= 0 && state->phase < 1 ? state->phase : 0;
    double stand_time = isfinite(state->stand_time) ? state->stand_time : 0;
    state->phase = phase;
    double before = phase;
    if (state->start > 0) {
        const tr_locomotion_find *mix = &mixes[0];
        tr_locomotion_start_step(locomotion, &locomotion->maps[mix->pair], mix->stands ? 1 : mix->blend,
                                 (double)mix->rate, dt, state);
        phase = state->phase;
    } else if (speed > 0) {
        phase = advance(locomotion, mixes, tr_ease_float(state->run_body), phase, dt);
        if (phase < before || (before < 0.5 && phase >= 0.5))
            tr_locomotion_next_step(state, phase >= 0.5);
    }
    stand_time += dt;
    if (locomotion->stand_duration > 0)
        stand_time -= floor(stand_time / locomotion->stand_duration) * locomotion->stand_duration;
    state->phase = phase;
    state->stand_time = stand_time;
    state->speed = speed;
    return before;
}

// The mix of a gait at a speed. Whose steps are quicker and shorter than those of the clips shows the mix of
// a slower speed, played faster. The feet of any mix are as fast over the ground as the body, so they do not
// slide. The length of walking steps follows the square root of the speed, that of running steps nearly the
// speed itself. The first step out of standing is short, but not slow.
static tr_locomotion_find own_mix(const tr_locomotion *locomotion, const tr_locomotion_state *state,
                                  float speed, bool runs) {
    float share = tr_locomotion_own_rate(state), own = speed / (runs ? share : share * share);
    float grown = tr_locomotion_start_share(state), shown = own * grown;
    float other = tr_locomotion_other_speed(locomotion, state, speed, shown);
    tr_locomotion_find mix =
        tr_locomotion_find_mean(locomotion, fminf(shown, other), fmaxf(shown, other), shown, runs);
    if (state->start > 0) {
        float rate = tr_locomotion_find_mix(locomotion, own, runs).rate;
        mix.rate = rate + (mix.rate - rate) * grown;
    }
    if (own != speed)
        mix.rate *= speed / own;
    return mix;
}

// A point is down when the clips that label it so weigh half or more.
static uint32_t mix_labels(uint32_t lower, uint32_t upper, float blend) {
    return blend < 0.5f ? lower : blend > 0.5f ? upper : lower | upper;
}

// The frames of a pair at a phase.
typedef struct gait_frames {
    const tr_clip *lower, *upper;
    double lower_time, upper_time;
} gait_frames;

static gait_frames find_frames(const tr_locomotion *locomotion, const tr_locomotion_state *state,
                               uint32_t pair, bool stands) {
    const tr_locomotion_stride *upper = &locomotion->strides[pair];
    double lower_share, upper_share;
    tr_locomotion_map_at(&locomotion->maps[pair], state->phase, &lower_share, &upper_share);
    gait_frames frames = {.lower = locomotion->stand,
                          .upper = upper->clip,
                          .lower_time = locomotion->stand_duration > 0 ? state->stand_time : 0,
                          .upper_time = tr_locomotion_time(upper, upper_share)};
    if (!stands) {
        frames.lower = upper[-1].clip;
        frames.lower_time = tr_locomotion_time(upper - 1, lower_share);
    }
    return frames;
}

static uint32_t find_contacts(const tr_locomotion *locomotion, const tr_locomotion_state *state,
                              const tr_locomotion_find *mix) {
    gait_frames frames = find_frames(locomotion, state, mix->pair, mix->stands);
    uint32_t upper = mix->blend > 0 ? tr_clip_contacts(frames.upper, frames.upper_time) : ALL_DOWN;
    return mix->stands ? upper
                       : mix_labels(tr_clip_contacts(frames.lower, frames.lower_time), upper, mix->blend);
}

static void pose_two(const tr_locomotion *locomotion, const gait_frames *frames, float blend, bool stands,
                     const tr_manner *manner, tr_pose *pose, tr_pose *spare) {
    if (blend > 0 && blend < 1) {
        tr_clip_sample(frames->lower, frames->lower_time, pose);
        tr_clip_sample(frames->upper, frames->upper_time, spare);
        tr_locomotion_blend(locomotion, pose, spare, blend, stands, manner, pose);
    } else {
        bool up = blend > 0;
        tr_clip_sample(up ? frames->upper : frames->lower, up ? frames->upper_time : frames->lower_time,
                       pose);
        tr_locomotion_settle(locomotion, manner, pose);
    }
}

static void pose_gait(const tr_locomotion *locomotion, const tr_locomotion_state *state,
                      const tr_locomotion_find *mix, const tr_manner *manner, tr_pose *pose, tr_pose *spare) {
    if (mix->third > 0) {
        gait_frames frames = find_frames(locomotion, state, mix->first, mix->first_stands);
        pose_two(locomotion, &frames, mix->within, mix->first_stands, NULL, pose, spare);
        frames = find_frames(locomotion, state, mix->first + 1, false);
        tr_clip_sample(frames.upper, frames.upper_time, spare);
        tr_locomotion_blend(locomotion, pose, spare, mix->third, false, manner, pose);
    } else {
        gait_frames frames = find_frames(locomotion, state, mix->pair, mix->stands);
        pose_two(locomotion, &frames, mix->blend, mix->stands, manner, pose, spare);
    }
}

// Between two gaits: each foot in the air goes from one to the other, and touches nothing meanwhile.
static void pose_change(const tr_locomotion *locomotion, tr_locomotion_state *state, double phase,
                        const tr_locomotion_find mixes[2], tr_pose *pose, tr_pose scratch[2],
                        uint32_t *contacts) {
    const uint32_t labels[2] = {find_contacts(locomotion, state, &mixes[0]),
                                find_contacts(locomotion, state, &mixes[1])};
    tr_locomotion_change_feet(state, phase, labels);
    *contacts = 0;
    for (uint32_t side = 0; side < 2; side++)
        if (state->run[side] == 0 || state->run[side] == 1)
            *contacts |= labels[state->run[side] > 0] & (side ? RIGHT : LEFT);
    pose_gait(locomotion, state, &mixes[0], NULL, pose, &scratch[0]);
    pose_gait(locomotion, state, &mixes[1], NULL, &scratch[0], &scratch[1]);
    float moves = mixes[0].stands ? mixes[0].blend : 1;
    tr_locomotion_blend_gaits(locomotion, pose, &scratch[0], state, moves, pose);
}

static void begin_gait(tr_locomotion_state *state) {
    state->gait = TR_LOCOMOTION_WALKS;
    state->run[0] = state->run[1] = state->run_body = state->acceleration = 0;
}

void tr_locomotion_step(const tr_locomotion *locomotion, tr_locomotion_state *state, float speed, float dt,
                        tr_pose *pose, tr_pose scratch[2], uint32_t *contacts) {
    *contacts = 0;
    if (pose->joint_count != locomotion->joint_count || scratch[0].joint_count != locomotion->joint_count)
        return;
    speed = clean(speed);
    dt = clean(dt);
    if (!(speed > 0))
        state->start = 0;
    else if (!(state->speed > 0))
        begin_walk(locomotion, state);
    if (state->start > 0) // the first step is a walking one
        begin_gait(state);
    else
        tr_locomotion_choose_gait(locomotion, state, speed, dt);
    tr_locomotion_follow_speed(state, speed, dt);
    bool runs = state->gait == TR_LOCOMOTION_RUNS, changes = tr_locomotion_changes(state);
    tr_locomotion_find mixes[2] = {{0}, {0}};
    for (int gait = 0; gait < 2; gait++)
        if (changes || runs == gait)
            mixes[gait] = own_mix(locomotion, state, speed, gait);
    double before = go_on(locomotion, state, mixes, speed, (double)dt);
    if (changes) {
        pose_change(locomotion, state, before, mixes, pose, scratch, contacts);
        return;
    }
    *contacts = tr_locomotion_start_labels(state, find_contacts(locomotion, state, &mixes[runs]));
    pose_gait(locomotion, state, &mixes[runs], state->manner, pose, &scratch[0]);
}

// The share of a stride that is over at a phase [0, 1].
static double share_at(const tr_locomotion *locomotion, const tr_locomotion_find *mix, double phase) {
    double lower, upper;
    tr_locomotion_map_at(&locomotion->maps[mix->pair], phase, &lower, &upper);
    return lower + (upper - lower) * (mix->stands ? 1 : (double)mix->blend);
}

float tr_locomotion_time_to(const tr_locomotion *locomotion, const tr_locomotion_state *state, double phase) {
    bool runs = state->gait == TR_LOCOMOTION_RUNS;
    tr_locomotion_find mix = own_mix(locomotion, state, clean(state->speed), runs);
    double now = state->phase >= 0 && state->phase < 1 ? state->phase : 0;
    double way = share_at(locomotion, &mix, phase > 0 ? phase : 1) - share_at(locomotion, &mix, now);
    way += way > 0 ? 0 : 1;
    return mix.rate > 0 && state->speed > 0 ? (float)way / mix.rate : INFINITY;
}

void tr_locomotion_archive(tr_locomotion_state *state, tr_archive *archive) {
    tr_archive_double(archive, &state->phase);
    tr_archive_double(archive, &state->stand_time);
    tr_archive_float(archive, &state->speed);
    tr_archive_float(archive, &state->start);
    tr_archive_check(archive, state->start >= 0 && state->start <= 2,
                     "a saved walk has a first step out of range");
    tr_archive_float(archive, &state->acceleration);
    tr_archive_float(archive, &state->late);
    tr_archive_floats(archive, state->run, 2);
    tr_archive_float(archive, &state->run_body);
    state->gait = (tr_locomotion_gait)tr_archive_choice(archive, state->gait, TR_LOCOMOTION_GAITS);
    tr_archive_float(archive, &state->pace_before);
    tr_archive_float(archive, &state->pace);
    tr_archive_u32(archive, &state->steps);
}
