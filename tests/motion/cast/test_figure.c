#include "test.h"
#include "troupe/motion/figure.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <stdlib.h>

#define QUARTER 1.57079632679489661923

static tr_skeleton *make_skeleton(const tr_allocator *allocator) {
    tr_joint_def joint = {.name = "root", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def def = {.allocator = allocator, .joints = &joint, .joint_count = 1};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

static tr_clip *make_clip(const tr_allocator *allocator, const tr_skeleton *skeleton, const char *name) {
    tr_clip_def def = {.allocator = allocator,
                       .name = name,
                       .skeleton = skeleton,
                       .frame_count = 2,
                       .frames_per_second = 30};
    tr_clip *clip = NULL;
    tr_clip_create(&def, &clip, NULL);
    return clip;
}

// A figure with a skeleton and clips, all from one allocator; false: no memory, everything was given back.
static bool attempt(const tr_allocator *allocator) {
    tr_figures figures = tr_figures_begin(allocator);
    tr_figure *figure = tr_figures_add(&figures);
    bool good = figure && tr_figure_set_name(figure, "Ada") == TR_OK;
    figure = good ? tr_figures_add(&figures) : NULL;
    good = figure && tr_figure_set_name(figure, "Bob") == TR_OK && tr_figure_set_name(figure, "Bea") == TR_OK;
    if (good)
        figure->skeleton = make_skeleton(allocator);
    good = good && figure->skeleton;
    for (int i = 0; i < 10 && good; i++) {
        tr_clip *clip = make_clip(allocator, figure->skeleton, i == 7 ? "walk" : "other");
        good = clip && tr_figure_add_clip(figure, clip) == TR_OK;
        if (!good)
            tr_clip_destroy(clip);
    }
    if (good) {
        CHECK_INT(figures.count, 2);
        CHECK_TEXT(figures.items[0].name, "Ada");
        CHECK_TEXT(figures.items[1].name, "Bea");
        CHECK(tr_figure_find_clip(figure, "walk") == figure->clips[7]);
        CHECK(tr_figure_find_clip(figure, "run") == NULL);
        CHECK(tr_figure_find_clip(figure, NULL) == NULL);
    }
    tr_figures_destroy(&figures);
    return good;
}

TEST(figures_own_and_release_what_they_hold) {
    CHECK(attempt(NULL));
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 20);
}

TEST(an_empty_figure_can_be_named_and_destroyed) {
    tr_figure figure = {0};
    tr_figure_destroy(&figure);
    CHECK_INT(tr_figure_set_name(&figure, "nobody"), TR_OK);
    CHECK_TEXT(figure.name, "nobody");
    CHECK_INT(tr_figure_set_name(&figure, NULL), TR_OK);
    CHECK(figure.name == NULL);
    tr_figure_destroy(&figure);
}

// A walking mannequin with its skin, from one allocator; false: no memory.
static bool make_walker(const tr_allocator *allocator, tr_figure *figure) {
    tr_mannequin_def def = {.allocator = allocator, .detail = 1};
    *figure = (tr_figure){.allocator = tr_allocator_or_default(allocator)};
    if (tr_mannequin_make(&def, &figure->skeleton, &figure->body, NULL) != TR_OK)
        return false;
    tr_gait_def gait = {
        .allocator = allocator, .skeleton = figure->skeleton, .kind = TR_GAIT_WALK, .frames_per_second = 30};
    tr_clip *clip = NULL;
    if (tr_gait_make(&gait, &clip, NULL) != TR_OK)
        return false;
    if (tr_figure_add_clip(figure, clip) == TR_OK)
        return true;
    tr_clip_destroy(clip);
    return false;
}

// Where the skin is in a frame, in the world.
static void place_skin(const tr_figure *figure, uint32_t frame, tr_vec3 *places) {
    uint32_t count = tr_skeleton_joint_count(figure->skeleton);
    tr_affine *model = malloc(count * sizeof *model);
    tr_pose pose;
    REQUIRE(model && tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
    REQUIRE(tr_clip_get_frame(figure->clips[0], frame, &pose) == TR_OK);
    tr_affine place = tr_base_place(tr_clip_frame_base(figure->clips[0], frame), 0);
    tr_pose_to_model(figure->skeleton, &pose, &place, model);
    tr_body_skin(figure->body, model, places, NULL);
    tr_pose_destroy(&pose);
    free(model);
}

TEST(a_turned_figure_has_the_same_skin_turned_in_every_frame) {
    static const float angles[] = {0.3f, -1.5707963f, 3.1415927f};
    tr_figure figure;
    REQUIRE(make_walker(NULL, &figure));
    uint32_t vertices = tr_body_view(figure.body)->vertex_count;
    tr_vec3 *before = malloc(vertices * sizeof *before), *after = malloc(vertices * sizeof *after);
    REQUIRE(before && after);
    CHECK_NEAR(tr_skeleton_facing(figure.skeleton), 0, 1e-6);
    float facing = 0;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        tr_quat turn = tr_quat_about(tr_vec3_make(0, 1, 0), (double)angles[i]);
        for (uint32_t frame = 0; frame < tr_clip_frame_count(figure.clips[0]); frame += 7) {
            tr_figure turned;
            REQUIRE(make_walker(NULL, &turned));
            REQUIRE(tr_figure_turn(&turned, angles[i], NULL) == TR_OK);
            facing = tr_skeleton_facing(turned.skeleton);
            place_skin(&figure, frame, before);
            place_skin(&turned, frame, after);
            float off = 0;
            for (uint32_t k = 0; k < vertices; k++) {
                tr_vec3 apart = tr_vec3_subtract(tr_quat_rotate(turn, before[k]), after[k]);
                off = fmaxf(off, tr_vec3_length(apart));
            }
            CHECK_NEAR(off, 0, 1e-5);
            tr_figure_destroy(&turned);
        }
        CHECK_NEAR(cos((double)facing - (double)angles[i]), 1, 1e-9);
    }
    free(before);
    free(after);
    CHECK_INT(tr_figure_turn(&figure, NAN, NULL), TR_INVALID);
    tr_figure_destroy(&figure);
}

TEST(a_moved_figure_has_the_same_skin_elsewhere_in_every_frame) {
    const tr_vec3 by = {3, -0.5f, 2};
    tr_figure figure, moved;
    REQUIRE(make_walker(NULL, &figure) && make_walker(NULL, &moved));
    CHECK(tr_figure_move(&moved, by, NULL) == TR_OK);
    uint32_t vertices = tr_body_view(figure.body)->vertex_count;
    tr_vec3 *before = malloc(vertices * sizeof *before), *after = malloc(vertices * sizeof *after);
    REQUIRE(before && after);
    for (uint32_t frame = 0; frame < tr_clip_frame_count(figure.clips[0]); frame += 7) {
        float off = 0;
        place_skin(&figure, frame, before);
        place_skin(&moved, frame, after);
        for (uint32_t k = 0; k < vertices; k++)
            off = fmaxf(off, tr_vec3_length(tr_vec3_subtract(tr_vec3_add(before[k], by), after[k])));
        CHECK_NEAR(off, 0, 1e-5);
    }
    for (uint32_t k = 0; k < vertices; k += 11) {
        tr_vec3 a = tr_body_view(figure.body)->positions[k], b = tr_body_view(moved.body)->positions[k];
        CHECK(tr_vec3_length(tr_vec3_subtract(tr_vec3_subtract(b, a), by)) < 1e-6f);
    }
    free(before);
    free(after);
    CHECK_INT(tr_figure_move(&figure, tr_vec3_make(NAN, 0, 0), NULL), TR_INVALID);
    tr_figure_destroy(&figure);
    tr_figure_destroy(&moved);
}

// A mannequin without clips whose root is turned at rest, as if another axis pointed up in its file.
static bool make_lying(const tr_allocator *allocator, tr_quat turn, tr_figure *figure) {
    tr_mannequin_def def = {.allocator = allocator, .detail = 1};
    tr_joint_def joints[64];
    tr_skeleton *upright = NULL;
    tr_body *body = NULL;
    *figure = (tr_figure){.allocator = tr_allocator_or_default(allocator)};
    if (tr_mannequin_make(&def, &upright, &body, NULL) != TR_OK)
        return false;
    uint32_t count = tr_skeleton_joint_count(upright);
    tr_body_def lying = *tr_body_view(body);
    tr_vec3 *positions = malloc(lying.vertex_count * sizeof *positions),
            *normals = malloc(lying.vertex_count * sizeof *normals);
    tr_affine *inverse = malloc(count * sizeof *inverse);
    if (count > 64 || !positions || !normals || !inverse)
        abort();
    tr_transform back = tr_transform_identity();
    back.rotation = tr_quat_conjugate(turn);
    tr_affine map = tr_affine_from_transform(back);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(upright, i);
        inverse[i] = tr_affine_multiply(&lying.inverse_rest[i], &map);
    }
    for (uint32_t i = 0; i < lying.vertex_count; i++) {
        positions[i] = tr_quat_rotate(turn, lying.positions[i]);
        normals[i] = tr_quat_rotate(turn, lying.normals[i]);
    }
    joints[0].rest.position = tr_quat_rotate(turn, joints[0].rest.position);
    joints[0].rest.rotation = tr_quat_multiply(turn, joints[0].rest.rotation);
    lying.allocator = allocator;
    lying.positions = positions;
    lying.normals = normals;
    lying.inverse_rest = inverse;
    tr_skeleton_def skeleton = {.allocator = allocator, .joints = joints, .joint_count = count};
    bool made = tr_skeleton_create(&skeleton, &figure->skeleton, NULL) == TR_OK &&
                tr_body_create(&lying, &figure->body, NULL) == TR_OK;
    free(positions);
    free(normals);
    free(inverse);
    tr_body_destroy(body);
    tr_skeleton_destroy(upright);
    return made;
}

TEST(a_body_that_lies_at_rest_is_raised_whichever_axis_pointed_up) {
    static const tr_vec3 axes[] = {{1, 0, 0}, {0, 0, 1}, {1, 1, 1}, {1, 0, 1}};
    static const double angles[] = {QUARTER, -QUARTER, 2 * QUARTER};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            double angle = i == 2 ? angles[k] * 4 / 3 : i == 3 ? 2 * QUARTER : angles[k];
            tr_figure figure;
            bool raised = false;
            REQUIRE(make_lying(NULL, tr_quat_about(axes[i], angle), &figure));
            REQUIRE(tr_figure_raise(&figure, &raised, NULL) == TR_OK);
            CHECK(raised || (i == 2 && k == 2)); // by 240 degrees the body stands again, elsewhere
            uint32_t head = tr_skeleton_with_role(figure.skeleton, TR_ROLE_HEAD);
            tr_vec3 at = tr_affine_position(&tr_skeleton_rest_model(figure.skeleton)[head]);
            CHECK(at.y > 1.4f && fabsf(at.x) < 0.1f && fabsf(at.z) < 0.1f);
            tr_sole sole = tr_skeleton_sole(figure.skeleton, 0);
            CHECK(sole.known && fabsf(sole.heel.y) < 0.03f);
            REQUIRE(tr_figure_raise(&figure, &raised, NULL) == TR_OK);
            CHECK(!raised);
            tr_figure_destroy(&figure);
        }
}

static bool attempt_raise(const tr_allocator *allocator) {
    tr_figure figure;
    bool raised, done = make_lying(allocator, tr_quat_about(tr_vec3_make(1, 0, 0), QUARTER), &figure) &&
                        tr_figure_raise(&figure, &raised, NULL) == TR_OK &&
                        tr_figure_move(&figure, tr_vec3_make(1, 2, 3), NULL) == TR_OK;
    tr_figure_destroy(&figure);
    return done;
}

TEST(a_figure_that_cannot_be_raised_for_want_of_memory_leaks_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_raise) > 10);
}

static bool attempt_turn(const tr_allocator *allocator) {
    tr_figure figure;
    bool done = make_walker(allocator, &figure) && tr_figure_turn(&figure, 1, NULL) == TR_OK;
    tr_figure_destroy(&figure);
    return done;
}

TEST(a_figure_that_cannot_be_turned_for_want_of_memory_leaks_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_turn) > 20);
}
