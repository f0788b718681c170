#include "troupe/motion/horse.h"
#include "horse_parts.h"
#include "troupe/base/scalar.h"

#define HEIGHT_MIN 0.7f
#define HEIGHT_MAX 2.1f

// Bones follow the lengths from which archaeologists compute the height at the withers (Kiesewalter 1888:
// height = 4.87 humerus = 4.11 radius = 6.40 metacarpus = 3.50 femur = 4.37 tibia = 5.33 metatarsus). Those
// are greatest lengths; from joint to joint humerus and femur are shorter by their heads, and the cannons
// longer by the bones of carpus and tarsus below the hinge. The hoof joint is inside the hoof, and the toe on
// the ground.
const tr_vec3 tr_horse_places[TR_HORSE_RIGHT_EAR] = {
    [TR_HORSE_PELVIS] = {0, .890f, -.200f},
    [TR_HORSE_LOIN] = {0, .885f, -.050f},
    [TR_HORSE_THORAX] = {0, .875f, .110f},
    [TR_HORSE_NECK] = {0, .815f, .420f},
    [TR_HORSE_NECK_MIDDLE] = {0, .985f, .610f},
    [TR_HORSE_HEAD] = {0, 1.150f, .780f},
    [TR_HORSE_HEAD_END] = {0, .877f, 1.067f},
    [TR_HORSE_TAIL] = {0, .925f, -.475f},
    [TR_HORSE_TAIL_MIDDLE] = {0, .850f, -.560f},
    [TR_HORSE_TAIL_LOW] = {0, .690f, -.595f},
    [TR_HORSE_TAIL_TIP] = {0, .530f, -.595f},
    [TR_HORSE_TAIL_END] = {0, .330f, -.585f},
    [TR_HORSE_LEFT_EAR] = {.034f, 1.200f, .795f},
    [TR_HORSE_LEFT_SCAPULA] = {.080f, .880f, .335f},
    [TR_HORSE_LEFT_HUMERUS] = {.080f, .685f, .445f},
    [TR_HORSE_LEFT_RADIUS] = {.080f, .545f, .340f},
    [TR_HORSE_LEFT_FORE_CANNON] = {.080f, .305f, .347f},
    [TR_HORSE_LEFT_FORE_PASTERN] = {.080f, .130f, .345f},
    [TR_HORSE_LEFT_FORE_HOOF] = {.080f, .055f, .392f},
    [TR_HORSE_LEFT_FORE_TOE] = {.080f, 0, .445f},
    [TR_HORSE_LEFT_FEMUR] = {.085f, .785f, -.365f},
    [TR_HORSE_LEFT_TIBIA] = {.085f, .560f, -.270f},
    [TR_HORSE_LEFT_HIND_CANNON] = {.085f, .360f, -.430f},
    [TR_HORSE_LEFT_HIND_PASTERN] = {.085f, .135f, -.425f},
    [TR_HORSE_LEFT_HIND_HOOF] = {.085f, .055f, -.380f},
    [TR_HORSE_LEFT_HIND_TOE] = {.085f, 0, -.328f},
};

// Limits in degrees, of the left side; about Y and Z they are mirrored for the right. Legs are hinges. Their
// top joints also swing aside, and hooves turn and tilt a little, as on uneven ground.
typedef struct joint_row {
    const char *name, *right_name;
    int parent;
    float low[3], high[3];
} joint_row;

#define P(joint) TR_HORSE_##joint
static const joint_row rows[TR_HORSE_RIGHT_EAR] = {
    [P(PELVIS)] = {"pelvis", 0, -1, {0}, {0}},
    [P(LOIN)] = {"loin", 0, P(PELVIS), {-25, -10, -10}, {25, 10, 10}},
    [P(THORAX)] = {"thorax", 0, P(LOIN), {-15, -15, -10}, {15, 15, 10}},
    [P(NECK)] = {"neck", 0, P(THORAX), {-35, -45, -20}, {55, 45, 20}},
    [P(NECK_MIDDLE)] = {"neck_middle", 0, P(NECK), {-40, -45, -25}, {40, 45, 25}},
    [P(HEAD)] = {"head", 0, P(NECK_MIDDLE), {-50, -30, -30}, {45, 30, 30}},
    [P(HEAD_END)] = {"head_end", 0, P(HEAD), {0}, {0}},
    [P(TAIL)] = {"tail", 0, P(PELVIS), {-30, -40, -30}, {80, 40, 30}},
    [P(TAIL_MIDDLE)] = {"tail_middle", 0, P(TAIL), {-40, -40, -40}, {50, 40, 40}},
    [P(TAIL_LOW)] = {"tail_low", 0, P(TAIL_MIDDLE), {-40, -40, -40}, {50, 40, 40}},
    [P(TAIL_TIP)] = {"tail_tip", 0, P(TAIL_LOW), {-40, -40, -40}, {50, 40, 40}},
    [P(TAIL_END)] = {"tail_end", 0, P(TAIL_TIP), {0}, {0}},
    [P(LEFT_EAR)] = {"left_ear", "right_ear", P(HEAD), {-60, -60, -30}, {40, 60, 30}},
    [P(LEFT_SCAPULA)] = {"left_scapula", "right_scapula", P(THORAX), {-25, -5, -20}, {25, 5, 25}},
    [P(LEFT_HUMERUS)] = {"left_humerus", "right_humerus", P(LEFT_SCAPULA), {-70, 0, 0}, {70, 0, 0}},
    [P(LEFT_RADIUS)] = {"left_radius", "right_radius", P(LEFT_HUMERUS), {-125, 0, 0}, {40, 0, 0}},
    [P(LEFT_FORE_CANNON)] =
        {"left_fore_cannon", "right_fore_cannon", P(LEFT_RADIUS), {-3, 0, 0}, {140, 0, 0}},
    [P(LEFT_FORE_PASTERN)] =
        {"left_fore_pastern", "right_fore_pastern", P(LEFT_FORE_CANNON), {-60, 0, 0}, {110, 0, 0}},
    [P(LEFT_FORE_HOOF)] =
        {"left_fore_hoof", "right_fore_hoof", P(LEFT_FORE_PASTERN), {-45, -25, -42}, {75, 25, 42}},
    [P(LEFT_FORE_TOE)] = {"left_fore_toe", "right_fore_toe", P(LEFT_FORE_HOOF), {0}, {0}},
    [P(LEFT_FEMUR)] = {"left_femur", "right_femur", P(PELVIS), {-65, -5, -25}, {40, 5, 30}},
    [P(LEFT_TIBIA)] = {"left_tibia", "right_tibia", P(LEFT_FEMUR), {-30, 0, 0}, {100, 0, 0}},
    [P(LEFT_HIND_CANNON)] =
        {"left_hind_cannon", "right_hind_cannon", P(LEFT_TIBIA), {-100, 0, 0}, {30, 0, 0}},
    [P(LEFT_HIND_PASTERN)] =
        {"left_hind_pastern", "right_hind_pastern", P(LEFT_HIND_CANNON), {-60, 0, 0}, {110, 0, 0}},
    [P(LEFT_HIND_HOOF)] =
        {"left_hind_hoof", "right_hind_hoof", P(LEFT_HIND_PASTERN), {-45, -25, -42}, {75, 25, 42}},
    [P(LEFT_HIND_TOE)] = {"left_hind_toe", "right_hind_toe", P(LEFT_HIND_HOOF), {0}, {0}},
};

// The joint of the left side or the middle whose row describes `joint`.
static uint32_t row_of(uint32_t joint) {
    return joint >= P(RIGHT_EAR) ? joint - TR_HORSE_SIDE_STEP : joint;
}

const char *tr_horse_joint_name(uint32_t joint) {
    const joint_row *row = &rows[row_of(joint)];
    return row_of(joint) == joint ? row->name : row->right_name;
}

uint32_t tr_horse_parent(uint32_t joint) {
    uint32_t source = row_of(joint);
    if (rows[source].parent < 0)
        return TR_NONE;
    uint32_t parent = (uint32_t)rows[source].parent;
    return source != joint && parent >= TR_HORSE_MIDDLE ? parent + TR_HORSE_SIDE_STEP : parent;
}

static bool is_end(uint32_t joint) {
    uint32_t row = row_of(joint);
    return row == P(HEAD_END) || row == P(TAIL_END) || row == P(LEFT_FORE_TOE) || row == P(LEFT_HIND_TOE);
}

static tr_vec3 place_of(uint32_t joint) {
    tr_vec3 place = tr_horse_places[row_of(joint)];
    place.x = joint >= P(RIGHT_EAR) ? 0 - place.x : place.x;
    return place;
}

static float radians(float degrees) {
    return (float)(degrees * (TR_PI / 180));
}

static tr_joint_limit limit_of(uint32_t joint) {
    const joint_row *row = &rows[row_of(joint)];
    bool mirrored = row_of(joint) != joint;
    tr_joint_limit limit = {.active = !is_end(joint) && row->parent >= 0, .twist_axis = 1};
    for (int axis = 0; axis < 3; axis++) {
        // In a mirror image that swaps left and right, rotations about X stay and the others change sign.
        bool swap = mirrored && axis > 0;
        (&limit.low.x)[axis] = radians(swap ? 0 - row->high[axis] : row->low[axis]);
        (&limit.high.x)[axis] = radians(swap ? 0 - row->low[axis] : row->high[axis]);
    }
    return limit;
}

static void fill_joints(float height, tr_joint_def *joints) {
    for (uint32_t i = 0; i < TR_HORSE_JOINTS; i++) {
        joints[i] = (tr_joint_def){.name = tr_horse_joint_name(i),
                                   .parent = tr_horse_parent(i),
                                   .rest = tr_transform_identity(),
                                   .is_end = is_end(i),
                                   .limit = limit_of(i)};
        tr_vec3 place = place_of(i);
        if (joints[i].parent != TR_NONE)
            place = tr_vec3_subtract(place, place_of(joints[i].parent));
        joints[i].rest.position = tr_vec3_scale(place, height);
    }
}

// -------------------------------------------------------------------------------------------------- capsules

typedef struct capsule_row {
    uint32_t joint;
    tr_vec3 a, b;
    float radius;
} capsule_row;

static const capsule_row middle[] = {
    {P(PELVIS), {0, .800f, -.400f}, {0, .815f, -.220f}, .150f},
    {P(LOIN), {0, .780f, -.130f}, {0, .770f, .020f}, .165f},
    {P(THORAX), {0, .760f, .080f}, {0, .755f, .320f}, .190f},
    {P(NECK), {0, .830f, .440f}, {0, .935f, .550f}, .110f},
    {P(NECK_MIDDLE), {0, .990f, .610f}, {0, 1.090f, .710f}, .085f},
    {P(HEAD), {0, 1.110f, .820f}, {0, .920f, 1.020f}, .052f},
};
static const capsule_row left[] = {
    {P(LEFT_HUMERUS), {.090f, .670f, .420f}, {.085f, .560f, .360f}, .070f},
    {P(LEFT_RADIUS), {.082f, .520f, .348f}, {.080f, .330f, .346f}, .040f},
    {P(LEFT_FORE_CANNON), {.080f, .300f, .346f}, {.080f, .150f, .345f}, .026f},
    {P(LEFT_FORE_PASTERN), {.080f, .128f, .348f}, {.080f, .080f, .378f}, .024f},
    {P(LEFT_FORE_HOOF), {.080f, .036f, .385f}, {.080f, .036f, .405f}, .035f},
    {P(LEFT_FEMUR), {.105f, .740f, -.350f}, {.095f, .610f, -.310f}, .095f},
    {P(LEFT_TIBIA), {.092f, .530f, -.320f}, {.086f, .390f, -.410f}, .048f},
    {P(LEFT_HIND_CANNON), {.086f, .350f, -.430f}, {.085f, .155f, -.425f}, .027f},
    {P(LEFT_HIND_PASTERN), {.085f, .132f, -.420f}, {.085f, .080f, -.393f}, .024f},
    {P(LEFT_HIND_HOOF), {.085f, .036f, -.388f}, {.085f, .036f, -.368f}, .035f},
};
#define MIDDLE_COUNT (sizeof middle / sizeof *middle)
#define LEFT_COUNT (sizeof left / sizeof *left)
#define CAPSULES (MIDDLE_COUNT + 2 * LEFT_COUNT)

static tr_capsule capsule_from(const capsule_row *row, float height, bool mirrored) {
    tr_capsule capsule = {.joint = row->joint + (mirrored ? TR_HORSE_SIDE_STEP : 0),
                          .radius = row->radius * height};
    float side = mirrored ? -1.0f : 1.0f;
    tr_vec3 a = {row->a.x * side, row->a.y, row->a.z}, b = {row->b.x * side, row->b.y, row->b.z};
    capsule.a = tr_vec3_scale(tr_vec3_subtract(a, place_of(capsule.joint)), height);
    capsule.b = tr_vec3_scale(tr_vec3_subtract(b, place_of(capsule.joint)), height);
    return capsule;
}

// The number of bones between two joints.
static uint32_t distance_between(uint32_t a, uint32_t b) {
    uint32_t distance = 0;
    while (a != b) { // a parent has the lower number, so the higher of the two steps up
        uint32_t *lower = a > b ? &a : &b;
        *lower = tr_horse_parent(*lower);
        distance++;
    }
    return distance;
}

// Thighs and upper arms of a horse are inside the skin of its trunk.
static bool is_trunk(uint32_t joint) {
    uint32_t row = row_of(joint);
    return row < TR_HORSE_MIDDLE || row == P(LEFT_HUMERUS) || row == P(LEFT_FEMUR);
}

// Forearm and gaskin fold against ribs and flank.
static bool folds(uint32_t joint) {
    return row_of(joint) == P(LEFT_RADIUS) || row_of(joint) == P(LEFT_TIBIA);
}

static void fill_capsules(float height, tr_capsule *capsules, bool *ignored) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MIDDLE_COUNT; i++)
        capsules[count++] = capsule_from(&middle[i], height, false);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < LEFT_COUNT; i++)
            capsules[count++] = capsule_from(&left[i], height, side == 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++) {
            uint32_t a = capsules[i].joint, b = capsules[k].joint;
            ignored[i * count + k] = distance_between(a, b) <= 2 || (is_trunk(a) && is_trunk(b)) ||
                                     (is_trunk(a) && folds(b)) || (folds(a) && is_trunk(b));
        }
}
#undef P

// ------------------------------------------------------------------------------------------------------ body

static tr_status check(const tr_horse_def *def, tr_error *error) {
    if (!(def->height == 0 || (def->height >= HEIGHT_MIN && def->height <= HEIGHT_MAX)))
        return tr_fail(error, TR_INVALID, "the horse's height is %g m, it must be %g to %g",
                       (double)def->height, (double)HEIGHT_MIN, (double)HEIGHT_MAX);
    for (int i = 0; i < 3; i++)
        if (!(def->color[i] >= 0 && def->color[i] <= 1))
            return tr_fail(error, TR_INVALID, "component %d of the horse's colour is %g, it must be 0 to 1",
                           i, (double)def->color[i]);
    if (def->detail > 1)
        return tr_fail(error, TR_INVALID, "the horse's detail is %u, it must be 0 or 1", def->detail);
    return TR_OK;
}

static tr_status make_body(const tr_horse_def *def, float height, tr_body **body, tr_error *error) {
    // Mane, tail and lower legs of a bay horse; hooves; eyes and nostrils.
    static const float paints[TR_HORSE_PAINTS][3] = {
        {.022f, .017f, .014f}, {.070f, .060f, .050f}, {.008f, .006f, .006f}};
    static const float bay[3] = {.235f, .098f, .040f};
    tr_affine inverse_rest[TR_HORSE_JOINTS];
    for (uint32_t i = 0; i < TR_HORSE_JOINTS; i++)
        inverse_rest[i] = tr_affine_place(tr_vec3_scale(place_of(i), -height), 0);
    tr_capsule capsules[CAPSULES];
    bool ignored[CAPSULES * CAPSULES];
    fill_capsules(height, capsules, ignored);
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_skin skin;
    if (!tr_skin_of_tubes(&allocator, tr_horse_tubes, TR_HORSE_TUBES, def->detail, height, &skin))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the skin of a horse");
    tr_body_def made = {.allocator = def->allocator,
                        .name = "horse",
                        .joint_count = TR_HORSE_JOINTS,
                        .inverse_rest = inverse_rest,
                        .capsules = capsules,
                        .capsule_count = CAPSULES,
                        .ignored_pairs = ignored};
    tr_skin_describe(&skin, paints, TR_HORSE_PAINTS, &made);
    bool plain = def->color[0] == 0 && def->color[1] == 0 && def->color[2] == 0;
    for (int i = 0; i < 3; i++)
        made.color[i] = plain ? bay[i] : def->color[i];
    tr_status status = tr_body_create(&made, body, error);
    tr_skin_release(&skin);
    return status;
}

tr_status tr_horse_make(const tr_horse_def *def, tr_skeleton **skeleton, tr_body **body, tr_error *error) {
    *skeleton = NULL;
    if (body)
        *body = NULL;
    tr_status status = check(def, error);
    if (status != TR_OK)
        return status;
    float height = def->height == 0 ? TR_HORSE_HEIGHT : def->height;
    tr_joint_def joints[TR_HORSE_JOINTS];
    fill_joints(height, joints);
    tr_skeleton_def made = {
        .allocator = def->allocator, .name = "horse", .joints = joints, .joint_count = TR_HORSE_JOINTS};
    status = tr_skeleton_create(&made, skeleton, error);
    if (status == TR_OK && body)
        status = make_body(def, height, body, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(*skeleton);
        *skeleton = NULL;
    }
    return status;
}
