#include "io/gltf/gltf_build.h"
#include "troupe/io/file.h"
#include "troupe/io/scene_file.h"

#include <sys/stat.h>

#define FOLDER "test_scene_file_folder"

static void write_file(const char *path, const void *data, size_t size) {
    tr_error error = {0};
    mkdir(FOLDER, 0777);
    if (tr_file_write(path, data, size, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
}

static const char triangle_obj[] = "# a file\no t\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
static const char triangle_ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n2 0 3\n0 0 3\n4 0 1 2 "
    "3\n";

// Read a file into a scene that holds something; the status, and how many triangles came.
static tr_status read(const char *path, const tr_scene_read_options *options, uint64_t *triangles,
                      tr_error *error) {
    tr_scene *scene = reading_scene(NULL);
    memset(error, 0, sizeof *error);
    tr_status status = tr_scene_file_read(path, options, scene, error);
    *triangles = tr_scene_triangle_count(scene) - 1;
    if (status != TR_OK)
        CHECK(reading_scene_is_untouched(scene));
    tr_scene_destroy(scene);
    return status;
}

static void check_reads(const char *path, const void *data, size_t size) {
    uint64_t triangles;
    tr_error error;
    write_file(path, data, size);
    if (read(path, NULL, &triangles, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
    CHECK_INT(triangles, 1);
    remove(path);
}

TEST(the_content_tells_the_format_then_the_ending) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_set_json(&build, "{" GLTF_ASSET GLTF_TRIANGLE ", 'nodes': [{'mesh': 0}]}");
    gltf_make_glb(&build);
    check_reads(FOLDER "/a.glb", build.glb, build.glb_size);
    check_reads(FOLDER "/wrong.obj", build.glb, build.glb_size);
    check_reads(FOLDER "/no_ending", build.glb, build.glb_size);
    check_reads(FOLDER "/a.obj", triangle_obj, sizeof triangle_obj - 1);
    check_reads(FOLDER "/A.OBJ", triangle_obj, sizeof triangle_obj - 1);
    check_reads(FOLDER "/obj", triangle_obj, sizeof triangle_obj - 1);
}

static void make_text(gltf_build *build, const char *uri) {
    char json[1500];
    snprintf(json, sizeof json,
             "\n {" GLTF_ASSET "'buffers': [{'byteLength': 44, 'uri': '%s'}],"
             "'bufferViews': [{'buffer': 0, 'byteLength': 36}],"
             "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}],"
             "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'nodes': [{'mesh': 0}]}",
             uri);
    gltf_set_json(build, json);
}

TEST(buffers_are_read_beside_the_file) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/sub", 0777);
    write_file(FOLDER "/one two.bin", build.bytes, build.size);
    write_file(FOLDER "/sub/three.bin", build.bytes, build.size);
    static const char *const uris[] = {"one%20two.bin", "one two.bin", "sub/three.bin", "./sub/%74hree.bin"};
    for (int i = 0; i < 4; i++) {
        make_text(&build, uris[i]);
        check_reads(FOLDER "/a.gltf", build.json, strlen(build.json));
    }
    remove(FOLDER "/one two.bin");
    remove(FOLDER "/sub/three.bin");
}

TEST(uris_that_reach_elsewhere_are_refused) {
    static const struct {
        const char *uri;
        tr_status status;
        const char *sentence;
    } bad[] = {{"/etc/passwd", TR_BAD_FILE, "the URI \"/etc/passwd\" is refused: it must not be absolute"},
               {"%2Fetc/passwd", TR_BAD_FILE, "it must not be absolute"},
               {"\\\\\\\\server\\\\x", TR_BAD_FILE, "it must not be absolute"},
               {"file:///etc/passwd", TR_BAD_FILE, "data: is the only scheme allowed"},
               {"http://example.org/a.bin", TR_BAD_FILE, "data: is the only scheme allowed"},
               {"c:/a.bin", TR_BAD_FILE, "data: is the only scheme allowed"},
               {"../a.bin", TR_BAD_FILE, "it must not contain \"..\""},
               {"sub/../../a.bin", TR_BAD_FILE, "it must not contain \"..\""},
               {"%2e%2e/a.bin", TR_BAD_FILE, "it must not contain \"..\""},
               {"a%00.bin", TR_BAD_FILE, "the URI \"a%00.bin\" has an invalid % escape"},
               {"a%2", TR_BAD_FILE, "has an invalid % escape"},
               {"", TR_BAD_FILE, "it is empty"},
               {"missing.bin", TR_NO_FILE, "cannot read: No such file"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gltf_build build = {0};
        uint64_t triangles;
        tr_error error;
        make_text(&build, bad[i].uri);
        write_file(FOLDER "/bad.gltf", build.json, strlen(build.json));
        CHECK_INT(read(FOLDER "/bad.gltf", NULL, &triangles, &error), bad[i].status);
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK_CONTAINS(error.file, bad[i].status == TR_NO_FILE ? "missing.bin" : "bad.gltf");
    }
    remove(FOLDER "/bad.gltf");
}

TEST(an_error_names_the_file_and_the_line) {
    uint64_t triangles;
    tr_error error;
    char text[700];
    write_file(FOLDER "/bad.obj", "v 0 0 0\nv 0 x 0\n", 16);
    CHECK_INT(read(FOLDER "/bad.obj", NULL, &triangles, &error), TR_BAD_FILE);
    CHECK_TEXT(tr_error_format(&error, text, sizeof text),
               FOLDER "/bad.obj:2: y of a vertex is \"x\", it must be a number");
    CHECK_INT(read(FOLDER "/none.obj", NULL, &triangles, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.file, "none.obj");
    CHECK_INT(read(FOLDER, NULL, &triangles, &error), TR_NO_FILE);
    CHECK_INT(read("", NULL, &triangles, &error), TR_INVALID);
    write_file(FOLDER "/what", "hello", 5);
    CHECK_INT(read(FOLDER "/what", NULL, &triangles, &error), TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "the format of the file is unknown, by its content and by its name");
    tr_scene_read_options options = tr_scene_read_options_default();
    options.metres_per_unit = -1;
    CHECK_INT(read(FOLDER "/what", &options, &triangles, &error), TR_INVALID);
    remove(FOLDER "/bad.obj");
    remove(FOLDER "/what");
}

TEST(other_formats_come_through_assimp) {
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    tr_scene_read_options options = tr_scene_read_options_default();
    options.up = TR_UP_Z;
    options.metres_per_unit = 2;
    write_file(FOLDER "/a.ply", triangle_ply, sizeof triangle_ply - 1);
    tr_status status = tr_scene_file_read(FOLDER "/a.ply", &options, scene, &error);
    remove(FOLDER "/a.ply");
    if (status == TR_UNAVAILABLE) {
        CHECK_CONTAINS(error.message, "libassimp");
        CHECK(reading_scene_is_untouched(scene));
        test_skip("assimp is not installed");
        tr_scene_destroy(scene);
        return;
    }
    CHECK_INT(status, TR_OK);
    CHECK_INT(tr_scene_triangle_count(scene), 3);
    tr_box box = tr_scene_object(scene, 1).bounds; // 0 to 2 in x, 0 to 3 in z, which becomes y
    CHECK_NEAR(box.max.x, 4, 1e-6);
    CHECK_NEAR(box.max.y, 6, 1e-6);
    CHECK_NEAR(box.min.z, 0, 1e-6);
    tr_scene_destroy(scene);
    uint64_t triangles;
    write_file(FOLDER "/bad.ply", "ply\nnonsense", 12);
    CHECK_INT(read(FOLDER "/bad.ply", NULL, &triangles, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "assimp cannot read the file: ");
    write_file(FOLDER "/a.xyzzy", "nonsense", 8);
    CHECK_INT(read(FOLDER "/a.xyzzy", NULL, &triangles, &error), TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "neither Troupe nor assimp can read \".xyzzy\" files");
    options.max_triangles = 1;
    write_file(FOLDER "/a.ply", triangle_ply, sizeof triangle_ply - 1);
    CHECK_INT(read(FOLDER "/a.ply", &options, &triangles, &error), TR_LIMIT);
    remove(FOLDER "/a.ply");
    remove(FOLDER "/bad.ply");
    remove(FOLDER "/a.xyzzy");
}

static bool read_with(const char *path, const tr_allocator *allocator) {
    tr_scene *scene = reading_scene(allocator);
    if (!scene)
        return false;
    tr_scene_read_options options = tr_scene_read_options_default();
    tr_error error = {0};
    options.allocator = allocator;
    tr_status status = tr_scene_file_read(path, &options, scene, &error);
    CHECK(status == TR_OK ||
          (status == TR_OUT_OF_MEMORY && reading_scene_is_untouched(scene) && error.message[0]));
    tr_scene_destroy(scene);
    return status == TR_OK;
}

static bool read_gltf_with(const tr_allocator *allocator) {
    return read_with(FOLDER "/a.gltf", allocator);
}

TEST(reading_survives_every_failed_allocation) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    make_text(&build, "a.bin");
    write_file(FOLDER "/a.bin", build.bytes, build.size);
    write_file(FOLDER "/a.gltf", build.json, strlen(build.json));
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_gltf_with) > 20);
    remove(FOLDER "/a.bin");
    remove(FOLDER "/a.gltf");
}

static bool read_ply_with(const tr_allocator *allocator) {
    return read_with(FOLDER "/a.ply", allocator);
}

TEST(reading_through_assimp_survives_every_failed_allocation_of_ours) {
    uint64_t triangles;
    tr_error error;
    write_file(FOLDER "/a.ply", triangle_ply, sizeof triangle_ply - 1);
    if (read(FOLDER "/a.ply", NULL, &triangles, &error) == TR_OK)
        CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_ply_with) > 10);
    else
        test_skip("assimp is not installed");
    remove(FOLDER "/a.ply");
}

static void ignore_note(void *user, const char *sentence) {
    (void)user;
    (void)sentence;
}

TEST(sample_files_of_others_are_read) {
    static const struct {
        const char *path;
        uint64_t triangles;
    } files[] = {{"gltf/Fox.glb", 576},
                 {"gltf/RiggedFigure.glb", 256},
                 {"gltf/RiggedSimple.glb", 188},
                 {"gltf/RobotExpressive.glb", 3237},
                 {"gltf/Knight.glb", 6952},
                 {"gltf/InterpolationTest.glb", 110},
                 {"gltf/SimpleSkin/SimpleSkin.gltf", 8},
                 {"gltf/SimpleSparse/SimpleSparseAccessor.gltf", 12},
                 {"scenes/nav_test.obj", 1612},
                 {"scenes/undulating.obj", 5202},
                 {"scenes/collision-world.glb", 1754},
                 {"scenes/kaykit-dungeon/stairs_walled.glb", 790}};
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("the sample files are not here");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[500];
        uint64_t triangles;
        tr_error error;
        tr_scene_read_options options = tr_scene_read_options_default();
        options.note = ignore_note;
        snprintf(path, sizeof path, "%s/%s", folder, files[i].path);
        if (read(path, &options, &triangles, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
        CHECK_INT(triangles, files[i].triangles);
    }
}
