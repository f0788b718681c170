// Characters of files in a stage: their bodies, their own clips, and what is wrong with them.
#include "stage_text.h"
#include "troupe/io/file.h"
#include "troupe/io/gltf_write.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "test_stage_file_figure_folder"
#define PLAZA "{\"scene\": {\"sample\": \"plaza\", \"people\": 100}, "
#define ROOM "{\"scene\": {\"sample\": \"room\"}, "

static bool read_stage(const char *text, const char *path, const tr_stage_file_options *options,
                       tr_stage_play *play, tr_error *error) {
    *error = (tr_error){0};
    return tr_stage_file_read(text, strlen(text), path, options, play, error) == TR_OK;
}

// A character file: the mannequin with a walk and a run on the spot and a standing loop. In centimetres, so
// that it is tall.
static void write_character(const char *path, float height) {
    static const tr_gait_kind kinds[] = {TR_GAIT_STAND, TR_GAIT_WALK, TR_GAIT_RUN};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_clip *clips[3] = {NULL};
    tr_mannequin_def def = {.height = height, .detail = 1};
    REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
    for (int i = 0; i < 3; i++) {
        tr_gait_def gait = {.skeleton = skeleton, .kind = kinds[i], .frames_per_second = 30};
        REQUIRE(tr_gait_make(&gait, &clips[i], NULL) == TR_OK);
        REQUIRE(tr_clip_set_base(clips[i], NULL, (tr_base){0, 0, 0}) == TR_OK);
        REQUIRE(tr_clip_set_name(clips[i], i == 0 ? "Idle" : i == 1 ? "Walking" : "Running") == TR_OK);
    }
    tr_gltf_actor actor = {
        .skeleton = skeleton, .body = body, .clips = (const tr_clip *const *)clips, .clip_count = 3};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .apart = true};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    REQUIRE(tr_file_write(path, bytes.data, bytes.size, NULL) == TR_OK);
    tr_bytes_free(NULL, &bytes);
    for (int i = 0; i < 3; i++)
        tr_clip_destroy(clips[i]);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

static void collect(void *user, const char *sentence) {
    char *text = user;
    size_t length = strlen(text);
    snprintf(text + length, 2000 - length, "%s\n", sentence);
}

TEST(characters_of_files_walk_with_their_own_clips) {
    mkdir(FOLDER, 0777);
    write_character(FOLDER "/man.glb", 1.7f);
    static const char text[] =
        PLAZA "\"seconds\": 9, \"characters\": [\n"
              "{\"name\": \"Ada\", \"character\": \"man.glb\", \"start\": [-8, -4], \"goal\": [-5, -4],"
              " \"clips\": {\"stand\": \"Idle\", \"walk\": \"Walking\", \"run\": \"Running\"}},\n"
              "{\"character\": \"man.glb\", \"start\": [-8, -2.5], \"goal\": [-5, -2.5],"
              " \"clips\": {\"stand\": \"Idle\", \"walk\": \"Walking\", \"run\": \"Running\"}},\n"
              "{\"character\": \"man.glb\", \"height\": 1.2, \"start\": [-8, 4], \"goal\": [-6, 4]},\n"
              "{\"coarse\": true, \"start\": [-8, 6]}]}";
    tr_stage_play play;
    tr_error error;
    static char notes[2000];
    tr_stage_file_options options = {.note = collect, .note_user = notes};
    bool made = read_stage(text, FOLDER "/s.json", &options, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    CHECK_TEXT(notes, "");
    CHECK_INT(play.kind_count, 3); // the first two are alike
    const tr_stage_kind *kinds = play.kinds;
    CHECK(kinds[0].stand && kinds[0].cycle_count == 2 && kinds[1].cycle_count == 0 && !kinds[1].stand);
    CHECK_NEAR(kinds[0].speeds[0], 1.3, 0.06); // a walk goes as fast as its feet
    CHECK_NEAR(kinds[0].speeds[2], 3.45, 0.15);
    CHECK_NEAR(kinds[0].height, 1.7, 0.03);
    CHECK_NEAR(kinds[1].height, 1.2, 1e-4);
    CHECK(kinds[0].source.data == kinds[1].source.data && kinds[0].source.data && !kinds[2].source.data);
    CHECK_NEAR(kinds[1].source.metres_per_unit, 1.2 / 1.7, 0.02);
    CHECK_NEAR(stage_view(&play, 0).speed, 0, 1e-6);
    tr_status status = TR_OK;
    double fastest = 0;
    for (int i = 0; i < 540 && status == TR_OK; i++) {
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        fastest = fmax(fastest, stage_view(&play, 0).speed);
    }
    CHECK_INT(status, TR_DONE);
    CHECK_NEAR(stage_view(&play, 0).position.x, -5, 0.15);
    CHECK_NEAR(fastest, kinds[0].speeds[0], 0.1); // its own walk, unless an order says more
    tr_stage_play_destroy(&play);
    CHECK(stage_play_is_empty(&play) && !play.sources);
}

// The mannequin without clips, 3 m beside the origin and half a metre above the floor.
static void write_elsewhere(const char *path) {
    tr_figure figure = {.allocator = tr_allocator_default()};
    tr_mannequin_def def = {.height = 1.7f, .detail = 1};
    REQUIRE(tr_mannequin_make(&def, &figure.skeleton, &figure.body, NULL) == TR_OK);
    REQUIRE(tr_figure_move(&figure, tr_vec3_make(3, 0.5f, 2), NULL) == TR_OK);
    tr_gltf_actor actor = {.skeleton = figure.skeleton, .body = figure.body};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    REQUIRE(tr_file_write(path, bytes.data, bytes.size, NULL) == TR_OK);
    tr_bytes_free(NULL, &bytes);
    tr_figure_destroy(&figure);
}

TEST(a_character_that_stands_elsewhere_in_its_file_stands_on_the_floor_at_its_start) {
    mkdir(FOLDER, 0777);
    write_elsewhere(FOLDER "/off.glb");
    static const char text[] = PLAZA "\"seconds\": 9, \"characters\": [{\"character\": \"off.glb\", "
                                     "\"start\": [-8, -4], \"goal\": [-6, -4]}]}";
    tr_stage_play play;
    tr_error error;
    bool made = read_stage(text, FOLDER "/s.json", NULL, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    const tr_skeleton *skeleton = tr_character_skeleton(play.kinds[0].character);
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS),
             toes = tr_skeleton_with_role(skeleton, TR_ROLE_LEFT_TOES);
    tr_vec3 at = tr_affine_position(&tr_skeleton_rest_model(skeleton)[hips]),
            low = tr_affine_position(&tr_skeleton_rest_model(skeleton)[toes]);
    CHECK(fabsf(at.x) < 0.2f && fabsf(at.z) < 0.2f && fabsf(low.y) < 0.03f);
    tr_status status = TR_OK;
    for (int i = 0; i < 540 && status == TR_OK; i++)
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
    CHECK_INT(status, TR_DONE);
    CHECK_NEAR(stage_view(&play, 0).position.x, -6, 0.15);
    tr_stage_play_destroy(&play);
}

TEST(what_is_wrong_with_a_character_file_is_named) {
    mkdir(FOLDER, 0777);
    write_character(FOLDER "/man.glb", 1.7f);
    static const struct {
        const char *character, *sentence;
    } cases[] = {
        {"\"character\": \"man.glb\", \"clips\": {\"walk\": \"walk\"}",
         "characters[0].clips.walk is \"walk\", but man.glb has only the clips \"Walking\", \"Idle\", "
         "\"Running\""},
        {"\"character\": \"man.glb\", \"clips\": {\"go\": \"x\"}",
         "characters[0].clips.go is not a known key; allowed keys: stand, walk, jog, run"},
        {"\"character\": \"man.glb\", \"clips\": {\"walk\": 3}", "characters[0].clips.walk"},
        {"\"character\": \"man.glb\", \"clips\": [\"walk\"]", "characters[0].clips"},
        {"\"clips\": {\"walk\": \"Walking\"}",
         "characters[0].clips names clips of a \"character\" file, which is not given"},
        {"\"character\": \"../man.glb\"", "characters[0].character cannot be read"},
        {"\"character\": 7", "characters[0].character must be the name of a character file"},
        {"\"character\": \"man.glb\", \"clips\": {\"walk\": \"Idle\"}", "characters[0].clips.walk"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        tr_stage_play play;
        tr_error error;
        snprintf(text, sizeof text, ROOM "\"characters\": [{\"start\": [0.9, -0.3], %s}]}",
                 cases[i].character);
        CHECK(!read_stage(text, FOLDER "/s.json", NULL, &play, &error));
        CHECK_CONTAINS(error.message, cases[i].sentence);
        CHECK(stage_play_is_empty(&play) && !play.sources);
    }
    tr_stage_play play;
    tr_error error;
    CHECK(!read_stage(ROOM "\"characters\": [{\"start\": [0, 0], \"character\": \"gone.glb\"}]}",
                      FOLDER "/s.json", NULL, &play, &error));
    CHECK_CONTAINS(error.file, "gone.glb");
}

TEST(no_memory_for_a_character_file_is_told) {
    mkdir(FOLDER, 0777);
    write_character(FOLDER "/man.glb", 1.7f);
    static const char text[] =
        ROOM "\"characters\": [{\"character\": \"man.glb\", \"height\": 1.5, \"start\": "
             "[0.9, -0.3], \"clips\": {\"stand\": \"Idle\", \"walk\": \"Walking\"}}]}";
    test_memory count = {0};
    tr_allocator counting = test_memory_allocator(&count);
    tr_stage_file_options options = {.allocator = &counting};
    tr_stage_play play;
    tr_error error = {0};
    REQUIRE(read_stage(text, FOLDER "/s.json", &options, &play, &error));
    tr_stage_play_destroy(&play);
    CHECK_INT(count.live_bytes, 0);
    uint64_t step = count.calls / 20 + 1;
    for (uint64_t at = 1; at <= count.calls; at += step) {
        test_memory memory = {.fail_at = at};
        tr_allocator allocator = test_memory_allocator(&memory);
        options.allocator = &allocator;
        CHECK(!read_stage(text, FOLDER "/s.json", &options, &play, &error));
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
        CHECK(stage_play_is_empty(&play));
        CHECK_INT(memory.live_bytes, 0);
    }
}

// Every character that others made, with its own clips where it has some: it walks a few metres.
TEST(characters_of_others_walk) {
    if (!test_data_folder()) {
        test_skip("the characters are not here");
        return;
    }
    static const struct {
        const char *file, *more, *note;
    } cases[] = {
        {"Knight.glb", "\"height\": 1.6,", ""}, // legs of 0.24 m: its runs are those of a small child
        {"Knight.glb",
         "\"height\": 1.6, \"clips\": {\"stand\": \"Idle\", \"walk\": \"Walking_A\", \"run\": "
         "\"Running_A\"},",
         ""},
        {"RobotExpressive.glb", "", "is 4.53349 units tall: it is scaled to 1.75 m"},
        {"RobotExpressive.glb",
         "\"clips\": {\"stand\": \"Idle\", \"walk\": \"Walking\", \"run\": \"Running\"},",
         "is scaled to 1.75 m"},
        {"RiggedFigure.glb", "", ""},
        {"rig-human.glb", "", ""},
    };
    char path[600];
    snprintf(path, sizeof path, "%s/gltf/s.json", test_data_folder());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        static char notes[2000];
        notes[0] = 0;
        tr_stage_play play;
        tr_error error;
        tr_stage_file_options options = {.note = collect, .note_user = notes};
        snprintf(text, sizeof text,
                 PLAZA
                 "\"characters\": [{\"character\": \"%s\", %s \"start\": [-8, -4], \"goal\": [-5, -4]}]}",
                 cases[i].file, cases[i].more);
        bool made = read_stage(text, path, &options, &play, &error);
        CHECK_TEXT(error.message, "");
        REQUIRE(made);
        if (cases[i].note[0])
            CHECK_CONTAINS(notes, cases[i].note);
        else
            CHECK_TEXT(notes, "");
        tr_status status = TR_OK;
        for (int k = 0; k < 1200 && status == TR_OK; k++)
            status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        CHECK_INT(status, TR_DONE);
        CHECK_NEAR(stage_view(&play, 0).position.x, -5, 0.2);
        tr_stage_play_destroy(&play);
    }
    tr_stage_play play;
    tr_error error;
    CHECK(!read_stage(ROOM "\"characters\": [{\"character\": \"Fox.glb\", \"start\": [0, 0]}]}", path, NULL,
                      &play, &error));
    CHECK_CONTAINS(error.message, "does not stand upright at rest");
    CHECK(!read_stage(ROOM "\"characters\": [{\"character\": \"RiggedSimple.glb\", \"start\": [0, 0]}]}",
                      path, NULL, &play, &error));
    CHECK_CONTAINS(error.message, "has no left leg with roles");
}
