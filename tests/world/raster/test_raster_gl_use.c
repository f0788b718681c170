// How a program lives with the `gl` back end: requests in flight, callbacks, contexts of its own, memory,
// large grids.
#include "world/little.h"
#include "world/nearest.h"
#include "world/open_gl.h"
#include "troupe/world/sample.h"

#include <dlfcn.h>
#include <stdlib.h>

static tr_bitmap make_plane(const tr_grid *grid) {
    tr_bitmap plane = {0};
    CHECK_INT(tr_bitmap_create(NULL, grid->columns, grid->rows, &plane), TR_OK);
    return plane;
}

static tr_scene *make_scene(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    return scene;
}

TEST(a_rasteriser_has_a_name_or_a_reason) {
    tr_error error = {0};
    tr_raster_def def = {.backend = TR_RASTER_GL};
    tr_raster *raster = NULL;
    tr_status status = tr_raster_create(&def, &raster, &error);
    if (status == TR_OK) {
        CHECK_CONTAINS(tr_raster_name(raster), "gl (");
        CHECK_INT(tr_raster_which(raster), TR_RASTER_GL);
    } else {
        CHECK_INT(status, TR_UNAVAILABLE);
        CHECK(!raster && strlen(error.message) > 10);
    }
    tr_raster_destroy(raster);
}

TEST(three_requests_fly_at_once_and_come_back_in_order) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_scene *scene = make_scene();
    uint32_t box = little_box(scene, little_make_box(0, 0, 0, 0.9f, 1, 0.9f), 0);
    tr_grid grid = {{0, 0}, 1, 70, 8};
    tr_bitmap planes[4];
    for (int i = 0; i < 4; i++)
        planes[i] = make_plane(&grid);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
            // The scene may change as soon as submit has returned.
            tr_affine placement = little_move((float)(20 * i + round) + 0.05f, 0, (float)round + 0.05f);
            CHECK_INT(tr_scene_place(scene, box, &placement), TR_OK);
            tr_raster_request request = little_request(scene, &grid, &planes[i]);
            CHECK_INT(tr_raster_submit(gl, &request, NULL), TR_OK);
        }
        tr_raster_request fourth = little_request(scene, &grid, &planes[3]);
        CHECK_INT(tr_raster_submit(gl, &fourth, NULL), TR_LIMIT);
        CHECK_INT(tr_raster_draw(gl, &fourth, NULL), TR_INVALID);
        for (uint32_t i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
            CHECK_INT(tr_raster_collect(gl, NULL), TR_OK);
            CHECK_INT(tr_bitmap_count(&planes[i]), 1);
            CHECK(tr_bitmap_get(&planes[i], 20 * i + round, round));
        }
        CHECK_INT(tr_raster_collect(gl, NULL), TR_DONE);
    }
    tr_raster_request left = little_request(scene, &grid, &planes[3]);
    CHECK_INT(tr_raster_submit(gl, &left, NULL), TR_OK);
    tr_raster_destroy(gl); // with one in flight
    for (int i = 0; i < 4; i++)
        tr_bitmap_destroy(NULL, &planes[i]);
    tr_scene_destroy(scene);
}

TEST(what_is_excluded_removed_moved_or_added_later_is_seen_as_such) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_scene *scene = make_scene();
    tr_box box = little_make_box(0.1f, 0, 0.1f, 0.9f, 1, 0.9f);
    uint32_t mesh = little_box_mesh(scene, box), object[4];
    for (uint32_t i = 0; i < 4; i++)
        object[i] = little_object(scene, mesh, little_move((float)i, 0, 0), i == 1 ? TR_TAG_WALKABLE : 0);
    tr_grid grid = {{0, 0}, 1, 9, 3};
    tr_bitmap plane = make_plane(&grid);
    tr_raster_request request = little_request(scene, &grid, &plane);
    request.band.exclude_tags = TR_TAG_WALKABLE;
    request.band.exclude_object = object[2];
    CHECK_INT(tr_scene_remove_object(scene, object[3]), TR_OK);
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    CHECK_HASH(plane.words[0], 1);
    tr_affine moved = little_move(4, 0, 0);
    CHECK_INT(tr_scene_place(scene, object[0], &moved), TR_OK);
    little_box(scene, little_make_box(6.1f, 0, 0.1f, 6.9f, 1, 0.9f), 0); // a mesh that is not on the card yet
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    CHECK_HASH(plane.words[0], 1 << 4 | 1 << 6);
    tr_scene *other = make_scene(); // and a scene that has nothing
    request.scene = other;
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    CHECK_INT(tr_bitmap_count(&plane), 0);
    tr_bitmap_destroy(NULL, &plane);
    tr_scene_destroy(scene);
    tr_scene_destroy(other);
    tr_raster_destroy(gl);
}

// The few functions of OpenGL that a program's own drawing needs, found as such a program would.
typedef struct own_gl {
    void *(*get_address)(const char *name);
    void (*gen_vertex_arrays)(int, unsigned *);
    void (*bind_vertex_array)(unsigned);
    void (*gen_buffers)(int, unsigned *);
    void (*bind_buffer)(unsigned, unsigned);
    void (*buffer_data)(unsigned, ptrdiff_t, const void *, unsigned);
    void (*attribute)(unsigned, int, unsigned, unsigned char, int, const void *);
    void (*enable_attribute)(unsigned);
    void (*uniform_matrix)(int, int, unsigned char, const float *);
    void (*draw_arrays)(unsigned, int, int);
    void (*delete_buffers)(int, const unsigned *);
    void (*delete_vertex_arrays)(int, const unsigned *);
    void (*enable)(unsigned);
} own_gl;

static void find_function(void *function, void *address) {
    CHECK(address);
    memcpy(function, &address, sizeof address);
}

static own_gl find_own_gl(void) {
    own_gl gl = {0};
    void *library = dlopen("libEGL.so.1", RTLD_NOW);
    find_function(&gl.get_address, dlsym(library, "eglGetProcAddress"));
    find_function(&gl.gen_vertex_arrays, gl.get_address("glGenVertexArrays"));
    find_function(&gl.bind_vertex_array, gl.get_address("glBindVertexArray"));
    find_function(&gl.gen_buffers, gl.get_address("glGenBuffers"));
    find_function(&gl.bind_buffer, gl.get_address("glBindBuffer"));
    find_function(&gl.buffer_data, gl.get_address("glBufferData"));
    find_function(&gl.attribute, gl.get_address("glVertexAttribPointer"));
    find_function(&gl.enable_attribute, gl.get_address("glEnableVertexAttribArray"));
    find_function(&gl.uniform_matrix, gl.get_address("glUniformMatrix4fv"));
    find_function(&gl.draw_arrays, gl.get_address("glDrawArrays"));
    find_function(&gl.delete_buffers, gl.get_address("glDeleteBuffers"));
    find_function(&gl.delete_vertex_arrays, gl.get_address("glDeleteVertexArrays"));
    find_function(&gl.enable, gl.get_address("glEnable"));
    return gl;
}

// A drawn object that also draws with OpenGL: the corners relative to `at`, moved there by the model matrix.
typedef struct own_drawing {
    little_drawing emitted;
    own_gl gl;
    tr_vec3 at;
    uint32_t drawn;
    tr_gl_target target; // of the last call
} own_drawing;

static void draw_own(void *user, const tr_gl_target *target) {
    enum { ARRAY_BUFFER = 0x8892, STATIC_DRAW = 0x88e4, FLOAT = 0x1406, TRIANGLES = 4, CULL_FACE = 0x0b44 };
    own_drawing *drawing = user;
    const own_gl *gl = &drawing->gl;
    drawing->drawn++;
    drawing->target = *target;
    tr_vec3 local[36];
    for (uint32_t i = 0; i < 3 * drawing->emitted.triangles; i++)
        local[i] = tr_vec3_subtract(drawing->emitted.corners[i], drawing->at);
    unsigned array, buffer;
    gl->gen_vertex_arrays(1, &array);
    gl->bind_vertex_array(array);
    gl->gen_buffers(1, &buffer);
    gl->bind_buffer(ARRAY_BUFFER, buffer);
    gl->buffer_data(ARRAY_BUFFER, sizeof local, local, STATIC_DRAW);
    gl->attribute(0, 3, FLOAT, 0, 0, NULL);
    gl->enable_attribute(0);
    const float model[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, drawing->at.x, drawing->at.y, drawing->at.z,
                             1};
    gl->uniform_matrix(target->model_location, 1, 0, model);
    gl->enable(CULL_FACE); // left on: the next object must not suffer
    gl->draw_arrays(TRIANGLES, 0, (int)(3 * drawing->emitted.triangles));
    gl->delete_buffers(1, &buffer);
    gl->delete_vertex_arrays(1, &array);
}

typedef struct all_planes {
    tr_bitmap occupied, widened;
    float floor[64 * 48], overhang[64 * 48];
} all_planes;

static void draw_all(tr_raster *gl, const tr_scene *scene, all_planes *made) {
    tr_grid grid = {{-1, -1}, 0.1f, 64, 48};
    tr_raster_request request = little_request(scene, &grid, &made->occupied);
    made->occupied = make_plane(&grid);
    made->widened = make_plane(&grid);
    request.widened = &made->widened;
    request.radius = 0.33f;
    request.floor = made->floor, request.overhang = made->overhang;
    request.split = 0.9f;
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
}

static void check_same_planes(all_planes *made, const all_planes *expected) {
    CHECK(tr_bitmap_count(&made->occupied) > 0);
    CHECK(tr_bitmap_equal(&made->occupied, &expected->occupied));
    CHECK(tr_bitmap_equal(&made->widened, &expected->widened));
    for (size_t i = 0; i < 64 * 48; i++) {
        CHECK(made->floor[i] == expected->floor[i] || fabsf(made->floor[i] - expected->floor[i]) < 1e-5f);
        CHECK(made->overhang[i] == expected->overhang[i] ||
              fabsf(made->overhang[i] - expected->overhang[i]) < 1e-5f);
    }
    tr_bitmap_destroy(NULL, &made->occupied);
    tr_bitmap_destroy(NULL, &made->widened);
}

TEST(what_a_callback_emits_or_draws_has_the_same_cells_as_a_mesh) {
    static all_planes as_mesh, as_emitted, as_drawn;
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    // Two boxes, so that the state one callback leaves behind is met by the next.
    tr_box box[2] = {little_make_box(0.33f, 0.2f, 0.41f, 1.77f, 1.1f, 0.83f),
                     little_make_box(2.5f, -1, 1.5f, 3.25f, 3, 2.5f)};
    own_drawing drawing[2] = {{.gl = find_own_gl()}, {.gl = find_own_gl()}};
    tr_scene *meshes = make_scene(), *emitted = make_scene(), *drawn = make_scene();
    for (int i = 0; i < 2; i++) {
        drawing[i].at = tr_vec3_make(0.25f, 0.5f, -0.125f);
        little_draw_box(&drawing[i].emitted, box[i]);
        little_box(meshes, box[i], 0);
        little_drawn(emitted, &drawing[i].emitted, box[i]);
        tr_drawn_def def = {.bounds = box[i], .user = &drawing[i], .emit = little_emit, .draw_gl = draw_own};
        uint32_t object;
        CHECK_INT(tr_scene_add_drawn(drawn, &def, &object, NULL), TR_OK);
    }
    draw_all(gl, meshes, &as_mesh);
    draw_all(gl, emitted, &as_emitted);
    check_same_planes(&as_emitted, &as_mesh);
    uint32_t emissions = drawing[0].emitted.emitted;
    CHECK(emissions > 0);
    draw_all(gl, drawn, &as_drawn);
    CHECK_INT(drawing[0].drawn, 1);
    CHECK_INT(drawing[1].drawn, 1);
    CHECK_INT(drawing[0].emitted.emitted, emissions); // not asked to emit as well
    check_same_planes(&as_drawn, &as_mesh);
    CHECK(drawing[0].target.program != 0 && drawing[0].target.framebuffer != 0);
    tr_vec3 clip = tr_affine_apply(&drawing[0].target.world_to_clip, tr_vec3_make(2.2f, 0.925f, 1.4f));
    CHECK_NEAR(tr_vec3_length(clip), 0, 1e-5); // the middle of grid and band
    tr_bitmap_destroy(NULL, &as_mesh.occupied);
    tr_bitmap_destroy(NULL, &as_mesh.widened);
    tr_scene_destroy(meshes);
    tr_scene_destroy(emitted);
    tr_scene_destroy(drawn);
    tr_raster_destroy(gl);
}

TEST(a_callback_that_emits_nonsense_is_refused_and_nothing_is_drawn) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, 3};
    tr_grid grid = {{0, 0}, 0.25f, 16, 16};
    tr_bitmap plane = make_plane(&grid);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_scene *scene = make_scene();
        little_drawing drawing = {.triangles = 12};
        tr_box box = little_make_box(0.5f, 0, 0.5f, 2, 1, 2);
        little_draw_box(&drawing, box);
        drawing.corners[17].z = bad[i];
        little_drawn(scene, &drawing, box);
        tr_raster_request request = little_request(scene, &grid, &plane);
        tr_bitmap_set(&plane, 3, 3);
        tr_error error = {0};
        CHECK_INT(tr_raster_draw(gl, &request, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "drawn object 0");
        CHECK_INT(tr_bitmap_count(&plane), 1);
        CHECK_INT(tr_raster_prepare(gl, scene, &grid, NULL), TR_INVALID);
        little_draw_box(&drawing, box);
        CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
        CHECK_INT(tr_bitmap_count(&plane), 64);
        tr_bitmap_clear(&plane);
        tr_scene_destroy(scene);
    }
    tr_bitmap_destroy(NULL, &plane);
    tr_raster_destroy(gl);
}

// A box and a drawn object, prepared and drawn with memory running out somewhere.
static bool attempt_draw(const tr_allocator *allocator) {
    tr_raster_def def = {.backend = TR_RASTER_GL, .allocator = allocator};
    tr_raster *raster = NULL;
    tr_error error;
    tr_status status = tr_raster_create(&def, &raster, &error);
    tr_scene *scene = make_scene();
    tr_box box = little_make_box(0.5f, 0, 0.5f, 2, 1, 2);
    little_drawing drawing = {0};
    little_draw_box(&drawing, box);
    little_box(scene, box, 0);
    little_drawn(scene, &drawing, box);
    tr_grid grid = {{0, 0}, 0.25f, 16, 16};
    tr_bitmap plane = make_plane(&grid);
    if (status == TR_OK)
        status = tr_raster_prepare(raster, scene, &grid, &error);
    tr_raster_request request = little_request(scene, &grid, &plane);
    if (status == TR_OK)
        status = tr_raster_draw(raster, &request, &error);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_raster_destroy(raster);
    tr_bitmap_destroy(NULL, &plane);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(running_out_of_memory_anywhere_is_a_status) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_raster_destroy(gl);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_draw) >= 3);
}

TEST(a_prepared_scene_is_drawn_without_allocating) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_raster *gl = open_gl(&allocator);
    if (!gl)
        return;
    tr_sample sample;
    tr_sample_def def = {.name = tr_sample_name(0)};
    REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
    little_drawing drawing = {0};
    tr_box box = little_make_box(0.5f, 0, 0.5f, 2, 1, 2);
    little_draw_box(&drawing, box);
    little_drawn(sample.scene, &drawing, box);
    tr_grid grid;
    REQUIRE(tr_grid_divide(sample.ground, 100, &grid, NULL) == TR_OK);
    tr_bitmap plane = make_plane(&grid);
    float *floor = malloc(sizeof(float) * grid.columns * grid.rows * 2);
    CHECK_INT(tr_raster_prepare(gl, sample.scene, &grid, NULL), TR_OK);
    uint64_t calls = memory.calls;
    tr_raster_request request = little_request(sample.scene, &grid, &plane);
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    request.floor = floor, request.overhang = floor + (size_t)grid.columns * grid.rows;
    request.split = 1;
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    CHECK_INT(memory.calls, calls);
    free(floor);
    tr_bitmap_destroy(NULL, &plane);
    tr_scene_destroy(sample.scene);
    tr_raster_destroy(gl);
    CHECK_INT(memory.live_bytes, 0);
}

// Few triangles on a grid of many tiles, one of them so large that the pass for large ones takes it.
TEST(grids_of_many_tiles_have_the_same_cells_as_soft) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_raster *soft = little_raster(0);
    tr_vec3 corners[9] = {{100, 1, 50},     {9000, 1, 700},   {300, 1, 3000},
                          {2047.5f, 0, 10}, {2048.5f, 1, 10}, {2048, 2, 4000},
                          {12000, 1, 4100}, {15000, 1, 100},  {15000, 1, 101}};
    uint32_t indices[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, mesh;
    tr_mesh_def def = {.positions = corners, .position_count = 9, .indices = indices, .triangle_count = 3};
    tr_scene *scene = make_scene();
    REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    tr_grid grid = {{0, 0}, 0.5f, 32768, 8192};
    tr_bitmap by_gl = make_plane(&grid), by_soft = make_plane(&grid);
    tr_raster_request request = little_request(scene, &grid, &by_gl);
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    request.occupied = &by_soft;
    CHECK_INT(tr_raster_draw(soft, &request, NULL), TR_OK);
    CHECK(tr_bitmap_count(&by_gl) > 1000000);
    uint64_t differ = 0;
    for (uint32_t row = 0; row < grid.rows; row++)
        for (uint32_t column = 0; column < grid.columns; column++) {
            if (tr_bitmap_get(&by_gl, column, row) == tr_bitmap_get(&by_soft, column, row))
                continue;
            differ++;
            double exact = INFINITY;
            for (uint32_t i = 0; i < 3; i++) {
                double triangle[3][3];
                oracle_triangle(scene, 0, i, triangle);
                nearest_polygon polygon = nearest_in_band(&grid, &request.band, triangle, 0);
                exact = fmin(exact, nearest_distance(&polygon, column, row));
            }
            if (!(exact > 0 && exact <= 1.4143 * tr_raster_slack(&grid)))
                test_failed(__FILE__, __LINE__, "soft and gl differ in cell (%u, %u), %g cells off", column,
                            row, exact);
        }
    CHECK(differ < 4000);
    tr_bitmap_destroy(NULL, &by_gl);
    tr_bitmap_destroy(NULL, &by_soft);
    tr_scene_destroy(scene);
    tr_raster_destroy(gl);
    tr_raster_destroy(soft);
}

// Heights of a grid too large for one piece.
TEST(heights_of_a_large_grid_are_drawn_in_bands_of_rows) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_scene *scene = make_scene();
    little_box(scene, little_make_box(0, 0.2f, 0, 150, 0.5f, 140), 0);
    tr_grid grid = {{0, 0}, 0.1f, 2100, 1200};
    size_t count = (size_t)grid.columns * grid.rows;
    float *floor = malloc(count * 2 * sizeof *floor);
    tr_raster_request request = little_request(scene, &grid, NULL);
    request.floor = floor, request.overhang = floor + count;
    request.split = 1;
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    for (size_t i = 0; i < count; i++) {
        bool inside = i % grid.columns <= 1500;
        CHECK(inside ? fabsf(floor[i] - 0.5f) < 1e-6f : floor[i] == -INFINITY);
        CHECK(floor[count + i] == INFINITY);
    }
    free(floor);
    tr_scene_destroy(scene);
    tr_raster_destroy(gl);
}

TEST(a_radius_of_too_many_cells_is_refused_with_the_numbers) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_scene *scene = make_scene();
    tr_grid grid = {{0, 0}, 0.25f, 16, 16};
    tr_bitmap plane = make_plane(&grid);
    tr_raster_request request = little_request(scene, &grid, NULL);
    request.widened = &plane;
    request.radius = 2000;
    tr_error error = {0};
    CHECK_INT(tr_raster_draw(gl, &request, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "8000");
    CHECK_CONTAINS(error.message, "4096");
    tr_bitmap_destroy(NULL, &plane);
    tr_scene_destroy(scene);
    tr_raster_destroy(gl);
}

// A program's own context, made through the same EGL.
typedef struct own_context {
    void *display, *context;
    unsigned (*make_current)(void *, void *, void *, void *);
    void *(*current)(void);
    unsigned (*query_api)(void);
    unsigned (*destroy)(void *, void *);
} own_context;

static bool make_own_context(own_context *own) {
    enum { SURFACELESS = 0x31dd, NONE = 0x3038, OPENGL_ES_API = 0x30a0, CLIENT_VERSION = 0x3098 };
    void *library = dlopen("libEGL.so.1", RTLD_NOW);
    void *(*get_address)(const char *);
    void *(*get_display)(unsigned, void *, const int *);
    unsigned (*initialize)(void *, int *, int *), (*bind_api)(unsigned);
    void *(*create)(void *, void *, void *, const int *);
    find_function(&get_address, dlsym(library, "eglGetProcAddress"));
    find_function(&initialize, dlsym(library, "eglInitialize"));
    find_function(&bind_api, dlsym(library, "eglBindAPI"));
    find_function(&create, dlsym(library, "eglCreateContext"));
    find_function(&own->make_current, dlsym(library, "eglMakeCurrent"));
    find_function(&own->current, dlsym(library, "eglGetCurrentContext"));
    find_function(&own->query_api, dlsym(library, "eglQueryAPI"));
    find_function(&own->destroy, dlsym(library, "eglDestroyContext"));
    find_function(&get_display, get_address("eglGetPlatformDisplayEXT"));
    own->display = get_display(SURFACELESS, NULL, NULL);
    const int attributes[] = {CLIENT_VERSION, 2, NONE};
    if (!own->display || !initialize(own->display, NULL, NULL) || !bind_api(OPENGL_ES_API))
        return false;
    own->context = create(own->display, NULL, NULL, attributes);
    return own->context && own->make_current(own->display, NULL, NULL, own->context);
}

TEST(the_context_of_the_caller_is_current_again_after_every_call) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    own_context own;
    if (!make_own_context(&own)) {
        tr_raster_destroy(gl);
        test_skip("no second context without a window can be had here");
        return;
    }
    unsigned api = own.query_api();
    tr_scene *scene = make_scene();
    little_box(scene, little_make_box(0.5f, 0, 0.5f, 2, 1, 2), 0);
    tr_grid grid = {{0, 0}, 0.25f, 16, 16};
    tr_bitmap plane = make_plane(&grid);
    tr_raster_request request = little_request(scene, &grid, &plane);
    CHECK_INT(tr_raster_prepare(gl, scene, &grid, NULL), TR_OK);
    CHECK(own.current() == own.context);
    CHECK_INT(tr_raster_submit(gl, &request, NULL), TR_OK);
    CHECK(own.current() == own.context);
    CHECK_INT(tr_raster_collect(gl, NULL), TR_OK);
    CHECK(own.current() == own.context);
    CHECK(tr_bitmap_count(&plane) > 0);
    tr_raster_destroy(gl);
    CHECK(own.current() == own.context);
    CHECK_INT(own.query_api(), api);
    own.make_current(own.display, NULL, NULL, NULL);
    own.destroy(own.display, own.context);
    tr_bitmap_destroy(NULL, &plane);
    tr_scene_destroy(scene);
}
