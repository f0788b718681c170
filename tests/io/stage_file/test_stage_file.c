// Stage files: every key read and checked, what is wrong named with its line and path, damage of any kind
// refused, plays made and played.
#include "stage_text.h"
#include "troupe/io/file.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "test_stage_file_folder"

TEST(a_file_with_every_key_is_accepted) {
    tr_error error = {0};
    CHECK(stage_check(stage_sample, sizeof stage_sample - 1, NULL, &error) == TR_OK);
    CHECK_TEXT(error.message, "");
    static const char least[] =
        "\xef\xbb\xbf{\"scene\": {\"file\": \"a.obj\"}, \"characters\": [{\"start\": [0, 0]}]}";
    CHECK(stage_check(least, sizeof least - 1, NULL, &error) == TR_OK);
}

typedef struct refusal {
    const char *from, *to;
    uint32_t line;
    const char *sentence;
} refusal;

static void check_refusals(const refusal *refusals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        tr_error error = {0};
        const char *text = stage_with(refusals[i].from, refusals[i].to);
        tr_status status = stage_check(text, strlen(text), NULL, &error);
        if (status != TR_BAD_FILE)
            test_failed(__FILE__, __LINE__, "%s: %s", refusals[i].to, tr_status_name(status));
        CHECK_CONTAINS(error.message, refusals[i].sentence);
        if (error.line != refusals[i].line)
            test_failed(__FILE__, __LINE__, "\"%s\": line %u, expected %u", refusals[i].to, error.line,
                        refusals[i].line);
        CHECK_TEXT(error.file, "folder/play.json");
    }
}
#define CHECK_REFUSALS(refusals) check_refusals(refusals, sizeof(refusals) / sizeof(refusals)[0])

TEST(keys_that_nobody_knows_are_named_with_those_that_may_stand_there) {
    static const refusal refusals[] = {
        {"\"title\"", "\"titel\"", 3,
         "titel is not a known key; allowed keys: title, scene, ground, area, cell, fps, seconds, margin, "
         "look_ahead, replan_interval, characters"},
        {"\"fps\"", "\"Fps\"", 6, "Fps is not a known key"},
        {"\"seed\"", "\"sead\"", 4,
         "scene.sead is not a known key; allowed keys: sample, file, seed, triangles, width, length, people, "
         "up, unit"},
        {"\"radius\"", "\"radus\"", 11,
         "characters[0].radus is not a known key; allowed keys: name, height, radius, color, coarse, start, "
         "heading_degrees, gait, speed, goal, delay, orders, cycles, variety, seed, style, "
         "character, clips, body"},
        {"\"wait\": 0.1", "\"wait\": 0.1, \"speed\": 1", 16,
         "characters[1].orders[0].speed is not a known key; allowed keys: wait"},
        {"\"comment\": \"\"", "\"commend\": \"\"", 18,
         "characters[1].orders[2].commend is not a known key; allowed keys: go, heading_degrees, gait, "
         "speed"},
        {"\"tired\"", "\"sleepy\"", 13,
         "characters[0].style.sleepy is not a known key; allowed keys: brisk, tired, cautious, carrying, "
         "proud"},
        {"\"seed\"", "\"unit\"", 4, "scene.unit is not a known key; allowed keys: sample, seed, triangles"},
        {"\"sample\": \"room\", \"seed\": 3", "\"file\": \"a.obj\"", 4,
         "scene.triangles is not a known key; allowed keys: file, up, unit"},
        {"\"title\"", "\"\"", 3, "is not a known key"},
    };
    CHECK_REFUSALS(refusals);
}

TEST(values_of_the_wrong_kind_are_named_with_line_and_path) {
    static const refusal refusals[] = {
        {"\"Three in a room\"", "3", 3, "title is a number, it must be a string"},
        {"{\"sample\": \"room\", \"seed\": 3, \"triangles\": 470, \"comment\": 1}", "\"room\"", 4,
         "scene is a string, it must be an object"},
        {"\"sample\": \"room\"", "\"sample\": 1", 4, "scene.sample is a number, it must be a string"},
        {"\"sample\": \"room\", \"seed\": 3, \"triangles\": 470", "\"file\": []", 4,
         "scene.file is an array, it must be a string"},
        {"\"seed\": 3", "\"seed\": 3.5", 4, "scene.seed is 3.5, it must be a whole number"},
        {"[-2.9, -2.4, 2.9, 2.4]", "[1, 2, 3]", 5, "area has 3 items, it must have 4"},
        {"[-2.9, -2.4, 2.9, 2.4]", "[1, 2, \"3\", 4]", 5, "area[2] is a string, it must be a number"},
        {"\"fps\": 25", "\"fps\": \"25\"", 6, "fps is a string, it must be a number"},
        {"\"name\": \"Ada\"", "\"name\": {}", 10, "characters[0].name is an object, it must be a string"},
        {"\"name\": \"Ada\"", "\"name\": \"A\\u0000\"", 10,
         "characters[0].name must not contain a zero character"},
        {"\"coarse\": true", "\"coarse\": 1", 10, "characters[0].coarse is a number, it must be"},
        {"[-2.2, -1.8]", "7", 11, "characters[0].start is a number, it must be an array"},
        {"[-2.2, -1.8]", "[7]", 11, "characters[0].start has 1 numbers, it must be [x, z] or [x, y, z]"},
        {"[-2.2, -1.8]", "[7, true]", 11, "characters[0].start[1] is a boolean, it must be a number"},
        {"[2.2, -1.8]", "[1, 2, 3, 4]", 12, "characters[0].goal has 4 numbers, it must be [x, z] or"},
        {"\"gait\": \"stroll\"", "\"gait\": 1", 12, "characters[0].gait is a number, it must be a string"},
        {"{\"wait\": 0.1}", "\"wait\"", 16,
         "characters[1].orders[0] must be an object with one of \"go\", \"wait\", \"reach\", \"lower\" and "
         "\"track\""},
        {"\"wait\": 0.1", "\"wait\": \"soon\"", 16, "characters[1].orders[0].wait is a string"},
        {"\"go\": [-2.2, 1.8]", "\"go\": \"away\"", 17, "characters[1].orders[1].go is a string"},
        {"\"sub/run%20fast.glb\"", "3", 20, "characters[2].cycles[1] must be the name of a motion file"},
        {"[\"walk.bvh\", \"sub/run%20fast.glb\"]", "\"walk.bvh\"", 20, "characters[2].cycles is a string"},
    };
    CHECK_REFUSALS(refusals);
}

TEST(values_out_of_range_are_named_with_the_limit) {
    static const refusal refusals[] = {
        {"\"seed\": 3", "\"seed\": -1", 4, "scene.seed is -1, it must be at least 0"},
        {"\"triangles\": 470", "\"triangles\": 0", 4, "scene.triangles is 0, it must be at least 1"},
        {"\"triangles\": 470", "\"width\": 0.4", 4, "scene.width is 0.4, it must be at least 0.5"},
        {"\"triangles\": 470", "\"length\": 201", 4, "scene.length is 201, it must be at most 200"},
        {"\"triangles\": 470", "\"people\": 0", 4, "scene.people is 0, it must be at least 1"},
        {"\"triangles\": 470", "\"triangles\": 4294967296", 4, "it must be at most 4294967295"},
        {"\"sample\": \"room\", \"seed\": 3, \"triangles\": 470", "\"file\": \"a.obj\", \"unit\": 0", 4,
         "scene.unit is 0, it must be at least 1e-6"},
        {"\"sample\": \"room\", \"seed\": 3, \"triangles\": 470", "\"file\": \"a.obj\", \"up\": \"x\"", 4,
         "scene.up is \"x\", it must be y or z"},
        {"\"sample\": \"room\", \"seed\": 3, \"triangles\": 470", "\"file\": \"a.obj\", \"up\": \"\"", 4,
         "scene.up is \"\", it must be y or z"},
        {"\"room\"", "\"rom\"", 4,
         "scene.sample is \"rom\", it must be one of: maze, office, field, edges, terrace, room, labyrinth, "
         "stairs, "
         "factory, house, city"},
        {"\"ground\": 0", "\"ground\": 1e7", 5, "ground is 10000000, it must be at most 1000000"},
        {"2.9, 2.4]", "2.9, -2.4]", 5, "area is empty: it must be [x0, z0, x1, z1] with x0 < x1 and z0 < z1"},
        {"[-2.9, -2.4, 2.9", "[2.9, -2.4, 2.9", 5, "area is empty"},
        {"[-2.9, -2.4, 2.9", "[1, -2.4, 1.000000001", 5, "area is empty"},
        {"[-2.9", "[-1e300", 5, "area[0] is -1e+300 m, it must be within 1e+06 of 0"},
        {"\"cell\": 0.1", "\"cell\": 0.004", 6, "cell is 0.004, it must be at least 0.005"},
        {"\"fps\": 25", "\"fps\": 241", 6, "fps is 241, it must be at most 240"},
        {"\"seconds\": 5.5", "\"seconds\": 0", 6, "seconds is 0, it must be at least 0.1"},
        {"\"margin\": 0.05", "\"margin\": -0.1", 7, "margin is -0.1, it must be at least 0"},
        {"\"variety\": 0.75", "\"variety\": 1.1", 7, "variety is 1.1, it must be at most 1"},
        {"\"variety\": 0.5", "\"variety\": -1", 13, "characters[0].variety is -1, it must be at least 0"},
        {"\"woman\"", "\"giant\"", 13,
         "characters[0].body is \"giant\", it must be one of: adult, child, woman, man, old, heavy"},
        {"\"seed\": 8", "\"seed\": 0.5", 13, "characters[0].seed is 0.5, it must be a whole number"},
        {"\"tired\": 0.6", "\"tired\": 2", 13, "characters[0].style.tired is 2, it must be at most 1"},
        {"\"height\": 1.68", "\"height\": 16.8", 10, "characters[0].height is 16.8, it must be at most 2.5"},
        {"#C45c4a", "#C45c4", 10, "characters[0].color is \"#C45c4\", it must be a colour like #4676a4"},
        {"#C45c4a", "C45c4a0", 10, "characters[0].color is \"C45c4a0\", it must be a colour like #4676a4"},
        {"#C45c4a", "#C45c4g", 10, "characters[0].color is \"#C45c4g\", it must be a colour like #4676a4"},
        {"#C45c4a", "#C45c4a0", 10, "characters[0].color is \"#C45c4a0\", it must be a colour like #4676a4"},
        {"#C45c4a", "#\\u00c445c4", 10, "it must be a colour like #4676a4"},
        {"[-2.2, -1.8]", "[1e39, 0]", 11, "characters[0].start[0] is 1e+39 m, it must be within 1e+06 of 0"},
        {"[2.2, 0, 1.8]", "[0, -1e7, 0]", 14, "characters[1].start[1] is -1e+07 m, it must be within"},
        {"90,", "721,", 11, "characters[0].heading_degrees is 721, it must be at most 720"},
        {"\"radius\": 0.25", "\"radius\": 0", 11, "characters[0].radius is 0, it must be at least 0.05"},
        {"\"stroll\"", "\"amble\"", 12,
         "characters[0].gait is \"amble\", it must be stroll, walk, march, jog or run"},
        {"\"delay\": 0.2", "\"delay\": 36001", 12, "characters[0].delay is 36001, it must be at most 36000"},
        {"\"speed\": 1.1", "\"speed\": 11", 14, "characters[1].speed is 11, it must be at most 10"},
        {"\"speed\": 0.8", "\"speed\": 0", 18, "characters[1].orders[2].speed is 0, it must be at least 0.1"},
        {"[\"walk.bvh\", \"sub/run%20fast.glb\"]", "[]", 20,
         "characters[2].cycles has 0 files, it must be 1 to 8"},
        {"\"walk.bvh\"", "\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"", 20,
         "characters[2].cycles has 9 files, it must be 1 to 8"},
    };
    CHECK_REFUSALS(refusals);
}

TEST(what_is_missing_or_said_twice_is_named) {
    static const refusal refusals[] = {
        {"\"sample\": \"room\",", "", 4,
         "scene must have either \"sample\" (a sample scene's name) or \"file\""},
        {"\"sample\": \"room\"", "\"sample\": \"room\", \"file\": \"a.obj\"", 4, "scene must have either"},
        {"\"start\": [-2.2, -1.8],", "", 10, "characters[0] has no \"start\", which is required"},
        {"[-2.2, -1.8]", "null", 11, "characters[0].start is null, it must be an array"},
        {"\"gait\": \"stroll\"", "\"gait\": \"stroll\", \"speed\": 1", 12,
         "characters[0].speed cannot be given together with a gait"},
        {"\"gait\": \"march\"", "\"gait\": \"march\", \"speed\": 1", 17,
         "characters[1].orders[1].speed cannot be given together"},
        {"{\"wait\": 0.1}", "{}", 16, "characters[1].orders[0] must be an object with one of"},
        {"{\"wait\": 0.1}", "{\"wait\": 1, \"go\": [1, 1]}", 16,
         "characters[1].orders[0] must be an object with"},
        {"{\"name\": \"Ada\",", "7, {", 10, "characters[0] must be an object with \"start\""},
    };
    CHECK_REFUSALS(refusals);
    static const struct {
        const char *text, *sentence;
    } whole[] = {
        {"{}", "the document has no \"scene\""},
        {"[]", "the document must be an object with \"scene\" and \"characters\""},
        {"null", "the document must be an object"},
        {"{\"scene\": {\"sample\": \"room\"}}", "the document has no \"characters\", which is required"},
        {"{\"scene\": {\"sample\": \"room\"}, \"characters\": []}",
         "characters has 0 characters, it must be 1"},
        {"{\"scene\": {\"sample\": \"room\"}, \"characters\": {}}", "characters is an object"},
        {"{\"characters\": [{\"start\": [0, 0]}]}", "the document has no \"scene\""},
        {"", "the text"},
        {" \n", "the text"},
    };
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        tr_error error = {0};
        CHECK(stage_check(whole[i].text, strlen(whole[i].text), NULL, &error) == TR_BAD_FILE);
        CHECK_CONTAINS(error.message, whole[i].sentence);
        CHECK(error.line >= 1);
    }
}

TEST(null_is_as_good_as_nothing_where_nothing_may_be) {
    static const char *const changes[][2] = {{"\"Three in a room\"", "null"},
                                             {"\"ground\": 0", "\"ground\": null"},
                                             {"[-2.9, -2.4, 2.9, 2.4]", "null"},
                                             {"\"stroll\"", "null, \"speed\": 2"},
                                             {"[2.2, -1.8]", "null"},
                                             {"\"wait\": 0.1", "\"wait\": null, \"go\": [1, 1]"},
                                             {"[\"walk.bvh\", \"sub/run%20fast.glb\"]", "null"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        tr_error error = {0};
        const char *text = stage_with(changes[i][0], changes[i][1]);
        bool good = stage_check(text, strlen(text), NULL, &error) == TR_OK;
        if (good != (i != 5)) // "wait": null beside "go" leaves a key that a go does not have
            test_failed(__FILE__, __LINE__, "%s: %s", changes[i][1], error.message);
    }
}

TEST(files_lie_beside_the_stage_file) {
    static const char *const outside[] = {
        "../a", "/etc/passwd", "sub/../../a", "C:a",      "https://x.y/a", "%2e%2e/a", "%2Fetc",
        "..",   "a%0",         "a%00b",       "\\\\host", "..\\\\a",       "",         "a/%2E./b"};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        char value[100];
        tr_error error = {0};
        snprintf(value, sizeof value, "\"%s\"", outside[i]);
        const char *text = stage_with("\"walk.bvh\"", value);
        CHECK(stage_check(text, strlen(text), NULL, &error) == TR_BAD_FILE);
        CHECK_CONTAINS(error.message, "characters[2].cycles[0] cannot be read: the URI");
        CHECK_INT(error.line, 20);
        snprintf(value, sizeof value, "\"file\": \"%s\"", outside[i]);
        text = stage_with("\"sample\": \"room\", \"seed\": 3, \"triangles\": 470", value);
        CHECK(stage_check(text, strlen(text), NULL, &error) == TR_BAD_FILE);
        CHECK_CONTAINS(error.message, "scene.file cannot be read: the URI");
        CHECK_INT(error.line, 4);
    }
    tr_error error = {0};
    const char *text = stage_with("walk.bvh", "sub/..a/...b%20c");
    CHECK(stage_check(text, strlen(text), NULL, &error) == TR_OK);
}

static void try_text(const char *text, size_t size) {
    tr_error error = {0};
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_status status = stage_check(text, size, &allocator, &error);
    if (status != TR_OK && (!error.message[0] || error.status != status || !error.file[0]))
        test_failed(__FILE__, __LINE__, "%s (%s)", tr_status_name(status), error.message);
    CHECK_INT(memory.live_bytes, 0);
    CHECK(memory.peak_bytes < 300000);
}

TEST(files_cut_at_every_byte_are_refused) {
    for (size_t size = 0; size < sizeof stage_sample - 2; size++) {
        try_text(stage_sample, size);
        CHECK(stage_check(stage_sample, size, NULL, NULL) == TR_BAD_FILE);
    }
}

TEST(files_with_bytes_changed_are_read_or_refused) {
    static const char bytes[] = {0,   ' ', '\n', '{', '}', '[', ']',  ':',
                                 '-', '9', ',',  '.', 'e', '"', '\\', (char)0xff};
    static char changed[sizeof stage_sample];
    tr_random random = tr_random_seed(11);
    for (size_t at = 0; at + 1 < sizeof stage_sample; at++) {
        memcpy(changed, stage_sample, sizeof changed);
        for (size_t i = 0; i < sizeof bytes; i++) {
            changed[at] = bytes[i];
            try_text(changed, sizeof changed - 1);
        }
        changed[at] = (char)tr_random_bits(&random);
        try_text(changed, sizeof changed - 1);
    }
    for (int round = 0; round < 4000; round++) {
        memcpy(changed, stage_sample, sizeof changed);
        uint32_t size = sizeof changed - 1;
        for (uint32_t edits = 1 + tr_random_below(&random, 5); edits > 0; edits--) {
            uint32_t from = tr_random_below(&random, size);
            uint32_t to = tr_random_below(&random, size);
            uint32_t most = size - (from > to ? from : to), count = tr_random_below(&random, 30);
            memmove(changed + to, changed + from, count < most ? count : most); // words in the wrong place
        }
        try_text(changed, size);
    }
}

// Up to the limit they are read, one more is refused; what is checked only takes little memory.
TEST(as_many_characters_as_the_limit_says) {
    static char text[300000];
    for (uint32_t count = TR_STAGE_FILE_CHARACTERS_MAX; count <= TR_STAGE_FILE_CHARACTERS_MAX + 1; count++) {
        size_t size =
            (size_t)snprintf(text, sizeof text, "{\"scene\":{\"sample\":\"room\"},\"characters\":[");
        for (uint32_t i = 0; i < count; i++)
            size += (size_t)snprintf(text + size, sizeof text - size, "%s{\"start\":[0,0]}", i ? "," : "");
        size += (size_t)snprintf(text + size, sizeof text - size, "]}");
        tr_error error = {0};
        test_memory memory = {0};
        tr_allocator allocator = test_memory_allocator(&memory);
        tr_status status = stage_check(text, size, &allocator, &error);
        CHECK_INT(status, count <= TR_STAGE_FILE_CHARACTERS_MAX ? TR_OK : TR_BAD_FILE);
        if (status != TR_OK)
            CHECK_CONTAINS(error.message, "characters has 10001 characters, it must be 1 to 10000");
        CHECK(memory.peak_bytes < 16000000);
    }
}

// What differs takes memory when it is made: there is a limit, and more than that of one kind is no matter.
TEST(as_many_kinds_and_bodies_as_the_limits_say) {
    static const struct {
        const char *format;
        uint32_t count;
        const char *sentence;
    } cases[] = {
        {"{\"start\":[0,0],\"color\":\"#%06x\"}", TR_STAGE_FILE_KINDS_MAX, NULL},
        {"{\"start\":[0,0],\"color\":\"#%06x\"}", TR_STAGE_FILE_KINDS_MAX + 1,
         "characters[1000] differs from 1000 others in height, colour, mesh or cycles, the maximum is 1000 "
         "kinds"},
        {"{\"start\":[0,0],\"radius\":1.%03u}", TR_STAGE_FILE_BODIES_MAX, NULL},
        {"{\"start\":[0,0],\"radius\":1.%03u}", TR_STAGE_FILE_BODIES_MAX + 1,
         "characters[256] differs from 256 others in radius or height, the maximum is 256 such bodies"},
    };
    static char text[100000];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size =
            (size_t)snprintf(text, sizeof text, "{\"scene\":{\"sample\":\"room\"},\"characters\":[");
        for (uint32_t j = 0; j < cases[i].count; j++) {
            size += (size_t)snprintf(text + size, sizeof text - size, "%s", j ? "," : "");
            size += (size_t)snprintf(text + size, sizeof text - size, cases[i].format, j);
        }
        size += (size_t)snprintf(text + size, sizeof text - size, "]}");
        tr_error error = {0};
        CHECK_INT(stage_check(text, size, NULL, &error), cases[i].sentence ? TR_BAD_FILE : TR_OK);
        CHECK_CONTAINS(error.message, cases[i].sentence ? cases[i].sentence : "");
    }
    tr_error error = {0};
    const char *many = stage_with("\"cell\": 0.1", "\"cell\": 0.005"); // 1160 by 960: few enough
    CHECK(stage_check(many, strlen(many), NULL, &error) == TR_OK);
    many = stage_with("[-2.9, -2.4, 2.9, 2.4]", "[-500, -500, 500, 500]");
    CHECK(stage_check(many, strlen(many), NULL, &error) == TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the document needs 1e+08 cells (the area divided by the square of cell)");
}

TEST(arguments_that_are_wrong_are_refused) {
    tr_stage_play play;
    tr_error error = {0};
    CHECK(tr_stage_file_read(NULL, 7, "a.json", NULL, &play, &error) == TR_INVALID);
    CHECK(stage_play_is_empty(&play));
    CHECK(tr_stage_file_read("{}", 2, "a.json", NULL, NULL, &error) == TR_INVALID);
    CHECK(tr_stage_file_read("{}", 2, NULL, NULL, &play, NULL) == TR_BAD_FILE);
    CHECK(tr_stage_file_read(NULL, 0, NULL, NULL, &play, &error) == TR_BAD_FILE);
    CHECK_TEXT(error.file, "");
    play = (tr_stage_play){0};
    tr_stage_play_destroy(&play); // zero is valid
}

static bool check_everything(const tr_allocator *allocator) {
    tr_error error = {0};
    tr_status status = stage_check(stage_sample, sizeof stage_sample - 1, allocator, &error);
    if (status != TR_OK && status != TR_OUT_OF_MEMORY)
        test_failed(__FILE__, __LINE__, "%s: %s", tr_status_name(status), error.message);
    return status == TR_OK;
}

TEST(no_memory_at_any_moment_of_a_check_is_told) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(check_everything) >= 5);
}

static void count_note(void *user, const char *sentence) {
    uint32_t *count = user;
    *count += strstr(sentence, "is ignored") != NULL;
}

TEST(keys_of_older_files_are_read_and_noted) {
    uint32_t count = 0;
    tr_stage_file_options options = {.check_only = true, .note = count_note, .note_user = &count};
    const char *text = stage_with("\"fps\": 25", "\"fps\": 25, \"storeys\": true");
    tr_stage_play play;
    tr_error error = {0};
    CHECK_INT(tr_stage_file_read(text, strlen(text), "a.json", &options, &play, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK_INT(count, 3); // and the sample's look_ahead and replan_interval
    tr_stage_play_destroy(&play);
}
