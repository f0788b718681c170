// Where an actor may come to rest, considering others.
#include "stage_trial.h"

#define REACH 3.0f  // others that come this near to the place may be about to pass it [m]
#define AROUND 1.0f // places this near to each other share one search [m]
#define OFF 0.5f    // an actor may be this far from its way [m]

// An actor that goes the same way ahead of the owner of a claim does not block it.
static bool goes_ahead(const stage_actor *who, const tr_go_claim *claim, tr_vec3 rest, float rest_along) {
    float along = claim->begin;
    if (!tr_stage_piece(who))
        return false;
    tr_way_distance(claim->way, claim->begin, rest, TUNE_FLOOR_APART, &along);
    tr_vec2 a = tr_stage_direction(claim->way, along), b = tr_stage_direction(&who->way, rest_along);
    return a.x * b.x + a.z * b.z > TUNE_SAME_WAY;
}

// An actor does not come to rest on the claim of another actor, unless it is there already. `whose` is the
// body with the claim.
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

float tr_stage_rest_along(const stage_actor *who) {
    float now = tr_stage_along(who), rest = tr_way_length(&who->way) - who->commitment.to_go;
    return rest > now ? rest : now;
}

// Does the part of a way that begins there, for the length of a strip, come this near to a point? true:
// perhaps. For most ways the answer is no, and the exact test is skipped.
static bool comes_near(const tr_way *way, float begin, tr_vec3 point, float reach) {
    float square = reach * reach * 1.0001f;
    for (uint32_t i = 0; i + 1 < way->point_count && way->points[i].along <= begin + TUNE_STRIP; i++) {
        const tr_way_point *a = &way->points[i], *b = a + 1;
        if (b->along < begin)
            continue;
        float x = b->position.x - a->position.x, z = b->position.z - a->position.z;
        float px = point.x - a->position.x, pz = point.z - a->position.z;
        float along = px * x + pz * z, whole = x * x + z * z;
        float t = along <= 0 ? 0 : along >= whole ? 1 : along / whole;
        px -= t * x;
        pz -= t * z;
        if (px * px + pz * pz < square)
            return true;
    }
    return way->point_count < 2;
}

// Is the point on the strip of ground that the other actor will walk over when it goes on? Writes how far
// ahead and aside.
static bool is_ahead_of(const tr_stage *stage, const stage_actor *other, const stage_actor *who,
                        tr_vec3 point, float *ahead, float *aside) {
    float begin = tr_stage_rest_along(other), along = begin,
          reach = other->radius + who->radius + stage->def.margin + TUNE_STRIP_MORE;
    if (!comes_near(&other->way, begin, point, reach))
        return false;
    *aside = tr_way_distance(&other->way, begin, point, TUNE_FLOOR_APART, &along);
    *ahead = along - begin;
    return *aside<reach && * ahead> TUNE_STRIP_LEAST && *ahead < TUNE_STRIP;
}

// How near a line comes to a point between two lengths of it; INFINITY: it is shorter.
static float line_distance(const tr_vec3 *points, uint32_t count, float begin, float end, tr_vec3 point) {
    float nearest = INFINITY, along = 0;
    for (uint32_t i = 0; i + 1 < count && along < end; i++) {
        float length = tr_stage_length(points + i, 2), next = along + length;
        if (next > begin && length > 0) {
            float from = begin > along ? (begin - along) / length : 0,
                  to = end < next ? (end - along) / length : 1;
            tr_vec3 apart = tr_vec3_subtract(points[i + 1], points[i]);
            float off = tr_stage_distance(tr_vec3_add(points[i], tr_vec3_scale(apart, from)),
                                          tr_vec3_add(points[i], tr_vec3_scale(apart, to)), point);
            nearest = off < nearest ? off : nearest;
        }
        along = next;
    }
    return nearest;
}

// Will another actor rest where this one would pass when it goes on from the end of the trial? Then it must
// not stop in the way of the other as well, or both are stuck.
static bool is_before(const tr_stage *stage, const stage_actor *who, const stage_route *route,
                      const stage_trial *trial, const stage_actor *other) {
    tr_timeline_track track = tr_timeline_track_of(stage->timeline, other->body);
    uint32_t last = track.count - 1;
    tr_vec3 rest = tr_vec3_make(track.x[last], track.y[last], track.z[last]);
    float reach = other->radius + who->radius + stage->def.margin;
    float begin = tr_way_length(&who->way) - trial->commitment.to_go, end = begin + TUNE_STRIP;
    const tr_go_around_result *around = route->around;
    if (around) { // first around others, then the rest of the way
        float gone = route->length + route->beyond - trial->commitment.to_go;
        if (fabsf(rest.y - around->points[0].y) < TUNE_FLOOR_APART &&
            line_distance(around->points, around->point_count, gone + TUNE_STRIP_LEAST, gone + TUNE_STRIP,
                          rest) < reach)
            return true;
        begin = begin > around->rejoins ? begin : around->rejoins;
    }
    float along = begin, aside = tr_way_distance(&who->way, begin, rest, TUNE_FLOOR_APART, &along);
    return aside < reach && along - begin > TUNE_STRIP_LEAST && along < end;
}

static float square_of(tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z;
    return x * x + z * z;
}

// The actors with a way that may be about to pass near a place. An actor on trial asks for several places
// near to each other while no actor commits itself.
static const stage_strips *find_near(tr_stage *stage, const stage_actor *who, tr_vec3 rest) {
    stage_strips *near = &stage->strips;
    if (near->body == who->body && near->tick == stage->tick && near->commits == stage->commits &&
        square_of(near->middle, rest) < AROUND * AROUND && near->middle.y == rest.y)
        return near;
    uint32_t bodies[STAGE_STRIPS],
        count = tr_timeline_near(stage->timeline, rest, REACH + AROUND, 1, who->height, bodies, STAGE_STRIPS);
    near->body = who->body;
    near->tick = stage->tick;
    near->commits = stage->commits;
    near->middle = rest;
    near->count = 0;
    for (uint32_t i = 0; i < count && i < STAGE_STRIPS; i++) {
        stage_actor *other = bodies[i] != who->body ? stage->bodies[bodies[i]] : NULL;
        if (!other || !tr_stage_piece(other))
            continue;
        tr_timeline_track track = tr_timeline_track_of(stage->timeline, bodies[i]);
        uint32_t last = track.count - 1;
        near->who[near->count] = other;
        near->rests[near->count++] = tr_vec3_make(track.x[last], track.y[last], track.z[last]);
    }
    return near;
}

// May the place be on the strip of ground that one of them will walk over, from where it is or will rest?
static bool is_within_reach(const tr_stage *stage, const stage_actor *who, const stage_strips *near,
                            uint32_t number, tr_vec3 place) {
    const stage_actor *other = near->who[number];
    float reach = TUNE_STRIP + other->radius + who->radius + stage->def.margin + TUNE_STRIP_MORE + OFF;
    return square_of(near->rests[number], place) < reach * reach ||
           square_of(tr_stage_place_of(other), place) < reach * reach;
}

// Does the other actor wait for the present commitment of this one only in order not to block it?
static bool lets_pass(const stage_actor *other, const stage_actor *who) {
    return other->polite && other->blocker == who->body && other->blocker_seen == who->commits;
}

// Do the two walk on in the same direction, side by side? They stay beside each other when they go on.
static bool goes_on_beside(const stage_actor *who, const stage_trial *trial, const stage_actor *other,
                           float along) {
    float own = tr_way_length(&who->way) - trial->commitment.to_go;
    tr_vec2 a = tr_stage_direction(&other->way, along), b = tr_stage_direction(&who->way, own);
    return a.x * b.x + a.z * b.z > TUNE_SIDE_BY_SIDE;
}

// An actor does not come to rest where another one that is nearer to the place will pass, or bottlenecks
// would jam: the first to be there goes first, and the others leave it room. Actors that are there already
// may move farther aside.
static bool rests_in_the_way(tr_stage *stage, const stage_actor *who, const stage_route *route,
                             const stage_trial *trial, uint32_t *whose) {
    tr_vec3 from = trial->positions[0], rest = trial->positions[trial->count - 1];
    if (stage->tick < who->waiver || who->claims || who->errand == STAGE_ASIDE)
        return false;
    const stage_strips *near = find_near(stage, who, rest);
    bool flows = !tr_stage_comes_to_narrow(who);
    for (uint32_t i = 0; i < near->count; i++) {
        const stage_actor *other = near->who[i];
        float ahead, aside, before, off;
        if (!is_within_reach(stage, who, near, i, rest) ||
            !is_ahead_of(stage, other, who, rest, &ahead, &aside))
            continue;
        if (flows && goes_on_beside(who, trial, other, tr_stage_rest_along(other) + ahead))
            continue;
        ahead += tr_stage_rest_along(other) - tr_stage_along(other);
        tr_vec3 place = tr_way_at(&other->way, tr_stage_along(other) + ahead);
        float x = place.x - from.x, z = place.z - from.z, own = sqrtf(x * x + z * z);
        // Of two that are equally near, always the same one.
        bool near_equal = fabsf(ahead - own) < TUNE_STRIP_EQUAL;
        bool first = (near_equal ? other->rank < who->rank : ahead < own) && !lets_pass(other, who);
        first = first || is_before(stage, who, route, trial, other);
        if (first && !(is_ahead_of(stage, other, who, from, &before, &off) && aside >= off - 1e-3f)) {
            *whose = other->body;
            return true;
        }
    }
    return false;
}

static bool overruns(const stage_route *route, tr_stage *stage, uint32_t gone, const stage_trial *trial) {
    if (!route->slows)
        return false;
    float progress = tr_actor_ghost_state(stage->ghost, gone).progress +
                     tr_stage_length(trial->positions + gone, trial->count - gone);
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
    bool may = !overruns(route, stage, gone, trial) &&
               (arrives || !rests_in_the_way(stage, who, route, trial, &whose));
    if (whose != TR_NONE && trial->soft == TR_NONE && tr_stage_is_better(stage, who, trial->commitment.to_go))
        trial->soft = whose;
    return may;
}
