// An actor that is dragged, as by a mouse, over a pit: with one step ahead she steps into it and is told why
// there is no step out, with three she strides over it.
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static tr_status drag_over(uint32_t steps, const tr_sample *trap, const tr_character *adult,
                           tr_error *error) {
    tr_stage *stage = NULL;
    tr_actor_id lin = 0;
    tr_stage_def def = tr_stage_def_default(trap->scene);
    def.area = trap->ground;
    def.steps_ahead = steps;
    tr_stage_actor_def who = {.name = "Lin", .character = adult, .position = {0, 0, -0.2f}, .plain = 1};
    tr_status status = tr_stage_create(&def, &stage, error);
    if (status == TR_OK)
        status = tr_stage_add_actor(stage, &who, &lin, error);
    for (int frame = 0; frame < 300 && status == TR_OK; frame++) {
        // What the user drags now: up is ahead, to the side is a turn.
        tr_drag drag = {.ahead = 1, .turn = 0};
        status = tr_stage_drag(stage, lin, drag, error);
        if (status == TR_OK)
            status = tr_stage_step(stage, TR_STAGE_TICK, error);
    }
    tr_actor_view view = {0};
    tr_order_report report = {0};
    if (status == TR_OK && tr_stage_look(stage, lin, &view) == TR_OK &&
        tr_stage_order_report(stage, lin, 0, &report) == TR_OK)
        printf("%u steps ahead: after 10 s at (%.2f, %.2f, %.2f)%s%s\n", steps, (double)view.position.x,
               (double)view.position.y, (double)view.position.z, report.reason[0] ? ": " : "", report.reason);
    tr_stage_destroy(stage);
    return status;
}

int main(void) {
    tr_sample trap = {.scene = NULL};
    tr_character *adult = NULL;
    tr_error error = {.message = "no memory"};
    tr_status status = tr_sample_make(&(tr_sample_def){.name = "trap"}, &trap, &error);
    if (status == TR_OK)
        status = tr_character_create(&(tr_character_def){.detail = 1}, &adult, &error);
    if (status == TR_OK)
        status = drag_over(1, &trap, adult, &error);
    if (status == TR_OK)
        status = drag_over(3, &trap, adult, &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_character_destroy(adult);
    tr_scene_destroy(trap.scene);
    return status == TR_OK ? 0 : 1;
}
