#include "motion/clip/clip_data.h"
#include "locomotion_ahead.h"
#include "locomotion_data.h"
#include "locomotion_manner.h"

#include <math.h>

// When people start from standing, their step rate does not drop to 0: towards speed 0 it goes to this share
// of the rate of the slowest clip.
#define SLOWEST_RATE 0.6f
// How much faster than recorded the fastest clip may be played.
#define OVERSPEED 2.0f
#define LINES_LEAST 4 // intervals of the table for each pair
// A cycle that turns by more than this per loop, or goes in another direction than the first, cannot be
// mixed.
#define TURN_MOST 0.1f
#define ALL_DOWN (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES | TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES)

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
        tr_locomotion_align(made);
        tr_locomotion_legs_find(made, def->skeleton);
        set_lines(made);
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

typedef struct found_mix {
    uint32_t pair;
    float blend, rate, slide;
} found_mix;

static found_mix find_mix(const tr_locomotion *locomotion, float speed) {
    uint32_t pair = pair_of(locomotion, speed);
    float low = pair ? locomotion->strides[pair - 1].speed : 0, high = locomotion->strides[pair].speed;
    if (speed >= high) {
        float faster = speed / high < OVERSPEED ? speed / high : OVERSPEED;
        found_mix fastest = {pair, 1, faster * locomotion->rate[TR_LOCOMOTION_SPEEDS - 1],
                             faster * locomotion->slide[TR_LOCOMOTION_SPEEDS - 1]};
        return fastest;
    }
    uint32_t first = locomotion->first_line[pair], lines = locomotion->first_line[pair + 1] - first;
    float place = (speed - low) / (high - low) * (float)lines;
    uint32_t line = (uint32_t)place < lines ? (uint32_t)place : lines - 1;
    float part = place - (float)line;
    line += first;
    const float *mix = &locomotion->mix[line], *rate = &locomotion->rate[line],
                *slide = &locomotion->slide[line];
    // From standing, the blend begins level, because the knees of straight legs bend like its square root.
    // Steps are too short there, by millimetres.
    float blended = line == 0 ? part * part : part;
    float behind = line == 0 ? speed * (1 - part) : 0;
    found_mix found = {pair, mix[0] - (float)pair + (mix[1] - mix[0]) * blended,
                       rate[0] + (rate[1] - rate[0]) * part,
                       slide[0] + (slide[1] - slide[0]) * part + behind};
    return found;
}

tr_locomotion_mix tr_locomotion_at(const tr_locomotion *locomotion, float speed) {
    found_mix found = find_mix(locomotion, clean(speed));
    tr_locomotion_mix mix = {found.pair ? found.pair - 1 : TR_NONE, found.blend, found.rate, found.slide};
    return mix;
}

// The body stands, so the phase is invisible: the next of the two mid-stances serves.
static double begin_walk(const tr_locomotion *locomotion, double phase) {
    double way[2];
    for (int side = 0; side < 2; side++) {
        way[side] = locomotion->begin[side] - phase;
        way[side] += way[side] < 0 ? 1 : 0;
    }
    return locomotion->begin[way[1] < way[0]];
}

static void go_on(const tr_locomotion *locomotion, tr_locomotion_state *state, const found_mix *mix,
                  float speed, double dt) {
    double phase = state->phase >= 0 && state->phase < 1 ? state->phase : 0;
    double stand_time = isfinite(state->stand_time) ? state->stand_time : 0;
    if (speed > 0 && !(state->speed > 0))
        phase = begin_walk(locomotion, phase);
    if (speed > 0) {
        double before = phase;
        phase = tr_locomotion_map_advance(&locomotion->maps[mix->pair], mix->blend, phase,
                                          (double)mix->rate * dt);
        if (phase < before || (before < 0.5 && phase >= 0.5))
            tr_locomotion_next_step(state, phase >= 0.5);
    }
    stand_time += dt;
    if (locomotion->stand_duration > 0)
        stand_time -= floor(stand_time / locomotion->stand_duration) * locomotion->stand_duration;
    state->phase = phase;
    state->stand_time = stand_time;
    state->speed = speed;
}

// The feet of a walk and of a run are at different places except at the moment of contact, so a standing foot
// would slide while the mixture changes. Therefore it changes just after a contact; at other times the old
// mixture is played slower or faster.
#define GLIDE_PHASE 0.14 // of the stride, after a contact
#define GLIDE_RATE 10.0f // [m/s in a second]
#define GLIDE_FAR 0.5f   // beyond this ratio of the speeds, or its inverse, playing slower does not suffice

// The pair that leads from walking to running; 0: there is none.
static uint32_t run_pair(const tr_locomotion *locomotion) {
    for (uint32_t i = 1; i < locomotion->count; i++)
        if (locomotion->strides[i - 1].order != TR_LOCOMOTION_RUN &&
            locomotion->strides[i].order == TR_LOCOMOTION_RUN)
            return i;
    return 0;
}

// How fast the mixture may change at a phase [m/s in a second]: the rate rises and falls after a contact.
static float glide_at(const tr_locomotion *locomotion, uint32_t pair, double phase) {
    const tr_locomotion_stride *walk = &locomotion->strides[pair - 1];
    double other = walk->contact; // as a phase: that of the knot with this share
    for (uint32_t i = 0; i < walk->knot_count; i++)
        if (walk->share[i] == walk->contact)
            other = walk->phase[i];
    double since = (phase >= other ? phase - other : phase) / GLIDE_PHASE;
    return since < 1 ? (float)(4 * GLIDE_RATE * since * (1 - since)) : 0;
}

// The speed of the mixture that is shown.
static float choose_mix(const tr_locomotion *locomotion, const tr_locomotion_state *state, float speed,
                        float dt) {
    uint32_t pair = run_pair(locomotion);
    if (pair == 0 || !(state->speed > 0) || !(state->mix_speed > 0) || speed == 0)
        return speed;
    float low = locomotion->strides[pair - 1].speed, high = locomotion->strides[pair].speed,
          old = state->mix_speed;
    if ((speed <= low && old <= low) || (speed >= high && old >= high))
        return speed;
    bool far = speed < GLIDE_FAR * old || old < GLIDE_FAR * speed;
    float most = (far ? GLIDE_RATE : glide_at(locomotion, pair, state->phase)) * dt, change = speed - old;
    if (most > 0)
        return change > most ? old + most : change < -most ? old - most : speed;
    // Up to the border between the two, nothing limits the change.
    return old < low ? low : old > high ? high : old;
}

// Whose steps are quicker and shorter than those of the clips shows the mix of a slower speed, played faster.
// The feet of any mix are as fast over the ground as the body, so they do not slide. Returns the speed of
// that mix: at the square root law of walking steps the first guess is right, at a constant rate the second.
static float own_mix(const tr_locomotion *locomotion, const tr_locomotion_state *state, float speed) {
    float share = tr_locomotion_own_rate(state);
    if (share == 1 || speed == 0)
        return speed;
    float guess = speed / (share * share);
    float wanted = share * find_mix(locomotion, speed).rate;
    return guess * (find_mix(locomotion, guess).rate * share * share / wanted);
}

// A point is down when the clips that label it so weigh half or more.
static uint32_t mix_labels(uint32_t lower, uint32_t upper, float blend) {
    return blend < 0.5f ? lower : blend > 0.5f ? upper : lower | upper;
}

void tr_locomotion_step(const tr_locomotion *locomotion, tr_locomotion_state *state, float speed, float dt,
                        tr_pose *pose, tr_pose scratch[2], uint32_t *contacts) {
    *contacts = 0;
    if (pose->joint_count != locomotion->joint_count || scratch[0].joint_count != locomotion->joint_count)
        return;
    speed = clean(speed);
    dt = clean(dt);
    float shown = choose_mix(locomotion, state, own_mix(locomotion, state, speed), dt);
    found_mix mix = find_mix(locomotion, shown);
    if (shown != speed)
        mix.rate *= speed / shown;
    state->mix_speed = shown;
    go_on(locomotion, state, &mix, speed, (double)dt);
    const tr_locomotion_stride *upper = &locomotion->strides[mix.pair];
    double lower_share, upper_share;
    tr_locomotion_map_at(&locomotion->maps[mix.pair], state->phase, &lower_share, &upper_share);
    double lower_time = locomotion->stand_duration > 0 ? state->stand_time : 0;
    double upper_time = tr_locomotion_time(upper, upper_share);
    const tr_clip *lower = locomotion->stand;
    uint32_t labels = mix.blend > 0 ? tr_clip_contacts(upper->clip, upper_time) : ALL_DOWN;
    if (mix.pair > 0) {
        lower = upper[-1].clip;
        lower_time = tr_locomotion_time(upper - 1, lower_share);
        labels = mix_labels(tr_clip_contacts(lower, lower_time), labels, mix.blend);
    }
    *contacts = labels;
    if (mix.blend > 0 && mix.blend < 1) {
        tr_clip_sample(lower, lower_time, pose);
        tr_clip_sample(upper->clip, upper_time, &scratch[0]);
        tr_locomotion_blend(locomotion, pose, &scratch[0], mix.blend, mix.pair == 0, state->manner, pose);
    } else {
        tr_clip_sample(mix.blend > 0 ? upper->clip : lower, mix.blend > 0 ? upper_time : lower_time, pose);
        tr_locomotion_settle(locomotion, state->manner, pose);
    }
}

void tr_locomotion_ahead(const tr_locomotion *locomotion, const tr_locomotion_state *state) {
    if (!(state->mix_speed > 0))
        return; // the frames of standing are few, and shared by all
    uint32_t pair = pair_of(locomotion, state->mix_speed);
    const tr_locomotion_stride *upper = &locomotion->strides[pair];
    double lower_share, upper_share;
    tr_locomotion_map_at(&locomotion->maps[pair], state->phase, &lower_share, &upper_share);
    tr_clip_ahead(upper->clip, tr_locomotion_time(upper, upper_share));
    if (pair > 0)
        tr_clip_ahead(upper[-1].clip, tr_locomotion_time(upper - 1, lower_share));
}

void tr_locomotion_archive(tr_locomotion_state *state, tr_archive *archive) {
    tr_archive_double(archive, &state->phase);
    tr_archive_double(archive, &state->stand_time);
    tr_archive_float(archive, &state->speed);
    tr_archive_float(archive, &state->mix_speed);
    tr_archive_float(archive, &state->pace_before);
    tr_archive_float(archive, &state->pace);
    tr_archive_u32(archive, &state->steps);
}
