// Whether the discs of a behavior cast hold its body: a check of its own, by points on the skin of capsules.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/behavior_cast.h"
#include "troupe/motion/pose.h"

#include <math.h>
#include <stdlib.h>

// How far a point is outside the discs that stand at a frame, in bands that it is within [m].
static inline double outside(const tr_behavior_def *def, const tr_behavior_move *move, double frame,
                             tr_vec3 p) {
    double best = INFINITY;
    uint32_t begin = 0, at = 0;
    while (at < move->disc_count && move->discs[at].frame <= frame)
        at++;
    for (begin = at; begin > 0 && at > 0 && move->discs[begin - 1].frame == move->discs[at - 1].frame;)
        begin--;
    for (uint32_t i = begin; i < at; i++) {
        const tr_behavior_disc *disc = &move->discs[i];
        const tr_behavior_band *band = &def->bands[disc->band];
        double x = (double)p.x - (double)disc->x, z = (double)p.z - (double)disc->z;
        double off = sqrt(x * x + z * z) - (double)def->radius;
        double below = (double)band->low - (double)p.y, above = (double)p.y - (double)band->high;
        if (band->climbs) // above the higher floor
            above -= fmax(0, (double)move->rise);
        if (band->low > 0) // nothing is wrong with a heel that dips into the floor
            off = fmax(off, below);
        off = fmax(off, above);
        best = fmin(best, off);
    }
    return best;
}

// The point of a capsule's skin at random places.
static inline tr_vec3 skin_point(tr_vec3 a, tr_vec3 b, double radius, tr_random *random) {
    tr_vec3 out = {tr_random_between(random, -1, 1), tr_random_between(random, -1, 1),
                   tr_random_between(random, -1, 1)};
    float length = tr_vec3_length(out), t = tr_random_between(random, 0, 1);
    out = length > 0 ? tr_vec3_scale(out, (float)radius / length) : tr_vec3_make((float)radius, 0, 0);
    return tr_vec3_add(tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), t)), out);
}

// The worst of all frames of a clip, each sampled four times, at points of all capsules, grown by `margin`.
static inline double worst_outside(const tr_behavior_cast *cast, const tr_behavior_move *move, float margin,
                                   uint32_t seed) {
    const tr_behavior_cast_clip *clip = &cast->clips[move->clip];
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    const tr_body_def *body = tr_body_view(cast->body);
    uint32_t joints = tr_skeleton_joint_count(cast->skeleton);
    tr_affine *model = malloc(joints * sizeof *model);
    tr_pose pose = {0};
    tr_random random = tr_random_seed(seed);
    double worst = -INFINITY, rate = tr_clip_rate(clip->motion);
    if (!model || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        return INFINITY;
    for (uint32_t i = 0; i < 4 * move->frames; i++) {
        double frame = (i + (double)tr_random_between(&random, 0, 1)) / 4,
               time = (clip->first + frame) / rate;
        tr_base way = tr_base_difference(tr_clip_frame_base(clip->motion, clip->first),
                                         tr_clip_base(clip->motion, time));
        tr_affine place = tr_base_place(way, 0);
        tr_clip_sample(clip->motion, time, &pose);
        tr_pose_to_model(cast->skeleton, &pose, &place, model);
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *capsule = &body->capsules[k];
            tr_vec3 a = tr_affine_apply(&model[capsule->joint], capsule->a);
            tr_vec3 b = tr_affine_apply(&model[capsule->joint], capsule->b);
            for (int n = 0; n < 8; n++) {
                tr_vec3 p = skin_point(a, b, (double)(capsule->radius + margin), &random);
                worst = fmax(worst, outside(def, move, frame, p));
            }
        }
    }
    tr_pose_destroy(&pose);
    free(model);
    return worst;
}

static inline void check_cover(const tr_behavior_cast *cast, float margin) {
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    for (uint32_t i = 0; i < def->state_count; i++)
        for (uint32_t k = 0; k < def->states[i].move_count; k++) {
            double worst = worst_outside(cast, &def->states[i].moves[k], margin, 100 * i + k);
            if (!(worst < 1e-3))
                test_failed(__FILE__, __LINE__, "state %s, clip %u: %g m of the body are outside its discs",
                            def->states[i].name, k, worst);
        }
}
