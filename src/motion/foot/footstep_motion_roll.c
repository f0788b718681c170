// How the feet roll in a step: the one that stands, the one that leaves the ground, the one that lands.
#include "footstep_motion_parts.h"

#define FLAT_BY 0.18f   // of a step: the foot that landed is flat from then on
#define HEEL_FROM 0.55f // of a step: the heel of the standing foot rises from then on
#define HEEL_LONG 0.8f  // a rear heel rises more at the end of a long step [rad per leg length],
#define HEEL_DOWN 0.9f  // of a step down, and up [rad per leg length],
#define HEEL_RISE 0.8f
#define HEEL_MOST 0.6f     // up to this [rad]
#define TOES_FIRST 0.45f   // pitch of a foot that lands a tread lower, on its ball [rad]: 26 degrees
#define TOES_BEHIND 1.5f   // of one that lands behind the other [rad per leg length]
#define STRIKE_LEAST 0.05f // a foot that would land on its heel by less lands flat [rad]
#define STRIKE_RATE 0.7f   // of the mean rate at which such a foot becomes flat, as it lands
#define AIR_RATE 6.0f      // at which a foot that is in the air already may turn before it lands [rad/s]
#define HEEL_UP 0.05f      // a heel above this pitch has left the ground [rad]

// How far ahead of the standing foot the other one lands.
static float way_ahead(const tr_footstep_motion_foot *stand, const tr_footstep_motion_foot *next) {
    double sine, cosine;
    tr_sin_cos((double)next->footstep.heading, &sine, &cosine);
    return (next->ankle.x - stand->ankle.x) * (float)sine + (next->ankle.z - stand->ankle.z) * (float)cosine;
}

// How the foot lands: on level ground with the heel, or with the toes behind the other foot, where its shank
// leans over it; on a lower footstep with the toes. `swing_rise`: from where it left the ground.
static float landing_pitch(const footstep_motion_shape *shape, float ahead, float swing_rise, float leg) {
    float rise = shape->rise / leg, own = 0.7f * fabsf(swing_rise) / leg;
    float level = 1 - (own > fabsf(rise) ? own : fabsf(rise)) / 0.1f;
    float stride = tr_footstep_motion_clamp(shape->length / TR_FOOTSTEP_MOTION_STEP, 0, 1.2f);
    if (level > 0 && ahead < 0)
        return level * TOES_BEHIND * tr_footstep_motion_clamp(-ahead / leg, 0, HEEL_MOST);
    float strike = level > 0 && stride > 0.3f ? 0.26f * level * (stride - 0.3f) / 0.7f : 0;
    if (level > 0)
        return strike > STRIKE_LEAST ? -strike : 0;
    return rise < 0 ? TOES_FIRST * tr_footstep_motion_clamp((-rise - 0.1f) / 0.1f, 0, 1) : 0;
}

// The pitch of the rear foot's heel when the other foot lands, and when it leaves the ground itself.
static float heel_at_landing(const footstep_motion_shape *shape, float leg) {
    float high = shape->rise < 0 ? -HEEL_DOWN * shape->rise / leg : HEEL_RISE * shape->rise / leg;
    float further = shape->length > TR_FOOTSTEP_MOTION_STEP ? shape->length - TR_FOOTSTEP_MOTION_STEP : 0;
    return tr_footstep_motion_clamp(0.4f * (shape->length - 0.15f) + HEEL_LONG * further + high, 0,
                                    HEEL_MOST);
}

static float heel_at_leaving(const footstep_motion_shape *shape, float leg) {
    float high = shape->rise < 0 ? -0.6f * shape->rise : 1.3f * shape->rise;
    return tr_footstep_motion_clamp(0.2f + 0.75f * shape->length + high / leg, 0.2f, 0.95f);
}

static void keep_pitch(tr_footstep_motion_foot *foot) {
    foot->down = foot->up = (tr_footstep_motion_curve){foot->pitch, 0, foot->pitch, 0};
    foot->down_end = foot->up_begin = 0;
}

// A time of the whole step, of which a part may be over.
static float time_at(const tr_footstep_motion_state *state, float share) {
    float left = (share - state->done) / (1 - state->done);
    return left > 0 ? left * state->duration : 0;
}

// The standing foot becomes flat and then raises its heel, up to `heel` at the end.
static void plan_stand_roll(tr_footstep_motion_state *state, float heel) {
    tr_footstep_motion_foot *stand = &state->feet[1 - state->side];
    float whole = state->duration / (1 - state->done), flat_by = FLAT_BY * whole;
    // A foot that comes down fast is flat sooner, so that it does not turn beyond; one that rises stops
    // first.
    float rate = stand->pitch_rate * stand->pitch < 0 ? stand->pitch_rate : 0;
    float soon = rate != 0 ? -stand->pitch / (TR_FOOTSTEP_MOTION_STOP * rate) : flat_by;
    soon = soon < flat_by ? soon : flat_by;
    stand->down_end = soon < state->duration ? soon : state->duration;
    stand->down = (tr_footstep_motion_curve){stand->pitch, rate, 0, 0};
    stand->up = (tr_footstep_motion_curve){0, 0, heel, 1.6f * heel / ((1 - HEEL_FROM) * whole)};
    stand->up_begin = time_at(state, HEEL_FROM);
    bool late = stand->pitch >= 0 && stand->up_begin < stand->down_end;
    if (state->done > 0 && (stand->pitch > HEEL_UP || late)) { // already rolls off
        float rolls = stand->pitch_rate > 0 ? stand->pitch_rate : 0;
        // As far as it gets at the rate at which it rolls and will roll.
        float most = stand->pitch + 0.5f * (rolls + stand->up.to_rate) * state->duration;
        float more = tr_footstep_motion_clamp(heel, stand->pitch, most > stand->pitch ? most : stand->pitch);
        stand->down = (tr_footstep_motion_curve){stand->pitch, rolls, more, stand->up.to_rate};
        stand->down_end = stand->up_begin = state->duration;
    } else if (stand->up_begin < stand->down_end) {
        stand->up_begin = stand->down_end;
    }
}

// Both feet; the one that will swing rolls off. `both`: the share of a step with both feet on the ground.
static void plan_rolls(tr_footstep_motion_state *state, const footstep_motion_shape *before,
                       const footstep_motion_shape *shape, bool goes_on, float leg, float both) {
    tr_footstep_motion_foot *swing = &state->feet[state->side];
    plan_stand_roll(state, goes_on ? heel_at_landing(shape, leg) : 0);
    if (!(state->lift_off > 0)) { // already in the air
        keep_pitch(swing);
        return;
    }
    // As far as it gets at the rate at which it rolls or would roll in a whole step.
    float leaves = heel_at_leaving(before, leg), whole = both * state->duration / (1 - state->done);
    float rate =
        (leaves - heel_at_landing(before, leg)) / (whole > state->lift_off ? whole : state->lift_off);
    rate = rate > swing->pitch_rate ? rate : swing->pitch_rate;
    float most = swing->pitch + rate * state->lift_off;
    leaves = state->done > 0 && leaves > most ? most : leaves;
    leaves = leaves > swing->pitch ? leaves : swing->pitch;
    swing->down = (tr_footstep_motion_curve){swing->pitch, swing->pitch_rate, leaves,
                                             0.8f * (leaves - swing->pitch) / state->lift_off};
    swing->down_end = state->lift_off;
    swing->up = swing->down, swing->up_begin = state->duration;
}

footstep_motion_pose tr_footstep_motion_meant(const tr_footstep_motion_state *state, const tr_legs *legs,
                                              uint32_t side, float time) {
    const tr_footstep_motion_foot *foot = &state->feet[side];
    if (state->steps && side == state->side && time > state->lift_off)
        return tr_footstep_motion_swing_at(state, legs, time);
    footstep_motion_pose pose = tr_footstep_motion_foot_pose(
        foot, legs, side, tr_footstep_motion_foot_pitch(foot, time, state->duration).at);
    if (foot->floats)
        pose.ankle = tr_vec3_add(pose.ankle, tr_vec3_scale(foot->rate, time));
    return pose;
}

void tr_footstep_motion_land(tr_footstep_motion_state *state) {
    if (state->steps) {
        state->feet[state->side] = state->next;
        tr_footstep_motion_foot *other = &state->feet[1 - state->side];
        if (other->pitch <=
            tr_footstep_motion_foot_pitch(other, state->duration, state->duration).at + 1e-4f) {
            footstep_motion_value pitch =
                tr_footstep_motion_foot_pitch(other, state->duration, state->duration);
            other->pitch = pitch.at, other->pitch_rate = pitch.rate;
        }
        other->bend = other->pitch > 0 ? other->pitch : 0;
        if (other->floats)
            other->ankle = tr_vec3_add(other->ankle, tr_vec3_scale(other->rate, state->duration));
        state->side = 1 - state->side;
    }
    state->steps = state->swings = false;
}

void tr_footstep_motion_plan_feet(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                  const footstep_motion_shape *before, const footstep_motion_shape *shape,
                                  bool goes_on) {
    const tr_footstep_motion_foot *swing = &state->feet[state->side];
    float leg = tr_footstep_motion_leg(view->legs);
    float ahead = way_ahead(&state->feet[1 - state->side], &state->next);
    float land =
        landing_pitch(shape, ahead, state->next.footstep.position.y - swing->footstep.position.y, leg);
    float turns = AIR_RATE * state->duration, whole = state->duration / (1 - state->done);
    if (swing->in_air)
        land = tr_footstep_motion_clamp(land, swing->pitch - turns, swing->pitch + turns);
    state->next.pitch = land;
    state->next.pitch_rate = -STRIKE_RATE * land / (FLAT_BY * whole);
    plan_rolls(state, before, shape, goes_on, leg, view->params->both_share);
    if (!view->pose)
        return;
    bool in_air = swing->in_air || swing->floats;
    footstep_motion_value leaves = tr_footstep_motion_foot_pitch(swing, state->lift_off, state->duration);
    if (in_air)
        leaves = (footstep_motion_value){swing->pitch, swing->pitch_rate};
    float bend = in_air ? swing->bend : leaves.at > 0 ? leaves.at : 0;
    tr_footstep_motion_swing_plan(state, view->params, view->legs, leaves, bend);
}
