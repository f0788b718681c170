// Updates where little tells that anything changed.
#include "little.h"

#include <stdlib.h>

// Gives what was freed last to the next who asks for as much: a new scene then lies where an old one lay.
typedef struct hoard {
    struct {
        void *block;
        size_t size;
    } freed[64];
} hoard;

static void *hoard_resize(void *user, void *old, size_t old_size, size_t new_size) {
    hoard *kept = user;
    void *block = NULL;
    for (int i = 0; i < 64 && new_size && !block; i++)
        if (kept->freed[i].block && kept->freed[i].size == new_size) {
            block = kept->freed[i].block;
            kept->freed[i].block = NULL;
        }
    if (new_size && !block)
        block = malloc(new_size);
    if (block && old)
        memcpy(block, old, old_size < new_size ? old_size : new_size);
    for (int i = 0; i < 64 && old; i++)
        if (!kept->freed[i].block) {
            kept->freed[i].block = old;
            kept->freed[i].size = old_size;
            old = NULL;
        }
    free(old);
    return block;
}

static tr_scene *scene_with_box(const tr_allocator *allocator, float x) {
    tr_scene *scene = NULL;
    if (tr_scene_create(allocator, &scene) == TR_OK)
        little_box(scene, little_make_box(x, 0, 1, x + 0.5f, 1, 1.5f), 0);
    return scene;
}

TEST(a_scene_at_the_address_of_a_destroyed_one_is_another_scene) {
    hoard kept = {.freed = {{0}}};
    tr_allocator allocator = {hoard_resize, &kept};
    tr_footprint_def def = little_footprint_def((tr_grid){{0, 0}, 0.1f, 100, 30});
    tr_footprint *footprint = little_footprint(&def);
    tr_raster *raster = little_raster(0);
    tr_scene *scene = scene_with_box(&allocator, 1);
    REQUIRE(raster && footprint && scene);
    uintptr_t former = (uintptr_t)scene;
    CHECK_INT(tr_footprint_update(footprint, raster, scene, NULL, NULL), TR_OK);
    CHECK(!tr_footprint_is_free(footprint, (tr_vec2){1.25f, 1}));
    tr_scene_destroy(scene);
    scene = scene_with_box(&allocator, 7); // as many objects with the same revisions
    REQUIRE(scene && (uintptr_t)scene == former);
    CHECK_INT(tr_footprint_update(footprint, raster, scene, NULL, NULL), TR_OK);
    CHECK(tr_footprint_is_free(footprint, (tr_vec2){1.25f, 1}));
    CHECK(!tr_footprint_is_free(footprint, (tr_vec2){7.25f, 1}));
    tr_scene_destroy(scene);
    tr_footprint_destroy(footprint);
    tr_raster_destroy(raster);
    for (int i = 0; i < 64; i++)
        free(kept.freed[i].block);
}

// A plate exactly on an end of the band counts, so it must be cleared and drawn again as well.
TEST(a_plate_on_the_border_of_the_band_is_followed) {
    tr_footprint_def def = little_footprint_def((tr_grid){{0, 0}, 0.1f, 100, 30});
    const float heights[] = {def.band.low, def.band.high};
    for (int i = 0; i < 2; i++) {
        tr_footprint *footprint = little_footprint(&def);
        tr_raster *raster = little_raster(0);
        tr_scene *scene = NULL;
        REQUIRE(raster && footprint && tr_scene_create(NULL, &scene) == TR_OK);
        uint32_t plate = little_box(scene, little_make_box(1, heights[i], 1, 1.5f, heights[i], 1.5f), 0);
        CHECK_INT(tr_footprint_build(footprint, raster, scene, NULL), TR_OK);
        CHECK(!tr_footprint_is_free(footprint, (tr_vec2){1.25f, 1.25f}));
        tr_affine placement = little_move(6, 0, 0);
        CHECK_INT(tr_scene_place(scene, plate, &placement), TR_OK);
        CHECK_INT(tr_footprint_update(footprint, raster, scene, NULL, NULL), TR_OK);
        CHECK(tr_footprint_is_free(footprint, (tr_vec2){1.25f, 1.25f}));
        CHECK(!tr_footprint_is_free(footprint, (tr_vec2){7.25f, 1.25f}));
        tr_footprint_destroy(footprint);
        tr_raster_destroy(raster);
        tr_scene_destroy(scene);
    }
}

// A corner may lie a little outside the promised bounds; on fine cells that little is several cells.
TEST(an_update_clears_what_was_drawn_a_little_outside_the_bounds) {
    tr_footprint_def def = little_footprint_def((tr_grid){{49.98f, 0}, 0.0005f, 400, 400});
    def.radius = 0;
    tr_footprint *footprint = little_footprint(&def);
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    little_drawing drawing;
    REQUIRE(raster && footprint && tr_scene_create(NULL, &scene) == TR_OK);
    little_draw_box(&drawing, little_make_box(-50, 0, 0.05f, 50.0009f, 1, 0.06f));
    uint32_t object = little_drawn(scene, &drawing, little_make_box(-50, 0, 0.05f, 50, 1, 0.06f));
    CHECK_INT(tr_footprint_build(footprint, raster, scene, NULL), TR_OK);
    CHECK(!tr_footprint_is_free(footprint, (tr_vec2){50.0005f, 0.055f}));
    CHECK_INT(tr_scene_remove_object(scene, object), TR_OK);
    CHECK_INT(tr_footprint_update(footprint, raster, scene, NULL, NULL), TR_OK);
    CHECK_INT(tr_bitmap_count(tr_footprint_occupied(footprint)), 0);
    tr_footprint_destroy(footprint);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}
