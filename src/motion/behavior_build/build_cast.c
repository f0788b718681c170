// The machine as a kind of character for the planner.
#include "troupe/motion/behavior_build.h"

typedef struct cast_parts {
    const char **labels;
    tr_behavior_cast_state *states;
    tr_behavior_cast_clip *clips;
} cast_parts;

static bool is_special(tr_behavior_piece_kind kind) {
    return kind == TR_BEHAVIOR_PIECE_JUMP || kind == TR_BEHAVIOR_PIECE_CRAWL ||
           kind == TR_BEHAVIOR_PIECE_DUCK;
}

static void fill_parts(const tr_behavior_build *build, const cast_parts *parts) {
    for (uint32_t i = 0; i < build->label_count; i++)
        parts->labels[i] = build->labels[i].name;
    for (uint32_t i = 0; i < build->clip_count; i++) {
        const tr_behavior_build_clip *clip = &build->clips[i];
        parts->clips[i] = (tr_behavior_cast_clip){
            .motion = clip->motion, .first = clip->first, .last = clip->last, .action = clip->action};
    }
    for (uint32_t i = 0; i < build->state_count; i++) {
        const tr_behavior_build_state *state = &build->states[i];
        parts->states[i] =
            (tr_behavior_cast_state){.name = state->name,
                                     .clips = parts->clips + state->clip,
                                     .clip_count = state->clip_count,
                                     .begin = state->begin,
                                     .end = state->end,
                                     .weight = state->weight,
                                     .serves = is_special(state->kind) ? TR_BEHAVIOR_CAST_MEASURE : 0};
    }
}

tr_status tr_behavior_build_cast(const tr_behavior_build *build, const tr_behavior_cast_def *def,
                                 tr_behavior_cast **cast, tr_error *error) {
    const tr_allocator allocator = tr_allocator_or_default(def->allocator);
    cast_parts parts = {tr_allocate(&allocator, build->label_count, sizeof *parts.labels),
                        tr_allocate(&allocator, build->state_count, sizeof *parts.states),
                        tr_allocate(&allocator, build->clip_count, sizeof *parts.clips)};
    tr_behavior_cast_def whole = *def;
    whole.labels = parts.labels;
    whole.label_count = build->label_count;
    whole.rest = build->rest;
    whole.states = parts.states;
    whole.state_count = build->state_count;
    whole.take_motions = false;
    tr_status status = TR_OK;
    *cast = NULL;
    if (parts.labels && parts.states && parts.clips) {
        fill_parts(build, &parts);
        status = tr_behavior_cast_create(&whole, cast, error);
    } else
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u states", build->state_count);
    tr_release(&allocator, parts.clips, build->clip_count, sizeof *parts.clips);
    tr_release(&allocator, parts.states, build->state_count, sizeof *parts.states);
    tr_release(&allocator, parts.labels, build->label_count, sizeof *parts.labels);
    return status;
}
