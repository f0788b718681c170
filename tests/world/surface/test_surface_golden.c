// The same bits everywhere: the surfaces of sample scenes have one hash each, whatever the compiler, the
// optimisation, the width of SIMD, the number of threads, and under WASM. A hash that changes on purpose is
// changed here, with the reason in the commit.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"
#include "troupe/world/surface.h"

typedef struct golden_surface {
    const char *scene;
    float cell, layer;
    uint64_t built, moved; // after things were put elsewhere, by an update
} golden_surface;

static const golden_surface goldens[] = {
    {"room", 0.1f, 0.05f, 0xdcf82eb7d7424f0a, 0xc00bc1f517f53c02},
    {"office", 0.25f, 0.1f, 0x18df31443f5070d4, 0x9e27b633cb6ad4bf},
    {"terrace", 0.2f, 0.1f, 0xed10c48d79e939d8, 0xadec9635083c248a},
    {"stairs", 0.25f, 0.1f, 0xeec4c52e3129ffd2, 0x181ebe29f6798d6a},
    {"labyrinth", 0.25f, 0.1f, 0x936a3f5e5a6c7be6, 0x3723a68a6594f150},
};
#define GOLDEN_COUNT (sizeof goldens / sizeof goldens[0])

static uint64_t hash_surface(const tr_surface *surface) {
    const tr_grid *grid = &tr_surface_grid(surface)->grid;
    uint64_t hash = TR_HASH_START;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_surface_column cells = tr_surface_at(surface, column, row);
            hash = tr_hash(hash, &cells.first, sizeof cells.first);
            hash = tr_hash(hash, &cells.count, sizeof cells.count);
            hash = tr_hash(hash, cells.heights, cells.count * sizeof *cells.heights);
            hash = tr_hash(hash, cells.rooms, cells.count * sizeof *cells.rooms);
        }
    return hash;
}

// false: this processor has no such lanes.
static bool build(const golden_surface *golden, tr_tasks *tasks, uint32_t lanes, uint64_t hashes[2]) {
    tr_sample sample;
    tr_sample_def sample_def = {.name = golden->scene, .seed = 7};
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT, .tasks = tasks, .lanes = lanes};
    tr_raster *raster = NULL;
    tr_surface *surface = NULL;
    if (tr_raster_create(&raster_def, &raster, NULL) != TR_OK)
        return false;
    CHECK_INT(tr_sample_make(&sample_def, &sample, NULL), TR_OK);
    tr_surface_def def = tr_surface_def_default();
    CHECK_INT(tr_voxel_grid_cover(tr_scene_bounds(sample.scene), golden->cell, golden->layer, 0.3f, 0,
                                  &def.grid, NULL),
              TR_OK);
    CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
    CHECK_INT(tr_surface_build(surface, raster, sample.scene, NULL), TR_OK);
    hashes[0] = hash_surface(surface);
    if (sample.movable_count) {
        tr_affine placement = tr_scene_object(sample.scene, sample.first_movable).placement;
        placement.m[0][3] += 0.37f;
        CHECK_INT(tr_scene_place(sample.scene, sample.first_movable, &placement), TR_OK);
    }
    CHECK_INT(tr_surface_update(surface, raster, sample.scene, NULL, NULL), TR_OK);
    hashes[1] = hash_surface(surface);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
    return true;
}

static void check_goldens(tr_tasks *tasks, uint32_t lanes) {
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++) {
        uint64_t made[2];
        if (!build(&goldens[i], tasks, lanes, made))
            continue;
        if (made[0] != goldens[i].built || made[1] != goldens[i].moved)
            test_failed(__FILE__, __LINE__,
                        "{\"%s\", %gf, %gf, 0x%016" PRIx64 ", 0x%016" PRIx64 "}, is what was made",
                        goldens[i].scene, goldens[i].cell, goldens[i].layer, made[0], made[1]);
    }
}

TEST(one_thread_makes_the_golden_surfaces) {
    check_goldens(NULL, 0);
}

TEST(four_lanes_make_the_golden_surfaces) {
    check_goldens(NULL, 4);
}

TEST(eight_lanes_make_the_golden_surfaces) {
    check_goldens(NULL, 8);
}

TEST(any_number_of_threads_makes_the_golden_surfaces) {
    for (uint32_t members = 2; members <= 8; members += 3) {
        tr_tasks *tasks;
        REQUIRE(tr_tasks_create(NULL, members, &tasks, NULL) == TR_OK);
        check_goldens(tasks, 0);
        tr_tasks_destroy(tasks);
    }
}
