#include "skeleton_data.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

#define JOINT_NAME_ROOM 24 // for "joint" and a number

static bool is_finite_transform(const tr_transform *t) {
    return tr_vec3_is_finite(t->position) && tr_vec3_is_finite(t->scale) && isfinite(t->rotation.x) &&
           isfinite(t->rotation.y) && isfinite(t->rotation.z) && isfinite(t->rotation.w);
}

static bool is_limit(const tr_joint_limit *limit) {
    const float *low = &limit->low.x, *high = &limit->high.x;
    bool good = limit->twist_axis <= 2;
    for (int axis = 0; axis < 3; axis++) {
        float most = (float)TR_SKELETON_LIMIT_MAX;
        good = good && low[axis] >= -most && low[axis] <= high[axis] && high[axis] <= most;
    }
    return !limit->active || good;
}

static tr_status check_joint(const tr_skeleton_def *def, uint32_t joint, tr_error *error) {
    const tr_joint_def *j = &def->joints[joint];
    const char *name = j->name ? j->name : "";
    if (j->parent != TR_NONE && j->parent >= joint)
        return tr_fail(error, TR_INVALID,
                       "joint %u (%.60s) has the parent %u, a parent must come before its children", joint,
                       name, j->parent);
    if (!is_finite_transform(&j->rest))
        return tr_fail(error, TR_INVALID, "the rest transform of joint %u (%.60s) is not finite", joint,
                       name);
    if (j->rest.scale.x == 0 || j->rest.scale.y == 0 || j->rest.scale.z == 0)
        return tr_fail(error, TR_INVALID, "the rest scale of joint %u (%.60s) is 0", joint, name);
    if ((uint32_t)j->role >= TR_ROLE_COUNT)
        return tr_fail(error, TR_INVALID, "joint %u (%.60s) has the unknown role %d", joint, name,
                       (int)j->role);
    if (!is_limit(&j->limit))
        return tr_fail(
            error, TR_INVALID,
            "the limit of joint %u (%.60s) must have a twist axis of 0, 1 or 2 and low <= high within "
            "-pi and pi",
            joint, name);
    return TR_OK;
}

static tr_status check_def(const tr_skeleton_def *def, tr_error *error) {
    if (!def || !def->joints || def->joint_count == 0)
        return tr_fail(error, TR_INVALID, "a skeleton needs at least one joint");
    if (def->joint_count > TR_SKELETON_JOINTS_MAX)
        return tr_fail(error, TR_LIMIT, "the skeleton has %u joints, the most is %u", def->joint_count,
                       TR_SKELETON_JOINTS_MAX);
    for (uint32_t i = 0; i < def->joint_count; i++) {
        tr_status status = check_joint(def, i, error);
        if (status != TR_OK)
            return status;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const tr_sole *sole = &def->soles[side];
        if (sole->known && !(tr_vec3_is_finite(sole->heel) && tr_vec3_is_finite(sole->tip)))
            return tr_fail(error, TR_INVALID, "the sole of the %s foot is not finite",
                           side ? "right" : "left");
    }
    return TR_OK;
}

static size_t text_needed(const tr_skeleton_def *def) {
    size_t size = strlen(def->name ? def->name : "") + 1;
    for (uint32_t i = 0; i < def->joint_count; i++)
        size += def->joints[i].name ? strlen(def->joints[i].name) + 1 : JOINT_NAME_ROOM;
    return size;
}

static void copy_joints(tr_skeleton *skeleton, const tr_skeleton_def *def) {
    char *text = skeleton->text;
    size_t length = strlen(def->name ? def->name : "") + 1;
    memcpy(text, def->name ? def->name : "", length);
    text += length;
    for (uint32_t i = 0; i < def->joint_count; i++) {
        tr_joint_def *joint = &skeleton->joints[i];
        *joint = def->joints[i];
        joint->rest.rotation = tr_quat_normalize(joint->rest.rotation);
        skeleton->ranges[i] = tr_skeleton_range(joint);
        if (joint->name)
            memcpy(text, joint->name, strlen(joint->name) + 1);
        else
            snprintf(text, JOINT_NAME_ROOM, "joint%u", i);
        joint->name = text;
        text += strlen(text) + 1;
        skeleton->parents[i] = joint->parent;
        tr_vec3 s = joint->rest.scale;
        skeleton->scaled = skeleton->scaled || s.x != 1 || s.y != 1 || s.z != 1;
        if (joint->role != TR_ROLE_NONE && skeleton->with_role[joint->role] == TR_NONE)
            skeleton->with_role[joint->role] = i;
    }
}

static void measure(tr_skeleton *skeleton) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        tr_affine local = tr_affine_from_transform(skeleton->joints[i].rest);
        uint32_t parent = skeleton->parents[i];
        skeleton->rest_model[i] =
            parent == TR_NONE ? local : tr_affine_multiply(&skeleton->rest_model[parent], &local);
        float y = skeleton->rest_model[i].m[1][3];
        low = y < low ? y : low;
        high = y > high ? y : high;
        skeleton->subtree_ends[i] = i + 1;
    }
    skeleton->height = high - low;
    for (uint32_t i = skeleton->joint_count; i-- > 0;) {
        uint32_t parent = skeleton->parents[i];
        if (parent != TR_NONE && skeleton->subtree_ends[parent] < skeleton->subtree_ends[i])
            skeleton->subtree_ends[parent] = skeleton->subtree_ends[i];
    }
}

tr_status tr_skeleton_create(const tr_skeleton_def *def, tr_skeleton **skeleton, tr_error *error) {
    *skeleton = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_skeleton *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a skeleton");
    made->allocator = allocator;
    made->joint_count = def->joint_count;
    made->soles[0] = def->soles[0];
    made->soles[1] = def->soles[1];
    made->text_size = text_needed(def);
    made->text = tr_allocate_zero(&allocator, made->text_size, 1);
    made->joints = tr_allocate(&allocator, def->joint_count, sizeof *made->joints);
    made->ranges = tr_allocate(&allocator, def->joint_count, sizeof *made->ranges);
    made->parents = tr_allocate(&allocator, def->joint_count, sizeof *made->parents);
    made->subtree_ends = tr_allocate(&allocator, def->joint_count, sizeof *made->subtree_ends);
    made->rest_model = tr_allocate(&allocator, def->joint_count, sizeof *made->rest_model);
    if (!made->text || !made->joints || !made->ranges || !made->parents || !made->subtree_ends ||
        !made->rest_model) {
        tr_skeleton_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a skeleton of %u joints", def->joint_count);
    }
    for (uint32_t role = 0; role < TR_ROLE_COUNT; role++)
        made->with_role[role] = TR_NONE;
    copy_joints(made, def);
    measure(made);
    *skeleton = made;
    return TR_OK;
}

void tr_skeleton_destroy(tr_skeleton *skeleton) {
    if (!skeleton)
        return;
    tr_allocator allocator = skeleton->allocator;
    tr_release(&allocator, skeleton->text, skeleton->text_size, 1);
    tr_release(&allocator, skeleton->joints, skeleton->joint_count, sizeof *skeleton->joints);
    tr_release(&allocator, skeleton->ranges, skeleton->joint_count, sizeof *skeleton->ranges);
    tr_release(&allocator, skeleton->parents, skeleton->joint_count, sizeof *skeleton->parents);
    tr_release(&allocator, skeleton->subtree_ends, skeleton->joint_count, sizeof *skeleton->subtree_ends);
    tr_release(&allocator, skeleton->rest_model, skeleton->joint_count, sizeof *skeleton->rest_model);
    tr_release(&allocator, skeleton, 1, sizeof *skeleton);
}

const char *tr_skeleton_name(const tr_skeleton *skeleton) {
    return skeleton->text;
}

uint32_t tr_skeleton_joint_count(const tr_skeleton *skeleton) {
    return skeleton->joint_count;
}

const uint32_t *tr_skeleton_parents(const tr_skeleton *skeleton) {
    return skeleton->parents;
}

tr_joint_def tr_skeleton_joint(const tr_skeleton *skeleton, uint32_t joint) {
    tr_joint_def none = {.name = NULL, .parent = TR_NONE, .rest = tr_transform_identity()};
    return joint < skeleton->joint_count ? skeleton->joints[joint] : none;
}

uint32_t tr_skeleton_find(const tr_skeleton *skeleton, const char *name) {
    for (uint32_t i = 0; name && i < skeleton->joint_count; i++)
        if (strcmp(skeleton->joints[i].name, name) == 0)
            return i;
    return TR_NONE;
}

uint32_t tr_skeleton_with_role(const tr_skeleton *skeleton, tr_role role) {
    return role > TR_ROLE_NONE && role < TR_ROLE_COUNT ? skeleton->with_role[role] : TR_NONE;
}

tr_sole tr_skeleton_sole(const tr_skeleton *skeleton, uint32_t side) {
    return skeleton->soles[side & 1];
}

bool tr_skeleton_hangs_on(const tr_skeleton *skeleton, uint32_t joint, uint32_t above) {
    while (joint < skeleton->joint_count && joint > above) // parents have smaller numbers
        joint = skeleton->parents[joint];
    return joint < skeleton->joint_count && joint == above;
}

uint32_t tr_skeleton_subtree_end(const tr_skeleton *skeleton, uint32_t joint) {
    return joint < skeleton->joint_count ? skeleton->subtree_ends[joint] : joint;
}

const tr_affine *tr_skeleton_rest_model(const tr_skeleton *skeleton) {
    return skeleton->rest_model;
}

// From the joint of a role to the one on the left; zero if one is missing.
static tr_vec3 to_the_left(const tr_skeleton *skeleton, tr_role left) {
    uint32_t from = tr_skeleton_with_role(skeleton, tr_role_mirror(left)),
             to = tr_skeleton_with_role(skeleton, left);
    if (from == TR_NONE || to == TR_NONE)
        return tr_vec3_make(0, 0, 0);
    tr_vec3 way = tr_vec3_subtract(tr_affine_position(&skeleton->rest_model[to]),
                                   tr_affine_position(&skeleton->rest_model[from]));
    way.y = 0;
    float length = tr_vec3_length(way);
    return length > 0 ? tr_vec3_scale(way, 1 / length) : way;
}

float tr_skeleton_facing(const tr_skeleton *skeleton) {
    tr_vec3 left =
        tr_vec3_add(to_the_left(skeleton, TR_ROLE_LEFT_THIGH), to_the_left(skeleton, TR_ROLE_LEFT_UPPER_ARM));
    return left.x == 0 && left.z == 0 ? 0 : (float)tr_arc_tangent(-(double)left.z, (double)left.x);
}

float tr_skeleton_height(const tr_skeleton *skeleton) {
    return skeleton->height;
}
