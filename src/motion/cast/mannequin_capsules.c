// The collision shape of the mannequin: capsules of human girths.
#include "mannequin_parts.h"

// In the axes of the body at a height of 1. Only the left side is listed.
typedef struct capsule_row {
    uint32_t joint;
    tr_vec3 a, b;
    float radius;
} capsule_row;

#define P(joint) TR_MANNEQUIN_##joint
static const capsule_row middle[] = {
    {P(HIPS), {-.030f, .540f, -.004f}, {.030f, .540f, -.004f}, .060f},
    {P(SPINE), {-.026f, .625f, -.002f}, {.026f, .625f, -.002f}, .055f},
    {P(CHEST), {-.036f, .705f, -.002f}, {.036f, .705f, -.002f}, .060f},
    {P(UPPER_CHEST), {-.050f, .770f, -.006f}, {.050f, .770f, -.006f}, .052f},
    {P(NECK), {0, .830f, -.008f}, {0, .875f, -.002f}, .031f},
    {P(HEAD), {0, .915f, .008f}, {0, .951f, .004f}, .048f},
};
static const capsule_row left[] = {
    {P(LEFT_UPPER_ARM), {.115f, .806f, -.006f}, {.115f, .630f, -.006f}, .026f},
    {P(LEFT_FOREARM), {.115f, .618f, -.006f}, {.115f, .490f, -.006f}, .022f},
    {P(LEFT_HAND), {.115f, .460f, -.006f}, {.115f, .388f, -.004f}, .018f},
    {P(LEFT_THIGH), {.050f, .515f, 0}, {.050f, .300f, 0}, .042f},
    {P(LEFT_SHANK), {.050f, .275f, -.002f}, {.050f, .060f, -.002f}, .029f},
    {P(LEFT_FOOT), {.050f, .021f, -.0100f}, {.050f, .020f, .062f}, .020f},
    {P(LEFT_TOES), {.050f, .012f, .0760f}, {.050f, .012f, .1090f}, .012f},
};
#define MIDDLE_COUNT (sizeof middle / sizeof *middle)
#define LEFT_COUNT (sizeof left / sizeof *left)
_Static_assert(MIDDLE_COUNT + 2 * LEFT_COUNT == TR_MANNEQUIN_CAPSULES, "the number of capsules");

static tr_capsule capsule_from(const capsule_row *row, tr_mannequin_shape shape, float height,
                               bool mirrored) {
    uint32_t step = row->joint >= P(LEFT_THIGH) ? TR_MANNEQUIN_LEG_STEP : TR_MANNEQUIN_ARM_STEP;
    tr_mannequin_region region = tr_mannequin_region_of(row->joint);
    float girth = tr_mannequin_girth(shape, region, 0.5f * (row->a.y + row->b.y));
    tr_capsule capsule = {.joint = row->joint + (mirrored ? step : 0),
                          .radius = row->radius * girth * height};
    tr_vec3 side = {mirrored ? -1.0f : 1.0f, 1, 1};
    tr_vec3 a = {row->a.x * side.x, row->a.y, row->a.z}, b = {row->b.x * side.x, row->b.y, row->b.z};
    tr_vec3 place = tr_mannequin_place(shape, region, tr_mannequin_places[capsule.joint]);
    a = tr_mannequin_place(shape, region, a);
    b = tr_mannequin_place(shape, region, b);
    capsule.a = tr_vec3_scale(tr_vec3_subtract(a, place), height);
    capsule.b = tr_vec3_scale(tr_vec3_subtract(b, place), height);
    return capsule;
}

static uint32_t parent_of(uint32_t joint) {
    if (joint == P(HIPS))
        return TR_NONE;
    if (joint == P(LEFT_SHOULDER) || joint == P(RIGHT_SHOULDER))
        return P(UPPER_CHEST);
    return joint == P(LEFT_THIGH) || joint == P(RIGHT_THIGH) ? P(HIPS) : joint - 1;
}

// The number of bones between two joints.
static uint32_t distance_between(uint32_t a, uint32_t b) {
    uint32_t distance = 0;
    while (a != b) { // a parent has the lower number, so the higher of the two steps up
        uint32_t *lower = a > b ? &a : &b;
        *lower = parent_of(*lower);
        distance++;
    }
    return distance;
}

static bool is_trunk(uint32_t joint) {
    return joint <= P(HEAD);
}

static bool is_upper_arm(uint32_t joint) {
    return joint == P(LEFT_UPPER_ARM) || joint == P(RIGHT_UPPER_ARM);
}

// Neighbours, pairs of trunk parts, and arms that hang beside the chest.
static bool is_ignored(uint32_t a, uint32_t b) {
    return distance_between(a, b) <= 2 || (is_trunk(a) && is_trunk(b)) ||
           (is_upper_arm(a) && b == P(CHEST)) || (is_upper_arm(b) && a == P(CHEST));
}
#undef P

void tr_mannequin_fill_capsules(tr_mannequin_shape shape, float height, tr_capsule *capsules,
                                bool *ignored_pairs) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MIDDLE_COUNT; i++)
        capsules[count++] = capsule_from(&middle[i], shape, height, false);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < LEFT_COUNT; i++)
            capsules[count++] = capsule_from(&left[i], shape, height, side == 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            ignored_pairs[i * count + j] = is_ignored(capsules[i].joint, capsules[j].joint);
}
