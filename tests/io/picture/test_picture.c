#include "test.h"
#include "troupe/io/picture.h"
#include "troupe/world/sample.h"

#include <stdlib.h>
#include <string.h>
#ifdef TROUPE_HAVE_PNG
#include <png.h>
#endif

static const tr_color white = {255, 255, 255}, black = {0, 0, 0}, red = {255, 0, 0};

static tr_picture blank(uint32_t width, uint32_t height) {
    tr_picture picture = {0};
    tr_error error = {0};
    if (tr_picture_create(NULL, width, height, white, &picture, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no picture: %s", error.message);
    return picture;
}

static tr_color at(const tr_picture *picture, uint32_t x, uint32_t y) {
    tr_color color;
    memcpy(&color, picture->pixels + 3 * ((size_t)y * picture->width + x), 3);
    return color;
}

static bool same(tr_color a, tr_color b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

// How much black there is, in whole pixels.
static double darkness(const tr_picture *picture) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++)
        sum += (255 - picture->pixels[3 * i]) / 255.0;
    return sum;
}

TEST(a_new_picture_has_the_background_everywhere) {
    tr_picture picture;
    REQUIRE(tr_picture_create(NULL, 7, 5, red, &picture, NULL) == TR_OK);
    CHECK_INT(picture.width, 7);
    CHECK_INT(picture.height, 5);
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 7; x++)
            CHECK(same(at(&picture, x, y), red));
    tr_picture_destroy(&picture);
    CHECK(picture.pixels == NULL);
    tr_picture_destroy(&picture); // twice does no harm
    tr_picture_destroy(NULL);
}

TEST(bad_sizes_are_refused_and_leave_the_picture_alone) {
    tr_picture picture = {.width = 77};
    tr_error error = {0};
    CHECK_INT(tr_picture_create(NULL, 0, 5, white, &picture, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "0 x 5");
    CHECK_INT(tr_picture_create(NULL, 5, 0, white, &picture, NULL), TR_INVALID);
    CHECK_INT(tr_picture_create(NULL, TR_PICTURE_SIDE_MAX + 1, 5, white, &picture, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "32769");
    CHECK_INT(tr_picture_create(NULL, 1, UINT32_MAX, white, &picture, NULL), TR_LIMIT);
    CHECK_INT(picture.width, 77);
}

TEST(a_rectangle_on_whole_pixels_is_sharp) {
    tr_picture picture = blank(10, 10);
    tr_picture_rectangle(&picture, 2, 3, 5, 7, black, 1);
    for (uint32_t y = 0; y < 10; y++)
        for (uint32_t x = 0; x < 10; x++)
            CHECK(same(at(&picture, x, y), x >= 2 && x < 5 && y >= 3 && y < 7 ? black : white));
    tr_picture_destroy(&picture);
}

TEST(a_rectangle_covers_its_border_pixels_in_part) {
    tr_picture picture = blank(10, 10);
    tr_picture_rectangle(&picture, 5.5f, 7, 2.25f, 3, black, 1); // corners in any order
    CHECK_NEAR(at(&picture, 2, 4).red, 255 * 0.25, 1);
    CHECK_INT(at(&picture, 3, 4).red, 0);
    CHECK_NEAR(at(&picture, 5, 4).red, 255 * 0.5, 1);
    CHECK_NEAR(darkness(&picture), 3.25 * 4, 0.05);
    tr_picture_destroy(&picture);
}

TEST(alpha_mixes_and_is_clamped) {
    tr_picture picture = blank(4, 1);
    tr_picture_rectangle(&picture, 0, 0, 1, 1, black, 0.5f);
    tr_picture_rectangle(&picture, 1, 0, 2, 1, black, 7);
    tr_picture_rectangle(&picture, 2, 0, 3, 1, black, -1);
    tr_picture_rectangle(&picture, 3, 0, 4, 1, black, NAN);
    CHECK_NEAR(at(&picture, 0, 0).red, 128, 1);
    CHECK_INT(at(&picture, 1, 0).red, 0);
    CHECK_INT(at(&picture, 2, 0).red, 255);
    CHECK_INT(at(&picture, 3, 0).red, 255);
    tr_picture_destroy(&picture);
}

TEST(a_line_has_its_width_at_any_slope) {
    static const float ends[][4] = {
        {20, 50, 80, 50}, {50, 20, 50, 80}, {20, 20, 80, 80}, {20, 70, 80, 40}, {80, 30, 20, 33}};
    for (uint32_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        tr_picture picture = blank(100, 100);
        const float *e = ends[i];
        tr_picture_line(&picture, e[0], e[1], e[2], e[3], 4, black, 1);
        double length = sqrt((double)((e[2] - e[0]) * (e[2] - e[0]) + (e[3] - e[1]) * (e[3] - e[1])));
        CHECK_NEAR(darkness(&picture), 4 * length + 3.14159 * 4, 0.02 * 4 * length);
        CHECK_INT(at(&picture, (uint32_t)((e[0] + e[2]) / 2), (uint32_t)((e[1] + e[3]) / 2)).red, 0);
        tr_picture_destroy(&picture);
    }
}

TEST(a_disc_has_its_area) {
    tr_picture picture = blank(100, 100);
    tr_picture_disc(&picture, 40.3f, 55.7f, 20, black, 1);
    CHECK_NEAR(darkness(&picture), 3.14159 * 400, 5);
    CHECK_INT(at(&picture, 40, 55).red, 0);
    CHECK_INT(at(&picture, 40, 33).red, 255);
    tr_picture_destroy(&picture);
}

TEST(thin_lines_fade_instead_of_breaking) {
    tr_picture picture = blank(100, 20);
    tr_picture_line(&picture, 10, 10.3f, 90, 10.8f, 0.5f, black, 1);
    for (uint32_t x = 15; x < 85; x++) {
        double column = 0;
        for (uint32_t y = 0; y < 20; y++)
            column += (255 - at(&picture, x, y).red) / 255.0;
        CHECK(column > 0.25 && column < 1);
    }
    tr_picture_destroy(&picture);
}

TEST(drawing_beyond_the_picture_is_clipped) {
    tr_picture picture = blank(16, 12);
    tr_picture_rectangle(&picture, -1e30f, -1e30f, 4, 1e30f, black, 1);
    CHECK(same(at(&picture, 3, 0), black) && same(at(&picture, 4, 0), white));
    tr_picture_line(&picture, -1e30f, 6, 1e30f, 6, 2, red, 1);
    CHECK(same(at(&picture, 0, 5), red) && same(at(&picture, 15, 6), red) &&
          same(at(&picture, 15, 8), white));
    tr_picture_line(&picture, -1e9f, -1e9f, 1e9f, 1e9f, 1, black, 1);
    CHECK(at(&picture, 11, 11).red < 128);
    tr_picture_disc(&picture, 1000, 1000, 10, red, 1);
    tr_picture_disc(&picture, -5, 1e20f, 1e10f, red, 1);
    tr_picture_line(&picture, -100, -100, -50, 700, 3, red, 1);
    tr_picture_text(&picture, -30, 3, 12, "beyond both ends of the picture", black);
    tr_picture_text(&picture, 1e9f, -1e9f, 12, "far", black);
    CHECK(same(at(&picture, 15, 1), white));
    tr_picture_destroy(&picture);
}

TEST(a_disc_around_all_of_the_picture_fills_it) {
    tr_picture picture = blank(8, 8);
    tr_picture_disc(&picture, 4, 4, 1e6f, black, 1);
    CHECK_NEAR(darkness(&picture), 64, 0);
    tr_picture_destroy(&picture);
}

TEST(coordinates_that_are_not_finite_draw_nothing) {
    tr_picture picture = blank(16, 16);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        float b = bad[i];
        tr_picture_rectangle(&picture, b, 0, 8, 8, black, 1);
        tr_picture_rectangle(&picture, 0, 0, 8, b, black, 1);
        tr_picture_line(&picture, b, 0, 8, 8, 2, black, 1);
        tr_picture_line(&picture, 0, 0, 8, b, 2, black, 1);
        tr_picture_line(&picture, 0, 0, 8, 8, b, black, 1);
        tr_picture_disc(&picture, b, 4, 3, black, 1);
        tr_picture_disc(&picture, 4, b, 3, black, 1);
        tr_picture_disc(&picture, 4, 4, b, black, 1);
        tr_picture_text(&picture, b, 2, 12, "x", black);
        tr_picture_text(&picture, 2, b, 12, "x", black);
        tr_picture_text(&picture, 2, 2, b, "x", black);
        CHECK_NEAR(tr_picture_text_width(b, "x"), 0, 0);
    }
    tr_picture_line(&picture, 0, 0, 8, 8, -1, black, 1);
    tr_picture_disc(&picture, 4, 4, -1, black, 1);
    tr_picture_text(&picture, 2, 2, 12, NULL, black);
    tr_picture_rectangle(NULL, 0, 0, 1, 1, black, 1);
    CHECK_NEAR(darkness(&picture), 0, 0);
    tr_picture_destroy(&picture);
}

TEST(every_printable_character_has_a_shape_of_its_own) {
    uint8_t *shapes[95];
    for (int i = 0; i < 95; i++) {
        tr_picture picture = blank(40, 40);
        char text[2] = {(char)(32 + i), 0};
        tr_picture_text(&picture, 5, 5, 24, text, black);
        CHECK((darkness(&picture) > 3) == (i > 0)); // only the space is empty
        shapes[i] = picture.pixels;
        picture.pixels = NULL;
        for (int j = 0; j < i; j++)
            if (memcmp(shapes[i], shapes[j], 40 * 40 * 3) == 0)
                test_failed(__FILE__, __LINE__, "'%c' looks like '%c'", 32 + i, 32 + j);
    }
    for (int i = 0; i < 95; i++)
        free(shapes[i]);
}

TEST(text_keeps_within_the_width_that_was_told) {
    static const char *const texts[] = {"Troupe", "0.25 m",
                                        "The quick brown fox, (jumps) over [the] lazy dog!", "iiii", "WWWW"};
    for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (float height = 8; height < 40; height += 7) {
            tr_picture picture = blank(1600, 60);
            float width = tr_picture_text_width(height, texts[i]);
            tr_picture_text(&picture, 10, 10, height, texts[i], black);
            uint32_t left = 1600, right = 0, top = 60, bottom = 0;
            for (uint32_t y = 0; y < 60; y++)
                for (uint32_t x = 0; x < 1600; x++)
                    if (at(&picture, x, y).red < 200) {
                        left = x < left ? x : left;
                        right = x > right ? x : right;
                        top = y < top ? y : top;
                        bottom = y > bottom ? y : bottom;
                    }
            CHECK_NEAR(left, 10, 1.5);
            CHECK_NEAR(right + 1.0, 10 + (double)width, 2);
            CHECK(top >= 9 && (float)bottom <= 10 + 1.15f * height);
            tr_picture_destroy(&picture);
        }
}

TEST(text_in_other_scripts_becomes_boxes_and_ends_where_it_should) {
    CHECK_NEAR(tr_picture_text_width(12, "\xc3\xa9"), (double)tr_picture_text_width(12, "\xe2\x82\xac"), 0);
    tr_picture picture = blank(60, 30);
    tr_picture_text(&picture, 2, 2, 12, "a\xff\xc3", black); // broken UTF-8, cut at the end
    tr_picture_text(&picture, 2, 15, 12, "\t\n\x7f", black);
    CHECK(darkness(&picture) > 5);
    tr_picture_destroy(&picture);
}

typedef struct map_fixture {
    tr_sample sample;
    tr_raster *raster;
    tr_occupancy *occupancy;
} map_fixture;

static map_fixture build(const char *name, uint32_t cells, bool clearance, bool heights) {
    map_fixture made = {.sample = {0}};
    tr_sample_def sample_def = {.name = name};
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT};
    tr_error error = {0};
    tr_occupancy_def def = tr_occupancy_def_default(0);
    def.keep_clearance = clearance;
    def.keep_heights = heights;
    if (tr_sample_make(&sample_def, &made.sample, &error) != TR_OK ||
        tr_grid_divide(made.sample.ground, cells, &def.grid, &error) != TR_OK ||
        tr_raster_create(&raster_def, &made.raster, &error) != TR_OK ||
        tr_occupancy_create(&def, &made.occupancy, &error) != TR_OK ||
        tr_occupancy_build(made.occupancy, made.raster, made.sample.scene, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no occupancy: %s", error.message);
    return made;
}

static void tear_down(map_fixture *fixture) {
    tr_occupancy_destroy(fixture->occupancy);
    tr_raster_destroy(fixture->raster);
    tr_scene_destroy(fixture->sample.scene);
}

TEST(a_map_shows_each_cell_as_what_it_is) {
    map_fixture room = build("room", 60, true, false);
    tr_picture picture;
    tr_map_view view;
    tr_error error = {0};
    REQUIRE(tr_picture_draw_occupancy(NULL, room.occupancy, 3, "Room", &picture, &view, &error) == TR_OK);
    tr_color colors[3];
    bool known[3] = {false};
    const tr_grid *grid = tr_occupancy_grid(room.occupancy);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_vec2 pixel = tr_map_view_pixel(&view, tr_grid_centre(grid, column, row));
            CHECK_INT((uint32_t)pixel.x, (uint32_t)view.left + 3 * column + 1);
            CHECK_INT((uint32_t)pixel.z, (uint32_t)view.top + 3 * row + 1);
            tr_color color = at(&picture, (uint32_t)pixel.x, (uint32_t)pixel.z);
            int kind = tr_bitmap_get(tr_occupancy_occupied(room.occupancy), column, row)  ? 0
                       : tr_bitmap_get(tr_occupancy_blocked(room.occupancy), column, row) ? 1
                                                                                          : 2;
            if (kind == 2)
                CHECK(color.red > 230 && color.green > 220);
            else if (known[kind])
                CHECK(same(color, colors[kind]));
            colors[kind] = color;
            known[kind] = true;
        }
    CHECK(known[0] && known[1] && known[2]);
    CHECK(colors[0].red < 100 && colors[1].red > 150 && colors[1].red < 230);
    tr_picture_destroy(&picture);
    tear_down(&room);
}

TEST(a_map_of_cells_from_elsewhere_keeps_lines_free_for_notes) {
    tr_map_layers layers = {.grid = {.cell = 1, .columns = 20, .rows = 10}, .note_lines = 3};
    tr_bitmap cells, other;
    tr_picture with_notes, without;
    tr_map_view view;
    tr_error error = {0};
    CHECK_INT(tr_picture_draw_map(NULL, &layers, 8, NULL, &with_notes, &view, &error), TR_INVALID);
    REQUIRE(tr_bitmap_create(NULL, 20, 10, &cells) == TR_OK);
    REQUIRE(tr_bitmap_create(NULL, 21, 10, &other) == TR_OK);
    tr_bitmap_set(&cells, 3, 4);
    layers.occupied = &cells;
    REQUIRE(tr_picture_draw_map(NULL, &layers, 8, NULL, &with_notes, &view, &error) == TR_OK);
    tr_vec2 pixel = tr_map_view_pixel(&view, tr_grid_centre(&layers.grid, 3, 4));
    CHECK(at(&with_notes, (uint32_t)pixel.x, (uint32_t)pixel.z).red < 100);
    CHECK(at(&with_notes, (uint32_t)pixel.x + 8, (uint32_t)pixel.z).red > 230);
    layers.note_lines = 0;
    REQUIRE(tr_picture_draw_map(NULL, &layers, 8, NULL, &without, NULL, &error) == TR_OK);
    CHECK((float)(with_notes.height - without.height) >= 3 * 1.7f * view.text);
    CHECK(view.notes_top + 3 * 1.8f * view.text <= (float)with_notes.height);
    tr_color paper = at(&with_notes, 0, 0); // nothing is drawn on the free lines
    for (uint32_t y = (uint32_t)view.notes_top; y < with_notes.height; y++)
        for (uint32_t x = 0; x < with_notes.width; x++)
            CHECK(same(at(&with_notes, x, y), paper));
    layers.blocked = &other;
    CHECK_INT(tr_picture_draw_map(NULL, &layers, 8, NULL, &without, NULL, &error), TR_INVALID);
    layers.blocked = NULL;
    layers.note_lines = 101;
    CHECK_INT(tr_picture_draw_map(NULL, &layers, 8, NULL, &without, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "101");
    tr_picture_destroy(&with_notes);
    tr_picture_destroy(&without);
    tr_bitmap_destroy(NULL, &cells);
    tr_bitmap_destroy(NULL, &other);
}

TEST(maps_with_bad_sizes_are_refused) {
    map_fixture room = build("room", 60, false, false);
    tr_picture picture = {.width = 77};
    tr_error error = {0};
    CHECK_INT(tr_picture_draw_occupancy(NULL, room.occupancy, 0, NULL, &picture, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "1 to 64");
    CHECK_INT(tr_picture_draw_occupancy(NULL, room.occupancy, 65, NULL, &picture, NULL, &error), TR_INVALID);
    CHECK_INT(tr_picture_draw_occupancy(NULL, NULL, 1, NULL, &picture, NULL, &error), TR_INVALID);
    CHECK_INT(tr_picture_draw_heights(NULL, room.occupancy, 1, NULL, &picture, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "keeps no heights");
    CHECK_INT(picture.width, 77);
    tear_down(&room);
    map_fixture large = build("room", 1000, false, false);
    CHECK_INT(tr_picture_draw_occupancy(NULL, large.occupancy, 64, NULL, &picture, NULL, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "32768");
    tear_down(&large);
}

TEST(maps_of_one_cell_and_of_empty_and_full_ground_can_be_drawn) {
    for (uint32_t cells = 1; cells <= 3; cells++) {
        map_fixture room = build("room", cells, true, true);
        tr_picture picture;
        REQUIRE(tr_picture_draw_occupancy(NULL, room.occupancy, 1, "", &picture, NULL, NULL) == TR_OK);
        tr_picture_destroy(&picture);
        REQUIRE(tr_picture_draw_heights(NULL, room.occupancy, 64, "all", &picture, NULL) == TR_OK);
        tr_picture_destroy(&picture);
        tear_down(&room);
    }
    map_fixture room = build("room", 20, true, true); // not one object is left
    for (uint32_t i = 0; i < tr_scene_object_count(room.sample.scene); i++)
        tr_scene_remove_object(room.sample.scene, i);
    REQUIRE(tr_occupancy_build(room.occupancy, room.raster, room.sample.scene, NULL) == TR_OK);
    tr_picture picture;
    REQUIRE(tr_picture_draw_occupancy(NULL, room.occupancy, 4, NULL, &picture, NULL, NULL) == TR_OK);
    tr_picture_destroy(&picture);
    REQUIRE(tr_picture_draw_heights(NULL, room.occupancy, 4, NULL, &picture, NULL) == TR_OK);
    tr_picture_destroy(&picture);
    tear_down(&room);
}

TEST(a_map_of_heights_shows_the_overhang_apart_from_the_floor) {
    map_fixture terrace = build("terrace", 120, false, true);
    tr_picture picture;
    REQUIRE(tr_picture_draw_heights(NULL, terrace.occupancy, 2, "Terrace", &picture, NULL) == TR_OK);
    CHECK(picture.width > 2 * 240);
    CHECK(darkness(&picture) > 1000);
    tr_picture_destroy(&picture);
    tear_down(&terrace);
}

static bool attempt_map(const tr_allocator *allocator) {
    map_fixture room = build("room", 12, true, true);
    tr_picture first, second;
    tr_bytes png = {NULL, 0};
    bool done = tr_picture_draw_occupancy(allocator, room.occupancy, 2, "map", &first, NULL, NULL) == TR_OK;
    if (done) {
        done = tr_picture_draw_heights(allocator, room.occupancy, 2, "map", &second, NULL) == TR_OK;
        if (done) {
            tr_error error = {0};
            tr_status status = tr_picture_encode_png(allocator, &first, &png, &error);
            CHECK(status == TR_OK || status == TR_UNAVAILABLE || status == TR_OUT_OF_MEMORY);
            done = status != TR_OUT_OF_MEMORY;
            tr_bytes_free(allocator, &png);
            tr_picture_destroy(&second);
        }
        tr_picture_destroy(&first);
    }
    tear_down(&room);
    return done;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_map) >= 2);
}

#ifdef TROUPE_HAVE_PNG
// Another noisy picture for each seed: nothing that compresses to a special case.
static tr_picture noise(uint32_t width, uint32_t height) {
    tr_picture picture = blank(width, height);
    for (size_t i = 0; i < (size_t)width * height * 3; i++)
        picture.pixels[i] = (uint8_t)(i * 2654435761u >> 13);
    return picture;
}

TEST(a_png_reads_back_the_same) {
    static const uint32_t sizes[][2] = {{1, 1}, {3, 7}, {640, 480}, {1, 5000}};
    for (uint32_t i = 0; i < 4; i++) {
        tr_picture picture = noise(sizes[i][0], sizes[i][1]);
        tr_bytes bytes = {NULL, 0};
        REQUIRE(tr_picture_encode_png(NULL, &picture, &bytes, NULL) == TR_OK);
        png_image image = {.version = PNG_IMAGE_VERSION};
        REQUIRE(png_image_begin_read_from_memory(&image, bytes.data, bytes.size));
        CHECK_INT(image.width, sizes[i][0]);
        CHECK_INT(image.height, sizes[i][1]);
        image.format = PNG_FORMAT_RGB;
        uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
        REQUIRE(pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL));
        CHECK(memcmp(pixels, picture.pixels, PNG_IMAGE_SIZE(image)) == 0);
        free(pixels);
        tr_bytes_free(NULL, &bytes);
        tr_picture_destroy(&picture);
    }
}

TEST(a_png_file_is_written_whole_or_not_at_all) {
    tr_picture picture = noise(20, 10);
    tr_error error = {0};
    const char *path = "test_picture.png";
    REQUIRE(tr_picture_write_png(&picture, path, &error) == TR_OK);
    tr_bytes file, bytes;
    REQUIRE(tr_file_read(NULL, path, &file, &error) == TR_OK);
    REQUIRE(tr_picture_encode_png(NULL, &picture, &bytes, NULL) == TR_OK);
    CHECK(file.size == bytes.size && memcmp(file.data, bytes.data, file.size) == 0);
    tr_bytes_free(NULL, &file);
    tr_bytes_free(NULL, &bytes);
    remove(path);
    CHECK_INT(tr_picture_write_png(&picture, "no/such/folder/a.png", &error), TR_NO_FILE);
    CHECK_CONTAINS(error.file, "a.png");
    tr_picture_destroy(&picture);
    CHECK_INT(tr_picture_write_png(&picture, path, &error), TR_INVALID);
    CHECK_INT(tr_picture_write_png(NULL, path, NULL), TR_INVALID);
}
#endif

#ifdef TROUPE_HAVE_PNG
TEST(a_png_is_read_as_it_was_written_and_damage_is_refused) {
    tr_picture picture = blank(37, 11), back;
    tr_bytes bytes = {0};
    tr_error error = {0};
    for (size_t i = 0; i < 3 * 37 * 11; i++)
        picture.pixels[i] = (uint8_t)(i * 7 + i / 111);
    REQUIRE(tr_picture_encode_png(NULL, &picture, &bytes, NULL) == TR_OK);
    CHECK_INT(tr_picture_decode_png(NULL, bytes.data, bytes.size, &back, &error), TR_OK);
    CHECK(back.width == 37 && back.height == 11 && memcmp(back.pixels, picture.pixels, 3 * 37 * 11) == 0);
    tr_picture_destroy(&back);
    for (size_t cut = 0; cut + 12 < bytes.size; cut += 5) { // the last chunk is empty
        tr_status status = tr_picture_decode_png(NULL, bytes.data, cut, &back, &error);
        CHECK_INT(status, TR_BAD_FILE);
        CHECK(!back.pixels && error.message[0]);
    }
    for (size_t i = 0; i < bytes.size; i++) {
        bytes.data[i] ^= 0x55;
        tr_status status = tr_picture_decode_png(NULL, bytes.data, bytes.size, &back, &error);
        CHECK(status == TR_OK || !back.pixels);
        tr_picture_destroy(&back);
        bytes.data[i] ^= 0x55;
    }
    CHECK_INT(tr_picture_decode_png(NULL, NULL, 0, &back, NULL), TR_BAD_FILE);
    tr_bytes_free(NULL, &bytes);
    tr_picture_destroy(&picture);
}

static tr_bytes decoded;
static bool decode_with(const tr_allocator *allocator) {
    tr_picture picture;
    tr_error error = {0};
    tr_status status = tr_picture_decode_png(allocator, decoded.data, decoded.size, &picture, &error);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && !picture.pixels));
    tr_picture_destroy(&picture);
    return status == TR_OK;
}

TEST(every_allocation_of_a_png_that_is_read_may_fail) {
    tr_picture picture = blank(20, 20);
    REQUIRE(tr_picture_encode_png(NULL, &picture, &decoded, NULL) == TR_OK);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(decode_with) > 3);
    tr_bytes_free(NULL, &decoded);
    tr_picture_destroy(&picture);
}
#endif
