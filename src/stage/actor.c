#include "actor_data.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/blend.h"

#define TURN_LEAST 0.6f       // a smaller error of heading at rest is walked off in a curve [rad]
#define TURN_PACE 1.6         // turns on the spot are played so much faster: half a turn takes two seconds
#define FINAL_TURN_LEAST 0.2f // at the end of a route
#define REST_SPEED 0.05f      // below this an actor stands [m/s]
#define ARRIVE 0.04f          // so near to the end is there: the last centimetres would be shuffled [m]
#define SHORT_MAX 0.004f      // a leg that stays this far from its plant takes a step instead [m]

static tr_status check_def(const tr_actor_def *def, tr_error *error) {
    if (!def->character)
        return tr_fail(error, TR_INVALID, "an actor needs a character");
    if (!isfinite(def->position.x) || !isfinite(def->position.z) || !isfinite(def->heading) ||
        !isfinite(def->ground))
        return tr_fail(error, TR_INVALID, "the place of an actor is not finite");
    if (!(def->speed >= 0 && def->speed < 100) || !(def->corridor >= 0 && def->corridor < 1000) ||
        !(def->dt >= 0 && def->dt <= 1))
        return tr_fail(error, TR_INVALID, "an actor with speed %g, corridor %g and steps of %g s",
                       (double)def->speed, (double)def->corridor, (double)def->dt);
    return TR_OK;
}

static tr_status allocate(tr_actor *actor, const tr_actor_def *def, tr_error *error) {
    const tr_allocator *allocator = &actor->allocator;
    tr_status status = tr_follow_route_create(allocator, def->route_points_max ? def->route_points_max : 256,
                                              &actor->route, error);
    if (status == TR_OK)
        status = tr_inertia_create(allocator, actor->joint_count, &actor->inertia, error);
    tr_pose *poses[3] = {&actor->shown[0], &actor->shown[1], &actor->pose};
    for (uint32_t i = 0; i < 3 && status == TR_OK; i++)
        status = tr_pose_create(allocator, actor->joint_count, poses[i], error);
    if (status != TR_OK)
        return status;
    actor->model = tr_allocate_zero(allocator, actor->joint_count, sizeof *actor->model);
    actor->treads = tr_allocate_zero(allocator, TR_ACTOR_TREADS_MAX, sizeof *actor->treads);
    return actor->model && actor->treads ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
}

static tr_affine place_of(const tr_actor *actor) {
    return tr_affine_place(tr_vec3_make(actor->state.position.x, actor->ground, actor->state.position.z),
                           actor->state.heading);
}

tr_status tr_actor_create(const tr_actor_def *def, tr_actor **actor, tr_error *error) {
    *actor = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_actor *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    made->allocator = allocator;
    made->character = def->character;
    made->joint_count = tr_skeleton_joint_count(def->character->skeleton);
    made->ground = def->ground;
    made->dt = def->dt > 0 ? def->dt : 1.0f / 30;
    made->speed = def->speed > 0 ? def->speed : 1.3f;
    made->corridor = def->corridor > 0 ? def->corridor : 0.1f;
    made->state.position = def->position;
    made->state.heading = def->heading;
    made->plant_params = tr_plant_params_default();
    made->plant_params.ground = def->ground;
    made->plant_params.short_max = SHORT_MAX;
    made->floor = (actor_ground){def->rise, def->rise_user};
    status = allocate(made, def, error);
    if (status != TR_OK) {
        tr_actor_destroy(made);
        return status;
    }
    made->place = place_of(made);
    tr_clip_sample(def->character->stand, 0, &made->pose);
    tr_pose_to_model(def->character->skeleton, &made->pose, &made->place, made->model);
    *actor = made;
    return TR_OK;
}

void tr_actor_destroy(tr_actor *actor) {
    if (!actor)
        return;
    tr_allocator allocator = actor->allocator;
    tr_actor_release_arms(actor);
    tr_release(&allocator, actor->treads, TR_ACTOR_TREADS_MAX, sizeof *actor->treads);
    tr_release(&allocator, actor->model, actor->joint_count, sizeof *actor->model);
    tr_pose_destroy(&actor->pose);
    tr_pose_destroy(&actor->shown[0]);
    tr_pose_destroy(&actor->shown[1]);
    tr_inertia_destroy(actor->inertia);
    tr_follow_route_destroy(actor->route);
    tr_release(&allocator, actor, 1, sizeof *actor);
}

void tr_actor_set_rise(tr_actor *actor, float (*rise)(void *user, tr_vec2 point), void *user) {
    actor->floor = (actor_ground){rise, user};
    actor->plant_params.rise[0] = actor->plant_params.rise[1] = 0;
}

tr_status tr_actor_set_route(tr_actor *actor, const tr_vec2 *points, uint32_t point_count,
                             const bool *sideways, const float *final_heading, float speed, tr_error *error) {
    float most = tr_locomotion_speed_max(actor->character->locomotion);
    float wish = speed > 0 ? speed : actor->speed;
    tr_follow_params params = tr_follow_params_default(wish < most ? wish : most, actor->dt, actor->corridor);
    params.arrive = ARRIVE;
    float gentle = 1.2f + 0.4f * params.speed; // harder braking stretches a stance further than legs reach
    params.acceleration_max = params.acceleration_max < gentle ? params.acceleration_max : gentle;
    tr_status status = tr_follow_route_set(actor->route, points, point_count, sideways, NULL, &params, error);
    if (status != TR_OK)
        return status;
    tr_actor_leave_treads(actor);
    actor->follow = params;
    actor->state.progress = 0;
    actor->has_route = true;
    actor->has_final = final_heading != NULL;
    actor->final_heading = final_heading ? *final_heading : 0;
    return TR_OK;
}

tr_status tr_actor_scratch_create(const tr_allocator *allocator, uint32_t joint_count,
                                  tr_actor_scratch *scratch, tr_error *error) {
    *scratch = (tr_actor_scratch){0};
    for (int i = 0; i < 3; i++) {
        tr_status status = tr_pose_create(allocator, joint_count, &scratch->poses[i], error);
        if (status != TR_OK) {
            tr_actor_scratch_destroy(scratch);
            return status;
        }
    }
    return TR_OK;
}

void tr_actor_scratch_destroy(tr_actor_scratch *scratch) {
    for (int i = 0; i < 3; i++)
        tr_pose_destroy(&scratch->poses[i]);
}

static float wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)(angle - turns * 2 * TR_PI);
}

// How far the actor must turn before it can walk off along its route [rad]: as a follower at rest aims.
static float error_at_start(const tr_actor *actor) {
    float ahead = 0.5f * actor->corridor;
    tr_vec2 aim =
        tr_follow_route_point(actor->route, actor->state.progress + (ahead < 0.05f ? 0.05f : ahead));
    double x = aim.x - actor->state.position.x, z = aim.z - actor->state.position.z;
    if (x * x + z * z < 1e-4)
        return 0;
    return wrap((float)tr_arc_tangent(x, z) - actor->state.heading);
}

static void begin_turn(tr_actor *actor, float angle) {
    uint32_t side = angle > 0 ? 0 : 1; // positive turns from +Z towards +X, which is the character's left
    float size = fabsf(angle), step = (float)TR_PI / TR_CHARACTER_TURNS;
    uint32_t which = (uint32_t)(size / step + 0.5f);
    which = which < 1 ? 1 : which > TR_CHARACTER_TURNS ? TR_CHARACTER_TURNS : which;
    actor->turn = actor->character->turns[side][which - 1];
    actor->turn_time = 0;
    actor->turn_begin = (tr_base){actor->state.position.x, actor->state.position.z, actor->state.heading};
    actor->turn_scale = size / ((float)which * step);
    actor->state.speed = actor->state.side_speed = actor->state.turn_rate = 0;
}

// Where the turn has brought the base point at a time of its clip.
static tr_base turn_base(const tr_actor *actor, double time) {
    tr_base by = tr_base_difference(tr_clip_base(actor->turn, 0), tr_clip_base(actor->turn, time));
    by.heading *= actor->turn_scale;
    return tr_base_move(actor->turn_begin, by);
}

static void step_turn(tr_actor *actor) {
    actor->turn_time += TURN_PACE * actor->dt;
    double end = tr_clip_duration(actor->turn);
    bool ends = actor->turn_time >= end;
    tr_base base = turn_base(actor, ends ? end : actor->turn_time);
    actor->state.turn_rate = ends ? 0 : (base.heading - actor->state.heading) / actor->dt;
    actor->state.position = (tr_vec2){base.x, base.z};
    actor->state.heading = base.heading;
}

// Whose way leads elsewhere comes to rest first, straight on, and then turns with steps: legs that stand
// cannot follow a body that spins.
static void brake(tr_actor *actor) {
    tr_follow_state *state = &actor->state;
    double s, c, before = state->speed;
    float least = actor->follow.acceleration_max * actor->dt;
    state->speed = fabsf(state->speed) < least ? 0 : state->speed - (state->speed > 0 ? least : -least);
    state->side_speed = 0;
    tr_sin_cos(state->heading + 0.5 * (double)state->turn_rate * actor->dt, &s, &c);
    double way = 0.5 * (before + state->speed) * actor->dt;
    state->position.x += (float)(way * s);
    state->position.z += (float)(way * c);
    state->heading += state->turn_rate * actor->dt;
    float decay = 1 - 8 * actor->dt;
    state->turn_rate *= decay > 0 ? decay : 0;
}

// The disc: turn on the spot or follow the route. Says what the body is to do.
static tr_status step_disc(tr_actor *actor, float speed_limit, tr_actor_doing *doing) {
    *doing = TR_ACTOR_STANDS;
    if (actor->turn && actor->turn_time >= tr_clip_duration(actor->turn))
        actor->turn = NULL; // its last pose was shown in the step before
    if (actor->turn) {
        *doing = TR_ACTOR_TURNS;
        step_turn(actor);
        return TR_OK;
    }
    if (!actor->has_route)
        return TR_DONE;
    bool rests = fabsf(actor->state.speed) < REST_SPEED && fabsf(actor->state.side_speed) < REST_SPEED;
    float left = tr_follow_route_length(actor->route) - actor->state.progress;
    // Who rests in a gap goes on sideways: to turn there is to turn for ever.
    bool ahead = rests && actor->state.mode != TR_FOLLOW_SIDE && left > actor->follow.arrive;
    float error = ahead && speed_limit > 0 ? error_at_start(actor) : 0;
    if (fabsf(error) > TURN_LEAST) {
        begin_turn(actor, error);
        *doing = TR_ACTOR_TURNS;
        return TR_OK;
    }
    if (actor->state.mode == TR_FOLLOW_TURN && !rests) {
        brake(actor);
        *doing = TR_ACTOR_WALKS;
        return TR_OK;
    }
    tr_status status = tr_follow_step(&actor->state, actor->route, &actor->follow, speed_limit, actor->dt);
    if (status == TR_DONE) {
        actor->state.speed = actor->state.side_speed = 0;
        error = actor->has_final ? wrap(actor->final_heading - actor->state.heading) : 0;
        actor->has_final = false;
        if (fabsf(error) > FINAL_TURN_LEAST) {
            begin_turn(actor, error);
            *doing = TR_ACTOR_TURNS;
            return TR_OK;
        }
        actor->has_route = false;
        return TR_DONE;
    }
    *doing = actor->state.mode == TR_FOLLOW_SIDE ? TR_ACTOR_SIDE_STEPS : TR_ACTOR_WALKS;
    return status;
}

// The pose of a kind of motion after `dt` more, relative to the base point; its own state goes on.
static void pose_of(tr_actor *actor, tr_actor_doing doing, float dt, tr_actor_scratch *scratch, tr_pose *pose,
                    uint32_t *contacts) {
    const tr_character *character = actor->character;
    if (doing == TR_ACTOR_TURNS) {
        tr_clip_sample(actor->turn, actor->turn_time, pose);
        *contacts = tr_clip_contacts(actor->turn, actor->turn_time);
        return;
    }
    if (doing == TR_ACTOR_SIDE_STEPS) {
        actor->side = actor->state.side_speed >= 0 ? 0 : 1;
        const tr_clip *side = character->sides[actor->side];
        float own = tr_clip_speed(side);
        actor->side_phase += dt * (own > 0 ? fabsf(actor->state.side_speed) / own : 0);
        tr_clip_sample(side, actor->side_phase, pose);
        *contacts = tr_clip_contacts(side, actor->side_phase);
        return;
    }
    float speed = doing == TR_ACTOR_WALKS ? fabsf(actor->state.speed) : 0;
    float time = doing == TR_ACTOR_STANDS ? tr_actor_standing_time(actor, dt) : dt;
    tr_locomotion_step(character->locomotion, &actor->locomotion, speed, time, pose, scratch->poses + 1,
                       contacts);
}

// A new kind of motion begins: what the old one was ahead dies away. All kinds begin at rest, so the new
// motion has no speed yet; but for walking on from footprints, where both go on at the same pace. `next` is
// the new motion after a step of time; how it was before that is given by `begin`, or the same. What is to be
// applied is the difference after `*dt`.
static void begin_transition(tr_actor *actor, const tr_pose *begin, const tr_pose *next, float *dt) {
    *dt = begin ? actor->dt : 0;
    if (actor->has_shown)
        tr_inertia_begin(actor->inertia, &actor->shown[1], &actor->shown[0], begin ? begin : next, next,
                         actor->dt, ACTOR_TRANSITION);
}

void tr_actor_show(tr_actor *actor, const tr_pose *pose) {
    tr_pose oldest = actor->shown[1];
    actor->shown[1] = actor->shown[0];
    actor->shown[0] = oldest;
    tr_pose_copy(&actor->shown[0], pose);
    if (!actor->has_shown)
        tr_pose_copy(&actor->shown[1], pose);
    actor->has_shown = true;
}

tr_status tr_actor_step(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit) {
    tr_actor_doing doing;
    if (actor->stepping)
        return tr_actor_step_treads(actor, scratch, speed_limit);
    tr_status status = step_disc(actor, speed_limit, &doing);
    if (status != TR_OK && status != TR_DONE)
        return status;
    // Walking and standing are one motion, mixed by speed: there is nothing to go over.
    bool walked = actor->doing == TR_ACTOR_WALKS || actor->doing == TR_ACTOR_STANDS;
    bool walks = doing == TR_ACTOR_WALKS || doing == TR_ACTOR_STANDS;
    bool changes = doing != actor->doing && !(walked && walks);
    tr_pose *next = &scratch->poses[0];
    if (changes && doing == TR_ACTOR_SIDE_STEPS)
        actor->side_phase = 0;
    bool walks_on = changes && actor->doing == TR_ACTOR_STEPS && actor->locomotion.speed > 0;
    if (walks_on) // as it would be now: `pose` is free until the step is done
        pose_of(actor, doing, 0, scratch, &actor->pose, &actor->contacts);
    pose_of(actor, doing, actor->dt, scratch, next, &actor->contacts);
    float dt = actor->dt;
    if (changes)
        begin_transition(actor, walks_on ? &actor->pose : NULL, next, &dt);
    actor->doing = doing;
    tr_inertia_apply(actor->inertia, dt, next);
    tr_actor_show(actor, next);
    tr_pose_copy(&actor->pose, next);
    actor->place = place_of(actor);
    const tr_skeleton *skeleton = actor->character->skeleton;
    tr_pose_to_model(skeleton, &actor->pose, &actor->place, actor->model);
    if (actor->floor.rise)
        tr_actor_ask_rise(&actor->floor, &actor->character->legs, &actor->plant, actor->model,
                          actor->contacts, actor->dt, actor->plant_params.rise);
    tr_plant_step(&actor->plant, &actor->plant_params, &actor->character->legs, skeleton, actor->contacts,
                  actor->dt, &actor->pose, &actor->place, actor->model);
    actor->contacts = tr_plant_standing(&actor->plant, actor->contacts);
    tr_actor_step_arms(actor);
    return status;
}

tr_actor_view tr_actor_look(const tr_actor *actor) {
    tr_actor_view view = {.state = actor->state,
                          .doing = actor->doing,
                          .pose = &actor->pose,
                          .model = actor->model,
                          .place = actor->place,
                          .contacts = actor->contacts,
                          .ground = actor->ground,
                          .character = actor->character,
                          .route = actor->has_route ? actor->route : NULL};
    return view;
}

void tr_actor_predict(const tr_actor *actor, float speed_limit, uint32_t stride, uint32_t count,
                      tr_vec2 *positions) {
    if (actor->stepping) {
        tr_actor_predict_treads(actor, speed_limit, stride, count, positions);
        return;
    }
    tr_actor ghost = *actor; // the disc alone is moved: what is behind pointers is read only
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count; i++) {
        tr_actor_doing doing;
        for (uint32_t j = 0; j < stride && status == TR_OK; j++)
            status = step_disc(&ghost, speed_limit, &doing);
        positions[i] = ghost.state.position;
    }
}
