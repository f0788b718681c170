// A camera that follows one actor: people who really walk, and paths that are made for a question.
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

#include "troupe/io/stage_file.h"

#include <stdlib.h>

#define PEOPLE 2

// A shot of people, recorded.
typedef struct walk_shot {
    tr_stage_play play;
    film_actor actors[PEOPLE];
    film_follow follow;
    film_def def;
} walk_shot;

// Ada, who is followed, goes round the table; Ben is a child.
static const char room_stage[] =
    "{\"scene\": {\"sample\": \"room\"}, \"seconds\": 12, \"fps\": 40, \"characters\": ["
    "{\"name\": \"Ada\", \"height\": 1.9, \"start\": [-2, -1.5], \"heading_degrees\": 90,"
    " \"orders\": [{\"go\": [2, -1.4]}, {\"go\": [1.7, 1.5]}, {\"go\": [2, -1.4]}]},"
    "{\"name\": \"Ben\", \"height\": 1.2, \"start\": [-2, 1.5], \"goal\": [-2, 0]}]}";
static const char stairs_stage[] =
    "{\"scene\": {\"sample\": \"house\"}, \"seconds\": 24, \"characters\": ["
    "{\"name\": \"Ada\", \"start\": [8, 0.05, 6.8], \"heading_degrees\": -90, \"goal\": [17.4, 2.85, 6.5]},"
    "{\"name\": \"Ben\", \"height\": 1.2, \"start\": [4, 0.05, 6.2], \"goal\": [5, 0.05, 6.2]}]}";

static walk_shot *shot_make(const char *stage, uint32_t followed) {
    static const float blue[3] = {0.02f, 0.05f, 0.8f}, green[3] = {0.02f, 0.7f, 0.05f};
    walk_shot *made = calloc(1, sizeof *made);
    tr_error error = {0};
    tr_stage_file_options how = {0};
    if (!made || tr_stage_file_read(stage, strlen(stage), "stage", &how, &made->play, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "%s", error.message);
        abort();
    }
    while (tr_stage_time(made->play.stage) < made->play.seconds)
        if (tr_stage_step(made->play.stage, TR_STAGE_TICK, &error) == TR_DONE)
            break;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        tr_actor_view view = {0};
        tr_actor_id actor = tr_stage_actor(made->play.stage, i);
        tr_clip *clip = NULL;
        tr_stage_look(made->play.stage, actor, &view);
        CHECK_INT(tr_stage_clip(made->play.stage, actor, NULL, &clip, &error), TR_OK);
        made->actors[i] =
            (film_actor){tr_character_skeleton(view.character), tr_character_body(view.character), clip, {0}};
        memcpy(made->actors[i].color, i == followed ? blue : green, sizeof blue);
        if (i == followed)
            made->follow = (film_follow){.actor = i,
                                         .rate = made->play.frames_per_second,
                                         .height = tr_character_height(view.character),
                                         .heading = view.heading};
    }
    made->follow.path =
        tr_stage_trace(made->play.stage, tr_stage_actor(made->play.stage, followed), &made->follow.count);
    made->def = (film_def){.scene = made->play.scene,
                           .actors = made->actors,
                           .actor_count = PEOPLE,
                           .follow = &made->follow,
                           .width = 80,
                           .height = 96,
                           .frames = 5};
    return made;
}

static void shot_free(walk_shot *shot) {
    for (uint32_t i = 0; i < PEOPLE; i++)
        tr_clip_destroy((tr_clip *)shot->actors[i].clip);
    tr_stage_play_destroy(&shot->play);
    free(shot);
}

// Where a camera shows a point: from the middle of the picture to the right and up, in heights of the
// picture.
static void project(const tr_camera *camera, tr_vec3 point, double seen[2]) {
    double ahead[3] = {(double)camera->target.x - camera->eye.x, (double)camera->target.y - camera->eye.y,
                       (double)camera->target.z - camera->eye.z};
    double to[3] = {(double)point.x - camera->eye.x, (double)point.y - camera->eye.y,
                    (double)point.z - camera->eye.z};
    double length = sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1] + ahead[2] * ahead[2]);
    double level = sqrt(ahead[0] * ahead[0] + ahead[2] * ahead[2]);
    double depth = (ahead[0] * to[0] + ahead[1] * to[1] + ahead[2] * to[2]) / length;
    double right = (ahead[0] * to[2] - ahead[2] * to[0]) / level;
    double up = (to[1] * level - ahead[1] * (ahead[0] * to[0] + ahead[2] * to[2]) / level) / length;
    double tall = 2 * depth * tan((double)camera->field_of_view / 2);
    seen[0] = right / tall;
    seen[1] = up / tall;
}

static double angle_between(double a, double b) {
    return fabs(remainder(a - b, 2 * TR_PI));
}

static void check_middle(const char *stage, uint32_t followed) {
    walk_shot *shot = shot_make(stage, followed);
    tr_error error;
    for (int view = FILM_VIEW_SIDE; view <= FILM_VIEW_THREE_QUARTER; view++) {
        film_set set;
        shot->follow.view = (film_view)view;
        REQUIRE(film_set_open(&shot->def, &set, &error) == TR_OK);
        REQUIRE(film_set_size(&set, 80, 96, 1, &error) == TR_OK);
        for (uint32_t i = 0; i < shot->follow.count; i++) {
            tr_camera camera = film_follow_camera(&set, i / shot->follow.rate);
            tr_vec3 foot = shot->follow.path[i], head = foot;
            double low[2], high[2];
            head.y += shot->follow.height;
            project(&camera, foot, low);
            project(&camera, head, high);
            CHECK(fabs(low[0]) < 0.05 && fabs(high[0]) < 0.05);
            CHECK(fabs(low[1] + high[1]) / 2 < 0.06);
            CHECK_NEAR(high[1] - low[1], 2.0 / 3, 0.04);
        }
        film_set_close(&set);
    }
    shot_free(shot);
}

TEST(the_followed_actor_is_in_the_middle_and_fills_two_thirds_of_every_frame) {
    check_middle(room_stage, 0);
    check_middle(room_stage, 1);
    check_middle(stairs_stage, 0);
}

// The greatest acceleration of a place that is sampled at a rate.
static double most_acceleration(const tr_vec3 *places, uint32_t count, double rate) {
    double most = 0;
    for (uint32_t i = 2; i < count; i++) {
        tr_vec3 twice = tr_vec3_subtract(tr_vec3_subtract(places[i], places[i - 1]),
                                         tr_vec3_subtract(places[i - 1], places[i - 2]));
        most = fmax(most, (double)tr_vec3_length(twice) * rate * rate);
    }
    return most;
}

static void check_smooth(const char *stage) {
    walk_shot *shot = shot_make(stage, 0);
    film_set set;
    tr_error error;
    uint32_t count = shot->follow.count;
    double rate = shot->follow.rate;
    tr_vec3 *eyes = calloc(count, sizeof *eyes), *targets = calloc(count, sizeof *targets);
    tr_vec3 *hips = calloc(count, sizeof *hips);
    REQUIRE(eyes && targets && hips && film_set_open(&shot->def, &set, &error) == TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        tr_camera camera = film_follow_camera(&set, i / rate);
        eyes[i] = camera.eye;
        targets[i] = camera.target;
        pose_actor(&set, 0, i / rate);
        hips[i] = tr_affine_position(&set.model[0]);
        if (i > 0)
            CHECK(angle_between(set.track.directions[i], set.track.directions[i - 1]) * rate < 1);
    }
    // A body that walks is shaken by its steps; neither what the camera looks at nor the camera itself is.
    double shaken = most_acceleration(hips, count, rate);
    CHECK(shaken > 4);
    CHECK(most_acceleration(targets, count, rate) < shaken / 2);
    CHECK(most_acceleration(targets, count, rate) < 3);
    // At 8 m a turn of 1 rad/s2 moves the camera by 8 m/s2.
    CHECK(most_acceleration(eyes, count, rate) < 8);
    free(eyes);
    free(targets);
    free(hips);
    film_set_close(&set);
    shot_free(shot);
}

TEST(the_camera_moves_smoothly_through_bends_and_up_stairs) {
    check_smooth(room_stage);
    check_smooth(stairs_stage);
}

#define LONG 400
// A path of 20 s in which somebody goes 8 m along +X and comes back.
static void there_and_back(tr_vec3 path[LONG]) {
    for (int i = 0; i < LONG; i++)
        path[i] = tr_vec3_make(0.04f * (float)(i < LONG / 2 ? i : LONG - i), 0, 0);
}

TEST(every_view_keeps_its_angle_to_the_direction_of_travel) {
    walk_shot *shot = shot_make(room_stage, 0);
    tr_vec3 path[LONG];
    tr_error error;
    film_set set;
    there_and_back(path);
    shot->follow.path = path;
    shot->follow.count = LONG;
    shot->follow.rate = 20;
    shot->def.scene = NULL;
    const double from_travel[] = {TR_PI / 2, 0, TR_PI, TR_PI / 4};
    for (int view = FILM_VIEW_SIDE; view <= FILM_VIEW_THREE_QUARTER; view++) {
        shot->follow.view = (film_view)view;
        REQUIRE(film_set_open(&shot->def, &set, &error) == TR_OK);
        for (int way = 0; way < 2; way++) {
            tr_camera camera = film_follow_camera(&set, way ? 17 : 3);
            double direction =
                atan2((double)(camera.eye.x - camera.target.x), (double)(camera.eye.z - camera.target.z));
            CHECK_NEAR(angle_between(direction, way ? -TR_PI / 2 : TR_PI / 2), from_travel[view], 1e-3);
        }
        // From the side there is no need to go round somebody who turns back.
        float turn = fabsf(set.track.directions[LONG - 40] - set.track.directions[40]);
        CHECK_NEAR(turn, view == FILM_VIEW_SIDE ? 0 : TR_PI, 1e-3);
        film_set_close(&set);
    }
    shot_free(shot);
}

TEST(somebody_who_stays_is_seen_from_the_side_that_the_view_names) {
    walk_shot *shot = shot_make(room_stage, 0);
    const tr_vec3 place = {1, 0, 2};
    tr_error error;
    film_set set;
    shot->follow.path = &place;
    shot->follow.count = 1;
    shot->follow.heading = 0.7f;
    shot->follow.view = FILM_VIEW_FRONT;
    REQUIRE(film_set_open(&shot->def, &set, &error) == TR_OK);
    tr_camera camera = film_follow_camera(&set, 5);
    CHECK_NEAR(atan2f(camera.eye.x - place.x, camera.eye.z - place.z), 0.7, 1e-5);
    film_set_close(&set);
    shot_free(shot);
}

// A scene of walls along X, each from z to z + 0.1 and 2.5 m high.
static tr_scene *make_walls(const float *z, uint32_t count) {
    static const uint32_t sides[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 4, 6, 0, 6, 2,
                                       1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3};
    tr_scene *scene = NULL;
    tr_error error;
    uint32_t mesh, object;
    tr_vec3 box[8];
    for (int i = 0; i < 8; i++)
        box[i] = tr_vec3_make(i & 1 ? 12 : -12, i & 2 ? 2.5f : 0, i & 4 ? 0.1f : 0);
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    CHECK_INT(tr_scene_add_mesh(scene, &(tr_mesh_def){"wall", box, 8, sides, 12}, &mesh, &error), TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        tr_affine place = tr_affine_identity();
        place.m[2][3] = z[i];
        tr_object_def def = {"wall", mesh, place, 0};
        CHECK_INT(tr_scene_add_object(scene, &def, &object, &error), TR_OK);
    }
    return scene;
}

// Draws the moment and counts the pixels of the followed actor, who is blue.
static uint32_t count_blue(film_set *set, double time) {
    tr_camera camera = film_follow_camera(set, time);
    tr_error error;
    uint32_t blue = 0;
    CHECK_INT(film_set_draw(set, &camera, &time, 1, &error), TR_OK);
    for (uint32_t p = 0; p < set->picture.width * set->picture.height; p++) {
        const uint8_t *pixel = set->picture.pixels + 3 * (size_t)p;
        blue += pixel[2] > pixel[0] + 60 && pixel[2] > pixel[1] + 60;
    }
    return blue;
}

TEST(walls_do_not_hide_the_followed_actor) {
    walk_shot *shot = shot_make(room_stage, 0);
    tr_vec3 path[LONG];
    tr_error error;
    for (int i = 0; i < LONG; i++) // along X, where Ada walks first
        path[i] = tr_vec3_make(-2 + 0.01f * (float)i, 0, -1.5f);
    shot->follow.path = path;
    shot->follow.count = LONG;
    shot->def.end = 1;
    const float near_side[] = {-0.9f}, far_side[] = {-2.2f}, both[] = {-0.9f, -2.2f};
    const struct {
        const float *z;
        uint32_t count;
        float side; // on which the camera must be; 0: on any
    } cases[] = {{near_side, 0, 0}, {near_side, 1, -1}, {far_side, 1, 1}, {both, 2, 0}};
    uint32_t free_of_walls = 0;
    for (int i = 0; i < 4; i++) {
        film_set set;
        shot->def.scene = make_walls(cases[i].z, cases[i].count);
        REQUIRE(shot->def.scene && film_set_open(&shot->def, &set, &error) == TR_OK);
        REQUIRE(film_set_size(&set, 80, 96, 2, &error) == TR_OK);
        float side = film_follow_camera(&set, 0.5).eye.z + 1.5f;
        CHECK(side * cases[i].side >= 0 && fabsf(side) > 3);
        uint32_t blue = count_blue(&set, 0.5);
        free_of_walls = i == 0 ? blue : free_of_walls;
        CHECK(blue > 200 && 10 * blue > 9 * free_of_walls);
        film_set_close(&set);
        tr_scene_destroy(shot->def.scene);
    }
    shot_free(shot);
}

static void draw_strip_of(walk_shot *shot, uint32_t frames, tr_picture *strip) {
    tr_error error = {0};
    shot->def.frames = frames;
    if (film_strip_draw(&shot->def, strip, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
}

TEST(a_close_strip_holds_its_frames_and_the_time_under_each) {
    walk_shot *shot = shot_make(room_stage, 0);
    tr_picture strip;
    const uint32_t frames[] = {1, 4, 6}, columns[] = {1, 4, 4}, rows[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        draw_strip_of(shot, frames[i], &strip);
        CHECK_INT(strip.width, GAP + columns[i] * (80 + GAP));
        CHECK_INT(strip.height, GAP + rows[i] * (96 + CAPTION + GAP));
        for (uint32_t f = 0; f < columns[i] * rows[i]; f++) {
            uint32_t left = GAP + f % columns[i] * (80 + GAP);
            uint32_t top = GAP + f / columns[i] * (96 + CAPTION + GAP), body = 0, dark = 0;
            for (uint32_t y = top; y < top + 96 + CAPTION; y++)
                for (uint32_t x = left; x < left + 80; x++) {
                    const uint8_t *pixel = strip.pixels + 3 * ((size_t)y * strip.width + x);
                    body += y < top + 96 && x >= left + 24 && x < left + 56 && pixel[2] > pixel[0] + 60;
                    dark += y >= top + 96 && pixel[0] < 120;
                }
            CHECK(f < frames[i] ? body > 100 && dark > 10 : body == 0 && dark == 0);
        }
        tr_picture_destroy(&strip);
    }
    shot_free(shot);
}

TEST(the_right_limbs_are_darker_than_the_left) {
    walk_shot *shot = shot_make(room_stage, 0);
    tr_error error;
    film_set set;
    REQUIRE(film_set_open(&shot->def, &set, &error) == TR_OK);
    const tr_body_def *body = tr_body_view(shot->actors[0].body);
    uint32_t right = set.limbs.triangle_count - set.limbs.other_count, wrong = 0;
    CHECK_INT(set.limbs.triangle_count, tr_body_plain_triangles(shot->actors[0].body));
    CHECK(right > body->triangle_count / 6 && right < body->triangle_count / 2);
    // The body faces +Z in its rest pose: its right is at -X.
    for (uint32_t i = set.limbs.other_count; i < set.limbs.triangle_count; i++)
        for (int c = 0; c < 3; c++)
            wrong += body->positions[set.limbs.indices[i][c]].x > 0.01f;
    CHECK_INT(wrong, 0);
    film_set_close(&set);
    shot_free(shot);
}

TEST(a_camera_that_cannot_follow_is_refused) {
    walk_shot *shot = shot_make(room_stage, 0);
    film_follow good = shot->follow;
    tr_picture strip;
    tr_error error;
    film_follow bad[5] = {good, good, good, good, good};
    bad[0].actor = PEOPLE;
    bad[1].count = 0;
    bad[2].rate = 0;
    bad[3].height = NAN;
    bad[4].heading = INFINITY;
    for (int i = 0; i < 5; i++) {
        shot->follow = bad[i];
        CHECK_INT(film_strip_draw(&shot->def, &strip, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "cannot follow");
    }
    shot_free(shot);
}

static walk_shot *without_memory;

static bool attempt_strip(const tr_allocator *allocator) {
    tr_picture strip;
    without_memory->def.allocator = allocator;
    without_memory->def.frames = 1;
    tr_status status = film_strip_draw(&without_memory->def, &strip, NULL);
    if (status == TR_OK)
        tr_picture_destroy(&strip);
    return status == TR_OK;
}

TEST(a_close_strip_without_memory_fails_cleanly) {
    without_memory = shot_make(room_stage, 0);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_strip) > 10);
    shot_free(without_memory);
}
#endif
