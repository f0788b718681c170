// BVH files that are broken: each gets a sentence with its line, and no memory that it does not deserve.
#include "bvh_sample.h"

typedef struct refusal {
    const char *from, *to;
    uint32_t line;
    const char *sentence;
} refusal;
static const refusal refusals[] = {
    {"HIERARCHY", "HIERARCHIE", 1, "the file begins with \"HIERARCHIE\", it must begin with HIERARCHY"},
    {"ROOT Hips", "JOINT Hips", 2, "found \"JOINT\", expected ROOT"},
    {"ROOT Hips\n{", "ROOT Hips\n", 4, "found \"OFFSET\", expected the { of a joint"},
    {"OFFSET 10 -5 0", "OFFSET 10 five 0", 8, "y of an OFFSET is \"five\", it must be a number"},
    {"OFFSET 10 -5 0", "OFFSET 10 -5", 9, "z of an OFFSET is \"CHANNELS\", it must be a number"},
    {"OFFSET 10 -5 0", "OFFSET 10 nan 0", 8, "y of an OFFSET is \"nan\""},
    {"OFFSET 10 -5 0", "OFFSET inf -5 0", 8, "x of an OFFSET is \"inf\""},
    {"OFFSET 10 -5 0", "OFFSET 1e999 -5 0", 8, "x of an OFFSET is inf, it must be within 1e+09 of 0"},
    {"OFFSET 10 -5 0", "OFFSET 1 2 3 OFFSET 1 2 3", 8, "a joint has a second OFFSET"},
    {"OFFSET 10 -5 0", "OFFSET 1 2 3 4", 8, "unexpected \"4\" inside a joint; allowed: OFFSET"},
    {"CHANNELS 3 Xrotation", "CHANNELS 4000000000 Xrotation", 17, "the number of CHANNELS is 4e+09"},
    {"CHANNELS 3 Xrotation", "CHANNELS 13 Xrotation", 17, "a joint has 13 channels, it must be 0 to 12"},
    {"CHANNELS 3 Xrotation", "CHANNELS -3 Xrotation", 17, "a joint has -3 channels"},
    {"CHANNELS 3 Xrotation", "CHANNELS 2.5 Xrotation", 17, "a joint has 2.5 channels"},
    {"CHANNELS 3 Xrotation", "CHANNELS 3 Wrotation", 17, "a channel is \"Wrotation\""},
    {"CHANNELS 3 Xrotation", "CHANNELS 4 Xrotation", 18, "a channel is \"End\""},
    {"CHANNELS 3 Xrotation Yrotation Zrotation", "CHANNELS 0 CHANNELS 0", 17, "a second CHANNELS"},
    {"OFFSET 0 -7 15.5", "End Site { OFFSET 0 1 0 }", 20, "an End Site contains an End Site"},
    {"MOTION", "}", 26, "found \"}\", expected MOTION"},
    {"\t\t}\n\t}\n}\nMOTION", "MOTION", 23, "unexpected \"MOTION\" inside a joint"},
    {"Frames: 3", "Framez: 3", 27, "found \"Framez\", expected Frames"},
    {"Frames: 3", "Frames: -3", 27, "Frames is -3, it must be a whole number"},
    {"Frames: 3", "Frames: 2.5", 27, "Frames is 2.5, it must be a whole number"},
    {"Frames: 3", "Frames: many", 27, "Frames is \"many\", it must be a number"},
    {"Frame Time: .0083333", "Frame Time: soon", 28, "Frame Time is \"soon\", it must be a number"},
    {"Frame Time: .0083333", "Frame Rate: 120", 28, "found \"Frame\", expected Frame Time"},
    {"1.5 95 -2", "1.5 95", 30, "the line has 14 values, but a frame has 15"},
    {"1.5 95 -2", "1.5 95 -2 7", 30, "the line has 16 values, but a frame has 15"},
    {"1.5 95 -2", "1.5 95 NaN", 30, "a position is \"NaN\", it must be a number"},
    {"1.5 95 -2", "1.5 95 -1.#IND", 30, "a position is \"-1.#IND\", it must be a number"},
    {"-5.25 0 40", "-5.25 1e8 40", 30, "a rotation is 1e+08, it must be within 1e+07 of 0"},
    {"1.5 95 -2", "1.5 95 2x", 30, "a position is \"2x\", it must be a number"},
};

TEST(what_is_wrong_is_refused_with_its_line_and_word) {
    for (uint32_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        tr_figure figure = {0};
        tr_error error = {0};
        const char *text = bvh_with(bvh_sample, refusals[i].from, refusals[i].to);
        CHECK(bvh_read_text(text, NULL, &figure, &error) == TR_BAD_FILE);
        CHECK_CONTAINS(error.message, refusals[i].sentence);
        if (error.line != refusals[i].line)
            test_failed(__FILE__, __LINE__, "\"%s\": line %u, expected %u", refusals[i].to, error.line,
                        refusals[i].line);
        CHECK(!figure.skeleton && figure.clip_count == 0);
    }
}

TEST(arguments_that_are_wrong_are_refused) {
    tr_figure figure = {0};
    tr_error error = {0};
    CHECK(tr_bvh_read(NULL, 7, NULL, &figure, &error) == TR_INVALID);
    CHECK(tr_bvh_read(NULL, 0, NULL, &figure, &error) == TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the file begins with \"\"");
    static const double units[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        tr_bvh_options options = {.metres_per_unit = units[i]};
        CHECK(tr_bvh_read(bvh_sample, sizeof bvh_sample - 1, &options, &figure, &error) == TR_INVALID);
    }
    REQUIRE(tr_bvh_read(bvh_sample, sizeof bvh_sample - 1, NULL, &figure, &error) == TR_OK);
    CHECK(tr_bvh_read(bvh_sample, sizeof bvh_sample - 1, NULL, &figure, &error) == TR_INVALID);
    CHECK_INT(figure.clip_count, 1);
    tr_figure_destroy(&figure);
    static const char wide[] = "H\0I\0E\0R\0A\0R\0C\0H\0Y";
    CHECK(tr_bvh_read(wide, sizeof wide - 1, NULL, &figure, &error) == TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "the text contains a zero byte");
    // Zeros and the end mark of DOS behind the text do no harm.
    char padded[sizeof bvh_sample + 4] = {0};
    memcpy(padded, bvh_sample, sizeof bvh_sample - 1);
    padded[sizeof bvh_sample - 1] = 0x1a;
    CHECK(tr_bvh_read(padded, sizeof padded, NULL, &figure, &error) == TR_OK);
    tr_figure_destroy(&figure);
}

static void try_text(const char *text, size_t size) {
    tr_figure figure = {0};
    tr_error error = {0};
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_status status = bvh_read_copy(&allocator, text, size, NULL, &figure, &error);
    if (status == TR_OK ? !figure.skeleton
                        : figure.skeleton || figure.clip_count || !error.message[0] || error.status != status)
        test_failed(__FILE__, __LINE__, "%s (%s)", tr_status_name(status), error.message);
    tr_figure_destroy(&figure);
    CHECK_INT(memory.live_bytes, 0);
    CHECK(memory.peak_bytes < 2000000);
}

TEST(files_cut_at_every_byte_are_read_or_refused) {
    for (size_t size = 0; size < sizeof bvh_sample; size++)
        try_text(bvh_sample, size);
}

TEST(files_with_bytes_changed_are_read_or_refused) {
    static const char bytes[] = {0, ' ', '\n', '{', '}', ':', '-', '9', ',', '.', 'e', 'n', (char)0xff};
    static char changed[sizeof bvh_sample];
    tr_random random = tr_random_seed(7);
    for (size_t at = 0; at + 1 < sizeof bvh_sample; at++) {
        memcpy(changed, bvh_sample, sizeof changed);
        for (size_t i = 0; i < sizeof bytes; i++) {
            changed[at] = bytes[i];
            try_text(changed, sizeof changed - 1);
        }
        changed[at] = (char)tr_random_bits(&random);
        try_text(changed, sizeof changed - 1);
    }
    for (int round = 0; round < 5000; round++) {
        memcpy(changed, bvh_sample, sizeof changed);
        size_t size = sizeof changed - 1;
        for (uint32_t edits = 1 + tr_random_below(&random, 6); edits > 0; edits--) {
            size_t from = tr_random_below(&random, (uint32_t)size),
                   to = tr_random_below(&random, (uint32_t)size);
            size_t most = size - (from > to ? from : to), count = tr_random_below(&random, 30);
            memmove(changed + to, changed + from, count < most ? count : most); // words in the wrong place
        }
        try_text(changed, size);
    }
}

TEST(absurd_numbers_of_frames_take_no_memory) {
    static const char *const counts[] = {"4000000000", "999999999999999", "1e14", "18446744073709551617"};
    for (int i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "Frames: %s", counts[i]);
        const char *text = bvh_with(bvh_sample, "Frames: 3", line);
        try_text(text, strlen(text));
    }
}

// Many joints, one channel: what is short as a text would be large as a clip.
TEST(many_joints_with_few_channels_meet_a_limit) {
    static char text[400000];
    size_t size = (size_t)snprintf(text, sizeof text, "HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    for (int i = 0; i < 4000; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "JOINT j{OFFSET 0 1 0}\n");
    size += (size_t)snprintf(text + size, sizeof text - size, "}\nMOTION Frames: 50000 Frame Time: 1\n");
    for (int i = 0; i < 50000; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "1\n");
    tr_figure figure = {0};
    tr_error error = {0};
    CHECK(bvh_read_copy(NULL, text, size, NULL, &figure, &error) == TR_LIMIT);
    CHECK_CONTAINS(error.message, "frames times joints of a file of this size are 200050000");
}

TEST(joints_within_joints_are_read_up_to_the_limit) {
    static char text[400000];
    for (int count = 4095; count <= 4097; count++) {
        size_t size =
            (size_t)snprintf(text, sizeof text, "HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
        for (int i = 1; i < count; i++)
            size += (size_t)snprintf(text + size, sizeof text - size, "JOINT a{OFFSET 0 0 0\n");
        for (int i = 0; i < count; i++)
            text[size++] = '}';
        size += (size_t)snprintf(text + size, sizeof text - size, " MOTION Frames: 1 Frame Time: 1\n45\n");
        tr_figure figure = {0};
        tr_error error = {0};
        tr_status status = bvh_read_copy(NULL, text, size, NULL, &figure, &error);
        CHECK_INT(status, count <= TR_SKELETON_JOINTS_MAX ? TR_OK : TR_LIMIT);
        if (status == TR_OK)
            CHECK_TEXT(tr_skeleton_joint(figure.skeleton, 4000).name, "a_4001");
        else
            CHECK_CONTAINS(error.message, "there are more than 4096 joints");
        tr_figure_destroy(&figure);
    }
}
