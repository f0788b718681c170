// The rules that need a posed body: ankles that bend no further than they can, and a centre of mass that
// falls freely.
#include "behavior_parts.h"

// Ankles of people bend by 30 and point by 55 degrees.
#define BENT_SOFT (26 * TR_GAIT_DEGREE)
#define BENT (29.7 * TR_GAIT_DEGREE)
#define POINTED_SOFT (46 * TR_GAIT_DEGREE)
#define POINTED (54 * TR_GAIT_DEGREE)
#define TOES_MOST (74 * TR_GAIT_DEGREE)
#define HEEL_ROUNDS 5
#define NEAREST 1.045   // of the distance from hip to ankle at which the knee is bent most
#define NEAR_ROUND 0.03 // how early that begins to count, in lengths of the leg
#define MASS_ROUNDS 4
#define CLEARANCE 0.02 // of a swinging foot [m]
#define ROUND 0.03     // how early it begins to rise over that

// Within the soft part of a range that ends at `limit` the excess is compressed, so that it never gets there.
static double compressed(double value, double soft, double limit) {
    double over = value - soft, room = limit - soft;
    return over > 0 ? soft + over * room / (over + room) : value;
}

static double ankle_angle(const tr_gait_rig *rig, const tr_gait_state *state, uint32_t side) {
    const tr_gait_foot *foot = &state->feet[side];
    tr_vec3 knee = tr_affine_position(&rig->model[rig->feet[side].shank]);
    tr_vec3 shank = tr_vec3_subtract(knee, tr_affine_position(&rig->model[rig->feet[side].ankle]));
    double sine, cosine;
    tr_sin_cos(foot->yaw - state->heading, &sine, &cosine);
    double ahead = (double)shank.x * sine + (double)shank.z * cosine;
    return tr_arc_tangent(ahead, (double)shank.y) + foot->pitch;
}

// A foot in the air is free to point where its ankle lets it.
static bool ease_pointed(const tr_gait_rig *rig, tr_gait_state *state, uint32_t side) {
    if (state->feet[side].contacts)
        return false;
    double bent = ankle_angle(rig, state, side), eased = -compressed(-bent, POINTED_SOFT, POINTED);
    state->feet[side].pitch += eased - bent;
    return eased != bent;
}

static tr_vec3 ball_offset(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot) {
    tr_quat yaw = tr_quat_about(tr_vec3_make(0, 1, 0), foot->yaw);
    tr_quat turn = tr_quat_multiply(yaw, tr_quat_about(tr_vec3_make(1, 0, 0), -foot->pitch));
    return tr_quat_rotate(turn, rig->ball[side]);
}

// The heel of a deep crouch comes off the ground; the ball stays where it is. Feet in the air do the same, so
// that they leave and come down as they stand.
static bool raise_heel(const tr_gait_rig *rig, tr_gait_state *state, uint32_t side) {
    tr_gait_foot *foot = &state->feet[side];
    if (foot->contacts & TR_CONTACT_LEFT_KNEE) // the knee holds it
        return false;
    double bent = ankle_angle(rig, state, side), eased = compressed(bent, BENT_SOFT, BENT);
    if (!(bent - eased > 1e-6))
        return false;
    if (foot->contacts == TR_CONTACT_LEFT_HEEL) { // it comes down flatter instead
        double lower = bent - eased < foot->pitch ? bent - eased : foot->pitch;
        if (!(lower > 1e-6))
            return false;
        tr_gait_pitch_on_heel(rig, side, foot->pitch - lower, foot);
        return true;
    }
    tr_vec3 before = ball_offset(rig, side, foot);
    foot->pitch -= bent - eased;
    double most = foot->toes > TOES_MOST ? foot->toes : TOES_MOST;
    foot->toes = foot->toes + bent - eased < most ? foot->toes + bent - eased : most;
    foot->contacts &= (uint32_t)~TR_CONTACT_LEFT_HEEL;
    tr_vec3 after = ball_offset(rig, side, foot);
    foot->x += (double)before.x - (double)after.x;
    foot->y += (double)before.y - (double)after.y;
    foot->z += (double)before.z - (double)after.z;
    return true;
}

// A foot in the air keeps as far from the hip as the knee can bend: it goes down and away from it.
static bool keep_away(const tr_gait_rig *rig, tr_gait_state *state, uint32_t side) {
    tr_gait_foot *foot = &state->feet[side];
    if (foot->contacts)
        return false;
    tr_vec3 hip = tr_affine_position(&rig->model[rig->feet[side].thigh]);
    double sine, cosine, x = foot->x - state->base_x, z = foot->z - state->base_z;
    tr_sin_cos(state->heading, &sine, &cosine);
    double way[3] = {cosine * x - sine * z - (double)hip.x, rig->ground + foot->y - (double)hip.y,
                     sine * x + cosine * z - (double)hip.z};
    double far = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    double round = NEAR_ROUND * rig->leg_length;
    double over = far - (double)rig->legs[side].reach_min * NEAREST, push = 0;
    if (!(over < round) || !(far > 0))
        return false;
    push = over < -round ? -over : (over - round) * (over - round) / (4 * round);
    double share = push / far;
    foot->x += share * (cosine * way[0] + sine * way[2]);
    foot->y += share * way[1];
    foot->z += share * (cosine * way[2] - sine * way[0]);
    return true;
}

// Only the last pose counts for how far an ankle misses its place.
static void pose_again(tr_gait_rig *rig, const tr_gait_state *state, float miss) {
    rig->worst_miss = miss;
    tr_gait_pose(rig, state);
}

void tr_behavior_pose(tr_gait_rig *rig, tr_gait_state *state) {
    static bool (*const rules[3])(const tr_gait_rig *, tr_gait_state *, uint32_t) = {keep_away, ease_pointed,
                                                                                     raise_heel};
    float miss = rig->worst_miss;
    tr_gait_pose(rig, state);
    for (int i = 0; i < HEEL_ROUNDS + 3; i++) {
        int rule = i < 2 ? i : i < HEEL_ROUNDS + 2 ? 2 : 0;
        bool left = rules[rule](rig, state, 0), right = rules[rule](rig, state, 1);
        if (left || right)
            pose_again(rig, state, miss);
        else if (rule == 2)
            i = HEEL_ROUNDS + 1;
    }
}

// Segments by the joints at their ends: share of the body's mass, and where along the bone its centre is
// (de Leva 1996).
static tr_vec3 place(const tr_gait_rig *rig, uint32_t joint) {
    return tr_affine_position(&rig->model[joint]);
}

static tr_vec3 weighted(tr_vec3 sum, tr_vec3 from, tr_vec3 to, double along, double mass) {
    tr_vec3 at = tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), (float)along));
    return tr_vec3_add(sum, tr_vec3_scale(at, (float)mass));
}

tr_vec3 tr_behavior_mass_centre(const tr_gait_rig *rig) {
    tr_vec3 hips = place(rig, rig->hips), head = place(rig, rig->head), sum = {0};
    tr_vec3 shoulders = tr_vec3_scale(tr_vec3_add(place(rig, rig->arms[0]), place(rig, rig->arms[1])), 0.5f);
    sum = weighted(sum, hips, shoulders, 0.5, 0.435);
    sum = weighted(sum, shoulders, head, 1.5, 0.069);
    for (int side = 0; side < 2; side++) {
        const tr_foot *foot = &rig->feet[side];
        tr_vec3 knee = place(rig, foot->shank), ankle = place(rig, foot->ankle);
        tr_vec3 elbow = place(rig, rig->forearms[side]), hand = place(rig, rig->hands[side]);
        sum = weighted(sum, place(rig, foot->thigh), knee, 0.41, 0.1416);
        sum = weighted(sum, knee, ankle, 0.44, 0.0433);
        sum = weighted(sum, ankle, tr_foot_ball(foot, rig->model), 0.5, 0.0137);
        sum = weighted(sum, place(rig, rig->arms[side]), elbow, 0.577, 0.0271);
        sum = weighted(sum, elbow, hand, 0.457, 0.0162);
        sum = weighted(sum, hand, elbow, -0.3, 0.0061);
    }
    return tr_vec3_subtract(sum, hips);
}

static double mass_weight(const tr_behavior_mass *mass, double time) {
    if (!(time > mass->begin && time < mass->end))
        return 0;
    double in = mass->full > mass->begin ? tr_ease((time - mass->begin) / (mass->full - mass->begin)) : 1;
    double out = mass->end > mass->late ? tr_ease((mass->end - time) / (mass->end - mass->late)) : 1;
    return in * out;
}

// Hips that follow the centre of mass take the feet in the air along, except near the ground.
static void shift_hips(const tr_behavior_plan *plan, double time, double up, double ahead,
                       tr_gait_state *state) {
    state->up += up;
    state->ahead += ahead;
    for (uint32_t side = 0; side < 2; side++) {
        double share = tr_behavior_free_share(plan, side, time);
        state->feet[side].y += share * up;
        state->feet[side].z += share * ahead;
        // A foot that would swing through the ground goes over it.
        double ground = plan->exit.place.y < 0 ? plan->exit.place.y : 0;
        double low = tr_gait_lowest(plan->rig, side, &state->feet[side]) - ground;
        double over = low - CLEARANCE * plan->rig->scale * share, round = ROUND * plan->rig->scale * share;
        state->feet[side].y += 0.5 * (sqrt(over * over + round * round) - over);
    }
}

void tr_behavior_pose_at(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    double weight = mass_weight(&plan->mass, time);
    tr_behavior_at(plan, time, state);
    tr_behavior_pose(plan->rig, state);
    for (int i = 0; i < MASS_ROUNDS && weight > 0; i++) {
        tr_vec3 centre = tr_behavior_mass_centre(plan->rig);
        tr_behavior_at(plan, time, state);
        shift_hips(plan, time, weight * (plan->mass.y - (double)centre.y),
                   weight * (plan->mass.z - (double)centre.z), state);
        tr_behavior_pose(plan->rig, state);
    }
}
