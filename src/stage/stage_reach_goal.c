// Where a hand comes to an object from: along a line through the middle of the object, the finger tips just
// before the surface that the line meets first. From the shoulder is how people reach; the others are for
// where something is in the way.
#include "stage_data.h"
#include "troupe/base/scalar.h"

#define GAP 0.01f          // between hand and surface [m]
#define BACK_OFF 0.12f     // that a hand may stay further away, where surfaces are slanted [m]
#define BACK_OFF_STEPS 8   // in which that is found
#define TOLERANCE 0.17453f // of the direction, where an order names none [rad]

static tr_vec3 middle_of(tr_box box) {
    return tr_vec3_scale(tr_vec3_add(box.min, box.max), 0.5f);
}

bool tr_stage_reach_target(const tr_stage *stage, const tr_order *order, tr_vec3 *target) {
    *target = order->point;
    if (!order->has_object)
        return true;
    tr_object_view view = tr_scene_object(stage->def.scene, order->object);
    if (view.removed || tr_box_is_empty(view.bounds))
        return false;
    *target = middle_of(view.bounds);
    return true;
}

// How far along a ray the triangle is met; INFINITY when it is not.
static float meet_triangle(tr_vec3 origin, tr_vec3 along, const tr_vec3 corners[3]) {
    tr_vec3 ab = tr_vec3_subtract(corners[1], corners[0]), ac = tr_vec3_subtract(corners[2], corners[0]);
    tr_vec3 p = tr_vec3_cross(along, ac), to = tr_vec3_subtract(origin, corners[0]);
    float determinant = tr_vec3_dot(ab, p);
    if (!(determinant > 1e-12f || determinant < -1e-12f))
        return INFINITY;
    float u = tr_vec3_dot(to, p) / determinant;
    tr_vec3 q = tr_vec3_cross(to, ab);
    float v = tr_vec3_dot(along, q) / determinant, t = tr_vec3_dot(ac, q) / determinant;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : INFINITY;
}

// The first point of the object on the line to its middle, from outside; the middle itself of one that the
// line goes through without meeting anything (a ring), or that is only drawn.
static tr_vec3 find_surface(const tr_stage *stage, const tr_object_view *object, tr_vec3 middle,
                            tr_vec3 direction) {
    tr_mesh_view mesh = tr_scene_mesh(stage->def.scene, object->mesh);
    float far = tr_vec3_length(tr_vec3_subtract(object->bounds.max, object->bounds.min));
    tr_vec3 origin = tr_vec3_subtract(middle, tr_vec3_scale(direction, far));
    float nearest = far;
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        tr_vec3 corners[3];
        for (uint32_t k = 0; k < 3; k++)
            corners[k] = tr_affine_apply(&object->placement, mesh.positions[mesh.indices[3 * i + k]]);
        float at = meet_triangle(origin, direction, corners);
        nearest = at < nearest ? at : nearest;
    }
    return tr_vec3_add(origin, tr_vec3_scale(direction, nearest));
}

// A goal with the hand along `direction`, as near to the surface as it may come. false: something is in the
// way of the hand itself.
static bool make_goal(const tr_stage *stage, const tr_arm *arm, tr_vec3 surface, tr_vec3 direction,
                      float tolerance, tr_arm_goal *goal) {
    float radius = arm->radius[2], length = arm->length[2], away = radius + GAP, least = radius + 0.5f * GAP;
    *goal = (tr_arm_goal){.kind = TR_ARM_GOAL_DIRECTION, .direction = direction, .tolerance = tolerance};
    for (int i = 0; i < BACK_OFF_STEPS && away <= radius + GAP + BACK_OFF; i++) {
        tr_vec3 tip = tr_vec3_subtract(surface, tr_vec3_scale(direction, away));
        goal->wrist = tr_vec3_subtract(tip, tr_vec3_scale(direction, length));
        float distance = tr_solid_distance(stage->solid, goal->wrist, tip, radius + GAP, NULL);
        if (distance >= least)
            return true;
        away += radius + GAP - distance;
    }
    return false;
}

static tr_vec3 unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : tr_vec3_make(0, -1, 0);
}

static tr_vec3 mix(tr_vec3 a, float share, tr_vec3 b) {
    return unit(tr_vec3_add(tr_vec3_scale(a, share), b));
}

// Which way hands point, most natural first.
static uint32_t list_directions(const stage_actor *who, const tr_order *order, const tr_actor_arm_view *arm,
                                tr_vec3 middle, tr_vec3 directions[STAGE_REACH_GOALS]) {
    if (order->has_direction) {
        directions[0] = unit(order->direction);
        return 1;
    }
    tr_vec3 points[4];
    tr_arm_points(&arm->arm, &arm->posture, points);
    double s, c;
    tr_sin_cos(tr_actor_look(who->actor).state.heading, &s, &c);
    tr_vec3 ahead = {(float)s, 0, (float)c}, down = {0, -1, 0};
    float sign = arm->arm.side == TR_ARM_LEFT ? -1 : 1; // a right hand comes from the right and points left
    tr_vec3 inward = {sign * (float)c, 0, -sign * (float)s};
    tr_vec3 straight = unit(tr_vec3_subtract(middle, points[0]));
    tr_vec3 level = unit(tr_vec3_make(straight.x, 0.2f * straight.y, straight.z));
    uint32_t count = 0;
    directions[count++] = straight;
    directions[count++] = level;
    directions[count++] = mix(straight, 1, inward);
    directions[count++] = mix(straight, 1, down);
    directions[count++] = ahead;
    directions[count++] = mix(ahead, 1, inward);
    directions[count++] = inward;
    directions[count++] = down;
    return count;
}

uint32_t tr_stage_reach_goals(const tr_stage *stage, const stage_actor *who, const tr_order *order,
                              const tr_actor_arm_view *arm, tr_arm_goal goals[STAGE_REACH_GOALS]) {
    float tolerance = order->tolerance > 0 ? order->tolerance : TOLERANCE;
    if (!order->has_object) {
        goals[0] = (tr_arm_goal){.kind = order->has_direction ? TR_ARM_GOAL_DIRECTION : TR_ARM_GOAL_POSITION,
                                 .wrist = order->point,
                                 .direction = order->direction,
                                 .tolerance = tolerance};
        return 1;
    }
    tr_object_view object = tr_scene_object(stage->def.scene, order->object);
    tr_vec3 middle = middle_of(object.bounds), directions[STAGE_REACH_GOALS];
    uint32_t count = 0, tried = list_directions(who, order, arm, middle, directions);
    for (uint32_t i = 0; i < tried; i++) {
        tr_vec3 surface = find_surface(stage, &object, middle, directions[i]);
        count += make_goal(stage, &arm->arm, surface, directions[i], tolerance, &goals[count]);
    }
    return count;
}
