// A small world in which everything happens that a stage can do, as a function of seed and tick: for tests of
// saving, loading and replaying.
#pragma once
#include "block.h"
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/stage/save.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_CHARACTERS 2
#define WORLD_PEOPLE 10

typedef struct world {
    tr_scene *scene;
    tr_stage *stage;
    uint32_t table, cup, cart, crate, gone; // objects
} world;

// Made once, because that takes longer than most tests.
static inline const tr_character *const *world_characters(void) {
    static const tr_character *made[WORLD_CHARACTERS];
    for (uint32_t i = 0; i < WORLD_CHARACTERS; i++) {
        tr_character *one = NULL;
        tr_character_def def = {.detail = 1, .height = 1.6f + 0.2f * (float)i};
        if (!made[i])
            CHECK_INT(tr_character_create(&def, &one, NULL), TR_OK);
        made[i] = made[i] ? made[i] : one;
    }
    return made;
}

// A hall with a wall and a door in it, steps to a landing, a lift to a gallery, a table, a cart that goes to
// and fro, a crate that is pushed, and something that is taken away.
static inline void world_build(world *w) {
    memset(w, 0, sizeof *w);
    CHECK_INT(tr_scene_create(NULL, &w->scene), TR_OK);
    tr_scene *s = w->scene;
    add_block(s, "floor", tr_vec3_make(-6, -0.2f, -6), tr_vec3_make(6, 0, 6));
    add_block(s, "wall a", tr_vec3_make(-6, 0, -0.1f), tr_vec3_make(-0.6f, 2.4f, 0.1f));
    add_block(s, "wall b", tr_vec3_make(0.6f, 0, -0.1f), tr_vec3_make(3, 2.4f, 0.1f));
    for (int i = 0; i < 4; i++)
        add_block(s, "step", tr_vec3_make(4, 0, -4 + 0.35f * (float)i),
                  tr_vec3_make(6, 0.17f * (float)(i + 1), -4 + 0.35f * (float)(i + 1)));
    add_block(s, "landing", tr_vec3_make(4, 0, -2.6f), tr_vec3_make(6, 0.68f, 0));
    add_block(s, "gallery", tr_vec3_make(2.5f, 2.5f, 2.5f), tr_vec3_make(6, 2.7f, 6));
    w->table = add_block(s, "table", tr_vec3_make(-5, 0.86f, 4), tr_vec3_make(-3, 0.9f, 4.8f));
    w->cup = add_block(s, "cup", tr_vec3_make(-4.05f, 0.901f, 4.15f), tr_vec3_make(-3.95f, 1, 4.25f));
    w->cart = add_block(s, "cart", tr_vec3_make(-0.4f, 0, -0.3f), tr_vec3_make(0.4f, 1, 0.3f));
    w->crate = add_block(s, "crate", tr_vec3_make(-2, 0, -3.3f), tr_vec3_make(-1.4f, 0.8f, -2.7f));
    w->gone = add_block(s, "gone", tr_vec3_make(1, 0, 2), tr_vec3_make(1.8f, 2, 2.8f));
    const double times[] = {0, 8, 10, 18, 20};
    tr_transform there[5];
    for (int i = 0; i < 5; i++) {
        there[i] = tr_transform_identity();
        there[i].position = tr_vec3_make(i == 1 || i == 2 ? 3 : -3, 0, -5);
    }
    tr_trajectory_def cart = {.times = times, .transforms = there, .count = 5, .loop = true};
    CHECK_INT(tr_scene_set_trajectory(s, w->cart, &cart, NULL), TR_OK);
    tr_scene_set_time(s, 0);
}

static inline tr_actor_id world_add(world *w, tr_random *random) {
    tr_stage_actor_def def = {
        .character = world_characters()[tr_random_below(random, WORLD_CHARACTERS)],
        .position = {tr_random_between(random, -5.5f, 5.5f), 0, tr_random_between(random, -4, 5.5f)},
        .heading = tr_random_between(random, -3, 3),
        .radius = 0.25f,
        .speed = tr_random_between(random, 0.8f, 1.6f)};
    uint32_t count = tr_stage_actor_count(w->stage);
    def.eyes = (tr_stage_eyes){.open = count % 3 == 2, .stranger = count % 2, .range = 15};
    tr_actor_id actor = 0;
    tr_stage_add_actor(w->stage, &def, &actor, NULL); // where there is room
    return actor;
}

static inline bool world_open(world *w, uint64_t seed, tr_tasks *tasks, bool record) {
    world_build(w);
    const tr_ground_link lift = {
        .kind = TR_GROUND_LIFT, .from = {4, 0, 4}, .to = {4, 2.7f, 4}, .both_ways = true, .cost = 1};
    const tr_ground_link door = {
        .kind = TR_GROUND_DOOR, .from = {2, 0, -0.6f}, .to = {2, 0, 0.6f}, .both_ways = true, .cost = 1};
    const tr_ground_link links[2] = {lift, door};
    tr_stage_def def = tr_stage_def_default(w->scene);
    def.tasks = tasks;
    def.record = record;
    def.links = links;
    def.link_count = 2;
    tr_error error = {0};
    bool good = tr_stage_create(&def, &w->stage, &error) == TR_OK;
    CHECK_TEXT(error.message, "");
    tr_random random = tr_random_seed(seed);
    tr_stage_actor_def near = {.character = world_characters()[1], .position = {-4, 0, 3.6f}, .radius = 0.2f};
    tr_actor_id actor = 0;
    if (good)
        CHECK_INT(tr_stage_add_actor(w->stage, &near, &actor, NULL), TR_OK);
    for (uint32_t i = 0; good && i < 3 * WORLD_PEOPLE && tr_stage_actor_count(w->stage) < WORLD_PEOPLE; i++)
        world_add(w, &random);
    return good;
}

static inline void world_close(world *w) {
    tr_stage_destroy(w->stage);
    tr_scene_destroy(w->scene);
    memset(w, 0, sizeof *w);
}

static inline tr_order world_order(const world *w, tr_actor_id actor, tr_random *random) {
    tr_order order = {.kind = TR_ORDER_GO,
                      .goal = {tr_random_between(random, -5.5f, 5.5f),
                               0.7f * (float)tr_random_below(random, 2),
                               tr_random_between(random, -5.5f, 5.5f)}};
    uint32_t kind = tr_random_below(random, 10);
    if (kind == 0) {
        order.goal_kind = TR_GOAL_REGION;
        order.region = (tr_box){{2.6f, 2.6f, 2.6f}, {5.8f, 3, 5.8f}};
    } else if (kind == 1) {
        order.goal_kind = TR_GOAL_OBJECT;
        order.object = w->crate;
    } else if (kind == 2) {
        order.goal_kind = TR_GOAL_ACTOR;
        order.target = tr_stage_actor(w->stage, tr_random_below(random, tr_stage_actor_count(w->stage)));
        order.deadline = 6;
    } else if (kind == 3) {
        order = (tr_order){.kind = TR_ORDER_WAIT, .seconds = tr_random_between(random, 0, 2)};
    } else if (kind == 4) {
        order.has_heading = true;
        order.heading = tr_random_between(random, -3, 3);
        order.near = 0.1f;
    } else if (kind == 5) {
        order.any_floor = true;
        order.speed = tr_random_between(random, 0.7f, 3);
        order.deadline = 12;
    }
    if (actor == 1 && kind > 5) { // the actor at the table
        order = (tr_order){.kind = kind == 9 ? TR_ORDER_LOWER : TR_ORDER_REACH,
                           .has_object = kind != 8,
                           .object = w->cup,
                           .point = {-4.1f, 1.1f, 4.05f},
                           .has_direction = kind == 7,
                           .direction = {0, -0.3f, 1},
                           .tolerance = 0.5f,
                           .hold = 0.3};
    }
    return order;
}

// The calls of a game before the tick: the same for the same seed, tick and state.
static inline void world_act(world *w, uint64_t seed, uint64_t tick) {
    tr_random random = tr_random_seed(seed * 1000003 + tick);
    uint32_t count = tr_stage_actor_count(w->stage), what = tr_random_below(&random, 70);
    tr_actor_id actor = tr_stage_actor(w->stage, tr_random_below(&random, count));
    if (tick % 97 < 30) { // the crate is pushed, and then stands
        tr_affine place = tr_affine_identity();
        place.m[0][3] = 0.02f * (float)(tick % 97) + 0.1f * (float)(tick / 97);
        tr_scene_place(w->scene, w->crate, &place);
    }
    if (tick % 61 == 0) { // the cup is put elsewhere
        tr_affine place = tr_affine_identity();
        place.m[0][3] = tr_random_between(&random, -0.15f, 0.15f);
        tr_scene_place(w->scene, w->cup, &place);
    }
    if (tick == 150)
        tr_scene_remove_object(w->scene, w->gone);
    if (what < 8 || tick == 0) {
        for (uint32_t i = 0; i < (tick == 0 ? count : 1); i++) {
            actor = tick == 0 ? tr_stage_actor(w->stage, i) : actor;
            tr_order order = world_order(w, actor, &random);
            tr_stage_order(w->stage, actor, &order, (tr_order_mode)tr_random_below(&random, 3), NULL, NULL);
        }
    } else if (what == 8) {
        tr_order order = world_order(w, 1, &random);
        tr_stage_order(w->stage, 1, &order, TR_ORDER_QUEUE, NULL, NULL);
    } else if (what == 9) {
        tr_stage_cancel(w->stage, actor, TR_NONE);
    } else if (what == 10) {
        tr_vec2 velocity = {tr_random_between(&random, -1.2f, 1.2f), tr_random_between(&random, -1.2f, 1.2f)};
        tr_stage_steer(w->stage, actor, velocity, NULL);
    } else if (what == 11) {
        tr_stage_set_speed(w->stage, actor, tr_random_between(&random, 0.6f, 1.8f));
    } else if (what == 12 && actor != 1) {
        tr_vec3 to = {tr_random_between(&random, -5, 5), 0, tr_random_between(&random, -5, 5)};
        tr_stage_place_actor(w->stage, actor, to, tr_random_between(&random, -3, 3), NULL);
    } else if (what == 13) {
        tr_vec3 point = {tr_random_between(&random, -5, 5), 1, tr_random_between(&random, -5, 5)};
        tr_stage_look_at(w->stage, actor, tick % 2 ? &point : NULL, NULL);
    } else if (what == 14 && actor != 1 && count > 4) {
        tr_stage_remove_actor(w->stage, actor);
    } else if (what == 15 && count < WORLD_PEOPLE + 2) {
        world_add(w, &random);
    } else if (what == 16) {
        tr_stage_close_link(w->stage, tr_random_below(&random, 2), tick % 2);
    } else if (what == 17) {
        float ahead = tr_random_between(&random, -1.2f, 1.2f);
        tr_drag drag = {.ahead = ahead, .turn = tr_random_between(&random, -1, 1)};
        tr_stage_drag(w->stage, actor, drag, NULL);
    }
}

// Between one and three of these make a tick.
static inline void world_step(world *w, uint64_t seed, uint64_t tick) {
    static const double steps[] = {1.0 / 30, 1.0 / 60, 0.05, 0.011};
    tr_random random = tr_random_seed(seed * 7919 + tick);
    tr_error error = {0};
    CHECK(tr_stage_step(w->stage, steps[tr_random_below(&random, 4)], &error) <= TR_DONE);
    CHECK_TEXT(error.message, "");
}

#define WORLD_HASH(hash, value) tr_hash(hash, &(value), sizeof(value))

static inline uint64_t world_hash_order(uint64_t hash, const tr_order *order) {
    // Numbers that are not used may be NaN: they are 0 after loading.
    float numbers[4] = {order->goal.x, order->goal.y, order->goal.z, order->heading};
    for (int i = 0; i < 4; i++)
        numbers[i] = isnan(numbers[i]) ? 0 : numbers[i];
    hash = WORLD_HASH(hash, numbers);
    hash = WORLD_HASH(hash, order->kind);
    hash = WORLD_HASH(hash, order->any_floor);
    hash = WORLD_HASH(hash, order->region);
    hash = WORLD_HASH(hash, order->near);
    hash = WORLD_HASH(hash, order->speed);
    hash = WORLD_HASH(hash, order->velocity);
    hash = WORLD_HASH(hash, order->drag);
    hash = WORLD_HASH(hash, order->seconds);
    hash = WORLD_HASH(hash, order->has_direction);
    hash = WORLD_HASH(hash, order->direction);
    hash = WORLD_HASH(hash, order->tolerance);
    return WORLD_HASH(hash, order->hold);
}

static inline uint64_t world_hash_orders(uint64_t hash, const tr_stage *stage, tr_actor_id actor) {
    uint32_t first, count = tr_stage_order_count(stage, actor, &first);
    hash = WORLD_HASH(hash, count);
    for (uint32_t i = first; i < count; i++) {
        tr_order_report report;
        if (tr_stage_order_report(stage, actor, i, &report) != TR_OK)
            continue;
        hash = WORLD_HASH(hash, report.state);
        hash = WORLD_HASH(hash, report.begin);
        hash = WORLD_HASH(hash, report.end);
        hash = WORLD_HASH(hash, report.beside);
        hash = world_hash_order(hash, &report.order);
        hash = WORLD_HASH(hash, report.reach.move_begin);
        hash = WORLD_HASH(hash, report.reach.move_end);
        hash = WORLD_HASH(hash, report.reach.duration);
        hash = WORLD_HASH(hash, report.reach.wrist_length);
        hash = WORLD_HASH(hash, report.reach.plans);
        hash = WORLD_HASH(hash, report.reach.checks);
        hash = WORLD_HASH(hash, report.reach.clearance);
        hash = WORLD_HASH(hash, report.reach.posture);
        hash = tr_hash(hash, report.reason, strlen(report.reason));
    }
    return hash;
}

// A hash of everything that a caller can see of the stage.
static inline uint64_t world_hash(const tr_stage *stage) {
    double time = tr_stage_time(stage);
    uint32_t events;
    const tr_event *event = tr_stage_events(stage, &events);
    uint64_t hash = WORLD_HASH(TR_HASH_START, time);
    for (uint32_t i = 0; i < events; i++, event++) {
        hash = WORLD_HASH(hash, event->kind);
        hash = WORLD_HASH(hash, event->actor);
        hash = WORLD_HASH(hash, event->other);
        hash = WORLD_HASH(hash, event->order);
        hash = WORLD_HASH(hash, event->position);
        hash = WORLD_HASH(hash, event->time);
    }
    uint32_t floats = 16 * tr_stage_matrix_count(stage);
    float *matrices = malloc(floats * sizeof *matrices + 1);
    CHECK_INT(tr_stage_write_matrices(stage, TR_MATRICES_SKIN, matrices, floats), TR_OK);
    hash = tr_hash(hash, matrices, floats * sizeof *matrices);
    free(matrices);
    for (uint32_t i = 0; i < tr_stage_actor_count(stage); i++) {
        tr_actor_id actor = tr_stage_actor(stage, i);
        tr_actor_view view;
        CHECK_INT(tr_stage_look(stage, actor, &view), TR_OK);
        hash = WORLD_HASH(hash, actor);
        tr_vec2 at = tr_vec3_from_above(view.position);
        hash = WORLD_HASH(hash, at);
        hash = WORLD_HASH(hash, view.heading);
        hash = WORLD_HASH(hash, view.speed);
        hash = WORLD_HASH(hash, view.position.y);
        hash = WORLD_HASH(hash, view.contacts);
        hash = tr_hash(hash, view.model, view.pose->joint_count * sizeof *view.model);
        const tr_way *way = tr_stage_way(stage, actor);
        for (uint32_t k = 0; way && k < way->point_count; k++)
            hash = WORLD_HASH(hash, way->points[k].position);
        tr_stage_counters counters = tr_stage_counters_of(stage, actor);
        hash = WORLD_HASH(hash, counters.nearest);
        hash = WORLD_HASH(hash, counters.waited);
        hash = WORLD_HASH(hash, counters.plans);
        hash = world_hash_orders(hash, stage, actor);
    }
    return hash;
}

typedef struct saved {
    uint8_t *bytes;
    uint64_t size;
} saved;

// NULL bytes: the failure was reported.
static inline saved save_stage(const tr_stage *stage) {
    saved made = {NULL, 0};
    tr_error error = {0};
    CHECK_INT(tr_stage_save(stage, NULL, 0, &made.size, NULL), TR_LIMIT);
    made.bytes = malloc(made.size);
    uint64_t needed = 0;
    tr_status status = tr_stage_save(stage, made.bytes, made.size, &needed, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    CHECK_INT(needed, made.size);
    return made;
}

static inline tr_status load_stage(const saved *from, tr_scene *scene, const tr_character *const *characters,
                                   uint32_t count, tr_stage **stage, tr_error *error) {
    tr_stage_load_def def = {.scene = scene, .characters = characters, .character_count = count};
    return tr_stage_load(&def, from->bytes, from->size, stage, error);
}

static inline void check_same_bytes(const saved *a, const saved *b) {
    uint64_t at = 0;
    while (at < a->size && at < b->size && a->bytes[at] == b->bytes[at])
        at++;
    if (a->size != b->size || at < a->size)
        test_failed(__FILE__, __LINE__, "%llu and %llu bytes, the first that differs is %llu",
                    (unsigned long long)a->size, (unsigned long long)b->size, (unsigned long long)at);
}
