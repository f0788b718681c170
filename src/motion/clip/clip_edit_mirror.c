// Swaps left and right. The rotation of each joint from its rest pose is mirrored in the axes of the body. So
// rest axes may point anywhere, and need not be the same on both sides.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"

#include <string.h>

typedef struct mirror_joint {
    uint32_t parent, partner;
    tr_quat rest;       // of the whole body
    tr_quat turn;       // the same in the current frame
    tr_quat mirrored;   // and in its mirror image
    tr_vec3 rest_place; // relative to the parent
    tr_vec3 rest_scale;
    uint8_t scale_axes[3]; // which axis of the partner lies along each axis of the joint, in the mirror
} mirror_joint;

typedef struct mirror_table {
    mirror_joint *joints;
    uint8_t *channels; // a joint needs the channels of its partner
    uint32_t count;
} mirror_table;

static tr_quat reflect_turn(tr_quat q) {
    q.y = -q.y, q.z = -q.z;
    return q;
}

static tr_vec3 reflect(tr_vec3 v) {
    return tr_vec3_make(-v.x, v.y, v.z);
}

static tr_vec3 unit(uint32_t axis) {
    return tr_vec3_make(axis == 0, axis == 1, axis == 2);
}

// The order of axes that agrees best. It is the inverse for the partner, so that mirroring twice restores the
// original.
static void match_axes(const mirror_joint *joint, const mirror_joint *partner, uint8_t axes[3]) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    float agree[3][3], best = -1;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++) {
            tr_vec3 other = reflect(tr_quat_rotate(partner->rest, unit(k)));
            float cosine = tr_vec3_dot(tr_quat_rotate(joint->rest, unit(i)), other);
            agree[i][k] = cosine * cosine;
        }
    for (int order = 0; order < 6; order++) {
        float sum = agree[0][orders[order][0]] + agree[1][orders[order][1]] + agree[2][orders[order][2]];
        if (sum > best + 1e-4f) {
            best = sum;
            memcpy(axes, orders[order], 3);
        }
    }
}

static void fill_table(const tr_skeleton *skeleton, const tr_clip *clip, mirror_table *table) {
    const uint8_t *channels = tr_clip_channels(clip);
    for (uint32_t i = 0; i < table->count; i++) {
        tr_joint_def def = tr_skeleton_joint(skeleton, i);
        mirror_joint *joint = &table->joints[i];
        joint->parent = def.parent;
        joint->partner = tr_skeleton_mirror_of(skeleton, i);
        if (tr_skeleton_mirror_of(skeleton, joint->partner) != i) // names that do not form pairs
            joint->partner = i;
        joint->rest = def.rest.rotation;
        if (def.parent != TR_NONE)
            joint->rest = tr_quat_normalize(tr_quat_multiply(table->joints[def.parent].rest, joint->rest));
        joint->rest_place = def.rest.position;
        joint->rest_scale = def.rest.scale;
        table->channels[i] = (uint8_t)(channels[i] | channels[joint->partner]);
    }
    for (uint32_t i = 0; i < table->count; i++) {
        match_axes(&table->joints[i], &table->joints[table->joints[i].partner], table->joints[i].scale_axes);
        // A joint that never turns may have to if its partner has a different parent than its mirror image.
        uint32_t parent = table->joints[i].parent, other = table->joints[table->joints[i].partner].parent;
        if (parent != TR_NONE && table->joints[parent].partner != other)
            table->channels[i] |= TR_CHANNEL_TURNS;
    }
}

static void find_turns(const tr_pose *pose, mirror_table *table) {
    for (uint32_t i = 0; i < table->count; i++) {
        mirror_joint *joint = &table->joints[i];
        joint->turn = tr_pose_rotation(pose, i);
        if (joint->parent != TR_NONE)
            joint->turn = tr_quat_normalize(tr_quat_multiply(table->joints[joint->parent].turn, joint->turn));
    }
    for (uint32_t i = 0; i < table->count; i++) {
        mirror_joint *joint = &table->joints[i];
        const mirror_joint *partner = &table->joints[joint->partner];
        tr_quat change = tr_quat_multiply(partner->turn, tr_quat_conjugate(partner->rest));
        joint->mirrored = tr_quat_normalize(tr_quat_multiply(reflect_turn(change), joint->rest));
    }
}

// How far the partner has moved from its rest place, in the axes of the body and mirrored. A root is at the
// mirror image of its partner.
static tr_vec3 mirror_place(const tr_pose *pose, const mirror_table *table, uint32_t joint) {
    const mirror_joint *own = &table->joints[joint], *partner = &table->joints[own->partner];
    tr_vec3 place = tr_pose_get(pose, own->partner).position;
    if (own->parent == TR_NONE || partner->parent == TR_NONE)
        return reflect(place);
    tr_vec3 moved = tr_vec3_subtract(place, partner->rest_place);
    moved = reflect(tr_quat_rotate(table->joints[partner->parent].turn, moved));
    moved = tr_quat_rotate(tr_quat_conjugate(table->joints[own->parent].mirrored), moved);
    return tr_vec3_add(own->rest_place, moved);
}

static tr_vec3 mirror_scale(const tr_pose *pose, const mirror_table *table, uint32_t joint) {
    const mirror_joint *own = &table->joints[joint], *partner = &table->joints[own->partner];
    tr_vec3 scale = tr_pose_get(pose, own->partner).scale, mirrored;
    for (int i = 0; i < 3; i++) {
        int k = own->scale_axes[i];
        (&mirrored.x)[i] = (&own->rest_scale.x)[i] * ((&scale.x)[k] / (&partner->rest_scale.x)[k]);
    }
    return mirrored;
}

static void mirror_pose(const tr_pose *pose, mirror_table *table, tr_pose *mirrored) {
    find_turns(pose, table);
    tr_pose_copy(mirrored, pose);
    for (uint32_t i = 0; i < table->count; i++) {
        const mirror_joint *joint = &table->joints[i];
        tr_transform transform = tr_pose_get(pose, i);
        transform.rotation = joint->mirrored;
        if (joint->parent != TR_NONE)
            transform.rotation = tr_quat_normalize(
                tr_quat_multiply(tr_quat_conjugate(table->joints[joint->parent].mirrored), joint->mirrored));
        transform.position = mirror_place(pose, table, i);
        if (pose->scaled)
            transform.scale = mirror_scale(pose, table, i);
        tr_pose_set(mirrored, i, transform);
    }
}

static uint32_t mirror_contacts(uint32_t contacts) {
    const uint32_t left = TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES,
                   right = TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES;
    const uint32_t left_limbs = TR_CONTACT_LEFT_HAND | TR_CONTACT_LEFT_KNEE,
                   right_limbs = TR_CONTACT_RIGHT_HAND | TR_CONTACT_RIGHT_KNEE;
    return ((contacts & left) << 2) | ((contacts & right) >> 2) | ((contacts & left_limbs) << 1) |
           ((contacts & right_limbs) >> 1);
}

static tr_base mirror_base(tr_base base) {
    tr_base mirrored = {-base.x, base.z, -base.heading};
    return mirrored;
}

static tr_status mirror_event(clip_edit_job *job, tr_clip_event event, tr_error *error) {
    bool left = strncmp(event.name, "left_", 5) == 0, right = strncmp(event.name, "right_", 6) == 0;
    if (!left && !right)
        return tr_clip_edit_add_event(job, event.time, event.name, error);
    const char *rest = event.name + (left ? 5 : 6), *side = left ? "right_" : "left_";
    size_t side_size = strlen(side), size = side_size + strlen(rest) + 1;
    char *name = tr_allocate(&job->allocator, size, 1);
    if (!name)
        return tr_clip_edit_no_memory(error, job->clip);
    memcpy(name, side, side_size);
    memcpy(name + side_size, rest, size - side_size);
    tr_status status = tr_clip_edit_add_event(job, event.time, name, error);
    tr_release(&job->allocator, name, size, 1);
    return status;
}

static tr_status mirror_clip(clip_edit_job *job, mirror_table *table, tr_pose *pose, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < job->frame_count && status == TR_OK; i++) {
        tr_clip_get_frame(job->clip, i, pose);
        mirror_pose(pose, table, &job->pose);
        status = tr_clip_edit_set_frame(job, i, error);
        tr_clip_set_contacts(job->made, i, mirror_contacts(tr_clip_frame_contacts(job->clip, i)));
        job->bases[i] = mirror_base(tr_clip_frame_base(job->clip, i));
    }
    if (status == TR_OK && tr_clip_has_base(job->clip))
        status = tr_clip_edit_set_base(job, mirror_base(tr_clip_advance(job->clip)), error);
    for (uint32_t i = 0; i < tr_clip_event_count(job->clip) && status == TR_OK; i++)
        status = mirror_event(job, tr_clip_get_event(job->clip, i), error);
    return status;
}

tr_status tr_clip_edit_mirror(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              tr_clip **result, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(allocator);
    mirror_table table = {.count = tr_clip_joint_count(clip)};
    table.joints = tr_allocate(&own, table.count, sizeof *table.joints);
    table.channels = tr_allocate(&own, table.count, 1);
    if (table.joints && table.channels) {
        fill_table(skeleton, clip, &table);
        clip_edit_shape shape = tr_clip_edit_same(clip);
        shape.roots_free = true;
        clip_edit_job job;
        tr_pose pose = {.joint_count = 0};
        status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, table.channels, error);
        if (status == TR_OK)
            status = tr_pose_create(&own, table.count, &pose, error);
        if (status == TR_OK)
            status = mirror_clip(&job, &table, &pose, error);
        if (pose.joint_count)
            tr_pose_destroy(&pose);
        status = tr_clip_edit_end(&job, status, result);
    } else {
        status = tr_clip_edit_no_memory(error, clip);
    }
    tr_release(&own, table.joints, table.count, sizeof *table.joints);
    tr_release(&own, table.channels, table.count, 1);
    return status;
}
