// Narrow stretches of ways, where two actors cannot pass: a door, a corridor, stairs. An actor does not enter
// a stretch while another one inside comes the other way, and does not come to rest where one inside will
// come out.
#include "stage_data.h"

#define SAMPLE 0.25f    // distance between the samples of a way [m]
#define JOIN 0.8f       // stretches nearer to each other are one [m]
#define ENTRY 0.15f     // an actor this far before a stretch is in it [m]
#define EXIT 0.4f       // and this far behind it, too [m]
#define BAR_SLACK 0.01f // going farther by less than this does not count [m]
#define CLEAR 1.5f      // length of the way out that is left free [m]
#define STEP_MORE 0.6f  // additional room for passing each other on stairs [m]
#define SAME 0.3f       // ways whose directions have a smaller cosine do not go together
#define AGAINST -0.5f   // and ways with a cosine below this go against each other

// Distance between the middles of two actors that pass each other. Feet that look for footholds on stairs
// need more room to the side than feet on level floor.
static float passing_room(const tr_stage *stage, const stage_actor *a, const stage_actor *b, bool steps) {
    return a->radius + b->radius + stage->def.margin + (steps ? STEP_MORE : 0);
}

static bool is_narrow(const tr_stage *stage, const stage_actor *who, tr_vec3 at, tr_vec2 left, bool steps) {
    float needed = passing_room(stage, who, who, steps);
    tr_vec2 right = {-left.x, -left.z};
    float room = tr_ground_room(stage->ground, who->sizes[0], at, left, needed);
    return room < needed && room + tr_ground_room(stage->ground, who->sizes[0], at, right, needed) < needed;
}

static void add_narrow(stage_actor *who, float begin, float end) {
    if (who->narrow_count && begin - who->narrows[who->narrow_count - 1].end < JOIN) {
        who->narrows[who->narrow_count - 1].end = end;
        return;
    }
    if (who->narrow_count < STAGE_NARROWS)
        who->narrows[who->narrow_count++] = (stage_stretch){begin, end};
}

void tr_stage_find_narrows(const tr_stage *stage, stage_actor *who) {
    const tr_way *way = &who->way;
    const tr_way_piece *piece = way->pieces;
    who->narrow_count = 0;
    for (uint32_t i = 0; i + 1 < way->point_count; i++) {
        while (piece + 1 < way->pieces + way->piece_count && i + 1 >= piece->first + piece->count)
            piece++;
        const tr_way_point *a = &way->points[i], *b = a + 1;
        float length = b->along - a->along, x = b->position.x - a->position.x,
              z = b->position.z - a->position.z;
        if (length < 1e-3f)
            continue;
        tr_vec2 left = {z / length, -x / length};
        uint32_t steps = 1 + (uint32_t)(length / SAMPLE);
        for (uint32_t k = 0; k < steps; k++) {
            float t = ((float)k + 0.5f) / (float)steps;
            tr_vec3 at =
                tr_vec3_add(a->position, tr_vec3_scale(tr_vec3_subtract(b->position, a->position), t));
            float half = 0.5f * length / (float)steps, along = a->along + t * length;
            if (is_narrow(stage, who, at, left, piece->kind == TR_WAY_STEP))
                add_narrow(who, along - half, along + half);
        }
    }
}

// Where along its way the actor is committed to come to rest [m].
static float rest_of(const stage_actor *who) {
    float now = tr_stage_along(who), rest = tr_way_length(&who->way) - who->commitment.to_go;
    return rest > now ? rest : now;
}

static bool is_in(const stage_stretch *stretch, float now, float rest) {
    return rest > stretch->begin - ENTRY && now < stretch->end + EXIT;
}

const stage_stretch *tr_stage_inside(const stage_actor *who) {
    if (!tr_stage_piece(who))
        return NULL;
    float now = tr_stage_along(who), rest = rest_of(who);
    for (uint32_t i = 0; i < who->narrow_count; i++)
        if (is_in(&who->narrows[i], now, rest))
            return &who->narrows[i];
    return NULL;
}

tr_vec2 tr_stage_direction(const tr_way *way, float along) {
    tr_vec3 a = tr_way_at(way, along - 0.1f), b = tr_way_at(way, along + 0.1f);
    float x = b.x - a.x, z = b.z - a.z, length = sqrtf(x * x + z * z);
    tr_vec2 direction = {length > 0 ? x / length : 0, length > 0 ? z / length : 0};
    return direction;
}

static bool is_on_steps(const tr_way *way, float along) {
    for (const tr_way_piece *piece = way->pieces; piece < way->pieces + way->piece_count; piece++)
        if (along <= piece->end)
            return piece->kind == TR_WAY_STEP;
    return false;
}

// What two oncoming actors both have left to go of a stretch, on the way of each [m].
typedef struct shared_stretch {
    float begin, end, its_begin, its_end;
} shared_stretch;

// false: they do not come towards each other there. An actor goes the other way if it comes first to what the
// other one comes to last, or if it goes against the other one somewhere. Other directions say little: at a
// door many actors meet from both sides that all go through it.
static bool find_shared(const tr_stage *stage, const stage_actor *who, const stage_actor *other,
                        const stage_stretch *its, shared_stretch *shared) {
    float now = tr_stage_along(who), from = tr_stage_along(other), first = INFINITY, end = INFINITY;
    bool against = false;
    *shared = (shared_stretch){INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (float along = from > its->begin ? from : its->begin; along < its->end + SAMPLE; along += SAMPLE) {
        float there = now, last = along < its->end ? along : its->end;
        tr_vec3 point = tr_way_at(&other->way, last);
        float off = tr_way_distance(&who->way, now, point, TUNE_FLOOR_APART, &there);
        if (off > passing_room(stage, who, other, is_on_steps(&other->way, last)))
            continue;
        tr_vec2 a = tr_stage_direction(&who->way, there), b = tr_stage_direction(&other->way, last);
        against = against || a.x * b.x + a.z * b.z < AGAINST;
        first = first == INFINITY ? there : first;
        end = there;
        shared->begin = there < shared->begin ? there : shared->begin;
        shared->end = there > shared->end ? there : shared->end;
        shared->its_begin = last < shared->its_begin ? last : shared->its_begin;
        shared->its_end = last;
    }
    return against || end < first;
}

// How much of its present stretch the actor has left to go.
static float left_of(const stage_actor *who) {
    const stage_stretch *in = tr_stage_inside(who);
    return in ? in->end - tr_stage_along(who) : INFINITY;
}

bool tr_stage_goes_through_first(const stage_actor *a, const stage_actor *b) {
    bool gave = b->aside_for == a->id, took = a->aside_for == b->id;
    if (gave != took)
        return gave;
    float left = left_of(a), its = left_of(b);
    return left != its ? left < its : tr_stage_goes_before(tr_stage_right(a), tr_stage_right(b));
}

// Another actor comes the other way through a stretch that both have to go through. If this one has not
// entered it yet, it waits before it. Of two that are both in it (because a way has changed there) one stays
// where it is.
static void bar_for(tr_stage *stage, const stage_actor *who, const stage_actor *other,
                    const stage_stretch *its) {
    shared_stretch shared;
    if (!find_shared(stage, who, other, its, &shared) || rest_of(other) <= shared.its_begin - ENTRY)
        return;
    float rest = rest_of(who), line = shared.begin - ENTRY;
    if (rest > line) {
        if (tr_stage_goes_through_first(who, other))
            return;
        line = rest + BAR_SLACK;
    }
    if (line < stage->bar) {
        stage->bar = line;
        stage->bar_body = other->body;
    }
}

void tr_stage_find_bar(tr_stage *stage, const stage_actor *who) {
    stage->bar = INFINITY;
    stage->bar_body = TR_NONE;
    for (uint32_t k = 0; k < stage->inside_count && who->errand == STAGE_ORDER; k++) {
        const stage_actor *other = stage->bodies[stage->insides[k]];
        if (!other || other == who || !tr_stage_piece(other))
            continue;
        float now = tr_stage_along(other), rest = rest_of(other);
        for (uint32_t i = 0; i < other->narrow_count; i++)
            if (is_in(&other->narrows[i], now, rest))
                bar_for(stage, who, other, &other->narrows[i]);
    }
}

// How far a point is beside the way on which an actor inside will come out; INFINITY: it is not on that way.
static float beside_way_out(const tr_stage *stage, const stage_actor *inside, const stage_stretch *its,
                            const stage_actor *who, tr_vec3 point, float along) {
    float begin = tr_stage_along(inside), there = begin;
    float off = tr_way_distance(&inside->way, begin, point, TUNE_FLOOR_APART, &there);
    if (off > who->radius + inside->radius + stage->def.margin + TUNE_STRIP_MORE ||
        there > its->end + CLEAR || there - begin < TUNE_STRIP_LEAST)
        return INFINITY;
    tr_vec2 a = tr_stage_direction(&who->way, along), b = tr_stage_direction(&inside->way, there);
    return a.x * b.x + a.z * b.z < SAME ? off : INFINITY;
}

bool tr_stage_leaves_narrow(const tr_stage *stage, const stage_actor *who, tr_vec3 from, tr_vec3 rest,
                            float rest_along, uint32_t *whose) {
    *whose = stage->bar_body;
    if (rest_along > stage->bar)
        return false;
    float now = tr_stage_along(who);
    for (uint32_t k = 0; k < stage->inside_count && !tr_stage_inside(who); k++) {
        const stage_actor *other = stage->bodies[stage->insides[k]];
        const stage_stretch *its = other && other != who ? tr_stage_inside(other) : NULL;
        // An actor that is there already may move farther aside.
        if (its && beside_way_out(stage, other, its, who, rest, rest_along) <
                       beside_way_out(stage, other, its, who, from, now) - BAR_SLACK) {
            *whose = other->body;
            return false;
        }
    }
    *whose = TR_NONE;
    return true;
}

void tr_stage_list_insides(tr_stage *stage) {
    stage->inside_count = 0;
    for (uint32_t i = 0; i < stage->actor_count && stage->inside_count < STAGE_INSIDES; i++)
        if (stage->actors[i]->narrow_count && tr_stage_inside(stage->actors[i]))
            stage->insides[stage->inside_count++] = stage->actors[i]->body;
}
