// Labels: moments of all captures that are alike. Each label is made for the moment that most others are
// like; then for the one of the rest, and so on.
#include "build_parts.h"

#define SLOW 0.13f      // of the speed of a body: steps that are slower are none of going
#define SHIFT_TIME 0.07 // an event may move by this to where it fits its label best [s]

// Is an event inside of something that is one move?
static bool is_inside_deed(const build_job *job, const build_event *event) {
    for (uint32_t i = 0; i < job->events.deed_count; i++) {
        const build_deed *deed = &job->events.deeds[i];
        if (deed->track == event->track && event->frame >= deed->begin && event->frame <= deed->end)
            return true;
    }
    return false;
}

// With mirror images, strikes of the left foot are enough; otherwise those of the right foot if it
// has clearly more.
static build_moment choose_side(const build_job *job) {
    uint32_t counts[2] = {0, 0};
    for (uint32_t i = 0; i < job->events.count; i++)
        if (job->events.items[i].moment != BUILD_RESTS)
            counts[job->events.items[i].moment]++;
    return job->def->one_sided && 4 * counts[1] > 5 * counts[0] ? BUILD_STRIKES_RIGHT : BUILD_STRIKES_LEFT;
}

static bool may_be_end(const build_job *job, build_moment side, const build_event *event) {
    const build_track *track = &job->tracks[event->track];
    if (event->moment == BUILD_RESTS)
        return !is_inside_deed(job, event);
    return event->moment == side && track->frames[event->frame].speed > SLOW * build_body_speed(&job->body) &&
           !is_inside_deed(job, event);
}

typedef struct label_search {
    build_job *job;
    uint32_t *candidates; // events
    uint32_t count;
    float *distances; // [candidate][candidate]
} label_search;

static bool is_rest(const label_search *search, uint32_t candidate) {
    return search->job->events.items[search->candidates[candidate]].moment == BUILD_RESTS;
}

static bool is_like(const label_search *search, uint32_t a, uint32_t b) {
    return is_rest(search, a) == is_rest(search, b) &&
           search->distances[(size_t)a * search->count + b] <= search->job->tolerance;
}

static uint32_t *label_of(const label_search *search, uint32_t candidate) {
    return &search->job->events.items[search->candidates[candidate]].label;
}

static void find_distances(label_search *search) {
    const build_job *job = search->job;
    for (uint32_t a = 0; a < search->count; a++)
        for (uint32_t b = 0; b <= a; b++) {
            float apart = build_event_distance(&job->body, &job->events.items[search->candidates[a]],
                                               &job->events.items[search->candidates[b]]);
            search->distances[(size_t)a * search->count + b] = apart;
            search->distances[(size_t)b * search->count + a] = apart;
        }
}

// The candidate without a label that most others without one are like.
static uint32_t most_typical(const label_search *search, uint32_t *likes) {
    uint32_t best = TR_NONE, most = 0;
    float least = INFINITY;
    for (uint32_t a = 0; a < search->count; a++) {
        uint32_t count = 0;
        float sum = 0;
        for (uint32_t b = 0; b < search->count && *label_of(search, a) == TR_NONE; b++)
            if (*label_of(search, b) == TR_NONE && is_like(search, a, b)) {
                count++;
                sum += search->distances[(size_t)a * search->count + b];
            }
        if (count > most || (count == most && count > 0 && sum < least))
            best = a, most = count, least = sum;
    }
    *likes = most;
    return best;
}

static void cover(label_search *search) {
    build_job *job = search->job;
    uint32_t likes, best;
    while ((best = most_typical(search, &likes)) != TR_NONE) {
        job->labels[job->label_count] =
            (build_label){.event = search->candidates[best], .rests = is_rest(search, best)};
        for (uint32_t b = 0; b < search->count; b++)
            if (b != best && *label_of(search, b) == TR_NONE && is_like(search, best, b))
                *label_of(search, b) = job->label_count;
        *label_of(search, best) = job->label_count++;
    }
    // A moment that is nearer to a label that was made later goes over to it.
    for (uint32_t b = 0; b < search->count; b++) {
        float least = INFINITY;
        uint32_t nearest = *label_of(search, b);
        for (uint32_t i = 0; i < job->label_count; i++) {
            const build_event *event = &job->events.items[job->labels[i].event],
                              *own = &job->events.items[search->candidates[b]];
            float apart = build_event_distance(&job->body, own, event);
            if (job->labels[i].rests == is_rest(search, b) && apart < least)
                least = apart, nearest = i;
        }
        *label_of(search, b) = nearest;
    }
}

// Feet come down a little earlier or later than they are seen to.
static void fit(build_job *job, build_event *event) {
    const build_track *track = &job->tracks[event->track];
    const build_event *model = &job->events.items[job->labels[event->label].event];
    if (event->moment == BUILD_RESTS || event == model)
        return;
    uint32_t reach = (uint32_t)(SHIFT_TIME * track->rate);
    build_event best = *event, trial = *event;
    float least = INFINITY;
    uint32_t from = event->frame > reach ? event->frame - reach : 0;
    for (uint32_t i = from; i <= event->frame + reach && i < track->count; i++) {
        trial.frame = i;
        build_event_set(track, &trial);
        float apart = build_event_distance(&job->body, &trial, model);
        if (apart < least && !is_inside_deed(job, &trial))
            least = apart, best = trial;
    }
    *event = best;
}

tr_status build_labels_find(build_job *job, tr_error *error) {
    build_moment side = choose_side(job);
    label_search search = {.job = job};
    uint32_t all = job->events.count;
    search.candidates = tr_allocate(&job->allocator, all, sizeof *search.candidates);
    for (uint32_t i = 0; i < all && search.candidates; i++)
        if (may_be_end(job, side, &job->events.items[i]))
            search.candidates[search.count++] = i;
    size_t pairs = (size_t)search.count * search.count;
    search.distances = tr_allocate(&job->allocator, pairs, sizeof *search.distances);
    job->labels = tr_allocate_zero(&job->allocator, all, sizeof *job->labels);
    bool good = search.candidates && search.distances && job->labels;
    if (good) {
        find_distances(&search);
        cover(&search);
        for (uint32_t i = 0; i < search.count; i++)
            fit(job, &job->events.items[search.candidates[i]]);
    }
    tr_release(&job->allocator, search.distances, pairs, sizeof *search.distances);
    tr_release(&job->allocator, search.candidates, all, sizeof *search.candidates);
    return good ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the labels of %u moments", all);
}
