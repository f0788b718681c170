// The same motion for any number of threads.
#include "stage/theatre.h"
#include "troupe/base/hash.h"

static uint64_t hash_of_play(uint32_t members) {
    theatre t;
    tr_tasks *tasks = NULL;
    uint64_t hash = TR_HASH_START;
    if (members)
        CHECK_INT(tr_tasks_create(NULL, members, &tasks, NULL), TR_OK);
    if (open_theatre(&t, tasks)) {
        add_box(t.scene, "box", -1, -1, 1, 1);
        for (uint32_t i = 0; i < 5; i++)
            add_walker(&t, -5, (float)i * 1.5f - 3, 5, 3 - (float)i * 1.5f);
        play(&t, 60);
        for (uint32_t i = 0; i < 5; i++) {
            tr_clip *clip = NULL;
            CHECK_INT(tr_stage_clip(t.stage, tr_stage_actor(t.stage, i), NULL, &clip, NULL), TR_OK);
            tr_pose pose;
            CHECK_INT(tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL), TR_OK);
            for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
                tr_clip_get_frame(clip, frame, &pose);
                hash = tr_hash(hash, pose.position[0], pose.stride * 7 * sizeof(float));
            }
            tr_pose_destroy(&pose);
            tr_clip_destroy(clip);
        }
    }
    close_theatre(&t);
    tr_tasks_destroy(tasks);
    return hash;
}

TEST(a_play_is_the_same_bit_for_bit_for_any_number_of_threads) {
    uint64_t alone = hash_of_play(0);
    for (uint32_t members = 1; members <= 4; members++)
        CHECK_HASH(hash_of_play(members), alone);
}
