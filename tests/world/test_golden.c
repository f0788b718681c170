// The same bits everywhere: the maps of all sample scenes have one hash each, whatever the compiler, the
// optimisation, the width of SIMD, the number of threads, and under WASM. A hash that changes on purpose is
// changed here, with the reason in the commit.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <string.h>

typedef struct golden_map {
    const char *scene;
    uint32_t cells, triangles; // triangles 0: the scene's own number
    uint64_t map, heights, clearance;
} golden_map;

static const golden_map goldens[] = {
    {"maze", 150, 0, 0xb0416ee1f5dde45a, 0xb8c012d687e33de5, 0x8d7d62beed64800c},
    {"office", 45, 0, 0x2e6dd867b1e18ee5, 0xf87ac2e55631acc8, 0xbb93beffab1a7c5c},
    {"office", 135, 0, 0x2b2e166d61800cec, 0x079d0ea7488bb48d, 0xc82eae0a485499d1},
    {"field", 300, 30000, 0x6595e652df33fe61, 0xc0132421a1c2d220, 0x7982f6fe50327eb7},
    {"edges", 120, 0, 0xb4a9afcebd4e751b, 0xb55ed016623c7bff, 0x00b650a777a78605},
    {"terrace", 120, 0, 0x48f23739d29221f9, 0x730a12e63621e3c5, 0xf4c7fa41aa9de0d7},
    {"room", 80, 0, 0xf36e21a121334f57, 0x926e8d433229c133, 0x3e35958f9b3fff8d},
};
#define GOLDEN_COUNT (sizeof goldens / sizeof goldens[0])

static uint64_t hash_bitmap(uint64_t hash, const tr_bitmap *bitmap) {
    return tr_hash(hash, bitmap->words, tr_bitmap_bytes(bitmap));
}

typedef struct hashes {
    uint64_t map, heights, clearance;
} hashes;

static hashes build(const golden_map *golden, tr_tasks *tasks, uint32_t lanes, tr_growth growth) {
    hashes made = {0, 0, 0};
    tr_sample sample;
    tr_sample_def sample_def = {.name = golden->scene, .triangles = golden->triangles, .seed = 7};
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT, .tasks = tasks, .lanes = lanes};
    tr_raster *raster = NULL;
    tr_occupancy *occupancy = NULL;
    if (tr_raster_create(&raster_def, &raster, NULL) != TR_OK)
        return made; // this processor has no such lanes
    CHECK_INT(tr_sample_make(&sample_def, &sample, NULL), TR_OK);
    CHECK_INT(tr_sample_shuffle(&sample, 3), TR_OK);
    tr_occupancy_def def = tr_occupancy_def_default(sample.ground.min.y);
    def.growth = growth;
    def.keep_heights = def.keep_clearance = true;
    CHECK_INT(tr_grid_divide(sample.ground, golden->cells, &def.grid, NULL), TR_OK);
    CHECK_INT(tr_occupancy_create(&def, &occupancy, NULL), TR_OK);
    CHECK_INT(tr_occupancy_build(occupancy, raster, sample.scene, NULL), TR_OK);
    size_t plane = (size_t)def.grid.columns * def.grid.rows * sizeof(float);
    made.map = hash_bitmap(hash_bitmap(TR_HASH_START, tr_occupancy_occupied(occupancy)),
                           tr_occupancy_blocked(occupancy));
    made.heights = tr_hash(tr_hash(TR_HASH_START, tr_occupancy_floor(occupancy), plane),
                           tr_occupancy_overhang(occupancy), plane);
    made.clearance = tr_hash(TR_HASH_START, tr_occupancy_clearance(occupancy), plane);
    tr_occupancy_destroy(occupancy);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
    return made;
}

static void check_goldens(tr_tasks *tasks, uint32_t lanes) {
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++) {
        hashes made = build(&goldens[i], tasks, lanes, i % 2 ? TR_GROWTH_CENTRES : TR_GROWTH_SAFE);
        if (made.map == 0)
            continue;
        if (made.map != goldens[i].map || made.heights != goldens[i].heights ||
            made.clearance != goldens[i].clearance)
            test_failed(__FILE__, __LINE__,
                        "{\"%s\", %u, %u, 0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64
                        "}, is what was made",
                        goldens[i].scene, goldens[i].cells, goldens[i].triangles, made.map, made.heights,
                        made.clearance);
    }
}

TEST(one_thread_makes_the_golden_maps) {
    check_goldens(NULL, 0);
}

TEST(four_lanes_make_the_golden_maps) {
    check_goldens(NULL, 4);
}

TEST(eight_lanes_make_the_golden_maps) {
    check_goldens(NULL, 8);
}

TEST(any_number_of_threads_makes_the_golden_maps) {
    for (uint32_t members = 2; members <= 8; members += 3) {
        tr_tasks *tasks;
        REQUIRE(tr_tasks_create(NULL, members, &tasks, NULL) == TR_OK);
        check_goldens(tasks, 0);
        tr_tasks_destroy(tasks);
    }
}
