// The scenes to reach into: the same everywhere, others for each seed, and with room for a hand.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"
#include "troupe/world/solid.h"

static const struct {
    const char *name;
    uint64_t hash;
} scenes[] = {
    {"shelves", 0x7b537b55341254bd}, {"box", 0x1acb780ae3a48de1},         {"window", 0x052651f5cdb544fb},
    {"ring", 0xd455a84eedde78dc},    {"under_table", 0x2c9dcf77a1fc4849}, {"parts", 0x73522eb9a803350d},
    {"engine", 0x3683d886b58b39d7},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static uint64_t hash_of(const tr_sample *sample) {
    uint64_t hash = tr_hash(TR_HASH_START, &sample->hand, sizeof sample->hand);
    for (uint32_t i = 0; i < tr_scene_mesh_count(sample->scene); i++) {
        tr_mesh_view mesh = tr_scene_mesh(sample->scene, i);
        hash = tr_hash(hash, mesh.positions, mesh.position_count * sizeof *mesh.positions);
        hash = tr_hash(hash, mesh.indices, (size_t)mesh.triangle_count * 3 * sizeof *mesh.indices);
    }
    return hash;
}

TEST(scenes_to_reach_into_have_the_same_bits_everywhere_and_differ_by_seed) {
    for (uint32_t i = 0; i < SCENES; i++) {
        uint64_t hash = TR_HASH_START, last = 0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            tr_sample sample;
            REQUIRE(tr_sample_make(&(tr_sample_def){.name = scenes[i].name, .seed = seed}, &sample, NULL) ==
                    TR_OK);
            uint64_t own = hash_of(&sample);
            CHECK(own != last);
            last = own;
            hash = tr_hash(hash, &own, sizeof own);
            tr_scene_destroy(sample.scene);
        }
        CHECK_HASH(hash, scenes[i].hash);
    }
}

// A ball of 4 cm fits somewhere into the box for the hand, which is within a tall person's reach, and most of
// it is beyond something.
TEST(there_is_room_for_a_hand_within_reach) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            tr_sample sample;
            tr_solid *solid;
            REQUIRE(tr_sample_make(&(tr_sample_def){.name = scenes[i].name, .seed = seed}, &sample, NULL) ==
                    TR_OK);
            tr_solid_def def = tr_solid_def_default(sample.scene);
            REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
            uint32_t room = 0;
            tr_vec3 size = tr_vec3_subtract(sample.hand.max, sample.hand.min);
            for (uint32_t k = 0; k < 1000; k++) {
                tr_vec3 share = {((float)(k % 10) + 0.5f) / 10, ((float)(k / 10 % 10) + 0.5f) / 10,
                                 ((float)(k / 100) + 0.5f) / 10};
                tr_vec3 at = {sample.hand.min.x + share.x * size.x, sample.hand.min.y + share.y * size.y,
                              sample.hand.min.z + share.z * size.z};
                tr_vec3 from = tr_vec3_subtract(at, tr_vec3_make(-0.22f, 1.45f, 0));
                tr_solid_capsule ball = {at, at, 0.04f};
                room += tr_vec3_length(from) < 0.75f && !tr_solid_touches(solid, &ball);
            }
            CHECK(room > 20);
            tr_solid_destroy(solid);
            tr_scene_destroy(sample.scene);
        }
}
