// Two people cross the sample office, meet on the way, and raise a hand when they are there.
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static void print_orders(const tr_stage *stage, tr_actor_id actor) {
    tr_order_report walk, hand;
    tr_stage_order_report(stage, actor, 0, &walk);
    tr_stage_order_report(stage, actor, 1, &hand);
    tr_stage_counters counters = tr_stage_counters_of(stage, actor);
    printf("%s: %s after %.1f s, %u plans, %u deviations\n", tr_stage_actor_name(stage, actor),
           walk.state == TR_ORDER_DONE ? "there" : walk.reason, walk.end, counters.plans,
           counters.deviations);
    if (hand.state == TR_ORDER_DONE)
        printf("  its %s hand goes %.2f m in %.2f s\n", hand.reach.side == TR_ARM_LEFT ? "left" : "right",
               hand.reach.wrist_length, hand.reach.duration);
    else
        printf("  its hand stays down: %s\n", hand.reason);
}

static void print_events(const tr_stage *stage) {
    uint32_t count;
    const tr_event *events = tr_stage_events(stage, &count);
    for (uint32_t i = 0; i < count; i++)
        if (events[i].kind == TR_EVENT_BLOCKED)
            printf("%5.1f s: %s waits for %s\n", events[i].time, tr_stage_actor_name(stage, events[i].actor),
                   tr_stage_actor_name(stage, events[i].other));
}

int main(void) {
    tr_sample office;
    tr_character *adult = NULL;
    tr_stage *stage = NULL;
    tr_error error = {0};
    tr_sample_def sample = {.name = "office"};
    tr_character_def kind = {.detail = 1};
    if (tr_sample_make(&sample, &office, &error) != TR_OK ||
        tr_character_create(&kind, &adult, &error) != TR_OK)
        return 1;
    tr_stage_def def = tr_stage_def_default(office.scene);
    def.area = office.ground;
    tr_status status = tr_stage_create(&def, &stage, &error);
    const tr_vec3 ends[2] = {{-8.5f, 0, -6}, {8.5f, 0, 8}};
    for (uint32_t i = 0; i < 2 && status == TR_OK; i++) {
        tr_actor_id actor;
        tr_stage_actor_def who = {.name = i ? "Ben" : "Ada", .character = adult, .position = ends[i]};
        status = tr_stage_add_actor(stage, &who, &actor, &error);
        tr_vec3 goal = ends[1 - i];
        tr_order orders[2] = {{.kind = TR_ORDER_GO, .goal = goal, .has_heading = true},
                              {.kind = TR_ORDER_REACH, .point = {goal.x - 0.3f, 1.5f, goal.z + 0.35f}}};
        for (int k = 0; k < 2 && status == TR_OK; k++)
            status = tr_stage_order(stage, actor, &orders[k], TR_ORDER_QUEUE, NULL, &error);
    }
    while (status == TR_OK && tr_stage_time(stage) < 60) {
        status = tr_stage_step(stage, 1.0 / 60, &error); // as a game at 60 frames a second does
        print_events(stage);
    }
    if (status == TR_DONE)
        for (uint32_t i = 0; i < 2; i++)
            print_orders(stage, tr_stage_actor(stage, i));
    else
        fprintf(stderr, "%s\n", error.message);
    tr_stage_destroy(stage);
    tr_character_destroy(adult);
    tr_scene_destroy(office.scene);
    return status == TR_DONE ? 0 : 1;
}
