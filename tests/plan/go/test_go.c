// Going: ways against paths, around others against dense samples of where these are, aside against claims.
#include "go_world.h"
#include "troupe/base/random.h"

#define RADIUS 0.3f
#define MARGIN 0.1f
#define OTHERS 6

static void add_boxes(go_world *w, tr_random *random, uint32_t count) {
    go_world_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        float x = tr_random_between(random, -4.5f, 3.5f), z = tr_random_between(random, -4.5f, 3.5f);
        little_box(w->scene,
                   little_make_box(x, 0, z, x + tr_random_between(random, 0.3f, 1.2f), 2,
                                   z + tr_random_between(random, 0.3f, 1.2f)),
                   0);
    }
}

static tr_vec3 random_place(const go_world *w, tr_random *random) {
    for (;;) {
        tr_vec3 point = {tr_random_between(random, -5.5f, 5.5f), 0, tr_random_between(random, -5.5f, 5.5f)};
        tr_ground_place place = tr_ground_drop(w->ground, w->size, point, 0.5f);
        if (place.why == TR_GROUND_FREE && fabsf(place.position.y) < 0.1f)
            return tr_vec3_make(point.x, place.position.y, point.z);
    }
}

TEST(the_way_is_as_long_as_the_shortest_path_and_free_throughout) {
    tr_random random = tr_random_seed(5);
    tr_path *path = NULL;
    REQUIRE(tr_path_create(NULL, &path, NULL) == TR_OK);
    uint32_t found = 0;
    for (int run = 0; run < 8; run++) {
        go_world w;
        add_boxes(&w, &random, 12);
        for (int i = 0; i < 40 && (i || go_world_open(&w)); i++) {
            tr_vec3 from = random_place(&w, &random), to = random_place(&w, &random);
            tr_go_result result;
            tr_error error = {.message = ""};
            tr_status status = go_world_find(&w, from, to, &result, &error);
            tr_path_params params = tr_path_params_default(w.size);
            CHECK_INT(status, tr_path_find(path, w.ground, &params, from, &to, 1, NULL));
            if (status != TR_OK) {
                CHECK(error.message[0]);
                continue;
            }
            found++;
            go_check_way(&w.way);
            CHECK_NEAR(result.length, tr_path_last(path).length, 1e-3);
            CHECK_NEAR(tr_way_length(&w.way), result.length, 0.02);
            tr_vec3 end = tr_way_at(&w.way, INFINITY);
            CHECK_NEAR(hypotf(end.x - to.x, end.z - to.z), 0, 0.03);
            for (float along = 0.05f; along < tr_way_length(&w.way) - 0.05f; along += 0.05f)
                CHECK(tr_ground_is_free(w.ground, w.size, tr_way_at(&w.way, along), NULL));
        }
        go_world_close(&w);
    }
    CHECK(found > 200);
    tr_path_destroy(path);
}

TEST(of_several_goals_the_one_that_is_reached_most_cheaply_is_gone_to) {
    tr_random random = tr_random_seed(6);
    go_world w;
    add_boxes(&w, &random, 10);
    if (go_world_open(&w))
        for (int i = 0; i < 100; i++) {
            tr_vec3 from = random_place(&w, &random), goals[4];
            double least = INFINITY;
            tr_go_result result;
            for (int k = 0; k < 4; k++) {
                goals[k] = random_place(&w, &random);
                if (go_world_find(&w, from, goals[k], &result, NULL) == TR_OK && result.cost < least)
                    least = result.cost;
            }
            tr_go_query query = tr_go_query_default(w.size);
            query.start = from;
            query.goals = goals;
            query.goal_count = 4;
            query.lane = query.bend = 0;
            tr_status status = tr_go_find(w.go, w.ground, &query, &w.way, &result, NULL);
            CHECK_INT(status == TR_OK, least < INFINITY);
            if (status == TR_OK)
                CHECK_NEAR(result.cost, least, 1e-3);
        }
    go_world_close(&w);
}

TEST(what_cannot_be_reached_is_told_with_a_sentence) {
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-6, 0, -0.1f, 6, 2, 0.1f), 0);
    if (go_world_open(&w)) {
        tr_error error = {.message = ""};
        CHECK_INT(go_world_find(&w, tr_vec3_make(0, 0, -3), tr_vec3_make(0, 0, 3), NULL, &error),
                  TR_NOT_FOUND);
        CHECK_CONTAINS(error.message, "no way");
        CHECK_INT(go_world_find(&w, tr_vec3_make(0, 0, -3), tr_vec3_make(50, 0, 3), NULL, &error),
                  TR_NOT_FOUND);
        CHECK_CONTAINS(error.message, "outside the area");
        CHECK_INT(go_world_find(&w, tr_vec3_make(NAN, 0, -3), tr_vec3_make(0, 0, 3), NULL, &error),
                  TR_INVALID);
        tr_go_query query = tr_go_query_default(99);
        tr_vec3 goal = {0, 0, -4};
        query.goals = &goal;
        query.goal_count = 1;
        CHECK_INT(tr_go_find(w.go, w.ground, &query, &w.way, NULL, &error), TR_INVALID);
        query = tr_go_query_default(w.size);
        CHECK_INT(tr_go_find(w.go, w.ground, &query, &w.way, NULL, &error), TR_INVALID); // no goal
    }
    go_world_close(&w);
}

// Lines may graze the corner of a cell by less than a millimetre.
static bool is_nearly_free(const go_world *w, tr_vec3 at) {
    for (int i = 0; i < 9; i++)
        if (tr_ground_is_free(
                w->ground, w->size,
                tr_vec3_make(at.x + 0.001f * (float)(i % 3 - 1), at.y, at.z + 0.001f * (float)(i / 3 - 1)),
                NULL))
            return true;
    return false;
}

TEST(a_way_in_lanes_is_on_the_floor_and_free_and_little_longer_than_the_shortest) {
    tr_random random = tr_random_seed(15);
    double all = 0, shortest = 0;
    for (int run = 0; run < 12; run++) {
        go_world w;
        add_boxes(&w, &random, 12);
        little_box(w.scene, little_make_box(-6, 0, 4, -2, 0.15f, 6), 0); // one step up
        for (int i = 0; i < 40 && (i || go_world_open(&w)); i++) {
            tr_vec3 from = random_place(&w, &random), to = random_place(&w, &random);
            tr_go_query query = tr_go_query_default(w.size);
            tr_go_result result;
            query.start = from;
            query.goals = &to;
            query.goal_count = 1;
            if (tr_go_find(w.go, w.ground, &query, &w.way, &result, NULL) != TR_OK)
                continue;
            go_check_way(&w.way);
            float length = tr_way_length(&w.way);
            for (uint32_t k = 0; k < w.way.point_count; k++) {
                tr_vec3 at = w.way.points[k].position;
                CHECK_NEAR(tr_ground_height(w.ground, at, 0.3f), at.y, 0.02);
            }
            for (float along = 0.05f; along < length - 0.05f; along += 0.05f)
                CHECK(is_nearly_free(&w, tr_way_at(&w.way, along)));
            CHECK(length < 1.4f * (float)result.length + 1);
            all += (double)length;
            shortest += result.length;
        }
        go_world_close(&w);
    }
    CHECK(shortest > 500 && all < 1.1 * shortest);
}

TEST(a_walker_has_a_size_of_the_ground_for_every_room_and_shares_it_with_those_alike) {
    go_world w;
    go_world_begin(&w);
    if (go_world_open(&w)) {
        uint32_t sizes[TR_WAY_ROOMS], others[TR_WAY_ROOMS];
        const float radii[3] = {0.3f, 0.8f * 0.3f, 0.5f * 0.3f};
        CHECK_INT(tr_go_add_sizes(w.ground, &(tr_go_body){.stature = 1.75f}, sizes, NULL), TR_OK);
        for (int i = 0; i < 3; i++) {
            const tr_ground_body *body = tr_ground_size(w.ground, sizes[i]);
            REQUIRE(body != NULL);
            CHECK_NEAR(body->radius, radii[i] + TR_GO_CORRIDOR, 0.0101);
            CHECK(body->radius >= radii[i] + TR_GO_CORRIDOR - 1e-5f); // never smaller than it is
            CHECK(body->height >= 1.02f * 1.75f - 1e-5f && body->height <= 1.02f * 1.75f + 0.1001f);
            CHECK(body->foot_rise <= tr_ground_body_of_height(1.75f).foot_rise);
        }
        tr_go_body alike = {.stature = 1.77f, .height = 1.8f, .radius = 0.3f},
                   wider = {.stature = 1.75f, .radius = 0.4f}, none = {.stature = NAN};
        CHECK_INT(tr_go_add_sizes(w.ground, &alike, others, NULL), TR_OK);
        CHECK(memcmp(sizes, others, sizeof sizes) == 0);
        CHECK_INT(tr_go_add_sizes(w.ground, &wider, others, NULL), TR_OK);
        CHECK(others[0] != sizes[0]);
        CHECK_INT(tr_go_add_sizes(w.ground, &none, others, NULL), TR_INVALID);
        tr_go_body round = {.stature = 1.75f, .radius = 0.3f, .depth = 0.27f}; // as deep as it is wide
        CHECK_INT(tr_go_add_sizes(w.ground, &round, others, NULL), TR_OK);
        CHECK(others[0] == sizes[0] && others[1] == others[2] && others[1] != sizes[1]);
        CHECK_NEAR(tr_ground_size(w.ground, others[2])->radius, 0.27 + (double)TR_GO_CORRIDOR, 0.0101);
    }
    go_world_close(&w);
}

// --- Among others ---

typedef struct crowd {
    tr_timeline *timeline;
    tr_vec3 places[OTHERS];
    uint32_t count, self;
} crowd;

// Somebody at `from`, and others who stand.
static bool open_crowd(crowd *c, tr_vec3 from) {
    memset(c, 0, sizeof *c);
    tr_timeline_def def = {0};
    return tr_timeline_create(&def, &c->timeline, NULL) == TR_OK &&
           tr_timeline_add(c->timeline, from, RADIUS, 1.75f, &c->self, NULL) == TR_OK;
}

static bool add_other(crowd *c, tr_vec3 place) {
    uint32_t body;
    if (c->count == OTHERS || tr_timeline_add(c->timeline, place, RADIUS, 1.75f, &body, NULL) != TR_OK)
        return false;
    c->places[c->count++] = place;
    return true;
}

static float nearest_other(const crowd *c, tr_vec3 point) {
    float nearest = INFINITY;
    for (uint32_t i = 0; i < c->count; i++)
        nearest = fminf(nearest, hypotf(c->places[i].x - point.x, c->places[i].z - point.z));
    return nearest;
}

static tr_go_walker walker_of(const go_world *w, const crowd *c, tr_vec3 at) {
    return (tr_go_walker){.body = c->self,
                          .size = w->size,
                          .radius = RADIUS,
                          .height = 1.75f,
                          .margin = MARGIN,
                          .position = at,
                          .speed = 1.3f,
                          .way = &w->way,
                          .until = tr_way_length(&w->way),
                          .tick_seconds = 1.0 / 30};
}

// Somebody stands on the way ahead, others around it.
static void put_in_the_way(const go_world *w, crowd *c, tr_random *random) {
    tr_vec3 on = tr_way_at(&w->way, 1.2f + tr_random_between(random, 0, 0.8f));
    tr_vec3 at = w->way.points[0].position;
    add_other(c, on);
    for (int i = 0; i < 20 && c->count < 4; i++) {
        tr_vec3 place = {on.x + tr_random_between(random, -1.5f, 1.5f), on.y,
                         on.z + tr_random_between(random, -1.5f, 1.5f)};
        if (nearest_other(c, place) > 0.8f && hypotf(place.x - at.x, place.z - at.z) > 0.9f)
            add_other(c, place);
    }
}

// Every place on a plan around people who stand, at each centimetre, against where they are.
TEST(a_plan_around_others_never_meets_them_and_comes_back_to_the_way) {
    tr_random random = tr_random_seed(7);
    uint32_t found = 0, turned = 0;
    for (int run = 0; run < 300; run++) {
        go_world w;
        crowd c = {0};
        add_boxes(&w, &random, 2);
        tr_vec3 from = {-4, 0, -4}, to = {4, 0, 4};
        if (go_world_open(&w) && tr_ground_is_free(w.ground, w.size, from, NULL) &&
            go_world_find(&w, from, to, NULL, NULL) == TR_OK && open_crowd(&c, from)) {
            put_in_the_way(&w, &c, &random);
            tr_go_walker walker = walker_of(&w, &c, from);
            tr_go_around_result plan;
            if (tr_go_around(w.go, w.ground, c.timeline, &walker, &plan) == TR_OK) {
                found++;
                REQUIRE(plan.point_count > 1 && plan.point_count <= TR_GO_AROUND_POINTS);
                CHECK(plan.gain > 0);
                CHECK(plan.rejoins > 0 && plan.rejoins <= tr_way_length(&w.way) + 1e-3f);
                CHECK(tr_vec3_length(tr_vec3_subtract(plan.points[0], from)) < 0.01f);
                tr_vec3 last = plan.points[plan.point_count - 1], back = tr_way_at(&w.way, plan.rejoins);
                CHECK(hypotf(last.x - back.x, last.z - back.z) < 0.6f);
                tr_vec3 before = plan.points[plan.point_count - 2],
                        on = tr_way_at(&w.way, plan.rejoins + 0.5f); // nobody turns back at its end
                turned += (last.x - before.x) * (on.x - last.x) + (last.z - before.z) * (on.z - last.z) < 0;
                for (uint32_t i = 1; i < plan.point_count; i++)
                    CHECK(tr_ground_sees(w.ground, w.size, plan.points[i - 1], plan.points[i]));
                for (uint32_t i = 1; i < plan.point_count; i++)
                    for (int k = 0; k <= 100; k++) {
                        tr_vec3 at =
                            tr_vec3_add(plan.points[i - 1],
                                        tr_vec3_scale(tr_vec3_subtract(plan.points[i], plan.points[i - 1]),
                                                      (float)k / 100));
                        CHECK(nearest_other(&c, at) >= 2 * RADIUS);
                    }
            }
        }
        tr_timeline_destroy(c.timeline);
        go_world_close(&w);
    }
    CHECK(found > 200);
    CHECK_INT(turned, 0);
}

// Kerbs can be stepped onto, and are thinner than the nodes of the search are apart. A plan around others is
// walked, all of it at one height.
TEST(a_plan_around_others_does_not_lead_over_kerbs) {
    tr_random random = tr_random_seed(8);
    uint32_t found = 0;
    for (int run = 0; run < 200; run++) {
        go_world w;
        crowd c = {0};
        go_world_begin(&w);
        float kerb = tr_random_between(&random, 0.35f, 0.8f);
        little_box(w.scene, little_make_box(kerb, 0, -6, kerb + 0.12f, 0.2f, 6), 0);
        little_box(w.scene, little_make_box(-1.5f, 0, -6, -1.2f, 2, 6), 0);
        tr_vec3 from = {tr_random_between(&random, -0.6f, 0), 0, -4}, to = {from.x, 0, 4};
        if (go_world_open(&w) && go_world_find(&w, from, to, NULL, NULL) == TR_OK && open_crowd(&c, from)) {
            put_in_the_way(&w, &c, &random);
            tr_go_walker walker = walker_of(&w, &c, from);
            tr_go_around_result plan;
            if (tr_go_around(w.go, w.ground, c.timeline, &walker, &plan) == TR_OK) {
                found++;
                for (uint32_t i = 0; i < plan.point_count; i++)
                    CHECK(plan.points[i].x < kerb);
            }
        }
        tr_timeline_destroy(c.timeline);
        go_world_close(&w);
    }
    CHECK(found > 20);
}

TEST(where_nobody_is_in_the_way_there_is_no_need_to_go_around) {
    go_world w;
    crowd c = {0};
    go_world_begin(&w);
    tr_vec3 from = {-4, 0, -4}, to = {4, 0, 4};
    if (go_world_open(&w) && go_world_find(&w, from, to, NULL, NULL) == TR_OK && open_crowd(&c, from)) {
        // Only that a plan, if there is one, does not leave the way by much: it has nothing to gain.
        tr_go_walker walker = walker_of(&w, &c, from);
        tr_go_around_result plan;
        if (tr_go_around(w.go, w.ground, c.timeline, &walker, &plan) == TR_OK)
            for (uint32_t i = 0; i < plan.point_count; i++)
                CHECK(tr_way_distance(&w.way, 0, plan.points[i], 0.5f, NULL) < 0.3f);
    }
    tr_timeline_destroy(c.timeline);
    go_world_close(&w);
}

TEST(nobody_goes_around_others_that_fill_the_passage) {
    go_world w;
    crowd c = {0};
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-6, 0, -1, -0.5f, 2, 1), 0);
    little_box(w.scene, little_make_box(0.5f, 0, -1, 6, 2, 1), 0);
    tr_vec3 from = {0, 0, -2}, to = {0, 0, 3};
    if (go_world_open(&w) && go_world_find(&w, from, to, NULL, NULL) == TR_OK && open_crowd(&c, from)) {
        add_other(&c, tr_vec3_make(0, 0, 0));
        tr_go_walker walker = walker_of(&w, &c, from);
        tr_go_around_result plan;
        tr_status status = tr_go_around(w.go, w.ground, c.timeline, &walker, &plan);
        // Up to the one in the way, perhaps; never past it.
        for (uint32_t i = 0; i < plan.point_count && status == TR_OK; i++)
            CHECK(nearest_other(&c, plan.points[i]) >= 2 * RADIUS);
        CHECK(status == TR_OK || status == TR_NOT_FOUND);
    }
    tr_timeline_destroy(c.timeline);
    go_world_close(&w);
}

// --- Aside ---

// Claimed, by samples of the strip: the middle line every centimetre.
static bool is_claimed(const tr_go_claim *claim, tr_vec3 point) {
    for (float along = claim->begin; along <= claim->end; along += 0.01f) {
        tr_vec3 at = tr_way_at(claim->way, along);
        if (hypotf(at.x - point.x, at.z - point.z) < claim->width - 0.01f)
            return true;
    }
    return false;
}

TEST(a_place_aside_is_outside_all_claims_and_nobody_stands_there) {
    tr_random random = tr_random_seed(8);
    uint32_t found = 0;
    for (int run = 0; run < 300; run++) {
        go_world w;
        crowd c = {0};
        add_boxes(&w, &random, 4);
        tr_vec3 from = {-5, 0, tr_random_between(&random, -5, 5)},
                to = {5, 0, tr_random_between(&random, -5, 5)};
        if (go_world_open(&w) && go_world_find(&w, from, to, NULL, NULL) == TR_OK) {
            float length = tr_way_length(&w.way), middle = tr_random_between(&random, 2, length - 2);
            tr_vec3 at = tr_way_at(&w.way, middle);
            if (open_crowd(&c, at)) {
                for (int i = 0; i < 30 && c.count < OTHERS; i++) {
                    tr_vec3 place = random_place(&w, &random);
                    if (nearest_other(&c, place) > 0.8f && hypotf(place.x - at.x, place.z - at.z) > 0.8f)
                        add_other(&c, place);
                }
                tr_go_claim claim = {&w.way, fmaxf(0, middle - 3), fminf(length, middle + 2), 0.7f};
                tr_go_walker walker = walker_of(&w, &c, at);
                walker.claims = &claim;
                walker.claim_count = 1;
                tr_vec3 place;
                CHECK(tr_go_is_claimed(&claim, 1, at));
                if (tr_go_aside(w.go, w.ground, c.timeline, &walker, &place) == TR_OK) {
                    found++;
                    CHECK(!is_claimed(&claim, place));
                    CHECK(!tr_go_is_claimed(&claim, 1, place));
                    CHECK(nearest_other(&c, place) >= 2 * RADIUS);
                    CHECK(tr_ground_is_free(w.ground, w.size, place, NULL));
                }
            }
        }
        tr_timeline_destroy(c.timeline);
        go_world_close(&w);
    }
    CHECK(found > 150);
}

TEST(claims_are_strips_along_ways) {
    tr_random random = tr_random_seed(9);
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-1, 0, -3, 1, 2, 3), 0);
    if (go_world_open(&w) &&
        go_world_find(&w, tr_vec3_make(-4, 0, 0), tr_vec3_make(4, 0, 0), NULL, NULL) == TR_OK) {
        tr_go_claim claim = {&w.way, 1, 6, 0.5f};
        uint32_t inside = 0, outside = 0;
        for (int i = 0; i < 3000; i++) {
            tr_vec3 point = {tr_random_between(&random, -6, 6), 0, tr_random_between(&random, -6, 6)};
            bool claimed = tr_go_is_claimed(&claim, 1, point);
            inside += claimed;
            outside += !claimed;
            tr_vec3 end = tr_way_at(&w.way, claim.end);
            bool at_end = hypotf(end.x - point.x, end.z - point.z) < claim.width + 0.03f; // it ends straight
            if (is_claimed(&claim, point) && !at_end)
                CHECK(claimed);
            claim.width += 0.03f;
            CHECK(!claimed || is_claimed(&claim, point));
            claim.width -= 0.03f;
        }
        CHECK(inside > 50 && outside > 50);
        CHECK(!tr_go_is_claimed(NULL, 0, tr_vec3_make(0, 0, 0)));
    }
    go_world_close(&w);
}

static go_world shared;

static bool attempt(const tr_allocator *allocator) {
    tr_go *go = NULL;
    tr_way way = {0};
    tr_status status = tr_go_create(allocator, &go, NULL);
    if (status == TR_OK)
        status = tr_way_create(allocator, 64, 8, &way, NULL);
    if (status == TR_OK) {
        tr_go_query query = tr_go_query_default(shared.size);
        tr_vec3 goal = {4, 0, 0};
        query.start = tr_vec3_make(-4, 0, 0);
        query.goals = &goal;
        query.goal_count = 1;
        status = tr_go_find(go, shared.ground, &query, &way, NULL, NULL);
    }
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_way_destroy(allocator, &way);
    tr_go_destroy(go);
    return status == TR_OK;
}

TEST(without_memory_a_planner_says_so_and_gives_everything_back) {
    go_world_begin(&shared);
    little_box(shared.scene, little_make_box(-1, 0, -3, 1, 2, 3), 0);
    if (go_world_open(&shared))
        CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 4);
    go_world_close(&shared);
}

// A gap that is too narrow for walking: the search with the first size finds nothing, and what it finds with
// the next one is lost where that runs out of memory.
static uint32_t narrow_sizes[2];

static bool attempt_narrow(const tr_allocator *allocator) {
    tr_go *go = NULL;
    tr_way way = {0};
    tr_error error = {.message = ""};
    tr_status status = tr_go_create(allocator, &go, NULL);
    if (status == TR_OK)
        status = tr_way_create(allocator, 64, 8, &way, NULL);
    tr_vec3 goal = {4, 0, 0};
    tr_go_query query = tr_go_query_default(shared.size);
    memcpy(query.sizes + 1, narrow_sizes, sizeof narrow_sizes);
    query.start = tr_vec3_make(-4, 0, 0);
    query.goals = &goal;
    query.goal_count = 1;
    if (status == TR_OK)
        status = tr_go_find(go, shared.ground, &query, &way, NULL, &error);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    if (status == TR_OK)
        status = tr_go_reserve(go, shared.ground, 500, &error);
    if (status == TR_OK) {
        query.node_max = 500;
        CHECK_INT(tr_go_find(go, shared.ground, &query, &way, NULL, &error), TR_OK);
        query.node_max = 3;
        CHECK_INT(tr_go_find(go, shared.ground, &query, &way, NULL, &error), TR_PARTIAL);
    }
    tr_way_destroy(allocator, &way);
    tr_go_destroy(go);
    return status == TR_OK;
}

TEST(no_memory_for_a_way_through_a_narrow_place_is_not_taken_for_no_way) {
    go_world_begin(&shared);
    little_box(shared.scene, little_make_box(-0.2f, 0, -6, 0.2f, 2, -0.25f), 0);
    little_box(shared.scene, little_make_box(-0.2f, 0, 0.25f, 0.2f, 2, 6), 0);
    if (go_world_open(&shared)) {
        tr_ground_body body = tr_ground_body_of_height(1.75f);
        for (int i = 0; i < 2; i++) {
            body.radius = i ? 0.15f : 0.2f;
            CHECK_INT(tr_ground_add_size(shared.ground, &body, &narrow_sizes[i], NULL), TR_OK);
        }
        tr_go_result result;
        CHECK_INT(go_world_find(&shared, tr_vec3_make(-4, 0, 0), tr_vec3_make(4, 0, 0), &result, NULL),
                  TR_NOT_FOUND);
        CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_narrow) > 4);
    }
    go_world_close(&shared);
}
