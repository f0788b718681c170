// Knees that point where their feet do meet if the toes point towards each other: on tight turns, where a
// stair is entered at an angle. They turn out as far as the legs need to be apart, and the ankles take over
// the turn.
#include "footstep_motion_parts.h"
#include "legs_apart.h"

#define SPARE 0.4f          // distance at which knees begin to turn out, in half widths of a foot
#define ROUNDS 4            // of turning: the nearest points move along
#define TURN_MOST 0.8f      // of a knee [rad]
#define RATE_LEAST 0.02f    // a leg that moves away by less for each radian is too straight to turn [m/rad]
#define TRIES 4             // for turning a knee back until its ankle is within its limit
#define EXCESS 1e-3f        // of an ankle over its limit [rad]
#define REACHES_LEAST 1e-5f // a smaller lack is none [m]

// What a limb lacks to the distance that it keeps, rounded: the knee begins to turn without a jerk.
static float lack_of(float distance, float apart, float spare) {
    float lack = apart - distance;
    if (lack <= -spare)
        return 0;
    return lack < spare ? (lack + spare) * (lack + spare) / (4 * spare) : lack;
}

// Two limbs that are too close, and the way out.
typedef struct near_limbs {
    float lack;
    float share[2]; // of the move of its knee that each limb takes part in
    tr_vec3 away;   // of the first leg, unit length
} near_limbs;

static tr_vec3 point_along(const leg_line *line, int limb, float part) {
    tr_vec3 a = line->at[limb], b = line->at[limb + 1];
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), part));
}

static float knee_share(int limb, float part) {
    return limb == HIP ? part : limb == KNEE ? 1 - part : 0;
}

// The closest pair of `own` and `other`, if it is closer than `worst`.
static void look_at_pairs(const leg_line *own, const leg_line *other, float width, near_limbs *worst) {
    simd_float part, other_part, distance = distances_of(own, other, &part, &other_part);
    tr_vec3 out = tr_vec3_subtract(own->at[HIP], other->at[HIP]);
    for (int i = 0; i < PAIRS - 1; i++) { // knees do not move feet
        float spare = SPARE * width, lack = lack_of(distance[i], apart_of[i] * width, spare);
        if (!(lack > worst->lack) || !(distance[i] > 0))
            continue;
        tr_vec3 off = tr_vec3_subtract(point_along(own, own_limbs[i], part[i]),
                                       point_along(other, other_limbs[i], other_part[i]));
        *worst = (near_limbs){lack,
                              {knee_share(own_limbs[i], part[i]), knee_share(other_limbs[i], other_part[i])},
                              tr_vec3_scale(off, 1 / distance[i])};
        if (tr_vec3_dot(off, out) < 0) { // they have passed through each other: back to its own side
            worst->lack = lack_of(-distance[i], apart_of[i] * width, spare);
            worst->away = tr_vec3_scale(worst->away, -1);
        }
    }
}

// How far a knee moves for each radian that it turns about the line from hip to ankle [m/rad].
static tr_vec3 knee_rate(const leg_line *line) {
    tr_vec3 axis = tr_vec3_subtract(line->at[ANKLE], line->at[HIP]);
    float length = tr_vec3_length(axis);
    return length > 0 ? tr_vec3_cross(tr_vec3_scale(axis, 1 / length),
                                      tr_vec3_subtract(line->at[KNEE], line->at[HIP]))
                      : tr_vec3_make(0, 0, 0);
}

static void bend(const tr_footstep_motion_view *view, uint32_t side, const footstep_motion_pose *goal,
                 float turn) {
    tr_limb_goal reach = {goal->ankle, &goal->turn, 1, turn};
    tr_limb_reach(&view->legs->limbs[side], view->skeleton, &reach, view->pose, view->place, view->model);
}

// Turns a knee, and back as far as its ankle needs. Returns its turn.
static float turn_knee(const tr_footstep_motion_view *view, uint32_t side, const footstep_motion_pose *goal,
                       float turn) {
    uint32_t ankle = view->legs->feet[side].ankle;
    float turned = turn;
    bend(view, side, goal, turn);
    for (int i = 1; i <= TRIES; i++) {
        if (!(tr_skeleton_limit_excess(view->skeleton, ankle, tr_pose_rotation(view->pose, ankle)) > EXCESS))
            break;
        turn = i < TRIES ? 0.5f * turn : turned; // the last one turns it all the way back
        turned -= turn;
        bend(view, side, goal, -turn);
    }
    return turned;
}

void tr_footstep_motion_keep_apart(const tr_footstep_motion_view *view, const footstep_motion_pose goals[2]) {
    const tr_legs *legs = view->legs;
    float turned[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        leg_line lines[2] = {shown_line(legs, 0, view->model), shown_line(legs, 1, view->model)};
        near_limbs worst = {0};
        look_at_pairs(&lines[0], &lines[1], legs->width[0], &worst);
        if (!(worst.lack > REACHES_LEAST))
            return;
        float rates[2], square = 0;
        for (uint32_t side = 0; side < 2; side++) {
            float rate = tr_vec3_dot(knee_rate(&lines[side]), worst.away) * worst.share[side];
            rates[side] = side == 0 ? rate : -rate;
            square += rates[side] * rates[side];
        }
        float least = square > RATE_LEAST * RATE_LEAST ? square : RATE_LEAST * RATE_LEAST;
        for (uint32_t side = 0; side < 2; side++) {
            float goal = tr_footstep_motion_clamp(turned[side] + worst.lack * rates[side] / least, -TURN_MOST,
                                                  TURN_MOST);
            turned[side] += turn_knee(view, side, &goals[side], goal - turned[side]);
        }
    }
}
