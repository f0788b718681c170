// The judge of comply: the body in plain matrices of doubles and every triangle, one by one. It knows nothing
// of trees, bounds and certificates.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/comply.h"

#include <math.h>

#define JUDGE_TRIANGLES_MAX 4000
#define JUDGE_FRAMES_MAX 256

typedef struct judge_vector {
    double v[3];
} judge_vector;
typedef struct judge_matrix {
    double m[3][3];
} judge_matrix;
typedef struct judge_capsule {
    judge_vector a, b;
    double radius;
} judge_capsule;

static inline judge_vector judge_from(tr_vec3 p) {
    return (judge_vector){{(double)p.x, (double)p.y, (double)p.z}};
}
static inline judge_vector judge_add(judge_vector a, judge_vector b, double scale) { // a + scale * b
    return (judge_vector){{a.v[0] + scale * b.v[0], a.v[1] + scale * b.v[1], a.v[2] + scale * b.v[2]}};
}
static inline double judge_dot(judge_vector a, judge_vector b) {
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}
static inline judge_vector judge_cross(judge_vector a, judge_vector b) {
    return (judge_vector){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                           a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
static inline judge_matrix judge_about(int axis, double angle) {
    judge_matrix r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    r.m[a][a] = r.m[b][b] = cos(angle);
    r.m[b][a] = sin(angle);
    r.m[a][b] = -sin(angle);
    return r;
}
static inline judge_matrix judge_multiply(judge_matrix a, judge_matrix b) {
    judge_matrix r = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}
static inline judge_vector judge_turn(judge_matrix r, judge_vector p) {
    judge_vector q = {{0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            q.v[i] += r.m[i][k] * p.v[k];
    return q;
}

// --- Distances ---

static inline double judge_segments(judge_vector a0, judge_vector a1, judge_vector b0, judge_vector b1) {
    judge_vector u = judge_add(a1, a0, -1), v = judge_add(b1, b0, -1), w = judge_add(a0, b0, -1);
    double uu = judge_dot(u, u), vv = judge_dot(v, v), uv = judge_dot(u, v), uw = judge_dot(u, w),
           vw = judge_dot(v, w), best = INFINITY, determinant = uu * vv - uv * uv;
    double s = determinant > 1e-14 * uu * vv ? fmin(fmax((uv * vw - vv * uw) / determinant, 0), 1) : 0;
    const double starts[3] = {s, 0, 1};
    for (int i = 0; i < 3; i++) { // from several starts, each line in turn: the distance is convex
        s = starts[i];
        double t = 0;
        for (int turn = 0; turn < 8; turn++) {
            t = vv > 0 ? fmin(fmax((vw + uv * s) / vv, 0), 1) : 0;
            s = uu > 0 ? fmin(fmax((uv * t - uw) / uu, 0), 1) : 0;
        }
        judge_vector apart = judge_add(judge_add(w, u, s), v, -t);
        best = fmin(best, judge_dot(apart, apart));
    }
    return sqrt(best);
}

// Of a point from a triangle's inside; INFINITY if its foot lies outside.
static inline double judge_over(judge_vector p, const judge_vector t[3]) {
    judge_vector normal = judge_cross(judge_add(t[1], t[0], -1), judge_add(t[2], t[0], -1));
    double size = sqrt(judge_dot(normal, normal));
    if (size < 1e-14)
        return INFINITY;
    for (int i = 0; i < 3; i++) {
        judge_vector edge = judge_add(t[(i + 1) % 3], t[i], -1), to = judge_add(p, t[i], -1);
        if (judge_dot(judge_cross(edge, to), normal) < 0)
            return INFINITY;
    }
    return fabs(judge_dot(judge_add(p, t[0], -1), normal)) / size;
}

static inline double judge_triangle(judge_vector a, judge_vector b, const judge_vector t[3]) {
    double best = fmin(judge_over(a, t), judge_over(b, t));
    for (int i = 0; i < 3; i++)
        best = fmin(best, judge_segments(a, b, t[i], t[(i + 1) % 3]));
    judge_vector normal = judge_cross(judge_add(t[1], t[0], -1), judge_add(t[2], t[0], -1));
    double at_a = judge_dot(judge_add(a, t[0], -1), normal), at_b = judge_dot(judge_add(b, t[0], -1), normal);
    if ((at_a > 0) != (at_b > 0)) { // where the line meets the plane
        judge_vector p = judge_add(a, judge_add(b, a, -1), at_a / (at_a - at_b));
        if (judge_over(p, t) < INFINITY)
            return 0;
    }
    return best;
}

// --- The body ---

// The capsules in the world, by the formulas of the headers; `pelvis` tells those that stay with the pelvis.
static inline uint32_t judge_body(const tr_comply_body *body, const double position[3], double heading,
                                  const double waist[3], double arms[2][4], judge_capsule *capsules) {
    judge_matrix facing = judge_about(1, heading);
    judge_matrix bend = judge_multiply(judge_multiply(judge_about(1, waist[2]), judge_about(0, waist[0])),
                                       judge_about(2, -waist[1]));
    judge_vector pivot = judge_from(body->waist), there = {{position[0], position[1], position[2]}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->part_count; i++) {
        judge_vector ends[2] = {judge_from(body->parts[i].a), judge_from(body->parts[i].b)};
        capsules[count] = (judge_capsule){ends[0], ends[1], (double)body->parts[i].radius};
        if (!body->parts[i].on_pelvis)
            for (int e = 0; e < 2; e++)
                ends[e] = judge_add(pivot, judge_turn(bend, judge_add(ends[e], pivot, -1)), 1);
        capsules[count].a = judge_add(there, judge_turn(facing, ends[0]), 1);
        capsules[count++].b = judge_add(there, judge_turn(facing, ends[1]), 1);
    }
    for (int side = 0; side < 2; side++) {
        const tr_arm *arm = &body->arms[side];
        const double *q = arms[side], mirror = side == TR_ARM_LEFT ? -1 : 1;
        judge_matrix upper =
            judge_multiply(judge_multiply(judge_about(0, -q[0]), judge_about(2, mirror * -q[1])),
                           judge_about(1, mirror * q[2]));
        judge_matrix lower = judge_multiply(upper, judge_about(0, -q[3]));
        judge_vector down = {{0, -1, 0}}, at = judge_from(arm->shoulder), last;
        for (int link = 0; link < TR_ARM_LINKS; link++) {
            judge_vector next =
                judge_add(at, judge_turn(link == 0 ? upper : lower, down), (double)arm->length[link]);
            judge_vector in_pelvis = judge_add(pivot, judge_turn(bend, judge_add(next, pivot, -1)), 1);
            if (link == 0) {
                last = judge_add(pivot, judge_turn(bend, judge_add(at, pivot, -1)), 1);
                last = judge_add(there, judge_turn(facing, last), 1);
            }
            judge_vector end = judge_add(there, judge_turn(facing, in_pelvis), 1);
            capsules[count++] = (judge_capsule){last, end, (double)arm->radius[link]};
            last = end;
            at = next;
        }
    }
    return count;
}

typedef struct judge_world {
    judge_vector triangles[JUDGE_TRIANGLES_MAX][3];
    uint32_t count;
} judge_world;

static inline void judge_take(judge_world *world, const tr_scene *scene) {
    world->count = 0;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t j = 0; j < mesh.triangle_count; j++, world->count++) {
            if (world->count == JUDGE_TRIANGLES_MAX) {
                test_failed(__FILE__, __LINE__, "more triangles than the judge takes");
                return;
            }
            for (int k = 0; k < 3; k++)
                world->triangles[world->count][k] =
                    judge_from(tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * j + k]]));
        }
    }
}

typedef struct judge_least {
    double world, self; // [m]
    double time;        // of the least of the world [frames]
} judge_least;

// A motion at a time between frames.
static inline uint32_t judge_at(const tr_comply_body *body, const tr_comply_place *places,
                                const tr_comply_pose *poses, uint32_t f, double share,
                                judge_capsule *capsules) {
    const tr_comply_place *p = &places[f], *r = &places[f + 1];
    double turn = remainder((double)r->heading - (double)p->heading, 2 * 3.14159265358979323846);
    double position[3] = {(double)p->position.x + share * ((double)r->position.x - (double)p->position.x),
                          (double)p->position.y + share * ((double)r->position.y - (double)p->position.y),
                          (double)p->position.z + share * ((double)r->position.z - (double)p->position.z)};
    double waist[3], arms[2][4];
    for (int k = 0; k < 3; k++)
        waist[k] = (1 - share) * (double)poses[f].waist[k] + share * (double)poses[f + 1].waist[k];
    for (int k = 0; k < 8; k++)
        arms[k / 4][k % 4] = (1 - share) * (double)poses[f].arms[k / 4][k % 4] +
                             share * (double)poses[f + 1].arms[k / 4][k % 4];
    return judge_body(body, position, (double)p->heading + share * turn, waist, arms, capsules);
}

static inline double judge_capsules(const judge_capsule *a, const judge_capsule *b) {
    return judge_segments(a->a, a->b, b->a, b->b) - a->radius - b->radius;
}

static inline double judge_self(const tr_comply_body *body, const judge_capsule *capsules) {
    const judge_capsule *arms = capsules + body->part_count;
    double least = INFINITY;
    for (int link = 0; link < 6; link++) {
        for (uint32_t i = 0; i < body->part_count; i++)
            if (body->parts[i].links >> link % 3 & 1)
                least = fmin(least, judge_capsules(&arms[link], &capsules[i]));
        for (int other = 3; link < 3 && other < 6; other++)
            least = fmin(least, judge_capsules(&arms[link], &arms[other]));
    }
    return least;
}

static inline double judge_room(const tr_comply_body *body, const judge_world *world,
                                const judge_capsule *capsules, uint32_t count) {
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        if (i < body->part_count && body->parts[i].on_pelvis)
            continue;
        judge_vector middle = judge_add(capsules[i].a, judge_add(capsules[i].b, capsules[i].a, -1), 0.5);
        for (uint32_t t = 0; t < world->count; t++) {
            double low = 0; // a quick lower bound: the box of the triangle
            for (int k = 0; k < 3; k++) {
                const judge_vector *c = world->triangles[t];
                double from = fmin(fmin(c[0].v[k], c[1].v[k]), c[2].v[k]),
                       to = fmax(fmax(c[0].v[k], c[1].v[k]), c[2].v[k]);
                double off = fmax(fmax(from - middle.v[k], middle.v[k] - to), 0);
                low += off * off;
            }
            judge_vector along = judge_add(capsules[i].b, capsules[i].a, -1);
            if (sqrt(low) - 0.5 * sqrt(judge_dot(along, along)) - capsules[i].radius > least)
                continue;
            least = fmin(least, judge_triangle(capsules[i].a, capsules[i].b, world->triangles[t]) -
                                    capsules[i].radius);
        }
    }
    return least;
}

// The least room of a motion, at every frame and `steps` times in between.
static inline judge_least judge_motion(const tr_comply_body *body, const judge_world *world,
                                       const tr_comply_place *places, const tr_comply_pose *poses,
                                       uint32_t frames, uint32_t steps) {
    judge_least least = {INFINITY, INFINITY, 0};
    for (uint32_t f = 0; f + 1 < frames; f++)
        for (uint32_t s = 0; s <= steps; s++) {
            judge_capsule capsules[TR_COMPLY_CAPSULES_MAX];
            double share = (double)s / (double)steps;
            uint32_t count = judge_at(body, places, poses, f, share, capsules);
            double room = judge_room(body, world, capsules, count);
            if (room < least.world)
                least.world = room, least.time = f + share;
            least.self = fmin(least.self, judge_self(body, capsules));
        }
    return least;
}

// The least room between the upper body and a capsule that moves on lines between frames.
static inline double judge_to_capsule(const tr_comply_body *body, const tr_comply_place *places,
                                      const tr_comply_pose *poses, const tr_solid_capsule *moving,
                                      uint32_t frames) {
    double least = INFINITY;
    for (uint32_t f = 0; f + 1 < frames; f++)
        for (int s = 0; s <= 8; s++) {
            judge_capsule capsules[TR_COMPLY_CAPSULES_MAX], other;
            double share = s / 8.0;
            uint32_t count = judge_at(body, places, poses, f, share, capsules);
            other.a = judge_add(judge_from(moving[f].a),
                                judge_add(judge_from(moving[f + 1].a), judge_from(moving[f].a), -1), share);
            other.b = judge_add(judge_from(moving[f].b),
                                judge_add(judge_from(moving[f + 1].b), judge_from(moving[f].b), -1), share);
            other.radius = (double)moving[f].radius;
            for (uint32_t i = 0; i < count; i++)
                if (i >= body->part_count || !body->parts[i].on_pelvis)
                    least = fmin(least, judge_capsules(&capsules[i], &other));
        }
    return least;
}

// --- Worlds ---

static inline void judge_box(tr_scene *scene, tr_vec3 low, tr_vec3 high) {
    tr_vec3 corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = tr_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_mesh_def mesh = {.positions = corner, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    REQUIRE(tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK);
    REQUIRE(tr_scene_add_object(scene, &object, &number, NULL) == TR_OK);
}

// A straight walk along +z from `start`, with the arms swinging.
typedef struct judge_walk {
    tr_comply_place places[JUDGE_FRAMES_MAX];
    tr_comply_pose preferred[JUDGE_FRAMES_MAX];
    uint32_t frames;
} judge_walk;

static inline void judge_walk_make(judge_walk *walk, float height, float start, float length, float speed) {
    walk->frames = (uint32_t)(length / speed * 30) + 1;
    if (walk->frames > JUDGE_FRAMES_MAX)
        walk->frames = JUDGE_FRAMES_MAX;
    for (uint32_t f = 0; f < walk->frames; f++) {
        walk->places[f] = (tr_comply_place){{0, 0.53f * height, start + (float)f * speed / 30}, 0};
        walk->preferred[f] = tr_comply_swing((float)f / 32, 1);
    }
}

static inline tr_comply_query judge_walk_query(const judge_walk *walk, const tr_solid *solid) {
    tr_comply_query query = tr_comply_query_default();
    query.places = walk->places;
    query.preferred = walk->preferred;
    query.frame_count = walk->frames;
    query.solid = solid;
    return query;
}
