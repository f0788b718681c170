// The board: joints and shape, of a body of 1.75 m.
#include "skateboarder_parts.h"

static const struct {
    const char *name;
    tr_vec3 place;
} rows[TR_SKATER_JOINTS - TR_SKATER_BOARD] = {
    {"board", {0, TR_SKATER_DECK, 0}},
    {"front_truck", {0, TR_SKATER_WHEEL, TR_SKATER_AXLE}},
    {"front_left_wheel", {TR_SKATER_TRACK, TR_SKATER_WHEEL, TR_SKATER_AXLE}},
    {"front_right_wheel", {-TR_SKATER_TRACK, TR_SKATER_WHEEL, TR_SKATER_AXLE}},
    {"back_truck", {0, TR_SKATER_WHEEL, -TR_SKATER_AXLE}},
    {"back_left_wheel", {TR_SKATER_TRACK, TR_SKATER_WHEEL, -TR_SKATER_AXLE}},
    {"back_right_wheel", {-TR_SKATER_TRACK, TR_SKATER_WHEEL, -TR_SKATER_AXLE}},
};

tr_vec3 tr_skater_board_place(uint32_t joint) {
    return rows[joint - TR_SKATER_BOARD].place;
}

const char *tr_skater_board_name(uint32_t joint) {
    return rows[joint - TR_SKATER_BOARD].name;
}

// A deck of seven plies, 80 by 20 cm, with nose and tail bent up by some 20 degrees.
static const tr_tube_ring deck_rings[] = {
    {0, .137f, -.402f, 0, 0, 0, 0},
    {0, .137f, -.401f, .020f, .003f, .003f, .6f},
    {0, .1345f, -.392f, .048f, .0055f, .0055f, .8f},
    {0, .128f, -.372f, .074f, .0055f, .0055f, .9f},
    {0, .119f, -.345f, .090f, .0055f, .0055f, .9f},
    {0, .109f, -.312f, .098f, .0055f, .0055f, .9f},
    {0, .101f, -.275f, .100f, .0055f, .0055f, .9f},
    {0, .0995f, -.250f, .100f, .0055f, .0055f, .9f},
    {0, .0995f, 0, .100f, .0055f, .0055f, .9f},
    {0, .0995f, .250f, .100f, .0055f, .0055f, .9f},
    {0, .101f, .275f, .100f, .0055f, .0055f, .9f},
    {0, .109f, .312f, .098f, .0055f, .0055f, .9f},
    {0, .119f, .345f, .090f, .0055f, .0055f, .9f},
    {0, .128f, .372f, .074f, .0055f, .0055f, .9f},
    {0, .1345f, .392f, .048f, .0055f, .0055f, .8f},
    {0, .137f, .401f, .020f, .003f, .003f, .6f},
    {0, .137f, .402f, 0, 0, 0, 0},
};

// A hanger with its axle, a base plate above it, and a pair of wheels.
#define HANGER(z)                                                                                            \
    {                                                                                                        \
        {-.056f, .027f, z, 0, 0, 0, 0}, {-.0558f, .027f, z, .006f, .006f, .006f, 0},                         \
            {-.030f, .029f, z, .010f, .010f, .010f, 0}, {0, .036f, z, .014f, .014f, .014f, .2f},             \
            {.030f, .029f, z, .010f, .010f, .010f, 0}, {.0558f, .027f, z, .006f, .006f, .006f, 0},           \
            {.056f, .027f, z, 0, 0, 0, 0},                                                                   \
    }
#define PLATE(z)                                                                                             \
    {                                                                                                        \
        {0, .040f, z, 0, 0, 0, 0}, {0, .041f, z, .014f, .014f, .014f, .3f},                                  \
            {0, .070f, z, .020f, .026f, .026f, .5f}, {0, .090f, z, .028f, .040f, .040f, .8f},                \
            {0, .0955f, z, .028f, .040f, .040f, .8f}, {0, .096f, z, 0, 0, 0, 0},                             \
    }
#define WHEEL(z)                                                                                             \
    {                                                                                                        \
        {.0580f, .027f, z, 0, 0, 0, 0}, {.0584f, .027f, z, .0190f, .0190f, .0190f, 0},                       \
            {.0620f, .027f, z, .0262f, .0262f, .0262f, 0}, {.0660f, .027f, z, .0270f, .0270f, .0270f, 0},    \
            {.0840f, .027f, z, .0270f, .0270f, .0270f, 0}, {.0880f, .027f, z, .0262f, .0262f, .0262f, 0},    \
            {.0916f, .027f, z, .0190f, .0190f, .0190f, 0}, {.0920f, .027f, z, 0, 0, 0, 0},                   \
    }
static const tr_tube_ring front_hanger[] = HANGER(TR_SKATER_AXLE), back_hanger[] = HANGER(-TR_SKATER_AXLE);
static const tr_tube_ring front_plate[] = PLATE(TR_SKATER_AXLE), back_plate[] = PLATE(-TR_SKATER_AXLE);
static const tr_tube_ring front_wheel[] = WHEEL(TR_SKATER_AXLE), back_wheel[] = WHEEL(-TR_SKATER_AXLE);

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PART(rings, on, across, pair, paint, ...)                                                            \
    { rings, COUNT(rings), TR_SKATER_##on, NULL, 0, across, pair, 1, 0, true, __VA_ARGS__, paint }
const tr_tube tr_skater_tubes[TR_SKATER_TUBES] = {
    PART(deck_rings, BOARD, 0, false, 1, {16, 8}, {1, 1}),
    PART(front_hanger, FRONT_TRUCK, 2, false, 2, {10, 6}, {1, 1}),
    PART(back_hanger, BACK_TRUCK, 2, false, 2, {10, 6}, {1, 1}),
    PART(front_plate, BOARD, 0, false, 2, {10, 6}, {1, 0}),
    PART(back_plate, BOARD, 0, false, 2, {10, 6}, {1, 0}),
    PART(front_wheel, FRONT_LEFT_WHEEL, 2, true, 2, {20, 12}, {1, 1}),
    PART(back_wheel, BACK_LEFT_WHEEL, 2, true, 2, {20, 12}, {1, 1}),
};
