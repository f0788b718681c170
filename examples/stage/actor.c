// One walker: it turns, walks round two bends and stands; where it is every half second.
#include "troupe/stage/actor.h"

#include <math.h>
#include <stdio.h>

int main(void) {
    tr_character *character = NULL;
    tr_actor *actor = NULL;
    tr_actor_scratch scratch;
    tr_error error;
    if (tr_character_create(&(tr_character_def){.detail = 1}, &character, &error) != TR_OK ||
        tr_actor_create(&(tr_actor_def){.character = character, .heading = 2.5f}, &actor, &error) != TR_OK ||
        tr_actor_scratch_create(NULL, tr_skeleton_joint_count(character->skeleton), &scratch, &error) !=
            TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const tr_vec2 way[] = {{0, 0}, {0, 3}, {2, 4}, {2, 6}};
    tr_actor_set_route(actor, way, 4, NULL, NULL, 0, NULL);
    static const char *const doing[] = {"stands", "walks", "turns", "steps sideways"};
    tr_status status = TR_OK;
    for (int frame = 0; status == TR_OK && frame < 900; frame++) {
        status = tr_actor_step(actor, &scratch, INFINITY);
        tr_actor_view view = tr_actor_look(actor);
        uint32_t head = tr_skeleton_with_role(character->skeleton, TR_ROLE_HEAD);
        if (frame % 15 == 0)
            printf("%4.1f s: %-6s at (%5.2f, %5.2f), %.2f m/s, head %.2f m high\n", frame / 30.0,
                   doing[view.doing], view.state.position.x, view.state.position.z, view.state.speed,
                   view.model[head].m[1][3]);
    }
    tr_actor_scratch_destroy(&scratch);
    tr_actor_destroy(actor);
    tr_character_destroy(character);
    return status == TR_DONE ? 0 : 1;
}
