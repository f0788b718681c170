#include "test.h"
#include "troupe/motion/figure.h"

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
