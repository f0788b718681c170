#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/json.h"

#include <math.h>
#include <string.h>

static tr_json *read(const char *text, tr_error *error) {
    tr_json *json = NULL;
    tr_error unwanted;
    tr_json_read(NULL, text, strlen(text), &json, error ? error : &unwanted);
    return json;
}

TEST(a_document_is_read_into_values_that_can_be_looked_up) {
    tr_json *json = read(
        "{\"name\": \"box\", \"size\": [1, 2.5, -3e2], \"on\": true, \"off\": false, \"none\": null}", NULL);
    REQUIRE(json);
    uint32_t root = tr_json_root(json), size = tr_json_member(json, root, "size");
    CHECK_INT(tr_json_kind_of(json, root), TR_JSON_OBJECT);
    CHECK_INT(tr_json_count(json, root), 5);
    CHECK_TEXT(tr_json_text(json, tr_json_member(json, root, "name"), NULL), "box");
    CHECK_INT(tr_json_count(json, size), 3);
    CHECK_NEAR(tr_json_number(json, tr_json_item(json, size, 0)), 1, 0);
    CHECK_NEAR(tr_json_number(json, tr_json_item(json, size, 1)), 2.5, 0);
    CHECK_NEAR(tr_json_number(json, tr_json_item(json, size, 2)), -300, 0);
    CHECK(tr_json_boolean(json, tr_json_member(json, root, "on")));
    CHECK(!tr_json_boolean(json, tr_json_member(json, root, "off")));
    CHECK_INT(tr_json_kind_of(json, tr_json_member(json, root, "none")), TR_JSON_NULL);
    CHECK_TEXT(tr_json_key(json, tr_json_item(json, root, 1)), "size");
    tr_json_destroy(json);
}

TEST(a_look_up_that_finds_nothing_gives_absent_values_all_the_way) {
    tr_json *json = read("[1, \"two\", {}]", NULL);
    REQUIRE(json);
    uint32_t root = tr_json_root(json);
    uint32_t nothing = tr_json_member(json, tr_json_item(json, tr_json_item(json, root, 9), 3), "x");
    CHECK_INT(nothing, TR_NONE);
    CHECK_INT(tr_json_kind_of(json, nothing), TR_JSON_ABSENT);
    CHECK_INT(tr_json_kind_of(json, 12345), TR_JSON_ABSENT);
    CHECK_INT(tr_json_count(json, tr_json_item(json, root, 1)), 0);
    CHECK_NEAR(tr_json_number(json, tr_json_item(json, root, 1)), 0, 0);
    CHECK_TEXT(tr_json_text(json, tr_json_item(json, root, 0), NULL), "");
    CHECK_INT(tr_json_member(json, root, "x"), TR_NONE);
    CHECK_INT(tr_json_member(json, tr_json_item(json, root, 2), "x"), TR_NONE);
    CHECK_INT(tr_json_line(json, nothing), 0);
    tr_json_destroy(json);
}

TEST(every_value_knows_its_line_and_path) {
    tr_json *json = read("{\n  \"accessors\": [\n    {},\r\n    {\"count\": 7},\r    [[3]]\n  ]\n}", NULL);
    REQUIRE(json);
    char path[64];
    uint32_t accessors = tr_json_member(json, tr_json_root(json), "accessors");
    uint32_t count = tr_json_member(json, tr_json_item(json, accessors, 1), "count");
    CHECK_INT(tr_json_line(json, tr_json_root(json)), 1);
    CHECK_INT(tr_json_line(json, accessors), 2);
    CHECK_INT(tr_json_line(json, count), 4);
    CHECK_TEXT(tr_json_path(json, count, path, sizeof path), "accessors[1].count");
    uint32_t deep = tr_json_item(json, tr_json_item(json, tr_json_item(json, accessors, 2), 0), 0);
    CHECK_INT(tr_json_line(json, deep), 5);
    CHECK_TEXT(tr_json_path(json, deep, path, sizeof path), "accessors[2][0][0]");
    CHECK_TEXT(tr_json_path(json, tr_json_root(json), path, sizeof path), "the document");
    CHECK_TEXT(tr_json_path(json, deep, path, 6), "acces");
    CHECK_TEXT(tr_json_path(json, TR_NONE, path, sizeof path), "nothing");
    tr_json_destroy(json);
}

TEST(strings_are_unescaped_to_utf_8) {
    tr_json *json = read(
        "[\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\", \"\\u00e9\\u20AC\\ud83d\\ude00\", \"\xc3\xa9\", \"a\\u0000b\"]",
        NULL);
    REQUIRE(json);
    uint32_t root = tr_json_root(json);
    size_t length;
    CHECK_TEXT(tr_json_text(json, tr_json_item(json, root, 0), NULL), "a\"\\/\b\f\n\r\tz");
    CHECK_TEXT(tr_json_text(json, tr_json_item(json, root, 1), NULL), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK_TEXT(tr_json_text(json, tr_json_item(json, root, 2), NULL), "\xc3\xa9");
    CHECK(memcmp(tr_json_text(json, tr_json_item(json, root, 3), &length), "a\0b", 4) == 0);
    CHECK_INT(length, 3);
    tr_json_destroy(json);
}

TEST(of_two_members_with_the_same_key_the_last_counts_in_small_and_large_objects) {
    tr_json *json = read("{\"a\": 1, \"b\": 2, \"a\": 3}", NULL);
    REQUIRE(json);
    CHECK_NEAR(tr_json_number(json, tr_json_member(json, tr_json_root(json), "a")), 3, 0);
    tr_json_destroy(json);
    static char text[400000];
    size_t length = 0;
    text[length++] = '{';
    for (int i = 0; i < 20000; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "\"k%d\":%d,", i % 15000, i);
    length += (size_t)snprintf(text + length, sizeof text - length, "\"end\":{\"k1\":5}}");
    json = read(text, NULL);
    REQUIRE(json);
    uint32_t root = tr_json_root(json);
    for (int i = 0; i < 15000; i++) {
        char key[16];
        snprintf(key, sizeof key, "k%d", i);
        CHECK_NEAR(tr_json_number(json, tr_json_member(json, root, key)), i < 5000 ? i + 15000 : i, 0);
    }
    CHECK_INT(tr_json_member(json, root, "k15000"), TR_NONE);
    CHECK_NEAR(tr_json_number(json, tr_json_member(json, tr_json_member(json, root, "end"), "k1")), 5, 0);
    tr_json_destroy(json);
}

TEST(all_of_rfc_8259_is_accepted) {
    static const char *const good[] = {"0",
                                       "-0",
                                       "-1",
                                       "1.5e+3",
                                       "1E-2",
                                       "\"\"",
                                       "[]",
                                       "{}",
                                       " [ ] ",
                                       "\t{\n}\r\n",
                                       "null",
                                       "[[],[[]],{}]",
                                       "{\"\":0}",
                                       "\xef\xbb\xbf[1]",
                                       "[1,2]",
                                       "true",
                                       "\"\x7f\"",
                                       "[0.1e1, 10, 0.0]",
                                       "\"\xf4\x8f\xbf\xbf\""};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tr_error error;
        tr_json *json = read(good[i], &error);
        if (!json)
            test_failed(__FILE__, __LINE__, "%s: %s", good[i], error.message);
        tr_json_destroy(json);
    }
}

TEST(anything_else_is_refused_with_a_sentence) {
    static const struct {
        const char *text, *sentence;
    } bad[] = {
        {"", "expected a value, found the end of the text"},
        {"[1,]", "expected a value, found ']'"},
        {"[1 2]", "expected ',' or ']' after an item, found '2'"},
        {"{\"a\":1,}", "expected a key in quotes after ',', found '}'"},
        {"{a:1}", "expected a key in quotes or '}' after '{', found 'a'"},
        {"{\"a\" 1}", "expected ':' after a key, found '1'"},
        {"{\"a\":1", "expected ',' or '}' after a member, found the end of the text"},
        {"{\"a\":}", "expected a value, found '}'"},
        {"[", "expected a value, found the end of the text"},
        {"]", "expected a value, found ']'"},
        {"[1}", "expected ',' or ']' after an item, found '}'"},
        {"1 2", "expected the end of the text after its value, found '2'"},
        {"// x\n1", "expected a value, found '/'"},
        {"nul", "expected a value, found 'n'"},
        {"True", "expected a value, found 'T'"},
        {"NaN", "expected a value, found 'N'"},
        {"-Infinity", "expected a value, found '-'"},
        {"01", "\"01\" is not a valid JSON number"},
        {"+1", "\"+1\" is not a valid JSON number"},
        {".5", "\".5\" is not a valid JSON number"},
        {"5.", "\"5.\" is not a valid JSON number"},
        {"1.e5", "is not a valid JSON number"},
        {"1e", "\"1e\" is not a valid JSON number"},
        {"1.2.3", "\"1.2.\" is not a valid JSON number"},
        {"-", "expected a value"},
        {"1e999", "the number 1e999 is out of the range of double"},
        {"\"abc", "expected '\"' at the end of a string, found the end of the text"},
        {"\"a\nb\"", "expected no control character in a string (write it as \\u00XX), found byte 0x0a"},
        {"\"\\x\"", "expected one of \"\\/bfnrtu after \\ in a string, found 'x'"},
        {"\"\\u12g4\"", "expected four hexadecimal digits after \\u, found 'g'"},
        {"\"\\ud800\"", "without a second half"},
        {"\"\\ud800\\u0041\"", "without a second half"},
        {"\"\\udc00\"", "without a first half"},
        {"\"\xff\"", "expected UTF-8 in a string, found byte 0xff"},
        {"\"\xc0\xaf\"", "expected UTF-8 in a string, found byte 0xc0"},
        {"\"\xed\xa0\x80\"", "expected UTF-8 in a string, found byte 0xed"},
        {"\"\xf4\x90\x80\x80\"", "expected UTF-8 in a string, found byte 0xf4"},
        {"\"\xe2\x82\"", "expected UTF-8 in a string, found byte 0xe2"},
        {"\xe2\x82\xac", "found '\xe2\x82\xac'"},
        {"[1]\x01", "found byte 0x01"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_error error = {0};
        tr_json *json = read(bad[i].text, &error);
        CHECK(!json);
        CHECK_INT(error.status, TR_BAD_FILE);
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK(error.line >= 1);
        tr_json_destroy(json);
    }
}

TEST(an_error_has_the_line_and_the_byte) {
    tr_error error = {0};
    CHECK(!read("[1,\n 2,\r\n x]", &error));
    CHECK_INT(error.line, 3);
    CHECK_INT(error.offset, 10);
}

static size_t nest(char *text, int depth) {
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    return (size_t)depth * 2;
}

TEST(nesting_up_to_the_limit_is_read_and_beyond_refused) {
    char text[2 * TR_JSON_DEPTH_MAX + 2];
    tr_json *json = NULL;
    tr_error error = {0};
    CHECK_INT(tr_json_read(NULL, text, nest(text, TR_JSON_DEPTH_MAX), &json, &error), TR_OK);
    tr_json_destroy(json);
    CHECK_INT(tr_json_read(NULL, text, nest(text, TR_JSON_DEPTH_MAX + 1), &json, &error), TR_LIMIT);
    CHECK(!json);
    CHECK_CONTAINS(error.message, "nested more than 256 deep");
    static char bomb[1000000];
    memset(bomb, '[', sizeof bomb);
    CHECK_INT(tr_json_read(NULL, bomb, sizeof bomb, &json, &error), TR_LIMIT);
}

static const char sample[] = "{\"a\": [1, -2.5e3, \"x\\n\\u00e9\\ud83d\\ude00\"], \"b\": {\"c\": null, "
                             "\"d\": true},\n \"e\": [[], {}]}";

TEST(no_truncation_and_no_single_changed_byte_does_harm) {
    size_t size = sizeof sample - 1;
    for (size_t length = 0; length < size; length++) {
        char *copy = tr_allocate(&(tr_allocator){tr_allocator_default().resize, NULL}, length, 1);
        memcpy(copy, sample,
               length); // a block of this very size, so that the sanitizer sees one byte too many
        tr_json *json = NULL;
        CHECK(tr_json_read(NULL, copy, length, &json, NULL) == TR_BAD_FILE);
        CHECK(!json);
        tr_allocator allocator = tr_allocator_default();
        tr_release(&allocator, copy, length, 1);
    }
    for (size_t at = 0; at < size; at++)
        for (int byte = 0; byte < 256; byte++) {
            char text[sizeof sample];
            memcpy(text, sample, sizeof sample);
            text[at] = (char)byte;
            tr_json *json = NULL;
            tr_error error;
            tr_status status = tr_json_read(NULL, text, size, &json, &error);
            CHECK((status == TR_OK) == (json != NULL));
            tr_json_destroy(json);
        }
}

static bool read_sample(const tr_allocator *allocator) {
    tr_json *json = NULL;
    static char large[2000];
    if (!large[0]) {
        size_t length = (size_t)snprintf(large, sizeof large, "{\"sample\": %s", sample);
        for (int i = 0; i < 40; i++)
            length += (size_t)snprintf(large + length, sizeof large - length, ", \"k%d\": %d", i, i);
        snprintf(large + length, sizeof large - length, "}");
    }
    tr_status status = tr_json_read(allocator, large, strlen(large), &json, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_json_destroy(json);
    return status == TR_OK;
}

TEST(reading_survives_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_sample) > 4);
}

TEST(typed_members_come_with_their_default_range_and_kind) {
    tr_json *json =
        read("{\"n\": 2.5, \"i\": -1, \"s\": \"hi\", \"b\": true, \"v\": [1, 2, 3], \"o\": {}, \"z\": null,\n"
             "\"big\": 1e300, \"zero\": \"a\\u0000\", \"mixed\": [1, \"x\"]}",
             NULL);
    REQUIRE(json);
    uint32_t root = tr_json_root(json), found = 7;
    double number = 9, vector[3] = {0};
    int64_t integer = 9;
    bool boolean = false;
    const char *text = "default";
    tr_error error = {0};
    CHECK_INT(tr_json_get_number(json, root, "n", TR_JSON_REQUIRED, 0, 3, &number, &error), TR_OK);
    CHECK_NEAR(number, 2.5, 0);
    CHECK_INT(tr_json_get_number(json, root, "missing", TR_JSON_OPTIONAL, 0, 3, &number, &error), TR_OK);
    CHECK_NEAR(number, 2.5, 0);
    CHECK_INT(tr_json_get_integer(json, root, "z", TR_JSON_OPTIONAL, 0, 3, &integer, &error), TR_OK);
    CHECK_INT(integer, 9);
    CHECK_INT(tr_json_get_boolean(json, root, "b", TR_JSON_REQUIRED, &boolean, &error), TR_OK);
    CHECK(boolean);
    CHECK_INT(tr_json_get_text(json, root, "s", TR_JSON_REQUIRED, &text, &error), TR_OK);
    CHECK_TEXT(text, "hi");
    CHECK_INT(tr_json_get_numbers(json, root, "v", TR_JSON_REQUIRED, vector, 3, &error), TR_OK);
    CHECK_NEAR(vector[2], 3, 0);
    CHECK_INT(tr_json_get_object(json, root, "o", TR_JSON_REQUIRED, &found, &error), TR_OK);
    CHECK_INT(tr_json_kind_of(json, found), TR_JSON_OBJECT);
    CHECK_INT(tr_json_get_array(json, root, "v", TR_JSON_REQUIRED, &found, &error), TR_OK);
    CHECK_INT(tr_json_kind_of(json, found), TR_JSON_ARRAY);

    CHECK_INT(tr_json_get_number(json, root, "n", TR_JSON_REQUIRED, 3, 5, &number, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "n is 2.5, it must be at least 3");
    CHECK_INT(error.line, 1);
    CHECK_INT(tr_json_get_number(json, root, "big", TR_JSON_REQUIRED, 0, 5, &number, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "big is 1e300, it must be at most 5");
    CHECK_INT(error.line, 2);
    CHECK_INT(tr_json_get_integer(json, root, "i", TR_JSON_REQUIRED, 1, 5, &integer, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "i is -1, it must be at least 1");
    CHECK_INT(tr_json_get_integer(json, root, "i", TR_JSON_REQUIRED, -5, -2, &integer, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "i is -1, it must be at most -2");
    CHECK_INT(tr_json_get_integer(json, root, "n", TR_JSON_REQUIRED, 1, 5, &integer, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "n is 2.5, it must be a whole number");
    CHECK_INT(tr_json_get_integer(json, root, "big", TR_JSON_REQUIRED, 1, 5, &integer, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "big is 1e300, it must be a whole number");
    CHECK_INT(tr_json_get_text(json, root, "n", TR_JSON_OPTIONAL, &text, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "n is a number, it must be a string");
    CHECK_INT(tr_json_get_text(json, root, "zero", TR_JSON_OPTIONAL, &text, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "zero must not contain a zero character");
    CHECK_INT(tr_json_get_boolean(json, root, "missing", TR_JSON_REQUIRED, &boolean, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "the document has no \"missing\", which is required");
    CHECK_INT(tr_json_get_number(json, root, "z", TR_JSON_REQUIRED, 0, 1, &number, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "z is null, it must be a number");
    CHECK_INT(tr_json_get_numbers(json, root, "v", TR_JSON_REQUIRED, vector, 2, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "v has 3 items, it must have 2");
    CHECK_INT(tr_json_get_numbers(json, root, "mixed", TR_JSON_REQUIRED, vector, 2, &error), TR_BAD_FILE);
    CHECK_TEXT(error.message, "mixed[1] is a string, it must be a number");
    CHECK_INT(tr_json_get_array(json, tr_json_member(json, root, "s"), "x", TR_JSON_OPTIONAL, &found, &error),
              TR_BAD_FILE);
    CHECK_TEXT(error.message, "s is a string, it must be an object");
    CHECK_NEAR(number, 2.5, 0);
    CHECK_INT(integer, 9);
    tr_json_destroy(json);
}

TEST(the_writer_writes_what_the_reader_reads) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "points");
    tr_json_write_array(&writer);
    tr_json_write_number(&writer, 0.1);
    tr_json_write_float(&writer, 0.1f);
    tr_json_write_number(&writer, NAN);
    tr_json_write_float(&writer, INFINITY);
    tr_json_write_integer(&writer, INT64_MIN);
    tr_json_write_array(&writer);
    tr_json_write_end(&writer);
    tr_json_write_object(&writer);
    tr_json_write_end(&writer);
    tr_json_write_end(&writer);
    tr_json_write_key(&writer, "te\"xt");
    tr_json_write_text(&writer, "a\\\n\x01\xc3\xa9 \xff\xc3(");
    tr_json_write_key(&writer, "yes");
    tr_json_write_boolean(&writer, true);
    tr_json_write_key(&writer, "no");
    tr_json_write_boolean(&writer, false);
    tr_json_write_key(&writer, "nothing");
    tr_json_write_null(&writer);
    tr_json_write_key(&writer, "null text");
    tr_json_write_text(&writer, NULL);
    tr_json_write_end(&writer);
    tr_bytes text;
    tr_error error = {0};
    CHECK_INT(tr_json_writer_finish(&writer, &text, &error), TR_OK);
    static const char expected[] =
        "{\"points\":[0.1,0.1,null,null,-9223372036854775808,[],{}],\"te\\\"xt\":\"a\\\\\\n\\u0001\xc3\xa9 "
        "\xef\xbf\xbd\xef\xbf\xbd(\",\"yes\":true,\"no\":false,\"nothing\":null,\"null text\":null}\n";
    CHECK_INT(text.size, sizeof expected - 1);
    CHECK(text.size == sizeof expected - 1 && memcmp(text.data, expected, text.size) == 0);
    tr_json *json = NULL;
    CHECK_INT(tr_json_read(NULL, text.data, text.size, &json, &error), TR_OK);
    tr_json_destroy(json);
    tr_bytes_free(NULL, &text);
}

typedef struct drained {
    char text[200];
    size_t size;
    uint32_t calls;
} drained;

static void take_part(void *user, const char *text, size_t size) {
    drained *all = user;
    REQUIRE(all->size + size < sizeof all->text);
    memcpy(all->text + all->size, text, size);
    all->size += size;
    all->calls++;
}

TEST(a_document_can_be_taken_in_parts_while_it_is_written) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    drained all = {.calls = 0};
    tr_json_writer_drain(&writer, take_part, &all);
    CHECK_INT(all.calls, 0); // there is nothing yet
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "results");
    tr_json_write_array(&writer);
    for (int i = 0; i < 3; i++) {
        tr_json_write_integer(&writer, i);
        tr_json_writer_drain(&writer, take_part, &all);
        CHECK_INT(all.calls, i + 1);
    }
    tr_json_writer_drain(&writer, take_part, &all);
    CHECK_INT(all.calls, 3);
    tr_json_write_end(&writer);
    tr_json_write_end(&writer);
    tr_bytes text;
    REQUIRE(tr_json_writer_finish(&writer, &text, NULL) == TR_OK);
    take_part(&all, (const char *)text.data, text.size);
    CHECK_TEXT(all.text, "{\"results\":[0,1,2]}\n");
    tr_bytes_free(NULL, &text);
    writer = tr_json_writer_begin(NULL);
    tr_json_write_end(&writer); // nothing to close
    tr_json_writer_drain(&writer, take_part, &all);
    CHECK_INT(all.calls, 4);
    CHECK_INT(tr_json_writer_finish(&writer, &text, NULL), TR_INVALID);
}

TEST(numbers_survive_writing_and_reading) {
    tr_random random = tr_random_seed(5);
    tr_json_writer writer = tr_json_writer_begin(NULL);
    double numbers[500];
    tr_json_write_array(&writer);
    for (int i = 0; i < 500; i++) {
        uint64_t bits = (uint64_t)tr_random_bits(&random) << 32;
        bits |= tr_random_bits(&random);
        memcpy(&numbers[i], &bits, sizeof bits);
        if (!isfinite(numbers[i]))
            numbers[i] = 0.5;
        tr_json_write_number(&writer, numbers[i]);
    }
    tr_json_write_end(&writer);
    tr_bytes text;
    tr_json *json = NULL;
    REQUIRE(tr_json_writer_finish(&writer, &text, NULL) == TR_OK);
    REQUIRE(tr_json_read(NULL, text.data, text.size, &json, NULL) == TR_OK);
    for (uint32_t i = 0; i < 500; i++)
        CHECK(tr_json_number(json, tr_json_item(json, tr_json_root(json), i)) == numbers[i]);
    tr_json_destroy(json);
    tr_bytes_free(NULL, &text);
}

static void expect_refused(tr_json_writer *writer, tr_status expected) {
    tr_bytes text;
    tr_error error = {0};
    CHECK_INT(tr_json_writer_finish(writer, &text, &error), expected);
    CHECK(!text.data && text.size == 0 && error.message[0]);
}

TEST(a_document_that_is_put_together_wrongly_is_refused) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    expect_refused(&writer, TR_INVALID); // nothing in it
    writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    expect_refused(&writer, TR_INVALID); // left open
    writer = tr_json_writer_begin(NULL);
    tr_json_write_null(&writer);
    tr_json_write_null(&writer);
    expect_refused(&writer, TR_INVALID); // two values
    writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    tr_json_write_null(&writer);
    tr_json_write_end(&writer);
    expect_refused(&writer, TR_INVALID); // a member without key
    writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "a");
    tr_json_write_end(&writer);
    expect_refused(&writer, TR_INVALID); // a key without value
    writer = tr_json_writer_begin(NULL);
    tr_json_write_array(&writer);
    tr_json_write_key(&writer, "a");
    expect_refused(&writer, TR_INVALID); // a key in an array
    writer = tr_json_writer_begin(NULL);
    tr_json_write_end(&writer);
    expect_refused(&writer, TR_INVALID); // nothing to close
    writer = tr_json_writer_begin(NULL);
    for (int i = 0; i <= TR_JSON_DEPTH_MAX; i++)
        tr_json_write_array(&writer);
    expect_refused(&writer, TR_LIMIT);
}

static bool write_sample(const tr_allocator *allocator) {
    tr_json_writer writer = tr_json_writer_begin(allocator);
    tr_json_write_array(&writer);
    for (int i = 0; i < 100; i++)
        tr_json_write_text(&writer, "a text of some length");
    tr_json_write_end(&writer);
    tr_bytes text;
    tr_status status = tr_json_writer_finish(&writer, &text, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    if (status == TR_OK)
        tr_bytes_free(allocator, &text);
    return status == TR_OK;
}

TEST(writing_survives_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_sample) > 3);
}
