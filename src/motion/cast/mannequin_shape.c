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
static const tr_skin_seam trunk_seams[] = {
    {P(SPINE), .590f, .030f}, {P(CHEST), .665f, .030f}, {P(UPPER_CHEST), .742f, .030f},
    {P(NECK), .828f, .022f},  {P(HEAD), .884f, .018f},
};

// The face looks along +Z; its sides are a little flat. The eyes lie in a hollow under the brow.
static const tr_mannequin_ring head_rings[] = {
    {.8670f, 0, .024f, 0, 0, 0, 0},
    {.8680f, 0, .023f, .0120f, .0140f, .013f, .2f},
    {.8735f, 0, .017f, .0215f, .0290f, .025f, .3f},
    {.8820f, 0, .010f, .0290f, .0375f, .033f, .3f},
    {.8930f, 0, .005f, .0355f, .0450f, .040f, .25f},
    {.9060f, 0, .002f, .0405f, .0500f, .047f, .2f},
    {.9190f, 0, 0, .0430f, .0515f, .051f, .2f},
    {.9290f, 0, -.001f, .0440f, .0495f, .053f, .15f},
    {.9365f, 0, -.002f, .0445f, .0485f, .054f, .15f},
    {.9450f, 0, -.002f, .0450f, .0530f, .055f, .15f},
    {.9570f, 0, -.003f, .0445f, .0510f, .055f, .1f},
    {.9740f, 0, -.005f, .0400f, .0435f, .0495f, .05f},
    {.9885f, 0, -.006f, .0295f, .0310f, .036f, 0},
    {.9970f, 0, -.006f, .0155f, .0160f, .019f, 0},
    {1.000f, 0, -.006f, 0, 0, 0, 0},
};
static const tr_mannequin_ring nose_rings[] = {
    {.8990f, 0, .046f, 0, 0, 0, 0},
    {.9004f, 0, .046f, .0070f, .0110f, .006f, .1f},
    {.9040f, 0, .046f, .0090f, .0158f, .008f, .1f},
    {.9095f, 0, .046f, .0076f, .0150f, .008f, .1f},
    {.9180f, 0, .044f, .0055f, .0130f, .008f, .1f},
    {.9280f, 0, .042f, .0048f, .0102f, .008f, .1f},
    {.9370f, 0, .041f, .0048f, .0080f, .006f, 0},
    {.9450f, 0, .042f, 0, 0, 0, 0},
};
static const tr_mannequin_ring mouth_rings[] = {
    {.8828f, 0, .044f, 0, 0, 0, 0},
    {.8840f, 0, .043f, .0070f, .0045f, .004f, .1f},
    {.8862f, 0, .043f, .0120f, .0062f, .004f, .1f},
    {.8880f, 0, .043f, .0135f, .0050f, .004f, .1f},
    {.8898f, 0, .0435f, .0115f, .0066f, .004f, .1f},
    {.8918f, 0, .044f, .0060f, .0052f, .004f, .1f},
    {.8928f, 0, .045f, 0, 0, 0, 0},
};
// The left of a pair: the ball of the eye, its upper lid, the dark of it in front, a brow and an ear.
static const tr_mannequin_ring eye_rings[] = {
    {.9294f, .0182f, .0396f, 0, 0, 0, 0},
    {.9302f, .0182f, .0396f, .0030f, .0030f, .0030f, 0},
    {.9324f, .0182f, .0396f, .0054f, .0054f, .0054f, 0},
    {.9360f, .0182f, .0396f, .0066f, .0066f, .0066f, 0},
    {.9396f, .0182f, .0396f, .0054f, .0054f, .0054f, 0},
    {.9418f, .0182f, .0396f, .0030f, .0030f, .0030f, 0},
    {.9426f, .0182f, .0396f, 0, 0, 0, 0},
};
static const tr_mannequin_ring lid_rings[] = {
    {.9374f, .0182f, .0394f, 0, 0, 0, 0},
    {.9376f, .0182f, .0394f, .0074f, .0075f, .0060f, 0},
    {.9398f, .0182f, .0394f, .0064f, .0065f, .0050f, 0},
    {.9424f, .0182f, .0394f, .0040f, .0046f, .0030f, 0},
    {.9440f, .0182f, .0390f, 0, 0, 0, 0},
};
static const tr_mannequin_ring pupil_rings[] = {
    {.9325f, .0182f, .0440f, 0, 0, 0, 0},
    {.9332f, .0182f, .0440f, .0018f, .0018f, .0018f, 0},
    {.9360f, .0182f, .0440f, .0034f, .0028f, .0028f, 0},
    {.9388f, .0182f, .0440f, .0018f, .0018f, .0018f, 0},
    {.9395f, .0182f, .0440f, 0, 0, 0, 0},
};
static const tr_mannequin_ring brow_rings[] = {
    {.9440f, .0185f, .0420f, 0, 0, 0, 0},
    {.9448f, .0185f, .0415f, .0085f, .0058f, .004f, .2f},
    {.9470f, .0188f, .0410f, .0120f, .0064f, .004f, .2f},
    {.9492f, .0188f, .0405f, .0090f, .0056f, .004f, .2f},
    {.9500f, .0188f, .0400f, 0, 0, 0, 0},
};
static const tr_mannequin_ring ear_rings[] = {
    {.9150f, .0425f, -.002f, 0, 0, 0, 0},
    {.9165f, .0432f, -.002f, .0030f, .0040f, .004f, .1f},
    {.9230f, .0445f, -.004f, .0042f, .0070f, .006f, .1f},
    {.9330f, .0458f, -.006f, .0046f, .0095f, .009f, .1f},
    {.9420f, .0462f, -.007f, .0040f, .0085f, .009f, .1f},
    {.9465f, .0458f, -.007f, .0025f, .0045f, .005f, .1f},
    {.9475f, .0455f, -.007f, 0, 0, 0, 0},
};
static const tr_skin_seam head_seams[] = {{P(HEAD), .872f, .012f}};

// From the knuckles up; the palm faces the thigh.
static const tr_mannequin_ring arm_rings[] = {
    {.4100f, .1158f, -.005f, 0, 0, 0, 0},
    {.4112f, .1158f, -.005f, .0052f, .0165f, .0165f, .3f},
    {.4165f, .1160f, -.005f, .0082f, .0222f, .0225f, .4f},
    {.4280f, .1165f, -.005f, .0110f, .0240f, .0240f, .3f},
    {.4460f, .1165f, -.006f, .0135f, .0228f, .0230f, .2f},
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
static const tr_skin_seam arm_seams[] = {
    {P(LEFT_FOREARM), .474f, .014f}, {P(LEFT_UPPER_ARM), .624f, .026f}, {P(LEFT_SHOULDER), .826f, .024f}};

// Fingers hang as relaxed ones do, bent a little towards the palm: each from its tip up into the palm.
static const tr_mannequin_ring index_rings[] = {
    {.3722f, .1062f, .0135f, 0, 0, 0, 0},
    {.3730f, .1064f, .0135f, .0028f, .0028f, .0028f, 0},
    {.3765f, .1075f, .0135f, .0043f, .0043f, .0043f, 0},
    {.3860f, .1104f, .0132f, .0047f, .0048f, .0048f, 0},
    {.3960f, .1132f, .0128f, .0051f, .0052f, .0052f, 0},
    {.4080f, .1153f, .0125f, .0056f, .0055f, .0055f, 0},
    {.4230f, .1160f, .0120f, .0052f, .0052f, .0052f, 0},
    {.4280f, .1160f, .0120f, 0, 0, 0, 0},
};
static const tr_mannequin_ring middle_rings[] = {
    {.3660f, .1050f, .0015f, 0, 0, 0, 0},
    {.3668f, .1052f, .0015f, .0028f, .0028f, .0028f, 0},
    {.3705f, .1063f, .0015f, .0044f, .0044f, .0044f, 0},
    {.3810f, .1096f, .0015f, .0048f, .0049f, .0049f, 0},
    {.3930f, .1130f, .0013f, .0052f, .0053f, .0053f, 0},
    {.4070f, .1153f, .0010f, .0057f, .0056f, .0056f, 0},
    {.4230f, .1160f, .0005f, .0053f, .0053f, .0053f, 0},
    {.4280f, .1160f, .0005f, 0, 0, 0, 0},
};
static const tr_mannequin_ring ring_rings[] = {
    {.3712f, .1038f, -.0105f, 0, 0, 0, 0},
    {.3720f, .1040f, -.0105f, .0027f, .0027f, .0027f, 0},
    {.3755f, .1052f, -.0105f, .0042f, .0042f, .0042f, 0},
    {.3850f, .1087f, -.0105f, .0046f, .0047f, .0047f, 0},
    {.3960f, .1125f, -.0105f, .0050f, .0051f, .0051f, 0},
    {.4080f, .1152f, -.0105f, .0055f, .0054f, .0054f, 0},
    {.4230f, .1160f, -.0105f, .0051f, .0051f, .0051f, 0},
    {.4280f, .1160f, -.0105f, 0, 0, 0, 0},
};
static const tr_mannequin_ring little_rings[] = {
    {.3815f, .1035f, -.0220f, 0, 0, 0, 0},
    {.3822f, .1037f, -.0220f, .0023f, .0023f, .0023f, 0},
    {.3850f, .1048f, -.0220f, .0036f, .0036f, .0036f, 0},
    {.3920f, .1082f, -.0218f, .0040f, .0041f, .0041f, 0},
    {.4000f, .1118f, -.0214f, .0044f, .0045f, .0045f, 0},
    {.4100f, .1148f, -.0210f, .0048f, .0048f, .0048f, 0},
    {.4230f, .1158f, -.0205f, .0045f, .0045f, .0045f, 0},
    {.4280f, .1158f, -.0205f, 0, 0, 0, 0},
};
// All fingers in one, for a coarse mesh.
static const tr_mannequin_ring mitten_rings[] = {
    {.3690f, .1055f, -.003f, 0, 0, 0, 0},
    {.3720f, .1062f, -.003f, .0030f, .0110f, .0100f, .2f},
    {.3860f, .1100f, -.004f, .0050f, .0200f, .0190f, .4f},
    {.4080f, .1150f, -.005f, .0070f, .0230f, .0220f, .4f},
    {.4260f, .1160f, -.005f, .0060f, .0220f, .0210f, .3f},
    {.4290f, .1160f, -.005f, 0, 0, 0, 0},
};
static const tr_mannequin_ring thumb_rings[] = {
    {.4020f, .1095f, .0300f, 0, 0, 0, 0},
    {.4030f, .1098f, .0300f, .0034f, .0034f, .0034f, 0},
    {.4085f, .1110f, .0292f, .0056f, .0056f, .0056f, 0},
    {.4200f, .1130f, .0262f, .0060f, .0062f, .0062f, 0},
    {.4330f, .1148f, .0200f, .0070f, .0078f, .0078f, 0},
    {.4470f, .1158f, .0110f, .0078f, .0088f, .0088f, 0},
    {.4580f, .1160f, .0040f, .0070f, .0080f, .0080f, 0},
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
static const tr_skin_seam leg_seams[] = {
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
static const tr_skin_seam foot_seams[] = {{P(LEFT_TOES), .078f, .016f}};

// At the end: corners of a ring and number of rings, for each level of detail. A mitten bends with the middle
// finger.
#define PART(finger, paint, pair, rings, joint, z, seams, seam_count, ...)                                   \
    { rings, COUNT(rings), P(joint), seams, seam_count, z, pair, __VA_ARGS__, paint, finger }
#define WITH_SEAMS(pair, rings, joint, seams, ...)                                                           \
    PART(0, 0, pair, rings, joint, false, seams, COUNT(seams), __VA_ARGS__)
#define FACE(paint, pair, rings, ...) PART(0, paint, pair, rings, HEAD, false, NULL, 0, __VA_ARGS__)
#define HAND(finger, rings, ...) PART(finger, 0, true, rings, LEFT_HAND, false, NULL, 0, __VA_ARGS__)
const tr_mannequin_part tr_mannequin_parts[TR_MANNEQUIN_PARTS] = {
    WITH_SEAMS(false, trunk_rings, HIPS, trunk_seams, {22, 10}, {26, 10}),
    WITH_SEAMS(false, head_rings, NECK, head_seams, {20, 8}, {17, 7}),
    FACE(0, false, nose_rings, {8, 4}, {7, 2}),
    FACE(0, false, mouth_rings, {8, 4}, {5, 0}),
    FACE(0, true, ear_rings, {6, 4}, {5, 0}),
    FACE(0, true, lid_rings, {8, 4}, {4, 0}),
    WITH_SEAMS(true, arm_rings, LEFT_HAND, arm_seams, {12, 6}, {24, 9}),
    HAND(1, thumb_rings, {6, 4}, {5, 2}),
    HAND(2, index_rings, {6, 4}, {5, 0}),
    HAND(3, middle_rings, {6, 4}, {5, 0}),
    HAND(4, ring_rings, {6, 4}, {5, 0}),
    HAND(5, little_rings, {6, 4}, {5, 0}),
    HAND(3, mitten_rings, {8, 6}, {0, 3}),
    WITH_SEAMS(true, leg_rings, LEFT_FOOT, leg_seams, {14, 6}, {21, 8}),
    PART(0, 0, true, foot_rings, LEFT_FOOT, true, foot_seams, COUNT(foot_seams), {16, 8}, {12, 4}),
    FACE(1, true, eye_rings, {8, 4}, {5, 1}),
    FACE(2, true, pupil_rings, {8, 4}, {3, 0}),
    FACE(2, true, brow_rings, {8, 4}, {3, 0}),
};
#undef P
