// Saves at any tick of crowds with orders, arms and moving objects: the loaded stage does the same to the
// last bit.
#include "saves.h"

#define TICKS 420
#define SAVES 5

// Saves at several ticks, and the hashes from there on.
typedef struct played {
    saved saves[SAVES];
    uint64_t at[SAVES];
    uint64_t hashes[TICKS];
} played;

static void free_played(played *all) {
    for (int i = 0; i < SAVES; i++)
        free(all->saves[i].bytes);
}

// Plays a world; `all` gets saves at random ticks, and belongs to the caller.
static bool play_world(world *open, uint64_t seed, bool record, played *all) {
    tr_random random = tr_random_seed(seed + 99);
    memset(all, 0, sizeof *all);
    bool good = world_open(open, seed, NULL, record);
    world w = *open;
    for (uint32_t i = 0; i < SAVES; i++)
        all->at[i] = i * TICKS / SAVES + tr_random_below(&random, TICKS / SAVES);
    uint32_t next = 0;
    for (uint64_t tick = 0; good && tick < TICKS; tick++) {
        bool late = tick % 2; // some saves come between the calls of the game and the step
        if (late)
            world_act(&w, seed, tick);
        if (next < SAVES && all->at[next] == tick)
            all->saves[next++] = save_stage(w.stage);
        if (!late)
            world_act(&w, seed, tick);
        world_step(&w, seed, tick);
        all->hashes[tick] = world_hash(w.stage);
    }
    return good;
}

static bool play(uint64_t seed, bool record, played *all) {
    world w;
    bool good = play_world(&w, seed, record, all);
    world_close(&w);
    return good;
}

// Loads one of the saves into the world, and plays on.
static void play_on_in(world *open, uint64_t seed, const played *all, uint32_t number, tr_tasks *tasks) {
    tr_error error = {0};
    const saved *from = &all->saves[number];
    tr_stage_load_def def = {.tasks = tasks,
                             .scene = open->scene,
                             .characters = world_characters(),
                             .character_count = WORLD_CHARACTERS,
                             .instead = open->stage};
    tr_status status = tr_stage_load(&def, from->bytes, from->size, &open->stage, &error);
    world w = *open;
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
}

// Plays on in a scene as it was at the beginning.
static void play_on(uint64_t seed, const played *all, uint32_t number, tr_tasks *tasks) {
    world w;
    world_build(&w);
    play_on_in(&w, seed, all, number, tasks);
    world_close(&w);
}

static saved some_save(uint64_t seed, uint64_t ticks) {
    world w;
    saved made = {NULL, 0};
    if (world_open(&w, seed, NULL, false)) {
        for (uint64_t tick = 0; tick < ticks; tick++) {
            world_act(&w, seed, tick);
            world_step(&w, seed, tick);
        }
        made = save_stage(w.stage);
    }
    world_close(&w);
    return made;
}

TEST(a_stage_that_is_loaded_goes_on_bit_for_bit) {
    for (uint64_t seed = 1; seed <= 8; seed++) {
        played all;
        if (play(seed, seed % 4 == 0, &all))
            for (uint32_t i = 0; i < SAVES; i++)
                play_on(seed, &all, i, NULL);
        free_played(&all);
    }
}

TEST(loading_into_a_running_stage_reuses_its_ground) {
    uint32_t kept = 0, loads = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        played all;
        world w;
        if (play_world(&w, seed, false, &all))
            for (uint32_t i = SAVES;
                 i-- > 0 && all.at[i] > 155 && w.stage;) { // earlier saves have the removed object
                const tr_ground *ground = tr_stage_ground(w.stage);
                play_on_in(&w, seed, &all, i, NULL);
                kept += w.stage && tr_stage_ground(w.stage) == ground;
                loads++;
            }
        world_close(&w);
        free_played(&all);
    }
    CHECK(loads > 12 && kept > loads / 2);
}

TEST(a_stage_stays_if_its_replacement_cannot_be_loaded) {
    saved from = some_save(2, 50);
    world w;
    tr_stage *made = NULL;
    tr_error error = {0};
    if (world_open(&w, 2, NULL, false)) {
        tr_stage_load_def def = {.scene = w.scene, .characters = world_characters(), .instead = w.stage};
        CHECK_INT(tr_stage_load(&def, from.bytes, from.size, &made, &error), TR_INVALID);
        CHECK(made == NULL && tr_stage_actor_count(w.stage) > 4);
        CHECK(tr_stage_step(w.stage, TR_STAGE_TICK, NULL) <= TR_DONE);
    }
    world_close(&w);
    free(from.bytes);
}

TEST(threads_do_not_matter_to_a_stage_that_is_loaded) {
    played all;
    tr_tasks *tasks = NULL;
    CHECK_INT(tr_tasks_create(NULL, 3, &tasks, NULL), TR_OK);
    if (play(31, false, &all))
        play_on(31, &all, 1, tasks);
    free_played(&all);
    tr_tasks_destroy(tasks);
}

// --- What does not fit ---

// Checks that loading is refused with this status, and that the scene stays as it was.
static void check_refused(const saved *from, tr_scene *scene, uint32_t characters, tr_status expected,
                          const char *part) {
    tr_stage *stage = NULL;
    tr_error error = {0};
    double time = tr_scene_time(scene);
    uint64_t hash = TR_HASH_START, again = TR_HASH_START;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++)
        hash = tr_hash(hash, tr_scene_object(scene, i).placement.m, sizeof(float[3][4]));
    CHECK_INT(load_stage(from, scene, world_characters(), characters, &stage, &error), expected);
    CHECK_CONTAINS(error.message, part);
    CHECK(stage == NULL);
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++)
        again = tr_hash(again, tr_scene_object(scene, i).placement.m, sizeof(float[3][4]));
    CHECK_HASH(again, hash);
    CHECK(tr_scene_time(scene) == time);
}

TEST(a_save_that_does_not_fit_is_refused_with_a_sentence) {
    saved good = some_save(3, 60);
    world w;
    world_build(&w);
    tr_affine aside = tr_affine_identity();
    aside.m[0][3] = 0.5f;
    tr_scene_place(w.scene, w.crate, &aside);
    check_refused(&good, w.scene, 1, TR_INVALID, "is not among the 1 given characters");
    tr_scene_set_trajectory(w.scene, w.cart, NULL, NULL);
    check_refused(&good, w.scene, 2, TR_INVALID, "(\"cart\") has changed since this was saved");
    add_block(w.scene, "more", tr_vec3_make(0, 0, 0), tr_vec3_make(1, 1, 1));
    check_refused(&good, w.scene, 2, TR_INVALID, "the scene has 15 objects, the saved scene had 14");
    tr_scene_destroy(w.scene);
    world_build(&w);
    tr_scene_remove_object(w.scene, w.cup);
    check_refused(&good, w.scene, 2, TR_INVALID, "has been removed since this was saved");
    tr_scene_destroy(w.scene);
    world_build(&w);
    saved version = {malloc(good.size), good.size};
    memcpy(version.bytes, good.bytes, good.size);
    version.bytes[4] = 77;
    check_refused(&version, w.scene, 2, TR_BAD_FILE, "version 77");
    version.bytes[0] = 'x';
    check_refused(&version, w.scene, 2, TR_BAD_FILE, "not a save of a stage");
    free(version.bytes);
    free(good.bytes);
    tr_scene_destroy(w.scene);
}

TEST(objects_return_to_their_saved_state) {
    saved from = some_save(4, 200); // the crate was pushed, an object was removed
    world w;
    world_build(&w);
    tr_error error = {0};
    CHECK(!tr_scene_object(w.scene, w.gone).removed);
    CHECK_INT(load_stage(&from, w.scene, world_characters(), WORLD_CHARACTERS, &w.stage, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK(tr_scene_object(w.scene, w.gone).removed);
    CHECK(tr_scene_object(w.scene, w.crate).placement.m[0][3] > 0.05f);
    CHECK(tr_scene_time(w.scene) > 2);
    // The scene may also be as it is now: the object was removed already.
    tr_stage_destroy(w.stage);
    CHECK_INT(load_stage(&from, w.scene, world_characters(), WORLD_CHARACTERS, &w.stage, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    saved again = save_stage(w.stage);
    check_same_bytes(&from, &again);
    free(again.bytes);
    free(from.bytes);
    world_close(&w);
}

static void repair_checksum(saved *from) {
    uint64_t checksum = tr_hash(TR_HASH_START, from->bytes + 24, from->size - 24);
    for (uint32_t i = 0; i < 8; i++)
        from->bytes[16 + i] = (uint8_t)(checksum >> (8 * i));
}

TEST(damaged_bytes_are_refused) {
    saved good = some_save(5, 90);
    world w;
    world_build(&w);
    tr_random random = tr_random_seed(8);
    tr_stage *stage = NULL;
    for (uint32_t i = 0; i < 400; i++) { // cut off
        saved cut = {good.bytes,
                     i < 64 ? i : good.size - 1 - tr_random_below(&random, (uint32_t)good.size - 1)};
        tr_error error = {0};
        CHECK_INT(load_stage(&cut, w.scene, world_characters(), WORLD_CHARACTERS, &stage, &error),
                  TR_BAD_FILE);
        CHECK(error.message[0] && !stage);
    }
    for (uint32_t i = 0; i < 400; i++) { // one bit is flipped
        uint64_t at = i < 24 ? i : tr_random_below(&random, (uint32_t)good.size);
        uint8_t bit = (uint8_t)(1u << tr_random_below(&random, 8));
        tr_error error = {0};
        good.bytes[at] ^= bit;
        CHECK_INT(load_stage(&good, w.scene, world_characters(), WORLD_CHARACTERS, &stage, &error),
                  TR_BAD_FILE);
        CHECK(error.message[0] && !stage);
        good.bytes[at] ^= bit;
    }
    free(good.bytes);
    tr_scene_destroy(w.scene);
}

// Forged bytes come with a correct checksum. What is then loaded may be nonsense, but nothing is read or
// written out of bounds (the sanitizers check), and it can be stepped and destroyed.
TEST(forged_bytes_do_no_harm) {
    saved good = some_save(6, 120);
    saved forged = {malloc(good.size), good.size};
    tr_random random = tr_random_seed(9);
    uint32_t taken = 0, refused = 0;
    for (uint32_t i = 0; i < 60; i++) {
        world w;
        world_build(&w);
        memcpy(forged.bytes, good.bytes, good.size);
        for (uint32_t k = 1 + tr_random_below(&random, 3); k-- > 0;) {
            uint64_t at = 24 + tr_random_below(&random, (uint32_t)good.size - 24);
            forged.bytes[at] = tr_random_below(&random, 2) ? (uint8_t)tr_random_below(&random, 256)
                                                           : (uint8_t)(forged.bytes[at] ^ 0x80);
        }
        if (i % 4 == 0) { // an integer
            uint64_t at = 24 + 4 * (uint64_t)tr_random_below(&random, (uint32_t)(good.size - 32) / 4);
            memset(forged.bytes + at, tr_random_below(&random, 2) ? 0xff : 0, 4);
        }
        repair_checksum(&forged);
        tr_error error = {0};
        tr_status status =
            load_stage(&forged, w.scene, world_characters(), WORLD_CHARACTERS, &w.stage, &error);
        CHECK((status == TR_OK) == (w.stage != NULL) && (status == TR_OK || error.message[0]));
        taken += status == TR_OK;
        refused += status != TR_OK;
        for (uint32_t tick = 0; status == TR_OK && tick < 3; tick++)
            tr_stage_step(w.stage, TR_STAGE_TICK, NULL);
        world_close(&w);
    }
    CHECK(taken > 5 && refused > 5);
    free(forged.bytes);
    free(good.bytes);
}

// The smallest stage on which everything is allocated: one actor reaches, one walks, an object moves.
static tr_scene *build_small(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    add_block(scene, "floor", tr_vec3_make(-1, -0.2f, -1), tr_vec3_make(1, 0, 1));
    uint32_t ball = add_block(scene, "ball", tr_vec3_make(0, 1, 0), tr_vec3_make(0.1f, 1.1f, 0.1f));
    const double times[2] = {0, 9};
    tr_transform there[2] = {tr_transform_identity(), tr_transform_identity()};
    there[1].position.x = 0.8f;
    tr_trajectory_def motion = {times, there, 2, false};
    CHECK_INT(tr_scene_set_trajectory(scene, ball, &motion, NULL), TR_OK);
    return scene;
}

static saved save_small(void) {
    tr_scene *scene = build_small();
    tr_stage *stage = NULL;
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    CHECK_INT(tr_stage_create(&def, &stage, NULL), TR_OK);
    for (uint32_t i = 0; i < 2; i++) {
        tr_stage_actor_def who = {
            .character = world_characters()[i], .position = {i ? -0.6f : 0.6f, 0, -0.6f}, .radius = 0.2f};
        tr_order reach = {.kind = TR_ORDER_REACH, .point = {0.4f, 1.1f, -0.2f}},
                 go = {.kind = TR_ORDER_GO, .goal = {-0.6f, 0, 0.7f}};
        tr_actor_id actor;
        CHECK_INT(tr_stage_add_actor(stage, &who, &actor, NULL), TR_OK);
        CHECK_INT(tr_stage_order(stage, actor, i ? &go : &reach, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    }
    for (int i = 0; i < 40; i++)
        tr_stage_step(stage, TR_STAGE_TICK, NULL);
    tr_stage_cancel(stage, 2, TR_NONE); // an event to come
    saved made = save_stage(stage);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    return made;
}

static const saved *small_save;

static bool load_with(const tr_allocator *allocator) {
    tr_scene *scene = build_small();
    tr_stage *stage = NULL;
    tr_error error = {0};
    tr_stage_load_def def = {.allocator = allocator,
                             .scene = scene,
                             .characters = world_characters(),
                             .character_count = WORLD_CHARACTERS};
    tr_status status = tr_stage_load(&def, small_save->bytes, small_save->size, &stage, &error);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0] && !stage));
    CHECK(status == TR_OK || tr_scene_time(scene) == 0);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(every_allocation_may_fail) {
    saved from = save_small();
    small_save = &from;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(load_with) > 100);
    free(from.bytes);
}
