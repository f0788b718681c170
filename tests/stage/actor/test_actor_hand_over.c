// An actor that is given footsteps inside a stride finishes its step; one whose footsteps are taken away
// stops without turning back.
#include "stage/actor/actor.h"
#include "test.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

typedef struct walker {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
    float dt;
    tr_vec3 hips[3];
    uint32_t count;
} walker;

static bool begin(walker *w, tr_character *character, float dt) {
    memset(w, 0, sizeof *w);
    tr_error error = {0};
    tr_actor_def def = {.character = character, .dt = dt};
    uint32_t joints = tr_skeleton_joint_count(character->skeleton);
    bool good = tr_actor_create(&def, &w->actor, &error) == TR_OK &&
                tr_actor_scratch_create(NULL, joints, &w->scratch, &error) == TR_OK;
    w->character = character;
    w->dt = dt;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(walker *w) {
    tr_actor_scratch_destroy(&w->scratch);
    tr_actor_destroy(w->actor);
}

static void step(walker *w, float limit) {
    tr_actor_step(w->actor, &w->scratch, limit);
    actor_look view = tr_actor_look(w->actor);
    w->hips[2] = w->hips[1], w->hips[1] = w->hips[0];
    w->hips[0] = tr_affine_position(&view.model[view.character->legs.hips]);
    w->count++;
}

// Straight ahead until a stride of the walk is steady, and then some ticks more.
static void walk(walker *w, float speed, uint32_t more) {
    tr_vec2 line[2] = {{0, 0}, {0, 30}};
    CHECK_INT(tr_actor_set_route(w->actor, line, 2, NULL, NULL, speed, NULL), TR_OK);
    for (uint32_t i = 0; i < (uint32_t)(3 / w->dt) + more; i++)
        step(w, INFINITY);
}

// Footsteps straight ahead, as the walk goes: beside z from the feet on, the last two side by side.
static uint32_t go_on(const walker *w, float stride, float rise, tr_footstep footsteps[8]) {
    tr_footstep feet[2];
    uint32_t side = tr_actor_feet(w->actor, feet, NULL);
    side = side < 2 ? side : 0;
    bool swings = !(tr_actor_look(w->actor).contacts >> (2 * side) & 3);
    float x = 0.074f * 0.5f * w->character->height, z = feet[swings ? side : 1 - side].position.z;
    for (uint32_t i = 0; i < 8; i++, side = 1 - side) {
        float steps = (float)(i < 7 ? i : 6) + (swings ? 0 : 1);
        footsteps[i] = (tr_footstep){
            .side = side,
            .position = {side ? -x : x, rise * steps, swings && i == 0 ? z : z + stride * steps},
            .support = 1};
        if (swings && i == 0)
            footsteps[i].position.x = feet[side].position.x;
    }
    return side;
}

typedef struct landing {
    float time, z; // of the ball [s, m]
} landing;

// The acceleration of the hips [m/s2].
static float jolt_of(const walker *w) {
    tr_vec3 jolt = tr_vec3_subtract(tr_vec3_add(w->hips[0], w->hips[2]), tr_vec3_scale(w->hips[1], 2));
    return tr_vec3_length(jolt) / (w->dt * w->dt);
}

// When and where a foot in the air comes down.
static landing land(walker *w, uint32_t side, float *hurry) {
    landing at = {0, 0};
    const tr_foot *foot = &w->character->legs.feet[side];
    for (uint32_t i = 0; i < (uint32_t)(1.2f / w->dt); i++) {
        step(w, INFINITY);
        float size = jolt_of(w);
        *hurry = size > *hurry ? size : *hurry;
        actor_look view = tr_actor_look(w->actor);
        at = (landing){(float)(i + 1) * w->dt, tr_foot_heel(foot, view.model).z};
        if (view.contacts >> (2 * side) & 3)
            break;
    }
    return at;
}

typedef struct walk_case {
    float height, rate, speed;
    float hurry; // the greatest acceleration of the hips that is allowed; that of the walk is 4 to 6 [m/s2]
} walk_case;

// Two bodies that walk alike; one of them is given footsteps. Its foot comes down where and when the other's
// does.
static void compare(tr_character *character, const walk_case *c, uint32_t more) {
    walker a, b;
    if (begin(&a, character, 1 / c->rate) && begin(&b, character, 1 / c->rate)) {
        walk(&a, c->speed, more);
        walk(&b, c->speed, more);
        uint32_t contacts = tr_actor_look(a.actor).contacts;
        uint32_t side = contacts & 3 ? 1 : 0;
        if (!(contacts & 3) != !(contacts >> 2 & 3)) {
            tr_footstep footsteps[8];
            float hurry = 0, walking = 0;
            go_on(&b, 0.35f * c->height, 0, footsteps);
            CHECK_INT(footsteps[0].side, side);
            CHECK_INT(tr_actor_set_footsteps(b.actor, footsteps, 8, c->speed, NULL, NULL, NULL), TR_OK);
            landing meant = land(&a, side, &walking), got = land(&b, side, &hurry);
            if (fabsf(got.time - meant.time) > 0.06f || fabsf(got.z - meant.z) > 0.05f * c->height ||
                hurry > c->hurry)
                test_failed(
                    __FILE__, __LINE__,
                    "%g m, %g fps, %g m/s, %u: landed after %g s at %g m, walking after %g s at %g m; "
                    "hips %g m/s2, walking %g",
                    (double)c->height, (double)c->rate, (double)c->speed, more, (double)got.time,
                    (double)got.z, (double)meant.time, (double)meant.z, (double)hurry, (double)walking);
        }
    }
    end(&a);
    end(&b);
}

TEST(a_step_that_has_begun_is_finished_where_and_when_it_would_have_been) {
    static const walk_case cases[] = {{1.1f, 30, 0.8f, 9},  {1.5f, 24, 1.0f, 9},    {1.75f, 30, 0.6f, 9},
                                      {1.75f, 30, 1.3f, 9}, {1.75f, 120, 1.3f, 12}, {1.75f, 60, 1.8f, 30},
                                      {2.0f, 60, 1.5f, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr_character *character = NULL;
        tr_character_def kind = {.height = cases[i].height, .detail = 1};
        REQUIRE(tr_character_create(&kind, &character, NULL) == TR_OK);
        for (uint32_t k = 0; k < 6; k++) // over a step of the walk
            compare(character, &cases[i], (uint32_t)(0.09f * (float)k * cases[i].rate) + k);
        tr_character_destroy(character);
    }
}

// How fast the feet turn in the world in the first step over footsteps [rad/s].
static float turn_of_feet(walker *w, float seconds) {
    const tr_legs *legs = &w->character->legs;
    tr_quat before[2], now[2];
    float fastest = 0;
    for (uint32_t i = 0; i < (uint32_t)(seconds / w->dt); i++) {
        for (uint32_t side = 0; side < 2; side++)
            before[side] = tr_affine_rotation(&tr_actor_look(w->actor).model[legs->feet[side].ankle]);
        step(w, INFINITY);
        for (uint32_t side = 0; side < 2; side++) {
            now[side] = tr_affine_rotation(&tr_actor_look(w->actor).model[legs->feet[side].ankle]);
            tr_quat by = tr_quat_multiply(now[side], tr_quat_conjugate(before[side]));
            float rate = tr_vec3_length(tr_quat_to_vector(by)) / w->dt;
            fastest = rate > fastest ? rate : fastest;
        }
    }
    return fastest;
}

// A foot that is about to land on its heel has no time to become flat.
TEST(feet_do_not_slap_where_stairs_begin) {
    static const float heights[] = {1.2f, 1.75f, 1.95f}, rises[] = {0, 0.12f, 0.17f, -0.15f};
    for (int h = 0; h < 3; h++) {
        tr_character *character = NULL;
        tr_character_def kind = {.height = heights[h], .detail = 1};
        REQUIRE(tr_character_create(&kind, &character, NULL) == TR_OK);
        for (uint32_t k = 0; k < 32; k++) {
            walker w;
            float speed = (0.8f + 0.25f * (float)(k % 5)) * sqrtf(heights[h] / 1.75f);
            if (begin(&w, character, 1 / 60.0f)) {
                tr_footstep footsteps[8];
                walk(&w, speed, 2 * k);
                go_on(&w, 0.29f, rises[k % 4], footsteps);
                CHECK_INT(tr_actor_set_footsteps(w.actor, footsteps, 8, speed, NULL, NULL, NULL), TR_OK);
                float rate = turn_of_feet(&w, 0.5f);
                if (!(rate < 13)) // 34 when they did
                    test_failed(__FILE__, __LINE__, "%g m, %g m/s, rise %g, %u: %g rad/s", (double)heights[h],
                                (double)speed, (double)rises[k % 4], k, (double)rate);
            }
            end(&w);
        }
        tr_character_destroy(character);
    }
}

// How far ankles are beyond their limits in the pose that is shown [rad].
static float excess_of_ankles(const walker *w) {
    actor_look view = tr_actor_look(w->actor);
    const tr_character *character = view.character;
    float most = 0;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t ankle = character->legs.feet[side].ankle;
        most = fmaxf(
            most, tr_skeleton_limit_excess(character->skeleton, ankle, tr_pose_rotation(view.pose, ankle)));
    }
    return most;
}

// A foot that is called back lands behind the other one, on its toes: its shank leans over it.
TEST(a_foot_that_lands_behind_the_other_keeps_the_limits_of_its_ankle) {
    static const float heights[] = {1.2f, 1.75f, 1.95f};
    for (int i = 0; i < 21; i++) {
        tr_character *character = NULL;
        tr_character_def kind = {.height = heights[i % 3], .detail = 1};
        REQUIRE(tr_character_create(&kind, &character, NULL) == TR_OK);
        walker w;
        if (begin(&w, character, 1 / 60.0f)) {
            tr_footstep footsteps[8];
            float back = 0.08f + 0.02f * (float)(i / 3), most = 0;
            walk(&w, 0.9f * sqrtf(heights[i % 3] / 1.75f), 3 * (uint32_t)i);
            go_on(&w, 0, 0, footsteps);
            for (uint32_t k = 0; k < 8; k++)
                footsteps[k].position.z -= k % 2 ? 0 : back * heights[i % 3];
            CHECK_INT(tr_actor_set_footsteps(w.actor, footsteps, 3, 0.9f, NULL, NULL, NULL), TR_OK);
            for (int k = 0; k < 100; k++) {
                step(&w, INFINITY);
                most = fmaxf(most, excess_of_ankles(&w));
            }
            if (!(most < 0.0087f))
                test_failed(__FILE__, __LINE__, "%g m, %g back: %g rad", (double)heights[i % 3], (double)back,
                            (double)most);
        }
        end(&w);
        tr_character_destroy(character);
    }
}

// Level, up and down: a body that must stop at any moment over footsteps.
TEST(a_body_whose_footsteps_are_taken_away_stops_without_turning_back) {
    static const float rises[] = {0, 0.15f, -0.15f, 0.3f};
    tr_character *character = NULL;
    tr_character_def kind = {.detail = 1};
    REQUIRE(tr_character_create(&kind, &character, NULL) == TR_OK);
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t k = 0; k < 10; k++) {
            walker w;
            if (begin(&w, character, 1 / 60.0f)) {
                tr_footstep footsteps[8];
                go_on(&w, rises[r] == 0 ? 0.6f : 0.29f, rises[r], footsteps);
                CHECK_INT(tr_actor_set_footsteps(w.actor, footsteps, 8, 1.3f, NULL, NULL, NULL), TR_OK);
                for (uint32_t i = 0; i < 70 + 7 * k; i++)
                    step(&w, INFINITY);
                float farthest = w.hips[0].z, back = 0, hurry = 0;
                for (uint32_t i = 0; i < 150; i++) {
                    step(&w, 0);
                    float jolt = jolt_of(&w);
                    hurry = jolt > hurry ? jolt : hurry;
                    farthest = w.hips[0].z > farthest ? w.hips[0].z : farthest;
                    back = farthest - w.hips[0].z > back ? farthest - w.hips[0].z : back;
                }
                CHECK(tr_actor_root(w.actor)->state.speed == 0);
                CHECK(hurry < 8.5f);
                if (!(back < 0.002f))
                    test_failed(__FILE__, __LINE__, "rise %g, %u: %g mm back", (double)rises[r], k,
                                1000 * (double)back);
            }
            end(&w);
        }
    tr_character_destroy(character);
}

// Stones in a brook: there is floor under the footsteps only.
typedef struct brook {
    float from, stride;
} brook;

static float floor_of_brook(void *user, tr_vec3 point) {
    const brook *b = user;
    float away = remainderf(point.z - b->from, b->stride);
    return fabsf(away) < 0.2f ? 0 : -INFINITY;
}

// It cannot bring its feet together, and rests with one foot far behind, whose heel is up.
TEST(a_body_that_has_to_wait_between_stones_rests_without_a_jolt_and_goes_on) {
    tr_character *character = NULL;
    tr_character_def kind = {.detail = 1};
    REQUIRE(tr_character_create(&kind, &character, NULL) == TR_OK);
    for (uint32_t k = 0; k < 24; k++) {
        walker w;
        brook b = {0, 0.65f + 0.05f * (float)(k % 4)};
        if (begin(&w, character, k % 2 ? 1 / 30.0f : 1 / 60.0f)) {
            tr_footstep footsteps[8];
            float hurry = 0, turn, jolt;
            go_on(&w, b.stride, 0, footsteps);
            b.from = footsteps[0].position.z;
            CHECK_INT(tr_actor_set_footsteps(w.actor, footsteps, 8, 1.3f, floor_of_brook, &b, NULL), TR_OK);
            for (uint32_t i = 0; (float)i * w.dt < 1.5f + 0.1f * (float)k; i++)
                step(&w, INFINITY);
            for (uint32_t i = 0; (float)i * w.dt < 1.5f; i++) {
                step(&w, 0);
                jolt = jolt_of(&w);
                hurry = jolt > hurry ? jolt : hurry;
            }
            turn = turn_of_feet(&w, 0.6f);
            if (!(hurry < 7 && turn < 5))
                test_failed(__FILE__, __LINE__, "%u: hips %g m/s2, feet %g rad/s", k, (double)hurry,
                            (double)turn);
        }
        end(&w);
    }
    tr_character_destroy(character);
}

// It would have to kneel there.
TEST(nobody_waits_with_feet_a_long_stride_apart) {
    tr_character *character = NULL;
    tr_character_def kind = {.detail = 1};
    REQUIRE(tr_character_create(&kind, &character, NULL) == TR_OK);
    for (uint32_t k = 0; k < 24; k++) {
        walker w;
        brook b = {0, 0.9f + 0.04f * (float)(k % 4)};
        if (begin(&w, character, k % 2 ? 1 / 30.0f : 1 / 60.0f)) {
            tr_footstep footsteps[8];
            go_on(&w, b.stride, 0, footsteps);
            b.from = footsteps[0].position.z;
            for (uint32_t i = 4; i < 8; i++) // ground of usual strides behind four stones
                footsteps[i].position.z = footsteps[3].position.z + 0.5f * (float)(i - 3);
            CHECK_INT(tr_actor_set_footsteps(w.actor, footsteps, 8, 1.3f, NULL, NULL, NULL), TR_OK);
            for (uint32_t i = 0; (float)i * w.dt < 1.5f + 0.1f * (float)k; i++)
                step(&w, INFINITY);
            float hurry = 0;
            for (uint32_t i = 0; (float)i * w.dt < 4; i++) {
                step(&w, 0);
                float jolt = jolt_of(&w);
                hurry = jolt > hurry ? jolt : hurry;
            }
            tr_footstep feet[2];
            tr_actor_feet(w.actor, feet, NULL);
            CHECK(tr_actor_root(w.actor)->state.speed == 0);
            if (!(fabsf(feet[0].position.z - feet[1].position.z) < 0.87f && hurry < 12))
                test_failed(__FILE__, __LINE__, "%u: feet %g m apart, hips %g m/s2", k,
                            (double)fabsf(feet[0].position.z - feet[1].position.z), (double)hurry);
        }
        end(&w);
    }
    tr_character_destroy(character);
}
