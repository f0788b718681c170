// A small machine of behaviors for tests: a person who jogs, turns, waits, jumps (band 1) and crawls (band
// 2).
#pragma once
#include "troupe/plan/behavior.h"

#define MACHINE_STAND 0
#define MACHINE_JOG 1
enum {
    MACHINE_START,
    MACHINE_STRAIGHT,
    MACHINE_LEFT,
    MACHINE_RIGHT,
    MACHINE_SHORT,
    MACHINE_WAIT,
    MACHINE_END,
    MACHINE_JUMP,
    MACHINE_CRAWL,
    MACHINE_STATES
};

typedef struct test_machine {
    const char *labels[2];
    tr_behavior_band bands[3];
    tr_behavior_disc jump[9], crawl[27];
    tr_behavior_move moves[MACHINE_STATES];
    tr_behavior_state states[MACHINE_STATES];
    tr_behavior_def def;
} test_machine;

static inline tr_behavior_move machine_move(const char *name, float x, float z, float turn, uint32_t frames) {
    tr_behavior_move move = {
        .name = name, .x = x, .z = z, .turn = turn, .frames = frames, .action = TR_NONE, .clip = frames};
    return move;
}

// The machine at 30 frames a second. It has pointers into itself.
static inline void machine_make(test_machine *m) {
    static const struct {
        const char *name;
        float x, z, turn;
        uint32_t frames, begin, end, serves;
        float weight;
    } rows[MACHINE_STATES] = {
        {"start", 0, 0.7f, 0, 15, 0, 1, 0, 1},         {"straight", 0, 2.0f, 0, 24, 1, 1, 0, 1},
        {"left", 0.7f, 1.6f, 0.8f, 24, 1, 1, 0, 1.1f}, {"right", -0.7f, 1.6f, -0.8f, 24, 1, 1, 0, 1.1f},
        {"short", 0, 1.0f, 0, 12, 1, 1, 0, 1.05f},     {"wait", 0, 0.9f, 0, 45, 1, 1, 0, 5},
        {"end", 0, 0.7f, 0, 15, 1, 0, 0, 1},           {"jump", 0, 3.2f, 0, 40, 1, 1, 1, 1.6f},
        {"crawl", 0, 4.0f, 0, 104, 1, 1, 2, 2},
    };
    *m = (test_machine){.labels = {"stand", "jog"},
                        .bands = {{.name = "upright", .low = 0, .high = 1.8f},
                                  {.name = "jump", .low = 0.6f, .high = 2.3f},
                                  {.name = "crawl", .low = 0, .high = 0.8f}}};
    for (uint32_t i = 0; i < MACHINE_STATES; i++) {
        m->moves[i] = machine_move(rows[i].name, rows[i].x, rows[i].z, rows[i].turn, rows[i].frames);
        m->states[i] = (tr_behavior_state){.name = rows[i].name,
                                           .moves = &m->moves[i],
                                           .move_count = 1,
                                           .begin = rows[i].begin,
                                           .end = rows[i].end,
                                           .weight = rows[i].weight,
                                           .serves = rows[i].serves};
    }
    for (uint32_t i = 0; i < 9; i++) // over the log for two discs on each side of the middle
        m->jump[i] = (tr_behavior_disc){0, 0.4f * (float)i, (uint16_t)(5 * i), i >= 2 && i <= 6};
    for (uint32_t i = 0; i < 27; i++)
        m->crawl[i] =
            (tr_behavior_disc){0, 4.0f / 26 * (float)i, (uint16_t)(4 * i), i >= 5 && i <= 21 ? 2 : 0};
    m->moves[MACHINE_JUMP].discs = m->jump;
    m->moves[MACHINE_JUMP].disc_count = 9;
    m->moves[MACHINE_CRAWL].discs = m->crawl;
    m->moves[MACHINE_CRAWL].disc_count = 27;
    m->def = (tr_behavior_def){.name = "person",
                               .labels = m->labels,
                               .label_count = 2,
                               .bands = m->bands,
                               .band_count = 3,
                               .radius = 0.35f,
                               .frames_per_second = 30,
                               .states = m->states,
                               .state_count = MACHINE_STATES};
}
