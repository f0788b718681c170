// A foot on its footstep: flat, or rolled about heel or ball.
#include "footstep_motion_parts.h"

#define IN_THE_AIR 0.015f  // a foot whose lowest point is this far above its footstep swings [m]
#define TOUCHING 0.002f    // or this far, if it is about to land on its heel
#define HEEL_FIRST -0.12f  // [rad]
#define ANKLE_MOST 0.44f   // a shank leans no further over a flat foot [rad]: 25 degrees; ankles reach 30
#define ANKLE_LEAST -0.82f // and a foot points no further down than this: 47 degrees; ankles reach 55
#define ROUNDED 0.06f      // rounding where the larger of two angles changes [rad]
#define BEND_LEAST -0.3f   // the toes of a foot in the air are bent within this range [rad]
#define BEND_MOST 1.0f
#define PITCH_MOST 1.35f // [rad]
#define PITCH_LEAST -0.8f
#define SEARCH_ROUNDS 12

footstep_motion_value tr_footstep_motion_curve_at(const tr_footstep_motion_curve *curve, float time,
                                                  float duration) {
    if (!(time > 0))
        return (footstep_motion_value){curve->from, curve->from_rate};
    if (!(time < duration))
        return (footstep_motion_value){curve->to, curve->to_rate};
    float s = time / duration, s2 = s * s, way = curve->to - curve->from;
    float a = curve->from_rate * duration, b = curve->to_rate * duration;
    float at =
        curve->from + a * s +
        s2 * s * (way * (10 + s * (6 * s - 15)) + a * (-6 + s * (8 - 3 * s)) + b * (-4 + s * (7 - 3 * s)));
    float rate = a + s2 * (way * (30 + s * (30 * s - 60)) + a * (-18 + s * (32 - 15 * s)) +
                           b * (-12 + s * (28 - 15 * s)));
    return (footstep_motion_value){at, rate / duration};
}

float tr_footstep_motion_wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)((double)angle - turns * 2 * TR_PI);
}

// The larger of two, rounded where they meet.
static float larger(float a, float b) {
    float apart = a > b ? a - b : b - a, most = a > b ? a : b;
    float lacking = ROUNDED - apart;
    return lacking > 0 ? most + lacking * lacking / (4 * ROUNDED) : most;
}

float tr_footstep_motion_toes_length(const tr_foot *foot) {
    return foot->toes == TR_NONE ? 0 : tr_vec3_length(foot->tip) * foot->tip_unit;
}

float tr_footstep_motion_half_sole(const tr_foot *foot) {
    float to_ball = tr_vec3_length(tr_vec3_subtract(tr_foot_toes_arm(foot), tr_foot_heel_arm(foot)));
    return 0.5f * (to_ball + tr_footstep_motion_toes_length(foot));
}

tr_vec3 tr_footstep_motion_across(const tr_legs *legs, uint32_t side, tr_quat turn) {
    tr_vec3 ahead = legs->ahead[side];
    float size = sqrtf(ahead.x * ahead.x + ahead.z * ahead.z);
    tr_vec3 left = size > 0 ? tr_vec3_make(ahead.z / size, 0, -ahead.x / size) : tr_vec3_make(1, 0, 0);
    return tr_quat_rotate(tr_quat_multiply(turn, tr_quat_conjugate(legs->sole[side])), left);
}

// From the ankle to the middle of the flat sole, heel to tip, in the axes of the ankle. The toes are straight
// then.
static tr_vec3 middle_of_sole(const tr_legs *legs, uint32_t side) {
    const tr_foot *foot = &legs->feet[side];
    tr_vec3 pivot = tr_foot_toes_arm(foot), heel = tr_foot_heel_arm(foot);
    tr_vec3 end = pivot;
    if (foot->toes != TR_NONE) { // the tip belongs to the toes: as far before the ball as it is long
        tr_vec3 along = tr_vec3_subtract(pivot, heel);
        float size = tr_vec3_length(along);
        float length = tr_footstep_motion_toes_length(foot);
        end = size > 0 ? tr_vec3_add(pivot, tr_vec3_scale(along, length / size)) : pivot;
    }
    return tr_vec3_scale(tr_vec3_add(heel, end), 0.5f);
}

void tr_footstep_motion_foot_set(tr_footstep_motion_foot *foot, const tr_legs *legs,
                                 const tr_footstep *footstep) {
    tr_vec3 up = {0, 1, 0}, ahead = legs->ahead[footstep->side];
    // The feet of a skeleton may point outwards at rest; here the footstep defines their direction.
    double outwards = tr_arc_tangent((double)ahead.x, (double)ahead.z);
    tr_quat yaw = tr_quat_about(up, (double)footstep->heading), own = tr_quat_about(up, -outwards);
    tr_quat tilt = tr_quat_between(up, tr_vec3_make(-footstep->roll, 1, -footstep->pitch));
    tr_quat flat = tr_quat_multiply(tr_quat_multiply(yaw, tilt), own);
    *foot = (tr_footstep_motion_foot){.footstep = *footstep};
    foot->turn = tr_quat_normalize(tr_quat_multiply(flat, legs->sole[footstep->side]));
    foot->ankle = tr_vec3_subtract(footstep->position,
                                   tr_quat_rotate(foot->turn, middle_of_sole(legs, footstep->side)));
}

// A foot as an ankle shows it: heel and ball from the ankle, and the pitch against a floor.
typedef struct foot_shown {
    tr_vec3 ankle, heel, ball;
    tr_quat turn;
    float level, pitch; // length of the line from heel to ball, seen from above
} foot_shown;

static foot_shown foot_of(const tr_foot *shape, const tr_affine *ankle, float slope) {
    foot_shown foot = {.ankle = tr_affine_position(ankle), .turn = tr_affine_rotation(ankle)};
    foot.heel = tr_quat_rotate(foot.turn, tr_foot_heel_arm(shape));
    foot.ball = tr_quat_rotate(foot.turn, tr_foot_toes_arm(shape));
    tr_vec3 along = tr_vec3_subtract(foot.ball, foot.heel);
    foot.level = sqrtf(along.x * along.x + along.z * along.z);
    foot.pitch =
        (float)(tr_arc_tangent((double)slope, 1) - tr_arc_tangent((double)along.y, (double)foot.level));
    return foot;
}

// The same foot turned back flat about the point on which it stands.
static void lay_flat(tr_footstep_motion_foot *foot, const tr_legs *legs, uint32_t side,
                     const foot_shown *shown) {
    tr_vec3 along = tr_vec3_subtract(shown->ball, shown->heel);
    tr_vec3 across = shown->level > 1e-6f ? tr_vec3_make(along.z / shown->level, 0, -along.x / shown->level)
                                          : tr_footstep_motion_across(legs, side, shown->turn);
    tr_quat back = tr_quat_about(across, -(double)shown->pitch);
    tr_vec3 point = shown->pitch > 0 ? shown->ball : shown->heel;
    foot->turn = tr_quat_normalize(tr_quat_multiply(back, shown->turn));
    foot->ankle = tr_vec3_subtract(tr_vec3_add(shown->ankle, point), tr_quat_rotate(back, point));
    foot->pitch = shown->pitch;
}

// How far the toes are bent up against the sole.
static float bend_of(const tr_foot *shape, const foot_shown *shown, const tr_affine *model) {
    if (shape->toes == TR_NONE)
        return 0;
    tr_vec3 tip = tr_affine_turn(&model[shape->toes], shape->tip);
    float level = sqrtf(tip.x * tip.x + tip.z * tip.z);
    tr_vec3 along = tr_vec3_subtract(shown->ball, shown->heel);
    float bend = (float)(tr_arc_tangent((double)tip.y, (double)level) -
                         tr_arc_tangent((double)along.y, (double)shown->level));
    return tr_footstep_motion_clamp(bend, BEND_LEAST, BEND_MOST);
}

void tr_footstep_motion_foot_take(tr_footstep_motion_foot *foot, const tr_legs *legs, uint32_t side,
                                  const tr_footstep_motion_start *start) {
    const tr_foot *shape = &legs->feet[side];
    const tr_footstep *footstep = &start->feet[side];
    float slope = footstep->pitch; // the floor's own slope; the rest is the foot's pitch
    foot_shown now = foot_of(shape, &start->model[shape->ankle], slope);
    float lowest = now.ankle.y + (now.heel.y < now.ball.y ? now.heel.y : now.ball.y) - footstep->position.y;
    *foot = (tr_footstep_motion_foot){.footstep = *footstep};
    foot->footstep.side = side;
    lay_flat(foot, legs, side, &now);
    // A foot that has come down on its heel, except for the last millimetres, lands as well.
    foot->in_air = start->in_air == side ||
                   (start->in_air > 1 && !(lowest < (now.pitch < HEEL_FIRST ? TOUCHING : IN_THE_AIR)));
    foot->floats = !foot->in_air && !(lowest < IN_THE_AIR);
    foot->land_in = start->land_in[side];
    foot->bend = foot->in_air ? bend_of(shape, &now, start->model) : now.pitch > 0 ? now.pitch : 0;
    if (start->before && start->since > 0) {
        foot_shown past = foot_of(shape, &start->before->ankles[side], slope);
        float often = 1 / start->since;
        foot->pitch_rate = often * (now.pitch - past.pitch);
        foot->rate = tr_vec3_scale(
            tr_vec3_subtract(tr_vec3_add(now.ankle, now.ball), tr_vec3_add(past.ankle, past.ball)), often);
    }
    foot->rate.y = foot->floats && foot->rate.y < 0 ? 0 : foot->rate.y;
    foot->down = foot->up = (tr_footstep_motion_curve){foot->pitch, 0, foot->pitch, 0};
}

static tr_footstep_motion_foot flat_foot(const tr_legs *legs, uint32_t side, const tr_affine *model) {
    tr_footstep_motion_foot flat = {0};
    foot_shown shown = foot_of(&legs->feet[side], &model[legs->feet[side].ankle], 0);
    lay_flat(&flat, legs, side, &shown);
    return flat;
}

tr_vec3 tr_footstep_motion_flat_ankle(const tr_legs *legs, uint32_t side, const tr_affine *model) {
    return flat_foot(legs, side, model).ankle;
}

tr_footstep tr_footstep_motion_under(const tr_legs *legs, uint32_t side, const tr_affine *model,
                                     float floor) {
    tr_footstep_motion_foot flat = flat_foot(legs, side, model);
    tr_vec3 middle = tr_vec3_add(flat.ankle, tr_quat_rotate(flat.turn, middle_of_sole(legs, side)));
    tr_vec3 across = tr_footstep_motion_across(legs, side, flat.turn);
    return (tr_footstep){.side = side,
                         .position = {middle.x, floor, middle.z},
                         .heading = (float)tr_arc_tangent(-(double)across.z, (double)across.x),
                         .support = 1};
}

// How much of the way from the rear ankle to the front one the base point has passed when a foot lands in a
// walk at this speed.
static float passed_at(const tr_legs *legs, const tr_footstep_motion_stand *stand, float speed) {
    for (int i = 1; i < TR_FOOTSTEP_MOTION_WALKS; i++) {
        float low = tr_footstep_motion_walk_speed(legs, i - 1), high = tr_footstep_motion_walk_speed(legs, i);
        float share = tr_footstep_motion_clamp((speed - low) / (high - low), 0, 1);
        if (speed < high || i == TR_FOOTSTEP_MOTION_WALKS - 1)
            return stand->passed[i - 1] + share * (stand->passed[i] - stand->passed[i - 1]);
    }
    return stand->passed[0];
}

tr_footstep tr_footstep_motion_opposite(const tr_legs *legs, const tr_footstep_motion_stand *stand,
                                        const tr_footstep *foot, tr_vec3 base, float heading, float speed) {
    tr_footstep_motion_foot here, there;
    tr_footstep opposite = {.side = 1 - foot->side, .heading = heading, .support = 1};
    tr_footstep_motion_foot_set(&here, legs, foot);
    tr_footstep_motion_foot_set(&there, legs, &opposite); // at the origin
    double sine, cosine;
    tr_sin_cos((double)heading, &sine, &cosine);
    // Ahead it has passed most of the way from ankle to ankle; sideways it is in the middle.
    float x = base.x - here.ankle.x, z = base.z - here.ankle.z;
    float ahead = (x * (float)sine + z * (float)cosine) / passed_at(legs, stand, speed);
    float left = 2 * (x * (float)cosine - z * (float)sine);
    opposite.position =
        tr_vec3_make(here.ankle.x - there.ankle.x + ahead * (float)sine + left * (float)cosine, base.y,
                     here.ankle.z - there.ankle.z + ahead * (float)cosine - left * (float)sine);
    return opposite;
}

footstep_motion_value tr_footstep_motion_foot_pitch(const tr_footstep_motion_foot *foot, float time,
                                                    float duration) {
    if (time > foot->up_begin && foot->up_begin >= foot->down_end)
        return tr_footstep_motion_curve_at(&foot->up, time - foot->up_begin, duration - foot->up_begin);
    return tr_footstep_motion_curve_at(&foot->down, time, foot->down_end);
}

footstep_motion_pose tr_footstep_motion_ball_pose(const tr_legs *legs, uint32_t side, tr_vec3 ball,
                                                  tr_quat flat, float pitch, float bend) {
    tr_quat roll = tr_quat_about(tr_footstep_motion_across(legs, side, flat), (double)pitch);
    footstep_motion_pose pose = {
        .turn = tr_quat_normalize(tr_quat_multiply(roll, flat)), .pitch = pitch, .bend = bend};
    pose.ankle = tr_vec3_subtract(ball, tr_quat_rotate(pose.turn, tr_foot_toes_arm(&legs->feet[side])));
    return pose;
}

footstep_motion_pose tr_footstep_motion_foot_pose(const tr_footstep_motion_foot *foot, const tr_legs *legs,
                                                  uint32_t side, float pitch) {
    if (pitch == 0)
        return (footstep_motion_pose){foot->ankle, foot->turn, 0, 0};
    const tr_foot *shape = &legs->feet[side];
    tr_vec3 point = pitch > 0 ? tr_foot_toes_arm(shape) : tr_foot_heel_arm(shape);
    tr_quat roll = tr_quat_about(tr_footstep_motion_across(legs, side, foot->turn), (double)pitch);
    tr_vec3 arm = tr_quat_rotate(foot->turn, point);
    footstep_motion_pose pose = {.turn = tr_quat_normalize(tr_quat_multiply(roll, foot->turn)),
                                 .pitch = pitch,
                                 .bend = pitch > 0 ? pitch : 0};
    pose.ankle = tr_vec3_subtract(tr_vec3_add(foot->ankle, arm), tr_quat_rotate(roll, arm));
    return pose;
}

// How far the shank of a leg from hip to ankle leans over the foot, knee ahead [rad].
static float lean_over(const tr_limb *limb, tr_vec3 hip, const footstep_motion_pose *pose, tr_vec3 along) {
    tr_vec3 line = tr_vec3_subtract(hip, pose->ankle);
    double upper = (double)limb->upper_length, lower = (double)limb->lower_length;
    double distance = (double)tr_vec3_length(line), most = (double)limb->reach_max;
    distance = distance > most                      ? most
               : distance < (double)limb->reach_min ? (double)limb->reach_min
                                                    : distance;
    double cosine = (lower * lower + distance * distance - upper * upper) / (2 * lower * distance);
    double sine = 1 - cosine * cosine;
    double bent = tr_arc_tangent(sine > 0 ? sqrt(sine) : 0, cosine);
    double ahead = (double)(line.x * along.x + line.y * along.y + line.z * along.z);
    double up = sqrt((double)tr_vec3_dot(line, line) - ahead * ahead > 0
                         ? (double)tr_vec3_dot(line, line) - ahead * ahead
                         : 0);
    return (float)(tr_arc_tangent(ahead, line.y < 0 ? -up : up) + bent) - pose->pitch;
}

// The inputs for the pitch of a foot with its ball at a point and the hip at a place.
typedef struct ankle_view {
    const tr_legs *legs;
    uint32_t side;
    tr_vec3 ball, hip, along; // `along` the flat sole, to the toes
    tr_quat flat;
} ankle_view;

static float lean_at(const ankle_view *view, float pitch) {
    footstep_motion_pose pose =
        tr_footstep_motion_ball_pose(view->legs, view->side, view->ball, view->flat, pitch, 0);
    return lean_over(&view->legs->limbs[view->side], view->hip, &pose, view->along);
}

// The pitch between two values at which the shank leans by `lean`. The higher the heel, the less it leans
// over the foot.
static float pitch_for(const ankle_view *view, float low, float high, float lean) {
    for (int i = 0; i < SEARCH_ROUNDS; i++) {
        float middle = 0.5f * (low + high);
        bool leans = lean_at(view, middle) > lean;
        low = leans ? middle : low;
        high = leans ? high : middle;
    }
    return 0.5f * (low + high);
}

float tr_footstep_motion_heel_pitch(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat,
                                    tr_vec3 hip, tr_vec3 ahead, float meant,
                                    footstep_motion_comfort comfort) {
    float low = meant, high = PITCH_MOST;
    for (int i = 0; i < SEARCH_ROUNDS && low < high; i++) {
        float middle = 0.5f * (low + high);
        footstep_motion_pose pose = tr_footstep_motion_ball_pose(legs, side, ball, flat, middle, 0);
        bool far = tr_footstep_motion_sink(&legs->limbs[side], hip, pose.ankle, ahead, comfort) > 0;
        low = far ? middle : low;
        high = far ? high : middle;
    }
    return high > meant ? high : meant;
}

float tr_footstep_motion_ankle_pitch(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat,
                                     tr_vec3 hip, float meant) {
    tr_vec3 across = tr_footstep_motion_across(legs, side, flat);
    tr_vec3 normal =
        tr_quat_rotate(tr_quat_multiply(flat, tr_quat_conjugate(legs->sole[side])), tr_vec3_make(0, 1, 0));
    ankle_view view = {legs, side, ball, hip, tr_vec3_cross(across, normal), flat};
    if (lean_at(&view, meant - ROUNDED) > ANKLE_MOST)
        return larger(meant, pitch_for(&view, meant - ROUNDED, PITCH_MOST, ANKLE_MOST));
    if (lean_at(&view, meant + ROUNDED) < ANKLE_LEAST)
        return -larger(-meant, -pitch_for(&view, PITCH_LEAST, meant + ROUNDED, ANKLE_LEAST));
    return meant;
}
