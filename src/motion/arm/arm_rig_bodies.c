// The parts of its own body that an arm can collide with.
#include "arm_rig_parts.h"

#include <math.h>

enum { UPPER_ARM = 1, FOREARM = 2, HAND = 4, ALL_LINKS = 7 };

typedef struct body_list {
    const tr_arm_rig *joints;
    const tr_skeleton *skeleton;
    const tr_affine *model;
    tr_affine base;
    tr_reach_body *bodies;
    uint32_t count, max;
} body_list;

// The part of the body that a joint belongs to: the role of the nearest joint, itself or an ancestor, that
// has one.
static tr_role part_of(const tr_skeleton *skeleton, uint32_t joint) {
    for (; joint != TR_NONE; joint = tr_skeleton_parents(skeleton)[joint]) {
        tr_role role = tr_skeleton_joint(skeleton, joint).role;
        if (role != TR_ROLE_NONE)
            return role;
    }
    return TR_ROLE_NONE;
}

static bool is_own(const body_list *list, uint32_t joint) {
    uint32_t top = list->joints->collar != TR_NONE ? list->joints->collar : list->joints->upper;
    return tr_skeleton_hangs_on(list->skeleton, joint, top);
}

// The links that are tested against a part. Upper arms rest against the chest in normal poses, and beside the
// neck when raised; feet are out of reach except for gymnasts.
static uint8_t links_against(tr_role part) {
    tr_role left = part >= TR_ROLE_RIGHT_SHOULDER ? tr_role_mirror(part) : part;
    switch (left) {
    case TR_ROLE_HIPS:
    case TR_ROLE_SPINE:
    case TR_ROLE_CHEST:
    case TR_ROLE_UPPER_CHEST:
    case TR_ROLE_NECK:
        return FOREARM | HAND;
    case TR_ROLE_HEAD:
    case TR_ROLE_LEFT_UPPER_ARM:
    case TR_ROLE_LEFT_FOREARM:
    case TR_ROLE_LEFT_HAND:
    case TR_ROLE_LEFT_THIGH:
    case TR_ROLE_LEFT_SHANK:
        return ALL_LINKS;
    default:
        return 0;
    }
}

static void add(body_list *list, uint32_t joint, tr_vec3 a, tr_vec3 b, float radius) {
    uint8_t links = links_against(part_of(list->skeleton, joint));
    if (list->count == list->max || links == 0 || is_own(list, joint))
        return;
    bool on_trunk =
        list->joints->waist != TR_NONE && tr_skeleton_hangs_on(list->skeleton, joint, list->joints->waist);
    tr_reach_body body = {.a = tr_arm_rig_into(&list->base, a),
                          .b = tr_arm_rig_into(&list->base, b),
                          .radius = radius,
                          .on_trunk = on_trunk,
                          .links = links,
                          .hits_scene = on_trunk};
    if (tr_vec3_is_finite(body.a) && tr_vec3_is_finite(body.b) && radius > 0 && isfinite(radius))
        list->bodies[list->count++] = body;
}

// For a body without capsules: from joint to joint, as wide as people of this height are.
typedef struct span_row {
    tr_role from, to;
    float radius; // as a share of the height
} span_row;

static const span_row spans[] = {
    {TR_ROLE_HIPS, TR_ROLE_SPINE, .060f},
    {TR_ROLE_SPINE, TR_ROLE_CHEST, .058f},
    {TR_ROLE_CHEST, TR_ROLE_NECK, .056f},
    {TR_ROLE_HEAD, TR_ROLE_NONE, .048f},
    {TR_ROLE_LEFT_THIGH, TR_ROLE_LEFT_SHANK, .042f},
    {TR_ROLE_RIGHT_THIGH, TR_ROLE_RIGHT_SHANK, .042f},
    {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM, .026f},
    {TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM, .026f},
    {TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND, .022f},
    {TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_HAND, .022f},
    {TR_ROLE_LEFT_SHANK, TR_ROLE_LEFT_FOOT, .029f},
    {TR_ROLE_RIGHT_SHANK, TR_ROLE_RIGHT_FOOT, .029f},
};

static void add_spans(body_list *list) {
    float height = list->joints->height;
    tr_vec3 up = {list->base.m[0][1], list->base.m[1][1], list->base.m[2][1]};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        uint32_t from = tr_skeleton_with_role(list->skeleton, spans[i].from), to = TR_NONE;
        for (int role = (int)spans[i].to; role > 0 && to == TR_NONE && role <= TR_ROLE_HEAD; role++)
            to = tr_skeleton_with_role(list->skeleton, (tr_role)role); // a spine with fewer bones
        if (to == TR_NONE && spans[i].to != TR_ROLE_NONE)
            to = tr_skeleton_with_role(list->skeleton, spans[i].to);
        if (from == TR_NONE || (to == TR_NONE && spans[i].to != TR_ROLE_NONE))
            continue;
        tr_vec3 a = tr_affine_position(&list->model[from]), b;
        if (to != TR_NONE) {
            b = tr_affine_position(&list->model[to]);
        } else { // the middle of the head
            a = tr_vec3_add(a, tr_vec3_scale(up, 0.033f * height));
            b = tr_vec3_add(a, tr_vec3_scale(up, 0.036f * height));
        }
        add(list, from, a, b, spans[i].radius * height);
    }
}

// The torso first, then the head, thighs and the other arm, then shanks, in case there are too many.
static int rank_of(tr_role part) {
    tr_role left = part >= TR_ROLE_RIGHT_SHOULDER ? tr_role_mirror(part) : part;
    return left <= TR_ROLE_HEAD         ? 0
           : left == TR_ROLE_LEFT_THIGH ? 1
           : left <= TR_ROLE_LEFT_HAND  ? 2
           : left == TR_ROLE_LEFT_SHANK ? 3
                                        : 4;
}

uint32_t tr_arm_rig_bodies(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_body *body,
                           const tr_affine *model, tr_reach_body *bodies, uint32_t max) {
    body_list list = {.joints = joints,
                      .skeleton = skeleton,
                      .model = model,
                      .base = tr_arm_rig_base(joints, model),
                      .bodies = bodies,
                      .max = max};
    const tr_body_def *view = body ? tr_body_view(body) : NULL;
    if (!view || view->capsule_count == 0) {
        add_spans(&list);
        return list.count;
    }
    uint32_t joint_count = tr_skeleton_joint_count(skeleton);
    for (int rank = 0; rank < 4; rank++)
        for (uint32_t i = 0; i < view->capsule_count; i++) {
            const tr_capsule *capsule = &view->capsules[i];
            if (capsule->joint < joint_count && rank_of(part_of(skeleton, capsule->joint)) == rank)
                add(&list, capsule->joint, tr_affine_apply(&model[capsule->joint], capsule->a),
                    tr_affine_apply(&model[capsule->joint], capsule->b), capsule->radius);
        }
    return list.count;
}
