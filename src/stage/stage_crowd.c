// Committed motions. Every actor tries its way at its own pace, up to the horizon and then to rest, against
// the committed motions of the others. If that meets a body, it stops earlier or goes slower, and if that
// loses time, it looks for a way around. A motion that meets no body becomes its commitment; otherwise it
// keeps the commitment that it has, which ends at rest.
#include "stage_trial.h"

#include <stdio.h>
#include <string.h>

static const float slower[] = {0.6f, 0.3f};
#define SLOWER_COUNT (sizeof slower / sizeof slower[0])

// The claims on which it must not stand; call it before any trial.
static void list_claims(tr_stage *stage, const stage_actor *who) {
    stage->claim_count = tr_stage_claims_on(stage, who);
}

// What is left of the way after the trial, or after the present commitment: whichever is less.
static float to_go_then(const stage_trial *trial, float before) {
    return trial->free && trial->commitment.to_go < before ? trial->commitment.to_go : before;
}

// The trial that gets farthest; a motion without a stop gets a bonus.
static void try_slower(tr_stage *stage, stage_actor *who, const stage_route *route, stage_trial *best) {
    float full = best->free ? best->commitment.to_go : INFINITY;
    stage_suspect suspect = tr_stage_suspect(stage, who, best->meeting.body);
    for (uint32_t i = 0; i < SLOWER_COUNT; i++) {
        stage_route again = *route;
        if (!tr_stage_trial_begin(stage, who, NULL, &again))
            return;
        again.worth = full + TUNE_SLOW_BONUS < again.worth ? full + TUNE_SLOW_BONUS : again.worth;
        stage_trial trial = {.positions = stage->positions[1]};
        trial.positions[0] = best->positions[0];
        tr_timeline_meeting met;
        uint32_t gone;
        float limit = slower[i] * tr_stage_wish(who);
        stage_trial foreseen = *best;
        if (tr_stage_trial_foresee(stage, who, &again, limit, 0, TUNE_HORIZON, &suspect, &foreseen) !=
                FORESEEN_GOOD ||
            !tr_stage_trial_past(stage, who, route, limit, &suspect, &trial, &gone) ||
            trial.commitment.to_go > full + TUNE_SLOW_BONUS ||
            !tr_stage_trial_is_free(stage, who, &trial, &met) ||
            !tr_stage_may_rest(stage, who, route, gone, &trial))
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
    // The ghost repeats the best motion.
    stage_route again;
    tr_stage_trial_begin(stage, who, NULL, &again);
}

void tr_stage_note_blocker(tr_stage *stage, stage_actor *who, uint32_t body, bool polite) {
    who->polite = polite;
    who->tried_tick = stage->tick;
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

static void note_blocker(tr_stage *stage, stage_actor *who, const stage_trial *trial) {
    uint32_t body = trial->barred != TR_NONE ? trial->barred
                    : trial->soft != TR_NONE ? trial->soft
                                             : trial->meeting.body;
    tr_stage_note_blocker(stage, who, body, trial->soft != TR_NONE && trial->barred == TR_NONE);
}

// The blocker, if it has not committed itself anew since the actor last tried to go on.
static const stage_actor *unchanged_blocker(const tr_stage *stage, const stage_actor *who) {
    const stage_actor *other = who->blocker != TR_NONE ? stage->bodies[who->blocker] : NULL;
    return other && other->commits == who->blocker_seen ? other : NULL;
}

// Is the other actor, by its commitment, still to come to where this one would rest if it made any progress?
static bool comes_over(const tr_stage *stage, const stage_actor *who, const stage_actor *other) {
    tr_timeline_track track = tr_timeline_track_of(stage->timeline, other->body);
    float more = tr_stage_rests(stage, who) ? TUNE_WORTH : TUNE_PROGRESS, near = who->radius + other->radius;
    tr_vec3 place = tr_way_at(&who->way, tr_stage_rest_along(who) + more);
    uint64_t past = stage->tick > track.begin ? stage->tick - track.begin : 0;
    for (uint64_t i = past < track.count ? past : track.count - 1; i < track.count; i++) {
        float x = track.x[i] - place.x, z = track.z[i] - place.z;
        if (x * x + z * z < near * near && fabsf(track.y[i] - place.y) < TUNE_FLOOR_APART)
            return true;
    }
    return false;
}

// An actor that waits or brakes does not try again until its blocker has a new commitment or is past, or
// until it is time to look around.
static bool waits_on(const tr_stage *stage, const stage_actor *who) {
    const stage_actor *other = unchanged_blocker(stage, who);
    bool rests = tr_stage_rests(stage, who);
    if (!other)
        return false;
    // There is little room on stairs, and an impasse is noticed only by actors that try.
    if (!tr_stage_goes_level(who))
        return rests && tr_stage_rests(stage, other) &&
               stage->tick < who->around_tick + 2 * TUNE_AROUND_PERIOD;
    if (stage->tick >= who->tried_tick + TUNE_WAIT_PERIOD)
        return false;
    if (rests && (tr_stage_rests(stage, other) || (who->polite && tr_stage_piece(other))))
        return true;
    return stage->tick >= who->commitment.stop && comes_over(stage, who, other);
}

static bool may_look_around(const tr_stage *stage, const stage_actor *who, float loss) {
    bool rests = tr_stage_rests(stage, who), first = rests && who->around_tick < who->commitment.rest;
    bool soon = !rests && !(tr_stage_goes_level(who) && unchanged_blocker(stage, who));
    uint64_t wait = soon ? TUNE_AROUND_PERIOD : 2 * TUNE_AROUND_PERIOD;
    wait <<= who->around_vain < 2 * TUNE_AROUND_VAIN ? who->around_vain / TUNE_AROUND_VAIN : 2;
    return loss > TUNE_LOSS && (first || stage->tick >= who->around_tick + wait) &&
           tr_stage_piece(who)->kind == TR_WAY_WALK;
}

// May the actor take a way around that leaves more to go than waiting here does? It may if it stands or would
// wait for long, but only a few times before it has made progress: otherwise it would go to and fro for ever.
static bool may_go_far(const tr_stage *stage, stage_actor *who) {
    float left = tr_stage_to_go(who);
    if (who->rounds == 0 || left <= who->round_to_go - TUNE_ROUND_WORTH) {
        who->rounds = 0;
        who->round_to_go = left;
    }
    return who->rounds < TUNE_ROUNDS && (tr_stage_rests(stage, who) || stage->around.gain > TUNE_AROUND_GAIN);
}

// Takes a way around the others that are in the way, from now on.
static bool look_around(tr_stage *stage, stage_actor *who, float best) {
    bool found = tr_stage_find_around(stage, who), goes = found && tr_stage_go_around(stage, who, best, NULL);
    if (found && !goes && may_go_far(stage, who)) {
        const tr_go_around_result *around = &stage->around;
        float whole =
            tr_stage_length(around->points, around->point_count) + tr_way_length(&who->way) - around->rejoins;
        float reach = TUNE_AROUND_REACH * tr_stage_wish(who) * (float)(TUNE_HORIZON * TR_STAGE_TICK);
        goes = whole - reach > best && tr_stage_go_around(stage, who, whole - reach, NULL);
        who->rounds += goes;
    }
    who->around_vain = goes ? 0 : who->around_vain + 1;
    return goes;
}

static bool is_worth(const tr_stage *stage, const stage_actor *who, const stage_trial *trial) {
    return trial->free && tr_stage_is_better(stage, who, trial->commitment.to_go);
}

// Among others an actor gives up part of the margin.
static void try_squeezed(tr_stage *stage, stage_actor *who, stage_route *route, stage_trial *trial) {
    if (trial->meeting.body == TR_NONE || trial->soft != TR_NONE || trial->barred != TR_NONE ||
        !tr_stage_trial_begin(stage, who, NULL, route))
        return;
    stage->squeeze = TUNE_SQUEEZE;
    tr_stage_trial_limit(stage, who, route, tr_stage_wish(who), trial);
    stage->squeeze = 1;
}

static bool meets_any(const stage_trial *trial) {
    return trial->meeting.body != TR_NONE || trial->meeting.object != TR_NONE || trial->soft != TR_NONE;
}

// An actor that stands and could not set out looks farther ahead, past crossing traffic.
static void try_harder(tr_stage *stage, stage_actor *who, stage_route *route, stage_trial *trial) {
    const stage_trial first = *trial;
    bool moves =
        trial->meeting.object != TR_NONE || (trial->meeting.body != TR_NONE && !trial->meeting.at_rest);
    if (moves && tr_stage_trial_begin(stage, who, NULL, route)) {
        stage->horizon = TUNE_HORIZON_MAX;
        tr_stage_trial_limit(stage, who, route, tr_stage_wish(who), trial);
    }
    if (!is_worth(stage, who, trial))
        try_squeezed(stage, who, route, trial);
    stage->horizon = TUNE_HORIZON;
    // It waits for the body that it met first, even if a longer motion fails for another reason.
    if (!is_worth(stage, who, trial) && !meets_any(trial)) {
        trial->meeting = first.meeting;
        trial->soft = first.soft;
        trial->barred = first.barred;
    }
}

// No body is in its way, and yet it makes no progress: it looks for another way, or its order fails.
static void look_again(tr_stage *stage, stage_actor *who) {
    stage_order *order = tr_stage_current(who);
    if (who->errand == STAGE_ORDER && order && !who->lost) {
        who->lost = order->unplanned = true;
        return;
    }
    char reason[TR_ORDER_REASON_MAX];
    tr_vec3 at = tr_stage_place_of(who);
    snprintf(reason, sizeof reason, "no step leads from (%.2f, %.2f, %.2f) onto the way of the actor",
             (double)at.x, (double)at.y, (double)at.z);
    tr_stage_fail(stage, who, reason);
}

static bool is_too_fast(const tr_stage *stage, const stage_actor *who, float speed) {
    return !tr_stage_rests(stage, who) && stage->tick < who->commitment.stop &&
           who->commitment.limit >= speed + TUNE_HEADWAY_SAME && who->commitment.to_go >= 0;
}

// An actor that walks faster than others ahead leave it slows down, though it gets less far.
static bool slow_down(tr_stage *stage, stage_actor *who, stage_route *route, float speed,
                      stage_trial *trial) {
    float kept = who->commitment.to_go;
    who->commitment.to_go = route->worth = INFINITY;
    tr_stage_trial_limit(stage, who, route, speed, trial);
    who->commitment.to_go = kept;
    if (!trial->free)
        return false;
    who->blocker = TR_NONE;
    who->blocker_seen = 0;
    who->told_blocked = false;
    tr_stage_commit(stage, who, route, trial);
    return true;
}

// Puts the ghost where the actor is, to try the way at this speed. false: its motion is settled already.
static bool begin_pace(tr_stage *stage, stage_actor *who, float speed, stage_route *route,
                       stage_trial *trial) {
    if (tr_stage_pass_by(stage, who) || tr_stage_shorten(stage, who) ||
        tr_stage_move_over(stage, who, speed) || !tr_stage_trial_begin(stage, who, NULL, route))
        return false;
    return !is_too_fast(stage, who, speed) ||
           (!slow_down(stage, who, route, speed, trial) && tr_stage_trial_begin(stage, who, NULL, route));
}

// The upper body has no motion for it. Where others cut it short, the actor waits for them.
static bool is_refused(tr_stage *stage, stage_actor *who, const stage_trial *trial, bool met) {
    if (!tr_stage_upper_refuses(stage, who, trial, met))
        return false;
    if (met)
        note_blocker(stage, who, trial);
    who->stuck = met && tr_stage_rests(stage, who);
    return true;
}

static void extend_motion(tr_stage *stage, stage_actor *who) {
    stage_route route;
    stage_trial trial = {.positions = stage->positions[0]};
    trial.positions[0] = tr_stage_place_of(who);
    list_claims(stage, who);
    if (tr_stage_rests(stage, who)) {
        tr_stage_straighten(stage, who);
        who->commitment.to_go = INFINITY;
    }
    tr_stage_find_bar(stage, who);
    float wish = tr_stage_headway(stage, who);
    if (!begin_pace(stage, who, wish, &route, &trial))
        return;
    float before = who->commitment.to_go;
    // What would be left to go without other actors.
    float reach = wish * (float)(TUNE_HORIZON * TR_STAGE_TICK), left = tr_stage_to_go(who);
    float alone = left - reach > 0 ? left - reach : 0;
    tr_stage_trial_limit(stage, who, &route, wish, &trial);
    bool loses = !(to_go_then(&trial, before) < alone + TUNE_LOSS);
    if (!is_worth(stage, who, &trial) && tr_stage_rests(stage, who))
        try_harder(stage, who, &route, &trial);
    else if (loses && trial.meeting.body != TR_NONE && (trial.meeting.at_rest || tr_stage_goes_level(who)) &&
             tr_stage_piece(who)->kind == TR_WAY_WALK && !route.slows)
        try_squeezed(stage, who, &route, &trial);
    bool met = meets_any(&trial);
    if (met && !(to_go_then(&trial, before) < alone + TUNE_LOSS))
        try_slower(stage, who, &route, &trial);
    float best = to_go_then(&trial, before < left ? before : left);
    // It gets no farther before an idle actor.
    if (trial.meeting.body != TR_NONE && tr_stage_is_idle(stage->bodies[trial.meeting.body]))
        best = left;
    bool queues = met && tr_stage_queues_behind(stage, who, trial.meeting.body);
    if (!met || best < alone + TUNE_LOSS)
        who->around_vain = 0;
    else if (!queues && may_look_around(stage, who, best - alone) && look_around(stage, who, best))
        return;
    bool better = is_worth(stage, who, &trial);
    bool edges = met && !better && !queues && trial.soft == TR_NONE && trial.barred == TR_NONE &&
                 tr_stage_rests(stage, who) && stage->tick >= who->edge_tick + TUNE_EDGE_PERIOD;
    who->edge_tick = edges ? stage->tick : who->edge_tick;
    if (edges && tr_stage_edge_past(stage, who, left, &trial.meeting))
        return;
    if (met && !better)
        note_blocker(stage, who, &trial);
    who->stuck = met && !better && tr_stage_rests(stage, who);
    if (!met && !better && tr_stage_rests(stage, who))
        look_again(stage, who);
    if (!better)
        return;
    if (met) { // other trials have used the ghost since
        stage_route again;
        tr_stage_trial_begin(stage, who, NULL, &again);
    }
    if (is_refused(stage, who, &trial, met))
        return;
    who->blocker = met ? trial.meeting.body : TR_NONE;
    if (!met && who->errand == STAGE_ORDER)
        who->aside_for = 0; // the actor that it made room for has passed
    who->blocker_seen = 0;
    who->told_blocked = false;
    tr_stage_commit(stage, who, &route, &trial);
}

static void pace_piece(tr_stage *stage, stage_actor *who) {
    stage->horizon = tr_stage_horizon(who);
    extend_motion(stage, who);
    stage->horizon = TUNE_HORIZON;
}

// A motion over footsteps, if it is worth a step.
static bool try_steps(tr_stage *stage, stage_actor *who, const stage_route *route, stage_trial *trial) {
    tr_stage_trial_limit(stage, who, route, tr_stage_wish(who), trial);
    float least = route->length < 2 * TUNE_FIRST_STEP ? 0.5f * route->length : TUNE_FIRST_STEP;
    return trial->free && trial->count > 2 &&
           trial->commitment.to_go <= route->length + route->beyond - least;
}

// Gives the ghost the footsteps of the stage.
static bool tell_footsteps(tr_stage *stage, stage_actor *who, uint32_t count) {
    tr_actor_ghost_begin(stage->ghost, who->actor);
    return tr_actor_ghost_set_footsteps(stage->ghost, stage->footsteps, count, tr_stage_wish(who),
                                        tr_stage_floor_near, who, NULL) == TR_OK;
}

// From a level piece onto footsteps, or from a stand. TR_OK: they are under way; TR_PARTIAL: others are in
// the way; TR_NOT_FOUND: there is no foothold.
static tr_status step_on(tr_stage *stage, stage_actor *who, uint32_t piece) {
    uint32_t count;
    list_claims(stage, who);
    if (tr_stage_plan_footsteps(stage, who, piece, &count) != TR_OK)
        return TR_NOT_FOUND;
    if (!tell_footsteps(stage, who, count))
        return TR_NOT_FOUND;
    tr_stage_find_bar(stage, who);
    uint32_t kept = who->piece;
    bool begun = who->piece_begun;
    who->piece = piece;
    who->piece_begun = false;
    const tr_way_piece *p = tr_stage_piece(who);
    stage_route route = {.length = p->end - p->begin, .beyond = tr_way_length(&who->way) - p->end};
    stage_trial trial = {.positions = stage->positions[0]};
    trial.positions[0] = tr_stage_place_of(who);
    float before = who->commitment.to_go;
    who->commitment.to_go = INFINITY;
    bool takes = try_steps(stage, who, &route, &trial);
    if (!takes && trial.meeting.body != TR_NONE && tr_stage_rests(stage, who)) {
        tell_footsteps(stage, who, count);
        stage->squeeze = TUNE_SQUEEZE;
        takes = try_steps(stage, who, &route, &trial);
        stage->squeeze = 1;
    }
    who->commitment.to_go = before;
    if (takes) {
        tr_stage_commit(stage, who, NULL, &trial);
        who->on_triangles = false;
        who->level = tr_stage_place_of(who).y;
        return TR_OK;
    }
    who->piece = kept;
    who->piece_begun = begun;
    note_blocker(stage, who, &trial);
    who->stuck = tr_stage_rests(stage, who);
    return who->blocker != TR_NONE || trial.meeting.object != TR_NONE ? TR_PARTIAL : TR_NOT_FOUND;
}

// Back over steps. TR_OK: it goes there, or to a place where it can turn.
static tr_status step_back(tr_stage *stage, stage_actor *who) {
    uint32_t count;
    bool planned =
        tr_stage_plan_footsteps(stage, who, who->piece, &count) == TR_OK && tell_footsteps(stage, who, count);
    if (planned && tr_stage_turn_fits(stage, who))
        return step_on(stage, who, who->piece);
    if (who->errand != STAGE_ORDER)
        return TR_NOT_FOUND; // it was asked to make room: another actor may give way more easily
    if (tr_stage_step_ahead(stage, who))
        return TR_OK;
    return planned ? step_on(stage, who, who->piece) : TR_NOT_FOUND;
}

static tr_status step_from_stand(tr_stage *stage, stage_actor *who) {
    return tr_stage_turns_on_steps(stage, who) ? step_back(stage, who) : step_on(stage, who, who->piece);
}

// The best moment is when a foot has just come down, so that the other foot takes the first step; but not too
// late. A runner walks again first.
static bool may_step_on(const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (piece->kind != TR_WAY_WALK || !who->piece_begun || tr_stage_is_last(who) ||
        piece[1].kind != TR_WAY_STEP)
        return false;
    actor_look view = tr_actor_look(who->actor);
    float over = view.state.progress - (piece->end - piece->begin);
    bool both = view.contacts & 3 && view.contacts >> 2 & 3;
    if (tr_actor_runs(who->actor) && !(over > 0))
        return false;
    return view.doing != TR_ACTOR_TURNS && over > -TUNE_STRIDE && (both || over > -TUNE_SWITCH);
}

// From footsteps to a level piece without a stand.
static bool walk_on(tr_stage *stage, stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (piece->kind != TR_WAY_STEP || !who->piece_begun || tr_stage_is_last(who) ||
        piece[1].kind != TR_WAY_WALK || !tr_actor_may_walk_on(who->actor))
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

// To another floor. The timeline holds at most TUNE_POSITIONS: a lift with a long way is faster.
static void begin_ride(tr_stage *stage, stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_vec3 to = tr_stage_place_of(who);
    float from = to.y, longest = (float)((TUNE_POSITIONS - 4) * TR_STAGE_TICK);
    to.y = who->way.points[piece->first + piece->count - 1].position.y;
    float seconds = 1 + fabsf(to.y - from) / TUNE_RIDE_SPEED;
    stage_trial trial;
    if (tr_stage_trial_ride(stage, who, to, seconds < longest ? seconds : longest, &trial))
        tr_stage_commit(stage, who, NULL, &trial);
    else
        note_blocker(stage, who, &trial);
    who->stuck = trial.meeting.body != TR_NONE || trial.meeting.object != TR_NONE;
}

// A level piece that is too short to walk becomes part of the next piece.
static void skip_short(stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (piece && piece->kind == TR_WAY_WALK && !who->piece_begun && !tr_stage_is_last(who) &&
        piece[1].kind == TR_WAY_STEP && piece->end - piece->begin < TUNE_SHORT)
        who->piece++;
}

// Is it time to extend the actor's motion? An actor that meets no body extends its motion when part of it is
// done, and not at all when it is committed to arrive. An actor that has met a body tries again soon, unless
// it has time before it brakes.
static bool is_due(const tr_stage *stage, const stage_actor *who, uint32_t number) {
    const stage_commitment *c = &who->commitment;
    bool due = (stage->tick + number) % TUNE_PERIOD == 0,
         half = c->stop >= stage->tick + tr_stage_horizon(who) - TUNE_FREE_PERIOD;
    if (!due || tr_stage_rests(stage, who))
        return due;
    if (who->blocker == TR_NONE)
        return (!half || c->limit < tr_stage_wish(who)) && !(tr_stage_is_last(who) && c->to_go < 0);
    bool calm = c->limit >= tr_stage_wish(who) &&
                (tr_stage_goes_level(who) &&
                 (half || (c->stop >= stage->tick + TUNE_CALM_PERIOD && unchanged_blocker(stage, who))));
    return !calm || (stage->tick + number) % TUNE_CALM_PERIOD == 0;
}

static void pace_actor(tr_stage *stage, stage_actor *who, uint32_t number) {
    if (tr_stage_is_dragged(who) && who->errand != STAGE_ASIDE) {
        tr_stage_pace_drag(stage, who);
        return;
    }
    skip_short(who);
    const tr_way_piece *piece = tr_stage_piece(who);
    // An actor that gets an order to reach while it makes room first arrives at its place.
    if (!piece || piece->kind == TR_WAY_PERFORM ||
        (who->reach && who->reach->busy && who->errand != STAGE_ASIDE))
        return;
    bool due = (stage->tick + number) % TUNE_PERIOD == 0;
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
        if (!who->piece_begun && due && rests)
            begin_ride(stage, who);
    } else if (piece->kind == TR_WAY_STEP && !who->piece_begun) {
        if (tr_stage_rests(stage, who) && turn && step_from_stand(stage, who) == TR_NOT_FOUND)
            tr_stage_fail(stage, who, "there is no foothold on the way");
    } else if (is_due(stage, who, number) || who->commitment.to_go == INFINITY) {
        pace_piece(stage, who);
    }
}

bool tr_stage_set_off(tr_stage *stage, stage_actor *who) {
    skip_short(who);
    const tr_way_piece *piece = tr_stage_piece(who);
    who->blocker = TR_NONE;
    if (piece && piece->kind == TR_WAY_STEP)
        step_from_stand(stage, who);
    else if (piece && piece->kind == TR_WAY_WALK)
        pace_piece(stage, who);
    return !tr_stage_rests(stage, who);
}

void tr_stage_pace(tr_stage *stage) {
    tr_stage_list_insides(stage);
    stage->idlers = 0;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        stage->idlers += tr_stage_is_idle(stage->actors[i]);
    for (uint32_t i = 0; i < stage->actor_count; i++)
        pace_actor(stage, stage->actors[i], i);
}
