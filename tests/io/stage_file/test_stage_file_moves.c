// "moves" in stage files: read into trajectories, played, refused with line and path.
#include "stage_text.h"

static char text[1200];

static const char *file_with(const char *moves) {
    snprintf(text, sizeof text,
             "{\"scene\": {\"sample\": \"room\"}, \"seconds\": 1,\n \"moves\": %s,\n"
             " \"characters\": [{\"start\": [-2, -1.5], \"coarse\": true}]}",
             moves);
    return text;
}

TEST(an_object_moves_as_its_keys_say) {
    const char *file = file_with("[{\"object\": \"table\", \"comment\": 1,\n"
                                 "   \"keys\": [[0.2, 0, 0, 0], [0.6, 0.4, 0, -0.2]]}]");
    tr_stage_play play;
    tr_error error = {0};
    CHECK_INT(tr_stage_file_read(file, strlen(file), "x.json", NULL, &play, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    if (play.stage) {
        uint32_t table = tr_scene_find(play.scene, "table");
        REQUIRE(tr_scene_trajectory(play.scene, table) != NULL);
        tr_scene_set_time(play.scene, 0);
        tr_affine begin = tr_scene_object(play.scene, table).placement;
        tr_vec3 still = tr_affine_position(&begin);
        tr_scene_set_time(play.scene, 0.4);
        tr_affine half = tr_scene_object(play.scene, table).placement;
        CHECK_NEAR(tr_affine_position(&half).x - still.x, 0.2, 1e-5);
        CHECK_NEAR(tr_affine_position(&half).z - still.z, -0.1, 1e-5);
        while (tr_stage_time(play.stage) < 0.9)
            tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        tr_affine end = tr_scene_object(play.scene, table).placement;
        CHECK_NEAR(tr_affine_position(&end).x - still.x, 0.4, 1e-5);
    }
    tr_stage_play_destroy(&play);
}

TEST(what_is_wrong_with_moves_is_named_with_line_and_path) {
    static const char *const bad[][2] = {
        {"7", "moves is a number, it must be an array"},
        {"[7]", "moves[0] must be an object with"},
        {"[{\"keys\": [[0, 0, 0, 0]]}]", "moves[0] has no \"object\""},
        {"[{\"object\": \"table\"}]", "moves[0] has no \"keys\""},
        {"[{\"object\": \"table\", \"keys\": []}]", "moves[0].keys has 0 keys"},
        {"[{\"object\": \"table\", \"keys\": [[0, 0, 0]]}]", "moves[0].keys[0] must be [seconds, x, y, z]"},
        {"[{\"object\": \"table\", \"keys\": [[0, 0, true, 0]]}]", "moves[0].keys[0][2] must be a number"},
        {"[{\"object\": \"table\", \"keys\": [[0, 0, 2e7, 0]]}]", "moves[0].keys[0][2] is 2e+07"},
        {"[{\"object\": \"table\", \"keys\": [[1, 0, 0, 0], [1, 1, 0, 0]]}]",
         "moves[0].keys[1] is at 1 s, it must be later than 1 s"},
        {"[{\"object\": \"table\", \"keys\": [[0, 0, 0, 0]], \"loop\": 1}]", "moves[0].loop is a number"},
        {"[{\"object\": \"table\", \"keys\": [[0, 0, 0, 0]], \"speed\": 1}]",
         "moves[0].speed is not a known key"},
        {"[{\"object\": \"sofa\", \"keys\": [[0, 0, 0, 0]]}]",
         "is \"sofa\", but the scene has no such object; it has:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_stage_play play;
        tr_error error = {0};
        const char *file = file_with(bad[i][0]);
        CHECK_INT(tr_stage_file_read(file, strlen(file), "x.json", NULL, &play, &error), TR_BAD_FILE);
        CHECK_CONTAINS(error.message, bad[i][1]);
        CHECK_INT(error.line, 2);
        CHECK(play.stage == NULL && play.scene == NULL);
    }
}

static bool read_moves(const tr_allocator *allocator) {
    const char *file =
        file_with("[{\"object\": \"table\", \"keys\": [[0, 0, 0, 0], [1, 1, 0, 0]], \"loop\": true}]");
    tr_stage_file_options options = {.allocator = allocator, .scene_only = true};
    tr_stage_play play;
    if (tr_stage_file_read(file, strlen(file), "x.json", &options, &play, NULL) != TR_OK)
        return false;
    tr_stage_play_destroy(&play);
    return true;
}

TEST(every_allocation_of_moves_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_moves) > 10);
}
