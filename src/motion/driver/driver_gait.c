// Standing, walking along a route, turning on the spot and side-stepping.
#include "driver_parts.h"
#include "follow_data.h"

#include "troupe/base/scalar.h"

#define TURN_LEAST 0.6f       // at rest, a smaller heading error is corrected by walking a curve [rad]
#define SIDE_TURNED 0.15f     // an error below this counts as facing across a gap [rad]
#define SIDE_LEAST 0.03f      // a gap is done when this much of it is left [m]
#define SIDE_MISSED 0.1f      // the progress is wrong if it is off by more than this [m]
#define FINAL_TURN_LEAST 0.2f // at the end of a route
#define REST_SPEED 0.05f      // below this an actor stands [m/s]
#define HELD_SPEED 0.01f      // an actor that is held up and slower stops at once [m/s]
#define INNER_FIRST 10.0f     // a body that begins to turn with more than this sets off in a curve [rad/s^2]
#define JOINS 0.5             // a move that follows another one leaves out this share of its weight shift
#define HELD_TURN 0.02f       // the same for turning [rad/s]

static float wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)(angle - turns * 2 * TR_PI);
}

// A body that comes from another move is in motion: it goes on without standing first.
static double joins_at(const tr_cast_move *move) {
    return JOINS * move->begin;
}

static void begin_move(tr_driver_root *root, const tr_cast_move *move, float scale, bool goes_on) {
    root->move = move;
    root->move_time = goes_on ? joins_at(move) : 0;
    root->move_begin = (tr_base){root->state.position.x, root->state.position.z, root->state.heading};
    root->move_scale = scale;
    root->state.speed = root->state.side_speed = root->state.turn_rate = 0;
    root->state.mode = TR_FOLLOW_WALK;
}

// Positive turns are from +Z towards +X, the character's left. false: it cannot turn on the spot.
static bool begin_turn(tr_driver_root *root, const tr_cast *cast, float angle, bool goes_on) {
    float part;
    const tr_cast_move *move = tr_cast_turn(cast, angle, &part);
    if (!move)
        return false;
    begin_move(root, move, part, goes_on);
    root->doing = TR_DRIVER_TURNS;
    return true;
}

static void step_turn(tr_driver_root *root, double time, float dt) {
    tr_base by = tr_base_difference(tr_clip_base(root->move->clip, 0), tr_clip_base(root->move->clip, time));
    by.heading *= root->move_scale;
    tr_base base = tr_base_move(root->move_begin, by);
    root->state.turn_rate = (base.heading - root->state.heading) / dt;
    root->state.position = (tr_vec2){base.x, base.z};
    root->state.heading = base.heading;
}

// Moves along the way regardless of the direction that the body faces, which is nearly across.
static void step_aside(tr_driver_root *root, double time, float dt) {
    const tr_base *begin = &root->move_begin;
    float whole = root->move->aside, moved = tr_clip_base(root->move->clip, time).x;
    float way = root->move_scale * fabsf(moved), share = moved / whole;
    tr_vec2 at = {begin->x + root->move_way.x * way, begin->z + root->move_way.z * way};
    float x = at.x - root->state.position.x, z = at.z - root->state.position.z;
    float gone = sqrtf(x * x + z * z);
    root->state.side_speed = (whole > 0 ? gone : -gone) / dt;
    root->state.position = at;
    root->state.heading = begin->heading + root->move_turn * share;
    root->state.progress += gone;
}

static void step_move(tr_driver_root *root, float dt) {
    bool aside = root->move->aside != 0;
    root->move_time += root->move->pace * dt;
    root->doing = aside ? TR_DRIVER_SIDE_STEPS : TR_DRIVER_TURNS;
    bool ends = root->move_time >= root->move->end;
    double whole = tr_clip_duration(root->move->clip);
    root->move_time = ends ? root->move->end : root->move_time;
    if (aside)
        step_aside(root, ends ? whole : root->move_time, dt);
    else
        step_turn(root, ends ? whole : root->move_time, dt);
    if (ends)
        root->state.turn_rate = root->state.side_speed = 0;
}

// ---------------------------------------------------------------- narrow places

static const tr_driver_stretch *next_side(tr_driver_root *root, const tr_driver_task *task) {
    const tr_driver_stretch *stretches = task->stretches;
    while (root->side < task->stretch_count && stretches[root->side].passage != TR_PASSAGE_SIDE)
        root->side++;
    return root->side < task->stretch_count ? &stretches[root->side] : NULL;
}

// The speed limit at a distance `left` before a stop, the same as before the end of a route.
static float speed_before(const tr_follow_params *params, float left) {
    float near_goal = params->near_goal, gain = params->position_gain;
    if (left < near_goal)
        return gain * left;
    return sqrtf(gain * near_goal * gain * near_goal + params->acceleration_max * (left - near_goal));
}

// At rest at the begin of a stretch, or within it: turns across, then side-steps to its end. false: it is
// there.
static bool go_aside(tr_driver_root *root, const tr_driver_task *task, const tr_cast *cast, bool goes_on) {
    const tr_driver_stretch *stretch = &task->stretches[root->side];
    tr_follow_state *state = &root->state;
    float x = stretch->to.x - state->position.x, z = stretch->to.z - state->position.z;
    float left = sqrtf(x * x + z * z);
    // A body that was carried past the begin of the stretch before it came to rest steps back to its line.
    if (state->progress + left > stretch->end + SIDE_MISSED)
        state->progress = stretch->end > left ? stretch->end - left : 0;
    if (left < SIDE_LEAST) {
        state->progress = stretch->end > state->progress ? stretch->end : state->progress;
        root->side++;
        return false;
    }
    // The way is to the left of a body that faces a quarter turn short of it.
    float ahead = (float)tr_arc_tangent(x, z);
    float leftwards = wrap(ahead - (float)(TR_PI / 2) - state->heading);
    float rightwards = wrap(ahead + (float)(TR_PI / 2) - state->heading);
    bool to_left = fabsf(leftwards) < fabsf(rightwards);
    float error = to_left ? leftwards : rightwards;
    if (fabsf(error) > SIDE_TURNED && begin_turn(root, cast, error, goes_on))
        return true;
    const tr_cast_move *step = tr_cast_aside(cast, to_left);
    if (!step) { // no such clip: walks through
        root->side++;
        return false;
    }
    float own = fabsf(step->aside);
    float count = ceilf(left / own - 0.05f); // slightly longer steps are better than one more step
    count = count < 1 ? 1 : count;
    begin_move(root, step, left / (count * own), goes_on);
    root->move_way = (tr_vec2){x / left, z / left};
    root->move_turn = error;
    root->doing = TR_DRIVER_SIDE_STEPS;
    return true;
}

// ---------------------------------------------------------------- along the route

// A body whose way leads elsewhere first stops, straight on, and then turns with steps: standing legs cannot
// follow a body that spins.
static void brake(tr_follow_state *state, float acceleration_max, float dt) {
    double s, c, before = state->speed;
    float least = acceleration_max * dt;
    state->speed = fabsf(state->speed) < least ? 0 : state->speed - (state->speed > 0 ? least : -least);
    state->side_speed = 0;
    tr_sin_cos(state->heading + 0.5 * (double)state->turn_rate * dt, &s, &c);
    double way = 0.5 * (before + state->speed) * dt;
    state->position.x += (float)(way * s);
    state->position.z += (float)(way * c);
    state->heading += state->turn_rate * dt;
    float decay = 1 - 8 * dt;
    state->turn_rate *= decay > 0 ? decay : 0;
}

// An actor that is held up ends at rest: the control alone would creep towards its aim for ever.
static bool hold(tr_follow_state *state, float dt) {
    if (fabsf(state->speed) >= HELD_SPEED)
        return false;
    float decay = 1 - 8 * dt;
    state->speed = 0;
    state->heading += state->turn_rate * dt;
    state->turn_rate *= decay > 0 && fabsf(state->turn_rate) > HELD_TURN ? decay : 0;
    return true;
}

static tr_status arrive(tr_driver_root *root, const tr_cast *cast) {
    root->state.speed = root->state.side_speed = 0;
    float error = root->has_final ? wrap(root->final_heading - root->state.heading) : 0;
    root->has_final = false;
    if (fabsf(error) > FINAL_TURN_LEAST && begin_turn(root, cast, error, false))
        return TR_OK;
    root->has_route = false;
    return TR_DONE;
}

// Comes to rest before a stretch that needs side-steps. true: it is there, or within it, and at rest.
static bool is_at_gap(tr_driver_root *root, const tr_driver_task *task, bool rests, float *speed_limit) {
    const tr_driver_stretch *stretch = next_side(root, task);
    if (!stretch)
        return false;
    float left = stretch->begin - root->state.progress;
    float most = left > DRIVER_ARRIVE ? speed_before(&task->follow, left) : 0;
    *speed_limit = most < *speed_limit ? most : *speed_limit;
    return rests && left <= DRIVER_ARRIVE;
}

// `goes_on`: it has just ended a move.
static tr_status follow(tr_driver_root *root, const tr_driver_task *task, const tr_driver_nature *nature,
                        float speed_limit, bool goes_on) {
    tr_follow_state *state = &root->state;
    bool rests = fabsf(state->speed) < REST_SPEED;
    float wanted = speed_limit;
    if (speed_limit == 0 && hold(state, nature->dt))
        return TR_OK;
    while (is_at_gap(root, task, rests, &speed_limit)) {
        state->speed = state->turn_rate = 0;
        if (wanted <= DRIVER_WAIT_SPEED || go_aside(root, task, nature->cast, goes_on))
            return TR_OK;
        speed_limit = wanted;
    }
    float left = tr_follow_route_length(task->route) - state->progress;
    bool ahead = rests && left > task->follow.arrive;
    float error = ahead && speed_limit > 0 ? tr_follow_error(state, task->route, &task->follow) : 0;
    if (fabsf(error) > TURN_LEAST && begin_turn(root, nature->cast, error, goes_on))
        return TR_OK;
    root->doing = TR_DRIVER_WALKS;
    if (state->mode == TR_FOLLOW_TURN && !rests) {
        brake(state, task->follow.acceleration_max, nature->dt);
        return TR_OK;
    }
    float slope_limit = tr_driver_slope_limit(root, task);
    tr_status status =
        tr_follow_advance(state, task->route, slope_limit < speed_limit ? slope_limit : speed_limit);
    if (status != TR_DONE)
        return status;
    root->doing = TR_DRIVER_STANDS;
    return arrive(root, nature->cast);
}

static tr_status go(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                    float speed_limit) {
    tr_driver_root *root = &state->root;
    bool goes_on = root->move != NULL;
    root->doing = TR_DRIVER_STANDS;
    if (root->move && root->move_time >= root->move->end)
        root->move = NULL; // its last pose was shown in the previous step
    if (root->move) {
        step_move(root, nature->dt);
        return TR_OK;
    }
    return root->has_route ? follow(root, task, nature, speed_limit, goes_on) : TR_DONE;
}

static tr_status predict(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit) {
    bool leads = state->root.has_route; // otherwise the task is that of an earlier route
    tr_status status = go(state, task, nature, speed_limit);
    if (leads && state->root.slopes)
        tr_driver_keep_height(&state->root, task);
    return status;
}

// ---------------------------------------------------------------- the body

// A body without a gait breathes.
static void stand_still(const tr_cast *cast, float dt, tr_driver_body *body, tr_pose *pose) {
    double length = tr_clip_duration(cast->stand), time = body->locomotion.stand_time + (double)dt;
    body->locomotion.stand_time = length > 0 ? time - floor(time / length) * length : 0;
    tr_clip_sample(cast->stand, body->locomotion.stand_time, pose);
    body->contacts = tr_clip_contacts(cast->stand, body->locomotion.stand_time);
}

// The pose after another `dt`, relative to the root; advances the state of the gait.
static void pose_of(const tr_driver_root *root, const tr_driver_task *task, const tr_cast *cast, float dt,
                    tr_driver_body *body, tr_pose *pose) {
    if (!tr_cast_walks(cast)) {
        stand_still(cast, dt * body->stand_share, body, pose);
        return;
    }
    if (root->doing == TR_DRIVER_TURNS || root->doing == TR_DRIVER_SIDE_STEPS) {
        tr_clip_sample(root->move->clip, root->move_time, pose);
        tr_locomotion_settle(cast->locomotion, body->locomotion.manner, pose);
        body->contacts = tr_clip_contacts(root->move->clip, root->move_time);
        return;
    }
    float speed = root->doing == TR_DRIVER_WALKS ? fabsf(root->state.speed) : 0;
    // A body that sets off in a curve begins with the foot on the inside: the other one would cross its way.
    float turns = dt > 0 ? root->state.turn_rate / dt : 0;
    if (speed > 0 && body->locomotion.speed == 0 && fabsf(turns) > INNER_FIRST)
        body->locomotion.phase = turns > 0 ? 0.5 : 0;
    float time = root->doing == TR_DRIVER_STANDS ? dt * body->stand_share : dt;
    // Shorter strides at the same speed are those of a slower walk, played faster.
    float stride = task && root->doing == TR_DRIVER_WALKS ? tr_driver_slope_stride(root, task) : 1;
    tr_locomotion_step(cast->locomotion, &body->locomotion, speed * stride, time / stride, pose,
                       body->scratch + 1, &body->contacts);
}

void tr_driver_stand(const tr_driver_nature *nature, tr_driver_body *body) {
    const tr_driver_root stands = {.doing = TR_DRIVER_STANDS};
    pose_of(&stands, NULL, nature->cast, nature->dt, body, body->pose);
}

static tr_status step(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, tr_driver_body *body) {
    tr_driver_doing before = state->root.doing;
    tr_status status = TR_OK;
    if (body->next)
        state->root = *body->next;
    else
        status = predict(state, task, nature, speed_limit);
    if (status != TR_OK && status != TR_DONE)
        return status;
    const tr_driver_root *root = &state->root;
    // Walking and standing are one motion, mixed by speed, so there is no transition.
    bool walked = before == TR_DRIVER_WALKS || before == TR_DRIVER_STANDS || before == TR_DRIVER_RIDES;
    bool walks = root->doing == TR_DRIVER_WALKS || root->doing == TR_DRIVER_STANDS;
    // A move that follows another one begins in its middle.
    bool joins = !walked && !walks && root->move && root->move_time == joins_at(root->move);
    body->changes = (root->doing != before && !(walked && walks)) || joins;
    body->goes_on = body->changes && before == TR_DRIVER_FOOTSTEPS && body->locomotion.speed > 0;
    body->carried = tr_vec3_make(0, 0, 0);
    if (body->goes_on)
        pose_of(root, task, nature->cast, 0, body, &body->scratch[0]);
    pose_of(root, task, nature->cast, nature->dt, body, body->pose);
    tr_vec2 at = root->state.position;
    body->place = tr_affine_place(tr_vec3_make(at.x, root->ground, at.z), root->state.heading);
    return status;
}

static bool rests(const tr_driver_state *state) {
    const tr_driver_root *root = &state->root;
    if (root->move && root->move_time < root->move->end)
        return false;
    return !root->has_route || root->state.speed == 0;
}

// Feet that stand or swing are taken over as they are.
static bool may_leave(const tr_driver_state *state) {
    return !state->root.move;
}

const tr_driver tr_driver_gait = {"gait", predict, step, NULL, rests, may_leave};
