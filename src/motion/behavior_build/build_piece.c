// Pieces: what lies between two moments at which a capture may be cut. Labels that no way leads to from rest,
// or none leads back from, are given up one after the other; what they cut in two becomes one piece.
#include "build_parts.h"

#define LONGEST 4.0      // [s]: a longer piece that is nothing special is no behavior
#define REST_SHORT 0.5   // [s]: a shorter rest is no behavior of its own
#define OFF_TIME 0.3     // [s]: nothing touches the level ground for longer than this
#define RUN_TIME 0.03    // [s]: both feet of a runner are off the ground for longer
#define TURN_LEAST 0.21f // [rad]: of a stride that turns
#define SPIN_LEAST 0.5f  // [rad]: of a turn from rest to rest
#define STEP_LEAST 0.3f  // of the leg: a step from rest to rest
#define SAME_TIME 0.1    // [s]: moments of a capture that are nearer to each other are one
#define STILL_TURN 0.1f  // [rad]: of a body that stands
#define STILL_WAY 0.1f   // of the leg
#define WAIT_REACH 2.0   // [s]: a body that waits has gone, and goes on, within this time of its rest
#define WAIT_SPEED 0.75f // of its highest speed in this time: there the piece begins and ends
#define RELAXED 1.6f     // of the tolerance: a jump, crawl or duck is worth a less smooth beginning and end
#define SPEEDY 0.2f      // of the speed of a body: goes, before it waits and after

bool build_label_lives(const build_job *job, uint32_t label) {
    return label != TR_NONE && !job->labels[label].dead;
}

tr_base build_piece_way(const build_job *job, const build_piece *piece) {
    const build_frame *frames = job->tracks[piece->track].frames;
    return tr_base_difference(frames[piece->begin].base, frames[piece->end].base);
}

double build_piece_seconds(const build_job *job, const build_piece *piece) {
    return (piece->end - piece->begin) / job->tracks[piece->track].rate;
}

// A landing on both feet is a moment of its capture and of its mirror image: that is one.
uint32_t build_label_moments(const build_job *job, uint32_t label) {
    uint32_t moments = 0;
    for (uint32_t i = 0; i < job->events.count; i++) {
        const build_event *event = &job->events.items[i];
        const build_track *track = &job->tracks[event->track];
        bool known = event->label != label;
        for (uint32_t k = 0; k < i && !known; k++) {
            const build_event *other = &job->events.items[k];
            uint32_t apart =
                other->frame > event->frame ? other->frame - event->frame : event->frame - other->frame;
            known = other->label == label && job->tracks[other->track].capture == track->capture &&
                    apart < (uint32_t)(SAME_TIME * track->rate);
        }
        moments += !known;
    }
    return moments;
}

static float length_of(tr_base way) {
    return tr_vec2_length(tr_vec2_make(way.x, way.z));
}

// The deed that a piece holds; of several, the one that is furthest from walking upright.
static const build_deed *deed_in(const build_job *job, const build_piece *piece) {
    static const int ranks[BUILD_FEATS] = {[BUILD_CRAWLS] = 2, [BUILD_FLIES] = 1, [BUILD_DUCKS] = 0};
    const build_deed *found = NULL;
    for (uint32_t i = 0; i < job->events.deed_count; i++) {
        const build_deed *deed = &job->events.deeds[i];
        if (deed->track == piece->track && deed->begin >= piece->begin &&
            deed->end <= piece->end + job->times && (!found || ranks[deed->feat] > ranks[found->feat]))
            found = deed;
    }
    return found;
}

// The longest time in which no foot is on the ground [s].
static double longest_off(const build_job *job, const build_piece *piece) {
    const build_track *track = &job->tracks[piece->track];
    uint32_t longest = 0, count = 0;
    for (uint32_t i = piece->begin; i <= piece->end; i++) {
        bool off = !track->frames[i].down[0] && !track->frames[i].down[1];
        count = off ? count + 1 : 0;
        longest = count > longest ? count : longest;
    }
    return longest / track->rate;
}

static uint32_t slowest(const build_track *track, uint32_t begin, uint32_t end) {
    uint32_t best = begin;
    for (uint32_t i = begin; i <= end; i++)
        if (track->frames[i].stir < track->frames[best].stir)
            best = i;
    return best;
}

static tr_behavior_piece_kind kind_of_rests(const build_job *job, const build_piece *piece) {
    tr_base way = build_piece_way(job, piece);
    if (fabsf(way.heading) > SPIN_LEAST)
        return TR_BEHAVIOR_PIECE_TURN;
    return length_of(way) > STEP_LEAST * job->body.leg ? TR_BEHAVIOR_PIECE_STEP : TR_BEHAVIOR_PIECE_STAND;
}

// What the piece does, from what it holds and from its ends.
static void classify(const build_job *job, build_piece *piece, bool waits) {
    const build_track *track = &job->tracks[piece->track];
    static const tr_behavior_piece_kind of_feats[BUILD_FEATS] = {
        TR_BEHAVIOR_PIECE_JUMP, TR_BEHAVIOR_PIECE_CRAWL, TR_BEHAVIOR_PIECE_DUCK};
    const build_deed *deed = deed_in(job, piece);
    bool from_rest = piece->labels[0] != TR_NONE && job->labels[piece->labels[0]].rests,
         to_rest = piece->labels[1] != TR_NONE && job->labels[piece->labels[1]].rests;
    double off = longest_off(job, piece);
    piece->action = piece->begin + (piece->end - piece->begin) / 2;
    piece->runs = off > RUN_TIME;
    if (deed) {
        piece->kind = of_feats[deed->feat];
        piece->action = deed->action;
        piece->height = deed->value;
        return;
    }
    piece->kind = waits                                                     ? TR_BEHAVIOR_PIECE_WAIT
                  : from_rest && to_rest                                    ? kind_of_rests(job, piece)
                  : from_rest                                               ? TR_BEHAVIOR_PIECE_START
                  : to_rest                                                 ? TR_BEHAVIOR_PIECE_END
                  : fabsf(build_piece_way(job, piece).heading) > TURN_LEAST ? TR_BEHAVIOR_PIECE_TURN
                                                                            : TR_BEHAVIOR_PIECE_GO;
    tr_base way = build_piece_way(job, piece);
    if (waits)
        piece->action = slowest(track, piece->begin, piece->end);
    if (off > OFF_TIME)
        piece->fault = "it leaves the level ground";
    else if (piece->kind == TR_BEHAVIOR_PIECE_STAND &&
             (fabsf(way.heading) > STILL_TURN || length_of(way) > STILL_WAY * job->body.leg))
        piece->fault = "it stands, but not still";
    else if (build_piece_seconds(job, piece) > LONGEST && piece->kind != TR_BEHAVIOR_PIECE_STAND)
        piece->fault = "it is long, and no moment in it is like one of another piece";
}

static bool add_piece(build_job *job, build_piece piece, bool waits) {
    if (!tr_reserve(&job->allocator, (void **)&job->pieces, &job->piece_capacity, job->piece_count + 1ull,
                    sizeof *job->pieces))
        return false;
    // A whole number of frames of the clips made.
    uint32_t rest = (piece.end - piece.begin) % job->times;
    if (rest && 2 * rest >= job->times && piece.end + job->times - rest < job->tracks[piece.track].count)
        piece.end += job->times - rest;
    else
        piece.end -= rest;
    piece.state = TR_NONE;
    if (piece.end <= piece.begin)
        return true;
    classify(job, &piece, waits);
    if (piece.kind == TR_BEHAVIOR_PIECE_STAND && build_piece_seconds(job, &piece) < REST_SHORT)
        return true;
    job->pieces[job->piece_count++] = piece;
    return true;
}

// The next event of the track at which it may be cut; the count if there is none.
static uint32_t next_cut(const build_job *job, uint32_t event) {
    const build_event *items = job->events.items;
    for (uint32_t i = event + 1; i < job->events.count && items[i].track == items[event].track; i++)
        if (build_label_lives(job, items[i].label))
            return i;
    return job->events.count;
}

static build_piece between(const build_job *job, uint32_t a, uint32_t b) {
    const build_event *from = &job->events.items[a], *to = &job->events.items[b];
    return (build_piece){from->track, from->frame, to->frame, {from->label, to->label}, 0, 0, 0,
                         false,       NULL,        TR_NONE};
}

// The event next to a rest, backwards or forwards, at which the body goes nearly as fast as it does around
// it.
static uint32_t find_going(const build_job *job, uint32_t rest, bool forwards) {
    const build_event *items = job->events.items;
    const build_track *track = &job->tracks[items[rest].track];
    float most = SPEEDY * build_body_speed(&job->body);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t step = 1;; step++) {
            uint32_t i = forwards ? rest + step : rest - step;
            if ((!forwards && step > rest) || i >= job->events.count || items[i].track != items[rest].track)
                break;
            uint32_t apart =
                forwards ? items[i].frame - items[rest].frame : items[rest].frame - items[i].frame;
            if (apart > (uint32_t)(WAIT_REACH * track->rate))
                break;
            if (items[i].moment == BUILD_RESTS || !build_label_lives(job, items[i].label))
                continue;
            float speed = track->frames[items[i].frame].speed;
            if (pass == 0)
                most = speed * WAIT_SPEED > most ? speed * WAIT_SPEED : most;
            else if (speed >= most)
                return i;
        }
    return TR_NONE;
}

// Where the body goes, rests once or for a while, and goes on: all of it is one piece, too. `rest` is the
// first event of the rest.
static bool add_wait(build_job *job, uint32_t rest) {
    const build_event *items = job->events.items;
    uint32_t last = rest;
    while (last + 1 < job->events.count && items[last + 1].track == items[rest].track &&
           items[last + 1].moment == BUILD_RESTS)
        last++;
    uint32_t from = find_going(job, rest, false), to = find_going(job, last, true);
    if (from == TR_NONE || to == TR_NONE)
        return true;
    build_piece piece = between(job, from, to);
    return deed_in(job, &piece) || add_piece(job, piece, true);
}

static bool cut_all(build_job *job) {
    const build_event *items = job->events.items;
    job->piece_count = 0;
    for (uint32_t a = 0; a < job->events.count; a++) {
        if (!build_label_lives(job, items[a].label))
            continue;
        uint32_t b = next_cut(job, a);
        if (b == job->events.count)
            continue;
        if (!add_piece(job, between(job, a, b), false))
            return false;
        if (items[a].moment != BUILD_RESTS && items[b].moment == BUILD_RESTS && !add_wait(job, b))
            return false;
    }
    return true;
}

// --- Which labels are of use ---

// Marks labels that can be reached from `from` along pieces, or against them.
static void reach(const build_job *job, uint32_t from, bool backwards, bool *reached) {
    for (uint32_t i = 0; i < job->label_count; i++)
        reached[i] = i == from;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < job->piece_count; i++) {
            const build_piece *piece = &job->pieces[i];
            uint32_t a = piece->labels[backwards], b = piece->labels[!backwards];
            if (!piece->fault && reached[a] && !reached[b])
                reached[b] = more = true;
        }
    }
}

// How much of the captures a machine has that is built around a label.
static uint32_t count_pieces(const build_job *job, uint32_t label, bool *there, bool *back) {
    uint32_t count = 0;
    reach(job, label, false, there);
    reach(job, label, true, back);
    for (uint32_t i = 0; i < job->piece_count; i++) {
        const build_piece *piece = &job->pieces[i];
        count += !piece->fault && there[piece->labels[0]] && back[piece->labels[0]] &&
                 there[piece->labels[1]] && back[piece->labels[1]] && piece->kind != TR_BEHAVIOR_PIECE_STAND;
    }
    return count;
}

// Of the labels at rest, the one with most pieces around it; without one, the same of all labels.
static uint32_t choose_rest(build_job *job, bool *there, bool *back) {
    for (int any = 0; any < 2; any++) {
        uint32_t best = TR_NONE, most = 0;
        for (uint32_t i = 0; i < job->label_count; i++) {
            if (job->labels[i].dead || (!any && !job->labels[i].rests))
                continue;
            uint32_t count = count_pieces(job, i, there, back);
            if (count > most)
                most = count, best = i;
        }
        job->never_stands = any;
        if (best != TR_NONE)
            return best;
    }
    return TR_NONE;
}

// Gives up one label that is of no use, with the fewest moments first: the others may be of use without it.
// false: all are of use.
static bool give_up(build_job *job, bool *there, bool *back) {
    uint32_t worst = TR_NONE, least = UINT32_MAX;
    reach(job, job->rest, false, there);
    reach(job, job->rest, true, back);
    for (uint32_t i = 0; i < job->label_count; i++) {
        if (job->labels[i].dead || (there[i] && back[i]))
            continue;
        uint32_t moments = build_label_moments(job, i);
        if (moments < least)
            least = moments, worst = i;
    }
    if (worst != TR_NONE)
        job->labels[worst].dead = true;
    return worst != TR_NONE;
}

// A label of a single moment joins nothing: the pieces before and after it are one.
static void give_up_single_moments(build_job *job) {
    for (uint32_t i = 0; i < job->label_count; i++) {
        bool single = build_label_moments(job, i) < 2;
        job->labels[i].dead = single && !job->labels[i].rests;
    }
}

static bool has_locomotion(const build_job *job) {
    for (uint32_t i = 0; i < job->events.count; i++)
        if (job->events.items[i].moment != BUILD_RESTS && job->events.items[i].label != TR_NONE)
            return true;
    return false;
}

// --- What is left ---

static bool is_covered(const build_job *job, uint32_t track, uint32_t begin, uint32_t end) {
    for (uint32_t i = 0; i < job->piece_count; i++) {
        const build_piece *piece = &job->pieces[i];
        if (piece->track == track && piece->begin <= begin + job->times && piece->end + job->times >= end)
            return true;
    }
    return false;
}

// The event before a deed, or after it, that is most like one with a label of use; TR_NONE if none is like
// one.
static uint32_t find_end_of_deed(const build_job *job, const build_deed *deed, bool after, uint32_t *label) {
    uint32_t found = TR_NONE;
    float least = RELAXED * job->tolerance;
    for (uint32_t i = 0; i < job->events.count; i++) {
        const build_event *event = &job->events.items[i];
        double apart = after ? (double)event->frame - deed->end : (double)deed->begin - event->frame;
        if (event->track != deed->track || event->label == TR_NONE || apart < 0 ||
            apart > WAIT_REACH * job->tracks[deed->track].rate)
            continue;
        for (uint32_t k = 0; k < job->label_count; k++) {
            if (job->labels[k].dead)
                continue;
            float unlike = build_event_distance(&job->body, event, &job->events.items[job->labels[k].event]);
            if (unlike < least)
                least = unlike, found = i, *label = k;
        }
    }
    return found;
}

// Jumps, crawls and ducks are rare: those that no piece holds may begin and end less smoothly.
static bool add_deeds(build_job *job) {
    for (uint32_t i = 0; i < job->events.deed_count; i++) {
        const build_deed *deed = &job->events.deeds[i];
        if (is_covered(job, deed->track, deed->begin, deed->end))
            continue;
        uint32_t labels[2] = {TR_NONE, TR_NONE};
        uint32_t a = find_end_of_deed(job, deed, false, &labels[0]),
                 b = find_end_of_deed(job, deed, true, &labels[1]);
        build_piece piece = {.track = deed->track, .begin = deed->begin, .end = deed->end};
        if (a != TR_NONE && b != TR_NONE)
            piece = between(job, a, b);
        piece.labels[0] = labels[0], piece.labels[1] = labels[1];
        uint32_t before = job->piece_count;
        if (!add_piece(job, piece, false))
            return false;
        if (job->piece_count > before && (a == TR_NONE || b == TR_NONE))
            job->pieces[before].fault = a == TR_NONE ? "no moment before it is like one of another piece"
                                                     : "no moment after it is like one of another piece";
    }
    return true;
}

// What lies between moments with labels that are of no use, for the report.
static bool add_unused(build_job *job) {
    const build_event *items = job->events.items;
    for (uint32_t a = 0; a < job->events.count; a++) {
        uint32_t b = a + 1;
        while (b < job->events.count && items[b].track == items[a].track && items[b].label == TR_NONE)
            b++;
        if (items[a].label == TR_NONE || b == job->events.count || items[b].track != items[a].track ||
            is_covered(job, items[a].track, items[a].frame, items[b].frame))
            continue;
        uint32_t before = job->piece_count;
        build_piece piece = between(job, a, b);
        if (!deed_in(job, &piece) && !add_piece(job, piece, false))
            return false;
        if (job->piece_count > before && !job->pieces[before].fault)
            job->pieces[before].fault = build_label_lives(job, items[a].label)
                                            ? "no piece goes on from a moment like its end"
                                            : "no piece comes to a moment like its beginning";
    }
    return true;
}

static bool add_empty(build_job *job) {
    for (uint32_t i = 0; i < job->track_count; i++) {
        const build_track *track = &job->tracks[i];
        bool any = false;
        for (uint32_t k = 0; k < job->piece_count && !any; k++)
            any = job->pieces[k].track == i;
        build_piece piece = {.track = i, .labels = {TR_NONE, TR_NONE}, .kind = TR_BEHAVIOR_PIECE_OTHER};
        piece.end = track->count ? track->count - 1 : 0;
        piece.fault = track->clip ? "nobody takes a whole stride in it" : track->why;
        piece.state = TR_NONE;
        if (any || (!track->clip && !track->why[0]))
            continue;
        if (!tr_reserve(&job->allocator, (void **)&job->pieces, &job->piece_capacity, job->piece_count + 1ull,
                        sizeof *job->pieces))
            return false;
        job->pieces[job->piece_count++] = piece;
    }
    return true;
}

static void sort_pieces(build_job *job) {
    for (uint32_t i = 1; i < job->piece_count; i++)
        for (uint32_t k = i; k > 0; k--) {
            build_piece *a = &job->pieces[k - 1], *b = &job->pieces[k];
            if (a->track < b->track || (a->track == b->track && a->begin <= b->begin))
                break;
            build_piece swap = *a;
            *a = *b;
            *b = swap;
        }
}

tr_status build_pieces_cut(build_job *job, tr_error *error) {
    bool *there = tr_allocate(&job->allocator, job->label_count, sizeof *there),
         *back = tr_allocate(&job->allocator, job->label_count, sizeof *back);
    give_up_single_moments(job);
    tr_status status = there && back && cut_all(job)
                           ? TR_OK
                           : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the pieces of captures");
    if (status == TR_OK && !has_locomotion(job))
        status = tr_fail(error, TR_NOT_FOUND,
                         "the captures hold no locomotion: nobody in the %u of them takes a step",
                         job->def->capture_count);
    for (bool more = status == TR_OK; more;) {
        job->rest = choose_rest(job, there, back);
        if (job->rest == TR_NONE) {
            status = tr_fail(error, TR_NOT_FOUND,
                             "nothing in the %u captures can be repeated: no two moments are alike that a "
                             "body could go from one to the other and back (tolerance %g leg lengths)",
                             job->def->capture_count, (double)job->tolerance);
            break;
        }
        more = give_up(job, there, back);
        if (more && !cut_all(job)) {
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the pieces of captures");
            break;
        }
    }
    tr_release(&job->allocator, there, job->label_count, sizeof *there);
    tr_release(&job->allocator, back, job->label_count, sizeof *back);
    if (status == TR_OK && !(add_deeds(job) && add_unused(job) && add_empty(job)))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the pieces of captures");
    sort_pieces(job);
    return status;
}
