// The right arm and the right leg of the actor that a camera follows are darker than the rest, so that a
// picture from the side tells which leg is which.
#include "film_set.h"

#define DARKER 0.45f // part of the light that is left

// Is a joint one of the right arm or leg?
static bool is_right(const tr_skeleton *skeleton, uint32_t joint) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t arm = tr_skeleton_with_role(skeleton, TR_ROLE_RIGHT_UPPER_ARM);
    uint32_t leg = tr_skeleton_with_role(skeleton, TR_ROLE_RIGHT_THIGH);
    for (; joint != TR_NONE; joint = parents[joint])
        if (joint == arm || joint == leg)
            return true;
    return false;
}

// How much of a triangle moves with the right limbs: 3 is all of it.
static float right_share(const film_actor *actor, const uint32_t *corners) {
    const tr_body_def *body = tr_body_view(actor->body);
    float share = 0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
            float weight = body->weights[corners[c]][k];
            share += weight > 0 && is_right(actor->skeleton, body->joints[corners[c]][k]) ? weight : 0;
        }
    return share;
}

tr_status film_limbs_open(film_set *set, tr_error *error) {
    if (!set->def->follow)
        return TR_OK;
    const film_actor *actor = &set->def->actors[set->def->follow->actor];
    const tr_body_def *body = actor->body ? tr_body_view(actor->body) : NULL;
    if (!body || body->triangle_count == 0 || body->colors) // a painted body is shown as it is
        return TR_OK;
    film_limbs *limbs = &set->limbs;
    limbs->triangle_count = body->triangle_count;
    limbs->indices = tr_allocate(&set->allocator, body->triangle_count, sizeof *limbs->indices);
    if (!limbs->indices)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the limbs of an actor");
    uint32_t right = body->triangle_count; // these are filled in from the end
    for (uint32_t i = 0; i < body->triangle_count; i++) {
        const uint32_t *corners = body->indices + 3 * (size_t)i;
        uint32_t place = right_share(actor, corners) > 1.5f ? --right : limbs->other_count++;
        for (int c = 0; c < 3; c++)
            limbs->indices[place][c] = corners[c];
    }
    return TR_OK;
}

void film_limbs_close(film_set *set) {
    tr_release(&set->allocator, set->limbs.indices, set->limbs.triangle_count, sizeof *set->limbs.indices);
}

tr_status film_limbs_draw(film_set *set, uint32_t vertex_count, const float color[3]) {
    const film_limbs *limbs = &set->limbs;
    const tr_vec3 *normals = set->vertices + vertex_count;
    const float dark[3] = {DARKER * color[0], DARKER * color[1], DARKER * color[2]};
    tr_status status = tr_render_add_mesh(set->render, set->vertices, normals, vertex_count,
                                          limbs->indices[0], limbs->other_count, NULL, color);
    uint32_t right = limbs->triangle_count - limbs->other_count;
    if (status == TR_OK && right > 0)
        status = tr_render_add_mesh(set->render, set->vertices, normals, vertex_count,
                                    limbs->indices[limbs->other_count], right, NULL, dark);
    return status;
}
