// Replays the plans of a crowd, without its map: which bodies are in each other in some frame?
#include "bench_lau_figures.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <stdlib.h>

#define EVERY 3        // frames
#define FAR 6.0f       // bodies whose first discs are further apart do not meet [m]
#define ROUNDING 1e-3f // [m]

// The discs of a body; the current ones are those from `at` to `end`.
typedef struct replay_body {
    tr_behavior_spot *spots;
    uint32_t count, at, end;
} replay_body;

static uint32_t group_end(const replay_body *body, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < body->count && body->spots[end].frame == body->spots[begin].frame)
        end++;
    return end;
}

// How somebody stands: as the first moves from rest begin. Returns the number of discs.
static uint32_t stand(const tr_behavior_def *machine, const tr_behavior_query *query, tr_behavior_spot *spots,
                      uint32_t max) {
    const tr_behavior_state *state = machine->states;
    uint32_t count = 0;
    while (state->begin != machine->rest)
        state++;
    double sine, cosine;
    tr_sin_cos((double)query->heading, &sine, &cosine);
    for (; count < state->moves->disc_count && state->moves->discs[count].frame == 0; count++) {
        const tr_behavior_disc *disc = &state->moves->discs[count];
        if (count < max)
            spots[count] = (tr_behavior_spot){
                query->start.x + disc->x * (float)cosine + disc->z * (float)sine,
                query->start.z + disc->z * (float)cosine - disc->x * (float)sine, query->frame};
    }
    return count;
}

static bool open_body(const tr_behavior *machine, const tr_behavior_query *query,
                      const tr_behavior_plan *plan, replay_body *body) {
    const tr_behavior_def *def = tr_behavior_def_of(machine);
    uint32_t count = 0, before = stand(def, query, NULL, 0);
    if (plan->action_count > 0 && plan->actions[0].frame == query->frame)
        before = 0;
    if (plan->action_count > 0)
        tr_behavior_plan_spots(machine, plan, NULL, 0, &count);
    body->count = before + count;
    body->spots = calloc(body->count, sizeof *body->spots);
    if (!body->spots)
        return false;
    stand(def, query, body->spots, before);
    if (count > 0 && tr_behavior_plan_spots(machine, plan, body->spots + before, count, &count) != TR_OK)
        return false;
    body->end = group_end(body, 0);
    return true;
}

static void show(replay_body *body, uint32_t frame) {
    while (body->end < body->count && body->spots[body->end].frame <= frame) {
        body->at = body->end;
        body->end = group_end(body, body->at);
    }
}

static bool meet(const replay_body *a, const replay_body *b, float apart) {
    if (hypotf(a->spots[a->at].x - b->spots[b->at].x, a->spots[a->at].z - b->spots[b->at].z) > FAR)
        return false;
    for (uint32_t i = a->at; i < a->end; i++)
        for (uint32_t k = b->at; k < b->end; k++)
            if (hypotf(a->spots[i].x - b->spots[k].x, a->spots[i].z - b->spots[k].z) < apart)
                return true;
    return false;
}

uint64_t lau_replay(const tr_behavior *machine, const tr_behavior_crowd *crowd,
                    const tr_behavior_person *people, uint32_t count) {
    tr_behavior_crowd_view view;
    replay_body *bodies = calloc((size_t)count + 1, sizeof *bodies);
    uint64_t met = 0;
    uint32_t last = 0;
    bool fine = bodies != NULL;
    for (uint32_t i = 0; i < count && fine; i++) {
        fine = tr_behavior_crowd_look(crowd, i, &view) &&
               open_body(machine, &people[i].query, view.plan, &bodies[i]);
        last = view.plan->end_frame > last ? view.plan->end_frame : last;
    }
    for (uint32_t frame = 0; fine && frame <= last; frame += EVERY) {
        for (uint32_t i = 0; i < count; i++)
            show(&bodies[i], frame);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = i + 1; k < count; k++)
                met +=
                    meet(&bodies[i], &bodies[k],
                         2 * (tr_behavior_def_of(machine)->core > 0 ? tr_behavior_def_of(machine)->core
                                                                    : tr_behavior_def_of(machine)->radius) -
                             ROUNDING);
    }
    for (uint32_t i = 0; bodies && i < count; i++)
        free(bodies[i].spots);
    free(bodies);
    return fine ? met : UINT64_MAX;
}
