// The legs of one actor do not pass through each other: capsules of the left leg against those of the right.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

#define DEEP 0.002f // [m]
#define LEG 4       // capsules of a leg: thigh, shank, foot, toes

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

typedef struct capsule {
    tr_vec3 a, b;
    float radius;
} capsule;

static float clamp(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The least distance of two segments: exact in one parameter at a time, and convex in both.
static float depth_between(const capsule *p, const capsule *q) {
    tr_vec3 d = tr_vec3_subtract(p->b, p->a), e = tr_vec3_subtract(q->b, q->a);
    tr_vec3 r = tr_vec3_subtract(p->a, q->a);
    float dd = tr_vec3_dot(d, d), ee = tr_vec3_dot(e, e), de = tr_vec3_dot(d, e), s = 0.5f, t = 0.5f;
    for (int i = 0; i < 20; i++) {
        t = ee > 0 ? clamp((tr_vec3_dot(r, e) + s * de) / ee) : 0;
        s = dd > 0 ? clamp((t * de - tr_vec3_dot(r, d)) / dd) : 0;
    }
    tr_vec3 off = tr_vec3_add(r, tr_vec3_subtract(tr_vec3_scale(d, s), tr_vec3_scale(e, t)));
    return p->radius + q->radius - tr_vec3_length(off);
}

// Thigh, shank, foot and toes of a side.
static uint32_t leg_of(const tr_actor *actor, uint32_t side, capsule leg[LEG]) {
    actor_look view = tr_actor_look(actor);
    const tr_body_def *body = tr_body_view(view.character->body);
    const tr_foot *foot = &view.character->legs.feet[side];
    const uint32_t joints[LEG] = {foot->thigh, foot->shank, foot->ankle, foot->toes};
    uint32_t count = 0;
    for (uint32_t i = 0; i < LEG; i++)
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *c = &body->capsules[k];
            if (c->joint == joints[i] && count < LEG)
                leg[count++] = (capsule){tr_affine_apply(&view.model[c->joint], c->a),
                                         tr_affine_apply(&view.model[c->joint], c->b), c->radius};
        }
    return count;
}

// The deepest that one leg is in the other [m]; thighs touch each other in any healthy body.
static float legs_depth(const tr_actor *actor) {
    capsule legs[2][LEG];
    if (leg_of(actor, 0, legs[0]) != LEG || leg_of(actor, 1, legs[1]) != LEG)
        return INFINITY;
    float deepest = -1;
    for (int i = 0; i < LEG; i++)
        for (int k = i == 0 ? 1 : 0; k < LEG; k++)
            deepest = fmaxf(deepest, depth_between(&legs[0][i], &legs[1][k]));
    return deepest;
}

typedef struct seen {
    float depth;
    uint32_t frames, deep;
} seen;

static void step(walker *w, float limit, seen *s) {
    tr_actor_step(w->actor, &w->scratch, limit);
    float depth = legs_depth(w->actor);
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

// Bodies are turned over their feet by up to 2.5 rad/s here, and their ways change at any moment of a step.
TEST(legs_stay_out_of_each_other_on_winding_ways_and_new_ways) {
    static const float rates[] = {30, 60, 24, 48};
    for (int h = 0; h < 4; h++) {
        walker w;
        if (!begin(&w, heights[h], 1 / rates[h]))
            return;
        tr_random random = tr_random_seed(71 + (uint64_t)h);
        seen s = {0};
        for (int route = 0; route < 150; route++) {
            tr_vec2 points[8] = {tr_actor_root(w.actor)->state.position};
            float heading = tr_actor_root(w.actor)->state.heading;
            for (int i = 1; i < 8; i++) {
                heading += tr_random_between(&random, -1.4f, 1.4f);
                float size = tr_random_between(&random, 0.3f, 1.6f);
                points[i] =
                    (tr_vec2){points[i - 1].x + size * sinf(heading), points[i - 1].z + size * cosf(heading)};
            }
            float speed = tr_random_between(&random, 0.7f, 1.9f);
            CHECK(tr_actor_set_route(w.actor, points, 8, NULL, NULL, speed, NULL) == TR_OK);
            int frames = (int)(rates[h] * tr_random_between(&random, 0.4f, 6));
            for (int i = 0; i < frames; i++)
                step(&w, INFINITY, &s);
        }
        printf("        %.2f m: at most %.1f mm, %u of %u frames\n", (double)heights[h],
               1000 * (double)s.depth, s.deep, s.frames);
        CHECK(s.depth < 0.015f);
        CHECK(s.deep * 2000 <= s.frames);
        end(&w);
    }
}
