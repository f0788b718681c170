// Root motion: a joint above all others that moves over the floor becomes the base of a clip.
#include "behavior_file_open.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/clip_edit.h"

#define HEIGHT_OFF 1e-3f // most by which such a joint rises [m]
#define TILT_OFF 1e-3f   // of the rotation, as a part of a unit quaternion
#define MOVES 1e-3f      // least by which it has to move somewhere [m, rad]

// The joint that all others hang on, if it is no bone of the body.
static uint32_t find_root(const tr_skeleton *skeleton) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t root = TR_NONE;
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        if (parents[i] != TR_NONE)
            continue;
        if (root != TR_NONE || tr_skeleton_joint(skeleton, i).role != TR_ROLE_NONE)
            return TR_NONE;
        root = i;
    }
    return root;
}

// Where the root is at a frame, as a base; false: it leaves the floor or tilts.
static bool measure_root(tr_transform rest, tr_transform now, float before, tr_base *base) {
    tr_quat turn = tr_quat_multiply(now.rotation, tr_quat_conjugate(rest.rotation));
    tr_vec3 from = tr_quat_rotate(turn, rest.position);
    if (!(fabsf(now.position.y - rest.position.y) <= HEIGHT_OFF && fabsf(turn.x) <= TILT_OFF &&
          fabsf(turn.z) <= TILT_OFF))
        return false;
    double heading = 2 * tr_arc_tangent((double)turn.y, (double)turn.w);
    double rounds = floor((heading - (double)before) / (2 * TR_PI) + 0.5); // headings are not wrapped
    *base =
        (tr_base){now.position.x - from.x, now.position.z - from.z, (float)(heading - 2 * TR_PI * rounds)};
    return true;
}

// Measures all frames, and puts the root back to its rest in each.
static bool take_frames(tr_clip *clip, tr_transform rest, uint32_t root, tr_pose *pose, tr_base *bases) {
    bool moves = false;
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_clip_get_frame(clip, i, pose);
        if (!measure_root(rest, tr_pose_get(pose, root), i ? bases[i - 1].heading : 0, &bases[i]))
            return false;
        tr_base way = tr_base_difference(bases[0], bases[i]);
        moves |= way.x * way.x + way.z * way.z > MOVES * MOVES || fabsf(way.heading) > MOVES;
    }
    for (uint32_t i = 0; i < tr_clip_frame_count(clip) && moves; i++) {
        tr_clip_get_frame(clip, i, pose);
        tr_pose_set(pose, root, rest);
        tr_clip_set_frame(clip, i, pose);
    }
    return moves;
}

tr_status tr_machine_take_root(const tr_allocator *allocator, const tr_skeleton *skeleton,
                               const tr_clip *clip, tr_clip **made, tr_error *error) {
    uint32_t root = find_root(skeleton), count = tr_clip_frame_count(clip);
    *made = NULL;
    if (root == TR_NONE || tr_clip_has_base(clip))
        return TR_OK;
    tr_clip *taken = NULL;
    tr_pose pose = {0};
    tr_base *bases = tr_allocate(allocator, count, sizeof *bases);
    tr_status status = bases ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u frames", count);
    if (status == TR_OK)
        status = tr_clip_edit_cut(allocator, skeleton, clip, 0, count, &taken, error);
    if (status == TR_OK)
        status = tr_pose_create(allocator, tr_skeleton_joint_count(skeleton), &pose, error);
    bool found =
        status == TR_OK && take_frames(taken, tr_skeleton_joint(skeleton, root).rest, root, &pose, bases);
    if (found) {
        status = tr_clip_set_base(taken, bases, tr_base_difference(bases[0], bases[count - 1]));
        if (status != TR_OK)
            tr_fail(error, status, "no memory for the base of a motion");
    }
    tr_pose_destroy(&pose);
    tr_release(allocator, bases, count, sizeof *bases);
    if (found && status == TR_OK)
        *made = taken;
    else
        tr_clip_destroy(taken);
    return status;
}
