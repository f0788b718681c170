// Worlds for marches that know nothing of triangles: cells of the wrist that are blocked. Shared by the tests
// of march.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "cli/papers/march.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_LOG_MAX 60000

typedef struct world_cell {
    int x, y, z;
} world_cell;

typedef struct march_world {
    tr_arm arm;
    float step;
    bool (*is_blocked)(const struct march_world *world, world_cell cell);
    uint32_t share;  // of 1000 cells that are blocked: random worlds
    uint64_t seed;   // of those
    world_cell gate; // where hand-made walls have their hole
    world_cell *log; // cells tried, in order
    uint32_t logged;
} march_world;

static inline world_cell world_cell_of(const march_world *world, tr_vec3 p) {
    double step = (double)world->step;
    return (world_cell){(int)floor((double)p.x / step), (int)floor((double)p.y / step),
                        (int)floor((double)p.z / step)};
}

static inline tr_vec3 world_middle(const march_world *world, world_cell cell) {
    double step = (double)world->step;
    return tr_vec3_make((float)((cell.x + 0.5) * step), (float)((cell.y + 0.5) * step),
                        (float)((cell.z + 0.5) * step));
}

static inline bool world_same(world_cell a, world_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Some cells at random, the same ones whenever they are asked for.
static inline bool world_is_random(const march_world *world, world_cell cell) {
    uint64_t key = world->seed;
    key = (key ^ (uint64_t)(uint32_t)cell.x) * 0x9e3779b97f4a7c15u;
    key = (key ^ (key >> 29) ^ (uint64_t)(uint32_t)cell.y) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 32) ^ (uint64_t)(uint32_t)cell.z) * 0x94d049bb133111ebu;
    return (key >> 33) % 1000 < world->share;
}

static inline bool world_is_free(void *user, const tr_posture *posture) {
    march_world *world = user;
    tr_vec3 points[4];
    tr_arm_points(&world->arm, posture, points);
    world_cell cell = world_cell_of(world, points[2]);
    if (world->log && world->logged < WORLD_LOG_MAX)
        world->log[world->logged++] = cell;
    return !world->is_blocked || !world->is_blocked(world, cell);
}

// A march through it; NULL after a failure, which was reported.
static inline march_search *world_march(march_world *world, const tr_allocator *allocator) {
    march_def def = {.allocator = allocator,
                     .arm = world->arm,
                     .step = world->step,
                     .is_free = world_is_free,
                     .user = world};
    march_search *march = NULL;
    tr_error error = {0};
    if (march_create(&def, &march, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no march: %s", error.message);
    return march;
}

// The posture with the wrist there: any that the arm has.
static inline bool world_posture(const tr_arm *arm, tr_vec3 wrist, tr_posture *posture) {
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = wrist};
    const float help[TR_ARM_HELP] = {0}, hand[3] = {0};
    tr_arm_family family;
    if (tr_arm_solve(arm, help, &goal, &family) != TR_OK)
        return false;
    tr_arm_range range = family.ranges[0];
    return tr_arm_family_at(arm, &family, &goal, (range.low + range.high) / 2, range.branch, hand, posture);
}

static inline tr_status world_run(march_search *march, uint32_t most) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; status == TR_OK && i < most; i++)
        status = march_step(march);
    return status;
}

static inline tr_vec3 world_shoulder(const tr_arm *arm) {
    tr_posture none = {{0}};
    tr_vec3 points[4];
    tr_arm_points(arm, &none, points);
    return points[0];
}
