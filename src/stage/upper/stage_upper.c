// Upper bodies that mind what is near: where the ground has less room than a walking body needs, waist and
// arms of an actor are planned ahead, along its motion on trial, before that is committed.
//
// An understudy rehearses the motion with the whole body, tick by tick, so that it is known exactly where the
// hips will be and how trunk and arms would move by themselves. plan/comply then finds departures from that
// which touch nothing, until the actor stands. If there are none, the motion is not committed: the actor
// keeps the commitment that it has, which ends at rest, with the upper body that was planned for it.
#include "stage_upper.h"

#include <stdio.h>
#include <string.h>

#define BEFORE 0.8f      // the body is beside what lies this far behind its middle on its way [m]
#define AHEAD 1.2f       // and bends before what lies this far ahead of where it comes to rest [m]
#define SIGHT 6.0f       // motions are longer from this far before such a place on [m]
#define WITHIN 0.45f     // a motion needs a plan if it leads this near to a place with too little room [m]
#define STANDS 8         // ticks of standing at the end of a plan
#define NODES 32768      // of the roadmaps
#define CHECKS 200000    // tests of capsules in one attempt
#define SPARE 0.006f     // more room than necessary, which a later plan may need [m]
#define AGAIN 10         // ticks until a motion without a plan is tried again
#define BENT_SHARE 0.8f  // of the head room: what a body needs that bends
#define BENT_LEAST 0.2f  // a body that leans forwards by more is bent [rad]
#define LEGS_SHARE 0.95f // of the radius of hips and thighs counts

static tr_status open_upper(tr_stage *stage, stage_actor *who, const tr_character *character,
                            stage_upper *made, tr_error *error) {
    tr_error why;
    made->character = character;
    tr_status status = tr_upper_measure(character, &made->upper, &why);
    if (status != TR_OK)
        return status == TR_OUT_OF_MEMORY ? tr_fail(error, status, "%s", why.message) : TR_OK;
    tr_comply_def def = tr_comply_def_default();
    def.allocator = &stage->allocator;
    def.body = made->upper.body;
    def.frames_per_second = (float)(1 / TR_STAGE_TICK);
    def.frames_max = STAGE_UPPER_FRAMES;
    def.nodes_max = NODES;
    def.movers_max = def.others_max = def.legs_max = 0;
    status = tr_comply_create(&def, &made->comply, error);
    tr_actor_def actor = tr_stage_body_of(stage, who, character);
    if (status == TR_OK)
        status = tr_actor_create(&actor, &made->understudy, error);
    if (status == TR_OK)
        status = tr_actor_reserve(made->understudy, STAGE_POINTS, TR_ACTOR_FOOTSTEPS_MAX, error);
    made->able = status == TR_OK;
    return status;
}

static void close_upper(tr_stage *stage, stage_upper *upper) {
    if (!upper)
        return;
    tr_comply_destroy(upper->comply);
    tr_actor_destroy(upper->understudy);
    tr_release(&stage->allocator, upper, 1, sizeof *upper);
}

void tr_stage_close_uppers(tr_stage *stage) {
    struct stage_uppers *uppers = stage->uppers;
    for (uint32_t i = 0; uppers && i < uppers->count; i++)
        close_upper(stage, uppers->each[i]);
    if (uppers)
        tr_release(&stage->allocator, uppers->each, uppers->capacity, sizeof *uppers->each);
    tr_release(&stage->allocator, uppers, 1, sizeof *uppers);
    stage->uppers = NULL;
}

// The one of the character of an actor; made if there is none.
static tr_status upper_of(tr_stage *stage, stage_actor *who, stage_upper **upper, tr_error *error) {
    const tr_character *character = tr_actor_look(who->actor).character;
    if (!stage->uppers)
        stage->uppers = tr_allocate_zero(&stage->allocator, 1, sizeof *stage->uppers);
    struct stage_uppers *uppers = stage->uppers;
    for (uint32_t i = 0; uppers && i < uppers->count; i++)
        if (uppers->each[i]->character == character) {
            *upper = uppers->each[i];
            return TR_OK;
        }
    void *each = uppers ? uppers->each : NULL;
    bool room = uppers && tr_reserve(&stage->allocator, &each, &uppers->capacity, (uint64_t)uppers->count + 1,
                                     sizeof *uppers->each);
    if (uppers)
        uppers->each = each;
    stage_upper *made = room ? tr_allocate_zero(&stage->allocator, 1, sizeof *made) : NULL;
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the upper body of an actor");
    tr_status status = open_upper(stage, who, character, made, error);
    if (status != TR_OK) {
        close_upper(stage, made);
        return status;
    }
    uppers->each[uppers->count++] = *upper = made;
    return TR_OK;
}

tr_status tr_stage_prepare_upper(tr_stage *stage, stage_actor *who, tr_error *error) {
    if (who->upper)
        return TR_OK;
    stage_upper *upper = NULL;
    tr_status status = upper_of(stage, who, &upper, error);
    if (status == TR_OK && upper->able)
        status = tr_stage_open_solid(stage, error);
    if (status == TR_OK && upper->able)
        status = tr_actor_prepare_upper(who->actor, &upper->upper, error);
    if (status == TR_OK)
        who->upper = upper;
    return status;
}

tr_status tr_stage_add_bent(tr_stage *stage, stage_actor *who, bool *added, tr_error *error) {
    *added = false;
    if (who->sizes[TR_WAY_BENT] != TR_NONE || who->eyes || who->upper_barred & 1u << TR_WAY_BENT)
        return TR_OK;
    tr_status status = tr_stage_prepare_upper(stage, who, error);
    if (status != TR_OK || !who->upper->able)
        return status;
    const tr_character *character = tr_actor_look(who->actor).character;
    tr_go_body body = {character->stature, who->height, who->radius, character->depth,
                       BENT_SHARE * who->height};
    uint32_t sizes[TR_WAY_ROOMS];
    status = tr_go_add_sizes(stage->ground, &body, sizes, error);
    if (status == TR_LIMIT)
        return TR_OK; // the ground knows as many sizes as it can
    if (status == TR_OK)
        who->sizes[TR_WAY_BENT] = sizes[TR_WAY_BENT];
    *added = status == TR_OK && sizes[TR_WAY_BENT] != TR_NONE;
    return status;
}

// ------------------------------------------------------------------------------------------- where it is
// needed

// The kinds of room on a part of the way, as bits.
static uint32_t rooms_between(const stage_actor *who, float from, float to) {
    const tr_way *way = &who->way;
    uint32_t rooms = 0;
    for (uint32_t i = 0; i + 1 < way->point_count; i++)
        if (way->points[i + 1].along >= from && way->points[i].along <= to)
            rooms |= 1u << way->points[i].room;
    return rooms;
}

static float rest_along(const stage_actor *who, const stage_trial *trial) {
    float length = tr_way_length(&who->way), rest = length - trial->commitment.to_go;
    return rest < length ? rest : length;
}

bool tr_stage_walks_through(const stage_actor *who, tr_way_room room) {
    return who->upper && who->upper->able && !(who->upper_barred >> room & 1);
}

// The kinds of room, as bits, that the actor does not walk through without a plan.
static uint32_t needed_by(const stage_actor *who) {
    return 1u << TR_WAY_BENT | (tr_stage_walks_through(who, TR_WAY_SIDE) ? 1u << TR_WAY_SIDE : 0);
}

uint32_t tr_stage_horizon(const stage_actor *who) {
    if (!who->upper || !who->upper->able || !tr_stage_piece(who))
        return TUNE_HORIZON;
    float along = tr_stage_along(who);
    uint32_t rooms = rooms_between(who, along - BEFORE, along + SIGHT);
    return rooms & needed_by(who) ? TUNE_HORIZON_NARROW : TUNE_HORIZON;
}

uint8_t tr_stage_passage(const stage_actor *who, uint8_t room) {
    if (room == TR_WAY_BENT)
        return TR_PASSAGE_OPEN;
    return room == TR_WAY_SIDE && tr_stage_walks_through(who, TR_WAY_SIDE) ? TR_PASSAGE_TIGHT : room;
}

// ------------------------------------------------------------------------------------------------ rehearsing

static float limit_at(const stage_commitment *commitment, uint64_t tick) {
    return tick < commitment->slow ? commitment->limit : tick < commitment->stop ? commitment->slow_limit : 0;
}

// Is a capsule of hips or thighs in the scene?
static bool legs_touch(const tr_stage *stage, const stage_upper *upper, const tr_affine *model) {
    const tr_character *character = upper->character;
    const tr_body_def *view = character->body ? tr_body_view(character->body) : NULL;
    for (uint32_t i = 0; view && i < view->capsule_count; i++) {
        const tr_capsule *own = &view->capsules[i];
        bool legs = own->joint == upper->upper.hips || own->joint == character->legs.feet[0].thigh ||
                    own->joint == character->legs.feet[1].thigh;
        const tr_affine *joint = &model[own->joint];
        tr_solid_capsule capsule = {tr_affine_apply(joint, own->a), tr_affine_apply(joint, own->b),
                                    LEGS_SHARE * own->radius};
        if (legs && tr_solid_touches(stage->solid, &capsule))
            return true;
    }
    return false;
}

// The body of the actor as it will be, tick by tick. Returns the number of frames, the first of which is the
// present one; 0: it cannot be rehearsed. *blocked: the first frame in which the legs touch something.
static uint32_t rehearse(tr_stage *stage, const stage_actor *who, const stage_trial *trial, bool takes,
                         uint32_t *blocked) {
    struct stage_uppers *uppers = stage->uppers;
    const stage_upper *upper = who->upper;
    tr_actor *understudy = upper->understudy;
    *blocked = TR_NONE;
    if (tr_actor_mimic(understudy, who->actor) != TR_OK)
        return 0;
    if (takes && tr_actor_take(understudy, stage->ghost) != TR_OK)
        return 0;
    uint64_t ticks = trial->commitment.rest > stage->tick ? trial->commitment.rest - stage->tick : 0;
    uint32_t count =
        ticks < STAGE_UPPER_FRAMES - STANDS - 1 ? (uint32_t)ticks + STANDS + 1 : STAGE_UPPER_FRAMES;
    tr_overlay_departure_view view;
    actor_look look = tr_actor_look(who->actor);
    if (tr_actor_departure(who->actor, &view))
        uppers->frames[0] = *view.usual;
    else
        tr_upper_read(&upper->upper, upper->character, look.model, look.state.heading, &uppers->frames[0]);
    tr_actor_scratch *scratch = &stage->scratches[who->scratch].members[0];
    for (uint32_t f = 1; f < count; f++) {
        tr_status status =
            tr_actor_step(understudy, scratch, limit_at(&trial->commitment, stage->tick + f - 1));
        if (status != TR_OK && status != TR_DONE)
            return 0;
        look = tr_actor_look(understudy);
        tr_upper_read(&upper->upper, upper->character, look.model, look.state.heading, &uppers->frames[f]);
        if (*blocked == TR_NONE && legs_touch(stage, upper, look.model))
            *blocked = f;
    }
    return count;
}

// ------------------------------------------------------------------------------------------------- planning

#define ANGLES (sizeof(tr_comply_pose) / sizeof(float))

static void add_pose(tr_comply_pose *pose, const tr_comply_pose *more, float sign) {
    for (size_t k = 0; k < ANGLES; k++)
        ((float *)pose)[k] += sign * ((const float *)more)[k];
}

static tr_status plan_with(tr_stage *stage, const stage_actor *who, uint32_t count, float more,
                           tr_error *error) {
    struct stage_uppers *uppers = stage->uppers;
    const stage_upper *upper = who->upper;
    tr_comply_body body;
    tr_upper_fit(&upper->upper, upper->character, uppers->frames, count, more, &body);
    tr_status status = tr_comply_set_body(upper->comply, &body, error);
    if (status != TR_OK)
        return status;
    tr_comply_query query = tr_comply_query_default();
    query.places = uppers->places;
    query.preferred = uppers->preferred;
    query.frame_count = count;
    query.solid = stage->solid;
    query.checks_max = CHECKS;
    tr_comply_pose pose, velocity;
    tr_overlay_departure_view view;
    if (tr_actor_departure(who->actor, &view)) {
        pose = uppers->preferred[0];
        add_pose(&pose, view.now, 1);
        velocity = uppers->preferred[1];
        add_pose(&velocity, &uppers->preferred[0], -1);
        for (size_t k = 0; k < ANGLES; k++)
            ((float *)&velocity)[k] =
                ((float *)&velocity)[k] / (float)TR_STAGE_TICK + ((const float *)view.rate)[k];
        query.pose = &pose;
        query.velocity = &velocity;
    }
    return tr_comply_plan(upper->comply, &query, error);
}

// The plan for a motion. TR_NOT_FOUND: there is none; the error says why.
static tr_status plan(tr_stage *stage, const stage_actor *who, uint32_t count, tr_error *error) {
    struct stage_uppers *uppers = stage->uppers;
    for (uint32_t f = 0; f < count; f++) {
        uppers->places[f] = uppers->frames[f].place;
        uppers->preferred[f] = uppers->frames[f].pose;
    }
    tr_status status = plan_with(stage, who, count, SPARE, error);
    if (status != TR_OK)
        status = plan_with(stage, who, count, 0, error);
    if (status != TR_OK && tr_actor_departs(who->actor)) // where it is, it was as near when it came there
        status = plan_with(stage, who, count, -SPARE, error);
    if (status != TR_OK)
        return status;
    const tr_comply_result *result = tr_comply_last(who->upper->comply);
    bool any = tr_actor_departs(who->actor);
    for (uint32_t f = 0; f < count; f++) {
        uppers->departures[f] = result->poses[f];
        add_pose(&uppers->departures[f], &uppers->preferred[f], -1);
        for (size_t k = 0; k < ANGLES; k++)
            any = any || ((float *)&uppers->departures[f])[k] != 0;
    }
    uppers->departure_count = any ? count : 0;
    return TR_OK;
}

// Would it come to rest under something, but leaning away from it? It could not go on from there.
static bool rests_upright(const stage_actor *who, float rest, const struct stage_uppers *uppers) {
    if (!tr_stage_piece(who) || who->on_triangles || tr_stage_is_dragged(who) ||
        !(rooms_between(who, rest, rest) >> TR_WAY_BENT & 1))
        return false;
    return uppers->departure_count == 0 ||
           !(uppers->departures[uppers->departure_count - 1].waist[0] > BENT_LEAST);
}

// Makes the plan for a motion on trial, as far as one is needed. `needs` gets the kinds of room, as bits,
// that the motion must not enter without.
static tr_status plan_trial(tr_stage *stage, const stage_actor *who, const stage_trial *trial, bool takes,
                            uint32_t *needs, tr_error *error) {
    struct stage_uppers *uppers = stage->uppers;
    float now = tr_stage_along(who), rest = rest_along(who, trial);
    *needs = 0;
    uppers->departure_count = 0;
    uppers->actor = who->id;
    uppers->tick = stage->tick;
    uppers->commits = who->commits;
    uppers->rest = trial->commitment.rest;
    bool walks = tr_stage_piece(who) != NULL && tr_stage_piece(who)->kind != TR_WAY_RIDE &&
                 !tr_stage_is_performing(who) && !(who->reach && who->reach->busy);
    // A body in side-steps holds its arms by itself.
    uint32_t minded = needed_by(who) | (tr_stage_walks_through(who, TR_WAY_SIDE) ? 1u << TR_WAY_TIGHT : 0);
    bool near = walks && rooms_between(who, now - BEFORE, rest + AHEAD) & minded;
    // An actor that has lost its way may be under something.
    bool halts = !tr_stage_piece(who) && !who->on_triangles && !tr_stage_is_dragged(who) &&
                 tr_actor_has_departures(who->actor) && !tr_stage_is_performing(who) &&
                 !(who->reach && who->reach->busy);
    *needs = halts ? 1u << TR_WAY_BENT : 0;
    if (!near && !halts)
        return TR_OK; // what is left of a departure dies away
    if (walks)
        *needs = rooms_between(who, now - WITHIN, rest + WITHIN) & needed_by(who);
    uint32_t blocked, count = rehearse(stage, who, trial, takes, &blocked);
    if (count < 2)
        return tr_fail(error, TR_NOT_FOUND, "the motion of the upper body is not known");
    if (blocked != TR_NONE && *needs)
        return tr_fail(error, TR_NOT_FOUND, "the legs have no room in frame %u", blocked);
    tr_status status = plan(stage, who, count, error);
    if (status == TR_OK && *needs && rests_upright(who, rest, uppers))
        return tr_fail(error, TR_NOT_FOUND, "the waist is not bent where the body would come to rest");
    return status;
}

// The motion is refused. An actor that stands looks for a way without such rooms.
static void refuse(tr_stage *stage, stage_actor *who, uint32_t needs, const tr_error *why) {
    stage_order *order = tr_stage_current(who);
    who->upper_tick = stage->tick + AGAIN;
    snprintf(who->upper_reason, sizeof who->upper_reason, "%.*s", (int)sizeof who->upper_reason - 1,
             why->message);
    if (!tr_stage_rests(stage, who) || tr_stage_is_dragged(who))
        return;
    if ((who->upper_barred | needs) == who->upper_barred || who->errand != STAGE_ORDER || !order) {
        tr_stage_fail(stage, who, who->upper_reason);
        return;
    }
    who->upper_barred |= needs;
    tr_stage_lose_way(stage, who);
}

bool tr_stage_upper_refuses(tr_stage *stage, stage_actor *who, const stage_trial *trial, bool met) {
    if (!who->upper || !who->upper->able)
        return false;
    if (stage->tick < who->upper_tick && (met || !tr_stage_rests(stage, who)))
        return true;
    uint32_t needs;
    tr_error error = {0};
    tr_status status = plan_trial(stage, who, trial, !who->piece_begun, &needs, &error);
    if (status == TR_OK || !needs)
        return false;
    stage->uppers->actor = 0; // what was found does not count
    if (met)
        who->upper_tick = stage->tick + AGAIN;
    else
        refuse(stage, who, needs, &error);
    return true;
}

bool tr_stage_upper_lets_stop(tr_stage *stage, stage_actor *who, const stage_trial *trial) {
    uint32_t needs;
    return !who->upper || !who->upper->able || who->on_triangles || tr_stage_is_dragged(who) ||
           plan_trial(stage, who, trial, false, &needs, NULL) == TR_OK || !needs;
}

bool tr_stage_commit_upper(tr_stage *stage, stage_actor *who, const stage_trial *trial, bool may_refuse) {
    struct stage_uppers *uppers = stage->uppers;
    if (!who->upper || !who->upper->able)
        return true;
    uint32_t needs = 0;
    bool known = uppers->actor == who->id && uppers->tick == stage->tick && uppers->commits == who->commits &&
                 uppers->rest == trial->commitment.rest;
    if (!known && plan_trial(stage, who, trial, !who->piece_begun, &needs, NULL) != TR_OK) {
        if (needs && may_refuse)
            return false;
        uppers->departure_count = 0;
    }
    uppers->actor = 0;
    tr_actor_set_departures(who->actor, uppers->departures + 1,
                            uppers->departure_count > 1 ? uppers->departure_count - 1 : 0);
    return true;
}
