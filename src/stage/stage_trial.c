// Motions that are tried: how far somebody gets on its way before it meets what others are committed to, and
// where it may come to rest.
#include "stage_trial.h"

static tr_timeline_motion motion_of(const tr_stage *stage, const stage_actor *who, const stage_trial *trial) {
    tr_timeline_motion motion = {.begin = stage->tick,
                                 .positions = trial->positions,
                                 .count = trial->count,
                                 .radius = who->radius,
                                 .height = who->height,
                                 .self = who->body,
                                 .rest = true,
                                 .margin = stage->def.margin * stage->squeeze,
                                 .clear = TUNE_CLEAR};
    return motion;
}

bool tr_stage_trial_is_free(const tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                            tr_timeline_meeting *meeting) {
    tr_timeline_motion motion = motion_of(stage, who, trial);
    return !tr_timeline_meets(stage->timeline, &motion, meeting);
}

float tr_stage_length(const tr_vec3 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++) {
        float x = points[i].x - points[i - 1].x, z = points[i].z - points[i - 1].z;
        length += sqrtf(x * x + z * z);
    }
    return length;
}

// Bring the ghost to rest after `gone` ticks: the trial as it would be then. What is still to go is told by
// how far the root gets.
void tr_stage_trial_stop(tr_stage *stage, const stage_actor *who, const stage_route *route, uint32_t gone,
                         stage_trial *trial) {
    uint32_t room = TUNE_POSITIONS - 1 - gone;
    uint32_t more = tr_actor_ghost_stop(stage->ghost, gone, trial->positions + 1 + gone, room);
    // What takes longer than there is room for is too long for the timeline as well, which refuses it.
    trial->count = more <= room ? 1 + gone + more : UINT32_MAX;
    more = more <= room ? more : room;
    const tr_way_piece *piece = tr_stage_piece(who);
    trial->commitment.stop = stage->tick + gone;
    if (trial->commitment.slow > trial->commitment.stop)
        trial->commitment.slow = trial->commitment.stop;
    trial->commitment.rest = stage->tick + gone + more;
    // Over footprints the root is not on a line: how many it takes is what counts.
    float progress = tr_actor_ghost_rest(stage->ghost).progress * route->length;
    if (piece->kind == TR_WAY_WALK) {
        progress = tr_actor_ghost_state(stage->ghost, gone).progress +
                   tr_stage_length(trial->positions + gone, more + 1);
        progress = progress < route->length ? progress : route->length;
    }
    trial->commitment.to_go = route->length - progress + route->beyond;
    // To be there is more than to be near.
    if (gone >= trial->arrives)
        trial->commitment.to_go = route->beyond - 1;
}

// Small gains are left until there is a larger one; nobody sets out for a few centimetres.
bool tr_stage_is_better(const tr_stage *stage, const stage_actor *who, float to_go) {
    float before = who->commitment.to_go, left = tr_stage_to_go(who);
    bool rests = tr_stage_rests(stage, who);
    before = before < left ? before : left;
    return to_go < before - (rests ? TUNE_WORTH : TUNE_PROGRESS);
}

// Whoever goes the same way before the owner of a claim does not stand in its way.
static bool goes_ahead(const stage_actor *who, const tr_go_claim *claim, tr_vec3 rest, float rest_along) {
    float along = claim->begin;
    if (!tr_stage_piece(who))
        return false;
    tr_way_distance(claim->way, claim->begin, rest, TUNE_FLOOR_APART, &along);
    tr_vec2 a = tr_stage_direction(claim->way, along), b = tr_stage_direction(&who->way, rest_along);
    return a.x * b.x + a.z * b.z > TUNE_SAME_WAY;
}

// Nobody comes to rest where somebody else is to pass, but for those who are there already. `whose` way it
// is.
static bool rests_in_claim(tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                           uint32_t *whose) {
    for (uint32_t i = 0; i < stage->claim_count && who->errand != STAGE_ASIDE; i++)
        if (tr_go_is_claimed(&stage->claims[i], 1, trial->positions[trial->count - 1]) &&
            !tr_go_is_claimed(&stage->claims[i], 1, trial->positions[0]) &&
            !goes_ahead(who, &stage->claims[i], trial->positions[trial->count - 1],
                        tr_way_length(&who->way) - trial->commitment.to_go)) {
            *whose = stage->claim_bodies[i];
            return true;
        }
    return false;
}

// Where along its way somebody is committed to come to rest [m].
static float rest_along(const stage_actor *who) {
    float now = tr_stage_along(who), rest = tr_way_length(&who->way) - who->commitment.to_go;
    return rest > now ? rest : now;
}

// The strip of ground that somebody will walk over when it goes on: is the point on it? Gives how far ahead
// and aside.
static bool is_ahead_of(const tr_stage *stage, const stage_actor *other, const stage_actor *who,
                        tr_vec3 point, float *ahead, float *aside) {
    float begin = rest_along(other), along = begin;
    *aside = tr_way_distance(&other->way, begin, point, TUNE_FLOOR_APART, &along);
    *ahead = along - begin;
    return *aside<other->radius + who->radius + stage->def.margin + TUNE_STRIP_MORE && * ahead>
               TUNE_STRIP_LEAST &&
           *ahead < TUNE_STRIP;
}

// Nobody comes to rest where somebody else will pass who is nearer to the place, or bottlenecks jam: whoever
// is first there goes first, and the others leave it room. Those who are there already may get further aside.
static bool rests_in_the_way(const tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                             uint32_t *whose) {
    tr_vec3 from = trial->positions[0], rest = trial->positions[trial->count - 1];
    uint32_t near[32],
        count = tr_timeline_near(stage->timeline, rest, TUNE_STRIP + 1, 1, who->height, near, 32);
    if (stage->tick < who->waiver || who->claims || who->errand == STAGE_ASIDE)
        return false;
    for (uint32_t i = 0; i < count && i < 32; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        float ahead, aside, before, off;
        if (!other || !tr_stage_piece(other) || !is_ahead_of(stage, other, who, rest, &ahead, &aside))
            continue;
        ahead += rest_along(other) - tr_stage_along(other);
        tr_vec3 place = tr_way_at(&other->way, tr_stage_along(other) + ahead);
        float x = place.x - from.x, z = place.z - from.z, own = sqrtf(x * x + z * z);
        // Of two who are as near, always the same one.
        bool near_equal = fabsf(ahead - own) < TUNE_STRIP_EQUAL;
        bool first = near_equal ? other->rank < who->rank : ahead < own;
        if (first && !(is_ahead_of(stage, other, who, from, &before, &off) && aside >= off - 1e-3f)) {
            *whose = other->body;
            return true;
        }
    }
    return false;
}

static bool overruns(const stage_route *route, const stage_actor *who, tr_stage *stage, uint32_t gone,
                     const stage_trial *trial) {
    if (!route->slows)
        return false;
    float progress = tr_actor_ghost_state(stage->ghost, gone).progress +
                     tr_stage_length(trial->positions + gone, trial->count - gone);
    (void)who;
    return progress > route->length + 0.1f;
}

bool tr_stage_may_rest(tr_stage *stage, const stage_actor *who, const stage_route *route, uint32_t gone,
                       stage_trial *trial) {
    bool arrives = gone >= trial->arrives && tr_stage_is_last(who);
    uint32_t whose = TR_NONE, inside = TR_NONE;
    tr_vec3 rest = trial->positions[trial->count - 1];
    float along = tr_way_length(&who->way) - trial->commitment.to_go;
    if (rests_in_claim(stage, who, trial, &inside) ||
        (who->errand == STAGE_ORDER &&
         !tr_stage_leaves_narrow(stage, who, trial->positions[0], rest, along, &inside))) {
        trial->meeting.body = trial->meeting.body == TR_NONE ? inside : trial->meeting.body;
        trial->barred = inside;
        return false;
    }
    bool may = !overruns(route, who, stage, gone, trial) &&
               (arrives || !rests_in_the_way(stage, who, trial, &whose));
    if (whose != TR_NONE && trial->soft == TR_NONE && tr_stage_is_better(stage, who, trial->commitment.to_go))
        trial->soft = whose;
    return may;
}

// Go at `limit` for as long as the horizon, slower before footprints. Gives the ticks gone.
uint32_t tr_stage_trial_go(tr_stage *stage, const stage_route *route, float limit, stage_trial *trial) {
    tr_vec3 *positions = trial->positions + 1;
    trial->commitment.limit = limit;
    trial->commitment.slow_limit = limit < TUNE_STAIR_SPEED ? limit : TUNE_STAIR_SPEED;
    trial->commitment.slow = UINT64_MAX;
    uint32_t gone = 0;
    bool done = false;
    trial->arrives = UINT32_MAX;
    uint32_t horizon = stage->horizon;
    if (!route->slows) {
        gone = tr_actor_ghost_go(stage->ghost, limit, horizon, positions, &done);
        // Whoever turns on the spot first is seen to walk off, too.
        while (gone == horizon && !done && horizon + TUNE_HORIZON / 4 <= TUNE_HORIZON_MAX &&
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
    while (!done &&
           (gone < horizon || (gone < TUNE_HORIZON_MAX &&
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
void tr_stage_trial_limit(tr_stage *stage, stage_actor *who, const stage_route *route, float limit,
                          stage_trial *trial) {
    trial->free = false;
    trial->soft = trial->barred = TR_NONE;
    trial->meeting = (tr_timeline_meeting){.body = TR_NONE, .object = TR_NONE};
    uint32_t gone = tr_stage_trial_go(stage, route, limit, trial), most = gone, fewer = 1;
    uint64_t slow = trial->commitment.slow;
    for (bool first = true;; first = false) {
        trial->commitment.slow = slow;
        tr_stage_trial_stop(stage, who, route, most, trial);
        tr_timeline_meeting met = {.body = TR_NONE, .object = TR_NONE};
        bool open = tr_stage_trial_is_free(stage, who, trial, &met);
        if (trial->meeting.body == TR_NONE && trial->meeting.object == TR_NONE)
            trial->meeting = met; // the first of all: where it may not rest, what is nearer counts
        if (open && tr_stage_may_rest(stage, who, route, most, trial)) {
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

void tr_stage_commit(tr_stage *stage, stage_actor *who, const stage_route *route, const stage_trial *trial) {
    if (!who->piece_begun && tr_actor_take(who->actor, stage->ghost) != TR_OK)
        return; // no memory: what it is committed to stays
    if (tr_timeline_commit(stage->timeline, who->body, stage->tick, trial->positions, trial->count) != TR_OK)
        return;
    who->commitment = trial->commitment;
    who->commits++;
    who->stuck = who->lost = false;
    if (who->narrow_count)
        tr_stage_list_insides(stage);
    if (!who->piece_begun) {
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

// Come to rest from where it is, as fast as it can.
void tr_stage_trial_rest(tr_stage *stage, stage_actor *who, stage_trial *trial) {
    *trial = (stage_trial){.positions = stage->positions[0]};
    tr_actor_ghost_begin(stage->ghost, who->actor);
    trial->positions[0] = tr_stage_place_of(who);
    uint32_t more = tr_actor_ghost_stop(stage->ghost, 0, trial->positions + 1, TUNE_POSITIONS - 1);
    trial->count = 1 + more;
    trial->commitment = (stage_commitment){
        .slow = stage->tick, .stop = stage->tick, .rest = stage->tick + more, .to_go = INFINITY};
}

void tr_stage_commit_stop(tr_stage *stage, stage_actor *who, const stage_trial *trial) {
    bool begun = who->piece_begun;
    who->piece_begun = true; // nothing is taken over
    tr_stage_commit(stage, who, NULL, trial);
    who->piece_begun = begun;
}

void tr_stage_stop(tr_stage *stage, stage_actor *who) {
    stage_trial trial;
    tr_timeline_meeting met;
    if (tr_stage_rests(stage, who))
        return;
    tr_stage_trial_rest(stage, who, &trial);
    if (tr_stage_trial_is_free(stage, who, &trial, &met)) // else as committed
        tr_stage_commit_stop(stage, who, &trial);
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
bool tr_stage_trial_begin(tr_stage *stage, stage_actor *who, const tr_go_around_result *around,
                          stage_route *route) {
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_actor_ghost_begin(stage->ghost, who->actor);
    *route = (stage_route){.length = piece->end - piece->begin,
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
        route->length = tr_stage_length(around->points, around->point_count) + piece->end - around->rejoins;
    return tr_actor_ghost_set_route(stage->ghost, stage->route, count, stage->passage,
                                    tr_stage_final_heading(who), tr_stage_wish(who), NULL) == TR_OK;
}
