// Clips that are added to a character's file: they move its own nodes, and everything else stays.
#include "gltf_rig.h"
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_add.h"

#define FRAMES 9
#define JOINTS 4

static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3};

// What must come through to the letter: numbers that no double holds, escapes, brackets in strings, nesting.
#define MATERIALS                                                                                            \
    "'materials': [{'name': 'paint', 'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}, "            \
    "'roughnessFactor': 0.10000000000000000001}, 'extensions': {'KHR_materials_unlit': {}}}]"
#define EXTRAS "'extras': {'big': 12345678901234567890, 'odd': ['}] \\\\ \\u0000 \\'', [[], {}], -0, null]}"
#define MESHES                                                                                               \
    "'meshes': [{'name': 'face', 'weights': [0.25], 'primitives': [{'attributes': {'POSITION': 0, "          \
    "'TEXCOORD_0': 1, 'JOINTS_0': 2, 'WEIGHTS_0': 3}, 'targets': [{'POSITION': 4}], 'material': 0}]}]"
#define NODES                                                                                                \
    "'nodes': [{'name': 'world', 'scale': [2, 2, 2], 'children': [1, 4]}, {'name': 'hips', 'children': [2]," \
    " 'translation': [0, 0.5, 0]}, {'name': 'between', 'scale': [1, 0.5, 1], 'rotation': [0, 0.6, 0, 0.8],"  \
    " 'children': [3]}, {'name': 'knee', 'extras': {'kept': 1}, 'matrix': [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, "  \
    "1, "                                                                                                    \
    "0, 0.1, -0.2, 0.3, 1]}, {'name': 'face', 'mesh': 0, 'skin': 0}]"

// A character of two joints with a node between them, and a mesh with UVs, a texture and a morph target.
static void put_character(gltf_rig *rig, const char *image) {
    static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uvs[] = {0, 0, 1, 0, 0, 1},
                        joints[12] = {0}, weights[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
                        morphs[] = {0, 0, 1, 0, 0, 0, 0, 0, 0}, times[] = {0, 1},
                        turns[] = {0, 0, 0, 1, 0, 1, 0, 0};
    static char rest[4000];
    memset(rig, 0, sizeof *rig);
    rig_floats(rig, 3, 3, positions);
    rig_floats(rig, 2, 3, uvs);
    rig_accessor(rig, 5121, false, 4, 3, joints);
    rig_floats(rig, 4, 3, weights);
    rig_floats(rig, 3, 3, morphs);
    rig_floats(rig, 1, 2, times);
    rig_floats(rig, 4, 2, turns);
    snprintf(rest, sizeof rest,
             "'extensionsUsed': ['KHR_materials_unlit'], 'scene': 0, 'scenes': [{'nodes': [0]}], " NODES
             ", 'skins': [{'joints': [1, 3]}], " MESHES ", " MATERIALS
             ", 'textures': [{'source': 0}], 'images': [%s], 'animations': [{'name': 'wave', 'channels': "
             "[{'sampler': 0, 'target': {'node': 1, 'path': 'rotation'}}], 'samplers': [{'input': 5, "
             "'output': 6}]}], " EXTRAS,
             image);
    rig_finish(rig, rest);
}

// Every joint turns, the hips and the knee move.
static tr_clip *make_clip(const tr_skeleton *skeleton, const char *name) {
    static const uint8_t channels[JOINTS] = {TR_CHANNEL_TURNS | TR_CHANNEL_MOVES,
                                             TR_CHANNEL_TURNS | TR_CHANNEL_MOVES, TR_CHANNEL_TURNS,
                                             TR_CHANNEL_TURNS | TR_CHANNEL_MOVES};
    tr_clip_def def = {.name = name,
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = FRAMES,
                       .frames_per_second = 24};
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_skeleton_joint_count(skeleton) != JOINTS || tr_clip_create(&def, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, JOINTS, &pose, NULL) != TR_OK) {
        test_failed(__FILE__, __LINE__, "no clip");
        return NULL;
    }
    tr_random random = tr_random_seed(5);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        tr_pose_set_rest(&pose, skeleton);
        for (uint32_t i = 0; i < JOINTS; i++) {
            tr_transform local = tr_pose_get(&pose, i);
            tr_vec3 axis = {tr_random_between(&random, -1, 1), 1, tr_random_between(&random, -1, 1)};
            local.rotation = tr_quat_multiply(local.rotation, tr_quat_about(axis, 0.1 * frame + i));
            if (channels[i] & TR_CHANNEL_MOVES)
                local.position.x += 0.3f * (float)frame;
            tr_pose_set(&pose, i, local);
        }
        tr_clip_set_frame(clip, frame, &pose);
        tr_clip_set_contacts(clip, frame, frame < 4 ? 3 : 0);
    }
    tr_clip_add_event(clip, 0.125, "step");
    tr_pose_destroy(&pose);
    return clip;
}

// The files that a character names: `user` is the rig, whose bytes are body.bin.
static tr_status load(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                      tr_error *error) {
    const gltf_rig *rig = user;
    bool is_image = strcmp(uri, "paint.png") == 0;
    if (!is_image && strcmp(uri, "body.bin") != 0 && strcmp(uri, "notes.txt") != 0)
        return tr_fail(error, TR_NO_FILE, "there is no such file");
    bytes->size = is_image ? sizeof png : rig->build.size;
    bytes->data = tr_allocate(allocator, bytes->size, 1);
    if (!bytes->data)
        return TR_OUT_OF_MEMORY;
    memcpy(bytes->data, is_image ? png : rig->build.bytes, bytes->size);
    return TR_OK;
}

typedef struct added {
    gltf_rig rig;
    tr_figures before, after;
    tr_clip *clip;
    const tr_clip *clips[1];
    tr_gltf_copy copies[2];
    tr_gltf_addition addition;
    tr_bytes bytes;
    reading_notes notes;
} added;

static void begin(added *made, const char *image, const char *clip_name) {
    memset(made, 0, sizeof *made);
    put_character(&made->rig, image);
    made->before = rig_read(&made->rig, NULL);
    made->after = tr_figures_begin(NULL);
    made->clip = make_clip(made->before.items[0].skeleton, clip_name);
    made->clips[0] = made->clip;
    made->copies[0] = made->copies[1] = (tr_gltf_copy){.clips = made->clips, .clip_count = 1};
    made->addition = (tr_gltf_addition){.data = made->rig.build.glb,
                                        .size = made->rig.build.glb_size,
                                        .load = load,
                                        .load_user = &made->rig,
                                        .copies = made->copies,
                                        .copy_count = 1,
                                        .note = reading_note,
                                        .note_user = &made->notes};
}

static bool add(added *made) {
    tr_error error = {0};
    if (tr_gltf_add_clips(&made->addition, &made->bytes, &error) == TR_OK &&
        tr_gltf_read_figures(made->bytes.data, made->bytes.size, NULL, NULL, NULL, &made->after, &error) ==
            TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "byte %llu: %s", (unsigned long long)error.offset, error.message);
    return false;
}

static void finish(added *made) {
    tr_bytes_free(NULL, &made->bytes);
    tr_clip_destroy(made->clip);
    tr_figures_destroy(&made->before);
    tr_figures_destroy(&made->after);
}

// The JSON of a result, to be searched as text.
static void get_json(const added *made, char *text, size_t room) {
    const uint8_t *data = made->bytes.data;
    uint32_t size = (uint32_t)made->bytes.size;
    if (!made->addition.text) {
        size = (uint32_t)data[12] | (uint32_t)data[13] << 8 | (uint32_t)data[14] << 16;
        data += 20;
    }
    size = size < room ? size : (uint32_t)room - 1;
    memcpy(text, data, size);
    text[size] = 0;
}

static bool has(const char *json, const char *part) {
    char quoted[2000];
    snprintf(quoted, sizeof quoted, "%s", part);
    for (char *at = quoted; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    return strstr(json, quoted) != NULL;
}

static const char inside[] = "{'uri': 'data:image/png;base64,iVBORw0KGgo='}";

TEST(everything_else_in_the_file_stays_to_the_letter) {
    for (int text = 0; text < 2; text++) {
        static added made;
        static char json[20000];
        begin(&made, inside, "walk");
        made.addition.text = text;
        if (add(&made)) {
            get_json(&made, json, sizeof json);
            CHECK(has(json, MATERIALS) && has(json, MESHES) && has(json, EXTRAS) && has(json, inside));
            CHECK(has(json, "'skins': [{'joints': [1, 3]}]"));
            CHECK(has(json, made.rig.views) && has(json, made.rig.accessors));
            CHECK(has(json, "{'name': 'wave', 'channels': [{'sampler': 0, 'target'"));
            if (!text) {
                uint32_t begin_of_bytes = 28 + (uint32_t)made.bytes.data[12] + 256u * made.bytes.data[13];
                CHECK(memcmp(made.bytes.data + begin_of_bytes, made.rig.build.bytes, made.rig.build.size) ==
                      0);
            }
        }
        CHECK_INT(made.notes.count, 0);
        finish(&made);
    }
}

TEST(the_clip_moves_the_characters_own_nodes) {
    for (int text = 0; text < 2; text++) {
        static added made;
        begin(&made, inside, "walk");
        made.addition.text = text;
        if (add(&made)) {
            const tr_figure *figure = &made.after.items[0];
            REQUIRE(made.after.count == 1 && figure->clip_count == 2);
            CHECK_TEXT(tr_clip_name(figure->clips[0]), "walk");
            CHECK_TEXT(tr_clip_name(figure->clips[1]), "wave");
            CHECK_INT(tr_clip_frame_count(figure->clips[0]), FRAMES);
            CHECK_INT(tr_clip_frame_contacts(figure->clips[0], 3), 3);
            CHECK_INT(tr_clip_frame_contacts(figure->clips[0], 4), 0);
            CHECK_INT(tr_clip_event_count(figure->clips[0]), 1);
            tr_figure wanted = made.before.items[0];
            tr_clip *only[1] = {made.clip};
            wanted.clips = only;
            for (uint32_t frame = 0; frame < FRAMES; frame++)
                for (uint32_t joint = 0; joint < JOINTS; joint++) {
                    tr_affine here = rig_joint(figure, 0, frame, joint);
                    tr_affine there = rig_joint(&wanted, 0, frame, joint);
                    for (int k = 0; k < 12; k++)
                        CHECK_NEAR((double)here.m[k / 4][k % 4], (double)there.m[k / 4][k % 4], 1e-5);
                }
            // The character's own animation is as it was.
            tr_affine here = rig_joint(figure, 1, 0, 3), there = rig_joint(&made.before.items[0], 0, 0, 3);
            CHECK(memcmp(&here, &there, sizeof here) == 0);
        }
        finish(&made);
    }
}

TEST(a_node_that_moves_has_no_matrix) {
    static added made;
    static char json[20000];
    begin(&made, inside, "walk");
    if (add(&made)) {
        get_json(&made, json, sizeof json);
        CHECK(!strstr(json, "matrix"));
        CHECK(has(json, "'extras': {'kept': 1},'translation':["));
    }
    made.copies[0].clip_count = 0;
    tr_bytes_free(NULL, &made.bytes);
    if (add(&made)) {
        get_json(&made, json, sizeof json);
        CHECK(has(json, "'matrix': [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.1, -0.2, 0.3, 1]}"));
    }
    finish(&made);
}

TEST(a_name_that_the_file_has_gets_a_number) {
    static added made;
    begin(&made, inside, "wave");
    if (add(&made)) {
        CHECK_TEXT(tr_clip_name(made.after.items[0].clips[0]), "wave_2");
        CHECK_TEXT(tr_clip_name(made.after.items[0].clips[1]), "wave");
    }
    finish(&made);
}

TEST(images_move_into_the_file_and_those_that_cannot_are_noted) {
    static added made;
    static char json[20000];
    begin(&made,
          "{'name': 'a', 'uri': 'paint.png'}, {'uri': 'gone.png', 'name': 'b'}, {'uri': 'notes.txt'},"
          "{'uri': 'paint.png', 'mimeType': 'image/jpeg'}",
          "walk");
    if (add(&made)) {
        get_json(&made, json, sizeof json);
        CHECK(has(json, "{'name': 'a','bufferView':7,'mimeType':'image/png'}"));
        CHECK(has(json, "{'uri': 'gone.png', 'name': 'b'}"));
        CHECK(has(json, "{'bufferView':8,'mimeType':'image/png'}"));
        CHECK_CONTAINS(made.notes.text, "images[1].uri stays a link to \"gone.png\": there is no such file");
        CHECK_CONTAINS(made.notes.text, "images[2].uri stays a link to \"notes.txt\": it is neither PNG");
        CHECK_INT(made.notes.count, 2);
        uint64_t found = 0;
        for (size_t i = 0; i + sizeof png <= made.bytes.size; i++)
            found += memcmp(made.bytes.data + i, png, sizeof png) == 0;
        CHECK_INT(found, 2);
    }
    finish(&made);
}

// The character as a text whose buffer is a file beside it, and a second buffer in another file.
static void put_text(const added *made, const char *buffers, char *text, size_t room) {
    char old[64];
    snprintf(old, sizeof old, "\"buffers\": [{\"byteLength\": %zu}]", made->rig.build.size);
    const char *at = strstr(made->rig.build.json, old);
    snprintf(text, room, "%.*s\"buffers\": [%s]%s", at ? (int)(at - made->rig.build.json) : 0,
             made->rig.build.json, buffers, at ? at + strlen(old) : "");
}

TEST(buffers_beside_the_file_move_into_it) {
    for (int as_text = 0; as_text < 2; as_text++) {
        static added made;
        static char text[8000], json[20000], buffers[400];
        begin(&made, inside, "walk");
        snprintf(
            buffers, sizeof buffers,
            "{\"uri\": \"body.bin\", \"byteLength\": %zu, \"name\": \"x\"}, {\"byteLength\": 5, \"uri\": "
            "\"body.bin\"}, {\"byteLength\": 1, \"uri\": \"data:;base64,AA==\"}",
            made.rig.build.size);
        put_text(&made, buffers, text, sizeof text);
        made.addition.data = text;
        made.addition.size = strlen(text);
        made.addition.text = as_text;
        if (add(&made)) {
            get_json(&made, json, sizeof json);
            CHECK(!strstr(json, "body.bin"));
            CHECK(has(json, "{\"name\": \"x\",\"byteLength\":"));
            CHECK(has(json, "{\"byteLength\":5,\"uri\":\"data:application/octet-stream;base64,"));
            CHECK(has(json, "{\"byteLength\": 1, \"uri\": \"data:;base64,AA==\"}"));
            CHECK_INT(made.after.items[0].clip_count, 2);
        }
        finish(&made);
    }
}

// A file without bytes of its own gets a buffer; one whose first buffer has none gets one more.
TEST(a_file_without_bytes_gets_a_buffer) {
    static const char *const buffers[] = {
        "", "'buffers': [],",
        ("'buffers': [{'byteLength': 8, 'extensions': {'EXT_meshopt_compression': {'fallback': true}}}],")};
    for (int i = 0; i < 6; i++) {
        static added made;
        static char json[20000], text[1000];
        begin(&made, inside, "walk");
        snprintf(text, sizeof text, "{" GLTF_ASSET "%s" NODES ", 'skins': [{'joints': [1, 3]}]}",
                 buffers[i / 2]);
        char *mesh = strstr(text, ", 'mesh': 0, 'skin': 0");
        memset(mesh, ' ', strlen(", 'mesh': 0, 'skin': 0"));
        gltf_set_json(&made.rig.build, text);
        made.addition.data = made.rig.build.json;
        made.addition.size = strlen(made.rig.build.json);
        made.addition.text = i % 2;
        if (add(&made)) {
            get_json(&made, json, sizeof json);
            CHECK(has(json, i / 2 == 2 ? "{'buffer':1," : "{'buffer':0,"));
            CHECK_INT(made.after.items[0].clip_count, 1);
            CHECK_INT(tr_clip_frame_count(made.after.items[0].clips[0]), FRAMES);
        }
        finish(&made);
    }
}

TEST(what_cannot_be_added_is_refused_with_a_reason) {
    static added made;
    tr_error error = {0};
    tr_bytes bytes;
    begin(&made, inside, "walk");
    tr_gltf_addition good = made.addition, bad = good;
    CHECK(tr_gltf_add_clips(NULL, &bytes, &error) == TR_INVALID);
    bad.figure = 1;
    CHECK(tr_gltf_add_clips(&bad, &bytes, &error) == TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "there is no figure 1, the file has 1");
    bad = good;
    bad.tolerance = -1;
    CHECK(tr_gltf_add_clips(&bad, &bytes, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "the tolerance is -1");
    const tr_clip *none[1] = {NULL};
    bad = good;
    bad.copy_count = 0;
    CHECK(tr_gltf_add_clips(&bad, &bytes, &error) == TR_INVALID);
    bad = good;
    tr_gltf_copy wrong = {.clips = none, .clip_count = 1};
    bad.copies = &wrong;
    CHECK(tr_gltf_add_clips(&bad, &bytes, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "clip 0 of copy 0 is NULL");
    tr_joint_def joint = {.name = "one", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def def = {.joints = &joint, .joint_count = 1};
    tr_skeleton *one = NULL;
    tr_clip *clip = NULL;
    REQUIRE(tr_skeleton_create(&def, &one, NULL) == TR_OK);
    tr_clip_def clip_def = {.skeleton = one, .frame_count = 1, .frames_per_second = 1};
    REQUIRE(tr_clip_create(&clip_def, &clip, NULL) == TR_OK);
    none[0] = clip;
    CHECK(tr_gltf_add_clips(&bad, &bytes, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "clip 0 of copy 0 has 1 joints, figure 0 of the file has 4");
    for (size_t size = 0; size < good.size; size += 37) { // cut short
        bad = good;
        bad.size = size;
        CHECK(tr_gltf_add_clips(&bad, &bytes, &error) == TR_BAD_FILE && error.message[0] && !bytes.data);
    }
    tr_clip_destroy(clip);
    tr_skeleton_destroy(one);
    finish(&made);
}

TEST(copies_have_their_own_nodes_and_play_together) {
    for (int text = 0; text < 2; text++) {
        static added made;
        static char json[20000];
        begin(&made, inside, "walk");
        tr_clip *still = NULL;
        tr_clip_def def = {.name = "walk",
                           .skeleton = made.before.items[0].skeleton,
                           .frame_count = FRAMES,
                           .frames_per_second = 24};
        REQUIRE(tr_clip_create(&def, &still, NULL) == TR_OK);
        const tr_clip *stills[1] = {still};
        made.copies[0].name = "Ann";
        made.copies[1] = (tr_gltf_copy){.name = "Bob", .clips = stills, .clip_count = 1};
        made.addition.copy_count = 2;
        made.addition.text = text;
        if (add(&made)) {
            REQUIRE(made.after.count == 2);
            CHECK_TEXT(made.after.items[0].name, "Ann");
            CHECK_TEXT(made.after.items[1].name, "Bob");
            REQUIRE(made.after.items[0].clip_count == 2 && made.after.items[0].body &&
                    made.after.items[1].body);
            CHECK_TEXT(tr_clip_name(made.after.items[0].clips[0]), "walk");
            tr_figure wanted = made.before.items[0];
            tr_clip *only[1] = {made.clip};
            wanted.clips = only;
            tr_affine here = rig_joint(&made.after.items[0], 0, 5, 3), there = rig_joint(&wanted, 0, 5, 3);
            CHECK_NEAR((double)here.m[0][3], (double)there.m[0][3], 1e-5);
            // The other one stands still: its joints are where they are at rest.
            const tr_affine *rest = tr_skeleton_rest_model(made.after.items[1].skeleton);
            const tr_affine *before = tr_skeleton_rest_model(made.before.items[0].skeleton);
            for (uint32_t i = 0; i < JOINTS; i++)
                for (int k = 0; k < 12; k++)
                    CHECK_NEAR((double)rest[i].m[k / 4][k % 4], (double)before[i].m[k / 4][k % 4], 1e-6);
            get_json(&made, json, sizeof json);
            CHECK(has(json, MATERIALS) && has(json, MESHES) && has(json, EXTRAS));
            CHECK(has(json, "{'nodes':[0,5]}") && has(json, "'skin':1}"));
            CHECK(has(json, "'joints':[1,3]}") && has(json, "'joints':[6,8]}"));
        }
        tr_clip_destroy(still);
        finish(&made);
    }
}

static bool add_with(const tr_allocator *allocator, bool text) {
    static added made;
    begin(&made, "{'uri': 'paint.png'}", "walk");
    made.addition.allocator = allocator;
    made.addition.text = text;
    made.addition.copy_count = text ? 2 : 1;
    tr_bytes bytes;
    tr_error error = {0};
    tr_status status = tr_gltf_add_clips(&made.addition, &bytes, &error);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0] && !bytes.data));
    CHECK_INT(made.notes.count, 0);
    tr_bytes_free(allocator, &bytes);
    finish(&made);
    return status == TR_OK;
}
static bool add_to_glb(const tr_allocator *allocator) {
    return add_with(allocator, false);
}
static bool add_to_text(const tr_allocator *allocator) {
    return add_with(allocator, true);
}

TEST(adding_survives_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(add_to_glb) > 20);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(add_to_text) > 20);
}

// Whatever bytes are damaged, the result is a file that can be read, or an error.
TEST(a_damaged_file_is_refused_or_gives_a_good_one) {
    static added made;
    begin(&made, inside, "walk");
    tr_random random = tr_random_seed(8);
    static uint8_t copy[sizeof made.rig.build.glb];
    int good = 0;
    for (int round = 0; round < 4000; round++) {
        memcpy(copy, made.rig.build.glb, made.rig.build.glb_size);
        for (uint32_t k = 0; k < 1 + tr_random_below(&random, 3); k++)
            copy[tr_random_below(&random, (uint32_t)made.rig.build.glb_size)] =
                (uint8_t)tr_random_below(&random, 256);
        made.addition.data = copy;
        made.addition.copy_count = 1 + (uint32_t)round % 2;
        tr_bytes bytes;
        tr_figures figures = tr_figures_begin(NULL);
        tr_error error = {0};
        tr_status status = tr_gltf_add_clips(&made.addition, &bytes, &error);
        if (status != TR_OK) {
            CHECK(error.message[0] && !bytes.data);
            continue;
        }
        // The mesh is not looked at while clips are added, but is when figures are read.
        status = tr_gltf_read_figures(bytes.data, bytes.size, NULL, load, &made.rig, &figures, &error);
        tr_figures whole = tr_figures_begin(NULL);
        if (tr_gltf_read_figures(copy, made.rig.build.glb_size, NULL, load, &made.rig, &whole, NULL) ==
            TR_OK) {
            CHECK_INT(status, TR_OK);
            good++;
        }
        tr_figures_destroy(&whole);
        tr_figures_destroy(&figures);
        tr_bytes_free(NULL, &bytes);
    }
    if (!(good > 300))
        test_failed(__FILE__, __LINE__, "only %d files were good", good);
    finish(&made);
}
