#include "reading.h"
#include "troupe/io/obj.h"

static tr_status read(const char *text, const tr_scene_read_options *options, tr_scene *scene,
                      tr_error *error) {
    return tr_obj_read(text, strlen(text), options, scene, error);
}

// Read into a new scene and check that it works.
static tr_scene *read_well(const char *text, reading_notes *notes) {
    tr_scene *scene = NULL;
    tr_error error = {0};
    reading_notes unwanted;
    tr_scene_read_options options = reading_options(notes ? notes : &unwanted);
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    if (read(text, &options, scene, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "line %u: %s", error.line, error.message);
    return scene;
}

static void check_position(const tr_scene *scene, uint32_t mesh, uint32_t vertex, float x, float y, float z) {
    tr_mesh_view view = tr_scene_mesh(scene, mesh);
    REQUIRE(vertex < view.position_count);
    CHECK_NEAR(view.positions[vertex].x, x, 0);
    CHECK_NEAR(view.positions[vertex].y, y, 0);
    CHECK_NEAR(view.positions[vertex].z, z, 0);
}

TEST(a_square_becomes_one_object_with_two_triangles) {
    tr_scene *scene = read_well("o square\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1.5e0\nf 1 2 3 4\n", NULL);
    REQUIRE(scene);
    CHECK_INT(tr_scene_object_count(scene), 1);
    CHECK_INT(tr_scene_triangle_count(scene), 2);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "square");
    check_position(scene, 0, 3, 0, 0, 1.5f);
    tr_scene_destroy(scene);
}

TEST(all_ways_to_end_a_line_to_join_lines_and_to_comment_are_understood) {
    static const char *const texts[] = {
        "\xef\xbb\xbfv 0 0 0\r\nv 1 0 0 # right\r\n\r\n  v\t1 \t0 1\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 1 0 1\rf 1 2 3",
        "# v 9 9 9\nv 0 \\\n 0 0\nv 1 0 0\nv 1 0 1\nf 1 \\\r\n2 \\\r\n 3\n",
        "#comment \\\nv 0 0 0\nv 1. .0 -0\nv +1 0e5 1e0\nf 1/1 2/2/2 3//3#end",
        "v 0 0 0 1.0\nv 1 0 0 0.5 0.25 1\nv 1 0 1 1 1 1 1\nf -3 -2/-2 -1/-1/-1\n\n\n",
        "mtllib a.mtl\nvt 0 0\nvn 0 1 0\nvp 1 2\ns off\nusemtl b\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 1 0 1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        reading_notes notes;
        tr_scene *scene = read_well(texts[i], &notes);
        REQUIRE(scene);
        CHECK_INT(tr_scene_triangle_count(scene), 1);
        CHECK_INT(notes.count, 0);
        check_position(scene, 0, 0, 0, 0, 0);
        check_position(scene, 0, 1, 1, 0, 0);
        check_position(scene, 0, 2, 1, 0, 1);
        tr_scene_destroy(scene);
    }
}

TEST(each_o_is_an_object_with_the_vertices_it_uses) {
    tr_scene *scene = read_well(
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\no first one \nf 3 4 5\ng part\nf 5 4 3\no empty\n"
        "o second\nf 1 2 3\no second\nf 3 2 1\n",
        NULL);
    REQUIRE(scene);
    REQUIRE(tr_scene_object_count(scene) == 3);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "first one");
    CHECK_TEXT(tr_scene_object(scene, 1).name, "second");
    CHECK_TEXT(tr_scene_object(scene, 2).name, "second");
    CHECK_INT(tr_scene_mesh(scene, 0).position_count, 3);
    CHECK_INT(tr_scene_mesh(scene, 0).triangle_count, 2);
    check_position(scene, 0, 0, 2, 0, 0);
    check_position(scene, 1, 2, 2, 0, 0);
    tr_scene_destroy(scene);
}

TEST(without_o_each_name_of_a_group_is_an_object) {
    tr_scene *scene = read_well(
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\ng a\nf 1 2 3\ng b\nf 1 2 3\ng\ng a\nf 3 2 1\nf 2 1 3\n", NULL);
    REQUIRE(scene);
    REQUIRE(tr_scene_object_count(scene) == 3);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "");
    CHECK_TEXT(tr_scene_object(scene, 1).name, "a");
    CHECK_INT(tr_scene_mesh(scene, 1).triangle_count, 3);
    CHECK_TEXT(tr_scene_object(scene, 2).name, "b");
    tr_scene_destroy(scene);
}

TEST(thousands_of_groups_are_told_apart) {
    static char text[200000];
    size_t length = (size_t)snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 0 1\n");
    for (int i = 0; i < 6000; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "g name%d\nf 1 2 3\n", i % 2000);
    tr_scene *scene = read_well(text, NULL);
    REQUIRE(scene);
    CHECK_INT(tr_scene_object_count(scene), 2000);
    CHECK_INT(tr_scene_triangle_count(scene), 6000);
    CHECK_TEXT(tr_scene_object(scene, 1999).name, "name1999");
    tr_scene_destroy(scene);
}

TEST(a_concave_face_is_cut_along_its_outline) {
    // An L on the ground, one upright, and an arrow: 7, 7 and 4 square metres.
    tr_scene *scene =
        read_well("v 0 0 0\nv 4 0 0\nv 4 0 1\nv 1 0 1\nv 1 0 4\nv 0 0 4\no flat\nf 1 2 3 4 5 6\n"
                  "v 0 0 0\nv 0 4 0\nv 0 4 1\nv 0 1 1\nv 0 1 4\nv 0 0 4\no upright\nf -6 -5 -4 -3 -2 -1\n"
                  "v 0 0 0\nv 4 0 0\nv 1 0 1\nv 0 0 4\no arrow\nf -3 -2 -1 -4\n",
                  NULL);
    REQUIRE(scene);
    static const double twice[3] = {14, 14, 8};
    for (uint32_t i = 0; i < 3; i++) {
        double sum;
        tr_vec3 area = reading_area(scene, i, &sum);
        CHECK_NEAR(tr_vec3_length(area), twice[i], 1e-5);
        CHECK_NEAR(sum, twice[i], 1e-5); // no triangle is turned over
    }
    tr_scene_destroy(scene);
}

TEST(a_face_with_very_many_corners_is_cut_as_a_fan_and_noted) {
    static char text[200000];
    size_t length = 0;
    for (int i = 0; i < TR_OBJ_CORNERS_MAX + 1; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "v %d 0 %d\n", i, i * i);
    text[length++] = 'f';
    for (int i = 0; i < TR_OBJ_CORNERS_MAX + 1; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d", i + 1);
    reading_notes notes;
    tr_scene *scene = read_well(text, &notes);
    REQUIRE(scene);
    CHECK_INT(tr_scene_triangle_count(scene), TR_OBJ_CORNERS_MAX - 1);
    CHECK_CONTAINS(notes.text,
                   "1 faces with more than 2048 corners are assumed to be convex, the first on line 2050");
    tr_scene_destroy(scene);
}

TEST(up_axis_and_unit_are_applied) {
    tr_scene *scene = NULL;
    tr_error error = {0};
    tr_scene_read_options options = tr_scene_read_options_default();
    options.up = TR_UP_Z;
    options.metres_per_unit = 0.5f;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    CHECK_INT(read("v 2 4 6\nv 0 0 2\nv 0 2 0\nf 1 2 3", &options, scene, &error), TR_OK);
    check_position(scene, 0, 0, 1, 3, -2);
    check_position(scene, 0, 1, 0, 1, 0);
    check_position(scene, 0, 2, 0, 0, -1);
    tr_scene_destroy(scene);
}

TEST(points_lines_and_unknown_words_are_noted) {
    reading_notes notes;
    tr_scene *scene = read_well("v 0 0 0\nv 1 0 0\np 1\nl 1 2\nf 1 2\nhello world\n", &notes);
    REQUIRE(scene);
    CHECK_INT(tr_scene_object_count(scene), 0);
    CHECK_INT(notes.count, 3);
    CHECK_CONTAINS(notes.text, "3 points and lines are left out, the first on line 3");
    CHECK_CONTAINS(notes.text, "1 lines begin with a keyword unknown to OBJ, the first is line 6");
    CHECK_CONTAINS(notes.text, "the file has no faces");
    tr_scene_destroy(scene);
}

TEST(a_face_of_two_corners_leaves_its_neighbours_alone) {
    tr_scene *scene = NULL;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nf 1 4\nf 2\nf 2 4 3\nf 3 4\n";
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    CHECK_INT(tr_obj_read(text, sizeof text - 1, NULL, scene, NULL), TR_OK);
    CHECK_INT(tr_scene_triangle_count(scene), 2);
    tr_scene_destroy(scene);
}

TEST(bad_text_is_refused_with_line_and_value) {
    static const struct {
        const char *text;
        uint32_t line;
        const char *sentence;
    } bad[] = {{"v 0 0\n", 1, "a vertex has no z, it must have x, y and z"},
               {"\nv\n", 2, "a vertex has no x, it must have x, y and z"},
               {"v 1 # 2 3\n", 1, "a vertex has no y"},
               {"v 0 zero 0\n", 1, "y of a vertex is \"zero\", it must be a number"},
               {"v 0 0 1.0f\n", 1, "z of a vertex is \"1.0f\", it must be a number"},
               {"v nan 0 0\n", 1, "x of a vertex is \"nan\", it must be a number"},
               {"v 0 -inf 0\n", 1, "y of a vertex is \"-inf\", it must be a number"},
               {"v 0 0 1e999\n", 1, "z of a vertex is 1e999, it must be within 1e+07 m of 0"},
               {"v 0 0 -10000001\n", 1, "z of a vertex is -10000001, it must be within 1e+07 m of 0"},
               {"v 0 0 0\nv 1 0 0\nv 0 0 1\n\nf 1 2 4\n", 5, "a face uses vertex 4, but the file has only 3"},
               {"v 0 0 0\nf 1 1 0\n", 2, "a face uses vertex 0, but 1 vertices come before it"},
               {"v 0 0 0\nf 1 1 -2\n", 2, "a face uses vertex -2, but 1 vertices come before it"},
               {"v 0 0 0\nf 1 1 99999999999999999999\n", 2, "a face uses vertex 99999999999999999999, but"},
               {"v 0 0 0\nf 1 1 4294967296\n", 2, "a face uses vertex 4294967296"},
               {"v 0 0 0\nf 1 \\\n1 x\n", 3, "a corner of a face is \"x\", it must be a vertex number"},
               {"f 1.5 2 3\n", 1, "a corner of a face is \"1.5\""},
               {"f 1/2/3/4 2 3\n", 1, "a corner of a face is \"1/2/3/4\""},
               {"f /1 2 3\n", 1, "a corner of a face is \"/1\""},
               {"f 1/x 2 3\n", 1, "a corner of a face is \"1/x\""},
               {"f\n", 1, "a face has no corners, it must have at least 3"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_scene *scene = reading_scene(NULL);
        tr_error error = {0};
        CHECK_INT(read(bad[i].text, NULL, scene, &error), TR_BAD_FILE);
        CHECK_INT(error.line, bad[i].line);
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK(reading_scene_is_untouched(scene));
        CHECK_INT(read(bad[i].text, NULL, scene, NULL), TR_BAD_FILE); // an error is not asked for
        tr_scene_destroy(scene);
    }
}

TEST(a_zero_byte_and_bad_options_are_refused) {
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    CHECK_INT(tr_obj_read("v 0\0 0", 6, NULL, scene, &error), TR_BAD_FILE);
    CHECK_INT(error.offset, 3);
    CHECK_CONTAINS(error.message, "the text contains a zero byte");
    CHECK_INT(tr_obj_read(NULL, 5, NULL, scene, &error), TR_INVALID);
    CHECK_INT(tr_obj_read(NULL, 0, NULL, scene, &error), TR_OK);
    static const float units[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        tr_scene_read_options options = tr_scene_read_options_default();
        options.metres_per_unit = units[i];
        CHECK_INT(read("", &options, scene, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "metres_per_unit");
    }
    tr_scene_read_options options = tr_scene_read_options_default();
    options.up = (tr_up_axis)7;
    CHECK_INT(read("", &options, scene, &error), TR_INVALID);
    CHECK(reading_scene_is_untouched(scene));
    tr_scene_destroy(scene);
}

TEST(limits_are_kept_and_named) {
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    tr_scene_read_options options = tr_scene_read_options_default();
    const char *text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\no a\nf 1 2 4 3\no b\nf 1 2 3";
    options.max_triangles = 2;
    CHECK_INT(read(text, &options, scene, &error), TR_LIMIT);
    CHECK_INT(error.line, 8);
    CHECK_CONTAINS(error.message, "there are more than 2 triangles");
    options.max_triangles = 3;
    options.max_objects = 1;
    CHECK_INT(read(text, &options, scene, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "object \"b\" is number 2, the maximum number of objects is 1");
    CHECK(reading_scene_is_untouched(scene));
    options.max_objects = 2;
    CHECK_INT(read(text, &options, scene, &error), TR_OK);
    tr_scene_destroy(scene);
}

static const char little[] =
    "# c\r\nv 0 0 0 1\nv 4 0 0\nv 4 0 1\nv 1.5e0 0 \\\n1\nv -1 +0 .5\no a b\nf 1 2 3//1 4/1 -1/1/1\n"
    "g h\nf 1 2 3\nl 1 2\no c\nf 3 2 1\nusemtl x";

TEST(no_truncation_and_no_changed_byte_does_harm) {
    reading_damage(tr_obj_read, (const uint8_t *)little, sizeof little - 1);
}

static bool read_little(const tr_allocator *allocator) {
    tr_scene *scene = reading_scene(allocator);
    if (!scene)
        return false;
    tr_scene_read_options options = tr_scene_read_options_default();
    tr_error error = {0};
    options.allocator = allocator;
    tr_status status = read(little, &options, scene, &error);
    CHECK(status == TR_OK ||
          (status == TR_OUT_OF_MEMORY && reading_scene_is_untouched(scene) && error.message[0]));
    if (status == TR_OK)
        status = read("v 0 0 0\ng a\nf 1 1 1\ng b\nf 1 1 1", &options, scene, &error);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(reading_survives_every_failed_allocation_and_leaves_the_scene_as_it_was) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_little) > 20);
}

static tr_scene *random_scene(uint64_t seed) {
    tr_scene *scene = NULL;
    tr_random random = tr_random_seed(seed);
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    static const char *const names[] = {"chair", NULL, "a b", " odd\nname\\", "\xc3\xa9"};
    for (int i = 0; i < 5; i++) {
        tr_vec3 positions[40];
        uint32_t indices[60], object;
        for (int k = 0; k < 40; k++) {
            float size = k % 7 == 0 ? 1e-7f : k % 5 == 0 ? 1e6f : 10;
            positions[k].x = tr_random_between(&random, -size, size);
            positions[k].y = tr_random_between(&random, -size, size);
            positions[k].z = tr_random_between(&random, -size, size);
        }
        for (int k = 0; k < 60; k++)
            indices[k] = k < 40 ? (uint32_t)k : tr_random_below(&random, 40);
        tr_mesh_def mesh = {
            .positions = positions, .position_count = 40, .indices = indices, .triangle_count = 20};
        tr_object_def def = {.name = names[i], .placement = tr_affine_place(tr_vec3_make(1, 2, 3), i)};
        if (tr_scene_add_mesh(scene, &mesh, &def.mesh, NULL) != TR_OK ||
            tr_scene_add_object(scene, &def, &object, NULL) != TR_OK)
            test_failed(__FILE__, __LINE__, "no scene");
    }
    tr_scene_remove_object(scene, 2);
    return scene;
}

TEST(a_scene_that_is_written_reads_back_the_same_to_the_last_bit) {
    tr_scene *scene = random_scene(4), *copy = NULL;
    tr_bytes text, again;
    tr_error error = {0};
    REQUIRE(scene && tr_scene_create(NULL, &copy) == TR_OK);
    REQUIRE(tr_obj_write(NULL, scene, &text, &error) == TR_OK);
    REQUIRE(tr_obj_read(text.data, text.size, NULL, copy, &error) == TR_OK);
    REQUIRE(tr_scene_object_count(copy) == 4);
    CHECK_TEXT(tr_scene_object(copy, 0).name, "chair");
    CHECK_TEXT(tr_scene_object(copy, 1).name, "object_1");
    CHECK_TEXT(tr_scene_object(copy, 2).name, "_odd_name_");
    CHECK_TEXT(tr_scene_object(copy, 3).name, "\xc3\xa9");
    static const uint32_t numbers[4] = {0, 1, 3, 4};
    for (uint32_t i = 0; i < 4; i++) {
        tr_object_view object = tr_scene_object(scene, numbers[i]);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh), read_mesh = tr_scene_mesh(copy, i);
        REQUIRE(read_mesh.position_count == 40 && read_mesh.triangle_count == 20);
        for (uint32_t k = 0; k < 60; k++) {
            tr_vec3 p = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[k]]);
            tr_vec3 q = read_mesh.positions[read_mesh.indices[k]];
            CHECK(memcmp(&p, &q, sizeof p) == 0);
        }
    }
    REQUIRE(tr_obj_write(NULL, scene, &again, &error) == TR_OK);
    CHECK(text.size == again.size && memcmp(text.data, again.data, text.size) == 0);
    tr_bytes_free(NULL, &text);
    tr_bytes_free(NULL, &again);
    tr_scene_destroy(scene);
    tr_scene_destroy(copy);
}

TEST(an_empty_scene_is_an_empty_text) {
    tr_scene *scene = NULL;
    tr_bytes text;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    CHECK_INT(tr_obj_write(NULL, scene, &text, NULL), TR_OK);
    CHECK(text.data && text.size == 0);
    tr_bytes_free(NULL, &text);
    tr_scene_destroy(scene);
}

static bool write_random(const tr_allocator *allocator) {
    tr_scene *scene = random_scene(5);
    tr_bytes text;
    tr_error error = {0};
    tr_status status = tr_obj_write(allocator, scene, &text, &error);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && !text.data && error.message[0]));
    if (status == TR_OK)
        tr_bytes_free(allocator, &text);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(writing_survives_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_random) > 3);
}
