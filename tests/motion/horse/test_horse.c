#include "../clip_film.h"
#include "../closed_skin.h"
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/horse.h"
#include "troupe/motion/pose.h"

#include <math.h>
#include <string.h>

#define HEIGHT 1.6f

static tr_skeleton *make_skeleton(float height, tr_body **body) {
    tr_horse_def def = {.height = height};
    tr_skeleton *skeleton = NULL;
    CHECK(tr_horse_make(&def, &skeleton, body, NULL) == TR_OK);
    return skeleton;
}

static tr_clip *make_clip(const tr_skeleton *skeleton, float speed, double degrees, uint32_t frames,
                          double rate, uint32_t extra) {
    tr_horse_clip_def def = {.skeleton = skeleton,
                             .kind = TR_HORSE_GALLOP,
                             .speed = speed,
                             .turn = (float)(degrees * TR_PI / 180),
                             .frames = frames,
                             .frames_per_second = rate,
                             .extra_frames = extra};
    tr_clip *clip = NULL;
    tr_error error = {0};
    if (tr_horse_clip_make(&def, &clip, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no gallop at %g m/s: %s", (double)speed, error.message);
    return clip;
}

static double length_between(const tr_skeleton *skeleton, const char *a, const char *b) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    uint32_t from = tr_skeleton_find(skeleton, a), to = tr_skeleton_find(skeleton, b);
    CHECK(from != TR_NONE && to != TR_NONE);
    return from == TR_NONE || to == TR_NONE
               ? NAN
               : (double)tr_vec3_distance(tr_affine_position(&rest[from]), tr_affine_position(&rest[to]));
}

static const char *const toes[4] = {"right_hind_toe", "left_hind_toe", "right_fore_toe", "left_fore_toe"};
static const uint32_t labels[4] = {TR_CONTACT_RIGHT_TOES, TR_CONTACT_LEFT_TOES, TR_CONTACT_RIGHT_HAND,
                                   TR_CONTACT_LEFT_HAND};

// ------------------------------------------------------------------------------------------------------ body

// Kiesewalter's factors: the greatest length of a bone times this is the height at the withers. From joint to
// joint, humerus and femur lack their heads, and cannons have the small bones of carpus and tarsus.
TEST(bones_have_the_lengths_of_horses) {
    for (float height = 0.8f; height <= 2.0f; height += 0.3f) {
        tr_skeleton *skeleton = make_skeleton(height, NULL);
        REQUIRE(skeleton);
        double h = (double)height;
        CHECK_NEAR(length_between(skeleton, "left_radius", "left_fore_cannon"), h / 4.11, 0.02 * h);
        CHECK_NEAR(length_between(skeleton, "right_humerus", "right_radius"), h / 4.87, 0.035 * h);
        CHECK_NEAR(length_between(skeleton, "left_fore_cannon", "left_fore_pastern"), h / 6.40, 0.025 * h);
        CHECK_NEAR(length_between(skeleton, "left_femur", "left_tibia"), h / 3.50, 0.045 * h);
        CHECK_NEAR(length_between(skeleton, "right_tibia", "right_hind_cannon"), h / 4.37, 0.03 * h);
        CHECK_NEAR(length_between(skeleton, "left_hind_cannon", "left_hind_pastern"), h / 5.33, 0.04 * h);
        CHECK_NEAR(length_between(skeleton, "head", "head_end"), 0.40 * h, 0.02 * h);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_skin_is_closed_and_faces_outwards) {
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_horse_def def = {.height = HEIGHT, .detail = detail};
        tr_skeleton *skeleton = NULL;
        tr_body *body = NULL;
        REQUIRE(tr_horse_make(&def, &skeleton, &body, NULL) == TR_OK);
        const tr_body_def *view = tr_body_view(body);
        CHECK(detail ? view->triangle_count > 1000 && view->triangle_count < 2200
                     : view->triangle_count > 8000 && view->triangle_count < 11000);
        check_closed(view);
        check_normals(view);
        // A horse of 1.6 m weighs about 540 kg; parts that reach into each other count twice.
        double volume = volume_of(view, view->positions);
        CHECK(volume > 0.45 && volume < 0.75);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_body_is_as_long_as_it_is_high_and_stands_on_the_ground) {
    tr_body *body = NULL;
    tr_skeleton *skeleton = make_skeleton(HEIGHT, &body);
    REQUIRE(skeleton && body);
    const tr_body_def *view = tr_body_view(body);
    uint32_t shoulder = tr_skeleton_find(skeleton, "left_humerus");
    float low = INFINITY, left = -INFINITY, right = INFINITY, withers = 0, buttock = 0, breast = 0;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        tr_vec3 p = tr_vec3_scale(view->positions[i], 1 / HEIGHT);
        bool is_trunk = view->joints[i][0] < 4 && i < 24 * 34; // the first skin, without the neck
        float sum = 0;
        for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
            sum += view->weights[i][k];
            CHECK(!tr_skeleton_joint(skeleton, view->joints[i][k]).is_end || view->weights[i][k] == 0);
        }
        CHECK_NEAR((double)sum, 1, 1e-6);
        low = fminf(low, p.y), left = fmaxf(left, p.x), right = fminf(right, p.x);
        if (is_trunk && fabsf(p.x) < 0.02f && p.z > 0.2f && p.z < 0.32f)
            withers = fmaxf(withers, p.y);
        if (view->joints[i][0] == shoulder)
            breast = fmaxf(breast, p.z);
        if (is_trunk)
            buttock = fminf(buttock, p.z);
    }
    CHECK_NEAR((double)low, 0, 1e-6);
    CHECK_NEAR((double)(left + right), 0, 1e-6);
    CHECK_NEAR((double)withers, 1, 0.02);
    CHECK_NEAR((double)(breast - buttock), 1, 0.04);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(left_mirrors_right) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        uint32_t other = tr_skeleton_mirror_of(skeleton, i);
        tr_vec3 a = tr_affine_position(&rest[i]), b = tr_affine_position(&rest[other]);
        CHECK(a.x == -b.x && a.y == b.y && a.z == b.z);
        tr_joint_limit mine = tr_skeleton_joint(skeleton, i).limit,
                       its = tr_skeleton_joint(skeleton, other).limit;
        CHECK(mine.low.x == its.low.x && mine.low.z == -its.high.z);
        pairs += other != i;
    }
    CHECK_INT(pairs, 28);
    tr_skeleton_destroy(skeleton);
}

// ---------------------------------------------------------------------------------------------------- gallop

TEST(footfalls_are_those_of_a_transverse_gallop_and_then_the_horse_is_in_the_air) {
    static const char *const order[4] = {"right_hind", "left_hind", "right_fore", "left_fore"};
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    for (float speed = 4; speed <= 6.5f; speed += 0.5f) {
        tr_clip *clip = make_clip(skeleton, speed, 0, 0, 240, 0);
        REQUIRE(clip);
        CHECK_INT(tr_clip_event_count(clip), 4);
        double begin[4], period = tr_clip_duration(clip);
        for (uint32_t i = 0; i < 4; i++) {
            CHECK_TEXT(tr_clip_get_event(clip, i).name, order[i]);
            begin[i] = tr_clip_get_event(clip, i).time / period;
        }
        // Muybridge's footprints, with fore legs 1.05 m ahead of hind legs: 0.148, 0.373 and 0.571 of the
        // stride.
        CHECK_NEAR(begin[1] - begin[0], 36 * .0254 / 6.172, 0.002);
        CHECK_NEAR(begin[3] - begin[2], 48 * .0254 / 6.172, 0.002);
        uint32_t air = 0, count = tr_clip_frame_count(clip), stance[4] = {0};
        for (uint32_t i = 0; i < count; i++) {
            uint32_t contacts = tr_clip_frame_contacts(clip, i);
            air += contacts == 0;
            for (int leg = 0; leg < 4; leg++)
                stance[leg] += (contacts & labels[leg]) != 0;
        }
        CHECK(tr_clip_frame_contacts(clip, 0) == 0 && tr_clip_frame_contacts(clip, count - 1) == 0);
        CHECK(air / 240.0 > 0.05 && air / 240.0 < 0.11); // suspension of published horses: some 80 ms
        // Stance of thoroughbreds: 143 and 131 ms at 9 m/s, 6.1 and 6.8 ms more for each m/s less.
        for (int leg = 0; leg < 4; leg++)
            CHECK_NEAR(stance[leg] / 240.0,
                       leg < 2 ? .143 + .0061 * (9 - (double)speed) : .131 + .0068 * (9 - (double)speed),
                       0.007);
        CHECK_NEAR((double)tr_clip_speed(clip), (double)speed, 1e-4);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(in_the_air_the_trunk_falls_freely) {
    const double rate = 480;
    for (float height = 1.0f; height < 1.9f; height += 0.3f) {
        tr_skeleton *skeleton = make_skeleton(height, NULL);
        REQUIRE(skeleton);
        tr_clip *clip = make_clip(skeleton, 0, 0, 0, rate, 20);
        clip_film film;
        REQUIRE(film_open(&film, skeleton, clip));
        double before[2] = {0};
        uint32_t seen = 0, run = 0, thorax = tr_skeleton_find(skeleton, "thorax");
        for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
            film_show(&film, i);
            tr_vec3 centre = tr_affine_apply(
                &film.model[thorax], tr_vec3_scale(tr_vec3_make(0, .760f - .875f, .080f - .110f), height));
            run = tr_clip_frame_contacts(clip, i) == 0 ? run + 1 : 0;
            if (run >= 3) {
                seen++;
                CHECK_NEAR(((double)centre.y - 2 * before[0] + before[1]) * rate * rate, -9.81, 0.35);
            }
            before[1] = before[0];
            before[0] = (double)centre.y;
        }
        CHECK(seen > 20);
        tr_pose_destroy(&film.pose);
        tr_clip_destroy(clip);
        tr_skeleton_destroy(skeleton);
    }
}

// Hooves that stand stay, nothing is below the ground, no limit is exceeded.
static void check_motion(const tr_skeleton *skeleton, const tr_body *body, const tr_clip *clip) {
    clip_film film;
    tr_vec3 *positions = malloc(tr_body_view(body)->vertex_count * sizeof *positions), print[4] = {{0, 0, 0}};
    REQUIRE(positions && film_open(&film, skeleton, clip));
    bool stood[4] = {false};
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        film_show(&film, i);
        for (int leg = 0; leg < 4; leg++) {
            tr_vec3 toe = film_point(&film, toes[leg]);
            bool stands = (tr_clip_frame_contacts(clip, i) & labels[leg]) != 0;
            if (stands && !stood[leg])
                print[leg] = toe;
            if (stands) {
                CHECK_NEAR((double)tr_vec3_distance(toe, print[leg]), 0, 1e-4);
                CHECK_NEAR((double)toe.y, 0, 1e-4);
            }
            stood[leg] = stands;
        }
        for (uint32_t joint = 0; joint < tr_skeleton_joint_count(skeleton); joint++)
            CHECK(tr_skeleton_limit_excess(skeleton, joint, tr_pose_rotation(&film.pose, joint)) < 1e-3f);
        CHECK(film_lowest(body, &film, positions) > -5e-4f);
        check_apart(body, &film);
    }
    free(positions);
    tr_pose_destroy(&film.pose);
}

TEST(hooves_that_stand_stay_and_nothing_goes_below_the_ground) {
    static const struct {
        float height, speed;
        double degrees, rate;
        uint32_t frames, extra;
    } cases[] = {{1.6f, 5, 0, 30, 20, 12},  {1.6f, 5, 30, 30, 20, 12},  {1.6f, 5, -30, 30, 20, 12},
                 {1.6f, 5, 15, 60, 40, 24}, {1.6f, 5, -15, 24, 0, 0},   {1.6f, 4, 0, 60, 0, 0},
                 {1.6f, 6.5f, 0, 60, 0, 0}, {1.6f, 6.2f, 12, 30, 0, 8}, {0.9f, 3.5f, -14, 60, 0, 4},
                 {2.0f, 5.5f, 20, 50, 0, 6}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_body *body = NULL;
        tr_horse_def def = {.height = cases[i].height, .detail = 1};
        tr_skeleton *skeleton = NULL;
        REQUIRE(tr_horse_make(&def, &skeleton, &body, NULL) == TR_OK);
        tr_clip *clip = make_clip(skeleton, cases[i].speed, cases[i].degrees, cases[i].frames, cases[i].rate,
                                  cases[i].extra);
        REQUIRE(clip);
        check_motion(skeleton, body, clip);
        CHECK_NEAR((double)tr_clip_advance(clip).heading, cases[i].degrees * TR_PI / 180, 1e-6);
        tr_clip_destroy(clip);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(every_behavior_begins_and_ends_with_the_same_pose_and_velocity) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    // Eight times the frames of the paper: a difference in velocity would show in the first of them.
    const uint32_t times = 8, frames = 20 * times, half = 6 * times;
    tr_clip *forward = make_clip(skeleton, 5, 0, frames, 30.0 * times, 2 * half);
    REQUIRE(forward);
    for (uint32_t number = 0; number < TR_HORSE_BEHAVIORS; number++) {
        tr_horse_behavior behavior = tr_horse_get_behavior(number);
        tr_clip *clip = make_clip(skeleton, behavior.speed, (double)behavior.turn * 180 / TR_PI, frames,
                                  30.0 * times, 2 * half);
        REQUIRE(clip);
        for (uint32_t i = 0; i <= half; i++) {
            CHECK(frame_difference(clip, i, forward, i) < 1e-5);
            CHECK(i == half || frame_difference(clip, half + frames + i, forward, half + i) < 1e-5);
        }
        // A turn sets in without a jerk: after one frame of 240 it is not to be seen.
        CHECK(frame_difference(clip, half + 1, forward, half + 1) < 1e-3);
        CHECK(frame_difference(clip, half + frames - 1, forward, half + frames - 1) < 1e-3);
        tr_base way =
            tr_base_difference(tr_clip_frame_base(clip, half), tr_clip_frame_base(clip, half + frames));
        CHECK_NEAR((double)way.heading, (double)behavior.turn, 1e-6);
        tr_clip_destroy(clip);
    }
    tr_clip_destroy(forward);
    tr_skeleton_destroy(skeleton);
}

TEST(the_machine_of_the_paper_has_five_clips_of_20_frames_and_12_for_blending) {
    tr_skeleton *skeleton = make_skeleton(0, NULL);
    REQUIRE(skeleton);
    uint32_t frames = 0;
    double turns = 0;
    for (uint32_t i = 0; i < TR_HORSE_BEHAVIORS; i++) {
        tr_horse_behavior behavior = tr_horse_get_behavior(i);
        tr_clip *clip = make_clip(skeleton, behavior.speed, (double)behavior.turn * 180 / TR_PI,
                                  behavior.frames, behavior.frames_per_second, behavior.extra_frames);
        REQUIRE(clip);
        frames += tr_clip_frame_count(clip);
        turns += (double)behavior.turn;
        CHECK(behavior.weight >= 1 && (behavior.turn == 0) == (behavior.weight == 1));
        tr_clip_destroy(clip);
    }
    CHECK_INT(frames, 5 * 32);
    CHECK_NEAR(turns, 0, 1e-6);
    CHECK(tr_horse_get_behavior(TR_HORSE_BEHAVIORS).name == NULL);
    tr_skeleton_destroy(skeleton);
}

// Four strides that grow, from a standing horse to the gallop, and four that shrink.
TEST(a_horse_sets_off_from_standing_and_comes_to_a_halt) {
    for (float height = 0.8f; height <= 2.1f; height += 0.4f) {
        tr_body *body = NULL;
        tr_horse_def horse = {.height = height, .detail = 1};
        tr_skeleton *skeleton = NULL;
        REQUIRE(tr_horse_make(&horse, &skeleton, &body, NULL) == TR_OK);
        double grown = sqrt((double)height / 1.6);
        const uint32_t stride = (uint32_t)(40 * grown + 0.5), extra = 24, half = extra / 2;
        tr_clip *gallop = make_clip(skeleton, (float)(5 * grown), 0, stride, 60, extra), *stand = NULL;
        tr_horse_clip_def standing = {.skeleton = skeleton, .frames_per_second = 60};
        REQUIRE(gallop && tr_horse_clip_make(&standing, &stand, NULL) == TR_OK);
        for (int kind = TR_HORSE_START; kind <= TR_HORSE_END; kind++) {
            tr_horse_clip_def def = {.skeleton = skeleton,
                                     .kind = (tr_horse_kind)kind,
                                     .speed = (float)(5 * grown),
                                     .frames = 4 * stride,
                                     .frames_per_second = 60,
                                     .extra_frames = extra};
            tr_clip *clip = NULL;
            tr_error error = {0};
            tr_status status = tr_horse_clip_make(&def, &clip, &error);
            CHECK_TEXT(error.message, "");
            REQUIRE(status == TR_OK);
            check_motion(skeleton, body, clip);
            bool starts = kind == TR_HORSE_START;
            uint32_t stands = starts ? half : half + def.frames, gallops = starts ? half + def.frames : half;
            CHECK(frame_difference(clip, stands, stand, 0) < 1e-5);
            for (uint32_t i = 0; i < half; i++)
                CHECK(frame_difference(clip, gallops - half + i + (starts ? half : 0), gallop,
                                       i + (starts ? half : 0)) < 1e-5);
            tr_base way = tr_base_difference(tr_clip_frame_base(clip, half),
                                             tr_clip_frame_base(clip, half + def.frames));
            CHECK_NEAR((double)way.z, 2.5 * stride / 60 * 5 * grown, 1e-4);
            CHECK_NEAR((double)way.x, 0, 1e-6);
            tr_clip_destroy(clip);
            def.turn = 0.1f;
            CHECK(tr_horse_clip_make(&def, &clip, &error) == TR_INVALID);
            CHECK_CONTAINS(error.message, "straight ahead");
        }
        tr_clip_destroy(gallop);
        tr_clip_destroy(stand);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(legs_are_named_with_their_labels) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    for (uint32_t i = 0; i < TR_HORSE_LEG_COUNT; i++) {
        tr_horse_leg_joints leg = tr_horse_get_leg(i);
        CHECK_INT(leg.toe, tr_skeleton_find(skeleton, toes[i]));
        CHECK_INT(leg.contact, labels[i]);
    }
    CHECK_INT(tr_horse_get_leg(TR_HORSE_LEG_COUNT).contact, 0);
    tr_skeleton_destroy(skeleton);
}

TEST(a_turning_horse_leans_into_the_turn) {
    tr_skeleton *skeleton = make_skeleton(HEIGHT, NULL);
    REQUIRE(skeleton);
    tr_clip *clip = make_clip(skeleton, 5, 30, 20, 30, 0);
    clip_film film;
    REQUIRE(film_open(&film, skeleton, clip));
    film_show(&film, 10);
    tr_affine thorax = film.model[tr_skeleton_find(skeleton, "thorax")];
    tr_base base = tr_clip_frame_base(clip, 10);
    tr_vec3 up = tr_affine_turn(&thorax, tr_vec3_make(0, 1, 0));
    double left = (double)up.x * cos((double)base.heading) - (double)up.z * sin((double)base.heading);
    // In the middle of the stride the turn is as fast as it gets: 30 degrees in 0.7 of 2/3 s.
    double wanted = atan2(5 * (30 * TR_PI / 180) / (0.7 * 20 / 30), 9.81);
    CHECK_NEAR(asin(left), wanted, 0.03);
    tr_pose_destroy(&film.pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_standing_horse_stands) {
    tr_body *body = NULL;
    tr_skeleton *skeleton = make_skeleton(HEIGHT, &body);
    tr_horse_clip_def def = {.skeleton = skeleton, .frames_per_second = 10};
    tr_clip *clip = NULL;
    REQUIRE(skeleton && tr_horse_clip_make(&def, &clip, NULL) == TR_OK);
    CHECK_INT(tr_clip_frame_count(clip), 40);
    CHECK(tr_clip_loops(clip) && tr_clip_speed(clip) == 0);
    for (uint32_t i = 0; i < 40; i++)
        CHECK_INT(tr_clip_frame_contacts(clip, i), labels[0] | labels[1] | labels[2] | labels[3]);
    check_motion(skeleton, body, clip);
    tr_clip_destroy(clip);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

// ---------------------------------------------------------------------------------------------------- errors

TEST(horses_and_clips_out_of_range_are_refused) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    const float heights[] = {0.69f, 2.11f, -1, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        tr_horse_def def = {.height = heights[i]};
        CHECK(tr_horse_make(&def, &skeleton, &body, &error) == TR_INVALID);
        CHECK_CONTAINS(error.message, "0.7 to 2.1");
        CHECK(!skeleton && !body);
    }
    tr_horse_def red = {.color = {2, 0, 0}}, fine = {.detail = 2};
    CHECK(tr_horse_make(&red, &skeleton, &body, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "colour");
    CHECK(tr_horse_make(&fine, &skeleton, &body, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "detail");

    skeleton = make_skeleton(HEIGHT, NULL);
    const struct {
        tr_horse_clip_def def;
        const char *words;
    } cases[] = {{{.skeleton = NULL}, "needs a skeleton"},
                 {{.skeleton = skeleton, .kind = TR_HORSE_KINDS}, "no horse clip of kind"},
                 {{.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .speed = 9}, "4.00 to 6.50"},
                 {{.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .speed = NAN}, "finite"},
                 {{.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .turn = 1.5f}, "lean"},
                 {{.skeleton = skeleton, .frames = 7}, "8 to 1000"},
                 {{.skeleton = skeleton, .frames_per_second = 9}, "10 to 1000"},
                 {{.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .extra_frames = 3}, "even"},
                 {{.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .frames = 100}, "misses its place"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_clip *clip = NULL;
        CHECK(tr_horse_clip_make(&cases[i].def, &clip, &error) == TR_INVALID);
        CHECK_CONTAINS(error.message, cases[i].words);
        CHECK(!clip);
    }
    tr_skeleton_destroy(skeleton);
    tr_joint_def joint = {.parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def one = {.joints = &joint, .joint_count = 1};
    REQUIRE(tr_skeleton_create(&one, &skeleton, NULL) == TR_OK);
    tr_horse_clip_def def = {.skeleton = skeleton};
    tr_clip *clip = NULL;
    CHECK(tr_horse_clip_make(&def, &clip, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "1 joints");
    tr_skeleton_destroy(skeleton);
}

static bool make_whole(const tr_allocator *allocator) {
    tr_horse_def def = {.allocator = allocator};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_clip *clip = NULL;
    tr_status status = tr_horse_make(&def, &skeleton, &body, NULL);
    CHECK((status == TR_OK) == (skeleton != NULL) && (status == TR_OK) == (body != NULL));
    if (status == TR_OK) {
        tr_horse_clip_def gallop = {.allocator = allocator, .skeleton = skeleton, .kind = TR_HORSE_GALLOP};
        status = tr_horse_clip_make(&gallop, &clip, NULL);
        CHECK((status == TR_OK) == (clip != NULL));
    }
    tr_clip_destroy(clip);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK;
}

TEST(a_horse_without_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_whole) >= 12);
}
