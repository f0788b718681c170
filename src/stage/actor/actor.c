#include "actor_ahead.h"
#include "actor_data.h"

#include "motion/overlay/overlay_ahead.h"
#include "troupe/base/scalar.h"

#define POINTS_AT_FIRST 8 // initial room for points of a route

static tr_status check_def(const tr_actor_def *def, tr_error *error) {
    if (!def->character)
        return tr_fail(error, TR_INVALID, "an actor needs a character");
    if (!isfinite(def->position.x) || !isfinite(def->position.z) || !isfinite(def->heading) ||
        !isfinite(def->ground))
        return tr_fail(error, TR_INVALID, "the place of the actor is not finite");
    if (!(def->speed >= 0 && def->speed < 100) || !(def->corridor >= 0 && def->corridor < 1000) ||
        !(def->dt >= 0 && def->dt <= 1))
        return tr_fail(error, TR_INVALID,
                       "the actor has speed %g, corridor %g and dt %g s, a value is out of range",
                       (double)def->speed, (double)def->corridor, (double)def->dt);
    return tr_manner_check(&def->manner, error);
}

static tr_status allocate(tr_actor *actor, const tr_actor_def *def, tr_error *error) {
    const tr_allocator *allocator = &actor->allocator;
    tr_overlay_def overlay = {.allocator = allocator,
                              .cast = def->character,
                              .ground = def->ground,
                              .rise = def->rise,
                              .rise_user = def->rise_user,
                              .rise_most = def->rise_most,
                              .floor = def->floor};
    tr_status status = tr_driver_task_create(allocator, POINTS_AT_FIRST, 0, &actor->task, error);
    if (status == TR_OK)
        status = tr_overlay_create(&overlay, &actor->overlay, error);
    if (status == TR_OK)
        status = tr_pose_create(allocator, actor->joint_count, &actor->pose, error);
    if (status != TR_OK)
        return status;
    actor->body.pose = &actor->pose;
    actor->body.model = tr_allocate_zero(allocator, actor->joint_count, sizeof *actor->body.model);
    return actor->body.model ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
}

void tr_actor_set_manner(tr_actor *actor, const tr_manner *manner) {
    actor->manner = *manner;
    tr_overlay_set_manner(actor->overlay, manner);
}

// The actor stands at its root.
static void stand(tr_actor *actor) {
    const tr_driver_root *root = &actor->driver.root;
    tr_vec2 at = root->state.position;
    const tr_cast *cast = actor->nature.cast;
    tr_driver_body *body = &actor->body;
    bool walks = tr_cast_walks(cast);
    body->locomotion = (tr_locomotion_state){0};
    if (walks)
        body->locomotion = tr_locomotion_standing(cast->locomotion, &actor->manner);
    body->contacts = 0;
    body->place = tr_affine_place(tr_vec3_make(at.x, root->ground, at.z), root->state.heading);
    tr_clip_sample(cast->stand, body->locomotion.stand_time, body->pose);
    if (walks) {
        tr_locomotion_settle(cast->locomotion, &actor->manner, body->pose);
        tr_overlay_pose_manner(actor->overlay, body->pose);
    }
    tr_pose_to_model(cast->skeleton, body->pose, &body->place, body->model);
    if (walks)
        actor->before = tr_footstep_motion_joints_of(&cast->legs, body->model);
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
    made->joint_count = tr_skeleton_joint_count(def->character->skeleton);
    made->route_points_max = def->route_points_max ? def->route_points_max : ACTOR_ROUTE_POINTS;
    made->nature = (tr_driver_nature){.cast = def->character,
                                      .dt = def->dt > 0 ? def->dt : 1.0f / 30,
                                      .speed = def->speed > 0 ? def->speed : 1.3f * (1 + def->manner.speed),
                                      .corridor = def->corridor > 0 ? def->corridor : 0.1f};
    made->driver.root.ground = def->ground;
    made->driver.root.state.position = def->position;
    made->driver.root.state.heading = def->heading;
    status = allocate(made, def, error);
    if (status != TR_OK) {
        tr_actor_destroy(made);
        return status;
    }
    tr_actor_set_manner(made, &def->manner);
    stand(made);
    *actor = made;
    return TR_OK;
}

void tr_actor_destroy(tr_actor *actor) {
    if (!actor)
        return;
    tr_allocator allocator = actor->allocator;
    tr_release(&allocator, actor->body.model, actor->joint_count, sizeof *actor->body.model);
    tr_release(&allocator, actor->trail, 1, sizeof *actor->trail);
    tr_pose_destroy(&actor->pose);
    tr_overlay_destroy(actor->overlay);
    tr_driver_task_destroy(&allocator, &actor->task);
    for (uint32_t i = 0; i < 2; i++)
        tr_behavior_motion_destroy(actor->motions[i]);
    tr_release(&allocator, actor, 1, sizeof *actor);
}

tr_status tr_actor_place(tr_actor *actor, tr_vec2 position, float ground, float heading, tr_error *error) {
    if (!isfinite(position.x) || !isfinite(position.z) || !isfinite(ground) || !isfinite(heading))
        return tr_fail(error, TR_INVALID, "the place of the actor is not finite");
    actor->driver.root =
        (tr_driver_root){.state = {.position = position, .heading = heading}, .ground = ground};
    tr_overlay_forget(actor->overlay, ground);
    tr_actor_trail_forget(actor);
    stand(actor);
    return TR_OK;
}

tr_status tr_actor_set_ride(tr_actor *actor, tr_vec3 to, float seconds, tr_error *error) {
    tr_status status = tr_driver_set_ride(&actor->driver, to, seconds, error);
    if (status == TR_OK)
        tr_actor_trail_forget(actor);
    return status;
}

void tr_actor_set_slopes(tr_actor *actor, bool slopes) {
    tr_driver_root *root = &actor->driver.root;
    if (root->kind == TR_DRIVER_GAIT && !root->has_route)
        root->slopes = slopes;
}

void tr_actor_set_rise(tr_actor *actor, float (*rise)(void *user, tr_vec2 point), void *user) {
    tr_overlay_set_rise(actor->overlay, rise, user);
}

tr_status tr_actor_reserve(tr_actor *actor, uint32_t point_count, uint32_t footstep_count, tr_error *error) {
    if (point_count > actor->route_points_max || footstep_count > TR_ACTOR_FOOTSTEPS_MAX)
        return tr_fail(error, TR_LIMIT, "%u points and %u footsteps are too many, the limits are %u and %d",
                       point_count, footstep_count, actor->route_points_max, TR_ACTOR_FOOTSTEPS_MAX);
    tr_status status = point_count > 0 ? tr_actor_reserve_route(actor, point_count, error) : TR_OK;
    if (status != TR_OK)
        return status;
    return tr_driver_task_reserve(&actor->allocator, point_count, footstep_count, &actor->task, error);
}

tr_status tr_actor_set_route(tr_actor *actor, const tr_vec2 *points, uint32_t point_count,
                             const uint8_t *passage, const float *final_heading, float speed,
                             tr_error *error) {
    if (point_count > actor->route_points_max)
        return tr_fail(error, TR_LIMIT, "the route has %u points, the limit is %u", point_count,
                       actor->route_points_max);
    tr_status status = tr_actor_reserve_route(actor, point_count, error);
    tr_driver_state next = actor->driver;
    if (status == TR_OK)
        status = tr_driver_set_route(&next, &actor->task, &actor->nature, points, point_count, passage,
                                     final_heading, speed, error);
    if (status != TR_OK)
        return status;
    if (next.root.kind == TR_DRIVER_GAIT)
        tr_actor_leave_footsteps(actor);
    actor->driver.root = next.root;
    tr_actor_trail_forget(actor);
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

void tr_actor_ahead(const tr_actor *actor) {
    tr_ahead(actor, offsetof(tr_actor, driver.steps)); // not used by a walking actor
    tr_ahead(&actor->task, sizeof *actor - offsetof(tr_actor, task));
}

// Prefetches what a step reads and writes: its first half hardly needs what the second half does. A crowd is
// larger than the caches.
static void fetch_parts(const tr_actor *actor) {
    tr_actor_ahead(actor);
    tr_ahead(actor->body.model, actor->joint_count * sizeof *actor->body.model);
    tr_overlay_ahead(actor->overlay);
    tr_ahead(actor->pose.position[0], (size_t)actor->pose.stride * 7 * sizeof(float));
    for (uint32_t i = 0; i < 2 && actor->trail; i++)
        tr_ahead(&actor->trail->states[(actor->ticks + i) % ACTOR_TRAIL], sizeof *actor->trail->states);
    tr_overlay_parts_ahead(actor->overlay);
}

void tr_actor_trade_pose(tr_actor *actor, tr_pose *before) {
    if (before->joint_count != actor->pose.joint_count)
        return;
    tr_pose last = actor->pose;
    actor->pose = *before;
    *before = last;
}

tr_status tr_actor_step(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit) {
    const tr_driver *driver = tr_driver_of(&actor->driver);
    tr_driver_body *body = &actor->body;
    fetch_parts(actor);
    body->scratch = scratch->poses;
    body->stand_share = tr_overlay_stand_share(actor->overlay);
    // A tick that a ghost has walked need not be walked again.
    tr_driver_root next = actor->driver.root;
    bool known = tr_actor_trail_known(actor, 0, &next, speed_limit) > 0;
    if (known)
        tr_actor_trail_follow(actor, 0, &next);
    body->next = known ? &next : NULL;
    if (tr_cast_walks(actor->nature.cast))
        actor->before = tr_footstep_motion_joints_of(&actor->nature.cast->legs, body->model);
    tr_overlay_plain_hips(actor->overlay, &actor->before.hips);
    tr_status status = driver->step(&actor->driver, &actor->task, &actor->nature, speed_limit, body);
    body->next = NULL;
    if (status != TR_OK && status != TR_DONE)
        return status;
    actor->ticks++;
    tr_overlay_apply(actor->overlay, driver, &actor->driver, &actor->task, &actor->nature, body);
    if (driver->legs && !tr_driver_of(&actor->driver)->legs) { // it has come to the end of its footsteps
        body->locomotion = tr_locomotion_standing(actor->nature.cast->locomotion, &actor->manner);
        tr_overlay_hold_feet(actor->overlay, &actor->driver.root, body);
    }
    if (actor->driver.root.doing == TR_DRIVER_PERFORMS && actor->driver.root.kind == TR_DRIVER_GAIT)
        tr_actor_end_perform(actor);
    return status;
}

float tr_actor_brake_distance(const tr_actor *actor) {
    return tr_follow_brake_distance(&actor->task.follow, actor->driver.root.state.speed);
}

const tr_driver_root *tr_actor_root(const tr_actor *actor) {
    return &actor->driver.root;
}

// The public names of what a driver does.
_Static_assert((int)TR_ACTOR_STANDS == TR_DRIVER_STANDS && (int)TR_ACTOR_WALKS == TR_DRIVER_WALKS &&
                   (int)TR_ACTOR_TURNS == TR_DRIVER_TURNS &&
                   (int)TR_ACTOR_SIDE_STEPS == TR_DRIVER_SIDE_STEPS &&
                   (int)TR_ACTOR_STEPS == TR_DRIVER_FOOTSTEPS && (int)TR_ACTOR_RIDES == TR_DRIVER_RIDES &&
                   (int)TR_ACTOR_PERFORMS == TR_DRIVER_PERFORMS,
               "tr_actor_doing and tr_driver_doing differ");

actor_look tr_actor_look(const tr_actor *actor) {
    const tr_driver_root *root = &actor->driver.root;
    return (actor_look){.state = root->state,
                        .doing = (tr_actor_doing)root->doing,
                        .pose = &actor->pose,
                        .model = actor->body.model,
                        .place = actor->body.place,
                        .contacts = actor->body.contacts,
                        .ground = root->ground,
                        .character = actor->nature.cast,
                        .route = root->has_route ? actor->task.route : NULL};
}
