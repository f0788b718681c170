// The same answers, bit for bit, on every compiler, machine, level of optimisation and width of SIMD.
#include "solid_oracle.h"
#include "test.h"
#include "troupe/base/hash.h"

static uint64_t hash_answers(const tr_solid *solid) {
    tr_random random = tr_random_seed(2);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 3000; i++) {
        tr_solid_capsule capsule;
        capsule.a = random_point(&random, 1.1f);
        capsule.b = tr_vec3_add(capsule.a, random_point(&random, 0.3f));
        capsule.radius = 0.1f * tr_random_unit(&random);
        tr_solid_hit hit = {0};
        float answers[2] = {tr_solid_distance(solid, capsule.a, capsule.b, 0.5f, &hit),
                            tr_solid_clearance(solid, &capsule, 0.05f)};
        hash = tr_hash(hash, answers, sizeof answers);
        hash = tr_hash(hash, &hit, sizeof hit);
    }
    return hash;
}

static uint64_t hash_solid(uint32_t lanes) {
    tr_scene *scene = NULL;
    tr_random random = tr_random_seed(1);
    tr_scene_create(NULL, &scene);
    for (int i = 0; i < 5; i++)
        add_random_object(scene, &random, 80, 1, 0);
    tr_solid_def def = tr_solid_def_default(scene);
    def.lanes = lanes;
    def.clearance_cell = 0.06f;
    def.clearance_box = (tr_box){{-1, -1, -1}, {1, 1, 1}};
    tr_solid *solid = NULL;
    uint64_t hash = 0;
    if (tr_solid_create(&def, &solid, NULL) == TR_OK) {
        hash = hash_answers(solid);
        tr_affine placement = tr_affine_place(tr_vec3_make(0.3f, -0.2f, 0.1f), 0);
        tr_scene_place(scene, 3, &placement);
        CHECK_INT(tr_solid_update(solid, NULL, NULL), TR_OK);
        hash ^= hash_answers(solid);
    }
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    return hash;
}

TEST(answers_have_the_same_bits_everywhere) {
    CHECK_HASH(hash_solid(4), 0xfceb4640a6d7b330);
    CHECK_HASH(hash_solid(0), 0xfceb4640a6d7b330);
}
