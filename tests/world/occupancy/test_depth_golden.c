// The bits of depth maps against constants: the same for every compiler, level of optimisation and width of
// SIMD.
#include "depth_scene.h"
#include "troupe/base/hash.h"

static const tr_vec3 home = {0.3f, 1.2f, -0.4f};

static uint64_t hash_map(uint64_t hash, const tr_depth_map *map) {
    return tr_hash(hash, map->depth, sizeof(float) * map->columns * map->rows);
}

TEST(maps_of_random_scenes_keep_their_bits) {
    const uint32_t lanes[2] = {4, 0};
    for (int k = 0; k < 2; k++) {
        tr_raster *raster = little_raster(lanes[k]);
        tr_random random = tr_random_seed(21);
        tr_depth_map map = depth_make_map(48, 32);
        uint64_t hash = TR_HASH_START;
        for (int trial = 0; trial < 60; trial++) {
            depth_scene made = depth_random_scene(&random, home, 60);
            tr_depth_request request = depth_request(made.scene, depth_random_camera(&random, home));
            CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
            hash = hash_map(hash, &map);
            tr_scene_destroy(made.scene);
        }
        CHECK_HASH(hash, 0x43e395c9c3cea37e);
        free(map.depth);
        tr_raster_destroy(raster);
    }
}

TEST(maps_of_links_keep_their_bits) {
    tr_random random = tr_random_seed(22);
    tr_depth_map map = depth_make_map(40, 40);
    uint64_t hash = TR_HASH_START;
    for (int trial = 0; trial < 40; trial++) {
        tr_vec3 a = depth_random_point(&random, home, 0.5f), b = depth_random_point(&random, home, 0.5f);
        tr_depth_camera camera = tr_depth_link_camera(a, b, 0.05f, 0.25f * (float)(trial % 5));
        CHECK_INT(tr_depth_link(&camera, a, b, 0.05f, &map, NULL), TR_OK);
        hash = hash_map(hash, &map);
    }
    CHECK_HASH(hash, 0x720875a8115e14d2);
    free(map.depth);
}
