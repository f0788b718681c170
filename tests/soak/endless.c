#include "endless.h"

#include "troupe/world/sample_crowd.h"

#include <stdio.h>
#include <stdlib.h>

#define PEOPLE_MAX 64
#define HEIGHTS 10    // 1.5 to 1.95 m
#define MOVED 0.2f    // nearer to where it was somebody has not moved [m]
#define OVERLAP 1e-4f // for rounding [m]

typedef struct endless_person {
    tr_actor_id id;
    uint32_t trip, orders;
    tr_vec2 at;   // where it was when it last moved
    double moved; // when that was, or its order began [s]
} endless_person;

typedef struct endless {
    const endless_def *def;
    endless_result *result;
    tr_sample_crowd *crowd;
    tr_stage *stage;
    tr_character *characters[HEIGHTS];
    endless_person people[PEOPLE_MAX];
    uint32_t count;
    uint64_t bytes;
} endless;

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
    endless *all = user;
    all->bytes += new_size;
    all->bytes -= old ? old_size : 0;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

static bool send(endless *all, uint32_t index) {
    endless_person *person = &all->people[index];
    tr_order order = {.kind = TR_ORDER_GO, .goal = tr_sample_crowd_goal(all->crowd, index, person->trip++)};
    person->orders++;
    person->moved = tr_stage_time(all->stage);
    return tr_stage_order(all->stage, person->id, &order, TR_ORDER_QUEUE, NULL, NULL) == TR_OK;
}

static bool open_stage(endless *all, const tr_allocator *allocator) {
    tr_sample_crowd_def def = {.kind = "office", .people = all->def->people, .seed = all->def->seed};
    if (tr_sample_crowd_create(&def, &all->crowd, NULL) != TR_OK)
        return false;
    const tr_sample_person *people = tr_sample_crowd_people(all->crowd, &all->count);
    const tr_sample *sample = tr_sample_crowd_scene(all->crowd);
    tr_stage_def stage = tr_stage_def_default(sample->scene);
    stage.allocator = allocator;
    stage.area = sample->ground;
    bool good = all->count <= PEOPLE_MAX && tr_stage_create(&stage, &all->stage, NULL) == TR_OK;
    for (uint32_t i = 0; i < all->count && good; i++) {
        uint32_t height = (uint32_t)((people[i].height - 1.5f) / 0.05f + 0.5f);
        tr_character_def looks = {.height = people[i].height, .detail = 1};
        if (!all->characters[height])
            good = tr_character_create(&looks, &all->characters[height], NULL) == TR_OK;
        tr_stage_actor_def who = {.character = all->characters[height],
                                  .position = people[i].start,
                                  .heading = people[i].heading,
                                  .speed = people[i].speed};
        good =
            good && tr_stage_add_actor(all->stage, &who, &all->people[i].id, NULL) == TR_OK && send(all, i);
    }
    return good;
}

static void look_at_person(endless *all, uint32_t index) {
    endless_person *person = &all->people[index];
    endless_result *result = all->result;
    double now = tr_stage_time(all->stage);
    tr_actor_view view;
    tr_order_report report;
    if (tr_stage_look(all->stage, person->id, &view) != TR_OK ||
        tr_stage_order_report(all->stage, person->id, person->orders - 1, &report) != TR_OK)
        return;
    float x = view.position.x - person->at.x, z = view.position.z - person->at.z;
    if (x * x + z * z > MOVED * MOVED) {
        person->at = tr_vec3_from_above(view.position);
        person->moved = now;
    }
    if (now - person->moved > result->longest_stand) {
        result->longest_stand = now - person->moved;
        result->who_stood = person->id;
        result->stood_at = now;
    }
    if (report.state <= TR_ORDER_UNDER_WAY)
        return;
    result->trips++;
    result->failed += report.state == TR_ORDER_FAILED;
    send(all, index);
}

static void look_at_pairs(endless *all) {
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            tr_actor_view a, b;
            tr_stage_look(all->stage, all->people[i].id, &a);
            tr_stage_look(all->stage, all->people[k].id, &b);
            float x = a.position.x - b.position.x, z = a.position.z - b.position.z;
            float both = 2 * TR_SAMPLE_PERSON_RADIUS - OVERLAP;
            all->result->overlaps += x * x + z * z < both * both;
        }
}

static uint32_t count_frozen(const endless *all) {
    uint32_t frozen = 0;
    for (uint32_t i = 0; i < all->count; i++)
        frozen += tr_stage_time(all->stage) - all->people[i].moved > all->def->patience;
    return frozen;
}

static void play(endless *all) {
    endless_result *result = all->result;
    double told = 0;
    while (tr_stage_time(all->stage) < all->def->seconds) {
        tr_stage_step(all->stage, TR_STAGE_TICK, NULL);
        for (uint32_t i = 0; i < all->count; i++)
            look_at_person(all, i);
        look_at_pairs(all);
        double now = tr_stage_time(all->stage);
        if (now <= all->def->settling)
            result->settled_bytes = all->bytes;
        if (all->def->tell > 0 && now >= told + all->def->tell) {
            told = now;
            printf(
                "%5.0f s: %u trips (%u failed), %u people frozen, longest stand %.0f s (actor %u at %.0f s), "
                "%u overlaps, %llu bytes\n",
                now, result->trips, result->failed, count_frozen(all), result->longest_stand,
                result->who_stood, result->stood_at, result->overlaps, (unsigned long long)all->bytes);
            fflush(stdout);
        }
    }
    result->frozen = count_frozen(all);
    result->end_bytes = all->bytes;
}

bool endless_run(const endless_def *def, endless_result *result) {
    *result = (endless_result){.trips = 0};
    endless *all = calloc(1, sizeof *all);
    if (!all)
        return false;
    all->def = def;
    all->result = result;
    tr_allocator allocator = {.resize = resize, .user = all};
    bool good = open_stage(all, &allocator);
    if (good)
        play(all);
    tr_stage_destroy(all->stage);
    for (uint32_t i = 0; i < HEIGHTS; i++)
        tr_character_destroy(all->characters[i]);
    tr_sample_crowd_destroy(all->crowd);
    free(all);
    return good;
}
