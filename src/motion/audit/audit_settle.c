// How long a plant lasts when no labels tell. A standing point is at its level and slow. It leaves (or
// arrives) by a change of height, or by speeding up until it swings. A slide keeps its height, and its speed
// either stays about the same or comes to rest again. So motion between rest and rest, or at an even speed,
// counts as a slide, and motion that begins a swing does not.
#include "audit_parts.h"

#include <math.h>
#include <string.h>

#define LEVEL_SHARE 0.001   // of the body height: a point this close to its level rests
#define TREMBLE 3.0         // so does one within this many times its own tremor
#define HIGHEST_SHARE 0.006 // of the body height: the largest tremor
#define SWING_SHARE 0.2     // of the body height per second: a faster point swings
#define REST_SHARE 0.012    // and a slower one rests
#define STEADY 0.85         // a speed that was below this share of itself before is increasing
#define LAG 0.0333          // how long before [s]
#define RAMP 0.2            // speeding up takes no longer than this [s]
#define SWING_TIME 0.1      // a shorter swing is a slide [s]
#define TURN_TIME 0.12      // a plant that never rests lasts longer than this [s]
#define RAMP_LEFT 0.034     // or longer than this [s] at the height that it stands at
#define HIGH_SHARE 0.006    // of the body height: a point this much higher does not stand
#define SKATE_TIME 0.2      // and longer than this [s] if it is as fast as a swing
#define SKATE_SHARE 0.003   // of the body height: how level it is then

typedef struct audit_plant {
    const audit_job *job;
    const tr_vec3 *points;
    const float *heights; // above the floor
    float lowest;         // over all contacts
    uint32_t frames;      // of the whole track
    uint32_t begin, end;  // frames
    uint32_t lag;         // frames over which speeds are measured
    double level, slack;  // heights [m]
} audit_plant;

static uint32_t frames_in(const audit_plant *plant, double seconds) {
    double frames = seconds * plant->job->rate + 0.5;
    return frames < 1 ? 1 : frames < 1e6 ? (uint32_t)frames : 1000000;
}

static double share_of_height(const audit_plant *plant, double share) {
    return share * (double)tr_skeleton_height(plant->job->skeleton);
}

// The height that is not exceeded in `share` of the frames.
static double find_quantile(const audit_plant *plant, double share) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = plant->begin; i < plant->end; i++) {
        double y = plant->points[i].y;
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    for (int round = 0; round < 30; round++) {
        double middle = low + (high - low) * 0.5;
        uint32_t below = 0;
        for (uint32_t i = plant->begin; i < plant->end; i++)
            below += plant->points[i].y <= middle;
        if (below > share * (plant->end - plant->begin))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void find_level(audit_plant *plant) {
    double most = share_of_height(plant, HIGHEST_SHARE), least = share_of_height(plant, LEVEL_SHARE);
    plant->level = find_quantile(plant, 0.25);
    double slack = TREMBLE * (find_quantile(plant, 0.5) - plant->level);
    slack = slack < most ? slack : most;
    plant->slack = slack > least ? slack : least;
}

static bool is_level(const audit_plant *plant, uint32_t frame) {
    return fabs((double)plant->points[frame].y - plant->level) <= plant->slack;
}

// The speed from a frame to the next; at high frame rates over several frames, because captures tremble.
static double speed_from(const audit_plant *plant, int64_t frame) {
    int64_t first = frame - (plant->lag - 1) / 2, last = first + plant->lag;
    first = first < 0 ? 0 : first;
    last = last < plant->frames ? last : plant->frames - 1;
    if (last <= first)
        return 0;
    tr_vec3 way = tr_vec3_subtract(plant->points[last], plant->points[first]);
    return (double)tr_vec3_length(way) * plant->job->rate / (double)(last - first);
}

static bool is_slow(const audit_plant *plant, uint32_t frame) {
    return speed_from(plant, frame) < share_of_height(plant, SWING_SHARE);
}

// Where the slow moves that begin at `from` end: a swing follows, which is long enough or lasts to the end.
static uint32_t end_of_slow(const audit_plant *plant, uint32_t from) {
    uint32_t least = frames_in(plant, SWING_TIME), fast = 0, i = from;
    for (; i + 1 < plant->end && fast < least; i++)
        fast = is_slow(plant, i) ? 0 : fast + 1;
    return i + 1 - fast;
}

// Extends the plant while the point stays at its resting height, also beyond the contact found.
static void extend(audit_plant *plant, const uint8_t *taken, uint8_t bit) {
    while (plant->begin > 0 && !(taken[plant->begin - 1] & bit) && is_level(plant, plant->begin - 1) &&
           is_slow(plant, plant->begin - 1))
        plant->begin--;
    while (plant->end < plant->frames && is_level(plant, plant->end) && is_slow(plant, plant->end - 1))
        plant->end++;
}

// Is the move between two frames at an end of the plant part of a swing that begins or ends? `inward` is the
// direction towards the inside of the plant.
static bool is_ramp(const audit_plant *plant, uint32_t move, int inward) {
    double speed = speed_from(plant, move),
           before = speed_from(plant, (int64_t)move + inward * (int64_t)plant->lag);
    return speed > share_of_height(plant, REST_SHARE) && before < STEADY * speed;
}

static void trim_height(audit_plant *plant) {
    while (plant->begin + 2 < plant->end && !is_level(plant, plant->begin))
        plant->begin++;
    while (plant->begin + 2 < plant->end && !is_level(plant, plant->end - 1))
        plant->end--;
}

static void trim_ramps(audit_plant *plant) {
    uint32_t most = frames_in(plant, RAMP);
    for (uint32_t i = 0; i < most && plant->begin > 0 && plant->begin + 2 < plant->end; i++) {
        if (!is_ramp(plant, plant->begin, 1))
            break;
        plant->begin++;
    }
    for (uint32_t i = 0; i < most && plant->end < plant->frames && plant->begin + 2 < plant->end; i++) {
        if (!is_ramp(plant, plant->end - 2, -1))
            break;
        plant->end--;
    }
}

static uint32_t count_still(const audit_plant *plant) {
    uint32_t count = 0;
    for (uint32_t i = plant->begin; i + 1 < plant->end; i++)
        count += speed_from(plant, i) < 2 * share_of_height(plant, REST_SHARE);
    return count;
}

// A low swing is also slow where it reverses. But it never rests, and it is either higher than where the
// point stands at other times, or all of it was a ramp.
static bool is_turn(const audit_plant *plant) {
    if (count_still(plant) > 0)
        return false;
    float height = INFINITY;
    for (uint32_t i = plant->begin; i < plant->end; i++)
        height = plant->heights[i] < height ? plant->heights[i] : height;
    bool high = (double)height > (double)plant->lowest + share_of_height(plant, HIGH_SHARE);
    bool cut = plant->begin == 0 || plant->end == plant->frames; // it may have been longer
    return plant->end - plant->begin <= frames_in(plant, high && !cut ? TURN_TIME : RAMP_LEFT) + 1;
}

// A point that is fast all along is planted as well if this lasts as long as a plant.
static void keep_skating(audit_plant plant, uint8_t bit, uint8_t *settled) {
    double most = share_of_height(&plant, SKATE_SHARE);
    find_level(&plant);
    plant.slack = plant.slack < most ? plant.slack : most; // a point that leaves the ground does not skate
    trim_height(&plant);
    bool long_enough = plant.end - plant.begin >= frames_in(&plant, SKATE_TIME);
    for (uint32_t i = plant.begin; i < plant.end && long_enough; i++)
        settled[i] |= bit;
}

// Finds the plants in an interval.
static void settle_point(const audit_plant *stretch, uint8_t bit, uint8_t *settled) {
    uint32_t kept = 0;
    for (uint32_t from = stretch->begin, next; from < stretch->end; from = next) {
        audit_plant plant = *stretch;
        plant.begin = from;
        plant.end = end_of_slow(stretch, from);
        for (next = plant.end; next < stretch->end && !is_slow(stretch, next - 1);)
            next++;
        next = next < stretch->end ? next - 1 : next;
        find_level(&plant);
        extend(&plant, settled, bit);
        trim_height(&plant);
        trim_ramps(&plant);
        if (is_turn(&plant))
            continue;
        for (uint32_t i = plant.begin; i < plant.end; i++)
            settled[i] |= bit;
        kept++;
    }
    if (kept == 0)
        keep_skating(*stretch, bit, settled);
}

// The lowest height of a point in its contacts.
static float find_lowest(const audit_foot *foot, const float *heights, uint8_t bit, uint32_t frames) {
    float lowest = INFINITY;
    for (uint32_t i = 0; i < frames; i++)
        if ((foot->labels[i] & bit) && heights[i] < lowest)
            lowest = heights[i];
    return lowest;
}

// A foot on its toes stands on the ball, or on the tip if that is the point that rests.
static void settle_stretch(audit_foot *foot, const audit_plant points[AUDIT_POINTS], uint8_t bit,
                           uint32_t begin, uint32_t end) {
    audit_plant stretch = points[bit == 1 ? AUDIT_HEEL : AUDIT_BALL], tip = points[AUDIT_TIP];
    stretch.begin = tip.begin = begin;
    stretch.end = tip.end = end;
    bool on_tip = bit == 2 && count_still(&tip) > 2 * count_still(&stretch) + 1;
    settle_point(on_tip ? &tip : &stretch, bit, foot->settled);
}

void tr_audit_settle(const audit_job *job, audit_foot *foot, uint32_t frames) {
    audit_plant points[AUDIT_POINTS];
    for (int i = 0; i < AUDIT_POINTS; i++) {
        points[i] = (audit_plant){
            .job = job, .points = foot->points[i], .heights = foot->heights[i], .frames = frames};
        points[i].lag = frames_in(&points[i], LAG);
        points[i].lowest = find_lowest(foot, foot->heights[i], i == AUDIT_HEEL ? 1 : 2, frames);
    }
    memset(foot->settled, 0, frames);
    for (uint8_t bit = 1; bit <= 2; bit++)
        for (uint32_t begin = 0, end; begin < frames; begin = end) {
            bool set = foot->labels[begin] & bit;
            for (end = begin + 1; end < frames && ((foot->labels[end] & bit) != 0) == set;)
                end++;
            if (set)
                settle_stretch(foot, points, bit, begin, end);
        }
    memcpy(foot->labels, foot->settled, frames);
}
