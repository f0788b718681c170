// docs/behaviors.schema.json says what the reader does: both are asked about thousands of machines that are
// wrong in all kinds of ways.
#include "../stage_file/schema_change.h"
#include "machine_text.h"

static const char *const values[] = {"0",
                                     "1",
                                     "-1",
                                     "0.5",
                                     "0.0005",
                                     "1000",
                                     "1001",
                                     "-1000.5",
                                     "60000",
                                     "60001",
                                     "720",
                                     "-721",
                                     "1e6",
                                     "1000001",
                                     "1e300",
                                     "true",
                                     "false",
                                     "\"\"",
                                     "\"upright\"",
                                     "\"human\"",
                                     "\"skateboarder\"",
                                     "\"mannequin\"",
                                     "\"jogs\"",
                                     "\"end\"",
                                     "[]",
                                     "[1, 2]",
                                     "[1, 2, 3]",
                                     "[[0, 1, 2]]",
                                     "[[0, 1, 2, 0], [2, 1, 2, 1]]",
                                     "[[0, 1, 2, 0, 4]]",
                                     "[[0, \"1\", 2]]",
                                     "[\"end\"]",
                                     "{}",
                                     "[{}]",
                                     "[{\"frames\": 5}]",
                                     "{\"cast\": \"human\"}",
                                     "{\"cast\": \"cat\"}",
                                     "{\"body\": \"a.glb\", \"cast\": \"human\"}",
                                     "{\"body\": \"a.glb\", \"height\": 0.05}",
                                     "\"a.bvh\""};
static const char *const keys[] = {"name",
                                   "frames_per_second",
                                   "radius",
                                   "up",
                                   "down",
                                   "idle",
                                   "discs_hold",
                                   "motion",
                                   "bands",
                                   "labels",
                                   "rest",
                                   "states",
                                   "cast",
                                   "body",
                                   "height",
                                   "low",
                                   "high",
                                   "begin",
                                   "end",
                                   "weight",
                                   "serves",
                                   "moves",
                                   "successors",
                                   "parametrised",
                                   "file",
                                   "figure",
                                   "clip",
                                   "first",
                                   "last",
                                   "extra",
                                   "mirrored",
                                   "parameter",
                                   "action",
                                   "frames",
                                   "x",
                                   "z",
                                   "rise",
                                   "turn_degrees",
                                   "discs",
                                   "comment",
                                   "$x",
                                   "y",
                                   ""};

// What a schema of this kind cannot say: names that must exist or be new, numbers that depend on each other.
static bool beyond_a_schema(const tr_error *error) {
    static const char *const sentences[] = {"which is no ",
                                            "the name of another",
                                            "for the second time",
                                            "cannot be used",
                                            "must be above low",
                                            "after first, which",
                                            "frames must rise",
                                            "the first band",
                                            "no motion to measure",
                                            "\"parametrised\": true",
                                            "has no \"parameter\"",
                                            "cannot be given",
                                            "a whole number from",
                                            "action is",
                                            "discs["};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (strstr(error->message, sentences[i]))
            return true;
    return false;
}

static void compare(const char *base, size_t size) {
    tr_bytes text;
    tr_json *schema, *json = NULL;
    if (!schema_read_document(__FILE__, "docs/behaviors.schema.json", &text, &schema)) {
        test_skip("the project's own files are not here");
        return;
    }
    REQUIRE(tr_json_read(NULL, base, size, &json, NULL) == TR_OK);
    CHECK(schema_says(schema, base, size));
    static schema_change change;
    change = (schema_change){.json = json,
                             .random = tr_random_seed(7),
                             .values = values,
                             .value_count = sizeof values / sizeof *values,
                             .keys = keys,
                             .key_count = sizeof keys / sizeof *keys};
    uint32_t good = 0, bad = 0;
    for (uint32_t round = 0; round < 20000; round++) {
        tr_error error = {0};
        tr_behavior_file file;
        schema_change_next(&change, 1 + round % 3);
        bool read = machine_read(change.text, change.size, NULL, &file, &error) == TR_OK;
        tr_behavior_file_destroy(&file);
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
    compare(machine_sample, sizeof machine_sample - 1);
}

static const char of_a_cast[] =
    "{\"frames_per_second\": 30, \"radius\": 0.5, \"bands\": [{\"name\": \"all\", \"high\": 2}],\n"
    " \"motion\": {\"cast\": \"horse\", \"height\": 1.6}, \"labels\": [\"gallop\"], \"rest\": \"gallop\",\n"
    " \"states\": [\n"
    " {\"name\": \"on\", \"begin\": \"gallop\", \"end\": \"gallop\", \"weight\": 1, \"moves\": [{\"clip\": "
    "\"forward/1\"}]},\n"
    " {\"name\": \"left\", \"begin\": \"gallop\", \"end\": \"gallop\", \"moves\": [{}]}]}";

TEST(the_schema_says_what_the_reader_does_of_generated_clips) {
    compare(of_a_cast, sizeof of_a_cast - 1);
}
