// Jumps, ducks and crawls of skeletons that are no mannequin, and the same bits everywhere.
#include "../clip_film.h"
#include "../humanoid.h"
#include "behavior_measure.h"

static const tr_behavior_clip_kind kinds[] = {TR_BEHAVIOR_CLIP_JUMP, TR_BEHAVIOR_CLIP_DUCK,
                                              TR_BEHAVIOR_CLIP_CRAWL};
#define KINDS (sizeof kinds / sizeof *kinds)

// Feet are measured by points of the skeleton itself.
static double worst_slide(const tr_skeleton *skeleton, tr_clip *clip) {
    behavior m = {.clip = clip, .skeleton = (tr_skeleton *)skeleton};
    uint32_t joints = tr_skeleton_joint_count(skeleton), contacts = 0;
    tr_vec3 held[8] = {{0}};
    m.model = malloc(joints * sizeof *m.model);
    bool good = m.model && tr_pose_create(NULL, joints, &m.pose, NULL) == TR_OK &&
                tr_foot_measure(skeleton, 0, &m.feet[0]) == TR_OK &&
                tr_foot_measure(skeleton, 1, &m.feet[1]) == TR_OK;
    CHECK(good);
    for (uint32_t i = 0; good && i < tr_clip_frame_count(clip); i++) {
        pose_behavior(&m, i);
        measure_contacts(&m, i, held, &contacts);
    }
    tr_pose_destroy(&m.pose);
    free(m.model);
    return m.slide;
}

TEST(any_humanoid_jumps_ducks_and_crawls) {
    static const humanoid_def bodies[] = {{.size = 1},
                                          {.size = 1, .arms = 2, .root = true},
                                          {.size = 1, .no_toes = true, .no_shoulders = true},
                                          {.size = 1, .no_neck = true, .spine_bones = 1},
                                          {.size = 1, .odd_axes = true},
                                          {.size = 1, .thigh = .36f, .shank = .34f},
                                          {.size = 0.6f, .astride = true}};
    for (uint32_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        tr_skeleton *skeleton = humanoid_make(NULL, bodies[b], b + 1);
        REQUIRE(skeleton);
        for (uint32_t i = 0; i < KINDS; i++) {
            tr_behavior_clip_def def = {.skeleton = skeleton, .kind = kinds[i]};
            tr_clip *clip = NULL;
            tr_error error = {0};
            CHECK(tr_behavior_clip_make(&def, &clip, NULL, &error) == TR_OK);
            CHECK(clip && worst_slide(skeleton, clip) < 1e-4);
            tr_clip_destroy(clip);
        }
        tr_skeleton_destroy(skeleton);
    }
}

TEST(special_clips_have_the_same_bits_everywhere) {
    static const uint64_t expected[KINDS] = {0xf1d0f68b3842c3f4, 0xe1122475c7f86929, 0x3cce3c15ea0b0b31};
    tr_mannequin_def body = {0};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    for (uint32_t i = 0; i < KINDS; i++) {
        tr_behavior_clip_def def = {.skeleton = skeleton, .kind = kinds[i]};
        tr_clip *clip = NULL;
        REQUIRE(tr_behavior_clip_make(&def, &clip, NULL, NULL) == TR_OK);
        CHECK_HASH(hash_clip(clip, tr_skeleton_joint_count(skeleton)), expected[i]);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}
