#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

#define DT (1.0f / 30)

typedef struct walker {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
} walker;

static bool begin(walker *w, tr_vec2 position, float heading) {
    memset(w, 0, sizeof *w);
    tr_error error = {0};
    tr_character_def kind = {.detail = 1};
    bool good = tr_character_create(&kind, &w->character, &error) == TR_OK;
    tr_actor_def def = {.character = w->character, .position = position, .heading = heading};
    good = good && tr_actor_create(&def, &w->actor, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, tr_skeleton_joint_count(w->character->skeleton), &w->scratch,
                                   &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(walker *w) {
    tr_actor_scratch_destroy(&w->scratch);
    tr_actor_destroy(w->actor);
    tr_character_destroy(w->character);
}

static tr_vec3 contact_point(const tr_character *character, const tr_affine *model, uint32_t bit) {
    const tr_foot *foot = &character->legs.feet[bit / 2];
    return bit % 2 ? tr_foot_ball(foot, model) : tr_foot_heel(foot, model);
}

// The feet as an observer sees them, frame by frame.
typedef struct observer {
    tr_vec3 planted[4];
    bool is_planted[4];
    float slide, sink; // worst so far [m]
    uint32_t plants;
} observer;

static void observe(observer *seen, const tr_actor *actor) {
    actor_look view = tr_actor_look(actor);
    for (uint32_t bit = 0; bit < 4; bit++) {
        tr_vec3 at = contact_point(view.character, view.model, bit);
        seen->sink = fmaxf(seen->sink, -at.y);
        bool touches = (view.contacts >> bit & 1) && at.y < 0.005f;
        if (touches && seen->is_planted[bit]) {
            tr_vec3 off = tr_vec3_subtract(at, seen->planted[bit]);
            seen->slide = fmaxf(seen->slide, sqrtf(off.x * off.x + off.z * off.z));
        } else if (touches) {
            seen->planted[bit] = at;
            seen->plants++;
        }
        seen->is_planted[bit] = touches;
    }
}

static uint32_t walk(walker *w, uint32_t steps, observer *seen) {
    uint32_t taken = 0;
    for (tr_status status = TR_OK; taken < steps && status == TR_OK; taken++) {
        status = tr_actor_step(w->actor, &w->scratch, INFINITY);
        CHECK(status == TR_OK || status == TR_DONE);
        if (seen)
            observe(seen, w->actor);
    }
    return taken;
}

TEST(an_actor_arrives_and_its_feet_neither_slide_nor_sink_on_a_winding_way) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        const tr_vec2 way[] = {{0, 0}, {0, 3}, {2, 5}, {2, 8}, {-1, 9}, {-3, 6}};
        CHECK_INT(tr_actor_set_route(w.actor, way, 6, NULL, NULL, 0, NULL), TR_OK);
        observer seen = {0};
        uint32_t steps = walk(&w, 3000, &seen);
        CHECK(steps < 600); // 16 m at 1.3 m/s and bends
        tr_vec2 at = tr_actor_look(w.actor).state.position;
        CHECK_NEAR(at.x, -3, 0.1);
        CHECK_NEAR(at.z, 6, 0.1);
        CHECK(seen.plants > 30);
        CHECK(seen.slide < 0.001f);
        CHECK(seen.sink < 0.0005f);
    }
    end(&w);
}

TEST(a_way_that_begins_behind_is_begun_with_a_turn_on_the_spot) {
    const float headings[] = {(float)TR_PI, -(float)TR_PI / 2, (float)TR_PI / 2, 2.2f, -0.9f};
    for (int i = 0; i < 5; i++) {
        walker w;
        if (begin(&w, (tr_vec2){0, 0}, headings[i])) {
            const tr_vec2 way[] = {{0, 0}, {0, 4}};
            CHECK_INT(tr_actor_set_route(w.actor, way, 2, NULL, NULL, 0, NULL), TR_OK);
            observer seen = {0};
            walk(&w, 1, &seen);
            CHECK_INT(tr_actor_look(w.actor).doing, TR_ACTOR_TURNS);
            uint32_t turning = 1;
            while (tr_actor_look(w.actor).doing == TR_ACTOR_TURNS && turning < 300)
                turning += walk(&w, 1, &seen);
            actor_look view = tr_actor_look(w.actor);
            CHECK_NEAR(sin(view.state.heading), 0, 0.05);
            CHECK(cos(view.state.heading) > 0.9);
            CHECK(turning < 120);
            walk(&w, 600, &seen);
            CHECK_NEAR(tr_actor_look(w.actor).state.position.z, 4, 0.1);
            CHECK(seen.slide < 0.001f);
        }
        end(&w);
    }
}

TEST(a_final_heading_is_taken_at_the_end) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        const tr_vec2 way[] = {{0, 0}, {0, 2}};
        float heading = -(float)TR_PI / 2;
        CHECK_INT(tr_actor_set_route(w.actor, way, 2, NULL, &heading, 0, NULL), TR_OK);
        walk(&w, 600, NULL);
        CHECK_NEAR(tr_actor_look(w.actor).state.heading, heading, 0.02);
        CHECK_INT(tr_actor_look(w.actor).doing, TR_ACTOR_STANDS);
    }
    end(&w);
}

TEST(ways_that_are_replaced_all_the_time_never_make_a_joint_jump) {
    walker w;
    tr_random random = tr_random_seed(7);
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        uint32_t joints = tr_skeleton_joint_count(w.character->skeleton);
        tr_vec3 last[64], speed[64];
        float worst = 0;
        for (uint32_t step = 0; step < 900; step++) {
            if (step % 25 == 0) {
                tr_vec2 at = tr_actor_look(w.actor).state.position, way[3] = {at, at, at};
                for (int i = 1; i < 3; i++) {
                    way[i].x = way[i - 1].x + tr_random_between(&random, -3, 3);
                    way[i].z = way[i - 1].z + tr_random_between(&random, -3, 3);
                }
                float pace = tr_random_between(&random, 0.6f, 2.0f);
                CHECK_INT(tr_actor_set_route(w.actor, way, 3, NULL, NULL, pace, NULL), TR_OK);
            }
            tr_actor_step(w.actor, &w.scratch, INFINITY);
            for (uint32_t j = 0; j < joints; j++) {
                tr_vec3 at = tr_affine_position(&tr_actor_look(w.actor).model[j]);
                tr_vec3 now = tr_vec3_scale(tr_vec3_subtract(at, last[j]), 1 / DT);
                if (step > 1)
                    worst = fmaxf(worst, tr_vec3_length(tr_vec3_subtract(now, speed[j])));
                last[j] = at, speed[j] = now;
            }
        }
        // A foot that lands stops within a frame or two: 3 m/s at a brisk walk. A
        // jump would be tens.
        CHECK(worst < 6);
    }
    end(&w);
}

TEST(an_actor_that_is_held_up_stops_and_goes_on) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        const tr_vec2 way[] = {{0, 0}, {0, 6}};
        CHECK_INT(tr_actor_set_route(w.actor, way, 2, NULL, NULL, 0, NULL), TR_OK);
        walk(&w, 60, NULL);
        observer seen = {0};
        for (int i = 0; i < 60; i++) {
            tr_actor_step(w.actor, &w.scratch, 0);
            observe(&seen, w.actor);
        }
        CHECK(fabsf(tr_actor_look(w.actor).state.speed) < 0.05f);
        float stood = tr_actor_look(w.actor).state.position.z;
        CHECK(stood < 5);
        walk(&w, 600, &seen);
        CHECK_NEAR(tr_actor_look(w.actor).state.position.z, 6, 0.1);
        CHECK(seen.slide < 0.001f);
    }
    end(&w);
}

TEST(an_actor_that_is_held_up_in_a_gap_goes_on_sideways_without_turning) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        const tr_vec2 way[] = {{0, 0}, {0, 2}, {0, 2.7f}, {0, 3.4f}, {0.7f, 5}};
        const uint8_t passage[] = {TR_PASSAGE_OPEN, TR_PASSAGE_SIDE, TR_PASSAGE_SIDE, TR_PASSAGE_OPEN};
        CHECK_INT(tr_actor_set_route(w.actor, way, 5, passage, NULL, 0, NULL), TR_OK);
        uint32_t held = 0, turns = 0, aside = 0;
        observer seen = {0};
        tr_status status = TR_OK;
        for (uint32_t i = 0; i < 1200 && status == TR_OK; i++) {
            actor_look view = tr_actor_look(w.actor);
            bool stop = view.state.position.z > 2.3f && held < 60;
            held += stop;
            if (held == 60 && stop)
                CHECK_INT(view.doing, TR_ACTOR_STANDS); // the step under way is finished
            status = tr_actor_step(w.actor, &w.scratch, stop ? 0 : INFINITY);
            observe(&seen, w.actor);
            view = tr_actor_look(w.actor);
            bool inside = view.state.position.z > 2.05f && view.state.position.z < 3.35f;
            turns += inside && view.doing == TR_ACTOR_TURNS;
            aside += view.doing == TR_ACTOR_SIDE_STEPS;
        }
        CHECK_INT(status, TR_DONE);
        CHECK_INT(held, 60);
        CHECK_INT(turns, 0);
        CHECK(aside > 60);
        CHECK(seen.slide < 0.001f);
        CHECK_NEAR(tr_actor_look(w.actor).state.position.z, 5, 0.1);
    }
    end(&w);
}

// Planks across the way.
static float plank(void *user, tr_vec2 point) {
    (void)user;
    float z = point.z - floorf(point.z);
    return z > 0.4f && z < 0.7f ? 0.03f : 0;
}

static float plank_most(void *user, tr_vec2 min, tr_vec2 max) {
    ++*(uint32_t *)user;
    for (float z = min.z; z < max.z; z += 0.05f)
        if (plank(user, (tr_vec2){min.x, z}) > 0)
            return 1; // higher than the floor: then every point is queried
    return plank(user, max);
}

TEST(a_floor_queried_by_area_gives_the_same_walk_as_one_queried_by_point) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        const tr_vec2 way[] = {{0, 0}, {0.3f, 6}, {4, 8}};
        uint32_t questions = 0;
        tr_actor_def def = {.character = w.character, .rise = plank, .rise_user = &questions};
        tr_actor *one = NULL, *other = NULL;
        CHECK_INT(tr_actor_create(&def, &one, NULL), TR_OK);
        def.rise_most = plank_most;
        CHECK_INT(tr_actor_create(&def, &other, NULL), TR_OK);
        tr_actor_set_route(one, way, 3, NULL, NULL, 0, NULL);
        tr_actor_set_route(other, way, 3, NULL, NULL, 0, NULL);
        uint32_t differ = 0;
        for (uint32_t i = 0; i < 400; i++) {
            tr_actor_step(one, &w.scratch, INFINITY);
            tr_actor_step(other, &w.scratch, INFINITY);
            actor_look a = tr_actor_look(one), b = tr_actor_look(other);
            differ += memcmp(a.model, b.model, a.pose->joint_count * sizeof *a.model) != 0;
        }
        CHECK_INT(differ, 0);
        CHECK(questions > 200);
        tr_actor_destroy(one);
        tr_actor_destroy(other);
    }
    end(&w);
}

TEST(invalid_actors_are_refused) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        tr_actor *actor = NULL;
        tr_error error = {0};
        CHECK_INT(tr_actor_create(&(tr_actor_def){0}, &actor, &error), TR_INVALID);
        tr_actor_def def = {.character = w.character, .position = {NAN, 0}};
        CHECK_INT(tr_actor_create(&def, &actor, &error), TR_INVALID);
        def = (tr_actor_def){.character = w.character, .speed = -1};
        CHECK_INT(tr_actor_create(&def, &actor, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "-1");
        tr_vec2 bad = {0, INFINITY};
        CHECK_INT(tr_actor_set_route(w.actor, &bad, 1, NULL, NULL, 0, &error), TR_INVALID);
        CHECK_INT(tr_actor_step(w.actor, &w.scratch, INFINITY), TR_DONE);
    }
    end(&w);
}

TEST(an_actor_needs_little_memory_and_a_tick_none) {
    walker w;
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        tr_actor *actor = NULL;
        tr_actor_def def = {.allocator = &allocator, .character = w.character};
        CHECK_INT(tr_actor_create(&def, &actor, NULL), TR_OK);
        uint64_t idle = memory.live_bytes;
        tr_vec2 way[40];
        for (uint32_t i = 0; i < 40; i++)
            way[i] = (tr_vec2){(float)(i % 2), 0.3f * (float)i};
        CHECK_INT(tr_actor_set_route(actor, way, 40, NULL, NULL, 0, NULL), TR_OK);
        uint64_t walks = memory.live_bytes, calls = memory.calls;
        for (uint32_t i = 0; i < 600; i++) {
            if (i % 50 == 49)
                CHECK_INT(tr_actor_set_route(actor, way, 40, NULL, NULL, 0, NULL), TR_OK);
            tr_actor_step(actor, &w.scratch, INFINITY);
        }
        CHECK_INT(memory.calls, calls);
        printf("        %u bytes idle, %u on a route of 40 points\n", (unsigned)idle, (unsigned)walks);
        CHECK(idle <= 16 * 1024);
        CHECK(walks <= 32 * 1024);
        // After a reservation, setting a task allocates nothing.
        CHECK_INT(tr_actor_reserve(actor, 60, 30, NULL), TR_OK);
        calls = memory.calls;
        tr_vec2 longer[60];
        tr_footstep footsteps[30];
        for (uint32_t i = 0; i < 60; i++)
            longer[i] = (tr_vec2){(float)(i % 2), 0.3f * (float)i};
        for (uint32_t i = 0; i < 30; i++)
            footsteps[i] =
                (tr_footstep){.side = i % 2, .position = {i % 2 ? -0.1f : 0.1f, 0, 0.3f * (float)i}};
        CHECK_INT(tr_actor_set_route(actor, longer, 60, NULL, NULL, 0, NULL), TR_OK);
        CHECK_INT(tr_actor_set_footsteps(actor, footsteps, 30, 0, NULL, NULL, NULL), TR_OK);
        CHECK_INT(memory.calls, calls);
        CHECK_INT(tr_actor_reserve(actor, 100000, 0, NULL), TR_LIMIT);
        CHECK_INT(tr_actor_reserve(actor, 1, TR_ACTOR_FOOTSTEPS_MAX + 1, NULL), TR_LIMIT);
        tr_actor_destroy(actor);
        CHECK_INT(memory.live_bytes, 0);
    }
    end(&w);
}

static const tr_character *shared_character;

static bool attempt(const tr_allocator *allocator) {
    tr_actor *actor = NULL;
    tr_actor_scratch scratch = {0};
    tr_actor_def def = {.allocator = allocator, .character = shared_character};
    tr_status status = tr_actor_create(&def, &actor, NULL);
    tr_vec2 way[20] = {{0, 0}};
    tr_footstep footsteps[20] = {{.side = 1, .position = {-0.1f, 0, 0.3f}}};
    for (uint32_t i = 1; i < 20; i++)
        way[i].z = 0.2f * (float)i, footsteps[i] = footsteps[0];
    if (status == TR_OK)
        status = tr_actor_set_route(actor, way, 20, NULL, NULL, 0, NULL);
    if (status == TR_OK)
        status = tr_actor_set_footsteps(actor, footsteps, 20, 0, NULL, NULL, NULL);
    if (status == TR_OK)
        status = tr_actor_reserve(actor, 50, 50, NULL);
    if (status == TR_OK)
        status = tr_actor_scratch_create(allocator, 8, &scratch, NULL);
    tr_actor_scratch_destroy(&scratch);
    tr_actor_destroy(actor);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    return status == TR_OK;
}

TEST(without_memory_there_is_no_actor_and_nothing_leaks) {
    walker w;
    if (begin(&w, (tr_vec2){0, 0}, 0)) {
        shared_character = w.character;
        CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 8);
    }
    end(&w);
}
