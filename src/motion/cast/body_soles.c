// The soles of feet, from the mesh around them: shoes end beyond the joints that move them.
#include "troupe/motion/body.h"

#include <math.h>

#define LOW 0.25f     // what is higher than this share of the ankle's height is above the sole
#define LOW_LEG 0.05f // or of the length of the shank, for ankles that lie low
#define SHORT 0.1f    // a sole shorter than this share of the shank is none

typedef struct sole_search {
    const tr_body_def *body;
    const tr_skeleton *skeleton;
    const tr_affine *rest;
    uint32_t foot;   // the joint
    tr_vec3 ankle;   // its place
    float shank;     // length [m]
    float low, high; // heights between which the sole is
} sole_search;

// Where a vertex is at rest; false: other joints than those of the foot move it.
static bool place_vertex(const sole_search *search, uint32_t vertex, tr_vec3 *place) {
    const tr_body_def *body = search->body;
    float of_foot = 0;
    tr_vec3 sum = {0, 0, 0};
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        uint32_t joint = body->joints[vertex][k];
        float weight = body->weights[vertex][k];
        if (!(weight > 0))
            continue;
        if (tr_skeleton_hangs_on(search->skeleton, joint, search->foot))
            of_foot += weight;
        tr_vec3 at = tr_affine_apply(&body->inverse_rest[joint], body->positions[vertex]);
        sum = tr_vec3_add(sum, tr_vec3_scale(tr_affine_apply(&search->rest[joint], at), weight));
    }
    *place = sum;
    return of_foot > 0.5f && tr_vec3_is_finite(sum);
}

static bool find_level(sole_search *search) {
    tr_vec3 at;
    search->low = INFINITY;
    for (uint32_t i = 0; i < search->body->vertex_count; i++)
        if (place_vertex(search, i, &at) && at.y < search->low)
            search->low = at.y;
    float above = LOW * (search->ankle.y - search->low), least = LOW_LEG * search->shank;
    search->high = search->low + (above > least ? above : least);
    return search->low < search->ankle.y;
}

// Ahead is where the toes are; without such a joint, where most of the sole is.
static tr_vec3 find_ahead(const sole_search *search, uint32_t toes) {
    tr_vec3 sum = {0, 0, 0}, at;
    if (toes != TR_NONE)
        sum = tr_vec3_subtract(tr_affine_position(&search->rest[toes]), search->ankle);
    for (uint32_t i = 0; i < search->body->vertex_count && toes == TR_NONE; i++)
        if (place_vertex(search, i, &at) && at.y <= search->high)
            sum = tr_vec3_add(sum, tr_vec3_subtract(at, search->ankle));
    sum.y = 0;
    float length = tr_vec3_length(sum);
    return length > 0 ? tr_vec3_scale(sum, 1 / length) : tr_vec3_make(0, 0, 1);
}

static void find_ends(const sole_search *search, tr_vec3 ahead, tr_sole *sole) {
    float back = INFINITY, front = -INFINITY;
    tr_vec3 at;
    for (uint32_t i = 0; i < search->body->vertex_count; i++) {
        if (!place_vertex(search, i, &at) || at.y > search->high)
            continue;
        float along = tr_vec3_dot(tr_vec3_subtract(at, search->ankle), ahead);
        back = along < back ? along : back;
        front = along > front ? along : front;
    }
    tr_vec3 below = {search->ankle.x, search->low, search->ankle.z};
    sole->heel = tr_vec3_add(below, tr_vec3_scale(ahead, back));
    sole->tip = tr_vec3_add(below, tr_vec3_scale(ahead, front));
    sole->known = front > 0 && front - back > SHORT * search->shank;
}

void tr_body_soles(const tr_body *body, const tr_skeleton *skeleton, tr_sole soles[2]) {
    const tr_body_def *view = tr_body_view(body);
    for (int side = 0; side < 2; side++) {
        int shift = side ? TR_ROLE_RIGHT_FOOT - TR_ROLE_LEFT_FOOT : 0;
        uint32_t foot = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_FOOT + shift));
        uint32_t shank = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_SHANK + shift));
        soles[side] = (tr_sole){.known = false};
        if (foot == TR_NONE || shank == TR_NONE || view->joint_count != tr_skeleton_joint_count(skeleton))
            continue;
        const tr_affine *rest = tr_skeleton_rest_model(skeleton);
        sole_search search = {view, skeleton, rest, foot, tr_affine_position(&rest[foot]), 0, 0, 0};
        search.shank = tr_vec3_length(tr_vec3_subtract(tr_affine_position(&rest[shank]), search.ankle));
        if (!find_level(&search))
            continue;
        uint32_t toes = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_TOES + shift));
        find_ends(&search, find_ahead(&search, toes), &soles[side]);
    }
}
