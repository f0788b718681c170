// Characters in glTF files that are broken in every way we could think of, one by one.
#include "gltf_rig.h"

typedef struct bad_file {
    const char *rest; // behind the accessors
    tr_status status;
    const char *sentence;
} bad_file;

// Accessors: 0 times, 1 points, 2 turns, 3 two matrices, 4 times that fall, 5 times with NaN, 6 an infinite
// point, 7 a long time, 8 joint numbers beyond the skin, 9 weights.
static void put_accessors(gltf_rig *rig) {
    static const double times[2] = {0, 1}, points[6] = {0, 0, 0, 1, 2, 3},
                        turns[8] = {0, 0, 0, 1, 0, 1, 0, 0};
    static const double falling[2] = {1, 0}, broken[2] = {0, NAN}, infinite[6] = {0, 0, INFINITY, 0, 0, 0};
    static const double ages[2] = {0, 1e9}, joints[12] = {5, 0, 0, 0, 5},
                        weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    double matrices[32] = {0};
    for (int i = 0; i < 4; i++)
        matrices[i * 5] = matrices[16 + i * 5] = 1;
    rig_floats(rig, 1, 2, times);
    rig_floats(rig, 3, 2, points);
    rig_floats(rig, 4, 2, turns);
    rig_floats(rig, 16, 2, matrices);
    rig_floats(rig, 1, 2, falling);
    rig_floats(rig, 1, 2, broken);
    rig_floats(rig, 3, 2, infinite);
    rig_floats(rig, 1, 2, ages);
    rig_accessor(rig, 5121, false, 4, 3, joints);
    rig_floats(rig, 4, 3, weights);
    rig_floats(rig, 3, 3, corners);
}

static void check_bad(const bad_file *bad, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gltf_rig rig = {0};
        put_accessors(&rig);
        rig_finish(&rig, bad[i].rest);
        tr_figures figures = tr_figures_begin(NULL);
        tr_error error = {0};
        tr_status status = rig_try(&rig, NULL, &figures, &error);
        if (status != bad[i].status)
            test_failed(__FILE__, __LINE__, "%s is \"%s\" (%s), expected \"%s\"", bad[i].rest,
                        tr_status_name(status), error.message, tr_status_name(bad[i].status));
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK_INT(error.status, status);
        CHECK_INT(figures.count, 0);
        CHECK_INT(rig_try(&rig, NULL, &figures, NULL), bad[i].status);
        tr_figures_destroy(&figures);
    }
}
#define CHECK_BAD(list) check_bad(list, sizeof list / sizeof list[0])

TEST(skins_that_make_no_sense_are_refused) {
    static const bad_file bad[] = {
        {"'nodes': [{}], 'skins': [{}]", TR_BAD_FILE, "skins[0] has no \"joints\", which is required"},
        {"'nodes': [{}], 'skins': [{'joints': 3}]", TR_BAD_FILE, "skins[0].joints is a number"},
        {"'nodes': [{}], 'skins': [{'joints': [0, 1]}]", TR_BAD_FILE,
         "skins[0].joints[1] is 1, it must be the number of one of 1 nodes"},
        {"'nodes': [{}], 'skins': [{'joints': [-1]}]", TR_BAD_FILE, "skins[0].joints[0] is -1"},
        {"'nodes': [{}], 'skins': [{'joints': []}]", TR_NOT_FOUND, "neither skins nor animations"},
        {"'nodes': [{}], 'skins': [{'joints': [0], 'inverseBindMatrices': 99}]", TR_BAD_FILE,
         "skins[0].inverseBindMatrices is 99, but there are only 11 accessors"},
        {"'nodes': [{}], 'skins': [{'joints': [0], 'inverseBindMatrices': 0}]", TR_BAD_FILE,
         "accessors[0] has inverse bind matrices, its type must be MAT4"},
        {"'nodes': [{}, {}, {}], 'skins': [{'joints': [0, 1, 2], 'inverseBindMatrices': 3}]", TR_BAD_FILE,
         "accessors[3] has 2 inverse bind matrices, but the skin has 3 joints"},
        {"'nodes': [{'mesh': 0, 'skin': 7}, {}], 'skins': [{'joints': [1]}]", TR_BAD_FILE,
         "nodes[0].skin is 7, but there are only 1 skins"},
        {"'nodes': [{'children': [1]}, {'children': [0]}], 'skins': [{'joints': [1]}]", TR_BAD_FILE,
         "nodes[0] is its own ancestor, nodes must form trees"},
        {"'nodes': [{'children': [1]}, {'children': [1]}], 'skins': [{'joints': [1]}]", TR_BAD_FILE,
         "lists nodes[1], which is already a child"},
        {"'nodes': [{'translation': [1e300, 0, 0]}], 'skins': [{'joints': [0]}]", TR_BAD_FILE,
         "nodes[0] has a transform that is too large"},
        {"'nodes': [{'scale': [1e30, 1, 1], 'children': [1]}, {'scale': [1e30, 1, 1]}], 'skins': [{'joints': "
         "[1]}]",
         TR_BAD_FILE, "nodes[1] has a position that is too large"},
        {"'nodes': [{'mesh': 0, 'skin': 0}, {}], 'skins': [{'joints': [1]}], 'meshes': [{'primitives': "
         "[{'attributes': "
         "{'POSITION': 10, 'JOINTS_0': 8, 'WEIGHTS_0': 9}}]}]",
         TR_BAD_FILE, "accessors[8] has the joint 5 in element 0, but the skin has only 1 joints"},
        {"'nodes': [{'mesh': 0, 'skin': 0}, {}], 'skins': [{'joints': [1]}], 'meshes': [{'primitives': "
         "[{'attributes': "
         "{'POSITION': 10, 'JOINTS_0': 1, 'WEIGHTS_0': 9}}]}]",
         TR_BAD_FILE, "accessors[1] has the attribute JOINTS_0, its type must be VEC4"},
        {"'nodes': [{'mesh': 0, 'skin': 0}, {}], 'skins': [{'joints': [1]}], 'meshes': [{'primitives': "
         "[{'attributes': "
         "{'POSITION': 10, 'JOINTS_0': 8, 'WEIGHTS_0': 2}}]}]",
         TR_BAD_FILE, "accessors[2] has 2 values of WEIGHTS_0 for 3 positions"}};
    CHECK_BAD(bad);
}

#define MOVED(channels, samplers)                                                                            \
    "'nodes': [{'name': 'n'}], 'animations': [{'name': 'a', 'channels': [" channels                          \
    "], 'samplers': [" samplers "]}]"
#define CHANNEL "{'sampler': 0, 'target': {'node': 0, 'path': 'translation'}}"

TEST(animations_that_make_no_sense_are_refused) {
    static const bad_file bad[] = {
        {"'animations': [{'samplers': []}]", TR_BAD_FILE, "animations[0] has no \"channels\""},
        {"'animations': [{'channels': []}]", TR_BAD_FILE, "animations[0] has no \"samplers\""},
        {MOVED("{'sampler': 0}", ""), TR_BAD_FILE, "animations[0].channels[0] has no \"target\""},
        {MOVED("{'sampler': 0, 'target': {'node': 3, 'path': 'scale'}}", ""), TR_BAD_FILE,
         "target.node is 3, but there are only 1 nodes"},
        {MOVED("{'sampler': 0, 'target': {'node': 0}}", ""), TR_BAD_FILE, "target has no \"path\""},
        {MOVED(CHANNEL, ""), TR_BAD_FILE, "sampler is 0, but there are only 0 samplers"},
        {MOVED(CHANNEL, "{'output': 1}"), TR_BAD_FILE, "samplers[0] has no \"input\""},
        {MOVED(CHANNEL, "{'input': 0, 'output': 12}"), TR_BAD_FILE, "output is 12, but there are only 11"},
        {MOVED(CHANNEL, "{'input': 0, 'output': 1, 'interpolation': 'GUESS'}"), TR_BAD_FILE,
         "interpolation is \"GUESS\", it must be STEP, LINEAR or CUBICSPLINE"},
        {MOVED(CHANNEL, "{'input': 0, 'output': 1, 'interpolation': 'CUBICSPLINE'}"), TR_BAD_FILE,
         "accessors[1] has 2 values, but the keys need 6"},
        {MOVED(CHANNEL, "{'input': 0, 'output': 2}"), TR_BAD_FILE,
         "accessors[2] has keys of an animation, its type must be VEC3 here"},
        {MOVED(CHANNEL, "{'input': 1, 'output': 1}"), TR_BAD_FILE,
         "accessors[1] has times, its type must be SCALAR"},
        {MOVED(CHANNEL, "{'input': 4, 'output': 1}"), TR_BAD_FILE,
         "accessors[4] has the time 0 after 1, times must increase"},
        {MOVED(CHANNEL, "{'input': 5, 'output': 1}"), TR_BAD_FILE,
         "accessors[5] has a time (1) that is not finite"},
        {MOVED(CHANNEL, "{'input': 0, 'output': 6}"), TR_BAD_FILE, "accessors[6] has inf in element 0"},
        {MOVED(CHANNEL, "{'input': 7, 'output': 1}"), TR_LIMIT,
         "the animation \"a\" has 48000000001 frames at 48 per second, the maximum is 4194304"},
        {MOVED("{'sampler': 0, 'target': {'node': 0, 'path': 'weights'}}", "{'input': 0, 'output': 1}"),
         TR_NOT_FOUND, "neither skins nor animations"},
        {MOVED("{'sampler': 0, 'target': {'path': 'rotation'}}", "{'input': 0, 'output': 1}"), TR_NOT_FOUND,
         "neither skins nor animations"}};
    CHECK_BAD(bad);
}

TEST(what_is_odd_but_readable_is_told) {
    gltf_rig rig = {0};
    put_accessors(&rig);
    rig_finish(&rig,
               "'nodes': [{'name': 'n'}, {'name': 'door'}], 'skins': [{'joints': [0]}], 'animations': "
               "[{'channels': [" CHANNEL "," CHANNEL ", {'sampler': 0, 'target': {'node': 1, 'path': "
               "'translation'}}, {'sampler': 0, 'target': {'node': 0, 'path': 'weights'}}], 'samplers': "
               "[{'input': 0, 'output': 1}]}]");
    reading_notes notes = {0};
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.note = reading_note;
    options.note_user = &notes;
    tr_figures figures = rig_read(&rig, &options);
    REQUIRE(figures.count == 1);
    CHECK_CONTAINS(notes.text, "1 channels of morph targets are left out");
    CHECK_CONTAINS(notes.text, "1 channels of an animation move joints that other channels move already");
    CHECK_CONTAINS(notes.text, "1 animated nodes are not attached to a joint of a skin");
    tr_figures_destroy(&figures);
}

TEST(limits_hold_for_frames_vertices_and_joints) {
    gltf_rig rig = {0};
    put_accessors(&rig);
    rig_finish(&rig, MOVED(CHANNEL, "{'input': 0, 'output': 1}"));
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.frames_per_second = 100;
    options.max_values = 102; // 101 frames of one joint, and a channel
    tr_figures figures = rig_read(&rig, &options);
    CHECK_INT(figures.count, 1);
    options.max_values = 101;
    tr_error error = {0};
    CHECK_INT(rig_try(&rig, &options, &figures, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "with the animation \"a\" there are 102 values, at most 101 are read");
    CHECK_INT(figures.count, 1);
    tr_figures_destroy(&figures);
}

TEST(a_chain_of_more_joints_than_a_skeleton_may_have_is_refused) {
    enum { COUNT = TR_SKELETON_JOINTS_MAX + 1 };
    static char json[COUNT * 32 + 200];
    char *at = json;
    at += sprintf(at, "{\"asset\": {\"version\": \"2.0\"}, \"skins\": [{\"joints\": [%d]}], \"nodes\": [",
                  COUNT - 1);
    for (int i = 0; i + 1 < COUNT; i++)
        at += sprintf(at, "{\"children\": [%d]},", i + 1);
    at += sprintf(at, "{}]}");
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    CHECK_INT(tr_gltf_read_figures(json, strlen(json), NULL, NULL, NULL, &figures, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "more than 4096 joints");
    CHECK_INT(figures.count, 0);
    tr_figures_destroy(&figures);
}

static void put_character(gltf_rig *rig) {
    put_accessors(rig);
    rig_finish(
        rig,
        "'nodes': [{'mesh': 0, 'skin': 0}, {'name': 'r', 'children': [2]}, {'name': 'e', "
        "'rotation': [0, 0, 1, 0]}], 'skins': [{'joints': [1, 2], 'inverseBindMatrices': 3}],"
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 10, 'JOINTS_0': 9, 'WEIGHTS_0': 9}}]}],"
        "'animations': [{'channels': [{'sampler': 0, 'target': {'node': 1, 'path': 'translation'}}, "
        "{'sampler': 1, 'target': {'node': 2, 'path': 'rotation'}}], 'samplers': [{'input': 0, 'output': "
        "1, 'interpolation': 'STEP'}, {'input': 0, 'output': 2}]}]");
}

static void try_bytes(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1); // of this very size: the sanitizer sees one byte too many
    if (!copy)
        return;
    memcpy(copy, data, size);
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.max_values = 20000;
    tr_status status = tr_gltf_read_figures(copy, size, &options, NULL, NULL, &figures, &error);
    if (status != TR_OK && (figures.count > 0 || !error.message[0] || error.status != status))
        test_failed(__FILE__, __LINE__, "%s (%s) left figures or no sentence", tr_status_name(status),
                    error.message);
    tr_figures_destroy(&figures);
    free(copy);
}

TEST(every_beginning_and_every_changed_byte_is_read_or_refused) {
    gltf_rig rig = {0};
    put_character(&rig);
    const gltf_build *build = &rig.build;
    tr_figures figures = rig_read(&rig, NULL);
    CHECK(figures.count == 1 && figures.items[0].clip_count == 1 && figures.items[0].body);
    tr_figures_destroy(&figures);
    for (size_t length = 0; length < build->glb_size; length++)
        try_bytes(build->glb, length);
    static const uint8_t bytes[] = {0, 0x80, 0xff, ' ', '"', '-', '9', '{', ']', ','};
    static uint8_t changed[sizeof build->glb];
    memcpy(changed, build->glb, build->glb_size);
    for (size_t at = 0; at < build->glb_size; at++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            changed[at] = bytes[i];
            try_bytes(changed, build->glb_size);
        }
        changed[at] = build->glb[at];
    }
}

static bool read_with(const tr_allocator *allocator) {
    static gltf_rig rig;
    memset(&rig, 0, sizeof rig);
    put_character(&rig);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.allocator = allocator;
    tr_figures figures = tr_figures_begin(allocator);
    tr_error error = {0};
    tr_status status = rig_try(&rig, &options, &figures, &error);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0] && figures.count == 0));
    tr_figures_destroy(&figures);
    return status == TR_OK;
}

TEST(reading_survives_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_with) > 20);
}
