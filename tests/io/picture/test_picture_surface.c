#include "test.h"
#include "troupe/io/picture.h"

#include <string.h>

// Ground of 8 by 6 m, a platform at 3 m over a corner of it, six steps of 0.5 m up to it, and a wall.
typedef struct site {
    tr_scene *scene;
    tr_raster *raster;
    tr_surface *surface;
    tr_surface_route *route;
} site;

static void add_box(tr_scene *scene, tr_vec3 low, tr_vec3 high) {
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    tr_mesh_def mesh = {"box", corners, 8, sides, 12};
    tr_object_def object = {.name = "box", .placement = tr_affine_place(tr_vec3_make(0, 0, 0), 0)};
    CHECK_INT(tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL), TR_OK);
    uint32_t number;
    CHECK_INT(tr_scene_add_object(scene, &object, &number, NULL), TR_OK);
}

static void build_site(site *s, bool with_platform) {
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    tr_surface_def def = tr_surface_def_default();
    def.guess = false; // the steps are high
    tr_error error = {0};
    CHECK_INT(tr_scene_create(NULL, &s->scene), TR_OK);
    add_box(s->scene, tr_vec3_make(0, -0.5f, 0), tr_vec3_make(8, 0, 6));
    add_box(s->scene, tr_vec3_make(6, 0, 4), tr_vec3_make(6.2f, 2.5f, 6));
    for (int i = 0; with_platform && i < 6; i++)
        add_box(s->scene, tr_vec3_make(3 + 0.5f * (float)i, 0, 0),
                tr_vec3_make(3.6f + 0.5f * (float)i, 0.5f * (float)(i + 1), 1.5f));
    if (with_platform)
        add_box(s->scene, tr_vec3_make(4, 2.8f, 1.5f), tr_vec3_make(8, 3, 4));
    if (with_platform)
        add_box(s->scene, tr_vec3_make(6, 2.8f, 0), tr_vec3_make(8, 3, 1.5f));
    CHECK_INT(tr_voxel_grid_cover(tr_scene_bounds(s->scene), 0.2f, 0.1f, 0, 0, &def.grid, &error), TR_OK);
    CHECK_INT(tr_raster_create(&raster, &s->raster, &error), TR_OK);
    CHECK_INT(tr_surface_create(&def, &s->surface, &error), TR_OK);
    CHECK_INT(tr_surface_build(s->surface, s->raster, s->scene, &error), TR_OK);
    tr_surface_route_def route = {
        .surface = s->surface, .person = tr_surface_route_body_of_height(2.1f), .border_neighbours = 4};
    tr_vec3 seed = {1, 0, 5};
    CHECK_INT(tr_surface_route_create(&route, &s->route, &error), TR_OK);
    CHECK_INT(tr_surface_route_mark_border(s->route, &seed, 1, &error), TR_OK);
}

static void clear_site(site *s) {
    tr_surface_route_destroy(s->route);
    tr_surface_destroy(s->surface);
    tr_raster_destroy(s->raster);
    tr_scene_destroy(s->scene);
}

static tr_color color_at(const tr_picture *picture, tr_vec2 pixel) {
    tr_color color = {0, 0, 0};
    if (pixel.x >= 0 && pixel.z >= 0 && pixel.x < (float)picture->width && pixel.z < (float)picture->height)
        memcpy(&color, picture->pixels + 3 * ((size_t)pixel.z * picture->width + (size_t)pixel.x), 3);
    return color;
}

static int difference(tr_color a, tr_color b) {
    int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return (red < 0 ? -red : red) + (green < 0 ? -green : green) + (blue < 0 ? -blue : blue);
}

static tr_color color_of(const tr_picture *picture, const tr_surface_view *view, float x, float y, float z) {
    tr_vec3 point = {x, y, z};
    return color_at(picture, tr_surface_view_pixel(view, point, tr_surface_view_storey(view, y)));
}

TEST(ground_without_anything_above_it_is_one_storey) {
    site s;
    build_site(&s, false);
    tr_surface_layers layers = {.surface = s.surface, .route = s.route, .width = 600};
    tr_picture picture;
    tr_surface_view view;
    REQUIRE(tr_picture_draw_surface(NULL, &layers, "ground", &picture, &view, NULL) == TR_OK);
    CHECK_INT(picture.width, 600);
    CHECK_INT(view.storey_count, 1);
    CHECK_INT(tr_surface_view_storey(&view, 100), 0);
    // Free ground is coloured alike; its border is darker, and the wall's cut is another colour.
    tr_color ground = color_of(&picture, &view, 2.1f, 0, 3.1f),
             border = color_of(&picture, &view, 0.1f, 0, 3.1f),
             wall = color_of(&picture, &view, 6.1f, 0.7f, 5.1f);
    CHECK(difference(ground, color_of(&picture, &view, 3.1f, 0, 2.1f)) < 4);
    CHECK(ground.red > border.red + 20 && ground.green > border.green + 20);
    CHECK(difference(ground, wall) > 100);
    tr_picture_destroy(&picture);
    clear_site(&s);
}

TEST(a_platform_above_the_ground_is_a_storey_of_its_own) {
    site s;
    build_site(&s, true);
    tr_surface_layers layers = {.surface = s.surface, .route = s.route, .width = 600, .note_lines = 3};
    tr_picture picture;
    tr_surface_view view;
    REQUIRE(tr_picture_draw_surface(NULL, &layers, NULL, &picture, &view, NULL) == TR_OK);
    REQUIRE(view.storey_count == 2);
    CHECK_NEAR((double)view.storeys[0].floor, 0, 0.2);
    CHECK_NEAR((double)view.storeys[1].floor, 3, 0.2);
    CHECK_INT(tr_surface_view_storey(&view, 0), 0);
    CHECK_INT(tr_surface_view_storey(&view, 2), 0); // the stairs belong to the storey that they begin in
    CHECK_INT(tr_surface_view_storey(&view, 3), 1);
    // The ground under the platform is seen, in a picture apart from the platform's.
    tr_color below = color_of(&picture, &view, 7.1f, 0, 2.9f),
             above = color_of(&picture, &view, 7.1f, 3, 2.9f),
             open = color_of(&picture, &view, 1.9f, 0, 3.1f);
    CHECK(difference(below, open) < 4);
    CHECK(difference(below, above) > 60);
    // One storey may not be drawn over the other: the same place is further apart than it is high.
    tr_vec3 point = {7, 3, 2};
    tr_vec2 low = tr_surface_view_pixel(&view, point, 0), high = tr_surface_view_pixel(&view, point, 1);
    CHECK(high.z + 2 * view.metre < low.z || high.x > low.x + 2 * view.metre);
    CHECK(view.notes_top + 3 * 1.8f * view.text <= (float)picture.height);
    tr_picture_destroy(&picture);
    clear_site(&s);
}

TEST(states_of_cells_show_what_the_flood_of_a_climb_shows) {
    site s;
    build_site(&s, true);
    static uint8_t states[20000];
    uint32_t count = tr_surface_cell_count(s.surface);
    REQUIRE(count <= sizeof states);
    for (uint32_t i = 0; i < count; i++)
        states[i] = (uint8_t)tr_surface_route_state_of(s.route, i);
    tr_surface_layers flood = {.surface = s.surface, .route = s.route, .width = 800},
                      told = {.surface = s.surface, .states = states, .width = 800},
                      none = {.surface = s.surface, .width = 800};
    tr_picture a, b, c;
    REQUIRE(tr_picture_draw_surface(NULL, &flood, "states", &a, NULL, NULL) == TR_OK);
    REQUIRE(tr_picture_draw_surface(NULL, &told, "states", &b, NULL, NULL) == TR_OK);
    REQUIRE(tr_picture_draw_surface(NULL, &none, "states", &c, NULL, NULL) == TR_OK);
    REQUIRE(a.width == b.width && a.height == b.height);
    CHECK(memcmp(a.pixels, b.pixels, (size_t)3 * a.width * a.height) == 0);
    CHECK(c.height != a.height || memcmp(a.pixels, c.pixels, (size_t)3 * a.width * a.height) != 0);
    tr_picture_destroy(&a);
    tr_picture_destroy(&b);
    tr_picture_destroy(&c);
    clear_site(&s);
}

TEST(a_metre_is_as_long_along_every_axis) {
    site s;
    build_site(&s, false);
    tr_surface_layers layers = {.surface = s.surface, .width = 640};
    tr_picture picture;
    tr_surface_view view;
    REQUIRE(tr_picture_draw_surface(NULL, &layers, "axes", &picture, &view, NULL) == TR_OK);
    tr_vec3 origin = {3, 0, 3}, ends[3] = {{4, 0, 3}, {3, 1, 3}, {3, 0, 4}};
    tr_vec2 from = tr_surface_view_pixel(&view, origin, 0);
    for (int i = 0; i < 3; i++) {
        tr_vec2 to = tr_surface_view_pixel(&view, ends[i], 0);
        CHECK_NEAR((double)hypotf(to.x - from.x, to.z - from.z), (double)view.metre, 0.01);
    }
    tr_picture_destroy(&picture);
    clear_site(&s);
}

TEST(pictures_of_surfaces_that_cannot_be_made_are_refused) {
    site s;
    build_site(&s, false);
    tr_picture picture = {.width = 77};
    tr_error error = {0};
    tr_surface_layers layers = {.surface = s.surface, .width = 100};
    CHECK_INT(tr_picture_draw_surface(NULL, &layers, NULL, &picture, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "not 100");
    layers.width = 16385;
    CHECK_INT(tr_picture_draw_surface(NULL, &layers, NULL, &picture, NULL, &error), TR_INVALID);
    layers.width = 400;
    layers.note_lines = 101;
    CHECK_INT(tr_picture_draw_surface(NULL, &layers, NULL, &picture, NULL, &error), TR_INVALID);
    layers.note_lines = 0;
    layers.surface = NULL;
    CHECK_INT(tr_picture_draw_surface(NULL, &layers, NULL, &picture, NULL, &error), TR_INVALID);
    CHECK_INT(tr_picture_draw_surface(NULL, NULL, NULL, &picture, NULL, NULL), TR_INVALID);
    site other;
    build_site(&other, true);
    layers.surface = s.surface;
    layers.route = other.route;
    CHECK_INT(tr_picture_draw_surface(NULL, &layers, NULL, &picture, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "another surface");
    CHECK_INT(picture.width, 77);
    clear_site(&other);
    clear_site(&s);
}

TEST(a_surface_of_one_cell_and_one_without_ground_can_be_drawn) {
    for (int i = 0; i < 2; i++) {
        site s = {NULL, NULL, NULL, NULL};
        tr_raster_def raster = {.backend = TR_RASTER_SOFT};
        tr_surface_def def = tr_surface_def_default();
        REQUIRE(tr_scene_create(NULL, &s.scene) == TR_OK);
        add_box(s.scene, tr_vec3_make(0, 0, 0), tr_vec3_make(0.9f, 0.5f, 0.9f));
        tr_voxel_grid grid = {{{0, 0}, 1, 1, 1}, i == 0 ? 0.0f : 5.0f, 0.1f, 10};
        def.grid = grid;
        REQUIRE(tr_raster_create(&raster, &s.raster, NULL) == TR_OK);
        REQUIRE(tr_surface_create(&def, &s.surface, NULL) == TR_OK);
        REQUIRE(tr_surface_build(s.surface, s.raster, s.scene, NULL) == TR_OK);
        tr_surface_layers layers = {.surface = s.surface, .width = 400};
        tr_picture picture;
        tr_surface_view view;
        REQUIRE(tr_picture_draw_surface(NULL, &layers, NULL, &picture, &view, NULL) == TR_OK);
        CHECK_INT(view.storey_count, 1);
        tr_picture_destroy(&picture);
        clear_site(&s);
    }
}

static site shared_site;

static bool draw_with(const tr_allocator *allocator) {
    tr_surface_layers layers = {.surface = shared_site.surface, .route = shared_site.route, .width = 320};
    tr_picture picture;
    if (tr_picture_draw_surface(allocator, &layers, "memory", &picture, NULL, NULL) != TR_OK)
        return false;
    tr_picture_destroy(&picture);
    return true;
}

TEST(every_allocation_may_fail) {
    build_site(&shared_site, true);
    CHECK_EVERY_ALLOCATION_FAILURE(draw_with);
    clear_site(&shared_site);
}
