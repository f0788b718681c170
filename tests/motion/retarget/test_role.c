// Roles of bones: names of every school, trees without names, and bodies that are none.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/role.h"

#include <string.h>

#define JOINTS_MAX 128

// A body in a T-pose, a parent before its children: where each role is [m].
typedef struct body_part {
    tr_role role, parent;
    tr_vec3 position;
} body_part;
static const body_part body[] = {
    {TR_ROLE_HIPS, TR_ROLE_NONE, {0, 0.95f, 0}},
    {TR_ROLE_SPINE, TR_ROLE_HIPS, {0, 1.05f, 0}},
    {TR_ROLE_CHEST, TR_ROLE_SPINE, {0, 1.2f, 0}},
    {TR_ROLE_UPPER_CHEST, TR_ROLE_CHEST, {0, 1.35f, 0}},
    {TR_ROLE_NECK, TR_ROLE_UPPER_CHEST, {0, 1.48f, 0}},
    {TR_ROLE_HEAD, TR_ROLE_NECK, {0, 1.58f, 0}},
    {TR_ROLE_LEFT_SHOULDER, TR_ROLE_UPPER_CHEST, {0.05f, 1.42f, 0}},
    {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_SHOULDER, {0.18f, 1.42f, 0}},
    {TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_UPPER_ARM, {0.46f, 1.42f, 0}},
    {TR_ROLE_LEFT_HAND, TR_ROLE_LEFT_FOREARM, {0.72f, 1.42f, 0}},
    {TR_ROLE_RIGHT_SHOULDER, TR_ROLE_UPPER_CHEST, {-0.05f, 1.42f, 0}},
    {TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_SHOULDER, {-0.18f, 1.42f, 0}},
    {TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_UPPER_ARM, {-0.46f, 1.42f, 0}},
    {TR_ROLE_RIGHT_HAND, TR_ROLE_RIGHT_FOREARM, {-0.72f, 1.42f, 0}},
    {TR_ROLE_LEFT_THIGH, TR_ROLE_HIPS, {0.1f, 0.9f, 0}},
    {TR_ROLE_LEFT_SHANK, TR_ROLE_LEFT_THIGH, {0.1f, 0.48f, 0}},
    {TR_ROLE_LEFT_FOOT, TR_ROLE_LEFT_SHANK, {0.1f, 0.08f, 0}},
    {TR_ROLE_LEFT_TOES, TR_ROLE_LEFT_FOOT, {0.1f, 0.02f, 0.14f}},
    {TR_ROLE_RIGHT_THIGH, TR_ROLE_HIPS, {-0.1f, 0.9f, 0}},
    {TR_ROLE_RIGHT_SHANK, TR_ROLE_RIGHT_THIGH, {-0.1f, 0.48f, 0}},
    {TR_ROLE_RIGHT_FOOT, TR_ROLE_RIGHT_SHANK, {-0.1f, 0.08f, 0}},
    {TR_ROLE_RIGHT_TOES, TR_ROLE_RIGHT_FOOT, {-0.1f, 0.02f, 0.14f}},
};
#define BODY_COUNT (sizeof body / sizeof body[0])

// How a school calls the bones: those of the middle, then one side with the side written in its place.
typedef struct school {
    const char *title;
    const char *middle[6]; // hips, spine, chest, upper chest, neck, head; NULL: has none
    const char *side[8];   // shoulder, upper arm, forearm, hand, thigh, shank, foot, toes; % is the side
    const char *left, *right;
} school;
static const school schools[] = {
    {"Mixamo",
     {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck",
      "mixamorig:Head"},
     {"mixamorig:%Shoulder", "mixamorig:%Arm", "mixamorig:%ForeArm", "mixamorig:%Hand", "mixamorig:%UpLeg",
      "mixamorig:%Leg", "mixamorig:%Foot", "mixamorig:%ToeBase"},
     "Left",
     "Right"},
    {"Mixamo without its colon",
     {"mixamorigHips", "mixamorigSpine", "mixamorigSpine1", "mixamorigSpine2", "mixamorigNeck",
      "mixamorigHead"},
     {"mixamorig%Shoulder", "mixamorig%Arm", "mixamorig%ForeArm", "mixamorig%Hand", "mixamorig%UpLeg",
      "mixamorig%Leg", "mixamorig%Foot", "mixamorig%ToeBase"},
     "Left",
     "Right"},
    {"CMU", // LowerBack is the spine there
     {"Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head"},
     {"%Shoulder", "%Arm", "%ForeArm", "%Hand", "%UpLeg", "%Leg", "%Foot", "%ToeBase"},
     "Left",
     "Right"},
    {"Bandai-Namco",
     {"Hips", "Spine", "Chest", NULL, "Neck", "Head"},
     {"Shoulder_%", "UpperArm_%", "LowerArm_%", "Hand_%", "UpperLeg_%", "LowerLeg_%", "Foot_%", "Toes_%"},
     "L",
     "R"},
    {"VRM and Unity",
     {"Hips", "Spine", "Chest", "UpperChest", "Neck", "Head"},
     {"%Shoulder", "%UpperArm", "%LowerArm", "%Hand", "%UpperLeg", "%LowerLeg", "%Foot", "%Toes"},
     "left",
     "right"},
    {"VRoid",
     {"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Head"},
     {"J_Bip_%_Shoulder", "J_Bip_%_UpperArm", "J_Bip_%_LowerArm", "J_Bip_%_Hand", "J_Bip_%_UpperLeg",
      "J_Bip_%_LowerLeg", "J_Bip_%_Foot", "J_Bip_%_ToeBase"},
     "L",
     "R"},
    {"Blender",
     {"hips", "spine", "spine.001", "spine.002", "neck", "head"},
     {"shoulder.%", "upper_arm.%", "forearm.%", "hand.%", "thigh.%", "shin.%", "foot.%", "toe.%"},
     "L",
     "R"},
    {"Rigify, where the first of the spine is the hips",
     {"DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-neck", "DEF-head"},
     {"DEF-shoulder.%", "DEF-upper_arm.%", "DEF-forearm.%", "DEF-hand.%", "DEF-thigh.%", "DEF-shin.%",
      "DEF-foot.%", "DEF-toe.%"},
     "L",
     "R"},
    {"3ds Max",
     {"Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Spine2", "Bip01 Neck", "Bip01 Head"},
     {"Bip01 % Clavicle", "Bip01 % UpperArm", "Bip01 % Forearm", "Bip01 % Hand", "Bip01 % Thigh",
      "Bip01 % Calf", "Bip01 % Foot", "Bip01 % Toe0"},
     "L",
     "R"},
    {"Unreal",
     {"pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head"},
     {"clavicle_%", "upperarm_%", "lowerarm_%", "hand_%", "thigh_%", "calf_%", "foot_%", "ball_%"},
     "l",
     "r"},
    {"KayKit",
     {"hips", "spine", "chest", NULL, NULL, "head"},
     {NULL, "upperarm.%", "lowerarm.%", "wrist.%", "upperleg.%", "lowerleg.%", "foot.%", "toes.%"},
     "l",
     "r"},
    {"Poser",
     {"hip", "abdomen", "chest", NULL, "neck", "head"},
     {"%Collar", "%Shldr", "%ForeArm", "%Hand", "%Thigh", "%Shin", "%Foot", "%Toe"},
     "l",
     "r"},
    {"joints named by what they bend",
     {"Hips", "Spine", "Chest", NULL, "Neck", "Head"},
     {"%Collar", "%Shoulder", "%Elbow", "%Wrist", "%Hip", "%Knee", "%Ankle", "%Toe"},
     "Left",
     "Right"},
    {"SMPL, whose foot is the toes",
     {"Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head"},
     {"%_Collar", "%_Shoulder", "%_Elbow", "%_Wrist", "%_Hip", "%_Knee", "%_Ankle", "%_Foot"},
     "L",
     "R"},
    {"Acclaim",
     {"root_pelvis", "lowerback", "upperback", "thorax", "lowerneck", "head"},
     {"%clavicle", "%humerus", "%radius", "%wrist", "%femur", "%tibia", "%foot", "%toes"},
     "l",
     "r"},
    {"all in capitals",
     {"HIPS", "SPINE", "CHEST", NULL, "NECK", "HEAD"},
     {"%_SHOULDER", "%_ARM", "%_FOREARM", "%_HAND", "%_UPLEG", "%_LEG", "%_FOOT", "%_TOE"},
     "LEFT",
     "RIGHT"},
    {"numbers along a limb",
     {"torso_joint_1", "torso_joint_2", "torso_joint_3", NULL, "neck_joint_1", "neck_joint_2"},
     {NULL, "arm_joint_%_1", "arm_joint_%_2", "arm_joint_%_3", "leg_joint_%_1", "leg_joint_%_2",
      "leg_joint_%_3", "leg_joint_%_5"},
     "L",
     "R"},
    {"an armature's name before all",
     {"Armature_Hips", "Armature_Spine", "Armature_Chest", NULL, "Armature_Neck", "Armature_Head"},
     {NULL, "Armature_%_UpperArm", "Armature_%_LowerArm", "Armature_%_Hand", "Armature_%_Thigh",
      "Armature_%_Shin", "Armature_%_Foot", NULL},
     "L",
     "R"},
    {"no sides in the names",
     {"hips", "spine", "chest", NULL, "neck", "head"},
     {"clavicle", "upperarm", "forearm", "hand", "thigh", "shin", "foot", "toe"},
     "",
     ""},
};

typedef struct made_body {
    tr_role_joint joints[JOINTS_MAX];
    char names[JOINTS_MAX][64];
    tr_role expected[JOINTS_MAX];
    uint32_t count;
} made_body;

static uint32_t add_joint(made_body *made, const char *name, uint32_t parent, tr_vec3 position,
                          tr_role expected) {
    uint32_t joint = made->count++;
    snprintf(made->names[joint], sizeof made->names[joint], "%s", name);
    made->joints[joint] = (tr_role_joint){made->names[joint], parent, position};
    made->expected[joint] = expected;
    return joint;
}

static uint32_t with_role(const made_body *made, tr_role role) {
    for (uint32_t i = 0; i < made->count; i++)
        if (made->expected[i] == role)
            return i;
    return TR_NONE;
}

// The nearest role above that the school has.
static uint32_t find_parent(const made_body *made, tr_role role) {
    for (uint32_t part = BODY_COUNT; part-- > 0;)
        if (body[part].role == role) {
            uint32_t parent = with_role(made, body[part].parent);
            return body[part].parent == TR_ROLE_NONE ? TR_NONE
                   : parent != TR_NONE               ? parent
                                                     : find_parent(made, body[part].parent);
        }
    return TR_NONE;
}

static bool write_name(const school *names, tr_role role, char *text, size_t size) {
    bool right = role >= TR_ROLE_RIGHT_SHOULDER;
    tr_role left = right ? tr_role_mirror(role) : role;
    const char *pattern = left < TR_ROLE_LEFT_SHOULDER ? names->middle[left - TR_ROLE_HIPS]
                                                       : names->side[left - TR_ROLE_LEFT_SHOULDER];
    if (!pattern)
        return false;
    const char *mark = strchr(pattern, '%');
    if (mark)
        snprintf(text, size, "%.*s%s%s", (int)(mark - pattern), pattern, right ? names->right : names->left,
                 mark + 1);
    else
        snprintf(text, size, "%s", pattern);
    return true;
}

static void make_body(const school *names, made_body *made) {
    made->count = 0;
    for (uint32_t i = 0; i < BODY_COUNT; i++) {
        char name[64];
        if (write_name(names, body[i].role, name, sizeof name))
            add_joint(made, name, find_parent(made, body[i].role), body[i].position, body[i].role);
    }
}

static void check_body(const made_body *made, const char *title) {
    tr_role roles[JOINTS_MAX];
    uint32_t found = tr_role_guess(made->joints, made->count, roles);
    if (found != TR_ROLE_NEEDED)
        test_failed(__FILE__, __LINE__, "%s: %u of 15 roles were found", title, found);
    for (uint32_t i = 0; i < made->count; i++)
        if (roles[i] != made->expected[i])
            test_failed(__FILE__, __LINE__, "%s: \"%s\" is %s, expected %s", title, made->names[i],
                        tr_role_name(roles[i]), tr_role_name(made->expected[i]));
}

TEST(every_role_has_a_name_that_finds_it_again) {
    for (int role = 0; role < TR_ROLE_COUNT; role++) {
        CHECK_INT(tr_role_find(tr_role_name((tr_role)role)), role);
        CHECK_INT(tr_role_mirror(tr_role_mirror((tr_role)role)), role);
    }
    CHECK_TEXT(tr_role_name(TR_ROLE_LEFT_THIGH), "left_thigh");
    CHECK_INT(tr_role_mirror(TR_ROLE_LEFT_THIGH), TR_ROLE_RIGHT_THIGH);
    CHECK_INT(tr_role_mirror(TR_ROLE_RIGHT_HAND), TR_ROLE_LEFT_HAND);
    CHECK_INT(tr_role_mirror(TR_ROLE_HEAD), TR_ROLE_HEAD);
    CHECK_INT(tr_role_find("no such role"), TR_ROLE_NONE);
    CHECK_INT(tr_role_find(NULL), TR_ROLE_NONE);
    CHECK_TEXT(tr_role_name(TR_ROLE_COUNT), "none");
    CHECK_INT(tr_role_mirror(TR_ROLE_COUNT), TR_ROLE_NONE);
}

TEST(skeletons_of_every_naming_convention_are_recognized) {
    for (uint32_t i = 0; i < sizeof schools / sizeof schools[0]; i++) {
        made_body made;
        make_body(&schools[i], &made);
        check_body(&made, schools[i].title);
    }
}

TEST(fingers_targets_ends_and_helpers_get_no_role) {
    made_body made;
    make_body(&schools[0], &made);
    static const struct {
        const char *name;
        tr_role on;
    } others[] = {
        {"mixamorig:HeadTop_End", TR_ROLE_HEAD},
        {"mixamorig:LeftEye", TR_ROLE_HEAD},
        {"hair_01", TR_ROLE_HEAD},
        {"mixamorig:LeftHandThumb1", TR_ROLE_LEFT_HAND},
        {"mixamorig:LeftHandIndex1", TR_ROLE_LEFT_HAND},
        {"mixamorig:RightHandRing1", TR_ROLE_RIGHT_HAND},
        {"handslot.r", TR_ROLE_RIGHT_HAND},
        {"LeftFingerBase", TR_ROLE_LEFT_HAND},
        {"upperarm_twist_01_l", TR_ROLE_LEFT_UPPER_ARM},
        {"LeftToe_End", TR_ROLE_LEFT_TOES},
        {"Bip01 R Toe0Nub", TR_ROLE_RIGHT_TOES},
        {"kneeIK.l", TR_ROLE_HIPS},
        {"control-foot-roll.l", TR_ROLE_HIPS},
        {"IK-foot.r", TR_ROLE_HIPS},
        {"PoleTarget.R", TR_ROLE_HIPS},
        {"tail_01", TR_ROLE_HIPS},
    };
    for (uint32_t i = 0; i < sizeof others / sizeof others[0]; i++)
        add_joint(&made, others[i].name, with_role(&made, others[i].on), (tr_vec3){0.3f, 1, 0}, TR_ROLE_NONE);
    check_body(&made, "Mixamo with company");
}

// CMU's files have joints without length: beside the hips, at the root of the neck and of the shoulders.
TEST(helpers_between_hips_and_thighs_are_skipped) {
    made_body made = {.count = 0};
    add_joint(&made, "Hips", TR_NONE, (tr_vec3){0, 1, 0}, TR_ROLE_HIPS);
    for (int side = 0; side < 2; side++) {
        float x = side ? -0.1f : 0.1f;
        const char *word = side ? "Right" : "Left";
        char name[64];
        int to_right = side ? TR_ROLE_RIGHT_THIGH - TR_ROLE_LEFT_THIGH : 0;
        uint32_t joint =
            add_joint(&made, side ? "RHipJoint" : "LHipJoint", 0, (tr_vec3){0, 1, 0}, TR_ROLE_NONE);
        static const char *const parts[] = {"UpLeg", "Leg", "Foot", "ToeBase"};
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "%s%s", word, parts[i]);
            joint = add_joint(&made, name, joint, (tr_vec3){x, 0.9f - 0.3f * (float)i, 0},
                              (tr_role)((int)TR_ROLE_LEFT_THIGH + i + to_right));
        }
    }
    uint32_t chest = 0;
    static const char *const spine[] = {"LowerBack", "Spine", "Spine1"};
    for (int i = 0; i < 3; i++)
        chest = add_joint(&made, spine[i], chest, (tr_vec3){0, 1 + 0.1f * (float)i, 0},
                          (tr_role)((int)TR_ROLE_SPINE + i));
    uint32_t neck = add_joint(&made, "Neck", chest, (tr_vec3){0, 1.2f, 0}, TR_ROLE_NECK);
    neck = add_joint(&made, "Neck1", neck, (tr_vec3){0, 1.3f, 0}, TR_ROLE_NONE);
    add_joint(&made, "Head", neck, (tr_vec3){0, 1.4f, 0}, TR_ROLE_HEAD);
    for (int side = 0; side < 2; side++) {
        uint32_t joint = chest;
        static const char *const parts[] = {"Shoulder", "Arm", "ForeArm", "Hand"};
        int to_right = side ? TR_ROLE_RIGHT_THIGH - TR_ROLE_LEFT_THIGH : 0;
        for (int i = 0; i < 4; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", side ? "Right" : "Left", parts[i]);
            float x = 0.2f * (float)i * (side ? -1.0f : 1.0f);
            joint = add_joint(&made, name, joint, (tr_vec3){x, 1.3f, 0},
                              (tr_role)((int)TR_ROLE_LEFT_SHOULDER + i + to_right));
        }
        add_joint(&made, side ? "RThumb" : "LThumb", joint, (tr_vec3){0, 1.3f, 0}, TR_ROLE_NONE);
    }
    check_body(&made, "CMU");
}

TEST(feet_that_are_not_below_the_legs_have_no_role) {
    made_body made;
    make_body(&schools[3], &made);
    uint32_t foot = with_role(&made, TR_ROLE_LEFT_FOOT);
    made.joints[foot].parent = 0;
    tr_role roles[JOINTS_MAX];
    uint32_t found = tr_role_guess(made.joints, made.count, roles);
    CHECK(roles[foot] == TR_ROLE_NONE);
    CHECK_INT(found, 14);
}

// The same body, its bones called nothing: the tree and the rest pose must do.
static void check_without_names(bool arms_down, const char *title) {
    made_body made;
    make_body(&schools[4], &made);
    for (uint32_t i = 0; i < made.count; i++) {
        snprintf(made.names[i], sizeof made.names[i], "Bone.%03u", i);
        tr_vec3 *p = &made.joints[i].position;
        float out = fabsf(p->x) - 0.18f;
        if (arms_down && out > 0)
            *p = (tr_vec3){p->x > 0 ? 0.18f + 0.05f * out : -0.18f - 0.05f * out, p->y - out, 0.01f};
    }
    tr_vec3 tip = {0, 1.75f, 0};
    add_joint(&made, "Bone.100", with_role(&made, TR_ROLE_HEAD), tip, TR_ROLE_NONE);
    check_body(&made, title);
}

TEST(a_body_without_names_is_recognized_by_its_tree_and_rest_pose) {
    check_without_names(false, "T-pose");
    check_without_names(true, "arms down");
}

TEST(a_bone_without_a_name_between_named_ones_takes_the_missing_role) {
    made_body made;
    make_body(&schools[9], &made);
    static const tr_role nameless[] = {TR_ROLE_LEFT_SHANK, TR_ROLE_RIGHT_HAND, TR_ROLE_RIGHT_FOREARM,
                                       TR_ROLE_SPINE};
    for (uint32_t i = 0; i < 4; i++)
        snprintf(made.names[with_role(&made, nameless[i])], 64, "joint%u", i);
    check_body(&made, "Unreal with gaps");
}

TEST(a_tree_that_is_not_a_body_lacks_roles) {
    tr_role roles[8];
    tr_role_joint chain[4] = {{"Bone", TR_NONE, {0, 0, 0}},
                              {"Bone.001", 0, {0, 1, 0}},
                              {"Bone.002", 1, {0, 2, 0}},
                              {"Bone.003", 2, {0, 3, 0}}};
    CHECK_INT(tr_role_guess(chain, 4, roles), 0);
    for (int i = 0; i < 4; i++)
        CHECK_INT(roles[i], TR_ROLE_NONE);
    CHECK_INT(tr_role_guess(chain, 0, roles), 0);
    tr_role_joint nothing = {NULL, TR_NONE, {NAN, NAN, NAN}};
    CHECK_INT(tr_role_guess(&nothing, 1, roles), 0);
    CHECK_INT(roles[0], TR_ROLE_NONE);
}

static bool is_above(const tr_role_joint *joints, uint32_t above, uint32_t joint) {
    while (joint != TR_NONE && joint != above)
        joint = joints[joint].parent;
    return joint == above;
}

// Any tree with any words: a role is given once, and limbs follow the hierarchy.
TEST(roles_of_any_tree_are_given_once_and_follow_the_limbs) {
    static const char *const words[] = {
        "left", "Right", "L",   "arm", "Leg",   "foot", "hand", "Spine", "hip",  "head", "neck", "thigh",
        "toe",  "knee",  "end", "ik",  "elbow", "_",    ":",    "x",     "Calf", "|",    "12",   "shoulder"};
    tr_random random = tr_random_seed(4);
    static made_body made;
    for (int round = 0; round < 3000; round++) {
        uint32_t count = 1 + tr_random_below(&random, 60);
        for (made.count = 0; made.count < count;) {
            char name[64] = "";
            for (uint32_t i = tr_random_below(&random, 5); i > 0; i--)
                strcat(name, words[tr_random_below(&random, sizeof words / sizeof words[0])]);
            uint32_t back = 1 + tr_random_below(&random, 4);
            float x = tr_random_between(&random, -1, 1), y = tr_random_between(&random, 0, 2);
            add_joint(&made, name, back > made.count ? TR_NONE : made.count - back, (tr_vec3){x, y, 0},
                      TR_ROLE_NONE);
        }
        tr_role roles[JOINTS_MAX];
        uint32_t found = tr_role_guess(made.joints, made.count, roles), given[TR_ROLE_COUNT] = {0},
                 joint[TR_ROLE_COUNT];
        for (uint32_t i = 0; i < made.count; i++) {
            REQUIRE((unsigned)roles[i] < TR_ROLE_COUNT);
            given[roles[i]]++;
            joint[roles[i]] = i;
        }
        for (int role = 1; role < TR_ROLE_COUNT; role++)
            CHECK(given[role] <= 1);
        CHECK(found <= TR_ROLE_NEEDED);
        static const tr_role limbs[] = {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_THIGH, TR_ROLE_RIGHT_UPPER_ARM,
                                        TR_ROLE_RIGHT_THIGH};
        for (int limb = 0; limb < 4; limb++)
            for (int k = 0; k < 2; k++) {
                int upper = (int)limbs[limb] + k;
                if (given[upper] && given[upper + 1])
                    CHECK(is_above(made.joints, joint[upper], joint[upper + 1]));
            }
    }
}
