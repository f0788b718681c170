// Saves at any tick of crowds with orders, arms and objects that move: what is loaded does the same to the last
// bit.
#include "crowds.h"
#include "saves.h"

#define TICKS 420
#define SAVES 5

// What was saved at a tick, and what was seen from there on.
typedef struct played {
    saved saves[SAVES];
    uint64_t at[SAVES];
    uint64_t hashes[TICKS];
} played;

static void free_played(played *all) {
    for (int i = 0; i < SAVES; i++)
        free(all->saves[i].bytes);
}

// Play a world; `all` gets saves at random ticks.
static bool play(uint64_t seed, bool record, played *all) {
    world w;
    tr_random random = tr_random_seed(seed + 99);
    memset(all, 0, sizeof *all);
    bool good = world_open(&w, seed, NULL, record);
    for (uint32_t i = 0; i < SAVES; i++)
        all->at[i] = i * TICKS / SAVES + tr_random_below(&random, TICKS / SAVES);
    uint32_t next = 0;
    for (uint64_t tick = 0; good && tick < TICKS; tick++) {
        bool late = tick % 2; // some saves come between what the game does and the step
        if (late)
            world_act(&w, seed, tick);
        if (next < SAVES && all->at[next] == tick)
            all->saves[next++] = save_stage(w.stage);
        if (!late)
            world_act(&w, seed, tick);
        world_step(&w, seed, tick);
        all->hashes[tick] = world_hash(w.stage);
    }
    world_close(&w);
    return good;
}

// Load one of the saves into a scene as it was at the beginning, and play on.
static void play_on(uint64_t seed, const played *all, uint32_t number, tr_tasks *tasks) {
    world w;
    world_build(&w);
    tr_error error = {0};
    const saved *from = &all->saves[number];
    tr_stage_load_def def = {.tasks = tasks,
                             .scene = w.scene,
                             .characters = world_characters(),
                             .character_count = WORLD_CHARACTERS};
    tr_status status = tr_stage_load(&def, from->bytes, from->size, &w.stage, &error);
    CHECK_TEXT(error.message, "");
    CHECK_INT(status, TR_OK);
    if (status == TR_OK) {
        saved again = save_stage(w.stage);
        check_same_bytes(from, &again);
        free(again.bytes);
    }
    for (uint64_t tick = all->at[number]; status == TR_OK && tick < TICKS; tick++) {
        bool acted = tick == all->at[number] && tick % 2;
        if (!acted)
            world_act(&w, seed, tick);
        world_step(&w, seed, tick);
        uint64_t hash = world_hash(w.stage);
        if (hash == all->hashes[tick])
            continue;
        test_failed(__FILE__, __LINE__, "seed %d: saved at tick %d, tick %d is another", (int)seed,
                    (int)all->at[number], (int)tick);
        break;
    }
    world_close(&w);
}

TEST(a_stage_that_is_loaded_goes_on_bit_for_bit) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        played all;
        if (play(seed, seed % 4 == 0, &all))
            for (uint32_t i = 0; i < SAVES; i++)
                play_on(seed, &all, i, NULL);
        free_played(&all);
    }
}
