// Covers a moving body with discs of one radius.
//
// The body is taken apart into spans: a piece of it for a short time, in which its ends move straight. A span
// is the hull of four balls, so a disc that holds these holds the span. Discs are chosen greedily.
#include "behavior_cast_parts.h"

#define SLOT 0.1          // how long discs stand [s]
#define TRAVEL 0.2        // how far the base goes in this time, as a share of the height
#define TIMES_RATE 120.0  // [1/s] spans of a piece
#define DISCS_MAX 32      // at a time
#define RINGS 3           // where the place of a disc is tried: rings around a span
#define DIRECTIONS 16     // on each of them
#define SLACK 1e-5f       // [m] for rounding
#define PUSH_STEPS 20     // of bisection
#define DISCS_MEAN 3      // at a time, of a radius that is chosen, in ordinary behaviors
#define DISCS_SPECIAL 6   // in each special one
#define RADIUS_LEAST 0.12 // as a share of the height
#define RADIUS_STEP 1.06
#define RADIUS_STEPS 32

// A piece for a short time, seen from above: the balls at its ends, first and last.
typedef struct span {
    float x[4], z[4], radius;
    tr_vec2 middle;
    float reach; // of the centres of its balls from the middle
    // Of the distance from the middle to a disc that holds it: at most, and surely. Negative: none does.
    float most_squared, sure_squared;
} span;
enum { IN_UPRIGHT = 1, IN_SERVED = 2 }; // the bands that a span is within

typedef struct disc {
    uint32_t seed; // the span that it was placed for
    tr_vec2 aside; // from the middle of that
    bool served;   // the band
} disc;

// A group of clips. The discs of a slot are the same for all: only the spans are at other places.
typedef struct cover_work {
    tr_behavior_maker *maker;
    const tr_behavior_cast_clip *clips;
    uint32_t clip_count, serves;
    uint32_t slots, steps, span_count; // of a clip; spans of a piece in a slot; spans in a slot
    span *spans;                       // clip after clip
    uint8_t *within, *cover_counts;    // of each span: bands, discs that hold it
    tr_behavior_ball *balls;           // at the beginning, in the middle and at the end of a step
    tr_vec2 action, ahead;             // of the first clip: where the action is, and the heading there
    disc discs[DISCS_MAX];
    uint32_t disc_count;
    tr_behavior_disc *made; // slot after slot, disc after disc, clip after clip
    uint32_t made_count, made_capacity;
} cover_work;

// ----------------------------------------------------------------------------------------------------- spans

// So many that no slot is too long in any clip; a frame is never divided.
static uint32_t count_slots(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip) {
    double seconds = maker->def->slot > 0 ? (double)maker->def->slot : SLOT, way = 0;
    uint32_t frames = tr_behavior_clip_frames(clip);
    tr_base before = {0, 0, 0};
    for (uint32_t i = 1; i <= frames; i++) {
        tr_base at = tr_behavior_clip_way(clip, i);
        tr_vec2 step = {at.x - before.x, at.z - before.z};
        way = (double)tr_vec2_length(step) > way ? (double)tr_vec2_length(step) : way;
        before = at;
    }
    double longest = seconds * maker->rate + 0.5;
    if (way > 0 && TRAVEL * (double)maker->height / way < longest)
        longest = TRAVEL * (double)maker->height / way + 1e-6;
    uint32_t most = longest < 1 ? 1 : longest > frames ? frames : (uint32_t)longest;
    return (frames + most - 1) / most;
}

static uint32_t slot_begin(const cover_work *work, uint32_t clip, uint32_t slot) {
    uint64_t frames = tr_behavior_clip_frames(&work->clips[clip]);
    return (uint32_t)((frames * slot + work->slots / 2) / work->slots);
}

static void close_work(cover_work *work) {
    const tr_allocator *allocator = &work->maker->allocator;
    size_t spans = (size_t)work->clip_count * work->span_count, balls = 6 * (size_t)work->maker->piece_count;
    tr_release(allocator, work->spans, spans, sizeof *work->spans);
    tr_release(allocator, work->within, work->span_count, 1);
    tr_release(allocator, work->cover_counts, work->span_count, 1);
    tr_release(allocator, work->balls, balls, sizeof *work->balls);
    tr_release(allocator, work->made, work->made_capacity, sizeof *work->made);
}

static tr_status open_work(cover_work *work, tr_error *error) {
    const tr_behavior_maker *maker = work->maker;
    uint32_t longest = 1;
    for (uint32_t i = 0; i < work->clip_count; i++) {
        uint32_t slots = count_slots(maker, &work->clips[i]);
        work->slots = slots > work->slots ? slots : work->slots;
    }
    for (uint32_t i = 0; i < work->clip_count; i++) {
        uint32_t frames = tr_behavior_clip_frames(&work->clips[i]);
        if (frames < work->slots)
            return tr_fail(error, TR_INVALID,
                           "clips of a parametrised state differ too much: one has %u frames, another "
                           "needs discs at %u times",
                           frames, work->slots);
        for (uint32_t slot = 0; slot < work->slots; slot++) {
            uint32_t length = slot_begin(work, i, slot + 1) - slot_begin(work, i, slot);
            longest = length > longest ? length : longest;
        }
    }
    tr_base action = tr_behavior_clip_way(work->clips, tr_behavior_clip_action(work->clips));
    tr_affine turned = tr_base_place(action, 0);
    work->action = tr_vec2_make(action.x, action.z);
    work->ahead = tr_vec3_from_above(tr_affine_turn(&turned, tr_vec3_make(0, 0, 1)));
    work->steps = (uint32_t)ceil(longest * TIMES_RATE / maker->rate);
    work->span_count = work->steps * maker->piece_count;
    size_t spans = (size_t)work->clip_count * work->span_count;
    work->spans = tr_allocate(&maker->allocator, spans, sizeof *work->spans);
    work->within = tr_allocate(&maker->allocator, work->span_count, 1);
    work->cover_counts = tr_allocate(&maker->allocator, work->span_count, 1);
    work->balls = tr_allocate(&maker->allocator, 6 * (size_t)maker->piece_count, sizeof *work->balls);
    if (work->spans && work->within && work->cover_counts && work->balls)
        return TR_OK;
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the discs of a clip");
}

// Between the ends of a step, a ball is off the straight line by about as much as in the middle.
static float bulge(tr_vec3 begin, tr_vec3 middle, tr_vec3 end) {
    tr_vec3 straight = tr_vec3_scale(tr_vec3_add(begin, end), 0.5f);
    return 1.1f * tr_vec3_distance(straight, middle);
}

static void measure_span(span *measured, float radius) {
    const float *x = measured->x, *z = measured->z;
    measured->middle = tr_vec2_make(0.25f * (x[0] + x[1] + x[2] + x[3]), 0.25f * (z[0] + z[1] + z[2] + z[3]));
    measured->reach = 0;
    for (int k = 0; k < 4; k++) {
        tr_vec2 way = {x[k] - measured->middle.x, z[k] - measured->middle.z};
        float length = tr_vec2_length(way);
        measured->reach = length > measured->reach ? length : measured->reach;
    }
    float most = radius - measured->radius - SLACK, sure = most - measured->reach;
    measured->most_squared = most < 0 ? -1 : most * most;
    measured->sure_squared = sure < 0 ? -1 : sure * sure;
}

static void fill_span(cover_work *work, uint32_t clip, uint32_t step, uint32_t piece) {
    const tr_behavior_maker *maker = work->maker;
    uint32_t number = step * maker->piece_count + piece;
    span *filled = &work->spans[(size_t)clip * work->span_count + number];
    const tr_behavior_ball *begin = &work->balls[2 * piece];
    const tr_behavior_ball *middle = begin + 2 * (size_t)maker->piece_count;
    const tr_behavior_ball *end = middle + 2 * (size_t)maker->piece_count;
    float low = INFINITY, high = -INFINITY;
    filled->radius = 0;
    for (uint32_t k = 0; k < 2; k++) {
        float radius = begin[k].radius > end[k].radius ? begin[k].radius : end[k].radius;
        radius += bulge(begin[k].at, middle[k].at, end[k].at);
        filled->radius = radius > filled->radius ? radius : filled->radius;
        filled->x[k] = begin[k].at.x, filled->z[k] = begin[k].at.z;
        filled->x[k + 2] = end[k].at.x, filled->z[k + 2] = end[k].at.z;
        float lower = begin[k].at.y < end[k].at.y ? begin[k].at.y : end[k].at.y;
        float upper = begin[k].at.y > end[k].at.y ? begin[k].at.y : end[k].at.y;
        low = lower < low ? lower : low;
        high = upper > high ? upper : high;
    }
    measure_span(filled, maker->radius);
    low -= filled->radius, high += filled->radius;
    const tr_behavior_band *served = &maker->bands[work->serves];
    bool in_served = work->serves > 0 && (served->low <= 0 || low >= served->low) && high <= served->high;
    bool in_upright = !in_served || high <= maker->bands[0].high;
    if (served->climbs && work->serves > 0) // on both floors, and between them
        in_served = true, in_upright = false;
    work->within[number] &= (uint8_t)((in_upright ? IN_UPRIGHT : 0) | (in_served ? IN_SERVED : 0));
}

static void fill_slot(cover_work *work, uint32_t slot) {
    uint32_t pieces = work->maker->piece_count;
    for (uint32_t i = 0; i < work->span_count; i++)
        work->within[i] = IN_UPRIGHT | IN_SERVED;
    for (uint32_t clip = 0; clip < work->clip_count; clip++) {
        double begin = slot_begin(work, clip, slot), length = slot_begin(work, clip, slot + 1) - begin;
        tr_behavior_ball *first = work->balls, *middle = first + 2 * (size_t)pieces;
        tr_behavior_ball *last = middle + 2 * (size_t)pieces;
        tr_behavior_maker_show(work->maker, &work->clips[clip], begin, last);
        for (uint32_t step = 0; step < work->steps; step++) {
            for (uint32_t i = 0; i < 2 * pieces; i++)
                first[i] = last[i];
            tr_behavior_maker_show(work->maker, &work->clips[clip],
                                   begin + length * (step + 0.5) / work->steps, middle);
            tr_behavior_maker_show(work->maker, &work->clips[clip],
                                   begin + length * (step + 1.0) / work->steps, last);
            for (uint32_t piece = 0; piece < pieces; piece++)
                fill_span(work, clip, step, piece);
        }
    }
    for (uint32_t i = 0; i < work->span_count; i++) // other bands in other clips: the upright one is for all
        work->within[i] = work->within[i] ? work->within[i] : IN_UPRIGHT;
}

// ----------------------------------------------------------------------------------------------------- discs

static const span *span_of(const cover_work *work, uint32_t clip, uint32_t number) {
    return &work->spans[(size_t)clip * work->span_count + number];
}

static tr_vec2 centre_of(const cover_work *work, const disc *of, uint32_t clip) {
    return tr_vec2_add(span_of(work, clip, of->seed)->middle, of->aside);
}

static bool holds(float radius, tr_vec2 centre, const span *held) {
    float most = radius - held->radius - SLACK;
    if (most < 0)
        return false;
    // Most spans are far inside or outside.
    tr_vec2 way = tr_vec2_subtract(held->middle, centre);
    float squared = tr_vec2_dot(way, way);
    if (squared > held->most_squared || squared <= held->sure_squared)
        return squared <= held->most_squared;
    for (int k = 0; k < 4; k++) {
        float x = held->x[k] - centre.x, z = held->z[k] - centre.z;
        if (x * x + z * z > most * most)
            return false;
    }
    return true;
}

// A disc holds a span if it is in a band that the span is within, and holds it in all clips.
static bool disc_holds(const cover_work *work, const disc *with, uint32_t number) {
    if ((work->within[number] & (with->served ? IN_SERVED : IN_UPRIGHT)) == 0)
        return false;
    for (uint32_t clip = 0; clip < work->clip_count; clip++)
        if (!holds(work->maker->radius, centre_of(work, with, clip), span_of(work, clip, number)))
            return false;
    return true;
}

// The span that no disc holds and that is furthest in a direction; TR_NONE: there is none.
static uint32_t find_seed(const cover_work *work, bool served, tr_vec2 direction) {
    uint32_t found = TR_NONE;
    float best = -INFINITY;
    for (uint32_t i = 0; i < work->span_count; i++) {
        bool only_upright = (work->within[i] & IN_SERVED) == 0;
        if (work->cover_counts[i] > 0 || only_upright == served)
            continue;
        const span *at = span_of(work, 0, i);
        for (int k = 0; k < 4; k++) {
            float far = direction.x * at->x[k] + direction.z * at->z[k] + at->radius;
            if (far > best)
                best = far, found = i;
        }
    }
    return found;
}

// How far a disc may be away from the middle of a span and still hold it in all clips.
static float room_of(const cover_work *work, uint32_t number) {
    float room = INFINITY;
    for (uint32_t clip = 0; clip < work->clip_count; clip++) {
        const span *at = span_of(work, clip, number);
        float left = work->maker->radius - at->radius - at->reach - 2 * SLACK;
        room = left < room ? left : room;
    }
    return room;
}

// How far a disc reaches over the obstacle that the action passes, from one side [m], and the way off it.
static float reaches_over(const cover_work *work, const disc *with, tr_vec2 *off) {
    tr_vec2 centre = centre_of(work, with, 0);
    float along = tr_vec2_dot(tr_vec2_subtract(centre, work->action), work->ahead);
    *off = tr_vec2_scale(work->ahead, along < 0 ? -1.0f : 1.0f);
    return 0.5f * tr_behavior_maker_depth(work->maker) + work->maker->radius - (along < 0 ? -along : along);
}

// How good a disc is: first, how many new spans of its kind it holds; then, an upright one should be clear of
// the obstacle; then, how many others it holds.
static uint64_t rate_disc(const cover_work *work, const disc *with) {
    uint64_t own = 0, other = 0;
    tr_vec2 off;
    for (uint32_t i = 0; i < work->span_count; i++) {
        if (work->cover_counts[i] > 0 || !disc_holds(work, with, i))
            continue;
        bool only_upright = (work->within[i] & IN_SERVED) == 0;
        own += only_upright != with->served;
        other += only_upright == with->served;
    }
    uint64_t clear = work->serves == 0 || reaches_over(work, with, &off) <= 0;
    return own << 32 | clear << 31 | other;
}

// cos of multiples of a sixteenth of a turn; sin is a quarter earlier.
static const float cosines[DIRECTIONS] = {
    1,  .92387953f,  .70710678f,  .38268343f,  0, -.38268343f, -.70710678f, -.92387953f,
    -1, -.92387953f, -.70710678f, -.38268343f, 0, .38268343f,  .70710678f,  .92387953f};

// Places a disc around a span where it holds as many others as possible.
static bool place_disc(cover_work *work, uint32_t seed, bool served) {
    float room = room_of(work, seed);
    if (room < 0 || work->disc_count == DISCS_MAX)
        return false;
    disc best = {seed, {0, 0}, served};
    uint64_t most = rate_disc(work, &best);
    for (int ring = RINGS; ring > 0; ring--)
        for (int i = 0; i < DIRECTIONS; i++) {
            disc tried = best;
            float out = room * (float)ring / RINGS;
            tried.aside = tr_vec2_make(out * cosines[i], out * cosines[(i + 12) % DIRECTIONS]);
            uint64_t rating = rate_disc(work, &tried);
            if (rating > most)
                most = rating, best = tried;
        }
    for (uint32_t i = 0; i < work->span_count; i++)
        work->cover_counts[i] = (uint8_t)(work->cover_counts[i] + disc_holds(work, &best, i));
    work->discs[work->disc_count++] = best;
    return work->cover_counts[seed] > 0;
}

// Leaves out discs without which every span is still held.
static void prune(cover_work *work) {
    for (uint32_t k = work->disc_count; k > 0; k--) {
        bool needed = false;
        for (uint32_t i = 0; i < work->span_count && !needed; i++)
            needed = work->cover_counts[i] == 1 && disc_holds(work, &work->discs[k - 1], i);
        if (needed)
            continue;
        for (uint32_t i = 0; i < work->span_count; i++)
            work->cover_counts[i] =
                (uint8_t)(work->cover_counts[i] - disc_holds(work, &work->discs[k - 1], i));
        for (uint32_t i = k; i < work->disc_count; i++)
            work->discs[i - 1] = work->discs[i];
        work->disc_count--;
    }
}

// Whether a disc may be moved: what is only upright stays held.
static bool may_move(const cover_work *work, const disc *from, const disc *to) {
    for (uint32_t i = 0; i < work->span_count; i++)
        if (work->cover_counts[i] == 1 && (work->within[i] & IN_SERVED) == 0 && disc_holds(work, from, i) &&
            !disc_holds(work, to, i))
            return false;
    return true;
}

// An upright disc of a special behavior should not reach over the obstacle that the action passes: it is
// pushed off it as far as what it holds allows.
static void push_off(cover_work *work, disc *pushed) {
    tr_vec2 off;
    float wanted = reaches_over(work, pushed, &off), low = 0, high = wanted;
    disc moved = *pushed;
    for (int i = 0; i < PUSH_STEPS && wanted > 0 && low < wanted; i++) {
        float middle = i == 0 ? wanted : 0.5f * (low + high);
        disc tried = *pushed;
        tried.aside = tr_vec2_add(tried.aside, tr_vec2_scale(off, middle));
        bool may = may_move(work, pushed, &tried);
        moved = may ? tried : moved;
        low = may ? middle : low;
        high = may ? high : middle;
    }
    for (uint32_t i = 0; i < work->span_count; i++)
        work->cover_counts[i] =
            (uint8_t)(work->cover_counts[i] - disc_holds(work, pushed, i) + disc_holds(work, &moved, i));
    *pushed = moved;
}

static bool place_discs(cover_work *work, tr_vec2 direction) {
    work->disc_count = 0;
    for (uint32_t i = 0; i < work->span_count; i++)
        work->cover_counts[i] = 0;
    for (int served = 0; served < 2; served++) {
        for (uint32_t seed; (seed = find_seed(work, served == 1, direction)) != TR_NONE;)
            if (!place_disc(work, seed, served == 1))
                return false;
        for (uint32_t i = 0; i < work->disc_count && work->serves > 0 && served == 0; i++)
            push_off(work, &work->discs[i]);
    }
    prune(work);
    return true;
}

// ----------------------------------------------------------------------------------------------------- clips

static tr_status keep_discs(cover_work *work, uint32_t slot, tr_error *error) {
    uint64_t needed = work->made_count + (uint64_t)work->disc_count * work->clip_count;
    if (!tr_reserve(&work->maker->allocator, (void **)&work->made, &work->made_capacity, needed,
                    sizeof *work->made))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the discs of a clip");
    for (uint32_t k = 0; k < work->disc_count; k++)
        for (uint32_t clip = 0; clip < work->clip_count; clip++) {
            tr_vec2 centre = centre_of(work, &work->discs[k], clip);
            work->made[work->made_count++] =
                (tr_behavior_disc){.x = centre.x,
                                   .z = centre.z,
                                   .frame = (uint16_t)slot_begin(work, clip, slot),
                                   .band = work->discs[k].served ? (uint8_t)work->serves : 0};
        }
    return TR_OK;
}

static tr_status cover_slot(cover_work *work, uint32_t slot, tr_error *error) {
    fill_slot(work, slot);
    static const tr_vec2 directions[] = {{0, 1}, {0, -1}};
    const uint32_t count = sizeof directions / sizeof *directions;
    uint32_t best = count, fewest = TR_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (place_discs(work, directions[i]) && work->disc_count < fewest)
            best = i, fewest = work->disc_count;
    if (best == count)
        return tr_fail(error, TR_INVALID,
                       "discs with a radius of %g m are too small for the body: a part does not fit, or more "
                       "than %d are needed at a time",
                       (double)work->maker->radius, DISCS_MAX);
    place_discs(work, directions[best]);
    return keep_discs(work, slot, error);
}

static tr_status hand_over(cover_work *work, tr_behavior_cover *cover, tr_error *error) {
    if (!tr_reserve(&work->maker->allocator, (void **)&cover->discs, &cover->capacity,
                    (uint64_t)cover->count + work->made_count, sizeof *cover->discs))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the discs of a clip");
    for (uint32_t clip = 0; clip < work->clip_count; clip++)
        for (uint32_t i = clip; i < work->made_count; i += work->clip_count)
            cover->discs[cover->count++] = work->made[i];
    cover->slots += work->slots * work->clip_count;
    return TR_OK;
}

tr_status tr_behavior_cover_clips(tr_behavior_maker *maker, const tr_behavior_cast_clip *clips,
                                  uint32_t clip_count, uint32_t serves, tr_behavior_cover *cover,
                                  tr_error *error) {
    cover_work work = {.maker = maker, .clips = clips, .clip_count = clip_count, .serves = serves};
    tr_status status = open_work(&work, error);
    for (uint32_t slot = 0; slot < work.slots && status == TR_OK; slot++)
        status = cover_slot(&work, slot, error);
    if (status == TR_OK)
        status = hand_over(&work, cover, error);
    close_work(&work);
    return status;
}

// ---------------------------------------------------------------------------------------------------- radius

// Whether discs of the maker's radius are few enough: in ordinary behaviors on average, in each special one.
static tr_status try_radius(tr_behavior_maker *maker, bool *few) {
    tr_behavior_cover ordinary = {0};
    tr_status status = TR_OK;
    *few = true;
    for (uint32_t i = 0; i < maker->def->state_count && status == TR_OK && *few; i++) {
        tr_behavior_cover special = {0}, *cover = maker->serves[i] ? &special : &ordinary;
        status =
            tr_behavior_cover_clips(maker, maker->def->states[i].clips, 1, maker->serves[i], cover, NULL);
        *few = special.count <= DISCS_SPECIAL * special.slots;
        tr_release(&maker->allocator, special.discs, special.capacity, sizeof *special.discs);
    }
    *few = *few && status == TR_OK && ordinary.count <= DISCS_MEAN * ordinary.slots;
    tr_release(&maker->allocator, ordinary.discs, ordinary.capacity, sizeof *ordinary.discs);
    return status;
}

tr_status tr_behavior_maker_choose_radius(tr_behavior_maker *maker, tr_error *error) {
    maker->radius = maker->def->radius;
    if (maker->radius > 0)
        return TR_OK;
    double radius = RADIUS_LEAST * (double)maker->height, steps[RADIUS_STEPS];
    for (uint32_t i = 0; i < RADIUS_STEPS; i++, radius *= RADIUS_STEP)
        steps[i] = radius;
    uint32_t low = 0, high = RADIUS_STEPS - 1; // the last one is taken as it is
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        bool few = false;
        maker->radius = (float)steps[middle];
        tr_status status = try_radius(maker, &few);
        if (status != TR_OK && status != TR_INVALID)
            return tr_fail(error, status, "no memory for the discs of a cast");
        low = few ? low : middle + 1;
        high = few ? middle : high;
    }
    maker->radius = (float)steps[low];
    return TR_OK;
}
