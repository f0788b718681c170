#include "troupe/motion/mannequin.h"
#include "mannequin_parts.h"
#include "troupe/base/scalar.h"

#define HEIGHT_MIN 0.5f
#define HEIGHT_MAX 2.5f
#define PAINTS 2

// The heights of the joints are sums of the published fractions: ankle .039, shank .246, thigh .245, torso
// .288, neck .052, head .130. Hip and shoulder joints lie inside the published widths (half hip .0955, half
// shoulder .1295), because those include the flesh. The foot is .152 long (Drillis & Contini 1966), with a
// fifth of it behind the ankle. The toes bend at the height of the sole, so that heel off and toes flat share
// one fixed line on the ground.
const tr_vec3 tr_mannequin_places[TR_MANNEQUIN_JOINTS] = {
    [TR_MANNEQUIN_HIPS] = {0, .530f, 0},
    [TR_MANNEQUIN_SPINE] = {0, .590f, -.004f},
    [TR_MANNEQUIN_CHEST] = {0, .665f, -.006f},
    [TR_MANNEQUIN_UPPER_CHEST] = {0, .745f, -.008f},
    [TR_MANNEQUIN_NECK] = {0, .828f, -.010f},
    [TR_MANNEQUIN_HEAD] = {0, .882f, 0},
    [TR_MANNEQUIN_HEAD_END] = {0, 1, 0},
    [TR_MANNEQUIN_LEFT_SHOULDER] = {.016f, .812f, -.002f},
    [TR_MANNEQUIN_LEFT_UPPER_ARM] = {.115f, .812f, -.006f},
    [TR_MANNEQUIN_LEFT_FOREARM] = {.115f, .624f, -.006f},
    [TR_MANNEQUIN_LEFT_HAND] = {.115f, .472f, -.006f},
    [TR_MANNEQUIN_LEFT_HAND_END] = {.115f, .366f, -.006f},
    [TR_MANNEQUIN_RIGHT_SHOULDER] = {-.016f, .812f, -.002f},
    [TR_MANNEQUIN_RIGHT_UPPER_ARM] = {-.115f, .812f, -.006f},
    [TR_MANNEQUIN_RIGHT_FOREARM] = {-.115f, .624f, -.006f},
    [TR_MANNEQUIN_RIGHT_HAND] = {-.115f, .472f, -.006f},
    [TR_MANNEQUIN_RIGHT_HAND_END] = {-.115f, .366f, -.006f},
    [TR_MANNEQUIN_LEFT_THIGH] = {.050f, .530f, 0},
    [TR_MANNEQUIN_LEFT_SHANK] = {.050f, .285f, 0},
    [TR_MANNEQUIN_LEFT_FOOT] = {.050f, .039f, 0},
    [TR_MANNEQUIN_LEFT_TOES] = {.050f, 0, .076f},
    [TR_MANNEQUIN_LEFT_TOES_END] = {.050f, 0, .1216f},
    [TR_MANNEQUIN_RIGHT_THIGH] = {-.050f, .530f, 0},
    [TR_MANNEQUIN_RIGHT_SHANK] = {-.050f, .285f, 0},
    [TR_MANNEQUIN_RIGHT_FOOT] = {-.050f, .039f, 0},
    [TR_MANNEQUIN_RIGHT_TOES] = {-.050f, 0, .076f},
    [TR_MANNEQUIN_RIGHT_TOES_END] = {-.050f, 0, .1216f},
};

// Joints of the middle and of the left side. Limits are in degrees and are mirrored for the right side. They
// are those of men aged 20 to 44, measured lying down, with two exceptions that body weight opens further:
// the hip extends by 30 (17 lying) and the ankle bends by 30 (13), because running, squatting and walking
// down stairs need it. The limits of the upper arm and the hand cover every twist and swing within the human
// limits of the arm's own angles (plan/arm.h): an arm raised overhead or across the chest twists in ways that
// no box of twist and swing describes, and the forearm's pronation turns the hand.
typedef struct joint_row {
    const char *name, *mirrored_name;
    tr_role role;
    int parent;
    uint8_t twist_axis;
    float low[3], high[3];
    bool is_end;
} joint_row;

#define P(joint) TR_MANNEQUIN_##joint
static const joint_row rows[TR_MANNEQUIN_JOINTS] = {
    [P(HIPS)] = {.name = "hips", .role = TR_ROLE_HIPS, .parent = -1},
    [P(SPINE)] = {"spine", 0, TR_ROLE_SPINE, P(HIPS), 1, {-15, -20, -15}, {35, 20, 15}, false},
    [P(CHEST)] = {"chest", 0, TR_ROLE_CHEST, P(SPINE), 1, {-12, -20, -15}, {25, 20, 15}, false},
    [P(UPPER_CHEST)] = {"upper_chest", 0, TR_ROLE_UPPER_CHEST, P(CHEST), 1, {-10, -15, -10}, {20, 15, 10}, 0},
    [P(NECK)] = {"neck", 0, TR_ROLE_NECK, P(UPPER_CHEST), 1, {-30, -45, -25}, {35, 45, 25}, false},
    [P(HEAD)] = {"head", 0, TR_ROLE_HEAD, P(NECK), 1, {-30, -40, -20}, {25, 40, 20}, false},
    [P(HEAD_END)] = {.name = "head_end", .parent = P(HEAD), .is_end = true},
    [P(LEFT_SHOULDER)] = {"left_shoulder",
                          "right_shoulder",
                          TR_ROLE_LEFT_SHOULDER,
                          P(UPPER_CHEST),
                          0,
                          {-10, -25, -10},
                          {10, 25, 40},
                          false},
    [P(LEFT_UPPER_ARM)] = {"left_upper_arm",
                           "right_upper_arm",
                           TR_ROLE_LEFT_UPPER_ARM,
                           P(LEFT_SHOULDER),
                           1,
                           {-169, -180, -145},
                           {60, 180, 170},
                           false},
    [P(LEFT_FOREARM)] = {"left_forearm",
                         "right_forearm",
                         TR_ROLE_LEFT_FOREARM,
                         P(LEFT_UPPER_ARM),
                         1,
                         {-145, 0, 0},
                         {0, 0, 0},
                         false},
    [P(LEFT_HAND)] = {"left_hand",
                      "right_hand",
                      TR_ROLE_LEFT_HAND,
                      P(LEFT_FOREARM),
                      1,
                      {-80, -112, -80},
                      {80, 112, 80},
                      false},
    [P(LEFT_HAND_END)] = {"left_hand_end", "right_hand_end", TR_ROLE_NONE, P(LEFT_HAND), 0, {0}, {0}, true},
    [P(LEFT_THIGH)] =
        {"left_thigh", "right_thigh", TR_ROLE_LEFT_THIGH, P(HIPS), 1, {-130, -45, -30}, {30, 45, 45}, false},
    [P(LEFT_SHANK)] =
        {"left_shank", "right_shank", TR_ROLE_LEFT_SHANK, P(LEFT_THIGH), 1, {0, 0, 0}, {138, 0, 0}, false},
    [P(LEFT_FOOT)] = {"left_foot",
                      "right_foot",
                      TR_ROLE_LEFT_FOOT,
                      P(LEFT_SHANK),
                      2,
                      {-30, -25, -30},
                      {55, 25, 30},
                      false},
    [P(LEFT_TOES)] =
        {"left_toes", "right_toes", TR_ROLE_LEFT_TOES, P(LEFT_FOOT), 2, {-75, 0, 0}, {40, 0, 0}, false},
    [P(LEFT_TOES_END)] = {"left_toes_end", "right_toes_end", TR_ROLE_NONE, P(LEFT_TOES), 0, {0}, {0}, true},
};

// The joint of the left side or the middle whose row describes `joint`.
static uint32_t row_of(uint32_t joint) {
    if (joint >= P(RIGHT_SHOULDER) && joint <= P(RIGHT_HAND_END))
        return joint - TR_MANNEQUIN_ARM_STEP;
    return joint >= P(RIGHT_THIGH) ? joint - TR_MANNEQUIN_LEG_STEP : joint;
}

static float radians(float degrees) {
    return (float)(degrees * (TR_PI / 180));
}

static tr_joint_limit limit_of(const joint_row *row, bool mirrored) {
    tr_joint_limit limit = {.active = !row->is_end && row->parent >= 0, .twist_axis = row->twist_axis};
    for (int axis = 0; axis < 3; axis++) {
        // In a mirror image that swaps left and right, rotations about X stay and the others change their
        // sign.
        bool swap = mirrored && axis > 0;
        (&limit.low.x)[axis] = radians(swap ? 0 - row->high[axis] : row->low[axis]);
        (&limit.high.x)[axis] = radians(swap ? 0 - row->low[axis] : row->high[axis]);
    }
    return limit;
}

static tr_vec3 joint_place(tr_mannequin_shape shape, uint32_t joint) {
    return tr_mannequin_place(shape, tr_mannequin_region_of(joint), tr_mannequin_places[joint]);
}

static void fill_joint(tr_mannequin_shape shape, float height, uint32_t i, tr_joint_def *joint) {
    uint32_t source = row_of(i);
    bool mirrored = source != i;
    const joint_row *row = &rows[source];
    *joint = (tr_joint_def){.name = mirrored ? row->mirrored_name : row->name,
                            .parent = row->parent < 0 ? TR_NONE : (uint32_t)row->parent,
                            .rest = tr_transform_identity(),
                            .role = mirrored ? tr_role_mirror(row->role) : row->role,
                            .is_end = row->is_end,
                            .limit = limit_of(row, mirrored)};
    if (mirrored && row_of(i) != (uint32_t)P(LEFT_SHOULDER) && row_of(i) != (uint32_t)P(LEFT_THIGH))
        joint->parent = i - 1; // within a limb the parent of each joint is the one before
    tr_vec3 place = joint_place(shape, i);
    if (joint->parent != TR_NONE)
        place = tr_vec3_subtract(place, joint_place(shape, joint->parent));
    joint->rest.position = tr_vec3_scale(place, height);
}

static uint32_t joint_count(const tr_mannequin_def *def) {
    return def->fingers ? P(ALL_JOINTS) : P(JOINTS);
}

static void fill_joints(const tr_mannequin_def *def, float height, tr_joint_def *joints) {
    for (uint32_t i = 0; i < joint_count(def); i++) {
        tr_joint_def joint;
        if (i < P(JOINTS))
            fill_joint(def->shape, height, i, &joint);
        else
            tr_mannequin_fill_finger(def->shape, height, i, &joint);
        if (joint.parent != TR_NONE)
            joint.parent = tr_mannequin_number(joint.parent, def->fingers);
        joints[tr_mannequin_number(i, def->fingers)] = joint;
    }
}
#undef P

static tr_status check(const tr_mannequin_def *def, tr_error *error) {
    if ((uint32_t)def->shape >= TR_SHAPES)
        return tr_fail(error, TR_INVALID, "the mannequin's shape is %d, it must be 0 to %d", (int)def->shape,
                       TR_SHAPES - 1);
    if (!(def->height == 0 || (def->height >= HEIGHT_MIN && def->height <= HEIGHT_MAX)))
        return tr_fail(error, TR_INVALID, "the mannequin's height is %g m, it must be %g to %g",
                       (double)def->height, (double)HEIGHT_MIN, (double)HEIGHT_MAX);
    for (int i = 0; i < 3; i++)
        if (!(def->color[i] >= 0 && def->color[i] <= 1))
            return tr_fail(error, TR_INVALID,
                           "component %d of the mannequin's colour is %g, it must be 0 to 1", i,
                           (double)def->color[i]);
    if (def->detail > 1)
        return tr_fail(error, TR_INVALID, "the mannequin's detail is %u, it must be 0 or 1", def->detail);
    return TR_OK;
}

static tr_status make_body(const tr_mannequin_def *def, float height, const tr_skeleton *skeleton,
                           tr_body **body, tr_error *error) {
    // The white of the eyes, and the dark of eyes and brows.
    static const float paints[PAINTS][3] = {{.82f, .80f, .76f}, {.035f, .025f, .020f}};
    static const float warm_grey[3] = {.60f, .53f, .46f};
    tr_affine inverse_rest[TR_MANNEQUIN_ALL_JOINTS];
    for (uint32_t i = 0; i < TR_MANNEQUIN_JOINTS; i++) {
        tr_vec3 place = tr_vec3_scale(joint_place(def->shape, i), -height);
        inverse_rest[tr_mannequin_number(i, def->fingers)] = tr_affine_place(place, 0);
    }
    for (uint32_t i = TR_MANNEQUIN_JOINTS; i < joint_count(def); i++) {
        uint32_t number = tr_mannequin_number(i, def->fingers);
        tr_vec3 place = tr_affine_position(&tr_skeleton_rest_model(skeleton)[number]);
        inverse_rest[number] = tr_affine_place(tr_vec3_scale(place, -1), 0);
    }
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_skin skin;
    if (!tr_mannequin_build_skin(def, &allocator, height, &skin))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the skin of a mannequin");
    tr_capsule capsules[TR_MANNEQUIN_CAPSULES];
    bool ignored[TR_MANNEQUIN_CAPSULES * TR_MANNEQUIN_CAPSULES];
    tr_mannequin_fill_capsules(def->shape, height, capsules, ignored);
    for (uint32_t i = 0; i < TR_MANNEQUIN_CAPSULES; i++)
        capsules[i].joint = tr_mannequin_number(capsules[i].joint, def->fingers);
    tr_body_def made = {.allocator = def->allocator,
                        .name = "mannequin",
                        .joint_count = joint_count(def),
                        .inverse_rest = inverse_rest,
                        .capsules = capsules,
                        .capsule_count = TR_MANNEQUIN_CAPSULES,
                        .ignored_pairs = ignored};
    tr_skin_describe(&skin, paints, PAINTS, &made);
    bool plain = def->color[0] == 0 && def->color[1] == 0 && def->color[2] == 0;
    for (int i = 0; i < 3; i++)
        made.color[i] = plain ? warm_grey[i] : def->color[i];
    tr_status status = tr_body_create(&made, body, error);
    tr_skin_release(&skin);
    return status;
}

tr_status tr_mannequin_make(const tr_mannequin_def *def, tr_skeleton **skeleton, tr_body **body,
                            tr_error *error) {
    *skeleton = NULL;
    if (body)
        *body = NULL;
    tr_status status = check(def, error);
    if (status != TR_OK)
        return status;
    float height = def->height == 0 ? tr_mannequin_shape_height(def->shape) : def->height;
    tr_joint_def joints[TR_MANNEQUIN_ALL_JOINTS];
    fill_joints(def, height, joints);
    tr_skeleton_def skeleton_def = {
        .allocator = def->allocator, .name = "mannequin", .joints = joints, .joint_count = joint_count(def)};
    status = tr_skeleton_create(&skeleton_def, skeleton, error);
    if (status == TR_OK && body)
        status = make_body(def, height, *skeleton, body, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(*skeleton);
        *skeleton = NULL;
    }
    return status;
}
