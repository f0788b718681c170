// Committed motions. Everybody tries its way at its own pace, as far as the horizon and then to rest, against
// what the others are committed to; where that meets somebody, it stops earlier or goes slower, and where that
// loses time it looks for a way around. What is free becomes its commitment; else the one it has stays, which
// ends at rest.
#include "stage_data.h"

#include "troupe/base/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float slower[] = {0.6f, 0.3f};
#define SLOWER_COUNT (sizeof slower / sizeof slower[0])
#define CLEAR 0.05f // kept from objects that move [m]

// A motion that is tried: the ghost has gone it.
typedef struct crowd_trial {
    stage_commitment commitment;
    tr_vec3 *positions; // the first is where the actor is now
    uint32_t count;
    bool free;
    uint32_t barred;  // who comes out of where it would go; TR_NONE
    uint32_t soft;    // whose strip it would rest on, where nothing else speaks against it; TR_NONE
    uint32_t arrives; // after so many ticks it comes to its end; UINT32_MAX: it does not
    tr_timeline_meeting meeting; // the first, at full pace
} crowd_trial;

// What is tried, from where it begins.
typedef struct crowd_route {
    float length; // of the route, as far as it belongs to the piece [m],
    float more;   // by so much more than the piece: the actor is not where that begins [m]
    float beyond; // of the way, behind the piece [m]
    bool slows;   // footprints follow
} crowd_route;

tr_vec3 tr_stage_place_of(const stage_actor *who) {
    tr_actor_view view = tr_actor_look(who->actor);
    return tr_vec3_make(view.state.position.x, view.ground, view.state.position.z);
}

bool tr_stage_rests(const tr_stage *stage, const stage_actor *who) {
    return stage->tick >= who->commitment.rest;
}

float tr_stage_limit(const tr_stage *stage, const stage_actor *who) {
    const stage_commitment *c = &who->commitment;
    return stage->tick < c->slow ? c->limit : stage->tick < c->stop ? c->slow_limit : 0;
}

static float along_at(const stage_actor *who, float progress) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (!piece)
        return tr_way_length(&who->way);
    float along = piece->begin + progress - who->route_more;
    return along < piece->end ? along : piece->end;
}

float tr_stage_along(const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (!piece || !who->piece_begun)
        return piece ? piece->begin : 0;
    if (piece->kind == TR_WAY_WALK)
        return along_at(who, tr_actor_look(who->actor).state.progress);
    float along = piece->begin + who->travelled;
    return along < piece->end ? along : piece->end;
}

float tr_stage_to_go(const stage_actor *who) {
    return tr_way_length(&who->way) - tr_stage_along(who);
}

static tr_timeline_motion motion_of(const tr_stage *stage, const stage_actor *who,
                                    const crowd_trial *trial) {
    tr_timeline_motion motion = {.begin = stage->tick,
                                 .positions = trial->positions,
                                 .count = trial->count,
                                 .radius = who->radius,
                                 .height = who->height,
                                 .self = who->body,
                                 .rest = true,
                                 .margin = stage->def.margin * stage->squeeze,
                                 .clear = CLEAR};
    return motion;
}

static bool is_free(const tr_stage *stage, const stage_actor *who, const crowd_trial *trial,
                    tr_timeline_meeting *meeting) {
    tr_timeline_motion motion = motion_of(stage, who, trial);
    return !tr_timeline_meets(stage->timeline, &motion, meeting);
}

static float length_of(const tr_vec3 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++) {
        float x = points[i].x - points[i - 1].x, z = points[i].z - points[i - 1].z;
        length += sqrtf(x * x + z * z);
    }
    return length;
}

// Bring the ghost to rest after `gone` ticks: the trial as it would be then. What is still to go is told by
// how far the root gets.
static void stop_after(tr_stage *stage, const stage_actor *who, const crowd_route *route, uint32_t gone,
                       crowd_trial *trial) {
    uint32_t more = tr_actor_ghost_stop(stage->ghost, gone, trial->positions + 1 + gone,
                                        TUNE_POSITIONS - 1 - gone);
    trial->count = 1 + gone + more;
    const tr_way_piece *piece = tr_stage_piece(who);
    trial->commitment.stop = stage->tick + gone;
    if (trial->commitment.slow > trial->commitment.stop)
        trial->commitment.slow = trial->commitment.stop;
    trial->commitment.rest = stage->tick + gone + more;
    // Over footprints the root is not on a line: how far it goes is what counts.
    float progress = who->travelled + length_of(trial->positions, trial->count);
    if (piece->kind == TR_WAY_WALK) {
        progress = tr_actor_ghost_state(stage->ghost, gone).progress +
                   length_of(trial->positions + gone, more + 1);
        progress = progress < route->length ? progress : route->length;
    }
    trial->commitment.to_go = route->length - progress + route->beyond;
    // To be there is more than to be near.
    if (gone >= trial->arrives)
        trial->commitment.to_go = route->beyond - 1;
}

// Small gains are left until there is a larger one; nobody sets out for a few centimetres.
static bool is_better(const tr_stage *stage, const stage_actor *who, float to_go) {
    float before = who->commitment.to_go, left = tr_stage_to_go(who);
    bool rests = tr_stage_rests(stage, who);
    before = before < left ? before : left;
    return to_go < before - (rests ? TUNE_WORTH : TUNE_PROGRESS);
}

// Nobody comes to rest where somebody else is to pass, but for those who are there already.
static bool rests_in_claim(tr_stage *stage, const stage_actor *who, const crowd_trial *trial) {
    if (stage->claim_count == 0 || who->errand == STAGE_ASIDE)
        return false;
    return tr_go_is_claimed(stage->claims, stage->claim_count, trial->positions[trial->count - 1]) &&
           !tr_go_is_claimed(stage->claims, stage->claim_count, trial->positions[0]);
}

// Where along its way somebody is committed to come to rest [m].
static float rest_along(const stage_actor *who) {
    float now = tr_stage_along(who), rest = tr_way_length(&who->way) - who->commitment.to_go;
    return rest > now ? rest : now;
}

// The strip of ground that somebody will walk over when it goes on: is the point on it? Gives how far ahead and
// aside.
static bool is_ahead_of(const tr_stage *stage, const stage_actor *other, const stage_actor *who, tr_vec3 point,
                        float *ahead, float *aside) {
    float begin = rest_along(other), along = begin;
    *aside = tr_way_distance(&other->way, begin, point, TUNE_FLOOR_APART, &along);
    *ahead = along - begin;
    return *aside < other->radius + who->radius + stage->def.margin + TUNE_STRIP_MORE &&
           *ahead > TUNE_STRIP_LEAST && *ahead < TUNE_STRIP;
}

// Nobody comes to rest where somebody else will pass who is nearer to the place, or bottlenecks jam: whoever is
// first there goes first, and the others leave it room. Those who are there already may get further aside.
static bool rests_in_the_way(const tr_stage *stage, const stage_actor *who, const crowd_trial *trial,
                             uint32_t *whose) {
    tr_vec3 from = trial->positions[0], rest = trial->positions[trial->count - 1];
    uint32_t near[32], count = tr_timeline_near(stage->timeline, rest, TUNE_STRIP + 1, 1, who->height, near, 32);
    if (stage->tick < who->waiver)
        return false;
    for (uint32_t i = 0; i < count && i < 32; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        float ahead, aside, before, off;
        if (!other || !tr_stage_piece(other) || !is_ahead_of(stage, other, who, rest, &ahead, &aside))
            continue;
        ahead += rest_along(other) - tr_stage_along(other);
        tr_vec3 place = tr_way_at(&other->way, tr_stage_along(other) + ahead);
        float x = place.x - from.x, z = place.z - from.z, own = sqrtf(x * x + z * z);
        bool first = ahead < own || (ahead == own && other->id < who->id);
        if (first && !(is_ahead_of(stage, other, who, from, &before, &off) && aside >= off - 1e-3f)) {
            *whose = other->body;
            return true;
        }
    }
    return false;
}

static bool overruns(const crowd_route *route, const stage_actor *who, tr_stage *stage, uint32_t gone,
                     const crowd_trial *trial) {
    if (!route->slows)
        return false;
    float progress = tr_actor_ghost_state(stage->ghost, gone).progress +
                     length_of(trial->positions + gone, trial->count - gone);
    (void)who;
    return progress > route->length + 0.1f;
}

static bool may_rest(tr_stage *stage, const stage_actor *who, const crowd_route *route, uint32_t gone,
                     crowd_trial *trial) {
    bool arrives = gone >= trial->arrives && tr_stage_is_last(who);
    uint32_t whose = TR_NONE, inside = TR_NONE;
    tr_vec3 rest = trial->positions[trial->count - 1];
    float along = tr_way_length(&who->way) - trial->commitment.to_go;
    bool may = !rests_in_claim(stage, who, trial) && !overruns(route, who, stage, gone, trial) &&
               (arrives || !rests_in_the_way(stage, who, trial, &whose));
    if (may && who->errand == STAGE_ORDER &&
        !tr_stage_leaves_narrow(stage, who, trial->positions[0], rest, along, &inside)) {
        trial->meeting.body = trial->meeting.body == TR_NONE ? inside : trial->meeting.body;
        trial->barred = inside;
        return false;
    }
    if (whose != TR_NONE && trial->soft == TR_NONE && is_better(stage, who, trial->commitment.to_go))
        trial->soft = whose;
    return may;
}

// Go at `limit` for as long as the horizon, slower before footprints. Gives the ticks gone.
static uint32_t go_at(tr_stage *stage, const crowd_route *route, float limit, crowd_trial *trial) {
    tr_vec3 *positions = trial->positions + 1;
    trial->commitment.limit = limit;
    trial->commitment.slow_limit = limit < TUNE_STAIR_SPEED ? limit : TUNE_STAIR_SPEED;
    trial->commitment.slow = UINT64_MAX;
    uint32_t gone = 0;
    bool done = false;
    trial->arrives = UINT32_MAX;
    uint32_t horizon = TUNE_HORIZON;
    if (!route->slows) {
        gone = tr_actor_ghost_go(stage->ghost, limit, horizon, positions, &done);
        // Whoever turns on the spot first is seen to walk off, too.
        while (gone == horizon && !done && horizon < TUNE_HORIZON_MAX &&
               tr_actor_ghost_state(stage->ghost, gone).progress -
                       tr_actor_ghost_state(stage->ghost, 0).progress <
                   TUNE_SET_OUT) {
            horizon += TUNE_HORIZON / 4;
            gone += tr_actor_ghost_go(stage->ghost, limit, TUNE_HORIZON / 4, positions + gone, &done);
        }
        trial->arrives = done ? gone : UINT32_MAX;
        return gone;
    }
    float begin = tr_actor_ghost_state(stage->ghost, 0).progress;
    while (!done && (gone < horizon ||
                     (gone < TUNE_HORIZON_MAX &&
                      tr_actor_ghost_state(stage->ghost, gone).progress - begin < TUNE_SET_OUT))) {
        float left = route->length - tr_actor_ghost_state(stage->ghost, gone).progress;
        bool slow = trial->commitment.slow != UINT64_MAX || left < TUNE_STAIR_SIGHT;
        if (slow && trial->commitment.slow == UINT64_MAX)
            trial->commitment.slow = stage->tick + gone;
        uint32_t went = tr_actor_ghost_go(stage->ghost, slow ? trial->commitment.slow_limit : limit, 1,
                                          positions + gone, &done);
        gone += went;
        if (went == 0)
            break;
    }
    return gone;
}

// The furthest motion at this limit that meets nobody. The ghost stands at its begin.
static void try_limit(tr_stage *stage, stage_actor *who, const crowd_route *route, float limit,
                      crowd_trial *trial) {
    trial->free = false;
    trial->soft = trial->barred = TR_NONE;
    trial->meeting = (tr_timeline_meeting){.body = TR_NONE, .object = TR_NONE};
    uint32_t gone = go_at(stage, route, limit, trial), most = gone, fewer = 1;
    uint64_t slow = trial->commitment.slow;
    for (bool first = true;; first = false) {
        trial->commitment.slow = slow;
        stop_after(stage, who, route, most, trial);
        tr_timeline_meeting met = {.body = TR_NONE, .object = TR_NONE};
        bool open = is_free(stage, who, trial, &met);
        if (first)
            trial->meeting = met;
        if (open && may_rest(stage, who, route, most, trial)) {
            trial->free = true;
            return;
        }
        if (most == 0 || trial->commitment.to_go > who->commitment.to_go)
            return;
        double meets = open ? (double)most : met.tick - (double)stage->tick;
        uint32_t before = meets > 2 ? (uint32_t)meets - 2 : 0;
        uint32_t next = most > fewer ? most - fewer : 0;
        most = first && before < next ? before : next;
        fewer += fewer / 2 + 1;
    }
}

static void commit(tr_stage *stage, stage_actor *who, const crowd_route *route, const crowd_trial *trial) {
    if (tr_timeline_commit(stage->timeline, who->body, stage->tick, trial->positions, trial->count) != TR_OK)
        return;
    who->commitment = trial->commitment;
    who->commits++;
    who->stuck = false;
    if (who->narrow_count)
        tr_stage_list_insides(stage);
    if (!who->piece_begun) {
        tr_actor_take(who->actor, stage->ghost);
        who->piece_begun = true;
        who->route_more = route ? route->more : 0;
    }
}

tr_status tr_stage_commit_rest(tr_stage *stage, stage_actor *who) {
    tr_vec3 at = tr_stage_place_of(who);
    who->commitment = (stage_commitment){.to_go = INFINITY};
    who->commits++;
    return tr_timeline_commit(stage->timeline, who->body, stage->tick, &at, 1);
}

void tr_stage_stop(tr_stage *stage, stage_actor *who) {
    crowd_trial trial = {.positions = stage->positions[0]};
    if (tr_stage_rests(stage, who))
        return;
    tr_actor_ghost_begin(stage->ghost, who->actor);
    trial.positions[0] = tr_stage_place_of(who);
    uint32_t more = tr_actor_ghost_stop(stage->ghost, 0, trial.positions + 1, TUNE_POSITIONS - 1);
    trial.count = 1 + more;
    trial.commitment = (stage_commitment){
        .slow = stage->tick, .stop = stage->tick, .rest = stage->tick + more, .to_go = INFINITY};
    tr_timeline_meeting met;
    if (!is_free(stage, who, &trial, &met))
        return; // as committed, then
    bool begun = who->piece_begun;
    who->piece_begun = true; // nothing is taken over
    commit(stage, who, NULL, &trial);
    who->piece_begun = begun;
}

static float route_length(const tr_vec2 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++) {
        float x = points[i].x - points[i - 1].x, z = points[i].z - points[i - 1].z;
        length += sqrtf(x * x + z * z);
    }
    return length;
}

// A ghost on the present piece, at its begin. false: it cannot go there.
static bool begin_ghost(tr_stage *stage, stage_actor *who, const tr_go_around_result *around,
                        crowd_route *route) {
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_actor_ghost_begin(stage->ghost, who->actor);
    *route = (crowd_route){.length = piece->end - piece->begin,
                           .beyond = tr_way_length(&who->way) - piece->end,
                           .slows = !tr_stage_is_last(who) && piece[1].kind == TR_WAY_STEP};
    if (piece->kind == TR_WAY_WALK && who->piece_begun && !around) {
        route->more = who->route_more;
        route->length += route->more;
    }
    if (piece->kind != TR_WAY_WALK || (who->piece_begun && !around))
        return true;
    uint32_t count = tr_stage_make_route(stage, who, around);
    if (!around) {
        float length = route_length(stage->route, count - (route->slows ? 1 : 0));
        route->more = length - route->length;
        route->length = length;
    } else
        route->length = length_of(around->points, around->point_count) + piece->end - around->rejoins;
    return tr_actor_ghost_set_route(stage->ghost, stage->route, count, stage->passage,
                                    tr_stage_final_heading(who), tr_stage_wish(who), NULL) == TR_OK;
}

static uint32_t claims_for(tr_stage *stage, const stage_actor *who) {
    stage->claim_count = tr_stage_claims_on(stage, who);
    return stage->claim_count;
}

// The ways of those near it who come the other way.
static uint32_t find_against(const tr_stage *stage, const stage_actor *who, tr_go_claim *against, uint32_t max) {
    uint32_t near[32], found = 0;
    tr_vec3 at = tr_stage_place_of(who), aim = tr_way_at(&who->way, tr_stage_along(who) + TUNE_QUEUE_SIGHT);
    uint32_t count = tr_timeline_near(stage->timeline, at, TUNE_AGAINST, 1, who->height, near, 32);
    float x = aim.x - at.x, z = aim.z - at.z;
    for (uint32_t i = 0; i < count && i < 32 && found < max; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (!other || !tr_stage_piece(other) || other->errand != STAGE_ORDER)
            continue;
        float begin = tr_stage_along(other);
        tr_vec3 its = tr_stage_place_of(other), to = tr_way_at(&other->way, begin + TUNE_QUEUE_SIGHT);
        if (x * (to.x - its.x) + z * (to.z - its.z) < -0.3f)
            against[found++] = (tr_go_claim){&other->way, begin, begin + TUNE_AGAINST, 2 * who->radius};
    }
    return found;
}

static bool find_around(tr_stage *stage, stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_actor_view view = tr_actor_look(who->actor);
    tr_vec3 at = tr_stage_place_of(who);
    uint32_t size = TR_NONE;
    for (uint32_t room = TR_WAY_OPEN; room < TR_WAY_SIDE && size == TR_NONE; room++)
        if (tr_ground_is_free(stage->ground, who->sizes[room], at, NULL))
            size = who->sizes[room];
    if (size == TR_NONE)
        return false;
    tr_go_walker walker = {.body = who->body,
                           .size = size,
                           .radius = who->radius,
                           .height = who->height,
                           .margin = stage->def.margin + 0.02f,
                           .position = at,
                           .heading = view.state.heading,
                           .speed = tr_stage_wish(who),
                           .way = &who->way,
                           .along = tr_stage_along(who),
                           .until = piece->end,
                           .tick = stage->tick,
                           .tick_seconds = TR_STAGE_TICK,
                           .claims = stage->claims,
                           .claim_count = stage->claim_count};
    tr_go_claim against[16];
    walker.against = against;
    walker.against_count = find_against(stage, who, against, 16);
    who->around_tick = stage->tick;
    return tr_go_around(stage->go, stage->ground, stage->timeline, &walker, &stage->around) == TR_OK;
}

// The way that was gone around others is the actor's way from now on.
static void splice(tr_stage *stage, stage_actor *who) {
    const tr_go_around_result *around = &stage->around;
    tr_way *way = &who->way, *made = &stage->trial;
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_way_clear(made);
    float along = 0, time = 0, speed = tr_stage_wish(who);
    for (uint32_t i = 0; i < around->point_count; i++) {
        if (i) {
            float step = length_of(around->points + i - 1, 2);
            along += step;
            time += step / speed;
        }
        made->points[made->point_count++] =
            (tr_way_point){.position = around->points[i], .along = along, .time = time};
    }
    float shift = along - around->rejoins;
    uint32_t rest = piece->first + piece->count - 1, next = piece->first;
    while (next < rest && way->points[next].along <= around->rejoins + 0.01f)
        next++;
    made->pieces[made->piece_count++] =
        (tr_way_piece){TR_WAY_WALK, 0, made->point_count + rest - next + 1, 0, piece->end + shift};
    uint32_t moved = made->point_count - next; // later points have other numbers
    for (uint32_t i = next; i < way->point_count && made->point_count < made->point_max; i++) {
        tr_way_point point = way->points[i];
        point.along += shift;
        point.time += time;
        made->points[made->point_count++] = point;
    }
    for (const tr_way_piece *p = piece + 1; p < way->pieces + way->piece_count; p++)
        made->pieces[made->piece_count++] =
            (tr_way_piece){p->kind, p->first + moved, p->count, p->begin + shift, p->end + shift};
    if (tr_way_copy(way, made) != TR_OK)
        return;
    who->piece = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < who->narrow_count; i++)
        if (who->narrows[i].end > around->rejoins)
            who->narrows[kept++] = (stage_stretch){
                who->narrows[i].begin + shift > 0 ? who->narrows[i].begin + shift : 0, who->narrows[i].end + shift};
    who->narrow_count = kept;
}

// Is there enough room in a way for points that are added?
static bool fits(const stage_actor *who, const tr_go_around_result *around) {
    return who->way.point_count + around->point_count <= STAGE_POINTS;
}

// On the way that was found around others. false: it is no better.
static bool go_around(tr_stage *stage, stage_actor *who, float best, crowd_trial *tried) {
    crowd_route route;
    crowd_trial trial = {.positions = stage->positions[1]};
    trial.positions[0] = tr_stage_place_of(who);
    if (!fits(who, &stage->around) || !begin_ghost(stage, who, &stage->around, &route))
        return false;
    float kept = who->commitment.to_go;
    who->commitment.to_go = INFINITY; // a way round is longer
    try_limit(stage, who, &route, tr_stage_wish(who), &trial);
    who->commitment.to_go = kept;
    if (tried)
        *tried = trial;
    if (getenv("DBG3") && who->id == (uint32_t)atoi(getenv("DBG3")))
        fprintf(stderr, "%.2f   around %u: free %d count %u to_go %.3f best %.3f meeting body %d tick +%.1f; route.length %.2f first (%.2f %.2f) pos[last] (%.3f %.3f) claims %u\n", tr_stage_time(stage), who->id, trial.free, trial.count, trial.commitment.to_go, best, (int)trial.meeting.body, trial.meeting.tick - stage->tick, route.length, stage->around.points[1].x, stage->around.points[1].z, trial.positions[trial.count-1].x, trial.positions[trial.count-1].z, stage->claim_count);
    if (!trial.free || trial.commitment.to_go > best - TUNE_PROGRESS)
        return false;
    who->piece_begun = false;
    commit(stage, who, NULL, &trial);
    splice(stage, who);
    return true;
}

// Does somebody go where this one goes, and before it? Then there is nothing to go around: one queues.
static bool is_queue(const tr_stage *stage, const stage_actor *who, uint32_t body) {
    const stage_actor *other = body != TR_NONE ? stage->bodies[body] : NULL;
    if (!other || other->errand != STAGE_ORDER || !tr_stage_piece(other))
        return false;
    bool overtakes = !tr_stage_rests(stage, other) && other->blocker == TR_NONE &&
                     tr_stage_wish(other) < tr_stage_wish(who) - TUNE_OVERTAKE;
    float begin = tr_stage_along(who), along = begin;
    float off = tr_way_distance(&who->way, begin, tr_stage_place_of(other), TUNE_FLOOR_APART, &along);
    if (along - begin < who->radius)
        return false; // beside it
    tr_vec3 own = tr_way_at(&who->way, along + TUNE_QUEUE_SIGHT),
            its = tr_way_at(&other->way, tr_stage_along(other) + TUNE_QUEUE_SIGHT);
    float x = own.x - its.x, z = own.z - its.z;
    return !overtakes && off < TUNE_QUEUE_WIDTH && x * x + z * z < TUNE_QUEUE_WIDTH * TUNE_QUEUE_WIDTH;
}

static bool may_look_around(const tr_stage *stage, const stage_actor *who, float loss) {
    bool rests = tr_stage_rests(stage, who), first = rests && who->around_tick < who->commitment.rest;
    uint64_t wait = rests ? 2 * TUNE_AROUND_PERIOD : TUNE_AROUND_PERIOD;
    return loss > TUNE_LOSS && (first || stage->tick >= who->around_tick + wait) &&
           tr_stage_piece(who)->kind == TR_WAY_WALK;
}

// Of all that was tried, what gets furthest; not to stop is worth something.
static void try_slower(tr_stage *stage, stage_actor *who, const crowd_route *route, crowd_trial *best) {
    float full = best->free ? best->commitment.to_go : INFINITY;
    for (uint32_t i = 0; i < SLOWER_COUNT; i++) {
        crowd_route again = *route;
        if (!begin_ghost(stage, who, NULL, &again))
            return;
        crowd_trial trial = {.positions = stage->positions[1]};
        trial.positions[0] = best->positions[0];
        uint32_t gone = go_at(stage, route, slower[i] * tr_stage_wish(who), &trial);
        stop_after(stage, who, route, gone, &trial);
        tr_timeline_meeting met;
        if (trial.commitment.to_go > full + TUNE_SLOW_BONUS || !is_free(stage, who, &trial, &met) ||
            !may_rest(stage, who, route, gone, &trial))
            continue;
        trial.free = true;
        trial.soft = best->soft;
        trial.barred = best->barred;
        trial.meeting = best->meeting;
        memcpy(best->positions, trial.positions, trial.count * sizeof *trial.positions);
        trial.positions = best->positions;
        *best = trial;
        return;
    }
    // The ghost goes the way of the best again.
    crowd_route again;
    begin_ghost(stage, who, NULL, &again);
}

static void note_blocker(tr_stage *stage, stage_actor *who, const crowd_trial *trial) {
    uint32_t body = trial->barred != TR_NONE ? trial->barred
                    : trial->soft != TR_NONE ? trial->soft
                                             : trial->meeting.body;
    who->polite = trial->soft != TR_NONE && trial->barred == TR_NONE;
    who->blocker = body;
    who->blocker_seen = body != TR_NONE ? stage->bodies[body]->commits : 0;
    if (body == TR_NONE || who->told_blocked || !tr_stage_rests(stage, who))
        return;
    who->told_blocked = true;
    tr_event event = {.kind = TR_EVENT_BLOCKED,
                      .actor = who->id,
                      .other = stage->bodies[body]->id,
                      .order = who->current < who->order_count ? who->orders[who->current].number : TR_NONE,
                      .position = tr_stage_place_of(who),
                      .time = tr_stage_time(stage)};
    tr_stage_tell(stage, &event);
}

// Whoever waits does not try again until whom it waits for has moved, or it is time to look around.
static bool waits_on(const tr_stage *stage, const stage_actor *who) {
    return tr_stage_rests(stage, who) && who->blocker != TR_NONE && stage->bodies[who->blocker] &&
           stage->bodies[who->blocker]->commits == who->blocker_seen &&
           stage->tick < who->around_tick + 2 * TUNE_AROUND_PERIOD;
}

// The furthest point ahead on its way that an actor sees, within reach. Gives where along the way.
static float see_ahead(const tr_stage *stage, const stage_actor *who, uint32_t size, tr_vec3 at, float most) {
    static const float shares[] = {1, 0.7f, 0.45f, 0.25f, 0.1f};
    const tr_way_piece *piece = tr_stage_piece(who);
    float along = tr_stage_along(who);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        float there = along + most * shares[i];
        there = there < piece->end ? there : piece->end;
        if (tr_ground_sees(stage->ground, size, at, tr_way_at(&who->way, there)))
            return there;
    }
    return along;
}

// The widest size that there is room for where an actor is.
static uint32_t size_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    return tr_ground_is_free(stage->ground, who->sizes[0], at, NULL) ? who->sizes[0] : who->sizes[1];
}

// Whoever sets out again goes straight to what it sees of its way, whatever brought it to where it stands.
static void straighten(tr_stage *stage, stage_actor *who) {
    tr_vec3 at = tr_stage_place_of(who);
    if (tr_stage_piece(who)->kind != TR_WAY_WALK || !who->piece_begun)
        return;
    float rejoins = see_ahead(stage, who, size_at(stage, who, at), at, TUNE_STRAIGHT);
    if (rejoins <= tr_stage_along(who))
        return;
    stage->around.points[0] = at;
    stage->around.points[1] = tr_way_at(&who->way, rejoins);
    stage->around.point_count = 2;
    stage->around.rejoins = rejoins;
    if (!fits(who, &stage->around))
        return;
    splice(stage, who);
    who->piece_begun = false;
}

// Bodies that touch slide past each other: turn to where the way leads on, or a step to a side, and on.
// When nothing helps, `meeting` becomes that of the step that gets furthest: whom it really waits for.
static bool edge_past(tr_stage *stage, stage_actor *who, float left, tr_timeline_meeting *meeting) {
    static const double turns[] = {0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.6, -1.6};
    if (tr_stage_piece(who)->kind != TR_WAY_WALK)
        return false;
    tr_vec3 at = tr_stage_place_of(who);
    uint32_t size = size_at(stage, who, at);
    float rejoins = see_ahead(stage, who, size, at, 2.5f * TUNE_EDGE);
    tr_vec3 aim = tr_way_at(&who->way, rejoins);
    double x = aim.x - at.x, z = aim.z - at.z, length = sqrt(x * x + z * z);
    if (length < 0.1)
        return false;
    bool done = false;
    float best = INFINITY;
    stage->squeeze = TUNE_SQUEEZE;
    for (size_t i = 0; i < sizeof turns / sizeof *turns && !done; i++) {
        double sine, cosine, reach = (double)TUNE_EDGE / length;
        tr_sin_cos(turns[i], &sine, &cosine);
        tr_vec3 to = tr_vec3_make(at.x + (float)((cosine * x + sine * z) * reach), at.y,
                                  at.z + (float)((cosine * z - sine * x) * reach));
        uint32_t count = 0;
        stage->around.points[count++] = at;
        if (i > 0) {
            if (!tr_ground_sees(stage->ground, size, at, to) || !tr_ground_sees(stage->ground, size, to, aim))
                continue;
            stage->around.points[count++] = to;
        }
        stage->around.points[count++] = aim;
        stage->around.point_count = count;
        stage->around.rejoins = rejoins;
        crowd_trial tried = {.free = false};
        done = go_around(stage, who, left - (TUNE_WORTH - TUNE_PROGRESS), &tried);
        if (tried.free && tried.meeting.body != TR_NONE && tried.commitment.to_go < best) {
            best = tried.commitment.to_go;
            *meeting = tried.meeting;
        }
    }
    stage->squeeze = 1;
    return done;
}

static void pace_piece(tr_stage *stage, stage_actor *who) {
    crowd_route route;
    crowd_trial trial = {.positions = stage->positions[0]};
    trial.positions[0] = tr_stage_place_of(who);
    if (tr_stage_rests(stage, who)) {
        straighten(stage, who);
        who->commitment.to_go = INFINITY;
    }
    if (!begin_ghost(stage, who, NULL, &route))
        return;
    float wish = tr_stage_wish(who);
    float before = who->commitment.to_go;
    // What there would be to go if nobody else were there.
    float reach = wish * (float)(TUNE_HORIZON * TR_STAGE_TICK), left = tr_stage_to_go(who);
    float alone = left - reach > 0 ? left - reach : 0;
    try_limit(stage, who, &route, wish, &trial);
    // Whoever stands among others and cannot turn or set out for their margin gives it up.
    if (!(trial.free && is_better(stage, who, trial.commitment.to_go)) &&
        tr_stage_rests(stage, who) && trial.meeting.body != TR_NONE && trial.soft == TR_NONE && trial.barred == TR_NONE &&
        begin_ghost(stage, who, NULL, &route)) {
        stage->squeeze = TUNE_SQUEEZE;
        try_limit(stage, who, &route, wish, &trial);
        stage->squeeze = 1;
    }
    bool met = trial.meeting.body != TR_NONE || trial.meeting.object != TR_NONE || trial.soft != TR_NONE;
    if (met && !(trial.free && trial.commitment.to_go < alone + TUNE_LOSS))
        try_slower(stage, who, &route, &trial);
    float best = trial.free && trial.commitment.to_go < before ? trial.commitment.to_go : before;
    best = best < left ? best : left;
    bool queues = met && is_queue(stage, who, trial.meeting.body);
    if (met && !queues && may_look_around(stage, who, best - alone) && find_around(stage, who) &&
        go_around(stage, who, best, NULL))
        return;
    bool better = trial.free && is_better(stage, who, trial.commitment.to_go);
    if (getenv("DBG3") && who->id == (uint32_t)atoi(getenv("DBG3")))
        fprintf(stderr, "%.2f pace %u: free %d count %u to_go %.3f before %.3f left %.3f alone %.3f met %d body %d object %d soft %d tick +%.1f better %d claims %u begun %d errand %d\n", tr_stage_time(stage), who->id, trial.free, trial.count, trial.commitment.to_go, before, left, alone, met, (int)trial.meeting.body, (int)trial.meeting.object, (int)trial.soft, trial.meeting.tick - stage->tick, better, stage->claim_count, who->piece_begun, who->errand);
    if (getenv("DBG4") && who->id == (uint32_t)atoi(getenv("DBG4")) && tr_stage_time(stage) > 59.9) {
        for (uint32_t k = 0; k < 110; k += 5) { tr_follow_state st = tr_actor_ghost_state(stage->ghost, k); fprintf(stderr, "  k %u pos (%.3f %.3f) heading %.3f speed %.3f turn %.3f progress %.3f mode %d\n", k, st.position.x, st.position.z, st.heading, st.speed, st.turn_rate, st.progress, st.mode); }
        for (uint32_t i = 0; i < who->way.point_count; i++) fprintf(stderr, " (%.3f %.3f %.3f room %d)", who->way.points[i].position.x, who->way.points[i].position.z, who->way.points[i].along, who->way.points[i].room);
    }
    bool edges = met && !better && !queues && trial.soft == TR_NONE && trial.barred == TR_NONE && tr_stage_rests(stage, who) &&
                 stage->tick >= who->edge_tick + TUNE_EDGE_PERIOD;
    who->edge_tick = edges ? stage->tick : who->edge_tick;
    if (edges && edge_past(stage, who, left, &trial.meeting))
        return;
    if (met && !better)
        note_blocker(stage, who, &trial);
    who->stuck = met && !better && tr_stage_rests(stage, who);
    if (!better)
        return;
    if (met) { // somebody looked elsewhere with the same ghost
        crowd_route again;
        begin_ghost(stage, who, NULL, &again);
    }
    who->blocker = met ? trial.meeting.body : TR_NONE;
    who->blocker_seen = 0;
    who->told_blocked = false;
    commit(stage, who, &route, &trial);
}

// From the level onto footprints, or from where it stands. TR_OK: they are under way; TR_PARTIAL: others are in
// the way; TR_NOT_FOUND: there is no foothold.
static tr_status step_on(tr_stage *stage, stage_actor *who, uint32_t piece) {
    uint32_t count;
    if (tr_stage_plan_treads(stage, who, piece, &count) != TR_OK)
        return TR_NOT_FOUND;
    tr_actor_ghost_begin(stage->ghost, who->actor);
    if (tr_actor_ghost_set_treads(stage->ghost, stage->treads, count, tr_stage_floor_near, who, NULL) != TR_OK)
        return TR_NOT_FOUND;
    uint32_t kept = who->piece;
    bool begun = who->piece_begun;
    float travelled = who->travelled;
    who->piece = piece;
    who->piece_begun = false;
    who->travelled = 0;
    const tr_way_piece *p = tr_stage_piece(who);
    crowd_route route = {.length = p->end - p->begin, .beyond = tr_way_length(&who->way) - p->end};
    crowd_trial trial = {.positions = stage->positions[0]};
    trial.positions[0] = tr_stage_place_of(who);
    float before = who->commitment.to_go;
    who->commitment.to_go = INFINITY;
    try_limit(stage, who, &route, tr_stage_wish(who), &trial);
    who->commitment.to_go = before;
    bool takes = trial.free && trial.count > 2 && trial.commitment.to_go < route.length + route.beyond - 0.2f;
    if (takes) {
        commit(stage, who, NULL, &trial);
        who->level = tr_stage_place_of(who).y;
        return TR_OK;
    }
    who->piece = kept;
    who->piece_begun = begun;
    who->travelled = travelled;
    note_blocker(stage, who, &trial);
    who->stuck = tr_stage_rests(stage, who);
    return TR_PARTIAL;
}

// Best just when a foot has come down, so that the other one takes the first step; but not too late.
static bool may_step_on(const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (piece->kind != TR_WAY_WALK || !who->piece_begun || tr_stage_is_last(who) || piece[1].kind != TR_WAY_STEP)
        return false;
    tr_actor_view view = tr_actor_look(who->actor);
    float over = view.state.progress - (piece->end - piece->begin);
    bool both = view.contacts & 3 && view.contacts >> 2 & 3;
    return view.doing != TR_ACTOR_TURNS && over > -TUNE_STRIDE && (both || over > -TUNE_SWITCH);
}

// From footprints to the level without a stand.
static bool walk_on(tr_stage *stage, stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (piece->kind != TR_WAY_STEP || !who->piece_begun || tr_stage_is_last(who) || piece[1].kind != TR_WAY_WALK ||
        !tr_actor_may_walk_on(who->actor))
        return false;
    stage_commitment kept = who->commitment;
    float level = who->level;
    uint64_t commits = who->commits;
    who->piece++;
    who->piece_begun = false;
    who->level = tr_actor_look(who->actor).ground;
    who->commitment.to_go = INFINITY;
    pace_piece(stage, who);
    if (who->commits != commits)
        return true;
    who->piece--;
    who->piece_begun = true;
    who->level = level;
    who->commitment = kept;
    return false;
}

static void begin_ride(tr_stage *stage, stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    float from = who->way.points[piece->first].position.y, to = who->way.points[piece->first + 1].position.y;
    double seconds = 1 + fabs((double)to - from) / (double)TUNE_RIDE_SPEED;
    crowd_trial trial = {.positions = stage->positions[0]};
    double steps = seconds / TR_STAGE_TICK;
    uint32_t count = steps < TUNE_POSITIONS - 2 ? (uint32_t)steps + 2 : TUNE_POSITIONS;
    tr_vec3 at = tr_stage_place_of(who);
    for (uint32_t i = 0; i < count; i++) {
        double t = (double)i * TR_STAGE_TICK / seconds, u = t < 1 ? t : 1;
        double share = u * u * u * (10 + u * (6 * u - 15));
        trial.positions[i] = tr_vec3_make(at.x, from + (float)(share * ((double)to - from)), at.z);
    }
    trial.count = count;
    trial.commitment = (stage_commitment){.rest = stage->tick + count, .to_go = tr_way_length(&who->way) - piece->end};
    tr_timeline_meeting met;
    if (!is_free(stage, who, &trial, &met))
        return;
    who->ride_time = 0;
    bool takes = tr_timeline_commit(stage->timeline, who->body, stage->tick, trial.positions, count) == TR_OK;
    if (takes) {
        who->commitment = trial.commitment;
        who->commits++;
        who->piece_begun = true;
    }
}

// A level stretch that is too short to walk is part of what follows.
static void skip_short(stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (piece && piece->kind == TR_WAY_WALK && !who->piece_begun && !tr_stage_is_last(who) &&
        piece->end - piece->begin < TUNE_SHORT)
        who->piece++;
}

static void pace_actor(tr_stage *stage, stage_actor *who, uint32_t number) {
    skip_short(who);
    const tr_way_piece *piece = tr_stage_piece(who);
    if (!piece || (who->reach && who->reach->busy))
        return;
    bool due = (stage->tick + number) % TUNE_PERIOD == 0;
    claims_for(stage, who);
    bool turn = (stage->tick + number) % TUNE_AROUND_PERIOD == 0, rests = tr_stage_rests(stage, who);
    if (may_step_on(who) && (turn || who->blocker == TR_NONE || !rests)) {
        tr_status stepped = step_on(stage, who, who->piece + 1);
        if (stepped == TR_NOT_FOUND && rests)
            tr_stage_fail(stage, who, "there is no foothold on the way");
        if (stepped == TR_OK || (stepped == TR_NOT_FOUND && rests))
            return;
    }
    if (walk_on(stage, who))
        return;
    if (waits_on(stage, who))
        return;
    if (piece->kind == TR_WAY_RIDE) {
        if (!who->piece_begun && due)
            begin_ride(stage, who);
    } else if (piece->kind == TR_WAY_STEP && !who->piece_begun) {
        if (tr_stage_rests(stage, who) && turn && step_on(stage, who, who->piece) == TR_NOT_FOUND)
            tr_stage_fail(stage, who, "there is no foothold on the way");
    } else if (due || who->commitment.to_go == INFINITY) {
        pace_piece(stage, who);
    }
}

void tr_stage_pace(tr_stage *stage) {
    tr_stage_list_insides(stage);
    for (uint32_t i = 0; i < stage->actor_count; i++)
        pace_actor(stage, stage->actors[i], i);
}
