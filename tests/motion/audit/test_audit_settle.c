// Plants found in a motion without labels: slides count as slides, and rolling off or swinging does not.
#include "audit_motions.h"

#include "troupe/base/random.h"

// A hop after the other: the feet stand for a while, roll off over their balls, and swing on.
typedef struct hops {
    double rate;     // frames per second
    double stand;    // how long feet stand [s]
    double slide;    // how far they get meanwhile [m]
    double from, to; // when they slide, as shares of standing
    double heading;  // of the slide
    double roll;     // how far they roll off [rad]
    double tremble;  // [m]
    uint64_t seed;
} hops;

#define SWING 0.4 // [s]
#define STRIDE 0.7
#define HOPS 5

static double smooth(double x) {
    return x <= 0 ? 0 : x >= 1 ? 1 : x * x * x * (10 - 15 * x + 6 * x * x);
}

// How far feet have slid when a share of standing is over.
static double slid(const hops *how, double share) {
    double x = (share - how->from) / (how->to - how->from);
    return how->slide * (x < 0 ? 0 : x > 1 ? 1 : x);
}

// The extra way of a swing, so that it begins and ends with the speeds of the stances around it.
static double swing_along(double t, double speed_before, double speed_behind) {
    double x = t / SWING, x2 = x * x, x3 = x2 * x;
    return SWING * ((x3 - 2 * x2 + x) * speed_before + (x3 - x2) * speed_behind);
}

static void place(const hops *how, double time, tr_vec3 *move, double *roll) {
    double period = how->stand + SWING, hop = floor(time / period), t = time - hop * period;
    double speed = how->slide / ((how->to - how->from) * how->stand);
    double before = how->to >= 1 ? speed : 0, behind = how->from <= 0 ? speed : 0, along, height = 0;
    double x = sin(how->heading), z = cos(how->heading);
    if (t < how->stand) {
        along = slid(how, t / how->stand);
        *roll = how->roll * smooth((t / how->stand - 0.6) / 0.4);
    } else {
        double u = t - how->stand, part = u / SWING;
        along = how->slide + swing_along(u, before, behind);
        height = 0.1 * 16 * part * part * (1 - part) * (1 - part);
        *roll = how->roll * (1 - smooth(part * 1.2));
    }
    double carried = t < how->stand ? 0 : STRIDE * smooth((t - how->stand) / SWING);
    move->x = (float)(x * (along + hop * how->slide));
    move->y = (float)height;
    move->z = (float)(z * (along + hop * how->slide) + hop * STRIDE + carried);
}

static tr_audit measure_hops(const hops *how) {
    tr_skeleton *skeleton = new_legs(true);
    tr_foot foot;
    CHECK_INT(tr_foot_measure(skeleton, 0, &foot), TR_OK);
    tr_vec3 ball = tr_foot_ball(&foot, tr_skeleton_rest_model(skeleton)), hips = {0, HIP_HEIGHT, 0};
    uint32_t frames = (uint32_t)(HOPS * (how->stand + SWING) * how->rate);
    tr_clip *clip = new_clip(skeleton, frames, how->rate, false);
    tr_random random = tr_random_seed(how->seed);
    for (uint32_t i = 0; i < frames; i++) {
        tr_vec3 move;
        double roll;
        place(how, i / how->rate, &move, &roll);
        tr_quat turn = tr_quat_about(tr_vec3_make(1, 0, 0), roll);
        tr_vec3 rolled = tr_vec3_add(ball, tr_quat_rotate(turn, tr_vec3_subtract(hips, ball)));
        move = tr_vec3_add(move, tr_vec3_subtract(rolled, hips));
        float size = (float)how->tremble;
        move.x += tr_random_between(&random, -size, size);
        move.y += tr_random_between(&random, -size, size);
        move.z += tr_random_between(&random, -size, size);
        set_root(clip, skeleton, i, move, turn, 0);
    }
    tr_audit_params params = on_ground(0);
    tr_audit audit = measure(skeleton, clip, &params);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return audit;
}

static const double rates[] = {30, 60, 120};

static void check_slides(hops how, double share_off) {
    const double slides[] = {0.005, 0.02, 0.06};
    for (int k = 0; k < 3; k++)
        for (int s = 0; s < 3; s++)
            for (int turn = 0; turn < 4; turn++) {
                how.rate = rates[k], how.slide = slides[s], how.heading = turn * 1.5;
                tr_audit audit = measure_hops(&how);
                double wanted = slides[s] * 1000, most = wanted * share_off + how.tremble * 4000;
                if (!(fabs((double)audit.slide_mm_max - wanted) <= most))
                    test_failed(__FILE__, __LINE__,
                                "%g mm at %g Hz along %g rad are said to be %g (%u plants)", wanted, how.rate,
                                how.heading, (double)audit.slide_mm_max, audit.plants);
                CHECK(audit.plants >= 2 * HOPS);
            }
}

TEST(feet_that_stand_still_do_not_slide_however_they_come_and_go) {
    for (int k = 0; k < 3; k++)
        for (int roll = 0; roll < 3; roll++) {
            hops how = {.rate = rates[k], .stand = 0.6, .from = 0, .to = 1, .roll = 0.4 * roll};
            tr_audit audit = measure_hops(&how);
            CHECK(audit.plants >= 2 * HOPS);
            if (!(audit.slide_mm_max < 1.5f))
                test_failed(__FILE__, __LINE__, "%g Hz, roll of %g: %g mm", how.rate, how.roll,
                            (double)audit.slide_mm_max);
        }
}

TEST(feet_that_slide_all_the_time_they_stand_are_said_to_slide_that_far) {
    check_slides((hops){.stand = 0.6, .from = 0, .to = 1}, 0.2);
}

TEST(feet_that_slide_between_rest_and_rest_are_said_to_slide_that_far) {
    check_slides((hops){.stand = 0.8, .from = 0.3, .to = 0.7}, 0.2);
}

TEST(feet_that_slide_when_they_have_come_down_are_said_to_slide_that_far) {
    check_slides((hops){.stand = 0.8, .from = 0.02, .to = 0.6}, 0.2);
}

TEST(feet_that_slide_before_they_leave_are_said_to_slide_that_far) {
    check_slides((hops){.stand = 0.8, .from = 0.5, .to = 1}, 0.2);
}

TEST(feet_that_slide_and_roll_off_are_said_to_slide_that_far) {
    check_slides((hops){.stand = 0.8, .from = 0.1, .to = 0.55, .roll = 0.5}, 0.2);
}

TEST(a_tremble_does_not_hide_a_slide) {
    check_slides((hops){.stand = 0.6, .from = 0, .to = 1, .tremble = 0.0005, .seed = 7}, 0.2);
    check_slides((hops){.stand = 0.8, .from = 0.3, .to = 0.7, .tremble = 0.0005, .seed = 8}, 0.2);
}

TEST(labels_are_ignored_when_contacts_are_searched) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 60, 30, false);
    // Slides by 40 mm in the second half, where the labels say that the foot does not stand.
    for (uint32_t i = 0; i < 60; i++)
        move_root(clip, skeleton, i, 0, 0, i < 30 ? 0 : 0.04f * (float)(i - 29) / 30, i < 30 ? BOTH_FEET : 0);
    tr_audit_params params = on_ground(0);
    CHECK_NEAR(measure(skeleton, clip, &params).slide_mm_max, 0, 1e-3);
    params.find_contacts = true;
    CHECK_NEAR(measure(skeleton, clip, &params).slide_mm_max, 40, 0.1);
    CHECK_INT(tr_clip_frame_contacts(clip, 0), BOTH_FEET); // the clip itself stays as it is
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}
