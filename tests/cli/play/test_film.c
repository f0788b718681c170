// Film strips and videos of a small figure that walks to and fro.
#define _POSIX_C_SOURCE 200809L // setenv
#include "test.h"

#if defined(__wasm__)
TEST(a_film_needs_a_system_with_processes) {
    test_skip("there are no processes in WebAssembly");
}
#else
// The tool is a program and no library: its files are compiled into this test.
#include "cli/play/film_set.c"
#include "cli/play/film_capsule.c"
#include "cli/play/film_follow.c"
#include "cli/play/film_limbs.c"
#include "cli/play/film.c"
#include "cli/play/film_video.c"

#include <stdlib.h>

#define JOINTS 3
#define FRAMES 31

typedef struct film_puppet {
    tr_skeleton *skeleton;
    tr_clip *clip;
    film_actor actor;
} film_puppet;

// A post of two bones that goes 3 m along X in a second.
static film_puppet puppet_make(void) {
    film_puppet made = {0};
    tr_joint_def joints[JOINTS] = {{.name = "root", .parent = TR_NONE, .rest = tr_transform_identity()},
                                   {.name = "middle", .parent = 0, .rest = tr_transform_identity()},
                                   {.name = "top", .parent = 1, .rest = tr_transform_identity()}};
    joints[1].rest.position.y = joints[2].rest.position.y = 0.8f;
    tr_skeleton_def def = {.joints = joints, .joint_count = JOINTS};
    tr_error error;
    tr_pose pose;
    if (tr_skeleton_create(&def, &made.skeleton, &error) != TR_OK)
        return made;
    tr_clip_def clip = {.skeleton = made.skeleton, .frame_count = FRAMES, .frames_per_second = 30};
    if (tr_clip_create(&clip, &made.clip, &error) != TR_OK ||
        tr_pose_create(NULL, JOINTS, &pose, &error) != TR_OK)
        return made;
    for (uint32_t i = 0; i < FRAMES; i++) {
        tr_pose_set_rest(&pose, made.skeleton);
        tr_transform root = tr_transform_identity();
        root.position.x = 0.1f * (float)i;
        tr_pose_set(&pose, 0, root);
        CHECK_INT(tr_clip_set_frame(made.clip, i, &pose), TR_OK);
    }
    tr_pose_destroy(&pose);
    made.actor.skeleton = made.skeleton;
    made.actor.clip = made.clip;
    return made;
}

static void puppet_free(film_puppet *puppet) {
    tr_clip_destroy(puppet->clip);
    tr_skeleton_destroy(puppet->skeleton);
}

static film_def small_film(const film_actor *actor) {
    film_def def = {.actors = actor, .actor_count = 1, .width = 64, .height = 40, .frames = 5};
    return def;
}

static bool count_frames(void *user, uint32_t done, uint32_t total) {
    uint32_t *count = user;
    CHECK_INT(done, *count + 1);
    CHECK(done <= total);
    *count = done;
    return true;
}

static bool stop_at_once(void *user, uint32_t done, uint32_t total) {
    (void)user;
    (void)done;
    (void)total;
    return false;
}

TEST(a_strip_holds_one_wide_picture_and_every_frame) {
    film_puppet puppet = puppet_make();
    film_def def = small_film(&puppet.actor);
    uint32_t drawn = 0;
    def.progress = count_frames;
    def.user = &drawn;
    tr_picture strip = {0};
    tr_error error;
    REQUIRE(tr_skeleton_joint_count(puppet.skeleton) == JOINTS);
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_OK);
    CHECK_INT(drawn, 6);
    CHECK_INT(strip.width, 4 * 64 + 5 * GAP);
    CHECK_INT(strip.height, (4 * 64 + 3 * GAP) * 9 / 20 + 2 * GAP + 2 * (40 + GAP));
    // The last of eight places is free: five frames in two rows of four.
    size_t corner = 3 * ((size_t)(strip.height - GAP - 2) * strip.width + strip.width - GAP - 2);
    CHECK(memcmp(strip.pixels + corner, &paper, 3) == 0);
    tr_picture_destroy(&strip);
    puppet_free(&puppet);
}

TEST(an_actor_stays_in_its_frame_and_is_seen_in_every_one) {
    film_puppet puppet = puppet_make();
    film_def def = small_film(&puppet.actor);
    film_set set;
    tr_error error;
    REQUIRE(film_set_open(&def, &set, &error) == TR_OK);
    CHECK_NEAR(set.end, 1, 1e-9);
    CHECK_NEAR(set.path.min.x, -BODY_ROOM, 1e-5);
    CHECK_NEAR(set.path.max.x, 3 + BODY_ROOM, 1e-5);
    CHECK_NEAR(set.path.max.y, 1.6 + BODY_ROOM, 1e-5);
    REQUIRE(film_set_size(&set, 64, 40, 1, &error) == TR_OK);
    tr_camera camera = film_set_camera(&set, set.path);
    uint8_t first[64 * 40 * 3];
    for (int i = 0; i <= 4; i++) {
        double time = i / 4.0;
        CHECK_INT(film_set_draw(&set, &camera, &time, 1, &error), TR_OK);
        uint32_t orange = 0, border = 0;
        for (uint32_t p = 0; p < 64 * 40; p++) {
            const uint8_t *pixel = set.picture.pixels + 3 * (size_t)p;
            bool is_body = pixel[0] > pixel[2] + 60;
            orange += is_body;
            border += is_body && (p % 64 == 0 || p % 64 == 63 || p / 64 == 0 || p / 64 == 39);
        }
        CHECK(orange >= 5);
        CHECK_INT(border, 0);
        if (i == 0)
            memcpy(first, set.picture.pixels, sizeof first);
        else
            CHECK(memcmp(first, set.picture.pixels, sizeof first) != 0); // it moves
    }
    film_set_close(&set);
    puppet_free(&puppet);
}

TEST(things_that_move_are_put_back_after_the_film) {
    film_puppet puppet = puppet_make();
    film_def def = small_film(&puppet.actor);
    tr_scene *scene = NULL;
    tr_error error;
    uint32_t mesh, object;
    const tr_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t indices[3] = {0, 1, 2};
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    REQUIRE(tr_scene_add_mesh(scene, &(tr_mesh_def){NULL, points, 3, indices, 1}, &mesh, &error) == TR_OK);
    tr_object_def placed = {"thing", mesh, tr_affine_identity(), 0};
    REQUIRE(tr_scene_add_object(scene, &placed, &object, &error) == TR_OK);
    const double times[2] = {0, 1};
    tr_transform samples[2] = {tr_transform_identity(), tr_transform_identity()};
    samples[1].position.x = 2;
    tr_trajectory_def motion = {.times = times, .transforms = samples, .count = 2};
    REQUIRE(tr_scene_set_trajectory(scene, object, &motion, &error) == TR_OK);
    CHECK_INT(tr_scene_set_time(scene, 0.25), TR_OK);
    def.scene = scene;
    tr_picture with, without;
    REQUIRE(film_strip_draw(&def, &with, &error) == TR_OK);
    CHECK_NEAR(tr_scene_time(scene), 0.25, 0);
    CHECK_NEAR(tr_scene_object(scene, object).placement.m[0][3], 0.5, 1e-6);
    def.scene = NULL;
    REQUIRE(film_strip_draw(&def, &without, &error) == TR_OK);
    CHECK(memcmp(with.pixels, without.pixels, 3 * (size_t)with.width * with.height) != 0);
    tr_picture_destroy(&with);
    tr_picture_destroy(&without);
    tr_scene_destroy(scene);
    puppet_free(&puppet);
}

TEST(a_film_that_makes_no_sense_is_refused) {
    film_puppet puppet = puppet_make(), other = puppet_make();
    tr_picture strip;
    tr_error error;
    film_def def = small_film(&puppet.actor);
    def.actor_count = 0;
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "at least one actor");
    def = small_film(&puppet.actor);
    def.end = -1;
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_INVALID);
    def.end = NAN;
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_INVALID);
    def = small_film(&puppet.actor);
    def.frames = 65;
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "65");
    def.frames = 0;
    def.progress = stop_at_once;
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_PARTIAL);
    tr_joint_def joint = {.parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton *single = NULL;
    REQUIRE(tr_skeleton_create(&(tr_skeleton_def){.joints = &joint, .joint_count = 1}, &single, &error) ==
            TR_OK);
    film_actor wrong = {.skeleton = single, .clip = other.clip};
    def = small_film(&wrong);
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "3 joints");
    wrong.clip = NULL;
    CHECK_INT(film_strip_draw(&def, &strip, &error), TR_INVALID);
    tr_skeleton_destroy(single);
    puppet_free(&puppet);
    puppet_free(&other);
}

static bool attempt_strip(const tr_allocator *allocator) {
    film_puppet puppet = puppet_make();
    const tr_vec3 way[2] = {{0, 0, 0}, {3, 0, 0}};
    film_route route = {.points = way, .count = 2};
    film_def def = small_film(&puppet.actor);
    def.allocator = allocator;
    def.routes = &route;
    def.route_count = 1;
    def.frames = 1;
    tr_picture strip;
    tr_status status = film_strip_draw(&def, &strip, NULL);
    if (status == TR_OK)
        tr_picture_destroy(&strip);
    puppet_free(&puppet);
    return status == TR_OK;
}

TEST(a_strip_without_memory_fails_cleanly) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_strip) > 10);
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static const char video[] = "test_film.mp4", part[] = "test_film.part.mp4";

TEST(a_video_is_complete_or_not_there) {
    film_puppet puppet = puppet_make();
    film_def def = small_film(&puppet.actor);
    uint32_t drawn = 0;
    tr_error error = {0};
    remove(video);
    def.progress = count_frames;
    def.user = &drawn;
    def.frames_per_second = 10;
    tr_status status = film_video(&def, video, &error);
    if (status == TR_UNAVAILABLE) {
        CHECK(!exists(video));
        puppet_free(&puppet);
        test_skip(error.message);
        return;
    }
    CHECK_INT(status, TR_OK);
    CHECK_INT(drawn, 11);
    CHECK(exists(video) && !exists(part));
    char head[8] = "";
    FILE *file = fopen(video, "rb");
    REQUIRE(file != NULL);
    CHECK_INT(fread(head, 1, 8, file), 8);
    fclose(file);
    CHECK(memcmp(head + 4, "ftyp", 4) == 0);
    remove(video);
    def.progress = stop_at_once;
    CHECK_INT(film_video(&def, video, &error), TR_PARTIAL);
    CHECK(!exists(video) && !exists(part));
    def.progress = NULL;
    CHECK_INT(film_video(&def, "test_film.nonsense", &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "test_film.nonsense");
    CHECK_INT(film_video(&def, "no_such_folder/film.mp4", &error), TR_NO_FILE);
    puppet_free(&puppet);
}

TEST(a_video_without_a_kind_a_rate_or_a_size_is_refused) {
    film_puppet puppet = puppet_make();
    film_def def = small_film(&puppet.actor);
    tr_error error;
    CHECK_INT(film_video(&def, "", &error), TR_INVALID);
    CHECK_INT(film_video(&def, "film", &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "extension");
    CHECK_INT(film_video(&def, "folder.mp4/film", &error), TR_INVALID);
    def.frames_per_second = -3;
    CHECK_INT(film_video(&def, video, &error), TR_INVALID);
    def.frames_per_second = 1000;
    CHECK_INT(film_video(&def, video, &error), TR_INVALID);
    def.frames_per_second = 0;
    def.width = 100000;
    CHECK_INT(film_video(&def, video, &error), TR_INVALID);
    def = small_film(&puppet.actor);
    def.end = 1e9;
    CHECK_INT(film_video(&def, video, &error), TR_LIMIT);
    puppet_free(&puppet);
}

TEST(where_there_is_no_ffmpeg_a_sentence_says_so) {
    film_puppet puppet = puppet_make();
    film_def def = small_film(&puppet.actor);
    tr_error error = {0};
    char kept[4096] = "";
    const char *path = getenv("PATH");
    if (path)
        snprintf(kept, sizeof kept, "%s", path);
    setenv("PATH", "/no_such_folder", 1);
    CHECK_INT(film_video(&def, video, &error), TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "ffmpeg");
    CHECK(!exists(video) && !exists(part));
    setenv("PATH", kept, 1);
    puppet_free(&puppet);
}
#endif
