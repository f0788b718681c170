// Dragged people in the middle of rough ground: saved and loaded, recorded and played again, by any number of
// threads.
#include "dragged.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/stage/journal.h"
#include "troupe/stage/save.h"

#include <stdlib.h>

#define TICKS 360

static uint64_t hash_of(const tr_stage *stage, tr_actor_id actor) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(stage, actor, &view), TR_OK);
    return tr_hash(TR_HASH_START, view.model, view.pose->joint_count * sizeof *view.model);
}

// What the user drags, another vector every second or so: the same for the same tick.
static void drag_at(tr_stage *stage, tr_actor_id actor, uint64_t seed, int tick) {
    tr_random random = tr_random_seed(seed * 977 + (uint64_t)(tick / 40));
    uint32_t kind = tr_random_below(&random, 8);
    float ahead = tr_random_between(&random, 0.5f, 1.2f), turn = tr_random_between(&random, -0.3f, 0.3f);
    tr_drag drag = {.ahead = kind == 0   ? -ahead
                             : kind == 1 ? 0
                                         : ahead,
                    .aside = kind == 2 ? ahead : 0,
                    .turn = kind == 3 ? 4 * turn : turn};
    if (tick % 40 == 0)
        CHECK_INT(tr_stage_drag(stage, actor, drag, NULL), TR_OK);
}

static void play_from(tr_stage *stage, tr_actor_id actor, uint64_t seed, int tick, uint64_t hashes[TICKS],
                      bool compare) {
    for (; tick < TICKS; tick++) {
        drag_at(stage, actor, seed, tick);
        CHECK(tr_stage_step(stage, TR_STAGE_TICK, NULL) <= TR_DONE);
        uint64_t hash = hash_of(stage, actor);
        if (compare && hash != hashes[tick]) {
            test_failed(__FILE__, __LINE__, "seed %d: tick %d is another", (int)seed, tick);
            return;
        }
        hashes[tick] = hash;
    }
}

TEST(a_save_in_the_middle_of_rough_ground_goes_on_bit_for_bit) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t hashes[TICKS], needed = 0;
        int at = 40 + 47 * (int)seed;
        dragged d;
        if (!open_dragged(&d, "rough", seed, NULL))
            return;
        uint8_t *bytes = NULL;
        for (int tick = 0; tick < at; tick++) {
            drag_at(d.stage, d.actor, seed, tick);
            CHECK(tr_stage_step(d.stage, TR_STAGE_TICK, NULL) <= TR_DONE);
        }
        tr_stage_save(d.stage, NULL, 0, &needed, NULL);
        bytes = malloc(needed);
        CHECK_INT(tr_stage_save(d.stage, bytes, needed, &needed, NULL), TR_OK);
        play_from(d.stage, d.actor, seed, at, hashes, false);
        tr_stage_destroy(d.stage);
        d.stage = NULL;
        tr_error error = {0};
        const tr_character *character = some_character();
        tr_stage_load_def load = {.scene = d.sample.scene, .characters = &character, .character_count = 1};
        CHECK_INT(tr_stage_load(&load, bytes, needed, &d.stage, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        if (d.stage)
            play_from(d.stage, d.actor, seed, at, hashes, true);
        free(bytes);
        close_dragged(&d);
    }
}

TEST(threads_do_not_change_the_steps) {
    uint64_t hashes[TICKS];
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        tr_tasks *tasks = NULL;
        CHECK_INT(tr_tasks_create(NULL, threads, &tasks, NULL), TR_OK);
        tr_stage_def def = tr_stage_def_default(NULL);
        def.tasks = tasks;
        dragged d;
        if (open_dragged(&d, "rough", 7, &def))
            play_from(d.stage, d.actor, 7, 0, hashes, threads > 1);
        close_dragged(&d);
        tr_tasks_destroy(tasks);
    }
}

TEST(a_journal_plays_every_drag_again) {
    dragged d;
    tr_journal *journal = NULL;
    CHECK_INT(tr_journal_create(NULL, &journal, NULL), TR_OK);
    if (open_dragged(&d, "rough", 3, NULL) && journal) {
        uint64_t hashes[TICKS], size;
        CHECK_INT(tr_stage_set_journal(d.stage, journal), TR_OK);
        play_from(d.stage, d.actor, 3, 0, hashes, false);
        CHECK_INT(tr_journal_status(journal), TR_OK);
        dragged again;
        const tr_character *character = some_character();
        const void *bytes = tr_journal_bytes(journal, &size);
        if (open_dragged(&again, "rough", 3, NULL)) {
            tr_journal_reader reader = {
                .bytes = bytes, .size = size, .characters = &character, .character_count = 1};
            tr_error error = {0};
            tr_status status;
            while ((status = tr_journal_play(&reader, again.stage, &error)) == TR_OK)
                CHECK_HASH(hash_of(again.stage, again.actor), hashes[reader.steps - 1]);
            CHECK_TEXT(error.message, "");
            CHECK_INT(status, TR_DONE);
            CHECK_INT(reader.steps, TICKS);
        }
        close_dragged(&again);
    }
    close_dragged(&d);
    tr_journal_destroy(journal);
}
