// Around others: ways found in space and time, and straight ways after a stand.
#include "stage_trial.h"

// Actors that stand on the way [m].
#define STANDERS 32
#define STRAIGHT_HALVES 6 // bisections of a line that find the place that sees the next point
#define PASS_SIGHT 4.0f   // they are searched within this distance
#define PASS_AHEAD 2.4f   // of a place this far ahead
#define PASS_LEAST 0.5f   // before a nearer one the actor stops
#define PASS_SHORT 0.3f   // an actor this near to the end of the way is not passed
#define PASS_MORE 0.05f   // in addition to the bodies and the margin
#define PASS_HALF 0.3f    // the way is parallel this far before and behind the place beside an actor
#define PASS_REJOIN 1.5f  // this far behind the actor the detour is back on the way
#define PASS_MOST 2.0f    // a detour leads at most this far aside
#define PASS_TRIES 4
#define TIGHT_SIGHT 3.0f // how far ahead the room to overtake matters
#define TIGHT_STEP 0.5f
#define TIGHT_MORE 0.1f // in addition to three bodies and the margins between them

// The margin that is kept from others, or what there is of it at the place of the actor.
static float margin_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    float margin = stage->def.margin + 0.02f;
    uint32_t near[32], count = tr_timeline_near(stage->timeline, at, 1, 1, who->height, near, 32);
    for (uint32_t i = 0; i < count && i < 32; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (!other)
            continue;
        tr_vec3 its = tr_stage_place_of(other);
        float x = its.x - at.x, z = its.z - at.z, gap = sqrtf(x * x + z * z) - who->radius - other->radius;
        margin = gap < margin ? gap : margin;
    }
    return margin > 0 ? margin : 0;
}

bool tr_stage_find_around(tr_stage *stage, stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    actor_look view = tr_actor_look(who->actor);
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
                           .margin = margin_at(stage, who, at),
                           .position = at,
                           .heading = view.state.heading,
                           .speed = tr_stage_wish(who),
                           .rests = tr_stage_rests(stage, who),
                           .way = &who->way,
                           .along = tr_stage_along(who),
                           .until = piece->end,
                           .tick = stage->tick,
                           .tick_seconds = TR_STAGE_TICK,
                           .claims = stage->claims,
                           .claim_count = stage->claim_count};
    who->around_tick = stage->tick;
    return tr_go_around(stage->go, stage->ground, stage->timeline, &walker, &stage->around) == TR_OK;
}

// The way around others becomes part of the actor's way.
static void splice(tr_stage *stage, stage_actor *who) {
    const tr_go_around_result *around = &stage->around;
    tr_way *way = &who->way, *made = &stage->trial;
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_way_clear(made);
    float along = 0, time = 0, speed = tr_stage_wish(who);
    uint8_t room = (uint8_t)tr_stage_room_at(stage, who, around->points[0]);
    for (uint32_t i = 0; i < around->point_count; i++) {
        if (i) {
            float step = tr_stage_length(around->points + i - 1, 2);
            along += step;
            time += step / speed;
        }
        made->points[made->point_count++] =
            (tr_way_point){.position = around->points[i], .along = along, .time = time, .room = room};
    }
    float shift = along - around->rejoins;
    uint32_t rest = piece->first + piece->count - 1, next = piece->first;
    while (next < rest && way->points[next].along <= around->rejoins + 0.01f)
        next++;
    made->pieces[made->piece_count++] = (tr_way_piece){
        TR_WAY_WALK, 0, made->point_count + rest - next + 1, 0, piece->end + shift, piece->slopes};
    uint32_t moved = made->point_count - next; // later points have moved
    for (uint32_t i = next; i < way->point_count && made->point_count < made->point_max; i++) {
        tr_way_point point = way->points[i];
        point.along += shift;
        point.time += time;
        made->points[made->point_count++] = point;
    }
    for (const tr_way_piece *p = piece + 1; p < way->pieces + way->piece_count; p++)
        made->pieces[made->piece_count++] =
            (tr_way_piece){p->kind, p->first + moved, p->count, p->begin + shift, p->end + shift, p->slopes};
    if (tr_way_copy(way, made) != TR_OK)
        return;
    who->piece = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < who->narrow_count; i++)
        if (who->narrows[i].end > around->rejoins)
            who->narrows[kept++] =
                (stage_stretch){who->narrows[i].begin + shift > 0 ? who->narrows[i].begin + shift : 0,
                                who->narrows[i].end + shift};
    who->narrow_count = kept;
}

// Does the way have room for the added points?
static bool fits(const stage_actor *who, const tr_go_around_result *around) {
    return who->way.point_count + around->point_count <= STAGE_POINTS;
}

// Takes the way around others that was found. false: it is no better.
bool tr_stage_go_around_at(tr_stage *stage, stage_actor *who, float limit, float best, stage_trial *tried) {
    stage_route route;
    stage_trial trial = {.positions = stage->positions[1]};
    trial.positions[0] = tr_stage_place_of(who);
    if (tr_stage_piece(who)->kind != TR_WAY_WALK || tr_stage_is_stepping_aside(stage, who) ||
        !fits(who, &stage->around) || !tr_stage_trial_begin(stage, who, &stage->around, &route))
        return false;
    float kept = who->commitment.to_go;
    who->commitment.to_go = INFINITY; // a way around is longer
    route.worth = tried ? INFINITY : best - TUNE_PROGRESS;
    tr_stage_trial_limit(stage, who, &route, limit, &trial);
    who->commitment.to_go = kept;
    if (tried)
        *tried = trial;
    // A shorter way gains nothing for an actor that stays where it is.
    if (!trial.free || trial.count < 2 || trial.commitment.to_go > best - TUNE_PROGRESS)
        return false;
    who->piece_begun = false;
    tr_stage_commit(stage, who, NULL, &trial);
    splice(stage, who);
    who->detours = true;
    return true;
}

bool tr_stage_go_around(tr_stage *stage, stage_actor *who, float best, stage_trial *tried) {
    return tr_stage_go_around_at(stage, who, tr_stage_wish(who), best, tried);
}

uint32_t tr_stage_size_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    return who->sizes[tr_stage_room_at(stage, who, at)];
}

// The actors nearby that stand and have nowhere to go.
typedef struct stage_standers {
    const stage_actor *who[STANDERS];
    uint32_t count;
} stage_standers;

static void find_standers(const tr_stage *stage, const stage_actor *who, tr_vec3 at, float sight,
                          stage_standers *found) {
    found->count = 0;
    if (stage->idlers == 0)
        return;
    uint32_t near[STANDERS],
        count = tr_timeline_near(stage->timeline, at, sight, 1, who->height, near, STANDERS);
    for (uint32_t i = 0; i < count && i < STANDERS; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (other && tr_stage_is_idle(other) && tr_stage_rests(stage, other))
            found->who[found->count++] = other;
    }
}

static float apart(const tr_stage *stage, const stage_actor *who, const stage_actor *other) {
    return who->radius + other->radius + stage->def.margin;
}

bool tr_stage_may_walk(const tr_stage *stage, const stage_actor *who, uint32_t size, tr_vec3 from,
                       tr_vec3 to) {
    return tr_ground_sees(stage->ground, size, from, to) &&
           tr_way_is_level(stage->ground, from, to, who->level,
                           tr_ground_size(stage->ground, size)->foot_rise);
}

// The first of them on the way ahead, and where along the way.
static const stage_actor *first_ahead(const tr_stage *stage, const stage_actor *who,
                                      const stage_standers *standers, float *where) {
    const stage_actor *first = NULL;
    float begin = tr_stage_along(who), end = tr_stage_piece(who)->end - PASS_SHORT;
    for (uint32_t i = 0; i < standers->count; i++) {
        const stage_actor *other = standers->who[i];
        float along = begin;
        float off = tr_way_distance(&who->way, begin, tr_stage_place_of(other), TUNE_FLOOR_APART, &along);
        if (off < apart(stage, who, other) && along - begin > PASS_LEAST && along < end &&
            (!first || along < *where)) {
            first = other;
            *where = along;
        }
    }
    return first;
}

// The nearest place beside a standing actor, on one `side` of the way (1: left), that is clear of all others.
static bool beside(const tr_stage *stage, const stage_actor *who, const stage_standers *standers,
                   const stage_actor *other, tr_vec2 left, float side, tr_vec3 *place) {
    tr_vec3 at = tr_stage_place_of(other);
    float out = apart(stage, who, other) + PASS_MORE;
    for (int tries = 0; tries < PASS_TRIES; tries++) {
        *place = tr_vec3_make(at.x + side * out * left.x, at.y, at.z + side * out * left.z);
        bool clear = true;
        for (uint32_t i = 0; i < standers->count && clear; i++) {
            tr_vec3 its = tr_stage_place_of(standers->who[i]);
            float x = its.x - place->x, z = its.z - place->z, least = apart(stage, who, standers->who[i]);
            if (x * x + z * z < least * least) { // too near to this one: move beyond it
                float along = side * ((its.x - at.x) * left.x + (its.z - at.z) * left.z);
                out = along + least + PASS_MORE > out ? along + least + PASS_MORE : out + PASS_MORE;
                clear = false;
            }
        }
        if (clear)
            return true;
    }
    return false;
}

// Bends the way around an actor that stands on it in good time, so that the actor need not stop.
bool tr_stage_pass_by(tr_stage *stage, stage_actor *who) {
    stage_standers standers;
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_vec3 at = tr_stage_place_of(who), places[2];
    float along = 0, offs[2], begin = tr_stage_along(who);
    if (piece->kind != TR_WAY_WALK)
        return false;
    find_standers(stage, who, tr_way_at(&who->way, begin + PASS_AHEAD), PASS_SIGHT, &standers);
    const stage_actor *other = first_ahead(stage, who, &standers, &along);
    if (!other)
        return false;
    tr_vec2 ahead = tr_stage_direction(&who->way, along), left = {ahead.z, -ahead.x};
    tr_vec3 way = tr_way_at(&who->way, along);
    for (int i = 0; i < 2; i++) { // the right side first
        offs[i] = INFINITY;
        if (beside(stage, who, &standers, other, left, i ? 1.0f : -1.0f, &places[i])) {
            float x = places[i].x - way.x, z = places[i].z - way.z;
            offs[i] = sqrtf(x * x + z * z);
        }
    }
    uint32_t size = tr_stage_size_at(stage, who, at);
    float rejoins = along + PASS_REJOIN < piece->end ? along + PASS_REJOIN : piece->end;
    tr_vec3 end = tr_way_at(&who->way, rejoins);
    for (int i = 0; i < 2; i++) {
        int side = (offs[1] < offs[0] - PASS_MORE) != i;
        tr_vec3 back = tr_vec3_make(PASS_HALF * ahead.x, 0, PASS_HALF * ahead.z),
                from = tr_vec3_subtract(places[side], back), to = tr_vec3_add(places[side], back);
        if (offs[side] > PASS_MOST || !tr_stage_may_walk(stage, who, size, at, from) ||
            !tr_stage_may_walk(stage, who, size, from, to) || !tr_stage_may_walk(stage, who, size, to, end))
            continue;
        stage->around =
            (tr_go_around_result){.points = {at, from, to, end}, .point_count = 4, .rejoins = rejoins};
        float whole = tr_stage_length(stage->around.points, 4) + tr_way_length(&who->way) - rejoins,
              reach = 0.5f * tr_stage_wish(who) * (float)(TUNE_HORIZON * TR_STAGE_TICK);
        return tr_stage_go_around(stage, who, whole - reach, NULL);
    }
    return false;
}

// Does its way lead through a place, not far ahead, where two actors cannot pass?
bool tr_stage_comes_to_narrow(const stage_actor *who) {
    float now = tr_stage_along(who);
    for (uint32_t i = 0; i < who->narrow_count; i++)
        if (who->narrows[i].end > now && who->narrows[i].begin < now + TUNE_QUEUE_NARROW)
            return true;
    return false;
}

// Does its way lead through a place, not far ahead, where an overtaking actor blocks oncoming ones? Three
// must get past each other there.
static bool comes_to_tight(const tr_stage *stage, const stage_actor *who) {
    float now = tr_stage_along(who), needed = 2 * (2 * who->radius + stage->def.margin) + TIGHT_MORE,
          end = now + TIGHT_SIGHT < tr_way_length(&who->way) ? now + TIGHT_SIGHT : tr_way_length(&who->way);
    for (float along = now; along < end; along += TIGHT_STEP) {
        tr_vec3 at = tr_way_at(&who->way, along);
        tr_vec2 ahead = tr_stage_direction(&who->way, along), left = {ahead.z, -ahead.x},
                right = {-left.x, -left.z};
        float room = tr_ground_room(stage->ground, who->sizes[0], at, left, needed);
        if (room < needed && room + tr_ground_room(stage->ground, who->sizes[0], at, right, needed) < needed)
            return true;
    }
    return false;
}

// An actor does not go around one that goes the same way: it queues. But in the open it does not queue behind
// one that stands.
bool tr_stage_queues_behind(const tr_stage *stage, const stage_actor *who, uint32_t body) {
    const stage_actor *other = body != TR_NONE ? stage->bodies[body] : NULL;
    if (!other || other->errand != STAGE_ORDER || !tr_stage_piece(other) ||
        (tr_stage_rests(stage, other) && !tr_stage_comes_to_narrow(who) && !comes_to_tight(stage, who)))
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

// The farthest point of its way, ahead of `along` and within reach, that an actor would see from a place.
// Returns where along the way.
static float see_ahead(const tr_stage *stage, const stage_actor *who, uint32_t size, tr_vec3 at, float along,
                       float most) {
    static const float shares[] = {1, 0.7f, 0.45f, 0.25f, 0.1f};
    const tr_way_piece *piece = tr_stage_piece(who);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        float there = along + most * shares[i];
        there = there < piece->end ? there : piece->end;
        if (tr_stage_may_walk(stage, who, size, at, tr_way_at(&who->way, there)))
            return there;
    }
    return along;
}

float tr_stage_see_ahead(const tr_stage *stage, const stage_actor *who, tr_vec3 at, float most) {
    return see_ahead(stage, who, tr_stage_size_at(stage, who, at), at, tr_stage_along(who), most);
}

// A way that begins where there is little room leads to the nearest open floor first, which may be too short
// to walk.
static bool begins_beside(const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    const tr_way_point *points = who->way.points + piece->first;
    return piece->count > 2 && points[1].along - points[0].along < TUNE_SHORT;
}

// The first place on the line `from` - `to` that sees a third one; the end of the line sees it.
static tr_vec3 first_to_see(const tr_stage *stage, const stage_actor *who, uint32_t size, tr_vec3 from,
                            tr_vec3 to, tr_vec3 aim) {
    float blind = 0, sees = 1;
    for (int i = 0; i < STRAIGHT_HALVES; i++) {
        float half = 0.5f * (blind + sees);
        tr_vec3 at = tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), half));
        if (tr_stage_may_walk(stage, who, size, at, aim))
            sees = half;
        else
            blind = half;
    }
    return tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), sees));
}

// Writes a way to stage->around: straight to the farthest visible point of the actor's way, and from there to
// what it will see then, pulled tight. false: it sees nothing of its way.
static bool look_straight(tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    uint32_t size = tr_stage_size_at(stage, who, at), count = 0;
    float along = tr_stage_along(who), rejoins = see_ahead(stage, who, size, at, along, TUNE_STRAIGHT);
    if (rejoins <= along)
        return false;
    tr_vec3 place = tr_way_at(&who->way, rejoins);
    float next = see_ahead(stage, who, size, place, rejoins, TUNE_STRAIGHT);
    stage->around.points[count++] = at;
    if (next > rejoins) {
        tr_vec3 aim = tr_way_at(&who->way, next),
                corner[3] = {at, first_to_see(stage, who, size, at, place, aim), aim};
        uint32_t made = tr_go_bend(stage->ground, size, TR_GO_BEND, corner, 3, stage->around.points + count);
        if (made == 0)
            stage->around.points[count] = corner[1];
        count += made ? made : 1;
        place = aim;
        rejoins = next;
    }
    stage->around.points[count++] = place;
    stage->around.point_count = count;
    stage->around.rejoins = rejoins;
    return fits(who, &stage->around);
}

void tr_stage_straighten(tr_stage *stage, stage_actor *who) {
    if (tr_stage_piece(who)->kind != TR_WAY_WALK || (!who->piece_begun && !begins_beside(who)) ||
        !look_straight(stage, who, tr_stage_place_of(who)))
        return;
    splice(stage, who);
    who->piece_begun = who->detours = false;
}

// Does an actor that has nowhere to go stand on a line? A detour around it would follow at once.
static bool is_stood_on(const tr_stage *stage, const stage_actor *who, const tr_vec3 *points,
                        uint32_t count) {
    stage_standers standers;
    find_standers(stage, who, points[0], PASS_AHEAD + PASS_SIGHT, &standers); // all that it would pass
    for (uint32_t i = 0; i < standers.count; i++) {
        tr_vec3 at = tr_stage_place_of(standers.who[i]);
        float least = apart(stage, who, standers.who[i]);
        for (uint32_t k = 0; k + 1 < count; k++)
            if (tr_stage_distance(points[k], points[k + 1], at) < least)
                return true;
    }
    return false;
}

bool tr_stage_shorten(tr_stage *stage, stage_actor *who) {
    float left = tr_stage_to_go(who), now = who->commitment.to_go;
    if (!who->detours || tr_stage_rests(stage, who) || !look_straight(stage, who, tr_stage_place_of(who)) ||
        is_stood_on(stage, who, stage->around.points, stage->around.point_count) ||
        !tr_stage_go_around(stage, who, now < left ? now : left, NULL))
        return false;
    who->detours = false;
    return true;
}
