// FCL's word on our arms: on random postures it agrees with both of our own checks, and every path that we
// plan for other people's tasks is free for it at steps of 0.02 rad.
#include "cli/bench/bench_ompl.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/file.h"

// The tool is a program and no library: its files are compiled into this test.
#include "cli/reach/reach_recheck.c"
#include "cli/reach/reach_triangles.c"

#define SEEDS 3
#define POSTURES 3000
#define NEAR 1e-5 // so near to touching that roundings may decide [m]

typedef struct desk {
    tr_reach_file file;
    tr_scene *scene;
    tr_solid *solid;
    tr_reach *reach;
    reach_recheck *recheck;
    bench_ompl *ompl;
} desk;

static bool desk_read(desk *made, const char *folder) {
    char path[1024];
    tr_bytes text;
    snprintf(path, sizeof path, "%s/reach/tasks.json", folder);
    if (tr_file_read(NULL, path, &text, NULL) != TR_OK)
        return false;
    tr_status status = tr_reach_file_read(text.data, text.size, path, NULL, &made->file, NULL);
    tr_bytes_free(NULL, &text);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.up = made->file.up;
    snprintf(path, sizeof path, "%s/reach/desk_scene.obj", folder);
    return status == TR_OK && tr_scene_create(NULL, &made->scene) == TR_OK &&
           tr_scene_file_read(path, &options, made->scene, NULL) == TR_OK;
}

static bool desk_prepare(desk *made) {
    tr_error error = {0};
    tr_solid_def solid = tr_solid_def_default(made->scene);
    if (tr_solid_create(&solid, &made->solid, &error) != TR_OK)
        return false;
    tr_reach_def def = tr_reach_def_default(made->solid, &made->file.arm);
    def.bodies = made->file.bodies;
    def.body_count = made->file.body_count;
    def.self = made->file.self;
    bool fine = tr_reach_create(&def, &made->reach, &error) == TR_OK &&
                reach_recheck_create(made->scene, &made->file, &made->recheck, &error) == TR_OK;
    if (!fine)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return fine;
}

static void desk_destroy(desk *made) {
    bench_ompl_destroy(made->ompl);
    reach_recheck_destroy(made->recheck);
    tr_reach_destroy(made->reach);
    tr_solid_destroy(made->solid);
    tr_scene_destroy(made->scene);
    tr_reach_file_destroy(&made->file);
}

// false: this test is skipped, or failed already.
static bool desk_make(desk *made) {
    *made = (desk){0};
    const char *folder = test_data_folder();
    if (!folder || !desk_read(made, folder)) {
        test_skip("no reach tasks in the data folder");
        desk_destroy(made);
        return false;
    }
    const char *refusal = bench_ompl_create(made->scene, &made->file, &made->ompl);
    if (refusal)
        test_skip(refusal);
    if (refusal || !desk_prepare(made)) {
        desk_destroy(made);
        return false;
    }
    return true;
}

TEST(three_checks_of_a_posture_agree) {
    desk made;
    if (!desk_make(&made))
        return;
    tr_random random = tr_random_seed(17);
    uint32_t touching = 0, near = 0;
    for (int round = 0; round < POSTURES; round++) {
        tr_posture posture = {{0}};
        for (int i = 0; i < TR_ARM_JOINTS; i++)
            posture.q[i] = tr_random_between(&random, made.file.arm.low.q[i], made.file.arm.high.q[i]);
        reach_fault fault;
        double plain = reach_recheck_posture(made.recheck, &posture, &fault);
        double ours = tr_reach_clearance(made.reach, &posture, 1e-3f);
        bool theirs = bench_ompl_touches(made.ompl, &posture);
        touching += theirs;
        if (fabs(plain) < NEAR) {
            near++;
            continue;
        }
        if (theirs != (plain < 0) || theirs != (ours < 0))
            test_failed(__FILE__, __LINE__, "posture %d: FCL says %s, plain code %g m, the planner %g m",
                        round, theirs ? "touches" : "free", plain, ours);
        // Lower bounds, or exact where something is nearer than was asked for.
        if (plain >= 0 && !(ours <= plain + 1e-5))
            test_failed(__FILE__, __LINE__, "posture %d: %g m clear, the planner says %g", round, plain,
                        ours);
    }
    CHECK(touching > POSTURES / 10 && touching < POSTURES * 9 / 10);
    CHECK(near < POSTURES / 100);
    desk_destroy(&made);
}

// Walk along a path and ask FCL at each step.
static void check_path(desk *made, const tr_reach_task *task, const tr_arm_path *path, const char *what) {
    tr_posture before = tr_arm_path_at(path, 0, NULL);
    for (uint32_t i = 0; i < (path->count - 1) * 256; i++) {
        tr_posture posture = tr_arm_path_at(path, (i + 1) / 256.0, NULL);
        bool is_last = i + 1 == (path->count - 1) * 256;
        if (largest_change(&before, &posture) < 0.5 * REACH_RECHECK_STEP && !is_last)
            continue;
        if (largest_change(&before, &posture) > REACH_RECHECK_STEP)
            test_failed(__FILE__, __LINE__, "the test's own steps are too long");
        before = posture;
        if (!bench_ompl_touches(made->ompl, &posture))
            continue;
        reach_fault fault;
        double plain = reach_recheck_posture(made->recheck, &posture, &fault);
        if (plain < -1e-6)
            test_failed(__FILE__, __LINE__, "task %lld, %s: FCL says it touches at %g; plain code %g m (%s)",
                        (long long)task->id, what, (i + 1) / 256.0, plain, reach_fault_name(fault));
        return;
    }
    vector points[4], hand, goal = from_world(&made->file.arm, task->position.wrist, false);
    put_arm(&made->file.arm, &before, points, &hand);
    vector off = subtract(points[2], goal);
    CHECK_NEAR(sqrt(dot(off, off)), 0, 1e-3);
}

TEST(every_path_that_we_plan_is_free_for_fcl) {
    desk made;
    if (!desk_make(&made))
        return;
    for (uint32_t i = 0; i < made.file.task_count; i++)
        for (uint64_t run = 0; run < 2 * SEEDS; run++) {
            const tr_reach_task *task = &made.file.tasks[i];
            bool pose = run >= SEEDS;
            tr_reach_params params = tr_reach_params_default();
            tr_error error = {0};
            params.seed = run % SEEDS + 1;
            tr_status status = tr_reach_plan(made.reach, &task->start, pose ? &task->pose : &task->position,
                                             &params, &error);
            if (status != TR_OK) {
                test_failed(__FILE__, __LINE__, "task %lld: %s", (long long)task->id, error.message);
                continue;
            }
            tr_arm_path path = tr_reach_last(made.reach)->path;
            CHECK(largest_change(&path.knots[0], &task->start) < 1e-6);
            check_path(&made, task, &path, pose ? "pose" : "position");
        }
    desk_destroy(&made);
}

TEST(a_straight_line_through_the_desk_is_not_free_for_anybody) {
    desk made;
    if (!desk_make(&made))
        return;
    uint32_t blocked = 0;
    for (uint32_t i = 0; i < made.file.task_count; i++) {
        const tr_reach_task *task = &made.file.tasks[i];
        tr_posture ends[2] = {task->start, task->example};
        reach_finding finding;
        bool plain = reach_recheck_path(made.recheck, &task->start, &task->position, ends, 2, &finding);
        bool theirs = true;
        uint32_t steps = (uint32_t)ceil(largest_change(&ends[0], &ends[1]) / REACH_RECHECK_STEP);
        for (uint32_t s = 0; s <= steps; s++) {
            tr_posture between = {{0}};
            for (int k = 0; k < TR_ARM_JOINTS; k++)
                between.q[k] = (float)(ends[0].q[k] + ((double)ends[1].q[k] - ends[0].q[k]) * s / steps);
            theirs = theirs && !bench_ompl_touches(made.ompl, &between);
        }
        CHECK_INT(plain, theirs);
        blocked += !plain;
    }
    CHECK(blocked >= 5);
    desk_destroy(&made);
}
