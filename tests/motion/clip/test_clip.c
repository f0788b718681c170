#include "motion/cast/random_body.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/clip.h"

#include <math.h>
#include <string.h>

#define JOINTS 9
#define FRAMES 12

typedef struct recording {
    tr_skeleton *skeleton;
    tr_clip *clip;
    tr_pose frames[FRAMES], pose;
    uint8_t channels[JOINTS];
} recording;

static bool begin(recording *r, uint64_t seed, bool loop) {
    tr_random random = tr_random_seed(seed);
    memset(r, 0, sizeof *r);
    r->skeleton = random_skeleton(&random, JOINTS, false);
    for (uint32_t i = 0; i < JOINTS; i++)
        r->channels[i] = (uint8_t)(i == 0 ? 3 : tr_random_below(&random, 8));
    tr_clip_def def = {.name = "test",
                       .skeleton = r->skeleton,
                       .channels = r->channels,
                       .frame_count = FRAMES,
                       .frames_per_second = 30,
                       .loop = loop};
    bool good = r->skeleton && tr_clip_create(&def, &r->clip, NULL) == TR_OK &&
                tr_pose_create(NULL, JOINTS, &r->pose, NULL) == TR_OK;
    for (uint32_t i = 0; i < FRAMES && good; i++) {
        good = tr_pose_create(NULL, JOINTS, &r->frames[i], NULL) == TR_OK;
        random_pose(&random, &r->frames[i], true);
        good = good && tr_clip_set_frame(r->clip, i, &r->frames[i]) == TR_OK;
    }
    CHECK(good);
    return good;
}

static void end(recording *r) {
    for (uint32_t i = 0; i < FRAMES; i++)
        tr_pose_destroy(&r->frames[i]);
    tr_pose_destroy(&r->pose);
    tr_clip_destroy(r->clip);
    tr_skeleton_destroy(r->skeleton);
}

// What the clip must store of a frame: values without a channel stay at rest.
static tr_transform expected(const recording *r, uint32_t frame, uint32_t joint) {
    tr_transform t = tr_pose_get(&r->frames[frame], joint), rest = tr_skeleton_joint(r->skeleton, joint).rest;
    if (!(r->channels[joint] & TR_CHANNEL_TURNS))
        t.rotation = rest.rotation;
    if (!(r->channels[joint] & TR_CHANNEL_MOVES))
        t.position = rest.position;
    if (!(r->channels[joint] & TR_CHANNEL_SCALES))
        t.scale = rest.scale;
    return t;
}

static void check_near(tr_transform a, tr_transform b, double tolerance) {
    double same = a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y + a.rotation.z * b.rotation.z +
                  a.rotation.w * b.rotation.w;
    CHECK_NEAR(fabs(same), 1, tolerance);
    for (int axis = 0; axis < 3; axis++) {
        CHECK_NEAR((&a.position.x)[axis], (&b.position.x)[axis], tolerance);
        CHECK_NEAR((&a.scale.x)[axis], (&b.scale.x)[axis], tolerance);
    }
}

TEST(a_frame_reads_back_as_it_was_set_except_for_missing_channels) {
    recording r;
    if (begin(&r, 1, false))
        for (uint32_t i = 0; i < FRAMES; i++) {
            CHECK_INT(tr_clip_get_frame(r.clip, i, &r.pose), TR_OK);
            for (uint32_t j = 0; j < JOINTS; j++)
                check_near(tr_pose_get(&r.pose, j), expected(&r, i, j), 1e-6);
        }
    CHECK_INT(tr_clip_get_frame(r.clip, FRAMES, &r.pose), TR_INVALID);
    CHECK_INT(tr_clip_set_frame(r.clip, FRAMES, &r.pose), TR_INVALID);
    end(&r);
}

// Normalised linear, the shorter way.
static tr_transform mix(tr_transform a, tr_transform b, float t) {
    tr_transform m = a;
    float dot = a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y + a.rotation.z * b.rotation.z +
                a.rotation.w * b.rotation.w;
    float sign = dot < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        (&m.rotation.x)[i] = (&a.rotation.x)[i] * (1 - t) + sign * (&b.rotation.x)[i] * t;
    m.rotation = tr_quat_normalize(m.rotation);
    for (int i = 0; i < 3; i++) {
        (&m.position.x)[i] = (&a.position.x)[i] * (1 - t) + (&b.position.x)[i] * t;
        (&m.scale.x)[i] = (&a.scale.x)[i] * (1 - t) + (&b.scale.x)[i] * t;
    }
    return m;
}

TEST(between_frames_poses_are_mixed_and_a_loop_goes_on_for_ever_both_ways) {
    for (int loop = 0; loop < 2; loop++) {
        recording r;
        tr_random random = tr_random_seed(5);
        if (begin(&r, 2, loop))
            for (int round = 0; round < 2000; round++) {
                double at = tr_random_between(&random, -40, 40);
                tr_clip_sample(r.clip, at / 30, &r.pose);
                double place = loop ? fmod(fmod(at, FRAMES) + FRAMES, FRAMES) : fmin(fmax(at, 0), FRAMES - 1);
                uint32_t from = (uint32_t)place, to = from + 1 < FRAMES ? from + 1 : loop ? 0 : from;
                for (uint32_t j = 0; j < JOINTS; j++)
                    check_near(tr_pose_get(&r.pose, j),
                               mix(expected(&r, from, j), expected(&r, to, j), (float)(place - from)), 2e-5);
            }
        CHECK_NEAR(tr_clip_duration(r.clip), loop ? FRAMES / 30.0 : (FRAMES - 1) / 30.0, 1e-12);
        end(&r);
    }
}

TEST(a_time_that_is_not_finite_is_the_first_frame) {
    recording r;
    if (begin(&r, 3, true)) {
        const double times[] = {NAN, INFINITY, -INFINITY, 1e300};
        for (int i = 0; i < 4; i++) {
            tr_clip_sample(r.clip, times[i], &r.pose);
            for (uint32_t j = 0; j < JOINTS; j++)
                check_near(tr_pose_get(&r.pose, j), expected(&r, 0, j), 1e-6);
        }
    }
    end(&r);
}

TEST(a_pose_with_a_value_that_is_not_finite_is_refused_and_the_frame_stays) {
    recording r;
    if (begin(&r, 4, false)) {
        tr_pose_copy(&r.pose, &r.frames[3]);
        r.pose.rotation[2][4] = NAN;
        CHECK_INT(tr_clip_set_frame(r.clip, 3, &r.pose), TR_INVALID);
        r.pose.rotation[2][4] = 0;
        r.pose.position[1][0] = INFINITY;
        CHECK_INT(tr_clip_set_frame(r.clip, 3, &r.pose), TR_INVALID);
        tr_clip_get_frame(r.clip, 3, &r.pose);
        check_near(tr_pose_get(&r.pose, 0), expected(&r, 3, 0), 1e-6);
    }
    end(&r);
}

TEST(absurd_clips_are_refused_with_the_number) {
    recording r;
    tr_error error = {0};
    tr_clip *clip;
    if (begin(&r, 5, false)) {
        tr_clip_def def = {.skeleton = r.skeleton, .frame_count = 0, .frames_per_second = 30};
        CHECK_INT(tr_clip_create(&def, &clip, &error), TR_INVALID);
        def.frame_count = TR_CLIP_FRAMES_MAX + 1;
        CHECK_INT(tr_clip_create(&def, &clip, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "4194305");
        def.frame_count = 1;
        const double rates[] = {0, -1, NAN, INFINITY, 1e9};
        for (int i = 0; i < 5; i++) {
            def.frames_per_second = rates[i];
            CHECK_INT(tr_clip_create(&def, &clip, &error), TR_INVALID);
        }
        def.skeleton = NULL;
        CHECK_INT(tr_clip_create(&def, &clip, &error), TR_INVALID);
    }
    end(&r);
}

TEST(contacts_and_events_are_found_by_time_also_across_the_seam) {
    recording r;
    if (begin(&r, 6, true)) {
        tr_clip_set_contacts(r.clip, 3, TR_CONTACT_LEFT_HEEL | TR_CONTACT_RIGHT_TOES);
        CHECK_INT(tr_clip_contacts(r.clip, 3.5 / 30), 9);
        CHECK_INT(tr_clip_contacts(r.clip, (3.5 + FRAMES) / 30), 9);
        CHECK_INT(tr_clip_contacts(r.clip, 2.9 / 30), 0);
        CHECK_INT(tr_clip_frame_contacts(r.clip, 99), 0);
        CHECK_INT(tr_clip_add_event(r.clip, 0.3, "late"), TR_OK);
        CHECK_INT(tr_clip_add_event(r.clip, 0.1, "early"), TR_OK);
        CHECK_INT(tr_clip_add_event(r.clip, 0.2, "middle"), TR_OK);
        CHECK_INT(tr_clip_add_event(r.clip, 0.41, "beyond"), TR_INVALID);
        CHECK_INT(tr_clip_add_event(r.clip, NAN, "never"), TR_INVALID);
        CHECK_INT(tr_clip_event_count(r.clip), 3);
        CHECK_TEXT(tr_clip_get_event(r.clip, 1).name, "middle");
        CHECK(tr_clip_get_event(r.clip, 3).name == NULL);
    }
    end(&r);
}

typedef struct heard {
    char names[200];
    double last;
} heard;

static void hear(void *user, const char *name, double time) {
    heard *h = user;
    CHECK(time >= h->last);
    h->last = time;
    strcat(h->names, name);
}

TEST(events_of_an_interval_come_in_order_once_each) {
    recording r;
    if (begin(&r, 7, true)) { // a loop takes 0.4 s
        tr_clip_add_event(r.clip, 0, "a");
        tr_clip_add_event(r.clip, 0.3, "b");
        heard h = {"", -100};
        tr_clip_events_between(r.clip, -0.15, 1.05, hear, &h); // at -0.1, 0, 0.3, 0.4, 0.7 and 0.8
        CHECK_TEXT(h.names, "bababa");
    }
    end(&r);
}

TEST(short_intervals_report_every_event_as_often_as_one_long_interval) {
    recording r;
    tr_random random = tr_random_seed(8);
    if (begin(&r, 8, true)) {
        tr_clip_add_event(r.clip, 0, "a");
        tr_clip_add_event(r.clip, 0.25, "b");
        tr_clip_add_event(r.clip, tr_clip_duration(r.clip), "c");
        heard all = {"", -100}, pieces = {"", -100};
        tr_clip_events_between(r.clip, -1, 3, hear, &all);
        for (double at = -1; at < 3;) {
            double next = at + tr_random_between(&random, 0.01f, 0.2f);
            next = next < 3 ? next : 3;
            tr_clip_events_between(r.clip, at, next, hear, &pieces);
            at = next;
        }
        CHECK_TEXT(pieces.names, all.names);
        CHECK(strlen(all.names) >= 29);
    }
    end(&r);
}

TEST(the_base_point_advances_with_every_loop) {
    recording r;
    if (begin(&r, 9, true)) {
        // A circle: every loop turns a quarter to the left and goes 1 m ahead.
        tr_base frames[FRAMES];
        for (uint32_t i = 0; i < FRAMES; i++)
            frames[i] = (tr_base){0, (float)i / FRAMES, 0};
        CHECK_INT(tr_clip_set_base(r.clip, frames, (tr_base){0, 1, (float)TR_PI / 2}), TR_OK);
        CHECK_NEAR(tr_clip_speed(r.clip), 2.5, 1e-6);
        tr_base at = tr_clip_base(r.clip, 0.4 * 4 + 0.2);
        CHECK_NEAR(at.x, 0, 1e-5); // four quarters: back at the beginning
        CHECK_NEAR(at.z, 0.5, 1e-5);
        CHECK_NEAR(at.heading, 2 * TR_PI, 1e-5);
        at = tr_clip_base(r.clip, 0.4);
        CHECK_NEAR(at.z, 1, 1e-5);
        CHECK_NEAR(at.heading, TR_PI / 2, 1e-5);
        at = tr_clip_base(r.clip, 0.6);
        CHECK_NEAR(at.x, 0.5, 1e-5); // heading pi / 2 looks along +X
        // The advance is a float: a quarter turn is off by 4e-8, and adds up.
        at = tr_clip_base(r.clip, 0.4 * 4e4 + 0.2);
        CHECK_NEAR(at.z, 0.5, 5e-3);
        CHECK_INT(tr_clip_set_base(r.clip, frames, (tr_base){0, 1, 0}), TR_OK);
        at = tr_clip_base(r.clip, 0.4 * 4e6 + 0.2);
        CHECK_NEAR(at.z, 4e6, 0.51);
    }
    end(&r);
}

TEST(travel_adds_up_and_goes_back_where_it_came_from) {
    recording r;
    tr_random random = tr_random_seed(10);
    if (begin(&r, 10, true)) {
        tr_base frames[FRAMES] = {{0}};
        for (uint32_t i = 1; i < FRAMES; i++)
            frames[i] = (tr_base){frames[i - 1].x + tr_random_between(&random, -0.1f, 0.1f),
                                  frames[i - 1].z + tr_random_between(&random, 0, 0.1f),
                                  frames[i - 1].heading + tr_random_between(&random, -0.2f, 0.2f)};
        CHECK_INT(tr_clip_set_base(r.clip, frames, (tr_base){0.1f, 0.7f, 0.3f}), TR_OK);
        for (int round = 0; round < 500; round++) {
            double a = tr_random_between(&random, -3, 3);
            double b = tr_random_between(&random, -3, 3);
            tr_base from = {1, 2, 3};
            tr_base there = tr_clip_travel(r.clip, a, b, from), back = tr_clip_travel(r.clip, b, a, there);
            CHECK_NEAR(back.x, from.x, 2e-5);
            CHECK_NEAR(back.z, from.z, 2e-5);
            CHECK_NEAR(back.heading, from.heading, 2e-5);
            tr_base half = tr_clip_travel(r.clip, a, (a + b) / 2, from);
            tr_base whole = tr_clip_travel(r.clip, (a + b) / 2, b, half);
            CHECK_NEAR(whole.x, there.x, 2e-5);
            CHECK_NEAR(whole.z, there.z, 2e-5);
        }
        tr_base bad[FRAMES] = {{NAN, 0, 0}};
        CHECK_INT(tr_clip_set_base(r.clip, bad, (tr_base){0}), TR_INVALID);
        CHECK(tr_clip_has_base(r.clip));
        CHECK_INT(tr_clip_set_base(r.clip, NULL, (tr_base){0}), TR_OK);
        CHECK(!tr_clip_has_base(r.clip));
        CHECK_NEAR(tr_clip_speed(r.clip), 0, 0);
    }
    end(&r);
}

static bool attempt(const tr_allocator *allocator) {
    tr_random random = tr_random_seed(1);
    tr_skeleton *skeleton = random_skeleton(&random, 5, false);
    tr_clip_def def = {
        .allocator = allocator, .skeleton = skeleton, .frame_count = 4, .frames_per_second = 30};
    tr_clip *clip = NULL;
    tr_status status = tr_clip_create(&def, &clip, NULL);
    tr_base base[4] = {{0}};
    if (status == TR_OK)
        status = tr_clip_set_base(clip, base, base[0]);
    for (int i = 0; i < 10 && status == TR_OK; i++)
        status = tr_clip_add_event(clip, 0.1, "step");
    if (status == TR_OK)
        status = tr_clip_set_name(clip, "another");
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK;
}

TEST(without_memory_nothing_is_made_and_nothing_leaks) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 12);
}
