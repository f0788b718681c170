// Headway: how fast an actor walks behind others that go the same way, and where there is more room ahead.
//
// People in single file keep a distance of 0.36 m plus the way of 1.06 s from the middle of one to that of
// the next (Seyfried et al. 2005). Somebody beside the line of an actor counts less, the farther aside:
// people in a stream are staggered. Before doors, and where ways cross, people close up and use every gap.
#include "stage/stage_trial.h"
#include "troupe/base/scalar.h"

#define NEIGHBOURS 48
#define OTHERS 128
#define SIGHT 1.0f         // an actor goes to where it will be after this [m],
#define SIGHT_LEAST 0.3f   // or where it faces, if its way ends before this
#define SEE 1.1f           // others are searched this far aside [m]
#define OTHERS_SIGHT 12.0f // others that go another way count within this distance [m]
#define DOOR 1.5f          // a longer narrow stretch is no door [m]
#define RUN 0.5f           // an actor moves over within this distance [m],
#define RUN_MORE 2.0f      // and this times as far as it moves aside
#define KEEP 6.0f          // it keeps its new place for this distance [m],
#define RETURN 1.0f        // and has this left of its way when it returns [m]
#define GAINS 0.1f         // moving over has to gain this [m/s],
#define COSTS 0.1f         // and this for each metre
#define LIMITED 0.9f       // an actor that walks at this share of its speed has room
#define GETS 0.85f         // share of its way that it gets at least while it moves over

typedef struct headway_other {
    const stage_actor *who;
    float ahead, aside; // of the actor: along its direction, and to its left [m]
    float apart;        // distance at which the two touch [m]
    bool along;         // it goes the same way
} headway_other;

typedef struct headway {
    tr_vec3 at;
    tr_vec2 ahead, left;
    float wish;
    headway_other others[NEIGHBOURS];
    uint32_t count;
} headway;

static tr_vec2 direction_of(const stage_actor *who, tr_vec3 at) {
    tr_vec3 to = tr_way_at(&who->way, tr_stage_along(who) + SIGHT);
    float x = to.x - at.x, z = to.z - at.z, length = sqrtf(x * x + z * z);
    if (length > SIGHT_LEAST)
        return (tr_vec2){x / length, z / length};
    double sine, cosine;
    tr_sin_cos((double)tr_actor_root(who->actor)->state.heading, &sine, &cosine);
    return (tr_vec2){(float)sine, (float)cosine};
}

static bool goes_along(const headway *h, const stage_actor *other, tr_vec3 its) {
    if (!tr_stage_piece(other))
        return false;
    tr_vec2 to = direction_of(other, its);
    return to.x * h->ahead.x + to.z * h->ahead.z >= TUNE_SAME_WAY;
}

// Everybody ahead whose distance may matter.
static void look(const tr_stage *stage, const stage_actor *who, headway *h) {
    h->wish = tr_stage_wish(who);
    h->at = tr_stage_place_of(who);
    h->ahead = direction_of(who, h->at);
    h->left = (tr_vec2){h->ahead.z, -h->ahead.x};
    h->count = 0;
    float reach = TUNE_HEADWAY + TUNE_HEADWAY_TIME * h->wish, half = 0.5f * reach;
    tr_vec3 middle = tr_vec3_make(h->at.x + half * h->ahead.x, h->at.y, h->at.z + half * h->ahead.z);
    uint32_t near[NEIGHBOURS],
        count = tr_timeline_near(stage->timeline, middle, sqrtf(half * half + SEE * SEE), 1, who->height,
                                 near, NEIGHBOURS);
    for (uint32_t i = 0; i < count && i < NEIGHBOURS; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (!other)
            continue;
        tr_vec3 its = tr_stage_place_of(other);
        float x = its.x - h->at.x, z = its.z - h->at.z, ahead = x * h->ahead.x + z * h->ahead.z,
              aside = x * h->left.x + z * h->left.z;
        if (ahead <= 0 || ahead >= reach || fabsf(aside) >= SEE)
            continue;
        h->others[h->count++] = (headway_other){.who = other,
                                                .ahead = ahead,
                                                .aside = aside,
                                                .apart = who->radius + other->radius + stage->def.margin,
                                                .along = goes_along(h, other, its)};
    }
}

// The speed that one of them leaves to an actor which walks this far to the left of its line.
static float speed_behind(const headway_other *other, float aside) {
    float off = fabsf(other->aside - aside), share = off / TUNE_HEADWAY_HALF, speed = INFINITY;
    if (share < 1)
        speed = (other->ahead - TUNE_HEADWAY) / (TUNE_HEADWAY_TIME * (1 - share * share));
    if (off < other->apart) {
        float touch = sqrtf(other->apart * other->apart - off * off);
        float its = tr_actor_root(other->who->actor)->state.speed;
        float slows = its + (other->ahead - touch - TUNE_HEADWAY_NEAR) / TUNE_HEADWAY_SLOW;
        speed = slows < speed ? slows : speed;
    }
    return speed;
}

// The speed of the actor on a line to the left of its own. With `moves` others that do not go the same way
// are obstacles: otherwise there are better ways to deal with them.
static float speed_at(const headway *h, float aside, bool moves) {
    float speed = h->wish;
    for (uint32_t i = 0; i < h->count; i++) {
        const headway_other *other = &h->others[i];
        float most = other->along                                          ? speed_behind(other, aside)
                     : moves && fabsf(other->aside - aside) < other->apart ? 0
                                                                           : INFINITY;
        speed = most < speed ? most : speed;
    }
    return speed;
}

// Does the way lead through a door, or another short place where two cannot pass, not far ahead?
static bool comes_to_door(const stage_actor *who) {
    float now = tr_stage_along(who);
    for (uint32_t i = 0; i < who->narrow_count; i++) {
        const stage_stretch *narrow = &who->narrows[i];
        if (narrow->end > now && narrow->begin < now + TUNE_QUEUE_NARROW &&
            narrow->end - narrow->begin < DOOR)
            return true;
    }
    return false;
}

// An actor that is steered goes as fast as it is told.
static bool keeps_headway(const stage_actor *who) {
    const stage_order *order = tr_stage_current(who);
    return order && order->order.kind == TR_ORDER_GO && tr_stage_piece(who)->kind == TR_WAY_WALK &&
           tr_stage_goes_level(who) && who->errand == STAGE_ORDER && !comes_to_door(who);
}

// Does anybody ahead go another way, or come the other way?
static bool meets_others(const tr_stage *stage, const stage_actor *who, const headway *h) {
    float half = 0.5f * OTHERS_SIGHT;
    tr_vec3 middle = tr_vec3_make(h->at.x + half * h->ahead.x, h->at.y, h->at.z + half * h->ahead.z);
    uint32_t near[OTHERS],
        count = tr_timeline_near(stage->timeline, middle, half, 1, who->height, near, OTHERS);
    for (uint32_t i = 0; i < count && i < OTHERS; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (other && tr_stage_piece(other) && !goes_along(h, other, tr_stage_place_of(other)))
            return true;
    }
    return false;
}

float tr_stage_headway(const tr_stage *stage, const stage_actor *who) {
    float wish = tr_stage_wish(who);
    if (!keeps_headway(who))
        return wish;
    headway h;
    look(stage, who, &h);
    float speed = speed_at(&h, 0, false);
    if (speed >= wish || meets_others(stage, who, &h))
        return wish;
    return speed > TUNE_HEADWAY_LEAST ? speed : TUNE_HEADWAY_LEAST < wish ? TUNE_HEADWAY_LEAST : wish;
}

// --- Moving over ---

// How far to the left there is more room; 0: nowhere.
static float roomier(const headway *h, float speed) {
    static const float asides[] = {-0.1f, 0.1f, -0.2f, 0.2f, -0.4f, 0.4f, -0.6f, 0.6f};
    float best = speed + GAINS, aside = 0;
    for (size_t i = 0; i < sizeof asides / sizeof *asides; i++) {
        float there = speed_at(h, asides[i], true) - COSTS * fabsf(asides[i]);
        if (there > best) {
            best = there;
            aside = asides[i];
        }
    }
    return aside;
}

static tr_vec3 moved(tr_vec3 point, tr_vec2 ahead, float by, float aside) {
    return tr_vec3_make(point.x + by * ahead.x + aside * ahead.z, point.y,
                        point.z + by * ahead.z - aside * ahead.x);
}

// Writes the way beside its own to stage->around. A way that goes on from its goal may end beside it: then
// `end` is where. false: there is no room.
static bool beside(tr_stage *stage, const stage_actor *who, const headway *h, float aside, tr_vec3 *end) {
    const tr_way_piece *piece = tr_stage_piece(who);
    float along = tr_stage_along(who), last = piece->end - (tr_stage_passes_on(who) ? TUNE_CORRIDOR : RETURN),
          far = along + KEEP < last ? along + KEEP : last, run = RUN + RUN_MORE * fabsf(aside);
    if (far < along + run)
        return false;
    tr_vec2 there = tr_stage_direction(&who->way, far - SIGHT_LEAST);
    tr_vec3 a = moved(h->at, h->ahead, run, aside), b = moved(tr_way_at(&who->way, far), there, 0, aside);
    float x = b.x - a.x, z = b.z - a.z;
    uint32_t size = tr_stage_size_at(stage, who, h->at),
             count = x * h->ahead.x + z * h->ahead.z > RUN ? 3 : 2;
    *end = who->way.points[piece->first + piece->count - 1].position;
    if (far == last && tr_stage_passes_on(who))
        *end = moved(*end, there, 0, aside);
    stage->around = (tr_go_around_result){.points = {h->at, a, b}, .point_count = count, .rejoins = far};
    return tr_stage_may_walk(stage, who, size, h->at, a) && tr_stage_may_walk(stage, who, size, b, *end) &&
           (count == 2 || tr_stage_may_walk(stage, who, size, a, b));
}

bool tr_stage_move_over(tr_stage *stage, stage_actor *who, float speed) {
    headway h;
    tr_vec3 end;
    if (speed > LIMITED * tr_stage_wish(who) || tr_stage_rests(stage, who) || !who->piece_begun ||
        stage->tick < who->edge_tick + TUNE_OVER_PERIOD || !keeps_headway(who))
        return false;
    who->edge_tick = stage->tick;
    look(stage, who, &h);
    float aside = roomier(&h, speed);
    if (aside == 0 || meets_others(stage, who, &h) || !beside(stage, who, &h, aside, &end))
        return false;
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_vec3 *last = &who->way.points[piece->first + piece->count - 1].position, kept = *last;
    bool detours = who->detours;
    float whole = tr_stage_length(stage->around.points, stage->around.point_count) +
                  tr_way_length(&who->way) - stage->around.rejoins,
          reach = GETS * speed * (float)(TUNE_HORIZON * TR_STAGE_TICK);
    *last = end;
    if (tr_stage_go_around_at(stage, who, speed, whole - reach, NULL)) {
        who->detours = detours;
        return true;
    }
    *last = kept;
    return false;
}
