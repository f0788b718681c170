// Characters whose behaviors bring the body along: horses, skateboarders, machine files and folders of
// captures, played on a stage; and what cannot be played is named with file, line and value.
#include "stage_text.h"
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/horse.h"

#include <math.h>

static bool read_with(const char *text, const char *path, const tr_files *files, tr_stage_play *play,
                      tr_error *error) {
    tr_stage_file_options options = {.files = files};
    *error = (tr_error){0};
    return tr_stage_file_read(text, strlen(text), path, &options, play, error) == TR_OK;
}

static bool play_all(tr_stage_play *play, double seconds) {
    tr_status status = TR_OK;
    tr_error error = {0};
    while (status == TR_OK && tr_stage_time(play->stage) < seconds)
        status = tr_stage_step(play->stage, TR_STAGE_TICK, &error);
    CHECK_TEXT(error.message, "");
    return status == TR_DONE;
}

static void check_done(const tr_stage_play *play, uint32_t index) {
    tr_actor_id actor = tr_stage_actor(play->stage, index);
    for (uint32_t i = 0; i < tr_stage_order_count(play->stage, actor, NULL); i++) {
        tr_order_report report = {0};
        CHECK_INT(tr_stage_order_report(play->stage, actor, i, &report), TR_OK);
        CHECK_TEXT(report.reason, "");
        CHECK(report.state == TR_ORDER_DONE && !report.beside);
    }
}

// Measures a recording: the joints that stand while they are labelled must stay, and all joints keep their
// limits.
typedef struct stand_point {
    uint32_t joint, label;
} stand_point;
static void check_recording(const tr_stage_play *play, uint32_t index, const stand_point *points,
                            uint32_t count) {
    tr_actor_id actor = tr_stage_actor(play->stage, index);
    tr_clip *clip = NULL;
    REQUIRE(tr_stage_clip(play->stage, actor, NULL, &clip, NULL) == TR_OK);
    const tr_skeleton *skeleton = tr_character_skeleton(stage_view(play, index).character);
    uint32_t joints = tr_skeleton_joint_count(skeleton), plants = 0;
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    tr_affine *model = malloc(joints * sizeof *model);
    tr_vec3 print[8];
    bool stood[8] = {false};
    for (uint32_t k = 0; k < tr_clip_frame_count(clip) && model; k++) {
        tr_clip_get_frame(clip, k, &pose);
        tr_pose_to_model(skeleton, &pose, NULL, model);
        for (uint32_t j = 0; j < joints; j++)
            CHECK(tr_skeleton_limit_excess(skeleton, j, tr_pose_rotation(&pose, j)) < 0.0087f);
        for (uint32_t i = 0; i < count; i++) {
            bool stands = tr_clip_frame_contacts(clip, k) & points[i].label;
            tr_vec3 at = tr_affine_position(&model[points[i].joint]);
            plants += stands && !stood[i];
            if (stands && !stood[i])
                print[i] = at;
            if (stands)
                CHECK_NEAR((double)tr_vec3_distance(at, print[i]), 0, 2e-3);
            CHECK(at.y > -2e-3f);
            stood[i] = stands;
        }
    }
    CHECK(count == 0 || plants > 4 * count);
    free(model);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
}

TEST(horses_gallop_to_their_goals_with_their_hooves_locked) {
    static const char text[] =
        "{\"scene\": {\"sample\": \"stampede\"}, \"area\": [-32, -20, 32, 20], \"cell\": 0.2, "
        "\"characters\": [\n"
        "{\"start\": [-28, -4], \"heading_degrees\": 90, \"goal\": [24, -3], \"coarse\": true,\n"
        " \"behaviors\": {\"cast\": \"horse\"}},\n"
        "{\"start\": [-29, 13], \"heading_degrees\": 90, \"color\": \"#c0b090\", \"coarse\": true,\n"
        " \"behaviors\": {\"cast\": \"horse\"}}]}";
    tr_stage_play play;
    tr_error error;
    bool made = read_with(text, "h.json", NULL, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    CHECK_INT(play.cast_count, 1);
    CHECK_INT(play.kind_count, 2);
    CHECK(play.kinds[0].behaviors == play.casts[0] && play.kinds[1].behaviors == play.casts[0]);
    CHECK(!tr_character_walks(play.kinds[0].character));
    CHECK_NEAR((double)tr_body_view(tr_character_body(play.kinds[1].character))->color[0], 0.527, 0.01);
    CHECK(play_all(&play, 40));
    check_done(&play, 0);
    tr_vec3 at = stage_view(&play, 0).position;
    CHECK(hypot((double)at.x - 24, (double)at.z + 3) < 1.12); // a third of a stride
    stand_point hooves[TR_HORSE_LEG_COUNT];
    for (uint32_t i = 0; i < TR_HORSE_LEG_COUNT; i++)
        hooves[i] = (stand_point){tr_horse_get_leg(i).toe, tr_horse_get_leg(i).contact};
    check_recording(&play, 0, hooves, TR_HORSE_LEG_COUNT);
    tr_stage_play_destroy(&play);
}

TEST(a_skateboarder_takes_the_board_along_and_refuses_what_needs_a_walk) {
    static const char text[] =
        "{\"scene\": {\"sample\": \"hook\"}, \"cell\": 0.1, \"characters\": [\n"
        "{\"name\": \"Sky\", \"start\": [-19.5, 0], \"heading_degrees\": 90, \"goal\": [-6, 3], \"coarse\": "
        "true,\n"
        " \"behaviors\": {\"cast\": \"skateboarder\", \"weights\": {\"push\": 1}}}]}";
    tr_stage_play play;
    tr_error error;
    bool made = read_with(text, "s.json", NULL, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    const tr_skeleton *skeleton = tr_character_skeleton(play.kinds[0].character);
    uint32_t board = tr_skeleton_find(skeleton, "board");
    REQUIRE(board != TR_NONE);
    tr_actor_id sky = tr_stage_actor(play.stage, 0);
    tr_order follow = {.kind = TR_ORDER_STEER}, reach = {.kind = TR_ORDER_REACH, .point = {0, 1, 0}};
    CHECK_INT(tr_stage_order(play.stage, sky, &follow, TR_ORDER_QUEUE, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "Sky moves by behaviors alone");
    CHECK_INT(tr_stage_order(play.stage, sky, &reach, TR_ORDER_QUEUE, NULL, &error), TR_INVALID);
    CHECK(play_all(&play, 40));
    check_done(&play, 0);
    check_recording(&play, 0, NULL, 0);
    // The board went along: it is under the hips.
    tr_actor_view view = stage_view(&play, 0);
    tr_vec3 deck = tr_affine_position(&view.model[board]),
            hips = tr_affine_position(&view.model[tr_skeleton_find(skeleton, "hips")]);
    CHECK(hypot((double)(deck.x - hips.x), (double)(deck.z - hips.z)) < 0.4 && deck.y < hips.y);
    tr_stage_play_destroy(&play);
}

// ------------------------------------------------------------------------------------------- machine files

static const char machine[] =
    "{\"frames_per_second\": 30, \"radius\": 0.83025515, \"discs_hold\": true, \"motion\": {\"cast\": "
    "\"horse\"},\n"
    " \"bands\": [{\"name\": \"upright\", \"high\": 1.9153588}], \"labels\": [\"stands\", \"gallops\"], "
    "\"rest\": \"stands\",\n"
    " \"states\": [\n"
    "  {\"name\": \"start\", \"begin\": \"stands\", \"end\": \"gallops\", \"moves\": [{}]},\n"
    "  {\"name\": \"forward\", \"begin\": \"gallops\", \"end\": \"gallops\", \"moves\": [{}]},\n"
    "  {\"name\": \"end\", \"begin\": \"gallops\", \"end\": \"stands\", \"moves\": [{}]}]}";
#define STAGE_OF(behaviors)                                                                                  \
    "{\"scene\": {\"sample\": \"stampede\"}, \"cell\": 0.2, \"characters\": [\n"                             \
    "{\"start\": [-28, 16], \"heading_degrees\": 90, \"coarse\": true,\n \"behaviors\": " behaviors "}]}"

static void check_refused(const char *text, const char *of, const char *sentence, uint32_t line,
                          const char *where) {
    tr_memory_file files[] = {{"stages/m.json", of, strlen(of)}};
    tr_memory_files all = {files, 1};
    tr_files memory = tr_files_in_memory(&all);
    tr_stage_play play;
    tr_error error;
    CHECK(!read_with(text, "stages/s.json", &memory, &play, &error));
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(error.line, line);
    CHECK_CONTAINS(error.file, where);
    CHECK(stage_play_is_empty(&play) && !play.casts && !play.folders);
}

TEST(a_machine_file_is_played_and_what_is_wrong_in_it_is_named_there) {
    tr_memory_file files[] = {{"stages/m.json", machine, sizeof machine - 1}};
    tr_memory_files all = {files, 1};
    tr_files memory = tr_files_in_memory(&all);
    tr_stage_play play;
    tr_error error;
    bool made = read_with(STAGE_OF("{\"machine\": \"m.json\", \"weights\": {\"start\": 3}}"), "stages/s.json",
                          &memory, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    const tr_behavior_def *def = tr_behavior_def_of(play.casts[0]->machine);
    CHECK_INT(def->state_count, 3);
    CHECK(def->states[0].weight == 3);
    CHECK(!tr_character_walks(play.kinds[0].character));
    tr_stage_play_destroy(&play);

    static char changed[sizeof machine + 200];
    const char *at = strstr(machine, "\"end\", \"begin\": \"gallops\"");
    snprintf(changed, sizeof changed, "%.*s\"end\", \"begin\": \"trots\"%s", (int)(at - machine), machine,
             at + strlen("\"end\", \"begin\": \"gallops\""));
    check_refused(STAGE_OF("{\"machine\": \"m.json\"}"), changed, "trots", 6, "stages/m.json");
    // No way to stop.
    at = strstr(machine, ",\n  {\"name\": \"end\"");
    snprintf(changed, sizeof changed, "%.*s]}", (int)(at - machine), machine);
    check_refused(STAGE_OF("{\"machine\": \"m.json\"}"), changed, "rest", 3, "stages/m.json");
}

TEST(behaviors_that_cannot_be_are_named_with_their_line) {
    static const struct {
        const char *stage, *sentence;
    } cases[] = {
        {STAGE_OF("{\"cast\": \"camel\"}"),
         "characters[0].behaviors.cast is \"camel\", it must be human, walker, skateboarder or horse"},
        {STAGE_OF("{\"cast\": 3}"), "characters[0].behaviors.cast"},
        {STAGE_OF("{\"cast\": \"horse\", \"machine\": \"m.json\"}"),
         "characters[0].behaviors names more than one of \"cast\", \"machine\" and \"captures\""},
        {STAGE_OF("{\"cast\": \"horse\", \"where_needed\": true}"),
         "characters[0].behaviors.where_needed is true, but the character moves by behaviors alone"},
        {STAGE_OF("{\"cast\": \"horse\", \"walks\": true}"), "characters[0].behaviors.walks is true"},
        {STAGE_OF("{\"cast\": \"human\", \"walks\": false}"), "characters[0].behaviors.walks is false"},
        {STAGE_OF("{\"cast\": \"horse\", \"weights\": {\"fly\": 2}}"),
         "characters[0].behaviors.weights.fly is no state of the machine \"horse\""},
        {STAGE_OF("{\"cast\": \"horse\"}, \"character\": \"a.glb\""),
         "characters[0].character cannot be given together with behaviors"},
        {STAGE_OF("{\"cast\": \"horse\"}, \"height\": 0.6"),
         "characters[0].behaviors.cast cannot be created"},
        {STAGE_OF("{\"machine\": \"../m.json\"}"), "characters[0].behaviors.machine cannot be read"},
        {STAGE_OF("{\"captures\": \"folder\"}"), "characters[0].behaviors.captures is a folder"},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].stage, machine, cases[i].sentence, 3, "stages/s.json");
    // The file is not there.
    check_refused(STAGE_OF("{\"machine\": \"n.json\"}"), machine, "", 0, "stages/n.json");
}

// ------------------------------------------------------------------------------------------------ captures

TEST(the_machine_built_from_captures_is_played) {
    const char *data = test_data_folder();
    if (!data) {
        test_skip("no shared data");
        return;
    }
    static const char text[] =
        "{\"scene\": {\"sample\": \"plaza\", \"people\": 100}, \"cell\": 0.1, \"characters\": [\n"
        "{\"start\": [-13.6, 13.4], \"heading_degrees\": 90, \"goal\": [8, 13.4], \"coarse\": true, "
        "\"height\": "
        "1.7,\n"
        " \"behaviors\": {\"captures\": \"mocap\"}}]}";
    char path[1000];
    snprintf(path, sizeof path, "%s/s.json", data);
    tr_stage_play play;
    tr_error error;
    bool made = read_with(text, path, NULL, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    REQUIRE(play.folder_count == 1);
    CHECK(play.folders[0].build->captures_used > 10);
    CHECK(tr_character_walks(play.kinds[0].character));
    CHECK_NEAR((double)tr_character_height(play.kinds[0].character), 1.7, 0.05);
    bool performed = false;
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(play.stage) < 40) {
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        performed = performed || stage_view(&play, 0).doing == TR_ACTOR_PERFORMS;
    }
    CHECK(status == TR_DONE && performed);
    check_done(&play, 0);
    tr_stage_play_destroy(&play);
    // A folder without locomotion.
    snprintf(path, sizeof path, "%s/stages/s.json", data);
    static const char empty[] = STAGE_OF("{\"captures\": \"nothing\"}");
    CHECK(!read_with(empty, path, NULL, &play, &error));
    CHECK_CONTAINS(error.message, "characters[0].behaviors.captures cannot be made a machine");
    CHECK_INT(error.line, 3);
}

// ---------------------------------------------------------------------------------------------------- memory

// Casts make many clips: some of their allocations stand for all.
TEST(a_stage_with_performers_that_runs_out_of_memory_leaves_nothing_behind) {
    static const char text[] = STAGE_OF("{\"cast\": \"horse\"}");
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_stage_file_options options = {.allocator = &allocator};
    tr_stage_play play;
    tr_error error = {0};
    CHECK_INT(tr_stage_file_read(text, sizeof text - 1, "s.json", &options, &play, &error), TR_OK);
    tr_stage_play_destroy(&play);
    CHECK_INT(memory.live_bytes, 0);
    uint64_t calls = memory.calls, tries = 24;
    for (uint64_t i = 0; i < tries; i++) {
        memory = (test_memory){.fail_at = 1 + (calls - 1) * i / (tries - 1)};
        error = (tr_error){0};
        tr_status status = tr_stage_file_read(text, sizeof text - 1, "s.json", &options, &play, &error);
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(stage_play_is_empty(&play));
        CHECK_INT(memory.live_bytes, 0);
    }
}
