// The scenes after figure 9 of Li's digital actor: what their sizes promise.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"
#include "troupe/world/solid.h"

static const struct {
    const char *name;
    uint32_t triangles;
    uint64_t hash, seed_1_hash;
} scenes[] = {
    {"passage", 72, 0x43afcb343e411984, 0x4f573707295b3623},
    {"slide", 180, 0xc6b62b39942d1568, 0x6d6564edb1bc473a},
    {"tables", 168, 0x84d6f35b8a32316c, 0x50bf117686e9d470},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static uint64_t hash_of(const tr_sample_def *def) {
    tr_sample sample;
    if (tr_sample_make(def, &sample, NULL) != TR_OK)
        return 0;
    uint64_t hash = tr_hash(TR_HASH_START, &sample.start, sizeof sample.start);
    hash = tr_hash(hash, &sample.goal, sizeof sample.goal);
    for (uint32_t i = 0; i < tr_scene_mesh_count(sample.scene); i++) {
        tr_mesh_view mesh = tr_scene_mesh(sample.scene, i);
        hash = tr_hash(hash, mesh.positions, mesh.position_count * sizeof *mesh.positions);
        hash = tr_hash(hash, mesh.indices, (size_t)mesh.triangle_count * 3 * sizeof *mesh.indices);
    }
    for (uint32_t i = 0; i < tr_scene_object_count(sample.scene); i++) {
        tr_object_view object = tr_scene_object(sample.scene, i);
        hash = tr_hash(hash, &object.placement, sizeof object.placement);
    }
    tr_scene_destroy(sample.scene);
    return hash;
}

TEST(scenes_have_the_same_bits_everywhere_and_any_number_of_triangles) {
    for (uint32_t i = 0; i < SCENES; i++) {
        CHECK_HASH(hash_of(&(tr_sample_def){.name = scenes[i].name}), scenes[i].hash);
        CHECK_HASH(hash_of(&(tr_sample_def){.name = scenes[i].name, .seed = 1}), scenes[i].seed_1_hash);
        for (uint32_t more = 0; more < 5000; more = 3 * more + 1) {
            tr_sample sample;
            tr_sample_def def = {
                .name = scenes[i].name, .seed = more, .triangles = more ? scenes[i].triangles + more : 0};
            REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
            CHECK_INT(tr_scene_triangle_count(sample.scene), scenes[i].triangles + more);
            CHECK(sample.start.z < -4 && sample.goal.z > 4 && sample.start.x == 0 && sample.goal.x == 0);
            tr_scene_destroy(sample.scene);
        }
    }
}

// The least distance of the scene from the way at heights between these, floor excluded.
static double room_beside_way(const char *name, uint64_t seed, float low, float high) {
    tr_sample sample;
    tr_solid *solid;
    double least = 9;
    if (tr_sample_make(&(tr_sample_def){.name = name, .seed = seed}, &sample, NULL) != TR_OK)
        return NAN;
    tr_solid_def def = tr_solid_def_default(sample.scene);
    def.exclude_tags = TR_TAG_WALKABLE;
    if (tr_solid_create(&def, &solid, NULL) == TR_OK)
        for (float z = sample.start.z; z < sample.goal.z; z += 0.01f) {
            tr_vec3 a = {0, low, z}, b = {0, high, z};
            double room = (double)tr_solid_distance(solid, a, b, 9, NULL);
            least = room < least ? room : least;
        }
    tr_solid_destroy(solid);
    tr_scene_destroy(sample.scene);
    return least;
}

TEST(every_seed_leaves_the_room_that_the_documentation_states) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        double gap = room_beside_way("passage", seed, 0.3f, 1.4f);
        CHECK(gap >= 0.2149 && gap <= 0.25);
        double slide = room_beside_way("slide", seed, 0.9f, 0.91f);
        CHECK(slide > 0.5 && slide < 0.68); // 1.41 to 1.59 m above the floor, and 0.9 m of that are below
        double table = room_beside_way("tables", seed, 0.4f, 0.9f);
        CHECK(table >= 0.2 - 1e-4 && table <= 0.24 + 0.02);
    }
}
