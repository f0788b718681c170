#include "go_world.h"
#include "troupe/base/random.h"

static tr_way random_way(tr_random *random, uint32_t count) {
    tr_way way;
    CHECK_INT(tr_way_create(NULL, count, 1, &way, NULL), TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        tr_way_point *p = &way.points[i];
        *p = (tr_way_point){
            .position = {tr_random_between(random, -5, 5), 0, tr_random_between(random, -5, 5)}};
        p->position.y = tr_random_between(random, 0, 3);
        if (i)
            p->along =
                p[-1].along + hypotf(p->position.x - p[-1].position.x, p->position.z - p[-1].position.z);
    }
    way.point_count = count;
    return way;
}

static tr_vec3 mix(tr_vec3 a, tr_vec3 b, float t) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), t));
}

// Against points at every millimetre or so.
TEST(the_distance_from_a_way_is_that_of_its_nearest_point_on_the_floor_at_hand) {
    tr_random random = tr_random_seed(1);
    for (int run = 0; run < 200; run++) {
        tr_way way = random_way(&random, 2 + tr_random_below(&random, 5));
        float length = tr_way_length(&way), from = tr_random_between(&random, 0, 0.5f * length);
        tr_vec3 point = {tr_random_between(&random, -6, 6), tr_random_between(&random, 0, 3),
                         tr_random_between(&random, -6, 6)};
        float nearest = INFINITY, along = -1, place = -1;
        for (uint32_t i = 0; i + 1 < way.point_count; i++)
            for (int k = 0; k <= 2000; k++) {
                float t = (float)k / 2000;
                tr_vec3 at = mix(way.points[i].position, way.points[i + 1].position, t);
                float there = way.points[i].along + t * (way.points[i + 1].along - way.points[i].along);
                if (there < from || fabsf(at.y - point.y) > 10)
                    continue;
                float off = hypotf(at.x - point.x, at.z - point.z);
                if (off < nearest)
                    nearest = off, place = there;
            }
        CHECK_NEAR(tr_way_distance(&way, from, point, 10, &along), nearest, 0.01);
        tr_vec3 a = tr_way_at(&way, along), b = tr_way_at(&way, place);
        CHECK_NEAR(hypotf(a.x - point.x, a.z - point.z), hypotf(b.x - point.x, b.z - point.z), 0.01);
        CHECK(along >= from - 1e-3f);
        CHECK(tr_way_distance(&way, 0, tr_vec3_make(point.x, 50, point.z), 1, NULL) == INFINITY);
        tr_way_destroy(NULL, &way);
    }
}

TEST(a_point_along_a_way_lies_on_it_and_is_clamped) {
    tr_random random = tr_random_seed(2);
    for (int run = 0; run < 200; run++) {
        tr_way way = random_way(&random, 2 + tr_random_below(&random, 5));
        float length = tr_way_length(&way), along = tr_random_between(&random, 0, length);
        tr_vec3 at = tr_way_at(&way, along), first = tr_way_at(&way, -1), last = tr_way_at(&way, length + 1);
        CHECK(tr_way_distance(&way, 0, at, 0.01f, NULL) < 1e-3f);
        CHECK(tr_vec3_length(tr_vec3_subtract(first, way.points[0].position)) == 0);
        CHECK(tr_vec3_length(tr_vec3_subtract(last, way.points[way.point_count - 1].position)) == 0);
        for (uint32_t i = 0; i < way.point_count; i++)
            CHECK(tr_vec3_length(tr_vec3_subtract(tr_way_at(&way, way.points[i].along),
                                                  way.points[i].position)) < 1e-3f);
        tr_way_destroy(NULL, &way);
    }
}

TEST(a_way_is_copied_where_there_is_room_and_cleared) {
    tr_random random = tr_random_seed(3);
    tr_way from = random_way(&random, 5), small, large;
    CHECK_INT(tr_way_create(NULL, 4, 1, &small, NULL), TR_OK);
    CHECK_INT(tr_way_create(NULL, 9, 2, &large, NULL), TR_OK);
    CHECK_INT(tr_way_copy(&small, &from), TR_LIMIT);
    CHECK_INT(tr_way_copy(&large, &from), TR_OK);
    CHECK_INT(large.point_count, 5);
    CHECK(memcmp(large.points, from.points, 5 * sizeof *from.points) == 0);
    CHECK_NEAR(tr_way_length(&large), tr_way_length(&from), 0);
    tr_way_clear(&large);
    CHECK_INT(large.point_count, 0);
    CHECK_NEAR(tr_way_length(&large), 0, 0);
    tr_way nowhere = {0};
    CHECK_NEAR(tr_way_length(&nowhere), 0, 0);
    CHECK(tr_way_distance(&nowhere, 0, tr_vec3_make(0, 0, 0), 1, NULL) == INFINITY);
    tr_way_destroy(NULL, &nowhere);
    tr_way_destroy(NULL, &small);
    tr_way_destroy(NULL, &large);
    tr_way_destroy(NULL, &from);
}

// A floor, four steps up and a platform: walked, stepped, walked.
static void make_steps(go_world *w) {
    go_world_begin(w);
    for (int i = 0; i < 4; i++)
        little_box(w->scene,
                   little_make_box(-2, 0, 0.3f * (float)i, 2, 0.17f * (float)(i + 1), 0.3f * (float)(i + 1)),
                   0);
    little_box(w->scene, little_make_box(-2, 0, 1.2f, 2, 0.68f, 5), 0);
}

TEST(stairs_are_cut_out_of_a_way_with_level_ground_before_and_behind) {
    go_world w;
    make_steps(&w);
    if (go_world_open(&w)) {
        tr_error error = {.message = ""};
        CHECK_INT(go_world_find(&w, tr_vec3_make(0, 0, -5), tr_vec3_make(0, 0.68f, 4.5f), NULL, &error),
                  TR_OK);
        CHECK_TEXT(error.message, "");
        go_check_way(&w.way);
        REQUIRE(w.way.piece_count == 3);
        CHECK_INT(w.way.pieces[0].kind, TR_WAY_WALK);
        CHECK_INT(w.way.pieces[1].kind, TR_WAY_STEP);
        CHECK_INT(w.way.pieces[2].kind, TR_WAY_WALK);
        // Footsteps begin before the first step and end behind the last.
        tr_vec3 begin = tr_way_at(&w.way, w.way.pieces[1].begin),
                end = tr_way_at(&w.way, w.way.pieces[1].end);
        CHECK(begin.z < -0.3f && begin.z > -1.5f && fabsf(begin.y) < 0.01f);
        CHECK(end.z > 1.4f && end.z < 3 && fabsf(end.y - 0.68f) < 0.01f);
        // Slower over footsteps.
        const tr_way_piece *steps = &w.way.pieces[1];
        float seconds = w.way.points[steps->first + steps->count - 1].time - w.way.points[steps->first].time;
        CHECK(seconds > (steps->end - steps->begin) / 1.2f);
    }
    go_world_close(&w);
}

// Against the pieces that a path along the same line is cut into, and the floor itself.
TEST(a_line_is_level_just_when_a_path_along_it_is_walked) {
    go_world w;
    make_steps(&w);
    little_box(w.scene, little_make_box(-5, 0, -5, -3, 0.03f, -2), 0); // is walked over
    little_box(w.scene, little_make_box(3, 0, -5, 5, 0.3f, -2), 0);    // is stepped onto
    if (go_world_open(&w)) {
        tr_random random = tr_random_seed(4);
        uint32_t level = 0, cases = 4000;
        for (uint32_t i = 0; i < cases; i++) {
            tr_vec3 a = {tr_random_between(&random, -5.5f, 5.5f), 1, tr_random_between(&random, -5.5f, 5.5f)},
                    b = {tr_random_between(&random, -5.5f, 5.5f), 1, tr_random_between(&random, -5.5f, 5.5f)};
            a.y = tr_ground_height(w.ground, a, 5);
            b.y = tr_ground_height(w.ground, b, 5);
            REQUIRE(a.y == a.y && b.y == b.y);
            bool is_level = tr_way_is_level(w.ground, a, b, a.y, 0.44f);
            tr_path_point path[2] = {{.position = a, .link = TR_NONE}, {.position = b, .link = TR_NONE}};
            CHECK_INT(tr_way_cut(&w.way, w.ground, path, 2, 0.44f, 1.3f, 0.6f, NULL), TR_OK);
            CHECK_INT(is_level, w.way.piece_count == 1 && w.way.pieces[0].kind == TR_WAY_WALK &&
                                    !w.way.pieces[0].slopes);
            for (int k = 1; k < 50 && is_level; k++) {
                float floor = tr_ground_height(w.ground, mix(a, b, 0.02f * (float)k), 0.44f);
                CHECK(floor - a.y < 0.05f && floor - a.y > -0.1f);
            }
            level += is_level;
        }
        CHECK(level > cases / 10 && level < cases / 2);
        CHECK(!tr_way_is_level(w.ground, tr_vec3_make(-5, 0, 5), tr_vec3_make(-4, 0, 5), 1, 0.44f));
    }
    go_world_close(&w);
}

TEST(a_level_way_is_one_piece_with_times_at_its_speed) {
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-1, 0, -3, 1, 2, 3), 0);
    if (go_world_open(&w)) {
        CHECK_INT(go_world_find(&w, tr_vec3_make(-4, 0, 0), tr_vec3_make(4, 0, 0), NULL, NULL), TR_OK);
        go_check_way(&w.way);
        CHECK_INT(w.way.piece_count, 1);
        CHECK_INT(w.way.pieces[0].kind, TR_WAY_WALK);
        CHECK_NEAR(w.way.points[w.way.point_count - 1].time, tr_way_length(&w.way) / 1.3, 0.01);
        for (float along = 0; along < tr_way_length(&w.way); along += 0.02f)
            CHECK(tr_ground_is_free(w.ground, w.size, tr_way_at(&w.way, along), NULL));
    }
    go_world_close(&w);
}

// Two points and a link between them, from floor to floor.
static tr_status cut_link(const go_world *w, tr_way *way, float aside, tr_error *error) {
    const tr_path_point path[4] = {{.position = {0, 0, -4}, .link = TR_NONE},
                                   {.position = {0, 0, -1}, .link = TR_NONE},
                                   {.position = {0, 3, -1 + aside}, .move = TR_PATH_LINK, .link = 5},
                                   {.position = {0, 3, 3}, .link = TR_NONE}};
    return tr_way_cut(way, w->ground, path, 4, 0.44f, 1.3f, 0.6f, error);
}

TEST(a_link_that_leads_up_carries_aside_too) {
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-3, 2.8f, -2, 3, 3, 5), 0);
    if (go_world_open(&w)) {
        tr_error error = {.message = ""};
        CHECK_INT(cut_link(&w, &w.way, 0.1f, &error), TR_OK);
        go_check_way(&w.way);
        REQUIRE(w.way.piece_count == 3);
        CHECK_INT(w.way.pieces[1].kind, TR_WAY_RIDE);
        CHECK_NEAR(w.way.points[w.way.pieces[1].first + 1].time - w.way.points[w.way.pieces[1].first].time, 3,
                   0.1);
        CHECK_INT(cut_link(&w, &w.way, 1.2f, &error), TR_OK);
        go_check_way(&w.way);
        REQUIRE(w.way.piece_count == 3);
        CHECK_INT(w.way.pieces[1].kind, TR_WAY_RIDE);
        CHECK_NEAR(w.way.pieces[1].end - w.way.pieces[1].begin, 1.2, 1e-3);
        for (uint32_t i = 0; i < w.way.point_count; i++) {
            const tr_way_point *point = &w.way.points[i];
            tr_vec3 there = tr_way_at_time(&w.way, (double)point->time);
            CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(there, point->position)), 0, 1e-4);
        }
        CHECK_NEAR(tr_way_at_time(&w.way, -1).z, -4, 1e-5);
        CHECK_NEAR(tr_way_at_time(&w.way, 1e9).z, 3, 1e-5);
        CHECK_NEAR(tr_way_at_time(&w.way, 1).z, -4 + 1.3, 1e-4);
    }
    go_world_close(&w);
}

static bool attempt(const tr_allocator *allocator) {
    tr_way way = {0};
    tr_status status = tr_way_create(allocator, 8, 2, &way, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_way_destroy(allocator, &way);
    return status == TR_OK;
}

TEST(without_memory_a_way_says_so_and_gives_everything_back) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 2);
}

TEST(people_are_slower_uphill_and_on_steep_ways_down) {
    CHECK_NEAR(tr_way_slope_speed(0), 1, 0);
    CHECK_NEAR(tr_way_slope_speed(-0.1f), 1, 0);
    CHECK_NEAR(tr_way_slope_speed(0.0875f), 0.74, 0.01);
    CHECK_NEAR(tr_way_slope_speed(0.364f), 0.43, 0.01);
    CHECK_NEAR(tr_way_slope_speed(-0.364f), 0.547, 0.01);
    CHECK(tr_way_slope_speed(NAN) > 0 && tr_way_slope_speed(INFINITY) > 0);
    for (float slope = 0; slope < 0.5f; slope += 0.01f) {
        CHECK(tr_way_slope_speed(slope + 0.01f) <= tr_way_slope_speed(slope));
        // The fit of the measurements bends back beyond 20 degrees down.
        CHECK(slope > 0.37f || tr_way_slope_speed(-slope - 0.01f) <= tr_way_slope_speed(-slope));
        CHECK(tr_way_slope_speed(slope) <= 1 && tr_way_slope_speed(slope) >= 0.3f);
    }
}
