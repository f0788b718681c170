// Characters of glTF files in a shot: what they look like arrives, once for all copies, and moves as the clips
// say.
#include "gltf_rig.h"
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/picture.h"
#include "troupe/motion/mannequin.h"

#define FRAMES 9

static tr_bytes png; // 2 x 1 pixels: red, blue

static void make_png(void) {
    tr_picture picture;
    tr_color red = {255, 0, 0}, blue = {0, 0, 255};
    if (png.data || tr_picture_create(NULL, 2, 1, red, &picture, NULL) != TR_OK)
        return;
    memcpy(picture.pixels + 3, &blue, 3);
    tr_picture_encode_png(NULL, &picture, &png, NULL);
    tr_picture_destroy(&picture);
}

#define LOOKS                                                                                                \
    "'materials': [{'name': 'unused'}, {'name': 'paint', 'pbrMetallicRoughness': {'baseColorTexture': "      \
    "{'index': 1, 'extensions': {'KHR_texture_transform': {'scale': [1, 1]}}}, 'roughnessFactor': 0.25}, "   \
    "'extensions': {'KHR_materials_clearcoat': {'clearcoatTexture': {'index': 0}}}}], 'samplers': [{}, "     \
    "{'wrapS': 33071}], 'textures': [{'source': 1}, {'sampler': 1, 'source': 1}], 'images': [{'uri': "       \
    "'unused.png'}, {'uri': 'paint.png', 'name': 'p'}], "                                                    \
    "'meshes': [{'name': 'face', 'weights': [0.25], 'primitives': [{'attributes': {'POSITION': 0, "          \
    "'TEXCOORD_0': 1, 'JOINTS_0': 2, 'WEIGHTS_0': 3}, 'targets': [{'POSITION': 4}], 'material': 1, "         \
    "'extras': {'material': 7}}]}, {'name': 'hat', 'primitives': [{'attributes': {'POSITION': 0, "           \
    "'TEXCOORD_0': 1}, 'material': 1}]}, {'name': 'floor', 'primitives': [{'attributes': {'POSITION': "      \
    "7}}]}]"
#define NODES                                                                                                \
    "'nodes': [{'name': 'world', 'children': [1, 4]}, {'name': 'hips', 'children': [2], 'translation': [0, " \
    "0.5, 0]}, {'name': 'between', 'scale': [1, 0.5, 1], 'children': [3, 5]}, {'name': 'knee', 'matrix': "   \
    "[0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.1, -0.2, 0.3, 1]}, {'name': 'face', 'mesh': 0, 'skin': 0, "     \
    "'weights': [0.5]}, {'name': 'hat', 'mesh': 1, 'translation': [0, 1, 0]}, {'name': 'floor', 'mesh': 2}]"

static void put_character(gltf_rig *rig) {
    static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uvs[] = {0, 0, 0.25, 0, 0, 1},
                        joints[12] = {0}, weights[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
                        morphs[] = {0, 0, 1, 0, 0, 0, 0, 0, 0}, times[] = {0, 1},
                        turns[] = {0, 0, 0, 1, 0, 1, 0, 0};
    memset(rig, 0, sizeof *rig);
    make_png();
    rig_floats(rig, 3, 3, positions);
    rig_floats(rig, 2, 3, uvs);
    rig_accessor(rig, 5121, false, 4, 3, joints);
    rig_floats(rig, 4, 3, weights);
    rig_floats(rig, 3, 3, morphs);
    rig_floats(rig, 1, 2, times);
    rig_floats(rig, 4, 2, turns);
    rig_floats(rig, 3, 3, positions); // of the floor
    rig_finish(rig, "'extensionsUsed': ['KHR_texture_transform', 'KHR_materials_clearcoat', 'KHR_lights_punctual'],"
                    "'extensionsRequired': ['KHR_texture_transform'], 'scene': 0, 'scenes': [{'nodes': [0, 6]}],"
                    NODES ", 'skins': [{'joints': [1, 3]}], " LOOKS
                    ", 'animations': [{'name': 'wave', 'channels': [{'sampler': 0, 'target': {'node': 1, "
                    "'path': 'rotation'}}], 'samplers': [{'input': 5, 'output': 6}]}]");
}

static tr_status load(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                      tr_error *error) {
    (void)user;
    if (strcmp(uri, "paint.png") != 0)
        return tr_fail(error, TR_NO_FILE, "there is no such file");
    bytes->size = png.size;
    bytes->data = tr_allocate(allocator, png.size, 1);
    if (!bytes->data)
        return TR_OUT_OF_MEMORY;
    memcpy(bytes->data, png.data, png.size);
    return TR_OK;
}

typedef struct staged {
    gltf_rig rig;
    tr_figures before, after;
    tr_clip *clip;
    const tr_clip *clips[1];
    tr_gltf_source source;
    tr_skeleton *mannequin;
    tr_body *body;
    tr_gltf_actor actors[3];
    tr_gltf_shot shot;
    tr_bytes bytes;
    char json[40000];
} staged;

static void begin(staged *made, double unit) {
    memset(made, 0, sizeof *made);
    put_character(&made->rig);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.metres_per_unit = unit;
    made->before = rig_read(&made->rig, &options);
    made->after = tr_figures_begin(NULL);
    const tr_skeleton *skeleton = made->before.items[0].skeleton;
    uint32_t joints = tr_skeleton_joint_count(skeleton);
    tr_clip_def def = {.name = "walk", .skeleton = skeleton, .frame_count = FRAMES, .frames_per_second = 24};
    tr_pose pose;
    if (tr_clip_create(&def, &made->clip, NULL) != TR_OK || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        tr_pose_set_rest(&pose, skeleton);
        for (uint32_t i = 0; i < joints; i++)
            tr_pose_set_rotation(&pose, i,
                                 tr_quat_multiply(tr_pose_rotation(&pose, i),
                                                  tr_quat_about(tr_vec3_make(0.3f, 1, (float)i), 0.2 * frame)));
        pose.position[0][0] += 0.3f * (float)frame;
        tr_clip_set_frame(made->clip, frame, &pose);
    }
    tr_pose_destroy(&pose);
    made->clips[0] = made->clip;
    made->source = (tr_gltf_source){.data = made->rig.build.glb,
                                    .size = made->rig.build.glb_size,
                                    .load = load,
                                    .metres_per_unit = unit};
    tr_mannequin_def mannequin = {.detail = 1};
    if (tr_mannequin_make(&mannequin, &made->mannequin, &made->body, NULL) != TR_OK)
        abort();
    for (int i = 0; i < 3; i++)
        made->actors[i] = (tr_gltf_actor){.name = i ? "Bob" : "Ada",
                                          .skeleton = skeleton,
                                          .clips = made->clips,
                                          .clip_count = 1,
                                          .source = &made->source};
    made->actors[1] = (tr_gltf_actor){.name = "Dummy", .skeleton = made->mannequin, .body = made->body};
    made->shot = (tr_gltf_shot){.actors = made->actors, .actor_count = 3};
}

static bool write(staged *made) {
    tr_error error = {0};
    if (tr_gltf_write(&made->shot, &made->bytes, &error) != TR_OK ||
        tr_gltf_read_figures(made->bytes.data, made->bytes.size, NULL, NULL, NULL, &made->after, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "byte %llu: %s", (unsigned long long)error.offset, error.message);
        return false;
    }
    size_t size = (size_t)made->bytes.data[12] | (size_t)made->bytes.data[13] << 8 |
                  (size_t)made->bytes.data[14] << 16;
    size = size < sizeof made->json ? size : sizeof made->json - 1;
    memcpy(made->json, made->bytes.data + 20, size);
    made->json[size] = 0;
    return true;
}

static void finish(staged *made) {
    tr_bytes_free(NULL, &made->bytes);
    tr_clip_destroy(made->clip);
    tr_figures_destroy(&made->before);
    tr_figures_destroy(&made->after);
    tr_skeleton_destroy(made->mannequin);
    tr_body_destroy(made->body);
}

static int count_of(const staged *made, const char *part) {
    char quoted[400];
    int count = 0;
    snprintf(quoted, sizeof quoted, "%s", part);
    for (char *at = quoted; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    for (const char *at = made->json; (at = strstr(at, quoted)); at++)
        count++;
    return count;
}

TEST(a_character_of_a_file_looks_the_same_in_a_shot) {
    static staged made;
    begin(&made, 1);
    REQUIRE(write(&made));
    // Once for both copies; what nobody uses is left out, and so are animations and other trees.
    CHECK_INT(count_of(&made, "'name':'face','primitives'") + count_of(&made, "'name':'face','weights'"), 1);
    CHECK_INT(count_of(&made, "'name':'hat','primitives'"), 1);
    CHECK_INT(count_of(&made, "'name':'paint'"), 1);
    CHECK_INT(count_of(&made, "unused") + count_of(&made, "floor") + count_of(&made, "wave"), 0);
    CHECK_INT(count_of(&made, "'roughnessFactor':0.25"), 1);
    CHECK_INT(count_of(&made, "'clearcoatTexture':{'index':"), 1);
    CHECK_INT(count_of(&made, "'KHR_texture_transform':{'scale':[1,1]}"), 1);
    CHECK_INT(count_of(&made, "'extensionsUsed':['KHR_texture_transform','KHR_materials_clearcoat']"), 1);
    CHECK_INT(count_of(&made, "'extensionsRequired':['KHR_texture_transform']"), 1);
    CHECK_INT(count_of(&made, "'wrapS':33071"), 1);
    CHECK_INT(count_of(&made, "'extras':{'material':7}"), 1);
    CHECK_INT(count_of(&made, "'targets':[{'POSITION':"), 1);
    CHECK_INT(count_of(&made, "'weights':[0.25]"), 1);
    CHECK_INT(count_of(&made, "'weights':[0.5]"), 2); // of the nodes
    CHECK_INT(count_of(&made, "'name':'p','mimeType':'image/png','bufferView':"), 1);
    CHECK_INT(count_of(&made, "'name':'Ada_face'"), 1);
    CHECK_INT(count_of(&made, "'name':'Bob_face'"), 1);
    uint64_t found = 0;
    for (size_t i = 0; i + png.size <= made.bytes.size; i++)
        found += memcmp(made.bytes.data + i, png.data, png.size) == 0;
    CHECK_INT(found, 1);
    finish(&made);
}

// Also when the file is in other units: the character is in metres, whatever its file counts in.
TEST(characters_of_files_move_as_their_clips_say) {
    const double units[] = {1, 0.01, 2.5};
    for (int i = 0; i < 3; i++) {
        static staged made;
        begin(&made, units[i]);
        REQUIRE(write(&made));
        CHECK_INT(made.after.count, 3);
        const tr_skeleton *skeleton = made.before.items[0].skeleton;
        tr_figure wanted = made.before.items[0];
        tr_clip *only[1] = {made.clip};
        wanted.clips = only;
        for (uint32_t actor = 0; actor < 3; actor += 2) {
            const tr_figure *figure = &made.after.items[actor];
            for (uint32_t joint = 0; joint < tr_skeleton_joint_count(skeleton); joint++) {
                uint32_t same = tr_skeleton_find(figure->skeleton, tr_skeleton_joint(skeleton, joint).name);
                REQUIRE(same != TR_NONE && figure->clip_count == 1);
                for (uint32_t frame = 0; frame < FRAMES; frame++) {
                    tr_affine here = rig_joint(figure, 0, frame, same), there = rig_joint(&wanted, 0, frame, joint);
                    for (int row = 0; row < 3; row++)
                        CHECK_NEAR((double)here.m[row][3], (double)there.m[row][3], 2e-6);
                }
            }
            // The skin is where the character's own was: vertices in the rest pose, in metres.
            const tr_body_def *a = tr_body_view(made.before.items[0].body), *b = tr_body_view(figure->body);
            REQUIRE(a->vertex_count == b->vertex_count);
            for (uint32_t k = 0; k < a->vertex_count; k++)
                CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(a->positions[k], b->positions[k])), 0, 2e-6);
        }
        finish(&made);
    }
}

TEST(triangles_have_the_colours_of_their_textures) {
    static staged made;
    begin(&made, 1);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    for (int with = 0; with < 2; with++) {
        tr_figures figures = tr_figures_begin(NULL);
        tr_error error = {0};
        options.textures = with;
        CHECK_INT(tr_gltf_read_figures(made.rig.build.glb, made.rig.build.glb_size, &options, load, NULL, &figures,
                                       &error),
                  TR_OK);
        const tr_body_def *body = tr_body_view(figures.items[0].body);
        CHECK((body->colors != NULL) == with);
        for (uint32_t i = 0; with && i < body->triangle_count; i++)
            CHECK(body->colors[i][0] > 0.95f && body->colors[i][1] == 0 && body->colors[i][2] == 0);
        tr_figures_destroy(&figures);
    }
    finish(&made);
}

TEST(the_motion_over_the_ground_can_have_a_node_of_its_own) {
    static staged made;
    begin(&made, 1);
    tr_base path[FRAMES];
    for (uint32_t i = 0; i < FRAMES; i++)
        path[i] = (tr_base){0.5f * (float)i, -0.25f * (float)i, 0.1f * (float)i};
    REQUIRE(tr_clip_set_base(made.clip, path, tr_base_difference(path[0], path[FRAMES - 1])) == TR_OK);
    tr_figures both[2];
    for (int root = 0; root < 2; root++) {
        made.shot.root_motion = root;
        tr_bytes_free(NULL, &made.bytes);
        tr_figures_destroy(&made.after);
        made.after = tr_figures_begin(NULL);
        REQUIRE(write(&made));
        both[root] = made.after;
        made.after = tr_figures_begin(NULL);
    }
    const tr_figure *baked = &both[0].items[0], *carried = &both[1].items[0];
    uint32_t node = tr_skeleton_find(carried->skeleton, "Ada");
    CHECK(node != TR_NONE && tr_skeleton_find(baked->skeleton, "Ada") == TR_NONE);
    REQUIRE(node != TR_NONE);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        tr_affine place = rig_joint(carried, 0, frame, node);
        CHECK_NEAR(place.m[0][3], path[frame].x, 1e-6);
        CHECK_NEAR(place.m[2][3], path[frame].z, 1e-6);
        CHECK_NEAR(tr_arc_tangent(place.m[0][2], place.m[2][2]), path[frame].heading, 1e-5);
        for (uint32_t joint = 0; joint < tr_skeleton_joint_count(baked->skeleton); joint++) {
            const char *name = tr_skeleton_joint(baked->skeleton, joint).name;
            tr_affine here = rig_joint(carried, 0, frame, tr_skeleton_find(carried->skeleton, name));
            tr_affine there = rig_joint(baked, 0, frame, joint);
            for (int row = 0; row < 3; row++)
                CHECK_NEAR((double)here.m[row][3], (double)there.m[row][3], 5e-6);
        }
    }
    tr_figures_destroy(&both[0]);
    tr_figures_destroy(&both[1]);
    finish(&made);
}

TEST(sources_that_do_not_fit_are_refused) {
    static staged made;
    tr_error error = {0};
    begin(&made, 1);
    made.source.figure = 4;
    CHECK_INT(tr_gltf_write(&made.shot, &made.bytes, &error), TR_NOT_FOUND);
    made.source.figure = 0;
    made.actors[1].source = &made.source;
    CHECK_INT(tr_gltf_write(&made.shot, &made.bytes, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the skeleton of actor 1 has");
    made.actors[1].source = NULL;
    made.source.metres_per_unit = 0;
    CHECK_INT(tr_gltf_write(&made.shot, &made.bytes, &error), TR_INVALID);
    CHECK(!made.bytes.data);
    finish(&made);
}

// Bytes of the file changed one by one: the shot is written or refused, and nothing is lost.
TEST(damaged_sources_are_written_or_refused) {
    static staged made;
    begin(&made, 1);
    tr_random random = tr_random_seed(7);
    size_t json = (size_t)made.rig.build.glb[12] | (size_t)made.rig.build.glb[13] << 8;
    int good = 0, bad = 0;
    static const char signs[] = "0123456789-[]{},:\"ax ";
    for (int i = 0; i < 1500; i++) {
        size_t at = 20 + tr_random_below(&random, (uint32_t)json);
        uint8_t before = made.rig.build.glb[at];
        made.rig.build.glb[at] = (uint8_t)signs[tr_random_below(&random, sizeof signs - 1)];
        tr_error error = {0};
        tr_status status = tr_gltf_write(&made.shot, &made.bytes, &error);
        good += status == TR_OK;
        bad += status != TR_OK;
        if (status != TR_OK && (!error.message[0] || made.bytes.data))
            test_failed(__FILE__, __LINE__, "byte %zu: %s", at, tr_status_name(status));
        tr_bytes_free(NULL, &made.bytes);
        made.bytes = (tr_bytes){0};
        made.rig.build.glb[at] = before;
    }
    CHECK(good > 100 && bad > 100);
    finish(&made);
}

static staged *failing;
static bool write_with(const tr_allocator *allocator) {
    failing->shot.allocator = allocator;
    tr_bytes bytes = {0};
    bool done = tr_gltf_write(&failing->shot, &bytes, NULL) == TR_OK;
    CHECK(done || !bytes.data);
    tr_bytes_free(allocator, &bytes);
    return done;
}

TEST(every_allocation_of_a_source_may_fail) {
    static staged made;
    begin(&made, 2);
    made.actors[1] = made.actors[0];
    failing = &made;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_with) > 50);
    finish(&made);
}
