#include "footstep_motion_parts.h"
#include "plan/plan_archive.h"

#define BLEND 0.4f          // the initial offset of the hips dies away within this time [s]
#define GLANCE (1 / 240.0f) // over which the speed of the hips is taken [s]
#define STRAIGHTEST 0.999f  // of a leg: the hips yield before it is straighter
#define STRETCH_MOST 0.5f   // of a thigh backwards [rad]: the same
#define KNEE_SHARE 0.85f    // of a foot's rotation relative to the hips that the knee takes over
#define KNEE_MOST 0.7f      // [rad]
#define HEAD_SHARE 0.6f     // of the trunk's lean that neck and head undo
#define CLIMB_SWING 3.0f    // arms swing as if a metre up or down were three metres ahead
#define CLIMB_MOST 2.0f     // of the speed ahead
#define RISE_TIME 0.1f      // of hips that sank for a leg that was too short [s]
#define ON_FLOOR 1e-5f      // a smaller pitch is flat [rad]
#define GIVEN_IN 1e-3f      // this much more pitch than intended [rad]
#define LEFT_OVER 0.5       // of a step: the most that a long frame carries over

tr_footstep_motion_params tr_footstep_motion_params_default(void) {
    tr_footstep_motion_params params = {
        .step_time = 0.55f, .both_share = 0.25f, .lift = 0.04f, .lean = 0.25f};
    return params;
}

tr_footstep_motion_joints tr_footstep_motion_joints_of(const tr_legs *legs, const tr_affine *model) {
    return (tr_footstep_motion_joints){model[legs->hips],
                                       {model[legs->feet[0].ankle], model[legs->feet[1].ankle]}};
}

void tr_footstep_motion_begin(tr_footstep_motion_state *state, const tr_legs *legs,
                              const tr_footstep_motion_start *start) {
    *state = (tr_footstep_motion_state){.fresh = true, .walk_time = start->walk_time};
    for (uint32_t side = 0; side < 2; side++)
        tr_footstep_motion_foot_take(&state->feet[side], legs, side, start);
    state->hips_shown = tr_affine_position(&start->model[legs->hips]);
    state->hips_turn_shown = tr_affine_rotation(&start->model[legs->hips]);
    if (start->before && start->since > 0) {
        const tr_affine *hips = &start->before->hips;
        tr_quat turn = tr_quat_multiply(state->hips_turn_shown, tr_quat_conjugate(tr_affine_rotation(hips)));
        state->hips_rate =
            tr_vec3_scale(tr_vec3_subtract(state->hips_shown, tr_affine_position(hips)), 1 / start->since);
        state->hips_spin = tr_vec3_scale(tr_quat_to_vector(turn), 1 / start->since);
    }
    tr_vec3 base = start->base, velocity = start->velocity;
    float heading = start->heading, turn_rate = start->turn_rate;
    state->path[TR_FOOTSTEP_MOTION_X] = (tr_footstep_motion_curve){base.x, velocity.x, base.x, velocity.x};
    state->path[TR_FOOTSTEP_MOTION_Y] = (tr_footstep_motion_curve){base.y, 0, base.y, 0};
    state->path[TR_FOOTSTEP_MOTION_Z] = (tr_footstep_motion_curve){base.z, velocity.z, base.z, velocity.z};
    state->path[TR_FOOTSTEP_MOTION_HEADING] =
        (tr_footstep_motion_curve){heading, turn_rate, heading, turn_rate};
}

// ------------------------------------------------------------------------------------------------ the body

// Turns a joint about a world axis, using its parent's map as it is.
static void turn_in_world(const tr_footstep_motion_view *view, uint32_t joint, tr_quat turn) {
    uint32_t above = tr_skeleton_parents(view->skeleton)[joint];
    tr_quat axes = tr_affine_rotation(above != TR_NONE ? &view->model[above] : view->place);
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turn, axes));
    tr_quat both = tr_quat_multiply(local, tr_pose_rotation(view->pose, joint));
    tr_pose_set_rotation(view->pose, joint, tr_quat_normalize(both));
}

// Rotations about one axis may be applied one after the other, whatever the hierarchy.
static void lean_trunk(const tr_footstep_motion_view *view, float lean) {
    static const struct {
        tr_role role;
        float share;
    } parts[] = {{TR_ROLE_SPINE, 0.5f},
                 {TR_ROLE_CHEST, 0.5f},
                 {TR_ROLE_NECK, -0.5f * HEAD_SHARE},
                 {TR_ROLE_HEAD, -0.5f * HEAD_SHARE}};
    if (lean == 0)
        return;
    tr_vec3 across = {view->place->m[0][0], view->place->m[1][0], view->place->m[2][0]};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint32_t joint = tr_skeleton_with_role(view->skeleton, parts[i].role);
        if (joint != TR_NONE)
            turn_in_world(view, joint, tr_quat_about(across, (double)(lean * parts[i].share)));
    }
}

static void move_hips(const tr_footstep_motion_view *view, tr_vec3 by) {
    uint32_t hips = view->legs->hips, above = tr_skeleton_parents(view->skeleton)[hips];
    tr_affine inverse;
    if (!tr_affine_invert(above != TR_NONE ? &view->model[above] : view->place, &inverse))
        return;
    tr_vec3 local = tr_affine_turn(&inverse, by);
    for (int axis = 0; axis < 3; axis++)
        view->pose->position[axis][hips] += (&local.x)[axis];
}

// The path of the clip's hips belongs to its own feet; that of this motion replaces it.
static tr_vec3 sway_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                       float time) {
    tr_vec3 hips = tr_affine_position(&view->model[view->legs->hips]);
    tr_vec3 stand = tr_affine_apply(view->place, state->stand_hips);
    tr_vec3 sway = {tr_footstep_motion_wave_at(state, TR_FOOTSTEP_MOTION_SWAY_X, time).at, 0,
                    tr_footstep_motion_wave_at(state, TR_FOOTSTEP_MOTION_SWAY_Z, time).at};
    return tr_vec3_add(sway, tr_vec3_subtract(stand, hips));
}

static double phase_at(const tr_footstep_motion_state *state, float time) {
    double share = state->steps && state->duration > 0 ? (double)(time / state->duration) : 0;
    share = (double)state->done + (1 - (double)state->done) * share;
    double phase = 0.5 * (share < 0 ? 0 : share < 1 ? share : 1) + (state->side == 0 ? 0.5 : 0);
    return phase < 1 ? phase : 0;
}

// Arms swing when a body goes ahead.
static float speed_ahead(const footstep_motion_value now[TR_FOOTSTEP_MOTION_PATHS]) {
    double sine, cosine;
    tr_sin_cos((double)now[TR_FOOTSTEP_MOTION_HEADING].at, &sine, &cosine);
    float speed =
        now[TR_FOOTSTEP_MOTION_X].rate * (float)sine + now[TR_FOOTSTEP_MOTION_Z].rate * (float)cosine;
    return speed > 0 ? speed : 0;
}

// What is left of an offset with an initial rate.
static tr_vec3 blend_at(tr_vec3 from, tr_vec3 rate, float since) {
    tr_vec3 left;
    for (int axis = 0; axis < 3; axis++) {
        tr_footstep_motion_curve curve = {(&from.x)[axis], (&rate.x)[axis], 0, 0};
        (&left.x)[axis] = tr_footstep_motion_curve_at(&curve, since, BLEND).at;
    }
    return left;
}

// On stairs steps are short but as frequent as those of a walk, and arms swing with the steps: as in a walk
// at this speed.
static float swing_speed(const footstep_motion_value now[TR_FOOTSTEP_MOTION_PATHS], float speed) {
    float climb = CLIMB_SWING * fabsf(now[TR_FOOTSTEP_MOTION_Y].rate), most = CLIMB_MOST * speed;
    climb = climb < most ? climb : most; // nothing at rest
    return sqrtf(speed * speed + climb * climb);
}

// The pose of a walk at `speed` in this phase, with the arms of one at `swing`.
static void walk_pose(const tr_footstep_motion_view *view, double phase, float speed, float swing) {
    static const tr_role arms[] = {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM, TR_ROLE_RIGHT_UPPER_ARM,
                                   TR_ROLE_RIGHT_FOREARM};
    enum { ARMS = sizeof arms / sizeof *arms };
    tr_quat swung[ARMS];
    uint32_t labels, joints[ARMS];
    if (swing != speed) {
        tr_locomotion_state state = {.phase = phase, .speed = swing, .gait = TR_LOCOMOTION_WALKS};
        tr_locomotion_step(view->locomotion, &state, swing, 0, view->pose, view->scratch, &labels);
        for (int i = 0; i < ARMS; i++) {
            joints[i] = tr_skeleton_with_role(view->skeleton, arms[i]);
            if (joints[i] != TR_NONE)
                swung[i] = tr_pose_rotation(view->pose, joints[i]);
        }
    }
    tr_locomotion_state state = {
        .phase = phase, .speed = speed, .gait = TR_LOCOMOTION_WALKS}; // whatever the speed
    tr_locomotion_step(view->locomotion, &state, speed, 0, view->pose, view->scratch, &labels);
    for (int i = 0; i < ARMS && swing != speed; i++)
        if (joints[i] != TR_NONE)
            tr_pose_set_rotation(view->pose, joints[i], swung[i]);
}

static void move_joint(tr_affine *joint, tr_vec3 by) {
    joint->m[0][3] += by.x;
    joint->m[1][3] += by.y;
    joint->m[2][3] += by.z;
}

void tr_footstep_motion_body_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                float time, bool whole) {
    footstep_motion_value now[TR_FOOTSTEP_MOTION_PATHS];
    for (uint32_t i = 0; i < TR_FOOTSTEP_MOTION_PATHS; i++)
        now[i] = tr_footstep_motion_curve_at(&state->path[i], time, state->duration);
    float speed = speed_ahead(now);
    walk_pose(view, phase_at(state, time), speed, whole ? swing_speed(now, speed) : speed);
    tr_vec3 base = {now[TR_FOOTSTEP_MOTION_X].at, now[TR_FOOTSTEP_MOTION_Y].at, now[TR_FOOTSTEP_MOTION_Z].at};
    *view->place = tr_affine_place(base, (double)now[TR_FOOTSTEP_MOTION_HEADING].at);
    tr_pose_to_model(view->skeleton, view->pose, view->place, view->model);
    tr_vec3 move = sway_at(state, view, time);
    move.y -= tr_footstep_motion_wave_at(state, TR_FOOTSTEP_MOTION_DROP, time).at;
    float since = state->blend_since + (time - (float)state->time);
    bool blends = since < BLEND;
    if (!whole && !blends) {
        for (uint32_t side = 0; side < 2; side++)
            move_joint(&view->model[view->legs->feet[side].thigh], move);
        return;
    }
    lean_trunk(view, now[TR_FOOTSTEP_MOTION_LEAN].at);
    if (blends) {
        tr_vec3 turn = blend_at(state->blend_turn, state->blend_turn_rate, since);
        turn_in_world(view, view->legs->hips, tr_quat_from_vector(turn));
        move = tr_vec3_add(move, blend_at(state->blend_move, state->blend_move_rate, since));
    }
    move_hips(view, move);
    tr_pose_update_model(view->skeleton, view->pose, view->place, view->legs->hips, view->model);
}

tr_footstep_motion_stand tr_footstep_motion_measure(const tr_footstep_motion_view *view) {
    const tr_legs *legs = view->legs;
    const tr_affine *model = view->model;
    tr_locomotion_state stand = {0};
    uint32_t labels;
    tr_locomotion_step(view->locomotion, &stand, 0, 0, view->pose, view->scratch, &labels);
    tr_pose_to_model(view->skeleton, view->pose, NULL, view->model);
    tr_vec3 left = tr_affine_position(&model[legs->feet[0].ankle]);
    tr_vec3 right = tr_affine_position(&model[legs->feet[1].ankle]);
    tr_footstep_motion_stand measured = {
        tr_affine_position(&model[legs->hips]), 0.5f * (left.z + right.z), {0.5f, 0.5f, 0.5f}};
    for (int i = 0; i < TR_FOOTSTEP_MOTION_WALKS; i++) { // the left foot lands
        float speed = tr_footstep_motion_walk_speed(legs, i);
        float most = tr_locomotion_speed_max(view->locomotion);
        speed = speed < most ? speed : most;
        tr_locomotion_state walk = {.speed = speed, .gait = TR_LOCOMOTION_WALKS};
        tr_locomotion_step(view->locomotion, &walk, speed, 0, view->pose, view->scratch, &labels);
        tr_pose_to_model(view->skeleton, view->pose, NULL, view->model);
        float front = tr_footstep_motion_flat_ankle(legs, 0, model).z,
              rear = tr_footstep_motion_flat_ankle(legs, 1, model).z;
        if (front > rear)
            measured.passed[i] = tr_footstep_motion_clamp(-rear / (front - rear), 0.4f, 0.75f);
    }
    return measured;
}

// The first frame: the difference between where the body would be and where it is, and how it changes.
static void measure_blend(tr_footstep_motion_state *state, const tr_footstep_motion_view *view) {
    tr_footstep_motion_body_at(state, view, GLANCE, true);
    tr_affine soon = view->model[view->legs->hips];
    tr_footstep_motion_body_at(state, view, 0, true);
    const tr_affine *hips = &view->model[view->legs->hips];
    tr_quat back = tr_quat_conjugate(tr_affine_rotation(hips));
    tr_vec3 rate =
        tr_vec3_scale(tr_vec3_subtract(tr_affine_position(&soon), tr_affine_position(hips)), 1 / GLANCE);
    tr_vec3 spin =
        tr_vec3_scale(tr_quat_to_vector(tr_quat_multiply(tr_affine_rotation(&soon), back)), 1 / GLANCE);
    state->blend_move = tr_vec3_subtract(state->hips_shown, tr_affine_position(hips));
    state->blend_turn = tr_quat_to_vector(tr_quat_multiply(state->hips_turn_shown, back));
    state->blend_move_rate = tr_vec3_subtract(state->hips_rate, rate);
    state->blend_turn_rate = tr_vec3_subtract(state->hips_spin, spin);
}

static bool footstep_is_valid(const tr_footstep *footstep) {
    return footstep->side < 2 && tr_vec3_is_finite(footstep->position) && fabsf(footstep->heading) < 1e5f &&
           fabsf(footstep->pitch) < 2 && fabsf(footstep->roll) < 2 && fabsf(footstep->position.x) < 1e6f &&
           fabsf(footstep->position.y) < 1e6f && fabsf(footstep->position.z) < 1e6f;
}

static bool is_valid(const tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                     const tr_legs *legs, uint32_t joint_count, const tr_footstep *footsteps,
                     uint32_t footstep_count, float dt) {
    bool good = params->step_time > 0.01f && params->step_time < 100 && params->step_length >= 0 &&
                params->step_length < 100 && params->both_share >= 0 && params->both_share <= 0.6f &&
                params->lift >= 0 && params->lift < 10 && fabsf(params->lean) < 3 && dt >= 0 && dt < 1e6f &&
                legs->hips < joint_count && (footstep_count == 0 || footstep_is_valid(&footsteps[0])) &&
                tr_vec3_is_finite(state->hips_shown);
    for (uint32_t side = 0; good && side < 2; side++)
        good = tr_vec3_is_finite(state->feet[side].ankle) && footstep_is_valid(&state->feet[side].footstep) &&
               legs->feet[side].ankle < joint_count;
    for (uint32_t i = 0; good && i < TR_FOOTSTEP_MOTION_PATHS; i++)
        good = isfinite(state->path[i].from) && isfinite(state->path[i].from_rate);
    return good;
}

// The foot in the air that lands next, in a motion that has just begun; 2: both stand.
static uint32_t side_in_air(const tr_footstep_motion_state *state) {
    return state->feet[0].in_air ? 0 : state->feet[1].in_air ? 1 : 2;
}

static void begin_step(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                       const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used) {
    tr_footstep list[3];
    uint32_t count = 0, landing = side_in_air(state);
    if (landing < 2 && !(footstep_count && footsteps[0].side == landing))
        list[count++] = state->feet[landing].footstep;
    *used = count == 0 && footstep_count ? 1 : 0;
    for (uint32_t i = 0; i < footstep_count && count < 3; i++) {
        if (!footstep_is_valid(&footsteps[i]))
            break;
        list[count++] = footsteps[i];
    }
    if (count == 0 && !state->fresh && tr_footstep_motion_closing(state, view->params, view->legs, &list[0]))
        count = 1;
    tr_footstep_motion_plan(state, view, list, count);
}

// A foot that was turned more than intended leaves the ground as it is.
static void begin_swing(tr_footstep_motion_state *state, const tr_footstep_motion_view *view) {
    state->swings = true;
    const tr_footstep_motion_foot *foot = &state->feet[state->side];
    footstep_motion_value meant = tr_footstep_motion_foot_pitch(foot, state->lift_off, state->duration);
    if (view->pose && foot->pitch > meant.at + GIVEN_IN && meant.at > 0) {
        footstep_motion_value shown = {foot->pitch, foot->pitch_rate};
        tr_footstep_motion_swing_plan(state, view->params, view->legs, shown, foot->bend);
    }
}

// The difference between the initial place of the hips and their place in the first step.
static void begin_body(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                       const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used) {
    tr_footstep_motion_stand stand = tr_footstep_motion_measure(view);
    state->stand_hips = stand.hips, state->stand_ankles = stand.ankles;
    state->passed = stand.passed[TR_FOOTSTEP_MOTION_USUAL];
    tr_footstep_motion_state begun = *state;
    begin_step(&begun, view, footsteps, footstep_count, used);
    // Their height is part of the plan: it knows when they have to sink, and an offset that rises does not.
    const footstep_motion_value none = {0, 0};
    tr_footstep_motion_set_wave(&begun, TR_FOOTSTEP_MOTION_DROP, none, none, 0, 0);
    measure_blend(&begun, view);
    state->blend_move = begun.blend_move, state->blend_turn = begun.blend_turn;
    state->blend_move_rate = begun.blend_move_rate, state->blend_turn_rate = begun.blend_turn_rate;
    float low = -state->blend_move.y, sinks = -state->blend_move_rate.y;
    state->wave[TR_FOOTSTEP_MOTION_DROP][1] = (tr_footstep_motion_curve){low, sinks, low, sinks};
    state->blend_move.y = state->blend_move_rate.y = 0;
}

static void go_on(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                  const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used, float dt) {
    if (state->fresh) {
        if (view->pose)
            begin_body(state, view, footsteps, footstep_count, used);
        begin_step(state, view, footsteps, footstep_count, used); // with hips that begin where they are
        state->fresh = false;
    } else if (state->ends && footstep_count) {
        begin_step(state, view, footsteps, footstep_count, used);
    }
    state->time += (double)dt;
    state->blend_since = state->blend_since < 2 * BLEND ? state->blend_since + dt : state->blend_since;
    if (state->steps && !*used && state->time >= (double)state->duration) {
        double over = state->time - (double)state->duration;
        state->time = (double)state->duration;
        tr_footstep_motion_land(state);
        begin_step(state, view, footsteps, footstep_count, used);
        double most = LEFT_OVER * (double)state->duration;
        state->time = over < most ? over : most;
    }
    if (state->steps && !state->swings && state->time > (double)state->lift_off)
        begin_swing(state, view);
    if (state->ends && state->time > (double)state->duration)
        state->time = (double)state->duration;
}

tr_status tr_footstep_motion_body(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                  const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used,
                                  float dt) {
    *used = 0;
    uint32_t joint_count = tr_skeleton_joint_count(view->skeleton);
    if (view->pose->joint_count != joint_count ||
        !is_valid(state, view->params, view->legs, joint_count, footsteps, footstep_count, dt))
        return TR_INVALID;
    go_on(state, view, footsteps, footstep_count, used, dt);
    tr_footstep_motion_body_at(state, view, (float)state->time, true);
    return state->ends && state->time >= (double)state->duration ? TR_DONE : TR_OK;
}

tr_status tr_footstep_motion_lead(tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                                  const tr_legs *legs, const tr_footstep_motion_stand *stand,
                                  const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used,
                                  float dt) {
    *used = 0;
    if (!is_valid(state, params, legs, UINT32_MAX, footsteps, footstep_count, dt))
        return TR_INVALID;
    tr_footstep_motion_view view = {.params = params, .legs = legs};
    state->stand_hips = stand->hips, state->stand_ankles = stand->ankles;
    state->passed = stand->passed[TR_FOOTSTEP_MOTION_USUAL];
    go_on(state, &view, footsteps, footstep_count, used, dt);
    return state->ends && state->time >= (double)state->duration ? TR_DONE : TR_OK;
}

// ------------------------------------------------------------------------------------------------ the legs

// The pitch and the toe bend that the ankle allows.
static footstep_motion_pose give_in(const tr_legs *legs, uint32_t side, tr_vec3 hip,
                                    const footstep_motion_pose *meant, bool in_air) {
    if (meant->pitch < -ON_FLOOR && !in_air) // on its heel
        return *meant;
    tr_vec3 ball =
        tr_vec3_add(meant->ankle, tr_quat_rotate(meant->turn, tr_foot_toes_arm(&legs->feet[side])));
    tr_vec3 across = tr_footstep_motion_across(legs, side, meant->turn);
    tr_quat flat = tr_quat_multiply(tr_quat_about(across, -(double)meant->pitch), meant->turn);
    float pitch = tr_footstep_motion_ankle_pitch(legs, side, ball, flat, hip, meant->pitch);
    if (pitch == meant->pitch || (pitch < meant->pitch && !in_air))
        return *meant;
    return tr_footstep_motion_ball_pose(legs, side, ball, flat, pitch, meant->bend + pitch - meant->pitch);
}

// The heel of a foot behind the body rises when the leg would be too short, or point too far back, before the
// hips have to sink.
static footstep_motion_pose raise_heel(const tr_legs *legs, uint32_t side, tr_vec3 hip, tr_vec3 ahead,
                                       const footstep_motion_pose *meant) {
    const footstep_motion_comfort utmost = {STRAIGHTEST, STRETCH_MOST};
    tr_vec3 arm = tr_quat_rotate(meant->turn, tr_foot_toes_arm(&legs->feet[side]));
    tr_vec3 ball = tr_vec3_add(meant->ankle, arm);
    bool behind = tr_vec3_dot(tr_vec3_subtract(hip, ball), ahead) > 0;
    if (meant->pitch < -ON_FLOOR || !behind ||
        !(tr_footstep_motion_sink(&legs->limbs[side], hip, meant->ankle, ahead, utmost) > 0))
        return *meant;
    tr_vec3 across = tr_footstep_motion_across(legs, side, meant->turn);
    tr_quat flat = tr_quat_multiply(tr_quat_about(across, -(double)meant->pitch), meant->turn);
    float pitch = tr_footstep_motion_heel_pitch(legs, side, ball, flat, hip, ahead, meant->pitch, utmost);
    return tr_footstep_motion_ball_pose(legs, side, ball, flat, pitch, meant->bend + pitch - meant->pitch);
}

static float heading_of(tr_vec3 left) {
    return (float)tr_arc_tangent(-(double)left.z, (double)left.x);
}

// The turn of the knee about the line from hip to ankle that makes it point where the foot does.
static float knee_turn(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton, tr_quat foot,
                       const tr_affine *model) {
    tr_quat hips = tr_affine_rotation(&model[legs->hips]);
    tr_quat rest = tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[legs->hips]);
    tr_vec3 left = tr_quat_rotate(tr_quat_multiply(hips, tr_quat_conjugate(rest)), tr_vec3_make(1, 0, 0));
    tr_vec3 ahead = legs->ahead[side];
    float outwards = (float)tr_arc_tangent((double)ahead.x, (double)ahead.z);
    float turn = tr_footstep_motion_wrap(heading_of(tr_footstep_motion_across(legs, side, foot)) - outwards -
                                         heading_of(left));
    return -tr_footstep_motion_clamp(KNEE_SHARE * turn, -KNEE_MOST, KNEE_MOST);
}

static void set_rest(const tr_skeleton *skeleton, uint32_t joint, tr_pose *pose) {
    if (joint != TR_NONE)
        tr_pose_set_rotation(pose, joint, tr_skeleton_joint(skeleton, joint).rest.rotation);
}

static void bend_leg(const tr_footstep_motion_view *view, uint32_t side, const footstep_motion_pose *goal) {
    const tr_foot *foot = &view->legs->feet[side];
    tr_limb_goal reach = {goal->ankle, &goal->turn, 1,
                          knee_turn(view->legs, side, view->skeleton, goal->turn, view->model)};
    tr_limb_reach(&view->legs->limbs[side], view->skeleton, &reach, view->pose, view->place, view->model);
    if (foot->toes == TR_NONE || goal->bend == 0)
        return;
    tr_vec3 across = tr_footstep_motion_across(view->legs, side, goal->turn);
    turn_in_world(view, foot->toes, tr_quat_about(across, -(double)goal->bend));
    tr_pose_update_model(view->skeleton, view->pose, view->place, foot->toes, view->model);
}

static uint32_t contacts_of(const tr_footstep_motion_state *state, uint32_t side, float pitch) {
    if ((state->swings && side == state->side) || state->feet[side].floats)
        return 0;
    uint32_t heel = pitch < ON_FLOOR ? TR_CONTACT_LEFT_HEEL : 0,
             toes = pitch > -ON_FLOOR ? TR_CONTACT_LEFT_TOES : 0;
    return (heel | toes) << (2 * side);
}

static void note_foot(tr_footstep_motion_foot *foot, footstep_motion_value meant,
                      const footstep_motion_pose *shown, float dt) {
    float rate = dt > 0 ? (shown->pitch - foot->pitch) / dt : foot->pitch_rate;
    foot->pitch_rate = shown->pitch > meant.at + GIVEN_IN ? rate : meant.rate;
    foot->pitch = shown->pitch;
    foot->bend = shown->bend;
}

// The model must be up to date.
static void solve_legs(tr_footstep_motion_state *state, const tr_footstep_motion_view *view, float dt,
                       uint32_t *contacts) {
    const tr_legs *legs = view->legs;
    float time = (float)state->time;
    const tr_affine *place = view->place;
    tr_vec3 ahead = {place->m[0][2], place->m[1][2], place->m[2][2]};
    const footstep_motion_comfort utmost = {STRAIGHTEST, STRETCH_MOST};
    footstep_motion_pose goals[2];
    state->sunk *= dt < RISE_TIME ? 1 - dt / RISE_TIME : 0;
    *contacts = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        footstep_motion_pose meant = tr_footstep_motion_meant(state, legs, side, time);
        tr_vec3 hip = tr_affine_position(&view->model[foot->thigh]);
        bool in_air = (state->swings && side == state->side) || state->feet[side].floats;
        goals[side] = give_in(legs, side, hip, &meant, state->swings && side == state->side);
        goals[side] = in_air ? goals[side] : raise_heel(legs, side, hip, ahead, &goals[side]);
        float needed = tr_footstep_motion_sink(&legs->limbs[side], hip, goals[side].ankle, ahead, utmost);
        state->sunk = needed > state->sunk ? needed : state->sunk;
        set_rest(view->skeleton, foot->thigh, view->pose);
        set_rest(view->skeleton, foot->shank, view->pose);
        set_rest(view->skeleton, foot->ankle, view->pose);
        set_rest(view->skeleton, foot->toes, view->pose);
    }
    if (state->sunk > 0)
        move_hips(view, tr_vec3_make(0, -state->sunk, 0));
    tr_pose_update_model(view->skeleton, view->pose, view->place, legs->hips, view->model);
    for (uint32_t side = 0; side < 2; side++) {
        tr_footstep_motion_foot *foot = &state->feet[side];
        bend_leg(view, side, &goals[side]);
        if (!(state->swings && side == state->side))
            note_foot(foot, tr_footstep_motion_foot_pitch(foot, time, state->duration), &goals[side], dt);
        *contacts |= contacts_of(state, side, goals[side].pitch);
    }
    tr_footstep_motion_keep_apart(view, goals);
}

void tr_footstep_motion_legs(tr_footstep_motion_state *state, const tr_footstep_motion_view *view, float dt,
                             uint32_t *contacts) {
    tr_pose_to_model(view->skeleton, view->pose, view->place, view->model);
    solve_legs(state, view, dt, contacts);
}

void tr_footstep_motion_base(const tr_footstep_motion_state *state, tr_vec3 *position, float *heading,
                             tr_vec3 *velocity) {
    footstep_motion_value now[TR_FOOTSTEP_MOTION_PATHS];
    for (uint32_t i = 0; i < TR_FOOTSTEP_MOTION_PATHS; i++)
        now[i] = tr_footstep_motion_curve_at(&state->path[i], (float)state->time, state->duration);
    *position = tr_vec3_make(now[TR_FOOTSTEP_MOTION_X].at, now[TR_FOOTSTEP_MOTION_Y].at,
                             now[TR_FOOTSTEP_MOTION_Z].at);
    *velocity = tr_vec3_make(now[TR_FOOTSTEP_MOTION_X].rate, now[TR_FOOTSTEP_MOTION_Y].rate,
                             now[TR_FOOTSTEP_MOTION_Z].rate);
    *heading = now[TR_FOOTSTEP_MOTION_HEADING].at;
}

double tr_footstep_motion_phase(const tr_footstep_motion_state *state) {
    return phase_at(state, (float)state->time);
}

static void archive_curve(tr_footstep_motion_curve *curve, tr_archive *archive) {
    tr_archive_float(archive, &curve->from);
    tr_archive_float(archive, &curve->from_rate);
    tr_archive_float(archive, &curve->to);
    tr_archive_float(archive, &curve->to_rate);
}

static void archive_foot(tr_footstep_motion_foot *foot, tr_archive *archive) {
    tr_footstep_archive(&foot->footstep, archive);
    tr_archive_vec3(archive, &foot->ankle);
    tr_archive_quat(archive, &foot->turn);
    archive_curve(&foot->down, archive);
    archive_curve(&foot->up, archive);
    tr_archive_float(archive, &foot->down_end);
    tr_archive_float(archive, &foot->up_begin);
    tr_archive_float(archive, &foot->pitch);
    tr_archive_float(archive, &foot->pitch_rate);
    tr_archive_float(archive, &foot->bend);
    tr_archive_bool(archive, &foot->in_air);
    tr_archive_bool(archive, &foot->floats);
    tr_archive_float(archive, &foot->land_in);
    tr_archive_vec3(archive, &foot->rate);
}

static void archive_swing(tr_footstep_motion_swing *swing, tr_archive *archive) {
    tr_archive_vec3(archive, &swing->from);
    tr_archive_vec3(archive, &swing->from_rate);
    tr_archive_vec3(archive, &swing->to);
    tr_archive_vec3(archive, &swing->to_rate);
    tr_archive_quat(archive, &swing->turn_from);
    archive_curve(&swing->pitch, archive);
    archive_curve(&swing->bend, archive);
    tr_archive_float(archive, &swing->begin);
    tr_archive_float(archive, &swing->duration);
    tr_archive_floats(archive, swing->over, 2);
    tr_archive_floats(archive, swing->up, 2);
    tr_archive_float(archive, &swing->arc);
    tr_archive_float(archive, &swing->swift);
    tr_archive_float(archive, &swing->late);
    tr_archive_vec2(archive, &swing->bow);
}

void tr_footstep_motion_archive(tr_footstep_motion_state *state, tr_archive *archive) {
    archive_foot(&state->feet[0], archive);
    archive_foot(&state->feet[1], archive);
    archive_foot(&state->next, archive);
    archive_swing(&state->swing, archive);
    state->side = tr_archive_choice(archive, state->side, 2);
    tr_archive_bool(archive, &state->steps);
    tr_archive_bool(archive, &state->swings);
    tr_archive_bool(archive, &state->ends);
    tr_archive_bool(archive, &state->fresh);
    tr_archive_double(archive, &state->time);
    tr_archive_float(archive, &state->duration);
    tr_archive_float(archive, &state->lift_off);
    tr_archive_float(archive, &state->middle);
    tr_archive_float(archive, &state->done);
    tr_archive_float(archive, &state->walk_time);
    for (uint32_t i = 0; i < TR_FOOTSTEP_MOTION_PATHS; i++)
        archive_curve(&state->path[i], archive);
    for (uint32_t i = 0; i < TR_FOOTSTEP_MOTION_WAVES; i++)
        for (uint32_t half = 0; half < 2; half++)
            archive_curve(&state->wave[i][half], archive);
    tr_archive_vec3(archive, &state->stand_hips);
    tr_archive_float(archive, &state->stand_ankles);
    tr_archive_float(archive, &state->passed);
    tr_archive_vec3(archive, &state->hips_shown);
    tr_archive_vec3(archive, &state->hips_rate);
    tr_archive_vec3(archive, &state->hips_spin);
    tr_archive_quat(archive, &state->hips_turn_shown);
    tr_archive_vec3(archive, &state->blend_move);
    tr_archive_vec3(archive, &state->blend_move_rate);
    tr_archive_vec3(archive, &state->blend_turn);
    tr_archive_vec3(archive, &state->blend_turn_rate);
    tr_archive_float(archive, &state->blend_since);
    tr_archive_float(archive, &state->shortfall);
    tr_archive_float(archive, &state->sunk);
}
