// Two people cross the sample office and meet on the way.
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static void print_order(const tr_stage *stage, uint32_t actor) {
    tr_order_report report = tr_stage_order_report(stage, actor, 0);
    tr_stage_counters counters = tr_stage_counters_of(stage, actor);
    printf("%s: %s after %.1f s, %u plans, never nearer than %.2f m to the other's disc\n",
           tr_stage_actor_name(stage, actor), report.state == TR_ORDER_DONE ? "there" : report.reason,
           report.end, counters.plans, counters.nearest);
}

int main(void) {
    tr_sample office;
    tr_character *adult = NULL;
    tr_stage *stage = NULL;
    tr_error error = {0};
    if (tr_sample_make(&(tr_sample_def){.name = "office"}, &office, &error) != TR_OK ||
        tr_character_create(&(tr_character_def){.detail = 1}, &adult, &error) != TR_OK)
        return 1;
    tr_stage_def def = tr_stage_def_default(office.scene, office.ground);
    tr_status status = tr_stage_create(&def, &stage, &error);
    const tr_vec2 ends[2] = {{-8.5f, -6}, {8.5f, 8}};
    for (uint32_t i = 0; i < 2 && status == TR_OK; i++) {
        uint32_t actor;
        tr_stage_actor_def who = {.name = i ? "Ben" : "Ada", .character = adult, .position = ends[i]};
        status = tr_stage_add_actor(stage, &who, &actor, &error);
        if (status == TR_OK)
            status =
                tr_stage_order(stage, actor, &(tr_order){.kind = TR_ORDER_GO, .goal = ends[1 - i]}, &error);
    }
    while (status == TR_OK && tr_stage_time(stage) < 60)
        status = tr_stage_step(stage, &error);
    if (status == TR_DONE)
        for (uint32_t i = 0; i < 2; i++)
            print_order(stage, i);
    else
        fprintf(stderr, "%s\n", error.message);
    tr_stage_destroy(stage);
    tr_character_destroy(adult);
    tr_scene_destroy(office.scene);
    return status == TR_DONE ? 0 : 1;
}
