#include "skeleton_data.h"
#include "motion/motion_archive.h"
#include "troupe/motion/pose.h"

#define SIMD_LANES 4
#include "base/simd.h"

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

// Four joints at once: row `r` of the local map of joint `first + lane` goes to rows[r][lane].
static inline void local_rows(const tr_pose *pose, uint32_t first, simd_float rows[3][4]) {
    simd_float x = simd_load(pose->rotation[0] + first), y = simd_load(pose->rotation[1] + first);
    simd_float z = simd_load(pose->rotation[2] + first), w = simd_load(pose->rotation[3] + first);
    simd_float x2 = x + x, y2 = y + y, z2 = z + z;
    simd_float xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    simd_float wx = w * x2, wy = w * y2, wz = w * z2, one = simd_set(1);
    rows[0][0] = one - (yy + zz), rows[0][1] = xy - wz, rows[0][2] = xz + wy;
    rows[1][0] = xy + wz, rows[1][1] = one - (xx + zz), rows[1][2] = yz - wx;
    rows[2][0] = xz - wy, rows[2][1] = yz + wx, rows[2][2] = one - (xx + yy);
    if (pose->scaled)
        for (int column = 0; column < 3; column++) {
            simd_float scale = simd_load(pose->scale[column] + first);
            for (int row = 0; row < 3; row++)
                rows[row][column] = rows[row][column] * scale;
        }
    for (int row = 0; row < 3; row++) {
        rows[row][3] = simd_load(pose->position[row] + first);
        simd_transpose(rows[row]);
    }
}

// `local` first, then `parent`.
static inline void multiply(const tr_affine *parent, simd_float l0, simd_float l1, simd_float l2,
                            tr_affine *result) {
    for (int row = 0; row < 3; row++) {
        const float *m = parent->m[row];
        simd_float moved = {0, 0, 0, m[3]};
        simd_store_float(result->m[row],
                         simd_set(m[0]) * l0 + simd_set(m[1]) * l1 + (simd_set(m[2]) * l2 + moved));
    }
}

// Updates `lanes` joints from `first` on; always reads four.
static inline void update_four(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *root,
                               uint32_t first, uint32_t lanes, tr_affine *model) {
    simd_float rows[3][4];
    local_rows(pose, first, rows);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t parent = skeleton->parents[first + lane];
        multiply(parent == TR_NONE ? root : &model[parent], rows[0][lane], rows[1][lane], rows[2][lane],
                 &model[first + lane]);
    }
}

void tr_pose_to_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                      tr_affine *model) {
    tr_affine own = tr_affine_identity();
    uint32_t count = pose->joint_count;
    for (uint32_t first = 0; first < count; first += 4)
        update_four(skeleton, pose, place ? place : &own, first, count - first < 4 ? count - first : 4,
                    model);
}

// The same sums in the same order as for four joints at once.
static void update_joint(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *root,
                         uint32_t joint, tr_affine *model) {
    tr_quat q = tr_pose_rotation(pose, joint);
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    simd_float rows[3] = {{1 - (yy + zz), xy - wz, xz + wy, 0},
                          {xy + wz, 1 - (xx + zz), yz - wx, 0},
                          {xz - wy, yz + wx, 1 - (xx + yy), 0}};
    if (pose->scaled) {
        simd_float scale = {pose->scale[0][joint], pose->scale[1][joint], pose->scale[2][joint], 1};
        for (int row = 0; row < 3; row++)
            rows[row] = rows[row] * scale;
    }
    for (int row = 0; row < 3; row++)
        rows[row][3] = pose->position[row][joint];
    uint32_t parent = skeleton->parents[joint];
    multiply(parent == TR_NONE ? root : &model[parent], rows[0], rows[1], rows[2], &model[joint]);
}

void tr_pose_update_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                          uint32_t joint, tr_affine *model) {
    tr_affine own = tr_affine_identity();
    const tr_affine *root = place ? place : &own;
    uint32_t end = tr_skeleton_subtree_end(skeleton, joint), i = joint;
    for (; i + 4 <= end; i += 4)
        update_four(skeleton, pose, root, i, 4, model);
    for (; i < end; i++)
        update_joint(skeleton, pose, root, i, model);
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
