// The same bits everywhere: the cells and tops of sample scenes have one hash each, whatever the compiler,
// the optimisation, the width of SIMD, the number of threads, and under WASM. A hash that changes on purpose
// is changed here, with the reason in the commit.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"
#include "troupe/world/voxels.h"

typedef struct golden_voxels {
    const char *scene;
    uint32_t triangles; // 0: the scene's own number
    float cell, layer;
    uint64_t cells, tops;
} golden_voxels;

// Scenes that no longer change; the newer ones are in the bench.
static const golden_voxels goldens[] = {
    {"maze", 0, 0.3f, 0.1f, 0xb9a9b0eddb8550a2, 0x2d783b8c2d426925},
    {"office", 0, 0.3f, 0.1f, 0x915060df3658c90d, 0xf1637ea23a5c7089},
    {"office", 0, 0.05f, 0.3f, 0xd5134680044ff36c, 0x6e21c1b6fae9c380},
    {"field", 30000, 0.2f, 0.1f, 0x70b23f00bf3c57c6, 0xb657caed93342ae8},
    {"terrace", 0, 0.1f, 0.02f, 0x752ffa23d01c0441, 0x5e1710a68256b80b},
    {"room", 0, 0.1f, 0.05f, 0x8b7ffefa66d57229, 0xdbbe5c71d139159f},
};
#define GOLDEN_COUNT (sizeof goldens / sizeof goldens[0])

// 0 where this processor has no such lanes.
static golden_voxels make(const golden_voxels *golden, tr_tasks *tasks, uint32_t lanes) {
    golden_voxels made = *golden;
    made.cells = made.tops = 0;
    tr_sample sample;
    tr_sample_def sample_def = {.name = golden->scene, .triangles = golden->triangles, .seed = 7};
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT, .tasks = tasks, .lanes = lanes};
    tr_raster *raster = NULL;
    tr_voxels_request request = {
        .exclude_object = TR_NONE, .stand_cosine = 0.70710678f, .sure_tags = TR_TAG_WALKABLE};
    tr_voxels voxels;
    if (tr_raster_create(&raster_def, &raster, NULL) != TR_OK)
        return made;
    CHECK_INT(tr_sample_make(&sample_def, &sample, NULL), TR_OK);
    CHECK_INT(tr_voxel_grid_cover(tr_scene_bounds(sample.scene), golden->cell, golden->layer, 0.5f, 0,
                                  &request.grid, NULL),
              TR_OK);
    request.scene = sample.scene;
    CHECK_INT(tr_voxels_make(raster, &request, true, NULL, &voxels, NULL), TR_OK);
    size_t columns = (size_t)voxels.grid.grid.columns * voxels.grid.grid.rows;
    made.cells = tr_hash(TR_HASH_START, voxels.occupied, columns * voxels.words * sizeof *voxels.occupied);
    made.tops = tr_hash(TR_HASH_START, voxels.tops, columns * voxels.grid.layers * sizeof *voxels.tops);
    tr_voxels_destroy(NULL, &voxels);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
    return made;
}

static void check_goldens(tr_tasks *tasks, uint32_t lanes) {
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++) {
        golden_voxels made = make(&goldens[i], tasks, lanes);
        if (made.cells != 0 && (made.cells != goldens[i].cells || made.tops != goldens[i].tops))
            test_failed(__FILE__, __LINE__, "%s in cells of %g: 0x%016" PRIx64 ", 0x%016" PRIx64 " was made",
                        made.scene, made.cell, made.cells, made.tops);
    }
}

TEST(one_thread_slices_the_golden_cells) {
    check_goldens(NULL, 0);
}

TEST(four_lanes_slice_the_golden_cells) {
    check_goldens(NULL, 4);
}

TEST(eight_lanes_slice_the_golden_cells) {
    check_goldens(NULL, 8);
}

TEST(any_number_of_threads_slices_the_golden_cells) {
    for (uint32_t members = 2; members <= 4; members += 2) {
        tr_tasks *tasks;
        REQUIRE(tr_tasks_create(NULL, members, &tasks, NULL) == TR_OK);
        check_goldens(tasks, 0);
        tr_tasks_destroy(tasks);
    }
}
