// Smooth ways. The shortest way turns on a point at every corner, and a walker slows down with the curvature
// of its way. Around its corners a way becomes a stiff band under tension, in the room that there is on both
// sides: it swings wide before and after an obstacle, and cuts corners where nothing stands.
#include "go_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define STEP 0.2       // between the nodes of a band [m]
#define REACH 1.6       // a corner changes the way this far before and after it [m]
#define ASIDE 0.6f      // and moves it by at most this [m]
#define STIFF 0.6       // over this length a bend fades away, in radii of query->bend
#define SWEEPS 48       // over a band, until it lies where it will lie
#define OVER 1.6        // over-relaxation
#define REPAIRS 5       // times that a band is narrowed where it does not fit
#define REPAIR_SWEEPS 8 // and laid again
#define CORNER 0.05     // smaller turns are left as they are [rad]
#define FORWARD 0.2     // nodes keep this share of their distance
#define STILL 1e-4      // a smaller offset is none [m]
#define STEPS_NEAR 1.2  // this near to steps the corners of a way stay unchanged [m]
#define LEVEL 0.03f     // height difference of steps [m]
#define STRAIGHT 0.006  // nodes nearer to the line between others are left out [m]
#define STRAIGHT_MOST 0.05
#define LEVEL_STRAIGHT 0.01f // nor are nodes left out that are higher or lower than others by this [m]
#define TURNS_BACK 0.5f  // length of the sum of two unit vectors across a corner
#define ROOM_STEP 0.05f // [m]
#define CUT 0.8         // a sharp corner that is free is cut off this far before and after it [m],
#define CUT_SHARE 0.45  // or by this share of the way to the next corners,
#define CUT_TURN 0.5    // if it turns by more than this [rad]
#define KINK 0.3        // nearer points [m],
#define KINK_TURN 1.75  // and sharper turns, are kinks where a line leads past them [rad]
#define NODES 320

typedef struct band_node {
    double x, z;          // on the path
    double nx, nz;        // across the path, to the right
    double px, pz;        // on the band
    double low, high;     // how far it may be moved across
    double off;           // how far it is moved
    double back;          // distance from the node before, along the path
    double before, after; // weights of the neighbours in the curvature here
    double mass;          // length of path that this curvature stands for
    double stiffness;     // second derivative of the energy for `off`
    float y;              // of the floor
} band_node;

typedef struct band {
    const tr_ground *ground;
    uint32_t size;
    double tension;
    uint32_t count;
    band_node nodes[NODES];
} band;

// The path that is read, and the path that is written.
typedef struct smoother {
    band band;
    tr_path_point from[GO_POINTS_MAX];
    uint32_t from_count;
    tr_path_point made[GO_POINTS_MAX];
    bool of_band[GO_POINTS_MAX]; // the point may be left out
    uint32_t count;
    bool full;
    double along[GO_POINTS_MAX];                 // of the points of the run
    double along_end, still_before, still_after; // its end, and where it may be moved
    double reached;                              // by the band
} smoother;

static double length_between(tr_vec3 a, tr_vec3 b) {
    double x = (double)b.x - a.x, z = (double)b.z - a.z;
    return sqrt(x * x + z * z);
}

static bool is_plain(const smoother *s, uint32_t piece) {
    const tr_path_point *a = &s->from[piece], *b = a + 1;
    return b->move == TR_PATH_WALK && fabsf(b->position.y - a->position.y) <= LEVEL;
}

// The turn at a point between two plain pieces [rad, >= 0].
static double turn_at(const smoother *s, uint32_t i) {
    tr_vec3 a = s->from[i - 1].position, b = s->from[i].position, c = s->from[i + 1].position;
    double ux = (double)b.x - a.x, uz = (double)b.z - a.z, vx = (double)c.x - b.x, vz = (double)c.z - b.z;
    return fabs(tr_arc_tangent(ux * vz - uz * vx, ux * vx + uz * vz));
}

static bool is_corner(const smoother *s, uint32_t i) {
    return i > 0 && i + 1 < s->from_count && is_plain(s, i - 1) && is_plain(s, i) && turn_at(s, i) > CORNER;
}

// --- The band ---

static void curvature(const band_node *n, double *x, double *z) {
    *x = n->before * (n[-1].px - n->px) + n->after * (n[1].px - n->px);
    *z = n->before * (n[-1].pz - n->pz) + n->after * (n[1].pz - n->pz);
}

// Weights of the energy: half the square of the curvature, and the tension, along the path.
static void weigh(band *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        band_node *n = &b->nodes[i];
        bool inside = i > 0 && i + 1 < b->count;
        double ahead = inside ? n[1].back : 0;
        n->before = inside ? 2 / ((n->back + ahead) * n->back) : 0;
        n->after = inside ? 2 / ((n->back + ahead) * ahead) : 0;
        n->mass = 0.5 * (n->back + ahead);
        n->px = n->x, n->pz = n->z, n->off = 0;
    }
    for (uint32_t i = 1; i + 1 < b->count; i++) {
        band_node *n = &b->nodes[i];
        double own = n->before + n->after;
        n->stiffness = n[-1].mass * n[-1].after * n[-1].after + n->mass * own * own +
                       n[1].mass * n[1].before * n[1].before + b->tension * (1 / n->back + 1 / n[1].back);
    }
}

static void move_node(band_node *n, double off) {
    n->off = off;
    n->px = n->x + off * n->nx;
    n->pz = n->z + off * n->nz;
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// One sweep of projected, over-relaxed Gauss and Seidel.
static void sweep(band *b) {
    for (uint32_t i = 1; i + 1 < b->count; i++) {
        band_node *n = &b->nodes[i];
        if (n->low == n->high)
            continue;
        double kx, kz, bx = 0, bz = 0, ax = 0, az = 0;
        curvature(n, &kx, &kz);
        if (i > 1)
            curvature(n - 1, &bx, &bz);
        if (i + 2 < b->count)
            curvature(n + 1, &ax, &az);
        double own = n->mass * (n->before + n->after), before = n[-1].mass * n[-1].after,
               after = n[1].mass * n[1].before, tb = b->tension / n->back, ta = b->tension / n[1].back;
        double x = before * bx - own * kx + after * ax + tb * (n->px - n[-1].px) - ta * (n[1].px - n->px),
               z = before * bz - own * kz + after * az + tb * (n->pz - n[-1].pz) - ta * (n[1].pz - n->pz);
        double off = n->off - OVER * (x * n->nx + z * n->nz) / n->stiffness;
        move_node(n, clamp(off, n->low, n->high));
    }
}

static bool is_moved(const band_node *n) {
    return fabs(n->off) > STILL;
}

static tr_vec3 place_of(const band_node *n) {
    return tr_vec3_make((float)n->px, n->y, (float)n->pz);
}

static bool may_walk(const band *b, tr_vec3 from, tr_vec3 to) {
    return tr_ground_sees(b->ground, b->size, from, to) &&
           tr_way_is_level(b->ground, from, to, from.y, tr_ground_size(b->ground, b->size)->foot_rise);
}

// Is the band free between a node and the one before it, and does it lead forward there?
static bool fits(const band *b, uint32_t i) {
    const band_node *a = &b->nodes[i - 1], *n = &b->nodes[i];
    if (!is_moved(a) && !is_moved(n))
        return true;
    double along = (n->px - a->px) * (n->x - a->x) + (n->pz - a->pz) * (n->z - a->z);
    return along > FORWARD * n->back * n->back && may_walk(b, place_of(a), place_of(n));
}

static void narrow(band_node *n, double share) {
    n->low *= share, n->high *= share;
    if (n->high - n->low < 4 * STILL)
        n->low = n->high = 0;
    move_node(n, clamp(n->off, n->low, n->high));
}

// Lays the band. Where it does not fit it gets less room; the path itself always fits.
static void lay(band *b) {
    weigh(b);
    for (int i = 0; i < SWEEPS; i++)
        sweep(b);
    bool good = false;
    for (int pass = 0; !good; pass++) {
        good = true;
        for (uint32_t i = 1; i < b->count; i++) {
            if (fits(b, i))
                continue;
            good = false;
            narrow(&b->nodes[i - 1], pass < REPAIRS ? 0.5 : 0);
            narrow(&b->nodes[i], pass < REPAIRS ? 0.5 : 0);
        }
        for (int i = 0; i < REPAIR_SWEEPS && !good && pass < REPAIRS; i++)
            sweep(b);
    }
}

// --- From path to path ---

static void write_point(smoother *s, tr_path_point point, bool of_band) {
    s->full = s->full || s->count == GO_POINTS_MAX;
    if (s->full)
        return;
    s->of_band[s->count] = of_band;
    s->made[s->count++] = point;
}

// Writes the nodes of the band, except where it begins at the last point.
static void write_band(smoother *s, bool first) {
    const band *b = &s->band;
    for (uint32_t i = first ? 0 : 1; i < b->count; i++) {
        tr_path_point point = {place_of(&b->nodes[i]), TR_PATH_WALK, TR_NONE};
        float height;
        if (is_moved(&b->nodes[i]) && tr_ground_is_free(b->ground, b->size, point.position, &height))
            point.position.y = height;
        write_point(s, point, true);
    }
}

// May one line replace those from point `a` to point `c`? All points in between are of bands and near it.
static bool is_straight(const smoother *s, uint32_t a, uint32_t c, double straight) {
    tr_vec3 from = s->made[a].position, to = s->made[c].position;
    double x = (double)to.x - from.x, z = (double)to.z - from.z, length = sqrt(x * x + z * z);
    for (uint32_t i = a + 1; i < c; i++) {
        tr_vec3 n = s->made[i].position;
        if (!s->of_band[i] || fabsf(n.y - from.y) > LEVEL_STRAIGHT ||
            !(fabs(((double)n.x - from.x) * z - ((double)n.z - from.z) * x) <= straight * length))
            return false;
    }
    return s->made[c].move == TR_PATH_WALK && fabsf(to.y - from.y) <= LEVEL_STRAIGHT;
}

// The points that the shape of the way needs. false: there are more than `most`.
static bool thin(const smoother *s, double straight, tr_path_point *points, uint32_t most, uint32_t *count) {
    *count = 0;
    points[(*count)++] = s->made[0];
    for (uint32_t a = 0; a + 1 < s->count;) {
        uint32_t c = a + 1;
        while (c + 1 < s->count && is_straight(s, a, c + 1, straight))
            c++;
        while (c > a + 1 && !may_walk(&s->band, s->made[a].position, s->made[c].position))
            c--;
        if (*count == most)
            return false;
        points[(*count)++] = s->made[c];
        a = c;
    }
    return true;
}

static tr_vec2 across_of(tr_vec3 a, tr_vec3 b) {
    double x = (double)b.x - a.x, z = (double)b.z - a.z, length = sqrt(x * x + z * z);
    return length > 0 ? (tr_vec2){(float)(-z / length), (float)(x / length)} : (tr_vec2){0, 0};
}

// Across the path at a point: along the line that halves the corner; none where the path turns back.
static tr_vec2 across_at(const smoother *s, uint32_t i) {
    tr_vec2 a = across_of(s->from[i - 1].position, s->from[i].position),
            b = across_of(s->from[i].position, s->from[i + 1].position);
    float x = a.x + b.x, z = a.z + b.z, length = sqrtf(x * x + z * z);
    return length > TURNS_BACK ? (tr_vec2){x / length, z / length} : (tr_vec2){0, 0};
}

// How far there is room across the path, to the right (`side` 1) or to the left (-1), to within ROOM_STEP. The
// band is examined once more when it has been laid.
static double room_beside(const band *b, tr_vec3 at, tr_vec2 across, float side) {
    float room = 0;
    for (float next = ROOM_STEP; next < ASIDE + 0.5f * ROOM_STEP; room = next, next += ROOM_STEP)
        if (!tr_ground_is_free(b->ground, b->size,
                               tr_vec3_make(at.x + side * next * across.x, at.y, at.z + side * next * across.z),
                               NULL))
            break;
    return room;
}

// Adds a node `back` after the last one. `room`: it may move.
static void add_node(smoother *s, tr_vec3 at, tr_vec2 across, double back, bool room) {
    band *b = &s->band;
    band_node *n = &b->nodes[b->count++];
    *n = (band_node){.x = at.x, .z = at.z, .nx = across.x, .nz = across.z, .back = back, .y = at.y};
    if (!room || (across.x == 0 && across.z == 0))
        return;
    n->high = room_beside(b, at, across, 1);
    n->low = -room_beside(b, at, across, -1);
}

// The nodes of a part of a piece after its begin; `begin` and `end` along the run.
static void add_piece(smoother *s, uint32_t piece, double begin, double end) {
    tr_vec3 a = s->from[piece].position, apart = tr_vec3_subtract(s->from[piece + 1].position, a);
    double first = s->along[piece], length = s->along[piece + 1] - first;
    uint32_t count = (uint32_t)((end - begin) / STEP + 1);
    tr_vec2 across = across_of(a, s->from[piece + 1].position);
    for (uint32_t k = 1; k <= count && s->band.count < NODES; k++) {
        double along = begin + (end - begin) * k / count;
        bool corner = k == count && end == s->along[piece + 1],
             room = along > s->still_before && along < s->still_after;
        tr_vec3 at = tr_vec3_add(a, tr_vec3_scale(apart, (float)((along - first) / length)));
        if (corner)
            at = s->from[piece + 1].position;
        corner = corner && piece + 2 < s->from_count;
        add_node(s, at, corner ? across_at(s, piece + 1) : across, (end - begin) / count, room);
        s->reached = along;
    }
}

// Makes the band of a window of the run, from the point `first` on, up to where there is room for its nodes.
static void make_band(smoother *s, uint32_t first, double begin, double end) {
    band *b = &s->band;
    uint32_t piece = first;
    b->count = 0;
    while (s->along[piece + 1] <= begin)
        piece++;
    tr_vec3 a = s->from[piece].position, c = s->from[piece + 1].position;
    double share = (begin - s->along[piece]) / (s->along[piece + 1] - s->along[piece]);
    add_node(s, tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(c, a), (float)share)), across_of(a, c), 0, false);
    s->reached = begin;
    for (; s->reached < end && b->count < NODES; piece++)
        add_piece(s, piece, s->reached, end < s->along[piece + 1] ? end : s->along[piece + 1]);
    // Ends are held; inside the way their direction is, too.
    b->nodes[b->count - 1].low = b->nodes[b->count - 1].high = 0;
    if (begin > 0 && b->count > 1)
        b->nodes[1].low = b->nodes[1].high = 0;
    if (b->count > 1 && s->reached < s->along_end)
        b->nodes[b->count - 2].low = b->nodes[b->count - 2].high = 0;
}

// Smooths a run of plain pieces between two points of the path. Its first point is written already.
static void smooth_run(smoother *s, uint32_t first, uint32_t last) {
    s->along[first] = 0;
    for (uint32_t i = first; i < last; i++)
        s->along[i + 1] = s->along[i] + length_between(s->from[i].position, s->from[i + 1].position);
    s->along_end = s->along[last];
    s->still_before = first > 0 ? STEPS_NEAR : 0;
    s->still_after = last + 1 < s->from_count ? s->along[last] - STEPS_NEAR : s->along[last];
    s->reached = 0;
    for (uint32_t i = first + 1; i <= last;) {
        uint32_t corner = i;
        while (corner < last && !is_corner(s, corner))
            corner++;
        double begin = corner < last ? s->along[corner] - REACH : s->along_end, end = begin + 2 * REACH;
        begin = begin > s->reached ? begin : s->reached;
        for (; i <= last && (corner == last || s->along[i] <= begin); i++)
            write_point(s, s->from[i], false);
        if (corner == last)
            break;
        for (uint32_t next = corner + 1; next < last && s->along[next] < end + REACH; next++)
            end = is_corner(s, next) ? s->along[next] + REACH : end;
        make_band(s, first, begin, end < s->along_end ? end : s->along_end);
        lay(&s->band);
        write_band(s, begin > s->along[i - 1]);
        while (i <= last && s->along[i] <= s->reached)
            i++;
    }
}

static tr_path_point point_between(tr_vec3 a, tr_vec3 b, double from_a) {
    tr_vec3 at = tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), (float)(from_a / length_between(a, b))));
    return (tr_path_point){at, TR_PATH_WALK, TR_NONE};
}

// A sharp corner where nothing stands, such as that of a lane, is cut off: a band can move only a little to
// the inside of it. Returns whether it was replaced by two points.
static bool cut_corner(const smoother *s, uint32_t i, tr_path_point ends[2]) {
    static const double cuts[] = {CUT, 0.7 * CUT, 0.4 * CUT};
    if (!is_corner(s, i) || turn_at(s, i) < CUT_TURN)
        return false;
    tr_vec3 a = s->from[i - 1].position, b = s->from[i].position, c = s->from[i + 1].position;
    double before = CUT_SHARE * length_between(a, b), after = CUT_SHARE * length_between(b, c);
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        ends[0] = point_between(b, a, cuts[k] < before ? cuts[k] : before);
        ends[1] = point_between(b, c, cuts[k] < after ? cuts[k] : after);
        if (may_walk(&s->band, ends[0].position, ends[1].position))
            return true;
    }
    return false;
}

// Is the point a kink, where lanes meet: very near to the one before it, or nearly a turn back?
static bool is_kink(const smoother *s, uint32_t i) {
    return is_plain(s, i - 1) && is_plain(s, i) &&
           (turn_at(s, i) > KINK_TURN ||
            length_between(s->from[i - 1].position, s->from[i].position) < KINK ||
            length_between(s->from[i].position, s->from[i + 1].position) < KINK);
}

// Leaves out kinks that a straight line can replace. Corners of obstacles stay: no line leads past them.
static void leave_kinks(smoother *s) {
    for (uint32_t i = 1; i + 1 < s->from_count;) {
        if (!is_kink(s, i) || !may_walk(&s->band, s->from[i - 1].position, s->from[i + 1].position)) {
            i++;
            continue;
        }
        memmove(s->from + i, s->from + i + 1, (--s->from_count - i) * sizeof *s->from);
        i -= i > 1; // the corner before it is another one now
    }
}

// Takes over the path, without kinks and free corners. false: there is no room for its points.
static bool read_path(smoother *s, const tr_go *go) {
    memcpy(s->from, go->points, go->point_count * sizeof *s->from);
    s->from_count = go->point_count;
    leave_kinks(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->from_count; i++) {
        tr_path_point ends[2];
        bool cut = cut_corner(s, i, ends);
        if (count + 2 > GO_POINTS_MAX)
            return false;
        s->made[count++] = cut ? ends[0] : s->from[i];
        if (cut)
            s->made[count++] = ends[1];
    }
    memcpy(s->from, s->made, count * sizeof *s->from);
    s->from_count = count;
    return true;
}

// Smooths the whole path. false: there is no room for its points.
static bool smooth_all(smoother *s) {
    s->count = 0;
    s->full = false;
    write_point(s, s->from[0], false);
    for (uint32_t i = 0; i + 1 < s->from_count;) {
        uint32_t end = i;
        while (end + 1 < s->from_count && is_plain(s, end))
            end++;
        if (end > i)
            smooth_run(s, i, end);
        else
            write_point(s, s->from[++end], false);
        i = end;
    }
    return !s->full;
}

void tr_go_smooth(tr_go *go, const tr_ground *ground, const tr_go_query *query, uint32_t most) {
    smoother s;
    double stiff = STIFF * (double)query->bend;
    if (go->point_count < 3 || go->point_count > most)
        return;
    s.band.ground = ground, s.band.size = query->sizes[0];
    s.band.tension = 1 / (stiff * stiff);
    if (!read_path(&s, go) || !smooth_all(&s))
        return;
    tr_path_point points[GO_POINTS_MAX];
    uint32_t count;
    bool fits_in = false;
    for (double straight = STRAIGHT; !fits_in && straight < STRAIGHT_MOST; straight *= 2)
        fits_in = thin(&s, straight, points, most < GO_POINTS_MAX ? most : GO_POINTS_MAX, &count);
    if (!fits_in)
        return;
    memcpy(go->points, points, count * sizeof *points);
    go->point_count = count;
}
