// Pictures against rays: a ray through every pixel, in doubles, says which triangle is seen and whether the
// sun reaches it.
#include "test.h"
#include "io/render/render_data.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/world/sample.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 72
#define HEIGHT 48
#define SOUP 24 // triangles

typedef struct sight_ray {
    double from[3], along[3];
} sight_ray;

typedef struct picture_frame {
    tr_render *render;
    tr_picture picture;
} picture_frame;

static picture_frame frame_make(uint32_t width, uint32_t height, uint32_t samples, uint32_t shadow,
                                tr_tasks *tasks) {
    picture_frame made = {0};
    tr_render_def def = {
        .tasks = tasks, .width = width, .height = height, .samples = samples, .shadow_size = shadow};
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

static const uint8_t *pixel_of(const tr_picture *picture, uint32_t x, uint32_t y) {
    return picture->pixels + 3 * ((size_t)y * picture->width + x);
}

static bool same_pixel(const uint8_t *a, const uint8_t *b) {
    return memcmp(a, b, 3) == 0;
}

// The ray through a place of the picture.
static sight_ray ray_at(const tr_camera *camera, double x, double y) {
    const double e[3] = {camera->eye.x, camera->eye.y, camera->eye.z};
    double ahead[3] = {camera->target.x - e[0], camera->target.y - e[1], camera->target.z - e[2]};
    double length = sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1] + ahead[2] * ahead[2]);
    for (int k = 0; k < 3; k++)
        ahead[k] /= length;
    double flat = sqrt(ahead[0] * ahead[0] + ahead[2] * ahead[2]);
    const double right[3] = {-ahead[2] / flat, 0, ahead[0] / flat};
    const double up[3] = {-right[2] * ahead[1], right[2] * ahead[0] - right[0] * ahead[2],
                          right[0] * ahead[1]};
    bool is_parallel = camera->field_of_view == 0;
    double scale = is_parallel ? camera->height / HEIGHT : tan(camera->field_of_view / 2.0) / (HEIGHT / 2.0);
    double across = (x - WIDTH / 2.0) * scale, high = (HEIGHT / 2.0 - y) * scale;
    sight_ray made;
    for (int k = 0; k < 3; k++) {
        double side = right[k] * across + up[k] * high;
        made.from[k] = e[k] + (is_parallel ? side : 0);
        made.along[k] = ahead[k] + (is_parallel ? 0 : side);
    }
    return made;
}

// How far along the ray the triangle is met (infinite: not at all). `margin`, if given, gets how surely so.
static double meet(const sight_ray *ray, const tr_vec3 triangle[3], double *margin) {
    double a[3] = {triangle[0].x, triangle[0].y, triangle[0].z}, u[3], v[3], w[3], n[3];
    const double b[3] = {triangle[1].x, triangle[1].y, triangle[1].z};
    const double c[3] = {triangle[2].x, triangle[2].y, triangle[2].z};
    for (int k = 0; k < 3; k++)
        u[k] = b[k] - a[k], v[k] = c[k] - a[k], w[k] = a[k] - ray->from[k];
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double slope = n[0] * ray->along[0] + n[1] * ray->along[1] + n[2] * ray->along[2];
    double t = (n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) / slope, p[3];
    for (int k = 0; k < 3; k++)
        p[k] = ray->along[k] * t - w[k];
    double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    double uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2], pu = p[0] * u[0] + p[1] * u[1] + p[2] * u[2];
    double pv = p[0] * v[0] + p[1] * v[1] + p[2] * v[2], area = uu * vv - uv * uv;
    double in_b = (pu * vv - pv * uv) / area, in_c = (pv * uu - pu * uv) / area;
    double inside = fmin(fmin(in_b, in_c), 1 - in_b - in_c);
    if (margin)
        *margin = fabs(inside);
    return inside >= 0 && t > 0 ? t : INFINITY;
}

static tr_vec3 random_point(tr_random *random, float size) {
    float x = tr_random_between(random, -size, size);
    float y = tr_random_between(random, -size, size);
    float z = tr_random_between(random, -size, size);
    return tr_vec3_make(x, y, z);
}

static const uint32_t one_triangle[3] = {0, 1, 2};

static void draw_triangles(picture_frame *frame, const tr_camera *camera, tr_vec3 triangles[][3],
                           uint32_t count, uint32_t first) {
    tr_error error;
    CHECK_INT(tr_render_begin(frame->render, camera, &error), TR_OK);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = first + i;
        const float color[3] = {0.1f + 0.03f * (float)n, 0.9f - 0.03f * (float)n,
                                0.2f + 0.3f * (float)(n % 3)};
        CHECK_INT(tr_render_add_mesh(frame->render, triangles[i], NULL, 3, one_triangle, 1, NULL, color),
                  TR_OK);
    }
    CHECK_INT(tr_render_end(frame->render, &frame->picture, &error), TR_OK);
}

// Every triangle alone gives the colours; the rays say which of them is in front.
static void check_soup(const tr_camera *camera, tr_vec3 triangles[SOUP][3], double near_depth) {
    picture_frame all = frame_make(WIDTH, HEIGHT, 1, 0, NULL), alone[SOUP],
                  none = frame_make(WIDTH, HEIGHT, 1, 0, NULL);
    draw_triangles(&none, camera, triangles, 0, 0);
    draw_triangles(&all, camera, triangles, SOUP, 0);
    for (uint32_t i = 0; i < SOUP; i++) {
        alone[i] = frame_make(WIDTH, HEIGHT, 1, 0, NULL);
        draw_triangles(&alone[i], camera, triangles + i, 1, i);
    }
    uint32_t unsure = 0, seen = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            sight_ray ray = ray_at(camera, x + 0.5, y + 0.5);
            double nearest = INFINITY, second = INFINITY, least_margin = INFINITY, margin;
            const picture_frame *expected = &none;
            for (uint32_t i = 0; i < SOUP; i++) {
                double t = meet(&ray, triangles[i], &margin);
                least_margin = fmin(least_margin, fmin(margin, fabs(t - near_depth)));
                t = t < near_depth ? INFINITY : t;
                second = t < nearest ? nearest : fmin(second, t);
                if (t < nearest) {
                    nearest = t;
                    expected = &alone[i];
                }
            }
            seen += expected != &none;
            bool is_sure = least_margin > 1e-4 && !(second - nearest < 1e-4);
            unsure += !is_sure;
            if (is_sure && !same_pixel(pixel_of(&all.picture, x, y), pixel_of(&expected->picture, x, y)))
                test_failed(__FILE__, __LINE__, "pixel %u, %u shows another triangle", x, y);
        }
    CHECK(unsure < WIDTH * HEIGHT / 50);
    CHECK(seen > WIDTH * HEIGHT / 20);
    for (uint32_t i = 0; i < SOUP; i++)
        frame_free(&alone[i]);
    frame_free(&all);
    frame_free(&none);
}

TEST(every_pixel_shows_the_triangle_that_its_ray_meets_first) {
    tr_random random = tr_random_seed(1);
    for (int round = 0; round < 12; round++) {
        tr_vec3 triangles[SOUP][3];
        for (int i = 0; i < SOUP; i++) {
            tr_vec3 middle = random_point(&random, 3);
            for (int k = 0; k < 3; k++)
                triangles[i][k] = tr_vec3_add(middle, random_point(&random, 2));
        }
        tr_camera camera = {.eye = random_point(&random, 9), .field_of_view = 0.9f};
        // Every third camera stands amid the triangles, and many of them reach behind it.
        if (round % 3 == 2)
            camera.eye = random_point(&random, 1);
        camera.target = random_point(&random, 0.5f);
        check_soup(&camera, triangles, 0.05);
    }
}

TEST(a_parallel_camera_sees_along_parallel_rays) {
    tr_random random = tr_random_seed(2);
    for (int round = 0; round < 6; round++) {
        tr_vec3 triangles[SOUP][3];
        for (int i = 0; i < SOUP; i++)
            for (int k = 0; k < 3; k++)
                triangles[i][k] = random_point(&random, 3);
        tr_camera camera = {.eye = random_point(&random, round < 3 ? 12 : 2), .height = 6};
        camera.target = random_point(&random, 0.5f);
        check_soup(&camera, triangles, 0);
    }
}

TEST(no_sample_between_two_triangles_is_missed) {
    enum { side = 40 };
    static tr_vec3 points[(side + 1) * (side + 1)];
    static uint32_t indices[side * side * 6];
    tr_random random = tr_random_seed(3);
    for (int y = 0; y <= side; y++)
        for (int x = 0; x <= side; x++) {
            float off_x = tr_random_between(&random, -0.4f, 0.4f),
                  off_y = tr_random_between(&random, -0.4f, 0.4f);
            points[y * (side + 1) + x] =
                tr_vec3_make((float)x - side / 2 + off_x, (float)y - side / 2 + off_y, 0);
        }
    uint32_t *index = indices;
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            uint32_t a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
            const uint32_t two[6] = {a, b, d, a, d, c};
            memcpy(index, two, sizeof two);
            index += 6;
        }
    const uint32_t samples[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        picture_frame frame = frame_make(200, 120, samples[i], 0, NULL);
        tr_camera camera = {{0.3f, 0.2f, 20}, {0.31f, 0.17f, 0}, 0.8f, 0};
        tr_error error;
        tr_render_begin(frame.render, &camera, &error);
        const float color[3] = {0.5f, 0.5f, 0.5f};
        CHECK_INT(tr_render_add_mesh(frame.render, points, NULL, (side + 1) * (side + 1), indices,
                                     side * side * 2, NULL, color),
                  TR_OK);
        CHECK_INT(tr_render_end(frame.render, &frame.picture, &error), TR_OK);
        for (uint32_t y = 0; y < 120; y++)
            for (uint32_t x = 0; x < 200; x++)
                if (!same_pixel(pixel_of(&frame.picture, x, y), pixel_of(&frame.picture, 0, 0)))
                    test_failed(__FILE__, __LINE__, "pixel %u, %u of %u samples shows a gap", x, y,
                                samples[i]);
        frame_free(&frame);
    }
}

static void draw_room(picture_frame *frame, const tr_sample *room, float cut_height) {
    tr_error error;
    tr_camera camera = tr_camera_around(tr_scene_bounds(room->scene), 0.6f, 0.8f, 1.5f);
    const tr_vec3 walk[] = {{-2, 0.02f, -1}, {0, 0.02f, 0.5f}, {1.5f, 0.02f, 0.4f}};
    const float color[3] = {0.7f, 0.2f, 0.1f};
    CHECK_INT(tr_render_begin(frame->render, &camera, &error), TR_OK);
    CHECK_INT(tr_render_add_scene(frame->render, room->scene, cut_height), TR_OK);
    CHECK_INT(tr_render_add_ground(frame->render, room->ground, room->ground.min.y), TR_OK);
    CHECK_INT(tr_render_add_line(frame->render, walk, 3, 0.1f, color), TR_OK);
    CHECK_INT(tr_render_end(frame->render, &frame->picture, &error), TR_OK);
}

static uint64_t hash_picture(const tr_picture *picture) {
    return tr_hash(TR_HASH_START, picture->pixels, 3 * (size_t)picture->width * picture->height);
}

TEST(the_pixels_are_the_same_for_any_number_of_threads_and_on_every_machine) {
    tr_sample room;
    tr_error error;
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "room"}, &room, &error) == TR_OK);
    const uint32_t members[] = {1, 2, 3, 7};
    const uint64_t expected[] = {0xbd75c4a0a4ba7fafu, 0xb3621c8fa4bc692cu, 0x5eef0c84a96a137du};
    for (uint32_t samples = 1, i = 0; samples <= 4; samples *= 2, i++) {
        for (int team = 0; team < 4; team++) {
            tr_tasks *tasks = NULL;
            REQUIRE(tr_tasks_create(NULL, members[team], &tasks, &error) == TR_OK);
            picture_frame frame = frame_make(150, 100, samples, 256, team == 0 ? NULL : tasks);
            draw_room(&frame, &room, 1.4f);
            CHECK_HASH(hash_picture(&frame.picture), expected[i]);
            draw_room(&frame, &room, 1.4f); // a second frame begins anew
            CHECK_HASH(hash_picture(&frame.picture), expected[i]);
            frame_free(&frame);
            tr_tasks_destroy(tasks);
        }
    }
    tr_scene_destroy(room.scene);
}

TEST(light_is_written_as_srgb_and_what_is_too_bright_is_pressed_together) {
    uint8_t shades[RENDER_SHADES + 1];
    tr_render_shades_make(shades);
    for (int i = 0; i <= RENDER_SHADES; i++) {
        double c = (double)i * RENDER_BRIGHTEST / RENDER_SHADES;
        double code = c > 0.0031308 ? 1.055 * pow(c, 1 / 2.4) - 0.055 : 12.92 * c;
        if (c <= 0.75)
            CHECK_NEAR(shades[i], code * 255, 0.500001);
        else
            CHECK(shades[i] >= shades[i - 1] && shades[i] <= code * 255 + 0.5);
    }
    CHECK(shades[RENDER_SHADES] > 240);
}

// A floor, and a table of four triangles above it.
static const tr_vec3 floor_points[] = {{-4, 0, -4}, {-4, 0, 4}, {4, 0, 4}, {4, 0, -4}};
static const tr_vec3 table_points[] = {{-1, 1, -0.8f}, {-1, 1, 0.8f}, {1, 1.3f, 0.8f}, {1, 1.3f, -0.8f}};
static const uint32_t square[6] = {0, 1, 2, 0, 2, 3};

static void draw_table(picture_frame *frame, const tr_camera *camera) {
    const float color[3] = {0.5f, 0.5f, 0.5f};
    tr_error error;
    CHECK_INT(tr_render_begin(frame->render, camera, &error), TR_OK);
    CHECK_INT(tr_render_add_mesh(frame->render, floor_points, NULL, 4, square, 2, NULL, color), TR_OK);
    CHECK_INT(tr_render_add_mesh(frame->render, table_points, NULL, 4, square, 2, NULL, color), TR_OK);
    CHECK_INT(tr_render_end(frame->render, &frame->picture, &error), TR_OK);
}

static double meet_square(const sight_ray *ray, const tr_vec3 points[4]) {
    const tr_vec3 a[3] = {points[0], points[1], points[2]}, b[3] = {points[0], points[2], points[3]};
    return fmin(meet(ray, a, NULL), meet(ray, b, NULL));
}

// Whether the sun reaches all of the floor within `reach` of a point (1), none of it (-1), or some of it (0).
static int sun_on_floor(const double at[3], double reach) {
    int lit = 0, all = 0;
    for (int i = -4; i <= 4; i++)
        for (int k = -4; k <= 4; k++, all++) {
            sight_ray ray = {{at[0] + i * reach / 4, 0, at[2] + k * reach / 4},
                             {RENDER_SUN_X, RENDER_SUN_Y, RENDER_SUN_Z}};
            lit += isinf(meet_square(&ray, table_points));
        }
    return lit == all ? 1 : lit == 0 ? -1 : 0;
}

TEST(shadows_fall_where_no_ray_reaches_the_sun) {
    tr_camera camera = {{-3, 8, -6}, {-0.3f, 0, -0.5f}, 0.8f, 0};
    picture_frame plain = frame_make(WIDTH, HEIGHT, 1, 0, NULL),
                  shaded = frame_make(WIDTH, HEIGHT, 1, 512, NULL);
    draw_table(&plain, &camera);
    draw_table(&shaded, &camera);
    int lit = 0, dark = 0, far = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            sight_ray ray = ray_at(&camera, x + 0.5, y + 0.5);
            double down = meet_square(&ray, floor_points), table = meet_square(&ray, table_points);
            // Without the sun a pixel is darker by more than 55, without the sky by less than 40.
            int without = pixel_of(&plain.picture, x, y)[0], with = pixel_of(&shaded.picture, x, y)[0];
            if (table < down && without - with > 40)
                test_failed(__FILE__, __LINE__, "pixel %u, %u: the table shades itself", x, y);
            if (!(down < table))
                continue;
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = ray.from[k] + down * ray.along[k];
            int sun = sun_on_floor(at, 0.15), least = sun < 0 ? 55 : 0, most = sun > 0 ? 40 : 255;
            if (sun > 0 && fmax(fabs(at[0]), fabs(at[2])) > 2.2) // nothing is near
                most = 0, far++;
            lit += sun > 0;
            dark += sun < 0;
            if (without - with < least || without - with > most)
                test_failed(__FILE__, __LINE__, "pixel %u, %u: %d with a shadow map, %d without, sun %d", x,
                            y, with, without, sun);
        }
    CHECK(lit > 500);
    CHECK(dark > 50);
    CHECK(far > 300);
    frame_free(&plain);
    frame_free(&shaded);
}

TEST(a_pixel_that_is_covered_in_part_is_mixed_in_part) {
    // A dark square over a light one, with an edge aslant; its share of each pixel is known.
    const tr_vec3 dark[3] = {{-30, -30, 1}, {29, -30, 1}, {-30, 31, 1}};
    const tr_vec3 light[4] = {{-90, -90, 0}, {90, -90, 0}, {90, 90, 0}, {-90, 90, 0}};
    const float black[3] = {0, 0, 0}, grey[3] = {0.4f, 0.4f, 0.4f};
    tr_camera camera = {{0, 0, 50}, {0, 0, 0}, 0, 8};
    tr_error error;
    picture_frame frame = frame_make(32, 32, 4, 0, NULL);
    REQUIRE(tr_render_begin(frame.render, &camera, &error) == TR_OK);
    CHECK_INT(tr_render_add_mesh(frame.render, light, NULL, 4, square, 2, NULL, grey), TR_OK);
    CHECK_INT(tr_render_add_mesh(frame.render, dark, NULL, 3, one_triangle, 1, NULL, black), TR_OK);
    CHECK_INT(tr_render_end(frame.render, &frame.picture, &error), TR_OK);
    const uint8_t *bright = pixel_of(&frame.picture, 31, 0);
    double full = pow((bright[0] / 255.0 + 0.055) / 1.055, 2.4);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++) {
            int covered = 0; // of 32 x 32 places in the pixel
            for (int k = 0; k < 1024; k++) {
                double at_x = (x + (k % 32 + 0.5) / 32 - 16) / 4, at_y = (16.0 - y - (k / 32 + 0.5) / 32) / 4;
                covered += 61 * (at_x + 30) + 59 * (at_y + 30) < 59.0 * 61;
            }
            double code = pixel_of(&frame.picture, x, y)[0] / 255.0;
            double seen = code > 0.04045 ? pow((code + 0.055) / 1.055, 2.4) : code / 12.92;
            CHECK_NEAR(seen / full, 1 - covered / 1024.0, 0.125);
        }
    frame_free(&frame);
}
