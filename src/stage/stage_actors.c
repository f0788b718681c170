// Adding, removing and placing actors.
#include "stage_data.h"
#include "troupe/base/hash.h"

#include <stdio.h>
#include <string.h>

#define LOWEST -1e6f    // below every floor [m]
#define NUDGE 0.15f     // an actor that is too near to an obstacle by less than this is moved beside it [m]
#define WAIST 0.5f      // height above the floor at which a body is tested for being inside an object [m]
#define SLOPE_ROOM 0.2f // the floor around a standing actor that decides whether it stands on a slope [m]
#define SLOPE_LEAST 0.008f // from this difference of heights within it on [m]

stage_actor *tr_stage_find_actor(const tr_stage *stage, tr_actor_id actor) {
    uint32_t low = 0, high = stage->actor_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (stage->actors[middle]->id < actor)
            low = middle + 1;
        else
            high = middle;
    }
    return low < stage->actor_count && stage->actors[low]->id == actor ? stage->actors[low] : NULL;
}

void tr_stage_free_actor(tr_stage *stage, stage_actor *who) {
    const tr_allocator *allocator = &stage->allocator;
    tr_stage_drop_performer(stage, who);
    if (who->body != TR_NONE) {
        tr_timeline_remove(stage->timeline, who->body);
        stage->bodies[who->body] = NULL;
    }
    tr_stage_forget(stage, who);
    tr_stage_close_eyes(stage, who);
    tr_actor_destroy(who->actor);
    tr_pose_destroy(&who->before);
    tr_way_destroy(allocator, &who->way);
    tr_stage_free_orders(stage, who);
    tr_release(allocator, who->reach, 1, sizeof *who->reach);
    tr_release(allocator, who->name, who->name_size, 1);
    tr_release(allocator, who, 1, sizeof *who);
}

static void free_scratch(tr_stage *stage, struct stage_scratch *scratch) {
    for (uint32_t i = 0; scratch->members && i < stage->member_count; i++)
        tr_actor_scratch_destroy(&scratch->members[i]);
    tr_release(&stage->allocator, scratch->members, stage->member_count, sizeof *scratch->members);
    tr_release(&stage->allocator, scratch->model, scratch->joints, sizeof *scratch->model);
}

void tr_stage_free_scratches(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->scratch_count; i++)
        free_scratch(stage, &stage->scratches[i]);
    tr_release(&stage->allocator, stage->scratches, stage->scratch_capacity, sizeof *stage->scratches);
}

tr_status tr_stage_scratch_for(tr_stage *stage, uint32_t joints, uint32_t *scratch, tr_error *error) {
    for (*scratch = 0; *scratch < stage->scratch_count; ++*scratch)
        if (stage->scratches[*scratch].joints == joints)
            return TR_OK;
    void *scratches = stage->scratches;
    bool room = tr_reserve(&stage->allocator, &scratches, &stage->scratch_capacity,
                           (uint64_t)stage->scratch_count + 1, sizeof *stage->scratches);
    stage->scratches = scratches;
    struct stage_scratch made = {.joints = joints};
    if (room)
        made.members = tr_allocate_zero(&stage->allocator, stage->member_count, sizeof *made.members);
    if (made.members)
        made.model = tr_allocate(&stage->allocator, joints, sizeof *made.model);
    tr_status status = made.model ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    for (uint32_t i = 0; i < stage->member_count && status == TR_OK; i++)
        status = tr_actor_scratch_create(&stage->allocator, joints, &made.members[i], error);
    if (status != TR_OK) {
        free_scratch(stage, &made);
        return status;
    }
    stage->scratches[stage->scratch_count++] = made;
    return TR_OK;
}

// Hollow objects have floors inside them as well.
static bool is_inside(const tr_stage *stage, tr_vec3 place) {
    return tr_surface_is_inside(stage->def.scene, tr_vec3_make(place.x, place.y + WAIST, place.z));
}

// The place of an actor that is put at a point: the point, or the nearest room close by.
static tr_status find_place(const tr_stage *stage, const char *name, uint32_t size, tr_vec3 point,
                            bool any_floor, tr_vec3 *place, tr_error *error) {
    tr_vec3 from = any_floor ? tr_vec3_make(point.x, LOWEST, point.z) : point;
    tr_ground_place found = any_floor ? tr_ground_level(stage->ground, size, from)
                                      : tr_ground_drop(stage->ground, size, from, TUNE_FLOOR_RISE);
    bool free = found.why == TR_GROUND_FREE && found.cell != TR_NONE;
    if (free && is_inside(stage, tr_vec3_make(point.x, found.position.y, point.z)))
        found.why = TR_GROUND_INSIDE;
    if (free && found.why == TR_GROUND_FREE) {
        *place = tr_vec3_make(point.x, found.position.y, point.z);
        return TR_OK;
    }
    float level = found.cell != TR_NONE ? found.position.y : 0;
    tr_vec3 around = tr_vec3_make(point.x, any_floor ? level : point.y, point.z);
    tr_ground_place near = tr_ground_nearest(stage->ground, size, around, NUDGE);
    if (near.cell != TR_NONE && found.why == TR_GROUND_NARROW && !is_inside(stage, near.position)) {
        *place = near.position;
        return TR_OK;
    }
    char why[200];
    tr_ground_look_inside(stage->def.scene, tr_vec3_make(around.x, around.y + WAIST, around.z), &found);
    tr_ground_explain(stage->ground, size, around, &found, why, sizeof why);
    return tr_fail(error, TR_INVALID, "%.60s cannot stand there: %s", name, why);
}

// Is no other actor at the place, or on its way there?
static tr_status check_others(const tr_stage *stage, const stage_actor *who, tr_vec3 place, tr_error *error) {
    tr_timeline_motion motion = tr_stage_standing(stage, who, &place);
    tr_timeline_meeting meeting;
    uint32_t near[64], count = tr_timeline_near(stage->timeline, place, who->radius + 10, 3, 3, near, 64);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        tr_vec3 at = other ? tr_stage_place_of(other) : place;
        float x = at.x - place.x, z = at.z - place.z, apart = other ? who->radius + other->radius : 0;
        bool level = fabsf(at.y - place.y) < (at.y < place.y && other ? other->height : who->height);
        if (other && level && x * x + z * z < apart * apart)
            return tr_fail(error, TR_INVALID, "%.60s cannot stand at (%g, %g, %g): %.60s stands there",
                           who->name, (double)place.x, (double)place.y, (double)place.z, other->name);
    }
    if (!tr_timeline_meets(stage->timeline, &motion, &meeting))
        return TR_OK;
    const stage_actor *other = meeting.body != TR_NONE ? stage->bodies[meeting.body] : NULL;
    return tr_fail(error, TR_INVALID, "%.60s cannot stand at (%g, %g, %g): %.60s will move there", who->name,
                   (double)place.x, (double)place.y, (double)place.z, other ? other->name : "an object");
}

static tr_status name_actor(tr_stage *stage, const tr_stage_actor_def *def, stage_actor *made,
                            tr_error *error) {
    char number[32];
    snprintf(number, sizeof number, "actor%u", made->id);
    const char *name = def->name ? def->name : number;
    made->name_size = strlen(name) + 1;
    made->name = tr_allocate(&stage->allocator, made->name_size, 1);
    if (!made->name)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    memcpy(made->name, name, made->name_size);
    return tr_way_create(&stage->allocator, STAGE_POINTS, STAGE_PIECES, &made->way, error);
}

bool tr_stage_set_body(tr_stage *stage, stage_actor *who, uint32_t body) {
    void *bodies = stage->bodies;
    uint32_t before = stage->body_capacity;
    bool room = tr_reserve(&stage->allocator, &bodies, &stage->body_capacity, (uint64_t)body + 1,
                           sizeof *stage->bodies);
    stage->bodies = bodies;
    if (!room)
        return false;
    for (uint32_t i = before; i < stage->body_capacity; i++)
        stage->bodies[i] = NULL;
    stage->bodies[body] = who;
    who->body = body;
    return true;
}

static tr_status add_body(tr_stage *stage, stage_actor *made, tr_vec3 place, tr_error *error) {
    uint32_t body;
    tr_status status = tr_timeline_add(stage->timeline, place, made->radius, made->height, &body, error);
    if (status != TR_OK)
        return status;
    if (tr_stage_set_body(stage, made, body))
        return TR_OK;
    tr_timeline_remove(stage->timeline, body);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
}

tr_actor_def tr_stage_body_of(tr_stage *stage, stage_actor *who, const tr_character *character) {
    return (tr_actor_def){.allocator = &stage->allocator,
                          .character = character,
                          .corridor = TUNE_CORRIDOR,
                          .dt = (float)TR_STAGE_TICK,
                          .route_points_max = STAGE_POINTS,
                          .rise = tr_stage_rise,
                          .floor = tr_stage_smooth_near,
                          .rise_user = who,
                          .rise_most = tr_stage_rise_most};
}

// Is the floor a slope where an actor is put? Then its place is moved from the top of a cell onto the slope.
static bool stands_on_slope(const tr_stage *stage, const stage_actor *who, tr_vec3 *place) {
    float rise = tr_ground_size(stage->ground, who->sizes[0])->foot_rise, most = 0;
    float height = tr_ground_smooth_height(stage->ground, *place, rise);
    for (int i = 0; i < 4; i++) {
        float x = i % 2 ? 0 : SLOPE_ROOM, z = i % 2 ? SLOPE_ROOM : 0, sign = i < 2 ? 1.0f : -1.0f;
        tr_vec3 near = {place->x + sign * x, height, place->z + sign * z};
        float there = tr_ground_smooth_height(stage->ground, near, rise);
        most = fabsf(there - height) > most ? fabsf(there - height) : most;
        if (!tr_way_is_smooth(stage->ground, tr_vec3_make(place->x, height, place->z), near, rise))
            return false;
    }
    if (most < SLOPE_LEAST)
        return false;
    place->y = height;
    return true;
}

// Ids begin at 1 and are close together; the hash spreads them.
static tr_manner manner_of(const tr_stage *stage, const tr_stage_actor_def *def, tr_actor_id id) {
    uint64_t own[2] = {stage->def.seed, id};
    uint64_t seed = def->seed ? def->seed : tr_hash(TR_HASH_START, own, sizeof own);
    tr_manner person = tr_manner_of_person(seed, stage->def.variety * (1 - def->plain));
    tr_manner kind = tr_manner_add(&def->character->manner, &def->manner);
    return tr_manner_add(&kind, &person);
}

static tr_status fill_actor(tr_stage *stage, const tr_stage_actor_def *def, stage_actor *made,
                            tr_error *error) {
    made->stage = stage;
    float usual = tr_character_walks(def->character) ? 0.3f : tr_character_radius(def->character);
    made->radius = def->radius > 0 ? def->radius : usual > 0 ? usual : 0.3f;
    made->height = def->height > 0 ? def->height : def->character->height * 1.02f;
    tr_manner manner = manner_of(stage, def, made->id);
    made->speed = def->speed > 0 ? def->speed : 1.3f * (1 + manner.speed);
    made->nearest = INFINITY;
    made->commitment.to_go = INFINITY;
    made->blocker = made->cover = made->upper_order = TR_NONE;
    tr_vec3 place = def->position;
    tr_go_body body = {def->character->stature, made->height, made->radius, def->character->depth, 0};
    tr_status status = name_actor(stage, def, made, error);
    if (status == TR_OK)
        status = tr_stage_update_ground(stage, error);
    if (status == TR_OK)
        status = tr_go_add_sizes(stage->ground, &body, made->sizes, error);
    if (status == TR_OK)
        status = find_place(stage, made->name, made->sizes[0], def->position, def->any_floor, &place, error);
    if (status == TR_OK)
        status = check_others(stage, made, place, error);
    uint32_t joints = tr_skeleton_joint_count(def->character->skeleton);
    if (status == TR_OK)
        status = tr_stage_scratch_for(stage, joints, &made->scratch, error);
    if (status == TR_OK)
        status = tr_pose_create(&stage->allocator, joints, &made->before, error);
    bool slopes = status == TR_OK && stands_on_slope(stage, made, &place);
    made->level = place.y;
    made->post = place;
    tr_actor_def actor = tr_stage_body_of(stage, made, def->character);
    actor.position = (tr_vec2){place.x, place.z};
    actor.heading = def->heading;
    actor.ground = place.y;
    actor.speed = made->speed;
    actor.manner = manner;
    if (status == TR_OK)
        status = tr_actor_create(&actor, &made->actor, error);
    if (status == TR_OK)
        tr_actor_set_slopes(made->actor, slopes);
    if (status == TR_OK)
        status = tr_stage_open_eyes(stage, made, &def->eyes, NULL, error);
    if (status == TR_OK)
        status = tr_stage_add_performer(stage, made, def, error);
    return status == TR_OK ? add_body(stage, made, place, error) : status;
}

tr_status tr_stage_add_actor(tr_stage *stage, const tr_stage_actor_def *def, tr_actor_id *actor,
                             tr_error *error) {
    *actor = 0;
    bool placed = isfinite(def->position.x) && isfinite(def->position.z) && isfinite(def->heading) &&
                  (def->any_floor || isfinite(def->position.y));
    if (!def->character || !placed || !(def->radius >= 0 && def->radius < 10) ||
        !(def->height >= 0 && def->height < 100) || !(def->speed >= 0 && def->speed < 100))
        return tr_fail(
            error, TR_INVALID,
            "an actor needs a character, a finite place, and radius, height and speed of at least 0");
    if (!tr_character_walks(def->character) && (!def->behaviors || def->behaviors_where_needed))
        return tr_fail(
            error, TR_INVALID,
            "a character that moves by behaviors alone needs \"behaviors\", and cannot walk where these "
            "are not needed");
    if (!(def->plain >= 0 && def->plain <= 1))
        return tr_fail(error, TR_INVALID, "plain is %g, it must be 0 to 1", (double)def->plain);
    tr_status good = tr_manner_check(&def->manner, error);
    if (good == TR_OK)
        good = tr_stage_check_eyes(&def->eyes, error);
    if (good != TR_OK)
        return good;
    if (def->behaviors && stage->journal)
        return tr_fail(error, TR_INVALID, "a journal cannot record an actor with behaviors");
    tr_stage_note_add(stage, def);
    void *actors = stage->actors;
    bool room = tr_reserve(&stage->allocator, &actors, &stage->actor_capacity,
                           (uint64_t)stage->actor_count + 1, sizeof *stage->actors);
    stage->actors = actors;
    room = room && tr_stage_reserve_measures(stage, stage->actor_count + 1) &&
           tr_actor_ghost_reserve(stage->ghost, TUNE_WAITING(stage->actor_count + 1), NULL) == TR_OK;
    stage_actor *made = room ? tr_allocate_zero(&stage->allocator, 1, sizeof *made) : NULL;
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    made->id = stage->last_id + 1;
    made->body = TR_NONE;
    tr_status status = fill_actor(stage, def, made, error);
    if (status != TR_OK) {
        tr_stage_free_actor(stage, made);
        return status;
    }
    actor_look view = tr_actor_look(made->actor);
    tr_pose_copy(&made->before, view.pose);
    made->before_place = view.place;
    *actor = stage->last_id = made->id;
    stage->actors[stage->actor_count++] = made;
    return TR_OK;
}

tr_status tr_stage_remove_actor(tr_stage *stage, tr_actor_id actor) {
    tr_stage_note(stage, &(journal_entry){.kind = JOURNAL_REMOVE, .actor = actor});
    stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return TR_INVALID;
    tr_status status = tr_stage_cancel(stage, actor, TR_NONE); // every order ends
    if (status != TR_OK)
        return status;
    uint32_t index = 0;
    while (stage->actors[index] != who)
        index++;
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *other = stage->actors[i];
        if (other->blocker == who->body)
            other->blocker = TR_NONE;
        if (other->aside_for == who->id)
            other->aside_for = 0;
    }
    memmove(stage->actors + index, stage->actors + index + 1,
            (stage->actor_count - index - 1) * sizeof *stage->actors);
    stage->actor_count--;
    uint32_t turn = (index + stage->actor_count + 1 - stage->plan_first) % (stage->actor_count + 1);
    stage->plan_next -= turn < stage->plan_next;
    stage->strips.body = TR_NONE;
    tr_stage_free_actor(stage, who);
    return TR_OK;
}

tr_status tr_stage_place_actor(tr_stage *stage, tr_actor_id actor, tr_vec3 position, float heading,
                               tr_error *error) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return tr_fail(error, TR_INVALID, "there is no actor %u", actor);
    if (!tr_vec3_is_finite(position) || !isfinite(heading))
        return tr_fail(error, TR_INVALID, "the place for %.60s is not finite", who->name);
    tr_stage_note(
        stage, &(journal_entry){.kind = JOURNAL_PLACE, .actor = actor, .point = position, .value = heading});
    tr_vec3 place;
    tr_status status = tr_stage_update_ground(stage, error);
    if (status == TR_OK)
        status = find_place(stage, who->name, who->sizes[0], position, false, &place, error);
    if (status == TR_OK)
        status = check_others(stage, who, place, error);
    bool slopes = status == TR_OK && stands_on_slope(stage, who, &place);
    if (status == TR_OK)
        status = tr_actor_place(who->actor, (tr_vec2){place.x, place.z}, place.y, heading, error);
    if (status != TR_OK)
        return status;
    tr_actor_set_slopes(who->actor, slopes);
    who->level = place.y;
    who->post = place;
    who->errand = STAGE_IDLE;
    tr_way_clear(&who->way);
    who->piece = 0;
    who->piece_begun = who->claims = false;
    who->blocker = TR_NONE;
    who->pushes = who->rounds = 0;
    tr_stage_commit_rest(stage, who);
    actor_look view = tr_actor_look(who->actor);
    tr_pose_copy(&who->before, view.pose); // no motion connects the two places
    who->before_place = view.place;
    stage_order *order = tr_stage_current(who);
    if (order && tr_stage_is_of_legs(&order->order))
        order->unplanned = true;
    return TR_OK;
}

tr_status tr_stage_set_speed(tr_stage *stage, tr_actor_id actor, float speed) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who || !(speed > 0 && speed < 100))
        return TR_INVALID;
    tr_stage_note(stage, &(journal_entry){.kind = JOURNAL_SPEED, .actor = actor, .value = speed});
    who->speed = speed;
    stage_order *order = tr_stage_current(who);
    if (who->errand == STAGE_ORDER && order && !(order->order.speed > 0))
        who->replan = true;
    return TR_OK;
}

tr_status tr_stage_look_at(tr_stage *stage, tr_actor_id actor, const tr_vec3 *point, tr_error *error) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who || (point && !tr_vec3_is_finite(*point)))
        return tr_fail(error, TR_INVALID, "there is no actor %u, or the point is not finite", actor);
    journal_entry call = {.kind = JOURNAL_LOOK, .actor = actor, .yes = point != NULL};
    call.point = point ? *point : call.point;
    tr_stage_note(stage, &call);
    tr_status status = tr_actor_prepare_arms(who->actor, error);
    if (status == TR_OK)
        tr_actor_look_at(who->actor, point);
    return status;
}

uint32_t tr_stage_actor_count(const tr_stage *stage) {
    return stage->actor_count;
}

tr_actor_id tr_stage_actor(const tr_stage *stage, uint32_t index) {
    return index < stage->actor_count ? stage->actors[index]->id : 0;
}

const char *tr_stage_actor_name(const tr_stage *stage, tr_actor_id actor) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    return who ? who->name : "";
}

tr_status tr_stage_look(const tr_stage *stage, tr_actor_id actor, tr_actor_view *view) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return TR_INVALID;
    actor_look look = tr_actor_look(who->actor);
    *view = (tr_actor_view){.position = {look.state.position.x, look.ground, look.state.position.z},
                            .heading = look.state.heading,
                            .speed = look.state.speed,
                            .doing = look.doing,
                            .place = look.place,
                            .pose = look.pose,
                            .model = look.model,
                            .contacts = look.contacts,
                            .character = look.character};
    return TR_OK;
}

const tr_way *tr_stage_way(const tr_stage *stage, tr_actor_id actor) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    return who && who->errand != STAGE_IDLE ? &who->way : NULL;
}
