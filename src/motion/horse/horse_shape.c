// The shape of the horse: the rings of each part, at a height of 1 at the withers.
#include "horse_parts.h"

#define P(joint) TR_HORSE_##joint
#define COUNT(array) (sizeof(array) / sizeof *(array))

// From the buttock along the back and up the neck to the poll.
static const tr_tube_ring trunk_rings[] = {
    {0, .830f, -.512f, 0, 0, 0, 0},
    {0, .825f, -.503f, .060f, .050f, .085f, .1f},
    {0, .805f, -.470f, .108f, .112f, .130f, .2f},
    {0, .785f, -.390f, .142f, .190f, .150f, .2f},
    {0, .775f, -.280f, .158f, .222f, .160f, .2f},
    {0, .768f, -.160f, .156f, .207f, .168f, .15f},
    {0, .758f, -.040f, .163f, .193f, .190f, .1f},
    {0, .748f, .080f, .174f, .190f, .213f, .1f},
    {0, .742f, .190f, .173f, .213f, .228f, .1f},
    {0, .748f, .285f, .160f, .250f, .235f, .1f},
    {0, .770f, .370f, .142f, .232f, .218f, .1f},
    {0, .818f, .452f, .114f, .200f, .178f, .05f},
    {0, .888f, .527f, .086f, .160f, .135f, 0},
    {0, .962f, .592f, .067f, .126f, .108f, 0},
    {0, 1.030f, .660f, .056f, .108f, .092f, 0},
    {0, 1.092f, .722f, .050f, .090f, .082f, 0},
    {0, 1.140f, .770f, .044f, .066f, .072f, 0},
    {0, 1.166f, .796f, .028f, .040f, .045f, 0},
    {0, 1.175f, .806f, 0, 0, 0, 0},
};
static const tr_skin_seam trunk_seams[] = {
    {P(LOIN), 4.9f, .9f},          {P(THORAX), 6.9f, .9f}, {P(NECK), 10.6f, 1.1f},
    {P(NECK_MIDDLE), 13.2f, 1.1f}, {P(HEAD), 15.8f, .8f},
};

// From the poll to the muzzle: jowl, the narrow nose, lips.
static const tr_tube_ring head_rings[] = {
    {0, 1.174f, .756f, 0, 0, 0, 0},
    {0, 1.168f, .763f, .024f, .026f, .030f, 0},
    {0, 1.145f, .786f, .046f, .046f, .062f, .1f},
    {0, 1.110f, .822f, .056f, .050f, .098f, .15f},
    {0, 1.076f, .857f, .056f, .048f, .116f, .2f},
    {0, 1.040f, .894f, .050f, .044f, .104f, .2f},
    {0, 1.003f, .931f, .041f, .042f, .076f, .2f},
    {0, .968f, .967f, .034f, .039f, .056f, .2f},
    {0, .934f, 1.003f, .031f, .037f, .048f, .2f},
    {0, .908f, 1.032f, .033f, .038f, .048f, .2f},
    {0, .888f, 1.054f, .032f, .035f, .045f, .2f},
    {0, .872f, 1.071f, .024f, .024f, .032f, .15f},
    {0, .866f, 1.077f, .012f, .012f, .016f, 0},
    {0, .864f, 1.079f, 0, 0, 0, 0},
};
static const tr_tube_ring jaw_rings[] = {
    // the chin below the lips
    {0, .925f, .985f, 0, 0, 0, 0},
    {0, .915f, .990f, .014f, .014f, .012f, .1f},
    {0, .892f, 1.010f, .021f, .020f, .019f, .1f},
    {0, .872f, 1.032f, .020f, .020f, .018f, .1f},
    {0, .860f, 1.046f, .011f, .011f, .010f, 0},
    {0, .856f, 1.050f, 0, 0, 0, 0},
};
static const tr_tube_ring ear_rings[] = {
    {.033f, 1.180f, .790f, 0, 0, 0, 0},
    {.033f, 1.184f, .791f, .012f, .013f, .013f, 0},
    {.036f, 1.205f, .797f, .017f, .015f, .018f, 0},
    {.039f, 1.230f, .803f, .015f, .012f, .016f, 0},
    {.040f, 1.252f, .810f, .009f, .007f, .010f, 0},
    {.039f, 1.270f, .817f, .003f, .003f, .003f, 0},
    {.038f, 1.275f, .819f, 0, 0, 0, 0},
};
static const tr_tube_ring eye_rings[] = {
    {.0420f, 1.0965f, .8765f, 0, 0, 0, 0},
    {.0430f, 1.0955f, .8775f, .0070f, .0070f, .0070f, 0},
    {.0455f, 1.0900f, .8830f, .0130f, .0115f, .0115f, 0},
    {.0465f, 1.0840f, .8890f, .0130f, .0115f, .0115f, 0},
    {.0455f, 1.0785f, .8945f, .0075f, .0070f, .0070f, 0},
    {.0450f, 1.0775f, .8955f, 0, 0, 0, 0},
};
static const tr_tube_ring brow_rings[] = {
    // the rim of the orbit above the eye
    {.0400f, 1.1120f, .8750f, 0, 0, 0, 0},
    {.0405f, 1.1110f, .8765f, .0085f, .0085f, .0085f, 0},
    {.0425f, 1.1045f, .8860f, .0130f, .0110f, .0110f, 0},
    {.0425f, 1.0945f, .8960f, .0125f, .0105f, .0105f, 0},
    {.0405f, 1.0850f, .9040f, .0080f, .0080f, .0080f, 0},
    {.0400f, 1.0840f, .9055f, 0, 0, 0, 0},
};
static const tr_tube_ring nostril_rings[] = {
    {.0200f, .9190f, 1.0470f, 0, 0, 0, 0},
    {.0205f, .9180f, 1.0480f, .0045f, .0050f, .0050f, 0},
    {.0235f, .9090f, 1.0560f, .0085f, .0075f, .0075f, 0},
    {.0225f, .8990f, 1.0640f, .0080f, .0070f, .0070f, 0},
    {.0190f, .8910f, 1.0700f, .0040f, .0045f, .0045f, 0},
    {.0185f, .8900f, 1.0710f, 0, 0, 0, 0},
};
static const tr_tube_ring mouth_rings[] = {
    {.0250f, .8770f, 1.0600f, 0, 0, 0, 0},
    {.0262f, .8776f, 1.0588f, .0030f, .0020f, .0020f, 0},
    {.0295f, .8830f, 1.0480f, .0036f, .0024f, .0024f, 0},
    {.0300f, .8930f, 1.0290f, .0036f, .0022f, .0022f, 0},
    {.0292f, .9030f, 1.0130f, .0030f, .0016f, .0016f, 0},
    {.0288f, .9038f, 1.0118f, 0, 0, 0, 0},
};
static const tr_skin_seam head_seams[] = {{P(HEAD), 1.4f, 1.2f}};

// The hair of the neck: a ridge along the crest, and the mane that hangs over the right side.
static const tr_tube_ring crest_rings[] = {
    {0, .990f, .330f, 0, 0, 0, 0},
    {0, .994f, .340f, .008f, .010f, .020f, 0},
    {-.004f, 1.008f, .395f, .014f, .016f, .040f, 0},
    {-.005f, 1.028f, .440f, .016f, .018f, .050f, 0},
    {-.006f, 1.068f, .500f, .018f, .020f, .050f, 0},
    {-.006f, 1.112f, .565f, .018f, .020f, .050f, 0},
    {-.006f, 1.154f, .633f, .018f, .019f, .045f, 0},
    {-.005f, 1.182f, .695f, .017f, .018f, .040f, 0},
    {-.003f, 1.198f, .748f, .015f, .016f, .034f, 0},
    {0, 1.203f, .785f, .010f, .011f, .020f, 0},
    {0, 1.203f, .793f, 0, 0, 0, 0},
};
static const tr_tube_ring mane_rings[] = {
    {-.020f, .985f, .385f, 0, 0, 0, 0},
    {-.025f, .980f, .392f, .010f, .015f, .030f, 0},
    {-.048f, .975f, .425f, .020f, .045f, .060f, 0},
    {-.060f, .990f, .480f, .022f, .060f, .085f, 0},
    {-.058f, 1.025f, .548f, .021f, .065f, .090f, 0},
    {-.052f, 1.068f, .615f, .020f, .062f, .090f, 0},
    {-.047f, 1.108f, .678f, .019f, .056f, .082f, 0},
    {-.041f, 1.142f, .730f, .017f, .046f, .066f, 0},
    {-.030f, 1.166f, .768f, .013f, .030f, .040f, 0},
    {-.018f, 1.180f, .790f, .006f, .010f, .015f, 0},
    {-.015f, 1.183f, .794f, 0, 0, 0, 0},
};
static const tr_tube_ring forelock_rings[] = {
    {0, 1.206f, .775f, 0, 0, 0, 0},
    {0, 1.205f, .782f, .014f, .008f, .012f, 0},
    {0, 1.192f, .812f, .022f, .013f, .014f, 0},
    {0, 1.165f, .848f, .022f, .013f, .012f, 0},
    {0, 1.135f, .882f, .017f, .010f, .010f, 0},
    {0, 1.105f, .913f, .009f, .006f, .006f, 0},
    {0, 1.088f, .928f, 0, 0, 0, 0},
};
static const tr_skin_seam crest_seams[] = {
    {P(NECK), 2.2f, 1.2f}, {P(NECK_MIDDLE), 5.2f, 1.3f}, {P(HEAD), 7.9f, 1.0f}};
static const tr_skin_seam mane_seams[] = {
    {P(NECK), 1.2f, 1.0f}, {P(NECK_MIDDLE), 4.9f, 1.3f}, {P(HEAD), 7.6f, 1.0f}};

static const tr_tube_ring tail_rings[] = {
    {0, .945f, -.455f, 0, 0, 0, 0},
    {0, .940f, -.462f, .018f, .016f, .018f, 0},
    {0, .922f, -.490f, .026f, .024f, .026f, 0},
    {0, .880f, -.535f, .031f, .030f, .030f, 0},
    {0, .815f, -.575f, .038f, .036f, .038f, 0},
    {0, .730f, -.598f, .046f, .043f, .048f, 0},
    {0, .640f, -.606f, .052f, .048f, .054f, 0},
    {0, .550f, -.606f, .053f, .048f, .055f, 0},
    {0, .460f, -.602f, .047f, .042f, .048f, 0},
    {0, .380f, -.596f, .034f, .030f, .034f, 0},
    {0, .325f, -.591f, .016f, .014f, .016f, 0},
    {0, .305f, -.589f, 0, 0, 0, 0},
};
static const tr_skin_seam tail_seams[] = {
    {P(TAIL), 1.6f, .8f}, {P(TAIL_MIDDLE), 3.5f, 1.0f}, {P(TAIL_LOW), 5.5f, 1.2f}, {P(TAIL_TIP), 7.3f, 1.2f}};

// The shoulder, the arm and the forearm down to the knee; below it the cannon, fetlock and pastern.
static const tr_tube_ring fore_rings[] = {
    {.060f, .900f, .330f, 0, 0, 0, 0},
    {.066f, .892f, .333f, .028f, .036f, .032f, .1f},
    {.092f, .855f, .349f, .050f, .072f, .068f, .1f},
    {.110f, .800f, .374f, .058f, .092f, .095f, .1f},
    {.114f, .730f, .398f, .060f, .098f, .110f, .1f},
    {.112f, .665f, .402f, .059f, .088f, .112f, .05f},
    {.105f, .605f, .380f, .055f, .072f, .092f, 0},
    {.095f, .552f, .358f, .049f, .060f, .068f, 0},
    {.088f, .500f, .350f, .043f, .051f, .053f, 0},
    {.083f, .440f, .347f, .037f, .043f, .043f, 0},
    {.081f, .380f, .347f, .030f, .034f, .034f, 0},
    {.080f, .338f, .348f, .0265f, .031f, .029f, .1f},
    {.080f, .307f, .350f, .0290f, .034f, .031f, .2f},
    {.080f, .283f, .348f, .0235f, .027f, .028f, .1f},
    {.080f, .268f, .347f, .0120f, .014f, .015f, 0},
    {.080f, .262f, .347f, 0, 0, 0, 0},
};
static const tr_tube_ring fore_shin_rings[] = {
    {.080f, .296f, .349f, 0, 0, 0, 0},
    {.080f, .290f, .349f, .0240f, .027f, .028f, .1f},
    {.080f, .272f, .348f, .0245f, .0275f, .029f, .1f},
    {.080f, .245f, .347f, .0205f, .0225f, .0265f, 0},
    {.080f, .205f, .346f, .0190f, .0210f, .0255f, 0},
    {.080f, .165f, .346f, .0198f, .0215f, .0275f, 0},
    {.080f, .132f, .348f, .0240f, .0260f, .0335f, 0},
    {.080f, .108f, .361f, .0212f, .0235f, .0260f, 0},
    {.080f, .086f, .376f, .0225f, .0245f, .0240f, 0},
    {.080f, .070f, .387f, .0285f, .0310f, .0290f, 0},
    {.080f, .060f, .394f, .0270f, .0290f, .0270f, 0},
    {.080f, .055f, .397f, 0, 0, 0, 0},
};
static const tr_skin_seam fore_seams[] = {{P(LEFT_SCAPULA), 2.2f, 1.8f},
                                          {P(LEFT_HUMERUS), 4.9f, .8f},
                                          {P(LEFT_RADIUS), 7.1f, .9f},
                                          {P(LEFT_FORE_CANNON), 12.1f, .7f}};
static const tr_skin_seam fore_shin_seams[] = {{P(LEFT_FORE_PASTERN), 6.0f, .7f},
                                               {P(LEFT_FORE_HOOF), 8.8f, .6f}};
// Hooves are hard: their rings are as given, with a flat sole.
static const tr_tube_ring fore_hoof_rings[] = {
    {.080f, .0740f, .390f, 0, 0, 0, 0},
    {.080f, .0735f, .390f, .0260f, .0260f, .0260f, 0},
    {.080f, .0680f, .390f, .0300f, .0315f, .0305f, .1f},
    {.080f, .0340f, .390f, .0350f, .0475f, .0265f, .15f},
    {.080f, .0060f, .390f, .0395f, .0550f, .0255f, .2f},
    {.080f, .0010f, .390f, .0390f, .0545f, .0250f, .2f},
    {.080f, 0, .390f, .0340f, .0500f, .0200f, .2f},
    {.080f, 0, .390f, 0, 0, 0, 0},
};

// The haunch, the thigh and the gaskin down to the hock.
static const tr_tube_ring hind_rings[] = {
    {.050f, .925f, -.332f, 0, 0, 0, 0},
    {.058f, .918f, -.334f, .028f, .050f, .048f, .1f},
    {.091f, .875f, -.341f, .054f, .105f, .105f, .15f},
    {.112f, .820f, -.348f, .064f, .138f, .138f, .15f},
    {.119f, .740f, -.350f, .066f, .148f, .140f, .15f},
    {.119f, .665f, -.340f, .063f, .130f, .126f, .1f},
    {.114f, .600f, -.332f, .056f, .098f, .102f, .05f},
    {.104f, .540f, -.340f, .048f, .072f, .080f, 0},
    {.096f, .485f, -.362f, .041f, .055f, .062f, 0},
    {.090f, .432f, -.392f, .034f, .043f, .048f, 0},
    {.087f, .392f, -.418f, .029f, .036f, .043f, .1f},
    {.086f, .358f, -.432f, .0285f, .036f, .040f, .2f},
    {.086f, .322f, -.432f, .0265f, .032f, .033f, .1f},
    {.086f, .306f, -.430f, .0235f, .028f, .029f, 0},
    {.086f, .290f, -.429f, .0120f, .014f, .015f, 0},
    {.086f, .284f, -.429f, 0, 0, 0, 0},
};
static const tr_tube_ring hock_rings[] = {
    // its point: the tendon and the calcaneus
    {.087f, .500f, -.405f, 0, 0, 0, 0},
    {.087f, .492f, -.409f, .010f, .012f, .012f, 0},
    {.087f, .452f, -.438f, .013f, .016f, .014f, 0},
    {.087f, .412f, -.460f, .0155f, .019f, .017f, 0},
    {.087f, .385f, -.466f, .0170f, .024f, .018f, 0},
    {.087f, .355f, -.458f, .0150f, .024f, .014f, 0},
    {.087f, .315f, -.447f, .0120f, .018f, .010f, 0},
    {.087f, .295f, -.443f, 0, 0, 0, 0},
};
static const tr_tube_ring hind_shin_rings[] = {
    {.086f, .322f, -.431f, 0, 0, 0, 0},
    {.086f, .316f, -.431f, .0245f, .030f, .031f, .1f},
    {.086f, .296f, -.430f, .0235f, .028f, .029f, .1f},
    {.086f, .262f, -.429f, .0205f, .0240f, .0275f, 0},
    {.086f, .215f, -.427f, .0195f, .0225f, .0265f, 0},
    {.086f, .170f, -.425f, .0202f, .0225f, .0285f, 0},
    {.086f, .137f, -.422f, .0245f, .0265f, .0345f, 0},
    {.086f, .110f, -.408f, .0215f, .0240f, .0265f, 0},
    {.086f, .087f, -.394f, .0225f, .0245f, .0240f, 0},
    {.086f, .070f, -.384f, .0280f, .0310f, .0285f, 0},
    {.086f, .060f, -.378f, .0265f, .0290f, .0265f, 0},
    {.086f, .055f, -.375f, 0, 0, 0, 0},
};
static const tr_skin_seam hind_seams[] = {
    {P(LEFT_FEMUR), 3.3f, 2.0f}, {P(LEFT_TIBIA), 6.3f, 1.0f}, {P(LEFT_HIND_CANNON), 11.0f, .8f}};
static const tr_skin_seam hock_seams[] = {{P(LEFT_HIND_CANNON), 3.2f, 1.0f}};
static const tr_skin_seam hind_shin_seams[] = {{P(LEFT_HIND_PASTERN), 6.0f, .7f},
                                               {P(LEFT_HIND_HOOF), 8.8f, .6f}};
static const tr_tube_ring hind_hoof_rings[] = {
    {.086f, .0740f, -.380f, 0, 0, 0, 0},
    {.086f, .0735f, -.380f, .0250f, .0240f, .0270f, 0},
    {.086f, .0680f, -.380f, .0290f, .0290f, .0310f, .1f},
    {.086f, .0340f, -.380f, .0335f, .0445f, .0275f, .15f},
    {.086f, .0060f, -.380f, .0375f, .0520f, .0265f, .2f},
    {.086f, .0010f, -.380f, .0370f, .0515f, .0260f, .2f},
    {.086f, 0, -.380f, .0320f, .0470f, .0210f, .2f},
    {.086f, 0, -.380f, 0, 0, 0, 0},
};

#define TUBE(color, pair, hard, rings, joint, seams, count, ...)                                             \
    {                                                                                                        \
        rings, COUNT(rings), P(joint), seams, count, 0, pair, TR_HORSE_SIDE_STEP, TR_HORSE_MIDDLE, hard,     \
            __VA_ARGS__, color                                                                               \
    }
#define BENT(color, pair, rings, joint, seams, ...)                                                          \
    TUBE(color, pair, false, rings, joint, seams, COUNT(seams), __VA_ARGS__)
#define STIFF(color, pair, rings, joint, ...) TUBE(color, pair, false, rings, joint, NULL, 0, __VA_ARGS__)
const tr_tube tr_horse_tubes[TR_HORSE_TUBES] = {
    BENT(0, false, trunk_rings, PELVIS, trunk_seams, {24, 12}, {34, 14}),
    BENT(0, false, head_rings, NECK_MIDDLE, head_seams, {18, 8}, {20, 8}),
    STIFF(0, false, jaw_rings, HEAD, {8, 4}, {6, 0}),
    STIFF(0, true, ear_rings, LEFT_EAR, {8, 4}, {6, 2}),
    STIFF(0, true, brow_rings, HEAD, {8, 4}, {5, 0}),
    BENT(0, true, fore_rings, THORAX, fore_seams, {16, 7}, {24, 10}),
    BENT(0, true, hind_rings, PELVIS, hind_seams, {16, 7}, {24, 10}),
    BENT(0, true, hock_rings, LEFT_TIBIA, hock_seams, {8, 4}, {9, 0}),
    BENT(1, false, crest_rings, THORAX, crest_seams, {8, 4}, {14, 5}),
    BENT(1, false, mane_rings, THORAX, mane_seams, {10, 6}, {16, 6}),
    STIFF(1, false, forelock_rings, HEAD, {8, 4}, {7, 0}),
    BENT(1, false, tail_rings, PELVIS, tail_seams, {12, 6}, {18, 7}),
    BENT(1, true, fore_shin_rings, LEFT_FORE_CANNON, fore_shin_seams, {12, 6}, {16, 6}),
    BENT(1, true, hind_shin_rings, LEFT_HIND_CANNON, hind_shin_seams, {12, 6}, {16, 6}),
    TUBE(2, true, true, fore_hoof_rings, LEFT_FORE_HOOF, NULL, 0, {14, 6}, {1, 1}),
    TUBE(2, true, true, hind_hoof_rings, LEFT_HIND_HOOF, NULL, 0, {14, 6}, {1, 1}),
    STIFF(3, true, eye_rings, HEAD, {8, 4}, {6, 1}),
    STIFF(3, true, nostril_rings, HEAD, {8, 4}, {5, 0}),
    STIFF(3, true, mouth_rings, HEAD, {6, 4}, {5, 0}),
};
#undef P
