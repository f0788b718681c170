// The saved fields of a stage: one function for each struct, which writes and reads.
//
// A field of stage_actor or tr_stage that the next tick depends on belongs here (archive_crowd, and
// tr_save_stage). A field that is recomputed in every tick does not, nor does working memory.
// tests/stage/save/test_save.c continues from saves at random ticks, and fails if a field was forgotten.
#include "save_fields.h"
#include "motion/motion_archive.h"
#include "plan/plan_archive.h"

#include <string.h>

#define NAME_MAX_BYTES (1u << 16)
#define ORDERS_MAX (1u << 24)
#define EVENTS_MAX (1u << 24)
#define ACTORS_MAX (1u << 24)
#define FRAMES_MAX (1u << 24)

void tr_save_settings(tr_stage_def *def, tr_archive *archive) {
    tr_archive_box(archive, &def->area);
    tr_archive_float(archive, &def->cell);
    tr_archive_float(archive, &def->margin);
    tr_archive_u32(archive, &def->plan_budget);
    tr_archive_u32(archive, &def->plan_microseconds);
    tr_archive_bool(archive, &def->record);
    tr_archive_double(archive, &def->frames_per_second);
    tr_archive_float(archive, &def->variety);
    tr_archive_u64(archive, &def->seed);
    tr_archive_u32(archive, &def->steps_ahead);
}

// --- Orders ---

void tr_save_loose(tr_archive *archive, float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        float value = isnan(values[i]) ? 0 : values[i];
        tr_archive_float(archive, &value);
        values[i] = tr_archive_reads(archive) ? value : values[i];
    }
}

static void save_loose_double(tr_archive *archive, double *value) {
    double number = isnan(*value) ? 0 : *value;
    tr_archive_double(archive, &number);
    *value = tr_archive_reads(archive) ? number : *value;
}

void tr_save_drag(tr_drag *drag, tr_archive *archive) {
    float values[3] = {drag->ahead, drag->aside, drag->turn};
    tr_save_loose(archive, values, 3);
    if (tr_archive_reads(archive))
        *drag = (tr_drag){values[0], values[1], values[2]};
}

// Fields that its kind does not use may hold any value.
void tr_save_order(tr_order *order, tr_archive *archive) {
    order->kind = (tr_order_kind)tr_archive_choice(archive, order->kind, TR_ORDER_DRAG + 1);
    uint32_t goal_kind = order->kind == TR_ORDER_GO ? order->goal_kind : TR_GOAL_POINT;
    order->goal_kind = (tr_goal_kind)tr_archive_choice(archive, goal_kind, TR_GOAL_ACTOR + 1);
    tr_save_loose(archive, &order->goal.x, 3);
    tr_archive_bool(archive, &order->any_floor);
    tr_save_loose(archive, &order->region.min.x, 3);
    tr_save_loose(archive, &order->region.max.x, 3);
    tr_archive_u32(archive, &order->target);
    tr_save_loose(archive, &order->near, 1);
    tr_archive_bool(archive, &order->passes);
    tr_archive_bool(archive, &order->has_heading);
    tr_save_loose(archive, &order->heading, 1);
    tr_save_loose(archive, &order->speed, 1);
    tr_archive_double(archive, &order->deadline);
    tr_save_loose(archive, &order->velocity.x, 2);
    tr_save_drag(&order->drag, archive);
    save_loose_double(archive, &order->seconds);
    tr_archive_u32(archive, &order->hands);
    tr_archive_bool(archive, &order->has_object);
    tr_archive_u32(archive, &order->object);
    tr_save_loose(archive, &order->point.x, 3);
    tr_archive_bool(archive, &order->has_direction);
    tr_save_loose(archive, &order->direction.x, 3);
    tr_save_loose(archive, &order->tolerance, 1);
    save_loose_double(archive, &order->hold);
}

// The planning time belongs to this run and is not saved.
static void archive_order_reach(tr_order_reach *reach, tr_archive *archive) {
    reach->side = (tr_arm_side)tr_archive_choice(archive, reach->side, 2);
    tr_archive_u32(archive, &reach->plans);
    tr_archive_double(archive, &reach->move_begin);
    tr_archive_double(archive, &reach->move_end);
    reach->by = (tr_reach_by)tr_archive_choice(archive, reach->by, TR_REACH_BY_TREES + 1);
    tr_archive_u32(archive, &reach->checks);
    tr_archive_double(archive, &reach->duration);
    tr_archive_double(archive, &reach->wrist_length);
    tr_archive_float(archive, &reach->clearance);
    tr_arm_archive_goal(&reach->goal, archive);
    tr_arm_archive(&reach->arm, archive);
    tr_arm_archive_posture(&reach->posture, archive);
}

// A text in a larger field.
static void archive_text(char *text, uint32_t room, tr_archive *archive) {
    uint32_t length = tr_archive_count(archive, (uint32_t)strlen(text), room - 1, "bytes of text");
    tr_archive_bytes(archive, text, length);
    text[length] = 0;
}

static void archive_order(stage_order *order, tr_archive *archive) {
    tr_save_order(&order->order, archive);
    tr_archive_u32(archive, &order->number);
    order->state = (tr_order_state)tr_archive_choice(archive, order->state, TR_ORDER_CANCELLED + 1);
    archive_text(order->reason, sizeof order->reason, archive);
    tr_archive_double(archive, &order->begin);
    tr_archive_double(archive, &order->end);
    tr_archive_bool(archive, &order->beside);
    tr_archive_bool(archive, &order->unplanned);
    tr_archive_bool(archive, &order->rests_first);
    bool reached = order->order.kind == TR_ORDER_REACH;
    if (reached)
        archive_order_reach(&order->reach, archive);
}

// Reserves room for `count` items in an array that is read.
static bool make_room(tr_stage *stage, void *array, uint32_t *capacity, uint64_t count, size_t size,
                      tr_archive *archive) {
    void **block = array;
    bool room = !tr_archive_reads(archive) || tr_reserve(&stage->allocator, block, capacity, count, size);
    if (!room)
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory to load the save");
    return room;
}

static void archive_orders(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    uint32_t count = tr_archive_count(archive, who->order_count, ORDERS_MAX, "orders");
    if (!make_room(stage, &who->orders, &who->order_capacity, count, sizeof *who->orders, archive))
        return;
    if (tr_archive_reads(archive) && count)
        memset(who->orders, 0, count * sizeof *who->orders);
    who->order_count = count;
    for (uint32_t i = 0; i < count; i++)
        archive_order(&who->orders[i], archive);
    tr_archive_u32(archive, &who->current);
    tr_archive_u32(archive, &who->order_total);
    tr_archive_double(archive, &who->wait_until);
    tr_archive_check(archive, who->current <= count, "the saved current order does not exist");
}

// --- Actors ---

static void archive_reach(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    bool reaches = who->reach != NULL;
    tr_archive_bool(archive, &reaches);
    if (!reaches)
        return;
    if (tr_archive_reads(archive))
        who->reach = tr_allocate_zero(&stage->allocator, 1, sizeof *who->reach);
    if (!who->reach) {
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory to load the save");
        return;
    }
    stage_reach *reach = who->reach;
    tr_archive_bool(archive, &reach->busy);
    tr_archive_u32(archive, &reach->lowering);
    tr_archive_u32(archive, &reach->untried);
    reach->side = (tr_arm_side)tr_archive_choice(archive, reach->side, 2);
    tr_archive_bool(archive, &reach->moving);
    tr_archive_bool(archive, &reach->returning[0]);
    tr_archive_bool(archive, &reach->returning[1]);
    tr_archive_bool(archive, &reach->moved);
    tr_archive_u32(archive, &reach->tries);
    tr_archive_double(archive, &reach->planned);
    tr_archive_double(archive, &reach->blocked_since);
    tr_archive_double(archive, &reach->held_since);
    tr_archive_vec3(archive, &reach->target);
    archive_text(reach->reason, sizeof reach->reason, archive);
    tr_error error = {0};
    tr_status status = TR_OK;
    tr_archive_check(archive, stage->solid != NULL, "an actor reaches, but the save has no solid");
    if (tr_archive_reads(archive) && tr_archive_is_good(archive))
        status = tr_stage_add_planners(stage, who, TR_HAND_RIGHT | TR_HAND_LEFT, &error);
    if (status != TR_OK)
        tr_archive_fail(archive, status, "%s", error.message);
}

static void archive_way(stage_actor *who, tr_archive *archive) {
    who->errand = (stage_errand)tr_archive_choice(archive, who->errand, STAGE_ASIDE + 1);
    tr_way_archive(&who->way, archive);
    who->narrow_count = tr_archive_choice(archive, who->narrow_count, STAGE_NARROWS + 1);
    for (uint32_t i = 0; i < who->narrow_count; i++) {
        tr_archive_float(archive, &who->narrows[i].begin);
        tr_archive_float(archive, &who->narrows[i].end);
    }
    tr_archive_u32(archive, &who->piece);
    tr_archive_bool(archive, &who->piece_begun);
    tr_archive_float(archive, &who->route_more);
    tr_archive_vec3(archive, &who->goal);
    tr_archive_vec3(archive, &who->post);
    tr_archive_bool(archive, &who->replan);
    tr_archive_bool(archive, &who->on_triangles);
    tr_archive_u64(archive, &who->drag_tick);
    uint32_t pieces = who->errand == STAGE_IDLE ? UINT32_MAX : who->way.piece_count;
    tr_archive_check(archive, who->piece <= pieces, "the saved current piece of a way does not exist");
}

static void archive_commitment(stage_commitment *commitment, tr_archive *archive) {
    tr_archive_u64(archive, &commitment->slow);
    tr_archive_u64(archive, &commitment->stop);
    tr_archive_float(archive, &commitment->limit);
    tr_archive_float(archive, &commitment->slow_limit);
    tr_archive_u64(archive, &commitment->rest);
    tr_archive_float(archive, &commitment->to_go);
}

// Which body it waits for, which claims it has: the state of an actor in the crowd.
static void archive_crowd(stage_actor *who, tr_archive *archive) {
    archive_commitment(&who->commitment, archive);
    who->stepped = (tr_status)tr_archive_choice(archive, who->stepped, TR_UNAVAILABLE + 1);
    tr_archive_u32(archive, &who->blocker);
    tr_archive_u64(archive, &who->blocker_seen);
    tr_archive_bool(archive, &who->stuck);
    tr_archive_bool(archive, &who->polite);
    tr_archive_u64(archive, &who->waiver);
    tr_archive_u64(archive, &who->commits);
    tr_archive_bool(archive, &who->detours);
    tr_archive_u64(archive, &who->tried_tick);
    tr_archive_u64(archive, &who->around_tick);
    tr_archive_u32(archive, &who->around_vain);
    tr_archive_u64(archive, &who->edge_tick);
    tr_archive_bool(archive, &who->told_blocked);
    tr_archive_u32(archive, &who->aside_for);
    tr_archive_bool(archive, &who->claims);
    tr_archive_float(archive, &who->claim_end);
    tr_archive_u64(archive, &who->rank);
    tr_archive_u64(archive, &who->lent_rank);
    tr_archive_u32(archive, &who->lent_depth);
    tr_archive_u32(archive, &who->pushes);
    tr_archive_float(archive, &who->pushed_to_go);
    tr_archive_u32(archive, &who->rounds);
    tr_archive_float(archive, &who->round_to_go);
    tr_archive_u64(archive, &who->yield_tick);
    tr_archive_u64(archive, &who->asking.tick);
    tr_archive_u64(archive, &who->asking.begun);
    tr_archive_u32(archive, &who->asking.tried);
    tr_archive_bool(archive, &who->asking.unsure);
    tr_archive_bool(archive, &who->asking.cut);
    tr_archive_bool(archive, &who->lost);
    tr_archive_bool(archive, &who->covered);
    tr_archive_bool(archive, &who->told_covered);
    tr_archive_u32(archive, &who->cover);
    tr_archive_u64(archive, &who->out_tick);
}

// Statistics, without planning times.
static void archive_counters(stage_actor *who, tr_archive *archive) {
    tr_archive_u32(archive, &who->plan_count);
    tr_archive_float(archive, &who->nearest);
    tr_archive_double(archive, &who->waited);
    tr_archive_u32(archive, &who->deviations);
    tr_archive_u32(archive, &who->contacts);
    tr_pose_archive(&who->before, archive);
    tr_archive_affine(archive, &who->before_place);
}

static void archive_frames(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    uint32_t joints = who->before.joint_count;
    uint32_t poses = tr_archive_count(archive, who->pose_count, FRAMES_MAX, "poses");
    uint32_t count = tr_archive_count(archive, who->frame_count, FRAMES_MAX, "frames");
    tr_archive_check(archive, poses == 0 ? count == 0 : true, "a recording has frames and no poses");
    if (!make_room(stage, &who->poses, &who->pose_capacity, (uint64_t)poses * joints, sizeof *who->poses,
                   archive) ||
        !make_room(stage, &who->pose_contacts, &who->contact_capacity, poses, 1, archive) ||
        !make_room(stage, &who->trace, &who->trace_capacity, count, sizeof *who->trace, archive))
        return;
    who->pose_count = poses;
    who->frame_count = count;
    for (uint64_t i = 0; i < (uint64_t)poses * joints; i++)
        tr_archive_transform(archive, &who->poses[i]);
    tr_archive_bytes(archive, who->pose_contacts, poses);
    for (uint32_t i = 0; i < count; i++)
        tr_archive_vec3(archive, &who->trace[i]);
}

static void archive_measures(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    tr_archive_float(archive, &who->radius);
    tr_archive_float(archive, &who->height);
    tr_archive_float(archive, &who->speed);
    for (uint32_t i = 0; i < 3; i++) {
        tr_archive_u32(archive, &who->sizes[i]);
        tr_archive_check(archive, tr_ground_size(stage->ground, who->sizes[i]) != NULL,
                         "the saved size of a body does not exist");
    }
    tr_archive_u32(archive, &who->sizes[TR_WAY_BENT]);
    tr_archive_check(archive,
                     who->sizes[TR_WAY_BENT] == TR_NONE ||
                         tr_ground_size(stage->ground, who->sizes[TR_WAY_BENT]) != NULL,
                     "the saved size of a body does not exist");
    tr_archive_float(archive, &who->level);
}

// Footsteps over triangles are played over the same triangles.
static void check_steps(const tr_stage *stage, const stage_actor *who, tr_archive *archive) {
    bool drags = who->on_triangles;
    for (uint32_t i = who->current; i < who->order_count; i++)
        drags = drags || who->orders[i].order.kind == TR_ORDER_DRAG;
    tr_archive_check(archive, !drags || stage->steps, "an actor is dragged, but the save has no steps");
}

// What the actor is ready for is made again before its state is read.
static void archive_upper(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    bool prepared = who->upper != NULL;
    tr_archive_bool(archive, &prepared);
    tr_error error = {0};
    tr_status status = prepared && tr_archive_reads(archive) && tr_archive_is_good(archive)
                           ? tr_stage_prepare_upper(stage, who, &error)
                           : TR_OK;
    if (status != TR_OK)
        tr_archive_fail(archive, status, "%s", error.message);
    tr_archive_u32(archive, &who->upper_barred);
    tr_archive_u32(archive, &who->upper_order);
    tr_archive_u64(archive, &who->upper_tick);
    tr_archive_bytes(archive, (uint8_t *)who->upper_reason, sizeof who->upper_reason);
    who->upper_reason[sizeof who->upper_reason - 1] = 0;
}

static void archive_actor(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    archive_measures(stage, who, archive);
    archive_upper(stage, who, archive);
    tr_actor_archive(who->actor, tr_stage_floor_near, who, archive);
    if (tr_archive_is_good(archive) || !tr_archive_reads(archive)) {
        archive_reach(stage, who, archive);
        tr_stage_archive_eyes(stage, who, archive);
        archive_orders(stage, who, archive);
        archive_way(who, archive);
        check_steps(stage, who, archive);
        archive_crowd(who, archive);
        archive_counters(who, archive);
        archive_frames(stage, who, archive);
    }
}

// --- Adding actors ---

static const tr_character *find_character(const tr_stage_load_def *def, uint64_t fingerprint) {
    for (uint32_t i = 0; i < def->character_count; i++)
        if (def->characters[i] && def->characters[i]->fingerprint == fingerprint)
            return def->characters[i];
    return NULL;
}

static tr_status make_actor(tr_stage *stage, stage_actor *who, const tr_character *character,
                            tr_error *error) {
    uint32_t joints = tr_skeleton_joint_count(character->skeleton);
    tr_actor_def def = tr_stage_body_of(stage, who, character);
    tr_status status = tr_way_create(&stage->allocator, STAGE_POINTS, STAGE_PIECES, &who->way, error);
    if (status == TR_OK)
        status = tr_stage_scratch_for(stage, joints, &who->scratch, error);
    if (status == TR_OK)
        status = tr_pose_create(&stage->allocator, joints, &who->before, error);
    return status == TR_OK ? tr_actor_create(&def, &who->actor, error) : status;
}

// Adds the next actor; its name is still to be read, and it has no body yet.
static stage_actor *add_actor(tr_stage *stage, uint32_t name_size, tr_archive *archive) {
    stage_actor *who = NULL;
    if (make_room(stage, &stage->actors, &stage->actor_capacity, (uint64_t)stage->actor_count + 1,
                  sizeof *stage->actors, archive) &&
        tr_stage_reserve_measures(stage, stage->actor_count + 1) &&
        tr_actor_ghost_reserve(stage->ghost, TUNE_WAITING(stage->actor_count + 1), NULL) == TR_OK)
        who = tr_allocate_zero(&stage->allocator, 1, sizeof *who);
    if (who) {
        who->stage = stage;
        who->body = TR_NONE;
        who->name_size = (size_t)name_size + 1;
        who->name = tr_allocate_zero(&stage->allocator, who->name_size, 1);
        stage->actors[stage->actor_count++] = who;
    }
    if (!who || !who->name)
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory to load the save");
    return who;
}

// Gives the actor its body in the timeline, which no other actor may have.
static void give_body(tr_stage *stage, stage_actor *who, uint32_t body, tr_archive *archive) {
    bool free = tr_timeline_track_of(stage->timeline, body).count > 0 &&
                (body >= stage->body_capacity || !stage->bodies[body]);
    tr_archive_check(archive, free, "an actor has no body of its own");
    if (tr_archive_is_good(archive) && !tr_stage_set_body(stage, who, body))
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory to load the save");
}

static void begin_actor(tr_stage *stage, uint32_t index, const save_context *context) {
    tr_archive *archive = context->archive;
    bool reads = tr_archive_reads(archive);
    stage_actor *who = reads ? NULL : stage->actors[index];
    uint32_t length =
        tr_archive_count(archive, who ? (uint32_t)who->name_size - 1 : 0, NAME_MAX_BYTES, "bytes of a name");
    if (reads && tr_archive_is_good(archive))
        who = add_actor(stage, length, archive);
    if (!who || !who->name)
        return;
    uint32_t body = who->body;
    uint64_t fingerprint = reads ? 0 : tr_actor_look(who->actor).character->fingerprint;
    tr_archive_bytes(archive, who->name, length);
    tr_archive_u32(archive, &who->id);
    tr_archive_u32(archive, &body);
    tr_archive_u64(archive, &fingerprint);
    if (!reads || !tr_archive_is_good(archive))
        return;
    tr_archive_check(archive,
                     who->id > (index ? stage->actors[index - 1]->id : 0) && who->id <= stage->last_id,
                     "the ids of the actors do not increase");
    const tr_character *character = find_character(context->def, fingerprint);
    tr_error error = {0};
    tr_status status =
        character ? make_actor(stage, who, character, &error)
                  : tr_fail(&error, TR_INVALID, "the character of %.60s is not among the %u given characters",
                            who->name, context->def->character_count);
    if (status != TR_OK)
        tr_archive_fail(archive, status, "%s", error.message);
    if (tr_archive_is_good(archive))
        give_body(stage, who, body, archive);
}

// First creates all actors, so that they can refer to each other; then reads their state.
void tr_save_actors(tr_stage *stage, const save_context *context) {
    tr_archive *archive = context->archive;
    bool reads = tr_archive_reads(archive);
    uint32_t count = tr_archive_count(archive, stage->actor_count, ACTORS_MAX, "actors");
    for (uint32_t i = 0; i < count && tr_archive_is_good(archive); i++)
        begin_actor(stage, i, context);
    for (uint32_t i = 0; i < count && tr_archive_is_good(archive); i++)
        archive_actor(stage, stage->actors[i], archive);
    for (uint32_t i = 0; reads && i < count && tr_archive_is_good(archive); i++) {
        uint32_t blocker = stage->actors[i]->blocker;
        tr_archive_check(archive,
                         blocker == TR_NONE || (blocker < stage->body_capacity && stage->bodies[blocker]),
                         "an actor waits for a body that does not exist");
    }
}

// --- The stage itself ---

void tr_save_stage(tr_stage *stage, tr_archive *archive) {
    tr_archive_u64(archive, &stage->tick);
    tr_archive_u64(archive, &stage->rank);
    tr_archive_u32(archive, &stage->last_id);
    tr_archive_double(archive, &stage->ahead);
    tr_archive_bool(archive, &stage->reaching);
    tr_archive_u64(archive, &stage->frames);
    stage->phase = (stage_phase)tr_archive_choice(archive, stage->phase, PHASE_PLANS + 1);
    tr_archive_u32(archive, &stage->plan_next);
    tr_archive_u32(archive, &stage->plan_turn);
    tr_archive_u64(archive, &stage->expanded);
    stage->claimant_count = tr_archive_choice(archive, stage->claimant_count, STAGE_CLAIMS + 1);
    for (uint32_t i = 0; i < stage->claimant_count; i++)
        tr_archive_u32(archive, &stage->claimants[i]);
    tr_archive_check(archive, stage->tick == tr_timeline_now(stage->timeline),
                     "the ticks of the stage and the timeline differ");
    tr_archive_check(archive, stage->ahead >= 0 && stage->ahead <= 2, "the saved time is out of range");
}

static void archive_event(tr_event *event, tr_archive *archive) {
    event->kind = (tr_event_kind)tr_archive_choice(archive, event->kind, TR_EVENT_COVERED + 1);
    tr_archive_u32(archive, &event->actor);
    tr_archive_u32(archive, &event->other);
    tr_archive_u32(archive, &event->order);
    tr_archive_u32(archive, &event->foot);
    tr_archive_vec3(archive, &event->position);
    tr_archive_double(archive, &event->time);
}

static void archive_events(tr_stage *stage, tr_event **events, uint32_t *count, uint32_t *capacity,
                           tr_archive *archive) {
    uint32_t number = tr_archive_count(archive, *count, EVENTS_MAX, "events");
    if (!make_room(stage, events, capacity, number, sizeof **events, archive))
        return;
    *count = number;
    for (uint32_t i = 0; i < number; i++)
        archive_event(&(*events)[i], archive);
}

void tr_save_events(tr_stage *stage, tr_archive *archive) {
    archive_events(stage, &stage->events, &stage->event_count, &stage->event_capacity, archive);
    archive_events(stage, &stage->later, &stage->later_count, &stage->later_capacity, archive);
}
