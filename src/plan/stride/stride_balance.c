// Balance: the centre of mass from the shares of the body's parts, where it would go (Hof, Gazendam & Sinke
// 2005), and the ground below the feet.
#include "stride_data.h"

#define GRAVITY 9.81f // [m/s^2]
// Shares of the mass (Dempster, Winter): thigh, shin and foot of one leg; the rest is above the hips.
#define THIGH_MASS 0.1f
#define SHIN_MASS 0.0465f
#define FOOT_MASS 0.0145f
#define ALONG_BONE 0.433f // where the mass of thigh and shin is, from their upper ends
#define TRUNK_UP 0.36f    // of head, arms and trunk over the hips, in lengths of the leg
#define MOMENT 5e-3f      // shares of a step between which a speed is measured
#define POINTS 8          // corners of two soles

static tr_vec3 between(tr_vec3 a, tr_vec3 b, float share) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), share));
}

static tr_vec3 mass_of(const tr_stride_body *body, const tr_stride_pose *pose) {
    tr_vec3 trunk = pose->pelvis;
    trunk.y += TRUNK_UP * stride_leg(body);
    tr_vec3 sum = tr_vec3_scale(trunk, 1 - 2 * (THIGH_MASS + SHIN_MASS + FOOT_MASS));
    for (int side = 0; side < 2; side++) {
        tr_vec3 thigh = between(pose->hips[side], pose->knees[side], ALONG_BONE);
        tr_vec3 shin = between(pose->knees[side], pose->ankles[side], ALONG_BONE);
        tr_vec3 foot = between(pose->heels[side], pose->toes[side], 0.5f);
        sum = tr_vec3_add(sum, tr_vec3_scale(thigh, THIGH_MASS));
        sum = tr_vec3_add(sum, tr_vec3_scale(shin, SHIN_MASS));
        sum = tr_vec3_add(sum, tr_vec3_scale(foot, FOOT_MASS));
    }
    return sum;
}

// The corners of a sole on the ground, aside and along.
static void corners_of(const tr_stride_body *body, const tr_stride_foot *foot, float facing,
                       tr_vec2 corners[4]) {
    stride_heading heading = tr_stride_heading_of(foot->turn);
    for (int i = 0; i < 4; i++) {
        float ahead = facing * (i & 1 ? body->toe : -body->heel),
              aside = (i & 2 ? 0.5f : -0.5f) * body->width;
        corners[i] = tr_vec2_make(foot->aside + ahead * heading.sine + aside * heading.cosine,
                                  foot->along + ahead * heading.cosine - aside * heading.sine);
    }
}

static float cross(tr_vec2 a, tr_vec2 b) {
    return a.x * b.z - a.z * b.x;
}

// The convex hull of some points, in order around it; at least three of them are not in line.
static uint32_t hull_of(tr_vec2 *points, uint32_t count, tr_vec2 *hull) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && (points[k].x < points[k - 1].x ||
                                       (points[k].x == points[k - 1].x && points[k].z < points[k - 1].z));
             k--) {
            tr_vec2 other = points[k];
            points[k] = points[k - 1], points[k - 1] = other;
        }
    uint32_t size = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint32_t first = size;
        for (uint32_t i = 0; i < count; i++) {
            tr_vec2 point = points[pass ? count - 1 - i : i];
            while (size >= first + 2 && !(cross(tr_vec2_subtract(hull[size - 1], hull[size - 2]),
                                                tr_vec2_subtract(point, hull[size - 1])) > 0))
                size--;
            hull[size++] = point;
        }
        size--; // the last point begins the other half
    }
    return size;
}

// How far a point is inside a hull; below 0: how far outside.
static float inside(const tr_vec2 *hull, uint32_t size, tr_vec2 point) {
    float least = INFINITY, near = INFINITY;
    for (uint32_t i = 0; i < size; i++) {
        tr_vec2 a = hull[i], way = tr_vec2_subtract(hull[(i + 1) % size], a),
                off = tr_vec2_subtract(point, a);
        float length = tr_vec2_length(way);
        if (!(length > 1e-6f))
            continue;
        least = stride_low(least, cross(way, off) / length);
        float part = stride_clamp(tr_vec2_dot(off, way) / (length * length), 0, 1);
        near = stride_low(near, tr_vec2_length(tr_vec2_subtract(off, tr_vec2_scale(way, part))));
    }
    return least >= 0 ? least : -near;
}

void tr_stride_balance_at(const tr_stride_body *body, const tr_stride *stride, float share,
                          tr_stride_balance *balance) {
    share = stride_clamp(share, 0, 1);
    float before = stride_high(share - MOMENT, 0), after = stride_low(share + MOMENT, 1);
    tr_stride_pose pose;
    tr_stride_pose_at(body, stride, before, &pose);
    tr_vec3 first = mass_of(body, &pose);
    tr_stride_pose_at(body, stride, after, &pose);
    tr_vec3 last = mass_of(body, &pose);
    tr_stride_pose_at(body, stride, share, &pose);
    balance->mass = mass_of(body, &pose);
    tr_vec3 rate = tr_vec3_scale(tr_vec3_subtract(last, first), 1 / ((after - before) * stride->duration));

    tr_vec2 points[POINTS], hull[POINTS + 2];
    uint32_t count = 0;
    float ground = 0;
    if (pose.down[1 - (stride->side & 1)])
        corners_of(body, &stride->stance, stride->facing, points), count = 4, ground = stride->stance.height;
    if (pose.down[stride->side & 1]) {
        const tr_stride_foot *foot = share < 0.5f ? &stride->from : &stride->to;
        corners_of(body, foot, stride->facing, points + count);
        count += 4;
        ground = stride_low(ground, foot->height);
    }
    // A pendulum as long as the mass is high.
    float high = stride_high(balance->mass.y - ground, 0.1f), per = sqrtf(high / GRAVITY);
    balance->extrapolated = tr_vec2_make(balance->mass.x + rate.x * per, balance->mass.z + rate.z * per);
    uint32_t size = hull_of(points, count, hull);
    balance->standing = inside(hull, size, tr_vec2_make(balance->mass.x, balance->mass.z));
    balance->moving = inside(hull, size, balance->extrapolated);
}
