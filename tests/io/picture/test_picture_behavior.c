// Pictures of behavior maps: each kind of cell has its own colour, where it is and when.
#include "../../plan/behavior/behavior_machine.h"
#include "test.h"
#include "troupe/io/picture.h"

#include <string.h>

typedef struct fixture {
    test_machine machine;
    tr_behavior *behavior;
    tr_behavior_map *map;
} fixture;

// A wall at column 5, a log at column 15 and a lintel at column 25, all along rows 0 to 9.
static bool make(fixture *f, const tr_allocator *allocator) {
    static const uint32_t columns[3] = {5, 15, 25};
    static const bool blocks[3][3] = {{true, true, true}, {true, false, true}, {true, true, false}};
    memset(f, 0, sizeof *f);
    machine_make(&f->machine);
    tr_behavior_map_def def = {.allocator = allocator, .grid = {{0, 0}, 0.5f, 40, 30}, .seconds = 4};
    if (tr_behavior_create(&f->machine.def, &f->behavior, NULL) != TR_OK)
        return false;
    def.behavior = f->behavior;
    if (tr_behavior_map_create(&def, &f->map, NULL) != TR_OK)
        return false;
    for (uint32_t band = 0; band < 3; band++) {
        tr_bitmap occupied;
        if (tr_bitmap_create(allocator, 40, 30, &occupied) != TR_OK)
            return false;
        for (uint32_t i = 0; i < 30; i++)
            if (blocks[i / 10][band])
                tr_bitmap_set(&occupied, columns[i / 10], i % 10);
        tr_status status = tr_behavior_map_set(f->map, band, &occupied, NULL);
        tr_bitmap_destroy(allocator, &occupied);
        if (status != TR_OK)
            return false;
    }
    const tr_behavior_spot spots[2] = {{2, 12, 0}, {18, 12, 90}};
    return tr_behavior_map_commit(f->map, 0, spots, 2, 0.3f, NULL) == TR_OK;
}

static void drop(fixture *f) {
    tr_behavior_map_destroy(f->map);
    tr_behavior_destroy(f->behavior);
}

static tr_color color_at(const tr_picture *picture, const tr_map_view *view, float x, float z) {
    tr_vec2 at = tr_map_view_pixel(view, tr_vec2_make(x, z));
    const uint8_t *pixel = picture->pixels + 3 * ((size_t)at.z * picture->width + (size_t)at.x);
    return (tr_color){pixel[0], pixel[1], pixel[2]};
}

static bool same(tr_color a, tr_color b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

TEST(each_kind_of_cell_has_its_own_colour) {
    fixture f;
    tr_picture picture;
    tr_map_view view;
    tr_error error;
    REQUIRE(make(&f, NULL));
    REQUIRE(tr_picture_draw_behavior_map(NULL, &(tr_behavior_layers){f.map, 45, 3}, 6, "map", &picture, &view,
                                         &error) == TR_OK);
    const tr_color colors[] = {
        color_at(&picture, &view, 2.75f, 2.25f),   // wall
        color_at(&picture, &view, 7.75f, 2.25f),   // log
        color_at(&picture, &view, 12.75f, 2.25f),  // lintel
        color_at(&picture, &view, 10.2f, 12.25f),  // somebody
        color_at(&picture, &view, 19.25f, 14.25f), // free
        color_at(&picture, &view, 7.75f, 5.75f),   // near the log
    };
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            CHECK(!same(colors[i], colors[j]));
    // Somebody walks: later that place is free, and another is not.
    tr_picture later;
    REQUIRE(tr_picture_draw_behavior_map(NULL, &(tr_behavior_layers){f.map, 89, 3}, 6, NULL, &later, &view,
                                         &error) == TR_OK);
    CHECK(same(color_at(&later, &view, 10.2f, 12.25f), colors[4]));
    CHECK(same(color_at(&later, &view, 18, 12.25f), colors[3]));
    CHECK(view.notes_top + 3 * 1.8f * view.text <= (float)later.height);
    tr_picture_destroy(&later);
    tr_picture_destroy(&picture);
    drop(&f);
}

TEST(a_picture_that_would_be_bad_gets_a_sentence) {
    fixture f;
    tr_picture picture;
    tr_error error;
    REQUIRE(make(&f, NULL));
    CHECK_INT(tr_picture_draw_behavior_map(NULL, &(tr_behavior_layers){NULL, 0, 0}, 4, NULL, &picture, NULL,
                                           &error),
              TR_INVALID);
    CHECK_INT(
        tr_picture_draw_behavior_map(NULL, &(tr_behavior_layers){f.map, 0, 0}, 4, NULL, NULL, NULL, &error),
        TR_INVALID);
    CHECK_INT(tr_picture_draw_behavior_map(NULL, &(tr_behavior_layers){f.map, 0, 0}, 0, NULL, &picture, NULL,
                                           &error),
              TR_INVALID);
    CHECK_CONTAINS(error.message, "pixels for each cell");
    CHECK_INT(tr_picture_draw_behavior_map(NULL, &(tr_behavior_layers){f.map, 0, 101}, 4, NULL, &picture,
                                           NULL, &error),
              TR_INVALID);
    drop(&f);
}

static bool attempt(const tr_allocator *allocator) {
    fixture f;
    tr_picture picture;
    tr_error error = {0};
    bool done = false;
    if (make(&f, allocator)) {
        tr_status status = tr_picture_draw_behavior_map(allocator, &(tr_behavior_layers){f.map, 30, 0}, 4,
                                                        "map", &picture, NULL, &error);
        CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0]));
        done = status == TR_OK;
        if (done)
            tr_picture_destroy(&picture);
    }
    drop(&f);
    return done;
}

TEST(every_allocation_of_a_picture_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 5);
}
