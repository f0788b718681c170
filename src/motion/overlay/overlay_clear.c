// Forearms and hands keep clear of the thigh on their side and of the hips: a knee that is lifted high, hips
// that turn under the arms, and arms that walls draw in would bring them into each other.
#include "motion/lanes.h"
#include "overlay_parts.h"

#define SKIN 4e-3f  // a hand or a forearm may press into the body by this [m]
#define AWAY 0.5f   // an arm swings out by at most this [rad]
#define SPREAD 0.4f // of the spread of a thigh: its upper third is what the hand of a hanging arm is beside
#define ROUNDS 3    // what swings out of the hips may come to be in the thigh
#define LEAST 1e-4f // limbs whose middle lines are this close have no way out [m]

// Forearm and hand of both arms, one in each lane: left forearm, left hand, right forearm, right hand.
enum { ARM_LIMBS = 4 };
typedef struct clear_arms {
    lane_vectors begin, end;
} clear_arms;

static lane_vectors four(tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d) {
    return (lane_vectors){{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}};
}

static lane_vectors all_lanes(tr_vec3 v) {
    return (lane_vectors){simd_set(v.x), simd_set(v.y), simd_set(v.z)};
}

// An arm that is missing counts as the other one.
static clear_arms place_arms(const tr_cast *cast, const tr_affine *model) {
    tr_vec3 at[2][3];
    for (uint32_t side = 0; side < 2; side++) {
        const tr_cast_ball *balls = cast->arm_balls[cast->arms[side][0] == TR_NONE ? 1 - side : side];
        at[side][0] = tr_affine_position(&model[balls[0].joint]); // elbow and wrist are joints
        at[side][1] = tr_affine_position(&model[balls[1].joint]);
        at[side][2] = tr_affine_apply(&model[balls[2].joint], balls[2].at);
    }
    return (clear_arms){four(at[0][0], at[0][1], at[1][0], at[1][1]),
                        four(at[0][1], at[0][2], at[1][1], at[1][2])};
}

// What arms keep clear of: the thigh on their side, and the hips. The middle lines of both, for each lane.
enum { THIGH, TRUNK, OBSTACLES };
static clear_arms place_obstacle(const tr_cast *cast, const tr_affine *model, int obstacle) {
    if (obstacle == TRUNK) {
        const tr_affine *hips = &model[cast->legs.hips];
        return (clear_arms){all_lanes(tr_affine_apply(hips, cast->hips_line[0])),
                            all_lanes(tr_affine_apply(hips, cast->hips_line[1]))};
    }
    const tr_limb *legs = cast->legs.limbs;
    tr_vec3 left = tr_affine_position(&model[legs[0].upper]),
            left_end = tr_affine_position(&model[legs[0].lower]),
            right = tr_affine_position(&model[legs[1].upper]),
            right_end = tr_affine_position(&model[legs[1].lower]);
    return (clear_arms){four(left, left, right, right), four(left_end, left_end, right_end, right_end)};
}

typedef struct clear_depths {
    simd_float deep[OBSTACLES], apart[OBSTACLES], arm_part[OBSTACLES], part[OBSTACLES];
    clear_arms arms, obstacles[OBSTACLES];
} clear_depths;

// How deep the limbs are in what they keep clear of. Returns a bit for each lane that is in something.
static uint32_t find_depths(const tr_cast *cast, const tr_affine *model, clear_depths *d) {
    simd_int in = simd_set_int(0);
    d->arms = place_arms(cast, model);
    for (int i = 0; i < OBSTACLES; i++) {
        clear_arms *obstacle = &d->obstacles[i];
        *obstacle = place_obstacle(cast, model, i);
        d->apart[i] = lanes_between_limbs(d->arms.begin, d->arms.end, obstacle->begin, obstacle->end,
                                          &d->arm_part[i], &d->part[i]);
        d->deep[i] = simd_load(cast->arm_apart[i]) - simd_set(SKIN) - d->apart[i];
        in |= d->deep[i] > simd_set(0);
    }
    return simd_bits(in);
}

// The pair of limbs that is deepest in each other.
typedef struct clear_touch {
    float deep;       // [m]; 0: none is
    tr_vec3 arm, off; // the point of the arm, and how far it is from the other middle line
    float apart;
} clear_touch;

static tr_vec3 lane_of(lane_vectors v, uint32_t lane) {
    return tr_vec3_make(v.x[lane], v.y[lane], v.z[lane]);
}

static clear_touch find_touch(const clear_depths *d, uint32_t side) {
    clear_touch touch = {0};
    for (int i = 0; i < OBSTACLES; i++)
        for (uint32_t lane = 2 * side; lane < 2 * side + 2; lane++) {
            float deep = d->deep[i][lane], apart = d->apart[i][lane];
            if (!(deep > touch.deep && apart > LEAST))
                continue;
            const clear_arms *obstacle = &d->obstacles[i];
            tr_vec3 arm = lane_of(d->arms.begin, lane), from = lane_of(obstacle->begin, lane);
            tr_vec3 along_arm = tr_vec3_subtract(lane_of(d->arms.end, lane), arm),
                    along = tr_vec3_subtract(lane_of(obstacle->end, lane), from);
            arm = tr_vec3_add(arm, tr_vec3_scale(along_arm, d->arm_part[i][lane]));
            from = tr_vec3_add(from, tr_vec3_scale(along, d->part[i][lane]));
            touch = (clear_touch){deep, arm, tr_vec3_subtract(arm, from), apart};
        }
    return touch;
}

// Turns the upper arm from `from` about an axis of the world.
static void turn_arm(const overlay_frame *frame, uint32_t joint, tr_quat from, tr_vec3 axis, float angle) {
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    tr_driver_body *body = frame->body;
    uint32_t above = tr_skeleton_parents(skeleton)[joint];
    tr_quat axes = tr_quat_normalize(tr_affine_rotation(&body->model[above]));
    tr_quat turn = tr_quat_multiply(tr_quat_about(axis, (double)angle), axes);
    turn = tr_quat_normalize(tr_quat_multiply(tr_quat_multiply(tr_quat_conjugate(axes), turn), from));
    tr_pose_set_rotation(body->pose, joint, tr_skeleton_limit_clamp(skeleton, joint, turn));
    tr_pose_update_model(skeleton, body->pose, &body->place, joint, body->model);
}

// Swings a point of the arm in a direction, by `by` [m] and at most by `most` [rad], as far as walls allow. A
// wall that the arm is beyond already, however far it is drawn in, does not hold it back. Returns the angle;
// 0 if walls stopped it, or if the arm points that way.
static float swing(const tr_overlay *overlay, const overlay_frame *frame, uint32_t side, tr_vec3 point,
                   tr_vec3 direction, float by, float most) {
    uint32_t joint = overlay->cast->arms[side][0];
    tr_vec3 reach = tr_vec3_subtract(point, tr_affine_position(&frame->body->model[joint]));
    tr_vec3 across = tr_vec3_cross(reach, direction);
    float length = tr_vec3_length(across);
    if (!(length > LEAST))
        return 0;
    float angle = by / length, off = tr_overlay_beyond_walls(overlay, frame, side);
    angle = angle < most ? angle : most;
    tr_quat from = tr_pose_rotation(frame->body->pose, joint);
    tr_vec3 axis = tr_vec3_scale(across, 1 / length);
    turn_arm(frame, joint, from, axis, angle);
    float then = off < 0 ? tr_overlay_beyond_walls(overlay, frame, side) : 0;
    if (!(then > 0))
        return angle;
    turn_arm(frame, joint, from, axis, angle * off / (off - then));
    return 0;
}

// Out of what it touches, the shortest way.
static float swing_out(const tr_overlay *overlay, const overlay_frame *frame, uint32_t side,
                       const clear_touch *touch, float most) {
    tr_vec3 away = tr_vec3_scale(touch->off, 1 / touch->apart);
    return swing(overlay, frame, side, touch->arm, away, touch->deep, most);
}

// Between walls before and behind the body, which draw the arms in, there is no way out. Who goes aside there
// spreads the legs under arms that hang: each hand stays beside its thigh.
static void spread_arm(const tr_overlay *overlay, const overlay_frame *frame, uint32_t side) {
    const tr_cast_ball *tip = &overlay->cast->arm_balls[side][2];
    const tr_limb *leg = &overlay->cast->legs.limbs[side];
    const tr_affine *model = frame->body->model;
    tr_vec3 aside = tr_affine_turn(&frame->body->place, tr_vec3_make(side ? -1.0f : 1.0f, 0, 0));
    tr_vec3 thigh =
        tr_vec3_subtract(tr_affine_position(&model[leg->lower]), tr_affine_position(&model[leg->upper]));
    float length = tr_vec3_length(thigh), out = length > 0 ? tr_vec3_dot(thigh, aside) / length : 0;
    out *= SPREAD * overlay->draws[side].share;
    tr_vec3 hand = tr_affine_apply(&model[tip->joint], tip->at),
            shoulder = tr_affine_position(&model[overlay->cast->arms[side][0]]);
    if (out > 0 && tr_overlay_beyond_walls(overlay, frame, side) < 0)
        swing(overlay, frame, side, hand, aside, out * tr_vec3_length(tr_vec3_subtract(hand, shoulder)),
              AWAY);
}

void tr_overlay_clear_arms(const tr_overlay *overlay, const overlay_frame *frame) {
    const tr_cast *cast = overlay->cast;
    const tr_affine *model = frame->body->model;
    if (cast->arms[0][0] == TR_NONE && cast->arms[1][0] == TR_NONE)
        return;
    clear_depths depths;
    bool aside = frame->state->root.doing == TR_DRIVER_SIDE_STEPS;
    for (uint32_t side = 0; side < 2 && aside; side++)
        if (cast->arms[side][0] != TR_NONE)
            spread_arm(overlay, frame, side);
    uint32_t in = find_depths(cast, model, &depths);
    for (uint32_t side = 0; side < 2 && in; side++) {
        if (cast->arms[side][0] == TR_NONE || !(in >> (2 * side) & 3))
            continue;
        float left = AWAY;
        for (int round = 0; round < ROUNDS && left > 0; round++) {
            clear_touch touch = find_touch(&depths, side);
            float turned = touch.deep > 0 ? swing_out(overlay, frame, side, &touch, left) : 0;
            if (!(turned > 0))
                break;
            left -= turned;
            find_depths(cast, model, &depths);
        }
    }
}
