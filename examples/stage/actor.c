// An actor goes up the sample's stairs; once a second the program says where it is and what it does.
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <stdio.h>

int main(void) {
    static const char *const doing[] = {
        "stands", "walks", "turns on the spot", "side-steps", "goes over footsteps", "rides"};
    tr_sample stairs;
    tr_character *adult = NULL;
    tr_stage *stage = NULL;
    tr_actor_id actor = 0;
    tr_error error = {0};
    if (tr_sample_make(&(tr_sample_def){.name = "stairs"}, &stairs, &error) != TR_OK ||
        tr_character_create(&(tr_character_def){.detail = 1}, &adult, &error) != TR_OK)
        return 1;
    tr_stage_def def = tr_stage_def_default(stairs.scene);
    def.area = stairs.ground;
    tr_status status = tr_stage_create(&def, &stage, &error);
    if (status == TR_OK)
        status = tr_stage_add_actor(
            stage, &(tr_stage_actor_def){.name = "Ada", .character = adult, .position = stairs.start}, &actor,
            &error);
    if (status == TR_OK)
        status = tr_stage_order(stage, actor, &(tr_order){.kind = TR_ORDER_GO, .goal = stairs.goal},
                                TR_ORDER_QUEUE, NULL, &error);
    for (int second = 1; status == TR_OK; second++) {
        for (int i = 0; i < 30 && status == TR_OK; i++)
            status = tr_stage_step(stage, 1.0 / 30, &error);
        tr_actor_view view;
        tr_stage_look(stage, actor, &view);
        tr_vec3 at = view.position;
        printf("%2d s: (%.2f, %.2f, %.2f), %.2f m/s, %s\n", second, at.x, at.y, at.z, view.speed,
               doing[view.doing]);
    }
    if (status != TR_DONE)
        fprintf(stderr, "%s\n", error.message);
    tr_stage_destroy(stage);
    tr_character_destroy(adult);
    tr_scene_destroy(stairs.scene);
    return status == TR_DONE ? 0 : 1;
}
