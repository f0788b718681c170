// Machine files: every key arrives, what is written reads back bit for bit, and what is wrong is named with
// its line, path and value.
#include "machine_text.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/io/json.h"

TEST(every_key_arrives) {
    tr_behavior_file file;
    tr_error error = {0};
    REQUIRE(machine_read(machine_sample, sizeof machine_sample - 1, NULL, &file, &error) == TR_OK);
    const tr_behavior_def *def = &file.def;
    CHECK_TEXT(def->name, "a walker");
    CHECK(def->frames_per_second == 30 && def->radius == 0.3f && def->up == 0.75f && def->down == 0.25f);
    CHECK(def->discs_hold && def->idle == 0.2f && file.height == 1.8f && !file.cast);
    CHECK_TEXT(file.body, "sub/hero.glb");
    REQUIRE(def->band_count == 2 && def->label_count == 2 && def->state_count == 4);
    CHECK_TEXT(def->bands[1].name, "over");
    CHECK(def->bands[0].low == 0 && def->bands[1].low == 0.4f && def->bands[1].high == 2.1f);
    CHECK_TEXT(def->labels[1], "jogs");
    CHECK_INT(def->rest, 0);
    CHECK(def->states[0].weight == 1 && def->states[1].weight == 1.5f);
    CHECK(!def->states[0].successors && def->states[0].begin == 0 && def->states[0].end == 1);
    const tr_behavior_state *turn = &def->states[2], *jump = &def->states[3];
    CHECK(turn->parametrised && turn->successor_count == 3 && turn->successors[1] == 1);
    CHECK_NEAR(turn->moves[1].turn, TR_PI / 6, 1e-7);
    CHECK(turn->moves[1].rise == 0.1f && turn->moves[0].parameter == -30);
    CHECK_INT(jump->serves, 1);
    CHECK_TEXT(jump->moves[0].name, "low");
    CHECK(jump->moves[0].action == 15 && turn->moves[0].action == TR_NONE);
    REQUIRE(jump->moves[0].disc_count == 4);
    CHECK(jump->moves[0].discs[2].band == 1 && jump->moves[0].discs[2].frame == 20);
    CHECK(jump->moves[0].discs[2].x == 0.01f && jump->moves[0].discs[2].z == 2);
    REQUIRE(file.clip_count == 6 && file.measured_count == 2);
    const tr_behavior_file_clip *clip = &file.clips[jump->moves[1].clip];
    CHECK_TEXT(clip->file, "sub/jumps.glb");
    CHECK_TEXT(clip->figure, "Ada");
    CHECK_TEXT(clip->name, "high");
    CHECK(clip->first == 8 && clip->last == 40 && clip->extra == 8 && clip->mirrored && clip->is_measured);
    CHECK_INT(clip->line, 24);
    CHECK_INT(jump->moves[1].frames, 32);
    CHECK(!file.clips[0].file && !file.clips[0].is_measured);
    tr_behavior *behavior = NULL;
    tr_behavior_def usable = *def;
    usable.discs_hold = false; // two moves are still to be measured
    CHECK(tr_behavior_create(&usable, &behavior, &error) == TR_OK);
    tr_behavior_destroy(behavior);
    tr_behavior_file_destroy(&file);
    CHECK(!file.clips && !file.memory);
}

TEST(a_machine_of_generated_clips_needs_no_numbers) {
    static const char text[] =
        "{\"frames_per_second\": 30, \"radius\": 0.5, \"bands\": [{\"name\": \"all\", \"high\": 2}],\n"
        " \"motion\": {\"cast\": \"horse\"}, \"labels\": [\"gallop\"], \"rest\": \"gallop\", \"states\": [\n"
        " {\"name\": \"on\", \"begin\": \"gallop\", \"end\": \"gallop\", \"moves\": [{\"clip\": "
        "\"forward/1\"}]},\n"
        " {\"name\": \"left\", \"begin\": \"gallop\", \"end\": \"gallop\", \"moves\": [{}]}]}";
    tr_behavior_file file;
    tr_error error = {0};
    REQUIRE(machine_read(text, sizeof text - 1, NULL, &file, &error) == TR_OK);
    CHECK_TEXT(file.cast, "horse");
    CHECK_TEXT(file.clips[0].name, "forward/1");
    CHECK(file.measured_count == 2 && file.height == 0 && !file.clips[1].name);
    tr_behavior_file_destroy(&file);
}

// --- Writing ---

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_same_move(const tr_behavior_move *a, const tr_behavior_move *b) {
    CHECK(same_text(a->name, b->name) && a->clip == b->clip && a->frames == b->frames);
    CHECK(a->action == b->action && a->parameter == b->parameter && a->disc_count == b->disc_count);
    CHECK(a->x == b->x && a->z == b->z && a->turn == b->turn && a->rise == b->rise);
    for (uint32_t i = 0; i < a->disc_count && i < b->disc_count; i++)
        CHECK(machine_same_discs(&a->discs[i], &b->discs[i]));
}

static void check_same_machine(const tr_behavior_def *a, const tr_behavior_def *b) {
    CHECK(same_text(a->name, b->name) && a->rest == b->rest && a->radius == b->radius);
    CHECK(a->frames_per_second == b->frames_per_second && a->up == b->up && a->down == b->down);
    CHECK(a->idle == b->idle && a->discs_hold == b->discs_hold);
    REQUIRE(a->label_count == b->label_count && a->band_count == b->band_count);
    REQUIRE(a->state_count == b->state_count);
    for (uint32_t i = 0; i < a->label_count; i++)
        CHECK_TEXT(a->labels[i], b->labels[i]);
    for (uint32_t i = 0; i < a->band_count; i++) {
        CHECK_TEXT(a->bands[i].name, b->bands[i].name);
        CHECK(a->bands[i].low == b->bands[i].low && a->bands[i].high == b->bands[i].high);
    }
    for (uint32_t i = 0; i < a->state_count; i++) {
        const tr_behavior_state *s = &a->states[i], *t = &b->states[i];
        CHECK_TEXT(s->name, t->name);
        CHECK(s->begin == t->begin && s->end == t->end && s->weight == t->weight);
        CHECK(s->serves == t->serves && s->parametrised == t->parametrised);
        CHECK(!s->successors == !t->successors && s->successor_count == t->successor_count);
        for (uint32_t k = 0; k < s->successor_count && k < t->successor_count; k++)
            CHECK_INT(s->successors[k], t->successors[k]);
        REQUIRE(s->move_count == t->move_count);
        for (uint32_t k = 0; k < s->move_count; k++)
            check_same_move(&s->moves[k], &t->moves[k]);
    }
}

static void check_round_trip(const tr_behavior_file *file) {
    tr_bytes text, again;
    tr_behavior_file read;
    tr_error error = {0};
    REQUIRE(tr_behavior_file_write(file, NULL, &text, &error) == TR_OK);
    if (machine_read((const char *)text.data, text.size, NULL, &read, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "line %u: %s in\n%.*s", error.line, error.message, (int)text.size,
                    (const char *)text.data);
        return;
    }
    check_same_machine(&file->def, &read.def);
    CHECK(same_text(file->cast, read.cast) && same_text(file->body, read.body));
    CHECK(file->height == read.height);
    for (uint32_t i = 0; i < file->clip_count && i < read.clip_count; i++) {
        const tr_behavior_file_clip *a = &file->clips[i], *b = &read.clips[i];
        CHECK(same_text(a->file, b->file) && same_text(a->name, b->name) && same_text(a->figure, b->figure));
        CHECK(a->first == b->first && a->last == b->last && a->extra == b->extra);
        CHECK(a->mirrored == b->mirrored && a->is_measured == b->is_measured);
    }
    REQUIRE(tr_behavior_file_write(&read, NULL, &again, &error) == TR_OK);
    CHECK(again.size == text.size && memcmp(again.data, text.data, text.size) == 0);
    tr_bytes_free(NULL, &text);
    tr_bytes_free(NULL, &again);
    tr_behavior_file_destroy(&read);
}

TEST(what_is_written_reads_back_as_the_same) {
    tr_behavior_file file;
    REQUIRE(machine_read(machine_sample, sizeof machine_sample - 1, NULL, &file, NULL) == TR_OK);
    check_round_trip(&file);
    tr_behavior_file_destroy(&file);
}

#define STATES 6
#define MOVES 4
#define DISCS 5

typedef struct random_machine {
    tr_behavior_file file;
    tr_behavior_band bands[3];
    tr_behavior_state states[STATES];
    tr_behavior_move moves[STATES][MOVES];
    tr_behavior_disc discs[STATES][MOVES][DISCS];
    tr_behavior_file_clip clips[STATES * MOVES];
} random_machine;

static const char *const names[STATES] = {"start", "\"end\"", "jog", "left \xc3\xa4", "jump/2", "a\\b\n"};

static void fill_move(tr_random *random, random_machine *made, uint32_t state, uint32_t index) {
    tr_behavior_move *move = &made->moves[state][index];
    *move = (tr_behavior_move){.clip = made->file.clip_count,
                               .x = tr_random_between(random, -2, 2),
                               .z = tr_random_between(random, -2, 9),
                               .turn = tr_random_between(random, -12, 12),
                               .rise = index == 1 ? tr_random_between(random, -1, 1) : 0,
                               .frames = 1 + tr_random_below(random, 200),
                               .action = TR_NONE,
                               .discs = made->discs[state][index],
                               .disc_count = tr_random_below(random, DISCS + 1)};
    if (tr_random_below(random, 2))
        move->action = tr_random_below(random, move->frames + 1);
    uint32_t frame = 0;
    for (uint32_t i = 0; i < move->disc_count; i++) {
        frame += tr_random_below(random, (move->frames - frame) / 2 + 1);
        made->discs[state][index][i] =
            (tr_behavior_disc){tr_random_between(random, -3, 3), tr_random_between(random, -3, 3),
                               (uint16_t)frame, (uint8_t)tr_random_below(random, 3)};
    }
    if (move->disc_count == 0)
        move->discs = NULL;
    tr_behavior_file_clip *clip = &made->clips[made->file.clip_count++];
    *clip = (tr_behavior_file_clip){.name = index == 0 ? "Take 1" : NULL};
    if (tr_random_below(random, 2)) {
        clip->file = "a/b.glb";
        clip->first = tr_random_below(random, 100);
        clip->last = clip->first + 1 + tr_random_below(random, 500);
        clip->extra = tr_random_below(random, 12);
        clip->mirrored = tr_random_below(random, 2);
    }
}

static void make_machine(tr_random *random, random_machine *made) {
    static const char *const labels[] = {"stands", "jogs"};
    memset(made, 0, sizeof *made);
    tr_behavior_def *def = &made->file.def;
    for (uint32_t i = 0; i < 3; i++) {
        float low = i ? tr_random_between(random, 0, 1) : 0;
        made->bands[i] = (tr_behavior_band){
            .name = names[i], .low = low, .high = low + tr_random_between(random, 0.1f, 2)};
    }
    *def = (tr_behavior_def){.labels = labels,
                             .label_count = 2,
                             .bands = made->bands,
                             .band_count = 3,
                             .radius = tr_random_between(random, 0.01f, 1),
                             .frames_per_second = 1 + 100 * (double)tr_random_between(random, 0, 1),
                             .states = made->states,
                             .state_count = STATES,
                             .up = tr_random_between(random, 0, 3)};
    for (uint32_t i = 0; i < STATES; i++) {
        uint32_t count = 1 + tr_random_below(random, MOVES);
        made->states[i] = (tr_behavior_state){.name = names[i],
                                              .moves = made->moves[i],
                                              .move_count = count,
                                              .begin = i != 0,
                                              .end = i != 1,
                                              .weight = tr_random_between(random, 0.001f, 20),
                                              .serves = i > 3 ? i - 3 : 0};
        for (uint32_t k = 0; k < count; k++)
            fill_move(random, made, i, k);
    }
    made->file.clips = made->clips;
}

TEST(random_machines_read_back_bit_for_bit) {
    tr_random random = tr_random_seed(11);
    static random_machine made;
    for (int round = 0; round < 300; round++) {
        make_machine(&random, &made);
        check_round_trip(&made.file);
    }
}

TEST(angles_of_whole_degrees_are_written_as_such) {
    tr_behavior_file file;
    tr_bytes text;
    REQUIRE(machine_read(machine_sample, sizeof machine_sample - 1, NULL, &file, NULL) == TR_OK);
    REQUIRE(tr_behavior_file_write(&file, NULL, &text, NULL) == TR_OK);
    char *copy = calloc(text.size + 1, 1);
    memcpy(copy, text.data, text.size);
    CHECK_CONTAINS(copy, "\"turn_degrees\": -30,");
    CHECK_CONTAINS(copy, "\"discs\": [[0, 0, 0], [25, -0.5, 2.1]]");
    CHECK_CONTAINS(copy, "\"labels\": [\"stands\", \"jogs\"],\n");
    free(copy);
    tr_bytes_free(NULL, &text);
    tr_behavior_file_destroy(&file);
}

// A machine that a planner was given: successors and discs that were left out have been filled in.
TEST(successors_that_the_labels_imply_are_not_written) {
    tr_behavior_file file;
    tr_bytes text;
    tr_behavior *behavior = NULL;
    REQUIRE(machine_read(machine_with("\"successors\": [\"turn\", \"end\", \"jump\"],", ""),
                         strlen(machine_with("\"successors\": [\"turn\", \"end\", \"jump\"],", "")), NULL,
                         &file, NULL) == TR_OK);
    file.def.discs_hold = false; // two moves are still to be measured
    REQUIRE(tr_behavior_create(&file.def, &behavior, NULL) == TR_OK);
    tr_behavior_file filled = {.def = *tr_behavior_def_of(behavior)};
    REQUIRE(tr_behavior_file_write(&filled, NULL, &text, NULL) == TR_OK);
    char *copy = calloc(text.size + 1, 1);
    memcpy(copy, text.data, text.size);
    CHECK(!strstr(copy, "successors"));
    free(copy);
    tr_bytes_free(NULL, &text);
    tr_behavior_destroy(behavior);
    tr_behavior_file_destroy(&file);
}

TEST(a_machine_without_names_is_not_written) {
    tr_random random = tr_random_seed(3);
    static random_machine made;
    tr_bytes text;
    tr_error error;
    make_machine(&random, &made);
    made.states[2].name = NULL;
    CHECK_INT(tr_behavior_file_write(&made.file, NULL, &text, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "state 2 has no name");
    made.states[2].name = "start";
    CHECK_INT(tr_behavior_file_write(&made.file, NULL, &text, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "two states are named 'start'");
    made.states[2].name = "jog";
    made.states[2].weight = -1;
    CHECK_INT(tr_behavior_file_write(&made.file, NULL, &text, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "weight -1");
    CHECK(!text.data);
}

// --- What is wrong ---

static void check_refused_at(int where, const char *from, const char *to, uint32_t line,
                             const char *sentence) {
    tr_behavior_file file;
    tr_error error = {0};
    const char *text = machine_with(from, to);
    tr_status status = machine_read(text, strlen(text), NULL, &file, &error);
    if (status != TR_BAD_FILE || error.line != line || !strstr(error.message, sentence) ||
        strcmp(error.file, "folder/machine.json") != 0)
        test_failed(__FILE__, where, "with %s: %s in line %u of %s: %s; expected line %u: %s", to,
                    tr_status_name(status), error.line, error.file, error.message, line, sentence);
    tr_behavior_file_destroy(&file);
}
#define REFUSED(from, to, line, sentence) check_refused_at(__LINE__, from, to, line, sentence)

TEST(wrong_values_are_named_with_line_and_path) {
    REFUSED("\"radius\": 0.3", "\"radius\": -0.3", 3, "radius is -0.3");
    REFUSED("\"radius\": 0.3", "\"radios\": 0.3", 3,
            "radios is not a known key; allowed keys: name, frames_per");
    REFUSED("\"radius\": 0.3", "\"comment\": 0.3", 1, "radius");
    REFUSED("\"frames_per_second\": 30", "\"frames_per_second\": \"30\"", 3, "frames_per_second");
    REFUSED("\"up\": 0.75", "\"up\": -1", 4, "up is -1");
    REFUSED("\"body\": \"sub/hero.glb\"", "\"cast\": \"cat\"", 5,
            "motion.cast is \"cat\", it must be one of: human");
    REFUSED("\"body\": \"sub/hero.glb\"", "\"$\": 1", 5, "must have one of \"cast\"");
    REFUSED("\"body\": ", "\"cast\": \"horse\", \"body\": ", 5, "must have one of \"cast\"");
    REFUSED("\"body\": \"sub/hero.glb\"", "\"cast\": \"horse\"", 13,
            "cannot be given: the machine takes its motion");
    REFUSED("\"high\": 2.1", "\"high\": 0.4", 7, "bands[1].high is 0.4 m, it must be above low");
    REFUSED("\"name\": \"over\"", "\"name\": \"upright\"", 7, "the name of another band");
    REFUSED("\"name\": \"over\", ", "", 7, "bands[1] has no \"name\"");
    REFUSED("[\"stands\", \"jogs\"]", "[\"stands\", 5]", 8, "labels[1] must be the name of a label");
    REFUSED("[\"stands\", \"jogs\"]", "[]", 8, "labels has 0 labels");
    REFUSED("\"rest\": \"stands\"", "\"rest\": \"sits\"", 8,
            "rest is \"sits\", which is no label; there are: stands, jogs");
    REFUSED(", \"rest\": \"stands\"", "", 1, "has no \"rest\"");
}

TEST(wrong_states_are_named_with_line_and_path) {
    REFUSED("\"begin\": \"stands\"", "\"begin\": \"stnds\"", 10, "states[0].begin is \"stnds\"");
    REFUSED("\"begin\": \"stands\", ", "", 10, "has no \"begin\"");
    REFUSED("\"moves\": [{\"frames\": 20, \"z\": 1.25}]", "\"moves\": []", 11, "states[0].moves is empty");
    REFUSED("\"name\": \"end\"", "\"name\": \"start\"", 12,
            "states[1].name is \"start\", the name of another state");
    REFUSED("\"weight\": 1.5", "\"weight\": 0", 12, "states[1].weight is 0");
    REFUSED("\"weight\": 1.5", "\"weight\": -3", 12, "states[1].weight is -3");
    REFUSED("\"weight\": 1.5", "\"weight\": NaN", 12, "");
    REFUSED("\"turn\", \"end\", \"jump\"", "\"turn\", \"end\", \"fly\"", 15,
            "states[2].successors[2] is \"fly\", which is no state; there are: start, end, turn, jump");
    REFUSED("\"turn\", \"end\", \"jump\"", "\"turn\", \"end\", \"turn\"", 15, "for the second time");
    REFUSED("\"turn\", \"end\", \"jump\"", "", 15, "is empty");
    REFUSED("\"serves\": \"over\"", "\"serves\": \"under\"", 21,
            "which is no band; there are: upright, over");
    REFUSED("\"serves\": \"over\"", "\"serves\": \"upright\"", 21, "the first band");
    REFUSED("\"comment\": \"\"", "\"wait\": 1", 21,
            "states[3].wait is not a known key; allowed keys: name, begin");
}

TEST(wrong_moves_are_named_with_line_and_path) {
    REFUSED("\"frames\": 20", "\"frames\": 0", 11, "states[0].moves[0].frames is 0");
    REFUSED("\"frames\": 20", "\"frames\": 1.5", 11, "states[0].moves[0].frames is 1.5");
    REFUSED("\"frames\": 20, ", "", 11, "has \"z\" but no \"frames\"");
    REFUSED("\"frames\": 20, \"z\": 1.25", "", 11, "no motion to measure them from");
    REFUSED("\"frames\": 20", "\"frames\": 20, \"parameter\": 1", 11, "requires \"parametrised\": true");
    REFUSED("\"frames\": 20", "\"frames\": 20, \"extra\": 8", 11, "extra requires \"file\"");
    REFUSED("\"frames\": 20", "\"frames\": 20, \"action\": 21", 11, "action is 21");
    REFUSED("\"z\": 1.25", "\"y\": 1.25", 11, "states[0].moves[0].y is not a known key");
    REFUSED(", \"last\": 24", "", 13, "last");
    REFUSED("\"last\": 24", "\"first\": 24, \"last\": 24", 13, "last is frame 24, it must be 1 to");
    REFUSED("\"parameter\": -30, ", "", 16, "parameter");
    REFUSED("[25, -0.5, 2.1]", "[26, -0.5, 2.1]", 17, "discs[1][0] is 26");
    REFUSED("[0, 0, 0], [25, -0.5, 2.1]", "[2, 0, 0], [1, -0.5, 2.1]", 17, "discs[1] is at frame 1");
    REFUSED("[25, -0.5, 2.1]", "[25, -0.5]", 17, "must be [frame, x, z]");
    REFUSED("[25, -0.5, 2.1]", "[25, -0.5, \"2\"]", 17, "discs[1][2] is not a number");
    REFUSED("[20, 0.01, 2, 1]", "[20, 0.01, 2, 2]", 23, "discs[2][3] is 2");
    REFUSED("\"mirrored\": true", "\"mirrored\": 1", 25, "mirrored");
}

// What no single value shows.
TEST(machines_that_cannot_work_are_refused_at_their_state) {
    REFUSED("\"name\": \"end\", \"begin\": \"jogs\", \"end\": \"stands\"",
            "\"name\": \"end\", \"begin\": \"jogs\", \"end\": \"jogs\"", 9, "states cannot be used");
    REFUSED("\"turn\", \"end\", \"jump\"", "\"turn\", \"start\"", 14, "states[2] cannot be used");
    REFUSED("\"parameter\": 30", "\"parameter\": -31", 14, "states[2] cannot be used");
}

TEST(the_argument_itself_is_checked) {
    tr_error error = {0};
    CHECK_INT(tr_behavior_file_read("{}", 2, NULL, NULL, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "NULL");
    tr_behavior_file file;
    CHECK_INT(tr_behavior_file_read("[]", 2, NULL, NULL, &file, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "must be an object");
    CHECK_INT(tr_behavior_file_read("{\"labels\"", 9, "x.json", NULL, &file, NULL), TR_BAD_FILE);
    tr_behavior_file_destroy(&file);
    tr_behavior_file_destroy(NULL);
}

TEST(a_text_that_is_cut_off_anywhere_is_refused) {
    for (size_t size = 0; size < sizeof machine_sample - 2; size++) {
        tr_behavior_file file;
        tr_error error = {0};
        CHECK_INT(machine_read(machine_sample, size, NULL, &file, &error), TR_BAD_FILE);
        CHECK(error.message[0] && error.line > 0);
    }
}

// Many names take no longer than their text: they are not compared with each other.
TEST(a_thousand_states_that_all_follow_each_other_are_read) {
    const uint32_t count = 1000;
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "state %u", i);
        tr_json_write_object(&writer);
        tr_json_write_key(&writer, "name");
        tr_json_write_text(&writer, name);
        tr_json_write_key(&writer, "begin");
        tr_json_write_text(&writer, "l");
        tr_json_write_key(&writer, "end");
        tr_json_write_text(&writer, "l");
        tr_json_write_key(&writer, "successors");
        tr_json_write_array(&writer);
        for (uint32_t k = 0; k < count; k++) {
            snprintf(name, sizeof name, "state %u", k);
            tr_json_write_text(&writer, name);
        }
        tr_json_write_end(&writer);
        tr_json_write_key(&writer, "moves");
        tr_json_write_array(&writer);
        tr_json_write_object(&writer);
        tr_json_write_key(&writer, "frames");
        tr_json_write_integer(&writer, 3);
        tr_json_write_end(&writer);
        tr_json_write_end(&writer);
        tr_json_write_end(&writer);
    }
    tr_json_write_end(&writer);
    tr_bytes states;
    REQUIRE(tr_json_writer_finish(&writer, &states, NULL) == TR_OK);
    static const char head[] = "{\"frames_per_second\": 30, \"radius\": 1, \"bands\": [{\"name\": \"b\", "
                               "\"high\": 1}], \"labels\": [\"l\"], \"rest\": \"l\", \"states\": ";
    size_t size = sizeof head - 1 + states.size + 1;
    char *text = malloc(size);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, states.data, states.size);
    text[size - 1] = '}';
    tr_behavior_file file;
    tr_error error = {0};
    CHECK_INT(machine_read(text, size, NULL, &file, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK(file.def.state_count == count && file.def.states[999].successors[500] == 500);
    tr_behavior_file_destroy(&file);
    tr_bytes_free(NULL, &states);
    free(text);
}

// --- Memory ---

static bool read_and_write(const tr_allocator *allocator) {
    tr_behavior_file file;
    tr_bytes text = {NULL, 0};
    tr_error error = {0};
    tr_status status = machine_read(machine_sample, sizeof machine_sample - 1, allocator, &file, &error);
    if (status == TR_OK)
        status = tr_behavior_file_write(&file, allocator, &text, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(error.message[0] != 0 && !text.data);
    }
    tr_bytes_free(allocator, &text);
    tr_behavior_file_destroy(&file);
    return status == TR_OK;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_and_write) > 5);
}
