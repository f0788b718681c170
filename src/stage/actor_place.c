// An actor that is put somewhere else stands there as it stood when it was made.
#include "actor_data.h"

tr_status tr_actor_place(tr_actor *actor, tr_vec2 position, float ground, float heading, tr_error *error) {
    if (!isfinite(position.x) || !isfinite(position.z) || !isfinite(ground) || !isfinite(heading))
        return tr_fail(error, TR_INVALID, "the place of an actor is not finite");
    actor->root = (actor_root){.state = {.position = position, .heading = heading}, .ground = ground};
    actor->plant = (tr_plant_state){0};
    actor->plant_params.ground = ground;
    actor->plant_params.rise[0] = actor->plant_params.rise[1] = 0;
    actor->locomotion = (tr_locomotion_state){0};
    actor->has_shown = false;
    actor->tuck = actor->tuck_rate = 0;
    actor->contacts = 0;
    actor->place = tr_affine_place(tr_vec3_make(position.x, ground, position.z), heading);
    tr_clip_sample(actor->nature.character->stand, 0, &actor->pose);
    tr_pose_to_model(actor->nature.character->skeleton, &actor->pose, &actor->place, actor->model);
    return TR_OK;
}
