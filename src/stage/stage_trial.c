// Trials of motions: how far an actor gets on its way before it meets the committed motions of others, and
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

// A walking body is longer than a standing one: its feet come down where it will be and leave where it was.
// So a narrow body, as wide as the legs, is also tried that much earlier and later than the actor.
static bool strides_meet(const tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                         tr_timeline_meeting *meeting) {
    tr_timeline_motion motion = motion_of(stage, who, trial);
    uint32_t early = TUNE_STRIDE_TIME < trial->count ? TUNE_STRIDE_TIME : trial->count - 1;
    motion.radius = (stage->squeeze < 1 ? TUNE_STRIDE_CLOSE : TUNE_STRIDE_WIDTH) * who->radius;
    motion.margin = 0;
    motion.bodies = true;
    motion.begin += TUNE_STRIDE_TIME;
    if (tr_timeline_meets(stage->timeline, &motion, meeting)) {
        meeting->tick -= TUNE_STRIDE_TIME;
        return true;
    }
    motion.begin = stage->tick;
    motion.positions += early;
    motion.count -= early;
    if (!tr_timeline_meets(stage->timeline, &motion, meeting))
        return false;
    meeting->tick += early;
    return true;
}

bool tr_stage_goes_level(const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    return piece && piece->kind == TR_WAY_WALK && tr_stage_is_last(who);
}

bool tr_stage_trial_is_free(const tr_stage *stage, const stage_actor *who, const stage_trial *trial,
                            tr_timeline_meeting *meeting) {
    tr_timeline_motion motion = motion_of(stage, who, trial);
    if (tr_timeline_meets(stage->timeline, &motion, meeting) || strides_meet(stage, who, trial, meeting))
        return false;
    if (stage->squeeze == 1)
        return true;
    motion.begin += trial->count - 1;
    motion.positions += trial->count - 1;
    motion.count = 1;
    motion.margin = stage->def.margin;
    // Roots sway over footsteps: on stairs, and before them, two actors that stand closer could not pass each
    // other.
    motion.strict = tr_stage_piece(who) && !tr_stage_goes_level(who);
    return !tr_timeline_meets(stage->timeline, &motion, meeting);
}

float tr_stage_distance(tr_vec3 a, tr_vec3 b, tr_vec3 point) {
    float x = b.x - a.x, z = b.z - a.z, px = point.x - a.x, pz = point.z - a.z;
    float square = x * x + z * z, t = square > 1e-9f ? (px * x + pz * z) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    px -= t * x;
    pz -= t * z;
    return sqrtf(px * px + pz * pz);
}

float tr_stage_length(const tr_vec3 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++) {
        float x = points[i].x - points[i - 1].x, z = points[i].z - points[i - 1].z;
        length += sqrtf(x * x + z * z);
    }
    return length;
}

// What is left to go for a root that has made this progress on its route.
static float to_go_after(const stage_route *route, float progress) {
    progress = progress < route->length ? progress : route->length;
    return route->length - progress + route->beyond;
}

// The ghost rests `more` ticks after the first `gone`: completes the trial. What is left to go follows from
// the progress of the root.
static void take_stop(tr_stage *stage, const stage_actor *who, const stage_route *route, uint32_t gone,
                      uint32_t more, stage_trial *trial) {
    uint32_t room = TUNE_POSITIONS - 1 - gone;
    // A motion that needs more room is too long for the timeline as well, which refuses it.
    trial->count = more <= room ? 1 + gone + more : UINT32_MAX;
    more = more <= room ? more : room;
    trial->commitment.stop = stage->tick + gone;
    if (trial->commitment.slow > trial->commitment.stop)
        trial->commitment.slow = trial->commitment.stop;
    trial->commitment.rest = stage->tick + gone + more;
    if (tr_stage_piece(who)->kind == TR_WAY_WALK)
        trial->commitment.to_go = to_go_after(route, tr_actor_ghost_state(stage->ghost, gone).progress +
                                                         tr_stage_length(trial->positions + gone, more + 1));
    else // over footsteps the root is not on a line: the number of footsteps counts
        trial->commitment.to_go =
            route->length - tr_actor_ghost_rest(stage->ghost).progress * route->length + route->beyond;
    // Arriving is worth more than being near.
    if (gone >= trial->arrives)
        trial->commitment.to_go = route->beyond - 1;
}

// --- Trials that are abandoned early, with a result that the whole trial would have shown as well ---

stage_suspect tr_stage_suspect(const tr_stage *stage, const stage_actor *who, uint32_t body) {
    stage_suspect suspect = {.square = 0};
    if (body == TR_NONE)
        return suspect;
    suspect.track = tr_timeline_track_of(stage->timeline, body);
    suspect.height = suspect.track.height < who->height ? suspect.track.height : who->height;
    double near = (double)who->radius + suspect.track.radius + stage->def.margin * stage->squeeze;
    suspect.square = near * near * (1 - TUNE_SUSPECT_HAIR);
    suspect.closer = (near - TUNE_FORESEE_ROOM) * (near - TUNE_FORESEE_ROOM);
    // Different rules apply to two bodies that begin too near to each other.
    tr_vec3 at = tr_stage_place_of(who), its = tr_timeline_at(stage->timeline, body, (double)stage->tick);
    double x = (double)at.x - its.x, z = (double)at.z - its.z;
    if (x * x + z * z < near * near * (1 + TUNE_SUSPECT_HAIR))
        suspect.square = suspect.closer = 0;
    return suspect;
}

bool tr_stage_meets_suspect(const stage_suspect *suspect, uint64_t tick, const tr_vec3 *positions,
                            uint32_t count) {
    const tr_timeline_track *track = &suspect->track;
    for (uint32_t i = 0; i < count && suspect->square > 0; i++) {
        uint64_t past = tick + i > track->begin ? tick + i - track->begin : 0;
        uint64_t k = past < track->count ? past : track->count - 1;
        double x = (double)positions[i].x - track->x[k], z = (double)positions[i].z - track->z[k];
        if (x * x + z * z < suspect->square &&
            fabsf(positions[i].y - track->y[k]) < TUNE_SUSPECT_RISE * suspect->height)
            return true;
    }
    return false;
}

// Is it certain that no more than `most` is left to go once a root has made this progress?
static bool gets_as_far(const stage_actor *who, const stage_route *route, float progress, float most) {
    return tr_stage_piece(who)->kind == TR_WAY_WALK && to_go_after(route, progress) <= most;
}

// Does it meet a body while it goes, before it begins to stop? Then the way in which it stops does not
// matter.
static bool meets_going(const tr_stage *stage, const stage_actor *who, const stage_route *route,
                        uint32_t gone, const stage_trial *trial, tr_timeline_meeting *meeting) {
    float progress = tr_actor_ghost_state(stage->ghost, gone).progress;
    if (gone == 0 || !gets_as_far(who, route, progress, who->commitment.to_go))
        return false;
    stage_trial part = *trial;
    part.count = gone + 1;
    tr_timeline_motion motion = motion_of(stage, who, &part);
    motion.rest = false;
    return tr_timeline_meets(stage->timeline, &motion, meeting);
}

// Brings the ghost to rest after `gone` ticks, unless it meets the suspect. false: it does, and no more than
// `most` is left to go.
static bool stop_past(tr_stage *stage, const stage_actor *who, const stage_route *route, uint32_t gone,
                      const stage_suspect *suspect, float most, stage_trial *trial) {
    tr_vec3 *positions = trial->positions + 1 + gone;
    uint32_t more = 0, room = TUNE_POSITIONS - 1 - gone;
    float begin = tr_actor_ghost_state(stage->ghost, gone).progress;
    tr_actor_ghost_brake(stage->ghost, gone);
    for (bool rests = false; !rests;) {
        uint32_t left = more < room ? room - more : 0, ticks = left ? TUNE_SUSPECT_TICKS : UINT32_MAX,
                 count = tr_actor_ghost_brake_on(stage->ghost, ticks, positions + more, left, &rests);
        if (count <= left &&
            tr_stage_meets_suspect(suspect, stage->tick + gone + more + 1, positions + more, count) &&
            gets_as_far(who, route, begin + tr_stage_length(positions - 1, more + 1), most))
            return false;
        more += count;
    }
    take_stop(stage, who, route, gone, more, trial);
    return true;
}

// Small gains wait until there is a larger one; an actor does not set out for a few centimetres.
static float worth_of(const tr_stage *stage, const stage_actor *who) {
    float before = who->commitment.to_go, left = tr_stage_to_go(who);
    bool rests = tr_stage_rests(stage, who);
    before = before < left ? before : left;
    return before - (rests ? TUNE_WORTH : TUNE_PROGRESS);
}

bool tr_stage_is_better(const tr_stage *stage, const stage_actor *who, float to_go) {
    return to_go < worth_of(stage, who);
}

stage_verdict tr_stage_trial_foresee(tr_stage *stage, const stage_actor *who, const stage_route *route,
                                     float limit, uint32_t first, uint32_t ticks,
                                     const stage_suspect *suspect, stage_trial *trial) {
    tr_follow_state state = tr_actor_ghost_state(stage->ghost, first);
    if (route->slows || tr_stage_piece(who)->kind != TR_WAY_WALK || first >= trial->line_count)
        return FORESEEN_GOOD; // as far as is known
    stage_line line = tr_stage_line(who, trial->positions, trial->line_count);
    stage_foreseen seen;
    tr_stage_foresee(&line, first, state.speed, limit, ticks, &seen);
    stage_suspect closer = *suspect;
    closer.square = suspect->closer;
    float to_go = to_go_after(route, state.progress + seen.way), less = to_go - TUNE_FORESEE_WAY;
    if (tr_stage_meets_suspect(&closer, stage->tick + first + 1, seen.places, seen.count))
        return less > who->commitment.to_go ? FORESEEN_SHORT : FORESEEN_BAD;
    tr_vec3 ends[2] = {trial->positions[0], seen.rest};
    stage_trial about = *trial;
    about.positions = ends;
    about.count = 2;
    about.commitment.to_go = to_go;
    bool may = tr_stage_may_rest(stage, who, route, first + ticks, &about);
    trial->soft = about.soft;
    trial->barred = about.barred;
    trial->meeting = about.meeting;
    if (less > who->commitment.to_go || (may && less > route->worth))
        return FORESEEN_SHORT;
    return may ? FORESEEN_GOOD : FORESEEN_BAD;
}

// Goes on at `limit` until this many ticks are over, or until it certainly meets the suspect (*meets).
static uint32_t go_past(tr_stage *stage, float limit, uint32_t ticks, const stage_suspect *suspect,
                        uint32_t gone, tr_vec3 *positions, bool *done, bool *meets) {
    while (gone < ticks && !*meets) {
        uint32_t left = ticks - gone,
                 part = suspect->square > 0 && left > TUNE_SUSPECT_TICKS ? TUNE_SUSPECT_TICKS : left,
                 went = tr_actor_ghost_go(stage->ghost, limit, part, positions + gone, done);
        *meets = tr_stage_meets_suspect(suspect, stage->tick + 1 + gone, positions + gone, went);
        gone += went;
        if (went < part)
            break;
    }
    return gone;
}

// How far before footsteps an actor slows down at a speed. A runner has to walk again by then, which takes it
// a stride.
static float stair_sight(float speed) {
    float fast = speed * speed - TUNE_STAIR_STROLL * TUNE_STAIR_STROLL;
    return TUNE_STAIR_SIGHT + (fast > 0 ? fast / (2 * TUNE_STAIR_BRAKE) : 0);
}

// Slower before footsteps.
static uint32_t go_before_steps(tr_stage *stage, const stage_route *route, float limit, stage_trial *trial) {
    tr_vec3 *positions = trial->positions + 1;
    uint32_t gone = 0;
    bool done = false;
    float begin = tr_actor_ghost_state(stage->ghost, 0).progress;
    while (!done && (gone < stage->horizon ||
                     (gone < TUNE_HORIZON_MAX &&
                      tr_actor_ghost_state(stage->ghost, gone).progress - begin < TUNE_SET_OUT))) {
        tr_follow_state at = tr_actor_ghost_state(stage->ghost, gone);
        float left = route->length - at.progress;
        bool slow = trial->commitment.slow != UINT64_MAX || left < stair_sight(at.speed);
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

// Goes at `limit` for the horizon, slower before footsteps, after `gone` ticks that it went at this limit
// already. Returns the number of ticks: fewer if it certainly meets the suspect (*meets).
static uint32_t go_at(tr_stage *stage, const stage_route *route, float limit, const stage_suspect *suspect,
                      uint32_t gone, stage_trial *trial, bool *meets) {
    *meets = false;
    trial->commitment.limit = limit;
    trial->commitment.slow_limit = limit < TUNE_STAIR_SPEED ? limit : TUNE_STAIR_SPEED;
    trial->commitment.slow = UINT64_MAX;
    trial->arrives = UINT32_MAX;
    if (route->slows)
        return go_before_steps(stage, route, limit, trial);
    bool done = false;
    uint32_t horizon = stage->horizon;
    while (horizon < gone)
        horizon += TUNE_HORIZON / 4;
    for (;; horizon += TUNE_HORIZON / 4) {
        gone = go_past(stage, limit, horizon, suspect, gone, trial->positions + 1, &done, meets);
        // The trial of an actor that turns on the spot first includes its first steps.
        if (gone < horizon || done || *meets || horizon + TUNE_HORIZON / 4 > TUNE_HORIZON_MAX ||
            tr_actor_ghost_state(stage->ghost, gone).progress -
                    tr_actor_ghost_state(stage->ghost, 0).progress >=
                TUNE_SET_OUT)
            break;
    }
    trial->arrives = done && !*meets ? gone : UINT32_MAX;
    return gone;
}

uint32_t tr_stage_trial_go(tr_stage *stage, const stage_route *route, float limit, stage_trial *trial) {
    bool meets;
    return go_at(stage, route, limit, &(stage_suspect){.square = 0}, 0, trial, &meets);
}

bool tr_stage_trial_past(tr_stage *stage, const stage_actor *who, const stage_route *route, float limit,
                         const stage_suspect *suspect, stage_trial *trial, uint32_t *gone) {
    bool meets;
    *gone = go_at(stage, route, limit, suspect, 0, trial, &meets);
    return !meets && stop_past(stage, who, route, *gone, suspect, INFINITY, trial);
}

// Goes at `limit` as far as that is useful: if it meets a body (*meets, the first one in `meeting`), not much
// farther. The last blocker is the most likely body to be in the way again.
static uint32_t go_until(tr_stage *stage, const stage_actor *who, const stage_route *route, float limit,
                         stage_trial *trial, bool *meets, tr_timeline_meeting *meeting) {
    bool known = who->blocker != TR_NONE && stage->bodies[who->blocker] && who->blocker != who->body, stops;
    stage_suspect suspect = tr_stage_suspect(stage, who, known ? who->blocker : TR_NONE);
    uint32_t gone = go_at(stage, route, limit, &suspect, 0, trial, &stops);
    trial->line_count = gone + 1;
    *meets = meets_going(stage, who, route, gone, trial, meeting);
    if (stops && !*meets) {
        suspect.square = 0;
        gone = go_at(stage, route, limit, &suspect, gone, trial, &stops);
        trial->line_count = gone + 1;
        *meets = meets_going(stage, who, route, gone, trial, meeting);
    }
    return gone;
}

void tr_stage_trial_limit(tr_stage *stage, stage_actor *who, const stage_route *route, float limit,
                          stage_trial *trial) {
    trial->free = false;
    trial->soft = trial->barred = TR_NONE;
    trial->meeting = (tr_timeline_meeting){.body = TR_NONE, .object = TR_NONE};
    tr_timeline_meeting met = trial->meeting;
    bool meets;
    uint32_t most = go_until(stage, who, route, limit, trial, &meets, &met), fewer = 1;
    uint64_t slow = trial->commitment.slow;
    stage_suspect suspect = {.square = 0};
    for (bool first = true;; first = meets = false) {
        trial->commitment.slow = slow;
        bool open = false;
        stage_verdict verdict =
            first ? FORESEEN_GOOD : tr_stage_trial_foresee(stage, who, route, 0, most, 0, &suspect, trial);
        if (verdict == FORESEEN_SHORT)
            return;
        bool ends = !meets && verdict == FORESEEN_GOOD &&
                    stop_past(stage, who, route, most, &suspect, who->commitment.to_go, trial);
        if (ends)
            open = tr_stage_trial_is_free(stage, who, trial, &met);
        if (trial->meeting.body == TR_NONE && trial->meeting.object == TR_NONE)
            trial->meeting = met; // the first of all: if it may not rest there, the nearer one counts
        if (first)
            suspect = tr_stage_suspect(stage, who, met.body);
        if (open && tr_stage_may_rest(stage, who, route, most, trial)) {
            trial->free = true;
            return;
        }
        if (most == 0 || (ends && trial->commitment.to_go > who->commitment.to_go))
            return;
        uint32_t next = most > fewer ? most - fewer : 0;
        if (first) {
            double meets_at = open ? (double)most : met.tick - (double)stage->tick;
            uint32_t before = meets_at > 2 ? (uint32_t)meets_at - 2 : 0;
            next = before < next ? before : next;
        }
        most = next;
        fewer += fewer / 2 + 1;
    }
}

void tr_stage_commit(tr_stage *stage, stage_actor *who, const stage_route *route, const stage_trial *trial) {
    bool walks = route && tr_stage_piece(who) && tr_stage_piece(who)->kind == TR_WAY_WALK;
    if (!tr_stage_commit_upper(stage, who, trial, walks))
        return;
    if (!who->piece_begun && tr_actor_take(who->actor, stage->ghost) != TR_OK)
        return; // no memory: the commitment stays
    if (tr_timeline_commit(stage->timeline, who->body, stage->tick, trial->positions, trial->count) != TR_OK)
        return;
    who->commitment = trial->commitment;
    who->commits++;
    stage->commits++;
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
    stage->commits++;
    return tr_timeline_commit(stage->timeline, who->body, stage->tick, &at, 1);
}

void tr_stage_trial_rest(tr_stage *stage, stage_actor *who, stage_trial *trial) {
    *trial = (stage_trial){.positions = stage->positions[0]};
    tr_actor_ghost_begin(stage->ghost, who->actor);
    trial->positions[0] = tr_stage_place_of(who);
    uint32_t more = tr_actor_ghost_stop(stage->ghost, 0, trial->positions + 1, TUNE_POSITIONS - 1);
    trial->count = 1 + more;
    trial->commitment = (stage_commitment){
        .slow = stage->tick, .stop = stage->tick, .rest = stage->tick + more, .to_go = INFINITY};
}

bool tr_stage_trial_ride(tr_stage *stage, stage_actor *who, tr_vec3 to, float seconds, stage_trial *trial) {
    *trial = (stage_trial){.positions = stage->positions[0], .barred = TR_NONE, .soft = TR_NONE};
    trial->meeting = (tr_timeline_meeting){.body = TR_NONE, .object = TR_NONE};
    trial->positions[0] = tr_stage_place_of(who);
    tr_actor_ghost_begin(stage->ghost, who->actor);
    if (tr_actor_ghost_set_ride(stage->ghost, to, seconds, NULL) != TR_OK)
        return false;
    uint32_t more = tr_actor_ghost_stop(stage->ghost, 0, trial->positions + 1, TUNE_POSITIONS - 1);
    trial->count = 1 + more;
    trial->commitment = (stage_commitment){.slow = stage->tick,
                                           .stop = stage->tick,
                                           .rest = stage->tick + more,
                                           .to_go = tr_way_length(&who->way) - tr_stage_piece(who)->end};
    trial->free = tr_stage_trial_is_free(stage, who, trial, &trial->meeting);
    return trial->free;
}

void tr_stage_commit_stop(tr_stage *stage, stage_actor *who, const stage_trial *trial) {
    bool begun = who->piece_begun;
    who->piece_begun = true; // there is nothing to take over
    tr_stage_commit(stage, who, NULL, trial);
    who->piece_begun = begun;
}

void tr_stage_stop(tr_stage *stage, stage_actor *who) {
    stage_trial trial;
    tr_timeline_meeting met;
    if (tr_stage_rests(stage, who) || tr_stage_is_performing(who))
        return;
    tr_stage_trial_rest(stage, who, &trial);
    if (tr_stage_trial_is_free(stage, who, &trial, &met) &&
        tr_stage_upper_lets_stop(stage, who, &trial)) // otherwise it keeps its commitment
        tr_stage_commit_stop(stage, who, &trial);
}

void tr_stage_stop_short(tr_stage *stage, stage_actor *who) {
    stage_trial trial;
    tr_timeline_meeting met;
    tr_stage_stop(stage, who);
    if (tr_stage_rests(stage, who) || who->commitment.stop <= stage->tick || tr_stage_is_performing(who))
        return;
    tr_stage_trial_rest(stage, who, &trial);
    tr_stage_trial_is_free(stage, who, &trial, &met);
    stage_actor *other = met.body != TR_NONE ? stage->bodies[met.body] : NULL;
    if (!other || tr_stage_is_carried(other))
        return;
    tr_stage_stop(stage, other);
    tr_stage_stop(stage, who);
}

static float route_length(const tr_vec2 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++) {
        float x = points[i].x - points[i - 1].x, z = points[i].z - points[i - 1].z;
        length += sqrtf(x * x + z * z);
    }
    return length;
}

bool tr_stage_trial_begin(tr_stage *stage, stage_actor *who, const tr_go_around_result *around,
                          stage_route *route) {
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_actor_ghost_begin(stage->ghost, who->actor);
    *route = (stage_route){.length = piece->end - piece->begin,
                           .beyond = tr_way_length(&who->way) - piece->end,
                           .slows = !tr_stage_is_last(who) && piece[1].kind == TR_WAY_STEP,
                           .worth = worth_of(stage, who),
                           .around = around};
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
    return tr_stage_tell_route(stage, who, count, tr_stage_wish(who)) == TR_OK;
}
