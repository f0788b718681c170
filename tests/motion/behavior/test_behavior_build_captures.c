// Machines built from captures of people (../shared/data/mocap; skipped where it is absent): what is special
// is found in the files that have it and in no other, whatever the rate, the size, the side and the noise,
// and any walk through the machine has small seams.
#include "behavior_course.h"
#include "troupe/io/motion_file.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/behavior_motion.h"
#include "troupe/motion/clip_edit.h"

#include <stdio.h>
#include <string.h>

#define FILES 27
static const char *const names[FILES] = {"03_01",  "104_02", "104_06", "104_09", "111_03", "113_19", "127_03",
                                         "127_04", "127_05", "127_06", "127_09", "127_11", "127_15", "127_17",
                                         "127_21", "127_25", "127_29", "127_31", "133_01", "16_05",  "16_08",
                                         "16_15",  "16_17",  "16_19",  "16_35",  "69_16",  "83_27"};

// What the files hold, as their makers say (MANIFEST.md).
static bool holds(const char *name, const char *list) {
    const char *found = strstr(list, name);
    return found && (found[strlen(name)] == ' ' || found[strlen(name)] == 0);
}
#define JUMPS "127_21 127_25 16_05"
#define CRAWLS "111_03 133_01"
#define DUCKS "127_29 127_31"

typedef struct folder {
    tr_figures figures;
    tr_behavior_capture captures[FILES];
    uint32_t count;
    tr_skeleton *target;
} folder;

// Reads the files whose numbers are in `wanted` (NULL: all).
static bool folder_read(folder *f, const bool wanted[FILES]) {
    const char *data = test_data_folder();
    tr_mannequin_def target = {0};
    *f = (folder){.figures = tr_figures_begin(NULL)};
    if (!data) {
        test_skip("no ../shared/data");
        return false;
    }
    for (int i = 0; i < FILES; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/mocap/%s.bvh", data, names[i]);
        if ((!wanted || wanted[i]) && tr_motion_file_read(path, NULL, &f->figures, NULL) != TR_OK) {
            tr_figures_destroy(&f->figures);
            test_skip("a capture is missing");
            return false;
        }
    }
    for (; f->count < f->figures.count; f->count++) {
        const tr_figure *figure = &f->figures.items[f->count];
        f->captures[f->count] =
            (tr_behavior_capture){figure->name, figure->skeleton, figure->clips[0], false};
    }
    CHECK(tr_mannequin_make(&target, &f->target, NULL, NULL) == TR_OK);
    return true;
}

static void folder_destroy(folder *f) {
    tr_figures_destroy(&f->figures);
    tr_skeleton_destroy(f->target);
}

static tr_behavior_build *folder_build(const folder *f, tr_error *error) {
    tr_behavior_build_def def = {.skeleton = f->target, .captures = f->captures, .capture_count = f->count};
    tr_behavior_build *build = NULL;
    (void)tr_behavior_build_make(&def, &build, error);
    return build;
}

static uint32_t count_kind(const tr_behavior_build *build, uint32_t capture, tr_behavior_piece_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < build->piece_count; i++)
        count += build->pieces[i].capture == capture && !build->pieces[i].mirrored &&
                 build->pieces[i].kind == kind;
    return count;
}

// The name of a capture without its ending.
static void plain_name(const tr_behavior_capture *capture, char name[16]) {
    snprintf(name, 16, "%.15s", capture->name);
    char *dot = strchr(name, '.');
    if (dot)
        *dot = 0;
}

static void check_specials(const folder *f, const tr_behavior_build *build) {
    static const struct {
        tr_behavior_piece_kind kind;
        const char *files;
    } specials[] = {
        {TR_BEHAVIOR_PIECE_JUMP, JUMPS}, {TR_BEHAVIOR_PIECE_CRAWL, CRAWLS}, {TR_BEHAVIOR_PIECE_DUCK, DUCKS}};
    for (uint32_t i = 0; i < f->count; i++)
        for (int k = 0; k < 3; k++) {
            char name[16];
            plain_name(&f->captures[i], name);
            bool found = count_kind(build, i, specials[k].kind) > 0;
            if (found != holds(name, specials[k].files))
                test_failed(__FILE__, __LINE__, "%s: %s is %s", name,
                            tr_behavior_piece_name(specials[k].kind),
                            found ? "found, but it has none" : "not found");
        }
}

static uint32_t find_file(const folder *f, const char *wanted) {
    for (uint32_t i = 0; i < f->count; i++) {
        char name[16];
        plain_name(&f->captures[i], name);
        if (strcmp(name, wanted) == 0)
            return i;
    }
    return TR_NONE;
}

// The largest turn of a piece of a file [rad], with its sign.
static double largest_turn(const folder *f, const tr_behavior_build *build, const char *file) {
    double most = 0;
    for (uint32_t i = 0; i < build->piece_count; i++) {
        const tr_behavior_piece *piece = &build->pieces[i];
        if (piece->capture == find_file(f, file) && !piece->mirrored &&
            piece->kind == TR_BEHAVIOR_PIECE_TURN && fabs((double)piece->turn) > fabs(most))
            most = (double)piece->turn;
    }
    return most;
}

TEST(every_behavior_of_the_captures_is_found_where_it_is) {
    folder f;
    if (!folder_read(&f, NULL))
        return;
    tr_error error = {0};
    tr_behavior_build *build = folder_build(&f, &error);
    if (!build)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    REQUIRE(build);
    check_specials(&f, build);
    static const char *const stops[] = {"127_05", "127_17", "16_08", "104_09"};
    for (int i = 0; i < 4; i++) {
        uint32_t file = find_file(&f, stops[i]);
        CHECK(count_kind(build, file, TR_BEHAVIOR_PIECE_END) +
                  count_kind(build, file, TR_BEHAVIOR_PIECE_WAIT) >
              0);
    }
    CHECK(count_kind(build, find_file(&f, "127_17"), TR_BEHAVIOR_PIECE_WAIT) > 0);
    CHECK(count_kind(build, find_file(&f, "104_06"), TR_BEHAVIOR_PIECE_START) > 0);
    CHECK(count_kind(build, find_file(&f, "104_06"), TR_BEHAVIOR_PIECE_END) == 0);
    static const struct {
        const char *file;
        int side;
    } turns[] = {{"127_09", -1}, {"127_11", 1}, {"127_15", 1}, {"16_17", 1}, {"16_19", -1}, {"69_16", 1}};
    for (int i = 0; i < 6; i++)
        CHECK(largest_turn(&f, build, turns[i].file) * turns[i].side > 0.25);
    static const char *const straight[] = {"16_15", "16_35", "127_06", "104_02", "104_06"};
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(largest_turn(&f, build, straight[i]), 0, 1e-9);
    check_machine(build);
    bool kinds[TR_BEHAVIOR_PIECE_KINDS] = {false};
    for (uint32_t i = 0; i < build->state_count; i++)
        kinds[build->states[i].kind] = true;
    for (int kind = 0; kind < TR_BEHAVIOR_PIECE_OTHER; kind++)
        CHECK(kinds[kind] || kind == TR_BEHAVIOR_PIECE_STEP);
    tr_behavior_build_destroy(build);
    folder_destroy(&f);
}

// --- The same captures, otherwise ---

// A capture that this test owns.
typedef struct changed {
    tr_skeleton *skeleton;
    tr_clip *clip;
} changed;

// Scales a body and its motion.
static changed scale_capture(const tr_behavior_capture *capture, float scale) {
    uint32_t count = tr_skeleton_joint_count(capture->skeleton), frames = tr_clip_frame_count(capture->clip);
    tr_joint_def *joints = calloc(count, sizeof *joints);
    changed made = {NULL, NULL};
    tr_pose pose;
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(capture->skeleton, i);
        joints[i].rest.position = tr_vec3_scale(joints[i].rest.position, scale);
    }
    tr_skeleton_def body = {.joints = joints, .joint_count = count};
    CHECK(tr_skeleton_create(&body, &made.skeleton, NULL) == TR_OK);
    tr_clip_def def = {.skeleton = made.skeleton,
                       .channels = tr_clip_channels(capture->clip),
                       .frame_count = frames,
                       .frames_per_second = tr_clip_rate(capture->clip)};
    CHECK(tr_clip_create(&def, &made.clip, NULL) == TR_OK);
    CHECK(tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < frames; i++) {
        CHECK(tr_clip_get_frame(capture->clip, i, &pose) == TR_OK);
        for (uint32_t k = 0; k < count; k++)
            for (int axis = 0; axis < 3; axis++)
                pose.position[axis][k] *= scale;
        CHECK(tr_clip_set_frame(made.clip, i, &pose) == TR_OK);
    }
    tr_pose_destroy(&pose);
    free(joints);
    return made;
}

static tr_clip *shake_clip(const tr_behavior_capture *capture, uint32_t seed, float noise) {
    uint32_t count = tr_skeleton_joint_count(capture->skeleton), frames = tr_clip_frame_count(capture->clip);
    tr_clip *made = NULL;
    tr_pose pose;
    tr_random random = tr_random_seed(seed);
    CHECK(tr_clip_edit_cut(NULL, capture->skeleton, capture->clip, 0, frames, &made, NULL) == TR_OK);
    CHECK(tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < frames; i++) {
        CHECK(tr_clip_get_frame(capture->clip, i, &pose) == TR_OK);
        for (uint32_t k = 0; k < count; k++)
            tr_pose_set_rotation(&pose, k,
                                 tr_quat_multiply(tr_pose_rotation(&pose, k), course_shake(&random, noise)));
        CHECK(tr_clip_set_frame(made, i, &pose) == TR_OK);
    }
    tr_pose_destroy(&pose);
    return made;
}

typedef enum change { RATE_30, RATE_60, MIRRORED, SMALL, LARGE, NOISY, TRIMMED, OTHER_REST, CHANGES } change;

static changed change_capture(const tr_behavior_capture *capture, change how, uint32_t number) {
    const tr_clip *clip = capture->clip;
    changed made = {NULL, NULL};
    tr_status status = TR_OK;
    if (how == RATE_30 || how == RATE_60)
        status =
            tr_clip_edit_resample(NULL, capture->skeleton, clip, how == RATE_30 ? 30 : 60, &made.clip, NULL);
    else if (how == MIRRORED)
        status = tr_clip_edit_mirror(NULL, capture->skeleton, clip, &made.clip, NULL);
    else if (how == SMALL || how == LARGE)
        made = scale_capture(capture, how == SMALL ? 0.7f : 1.2f);
    else if (how == NOISY)
        made.clip = shake_clip(capture, number, 0.006f);
    else if (how == TRIMMED) // of the added pose, and a little more
        status = tr_clip_edit_cut(NULL, capture->skeleton, clip, 1 + number % 9, tr_clip_frame_count(clip),
                                  &made.clip, NULL);
    else
        CHECK(rest_rewrite(capture->skeleton, clip, REST_ALONG_X, &made.skeleton, &made.clip));
    CHECK(status == TR_OK);
    return made;
}

TEST(what_is_special_is_found_at_other_rates_and_sizes_sides_rests_and_with_noise) {
    static const char *const list = JUMPS " " CRAWLS " " DUCKS " 127_05 113_19 83_27 16_35 03_01 104_06";
    bool wanted[FILES];
    for (int i = 0; i < FILES; i++)
        wanted[i] = holds(names[i], list);
    folder f;
    if (!folder_read(&f, wanted))
        return;
    for (int how = 0; how < CHANGES; how++) {
        changed made[FILES];
        folder other = f;
        for (uint32_t i = 0; i < f.count; i++) {
            made[i] = change_capture(&f.captures[i], (change)how, i);
            other.captures[i].clip = made[i].clip;
            if (made[i].skeleton)
                other.captures[i].skeleton = made[i].skeleton;
        }
        tr_error error = {0};
        tr_behavior_build *build = folder_build(&other, &error);
        if (build) {
            check_specials(&other, build);
            check_machine(build);
        } else {
            test_failed(__FILE__, __LINE__, "change %d: %s", how, error.message);
        }
        tr_behavior_build_destroy(build);
        for (uint32_t i = 0; i < f.count; i++) {
            tr_clip_destroy(made[i].clip);
            tr_skeleton_destroy(made[i].skeleton);
        }
    }
    folder_destroy(&f);
}

TEST(any_choice_of_files_gives_a_machine_that_works_or_a_sentence) {
    folder f;
    if (!folder_read(&f, NULL))
        return;
    uint32_t built = 0;
    for (uint32_t seed = 0; seed < 12; seed++) {
        tr_random random = tr_random_seed(seed);
        folder some = f;
        some.count = 0;
        for (uint32_t i = 0; i < f.count; i++)
            if (tr_random_below(&random, 12) < 1 + seed % 4)
                some.captures[some.count++] = f.captures[i];
        tr_error error = {0};
        tr_behavior_build *build = folder_build(&some, &error);
        if (build)
            check_machine(build), built++;
        else
            CHECK(error.status == TR_NOT_FOUND && error.message[0]);
        tr_behavior_build_destroy(build);
    }
    CHECK(built >= 4);
    folder_destroy(&f);
}

TEST(no_part_of_the_body_is_deep_in_the_ground) {
    folder f;
    if (!folder_read(&f, NULL))
        return;
    tr_behavior_build *build = folder_build(&f, NULL);
    tr_mannequin_def coarse = {.detail = 1};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_pose pose;
    tr_affine model[128];
    REQUIRE(build && tr_mannequin_make(&coarse, &skeleton, &body, NULL) == TR_OK);
    uint32_t joints = tr_skeleton_joint_count(skeleton), vertices = tr_body_view(body)->vertex_count;
    tr_vec3 *skin = calloc(vertices, sizeof *skin);
    REQUIRE(skin && joints <= 128 && tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    float lowest = 0;
    for (uint32_t i = 0; i < build->clip_count; i++)
        for (uint32_t frame = build->clips[i].first; frame <= build->clips[i].last; frame++) {
            CHECK(tr_clip_get_frame(build->clips[i].motion, frame, &pose) == TR_OK);
            tr_pose_to_model(skeleton, &pose, NULL, model);
            tr_body_skin(body, model, skin, NULL);
            for (uint32_t k = 0; k < vertices; k++)
                lowest = skin[k].y < lowest ? skin[k].y : lowest;
        }
    CHECK(lowest > -0.02f);
    free(skin);
    tr_pose_destroy(&pose);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    tr_behavior_build_destroy(build);
    folder_destroy(&f);
}

// --- Seams ---

typedef struct seams {
    double speed;     // largest change of the velocity of the hips from a frame to the next [m/s]
    uint32_t fast;    // turns of a joint by more than 40 rad/s
    double raw_speed; // largest difference of the root's velocities where two clips meet [m/s]
    double raw_mean;
    uint32_t joints;
} seams;

#define WALK_STEPS 40

// The velocity of the root at the beginning or the end of a clip, in its own axes.
static tr_vec2 velocity_at(const tr_behavior_build_clip *clip, bool end) {
    uint32_t from = end ? clip->last - 1 : clip->first;
    tr_base a = tr_clip_frame_base(clip->motion, from), b = tr_clip_frame_base(clip->motion, from + 1);
    tr_base own = tr_clip_frame_base(clip->motion, end ? clip->last : clip->first);
    double sine, cosine;
    tr_sin_cos((double)own.heading, &sine, &cosine);
    double x = (double)(b.x - a.x) * 30, z = (double)(b.z - a.z) * 30;
    return tr_vec2_make((float)(cosine * x - sine * z), (float)(sine * x + cosine * z));
}

// A random walk through the machine, from rest.
static tr_base choose_steps(const tr_behavior_build *build, uint32_t seed, tr_behavior_motion_step *steps,
                            seams *s) {
    tr_random random = tr_random_seed(seed);
    tr_base at = {0, 0, 0};
    uint32_t label = build->rest;
    for (int i = 0; i < WALK_STEPS; i++) {
        uint32_t state;
        do
            state = tr_random_below(&random, build->state_count);
        while (build->states[state].begin != label);
        uint32_t number =
            build->states[state].clip + tr_random_below(&random, build->states[state].clip_count);
        const tr_behavior_build_clip *clip = &build->clips[number];
        steps[i] = (tr_behavior_motion_step){.clips = {number, 0},
                                             .frames = clip->last - clip->first,
                                             .begin = at,
                                             .special = build->states[state].kind == TR_BEHAVIOR_PIECE_JUMP};
        at = tr_base_move(at, tr_base_difference(tr_clip_frame_base(clip->motion, clip->first),
                                                 tr_clip_frame_base(clip->motion, clip->last)));
        label = build->states[state].end;
        if (i == 0)
            continue;
        const tr_behavior_build_clip *before = &build->clips[steps[i - 1].clips[0]];
        double apart =
            (double)tr_vec2_length(tr_vec2_subtract(velocity_at(before, true), velocity_at(clip, false)));
        s->raw_speed = apart > s->raw_speed ? apart : s->raw_speed;
        s->raw_mean += apart;
        s->joints++;
    }
    return at;
}

static double angle_between(tr_quat a, tr_quat b) {
    return (double)tr_vec3_length(tr_quat_to_vector(tr_quat_multiply(tr_quat_conjugate(a), b)));
}

static void watch(const tr_behavior_motion *motion, const tr_skeleton *skeleton, seams *s) {
    uint32_t joints = tr_skeleton_joint_count(skeleton), hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    tr_pose poses[3];
    tr_affine place, model[128];
    tr_vec3 at[3];
    for (int i = 0; i < 3; i++)
        REQUIRE(joints <= 128 && tr_pose_create(NULL, joints, &poses[i], NULL) == TR_OK);
    for (uint32_t i = 0; i < tr_behavior_motion_duration(motion) * 30; i++) {
        tr_pose *now = &poses[i % 2], *before = &poses[(i + 1) % 2];
        tr_behavior_motion_sample(motion, i / 30.0, now, &poses[2], &place, model);
        at[2] = tr_affine_position(&model[hips]);
        tr_vec3 step = tr_vec3_subtract(tr_vec3_subtract(at[2], at[1]), tr_vec3_subtract(at[1], at[0]));
        double jump = 30 * (double)tr_vec3_length(step);
        s->speed = i > 1 && jump > s->speed ? jump : s->speed;
        for (uint32_t k = 0; i > 0 && k < joints; k++) {
            double turn = 30 * angle_between(tr_pose_rotation(before, k), tr_pose_rotation(now, k));
            s->fast += turn > 40;
        }
        at[0] = at[1], at[1] = at[2];
    }
    for (int i = 0; i < 3; i++)
        tr_pose_destroy(&poses[i]);
}

TEST(random_walks_through_the_machine_have_small_seams) {
    folder f;
    if (!folder_read(&f, NULL))
        return;
    tr_behavior_build *build = folder_build(&f, NULL);
    REQUIRE(build);
    tr_behavior_motion_clip *clips = calloc(build->clip_count, sizeof *clips);
    for (uint32_t i = 0; i < build->clip_count; i++)
        clips[i] =
            (tr_behavior_motion_clip){build->clips[i].motion, build->clips[i].first, build->clips[i].last};
    tr_behavior_motion_def def = {.skeleton = f.target, .clips = clips, .clip_count = build->clip_count};
    tr_behavior_motion *motion = NULL;
    seams s = {0};
    REQUIRE(tr_behavior_motion_create(&def, &motion, NULL) == TR_OK);
    for (uint32_t seed = 0; seed < 20; seed++) {
        tr_behavior_motion_step steps[WALK_STEPS];
        tr_behavior_motion_chain chain = {.steps = steps, .step_count = WALK_STEPS};
        chain.end = choose_steps(build, seed, steps, &s);
        REQUIRE(tr_behavior_motion_set(motion, &chain, NULL) == TR_OK);
        watch(motion, f.target, &s);
    }
    CHECK(s.raw_speed < 1.2);
    CHECK(s.raw_mean / s.joints < 0.3);
    CHECK(s.speed < 1.2);
    // A straight arm that is lifted with the body turns about its own line, upper arm against hand: twice in
    // 20 walks of 40 clips.
    CHECK(s.fast <= 4);
    tr_behavior_motion_destroy(motion);
    free(clips);
    tr_behavior_build_destroy(build);
    folder_destroy(&f);
}
