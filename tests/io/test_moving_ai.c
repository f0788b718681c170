#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/moving_ai.h"

#include <math.h>
#include <string.h>

static const char small_map[] = "type octile\nheight 3\nwidth 5\nmap\n.@GOS\nTTTTT\n..W..\n";
static const char small_scenario[] = "version 1\n"
                                     "0\tmaps/small.map\t5\t3\t0\t2\t1\t2\t1\n"
                                     "7\tmaps/a small.map\t5\t3\t4\t2\t3\t2\t1.41421\n";

static tr_status read_map(const char *text, tr_grid *grid, tr_bitmap *blocked, tr_error *error) {
    memset(error, 0, sizeof *error);
    return tr_moving_ai_read_map(NULL, text, strlen(text), grid, blocked, error);
}

static tr_status read_scenario(const char *text, tr_moving_ai_scenario *scenario, tr_error *error) {
    memset(error, 0, sizeof *error);
    return tr_moving_ai_read_scenario(NULL, text, strlen(text), scenario, error);
}

static void check_small_map(const char *text) {
    tr_grid grid;
    tr_bitmap blocked;
    tr_error error;
    tr_status status = read_map(text, &grid, &blocked, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: line %u: %s", text, error.line, error.message);
    REQUIRE(status == TR_OK);
    CHECK_INT(grid.columns, 5);
    CHECK_INT(grid.rows, 3);
    CHECK_NEAR(grid.cell, 1, 0);
    CHECK_NEAR(grid.origin.x, 0, 0);
    CHECK_NEAR(grid.origin.z, 0, 0);
    static const char *const rows[3] = {".#.#.", "#####", "..#.."};
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t column = 0; column < 5; column++)
            CHECK_INT(tr_bitmap_get(&blocked, column, row), rows[row][column] == '#');
    tr_bitmap_destroy(NULL, &blocked);
}

TEST(a_map_has_its_letters_where_they_stand) {
    check_small_map(small_map);
}

TEST(a_map_may_have_other_line_ends_blanks_and_another_order_of_the_sizes) {
    check_small_map("type octile\r\nheight 3\r\nwidth 5\r\nmap\r\n.@GOS\r\nTTTTT\r\n..W..\r\n");
    check_small_map("type octile\rheight 3\rwidth 5\rmap\r.@GOS\rTTTTT\r..W..");
    check_small_map("\xef\xbb\xbftype octile\n\nwidth 5\nheight\t3 \nmap\n.@GOS  \nTTTTT\n..W..\n\n \n");
    check_small_map("width 5\nheight 0003\ntype octile\nmap\n.@GOS\nTTTTT\n..W..");
}

typedef struct bad_text {
    const char *text;
    uint32_t line;
    const char *sentence;
    tr_status status;
} bad_text;

static const bad_text bad_maps[] = {
    {"", 0, "ends before the line \"map\"", TR_BAD_FILE},
    {"type octile\nheight 3\nwidth 5\n", 3, "ends before the line \"map\"", TR_BAD_FILE},
    {"type tile\nheight 3\n", 1, "\"tile\", it must be octile", TR_BAD_FILE},
    {"type\n", 1, "\"\", it must be octile", TR_BAD_FILE},
    {"type octile\nheight 3 4\n", 2, "found \"height 3 4\", expected", TR_BAD_FILE},
    {"version 1\n", 1, "found \"version 1\", expected", TR_BAD_FILE},
    {"type octile\nheight\n", 2, "height is \"\"", TR_BAD_FILE},
    {"type octile\nheight three\n", 2, "height is \"three\"", TR_BAD_FILE},
    {"type octile\nheight -3\n", 2, "height is \"-3\"", TR_BAD_FILE},
    {"type octile\nheight 1e2\n", 2, "height is \"1e2\"", TR_BAD_FILE},
    {"type octile\nheight 0\n", 2, "height is \"0\"", TR_BAD_FILE},
    {"type octile\nheight 3\nheight 4\n", 3, "second time, it was 3", TR_BAD_FILE},
    {"type octile\nwidth 32769\n", 2, "width is 32769, the maximum is 32768", TR_LIMIT},
    {"type octile\nwidth 99999999999999999999999999\n", 2, "the maximum is 32768", TR_LIMIT},
    {"type octile\nheight 32768\nwidth 32768\nmap\n.\n", 4, "32768", TR_LIMIT},
    {"height 1\nwidth 1\nmap\n.\n", 3, "its type is missing", TR_BAD_FILE},
    {"type octile\nwidth 1\nmap\n.\n", 3, "its height is missing", TR_BAD_FILE},
    {"type octile\nheight 1\nmap\n.\n", 3, "its width is missing", TR_BAD_FILE},
    {"type octile\nheight 2\nwidth 3\nmap\n...\n..\n", 6, "row 1 has 2 cells, but the width is 3",
     TR_BAD_FILE},
    {"type octile\nheight 2\nwidth 3\nmap\n....\n...\n", 5, "row 0 has 4 cells, but the width is 3",
     TR_BAD_FILE},
    {"type octile\nheight 3\nwidth 3\nmap\n...\n\n...\n...\n", 6, "row 1 has 0 cells", TR_BAD_FILE},
    {"type octile\nheight 3\nwidth 3\nmap\n...\n...\n", 6, "ends after 2 rows, but the height is 3",
     TR_BAD_FILE},
    {"type octile\nheight 16000\nwidth 16000\nmap\n", 4, "ends after 0 rows, but the height is 16000",
     TR_BAD_FILE},
    {"type octile\nheight 1\nwidth 3\nmap\n...\n.@.\n", 6, "\".@.\" follows the last row", TR_BAD_FILE},
    {"type octile\nheight 1\nwidth 3\nmap\n.x.\n", 5, "row 0, column 1 is 'x'", TR_BAD_FILE},
    {"type octile\nheight 1\nwidth 3\nmap\n..\xff\n", 5, "row 0, column 2 is the byte 0xff", TR_BAD_FILE},
    {"type octile\nheight 1\nwidth 3\nmap\n. .\n", 5, "column 1 is the byte 0x20", TR_BAD_FILE},
};

TEST(a_bad_map_is_refused_with_line_and_value_and_nothing_is_written) {
    for (size_t i = 0; i < sizeof bad_maps / sizeof bad_maps[0]; i++) {
        tr_grid grid = {.columns = 77};
        tr_bitmap blocked = {.rows = 78};
        tr_error error;
        CHECK_INT(read_map(bad_maps[i].text, &grid, &blocked, &error), bad_maps[i].status);
        CHECK_INT(error.status, bad_maps[i].status);
        CHECK_INT(error.line, bad_maps[i].line);
        CHECK_CONTAINS(error.message, bad_maps[i].sentence);
        CHECK(grid.columns == 77 && blocked.rows == 78 && !blocked.words);
    }
}

TEST(a_scenario_has_its_queries_with_their_lines) {
    tr_moving_ai_scenario scenario;
    tr_error error;
    REQUIRE(read_scenario(small_scenario, &scenario, &error) == TR_OK);
    REQUIRE(scenario.count == 2);
    CHECK_INT(scenario.decimals, 5);
    const tr_moving_ai_query *second = &scenario.queries[1];
    CHECK_INT(second->line, 3);
    CHECK_INT(second->bucket, 7);
    CHECK_INT(second->map_width, 5);
    CHECK_INT(second->map_height, 3);
    CHECK_INT(second->start_column, 4);
    CHECK_INT(second->start_row, 2);
    CHECK_INT(second->goal_column, 3);
    CHECK_INT(second->goal_row, 2);
    CHECK_NEAR(second->optimal, 1.41421, 0);
    tr_moving_ai_free_scenario(NULL, &scenario);
    CHECK(!scenario.queries && scenario.count == 0);
    tr_moving_ai_free_scenario(NULL, NULL);
}

TEST(a_scenario_may_have_blanks_for_tabs_other_line_ends_and_no_query) {
    tr_moving_ai_scenario scenario;
    tr_error error;
    REQUIRE(read_scenario("version 1.0\r\n 61 maps/a.map 512  512 210 395 87 201 244.95\r\n\r\n", &scenario,
                          &error) == TR_OK);
    CHECK_INT(scenario.count, 1);
    CHECK_INT(scenario.decimals, 2);
    CHECK_NEAR(scenario.queries[0].optimal, 244.95, 0);
    tr_moving_ai_free_scenario(NULL, &scenario);
    REQUIRE(read_scenario("version 1", &scenario, &error) == TR_OK);
    CHECK_INT(scenario.count, 0);
    tr_moving_ai_free_scenario(NULL, &scenario);
}

#define QUERY "version 1\n0 a.map 5 3 0 0 4 2 "
static const bad_text bad_scenarios[] = {
    {"", 0, "no first line \"version 1\"", TR_BAD_FILE},
    {"version 2\n", 1, "\"version 2\", it must be \"version 1\"", TR_BAD_FILE},
    {"0 a.map 5 3 0 0 4 2 1\n", 1, "it must be \"version 1\"", TR_BAD_FILE},
    {"version 1\n0 a.map 5 3 0 0 4 2\n", 2, "has 8 fields, it must have 9", TR_BAD_FILE},
    {"version 1\n\n0 a.map 5 3 0 0 4 2 6 6\n", 3, "has 10 fields", TR_BAD_FILE},
    {"version 1\nx a.map 5 3 0 0 4 2 6\n", 2, "the bucket is \"x\"", TR_BAD_FILE},
    {"version 1\n4294967296 a.map 5 3 0 0 4 2 6\n", 2, "the bucket is 4294967296, the maximum is", TR_LIMIT},
    {"version 1\n0 a.map 0 3 0 0 4 2 6\n", 2, "the map's width is \"0\"", TR_BAD_FILE},
    {"version 1\n0 a.map 5 32769 0 0 4 2 6\n", 2, "the map's height is 32769", TR_LIMIT},
    {"version 1\n0 a.map 5 3 5 0 4 2 6\n", 2, "the start's column is 5, it must be below the width, 5",
     TR_BAD_FILE},
    {"version 1\n0 a.map 5 3 0 3 4 2 6\n", 2, "the start's row is 3, it must be below the height, 3",
     TR_BAD_FILE},
    {"version 1\n0 a.map 5 3 0 0 9 2 6\n", 2, "the goal's column is 9", TR_BAD_FILE},
    {"version 1\n0 a.map 5 3 0 0 4 -2 6\n", 2, "the goal's row is \"-2\"", TR_BAD_FILE},
    {QUERY "six\n", 2, "the optimal length is \"six\"", TR_BAD_FILE},
    {QUERY "-1\n", 2, "the optimal length is \"-1\"", TR_BAD_FILE},
    {QUERY "nan\n", 2, "the optimal length is \"nan\"", TR_BAD_FILE},
    {QUERY "1e999\n", 2, "the optimal length is \"1e999\"", TR_BAD_FILE},
    {QUERY "6.5m\n", 2, "the optimal length is \"6.5m\"", TR_BAD_FILE},
};

TEST(a_bad_scenario_is_refused_with_line_and_value_and_nothing_is_written) {
    for (size_t i = 0; i < sizeof bad_scenarios / sizeof bad_scenarios[0]; i++) {
        tr_moving_ai_scenario scenario = {.count = 77};
        tr_error error;
        CHECK_INT(read_scenario(bad_scenarios[i].text, &scenario, &error), bad_scenarios[i].status);
        CHECK_INT(error.status, bad_scenarios[i].status);
        CHECK_INT(error.line, bad_scenarios[i].line);
        CHECK_CONTAINS(error.message, bad_scenarios[i].sentence);
        CHECK(scenario.count == 77 && !scenario.queries);
    }
}

TEST(what_is_not_given_is_refused) {
    tr_grid grid;
    tr_bitmap blocked;
    tr_moving_ai_scenario scenario;
    CHECK_INT(tr_moving_ai_read_map(NULL, NULL, 5, &grid, &blocked, NULL), TR_INVALID);
    CHECK_INT(tr_moving_ai_read_map(NULL, small_map, 5, NULL, &blocked, NULL), TR_INVALID);
    CHECK_INT(tr_moving_ai_read_map(NULL, small_map, 5, &grid, NULL, NULL), TR_INVALID);
    CHECK_INT(tr_moving_ai_read_map(NULL, NULL, 0, &grid, &blocked, NULL), TR_BAD_FILE);
    CHECK_INT(tr_moving_ai_read_scenario(NULL, NULL, 5, &scenario, NULL), TR_INVALID);
    CHECK_INT(tr_moving_ai_read_scenario(NULL, small_scenario, 5, NULL, NULL), TR_INVALID);
    CHECK_INT(tr_moving_ai_read_scenario(NULL, NULL, 0, &scenario, NULL), TR_BAD_FILE);
    CHECK(!tr_moving_ai_agrees(NULL, 0, 1));
}

TEST(a_length_agrees_as_far_as_the_file_can_say) {
    tr_moving_ai_scenario scenario;
    tr_error error;
    double diagonal = sqrt(2);
    REQUIRE(read_scenario("version 1\n0 a 9 9 0 0 1 1 1.41\n0 a 9 9 0 0 1 0 1.00\n", &scenario, &error) ==
            TR_OK);
    CHECK(tr_moving_ai_agrees(&scenario, 0, diagonal));
    CHECK(!tr_moving_ai_agrees(&scenario, 0, 1.416));
    CHECK(!tr_moving_ai_agrees(&scenario, 1, diagonal));
    CHECK(!tr_moving_ai_agrees(&scenario, 0, (double)NAN));
    CHECK(!tr_moving_ai_agrees(&scenario, 0, (double)INFINITY));
    CHECK(!tr_moving_ai_agrees(&scenario, 2, 1));
    tr_moving_ai_free_scenario(NULL, &scenario);
    // Whole lengths alone do not mean that they were rounded.
    REQUIRE(read_scenario("version 1\n0 a 9 9 0 0 1 1 1\n0 a 9 9 0 0 1 0 10000\n", &scenario, &error) ==
            TR_OK);
    CHECK(!tr_moving_ai_agrees(&scenario, 0, diagonal));
    CHECK(tr_moving_ai_agrees(&scenario, 0, 1.000009));
    CHECK(tr_moving_ai_agrees(&scenario, 1, 10000.09));
    CHECK(!tr_moving_ai_agrees(&scenario, 1, 10000.11));
    tr_moving_ai_free_scenario(NULL, &scenario);
    // Six digits. Five diagonal steps in the place of seven straight ones, in a long path, are a wrong one.
    REQUIRE(read_scenario("version 1\n0 a 9 9 0 0 1 1 2436.68\n0 a 9 9 0 0 1 0 5.24264\n", &scenario,
                          &error) == TR_OK);
    CHECK(tr_moving_ai_agrees(&scenario, 0, 2436.685));
    CHECK(!tr_moving_ai_agrees(&scenario, 0, 2436.68 + 5 * diagonal - 7));
    CHECK(tr_moving_ai_agrees(&scenario, 1, 1 + 3 * diagonal));
    tr_moving_ai_free_scenario(NULL, &scenario);
}

// Read a text as both, from a block of its very size: the sanitizer sees one byte too many.
static void try_both(const char *text, size_t size) {
    tr_allocator allocator = tr_allocator_default();
    char *copy = tr_allocate(&allocator, size, 1);
    REQUIRE(copy);
    memcpy(copy, text, size);
    tr_grid grid;
    tr_bitmap blocked;
    tr_moving_ai_scenario scenario;
    tr_error error = {0};
    tr_status status = tr_moving_ai_read_map(NULL, copy, size, &grid, &blocked, &error);
    CHECK(status == TR_OK || (error.status == status && error.message[0]));
    if (status == TR_OK) {
        CHECK(blocked.columns == grid.columns && blocked.rows == grid.rows);
        tr_bitmap_destroy(NULL, &blocked);
    }
    memset(&error, 0, sizeof error);
    status = tr_moving_ai_read_scenario(NULL, copy, size, &scenario, &error);
    CHECK(status == TR_OK || (error.status == status && error.message[0]));
    if (status == TR_OK)
        tr_moving_ai_free_scenario(NULL, &scenario);
    tr_release(&allocator, copy, size, 1);
}

TEST(a_text_cut_off_anywhere_is_read_or_refused) {
    tr_grid grid;
    tr_bitmap blocked;
    for (size_t size = 0; size <= strlen(small_map); size++)
        try_both(small_map, size);
    for (size_t size = 0; size <= strlen(small_scenario); size++)
        try_both(small_scenario, size);
    // Nothing but the last line end can be spared.
    for (size_t size = 0; size + 1 < strlen(small_map); size++)
        CHECK(tr_moving_ai_read_map(NULL, small_map, size, &grid, &blocked, NULL) != TR_OK);
}

static void change_every_byte(const char *text, size_t size) {
    static const char bytes[] = {0, '\x80', '\xff', ' ', '\n', '\r', '\t', '-', '9', '.', '@', 'e'};
    char changed[256];
    REQUIRE(size <= sizeof changed);
    tr_random random = tr_random_seed(size);
    for (size_t at = 0; at < size; at++) {
        memcpy(changed, text, size);
        for (size_t i = 0; i < sizeof bytes; i++) {
            changed[at] = bytes[i];
            try_both(changed, size);
        }
        changed[at] = (char)tr_random_bits(&random);
        try_both(changed, size);
        memmove(changed + at, text + at + 1, size - at - 1); // and one byte missing
        try_both(changed, size - 1);
    }
}

TEST(a_text_with_any_byte_changed_or_missing_is_read_or_refused) {
    change_every_byte(small_map, strlen(small_map));
    change_every_byte(small_scenario, strlen(small_scenario));
}

static bool read_map_with(const tr_allocator *allocator) {
    tr_grid grid;
    tr_bitmap blocked;
    tr_error error = {0};
    tr_status status =
        tr_moving_ai_read_map(allocator, small_map, strlen(small_map), &grid, &blocked, &error);
    if (status != TR_OK) {
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
        return false;
    }
    tr_bitmap_destroy(allocator, &blocked);
    return true;
}

static bool read_scenario_with(const tr_allocator *allocator) {
    static char text[4096];
    tr_moving_ai_scenario scenario;
    tr_error error = {0};
    int size = snprintf(text, sizeof text, "version 1\n");
    for (int i = 0; i < 100; i++) // so many that the array grows
        size += snprintf(text + size, sizeof text - (size_t)size, "0 a 9 9 0 0 1 %d 1.5\n", i % 9);
    tr_status status = tr_moving_ai_read_scenario(allocator, text, (size_t)size, &scenario, &error);
    if (status != TR_OK) {
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
        return false;
    }
    CHECK_INT(scenario.count, 100);
    tr_moving_ai_free_scenario(allocator, &scenario);
    return true;
}

TEST(every_allocation_may_fail_and_nothing_leaks) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_map_with) >= 1);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_scenario_with) >= 4);
}

TEST(a_header_that_lies_takes_no_memory) {
    static const char text[] = "type octile\nheight 16384\nwidth 16384\nmap\n...\n";
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_grid grid;
    tr_bitmap blocked;
    CHECK_INT(tr_moving_ai_read_map(&allocator, text, strlen(text), &grid, &blocked, NULL), TR_BAD_FILE);
    CHECK_INT(memory.calls, 0);
}

typedef struct known_map {
    const char *name;
    uint32_t columns, rows, free_cells, queries, decimals;
    double last; // optimal length of the last query
} known_map;

static const known_map known_maps[] = {
    {"16room_000", 512, 512, 231854, 1860, 5, 746.169}, {"AR0011SR", 512, 512, 120458, 1280, 2, 2.83},
    {"Aurora", 1024, 768, 493772, 2990, 5, 1199.73},    {"arena2", 281, 209, 24311, 929, 5, 371.752},
    {"brc202d", 530, 481, 43151, 2519, 5, 1005.74},     {"maze512-8-0", 512, 512, 232931, 6090, 5, 2436.82},
};

static bool read_data(const char *folder, const char *name, const char *end, tr_bytes *text) {
    char path[1024];
    tr_error error = {0};
    snprintf(path, sizeof path, "%s/maps/%s%s", folder, name, end);
    if (tr_file_read(NULL, path, text, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
    return false;
}

static void check_known_map(const char *folder, const known_map *known) {
    tr_bytes text;
    tr_grid grid;
    tr_bitmap blocked;
    tr_moving_ai_scenario scenario;
    REQUIRE(read_data(folder, known->name, ".map", &text));
    REQUIRE(tr_moving_ai_read_map(NULL, text.data, text.size, &grid, &blocked, NULL) == TR_OK);
    tr_bytes_free(NULL, &text);
    CHECK_INT(grid.columns, known->columns);
    CHECK_INT(grid.rows, known->rows);
    CHECK_INT((uint64_t)grid.columns * grid.rows - tr_bitmap_count(&blocked), known->free_cells);
    REQUIRE(read_data(folder, known->name, ".map.scen", &text));
    REQUIRE(tr_moving_ai_read_scenario(NULL, text.data, text.size, &scenario, NULL) == TR_OK);
    tr_bytes_free(NULL, &text);
    CHECK_INT(scenario.count, known->queries);
    CHECK_INT(scenario.decimals, known->decimals);
    for (uint32_t i = 0; i < scenario.count; i++) {
        const tr_moving_ai_query *query = &scenario.queries[i];
        CHECK(query->map_width == grid.columns && query->map_height == grid.rows);
        CHECK(!tr_bitmap_get(&blocked, query->start_column, query->start_row));
        CHECK(!tr_bitmap_get(&blocked, query->goal_column, query->goal_row));
    }
    if (scenario.count)
        CHECK_NEAR(scenario.queries[scenario.count - 1].optimal, known->last, 0);
    tr_moving_ai_free_scenario(NULL, &scenario);
    tr_bitmap_destroy(NULL, &blocked);
}

TEST(the_benchmark_maps_have_their_sizes_and_counts) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("there is no folder of shared data");
        return;
    }
    for (size_t i = 0; i < sizeof known_maps / sizeof known_maps[0]; i++)
        check_known_map(folder, &known_maps[i]);
}
