// A sample crowd on a stage, for tests with many actors.
#pragma once
#include "test.h"
#include "troupe/stage/stage.h"
#include "troupe/world/sample_crowd.h"

#include <stdlib.h>

#define CROWD_HEIGHTS 10 // 1.5 to 1.95 m

typedef struct crowd_stage {
    tr_sample_crowd *crowd;
    tr_character *characters[CROWD_HEIGHTS]; // made if a person has this height
    tr_stage *stage;
    tr_actor_id *actors; // in the order of the people
    const tr_sample_person *people;
    uint32_t count;
} crowd_stage;

static inline void crowd_stage_close(crowd_stage *all) {
    tr_stage_destroy(all->stage);
    for (uint32_t i = 0; i < CROWD_HEIGHTS; i++)
        tr_character_destroy(all->characters[i]);
    tr_sample_crowd_destroy(all->crowd);
    free(all->actors);
    *all = (crowd_stage){.count = 0};
}

static inline tr_status crowd_stage_add(crowd_stage *all, uint32_t index, tr_error *error) {
    const tr_sample_person *person = &all->people[index];
    uint32_t height = (uint32_t)((person->height - 1.5f) / 0.05f + 0.5f);
    tr_character_def looks = {.height = person->height, .detail = 1};
    tr_status status = TR_OK;
    if (!all->characters[height])
        status = tr_character_create(&looks, &all->characters[height], error);
    tr_stage_actor_def def = {.character = all->characters[height],
                              .position = person->start,
                              .heading = person->heading,
                              .radius = TR_SAMPLE_PERSON_RADIUS,
                              .speed = person->speed};
    return status == TR_OK ? tr_stage_add_actor(all->stage, &def, &all->actors[index], error) : status;
}

// Sends a person on its trip number `trip`: 0 is its goal, further ones lead back and forth.
static inline tr_status crowd_stage_send(crowd_stage *all, uint32_t index, uint32_t trip, tr_error *error) {
    tr_order order = {.kind = TR_ORDER_GO, .goal = tr_sample_crowd_goal(all->crowd, index, trip)};
    return tr_stage_order(all->stage, all->actors[index], &order, TR_ORDER_QUEUE, NULL, error);
}

// Puts all people on a stage of the scene, with the order to go to their goals. false: the failure was
// reported, and everything is closed.
static inline bool crowd_stage_open(crowd_stage *all, const tr_sample_crowd_def *def, tr_tasks *tasks) {
    tr_error error = {0};
    *all = (crowd_stage){.count = 0};
    tr_status status = tr_sample_crowd_create(def, &all->crowd, &error);
    if (status == TR_OK) {
        all->people = tr_sample_crowd_people(all->crowd, &all->count);
        all->actors = calloc(all->count, sizeof *all->actors);
        tr_stage_def stage = tr_stage_def_default(tr_sample_crowd_scene(all->crowd)->scene);
        stage.tasks = tasks;
        stage.area = tr_sample_crowd_scene(all->crowd)->ground;
        status = tr_stage_create(&stage, &all->stage, &error);
    }
    for (uint32_t i = 0; i < all->count && status == TR_OK; i++)
        status = crowd_stage_add(all, i, &error);
    for (uint32_t i = 0; i < all->count && status == TR_OK; i++)
        status = crowd_stage_send(all, i, 0, &error);
    if (status == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "no stage for %u people of the kind %s: %s", all->count, def->kind,
                error.message);
    crowd_stage_close(all);
    return false;
}

// Where a person is, on the floor.
static inline tr_vec3 crowd_stage_place(const crowd_stage *all, uint32_t index) {
    tr_actor_view view = {0};
    tr_stage_look(all->stage, all->actors[index], &view);
    return view.position;
}

// The least distance between two discs on one storey, by brute force; negative: they overlap. `who` (may be
// NULL) gets the two.
static inline float crowd_stage_nearest(const crowd_stage *all, uint32_t who[2]) {
    float nearest = INFINITY;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            tr_vec3 a = crowd_stage_place(all, i), b = crowd_stage_place(all, j);
            float x = b.x - a.x, z = b.z - a.z, away = sqrtf(x * x + z * z) - 2 * TR_SAMPLE_PERSON_RADIUS;
            if (fabsf(b.y - a.y) > 1.5f || away >= nearest)
                continue;
            nearest = away;
            if (who)
                who[0] = j, who[1] = i;
        }
    return nearest;
}

// The number of orders that ended in this state.
static inline uint32_t crowd_stage_count(const crowd_stage *all, tr_order_state state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        tr_order_report report;
        uint32_t orders = tr_stage_order_count(all->stage, all->actors[i], NULL);
        count += orders && tr_stage_order_report(all->stage, all->actors[i], orders - 1, &report) == TR_OK &&
                 report.state == state;
    }
    return count;
}
