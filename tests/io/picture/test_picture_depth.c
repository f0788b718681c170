#include "test.h"
#include "troupe/io/picture.h"

#include <math.h>
#include <string.h>

#define SIDE 10

typedef struct maps {
    float scene[SIDE * SIDE], link[SIDE * SIDE];
    tr_depth_layer layer;
} maps;

// Near on the left, far on the right, nothing in the lowest row; the link fills all but the border.
static void make_maps(maps *made) {
    for (int i = 0; i < SIDE * SIDE; i++) {
        int column = i % SIDE, row = i / SIDE;
        bool border = column == 0 || row == 0 || column == SIDE - 1 || row == SIDE - 1;
        made->scene[i] = row == SIDE - 1 ? 2.0f : 0.2f + 0.15f * (float)column;
        made->link[i] = border ? 0 : 0.1f;
    }
    tr_depth_layer layer = {"hand", {SIDE, SIDE, made->scene, NULL}, {SIDE, SIDE, made->link, NULL}, 0.1f, 2};
    made->layer = layer;
}

static tr_color at(const tr_picture *picture, uint32_t x, uint32_t y) {
    tr_color color;
    memcpy(&color, picture->pixels + 3 * ((size_t)y * picture->width + x), 3);
    return color;
}

static int brightness(tr_color color) {
    return color.red + color.green + color.blue;
}

static bool is_red(tr_color color) {
    return color.red > 90 && color.red > 2 * color.green && color.red > 2 * color.blue;
}

static uint64_t count_red(const tr_picture *picture) {
    uint64_t count = 0;
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++)
            count += is_red(at(picture, x, y));
    return count;
}

TEST(near_is_bright_and_far_is_dark) {
    maps made;
    tr_picture picture;
    make_maps(&made);
    REQUIRE(tr_picture_draw_depth(NULL, &made.layer, 1, 20, NULL, &picture, NULL) == TR_OK);
    // Without a title the map begins at twice the height of the text, 13.
    uint32_t left = 26 + 10, top = 26 + 10;
    int last = 1000;
    for (uint32_t column = 0; column < SIDE; column++) {
        int now = brightness(at(&picture, left + 20 * column, top));
        CHECK(now < last);
        last = now;
    }
    CHECK(brightness(at(&picture, left, top + 20 * (SIDE - 1))) < last); // nothing there
    tr_picture_destroy(&picture);
}

TEST(colliding_pixels_are_red_and_no_others) {
    maps made;
    tr_picture none, some;
    make_maps(&made);
    REQUIRE(tr_picture_draw_depth(NULL, &made.layer, 1, 8, "title", &none, NULL) == TR_OK);
    made.link[5 * SIDE + 5] = made.scene[5 * SIDE + 5]; // as deep counts
    made.link[5 * SIDE + 6] = made.scene[5 * SIDE + 6] * 1.5f;
    made.link[2 * SIDE + 2] = made.scene[2 * SIDE + 2] * 0.99f; // nearly
    made.scene[3 * SIDE + 3] = NAN;                             // never
    REQUIRE(tr_picture_draw_depth(NULL, &made.layer, 1, 8, "title", &some, NULL) == TR_OK);
    uint64_t more = count_red(&some) - count_red(&none); // the legend has some
    CHECK(more > 2 * 30 && more <= 2 * 64);              // less what the contours cover
    tr_picture_destroy(&none);
    tr_picture_destroy(&some);
}

TEST(maps_stand_side_by_side) {
    maps made;
    tr_picture one, three;
    make_maps(&made);
    tr_depth_layer layers[3] = {made.layer, made.layer, made.layer};
    layers[1].link.depth = NULL;
    layers[2].name = NULL;
    REQUIRE(tr_picture_draw_depth(NULL, layers, 1, 60, NULL, &one, NULL) == TR_OK);
    REQUIRE(tr_picture_draw_depth(NULL, layers, 3, 60, NULL, &three, NULL) == TR_OK);
    CHECK(three.width > 3 * SIDE * 60 && one.width < 2 * SIDE * 60);
    tr_picture_destroy(&one);
    tr_picture_destroy(&three);
}

TEST(the_legend_shows_the_colours_of_the_maps) {
    maps made;
    tr_picture picture;
    make_maps(&made);
    REQUIRE(tr_picture_draw_depth(NULL, &made.layer, 1, 20, NULL, &picture, NULL) == TR_OK);
    uint32_t map_end = 26 + 20 * SIDE, same = 0;
    tr_color nothing = at(&picture, 26 + 2, map_end - 2); // the lowest row, outside the link
    for (uint32_t y = map_end + 2; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++) {
            tr_color color = at(&picture, x, y);
            same += memcmp(&color, &nothing, sizeof color) == 0;
        }
    CHECK(same >= 12 * 12); // a patch as high as the text
    tr_picture_destroy(&picture);
}

TEST(bad_layers_are_refused_with_a_reason) {
    maps made;
    make_maps(&made);
    tr_depth_layer layers[2] = {made.layer, made.layer};
    tr_picture picture = {.width = 77};
    tr_error error;
    CHECK_INT(tr_picture_draw_depth(NULL, layers, 0, 3, NULL, &picture, &error), TR_INVALID);
    CHECK_INT(tr_picture_draw_depth(NULL, layers, TR_DEPTH_LAYERS_MAX + 1, 3, NULL, &picture, NULL),
              TR_INVALID);
    CHECK_INT(tr_picture_draw_depth(NULL, NULL, 1, 3, NULL, &picture, NULL), TR_INVALID);
    CHECK_INT(tr_picture_draw_depth(NULL, layers, 1, 3, NULL, NULL, NULL), TR_INVALID);
    CHECK_INT(tr_picture_draw_depth(NULL, layers, 1, 0, NULL, &picture, &error), TR_INVALID);
    CHECK_INT(tr_picture_draw_depth(NULL, layers, 1, TR_MAP_CELL_PIXELS_MAX + 1, NULL, &picture, &error),
              TR_INVALID);
    CHECK_CONTAINS(error.message, "65");
    layers[1].link.rows = SIDE - 1;
    CHECK_INT(tr_picture_draw_depth(NULL, layers, 2, 3, NULL, &picture, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "depth map 1");
    layers[1] = made.layer;
    layers[1].scene.depth = NULL;
    CHECK_INT(tr_picture_draw_depth(NULL, layers, 2, 3, NULL, &picture, NULL), TR_INVALID);
    const float ranges[4][2] = {{-1, 1}, {2, 1}, {NAN, 1}, {0, INFINITY}};
    for (int i = 0; i < 4; i++) {
        layers[0].near = ranges[i][0];
        layers[0].far = ranges[i][1];
        CHECK_INT(tr_picture_draw_depth(NULL, layers, 1, 3, NULL, &picture, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "near < far");
    }
    CHECK_INT(picture.width, 77);
}

TEST(a_picture_that_would_be_too_large_is_refused) {
    static float deep[TR_DEPTH_SIZE_MAX];
    tr_depth_layer layer = {"long", {TR_DEPTH_SIZE_MAX, 1, deep, NULL}, {0, 0, NULL, NULL}, 0, 1};
    tr_picture picture;
    tr_error error;
    CHECK_INT(tr_picture_draw_depth(NULL, &layer, 1, 9, NULL, &picture, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "4096 x 1");
}

static bool draw_with(const tr_allocator *allocator) {
    maps made;
    tr_picture picture;
    make_maps(&made);
    if (tr_picture_draw_depth(allocator, &made.layer, 1, 4, "title", &picture, NULL) != TR_OK)
        return false;
    tr_picture_destroy(&picture);
    return true;
}

TEST(when_memory_runs_out_there_is_no_picture) {
    CHECK_EVERY_ALLOCATION_FAILURE(draw_with);
}
