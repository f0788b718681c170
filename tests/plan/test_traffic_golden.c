// The same bits for every compiler, level of optimisation and machine: ways by effort, straight lines,
// tracks.
#include "traffic_people.h"
#include "troupe/base/hash.h"

static uint64_t hash_lines(uint64_t hash, tr_climb *climb, tr_random *random, float size) {
    for (uint32_t i = 0; i < 12; i++) {
        tr_climb_params params = tr_climb_params_default();
        params.method = TR_CLIMB_EFFORT;
        params.border = (tr_climb_border_use)(i % 3);
        float x = tr_random_between(random, 0, size), z = tr_random_between(random, 0, size);
        float u = tr_random_between(random, 0, size), w = tr_random_between(random, 0, size);
        tr_vec3 start = {x, 3, z}, goal = {u, 3, w};
        tr_climb_point points[400];
        uint32_t count;
        double length;
        tr_status status = tr_climb_find(climb, &params, start, &goal, 1, NULL);
        hash = tr_hash(hash, &status, sizeof status);
        if (status != TR_OK)
            continue;
        tr_climb_result result = tr_climb_last(climb);
        hash = tr_hash(hash, &result.cost, sizeof result.cost);
        if (tr_climb_straighten(climb, start, goal, points, 400, &count, &length) != TR_OK)
            continue;
        hash = tr_hash(hash, &length, sizeof length);
        for (uint32_t k = 0; k < count; k++)
            hash = tr_hash(hash, &points[k].position, sizeof points[k].position);
    }
    return hash;
}

TEST(ways_by_effort_and_their_lines_have_the_same_bits_everywhere) {
    tr_random random = tr_random_seed(801);
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < 30; i++) {
        climb_world world = climb_world_begin();
        climb_world_random(&world, &random, 5, 10);
        REQUIRE(climb_world_build(&world, 5, 5, 0.2f));
        tr_climb *climb = climb_world_climb(&world, climb_random_person(&random), 8);
        hash = hash_lines(hash, climb, &random, 5);
        tr_climb_destroy(climb);
        climb_world_end(&world);
    }
    CHECK_HASH(hash, 0x1473a104dc144fd6);
}

TEST(tracks_have_the_same_bits_everywhere) {
    uint64_t hash = TR_HASH_START;
    climb_world world = climb_world_begin();
    little_box(world.scene, little_make_box(0, -0.3f, 0, 8, 0, 8), 0);
    little_box(world.scene, little_make_box(3.9f, 0, 0, 4.1f, 3, 3), 0);
    little_box(world.scene, little_make_box(3.9f, 0, 4.4f, 4.1f, 3, 8), 0);
    REQUIRE(climb_world_build(&world, 8, 8, 0.1f));
    tr_climb *climb = climb_world_climb(&world, (tr_person){1.8f, 0.4f, 0.3f, 0.25f}, 4);
    tr_traffic *traffic;
    REQUIRE(tr_traffic_create(NULL, &traffic, NULL) == TR_OK);
    tr_traffic_params params = tr_traffic_params_default();
    params.nodes_max = 1 << 14;
    static walker w;
    for (uint32_t i = 0; i < 10; i++) {
        float z = 0.7f + 0.7f * (float)i, to = 0.7f + 0.7f * (float)(i * 3 % 10);
        tr_vec3 start = {i & 1 ? 7 : 1, 0.1f, z}, goal = {i & 1 ? 1.8f : 6.2f, 0.1f, to};
        tr_status status =
            tr_traffic_find(traffic, climb, &params, start, goal, w.points, POINTS, &w.count, NULL, NULL);
        hash = tr_hash(hash, &status, sizeof status);
        for (uint32_t k = 0; k < w.count; k++) {
            hash = tr_hash(hash, &w.points[k].time, sizeof w.points[k].time);
            hash = tr_hash(hash, &w.points[k].position, sizeof w.points[k].position);
        }
        tr_traffic_track track = {w.points, w.count, 0.25f, 1.8f, true};
        if (status == TR_OK)
            CHECK_INT(tr_traffic_add(traffic, &track, NULL), TR_OK);
    }
    CHECK(tr_traffic_count(traffic) > 6);
    CHECK_HASH(hash, 0xa0c17210c7ed8deb);
    tr_traffic_destroy(traffic);
    tr_climb_destroy(climb);
    climb_world_end(&world);
}
