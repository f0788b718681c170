// Motion files by one call: formats told apart, captures through GLB and back, other people's characters.
#include "io/bvh/bvh_sample.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/retarget.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "test_motion_file_folder"
#define JOINTS_MAX 128

static void write_text(const char *path, const char *text) {
    mkdir(FOLDER, 0777);
    tr_error error = {0};
    if (tr_file_write(path, text, strlen(text), &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
}

static bool read_file(const char *path, tr_figures *figures) {
    *figures = tr_figures_begin(NULL);
    tr_error error = {0};
    if (tr_motion_file_read(path, NULL, figures, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "%s:%u: byte %llu: %s", path, error.line,
                (unsigned long long)error.offset, error.message);
    return false;
}

TEST(the_content_tells_the_format_then_the_ending) {
    static const char *const paths[] = {FOLDER "/a.bvh", FOLDER "/a b.BVH", FOLDER "/a.glb",
                                        FOLDER "/noending"};
    for (int i = 0; i < 4; i++) {
        tr_figures figures;
        write_text(paths[i], bvh_sample);
        if (read_file(paths[i], &figures)) {
            CHECK_INT(figures.count, 1);
            CHECK_INT(tr_clip_frame_count(figures.items[0].clips[0]), 3);
            CHECK_TEXT(figures.items[0].name, i == 1 ? "a b" : i == 3 ? "noending" : "a");
            CHECK_TEXT(tr_clip_name(figures.items[0].clips[0]), figures.items[0].name);
        }
        tr_figures_destroy(&figures);
        remove(paths[i]);
    }
}

// A text FBX: a neck and a head, as Blender writes them: bones in units of 100 m, turned nowhere, and a mesh
// with the name of the bone that follows it. The head nods by 30 degrees.
static const char fbx_sample[] =
    "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
    "GlobalSettings:  {\nVersion: 1000\nProperties70:  {\n"
    "P: \"UpAxis\", \"int\", \"Integer\", \"\",1\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\n"
    "P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
    "P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n}\n}\nObjects:  {\n"
    "Geometry: 10, \"Geometry::head\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
    "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\nModel: 20, \"Model::body\", \"Null\" {\n"
    "Version: 232\nProperties70:  {\nP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",100,100,100\n"
    "}\n}\nModel: 21, \"Model::neck\", \"LimbNode\" {\nVersion: 232\nProperties70:  {\n"
    "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0.004,0\n}\n}\n"
    "Model: 22, \"Model::head\", \"Mesh\" {\nVersion: 232\n}\n"
    "Model: 23, \"Model::head\", \"LimbNode\" {\nVersion: 232\nProperties70:  {\n"
    "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0.003,0\n}\n}\n"
    "AnimationStack: 30, \"AnimStack::nod\", \"\" {\nProperties70:  {\n"
    "P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n}\n}\n"
    "AnimationLayer: 31, \"AnimLayer::nod\", \"\" {\n}\n"
    "AnimationCurveNode: 32, \"AnimCurveNode::R\", \"\" {\nProperties70:  {\n"
    "P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\n"
    "P: \"d|Z\", \"Number\", \"\", \"A\",0\n}\n}\nAnimationCurve: 33, \"AnimCurve::\", \"\" {\n"
    "Default: 0\nKeyVer: 4008\nKeyTime: *2 {\na: 0,46186158000\n}\nKeyValueFloat: *2 {\na: 0,30\n}\n"
    "KeyAttrFlags: *1 {\na: 24836\n}\nKeyAttrDataFloat: *4 {\na: 0,0,255790911,0\n}\n"
    "KeyAttrRefCount: *1 {\na: 2\n}\n}\n}\nConnections:  {\nC: \"OO\",20,0\nC: \"OO\",21,20\n"
    "C: \"OO\",22,21\nC: \"OO\",10,22\nC: \"OO\",23,21\nC: \"OO\",31,30\nC: \"OO\",32,31\n"
    "C: \"OP\",32,23, \"Lcl Rotation\"\nC: \"OP\",33,32, \"d|X\"\n}\n";

TEST(bones_of_an_fbx_keep_their_places_and_their_clips) {
    tr_figures figures;
    tr_error error = {0};
    write_text(FOLDER "/nod.fbx", fbx_sample);
    figures = tr_figures_begin(NULL);
    tr_status status = tr_motion_file_read(FOLDER "/nod.fbx", NULL, &figures, &error);
    remove(FOLDER "/nod.fbx");
    if (status == TR_UNAVAILABLE) {
        test_skip("assimp is not installed");
        return;
    }
    REQUIRE(status == TR_OK && figures.count == 1 && figures.items[0].clip_count == 1);
    const tr_figure *figure = &figures.items[0];
    uint32_t neck = tr_skeleton_find(figure->skeleton, "neck"),
             head = tr_skeleton_find(figure->skeleton, "head");
    REQUIRE(neck != TR_NONE && head != TR_NONE);
    const tr_affine *rest = tr_skeleton_rest_model(figure->skeleton);
    CHECK_NEAR((double)tr_affine_position(&rest[neck]).y, 0.004, 1e-6);
    CHECK_NEAR((double)tr_affine_position(&rest[head]).y, 0.007, 1e-6);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(figure->skeleton), &pose, NULL) == TR_OK);
    REQUIRE(tr_clip_get_frame(figure->clips[0], tr_clip_frame_count(figure->clips[0]) - 1, &pose) == TR_OK);
    CHECK_NEAR(fabs((double)tr_pose_get(&pose, head).rotation.x), 0.258819, 1e-4);
    tr_pose_destroy(&pose);
    tr_figures_destroy(&figures);
}

TEST(what_cannot_be_read_leaves_the_figures_as_they_were) {
    tr_figures figures;
    write_text(FOLDER "/good.bvh", bvh_sample);
    REQUIRE(read_file(FOLDER "/good.bvh", &figures));
    static const struct {
        const char *name, *text;
        tr_status status;
        const char *sentence;
    } bad[] = {
        {FOLDER "/bad.bvh", "HIERARCHY\nROOT a\n", TR_BAD_FILE, "expected the { of a joint"},
        {FOLDER "/bad.txt", "hello", TR_UNAVAILABLE, "neither BVH nor glTF"},
        {FOLDER "/empty.bvh", "", TR_BAD_FILE, "the file is empty"},
        {FOLDER "/bad.gltf", "{\"asset\": {\"version\": \"2.0\"}}", TR_NOT_FOUND, ""},
        {FOLDER "/bad.glb", "glTF", TR_BAD_FILE, ""},
        {FOLDER "/packed.gltf",
         "{\"asset\": {\"version\": \"2.0\"}, \"extensionsRequired\": [\"KHR_draco_mesh_compression\"]}",
         TR_UNAVAILABLE, "KHR_draco_mesh_compression, which is not supported: unpack it first"},
        {FOLDER "/packed.glb",
         "{\"asset\": {\"version\": \"2.0\"}, \"extensionsRequired\": [\"EXT_meshopt_compression\"]}",
         TR_UNAVAILABLE, "EXT_meshopt_compression, which is not supported: unpack it first"},
        {FOLDER "/bad.fbx", "; FBX 7.4.0 project file\n", TR_UNAVAILABLE, "assimp"},
        {FOLDER "/image.fbx", "; FBX 7.5.0 project file\nVideo: 1 {\n\tContent: \"iVBORw0KGgo\"\n}\n",
         TR_UNAVAILABLE, "assimp"}, // with a sentence of its own where assimp is
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_error error = {0};
        write_text(bad[i].name, bad[i].text);
        tr_status status = tr_motion_file_read(bad[i].name, NULL, &figures, &error);
        CHECK(status == bad[i].status || (i >= 7 && status == TR_BAD_FILE)); // assimp may be here
        if (i == 8 && status == TR_BAD_FILE)
            CHECK_CONTAINS(error.message, "a text FBX with images inside");
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK_CONTAINS(error.file, strrchr(bad[i].name, '/') + 1);
        CHECK_INT(figures.count, 1);
        remove(bad[i].name);
    }
    tr_error error = {0};
    CHECK(tr_motion_file_read(FOLDER "/missing.bvh", NULL, &figures, &error) == TR_NO_FILE);
    CHECK_INT(figures.count, 1);
    tr_figures_destroy(&figures);
    remove(FOLDER "/good.bvh");
}

TEST(a_bvh_file_takes_one_figure_and_one_clip) {
    tr_figures figures;
    tr_error error = {0};
    write_text(FOLDER "/a.bvh", bvh_sample);
    REQUIRE(read_file(FOLDER "/a.bvh", &figures));
    tr_figure *figure = &figures.items[0];
    tr_clip_def def = {.name = "run", .skeleton = figure->skeleton, .frame_count = 2, .frames_per_second = 9};
    tr_clip *clip = NULL;
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK && tr_figure_add_clip(figure, clip) == TR_OK);
    CHECK(tr_motion_file_write(FOLDER "/out.bvh", &figures, 0.01, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "a BVH file can have only one clip, but there are 2: \"a\", \"run\"");
    CHECK(tr_motion_file_write(FOLDER "/out.fbx", &figures, 0.01, &error) == TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "out.fbx\" does not end with .bvh, .glb or .gltf");
    REQUIRE(tr_motion_file_read(FOLDER "/a.bvh", NULL, &figures, NULL) == TR_OK);
    CHECK(tr_motion_file_write(FOLDER "/out.bvh", &figures, 0.01, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "a BVH file can have only one figure, but there are 2: \"a\", \"a\"");
    tr_figures empty = tr_figures_begin(NULL);
    CHECK(tr_motion_file_write(FOLDER "/out.glb", &empty, 0.01, &error) == TR_INVALID);
    CHECK(tr_motion_file_write(FOLDER "/no/such/folder.glb", &figures, 0.01, &error) == TR_NO_FILE);
    tr_figures_destroy(&figures);
    remove(FOLDER "/a.bvh");
}

TEST(clips_are_added_to_a_characters_file_for_each_figure) {
    static const char *const outs[] = {FOLDER "/added.glb", FOLDER "/added.gltf"};
    tr_figures figures, character, back;
    tr_error error = {0};
    write_text(FOLDER "/a.bvh", bvh_sample);
    REQUIRE(read_file(FOLDER "/a.bvh", &figures));
    REQUIRE(tr_motion_file_write(FOLDER "/body.glb", &figures, 0.01, &error) == TR_OK);
    REQUIRE(read_file(FOLDER "/body.glb", &character));
    REQUIRE(tr_motion_file_read(FOLDER "/body.glb", NULL, &character, NULL) == TR_OK);
    for (int i = 0; i < 2; i++) {
        CHECK(tr_motion_file_add_clips(outs[i], FOLDER "/body.glb", NULL, &character, &error) == TR_OK);
        if (!read_file(outs[i], &back))
            continue;
        CHECK_INT(back.count, 2);
        CHECK_INT(back.items[0].clip_count, 2); // its own too
        CHECK_TEXT(tr_clip_name(back.items[0].clips[0]), "a_2");
        CHECK_INT(back.items[1].clip_count, 1);
        CHECK_INT(tr_skeleton_joint_count(back.items[1].skeleton),
                  tr_skeleton_joint_count(character.items[0].skeleton));
        tr_figures_destroy(&back);
        remove(outs[i]);
    }
    CHECK(tr_motion_file_add_clips(FOLDER "/x.bvh", FOLDER "/body.glb", NULL, &character, &error) ==
          TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "x.bvh\" does not end with .glb or .gltf");
    CHECK(tr_motion_file_add_clips(outs[0], FOLDER "/a.bvh", NULL, &figures, &error) == TR_UNAVAILABLE);
    CHECK_CONTAINS(error.message, "clips can be added to glTF and GLB files only");
    CHECK(tr_motion_file_add_clips(outs[0], FOLDER "/gone.glb", NULL, &figures, &error) == TR_NO_FILE);
    tr_figures_destroy(&figures);
    tr_figures_destroy(&character);
    remove(FOLDER "/a.bvh");
    remove(FOLDER "/body.glb");
}

TEST(several_clips_go_through_glb_and_gltf) {
    static const char *const paths[] = {FOLDER "/out.glb", FOLDER "/out.GLTF"};
    for (int i = 0; i < 2; i++) {
        tr_figures figures, back;
        write_text(FOLDER "/a.bvh", bvh_sample);
        REQUIRE(read_file(FOLDER "/a.bvh", &figures));
        tr_figure *figure = &figures.items[0];
        tr_clip_def def = {
            .name = "run", .skeleton = figure->skeleton, .frame_count = 5, .frames_per_second = 25};
        tr_clip *clip = NULL;
        REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK && tr_figure_add_clip(figure, clip) == TR_OK);
        tr_error error = {0};
        if (tr_motion_file_write(paths[i], &figures, 0.01, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s", error.message);
        if (read_file(paths[i], &back)) {
            CHECK_INT(back.count, 1);
            CHECK(tr_figure_find_clip(&back.items[0], "a") != NULL);
            const tr_clip *run = tr_figure_find_clip(&back.items[0], "run");
            CHECK(run && tr_clip_frame_count(run) == 5);
        }
        tr_figures_destroy(&back);
        tr_figures_destroy(&figures);
        remove(paths[i]);
        remove(FOLDER "/a.bvh");
    }
}

// The largest distance of a joint from where it was, by name [m].
static double compare(const tr_figure *a, const tr_figure *b) {
    if (a->clip_count != 1 || b->clip_count != 1 || tr_skeleton_joint_count(b->skeleton) > JOINTS_MAX ||
        tr_clip_frame_count(a->clips[0]) != tr_clip_frame_count(b->clips[0]) ||
        fabs(tr_clip_rate(a->clips[0]) - tr_clip_rate(b->clips[0])) > 1e-3)
        return INFINITY;
    uint32_t count = tr_skeleton_joint_count(a->skeleton), other[JOINTS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        other[i] = tr_skeleton_find(b->skeleton, tr_skeleton_joint(a->skeleton, i).name);
        if (other[i] == TR_NONE)
            return INFINITY;
    }
    double worst = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(a->clips[0]); frame++) {
        tr_affine p[JOINTS_MAX], q[JOINTS_MAX];
        bvh_place(a->skeleton, a->clips[0], frame, p);
        bvh_place(b->skeleton, b->clips[0], frame, q);
        for (uint32_t i = 0; i < count; i++) {
            double off = (double)tr_vec3_length(
                tr_vec3_subtract(tr_affine_position(&p[i]), tr_affine_position(&q[other[i]])));
            worst = off > worst || isnan(off) ? off : worst;
        }
    }
    return worst;
}

static double through_glb(const char *path) {
    tr_figures first, second, third;
    tr_error error = {0};
    double worst = INFINITY;
    if (!read_file(path, &first))
        return worst;
    second = third = tr_figures_begin(NULL);
    if (tr_motion_file_write(FOLDER "/way.glb", &first, 0.01, &error) == TR_OK &&
        tr_motion_file_read(FOLDER "/way.glb", NULL, &second, &error) == TR_OK &&
        tr_motion_file_write(FOLDER "/way.bvh", &second, 0.01, &error) == TR_OK &&
        tr_motion_file_read(FOLDER "/way.bvh", NULL, &third, &error) == TR_OK)
        worst = compare(&first.items[0], &third.items[0]);
    else
        test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
    tr_figures_destroy(&first);
    tr_figures_destroy(&second);
    tr_figures_destroy(&third);
    return worst;
}

TEST(captures_come_through_glb_and_back_within_a_tenth_of_a_millimetre) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("no data folder");
        return;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/mocap", folder);
    DIR *list = opendir(path);
    int files = 0;
    double worst = 0;
    mkdir(FOLDER, 0777);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        if (!strstr(entry->d_name, ".bvh"))
            continue;
        snprintf(path, sizeof path, "%s/mocap/%s", folder, entry->d_name);
        double off = through_glb(path);
        if (!(off <= 1e-4))
            test_failed(__FILE__, __LINE__, "%s: a joint is off by %g m", path, off);
        worst = off > worst ? off : worst;
        files++;
    }
    if (list)
        closedir(list);
    CHECK(files >= 27);
    printf("        %d files, worst %.2e m\n", files, worst);
    remove(FOLDER "/way.glb");
    remove(FOLDER "/way.bvh");
}

static uint32_t count_roles(const tr_skeleton *skeleton) {
    uint32_t count = 0;
    for (int role = 1; role < TR_ROLE_COUNT; role++) {
        int left = role >= TR_ROLE_RIGHT_SHOULDER ? (int)tr_role_mirror((tr_role)role) : role;
        bool needed = left == TR_ROLE_HIPS || left == TR_ROLE_SPINE || left == TR_ROLE_HEAD ||
                      (left >= TR_ROLE_LEFT_UPPER_ARM && left < TR_ROLE_LEFT_TOES);
        count += needed && tr_skeleton_with_role(skeleton, (tr_role)role) != TR_NONE;
    }
    return count;
}

static tr_vec3 along(const tr_skeleton *skeleton, const tr_affine *model, int role) {
    return tr_vec3_subtract(tr_affine_position(&model[tr_skeleton_with_role(skeleton, (tr_role)(role + 1))]),
                            tr_affine_position(&model[tr_skeleton_with_role(skeleton, (tr_role)role)]));
}

// Every clip of the figure on the mannequin: limbs point as in the file.
static void wear_on_mannequin(const tr_figure *figure, const char *name) {
    tr_mannequin_def def = {.height = 0};
    tr_skeleton *skeleton = NULL;
    tr_retarget *retarget = NULL;
    tr_retarget_params params = {.keep_feet = false};
    tr_error error = {0};
    REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
    if (tr_retarget_create(NULL, figure->skeleton, skeleton, &params, &retarget, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", name, error.message);
    for (uint32_t i = 0; retarget && i < figure->clip_count && i < 20; i++) {
        tr_clip *clip = NULL;
        REQUIRE(tr_retarget_clip(retarget, figure->clips[i], &clip, NULL) == TR_OK);
        for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame += 3) {
            tr_affine p[JOINTS_MAX], q[JOINTS_MAX];
            bvh_place(figure->skeleton, figure->clips[i], frame, p);
            bvh_place(skeleton, clip, frame, q);
            static const int limbs[] = {
                TR_ROLE_LEFT_UPPER_ARM,  TR_ROLE_LEFT_FOREARM,  TR_ROLE_LEFT_THIGH,  TR_ROLE_LEFT_SHANK,
                TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_THIGH, TR_ROLE_RIGHT_SHANK};
            for (int k = 0; k < 8; k++) {
                tr_vec3 a = along(figure->skeleton, p, limbs[k]), b = along(skeleton, q, limbs[k]);
                double angle = atan2((double)tr_vec3_length(tr_vec3_cross(a, b)), (double)tr_vec3_dot(a, b));
                // The feet of the robot are no fixed part of its shanks: its clips move them apart.
                bool is_loose = strcmp(name, "RobotExpressive") == 0 &&
                                (limbs[k] == TR_ROLE_LEFT_SHANK || limbs[k] == TR_ROLE_RIGHT_SHANK);
                if (!(angle < (is_loose ? 0.02 : 2e-3)))
                    test_failed(__FILE__, __LINE__, "%s, clip \"%s\", frame %u: %s is off by %g rad", name,
                                tr_clip_name(figure->clips[i]), frame, tr_role_name((tr_role)limbs[k]),
                                angle);
            }
        }
        tr_clip_destroy(clip);
    }
    tr_retarget_destroy(retarget);
    tr_skeleton_destroy(skeleton);
}

TEST(characters_of_others_are_known_by_their_bones) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("no data folder");
        return;
    }
    static const struct {
        const char *name;
        uint32_t roles;
    } files[] = {
        {"Knight", 15}, {"RiggedFigure", 15}, {"rig-human", 15}, {"RobotExpressive", 15}, {"Fox", 15}};
    for (int i = 0; i < 5; i++) {
        char path[600];
        tr_figures figures;
        snprintf(path, sizeof path, "%s/gltf/%s.glb", folder, files[i].name);
        if (!read_file(path, &figures))
            continue;
        REQUIRE(figures.count > 0 && tr_skeleton_joint_count(figures.items[0].skeleton) <= JOINTS_MAX);
        CHECK_INT(count_roles(figures.items[0].skeleton), files[i].roles);
        if (i < 4) // the fox has the names of a human, but lies on its belly by them
            wear_on_mannequin(&figures.items[0], files[i].name);
        tr_figures_destroy(&figures);
    }
}

static bool try_reading(const tr_allocator *allocator) {
    tr_figures figures = tr_figures_begin(allocator);
    tr_status status = tr_motion_file_read(FOLDER "/a.bvh", NULL, &figures, NULL);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && figures.count == 0));
    tr_figures_destroy(&figures);
    return status == TR_OK;
}

static tr_figures sample_figures;
static bool try_writing(const tr_allocator *allocator) {
    tr_figures figures = sample_figures;
    figures.allocator = *allocator;
    tr_error error = {0};
    tr_status glb = tr_motion_file_write(FOLDER "/a.glb", &figures, 0.01, &error);
    tr_status bvh = tr_motion_file_write(FOLDER "/b.bvh", &figures, 0.01, &error);
    CHECK((glb == TR_OK || glb == TR_OUT_OF_MEMORY) && (bvh == TR_OK || bvh == TR_OUT_OF_MEMORY));
    return glb == TR_OK && bvh == TR_OK;
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    write_text(FOLDER "/a.bvh", bvh_sample);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(try_reading) > 8);
    REQUIRE(read_file(FOLDER "/a.bvh", &sample_figures));
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(try_writing) > 8);
    tr_figures_destroy(&sample_figures);
    remove(FOLDER "/a.bvh");
    remove(FOLDER "/a.glb");
    remove(FOLDER "/b.bvh");
    rmdir(FOLDER);
}
