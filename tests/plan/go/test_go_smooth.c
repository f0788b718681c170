// Smooth ways: against what they promise, sampled finely, and against a follower that walks them.
#include "go_world.h"
#include "troupe/base/random.h"
#include "motion/driver/follow.h"

#define PI 3.14159265f

static float turn_at(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    float ax = b.x - a.x, az = b.z - a.z, bx = c.x - b.x, bz = c.z - b.z;
    return fabsf(atan2f(ax * bz - az * bx, ax * bx + az * bz));
}

// Ways from a place that is not free, or to one, are left out.
static bool find(go_world *w, tr_vec3 from, tr_vec3 to, float bend) {
    tr_go_result result;
    tr_go_query query = tr_go_query_default(w->size);
    query.start = from;
    query.goals = &to;
    query.goal_count = 1;
    query.lane = 0;
    query.bend = bend;
    return tr_go_find(w->go, w->ground, &query, &w->way, &result, NULL) == TR_OK && !result.start_moved &&
           !result.goal_moved;
}

// The greatest turn within 0.3 m of the way [rad].
static float sharpest(const tr_way *way) {
    float most = 0;
    for (uint32_t i = 1; i + 1 < way->point_count; i++) {
        float sum = 0;
        for (uint32_t k = i; k + 1 < way->point_count && way->points[k].along - way->points[i].along < 0.3f;
             k++)
            sum += turn_at(way->points[k - 1].position, way->points[k].position, way->points[k + 1].position);
        most = sum > most ? sum : most;
    }
    return most;
}

static void add_boxes(go_world *w, tr_random *random) {
    for (int i = 0; i < 8; i++) {
        float x = tr_random_between(random, -4.5f, 3.5f), z = tr_random_between(random, -4.5f, 3.5f);
        little_box(w->scene,
                   little_make_box(x, 0, z, x + tr_random_between(random, 0.3f, 1.2f), 2,
                                   z + tr_random_between(random, 0.3f, 1.2f)),
                   0);
    }
}

TEST(a_smooth_way_is_free_hardly_longer_and_turns_more_gently) {
    tr_random random = tr_random_seed(31);
    uint32_t sharp = 0, gentle = 0, corners = 0;
    for (int run = 0; run < 20; run++) {
        go_world w;
        go_world_begin(&w);
        add_boxes(&w, &random);
        for (int i = 0; i < 100 && (i || go_world_open(&w)); i++) {
            tr_vec3 from = {tr_random_between(&random, -5.5f, 5.5f), 0,
                            tr_random_between(&random, -5.5f, 5.5f)},
                    to = {tr_random_between(&random, -5.5f, 5.5f), 0,
                          tr_random_between(&random, -5.5f, 5.5f)};
            if (!find(&w, from, to, 0))
                continue;
            float shortest = tr_way_length(&w.way), before = sharpest(&w.way);
            uint32_t points = w.way.point_count;
            tr_vec3 end = w.way.points[points - 1].position;
            REQUIRE(find(&w, from, to, TR_GO_BEND));
            go_check_way(&w.way);
            for (uint32_t k = 1; k < w.way.point_count; k++)
                CHECK(
                    tr_ground_sees(w.ground, w.size, w.way.points[k - 1].position, w.way.points[k].position));
            CHECK(w.way.points[0].position.x == from.x && w.way.points[0].position.z == from.z);
            CHECK_NEAR(w.way.points[w.way.point_count - 1].position.x, end.x, 1e-5);
            CHECK(tr_way_length(&w.way) < 1.03f * shortest + 0.1f);
            corners += before > 0.4f;
            sharp += before > 0.4f && sharpest(&w.way) > 0.8f * before;
            gentle += before > 0.4f && sharpest(&w.way) < 0.6f * before;
        }
        go_world_close(&w);
    }
    CHECK(corners > 300);
    CHECK(sharp * 10 < corners);
    CHECK(gentle * 10 > 6 * corners);
}

// The least speed of a body on the way, as a share of its own.
static float least_share(const tr_way *way, float speed, float dt) {
    tr_follow_params params = tr_follow_params_default(speed, dt, TR_GO_CORRIDOR);
    params.acceleration_max = fminf(params.acceleration_max, 1.2f + 0.4f * speed); // of walkers
    tr_follow_route *route = NULL;
    tr_vec2 line[192];
    for (uint32_t i = 0; i < way->point_count; i++)
        line[i] = (tr_vec2){way->points[i].position.x, way->points[i].position.z};
    if (tr_follow_route_create(NULL, way->point_count, &route, NULL) != TR_OK)
        return NAN;
    CHECK_INT(tr_follow_route_set(route, line, way->point_count, NULL, NULL, &params, NULL), TR_OK);
    tr_follow_state state = {.position = line[0], .speed = speed};
    state.heading = atan2f(line[1].x - line[0].x, line[1].z - line[0].z);
    float least = INFINITY, length = tr_follow_route_length(route);
    while (tr_follow_step(&state, route, &params, INFINITY, dt) == TR_OK) {
        CHECK(tr_follow_route_distance(route, state.position, NULL) <= TR_GO_CORRIDOR);
        if (state.progress < length - 1.6f)
            least = fminf(least, state.speed);
    }
    tr_follow_route_destroy(route);
    return least / speed;
}

// A bend around the end of a wall, with a post outside it that leaves `room` for the middle of a body.
static float share_around(float degrees, float room, float speed, float dt) {
    go_world w;
    float share = 0, half = 0.5f * degrees * PI / 180;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-0.05f, 0, -6, 0.05f, 2, 0), 0);
    little_box(w.scene, little_make_box(-0.1f, 0, 0.65f + room, 0.1f, 2, 0.85f + room), 0);
    if (go_world_open(&w)) {
        tr_vec3 from = {-3.5f * cosf(half), 0, 0.35f - 3.5f * sinf(half)}, to = {-from.x, 0, from.z};
        if (find(&w, from, to, TR_GO_BEND))
            share = least_share(&w.way, speed, dt);
    }
    go_world_close(&w);
    return share;
}

TEST(a_bend_costs_people_s_share_of_the_speed_where_there_is_room) {
    const struct {
        float degrees, share;
    } bends[] = {{18, 0.95f}, {30, 0.95f}, {45, 0.9f}, {60, 0.9f}, {90, 0.75f}, {120, 0.7f}};
    const float rooms[] = {0.3f, 0.5f, 1};
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < 3; k++) {
            CHECK(share_around(bends[i].degrees, rooms[k], 1.3f, 1 / 30.0f) > bends[i].share);
            CHECK(share_around(bends[i].degrees, rooms[k], 1, 1 / 60.0f) > bends[i].share);
            CHECK(share_around(bends[i].degrees, rooms[k], 1.5f, 1 / 24.0f) > bends[i].share - 0.05f);
        }
    // Hardly any room: slower, but it does not stop.
    for (uint32_t i = 0; i < 6; i++)
        CHECK(share_around(bends[i].degrees, 0.1f, 1.3f, 1 / 30.0f) > 0.35f);
}
