// Files from memory: a stage file with a scene, the buffer of that scene and two captures is read through a
// callback, and plays as the same files from the disk do; callbacks that fail in every way are answered with
// a sentence that names the file.
#include "io/stage_file/stage_text.h"
#include "troupe/base/hash.h"
#include "troupe/io/bvh.h"
#include "troupe/io/files.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/motion_file.h"
#include "troupe/io/scene_file.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "test_files_folder"

static const char stage_document[] =
    "{\"scene\": {\"file\": \"scenes/hall.gltf\"}, \"cell\": 0.1, \"characters\": [\n"
    "{\"name\": \"Ada\", \"coarse\": true, \"start\": [-2, 0], \"cycles\": [\"./walk.bvh\", \"jog.glb\"],"
    " \"goal\": [2, 0.5]},\n"
    "{\"name\": \"Ben\", \"coarse\": true, \"start\": [2, -1], \"goal\": [-2, -1]}]}";
static const char scene_document[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"uri\": \"buffers/hall.bin\", \"byteLength\": 96}],"
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 96}], \"accessors\": ["
    "{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\"},"
    "{\"bufferView\": 0, \"byteOffset\": 48, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\"}],"
    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"mode\": 5}]},"
    " {\"primitives\": [{\"attributes\": {\"POSITION\": 1}, \"mode\": 5}]}],"
    "\"nodes\": [{\"name\": \"floor\", \"mesh\": 0}, {\"name\": \"wall\", \"mesh\": 1}]}";
static const float corners[8][3] = {{-4, 0, -4},  {-4, 0, 4},  {4, 0, -4},   {4, 0, 4},
                                    {0, 0, -.6f}, {0, 0, .6f}, {0, 2, -.6f}, {0, 2, .6f}};

// A capture: three strides straight ahead.
static tr_clip *make_capture(const tr_skeleton *skeleton, tr_gait_kind kind) {
    tr_gait_def def = {.skeleton = skeleton, .kind = kind};
    tr_clip *stride = NULL, *capture = NULL;
    tr_pose pose = {.joint_count = 0};
    if (tr_gait_make(&def, &stride, NULL) != TR_OK ||
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return NULL;
    uint32_t frames = tr_clip_frame_count(stride);
    tr_clip_def clip = {
        .skeleton = skeleton, .frame_count = 3 * frames, .frames_per_second = tr_clip_rate(stride)};
    if (tr_clip_create(&clip, &capture, NULL) == TR_OK)
        for (uint32_t i = 0; i < 3 * frames; i++) {
            tr_clip_get_frame(stride, i % frames, &pose);
            pose.position[2][0] +=
                tr_clip_frame_base(stride, i % frames).z + (float)(i / frames) * tr_clip_advance(stride).z;
            tr_clip_set_frame(capture, i, &pose);
        }
    tr_pose_destroy(&pose);
    tr_clip_destroy(stride);
    return capture;
}

typedef struct file_pack {
    tr_bytes walk, jog;
    tr_memory_file files[5];
    tr_memory_files list;
    // How the callback behaves.
    uint32_t calls;
    const char *bad;   // the end of the name of the file that it treats otherwise
    tr_status status;  // with this,
    bool gives_null;   // without data,
    bool gives_half;   // with half of it,
    const char *words; // or with this sentence
} file_pack;

static bool make_pack(file_pack *pack) {
    tr_skeleton *skeleton = NULL;
    *pack = (file_pack){.calls = 0};
    if (tr_mannequin_make(&(tr_mannequin_def){.height = 1.75f, .detail = 1}, &skeleton, NULL, NULL) != TR_OK)
        return false;
    tr_clip *walk = make_capture(skeleton, TR_GAIT_WALK), *jog = make_capture(skeleton, TR_GAIT_JOG);
    const tr_clip *clips[] = {jog};
    tr_gltf_actor actor = {.skeleton = skeleton, .clips = clips, .clip_count = 1};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .form = TR_GLTF_BONES};
    bool made = walk && jog && tr_bvh_write(NULL, skeleton, walk, 0.01, &pack->walk, NULL) == TR_OK &&
                tr_gltf_write(&shot, &pack->jog, NULL) == TR_OK;
    tr_clip_destroy(walk);
    tr_clip_destroy(jog);
    tr_skeleton_destroy(skeleton);
    const tr_memory_file files[] = {
        {FOLDER "/stage.json", stage_document, sizeof stage_document - 1},
        {FOLDER "/scenes/hall.gltf", scene_document, sizeof scene_document - 1},
        {FOLDER "/scenes/buffers/hall.bin", corners, sizeof corners},
        {FOLDER "//walk.bvh", pack->walk.data, pack->walk.size},
        {"./" FOLDER "/jog.glb", pack->jog.data, pack->jog.size},
    };
    memcpy(pack->files, files, sizeof files);
    pack->list = (tr_memory_files){pack->files, 5};
    return made;
}

static void free_pack(file_pack *pack) {
    tr_bytes_free(NULL, &pack->walk);
    tr_bytes_free(NULL, &pack->jog);
}

// What is in memory, but for the file that is bad.
static tr_status give(void *user, const char *path, const tr_allocator *allocator, tr_bytes *bytes,
                      tr_error *error) {
    file_pack *pack = user;
    size_t length = strlen(path), tail = pack->bad ? strlen(pack->bad) : 0;
    pack->calls++;
    bool is_bad = pack->bad && length >= tail && strcmp(path + length - tail, pack->bad) == 0;
    if (is_bad && pack->words)
        return tr_fail(error, pack->status, "%s", pack->words);
    if (is_bad && pack->gives_null)
        bytes->size = 100;
    if (is_bad && !pack->gives_half)
        return pack->status;
    tr_files memory = tr_files_in_memory(&pack->list);
    tr_status status = memory.read(memory.user, path, allocator, bytes, error);
    if (status != TR_OK || !is_bad)
        return status;
    uint8_t *half = tr_allocate(allocator, bytes->size / 2, 1);
    tr_bytes given = {half, bytes->size / 2};
    if (half)
        memcpy(half, bytes->data, bytes->size / 2);
    tr_bytes_free(allocator, bytes);
    *bytes = given;
    return half ? TR_OK : TR_OUT_OF_MEMORY;
}

static tr_status open_stage(const tr_allocator *allocator, const tr_files *files, tr_stage_play *play,
                            tr_error *error) {
    tr_bytes text;
    *play = (tr_stage_play){.scene = NULL};
    tr_stage_file_options options = {.allocator = allocator, .files = files};
    tr_status status = tr_files_read(files, allocator, FOLDER "/stage.json", &text, error);
    if (status == TR_OK)
        status = tr_stage_file_read(text.data, text.size, FOLDER "/stage.json", &options, play, error);
    tr_bytes_free(allocator, &text);
    return status;
}

static uint64_t hash_play(tr_stage_play *play, int ticks) {
    uint64_t hash = TR_HASH_START;
    static float floats[1 << 16];
    for (int i = 0; i < ticks; i++) {
        tr_error error = {0};
        tr_stage_step(play->stage, TR_STAGE_TICK, &error);
        CHECK_INT(tr_stage_write_matrices(play->stage, TR_MATRICES_WORLD, floats, 1 << 16), TR_OK);
        hash = tr_hash(hash, floats, 16 * sizeof(float) * tr_stage_matrix_count(play->stage));
    }
    return hash;
}

static void put_on_disk(const file_pack *pack, bool there) {
    static const char *const folders[] = {FOLDER, FOLDER "/scenes", FOLDER "/scenes/buffers"};
    for (int i = 0; i < 3 && there; i++)
        mkdir(folders[i], 0777);
    for (int i = 0; i < 5; i++)
        if (there)
            CHECK_INT(tr_file_write(pack->files[i].path, pack->files[i].data, pack->files[i].size, NULL),
                      TR_OK);
        else
            unlink(pack->files[i].path);
    for (int i = 2; i >= 0 && !there; i--)
        rmdir(folders[i]);
}

TEST(a_stage_and_all_it_names_come_through_a_callback_with_the_same_bits_as_from_the_disk) {
    file_pack pack;
    REQUIRE(make_pack(&pack));
    tr_error error = {0};
    tr_stage_play from_disk, from_memory, from_callback;
    put_on_disk(&pack, true);
    tr_status status = open_stage(NULL, NULL, &from_disk, &error);
    CHECK_TEXT(error.message, "");
    put_on_disk(&pack, false);
    REQUIRE(status == TR_OK);
    // Nothing lies on the disk any more.
    CHECK_INT(open_stage(NULL, &(tr_files){NULL, NULL}, &from_memory, &error), TR_NO_FILE);
    tr_files files = tr_files_in_memory(&pack.list), counted = {give, &pack};
    REQUIRE(open_stage(NULL, &files, &from_memory, &error) == TR_OK);
    REQUIRE(open_stage(NULL, &counted, &from_callback, &error) == TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK_INT(pack.calls, 5);
    CHECK_INT(tr_scene_object_count(from_memory.scene), 2);
    CHECK_INT(from_memory.kinds[0].cycle_count, 2);
    uint64_t expected = hash_play(&from_disk, 90);
    CHECK(hash_play(&from_memory, 90) == expected);
    CHECK(hash_play(&from_callback, 90) == expected);
    CHECK(stage_view(&from_memory, 0).position.x > -1.5f); // they went
    tr_stage_play_destroy(&from_disk);
    tr_stage_play_destroy(&from_memory);
    tr_stage_play_destroy(&from_callback);
    free_pack(&pack);
}

TEST(whatever_a_callback_does_wrong_the_error_names_the_file) {
    static const char *const names[] = {"stage.json", "hall.gltf", "hall.bin", "walk.bvh", "jog.glb"};
    file_pack pack;
    REQUIRE(make_pack(&pack));
    tr_files files = {give, &pack};
    static const struct {
        tr_status status, expected;
        bool null, half;
        const char *words, *sentence;
    } cases[] = {
        {TR_NO_FILE, TR_NO_FILE, false, false, NULL, "the callback that reads files failed (no file)"},
        {TR_UNAVAILABLE, TR_UNAVAILABLE, false, false, "still being fetched", "still being fetched"},
        {TR_OUT_OF_MEMORY, TR_OUT_OF_MEMORY, false, false, NULL, "the callback that reads files failed"},
        {TR_DONE, TR_NO_FILE, false, false, NULL, "returned 2, which is not a failure status"},
        {(tr_status)-7, TR_NO_FILE, false, false, NULL, "returned -7, which is not a failure status"},
        {TR_OK, TR_NO_FILE, true, false, NULL, "returned NULL for 100 bytes"},
        {TR_OK, TR_BAD_FILE, false, false, NULL, ""}, // no byte: an empty file
        {TR_OK, TR_BAD_FILE, false, true, NULL, ""},  // half of it
    };
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 5; k++) {
            pack.bad = names[k];
            pack.status = cases[i].status;
            pack.gives_null = cases[i].null;
            pack.gives_half = cases[i].half;
            pack.words = cases[i].words;
            tr_error error = {0};
            tr_stage_play play;
            tr_status status = open_stage(NULL, &files, &play, &error);
            CHECK(stage_play_is_empty(&play));
            tr_stage_play_destroy(&play);
            bool content = i >= 6; // what is wrong with it is told by its reader
            if (content && k == 2) // the glTF says what its buffer lacks
                CHECK_CONTAINS(error.file, "hall.gltf");
            else if (content && k == 3 && cases[i].half) // frames may be missing: too few for a stride
                CHECK_CONTAINS(error.message, "characters[0].cycles[0] has no usable cycle");
            else
                CHECK_CONTAINS(error.file, names[k]);
            CHECK_CONTAINS(error.message, cases[i].sentence);
            CHECK(error.message[0]);
            CHECK_INT(error.status, status);
            if (status != cases[i].expected)
                test_failed(__FILE__, __LINE__, "case %d, %s: %s (%s)", i, names[k], tr_status_name(status),
                            error.message);
        }
    free_pack(&pack);
}

static tr_status give_much(void *user, const char *path, const tr_allocator *allocator, tr_bytes *bytes,
                           tr_error *error) {
    (void)user, (void)path, (void)error;
    bytes->data = tr_allocate(allocator, 1, 1);
    bytes->size = (size_t)(TR_FILE_MAX + 1);
    return TR_OK;
}

TEST(a_callback_is_bound_to_the_limit_of_files) {
    if (sizeof(size_t) < 8) {
        test_skip("no size here is beyond the limit");
        return;
    }
    tr_files files = {give_much, NULL};
    tr_bytes bytes;
    tr_error error = {0};
    CHECK_INT(tr_files_read(&files, NULL, "pack/much.obj", &bytes, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "the file has 4294967297 bytes, the maximum is 4294967296 (4 GiB)");
    CHECK_TEXT(error.file, "pack/much.obj");
    CHECK(!bytes.data && bytes.size == 0);
}

TEST(names_in_memory_are_compared_part_by_part) {
    static const tr_memory_file list[] = {{"a/b.txt", "1", 1}, {"a/b.txt", "2", 1}, {"./c", "3", 1},
                                          {"/d//e", "4", 1},   {"empty", NULL, 0},  {NULL, "5", 1},
                                          {"none", NULL, 1}};
    static const struct {
        const char *path, *content; // NULL: there is no such file
    } cases[] = {{"a/b.txt", "1"},   {"./a/./b.txt", "1"}, {"a//b.txt", "1"}, {"A/b.txt", NULL},
                 {"/a/b.txt", NULL}, {"c", "3"},           {"c/d", NULL},     {"d/e", NULL},
                 {"/d/e", "4"},      {"empty", ""},        {"..c", NULL},     {"a", NULL},
                 {"a/b.tx", NULL},   {"a/../c", NULL},     {"none", NULL}};
    tr_memory_files memory = {list, 7};
    tr_files files = tr_files_in_memory(&memory);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tr_bytes bytes = {(uint8_t *)"x", 1};
        tr_error error = {0};
        tr_status status = tr_files_read(&files, NULL, cases[i].path, &bytes, i % 2 ? &error : NULL);
        if ((status == TR_OK) != (cases[i].content != NULL))
            test_failed(__FILE__, __LINE__, "%s: %s", cases[i].path, tr_status_name(status));
        if (status == TR_OK) {
            CHECK(bytes.size == strlen(cases[i].content) &&
                  memcmp(bytes.data, cases[i].content, bytes.size) == 0);
        } else {
            CHECK(!bytes.data && bytes.size == 0);
            CHECK(i % 2 == 0 || strcmp(error.file, cases[i].path) == 0);
        }
        tr_bytes_free(NULL, &bytes);
    }
    tr_bytes bytes;
    tr_error error = {0};
    CHECK_INT(tr_files_read(&files, NULL, "", &bytes, &error), TR_INVALID);
    CHECK_INT(tr_files_read(&files, NULL, NULL, &bytes, NULL), TR_INVALID);
    CHECK_INT(tr_files_read(&files, NULL, "b", &bytes, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "none of the 7 files in memory has this path");
}

static file_pack shared; // of the attempts below

static bool read_parts(const tr_allocator *allocator) {
    tr_files files = {give, &shared};
    tr_scene *scene = NULL;
    tr_error error = {0};
    if (tr_scene_create(allocator, &scene) != TR_OK)
        return false;
    tr_scene_read_options options = tr_scene_read_options_default();
    options.allocator = allocator;
    options.files = &files;
    tr_status status = tr_scene_file_read(FOLDER "/scenes/hall.gltf", &options, scene, &error);
    tr_motion_options motion = tr_motion_options_default();
    motion.files = &files;
    tr_figures figures = tr_figures_begin(allocator);
    if (status == TR_OK)
        status = tr_motion_file_read(FOLDER "/jog.glb", &motion, &figures, &error);
    if (status == TR_OK)
        status = tr_motion_file_read(FOLDER "/walk.bvh", &motion, &figures, &error);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    CHECK(status == TR_OK || error.message[0]);
    tr_figures_destroy(&figures);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(readers_through_callbacks_survive_every_failed_allocation) {
    REQUIRE(make_pack(&shared));
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_parts) > 20);
    free_pack(&shared);
}

TEST(a_stage_through_callbacks_survives_failed_allocations) {
    REQUIRE(make_pack(&shared));
    tr_files files = {give, &shared};
    test_memory all = {.calls = 0};
    tr_allocator allocator = test_memory_allocator(&all);
    tr_stage_play play;
    tr_error error = {0};
    REQUIRE(open_stage(&allocator, &files, &play, &error) == TR_OK);
    tr_stage_play_destroy(&play);
    CHECK_INT(all.live_bytes, 0);
    // Making a stage takes a while: a prime step hits reading, cycles, characters and the stage.
    for (uint64_t fail_at = 1; fail_at <= all.calls; fail_at += 97) {
        test_memory memory = {.fail_at = fail_at};
        allocator = test_memory_allocator(&memory);
        CHECK_INT(open_stage(&allocator, &files, &play, &error), TR_OUT_OF_MEMORY);
        CHECK(stage_play_is_empty(&play));
        tr_stage_play_destroy(&play);
        CHECK_INT(memory.live_bytes, 0);
    }
    free_pack(&shared);
}
