// Random chains of behavior clips, whose ends fit.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/audit.h"
#include "troupe/motion/behavior_clip.h"
#include "troupe/motion/behavior_motion.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <string.h>

#define CHAIN_CLIPS 128
#define CHAIN_STEPS 64

typedef struct chain_cast {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_clip *owned[CHAIN_CLIPS];
    tr_behavior_motion_clip clips[CHAIN_CLIPS];
    tr_behavior_clip_info infos[CHAIN_CLIPS];
    uint32_t count;
} chain_cast;

static inline bool chain_cast_make(chain_cast *cast, float height) {
    tr_behavior_clip_state states[TR_BEHAVIOR_CLIP_STATES_MAX];
    uint32_t count = 0;
    tr_error error = {0};
    *cast = (chain_cast){0};
    tr_mannequin_def def = {.height = height};
    bool good = tr_mannequin_make(&def, &cast->skeleton, &cast->body, &error) == TR_OK &&
                tr_behavior_clip_repertoire(cast->skeleton, TR_BEHAVIOR_CLIPS_JOGGER, states, &count,
                                            &error) == TR_OK;
    for (uint32_t i = 0; i < count && good; i++)
        for (uint32_t k = states[i].heights[0] > 0 || strcmp(states[i].name, "jump_ditch") == 0
                              ? UINT32_MAX
                              : 0; // climbs are for where there are blocks, and a joint of the longest jump
                                   // is at its limit
             k < states[i].clip_count && cast->count < CHAIN_CLIPS && good; k++) {
            tr_behavior_clip_def made = states[i].def;
            uint32_t n = cast->count++;
            made.seed += k;
            good = tr_behavior_clip_make(&made, &cast->owned[n], &cast->infos[n], &error) == TR_OK;
            cast->clips[n] =
                (tr_behavior_motion_clip){cast->owned[n], cast->infos[n].first, cast->infos[n].last};
        }
    if (!good)
        printf("%s\n", error.message);
    return good;
}

static inline void chain_cast_end(chain_cast *cast) {
    for (uint32_t i = 0; i < cast->count; i++)
        tr_clip_destroy(cast->owned[i]);
    tr_body_destroy(cast->body);
    tr_skeleton_destroy(cast->skeleton);
}

static inline tr_behavior_motion *chain_motion(const chain_cast *cast, tr_behavior_motion_style style) {
    tr_behavior_motion_def def = {
        .skeleton = cast->skeleton, .clips = cast->clips, .clip_count = cast->count, .style = style};
    tr_behavior_motion *motion = NULL;
    tr_error error = {0};
    if (tr_behavior_motion_create(&def, &motion, &error) != TR_OK)
        printf("%s\n", error.message);
    return motion;
}

typedef struct chain {
    tr_behavior_motion_step steps[CHAIN_STEPS];
    uint32_t count;
    tr_base end;
} chain;

// Any clip that begins with a label.
static inline uint32_t chain_pick(const chain_cast *cast, tr_random *random, uint32_t label) {
    for (;;) {
        uint32_t i = tr_random_below(random, cast->count);
        if ((uint32_t)cast->infos[i].begin == label)
            return i;
    }
}

static inline void chain_add(const chain_cast *cast, chain *c, uint32_t clip) {
    const tr_behavior_motion_clip *is = &cast->clips[clip];
    c->steps[c->count++] =
        (tr_behavior_motion_step){.clips = {clip, 0}, .frames = is->last - is->first, .begin = c->end};
    c->end = tr_base_move(c->end, cast->infos[clip].advance);
}

// From standing to standing, with `length` clips or a few more.
static inline chain chain_random(const chain_cast *cast, uint64_t seed, uint32_t length) {
    tr_random random = tr_random_seed(seed);
    chain c = {.end = {tr_random_between(&random, -5, 5), tr_random_between(&random, -5, 5),
                       tr_random_between(&random, -3, 3)}};
    uint32_t label = TR_BEHAVIOR_CLIP_STANDS;
    for (;;) {
        uint32_t clip = chain_pick(cast, &random, label);
        bool ends = cast->infos[clip].end == TR_BEHAVIOR_CLIP_STANDS;
        if (ends ? c.count + 1 < length : c.count + 1 >= length && label == TR_BEHAVIOR_CLIP_LEFT)
            continue;
        chain_add(cast, &c, clip);
        label = (uint32_t)cast->infos[clip].end;
        if (ends || c.count == CHAIN_STEPS)
            return c;
    }
}

static inline tr_status chain_set(tr_behavior_motion *motion, const chain *c, const tr_base *goal) {
    tr_behavior_motion_chain is = {.steps = c->steps, .step_count = c->count, .end = c->end, .goal = goal};
    tr_error error = {0};
    tr_status status = tr_behavior_motion_set(motion, &is, &error);
    if (status != TR_OK)
        printf("%s\n", error.message);
    return status;
}

// The audit of a baked chain, with the joints of its steps as seams.
static inline tr_audit chain_audit(const chain_cast *cast, const tr_behavior_motion *motion, const chain *c,
                                   double rate) {
    tr_clip *clip = NULL;
    tr_audit audit = {0};
    tr_error error = {0};
    double seams[CHAIN_STEPS];
    double time = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        time += c->steps[i].frames / 30.0;
        seams[i] = time;
    }
    tr_audit_params params = tr_audit_params_default();
    params.ground = 0;
    params.seams = seams;
    params.seam_count = c->count - 1;
    bool good = tr_behavior_motion_bake(motion, NULL, rate, &clip, &error) == TR_OK &&
                tr_audit_measure(NULL, cast->skeleton, clip, &params, &audit, &error) == TR_OK;
    if (!good)
        printf("%s\n", error.message);
    CHECK(good);
    tr_clip_destroy(clip);
    return audit;
}
