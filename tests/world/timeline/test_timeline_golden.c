// The same bits for every compiler, level of optimisation and machine.
#include "timeline_oracle.h"
#include "troupe/base/hash.h"

static uint64_t hash_meeting(uint64_t hash, const tr_timeline *timeline, const oracle_body *own) {
    tr_timeline_motion motion = oracle_motion(own, 0.1f, own->count % 2);
    motion.clear = 0.2f;
    tr_timeline_meeting meeting;
    bool met = tr_timeline_meets(timeline, &motion, &meeting);
    hash = tr_hash(hash, &met, sizeof met);
    hash = tr_hash(hash, &meeting.body, sizeof meeting.body);
    hash = tr_hash(hash, &meeting.object, sizeof meeting.object);
    hash = tr_hash(hash, &meeting.tick, sizeof meeting.tick);
    uint32_t list[50], found = tr_timeline_near(timeline, own->positions[0], 3, 1, 1, list, 50);
    return tr_hash(hash, list, found * sizeof *list);
}

static uint64_t hash_window(uint64_t hash, const tr_timeline *timeline, tr_random *random, uint64_t begin) {
    static uint64_t words[40 * 40 * 2];
    tr_vec3 corner = oracle_point(random, 5);
    tr_timeline_window window = {.grid = {{corner.x, corner.z}, 0.25f, 40, 40},
                                 .begin = begin,
                                 .slot = 4,
                                 .word_count = 2,
                                 .radius = 0.3f,
                                 .height = 1.8f,
                                 .clear = 0.1f,
                                 .self = TR_NONE};
    CHECK_INT(tr_timeline_fill(timeline, &window, words), TR_OK);
    return tr_hash(hash, words, sizeof words);
}

static void add_cart(tr_scene *scene, tr_random *random) {
    uint32_t mesh = little_box_mesh(scene, little_make_box(-0.5f, 0, -0.3f, 0.5f, 1, 0.8f));
    uint32_t object = little_object(scene, mesh, tr_affine_identity(), 0);
    double times[5];
    tr_transform ways[5];
    for (int i = 0; i < 5; i++) {
        times[i] = 0.7 * i;
        ways[i] = tr_transform_identity();
        ways[i].rotation = tr_quat_about(tr_vec3_make(0, 1, 0.1f), tr_random_between(random, -2, 2));
        ways[i].position = oracle_point(random, 15);
    }
    tr_trajectory_def def = {times, ways, 5, tr_random_below(random, 2) != 0};
    CHECK_INT(tr_scene_set_trajectory(scene, object, &def, NULL), TR_OK);
}

TEST(a_timeline_has_the_same_bits_everywhere) {
    tr_random random = tr_random_seed(41);
    uint64_t hash = TR_HASH_START;
    tr_timeline *timeline = NULL;
    tr_scene *scene = NULL;
    REQUIRE(tr_timeline_create(&(tr_timeline_def){.object_sight = 5}, &timeline, NULL) == TR_OK &&
            tr_scene_create(NULL, &scene) == TR_OK);
    for (int i = 0; i < 4; i++)
        add_cart(scene, &random);
    uint32_t pushed = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0), body;
    for (uint64_t tick = 0; tick < 200; tick++) {
        tr_timeline_set_now(timeline, tick);
        tr_scene_set_time(scene, (double)tick / 30);
        tr_affine at = little_move(7, 0, 0.05f * (float)tick);
        CHECK_INT(tr_scene_place(scene, pushed, &at), TR_OK);
        CHECK_INT(tr_timeline_watch(timeline, scene, NULL), TR_OK);
        oracle_body one = oracle_wander(&random, 15, tick);
        if (tick < 50)
            CHECK_INT(tr_timeline_add(timeline, one.positions[0], one.radius, one.height, &body, NULL),
                      TR_OK);
        CHECK_INT(tr_timeline_commit(timeline, (uint32_t)tick % 50, one.begin, one.positions, one.count),
                  TR_OK);
        for (int i = 0; i < 10; i++) {
            one = oracle_wander(&random, 15, tick);
            hash = hash_meeting(hash, timeline, &one);
        }
        if (tick % 10 == 0)
            hash = hash_window(hash, timeline, &random, tick);
    }
    CHECK_HASH(hash, 0x350fd18d61f25071);
    tr_timeline_destroy(timeline);
    tr_scene_destroy(scene);
}
