#include "reach_recheck.h"
#include "reach_triangles.h"

#include <math.h>
#include <string.h>

#define TOUCH_SLACK 1e-6 // rounding to float [m]
#define GOAL_SLACK 1e-3  // [m]
#define ANGLE_SLACK 1e-4 // for limits, the start and the hand's direction [rad]
#define SEEN 0.1         // larger distances are not measured [m]

// Everything here is in the body's axes, named as in files with Z up: X ahead, Y left, Z up.
typedef struct vector {
    double x, y, z;
} vector;
typedef struct matrix {
    double m[3][3];
} matrix;

struct reach_recheck {
    tr_arm arm;
    tr_reach_body bodies[TR_REACH_BODIES_MAX];
    uint32_t body_count;
    bool self;
    reach_triangles *triangles;
};

const char *reach_fault_name(reach_fault fault) {
    static const char *const names[REACH_FAULT_COUNT] = {
        "nothing",          "begins elsewhere", "passes a limit", "touches the scene",
        "touches the body", "touches itself",   "ends elsewhere", "points elsewhere"};
    return fault < REACH_FAULT_COUNT ? names[fault] : "unknown";
}

static vector add(vector a, vector b) {
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
static vector subtract(vector a, vector b) {
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}
static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vector apply(const matrix *r, vector v) {
    return (vector){r->m[0][0] * v.x + r->m[0][1] * v.y + r->m[0][2] * v.z,
                    r->m[1][0] * v.x + r->m[1][1] * v.y + r->m[1][2] * v.z,
                    r->m[2][0] * v.x + r->m[2][1] * v.y + r->m[2][2] * v.z};
}
static matrix multiply(matrix a, matrix b) {
    matrix c = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}
static matrix about_x(double t) {
    return (matrix){{{1, 0, 0}, {0, cos(t), -sin(t)}, {0, sin(t), cos(t)}}};
}
static matrix about_y(double t) {
    return (matrix){{{cos(t), 0, sin(t)}, {0, 1, 0}, {-sin(t), 0, cos(t)}}};
}
static matrix about_z(double t) {
    return (matrix){{{cos(t), -sin(t), 0}, {sin(t), cos(t), 0}, {0, 0, 1}}};
}
static vector named(tr_vec3 p) {
    return (vector){p.z, p.x, p.y};
}

// The trunk's help rotates it about the waist.
typedef struct trunk_place {
    matrix turn;
    vector waist;
    bool moved;
} trunk_place;

static trunk_place put_trunk(const tr_arm *arm, const tr_posture *posture) {
    double mirror = arm->side == TR_ARM_LEFT ? -1 : 1;
    double lean = posture->q[TR_WAIST_LEAN], turn = posture->q[TR_WAIST_TURN];
    return (trunk_place){multiply(about_z(mirror * turn), about_y(lean)), named(arm->waist),
                         lean != 0 || turn != 0};
}

static vector with_trunk(const trunk_place *trunk, vector point) {
    return add(trunk->waist, apply(&trunk->turn, subtract(point, trunk->waist)));
}

// R = Ry(-q0) Rx(-q1) Rz(q2); E = S + L1 R (0,0,-1); R2 = R Ry(-q3); W = E + L2 R2 (0,0,-1); R3 = R2 Rz(q4)
// Ry(q5) Rx(q6); H = W + L3 R3 (0,0,-1): the formula of the file, for a right arm.
static void put_arm(const tr_arm *arm, const tr_posture *posture, vector points[4], vector *hand) {
    double mirror = arm->side == TR_ARM_LEFT ? -1 : 1;
    const float *q = posture->q;
    vector collar = named(arm->collar), shoulder = named(arm->shoulder), down = {0, 0, -1};
    matrix swing = about_z(mirror * q[TR_COLLAR]);
    trunk_place trunk = put_trunk(arm, posture);
    matrix r1 = multiply(multiply(about_y(-q[0]), about_x(-mirror * q[1])), about_z(mirror * q[2]));
    matrix r2 = multiply(r1, about_y(-q[3]));
    matrix r3 =
        multiply(multiply(multiply(r2, about_z(mirror * q[4])), about_y(q[5])), about_x(mirror * q[6]));
    const matrix *turns[3] = {&r1, &r2, &r3};
    points[0] = add(collar, apply(&swing, subtract(shoulder, collar)));
    for (int i = 0; i < 3; i++) {
        vector along = apply(turns[i], down);
        double length = arm->length[i];
        points[i + 1] = add(points[i], (vector){along.x * length, along.y * length, along.z * length});
        *hand = along;
    }
    for (int i = 0; i < 4; i++)
        points[i] = with_trunk(&trunk, points[i]);
    *hand = apply(&trunk.turn, *hand);
}

// From the body's axes to the world and back; `base` is a rotation and a translation.
static vector to_world(const tr_arm *arm, vector p) {
    double v[3] = {p.y, p.z, p.x}, w[3];
    for (int i = 0; i < 3; i++)
        w[i] = arm->base.m[i][0] * v[0] + arm->base.m[i][1] * v[1] + arm->base.m[i][2] * v[2] +
               arm->base.m[i][3];
    return (vector){w[0], w[1], w[2]};
}

static vector from_world(const tr_arm *arm, tr_vec3 point, bool is_direction) {
    double w[3] = {point.x, point.y, point.z}, b[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b[k] += arm->base.m[i][k] * (w[i] - (is_direction ? 0 : arm->base.m[i][3]));
    return (vector){b[2], b[0], b[1]};
}

void reach_recheck_points(const reach_recheck *recheck, const tr_posture *posture, double points[4][3]) {
    vector put[4], hand;
    put_arm(&recheck->arm, posture, put, &hand);
    for (int i = 0; i < 4; i++) {
        vector world = to_world(&recheck->arm, put[i]);
        points[i][0] = world.x, points[i][1] = world.y, points[i][2] = world.z;
    }
}

static double clamp_share(double t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double point_to_line(vector p, vector a, vector b) {
    vector along = subtract(b, a), off = subtract(p, a);
    double square = dot(along, along), t = square > 0 ? clamp_share(dot(off, along) / square) : 0;
    vector rest = subtract(off, (vector){along.x * t, along.y * t, along.z * t});
    return sqrt(dot(rest, rest));
}

// The nearest points are inside both lines, or at one of the four ends.
static double line_to_line(vector a, vector b, vector c, vector d) {
    vector u = subtract(b, a), v = subtract(d, c), w = subtract(a, c);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    double cross = uu * vv - uv * uv;
    double best = fmin(fmin(point_to_line(a, c, d), point_to_line(b, c, d)),
                       fmin(point_to_line(c, a, b), point_to_line(d, a, b)));
    if (cross > 1e-14 * uu * vv) {
        double s = (uv * vw - vv * uw) / cross, t = (uu * vw - uv * uw) / cross;
        vector off = {w.x + u.x * s - v.x * t, w.y + u.y * s - v.y * t, w.z + u.z * s - v.z * t};
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            best = fmin(best, sqrt(dot(off, off)));
    }
    return best;
}

static double to_scene(const reach_recheck *recheck, vector a, vector b, double radius, double seen) {
    return reach_triangles_distance(recheck->triangles, tr_vec3_make((float)a.x, (float)a.y, (float)a.z),
                                    tr_vec3_make((float)b.x, (float)b.y, (float)b.z), radius + seen) -
           radius;
}

static void keep_least(double clearance, reach_fault fault, double *least, reach_fault *which) {
    if (clearance < *least) {
        *least = clearance;
        *which = fault;
    }
}

// Objects further away than `seen` are ignored.
static double find_clearance(const reach_recheck *recheck, const tr_posture *posture, double seen,
                             reach_fault *fault) {
    const tr_arm *arm = &recheck->arm;
    vector points[4], hand;
    trunk_place trunk = put_trunk(arm, posture);
    double least = seen;
    put_arm(arm, posture, points, &hand);
    *fault = REACH_FAULT_NONE;
    if (recheck->self)
        keep_least(line_to_line(points[0], points[1], points[2], points[3]) - arm->radius[0] - arm->radius[2],
                   REACH_FAULT_SELF, &least, fault);
    for (uint32_t i = 0; i < recheck->body_count; i++) {
        const tr_reach_body *body = &recheck->bodies[i];
        vector a = named(body->a), b = named(body->b);
        if (body->on_trunk) {
            a = with_trunk(&trunk, a);
            b = with_trunk(&trunk, b);
        }
        for (uint32_t k = 0; k < TR_ARM_LINKS; k++)
            if (body->links >> k & 1)
                keep_least(line_to_line(points[k], points[k + 1], a, b) - body->radius - arm->radius[k],
                           REACH_FAULT_BODY, &least, fault);
        if (body->hits_scene && body->on_trunk && trunk.moved)
            keep_least(to_scene(recheck, a, b, body->radius, seen), REACH_FAULT_SCENE, &least, fault);
    }
    for (uint32_t k = 0; k < TR_ARM_LINKS; k++)
        keep_least(to_scene(recheck, points[k], points[k + 1], arm->radius[k], seen), REACH_FAULT_SCENE,
                   &least, fault);
    return least;
}

double reach_recheck_posture(reach_recheck *recheck, const tr_posture *posture, reach_fault *fault) {
    return find_clearance(recheck, posture, SEEN, fault);
}

static double limit_excess(const tr_arm *arm, const tr_posture *posture) {
    double worst = -INFINITY;
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        double below = (double)arm->low.q[i] - posture->q[i], above = (double)posture->q[i] - arm->high.q[i];
        worst = fmax(worst, fmax(below, above));
    }
    return isnan(worst) ? INFINITY : worst;
}

static double largest_change(const tr_posture *a, const tr_posture *b) {
    double largest = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        largest = fmax(largest, fabs((double)b->q[i] - a->q[i]));
    return largest;
}

static void blame(reach_finding *finding, reach_fault fault, double depth) {
    if (finding->fault == REACH_FAULT_NONE) {
        finding->fault = fault;
        finding->depth = depth;
    }
}

static void check_posture(reach_recheck *recheck, const tr_posture *posture, reach_finding *finding) {
    reach_fault fault;
    double excess = limit_excess(&recheck->arm, posture);
    double clearance = find_clearance(recheck, posture, 0, &fault);
    finding->checked++;
    if (!(excess <= ANGLE_SLACK))
        blame(finding, REACH_FAULT_LIMITS, excess);
    if (!(clearance >= -TOUCH_SLACK))
        blame(finding, fault, -clearance);
}

static void check_end(const reach_recheck *recheck, const tr_arm_goal *goal, const tr_posture *end,
                      reach_finding *finding) {
    vector points[4], hand, wrist = from_world(&recheck->arm, goal->wrist, false);
    put_arm(&recheck->arm, end, points, &hand);
    vector off = subtract(points[2], wrist);
    finding->wrist_error = sqrt(dot(off, off));
    if (!(finding->wrist_error <= GOAL_SLACK))
        blame(finding, REACH_FAULT_GOAL, finding->wrist_error);
    if (goal->kind != TR_ARM_GOAL_DIRECTION)
        return;
    vector wanted = from_world(&recheck->arm, goal->direction, true);
    double cosine = dot(wanted, hand) / sqrt(dot(wanted, wanted) * dot(hand, hand));
    double angle = acos(fmin(1, fmax(-1, cosine)));
    finding->hand_error = fmax(0, angle - goal->tolerance);
    if (!(finding->hand_error <= ANGLE_SLACK))
        blame(finding, REACH_FAULT_HAND, finding->hand_error);
}

bool reach_recheck_path(reach_recheck *recheck, const tr_posture *start, const tr_arm_goal *goal,
                        const tr_posture *path, uint32_t count, reach_finding *finding) {
    vector before = {0, 0, 0}, hand;
    *finding = (reach_finding){0};
    if (count == 0)
        blame(finding, REACH_FAULT_START, INFINITY);
    else if (!(largest_change(start, &path[0]) <= ANGLE_SLACK))
        blame(finding, REACH_FAULT_START, largest_change(start, &path[0]));
    for (uint32_t i = 0; i < count; i++) {
        const tr_posture *from = &path[i ? i - 1 : 0];
        uint32_t steps =
            (uint32_t)fmax(1, ceil(fmin(1e6, largest_change(from, &path[i]) / REACH_RECHECK_STEP)));
        double square = 0;
        for (uint32_t s = 1; s <= steps; s++) {
            tr_posture between;
            vector points[4];
            for (int k = 0; k < TR_ARM_ANGLES; k++)
                between.q[k] =
                    (float)(from->q[k] + ((double)path[i].q[k] - from->q[k]) * ((double)s / steps));
            check_posture(recheck, &between, finding);
            put_arm(&recheck->arm, &between, points, &hand);
            vector step = subtract(points[2], before);
            finding->wrist_length += i ? sqrt(dot(step, step)) : 0;
            before = points[2];
        }
        for (int k = 0; k < TR_ARM_ANGLES; k++)
            square += ((double)path[i].q[k] - from->q[k]) * ((double)path[i].q[k] - from->q[k]);
        finding->length += sqrt(square);
    }
    if (count > 0)
        check_end(recheck, goal, &path[count - 1], finding);
    return finding->fault == REACH_FAULT_NONE;
}

// The farthest that any link, or the trunk where it helps, can get from the shoulder.
static double reach_of(const tr_arm *arm, const tr_reach_file *file) {
    double reach = 0, radius = 0;
    for (int i = 0; i < TR_ARM_LINKS; i++) {
        reach += arm->length[i];
        radius = fmax(radius, arm->radius[i]);
    }
    reach += radius + SEEN;
    if (file->help)
        reach += 2 * (tr_vec3_length(tr_vec3_subtract(arm->shoulder, arm->waist)) +
                      tr_vec3_length(tr_vec3_subtract(arm->shoulder, arm->collar)));
    return reach;
}

tr_status reach_recheck_create(const tr_scene *scene, const tr_reach_file *file, reach_recheck **recheck,
                               tr_error *error) {
    tr_allocator memory = tr_allocator_default();
    reach_recheck *made = tr_allocate_zero(&memory, 1, sizeof *made);
    *recheck = NULL;
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to recheck paths");
    made->arm = file->arm;
    made->self = file->self;
    made->body_count = file->body_count;
    memcpy(made->bodies, file->bodies, sizeof made->bodies);
    vector shoulder = named(file->arm.shoulder);
    tr_vec3 centre = tr_vec3_make((float)shoulder.x, (float)shoulder.y, (float)shoulder.z);
    tr_status status = reach_triangles_create(scene, &file->arm.base, centre,
                                              (float)reach_of(&file->arm, file), &made->triangles, error);
    if (status == TR_OK)
        *recheck = made;
    else
        reach_recheck_destroy(made);
    return status;
}

void reach_recheck_destroy(reach_recheck *recheck) {
    tr_allocator memory = tr_allocator_default();
    if (recheck)
        reach_triangles_destroy(recheck->triangles);
    tr_release(&memory, recheck, 1, sizeof *recheck);
}
