// Writing BVH: what is read back is where it was, in the form that the strictest readers take.
#include "bvh_sample.h"
#include "troupe/base/hash.h"
#include "troupe/base/scalar.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#define JOINTS_MAX 64

// How far joints are from where they were after a way through a file [m]; INFINITY when something is missing.
// `count` joints are compared by name.
static double compare(const tr_skeleton *skeleton, const tr_clip *clip, const tr_figure *other) {
    uint32_t count = tr_skeleton_joint_count(skeleton);
    if (count > JOINTS_MAX || tr_skeleton_joint_count(other->skeleton) > 2 * JOINTS_MAX ||
        tr_clip_frame_count(clip) != tr_clip_frame_count(other->clips[0]) ||
        fabs(tr_clip_rate(clip) - tr_clip_rate(other->clips[0])) > 1e-6 * tr_clip_rate(clip))
        return INFINITY;
    double worst = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_affine a[JOINTS_MAX], b[2 * JOINTS_MAX];
        bvh_place(skeleton, clip, frame, a);
        bvh_place(other->skeleton, other->clips[0], frame, b);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t k = tr_skeleton_find(other->skeleton, tr_skeleton_joint(skeleton, i).name);
            if (k == TR_NONE)
                return INFINITY;
            double off = (double)tr_vec3_length(
                tr_vec3_subtract(tr_affine_position(&a[i]), tr_affine_position(&b[k])));
            worst = off > worst || isnan(off) ? off : worst;
        }
    }
    return worst;
}

static double round_trip(const tr_skeleton *skeleton, const tr_clip *clip, double unit, tr_figure *back) {
    tr_bytes bytes;
    tr_error error = {0};
    tr_bvh_options options = {.metres_per_unit = unit};
    *back = (tr_figure){0};
    double worst = INFINITY;
    if (tr_bvh_write(NULL, skeleton, clip, unit, &bytes, &error) == TR_OK &&
        tr_bvh_read(bytes.data, bytes.size, &options, back, &error) == TR_OK)
        worst = clip ? compare(skeleton, clip, back) : 0;
    else
        test_failed(__FILE__, __LINE__, "line %u: %s", error.line, error.message);
    tr_bytes_free(NULL, &bytes);
    return worst;
}

TEST(captures_come_back_within_a_hundredth_of_a_millimetre) {
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
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        if (!strstr(entry->d_name, ".bvh"))
            continue;
        snprintf(path, sizeof path, "%s/mocap/%s", folder, entry->d_name);
        tr_bytes bytes;
        tr_figure figure = {0}, back;
        REQUIRE(tr_file_read(NULL, path, &bytes, NULL) == TR_OK);
        REQUIRE(tr_bvh_read(bytes.data, bytes.size, NULL, &figure, NULL) == TR_OK);
        double off = round_trip(figure.skeleton, figure.clips[0], files % 2 ? 0.01 : 0.0254 / 0.45, &back);
        if (!(off <= 1e-5))
            test_failed(__FILE__, __LINE__, "%s: a joint is off by %g m", path, off);
        CHECK_INT(tr_skeleton_joint_count(back.skeleton), tr_skeleton_joint_count(figure.skeleton));
        worst = off > worst ? off : worst;
        files++;
        tr_figure_destroy(&back);
        tr_figure_destroy(&figure);
        tr_bytes_free(NULL, &bytes);
    }
    if (list)
        closedir(list);
    CHECK(files >= 27);
    printf("        %d files, worst %.2e m\n", files, worst);
}

static tr_quat random_turn(tr_random *random) {
    tr_quat q;
    q.x = tr_random_between(random, -1, 1);
    q.y = tr_random_between(random, -1, 1);
    q.z = tr_random_between(random, -1, 1);
    q.w = tr_random_between(random, -1, 1);
    return tr_quat_normalize(q);
}

static tr_vec3 random_vector(tr_random *random, float size) {
    tr_vec3 v;
    v.x = tr_random_between(random, -size, size);
    v.y = tr_random_between(random, -size, size);
    v.z = tr_random_between(random, -size, size);
    return v;
}

typedef struct made {
    tr_skeleton *skeleton;
    tr_clip *clip;
} made;

// A tree with rest rotations and a motion in which joints turn and some move; `scaled`: rest scales, and one
// joint that grows.
static made make_random(tr_random *random, uint32_t count, uint32_t frames, bool scaled) {
    tr_joint_def joints[JOINTS_MAX] = {{0}};
    uint8_t channels[JOINTS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        joints[i].parent = i == 0 ? TR_NONE : tr_random_below(random, i);
        joints[i].rest.position = random_vector(random, 0.4f);
        joints[i].rest.rotation = random_turn(random);
        float s = scaled ? tr_random_between(random, 0.5f, 1.5f) : 1;
        joints[i].rest.scale = tr_vec3_make(s, s, s);
        channels[i] = TR_CHANNEL_TURNS;
        if (i == 0 || tr_random_below(random, 4) == 0)
            channels[i] |= TR_CHANNEL_MOVES;
        if (scaled && tr_random_below(random, 4) == 0)
            channels[i] |= TR_CHANNEL_SCALES;
    }
    made result = {NULL, NULL};
    tr_skeleton_def skeleton = {.joints = joints, .joint_count = count};
    if (tr_skeleton_create(&skeleton, &result.skeleton, NULL) != TR_OK)
        return result;
    tr_clip_def clip = {
        .skeleton = result.skeleton, .channels = channels, .frame_count = frames, .frames_per_second = 25};
    tr_pose pose;
    if (tr_clip_create(&clip, &result.clip, NULL) != TR_OK ||
        tr_pose_create(NULL, count, &pose, NULL) != TR_OK)
        return result;
    for (uint32_t frame = 0; frame < frames; frame++) {
        for (uint32_t i = 0; i < count; i++) {
            tr_transform local = joints[i].rest;
            local.rotation = random_turn(random);
            local.position = tr_vec3_add(local.position, random_vector(random, 0.1f));
            float s = tr_random_between(random, 0.5f, 1.5f);
            if (channels[i] & TR_CHANNEL_SCALES)
                local.scale = tr_vec3_make(s, s, s);
            tr_pose_set(&pose, i, local);
        }
        tr_clip_set_frame(result.clip, frame, &pose);
    }
    tr_pose_destroy(&pose);
    return result;
}

static void destroy(made *motion) {
    tr_clip_destroy(motion->clip);
    tr_skeleton_destroy(motion->skeleton);
}

// The rest pose of the file has the joints where ours has them, seen from the root.
static void check_rest(const tr_skeleton *skeleton, const tr_figure *back) {
    const tr_affine *a = tr_skeleton_rest_model(skeleton), *b = tr_skeleton_rest_model(back->skeleton);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        uint32_t k = tr_skeleton_find(back->skeleton, tr_skeleton_joint(skeleton, i).name);
        REQUIRE(k != TR_NONE);
        for (int axis = 0; axis < 3; axis++)
            CHECK_NEAR(a[i].m[axis][3] - a[0].m[axis][3], b[k].m[axis][3], 3e-6);
    }
}

TEST(rest_rotations_moving_joints_and_bases_come_back) {
    tr_random random = tr_random_seed(3);
    for (int round = 0; round < 60; round++) {
        uint32_t count = 2 + tr_random_below(&random, 20), frames = 1 + tr_random_below(&random, 6);
        made motion = make_random(&random, count, frames, false);
        REQUIRE(motion.clip != NULL);
        if (round % 2) {
            tr_base base[8], advance = {0, 0, 0};
            for (uint32_t i = 0; i < frames; i++) {
                base[i].x = tr_random_between(&random, -5, 5);
                base[i].z = tr_random_between(&random, -5, 5);
                base[i].heading = tr_random_between(&random, -8, 8);
            }
            REQUIRE(tr_clip_set_base(motion.clip, base, advance) == TR_OK);
        }
        tr_figure back;
        CHECK(round_trip(motion.skeleton, motion.clip, round % 3 ? 0.01 : 1, &back) <= 1e-5);
        check_rest(motion.skeleton, &back);
        tr_figure_destroy(&back);
        destroy(&motion);
    }
}

TEST(scales_become_moves_and_joints_stay_where_they_were) {
    tr_random random = tr_random_seed(5);
    for (int round = 0; round < 40; round++) {
        made motion = make_random(&random, 2 + tr_random_below(&random, 12), 4, true);
        REQUIRE(motion.clip != NULL);
        tr_figure back;
        CHECK(round_trip(motion.skeleton, motion.clip, 0.01, &back) <= 1e-5);
        check_rest(motion.skeleton, &back);
        tr_figure_destroy(&back);
        destroy(&motion);
    }
}

// One joint that turns as `turn` says; the angles in the file of each frame.
static void written_angles(uint32_t frames, tr_quat (*turn)(uint32_t frame), double (*angles)[3]) {
    tr_joint_def joint = {.name = "a", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def skeleton_def = {.joints = &joint, .joint_count = 1};
    tr_skeleton *skeleton = NULL;
    tr_clip *clip = NULL;
    tr_pose pose;
    REQUIRE(tr_skeleton_create(&skeleton_def, &skeleton, NULL) == TR_OK);
    tr_clip_def def = {.skeleton = skeleton, .frame_count = frames, .frames_per_second = 30};
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK && tr_pose_create(NULL, 1, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < frames; i++) {
        tr_pose_set_rotation(&pose, 0, turn(i));
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_bytes bytes;
    REQUIRE(tr_bvh_write(NULL, skeleton, clip, 1, &bytes, NULL) == TR_OK);
    static char text[1 << 16];
    REQUIRE(bytes.size < sizeof text);
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = 0;
    char *at = strchr(strstr(text, "Frame Time:"), '\n');
    for (uint32_t i = 0; i < frames; i++)
        for (int k = 0; k < 6; k++) {
            double value = strtod(at, &at);
            if (k >= 3)
                angles[i][k - 3] = value;
        }
    tr_bytes_free(NULL, &bytes);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

static tr_quat spin(uint32_t frame) {
    return tr_quat_about((tr_vec3){0, 1, 0}, 0.2 * frame);
}
// Straight through the pole of the angles: a somersault.
static tr_quat somersault(uint32_t frame) {
    return tr_quat_about((tr_vec3){1, 0, 0}, 2 * TR_PI * frame / 100);
}
static tr_quat slanted(uint32_t frame) {
    tr_quat tilt = tr_quat_about((tr_vec3){0.3f, 0.2f, 1}, 0.7);
    return tr_quat_multiply(tr_quat_about((tr_vec3){1, 0.02f, 0}, 0.05 * frame), tilt);
}

TEST(angles_have_no_jumps) {
    static double angles[200][3];
    tr_quat (*const turns[])(uint32_t) = {spin, somersault, slanted};
    static const double most[] = {0.2 * 57.3 + 0.01, 3.601, 45};
    for (int i = 0; i < 3; i++) {
        written_angles(200, turns[i], angles);
        for (int frame = 1; frame < 200; frame++)
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(angles[frame][k], angles[frame - 1][k], most[i]);
    }
    written_angles(200, spin, angles); // 6 whole turns go on and on
    CHECK_NEAR(angles[199][2], 0.2 * 199 * 180 / TR_PI, 1e-3);
    written_angles(101, somersault, angles);
    CHECK_NEAR(angles[100][1], 360, 1e-3);
    CHECK_NEAR(angles[25][1], 90, 1e-3);
    CHECK_NEAR(angles[60][0], 0, 1e-3);
}

TEST(the_file_is_as_strict_readers_want_it) {
    tr_joint_def joints[6] = {
        {.name = "two words", .parent = TR_NONE},
        {.name = "same{", .parent = 0},
        {.name = "same_", .parent = 0},
        {.name = "", .parent = 2},
        {.name = "end", .parent = 1, .is_end = true},
        {.name = "beside", .parent = 3, .is_end = true},
    };
    for (int i = 0; i < 6; i++) {
        joints[i].rest = tr_transform_identity();
        joints[i].rest.position = tr_vec3_make(1e-9f, 0.25f * (float)i, -1e-3f);
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = 6};
    tr_skeleton *skeleton = NULL;
    tr_bytes bytes;
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    REQUIRE(tr_bvh_write(NULL, skeleton, NULL, 1, &bytes, NULL) == TR_OK);
    static const char expected[] =
        "HIERARCHY\n"
        "ROOT two_words\n"
        "{\n"
        "\tOFFSET 0.0 0.0 0.0\n"
        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "\tJOINT same_\n"
        "\t{\n"
        "\t\tOFFSET 0.0 0.25 -0.001\n"
        "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "\t\tEnd Site\n"
        "\t\t{\n"
        "\t\t\tOFFSET 0.0 1.0 -0.001\n"
        "\t\t}\n"
        "\t}\n"
        "\tJOINT same__2\n"
        "\t{\n"
        "\t\tOFFSET 0.0 0.5 -0.001\n"
        "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "\t\tJOINT joint\n"
        "\t\t{\n"
        "\t\t\tOFFSET 0.0 0.75 -0.001\n"
        "\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "\t\t\tEnd Site\n"
        "\t\t\t{\n"
        "\t\t\t\tOFFSET 0.0 1.25 -0.001\n"
        "\t\t\t}\n"
        "\t\t}\n"
        "\t}\n"
        "}\n"
        "MOTION\n"
        "Frames: 1\n"
        "Frame Time: 0.0333333333\n"
        "0.0 0.0 -0.001 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0\n";
    static char text[4000];
    snprintf(text, sizeof text, "%.*s", (int)bytes.size, (const char *)bytes.data);
    CHECK_TEXT(text, expected);
    tr_bytes_free(NULL, &bytes);
    tr_skeleton_destroy(skeleton);
}

TEST(several_roots_get_one_above_them) {
    const char *text = "HIERARCHY\nROOT root\n{\nOFFSET 1 0 0\nCHANNELS 1 Yposition\n}\n"
                       "ROOT b\n{\nOFFSET 0 0 0\nJOINT c\n{\nOFFSET 5 6 7\nCHANNELS 1 Zrotation\n}\n}\n"
                       "MOTION\nFrames: 2\nFrame Time: 0.1\n2 8\n3 9\n";
    tr_figure figure = {0}, back;
    tr_bvh_options options = {.metres_per_unit = 1};
    REQUIRE(bvh_read_copy(NULL, text, strlen(text), &options, &figure, NULL) == TR_OK);
    CHECK(round_trip(figure.skeleton, figure.clips[0], 1, &back) <= 1e-6);
    CHECK_INT(tr_skeleton_parents(back.skeleton)[0], TR_NONE);
    CHECK_TEXT(tr_skeleton_joint(back.skeleton, 0).name, "root_2");
    for (uint32_t i = 1; i < tr_skeleton_joint_count(back.skeleton); i++)
        CHECK(tr_skeleton_parents(back.skeleton)[i] != TR_NONE);
    tr_figure_destroy(&back);
    tr_figure_destroy(&figure);
}

// On every machine and with every compiler.
TEST(the_same_motion_gives_the_same_bytes) {
    tr_figure figure = {0};
    tr_bytes first, second;
    REQUIRE(bvh_read_text(bvh_sample, NULL, &figure, NULL) == TR_OK);
    REQUIRE(tr_bvh_write(NULL, figure.skeleton, figure.clips[0], 0.01, &first, NULL) == TR_OK);
    REQUIRE(tr_bvh_write(NULL, figure.skeleton, figure.clips[0], 0.01, &second, NULL) == TR_OK);
    CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    CHECK_HASH(tr_hash(TR_HASH_START, first.data, first.size), 0x202782939d6c412cu);
    tr_bytes_free(NULL, &first);
    tr_bytes_free(NULL, &second);
    tr_figure_destroy(&figure);
}

TEST(arguments_that_are_wrong_are_refused) {
    tr_figure figure = {0};
    tr_error error = {0};
    tr_bytes bytes;
    REQUIRE(bvh_read_text(bvh_sample, NULL, &figure, NULL) == TR_OK);
    CHECK(tr_bvh_write(NULL, NULL, NULL, 1, &bytes, &error) == TR_INVALID);
    static const double units[] = {0, -1, NAN, INFINITY, 1e7};
    for (int i = 0; i < 5; i++)
        CHECK(tr_bvh_write(NULL, figure.skeleton, figure.clips[0], units[i], &bytes, &error) == TR_INVALID);
    tr_random random = tr_random_seed(1);
    made other = make_random(&random, 3, 1, false);
    CHECK(tr_bvh_write(NULL, figure.skeleton, other.clip, 1, &bytes, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "the clip has 3 joints, but the skeleton has 5");
    CHECK(bytes.data == NULL && bytes.size == 0);
    destroy(&other);
    tr_figure_destroy(&figure);
}

static bool try_writing(const tr_allocator *allocator) {
    tr_figure figure = {0};
    tr_bytes bytes;
    bvh_read_text(bvh_sample, NULL, &figure, NULL);
    tr_status status = tr_bvh_write(allocator, figure.skeleton, figure.clips[0], 0.01, &bytes, NULL);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && !bytes.data));
    tr_bytes_free(allocator, &bytes);
    tr_figure_destroy(&figure);
    return status == TR_OK;
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(try_writing) > 8);
}
