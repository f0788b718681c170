// The law of cosines gives the bend, the pose gives the plane. Everything is computed from positions in
// `model`, so that stiff joints in between, unusual rest axes and scales need no special cases. Rotations
// return into a joint's own axes through the columns of its parent's map.
#include "limb_turn.h"
#include "troupe/motion/limb.h"
#include "troupe/base/scalar.h"

#define STRAIGHTEST 0.999 // of the sum of the bones: beyond it the knee turns wildly for tiny moves
#define BENT_SINE 0.1     // of the bend above which the bones themselves define the plane
#define ROUNDS_MAX 8      // for scales that differ by axis, under which bones change length as they turn

// In double: squares of any float neither overflow nor vanish, and an almost straight limb still has an exact
// bend.
typedef struct vector {
    double x, y, z;
} vector;

static vector add(vector a, vector b) {
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vector scale(vector a, double s) {
    return (vector){a.x * s, a.y * s, a.z * s};
}

static vector subtract(vector a, vector b) {
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double length(vector a) {
    return sqrt(dot(a, a));
}

static vector widen(tr_vec3 v) {
    return (vector){v.x, v.y, v.z};
}

static vector place_of(const tr_affine *model) {
    return (vector){model->m[0][3], model->m[1][3], model->m[2][3]};
}

// Any unit vector perpendicular to the unit vector `axis`.
static vector any_across(vector axis) {
    vector other = axis.x * axis.x < 0.5 ? (vector){1, 0, 0} : (vector){0, 1, 0};
    vector a = subtract(other, scale(axis, dot(other, axis)));
    return scale(a, 1 / length(a));
}

// The part of `a` perpendicular to the unit vector `axis`, normalized; any perpendicular if that part
// vanishes.
static inline vector across(vector a, vector axis) {
    vector b = subtract(a, scale(axis, dot(a, axis)));
    double squared = dot(b, b);
    return squared > 1e-24 ? scale(b, tr_limb_inverse_root(squared)) : any_across(axis);
}

// ------------------------------------------------------------------------------------------------ measuring

static bool is_leg(tr_role lower, vector along) {
    if (lower == TR_ROLE_LEFT_SHANK || lower == TR_ROLE_RIGHT_SHANK)
        return true;
    if (lower == TR_ROLE_LEFT_FOREARM || lower == TR_ROLE_RIGHT_FOREARM)
        return false;
    return along.y < -0.5 * length(along);
}

// Knees bend backwards and elbows forwards, in the axes of the body; for limbs that point along that
// direction, down and up.
static vector axis_of_body(tr_role lower, vector along) {
    bool leg = is_leg(lower, along);
    vector ahead = {0, 0, leg ? -1 : 1}, upright = {0, leg ? -1 : 1, 0};
    vector axis = cross(along, ahead);
    if (length(axis) < 0.2 * length(along))
        axis = cross(along, upright);
    return scale(axis, 1 / length(axis));
}

// The hinge of a joint's limit: the axis with the widest range, pointing to the side with the larger angle.
// false: the limit defines no hinge.
typedef struct bend_range {
    vector axis; // in the joint's own axes
    double low, high;
} bend_range;

static bool range_of_limit(tr_joint_limit limit, bend_range *range) {
    double low[3] = {limit.low.x, limit.low.y, limit.low.z};
    double high[3] = {limit.high.x, limit.high.y, limit.high.z};
    int widest = 0;
    for (int i = 1; i < 3; i++)
        if (high[i] - low[i] > high[widest] - low[widest])
            widest = i;
    if (!limit.active || !(high[widest] - low[widest] > 0))
        return false;
    bool turned_over = -low[widest] > high[widest];
    double sign = turned_over ? -1 : 1;
    range->axis = (vector){widest == 0 ? sign : 0, widest == 1 ? sign : 0, widest == 2 ? sign : 0};
    range->low = turned_over ? -high[widest] : low[widest];
    range->high = turned_over ? -low[widest] : high[widest];
    return true;
}

static vector column_of(const tr_affine *axes, int i) {
    vector column = {axes->m[0][i], axes->m[1][i], axes->m[2][i]};
    return scale(column, tr_limb_inverse_root(dot(column, column)));
}

// A direction into the axes of a joint, whose columns may be scaled; and back.
static inline vector into_axes(const tr_affine *axes, vector v) {
    return (vector){dot(column_of(axes, 0), v), dot(column_of(axes, 1), v), dot(column_of(axes, 2), v)};
}

static vector out_of_axes(const tr_affine *axes, vector v) {
    return add(scale(column_of(axes, 0), v.x),
               add(scale(column_of(axes, 1), v.y), scale(column_of(axes, 2), v.z)));
}

static double distance_at(double upper, double lower, double bend) {
    double sine, cosine;
    tr_sin_cos(bend < 0 ? 0 : bend > TR_PI ? TR_PI : bend, &sine, &cosine);
    double squared = upper * upper + lower * lower + 2 * upper * lower * cosine;
    return squared > 0 ? sqrt(squared) : 0;
}

// `rest_bend`: the bend of the rest pose about the hinge.
static void set_reach(tr_limb *limb, double rest_bend, const bend_range *range) {
    double upper = limb->upper_length, lower = limb->lower_length;
    double most = STRAIGHTEST * (upper + lower);
    double least = fabs(upper - lower) + (1 - STRAIGHTEST) * (upper + lower);
    if (range) {
        double straightest = distance_at(upper, lower, rest_bend + range->low);
        double tightest = distance_at(upper, lower, rest_bend + range->high);
        most = straightest < most ? straightest : most;
        least = tightest > least ? tightest : least;
    }
    limb->reach_max = (float)most;
    limb->reach_min = (float)(least < most ? least : most);
}

tr_status tr_limb_measure(const tr_skeleton *skeleton, uint32_t upper, uint32_t lower, uint32_t end,
                          tr_limb *limb, tr_error *error) {
    uint32_t count = tr_skeleton_joint_count(skeleton);
    if (upper >= count || lower >= count || end >= count)
        return tr_fail(error, TR_INVALID,
                       "a limb has the joints %u, %u and %u, but the skeleton has only %u joints", upper,
                       lower, end, count);
    if (upper == lower || lower == end || !tr_skeleton_hangs_on(skeleton, lower, upper) ||
        !tr_skeleton_hangs_on(skeleton, end, lower))
        return tr_fail(error, TR_INVALID,
                       "joints %u (%s), %u (%s) and %u (%s) are not a chain from parent to child", upper,
                       tr_skeleton_joint(skeleton, upper).name, lower,
                       tr_skeleton_joint(skeleton, lower).name, end, tr_skeleton_joint(skeleton, end).name);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    vector thigh = subtract(place_of(&rest[lower]), place_of(&rest[upper]));
    vector shank = subtract(place_of(&rest[end]), place_of(&rest[lower]));
    double upper_length = length(thigh), lower_length = length(shank);
    if (!(upper_length > 1e-6) || !(lower_length > 1e-6))
        return tr_fail(
            error, TR_INVALID,
            "the bones of joints %u (%s) and %u (%s) are %g and %g m long, they must be longer than 1e-6 m",
            upper, tr_skeleton_joint(skeleton, upper).name, lower, tr_skeleton_joint(skeleton, lower).name,
            upper_length, lower_length);

    tr_joint_def joint = tr_skeleton_joint(skeleton, lower);
    bend_range range;
    bool limited = range_of_limit(joint.limit, &range);
    vector normal = cross(scale(thigh, 1 / upper_length), scale(shank, 1 / lower_length));
    double sine = length(normal);
    vector hinge;
    if (sine > BENT_SINE)
        hinge = into_axes(&rest[lower], scale(normal, 1 / sine));
    else if (limited)
        hinge = range.axis;
    else
        hinge = into_axes(&rest[lower], axis_of_body(joint.role, add(thigh, shank)));
    double size = length(hinge);
    hinge = size > 0 ? scale(hinge, 1 / size) : (vector){1, 0, 0};
    double bend = tr_arc_tangent(dot(normal, out_of_axes(&rest[lower], hinge)),
                                 dot(thigh, shank) / (upper_length * lower_length));
    limb->upper = upper, limb->lower = lower, limb->end = end;
    limb->hinge = tr_vec3_make((float)hinge.x, (float)hinge.y, (float)hinge.z);
    limb->upper_length = (float)upper_length, limb->lower_length = (float)lower_length;
    // A limit about another axis does not constrain this bend.
    set_reach(limb, bend, limited && dot(range.axis, hinge) > 0.9 ? &range : NULL);
    return TR_OK;
}

// ------------------------------------------------------------------------------------------------- reaching

static limb_turn multiply(limb_turn a, limb_turn b) {
    return (limb_turn){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static limb_turn opposite(limb_turn a) {
    return (limb_turn){-a.x, -a.y, -a.z, a.w};
}

static limb_turn widen_turn(tr_quat q) {
    return (limb_turn){q.x, q.y, q.z, q.w};
}

// The rotation that takes one frame (perpendicular unit vectors `bone` and `normal`) to another.
static inline limb_turn turn_between(vector bone, vector normal, vector to_bone, vector to_normal) {
    vector side = cross(bone, normal), to_side = cross(to_bone, to_normal);
    const double to[3][3] = {{to_bone.x, to_normal.x, to_side.x},
                             {to_bone.y, to_normal.y, to_side.y},
                             {to_bone.z, to_normal.z, to_side.z}};
    double rows[3][3];
    for (int i = 0; i < 3; i++) {
        vector row = add(scale(bone, to[i][0]), add(scale(normal, to[i][1]), scale(side, to[i][2])));
        rows[i][0] = row.x, rows[i][1] = row.y, rows[i][2] = row.z;
    }
    return tr_limb_turn_of_rows(rows);
}

// The same rotation in the axes of a joint whose map is `axes`, applied before the joint's local rotation. A
// mirrored map reverses the rotation.
static inline tr_quat turn_locally(limb_turn q, const tr_affine *axes, tr_quat local) {
    vector v = into_axes(axes, (vector){q.x, q.y, q.z});
    if (tr_limb_is_mirrored(axes))
        v = scale(v, -1);
    limb_turn both = tr_limb_turn_normalize(multiply((limb_turn){v.x, v.y, v.z, q.w}, widen_turn(local)));
    return both.x * both.x + both.y * both.y + both.z * both.z + both.w * both.w > 0.5
               ? tr_limb_turn_to_quat(both)
               : local;
}

// The present shape of a limb, or the wanted one.
typedef struct limb_shape {
    vector hip, thigh, shank; // unit vectors of the bones
    double upper, lower;      // their lengths
    vector line;              // from hip to end, unit length
    double distance;
    vector normal; // of the plane: turning the thigh about it towards the shank bends the knee
} limb_shape;

// Bent bones define the plane. Where they are almost straight, or bent the wrong way, the hinge comes in
// smoothly, always strongly enough to keep the normal on its own side.
static vector plane_normal(const limb_shape *shape, vector hinge) {
    vector normal = cross(shape->thigh, shape->shank);
    double sine = dot(normal, hinge), lacking = BENT_SINE - sine;
    if (lacking > 0)
        normal = add(normal, scale(hinge, lacking * lacking / BENT_SINE));
    return normal;
}

static inline bool look_at_shape(const tr_limb *limb, const tr_affine *model, limb_shape *shape) {
    vector knee = place_of(&model[limb->lower]), end = place_of(&model[limb->end]);
    shape->hip = place_of(&model[limb->upper]);
    shape->thigh = subtract(knee, shape->hip), shape->shank = subtract(end, knee);
    shape->upper = length(shape->thigh), shape->lower = length(shape->shank);
    double whole = shape->upper + shape->lower;
    if (!(shape->upper > 1e-9) || !(shape->lower > 1e-9) || !isfinite(whole))
        return false;
    shape->thigh = scale(shape->thigh, 1 / shape->upper);
    shape->shank = scale(shape->shank, 1 / shape->lower);
    vector normal = plane_normal(shape, out_of_axes(&model[limb->lower], widen(limb->hinge)));
    vector line = subtract(end, shape->hip);
    shape->distance = length(line);
    // When the limb is folded up so that its end lies at the hip, the knee still defines the direction of the
    // line.
    shape->line = shape->distance > 1e-6 * whole ? scale(line, 1 / shape->distance)
                                                 : across(cross(normal, shape->thigh), shape->thigh);
    shape->normal = across(normal, shape->line);
    return true;
}

// Applies the smallest rotation from one unit vector to another to `v`.
static vector swing(vector from, vector to, vector v) {
    double both = 1 + dot(from, to);
    if (both < 1e-9)
        return v; // opposite vectors: within the plane
    vector sum = add(from, to);
    return subtract(add(v, scale(to, 2 * dot(from, v))), scale(sum, dot(sum, v) / both));
}

static vector turn_about(vector v, vector axis, double angle) {
    if (angle == 0)
        return v;
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    return add(scale(v, cosine), add(scale(cross(axis, v), sine), scale(axis, dot(axis, v) * (1 - cosine))));
}

// The goal of the end, relative to the hip.
typedef struct limb_aim {
    vector line;
    double distance, swivel;
} limb_aim;

static limb_shape bend_to(const limb_shape *now, const limb_aim *aim) {
    limb_shape then = *now;
    double a = now->upper, b = now->lower, most = a + b, least = fabs(a - b);
    then.distance = aim->distance < least ? least : aim->distance > most ? most : aim->distance;
    double d = then.distance;
    then.line = aim->line;
    then.normal = across(swing(now->line, aim->line, now->normal), aim->line);
    then.normal = turn_about(then.normal, aim->line, aim->swivel);
    vector outwards = cross(aim->line, then.normal); // the direction in which the knee points
    if (!(d > 1e-9 * most)) {                        // folded up: the thigh stays perpendicular to the line
        then.thigh = outwards, then.shank = scale(outwards, -1);
        return then;
    }
    // Heron's formula keeps its precision where the limb is straight and a cosine would lose it.
    double area = (a + b + d) * (a + b - d) * (d + a - b) * (d - a + b);
    double off = area > 0 ? sqrt(area) / (2 * d) : 0; // distance of the knee from the line
    double along = (a * a - b * b + d * d) / (2 * d);
    then.thigh = scale(add(scale(aim->line, along), scale(outwards, off)), 1 / a);
    then.shank = subtract(scale(aim->line, d - along), scale(outwards, off));
    then.shank = scale(then.shank, 1 / b);
    return then;
}

// Turns thigh and shank, in the axes of their parents in the `model` of before. Returns the rotation of the
// shank.
static limb_turn turn_bones(const tr_limb *limb, const tr_skeleton *skeleton, const limb_shape *now,
                            const limb_shape *then, tr_pose *pose, const tr_affine *place,
                            const tr_affine *model) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    vector thigh_normal = across(now->normal, now->thigh);
    vector shank_normal = across(now->normal, now->shank);
    limb_turn upper = turn_between(now->thigh, thigh_normal, then->thigh, then->normal);
    limb_turn lower = turn_between(now->shank, shank_normal, then->shank, then->normal);
    tr_affine own = tr_affine_identity();
    uint32_t above = parents[limb->upper];
    const tr_affine *axes = above != TR_NONE ? &model[above] : place ? place : &own;
    tr_pose_set_rotation(pose, limb->upper, turn_locally(upper, axes, tr_pose_rotation(pose, limb->upper)));
    tr_pose_set_rotation(pose, limb->lower,
                         turn_locally(multiply(opposite(upper), lower), &model[parents[limb->lower]],
                                      tr_pose_rotation(pose, limb->lower)));
    return lower;
}

// The local rotation of the end that gives it `goal->rotation` after `lower`, the rotation of the shank, has
// turned its parent; `before` is its rotation so far.
static void turn_end(const tr_limb *limb, const tr_skeleton *skeleton, const tr_limb_goal *goal,
                     limb_turn lower, tr_quat before, tr_pose *pose, const tr_affine *model) {
    limb_turn above = tr_limb_turn_of_map(&model[tr_skeleton_parents(skeleton)[limb->end]]);
    limb_turn wanted = tr_limb_turn_normalize(widen_turn(*goal->rotation));
    limb_turn local = tr_limb_turn_normalize(multiply(opposite(multiply(lower, above)), wanted));
    if (!(local.x * local.x + local.y * local.y + local.z * local.z + local.w * local.w > 0.5))
        return; // no rotation was given, or the blend leaves none
    tr_quat result = tr_limb_turn_to_quat(local);
    if (goal->weight < 1)
        result = tr_quat_blend(before, result, goal->weight);
    tr_pose_set_rotation(pose, limb->end, result);
}

static limb_aim aim_at(const limb_shape *shape, vector point) {
    vector line = subtract(point, shape->hip);
    limb_aim aim = {shape->line, length(line), 0};
    if (aim.distance > 1e-9 * (shape->upper + shape->lower)) // otherwise any direction serves
        aim.line = scale(line, 1 / aim.distance);
    return aim;
}

static double between(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// The point for the end: the goal clamped to the reach, then the goal's weight as a share of the way there.
static vector point_for(const tr_limb *limb, const limb_shape *shape, const tr_limb_goal *goal) {
    vector wanted = widen(goal->position);
    limb_aim aim = aim_at(shape, wanted);
    double grown = (shape->upper + shape->lower) / ((double)limb->upper_length + limb->lower_length);
    // Joints in between that differ from the rest pose change the bones, and thereby how close they fold.
    double folded = fabs(shape->upper - shape->lower), least = grown * limb->reach_min;
    double reached = between(aim.distance, folded > least ? folded : least, grown * limb->reach_max);
    if (reached != aim.distance)
        wanted = add(shape->hip, scale(aim.line, reached));
    if (goal->weight >= 1)
        return wanted;
    vector now = add(shape->hip, scale(shape->line, shape->distance));
    return add(now, scale(subtract(wanted, now), goal->weight));
}

static bool is_valid(const tr_limb *limb, const tr_limb_goal *goal, const tr_pose *pose) {
    return limb->upper < pose->joint_count && limb->lower < pose->joint_count &&
           limb->end < pose->joint_count && limb->upper < limb->lower && limb->lower < limb->end &&
           tr_vec3_is_finite(goal->position) && goal->weight >= 0 && fabsf(goal->swivel) < 1e6f;
}

static vector end_of(const limb_shape *shape) {
    return add(shape->hip, scale(shape->line, shape->distance));
}

float tr_limb_reach(const tr_limb *limb, const tr_skeleton *skeleton, const tr_limb_goal *goal, tr_pose *pose,
                    const tr_affine *place, tr_affine *model) {
    limb_shape now;
    if (!is_valid(limb, goal, pose) || !look_at_shape(limb, model, &now))
        return INFINITY;
    vector end = goal->weight > 0 ? point_for(limb, &now, goal) : end_of(&now);
    double close = 1e-6 * (now.upper + now.lower);
    tr_quat before = tr_pose_rotation(pose, limb->end);
    for (int round = 0; goal->weight > 0 && round < ROUNDS_MAX; round++) {
        limb_aim aim = aim_at(&now, end);
        aim.swivel = round ? 0 : (double)goal->swivel * (goal->weight < 1 ? goal->weight : 1);
        limb_shape then = bend_to(&now, &aim);
        end = then.distance == aim.distance ? end : end_of(&then);
        limb_turn lower = turn_bones(limb, skeleton, &now, &then, pose, place, model);
        if (goal->rotation)
            turn_end(limb, skeleton, goal, lower, before, pose, model);
        tr_pose_update_model(skeleton, pose, place, limb->upper, model);
        if (!pose->scaled || !look_at_shape(limb, model, &now) || length(subtract(end_of(&now), end)) < close)
            break;
        if (round == ROUNDS_MAX - 1)
            end = end_of(&now);
    }
    return (float)length(subtract(end, widen(goal->position)));
}
