// The pieces that an opening leaves of a face, compared with the two planes themselves.
#include "test.h"
#include "io/render/render_data.h"
#include "troupe/base/random.h"

#define POINTS 40

static tr_vec3 random_place(tr_random *random) {
    float x = tr_random_between(random, -2, 2), y = tr_random_between(random, -2, 2);
    return tr_vec3_make(x, y, tr_random_between(random, -2, 2));
}

static double beyond_plane(tr_vec3 p, tr_vec3 place, tr_vec3 normal) {
    return ((double)p.x - place.x) * normal.x + ((double)p.y - place.y) * normal.y +
           ((double)p.z - place.z) * normal.z;
}

// Is a point of its plane in a face? Compares areas; `slack` is that of rounding.
static bool holds(const render_face *face, tr_vec3 p, double slack) {
    const tr_vec3 *c = face->corner;
    tr_vec3 whole = tr_vec3_cross(tr_vec3_subtract(c[1], c[0]), tr_vec3_subtract(c[2], c[0]));
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (double)tr_vec3_length(
            tr_vec3_cross(tr_vec3_subtract(c[i], p), tr_vec3_subtract(c[(i + 1) % 3], p)));
    return sum <= (double)tr_vec3_length(whole) + slack;
}

static void check_piece(const tr_render *render, const tr_render_opening *opening, const tr_vec3 corner[3],
                        tr_random *random) {
    for (int k = 0; k < POINTS; k++) {
        float u = tr_random_unit(random), v = tr_random_unit(random);
        if (u + v > 1)
            u = 1 - u, v = 1 - v;
        tr_vec3 p =
            tr_vec3_add(corner[0], tr_vec3_add(tr_vec3_scale(tr_vec3_subtract(corner[1], corner[0]), u),
                                               tr_vec3_scale(tr_vec3_subtract(corner[2], corner[0]), v)));
        double wall = beyond_plane(p, opening->wall, opening->wall_normal);
        double floor = beyond_plane(p, opening->floor, opening->floor_normal);
        if (fabs(wall) < 1e-2 || fabs(floor) < 1e-2)
            continue; // too near to a plane to say
        bool is_kept = false;
        for (uint32_t i = 0; i < render->face_count; i++)
            is_kept = is_kept || holds(&render->faces[i], p, 1e-4);
        CHECK_INT(is_kept, !(wall > 0 && floor > 0));
    }
}

TEST(a_point_of_a_face_is_left_unless_it_is_beyond_both_planes) {
    tr_random random = tr_random_seed(5);
    tr_render *render = NULL;
    tr_error error;
    const tr_camera camera = {{0, 0, 20}, {0, 0, 0}, 0.5f, 0};
    tr_render_def def = {.width = 8, .height = 8};
    const float color[3] = {0.5f, 0.5f, 0.5f};
    REQUIRE(tr_render_create(&def, &render, &error) == TR_OK);
    for (int i = 0; i < 2000; i++) {
        tr_vec3 corner[3] = {random_place(&random), random_place(&random), random_place(&random)};
        tr_render_opening opening = {random_place(&random), random_place(&random), random_place(&random),
                                     random_place(&random)};
        render_open open = {&opening, 0};
        REQUIRE(tr_render_begin(render, &camera, &error) == TR_OK);
        REQUIRE(tr_render_faces_reserve(render, RENDER_OPEN_FACES, false) == TR_OK);
        tr_render_open_add(render, &open, corner, 3, color, RENDER_PLAIN);
        CHECK(render->face_count <= RENDER_OPEN_FACES);
        check_piece(render, &opening, corner, &random);
    }
    tr_render_destroy(render);
}

TEST(a_piece_that_touches_the_planes_or_has_no_area_makes_no_more_faces_than_there_is_room_for) {
    tr_random random = tr_random_seed(6);
    tr_render *render = NULL;
    tr_error error;
    const tr_camera camera = {{0, 0, 20}, {0, 0, 0}, 0.5f, 0};
    tr_render_def def = {.width = 8, .height = 8};
    const float color[3] = {0.5f, 0.5f, 0.5f};
    const tr_render_opening opening = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 1, 0}};
    const float steps[5] = {-1, -1e-30f, 0, 1e-30f, 1};
    REQUIRE(tr_render_create(&def, &render, &error) == TR_OK);
    for (int i = 0; i < 5000; i++) {
        tr_vec3 corner[4]; // hollow and crossed ones among them
        for (int k = 0; k < 4; k++) {
            float x = steps[tr_random_below(&random, 5)], y = steps[tr_random_below(&random, 5)];
            corner[k] = tr_vec3_make(x, y, steps[tr_random_below(&random, 5)]);
        }
        render_open open = {&opening, i % 3 == 0 ? 0 : i % 3 == 1 ? 1.0f : -1.0f};
        REQUIRE(tr_render_begin(render, &camera, &error) == TR_OK);
        REQUIRE(tr_render_faces_reserve(render, RENDER_OPEN_FACES, false) == TR_OK);
        tr_render_open_add(render, &open, corner, 4, color, RENDER_PLAIN);
        CHECK(render->face_count <= RENDER_OPEN_FACES);
        for (uint32_t f = 0; f < render->face_count; f++)
            for (int k = 0; k < 3; k++)
                CHECK(tr_vec3_is_finite(render->faces[f].corner[k]));
    }
    tr_render_destroy(render);
}
