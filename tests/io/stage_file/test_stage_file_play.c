// Stage files that are made and played: what was read arrives on the stage, and what cannot be made is named.
#include "stage_text.h"
#include "motion/cast/cast.h"
#include "motion/foot/foot.h"
#include "troupe/base/scalar.h"
#include "troupe/io/file.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "test_stage_file_folder"

static bool read_stage(const char *text, const char *path, tr_stage_play *play, tr_error *error) {
    *error = (tr_error){0};
    return tr_stage_file_read(text, strlen(text), path, NULL, play, error) == TR_OK;
}

static const char two[] =
    "{\"title\": \"Two\", \"scene\": {\"sample\": \"room\"}, \"fps\": 25, \"seconds\": 9, \"characters\": [\n"
    "{\"name\": \"Ada\", \"coarse\": true, \"color\": \"#ff8000\", \"start\": [-1.5, -1.5], "
    "\"heading_degrees\": 90,\n"
    " \"gait\": \"stroll\", \"goal\": [1.5, -1.5], \"delay\": 0.2},\n"
    "{\"coarse\": true, \"color\": \"#FF8000\", \"start\": [-1.6, 0, 1.2],\n"
    " \"orders\": [{\"wait\": 3}, {\"go\": [-1.6, -0.2], \"heading_degrees\": -90, \"speed\": 0.8}]}]}";

TEST(a_play_is_made_as_the_file_says_and_plays) {
    tr_stage_play play;
    tr_error error;
    bool made = read_stage(two, "two.json", &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    CHECK_TEXT(play.title, "Two");
    CHECK_NEAR(play.seconds, 9, 0);
    CHECK_NEAR(play.frames_per_second, 25, 0);
    CHECK_INT(tr_stage_actor_count(play.stage), 2);
    CHECK_INT(play.kind_count, 1); // they look alike
    CHECK_NEAR(play.kinds[0].color[0], 1, 1e-6);
    CHECK_NEAR(play.kinds[0].color[1], pow((128 / 255.0 + 0.055) / 1.055, 2.4), 0.005);
    CHECK_NEAR(play.kinds[0].color[2], 0, 1e-6);
    CHECK_TEXT(tr_stage_actor_name(play.stage, tr_stage_actor(play.stage, 0)), "Ada");
    CHECK_TEXT(tr_stage_actor_name(play.stage, tr_stage_actor(play.stage, 1)), "actor2");
    CHECK_NEAR(stage_view(&play, 0).heading, TR_PI / 2, 1e-6);
    CHECK_NEAR(stage_view(&play, 1).position.z, 1.2, 1e-6);
    CHECK_INT(tr_stage_order_count(play.stage, tr_stage_actor(play.stage, 0), NULL), 2);
    CHECK_NEAR(stage_order(&play, 0, 0).seconds, 0.2, 0);
    CHECK_NEAR(stage_order(&play, 0, 1).goal.x, 1.5, 1e-6);
    tr_order go = stage_order(&play, 1, 1);
    CHECK(go.kind == TR_ORDER_GO && go.has_heading);
    CHECK_NEAR(go.heading, -TR_PI / 2, 1e-6);
    CHECK_NEAR(go.speed, 0.8, 1e-6);
    for (int i = 0; i < 60; i++)
        CHECK_INT(tr_stage_step(play.stage, TR_STAGE_TICK, &error), TR_OK);
    CHECK_NEAR(tr_stage_time(play.stage), 2, 1e-9);
    CHECK(stage_view(&play, 0).position.x > -1.3f);
    CHECK_NEAR(stage_view(&play, 1).position.x, -1.6, 1e-6); // waits
    tr_stage_play_destroy(&play);
    CHECK(stage_play_is_empty(&play));
}

static void check_refused(const char *text, const char *path, tr_status status, uint32_t line,
                          const char *file, const char *sentence) {
    tr_stage_play play;
    tr_error error = {0};
    CHECK_INT(tr_stage_file_read(text, strlen(text), path, NULL, &play, &error), status);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(error.line, line);
    CHECK_CONTAINS(error.file, file);
    CHECK(stage_play_is_empty(&play));
}

#define ROOM "{\"scene\": {\"sample\": \"room\"}, "
#define ONE "\"characters\": [{\"start\": [0, 0]}]}"

TEST(what_cannot_be_made_is_named) {
    check_refused("{\"scene\": {\"sample\": \"room\",\n\"triangles\": 7},\n" ONE, "a.json", TR_BAD_FILE, 1,
                  "a.json",
                  "scene cannot be created: the sample \"room\" always has 470 triangles, 7 requested");
    check_refused(ROOM "\n\"characters\": [\n{\"coarse\": true,\n\"start\": [500, 0]}]}", "a.json",
                  TR_BAD_FILE, 4, "a.json", "characters[0].start cannot be used: ");
    check_refused("\n" ROOM "\"area\": [-1e6, -1e6, 1e6, 1e6], " ONE, "a.json", TR_BAD_FILE, 2, "a.json",
                  "the document needs 1.6e+15 cells (the area divided by the square of cell), the "
                  "maximum is 16777216");
    check_refused(ROOM "\"area\": [-1, 5, 1, 5.01], " ONE, "a.json", TR_BAD_FILE, 1, "a.json",
                  "outside the area");
    check_refused("{\"scene\": {\"file\": \"none.obj\"}, " ONE, "sub/a.json", TR_NO_FILE, 0, "sub/none.obj",
                  "cannot read");
}

static void write_text(const char *path, const char *text) {
    mkdir(FOLDER, 0777);
    tr_error error = {0};
    if (tr_file_write(path, text, strlen(text), &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
}

TEST(scenes_and_motions_are_read_from_files_beside) {
    tr_stage_play play;
    tr_error error;
    write_text(FOLDER "/floor of stone.obj", "v 0 0 0\nv 800 0 0\nv 800 0 800\nv 0 0 800\nf 1 4 3 2\n");
    write_text(FOLDER "/empty.obj", "v 0 0 0\n");
    write_text(FOLDER "/bad.obj", "v 0 0 0\nf 1 2 3\n");
    write_text(FOLDER "/bad.bvh", "HIERARCHY\nROOT a\n");
    write_text(FOLDER "/still.bvh",
               "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 "
               "0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0\n0\n");
    const char *good = "{\"scene\": {\"file\": \"floor%20of stone.obj\", \"unit\": 0.01, \"up\": \"y\"},"
                       "\"characters\": [{\"coarse\": true, \"start\": [4, 4]}]}";
    bool made = read_stage(good, FOLDER "/a.json", &play, &error);
    CHECK_TEXT(error.message, "");
    if (made) {
        CHECK_NEAR(play.ground.max.x, 8, 1e-5);
        CHECK_TEXT(play.title, "");
        CHECK_INT(tr_stage_step(play.stage, TR_STAGE_TICK, &error),
                  TR_DONE); // nobody was told to go anywhere
        tr_stage_play_destroy(&play);
    }
    check_refused("{\"scene\": {\"file\": \"bad.obj\"}, " ONE, FOLDER "/a.json", TR_BAD_FILE, 2, "/bad.obj",
                  "");
    check_refused("{\"scene\": {\"file\": \"empty.obj\"}, " ONE, FOLDER "/a.json", TR_BAD_FILE, 1, "", "");
    check_refused(ROOM
                  "\"characters\": [{\"start\": [1.5, 1.5], \"coarse\": true, \"cycles\": [\"bad.bvh\"]}]}",
                  FOLDER "/a.json", TR_BAD_FILE, 3, "/bad.bvh", "");
    check_refused(
        ROOM "\"characters\": [{\"start\": [1.5, 1.5], \"coarse\": true,\n\"cycles\": [\"still.bvh\"]}]}",
        FOLDER "/a.json", TR_BAD_FILE, 2, "a.json", "characters[0].cycles[0] has no usable cycle: ");
    static const char *const names[] = {FOLDER "/floor of stone.obj", FOLDER "/empty.obj", FOLDER "/bad.obj",
                                        FOLDER "/bad.bvh", FOLDER "/still.bvh"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(names[i]);
    rmdir(FOLDER);
}

TEST(characters_that_differ_in_colour_alone_share_their_clips) {
    tr_stage_play play;
    tr_error error;
    const char *text =
        ROOM "\"characters\": [{\"start\": [-2, -1.5], \"coarse\": true, \"color\": \"#ff0000\"},"
             "{\"start\": [2, -1.5], \"coarse\": true, \"color\": \"#00ff00\"},"
             "{\"start\": [-2, -0.5], \"coarse\": true, \"color\": \"#0000ff\", \"height\": 1.6},"
             "{\"start\": [2, -0.5], \"coarse\": true, \"color\": \"#ff0000\"},"
             "{\"start\": [-2, 0.5], \"coarse\": true, \"color\": \"#0000ff\"}]}";
    bool made = read_stage(text, "colours.json", &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    CHECK_INT(play.kind_count, 4);
    const tr_stage_kind *kinds = play.kinds;
    CHECK(kinds[1].character->locomotion == kinds[0].character->locomotion);
    CHECK(kinds[2].character->locomotion != kinds[0].character->locomotion); // of another height
    CHECK(kinds[3].character->locomotion == kinds[0].character->locomotion);
    for (uint32_t i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            CHECK(tr_body_view(kinds[i].character->body)->color[k] == kinds[i].color[k]);
    CHECK(stage_view(&play, 3).character == kinds[0].character);
    tr_stage_play_destroy(&play);
}

// The faster one is named first: cycles are sorted.
TEST(people_walk_with_motions_from_files) {
    if (!test_data_folder()) {
        test_skip("the captures are not here");
        return;
    }
    tr_stage_play play;
    tr_error error;
    char path[600];
    snprintf(path, sizeof path, "%s/mocap/stage.json", test_data_folder());
    const char *text =
        ROOM "\"characters\": [{\"start\": [-1.5, -1.5], \"heading_degrees\": 90, \"coarse\": true,"
             "\"cycles\": [\"16_35.bvh\", \"16_15.bvh\"], \"goal\": [1.5, -1.5]}]}";
    bool made = read_stage(text, path, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    CHECK_INT(play.kinds[0].cycle_count, 2);
    CHECK_NEAR(tr_clip_speed(play.kinds[0].cycles[0]), 1.2, 0.2);
    CHECK_NEAR(tr_clip_speed(play.kinds[0].cycles[1]), 2.9, 0.4);
    tr_status status = TR_OK;
    double height = 0;
    int steps = 0;
    for (; steps < 300 && status == TR_OK; steps++) {
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        tr_actor_view view = stage_view(&play, 0);
        for (int side = 0; side < 2; side++)
            height += tr_foot_ball(&view.character->legs.feet[side], view.model).y;
    }
    CHECK_INT(status, TR_DONE);
    CHECK_NEAR(stage_view(&play, 0).position.x, 1.5, 0.15);
    CHECK(height / (2 * steps) < 0.06); // feet are near the ground most of the time
    tr_stage_play_destroy(&play);
}

// A whole stage takes thousands of allocations: some of them fail here, from the first to the last.
TEST(no_memory_while_a_stage_is_made_is_told) {
    test_memory count = {0};
    tr_allocator counting = test_memory_allocator(&count);
    tr_stage_file_options options = {.allocator = &counting};
    tr_stage_play play;
    tr_error error = {0};
    REQUIRE(tr_stage_file_read(two, sizeof two - 1, "two.json", &options, &play, &error) == TR_OK);
    tr_stage_play_destroy(&play);
    CHECK_INT(count.live_bytes, 0);
    uint64_t step = count.calls / 12 + 1;
    for (uint64_t at = 1; at <= count.calls; at += at + step / 4 < step ? at + step / 4 : step) {
        test_memory memory = {.fail_at = at};
        tr_allocator allocator = test_memory_allocator(&memory);
        options.allocator = &allocator;
        error = (tr_error){0};
        tr_status status = tr_stage_file_read(two, sizeof two - 1, "two.json", &options, &play, &error);
        if (status != TR_OUT_OF_MEMORY)
            test_failed(__FILE__, __LINE__, "allocation %llu of %llu: %s (%s)", (unsigned long long)at,
                        (unsigned long long)count.calls, tr_status_name(status), error.message);
        CHECK(error.message[0] && stage_play_is_empty(&play));
        CHECK_INT(memory.live_bytes, 0);
    }
}

TEST(characters_with_behaviors_share_a_cast_if_they_are_alike) {
    static const char text[] =
        "{\"scene\": {\"sample\": \"room\"}, \"characters\": [\n"
        "{\"start\": [-1.5, -1.5], \"behaviors\": true},\n"
        "{\"start\": [0, -1.5], \"behaviors\": {\"weights\": {\"jump\": 9.5, \"wait\": 2}}},\n"
        "{\"start\": [1.5, -1.5], \"color\": \"#123456\", \"behaviors\": true},\n"
        "{\"start\": [-1.6, 1.2], \"behaviors\": false}]}";
    tr_stage_play play;
    tr_error error;
    bool made = read_stage(text, "b.json", &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    CHECK_INT(play.cast_count, 2);
    const tr_behavior_def *machine = tr_behavior_def_of(play.casts[1]->machine);
    for (uint32_t i = 0; i < machine->state_count; i++)
        if (strcmp(machine->states[i].name, "jump") == 0)
            CHECK_NEAR((double)machine->states[i].weight, 9.5, 1e-6);
    tr_stage_play_destroy(&play);
    static const struct {
        const char *value, *words;
    } bad[] = {{"3", "true, false or an object"},
               {"{\"weights\": {\"swim\": 2}}", "is no state of the machine"},
               {"{\"weights\": {\"jump\": 0}}", "jump"},
               {"{\"weights\": 7}", "must be an object"},
               {"{\"speed\": 7}", "speed"}};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char file[300];
        snprintf(
            file, sizeof file,
            "{\"scene\": {\"sample\": \"room\"}, \"characters\": [{\"start\": [0, 0], \"behaviors\": %s}]}",
            bad[i].value);
        CHECK(!read_stage(file, "b.json", &play, &error));
        CHECK_CONTAINS(error.message, bad[i].words);
        CHECK(stage_play_is_empty(&play));
    }
}
