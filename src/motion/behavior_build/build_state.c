// States: pieces that do the same between the same labels. A state keeps a few clips; the others are too
// similar to be of use.
#include "build_parts.h"

#include <stdio.h>
#include <string.h>

#define ALIKE_TURN 0.18f   // [rad]: pieces of a state differ by less than this,
#define ALIKE_WAY 0.35f    // by this many legs in where they end,
#define ALIKE_TIME 0.25    // by this share of how long they last,
#define ALIKE_HEIGHT 0.15f // and by this many legs in how high or low they are

static bool are_alike(const build_job *job, const build_piece *a, const build_piece *b) {
    if (a->kind != b->kind || a->labels[0] != b->labels[0] || a->labels[1] != b->labels[1])
        return false;
    tr_base p = build_piece_way(job, a), q = build_piece_way(job, b);
    double s = build_piece_seconds(job, a), t = build_piece_seconds(job, b);
    float scale = a->kind == TR_BEHAVIOR_PIECE_STAND || a->kind == TR_BEHAVIOR_PIECE_WAIT ? 4.0f : 1.0f;
    return fabsf(p.heading - q.heading) < ALIKE_TURN &&
           tr_vec2_length(tr_vec2_make(p.x - q.x, p.z - q.z)) < ALIKE_WAY * job->body.leg &&
           fabs(s - t) < (double)scale * ALIKE_TIME * (s > t ? s : t) &&
           fabsf(a->height - b->height) < ALIKE_HEIGHT * job->body.leg;
}

static bool is_free(const build_job *job, const build_piece *piece) {
    return !piece->fault && piece->state == TR_NONE && build_label_lives(job, piece->labels[0]) &&
           build_label_lives(job, piece->labels[1]);
}

static uint32_t count_alike(const build_job *job, const build_piece *piece) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->piece_count; i++)
        count += is_free(job, &job->pieces[i]) && are_alike(job, piece, &job->pieces[i]);
    return count;
}

// --- Names and weights ---

const char *tr_behavior_piece_name(tr_behavior_piece_kind kind) {
    static const char *const names[TR_BEHAVIOR_PIECE_KINDS] = {
        "stand", "start", "end", "go", "turn", "step", "wait", "jump", "crawl", "duck", "other"};
    return (uint32_t)kind < TR_BEHAVIOR_PIECE_KINDS ? names[kind] : NULL;
}

static bool is_name_taken(const build_job *job, const char *name, uint32_t state) {
    for (uint32_t i = 0; i < state; i++)
        if (strcmp(job->made->states[i].name, name) == 0)
            return true;
    return false;
}

static void name_state(const build_job *job, const build_piece *piece, uint32_t number) {
    tr_behavior_build_state *state = &job->made->states[number];
    char plain[30];
    const char *kind = tr_behavior_piece_name(piece->kind), *gait = piece->runs ? "run" : "walk";
    int degrees = (int)(build_piece_way(job, piece).heading * 57.29578f);
    const char *side = degrees > 0 ? "left" : "right";
    bool rests = job->labels[piece->labels[0]].rests && job->labels[piece->labels[1]].rests;
    degrees = (degrees < 0 ? -degrees : degrees) % 1000;
    if (piece->kind == TR_BEHAVIOR_PIECE_GO)
        snprintf(plain, sizeof plain, "%s", gait);
    else if (piece->kind == TR_BEHAVIOR_PIECE_TURN)
        snprintf(plain, sizeof plain, "%s_%s_%d", rests ? "turn" : gait, side, degrees);
    else if (piece->kind == TR_BEHAVIOR_PIECE_START || piece->kind == TR_BEHAVIOR_PIECE_END)
        snprintf(plain, sizeof plain, "%s_%s", kind, gait);
    else
        snprintf(plain, sizeof plain, "%s", kind);
    snprintf(state->name, sizeof state->name, "%s", plain);
    for (int i = 2; is_name_taken(job, state->name, number); i++)
        snprintf(state->name, sizeof state->name, "%.28s_%d", plain, i);
}

// The speed that a piece gives up or has yet to reach: that of its end in motion, or of the slowest gait.
static float pace_of(const build_job *job, const build_piece *piece) {
    const tr_behavior_build *made = job->made;
    float slowest = 0;
    for (int i = 0; i < 2; i++)
        if (!job->labels[piece->labels[i]].rests)
            return made->labels[job->labels[piece->labels[i]].number].speed;
    for (uint32_t i = 0; i < job->label_count; i++) {
        const build_label *label = &job->labels[i];
        float speed = label->dead || label->rests ? 0 : made->labels[label->number].speed;
        if (speed > 0 && (slowest == 0 || speed < slowest))
            slowest = speed;
    }
    return slowest;
}

// Relative to going straight ahead (Lau & Kuffner 2005, 3.3): a turn costs a little more, a special motion
// more, and waiting most. Whatever begins or ends at rest costs what going on at speed for as long would:
// otherwise plans stop and start for nothing.
static float weight_of(const build_job *job, const build_piece *piece) {
    static const float weights[TR_BEHAVIOR_PIECE_KINDS] = {[TR_BEHAVIOR_PIECE_STAND] = 6,
                                                           [TR_BEHAVIOR_PIECE_WAIT] = 6,
                                                           [TR_BEHAVIOR_PIECE_JUMP] = 3,
                                                           [TR_BEHAVIOR_PIECE_CRAWL] = 4,
                                                           [TR_BEHAVIOR_PIECE_DUCK] = 2};
    tr_base way = build_piece_way(job, piece);
    float turn = fabsf(way.heading), weight = weights[piece->kind];
    if (weight > 0)
        return weight;
    weight = 1 + 0.2f * (turn < 3 ? turn : 3);
    if (!job->labels[piece->labels[0]].rests && !job->labels[piece->labels[1]].rests)
        return weight;
    float seconds = (float)build_piece_seconds(job, piece), metres = sqrtf(way.x * way.x + way.z * way.z);
    float least = TR_BEHAVIOR_IDLE * seconds;
    float slow = pace_of(job, piece) * seconds / (metres > least ? metres : least);
    return slow > weight ? slow : weight;
}

static void name_labels(const build_job *job) {
    tr_behavior_build *made = job->made;
    for (uint32_t i = 0; i < job->label_count; i++) {
        const build_label *label = &job->labels[i];
        if (label->dead)
            continue;
        tr_behavior_build_label *result = &made->labels[label->number];
        const build_event *model = &job->events.items[label->event];
        float speeds = 0, apart = 0, count = 0;
        for (uint32_t k = 0; k < job->events.count; k++) {
            const build_event *event = &job->events.items[k];
            if (event->label != i)
                continue;
            count++;
            apart += build_event_distance(&job->body, event, model);
            speeds += job->tracks[event->track].frames[event->frame].speed;
        }
        result->moments = build_label_moments(job, i);
        result->speed = speeds / count;
        result->spread = apart / count;
        if (i == job->rest)
            snprintf(result->name, sizeof result->name, "rest");
        else
            snprintf(result->name, sizeof result->name, "%s_%u",
                     label->rests                          ? "stand"
                     : model->moment == BUILD_STRIKES_LEFT ? "left_strike"
                                                           : "right_strike",
                     label->number);
    }
}

// --- Groups ---

// Of pieces that are alike, those nearest to their middle are kept: the first is the middle itself.
static void keep_clips(build_job *job, uint32_t state, const build_piece *middle) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < job->piece_count; i++) {
        build_piece *piece = &job->pieces[i];
        if (!is_free(job, piece) || !are_alike(job, middle, piece))
            continue;
        if (kept < job->clips_max)
            piece->state = state, kept++;
        else
            piece->fault = "its state has enough clips that are much like it";
    }
    job->made->states[state].clip_count = kept;
    job->made->clip_count += kept;
}

static tr_status make_room(build_job *job, tr_error *error) {
    tr_behavior_build *made = job->made;
    made->rest = TR_NONE;
    for (uint32_t i = 0; i < job->label_count; i++)
        if (!job->labels[i].dead)
            job->labels[i].number = made->label_count++;
    made->rest = job->labels[job->rest].number;
    made->labels = tr_allocate_zero(&made->allocator, made->label_count, sizeof *made->labels);
    made->never_stands = job->never_stands;
    return made->labels ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the states of a machine");
}

tr_status build_states_group(build_job *job, tr_error *error) {
    tr_behavior_build *made = job->made;
    tr_status status = make_room(job, error);
    if (status != TR_OK)
        return status;
    name_labels(job);
    for (;;) {
        uint32_t best = TR_NONE, most = 0;
        for (uint32_t i = 0; i < job->piece_count; i++) {
            uint32_t count = is_free(job, &job->pieces[i]) ? count_alike(job, &job->pieces[i]) : 0;
            if (count > most)
                most = count, best = i;
        }
        if (best == TR_NONE)
            break;
        build_piece middle = job->pieces[best];
        if (!tr_reserve(&made->allocator, (void **)&made->states, &made->state_capacity,
                        made->state_count + 1ull, sizeof *made->states))
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the states of a machine");
        uint32_t number = made->state_count++;
        made->states[number] = (tr_behavior_build_state){.kind = middle.kind,
                                                         .begin = job->labels[middle.labels[0]].number,
                                                         .end = job->labels[middle.labels[1]].number,
                                                         .weight = weight_of(job, &middle)};
        name_state(job, &middle, number);
        keep_clips(job, number, &middle);
    }
    return TR_OK;
}
