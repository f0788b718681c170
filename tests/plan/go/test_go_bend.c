// Bends: arcs against what they promise, sampled finely, and against a follower that walks them.
#include "go_world.h"
#include "troupe/base/random.h"
#include "motion/driver/follow.h"

static float turn_at(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    float ax = b.x - a.x, az = b.z - a.z, bx = c.x - b.x, bz = c.z - b.z;
    return atan2f(ax * bz - az * bx, ax * bx + az * bz);
}

static float length_of(const tr_vec3 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++)
        length += hypotf(points[i].x - points[i - 1].x, points[i].z - points[i - 1].z);
    return length;
}

// All turn the same way, none by much, not much further than the corners did. No corner is cut off, and the
// way gets little longer.
static void check_arc(const go_world *w, const tr_vec3 *corners, uint32_t corner_count, const tr_vec3 *arc,
                      uint32_t count) {
    tr_vec3 line[TR_GO_BEND_POINTS + 2] = {corners[0]};
    float whole = 0, sum = 0;
    for (uint32_t i = 1; i + 1 < corner_count; i++)
        whole += turn_at(corners[i - 1], corners[i], corners[i + 1]);
    for (uint32_t i = 0; i < count; i++)
        line[1 + i] = arc[i];
    line[1 + count] = corners[corner_count - 1];
    for (uint32_t i = 0; i + 1 < count + 2; i++) {
        CHECK(tr_ground_sees(w->ground, w->size, line[i], line[i + 1]));
        for (uint32_t k = 1; k + 1 < corner_count; k++) {
            tr_vec3 a = line[i], b = line[i + 1], c = corners[k];
            float off = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
            CHECK(off * whole > 0); // on the side that the way turns to
        }
        if (i == 0)
            continue;
        float turn = turn_at(line[i - 1], line[i], line[i + 1]);
        CHECK(turn * whole > 0 && fabsf(turn) < 0.45f);
        sum += turn;
    }
    CHECK(fabsf(sum) < fabsf(whole) + 0.31f);
    CHECK(length_of(line, count + 2) < length_of(corners, corner_count) + 0.26f * TR_GO_BEND);
}

// Points of a way from one on that turn the same way, and the one behind: at least three.
static uint32_t run_of_corners(const tr_way *way, uint32_t first, uint32_t most, tr_vec3 *line) {
    uint32_t count = 0;
    while (count < most && first + count < way->point_count) {
        line[count] = way->points[first + count].position;
        count++;
        if (count > 3 &&
            turn_at(line[0], line[1], line[2]) * turn_at(line[count - 3], line[count - 2], line[count - 1]) <=
                0)
            return count - 1;
    }
    return count;
}

TEST(an_arc_goes_round_its_corners_is_free_and_turns_gently) {
    tr_random random = tr_random_seed(21);
    uint32_t arcs[3] = {0}, corners[3] = {0};
    for (int run = 0; run < 20; run++) {
        go_world w;
        go_world_begin(&w);
        for (int i = 0; i < 8; i++) {
            float x = tr_random_between(&random, -4.5f, 3.5f), z = tr_random_between(&random, -4.5f, 3.5f);
            little_box(w.scene,
                       little_make_box(x, 0, z, x + tr_random_between(&random, 0.3f, 1.2f), 2,
                                       z + tr_random_between(&random, 0.3f, 1.2f)),
                       0);
        }
        for (int i = 0; i < 100 && (i || go_world_open(&w)); i++) {
            tr_vec3 from = {tr_random_between(&random, -5.5f, 5.5f), 0,
                            tr_random_between(&random, -5.5f, 5.5f)},
                    to = {tr_random_between(&random, -5.5f, 5.5f), 0,
                          tr_random_between(&random, -5.5f, 5.5f)};
            tr_go_query query = tr_go_query_default(w.size);
            query.start = from;
            query.goals = &to;
            query.goal_count = 1;
            query.lane = query.bend = 0;
            if (tr_go_find(w.go, w.ground, &query, &w.way, NULL, NULL) != TR_OK)
                continue;
            for (uint32_t k = 0; k + 2 < w.way.point_count; k++)
                for (uint32_t most = 3; most <= 5; most++) {
                    tr_vec3 line[5], arc[TR_GO_BEND_POINTS];
                    uint32_t found = run_of_corners(&w.way, k, most, line);
                    if (found < most)
                        continue;
                    uint32_t count = tr_go_bend(w.ground, w.size, TR_GO_BEND, line, found, arc);
                    REQUIRE(count <= TR_GO_BEND_POINTS);
                    corners[most - 3]++;
                    arcs[most - 3] += count > 0;
                    if (count)
                        check_arc(&w, line, found, arc, count);
                }
        }
        go_world_close(&w);
    }
    CHECK(corners[0] > 500 && arcs[0] > corners[0] / 3);
    CHECK(corners[1] > 100 && arcs[1] > corners[1] / 4);
    CHECK(arcs[2] > 5);
}

TEST(without_room_outside_or_for_a_small_turn_the_corner_stays) {
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-6, 0, -6, 0, 2, 0), 0);        // the corner at (0, 0)
    little_box(w.scene, little_make_box(-6, 0, 0.75f, 0.75f, 2, 6), 0); // and walls around it
    little_box(w.scene, little_make_box(0.75f, 0, -6, 6, 2, 6), 0);
    if (go_world_open(&w)) {
        tr_vec3 points[TR_GO_BEND_POINTS], bend[3] = {{-3, 0, 0.375f}, {0.375f, 0, 0.375f}, {0.375f, 0, -3}},
                                           flat[3] = {{-3, 0, 0.375f}, {-1.5f, 0, 0.375f}, {0, 0, 0.36f}};
        CHECK_INT(tr_go_bend(w.ground, w.size, TR_GO_BEND, bend, 3, points), 0);
        CHECK_INT(tr_go_bend(w.ground, w.size, TR_GO_BEND, flat, 3, points), 0);
        CHECK_INT(tr_go_bend(w.ground, w.size, 0, bend, 3, points), 0);
        CHECK_INT(tr_go_bend(w.ground, w.size, TR_GO_BEND, bend, 2, points), 0);
    }
    go_world_close(&w);
}

// The least speed of a body on its way along these points.
static float least_speed(const tr_vec3 *points, uint32_t count) {
    tr_follow_params params = tr_follow_params_default(1.3f, 1 / 30.0f, TR_GO_CORRIDOR);
    tr_follow_route *route = NULL;
    tr_vec2 line[TR_GO_BEND_POINTS + 2];
    for (uint32_t i = 0; i < count; i++)
        line[i] = (tr_vec2){points[i].x, points[i].z};
    if (tr_follow_route_create(NULL, count, &route, NULL) != TR_OK)
        return NAN;
    CHECK_INT(tr_follow_route_set(route, line, count, NULL, NULL, &params, NULL), TR_OK);
    tr_follow_state state = {.position = line[0], .speed = 1.3f};
    state.heading = atan2f(line[1].x - line[0].x, line[1].z - line[0].z);
    float least = INFINITY, length = tr_follow_route_length(route);
    while (tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f) == TR_OK)
        if (state.progress < length - 1.5f)
            least = fminf(least, state.speed);
    tr_follow_route_destroy(route);
    return least;
}

TEST(an_arc_is_walked_at_twice_the_speed_of_its_corner) {
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-6, 0, -6, 0, 2, 0), 0);
    if (go_world_open(&w)) {
        float out = tr_ground_size(w.ground, w.size)->radius + 0.15f;
        tr_vec3 line[TR_GO_BEND_POINTS + 2] = {{-4, 0, out}},
                                         corner[3] = {{-4, 0, out}, {out, 0, out}, {out, 0, -4}};
        uint32_t count = tr_go_bend(w.ground, w.size, TR_GO_BEND, corner, 3, line + 1);
        REQUIRE(count > 2);
        line[count + 1] = corner[2];
        CHECK(least_speed(line, count + 2) > 2 * least_speed(corner, 3));
    }
    go_world_close(&w);
}
