// Measurements of a behavior clip against the obstacle that it was made for, and of its flight.
#pragma once
#include "behavior_measure.h"

#define OBSTACLE_STEPS 4 // tests between two frames

// A box across the way: from `low` to `high`, around the base at the time of the action.
typedef struct obstacle {
    double from, to; // along the way [m]
    double low, high;
} obstacle;

static inline obstacle obstacle_of(const behavior *m, double length, double low, double high) {
    double middle = (double)tr_clip_base(m->clip, m->info.action).z;
    return (obstacle){middle - 0.5 * length, middle + 0.5 * length, low, high};
}

// The distance of a point from the box, seen from the side; below 0 inside.
static inline double obstacle_distance(const obstacle *box, double z, double y) {
    double along = fmax(box->from - z, z - box->to), up = fmax(box->low - y, y - box->high);
    if (along <= 0 && up <= 0)
        return fmax(along, up);
    along = fmax(along, 0);
    up = fmax(up, 0);
    return sqrt(along * along + up * up);
}

static inline void pose_between(behavior *m, double time) {
    tr_affine place = tr_base_place(tr_clip_base(m->clip, time), 0);
    tr_clip_sample(m->clip, time, &m->pose);
    tr_pose_to_model(m->skeleton, &m->pose, &place, m->model);
}

static inline double capsule_distance(const behavior *m, const tr_capsule *capsule, const obstacle *box) {
    tr_vec3 a = tr_affine_apply(&m->model[capsule->joint], capsule->a);
    tr_vec3 b = tr_affine_apply(&m->model[capsule->joint], capsule->b);
    double least = INFINITY;
    for (int i = 0; i <= 8; i++) {
        double share = i / 8.0, z = (double)a.z + share * (double)(b.z - a.z);
        double y = (double)a.y + share * (double)(b.y - a.y);
        least = fmin(least, obstacle_distance(box, z, y) - (double)capsule->radius);
    }
    return least;
}

// The least distance of skin and capsules from the box, at the frames and between them.
static inline double clearance(behavior *m, const obstacle *box) {
    const tr_body_def *view = tr_body_view(m->body);
    uint32_t steps = (tr_clip_frame_count(m->clip) - 1) * OBSTACLE_STEPS;
    double least = INFINITY;
    for (uint32_t i = 0; i <= steps; i++) {
        pose_between(m, (double)i / OBSTACLE_STEPS / tr_clip_rate(m->clip));
        tr_body_skin(m->body, m->model, m->skin, NULL);
        for (uint32_t k = 0; k < view->vertex_count; k++)
            least = fmin(least, obstacle_distance(box, (double)m->skin[k].z, (double)m->skin[k].y));
        for (uint32_t k = 0; k < view->capsule_count; k++)
            least = fmin(least, capsule_distance(m, &view->capsules[k], box));
    }
    return least;
}

// The centre of the volume that the skin encloses: independent of the segments that the clip was made with.
static inline tr_vec3 volume_centre(const behavior *m) {
    const tr_body_def *view = tr_body_view(m->body);
    double volume = 0, sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        tr_vec3 a = m->skin[view->indices[3 * i]], b = m->skin[view->indices[3 * i + 1]],
                c = m->skin[view->indices[3 * i + 2]];
        double part = (double)tr_vec3_dot(a, tr_vec3_cross(b, c)) / 6;
        volume += part;
        sum[0] += part * (double)(a.x + b.x + c.x) / 4;
        sum[1] += part * (double)(a.y + b.y + c.y) / 4;
        sum[2] += part * (double)(a.z + b.z + c.z) / 4;
    }
    return tr_vec3_make((float)(sum[0] / volume), (float)(sum[1] / volume), (float)(sum[2] / volume));
}

typedef struct flight {
    uint32_t begin, end;         // frames
    double fall;                 // acceleration of the parabola that fits best [m/s^2]
    double off;                  // largest distance of the centre of mass from it [m]
    double speed_low, speed_top; // along the way [m/s]
    double rise;                 // from the take-off to the top [m]
} flight;

// Least squares of y = a + b t + c t^2 by the sums of powers, with t in [-1, 1].
static inline void fit_parabola(const double *y, uint32_t count, double fit[3]) {
    double s2 = 0, s4 = 0, y0 = 0, y1 = 0, y2 = 0;
    for (uint32_t i = 0; i < count; i++) {
        double t = 2.0 * i / (count - 1) - 1;
        s2 += t * t;
        s4 += t * t * t * t;
        y0 += y[i];
        y1 += y[i] * t;
        y2 += y[i] * t * t;
    }
    double size = count, det = size * s4 - s2 * s2;
    fit[0] = (y0 * s4 - y2 * s2) / det;
    fit[1] = y1 / s2;
    fit[2] = (y2 * size - y0 * s2) / det;
}

// The frames around the action in which nothing touches the ground.
static inline flight measure_flight(behavior *m) {
    flight f = {0};
    uint32_t middle = (uint32_t)(m->info.action * tr_clip_rate(m->clip)), count = 0;
    for (f.begin = middle; f.begin > 0 && !tr_clip_frame_contacts(m->clip, f.begin - 1); f.begin--) {
    }
    for (f.end = middle;
         f.end + 1 < tr_clip_frame_count(m->clip) && !tr_clip_frame_contacts(m->clip, f.end + 1); f.end++) {
    }
    count = f.end - f.begin + 1;
    double *y = malloc(count * sizeof *y), *z = malloc(count * sizeof *z), fit[3];
    if (!y || !z || count < 4) {
        free(y);
        free(z);
        return f;
    }
    for (uint32_t i = 0; i < count; i++) {
        pose_behavior(m, f.begin + i);
        tr_body_skin(m->body, m->model, m->skin, NULL);
        tr_vec3 centre = volume_centre(m);
        y[i] = (double)centre.y;
        z[i] = (double)centre.z;
        f.rise = fmax(f.rise, y[i] - y[0]);
    }
    double half = 0.5 * (count - 1) / tr_clip_rate(m->clip);
    fit_parabola(y, count, fit);
    f.fall = -2 * fit[2] / (half * half);
    for (uint32_t i = 0; i < count; i++) {
        double t = 2.0 * i / (count - 1) - 1;
        f.off = fmax(f.off, fabs(y[i] - fit[0] - fit[1] * t - fit[2] * t * t));
    }
    fit_parabola(z, count, fit);
    f.speed_low = (fit[1] - 2 * fabs(fit[2])) / half;
    f.speed_top = (fit[1] + 2 * fabs(fit[2])) / half;
    free(y);
    free(z);
    return f;
}
