// Knees and hands on the ground. A thigh that stands on its knee sets the height of its hip: the pelvis rises
// and rolls as both knees require. Arms reach for the places of the hands by inverse kinematics.
#include "behavior_parts.h"

#define ROUNDS 6
#define LOWEST 0.0695 // height of a knee [m]
#define OVER 0.024    // height of the sole of a foot that drags behind [m]
#define HANGING 0.21  // height of a wrist whose fingers point down [m]
#define ROUND 0.04

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

// How much a limb is led, and by which touch: that which it has, or the next one.
static double led(const tr_behavior_limb *limb, double time) {
    if (limb->count == 0 || time <= limb->begin || time >= limb->end)
        return 0;
    double first = limb->touches[0].begin, last = limb->touches[limb->count - 1].end;
    if (time < first)
        return tr_ease((time - limb->begin) / (first - limb->begin));
    return time > last ? tr_ease((limb->end - time) / (limb->end - last)) : 1;
}

// How much a knee sets the height of its hip: it comes near its place first, and leaves it fast.
static double bears(const tr_behavior_limb *knee, double time) {
    double share = led(knee, time);
    return time < knee->touches[0].begin ? tr_ease(2.2 * share - 1.2) : tr_ease(6 * share - 5);
}

// The touch of a time: between two touches one on the way, with its lift added.
static tr_behavior_touch touch_at(const tr_behavior_limb *limb, double time) {
    uint32_t i = 0;
    while (i + 1 < limb->count && time >= limb->touches[i + 1].begin)
        i++;
    const tr_behavior_touch *from = &limb->touches[i];
    if (time <= from->end || i + 1 == limb->count)
        return *from;
    const tr_behavior_touch *to = from + 1;
    double x = (time - from->end) / (to->begin - from->end), share = tr_ease(x), off = x * (1 - x);
    tr_behavior_touch touch = *from;
    touch.x = mix(from->x, to->x, share);
    touch.y = mix(from->y, to->y, share) + 16 * off * off * from->lift;
    touch.z = mix(from->z, to->z, share);
    touch.shank = mix(from->shank, to->shank, share);
    touch.pitch = mix(from->pitch, to->pitch, share);
    return touch;
}

static bool touches(const tr_behavior_limb *limb, double time) {
    for (uint32_t i = 0; i < limb->count; i++)
        if (time >= limb->touches[i].begin && time <= limb->touches[i].end)
            return true;
    return false;
}

uint32_t tr_behavior_touching(const tr_behavior_plan *plan, double time) {
    uint32_t sum = 0;
    for (uint32_t side = 0; side < 2; side++) {
        sum |= touches(&plan->knees[side], time) ? (uint32_t)TR_CONTACT_LEFT_KNEE << side : 0;
        sum |= touches(&plan->hands[side], time) ? (uint32_t)TR_CONTACT_LEFT_HAND << side : 0;
    }
    return sum;
}

double tr_behavior_kneeling_foot(const tr_behavior_plan *plan, uint32_t side, double time,
                                 tr_gait_foot *foot) {
    const tr_behavior_limb *knee = &plan->knees[side];
    double share = led(knee, time), sine, cosine;
    if (!(share > 0))
        return 0;
    bool before = time<knee->touches[0].begin, after = time> knee->touches[knee->count - 1].end;
    if ((before && knee->stays[0]) || (after && knee->stays[1]))
        return 0;
    tr_behavior_touch touch = touch_at(knee, time);
    double length = (double)plan->rig->legs[side].lower_length;
    // Toes that are tucked under lie flat.
    double tucked = (touch.pitch + 110 * TR_GAIT_DEGREE) / (40 * TR_GAIT_DEGREE), low = 0;
    // A foot on its way is lifted over the ground.
    for (int i = 0; i < 4; i++) {
        touch.shank -= low / length;
        tr_sin_cos(touch.shank, &sine, &cosine);
        *foot = (tr_gait_foot){.x = touch.x,
                               .y = touch.y - plan->rig->ground + length * sine,
                               .z = touch.z - length * cosine,
                               .pitch = touch.pitch,
                               .toes = tr_ease(tucked) * -touch.pitch};
        low = tr_gait_lowest(plan->rig, side, foot) - OVER * plan->rig->scale * (1 - tr_ease(tucked));
        low = low < -1e-5 ? low : 0;
    }
    return share;
}

// ---------------------------------------------------------------------------------------------------- hips

static tr_vec3 hip_at(const tr_gait_rig *rig, const tr_gait_state *state, uint32_t side) {
    tr_vec3 hips = {rig->hips_rest.x + (float)state->left, rig->hips_rest.y + (float)state->up,
                    rig->hips_rest.z + (float)state->ahead};
    return tr_vec3_add(hips, tr_quat_rotate(tr_gait_pelvis(state), rig->hip_offset[side]));
}

// In the axes of the base, which goes along +Z.
static tr_vec3 touch_place(const tr_gait_state *state, const tr_behavior_touch *touch) {
    tr_base base = tr_gait_base(state);
    return tr_vec3_make((float)(touch->x - (double)base.x), (float)touch->y,
                        (float)(touch->z - (double)base.z));
}

// How much higher the hip has to be for the thigh to end at the knee.
static double rise_of(const tr_gait_rig *rig, uint32_t side, tr_vec3 hip, tr_vec3 knee) {
    double x = (double)(hip.x - knee.x), z = (double)(hip.z - knee.z);
    double length = (double)rig->legs[side].upper_length, room = length * length - x * x - z * z;
    return (double)(knee.y - hip.y) + (room > 0 ? sqrt(room) : 0);
}

static void set_hips(const tr_behavior_plan *plan, double time, const double weight[2],
                     tr_gait_state *state) {
    const tr_gait_rig *rig = plan->rig;
    double planned[2], knees = weight[0] > weight[1] ? weight[0] : weight[1];
    tr_vec3 knee[2];
    if (!(knees > 0))
        return;
    for (uint32_t side = 0; side < 2; side++) {
        tr_behavior_touch touch = touch_at(&plan->knees[side], time);
        knee[side] = touch_place(state, &touch);
        planned[side] = (double)hip_at(rig, state, side).y;
    }
    for (int i = 0; i < ROUNDS; i++) {
        double needed[2], wanted[2];
        tr_vec3 hip[2] = {hip_at(rig, state, 0), hip_at(rig, state, 1)};
        for (uint32_t side = 0; side < 2; side++)
            needed[side] = (double)hip[side].y + rise_of(rig, side, hip[side], knee[side]) - planned[side];
        for (uint32_t side = 0; side < 2; side++)
            wanted[side] = planned[side] + weight[side] * needed[side] +
                           (1 - weight[side]) * weight[1 - side] * needed[1 - side];
        double up[2] = {wanted[0] - (double)hip[0].y, wanted[1] - (double)hip[1].y};
        // The slope of the difference of both heights over the roll.
        tr_gait_state turned = *state;
        turned.roll += 1e-3;
        double slope = ((double)(hip_at(rig, &turned, 0).y - hip_at(rig, &turned, 1).y) -
                        (double)(hip[0].y - hip[1].y)) /
                       1e-3;
        state->up += 0.5 * (up[0] + up[1]);
        if (fabs(slope) > 0.02 * rig->scale)
            state->roll += (up[0] - up[1]) / slope;
    }
}

// --------------------------------------------------------------------------------------------- legs, arms

static tr_vec3 beside(tr_vec3 way, tr_vec3 line) {
    return tr_vec3_subtract(way, tr_vec3_scale(line, tr_vec3_dot(way, line)));
}

// Swings the knee about the line from hip to ankle to its place.
static void place_knee(tr_gait_rig *rig, uint32_t side, tr_vec3 knee, double weight) {
    const tr_foot *foot = &rig->feet[side];
    tr_vec3 hip = tr_affine_position(&rig->model[foot->thigh]);
    tr_vec3 ankle = tr_affine_position(&rig->model[foot->ankle]);
    tr_vec3 line = tr_vec3_subtract(ankle, hip);
    line = tr_vec3_scale(line, 1 / tr_vec3_length(line));
    tr_vec3 now = beside(tr_vec3_subtract(tr_affine_position(&rig->model[foot->shank]), hip), line);
    tr_vec3 then = beside(tr_vec3_subtract(knee, hip), line);
    double angle =
        tr_arc_tangent((double)tr_vec3_dot(tr_vec3_cross(now, then), line), (double)tr_vec3_dot(now, then));
    // A knee whose foot is still beyond it does not turn over.
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    weight *= weight < 1 ? tr_ease(cosine + 0.4) : 1;
    tr_quat rotation = tr_affine_rotation(&rig->model[foot->ankle]);
    tr_limb_goal goal = {
        .position = ankle, .rotation = &rotation, .weight = 1, .swivel = (float)(weight * angle)};
    tr_limb_reach(&rig->legs[side], rig->skeleton, &goal, &rig->pose, NULL, rig->model);
}

// A knee between standing and kneeling that would dip into the ground goes out to the side.
static void lift_knee(tr_gait_rig *rig, uint32_t side) {
    const tr_foot *foot = &rig->feet[side];
    tr_vec3 hip = tr_affine_position(&rig->model[foot->thigh]),
            knee = tr_affine_position(&rig->model[foot->shank]);
    tr_vec3 ankle = tr_affine_position(&rig->model[foot->ankle]), line = tr_vec3_subtract(ankle, hip);
    double need = rig->ground + LOWEST * rig->scale - (double)knee.y;
    line = tr_vec3_scale(line, 1 / tr_vec3_length(line));
    double down = -(double)beside(tr_vec3_subtract(knee, hip), line).y;
    if (!(need > 0) || !(down > 0))
        return;
    double angle = sqrt(2 * need / down);
    tr_quat rotation = tr_affine_rotation(&rig->model[foot->ankle]);
    tr_limb_goal goal = {
        .position = ankle, .rotation = &rotation, .weight = 1, .swivel = (float)(side ? angle : -angle)};
    tr_limb_reach(&rig->legs[side], rig->skeleton, &goal, &rig->pose, NULL, rig->model);
}

// Fingers ahead and down, palm to the ground, thumb to the other hand.
static tr_quat hand_turn(const tr_gait_rig *rig, uint32_t side, double slope) {
    float out = side ? -1.0f : 1.0f;
    double sine, cosine;
    tr_sin_cos(slope, &sine, &cosine);
    tr_vec3 fingers = {0, (float)-sine, (float)cosine}, palm = {0, (float)-cosine, (float)-sine};
    tr_vec3 x = tr_vec3_scale(palm, -out), y = tr_vec3_scale(fingers, -1), z = tr_vec3_cross(x, y);
    tr_affine axes = {{{x.x, y.x, z.x, 0}, {x.y, y.y, z.y, 0}, {x.z, y.z, z.z, 0}}};
    tr_quat at_rest = tr_affine_rotation(&tr_skeleton_rest_model(rig->skeleton)[rig->hands[side]]);
    return tr_quat_multiply(tr_affine_rotation(&axes),
                            tr_quat_multiply(rig->upright[rig->hands[side]], at_rest));
}

static void place_hand(tr_gait_rig *rig, uint32_t side, tr_vec3 place, double ground, double weight) {
    tr_limb arm;
    uint32_t hand = rig->hands[side];
    if (tr_limb_measure(rig->skeleton, rig->arms[side], rig->forearms[side], hand, &arm, NULL) != TR_OK)
        return;
    tr_vec3 free = tr_affine_position(&rig->model[hand]);
    tr_quat loose = tr_affine_rotation(&rig->model[hand]);
    tr_quat held = hand_turn(rig, side, TR_BEHAVIOR_HAND_SLOPE);
    tr_quat rotation = tr_quat_blend(loose, held, (float)weight);
    tr_vec3 at = tr_vec3_add(free, tr_vec3_scale(tr_vec3_subtract(place, free), (float)weight));
    // On its way the hand keeps its fingers off the ground.
    double least = mix(rig->ground + ground + HANGING * rig->scale, (double)place.y, weight),
           over = (double)at.y - least;
    double round = ROUND * rig->scale * (1 - weight);
    at.y += (float)(0.5 * (sqrt(over * over + round * round) - over));
    tr_limb_goal goal = {.position = at, .rotation = &rotation, .weight = 1};
    float miss = tr_limb_reach(&arm, rig->skeleton, &goal, &rig->pose, NULL, rig->model);
    if (weight == 1)
        rig->worst_miss = miss > rig->worst_miss ? miss : rig->worst_miss;
}

void tr_behavior_finish(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    double knees[2] = {bears(&plan->knees[0], time), bears(&plan->knees[1], time)};
    set_hips(plan, time, knees, state);
    tr_behavior_pose(plan->rig, state);
    for (uint32_t side = 0; side < 2; side++) {
        double hand = led(&plan->hands[side], time);
        if (knees[side] > 0) {
            tr_behavior_touch touch = touch_at(&plan->knees[side], time);
            place_knee(plan->rig, side, touch_place(state, &touch), knees[side]);
        }
        double share = led(&plan->knees[side], time);
        if (share > 0 && share < 1)
            lift_knee(plan->rig, side);
        if (hand > 0) {
            tr_behavior_touch touch = touch_at(&plan->hands[side], time);
            place_hand(plan->rig, side, touch_place(state, &touch), plan->hands[side].ground, hand);
        }
    }
}
