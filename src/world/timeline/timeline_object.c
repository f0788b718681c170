// Objects as rectangles seen from above. A box that is moved, turned and scaled lies in a rectangle with any
// two perpendicular sides that are as wide as the box in these directions; where the box stands upright, the
// sides are chosen along it. During a tick the rectangle moves in a straight line and contains, about its
// moving middle, the whole motion of the object: its corners at both ends of the tick and at every key
// between. Between two of those a corner deviates from the straight line by no more than an eighth of its
// acceleration.
#include "timeline_data.h"

#include "troupe/base/scalar.h"

// A placed box: its middle, and three half sides as vectors.
typedef struct placed_box {
    double middle[3], sides[3][3];
} placed_box;

static placed_box place(const tr_affine *m, tr_box local) {
    const double low[3] = {local.min.x, local.min.y, local.min.z},
                 high[3] = {local.max.x, local.max.y, local.max.z};
    placed_box placed;
    for (int i = 0; i < 3; i++) {
        placed.middle[i] = m->m[i][3];
        for (int k = 0; k < 3; k++) {
            placed.middle[i] += m->m[i][k] * (low[k] + high[k]) / 2;
            placed.sides[k][i] = m->m[i][k] * (high[k] - low[k]) / 2;
        }
    }
    return placed;
}

// Half of the box's extent in a direction seen from above, and in height.
static double half_along(const placed_box *box, double x, double z) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fabs(box->sides[k][0] * x + box->sides[k][2] * z);
    return sum;
}

static double half_height(const placed_box *box) {
    return fabs(box->sides[0][1]) + fabs(box->sides[1][1]) + fabs(box->sides[2][1]);
}

// The direction of a side where the box stands upright (to a thousandth); else that of the x axis. Returns
// whether it stands upright.
static bool direction_of(const tr_affine *m, double *x, double *z) {
    double upright = m->m[1][1],
           side = sqrt((double)m->m[0][0] * m->m[0][0] + (double)m->m[2][0] * m->m[2][0]),
           other = sqrt((double)m->m[0][2] * m->m[0][2] + (double)m->m[2][2] * m->m[2][2]);
    bool is_upright = fabs(m->m[0][1]) + fabs(m->m[2][1]) <= 1e-3 * upright &&
                      fabs(m->m[1][0]) <= 1e-3 * side && fabs(m->m[1][2]) <= 1e-3 * other && side > 0;
    *x = is_upright ? m->m[0][0] / side : 1;
    *z = is_upright ? m->m[2][0] / side : 0;
    return is_upright;
}

// Converts to floats, with a margin for their rounding.
static moving_rectangle to_floats(const double middle[2], const double move[2], const double along[2],
                                  double half_a, double half_b, double low, double high) {
    double hair =
        1e-6 + 5e-7 * (fabs(middle[0]) + fabs(middle[1]) + fabs(move[0]) + fabs(move[1]) + half_a + half_b);
    moving_rectangle made = {.x = (float)middle[0],
                             .z = (float)middle[1],
                             .move_x = (float)move[0],
                             .move_z = (float)move[1],
                             .along_x = (float)along[0],
                             .along_z = (float)along[1],
                             .half_along = (float)(half_a + hair),
                             .half_across = (float)(half_b + hair),
                             .low = (float)low,
                             .high = (float)high};
    return made;
}

static tr_box local_box(const tr_scene *scene, const scene_object *object) {
    return object->mesh == TR_NONE ? object->bounds : scene->meshes[object->mesh].bounds;
}

moving_rectangle tr_timeline_rectangle(const tr_scene *scene, const scene_object *object) {
    placed_box box = place(&object->placement, local_box(scene, object));
    double along[2], middle[2] = {box.middle[0], box.middle[2]}, move[2] = {0, 0}, tall = half_height(&box);
    direction_of(&object->placement, &along[0], &along[1]);
    return to_floats(middle, move, along, half_along(&box, along[0], along[1]),
                     half_along(&box, -along[1], along[0]), box.middle[1] - tall, box.middle[1] + tall);
}

flat_box tr_timeline_rectangle_box(const moving_rectangle *r) {
    float wide = fabsf(r->along_x) * r->half_along + fabsf(r->along_z) * r->half_across,
          deep = fabsf(r->along_z) * r->half_along + fabsf(r->along_x) * r->half_across;
    float left = r->move_x < 0 ? r->move_x : 0, right = r->move_x > 0 ? r->move_x : 0,
          near = r->move_z < 0 ? r->move_z : 0, far = r->move_z > 0 ? r->move_z : 0;
    flat_box box = {
        r->x - wide + left, r->x + wide + right, r->z - deep + near, r->z + deep + far, r->low, r->high};
    return box_grow(box, 0, 0, 0);
}

// --- During a tick ---

typedef struct tick_sweep {
    tr_box local;
    double from, length;       // of the time [s]
    double middle[2], move[2]; // the middle at the beginning, and its displacement
    double along[2];
    double half_a, half_b, low, high; // so far
    double bulge;                     // greatest deviation of a corner from its chord, so far
    tr_transform last;                // the previous one
    bool is_upright;                  // all of them
} tick_sweep;

// A corner moves along p + R(t) S(t) q, where S changes at a constant rate and R turns at a constant rate.
static double bulge_between(const tick_sweep *sweep, tr_transform a, tr_transform b) {
    tr_vec3 low = sweep->local.min, high = sweep->local.max;
    double q[3] = {box_far(low.x, high.x), box_far(low.y, high.y), box_far(low.z, high.z)};
    double s[3] = {fmax(fabs(a.scale.x), fabs(b.scale.x)), fmax(fabs(a.scale.y), fabs(b.scale.y)),
                   fmax(fabs(a.scale.z), fabs(b.scale.z))},
           d[3] = {(double)b.scale.x - a.scale.x, (double)b.scale.y - a.scale.y,
                   (double)b.scale.z - a.scale.z};
    double cosine = fabs((double)a.rotation.x * b.rotation.x + (double)a.rotation.y * b.rotation.y +
                         (double)a.rotation.z * b.rotation.z + (double)a.rotation.w * b.rotation.w);
    double angle = cosine < 1 ? TR_PI * sqrt(1 - cosine * cosine) : 0; // at least: sin(x) >= 2 x / pi
    double reach = sqrt(q[0] * q[0] * s[0] * s[0] + q[1] * q[1] * s[1] * s[1] + q[2] * q[2] * s[2] * s[2]),
           swell = sqrt(q[0] * q[0] * d[0] * d[0] + q[1] * q[1] * d[1] * d[1] + q[2] * q[2] * d[2] * d[2]);
    return (angle * angle * reach + 2 * angle * swell) / 8 + 2e-6 * (reach + swell);
}

// The object at one time.
typedef struct moment {
    tr_transform at;
    placed_box box;
    double along[2];
    bool is_upright;
} moment;

static moment moment_of(const tick_sweep *sweep, tr_transform at) {
    tr_affine m = tr_affine_from_transform(at);
    moment made = {.at = at, .box = place(&m, sweep->local)};
    made.is_upright = direction_of(&m, &made.along[0], &made.along[1]);
    return made;
}

static void include_moment(tick_sweep *sweep, const moment *is, double time) {
    const placed_box box = is->box;
    sweep->is_upright &= is->is_upright;
    double share = sweep->length > 0 ? (time - sweep->from) / sweep->length : 0;
    double x = box.middle[0] - sweep->middle[0] - sweep->move[0] * share,
           z = box.middle[2] - sweep->middle[1] - sweep->move[1] * share, tall = half_height(&box);
    double u = sweep->along[0], w = sweep->along[1];
    double half_a = fabs(x * u + z * w) + half_along(&box, u, w),
           half_b = fabs(z * u - x * w) + half_along(&box, -w, u);
    sweep->half_a = half_a > sweep->half_a ? half_a : sweep->half_a;
    sweep->half_b = half_b > sweep->half_b ? half_b : sweep->half_b;
    sweep->low = box.middle[1] - tall < sweep->low ? box.middle[1] - tall : sweep->low;
    sweep->high = box.middle[1] + tall > sweep->high ? box.middle[1] + tall : sweep->high;
    double bulge = bulge_between(sweep, sweep->last, is->at);
    sweep->bulge = bulge > sweep->bulge ? bulge : sweep->bulge;
    sweep->last = is->at;
}

static void include(tick_sweep *sweep, tr_transform at, double time) {
    moment made = moment_of(sweep, at);
    include_moment(sweep, &made, time);
}

// Includes all keys between two times in one round of the trajectory, shifted by `base`.
static void include_keys(tick_sweep *sweep, const tr_trajectory *way, double base, double from, double to) {
    uint32_t low = 0, high = way->count;
    while (low < high) { // the first key after `from`
        uint32_t middle = low + (high - low) / 2;
        if (way->times[middle] + base > from)
            high = middle;
        else
            low = middle + 1;
    }
    for (; low < way->count && way->times[low] + base < to; low++) {
        if (low == 0)
            sweep->last = way->transforms[0]; // a jump passes no place between
        include(sweep, way->transforms[low], way->times[low] + base);
    }
}

static void include_between(tick_sweep *sweep, const tr_trajectory *way, double to) {
    double begin = tr_trajectory_begin(way), length = tr_trajectory_end(way) - begin;
    // A small tolerance around the ends: the time within a round is rounded, and the jump from the last key
    // to the first must not be missed.
    double hair = 1e-9 * (1 + fabs(to));
    if (!way->loop || !(length > 0) || to + hair < begin + length) {
        include_keys(sweep, way, 0, sweep->from, to);
        return;
    }
    double round = floor((sweep->from - hair - begin) / length), rounds = floor((to + hair - begin) / length);
    round = round > 0 ? round : 0;
    if (rounds - round > 2) { // several rounds in a tick: the object may be anywhere
        sweep->last = way->transforms[0];
        for (uint32_t i = 0; i < way->count; i++)
            include(sweep, way->transforms[i], sweep->from);
        sweep->last = way->transforms[0];
        for (uint32_t i = 0; i < way->count; i++)
            include(sweep, way->transforms[i], to);
        return;
    }
    for (; round <= rounds; round++)
        include_keys(sweep, way, round * length, sweep->from - hair, to + hair);
}

moving_rectangle tr_timeline_sample(const tr_scene *scene, const scene_object *object, double from, double to,
                                    tr_transform *at) {
    const tr_trajectory *way = object->trajectory;
    tick_sweep sweep = {.local = local_box(scene, object),
                        .from = from,
                        .length = to - from,
                        .last = *at,
                        .low = INFINITY,
                        .high = -INFINITY,
                        .is_upright = true};
    moment first = moment_of(&sweep, *at), last = first;
    if (to > from)
        last = moment_of(&sweep, tr_trajectory_sample(way, to));
    double x = first.along[0] + last.along[0], z = first.along[1] + last.along[1], size = sqrt(x * x + z * z);
    sweep.along[0] = size > 0.1 ? x / size : first.along[0];
    sweep.along[1] = size > 0.1 ? z / size : first.along[1];
    sweep.middle[0] = first.box.middle[0];
    sweep.middle[1] = first.box.middle[2];
    sweep.move[0] = last.box.middle[0] - first.box.middle[0];
    sweep.move[1] = last.box.middle[2] - first.box.middle[2];
    include_moment(&sweep, &first, from);
    if (to > from) {
        include_between(&sweep, way, to);
        include_moment(&sweep, &last, to);
    }
    *at = last.at;
    double rise =
        sweep.is_upright ? 2e-3 * sweep.bulge : sweep.bulge; // turning an upright box raises nothing
    return to_floats(sweep.middle, sweep.move, sweep.along, sweep.half_a + sweep.bulge,
                     sweep.half_b + sweep.bulge, sweep.low - rise, sweep.high + rise);
}

// --- Changes of a trajectory ---

static bool same(const tr_transform *a, const tr_transform *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w && a->scale.x == b->scale.x && a->scale.y == b->scale.y &&
           a->scale.z == b->scale.z;
}

// Searches the keys of one round, shifted by `base`.
static bool change_in_round(const tr_trajectory *way, double base, double time, double *begin, double *end) {
    uint32_t low = 1, high = way->count;
    while (low < high) { // the first interval that ends after `time`
        uint32_t middle = low + (high - low) / 2;
        if (way->times[middle] + base > time)
            high = middle;
        else
            low = middle + 1;
    }
    for (; low < way->count; low++)
        if (!same(&way->transforms[low - 1], &way->transforms[low])) {
            *begin = way->times[low - 1] + base;
            *end = way->times[low] + base;
            return true;
        }
    double wrap = tr_trajectory_end(way) + base; // a loop may jump
    if (!way->loop || !(wrap > time) || same(&way->transforms[0], &way->transforms[way->count - 1]))
        return false;
    *begin = *end = wrap;
    return true;
}

void tr_timeline_next_change(const tr_trajectory *way, double time, double *begin, double *end) {
    double first = tr_trajectory_begin(way), length = tr_trajectory_end(way) - first;
    *begin = *end = INFINITY;
    if (!way->loop || !(length > 0) || time < first) {
        if (change_in_round(way, 0, time, begin, end) || !way->loop)
            return;
    }
    if (!(length > 0))
        return;
    double round = floor((time - first) / length);
    round = round > 0 ? round : 0;
    if (!change_in_round(way, round * length, time, begin, end))
        change_in_round(way, (round + 1) * length, time, begin, end);
}
