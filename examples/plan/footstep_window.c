// Walks along a lane with a trap, step by step, with a window of one step and with one of three, and turns.
#include "troupe/plan/footstep_window.h"
#include "troupe/world/sample.h"

#include <stdio.h>

#define BEHIND 0.9f // of the profile behind the standing foot [m]

typedef struct course {
    tr_solid *solid;
    tr_profile *profile;
    tr_footstep_window *window;
    tr_stride_body body;
    tr_footstep_window_params params;
    float goal;
} course;

static tr_status walk(course *lane) {
    tr_stride_foot feet[2] = {{.along = BEHIND, .aside = 0.5f * lane->body.apart},
                              {.along = BEHIND, .aside = -0.5f * lane->body.apart}};
    float base = -0.4f - BEHIND; // where the path begins
    tr_stride_stand start = {0};
    for (uint32_t step = 0; step < 30; step++) {
        uint32_t side = step % 2;
        // The window slides along: its path begins behind the standing foot.
        float shift = feet[1 - side].along - BEHIND;
        base += shift, feet[0].along -= shift, feet[1].along -= shift, start.along -= shift;
        const tr_vec2 path[2] = {{0, base}, {0, base + 4.2f}};
        tr_profile_query cut = {lane->solid, path, 2, feet[1 - side].height, 0.45f, 0.9f};
        tr_status status = tr_profile_cut(lane->profile, &cut, NULL);
        if (status != TR_OK)
            return status;
        tr_footstep_window_query query = {.profile = lane->profile,
                                          .body = &lane->body,
                                          .params = &lane->params,
                                          .height = 1.75f,
                                          .facing = 1,
                                          .side = side,
                                          .feet = {feet[0], feet[1]},
                                          .start = step ? &start : NULL};
        tr_footstep_window_plan plan;
        status = tr_footstep_window_find(lane->window, &query, &plan, NULL);
        if (status != TR_OK && status != TR_PARTIAL) {
            printf(" - stuck: %s\n", tr_stride_reason_text(plan.reason));
            return status;
        }
        printf(" %.2f", (double)plan.footsteps[0].position.z);
        if (!tr_footstep_window_clear(lane->solid, lane->profile, &lane->body, &plan.strides[0], 8, NULL))
            printf(" (a leg touches something)");
        tr_footstep_window_take(&plan.strides[0], feet);
        start = plan.strides[0].end;
        if (plan.footsteps[0].position.z > lane->goal)
            break;
    }
    printf(" - arrived\n");
    return TR_OK;
}

// Turns half around on the spot where the lane begins.
static tr_status turn(course *lane) {
    tr_stride_foot feet[2] = {{.along = 1, .aside = 0.5f * lane->body.apart},
                              {.along = 1, .aside = -0.5f * lane->body.apart}};
    const tr_vec2 path[2] = {{0, -2}, {0, 0}};
    tr_profile_query cut = {lane->solid, path, 2, 0, 0.45f, 0.9f};
    tr_status status = tr_profile_cut(lane->profile, &cut, NULL);
    tr_stride_stand start = {0};
    for (uint32_t step = 0; status == TR_OK && step < 12; step++) {
        tr_footstep_window_query query = {.profile = lane->profile,
                                          .body = &lane->body,
                                          .params = &lane->params,
                                          .height = 1.75f,
                                          .facing = 1,
                                          .feet = {feet[0], feet[1]},
                                          .start = step ? &start : NULL,
                                          .kind = TR_FOOTSTEP_WINDOW_TURN,
                                          .turn = 3.1415927f};
        query.side = tr_footstep_window_side(&query);
        tr_footstep_window_plan plan;
        status = tr_footstep_window_find(lane->window, &query, &plan, NULL);
        if (plan.step_count == 0)
            break;
        tr_footstep_window_take(&plan.strides[0], feet);
        start = plan.strides[0].end;
        printf(" %.2f", (double)plan.strides[0].to.turn);
        if (feet[0].turn == query.turn && feet[1].turn == query.turn)
            break;
    }
    printf("\n");
    return status;
}

int main(void) {
    tr_sample_def def = {.name = "trap"};
    tr_sample sample;
    if (tr_sample_make(&def, &sample, NULL) != TR_OK)
        return 1;
    tr_solid_def solid = tr_solid_def_default(sample.scene);
    tr_profile_def profile = tr_profile_def_default();
    profile.rows = 64; // wide enough for turns
    course lane = {.body = tr_stride_body_default(1.75f),
                   .params = tr_footstep_window_params_default(1.75f),
                   .goal = sample.goal.z};
    if (tr_solid_create(&solid, &lane.solid, NULL) != TR_OK ||
        tr_profile_create(&profile, &lane.profile, NULL) != TR_OK ||
        tr_footstep_window_create(NULL, 3, 13, profile.columns, &lane.window, NULL) != TR_OK)
        return 1;
    printf("a step of 0.7 m costs %.2f J/kg more than the cheapest pace, up 0.1 m %.2f, down %.2f\n",
           (double)tr_footstep_window_energy(1.75f, 0.7f, 0),
           (double)tr_footstep_window_energy(1.75f, 0.7f, 0.1f),
           (double)tr_footstep_window_energy(1.75f, 0.7f, -0.1f));
    for (uint32_t steps = 1; steps <= 3; steps += 2) {
        lane.params.steps = steps;
        printf("looking %u ahead, footsteps at", steps);
        walk(&lane);
    }
    printf("a turn, feet that face");
    turn(&lane);
    tr_footstep_window_destroy(lane.window);
    tr_profile_destroy(lane.profile);
    tr_solid_destroy(lane.solid);
    tr_scene_destroy(sample.scene);
    return 0;
}
