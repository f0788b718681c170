// From where a hand approaches an object: along a line through the middle of the object, with the finger tips
// just before the surface that the line meets first. People reach from the shoulder; the other directions are
// for obstacles in the way.
#include "stage_data.h"
#include "troupe/base/scalar.h"

#define GAP 0.01f          // between hand and surface [m]
#define BACK_OFF 0.12f     // additional distance that a hand may keep from slanted surfaces [m]
#define BACK_OFF_STEPS 8   // steps in which that is searched
#define TOLERANCE 0.17453f // of the direction, if an order names none [rad]

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

// The distance along a ray to the triangle; INFINITY: the ray misses it.
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

// The first point of the object on the line to its middle, from outside; the middle itself if the line meets
// no triangle (a ring), or if the object is only drawn.
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

// A goal with the hand along `direction`, as near to the surface as possible. false: an obstacle is in the
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

// The direction in which the hand points, most natural first: from the shoulder, the same more level, turned
// inwards and downwards; straight ahead, inwards and ahead, inwards, down.
static tr_vec3 direction_of(const stage_actor *who, const tr_arm *arm, tr_vec3 shoulder, tr_vec3 middle,
                            uint32_t number) {
    double s, c;
    tr_sin_cos(tr_actor_look(who->actor).state.heading, &s, &c);
    tr_vec3 ahead = {(float)s, 0, (float)c}, down = {0, -1, 0};
    float sign = arm->side == TR_ARM_LEFT ? -1 : 1; // a right hand comes from the right and points left
    tr_vec3 inwards = {sign * (float)c, 0, -sign * (float)s};
    tr_vec3 straight = unit(tr_vec3_subtract(middle, shoulder));
    switch (number) {
    case 0:
        return straight;
    case 1:
        return unit(tr_vec3_make(straight.x, 0.2f * straight.y, straight.z));
    case 2:
        return unit(tr_vec3_add(straight, inwards));
    case 3:
        return unit(tr_vec3_add(straight, down));
    case 4:
        return ahead;
    case 5:
        return unit(tr_vec3_add(ahead, inwards));
    case 6:
        return inwards;
    default:
        return down;
    }
}

uint32_t tr_stage_reach_goal_count(const tr_order *order) {
    return order->has_object && !order->has_direction ? STAGE_REACH_GOALS : 1;
}

bool tr_stage_reach_goal(const tr_stage *stage, const stage_actor *who, const tr_order *order,
                         const tr_arm *arm, const tr_posture *posture, uint32_t number, tr_arm_goal *goal) {
    float tolerance = order->tolerance > 0 ? order->tolerance : TOLERANCE;
    if (!order->has_object) {
        *goal = (tr_arm_goal){.kind = order->has_direction ? TR_ARM_GOAL_DIRECTION : TR_ARM_GOAL_POSITION,
                              .wrist = order->point,
                              .direction = order->direction,
                              .tolerance = tolerance};
        return true;
    }
    tr_object_view object = tr_scene_object(stage->def.scene, order->object);
    tr_vec3 middle = middle_of(object.bounds), points[4];
    tr_arm_points(arm, posture, points);
    tr_vec3 direction =
        order->has_direction ? unit(order->direction) : direction_of(who, arm, points[0], middle, number);
    tr_vec3 surface = find_surface(stage, &object, middle, direction);
    return make_goal(stage, arm, surface, direction, tolerance, goal);
}
