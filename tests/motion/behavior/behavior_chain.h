// Chains of clips, joined as in Lau & Kuffner 2005, 3.4: bases end to end, and over the extra frames around a
// joint both clips at once, from the one to the other.
#pragma once
#include "troupe/base/scalar.h"
#include "troupe/motion/behavior_build.h"
#include "troupe/motion/blend.h"

#include <math.h>

typedef struct chain_link {
    const tr_behavior_build_clip *clip;
    tr_base begin;  // of the root, at the first frame
    uint32_t start; // frame of the chain
} chain_link;

typedef struct chain {
    chain_link links[256];
    uint32_t count, frames;
    tr_pose pose, other;
} chain;

static inline bool chain_open(chain *c, uint32_t joints) {
    *c = (chain){.count = 0};
    return tr_pose_create(NULL, joints, &c->pose, NULL) == TR_OK &&
           tr_pose_create(NULL, joints, &c->other, NULL) == TR_OK;
}

static inline void chain_close(chain *c) {
    tr_pose_destroy(&c->pose);
    tr_pose_destroy(&c->other);
}

static inline void chain_add(chain *c, const tr_behavior_build_clip *clip) {
    chain_link *link = &c->links[c->count];
    *link = (chain_link){clip, {0, 0, 0}, c->frames};
    if (c->count > 0) {
        const chain_link *before = link - 1;
        const tr_clip *motion = before->clip->motion;
        tr_base way = tr_base_difference(tr_clip_frame_base(motion, before->clip->first),
                                         tr_clip_frame_base(motion, before->clip->last));
        link->begin = tr_base_move(before->begin, way);
    }
    c->frames += clip->last - clip->first;
    c->count++;
}

// A link alone, at a frame of the chain.
static inline tr_base chain_link_at(const chain_link *link, uint32_t frame, tr_pose *pose) {
    const tr_clip *motion = link->clip->motion;
    uint32_t i = frame + link->clip->first - link->start;
    (void)tr_clip_get_frame(motion, i, pose);
    tr_base from = tr_clip_frame_base(motion, link->clip->first);
    return tr_base_move(link->begin, tr_base_difference(from, tr_clip_frame_base(motion, i)));
}

// How many frames before and after a joint both of its clips have.
static inline uint32_t chain_reach(const chain_link *a, const chain_link *b) {
    uint32_t after = tr_clip_frame_count(a->clip->motion) - 1 - a->clip->last, before = b->clip->first;
    uint32_t reach = after < before ? after : before;
    uint32_t half = (a->clip->last - a->clip->first) / 2, other = (b->clip->last - b->clip->first) / 2;
    reach = reach < half ? reach : half;
    return reach < other ? reach : other;
}

// The body at a frame of the chain, into c->pose; returns the root.
static inline tr_base chain_at(chain *c, uint32_t frame) {
    uint32_t i = 0;
    while (i + 1 < c->count && c->links[i + 1].start <= frame)
        i++;
    uint32_t a = i, b = i;
    if (i + 1 < c->count && frame + chain_reach(&c->links[i], &c->links[i + 1]) > c->links[i + 1].start)
        b = i + 1;
    else if (i > 0 && frame < c->links[i].start + chain_reach(&c->links[i - 1], &c->links[i]))
        a = i - 1;
    tr_base base = chain_link_at(&c->links[a], frame, &c->pose);
    if (a == b)
        return base;
    tr_base next = chain_link_at(&c->links[b], frame, &c->other);
    double reach = chain_reach(&c->links[a], &c->links[b]);
    double t = ((double)frame - c->links[b].start + reach) / (2 * reach);
    float share = (float)tr_ease(t), line = (float)t;
    tr_blend_two(&c->pose, &c->other, share, &c->pose);
    return (tr_base){base.x + (next.x - base.x) * line, base.z + (next.z - base.z) * line,
                     base.heading + (next.heading - base.heading) * line};
}
