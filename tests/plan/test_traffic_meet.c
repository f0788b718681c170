// Who meets whom, exactly: against fine samples of time.
#include "traffic_people.h"

static tr_vec3 random_point(tr_random *random, float size) {
    float x = tr_random_between(random, 0, size), y = tr_random_between(random, 0, 3);
    return tr_vec3_make(x, y, tr_random_between(random, 0, size));
}

static void random_track(walker *w, tr_random *random) {
    w->count = 1 + tr_random_below(random, 8);
    w->radius = tr_random_between(random, 0, 0.8f);
    w->height = tr_random_between(random, 0.2f, 2);
    double time = (double)tr_random_between(random, -3, 10);
    for (uint32_t i = 0; i < w->count; i++) {
        bool waits = i > 0 && tr_random_below(random, 4) == 0;
        w->points[i].time = time;
        w->points[i].position = waits ? w->points[i - 1].position : random_point(random, 12);
        time += (double)tr_random_between(random, 0.05f, tr_random_below(random, 12) ? 5 : 200);
    }
}

// Does the move touch a track, by samples? Deeper than `slack` at some moment: yes; never above -slack: no;
// else it is too near to tell (-1).
static int sampled(const walker *tracks, const bool *stays, uint32_t count, tr_traffic_point from,
                   tr_traffic_point to, float radius, float height) {
    double worst = -1e9;
    const tr_traffic_point move[2] = {from, to};
    for (uint32_t k = 0; k <= 600; k++) {
        double time = from.time + (to.time - from.time) * k / 600;
        tr_vec3 at = k == 0 ? from.position : k == 600 ? to.position : place_at(move, 2, time);
        for (uint32_t i = 0; i < count; i++) {
            if (!stays[i] && time > tracks[i].points[tracks[i].count - 1].time)
                continue;
            double d =
                depth(at, (double)radius, (double)height, place_at(tracks[i].points, tracks[i].count, time),
                      (double)tracks[i].radius, (double)tracks[i].height);
            worst = d > worst ? d : worst;
        }
    }
    return worst > 1e-4 ? 1 : worst < -0.06 ? 0 : -1;
}

TEST(a_move_is_free_where_fine_samples_of_time_find_nobody) {
    tr_random random = tr_random_seed(701);
    static walker tracks[12];
    bool stays[12];
    uint32_t hits = 0, misses = 0;
    for (uint32_t round = 0; round < 60; round++) {
        tr_traffic *traffic;
        REQUIRE(tr_traffic_create(NULL, &traffic, NULL) == TR_OK);
        uint32_t count = 1 + tr_random_below(&random, 12);
        for (uint32_t i = 0; i < count; i++) {
            random_track(&tracks[i], &random);
            stays[i] = tr_random_below(&random, 2) == 1;
            tr_traffic_track track = {tracks[i].points, tracks[i].count, tracks[i].radius, tracks[i].height,
                                      stays[i]};
            CHECK_INT(tr_traffic_add(traffic, &track, NULL), TR_OK);
        }
        CHECK_INT(tr_traffic_count(traffic), count);
        for (uint32_t k = 0; k < 40; k++) {
            tr_traffic_point from = {(double)tr_random_between(&random, -5, 25), random_point(&random, 12)};
            tr_traffic_point to = from;
            to.time += (double)tr_random_between(&random, 0.01f, k & 1 ? 1 : 20);
            if (k % 3)
                to.position = random_point(&random, 12);
            float radius = tr_random_between(&random, 0, 0.6f), height = tr_random_between(&random, 0.1f, 2);
            int met = sampled(tracks, stays, count, from, to, radius, height);
            bool free = tr_traffic_is_free(traffic, from, to, radius, height);
            if (met >= 0 && free == (met == 1))
                test_failed(__FILE__, __LINE__, "round %u, move %u: free %d", round, k, free);
            hits += met == 1, misses += met == 0;
        }
        tr_traffic_destroy(traffic);
    }
    CHECK(hits > 300 && misses > 300);
}

TEST(what_passes_in_a_thousandth_of_a_second_is_not_missed) {
    tr_traffic *traffic;
    REQUIRE(tr_traffic_create(NULL, &traffic, NULL) == TR_OK);
    tr_traffic_point shot[2] = {{4.9995, {-1000, 0, 0}}, {5.0005, {1000, 0, 0}}};
    tr_traffic_track track = {shot, 2, 0.1f, 1, false};
    CHECK_INT(tr_traffic_add(traffic, &track, NULL), TR_OK);
    tr_vec3 here = {3, 0.5f, 0.2f}, aside = {3, 0.5f, 0.5f};
    tr_traffic_point from = {0, here}, to = {100, here};
    CHECK(!tr_traffic_is_free(traffic, from, to, 0.2f, 1.8f));
    to.time = 4.99;
    CHECK(tr_traffic_is_free(traffic, from, to, 0.2f, 1.8f));
    from.time = 5.001, to.time = INFINITY; // it is gone
    CHECK(tr_traffic_is_free(traffic, from, to, 0.2f, 1.8f));
    from.position = to.position = aside;
    from.time = 0;
    CHECK(tr_traffic_is_free(traffic, from, to, 0.2f, 1.8f));
    CHECK(!tr_traffic_is_free(traffic, from, to, 0.41f, 1.8f));
    // Over it, and under it.
    from.position.y = to.position.y = 1;
    CHECK(tr_traffic_is_free(traffic, from, to, 0.41f, 1.8f));
    from.position.y = to.position.y = -1.8f;
    CHECK(tr_traffic_is_free(traffic, from, to, 0.41f, 1.8f));
    tr_traffic_clear(traffic);
    from.position.y = to.position.y = 0;
    CHECK(tr_traffic_is_free(traffic, from, to, 5, 1.8f));
    CHECK_INT(tr_traffic_count(traffic), 0);
    tr_traffic_destroy(traffic);
}
