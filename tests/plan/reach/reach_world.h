// What the tests of reach share: worlds of boxes, and a judge that knows nothing of trees and certificates.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/reach.h"
#include "troupe/world/distance.h"

#include <math.h>

typedef struct reach_world {
    tr_scene *scene;
    tr_solid *solid;
    tr_reach *reach;
    tr_arm arm;
    tr_reach_body bodies[2];
    uint32_t body_count;
    tr_vec3 triangles[64 * 12][3];
    uint32_t triangle_count;
} reach_world;

static inline void world_begin(reach_world *world, tr_arm_side side) {
    *world = (reach_world){0};
    world->arm = tr_arm_default(side, 1.75f);
    world->arm.base = tr_affine_identity(); // the shoulder is where it says
    tr_vec3 shoulder = world->arm.shoulder;
    // A trunk beside the shoulder, not as wide as to touch the hanging arm.
    world->bodies[0] =
        (tr_reach_body){{0, shoulder.y - 0.5f, 0}, {0, shoulder.y - 0.1f, 0}, 0.1f, true, 6, true};
    world->bodies[1] =
        (tr_reach_body){{0, shoulder.y + 0.2f, 0}, {0, shoulder.y + 0.25f, 0}, 0.1f, true, 6, true};
    world->body_count = 2;
    REQUIRE(tr_scene_create(NULL, &world->scene) == TR_OK);
}

static inline void world_box(reach_world *world, tr_vec3 low, tr_vec3 high) {
    tr_vec3 corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = tr_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_mesh_def mesh = {.positions = corner, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    REQUIRE(tr_scene_add_mesh(world->scene, &mesh, &object.mesh, NULL) == TR_OK);
    REQUIRE(tr_scene_add_object(world->scene, &object, &number, NULL) == TR_OK);
    for (int i = 0; i < 12 && world->triangle_count < 64 * 12; i++, world->triangle_count++)
        for (int k = 0; k < 3; k++)
            world->triangles[world->triangle_count][k] = corner[indices[3 * i + k]];
}

static inline void world_end(reach_world *world, bool grid) {
    tr_solid_def solid = tr_solid_def_default(world->scene);
    if (grid) {
        tr_vec3 s = tr_affine_apply(&world->arm.base, world->arm.shoulder);
        solid.clearance_cell = 0.04f;
        solid.clearance_box =
            (tr_box){{s.x - 0.9f, s.y - 0.9f, s.z - 0.9f}, {s.x + 0.9f, s.y + 0.9f, s.z + 0.9f}};
    }
    REQUIRE(tr_solid_create(&solid, &world->solid, NULL) == TR_OK);
    tr_reach_def def = tr_reach_def_default(world->solid, &world->arm);
    def.bodies = world->bodies;
    def.body_count = world->body_count;
    REQUIRE(tr_reach_create(&def, &world->reach, NULL) == TR_OK);
}

static inline void world_destroy(reach_world *world) {
    tr_reach_destroy(world->reach);
    tr_solid_destroy(world->solid);
    tr_scene_destroy(world->scene);
}

// Where the four points are, by the formula of the header in plain matrices of doubles; `trunk`: from the
// base's axes to the world.
typedef struct judge_matrix {
    double m[3][3];
} judge_matrix;

static inline judge_matrix judge_about(int axis, double angle) {
    double c = cos(angle), s = sin(angle);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    judge_matrix r = {{{0}}};
    r.m[axis][axis] = 1, r.m[a][a] = c, r.m[b][b] = c, r.m[a][b] = -s, r.m[b][a] = s;
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
static inline void judge_add(double *p, const judge_matrix *r, double x, double y, double z) {
    for (int i = 0; i < 3; i++)
        p[i] += r->m[i][0] * x + r->m[i][1] * y + r->m[i][2] * z;
}

static inline void judge_points(const tr_arm *arm, const tr_posture *posture, tr_vec3 points[4],
                                judge_matrix *trunk, double origin[3]) {
    const float *q = posture->q;
    double out = arm->side == TR_ARM_RIGHT ? 1 : -1;
    judge_matrix base;
    double p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = arm->base.m[i][3];
        for (int k = 0; k < 3; k++)
            base.m[i][k] = arm->base.m[i][k];
    }
    judge_matrix turn = judge_multiply(judge_about(1, out * q[8]), judge_about(0, q[7]));
    *trunk = judge_multiply(base, turn);
    judge_add(p, &base, arm->waist.x, arm->waist.y, arm->waist.z); // the waist stays
    for (int i = 0; i < 3; i++)
        origin[i] = p[i];
    judge_add(origin, trunk, -arm->waist.x, -arm->waist.y, -arm->waist.z);
    for (int i = 0; i < 3; i++)
        p[i] = origin[i];
    judge_matrix collar = judge_multiply(*trunk, judge_about(1, out * q[9]));
    judge_add(p, trunk, arm->collar.x, arm->collar.y, arm->collar.z);
    judge_add(p, &collar, (double)arm->shoulder.x - arm->collar.x, (double)arm->shoulder.y - arm->collar.y,
              (double)arm->shoulder.z - arm->collar.z);
    points[0] = tr_vec3_make((float)p[0], (float)p[1], (float)p[2]);
    judge_matrix r = judge_multiply(
        judge_multiply(judge_multiply(*trunk, judge_about(0, -q[0])), judge_about(2, -out * q[1])),
        judge_about(1, out * q[2]));
    judge_add(p, &r, 0, -arm->length[0], 0);
    points[1] = tr_vec3_make((float)p[0], (float)p[1], (float)p[2]);
    r = judge_multiply(r, judge_about(0, -q[3]));
    judge_add(p, &r, 0, -arm->length[1], 0);
    points[2] = tr_vec3_make((float)p[0], (float)p[1], (float)p[2]);
    r = judge_multiply(judge_multiply(judge_multiply(r, judge_about(1, out * q[4])), judge_about(0, q[5])),
                       judge_about(2, out * q[6]));
    judge_add(p, &r, 0, -arm->length[2], 0);
    points[3] = tr_vec3_make((float)p[0], (float)p[1], (float)p[2]);
}

// The least room around the arm, by brute force over all triangles [m].
static inline double judge_clearance(const reach_world *world, const tr_posture *posture) {
    tr_vec3 points[4];
    judge_matrix trunk;
    double origin[3], least = 1e6;
    judge_points(&world->arm, posture, points, &trunk, origin);
    for (int link = 0; link < TR_ARM_LINKS; link++) {
        for (uint32_t i = 0; i < world->triangle_count; i++) {
            double gap = sqrt((double)tr_distance_segment_triangle(points[link], points[link + 1],
                                                                   world->triangles[i], NULL, NULL)) -
                         (double)world->arm.radius[link];
            least = gap < least ? gap : least;
        }
        for (uint32_t i = 0; i < world->body_count; i++) {
            const tr_reach_body *body = &world->bodies[i];
            double ends[2][3];
            for (int e = 0; e < 2; e++) {
                tr_vec3 at = e ? body->b : body->a;
                for (int k = 0; k < 3; k++)
                    ends[e][k] = origin[k];
                judge_add(ends[e], &trunk, at.x, at.y, at.z);
            }
            if (!(body->links >> link & 1))
                continue;
            double gap =
                sqrt((double)tr_distance_segments(
                    points[link], points[link + 1],
                    tr_vec3_make((float)ends[0][0], (float)ends[0][1], (float)ends[0][2]),
                    tr_vec3_make((float)ends[1][0], (float)ends[1][1], (float)ends[1][2]), NULL, NULL)) -
                (double)body->radius - (double)world->arm.radius[link];
            least = gap < least ? gap : least;
        }
    }
    double self = sqrt((double)tr_distance_segments(points[0], points[1], points[2], points[3], NULL, NULL)) -
                  (double)world->arm.radius[0] - (double)world->arm.radius[2];
    return self < least ? self : least;
}

// The least room along a path, looked at every `step` radians of its fastest joint.
static inline double judge_path(const reach_world *world, const tr_arm_path *arm_path, double from,
                                double step) {
    tr_posture last = tr_arm_path_at(arm_path, from, NULL);
    double least = judge_clearance(world, &last), u = from, end = arm_path->count - 1.0;
    while (u < end) {
        double next = u, change = 0;
        for (double h = 1; h > 1e-5; h *= 0.5) { // the longest step that turns nothing further
            double tried = next + h < end ? next + h : end;
            tr_posture at = tr_arm_path_at(arm_path, tried, NULL);
            change = 0;
            for (int i = 0; i < TR_ARM_ANGLES; i++)
                change = fmax(change, fabs((double)at.q[i] - last.q[i]));
            if (change <= step)
                next = tried;
        }
        u = next > u ? next : u + 1e-4;
        last = tr_arm_path_at(arm_path, u, NULL);
        double gap = judge_clearance(world, &last);
        least = gap < least ? gap : least;
    }
    return least;
}

static inline tr_posture draw_posture(tr_random *random, const tr_arm *arm) {
    tr_posture posture;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        posture.q[i] = tr_random_between(random, arm->low.q[i], arm->high.q[i]);
    return posture;
}

// Somewhere within the reach of the arm, not through the shoulder.
static inline void draw_boxes(tr_random *random, reach_world *world, uint32_t count) {
    tr_vec3 s = world->arm.shoulder;
    for (uint32_t i = 0; i < count;) {
        tr_vec3 middle, half;
        for (int axis = 0; axis < 3; axis++) {
            (&middle.x)[axis] = (&s.x)[axis] + tr_random_between(random, -0.7f, 0.7f);
            (&half.x)[axis] = tr_random_between(random, 0.02f, 0.15f);
        }
        tr_vec3 off = tr_vec3_subtract(middle, s);
        if (fabsf(off.x) < half.x + 0.1f && fabsf(off.y) < half.y + 0.1f && fabsf(off.z) < half.z + 0.1f)
            continue;
        world_box(world, tr_vec3_subtract(middle, half), tr_vec3_add(middle, half));
        i++;
    }
}
