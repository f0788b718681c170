// Bodies in random motion, and what meets what by looking at every little while in doubles.
#pragma once
#include "world/little.h"
#include "troupe/world/timeline.h"

typedef struct oracle_body {
    tr_vec3 positions[64];
    uint64_t begin;
    uint32_t count;
    float radius, height;
} oracle_body;

typedef struct oracle_place {
    double x, y, z;
} oracle_place;

static inline oracle_place oracle_at(const oracle_body *body, double tick) {
    double past = tick - (double)body->begin;
    uint32_t i = past <= 0 ? 0 : past >= body->count - 1 ? body->count - 1 : (uint32_t)past;
    double share = past <= 0 || past >= body->count - 1 ? 0 : past - i;
    tr_vec3 a = body->positions[i], b = share > 0 ? body->positions[i + 1] : a;
    oracle_place place = {a.x + ((double)b.x - a.x) * share, a.y + ((double)b.y - a.y) * share,
                          a.z + ((double)b.z - a.z) * share};
    return place;
}

static inline double oracle_distance(oracle_place a, oracle_place b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

// By how much heights overlap; below 0: they do not.
static inline double oracle_overlap(const oracle_body *a, oracle_place pa, const oracle_body *b,
                                    oracle_place pb) {
    return fmin(pa.y + a->height - pb.y, pb.y + b->height - pa.y);
}

// Random coordinates between 0 and a size, one after the other: arguments have no order of their own.
static inline tr_vec3 oracle_point(tr_random *random, float size) {
    float x = tr_random_between(random, 0, size), z = tr_random_between(random, 0, size);
    return tr_vec3_make(x, 0, z);
}

// Somebody who wanders about in a square, more or less straight, now and then resting or changing height.
static inline oracle_body oracle_wander(tr_random *random, float size, uint64_t now) {
    oracle_body body = {.begin = now + tr_random_below(random, 40)};
    body.count = 1 + tr_random_below(random, 64);
    body.radius = tr_random_between(random, 0.1f, 0.5f);
    body.height = tr_random_between(random, 0.3f, 2);
    float x = tr_random_between(random, 0, size), z = tr_random_between(random, 0, size), y = 0;
    float dx = 0, dz = 0, dy = 0, speed = tr_random_below(random, 8) ? 0.1f : 1;
    for (uint32_t i = 0; i < body.count; i++) {
        if (tr_random_below(random, 12) == 0 || i == 0) {
            bool rests = tr_random_below(random, 4) == 0;
            dx = rests ? 0 : tr_random_between(random, -speed, speed);
            dz = rests ? 0 : tr_random_between(random, -speed, speed);
            dy = tr_random_below(random, 3) ? 0 : tr_random_between(random, -0.1f, 0.1f);
        }
        body.positions[i] = tr_vec3_make(x, y, z);
        x += dx, y += dy, z += dz;
    }
    return body;
}

static inline tr_timeline_motion oracle_motion(const oracle_body *body, float margin, bool rest) {
    tr_timeline_motion motion = {.begin = body->begin,
                                 .positions = body->positions,
                                 .count = body->count,
                                 .radius = body->radius,
                                 .height = body->height,
                                 .self = TR_NONE,
                                 .rest = rest,
                                 .margin = margin};
    return motion;
}

// The rule of tr_timeline_meets, in little steps of time: by how much two come nearer than they may, at most
// up to a tick, and the first step at which it is more than a tolerance.
typedef struct oracle_answer {
    double deepest; // [m], at any step up to `until`
    double first;   // tick; INFINITY: never
} oracle_answer;

static inline oracle_answer oracle_meet(const oracle_body *own, const oracle_body *other, double from,
                                        double until, double margin, double tolerance, uint32_t steps) {
    oracle_answer answer = {0, INFINITY};
    double sum = (double)own->radius + other->radius, allowed = sum + margin;
    oracle_place a = oracle_at(own, from), b = oracle_at(other, from);
    double begin = oracle_distance(a, b);
    if (begin < allowed && oracle_overlap(own, a, other, b) > 0)
        allowed = begin >= sum ? fmax(sum, begin - 1e-4) : begin;
    for (uint64_t k = 0; from + (double)k / steps <= until; k++) {
        double tick = from + (double)k / steps;
        a = oracle_at(own, tick), b = oracle_at(other, tick);
        double distance = oracle_distance(a, b),
               deep = fmin(allowed - distance, oracle_overlap(own, a, other, b));
        answer.deepest = deep > answer.deepest ? deep : answer.deepest;
        if (deep > tolerance && answer.first == INFINITY)
            answer.first = tick;
        if (k % steps == 0 && distance >= sum + margin)
            allowed = sum + margin;
        else if (k % steps == 0 && distance >= sum && allowed < sum)
            allowed = sum;
    }
    return answer;
}
