// Machines built from captures whose truth is known: courses of clips that Troupe makes itself, on bodies of
// any size, at any rate, turned, trimmed, with noise.
#include "behavior_course.h"

static course_step plain[] = {
    {.kind = TR_BEHAVIOR_CLIP_START, .turn = 0},   {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},     {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.6f},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},     {.kind = TR_BEHAVIOR_CLIP_WAIT, .turn = 0},
    {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = -0.5f}, {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
    {.kind = TR_BEHAVIOR_CLIP_END, .turn = 0},
};
#define PLAIN (sizeof plain / sizeof *plain)

static tr_behavior_piece_kind kind_of(const course_step *step) {
    switch (step->kind) {
    case TR_BEHAVIOR_CLIP_START:
        return TR_BEHAVIOR_PIECE_START;
    case TR_BEHAVIOR_CLIP_END:
        return TR_BEHAVIOR_PIECE_END;
    case TR_BEHAVIOR_CLIP_WAIT:
        return TR_BEHAVIOR_PIECE_WAIT;
    case TR_BEHAVIOR_CLIP_JUMP:
        return TR_BEHAVIOR_PIECE_JUMP;
    case TR_BEHAVIOR_CLIP_DUCK:
        return TR_BEHAVIOR_PIECE_DUCK;
    case TR_BEHAVIOR_CLIP_CRAWL:
        return TR_BEHAVIOR_PIECE_CRAWL;
    default:
        return step->turn == 0 ? TR_BEHAVIOR_PIECE_GO : TR_BEHAVIOR_PIECE_TURN;
    }
}

// A jog of the course is a piece of the same kind, between moments that are as near as frames and feet allow.
// Starts, stops and waits may be cut at steps in between: the piece lies within the step of the course.
static bool is_step(const course *c, const course_step *step, const tr_behavior_piece *piece, double slack) {
    double begin = piece->first / c->rate, end = piece->last / c->rate;
    if (piece->mirrored || piece->kind != kind_of(step))
        return false;
    if (step->kind == TR_BEHAVIOR_CLIP_JOG)
        return fabs(begin - step->begin) < slack && fabs(end - step->end) < slack;
    double before = step->kind == TR_BEHAVIOR_CLIP_START ? 0.6 : slack,
           after = step->kind == TR_BEHAVIOR_CLIP_END ? 0.6 : slack;
    return begin > step->begin - before && end < step->end + after;
}

static bool is_cut_at(const course *c, const tr_behavior_build *build, double time, double slack) {
    for (uint32_t k = 0; k < build->piece_count; k++) {
        const tr_behavior_piece *piece = &build->pieces[k];
        if (!piece->mirrored &&
            (fabs(piece->first / c->rate - time) < slack || fabs(piece->last / c->rate - time) < slack))
            return true;
    }
    return false;
}

static void check_course(const course *c, const tr_behavior_build *build, double slack) {
    uint32_t strike = TR_NONE;
    for (uint32_t i = 0; i < c->step_count; i++) {
        const course_step *step = &c->steps[i];
        const tr_behavior_piece *found = NULL;
        for (uint32_t k = 0; k < build->piece_count && !found; k++)
            found = is_step(c, step, &build->pieces[k], slack) ? &build->pieces[k] : NULL;
        if (!found) {
            test_failed(__FILE__, __LINE__, "step %u (%s from %.2f to %.2f s) is no piece", i,
                        tr_behavior_clip_name(step->kind), step->begin, step->end);
            continue;
        }
        CHECK(step->kind == TR_BEHAVIOR_CLIP_START || is_cut_at(c, build, step->begin, slack));
        CHECK(step->kind == TR_BEHAVIOR_CLIP_END || is_cut_at(c, build, step->end, slack));
        CHECK_INT(found->begin == build->rest, step->kind == TR_BEHAVIOR_CLIP_START);
        CHECK_INT(found->end == build->rest, step->kind == TR_BEHAVIOR_CLIP_END);
        CHECK_NEAR((double)found->turn, (double)step->turn, 0.13);
        for (int side = 0; side < 2 && step->kind == TR_BEHAVIOR_CLIP_JOG; side++) {
            uint32_t label = side ? found->end : found->begin; // all strikes in the jog are alike
            strike = strike == TR_NONE ? label : strike;
            CHECK_INT(label, strike);
        }
    }
}

static void check_plain(const course_def *def, double slack) {
    course c;
    tr_behavior_build *build = NULL;
    tr_error error = {0};
    REQUIRE(course_make(&c, def, plain, PLAIN));
    tr_status status = course_build(&c, NULL, false, &build, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    else {
        check_course(&c, build, slack);
        check_machine(build);
        CHECK(!build->never_stands);
    }
    tr_behavior_build_destroy(build);
    course_destroy(&c);
}

TEST(pieces_kinds_and_labels_of_a_known_course_are_found) {
    static const float bodies[] = {1.1f, 1.75f, 2.0f};
    static const double rates[] = {30, 60, 120};
    for (int b = 0; b < 3; b++)
        for (int r = 0; r < 3; r++) {
            course_def def = {.height = bodies[b], .rate = rates[r], .seed = (uint32_t)(3 * b + r)};
            check_plain(&def, 0.09);
        }
}

TEST(a_course_is_found_through_noise_and_an_added_pose) {
    for (uint32_t seed = 1; seed <= 3; seed++) {
        course_def def = {
            .height = 1.6f, .rate = seed == 1 ? 120 : 60, .seed = seed, .noise = 0.012f, .added_pose = true};
        check_plain(&def, 0.11);
    }
}

TEST(the_rest_pose_of_a_capture_does_not_matter) {
    for (int convention = 0; convention < REST_CONVENTIONS; convention++) {
        course_def def = {.height = 1.75f, .rate = 60, .seed = 5, .rest = convention + 1};
        check_plain(&def, 0.09);
    }
}

// One step of a kind among jogs, on a body of this height; the obstacle grows with the body.
static void check_special(float body, tr_behavior_clip_kind kind, float height, bool one_sided) {
    course_step steps[] = {{.kind = TR_BEHAVIOR_CLIP_START},
                           {.kind = TR_BEHAVIOR_CLIP_JOG},
                           {.kind = kind, .height = height * body / 1.75f},
                           {.kind = TR_BEHAVIOR_CLIP_JOG},
                           {.kind = TR_BEHAVIOR_CLIP_JOG},
                           {.kind = TR_BEHAVIOR_CLIP_END}};
    course_def def = {.height = body, .rate = 60, .seed = 3};
    course c;
    tr_behavior_build *build = NULL;
    tr_behavior_cast *cast = NULL;
    REQUIRE(course_make(&c, &def, steps, 6));
    REQUIRE(course_build(&c, NULL, one_sided, &build, NULL) == TR_OK);
    uint32_t found = 0;
    for (uint32_t i = 0; i < build->piece_count; i++) {
        const tr_behavior_piece *piece = &build->pieces[i];
        bool special = piece->kind == TR_BEHAVIOR_PIECE_JUMP || piece->kind == TR_BEHAVIOR_PIECE_DUCK ||
                       piece->kind == TR_BEHAVIOR_PIECE_CRAWL;
        if (piece->mirrored || !special)
            continue;
        found++;
        CHECK_INT(piece->kind, kind_of(&c.steps[2]));
        CHECK(piece->state != TR_NONE);
        double action = piece->first / c.rate + piece->action;
        CHECK(action > c.steps[2].begin && action < c.steps[2].end);
    }
    CHECK_INT(found, 1);
    // It serves a band of heights; nothing else does.
    tr_behavior_cast_def whole = {.skeleton = c.target};
    REQUIRE(tr_behavior_build_cast(build, &whole, &cast, NULL) == TR_OK);
    const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
    CHECK(machine->band_count >= 2);
    for (uint32_t i = 0; i < machine->state_count; i++) {
        bool special = build->states[i].kind == TR_BEHAVIOR_PIECE_CRAWL ||
                       build->states[i].kind == TR_BEHAVIOR_PIECE_JUMP ||
                       build->states[i].kind == TR_BEHAVIOR_PIECE_DUCK;
        CHECK_INT(machine->states[i].serves != 0, special);
        if (special)
            CHECK_INT(machine->bands[machine->states[i].serves].low > 0, kind == TR_BEHAVIOR_CLIP_JUMP);
    }
    tr_behavior_cast_destroy(cast);
    tr_behavior_build_destroy(build);
    course_destroy(&c);
}

TEST(jumps_ducks_and_crawls_are_found_on_bodies_of_any_size_and_serve_bands) {
    static const float bodies[] = {1.1f, 1.75f, 2.0f};
    for (int b = 0; b < 3; b++) {
        check_special(bodies[b], TR_BEHAVIOR_CLIP_JUMP, 0.4f, false);
        check_special(bodies[b], TR_BEHAVIOR_CLIP_JUMP, 0.7f, b == 1);
        check_special(bodies[b], TR_BEHAVIOR_CLIP_DUCK, 1.0f, false);
        check_special(bodies[b], TR_BEHAVIOR_CLIP_CRAWL, 0, false);
    }
}

TEST(one_sided_machines_have_no_mirror_images) {
    course_def def = {.height = 1.75f, .rate = 60, .seed = 2};
    course c;
    tr_behavior_build *build = NULL;
    REQUIRE(course_make(&c, &def, plain, PLAIN));
    REQUIRE(course_build(&c, NULL, true, &build, NULL) == TR_OK);
    check_course(&c, build, 0.09);
    for (uint32_t i = 0; i < build->piece_count; i++)
        CHECK(!build->pieces[i].mirrored);
    tr_behavior_build *both = NULL;
    REQUIRE(course_build(&c, NULL, false, &both, NULL) == TR_OK);
    uint32_t turns[2] = {0, 0};
    for (uint32_t i = 0; i < both->state_count; i++) {
        const tr_behavior_build_state *state = &both->states[i];
        if (state->kind == TR_BEHAVIOR_PIECE_TURN)
            turns[both->pieces[both->clips[state->clip].piece].turn > 0]++;
    }
    CHECK(turns[0] >= 1 && turns[1] >= 1);
    CHECK(both->clip_count > build->clip_count);
    tr_behavior_build_destroy(build);
    tr_behavior_build_destroy(both);
    course_destroy(&c);
}

TEST(clips_are_cut_with_extra_frames_and_go_as_far_as_the_report_says) {
    course_def def = {.height = 1.75f, .rate = 120, .seed = 4};
    course c;
    tr_behavior_build *build = NULL;
    REQUIRE(course_make(&c, &def, plain, PLAIN));
    REQUIRE(course_build(&c, NULL, false, &build, NULL) == TR_OK);
    for (uint32_t i = 0; i < build->clip_count; i++) {
        const tr_behavior_build_clip *clip = &build->clips[i];
        const tr_behavior_piece *piece = &build->pieces[clip->piece];
        tr_base way = tr_base_difference(tr_clip_frame_base(clip->motion, clip->first),
                                         tr_clip_frame_base(clip->motion, clip->last));
        CHECK_NEAR((double)way.x, (double)piece->x, 2e-3);
        CHECK_NEAR((double)way.z, (double)piece->z, 2e-3);
        CHECK_NEAR((double)way.heading, (double)piece->turn, 2e-3);
        CHECK_NEAR(tr_clip_rate(clip->motion), 30, 0);
        CHECK_NEAR((clip->last - clip->first) / 30.0, piece->seconds, 1e-9);
        CHECK(clip->first <= 8 && clip->last + 9 >= tr_clip_frame_count(clip->motion));
        CHECK(clip->action * 30 >= clip->first && clip->action * 30 <= clip->last);
        CHECK(tr_clip_has_base(clip->motion) && tr_clip_event_count(clip->motion) > 0);
    }
    tr_behavior_build_destroy(build);
    course_destroy(&c);
}

TEST(a_machine_without_standing_rests_in_its_most_frequent_stride) {
    static course_step jogs[] = {{.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
                                 {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.5f},
                                 {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
                                 {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
                                 {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = -0.4f}};
    course_def def = {.height = 1.75f, .rate = 60, .seed = 1};
    course c;
    tr_behavior_build *build = NULL;
    REQUIRE(course_make(&c, &def, jogs, 5));
    REQUIRE(course_build(&c, NULL, false, &build, NULL) == TR_OK);
    CHECK(build->never_stands);
    CHECK_TEXT(build->labels[build->rest].name, "rest");
    check_machine(build);
    tr_behavior_build_destroy(build);
    course_destroy(&c);
}

TEST(captures_without_locomotion_are_refused_with_a_sentence) {
    course_def def = {.height = 1.75f, .rate = 60, .stands = 3};
    course c;
    tr_behavior_build *build = NULL;
    tr_error error = {0};
    REQUIRE(course_make(&c, &def, NULL, 0));
    CHECK_INT(course_build(&c, NULL, false, &build, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no locomotion");
    CHECK(!build);
    // One step from here to there cannot be repeated either.
    tr_behavior_build_def none = {.skeleton = c.target};
    CHECK_INT(tr_behavior_build_make(&none, &build, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no captures");
    course_destroy(&c);
}

TEST(parameters_out_of_range_are_refused) {
    course_def def = {.height = 1.75f, .rate = 60, .stands = 1};
    course c;
    REQUIRE(course_make(&c, &def, NULL, 0));
    tr_behavior_capture capture = {"a", c.skeleton, c.clip, false}, empty = {"b", c.skeleton, NULL, false};
    static const struct {
        double rate;
        float tolerance;
        const char *words;
    } bad[] = {{5, 0, "10 to 240"}, {NAN, 0, "10 to 240"}, {0, -1, "0.01 to 2"}, {0, NAN, "0.01 to 2"}};
    tr_behavior_build *build = NULL;
    tr_error error = {0};
    for (int i = 0; i < 4; i++) {
        tr_behavior_build_def wrong = {.skeleton = c.target,
                                       .captures = &capture,
                                       .capture_count = 1,
                                       .frames_per_second = bad[i].rate,
                                       .tolerance = bad[i].tolerance};
        CHECK_INT(tr_behavior_build_make(&wrong, &build, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, bad[i].words);
    }
    tr_behavior_build_def wrong = {.captures = &capture, .capture_count = 1};
    CHECK_INT(tr_behavior_build_make(&wrong, &build, &error), TR_INVALID);
    wrong = (tr_behavior_build_def){.skeleton = c.target, .captures = &empty, .capture_count = 1};
    CHECK_INT(tr_behavior_build_make(&wrong, &build, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "no clip");
    course_destroy(&c);
}

TEST(a_capture_that_is_no_human_is_left_out_and_reported) {
    tr_joint_def joints[2] = {{.name = "trunk", .parent = TR_NONE, .rest = tr_transform_identity()},
                              {.name = "tail", .parent = 0, .rest = tr_transform_identity()}};
    tr_skeleton_def body = {.joints = joints, .joint_count = 2};
    tr_skeleton *worm = NULL;
    tr_clip *crawls = NULL;
    REQUIRE(tr_skeleton_create(&body, &worm, NULL) == TR_OK);
    tr_clip_def motion = {.skeleton = worm, .frame_count = 60, .frames_per_second = 30};
    REQUIRE(tr_clip_create(&motion, &crawls, NULL) == TR_OK);
    course_def def = {.height = 1.75f, .rate = 60, .seed = 8};
    course c;
    REQUIRE(course_make(&c, &def, plain, PLAIN));
    tr_behavior_capture captures[2] = {{"worm", worm, crawls, false}, {"course", c.skeleton, c.clip, false}};
    tr_behavior_build_def both = {.skeleton = c.target, .captures = captures, .capture_count = 2};
    tr_behavior_build *build = NULL;
    REQUIRE(tr_behavior_build_make(&both, &build, NULL) == TR_OK);
    CHECK_INT(build->pieces[0].capture, 0);
    CHECK_INT(build->pieces[0].state, TR_NONE);
    CHECK_CONTAINS(build->pieces[0].reason, "hips");
    CHECK_INT(build->captures_used, 1);
    tr_behavior_build_destroy(build);
    course_destroy(&c);
    tr_clip_destroy(crawls);
    tr_skeleton_destroy(worm);
}

TEST(kinds_have_names) {
    for (int kind = 0; kind < TR_BEHAVIOR_PIECE_KINDS; kind++)
        CHECK(tr_behavior_piece_name((tr_behavior_piece_kind)kind) != NULL);
    CHECK(!tr_behavior_piece_name(TR_BEHAVIOR_PIECE_KINDS));
}

static course *shared;
static bool build_once(const tr_allocator *allocator) {
    tr_behavior_build *build = NULL;
    bool good = course_build(shared, allocator, true, &build, NULL) == TR_OK;
    tr_behavior_build_destroy(build);
    return good;
}

TEST(machines_without_memory_leave_nothing_behind) {
    static course_step jogs[] = {{.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
                                 {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0},
                                 {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0}};
    course_def def = {.height = 1.75f, .rate = 30};
    course c;
    REQUIRE(course_make(&c, &def, jogs, 3));
    shared = &c;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(build_once) > 50);
    course_destroy(&c);
}
