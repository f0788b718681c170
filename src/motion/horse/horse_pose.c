// Turns the state of a moving horse into a pose: the trunk from angles, the legs from the places of the
// hooves.
#include "horse_gait.h"

#include "troupe/base/scalar.h"

#define P(joint) TR_HORSE_##joint
// The point of the trunk that the state places: the centre of mass of a standing horse lies here, between
// the tenth ribs (Buchner et al. 2000).
static const tr_vec3 trunk_centre = {0, .760f, .080f};

static tr_quat about(int axis, double angle) {
    tr_vec3 along = {axis == 0, axis == 1, axis == 2};
    return tr_quat_about(along, angle);
}

// ------------------------------------------------------------------------------------------------------- rig

static tr_status find_joints(const tr_skeleton *skeleton, tr_error *error) {
    uint32_t count = tr_skeleton_joint_count(skeleton);
    if (count != TR_HORSE_JOINTS)
        return tr_fail(error, TR_INVALID, "the skeleton has %u joints, that of a horse has %u", count,
                       (uint32_t)TR_HORSE_JOINTS);
    for (uint32_t i = 0; i < count; i++)
        if (tr_skeleton_find(skeleton, tr_horse_joint_name(i)) != i)
            return tr_fail(error, TR_INVALID, "joint %u of the skeleton is \"%s\", that of a horse is \"%s\"",
                           i, tr_skeleton_joint(skeleton, i).name, tr_horse_joint_name(i));
    return TR_OK;
}

// All lengths are fractions of the height.
static double height_of(const tr_skeleton *skeleton) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    return (double)(tr_affine_position(&rest[P(PELVIS)]).y / tr_horse_places[P(PELVIS)].y);
}

tr_status tr_horse_rig_create(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_horse_rig *rig,
                              tr_error *error) {
    *rig = (tr_horse_rig){.allocator = tr_allocator_or_default(allocator), .skeleton = skeleton};
    tr_status status = find_joints(skeleton, error);
    if (status != TR_OK)
        return status;
    rig->height = height_of(skeleton);
    rig->model = tr_allocate(&rig->allocator, TR_HORSE_JOINTS, sizeof *rig->model);
    if (!rig->model)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to pose a horse");
    status = tr_pose_create(&rig->allocator, TR_HORSE_JOINTS, &rig->pose, error);
    if (status != TR_OK)
        tr_horse_rig_destroy(rig);
    return status;
}

void tr_horse_rig_destroy(tr_horse_rig *rig) {
    tr_pose_destroy(&rig->pose);
    tr_release(&rig->allocator, rig->model, TR_HORSE_JOINTS, sizeof *rig->model);
    *rig = (tr_horse_rig){0};
}

// ----------------------------------------------------------------------------------------------------- trunk

static void turn(tr_horse_rig *rig, uint32_t joint, tr_quat rotation) {
    tr_pose_set_rotation(&rig->pose, joint, tr_quat_normalize(rotation));
}

// Pelvis and thorax share the bend of the spine; most of the tuck is where the loin meets the pelvis.
static void pose_trunk(tr_horse_rig *rig, const tr_horse_state *state) {
    tr_quat lean = about(2, -state->roll);
    double pelvis = state->pitch - state->tuck;
    turn(rig, P(PELVIS),
         tr_quat_multiply(lean, tr_quat_multiply(about(1, -0.5 * state->bend), about(0, pelvis))));
    turn(rig, P(LOIN), tr_quat_multiply(about(1, 0.5 * state->bend), about(0, 0.7 * state->tuck)));
    turn(rig, P(THORAX), tr_quat_multiply(about(1, 0.5 * state->bend), about(0, 0.3 * state->tuck)));
    // The neck carries the head; the head keeps its own direction in the world.
    double neck = state->neck - 0.5 * state->neck_bow, middle = state->neck_bow;
    turn(rig, P(NECK), tr_quat_multiply(about(1, state->bend), about(0, neck)));
    turn(rig, P(NECK_MIDDLE), tr_quat_multiply(about(1, state->bend), about(0, middle)));
    turn(rig, P(HEAD), about(0, state->nod - state->pitch - neck - middle));
    turn(rig, P(TAIL), tr_quat_multiply(about(2, 0.5 * state->tail_sway), about(0, state->tail)));
    turn(rig, P(TAIL_MIDDLE),
         tr_quat_multiply(about(2, 0.5 * state->tail_sway), about(0, 0.3 * state->tail)));
    turn(rig, P(TAIL_LOW), tr_quat_multiply(about(2, 0.4 * state->tail_sway), about(0, -0.1 * state->tail)));
    turn(rig, P(TAIL_TIP), tr_quat_multiply(about(2, 0.4 * state->tail_sway), about(0, -0.2 * state->tail)));
    turn(rig, P(LEFT_EAR), about(0, -state->ear));
    turn(rig, P(RIGHT_EAR), about(0, -state->ear));
}

static tr_vec3 centre_of(const tr_horse_rig *rig) {
    tr_vec3 offset = tr_vec3_subtract(trunk_centre, tr_horse_places[P(THORAX)]);
    return tr_affine_apply(&rig->model[P(THORAX)], tr_vec3_scale(offset, (float)rig->height));
}

// Moves the root so that the centre of the trunk is where the state wants it.
static void place_trunk(tr_horse_rig *rig, const tr_horse_state *state) {
    tr_vec3 wanted = tr_vec3_scale(trunk_centre, (float)rig->height);
    wanted.y += (float)state->up;
    wanted.z += (float)state->ahead;
    wanted = tr_quat_rotate(about(2, -state->roll), wanted);
    wanted.x += (float)state->left;
    tr_transform root = tr_pose_get(&rig->pose, P(PELVIS));
    root.position = tr_vec3_add(root.position, tr_vec3_subtract(wanted, centre_of(rig)));
    tr_pose_set(&rig->pose, P(PELVIS), root);
    tr_pose_to_model(rig->skeleton, &rig->pose, NULL, rig->model);
}

// ------------------------------------------------------------------------------------------------------ legs

// A vector in the plane of a leg: up and ahead. Turning it by a positive angle is a positive turn about X.
typedef struct plane_vector {
    double y, z;
} plane_vector;

static plane_vector plane(double y, double z) {
    plane_vector v = {y, z};
    return v;
}
static plane_vector add(plane_vector a, plane_vector b) {
    return plane(a.y + b.y, a.z + b.z);
}
static plane_vector subtract(plane_vector a, plane_vector b) {
    return plane(a.y - b.y, a.z - b.z);
}
static plane_vector turned(plane_vector v, double angle) {
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    return plane(v.y * cosine - v.z * sine, v.y * sine + v.z * cosine);
}
static double length(plane_vector v) {
    return sqrt(v.y * v.y + v.z * v.z);
}
static double angle_of(plane_vector v) {
    return tr_arc_tangent(v.z, v.y);
}
// The bone from joint `from` to `to` at rest.
static plane_vector bone(const tr_horse_rig *rig, uint32_t from, uint32_t to) {
    tr_vec3 a = tr_horse_places[from], b = tr_horse_places[to];
    return plane(rig->height * (double)(b.y - a.y), rig->height * (double)(b.z - a.z));
}

// Two bones that are `upper` and `lower` at rest reach from the origin to `goal`: the turn of each. `side` is
// 1 if the joint between them points ahead, -1 if it points back. Returns how far the goal is out of reach.
static double reach(plane_vector upper, plane_vector lower, plane_vector goal, double side, double *first,
                    double *second) {
    double a = length(upper), b = length(lower), far = length(goal);
    double longest = a + b, shortest = a > b ? a - b : b - a;
    double d = far > longest ? longest : far < shortest ? shortest : far;
    double cosine = (a * a + d * d - b * b) / (2 * a * d);
    cosine = cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
    double open = tr_arc_tangent(sqrt(1 - cosine * cosine), cosine);
    *first = angle_of(goal) - side * open - angle_of(upper);
    plane_vector knee = turned(upper, *first);
    *second = angle_of(subtract(goal, knee)) - angle_of(lower);
    return far > d ? far - d : d - far;
}

static double wrapped(double angle) {
    return angle > TR_PI ? angle - 2 * TR_PI : angle < -TR_PI ? angle + 2 * TR_PI : angle;
}

// The turns of the bones of a leg about X, relative to the trunk, from its top joint to the cannon.
#define LEG_BONES 4 // scapula, humerus, radius, cannon; a hind leg has no scapula
typedef struct leg_turns {
    double bones[LEG_BONES];
    double miss;
} leg_turns;

// The scapula takes a share of the swing of the leg; humerus and forearm do the rest. The knee is bent as the
// state says.
static leg_turns solve_fore(const tr_horse_rig *rig, plane_vector goal, double knee) {
    leg_turns turns = {0};
    plane_vector scapula = bone(rig, P(LEFT_SCAPULA), P(LEFT_HUMERUS));
    plane_vector whole = bone(rig, P(LEFT_SCAPULA), P(LEFT_FORE_PASTERN));
    turns.bones[0] = 0.4 * wrapped(angle_of(goal) - angle_of(whole));
    plane_vector shoulder = turned(scapula, turns.bones[0]);
    plane_vector upper = bone(rig, P(LEFT_HUMERUS), P(LEFT_RADIUS));
    plane_vector lower = add(bone(rig, P(LEFT_RADIUS), P(LEFT_FORE_CANNON)),
                             turned(bone(rig, P(LEFT_FORE_CANNON), P(LEFT_FORE_PASTERN)), knee));
    turns.miss = reach(upper, lower, subtract(goal, shoulder), -1, &turns.bones[1], &turns.bones[2]);
    turns.bones[1] = wrapped(turns.bones[1]);
    turns.bones[2] = wrapped(turns.bones[2]);
    turns.bones[3] = turns.bones[2] + knee;
    return turns;
}

// Stifle and hock bend together: tendons on both sides of the tibia tie them to each other (the reciprocal
// apparatus). So the cannon turns as the femur does, and the leg has two bones: femur and cannon, and the
// tibia between them.
static leg_turns solve_hind(const tr_horse_rig *rig, plane_vector goal) {
    leg_turns turns = {0};
    plane_vector femur = bone(rig, P(LEFT_FEMUR), P(LEFT_TIBIA));
    plane_vector tibia = bone(rig, P(LEFT_TIBIA), P(LEFT_HIND_CANNON));
    plane_vector cannon = bone(rig, P(LEFT_HIND_CANNON), P(LEFT_HIND_PASTERN));
    turns.miss = reach(add(femur, cannon), tibia, goal, 1, &turns.bones[1], &turns.bones[2]);
    turns.bones[1] = wrapped(turns.bones[1]);
    turns.bones[2] = wrapped(turns.bones[2]);
    turns.bones[3] = turns.bones[1];
    return turns;
}

// The leg swings in a plane through its top joint, which is turned aside so that it holds the hoof.
static void pose_leg(tr_horse_rig *rig, const tr_horse_state *state, uint32_t leg) {
    const tr_horse_hoof *hoof = &state->hooves[leg];
    bool fore = tr_horse_is_fore(leg), right = leg == TR_HORSE_RIGHT_HIND || leg == TR_HORSE_RIGHT_FORE;
    uint32_t step = right ? TR_HORSE_SIDE_STEP : 0, first = (fore ? P(LEFT_SCAPULA) : P(LEFT_FEMUR)) + step;
    uint32_t pastern = (fore ? P(LEFT_FORE_PASTERN) : P(LEFT_HIND_PASTERN)) + step;
    uint32_t parent = fore ? P(THORAX) : P(PELVIS);
    // From the toe up to the hoof joint, in the axes of the base, and from there into those of the trunk.
    tr_quat level = tr_quat_multiply(about(1, hoof->yaw), about(2, -hoof->roll));
    tr_quat flat = tr_quat_multiply(level, about(0, hoof->pitch));
    tr_vec3 toe = {(float)hoof->x, (float)hoof->y, (float)hoof->z};
    tr_vec3 down = tr_vec3_scale(tr_skeleton_joint(rig->skeleton, pastern + 2).rest.position, -1);
    tr_vec3 coffin = tr_vec3_add(toe, tr_quat_rotate(flat, down));
    tr_quat trunk = tr_affine_rotation(&rig->model[parent]), back = tr_quat_conjugate(trunk);
    tr_vec3 top = tr_affine_position(&rig->model[first]);
    tr_vec3 way = tr_quat_rotate(back, tr_vec3_subtract(coffin, top));
    double aside = tr_arc_tangent((double)way.x, -(double)way.y);
    double drop = sqrt((double)way.x * (double)way.x + (double)way.y * (double)way.y);
    double tilt = state->pitch - (fore ? 0 : state->tuck), slope = hoof->pastern - tilt;
    plane_vector last = turned(bone(rig, pastern - step, pastern - step + 1), slope);
    plane_vector goal = subtract(plane(-drop, (double)way.z), last);
    leg_turns turns = fore ? solve_fore(rig, goal, hoof->knee) : solve_hind(rig, goal);
    double above = 0;
    tr_quat rotation = trunk;
    for (uint32_t i = fore ? 0 : 1, joint = first; i < LEG_BONES + 1; i++, joint++) {
        double to = i < LEG_BONES ? turns.bones[i] : slope;
        tr_quat local = about(0, to - above);
        if (joint == first)
            local = tr_quat_multiply(about(2, aside), local);
        turn(rig, joint, local);
        rotation = tr_quat_multiply(rotation, local);
        above = to;
    }
    turn(rig, pastern + 1, tr_quat_multiply(tr_quat_conjugate(tr_quat_normalize(rotation)), flat));
    tr_pose_update_model(rig->skeleton, &rig->pose, NULL, first, rig->model);
    double miss = (double)tr_vec3_distance(tr_affine_position(&rig->model[pastern + 2]), toe);
    rig->worst_miss = miss <= rig->worst_miss ? rig->worst_miss : miss;
}
#undef P

void tr_horse_pose(tr_horse_rig *rig, const tr_horse_state *state) {
    tr_pose_set_rest(&rig->pose, rig->skeleton);
    pose_trunk(rig, state);
    tr_pose_to_model(rig->skeleton, &rig->pose, NULL, rig->model);
    place_trunk(rig, state);
    for (uint32_t leg = 0; leg < TR_HORSE_LEGS; leg++)
        pose_leg(rig, state, leg);
}
