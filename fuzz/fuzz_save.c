// Any changes to the bytes of a save, with a checksum that is right again: it is loaded or refused with a
// sentence, what was loaded can be stepped, and nothing is left of it. The input is not a save but the
// changes, five bytes each: three for the place, one for what is done there, one for the value. So seeds stay
// good when the format changes.
#include "target.h"
#include "troupe/base/hash.h"
#include "troupe/stage/save.h"

#include <string.h>

#define HEAD 24 // before what the checksum is of
#define CHECKSUM_AT 16
#define CHANGES_MAX 64
#define MEMORY_MAX ((size_t)256 << 20)

static tr_character *character;
static uint8_t *good, *changed;
static uint64_t good_size;

static tr_scene *build_scene(void) {
    const tr_vec3 floor[4] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    const tr_vec3 thing[3] = {{0, 1, 0.1f}, {0.1f, 1, 0}, {0, 1.1f, 0}};
    const uint32_t indices[6] = {0, 2, 1, 0, 3, 2};
    tr_scene *scene = NULL;
    uint32_t object;
    TARGET_CHECK(tr_scene_create(NULL, &scene) == TR_OK);
    for (int i = 0; i < 2; i++) {
        tr_mesh_def mesh = {.positions = i ? thing : floor,
                            .position_count = i ? 3 : 4,
                            .indices = indices,
                            .triangle_count = i ? 1 : 2};
        const uint32_t turned[3] = {0, 2, 1};
        mesh.indices = i ? turned : indices;
        tr_object_def def = {.placement = tr_affine_identity()};
        TARGET_CHECK(tr_scene_add_mesh(scene, &mesh, &def.mesh, NULL) == TR_OK);
        TARGET_CHECK(tr_scene_add_object(scene, &def, &object, NULL) == TR_OK);
    }
    const double times[2] = {0, 9};
    tr_transform there[2] = {tr_transform_identity(), tr_transform_identity()};
    there[1].position.x = 0.8f;
    tr_trajectory_def motion = {times, there, 2, true};
    TARGET_CHECK(tr_scene_set_trajectory(scene, object, &motion, NULL) == TR_OK);
    return scene;
}

// Somebody reaches, somebody walks, and somebody has gone.
static void make_save(void) {
    tr_scene *scene = build_scene();
    tr_stage *stage = NULL;
    tr_stage_def def = tr_stage_def_default(scene);
    def.area = (tr_box){{-1, -0.2f, -1}, {1, 2.5f, 1}};
    tr_character_def kind = {.detail = 1};
    TARGET_CHECK(tr_character_create(&kind, &character, NULL) == TR_OK);
    TARGET_CHECK(tr_stage_create(&def, &stage, NULL) == TR_OK);
    const tr_vec3 places[3] = {{0.5f, 0, -0.5f}, {-0.5f, 0, -0.5f}, {-0.5f, 0, 0.5f}};
    for (uint32_t i = 0; i < 3; i++) {
        tr_stage_actor_def who = {.character = character, .position = places[i], .radius = 0.15f};
        tr_order reach = {.kind = TR_ORDER_REACH, .point = {0.35f, 1.1f, -0.2f}},
                 go = {.kind = TR_ORDER_GO, .goal = {-0.5f, 0, 0.5f}};
        tr_actor_id actor;
        TARGET_CHECK(tr_stage_add_actor(stage, &who, &actor, NULL) == TR_OK);
        TARGET_CHECK(tr_stage_order(stage, actor, i ? &go : &reach, TR_ORDER_QUEUE, NULL, NULL) == TR_OK);
    }
    tr_stage_remove_actor(stage, 3);
    for (int i = 0; i < 30; i++)
        tr_stage_step(stage, TR_STAGE_TICK, NULL);
    uint64_t needed;
    tr_stage_save(stage, NULL, 0, &good_size, NULL);
    good = malloc(good_size);
    changed = malloc(good_size);
    TARGET_CHECK(tr_stage_save(stage, good, good_size, &needed, NULL) == TR_OK);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
}

static uint64_t change(const uint8_t *data, size_t size) {
    uint64_t length = good_size;
    memcpy(changed, good, good_size);
    for (size_t i = 0; i + 5 <= size && i < 5 * CHANGES_MAX; i += 5) {
        uint64_t at = HEAD + ((uint64_t)data[i] | (uint64_t)data[i + 1] << 8 | (uint64_t)data[i + 2] << 16) %
                                 (good_size - HEAD);
        uint8_t value = data[i + 4];
        switch (data[i + 3] % 5) {
        case 0:
            changed[at] = value;
            break;
        case 1:
            changed[at] ^= value;
            break;
        case 2: // a whole number
            memset(changed + at, value, good_size - at < 4 ? good_size - at : 4);
            break;
        case 3: // something from elsewhere
            memmove(changed + at, good + HEAD + value, good_size - at < 8 ? good_size - at : 8);
            break;
        default: // cut off
            length = at;
            break;
        }
    }
    uint64_t numbers[2] = {length - HEAD, tr_hash(TR_HASH_START, changed + HEAD, (size_t)(length - HEAD))};
    for (uint32_t i = 0; i < 16; i++) // size, then checksum
        changed[CHECKSUM_AT - 8 + i] = (uint8_t)(numbers[i / 8] >> (8 * (i % 8)));
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!good)
        make_save();
    uint64_t length = change(data, size);
    target_memory memory = {0, MEMORY_MAX};
    tr_allocator allocator = {target_resize, &memory};
    const tr_character *const characters[] = {character};
    tr_scene *scene = build_scene();
    tr_stage_load_def def = {
        .allocator = &allocator, .scene = scene, .characters = characters, .character_count = 1};
    tr_error error = {0};
    tr_stage *stage = NULL;
    tr_status status = tr_stage_load(&def, changed, length, &stage, &error);
    TARGET_CHECK((status == TR_OK) == (stage != NULL));
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    for (int i = 0; i < 2 && stage; i++)
        tr_stage_step(stage, TR_STAGE_TICK, NULL);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
