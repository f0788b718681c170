// Shapes of a hand that is about to take hold of something, and whether closed fingers hold it.
#include "grasp_parts.h"

const char *tr_grip_name(tr_grip grip) {
    static const char *const names[TR_GRIPS] = {"power", "pinch", "hook", "flat"};
    return (uint32_t)grip < TR_GRIPS ? names[grip] : NULL;
}

// Bends of fingers [rad]: wide open and closed, thumb first, and the saddle of the thumb.
typedef struct grip_shape {
    float open[TR_FINGERS][TR_FINGER_BONES], closed[TR_FINGERS][TR_FINGER_BONES];
    float swing[2], oppose[2]; // open, closed
} grip_shape;

// Around a thick thing all joints bend alike; in a pinch the last joints stay nearly straight, so that the
// balls of the fingers meet; a hook bends the two outer joints alone (Napier 1956, Cutkosky 1989).
static const grip_shape shapes[TR_GRIPS] = {
    [TR_GRIP_POWER] = {.open = {{0, -.05f, -.1f},
                                {.05f, .15f, .10f},
                                {.05f, .15f, .10f},
                                {.05f, .15f, .10f},
                                {.05f, .15f, .10f}},
                       .closed = {{.40f, .90f, 1.30f},
                                  {1.50f, 1.75f, 1.20f},
                                  {1.50f, 1.75f, 1.20f},
                                  {1.50f, 1.75f, 1.20f},
                                  {1.50f, 1.75f, 1.20f}},
                       .swing = {.70f, .45f},
                       .oppose = {1.10f, 1.25f}},
    [TR_GRIP_PINCH] = {.open = {{-.10f, 0, 0},
                                {.35f, .30f, .10f},
                                {.35f, .30f, .10f},
                                {.60f, .50f, .30f},
                                {.70f, .60f, .30f}},
                       .closed = {{.40f, .90f, .70f},
                                  {1.35f, 1.10f, .40f},
                                  {1.35f, 1.10f, .40f},
                                  {1.45f, 1.30f, .50f},
                                  {1.45f, 1.30f, .50f}},
                       .swing = {.60f, .60f},
                       .oppose = {1.20f, 1.20f}},
    [TR_GRIP_HOOK] =
        {.open = {{0}, {.10f, .95f, .60f}, {.10f, .95f, .60f}, {.10f, .95f, .60f}, {.10f, .95f, .60f}},
         .closed = {{.20f, .30f, .30f},
                    {.45f, 1.80f, 1.20f},
                    {.45f, 1.80f, 1.20f},
                    {.45f, 1.80f, 1.20f},
                    {.45f, 1.80f, 1.20f}},
         .swing = {.20f, .10f},
         .oppose = {0, .20f}},
    [TR_GRIP_FLAT] = {.open = {{0}, {-.30f, 0, 0}, {-.30f, 0, 0}, {-.30f, 0, 0}, {-.30f, 0, 0}},
                      .closed = {{0}, {.30f, .10f, 0}, {.30f, .10f, 0}, {.30f, .10f, 0}, {.30f, .10f, 0}},
                      .swing = {.60f, .60f}},
};

tr_hand_posture tr_grip_posture(const tr_hand_shape *hand, tr_grip grip, float open) {
    const grip_shape *shape = &shapes[grip];
    tr_hand_posture posture;
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (uint32_t b = 0; b < TR_FINGER_BONES; b++)
            posture.bend[f][b] = shape->closed[f][b] + open * (shape->open[f][b] - shape->closed[f][b]);
    posture.swing = shape->swing[1] + open * (shape->swing[0] - shape->swing[1]);
    posture.oppose = shape->oppose[1] + open * (shape->oppose[0] - shape->oppose[1]);
    return tr_hand_clamp(hand, posture);
}

tr_grasp_def tr_grasp_def_default(const tr_hand_shape *hand, const tr_solid *object, tr_box bounds) {
    tr_grasp_def def = {.hand = hand,
                        .object = object,
                        .bounds = bounds,
                        .grips = (1u << TR_GRIP_POWER) | (1u << TR_GRIP_PINCH),
                        .friction = 0.6f,
                        .margin = 0.002f,
                        .directions = 20,
                        .rolls = 8};
    return def;
}

// ------------------------------------------------------------------------------------------------ holding

#define APART 0.001f // contacts that are nearer than this only tell by their directions [m]

// How squarely two contacts oppose each other: the cosine of the larger angle between a push and the line
// between the contacts.
static float opposition(const tr_grasp_contact *a, const tr_grasp_contact *b) {
    tr_vec3 line = tr_vec3_subtract(b->point, a->point);
    float length = tr_vec3_length(line);
    if (length < APART)
        return -tr_vec3_dot(a->inwards, b->inwards);
    float first = tr_vec3_dot(a->inwards, line) / length, second = -tr_vec3_dot(b->inwards, line) / length;
    return first < second ? first : second;
}

// The best pair of a contact of the thumb or, around thick things, of the palm and one of a finger.
static float best_opposition(const tr_grasp *grasp) {
    float best = -1;
    for (uint32_t i = 0; i < grasp->contact_count; i++) {
        const tr_grasp_contact *a = &grasp->contacts[i];
        if (a->finger != TR_THUMB && (a->finger != TR_FINGERS || grasp->grip != TR_GRIP_POWER))
            continue;
        for (uint32_t k = 0; k < grasp->contact_count; k++) {
            const tr_grasp_contact *b = &grasp->contacts[k];
            if (b->finger == TR_THUMB || b->finger == TR_FINGERS)
                continue;
            float squarely = opposition(a, b);
            best = squarely > best ? squarely : best;
        }
    }
    return best;
}

static uint32_t fingers_touching(const tr_grasp *grasp) {
    uint32_t seen = 0, count = 0;
    for (uint32_t i = 0; i < grasp->contact_count; i++)
        seen |= 1u << grasp->contacts[i].finger;
    for (uint32_t f = 0; f <= TR_FINGERS; f++)
        count += seen >> f & 1;
    return count;
}

// The mean of the upward pushes, and how far their middle is from that of the object, seen from above.
static float support(const tr_grasp_def *def, const tr_grasp *grasp, uint32_t *count, float *aside) {
    tr_vec3 middle = {0, 0, 0};
    float up = 0;
    *count = 0;
    for (uint32_t i = 0; i < grasp->contact_count; i++) {
        const tr_grasp_contact *contact = &grasp->contacts[i];
        if (contact->inwards.y < 0.5f)
            continue;
        middle = tr_vec3_add(middle, contact->point);
        up += contact->inwards.y;
        (*count)++;
    }
    if (*count == 0)
        return 0;
    middle = tr_vec3_scale(middle, 1 / (float)*count);
    tr_vec3 centre = tr_vec3_scale(tr_vec3_add(def->bounds.min, def->bounds.max), 0.5f);
    *aside = tr_vec3_distance_from_above(middle, centre);
    return up / (float)*count;
}

// 1 where the contacts are around the middle of the object, 0 at its ends.
static float nearness(const tr_grasp_def *def, const tr_grasp *grasp) {
    tr_vec3 sum = {0, 0, 0}, size = tr_vec3_subtract(def->bounds.max, def->bounds.min);
    tr_vec3 centre = tr_vec3_scale(tr_vec3_add(def->bounds.min, def->bounds.max), 0.5f);
    for (uint32_t i = 0; i < grasp->contact_count; i++)
        sum = tr_vec3_add(sum, grasp->contacts[i].point);
    tr_vec3 middle = tr_vec3_scale(sum, 1 / (float)grasp->contact_count);
    float off = 2 * tr_vec3_distance(middle, centre) / (tr_vec3_length(size) + APART);
    return off < 1 ? 1 - off : 0;
}

float tr_grasp_quality(const tr_grasp_def *def, const tr_grasp *grasp) {
    if (grasp->contact_count == 0)
        return 0;
    float cone = 1 / sqrtf(1 + def->friction * def->friction), hold, aside = 0;
    uint32_t count;
    if (grasp->grip == TR_GRIP_HOOK || grasp->grip == TR_GRIP_FLAT) {
        float up = support(def, grasp, &count, &aside);
        // The middle of the object has to be over the hand.
        const tr_finger *longest = &def->hand->fingers[TR_INDEX];
        if (count < 2 || up < cone || aside > 0.5f * tr_vec3_length(longest->joints[longest->bones]))
            return 0;
        hold = (up - cone) / (1 - cone);
    } else {
        float squarely = best_opposition(grasp);
        if (squarely < cone)
            return 0;
        hold = (squarely - cone) / (1 - cone);
    }
    // More than nothing for whatever holds.
    return 0.05f + 0.3f * hold + 0.4f * (float)fingers_touching(grasp) / (TR_FINGERS + 1) +
           0.25f * nearness(def, grasp);
}
