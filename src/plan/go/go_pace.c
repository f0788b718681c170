// Along a way in time. A state is a place on the way (where the body would be at a tick if it were alone)
// with the number of ticks it has waited so far: going on leads to the next place, waiting to the next row of
// states. Rows are processed in order, so the first that ends at the goal arrives first.
#include "go_data.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define TICKS TR_TIMELINE_TICKS_MAX
#define WORDS (TICKS / 64)
#define PIECES 256
#define ROUNDS 4        // searches for a way around
#define AFTER 0.5       // smaller savings are not worth leaving the way [s]
#define ASIDE_MORE 0.1f // in addition to the bodies and the margin, out of the way of another body [m]
#define BEFORE_COUNT 4
// How long before a meeting it may leave its way [s].
static const double before[BEFORE_COUNT] = {1e9, 4, 2.5, 1};

typedef struct go_pace {
    tr_vec3 at[TICKS]; // on the way, tick by tick
    uint32_t count;
    uint64_t by_going[TICKS][WORDS], by_waiting[TICKS][WORDS]; // for each row, the places that are reached
    uint32_t first_met;  // the place beyond which it does not get without waiting,
    uint32_t first_body; // and the body that it meets there
    uint32_t furthest;   // the farthest place that it reaches at all, and the body that it meets after it
    tr_timeline_meeting meeting;
    tr_way other, tried; // ways on trial
    tr_way track;        // of the body that it meets
    tr_path_point points[GO_POINTS_MAX];
} go_pace;

typedef struct pacing {
    tr_go *go;
    const tr_ground *ground;
    const tr_timeline *timeline;
    const tr_go_query *query;
    const tr_go_disc *disc;
} pacing;

void tr_go_free_pace(tr_go *go) {
    if (!go->pace)
        return;
    tr_way_destroy(&go->allocator, &go->pace->other);
    tr_way_destroy(&go->allocator, &go->pace->tried);
    tr_way_destroy(&go->allocator, &go->pace->track);
    tr_release(&go->allocator, go->pace, 1, sizeof *go->pace);
    go->pace = NULL;
}

static tr_status take_memory(tr_go *go, tr_error *error) {
    if (go->pace)
        return TR_OK;
    go->pace = tr_allocate_zero(&go->allocator, 1, sizeof *go->pace);
    tr_status status = go->pace ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to pace a way");
    if (status == TR_OK)
        status = tr_way_create(&go->allocator, GO_POINTS_MAX, PIECES, &go->pace->other, error);
    if (status == TR_OK)
        status = tr_way_create(&go->allocator, GO_POINTS_MAX, PIECES, &go->pace->tried, error);
    if (status == TR_OK)
        status = tr_way_create(&go->allocator, TICKS, 1, &go->pace->track, error);
    if (status != TR_OK)
        tr_go_free_pace(go);
    return status;
}

// Does it meet a body between one tick and the next, or from a tick on?
static bool meets(const pacing *p, tr_vec3 from, tr_vec3 to, uint64_t tick, bool stays,
                  tr_timeline_meeting *meeting) {
    const tr_vec3 positions[2] = {from, to};
    tr_timeline_motion motion = {.begin = p->disc->begin + tick,
                                 .positions = positions,
                                 .count = stays ? 1 : 2,
                                 .radius = p->disc->radius,
                                 .height = p->disc->height,
                                 .self = TR_NONE,
                                 .rest = stays,
                                 .margin = p->disc->margin,
                                 .clear = p->disc->margin};
    return tr_timeline_meets(p->timeline, &motion, meeting);
}

static bool has(const uint64_t *row, uint32_t place) {
    return row[place / 64] >> (place % 64) & 1;
}

static void put(uint64_t *row, uint32_t place) {
    row[place / 64] |= (uint64_t)1 << (place % 64);
}

// All places of a row, from the first that is reached by waiting on. true: the last of them is the goal, and
// it can stay there.
static bool run_row(const pacing *p, uint32_t row) {
    go_pace *pace = p->go->pace;
    uint64_t *going = pace->by_going[row];
    const uint64_t *waiting = pace->by_waiting[row];
    tr_timeline_meeting meeting;
    for (uint32_t i = 0; i < pace->count; i++) {
        if (!has(going, i) && !has(waiting, i))
            continue;
        bool last = i + 1 == pace->count;
        if (!meets(p, pace->at[i], pace->at[last ? i : i + 1], i + row, last, &meeting)) {
            if (last)
                return true;
            put(going, i + 1);
        } else {
            if (row == 0) {
                pace->first_met = i;
                pace->first_body = meeting.body;
            }
            if (i >= pace->furthest) {
                pace->furthest = i;
                pace->meeting = meeting;
            }
        }
    }
    return false;
}

// false: it cannot wait any longer anywhere.
static bool wait_row(const pacing *p, uint32_t row) {
    go_pace *pace = p->go->pace;
    bool any = false;
    memset(pace->by_going[row + 1], 0, sizeof pace->by_going[0]);
    memset(pace->by_waiting[row + 1], 0, sizeof pace->by_waiting[0]);
    for (uint32_t i = 0; i < pace->count; i++) {
        bool reached = has(pace->by_going[row], i) || has(pace->by_waiting[row], i);
        tr_timeline_meeting meeting;
        if (reached && !meets(p, pace->at[i], pace->at[i], i + row, false, &meeting)) {
            put(pace->by_waiting[row + 1], i);
            any = true;
        }
    }
    return any;
}

// The number of ticks that it waits on this way; TR_NOT_FOUND, TR_LIMIT.
static tr_status run(const pacing *p, const tr_way *way, uint32_t *waits, tr_error *error) {
    go_pace *pace = p->go->pace;
    double dt = p->disc->tick_seconds, seconds = (double)way->points[way->point_count - 1].time;
    if (!(seconds / dt < TICKS - 2))
        return tr_fail(error, TR_LIMIT, "the way takes %.3g s, more than %d ticks of %.3g s", seconds, TICKS,
                       dt);
    pace->count = (uint32_t)(seconds / dt) + 2;
    for (uint32_t i = 0; i < pace->count; i++)
        pace->at[i] = tr_way_at_time(way, i * dt);
    pace->first_met = pace->furthest = 0;
    pace->first_body = TR_NONE;
    pace->meeting = (tr_timeline_meeting){.body = TR_NONE, .object = TR_NONE};
    memset(pace->by_going[0], 0, sizeof pace->by_going[0]);
    memset(pace->by_waiting[0], 0, sizeof pace->by_waiting[0]);
    put(pace->by_going[0], 0);
    double most = p->disc->wait_max / dt;
    uint32_t rows = TICKS - pace->count;
    rows = most < rows ? (uint32_t)most : rows;
    for (*waits = 0;; ++*waits) {
        if (run_row(p, *waits))
            return TR_OK;
        if (*waits >= rows || !wait_row(p, *waits))
            return tr_fail(error, TR_NOT_FOUND, "a body is in the way");
    }
}

static tr_status insert(tr_way *way, uint32_t index, const tr_way_point *point, tr_error *error) {
    if (way->point_count == way->point_max)
        return tr_fail(error, TR_LIMIT, "the way has more than %u corners", way->point_max);
    memmove(way->points + index + 1, way->points + index, (way->point_count - index) * sizeof *way->points);
    way->points[index] = *point;
    way->point_count++;
    for (uint32_t i = 0; i < way->piece_count; i++) {
        tr_way_piece *piece = &way->pieces[i];
        if (piece->first >= index)
            piece->first++;
        else if (index < piece->first + piece->count)
            piece->count++;
    }
    return TR_OK;
}

// Inserts a wait at a time of the way, and delays everything after it.
static tr_status insert_wait(tr_way *way, double time, double seconds, tr_error *error) {
    uint32_t index = 1;
    while (index < way->point_count && (double)way->points[index].time <= time)
        index++;
    if (index == way->point_count) {
        way->points[index - 1].time += (float)seconds;
        return TR_OK;
    }
    tr_way_point a = way->points[index - 1], b = way->points[index], middle = a;
    double share = (time - (double)a.time) / ((double)b.time - (double)a.time);
    float t = share > 0 ? (float)share : 0;
    middle.position = tr_vec3_add(a.position, tr_vec3_scale(tr_vec3_subtract(b.position, a.position), t));
    middle.along = a.along + t * (b.along - a.along);
    middle.time = (float)time;
    tr_status status = TR_OK;
    if (t > 0)
        status = insert(way, index++, &middle, error);
    middle.time = (float)(time + seconds);
    if (status == TR_OK)
        status = insert(way, index++, &middle, error);
    for (uint32_t i = index; i < way->point_count && status == TR_OK; i++)
        way->points[i].time += (float)seconds;
    return status;
}

// Back from the goal through the rows; it waits as late as possible.
static tr_status take_waits(const pacing *p, uint32_t row, tr_way *way, tr_error *error) {
    const go_pace *pace = p->go->pace;
    double dt = p->disc->tick_seconds;
    tr_status status = TR_OK;
    for (uint32_t place = pace->count - 1; row > 0 && status == TR_OK;) {
        uint32_t waits = 0;
        while (row > 0 && has(pace->by_waiting[row], place)) {
            row--;
            waits++;
        }
        if (waits)
            status = insert_wait(way, place * dt, waits * dt, error);
        else
            place--;
    }
    return status;
}

static const tr_way_piece *piece_at(const tr_way *way, float along) {
    for (uint32_t i = 0; i < way->piece_count; i++)
        if (along < way->pieces[i].end)
            return &way->pieces[i];
    return NULL;
}

static float along_at_time(const tr_way *way, double time) {
    for (uint32_t i = 1; i < way->point_count; i++) {
        const tr_way_point *a = &way->points[i - 1], *b = &way->points[i];
        double length = (double)b->time - (double)a->time;
        if (time < (double)b->time && length > 0)
            return a->along + (float)((time - (double)a->time) / length) * (b->along - a->along);
    }
    return tr_way_length(way);
}

static bool is_carried(const tr_way *way, uint32_t point) {
    for (uint32_t i = 0; i < way->piece_count; i++)
        if (way->pieces[i].kind == TR_WAY_RIDE && way->pieces[i].first + 1 == point)
            return true;
    return false;
}

static void add(go_pace *pace, uint32_t *count, tr_vec3 position, bool carried) {
    if (*count < GO_POINTS_MAX)
        pace->points[(*count)++] = (tr_path_point){
            .position = position, .move = carried ? TR_PATH_LINK : TR_PATH_WALK, .link = TR_NONE};
}

static void add_before(const tr_way *way, float from, go_pace *pace, uint32_t *count) {
    for (uint32_t i = 0; i < way->point_count && way->points[i].along < from; i++)
        add(pace, count, way->points[i].position, is_carried(way, i));
}

static tr_status cut(const pacing *p, uint32_t count, tr_way *made) {
    if (count == GO_POINTS_MAX)
        return TR_LIMIT;
    const tr_ground_body *body = tr_ground_size(p->ground, p->query->sizes[0]);
    tr_status status = tr_way_cut(made, p->ground, p->go->pace->points, count, body->foot_rise,
                                  p->query->speed, go_step_speed(p->query), NULL);
    if (status == TR_OK)
        tr_go_name_rooms(p->ground, p->query, made);
    return status;
}

// The way up to a place on it, around others, and on from where that rejoins it.
static tr_status lead_around(const pacing *p, const tr_way *way, const tr_go_walker *walker, tr_way *made) {
    go_pace *pace = p->go->pace;
    tr_go_around_result around;
    uint32_t count = 0;
    tr_status status = tr_go_around(p->go, p->ground, p->timeline, walker, &around);
    if (status != TR_OK)
        return status;
    add_before(way, walker->along, pace, &count);
    for (uint32_t i = 0; i < around.point_count; i++)
        add(pace, &count, around.points[i], false);
    for (uint32_t i = 0; i < way->point_count; i++)
        if (way->points[i].along > around.rejoins + 0.01f)
            add(pace, &count, way->points[i].position, is_carried(way, i));
    return cut(p, count, made);
}

static bool add_way(const pacing *p, tr_vec3 from, tr_vec3 to, tr_way *made, uint32_t *count) {
    tr_go_query query = *p->query;
    query.start = from;
    query.goals = &to;
    query.goal_count = 1;
    if (tr_go_find(p->go, p->ground, &query, made, NULL, NULL) != TR_OK)
        return false;
    for (uint32_t i = 1; i < made->point_count; i++)
        add(p->go->pace, count, made->points[i].position, is_carried(made, i));
    return true;
}

// The track of a body from now on.
static void lay_track(const pacing *p, uint32_t body) {
    tr_way *way = &p->go->pace->track;
    tr_timeline_track track = tr_timeline_track_of(p->timeline, body);
    tr_way_clear(way);
    for (uint32_t i = 0; i < track.count && i < TICKS; i++) {
        tr_way_point point = {.position = {track.x[i], track.y[i], track.z[i]}};
        if (i > 0) {
            tr_vec3 apart = tr_vec3_subtract(point.position, way->points[i - 1].position);
            point.along = way->points[i - 1].along + sqrtf(apart.x * apart.x + apart.z * apart.z);
        }
        way->points[way->point_count++] = point;
    }
}

// The way up to a place on it, to a place where the other body does not come, and from there to the goal. It
// waits there if necessary.
static tr_status lead_aside(const pacing *p, const tr_way *way, const tr_go_walker *walker, tr_way *made) {
    go_pace *pace = p->go->pace;
    if (pace->first_body == TR_NONE)
        return TR_NOT_FOUND;
    lay_track(p, pace->first_body);
    tr_go_claim claim = {.way = &pace->track,
                         .end = tr_way_length(&pace->track),
                         .width = tr_timeline_track_of(p->timeline, pace->first_body).radius +
                                  p->disc->radius + p->disc->margin + ASIDE_MORE};
    tr_go_walker who = *walker;
    tr_vec3 place;
    uint32_t count = 0;
    who.claims = &claim;
    who.claim_count = 1;
    if (tr_go_aside(p->go, p->ground, p->timeline, &who, &place) != TR_OK)
        return TR_NOT_FOUND;
    add_before(way, walker->along, pace, &count);
    add(pace, &count, walker->position, false);
    if (!add_way(p, walker->position, place, made, &count) ||
        !add_way(p, place, way->points[way->point_count - 1].position, made, &count))
        return TR_NOT_FOUND;
    return cut(p, count, made);
}

// A walker on the way at a time; false: it rides then.
static bool walker_at(const pacing *p, const tr_way *way, double time, tr_go_walker *walker) {
    float along = along_at_time(way, time);
    const tr_way_piece *piece = piece_at(way, along);
    if (!piece || piece->kind == TR_WAY_RIDE)
        return false;
    tr_vec3 at = tr_way_at(way, along), ahead = tr_way_at(way, along + 0.1f);
    *walker =
        (tr_go_walker){.body = TR_NONE,
                       .size = p->query->sizes[0],
                       .radius = p->disc->radius,
                       .height = p->disc->height,
                       .margin = p->disc->margin,
                       .position = at,
                       .heading = (float)tr_arc_tangent((double)(ahead.x - at.x), (double)(ahead.z - at.z)),
                       .speed = p->query->speed,
                       .way = way,
                       .along = along,
                       .until = piece->end,
                       .tick = p->disc->begin + (uint64_t)(time / p->disc->tick_seconds),
                       .tick_seconds = p->disc->tick_seconds};
    return true;
}

// The quickest way that leaves `way` somewhere before the first meeting, in pace->tried; false: none takes
// less than `ticks`.
static bool try_others(const pacing *p, const tr_way *way, uint32_t ticks) {
    go_pace *pace = p->go->pace;
    double dt = p->disc->tick_seconds, met = pace->first_met * dt;
    uint32_t body = pace->first_body;
    bool found = false;
    for (uint32_t i = 0; i < 2 * BEFORE_COUNT; i++) {
        double time = met - before[i / 2] > 0 ? met - before[i / 2] : 0;
        tr_go_walker walker;
        uint32_t waits = 0;
        pace->first_body = body; // of this way, not of the last trial
        if (!walker_at(p, way, time, &walker))
            continue;
        tr_status status =
            i % 2 ? lead_aside(p, way, &walker, &pace->other) : lead_around(p, way, &walker, &pace->other);
        if (status != TR_OK || run(p, &pace->other, &waits, NULL) != TR_OK ||
            pace->count + waits + AFTER / dt > ticks || tr_way_copy(&pace->tried, &pace->other) != TR_OK)
            continue;
        ticks = pace->count + waits;
        found = true;
    }
    return found;
}

tr_status tr_go_pace(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                     const tr_go_query *query, const tr_go_disc *disc, tr_way *way, tr_go_pace_result *result,
                     tr_error *error) {
    pacing p = {go, ground, timeline, query, disc};
    tr_go_pace_result own;
    result = result ? result : &own;
    *result = (tr_go_pace_result){.body = TR_NONE, .object = TR_NONE};
    if (way->point_count == 0 || !(disc->tick_seconds > 0) || !(disc->wait_max >= 0) ||
        !tr_ground_size(ground, query->sizes[0]))
        return tr_fail(
            error, TR_INVALID,
            "pacing needs a way, a size of the ground, tick_seconds above 0 and wait_max of at least 0");
    tr_status status = take_memory(go, error);
    uint32_t waits = 0;
    if (status == TR_OK)
        status = run(&p, way, &waits, error);
    if (status != TR_OK && status != TR_NOT_FOUND)
        return status;
    while (disc->around && result->arounds < ROUNDS && (status == TR_NOT_FOUND || waits > 0)) {
        uint32_t ticks = status == TR_OK ? go->pace->count + waits : UINT32_MAX;
        bool found = try_others(&p, way, ticks) && tr_way_copy(way, &go->pace->tried) == TR_OK;
        status = run(&p, way, &waits, error); // restores the rows of the way
        if (!found)
            break;
        result->arounds++;
    }
    result->body = go->pace->meeting.body;
    result->object = go->pace->meeting.object;
    if (status != TR_OK)
        return status;
    result->ticks = go->pace->count - 1 + waits;
    result->waits = waits * disc->tick_seconds;
    result->body = result->object = TR_NONE;
    return take_waits(&p, waits, way, error);
}
