// Task files: other people's and ours, both ways up; what is wrong named with its line and path; damage of
// any kind refused.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/io/file.h"
#include "troupe/io/reach_file.h"

#include <stdlib.h>
#include <string.h>

static const char full[] =
    "{\n"                                                                               // 1
    " \"frame\": \"Z up, X forward (away from the sitter), Y left\",\n"                 // 2
    " \"units\": \"m, rad\", \"mesh\": \"desk.obj\", \"self\": true,\n"                 // 3
    " \"arm\": {\"upper_arm\": 0.3, \"forearm\": 0.27, \"hand\": 0.18,\n"               // 4
    "  \"radii\": [0.05, 0.04, 0.045], \"shoulder\": [0.01, -0.19, 1.06],\n"            // 5
    "  \"lower\": [-0.8, -0.7, -1.2, 0, -1.4, -1.2, -0.3],\n"                           // 6
    "  \"upper\": [2.9, 1.7, 1.5, 2.5, 1.4, 1.3, 0.6]},\n"                              // 7
    " \"body_capsules\": [\n"                                                           // 8
    "  {\"a\": [-0.02, 0, 0.62], \"b\": [-0.02, 0.03, 0.98], \"r\": 0.13},\n"           // 9
    "  {\"a\": [0, 0, 0], \"b\": [1, 2, 3], \"r\": 0.1, \"links\": [0, 2]}],\n"         // 10
    " \"goal_hand_tol_deg\": 25,\n"                                                     // 11
    " \"tasks\": [\n"                                                                   // 12
    "  {\"id\": 7, \"name\": \"over the keyboard\", \"goal_wrist\": [0.3, -0.15, 1],\n" // 13
    "   \"start_q\": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.05],\n"                           // 14
    "   \"goal_hand_dir\": [3, 0, 4],\n"                                                // 15
    "   \"best_known_pose\": {\"best_len_rad\": 1.5, \"best_wrist_m\": 0.25}},\n"       // 16
    "  {\"goal_wrist\": [0.2, 0.1, 0.9]}]\n"                                            // 17
    "}\n";

static tr_status read_text(const char *text, const tr_allocator *allocator, tr_reach_file *file,
                           tr_error *error) {
    tr_reach_file_options options = {.allocator = allocator};
    return tr_reach_file_read(text, strlen(text), "folder/tasks.json", &options, file, error);
}

static void check_vector(const char *what, tr_vec3 actual, double x, double y, double z) {
    double off = fmax(fabs(actual.x - x), fmax(fabs(actual.y - y), fabs(actual.z - z)));
    if (!(off <= 1e-6))
        test_failed(__FILE__, __LINE__, "%s is [%g, %g, %g], expected [%g, %g, %g]", what, (double)actual.x,
                    (double)actual.y, (double)actual.z, x, y, z);
}

TEST(a_file_with_z_up_becomes_an_arm_a_body_and_tasks) {
    tr_reach_file file;
    tr_error error = {0};
    REQUIRE(read_text(full, NULL, &file, &error) == TR_OK);
    CHECK_INT(file.up, TR_UP_Z);
    CHECK_TEXT(file.scene, "desk.obj");
    CHECK(file.self && !file.help);
    CHECK_INT(file.arm.side, TR_ARM_RIGHT);
    CHECK_NEAR(file.arm.length[0], 0.3, 1e-7);
    CHECK_NEAR(file.arm.length[2], 0.18, 1e-7);
    CHECK_NEAR(file.arm.radius[2], 0.045, 1e-7);
    CHECK_NEAR(file.arm.low.q[TR_FOREARM_PRONATION], -1.4, 1e-7);
    CHECK_NEAR(file.arm.high.q[TR_WRIST_DEVIATION], 0.6, 1e-7);
    CHECK(file.arm.low.q[TR_WAIST_LEAN] == 0 && file.arm.high.q[TR_WAIST_LEAN] == 0);
    check_vector("the shoulder", file.arm.shoulder, -0.19, 1.06, 0.01);
    REQUIRE(file.body_count == 2);
    check_vector("b of the first capsule", file.bodies[0].b, 0.03, 0.98, -0.02);
    CHECK_INT(file.bodies[0].links, 6);
    CHECK_INT(file.bodies[1].links, 5);
    REQUIRE(file.task_count == 2);
    const tr_reach_task *task = &file.tasks[0];
    CHECK_INT(task->id, 7);
    CHECK_INT(task->line, 13);
    CHECK_TEXT(task->name, "over the keyboard");
    CHECK_NEAR(task->start.q[6], 0.05, 1e-7);
    CHECK(task->start.q[TR_WAIST_TURN] == 0);
    check_vector("the goal", task->position.wrist, 0.3, 1, 0.15);
    check_vector("the goal in the file", tr_reach_file_point(&file, task->position.wrist), 0.3, -0.15, 1);
    CHECK(task->has_pose && !task->has_example);
    CHECK_INT(task->pose.kind, TR_ARM_GOAL_DIRECTION);
    check_vector("the direction", task->pose.direction, 0.6, 0.8, 0);
    CHECK_NEAR(task->pose.tolerance, 25 * TR_PI / 180, 1e-6);
    CHECK(isnan(task->best_wrist[0]));
    CHECK_NEAR(task->best_wrist[1], 0.25, 1e-9);
    CHECK_NEAR(task->best_length[1], 1.5, 1e-9);
    CHECK_INT(file.tasks[1].id, 2);
    CHECK(!file.tasks[1].has_pose);
    CHECK_INT(file.tasks[1].pose.kind, TR_ARM_GOAL_POSITION);
    tr_reach_file_destroy(&file);
    CHECK(!file.tasks && file.task_count == 0);
}

TEST(the_arm_of_a_file_with_z_up_hangs_at_its_shoulder_and_reaches_along_x) {
    tr_reach_file file;
    REQUIRE(read_text(full, NULL, &file, NULL) == TR_OK);
    tr_vec3 points[4];
    tr_posture posture = {{0}};
    tr_arm_points(&file.arm, &posture, points);
    check_vector("the shoulder", tr_reach_file_point(&file, points[0]), 0.01, -0.19, 1.06);
    check_vector("the tip of a hanging arm", tr_reach_file_point(&file, points[3]), 0.01, -0.19, 1.06 - 0.75);
    posture.q[TR_SHOULDER_FLEXION] = (float)(TR_PI / 2);
    tr_arm_points(&file.arm, &posture, points);
    check_vector("the tip ahead", tr_reach_file_point(&file, points[3]), 0.76, -0.19, 1.06);
    posture.q[TR_SHOULDER_FLEXION] = 0;
    posture.q[TR_SHOULDER_ABDUCTION] = (float)(TR_PI / 2);
    tr_arm_points(&file.arm, &posture, points);
    check_vector("the tip aside", tr_reach_file_point(&file, points[3]), 0.01, -0.94, 1.06);
    tr_reach_file_destroy(&file);
}

// The words of the file, turned into code by hand: R=Ry(-q0)Rx(-q1)Rz(q2) and so on.
static void turn(int axis, double angle, double v[3]) {
    double c = cos(angle), s = sin(angle), a = v[(axis + 1) % 3], b = v[(axis + 2) % 3];
    v[(axis + 1) % 3] = c * a - s * b;
    v[(axis + 2) % 3] = s * a + c * b;
}

static void apply_formula(const double *q, int link, double v[3]) {
    if (link == 2) {
        turn(0, q[6], v);
        turn(1, q[5], v);
        turn(2, q[4], v);
    }
    if (link >= 1)
        turn(1, -q[3], v);
    turn(2, q[2], v);
    turn(0, -q[1], v);
    turn(1, -q[0], v);
}

TEST(points_of_the_arm_are_those_of_the_formula_of_the_file) {
    tr_reach_file file;
    REQUIRE(read_text(full, NULL, &file, NULL) == TR_OK);
    tr_random random = tr_random_seed(5);
    const double lengths[3] = {0.3, 0.27, 0.18};
    for (int round = 0; round < 2000; round++) {
        double q[7], at[3] = {0.01, -0.19, 1.06};
        tr_posture posture = {{0}};
        tr_vec3 points[4];
        for (int i = 0; i < 7; i++)
            q[i] = posture.q[i] = tr_random_between(&random, file.arm.low.q[i], file.arm.high.q[i]);
        tr_arm_points(&file.arm, &posture, points);
        for (int link = 0; link < 3; link++) {
            double down[3] = {0, 0, -lengths[link]};
            apply_formula(q, link, down);
            for (int i = 0; i < 3; i++)
                at[i] += down[i];
            check_vector("a point", tr_reach_file_point(&file, points[link + 1]), at[0], at[1], at[2]);
        }
    }
    tr_reach_file_destroy(&file);
}

TEST(a_short_file_of_our_own_has_the_default_arm) {
    static const char text[] = "{\"arm\": {\"side\": \"left\", \"height\": 1.8, \"position\": [1, 0, 2],"
                               " \"heading_degrees\": 90}, \"help\": true, \"scene\": \"room.glb\","
                               " \"tasks\": [{\"goal_wrist\": [1.4, 1.2, 2]}]}";
    tr_reach_file file;
    tr_error error = {0};
    REQUIRE(read_text(text, NULL, &file, &error) == TR_OK);
    CHECK_INT(file.up, TR_UP_Y);
    CHECK_TEXT(file.scene, "room.glb");
    CHECK_INT(file.arm.side, TR_ARM_LEFT);
    tr_arm usual = tr_arm_default(TR_ARM_LEFT, 1.8f);
    CHECK(memcmp(usual.length, file.arm.length, sizeof usual.length) == 0);
    tr_vec3 ours = tr_affine_apply(&usual.base, usual.shoulder);
    check_vector("the shoulder", file.arm.shoulder, ours.x, ours.y, ours.z);
    CHECK(ours.y > 1.2f && ours.y < 1.7f && ours.x > 0.1f);
    CHECK(file.help && file.arm.high.q[TR_WAIST_LEAN] > 0.5f);
    check_vector("the goal", file.tasks[0].position.wrist, 1.4, 1.2, 2);
    // Ahead of the body is +X now.
    tr_vec3 ahead = tr_affine_apply(&file.arm.base, tr_vec3_make(0, 0, 1));
    check_vector("a metre ahead", ahead, 2, 0, 2);
    CHECK(tr_arm_allows(&file.arm, &file.tasks[0].start, 0));
    tr_reach_file_destroy(&file);
}

TEST(what_the_caller_says_of_up_goes_before_the_file) {
    static const char text[] = "{\"up\": \"z\", \"arm\": {}, \"tasks\": [{\"goal_wrist\": [1, 2, 3]}]}";
    tr_reach_file file;
    tr_reach_file_options options = {.up = TR_UP_Y};
    REQUIRE(tr_reach_file_read(text, sizeof text - 1, NULL, &options, &file, NULL) == TR_OK);
    check_vector("the goal", file.tasks[0].position.wrist, 1, 2, 3);
    tr_reach_file_destroy(&file);
    REQUIRE(read_text(text, NULL, &file, NULL) == TR_OK);
    check_vector("the goal", file.tasks[0].position.wrist, 1, 3, -2);
    tr_reach_file_destroy(&file);
    options.up = (tr_up_axis)7;
    tr_error error;
    CHECK_INT(tr_reach_file_read(text, sizeof text - 1, NULL, &options, &file, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "up is 7");
}

typedef struct notes {
    char text[400];
    int count;
} notes;

static void take_note(void *user, const char *sentence) {
    notes *all = user;
    snprintf(all->text, sizeof all->text, "%s", sentence);
    all->count++;
}

TEST(a_key_that_nobody_knows_is_told) {
    static const char text[] =
        "{\"arm\": {}, \"tasks\": [{\"goal_wrist\": [1, 2, 3], \"goal_hand_dri\": [1, 0, 0]}]}";
    notes all = {.count = 0};
    tr_reach_file file;
    tr_reach_file_options options = {.note = take_note, .note_user = &all};
    REQUIRE(tr_reach_file_read(text, sizeof text - 1, NULL, &options, &file, NULL) == TR_OK);
    tr_reach_file_destroy(&file);
    CHECK_INT(all.count, 1);
    CHECK_TEXT(all.text, "tasks[0].goal_hand_dri is not a known key and is ignored");
}

typedef struct refusal {
    const char *from, *to;
    uint32_t line;
    const char *sentence;
} refusal;

static const char *with(const char *from, const char *to) {
    static char text[4096];
    const char *at = strstr(full, from);
    if (!at)
        return "(the text to be replaced is not there)";
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - full), full, to, at + strlen(from));
    return text;
}

static void check_refusals(const refusal *refusals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        tr_error error = {0};
        tr_reach_file file;
        tr_status status = read_text(with(refusals[i].from, refusals[i].to), NULL, &file, &error);
        if (status != TR_BAD_FILE)
            test_failed(__FILE__, __LINE__, "%s: %s", refusals[i].to, tr_status_name(status));
        CHECK_CONTAINS(error.message, refusals[i].sentence);
        CHECK_INT(error.line, refusals[i].line);
        CHECK_TEXT(error.file, "folder/tasks.json");
        CHECK(!file.tasks);
        tr_reach_file_destroy(&file);
    }
}
#define CHECK_REFUSALS(refusals) check_refusals(refusals, sizeof(refusals) / sizeof(refusals)[0])

TEST(axes_and_formulas_that_are_not_ours_are_refused) {
    static const refusal refusals[] = {
        {"Z up, X", "X up, Z", 2, "the axis that is up must be Y or Z"},
        {"X forward", "Y forward", 2, "with Z up the body must look along X and have Y on its left"},
        {"Z up, X forward", "Y-up, X forward", 2,
         "with Y up the body must look along Z and have X on its left"},
        {"\"self\": true", "\"up\": \"x\"", 3, "up is \"x\", it must be y or z"},
        {"\"m, rad\"", "\"cm\"", 3, "units is \"cm\", it must be \"m, rad\""},
        {"\"hand\": 0.18,", "\"hand\": 0.18, \"fk\": \"R=Rx(q0)\",", 4, "arm.fk is a different arm"},
        {"\"hand\": 0.18,", "\"hand\": 0.18, \"joints\": [\"a\"],", 4, "arm.joints has 1 items"},
        {"\"hand\": 0.18,", "\"hand\": 0.1, \"joints\": [\"shoulder_flexion\",1,1,1,1,1,1],", 4,
         "arm.joints[1] is \"\", it must be \"shoulder_abduction\""},
        {"\"hand\": 0.18,", "\"hand\": 0.18, \"side\": \"both\",", 4, "arm.side is \"both\""},
    };
    CHECK_REFUSALS(refusals);
}

TEST(values_out_of_range_are_named_with_the_limit) {
    static const refusal refusals[] = {
        {"\"upper_arm\": 0.3", "\"upper_arm\": 0", 4, "arm.upper_arm is 0, it must be"},
        {"\"forearm\": 0.27", "\"forearm\": -1", 4, "arm.forearm is -1, it must be"},
        {"\"hand\": 0.18", "\"hand\": \"long\"", 4, "arm.hand is a string, it must be a number"},
        {"[0.05, 0.04, 0.045]", "[0.05, 0, 0.045]", 5, "arm.radii[1] is 0 m, it must be"},
        {"[0.05, 0.04, 0.045]", "[0.05]", 5, "arm.radii has 1 items, it must have 3"},
        {"[0.01, -0.19, 1.06]", "[0.01, -0.19, 1e9]", 5, "arm.shoulder[2] is 1e+09, it must be within"},
        {"[-0.8, ", "[-4, ", 6, "arm.lower[0] (shoulder_flexion) is -4 rad, it must be -pi to pi"},
        {"2.5, 1.4, 1.3", "-2.5, 1.4, 1.3", 7,
         "arm.upper[3] (elbow_flexion): the upper limit -2.5 is below the lower limit 0"},
        {"\"r\": 0.13", "\"r\": 0", 9, "body_capsules[0].r is 0, it must be"},
        {"\"b\": [-0.02, 0.03, 0.98], ", "", 9, "body_capsules[0] has no \"b\""},
        {"\"links\": [0, 2]", "\"links\": [0, 3]", 10, "body_capsules[1].links[1] must be 0 (upper arm)"},
        {"\"links\": [0, 2]", "\"links\": [\"hand\"]", 10, "body_capsules[1].links[0] must be"},
        {"\"goal_hand_tol_deg\": 25", "\"goal_hand_tol_deg\": 190", 11, "goal_hand_tol_deg is 190"},
        {"\"goal_wrist\": [0.3, -0.15, 1],", "", 13, "tasks[0] has no \"goal_wrist\""},
        {"[0.3, -0.15, 1]", "[0.3, -0.15, null]", 13, "tasks[0].goal_wrist[2] is null"},
        {"\"id\": 7", "\"id\": -7", 13, "tasks[0].id is -7"},
        {"0.4, 0.5, 0.6", "0.4, 50, 0.6", 14, "tasks[0].start_q[4] is 50 rad"},
        {"0.4, 0.5, 0.6", "0.4, 0.6", 14, "tasks[0].start_q has 6 items, it must have 7"},
        {"[3, 0, 4]", "[0, 0, 0]", 15, "tasks[0].goal_hand_dir is [0, 0, 0], it must be a direction"},
        {"\"best_wrist_m\": 0.25", "\"best_wrist_m\": -1", 16, "tasks[0].best_known_pose.best_wrist_m is -1"},
        {"{\"goal_wrist\": [0.2", "{\"id\": 7, \"goal_wrist\": [0.2", 17,
         "tasks[1] has the id 7 of the task on line 13"},
        {"{\"goal_wrist\": [0.2, 0.1, 0.9]}", "7", 17, "tasks[1] must be an object"},
    };
    CHECK_REFUSALS(refusals);
}

TEST(a_document_without_arm_or_tasks_is_refused) {
    static const char *const texts[] = {"[]", "{}", "{\"arm\": {}}", "{\"arm\": 1, \"tasks\": []}", ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tr_reach_file file;
        tr_error error = {0};
        CHECK_INT(read_text(texts[i], NULL, &file, &error), TR_BAD_FILE);
        CHECK(error.message[0] != 0);
    }
    CHECK_INT(tr_reach_file_read("{}", 2, NULL, NULL, NULL, NULL), TR_INVALID);
}

TEST(too_many_tasks_or_capsules_are_refused_with_both_numbers) {
    static char text[200000];
    char *at = text + sprintf(text, "{\"arm\": {}, \"tasks\": [");
    for (int i = 0; i <= TR_REACH_FILE_TASKS_MAX; i++)
        at += sprintf(at, "%s{\"goal_wrist\":[1,1,1]}", i ? "," : "");
    strcpy(at, "]}");
    tr_reach_file file;
    tr_error error = {0};
    CHECK_INT(read_text(text, NULL, &file, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "tasks has 4097 tasks, the maximum is 4096");
    at = text + sprintf(text, "{\"arm\": {}, \"tasks\": [], \"body_capsules\": [");
    for (int i = 0; i <= TR_REACH_BODIES_MAX; i++)
        at += sprintf(at, "%s{\"a\":[1,1,1],\"b\":[1,1,2],\"r\":1}", i ? "," : "");
    strcpy(at, "]}");
    CHECK_INT(read_text(text, NULL, &file, &error), TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "body_capsules has 17 capsules, the maximum is 16");
}

TEST(a_long_name_is_cut_between_characters) {
    char text[400] = "{\"arm\": {}, \"tasks\": [{\"goal_wrist\": [1, 1, 1], \"name\": \"";
    for (int i = 0; i < 60; i++)
        strcat(text, "\xc3\xa9"); // two bytes each
    strcat(text, "\"}]}");
    tr_reach_file file;
    REQUIRE(read_text(text, NULL, &file, NULL) == TR_OK);
    CHECK_INT(strlen(file.tasks[0].name), 78);
    tr_reach_file_destroy(&file);
}

TEST(damage_of_any_kind_is_refused_or_read_and_leaves_nothing) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_random random = tr_random_seed(11);
    static const char bytes[] = {0, '"', '-', '9', '{', ']', ',', ' ', 'e', '\\', (char)0xff};
    for (int round = 0; round < 6000; round++) {
        size_t size = sizeof full - 1;
        char *text = malloc(size);
        REQUIRE(text);
        memcpy(text, full, size);
        uint32_t changes = 1 + tr_random_below(&random, 3);
        for (uint32_t i = 0; i < changes; i++) {
            uint32_t at = tr_random_below(&random, (uint32_t)size);
            text[at] = bytes[tr_random_below(&random, sizeof bytes)];
        }
        if (round % 4 == 0)
            size = tr_random_below(&random, (uint32_t)size);
        tr_reach_file file;
        tr_error error = {0};
        tr_reach_file_options options = {.allocator = &allocator};
        tr_status status = tr_reach_file_read(text, size, "x", &options, &file, &error);
        if (status != TR_OK && (!error.message[0] || error.status != status || file.tasks))
            test_failed(__FILE__, __LINE__, "%s left something or said nothing", tr_status_name(status));
        tr_reach_file_destroy(&file);
        free(text);
    }
    CHECK_INT(memory.live_bytes, 0);
}

static bool read_with(const tr_allocator *allocator) {
    tr_reach_file file;
    tr_error error = {0};
    tr_status status = read_text(full, allocator, &file, &error);
    if (status != TR_OK && (status != TR_OUT_OF_MEMORY || file.tasks))
        test_failed(__FILE__, __LINE__, "%s: %s", tr_status_name(status), error.message);
    tr_reach_file_destroy(&file);
    return status == TR_OK;
}

TEST(reading_survives_every_allocation_failure) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_with) > 2);
}

TEST(the_tasks_of_others_are_read_whole) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("no data folder");
        return;
    }
    char path[1024];
    tr_bytes text;
    tr_reach_file file;
    tr_error error = {0};
    notes all = {.count = 0};
    tr_reach_file_options options = {.note = take_note, .note_user = &all};
    snprintf(path, sizeof path, "%s/reach/tasks.json", folder);
    if (tr_file_read(NULL, path, &text, NULL) != TR_OK) {
        test_skip("no reach/tasks.json");
        return;
    }
    REQUIRE(tr_reach_file_read(text.data, text.size, path, &options, &file, &error) == TR_OK);
    tr_bytes_free(NULL, &text);
    CHECK_INT(all.count, 0);
    CHECK_INT(file.up, TR_UP_Z);
    CHECK_INT(file.task_count, 12);
    CHECK_INT(file.body_count, 4);
    CHECK_TEXT(file.scene, "desk_scene.obj");
    for (uint32_t i = 0; i < file.task_count; i++) {
        const tr_reach_task *task = &file.tasks[i];
        tr_vec3 points[4];
        CHECK(task->has_pose && task->has_example && task->best_wrist[0] > 0.1 && task->best_wrist[1] > 0.1);
        CHECK(tr_arm_allows(&file.arm, &task->start, 1e-6f));
        // The example holds the wrist at the goal, and points the hand as the pose asks.
        tr_arm_points(&file.arm, &task->example, points);
        CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(points[2], task->position.wrist)), 0, 1e-5);
    }
    tr_reach_file_destroy(&file);
}
