#include "profile_data.h"
#include "troupe/base/scalar.h"
#include "world/solid/solid_near.h"

#include <math.h>

tr_profile_def tr_profile_def_default(void) {
    return (tr_profile_def){.cell = 0.02f, .row = 0.02f, .columns = 256, .rows = 24, .triangles = 8192};
}

static tr_status check_def(const tr_profile_def *def, tr_error *error) {
    if (!(def->cell >= 0.005f && def->cell <= 0.5f) || !(def->row >= 0.005f && def->row <= 0.5f))
        return tr_fail(error, TR_INVALID, "a profile has cells of %g by %g m, each must be 0.005 to 0.5",
                       (double)def->cell, (double)def->row);
    if (def->columns < 1 || def->columns > TR_PROFILE_COLUMNS_MAX || def->rows < 1 ||
        def->rows > TR_PROFILE_ROWS_MAX)
        return tr_fail(error, TR_INVALID, "a profile has %u by %u cells, it must be 1 to %u by 1 to %u",
                       def->columns, def->rows, TR_PROFILE_COLUMNS_MAX, TR_PROFILE_ROWS_MAX);
    if (def->triangles < 1 || def->triangles > 1u << 24)
        return tr_fail(error, TR_INVALID, "a profile has room for %u triangles, it must be 1 to 2^24",
                       def->triangles);
    return TR_OK;
}

tr_status tr_profile_create(const tr_profile_def *def, tr_profile **profile, tr_error *error) {
    *profile = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_profile *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a profile");
    size_t cells = (size_t)def->columns * def->rows;
    made->allocator = own;
    made->def = *def;
    made->legs = tr_allocate_zero(&own, TR_PROFILE_POINTS_MAX, sizeof *made->legs);
    made->floor = tr_allocate(&own, cells, sizeof *made->floor);
    made->top = tr_allocate(&own, cells, sizeof *made->top);
    made->under = tr_allocate(&own, cells, sizeof *made->under);
    made->highest = tr_allocate(&own, def->columns, sizeof *made->highest);
    made->begin = tr_allocate(&own, def->columns, sizeof *made->begin);
    made->triangles = tr_allocate(&own, def->triangles, sizeof *made->triangles);
    made->active = tr_allocate(&own, def->triangles, sizeof *made->active);
    if (!made->legs || !made->floor || !made->top || !made->under || !made->highest || !made->begin ||
        !made->triangles || !made->active) {
        tr_profile_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a profile of %u by %u cells", def->columns,
                       def->rows);
    }
    *profile = made;
    return TR_OK;
}

void tr_profile_destroy(tr_profile *profile) {
    if (!profile)
        return;
    tr_allocator own = profile->allocator;
    size_t columns = profile->def.columns, cells = columns * profile->def.rows;
    tr_release(&own, profile->legs, TR_PROFILE_POINTS_MAX, sizeof *profile->legs);
    tr_release(&own, profile->floor, cells, sizeof *profile->floor);
    tr_release(&own, profile->top, cells, sizeof *profile->top);
    tr_release(&own, profile->under, cells, sizeof *profile->under);
    tr_release(&own, profile->highest, columns, sizeof *profile->highest);
    tr_release(&own, profile->begin, columns, sizeof *profile->begin);
    tr_release(&own, profile->triangles, profile->def.triangles, sizeof *profile->triangles);
    tr_release(&own, profile->active, profile->def.triangles, sizeof *profile->active);
    tr_release(&own, profile, 1, sizeof *profile);
}

static bool is_place(tr_vec2 point) {
    return fabsf(point.x) <= TR_SCENE_EXTENT_MAX && fabsf(point.z) <= TR_SCENE_EXTENT_MAX;
}

static tr_status check_query(const tr_profile_query *query, tr_error *error) {
    if (!query->solid || !query->points || query->point_count < 2 ||
        query->point_count > TR_PROFILE_POINTS_MAX)
        return tr_fail(error, TR_INVALID, "a profile needs a solid and a path of 2 to %u points, not %u",
                       TR_PROFILE_POINTS_MAX, query->point_count);
    for (uint32_t i = 0; i < query->point_count; i++)
        if (!is_place(query->points[i]))
            return tr_fail(error, TR_INVALID, "point %u of the path is (%g, %g)", i,
                           (double)query->points[i].x, (double)query->points[i].z);
    if (!(fabsf(query->height) <= TR_SCENE_EXTENT_MAX) || !(query->knee > 0 && query->knee < 1e6f) ||
        !(query->reach >= 0 && query->reach < 1e6f))
        return tr_fail(error, TR_INVALID, "height %g, knee %g or reach %g of a profile is out of range",
                       (double)query->height, (double)query->knee, (double)query->reach);
    return TR_OK;
}

// Half the tangent of the turn from one direction to another is what a strip of this half width lacks on the
// outside of a corner.
static float wedge(tr_vec2 a, tr_vec2 b, float half) {
    float cross = fabsf(a.x * b.z - a.z * b.x), dot = 1 + tr_vec2_dot(a, b);
    float tangent = dot > 0.05f ? cross / dot : 4;
    return half * profile_low(tangent, 4);
}

static tr_status take_legs(tr_profile *profile, const tr_profile_query *query, tr_error *error) {
    const tr_profile_def *def = &profile->def;
    float length = 0, half = 0.5f * (float)def->rows * def->row;
    profile->leg_count = profile->columns = 0;
    for (uint32_t i = 1; i < query->point_count; i++) {
        tr_vec2 way = tr_vec2_subtract(query->points[i], query->points[i - 1]);
        float size = tr_vec2_length(way);
        if (!(size > 1e-4f))
            continue;
        profile_leg *leg = &profile->legs[profile->leg_count++];
        *leg = (profile_leg){.from = query->points[i - 1], .begin = length, .end = length + size};
        leg->ahead = tr_vec2_scale(way, 1 / size);
        leg->heading = (float)tr_arc_tangent((double)way.x, (double)way.z);
        length += size;
        if (profile->leg_count > 1)
            leg->before = leg[-1].behind = wedge(leg[-1].ahead, leg->ahead, half);
    }
    if (profile->leg_count == 0)
        return tr_fail(error, TR_INVALID, "the path of a profile has no length");
    float columns = ceilf(length / def->cell - 1e-3f);
    if (!(columns <= (float)def->columns)) {
        profile->leg_count = 0;
        return tr_fail(error, TR_LIMIT, "the path is %g m long, the profile has room for %g m",
                       (double)length, (double)((float)def->columns * def->cell));
    }
    profile->columns = columns < 1 ? 1 : (uint32_t)columns;
    uint32_t column = 0;
    for (uint32_t i = 0; i < profile->leg_count; i++) {
        profile_leg *leg = &profile->legs[i];
        leg->first = column;
        while (column < profile->columns &&
               (i + 1 == profile->leg_count || ((float)column + 0.5f) * def->cell < leg->end))
            column++;
        leg->last = column;
    }
    return TR_OK;
}

typedef struct profile_taker {
    tr_profile *profile;
    const profile_leg *leg;
    float from, to, half; // what the strip covers [m]
    bool full;
} profile_taker;

static void set_plane(profile_triangle *triangle, const tr_profile_def *def) {
    const float *s = triangle->along, *d = triangle->aside, *y = triangle->up;
    float s1 = s[1] - s[0], s2 = s[2] - s[0], d1 = d[1] - d[0], d2 = d[2] - d[0], y1 = y[1] - y[0],
          y2 = y[2] - y[0];
    float area = s1 * d2 - s2 * d1, size = fabsf(s1 * d2) + fabsf(s2 * d1);
    for (int i = 0; i < 3; i++) {
        int from = i == 1 ? 1 : 0, to = i == 0 ? 1 : 2;
        float way = s[to] - s[from];
        triangle->edge_up[i] = way > 0 ? (y[to] - y[from]) / way : 0;
        triangle->edge_aside[i] = way > 0 ? (d[to] - d[from]) / way : 0;
    }
    triangle->upright = !(fabsf(area) > 1e-5f * size);
    if (triangle->upright)
        return;
    triangle->slope_along = (y1 * d2 - y2 * d1) / area;
    triangle->slope_aside = (s1 * y2 - s2 * y1) / area;
    triangle->base = y[0] - triangle->slope_along * s[0] - triangle->slope_aside * d[0];
    triangle->spread =
        0.5f * (fabsf(triangle->slope_along) * def->cell + fabsf(triangle->slope_aside) * def->row);
}

static void swap_corners(profile_triangle *triangle, int i, int k) {
    if (triangle->along[i] <= triangle->along[k])
        return;
    float along = triangle->along[i], up = triangle->up[i], aside = triangle->aside[i];
    triangle->along[i] = triangle->along[k], triangle->up[i] = triangle->up[k];
    triangle->aside[i] = triangle->aside[k];
    triangle->along[k] = along, triangle->up[k] = up, triangle->aside[k] = aside;
}

static void take_triangle(void *user, const tr_vec3 corners[3]) {
    profile_taker *taker = user;
    tr_profile *profile = taker->profile;
    const profile_leg *leg = taker->leg;
    profile_triangle triangle = {0};
    float from = INFINITY, to = -INFINITY, right = INFINITY, left = -INFINITY;
    for (int i = 0; i < 3; i++) {
        float x = corners[i].x - leg->from.x, z = corners[i].z - leg->from.z;
        triangle.along[i] = leg->begin + x * leg->ahead.x + z * leg->ahead.z;
        triangle.aside[i] = x * leg->ahead.z - z * leg->ahead.x;
        triangle.up[i] = corners[i].y;
        from = profile_low(from, triangle.along[i]), to = profile_high(to, triangle.along[i]);
        right = profile_low(right, triangle.aside[i]), left = profile_high(left, triangle.aside[i]);
    }
    if (from > taker->to || to < taker->from || right > taker->half || left < -taker->half)
        return;
    if (profile->triangle_count == profile->def.triangles) {
        taker->full = true;
        return;
    }
    // A corner that lies on the border of two columns touches both.
    float cell = profile->def.cell, begin = from / cell - 1e-3f, end = to / cell + 1e-3f;
    uint32_t first = begin <= (float)leg->first ? leg->first : (uint32_t)begin;
    first = first < leg->last ? first : leg->last - 1;
    triangle.last = end >= (float)profile->columns ? profile->columns : end <= 0 ? 0 : (uint32_t)end;
    if (leg->behind > 0 && first == leg->last - 1)
        triangle.last = profile->columns;
    swap_corners(&triangle, 0, 1);
    swap_corners(&triangle, 1, 2);
    swap_corners(&triangle, 0, 1);
    set_plane(&triangle, &profile->def);
    triangle.next = profile->begin[first];
    profile->begin[first] = profile->triangle_count;
    profile->triangles[profile->triangle_count++] = triangle;
}

// The box around the strip of a leg, of any height.
static tr_box box_of(const profile_leg *leg, const profile_taker *taker) {
    tr_box box = tr_box_empty();
    for (int i = 0; i < 4; i++) {
        float along = (i & 1 ? taker->from : taker->to) - leg->begin,
              aside = i & 2 ? taker->half : -taker->half;
        box = tr_box_include(box, tr_vec3_make(leg->from.x + along * leg->ahead.x + aside * leg->ahead.z, 0,
                                               leg->from.z + along * leg->ahead.z - aside * leg->ahead.x));
    }
    box.min.y = -2 * TR_SCENE_EXTENT_MAX;
    box.max.y = 2 * TR_SCENE_EXTENT_MAX;
    return box;
}

static bool cut_leg(tr_profile *profile, const profile_leg *leg, const tr_profile_query *query) {
    if (leg->first == leg->last)
        return true;
    float cell = profile->def.cell;
    profile_taker taker = {.profile = profile,
                           .leg = leg,
                           .from = (float)leg->first * cell - leg->before,
                           .to = (float)leg->last * cell + leg->behind,
                           .half = 0.5f * (float)profile->def.rows * profile->def.row};
    profile->triangle_count = 0;
    for (uint32_t i = leg->first; i < leg->last; i++)
        profile->begin[i] = TR_NONE;
    tr_solid_triangles_in(query->solid, box_of(leg, &taker), take_triangle, &taker);
    if (!taker.full)
        tr_profile_lay(profile, leg, query);
    return !taker.full;
}

tr_status tr_profile_cut(tr_profile *profile, const tr_profile_query *query, tr_error *error) {
    profile->columns = profile->leg_count = 0;
    tr_status status = check_query(query, error);
    if (status == TR_OK)
        status = take_legs(profile, query, error);
    if (status != TR_OK)
        return status;
    size_t cells = (size_t)profile->columns * profile->def.rows;
    profile->kept = query->height;
    for (size_t i = 0; i < cells; i++) {
        profile->floor[i] = profile->top[i] = -INFINITY;
        profile->under[i] = INFINITY;
    }
    for (uint32_t i = 0; i < profile->leg_count; i++)
        if (!cut_leg(profile, &profile->legs[i], query)) {
            profile->columns = profile->leg_count = 0;
            return tr_fail(error, TR_LIMIT, "more than %u triangles beside a leg of the path",
                           profile->def.triangles);
        }
    return TR_OK;
}

tr_profile_view tr_profile_look(const tr_profile *profile) {
    return (tr_profile_view){profile->def.cell, profile->def.row, profile->columns, profile->def.rows,
                             profile->floor,    profile->top,     profile->under};
}

tr_vec2 tr_profile_place(const tr_profile *profile, float along, float aside, float *heading) {
    const profile_leg *leg = profile->legs;
    if (profile->leg_count == 0) {
        *heading = 0;
        return tr_vec2_make(aside, along);
    }
    while (leg + 1 < profile->legs + profile->leg_count && along >= leg->end)
        leg++;
    float ahead = along - leg->begin;
    *heading = leg->heading;
    return tr_vec2_make(leg->from.x + ahead * leg->ahead.x + aside * leg->ahead.z,
                        leg->from.z + ahead * leg->ahead.z - aside * leg->ahead.x);
}

void tr_profile_find(const tr_profile *profile, tr_vec2 point, float *along, float *aside) {
    float best = INFINITY;
    *along = point.z, *aside = point.x;
    for (uint32_t i = 0; i < profile->leg_count; i++) {
        const profile_leg *leg = &profile->legs[i];
        tr_vec2 way = tr_vec2_subtract(point, leg->from);
        float ahead = tr_vec2_dot(way, leg->ahead), length = leg->end - leg->begin;
        float off = i > 0 && ahead < 0                             ? -ahead
                    : i + 1 < profile->leg_count && ahead > length ? ahead - length
                                                                   : 0;
        float side = way.x * leg->ahead.z - way.z * leg->ahead.x, square = off * off + side * side;
        if (square < best) {
            best = square;
            *along = leg->begin + ahead;
            *aside = side;
        }
    }
}
