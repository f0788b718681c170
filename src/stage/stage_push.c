// Making room. An actor that stands where another is to pass gets a place aside, an actor that stands there
// gets one in turn, and so on until the outermost steps onto ground that no actor needs. All places are found
// before any actor moves, with bodies as discs; each actor then goes to its place by an ordinary committed
// motion, the outermost first, because the others wait for it.
#include "stage_push.h"
#include "stage_trial.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define GAP 0.03f          // between two places [m]
#define STRIP_MORE 0.06f   // in addition to the cleared strip [m]
#define STRIP_WIDE 1.0f    // additional width at most, to include the actor that the owner waits for [m]
#define STRIP_STEP 0.2f    // distance between the samples of a motion [m]
#define STRIP_NEAR 0.01f   // points this near to a line are left out [m]
#define DEPTH_MOST 16      // length of a chain of actors that make room for each other
#define TRIES_MOST 400     // places that are examined closely
#define MOTIONS_MOST 60    // motions that are tried
#define CHOOSE_AGAIN 3     // times that an actor that found no place may choose first
#define MOTION_LESS 0.002f // a motion may come this much nearer to actors that are too near already [m]
#define MOTION_TICKS 3     // ticks between the remembered positions of a motion
#define MOTION_PLACES (TUNE_HORIZON_MAX / MOTION_TICKS + 1)
#define ASIDES 1024   // motions that are remembered for a tick
#define LEVEL 0.02f   // height difference that can be walked [m]
#define NEAR_MOST 48  // others around an actor that makes room
#define DISPLACE 0.8f // cost of sending another actor away [m]
#define BACKWARD 0.3f // cost of going back instead of ahead, as a share of the distance
#define TURNED 0.8f   // cost of turning round first [m]
#define DIRECTIONS 16
static const float reaches[] = {0.3f, 0.5f, 0.75f, 1.05f, 1.4f, 1.8f};
#define REACHES (sizeof reaches / sizeof *reaches)
#define CANDIDATES (DIRECTIONS * REACHES)
#define SIGHT 3.2f // the farthest place, plus another body beside it [m]

typedef struct neighbour {
    stage_actor *who;
    tr_vec3 place;
    float away; // distance from the actor that makes room [m]
    bool fixed;
} neighbour;

typedef struct candidate {
    float cost;
    tr_vec3 to;
    uint32_t number;
    bool aside;
} candidate;

// The positions of an actor on its motion to one of its candidates. Plans try the same motion again and
// again, while others around it go to other places.
typedef struct stage_aside {
    uint64_t round;
    uint32_t body, candidate, count;
    bool found; // false: there is no motion
    tr_vec2 places[MOTION_PLACES];
} stage_aside;

tr_status tr_stage_open_push(tr_stage *stage, tr_error *error) {
    stage->asides = tr_allocate_zero(&stage->allocator, ASIDES, sizeof *stage->asides);
    return stage->asides ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to plan how actors make room");
}

void tr_stage_close_push(tr_stage *stage) {
    tr_release(&stage->allocator, stage->asides, ASIDES, sizeof *stage->asides);
    stage->asides = NULL;
}

static const stage_move *move_of(const stage_push *push, const stage_actor *who) {
    for (uint32_t i = 0; i < push->count; i++)
        if (push->moves[i].who == who)
            return &push->moves[i];
    return NULL;
}

// The distance of the point from the cleared strip.
static float off_strip(const stage_push *push, tr_vec3 point) {
    float best = INFINITY;
    for (uint32_t i = 0; i + 1 < push->strip_count; i++) {
        if (fabsf(push->strip[i].y - point.y) > TUNE_FLOOR_APART &&
            fabsf(push->strip[i + 1].y - point.y) > TUNE_FLOOR_APART)
            continue;
        float off = tr_stage_distance(push->strip[i], push->strip[i + 1], point);
        best = off < best ? off : best;
    }
    return best;
}

static bool is_on_strip(const stage_push *push, const stage_actor *who, tr_vec3 point) {
    return off_strip(push, point) < push->owner->radius + who->radius + push->more;
}

bool tr_stage_may_send(const stage_push *push, const stage_actor *who) {
    return who != push->owner && tr_stage_rests(push->stage, who) && !tr_stage_is_carried(who) &&
           tr_stage_walks(who) && !(who->reach && who->reach->busy && who->errand != STAGE_ASIDE) &&
           tr_stage_right(who).rank >= tr_stage_right(push->owner).rank;
}

// An actor that must not be sent moves, has precedence, rides or reaches: a later attempt may succeed. That
// does not hold for an idle actor, nor for actors that wait for the owner, directly or through others.
static bool may_go_later(const stage_push *push, const stage_actor *who) {
    const tr_stage *stage = push->stage;
    if (who == push->owner || (tr_stage_rests(stage, who) && !tr_stage_piece(who) && !tr_stage_current(who)))
        return false;
    for (uint32_t i = 0; i < stage->actor_count && who != push->owner; i++) {
        if (!tr_stage_waits(stage, who))
            return true;
        who = stage->bodies[who->blocker];
    }
    return who != push->owner;
}

static uint32_t list_neighbours(stage_push *push, const stage_actor *who, neighbour *list) {
    const tr_stage *stage = push->stage;
    uint32_t near[NEAR_MOST], found = 0;
    uint32_t count =
        tr_timeline_near(stage->timeline, tr_stage_place_of(who), SIGHT, 1, who->height, near, NEAR_MOST);
    for (uint32_t i = 0; i < count && i < NEAR_MOST; i++) {
        stage_actor *other = stage->bodies[near[i]];
        if (!other || other == who)
            continue;
        const stage_move *move = move_of(push, other);
        tr_vec3 rest = tr_timeline_at(stage->timeline, near[i], (double)other->commitment.rest);
        bool may = tr_stage_may_send(push, other);
        push->denied = push->denied || (!may && may_go_later(push, other));
        tr_vec3 place = move ? move->to : rest, apart = tr_vec3_subtract(place, tr_stage_place_of(who));
        float away = sqrtf(apart.x * apart.x + apart.z * apart.z);
        list[found++] = (neighbour){other, place, away, move || !may};
    }
    return found;
}

// Does a step from one point to another touch an actor that stands there?
static bool meets(const stage_actor *who, tr_vec3 from, tr_vec3 to, const neighbour *other) {
    float needed = who->radius + other->who->radius + GAP, off = tr_stage_distance(from, to, other->place);
    return off < needed && off < other->away - 0.01f;
}

static bool is_banned(const stage_push *push, const stage_actor *who, tr_vec3 to) {
    for (uint32_t i = 0; i < push->banned_count; i++)
        if (push->banned[i].who == who && push->banned[i].to.x == to.x && push->banned[i].to.z == to.z)
            return true;
    return false;
}

// Is the place clear of the strip and of the motions of actors that make room already?
static bool is_clear(const stage_push *push, const stage_actor *who, tr_vec3 to) {
    if (is_on_strip(push, who, to))
        return false;
    for (uint32_t i = 0; i < push->count; i++) {
        const stage_move *move = &push->moves[i];
        if (tr_stage_distance(move->from, move->to, to) < who->radius + move->who->radius + GAP)
            return false;
    }
    return true;
}

static tr_vec2 heading_of(const stage_actor *who) {
    if (!tr_stage_piece(who))
        return (tr_vec2){0, 0};
    float along = tr_stage_along(who);
    tr_vec3 a = tr_stage_place_of(who), b = tr_way_at(&who->way, along + 1);
    float x = b.x - a.x, z = b.z - a.z, length = sqrtf(x * x + z * z);
    return length > 1e-3f ? (tr_vec2){x / length, z / length} : (tr_vec2){0, 0};
}

// The clear places, the cheapest first.
static uint32_t list_candidates(const stage_push *push, const stage_actor *who, const neighbour *others,
                                uint32_t other_count, candidate *list) {
    tr_vec3 at = tr_stage_place_of(who);
    tr_vec2 ahead = heading_of(who), sides[DIRECTIONS];
    float heading = tr_actor_look(who->actor).state.heading;
    uint32_t count = 0;
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        // Directions relative to its heading, so that a quarter of them is a step to the side, without a
        // turn.
        double sine, cosine;
        tr_sin_cos((double)heading + (double)i * (2 * TR_PI / DIRECTIONS), &sine, &cosine);
        sides[i] = (tr_vec2){(float)sine, (float)cosine};
    }
    for (uint32_t k = 0; k < CANDIDATES; k++) {
        uint32_t turn = k % DIRECTIONS;
        float reach = reaches[k / DIRECTIONS], x = sides[turn].x, z = sides[turn].z;
        bool aside = turn == DIRECTIONS / 4 || turn == 3 * DIRECTIONS / 4;
        tr_vec3 to = tr_vec3_make(at.x + reach * x, at.y, at.z + reach * z);
        if (!is_clear(push, who, to) || is_banned(push, who, to))
            continue;
        uint32_t least = turn < DIRECTIONS - turn ? turn : DIRECTIONS - turn;
        float cost = reach * (1 + 0.5f * BACKWARD * (1 - ahead.x * x - ahead.z * z)) +
                     (aside || least <= 1 ? 0 : TURNED * (float)least / (DIRECTIONS / 2));
        for (uint32_t i = 0; i < other_count; i++)
            if (others[i].away < reach + who->radius + others[i].who->radius + GAP &&
                meets(who, at, to, &others[i]))
                cost += others[i].fixed ? INFINITY : DISPLACE;
        if (cost == INFINITY)
            continue;
        uint32_t slot = count++;
        for (; slot > 0 && list[slot - 1].cost > cost; slot--)
            list[slot] = list[slot - 1];
        list[slot] = (candidate){cost, to, k, aside};
    }
    return count;
}

static uint32_t widest_size(const tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    for (uint32_t room = TR_WAY_OPEN; room <= TR_WAY_SIDE; room++)
        if (tr_ground_is_free(stage->ground, who->sizes[room], at, NULL))
            return who->sizes[room];
    return TR_NONE;
}

// The motion to a candidate. NULL: there is none.
static const stage_aside *motion_to(stage_push *push, const stage_actor *who, const candidate *to) {
    tr_stage *stage = push->stage;
    stage_aside *motion = &stage->asides[(who->body * CANDIDATES + to->number) % ASIDES];
    if (motion->round == stage->aside_round && motion->body == who->body && motion->candidate == to->number)
        return motion->found ? motion : NULL;
    tr_vec2 route[2] = {tr_actor_look(who->actor).state.position, {to->to.x, to->to.z}};
    uint8_t room = to->aside ? TR_PASSAGE_SIDE : TR_PASSAGE_OPEN, passage[2] = {room, room};
    tr_vec3 *positions = stage->positions[1];
    bool done;
    *motion = (stage_aside){.round = stage->aside_round, .body = who->body, .candidate = to->number};
    tr_actor_ghost_begin(stage->ghost, who->actor);
    if (tr_actor_ghost_set_route(stage->ghost, route, 2, passage, NULL, tr_stage_wish(who), NULL) != TR_OK)
        return NULL;
    motion->found = true;
    uint32_t count = tr_actor_ghost_go(stage->ghost, tr_stage_wish(who), TUNE_HORIZON_MAX, positions, &done);
    for (uint32_t i = MOTION_TICKS - 1; i < count; i += MOTION_TICKS)
        motion->places[motion->count++] = (tr_vec2){positions[i].x, positions[i].z};
    if (count)
        motion->places[motion->count++] = (tr_vec2){positions[count - 1].x, positions[count - 1].z};
    return motion;
}

// Does the motion to a place get past the actors that stay? A turn on the spot and a bend of the way take
// room that a straight line does not.
static bool can_go(stage_push *push, const stage_actor *who, const candidate *to, const neighbour *others,
                   uint32_t other_count) {
    tr_vec3 at = tr_stage_place_of(who);
    if (fabsf(to->to.y - at.y) > LEVEL)
        return true; // by footsteps, which are not planned yet
    push->motions++;
    const stage_aside *motion = motion_to(push, who, to);
    for (uint32_t k = 0; motion && k < other_count; k++) {
        const neighbour *other = &others[k];
        if (move_of(push, other->who) || meets(who, at, to->to, other))
            continue;
        float x = other->place.x - at.x, z = other->place.z - at.z;
        float now = sqrtf(x * x + z * z) - MOTION_LESS,
              needed = who->radius + other->who->radius + push->stage->def.margin * TUNE_SQUEEZE;
        needed = needed < now ? needed : now;
        for (uint32_t i = 0; i < motion->count; i++) {
            x = other->place.x - motion->places[i].x, z = other->place.z - motion->places[i].z;
            if (x * x + z * z < needed * needed)
                return false;
        }
    }
    return motion != NULL;
}

// Will an object pass the place?
static bool is_passed(const tr_stage *stage, const stage_actor *who, tr_vec3 place) {
    tr_timeline_motion motion = tr_stage_standing(stage, who, &place);
    motion.clear = TUNE_CLEAR;
    tr_timeline_meeting meeting;
    return tr_timeline_meets(stage->timeline, &motion, &meeting) && meeting.object != TR_NONE;
}

// Finds a place for an actor, and for all that stand there. false: there is none, and the plan is unchanged.
static bool find_place(stage_push *push, stage_actor *who, uint32_t depth) {
    tr_stage *stage = push->stage;
    tr_vec3 at = tr_stage_place_of(who);
    uint32_t size = widest_size(stage, who, at), kept = push->count;
    if (size == TR_NONE)
        return false;
    if (depth >= push->depth || kept >= STAGE_PUSH_MOST) {
        push->cut = true;
        return false;
    }
    neighbour others[NEAR_MOST];
    candidate list[CANDIDATES];
    uint32_t other_count = list_neighbours(push, who, others);
    uint32_t count = list_candidates(push, who, others, other_count, list);
    for (uint32_t k = 0; k < count; k++) {
        tr_vec3 to = list[k].to;
        stage->aside_tries++;
        if (push->tries++ >= TRIES_MOST * push->effort || push->motions >= MOTIONS_MOST * push->effort) {
            push->cut = true;
            return false;
        }
        if (!tr_ground_is_free(stage->ground, size, to, &to.y) ||
            !tr_ground_sees(stage->ground, size, at, to) || tr_stage_is_on_steps(stage, to) ||
            is_passed(stage, who, to))
            continue;
        list[k].to = to;
        push->moves[push->count++] = (stage_move){who, at, to, list[k].aside};
        bool done = can_go(push, who, &list[k], others, other_count);
        for (uint32_t i = 0; i < other_count && done; i++)
            if (!move_of(push, others[i].who) && meets(who, at, to, &others[i]))
                done = find_place(push, others[i].who, depth + 1);
        if (done)
            return true;
        push->count = kept;
    }
    return false;
}

// With as few others as possible.
static bool find_place_soon(stage_push *push, stage_actor *who) {
    bool cut = push->cut;
    for (push->depth = 1; push->depth <= DEPTH_MOST; push->depth *= 2) {
        push->tries = push->motions = 0;
        push->cut = cut; // what the depth limit left out is tried now
        if (find_place(push, who, 0))
            return true;
    }
    return false;
}

// Leaves out the points of the strip that its neighbours make redundant: the distance from the strip is
// needed thousands of times.
static void thin_strip(stage_push *push) {
    uint32_t kept = push->strip_count ? 1 : 0, last = 0;
    for (uint32_t i = 1; i < push->strip_count; i++) {
        bool straight = i + 1 < push->strip_count;
        for (uint32_t k = last + 1; k <= i && straight; k++)
            straight =
                tr_stage_distance(push->strip[last], push->strip[i + 1], push->strip[k]) < STRIP_NEAR &&
                fabsf(push->strip[k].y - push->strip[last].y) < STRIP_NEAR;
        if (!straight)
            push->strip[kept++] = push->strip[last = i];
    }
    push->strip_count = kept;
}

// The strip is where the owner's motion leads, as far as is known, and its way from there on.
static void lay_strip(stage_push *push, float end) {
    tr_stage *stage = push->stage;
    stage_actor *who = push->owner;
    const tr_way *way = &who->way;
    stage_trial trial = {.positions = stage->positions[0]};
    stage_route route;
    float begin = tr_stage_along(who), gone = 0;
    trial.positions[0] = tr_stage_place_of(who);
    push->end = end;
    push->strip_count = 0;
    push->strip[push->strip_count++] = trial.positions[0];
    if (tr_stage_piece(who)->kind != TR_WAY_RIDE &&
        (tr_stage_piece(who)->kind == TR_WAY_WALK || who->piece_begun) &&
        tr_stage_trial_begin(stage, who, NULL, &route)) {
        uint32_t count = 1 + tr_stage_trial_go(stage, &route, tr_stage_wish(who), &trial);
        for (uint32_t i = 1; i < count && begin + gone < end && push->strip_count + 8 < STAGE_STRIP_MOST;
             i++) {
            tr_vec3 last = push->strip[push->strip_count - 1], at = trial.positions[i];
            float x = at.x - last.x, z = at.z - last.z, step = sqrtf(x * x + z * z);
            if (step < STRIP_STEP && i + 1 < count)
                continue;
            gone += step;
            push->strip[push->strip_count++] = at;
        }
    }
    for (uint32_t i = 0; i < way->point_count && push->strip_count + 1 < STAGE_STRIP_MOST; i++)
        if (way->points[i].along >= begin + gone && way->points[i].along < end) // a lift needs no ground
            push->strip[push->strip_count++] = way->points[i].position;
    if (begin + gone < end)
        push->strip[push->strip_count++] = tr_way_at(way, end);
    thin_strip(push);
}

// The actors that stand on the strip.
static uint32_t list_on_strip(const stage_push *push, stage_actor **list, uint32_t max) {
    const tr_stage *stage = push->stage;
    const stage_actor *owner = push->owner;
    uint32_t near[128], found = 0;
    float reach = push->end - tr_stage_along(owner) + 1 + push->more;
    uint32_t count = tr_timeline_near(stage->timeline, tr_stage_place_of(owner), reach, TUNE_FLOOR_APART * 3,
                                      TUNE_FLOOR_APART * 3, near, 128);
    for (uint32_t i = 0; i < count && i < 128 && found < max; i++) {
        stage_actor *other = stage->bodies[near[i]];
        if (other && other != owner && tr_stage_rests(stage, other) &&
            is_on_strip(push, other, tr_stage_place_of(other)))
            list[found++] = other;
    }
    return found;
}

// Finds places for all actors that stand on the strip; `any`: there are some. An actor that finds none
// because others took them chooses first in the next attempt.
static bool clear_strip(stage_push *push, bool *any) {
    stage_actor *list[STAGE_PUSH_MOST];
    uint32_t count = list_on_strip(push, list, STAGE_PUSH_MOST), again = 0;
    *any = count > 0;
    for (uint32_t i = 0; i < count; i++) {
        stage_actor *who = list[i];
        bool may = tr_stage_may_send(push, who);
        push->denied = push->denied || (!may && may_go_later(push, who));
        if (!may)
            return false;
        if (move_of(push, who) || find_place_soon(push, who))
            continue;
        if (i == 0 || again++ == CHOOSE_AGAIN) {
            push->cut = push->cut || i > 0;
            return false;
        }
        memmove(list + 1, list, i * sizeof *list);
        list[0] = who;
        push->count = 0;
        i = UINT32_MAX; // start again
    }
    return *any;
}

// Widens the strip until the actor that the owner waits for stands on it. false: that actor is too far away.
static bool reach_blocker(stage_push *push) {
    const stage_actor *owner = push->owner, *other = push->stage->bodies[owner->blocker];
    if (!other || !tr_stage_rests(push->stage, other))
        return false;
    push->more = off_strip(push, tr_stage_place_of(other)) - owner->radius - other->radius + STRIP_MORE;
    return push->more < STRIP_WIDE;
}

bool tr_stage_plan_push(tr_stage *stage, stage_actor *owner, float end, stage_push *push) {
    push->stage = stage;
    push->owner = owner;
    push->count = push->tries = push->motions = 0;
    push->denied = push->cut = false;
    const tr_way_piece *piece = tr_stage_piece(owner);
    bool performs = piece && piece->kind == TR_WAY_PERFORM; // it keeps a margin, and cannot do with less
    push->more = STRIP_MORE + (performs ? stage->def.margin : 0);
    lay_strip(push, end);
    bool any, done = clear_strip(push, &any);
    if (!any) { // the actor that it meets stands a little beside it
        push->more = stage->def.margin + STRIP_MORE;
        done = clear_strip(push, &any);
    }
    if (!any && reach_blocker(push)) // or farther: a turn takes more room, and a stop more way
        done = clear_strip(push, &any);
    push->denied = push->denied || !any; // that actor moves
    return done;
}

bool tr_stage_carry_out(tr_stage *stage, stage_push *push) {
    for (uint32_t i = push->count; i-- > 0;) { // the outermost first
        stage_actor *who = push->moves[i].who;
        tr_go_result result;
        bool good = tr_stage_find_way(stage, who, &push->moves[i].to, 1, 0, &result, NULL) == TR_OK;
        if (push->moves[i].aside && stage->trial.piece_count == 1 &&
            stage->trial.pieces[0].kind == TR_WAY_WALK)
            for (uint32_t k = 0; k < stage->trial.point_count; k++)
                stage->trial.points[k].room = TR_WAY_SIDE;
        if (good && tr_stage_send(stage, who, push->owner))
            continue;
        if (push->banned_count < STAGE_BANNED_MOST)
            push->banned[push->banned_count++] = push->moves[i];
        // All or none: an actor that went alone would come back, and this could go on for ever.
        for (uint32_t k = i + 1; k < push->count; k++)
            tr_stage_resume(stage, push->moves[k].who);
        return false;
    }
    return true;
}

bool tr_stage_send(tr_stage *stage, stage_actor *who, const stage_actor *owner) {
    stage_right by = tr_stage_right(owner);
    stage_actor before = *who; // a copy, in case it cannot set off
    if (tr_way_copy(&stage->kept, &who->way) != TR_OK)
        return false;
    tr_stage_set_out(stage, who, STAGE_ASIDE);
    who->aside_for = owner->id;
    who->lent_rank = by.rank;
    who->lent_depth = by.depth + 1;
    if (tr_stage_set_off(stage, who))
        return true;
    const stage_actor *other = who->blocker != TR_NONE ? stage->bodies[who->blocker] : NULL;
    if (who->errand == STAGE_ASIDE && other && other != owner && !tr_stage_rests(stage, other))
        return true; // it goes as soon as that actor has gone
    bool unplanned = who->errand != STAGE_ASIDE && tr_stage_current(who);
    *who = before;
    tr_way_copy(&who->way, &stage->kept);
    if (unplanned && before.errand == STAGE_ORDER)
        tr_stage_current(who)->unplanned = false;
    return false;
}
