#include "gltf_build.h"

// Read the build as GLB into a new scene and check that it works.
static tr_scene *read_well(gltf_build *build, const char *json, reading_notes *notes) {
    reading_notes unwanted;
    tr_scene_read_options options = reading_options(notes ? notes : &unwanted);
    tr_scene *scene = NULL;
    tr_error error = {0};
    gltf_set_json(build, json);
    gltf_make_glb(build);
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    if (tr_gltf_read(build->glb, build->glb_size, &options, NULL, NULL, scene, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "byte %llu: %s", (unsigned long long)error.offset, error.message);
    return scene;
}

// Corner `corner` of triangle `triangle` of an object, in the world.
static void check_corner(const tr_scene *scene, uint32_t number, uint32_t triangle, uint32_t corner, double x,
                         double y, double z) {
    tr_object_view object = tr_scene_object(scene, number);
    tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
    REQUIRE(triangle < mesh.triangle_count);
    tr_vec3 p = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[triangle * 3 + corner]]);
    CHECK_NEAR(p.x, x, 1e-5);
    CHECK_NEAR(p.y, y, 1e-5);
    CHECK_NEAR(p.z, z, 1e-5);
}

TEST(a_glb_with_one_triangle_is_read) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    tr_scene *scene =
        read_well(&build, "{" GLTF_ASSET GLTF_TRIANGLE ", 'nodes': [{'mesh': 0, 'name': 'n'}]}", NULL);
    REQUIRE(scene);
    CHECK_INT(tr_scene_object_count(scene), 1);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "n");
    CHECK_TEXT(tr_scene_mesh(scene, 0).name, "m");
    check_corner(scene, 0, 0, 1, 1, 0, 0);
    check_corner(scene, 0, 0, 2, 0, 0, 1);
    tr_scene_destroy(scene);
}

TEST(nodes_multiply_down_the_tree_and_share_meshes) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    // Turned by 90 degrees about +Y, z becomes x and x becomes -z.
    tr_scene *scene = read_well(
        &build,
        "{" GLTF_ASSET GLTF_TRIANGLE ", 'scene': 0, 'scenes': [{'nodes': [0]}],"
        "'nodes': [{'translation': [10, 0, 0], 'children': [1, 2], 'name': 'root'},"
        "{'rotation': [0, 0.70710678118654752, 0, 0.70710678118654752], 'mesh': 0, 'children': [3]},"
        "{'matrix': [2,0,0,0, 0,2,0,0, 0,0,2,0, 1,2,3,1], 'mesh': 0},"
        "{'scale': [3, 3, 3], 'translation': [1, 0, 0], 'mesh': 0}]}",
        NULL);
    REQUIRE(scene);
    REQUIRE(tr_scene_object_count(scene) == 3);
    CHECK_INT(tr_scene_mesh_count(scene), 1);
    check_corner(scene, 0, 0, 1, 10, 0, -1);
    check_corner(scene, 0, 0, 2, 11, 0, 0);
    check_corner(scene, 1, 0, 1, 13, 2, 3);
    check_corner(scene, 2, 0, 0, 10, 0, -1);
    check_corner(scene, 2, 0, 2, 13, 0, -1);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "m");
    tr_scene_destroy(scene);
}

TEST(a_node_scales_first_then_turns_then_moves) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    tr_scene *scene = read_well(&build,
                                "{" GLTF_ASSET GLTF_TRIANGLE
                                ", 'nodes': [{'mesh': 0, 'scale': [2, 3, 5], 'translation': [10, 20, 30],"
                                "'rotation': [0, 0.70710678118654752, 0, 0.70710678118654752]}]}",
                                NULL);
    REQUIRE(scene && tr_scene_object_count(scene) == 1);
    check_corner(scene, 0, 0, 0, 10, 20, 30);
    check_corner(scene, 0, 0, 1, 10, 20, 28);
    check_corner(scene, 0, 0, 2, 15, 20, 30);
    tr_scene_destroy(scene);
}

TEST(up_axis_and_unit_turn_and_scale_the_whole_tree) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_set_json(&build, "{" GLTF_ASSET GLTF_TRIANGLE ", 'nodes': [{'mesh': 0, 'translation': [0, 2, 4]}]}");
    gltf_make_glb(&build);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.up = TR_UP_Z;
    options.metres_per_unit = 0.01f;
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, NULL), TR_OK);
    check_corner(scene, 0, 0, 0, 0, 0.04, -0.02);
    check_corner(scene, 0, 0, 2, 0, 0.05, -0.02);
    tr_scene_destroy(scene);
}

TEST(nodes_outside_of_the_scene_are_left_out_with_a_note) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    reading_notes notes;
    tr_scene *scene =
        read_well(&build,
                  "{" GLTF_ASSET GLTF_TRIANGLE ", 'scene': 1, 'scenes': [{'nodes': [0, 1]}, {'nodes': [1]}],"
                  "'nodes': [{'mesh': 0, 'name': 'a'}, {'mesh': 0, 'name': 'b'}]}",
                  &notes);
    REQUIRE(scene && tr_scene_object_count(scene) == 1);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "b");
    CHECK_TEXT(notes.text, "1 nodes with meshes are not in the chosen scene and are left out\n");
    tr_scene_destroy(scene);
    scene = read_well(&build,
                      "{" GLTF_ASSET GLTF_TRIANGLE ", 'scenes': [{'nodes': [1]}],"
                      "'nodes': [{'children': [1]}, {'mesh': 0, 'name': 'b'}]}",
                      &notes);
    REQUIRE(scene && tr_scene_object_count(scene) == 1);
    CHECK_CONTAINS(notes.text, "scenes[0] lists nodes[1], which is a child of nodes[0]");
    tr_scene_destroy(scene);
}

// Five corners of a strip: a row of three triangles; with `joined`, two strips with a joint of four flat
// triangles.
static tr_scene *read_mode(int mode, const uint32_t *indices, int index_count, reading_notes *notes) {
    gltf_build build = {0};
    for (int i = 0; i < 8; i++)
        gltf_put_point(&build, (float)(i / 2), 0, (float)(i % 2));
    for (int i = 0; i < index_count; i++)
        gltf_put_u8(&build, indices[i]);
    char json[1000];
    snprintf(
        json, sizeof json,
        "{" GLTF_ASSET "'buffers': [{'byteLength': %zu}],"
        "'bufferViews': [{'buffer': 0, 'byteLength': 96}, {'buffer': 0, 'byteOffset': 96, 'byteLength': %d}],"
        "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 8, 'type': 'VEC3'},"
        " {'bufferView': 1, 'componentType': 5121, 'count': %d, 'type': 'SCALAR'}],"
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'mode': %d %s}]}], 'nodes': [{'mesh': "
        "0}]}",
        build.size, index_count ? index_count : 1, index_count ? index_count : 1, mode,
        index_count ? ", 'indices': 1" : "");
    return read_well(&build, json, notes);
}

static void check_mode(int mode, const uint32_t *indices, int index_count, uint64_t triangles,
                       double twice_the_area) {
    reading_notes notes;
    tr_scene *scene = read_mode(mode, indices, index_count, &notes);
    REQUIRE(scene);
    CHECK_INT(tr_scene_triangle_count(scene), triangles);
    double sum = 0;
    tr_vec3 area = tr_scene_object_count(scene) ? reading_area(scene, 0, &sum) : tr_vec3_make(0, 0, 0);
    CHECK_NEAR(sum, twice_the_area, 1e-6);
    CHECK_NEAR(tr_vec3_length(area), twice_the_area, 1e-6); // all turn the same way
    tr_scene_destroy(scene);
}

TEST(lists_strips_and_fans_become_triangles_that_turn_alike) {
    static const uint32_t list[] = {0, 1, 2, 2, 1, 3}, fan[] = {0, 1, 3, 2}, strip[] = {0, 1, 2, 3, 4};
    static const uint32_t joined[] = {0, 1, 2, 3, 3, 4, 4, 5, 6, 7};
    check_mode(4, list, 6, 2, 2);
    check_mode(6, fan, 4, 2, 2);
    check_mode(5, strip, 5, 3, 3);
    check_mode(5, joined, 10, 4, 4);
    check_mode(5, NULL, 0, 6, 6);
}

TEST(corners_that_make_no_whole_triangle_are_left_out_with_a_note) {
    reading_notes notes;
    tr_scene *scene = read_mode(4, NULL, 0, &notes);
    REQUIRE(scene);
    CHECK_INT(tr_scene_triangle_count(scene), 2);
    CHECK_TEXT(notes.text, "a primitive has 8 corners: the last 2 do not form a triangle\n");
    tr_scene_destroy(scene);
}

TEST(points_and_lines_are_left_out_with_a_note) {
    for (int mode = 0; mode < 4; mode++) {
        reading_notes notes;
        tr_scene *scene = read_mode(mode, NULL, 0, &notes);
        REQUIRE(scene);
        CHECK_INT(tr_scene_object_count(scene), 0);
        CHECK_CONTAINS(notes.text, "1 primitives of points or lines are left out");
        CHECK_CONTAINS(notes.text, "the file has no triangles");
        tr_scene_destroy(scene);
    }
}

TEST(each_primitive_is_an_object_with_the_positions_it_uses) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_put_point(&build, 5, 5, 5);
    tr_scene *scene = read_well(
        &build,
        "{" GLTF_ASSET "'buffers': [{'byteLength': 56}],"
        "'bufferViews': [{'buffer': 0, 'byteLength': 56}, {'buffer': 0, 'byteOffset': 36, 'byteLength': 6}],"
        "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3'},"
        " {'bufferView': 1, 'componentType': 5123, 'count': 3, 'type': 'SCALAR'}],"
        "'meshes': [{'name': 'm', 'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1},"
        " {'attributes': {'POSITION': 0}, 'indices': 1}, {'attributes': {'NORMAL': 0}}]}],"
        "'nodes': [{'mesh': 0, 'name': 'n'}]}",
        NULL);
    REQUIRE(scene && tr_scene_object_count(scene) == 2);
    CHECK_TEXT(tr_scene_object(scene, 0).name, "n");
    CHECK_TEXT(tr_scene_object(scene, 1).name, "n/1");
    CHECK_INT(tr_scene_mesh(scene, 1).position_count, 3);
    tr_scene_destroy(scene);
}

// One corner in the given component type; the other two are 0.
static void check_component(int type, bool normalized, uint32_t bits, int bytes, double expected) {
    gltf_build build = {0};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < bytes; k++)
            gltf_put_u8(&build, i == 3 ? bits >> 8 * k & 0xff : 0); // x of the second corner
    char json[800];
    snprintf(
        json, sizeof json,
        "{" GLTF_ASSET "'buffers': [{'byteLength': %d}], 'bufferViews': [{'buffer': 0, 'byteLength': %d}],"
        "'accessors': [{'bufferView': 0, 'componentType': %d, 'count': 3, 'type': 'VEC3', 'normalized': %s}],"
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'nodes': [{'mesh': 0}]}",
        9 * bytes, 9 * bytes, type, normalized ? "true" : "false");
    tr_scene *scene = read_well(&build, json, NULL);
    REQUIRE(scene);
    tr_mesh_view mesh = tr_scene_mesh(scene, 0);
    REQUIRE(mesh.position_count == 3);
    CHECK_NEAR(mesh.positions[1].x, expected, 1e-7 * fabs(expected));
    CHECK_NEAR(mesh.positions[0].x, 0, 0);
    tr_scene_destroy(scene);
}

TEST(every_component_type_is_read_plain_and_normalised) {
    check_component(5120, false, 0x85, 1, -123);
    check_component(5120, true, 0x81, 1, -1);
    check_component(5120, true, 0x80, 1, -1); // -128 is below -1: clamped
    check_component(5120, true, 0x40, 1, 64 / 127.0);
    check_component(5121, false, 0xfe, 1, 254);
    check_component(5121, true, 0xff, 1, 1);
    check_component(5122, false, 0x8001, 2, -32767);
    check_component(5122, true, 0x8000, 2, -1);
    check_component(5122, true, 0x4000, 2, 16384 / 32767.0);
    check_component(5123, false, 0xffff, 2, 65535);
    check_component(5123, true, 0x8000, 2, 32768 / 65535.0);
    check_component(5125, false, 9999999, 4, 9999999);
    check_component(5126, false, 0xc0490fdb, 4, -3.14159274);
}

TEST(strides_and_offsets_are_followed_to_the_last_byte) {
    gltf_build build = {0};
    gltf_put_u32(&build,
                 0xffffffff); // 4 bytes before the view, 4 before the first element, 8 between the elements
    gltf_put_u32(&build, 0xffffffff);
    for (int i = 0; i < 3; i++) {
        gltf_put_point(&build, (float)i, (float)(i * 2), (float)(i * i));
        if (i < 2) {
            gltf_put_u32(&build, 0x7fc00000);
            gltf_put_u32(&build, 0x7fc00000);
        }
    }
    tr_scene *scene =
        read_well(&build,
                  "{" GLTF_ASSET "'buffers': [{'byteLength': 60}],"
                  "'bufferViews': [{'buffer': 0, 'byteOffset': 4, 'byteLength': 56, 'byteStride': 20}],"
                  "'accessors': [{'bufferView': 0, 'byteOffset': 4, 'componentType': 5126, 'count': 3, "
                  "'type': 'VEC3'}],"
                  "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'nodes': [{'mesh': 0}]}",
                  NULL);
    REQUIRE(scene);
    check_corner(scene, 0, 0, 2, 2, 4, 4);
    tr_scene_destroy(scene);
}

TEST(sparse_accessors_replace_elements_of_data_or_of_zeros) {
    for (int with_data = 0; with_data < 2; with_data++) {
        gltf_build build = {0};
        for (int i = 0; i < 6; i++)
            gltf_put_point(&build, 1, 2, (float)i); // 72 bytes
        gltf_put_u16(&build, 1);
        gltf_put_u16(&build, 4);
        gltf_put_point(&build, 7, 8, 9);
        gltf_put_point(&build, -7, -8, -9);
        char json[1500];
        snprintf(json, sizeof json,
                 "{" GLTF_ASSET
                 "'buffers': [{'byteLength': 100}], 'bufferViews': [{'buffer': 0, 'byteLength': 72},"
                 "{'buffer': 0, 'byteOffset': 72, 'byteLength': 4}, {'buffer': 0, 'byteOffset': 76, "
                 "'byteLength': 24}],"
                 "'accessors': [{%s 'componentType': 5126, 'count': 6, 'type': 'VEC3', 'sparse': {'count': 2,"
                 "'indices': {'bufferView': 1, 'componentType': 5123}, 'values': {'bufferView': 2}}}],"
                 "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'nodes': [{'mesh': 0}]}",
                 with_data ? "'bufferView': 0," : "");
        tr_scene *scene = read_well(&build, json, NULL);
        REQUIRE(scene);
        check_corner(scene, 0, 0, 0, with_data, with_data * 2, 0);
        check_corner(scene, 0, 0, 1, 7, 8, 9);
        check_corner(scene, 0, 1, 1, -7, -8, -9);
        check_corner(scene, 0, 1, 2, with_data, with_data * 2, with_data * 5);
        tr_scene_destroy(scene);
    }
}

static const char base64_triangle[] = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/";

typedef struct given_buffer {
    const char *uri;
    int calls;
} given_buffer;

static tr_status give_buffer(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                             tr_error *error) {
    given_buffer *given = user;
    given->calls++;
    if (strcmp(uri, given->uri) != 0)
        return TR_NO_FILE; // without a sentence: the reader finds one
    gltf_build build = {0};
    gltf_put_triangle(&build);
    bytes->data = tr_allocate(allocator, build.size, 1);
    if (!bytes->data)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory");
    bytes->size = build.size;
    memcpy(bytes->data, build.bytes, build.size);
    return TR_OK;
}

static void make_text(gltf_build *build, const char *uri) {
    char json[1500];
    snprintf(json, sizeof json,
             "{" GLTF_ASSET "'buffers': [{'byteLength': 36, 'uri': '%s'}],"
             "\n'bufferViews': [{'buffer': 0, 'byteLength': 36}],"
             "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}],"
             "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'nodes': [{'mesh': 0}]}",
             uri);
    gltf_set_json(build, json);
}

TEST(a_text_with_a_data_uri_is_read) {
    static const char *const before[] = {"data:application/octet-stream;base64,", "data:;base64,",
                                         "data:application/gltf-buffer;base64,"};
    for (int i = 0; i < 3; i++) {
        gltf_build build = {0};
        char uri[200];
        snprintf(uri, sizeof uri, "%s%s", before[i], base64_triangle);
        make_text(&build, uri);
        tr_scene *scene = NULL;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        CHECK_INT(gltf_read_plainly(build.json, strlen(build.json), NULL, scene, NULL), TR_OK);
        check_corner(scene, 0, 0, 1, 1, 0, 0);
        check_corner(scene, 0, 0, 2, 0, 0, 1);
        tr_scene_destroy(scene);
    }
}

TEST(base64_may_be_padded_or_not_and_in_either_alphabet) {
    // Positions in bytes: 0 0 0, 251 255 190, 0 0 1. "+/" in one alphabet is "-_" in the other.
    static const char *const texts[] = {"AAAA+/++AAAB", "AAAA-_--AAAB",
                                        "AAAA+/++AAABAA==", "AAAA+/++AAABAAA=", "AAAA+/++AAABAA"};
    for (int i = 0; i < 5; i++) {
        gltf_build build = {0};
        char json[800];
        snprintf(json, sizeof json,
                 "{" GLTF_ASSET "'buffers': [{'byteLength': 9, 'uri': 'data:;base64,%s'}],"
                 "'bufferViews': [{'buffer': 0, 'byteLength': 9}],"
                 "'accessors': [{'bufferView': 0, 'componentType': 5121, 'count': 3, 'type': 'VEC3'}],"
                 "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}],"
                 "'nodes': [{'mesh': 0, 'extensions': {'EXT_mesh_gpu_instancing': {}}}]}",
                 texts[i]);
        reading_notes notes;
        tr_scene *scene = read_well(&build, json, &notes);
        REQUIRE(scene);
        check_corner(scene, 0, 0, 1, 251, 255, 190);
        check_corner(scene, 0, 0, 2, 0, 0, 1);
        CHECK_TEXT(notes.text, "nodes[0] has instances: all but one are left out\n");
        tr_scene_destroy(scene);
    }
}

TEST(buffers_outside_come_from_the_callback_once) {
    gltf_build build = {0};
    make_text(&build, "some%20name.bin");
    given_buffer given = {"some%20name.bin", 0};
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    CHECK_INT(tr_gltf_read(build.json, strlen(build.json), NULL, give_buffer, &given, scene, &error), TR_OK);
    CHECK_INT(given.calls, 1);
    CHECK_INT(tr_scene_object_count(scene), 2);
    tr_scene_destroy(scene);
    scene = reading_scene(NULL);
    given.uri = "other";
    CHECK_INT(tr_gltf_read(build.json, strlen(build.json), NULL, give_buffer, &given, scene, &error),
              TR_NO_FILE);
    CHECK_CONTAINS(error.message, "buffers[0].uri is \"some%20name.bin\", which cannot be read");
    CHECK_INT(gltf_read_plainly(build.json, strlen(build.json), NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "but external buffers cannot be read here");
    CHECK_INT(error.line, 1);
    CHECK(reading_scene_is_untouched(scene));
    tr_scene_destroy(scene);
}

TEST(extensions_that_change_only_the_looks_may_be_required) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    reading_notes notes;
    tr_scene *scene =
        read_well(&build,
                  "{" GLTF_ASSET GLTF_TRIANGLE ", 'nodes': [{'mesh': 0}], 'extensionsRequired': "
                  "['KHR_mesh_quantization', 'KHR_materials_unlit', 'KHR_texture_transform'],"
                  "'extensionsUsed': ['KHR_materials_unlit', 'VENDOR_thing']}",
                  &notes);
    REQUIRE(scene);
    CHECK_INT(tr_scene_object_count(scene), 1);
    CHECK_TEXT(notes.text, "the extension VENDOR_thing is ignored\n");
    tr_scene_destroy(scene);
}

TEST(bytes_behind_the_end_and_chunks_of_other_kinds_are_ignored) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_set_json(&build, "{" GLTF_ASSET GLTF_TRIANGLE ", 'nodes': [{'mesh': 0}]}");
    gltf_make_glb(&build);
    size_t size = build.glb_size;
    gltf_put_chunk(&build, "XTRA", "abcdefgh", 8, 0);
    reading_notes notes;
    tr_scene_read_options options = reading_options(&notes);
    tr_scene *scene = reading_scene(NULL);
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, NULL), TR_OK);
    CHECK_TEXT(notes.text, "16 bytes after the end of the GLB are ignored\n");
    size += 16;
    memcpy(build.glb + 8, &(uint8_t[]){(uint8_t)size, (uint8_t)(size >> 8), 0, 0}, 4);
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, NULL), TR_OK);
    CHECK_INT(notes.count, 1);
    tr_scene_destroy(scene);
}

TEST(a_chain_of_very_many_nodes_is_followed_without_recursion) {
    static char json[3000000];
    size_t length = (size_t)snprintf(json, sizeof json, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    int count = 50000;
    for (int i = 0; i + 1 < count; i++)
        length += (size_t)snprintf(json + length, sizeof json - length, "{\"children\":[%d]},", i + 1);
    snprintf(json + length, sizeof json - length, "{}]}");
    tr_scene *scene = reading_scene(NULL);
    CHECK_INT(gltf_read_plainly(json, strlen(json), NULL, scene, NULL), TR_OK);
    tr_scene_destroy(scene);
}
