// Lanes: whoever goes through a corridor keeps to its right, wherever it comes from and goes to.
#include "go_world.h"
#include "troupe/base/random.h"

#define HALF 3.5f   // length of the corridor on each side of z = 0
#define INSIDE 1.5f // between -INSIDE and INSIDE everybody is in its lane
#define RADIUS 0.3f // of the body of a go_world

// Two halls, joined by a corridor along z.
static bool open_corridor(go_world *w, float middle, float width) {
    go_world_begin(w);
    little_box(w->scene, little_make_box(-6, 0, -HALF, middle - width / 2, 2, HALF), 0);
    little_box(w->scene, little_make_box(middle + width / 2, 0, -HALF, 6, 2, HALF), 0);
    return go_world_open(w);
}

static tr_vec3 place_in_hall(tr_random *random, float side) {
    return tr_vec3_make(tr_random_between(random, -5, 5), 0, side * tr_random_between(random, 4.1f, 5.4f));
}

static tr_status find_in_lane(go_world *w, tr_vec3 from, tr_vec3 to, bool bend) {
    tr_go_query query = tr_go_query_default(w->size);
    query.start = from;
    query.goals = &to;
    query.goal_count = 1;
    query.bend = bend ? query.bend : 0;
    query.merge = 1.5f; // as where many come the other way
    return tr_go_find(w->go, w->ground, &query, &w->way, NULL, NULL);
}

// How far a way is on the right of the middle line, at least and at most, inside the corridor.
static void measure(const tr_way *way, float middle, float side, float *least, float *most) {
    *least = INFINITY;
    *most = -INFINITY;
    for (float along = 0; along < tr_way_length(way); along += 0.05f) {
        tr_vec3 at = tr_way_at(way, along);
        float right = side * (at.x - middle); // whoever goes towards -z has +x on its right
        if (fabsf(at.z) < INSIDE) {
            *least = fminf(*least, right);
            *most = fmaxf(*most, right);
        }
    }
}

TEST(everybody_keeps_to_the_right_in_a_corridor_where_two_can_pass) {
    tr_random random = tr_random_seed(3);
    const float widths[5] = {1.6f, 2, 2.5f, 3, 3.5f};
    uint32_t ways = 0, wrong = 0;
    for (int run = 0; run < 40; run++) {
        go_world w;
        float width = widths[run % 5], middle = tr_random_between(&random, -2, 2);
        for (int i = 0; i < 40 && (i || open_corridor(&w, middle, width)); i++) {
            float side = i % 2 ? 1 : -1, least, most;
            tr_vec3 from = place_in_hall(&random, side), to = place_in_hall(&random, -side);
            REQUIRE(find_in_lane(&w, from, to, run >= 20) == TR_OK);
            go_check_way(&w.way);
            measure(&w.way, middle, side, &least, &most);
            ways++;
            wrong += least < RADIUS - 0.07f;           // two who meet would not get past each other
            CHECK(most <= width / 2 - RADIUS + 0.02f); // nobody walks into the wall
        }
        go_world_close(&w);
    }
    // Where the lane would be a long way round, there is none, and bodies that set out at the mouth cross
    // over slowly.
    CHECK(ways == 1600 && wrong <= 40);
}

// The greatest angle between the corridor and a way through all of it [rad].
static float steepest(const tr_way *way) {
    float most = 0;
    for (float along = 0; along + 0.3f < tr_way_length(way); along += 0.1f) {
        tr_vec3 a = tr_way_at(way, along), b = tr_way_at(way, along + 0.3f);
        most = fmaxf(most, atan2f(fabsf(b.x - a.x), fabsf(b.z - a.z)));
    }
    return most;
}

TEST(a_way_goes_to_its_lane_as_gently_as_the_query_says) {
    static const float tangents[] = {0.2f, 0.35f, 0.7f, 1.5f};
    tr_random random = tr_random_seed(14);
    for (int i = 0; i < 40; i++) {
        go_world w;
        float width = tr_random_between(&random, 2.5f, 4.5f), tangent = tangents[i % 4];
        go_world_begin(&w);
        little_box(w.scene, little_make_box(-6, 0, -6, -width / 2, 2, 6), 0);
        little_box(w.scene, little_make_box(width / 2, 0, -6, 6, 2, 6), 0);
        REQUIRE(go_world_open(&w));
        tr_go_query query = tr_go_query_default(w.size);
        CHECK_NEAR((double)query.merge, 0.35, 1e-6);
        float from_x = tr_random_between(&random, -0.5f, 0.5f),
              to_x = tr_random_between(&random, -0.5f, 0.5f);
        tr_vec3 from = {from_x, 0, -5.5f}, to = {to_x, 0, 5.5f};
        query.start = from;
        query.goals = &to;
        query.goal_count = 1;
        query.merge = tangent;
        REQUIRE(tr_go_find(w.go, w.ground, &query, &w.way, NULL, NULL) == TR_OK);
        go_check_way(&w.way);
        float most = steepest(&w.way), direct = fabsf(to_x - from_x) / 11;
        if (!(most < atanf(tangent + direct) + 0.06f))
            test_failed(__FILE__, __LINE__, "width %g, tangent %g: %g rad", (double)width, (double)tangent,
                        (double)most);
        go_world_close(&w);
    }
}

TEST(where_two_cannot_pass_the_way_is_the_shortest) {
    tr_random random = tr_random_seed(4);
    go_world w;
    for (int i = 0; i < 40 && (i || open_corridor(&w, 0.5f, 0.9f)); i++) {
        float side = i % 2 ? 1 : -1, least, most;
        REQUIRE(find_in_lane(&w, place_in_hall(&random, side), place_in_hall(&random, -side), false) ==
                TR_OK);
        measure(&w.way, 0.5f, side, &least, &most);
        CHECK(least > -0.25f && most < 0.25f);
    }
    go_world_close(&w);
}

TEST(in_a_wide_hall_the_way_is_the_shortest) {
    tr_random random = tr_random_seed(5);
    go_world w;
    go_world_begin(&w);
    for (int i = 0; i < 40 && (i || go_world_open(&w)); i++) {
        tr_vec3 from = place_in_hall(&random, i % 2 ? 1 : -1), to = place_in_hall(&random, i % 2 ? -1 : 1);
        REQUIRE(find_in_lane(&w, from, to, false) == TR_OK);
        CHECK_NEAR(tr_way_length(&w.way), hypotf(to.x - from.x, to.z - from.z), 0.02);
    }
    go_world_close(&w);
}

// The farthest that a way is from the lane along x = `lane`, more than `lead` from both ends [m].
static float off_lane(const tr_way *way, float lane, float lead) {
    float most = 0;
    for (float along = lead; along < tr_way_length(way) - lead; along += 0.05f)
        most = fmaxf(most, fabsf(tr_way_at(way, along).x - lane));
    return most;
}

TEST(a_lane_along_a_wall_with_posts_is_straight) {
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(1.7f, 0, -5.8f, 2, 2, 5.8f), 0);
    little_box(w.scene, little_make_box(-2, 0, -5.8f, -1.7f, 2, 5.8f), 0);
    for (int i = 0; i < 6; i++) // of 6 cm, 1.7 m apart
        little_box(w.scene,
                   little_make_box(1.64f, 0, -4.6f + 1.7f * (float)i, 1.8f, 2, -4.5f + 1.7f * (float)i), 0);
    if (go_world_open(&w)) {
        REQUIRE(find_in_lane(&w, tr_vec3_make(0.9f, 0, 5), tr_vec3_make(0.9f, 0, -5), true) == TR_OK);
        CHECK(off_lane(&w.way, tr_way_at(&w.way, 5).x, 2.5f) < 0.02f);
    }
    go_world_close(&w);
}

TEST(a_way_that_goes_on_from_its_goal_stays_in_its_lane) {
    go_world w;
    if (open_corridor(&w, 0, 3)) {
        tr_vec3 goal = {0, 0, -2};
        tr_go_query query = tr_go_query_default(w.size);
        query.start = tr_vec3_make(0, 0, 5);
        query.goals = &goal;
        query.goal_count = 1;
        for (int i = 0; i < 2; i++) {
            query.passes = i;
            REQUIRE(tr_go_find(w.go, w.ground, &query, &w.way, NULL, NULL) == TR_OK);
            go_check_way(&w.way);
            tr_vec3 end = tr_way_at(&w.way, tr_way_length(&w.way));
            CHECK_NEAR(end.z, -2, 0.1);
            if (i)
                CHECK(end.x > 0.7f);
            else
                CHECK_NEAR(end.x, 0, 0.01);
        }
    }
    go_world_close(&w);
}
