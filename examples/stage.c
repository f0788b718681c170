// Two people cross the sample office, meet on the way, and raise a hand when they are there.
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static void print_orders(const tr_stage *stage, uint32_t actor) {
    tr_order_report report = tr_stage_order_report(stage, actor, 0),
                    hand = tr_stage_order_report(stage, actor, 1);
    tr_stage_counters counters = tr_stage_counters_of(stage, actor);
    printf("%s: %s after %.1f s, %u plans, never nearer than %.2f m to the other's disc\n",
           tr_stage_actor_name(stage, actor), report.state == TR_ORDER_DONE ? "there" : report.reason,
           report.end, counters.plans, counters.nearest);
    if (hand.state == TR_ORDER_DONE)
        printf("  its %s hand goes %.2f m in %.2f s\n", hand.reach.side == TR_ARM_LEFT ? "left" : "right",
               hand.reach.wrist_length, hand.reach.duration);
    else
        printf("  its hand stays down: %s\n", hand.reason);
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
        tr_vec2 goal = ends[1 - i];
        tr_order orders[2] = {{.kind = TR_ORDER_GO, .goal = goal, .has_heading = true},
                              {.kind = TR_ORDER_REACH, .point = {goal.x - 0.3f, 1.5f, goal.z + 0.35f}}};
        for (int k = 0; k < 2 && status == TR_OK; k++)
            status = tr_stage_order(stage, actor, &orders[k], &error);
    }
    while (status == TR_OK && tr_stage_time(stage) < 60)
        status = tr_stage_step(stage, &error);
    if (status == TR_DONE)
        for (uint32_t i = 0; i < 2; i++)
            print_orders(stage, i);
    else
        fprintf(stderr, "%s\n", error.message);
    tr_stage_destroy(stage);
    tr_character_destroy(adult);
    tr_scene_destroy(office.scene);
    return status == TR_DONE ? 0 : 1;
}
