// Nobody meets anybody: every pair of tracks is looked at in little steps of time; and what people do for it.
#include "traffic_people.h"

// One of several people: plan, check, add.
static tr_status go(tr_traffic *traffic, tr_climb *climb, tr_traffic_params *params, tr_vec3 start,
                    tr_vec3 goal, walker *w, uint32_t *blocked_by) {
    tr_error error = {.message = ""};
    tr_status status = tr_traffic_find(traffic, climb, params, start, goal, w->points, POINTS, &w->count,
                                       blocked_by, &error);
    CHECK(status == TR_OK || status == TR_PARTIAL || error.message[0] != 0);
    w->radius = tr_traffic_radius(tr_climb_person(climb));
    w->height = tr_climb_person(climb)->height;
    if (status != TR_OK)
        return status;
    for (uint32_t i = 1; i < w->count; i++) {
        const tr_traffic_point *a = &w->points[i - 1], *b = &w->points[i];
        double dx = (double)b->position.x - a->position.x, dy = (double)b->position.y - a->position.y,
               dz = (double)b->position.z - a->position.z, took = b->time - a->time;
        CHECK(took > 0);
        CHECK(sqrt(dx * dx + dy * dy + dz * dz) <= (double)params->speed * took * (1 + 1e-9) + 1e-6);
        CHECK(tr_traffic_is_free(traffic, *a, *b, w->radius + params->margin, w->height));
    }
    tr_traffic_point last = w->points[w->count - 1], ever = last;
    ever.time = INFINITY;
    CHECK(tr_traffic_is_free(traffic, last, ever, w->radius + params->margin, w->height));
    tr_traffic_track track = {w->points, w->count, w->radius, w->height, true};
    CHECK_INT(tr_traffic_add(traffic, &track, NULL), TR_OK);
    return status;
}

static void floor_with_pillars(climb_world *world, tr_random *random, float size, uint32_t pillars) {
    little_box(world->scene, little_make_box(0, -0.3f, 0, size, 0, size), 0);
    for (uint32_t i = 0; i < pillars; i++) {
        float x = tr_random_between(random, 0.5f, size - 1), z = tr_random_between(random, 0.5f, size - 1);
        float wide = tr_random_between(random, 0.2f, 1), deep = tr_random_between(random, 0.2f, 1);
        float high = tr_random_below(random, 3) ? 3 : 0.2f; // some can be stepped on
        little_box(world->scene, little_make_box(x, 0, z, x + wide, high, z + deep), 0);
    }
}

// Always on ground that is free, but near the ends, which may stand in the border.
static void check_ground(const tr_climb *climb, const walker *w) {
    tr_vec3 first = w->points[0].position, last = w->points[w->count - 1].position;
    for (double time = w->points[0].time; time < w->points[w->count - 1].time; time += 0.02) {
        tr_vec3 at = place_at(w->points, w->count, time);
        tr_surface_place below = tr_surface_drop(tr_climb_surface(climb), at, 0.35f);
        float off = tr_vec3_length(tr_vec3_subtract(at, first)),
              left = tr_vec3_length(tr_vec3_subtract(at, last));
        CHECK(below.cell != TR_NONE && at.y - below.height < 0.35f);
        CHECK(tr_climb_state_of(climb, below.cell) == TR_CLIMB_FREE || off < 1 || left < 1);
    }
}

static void check_apart(const walker *people, const bool *there, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            if (there[i] && there[k]) {
                double d = deepest(&people[i], &people[k], 0.05);
                if (d > 0)
                    test_failed(__FILE__, __LINE__, "crowd %u: %u and %u are %g m in each other", number, i,
                                k, d);
            }
}

static double waits(const walker *w) {
    double sum = 0;
    for (uint32_t i = 1; i < w->count; i++) {
        tr_vec3 off = tr_vec3_subtract(w->points[i].position, w->points[i - 1].position);
        sum += tr_vec3_length(off) == 0 ? w->points[i].time - w->points[i - 1].time : 0;
    }
    return sum;
}

typedef struct hall {
    climb_world world;
    tr_climb *climb;
    tr_traffic *traffic;
    tr_traffic_params params;
} hall;

static bool hall_begin(hall *h, void (*build)(climb_world *, bool), bool how, float wide, float deep) {
    h->world = climb_world_begin();
    build(&h->world, how);
    h->traffic = NULL;
    h->climb = NULL;
    h->params = tr_traffic_params_default();
    h->params.nodes_max = 1 << 16;
    if (!climb_world_build(&h->world, wide, deep, 0.1f) ||
        tr_traffic_create(NULL, &h->traffic, NULL) != TR_OK)
        return false;
    h->climb = climb_world_climb(&h->world, (tr_person){1.8f, 0.3f, 0.3f, 0.25f}, 4);
    return h->climb != NULL;
}

static void hall_end(hall *h) {
    tr_traffic_destroy(h->traffic);
    tr_climb_destroy(h->climb);
    climb_world_end(&h->world);
}

// Places along the four sides of a hall, far enough apart to stand beside each other.
static tr_vec3 place_of(uint32_t number, float size) {
    float along = 0.9f + 0.7f * (float)(number / 4);
    switch (number % 4) {
    case 0:
        return tr_vec3_make(0.5f, 0.1f, along);
    case 1:
        return tr_vec3_make(size - 0.5f, 0.1f, along);
    case 2:
        return tr_vec3_make(along, 0.1f, 0.5f);
    default:
        return tr_vec3_make(along, 0.1f, size - 0.5f);
    }
}

typedef struct crowd {
    uint32_t asked, found;
    double waited;
} crowd;

static void cross_hall(tr_random *random, uint32_t number, float size, uint32_t count, float cell,
                       crowd *sum) {
    static walker people[PEOPLE];
    uint32_t places[400], place_count = 4 * (uint32_t)((size - 1.8f) / 0.7f);
    hall h = {.world = climb_world_begin(), .params = tr_traffic_params_default()};
    floor_with_pillars(&h.world, random, size, tr_random_below(random, 12));
    REQUIRE(climb_world_build(&h.world, size, size, cell));
    h.climb = climb_world_climb(&h.world, (tr_person){1.8f, 0.4f, 0.3f, 0.25f}, 4);
    REQUIRE(tr_traffic_create(NULL, &h.traffic, NULL) == TR_OK);
    h.params.nodes_max = 1 << 15;
    for (uint32_t i = 0; i < place_count; i++) { // shuffled
        uint32_t k = tr_random_below(random, i + 1);
        places[i] = places[k];
        places[k] = i;
    }
    bool there[PEOPLE] = {false};
    for (uint32_t i = 0; i < count && 2 * i + 1 < place_count; i++) {
        tr_vec3 from = place_of(places[2 * i], size), to = place_of(places[2 * i + 1], size);
        tr_status status = go(h.traffic, h.climb, &h.params, from, to, &people[i], NULL);
        CHECK(status == TR_OK || status == TR_NOT_FOUND || status == TR_PARTIAL);
        there[i] = status == TR_OK;
        sum->asked++, sum->found += there[i];
        sum->waited += there[i] ? waits(&people[i]) : 0;
        if (there[i])
            check_ground(h.climb, &people[i]);
    }
    check_apart(people, there, count, number);
    hall_end(&h);
}

TEST(crowds_that_cross_a_hall_one_after_the_other_never_touch) {
    tr_random random = tr_random_seed(702);
    crowd sum = {0};
    for (uint32_t i = 0; i < 8; i++) {
        float size = tr_random_between(&random, 6, 12);
        cross_hall(&random, i, size, 2 + tr_random_below(&random, 9), i & 1 ? 0.2f : 0.1f, &sum);
    }
    cross_hall(&random, 8, 20, PEOPLE, 0.2f, &sum);
    if (getenv("TROUPE_TEST_VERBOSE"))
        printf("%u of %u found a way, %.1f s waited in all\n", sum.found, sum.asked, sum.waited);
    CHECK(sum.found > sum.asked * 9 / 10);
}

// Little worlds of slabs, ramps, roofs and holes, people of all sizes: whoever finds a way meets nobody.
TEST(in_random_worlds_nobody_is_met_either) {
    tr_random random = tr_random_seed(703);
    static walker people[4];
    uint32_t found = 0;
    for (uint32_t i = 0; i < 120; i++) {
        hall h = {.world = climb_world_begin(), .params = tr_traffic_params_default()};
        climb_world_random(&h.world, &random, 3.6f, tr_random_below(&random, 12));
        REQUIRE(climb_world_build(&h.world, 3.6f, 3.6f, tr_random_between(&random, 0.1f, 0.4f)));
        tr_person person = climb_random_person(&random);
        person.radius = tr_random_between(&random, 0, 0.3f);
        h.climb = climb_world_climb(&h.world, person, 4);
        REQUIRE(h.climb && tr_traffic_create(NULL, &h.traffic, NULL) == TR_OK);
        h.params.nodes_max = 1 << 12;
        h.params.climb.border = (tr_climb_border_use)tr_random_below(&random, 3);
        bool there[4] = {false};
        for (uint32_t k = 0; k < 4; k++) {
            tr_vec3 ends[2];
            for (uint32_t n = 0; n < 2; n++) {
                float x = tr_random_between(&random, 0.1f, 3.5f), y = tr_random_between(&random, 0, 3);
                ends[n] = tr_vec3_make(x, y, tr_random_between(&random, 0.1f, 3.5f));
            }
            h.params.begin = (double)tr_random_between(&random, -2, 2);
            there[k] = go(h.traffic, h.climb, &h.params, ends[0], ends[1], &people[k], NULL) == TR_OK;
            found += there[k];
        }
        check_apart(people, there, 4, i);
        hall_end(&h);
    }
    CHECK(found > 150);
}

// Kerbs narrower than a stride.
static void build_kerbs(climb_world *world, bool along_z) {
    little_box(world->scene, little_make_box(0, -0.3f, 0, 8, 0, 8), 0);
    for (uint32_t i = 0; i < 12; i++) {
        float at = 1.02f + 0.5f * (float)i;
        tr_box kerb = along_z ? little_make_box(at, 0, 0, at + 0.06f, 0.25f, 8)
                              : little_make_box(0, 0, at, 8, 0.25f, at + 0.06f);
        little_box(world->scene, kerb, 0);
    }
}

// Whoever goes over a kerb between two strides rises and falls on the way, and takes the time for it.
TEST(kerbs_between_two_strides_take_their_time) {
    static walker people[PEOPLE];
    for (uint32_t i = 0; i < 2; i++) {
        hall h;
        bool there[PEOPLE] = {false};
        uint32_t found = 0;
        REQUIRE(hall_begin(&h, build_kerbs, i == 0, 8, 8));
        for (uint32_t k = 0; k < 24; k++) {
            there[k] = go(h.traffic, h.climb, &h.params, place_of(k, 8), place_of(k ^ 1, 8), &people[k],
                          NULL) == TR_OK;
            found += there[k];
        }
        CHECK(found > 12);
        check_apart(people, there, 24, i);
        hall_end(&h);
    }
}

// A corridor as wide as one person, with a lay-by in the middle.
static void build_corridor(climb_world *world, bool lay_by) {
    little_box(world->scene, little_make_box(0, -0.3f, 0, 12, 0, 4), 0);
    little_box(world->scene, little_make_box(0, 0, 0, 12, 3, 1), 0);
    if (lay_by) {
        little_box(world->scene, little_make_box(0, 0, 2.2f, 5, 3, 4), 0);
        little_box(world->scene, little_make_box(7, 0, 2.2f, 12, 3, 4), 0);
    } else {
        little_box(world->scene, little_make_box(0, 0, 2.2f, 12, 3, 4), 0);
    }
}

TEST(two_in_a_narrow_corridor_pass_by_the_lay_by) {
    hall h;
    static walker a, b;
    REQUIRE(hall_begin(&h, build_corridor, true, 12, 4));
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.6f, 0.1f, 1.6f};
    CHECK_INT(go(h.traffic, h.climb, &h.params, left, right, &a, NULL), TR_OK);
    CHECK_NEAR(waits(&a), 0, 1e-9);
    REQUIRE(go(h.traffic, h.climb, &h.params, right, left, &b, NULL) == TR_OK);
    CHECK(deepest(&a, &b, 0.01) <= 0);
    CHECK(b.points[b.count - 1].time > a.points[a.count - 1].time); // it makes way
    float furthest = 0;
    for (uint32_t i = 0; i < b.count; i++)
        furthest = b.points[i].position.z > furthest ? b.points[i].position.z : furthest;
    CHECK(furthest > 2.05f); // into the lay-by
    hall_end(&h);
    // Without one there is no way, and it is known because of whom.
    REQUIRE(hall_begin(&h, build_corridor, false, 12, 4));
    CHECK_INT(go(h.traffic, h.climb, &h.params, left, right, &a, NULL), TR_OK);
    uint32_t blocked_by = 77;
    CHECK_INT(go(h.traffic, h.climb, &h.params, right, left, &b, &blocked_by), TR_NOT_FOUND);
    CHECK_INT(blocked_by, 0);
    hall_end(&h);
}

TEST(who_comes_later_waits_until_the_corridor_is_clear_again) {
    hall h;
    static walker b;
    REQUIRE(hall_begin(&h, build_corridor, true, 12, 4));
    // Something goes through the right half of the corridor, against him, and is gone.
    tr_traffic_point sweep[3] = {{0, {7.5f, 0, 1.6f}}, {6, {7.5f, 0, 1.6f}}, {10, {11.9f, 0, 1.6f}}};
    tr_traffic_track track = {sweep, 3, 0.25f, 1.8f, false};
    CHECK_INT(tr_traffic_add(h.traffic, &track, NULL), TR_OK);
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.0f, 0.1f, 1.6f};
    REQUIRE(go(h.traffic, h.climb, &h.params, left, right, &b, NULL) == TR_OK);
    CHECK(b.points[b.count - 1].time > 9);
    CHECK(waits(&b) > 0.5);
    // Whoever may not wait does not.
    h.params.wait_max = 0.25;
    tr_traffic_clear(h.traffic);
    CHECK_INT(tr_traffic_add(h.traffic, &track, NULL), TR_OK);
    static walker again;
    if (tr_traffic_find(h.traffic, h.climb, &h.params, left, right, again.points, POINTS, &again.count, NULL,
                        NULL) == TR_OK)
        CHECK(waits(&again) < 0.25 + 1e-6); // it strolled about
    hall_end(&h);
}

static void build_storeys(climb_world *world, bool how) {
    (void)how;
    little_box(world->scene, little_make_box(0, -0.3f, 0, 8, 0, 4), 0);
    little_box(world->scene, little_make_box(0, 2.2f, 0, 8, 2.5f, 4), 0);
}

TEST(people_on_storeys_above_each_other_do_not_disturb_each_other) {
    hall h;
    static walker a, b;
    REQUIRE(hall_begin(&h, build_storeys, true, 8, 4));
    tr_vec3 low = {0.6f, 0.1f, 2}, low_end = {7.4f, 0.1f, 2}, high = {7.4f, 2.6f, 2},
            high_end = {0.6f, 2.6f, 2};
    CHECK_INT(go(h.traffic, h.climb, &h.params, low, low_end, &a, NULL), TR_OK);
    CHECK_INT(go(h.traffic, h.climb, &h.params, high, high_end, &b, NULL), TR_OK);
    CHECK_INT(a.count, 2);
    CHECK_INT(b.count, 2);
    CHECK_NEAR(b.points[1].time - b.points[0].time, 6.8 / 1.3, 1e-3);
    hall_end(&h);
}

static void build_stairs(climb_world *world, bool how) {
    (void)how;
    little_box(world->scene, little_make_box(0, -0.3f, 0, 12, 0, 3), 0);
    for (int i = 0; i < 10; i++)
        climb_world_box(world, 4 + 0.3f * (float)i, 0, 0, 12, 0.2f * (float)(i + 1), 3, 0);
}

TEST(tracks_follow_the_stairs_and_rising_takes_its_time) {
    hall h;
    static walker a, b;
    REQUIRE(hall_begin(&h, build_stairs, true, 12, 3));
    tr_vec3 low = {0.6f, 0.1f, 1.5f}, high = {11, 2.1f, 1.5f};
    REQUIRE(go(h.traffic, h.climb, &h.params, low, high, &a, NULL) == TR_OK);
    // Level, 3 m of stairs, level: the cylinder is never far off the ground.
    for (double time = 0; time < a.points[a.count - 1].time; time += 0.05) {
        tr_vec3 at = place_at(a.points, a.count, time);
        float step = at.x < 4 ? 0 : at.x >= 6.7f ? 2 : 0.2f * floorf((at.x - 4) / 0.3f + 1);
        CHECK_NEAR((double)at.y, (double)step, 0.31);
    }
    CHECK_NEAR(a.points[a.count - 1].time, (10.4 + 4 * 2) / 1.3, 0.9);
    // Who comes down meanwhile passes beside.
    REQUIRE(go(h.traffic, h.climb, &h.params, high, low, &b, NULL) == TR_OK);
    CHECK(deepest(&a, &b, 0.02) <= 0);
    CHECK(b.points[b.count - 1].time < a.points[a.count - 1].time); // falling is less of an effort
    // And now somebody stands at the top for ever.
    uint32_t blocked_by;
    CHECK_INT(go(h.traffic, h.climb, &h.params, (tr_vec3){2, 0.1f, 0.6f}, high, &b, &blocked_by),
              TR_NOT_FOUND);
    CHECK_INT(blocked_by, 0);
    hall_end(&h);
}

// Two rooms with a door in between that is a link, and a lift.
static void build_rooms(climb_world *world, bool how) {
    (void)how;
    little_box(world->scene, little_make_box(0, -0.3f, 0, 8, 0, 4), 0);
    little_box(world->scene, little_make_box(3.9f, 0, 0, 4.1f, 3, 4), 0);
}

TEST(somebody_waits_for_the_door_that_another_uses) {
    hall h;
    static walker a, b;
    REQUIRE(hall_begin(&h, build_rooms, true, 8, 4));
    h.params.climb.border = TR_CLIMB_BORDER_ALLOW;
    tr_link door = {TR_LINK_DOOR, {3.3f, 0.1f, 2}, {4.7f, 0.1f, 2}, true, false, 4};
    REQUIRE(tr_climb_set_links(h.climb, &door, 1, NULL) == TR_OK);
    tr_vec3 left = {0.8f, 0.1f, 2}, right = {7.2f, 0.1f, 2}, right_2 = {7.2f, 0.1f, 3.2f},
            left_2 = {0.8f, 0.1f, 1};
    REQUIRE(go(h.traffic, h.climb, &h.params, left, right_2, &a, NULL) == TR_OK);
    CHECK(a.points[a.count - 1].time > 4 / 1.3 + 4);
    REQUIRE(go(h.traffic, h.climb, &h.params, right, left_2, &b, NULL) == TR_OK);
    CHECK(deepest(&a, &b, 0.01) <= 0);
    CHECK(b.points[b.count - 1].time > a.points[a.count - 1].time - 2);
    CHECK_INT(tr_climb_close_link(h.climb, 0, true), TR_OK);
    CHECK_INT(go(h.traffic, h.climb, &h.params, left, right, &a, NULL), TR_NOT_FOUND);
    hall_end(&h);
}

TEST(a_moving_object_that_sweeps_the_corridor_is_let_pass) {
    hall h;
    static walker b;
    REQUIRE(hall_begin(&h, build_corridor, true, 12, 4));
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    uint32_t cart = little_box(scene, little_make_box(-0.2f, 0, -0.2f, 0.2f, 1, 0.2f), 0);
    double times[3] = {0, 8, 8.5};
    tr_transform places[3] = {tr_transform_identity(), tr_transform_identity(), tr_transform_identity()};
    places[0].position = tr_vec3_make(11.5f, 0, 1.6f);
    places[1].position = tr_vec3_make(6, 0, 1.6f);
    places[2].position = tr_vec3_make(6, 20, 1.6f); // lifted away
    tr_trajectory_def def = {times, places, 3, false};
    REQUIRE(tr_scene_set_trajectory(scene, cart, &def, NULL) == TR_OK);
    CHECK_INT(tr_traffic_add_object(h.traffic, scene, cart, 0, 10, NULL), TR_OK);
    CHECK_INT(tr_traffic_count(h.traffic), 1);
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.6f, 0.1f, 1.6f};
    REQUIRE(go(h.traffic, h.climb, &h.params, left, right, &b, NULL) == TR_OK);
    CHECK(b.points[b.count - 1].time > 7); // 10.8 m at 1.3 m/s take 8.3 s; it cannot pass before the lay-by
    for (double time = 0; time < 10; time += 0.01) {
        tr_vec3 at = place_at(b.points, b.count, time);
        tr_vec3 other = tr_trajectory_sample(tr_scene_trajectory(scene, cart), time).position;
        CHECK(depth(at, 0.25, 1.8, other, 0.2828, 1) <= 1e-3);
    }
    tr_error error;
    CHECK_INT(tr_traffic_add_object(h.traffic, scene, 99, 0, 10, &error), TR_INVALID);
    CHECK_INT(tr_traffic_add_object(h.traffic, scene, cart, 10, 0, &error), TR_INVALID);
    CHECK_INT(tr_traffic_add_object(h.traffic, scene, cart, 0, NAN, &error), TR_INVALID);
    CHECK_INT(tr_traffic_add_object(h.traffic, scene, cart, 0, 1e6, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "samples");
    tr_scene_destroy(scene);
    hall_end(&h);
}

TEST(budgets_and_limits_are_told) {
    hall h;
    static walker a, b;
    REQUIRE(hall_begin(&h, build_corridor, true, 12, 4));
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.6f, 0.1f, 1.6f};
    CHECK_INT(go(h.traffic, h.climb, &h.params, left, right, &a, NULL), TR_OK);
    tr_traffic_params few = h.params;
    few.nodes_max = 16;
    CHECK_INT(tr_traffic_find(h.traffic, h.climb, &few, right, left, b.points, POINTS, &b.count, NULL, NULL),
              TR_PARTIAL);
    few = h.params;
    few.climb.budget.expansions = 30;
    CHECK_INT(tr_traffic_find(h.traffic, h.climb, &few, right, left, b.points, POINTS, &b.count, NULL, NULL),
              TR_PARTIAL);
    CHECK(b.count >= 1); // as far as it came
    CHECK_INT(tr_traffic_find(h.traffic, h.climb, &h.params, right, left, b.points, 2, &b.count, NULL, NULL),
              TR_LIMIT);
    CHECK_INT(b.count, 0);
    hall_end(&h);
}

TEST(bad_input_gets_a_sentence_and_changes_nothing) {
    hall h;
    walker *w = malloc(sizeof *w);
    tr_error error;
    REQUIRE(hall_begin(&h, build_corridor, true, 12, 4));
    tr_traffic_point points[2] = {{0, {1, 0, 1}}, {1, {2, 0, 1}}};
    tr_traffic_track track = {points, 2, 0.3f, 1.8f, true};
    track.point_count = 0;
    CHECK_INT(tr_traffic_add(h.traffic, &track, &error), TR_INVALID);
    track.point_count = 2;
    track.radius = -1;
    CHECK_INT(tr_traffic_add(h.traffic, &track, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "-1");
    track.radius = 0.3f;
    track.height = NAN;
    CHECK_INT(tr_traffic_add(h.traffic, &track, &error), TR_INVALID);
    track.height = 1.8f;
    points[1].time = 0;
    CHECK_INT(tr_traffic_add(h.traffic, &track, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "point 1");
    points[1].time = INFINITY;
    CHECK_INT(tr_traffic_add(h.traffic, &track, &error), TR_INVALID);
    points[1].time = 1;
    points[1].position.y = NAN;
    CHECK_INT(tr_traffic_add(h.traffic, &track, &error), TR_INVALID);
    CHECK_INT(tr_traffic_count(h.traffic), 0);
    tr_traffic_point from = {0, {1, 0, 1}}, to = {NAN, {1, 0, 1}};
    CHECK(!tr_traffic_is_free(h.traffic, from, to, 0.3f, 1.8f));
    to.time = -1;
    CHECK(!tr_traffic_is_free(h.traffic, from, to, 0.3f, 1.8f));
    to = from;
    CHECK(!tr_traffic_is_free(h.traffic, from, to, NAN, 1.8f));
    CHECK(tr_traffic_is_free(h.traffic, from, to, 0.3f, 1.8f));
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.6f, 0.1f, 1.6f}, bad = {NAN, 0, 0};
    const float speeds[3] = {0, NAN, -1};
    for (int i = 0; i < 3; i++) {
        tr_traffic_params params = h.params;
        params.speed = speeds[i];
        CHECK_INT(tr_traffic_find(h.traffic, h.climb, &params, left, right, w->points, POINTS, &w->count,
                                  NULL, &error),
                  TR_INVALID);
        params = h.params;
        params.margin = i == 0 ? -1.0f : NAN;
        params.begin = i == 2 ? NAN : 0;
        CHECK_INT(tr_traffic_find(h.traffic, h.climb, &params, left, right, w->points, POINTS, &w->count,
                                  NULL, &error),
                  TR_INVALID);
        params = h.params;
        params.wait_max = i ? -1 : NAN;
        params.nodes_max = i == 2 ? 1 : params.nodes_max;
        CHECK_INT(tr_traffic_find(h.traffic, h.climb, &params, left, right, w->points, POINTS, &w->count,
                                  NULL, &error),
                  TR_INVALID);
    }
    CHECK_INT(go(h.traffic, h.climb, &h.params, bad, right, w, NULL), TR_INVALID);
    CHECK_INT(go(h.traffic, h.climb, &h.params, left, bad, w, NULL), TR_INVALID);
    free(w);
    hall_end(&h);
}

static hall shared_hall;

static bool attempt(const tr_allocator *allocator) {
    tr_traffic *traffic;
    if (tr_traffic_create(allocator, &traffic, NULL) != TR_OK)
        return false;
    tr_traffic_point points[3] = {{0, {7.5f, 0, 1.6f}}, {6, {7.5f, 0, 1.6f}}, {9, {11.9f, 0, 1.6f}}};
    tr_traffic_track track = {points, 3, 0.25f, 1.8f, false};
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.0f, 0.1f, 1.6f};
    static walker w;
    tr_traffic_params params = tr_traffic_params_default();
    params.nodes_max = 1 << 12;
    tr_status status = tr_traffic_add(traffic, &track, NULL);
    if (status != TR_OK) // nothing half done: the same again is refused the same way
        CHECK_INT(tr_traffic_count(traffic), 0);
    if (status == TR_OK)
        status = tr_traffic_find(traffic, shared_hall.climb, &params, left, right, w.points, POINTS, &w.count,
                                 NULL, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_traffic_destroy(traffic);
    return status == TR_OK;
}

TEST(every_failing_allocation_is_told_and_leaks_nothing) {
    REQUIRE(hall_begin(&shared_hall, build_corridor, true, 12, 4));
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 8);
    hall_end(&shared_hall);
}

TEST(planning_again_allocates_nothing) {
    hall h;
    static walker a;
    REQUIRE(hall_begin(&h, build_corridor, true, 12, 4));
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_traffic *traffic;
    REQUIRE(tr_traffic_create(&allocator, &traffic, NULL) == TR_OK);
    tr_traffic_point points[3] = {{0, {7.5f, 0, 1.6f}}, {6, {7.5f, 0, 1.6f}}, {9, {11.9f, 0, 1.6f}}};
    tr_traffic_track track = {points, 3, 0.25f, 1.8f, false};
    CHECK_INT(tr_traffic_add(traffic, &track, NULL), TR_OK);
    tr_vec3 left = {0.6f, 0.1f, 1.6f}, right = {11.0f, 0.1f, 1.6f};
    uint64_t calls = 0;
    for (int i = 0; i < 3; i++) {
        CHECK_INT(
            tr_traffic_find(traffic, h.climb, &h.params, left, right, a.points, POINTS, &a.count, NULL, NULL),
            TR_OK);
        calls = i == 0 ? memory.calls : calls;
    }
    CHECK_INT(memory.calls, calls);
    tr_traffic_destroy(traffic);
    CHECK_INT(memory.live_bytes, 0);
    hall_end(&h);
}
