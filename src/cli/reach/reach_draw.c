#include "reach_draw.h"
#include "reach_job.h"
#include "troupe/base/random.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <string.h>

#define PLACES 10000 // of the wrist
#define TRIES 2000   // postures at one place
#define ROOM 0.004f  // that starts and goals have [m]
#define TOLERANCE_DEGREES 25

float reach_draw_height(uint64_t scene_seed) {
    tr_random random = tr_random_seed(scene_seed ^ 0x7461u);
    return tr_random_between(&random, 1.55f, 1.9f);
}

typedef struct draw_job {
    tr_random random;
    tr_reach *reach;
    tr_arm arm;
    tr_box hand;
} draw_job;

bool reach_draw_goal(const tr_arm *arm, const tr_arm_goal *goal, tr_random *random, tr_posture *posture) {
    static const float help[TR_ARM_HELP] = {0};
    float hand[3], aside[3];
    tr_arm_family family;
    tr_arm_goal aimed = *goal;
    for (int i = 0; i < 3; i++)
        hand[i] = tr_random_between(random, arm->low.q[TR_FOREARM_PRONATION + i],
                                    arm->high.q[TR_FOREARM_PRONATION + i]);
    for (int i = 0; i < 3; i++)
        aside[i] = tr_random_between(random, -1, 1);
    if (tr_arm_solve(arm, help, goal, &family) != TR_OK)
        return false;
    const tr_arm_range *range = &family.ranges[tr_random_below(random, family.range_count)];
    float swivel = tr_random_between(random, range->low, range->high);
    if (goal->kind == TR_ARM_GOAL_DIRECTION) {
        tr_vec3 ahead = tr_vec3_scale(goal->direction, 1 / tr_vec3_length(goal->direction));
        float share = 0.98f * goal->tolerance / 1.7321f; // of the diagonal of a cube
        aimed.direction =
            tr_vec3_add(ahead, tr_vec3_make(share * aside[0], share * aside[1], share * aside[2]));
    }
    return tr_arm_family_at(arm, &family, &aimed, swivel, range->branch, hand, posture);
}

static bool is_roomy(draw_job *job, const tr_posture *posture) {
    return tr_reach_clearance(job->reach, posture, ROOM) >= ROOM;
}

// A free posture with the wrist anywhere in the box where the scene wants it.
static bool draw_inside(draw_job *job, tr_posture *posture) {
    for (uint32_t i = 0; i < PLACES; i++) {
        float x = tr_random_between(&job->random, job->hand.min.x, job->hand.max.x),
              y = tr_random_between(&job->random, job->hand.min.y, job->hand.max.y),
              z = tr_random_between(&job->random, job->hand.min.z, job->hand.max.z);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = {x, y, z}};
        for (uint32_t k = 0; k < TRIES; k++)
            if (!reach_draw_goal(&job->arm, &goal, &job->random, posture))
                k += TRIES / 8; // beyond the limits of the arm, as a rule
            else if (is_roomy(job, posture))
                return true;
    }
    return false;
}

// A free posture beside the body: the upper arm hangs, the elbow is bent as it may be.
static bool draw_beside(draw_job *job, tr_posture *posture) {
    for (uint32_t i = 0; i < PLACES; i++) {
        float q[4];
        for (int k = 0; k < 4; k++)
            q[k] = tr_random_unit(&job->random);
        *posture = (tr_posture){{q[0] * 0.8f - 0.5f, q[1] * 0.5f, q[2] * 0.6f - 0.1f, q[3] * 2.2f}};
        *posture = tr_arm_clamp(&job->arm, *posture);
        if (is_roomy(job, posture))
            return true;
    }
    return false;
}

static tr_status draw_task(draw_job *job, uint32_t number, tr_reach_task *task, tr_error *error) {
    bool beside = tr_random_below(&job->random, 2) == 0;
    tr_vec3 points[4];
    if (!(beside ? draw_beside(job, &task->start) : draw_inside(job, &task->start)) ||
        !draw_inside(job, &task->example))
        return tr_fail(error, TR_NOT_FOUND, "the scene has no room for the hand of task %u", number);
    tr_arm_points(&job->arm, &task->example, points);
    task->id = number;
    snprintf(task->name, sizeof task->name, "%s", beside ? "from beside the body" : "from place to place");
    task->position = (tr_arm_goal){.kind = TR_ARM_GOAL_POSITION, .wrist = points[2]};
    task->pose = (tr_arm_goal){
        .kind = TR_ARM_GOAL_DIRECTION,
        .wrist = points[2],
        .direction = tr_vec3_scale(tr_vec3_subtract(points[3], points[2]), 1 / job->arm.length[2]),
        .tolerance = TOLERANCE_DEGREES * 3.14159265f / 180};
    task->has_pose = task->has_example = true;
    for (int i = 0; i < 2; i++)
        task->best_wrist[i] = task->best_length[i] = NAN;
    return TR_OK;
}

// As a reach file has it: points are relative to the place where the person stands.
static void put_arm_as_read(tr_arm *arm, float height) {
    *arm = tr_arm_default(TR_ARM_RIGHT, height);
    tr_vec3 *points[] = {&arm->waist, &arm->collar, &arm->shoulder};
    for (int i = 0; i < 3; i++)
        *points[i] = tr_affine_apply(&arm->base, *points[i]);
    arm->base = tr_affine_identity();
}

// Trunk, head and thighs of a standing person.
static void add_bodies(tr_reach_file *file, float height) {
    // From (x, y, z) of the one end, as shares of the height, to y of the other; the radius.
    static const float shares[][5] = {{0, 0.55f, -0.01f, 0.75f, 0.075f},
                                      {0, 0.87f, 0.01f, 0.93f, 0.055f},
                                      {0.05f, 0.53f, 0, 0.28f, 0.045f},
                                      {-0.05f, 0.53f, 0, 0.28f, 0.045f}};
    file->body_count = sizeof shares / sizeof *shares;
    for (uint32_t i = 0; i < file->body_count; i++) {
        const float *share = shares[i];
        file->bodies[i] = (tr_reach_body){.a = {share[0] * height, share[1] * height, share[2] * height},
                                          .b = {share[0] * height, share[3] * height, share[2] * height},
                                          .radius = share[4] * height,
                                          .on_trunk = i < 2,
                                          .links = 6};
    }
}

static tr_status draw_tasks(const reach_draw_def *def, draw_job *job, tr_reach_file *file, tr_error *error) {
    tr_allocator memory = tr_allocator_default();
    if (!tr_reserve(&memory, (void **)&file->tasks, &file->task_capacity, def->count, sizeof *file->tasks))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u tasks", def->count);
    memset(file->tasks, 0, def->count * sizeof *file->tasks);
    for (; file->task_count < def->count; file->task_count++) {
        tr_status status = draw_task(job, file->task_count + 1, &file->tasks[file->task_count], error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static tr_status draw_in(const reach_draw_def *def, const tr_sample *sample, tr_reach_file *file,
                         tr_error *error) {
    float height = reach_draw_height(def->scene_seed);
    *file = (tr_reach_file){.allocator = tr_allocator_default(), .up = TR_UP_Y, .self = true};
    put_arm_as_read(&file->arm, height);
    add_bodies(file, height);
    snprintf(file->scene, sizeof file->scene, "%s", def->sample);
    reach_job planner = {.scene = sample->scene, .file = *file};
    reach_request request = {.margin = NAN};
    draw_job job = {.random = tr_random_seed(def->seed), .arm = file->arm, .hand = sample->hand};
    tr_status status = reach_job_prepare(&request, &planner, error);
    job.reach = planner.reach;
    if (status == TR_OK)
        status = draw_tasks(def, &job, file, error);
    tr_reach_destroy(planner.reach);
    tr_solid_destroy(planner.solid);
    return status;
}

tr_status reach_draw(const reach_draw_def *def, tr_scene **scene, tr_reach_file *file, tr_error *error) {
    tr_sample sample;
    *scene = NULL;
    *file = (tr_reach_file){0};
    tr_status status =
        tr_sample_make(&(tr_sample_def){.name = def->sample, .seed = def->scene_seed}, &sample, error);
    if (status != TR_OK)
        return status;
    status = sample.hand.max.x > sample.hand.min.x
                 ? draw_in(def, &sample, file, error)
                 : tr_fail(error, TR_INVALID, "the sample \"%s\" is not a scene to reach into", def->sample);
    if (status == TR_OK) {
        *scene = sample.scene;
        return TR_OK;
    }
    tr_scene_destroy(sample.scene);
    tr_reach_file_destroy(file);
    return status;
}
