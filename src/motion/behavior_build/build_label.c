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
    uint32_t count, words;
    uint32_t *likes; // [candidate][word]: a bit for each candidate that is like it
    uint32_t *liked; // how many candidates without a label are like this one, itself included
    float *apart;    // the sum of their distances
} label_search;

static build_event *event_of(const label_search *search, uint32_t candidate) {
    return &search->job->events.items[search->candidates[candidate]];
}

static bool is_rest(const label_search *search, uint32_t candidate) {
    return event_of(search, candidate)->moment == BUILD_RESTS;
}

static bool is_like(const label_search *search, uint32_t a, uint32_t b) {
    return search->likes[(size_t)a * search->words + b / 32] >> b % 32 & 1;
}

static float distance(const label_search *search, uint32_t a, uint32_t b) {
    return build_event_distance(&search->job->body, event_of(search, a), event_of(search, b));
}

static void set_like(label_search *search, uint32_t a, uint32_t b, float apart) {
    search->likes[(size_t)a * search->words + b / 32] |= 1u << b % 32;
    search->liked[a]++;
    search->apart[a] += apart;
}

static void find_likes(label_search *search) {
    for (uint32_t a = 0; a < search->count; a++)
        for (uint32_t b = 0; b <= a; b++) {
            float apart = is_rest(search, a) == is_rest(search, b) ? distance(search, a, b) : INFINITY;
            if (apart > search->job->tolerance)
                continue;
            set_like(search, a, b, apart);
            if (a != b)
                set_like(search, b, a, apart);
        }
}

// Gives a candidate a label: it counts for no other any more.
static void assign(label_search *search, uint32_t candidate, uint32_t label) {
    event_of(search, candidate)->label = label;
    for (uint32_t a = 0; a < search->count; a++)
        if (is_like(search, a, candidate)) {
            search->liked[a]--;
            search->apart[a] -= distance(search, a, candidate);
        }
}

// The candidate without a label that most others without one are like.
static uint32_t most_typical(const label_search *search) {
    uint32_t best = TR_NONE;
    for (uint32_t a = 0; a < search->count; a++)
        if (event_of(search, a)->label == TR_NONE &&
            (best == TR_NONE || search->liked[a] > search->liked[best] ||
             (search->liked[a] == search->liked[best] && search->apart[a] < search->apart[best])))
            best = a;
    return best;
}

static void cover(label_search *search) {
    build_job *job = search->job;
    uint32_t best;
    while ((best = most_typical(search)) != TR_NONE) {
        uint32_t label = job->label_count++;
        job->labels[label] = (build_label){.event = search->candidates[best], .rests = is_rest(search, best)};
        for (uint32_t b = 0; b < search->count; b++)
            if (event_of(search, b)->label == TR_NONE && is_like(search, best, b))
                assign(search, b, label);
    }
    // A moment that is nearer to a label that was made later goes over to it.
    for (uint32_t b = 0; b < search->count; b++) {
        float least = INFINITY;
        uint32_t nearest = event_of(search, b)->label;
        for (uint32_t i = 0; i < job->label_count; i++) {
            if (job->labels[i].rests != is_rest(search, b))
                continue;
            float apart = build_event_distance(&job->body, event_of(search, b),
                                               &job->events.items[job->labels[i].event]);
            if (apart < least)
                least = apart, nearest = i;
        }
        event_of(search, b)->label = nearest;
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

static bool make_room(label_search *search, size_t *words) {
    const tr_allocator *allocator = &search->job->allocator;
    search->words = search->count / 32 + 1;
    *words = (size_t)search->count * search->words;
    search->likes = tr_allocate_zero(allocator, *words, sizeof *search->likes);
    search->liked = tr_allocate_zero(allocator, search->count, sizeof *search->liked);
    search->apart = tr_allocate_zero(allocator, search->count, sizeof *search->apart);
    return search->likes && search->liked && search->apart;
}

tr_status build_labels_find(build_job *job, tr_error *error) {
    const tr_allocator *allocator = &job->allocator;
    build_moment side = choose_side(job);
    label_search search = {.job = job};
    uint32_t all = job->events.count;
    size_t words = 0;
    search.candidates = tr_allocate(allocator, all, sizeof *search.candidates);
    for (uint32_t i = 0; i < all && search.candidates; i++)
        if (may_be_end(job, side, &job->events.items[i]))
            search.candidates[search.count++] = i;
    job->labels = tr_allocate_zero(allocator, all, sizeof *job->labels);
    bool good = search.candidates && job->labels && make_room(&search, &words);
    if (good) {
        find_likes(&search);
        cover(&search);
        for (uint32_t i = 0; i < search.count; i++)
            fit(job, event_of(&search, i));
    }
    tr_release(allocator, search.likes, words, sizeof *search.likes);
    tr_release(allocator, search.liked, search.count, sizeof *search.liked);
    tr_release(allocator, search.apart, search.count, sizeof *search.apart);
    tr_release(allocator, search.candidates, all, sizeof *search.candidates);
    return good ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the labels of %u moments", all);
}
