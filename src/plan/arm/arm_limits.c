#include "arm_limits.h"

#include "troupe/base/scalar.h"

arm_arc tr_arm_arc(double low, double high) {
    low -= ARM_WIDER;
    high += ARM_WIDER;
    arm_arc arc = {.all = high - low >= 2 * TR_PI, .wide = high - low > TR_PI};
    tr_sin_cos(low, &arc.low_s, &arc.low_c);
    tr_sin_cos(high, &arc.high_s, &arc.high_c);
    return arc;
}

arm_bands tr_arm_bands(double low, double high) {
    const double square = TR_PI / 2, none = 3, any = 2;
    double from, to, c;
    low -= ARM_WIDER;
    high += ARM_WIDER;
    tr_sin_cos(low, &from, &c);
    tr_sin_cos(high, &to, &c);
    arm_bands bands = {{none, none, -any}, {any, any, -none}, {from, to}};
    bands.low[0] = low <= -square ? -any : low > square ? none : from;
    bands.high[0] = high >= square ? any : high < -square ? -none : to;
    if (high >= square) { // beyond a right angle the sine decreases
        bands.low[1] = to > 0 ? to : 0;
        bands.high[1] = low > square ? from : any;
    }
    if (low <= -square) {
        bands.high[2] = from < 0 ? from : 0;
        bands.low[2] = high < -square ? to : -any;
    }
    return bands;
}

bool tr_arm_arc_holds(const arm_arc *arc, double c, double s) {
    if (arc->all)
        return true;
    bool after = arc->low_c * s - arc->low_s * c >= 0, before = c * arc->high_s - s * arc->high_c >= 0;
    return arc->wide ? after || before : after && before;
}

static bool bands_hold(const arm_bands *bands, double sine, uint32_t branch) {
    if (branch == 0)
        return sine >= bands->low[0] && sine <= bands->high[0];
    return (sine >= bands->low[1] && sine <= bands->high[1]) ||
           (sine >= bands->low[2] && sine <= bands->high[2]);
}

bool tr_arm_triple_holds(const arm_triple *triple, double c, double s, uint32_t branch) {
    double sign = branch ? -1 : 1, last = triple->last_alone ? 1 : sign;
    return bands_hold(&triple->bands, arm_linear_at(&triple->middle, c, s), branch) &&
           tr_arm_arc_holds(&triple->first_arc, sign * arm_linear_at(&triple->first[0], c, s),
                            sign * arm_linear_at(&triple->first[1], c, s)) &&
           tr_arm_arc_holds(&triple->last_arc, last * arm_linear_at(&triple->last[0], c, s),
                            last * arm_linear_at(&triple->last[1], c, s));
}

// a + b cos + c sin = 0
static void add_roots(double a, double b, double c, arm_roots *roots) {
    double square = b * b + c * c, rest = square - a * a;
    if (!(rest >= 0 && square > 1e-24))
        return;
    double side = sqrt(rest), scale = 1 / square;
    for (int k = 0; k < 2 && roots->count < ARM_ROOTS_MAX; k++, side = -side) {
        arm_root *root = &roots->at[roots->count++];
        root->c = (-a * b - c * side) * scale;
        root->s = (b * side - a * c) * scale;
        // Increases with the angle from -pi to pi.
        double across = 1 - root->c / (fabs(root->c) + fabs(root->s));
        root->order = root->s < 0 ? -across : across;
    }
}

static void add_arc_roots(const arm_arc *arc, const arm_linear pair[2], arm_roots *roots) {
    if (arc->all)
        return;
    const double *c = pair[0].k, *s = pair[1].k;
    add_roots(arc->low_c * s[0] - arc->low_s * c[0], arc->low_c * s[1] - arc->low_s * c[1],
              arc->low_c * s[2] - arc->low_s * c[2], roots);
    add_roots(arc->high_c * s[0] - arc->high_s * c[0], arc->high_c * s[1] - arc->high_s * c[1],
              arc->high_c * s[2] - arc->high_s * c[2], roots);
}

void tr_arm_triple_roots(const arm_triple *triple, arm_roots *roots) {
    const double *m = triple->middle.k;
    for (int k = 0; k < 2; k++)
        add_roots(m[0] - triple->bands.edge[k], m[1], m[2], roots);
    add_arc_roots(&triple->first_arc, triple->first, roots);
    add_arc_roots(&triple->last_arc, triple->last, roots);
}

void tr_arm_roots_sort(arm_roots *roots) {
    for (uint32_t k = 1; k < roots->count; k++) {
        arm_root moved = roots->at[k];
        uint32_t to = k;
        for (; to > 0 && roots->at[to - 1].order > moved.order; to--)
            roots->at[to] = roots->at[to - 1];
        roots->at[to] = moved;
    }
    uint32_t kept = roots->count > 0;
    for (uint32_t k = 1; k < roots->count; k++)
        if (roots->at[k].order - roots->at[kept - 1].order > 1e-12)
            roots->at[kept++] = roots->at[k];
    if (kept > 1 && roots->at[0].order + 4 - roots->at[kept - 1].order <= 1e-12)
        kept--;
    roots->count = kept;
}

void tr_arm_roots_middle(const arm_roots *roots, uint32_t k, double *c, double *s) {
    const arm_root *from = &roots->at[k];
    if (roots->count < 2) {
        *c = roots->count ? -from->c : 1;
        *s = roots->count ? -from->s : 0;
        return;
    }
    // The chord rotated back by a quarter turn points to the middle of its arc, however long that is.
    const arm_root *to = &roots->at[k + 1 < roots->count ? k + 1 : 0];
    double x = to->s - from->s, y = from->c - to->c, scale = 1 / sqrt(x * x + y * y);
    *c = x * scale;
    *s = y * scale;
}

static float root_angle(const arm_root *root) {
    double angle = tr_arc_tangent(root->s, root->c);
    const float most = 3.14159250f; // the last float below pi
    return angle >= most ? -most : angle < -most ? -most : (float)angle;
}

uint32_t tr_arm_roots_join(const arm_roots *roots, const bool *kept, uint32_t branch, tr_arm_range *ranges,
                           uint32_t max) {
    uint32_t count = roots->count, written = 0, begin = 0;
    while (begin < count && (kept[begin] == false || kept[begin ? begin - 1 : count - 1]))
        begin++;
    if (begin >= count) { // all or nothing
        if (!kept[0] || max == 0)
            return 0;
        ranges[0] = (tr_arm_range){-3.14159250f, 3.14159250f, branch};
        return 1;
    }
    for (uint32_t step = 0; step < count && written < max;) {
        uint32_t first = (begin + step) % count;
        if (!kept[first]) {
            step++;
            continue;
        }
        while (step < count && kept[(begin + step) % count])
            step++;
        tr_arm_range *range = &ranges[written++];
        range->low = root_angle(&roots->at[first]);
        range->high = root_angle(&roots->at[(begin + step) % count]);
        range->branch = branch;
        if (range->high < range->low)
            range->high += (float)(2 * TR_PI);
    }
    return written;
}
