// A way through storeys in pieces: level ones are walked as on any other stage, what rises, falls or has gaps
// is gone over by footprints, and lifts carry.
#include "stage_data.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define SAMPLE 0.05f       // how finely a way is looked at [m]
#define HIGHER 0.045f      // floor so much higher than the level stretch is stepped on as a sill is [m]
#define LOWER 0.012f       // and so much lower is not noticed [m]
#define ASIDE 0.15f        // so far to both sides of the way feet may come down [m]
#define APPROACH 0.8f      // of a level stretch before stairs is gone over by footprints too [m]
#define DEPART 0.9f        // and behind them: two steps, so that one walks on from level feet [m]
#define LEVEL_LEAST 1.6f   // a level stretch shorter than this is not worth walking [m]
#define STEPS_MOST 50.0f   // longer stretches of footprints are planned one after the other [m]
#define RIDE_ASIDE 0.3f    // a rise with less way than this is a lift [m]
#define RIDE_SPEED 1.0f    // [m/s]
#define OVERRUN 0.7f       // a level leg goes on for so long, so that nobody brakes before stairs [m]
#define STAIR_SPEED 0.8f   // at which one comes up to footprints [m/s]
#define STAIR_SIGHT 1.2f   // and from how far one slows down for it [m]
#define SWITCH 0.02f       // so near to its end a level leg before footprints is over [m]
#define HALT 0.3f          // who finds no foothold stops within this [m]
#define TURN_ROOM 0.3f     // so far around nobody turns on the spot but on level floor [m]
#define STRIDE 0.4f        // and earlier, when a foot has just come down [m]
#define WAIT_ROOM 0.15f    // who may go no further than this before the time stands and waits [m]
#define HOLD_PATIENCE 8.0  // how long one waits before stairs on which somebody would be met [s]
#define STUCK_PATIENCE 2.0 // from one plan to the next, for who waits on footprints [s]
#define SCHEDULE 0.5       // how far ahead one looks to keep to a time [s]

static const char no_foothold[] = "there is no foothold on the way";

float tr_stage_height_near(const tr_surface *surface, tr_vec2 point, float height, float rise) {
    uint32_t column, row;
    const tr_voxel_grid *grid = tr_surface_grid(surface);
    if (!tr_grid_find(&grid->grid, point, &column, &row))
        return NAN;
    tr_surface_column cells = tr_surface_at(surface, column, row);
    tr_surface_scale scale = tr_surface_scale_of(surface);
    float best = NAN, nearest = rise;
    for (uint32_t i = 0; i < cells.count; i++) {
        float top = (float)(scale.bottom + scale.unit * cells.heights[i]);
        if (tr_surface_is_for_standing(cells.rooms[i]) && fabsf(top - height) <= nearest) {
            nearest = fabsf(top - height);
            best = top;
        }
    }
    return best;
}

static float distance(tr_vec3 a, tr_vec3 b) {
    float x = a.x - b.x, z = a.z - b.z;
    return sqrtf(x * x + z * z);
}

// Walks along a way, sample by sample, and finds where level stretches begin and end.
typedef struct leg_cutter {
    const tr_surface *surface;
    float rise;
    const stage_ascent *old;
    stage_ascent *made;
    tr_error *error;
    float height;   // of the floor at the sample
    bool level;     // in a level stretch
    float ground;   // of it, or where the floor has been steady
    float steady;   // since where the floor has been at this height [m]
    float boundary; // where the leg under way began [m]
    float done;     // length of the way up to the present piece [m]
} leg_cutter;

static tr_status add_point(leg_cutter *cut, tr_vec3 point, double time) {
    if (cut->made->point_count == STAGE_ROUTE_POINTS)
        return tr_fail(cut->error, TR_LIMIT, "the way has more than %d corners", STAGE_ROUTE_POINTS);
    cut->made->times[cut->made->point_count] = time;
    cut->made->points[cut->made->point_count++] = point;
    return TR_OK;
}

// The point of the old way at a length along it, with the floor's height there.
static tr_vec3 point_at(const leg_cutter *cut, float length, float height, double *time) {
    const stage_ascent *way = cut->old;
    float done = 0;
    for (uint32_t i = 1; i < way->point_count; i++) {
        float piece = distance(way->points[i - 1], way->points[i]);
        if (done + piece >= length && piece > 0) {
            float t = (length - done) / piece;
            tr_vec3 a = way->points[i - 1], b = way->points[i];
            *time = way->times[i - 1] + (way->times[i] - way->times[i - 1]) * (double)t;
            return tr_vec3_make(a.x + t * (b.x - a.x), height, a.z + t * (b.z - a.z));
        }
        done += piece;
    }
    *time = way->times[way->point_count - 1];
    tr_vec3 last = way->points[way->point_count - 1];
    return tr_vec3_make(last.x, height, last.z);
}

// A leg ends at `end`: its corners, and the point it ends at.
static tr_status end_leg(leg_cutter *cut, stage_leg_kind kind, float end, float height) {
    stage_ascent *made = cut->made;
    if (end <= cut->boundary + 1e-3f)
        return TR_OK;
    if (made->leg_count == STAGE_LEGS)
        return tr_fail(cut->error, TR_LIMIT, "the way has more than %d stairs, gaps and lifts", STAGE_LEGS);
    stage_leg *leg = &made->legs[made->leg_count++];
    *leg = (stage_leg){kind, made->point_count - 1, 0, cut->boundary, end};
    float done = 0;
    tr_status status = TR_OK;
    for (uint32_t i = 1; i < cut->old->point_count && status == TR_OK; i++) {
        done += distance(cut->old->points[i - 1], cut->old->points[i]);
        if (done > cut->boundary + 1e-3f && done < end - 1e-3f)
            status = add_point(cut, cut->old->points[i], cut->old->times[i]);
    }
    double time;
    tr_vec3 last = point_at(cut, end, height, &time);
    if (status == TR_OK)
        status = add_point(cut, last, time);
    leg->count = made->point_count - leg->first;
    cut->boundary = end;
    return status;
}

static bool is_off(const leg_cutter *cut, float height) {
    return height > cut->ground + HIGHER || height < cut->ground - LOWER;
}

// Is the floor level to the left and right too? Along a slope or a kerb the way is, and what the feet come
// down on is not. Where there is none they do not come down.
static bool is_level_aside(const leg_cutter *cut, tr_vec2 point, tr_vec2 aside) {
    tr_vec2 left = {point.x + aside.x, point.z + aside.z}, right = {point.x - aside.x, point.z - aside.z};
    return !is_off(cut, tr_stage_height_near(cut->surface, left, cut->ground, cut->rise)) &&
           !is_off(cut, tr_stage_height_near(cut->surface, right, cut->ground, cut->rise));
}

// `aside`: from the way to where a foot may be on its left.
static tr_status take_sample(leg_cutter *cut, tr_vec2 point, tr_vec2 aside, float along) {
    float height = tr_stage_height_near(cut->surface, point, cut->height, cut->rise);
    bool gap = height != height;
    if (cut->level) {
        bool leaves = gap || is_off(cut, height) || !is_level_aside(cut, point, aside);
        if (!leaves)
            return TR_OK;
        cut->level = false;
        cut->steady = along;
        float end = along - APPROACH > cut->boundary ? along - APPROACH : cut->boundary;
        tr_status status = end_leg(cut, STAGE_LEG_WALK, end, cut->ground);
        cut->height = cut->ground = gap ? cut->height : height;
        return status;
    }
    // From where it began: the floor of a gentle slope is nowhere far from that just before.
    cut->height = gap ? cut->height : height;
    if (gap || fabsf(height - cut->ground) > LOWER || !is_level_aside(cut, point, aside)) {
        cut->steady = along;
        cut->ground = cut->height;
    }
    if (along - cut->steady < LEVEL_LEAST)
        return along - cut->boundary < STEPS_MOST ? TR_OK : end_leg(cut, STAGE_LEG_STEP, along, cut->height);
    cut->level = true;
    return end_leg(cut, STAGE_LEG_STEP, cut->steady + DEPART, cut->ground);
}

static tr_status cut_piece(leg_cutter *cut, tr_vec3 a, tr_vec3 b) {
    float length = distance(a, b);
    uint32_t steps = 1 + (uint32_t)(length / SAMPLE);
    float scale = length > 0 ? ASIDE / length : 0;
    tr_vec2 aside = {scale * (b.z - a.z), scale * (a.x - b.x)};
    tr_status status = TR_OK;
    for (uint32_t k = 1; k <= steps && status == TR_OK; k++) {
        float t = (float)k / (float)steps;
        tr_vec2 point = {a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)};
        status = take_sample(cut, point, aside, cut->done + t * length);
    }
    cut->done += length;
    return status;
}

// A lift: what came before it is closed, it is a leg of its own, and a level stretch begins above.
static tr_status cut_ride(leg_cutter *cut, tr_vec3 to, double time) {
    tr_status status = end_leg(cut, cut->level ? STAGE_LEG_WALK : STAGE_LEG_STEP, cut->done, cut->height);
    stage_ascent *made = cut->made;
    if (status == TR_OK && made->leg_count == STAGE_LEGS)
        return tr_fail(cut->error, TR_LIMIT, "the way has more than %d stairs, gaps and lifts", STAGE_LEGS);
    if (status == TR_OK)
        made->legs[made->leg_count++] =
            (stage_leg){STAGE_LEG_RIDE, made->point_count - 1, 2, cut->done, cut->done};
    if (status == TR_OK)
        status = add_point(cut, to, time);
    cut->level = true;
    cut->ground = cut->height = to.y;
    return status;
}

tr_status tr_stage_cut_legs(const tr_surface *surface, float rise, stage_ascent *ascent, tr_error *error) {
    stage_ascent old = *ascent;
    float first = old.points[0].y;
    leg_cutter cut = {.surface = surface,
                      .rise = rise + 0.01f,
                      .old = &old,
                      .made = ascent,
                      .error = error,
                      .height = first,
                      .level = true,
                      .ground = first};
    ascent->point_count = ascent->leg_count = ascent->leg = 0;
    tr_status status = add_point(&cut, old.points[0], old.times[0]);
    for (uint32_t i = 1; i < old.point_count && status == TR_OK; i++) {
        tr_vec3 a = old.points[i - 1], b = old.points[i];
        bool rides = fabsf(b.y - cut.height) > cut.rise && distance(a, b) < RIDE_ASIDE;
        status = rides ? cut_ride(&cut, b, old.times[i]) : cut_piece(&cut, a, b);
    }
    return status == TR_OK ? end_leg(&cut, cut.level ? STAGE_LEG_WALK : STAGE_LEG_STEP, cut.done, cut.height)
                           : status;
}

static const stage_leg *leg_of(const stage_actor *who) {
    return who->ascent && who->ascent->leg < who->ascent->leg_count ? &who->ascent->legs[who->ascent->leg]
                                                                    : NULL;
}

bool tr_stage_walks_level(const stage_actor *who) {
    const stage_leg *leg = who->walking ? leg_of(who) : NULL;
    return !leg || leg->kind == STAGE_LEG_WALK;
}

bool tr_stage_may_climb_anew(const tr_stage *stage, const stage_actor *who) {
    const stage_leg *leg = leg_of(who);
    if (!leg || leg->kind == STAGE_LEG_WALK)
        return true;
    // Feet that have come to stand on both may go elsewhere, also back.
    double now = tr_stage_time(stage);
    return leg->kind == STAGE_LEG_STEP && tr_stage_is_stuck(stage, who) &&
           tr_actor_look(who->actor).state.speed == 0 && now - who->planned > STUCK_PATIENCE;
}

static bool is_last(const stage_actor *who) {
    return who->ascent->leg + 1 >= who->ascent->leg_count;
}

// The actor's level way: from where it is, and on beyond the end where footprints follow.
static tr_status begin_walk(stage_actor *who, const stage_leg *leg, tr_error *error) {
    const tr_vec3 *points = who->ascent->points + leg->first;
    tr_vec2 at = tr_actor_look(who->actor).state.position;
    who->points[0] = at;
    who->point_count = 1;
    for (uint32_t i = 1; i < leg->count && who->point_count + 1 < STAGE_ROUTE_POINTS; i++)
        who->points[who->point_count++] = (tr_vec2){points[i].x, points[i].z};
    if (!is_last(who) && leg[1].kind == STAGE_LEG_STEP) {
        tr_vec3 a = points[leg->count - 2], b = points[leg->count - 1];
        float length = distance(a, b), t = length > 1e-3f ? OVERRUN / length : 0;
        who->points[who->point_count++] = (tr_vec2){b.x + t * (b.x - a.x), b.z + t * (b.z - a.z)};
    }
    const tr_order *order = who->current < who->order_count ? &who->orders[who->current].order : NULL;
    const float *heading = order && order->has_heading && is_last(who) ? &order->heading : NULL;
    who->level = points[leg->count - 1].y;
    who->narrow = false;
    return tr_actor_set_route(who->actor, who->points, who->point_count, NULL, heading,
                              order ? order->speed : 0, error);
}

static tr_status begin_steps(tr_stage *stage, stage_actor *who, const stage_leg *leg, tr_error *error) {
    stage_storeys *storeys = stage->storeys;
    tr_tread feet[2];
    uint32_t first = tr_actor_feet(who->actor, feet), count = 0, tread_count = 0;
    tr_actor_view view = tr_actor_look(who->actor);
    for (uint32_t i = 0; i < leg->count; i++)
        storeys->line[count++] = (tr_climb_point){.position = who->ascent->points[leg->first + i]};
    storeys->line[0].position = tr_vec3_make(view.state.position.x, view.ground, view.state.position.z);
    tr_tread_params params = tr_tread_params_default(view.character->height);
    tr_vec3 stuck = {0, 0, 0};
    tr_status status = TR_NOT_FOUND;
    for (uint32_t i = 0; i < 2 && status == TR_NOT_FOUND; i++, first = 2) // any foot rather than none
        status = tr_tread_plan(storeys->scratch, storeys->surface, storeys->line, count, feet, first, &params,
                               storeys->treads, TR_ACTOR_TREADS_MAX, &tread_count, &stuck);
    if (status != TR_OK)
        return tr_fail(error, status, "%.60s finds no foothold at (%g, %g, %g)", who->name, (double)stuck.x,
                       (double)stuck.y, (double)stuck.z);
    if (tread_count == 0) // they are there already: one step on the spot ends the leg as any other
        storeys->treads[tread_count++] = feet[first % 2];
    return tr_actor_set_treads(who->actor, storeys->treads, tread_count, tr_stage_floor_near, who, error);
}

// No further than it takes to stop.
static tr_status halt(stage_actor *who, tr_error *error) {
    tr_follow_state state = tr_actor_look(who->actor).state;
    double s, c;
    tr_sin_cos(state.heading, &s, &c);
    float way = state.speed < STAIR_SPEED ? HALT * state.speed / STAIR_SPEED : HALT;
    const tr_vec2 points[2] = {state.position,
                               {state.position.x + way * (float)s, state.position.z + way * (float)c}};
    return tr_actor_set_route(who->actor, points, 2, NULL, NULL, 0, error);
}

tr_status tr_stage_begin_leg(tr_stage *stage, uint32_t actor, tr_error *error) {
    stage_actor *who = stage->actors[actor];
    const stage_leg *leg = leg_of(who);
    tr_status status = TR_OK;
    if (!leg) // there is nowhere to go: an earlier way is not gone on with
        status = halt(who, error);
    else if (leg->kind == STAGE_LEG_WALK)
        status = begin_walk(who, leg, error);
    else if (leg->kind == STAGE_LEG_STEP)
        status = begin_steps(stage, who, leg, error);
    else
        who->ascent->ride_time = 0;
    who->walking = status == TR_OK;
    return status;
}

// Carried with a smooth start and stop: what is left is told by where it should be.
static bool ride(tr_stage *stage, stage_actor *who, const stage_leg *leg) {
    float goal = who->ascent->points[leg->first + 1].y, from = who->ascent->points[leg->first].y;
    double seconds = 1 + fabs((double)goal - from) / RIDE_SPEED;
    who->ascent->ride_time += 1 / stage->def.frames_per_second;
    double t = who->ascent->ride_time / seconds;
    t = t < 1 ? t : 1;
    double share = t * t * t * (10 + t * (6 * t - 15));
    float now = tr_actor_look(who->actor).ground, there = from + (float)(share * ((double)goal - from));
    tr_actor_carry(who->actor, there - now);
    who->level = there;
    return t >= 1;
}

// How far along the whole way the actor is [m].
static float along(const stage_actor *who, const stage_leg *leg) {
    float done = leg->begin + tr_actor_look(who->actor).state.progress;
    return done < leg->end ? done : leg->end;
}

// Where it should be by now at the furthest [m].
static float scheduled(const stage_ascent *ascent, double time) {
    float done = 0;
    for (uint32_t i = 1; i < ascent->point_count; i++) {
        float piece = distance(ascent->points[i - 1], ascent->points[i]);
        if (time < ascent->times[i]) {
            double span = ascent->times[i] - ascent->times[i - 1];
            double part = span > 0 ? (time - ascent->times[i - 1]) / span : 1;
            return done + piece * (float)(part > 0 ? part : 0);
        }
        done += piece;
    }
    return INFINITY;
}

float tr_stage_leg_pace(const tr_stage *stage, const stage_actor *who) {
    const stage_leg *leg = who->walking ? leg_of(who) : NULL;
    if (!leg || leg->kind != STAGE_LEG_WALK)
        return INFINITY;
    float done = along(who, leg), limit = INFINITY;
    if (!is_last(who) && leg[1].kind == STAGE_LEG_STEP && leg->end - done < STAIR_SIGHT)
        limit = STAIR_SPEED;
    if (!who->ascent->timed)
        return limit;
    // A shuffle is not worth beginning: who may go only a little further before the time waits.
    float room = scheduled(who->ascent, tr_stage_time(stage) + SCHEDULE) - done;
    float timed = room > WAIT_ROOM ? room / (float)SCHEDULE : 0;
    return timed < limit ? timed : limit;
}

// Best just when a foot has come down, so that the other one takes the first step; but not too late.
static bool may_begin_steps(const stage_actor *who, const stage_leg *leg) {
    tr_actor_view view = tr_actor_look(who->actor);
    float left = leg->begin + view.state.progress - leg->end;
    bool both = view.contacts & 3 && view.contacts >> 2 & 3;
    return view.doing != TR_ACTOR_TURNS && left > -STRIDE && (both || left > -SWITCH);
}

// On stairs nobody gets out of the way: who would meet somebody there waits and plans anew, for a while.
static bool holds_back(tr_stage *stage, uint32_t actor) {
    stage_actor *who = stage->actors[actor];
    double now = tr_stage_time(stage);
    bool meets = tr_stage_way_meets(stage, actor);
    who->held_since = !meets ? INFINITY : who->held_since < INFINITY ? who->held_since : now;
    return meets && now - who->held_since < HOLD_PATIENCE;
}

const char *tr_stage_guide(tr_stage *stage, uint32_t actor) {
    stage_actor *who = stage->actors[actor];
    const stage_leg *leg = who->walking ? leg_of(who) : NULL;
    if (!leg)
        return NULL;
    bool over = false;
    if (leg->kind == STAGE_LEG_WALK) {
        over = !is_last(who) && leg[1].kind == STAGE_LEG_STEP && may_begin_steps(who, leg);
    } else if (leg->kind == STAGE_LEG_STEP) {
        over = !is_last(who) && leg[1].kind == STAGE_LEG_WALK && tr_actor_may_walk_on(who->actor);
    } else if (leg->kind == STAGE_LEG_RIDE) {
        over = ride(stage, who, leg);
    }
    if (!over)
        return NULL;
    if (leg->kind == STAGE_LEG_WALK && holds_back(stage, actor)) {
        who->limit = 0;
        who->replan = true;
        return NULL;
    }
    bool early = leg->kind == STAGE_LEG_WALK && along(who, leg) < leg->end - SWITCH;
    who->ascent->leg++;
    if (tr_stage_begin_leg(stage, actor, NULL) == TR_OK)
        return NULL;
    if (!early) {
        if (leg->kind == STAGE_LEG_WALK)
            halt(who, NULL);
        return no_foothold;
    }
    who->ascent->leg--; // another step brings the feet elsewhere
    who->walking = true;
    return NULL;
}

// Footprints end as the way does. Who is to look elsewhere turns there, where the floor is level all around.
static bool turns_at_end(const tr_stage *stage, stage_actor *who) {
    const tr_order *order = who->current < who->order_count ? &who->orders[who->current].order : NULL;
    if (!order || !order->has_heading)
        return false;
    tr_vec2 at = tr_actor_look(who->actor).state.position;
    for (int i = 0; i < 9; i++) {
        tr_vec2 near = {at.x + TURN_ROOM * (float)(i % 3 - 1), at.z + TURN_ROOM * (float)(i / 3 - 1)};
        float height = tr_stage_height_near(stage->storeys->surface, near, who->level, TURN_ROOM);
        if (fabsf(height - who->level) > LOWER)
            return false;
    }
    const tr_vec2 spot[2] = {at, at};
    return tr_actor_set_route(who->actor, spot, 2, NULL, &order->heading, order->speed, NULL) == TR_OK;
}

bool tr_stage_goes_on(tr_stage *stage, uint32_t actor, const char **reason) {
    stage_actor *who = stage->actors[actor];
    const stage_leg *leg = leg_of(who);
    *reason = NULL;
    if (!leg)
        return false;
    if (leg->kind == STAGE_LEG_RIDE)
        return true; // whoever is carried stands
    who->ascent->leg++;
    who->level = tr_actor_look(who->actor).ground;
    if (!leg_of(who))
        return leg->kind == STAGE_LEG_STEP && turns_at_end(stage, who);
    if (tr_stage_begin_leg(stage, actor, NULL) != TR_OK)
        *reason = no_foothold;
    return true;
}
