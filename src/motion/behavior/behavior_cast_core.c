// The core of a body: what characters keep apart with. It is as wide as the body is on average when it goes
// straight ahead: arms that swing out do so one after the other. While it moves it has a disc more ahead, for
// the foot that lands there.
#include "behavior_cast_parts.h"
#include "troupe/base/scalar.h"

#define SLOT 0.1       // how long discs stand [s]
#define MOVES 0.17     // faster than this share of the height in a second, a body moves
#define STRAIGHT 0.1f  // most turn of a clip that is measured [rad]
#define LEAST_WAY 0.2f // of such a clip, as a share of the height
#define AHEAD 0.8f     // of what the body reaches ahead of the disc around its base

static bool goes_straight(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip) {
    tr_base way = tr_behavior_clip_way(clip, tr_behavior_clip_frames(clip));
    return fabsf(way.heading) < STRAIGHT && way.z > LEAST_WAY * maker->height && clip->rise == 0;
}

// How wide bodies are: the sum over frames; how far they reach ahead: the most.
typedef struct core_size {
    float wide, ahead;
    uint32_t frames;
} core_size;

static void measure_clip(tr_behavior_maker *maker, const tr_behavior_cast_clip *clip, tr_behavior_ball *balls,
                         core_size *size) {
    for (uint32_t frame = 0; frame <= tr_behavior_clip_frames(clip); frame++) {
        tr_base at = tr_behavior_clip_way(clip, frame);
        double sine, cosine;
        float wide = 0;
        tr_sin_cos((double)at.heading, &sine, &cosine);
        tr_behavior_maker_show(maker, clip, frame, balls);
        for (uint32_t i = 0; i < 2 * maker->piece_count; i++) {
            float x = balls[i].at.x - at.x, z = balls[i].at.z - at.z;
            float side = x * (float)cosine - z * (float)sine, front = z * (float)cosine + x * (float)sine;
            side = (side < 0 ? -side : side) + balls[i].radius;
            front += balls[i].radius - maker->def->margin;
            wide = side > wide ? side : wide;
            size->ahead = front > size->ahead ? front : size->ahead;
        }
        size->wide += wide;
        size->frames++;
    }
}

tr_status tr_behavior_maker_find_core(tr_behavior_maker *maker, tr_error *error) {
    core_size size = {0, 0, 0};
    if (!maker->def->core)
        return TR_OK;
    tr_behavior_ball *balls = tr_allocate(&maker->allocator, 2 * (size_t)maker->piece_count, sizeof *balls);
    if (!balls)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the %u capsules of a cast",
                       maker->piece_count);
    for (uint32_t i = 0; i < maker->def->state_count; i++)
        for (uint32_t k = 0; k < maker->def->states[i].clip_count; k++)
            if (maker->serves[i] == 0 && goes_straight(maker, &maker->def->states[i].clips[k]))
                measure_clip(maker, &maker->def->states[i].clips[k], balls, &size);
    tr_release(&maker->allocator, balls, 2 * (size_t)maker->piece_count, sizeof *balls);
    if (size.frames == 0)
        return tr_fail(error, TR_INVALID, "no ordinary behavior goes straight ahead: there is no core");
    maker->core = size.wide / (float)size.frames;
    maker->core_ahead = size.ahead > maker->core ? AHEAD * (size.ahead - maker->core) : 0;
    return TR_OK;
}

static uint32_t slot_frames(const tr_behavior_maker *maker) {
    uint32_t frames = (uint32_t)(SLOT * maker->rate + 0.5);
    return frames > 0 ? frames : 1;
}

uint32_t tr_behavior_maker_core_most(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip) {
    return maker->core > 0 ? 2 * (tr_behavior_clip_frames(clip) / slot_frames(maker) + 1) : 0;
}

uint32_t tr_behavior_maker_core(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip,
                                tr_behavior_disc *discs) {
    uint32_t count = 0, frames = tr_behavior_clip_frames(clip), length = slot_frames(maker);
    for (uint32_t frame = 0; frame < frames && maker->core > 0; frame += length) {
        uint32_t end = frame + length < frames ? frame + length : frames;
        tr_base from = tr_behavior_clip_way(clip, frame), to = tr_behavior_clip_way(clip, end);
        tr_base at = tr_behavior_clip_way(clip, 0.5 * (frame + end));
        tr_vec2 way = {to.x - from.x, to.z - from.z};
        double sine, cosine, seconds = (end - frame) / maker->rate;
        tr_sin_cos((double)at.heading, &sine, &cosine);
        discs[count++] = (tr_behavior_disc){at.x, at.z, (uint16_t)frame, 0};
        if ((double)tr_vec2_length(way) > MOVES * (double)maker->height * seconds && maker->core_ahead > 0)
            discs[count++] = (tr_behavior_disc){at.x + maker->core_ahead * (float)sine,
                                                at.z + maker->core_ahead * (float)cosine, (uint16_t)frame, 0};
    }
    return count;
}
