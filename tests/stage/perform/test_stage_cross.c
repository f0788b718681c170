// Actors that walk up to what they cannot walk through, perform across it, and walk on.
#include "block.h"
#include "stage/actor/character.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/motion/audit.h"
#include "troupe/stage/stage.h"

#include <stdio.h>
#include <string.h>

static tr_behavior_cast *cast;
static tr_character *character;

// Made once: it is only read.
static bool open_cast(void) {
    tr_error error = {0};
    if (cast)
        return true;
    tr_behavior_cast_human_def def = {.clips_max = 1};
    bool good = tr_behavior_cast_human(&def, &cast, &error) == TR_OK;
    tr_character_def kind = {.skeleton = good ? cast->skeleton : NULL, .body = good ? cast->body : NULL};
    good = good && tr_character_create(&kind, &character, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

typedef enum obstacle { LOG, BAR, ARCH, DITCH, OBSTACLES } obstacle;

// A hall 8 m wide that obstacles divide every 16 m from wall to wall.
typedef struct hall {
    tr_scene *scene;
    tr_stage *stage;
    tr_tasks *tasks;
    uint32_t count;     // of obstacles
    uint32_t performed; // of them cannot be stepped over
} hall;

static void add_obstacle(hall *h, uint32_t i, tr_random *random) {
    obstacle kind = (obstacle)tr_random_below(random, OBSTACLES);
    float z = 6 + 16 * (float)i, deep = tr_random_between(random, 0.1f, 0.3f);
    float low =
        kind == ARCH ? tr_random_between(random, 0.92f, 0.98f) : tr_random_between(random, 1.26f, 1.5f);
    float high = tr_random_between(random, 0.5f, 0.58f), wide = tr_random_between(random, 0.3f, 0.7f);
    char name[32];
    deep *= kind == ARCH ? 0.5f : 1;
    snprintf(name, sizeof name, "obstacle %u", i);
    if (kind == LOG)
        add_block(h->scene, name, tr_vec3_make(-4, 0, z), tr_vec3_make(4, high, z + deep));
    else if (kind == BAR || kind == ARCH)
        add_block(h->scene, name, tr_vec3_make(-4, low, z), tr_vec3_make(4, 2.4f, z + deep));
    h->performed += kind != DITCH;
    snprintf(name, sizeof name, "floor %u", i);
    add_block(h->scene, name, tr_vec3_make(-4, -2, kind == DITCH ? z + wide : z),
              tr_vec3_make(4, 0, i + 1 < h->count ? z + 16 : z + 22));
}

static bool open_hall(hall *h, uint64_t seed, uint32_t count, uint32_t threads) {
    memset(h, 0, sizeof *h);
    tr_error error = {0};
    tr_random random = tr_random_seed(seed);
    bool good = open_cast() && tr_scene_create(NULL, &h->scene) == TR_OK;
    if (!good)
        return false;
    h->count = count;
    add_block(h->scene, "floor", tr_vec3_make(-4, -2, -12), tr_vec3_make(4, 0, 6));
    for (uint32_t i = 0; i < count; i++)
        add_obstacle(h, i, &random);
    tr_stage_def def = tr_stage_def_default(h->scene);
    def.record = true;
    if (threads > 1)
        good = tr_tasks_create(NULL, threads, &h->tasks, &error) == TR_OK;
    def.tasks = h->tasks;
    good = good && tr_stage_create(&def, &h->stage, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void close_hall(hall *h) {
    tr_stage_destroy(h->stage);
    tr_tasks_destroy(h->tasks);
    tr_scene_destroy(h->scene);
}

static tr_actor_id add(hall *h, float x, float z, float heading, float goal_x, float goal_z) {
    tr_stage_actor_def def = {.character = character,
                              .behaviors_where_needed = true,
                              .position = {x, 0, z},
                              .heading = heading,
                              .behaviors = cast};
    tr_actor_id actor = 0;
    tr_error error = {0};
    tr_order order = {.kind = TR_ORDER_GO, .goal = {goal_x, 0, goal_z}};
    if (tr_stage_add_actor(h->stage, &def, &actor, &error) != TR_OK ||
        tr_stage_order(h->stage, actor, &order, TR_ORDER_REPLACE, NULL, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return actor;
}

static tr_actor_view look(const hall *h, tr_actor_id actor) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(h->stage, actor, &view), TR_OK);
    return view;
}

static tr_order_report report(const hall *h, tr_actor_id actor) {
    tr_order_report got = {0};
    CHECK_INT(tr_stage_order_report(h->stage, actor, 0, &got), TR_OK);
    return got;
}

// No limb in a wall, no foot that slides.
static void check_motion(const hall *h, tr_actor_id actor) {
    tr_audit_params params = tr_audit_params_default();
    tr_audit audit = {0};
    tr_clip *clip = NULL;
    tr_error error = {0};
    params.scene = h->scene;
    params.body = cast->body;
    CHECK_INT(tr_stage_clip(h->stage, actor, NULL, &clip, &error), TR_OK);
    CHECK_INT(tr_audit_measure(NULL, cast->skeleton, clip, &params, &audit, &error), TR_OK);
    CHECK_INT(audit.collisions, 0);
    CHECK_INT(audit.joint_limit_violations, 0);
    CHECK(audit.slide_mm_max < 1 && audit.penetration_mm_max < 5);
    tr_clip_destroy(clip);
}

// Steps until all orders have ended; returns how often the actor begins to perform.
static uint32_t run(hall *h, tr_actor_id who, double most) {
    uint32_t begun = 0;
    bool performs = false;
    tr_error error = {0};
    while (tr_stage_time(h->stage) < most && tr_stage_step(h->stage, TR_STAGE_TICK, &error) == TR_OK) {
        bool now = look(h, who).doing == TR_ACTOR_PERFORMS;
        begun += now && !performs;
        performs = now;
        uint32_t count = tr_stage_actor_count(h->stage);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = i + 1; k < count; k++) {
                tr_vec3 a = look(h, tr_stage_actor(h->stage, i)).position;
                tr_vec3 b = look(h, tr_stage_actor(h->stage, k)).position;
                CHECK(tr_vec3_distance_from_above(a, b) > 0.6f - 1e-3f);
            }
    }
    CHECK_TEXT(error.message, "");
    return begun;
}

TEST(an_actor_walks_up_to_obstacles_and_performs_and_walks_on) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        hall h;
        if (!open_hall(&h, seed, 2, 1))
            return;
        tr_random random = tr_random_seed(seed + 100);
        float x = tr_random_between(&random, -3, 3), heading = tr_random_between(&random, -3, 3);
        tr_actor_id who = add(&h, x, -9, heading, tr_random_between(&random, -3, 3), 34);
        CHECK_INT(run(&h, who, 80), h.performed);
        CHECK_TEXT(report(&h, who).reason, "");
        CHECK_INT(report(&h, who).state, TR_ORDER_DONE);
        check_motion(&h, who);
        close_hall(&h);
    }
}

TEST(two_who_come_to_an_obstacle_from_both_sides_do_not_meet) {
    for (uint64_t seed = 3; seed <= 4; seed++) {
        hall h;
        if (!open_hall(&h, seed, 1, 1))
            return;
        tr_actor_id a = add(&h, 0.2f, -9, 0, 0, 18), b = add(&h, -0.2f, 20, 3, 0, -8);
        run(&h, a, 120);
        CHECK_INT(report(&h, a).state, TR_ORDER_DONE);
        CHECK_INT(report(&h, b).state, TR_ORDER_DONE);
        close_hall(&h);
    }
}

// The bits of all joints of two actors over the whole run.
static uint64_t run_with(uint32_t threads) {
    hall h;
    uint64_t hash = TR_HASH_START;
    if (!open_hall(&h, 5, 2, threads))
        return 0;
    tr_actor_id all[2] = {add(&h, 1, -9, 0, 1, 34), add(&h, -1.5f, -8, 1, -1, 33)};
    while (tr_stage_time(h.stage) < 40 && tr_stage_step(h.stage, TR_STAGE_TICK, NULL) == TR_OK)
        for (int i = 0; i < 2; i++)
            hash = tr_hash(hash, look(&h, all[i]).model,
                           tr_skeleton_joint_count(cast->skeleton) * sizeof(tr_affine));
    close_hall(&h);
    return hash;
}

TEST(the_bits_do_not_depend_on_threads) {
    uint64_t one = run_with(1);
    CHECK(one != 0 && one == run_with(3));
}

TEST(weights_decide_between_crossing_and_walking_around) {
    for (int dear = 0; dear < 2; dear++) {
        hall h = {0};
        tr_error error = {0};
        if (!open_cast() || tr_scene_create(NULL, &h.scene) != TR_OK)
            return;
        add_block(h.scene, "floor", tr_vec3_make(-18, -0.2f, -10), tr_vec3_make(18, 0, 10));
        add_block(h.scene, "log", tr_vec3_make(-16, 0, -0.1f), tr_vec3_make(16, 0.55f, 0.1f));
        const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
        float kept[64];
        for (uint32_t i = 0; i < def->state_count && i < 64; i++) {
            kept[i] = def->states[i].weight;
            if (dear && def->states[i].serves)
                tr_behavior_set_weight(cast->machine, i, 50, &error);
        }
        tr_stage_def stage = tr_stage_def_default(h.scene);
        CHECK_INT(tr_stage_create(&stage, &h.stage, &error), TR_OK);
        tr_actor_id who = add(&h, 0, -8, 0, 0.5f, 8);
        CHECK_INT(run(&h, who, 60), dear ? 0 : 1);
        CHECK_INT(report(&h, who).state, TR_ORDER_DONE);
        for (uint32_t i = 0; i < def->state_count && i < 64; i++)
            tr_behavior_set_weight(cast->machine, i, kept[i], &error);
        close_hall(&h);
    }
}

TEST(a_wall_that_appears_behind_an_obstacle_is_walked_around) {
    hall h;
    if (!open_hall(&h, 1, 1, 1))
        return;
    tr_actor_id who = add(&h, 0, -9, 0, 0, 20);
    for (int k = 0; k < 60; k++)
        tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
    add_block(h.scene, "wall", tr_vec3_make(-4, 0, 9), tr_vec3_make(1.5f, 2.4f, 9.2f));
    run(&h, who, 80);
    CHECK_TEXT(report(&h, who).reason, "");
    CHECK_INT(report(&h, who).state, TR_ORDER_DONE);
    check_motion(&h, who);
    close_hall(&h);
    tr_character_destroy(character);
    tr_behavior_cast_destroy(cast);
}
