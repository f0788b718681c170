// Ways in time: compared with a plain search over all places and ticks, and by looking at the discs.
#include "go_world.h"

#include "troupe/base/random.h"

#define DT 0.1
#define OTHERS 5
#define MOVES 120
#define RADIUS 0.3f
#define MARGIN 0.1f
#define MOST 700 // ticks that the plain search looks at

typedef struct traffic {
    tr_timeline *timeline;
    tr_vec3 at[OTHERS][MOVES];
    uint32_t count;
} traffic;

static tr_vec3 other_at(const traffic *t, uint32_t who, double tick) {
    if (tick >= MOVES - 1)
        return t->at[who][MOVES - 1];
    uint32_t i = (uint32_t)tick;
    return tr_vec3_add(t->at[who][i],
                       tr_vec3_scale(tr_vec3_subtract(t->at[who][i + 1], t->at[who][i]), (float)(tick - i)));
}

static bool open_traffic(traffic *t) {
    memset(t, 0, sizeof *t);
    tr_timeline_def def = {.tick = DT, .ticks_max = TR_TIMELINE_TICKS_MAX};
    return tr_timeline_create(&def, &t->timeline, NULL) == TR_OK;
}

// Somebody who goes straight at an even pace, and stays.
static void add_other(traffic *t, tr_vec3 from, tr_vec3 to, uint32_t begin, float speed) {
    float length = tr_vec3_length(tr_vec3_subtract(to, from));
    uint32_t body;
    for (uint32_t i = 0; i < MOVES; i++) {
        float gone = i > begin ? (float)(i - begin) * speed * (float)DT : 0,
              share = length > 0 ? gone / length : 1;
        t->at[t->count][i] =
            tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), share < 1 ? share : 1));
    }
    CHECK_INT(tr_timeline_add(t->timeline, from, RADIUS, 1.75f, &body, NULL), TR_OK);
    CHECK_INT(tr_timeline_commit(t->timeline, body, 0, t->at[t->count], MOVES), TR_OK);
    t->count++;
}

// The least distance to anybody in a tick that leads straight from one place to another.
static float nearest_in_tick(const traffic *t, tr_vec3 from, tr_vec3 to, uint32_t tick) {
    float least = INFINITY;
    for (uint32_t who = 0; who < t->count; who++)
        for (int k = 0; k <= 8; k++) {
            tr_vec3 other = other_at(t, who, tick + k / 8.0);
            tr_vec3 at = tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), (float)k / 8));
            least = fminf(least, hypotf(at.x - other.x, at.z - other.z));
        }
    return least;
}

static bool stays_free(const traffic *t, tr_vec3 at, uint32_t tick, float apart) {
    for (uint32_t i = tick; i < MOVES + 1 || i == tick; i++)
        if (nearest_in_tick(t, at, at, i) < apart)
            return false;
    return true;
}

// Ticks until the goal of the way when all that keeps it `apart` from others is tried; UINT32_MAX: never.
static uint32_t plain_search(const traffic *t, const tr_way *way, float apart) {
    static bool here[MOST], next[MOST];
    uint32_t places = (uint32_t)((double)way->points[way->point_count - 1].time / DT) + 2;
    memset(here, 0, sizeof here);
    here[0] = true;
    for (uint32_t tick = 0; tick < MOST; tick++) {
        tr_vec3 goal = tr_way_at_time(way, (places - 1) * DT);
        if (here[places - 1] && stays_free(t, goal, tick, apart))
            return tick;
        memset(next, 0, sizeof next);
        for (uint32_t i = 0; i < places && i <= tick; i++) {
            tr_vec3 a = tr_way_at_time(way, i * DT), b = tr_way_at_time(way, (i + 1) * DT);
            if (!here[i])
                continue;
            next[i] = next[i] || nearest_in_tick(t, a, a, tick) >= apart;
            if (i + 1 < places)
                next[i + 1] = next[i + 1] || nearest_in_tick(t, a, b, tick) >= apart;
        }
        memcpy(here, next, sizeof here);
    }
    return UINT32_MAX;
}

static void check_times(const traffic *t, const tr_way *way, float apart) {
    go_check_way(way);
    uint32_t ticks = (uint32_t)((double)way->points[way->point_count - 1].time / DT) + 2;
    for (uint32_t i = 0; i < ticks; i++) {
        tr_vec3 a = tr_way_at_time(way, i * DT), b = tr_way_at_time(way, (i + 1) * DT);
        CHECK(nearest_in_tick(t, a, b, i) > apart);
    }
    CHECK(stays_free(t, way->points[way->point_count - 1].position, ticks, apart));
}

static tr_vec3 random_place(const go_world *w, tr_random *random) {
    for (;;) {
        tr_vec3 point = {tr_random_between(random, -5.5f, 5.5f), 0, tr_random_between(random, -5.5f, 5.5f)};
        if (tr_ground_is_free(w->ground, w->size, point, NULL))
            return point;
    }
}

static const tr_go_disc disc = {RADIUS, 1.75f, MARGIN, 0, DT, 60, false};

TEST(along_its_way_a_disc_arrives_as_early_as_it_can_and_meets_nobody) {
    tr_random random = tr_random_seed(21);
    go_world w;
    go_world_begin(&w);
    little_box(w.scene, little_make_box(-1, 0, -1, 1, 2, 1), 0);
    uint32_t found = 0, waited = 0, refused = 0;
    for (int run = 0; run < 300 && (run || go_world_open(&w)); run++) {
        traffic t;
        tr_vec3 from = random_place(&w, &random), to = random_place(&w, &random);
        if (go_world_find(&w, from, to, NULL, NULL) != TR_OK || !open_traffic(&t))
            continue; // the box is hollow
        for (uint32_t i = 0; i < OTHERS; i++) {
            tr_vec3 a = random_place(&w, &random), b = random_place(&w, &random);
            if (hypotf(a.x - from.x, a.z - from.z) > 2 * RADIUS + MARGIN + 0.01f)
                add_other(&t, a, b, tr_random_below(&random, 40), tr_random_between(&random, 0.5f, 2));
        }
        // Looked at eight times a tick the others seem up to 2 cm further away than they come.
        uint32_t soon = plain_search(&t, &w.way, 2 * RADIUS + MARGIN),
                 late = plain_search(&t, &w.way, 2 * RADIUS + MARGIN + 0.02f);
        tr_go_query query = tr_go_query_default(w.size);
        tr_go_pace_result result;
        tr_error error = {.message = ""};
        tr_status status = tr_go_pace(w.go, w.ground, t.timeline, &query, &disc, &w.way, &result, &error);
        if (status == TR_OK) {
            CHECK(result.ticks >= soon && result.ticks <= late);
            check_times(&t, &w.way, 2 * RADIUS + MARGIN - 0.01f);
            found++;
            waited += result.waits > 0;
        } else {
            CHECK_INT(status, TR_NOT_FOUND);
            CHECK(late == UINT32_MAX || late > 600);
            CHECK(result.body < t.count);
            CHECK_CONTAINS(error.message, "in the way");
            refused++;
        }
        tr_timeline_destroy(t.timeline);
    }
    CHECK(found > 150 && waited > 30 && refused > 5);
    go_world_close(&w);
}

TEST(who_may_leave_its_way_is_there_earlier_and_meets_nobody) {
    tr_random random = tr_random_seed(22);
    go_world w;
    go_world_begin(&w);
    uint32_t quicker = 0, saved = 0;
    for (int run = 0; run < 200 && (run || go_world_open(&w)); run++) {
        traffic t;
        tr_vec3 from = {-5, 0, tr_random_between(&random, -4, 4)},
                to = {5, 0, tr_random_between(&random, -4, 4)};
        if (!open_traffic(&t))
            break;
        for (uint32_t i = 0; i < OTHERS; i++) // some stand, some come the other way
            add_other(&t,
                      tr_vec3_make(tr_random_between(&random, 0, 4), 0, tr_random_between(&random, -5, 5)),
                      tr_vec3_make(tr_random_between(&random, -3, 3), 0, tr_random_between(&random, -5, 5)),
                      tr_random_below(&random, 20), tr_random_between(&random, 0.5f, 1.5f));
        tr_go_query query = tr_go_query_default(w.size);
        tr_go_pace_result along = {0}, around = {0};
        tr_go_disc free_disc = disc;
        free_disc.around = true;
        CHECK_INT(go_world_find(&w, from, to, NULL, NULL), TR_OK);
        tr_status first = tr_go_pace(w.go, w.ground, t.timeline, &query, &disc, &w.way, &along, NULL);
        CHECK_INT(go_world_find(&w, from, to, NULL, NULL), TR_OK);
        tr_status second = tr_go_pace(w.go, w.ground, t.timeline, &query, &free_disc, &w.way, &around, NULL);
        CHECK(first != TR_OK || second == TR_OK);
        if (second == TR_OK) {
            check_times(&t, &w.way, 2 * RADIUS + MARGIN - 0.02f);
            CHECK(first != TR_OK || around.ticks <= along.ticks);
            quicker += first == TR_OK && around.ticks < along.ticks;
            saved += first != TR_OK;
        }
        tr_timeline_destroy(t.timeline);
    }
    CHECK(quicker > 10 && saved > 3);
    go_world_close(&w);
}

TEST(a_way_that_is_too_long_or_has_no_room_for_waits_is_told) {
    go_world w;
    traffic t;
    go_world_begin(&w);
    if (go_world_open(&w) && open_traffic(&t)) {
        tr_go_query query = tr_go_query_default(w.size);
        tr_vec3 from = {-5, 0, 0}, to = {5, 0, 0};
        tr_error error = {.message = ""};
        tr_way none = {0};
        CHECK_INT(tr_go_pace(w.go, w.ground, t.timeline, &query, &disc, &none, NULL, &error), TR_INVALID);
        CHECK_INT(go_world_find(&w, from, to, NULL, NULL), TR_OK);
        tr_go_disc slow = disc;
        slow.tick_seconds = 0.001;
        CHECK_INT(tr_go_pace(w.go, w.ground, t.timeline, &query, &slow, &w.way, NULL, &error), TR_LIMIT);
        CHECK_CONTAINS(error.message, "more than 2048 ticks");
        add_other(&t, tr_vec3_make(0, 0, -4), tr_vec3_make(0, 0, 4), 0, 1.1f);
        w.way.point_max = w.way.point_count;
        CHECK_INT(tr_go_pace(w.go, w.ground, t.timeline, &query, &disc, &w.way, NULL, &error), TR_LIMIT);
        w.way.point_max = 192;
        tr_timeline_destroy(t.timeline);
    }
    go_world_close(&w);
}

static go_world shared;

static bool attempt(const tr_allocator *allocator) {
    tr_go *go = NULL;
    traffic t;
    tr_way way = {0};
    tr_status status = tr_go_create(allocator, &go, NULL);
    if (status == TR_OK)
        status = tr_way_create(NULL, 64, 16, &way, NULL);
    if (status == TR_OK && open_traffic(&t)) {
        tr_vec3 goal = {4, 0, 4};
        tr_go_query query = tr_go_query_default(shared.size);
        query.start = tr_vec3_make(-4, 0, -4);
        query.goals = &goal;
        query.goal_count = 1;
        status = tr_go_find(go, shared.ground, &query, &way, NULL, NULL);
        if (status == TR_OK)
            status = tr_go_pace(go, shared.ground, t.timeline, &query, &disc, &way, NULL, NULL);
        tr_timeline_destroy(t.timeline);
    }
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_way_destroy(NULL, &way);
    tr_go_destroy(go);
    return status == TR_OK;
}

TEST(without_memory_pacing_says_so_and_gives_everything_back) {
    go_world_begin(&shared);
    if (go_world_open(&shared))
        CHECK_EVERY_ALLOCATION_FAILURE(attempt);
    go_world_close(&shared);
}
