#include "gltf_rig.h"

#define TR_TEST_QUARTER 1.57079632679489661923

#define CHECK_POINT(point, ex, ey, ez, tolerance)                                                            \
    do {                                                                                                     \
        tr_vec3 point_ = (point);                                                                            \
        CHECK_NEAR((double)point_.x, ex, tolerance);                                                         \
        CHECK_NEAR((double)point_.y, ey, tolerance);                                                         \
        CHECK_NEAR((double)point_.z, ez, tolerance);                                                         \
    } while (0)

static tr_gltf_motion_options noted(reading_notes *notes) {
    memset(notes, 0, sizeof *notes);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.note = reading_note;
    options.note_user = notes;
    return options;
}

// One node, moved by three keys at 0, 1 and 3 s.
static tr_figures read_curve(const char *path, const char *interpolation, int width, const double *values,
                             double rate) {
    static const double times[3] = {0, 1, 3};
    gltf_rig rig = {0};
    int tangents = strcmp(interpolation, "CUBICSPLINE") == 0 ? 3 : 1;
    rig_floats(&rig, 1, 3, times);
    rig_floats(&rig, width, 3 * tangents, values);
    char rest[400];
    snprintf(rest, sizeof rest,
             "'nodes': [{'name': 'n'}], 'animations': [{'name': 'a', 'channels': [{'sampler': 0, 'target': "
             "{'node': 0, 'path': '%s'}}], 'samplers': [{'input': 0, 'output': 1, 'interpolation': '%s'}]}]",
             path, interpolation);
    rig_finish(&rig, rest);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.frames_per_second = rate;
    return rig_read(&rig, &options);
}

TEST(keys_step_or_go_straight_as_the_file_says) {
    static const double values[9] = {1, 2, 3, 4, 5, 6, -2, 0, 1};
    tr_figures figures = read_curve("translation", "LINEAR", 3, values, 10);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    CHECK_INT(tr_clip_frame_count(figures.items[0].clips[0]), 31);
    CHECK_NEAR(tr_clip_rate(figures.items[0].clips[0]), 10, 0);
    CHECK_TEXT(tr_clip_name(figures.items[0].clips[0]), "a");
    for (int frame = 0; frame <= 30; frame++) {
        double t = frame / 10.0, part = t < 1 ? t : (t - 1) / 2;
        const double *a = values + (t < 1 ? 0 : 3), *b = a + 3;
        tr_affine at = rig_joint(&figures.items[0], 0, (uint32_t)frame, 0);
        CHECK_POINT(tr_affine_position(&at), a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part,
                    a[2] + (b[2] - a[2]) * part, 1e-5);
    }
    tr_figures_destroy(&figures);
    figures = read_curve("translation", "STEP", 3, values, 10);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    for (int frame = 0; frame <= 30; frame++) {
        const double *a = values + (frame < 10 ? 0 : frame < 30 ? 3 : 6);
        tr_affine at = rig_joint(&figures.items[0], 0, (uint32_t)frame, 0);
        CHECK_POINT(tr_affine_position(&at), a[0], a[1], a[2], 1e-6);
    }
    tr_figures_destroy(&figures);
}

TEST(cubic_splines_follow_the_formula_of_the_standard) {
    tr_random random = tr_random_seed(5);
    double values[27]; // in-tangent, value, out-tangent of each key
    for (int i = 0; i < 27; i++)
        values[i] = (double)tr_random_between(&random, -2, 2);
    tr_figures figures = read_curve("scale", "CUBICSPLINE", 3, values, 20);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    CHECK_INT(tr_clip_channels(figures.items[0].clips[0])[0], TR_CHANNEL_SCALES);
    for (int frame = 0; frame <= 60; frame++) {
        double time = frame / 20.0, td = time < 1 ? 1 : 2, t = time < 1 ? time : (time - 1) / 2, expected[3];
        const double *k = values + (time < 1 ? 0 : 9);
        for (int axis = 0; axis < 3; axis++)
            expected[axis] = (2 * t * t * t - 3 * t * t + 1) * k[3 + axis] +
                             td * (t * t * t - 2 * t * t + t) * k[6 + axis] +
                             (-2 * t * t * t + 3 * t * t) * k[12 + axis] +
                             td * (t * t * t - t * t) * k[9 + axis];
        tr_affine at = rig_joint(&figures.items[0], 0, (uint32_t)frame, 0);
        for (int axis = 0; axis < 3; axis++)
            CHECK_NEAR((double)at.m[axis][axis], expected[axis], 1e-5);
    }
    tr_figures_destroy(&figures);
}

TEST(turns_go_the_shorter_way_at_constant_speed_whatever_the_number_format) {
    // A quarter about Z, then on to 170 degrees, the last one as its opposite quaternion.
    double angles[3] = {0, TR_TEST_QUARTER, TR_TEST_QUARTER * 17 / 9}, values[12];
    for (int key = 0; key < 3; key++)
        for (int k = 0; k < 4; k++)
            values[key * 4 + k] = (k == 2   ? sin(angles[key] / 2)
                                   : k == 3 ? cos(angles[key] / 2)
                                            : 0) *
                                  (key == 2 ? -1 : 1);
    static const struct {
        int component;
        double size, tolerance;
    } formats[] = {{5126, 1, 1e-5}, {5122, 32767, 1e-4}, {5120, 127, 2e-2}};
    for (int format = 0; format < 3; format++) {
        static const double times[3] = {0, 1, 3};
        double stored[12];
        for (int i = 0; i < 12; i++)
            stored[i] = format ? floor(values[i] * formats[format].size + 0.5) : values[i];
        gltf_rig rig = {0};
        rig_floats(&rig, 1, 3, times);
        rig_accessor(&rig, formats[format].component, format > 0, 4, 3, stored);
        rig_finish(&rig, "'nodes': [{'name': 'n'}], 'animations': [{'channels': [{'sampler': 0, 'target': "
                         "{'node': 0, 'path': 'rotation'}}], 'samplers': [{'input': 0, 'output': 1}]}]");
        tr_gltf_motion_options options = tr_gltf_motion_options_default();
        options.frames_per_second = 10;
        tr_figures figures = rig_read(&rig, &options);
        REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
        for (int frame = 0; frame <= 30; frame++) {
            double t = frame / 10.0;
            double angle = t < 1 ? angles[1] * t : angles[1] + (angles[2] - angles[1]) * (t - 1) / 2;
            tr_affine at = rig_joint(&figures.items[0], 0, (uint32_t)frame, 0);
            CHECK_NEAR((double)at.m[0][0], cos(angle), formats[format].tolerance);
            CHECK_NEAR((double)at.m[1][0], sin(angle), formats[format].tolerance);
        }
        tr_figures_destroy(&figures);
    }
}

#define SIMPLE_ANIMATION                                                                                     \
    "'animations': [{'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'translation'}}], "           \
    "'samplers': [{'input': 0, 'output': 1}] %s}]"

// The rate and frames of a clip with these times of keys.
static void check_rate(const double *times, int count, const char *extras, double asked, double rate,
                       uint32_t frames) {
    static const double zeros[60] = {0};
    gltf_rig rig = {0};
    rig_floats(&rig, 1, count, times);
    rig_floats(&rig, 3, count, zeros);
    char rest[500];
    snprintf(rest, sizeof rest, "'nodes': [{'name': 'n'}], " SIMPLE_ANIMATION, extras);
    rig_finish(&rig, rest);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.frames_per_second = asked;
    tr_figures figures = rig_read(&rig, &options);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    CHECK_NEAR(tr_clip_rate(figures.items[0].clips[0]), rate, 1e-4);
    CHECK_INT(tr_clip_frame_count(figures.items[0].clips[0]), frames);
    tr_figures_destroy(&figures);
}

TEST(the_rate_is_that_of_even_keys_else_sixty) {
    static const double even[5] = {0, 1 / 24.0, 2 / 24.0, 3 / 24.0, 4 / 24.0};
    static const double late[4] = {100 + 1 / 120.0, 100 + 2 / 120.0, 100 + 5 / 120.0, 100 + 6 / 120.0};
    static const double uneven[3] = {0, 0.1, 0.2413}, coarse[3] = {0, 1, 2}, one[1] = {7};
    check_rate(even, 5, "", 0, 24, 5);
    check_rate(late, 4, "", 0, 120, 6); // the first key is where the clip begins
    check_rate(uneven, 3, "", 0, 60, 16);
    check_rate(coarse, 3, "", 0, 48, 97); // too coarse to blend between frames
    check_rate(one, 1, "", 0, 60, 1);
    check_rate(even, 5, "", 48, 48, 9);
    check_rate(uneven, 3, ", 'extras': {'frames_per_second': 25}", 0, 25, 8);
    check_rate(uneven, 3, ", 'extras': {'frames_per_second': 'many'}", 0, 60, 16);
    check_rate(uneven, 3, ", 'extras': {'frames_per_second': -5}", 0, 60, 16);
}

TEST(joints_come_parents_first_with_unique_names_and_ends_marked) {
    gltf_rig rig = {0};
    // Nodes in any order; the child stands before its parent, names come twice, one node has none.
    rig_finish(&rig, "'nodes': [{'name': 'b', 'translation': [0, 1, 0], 'children': [4, 5]},"
                     "{'name': 'a', 'children': [3, 0]}, {'name': 'scene', 'children': [1]},"
                     "{'name': 'b', 'translation': [1, 0, 0], 'children': [6]}, {'translation': [0, 0, 2]},"
                     "{'name': 'b_end', 'translation': [0, 3, 0]}, {'name': 'b_end'}],"
                     "'skins': [{'name': 'somebody', 'joints': [0, 4, 1, 3, 6]}]");
    tr_figures figures = rig_read(&rig, NULL);
    REQUIRE(figures.count == 1);
    const tr_skeleton *skeleton = figures.items[0].skeleton;
    static const char *const names[] = {"a", "b", "b_end", "b_2", "node_4", "b_2_end"};
    static const uint32_t parents[] = {TR_NONE, 0, 1, 0, 3, 3};
    REQUIRE(tr_skeleton_joint_count(skeleton) == 6);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_TEXT(tr_skeleton_joint(skeleton, i).name, names[i]);
        CHECK_INT(tr_skeleton_joint(skeleton, i).parent, parents[i]);
        CHECK_INT(tr_skeleton_joint(skeleton, i).is_end,
                  i == 2 || i == 5); // 5 is no joint of the skin, but hangs on one
    }
    CHECK_TEXT(figures.items[0].name, "somebody");
    CHECK_POINT(tr_affine_position(&tr_skeleton_rest_model(skeleton)[4]), 0, 1, 2, 0);
    tr_figures_destroy(&figures);
}

TEST(nodes_above_the_joints_are_kept_unless_they_do_nothing) {
    gltf_rig rig = {0};
    rig_finish(&rig, "'nodes': [{'name': 'idle', 'children': [1]},"
                     "{'name': 'place', 'matrix': [0,0,-2,0, 0,2,0,0, 2,0,0,0, 10,20,30,1], 'children': [2]},"
                     "{'name': 'idle_too', 'children': [3]},"
                     "{'name': 'root', 'translation': [1, 2, 3]}], 'skins': [{'joints': [3]}]");
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.metres_per_unit = 0.01;
    tr_figures figures = rig_read(&rig, &options);
    REQUIRE(figures.count == 1);
    const tr_skeleton *skeleton = figures.items[0].skeleton;
    REQUIRE(tr_skeleton_joint_count(skeleton) == 3);
    CHECK_TEXT(figures.items[0].name, "idle");
    CHECK_TEXT(tr_skeleton_joint(skeleton, 0).name, "place");
    // Twice as large and turned by a quarter about +Y: z becomes x, x becomes -z.
    CHECK_POINT(tr_affine_position(&tr_skeleton_rest_model(skeleton)[2]), 0.16, 0.24, 0.28, 1e-6);
    tr_figures_destroy(&figures);
}

TEST(a_shear_in_a_matrix_is_noted_and_left_out) {
    gltf_rig rig = {0};
    reading_notes notes;
    tr_gltf_motion_options options = noted(&notes);
    rig_finish(&rig,
               "'nodes': [{'matrix': [1,0,0,0, 0.5,1,0,0, 0,0,1,0, 4,5,6,1]}], 'skins': [{'joints': [0]}]");
    tr_figures figures = rig_read(&rig, &options);
    REQUIRE(figures.count == 1);
    CHECK_CONTAINS(notes.text, "nodes[0].matrix has a shear, which is left out");
    CHECK_POINT(tr_affine_position(&tr_skeleton_rest_model(figures.items[0].skeleton)[0]), 4, 5, 6, 0);
    tr_figures_destroy(&figures);
}

TEST(skins_that_share_joints_or_hang_on_each_other_are_one_figure) {
    gltf_rig rig = {0};
    rig_finish(&rig,
               "'nodes': [{'children': [1, 4, 6]}, {'name': 'hips', 'children': [2]},"
               "{'name': 'head', 'children': [3]}, {'name': 'hair'},"
               "{'name': 'other', 'translation': [5, 0, 0], 'children': [5]}, {'name': 'other_head'}, {}],"
               "'skins': [{'joints': [1, 2]}, {'joints': [4, 5], 'name': 'second'}, {'joints': [3]},"
               "{'joints': [2, 1]}]");
    tr_figures figures = rig_read(&rig, NULL);
    REQUIRE(figures.count == 2);
    CHECK_INT(tr_skeleton_joint_count(figures.items[0].skeleton), 3);
    CHECK(tr_skeleton_find(figures.items[0].skeleton, "hair") != TR_NONE);
    CHECK_INT(tr_skeleton_joint_count(figures.items[1].skeleton), 2);
    CHECK_TEXT(figures.items[1].name, "second");
    tr_figures_destroy(&figures);
}

// A mesh of one triangle on two joints, each vertex with its own weights, and the matrices of a bind pose
// that is not the rest pose.
static void put_skinned_triangle(gltf_rig *rig, const double matrices[32]) {
    static const double positions[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3},
                        joints[12] = {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    static const double weights[12] = {0.25, 0.75, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0}, times[2] = {0, 1};
    static const double turns[8] = {0, 0, 0, 1, 0, 0.6, 0, 0.8}, indices[3] = {0, 1, 2};
    rig_floats(rig, 3, 3, positions);
    rig_accessor(rig, 5121, false, 4, 3, joints);
    rig_floats(rig, 4, 3, weights);
    rig_accessor(rig, 5123, false, 1, 3, indices);
    rig_floats(rig, 16, 2, matrices);
    rig_floats(rig, 1, 2, times);
    rig_floats(rig, 4, 2, turns);
    rig_finish(rig,
               "'nodes': [{'mesh': 0, 'skin': 0, 'translation': [100, 100, 100]},"
               "{'name': 'low', 'translation': [0, 1, 0], 'children': [2]},"
               "{'name': 'high', 'translation': [0, 2, 1], 'rotation': [0.6, 0, 0, 0.8], 'children': [3]},"
               "{'mesh': 1, 'translation': [0, 0, 4]}],"
               "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 1, 'WEIGHTS_0': 2}, "
               "'indices': 3, 'material': 0}]}, {'primitives': [{'attributes': {'POSITION': 0}}]}],"
               "'materials': [{'pbrMetallicRoughness': {'baseColorFactor': [0.5, 0.25, 2, 1]}}],"
               "'skins': [{'joints': [1, 2], 'inverseBindMatrices': 4}],"
               "'animations': [{'channels': [{'sampler': 0, 'target': {'node': 1, 'path': 'rotation'}}],"
               "'samplers': [{'input': 5, 'output': 6}]}]");
}

static const double bind_matrices[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1, 0, 0, -1, 0.5, 1,
                                         0, 0, 2, 0, 0, 2, 0, 0, -2, 0, 0, 0, 3, 1,  2,   1};

// glTF's rule: the sum of weight times joint in the world times inverse bind matrix times vertex.
static tr_vec3 skin_by_rule(const tr_affine joints[2], int vertex) {
    static const float weights[3][2] = {{0.25f, 0.75f}, {0, 1}, {0.5f, 0.5f}};
    static const tr_vec3 positions[3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    tr_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        tr_affine bind;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                bind.m[row][column] = (float)bind_matrices[k * 16 + column * 4 + row];
        tr_vec3 moved = tr_affine_apply(&joints[k], tr_affine_apply(&bind, positions[vertex]));
        sum = tr_vec3_add(sum, tr_vec3_scale(moved, weights[vertex][k]));
    }
    return sum;
}

TEST(a_skinned_mesh_moves_as_the_standard_says_and_rigid_pieces_with_their_joint) {
    gltf_rig rig = {0};
    put_skinned_triangle(&rig, bind_matrices);
    tr_figures figures = rig_read(&rig, NULL);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1 && figures.items[0].body);
    const tr_figure *figure = &figures.items[0];
    const tr_body_def *body = tr_body_view(figure->body);
    REQUIRE(body->vertex_count == 6 && body->triangle_count == 2);
    CHECK_NEAR((double)body->color[0], 0.5, 0);
    CHECK_NEAR((double)body->color[2], 1, 0); // out of range in the file
    for (uint32_t frame = 0; frame < tr_clip_frame_count(figure->clips[0]); frame++) {
        const tr_affine model[2] = {rig_joint(figure, 0, frame, 0), rig_joint(figure, 0, frame, 1)};
        tr_vec3 positions[6], normals[6];
        tr_body_skin(figure->body, model, positions, normals);
        for (int i = 0; i < 3; i++) {
            tr_vec3 p = skin_by_rule(model, i);
            CHECK_POINT(positions[i], (double)p.x, (double)p.y, (double)p.z, 2e-5);
            CHECK_NEAR((double)tr_vec3_length(normals[i]), 1, 1e-5);
        }
        // The second mesh hangs 4 in front of the second joint.
        tr_vec3 p = tr_affine_apply(&model[1], tr_vec3_make(0, 2, 4));
        CHECK_POINT(positions[4], (double)p.x, (double)p.y, (double)p.z, 2e-5);
    }
    tr_figures_destroy(&figures);
}

// Three joints one above the other, 1 m apart in the pose in which the mesh was bound, in which the mesh
// stands upright at the origin. The nodes bend the upper joints, and the lowest is elsewhere and leans.
static void put_bent_column(gltf_rig *rig, bool bent) {
    static const double positions[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3},
                        joints[12] = {0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0},
                        weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, times[2] = {0, 1},
                        turns[8] = {0, 0, 0, 1, 0, 0.6, 0, 0.8}, indices[3] = {0, 1, 2};
    double matrices[48] = {0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++)
            matrices[16 * i + 5 * k] = 1;
        matrices[16 * i + 13] = -1 - i;
    }
    rig_floats(rig, 3, 3, positions);
    rig_accessor(rig, 5121, false, 4, 3, joints);
    rig_floats(rig, 4, 3, weights);
    rig_accessor(rig, 5123, false, 1, 3, indices);
    rig_floats(rig, 16, 3, matrices);
    rig_floats(rig, 1, 2, times);
    rig_floats(rig, 4, 2, turns);
    char text[2000];
    snprintf(text, sizeof text,
             "'nodes': [{'mesh': 0, 'skin': 0},"
             "{'name': 'low', 'translation': [7, 1, 5], 'rotation': %s, 'children': [2]},"
             "{'name': 'middle', 'translation': [0, 1, 0], 'rotation': %s, 'children': [3]},"
             "{'name': 'high', 'translation': [0, 1, 0]}],"
             "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 1, 'WEIGHTS_0': 2}, "
             "'indices': 3}]}],"
             "'skins': [{'joints': [1, 2, 3], 'inverseBindMatrices': 4}],"
             "'animations': [{'channels': [{'sampler': 0, 'target': {'node': 3, 'path': 'rotation'}}],"
             "'samplers': [{'input': 5, 'output': 6}]}]",
             bent ? "[0.28, 0, 0, 0.96]" : "[0, 0, 0, 1]", bent ? "[0, 0, 0.6, 0.8]" : "[0, 0, 0, 1]");
    rig_finish(rig, text);
}

TEST(a_body_rests_as_its_mesh_was_bound_even_if_the_nodes_hold_another_pose) {
    for (int bent = 0; bent < 2; bent++) {
        gltf_rig rig = {0};
        put_bent_column(&rig, bent);
        tr_figures figures = rig_read(&rig, NULL);
        REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1 && figures.items[0].body);
        const tr_figure *figure = &figures.items[0];
        const tr_affine *rest = tr_skeleton_rest_model(figure->skeleton);
        for (uint32_t i = 0; i < 3; i++)
            CHECK_POINT(tr_affine_position(&rest[i]), 7, 1.0 + i, 5, 1e-5);
        CHECK_POINT(tr_body_view(figure->body)->positions[1], 7, 2, 5, 1e-5);
        // What no track moves keeps the pose of the nodes, as the standard says.
        tr_pose pose;
        REQUIRE(tr_pose_create(NULL, 3, &pose, NULL) == TR_OK);
        REQUIRE(tr_clip_get_frame(figure->clips[0], 0, &pose) == TR_OK);
        CHECK_NEAR(tr_pose_get(&pose, 0).rotation.x, bent ? 0.28 : 0, 1e-6);
        CHECK_NEAR(tr_pose_get(&pose, 1).rotation.z, bent ? 0.6 : 0, 1e-6);
        CHECK_POINT(tr_pose_get(&pose, 1).position, 0, 1, 0, 1e-6);
        tr_pose_destroy(&pose);
        tr_figures_destroy(&figures);
    }
}

TEST(a_unit_scales_skeleton_body_and_motion_alike) {
    gltf_rig rig = {0};
    put_skinned_triangle(&rig, bind_matrices);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    tr_figures large = rig_read(&rig, &options);
    options.metres_per_unit = 0.25;
    tr_figures small = rig_read(&rig, &options);
    REQUIRE(large.count == 1 && small.count == 1 && large.items[0].body && small.items[0].body);
    tr_vec3 a[6], b[6];
    for (uint32_t frame = 0; frame < tr_clip_frame_count(large.items[0].clips[0]); frame += 3) {
        const tr_affine one[2] = {rig_joint(&large.items[0], 0, frame, 0),
                                  rig_joint(&large.items[0], 0, frame, 1)};
        const tr_affine two[2] = {rig_joint(&small.items[0], 0, frame, 0),
                                  rig_joint(&small.items[0], 0, frame, 1)};
        tr_body_skin(large.items[0].body, one, a, NULL);
        tr_body_skin(small.items[0].body, two, b, NULL);
        for (int i = 0; i < 6; i++)
            CHECK_POINT(b[i], 0.25 * (double)a[i].x, 0.25 * (double)a[i].y, 0.25 * (double)a[i].z, 1e-5);
    }
    tr_figures_destroy(&large);
    tr_figures_destroy(&small);
}

TEST(files_without_figures_say_so) {
    gltf_rig rig = {0};
    rig_finish(&rig, "'nodes': [{'name': 'a stone'}]");
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    CHECK_INT(rig_try(&rig, NULL, &figures, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "neither skins nor animations");
    CHECK_INT(figures.count, 0);
    tr_figures_destroy(&figures);
}

TEST(figures_are_added_to_those_that_are_there_and_kept_when_reading_fails) {
    gltf_rig rig = {0}, bad = {0};
    put_skinned_triangle(&rig, bind_matrices);
    rig_finish(&bad, "'nodes': [{}, {}], 'skins': [{'joints': [0]}, {'joints': [2]}]");
    tr_figures figures = rig_read(&rig, NULL);
    tr_error error = {0};
    CHECK_INT(rig_try(&bad, NULL, &figures, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "skins[1].joints[0] is 2, it must be the number of one of 2 nodes");
    CHECK_INT(error.line, 0);
    CHECK(error.offset > 20);
    CHECK_INT(figures.count, 1);
    CHECK_INT(rig_try(&rig, NULL, &figures, &error), TR_OK);
    CHECK_INT(figures.count, 2);
    CHECK_INT(rig_try(&rig, &(tr_gltf_motion_options){.metres_per_unit = NAN}, &figures, &error), TR_INVALID);
    CHECK_INT(rig_try(&rig, &(tr_gltf_motion_options){.metres_per_unit = 1, .frames_per_second = -1},
                      &figures, &error),
              TR_INVALID);
    CHECK_INT(figures.count, 2);
    CHECK_INT(tr_skeleton_joint_count(figures.items[0].skeleton), 2);
    tr_figures_destroy(&figures);
}

TEST(real_files_are_read_whole) {
    static const struct {
        const char *name;
        uint32_t figures, joints, clips;
        bool body;
    } files[] = {{"Fox.glb", 1, 24, 3, true},
                 {"Knight.glb", 1, 41, 76, true},
                 {"RiggedFigure.glb", 1, 21, 1, true},
                 {"RiggedSimple.glb", 1, 4, 1, true},
                 {"RobotExpressive.glb", 1, 59, 14, true},
                 {"InterpolationTest.glb", 1, 9, 9, true},
                 {"rig-human.glb", 1, 66, 0, false}};
    if (!test_data_folder()) {
        test_skip("the data folder is absent");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[512];
        tr_bytes bytes = {0};
        tr_error error = {0};
        tr_figures figures = tr_figures_begin(NULL);
        snprintf(path, sizeof path, "%s/gltf/%s", test_data_folder(), files[i].name);
        REQUIRE(tr_file_read(NULL, path, &bytes, &error) == TR_OK);
        if (tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s: %s", files[i].name, error.message);
        CHECK_INT(figures.count, files[i].figures);
        REQUIRE(figures.count > 0);
        CHECK_INT(tr_skeleton_joint_count(figures.items[0].skeleton), files[i].joints);
        CHECK_INT(figures.items[0].clip_count, files[i].clips);
        CHECK_INT(figures.items[0].body != NULL, files[i].body);
        tr_figures_destroy(&figures);
        tr_bytes_free(NULL, &bytes);
    }
}
