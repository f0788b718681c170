#include "base/simd_width.h"
#include "motion/motion_archive.h"
#include "pose_loops.h"
#include "skeleton_data.h"

#include <string.h>

#define ARRAYS 10 // position, rotation and scale

tr_status tr_pose_create(const tr_allocator *allocator, uint32_t joint_count, tr_pose *pose,
                         tr_error *error) {
    *pose = (tr_pose){.allocator = tr_allocator_or_default(allocator)};
    if (joint_count == 0 || joint_count > TR_SKELETON_JOINTS_MAX)
        return tr_fail(error, TR_INVALID, "the pose has %u joints, it must have 1 to %u", joint_count,
                       TR_SKELETON_JOINTS_MAX);
    uint32_t stride = (joint_count + 3) / 4 * 4;
    float *block = tr_allocate_zero(&pose->allocator, (size_t)stride * ARRAYS, sizeof *block);
    if (!block)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a pose of %u joints", joint_count);
    pose->joint_count = joint_count;
    pose->stride = stride;
    for (int i = 0; i < 3; i++)
        pose->position[i] = block + (size_t)stride * (size_t)i;
    for (int i = 0; i < 4; i++)
        pose->rotation[i] = block + (size_t)stride * (size_t)(3 + i);
    for (int i = 0; i < 3; i++)
        pose->scale[i] = block + (size_t)stride * (size_t)(7 + i);
    for (uint32_t i = 0; i < stride; i++)
        pose->rotation[3][i] = pose->scale[0][i] = pose->scale[1][i] = pose->scale[2][i] = 1;
    return TR_OK;
}

void tr_pose_destroy(tr_pose *pose) {
    tr_release(&pose->allocator, pose->position[0], (size_t)pose->stride * ARRAYS, sizeof(float));
    *pose = (tr_pose){.allocator = pose->allocator};
}

void tr_pose_copy(tr_pose *to, const tr_pose *from) {
    if (to == from || to->joint_count != from->joint_count)
        return;
    uint32_t arrays = from->scaled ? ARRAYS : ARRAYS - 3; // scales that are all 1 are not read
    memcpy(to->position[0], from->position[0], (size_t)from->stride * arrays * sizeof(float));
    to->scaled = from->scaled;
}

void tr_pose_set_rest(tr_pose *pose, const tr_skeleton *skeleton) {
    if (pose->joint_count != skeleton->joint_count)
        return;
    for (uint32_t i = 0; i < skeleton->joint_count; i++)
        tr_pose_set(pose, i, skeleton->joints[i].rest);
    pose->scaled = skeleton->scaled;
}

tr_transform tr_pose_get(const tr_pose *pose, uint32_t joint) {
    if (joint >= pose->joint_count)
        return tr_transform_identity();
    tr_transform t = {{pose->position[0][joint], pose->position[1][joint], pose->position[2][joint]},
                      tr_pose_rotation(pose, joint),
                      {1, 1, 1}};
    if (pose->scaled)
        t.scale = tr_vec3_make(pose->scale[0][joint], pose->scale[1][joint], pose->scale[2][joint]);
    return t;
}

// Scales of the other joints may be left over from an earlier use: they count as 1 until one is set.
static void begin_scaling(tr_pose *pose) {
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t i = 0; i < pose->stride; i++)
            pose->scale[axis][i] = 1;
    pose->scaled = true;
}

void tr_pose_set(tr_pose *pose, uint32_t joint, tr_transform transform) {
    if (joint >= pose->joint_count)
        return;
    tr_vec3 s = transform.scale;
    if (!pose->scaled && (s.x != 1 || s.y != 1 || s.z != 1))
        begin_scaling(pose);
    for (int axis = 0; axis < 3; axis++) {
        pose->position[axis][joint] = (&transform.position.x)[axis];
        pose->scale[axis][joint] = (&s.x)[axis];
    }
    tr_pose_set_rotation(pose, joint, transform.rotation);
}

const pose_loops *tr_pose_loops_of(uint32_t lanes) {
    static const pose_loops four = {tr_pose_mix_rotations_4, tr_pose_mix_values_4, tr_pose_update_4};
    static const pose_loops eight = {tr_pose_mix_rotations_8, tr_pose_mix_values_8, tr_pose_update_8};
    return lanes == 8 ? &eight : &four;
}

const pose_loops *tr_pose_loops(void) {
    return tr_pose_loops_of(simd_widest());
}

static void update(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place, uint32_t first,
                   uint32_t end, tr_affine *model) {
    const tr_affine own = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    tr_pose_loops()->update(skeleton->parents, pose, place ? place : &own, first, end, model);
}

void tr_pose_to_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                      tr_affine *model) {
    update(skeleton, pose, place, 0, pose->joint_count, model);
}

void tr_pose_update_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                          uint32_t joint, tr_affine *model) {
    update(skeleton, pose, place, joint, tr_skeleton_subtree_end(skeleton, joint), model);
}

void tr_pose_archive(tr_pose *pose, tr_archive *archive) {
    uint32_t joints = pose->joint_count;
    tr_archive_u32(archive, &joints);
    tr_archive_check(archive, joints == pose->joint_count, "the saved pose has a different number of joints");
    tr_archive_bool(archive, &pose->scaled);
    for (int i = 0; i < 3; i++)
        tr_archive_floats(archive, pose->position[i], pose->joint_count);
    for (int i = 0; i < 4; i++)
        tr_archive_floats(archive, pose->rotation[i], pose->joint_count);
    for (int i = 0; i < 3 && pose->scaled; i++)
        tr_archive_floats(archive, pose->scale[i], pose->joint_count);
}
