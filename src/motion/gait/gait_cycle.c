// One stride: waves and formulas move pelvis, trunk and arms and shape the swing of the foot. On the ground
// the foot rolls over heel, sole and ball without sliding. The swing starts and ends where the ground contact
// demands.
#include "gait_parts.h"

#define STEP 1e-3   // of the phase, for slopes by differences
#define SAMPLES 100 // of a stride, for measuring it
#define SEARCH_ROUNDS 12
#define CLEAR_ROUNDS 24
#define LIMIT_SAMPLES 50
#define HEEL_STEP (2 * TR_GAIT_DEGREE)
#define HEEL_ROUNDS 16
#define UNCURL 0.45 // share of the swing in which toes straighten, at most
#define RAISE 0.4   // share of the swing in which they rise again before the strike
#define LEAVING 0.5 // shares of the swing in which its slopes are corrected
#define LANDING 0.22
#define MIDDLE_BEGIN 0.35 // of the swing; the clearance counts between the two
#define MIDDLE_END 0.80

static double pelvis_up(const tr_gait_cycle *cycle, double phase) {
    return cycle->vertical_mean + cycle->vertical_size * tr_gait_sine(2 * phase + cycle->vertical_phase) +
           tr_gait_wave_at(&cycle->rise, 2, 4, phase) + tr_gait_bounce_at(&cycle->bounce, phase);
}

static double pelvis_ahead(const tr_gait_cycle *cycle, double phase) {
    return cycle->forward_size * tr_gait_sine(2 * phase + cycle->forward_phase) +
           tr_gait_wave_at(&cycle->advance, 2, 4, phase);
}

// Ankle and foot according to the formulas, ahead of the base at the time of the strike.
typedef struct formula_foot {
    double y, z, pitch;
} formula_foot;

static formula_foot formula_at(const tr_gait_cycle *cycle, uint32_t side, double phase) {
    if (cycle->shape.given) // no formula: the correction is the whole of the swing
        return (formula_foot){0, 0, 0};
    const tr_gait_rig *rig = cycle->rig;
    double hip = tr_gait_curve_at(&cycle->hip, phase), knee = tr_gait_curve_at(&cycle->knee, phase);
    double ankle = tr_gait_curve_at(&cycle->ankle, phase);
    double thigh = (double)rig->legs[side].upper_length, shank = (double)rig->legs[side].lower_length;
    double hip_sine, hip_cosine, knee_sine, knee_cosine;
    tr_sin_cos(hip * TR_GAIT_DEGREE, &hip_sine, &hip_cosine);
    tr_sin_cos((hip - knee) * TR_GAIT_DEGREE, &knee_sine, &knee_cosine);
    double hip_height = (double)rig->hips_rest.y + (double)rig->hip_offset[side].y - rig->ground;
    formula_foot foot;
    foot.z = cycle->stride * phase + pelvis_ahead(cycle, phase) + thigh * hip_sine + shank * knee_sine;
    foot.y = hip_height + pelvis_up(cycle, phase) - thigh * hip_cosine - shank * knee_cosine;
    foot.pitch = (hip - knee + ankle) * TR_GAIT_DEGREE;
    return foot;
}

static double side_of(uint32_t side) {
    return side ? -1 : 1;
}

// The pitch of a walking foot on the ground: down from the strike, flat, then over the ball, slowly at first.
static double shaped_pitch(const tr_gait_cycle *cycle, double phase) {
    const tr_gait_shape *shape = &cycle->shape;
    if (phase < cycle->flat_begin) {
        double x = phase / cycle->flat_begin, left = 1 - x;
        return cycle->strike_pitch * left * left * left * (1 + (3 + shape->strike_slope) * x);
    }
    if (phase <= cycle->heel_off)
        return 0;
    double x = (phase - cycle->heel_off) / (cycle->stance - cycle->heel_off), power = x * x, sum = 0;
    for (int i = 0; i < TR_GAIT_RISE_PARTS; i++, power *= x)
        sum += shape->rise[i] * power;
    return -cycle->push_pitch * sum;
}

// Pitch while the foot is on the ground: down from the strike, flat, then up over the ball.
static double stance_pitch(const tr_gait_cycle *cycle, double phase) {
    if (cycle->shape.given)
        return shaped_pitch(cycle, phase);
    if (phase < cycle->flat_begin) {
        double x = phase / cycle->flat_begin;
        return cycle->strike_pitch * (1 - x) * (1 - x) * (1 + x);
    }
    if (phase <= cycle->heel_off)
        return 0;
    // Slowly until the other foot takes over, then fast, and slower again as the toes leave.
    double turn = cycle->heel_turn, slow = turn - cycle->heel_off, fast = cycle->stance - turn;
    double rate = cycle->turn_slope * cycle->turn_pitch / slow, last = 1.2 * cycle->push_pitch;
    if (phase < turn)
        return -tr_gait_cubic((phase - cycle->heel_off) / slow, 0, 0, cycle->turn_pitch, rate * slow);
    return -tr_gait_cubic((phase - turn) / fast, cycle->turn_pitch, rate * fast, cycle->push_pitch,
                          last * fast);
}

// From the ball on, toes of a walking foot no longer lie flat: they keep some of their bend and leave with
// it.
static double shaped_toes(const tr_gait_cycle *cycle, double phase, double pitch) {
    const tr_gait_shape *shape = &cycle->shape;
    double ball = cycle->ball_off, width = cycle->stance - ball;
    if (phase <= ball)
        return -pitch;
    double bend = -shaped_pitch(cycle, ball), slope = (bend + shaped_pitch(cycle, ball - STEP)) / STEP;
    return tr_gait_cubic((phase - ball) / width, bend, slope * width, shape->toes_off, 0);
}

// The toes come down with the sole, lie flat, then follow the foot over their tip.
static double stance_toes(const tr_gait_cycle *cycle, double phase, double pitch) {
    if (phase < cycle->flat_begin)
        return tr_gait_cubic(phase / cycle->flat_begin, cycle->shape.toes_swing, 0, 0, 0);
    if (cycle->shape.given)
        return shaped_toes(cycle, phase, pitch);
    double x = (phase - cycle->ball_off) / (cycle->stance - cycle->ball_off);
    return -pitch - (x > 0 ? cycle->toe_roll * x * x : 0);
}

// `phase` may exceed the stance a little, for slopes.
static void stance_foot(const tr_gait_cycle *cycle, uint32_t side, double phase, tr_gait_foot *foot) {
    tr_gait_sole sole = TR_GAIT_ON_TIP;
    foot->contacts = 0; // while the foot rolls over the tip, ball and toes are off the ground
    if (phase < cycle->flat_begin) {
        sole = TR_GAIT_ON_HEEL;
        foot->contacts = TR_CONTACT_LEFT_HEEL;
    } else if (phase <= cycle->ball_off) {
        sole = TR_GAIT_ON_BALL;
        foot->contacts =
            phase <= cycle->heel_off ? TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES : TR_CONTACT_LEFT_TOES;
    }
    foot->pitch = stance_pitch(cycle, phase);
    foot->toes = stance_toes(cycle, phase, foot->pitch);
    tr_gait_stand_on(cycle->rig, side, sole, side_of(side) * cycle->half_width, cycle->plant, foot);
}

// Places are corrected all along the swing. Slopes are corrected only near its ends, because otherwise a foot
// that has to stop would first overshoot its goal by far.
static double mended(const tr_gait_mend *mend, double x) {
    double value = tr_gait_cubic(x, mend->from, 0, mend->to, 0);
    if (x < LEAVING)
        value += tr_gait_cubic(x / LEAVING, 0, mend->from_slope * LEAVING, 0, 0);
    if (x > 1 - LANDING)
        value += tr_gait_cubic((x - 1 + LANDING) / LANDING, 0, 0, 0, mend->to_slope * LANDING);
    return value;
}

// The cubic between the ends of the swing, and powers of the time around its middle that vanish at both ends.
static double shaped(const tr_gait_mend *ends, const double *parts, double x) {
    double sum = 0, power = 1, off = x * (1 - x);
    for (int i = 0; i < TR_GAIT_SHAPE_PARTS; i++, power *= 2 * x - 1)
        sum += parts[i] * power;
    return tr_gait_cubic(x, ends->from, ends->from_slope, ends->to, ends->to_slope) + 16 * off * off * sum;
}

static void swing_foot(const tr_gait_cycle *cycle, uint32_t side, double phase, tr_gait_foot *foot) {
    double x = (phase - cycle->stance) / (1 - cycle->stance), off = x * (1 - x);
    double middle = cycle->shape.toes_middle;
    foot->x = cycle->leave_x[side] + (cycle->strike_x[side] - cycle->leave_x[side]) * tr_ease(x);
    if (cycle->shape.given) {
        foot->z = shaped(&cycle->mend_z[side], cycle->shape.z, x);
        foot->y = shaped(&cycle->mend_y[side], cycle->shape.y, x);
        foot->pitch = shaped(&cycle->mend_pitch, cycle->shape.pitch, x);
    } else {
        formula_foot formula = formula_at(cycle, side, phase);
        foot->z = formula.z + mended(&cycle->mend_z[side], x);
        foot->y = formula.y + mended(&cycle->mend_y[side], x);
        foot->pitch = formula.pitch + mended(&cycle->mend_pitch, x);
    }
    foot->y += cycle->bump * 16 * off * off;
    double uncurl = cycle->uncurl;
    if (x < uncurl)
        foot->toes = tr_gait_cubic(x / uncurl, cycle->toes, cycle->toes_slope * uncurl, middle, 0);
    else
        foot->toes = middle + (cycle->shape.toes_swing - middle) * tr_ease(fmin(1, (x - uncurl) / RAISE));
    foot->contacts = 0;
}

void tr_gait_cycle_foot(const tr_gait_cycle *cycle, uint32_t side, double phase, tr_gait_foot *foot) {
    double round = floor(phase), inside = phase - round;
    *foot = (tr_gait_foot){.yaw = side_of(side) * cycle->toe_out};
    if (inside <= cycle->stance)
        stance_foot(cycle, side, inside, foot);
    else
        swing_foot(cycle, side, inside, foot);
    foot->z += round * cycle->stride;
}

static double odd(const tr_gait_wave *wave, double phase) {
    return tr_gait_wave_at(wave, 1, 3, phase) * TR_GAIT_DEGREE;
}

static double even(const tr_gait_wave *wave, double phase) {
    return tr_gait_wave_at(wave, 2, 4, phase) * TR_GAIT_DEGREE;
}

static void upper_body_at(const tr_gait_cycle *cycle, double phase, tr_gait_state *state) {
    state->chest_yaw = odd(&cycle->chest_turn, phase);
    state->chest_lean = cycle->lean + even(&cycle->chest_lean, phase);
    state->chest_side = odd(&cycle->chest_sway, phase);
    state->head_yaw = odd(&cycle->head_turn, phase);
    state->head_nod = 0.3 * cycle->lean + even(&cycle->nod, phase);
    state->head_side = odd(&cycle->head_sway, phase);
    for (int side = 0; side < 2; side++) {
        double own = phase + (side ? .5 : 0);
        tr_gait_arm *arm = &state->arms[side];
        arm->flexion = cycle->shoulder_mean -
                       cycle->shoulder_size * tr_gait_cosine(own + cycle->shoulder_early) +
                       tr_gait_wave_at(&cycle->arm_swing, 1, 2, own) * TR_GAIT_DEGREE;
        arm->abduction = cycle->arm_abduction;
        double bent = tr_gait_wave_at(&cycle->elbow_swing, 1, 2, own);
        bent += cycle->elbow.count > 0 ? tr_gait_curve_at(&cycle->elbow, own) : 0;
        arm->elbow = bent * TR_GAIT_DEGREE;
    }
}

void tr_gait_cycle_at(const tr_gait_cycle *cycle, double time, tr_gait_state *state) {
    double rounds = time / cycle->period, phase = tr_gait_fraction(rounds);
    *state = (tr_gait_state){.base_z = cycle->speed * time};
    state->left =
        cycle->lateral_size * tr_gait_sine(phase - .1) + tr_gait_wave_at(&cycle->aside, 1, 3, phase);
    state->up = pelvis_up(cycle, phase) - cycle->lowering;
    state->ahead = pelvis_ahead(cycle, phase);
    state->yaw = odd(&cycle->torsion, phase);
    state->tilt = even(&cycle->tilt, phase);
    state->list = odd(&cycle->list, phase);
    upper_body_at(cycle, phase, state);
    for (uint32_t side = 0; side < 2; side++) {
        // The right foot strikes half a stride before the left.
        double shift = side ? .5 : 0;
        tr_gait_cycle_foot(cycle, side, rounds + shift, &state->feet[side]);
        state->feet[side].z -= shift * cycle->stride;
    }
}

// ------------------------------------------------------------------------------------------------- planting

// The mean place of the heel in the formulas while the foot is flat.
static double formula_plant(const tr_gait_cycle *cycle) {
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double phase = cycle->flat_begin + (cycle->heel_off - cycle->flat_begin) * (i + .5) / SAMPLES;
        sum += formula_at(cycle, 0, phase).z + (double)cycle->rig->heel[0].z;
    }
    return sum / SAMPLES;
}

// The slope of the stance at its end (`direction` -1) or beginning (1), from a parabola through three points.
static double slope_at(double near, double middle, double far, double direction) {
    return direction * (4 * middle - 3 * near - far) / (2 * STEP);
}

typedef struct foot_slope {
    tr_gait_foot foot;
    double y, z, pitch, toes; // slopes
} foot_slope;

static foot_slope stance_slope(const tr_gait_cycle *cycle, uint32_t side, double phase, double direction) {
    tr_gait_foot feet[3];
    for (int i = 0; i < 3; i++) {
        feet[i] = (tr_gait_foot){.yaw = side_of(side) * cycle->toe_out};
        stance_foot(cycle, side, phase + direction * i * STEP, &feet[i]);
    }
    foot_slope slope = {.foot = feet[0]};
    slope.y = slope_at(feet[0].y, feet[1].y, feet[2].y, direction);
    slope.z = slope_at(feet[0].z, feet[1].z, feet[2].z, direction);
    slope.pitch = slope_at(feet[0].pitch, feet[1].pitch, feet[2].pitch, direction);
    slope.toes = slope_at(feet[0].toes, feet[1].toes, feet[2].toes, direction);
    return slope;
}

static tr_gait_mend mend_of(double width, const double begin[2], const double end[2]) {
    tr_gait_mend mend = {begin[0], begin[1] * width, end[0], end[1] * width};
    return mend;
}

// The offset from the formulas' foot to the actual one, at the end of the stance and at the next strike.
static void mend_foot(tr_gait_cycle *cycle, uint32_t side) {
    foot_slope leave = stance_slope(cycle, side, cycle->stance, -1), strike = stance_slope(cycle, side, 0, 1);
    double at[2] = {cycle->stance, 1}, width = 1 - cycle->stance;
    double y[2][2], z[2][2], pitch[2][2];
    for (int end = 0; end < 2; end++) {
        const foot_slope *real = end ? &strike : &leave;
        formula_foot here = formula_at(cycle, side, at[end]);
        formula_foot before = formula_at(cycle, side, at[end] - STEP);
        formula_foot after = formula_at(cycle, side, at[end] + STEP);
        y[end][0] = real->foot.y - here.y;
        z[end][0] = real->foot.z + (end ? cycle->stride : 0) - here.z;
        pitch[end][0] = real->foot.pitch - here.pitch;
        y[end][1] = real->y - (after.y - before.y) / (2 * STEP);
        z[end][1] = real->z - (after.z - before.z) / (2 * STEP);
        pitch[end][1] = real->pitch - (after.pitch - before.pitch) / (2 * STEP);
    }
    cycle->mend_y[side] = mend_of(width, y[0], y[1]);
    cycle->mend_z[side] = mend_of(width, z[0], z[1]);
    cycle->mend_pitch = mend_of(width, pitch[0], pitch[1]); // the same for both feet
    cycle->toes = leave.foot.toes;
    cycle->toes_slope = leave.toes * width;
    // Toes that leave fast straighten sooner, so that they do not bend the other way.
    double soonest = -3 * (leave.foot.toes - cycle->shape.toes_middle) / cycle->toes_slope;
    cycle->uncurl = soonest > 0 && soonest < UNCURL ? soonest : UNCURL;
    cycle->leave_x[side] = leave.foot.x;
    cycle->strike_x[side] = strike.foot.x;
}

// Each foot with its own measures, because captured skeletons are never quite symmetric.
static void mend_swing(tr_gait_cycle *cycle) {
    mend_foot(cycle, 0);
    mend_foot(cycle, 1);
}

// By how much the swing misses its wanted clearance: the toes in the middle of it, every point all through.
static double clearance_lack(const tr_gait_cycle *cycle) {
    double least = INFINITY;
    for (uint32_t i = 1; i < SAMPLES; i++) {
        double x = (double)i / SAMPLES;
        bool middle = x >= MIDDLE_BEGIN && x <= MIDDLE_END;
        for (uint32_t side = 0; side < 2; side++) {
            tr_gait_foot foot;
            tr_gait_cycle_foot(cycle, side, cycle->stance + (1 - cycle->stance) * x, &foot);
            double height = tr_gait_lowest(cycle->rig, side, &foot) - (middle ? cycle->clearance : 0);
            least = height < least ? height : least;
        }
    }
    return -least;
}

static void clear_ground(tr_gait_cycle *cycle) {
    double low = cycle->lift_only ? 0 : -0.1 * cycle->rig->scale, high = 0.2 * cycle->rig->scale;
    for (int i = 0; i < CLEAR_ROUNDS; i++) {
        cycle->bump = 0.5 * (low + high);
        *(clearance_lack(cycle) > 0 ? &low : &high) = cycle->bump;
    }
    cycle->bump = high;
}

// By how much the hips would have to come down for the legs to reach throughout the stride.
static double worst_excess(const tr_gait_cycle *cycle) {
    double worst = -1;
    for (int i = 0; i < SAMPLES; i++) {
        tr_gait_state state;
        tr_gait_cycle_at(cycle, cycle->period * i / SAMPLES, &state);
        double excess = tr_gait_excess(cycle->rig, &state);
        worst = excess > worst ? excess : worst;
    }
    return worst;
}

// A foot placed further ahead strains the leg that strikes, one placed further back the leg that stands. In
// between is the place where the hips can stay highest.
static void choose_plant(tr_gait_cycle *cycle) {
    if (cycle->plant_given) {
        mend_swing(cycle);
        return;
    }
    double low = -0.08 * cycle->rig->scale, high = 0.08 * cycle->rig->scale, formula = formula_plant(cycle);
    for (int i = 0; i < SEARCH_ROUNDS; i++) {
        double third = (high - low) / 3, excess[2];
        for (int k = 0; k < 2; k++) {
            cycle->plant = formula + low + third * (k + 1);
            mend_swing(cycle);
            excess[k] = worst_excess(cycle);
        }
        *(excess[0] < excess[1] ? &high : &low) = excess[0] < excess[1] ? high - third : low + third;
    }
    cycle->plant = formula + 0.5 * (low + high);
    mend_swing(cycle);
}

static void lower_hips(tr_gait_cycle *cycle) {
    cycle->lowering = 0;
    double worst = worst_excess(cycle);
    cycle->lowering = (worst > 0 ? worst : 0) + cycle->crouch;
    cycle->lowering = cycle->lowering > cycle->lowering_least ? cycle->lowering : cycle->lowering_least;
}

// By how much the left leg bends its ankle or extends its hip further than people do in this gait.
static double leg_excess(const tr_gait_cycle *cycle, tr_gait_rig *rig) {
    const tr_foot *foot = &rig->feet[0];
    double worst = 0;
    for (int i = 0; i < LIMIT_SAMPLES; i++) {
        tr_gait_state state;
        tr_gait_cycle_at(cycle, cycle->period * i / LIMIT_SAMPLES, &state);
        tr_gait_pose(rig, &state);
        tr_vec3 hip = tr_affine_position(&rig->model[foot->thigh]);
        tr_vec3 knee = tr_affine_position(&rig->model[foot->shank]);
        tr_vec3 ankle = tr_affine_position(&rig->model[foot->ankle]);
        double shank = tr_arc_tangent((double)(knee.z - ankle.z), (double)(knee.y - ankle.y));
        double thigh = tr_arc_tangent((double)(hip.z - knee.z), (double)(hip.y - knee.y));
        double bent = shank + state.feet[0].pitch - cycle->ankle_max;
        double stretched = thigh - state.tilt - cycle->hip_max;
        worst = bent > worst ? bent : worst;
        worst = stretched > worst ? stretched : worst;
    }
    return worst;
}

// The heel leaves the ground when the ankle can bend no further and the hip can extend no further. It rises
// as early as that requires.
static void raise_heel(tr_gait_cycle *cycle, tr_gait_rig *rig) {
    double best = cycle->turn_pitch, least = INFINITY;
    for (int i = 0; i < HEEL_ROUNDS && least > 0; i++) {
        choose_plant(cycle);
        lower_hips(cycle);
        double excess = leg_excess(cycle, rig);
        if (excess < least) {
            least = excess;
            best = cycle->turn_pitch;
        }
        cycle->turn_pitch += HEEL_STEP;
    }
    cycle->turn_pitch = best;
}

void tr_gait_cycle_plant(tr_gait_cycle *cycle, tr_gait_rig *rig) {
    if (!cycle->shape.given) {
        choose_plant(cycle);
        clear_ground(cycle); // hardly depends on the heel
        raise_heel(cycle, rig);
    }
    choose_plant(cycle);
    clear_ground(cycle);
    lower_hips(cycle);
}
