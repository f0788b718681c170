#include "test.h"
#include "troupe/motion/figure.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <stdlib.h>

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

static bool attempt_turn(const tr_allocator *allocator) {
    tr_figure figure;
    bool done = make_walker(allocator, &figure) && tr_figure_turn(&figure, 1, NULL) == TR_OK;
    tr_figure_destroy(&figure);
    return done;
}

TEST(a_figure_that_cannot_be_turned_for_want_of_memory_leaks_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_turn) > 20);
}
