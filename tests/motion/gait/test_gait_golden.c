// The same bits for every compiler, level of optimisation and on WASM: hashes of every gait and of the skin.
#include "../clip_film.h"
#include "test.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

TEST(every_gait_has_the_same_bits_everywhere) {
    static const uint64_t expected[TR_GAIT_KINDS] = {
        0xca2ec612fd76da61, 0xa5ca2ccb994b54e5, 0x79392e7d27a36bd1, 0xd2210dbef54a17d1,
        0x6b831652d75ec863, 0xab27f0f2e1b1358f, 0x5f2e4598bf9b3633, 0x757c080420e3c992,
        0x34a127232a614751, 0x8ccba3d547973e71, 0xa3294d29b7ed5be9, 0x63261677a659d489};
    tr_mannequin_def body = {0};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    for (uint32_t kind = 0; kind < TR_GAIT_KINDS; kind++) {
        tr_gait_def def = {.skeleton = skeleton, .kind = (tr_gait_kind)kind, .frames_per_second = 30};
        tr_clip *clip = NULL;
        REQUIRE(tr_gait_make(&def, &clip, NULL) == TR_OK);
        CHECK_HASH(hash_clip(clip, tr_skeleton_joint_count(skeleton)), expected[kind]);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(the_skin_of_the_mannequin_has_the_same_bits_everywhere) {
    static const uint64_t expected[2] = {0x3181342107f16eb4, 0x3aa5c50105a867e1};
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_mannequin_def def = {.detail = detail};
        tr_skeleton *skeleton = NULL;
        tr_body *body = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
        CHECK_HASH(hash_skin(tr_body_view(body)), expected[detail]);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}
