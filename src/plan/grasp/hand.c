#include "hand_parts.h"
#include "troupe/base/scalar.h"

#define DEGREE (TR_PI / 180)
#define LENGTH_MAX 1.0f // of anything in a hand [m]
// A thumb that opposes the fingers turns about its length, so that its ball faces theirs.
#define PRONATION 0.6

// A left hand at a height of 1, from the wrist: the proportions of the mannequin's (motion/mannequin.h).
// Knuckle, two joints and the ball of the tip; the thumb from its saddle joint.
static const tr_vec3 shape[TR_FINGERS][TR_FINGER_BONES + 1] = {
    {{.0010f, -.0160f, .0115f}, {0, -.0370f, .0250f}, {-.0021f, -.0525f, .0324f}, {-.0051f, -.0675f, .0360f}},
    {{.0008f, -.0535f, .0182f},
     {-.0017f, -.0755f, .0188f},
     {-.0053f, -.0885f, .0193f},
     {-.0080f, -.0972f, .0195f}},
    {{.0008f, -.0530f, .0066f},
     {-.0018f, -.0775f, .0073f},
     {-.0059f, -.0925f, .0075f},
     {-.0092f, -.1032f, .0075f}},
    {{.0007f, -.0545f, -.0045f},
     {-.0028f, -.0770f, -.0045f},
     {-.0075f, -.0900f, -.0045f},
     {-.0104f, -.0980f, -.0045f}},
    {{.0002f, -.0570f, -.0148f},
     {-.0038f, -.0735f, -.0155f},
     {-.0076f, -.0815f, -.0158f},
     {-.0108f, -.0882f, -.0160f}},
};
static const float radii[TR_FINGERS][TR_FINGER_BONES] = {{.0070f, .0060f, .0055f},
                                                         {.0053f, .0049f, .0043f},
                                                         {.0055f, .0050f, .0044f},
                                                         {.0053f, .0048f, .0042f},
                                                         {.0046f, .0042f, .0036f}};
static const double low[2][TR_FINGER_BONES] = {{-10, -10, -15}, {-20, 0, 0}};
static const double high[2][TR_FINGER_BONES] = {{25, 55, 80}, {90, 105, 80}};

// Towards the palm's side of a hand.
static tr_vec3 palmwards(tr_arm_side side) {
    return tr_vec3_make(side == TR_ARM_LEFT ? -1.0f : 1.0f, 0, 0);
}

static tr_vec3 unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : v;
}

// A finger bends towards the palm; the ball of the thumb faces between the palm and the other fingers.
static tr_vec3 hinge_of(tr_arm_side side, uint32_t finger, const tr_vec3 *joints) {
    tr_vec3 towards = palmwards(side), along = {0, -1, 0};
    if (finger == TR_THUMB) {
        towards.z = -1;
        along = tr_vec3_subtract(joints[TR_FINGER_BONES], joints[1]);
    }
    return unit(tr_vec3_cross(along, towards));
}

static tr_vec3 sized(tr_arm_side side, tr_vec3 p, float height) {
    return tr_vec3_scale(tr_vec3_make(side == TR_ARM_LEFT ? p.x : -p.x, p.y, p.z), height);
}

tr_hand_shape tr_hand_default(tr_arm_side side, float height) {
    tr_hand_shape hand = {.side = side,
                          .palm = sized(side, tr_vec3_make(-.0110f, -.0370f, .0010f), height),
                          .heel = sized(side, tr_vec3_make(.0010f, -.0100f, .0010f), height),
                          .knuckles = sized(side, tr_vec3_make(.0010f, -.0480f, .0020f), height),
                          .thickness = .0115f * height,
                          .palm_width = .0110f * height,
                          .swing_max = (float)(50 * DEGREE),
                          .oppose_max = (float)(75 * DEGREE)};
    for (uint32_t f = 0; f < TR_FINGERS; f++) {
        tr_finger *finger = &hand.fingers[f];
        finger->bones = TR_FINGER_BONES;
        for (uint32_t b = 0; b <= TR_FINGER_BONES; b++)
            finger->joints[b] = sized(side, shape[f][b], height);
        finger->hinge = hinge_of(side, f, finger->joints);
        for (uint32_t b = 0; b < TR_FINGER_BONES; b++) {
            finger->radius[b] = radii[f][b] * height;
            finger->low[b] = (float)(low[f != TR_THUMB][b] * DEGREE);
            finger->high[b] = (float)(high[f != TR_THUMB][b] * DEGREE);
        }
    }
    return hand;
}

// ---------------------------------------------------------------------------------------------------- checks

static const char *const finger_names[TR_FINGERS] = {"thumb", "index finger", "middle finger", "ring finger",
                                                     "little finger"};

static bool within(tr_vec3 p, float most) {
    return p.x >= -most && p.x <= most && p.y >= -most && p.y <= most && p.z >= -most && p.z <= most;
}

static tr_status check_bone(const tr_finger *finger, uint32_t b, const char *name, tr_error *error) {
    if (!within(finger->joints[b], LENGTH_MAX) || !within(finger->joints[b + 1], LENGTH_MAX) ||
        !(tr_vec3_distance(finger->joints[b], finger->joints[b + 1]) > 0))
        return tr_fail(error, TR_INVALID, "bone %u of the %s has no length, or is more than %g m away", b + 1,
                       name, (double)LENGTH_MAX);
    if (!(finger->radius[b] > 0 && finger->radius[b] <= LENGTH_MAX))
        return tr_fail(error, TR_INVALID, "the radius of bone %u of the %s is %g m, it must be above 0",
                       b + 1, name, (double)finger->radius[b]);
    if (!(finger->low[b] >= -3.1416f && finger->low[b] <= finger->high[b] && finger->high[b] <= 3.1416f))
        return tr_fail(error, TR_INVALID, "bone %u of the %s bends from %g to %g rad", b + 1, name,
                       (double)finger->low[b], (double)finger->high[b]);
    return TR_OK;
}

static tr_status check_finger(const tr_finger *finger, uint32_t number, tr_error *error) {
    const char *name = finger_names[number];
    if (finger->bones > TR_FINGER_BONES)
        return tr_fail(error, TR_INVALID, "the %s has %u bones, it may have %d", name, finger->bones,
                       TR_FINGER_BONES);
    if (finger->bones == 0)
        return number <= TR_INDEX ? tr_fail(error, TR_INVALID, "the hand has no %s", name) : TR_OK;
    float length = tr_vec3_length(finger->hinge);
    if (!(length > 0.999f && length < 1.001f))
        return tr_fail(error, TR_INVALID, "the hinge of the %s has a length of %g, it must be 1", name,
                       (double)length);
    tr_status status = TR_OK;
    for (uint32_t b = 0; b < finger->bones && status == TR_OK; b++)
        status = check_bone(finger, b, name, error);
    return status;
}

tr_status tr_hand_check(const tr_hand_shape *hand, tr_error *error) {
    if (hand->side != TR_ARM_LEFT && hand->side != TR_ARM_RIGHT)
        return tr_fail(error, TR_INVALID, "the side of the hand is %d", (int)hand->side);
    if (!within(hand->palm, LENGTH_MAX) || !within(hand->heel, LENGTH_MAX) ||
        !within(hand->knuckles, LENGTH_MAX))
        return tr_fail(error, TR_INVALID, "the palm is not within %g m of the wrist", (double)LENGTH_MAX);
    if (!(hand->thickness > 0 && hand->thickness <= LENGTH_MAX && hand->palm_width >= 0 &&
          hand->palm_width <= LENGTH_MAX))
        return tr_fail(error, TR_INVALID, "the palm is %g m thick and %g m wide", (double)hand->thickness,
                       (double)hand->palm_width);
    if (!(hand->swing_max >= 0 && hand->swing_max <= 3.1416f && hand->oppose_max >= 0 &&
          hand->oppose_max <= 3.1416f))
        return tr_fail(error, TR_INVALID, "the thumb swings by %g and opposes by %g rad",
                       (double)hand->swing_max, (double)hand->oppose_max);
    tr_status status = TR_OK;
    for (uint32_t f = 0; f < TR_FINGERS && status == TR_OK; f++)
        status = check_finger(&hand->fingers[f], f, error);
    return status;
}

// -------------------------------------------------------------------------------------------------- postures

static float clamp(float x, float least, float most) {
    return x < least ? least : x > most ? most : x;
}

tr_hand_posture tr_hand_clamp(const tr_hand_shape *hand, tr_hand_posture posture) {
    for (uint32_t f = 0; f < TR_FINGERS; f++) {
        const tr_finger *finger = &hand->fingers[f];
        for (uint32_t b = 0; b < TR_FINGER_BONES; b++)
            posture.bend[f][b] =
                b < finger->bones ? clamp(posture.bend[f][b], finger->low[b], finger->high[b]) : 0;
    }
    posture.swing = clamp(posture.swing, 0, hand->swing_max);
    posture.oppose = clamp(posture.oppose, 0, hand->oppose_max);
    return posture;
}

tr_hand_posture tr_hand_blend(const tr_hand_posture *a, const tr_hand_posture *b, float share) {
    tr_hand_posture mixed;
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (uint32_t k = 0; k < TR_FINGER_BONES; k++)
            mixed.bend[f][k] = a->bend[f][k] + share * (b->bend[f][k] - a->bend[f][k]);
    mixed.swing = a->swing + share * (b->swing - a->swing);
    mixed.oppose = a->oppose + share * (b->oppose - a->oppose);
    return mixed;
}

tr_quat tr_hand_saddle(const tr_hand_shape *hand, const tr_hand_posture *posture) {
    tr_vec3 across = {-1, 0, 0};                                     // from the fingers to the thumb's side
    tr_vec3 over = {0, hand->side == TR_ARM_LEFT ? -1.0f : 1.0f, 0}; // from the thumb's side to the palm
    const tr_vec3 *joints = hand->fingers[TR_THUMB].joints;
    tr_vec3 bone = tr_vec3_scale(tr_vec3_subtract(joints[1], joints[0]), hand->side == TR_ARM_LEFT ? 1 : -1);
    tr_quat aside = tr_quat_multiply(tr_quat_about(across, (double)posture->swing),
                                     tr_quat_about(bone, PRONATION * (double)posture->oppose));
    return tr_quat_multiply(tr_quat_about(over, (double)posture->oppose), aside);
}

tr_finger_place tr_hand_put(const tr_hand_shape *hand, const tr_hand_posture *posture, uint32_t number) {
    const tr_finger *finger = &hand->fingers[number];
    tr_finger_place place = {.joints = {finger->joints[0]}};
    tr_quat turn = number == TR_THUMB ? tr_hand_saddle(hand, posture) : tr_quat_identity();
    for (uint32_t b = 0; b < finger->bones; b++) {
        turn = tr_quat_multiply(turn, tr_quat_about(finger->hinge, (double)posture->bend[number][b]));
        tr_vec3 bone = tr_vec3_subtract(finger->joints[b + 1], finger->joints[b]);
        place.turns[b] = turn;
        place.joints[b + 1] = tr_vec3_add(place.joints[b], tr_quat_rotate(turn, bone));
    }
    return place;
}

uint32_t tr_hand_palm_capsules(const tr_hand_shape *hand, tr_solid_capsule capsules[2]) {
    for (int k = 0; k < 2; k++) {
        tr_vec3 aside = {0, 0, k ? -hand->palm_width : hand->palm_width};
        tr_solid_capsule capsule = {tr_vec3_add(hand->heel, aside), tr_vec3_add(hand->knuckles, aside),
                                    hand->thickness};
        capsules[k] = capsule;
    }
    return 2;
}

uint32_t tr_hand_capsules(const tr_hand_shape *hand, const tr_hand_posture *posture, const tr_affine *place,
                          tr_solid_capsule *capsules, uint32_t *fingers) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < TR_FINGERS; f++) {
        tr_finger_place bones = tr_hand_put(hand, posture, f);
        for (uint32_t b = 0; b < hand->fingers[f].bones; b++) {
            tr_solid_capsule capsule = {bones.joints[b], bones.joints[b + 1], hand->fingers[f].radius[b]};
            if (fingers)
                fingers[count] = f;
            capsules[count++] = capsule;
        }
    }
    for (uint32_t k = 0; fingers && k < 2; k++)
        fingers[count + k] = TR_FINGERS;
    count += tr_hand_palm_capsules(hand, capsules + count);
    for (uint32_t i = 0; i < count; i++) {
        capsules[i].a = tr_affine_apply(place, capsules[i].a);
        capsules[i].b = tr_affine_apply(place, capsules[i].b);
    }
    return count;
}
