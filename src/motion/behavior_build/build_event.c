// The moments at which a capture may be cut, and what is special between them. All thresholds are shares of
// the leg, and of speeds and times that follow from it and from gravity.
#include "build_parts.h"
#include "troupe/base/scalar.h"

#define GRAVITY 9.81f
#define BLEND_TIME 0.7f    // of sqrt(leg / g): over it, a difference of speeds becomes one of places
#define AIR_LEAST 0.09     // [s]: a foot that was off the ground for less has not stepped
#define REST_STIR 0.13f    // of the speed of a body: whose points move less stands
#define REST_SPEED 0.10f   // so does the base
#define REST_TURN 0.15f    // of the rate of a body
#define REST_UPRIGHT 0.8f  // of the height of the head
#define REST_LEAST 0.15    // [s]
#define REST_EDGE 0.3      // [s]: a long rest is entered and left within this time of its ends
#define FLIGHT_CLEAR 0.16f // of the leg: both feet are this high in a jump
#define FLIGHT_OFF 0.05f   // and off the ground all the while
#define FLIGHT_FALL 0.4f   // of gravity: the hips fall freely
#define FLIGHT_LEAST 0.2   // [s]
#define CRAWL_HIPS 0.75f   // of the leg: hips of a body that crawls
#define CRAWL_LEAST 0.3    // [s]
#define CRAWL_GAP 0.5      // [s]: hands may leave the ground for this
#define DUCK_LOW 0.63f     // of the height of the head
#define DUCK_OUT 0.8f      // and back up
#define DUCK_LEAST 0.1     // [s]
#define DUCK_TRAVEL 0.5f   // of the leg: a body that ducks goes on

float build_body_speed(const build_body *body) {
    return sqrtf(GRAVITY * body->leg);
}

float build_body_rate(const build_body *body) {
    return sqrtf(GRAVITY / body->leg);
}

float build_event_distance(const build_body *body, const build_event *a, const build_event *b) {
    float time = BLEND_TIME / build_body_rate(body), sum = 0;
    for (int k = 0; k < BUILD_POINTS; k++) {
        tr_vec3 p = tr_vec3_subtract(a->points[k], b->points[k]),
                v = tr_vec3_scale(tr_vec3_subtract(a->velocity[k], b->velocity[k]), time);
        sum += tr_vec3_dot(p, p) + tr_vec3_dot(v, v);
    }
    return sqrtf(sum / BUILD_POINTS) / body->leg;
}

static tr_status no_memory(tr_error *error) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the events of a capture");
}

void build_event_set(const build_track *track, build_event *event) {
    const build_frame *at = &track->frames[event->frame];
    double sine, cosine;
    tr_sin_cos((double)at->base.heading, &sine, &cosine);
    float s = (float)sine, c = (float)cosine;
    for (int k = 0; k < BUILD_POINTS; k++) {
        tr_vec3 p = at->points[k], v = at->velocity[k];
        p.x -= at->base.x, p.z -= at->base.z;
        event->points[k] = tr_vec3_make(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
        event->velocity[k] = tr_vec3_make(c * v.x - s * v.z, v.y, s * v.x + c * v.z);
    }
}

typedef struct event_job {
    tr_allocator allocator;
    const build_body *body;
    const build_track *track;
    uint32_t number;
    build_events *events;
} event_job;

static bool add_event(const event_job *job, uint32_t frame, build_moment moment) {
    build_events *events = job->events;
    if (!tr_reserve(&job->allocator, (void **)&events->items, &events->capacity, events->count + 1ull,
                    sizeof *events->items))
        return false;
    build_event *event = &events->items[events->count++];
    *event = (build_event){job->number, frame, moment, TR_NONE, {{0, 0, 0}}, {{0, 0, 0}}};
    build_event_set(job->track, event);
    return true;
}

static bool add_deed(const event_job *job, build_deed deed) {
    build_events *events = job->events;
    if (!tr_reserve(&job->allocator, (void **)&events->deeds, &events->deed_capacity,
                    events->deed_count + 1ull, sizeof *events->deeds))
        return false;
    deed.track = job->number;
    events->deeds[events->deed_count++] = deed;
    return true;
}

static bool find_strikes(const event_job *job, int side) {
    const build_track *track = job->track;
    uint32_t least = (uint32_t)(AIR_LEAST * track->rate + 0.5), air = least; // before it begins, unknown
    for (uint32_t i = 0; i < track->count; i++) {
        bool down = track->frames[i].down[side];
        if (down && i > 0 && air >= least &&
            !add_event(job, i, side ? BUILD_STRIKES_RIGHT : BUILD_STRIKES_LEFT))
            return false;
        air = down ? 0 : air + 1;
    }
    return true;
}

static bool is_rest(const event_job *job, uint32_t i) {
    const build_frame *frame = &job->track->frames[i];
    const build_body *body = job->body;
    return frame->stir < REST_STIR * build_body_speed(body) &&
           frame->speed < REST_SPEED * build_body_speed(body) &&
           fabsf(frame->turning) < REST_TURN * build_body_rate(body) &&
           frame->points[BUILD_HEAD].y > REST_UPRIGHT * body->head && frame->down[0] && frame->down[1];
}

static uint32_t stillest(const build_track *track, uint32_t begin, uint32_t end) {
    uint32_t best = begin;
    for (uint32_t i = begin; i <= end; i++)
        if (track->frames[i].stir < track->frames[best].stir)
            best = i;
    return best;
}

static bool add_rest(const event_job *job, uint32_t begin, uint32_t end) {
    const build_track *track = job->track;
    uint32_t edge = (uint32_t)(REST_EDGE * track->rate);
    if (end - begin < (uint32_t)(REST_LEAST * track->rate))
        return true;
    if (end - begin < 2 * edge)
        return add_event(job, stillest(track, begin, end), BUILD_RESTS);
    return add_event(job, stillest(track, begin, begin + edge), BUILD_RESTS) &&
           add_event(job, stillest(track, end - edge, end), BUILD_RESTS);
}

static bool find_rests(const event_job *job) {
    uint32_t count = job->track->count, end;
    for (uint32_t i = 0; i < count; i = end) {
        bool rests = is_rest(job, i);
        for (end = i + 1; end < count && is_rest(job, end) == rests;)
            end++;
        if (rests && !add_rest(job, i, end - 1))
            return false;
    }
    return true;
}

// --- What is special ---

static float lower_foot(const build_frame *frame) {
    return frame->low[0] < frame->low[1] ? frame->low[0] : frame->low[1];
}

// Both feet are high, and the hips fall as a body does that nothing holds.
static bool find_flights(const event_job *job) {
    const build_track *track = job->track;
    const build_frame *frames = track->frames;
    float off = FLIGHT_OFF * job->body->leg, clear = FLIGHT_CLEAR * job->body->leg;
    uint32_t end;
    for (uint32_t i = 0; i < track->count; i = end) {
        bool flies = lower_foot(&frames[i]) > off;
        uint32_t top = i;
        for (end = i + 1; end < track->count && (lower_foot(&frames[end]) > off) == flies; end++)
            if (frames[end].points[BUILD_HIPS].y > frames[top].points[BUILD_HIPS].y)
                top = end;
        float most = 0;
        for (uint32_t k = i; k < end && flies; k++)
            most = lower_foot(&frames[k]) > most ? lower_foot(&frames[k]) : most;
        double seconds = (end - i) / track->rate;
        if (!flies || most < clear || seconds < FLIGHT_LEAST || i == 0 || end == track->count)
            continue;
        float fall =
            (frames[i].velocity[BUILD_HIPS].y - frames[end - 1].velocity[BUILD_HIPS].y) / (float)seconds;
        build_deed deed = {.feat = BUILD_FLIES, .begin = i, .end = end - 1, .action = top, .value = most};
        if (fall > FLIGHT_FALL * GRAVITY && !add_deed(job, deed))
            return false;
    }
    return true;
}

static bool has_hands_down(const event_job *job, uint32_t i) {
    const build_frame *frame = &job->track->frames[i];
    return (frame->contacts & (TR_CONTACT_LEFT_HAND | TR_CONTACT_RIGHT_HAND)) &&
           frame->points[BUILD_HIPS].y < CRAWL_HIPS * job->body->leg;
}

static uint32_t lowest_head(const build_track *track, uint32_t begin, uint32_t end) {
    uint32_t best = begin;
    for (uint32_t i = begin; i <= end; i++)
        if (track->frames[i].points[BUILD_HEAD].y < track->frames[best].points[BUILD_HEAD].y)
            best = i;
    return best;
}

static bool find_crawls(const event_job *job) {
    const build_track *track = job->track;
    uint32_t gap = (uint32_t)(CRAWL_GAP * track->rate), least = (uint32_t)(CRAWL_LEAST * track->rate), end;
    for (uint32_t i = 0; i < track->count; i = end) {
        end = i + 1;
        if (!has_hands_down(job, i))
            continue;
        uint32_t last = i;
        for (; end < track->count && end - last <= gap; end++)
            last = has_hands_down(job, end) ? end : last;
        build_deed deed = {.feat = BUILD_CRAWLS, .begin = i, .end = last, .action = i + (last - i) / 2};
        deed.value = track->frames[lowest_head(track, i, last)].points[BUILD_HEAD].y;
        if (last - i >= least && !add_deed(job, deed))
            return false;
    }
    return true;
}

static bool is_in_crawl(const event_job *job, uint32_t begin, uint32_t end) {
    for (uint32_t i = 0; i < job->events->deed_count; i++) {
        const build_deed *deed = &job->events->deeds[i];
        if (deed->track == job->number && deed->feat == BUILD_CRAWLS && deed->begin <= end &&
            deed->end >= begin)
            return true;
    }
    return false;
}

static bool find_ducks(const event_job *job) {
    const build_track *track = job->track;
    const build_frame *frames = track->frames;
    float low = DUCK_LOW * job->body->head, out = DUCK_OUT * job->body->head;
    uint32_t end;
    for (uint32_t i = 0; i < track->count; i = end) {
        bool ducks = frames[i].points[BUILD_HEAD].y < out;
        for (end = i + 1; end < track->count && (frames[end].points[BUILD_HEAD].y < out) == ducks;)
            end++;
        uint32_t lowest = lowest_head(track, i, end - 1), below = 0;
        for (uint32_t k = i; k < end; k++)
            below += frames[k].points[BUILD_HEAD].y < low;
        tr_base from = frames[i].base, to = frames[end - 1].base;
        tr_vec2 way = {to.x - from.x, to.z - from.z};
        if (!ducks || below < (uint32_t)(DUCK_LEAST * track->rate) || is_in_crawl(job, i, end - 1) ||
            tr_vec2_length(way) < DUCK_TRAVEL * job->body->leg)
            continue;
        build_deed deed = {.feat = BUILD_DUCKS, .begin = i, .end = end - 1, .action = lowest};
        deed.value = frames[lowest].points[BUILD_HEAD].y;
        if (!add_deed(job, deed))
            return false;
    }
    return true;
}

// By time; of the same frame, a rest comes first.
static void sort_events(build_event *items, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i;
             k > 0 && (items[k].frame < items[k - 1].frame ||
                       (items[k].frame == items[k - 1].frame && items[k].moment > items[k - 1].moment));
             k--) {
            build_event swap = items[k];
            items[k] = items[k - 1];
            items[k - 1] = swap;
        }
}

tr_status build_events_find(const tr_allocator *allocator, const build_body *body, const build_track *track,
                            uint32_t number, build_events *events, tr_error *error) {
    event_job job = {*allocator, body, track, number, events};
    uint32_t first = events->count;
    if (!find_strikes(&job, 0) || !find_strikes(&job, 1) || !find_rests(&job) || !find_flights(&job) ||
        !find_crawls(&job) || !find_ducks(&job))
        return no_memory(error);
    if (events->count > first)
        sort_events(events->items + first, events->count - first);
    return TR_OK;
}

void build_events_destroy(const tr_allocator *allocator, build_events *events) {
    tr_release(allocator, events->items, events->capacity, sizeof *events->items);
    tr_release(allocator, events->deeds, events->deed_capacity, sizeof *events->deeds);
    *events = (build_events){0};
}
