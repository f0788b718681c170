// The builds of the mannequin: each moves the points of the reference body, whose height is 1, to where they
// are in another. Joints, skin and capsules move alike.
#include "mannequin_parts.h"

// Heights of the reference body at which a build may differ.
#define ANKLE .039f
#define HIP .530f
#define SHOULDER .812f
#define CHIN .867f
#define ARM_X .115f
#define ARM_Z -.006f
#define LEG_X .050f

// Girths are given at these heights of the trunk, and linear in between.
#define LEVELS 5
static const float levels[LEVELS] = {.520f, .615f, .740f, .800f,
                                     .850f}; // hips, waist, chest, shoulders, neck

typedef struct mannequin_build {
    const char *name;
    float usual_height;                             // [m]
    float hip, shoulder, chin;                      // heights of hip joints, shoulder joints and chin
    float arm, foot;                                // lengths, as a share of the reference body's
    float arm_x, leg_x;                             // how far out arms and legs are
    float head;                                     // width of the head, beyond what its height brings
    float arm_girth, leg_girth;                     // shares
    float wide[LEVELS], fore[LEVELS], back[LEVELS]; // shares of the trunk, to the sides, in front and behind
    tr_manner manner;
} mannequin_build;

// Heights of segments are those of anthropometric tables: a child of seven has a head of a sixth of its
// height and sits higher; women have narrower shoulders and wider hips than men; a body mass index of 35
// instead of 23 makes girths larger by its square root. Gaits: older people walk slower, with shorter and
// wider steps and less swing of the arms; women take some 4 % more steps per minute at the same speed.
static const mannequin_build builds[TR_SHAPES] = {
    [TR_SHAPE_ADULT] = {"adult",
                        1.75f,
                        HIP,
                        SHOULDER,
                        CHIN,
                        1,
                        1,
                        ARM_X,
                        LEG_X,
                        1,
                        1,
                        1,
                        {1, 1, 1, 1, 1},
                        {1, 1, 1, 1, 1},
                        {1, 1, 1, 1, 1},
                        {0}},
    [TR_SHAPE_CHILD] = {"child",
                        1.22f,
                        .490f,
                        .770f,
                        .834f,
                        .93f,
                        1.02f,
                        .112f,
                        .049f,
                        .96f,
                        1.04f,
                        1.0f,
                        {.93f, 1.08f, .98f, .92f, .92f},
                        {1.08f, 1.16f, 1, .98f, .95f},
                        {.92f, 1.05f, 1, .98f, .95f},
                        {.speed = -.12f, .variation = .008f, .arm_swing = {.1f, .1f}, .lean = .01f}},
    [TR_SHAPE_WOMAN] = {"woman",
                        1.63f,
                        .528f,
                        .808f,
                        .867f,
                        .97f,
                        .97f,
                        .112f,
                        .052f,
                        1,
                        .88f,
                        1.02f,
                        {1.08f, .91f, .92f, .88f, .86f},
                        {1, .94f, 1.14f, .95f, .9f},
                        {1.06f, .95f, .92f, .9f, .9f},
                        {.speed = -.02f, .cadence = .04f, .arm_swing = {.08f, .08f}, .stoop = -.02f}},
    [TR_SHAPE_MAN] = {"man",
                      1.78f,
                      .532f,
                      .816f,
                      .869f,
                      1.01f,
                      1.03f,
                      .121f,
                      .049f,
                      1,
                      1.1f,
                      1.02f,
                      {.95f, 1.04f, 1.06f, 1.06f, 1.12f},
                      {1, 1.05f, 1.06f, 1.06f, 1.08f},
                      {.97f, 1.04f, 1.06f, 1.06f, 1.1f},
                      {.speed = .02f, .cadence = -.02f, .arms_out = .02f}},
    [TR_SHAPE_OLD] = {"old",
                      1.66f,
                      .526f,
                      .800f,
                      .862f,
                      1.02f,
                      1.02f,
                      .113f,
                      .050f,
                      1,
                      .88f,
                      .90f,
                      {.98f, 1.06f, .96f, .94f, .9f},
                      {1.04f, 1.2f, .98f, .95f, .9f},
                      {.88f, 1, 1.04f, 1.04f, .95f},
                      {.speed = -.22f,
                       .cadence = .07f,
                       .variation = .01f,
                       .arm_swing = {-.35f, -.35f},
                       .elbows = .25f,
                       .arms_out = .07f,
                       .lean = .07f,
                       .stoop = .24f,
                       .head_down = .03f,
                       .crouch = .022f,
                       .width = .02f}},
    [TR_SHAPE_HEAVY] = {"heavy",
                        1.74f,
                        HIP,
                        SHOULDER,
                        .868f,
                        1,
                        1.02f,
                        .138f,
                        .056f,
                        1.08f,
                        1.28f,
                        1.26f,
                        {1.16f, 1.36f, 1.22f, 1.14f, 1.3f},
                        {1.3f, 1.75f, 1.35f, 1.2f, 1.25f},
                        {1.25f, 1.3f, 1.22f, 1.2f, 1.25f},
                        {.speed = -.12f,
                         .cadence = .0f,
                         .arm_swing = {-.1f, -.1f},
                         .arms_out = .1f,
                         .lean = -.03f,
                         .width = .03f}},
};

const char *tr_mannequin_shape_name(tr_mannequin_shape shape) {
    return (uint32_t)shape < TR_SHAPES ? builds[shape].name : NULL;
}

float tr_mannequin_shape_height(tr_mannequin_shape shape) {
    return builds[(uint32_t)shape < TR_SHAPES ? shape : TR_SHAPE_ADULT].usual_height;
}

tr_manner tr_mannequin_shape_manner(tr_mannequin_shape shape) {
    return builds[(uint32_t)shape < TR_SHAPES ? shape : TR_SHAPE_ADULT].manner;
}

static float between(float x, float from, float to, float low, float high) {
    return low + (high - low) * ((x - from) / (to - from));
}

// The height of a point of trunk, head or legs.
static float height_of(const mannequin_build *build, float y) {
    if (y <= ANKLE)
        return y;
    if (y <= HIP)
        return between(y, ANKLE, HIP, ANKLE, build->hip);
    if (y <= SHOULDER)
        return between(y, HIP, SHOULDER, build->hip, build->shoulder);
    if (y <= CHIN)
        return between(y, SHOULDER, CHIN, build->shoulder, build->chin);
    return between(y, CHIN, 1, build->chin, 1);
}

static float at_level(const float shares[LEVELS], float y) {
    uint32_t i = 0;
    if (y <= levels[0])
        return shares[0];
    while (i + 2 < LEVELS && y > levels[i + 1])
        i++;
    return y < levels[i + 1] ? between(y, levels[i], levels[i + 1], shares[i], shares[i + 1]) : shares[i + 1];
}

static float head_size(const mannequin_build *build) {
    return build->head * (1 - build->chin) / (1 - CHIN);
}

static tr_vec3 place_in_trunk(const mannequin_build *build, tr_vec3 p) {
    float deep = at_level(p.z > 0 ? build->fore : build->back, p.y);
    return tr_vec3_make(p.x * at_level(build->wide, p.y), height_of(build, p.y), p.z * deep);
}

static tr_vec3 place_in_arm(const mannequin_build *build, tr_vec3 p, float side) {
    float hand = .474f, part = p.y < hand ? 1 : p.y > hand + .04f ? 0 : (hand + .04f - p.y) / .04f;
    float girth =
        build->arm_girth + (build->arm - build->arm_girth) * part; // hands are as large as arms long
    return tr_vec3_make(side * (build->arm_x + (side * p.x - ARM_X) * girth),
                        build->shoulder - (SHOULDER - p.y) * build->arm, ARM_Z + (p.z - ARM_Z) * girth);
}

static tr_vec3 place_in_leg(const mannequin_build *build, tr_vec3 p, float side) {
    return tr_vec3_make(side * (build->leg_x + (side * p.x - LEG_X) * build->leg_girth),
                        height_of(build, p.y), p.z * build->leg_girth);
}

static tr_vec3 place_in_foot(const mannequin_build *build, tr_vec3 p, float side) {
    return tr_vec3_make(side * (build->leg_x + (side * p.x - LEG_X) * build->foot), p.y, p.z * build->foot);
}

tr_vec3 tr_mannequin_place(tr_mannequin_shape shape, tr_mannequin_region region, tr_vec3 p) {
    const mannequin_build *build = &builds[shape];
    float side = p.x < 0 ? -1 : 1;
    if (region == TR_MANNEQUIN_IN_ARM)
        return place_in_arm(build, p, side);
    if (region == TR_MANNEQUIN_IN_LEG)
        return place_in_leg(build, p, side);
    if (region == TR_MANNEQUIN_IN_FOOT)
        return place_in_foot(build, p, side);
    if (region == TR_MANNEQUIN_IN_TRUNK)
        return place_in_trunk(build, p);
    float size = head_size(build);
    return tr_vec3_make(p.x * size, height_of(build, p.y), p.z * size);
}

float tr_mannequin_girth(tr_mannequin_shape shape, tr_mannequin_region region, float y) {
    const mannequin_build *build = &builds[shape];
    float fore = at_level(build->fore, y), back = at_level(build->back, y);
    const float girths[] = {[TR_MANNEQUIN_IN_TRUNK] = fore > back ? fore : back,
                            [TR_MANNEQUIN_IN_HEAD] = head_size(build),
                            [TR_MANNEQUIN_IN_ARM] = y < .474f ? build->arm : build->arm_girth,
                            [TR_MANNEQUIN_IN_LEG] = build->leg_girth,
                            [TR_MANNEQUIN_IN_FOOT] = 1};
    return girths[region];
}

tr_mannequin_region tr_mannequin_region_of(uint32_t joint) {
    if (joint <= TR_MANNEQUIN_NECK)
        return TR_MANNEQUIN_IN_TRUNK;
    if (joint <= TR_MANNEQUIN_HEAD_END)
        return TR_MANNEQUIN_IN_HEAD;
    if (joint == TR_MANNEQUIN_LEFT_SHOULDER || joint == TR_MANNEQUIN_RIGHT_SHOULDER)
        return TR_MANNEQUIN_IN_TRUNK;
    if (joint <= TR_MANNEQUIN_RIGHT_HAND_END)
        return TR_MANNEQUIN_IN_ARM;
    uint32_t part = (joint - TR_MANNEQUIN_LEFT_THIGH) % TR_MANNEQUIN_LEG_STEP;
    return part < TR_MANNEQUIN_LEFT_FOOT - TR_MANNEQUIN_LEFT_THIGH ? TR_MANNEQUIN_IN_LEG
                                                                   : TR_MANNEQUIN_IN_FOOT;
}
