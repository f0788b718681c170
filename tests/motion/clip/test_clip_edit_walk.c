// Contacts and cycles, of a walker with known feet and of real captures.
#include "clip_edit_cases.h"
#include "troupe/io/bvh.h"
#include "motion/foot/foot.h"
#include "motion/walker.h"

static const walker_gait walk = {"walk", 1.1, 1, 0.62, 0.1, 0.12, 120};
static const walker_gait run = {"run", 2.6, 1.4, 0.36, 0.1, 0.2, 80};

// Several cycles of a walk along a heading from a place, one after another, with no base and no labels.
// `uneven`: every cycle is longer than the one before by that share; `noise`: of every joint, `pitch`: of the
// feet, tips down; `turn`: of the heading in each of the first three cycles [rad].
typedef struct walk_course {
    uint32_t rounds;
    double x, y, z, heading, uneven, pitch, turn;
    float noise;
    uint64_t seed;
} walk_course;

static tr_clip *walk_along(const tr_skeleton *skeleton, const walker_gait *gait, const walk_course *course) {
    tr_clip *round = walker_clip(skeleton, gait), *clip = NULL;
    tr_clip_def def = {.skeleton = skeleton,
                       .frame_count = gait->frames * course->rounds,
                       .frames_per_second = tr_clip_rate(round)};
    tr_pose pose;
    if (!round || tr_clip_create(&def, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, WALKER_JOINTS, &pose, NULL) != TR_OK)
        abort();
    tr_random random = tr_random_seed(course->seed);
    double at[2] = {course->x, course->z};
    for (uint32_t i = 0; i < def.frame_count; i++) {
        double longer = 1 + course->uneven * (i / gait->frames);
        walker_gait stretched = *gait;
        stretched.speed *= longer;
        tr_clip_get_frame(round, i % gait->frames, &pose);
        for (uint32_t side = 0; side < 2 && course->uneven != 0; side++) {
            double time = fmod((double)i / gait->frames + 0.5 * side, 1), z = 0, y = 0;
            walker_ankle(&stretched, time, &z, &y);
            walker_set_leg(&pose, 1 + 5 * side, pose.position[1][0], z, y);
        }
        for (uint32_t ankle = 3; ankle <= 8; ankle += 5)
            tr_pose_set_rotation(&pose, ankle,
                                 tr_quat_multiply(tr_pose_rotation(&pose, ankle),
                                                  tr_quat_about(tr_vec3_make(1, 0, 0), course->pitch)));
        double heading = course->heading + course->turn * fmin((double)i / gait->frames, 3);
        tr_transform root = tr_pose_get(&pose, 0);
        root.position = tr_vec3_make((float)at[0], (float)(root.position.y + course->y), (float)at[1]);
        root.rotation = tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 1, 0), heading), root.rotation);
        tr_pose_set(&pose, 0, root);
        for (uint32_t joint = 0; joint < WALKER_JOINTS && course->noise > 0; joint++) {
            tr_quat shake = random_turn(&random, course->noise);
            tr_pose_set_rotation(&pose, joint, tr_quat_multiply(tr_pose_rotation(&pose, joint), shake));
        }
        CHECK_INT(tr_clip_set_frame(clip, i, &pose), TR_OK);
        at[0] += sin(heading) * stretched.speed / tr_clip_rate(clip);
        at[1] += cos(heading) * stretched.speed / tr_clip_rate(clip);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(round);
    return clip;
}

static bool is_down(const tr_clip *clip, uint32_t frame, uint32_t side) {
    return (tr_clip_frame_contacts(clip, frame) >> 2 * side & 3) != 0;
}

static uint32_t count_landings(const tr_clip *clip, uint32_t side, uint32_t from) {
    uint32_t landings = 0;
    for (uint32_t i = from; i < tr_clip_frame_count(clip); i++)
        landings += is_down(clip, i, side) && !is_down(clip, i - 1, side);
    return landings;
}

TEST(contacts_of_a_known_walk_are_found) {
    tr_skeleton *skeleton = walker_skeleton();
    for (uint64_t seed = 0; seed < 12; seed++) {
        tr_random random = tr_random_seed(seed);
        const walker_gait *gait = seed % 2 ? &run : &walk;
        walk_course course = {.rounds = 4, .noise = seed < 6 ? 0 : 0.01f, .seed = seed};
        course.x = tr_random_between(&random, -5, 5), course.y = tr_random_between(&random, -2, 2);
        course.heading = tr_random_between(&random, -3, 3);
        tr_clip *clip = walk_along(skeleton, gait, &course);
        float ground = NAN;
        CHECK_INT(tr_clip_edit_contacts(skeleton, clip, NULL, &ground, NULL), TR_OK);
        CHECK_NEAR(ground, course.y, 0.012);
        uint32_t wrong = 0, count = tr_clip_frame_count(clip);
        for (uint32_t side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < count; i++) {
                double time = fmod((double)i / gait->frames + 0.5 * side, 1);
                wrong += is_down(clip, i, side) != (time <= gait->stance);
            }
            CHECK_INT(count_landings(clip, side, 10), side ? 4 : 3); // the left foot's first is in frame 0
        }
        // At landing and lifting the foot is almost still: a few frames more or less are in the nature of it.
        CHECK(wrong < 0.09 * 2 * count);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(contacts_of_a_loop_continue_across_its_seam) {
    tr_skeleton *skeleton = walker_skeleton();
    tr_clip *clip = walker_clip(skeleton, &walk);
    for (uint32_t i = 0; i < walk.frames; i++)
        tr_clip_set_contacts(clip, i, 0);
    CHECK_INT(tr_clip_edit_contacts(skeleton, clip, NULL, NULL, NULL), TR_OK);
    // The right foot stands while the left comes down, so its contact continues across the seam.
    CHECK(is_down(clip, 0, 1) && is_down(clip, walk.frames - 1, 1));
    uint32_t changes[2] = {0, 0};
    for (uint32_t i = 0; i < walk.frames; i++)
        for (uint32_t side = 0; side < 2; side++)
            changes[side] += is_down(clip, i, side) != is_down(clip, (i + 1) % walk.frames, side);
    CHECK_INT(changes[0], 2);
    CHECK_INT(changes[1], 2);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(heels_that_rest_above_the_ground_are_found_as_well) {
    tr_skeleton *skeleton = walker_skeleton();
    walk_course course = {.rounds = 3, .pitch = 0.14};
    tr_clip *clip = walk_along(skeleton, &walk, &course);
    CHECK_INT(tr_clip_edit_contacts(skeleton, clip, NULL, NULL, NULL), TR_OK);
    uint32_t heels = 0, count = tr_clip_frame_count(clip);
    for (uint32_t i = 0; i < count; i++)
        heels += (tr_clip_frame_contacts(clip, i) & TR_CONTACT_LEFT_HEEL) != 0;
    CHECK(heels > 0.5 * walk.stance * count);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(gliding_feet_are_in_contact_only_while_they_stay_near_one_place) {
    tr_skeleton *skeleton = walker_skeleton();
    tr_clip_def def = {.skeleton = skeleton, .frame_count = 240, .frames_per_second = 60};
    tr_clip *clip = NULL;
    tr_pose pose;
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, WALKER_JOINTS, &pose, NULL) == TR_OK);
    tr_pose_set_rest(&pose, skeleton);
    for (uint32_t i = 0; i < 240; i++) {
        pose.position[2][0] = 0.15f * (float)i / 60;
        CHECK_INT(tr_clip_set_frame(clip, i, &pose), TR_OK);
    }
    CHECK_INT(tr_clip_edit_contacts(skeleton, clip, NULL, NULL, NULL), TR_OK);
    uint32_t down = 0;
    for (uint32_t i = 0; i < 240; i++)
        down += is_down(clip, i, 0);
    CHECK(down * 0.15 / 60 <= 0.051 * (double)tr_skeleton_height(skeleton));
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_given_ground_is_used) {
    tr_skeleton *skeleton = walker_skeleton();
    walk_course course = {.rounds = 2};
    tr_clip *clip = walk_along(skeleton, &walk, &course);
    tr_contact_params params = tr_contact_params_default();
    params.ground = -1; // a metre below the feet: nothing touches it
    float ground = 0;
    CHECK_INT(tr_clip_edit_contacts(skeleton, clip, &params, &ground, NULL), TR_OK);
    CHECK_NEAR(ground, -1, 0);
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++)
        CHECK_INT(tr_clip_frame_contacts(clip, i), 0);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// Where heel (0) or ball (1) of a foot is in the world at a time.
static tr_vec3 sole_at(const tr_skeleton *skeleton, const tr_clip *clip, const tr_foot *foot, double time,
                       int point, tr_pose *pose, tr_affine *model) {
    tr_clip_sample(clip, time, pose);
    tr_affine place = tr_base_place(tr_clip_base(clip, time), 0);
    tr_pose_to_model(skeleton, pose, &place, model);
    return point ? tr_foot_ball(foot, model) : tr_foot_heel(foot, model);
}

// The greatest distance of a heel or ball from where it came down, while its label is set [m]. A loop is
// played twice.
static double worst_drift(const tr_skeleton *skeleton, const tr_clip *clip) {
    uint32_t joints = tr_clip_joint_count(clip), count = tr_clip_frame_count(clip);
    tr_affine *model = calloc(joints, sizeof *model);
    tr_pose pose;
    double worst = 0;
    if (!model || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t side = 0; side < 2; side++)
        for (int point = 0; point < 2; point++) {
            tr_foot foot;
            CHECK_INT(tr_foot_measure(skeleton, side, &foot), TR_OK);
            uint32_t bit = (point ? TR_CONTACT_LEFT_TOES : TR_CONTACT_LEFT_HEEL) << 2 * side;
            tr_vec3 down = {0, 0, 0};
            bool stands = true, seen = false; // a contact that had begun before is skipped
            for (uint32_t i = 0; i < count * (tr_clip_loops(clip) ? 2 : 1); i++) {
                bool now = tr_clip_frame_contacts(clip, i % count) & bit;
                tr_vec3 at = sole_at(skeleton, clip, &foot, i / tr_clip_rate(clip), point, &pose, model);
                if (now && !stands)
                    down = at, seen = true;
                if (now && seen)
                    worst = fmax(worst, hypot((double)at.x - down.x, (double)at.z - down.z));
                stands = now;
                seen = seen && now;
            }
        }
    tr_pose_destroy(&pose);
    free(model);
    return worst;
}

// The largest change of a joint's velocity from one frame to the next [m/s]: at the seam (between the last
// two frames, the first two, and across) or anywhere else.
static void velocity_jumps(const tr_skeleton *skeleton, const tr_clip *clip, double *seam, double *inside) {
    uint32_t joints = tr_clip_joint_count(clip), count = tr_clip_frame_count(clip);
    case_joint *worlds = calloc(3 * (size_t)joints, sizeof *worlds);
    tr_pose pose;
    *seam = *inside = 0;
    if (!worlds || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        abort();
    double rate = tr_clip_rate(clip);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            double time = (count + i + k - 1.0) / rate;
            tr_clip_sample(clip, time, &pose);
            case_forward(skeleton, &pose, tr_clip_base(clip, time), worlds + k * joints);
        }
        for (uint32_t joint = 0; joint < joints; joint++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                double bend = worlds[joint].p[axis] - 2 * worlds[joints + joint].p[axis] +
                              worlds[2 * joints + joint].p[axis];
                square += bend * bend;
            }
            double *where = i < 1 || i == count - 1 ? seam : inside;
            *where = fmax(*where, sqrt(square) * rate);
        }
    }
    tr_pose_destroy(&pose);
    free(worlds);
}

static void check_stride(const tr_skeleton *skeleton, const tr_clip *cycle) {
    uint32_t count = tr_clip_frame_count(cycle);
    CHECK(tr_clip_loops(cycle) && tr_clip_has_base(cycle));
    CHECK(is_down(cycle, 0, 0) && !is_down(cycle, count - 1, 0)); // begins as the left foot comes down
    uint32_t landings = 0;
    for (uint32_t i = 0; i < count; i++)
        landings += is_down(cycle, (i + 1) % count, 1) && !is_down(cycle, i, 1);
    CHECK_INT(landings, 1);
    tr_base first = tr_clip_frame_base(cycle, 0), advance = tr_clip_advance(cycle);
    CHECK_NEAR(advance.x, 0, 1e-4);
    CHECK_NEAR(advance.heading, 0, 1e-5);
    CHECK_NEAR(tr_clip_frame_base(cycle, count - 1).heading, first.heading, 0);
    (void)skeleton;
}

TEST(a_stride_of_a_known_walk_becomes_a_loop) {
    tr_skeleton *skeleton = walker_skeleton();
    for (uint64_t seed = 0; seed < 8; seed++) {
        tr_random random = tr_random_seed(seed);
        const walker_gait *gait = seed % 2 ? &run : &walk;
        walk_course course = {.rounds = 4, .uneven = seed < 4 ? 0 : 0.04};
        course.x = tr_random_between(&random, -5, 5), course.z = tr_random_between(&random, -5, 5);
        course.heading = tr_random_between(&random, -3, 3);
        tr_clip *clip = walk_along(skeleton, gait, &course), *cycle = NULL;
        tr_error error = {0};
        CHECK_INT(tr_clip_edit_contacts(skeleton, clip, NULL, NULL, NULL), TR_OK);
        CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, NULL, &cycle, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        REQUIRE(cycle);
        check_stride(skeleton, cycle);
        CHECK_NEAR(tr_clip_duration(cycle), 1 / gait->rate, 0.03);
        CHECK(tr_clip_speed(cycle) > gait->speed * 0.97 && tr_clip_speed(cycle) < gait->speed * 1.15);
        double turned = tr_clip_frame_base(cycle, 0).heading - course.heading;
        CHECK_NEAR(turned - 2 * TR_PI * floor(turned / (2 * TR_PI) + 0.5), 0, 0.01);
        CHECK(worst_drift(skeleton, cycle) < worst_drift(skeleton, clip) + 0.001);
        double seam, inside;
        velocity_jumps(skeleton, cycle, &seam, &inside);
        CHECK(seam < inside * 1.1 + 0.01);
        tr_clip_destroy(cycle);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(among_strides_that_close_equally_well_a_straight_one_is_chosen) {
    tr_skeleton *skeleton = walker_skeleton();
    walk_course course = {.rounds = 6, .heading = 0.4, .turn = 0.08};
    tr_clip *clip = walk_along(skeleton, &walk, &course), *cycle = NULL;
    CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, NULL, &cycle, NULL), TR_OK);
    REQUIRE(cycle);
    CHECK_NEAR(tr_clip_frame_base(cycle, 0).heading, 0.64, 1e-3);
    tr_clip_destroy(cycle);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(the_strides_of_a_cycle_come_with_their_events) {
    tr_skeleton *skeleton = walker_skeleton();
    walk_course course = {.rounds = 3};
    tr_clip *clip = walk_along(skeleton, &walk, &course), *cycle = NULL;
    for (int i = 0; i < 3; i++)
        CHECK_INT(tr_clip_add_event(clip, i + 0.5, "right_step"), TR_OK);
    CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, NULL, &cycle, NULL), TR_OK);
    REQUIRE(cycle);
    CHECK_INT(tr_clip_event_count(cycle), 1);
    CHECK_NEAR(tr_clip_get_event(cycle, 0).time, 0.5, 0.1);
    tr_clip_destroy(cycle);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// A pendulum with no feet: two and a half swings of 0.8 s.
static tr_clip *pendulum(tr_skeleton **skeleton, uint32_t frames) {
    tr_joint_def joints[3] = {
        {.name = "root", .parent = TR_NONE}, {.name = "arm", .parent = 0}, {.name = "bob", .parent = 1}};
    for (int i = 0; i < 3; i++)
        joints[i].rest = tr_transform_identity();
    joints[0].rest.position.y = 2;
    joints[2].rest.position.y = -1;
    tr_skeleton_def def = {.joints = joints, .joint_count = 3};
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_skeleton_create(&def, skeleton, NULL) != TR_OK)
        abort();
    tr_clip_def clip_def = {.skeleton = *skeleton, .frame_count = frames, .frames_per_second = 100};
    if (tr_clip_create(&clip_def, &clip, NULL) != TR_OK || tr_pose_create(NULL, 3, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < frames; i++) {
        tr_pose_set_rest(&pose, *skeleton);
        double angle = 0.5 * sin(2 * TR_PI * i / 80.0) * (1 - 0.0005 * i);
        tr_pose_set_rotation(&pose, 1, tr_quat_about(tr_vec3_make(0, 0, 1), angle));
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_pose_destroy(&pose);
    return clip;
}

TEST(a_body_without_feet_loops_where_it_closes_best) {
    tr_skeleton *skeleton;
    tr_clip *clip = pendulum(&skeleton, 200), *cycle = NULL;
    tr_cycle_params params = {0.5, 1};
    CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, &params, &cycle, NULL), TR_OK);
    REQUIRE(cycle);
    CHECK_NEAR(tr_clip_frame_count(cycle), 80, 1);
    double seam, inside;
    velocity_jumps(skeleton, cycle, &seam, &inside);
    CHECK(seam < inside * 1.1);
    tr_clip_destroy(cycle);
    tr_error error;
    params.longest = 0.55; // shorter than a swing: nothing comes back
    CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, &params, &cycle, &error), TR_NOT_FOUND);
    CHECK(cycle == NULL);
    params = (tr_cycle_params){3, 4};
    CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, &params, &cycle, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "3 to 4 s");
    CHECK_INT(tr_clip_edit_contacts(skeleton, clip, NULL, NULL, &error), TR_NOT_FOUND);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(absurd_parameters_of_contacts_and_cycles_are_refused) {
    tr_skeleton *skeleton = walker_skeleton();
    walk_course course = {.rounds = 2};
    tr_clip *clip = walk_along(skeleton, &walk, &course), *cycle = NULL;
    tr_clip_set_contacts(clip, 3, 5);
    const float bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; i++) {
        tr_contact_params params = tr_contact_params_default();
        params.height = bad[i];
        CHECK_INT(tr_clip_edit_contacts(skeleton, clip, &params, NULL, NULL), TR_INVALID);
        params = tr_contact_params_default(), params.speed = bad[i];
        CHECK_INT(tr_clip_edit_contacts(skeleton, clip, &params, NULL, NULL), TR_INVALID);
        params = tr_contact_params_default(), params.shortest = bad[i];
        CHECK_INT(tr_clip_edit_contacts(skeleton, clip, &params, NULL, NULL), TR_INVALID);
    }
    tr_contact_params params = tr_contact_params_default();
    params.ground = -INFINITY;
    CHECK_INT(tr_clip_edit_contacts(skeleton, clip, &params, NULL, NULL), TR_INVALID);
    CHECK_INT(tr_clip_frame_contacts(clip, 3), 5);
    const tr_cycle_params cycles[] = {{0, 1}, {NAN, 1}, {1, NAN}, {2, 1}, {-1, 1}, {1, INFINITY}};
    for (int i = 0; i < 6; i++)
        CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, clip, &cycles[i], &cycle, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_contacts(NULL, clip, NULL, NULL, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, NULL, NULL, &cycle, NULL), TR_INVALID);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// An answer comes back whatever the numbers are.
TEST(huge_coordinates_do_no_harm) {
    tr_skeleton *skeleton = walker_skeleton();
    for (uint64_t seed = 0; seed < 20; seed++) {
        tr_random random = tr_random_seed(seed);
        walk_course course = {.rounds = 3};
        tr_clip *clip = walk_along(skeleton, &run, &course), *made[7] = {NULL};
        tr_pose pose;
        REQUIRE(tr_pose_create(NULL, WALKER_JOINTS, &pose, NULL) == TR_OK);
        for (int i = 0; i < 40; i++) {
            uint32_t frame = tr_random_below(&random, tr_clip_frame_count(clip));
            float size = tr_random_below(&random, 2) ? 3e38f : 1e20f;
            tr_clip_get_frame(clip, frame, &pose);
            for (int axis = 0; axis < 3; axis++)
                pose.position[axis][0] = tr_random_below(&random, 2) ? size : -size;
            CHECK_INT(tr_clip_set_frame(clip, frame, &pose), TR_OK);
        }
        const double from[3] = {0, 0.5, 1}, to[3] = {0, 0.2, 1};
        tr_clip_edit_contacts(skeleton, clip, NULL, NULL, NULL);
        tr_clip_edit_cycle(NULL, skeleton, clip, NULL, &made[0], NULL);
        tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_LINE, &made[1], NULL);
        tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_FOLLOW, &made[2], NULL);
        CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, clip, &made[3], NULL), TR_OK);
        tr_clip_edit_smooth(NULL, skeleton, clip, 3, &made[4], NULL);
        tr_clip_edit_warp(NULL, skeleton, clip, from, to, 3, &made[5], NULL);
        tr_clip_edit_resample(NULL, skeleton, clip, 31, &made[6], NULL);
        for (int i = 0; i < 7; i++)
            tr_clip_destroy(made[i]);
        tr_pose_destroy(&pose);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

static bool cycle_with(const tr_allocator *allocator) {
    tr_skeleton *skeleton = walker_skeleton();
    walk_course course = {.rounds = 3, .uneven = 0.02};
    tr_clip *clip = walk_along(skeleton, &run, &course), *cycle = NULL;
    tr_contact_params params = tr_contact_params_default();
    params.allocator = allocator;
    tr_status cycled = tr_clip_edit_cycle(allocator, skeleton, clip, NULL, &cycle, NULL);
    bool done = cycled == TR_OK && tr_clip_edit_contacts(skeleton, clip, &params, NULL, NULL) == TR_OK;
    tr_clip_destroy(cycle);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return done;
}

TEST(contacts_and_cycles_survive_every_failing_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(cycle_with) > 30);
}

// A capture of the CMU database, with its first frame (a T-pose) left out; false when it is not there.
static bool read_capture(const char *name, tr_figure *figure) {
    char path[1024];
    tr_bytes bytes = {0};
    tr_error error = {0};
    snprintf(path, sizeof path, "%s/mocap/%s.bvh", test_data_folder(), name);
    if (tr_file_read(NULL, path, &bytes, &error) != TR_OK)
        return false;
    tr_bvh_options options = tr_bvh_options_default();
    options.metres_per_unit = 0.056444;
    options.skip_first = true;
    memset(figure, 0, sizeof *figure);
    tr_status status = tr_bvh_read(bytes.data, bytes.size, &options, figure, &error);
    CHECK_TEXT(error.message, "");
    tr_bytes_free(NULL, &bytes);
    return status == TR_OK;
}

// Between the first landing and the last of a foot, how much of the time it is down.
static double stance_share(const tr_clip *clip, uint32_t side) {
    uint32_t first = TR_NONE, last = TR_NONE, down = 0, until_last = 0;
    for (uint32_t i = 1; i < tr_clip_frame_count(clip); i++) {
        if (is_down(clip, i, side) && !is_down(clip, i - 1, side)) {
            first = first == TR_NONE ? i : first;
            last = i, until_last = down;
        }
        down += first != TR_NONE && is_down(clip, i, side);
    }
    return last > first ? (double)until_last / (last - first) : 0;
}

// Landings must come left, right, left, right.
static bool landings_alternate(const tr_clip *clip) {
    int before = -1;
    for (uint32_t i = 1; i < tr_clip_frame_count(clip); i++)
        for (int side = 0; side < 2; side++)
            if (is_down(clip, i, (uint32_t)side) && !is_down(clip, i - 1, (uint32_t)side)) {
                if (before == side)
                    return false;
                before = side;
            }
    return before >= 0;
}

TEST(captured_walks_and_runs_have_the_stance_of_people) {
    static const struct {
        const char *name;
        double low, high;
        uint32_t landings; // of the left foot, at least
    } captures[] = {{"16_15", 0.55, 0.7, 3},
                    {"104_02", 0.55, 0.72, 4},
                    {"16_35", 0.15, 0.4, 2},
                    {"127_06", 0.15, 0.4, 2},
                    {"127_03", 0, 0.5, 1}};
    if (!test_data_folder()) {
        test_skip("there is no ../shared/data");
        return;
    }
    for (int i = 0; i < 5; i++) {
        tr_figure figure;
        REQUIRE(read_capture(captures[i].name, &figure));
        CHECK_INT(tr_clip_edit_contacts(figure.skeleton, figure.clips[0], NULL, NULL, NULL), TR_OK);
        CHECK(landings_alternate(figure.clips[0]));
        CHECK(count_landings(figure.clips[0], 0, 1) >= captures[i].landings);
        for (uint32_t side = 0; side < 2; side++) {
            double share = stance_share(figure.clips[0], side);
            if (share < captures[i].low || share > captures[i].high)
                test_failed(__FILE__, __LINE__, "%s, side %u: %.3f of the time down", captures[i].name, side,
                            share);
        }
        tr_figure_destroy(&figure);
    }
}

TEST(captured_strides_loop_without_a_jerk_and_slide_no_more_than_before) {
    static const struct {
        const char *name;
        double slow, fast;
    } captures[] = {{"16_15", 1, 1.2}, {"104_02", 0.8, 1.05}, {"16_35", 2.5, 3}, {"127_06", 3.8, 4.5}};
    if (!test_data_folder()) {
        test_skip("there is no ../shared/data");
        return;
    }
    for (int i = 0; i < 4; i++) {
        tr_figure figure;
        tr_error error = {0};
        tr_clip *cycle = NULL;
        REQUIRE(read_capture(captures[i].name, &figure));
        CHECK_INT(tr_clip_edit_contacts(figure.skeleton, figure.clips[0], NULL, NULL, NULL), TR_OK);
        CHECK_INT(tr_clip_edit_cycle(NULL, figure.skeleton, figure.clips[0], NULL, &cycle, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        REQUIRE(cycle);
        check_stride(figure.skeleton, cycle);
        CHECK(tr_clip_speed(cycle) > captures[i].slow && tr_clip_speed(cycle) < captures[i].fast);
        double source = worst_drift(figure.skeleton, figure.clips[0]), seam, inside;
        double drift = worst_drift(figure.skeleton, cycle);
        velocity_jumps(figure.skeleton, cycle, &seam, &inside);
        if (!(drift <= source + 0.001) || !(seam <= inside))
            test_failed(__FILE__, __LINE__,
                        "%s: drift %.4f m, of the source %.4f; jump %.3f m/s, inside %.3f", captures[i].name,
                        drift, source, seam, inside);
        tr_clip_destroy(cycle);
        tr_figure_destroy(&figure);
    }
}
