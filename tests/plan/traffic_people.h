// People on their ways, and how near they come to each other: by samples of time.
#pragma once
#include "climb_judge.h"
#include "troupe/plan/traffic.h"

#define POINTS 2048
#define PEOPLE 40

typedef struct walker {
    tr_traffic_point points[POINTS];
    uint32_t count;
    float radius, height;
} walker;

static inline tr_vec3 place_at(const tr_traffic_point *points, uint32_t count, double time) {
    if (time <= points[0].time)
        return points[0].position;
    for (uint32_t i = 1; i < count; i++)
        if (time <= points[i].time) {
            double u = (time - points[i - 1].time) / (points[i].time - points[i - 1].time);
            tr_vec3 a = points[i - 1].position, b = points[i].position;
            return tr_vec3_make((float)(a.x + (b.x - a.x) * u), (float)(a.y + (b.y - a.y) * u),
                                (float)(a.z + (b.z - a.z) * u));
        }
    return points[count - 1].position;
}

// How deep two upright cylinders are in each other [m]; 0 or less: they are not.
static inline double depth(tr_vec3 a, double radius_a, double height_a, tr_vec3 b, double radius_b,
                           double height_b) {
    double dx = (double)a.x - b.x, dz = (double)a.z - b.z;
    double aside = radius_a + radius_b - sqrt(dx * dx + dz * dz);
    double below = a.y + height_a - b.y, above = b.y + height_b - a.y;
    double upright = below < above ? below : above;
    return aside < upright ? aside : upright;
}

// From when both are there on.
static inline double deepest(const walker *a, const walker *b, double step) {
    double end = a->points[a->count - 1].time, other = b->points[b->count - 1].time, worst = -1e9;
    double begin = a->points[0].time > b->points[0].time ? a->points[0].time : b->points[0].time;
    end = (end > other ? end : other) + step;
    for (double time = begin; time <= end; time += step) {
        double d = depth(place_at(a->points, a->count, time), (double)a->radius, (double)a->height,
                         place_at(b->points, b->count, time), (double)b->radius, (double)b->height);
        worst = d > worst ? d : worst;
    }
    return worst;
}
