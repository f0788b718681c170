// The legs of one actor do not pass through each other: capsules of the left leg against those of the right.
#include "body_legs.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

#define DEEP 0.002f // [m]

typedef struct walker {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
    float dt;
} walker;

static bool begin(walker *w, float height, float dt) {
    memset(w, 0, sizeof *w);
    tr_error error = {0};
    tr_character_def kind = {.height = height, .detail = 1};
    bool good = tr_character_create(&kind, &w->character, &error) == TR_OK;
    tr_actor_def def = {.character = w->character, .dt = dt, .corridor = 0.05f};
    good = good && tr_actor_create(&def, &w->actor, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, tr_skeleton_joint_count(w->character->skeleton), &w->scratch,
                                   &error) == TR_OK;
    w->dt = dt;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(walker *w) {
    tr_actor_scratch_destroy(&w->scratch);
    tr_actor_destroy(w->actor);
    tr_character_destroy(w->character);
}

typedef struct seen {
    float depth;
    uint32_t frames, deep;
} seen;

static void step(walker *w, float limit, seen *s) {
    tr_actor_step(w->actor, &w->scratch, limit);
    actor_look view = tr_actor_look(w->actor);
    float depth = body_legs_depth(view.character, view.model);
    s->frames++;
    s->deep += depth > DEEP;
    s->depth = depth > s->depth ? depth : s->depth;
}

static void turn_by(walker *w, float angle, seen *s) {
    tr_vec2 at = tr_actor_root(w->actor)->state.position;
    float heading = tr_actor_root(w->actor)->state.heading + angle;
    tr_vec2 line[2] = {at, {at.x + 2 * sinf(heading), at.z + 2 * cosf(heading)}};
    CHECK(tr_actor_set_route(w->actor, line, 2, NULL, NULL, 0, NULL) == TR_OK);
    for (int i = 0; i < 900 && (i < 3 || tr_actor_root(w->actor)->has_route); i++)
        step(w, INFINITY, s);
}

static const float heights[] = {1.2f, 1.6f, 1.75f, 1.95f};

TEST(legs_stay_out_of_each_other_on_turns_by_every_angle) {
    for (int h = 0; h < 4; h++) {
        walker w;
        if (!begin(&w, heights[h], 1 / 30.0f))
            return;
        seen s = {0};
        for (int i = 1; i <= 24; i++) {
            turn_by(&w, (float)i * 0.13f, &s);
            turn_by(&w, (float)i * -0.13f, &s);
        }
        CHECK(s.deep == 0);
        end(&w);
    }
}

// A way of eight points with sharp bends, from where the actor is, at any speed; the same on every machine.
static void begin_winding_way(walker *w, tr_random *random) {
    tr_vec2 points[8] = {tr_actor_root(w->actor)->state.position};
    float heading = tr_actor_root(w->actor)->state.heading;
    for (int i = 1; i < 8; i++) {
        double sine, cosine;
        heading += tr_random_between(random, -1.4f, 1.4f);
        float size = tr_random_between(random, 0.3f, 1.6f);
        tr_sin_cos((double)heading, &sine, &cosine);
        points[i] = (tr_vec2){points[i - 1].x + size * (float)sine, points[i - 1].z + size * (float)cosine};
    }
    float speed = tr_random_between(random, 0.7f, 1.9f);
    CHECK(tr_actor_set_route(w->actor, points, 8, NULL, NULL, speed, NULL) == TR_OK);
}

// Bodies are turned over their feet by up to 2.5 rad/s here, and their ways change at any moment of a step.
TEST(legs_stay_out_of_each_other_on_winding_ways_and_new_ways) {
    static const float rates[] = {30, 60, 24, 48};
    seen all = {0};
    for (int walk = 0; walk < 24; walk++) {
        float height = heights[walk % 4], rate = rates[(walk + walk / 4) % 4];
        walker w;
        if (!begin(&w, height, 1 / rate))
            return;
        tr_random random = tr_random_seed(71 + (uint64_t)walk);
        seen s = {0};
        for (int route = 0; route < 80; route++) {
            begin_winding_way(&w, &random);
            int frames = (int)(rate * tr_random_between(&random, 0.4f, 6));
            for (int i = 0; i < frames; i++)
                step(&w, INFINITY, &s);
        }
        if (s.deep > 0)
            printf("        %.2f m at %.0f Hz: at most %.1f mm, %u of %u frames\n", (double)height,
                   (double)rate, 1000 * (double)s.depth, s.deep, s.frames);
        all.frames += s.frames;
        all.deep += s.deep;
        all.depth = fmaxf(all.depth, s.depth);
        end(&w);
    }
    printf("        in all: at most %.1f mm, %u of %u frames\n", 1000 * (double)all.depth, all.deep,
           all.frames);
    CHECK(all.depth < 0.03f);
    CHECK(all.deep * 20000 <= all.frames);
}
