// Keeps a captured body out of the ground: other proportions, soles that are no joints, and toes that
// captures do not see leave parts of it below. Knees lift the whole body; feet and hands are lifted by their
// limbs; toes and hands lie flat.
#include "build_parts.h"
#include "motion/clip/clip_edit_parts.h"
#include "motion/foot/foot.h"

#define KNEE_RADIUS 0.055f // of the leg
#define WRIST_RADIUS 0.04f // of the leg
#define TIP_RADIUS 0.012f  // of the leg: finger tips
#define LEAST 0.0005f      // of the leg: less is not seen
#define LIFT_TIME 0.1      // before and after a knee that is lifted, the body is as well [s]
#define LIFT_HERTZ 2.0
#define FORWARD 0.5f // a hand that points straight down is laid ahead

typedef struct floor_body {
    const tr_skeleton *skeleton;
    const build_body *body;
    tr_legs legs;
    tr_limb arms[2];
    uint32_t tips[2]; // of the hands
    tr_pose pose;
    tr_affine *model;
} floor_body;

static tr_vec3 at(const floor_body *f, uint32_t joint) {
    return tr_affine_position(&f->model[joint]);
}

// Turns a joint so that what points along `from` points along `to`, as far as its limit allows.
static void turn_joint(floor_body *f, uint32_t joint, tr_vec3 from, tr_vec3 to) {
    uint32_t parent = tr_skeleton_parents(f->skeleton)[joint];
    tr_quat world = tr_quat_multiply(tr_quat_between(from, to), tr_affine_rotation(&f->model[joint]));
    tr_quat above = parent == TR_NONE ? tr_quat_identity() : tr_affine_rotation(&f->model[parent]);
    tr_quat local = tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(above), world));
    tr_pose_set_rotation(&f->pose, joint, tr_skeleton_limit_clamp(f->skeleton, joint, local));
    tr_pose_update_model(f->skeleton, &f->pose, NULL, joint, f->model);
}

// `v` with its end no lower than `least`, of the same length; `bias` gives it a direction if it has none.
static tr_vec3 raised(tr_vec3 v, float least, tr_vec3 bias) {
    float length = tr_vec3_length(v), y = least < length ? least : length;
    tr_vec3 level = tr_vec3_add(tr_vec3_make(v.x, 0, v.z), tr_vec3_scale(bias, length));
    float along = sqrtf(length * length - y * y), size = tr_vec3_length(level);
    level = size > 0 ? tr_vec3_scale(level, along / size) : tr_vec3_make(0, 0, along);
    return tr_vec3_make(level.x, y, level.z);
}

static void lift_limb(floor_body *f, const tr_limb *limb, float by) {
    tr_quat turn = tr_affine_rotation(&f->model[limb->end]);
    tr_vec3 place = at(f, limb->end);
    tr_limb_goal goal = {.position = {place.x, place.y + by, place.z}, .rotation = &turn, .weight = 1};
    tr_limb_reach(limb, f->skeleton, &goal, &f->pose, NULL, f->model);
}

static void keep_foot(floor_body *f, int side) {
    const tr_foot *foot = &f->legs.feet[side];
    for (int pass = 0; pass < 2; pass++) { // toes that bend no further lift the leg
        float low = tr_foot_heel(foot, f->model).y, ball = tr_foot_ball(foot, f->model).y;
        tr_vec3 tip = tr_foot_tip(foot, f->model);
        low = ball < low ? ball : low;
        low = pass == 1 && tip.y < low ? tip.y : low;
        if (low < -LEAST * f->body->leg)
            lift_limb(f, &f->legs.limbs[side], -low);
        tip = tr_foot_tip(foot, f->model);
        if (foot->toes == TR_NONE || tip.y >= -LEAST * f->body->leg)
            continue;
        tr_vec3 root = at(f, foot->toes), way = tr_vec3_subtract(tip, root);
        turn_joint(f, foot->toes, way, raised(way, -root.y, tr_vec3_make(0, 0, 0)));
    }
}

static void keep_hand(floor_body *f, int side) {
    uint32_t hand = f->arms[side].end, tip = f->tips[side];
    float wrist = WRIST_RADIUS * f->body->leg, finger = TIP_RADIUS * f->body->leg;
    for (int pass = 0; pass < 2; pass++) { // a hand that may not lie flat lifts the arm
        float low = at(f, hand).y - wrist, lowest = at(f, tip).y - finger;
        low = pass == 1 && lowest < low ? lowest : low;
        if (low < -LEAST * f->body->leg)
            lift_limb(f, &f->arms[side], -low);
        tr_vec3 root = at(f, hand), way = tr_vec3_subtract(at(f, tip), root);
        if (tip == hand || root.y + way.y >= finger)
            return;
        float deep = (finger - root.y - way.y) / tr_vec3_length(way); // the deeper, the more it is laid ahead
        turn_joint(f, hand, way, raised(way, finger - root.y, tr_vec3_make(0, 0, FORWARD * deep)));
    }
}

static void show(floor_body *f, const tr_clip *clip, uint32_t frame, float lift) {
    const uint32_t *parents = tr_skeleton_parents(f->skeleton);
    tr_clip_get_frame(clip, frame, &f->pose);
    for (uint32_t i = 0; i < f->pose.joint_count; i++)
        if (parents[i] == TR_NONE)
            f->pose.position[1][i] += lift;
    tr_pose_to_model(f->skeleton, &f->pose, NULL, f->model);
}

static float knee_depth(const floor_body *f) {
    float least = KNEE_RADIUS * f->body->leg, left = at(f, f->legs.feet[0].shank).y,
          right = at(f, f->legs.feet[1].shank).y;
    float low = left < right ? left : right;
    return low < least ? least - low : 0;
}

// How far each frame is lifted: as far as knees are too deep around it, smoothly.
static tr_status find_lifts(floor_body *f, const tr_allocator *allocator, const tr_clip *clip, float *lifts,
                            tr_error *error) {
    uint32_t count = tr_clip_frame_count(clip), reach = (uint32_t)(LIFT_TIME * tr_clip_rate(clip));
    double cutoff = LIFT_HERTZ / tr_clip_rate(clip);
    size_t padding = tr_clip_edit_low_pass_padding(cutoff, count, false), total = count + 2 * padding;
    double *track = tr_allocate(allocator, total, sizeof *track);
    if (!track)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the heights of a capture");
    for (uint32_t i = 0; i < count; i++) {
        show(f, clip, i, 0);
        lifts[i] = knee_depth(f);
    }
    for (size_t k = 0; k < total; k++) {
        int64_t here = (int64_t)k - (int64_t)padding, last = (int64_t)count - 1;
        here = here < 0 ? 0 : here > last ? last : here;
        track[k] = 0;
        for (int64_t i = here - reach; i <= here + reach; i++)
            if (i >= 0 && i <= last && (double)lifts[i] > track[k])
                track[k] = (double)lifts[i];
    }
    tr_clip_edit_low_pass(track, total, cutoff);
    for (uint32_t i = 0; i < count; i++)
        lifts[i] = track[padding + i] > 0 ? (float)track[padding + i] : 0;
    tr_release(allocator, track, total, sizeof *track);
    return TR_OK;
}

static tr_status measure_body(floor_body *f, tr_error *error) {
    tr_status status = tr_legs_measure(f->skeleton, &f->legs, error);
    for (int side = 0; side < 2 && status == TR_OK; side++) {
        uint32_t hand = f->body->joints[BUILD_LEFT_HAND + side];
        status = tr_limb_measure(f->skeleton, f->body->joints[BUILD_LEFT_ARM + side],
                                 f->body->joints[BUILD_LEFT_ELBOW + side], hand, &f->arms[side], error);
        f->tips[side] = build_tip_of(f->skeleton, hand);
    }
    return status;
}

tr_status build_floor_keep(const tr_allocator *allocator, const build_body *body, tr_clip *clip,
                           tr_error *error) {
    floor_body f = {.skeleton = body->skeleton, .body = body};
    uint32_t joints = tr_skeleton_joint_count(body->skeleton), count = tr_clip_frame_count(clip);
    tr_status status = measure_body(&f, error);
    if (status == TR_OK)
        status = tr_pose_create(allocator, joints, &f.pose, error);
    if (status != TR_OK)
        return status;
    f.model = tr_allocate(allocator, joints, sizeof *f.model);
    float *lifts = tr_allocate(allocator, count, sizeof *lifts);
    if (!f.model || !lifts)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the heights of a capture");
    if (status == TR_OK)
        status = find_lifts(&f, allocator, clip, lifts, error);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        show(&f, clip, i, lifts[i]);
        for (int side = 0; side < 2; side++) {
            keep_foot(&f, side);
            keep_hand(&f, side);
        }
        status = tr_clip_set_frame(clip, i, &f.pose);
    }
    tr_release(allocator, lifts, count, sizeof *lifts);
    tr_release(allocator, f.model, joints, sizeof *f.model);
    tr_pose_destroy(&f.pose);
    return status;
}
