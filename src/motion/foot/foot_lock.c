#include "foot_lock_foot.h"
#include "motion/skeleton/limb_turn.h"

#define DROP_MAX 0.1f      // of the leg length: a foot that needs the hips lower than that is released
#define HIP_SINK 60.f      // stiffness of the critically damped spring that moves the hips, downwards
#define HIP_STOP 20.f      // of what stops hips that have sunk far enough
#define HIP_RISE 3.0f      // and upwards, slowly: otherwise they would go up and down with every step [1/s]
#define THIGH_EXCESS 2e-3f // [rad]
#define SHANKS_APART 2.9f  // of half a foot's width: between the middles of two shanks that do not touch
#define FAR 12.0f          // in the same unit: feet whose ankles are further apart do not touch
#define SHARE_IN_AIR 0.5f
#define CLOSER 0.9f       // feet may be closer than in the animation, down to this share of the distance
#define APART_SPEED 8.0f  // a leg in the air leaves the other leg at most this fast [m/s]
#define APART_PULL 400.0f // and takes up speed at most this fast [m/s^2]
#define APART_ROUNDS 3
#define APART_SLACK 4e-3f // legs that touch by less only move aside smoothly [m]

tr_foot_lock_params tr_foot_lock_params_default(void) {
    tr_foot_lock_params params = {.release_time = 0.3f,
                                  .capture_height = 0.05f,
                                  .stray_max = 0.3f,
                                  .settle_speed = 0.5f,
                                  .short_max = 0.02f};
    return params;
}

static void view_leg(const tr_legs *legs, uint32_t side, const tr_affine *model, leg_view *leg) {
    const tr_foot *foot = &legs->feet[side];
    const tr_affine *ankle = &model[foot->ankle];
    leg->hip = tr_affine_position(&model[foot->thigh]);
    leg->knee = tr_affine_position(&model[foot->shank]);
    leg->ankle = tr_affine_position(ankle);
    leg->heel = tr_affine_turn(ankle, foot->heel);
    leg->toes = tr_affine_turn(ankle, tr_foot_lock_toes_of(foot));
    leg->sole = legs->sole[side];
    leg->ahead = legs->ahead[side];
    leg->tip = legs->tip[side];
    leg->width = legs->width[side];
}

static void measure_leg(const tr_affine *ankle, leg_view *leg) {
    leg->rotation = tr_limb_turn_to_quat(tr_limb_turn_of_map(ankle));
    leg->straight = tr_vec3_length(tr_vec3_subtract(leg->knee, leg->hip)) +
                    tr_vec3_length(tr_vec3_subtract(leg->ankle, leg->knee));
    leg->distance = tr_vec3_length(tr_vec3_subtract(leg->ankle, leg->hip));
}

static void face_out(leg_view views[2]) {
    float x = views[0].hip.x - views[1].hip.x, z = views[0].hip.z - views[1].hip.z;
    float apart = sqrtf(x * x + z * z), scale = apart > 0 ? 1 / apart : 0;
    views[0].out = tr_vec3_make(x * scale, 0, z * scale);
    views[1].out = tr_vec3_make(-x * scale, 0, -z * scale);
}

// Both legs; together if they are of one kind. true: `pair` was set.
static bool view_legs(const tr_legs *legs, const tr_skeleton *skeleton, const tr_pose *pose,
                      const tr_affine *model, leg_view views[2], limb_pair *pair) {
    bool paired = tr_limb_pair_look(legs->limbs, skeleton, pose, model, pair);
    tr_quat ends[2];
    if (paired)
        tr_limb_pair_ends(pair, pose, ends);
    for (uint32_t side = 0; side < 2; side++) {
        leg_view *leg = &views[side];
        view_leg(legs, side, model, leg);
        if (!paired) {
            measure_leg(&model[legs->feet[side].ankle], leg);
            continue;
        }
        leg->rotation = ends[side];
        leg->straight = pair->shape.upper[side] + pair->shape.lower[side];
        leg->distance = pair->distance[side];
    }
    face_out(views);
    return paired;
}

// ------------------------------------------------------------------------------------------------ the hips

// How far the hips must sink for the leg to reach a held ankle without being too straight.
static float needed_drop(const leg_view *leg, const ankle_goal *goal) {
    float easy = tr_foot_lock_leg_easy(leg);
    tr_vec3 line = tr_vec3_subtract(leg->hip, goal->position);
    float left = easy * easy - line.x * line.x - line.z * line.z;
    float drop = left > 0 ? line.y - sqrtf(left) : line.y;
    return drop > 0 ? drop : 0;
}

// A critically damped spring. The exponential is approximated by a quotient of polynomials, which is stable
// for any step.
static void move_hips(tr_foot_lock_state *state, float needed, float speed_max, float dt) {
    if (!(dt > 0))
        return;
    bool sinks = needed >= state->hip_drop, stops = !sinks && state->hip_speed > 0;
    float target = stops ? state->hip_drop : needed;
    float stiffness = sinks ? HIP_SINK : stops ? HIP_STOP : HIP_RISE;
    float x = stiffness * dt, decay = 1 / (1 + x + 0.48f * x * x + 0.235f * x * x * x);
    float off = state->hip_drop - target, pull = (state->hip_speed + stiffness * off) * dt;
    float speed = (state->hip_speed - stiffness * pull) * decay;
    float step = target + (off + pull) * decay - state->hip_drop, most = speed_max * dt;
    state->hip_drop += step > most ? most : step < -most ? -most : step;
    state->hip_speed = speed > speed_max ? speed_max : speed < -speed_max ? -speed_max : speed;
    if (stops && state->hip_speed < 1e-3f)
        state->hip_speed = 0; // stopped
    if (!(state->hip_drop > 1e-5f) && needed == 0)
        state->hip_drop = state->hip_speed = 0;
}

static void lower_hips(const tr_legs *legs, const tr_skeleton *skeleton, float drop, tr_pose *pose,
                       const tr_affine *place, tr_affine *model) {
    uint32_t hips = legs->hips, above = tr_skeleton_parents(skeleton)[hips];
    tr_affine inverse = tr_affine_identity();
    const tr_affine *axes = above != TR_NONE ? &model[above] : place;
    bool upright = !axes || (axes->m[1][1] == 1 && axes->m[0][1] == 0 && axes->m[2][1] == 0 &&
                             axes->m[1][0] == 0 && axes->m[1][2] == 0);
    if (!upright && !tr_affine_invert(axes, &inverse))
        return;
    tr_vec3 down = tr_affine_turn(&inverse, tr_vec3_make(0, -drop, 0));
    for (int axis = 0; axis < 3; axis++)
        pose->position[axis][hips] += (&down.x)[axis];
    if (legs->hips_move_all) {
        uint32_t end = tr_skeleton_subtree_end(skeleton, hips);
        for (uint32_t i = hips; i < end; i++)
            model[i].m[1][3] -= drop;
    } else {
        tr_pose_update_model(skeleton, pose, place, hips, model);
    }
}

static bool is_valid(const tr_foot_lock_params *params, const tr_legs *legs, float dt, const tr_pose *pose,
                     const tr_affine *model) {
    bool good = params->release_time >= 0 && params->release_time < 1e6f && params->capture_height > 0 &&
                params->stray_max > 0 && params->settle_speed >= 0 && params->short_max > 0 &&
                isfinite(params->short_max) && isfinite(params->capture_height) &&
                isfinite(params->stray_max) && isfinite(params->settle_speed) && isfinite(params->ground) &&
                params->lower >= 0 && isfinite(params->lower) && dt >= 0 && dt < 1e6f;
    for (uint32_t side = 0; good && side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        const tr_foot_lock_ground *plane = &params->planes[side];
        good = (!params->slopes ||
                (tr_vec3_is_finite(plane->at) && isfinite(plane->slope_x) && isfinite(plane->slope_z))) &&
               params->rise[side] >= 0 && isfinite(params->rise[side]) && foot->thigh < pose->joint_count &&
               foot->shank < pose->joint_count && foot->ankle < pose->joint_count &&
               tr_affine_is_finite(&model[foot->ankle]) &&
               (foot->toes == TR_NONE ||
                (foot->toes < pose->joint_count && tr_affine_is_finite(&model[foot->toes])));
    }
    return good && legs->hips < pose->joint_count;
}

static bool is_changed(const leg_view *leg, const ankle_goal *goal) {
    return goal->held || goal->position.x != leg->ankle.x || goal->position.y != leg->ankle.y ||
           goal->position.z != leg->ankle.z || goal->rotation.x != leg->rotation.x ||
           goal->rotation.y != leg->rotation.y || goal->rotation.z != leg->rotation.z ||
           goal->rotation.w != leg->rotation.w;
}

// A leg that must pass the limit of its hip to stay where it stands takes a step, unless the animation passes
// it as well. It does so one step earlier, when turning on would take the thigh past the limit in the next
// step.
static bool is_twisted(const tr_skeleton *skeleton, uint32_t thigh, tr_quat meant, tr_quat last,
                       tr_quat now) {
    tr_quat next = tr_quat_multiply(now, tr_quat_multiply(tr_quat_conjugate(last), now));
    return tr_skeleton_limit_excess(skeleton, thigh, next) > THIGH_EXCESS &&
           tr_skeleton_limit_excess(skeleton, thigh, meant) <= 0;
}

// The other foot of the body, if it is near. A foot stays on its own side of it; two in the air share the way
// that they make for each other.
static bool own_bar(const tr_foot_lock_foot *foot, const leg_view *leg, const leg_view *other, float height,
                    tr_foot_lock_bar *bar) {
    float x = foot->past[0].shown.x - other->ankle.x, z = foot->past[0].shown.z - other->ankle.z;
    bool stands = foot->held_heel || foot->held_toes,
         near = x * x + z * z < FAR * leg->width * FAR * leg->width;
    if (!near)
        return false;
    tr_quat turned = tr_quat_multiply(foot->past[0].shown_rotation, tr_quat_conjugate(leg->rotation));
    tr_vec3 heel = tr_quat_rotate(turned, leg->heel), toes = tr_quat_rotate(turned, leg->toes);
    tr_vec3 ahead = tr_vec3_scale(tr_vec3_subtract(toes, heel), leg->tip);
    bar->heel = tr_vec3_add(foot->past[0].shown, heel);
    bar->tip = tr_vec3_add(bar->heel, ahead);
    bar->heel.y += height, bar->tip.y += height;
    // Shanks are thicker than feet. Feet that are closer in the animation may stay so.
    float beside = CLOSER * tr_vec3_dot(tr_vec3_subtract(leg->ankle, other->ankle), leg->out),
          meant = CLOSER * tr_foot_lock_soles_apart(other, leg), apart = SHANKS_APART * leg->width;
    apart = beside < apart ? beside : apart;
    apart = meant < apart ? meant : apart;
    bar->width = apart - leg->width;
    bar->away = (tr_vec2){-leg->out.x, -leg->out.z};
    bar->stays = false; // the place of the body at that time is unknown
    bar->velocity = (tr_vec2){0, 0};
    bar->share = stands ? 1 : SHARE_IN_AIR;
    return bar->width > 0;
}

// A foot that comes down out of reach of its leg is held where it is shown.
static void hold_where_shown(tr_foot_lock_foot *foot, bool slopes, const ankle_goal *goal,
                             const tr_affine *ankle) {
    tr_vec3 off = tr_vec3_subtract(tr_affine_position(ankle), goal->position);
    if (slopes)
        off = tr_quat_rotate(tr_quat_conjugate(tr_foot_lock_tilt(&foot->ground)), off);
    tr_vec3 *points[] = {&foot->heel, &foot->toes, &foot->past[0].shown};
    for (size_t i = 0; i < sizeof points / sizeof *points && (foot->held_heel || foot->held_toes); i++)
        points[i]->x += off.x, points[i]->z += off.z;
}

// Moves a leg in the air out of the leg that stands, at most so far that nothing jumps.
static void keep_apart(tr_foot_lock_state *state, const tr_foot_lock_params *params, const tr_legs *legs,
                       uint32_t side, const tr_skeleton *skeleton, const leg_view views[2], ankle_goal *goal,
                       float dt, tr_pose *pose, const tr_affine *place, tr_affine *model) {
    tr_foot_lock_foot *foot = &state->feet[side];
    bool stands = foot->held_heel || foot->held_toes; // from this step on
    if (goal->held || stands) {
        foot->near_known = false;
        foot->aside = 0;
        return;
    }
    const leg_view *leg = &views[side];
    legs_room room = tr_foot_lock_legs_room(legs, side, views, model);
    float rate = foot->push_rate.x * leg->out.x + foot->push_rate.z * leg->out.z;
    float speed = (rate > 0 ? rate : 0) + APART_PULL * dt,
          left = (speed < APART_SPEED ? speed : APART_SPEED) * dt;
    for (int round = 0; round < APART_ROUNDS && room.lack > APART_SLACK && left > 0; round++) {
        float by = room.lack - APART_SLACK;
        by = by < left ? by : left;
        left -= by;
        tr_vec3 move = tr_vec3_scale(leg->out, by);
        goal->position = tr_vec3_add(goal->position, move);
        if (params->slopes) // the past is that of a level floor
            move = tr_quat_rotate(tr_quat_conjugate(tr_foot_lock_tilt(&foot->ground)), move);
        foot->past[0].shown = tr_vec3_add(foot->past[0].shown, move);
        foot->push.x += move.x, foot->push.z += move.z;
        foot->push_rate.x += move.x / dt, foot->push_rate.z += move.z / dt;
        tr_foot_lock_bend_leg(legs, side, skeleton, leg, goal, 0, pose, place, model);
        room = tr_foot_lock_legs_room(legs, side, views, model);
    }
    tr_foot_lock_foresee_legs(foot, room, leg->width, dt);
}

// Steps both feet. Returns how far the hips must sink.
static float step_feet(tr_foot_lock_state *state, const tr_foot_lock_params *params, const tr_legs *legs,
                       const leg_view views[2], uint32_t contacts, float dt, const tr_pose *pose,
                       ankle_goal goals[2]) {
    leg_view slanted[2];
    tr_foot_lock_params on_slope;
    const leg_view *level = views;
    const tr_foot_lock_params *own = params;
    float drop = 0;
    if (params->slopes != state->slopes)
        tr_foot_lock_change_floor(state, params);
    if (params->slopes) {
        on_slope = *params;
        on_slope.ground = on_slope.rise[0] = on_slope.rise[1] = 0;
        own = &on_slope;
        for (uint32_t side = 0; side < 2; side++) {
            slanted[side] = views[side];
            tr_foot_lock_view_slope(params, side, &slanted[side]);
        }
        level = slanted;
    }
    for (uint32_t side = 0; side < 2; side++) {
        tr_foot_lock_foot *foot = &state->feet[side];
        const leg_view *leg = &level[side];
        if (!state->begun) {
            foot->thigh = tr_pose_rotation(pose, legs->feet[side].thigh);
            tr_foot_lock_foot_forget(foot, leg, own->rise[side]);
        }
        tr_foot_lock_bar other;
        float high = params->slopes ? state->feet[1 - side].ground.at.y : 0;
        bool in_air = state->begun && !foot->held_heel && !foot->held_toes,
             has_other = in_air && own_bar(&state->feet[1 - side], &level[1 - side], leg, high, &other);
        tr_vec3 hip = views[side].hip;
        hip.y -= state->hip_drop + params->lower;
        if (params->slopes)
            hip = tr_foot_lock_from_world(&foot->ground, hip);
        foot_news news = {.contacts = contacts >> (2 * side) & 3,
                          .rise = own->rise[side],
                          .drop = state->hip_drop + params->lower,
                          .hip = hip,
                          .plane = params->slopes ? &params->planes[side] : NULL,
                          .dt = dt,
                          .own = has_other ? &other : NULL};
        if (params->slopes)
            news.contacts = tr_foot_lock_slope_contacts(&params->planes[side], leg, news.contacts);
        goals[side] = tr_foot_lock_foot_step(foot, own, leg, &news);
        if (params->slopes)
            tr_foot_lock_lay(foot, &goals[side]);
        float needed = goals[side].held ? needed_drop(&views[side], &goals[side]) - params->lower : 0;
        if (needed > DROP_MAX * leg->straight)
            foot->strayed = true;
        else
            drop = needed > drop ? needed : drop;
    }
    return drop;
}

tr_status tr_foot_lock_step(tr_foot_lock_state *state, const tr_foot_lock_params *params, const tr_legs *legs,
                            const tr_skeleton *skeleton, uint32_t contacts, float dt, tr_pose *pose,
                            const tr_affine *place, tr_affine *model) {
    if (!is_valid(params, legs, dt, pose, model))
        return TR_INVALID;
    leg_view views[2];
    ankle_goal goals[2];
    limb_pair pair;
    bool paired = view_legs(legs, skeleton, pose, model, views, &pair);
    float drop = step_feet(state, params, legs, views, contacts, dt, pose, goals);
    state->begun = true;
    move_hips(state, drop, params->settle_speed, dt);
    bool lowered = state->hip_drop + params->lower > 0;
    if (lowered)
        lower_hips(legs, skeleton, state->hip_drop + params->lower, pose, place, model);
    bool changed[2] = {lowered || is_changed(&views[0], &goals[0]),
                       lowered || is_changed(&views[1], &goals[1])};
    float left[2] = {0, 0};
    tr_quat meant[2] = {tr_pose_rotation(pose, legs->feet[0].thigh),
                        tr_pose_rotation(pose, legs->feet[1].thigh)};
    if (changed[0] && changed[1])
        tr_foot_lock_bend_legs(legs, paired ? &pair : NULL, skeleton, views, goals, pose, place, model, left);
    for (uint32_t side = 0; side < 2; side++) {
        if (changed[side] && !changed[1 - side])
            left[side] =
                tr_foot_lock_bend_leg(legs, side, skeleton, &views[side], &goals[side],
                                      tr_foot_lock_swivel(&views[side], &goals[side]), pose, place, model);
        tr_foot_lock_keep_knee(legs, side, skeleton, views, &goals[side], dt, &state->feet[side], pose, place,
                               model);
        if (!goals[side].held && left[side] > 0)
            hold_where_shown(&state->feet[side], params->slopes, &goals[side],
                             &model[legs->feet[side].ankle]);
        tr_quat thigh = tr_pose_rotation(pose, legs->feet[side].thigh), *last = &state->feet[side].thigh;
        if (goals[side].held && (left[side] > params->short_max ||
                                 is_twisted(skeleton, legs->feet[side].thigh, meant[side], *last, thigh)))
            state->feet[side].strayed = true;
        if (dt > 0) // otherwise it is the same step again
            *last = thigh;
        keep_apart(state, params, legs, side, skeleton, views, &goals[side], dt, pose, place, model);
        tr_foot_lock_keep_ankle(legs, side, skeleton, &views[side], state, params, &goals[side], pose, place,
                                model);
        tr_foot_lock_bend_toes(&legs->feet[side], skeleton, state, params, side, pose, place, model);
    }
    return TR_OK;
}

uint32_t tr_foot_lock_standing(const tr_foot_lock_state *state, uint32_t contacts) {
    uint32_t held = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot_lock_foot *foot = &state->feet[side];
        uint32_t parts = (foot->held_heel ? 1u : 0) | (foot->held_toes ? 2u : 0);
        uint32_t labels = contacts >> (2 * side) & 3;
        // Held without a label: it came down before its label says so.
        held |= (foot->strayed ? 0 : labels ? labels & parts : parts) << (2 * side);
    }
    return held;
}

void tr_foot_lock_carry(tr_foot_lock_state *state, tr_vec3 by) {
    for (int side = 0; side < 2; side++) {
        tr_foot_lock_foot *foot = &state->feet[side];
        tr_vec3 *points[] = {&foot->heel,          &foot->toes,          &foot->past[0].hip,
                             &foot->past[0].meant, &foot->past[0].shown, &foot->past[1].hip,
                             &foot->past[1].meant, &foot->past[1].shown};
        for (size_t i = 0; i < sizeof points / sizeof *points; i++)
            *points[i] = tr_vec3_add(*points[i], by);
        if (state->slopes) { // heights are relative to the plane
            for (size_t i = 0; i < sizeof points / sizeof *points; i++)
                points[i]->y -= by.y;
            foot->ground.at = tr_vec3_add(foot->ground.at, by);
            continue;
        }
        foot->lowest[0] += by.y;
        foot->lowest[1] += by.y;
    }
}

tr_vec3 tr_foot_lock_bar_of(const tr_foot_lock_state *state, const tr_legs *legs, uint32_t side,
                            const tr_affine *model, tr_foot_lock_bar *bar) {
    const tr_foot_lock_foot *foot = &state->feet[side];
    bar->heel = tr_foot_heel(&legs->feet[side], model);
    bar->tip = tr_foot_tip(&legs->feet[side], model);
    bar->width = legs->width[side];
    bar->stays = foot->held_heel;
    bar->velocity = (tr_vec2){0, 0};
    if (!state->begun || foot->held_heel || foot->held_toes)
        return tr_vec3_make(0, 0, 0);
    tr_vec3 step = tr_vec3_subtract(foot->past[0].shown, foot->past[1].shown);
    if (foot->past_time > 0)
        bar->velocity = (tr_vec2){step.x / foot->past_time, step.z / foot->past_time};
    return step;
}
