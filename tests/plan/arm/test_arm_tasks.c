// The arm of the reach data: its postures put the wrist where the file says, and are found again.
#include "arm_oracle.h"
#include "test.h"
#include "troupe/io/json.h"

typedef struct task_file {
    tr_bytes bytes;
    tr_json *json;
    uint32_t arm, tasks;
} task_file;

static bool open_tasks(task_file *file) {
    char path[512];
    *file = (task_file){.json = NULL};
    if (test_data_folder() == NULL)
        return false;
    snprintf(path, sizeof path, "%s/reach/tasks.json", test_data_folder());
    if (tr_file_read(NULL, path, &file->bytes, NULL) != TR_OK)
        return false;
    if (tr_json_read(NULL, file->bytes.data, file->bytes.size, &file->json, NULL) != TR_OK)
        return false;
    file->arm = tr_json_member(file->json, tr_json_root(file->json), "arm");
    file->tasks = tr_json_member(file->json, tr_json_root(file->json), "tasks");
    return true;
}

static void close_tasks(task_file *file) {
    tr_json_destroy(file->json);
    tr_bytes_free(NULL, &file->bytes);
}

static bool numbers(const task_file *file, uint32_t object, const char *key, double *values, uint32_t count) {
    return tr_json_get_numbers(file->json, object, key, TR_JSON_REQUIRED, values, count, NULL) == TR_OK;
}

static bool read_arm(const task_file *file, tr_arm *arm, double length[3], oracle_vector *shoulder) {
    double low[7], high[7], radii[3];
    const char *const names[3] = {"upper_arm", "forearm", "hand"};
    *arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    arm->base = tr_affine_identity();
    for (int k = 0; k < 3; k++) {
        if (tr_json_get_number(file->json, file->arm, names[k], TR_JSON_REQUIRED, 0, 1, &length[k], NULL))
            return false;
        arm->length[k] = (float)length[k];
    }
    if (!numbers(file, file->arm, "lower", low, 7) || !numbers(file, file->arm, "upper", high, 7) ||
        !numbers(file, file->arm, "radii", radii, 3) || !numbers(file, file->arm, "shoulder", shoulder->v, 3))
        return false;
    for (int k = 0; k < 7; k++) {
        arm->low.q[k] = (float)low[k];
        arm->high.q[k] = (float)high[k];
    }
    arm->shoulder = oracle_to_troupe(*shoulder);
    return tr_arm_check(arm, NULL) == TR_OK;
}

// The posture of the file puts the wrist there, and is among the ways to hold it there.
static void check_posture(const tr_arm *arm, const double length[3], oracle_vector shoulder,
                          const double q[7], const double wrist[3]) {
    oracle_vector at[4], told = {{wrist[0], wrist[1], wrist[2]}};
    oracle_matrix rotations[3];
    oracle_points(length, shoulder, q, at, rotations);
    CHECK(oracle_distance(oracle_to_troupe(at[2]), oracle_to_troupe(told)) < 1e-5);
    tr_posture posture = {{0}}, found;
    for (int k = 0; k < 7; k++)
        posture.q[k] = (float)q[k];
    tr_vec3 points[4];
    tr_arm_points(arm, &posture, points);
    for (int k = 0; k < 4; k++)
        CHECK(oracle_distance(points[k], oracle_to_troupe(at[k])) < 1e-6);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = points[2]};
    tr_arm_family family;
    const float help[3] = {0, 0, 0};
    REQUIRE(tr_arm_solve(arm, help, &goal, &family) == TR_OK);
    float swivel = tr_arm_swivel(arm, &posture);
    uint32_t branch = posture.q[TR_SHOULDER_ABDUCTION] > 1.5707963f;
    REQUIRE(tr_arm_family_at(arm, &family, &goal, swivel, branch, posture.q + TR_FOREARM_PRONATION, &found));
    for (int k = 0; k < 7; k++)
        CHECK_NEAR(found.q[k], posture.q[k], 2e-5);
    bool is_inside = false;
    for (uint32_t k = 0; k < family.range_count; k++)
        for (int turn = 0; turn < 2; turn++) {
            double lifted = swivel + turn * 6.283185307179586;
            is_inside |= family.ranges[k].branch == branch && lifted >= family.ranges[k].low - 1e-4 &&
                         lifted <= family.ranges[k].high + 1e-4;
        }
    CHECK(is_inside);
}

TEST(postures_of_the_reach_tasks_are_found_again) {
    task_file file;
    if (!open_tasks(&file)) {
        close_tasks(&file);
        test_skip("no shared data");
        return;
    }
    tr_arm arm;
    double length[3];
    oracle_vector shoulder;
    uint32_t count = 0;
    if (read_arm(&file, &arm, length, &shoulder))
        for (; count < tr_json_count(file.json, file.tasks); count++) {
            uint32_t task = tr_json_item(file.json, file.tasks, count);
            double start[7], goal[7], from[3], to[3];
            bool is_read = numbers(&file, task, "start_q", start, 7) &&
                           numbers(&file, task, "goal_q_example", goal, 7) &&
                           numbers(&file, task, "start_wrist", from, 3) &&
                           numbers(&file, task, "goal_wrist", to, 3);
            CHECK(is_read);
            if (!is_read)
                break;
            check_posture(&arm, length, shoulder, start, from);
            check_posture(&arm, length, shoulder, goal, to);
        }
    close_tasks(&file);
    CHECK(count >= 12);
}
