// The cheapest way with crossings: a search over them in which walks between them are found only when they
// count. A walk costs at least its length in a straight line.
#include "stage_perform.h"

#include "troupe/base/clock.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define SEARCHES_MOST 128 // for walks that are not straight
#define REACHED_MOST 1024 // crossings that a search looks at
#define ALIKE 4.0f        // a crossing that saves no more than this to where others lead is left out [m]
#define RUN_UP 0.9f       // an actor walks straight to where a crossing begins, where there is room [m],
#define RUN_UP_LEAST 1.5f // unless it is nearer [m]
#define STOREY_APART 0.3f // a floor that is further from that of the map is another one [m]

void tr_stage_free_crossings(const tr_stage *stage, stage_kind *kind) {
    const tr_allocator *own = &stage->allocator;
    stage_crossings *crossings = &kind->crossings;
    tr_release(own, crossings->chains, BEHAVIOR_CHAINS_MAX, sizeof *crossings->chains);
    tr_release(own, crossings->of.list, crossings->of.room, sizeof *crossings->of.list);
    tr_release(own, crossings->queue, crossings->queue_room, sizeof *crossings->queue);
    tr_release(own, crossings->reached, crossings->reached_room, sizeof *crossings->reached);
}

static tr_status make_chains(const tr_stage *stage, stage_kind *kind) {
    stage_crossings *crossings = &kind->crossings;
    const tr_behavior *machine = kind->cast->machine;
    size_t floats = 2 * (size_t)tr_behavior_def_of(machine)->state_count;
    float *memory = tr_allocate(&stage->allocator, floats, sizeof *memory);
    if (memory)
        crossings->chains = tr_allocate(&stage->allocator, BEHAVIOR_CHAINS_MAX, sizeof *crossings->chains);
    if (crossings->chains)
        crossings->chain_count = tr_behavior_chains(machine, memory, crossings->chains);
    tr_release(&stage->allocator, memory, floats, sizeof *memory);
    return crossings->chains ? TR_OK : TR_OUT_OF_MEMORY;
}

// The crossings of the map as it is now.
static tr_status know_crossings(tr_stage *stage, stage_actor *who, tr_error *error) {
    stage_kind *kind = who->performer->kind;
    stage_crossings *crossings = &kind->crossings;
    tr_vec3 at = tr_stage_place_of(who);
    who->performer->stood = at;
    if (kind->built && fabsf(tr_behavior_map_height(kind->map, (tr_vec2){at.x, at.z}) - at.y) > STOREY_APART)
        kind->built = false;
    tr_status status = tr_stage_update_map(stage, kind, error);
    if (status == TR_OK && !crossings->chains)
        status = make_chains(stage, kind);
    if (status == TR_OK && !crossings->known) {
        status = tr_behavior_cross(kind->map, crossings->chains, crossings->chain_count, &stage->allocator,
                                   &crossings->of, error);
        status = status == TR_LIMIT ? TR_OK : status;
        crossings->known = status == TR_OK;
    }
    void *reached = crossings->reached;
    if (status == TR_OK && !tr_reserve(&stage->allocator, &reached, &crossings->reached_room,
                                       (uint64_t)crossings->of.count + 1, sizeof *crossings->reached))
        status = TR_OUT_OF_MEMORY;
    crossings->reached = reached;
    return status;
}

// ------------------------------------------------------------------------------------------------- the queue

static bool is_before(const cross_entry *a, const cross_entry *b) {
    if (a->estimate != b->estimate)
        return a->estimate < b->estimate;
    if (a->to != b->to)
        return a->to < b->to;
    return a->from < b->from;
}

static tr_status push(const tr_stage *stage, stage_crossings *crossings, cross_entry entry) {
    void *queue = crossings->queue;
    bool room = tr_reserve(&stage->allocator, &queue, &crossings->queue_room,
                           (uint64_t)crossings->queue_count + 1, sizeof *crossings->queue);
    crossings->queue = queue;
    if (!room)
        return TR_OUT_OF_MEMORY;
    uint32_t at = crossings->queue_count++;
    for (; at > 0 && is_before(&entry, &crossings->queue[(at - 1) / 2]); at = (at - 1) / 2)
        crossings->queue[at] = crossings->queue[(at - 1) / 2];
    crossings->queue[at] = entry;
    return TR_OK;
}

static cross_entry pop(stage_crossings *crossings) {
    cross_entry first = crossings->queue[0], last = crossings->queue[--crossings->queue_count];
    uint32_t at = 0, count = crossings->queue_count;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(&crossings->queue[child + 1], &crossings->queue[child]))
            child++;
        if (!is_before(&crossings->queue[child], &last))
            break;
        crossings->queue[at] = crossings->queue[child];
    }
    crossings->queue[at] = last;
    return first;
}

// ------------------------------------------------------------------------------------------------ the search

typedef struct cross_search {
    tr_stage *stage;
    stage_actor *who;
    stage_crossings *crossings;
    tr_vec3 start;
    tr_ground_place start_place;
    const tr_vec3 *goals;
    uint32_t goal_count, walks, count;
    uint32_t size; // the least that it walks with
} cross_search;

static float least_to_goal(const cross_search *search, tr_vec3 from) {
    float least = INFINITY;
    for (uint32_t i = 0; i < search->goal_count; i++)
        least = fminf(least, tr_vec3_distance_from_above(from, search->goals[i]));
    return least;
}

static tr_vec3 end_of(const cross_search *search, uint32_t crossing) {
    return crossing < search->count ? search->crossings->of.list[crossing].to : search->start;
}

static void find_places(cross_search *search) {
    const tr_ground *ground = tr_stage_known(search->stage, search->who);
    for (uint32_t room = 0; room < 3; room++)
        search->size = search->who->sizes[room] != TR_NONE ? search->who->sizes[room] : search->size;
    search->start_place = tr_ground_drop(ground, search->size, search->start, 0.5f);
    for (uint32_t i = 0; i < search->count; i++) {
        const behavior_crossing *crossing = &search->crossings->of.list[i];
        cross_reach *reached = &search->crossings->reached[i];
        reached->before = TR_NONE;
        reached->from = tr_ground_drop(ground, search->size, crossing->from, 0.5f);
        reached->to = tr_ground_drop(ground, search->size, crossing->to, 0.5f);
        if (!tr_ground_is_free(ground, search->who->sizes[0], crossing->from, NULL) ||
            !tr_ground_is_free(ground, search->who->sizes[0], crossing->to, NULL))
            reached->from.why = TR_GROUND_NARROW; // it could not turn there
    }
    search->crossings->reached[search->count].before = TR_NONE;
}

// Labels say that no goal can be walked to.
static bool is_cut_off(const cross_search *search, const tr_ground *ground, const tr_ground_place *place) {
    for (uint32_t i = 0; i < search->goal_count; i++) {
        tr_ground_place goal = tr_ground_drop(ground, search->size, search->goals[i], 0.5f);
        if (place->why != TR_GROUND_FREE || goal.why != TR_GROUND_FREE ||
            tr_ground_connected(ground, search->size, place, &goal))
            return false;
    }
    return true;
}

// All walks from a place.
static tr_status spread(const cross_search *search, uint32_t from, float cost) {
    const behavior_crossings *all = &search->crossings->of;
    const cross_reach *reached = search->crossings->reached;
    const tr_ground *ground = tr_stage_known(search->stage, search->who);
    bool begins = from == search->count;
    const tr_ground_place *place = begins ? &search->start_place : &reached[from].to;
    tr_vec3 at = end_of(search, from);
    float rest = least_to_goal(search, at);
    tr_status status = TR_OK;
    if (!is_cut_off(search, ground, place))
        status = push(search->stage, search->crossings,
                      (cross_entry){cost + rest, cost + rest, from, search->count, false});
    for (uint32_t i = 0; i < search->count && status == TR_OK; i++) {
        const behavior_crossing *to = &all->list[i];
        if (reached[i].before != TR_NONE || reached[i].from.why != TR_GROUND_FREE ||
            (place->why == TR_GROUND_FREE &&
             !tr_ground_connected(ground, search->size, place, &reached[i].from)))
            continue;
        float then = cost + tr_vec3_distance_from_above(at, to->from) + to->cost;
        status = push(search->stage, search->crossings,
                      (cross_entry){then + least_to_goal(search, to->to), then, from, i, false});
    }
    return status;
}

// The place before a crossing from which an actor walks straight ahead to it. false: there is no room.
static bool run_up(const cross_search *search, tr_vec3 from, const behavior_crossing *to, tr_vec3 *place) {
    double sine, cosine;
    tr_sin_cos((double)to->heading, &sine, &cosine);
    *place = tr_vec3_make(to->from.x - RUN_UP * (float)sine, to->from.y, to->from.z - RUN_UP * (float)cosine);
    const tr_ground *ground = tr_stage_known(search->stage, search->who);
    uint32_t size = search->who->sizes[0];
    return tr_vec3_distance_from_above(from, to->from) > RUN_UP_LEAST &&
           tr_ground_sees(ground, size, *place, to->from) &&
           tr_way_is_level(ground, *place, to->from, to->from.y, tr_ground_size(ground, size)->foot_rise);
}

// A walk from the end of a crossing, or from the start, to the next one, or to the goal, into `way`.
static tr_status walk(const cross_search *search, uint32_t from, uint32_t to, bool plain, tr_way *way,
                      tr_go_result *result) {
    tr_stage *stage = search->stage;
    const behavior_crossings *all = &search->crossings->of;
    bool ends = to == search->count;
    const tr_vec3 *goals = ends ? search->goals : &all->list[to].from;
    tr_vec3 begin = end_of(search, from), before;
    if (!plain && !ends && run_up(search, begin, &all->list[to], &before))
        goals = &before;
    tr_go_query query =
        tr_stage_query(stage, search->who, goals, ends ? search->goal_count : 1, plain || !ends ? 0 : 1);
    query.start = begin;
    query.bend = plain ? 0 : query.bend;
    *result = (tr_go_result){0};
    tr_status status = tr_go_find(stage->go, tr_stage_known(stage, search->who), &query, way, result, NULL);
    stage->expanded += result->counters.expanded + 1;
    if (status == TR_OK && ((result->goal_moved && !ends) || (result->start_moved && from != search->count)))
        return TR_NOT_FOUND; // a crossing begins and ends where a body can stand
    return status;
}

// What a straight walk costs. Negative: something is in the way.
static float straight(const cross_search *search, tr_vec3 from, tr_vec3 to) {
    const tr_ground *ground = tr_stage_known(search->stage, search->who);
    const tr_go_query query = tr_go_query_default(search->who->sizes[0]);
    if (!tr_ground_sees(ground, search->who->sizes[0], from, to))
        return -1;
    float rise = to.y - from.y;
    return tr_vec3_distance_from_above(from, to) + (rise > 0 ? query.up * rise : -query.down * rise);
}

// Learns what a walk costs.
static tr_status look(cross_search *search, const cross_entry *entry) {
    const behavior_crossings *all = &search->crossings->of;
    bool ends = entry->to == search->count;
    float before = entry->from == search->count ? 0 : search->crossings->reached[entry->from].cost;
    const tr_vec3 *to = ends ? search->goals : &all->list[entry->to].from;
    bool one = !ends || search->goal_count == 1;
    float far = one ? straight(search, end_of(search, entry->from), *to) : -1;
    if (far < 0) {
        tr_go_result result;
        search->walks++;
        tr_status status = walk(search, entry->from, entry->to, true, &search->stage->kept, &result);
        if (status != TR_OK)
            return status == TR_OUT_OF_MEMORY ? status : TR_OK;
        far = (float)result.cost;
    }
    float cost = before + far + (ends ? 0 : all->list[entry->to].cost);
    float rest = ends ? 0 : least_to_goal(search, all->list[entry->to].to);
    return push(search->stage, search->crossings,
                (cross_entry){cost + rest, cost, entry->from, entry->to, true});
}

// Do others lead to nearly the same place at nearly the same cost? A long obstacle has many crossings.
static bool is_like_others(const cross_search *search, const cross_entry *entry) {
    const tr_ground *ground = tr_stage_known(search->stage, search->who);
    const behavior_crossing *list = search->crossings->of.list;
    for (uint32_t i = 0; i < search->count && entry->to != search->count; i++) {
        const cross_reach *other = &search->crossings->reached[i];
        if (other->before != TR_NONE &&
            other->cost + tr_vec3_distance_from_above(list[i].to, list[entry->to].to) < entry->cost + ALIKE &&
            tr_ground_sees(ground, search->who->sizes[0], list[i].to, list[entry->to].to))
            return true;
    }
    return false;
}

static tr_status search_all(cross_search *search) {
    stage_crossings *crossings = search->crossings;
    uint32_t count = search->count, reached = 0;
    find_places(search);
    crossings->queue_count = 0;
    tr_status status = spread(search, count, 0);
    while (status == TR_OK) {
        if (crossings->queue_count == 0 || search->walks == SEARCHES_MOST || reached == REACHED_MOST)
            return TR_NOT_FOUND;
        cross_entry entry = pop(crossings);
        if (crossings->reached[entry.to].before != TR_NONE || is_like_others(search, &entry))
            continue;
        if (!entry.known) {
            status = look(search, &entry);
            continue;
        }
        crossings->reached[entry.to].cost = entry.cost;
        crossings->reached[entry.to].before = entry.from;
        reached++;
        if (entry.to == count)
            return TR_OK;
        status = spread(search, entry.to, entry.cost);
    }
    return status;
}

// --------------------------------------------------------------------------------------------------- the way

static bool add_point(tr_way *way, tr_vec3 at, float along, float seconds) {
    if (way->point_count == way->point_max)
        return false;
    float time = way->point_count ? way->points[way->point_count - 1].time : 0;
    way->points[way->point_count++] =
        (tr_way_point){.position = at, .along = along, .time = time + seconds, .room = TR_WAY_OPEN};
    return true;
}

static bool add_piece(tr_way *way, tr_way_kind kind, tr_vec3 to, float seconds) {
    const tr_way_point *last = &way->points[way->point_count - 1];
    float begin = last->along, end = begin + tr_vec3_distance_from_above(last->position, to);
    if (way->piece_count == way->piece_max || !add_point(way, to, end, seconds))
        return false;
    way->pieces[way->piece_count++] = (tr_way_piece){kind, way->point_count - 2, 2, begin, end, false};
    return true;
}

// Goes on with a walk that begins where the way ends.
static bool append(tr_way *way, const tr_way *walked) {
    uint32_t first = way->point_count ? way->point_count - 1 : 0, skipped = way->point_count ? 1 : 0;
    float along = way->point_count ? way->points[first].along : 0;
    float time = way->point_count ? way->points[first].time : 0;
    if (first + walked->point_count > way->point_max ||
        way->piece_count + walked->piece_count > way->piece_max)
        return false;
    for (uint32_t i = skipped; i < walked->point_count; i++) {
        tr_way_point point = walked->points[i];
        point.along += along;
        point.time += time;
        way->points[way->point_count++] = point;
    }
    if (skipped && walked->point_count)
        way->points[first].room = walked->points[0].room;
    for (uint32_t i = 0; i < walked->piece_count; i++) {
        tr_way_piece piece = walked->pieces[i];
        piece.first += first;
        piece.begin += along;
        piece.end += along;
        way->pieces[way->piece_count++] = piece;
    }
    return true;
}

// An actor turns at the end of what it walks.
static bool turn(tr_way *way) {
    const tr_way_point *last = &way->points[way->point_count - 1];
    bool walks = way->piece_count && way->pieces[way->piece_count - 1].kind == TR_WAY_WALK;
    return walks || add_piece(way, TR_WAY_WALK, last->position, 0);
}

// On, straight ahead, to where a crossing begins.
static bool walk_up(tr_way *way, tr_vec3 to) {
    tr_way_point *last = &way->points[way->point_count - 1];
    tr_way_piece *piece = way->piece_count ? &way->pieces[way->piece_count - 1] : NULL;
    float far = tr_vec3_distance_from_above(last->position, to);
    if (!piece || piece->kind != TR_WAY_WALK)
        return add_piece(way, TR_WAY_WALK, to, far);
    if (far < 1e-3f)
        return true;
    if (!add_point(way, to, last->along + far, far))
        return false;
    last->room = TR_WAY_OPEN;
    piece->count++;
    piece->end += far;
    return true;
}

static tr_status lay(cross_search *search) {
    stage_crossings *crossings = search->crossings;
    stage_performer *performer = search->who->performer;
    uint32_t count = search->count, order[PERFORM_CROSSINGS], used = 0;
    for (uint32_t i = crossings->reached[count].before; i != count; i = crossings->reached[i].before) {
        if (used == PERFORM_CROSSINGS)
            return TR_LIMIT;
        order[used++] = i;
    }
    tr_stage *stage = search->stage;
    tr_way_clear(&stage->trial);
    for (uint32_t i = 0, from = count; i <= used; i++) {
        uint32_t to = i < used ? order[used - 1 - i] : count;
        tr_go_result result;
        tr_status status = walk(search, from, to, false, &stage->kept, &result);
        bool room = status == TR_OK && append(&stage->trial, &stage->kept);
        if (!room)
            return status == TR_OUT_OF_MEMORY ? status : TR_NOT_FOUND;
        from = to;
        if (to == count)
            break;
        const behavior_crossing *crossing = &crossings->of.list[to];
        performer->crossings[i] = *crossing;
        float seconds = (float)(crossings->chains[crossing->chain].frames * TR_STAGE_TICK);
        if (stage->trial.point_count == 0 && !add_point(&stage->trial, crossing->from, 0, 0))
            return TR_NOT_FOUND;
        if (!walk_up(&stage->trial, crossing->from) ||
            !add_piece(&stage->trial, TR_WAY_PERFORM, crossing->to, seconds))
            return TR_NOT_FOUND;
    }
    const stage_order *ordered = tr_stage_current(search->who);
    bool turns = ordered && ordered->order.has_heading;
    return !turns || turn(&stage->trial) ? TR_OK : TR_NOT_FOUND;
}

tr_status tr_stage_find_crossings(tr_stage *stage, stage_actor *who, const tr_vec3 *goals,
                                  uint32_t goal_count, bool *crosses, tr_error *error) {
    cross_search search = {.stage = stage,
                           .who = who,
                           .crossings = &who->performer->kind->crossings,
                           .start = tr_stage_place_of(who),
                           .goals = goals,
                           .goal_count = goal_count};
    *crosses = false;
    uint64_t began = tr_clock_nanoseconds();
    tr_status status = know_crossings(stage, who, error);
    uint32_t count = search.count = search.crossings->of.count;
    if (status == TR_OK)
        status = search_all(&search);
    if (status == TR_OK && search.crossings->reached[count].before != count) {
        status = lay(&search);
        *crosses = status == TR_OK;
    }
    who->plan_count++;
    who->plan_us[who->plan_timed++ % STAGE_PLANS] = (float)(tr_clock_nanoseconds() - began) * 1e-3f;
    return status == TR_OK || status == TR_OUT_OF_MEMORY ? status : TR_NOT_FOUND;
}
