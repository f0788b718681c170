#include "stage/actor/actor_ahead.h"
#include "stage_push.h"
#include "stage_trial.h"
#include "world/scene/scene_data.h"

#include <string.h>

#define STEP_MAX 1.0   // [s]
#define HEAD_ROOM 3.0f // above the scene when the stage is created [m]

tr_stage_def tr_stage_def_default(tr_scene *scene) {
    tr_stage_def def = {.scene = scene,
                        .area = tr_box_empty(),
                        .cell = 0.05f,
                        .margin = 0.1f,
                        .frames_per_second = 30,
                        .variety = 1,
                        .steps_ahead = 3};
    return def;
}

static tr_status check_def(const tr_stage_def *def, tr_error *error) {
    if (!def->scene)
        return tr_fail(error, TR_INVALID, "a stage needs a scene");
    if (!(def->frames_per_second >= 1 && def->frames_per_second <= 1000))
        return tr_fail(error, TR_INVALID, "frames_per_second is %g, it must be 1 to 1000",
                       def->frames_per_second);
    if (!(def->variety >= 0 && def->variety <= 1))
        return tr_fail(error, TR_INVALID, "variety is %g, it must be 0 to 1", (double)def->variety);
    if (!(def->margin >= 0 && def->margin <= 10))
        return tr_fail(error, TR_INVALID, "margin is %g m, it must be 0 to 10", (double)def->margin);
    if (def->steps_ahead < 1 || def->steps_ahead > TR_FOOTSTEP_WINDOW_STEPS_MAX)
        return tr_fail(error, TR_INVALID, "steps_ahead is %u, it must be 1 to %d", def->steps_ahead,
                       TR_FOOTSTEP_WINDOW_STEPS_MAX);
    if (def->link_count > TR_GROUND_LINKS_MAX || (def->link_count && !def->links))
        return tr_fail(error, TR_INVALID, "%u links are too many, the limit is %d", def->link_count,
                       TR_GROUND_LINKS_MAX);
    return TR_OK;
}

tr_ground_def tr_stage_ground_def(const tr_stage *stage) {
    tr_ground_def ground = tr_ground_def_default();
    ground.allocator = &stage->world;
    tr_box bounds = tr_scene_bounds(stage->def.scene);
    ground.area = stage->def.area;
    if (tr_box_is_empty(ground.area) && !tr_box_is_empty(bounds)) { // with room for objects that may be added
        ground.area = bounds;
        ground.area.max.y += HEAD_ROOM;
    }
    if (!tr_box_is_empty(ground.area) && !tr_box_is_empty(bounds)) { // all storeys
        ground.area.min.y = fminf(ground.area.min.y, bounds.min.y);
        ground.area.max.y = fmaxf(ground.area.max.y, bounds.max.y);
    }
    ground.cell = stage->def.cell;
    return ground;
}

tr_status tr_stage_reserve_seen(tr_stage *stage, tr_error *error) {
    uint32_t count = stage->def.scene->object_count;
    void *seen = stage->seen;
    bool room = tr_reserve(&stage->allocator, &seen, &stage->seen_capacity, count, sizeof *stage->seen);
    stage->seen = seen;
    return room ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the state of %u objects", count);
}

void tr_stage_see_objects(tr_stage *stage, uint32_t count) {
    const tr_scene *scene = stage->def.scene;
    for (uint32_t i = 0; i < count; i++) {
        const scene_object *object = &scene->objects[i];
        if (i >= stage->seen_count || object->revision != stage->seen[i].revision)
            stage->seen[i] = (stage_seen){object->revision, object->placement, object->tags, object->removed};
    }
    stage->seen_count = count;
}

static tr_status open_ground(tr_stage *stage, tr_error *error) {
    tr_ground_def ground = tr_stage_ground_def(stage);
    tr_status status = tr_stage_reserve_seen(stage, error);
    if (status == TR_OK)
        status = tr_ground_create(&ground, stage->raster, stage->def.scene, &stage->ground, error);
    if (status == TR_OK && stage->def.link_count)
        status = tr_ground_set_links(stage->ground, stage->def.links, stage->def.link_count, error);
    if (status == TR_OK)
        tr_stage_see_objects(stage, stage->def.scene->object_count);
    return status;
}

static tr_status open_tools(tr_stage *stage, tr_error *error) {
    tr_raster_def raster = {.backend = TR_RASTER_SOFT, .allocator = &stage->world, .tasks = stage->def.tasks};
    tr_status status = tr_raster_create(&raster, &stage->raster, error);
    tr_timeline_def timeline = {
        .allocator = &stage->world, .tick = TR_STAGE_TICK, .ticks_max = TUNE_POSITIONS + 8};
    if (status == TR_OK)
        status = tr_timeline_create(&timeline, &stage->timeline, error);
    if (status == TR_OK)
        status = tr_go_create(&stage->allocator, &stage->go, error);
    if (status == TR_OK)
        status = tr_stage_open_ahead(stage, error);
    if (status == TR_OK)
        status = tr_way_create(&stage->allocator, STAGE_POINTS, STAGE_PIECES, &stage->trial, error);
    if (status == TR_OK)
        status = tr_way_create(&stage->allocator, STAGE_POINTS, STAGE_PIECES, &stage->kept, error);
    if (status == TR_OK)
        status = tr_actor_ghost_create(&stage->allocator, STAGE_POINTS, &stage->ghost, error);
    if (status == TR_OK)
        status = tr_stage_open_push(stage, error);
    if (status == TR_OK)
        status = tr_footstep_scratch_create(&stage->allocator, &stage->footsteps_scratch, error);
    stage->member_count = tr_tasks_members(stage->def.tasks);
    return status;
}

tr_status tr_stage_begin(const tr_stage_def *def, tr_stage **stage, tr_error *error) {
    *stage = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_stage *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a stage");
    made->def = *def;
    made->allocator = allocator;
    made->scene_identity = def->scene->identity;
    tr_pool_open(&made->pool, &allocator);
    made->world = tr_pool_allocator(&made->pool);
    made->squeeze = 1;
    made->strips.body = TR_NONE;
    made->horizon = TUNE_HORIZON;
    status = open_tools(made, error);
    if (status != TR_OK) {
        tr_stage_destroy(made);
        return status;
    }
    *stage = made;
    return TR_OK;
}

tr_status tr_stage_create(const tr_stage_def *def, tr_stage **stage, tr_error *error) {
    tr_status status = tr_stage_begin(def, stage, error);
    if (status == TR_OK)
        status = open_ground(*stage, error);
    if (status != TR_OK) {
        tr_stage_destroy(*stage);
        *stage = NULL;
    }
    return status;
}

void tr_stage_destroy(tr_stage *stage) {
    if (!stage)
        return;
    tr_allocator allocator = stage->allocator;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        tr_stage_free_actor(stage, stage->actors[i]);
    tr_release(&allocator, stage->actors, stage->actor_capacity, sizeof *stage->actors);
    tr_release(&allocator, stage->bodies, stage->body_capacity, sizeof *stage->bodies);
    tr_release(&allocator, stage->events, stage->event_capacity, sizeof *stage->events);
    tr_release(&allocator, stage->later, stage->later_capacity, sizeof *stage->later);
    tr_stage_close_kinds(stage);
    tr_stage_close_uppers(stage);
    tr_stage_close_reach(stage);
    tr_stage_close_steps(stage);
    tr_stage_release_measures(stage);
    tr_stage_free_scratches(stage);
    tr_footstep_scratch_destroy(stage->footsteps_scratch);
    tr_stage_close_push(stage);
    tr_actor_ghost_destroy(stage->ghost);
    tr_way_destroy(&allocator, &stage->trial);
    tr_way_destroy(&allocator, &stage->kept);
    tr_stage_close_ahead(stage);
    tr_go_destroy(stage->go);
    tr_timeline_destroy(stage->timeline);
    tr_ground_destroy(stage->ground);
    tr_release(&allocator, stage->seen, stage->seen_capacity, sizeof *stage->seen);
    tr_raster_destroy(stage->raster);
    tr_pool_close(&stage->pool);
    tr_release(&allocator, stage, 1, sizeof *stage);
}

// The box of a range of cells [m], enlarged by a metre.
static tr_box box_of(const tr_grid *grid, const tr_cells *cells) {
    tr_box box = {{grid->origin.x + grid->cell * (float)cells->column_begin - 1, 0,
                   grid->origin.z + grid->cell * (float)cells->row_begin - 1},
                  {grid->origin.x + grid->cell * (float)cells->column_end + 1, 0,
                   grid->origin.z + grid->cell * (float)cells->row_end + 1}};
    return box;
}

static bool is_in(const tr_box *box, tr_vec3 a, tr_vec3 b) {
    return !((a.x < box->min.x && b.x < box->min.x) || (a.x > box->max.x && b.x > box->max.x) ||
             (a.z < box->min.z && b.z < box->min.z) || (a.z > box->max.z && b.z > box->max.z));
}

// The part of a line within a rectangle, seen from above, in [0, 1]. begin > end: none.
static void clip(float from, float to, float min, float max, float *begin, float *end) {
    float by = to - from;
    if (by == 0) {
        *end = from < min || from > max ? -1 : *end;
        return;
    }
    float low = ((by > 0 ? min : max) - from) / by, high = ((by > 0 ? max : min) - from) / by;
    *begin = low > *begin ? low : *begin;
    *end = high < *end ? high : *end;
}

// Is a walked stretch still level, or a smooth slope, where the ground has changed?
static bool is_fit_in(const tr_ground *ground, const stage_actor *who, tr_vec3 a, tr_vec3 b, bool slopes,
                      float floor, const tr_box *changed) {
    float begin = 0, end = 1;
    clip(a.x, b.x, changed->min.x, changed->max.x, &begin, &end);
    clip(a.z, b.z, changed->min.z, changed->max.z, &begin, &end);
    tr_vec3 by = tr_vec3_subtract(b, a), from = tr_vec3_add(a, tr_vec3_scale(by, begin)),
            to = tr_vec3_add(a, tr_vec3_scale(by, end));
    float rise = tr_ground_size(ground, who->sizes[0])->foot_rise;
    return begin > end || (slopes ? tr_way_is_smooth(ground, from, to, rise)
                                  : tr_way_is_level(ground, from, to, floor, rise));
}

// Is the rest of the actor's way still free where the ground has changed?
static bool way_is_free(const tr_ground *ground, const stage_actor *who, const tr_box *changed) {
    for (uint32_t p = who->piece; p < who->way.piece_count; p++) {
        const tr_way_piece *piece = &who->way.pieces[p];
        for (uint32_t i = piece->first; i + 1 < piece->first + piece->count; i++) {
            const tr_way_point *a = &who->way.points[i], *b = a + 1;
            if (b->along < tr_stage_along(who) || !is_in(changed, a->position, b->position))
                continue;
            if (piece->kind != TR_WAY_WALK)
                return false;
            float floor = who->way.points[piece->first].position.y;
            if (!tr_ground_sees(ground, who->sizes[a->room], a->position, b->position) ||
                !is_fit_in(ground, who, a->position, b->position, piece->slopes, floor, changed))
                return false;
        }
    }
    return true;
}

static tr_status check_scene(const tr_stage *stage, tr_error *error) {
    return stage->def.scene->identity == stage->scene_identity
               ? TR_OK
               : tr_fail(error, TR_INVALID, "the scene of the stage was replaced: create a new stage");
}

// Looks for another way if this change of the ground blocks the actor's way.
static void mind_change(tr_stage *stage, stage_actor *who, const tr_ground *ground, const tr_box *changed) {
    bool goes = who->errand == STAGE_ORDER || who->errand == STAGE_ASIDE;
    if (goes && !way_is_free(ground, who, changed)) {
        tr_stage_lose_way(stage, who);
        who->pushes = who->rounds = 0; // a new way may be longer
        tr_stage_stop_short(stage, who);
    }
}

void tr_stage_mind_ground(tr_stage *stage, stage_actor *who, const tr_ground *ground) {
    uint32_t count = 0;
    const tr_cells *changes = tr_ground_changes(ground, &count);
    const tr_grid *grid = &tr_surface_grid(tr_ground_surface(ground))->grid;
    for (uint32_t c = 0; c < count; c++) {
        tr_box changed = box_of(grid, &changes[c]);
        mind_change(stage, who, ground, &changed);
    }
}

tr_status tr_stage_update_ground(tr_stage *stage, tr_error *error) {
    uint32_t objects = 0, count = 0;
    if (check_scene(stage, error) != TR_OK)
        return TR_INVALID;
    const uint64_t *moving = tr_timeline_moving(stage->timeline, &objects);
    tr_status status = tr_stage_reserve_seen(stage, error);
    if (status == TR_OK)
        status = tr_ground_update(stage->ground, stage->raster, stage->def.scene, moving, objects, error);
    if (status == TR_OK)
        tr_stage_see_objects(stage, stage->def.scene->object_count);
    const tr_cells *changes = tr_ground_changes(stage->ground, &count);
    const tr_grid *grid = &tr_surface_grid(tr_ground_surface(stage->ground))->grid;
    stage->world_changes += status == TR_OK && count > 0;
    for (uint32_t c = 0; c < count && status == TR_OK; c++) {
        tr_box changed = box_of(grid, &changes[c]);
        for (uint32_t i = 0; i < stage->actor_count; i++) {
            stage_actor *who = stage->actors[i];
            tr_vec3 at = tr_stage_place_of(who);
            if (is_in(&changed, at, at))
                tr_stage_cover(stage, who, changed);
            if (!who->eyes) // it will see it
                mind_change(stage, who, stage->ground, &changed);
        }
    }
    return status;
}

static tr_status update_world(tr_stage *stage, tr_error *error) {
    tr_status status = check_scene(stage, error);
    if (status == TR_OK && stage->phase == PHASE_BEGINS) {
        status = tr_scene_set_time(stage->def.scene, tr_stage_time(stage));
        if (status == TR_OK)
            status = tr_timeline_watch(stage->timeline, stage->def.scene, error);
        stage->phase = status == TR_OK ? PHASE_LOOKED : stage->phase;
    }
    if (status == TR_OK && stage->phase == PHASE_LOOKED) {
        status = tr_stage_update_ground(stage, error);
        stage->phase = status == TR_OK ? PHASE_GROUND : stage->phase;
    }
    if (status == TR_OK && stage->phase == PHASE_GROUND) {
        status = tr_stage_use_eyes(stage, error);
        stage->phase = status == TR_OK ? PHASE_KNOWS : stage->phase;
    }
    return status;
}

// Reserves everything that the tick needs once it can no longer stop: events, frames, and searches for ways
// aside.
static tr_status reserve(tr_stage *stage, tr_error *error) {
    if (!tr_stage_reserve_events(stage))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for events");
    if (stage->def.record && !tr_stage_reserve_record(stage))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to continue the recording");
    tr_status status = tr_go_reserve(stage->go, stage->ground, TUNE_ASIDE_NODES, error);
    return status == TR_OK ? tr_stage_reserve_ahead(stage, error) : status;
}

static bool meets(const tr_stage *stage, const stage_actor *who, const tr_vec3 *positions, uint32_t count,
                  bool rest, bool bodies, tr_timeline_meeting *meeting) {
    tr_timeline_motion motion = {.begin = stage->tick,
                                 .positions = positions,
                                 .count = count,
                                 .radius = who->radius,
                                 .height = who->height,
                                 .self = who->body,
                                 .rest = rest,
                                 .bodies = bodies};
    return tr_timeline_meets(stage->timeline, &motion, meeting);
}

// Will the actor meet an object on its committed motion?
static bool meets_object(tr_stage *stage, const stage_actor *who, tr_timeline_meeting *meeting) {
    tr_vec3 *positions = stage->positions[1];
    uint64_t left = who->commitment.rest - stage->tick;
    uint32_t count = left < TUNE_POSITIONS ? (uint32_t)left + 1 : TUNE_POSITIONS;
    for (uint32_t i = 0; i < count; i++)
        positions[i] = tr_timeline_at(stage->timeline, who->body, (double)(stage->tick + i));
    return meets(stage, who, positions, count, false, false, meeting) && meeting->object != TR_NONE;
}

// Comes to rest, unless that meets a body, or an object before `tick`: then it would not help.
static void stop_before(tr_stage *stage, stage_actor *who, double tick) {
    stage_trial trial;
    tr_timeline_meeting met;
    tr_stage_trial_rest(stage, who, &trial);
    if (!meets(stage, who, trial.positions, trial.count, true, true, &met) &&
        !(meets(stage, who, trial.positions, trial.count, true, false, &met) && met.tick <= tick))
        tr_stage_commit_stop(stage, who, &trial);
}

// Objects may move in other ways than were known when an actor committed itself: it then stops before them.
static void mind_objects(tr_stage *stage) {
    uint32_t objects = 0;
    const uint64_t *moving = tr_timeline_moving(stage->timeline, &objects);
    uint64_t any = 0;
    for (uint32_t i = 0; i < (objects + 63) / 64; i++)
        any |= moving[i];
    for (uint32_t i = 0; i < stage->actor_count && any; i++) {
        stage_actor *who = stage->actors[i];
        tr_timeline_meeting meeting;
        bool due = (stage->tick + i) % TUNE_PERIOD == 0 && !tr_stage_rests(stage, who);
        if (due && !tr_stage_is_carried(who) && meets_object(stage, who, &meeting))
            stop_before(stage, who, meeting.tick);
    }
}

// Prefetches what is stepped soon: first the stage_actor, then its actor.
static void look_ahead(const tr_stage *stage, uint32_t part) {
    uint32_t left = stage->actor_count - part;
    if (left > 3)
        __builtin_prefetch(stage->actors[part + 3]);
    if (left > 2) {
        const stage_actor *soon = stage->actors[part + 2];
        tr_actor_ahead(soon->actor);
        tr_ahead(&soon->stage, 1);
        tr_ahead(&soon->commitment, sizeof soon->commitment);
        tr_ahead(&soon->before, sizeof soon->before + sizeof soon->before_place);
    }
}

static void step_part(void *user, uint32_t part, uint32_t member) {
    tr_stage *stage = user;
    stage_actor *who = stage->actors[part];
    look_ahead(stage, part);
    who->before_place = tr_actor_look(who->actor).place;
    tr_actor_trade_pose(who->actor, &who->before);
    tr_stage_give_room(stage, part);
    who->stepped = tr_actor_step(who->actor, &stage->scratches[who->scratch].members[member],
                                 tr_stage_limit(stage, who));
    if (who->stepped != TR_OK && who->stepped != TR_DONE)
        tr_actor_trade_pose(who->actor, &who->before);
}

static void tell_footsteps(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        actor_look view = tr_actor_look(who->actor);
        for (uint32_t foot = 0; foot < 2 && tr_cast_walks(view.character); foot++) {
            bool down = view.contacts >> (2 * foot) & 3, was = who->contacts >> (2 * foot) & 3;
            if (!down || was)
                continue;
            tr_event event = {.kind = TR_EVENT_FOOTSTEP,
                              .actor = who->id,
                              .foot = foot,
                              .position =
                                  tr_affine_position(&view.model[view.character->legs.feet[foot].ankle]),
                              .time = tr_stage_time(stage)};
            tr_stage_tell(stage, &event);
        }
        who->before_contacts = who->contacts;
        who->contacts = view.contacts;
    }
}

// Reserves room for every route and all footsteps that an actor may take up: along the current piece of its
// way, and around others. Taking up a committed motion must not fail.
static tr_status reserve_actors(tr_stage *stage, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < stage->actor_count && status == TR_OK; i++) {
        const stage_actor *who = stage->actors[i];
        const tr_way_piece *piece = tr_stage_piece(who);
        uint32_t points = TR_GO_AROUND_POINTS + 2 + (piece ? piece->count : 0);
        // An actor that walks to stairs changes to footsteps before it stands.
        bool steps =
            tr_stage_is_dragged(who) || (piece && (piece->kind == TR_WAY_STEP ||
                                                   (!tr_stage_is_last(who) && piece[1].kind == TR_WAY_STEP)));
        status = tr_actor_reserve(who->actor, points < STAGE_POINTS ? points : STAGE_POINTS,
                                  steps ? TR_ACTOR_FOOTSTEPS_MAX : 0, error);
    }
    return status;
}

static tr_status tick(tr_stage *stage, tr_error *error) {
    tr_timeline_set_now(stage->timeline, stage->tick);
    tr_status status = update_world(stage, error);
    if (status == TR_OK)
        status = reserve(stage, error);
    if (status == TR_OK && stage->phase == PHASE_KNOWS) {
        mind_objects(stage);
        tr_stage_tell_covered(stage);
        tr_stage_begin_orders(stage);
        status = tr_stage_update_reach(stage, error);
        if (status == TR_OK) {
            tr_stage_step_orders(stage);
            stage->phase = PHASE_PLANS;
            stage->plan_next = 0;
            stage->expanded = 0;
        }
    }
    if (status == TR_OK)
        status = tr_stage_plan_orders(stage, error);
    if (status == TR_OK)
        status = reserve_actors(stage, error);
    if (status != TR_OK)
        return status;
    stage->phase = PHASE_BEGINS;
    tr_stage_pace(stage);
    tr_stage_resolve(stage);
    tr_stage_look_around(stage);
    tr_tasks_run(stage->def.tasks, stage->actor_count, step_part, stage);
    stage->tick++;
    tr_timeline_set_now(stage->timeline, stage->tick);
    tr_stage_measure(stage);
    tell_footsteps(stage);
    tr_stage_end_orders(stage);
    if (stage->def.record)
        tr_stage_record(stage);
    return TR_OK;
}

tr_status tr_stage_step(tr_stage *stage, double dt, tr_error *error) {
    if (!(dt >= 0 && dt <= STEP_MAX))
        return tr_fail(error, TR_INVALID, "dt is %g s, it must be 0 to %g", dt, STEP_MAX);
    tr_stage_note_step(stage, dt);
    stage->ahead += dt;
    stage->event_count = 0;
    tr_status status = tr_stage_tell_later(stage, error);
    stage->stepping = stage->pool.keeps = true;
    while (stage->ahead >= TR_STAGE_TICK - 1e-9 && status == TR_OK) {
        status = tick(stage, error);
        if (status != TR_OK)
            break;
        stage->ahead -= TR_STAGE_TICK;
        stage->ahead = stage->ahead > 0 ? stage->ahead : 0;
    }
    stage->stepping = stage->pool.keeps = false;
    tr_stage_note_stepped(stage);
    if (status != TR_OK)
        return status;
    return tr_stage_all_ended(stage) ? TR_DONE : TR_OK;
}

double tr_stage_time(const tr_stage *stage) {
    return (double)stage->tick * TR_STAGE_TICK;
}

const tr_ground *tr_stage_ground(const tr_stage *stage) {
    return stage->ground;
}

tr_status tr_stage_close_link(tr_stage *stage, uint32_t link, bool closed) {
    tr_stage_note(stage, &(journal_entry){.kind = JOURNAL_LINK, .number = link, .yes = closed});
    tr_status status = tr_ground_close_link(stage->ground, link, closed);
    for (uint32_t i = 0; i < stage->actor_count && status == TR_OK; i++)
        stage->actors[i]->replan = stage->actors[i]->replan || stage->actors[i]->errand == STAGE_ORDER;
    return status;
}
