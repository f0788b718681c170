// Streams: how far people keep behind each other, and where in a corridor they walk.
#include "block.h"
#include "stage/actor/character.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/stage/stage.h"

#include <math.h>

#define PEOPLE_MAX 64
#define OVERLAP 1e-4f // of discs, for rounding [m]

// Seyfried et al. 2005: from the middle of one to that of the next, by speed.
#define DISTANCE(speed) (0.36f + 1.06f * (speed))

typedef struct stream {
    tr_scene *scene;
    tr_stage *stage;
    tr_actor_id people[PEOPLE_MAX];
    uint32_t count;
    float radius, width, length;
} stream;

// A corridor along +Z between two walls, without anybody.
static bool open_stream(stream *s, float width, float length, float radius, float margin, uint64_t seed) {
    *s = (stream){.radius = radius, .width = width, .length = length};
    float half = 0.5f * width;
    bool good = some_character() && tr_scene_create(NULL, &s->scene) == TR_OK;
    if (good) {
        add_block(s->scene, "floor", tr_vec3_make(-half - 1, -0.2f, -1), tr_vec3_make(half + 1, 0, length));
        add_block(s->scene, "right", tr_vec3_make(-half - 0.2f, 0, -1), tr_vec3_make(-half, 2.2f, length));
        add_block(s->scene, "left", tr_vec3_make(half, 0, -1), tr_vec3_make(half + 0.2f, 2.2f, length));
    }
    tr_stage_def def = tr_stage_def_default(s->scene);
    def.area = (tr_box){{-half - 1, -0.5f, -1}, {half + 1, 3, length}};
    def.margin = margin;
    def.seed = seed;
    good = good && tr_stage_create(&def, &s->stage, NULL) == TR_OK;
    CHECK(good);
    return good;
}

static void close_stream(stream *s) {
    tr_stage_destroy(s->stage);
    tr_scene_destroy(s->scene);
}

static tr_vec3 place_of(const stream *s, uint32_t i) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(s->stage, s->people[i], &view), TR_OK);
    return view.position;
}

// Adds somebody who goes to the other end. false: there is no room.
static bool add(stream *s, float x, float z, float speed, bool back) {
    tr_stage_actor_def def = {.character = some_character(),
                              .position = {x, 0, z},
                              .heading = back ? 3.14159f : 0,
                              .radius = s->radius,
                              .speed = speed,
                              .plain = 1};
    tr_order go = {.kind = TR_ORDER_GO, .goal = {x, 0, back ? 0 : s->length - 1}};
    if (tr_stage_add_actor(s->stage, &def, &s->people[s->count], NULL) != TR_OK)
        return false;
    CHECK_INT(tr_stage_order(s->stage, s->people[s->count++], &go, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    return true;
}

static void run(stream *s, double seconds) {
    for (double time = 0; time < seconds; time += TR_STAGE_TICK)
        CHECK(tr_stage_step(s->stage, TR_STAGE_TICK, NULL) <= TR_DONE);
    for (uint32_t i = 0; i < s->count; i++) {
        tr_stage_counters counters = tr_stage_counters_of(s->stage, s->people[i]);
        CHECK(counters.nearest > -OVERLAP);
        CHECK_INT(counters.deviations, 0);
    }
}

TEST(people_in_single_file_keep_the_distance_that_people_keep) {
    tr_random random = tr_random_seed(15);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        stream s;
        float radius = tr_random_between(&random, 0.18f, 0.26f),
              pace = tr_random_between(&random, 0.4f, 1.1f);
        float z = 0;
        REQUIRE(open_stream(&s, 2 * radius + 0.35f, 50, radius, 0.05f, seed));
        for (int i = 0; i < 5; i++, z += DISTANCE(pace) + tr_random_between(&random, 0.05f, 0.5f))
            REQUIRE(
                add(&s, 0, z, 1.09f * pace, false)); // hardly faster: nobody looks for room beside the others
        CHECK_INT(tr_stage_set_speed(s.stage, s.people[s.count - 1], pace), TR_OK);
        run(&s, 30);
        double before[PEOPLE_MAX];
        for (uint32_t i = 0; i < s.count; i++)
            before[i] = (double)place_of(&s, i).z;
        run(&s, 2);
        for (uint32_t i = 0; i + 1 < s.count; i++) {
            double at = (double)place_of(&s, i).z, next = (double)place_of(&s, i + 1).z;
            CHECK_NEAR((at - before[i]) / 2, (double)pace, 0.06);
            CHECK_NEAR(next - at, DISTANCE(pace), 0.1);
        }
        close_stream(&s);
    }
}

// People scattered over the corridor, as many as there is room for in some tries.
static void scatter(stream *s, uint32_t count, float length, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    float half = 0.5f * s->width - s->radius - 0.1f;
    for (int tries = 0; tries < 3000 && s->count < count; tries++) {
        float x = tr_random_between(&random, -half, half), z = tr_random_between(&random, 0, length);
        bool free = true;
        for (uint32_t i = 0; i < s->count && free; i++) {
            tr_vec3 its = place_of(s, i);
            free = hypotf(its.x - x, its.z - z) > 2 * s->radius + 0.05f;
        }
        if (free)
            add(s, x, z, tr_random_between(&random, 1.2f, 1.6f), false);
    }
    CHECK_INT(s->count, count);
}

static double mean_of(const stream *s, bool along) {
    double sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        sum += (double)(along ? place_of(s, i).z : place_of(s, i).x) / s->count;
    return sum;
}

TEST(a_stream_in_one_direction_fills_its_corridor) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        stream s;
        REQUIRE(open_stream(&s, 3, 46, 0.22f, 0.02f, seed));
        scatter(&s, 48, 16, seed); // one on a square metre
        double begin = mean_of(&s, true), spread = 0;
        run(&s, 12);
        double middle = mean_of(&s, false);
        for (uint32_t i = 0; i < s.count; i++)
            spread += pow((double)place_of(&s, i).x - middle, 2) / s.count;
        CHECK_NEAR(middle, 0, 0.2);
        CHECK(sqrt(spread) > 0.5);
        CHECK((mean_of(&s, true) - begin) / 12 > 1.05); // with the time to set out
        close_stream(&s);
    }
}

TEST(people_walk_more_slowly_the_more_of_them_there_are) {
    double before = 1.5;
    for (uint32_t people = 12; people <= 60; people += 24) {
        stream s;
        REQUIRE(open_stream(&s, 3, 36, 0.22f, 0.02f, 7));
        scatter(&s, people, 12, 7); // 0.33, 1 and 1.67 on a square metre
        double begin = mean_of(&s, true);
        run(&s, 8);
        double speed = (mean_of(&s, true) - begin) / 8;
        CHECK(speed < before);
        CHECK(speed > 0.6);
        before = speed;
        close_stream(&s);
    }
}

TEST(a_stream_that_others_come_against_keeps_to_the_right) {
    stream s;
    REQUIRE(open_stream(&s, 3, 40, 0.22f, 0.1f, 3));
    for (int i = 0; i < 8; i++) {
        CHECK(add(&s, i % 2 ? 0.5f : -0.5f, 0.5f + (float)i, 1.3f, false));
        CHECK(add(&s, i % 2 ? 0.5f : -0.5f, 38.5f - (float)i, 1.3f, true));
    }
    run(&s, 9);
    uint32_t right = 0;
    for (uint32_t i = 0; i < s.count; i++) // seen along +Z, the right is -X
        right += (place_of(&s, i).x < 0) == (i % 2 == 0);
    CHECK(right >= s.count - 1);
    run(&s, 30);
    for (uint32_t i = 0; i < s.count; i++) {
        tr_order_report report;
        CHECK_INT(tr_stage_order_report(s.stage, s.people[i], 0, &report), TR_OK);
        CHECK_INT(report.state, TR_ORDER_DONE);
    }
    close_stream(&s);
}
