// Floors that people walk on: level or sloped, without steps.
#include "way_parts.h"

#define NEAR 0.06f     // the floor is compared this far before and behind a sample: beyond the next one [m]
#define BEND 0.024f    // by which it may bend within twice that [m]: 22 degrees between two planes
#define LANES 3        // the floor is compared from the path to each side in this many steps
#define STEEPEST 0.43f // [m/m]: 23 degrees
#define UNEVEN 0.003f  // error of heights [m]

typedef struct slope_view {
    const tr_ground *ground;
    tr_vec2 ahead; // unit direction
    float rise;
} slope_view;

static float height_at(const slope_view *view, tr_vec2 point, float ahead, float height) {
    tr_vec3 at = {point.x + ahead * view->ahead.x, height, point.z + ahead * view->ahead.z};
    return tr_ground_smooth_height(view->ground, at, view->rise);
}

// Is the floor straight along a line through the point? Where there is no floor, feet do not come down.
static bool is_straight(const slope_view *view, tr_vec2 point, float height) {
    float before = height_at(view, point, NEAR, height), behind = height_at(view, point, -NEAR, height);
    if (before != before || behind != behind)
        return true;
    return fabsf(before + behind - 2 * height) <= BEND &&
           fabsf(before - behind) <= 2 * NEAR * STEEPEST + UNEVEN;
}

float tr_way_slope_at(const tr_ground *ground, tr_vec2 point, tr_vec2 aside, float height, float rise) {
    slope_view view = {ground, {-aside.z / WAY_ASIDE, aside.x / WAY_ASIDE}, rise};
    float middle = height_at(&view, point, 0, height);
    if (middle != middle || !is_straight(&view, point, middle))
        return NAN;
    for (int side = -1; side <= 1; side += 2) {
        float last = middle, slope = NAN;
        for (int i = 1; i <= LANES; i++) {
            float share = (float)(side * i) / LANES;
            tr_vec2 at = {point.x + share * aside.x, point.z + share * aside.z};
            float next = height_at(&view, at, 0, last), rise_here = next - last;
            if (next != next)
                break;
            if (fabsf(rise_here) > WAY_ASIDE / LANES * STEEPEST + UNEVEN || fabsf(rise_here - slope) > BEND ||
                (i == LANES && !is_straight(&view, at, next)))
                return NAN;
            slope = rise_here;
            last = next;
        }
    }
    return middle;
}

bool tr_way_is_smooth(const tr_ground *ground, tr_vec3 from, tr_vec3 to, float foot_rise) {
    float length = tr_vec3_distance_from_above(from, to), height = from.y;
    uint32_t steps = 1 + (uint32_t)(length / WAY_SAMPLE);
    float scale = length > 0 ? WAY_ASIDE / length : 0;
    tr_vec2 aside = {scale * (to.z - from.z), scale * (from.x - to.x)};
    for (uint32_t i = 0; i <= steps; i++) {
        float t = (float)i / (float)steps;
        tr_vec2 point = {from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
        height = tr_way_slope_at(ground, point, aside, height, foot_rise);
        if (height != height)
            return false;
    }
    return true;
}

#define GRADIENT_MOST 0.45f // the measurements end here [m/m]

// Minetti et al. 2002, J. Appl. Physiol. 93: the energy that walking costs [J/(kg m)].
static double cost_of(double i) {
    return 2.5 + i * (19.6 + i * (51.9 + i * (-76.8 + i * (-58.7 + i * 280.5))));
}

float tr_way_slope_speed(float gradient) {
    if (!(gradient > -GRADIENT_MOST))
        gradient = -GRADIENT_MOST;
    if (!(gradient < GRADIENT_MOST))
        gradient = GRADIENT_MOST;
    // The cost is least at a gradient of -0.1525.
    double least = gradient > 0 ? 2.5 : 0.9355, cost = cost_of((double)gradient);
    return gradient > -0.1525f && gradient <= 0 ? 1 : (float)sqrt(least / cost);
}
