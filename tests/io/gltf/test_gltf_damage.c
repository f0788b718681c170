// glTF files that are broken in every way we could think of, one by one.
#include "gltf_build.h"

typedef struct bad_file {
    const char *json; // with GLTF_ASSET put before it
    tr_status status;
    const char *sentence;
} bad_file;

static void check_bad(const bad_file *bad, size_t count, const char *asset) {
    for (size_t i = 0; i < count; i++) {
        gltf_build build = {0};
        char json[3000];
        gltf_put_triangle(&build);
        snprintf(json, sizeof json, "{%s%s}", asset, bad[i].json);
        gltf_set_json(&build, json);
        gltf_make_glb(&build);
        tr_scene *scene = reading_scene(NULL);
        tr_error error = {0};
        tr_status status = gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error);
        if (status != bad[i].status)
            test_failed(__FILE__, __LINE__, "%s is \"%s\" (%s), expected \"%s\"", bad[i].json,
                        tr_status_name(status), error.message, tr_status_name(bad[i].status));
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK(reading_scene_is_untouched(scene));
        CHECK_INT(error.line, 0); // a GLB has bytes, not lines
        CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, NULL), bad[i].status);
        tr_scene_destroy(scene);
    }
}
#define CHECK_BAD(list, asset) check_bad(list, sizeof list / sizeof list[0], asset)

TEST(versions_and_extensions_that_we_cannot_read_are_named) {
    static const bad_file bad[] = {
        {"", TR_BAD_FILE, "the document has no \"asset\", which is required"},
        {"'asset': {}", TR_BAD_FILE, "asset has no \"version\", which is required"},
        {"'asset': {'version': 2}", TR_BAD_FILE, "asset.version is a number, it must be a string"},
        {"'asset': {'version': '1.0'}", TR_UNAVAILABLE, "asset.version is \"1.0\", only glTF 2 can be read"},
        {"'asset': {'version': '2.1', 'minVersion': '2.1'}", TR_UNAVAILABLE, "asset.minVersion is \"2.1\""},
        {GLTF_ASSET "'extensionsRequired': ['KHR_draco_mesh_compression']", TR_UNAVAILABLE,
         "the file requires the extension KHR_draco_mesh_compression, which is not supported"},
        {GLTF_ASSET "'extensionsRequired': ['EXT_meshopt_compression']", TR_UNAVAILABLE,
         "EXT_meshopt_compression"},
        {GLTF_ASSET "'extensionsRequired': 5", TR_BAD_FILE,
         "extensionsRequired is a number, it must be an array"}};
    CHECK_BAD(bad, "");
}

#define MESH_0 "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'nodes': [{'mesh': 0}]"
#define VIEW_0 "'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteLength': 36}],"

TEST(buffers_and_views_that_do_not_fit_are_refused) {
    static const bad_file bad[] = {
        {"'bufferViews': [{'buffer': 0, 'byteLength': 36}], 'accessors': [{'bufferView': 0, 'componentType': "
         "5126,"
         "'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "bufferViews[0].buffer is 0, but there are only 0 buffers"},
        {"'buffers': [{}], 'bufferViews': [{'buffer': 0, 'byteLength': 36}], 'accessors': [{'bufferView': 0,"
         "'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "buffers[0] has no \"byteLength\", which is required"},
        {"'buffers': [{'byteLength': 45}], 'bufferViews': [{'buffer': 0, 'byteLength': 36}], 'accessors': "
         "[{'bufferView': 0,"
         "'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "buffers[0].byteLength is 45, but the data has 44 bytes"},
        {"'buffers': [{'byteLength': 36, 'uri': 'data:;base64,AA*A'}], 'bufferViews': [{'buffer': 0, "
         "'byteLength': 36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "buffers[0].uri is not base64 at character 15"},
        {"'buffers': [{'byteLength': 36, 'uri': 'data:;base64,AAAAA'}], 'bufferViews': [{'buffer': 0, "
         "'byteLength': 36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "buffers[0].uri is not base64 at character 18"},
        {"'buffers': [{'byteLength': 36, 'uri': 'data:text/plain,abc'}], 'bufferViews': [{'buffer': 0, "
         "'byteLength': 36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "is a data: URI without \";base64,\""},
        {"'buffers': [{'byteLength': 36, 'uri': 'data:;base64,AAAA'}], 'bufferViews': [{'buffer': 0, "
         "'byteLength': 36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "buffers[0].byteLength is 36, but the data has 3 bytes"},
        {"'buffers': [{'byteLength': 44}, {'byteLength': 44}], 'bufferViews': [{'buffer': 1, 'byteLength': "
         "36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "buffers[1] has no uri, and the file has no binary chunk for it"},
        {"'buffers': [{'byteLength': 44}, {'byteLength': 44, 'extensions': {'EXT_meshopt_compression': {}}}],"
         "'bufferViews': [{'buffer': 1, 'byteLength': 36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_UNAVAILABLE, "the file needs the extension EXT_meshopt_compression"},
        {"'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteOffset': 9, 'byteLength': 36}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "bufferViews[0] covers bytes 9 to 45, but buffers[0] has 44"},
        {"'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteOffset': 9007199254740992, "
         "'byteLength': 9007199254740992}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "bufferViews[0] covers bytes"},
        {"'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteLength': 36, 'byteStride': 8}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0] has elements of 12 bytes, but bufferViews[0].byteStride is 8"},
        {"'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteLength': 36, 'byteStride': "
         "253}],"
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "bufferViews[0].byteStride is 253, it must be at most 252"}};
    CHECK_BAD(bad, GLTF_ASSET);
}

TEST(accessors_that_break_a_rule_are_refused) {
    static const bad_file bad[] = {
        {VIEW_0
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': -1, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0].count is -1, it must be at least 1"},
        {VIEW_0
         "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 2.5, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0].count is 2.5, it must be a whole number"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0] needs 48 bytes from byte 0 on, but bufferViews[0] has 36"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'byteOffset': 1, 'componentType': 5126, 'count': 3, 'type': "
                "'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0] needs 36 bytes from byte 1 on, but bufferViews[0] has 36"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 4294967294, 'type': "
                "'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0] needs 51539607528 bytes"},
        {VIEW_0 "'accessors': [{'bufferView': 1, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0].bufferView is 1, but there are only 1 bufferViews"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5124, 'count': 3, 'type': 'VEC3'}]," MESH_0,
         TR_BAD_FILE, "accessors[0].componentType is 5124, it must be 5120, 5121, 5122, 5123, 5125 or 5126"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC5'}]," MESH_0,
         TR_BAD_FILE, "accessors[0].type is \"VEC5\""},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC2'}]," MESH_0,
         TR_BAD_FILE, "accessors[0] has positions, its type must be VEC3"},
        {VIEW_0 "'accessors': [{'componentType': 5126, 'count': 4000000000, 'type': 'VEC3'}]," MESH_0,
         TR_LIMIT, "an accessor without a bufferView has 4000000000 elements, at most 1048576 are read"},
        {VIEW_0 "'accessors': [7]," MESH_0, TR_BAD_FILE, "accessors[0] is a number, it must be an object"},
        {"'accessors': 7," MESH_0, TR_BAD_FILE, "accessors is a number, it must be an array"}};
    CHECK_BAD(bad, GLTF_ASSET);
}

#define SPARSE(sparse)                                                                                       \
    "'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteLength': 36}, {'buffer': 0, "       \
    "'byteOffset': 36,"                                                                                      \
    "'byteLength': 6}], 'accessors': [{'componentType': 5126, 'count': 3, 'type': 'VEC3', 'sparse': "        \
    "{" sparse "}}]," MESH_0

TEST(sparse_accessors_that_break_a_rule_are_refused) {
    static const bad_file bad[] = {
        {SPARSE("'count': 4"), TR_BAD_FILE, "accessors[0].sparse.count is 4, it must be at most 3"},
        {SPARSE("'count': 1"), TR_BAD_FILE, "accessors[0].sparse has no \"indices\", which is required"},
        {SPARSE("'count': 1, 'indices': {'bufferView': 1, 'componentType': 5123}"), TR_BAD_FILE,
         "has no \"values\""},
        {SPARSE(
             "'count': 1, 'indices': {'bufferView': 1, 'componentType': 5126}, 'values': {'bufferView': 0}"),
         TR_BAD_FILE, "accessors[0].sparse.indices has componentType 5126, it must be 5121, 5123 or 5125"},
        {SPARSE(
             "'count': 3, 'indices': {'bufferView': 1, 'componentType': 5121}, 'values': {'bufferView': 0}"),
         TR_BAD_FILE, "accessors[0].sparse replaces element 0 after element 0, the indices must increase"},
        {SPARSE("'count': 3, 'indices': {'bufferView': 1, 'byteOffset': 2, 'componentType': 5123}, 'values': "
                "{'bufferView': 0}"),
         TR_BAD_FILE, "needs 6 bytes from byte 2 on, but bufferViews[1] has 6"},
        {SPARSE("'count': 1, 'indices': {'bufferView': 0, 'byteOffset': 14, 'componentType': 5121}, "
                "'values': {'bufferView': 0}"),
         TR_BAD_FILE, "accessors[0].sparse replaces element 128, but the accessor has only 3"},
        {SPARSE(
             "'count': 1, 'indices': {'bufferView': 1, 'componentType': 5123}, 'values': {'bufferView': 1}"),
         TR_BAD_FILE, "accessors[0].sparse.values needs 12 bytes from byte 0 on, but bufferViews[1] has 6"}};
    CHECK_BAD(bad, GLTF_ASSET);
}

TEST(sparse_data_with_a_stride_is_refused) {
    static const bad_file bad[] = {
        {"'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteLength': 36, 'byteStride': "
         "16}, {'buffer': 0,"
         "'byteOffset': 38, 'byteLength': 4}], 'accessors': [{'componentType': 5126, 'count': 3, 'type': "
         "'VEC3', 'sparse':"
         "{'count': 2, 'indices': {'bufferView': 0, 'componentType': 5123}, 'values': {'bufferView': "
         "0}}}]," MESH_0,
         TR_BAD_FILE, "accessors[0].sparse.indices uses a view with a byteStride, it must have none"},
        {"'buffers': [{'byteLength': 44}], 'bufferViews': [{'buffer': 0, 'byteLength': 36, 'byteStride': "
         "16}, {'buffer': 0,"
         "'byteOffset': 38, 'byteLength': 4}], 'accessors': [{'componentType': 5126, 'count': 3, 'type': "
         "'VEC3', 'sparse':"
         "{'count': 2, 'indices': {'bufferView': 1, 'componentType': 5123}, 'values': {'bufferView': "
         "0}}}]," MESH_0,
         TR_BAD_FILE, "accessors[0].sparse.values uses a view with a byteStride, it must have none"}};
    CHECK_BAD(bad, GLTF_ASSET);
}

TEST(meshes_that_break_a_rule_are_refused) {
    static const bad_file bad[] = {
        {"'meshes': [{}], 'nodes': [{'mesh': 0}]", TR_BAD_FILE,
         "meshes[0] has no \"primitives\", which is required"},
        {"'meshes': [{'primitives': [{}]}], 'nodes': [{'mesh': 0}]", TR_BAD_FILE,
         "meshes[0].primitives[0] has no \"attributes\", which is required"},
        {"'meshes': [{'primitives': [{'attributes': {'POSITION': 3}}]}], 'nodes': [{'mesh': 0}]", TR_BAD_FILE,
         "meshes[0].primitives[0].attributes.POSITION is 3, but there are only 0 accessors"},
        {"'meshes': [{'primitives': [{'mode': 7}]}], 'nodes': [{'mesh': 0}]", TR_BAD_FILE,
         "meshes[0].primitives[0].mode is 7, it must be at most 6"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'},"
                "{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'SCALAR'}],"
                "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}], 'nodes': "
                "[{'mesh': 0}]",
         TR_BAD_FILE, "accessors[1] has indices, it must be SCALAR with componentType 5121, 5123 or 5125"},
        {VIEW_0 "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'},"
                "{'bufferView': 0, 'byteOffset': 12, 'componentType': 5121, 'count': 3, 'type': 'SCALAR'}],"
                "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}], 'nodes': "
                "[{'mesh': 0}]",
         TR_BAD_FILE, "accessors[1] has the index 128 in element 2, but there are only 3 positions"},
        {VIEW_0 "'accessors': [{'componentType': 5126, 'count': 3, 'type': 'VEC3'}],"
                "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'extensions': "
                "{'KHR_draco_mesh_compression': {}}}]}],"
                "'nodes': [{'mesh': 0}]",
         TR_UNAVAILABLE, "the file needs the extension KHR_draco_mesh_compression, which is not supported"}};
    CHECK_BAD(bad, GLTF_ASSET);
}

TEST(nodes_that_break_a_rule_are_refused) {
    static const bad_file bad[] = {
        {GLTF_TRIANGLE ", 'nodes': [{'mesh': 1}]", TR_BAD_FILE,
         "nodes[0].mesh is 1, but there are only 1 meshes"},
        {"'nodes': [{'children': [1]}, {'children': [2]}, {'children': [1]}]", TR_BAD_FILE,
         "nodes[2].children[0] lists nodes[1], which is already a child of nodes[0]"},
        {"'nodes': [{'children': [1, 1]}, {}]", TR_BAD_FILE,
         "nodes[0].children[1] lists nodes[1], which is already a child"},
        {"'nodes': [{}, {'children': [2]}, {'children': [3]}, {'children': [1]}]", TR_BAD_FILE,
         "nodes[1] is its own ancestor, nodes must form trees"},
        {"'nodes': [{'children': [0]}]", TR_BAD_FILE, "nodes[0] is its own ancestor"},
        {"'nodes': [{'children': [1]}]", TR_BAD_FILE,
         "nodes[0].children[0] is 1, it must be the number of one of 1 nodes"},
        {"'nodes': [{'children': [-1]}]", TR_BAD_FILE, "nodes[0].children[0] is -1"},
        {"'nodes': [{'children': [0.5]}]", TR_BAD_FILE, "nodes[0].children[0] is 0.5"},
        {"'nodes': [{'children': 'x'}]", TR_BAD_FILE, "nodes[0].children is a string, it must be an array"},
        {"'nodes': [{'translation': [1, 2]}]", TR_BAD_FILE,
         "nodes[0].translation has 2 items, it must have 3"},
        {"'nodes': [{'rotation': [1, 2, 3, 'x']}]", TR_BAD_FILE,
         "nodes[0].rotation[3] is a string, it must be a number"},
        {"'nodes': [{'matrix': [1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]", TR_BAD_FILE,
         "nodes[0].matrix has 1 0 0 1 as its last row, it must be 0 0 0 1"},
        {"'scene': 0", TR_BAD_FILE, "scene is 0, but there are only 0 scenes"},
        {"'scenes': [{'nodes': [0]}]", TR_BAD_FILE,
         "scenes[0].nodes[0] is 0, it must be the number of one of 0 nodes"},
        {GLTF_TRIANGLE ", 'nodes': [{'mesh': 0, 'name': 'far', 'scale': [1e9, 1, 1]}]", TR_BAD_FILE,
         "object \"far\" reaches beyond 1e+07 m"},
        {GLTF_TRIANGLE ", 'nodes': [{'mesh': 0, 'scale': [1e300, 1, 1]}]", TR_BAD_FILE,
         "reaches beyond 1e+07 m"}};
    CHECK_BAD(bad, GLTF_ASSET);
}

TEST(positions_that_are_no_numbers_or_too_large_are_refused) {
    static const float values[] = {NAN, INFINITY, -INFINITY, 1.1e7f};
    static const char *const sentences[] = {
        "for y of element 1, it must be within 1e+07 of 0", "has the value inf for y of element 1",
        "has the value -inf for y of element 1", "has the value 1.1e+07 for y of element 1"};
    for (int i = 0; i < 4; i++) {
        gltf_build build = {0};
        gltf_put_point(&build, 0, 0, 0);
        gltf_put_point(&build, 0, values[i], 0);
        gltf_put_point(&build, 0, 0, 0);
        gltf_put_u32(&build, 0);
        gltf_put_u32(&build, 0);
        gltf_set_json(
            &build,
            "{" GLTF_ASSET VIEW_0
            "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}]," MESH_0
            "}");
        gltf_make_glb(&build);
        tr_scene *scene = reading_scene(NULL);
        tr_error error = {0};
        CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error), TR_BAD_FILE);
        CHECK_CONTAINS(error.message, "accessors[0] has");
        CHECK_CONTAINS(error.message, sentences[i]);
        CHECK(reading_scene_is_untouched(scene));
        tr_scene_destroy(scene);
    }
}

TEST(a_broken_container_is_refused_with_the_byte) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_set_json(&build, "{" GLTF_ASSET GLTF_TRIANGLE ", 'nodes': [{'mesh': 0}]}");
    gltf_make_glb(&build);
    tr_error error = {0};
    tr_scene *scene = reading_scene(NULL);
    CHECK_INT(gltf_read_plainly(build.glb, 11, NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the GLB has 11 bytes, its header alone has 12");
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size - 1, NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the header of the GLB gives");
    CHECK_INT(error.offset, 8);
    build.glb[4] = 1;
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error), TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "the GLB has version 1, only version 2 can be read");
    build.glb[4] = 2;
    build.glb[15] = 0x7f; // the length of the JSON chunk
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "GLB chunk 0 has 21");
    CHECK_INT(error.offset, 12);
    build.glb[15] = 0;
    build.glb[16] = 'X';
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the first chunk of the GLB is not JSON");
    build.glb[16] = 'J';
    build.glb[21] = '?'; // the first byte behind the opening bracket
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "expected a key in quotes or '}' after '{', found '?'");
    CHECK_INT(error.offset, 21);
    CHECK_INT(gltf_read_plainly(NULL, 5, NULL, scene, &error), TR_INVALID);
    CHECK_INT(gltf_read_plainly("", 0, NULL, scene, &error), TR_BAD_FILE);
    CHECK_INT(gltf_read_plainly("[]", 2, NULL, scene, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the document is an array, it must be an object");
    CHECK(reading_scene_is_untouched(scene));
    tr_scene_destroy(scene);
}

TEST(limits_are_kept_and_named) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_set_json(&build, "{" GLTF_ASSET GLTF_TRIANGLE
                          ", 'nodes': [{'mesh': 0}, {'mesh': 0, 'name': 'b'}, {'mesh': 0}]}");
    gltf_make_glb(&build);
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    tr_scene_read_options options = tr_scene_read_options_default();
    options.max_triangles = 1;
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "with object \"b\" the scene has 2 triangles, the maximum is 1");
    options.max_triangles = 3;
    options.max_objects = 2;
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "the nodes show at least 3 primitives, at most 2 objects are read");
    CHECK(reading_scene_is_untouched(scene));
    options.max_objects = 3;
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, &error), TR_OK);
    static const char strip[] = "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,"
                                "\"count\":6,\"type\":\"VEC3\"}],"
                                "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5}]}]"
                                ",\"nodes\":[{\"mesh\":0}]}";
    CHECK_INT(gltf_read_plainly(strip, strlen(strip), &options, scene, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "there are at least 4 triangles, at most 3 are read");
    tr_scene_destroy(scene);
}

// A file of a few bytes must not ask for much memory, whatever it says of its sizes.
TEST(a_small_file_cannot_ask_for_much_memory) {
    gltf_build build = {0};
    gltf_put_triangle(&build);
    gltf_set_json(
        &build,
        "{" GLTF_ASSET VIEW_0 "'accessors': [{'componentType': 5126, 'count': 1048576, 'type': 'VEC3'}],"
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'mode': 5}]}], 'nodes': [{'mesh': 0}]}");
    gltf_make_glb(&build);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.allocator = &allocator;
    tr_scene *scene = reading_scene(NULL);
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, &options, scene, NULL), TR_OK);
    CHECK(memory.peak_bytes < 64u << 20);
    CHECK_INT(memory.live_bytes, 0);
    tr_scene_destroy(scene);
}

// A small file with all that can be in one: sparse data, strips, a tree of nodes, two scenes.
static void make_rich(gltf_build *build) {
    gltf_put_triangle(build);
    gltf_put_u8(build, 1);
    gltf_put_u8(build, 2);
    gltf_put_u16(build, 0);
    gltf_put_point(build, 1, 1, 1);
    gltf_put_point(build, 2, 2, 2);
    gltf_set_json(
        build,
        "{" GLTF_ASSET "'buffers': [{'byteLength': 72}, {'byteLength': 3, 'uri': 'data:;base64,AAEC'}],"
        "'bufferViews': [{'buffer': 0, 'byteLength': 36, 'byteStride': 12}, {'buffer': 0, 'byteOffset': 36, "
        "'byteLength': 6},"
        "{'buffer': 0, 'byteOffset': 44, 'byteLength': 2}, {'buffer': 0, 'byteOffset': 48, 'byteLength': 24},"
        "{'buffer': 1, 'byteLength': 3}],"
        "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3', 'sparse': "
        "{'count': 2,"
        "'indices': {'bufferView': 2, 'componentType': 5121}, 'values': {'bufferView': 3}}},"
        "{'bufferView': 1, 'componentType': 5123, 'count': 3, 'type': 'SCALAR'},"
        "{'bufferView': 4, 'componentType': 5121, 'count': 3, 'type': 'SCALAR'}],"
        "'meshes': [{'name': 'm', 'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1},"
        "{'attributes': {'POSITION': 0}, 'indices': 2, 'mode': 5}, {'attributes': {'POSITION': 0}, 'mode': "
        "6}]}],"
        "'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'children': [1], 'rotation': [0, 1, 0, 0]},"
        "{'mesh': 0, 'matrix': [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]}]}");
    gltf_make_glb(build);
}

TEST(no_truncation_and_no_changed_byte_of_a_glb_does_harm) {
    gltf_build build = {0};
    make_rich(&build);
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    CHECK_INT(gltf_read_plainly(build.glb, build.glb_size, NULL, scene, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK_INT(tr_scene_object_count(scene), 4);
    tr_scene_destroy(scene);
    reading_damage(gltf_read_plainly, build.glb, build.glb_size);
}

TEST(no_truncation_of_a_text_does_harm) {
    gltf_build build = {0};
    make_rich(&build);
    for (size_t length = 0; length <= strlen(build.json); length++)
        reading_try(gltf_read_plainly, (const uint8_t *)build.json, length);
}

static bool read_rich(const tr_allocator *allocator) {
    static gltf_build build;
    if (build.size == 0)
        make_rich(&build);
    tr_scene *scene = reading_scene(allocator);
    if (!scene)
        return false;
    tr_scene_read_options options = tr_scene_read_options_default();
    tr_error error = {0};
    options.allocator = allocator;
    tr_status status = gltf_read_plainly(build.glb, build.glb_size, &options, scene, &error);
    CHECK(status == TR_OK ||
          (status == TR_OUT_OF_MEMORY && reading_scene_is_untouched(scene) && error.message[0]));
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(reading_survives_every_failed_allocation_and_leaves_the_scene_as_it_was) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_rich) > 30);
}
