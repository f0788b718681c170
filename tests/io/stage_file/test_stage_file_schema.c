// docs/stage.schema.json says what the reader does: both are asked about the stages we ship and about
// thousands of documents that are wrong in all kinds of ways.
#include "schema_change.h"
#include "stage_text.h"

TEST(the_stages_we_ship_keep_to_the_schema) {
    static const char *const stages[] = {
        "stages/office.json", "stages/house.json",  "stages/desk.json",        "stages/desk_moving.json",
        "stages/people.json", "stages/horses.json", "stages/skateboarder.json"};
    tr_bytes schema_text, text;
    tr_json *schema, *json;
    if (!schema_read_document(__FILE__, "docs/stage.schema.json", &schema_text, &schema)) {
        test_skip("the project's own files are not here");
        return;
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        REQUIRE(schema_read_document(__FILE__, stages[i], &text, &json));
        tr_error error = {0};
        CHECK(schema_says(schema, text.data, text.size));
        CHECK(stage_check(text.data, text.size, NULL, &error) == TR_OK);
        CHECK_TEXT(error.message, "");
        tr_json_destroy(json);
        tr_bytes_free(NULL, &text);
    }
    CHECK(schema_says(schema, stage_sample, sizeof stage_sample - 1));
    tr_json_destroy(schema);
    tr_bytes_free(NULL, &schema_text);
}

// Whatever a value of a stage file may be, and much that it may not. No null, which the reader takes for
// nothing.
static const char *const values[] = {"0",
                                     "1",
                                     "-1",
                                     "0.5",
                                     "2.5",
                                     "2.6",
                                     "0.05",
                                     "0.04",
                                     "0.1",
                                     "0.09",
                                     "10",
                                     "10.5",
                                     "36000",
                                     "36001",
                                     "720",
                                     "-720.5",
                                     "1e6",
                                     "1000001",
                                     "60",
                                     "61",
                                     "240",
                                     "241",
                                     "3600",
                                     "0.005",
                                     "0.004",
                                     "1e300",
                                     "4294967295",
                                     "4294967296",
                                     "9007199254740992",
                                     "1e-6",
                                     "true",
                                     "false",
                                     "\"\"",
                                     "\"walk\"",
                                     "\"run\"",
                                     "\"y\"",
                                     "\"z\"",
                                     "\"room\"",
                                     "\"maze\"",
                                     "\"field\"",
                                     "\"edges\"",
                                     "\"terrace\"",
                                     "\"office\"",
                                     "\"labyrinth\"",
                                     "\"stairs\"",
                                     "\"factory\"",
                                     "\"house\"",
                                     "\"city\"",
                                     "\"door\"",
                                     "\"lift\"",
                                     "\"ladder\"",
                                     "[{\"kind\": \"door\", \"from\": [1, 2, 3], \"to\": [1, 2, 3]}]",
                                     "[{\"kind\": \"lift\", \"from\": [1, 2], \"to\": [1, 2, 3]}]",
                                     "\"jog\"",
                                     "\"stroll\"",
                                     "\"march\"",
                                     "\"#0aF9cd\"",
                                     "\"#0aF9c\"",
                                     "\"#0aF9cg\"",
                                     "\"x#0aF9cd\"",
                                     "[]",
                                     "[1, 2]",
                                     "[1, 2, 3]",
                                     "[0, 0, 1, 1]",
                                     "[1]",
                                     "[1, \"2\"]",
                                     "[1, 2000000]",
                                     "[\"a.bvh\"]",
                                     "[\"a.bvh\", 1]",
                                     "{}",
                                     "{\"sample\": \"room\"}",
                                     "{\"file\": \"a.obj\"}",
                                     "{\"file\": \"a.obj\", \"sample\": \"room\"}",
                                     "{\"go\": [1, 2]}",
                                     "{\"wait\": 1}",
                                     "[{\"wait\": 1}]",
                                     "[{\"wait\": 1, \"go\": [1, 2]}]",
                                     "[{\"go\": [1, 2], \"gait\": \"run\", \"speed\": 1}]",
                                     "[{\"start\": [1, 2]}]",
                                     "[{\"start\": [1, 2], \"goal\": [1]}]",
                                     "\"right\"",
                                     "\"left\"",
                                     "\"either\"",
                                     "\"both\"",
                                     "\"desk\"",
                                     "180",
                                     "180.5",
                                     "[{\"reach\": [1, 2, 3]}]",
                                     "[{\"reach\": {\"at\": [1, 2, 3], \"object\": \"x\"}}]",
                                     "{\"object\": \"x\", \"hold\": 1}",
                                     "{\"at\": [1, 2, 3], \"hand\": \"left\"}",
                                     "[{\"lower\": \"both\"}]",
                                     "[{\"lower\": \"either\"}]",
                                     "{\"tired\": 1}",
                                     "\"child\"",
                                     "\"heavy\"",
                                     "{\"tired\": 1.5}",
                                     "[1, 2, 3, 4, 5]"};
static const char *const keys[] = {"title",      "scene",
                                   "ground",     "area",
                                   "cell",       "fps",
                                   "seconds",    "margin",
                                   "look_ahead", "replan_interval",
                                   "characters", "variety",
                                   "seed",       "style",
                                   "body",       "sample",
                                   "file",       "seed",
                                   "triangles",  "up",
                                   "unit",       "name",
                                   "height",     "radius",
                                   "color",      "coarse",
                                   "start",      "heading_degrees",
                                   "gait",       "speed",
                                   "goal",       "delay",
                                   "orders",     "cycles",
                                   "storeys",    "links",
                                   "kind",       "from",
                                   "to",         "cost",
                                   "both_ways",  "closed",
                                   "go",         "wait",
                                   "deadline",   "people",
                                   "reach",      "lower",
                                   "at",         "object",
                                   "hand",       "direction",
                                   "hold",       "tolerance_degrees",
                                   "comment",    "$x",
                                   "x",          ""};

// What a schema of this kind cannot say: which areas are empty or too large and which names lead outside.
static bool beyond_a_schema(const tr_error *error) {
    return strstr(error->message, "area is empty") ||
           strstr(error->message, "divided by the square of cell") ||
           strstr(error->message, "must not have length 0") ||
           strstr(error->message, "it must be later than") ||
           strstr(error->message, "cannot be given together with behaviors") ||
           strstr(error->message, "cannot be read: the URI");
}

static const char with_links[] = "{\"scene\": {\"sample\": \"house\"}, \"storeys\": true, \"seconds\": 9,\n"
                                 " \"links\": [{\"kind\": \"lift\", \"from\": [1, 0, 2], \"to\": [1, 3, "
                                 "2], \"cost\": 4, \"both_ways\": false},\n"
                                 "           {\"kind\": \"door\", \"from\": [4, 0, 2], \"to\": [5, 0, 2], "
                                 "\"closed\": true, \"comment\": 1}],\n"
                                 " \"characters\": [{\"start\": [1, 0, 2], \"goal\": [1, 3, 2]}]}";

static const char with_behaviors[] =
    "{\"scene\": {\"sample\": \"stampede\"}, \"characters\": [\n"
    " {\"start\": [1, 2], \"behaviors\": {\"cast\": \"horse\", \"weights\": {\"start\": 2, \"left\": "
    "0.5}}},\n"
    " {\"start\": [1, 2], \"behaviors\": {\"machine\": \"a.json\", \"walks\": false}},\n"
    " {\"start\": [3, 2], \"behaviors\": {\"captures\": \"folder\", \"where_needed\": true, \"$x\": 1}},\n"
    " {\"start\": [5, 2], \"behaviors\": {\"cast\": \"walker\", \"where_needed\": false}}]}";

static void compare(const char *base, size_t size) {
    tr_bytes text;
    tr_json *schema, *json = NULL;
    if (!schema_read_document(__FILE__, "docs/stage.schema.json", &text, &schema)) {
        test_skip("the project's own files are not here");
        return;
    }
    REQUIRE(tr_json_read(NULL, base, size, &json, NULL) == TR_OK);
    static schema_change change;
    change = (schema_change){.json = json,
                             .random = tr_random_seed(5),
                             .values = values,
                             .value_count = sizeof values / sizeof values[0],
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0]};
    uint32_t good = 0, bad = 0;
    for (uint32_t round = 0; round < 20000; round++) {
        tr_error error = {0};
        schema_change_next(&change, 1 + round % 3);
        bool read = stage_check(change.text, change.size, NULL, &error) == TR_OK;
        if (!read && beyond_a_schema(&error))
            continue;
        good += read;
        bad += !read;
        if (schema_says(schema, change.text, change.size) != read) {
            test_failed(__FILE__, __LINE__, "the reader says \"%s\", the schema the opposite: %s",
                        error.message, change.text);
            break;
        }
    }
    CHECK(good > 1000 && bad > 1000);
    tr_json_destroy(json);
    tr_json_destroy(schema);
    tr_bytes_free(NULL, &text);
}

TEST(the_schema_says_what_the_reader_does) {
    compare(stage_sample, sizeof stage_sample - 1);
}

static const char with_arms[] =
    "{\"scene\": {\"sample\": \"room\"}, \"seconds\": 9,\n"
    " \"characters\": [{\"start\": [1, 2], \"orders\": [\n"
    "   {\"reach\": [1, 1, 2], \"comment\": 1},\n"
    "   {\"reach\": {\"at\": [1, 1, 2], \"hand\": \"left\", \"direction\": [0, -1, 0], "
    "\"tolerance_degrees\": 20}},\n"
    "   {\"reach\": {\"object\": \"cup\", \"hand\": \"either\", \"seconds\": 1.5, \"hold\": 2, \"$x\": 0}},\n"
    "   {\"lower\": \"right\"}, {\"lower\": \"both\", \"comment\": \"\"}]}]}";

TEST(the_schema_says_what_the_reader_does_of_arms) {
    compare(with_arms, sizeof with_arms - 1);
}

static const char with_moves[] = "{\"scene\": {\"sample\": \"room\"}, \"seconds\": 9,\n"
                                 " \"moves\": [{\"object\": \"table\", \"keys\": [[0, 0, 0, 0], [2, 1, 0.5, "
                                 "-1]], \"loop\": true, \"comment\": 1},\n"
                                 "           {\"object\": \"cup\", \"keys\": [[1, 2, 3, 4]]}],\n"
                                 " \"characters\": [{\"start\": [1, 2]}]}";

TEST(the_schema_says_what_the_reader_does_of_moves) {
    compare(with_moves, sizeof with_moves - 1);
}

static const char with_figures[] =
    "{\"scene\": {\"sample\": \"room\"}, \"characters\": [{\"start\": [1, 2], \"character\": \"a.glb\", "
    "\"height\": 1.5, \"clips\": {\"stand\": \"a\", \"walk\": \"b\", \"jog\": \"c\", \"run\": \"d\", "
    "\"comment\": 1}}, {\"start\": [1, 2], \"character\": \"sub/b.gltf\", \"cycles\": [\"c.bvh\"]}]}";

TEST(the_schema_says_what_the_reader_does_of_character_files) {
    compare(with_figures, sizeof with_figures - 1);
}

TEST(the_schema_says_what_the_reader_does_of_behaviors) {
    compare(with_behaviors, sizeof with_behaviors - 1);
}

TEST(the_schema_says_what_the_reader_does_of_links) {
    compare(with_links, sizeof with_links - 1);
}
