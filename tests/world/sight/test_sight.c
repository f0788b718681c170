// Eyes and memory against visibility that is computed in another way.
#include "world/little.h"
#include "troupe/world/sight.h"

#include <stdlib.h>

#define COLUMNS 24
#define ROWS 18
#define PIXELS (COLUMNS * ROWS)

static tr_sight *open_eyes(const tr_scene *scene, bool stranger) {
    tr_sight_def def = {.scene = scene, .stranger = stranger, .columns = 64, .rows = 64};
    tr_sight *sight = NULL;
    CHECK_INT(tr_sight_create(&def, &sight, NULL), TR_OK);
    return sight;
}

static bool look(tr_sight *sight, tr_raster *raster, tr_vec3 eye, tr_vec3 forward, double time) {
    bool changed = false;
    CHECK_INT(tr_sight_look(sight, raster, eye, forward, time, &changed, NULL), TR_OK);
    return changed;
}

static bool knows(const tr_sight *sight, uint32_t object) {
    return tr_sight_recall(sight, object).known;
}

static tr_scene *random_boxes(tr_random *random, uint32_t count) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        float x = tr_random_between(random, -5, 5), y = tr_random_between(random, -2, 2),
              z = tr_random_between(random, -5, 5), size = tr_random_between(random, 0.1f, 2);
        little_box(scene, little_make_box(x, y, z, x + size, y + size, z + size), 0);
    }
    return scene;
}

// The nearest object of each pixel, from one depth map for each object alone.
static void find_nearest(tr_raster *raster, tr_scene *scene, const tr_depth_camera *camera,
                         uint32_t *objects) {
    static float least[PIXELS], depth[PIXELS];
    tr_depth_map map = {.columns = COLUMNS, .rows = ROWS, .depth = depth};
    uint32_t count = tr_scene_object_count(scene);
    for (uint32_t i = 0; i < PIXELS; i++)
        least[i] = camera->far, objects[i] = TR_NONE;
    for (uint32_t shown = 0; shown < count; shown++) {
        for (uint32_t i = 0; i < count; i++)
            tr_scene_set_tags(scene, i, i == shown ? 0 : TR_TAG_USER);
        tr_depth_request request = {
            .scene = scene, .camera = *camera, .exclude_tags = TR_TAG_USER, .exclude_object = TR_NONE};
        CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
        for (uint32_t i = 0; i < PIXELS; i++)
            if (depth[i] < least[i])
                least[i] = depth[i], objects[i] = shown;
    }
    for (uint32_t i = 0; i < count; i++)
        tr_scene_set_tags(scene, i, 0);
}

TEST(an_item_buffer_shows_the_nearest_object) {
    tr_raster *rasters[2] = {little_raster(4), little_raster(8)};
    tr_random random = tr_random_seed(81);
    static float depth[PIXELS];
    static uint32_t objects[PIXELS], nearest[PIXELS];
    uint32_t seen = 0;
    for (int trial = 0; trial < 60; trial++) {
        tr_scene *scene = random_boxes(&random, 5 + tr_random_below(&random, 40));
        tr_depth_camera camera = {.eye = {tr_random_between(&random, -5, 5), 0, -8},
                                  .forward = {tr_random_between(&random, -1, 1), 0.1f, 1},
                                  .up = {0, 1, 0},
                                  .half_tangent = 1,
                                  .near = 0.05f,
                                  .far = tr_random_between(&random, 5, 20)};
        find_nearest(rasters[0], scene, &camera, nearest);
        for (int k = 0; k < 2 && rasters[k]; k++) {
            tr_depth_map map = {COLUMNS, ROWS, depth, objects};
            tr_depth_request request = {.scene = scene, .camera = camera, .exclude_object = TR_NONE};
            CHECK_INT(tr_depth_draw(rasters[k], &request, &map, NULL), TR_OK);
            for (uint32_t i = 0; i < PIXELS; i++) {
                REQUIRE(objects[i] == nearest[i]);
                seen += objects[i] != TR_NONE;
            }
        }
        tr_scene_destroy(scene);
    }
    CHECK(seen > 5000);
    tr_raster_destroy(rasters[0]);
    tr_raster_destroy(rasters[1]);
}

// A wall across x from -3 to 3 at z = 2, a floor, and a box behind the wall.
typedef struct room {
    tr_scene *scene;
    uint32_t floor, wall, box;
} room;

static room make_room(void) {
    room made = {NULL, 0, 0, 0};
    CHECK_INT(tr_scene_create(NULL, &made.scene), TR_OK);
    made.floor = little_box(made.scene, little_make_box(-9, -1, -9, 9, 0, 9), TR_TAG_WALKABLE);
    made.wall = little_box(made.scene, little_make_box(-3, 0, 2, 3, 3, 2.1f), 0);
    made.box = little_box(made.scene, little_make_box(-0.5f, 0, 4, 0.5f, 1, 5), 0);
    return made;
}

static const tr_vec3 ahead = {0, 0, 1};

TEST(a_stranger_knows_the_floor_and_what_was_seen) {
    room at = make_room();
    tr_raster *raster = little_raster(0);
    tr_sight *sight = open_eyes(at.scene, true);
    CHECK(knows(sight, at.floor) && !knows(sight, at.wall) && !knows(sight, at.box));
    CHECK(tr_sight_map(sight, NULL).depth == NULL);
    CHECK(look(sight, raster, tr_vec3_make(0, 1.6f, -2), ahead, 1));
    CHECK(knows(sight, at.wall));
    CHECK(!knows(sight, at.box)); // the wall hides it
    CHECK_NEAR(tr_sight_recall(sight, at.wall).seen_at, 1, 0);
    CHECK(!look(sight, raster, tr_vec3_make(0, 1.6f, -2), ahead, 2)); // nothing new
    CHECK_NEAR(tr_sight_recall(sight, at.wall).seen_at, 2, 0);
    CHECK(look(sight, raster, tr_vec3_make(-5, 1.6f, 3), tr_vec3_make(1, 0, 0.2f), 3));
    CHECK(knows(sight, at.box));
    CHECK_INT(tr_scene_object(tr_sight_scene(sight), at.box).mesh, tr_scene_object(at.scene, at.box).mesh);
    tr_sight_destroy(sight);
    tr_raster_destroy(raster);
    tr_scene_destroy(at.scene);
}

TEST(what_moves_unseen_is_remembered_at_its_old_place) {
    room at = make_room();
    tr_raster *raster = little_raster(0);
    tr_sight *sight = open_eyes(at.scene, false);
    CHECK(knows(sight, at.box) && !tr_sight_recall(sight, at.box).seen);
    tr_affine elsewhere = little_move(4, 0, 0);
    CHECK_INT(tr_scene_place(at.scene, at.box, &elsewhere), TR_OK);
    CHECK(!look(sight, raster, tr_vec3_make(0, 1.6f, -2), ahead, 1)); // still hidden
    CHECK_NEAR((double)tr_scene_object(tr_sight_scene(sight), at.box).bounds.min.x, -0.5, 1e-6);
    // Its old place is visible and empty, but the new one is out of view.
    CHECK(look(sight, raster, tr_vec3_make(-5, 1.6f, 3), tr_vec3_make(1, 0, 3), 2));
    CHECK(!look(sight, raster, tr_vec3_make(-5, 1.6f, 3), tr_vec3_make(-1, 0, 0), 3));
    CHECK(look(sight, raster, tr_vec3_make(4, 1.6f, -2), ahead, 4) || knows(sight, at.box));
    CHECK(knows(sight, at.box));
    CHECK_NEAR((double)tr_scene_object(tr_sight_scene(sight), at.box).bounds.min.x, 3.5, 1e-6);
    tr_sight_destroy(sight);
    tr_raster_destroy(raster);
    tr_scene_destroy(at.scene);
}

TEST(what_was_removed_is_forgotten_when_its_place_is_seen) {
    room at = make_room();
    tr_raster *raster = little_raster(0);
    tr_sight *sight = open_eyes(at.scene, false);
    CHECK_INT(tr_scene_remove_object(at.scene, at.box), TR_OK);
    look(sight, raster, tr_vec3_make(0, 1.6f, -2), ahead, 1);
    CHECK(knows(sight, at.box));
    CHECK(look(sight, raster, tr_vec3_make(0, 1.6f, 8), tr_vec3_make(0, -0.1f, -1), 2));
    CHECK(!knows(sight, at.box));
    CHECK(knows(sight, at.wall));
    tr_error error;
    CHECK_INT(tr_sight_touch(sight, at.box, 3, &error), TR_INVALID);
    tr_sight_destroy(sight);
    tr_raster_destroy(raster);
    tr_scene_destroy(at.scene);
}

TEST(what_is_added_or_touched_becomes_known) {
    room at = make_room();
    tr_raster *raster = little_raster(0);
    tr_sight *sight = open_eyes(at.scene, false);
    uint32_t added = little_box(at.scene, little_make_box(-0.2f, 0, 3, 0.2f, 1, 3.5f), 0);
    CHECK(!knows(sight, added));
    look(sight, raster, tr_vec3_make(0, 1.6f, -2), ahead, 1);
    CHECK(!knows(sight, added));
    CHECK_INT(tr_sight_touch(sight, added, 2, NULL), TR_OK);
    CHECK(knows(sight, added));
    CHECK_NEAR(tr_sight_recall(sight, added).seen_at, 2, 0);
    CHECK(!tr_sight_recall(sight, 99).known);
    tr_sight_destroy(sight);
    tr_raster_destroy(raster);
    tr_scene_destroy(at.scene);
}

// After a look around, what a sight with all of the scene in view believes is the truth.
TEST(looking_everywhere_makes_the_memory_true) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(82);
    for (int trial = 0; trial < 40; trial++) {
        tr_scene *scene = random_boxes(&random, 12);
        tr_sight *sight = open_eyes(scene, trial % 2);
        for (int move = 0; move < 20; move++) {
            uint32_t object = tr_random_below(&random, 12);
            tr_affine to = little_move(tr_random_between(&random, -3, 3), tr_random_between(&random, -2, 2),
                                       tr_random_between(&random, -3, 3));
            if (tr_random_below(&random, 8) == 0)
                tr_scene_remove_object(scene, object);
            else
                tr_scene_place(scene, object, &to);
            tr_vec3 eye = {tr_random_between(&random, -9, 9), tr_random_between(&random, -1, 1),
                           tr_random_between(&random, -9, 9)};
            look(sight, raster, eye, tr_vec3_make(-eye.x, 0, -eye.z + 0.1f), move);
            tr_depth_map map = tr_sight_map(sight, NULL);
            for (uint32_t i = 0; i < map.columns * map.rows; i++) {
                uint32_t seen = map.objects[i];
                if (seen == TR_NONE)
                    continue;
                tr_affine real = tr_scene_object(scene, seen).placement,
                          believed = tr_scene_object(tr_sight_scene(sight), seen).placement;
                REQUIRE(knows(sight, seen) && memcmp(&real, &believed, sizeof real) == 0);
            }
        }
        tr_sight_destroy(sight);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}

TEST(bad_eyes_are_refused) {
    room at = make_room();
    tr_sight *sight = NULL;
    tr_error error;
    tr_sight_def none = {0}, wide = {.scene = at.scene, .half_angle = 1.5f},
                 blind = {.scene = at.scene, .range = NAN},
                 large = {.scene = at.scene, .columns = TR_DEPTH_SIZE_MAX + 1};
    CHECK_INT(tr_sight_create(&none, &sight, &error), TR_INVALID);
    CHECK_INT(tr_sight_create(&wide, &sight, &error), TR_INVALID);
    CHECK_INT(tr_sight_create(&blind, &sight, &error), TR_INVALID);
    CHECK_INT(tr_sight_create(&large, &sight, &error), TR_INVALID);
    CHECK(sight == NULL);
    tr_sight_destroy(NULL);
    tr_scene_destroy(at.scene);
}

static bool create_and_look(const tr_allocator *allocator) {
    room at = make_room();
    tr_raster *raster = little_raster(0);
    tr_sight_def def = {.allocator = allocator, .scene = at.scene, .columns = 8, .rows = 8};
    tr_sight *sight = NULL;
    tr_status status = tr_sight_create(&def, &sight, NULL);
    for (int i = 0; i < 20 && status == TR_OK; i++) {
        little_box(at.scene, little_make_box(-1, 0, 1, 0, 1, 1.5f), 0);
        status = tr_sight_look(sight, raster, tr_vec3_make(0, 1, -2), ahead, i, NULL, NULL);
    }
    tr_sight_destroy(sight);
    tr_raster_destroy(raster);
    tr_scene_destroy(at.scene);
    return status == TR_OK;
}

TEST(running_out_of_memory_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_and_look) > 8);
}
