// Motions of bodies: what is committed is found again, and the first meeting is that of a slow model.
#include "timeline_oracle.h"

static tr_timeline *make_timeline(const tr_timeline_def *def) {
    tr_timeline *timeline = NULL;
    tr_timeline_def standard = {0};
    CHECK_INT(tr_timeline_create(def ? def : &standard, &timeline, NULL), TR_OK);
    return timeline;
}

static uint32_t add(tr_timeline *timeline, const oracle_body *body) {
    uint32_t number = TR_NONE;
    CHECK_INT(tr_timeline_add(timeline, body->positions[0], body->radius, body->height, &number, NULL),
              TR_OK);
    CHECK_INT(tr_timeline_commit(timeline, number, body->begin, body->positions, body->count), TR_OK);
    return number;
}

// A motion of one body against many: nothing earlier, and what is reported is there.
static void check_first(const oracle_body *own, const oracle_body *others, uint32_t count, uint64_t now,
                        float margin, bool rest, bool met, tr_timeline_meeting meeting, uint32_t number) {
    double from = (double)(own->begin > now ? own->begin : now), end = (double)own->begin + own->count - 1;
    double until = rest ? end + 120 : end;
    if (met && (meeting.body >= count || meeting.object != TR_NONE)) {
        test_failed(__FILE__, __LINE__, "case %u: met body %u of %u", number, meeting.body, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        double limit = met ? fmin(meeting.tick, until) : until;
        oracle_answer before = oracle_meet(own, &others[i], from, limit, margin, 1e-5, 16);
        if (before.deepest > 1e-5)
            test_failed(__FILE__, __LINE__, "case %u: body %u is met %g m deep before tick %g", number, i,
                        before.deepest, limit);
    }
    if (!met)
        return;
    // Right after the meeting they are nearer than they may be, or so by a hair that it does not show in
    // steps.
    oracle_answer with = oracle_meet(own, &others[meeting.body], from, fmin(meeting.tick + 1.0 / 512, until),
                                     margin, -1e-3, 512);
    if (!(with.first <= meeting.tick + 1.0 / 256))
        test_failed(__FILE__, __LINE__, "case %u: body %u is not near at tick %g", number, meeting.body,
                    meeting.tick);
}

TEST(the_first_meeting_is_that_of_a_slow_model) {
    tr_random random = tr_random_seed(11);
    uint32_t met_count = 0, near_count = 0;
    for (uint32_t number = 0; number < 3000; number++) {
        tr_timeline *timeline = make_timeline(NULL);
        uint64_t now = tr_random_below(&random, 60);
        oracle_body others[6], own = oracle_wander(&random, 3, now);
        uint32_t count = tr_random_below(&random, 7);
        for (uint32_t i = 0; i < count; i++) {
            others[i] = oracle_wander(&random, 3, 0);
            CHECK_INT(add(timeline, &others[i]), i);
        }
        tr_timeline_set_now(timeline, now);
        float margin = tr_random_below(&random, 2) ? tr_random_between(&random, 0, 0.4f) : 0;
        bool rest = tr_random_below(&random, 2) != 0;
        tr_timeline_motion motion = oracle_motion(&own, margin, rest);
        tr_timeline_meeting meeting;
        bool met = tr_timeline_meets(timeline, &motion, &meeting);
        CHECK(met ? isfinite(meeting.tick) : meeting.body == TR_NONE);
        check_first(&own, others, count, now, margin, rest, met, meeting, number);
        met_count += met;
        near_count += met && meeting.tick == (double)own.begin;
        tr_timeline_destroy(timeline);
    }
    CHECK(met_count > 600 && met_count < 2500);
    CHECK(near_count < met_count / 2);
}

TEST(bodies_that_touch_do_not_meet) {
    tr_timeline *timeline = make_timeline(NULL);
    oracle_body other = {.positions = {{0, 0, 0}}, .count = 1, .radius = 0.25f, .height = 2};
    add(timeline, &other);
    oracle_body own = {.count = 3, .radius = 0.5f, .height = 2};
    own.positions[0] = tr_vec3_make(-2, 0, 1), own.positions[1] = tr_vec3_make(0, 0, 1),
    own.positions[2] = tr_vec3_make(2, 0, 1);
    tr_timeline_motion motion = oracle_motion(&own, 0.25f, true); // 0.25 + 0.5 + 0.25 = 1 exactly
    tr_timeline_meeting meeting;
    CHECK(!tr_timeline_meets(timeline, &motion, &meeting));
    for (uint32_t i = 0; i < 3; i++)
        own.positions[i].z = 0.9999f;
    CHECK(tr_timeline_meets(timeline, &motion, &meeting));
    CHECK(meeting.body == 0 && meeting.at_rest && meeting.tick > 0.9 && meeting.tick < 1);
    // above its head, and just not
    for (uint32_t i = 0; i < 3; i++)
        own.positions[i].y = 2;
    CHECK(!tr_timeline_meets(timeline, &motion, &meeting));
    own.positions[1].y = 1.9999f;
    CHECK(tr_timeline_meets(timeline, &motion, &meeting));
    tr_timeline_destroy(timeline);
}

// One at rest at the origin, the other along x from one place to others, one a tick.
static bool meets_on_x(tr_timeline *timeline, const float *x, uint32_t count, float margin, double *tick) {
    tr_vec3 positions[8];
    for (uint32_t i = 0; i < count; i++)
        positions[i] = tr_vec3_make(x[i], 0, 0);
    tr_timeline_motion motion = {.positions = positions,
                                 .count = count,
                                 .radius = 0.5f,
                                 .height = 1,
                                 .self = TR_NONE,
                                 .rest = true,
                                 .margin = margin};
    tr_timeline_meeting meeting;
    bool met = tr_timeline_meets(timeline, &motion, &meeting);
    *tick = meeting.tick;
    return met;
}

TEST(who_is_too_near_may_go_away_but_not_nearer) {
    tr_timeline *timeline = make_timeline(NULL);
    oracle_body other = {.positions = {{0, 0, 0}}, .count = 1, .radius = 0.5f, .height = 1};
    add(timeline, &other);
    double tick;
    // within the margin: away, along, and back to where it was
    CHECK(!meets_on_x(timeline, (float[]){1.1f, 1.3f, 1.6f}, 3, 0.5f, &tick));
    CHECK(!meets_on_x(timeline, (float[]){1.1f, 1.1f, 1.1f}, 3, 0.5f, &tick));
    CHECK(!meets_on_x(timeline, (float[]){1.1f, 1.3f, 1.1f}, 3, 0.5f, &tick));
    CHECK(meets_on_x(timeline, (float[]){1.1f, 1.09f}, 2, 0.5f, &tick) && tick < 0.02);
    // having been outside the margin, it holds
    CHECK(meets_on_x(timeline, (float[]){1.1f, 1.6f, 1.4f}, 3, 0.5f, &tick));
    CHECK_NEAR(tick, 1.5, 1e-6);
    // inside each other: away; not deeper; and not back once they were apart
    CHECK(!meets_on_x(timeline, (float[]){0.5f, 0.8f, 1.2f}, 3, 0.5f, &tick));
    CHECK(!meets_on_x(timeline, (float[]){0.5f, 0.5f}, 2, 0.5f, &tick));
    CHECK(meets_on_x(timeline, (float[]){0.5f, 0.4f}, 2, 0.5f, &tick) && tick == 0);
    CHECK(meets_on_x(timeline, (float[]){0.5f, 1.2f, 0.8f}, 3, 0.5f, &tick));
    CHECK_NEAR(tick, 1.5, 1e-6);
    // nearer than the margin by less than the hair, it still does not come to overlap
    CHECK(meets_on_x(timeline, (float[]){1.00005f, 0.99f}, 2, 0.5f, &tick));
    CHECK_NEAR(tick, 0.00005 / 0.01005, 1e-2);
    tr_timeline_destroy(timeline);
}

TEST(a_strict_motion_meets_whoever_is_too_near_at_its_beginning) {
    tr_timeline *timeline = make_timeline(NULL);
    oracle_body other = {.positions = {{0, 0, 0}}, .count = 1, .radius = 0.5f, .height = 1};
    add(timeline, &other);
    oracle_body own = {.positions = {{1.1f, 0, 0}, {2, 0, 0}}, .count = 2, .radius = 0.5f, .height = 1};
    for (int rest = 0; rest < 2; rest++)
        for (own.count = 1; own.count <= 2; own.count++) {
            tr_timeline_motion motion = oracle_motion(&own, 0.2f, rest);
            tr_timeline_meeting meeting;
            CHECK(!tr_timeline_meets(timeline, &motion, &meeting));
            motion.strict = true;
            CHECK(tr_timeline_meets(timeline, &motion, &meeting) && meeting.tick == 0 && meeting.body == 0);
            motion.margin = 0.05f;
            CHECK(!tr_timeline_meets(timeline, &motion, &meeting));
        }
    tr_timeline_destroy(timeline);
}

TEST(bodies_far_away_change_nothing) {
    tr_random random = tr_random_seed(12);
    tr_timeline *timeline = make_timeline(NULL), *crowded = make_timeline(NULL);
    for (uint32_t i = 0; i < 40; i++) {
        oracle_body body = oracle_wander(&random, 10, 0);
        CHECK_INT(add(timeline, &body), i);
        CHECK_INT(add(crowded, &body), i);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        oracle_body body = oracle_wander(&random, 10, 0);
        float far = i % 3 ? 200 : -9e6f;
        for (uint32_t k = 0; k < body.count; k++)
            body.positions[k].x += far, body.positions[k].z += i % 5 ? 0 : 4e6f;
        add(crowded, &body);
    }
    uint32_t met = 0;
    for (uint32_t i = 0; i < 500; i++) {
        oracle_body own = oracle_wander(&random, 10, 0);
        tr_timeline_motion motion = oracle_motion(&own, 0.1f, true);
        tr_timeline_meeting a, b;
        bool one = tr_timeline_meets(timeline, &motion, &a), two = tr_timeline_meets(crowded, &motion, &b);
        CHECK(one == two && a.body == b.body && (a.tick == b.tick) && a.at_rest == b.at_rest);
        met += one;
        uint32_t first[64], second[64];
        uint32_t found = tr_timeline_near(timeline, own.positions[0], 2, 1, 1, first, 64);
        CHECK_INT(tr_timeline_near(crowded, own.positions[0], 2, 1, 1, second, 64), found);
        CHECK(memcmp(first, second, found * sizeof *first) == 0);
    }
    CHECK(met > 100 && met < 500);
    tr_timeline_destroy(timeline);
    tr_timeline_destroy(crowded);
}

TEST(at_the_same_time_the_lowest_body_is_met) {
    for (int turn = 0; turn < 2; turn++) {
        tr_timeline *timeline = make_timeline(NULL);
        oracle_body left = {.positions = {{-1, 0, 0}}, .count = 1, .radius = 0.25f, .height = 2},
                    right = left;
        right.positions[0].x = 1;
        add(timeline, turn ? &left : &right);
        add(timeline, turn ? &right : &left);
        oracle_body own = {.positions = {{0, 0, 4}, {0, 0, -4}}, .count = 2, .radius = 0.9f, .height = 1};
        tr_timeline_motion motion = oracle_motion(&own, 0, false);
        tr_timeline_meeting meeting;
        CHECK(tr_timeline_meets(timeline, &motion, &meeting));
        CHECK_INT(meeting.body, 0);
        tr_timeline_destroy(timeline);
    }
}

static bool comes_near(const oracle_body *body, tr_vec3 point, double reach, double low, double high,
                       double from, double slack) {
    for (double tick = from; tick < from + 110; tick += 1.0 / 16) {
        oracle_place at = oracle_at(body, tick);
        oracle_place centre = {point.x, point.y, point.z};
        if (oracle_distance(at, centre) < reach - slack && at.y < (double)point.y + high - slack &&
            at.y + body->height > (double)point.y - low + slack)
            return true;
    }
    return false;
}

TEST(who_comes_near_is_found_in_rising_order) {
    tr_random random = tr_random_seed(13);
    for (uint32_t number = 0; number < 300; number++) {
        tr_timeline *timeline = make_timeline(NULL);
        oracle_body bodies[30];
        for (uint32_t i = 0; i < 30; i++) {
            bodies[i] = oracle_wander(&random, 12, 0);
            add(timeline, &bodies[i]);
        }
        uint64_t now = tr_random_below(&random, 50);
        tr_timeline_set_now(timeline, now);
        tr_vec3 point = oracle_point(&random, 12);
        point.y = tr_random_between(&random, -1, 2);
        float reach = tr_random_between(&random, 0, 5), low = tr_random_between(&random, 0, 1),
              high = 1 - low / 2;
        uint32_t list[30], few[4], found = tr_timeline_near(timeline, point, reach, low, high, list, 30),
                                   at = 0;
        CHECK_INT(tr_timeline_near(timeline, point, reach, low, high, few, 4), found);
        CHECK(memcmp(few, list, (found < 4 ? found : 4) * sizeof *few) == 0);
        for (uint32_t i = 0; i < 30; i++) {
            bool is_listed = at < found && list[at] == i;
            at += is_listed;
            if (is_listed ? !comes_near(&bodies[i], point, reach, low, high, (double)now, -0.1)
                          : comes_near(&bodies[i], point, reach, low, high, (double)now, 1e-5))
                test_failed(__FILE__, __LINE__, "case %u: body %u is %s", number, i,
                            is_listed ? "listed" : "not listed");
        }
        CHECK_INT(at, found);
        tr_timeline_destroy(timeline);
    }
}

// A crowd in a small square, everybody with random wishes: whoever would meet somebody keeps to the motion it
// has.
TEST(bodies_that_commit_only_to_free_motions_never_overlap) {
    enum { CROWD = 24, UNTIL = 600 };
    tr_random random = tr_random_seed(16);
    tr_timeline *timeline = make_timeline(NULL);
    float radius[CROWD];
    double distance[CROWD][CROWD];
    uint32_t committed = 0, refused = 0;
    for (uint32_t i = 0; i < CROWD; i++) {
        uint32_t body;
        radius[i] = tr_random_between(&random, 0.15f, 0.4f);
        tr_vec3 at = {1.5f * (float)(i % 6), 0, 1.5f * (float)(i / 6)};
        CHECK_INT(tr_timeline_add(timeline, at, radius[i], 1.8f, &body, NULL), TR_OK);
    }
    for (uint64_t tick = 0; tick < UNTIL; tick++) {
        tr_timeline_set_now(timeline, tick);
        for (uint32_t wish = 0; wish < 8; wish++) {
            uint32_t body = tr_random_below(&random, CROWD);
            oracle_body own = oracle_wander(&random, 1, tick);
            tr_vec3 from = tr_timeline_at(timeline, body, (double)tick), first = own.positions[0];
            own.begin = tick, own.radius = radius[body], own.height = 1.8f;
            for (uint32_t i = 0; i < own.count; i++) {
                own.positions[i].x += from.x - first.x;
                own.positions[i].z += from.z - first.z;
                own.positions[i].y = 0;
            }
            own.positions[0] = from;
            tr_timeline_motion motion = oracle_motion(&own, 0.1f, true);
            motion.self = body;
            tr_timeline_meeting meeting;
            bool met = tr_timeline_meets(timeline, &motion, &meeting);
            if (!met)
                CHECK_INT(tr_timeline_commit(timeline, body, tick, own.positions, own.count), TR_OK);
            committed += !met, refused += met;
        }
        for (uint32_t k = 0; k < 4; k++)
            for (uint32_t i = 0; i < CROWD; i++)
                for (uint32_t other = 0; other < i; other++) {
                    double at = (double)tick + k / 4.0;
                    tr_vec3 a = tr_timeline_at(timeline, i, at), b = tr_timeline_at(timeline, other, at);
                    distance[i][other] = tr_vec3_length(tr_vec3_subtract(a, b));
                    if (distance[i][other] < (double)radius[i] + radius[other] - 1e-5)
                        test_failed(__FILE__, __LINE__, "%u and %u are %g m apart at tick %g", i, other,
                                    distance[i][other], at);
                }
    }
    CHECK(committed > 500 && refused > 500);
    tr_timeline_destroy(timeline);
}

TEST(a_track_is_read_back_as_it_was_committed) {
    tr_random random = tr_random_seed(14);
    tr_timeline *timeline = make_timeline(NULL);
    uint32_t number = TR_NONE;
    CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(1, 2, 3), 0.3f, 1.8f, &number, NULL), TR_OK);
    tr_timeline_track track = tr_timeline_track_of(timeline, number);
    CHECK(track.count == 1 && track.x[0] == 1 && track.y[0] == 2 && track.z[0] == 3);
    for (uint32_t round = 0; round < 200; round++) {
        oracle_body body = oracle_wander(&random, 5, round);
        CHECK_INT(tr_timeline_commit(timeline, number, body.begin, body.positions, body.count), TR_OK);
        track = tr_timeline_track_of(timeline, number);
        CHECK(track.begin == body.begin && track.count == body.count && track.radius == 0.3f);
        for (uint32_t i = 0; i < body.count; i++)
            CHECK(track.x[i] == body.positions[i].x && track.y[i] == body.positions[i].y &&
                  track.z[i] == body.positions[i].z);
        for (double tick = (double)body.begin - 3; tick < (double)body.begin + 70; tick += 0.37) {
            oracle_place at = oracle_at(&body, tick);
            tr_vec3 told = tr_timeline_at(timeline, number, tick);
            CHECK(fabs(at.x - told.x) < 1e-5 && fabs(at.y - told.y) < 1e-5 && fabs(at.z - told.z) < 1e-5);
        }
    }
    CHECK(isnan(tr_timeline_at(timeline, 7, 0).x) && isnan(tr_timeline_at(timeline, number, NAN).x));
    CHECK_INT(tr_timeline_track_of(timeline, 7).count, 0);
    tr_timeline_destroy(timeline);
}

TEST(a_removed_body_is_met_no_more_and_its_number_is_used_again) {
    tr_random random = tr_random_seed(15);
    tr_timeline *timeline = make_timeline(NULL);
    bool there[50] = {false};
    oracle_body bodies[50];
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t number = tr_random_below(&random, 50);
        if (there[number]) {
            tr_timeline_remove(timeline, number);
            tr_timeline_remove(timeline, number); // nothing happens
            there[number] = false;
        } else {
            oracle_body body = oracle_wander(&random, 8, 0);
            uint32_t given = add(timeline, &body);
            REQUIRE(given < 50 && !there[given]);
            there[given] = true;
            bodies[given] = body;
        }
        tr_vec3 point = oracle_point(&random, 8);
        uint32_t list[50], found = tr_timeline_near(timeline, point, 3, 0, 1, list, 50);
        for (uint32_t i = 0; i < found; i++)
            CHECK(list[i] < 50 && there[list[i]] && comes_near(&bodies[list[i]], point, 3, 0, 1, 0, -0.1));
        if (!there[number])
            CHECK_INT(tr_timeline_commit(timeline, number, 0, &point, 1), TR_INVALID);
    }
    tr_timeline_destroy(timeline);
}

TEST(a_body_may_have_room_for_a_longer_motion) {
    tr_timeline *timeline = make_timeline(&(tr_timeline_def){.ticks_max = 8});
    uint32_t bodies[2];
    static tr_vec3 positions[TR_TIMELINE_TICKS_MAX];
    for (uint32_t i = 0; i < TR_TIMELINE_TICKS_MAX; i++)
        positions[i] = tr_vec3_make(0.01f * (float)i, 0, 0);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(0, 0, 5 * (float)i), 0.3f, 2, &bodies[i], NULL),
                  TR_OK);
    CHECK_INT(tr_timeline_commit(timeline, bodies[0], 0, positions, 5), TR_OK);
    CHECK_INT(tr_timeline_reserve(timeline, bodies[0], TR_TIMELINE_TICKS_MAX + 1, NULL), TR_LIMIT);
    CHECK_INT(tr_timeline_reserve(timeline, 77, 10, NULL), TR_LIMIT);
    for (uint32_t count = 9; count <= TR_TIMELINE_TICKS_MAX; count = 2 * count + 1) {
        if (count == 9)
            CHECK_INT(tr_timeline_commit(timeline, bodies[0], 0, positions, count), TR_LIMIT);
        tr_vec3 at = tr_timeline_at(timeline, bodies[0], 3);
        CHECK_INT(tr_timeline_reserve(timeline, bodies[0], count, NULL), TR_OK);
        CHECK_NEAR((double)tr_timeline_at(timeline, bodies[0], 3).x, (double)at.x, 0);
        CHECK_INT(tr_timeline_commit(timeline, bodies[0], 0, positions, count), TR_OK);
        CHECK_NEAR((double)tr_timeline_at(timeline, bodies[0], 1e6).x, 0.01 * (count - 1), 1e-5);
        CHECK_INT(tr_timeline_commit(timeline, bodies[1], 0, positions, 9), TR_LIMIT);
    }
    tr_timeline_destroy(timeline);
}

TEST(bad_numbers_are_refused) {
    tr_error error;
    tr_timeline *timeline = NULL;
    CHECK_INT(tr_timeline_create(&(tr_timeline_def){.tick = -1}, &timeline, &error), TR_INVALID);
    CHECK_INT(tr_timeline_create(&(tr_timeline_def){.tick = NAN}, &timeline, &error), TR_INVALID);
    CHECK_INT(tr_timeline_create(&(tr_timeline_def){.doubt = NAN}, &timeline, &error), TR_INVALID);
    CHECK_INT(tr_timeline_create(&(tr_timeline_def){.object_sight = -1}, &timeline, &error), TR_INVALID);
    CHECK_INT(tr_timeline_create(&(tr_timeline_def){.object_sight = INFINITY}, &timeline, &error), TR_LIMIT);
    CHECK_INT(
        tr_timeline_create(&(tr_timeline_def){.ticks_max = TR_TIMELINE_TICKS_MAX + 1}, &timeline, &error),
        TR_LIMIT);
    CHECK(timeline == NULL);
    timeline = make_timeline(&(tr_timeline_def){.ticks_max = 8});
    uint32_t body;
    CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(NAN, 0, 0), 1, 1, &body, &error), TR_INVALID);
    CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(0, 2e7f, 0), 1, 1, &body, &error), TR_INVALID);
    CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(0, 0, 0), -1, 1, &body, &error), TR_INVALID);
    CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(0, 0, 0), 1, INFINITY, &body, &error), TR_INVALID);
    CHECK_INT(tr_timeline_add(timeline, tr_vec3_make(0, 0, 0), 1, 1, &body, &error), TR_OK);
    tr_vec3 positions[9] = {{0, 0, 0}};
    CHECK_INT(tr_timeline_commit(timeline, body, 0, positions, 0), TR_INVALID);
    CHECK_INT(tr_timeline_commit(timeline, body, 0, positions, 9), TR_LIMIT);
    CHECK_INT(tr_timeline_commit(timeline, 1, 0, positions, 1), TR_INVALID);
    positions[5].y = NAN;
    CHECK_INT(tr_timeline_commit(timeline, body, 0, positions, 8), TR_INVALID);
    CHECK_INT(tr_timeline_track_of(timeline, body).count, 1);
    tr_timeline_set_now(timeline, 10);
    tr_timeline_set_now(timeline, 3);
    CHECK_INT(tr_timeline_now(timeline), 10);
    CHECK_INT(tr_timeline_commit(timeline, body, 9, positions, 1), TR_INVALID);
    CHECK_INT(tr_timeline_commit(timeline, body, UINT64_MAX, positions, 1), TR_INVALID);
    tr_timeline_motion motion = {
        .begin = 10, .positions = positions, .count = 8, .radius = 1, .height = 1, .self = TR_NONE};
    tr_timeline_meeting meeting;
    CHECK(tr_timeline_meets(timeline, &motion, &meeting) && meeting.tick == 10 && meeting.body == TR_NONE);
    positions[5].y = 0;
    CHECK(!tr_timeline_meets(timeline, &motion, &meeting)); // inside from the beginning
    motion.count = 9;
    CHECK(tr_timeline_meets(timeline, &motion, &meeting) && meeting.body == TR_NONE);
    motion.count = 0;
    CHECK(tr_timeline_meets(timeline, &motion, &meeting));
    motion.count = 1, motion.margin = NAN;
    CHECK(tr_timeline_meets(timeline, &motion, &meeting));
    CHECK_INT(tr_timeline_near(timeline, tr_vec3_make(NAN, 0, 0), 1, 1, 1, &body, 1), 0);
    CHECK_INT(tr_timeline_near(timeline, tr_vec3_make(0, 0, 0), NAN, 1, 1, &body, 1), 0);
    CHECK_INT(tr_timeline_near(timeline, tr_vec3_make(0, 0, 0), 1e7f, 1, 1, &body, 1), 1);
    tr_timeline_destroy(timeline);
    tr_timeline_destroy(NULL);
}

static bool build_up(const tr_allocator *allocator) {
    tr_timeline *timeline = NULL;
    if (tr_timeline_create(&(tr_timeline_def){.allocator = allocator}, &timeline, NULL) != TR_OK)
        return false;
    bool done = true;
    for (uint32_t i = 0; i < 100 && done; i++) {
        uint32_t body, list[100];
        tr_vec3 at = {(float)i, 0, 0};
        done = tr_timeline_add(timeline, at, 0.3f, 1.8f, &body, NULL) == TR_OK;
        CHECK_INT(tr_timeline_near(timeline, tr_vec3_make(50, 0, 0), 1000, 1, 1, list, 100), i + done);
        if (done && i % 3 == 0)
            CHECK_INT(tr_timeline_commit(timeline, body, 0, &at, 1), TR_OK);
    }
    tr_timeline_destroy(timeline);
    return done;
}

TEST(no_memory_is_reported_and_nothing_is_lost) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(build_up) > 100);
}
