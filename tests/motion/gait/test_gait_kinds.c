// Jogging, running, starting, stopping, turning and side-stepping.
#include "gait_measure.h"
#include "troupe/base/random.h"

#include <string.h>

#define HEIGHT 1.75f

// Every kind at its own speed and the ends of its range.
static const tr_gait_def samples[] = {
    {.kind = TR_GAIT_JOG},
    {.kind = TR_GAIT_JOG, .speed = 1.8f},
    {.kind = TR_GAIT_JOG, .speed = 3.0f},
    {.kind = TR_GAIT_RUN},
    {.kind = TR_GAIT_RUN, .speed = 2.6f},
    {.kind = TR_GAIT_RUN, .speed = 3.6f},
    {.kind = TR_GAIT_START},
    {.kind = TR_GAIT_START, .speed = 0.6f},
    {.kind = TR_GAIT_START, .speed = 1.6f},
    {.kind = TR_GAIT_STOP},
    {.kind = TR_GAIT_STOP, .speed = 0.6f},
    {.kind = TR_GAIT_STOP, .speed = 1.6f},
    {.kind = TR_GAIT_TURN_LEFT},
    {.kind = TR_GAIT_TURN_LEFT, .angle = 0.3f},
    {.kind = TR_GAIT_TURN_LEFT, .angle = 3.1415926f},
    {.kind = TR_GAIT_TURN_RIGHT, .angle = 2.0f},
    {.kind = TR_GAIT_SIDE_LEFT},
    {.kind = TR_GAIT_SIDE_LEFT, .speed = 0.15f},
    {.kind = TR_GAIT_SIDE_RIGHT, .speed = 0.7f},
    {.kind = TR_GAIT_STEP_LEFT},
    {.kind = TR_GAIT_STEP_LEFT, .speed = 0.05f},
    {.kind = TR_GAIT_STEP_RIGHT, .speed = 0.3f},
};
#define SAMPLES (sizeof samples / sizeof *samples)

TEST(no_kind_slides_or_sinks) {
    for (uint32_t i = 0; i < SAMPLES; i++) {
        measured m;
        REQUIRE(measure_gait(&m, &samples[i], HEIGHT));
        double drift, depth;
        measure_plants(&m, tr_clip_loops(m.clip) ? 2 * m.frames : m.frames, &drift, &depth);
        CHECK(drift < 1e-4);
        CHECK(depth < 1e-4);
        measure_end(&m);
    }
}

TEST(no_kind_exceeds_a_limit) {
    for (uint32_t i = 0; i < SAMPLES; i++) {
        measured m;
        REQUIRE(measure_gait(&m, &samples[i], HEIGHT));
        CHECK_NEAR(worst_limit(&m), 0, 0.05);
        measure_end(&m);
    }
}

TEST(every_body_starts_and_stops_within_its_limits_at_every_speed) {
    for (float height = 1.1f; height < 2.05f; height += 0.45f)
        for (float alike = 0.51f; alike < 1.8f; alike += 0.16f)
            for (int stop = 0; stop < 2; stop++) {
                measured m;
                tr_gait_def def = {.kind = stop ? TR_GAIT_STOP : TR_GAIT_START};
                def.speed = alike * sqrtf(height / HEIGHT);
                REQUIRE(measure_gait(&m, &def, height));
                CHECK_NEAR(worst_limit(&m), 0, 0.05);
                measure_end(&m);
            }
}

TEST(no_kind_jolts) {
    for (uint32_t i = 0; i < SAMPLES; i++) {
        measured coarse, fine;
        tr_gait_def def = samples[i];
        REQUIRE(measure_gait(&coarse, &def, HEIGHT));
        def.frames_per_second = 480;
        REQUIRE(measure_gait(&fine, &def, HEIGHT));
        uint32_t at, rounds = tr_clip_loops(coarse.clip) ? 2 : 1;
        double plain = worst_jolt(&coarse, rounds * coarse.frames, &at) * 60 * 60;
        double sharp = worst_jolt(&fine, rounds * fine.frames, &at) * 480 * 480;
        CHECK(plain < 300);
        CHECK(sharp < 3 * plain + 20);
        measure_end(&coarse);
        measure_end(&fine);
    }
}

TEST(jogging_and_running_fly_as_people_do) {
    for (uint32_t i = 0; i < 6; i++) {
        measured m;
        REQUIRE(measure_gait(&m, &samples[i], HEIGHT));
        uint32_t flight = 0, down = 0;
        uint32_t elbow = tr_skeleton_with_role(m.skeleton, TR_ROLE_LEFT_FOREARM);
        uint32_t chest = tr_skeleton_with_role(m.skeleton, TR_ROLE_UPPER_CHEST);
        double highest_knee = -1, bend = 0, lean = 0;
        for (uint32_t f = 0; f < m.frames; f++) {
            bool on[2];
            pose_frame(&m, f);
            for (uint32_t side = 0; side < 2; side++)
                on[side] =
                    touches(&m, f, side, 0) || touches(&m, f, side, 1) || sole_point(&m, side, 2).y < 1e-4f;
            down += on[0];
            flight += !on[0] && !on[1];
            double knee = (double)tr_affine_position(&m.model[m.feet[0].shank]).z -
                          (double)tr_affine_position(&m.model[m.feet[0].thigh]).z;
            highest_knee = knee > highest_knee ? knee : highest_knee;
            tr_vec3 angles = tr_skeleton_limit_angles(m.skeleton, elbow, tr_pose_rotation(&m.pose, elbow));
            bend -= (double)angles.x * DEGREES / m.frames;
            lean += asin((double)m.model[chest].m[2][1]) * DEGREES / m.frames;
        }
        double stance = (double)down / m.frames, cadence = 120 / m.period;
        CHECK(flight >= 2);
        CHECK(stance > 0.30 && stance < 0.46);
        CHECK(cadence >= 150 && cadence <= 180);
        CHECK(bend > 70 && bend < 110);
        CHECK(lean > 4 && lean < 15);
        CHECK(highest_knee > 0.2);
        measure_end(&m);
    }
}

// The largest distance between joints of two frames, each relative to its own base.
static double apart(measured *a, uint32_t frame, measured *b, uint32_t other) {
    double worst = 0;
    CHECK(tr_clip_get_frame(a->clip, frame, &a->pose) == TR_OK);
    CHECK(tr_clip_get_frame(b->clip, other, &b->pose) == TR_OK);
    tr_pose_to_model(a->skeleton, &a->pose, NULL, a->model);
    tr_pose_to_model(b->skeleton, &b->pose, NULL, b->model);
    for (uint32_t i = 0; i < a->pose.joint_count; i++) {
        tr_vec3 off = tr_vec3_subtract(tr_affine_position(&a->model[i]), tr_affine_position(&b->model[i]));
        double distance = (double)tr_vec3_length(off);
        worst = distance > worst ? distance : worst;
    }
    return worst;
}

TEST(starting_and_stopping_join_standing_and_walking) {
    const float speeds[] = {0.6f, 1.0f, 1.3f, 1.6f};
    measured stand;
    REQUIRE(measure_gait(&stand, &(tr_gait_def){.kind = TR_GAIT_STAND}, HEIGHT));
    for (uint32_t i = 0; i < 4; i++) {
        measured walk, start, stop;
        REQUIRE(measure_gait(&walk, &(tr_gait_def){.kind = TR_GAIT_WALK, .speed = speeds[i]}, HEIGHT));
        REQUIRE(measure_gait(&start, &(tr_gait_def){.kind = TR_GAIT_START, .speed = speeds[i]}, HEIGHT));
        REQUIRE(measure_gait(&stop, &(tr_gait_def){.kind = TR_GAIT_STOP, .speed = speeds[i]}, HEIGHT));
        CHECK_NEAR(apart(&start, 0, &stand, 0), 0, 1e-4);
        CHECK_NEAR(apart(&start, start.frames - 1, &walk, 0), 0, 1e-4);
        CHECK_NEAR(apart(&stop, 0, &walk, 0), 0, 1e-4);
        CHECK_NEAR(apart(&stop, stop.frames - 1, &stand, 0), 0, 1e-4);
        // Speeds join, too: the frame before the end is near the walk's last.
        CHECK_NEAR(apart(&start, start.frames - 2, &walk, walk.frames - 1), 0, 0.005);
        CHECK_NEAR(apart(&stop, 1, &walk, 1), 0, 0.005);
        tr_base first = tr_clip_frame_base(start.clip, start.frames - 2);
        tr_base last = tr_clip_frame_base(start.clip, start.frames - 1);
        CHECK_NEAR((double)(last.z - first.z) * 60, (double)speeds[i], 0.02);
        CHECK_INT(tr_clip_event_count(start.clip), 2);
        CHECK_INT(tr_clip_event_count(stop.clip), 2);
        CHECK(tr_clip_advance(stop.clip).z > 0.1f && tr_clip_advance(start.clip).z > 0.1f);
        measure_end(&walk);
        measure_end(&start);
        measure_end(&stop);
    }
    measure_end(&stand);
}

TEST(turns_on_the_spot_end_at_the_requested_angle) {
    measured stand;
    REQUIRE(measure_gait(&stand, &(tr_gait_def){.kind = TR_GAIT_STAND}, HEIGHT));
    for (int i = 1; i <= 12; i++) {
        float angle = (float)(TR_PI * i / 12);
        tr_gait_kind kind = i % 2 ? TR_GAIT_TURN_LEFT : TR_GAIT_TURN_RIGHT;
        measured m;
        REQUIRE(measure_gait(&m, &(tr_gait_def){.kind = kind, .angle = angle}, HEIGHT));
        tr_base end = tr_clip_frame_base(m.clip, m.frames - 1);
        CHECK_NEAR((double)end.heading, (double)(i % 2 ? angle : -angle), 1e-5);
        CHECK(end.x == 0 && end.z == 0);
        CHECK_NEAR(apart(&m, 0, &stand, 0), 0, 1e-4);
        CHECK_NEAR(apart(&m, m.frames - 1, &stand, 0), 0, 1e-4);
        uint32_t steps = tr_clip_event_count(m.clip);
        CHECK(steps >= 2 && steps <= 6);
        if (i <= 8)
            CHECK(steps <= 4);
        // The foot on the inside goes first.
        CHECK_TEXT(tr_clip_get_event(m.clip, 0).name, i % 2 ? "left_step" : "right_step");
        measure_end(&m);
    }
    measure_end(&stand);
}

TEST(side_steps_go_sideways_without_crossing_feet) {
    for (int i = 0; i < 8; i++) {
        float speed = 0.1f + 0.6f * (float)(i / 2) / 3;
        tr_gait_kind kind = i % 2 ? TR_GAIT_SIDE_LEFT : TR_GAIT_SIDE_RIGHT;
        measured m;
        REQUIRE(measure_gait(&m, &(tr_gait_def){.kind = kind, .speed = speed}, HEIGHT));
        tr_base advance = tr_clip_advance(m.clip);
        CHECK_NEAR((double)advance.x, (i % 2 ? 1 : -1) * (double)speed * m.period, 1e-4);
        CHECK(advance.z == 0 && advance.heading == 0);
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            CHECK(sole_point(&m, 0, 1).x - sole_point(&m, 1, 1).x > 0.1f);
        }
        CHECK_INT(tr_clip_event_count(m.clip), 2);
        measure_end(&m);
    }
}

TEST(a_step_aside_begins_and_ends_as_standing_does) {
    measured stand;
    REQUIRE(measure_gait(&stand, &(tr_gait_def){.kind = TR_GAIT_STAND}, HEIGHT));
    for (int i = 0; i < 8; i++) {
        float speed = 0.05f + 0.25f * (float)(i / 2) / 3;
        tr_gait_kind kind = i % 2 ? TR_GAIT_STEP_LEFT : TR_GAIT_STEP_RIGHT;
        measured m;
        REQUIRE(measure_gait(&m, &(tr_gait_def){.kind = kind, .speed = speed}, HEIGHT));
        tr_base advance = tr_clip_advance(m.clip);
        CHECK_NEAR((double)advance.x, (i % 2 ? 1 : -1) * (double)speed * tr_clip_duration(m.clip), 1e-4);
        CHECK(advance.z == 0 && advance.heading == 0);
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            CHECK(sole_point(&m, 0, 1).x - sole_point(&m, 1, 1).x > 0.1f);
        }
        CHECK_NEAR(apart(&m, 0, &stand, 0), 0, 1e-4);
        CHECK_NEAR(apart(&m, m.frames - 1, &stand, 0), 0, 1e-4);
        CHECK_TEXT(tr_clip_get_event(m.clip, 0).name, i % 2 ? "left_step" : "right_step");
        CHECK_INT(tr_clip_event_count(m.clip), 2);
        measure_end(&m);
    }
    measure_end(&stand);
}

// The distance between two segments (Ericson's closed form, in doubles).
static double segment_distance(double p[2][3], double q[2][3]) {
    double d1[3], d2[3], r[3], a = 0, e = 0, b = 0, c = 0, f = 0;
    for (int k = 0; k < 3; k++) {
        d1[k] = p[1][k] - p[0][k], d2[k] = q[1][k] - q[0][k], r[k] = p[0][k] - q[0][k];
        a += d1[k] * d1[k], e += d2[k] * d2[k], b += d1[k] * d2[k], c += d1[k] * r[k], f += d2[k] * r[k];
    }
    double bottom = a * e - b * b, s = bottom > 1e-12 ? (b * f - c * e) / bottom : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    double t = (b * s + f) / e;
    if (t < 0 || t > 1) {
        t = t < 0 ? 0 : 1;
        s = (b * t - c) / a;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
    }
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double off = r[k] + s * d1[k] - t * d2[k];
        sum += off * off;
    }
    return sqrt(sum);
}

static double deepest_touch(measured *m, const tr_body_def *body) {
    double ends[64][2][3], deepest = 0;
    for (uint32_t i = 0; i < body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i];
        for (int end = 0; end < 2; end++) {
            tr_vec3 p = tr_affine_apply(&m->model[capsule->joint], end ? capsule->b : capsule->a);
            ends[i][end][0] = (double)p.x, ends[i][end][1] = (double)p.y, ends[i][end][2] = (double)p.z;
        }
    }
    for (uint32_t i = 0; i < body->capsule_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            if (body->ignored_pairs[i * body->capsule_count + j])
                continue;
            double reach = (double)(body->capsules[i].radius + body->capsules[j].radius);
            double depth = reach - segment_distance(ends[i], ends[j]);
            if (depth > 0.005 && depth > deepest)
                test_failed(__FILE__, __LINE__, "capsules %u and %u touch by %g m in %s", i, j, depth,
                            tr_clip_name(m->clip));
            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

TEST(no_part_of_the_body_runs_into_another) {
    tr_mannequin_def def = {.height = HEIGHT};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
    for (uint32_t i = 0; i < SAMPLES + 5; i++) {
        tr_gait_def walk = {.kind = TR_GAIT_WALK, .speed = 0.5f + 0.3f * (float)(i - SAMPLES)};
        measured m;
        REQUIRE(measure_gait(&m, i < SAMPLES ? &samples[i] : &walk, HEIGHT));
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            CHECK(deepest_touch(&m, tr_body_view(body)) < 0.005);
        }
        measure_end(&m);
    }
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

// The mannequin as other tools would have it: no limits, axes of joints turned anyhow, arms stretched
// sideways, and a joint above the hips.
static tr_skeleton *odd_skeleton(const tr_skeleton *mannequin) {
    tr_joint_def joints[64] = {{.name = "everything", .parent = TR_NONE, .rest = tr_transform_identity()}};
    tr_affine world[64] = {tr_affine_identity()};
    tr_random random = tr_random_seed(9);
    uint32_t count = tr_skeleton_joint_count(mannequin);
    for (uint32_t i = 0; i < count; i++) {
        tr_joint_def joint = tr_skeleton_joint(mannequin, i);
        tr_vec3 place = tr_affine_position(&tr_skeleton_rest_model(mannequin)[i]);
        bool arm = strstr(joint.name, "arm") || strstr(joint.name, "hand");
        float side = place.x > 0 ? 1 : -1;
        if (arm) // down along the arm becomes out along X
            place = tr_vec3_make(place.x + side * (0.812f * HEIGHT - place.y), 0.812f * HEIGHT, place.z);
        tr_vec3 axis = {tr_random_between(&random, -1, 1), 0, 0};
        axis.y = tr_random_between(&random, -1, 1);
        axis.z = tr_random_between(&random, -1, 1);
        tr_transform there = {place, tr_quat_about(axis, tr_random_between(&random, -3, 3)), {1, 1, 1}};
        uint32_t parent = joint.parent == TR_NONE ? 0 : joint.parent + 1;
        tr_affine inverse;
        world[i + 1] = tr_affine_from_transform(there);
        CHECK(tr_affine_invert(&world[parent], &inverse));
        tr_affine local = tr_affine_multiply(&inverse, &world[i + 1]);
        joint.rest = tr_affine_to_transform(&local);
        joint.rest.scale = tr_vec3_make(1, 1, 1);
        joint.parent = parent;
        joint.limit.active = false;
        joints[i + 1] = joint;
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = count + 1};
    tr_skeleton *skeleton = NULL;
    CHECK(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    return skeleton;
}

TEST(any_skeleton_with_the_roles_walks_as_the_mannequin_does) {
    measured m;
    tr_gait_def def = {.kind = TR_GAIT_WALK};
    REQUIRE(measure_gait(&m, &def, HEIGHT));
    tr_skeleton *odd = odd_skeleton(m.skeleton);
    REQUIRE(odd != NULL);
    def.skeleton = odd;
    tr_clip *clip = NULL;
    tr_pose pose = {0};
    tr_affine model[64];
    REQUIRE(tr_gait_make(&def, &clip, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(odd), &pose, NULL) == TR_OK);
    CHECK_INT(tr_clip_frame_count(clip), m.frames);
    for (uint32_t i = 0; i < m.frames; i++) {
        CHECK(tr_clip_get_frame(clip, i, &pose) == TR_OK && tr_clip_get_frame(m.clip, i, &m.pose) == TR_OK);
        tr_pose_to_model(odd, &pose, NULL, model);
        tr_pose_to_model(m.skeleton, &m.pose, NULL, m.model);
        for (uint32_t k = 0; k < tr_skeleton_joint_count(m.skeleton); k++) {
            tr_vec3 off =
                tr_vec3_subtract(tr_affine_position(&model[k + 1]), tr_affine_position(&m.model[k]));
            CHECK_NEAR((double)tr_vec3_length(off), 0, 2e-4);
        }
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(odd);
    measure_end(&m);
}

static bool make_every_kind(const tr_allocator *allocator) {
    tr_mannequin_def body = {0};
    tr_skeleton *skeleton = NULL;
    bool good = tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK;
    for (uint32_t kind = TR_GAIT_TURN_LEFT; good && kind < TR_GAIT_KINDS; kind++) {
        tr_gait_def def = {.allocator = allocator, .skeleton = skeleton, .frames_per_second = 15};
        def.kind = (tr_gait_kind)kind;
        tr_clip *clip = NULL;
        good = tr_gait_make(&def, &clip, NULL) == TR_OK;
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
    return good;
}

TEST(steps_without_memory_leave_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_every_kind) > 40);
}
