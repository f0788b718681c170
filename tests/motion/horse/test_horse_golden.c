// The same bits for every compiler, level of optimisation and on WASM: hashes of the horse and its gallops.
#include "../clip_film.h"
#include "test.h"
#include "troupe/motion/horse.h"

TEST(every_behavior_of_the_horse_has_the_same_bits_everywhere) {
    static const uint64_t expected[TR_HORSE_BEHAVIORS] = {
        0x72ac679fab7d1a40, 0x666f9596b0c6d02f, 0x6a8ebd96c66ae58b, 0x59898cd41c48b2db, 0x43715b7c3ec832b9};
    tr_horse_def horse = {0};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_horse_make(&horse, &skeleton, NULL, NULL) == TR_OK);
    for (uint32_t i = 0; i < TR_HORSE_BEHAVIORS; i++) {
        tr_horse_behavior behavior = tr_horse_get_behavior(i);
        tr_horse_clip_def def = {.skeleton = skeleton,
                                 .kind = TR_HORSE_GALLOP,
                                 .speed = behavior.speed,
                                 .turn = behavior.turn,
                                 .frames = behavior.frames,
                                 .frames_per_second = behavior.frames_per_second,
                                 .extra_frames = behavior.extra_frames};
        tr_clip *clip = NULL;
        REQUIRE(tr_horse_clip_make(&def, &clip, NULL) == TR_OK);
        CHECK_HASH(hash_clip(clip, tr_skeleton_joint_count(skeleton)), expected[i]);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(the_skin_of_the_horse_has_the_same_bits_everywhere) {
    static const uint64_t expected[2] = {0xee5f830b21425947, 0x3d56270bbcd4bdc0};
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_horse_def def = {.detail = detail};
        tr_skeleton *skeleton = NULL;
        tr_body *body = NULL;
        REQUIRE(tr_horse_make(&def, &skeleton, &body, NULL) == TR_OK);
        CHECK_HASH(hash_skin(tr_body_view(body)), expected[detail]);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}
