// Renderers as they are used: cameras, scenes, what is refused, memory.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/io/render.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float grey[3] = {0.5f, 0.5f, 0.5f}, red[3] = {0.6f, 0.1f, 0.1f};
static const tr_camera aslant = {{4, 5, 6}, {0, 0, 0}, 0.7f, 0};
static const tr_vec3 corner_points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t corner_indices[3] = {0, 1, 2};

typedef struct picture_frame {
    tr_render *render;
    tr_picture picture;
} picture_frame;

static picture_frame frame_make(uint32_t width, uint32_t height, uint32_t shadow) {
    picture_frame made = {0};
    tr_render_def def = {.width = width, .height = height, .samples = 2, .shadow_size = shadow};
    tr_error error;
    if (tr_render_create(&def, &made.render, &error) != TR_OK ||
        tr_picture_create(NULL, width, height, (tr_color){0}, &made.picture, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return made;
}

static void frame_free(picture_frame *frame) {
    tr_render_destroy(frame->render);
    tr_picture_destroy(&frame->picture);
}

static const uint8_t *middle_of(const tr_picture *picture) {
    return picture->pixels + 3 * ((size_t)(picture->height / 2) * picture->width + picture->width / 2);
}

static void draw_scene(picture_frame *frame, const tr_scene *scene, const tr_camera *camera,
                       float cut_height) {
    tr_error error;
    CHECK_INT(tr_render_begin(frame->render, camera, &error), TR_OK);
    if (scene)
        CHECK_INT(tr_render_add_scene(frame->render, scene, cut_height), TR_OK);
    CHECK_INT(tr_render_end(frame->render, &frame->picture, &error), TR_OK);
}

static bool same_picture(const tr_picture *a, const tr_picture *b) {
    return memcmp(a->pixels, b->pixels, 3 * (size_t)a->width * a->height) == 0;
}

TEST(a_camera_around_a_box_sees_all_of_it_and_little_else) {
    tr_random random = tr_random_seed(5);
    for (int round = 0; round < 2000; round++) {
        tr_box box = tr_box_empty();
        for (int i = 0; i < 2; i++) {
            float x = tr_random_between(&random, -20, 20), y = tr_random_between(&random, -3, 8);
            float z = tr_random_between(&random, -20, 20);
            box = tr_box_include(box, tr_vec3_make(x, y, z));
        }
        float direction = tr_random_between(&random, -4, 4),
              elevation = tr_random_between(&random, -1.5f, 1.5f);
        float aspect = tr_random_between(&random, 0.4f, 2.5f);
        tr_camera camera = tr_camera_around(box, direction, elevation, aspect);
        double ahead[3] = {(double)camera.target.x - camera.eye.x, (double)camera.target.y - camera.eye.y,
                           (double)camera.target.z - camera.eye.z};
        double length = sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1] + ahead[2] * ahead[2]);
        // Seen from the side it was asked for: the eye stands off the target by direction and elevation.
        CHECK_NEAR(-ahead[1] / length, sin(elevation), 1e-4);
        CHECK_NEAR(-ahead[0] / length, sin(direction) * cos(elevation), 1e-4);
        double flat = hypot(ahead[0], ahead[2]), widest = 0, slope = tan(camera.field_of_view / 2.0);
        const double right[3] = {-ahead[2] / flat, 0, ahead[0] / flat};
        for (int i = 0; i < 8; i++) {
            double p[3] = {(i & 1 ? box.max.x : box.min.x) - (double)camera.eye.x,
                           (i & 2 ? box.max.y : box.min.y) - (double)camera.eye.y,
                           (i & 4 ? box.max.z : box.min.z) - (double)camera.eye.z};
            double depth = (p[0] * ahead[0] + p[1] * ahead[1] + p[2] * ahead[2]) / length;
            double across = p[0] * right[0] + p[2] * right[2];
            double squared = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
            double high = sqrt(fmax(squared - depth * depth - across * across, 0));
            CHECK(depth > 0);
            widest = fmax(widest, fmax(fabs(across) / depth / slope / aspect, high / depth / slope));
        }
        CHECK(widest <= 0.95);
        if (tr_vec3_length(tr_vec3_subtract(box.max, box.min)) > 4)
            CHECK(widest > 0.8);
    }
}

TEST(a_camera_around_nothing_is_still_a_camera) {
    const tr_box empty = tr_box_empty(), point = {{1, 2, 3}, {1, 2, 3}};
    const tr_box vast = {{-1e38f, -1e38f, -1e38f}, {1e38f, 1e38f, 1e38f}}, broken = {{NAN, 0, 0}, {1, 1, 1}};
    const tr_box boxes[] = {empty, point, vast, broken};
    const float numbers[] = {0, 1, -1, NAN, INFINITY, 1e30f};
    picture_frame frame = frame_make(8, 8, 0);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6 * 6; k++) {
            tr_camera camera =
                tr_camera_around(boxes[i], numbers[k % 6], numbers[k / 6], numbers[(k + i) % 6]);
            CHECK_INT(tr_render_begin(frame.render, &camera, NULL), TR_OK);
        }
    frame_free(&frame);
}

// A floor with a box on it and a ceiling over it.
static tr_scene *make_house(bool with_ceiling, float box_height, const char *box_name) {
    tr_scene *scene = NULL;
    tr_error error;
    const tr_vec3 flat[4] = {{-3, 0, -3}, {-3, 0, 3}, {3, 0, 3}, {3, 0, -3}};
    const uint32_t two[6] = {0, 1, 2, 0, 2, 3};
    tr_vec3 box[8];
    for (int i = 0; i < 8; i++)
        box[i] = tr_vec3_make(i & 1 ? 1 : -1, i & 2 ? box_height : 0, i & 4 ? 1 : -1);
    static const uint32_t sides[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 4, 6, 0, 6, 2,
                                       1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3};
    uint32_t flat_mesh, box_mesh, object;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    tr_scene_add_mesh(scene, &(tr_mesh_def){"flat", flat, 4, two, 2}, &flat_mesh, &error);
    tr_scene_add_mesh(scene, &(tr_mesh_def){"box", box, 8, sides, 12}, &box_mesh, &error);
    tr_affine up = tr_affine_identity();
    tr_scene_add_object(scene, &(tr_object_def){"floor", flat_mesh, up, TR_TAG_WALKABLE}, &object, &error);
    tr_scene_add_object(scene, &(tr_object_def){box_name, box_mesh, up, 0}, &object, &error);
    up.m[1][3] = 2.5f;
    if (with_ceiling)
        tr_scene_add_object(scene, &(tr_object_def){"ceiling", flat_mesh, up, 0}, &object, &error);
    return scene;
}

TEST(what_lies_above_the_cut_is_left_out) {
    tr_scene *with = make_house(true, 1, "thing"), *without = make_house(false, 1, "thing");
    picture_frame a = frame_make(60, 40, 128), b = frame_make(60, 40, 128);
    draw_scene(&a, with, &aslant, 1.4f);
    draw_scene(&b, without, &aslant, INFINITY);
    CHECK(same_picture(&a.picture, &b.picture));
    draw_scene(&a, with, &aslant, INFINITY); // the ceiling hides the box
    CHECK(!same_picture(&a.picture, &b.picture));
    draw_scene(&a, with, &aslant, -1); // everything is above
    draw_scene(&b, NULL, &aslant, 0);
    CHECK(same_picture(&a.picture, &b.picture));
    tr_scene_destroy(with);
    tr_scene_destroy(without);
    frame_free(&a);
    frame_free(&b);
}

TEST(a_closed_body_that_is_cut_shows_the_cut_whatever_its_color) {
    const tr_camera above = {{0, 8, 0}, {0, 0, 0}, 0.7f, 0};
    tr_scene *chair = make_house(false, 2, "chair"), *plant = make_house(false, 2, "plant");
    picture_frame cut = frame_make(40, 40, 0), other = frame_make(40, 40, 0), whole = frame_make(40, 40, 0);
    draw_scene(&cut, chair, &above, 1);
    draw_scene(&other, plant, &above, 1);
    draw_scene(&whole, chair, &above, 3);
    CHECK(memcmp(middle_of(&cut.picture), middle_of(&other.picture), 3) == 0);
    CHECK(memcmp(middle_of(&cut.picture), middle_of(&whole.picture), 3) != 0);
    tr_scene_destroy(chair);
    tr_scene_destroy(plant);
    frame_free(&cut);
    frame_free(&other);
    frame_free(&whole);
}

static void draw_open(picture_frame *frame, const tr_scene *scene, const tr_camera *camera,
                      const tr_render_opening *opening) {
    tr_error error;
    CHECK_INT(tr_render_begin(frame->render, camera, &error), TR_OK);
    CHECK_INT(tr_render_add_scene_open(frame->render, scene, INFINITY, opening), TR_OK);
    CHECK_INT(tr_render_end(frame->render, &frame->picture, &error), TR_OK);
}

TEST(an_opening_leaves_out_what_is_beyond_both_planes) {
    // The box reaches from z -1 to 1. A level camera sees no tops: a box that is cut looks like a lower one.
    const tr_camera before = {{0, 0.8f, 9}, {0, 0.8f, 0}, 0, 4};
    const tr_vec3 up = {0, 1, 0}, ahead = {0, 0, 1};
    const struct {
        tr_render_opening opening;
        float left; // height of what is left of a box of 1.6 m
    } cases[] = {{{{0, 0, 1.5f}, ahead, {0, 0.001f, 0}, up}, 1.6f}, // the box is behind the wall plane
                 {{{0, 0, -2}, ahead, {0, 1.7f, 0}, up}, 1.6f},     // or under the floor plane
                 {{{0, 0, -2}, ahead, {0, 0.5f, 0}, up}, 0.5f},
                 {{{0, 0, -2}, ahead, {0, 1.1f, 0}, up}, 1.1f}};
    tr_scene *house = make_house(false, 1.6f, "chair");
    picture_frame a = frame_make(60, 40, 0), b = frame_make(60, 40, 0);
    for (int i = 0; i < 4; i++) {
        tr_scene *lower = make_house(false, cases[i].left, "chair");
        draw_open(&a, house, &before, &cases[i].opening);
        draw_scene(&b, lower, &before, INFINITY);
        CHECK(same_picture(&a.picture, &b.picture));
        tr_scene_destroy(lower);
    }
    tr_scene_destroy(house);
    frame_free(&a);
    frame_free(&b);
}

// A box that is cut in the middle shows one flat colour there, whatever its own is and however its faces
// turn.
TEST(an_opening_shows_where_it_cuts_a_closed_body) {
    const tr_render_opening middle = {{0, 0, 0}, {0, 0, 1}, {0, 0.1f, 0}, {0, 1, 0}};
    const tr_camera cameras[2] = {{{0, 2, 9}, {0, 0.8f, 0}, 0.6f, 0}, {{0, 2, 9}, {0, 0.8f, 0}, 0, 4}};
    tr_scene *chair = make_house(false, 1.6f, "chair"), *plant = make_house(false, 1.6f, "plant");
    picture_frame a = frame_make(60, 40, 64), b = frame_make(60, 40, 64);
    for (int i = 0; i < 2; i++) {
        draw_open(&a, chair, &cameras[i], &middle);
        draw_open(&b, plant, &cameras[i], &middle);
        const uint8_t *cut = middle_of(&a.picture);
        CHECK(memcmp(cut, middle_of(&b.picture), 3) == 0);
        CHECK(cut[0] < 130 && abs(cut[0] - cut[2]) < 10); // dark and grey
        draw_scene(&a, chair, &cameras[i], INFINITY);
        CHECK(memcmp(middle_of(&a.picture), middle_of(&b.picture), 3) != 0);
    }
    tr_scene_destroy(chair);
    tr_scene_destroy(plant);
    frame_free(&a);
    frame_free(&b);
}

TEST(an_opening_that_is_not_finite_is_refused) {
    picture_frame frame = frame_make(30, 20, 0);
    tr_scene *scene = make_house(false, 1, "chair");
    tr_render_opening opening = {{0, 0, 0}, {0, 0, 1}, {0, 0.1f, 0}, {0, 1, 0}};
    CHECK_INT(tr_render_add_scene_open(frame.render, scene, 1, &opening), TR_INVALID); // no frame has begun
    CHECK_INT(tr_render_begin(frame.render, &aslant, NULL), TR_OK);
    CHECK_INT(tr_render_add_scene_open(frame.render, scene, 1, NULL), TR_INVALID);
    CHECK_INT(tr_render_add_scene_open(frame.render, scene, NAN, &opening), TR_INVALID);
    CHECK_INT(tr_render_add_scene_open(frame.render, NULL, 1, &opening), TR_INVALID);
    opening.floor_normal.x = INFINITY;
    CHECK_INT(tr_render_add_scene_open(frame.render, scene, 1, &opening), TR_INVALID);
    tr_scene_destroy(scene);
    frame_free(&frame);
}

// A box that stands upright, 2 m high; `is_hole` turns its faces over.
typedef struct upright_box {
    float x, z, half, sine, cosine;
    bool is_hole;
} upright_box;
#define BOXES 6

static void put_box(tr_vec3 *points, uint32_t *indices, uint32_t number, const upright_box *box) {
    static const uint32_t sides[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 4, 6, 0, 6, 2,
                                       1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3};
    for (uint32_t i = 0; i < 8; i++) {
        float u = i & 1 ? box->half : -box->half, v = i & 4 ? box->half : -box->half;
        points[8 * number + i] = tr_vec3_make(box->x + u * box->cosine - v * box->sine, i & 2 ? 2 : 0,
                                              box->z + u * box->sine + v * box->cosine);
    }
    for (uint32_t i = 0; i < 36; i++)
        indices[36 * number + i] = 8 * number + sides[box->is_hole ? i / 3 * 3 + 2 - i % 3 : i];
}

// How far outside its sides a point is; negative inside.
static float box_off(const upright_box *box, float x, float z) {
    float u = fabsf((x - box->x) * box->cosine + (z - box->z) * box->sine);
    float v = fabsf((z - box->z) * box->cosine - (x - box->x) * box->sine);
    return (u > v ? u : v) - box->half;
}

static tr_scene *make_boxes(const upright_box boxes[BOXES]) {
    tr_vec3 points[8 * BOXES];
    uint32_t indices[36 * BOXES], mesh, object;
    tr_scene *scene = NULL;
    tr_error error;
    for (uint32_t i = 0; i < BOXES; i++)
        put_box(points, indices, i, &boxes[i]);
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    tr_mesh_def def = {NULL, points, 8 * BOXES, indices, 12 * BOXES};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, &error), TR_OK);
    tr_object_def placed = {"bodies", mesh, tr_affine_identity(), 0};
    CHECK_INT(tr_scene_add_object(scene, &placed, &object, &error), TR_OK);
    return scene;
}

TEST(the_cut_covers_bodies_that_overlap_and_leaves_their_holes_open) {
    tr_random random = tr_random_seed(8);
    const tr_camera above = {{0, 20, 0}, {0, 0, 0}, 0, 8}; // 64 pixels for 8 m
    for (int round = 0; round < 60; round++) {
        // The last two are one in the other: a thick pipe, off the rest.
        upright_box boxes[BOXES] = {
            [4] = {3.2f, 3.2f, 0.7f, 0, 1, false}, [5] = {3.2f, 3.2f, 0.3f, 0, 1, true}};
        for (uint32_t i = 0; i < 4; i++) {
            double sine, cosine, angle = round % 2 ? (double)tr_random_between(&random, -3, 3) : 0;
            tr_sin_cos(angle, &sine, &cosine);
            boxes[i].x = tr_random_between(&random, -2, 1.5f);
            boxes[i].z = tr_random_between(&random, -2, 1.5f);
            boxes[i].half = tr_random_between(&random, 0.3f, 0.9f);
            boxes[i].sine = (float)sine;
            boxes[i].cosine = (float)cosine;
        }
        tr_scene *scene = make_boxes(boxes);
        picture_frame frame = frame_make(64, 64, 0);
        draw_scene(&frame, scene, &above, 1.5f);
        const uint8_t *dark = frame.picture.pixels + 3 * (size_t)(57 * 64 + 53); // in the pipe's wall
        for (uint32_t p = 0; p < 64 * 64; p++) {
            float x = ((float)(p % 64) + 0.5f) / 8 - 4, z = ((float)(p / 64) + 0.5f) / 8 - 4;
            bool inside = false, near_border = false;
            for (uint32_t i = 0; i < BOXES; i++) {
                float off = box_off(&boxes[i], x, z);
                inside = off < 0 ? !boxes[i].is_hole : inside;
                near_border |= fabsf(off) < 0.13f;
            }
            bool is_dark = memcmp(frame.picture.pixels + 3 * (size_t)p, dark, 3) == 0;
            if (!near_border && is_dark != inside)
                test_failed(__FILE__, __LINE__, "round %d: pixel %u, %u is %s", round, p % 64, p / 64,
                            inside ? "not covered" : "covered");
        }
        frame_free(&frame);
        tr_scene_destroy(scene);
    }
}

static void emit_corner(void *user, tr_triangle_sink *sink) {
    (void)user;
    sink->take(sink, corner_points, 1);
}

TEST(an_object_that_draws_itself_looks_like_its_mesh) {
    tr_scene *drawn = NULL, *meshed = NULL;
    tr_error error;
    uint32_t mesh, object;
    REQUIRE(tr_scene_create(NULL, &drawn) == TR_OK && tr_scene_create(NULL, &meshed) == TR_OK);
    tr_drawn_def def = {.name = "corner", .bounds = {{0, 0, 0}, {1, 1, 0}}, .emit = emit_corner};
    REQUIRE(tr_scene_add_drawn(drawn, &def, &object, &error) == TR_OK);
    REQUIRE(tr_scene_add_mesh(meshed, &(tr_mesh_def){NULL, corner_points, 3, corner_indices, 1}, &mesh,
                              &error) == TR_OK);
    tr_object_def placed = {"corner", mesh, tr_affine_identity(), 0};
    REQUIRE(tr_scene_add_object(meshed, &placed, &object, &error) == TR_OK);
    picture_frame a = frame_make(50, 40, 64), b = frame_make(50, 40, 64), none = frame_make(50, 40, 64);
    draw_scene(&a, drawn, &aslant, 0.5f);
    draw_scene(&b, meshed, &aslant, 0.5f);
    draw_scene(&none, NULL, &aslant, 0);
    CHECK(same_picture(&a.picture, &b.picture));
    CHECK(!same_picture(&a.picture, &none.picture));
    // It promised to stay in its bounds; a frame is not spoilt by one that does not.
    tr_box small = {{0, 0, 0}, {0.5f, 0.5f, 0}};
    CHECK_INT(tr_scene_touch(drawn, 0, small), TR_OK);
    CHECK_INT(tr_render_begin(a.render, &aslant, &error), TR_OK);
    CHECK_INT(tr_render_add_scene(a.render, drawn, 2), TR_INVALID);
    CHECK_INT(tr_render_end(a.render, &a.picture, &error), TR_OK);
    CHECK(same_picture(&a.picture, &none.picture));
    tr_scene_destroy(drawn);
    tr_scene_destroy(meshed);
    frame_free(&a);
    frame_free(&b);
    frame_free(&none);
}

TEST(a_line_is_seen_from_every_side) {
    const tr_vec3 lines[][2] = {{{-1, 0, 0}, {1, 0, 0}}, {{0, -1, 0}, {0, 1, 0}}, {{-1, -1, -1}, {1, 1, 1}}};
    tr_random random = tr_random_seed(6);
    picture_frame frame = frame_make(64, 64, 0), none = frame_make(64, 64, 0);
    for (int round = 0; round < 300; round++) {
        float x = tr_random_between(&random, -1, 1), y = tr_random_between(&random, -1, 1);
        float z = tr_random_between(&random, -1, 1);
        tr_vec3 eye = tr_vec3_make(x, y, z);
        if (tr_vec3_length(eye) < 0.1f)
            continue;
        tr_camera camera = {tr_vec3_scale(eye, 4 / tr_vec3_length(eye)), {0, 0, 0}, 0.3f, 0};
        draw_scene(&none, NULL, &camera, 0);
        tr_render_begin(frame.render, &camera, NULL);
        CHECK_INT(tr_render_add_line(frame.render, lines[round % 3], 2, 0.2f, red), TR_OK);
        CHECK_INT(tr_render_end(frame.render, &frame.picture, NULL), TR_OK);
        CHECK(memcmp(middle_of(&frame.picture), middle_of(&none.picture), 3) != 0);
    }
    frame_free(&frame);
    frame_free(&none);
}

TEST(normals_turn_and_stretch_with_their_mesh) {
    // A smooth roof: placed by any map, it is lit like the same roof made there at once.
    tr_random random = tr_random_seed(7);
    picture_frame a = frame_make(40, 40, 0), b = frame_make(40, 40, 0);
    const tr_vec3 normals[3] = {{0.3f, 0.9f, 0.1f}, {-0.2f, 0.8f, 0.4f}, {0, 1, 0}};
    const tr_vec3 flat[3] = {{-1, 0, -1}, {0, 0, 1}, {1, 0, -1}};
    for (int round = 0; round < 50; round++) {
        tr_transform turn = tr_transform_identity();
        float angle = tr_random_between(&random, -3, 3), x = tr_random_between(&random, -1, 1);
        turn.rotation = tr_quat_about(tr_vec3_make(x, 1, 0.3f), (double)angle);
        turn.scale = tr_vec3_make(2, 2, 2);
        tr_affine place = tr_affine_from_transform(turn);
        tr_vec3 placed[3], turned[3];
        for (int i = 0; i < 3; i++) {
            placed[i] = tr_affine_apply(&place, flat[i]);
            turned[i] = tr_quat_rotate(turn.rotation, normals[i]);
        }
        tr_render_begin(a.render, &aslant, NULL);
        CHECK_INT(tr_render_add_mesh(a.render, flat, normals, 3, corner_indices, 1, &place, grey), TR_OK);
        CHECK_INT(tr_render_end(a.render, &a.picture, NULL), TR_OK);
        tr_render_begin(b.render, &aslant, NULL);
        CHECK_INT(tr_render_add_mesh(b.render, placed, turned, 3, corner_indices, 1, NULL, grey), TR_OK);
        CHECK_INT(tr_render_end(b.render, &b.picture, NULL), TR_OK);
        int worst = 0;
        for (size_t i = 0; i < 3 * 40 * 40; i++) {
            int off = a.picture.pixels[i] - b.picture.pixels[i];
            worst = off > worst ? off : -off > worst ? -off : worst;
        }
        CHECK(worst <= 1);
    }
    frame_free(&a);
    frame_free(&b);
}

TEST(a_definition_out_of_range_is_refused) {
    tr_render *render = NULL;
    tr_error error;
    CHECK_INT(tr_render_create(&(tr_render_def){.width = 0, .height = 5}, &render, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "0 x 5");
    CHECK_INT(tr_render_create(&(tr_render_def){.width = 40000, .height = 5}, &render, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "40000");
    CHECK_INT(tr_render_create(&(tr_render_def){.width = 4, .height = 5, .samples = 3}, &render, &error),
              TR_INVALID);
    CHECK_CONTAINS(error.message, "samples per side is 3");
    CHECK_INT(tr_render_create(&(tr_render_def){.width = 4, .height = 5, .shadow_size = 7}, &render, &error),
              TR_INVALID);
    CHECK_INT(
        tr_render_create(&(tr_render_def){.width = 4, .height = 5, .shadow_size = 1 << 20}, &render, &error),
        TR_LIMIT);
    CHECK(render == NULL);
}

TEST(a_camera_out_of_range_is_refused) {
    picture_frame frame = frame_make(8, 8, 0);
    tr_error error;
    const tr_camera bad[] = {{{NAN, 0, 0}, {0, 0, 0}, 0.7f, 0}, {{1, 0, 0}, {INFINITY, 0, 0}, 0.7f, 0},
                             {{1, 2, 3}, {1, 2, 3}, 0.7f, 0},   {{1, 2, 3}, {0, 0, 0}, 0.01f, 0},
                             {{1, 2, 3}, {0, 0, 0}, NAN, 0},    {{1, 2, 3}, {0, 0, 0}, 2.6f, 0},
                             {{1, 2, 3}, {0, 0, 0}, 0, 0},      {{1, 2, 3}, {0, 0, 0}, 0, NAN},
                             {{1, 2, 3}, {0, 0, 0}, 0, 1e9f}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&error, 0, sizeof error);
        CHECK_INT(tr_render_begin(frame.render, &bad[i], &error), TR_INVALID);
        CHECK(error.message[0] != 0);
    }
    CHECK_INT(tr_render_end(frame.render, &frame.picture, &error), TR_INVALID); // none of them began a frame
    frame_free(&frame);
}

TEST(bad_geometry_is_refused_and_leaves_the_frame_as_it_was) {
    picture_frame frame = frame_make(30, 20, 64), clean = frame_make(30, 20, 64);
    tr_render *r = frame.render;
    const tr_vec3 broken[3] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}},
                  far[3] = {{0, 0, 0}, {1e9f, 0, 0}, {0, 1, 0}};
    const uint32_t beyond[3] = {0, 1, 3};
    const float bright[3] = {0.5f, 2, 0.5f};
    tr_box broken_box = {{0, 0, 0}, {NAN, 1, 1}}, endless = {{-1e30f, 0, 0}, {1e30f, 1, 1}};
    CHECK_INT(tr_render_add_line(r, corner_points, 3, 0.1f, red), TR_INVALID); // no frame has begun
    draw_scene(&clean, NULL, &aslant, 0);
    CHECK_INT(tr_render_begin(r, &aslant, NULL), TR_OK);
    CHECK_INT(tr_render_add_mesh(r, broken, NULL, 3, corner_indices, 1, NULL, grey), TR_INVALID);
    CHECK_INT(tr_render_add_mesh(r, far, NULL, 3, corner_indices, 1, NULL, grey), TR_INVALID);
    CHECK_INT(tr_render_add_mesh(r, corner_points, broken, 3, corner_indices, 1, NULL, grey), TR_INVALID);
    CHECK_INT(tr_render_add_mesh(r, corner_points, NULL, 3, beyond, 1, NULL, grey), TR_INVALID);
    CHECK_INT(tr_render_add_mesh(r, corner_points, NULL, 3, corner_indices, 1, NULL, bright), TR_INVALID);
    CHECK_INT(tr_render_add_mesh(r, NULL, NULL, 0, NULL, 1, NULL, grey), TR_INVALID);
    CHECK_INT(tr_render_add_mesh(r, NULL, NULL, 0, NULL, 0, NULL, grey), TR_OK); // an empty mesh
    CHECK_INT(tr_render_add_line(r, broken, 3, 0.1f, red), TR_INVALID);
    CHECK_INT(tr_render_add_line(r, corner_points, 3, 0, red), TR_INVALID);
    CHECK_INT(tr_render_add_line(r, corner_points, 1, 0.1f, red), TR_OK); // a point has no length
    CHECK_INT(tr_render_add_ground(r, broken_box, 0), TR_INVALID);
    CHECK_INT(tr_render_add_ground(r, endless, 0), TR_INVALID);
    CHECK_INT(tr_render_add_ground(r, tr_box_empty(), 0), TR_INVALID);
    CHECK_INT(tr_render_add_scene(r, NULL, 1), TR_INVALID);
    tr_picture other;
    tr_error error;
    REQUIRE(tr_picture_create(NULL, 31, 20, (tr_color){0}, &other, &error) == TR_OK);
    CHECK_INT(tr_render_end(r, &other, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "31 x 20");
    CHECK_INT(tr_render_end(r, &frame.picture, &error), TR_OK);
    CHECK(same_picture(&frame.picture, &clean.picture));
    tr_picture_destroy(&other);
    frame_free(&frame);
    frame_free(&clean);
}

static float random_size(tr_random *random) {
    static const float sizes[] = {1e-6f, 0.01f, 1, 30, 1e4f, 9e6f};
    float size = sizes[tr_random_below(random, 6)];
    return tr_random_between(random, -size, size);
}

static tr_vec3 random_place(tr_random *random) {
    float x = random_size(random), y = random_size(random), z = random_size(random);
    return tr_vec3_make(x, y, z);
}

TEST(a_frame_of_anything_seen_from_anywhere_ends_well) {
    tr_random random = tr_random_seed(9);
    for (int round = 0; round < 400; round++) {
        tr_render_def def = {.width = 1 + tr_random_below(&random, 40)};
        def.shadow_size = 16 * tr_random_below(&random, 5);
        def.height = 1 + tr_random_below(&random, 30);
        def.samples = tr_random_below(&random, 2) ? 1 : tr_random_below(&random, 2) ? 2 : 4;
        tr_camera camera = {.eye = random_place(&random)};
        camera.target = random_place(&random);
        camera.field_of_view = tr_random_below(&random, 3) ? tr_random_between(&random, 0.05f, 2.5f) : 0;
        camera.height = fabsf(random_size(&random)) + 1e-6f;
        tr_render *render = NULL;
        tr_picture picture;
        REQUIRE(tr_render_create(&def, &render, NULL) == TR_OK);
        REQUIRE(tr_picture_create(NULL, def.width, def.height, (tr_color){0}, &picture, NULL) == TR_OK);
        REQUIRE(tr_render_begin(render, &camera, NULL) == TR_OK);
        for (int i = 0; i < 12; i++) {
            tr_vec3 p[3], normals[3];
            for (int k = 0; k < 3; k++) {
                p[k] = random_place(&random);
                normals[k] = random_place(&random);
            }
            bool is_smooth = tr_random_below(&random, 2);
            CHECK_INT(
                tr_render_add_mesh(render, p, is_smooth ? normals : NULL, 3, corner_indices, 1, NULL, grey),
                TR_OK);
            float width = fabsf(random_size(&random)) / 8 + 1e-6f;
            CHECK_INT(tr_render_add_line(render, p, 3, width, red), TR_OK);
        }
        tr_vec3 a = random_place(&random), b = random_place(&random);
        tr_box box = tr_box_include(tr_box_empty(), tr_vec3_scale(a, 0.2f));
        box = tr_box_include(box, tr_vec3_scale(b, 0.2f));
        CHECK_INT(tr_render_add_ground(render, box, random_size(&random)), TR_OK);
        CHECK_INT(tr_render_end(render, &picture, NULL), TR_OK);
        tr_picture_destroy(&picture);
        tr_render_destroy(render);
    }
}

TEST(every_sample_scene_has_a_picture_from_every_side) {
    picture_frame frame = frame_make(48, 32, 64);
    for (uint32_t i = 0; i < tr_sample_count(); i++) {
        tr_sample sample;
        tr_error error;
        REQUIRE(tr_sample_make(&(tr_sample_def){.name = tr_sample_name(i)}, &sample, &error) == TR_OK);
        for (int side = 0; side < 4; side++) {
            tr_camera camera =
                tr_camera_around(sample.ground, (float)side * 1.5f, 0.2f + 0.4f * (float)side, 1.5f);
            camera.height = side == 3 ? 20 : 0;
            camera.field_of_view = side == 3 ? 0 : camera.field_of_view;
            draw_scene(&frame, sample.scene, &camera, side == 0 ? INFINITY : (float)side);
        }
        tr_scene_destroy(sample.scene);
    }
    frame_free(&frame);
}

static tr_status draw_all(tr_render *render, tr_picture *picture, const tr_scene *scene) {
    const tr_box box = {{-3, 0, -3}, {3, 1, 3}};
    tr_error error;
    tr_status status = tr_render_begin(render, &aslant, &error);
    if (status == TR_OK)
        status = tr_render_add_scene(render, scene, 1.4f);
    if (status == TR_OK)
        status = tr_render_add_ground(render, box, 0);
    if (status == TR_OK)
        status = tr_render_add_mesh(render, corner_points, corner_points, 3, corner_indices, 1, NULL, grey);
    if (status == TR_OK)
        status = tr_render_add_line(render, corner_points, 3, 0.1f, red);
    return status == TR_OK ? tr_render_end(render, picture, &error) : status;
}

static bool attempt_frame(const tr_allocator *allocator) {
    tr_scene *scene = make_house(true, 2, "thing");
    tr_picture picture;
    tr_render *render = NULL;
    tr_error error;
    tr_render_def def = {.allocator = allocator, .width = 20, .height = 12, .shadow_size = 32};
    tr_status status = tr_picture_create(NULL, 20, 12, (tr_color){0}, &picture, &error);
    if (status == TR_OK)
        status = tr_render_create(&def, &render, &error);
    if (status == TR_OK)
        status = draw_all(render, &picture, scene);
    tr_render_destroy(render);
    tr_picture_destroy(&picture);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(a_frame_without_memory_fails_cleanly) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_frame) > 5);
}

TEST(a_second_frame_needs_no_memory) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_scene *scene = make_house(true, 2, "thing");
    tr_picture picture;
    tr_render *render = NULL;
    tr_render_def def = {.allocator = &allocator, .width = 20, .height = 12, .shadow_size = 32};
    REQUIRE(tr_picture_create(NULL, 20, 12, (tr_color){0}, &picture, NULL) == TR_OK);
    REQUIRE(tr_render_create(&def, &render, NULL) == TR_OK);
    CHECK_INT(draw_all(render, &picture, scene), TR_OK);
    uint64_t calls = memory.calls;
    CHECK_INT(draw_all(render, &picture, scene), TR_OK);
    CHECK_INT(memory.calls, calls);
    tr_render_destroy(render);
    CHECK_INT(memory.live_bytes, 0);
    tr_picture_destroy(&picture);
    tr_scene_destroy(scene);
}
