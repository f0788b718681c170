// Tasks that are drawn in the scenes to reach into: what they promise, and that the planner solves them with
// paths that the second check accepts.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "test.h"

// The tool is a program and no library: its files are compiled into this test.
#include "cli/reach/reach_draw.c"
#include "cli/reach/reach_job.c"
#include "cli/reach/reach_oracle.c"
#include "cli/reach/reach_recheck.c"
#include "cli/reach/reach_triangles.c"

void command_note(void *user, const char *sentence) {
    (void)user, (void)sentence;
}

static const char *const names[] = {"shelves", "box", "window", "ring", "under_table", "engine", "parts"};
#define NAMES (sizeof names / sizeof *names)

static void open_job(reach_job *job, const char *name, uint64_t seed, uint32_t count) {
    reach_draw_def def = {.sample = name, .scene_seed = seed, .seed = seed, .count = count};
    reach_request request = {.margin = NAN};
    *job = (reach_job){.scene = NULL};
    REQUIRE(reach_draw(&def, &job->scene, &job->file, NULL) == TR_OK);
    REQUIRE(reach_job_prepare(&request, job, NULL) == TR_OK);
    REQUIRE(reach_recheck_create(job->scene, &job->file, &job->recheck, NULL) == TR_OK);
}

TEST(starts_and_examples_are_free_and_examples_hold_the_hand_at_the_goal) {
    for (uint32_t k = 0; k < NAMES; k++) {
        reach_job job;
        open_job(&job, names[k], 40 + k, 12);
        CHECK_INT(job.file.task_count, 12);
        for (uint32_t i = 0; i < job.file.task_count; i++) {
            const tr_reach_task *task = &job.file.tasks[i];
            tr_arm_place place = tr_arm_put(&job.file.arm, &task->example);
            reach_fault fault;
            CHECK(reach_recheck_posture(job.recheck, &task->start, &fault) > 0.001);
            CHECK(reach_recheck_posture(job.recheck, &task->example, &fault) > 0.001);
            CHECK(tr_vec3_length(tr_vec3_subtract(place.wrist, task->position.wrist)) < 1e-4f);
            CHECK(tr_arm_allows(&job.file.arm, &task->start, 0));
        }
        reach_job_close(&job);
    }
}

// Which of them can be solved is known to the oracle; the planner must solve at least those. Every path is
// checked by plain code.
TEST(what_an_oracle_solves_the_planner_solves_and_every_path_is_free) {
    reach_oracle *oracle;
    uint32_t solved = 0;
    REQUIRE(reach_oracle_create(20000, &oracle, NULL) == TR_OK);
    for (uint32_t k = 0; k < NAMES; k++) {
        reach_job job;
        open_job(&job, names[k], 60 + k, 12);
        for (uint32_t i = 0; i < job.file.task_count; i++) {
            const tr_reach_task *task = &job.file.tasks[i];
            bool pose = i & 1, can = reach_oracle_solves(oracle, job.reach, task, pose, i, 500, NULL);
            reach_run run = {0};
            if (!can)
                continue;
            REQUIRE(reach_job_examine(&job, task, pose, i + 1, &run, NULL) == TR_OK);
            CHECK_INT(run.status, TR_OK);
            if (run.status == TR_OK)
                CHECK_INT(run.finding.fault, REACH_FAULT_NONE);
            solved++;
        }
        CHECK_INT(job.allocations, 0);
        reach_job_close(&job);
    }
    CHECK(solved >= 50); // of 84
    reach_oracle_destroy(oracle);
}

TEST(only_scenes_to_reach_into_have_tasks) {
    tr_scene *scene;
    tr_reach_file file;
    tr_error error;
    CHECK_INT(reach_draw(&(reach_draw_def){.sample = "maze", .count = 1}, &scene, &file, &error), TR_INVALID);
    CHECK_TEXT(error.message, "the sample \"maze\" is not a scene to reach into");
    CHECK_INT(reach_draw(&(reach_draw_def){.sample = "mase", .count = 1}, &scene, &file, &error),
              TR_NOT_FOUND);
}
