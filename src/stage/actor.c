#include "actor_data.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/blend.h"

#define POINTS_AT_FIRST 8 // of a route that there is room for
#define SHORT_MAX 0.004f  // a leg that stays this far from its plant takes a step instead [m]

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

static tr_status allocate(tr_actor *actor, tr_error *error) {
    const tr_allocator *allocator = &actor->allocator;
    tr_status status = tr_actor_task_create(allocator, POINTS_AT_FIRST, 0, &actor->task, error);
    if (status == TR_OK)
        status = tr_inertia_create(allocator, actor->joint_count, &actor->inertia, error);
    tr_pose *poses[3] = {&actor->shown[0], &actor->shown[1], &actor->pose};
    for (uint32_t i = 0; i < 3 && status == TR_OK; i++)
        status = tr_pose_create(allocator, actor->joint_count, poses[i], error);
    if (status != TR_OK)
        return status;
    actor->model = tr_allocate_zero(allocator, actor->joint_count, sizeof *actor->model);
    return actor->model ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
}

static tr_affine place_of(const tr_actor *actor) {
    return tr_affine_place(
        tr_vec3_make(actor->root.state.position.x, actor->root.ground, actor->root.state.position.z),
        actor->root.state.heading);
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
    made->nature.character = def->character;
    made->joint_count = tr_skeleton_joint_count(def->character->skeleton);
    made->root.ground = def->ground;
    made->nature.dt = def->dt > 0 ? def->dt : 1.0f / 30;
    made->nature.speed = def->speed > 0 ? def->speed : 1.3f;
    made->nature.corridor = def->corridor > 0 ? def->corridor : 0.1f;
    made->root.state.position = def->position;
    made->root.state.heading = def->heading;
    made->plant_params = tr_plant_params_default();
    made->plant_params.ground = def->ground;
    made->plant_params.short_max = SHORT_MAX;
    made->route_points_max = def->route_points_max ? def->route_points_max : ACTOR_ROUTE_POINTS;
    made->floor = (actor_ground){def->rise, def->rise_user};
    status = allocate(made, error);
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
    tr_release(&allocator, actor->model, actor->joint_count, sizeof *actor->model);
    tr_pose_destroy(&actor->pose);
    tr_pose_destroy(&actor->shown[0]);
    tr_pose_destroy(&actor->shown[1]);
    tr_inertia_destroy(actor->inertia);
    tr_actor_task_destroy(&allocator, &actor->task);
    tr_release(&allocator, actor, 1, sizeof *actor);
}

void tr_actor_set_rise(tr_actor *actor, float (*rise)(void *user, tr_vec2 point), void *user) {
    actor->floor = (actor_ground){rise, user};
    actor->plant_params.rise[0] = actor->plant_params.rise[1] = 0;
}

tr_status tr_actor_set_route(tr_actor *actor, const tr_vec2 *points, uint32_t point_count,
                             const uint8_t *passage, const float *final_heading, float speed,
                             tr_error *error) {
    if (point_count > actor->route_points_max)
        return tr_fail(error, TR_LIMIT, "the route has %u points, there may be %u", point_count,
                       actor->route_points_max);
    tr_status status = tr_actor_task_reserve(&actor->allocator, point_count, 0, &actor->task, error);
    if (status != TR_OK)
        return status;
    status = tr_actor_root_set_route(&actor->root, &actor->task, &actor->nature, points, point_count, passage,
                                     final_heading, speed, error);
    if (status == TR_OK)
        tr_actor_leave_treads(actor);
    return status;
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

// The pose of a kind of motion after `dt` more, relative to the base point; its own state goes on.
static void pose_of(tr_actor *actor, tr_actor_doing doing, float dt, tr_actor_scratch *scratch, tr_pose *pose,
                    uint32_t *contacts) {
    const tr_character *character = actor->nature.character;
    if (doing == TR_ACTOR_TURNS || doing == TR_ACTOR_SIDE_STEPS) {
        tr_clip_sample(actor->root.move->clip, actor->root.move_time, pose);
        *contacts = tr_clip_contacts(actor->root.move->clip, actor->root.move_time);
        return;
    }
    float speed = doing == TR_ACTOR_WALKS ? fabsf(actor->root.state.speed) : 0;
    float time = doing == TR_ACTOR_STANDS ? tr_actor_standing_time(actor, dt) : dt;
    tr_locomotion_step(character->locomotion, &actor->locomotion, speed, time, pose, scratch->poses + 1,
                       contacts);
}

// A new kind of motion begins: what the old one was ahead dies away. All kinds begin at rest, so the new
// motion has no speed yet; but for walking on from footprints, where both go on at the same pace. `next` is
// the new motion after a step of time; how it was before that is given by `begin`, or the same. What is to be
// applied is the difference after `*dt`.
static void begin_transition(tr_actor *actor, const tr_pose *begin, const tr_pose *next, float *dt) {
    *dt = begin ? actor->nature.dt : 0;
    if (actor->has_shown)
        tr_inertia_begin(actor->inertia, &actor->shown[1], &actor->shown[0], begin ? begin : next, next,
                         actor->nature.dt, ACTOR_TRANSITION);
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

// A leg in the air on its way back to the animation is kept within its limits; one that stands has to reach
// its foot.
static void keep_limits(tr_actor *actor) {
    const tr_skeleton *skeleton = actor->nature.character->skeleton;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t thigh = actor->nature.character->legs.feet[side].thigh;
        if (actor->contacts >> (2 * side) & 3)
            continue;
        tr_quat turn = tr_pose_rotation(&actor->pose, thigh);
        if (!(tr_skeleton_limit_excess(skeleton, thigh, turn) > 0))
            continue;
        tr_pose_set_rotation(&actor->pose, thigh, tr_skeleton_limit_clamp(skeleton, thigh, turn));
        tr_pose_update_model(skeleton, &actor->pose, &actor->place, thigh, actor->model);
    }
}

tr_status tr_actor_step(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit) {
    if (actor->root.stepping)
        return tr_actor_step_treads(actor, scratch, speed_limit);
    tr_actor_doing before = actor->root.doing;
    tr_status status = tr_actor_root_walk(&actor->root, &actor->task, &actor->nature, speed_limit);
    tr_actor_doing doing = actor->root.doing;
    if (status != TR_OK && status != TR_DONE)
        return status;
    // Walking and standing are one motion, mixed by speed: there is nothing to go over.
    bool walked = before == TR_ACTOR_WALKS || before == TR_ACTOR_STANDS;
    bool walks = doing == TR_ACTOR_WALKS || doing == TR_ACTOR_STANDS;
    bool changes = doing != before && !(walked && walks);
    tr_pose *next = &scratch->poses[0];
    bool walks_on = changes && before == TR_ACTOR_STEPS && actor->locomotion.speed > 0;
    if (walks_on) // as it would be now: `pose` is free until the step is done
        pose_of(actor, doing, 0, scratch, &actor->pose, &actor->contacts);
    pose_of(actor, doing, actor->nature.dt, scratch, next, &actor->contacts);
    float dt = actor->nature.dt;
    if (changes)
        begin_transition(actor, walks_on ? &actor->pose : NULL, next, &dt);
    tr_inertia_apply(actor->inertia, dt, next);
    tr_actor_show(actor, next);
    tr_pose_copy(&actor->pose, next);
    actor->place = place_of(actor);
    const tr_skeleton *skeleton = actor->nature.character->skeleton;
    tr_pose_to_model(skeleton, &actor->pose, &actor->place, actor->model);
    tr_actor_step_tuck(actor);
    if (actor->floor.rise)
        tr_actor_ask_rise(&actor->floor, &actor->nature.character->legs, &actor->plant, actor->model,
                          actor->contacts, actor->nature.dt, actor->plant_params.rise);
    tr_plant_step(&actor->plant, &actor->plant_params, &actor->nature.character->legs, skeleton,
                  actor->contacts, actor->nature.dt, &actor->pose, &actor->place, actor->model);
    actor->contacts = tr_plant_standing(&actor->plant, actor->contacts);
    keep_limits(actor);
    tr_actor_step_arms(actor);
    return status;
}

tr_actor_view tr_actor_look(const tr_actor *actor) {
    tr_actor_view view = {.state = actor->root.state,
                          .doing = actor->root.doing,
                          .pose = &actor->pose,
                          .model = actor->model,
                          .place = actor->place,
                          .contacts = actor->contacts,
                          .ground = actor->root.ground,
                          .character = actor->nature.character,
                          .route = actor->root.has_route ? actor->task.route : NULL};
    return view;
}
