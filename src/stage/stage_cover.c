// Actors onto which an object of the scene was put: an event reports it, and they walk out of it if there is
// room nearby.
#include "stage_data.h"

#include "troupe/base/scalar.h"

#include <stdio.h>

#define DIRECTIONS 16
#define STEP 0.1f         // from one ring of places to the next [m]
#define LOOK 0.04f        // distance between the samples of a way out [m]
#define WALK_OUT_TICKS 64 // approximate duration of a way out
#define PERIOD 15         // from one search for a way out to the next [ticks]
#define FLOOR_NEAR 0.3f   // a floor higher or lower by more is another one [m]
#define SUNK 0.2f         // an actor this far below a floor is inside an object [m]
#define WAIST 0.5f        // height above the floor at which a body is tested for being inside an object [m]
#define KNEE 0.3f         // height above the floor; lower objects are stepped over [m]
#define THIN 0.5f         // share of the radius: the half width of a body that squeezes past an object

// The object that encloses a body there: large hollow objects have floors inside. TR_NONE: none.
static uint32_t inside_of(const tr_stage *stage, tr_vec3 place) {
    tr_ground_place here = {.why = TR_GROUND_NARROW, .object = TR_NONE};
    tr_ground_look_inside(stage->def.scene, tr_vec3_make(place.x, place.y + WAIST, place.z), &here);
    return here.object;
}

// Is there room at a place, on a floor at the same height?
static bool is_free(const tr_stage *stage, uint32_t size, tr_vec3 place, float *height) {
    return tr_ground_is_free(stage->ground, size, place, height) && fabsf(*height - place.y) < SUNK;
}

// Is there an obstacle where it stands? An actor on its way may be in a narrow place, which is not meant for
// standing.
static bool is_covered(const tr_stage *stage, const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (tr_stage_is_carried(who) || (piece && piece->kind != TR_WAY_WALK && who->piece_begun))
        return false; // the feet are between two floors
    uint32_t size = piece ? tr_stage_least_size(stage, who) : who->sizes[TR_WAY_TIGHT];
    tr_vec3 at = tr_stage_place_of(who);
    float height;
    return !is_free(stage, size, at, &height) ||
           (who->cover != TR_NONE && inside_of(stage, at) == who->cover);
}

// An object that it was inside before (a tunnel, a tent) is not in the changed rectangle.
void tr_stage_cover(tr_stage *stage, stage_actor *who, tr_box changed) {
    uint32_t object = inside_of(stage, tr_stage_place_of(who));
    tr_box box = object != TR_NONE ? tr_scene_object(stage->def.scene, object).bounds : changed;
    bool is_new = box.min.x >= changed.min.x && box.max.x <= changed.max.x && box.min.z >= changed.min.z &&
                  box.max.z <= changed.max.z;
    if (is_new)
        who->cover = object;
    who->covered = who->covered || is_covered(stage, who);
}

void tr_stage_tell_covered(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if (!who->covered)
            continue;
        who->covered = is_covered(stage, who);
        if (who->covered && !who->told_covered) {
            tr_event event = {.kind = TR_EVENT_COVERED,
                              .actor = who->id,
                              .order = tr_stage_current(who) ? tr_stage_current(who)->number : TR_NONE,
                              .position = tr_stage_place_of(who),
                              .time = tr_stage_time(stage)};
            tr_stage_tell(stage, &event);
            who->out_tick = 0;
        }
        who->told_covered = who->covered;
    }
}

// Does the straight line out lead only through what was put onto the actor? Once it is out, the line must
// stay on free ground.
static bool leads_out(const tr_stage *stage, const stage_actor *who, tr_vec3 at, tr_vec3 place) {
    tr_vec3 apart = tr_vec3_subtract(place, at);
    uint32_t count = 1 + (uint32_t)(sqrtf(apart.x * apart.x + apart.z * apart.z) / LOOK);
    bool out = false;
    for (uint32_t i = 1; i <= count; i++) {
        tr_vec3 point = tr_vec3_add(at, tr_vec3_scale(apart, (float)i / (float)count));
        uint32_t object = inside_of(stage, point);
        float height;
        bool open = is_free(stage, who->sizes[TR_WAY_SIDE], point, &height);
        if ((object != TR_NONE && object != who->cover) || (out && !open))
            return false;
        out = open && object == TR_NONE;
    }
    return true;
}

// Does the body on its straight way out touch an object other than the one that was put onto it, or the ones
// that it touches already? Such an object may be inside the one that it walks out of, where no ground is
// free.
static bool strikes_others(const tr_stage *stage, const stage_actor *who, tr_vec3 at, tr_vec3 place) {
    const tr_scene *scene = stage->def.scene;
    stage_swept body = {.from = at,
                        .to = place,
                        .radius = THIN * who->radius,
                        .low = at.y + KNEE,
                        .high = at.y + who->height};
    stage_swept still = body;
    still.to = at;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++)
        if (i != who->cover && tr_stage_strikes(scene, i, &body) && !tr_stage_strikes(scene, i, &still))
            return true;
    return false;
}

// Does an actor stand there, or on the straight line there?
static bool is_taken(const tr_stage *stage, const stage_actor *who, tr_vec3 at, tr_vec3 place) {
    tr_vec3 positions[WALK_OUT_TICKS];
    for (uint32_t i = 0; i < WALK_OUT_TICKS; i++)
        positions[i] = tr_vec3_add(
            at, tr_vec3_scale(tr_vec3_subtract(place, at), (float)i / (float)(WALK_OUT_TICKS - 1)));
    tr_timeline_motion motion = tr_stage_standing(stage, who, &place);
    tr_timeline_meeting meeting;
    if (tr_timeline_meets(stage->timeline, &motion, &meeting))
        return true;
    motion.positions = positions;
    motion.count = WALK_OUT_TICKS;
    // A moving actor may have passed by then.
    return tr_timeline_meets(stage->timeline, &motion, &meeting) && meeting.at_rest;
}

// Can it go straight to a place on the same floor that is free of objects and actors? Then `place` is moved
// to that floor.
static bool is_way_out(const tr_stage *stage, const stage_actor *who, tr_vec3 at, tr_vec3 *place) {
    float height;
    if (!is_free(stage, who->sizes[TR_WAY_OPEN], *place, &height) ||
        (who->cover != TR_NONE && inside_of(stage, *place) == who->cover))
        return false;
    place->y = height;
    return leads_out(stage, who, at, *place) && !is_taken(stage, who, at, *place) &&
           !strikes_others(stage, who, at, *place);
}

// Walks straight there without regard to the ground, because it is inside an object. false: it stands, and
// neither sets off nor waits for a passing actor.
static bool walk_out(tr_stage *stage, stage_actor *who, tr_vec3 place) {
    tr_way *way = &stage->trial;
    tr_vec3 at = tr_stage_place_of(who), apart = tr_vec3_subtract(place, at);
    float length = sqrtf(apart.x * apart.x + apart.z * apart.z);
    tr_way_clear(way);
    way->points[0] = (tr_way_point){.position = at, .room = TR_WAY_OPEN};
    way->points[1] =
        (tr_way_point){.position = place, .along = length, .time = length / who->speed, .room = TR_WAY_OPEN};
    way->point_count = 2;
    way->pieces[0] = (tr_way_piece){TR_WAY_WALK, 0, 2, 0, length, tr_actor_root(who->actor)->slopes};
    way->piece_count = 1;
    tr_stage_set_out(stage, who, STAGE_ASIDE);
    who->aside_for = 0;
    if (!tr_stage_rests(stage, who) || tr_stage_set_off(stage, who))
        return true;
    const stage_actor *other = who->blocker != TR_NONE ? stage->bodies[who->blocker] : NULL;
    if (who->errand == STAGE_ASIDE && other && !tr_stage_rests(stage, other))
        return true;
    if (who->errand == STAGE_ASIDE)
        tr_stage_resume(stage, who);
    return false;
}

// Walks to the nearest place for which it can set off, trying at most one in each direction. `*near`: there
// is a place.
static bool find_out(tr_stage *stage, stage_actor *who, bool *near) {
    tr_vec3 at = tr_stage_place_of(who);
    bool tried[DIRECTIONS] = {false};
    *near = false;
    for (float far = STEP; far < TUNE_COVER_REACH; far += STEP)
        for (int i = 0; i < DIRECTIONS; i++) {
            double s, c;
            tr_sin_cos(i * 2 * TR_PI / DIRECTIONS, &s, &c);
            tr_vec3 place = tr_vec3_make(at.x + far * (float)s, at.y, at.z + far * (float)c);
            if (tried[i] || !is_way_out(stage, who, at, &place))
                continue;
            tried[i] = *near = true;
            if (walk_out(stage, who, place))
                return true;
        }
    return false;
}

static void give_up(tr_stage *stage, stage_actor *who, bool near) {
    const stage_order *order = tr_stage_current(who);
    if (!order || !tr_stage_is_of_legs(&order->order))
        return;
    tr_vec3 at = tr_stage_place_of(who);
    if (isnan(tr_ground_height(stage->ground, at, FLOOR_NEAR))) {
        tr_stage_end_order(stage, who, TR_ORDER_FAILED, "the actor no longer has a floor under it");
        return;
    }
    uint32_t object = inside_of(stage, at);
    const char *name = object != TR_NONE ? tr_scene_object(stage->def.scene, object).name : NULL;
    char reason[TR_ORDER_REASON_MAX];
    name = name && name[0] ? name : "an object";
    if (near)
        snprintf(reason, sizeof reason, "%.60s covers the actor, and no step leads out", name);
    else
        snprintf(reason, sizeof reason, "%.60s covers the actor, and there is no room within %g m", name,
                 (double)TUNE_COVER_REACH);
    tr_stage_end_order(stage, who, TR_ORDER_FAILED, reason);
}

bool tr_stage_leave_cover(tr_stage *stage, stage_actor *who) {
    if (tr_stage_is_performing(who))
        return false;
    if (!who->covered || (who->errand == STAGE_ASIDE && tr_stage_piece(who)))
        return who->covered;
    if (who->reach && (who->reach->busy || tr_stage_arms_are_out(who))) {
        tr_stage_lower_idle_arms(who);
        return true;
    }
    if (who->out_tick && stage->tick - who->out_tick < PERIOD)
        return true;
    who->out_tick = stage->tick + 1;
    bool near = false;
    if (!tr_stage_walks(who) || !find_out(stage, who, &near))
        give_up(stage, who, near);
    return true;
}
