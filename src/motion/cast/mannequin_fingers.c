// The fingers of the mannequin, where they have joints.
#include "mannequin_parts.h"
#include "troupe/base/scalar.h"

#define FINGERS TR_MANNEQUIN_FINGERS
#define PHALANGES TR_MANNEQUIN_PHALANGES
#define FINGER_JOINTS (FINGERS * PHALANGES) // of one hand
#define SEAM .0045f                         // half of the skin over a joint
#define BALL_SEAM .0110f                    // over the saddle of the thumb, whose ball is thick

// Joints of the left hand at a height of 1, on the middle lines of the skin's rings: knuckle, the two joints
// of the finger, and the middle of the ball at its tip. Segments are 47, 28 and 25 % of a finger. The thumb
// begins at the wrist (its saddle joint).
static const tr_vec3 places[FINGERS][PHALANGES] = {
    {{.1160f, .4560f, .0055f}, {.1150f, .4350f, .0190f}, {.1129f, .4195f, .0264f}, {.1099f, .4045f, .0300f}},
    {{.1158f, .4185f, .0122f}, {.1133f, .3965f, .0128f}, {.1097f, .3835f, .0133f}, {.1070f, .3748f, .0135f}},
    {{.1158f, .4190f, .0006f}, {.1132f, .3945f, .0013f}, {.1091f, .3795f, .0015f}, {.1058f, .3688f, .0015f}},
    {{.1157f, .4175f, -.0105f},
     {.1122f, .3950f, -.0105f},
     {.1075f, .3820f, -.0105f},
     {.1046f, .3740f, -.0105f}},
    {{.1152f, .4150f, -.0208f},
     {.1112f, .3985f, -.0215f},
     {.1074f, .3905f, -.0218f},
     {.1042f, .3838f, -.0220f}},
};

// In degrees, of the left hand. About Z a negative turn bends a finger into the palm; about X it spreads. The
// thumb bends about an axis between X and Z. Its saddle joint opposes the fingers by turning about Y, and
// about its own length as well.
typedef struct finger_limit {
    float low[3], high[3];
} finger_limit;
static const finger_limit finger_limits[PHALANGES - 1] = {
    {{-20, 0, -90}, {20, 0, 25}},
    {{0, 0, -108}, {0, 0, 5}},
    {{0, 0, -85}, {0, 0, 10}},
};
static const finger_limit thumb_limits[PHALANGES - 1] = {
    {{-60, -120, -70}, {50, 25, 35}},
    {{-8, 0, -44}, {44, 0, 8}},
    {{-12, 0, -60}, {60, 0, 12}},
};

static const char *const names[2][FINGERS][PHALANGES] = {
    {{"left_thumb_1", "left_thumb_2", "left_thumb_3", "left_thumb_end"},
     {"left_index_1", "left_index_2", "left_index_3", "left_index_end"},
     {"left_middle_1", "left_middle_2", "left_middle_3", "left_middle_end"},
     {"left_ring_1", "left_ring_2", "left_ring_3", "left_ring_end"},
     {"left_little_1", "left_little_2", "left_little_3", "left_little_end"}},
    {{"right_thumb_1", "right_thumb_2", "right_thumb_3", "right_thumb_end"},
     {"right_index_1", "right_index_2", "right_index_3", "right_index_end"},
     {"right_middle_1", "right_middle_2", "right_middle_3", "right_middle_end"},
     {"right_ring_1", "right_ring_2", "right_ring_3", "right_ring_end"},
     {"right_little_1", "right_little_2", "right_little_3", "right_little_end"}},
};

uint32_t tr_mannequin_number(uint32_t joint, bool fingers) {
    if (!fingers || joint <= TR_MANNEQUIN_LEFT_HAND_END)
        return joint;
    if (joint <= TR_MANNEQUIN_RIGHT_HAND_END)
        return joint + FINGER_JOINTS;
    if (joint < TR_MANNEQUIN_JOINTS)
        return joint + 2 * FINGER_JOINTS;
    if (joint < TR_MANNEQUIN_RIGHT_FINGERS)
        return joint - TR_MANNEQUIN_LEFT_FINGERS + TR_MANNEQUIN_LEFT_HAND_END + 1;
    return joint - TR_MANNEQUIN_RIGHT_FINGERS + TR_MANNEQUIN_RIGHT_HAND_END + 1 + FINGER_JOINTS;
}

static tr_joint_limit limit_of(uint32_t finger, uint32_t phalanx, bool mirrored) {
    const finger_limit *given = finger ? &finger_limits[phalanx] : &thumb_limits[phalanx];
    tr_joint_limit limit = {.active = true, .twist_axis = 1};
    for (int axis = 0; axis < 3; axis++) {
        bool swap = mirrored && axis > 0;
        float low = swap ? 0 - given->high[axis] : given->low[axis];
        float high = swap ? 0 - given->low[axis] : given->high[axis];
        (&limit.low.x)[axis] = (float)((double)low * (TR_PI / 180));
        (&limit.high.x)[axis] = (float)((double)high * (TR_PI / 180));
    }
    return limit;
}

static tr_vec3 place_of(tr_mannequin_shape shape, uint32_t finger, uint32_t phalanx, bool mirrored) {
    tr_vec3 place = tr_mannequin_place(shape, TR_MANNEQUIN_IN_ARM, places[finger][phalanx]);
    return tr_vec3_make(mirrored ? -place.x : place.x, place.y, place.z);
}

void tr_mannequin_fill_finger(tr_mannequin_shape shape, float height, uint32_t joint, tr_joint_def *made) {
    bool right = joint >= TR_MANNEQUIN_RIGHT_FINGERS;
    uint32_t in_hand = joint - (right ? TR_MANNEQUIN_RIGHT_FINGERS : TR_MANNEQUIN_LEFT_FINGERS);
    uint32_t finger = in_hand / PHALANGES, phalanx = in_hand % PHALANGES;
    uint32_t hand = right ? TR_MANNEQUIN_RIGHT_HAND : TR_MANNEQUIN_LEFT_HAND;
    tr_vec3 above = phalanx ? place_of(shape, finger, phalanx - 1, right)
                            : tr_mannequin_place(shape, TR_MANNEQUIN_IN_ARM, tr_mannequin_places[hand]);
    tr_vec3 place = tr_vec3_subtract(place_of(shape, finger, phalanx, right), above);
    *made = (tr_joint_def){.name = names[right][finger][phalanx],
                           .parent = phalanx ? joint - 1 : hand,
                           .rest = tr_transform_identity(),
                           .is_end = phalanx == PHALANGES - 1};
    if (!made->is_end)
        made->limit = limit_of(finger, phalanx, right);
    made->rest.position = tr_vec3_scale(place, height);
}

uint32_t tr_mannequin_finger_seams(uint32_t finger, tr_skin_seam seams[PHALANGES - 1]) {
    uint32_t first = TR_MANNEQUIN_LEFT_FINGERS + finger * PHALANGES;
    for (uint32_t i = 0; i < PHALANGES - 1; i++) {
        uint32_t below = PHALANGES - 2 - i; // the joint at which the skin goes over, from the tip up
        bool ball = finger == 0 && below == 0;
        seams[i].joint = below ? first + below - 1 : TR_MANNEQUIN_LEFT_HAND;
        seams[i].at = places[finger][below].y;
        seams[i].width = ball ? BALL_SEAM : SEAM;
    }
    return first + PHALANGES - 2;
}
