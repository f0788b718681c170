// Updates where little tells that anything changed.
#include "world/little.h"

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
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 100, 30});
    tr_occupancy *occupancy = little_occupancy(&def);
    tr_raster *raster = little_raster(0);
    tr_scene *scene = scene_with_box(&allocator, 1);
    REQUIRE(raster && occupancy && scene);
    uintptr_t former = (uintptr_t)scene;
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, NULL, NULL), TR_OK);
    CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){1.25f, 1}));
    tr_scene_destroy(scene);
    scene = scene_with_box(&allocator, 7); // as many objects with the same revisions
    REQUIRE(scene && (uintptr_t)scene == former);
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, NULL, NULL), TR_OK);
    CHECK(tr_occupancy_is_free(occupancy, (tr_vec2){1.25f, 1}));
    CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){7.25f, 1}));
    tr_scene_destroy(scene);
    tr_occupancy_destroy(occupancy);
    tr_raster_destroy(raster);
    for (int i = 0; i < 64; i++)
        free(kept.freed[i].block);
}

// A plate exactly on an end of the band counts, so it must be cleared and drawn again as well.
TEST(a_plate_on_the_border_of_the_band_is_followed) {
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 100, 30});
    const float heights[] = {def.band.low, def.band.high};
    for (int i = 0; i < 2; i++) {
        tr_occupancy *occupancy = little_occupancy(&def);
        tr_raster *raster = little_raster(0);
        tr_scene *scene = NULL;
        REQUIRE(raster && occupancy && tr_scene_create(NULL, &scene) == TR_OK);
        uint32_t plate = little_box(scene, little_make_box(1, heights[i], 1, 1.5f, heights[i], 1.5f), 0);
        CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
        CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){1.25f, 1.25f}));
        tr_affine placement = little_move(6, 0, 0);
        CHECK_INT(tr_scene_place(scene, plate, &placement), TR_OK);
        CHECK_INT(tr_occupancy_update(occupancy, raster, scene, NULL, NULL), TR_OK);
        CHECK(tr_occupancy_is_free(occupancy, (tr_vec2){1.25f, 1.25f}));
        CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){7.25f, 1.25f}));
        tr_occupancy_destroy(occupancy);
        tr_raster_destroy(raster);
        tr_scene_destroy(scene);
    }
}

// A corner may lie a little outside the promised bounds; on fine cells that little is several cells.
TEST(an_update_clears_what_was_drawn_a_little_outside_the_bounds) {
    tr_occupancy_def def = little_occupancy_def((tr_grid){{49.98f, 0}, 0.0005f, 400, 400});
    def.radius = 0;
    tr_occupancy *occupancy = little_occupancy(&def);
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    little_drawing drawing;
    REQUIRE(raster && occupancy && tr_scene_create(NULL, &scene) == TR_OK);
    little_draw_box(&drawing, little_make_box(-50, 0, 0.05f, 50.0009f, 1, 0.06f));
    uint32_t object = little_drawn(scene, &drawing, little_make_box(-50, 0, 0.05f, 50, 1, 0.06f));
    CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
    CHECK(!tr_occupancy_is_free(occupancy, (tr_vec2){50.0005f, 0.055f}));
    CHECK_INT(tr_scene_remove_object(scene, object), TR_OK);
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, NULL, NULL), TR_OK);
    CHECK_INT(tr_bitmap_count(tr_occupancy_occupied(occupancy)), 0);
    tr_occupancy_destroy(occupancy);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(things_that_move_apart_from_each_other_change_rectangles_of_their_own) {
    tr_raster *raster = little_raster(0);
    tr_scene *scene = NULL;
    REQUIRE(raster && tr_scene_create(NULL, &scene) == TR_OK);
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 0.5f, 1, 0.5f)), boxes[40], count;
    for (uint32_t i = 0; i < 40; i++)
        boxes[i] = little_object(scene, mesh,
                                 little_move(1 + 4.5f * (float)(i % 10), 0, 1 + 4.5f * (float)(i / 10)), 0);
    tr_occupancy_def def = little_occupancy_def((tr_grid){{0, 0}, 0.1f, 460, 200});
    tr_occupancy *occupancy = little_occupancy(&def), *built = little_occupancy(&def);
    REQUIRE(occupancy && built);
    tr_cells changed;
    CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
    const tr_cells *list = tr_occupancy_changes(occupancy, &count);
    CHECK(count == 1 && list[0].column_end == 460 && list[0].row_end == 200); // a build
    static const uint32_t movers[] = {0, 1, 10, 32, 40};
    for (uint32_t k = 0; k < 5; k++) {
        for (uint32_t i = 0; i < movers[k]; i++) {
            tr_affine placement = tr_scene_object(scene, boxes[i]).placement;
            placement.m[0][3] += 0.2f;
            CHECK_INT(tr_scene_place(scene, boxes[i], &placement), TR_OK);
        }
        CHECK_INT(tr_occupancy_update(occupancy, raster, scene, &changed, NULL), TR_OK);
        CHECK_INT(tr_occupancy_build(built, raster, scene, NULL), TR_OK);
        CHECK(tr_bitmap_equal(tr_occupancy_occupied(occupancy), tr_occupancy_occupied(built)) &&
              tr_bitmap_equal(tr_occupancy_blocked(occupancy), tr_occupancy_blocked(built)));
        list = tr_occupancy_changes(occupancy, &count);
        if (movers[k] <= TR_OCCUPANCY_CHANGES_MAX)
            CHECK_INT(count, movers[k]);
        else
            CHECK(count > 0 && count <= TR_OCCUPANCY_CHANGES_MAX);
        for (uint32_t i = 0; i < count && movers[k] <= TR_OCCUPANCY_CHANGES_MAX; i++)
            CHECK(list[i].column_end - list[i].column_begin < 25 && list[i].row_end - list[i].row_begin < 25);
    }
    tr_occupancy_destroy(occupancy);
    tr_occupancy_destroy(built);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}
