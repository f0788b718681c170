// Reading BVH: what a file says, what is odd but readable, and what is refused.
#include "bvh_sample.h"

#include <math.h>

static tr_vec3 place_of(const tr_figure *figure, uint32_t frame, const char *name) {
    tr_affine model[64];
    bvh_place(figure->skeleton, figure->clips[0], frame, model);
    return tr_affine_position(&model[tr_skeleton_find(figure->skeleton, name)]);
}

TEST(a_small_file_gives_its_skeleton_and_its_motion) {
    tr_figure figure = {0};
    tr_error error = {0};
    reading_notes notes;
    REQUIRE(bvh_read_text(bvh_sample, &notes, &figure, &error) == TR_OK);
    CHECK_INT(tr_skeleton_joint_count(figure.skeleton), 5);
    tr_joint_def end = tr_skeleton_joint(figure.skeleton, 4);
    CHECK_TEXT(end.name, "LeftFoot_end");
    CHECK(end.is_end);
    CHECK_INT(end.parent, 3);
    CHECK_NEAR(end.rest.position.z, 0.155, 1e-7);
    CHECK_INT(tr_skeleton_with_role(figure.skeleton, TR_ROLE_LEFT_SHANK), 2);
    REQUIRE(figure.clip_count == 1);
    const tr_clip *clip = figure.clips[0];
    CHECK_INT(tr_clip_frame_count(clip), 3);
    CHECK_NEAR(tr_clip_rate(clip), 120, 0);
    CHECK(!tr_clip_has_base(clip));
    CHECK_INT(tr_clip_channels(clip)[0], TR_CHANNEL_TURNS | TR_CHANNEL_MOVES);
    CHECK_INT(tr_clip_channels(clip)[1], TR_CHANNEL_TURNS);
    CHECK_INT(tr_clip_channels(clip)[4], 0);
    tr_vec3 foot = place_of(&figure, 0, "LeftFoot");
    CHECK_NEAR(foot.x, 0.1, 1e-6);
    CHECK_NEAR(foot.y, 0.07, 1e-6);
    CHECK_NEAR(place_of(&figure, 2, "Hips").z, 0.04, 1e-7);
    CHECK_CONTAINS(notes.text, "centimetres are assumed from the size of the body (legs of 0.83 m)");
    CHECK_CONTAINS(notes.text, "frame 0 looks like an added T-pose");
    CHECK_INT(notes.count, 2);
    tr_figure_destroy(&figure);
}

// m times a turn about an axis, written down once more.
static void turn_matrix(double m[3][3], int axis, double degrees) {
    double s = sin(degrees * 3.14159265358979323846 / 180), c = cos(degrees * 3.14159265358979323846 / 180);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (int row = 0; row < 3; row++) {
        double p = m[row][a], q = m[row][b];
        m[row][a] = p * c + q * s;
        m[row][b] = q * c - p * s;
    }
}

TEST(rotations_multiply_in_the_order_of_the_channels) {
    static const int orders[8][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0},
                                     {2, 0, 1}, {2, 1, 0}, {0, 1, 0}, {1, 1, 2}};
    tr_random random = tr_random_seed(1);
    for (int round = 0; round < 400; round++) {
        const int *order = orders[round % 8];
        double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, angle[3];
        for (int i = 0; i < 3; i++) {
            angle[i] = (double)tr_random_between(&random, -400, 400);
            turn_matrix(m, order[i], angle[i]);
        }
        char text[800];
        snprintf(text, sizeof text,
                 "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 %crotation %crotation %crotation\n"
                 "End Site { OFFSET 1 2 3 } }\nMOTION\nFrames: 1\nFrame Time: 0.1\n%.9f %.9f %.9f\n",
                 'X' + order[0], 'X' + order[1], 'X' + order[2], angle[0], angle[1], angle[2]);
        tr_figure figure = {0};
        tr_bvh_options options = {.metres_per_unit = 1};
        REQUIRE(bvh_read_copy(NULL, text, strlen(text), &options, &figure, NULL) == TR_OK);
        tr_vec3 end = place_of(&figure, 0, "a_end");
        CHECK_NEAR(end.x, m[0][0] + 2 * m[0][1] + 3 * m[0][2], 2e-6);
        CHECK_NEAR(end.y, m[1][0] + 2 * m[1][1] + 3 * m[1][2], 2e-6);
        CHECK_NEAR(end.z, m[2][0] + 2 * m[2][1] + 3 * m[2][2], 2e-6);
        tr_figure_destroy(&figure);
    }
}

// Each change leaves the motion as it is, or says what became of it.
typedef struct oddity {
    const char *from, *to;
    const char *note; // NULL: none beside the usual two
    uint32_t frames;
} oddity;
static const oddity oddities[] = {
    {"HIERARCHY", "\xef\xbb\xbfHIERARCHY", NULL, 3},
    {"HIERARCHY", "\n\n  hierarchy", NULL, 3},
    {"ROOT Hips\n{\n\tOFFSET 0 0 0", "root Hips {Offset 0 0 0", NULL, 3},
    {"JOINT LeftUpLeg\n\t{\n", "Joint LeftUpLeg{", NULL, 3},
    {"End Site\n", "END SITE the very end\n", NULL, 3},
    {"CHANNELS 3 Xrotation Yrotation Zrotation", "channels 3 XROTATION yrotation Zrotation", NULL, 3},
    {"OFFSET 0 -7 15.5", "OFFSET 0,0 -7 15,5", NULL, 3},
    {"OFFSET 0 -7 15.5", "OFFSET 0.0, -7.0, 15.5,", NULL, 3},
    {"0 95 0 0", "0,0 95,0 0 0", NULL, 3},
    {"Frames: 3", "Frames 3", NULL, 3},
    {"Frames: 3", "FRAMES:3", NULL, 3},
    {"Frame Time: .0083333", "frametime: .0083333", NULL, 3},
    {"Frame Time: .0083333\n", "Frame Time:\t8.3333e-3 ", NULL, 3},
    {"10 20 30", "10\n20\r\n30", NULL, 3}, // the number of values is right
    {"Frames: 3", "Frames: 2", "Frames is 2, but the file has 3 frames: 2 are read", 2},
    {"Frames: 3", "Frames: 5", "Frames is 5, but the file has 3 frames: 3 are read", 3},
    {" 1.5 2.5 3.5\n", " 1.5",
     "Frames is 3, but the file ends inside a frame: the 2 complete frames are read", 2},
    {"Frame Time: .0083333", "Frame Time: 0", "Frame Time is 0: 30 frames per second are assumed", 3},
    {"Frame Time: .0083333", "Frame Time: -1", "Frame Time is -1: 30 frames per second", 3},
    {"Frame Time: .0083333", "Frame Time: 1e-9", "Frame Time is 1e-09: 30 frames per second", 3},
    {"\t\tOFFSET 10 -5 0\n", "",
     "1 joints have no OFFSET and are placed at their parent, the first on line 6", 3},
    {"\tOFFSET 0 0 0\n", "\tOFFSET 0 90 0\n",
     "1 roots have an OFFSET that their position channels replace, the first on line 2", 3},
    {"JOINT LeftLeg", "JOINT LeftUpLeg",
     "1 joints have the name of another joint and were given a number suffix, the first on line 10", 3},
    {"3 Xrotation Yrotation Zrotation", "3 Xrotation Yscale Zrotation",
     "1 scale channels are left out, the first on line 17", 3},
};

TEST(what_is_odd_is_read_and_said) {
    for (uint32_t i = 0; i < sizeof oddities / sizeof oddities[0]; i++) {
        tr_figure figure = {0};
        tr_error error = {0};
        reading_notes notes;
        const char *text = bvh_with(bvh_sample, oddities[i].from, oddities[i].to);
        tr_status status = bvh_read_text(text, &notes, &figure, &error);
        if (status != TR_OK) {
            test_failed(__FILE__, __LINE__, "\"%s\": line %u: %s", oddities[i].to, error.line, error.message);
            continue;
        }
        if (oddities[i].note)
            CHECK_CONTAINS(notes.text, oddities[i].note);
        CHECK_INT(notes.count, oddities[i].note ? 3 : 2);
        CHECK_INT(tr_clip_frame_count(figure.clips[0]), oddities[i].frames);
        CHECK_NEAR(place_of(&figure, 1, "Hips").x, 0.015, 1e-7);
        tr_figure_destroy(&figure);
    }
}

TEST(line_ends_of_every_system_give_the_same_bits) {
    static const char *const ends[] = {"\r\n", "\r", "\n\n", "\n\v\f"};
    for (int i = 0; i < 4; i++) {
        char text[4000] = "";
        for (const char *at = bvh_sample; *at; at++) {
            char one[2] = {*at, 0};
            strcat(text, *at == '\n' ? ends[i] : one);
        }
        tr_figure figure = {0}, plain = {0};
        REQUIRE(bvh_read_text(text, NULL, &figure, NULL) == TR_OK);
        REQUIRE(bvh_read_text(bvh_sample, NULL, &plain, NULL) == TR_OK);
        tr_affine a[8], b[8];
        for (uint32_t frame = 0; frame < 3; frame++) {
            bvh_place(figure.skeleton, figure.clips[0], frame, a);
            bvh_place(plain.skeleton, plain.clips[0], frame, b);
            CHECK(memcmp(a, b, 5 * sizeof *a) == 0);
        }
        tr_figure_destroy(&figure);
        tr_figure_destroy(&plain);
    }
}

TEST(a_file_without_frames_is_a_skeleton) {
    tr_figure figure = {0};
    reading_notes notes;
    char text[4000];
    snprintf(text, sizeof text, "%.*s", (int)(strstr(bvh_sample, "0 95 0") - bvh_sample), bvh_sample);
    REQUIRE(bvh_read_text(bvh_with(text, "Frames: 3", "Frames: 0"), &notes, &figure, NULL) == TR_OK);
    CHECK_INT(tr_skeleton_joint_count(figure.skeleton), 5);
    CHECK_INT(figure.clip_count, 0);
    CHECK_CONTAINS(notes.text, "Frames is 0: the file has a skeleton but no motion");
    tr_figure_destroy(&figure);
    tr_error error = {0};
    CHECK(bvh_read_text(text, &notes, &figure, &error) == TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "Frames is 3, but there is no complete frame");
    CHECK(figure.skeleton == NULL);
}

TEST(a_skeleton_without_channels_has_one_frame) {
    tr_figure figure = {0};
    reading_notes notes;
    const char *text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
                       "MOTION\nFrames: 4000000000\nFrame Time: 0.1\n";
    REQUIRE(bvh_read_text(text, &notes, &figure, NULL) == TR_OK);
    CHECK_INT(tr_clip_frame_count(figure.clips[0]), 1);
    CHECK_CONTAINS(notes.text, "no joint has channels: the motion is one frame, the rest pose");
    tr_figure_destroy(&figure);
}

TEST(several_roots_and_joints_that_move_are_read) {
    tr_figure figure = {0};
    reading_notes notes;
    const char *text = "HIERARCHY\nROOT a\n{\nOFFSET 1 0 0\nCHANNELS 1 Yposition\n}\n"
                       "ROOT b\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT c\n{\nOFFSET 5 6 7\n"
                       "CHANNELS 4 Xposition Zposition Zrotation Yposition\n}\n}\n"
                       "MOTION\nFrames: 1\nFrame Time: 0.1\n2 8 10 90 9\n";
    tr_bvh_options options = {.metres_per_unit = 1, .note = reading_note, .note_user = &notes};
    memset(&notes, 0, sizeof notes);
    REQUIRE(bvh_read_copy(NULL, text, strlen(text), &options, &figure, NULL) == TR_OK);
    CHECK_CONTAINS(notes.text, "there are 2 roots");
    tr_vec3 a = place_of(&figure, 0, "a"), c = place_of(&figure, 0, "c");
    CHECK(a.x == 1 && a.y == 2 && a.z == 0);
    CHECK(c.x == 8 && c.y == 9 && c.z == 10);
    CHECK_INT(tr_clip_channels(figure.clips[0])[2], TR_CHANNEL_TURNS | TR_CHANNEL_MOVES);
    tr_figure_destroy(&figure);
}

TEST(the_first_frame_is_left_out_when_asked) {
    tr_figure figure = {0};
    tr_bvh_options options = {.skip_first = true};
    REQUIRE(bvh_read_copy(NULL, bvh_sample, strlen(bvh_sample), &options, &figure, NULL) == TR_OK);
    CHECK_INT(tr_clip_frame_count(figure.clips[0]), 2);
    CHECK_NEAR(place_of(&figure, 0, "Hips").x, 0.015, 1e-7);
    tr_figure_destroy(&figure);
}

TEST(the_unit_is_guessed_from_the_length_of_the_legs) {
    static const struct {
        double leg, unit;
        const char *name;
    } bodies[] = {{0.85, 1, "metres"},         {80, 0.01, "centimetres"},
                  {34, 0.0254, "inches"},      {14.7, 0.0254 / 0.45, "CMU's"},
                  {790, 0.001, "millimetres"}, {2.8, 0.3048, "feet"}};
    for (int i = 0; i < 6; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nJOINT LeftUpLeg\n{\nOFFSET 0 0 0\nJOINT LeftLeg\n{\n"
                 "OFFSET 0 %g 0\nJOINT LeftFoot\n{\nOFFSET 0 %g 0\nCHANNELS 1 Xrotation\n}\n}\n}\n}\n"
                 "MOTION\nFrames: 1\nFrame Time: 1\n0\n",
                 -bodies[i].leg / 2, -bodies[i].leg / 2);
        tr_figure figure = {0};
        reading_notes notes;
        REQUIRE(bvh_read_text(text, &notes, &figure, NULL) == TR_OK);
        CHECK_NEAR(tr_skeleton_joint(figure.skeleton, 2).rest.position.y, -bodies[i].leg / 2 * bodies[i].unit,
                   1e-6);
        CHECK_CONTAINS(notes.text, bodies[i].name);
        tr_figure_destroy(&figure);
    }
}

static bool try_reading(const tr_allocator *allocator) {
    tr_figure figure = {0};
    tr_bvh_options options = {.skip_first = true};
    tr_status status = bvh_read_copy(allocator, bvh_sample, strlen(bvh_sample), &options, &figure, NULL);
    bool good = status == TR_OK && figure.clip_count == 1;
    CHECK(good || (status == TR_OUT_OF_MEMORY && !figure.skeleton && figure.clip_count == 0));
    tr_figure_destroy(&figure);
    return good;
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(try_reading) > 8);
}
