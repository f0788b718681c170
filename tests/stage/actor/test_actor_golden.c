// The same bits for every compiler, level of optimisation and on WASM: hashes of what actors show on routes,
// through narrow places, over footsteps, while held up and after a change of task.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "stage/actor/actor.h"

#include <math.h>

static float sill(void *user, tr_vec2 point) {
    (void)user;
    return point.x > 1 && point.x < 1.5f ? 0.03f : 0;
}

static void tell_route(tr_actor *actor, tr_random *random) {
    tr_vec2 way[6] = {tr_actor_look(actor).state.position};
    uint8_t passage[5];
    for (uint32_t i = 1; i < 6; i++) {
        way[i].x = way[i - 1].x + tr_random_between(random, -1.5f, 1.5f);
        way[i].z = way[i - 1].z + tr_random_between(random, -1.5f, 1.5f);
        passage[i - 1] = (uint8_t)tr_random_below(random, 3);
    }
    float heading = tr_random_between(random, -3, 3), speed = tr_random_between(random, 0, 2.5f);
    bool turns = tr_random_below(random, 2);
    CHECK_INT(tr_actor_set_route(actor, way, 6, passage, turns ? &heading : NULL, speed, NULL), TR_OK);
}

static void tell_footsteps(tr_actor *actor, tr_random *random) {
    tr_footstep feet[2], footsteps[8];
    uint32_t side = tr_actor_feet(actor, feet, NULL);
    tr_follow_state state = tr_actor_look(actor).state;
    float rise = tr_random_between(random, -0.17f, 0.17f), y = feet[0].position.y;
    double s, c;
    tr_sin_cos((double)state.heading, &s, &c);
    side = side < 2 ? side : 0;
    for (uint32_t i = 0; i < 8; i++, side = 1 - side) {
        float out = side ? -0.09f : 0.09f, far = 0.35f * (float)(i + 1);
        footsteps[i] = (tr_footstep){.side = side,
                                     .position = {state.position.x + far * (float)s + out * (float)c,
                                                  y + rise * (float)(i + 1),
                                                  state.position.z + far * (float)c - out * (float)s},
                                     .heading = state.heading,
                                     .support = 1};
    }
    CHECK_INT(tr_actor_set_footsteps(actor, footsteps, 8, 0, NULL, NULL, NULL), TR_OK);
}

static uint64_t play(const tr_actor_def *def, uint64_t seed) {
    tr_actor *actor = NULL;
    tr_actor_scratch scratch = {0};
    tr_random random = tr_random_seed(seed);
    uint32_t joints = tr_skeleton_joint_count(def->character->skeleton);
    uint64_t hash = TR_HASH_START;
    float limit = INFINITY;
    bool good = tr_actor_create(def, &actor, NULL) == TR_OK &&
                tr_actor_scratch_create(NULL, joints, &scratch, NULL) == TR_OK;
    CHECK(good);
    for (uint32_t i = 0; good && i < 1500; i++) {
        if (i % 75 == 0 && tr_random_below(&random, 4) < 3)
            tell_route(actor, &random);
        else if (i % 75 == 0)
            tell_footsteps(actor, &random);
        if (i % 30 == 0)
            limit = tr_random_below(&random, 4) ? INFINITY : 0.5f * (float)tr_random_below(&random, 2);
        tr_actor_step(actor, &scratch, limit);
        actor_look view = tr_actor_look(actor);
        hash = tr_hash(hash, &view.state.position, sizeof view.state.position);
        hash = tr_hash(hash, view.model, joints * sizeof *view.model);
        hash = tr_hash(hash, &view.contacts, sizeof view.contacts);
    }
    tr_actor_scratch_destroy(&scratch);
    tr_actor_destroy(actor);
    return hash;
}

TEST(actors_move_the_same_on_every_machine) {
    static const uint64_t expected[4] = {0x3a94fa979851f32f, 0xf78d08140ed80282, 0x4c980d0ef224086f,
                                         0x6f2f29d1947582b8};
    const float heights[] = {1.75f, 1.2f};
    for (uint32_t i = 0; i < 2; i++) {
        tr_character *character = NULL;
        REQUIRE(tr_character_create(&(tr_character_def){.height = heights[i], .detail = 1}, &character,
                                    NULL) == TR_OK);
        tr_actor_def def = {.character = character};
        CHECK_HASH(play(&def, 1), expected[2 * i]);
        def.rise = sill, def.dt = 1.0f / 60, def.corridor = 0.2f;
        CHECK_HASH(play(&def, 2), expected[2 * i + 1]);
        tr_character_destroy(character);
    }
}
