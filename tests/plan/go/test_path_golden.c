// The same bits everywhere: paths over the grounds of sample scenes have one hash each, whatever the
// compiler, the optimisation, the number of threads of the rasteriser, and under WASM. A hash that changes on
// purpose is changed here, with the reason in the commit.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/plan/path.h"
#include "troupe/world/sample.h"

typedef struct golden_path {
    const char *scene;
    float cell;
    uint64_t built, moved; // after something was put elsewhere, by an update
} golden_path;

static const golden_path goldens[] = {
    {"office", 0.1f, 0x9e09ec1de1f33d47, 0xd6499e72c76a00f9},
    {"house", 0.1f, 0x5d47ab4c0621ebb0, 0x5d47ab4c0621ebb0},
    {"stairs", 0.1f, 0x3c5b0fb1da317c47, 0x3c5b0fb1da317c47},
    {"labyrinth", 0.15f, 0xcbb1b5557d2b947d, 0xcbb1b5557d2b947d},
};
#define GOLDEN_COUNT (sizeof goldens / sizeof goldens[0])

static uint64_t hash_paths(const tr_ground *ground, uint32_t size, tr_path *path, tr_box box) {
    uint64_t hash = TR_HASH_START;
    tr_random random = tr_random_seed(9);
    tr_path_params params = tr_path_params_default(size);
    for (int i = 0; i < 60; i++) {
        tr_vec3 ends[2];
        for (int k = 0; k < 2; k++) {
            ends[k].x = tr_random_between(&random, box.min.x, box.max.x);
            ends[k].y = tr_random_between(&random, box.min.y, box.max.y);
            ends[k].z = tr_random_between(&random, box.min.z, box.max.z);
        }
        int32_t status = (int32_t)tr_path_find(path, ground, &params, ends[0], &ends[1], 1, NULL);
        tr_path_result way = tr_path_last(path);
        hash = tr_hash(hash, &status, sizeof status);
        hash = tr_hash(hash, &way.cost, sizeof way.cost);
        hash = tr_hash(hash, &way.length, sizeof way.length);
        for (uint32_t p = 0; p < way.point_count; p++)
            hash = tr_hash(hash, &way.points[p].position, sizeof way.points[p].position);
    }
    return hash;
}

static void make_hashes(const golden_path *golden, uint64_t hashes[2]) {
    tr_sample sample;
    tr_sample_def sample_def = {.name = golden->scene, .seed = 7};
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT};
    tr_ground_def def = tr_ground_def_default();
    tr_ground_body body = tr_ground_body_of_height(1.8f);
    tr_raster *raster = NULL;
    tr_ground *ground = NULL;
    tr_path *path = NULL;
    uint32_t size;
    def.cell = golden->cell;
    body.radius = 0.25f;
    REQUIRE(tr_sample_make(&sample_def, &sample, NULL) == TR_OK);
    REQUIRE(tr_raster_create(&raster_def, &raster, NULL) == TR_OK);
    REQUIRE(tr_ground_create(&def, raster, sample.scene, &ground, NULL) == TR_OK);
    REQUIRE(tr_ground_add_size(ground, &body, &size, NULL) == TR_OK);
    REQUIRE(tr_path_create(NULL, &path, NULL) == TR_OK);
    tr_box box = tr_scene_bounds(sample.scene);
    hashes[0] = hash_paths(ground, size, path, box);
    if (sample.movable_count) {
        tr_affine placement = tr_scene_object(sample.scene, sample.first_movable).placement;
        placement.m[0][3] += 0.37f;
        CHECK_INT(tr_scene_place(sample.scene, sample.first_movable, &placement), TR_OK);
    }
    CHECK_INT(tr_ground_update(ground, raster, sample.scene, NULL, 0, NULL), TR_OK);
    hashes[1] = hash_paths(ground, size, path, box);
    tr_path_destroy(path);
    tr_ground_destroy(ground);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
}

TEST(sample_scenes_have_the_golden_paths) {
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++) {
        uint64_t made[2] = {0, 0};
        make_hashes(&goldens[i], made);
        if (made[0] != goldens[i].built || made[1] != goldens[i].moved)
            test_failed(__FILE__, __LINE__,
                        "{\"%s\", %gf, 0x%016" PRIx64 ", 0x%016" PRIx64 "}, is what was made",
                        goldens[i].scene, goldens[i].cell, made[0], made[1]);
    }
}
