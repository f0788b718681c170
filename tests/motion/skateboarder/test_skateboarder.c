#include "../clip_film.h"
#include "../closed_skin.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/skateboarder.h"

#include <math.h>
#include <string.h>

#define SPEED 2.5
#define WHEEL .027f

static tr_skeleton *make_skeleton(float height, tr_mannequin_shape shape, tr_body **body) {
    tr_mannequin_def def = {.height = height, .shape = shape, .detail = 1};
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    if (tr_skateboarder_make(&def, &skeleton, body, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return skeleton;
}

static tr_clip *make_clip(const tr_skeleton *skeleton, tr_skateboarder_kind kind, double degrees, double rate,
                          uint32_t extra) {
    tr_skateboarder_clip_def def = {.skeleton = skeleton,
                                    .kind = kind,
                                    .turn = (float)(degrees * TR_PI / 180),
                                    .frames_per_second = rate,
                                    .extra_frames = extra};
    tr_clip *clip = NULL;
    tr_error error = {0};
    if (tr_skateboarder_clip_make(&def, &clip, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no clip of kind %d: %s", (int)kind, error.message);
    return clip;
}

// ------------------------------------------------------------------------------------------------------ body

TEST(the_skin_is_closed_and_faces_outwards) {
    for (uint32_t detail = 0; detail < 2; detail++) {
        tr_mannequin_def def = {.detail = detail};
        tr_skeleton *skeleton = NULL, *mannequin = NULL;
        tr_body *body = NULL, *plain = NULL;
        REQUIRE(tr_skateboarder_make(&def, &skeleton, &body, NULL) == TR_OK);
        REQUIRE(tr_mannequin_make(&def, &mannequin, &plain, NULL) == TR_OK);
        const tr_body_def *view = tr_body_view(body);
        check_closed(view);
        check_normals(view);
        CHECK(view->triangle_count > tr_body_view(plain)->triangle_count + 100);
        CHECK_INT(view->paint_count, tr_body_view(plain)->paint_count + 2);
        CHECK_INT(view->capsule_count, tr_body_view(plain)->capsule_count + 6);
        float low = INFINITY;
        for (uint32_t i = 0; i < view->vertex_count; i++)
            low = fminf(low, view->positions[i].y);
        CHECK_NEAR((double)low, 0, 1e-6);
        tr_body_destroy(body);
        tr_body_destroy(plain);
        tr_skeleton_destroy(skeleton);
        tr_skeleton_destroy(mannequin);
    }
}

TEST(the_board_is_as_large_as_the_mannequin_is_high) {
    for (float height = .9f; height < 2.2f; height += .4f) {
        tr_body *body = NULL;
        tr_skeleton *skeleton = make_skeleton(height, TR_SHAPE_ADULT, &body);
        REQUIRE(skeleton && body);
        const tr_body_def *view = tr_body_view(body);
        uint32_t board = tr_skeleton_find(skeleton, "board");
        float front = 0, back = 0, side = 0;
        for (uint32_t i = 0; i < view->vertex_count; i++) {
            if (view->joints[i][0] != board)
                continue;
            front = fmaxf(front, view->positions[i].z), back = fminf(back, view->positions[i].z);
            side = fmaxf(side, view->positions[i].x);
        }
        CHECK_NEAR((double)(front - back), .8 * (double)height / 1.75, .01);
        CHECK_NEAR((double)side, .1 * (double)height / 1.75, .005);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

// -----------------------------------------------------------------------------------------------------
// motion

// The centre of mass by the volume of capsules: another estimate than that of the maker.
static tr_vec3 centre_of(const tr_body_def *view, const tr_affine *model) {
    double sum[3] = {0}, mass = 0;
    for (uint32_t i = 0; i < view->capsule_count; i++) {
        const tr_capsule *c = &view->capsules[i];
        double r = (double)c->radius, length = (double)tr_vec3_distance(c->a, c->b);
        double m = r * r * (length + 4 * r / 3);
        if (i + 6 >= view->capsule_count)
            m *= .2; // a deck is thin
        tr_vec3 at = tr_affine_apply(&model[c->joint], tr_vec3_scale(tr_vec3_add(c->a, c->b), .5f));
        sum[0] += m * (double)at.x, sum[1] += m * (double)at.y, sum[2] += m * (double)at.z;
        mass += m;
    }
    return tr_vec3_make((float)(sum[0] / mass), (float)(sum[1] / mass), (float)(sum[2] / mass));
}

// A foot that is labelled stays, nothing is below the ground, no limit is exceeded, parts stay apart.
static void check_motion(const tr_skeleton *skeleton, const tr_body *body, const tr_clip *clip) {
    clip_film film;
    tr_vec3 *positions = malloc(tr_body_view(body)->vertex_count * sizeof *positions), ball = {0, 0, 0};
    tr_vec3 heel = {0, 0, 0};
    REQUIRE(positions && film_open(&film, skeleton, clip));
    uint32_t before = 0, ankle = tr_skeleton_find(skeleton, "right_foot");
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        film_show(&film, i);
        uint32_t contacts = tr_clip_frame_contacts(clip, i);
        tr_vec3 toes = film_point(&film, "right_toes"), foot = tr_affine_position(&film.model[ankle]);
        if (contacts & TR_CONTACT_RIGHT_TOES) {
            if (before & TR_CONTACT_RIGHT_TOES)
                CHECK_NEAR((double)tr_vec3_distance(toes, ball), 0, 1e-4);
            CHECK_NEAR((double)toes.y, 0, 1e-4);
            ball = before & TR_CONTACT_RIGHT_TOES ? ball : toes;
        }
        if (contacts & before & TR_CONTACT_RIGHT_HEEL)
            CHECK_NEAR((double)tr_vec3_distance(foot, heel), 0, 1e-4);
        heel = foot;
        before = contacts;
        CHECK_INT(contacts & ~(uint32_t)(TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES), 0);
        for (uint32_t joint = 0; joint < tr_skeleton_joint_count(skeleton); joint++) {
            float excess = tr_skeleton_limit_excess(skeleton, joint, tr_pose_rotation(&film.pose, joint));
            if (!(excess < 1e-3f))
                test_failed(__FILE__, __LINE__, "%s, frame %u: %s is %g rad beyond its limit",
                            tr_clip_name(clip), i, tr_skeleton_joint(skeleton, joint).name, (double)excess);
        }
        float low = film_lowest(body, &film, positions);
        if (!(low > -2e-3f))
            test_failed(__FILE__, __LINE__, "%s, frame %u: %g m below the ground", tr_clip_name(clip), i,
                        (double)-low);
        if (i % 3 == 0)
            check_apart(body, &film);
    }
    free(positions);
    tr_pose_destroy(&film.pose);
}

TEST(feet_stay_where_they_stand_and_nothing_goes_below_the_ground) {
    static const struct {
        float height;
        tr_mannequin_shape shape;
        double rate;
    } bodies[] = {{0, TR_SHAPE_ADULT, 30}, {1.1f, TR_SHAPE_ADULT, 47}, {2.1f, TR_SHAPE_ADULT, 24},
                  {0, TR_SHAPE_WOMAN, 30}, {0, TR_SHAPE_CHILD, 30},    {0, TR_SHAPE_OLD, 30},
                  {0, TR_SHAPE_HEAVY, 30}, {0, TR_SHAPE_MAN, 30}};
    for (uint32_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        tr_body *body = NULL;
        tr_skeleton *skeleton = make_skeleton(bodies[b].height, bodies[b].shape, &body);
        REQUIRE(skeleton && body);
        for (uint32_t i = 0; i < TR_SKATEBOARDER_BEHAVIORS + 1; i++) {
            tr_skateboarder_behavior behavior = tr_skateboarder_get_behavior(i);
            tr_clip *clip =
                make_clip(skeleton, i < TR_SKATEBOARDER_BEHAVIORS ? behavior.kind : TR_SKATEBOARDER_STAND,
                          (double)behavior.turn * 180 / TR_PI, bodies[b].rate, 0);
            REQUIRE(clip);
            check_motion(skeleton, body, clip);
            tr_clip_destroy(clip);
        }
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

// A foot on the board moves with the board: its ball is where it was, in the axes of the deck.
TEST(feet_are_locked_on_the_board) {
    static const tr_skateboarder_kind kinds[] = {TR_SKATEBOARDER_GLIDE, TR_SKATEBOARDER_DUCK,
                                                 TR_SKATEBOARDER_JUMP};
    tr_skeleton *skeleton = make_skeleton(0, TR_SHAPE_ADULT, NULL);
    REQUIRE(skeleton);
    for (uint32_t k = 0; k < 3; k++) {
        tr_clip *clip = make_clip(skeleton, kinds[k], k ? 0 : 40, 60, 0);
        clip_film film;
        REQUIRE(film_open(&film, skeleton, clip));
        tr_vec3 first[2];
        for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
            film_show(&film, i);
            tr_affine to_board;
            REQUIRE(tr_affine_invert(&film.model[tr_skeleton_find(skeleton, "board")], &to_board));
            for (int side = 0; side < 2; side++) {
                tr_vec3 ball =
                    tr_affine_apply(&to_board, film_point(&film, side ? "right_toes" : "left_toes"));
                first[side] = i ? first[side] : ball;
                CHECK_NEAR((double)tr_vec3_distance(ball, first[side]), 0, 3e-4);
                CHECK_NEAR((double)ball.y, 0, 1e-3);
            }
        }
        tr_pose_destroy(&film.pose);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(in_the_air_the_body_falls_freely_and_the_wheels_clear_a_kerb) {
    const double rate = 240;
    for (float height = 1.2f; height < 2; height += .55f) {
        tr_body *body = NULL;
        tr_skeleton *skeleton = make_skeleton(height, TR_SHAPE_ADULT, &body);
        tr_clip *clip = make_clip(skeleton, TR_SKATEBOARDER_JUMP, 0, rate, 0);
        clip_film film;
        REQUIRE(clip && film_open(&film, skeleton, clip));
        REQUIRE(tr_clip_event_count(clip) == 2);
        double pop = tr_clip_get_event(clip, 0).time, land = tr_clip_get_event(clip, 1).time;
        CHECK_NEAR(land - pop, .5 * sqrt((double)height / 1.75), .01);
        // A parabola through the heights at the beginning, in the middle and at the end of the flight.
        double heights[3] = {0}, highest = 0, worst = 0, size = (double)height / 1.75;
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
                double time = i / rate, x = (time - pop) / (land - pop);
                if (x < .01 || x > .99)
                    continue;
                film_show(&film, i);
                double y = (double)centre_of(tr_body_view(body), film.model).y;
                double wheel = (double)film_point(&film, "front_left_wheel").y - (double)WHEEL * size;
                highest = fmax(highest, wheel);
                int at = fabs(x - .02) < .005 ? 0 : fabs(x - .5) < .005 ? 1 : fabs(x - .98) < .005 ? 2 : -1;
                if (pass == 0 && at >= 0)
                    heights[at] = y;
                double fall = .5 * 9.81 * (land - pop) * (land - pop),
                       straight = heights[0] + (heights[2] - heights[0]) * (x - .02) / .96;
                if (pass == 1)
                    worst = fmax(worst, fabs(y - straight - fall * (x - .02) * (.98 - x)));
            }
        CHECK(worst < .03 * size); // capsules have other masses than segments
        CHECK(highest > .38 * size && highest < .5 * size);
        tr_pose_destroy(&film.pose);
        tr_clip_destroy(clip);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

// Gravity and centrifugal force act along the line from the wheels to the centre of mass.
TEST(a_turning_skateboarder_leans_into_the_turn) {
    tr_body *body = NULL;
    tr_skeleton *skeleton = make_skeleton(0, TR_SHAPE_ADULT, &body);
    for (int side = -1; side <= 1; side++) {
        tr_clip *clip = make_clip(skeleton, TR_SKATEBOARDER_GLIDE, 50 * side, 240, 0);
        clip_film film;
        REQUIRE(clip && film_open(&film, skeleton, clip));
        uint32_t middle = tr_clip_frame_count(clip) / 2;
        tr_base before = tr_clip_frame_base(clip, middle - 1), after = tr_clip_frame_base(clip, middle + 1);
        double rate = (double)(after.heading - before.heading) * 120, wanted = atan2(SPEED * rate, 9.81);
        film_show(&film, middle);
        tr_affine place = tr_base_place(tr_clip_frame_base(clip, middle), 0), back;
        REQUIRE(tr_affine_invert(&place, &back));
        tr_vec3 centre = tr_affine_apply(&back, centre_of(tr_body_view(body), film.model));
        CHECK_NEAR(atan2((double)centre.x, (double)centre.y), wanted, .06);
        CHECK(side == 0 || fabs(wanted) > .2);
        tr_vec3 deck = film_point(&film, "board");
        CHECK((deck.x - place.m[0][3]) * (float)side >= 0); // the deck tilts to the same side
        tr_pose_destroy(&film.pose);
        tr_clip_destroy(clip);
    }
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(wheels_turn_as_far_as_they_roll) {
    tr_skeleton *skeleton = make_skeleton(0, TR_SHAPE_ADULT, NULL);
    tr_clip *clip = make_clip(skeleton, TR_SKATEBOARDER_GLIDE, 0, 480, 0);
    tr_pose pose = {0};
    uint32_t wheel = tr_skeleton_find(skeleton, "back_left_wheel");
    REQUIRE(clip && wheel != TR_NONE &&
            tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK);
    double turned = 0;
    tr_quat last = tr_quat_identity();
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        CHECK(tr_clip_get_frame(clip, i, &pose) == TR_OK);
        tr_quat now = tr_pose_rotation(&pose, wheel);
        if (i > 0)
            turned += (double)tr_quat_to_vector(tr_quat_multiply(tr_quat_conjugate(last), now)).x;
        last = now;
    }
    double way = (double)tr_clip_advance(clip).z;
    CHECK_NEAR(turned * (double)WHEEL, way, TR_PI * (double)WHEEL); // to within half a turn
    CHECK_NEAR(way, SPEED * 50 / 30, 1e-3);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(clips_that_meet_have_the_same_pose_and_speed) {
    tr_skeleton *skeleton = make_skeleton(0, TR_SHAPE_ADULT, NULL);
    REQUIRE(skeleton);
    const uint32_t half = 20;
    tr_clip *glide = make_clip(skeleton, TR_SKATEBOARDER_GLIDE, 0, 240, 2 * half);
    tr_clip *stand = make_clip(skeleton, TR_SKATEBOARDER_STAND, 0, 240, 0);
    REQUIRE(glide && stand);
    for (uint32_t i = 0; i < TR_SKATEBOARDER_BEHAVIORS; i++) {
        tr_skateboarder_behavior behavior = tr_skateboarder_get_behavior(i);
        tr_clip *clip =
            make_clip(skeleton, behavior.kind, (double)behavior.turn * 180 / TR_PI, 240, 2 * half);
        REQUIRE(clip);
        uint32_t last = tr_clip_frame_count(clip) - half;
        CHECK_INT(last - half, behavior.frames * 8);
        for (uint32_t k = 0; k < half; k++) {
            if (!behavior.stands_before)
                CHECK(frame_difference(clip, k, glide, k) < 2e-3);
            if (!behavior.stands_after)
                CHECK(frame_difference(clip, last + k, glide, half + k) < 2e-3);
        }
        if (behavior.stands_before)
            CHECK(frame_difference(clip, half, stand, 0) < 1e-4);
        if (behavior.stands_after)
            CHECK(frame_difference(clip, last, stand, 0) < 1e-4);
        // The speed of the base at both ends.
        tr_base a = tr_clip_frame_base(clip, half), b = tr_clip_frame_base(clip, half + 1);
        CHECK_NEAR(hypot((double)(b.x - a.x), (double)(b.z - a.z)) * 240, behavior.stands_before ? 0 : SPEED,
                   .02);
        a = tr_clip_frame_base(clip, last - 1), b = tr_clip_frame_base(clip, last);
        CHECK_NEAR(hypot((double)(b.x - a.x), (double)(b.z - a.z)) * 240, behavior.stands_after ? 0 : SPEED,
                   .02);
        tr_clip_destroy(clip);
    }
    tr_clip_destroy(stand);
    tr_clip_destroy(glide);
    tr_skeleton_destroy(skeleton);
}

TEST(the_machine_of_the_paper_has_eleven_clips_and_835_frames) {
    tr_skeleton *skeleton = make_skeleton(0, TR_SHAPE_ADULT, NULL);
    uint32_t frames = 0;
    for (uint32_t i = 0; i < TR_SKATEBOARDER_BEHAVIORS; i++) {
        tr_skateboarder_behavior behavior = tr_skateboarder_get_behavior(i);
        tr_clip *clip =
            make_clip(skeleton, behavior.kind, (double)behavior.turn * 180 / TR_PI, 0, behavior.extra_frames);
        REQUIRE(clip);
        CHECK_INT(tr_clip_frame_count(clip), behavior.frames + 16);
        frames += tr_clip_frame_count(clip);
        CHECK(behavior.name && behavior.weight >= 1);
        tr_clip_destroy(clip);
    }
    CHECK_INT(frames, 835);
    CHECK(tr_skateboarder_get_behavior(TR_SKATEBOARDER_BEHAVIORS).name == NULL);
    tr_skeleton_destroy(skeleton);
}

// -----------------------------------------------------------------------------------------------------
// errors

TEST(skateboarders_and_clips_out_of_range_are_refused) {
    tr_mannequin_def tall = {.height = 3};
    tr_skeleton *skeleton = NULL, *mannequin = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    CHECK(tr_skateboarder_make(&tall, &skeleton, &body, &error) == TR_INVALID && !skeleton && !body);
    CHECK_CONTAINS(error.message, "height");
    tr_mannequin_def plain = {0};
    REQUIRE(tr_mannequin_make(&plain, &mannequin, NULL, NULL) == TR_OK);
    skeleton = make_skeleton(0, TR_SHAPE_ADULT, NULL);
    const struct {
        tr_skateboarder_clip_def def;
        const char *words;
    } cases[] = {{{.skeleton = NULL}, "needs a skeleton"},
                 {{.skeleton = mannequin}, "27 joints"},
                 {{.skeleton = skeleton, .kind = TR_SKATEBOARDER_KINDS}, "no skateboarder clip of kind"},
                 {{.skeleton = skeleton, .kind = TR_SKATEBOARDER_GLIDE, .turn = 2}, "the most is 60"},
                 {{.skeleton = skeleton, .kind = TR_SKATEBOARDER_GLIDE, .turn = NAN}, "the most is 60"},
                 {{.skeleton = skeleton, .kind = TR_SKATEBOARDER_JUMP, .turn = .1f}, "does not turn"},
                 {{.skeleton = skeleton, .frames_per_second = 9}, "10 to 1000"},
                 {{.skeleton = skeleton, .extra_frames = 3}, "even"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_clip *clip = NULL;
        CHECK(tr_skateboarder_clip_make(&cases[i].def, &clip, &error) == TR_INVALID);
        CHECK_CONTAINS(error.message, cases[i].words);
        CHECK(!clip);
    }
    tr_skeleton_destroy(skeleton);
    tr_skeleton_destroy(mannequin);
}

static bool make_whole(const tr_allocator *allocator) {
    tr_mannequin_def def = {.allocator = allocator, .detail = 1};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_clip *clip = NULL;
    tr_status status = tr_skateboarder_make(&def, &skeleton, &body, NULL);
    CHECK((status == TR_OK) == (skeleton != NULL) && (status == TR_OK) == (body != NULL));
    if (status == TR_OK) {
        tr_skateboarder_clip_def jump = {.allocator = allocator,
                                         .skeleton = skeleton,
                                         .kind = TR_SKATEBOARDER_JUMP,
                                         .frames_per_second = 10};
        status = tr_skateboarder_clip_make(&jump, &clip, NULL);
        CHECK((status == TR_OK) == (clip != NULL));
    }
    tr_clip_destroy(clip);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK;
}

TEST(a_skateboarder_without_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_whole) >= 20);
}
