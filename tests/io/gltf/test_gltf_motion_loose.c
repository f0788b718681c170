// Feet that lie beside their legs in a file hang on them in the skeleton, and nothing moves because of that.
#include "gltf_rig.h"
#include "troupe/io/gltf_add.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/motion_file.h"

#define FRAMES 5

// Legs with feet below the root, as rigs with inverse kinematics have them. The root is turned and scaled.
static const char nodes[] =
    "'nodes': [{'name': 'Bone', 'scale': [2, 2, 2], 'rotation': [0, 0.6, 0, 0.8], 'children': [1, 15, 17]},"
    "{'name': 'Hips', 'translation': [0, 0.5, 0], 'children': [2, 9, 12]},"
    "{'name': 'Spine', 'translation': [0, 0.1, 0], 'children': [3, 4, 6]},"
    "{'name': 'Head', 'translation': [0, 0.3, 0]},"
    "{'name': 'UpperArm.L', 'translation': [0.1, 0.2, 0], 'children': [5]},"
    "{'name': 'LowerArm.L', 'translation': [0.1, 0, 0], 'children': [8]},"
    "{'name': 'UpperArm.R', 'translation': [-0.1, 0.2, 0], 'children': [7]},"
    "{'name': 'LowerArm.R', 'translation': [-0.1, 0, 0], 'children': [19]},"
    "{'name': 'Hand.L', 'translation': [0.1, 0, 0]},"
    "{'name': 'UpperLeg.L', 'translation': [0.05, -0.02, 0], 'rotation': [0.1, 0, 0, 0.995], 'children': "
    "[10]},"
    "{'name': 'LowerLeg.L', 'translation': [0, -0.23, 0], 'children': [11]},"
    "{'name': 'LowerLeg.L_end', 'translation': [0, -0.22, 0]},"
    "{'name': 'UpperLeg.R', 'translation': [-0.05, -0.02, 0], 'children': [13]},"
    "{'name': 'LowerLeg.R', 'translation': [0, -0.23, 0], 'children': [14]},"
    "{'name': 'LowerLeg.R_end', 'translation': [0, -0.22, 0]},"
    "{'name': 'Foot.L', 'translation': [0.05, 0.03, -0.05], 'rotation': [0.6, 0, 0, 0.8], 'children': [16]},"
    "{'name': 'Foot.L_end', 'translation': [0, 0.08, 0]},"
    "{'name': 'Foot.R', 'translation': [-0.05, 0.03, 0.01], 'children': [18]},"
    "{'name': 'Foot.R_end', 'translation': [0, 0, 0.08]},"
    "{'name': 'Hand.R', 'translation': [-0.1, 0, 0]}],"
    "'skins': [{'joints': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 19]}],";

static void put_rig(gltf_rig *rig) {
    static const double times[] = {0, 0.25, 0.5, 0.75, 1},
                        moves[] = {0.05, 0.03, 0,    0.05, 0.08, 0.1,  0.05, 0.1,
                                   0.2,  0.05, 0.05, 0.25, 0.05, 0.03, 0.3},
                        turns[] = {0, 0,     0,   1,   0.1, 0,     0, 0.995, 0.3, 0,
                                   0, 0.954, 0.1, 0.2, 0,   0.975, 0, 0,     0,   1};
    static char rest[4500];
    memset(rig, 0, sizeof *rig);
    rig_floats(rig, 1, FRAMES, times);
    rig_floats(rig, 3, FRAMES, moves);
    rig_floats(rig, 4, FRAMES, turns);
    snprintf(rest, sizeof rest,
             "%s 'animations': [{'name': 'walk', 'channels': [{'sampler': 0, 'target': {'node': 15, 'path': "
             "'translation'}}, {'sampler': 1, 'target': {'node': 9, 'path': 'rotation'}}, {'sampler': 1, "
             "'target': "
             "{'node': 0, 'path': 'rotation'}}], 'samplers': [{'input': 0, 'output': 1}, {'input': 0, "
             "'output': 2}]}]",
             nodes);
    rig_finish(rig, rest);
}

static tr_affine local_of(const double *move, const double *turn, float scale) {
    tr_transform local = {{(float)move[0], (float)move[1], (float)move[2]},
                          {(float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]},
                          {scale, scale, scale}};
    local.rotation = tr_quat_normalize(local.rotation);
    return tr_affine_from_transform(local);
}

TEST(loose_feet_hang_on_their_legs_and_stay_where_the_file_has_them) {
    static gltf_rig rig;
    put_rig(&rig);
    tr_figures figures = rig_read(&rig, NULL);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    const tr_figure *figure = &figures.items[0];
    const tr_skeleton *skeleton = figure->skeleton;
    uint32_t feet[2] = {tr_skeleton_find(skeleton, "Foot.L"), tr_skeleton_find(skeleton, "Foot.R")};
    for (int side = 0; side < 2; side++) {
        uint32_t shank = tr_skeleton_with_role(skeleton, side ? TR_ROLE_RIGHT_SHANK : TR_ROLE_LEFT_SHANK);
        CHECK_INT(tr_skeleton_with_role(skeleton, side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT), feet[side]);
        REQUIRE(feet[side] != TR_NONE && shank != TR_NONE);
        CHECK_INT(tr_skeleton_parents(skeleton)[feet[side]], shank);
    }
    static const double moves[FRAMES][3] = {{0.05, 0.03, 0},
                                            {0.05, 0.08, 0.1},
                                            {0.05, 0.1, 0.2},
                                            {0.05, 0.05, 0.25},
                                            {0.05, 0.03, 0.3}},
                        turns[FRAMES][4] = {{0, 0, 0, 1},
                                            {0.1, 0, 0, 0.995},
                                            {0.3, 0, 0, 0.954},
                                            {0.1, 0.2, 0, 0.975},
                                            {0, 0, 0, 1}},
                        zero[3] = {0}, foot_turn[4] = {0.6, 0, 0, 0.8}, right[3] = {-0.05, 0.03, 0.01},
                        straight[4] = {0, 0, 0, 1};
    for (uint32_t key = 0; key < FRAMES; key++) {
        uint32_t frame = (uint32_t)(key * 0.25 * tr_clip_rate(figure->clips[0]) + 0.5);
        tr_affine root = local_of(zero, turns[key], 2), left = local_of(moves[key], foot_turn, 1),
                  other = local_of(right, straight, 1), wanted[2];
        wanted[0] = tr_affine_multiply(&root, &left);
        wanted[1] = tr_affine_multiply(&root, &other);
        for (int side = 0; side < 2; side++) {
            tr_affine here = rig_joint(figure, 0, frame, feet[side]);
            for (int k = 0; k < 12; k++)
                CHECK_NEAR((double)here.m[k / 4][k % 4], (double)wanted[side].m[k / 4][k % 4], 2e-5);
        }
    }
    tr_figures_destroy(&figures);
}

// Joints are where they were after a clip was added to the file, and in a shot with the file as its source.
static void check_again(const tr_figure *figure, const tr_bytes *bytes) {
    tr_figures after = tr_figures_begin(NULL);
    tr_error error = {0};
    REQUIRE(tr_gltf_read_figures(bytes->data, bytes->size, NULL, NULL, NULL, &after, &error) == TR_OK);
    uint32_t frames = tr_clip_frame_count(figure->clips[0]);
    for (uint32_t joint = 0; joint < tr_skeleton_joint_count(figure->skeleton); joint++) {
        uint32_t same =
            tr_skeleton_find(after.items[0].skeleton, tr_skeleton_joint(figure->skeleton, joint).name);
        REQUIRE(same != TR_NONE);
        for (uint32_t frame = 0; frame < frames; frame += 1 + frames / 7) {
            tr_affine here = rig_joint(&after.items[0], 0, frame, same),
                      there = rig_joint(figure, 0, frame, joint);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR((double)here.m[k][3], (double)there.m[k][3], 1e-4);
        }
    }
    tr_figures_destroy(&after);
}

static void write_both(const tr_figure *figure, const void *data, size_t size) {
    tr_gltf_copy copy = {.clips = (const tr_clip *const *)figure->clips, .clip_count = 1};
    tr_gltf_addition addition = {.data = data, .size = size, .copies = &copy, .copy_count = 1};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_add_clips(&addition, &bytes, NULL) == TR_OK);
    check_again(figure, &bytes);
    tr_bytes_free(NULL, &bytes);
    tr_gltf_source source = {.data = data, .size = size, .metres_per_unit = 1};
    tr_gltf_actor actor = {.name = "x",
                           .skeleton = figure->skeleton,
                           .clips = (const tr_clip *const *)figure->clips,
                           .clip_count = 1,
                           .source = &source};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    check_again(figure, &bytes);
    tr_bytes_free(NULL, &bytes);
}

TEST(loose_feet_come_back_to_their_own_nodes) {
    static gltf_rig rig;
    put_rig(&rig);
    tr_figures figures = rig_read(&rig, NULL);
    REQUIRE(figures.count == 1);
    write_both(&figures.items[0], rig.build.glb, rig.build.glb_size);
    tr_figures_destroy(&figures);
}

TEST(the_feet_of_a_robot_of_others_hang_on_its_legs) {
    if (!test_data_folder()) {
        test_skip("the characters are not here");
        return;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/gltf/RobotExpressive.glb", test_data_folder());
    tr_figures figures = tr_figures_begin(NULL);
    tr_bytes file = {0};
    tr_error error = {0};
    REQUIRE(tr_motion_file_read(path, NULL, &figures, &error) == TR_OK);
    REQUIRE(tr_file_read(NULL, path, &file, &error) == TR_OK);
    const tr_skeleton *skeleton = figures.items[0].skeleton;
    uint32_t foot = tr_skeleton_with_role(skeleton, TR_ROLE_LEFT_FOOT);
    REQUIRE(foot != TR_NONE);
    CHECK_TEXT(tr_skeleton_joint(skeleton, foot).name, "Foot.L");
    write_both(&figures.items[0], file.data, file.size);
    tr_bytes_free(NULL, &file);
    tr_figures_destroy(&figures);
}
