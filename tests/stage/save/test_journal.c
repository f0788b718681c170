// Journals: the calls of a game to a stage, replayed from the beginning or from a save.
#include "saves.h"
#include "troupe/stage/journal.h"

#define TICKS 300

// A recorded journal, and the hashes of each step.
typedef struct played {
    saved journal, start;
    uint64_t hashes[TICKS], first;
} played;

static void free_played(played *all) {
    free(all->journal.bytes);
    free(all->start.bytes);
}

static saved copy_journal(const tr_journal *journal) {
    saved made = {NULL, 0};
    const void *bytes = tr_journal_bytes(journal, &made.size);
    made.bytes = malloc(made.size + 1);
    memcpy(made.bytes, bytes, made.size);
    return made;
}

// Calls that the world itself does not make: objects that are added, and others that begin to move.
static void act_more(world *w, uint64_t tick) {
    uint32_t object;
    tr_object_def def = {.name = "new", .mesh = 0, .placement = tr_affine_identity(), .tags = TR_TAG_NO_STEP};
    def.mesh = tr_scene_object(w->scene, w->crate).mesh;
    def.placement.m[2][3] = 6;
    if (tick == 40)
        CHECK_INT(tr_scene_add_object(w->scene, &def, &object, NULL), TR_OK);
    if (tick == 80) {
        const double times[2] = {2, 7};
        tr_transform there[2] = {tr_transform_identity(), tr_transform_identity()};
        there[1].position.x = 2;
        tr_trajectory_def motion = {times, there, 2, false};
        CHECK_INT(tr_scene_set_trajectory(w->scene, w->cup, &motion, NULL), TR_OK);
    }
    if (tick == 120)
        CHECK_INT(tr_scene_set_tags(w->scene, w->table, TR_TAG_NO_STEP), TR_OK);
    // Calls that are refused, or have no effect, do no harm.
    tr_order bad = {.kind = TR_ORDER_GO, .goal = {NAN, 0, 0}};
    tr_order idle = {.kind = TR_ORDER_WAIT, .goal = {NAN, NAN, NAN}, .heading = NAN};
    tr_order flat = {.kind = TR_ORDER_GO, .goal = {1, NAN, -1}, .any_floor = true};
    tr_stage_actor_def inside = {
        .character = world_characters()[0], .position = {-3, 0, 0}, .name = "nobody"};
    tr_actor_id actor;
    if (tick % 50 == 7) {
        tr_stage_order(w->stage, 2, &bad, TR_ORDER_QUEUE, NULL, NULL);
        tr_stage_order(w->stage, 2, &idle, TR_ORDER_QUEUE, NULL, NULL);
        tr_stage_order(w->stage, 2, &flat, TR_ORDER_QUEUE, NULL, NULL);
        tr_stage_add_actor(w->stage, &inside, &actor, NULL);
        tr_stage_remove_actor(w->stage, 77);
    }
}

static bool play(uint64_t seed, uint64_t first, played *all) {
    world w;
    tr_journal *journal = NULL;
    memset(all, 0, sizeof *all);
    bool good = world_open(&w, seed, NULL, false);
    CHECK_INT(tr_journal_create(NULL, &journal, NULL), TR_OK);
    all->first = first;
    for (uint64_t tick = 0; good && tick < TICKS; tick++) {
        if (tick == first) {
            all->start = save_stage(w.stage);
            CHECK_INT(tr_stage_set_journal(w.stage, journal), TR_OK);
        }
        world_act(&w, seed, tick);
        act_more(&w, tick);
        world_step(&w, seed, tick);
        all->hashes[tick] = world_hash(w.stage);
    }
    CHECK_INT(tr_journal_status(journal), TR_OK);
    all->journal = copy_journal(journal);
    tr_journal_destroy(journal);
    world_close(&w);
    return good;
}

static tr_journal_reader read_journal(const saved *journal) {
    return (tr_journal_reader){.bytes = journal->bytes,
                               .size = journal->size,
                               .characters = world_characters(),
                               .character_count = WORLD_CHARACTERS};
}

// Objects that were added by then must be in the scene into which a save is loaded.
static void open_again(const played *all, uint64_t seed, world *w) {
    tr_error error = {0};
    if (all->first == 0) {
        world_open(w, seed, NULL, false);
        return;
    }
    world_build(w);
    for (uint64_t tick = 40; tick <= 80 && tick < all->first; tick += 40)
        act_more(w, tick);
    CHECK_INT(load_stage(&all->start, w->scene, world_characters(), WORLD_CHARACTERS, &w->stage, &error),
              TR_OK);
    CHECK_TEXT(error.message, "");
}

static void play_again(uint64_t seed, const played *all) {
    world w;
    tr_journal *journal = NULL;
    tr_error error = {0};
    open_again(all, seed, &w);
    tr_journal_reader reader = read_journal(&all->journal);
    CHECK_INT(tr_journal_create(NULL, &journal, NULL), TR_OK);
    if (w.stage)
        tr_stage_set_journal(w.stage, journal); // it is recorded again meanwhile
    for (uint64_t tick = all->first; w.stage && tick < TICKS; tick++) {
        CHECK_INT(tr_journal_play(&reader, w.stage, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        if (world_hash(w.stage) == all->hashes[tick])
            continue;
        test_failed(__FILE__, __LINE__, "seed %d, from tick %d: tick %d is another", (int)seed,
                    (int)all->first, (int)tick);
        break;
    }
    if (w.stage)
        CHECK_INT(tr_journal_play(&reader, w.stage, &error), TR_DONE);
    CHECK_INT(reader.steps, TICKS - all->first);
    saved again = copy_journal(journal);
    check_same_bytes(&all->journal, &again);
    free(again.bytes);
    tr_journal_destroy(journal);
    world_close(&w);
}

TEST(a_journal_leads_to_the_same_bits) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        played all;
        if (play(seed, seed % 2 ? 0 : 37 * seed, &all))
            play_again(seed, &all);
        free_played(&all);
    }
}

TEST(a_journal_reports_where_it_does_not_fit) {
    played all;
    world w;
    tr_error error = {0};
    play(9, 0, &all);
    world_open(&w, 10, NULL, false); // other people
    tr_journal_reader reader = read_journal(&all.journal);
    CHECK_INT(tr_journal_play(&reader, w.stage, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the journal begins at tick 0");
    world_close(&w);
    world_open(&w, 9, NULL, false);
    tr_affine aside = tr_affine_identity();
    aside.m[2][3] = 1.5f;
    tr_scene_place(w.scene, w.gone, &aside); // something stands elsewhere
    tr_status status = TR_OK;
    for (int i = 0; i < TICKS && status == TR_OK; i++)
        status = tr_journal_play(&reader, w.stage, &error);
    CHECK_INT(status, TR_INVALID);
    CHECK_CONTAINS(error.message, "differs from the recorded step");
    CHECK(tr_stage_step(w.stage, TR_STAGE_TICK, NULL) <= TR_DONE);
    world_close(&w);
    free_played(&all);
}

TEST(damaged_journals_do_no_harm) {
    played all;
    tr_random random = tr_random_seed(3);
    play(11, 0, &all);
    saved broken = {malloc(all.journal.size), all.journal.size};
    for (int i = 0; i < 60; i++) {
        world w;
        tr_error error = {0};
        memcpy(broken.bytes, all.journal.bytes, all.journal.size);
        broken.size = i % 3 ? all.journal.size : tr_random_below(&random, (uint32_t)all.journal.size);
        uint32_t reach = i % 2 && broken.size > 3000 ? 3000 : (uint32_t)broken.size;
        if (i % 3)
            broken.bytes[tr_random_below(&random, reach)] ^= (uint8_t)(1u << tr_random_below(&random, 8));
        world_open(&w, 11, NULL, false);
        tr_journal_reader reader = read_journal(&broken);
        tr_status status = TR_OK;
        for (int step = 0; step < 60 && status == TR_OK; step++)
            status = tr_journal_play(&reader, w.stage, &error);
        CHECK(status == TR_OK || status == TR_DONE || (error.message[0] && status >= TR_INVALID));
        CHECK(tr_stage_step(w.stage, TR_STAGE_TICK, NULL) <= TR_DONE);
        world_close(&w);
    }
    free(broken.bytes);
    free_played(&all);
}

static bool write_with(const tr_allocator *allocator) {
    world w;
    tr_journal *journal = NULL;
    tr_error error = {0};
    bool good = tr_journal_create(allocator, &journal, &error) == TR_OK;
    CHECK(good || error.message[0]);
    if (good && world_open(&w, 12, NULL, false)) {
        good = tr_stage_set_journal(w.stage, journal) == TR_OK;
        for (uint64_t tick = 0; tick < 20; tick++) {
            world_act(&w, 12, tick);
            world_step(&w, 12, tick); // goes on without it
        }
        good = tr_journal_status(journal) == TR_OK;
        tr_stage_set_journal(w.stage, NULL);
        world_close(&w);
    }
    tr_journal_destroy(journal);
    return good;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_with) > 3);
}
