// The same bits for every compiler, level of optimisation and on WASM: hashes of the skateboarder and its
// clips.
#include "../clip_film.h"
#include "test.h"
#include "troupe/motion/skateboarder.h"

TEST(every_behavior_of_the_skateboarder_has_the_same_bits_everywhere) {
    static const uint64_t expected[TR_SKATEBOARDER_BEHAVIORS] = {
        0x1d69c5b72e93c4de, 0x1ccbba5e4a769e28, 0x412370fdb77b387c, 0xf9242b7156ceb094,
        0x33bc097a1cbf6f28, 0x216200a98c24b8ca, 0x9d1f7b34c6467933, 0xfc77f7b937163c98,
        0xd25291a1c744ef79, 0x853c59c564ccd9c7, 0x417d5b1c4aacd233};
    tr_mannequin_def def = {0};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_skateboarder_make(&def, &skeleton, NULL, NULL) == TR_OK);
    for (uint32_t i = 0; i < TR_SKATEBOARDER_BEHAVIORS; i++) {
        tr_skateboarder_behavior behavior = tr_skateboarder_get_behavior(i);
        tr_skateboarder_clip_def clip_def = {.skeleton = skeleton,
                                             .kind = behavior.kind,
                                             .turn = behavior.turn,
                                             .extra_frames = behavior.extra_frames};
        tr_clip *clip = NULL;
        REQUIRE(tr_skateboarder_clip_make(&clip_def, &clip, NULL) == TR_OK);
        CHECK_HASH(hash_clip(clip, tr_skeleton_joint_count(skeleton)), expected[i]);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(the_skin_of_the_skateboarder_has_the_same_bits_everywhere) {
    static const uint64_t skins[2] = {0xcdc685990d983410, 0x61a962fa166918a8};
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_mannequin_def def = {.detail = detail};
        tr_skeleton *skeleton = NULL;
        tr_body *body = NULL;
        REQUIRE(tr_skateboarder_make(&def, &skeleton, &body, NULL) == TR_OK);
        CHECK_HASH(hash_skin(tr_body_view(body)), skins[detail]);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}
