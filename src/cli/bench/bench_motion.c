// Poses, followers, feet and crowds: the cost of a character per frame.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/blend.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <stdio.h>

#define JOINTS 67 // as in the known figures of ozz-animation
#define FRAMES 60
#define ROUNDS 20000
#define PEOPLE 10000
#define CROWD_FRAMES 45
#define ROUTE_POINTS 40

static bool complain(const tr_error *error) {
    command_complain_of(error);
    return false;
}

static void add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                const char *peer, double peer_value) {
    bench_result result = {
        .value = value, .unit = unit, .paper = NAN, .peer = peer, .peer_value = peer_value};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

typedef struct pose_stand {
    tr_skeleton *skeleton;
    tr_clip *clips[3];
    tr_pose poses[3], rest, result;
    tr_affine model[JOINTS];
    float sum; // of the results, so that the compiler cannot remove the work
} pose_stand;

static bool fill_clip(pose_stand *stand, tr_clip *clip, tr_random *random) {
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        tr_pose_set_rest(&stand->result, stand->skeleton);
        for (uint32_t i = 0; i < JOINTS; i++) {
            float x = tr_random_between(random, -1, 1);
            float y = tr_random_between(random, -1, 1);
            float angle = tr_random_between(random, -1, 1);
            tr_pose_set_rotation(&stand->result, i, tr_quat_about(tr_vec3_make(x, y, 1), angle));
        }
        if (tr_clip_set_frame(clip, frame, &stand->result) != TR_OK)
            return false;
    }
    return true;
}

static bool make_poses(const bench_report *bench, pose_stand *stand, tr_error *error) {
    tr_random random = tr_random_seed(bench_seed(bench, 1));
    tr_joint_def joints[JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++) {
        uint32_t back = i > 3 ? 1 + tr_random_below(&random, 3) : 1;
        joints[i] = (tr_joint_def){.parent = i ? i - back : TR_NONE, .rest = tr_transform_identity()};
        joints[i].rest.position.y = 0.1f;
    }
    tr_skeleton_def skeleton = {.joints = joints, .joint_count = JOINTS};
    bool fine = tr_skeleton_create(&skeleton, &stand->skeleton, error) == TR_OK &&
                tr_pose_create(NULL, JOINTS, &stand->rest, error) == TR_OK &&
                tr_pose_create(NULL, JOINTS, &stand->result, error) == TR_OK;
    for (int i = 0; i < 3 && fine; i++) {
        tr_clip_def def = {
            .skeleton = stand->skeleton, .frame_count = FRAMES, .frames_per_second = 30, .loop = true};
        fine = tr_clip_create(&def, &stand->clips[i], error) == TR_OK &&
               fill_clip(stand, stand->clips[i], &random) &&
               tr_pose_create(NULL, JOINTS, &stand->poses[i], error) == TR_OK;
    }
    return fine;
}

static void destroy_poses(pose_stand *stand) {
    for (int i = 0; i < 3; i++) {
        tr_clip_destroy(stand->clips[i]);
        tr_pose_destroy(&stand->poses[i]);
    }
    tr_pose_destroy(&stand->rest);
    tr_pose_destroy(&stand->result);
    tr_skeleton_destroy(stand->skeleton);
}

static void pose_all(void *user) {
    pose_stand *stand = user;
    for (int round = 0; round < ROUNDS; round++) {
        double time = round * 0.0137;
        for (int i = 0; i < 3; i++)
            tr_clip_sample(stand->clips[i], time + i, &stand->poses[i]);
        const tr_blend_layer layers[3] = {
            {&stand->poses[0], 0.5f, NULL}, {&stand->poses[1], 0.3f, NULL}, {&stand->poses[2], 0.2f, NULL}};
        tr_blend(layers, 3, &stand->rest, &stand->result);
        tr_pose_to_model(stand->skeleton, &stand->result, NULL, stand->model);
        stand->sum += stand->model[JOINTS - 1].m[0][3];
    }
}

static void sample_only(void *user) {
    pose_stand *stand = user;
    for (int round = 0; round < ROUNDS; round++) {
        tr_clip_sample(stand->clips[0], round * 0.0137, &stand->poses[0]);
        stand->sum += stand->poses[0].rotation[0][JOINTS - 1];
    }
}

static bool bench_poses(bench_report *bench) {
    pose_stand stand = {0};
    tr_error error = {0};
    bool fine = make_poses(bench, &stand, &error);
    if (fine) {
        add(bench, "motion.pose67_us", "3 samples, blend, joints in the world: 67 joints",
            bench_time(pose_all, &stand) / ROUNDS / 1e3, "us",
            "ozz-animation, AVX2, measured on a similar machine", 4.4);
        add(bench, "motion.sample67_us", "one sample of 67 joints",
            bench_time(sample_only, &stand) / ROUNDS / 1e3, "us", NULL, NAN);
    }
    destroy_poses(&stand);
    return fine || complain(&error);
}

typedef struct follow_stand {
    tr_follow_route *route;
    tr_follow_params params;
    uint64_t steps;
    float sum;
} follow_stand;

// A winding way, 1 to 3 m from bend to bend.
static void make_way(tr_random *random, tr_vec2 begin, tr_vec2 *points, uint32_t count) {
    double heading = tr_random_between(random, -3, 3);
    points[0] = begin;
    for (uint32_t i = 1; i < count; i++) {
        double s, c;
        heading += tr_random_between(random, -1.2f, 1.2f);
        float length = tr_random_between(random, 1, 3);
        tr_sin_cos(heading, &s, &c);
        points[i] = (tr_vec2){points[i - 1].x + length * (float)s, points[i - 1].z + length * (float)c};
    }
}

static void follow_all(void *user) {
    follow_stand *stand = user;
    tr_follow_state state = {0};
    stand->steps = 0;
    while (stand->steps < ROUNDS) {
        if (tr_follow_step(&state, stand->route, &stand->params, INFINITY, 1.0f / 30) != TR_OK)
            state = (tr_follow_state){0};
        stand->steps++;
        stand->sum += state.speed;
    }
}

static bool bench_follow(bench_report *bench) {
    follow_stand stand = {.params = tr_follow_params_default(1.3f, 1.0f / 30, 0.1f)};
    tr_error error = {0};
    tr_random random = tr_random_seed(bench_seed(bench, 2));
    tr_vec2 points[ROUTE_POINTS];
    make_way(&random, (tr_vec2){0, 0}, points, ROUTE_POINTS);
    bool fine =
        tr_follow_route_create(NULL, ROUTE_POINTS, &stand.route, &error) == TR_OK &&
        tr_follow_route_set(stand.route, points, ROUTE_POINTS, NULL, NULL, &stand.params, &error) == TR_OK;
    if (fine)
        add(bench, "motion.follow_us", "one step of a follower along a winding way",
            bench_time(follow_all, &stand) / (double)stand.steps / 1e3, "us", NULL, NAN);
    tr_follow_route_destroy(stand.route);
    return fine || complain(&error);
}

typedef struct crowd {
    tr_character *character;
    tr_tasks *tasks;
    tr_actor **actors;
    tr_actor_scratch scratches[TR_TASKS_MAX];
} crowd;

#define PART 50 // actors per task of a thread

static void step_part(void *user, uint32_t part, uint32_t member) {
    crowd *people = user;
    for (uint32_t i = part * PART; i < (part + 1) * PART; i++)
        tr_actor_step(people->actors[i], &people->scratches[member], INFINITY);
}

static bool make_crowd(const bench_report *bench, crowd *people, tr_error *error) {
    tr_character_def def = {.detail = 1};
    tr_random random = tr_random_seed(bench_seed(bench, 3));
    tr_allocator allocator = tr_allocator_default();
    bool fine = tr_character_create(&def, &people->character, error) == TR_OK;
    for (uint32_t i = 0; fine && i < tr_tasks_members(people->tasks); i++)
        fine =
            tr_actor_scratch_create(NULL, tr_skeleton_joint_count(tr_character_skeleton(people->character)),
                                    &people->scratches[i], error) == TR_OK;
    people->actors = tr_allocate_zero(&allocator, PEOPLE, sizeof *people->actors);
    fine = fine && people->actors;
    for (uint32_t i = 0; i < PEOPLE && fine; i++) {
        tr_vec2 points[ROUTE_POINTS], begin = {(float)(i % 100) * 3, (float)(i / 100) * 3};
        make_way(&random, begin, points, ROUTE_POINTS);
        float speed = tr_random_between(&random, 0.9f, 1.7f);
        tr_actor_def actor = {.character = people->character,
                              .position = begin,
                              .speed = speed,
                              .route_points_max = ROUTE_POINTS};
        fine = tr_actor_create(&actor, &people->actors[i], error) == TR_OK &&
               tr_actor_set_route(people->actors[i], points, ROUTE_POINTS, NULL, NULL, 0, error) == TR_OK;
    }
    return fine;
}

static void destroy_crowd(crowd *people) {
    tr_allocator allocator = tr_allocator_default();
    for (uint32_t i = 0; people->actors && i < PEOPLE; i++)
        tr_actor_destroy(people->actors[i]);
    tr_release(&allocator, people->actors, PEOPLE, sizeof *people->actors);
    for (uint32_t i = 0; i < tr_tasks_members(people->tasks); i++)
        tr_actor_scratch_destroy(&people->scratches[i]);
    tr_character_destroy(people->character);
    tr_tasks_destroy(people->tasks);
}

static bool bench_crowd(bench_report *bench, uint32_t members, const char *id, const char *what) {
    crowd people = {0};
    tr_error error = {0};
    double times[CROWD_FRAMES];
    bool fine =
        tr_tasks_create(NULL, members, &people.tasks, &error) == TR_OK && make_crowd(bench, &people, &error);
    for (uint32_t i = 0; i < CROWD_FRAMES + 45 && fine; i++) { // at first they turn and speed up
        uint64_t begin = tr_clock_nanoseconds();
        tr_tasks_run(people.tasks, PEOPLE / PART, step_part, &people);
        if (i >= 45)
            times[i - 45] = (double)(tr_clock_nanoseconds() - begin);
    }
    if (fine)
        add(bench, id, what, bench_median(times, CROWD_FRAMES) / 1e6, "ms", NULL, NAN);
    destroy_crowd(&people);
    return fine || complain(&error);
}

bool bench_motion(bench_report *bench) {
    bench_progress(bench, "poses", 0);
    if (!bench_poses(bench))
        return false;
    bench_progress(bench, "followers", 0.2);
    if (!bench_follow(bench))
        return false;
    bench_progress(bench, "a crowd", 0.3);
    return bench_crowd(bench, 1, "motion.crowd10000_ms",
                       "a frame of 10,000 walking people with foot lock, one thread") &&
           bench_crowd(bench, 2, "motion.crowd10000_2_threads_ms",
                       "the same on two threads (33.3 ms: 30 frames per second)");
}
