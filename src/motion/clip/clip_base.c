// The base point of a clip at a time, over any number of loops.
#include "clip_data.h"
#include "troupe/base/scalar.h"

#include <string.h>

// In double, because a walker may loop a million times.
typedef struct wide_base {
    double x, z, heading;
} wide_base;

// Reduces a heading of many turns to one, because sines of large angles are inaccurate.
static void turn_of(double heading, double *s, double *c) {
    double turns = floor(heading / (2 * TR_PI) + 0.5);
    tr_sin_cos(turns == 0 ? heading : heading - turns * (2 * TR_PI), s, c);
}

static wide_base move(wide_base from, wide_base by) {
    double s, c;
    turn_of(from.heading, &s, &c);
    wide_base moved = {from.x + (c * by.x + s * by.z), from.z + (c * by.z - s * by.x),
                       from.heading + by.heading};
    return moved;
}

static wide_base difference(wide_base from, wide_base to) {
    double s, c, x = to.x - from.x, z = to.z - from.z;
    turn_of(from.heading, &s, &c);
    wide_base by = {c * x - s * z, s * x + c * z, to.heading - from.heading};
    return by;
}

static wide_base widen(tr_base base) {
    wide_base wide = {base.x, base.z, base.heading};
    return wide;
}

static tr_base narrow(wide_base wide) {
    tr_base base = {(float)wide.x, (float)wide.z, (float)wide.heading};
    return base;
}

tr_base tr_base_move(tr_base from, tr_base by) {
    return narrow(move(widen(from), widen(by)));
}

tr_base tr_base_difference(tr_base from, tr_base to) {
    return narrow(difference(widen(from), widen(to)));
}

tr_affine tr_base_place(tr_base base, float height) {
    return tr_affine_place(tr_vec3_make(base.x, height, base.z), base.heading);
}

bool tr_clip_has_base(const tr_clip *clip) {
    return clip->base != NULL;
}

static bool is_finite_base(tr_base base) {
    return isfinite(base.x) && isfinite(base.z) && isfinite(base.heading);
}

tr_status tr_clip_set_base(tr_clip *clip, const tr_base *frames, tr_base advance) {
    tr_base *base = NULL;
    if (frames) {
        if (!is_finite_base(advance))
            return TR_INVALID;
        for (uint32_t i = 0; i < clip->frame_count; i++)
            if (!is_finite_base(frames[i]))
                return TR_INVALID;
        base = tr_allocate(&clip->allocator, clip->frame_count, sizeof *base);
        if (!base)
            return TR_OUT_OF_MEMORY;
        memcpy(base, frames, clip->frame_count * sizeof *base);
    }
    tr_release(&clip->allocator, clip->base, clip->frame_count, sizeof *base);
    clip->base = base;
    clip->advance = base ? advance : (tr_base){0, 0, 0};
    return TR_OK;
}

tr_base tr_clip_frame_base(const tr_clip *clip, uint32_t frame) {
    tr_base none = {0, 0, 0};
    return clip->base && frame < clip->frame_count ? clip->base[frame] : none;
}

tr_base tr_clip_advance(const tr_clip *clip) {
    tr_base none = {0, 0, 0};
    if (!clip->base)
        return none;
    return clip->loop ? clip->advance : tr_base_difference(clip->base[0], clip->base[clip->frame_count - 1]);
}

float tr_clip_speed(const tr_clip *clip) {
    tr_base advance = tr_clip_advance(clip);
    double duration = tr_clip_duration(clip);
    double length = sqrt((double)advance.x * advance.x + (double)advance.z * advance.z);
    return duration > 0 ? (float)(length / duration) : 0;
}

// The advance of many loops, by squaring.
static wide_base repeat(wide_base advance, double rounds) {
    wide_base result = {0, 0, 0}, power = advance;
    if (rounds < 0)
        power = difference(advance, result), rounds = -rounds;
    for (uint64_t left = (uint64_t)rounds; left; left >>= 1) {
        if (left & 1)
            result = move(result, power);
        power = move(power, power);
    }
    return result;
}

static wide_base base_in_round(const tr_clip *clip, double time) {
    clip_moment moment = tr_clip_moment(clip, time);
    wide_base a = widen(clip->base[moment.frame]), b = widen(clip->base[moment.next]);
    if (clip->loop && moment.next == 0)
        b = move(widen(clip->base[0]), widen(clip->advance));
    double t = moment.part;
    wide_base mixed = {a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t, a.heading + (b.heading - a.heading) * t};
    return mixed;
}

static wide_base base_at(const tr_clip *clip, double time) {
    wide_base within = base_in_round(clip, time);
    if (!clip->loop)
        return within;
    // The same division as in tr_clip_moment, so that both agree on the number of the loop.
    double at = time * clip->rate, count = clip->frame_count;
    double rounds = floor(at / count);
    if (!(at > -1e15 && at < 1e15))
        rounds = 0;
    else if (at - rounds * count >= count)
        rounds += 1;
    if (rounds == 0)
        return within;
    wide_base first = widen(clip->base[0]);
    return move(move(first, repeat(widen(clip->advance), rounds)), difference(first, within));
}

tr_base tr_clip_base(const tr_clip *clip, double time) {
    tr_base none = {0, 0, 0};
    return clip->base ? narrow(base_at(clip, time)) : none;
}

tr_base tr_clip_travel(const tr_clip *clip, double begin, double end, tr_base from) {
    if (!clip->base)
        return from;
    return narrow(move(widen(from), difference(base_at(clip, begin), base_at(clip, end))));
}
