// The shape of the mannequin: the rings of each part, as fractions of the height. Widths follow the published
// half hip (.0955), half shoulder (.1295) and human girths in between.
#include "mannequin_parts.h"

#define P(joint) TR_MANNEQUIN_##joint
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const tr_mannequin_ring trunk_rings[] = {
    {.462f, 0, -.004f, 0, 0, 0, 0},
    {.464f, 0, -.004f, .022f, .026f, .028f, .1f},
    {.474f, 0, -.004f, .050f, .044f, .050f, .2f},
    {.495f, 0, -.004f, .078f, .054f, .066f, .3f},
    {.520f, 0, -.004f, .0915f, .058f, .071f, .3f},
    {.545f, 0, -.003f, .0925f, .060f, .066f, .3f},
    {.575f, 0, -.002f, .0860f, .060f, .054f, .3f},
    {.605f, 0, 0, .0780f, .057f, .046f, .3f},
    {.635f, 0, 0, .0755f, .056f, .045f, .3f},
    {.670f, 0, 0, .0810f, .059f, .050f, .3f},
    {.710f, 0, 0, .0900f, .064f, .056f, .35f},
    {.745f, 0, 0, .0985f, .066f, .060f, .4f},
    {.775f, 0, -.003f, .1075f, .060f, .060f, .4f},
    {.796f, 0, -.006f, .1170f, .047f, .052f, .3f},
    {.811f, 0, -.009f, .1080f, .038f, .043f, .2f},
    {.822f, 0, -.010f, .0800f, .032f, .037f, .1f},
    {.832f, 0, -.010f, .0510f, .030f, .034f, .05f},
    {.844f, 0, -.008f, .0355f, .029f, .032f, 0},
    {.858f, 0, -.006f, .0310f, .028f, .030f, 0},
    {.880f, 0, -.002f, .0300f, .027f, .029f, 0},
    {.902f, 0, 0, .0270f, .025f, .026f, 0},
    {.912f, 0, 0, 0, 0, 0, 0},
};
static const tr_mannequin_seam trunk_seams[] = {
    {P(SPINE), .590f, .030f}, {P(CHEST), .665f, .030f}, {P(UPPER_CHEST), .742f, .030f},
    {P(NECK), .828f, .022f},  {P(HEAD), .884f, .018f},
};

// The face looks along +Z; its sides are a little flat.
static const tr_mannequin_ring head_rings[] = {
    {.8670f, 0, .024f, 0, 0, 0, 0},
    {.8680f, 0, .023f, .0120f, .0120f, .013f, .2f},
    {.8735f, 0, .017f, .0225f, .0260f, .025f, .3f},
    {.8850f, 0, .008f, .0315f, .0410f, .035f, .3f},
    {.9010f, 0, .003f, .0385f, .0500f, .044f, .25f},
    {.9200f, 0, 0, .0425f, .0535f, .051f, .2f},
    {.9400f, 0, -.002f, .0445f, .0535f, .055f, .15f},
    {.9590f, 0, -.004f, .0440f, .0500f, .055f, .1f},
    {.9750f, 0, -.005f, .0395f, .0430f, .049f, .05f},
    {.9885f, 0, -.006f, .0295f, .0310f, .036f, 0},
    {.9970f, 0, -.006f, .0155f, .0160f, .019f, 0},
    {1.000f, 0, -.006f, 0, 0, 0, 0},
};
static const tr_mannequin_seam head_seams[] = {{P(HEAD), .872f, .012f}};

// From the finger tips up; the palm faces the thigh.
static const tr_mannequin_ring arm_rings[] = {
    {.3660f, .1150f, .000f, 0, 0, 0, 0},
    {.3672f, .1150f, .000f, .0045f, .0090f, .009f, .1f},
    {.3730f, .1150f, -.001f, .0075f, .0165f, .015f, .2f},
    {.3880f, .1155f, -.003f, .0095f, .0215f, .020f, .3f},
    {.4060f, .1160f, -.004f, .0112f, .0240f, .023f, .3f},
    {.4260f, .1165f, -.005f, .0128f, .0250f, .024f, .3f},
    {.4460f, .1165f, -.006f, .0138f, .0235f, .023f, .2f},
    {.4620f, .1155f, -.006f, .0130f, .0185f, .018f, .1f},
    {.4740f, .1150f, -.006f, .0133f, .0165f, .016f, 0},
    {.4950f, .1150f, -.006f, .0155f, .0180f, .017f, 0},
    {.5300f, .1150f, -.006f, .0195f, .0215f, .021f, 0},
    {.5700f, .1155f, -.006f, .0235f, .0250f, .024f, 0},
    {.5980f, .1155f, -.006f, .0240f, .0245f, .024f, 0},
    {.6200f, .1150f, -.006f, .0225f, .0225f, .023f, 0},
    {.6420f, .1150f, -.006f, .0230f, .0240f, .024f, 0},
    {.6750f, .1155f, -.006f, .0248f, .0275f, .026f, 0},
    {.7150f, .1160f, -.006f, .0260f, .0290f, .028f, 0},
    {.7500f, .1165f, -.006f, .0285f, .0300f, .031f, 0},
    {.7780f, .1155f, -.006f, .0305f, .0325f, .033f, 0},
    {.8000f, .1125f, -.007f, .0300f, .0320f, .033f, 0},
    {.8165f, .1075f, -.008f, .0240f, .0255f, .026f, 0},
    {.8260f, .1055f, -.008f, .0130f, .0135f, .014f, 0},
    {.8285f, .1040f, -.008f, 0, 0, 0, 0},
};
static const tr_mannequin_seam arm_seams[] = {
    {P(LEFT_FOREARM), .474f, .014f}, {P(LEFT_UPPER_ARM), .624f, .026f}, {P(LEFT_SHOULDER), .826f, .024f}};

static const tr_mannequin_ring thumb_rings[] = {
    {.4040f, .1130f, .0290f, 0, 0, 0, 0},
    {.4050f, .1130f, .0290f, .0040f, .0040f, .004f, 0},
    {.4120f, .1135f, .0280f, .0070f, .0070f, .007f, 0},
    {.4260f, .1145f, .0235f, .0080f, .0080f, .008f, 0},
    {.4420f, .1155f, .0150f, .0090f, .0100f, .010f, 0},
    {.4560f, .1160f, .0060f, .0080f, .0090f, .009f, 0},
    {.4640f, .1160f, .0010f, 0, 0, 0, 0},
};

// From the ankle up.
static const tr_mannequin_ring leg_rings[] = {
    {.0220f, .0500f, -.002f, 0, 0, 0, 0},
    {.0240f, .0500f, -.002f, .0100f, .0110f, .011f, 0},
    {.0360f, .0500f, -.002f, .0170f, .0190f, .019f, 0},
    {.0540f, .0500f, -.002f, .0175f, .0185f, .0185f, 0},
    {.0800f, .0500f, -.002f, .0168f, .0180f, .0190f, 0},
    {.1150f, .0500f, -.001f, .0195f, .0195f, .0235f, 0},
    {.1550f, .0500f, 0, .0245f, .0215f, .0315f, 0},
    {.1950f, .0500f, 0, .0290f, .0235f, .0380f, 0},
    {.2300f, .0500f, 0, .0295f, .0250f, .0375f, 0},
    {.2600f, .0500f, 0, .0275f, .0275f, .0310f, 0},
    {.2850f, .0500f, .002f, .0280f, .0310f, .0285f, 0},
    {.3100f, .0500f, .002f, .0300f, .0330f, .0310f, 0},
    {.3500f, .0500f, .001f, .0350f, .0385f, .0370f, 0},
    {.4000f, .0505f, 0, .0400f, .0440f, .0430f, 0},
    {.4450f, .0510f, -.001f, .0435f, .0475f, .0475f, .05f},
    {.4850f, .0515f, -.002f, .0440f, .0490f, .0510f, .1f},
    {.5150f, .0515f, -.002f, .0410f, .0480f, .0500f, .1f},
    {.5420f, .0500f, -.002f, .0330f, .0380f, .0400f, 0},
    {.5580f, .0490f, -.002f, .0180f, .0210f, .0220f, 0},
    {.5630f, .0480f, -.002f, 0, 0, 0, 0},
};
static const tr_mannequin_seam leg_seams[] = {
    {P(LEFT_SHANK), .045f, .022f}, {P(LEFT_THIGH), .285f, .030f}, {P(HIPS), .560f, .040f}};

// From heel to toe; `fore` is the upper side and `back` the sole, `off` the height between them.
static const tr_mannequin_ring foot_rings[] = {
    {-.0345f, .0500f, .020f, 0, 0, 0, 0},
    {-.0335f, .0500f, .020f, .0085f, .0110f, .0130f, .2f},
    {-.0290f, .0500f, .019f, .0150f, .0210f, .0185f, .4f},
    {-.0180f, .0500f, .019f, .0190f, .0330f, .0190f, .5f},
    {-.0030f, .0500f, .019f, .0200f, .0420f, .0190f, .5f},
    {.0130f, .0500f, .018f, .0202f, .0400f, .0180f, .5f},
    {.0320f, .0500f, .016f, .0215f, .0300f, .0160f, .5f},
    {.0530f, .0500f, .013f, .0245f, .0215f, .0130f, .5f},
    {.0740f, .0500f, .010f, .0270f, .0165f, .0100f, .5f},
    {.0920f, .0495f, .009f, .0265f, .0130f, .0090f, .5f},
    {.1080f, .0485f, .0085f, .0230f, .0105f, .0085f, .4f},
    {.1185f, .0475f, .0085f, .0165f, .0080f, .0080f, .3f},
    {.1235f, .0470f, .0085f, .0080f, .0045f, .0050f, .1f},
    {.1245f, .0470f, .0085f, 0, 0, 0, 0},
};
static const tr_mannequin_seam foot_seams[] = {{P(LEFT_TOES), .078f, .016f}};

const tr_mannequin_part tr_mannequin_parts[TR_MANNEQUIN_PARTS] = {
    {trunk_rings,
     COUNT(trunk_rings),
     P(HIPS),
     trunk_seams,
     COUNT(trunk_seams),
     false,
     false,
     {22, 10},
     {26, 10}},
    {head_rings, COUNT(head_rings), P(NECK), head_seams, COUNT(head_seams), false, false, {18, 8}, {14, 6}},
    {arm_rings, COUNT(arm_rings), P(LEFT_HAND), arm_seams, COUNT(arm_seams), false, true, {12, 6}, {25, 9}},
    {thumb_rings, COUNT(thumb_rings), P(LEFT_HAND), arm_seams, 0, false, true, {8, 4}, {7, 3}},
    {leg_rings, COUNT(leg_rings), P(LEFT_FOOT), leg_seams, COUNT(leg_seams), false, true, {14, 6}, {21, 8}},
    {foot_rings,
     COUNT(foot_rings),
     P(LEFT_FOOT),
     foot_seams,
     COUNT(foot_seams),
     true,
     true,
     {16, 8},
     {12, 4}},
};
#undef P
