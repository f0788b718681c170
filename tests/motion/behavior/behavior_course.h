// Captures whose truth is known: clips that Troupe makes itself, one after the other.
#pragma once
#include "motion/rest_pose.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/behavior_build.h"
#include "troupe/motion/behavior_clip.h"
#include "troupe/motion/mannequin.h"
#include "troupe/plan/behavior.h"

#include <math.h>
#include <stdlib.h>

#define COURSE_STEPS 16
#define COURSE_ADDED 1 // frames of an added pose

typedef struct course_step {
    tr_behavior_clip_kind kind;
    float turn, height; // height: of an obstacle; 0: the usual
    double begin, end;  // in the capture [s]
} course_step;

typedef struct course_def {
    float height; // of the body that was captured
    double rate;
    uint32_t seed;
    float noise; // of every joint [rad]
    bool added_pose;
    int rest;      // 0: the mannequin's rest pose; 1 and more: a rest_convention
    double stands; // a course without steps [s]
} course_def;

typedef struct course {
    tr_skeleton *skeleton, *target;
    tr_clip *clip;
    course_step steps[COURSE_STEPS];
    uint32_t step_count;
    double rate;
} course;

static inline tr_quat course_shake(tr_random *random, float most) {
    tr_vec3 axis = {tr_random_between(random, -1, 1), tr_random_between(random, -1, 1),
                    tr_random_between(random, -1, 1)};
    return tr_quat_about(axis, (double)tr_random_between(random, -most, most));
}

typedef struct course_writer {
    const course_def *def;
    tr_clip *clip;
    tr_base *bases, at;
    uint32_t next;
    tr_random random;
    tr_pose pose;
} course_writer;

// Frames `from` to `to` - 1 of a clip, from where the course is on.
static inline void course_write(course_writer *w, const tr_clip *clip, uint32_t from, uint32_t to) {
    tr_base first = tr_clip_frame_base(clip, from);
    for (uint32_t i = from; i < to; i++) {
        CHECK(tr_clip_get_frame(clip, i, &w->pose) == TR_OK);
        for (uint32_t k = 0; k < w->pose.joint_count && w->def->noise > 0; k++)
            tr_pose_set_rotation(
                &w->pose, k,
                tr_quat_multiply(tr_pose_rotation(&w->pose, k), course_shake(&w->random, w->def->noise)));
        CHECK(tr_clip_set_frame(w->clip, w->next, &w->pose) == TR_OK);
        w->bases[w->next++] = tr_base_move(w->at, tr_base_difference(first, tr_clip_frame_base(clip, i)));
    }
    w->at = tr_base_move(w->at, tr_base_difference(first, tr_clip_frame_base(clip, to)));
}

// One clip of the course; the first and the last one bring the frames before and after them.
static inline void course_step_write(course *c, course_writer *w, uint32_t number) {
    course_step *step = &c->steps[number];
    uint32_t extra = (uint32_t)(0.6 * c->rate);
    tr_behavior_clip_def def = {.skeleton = c->skeleton,
                                .kind = step->kind,
                                .turn = step->turn,
                                .height = step->height,
                                .seconds = step->kind == TR_BEHAVIOR_CLIP_WAIT ? 0.8 : 0,
                                .seed = w->def->seed ? w->def->seed + number : 0,
                                .extra = extra,
                                .frames_per_second = c->rate};
    tr_behavior_clip_info info;
    tr_clip *clip = NULL;
    if (tr_behavior_clip_make(&def, &clip, &info, NULL) != TR_OK)
        abort();
    uint32_t from = number == 0 ? 0 : info.first;
    uint32_t to = number + 1 == c->step_count ? tr_clip_frame_count(clip) - 1 : info.last;
    step->begin = (w->next + info.first - from) / c->rate;
    step->end = (w->next + info.last - from) / c->rate;
    course_write(w, clip, from, to);
    tr_clip_destroy(clip);
}

static inline tr_clip *course_room(const course *c, uint32_t frames) {
    tr_clip_def def = {.skeleton = c->skeleton, .frame_count = frames, .frames_per_second = c->rate};
    tr_clip *clip = NULL;
    if (tr_clip_create(&def, &clip, NULL) != TR_OK)
        abort();
    return clip;
}

// Keeps the frames that were written, and changes the axes of the rest pose if that is wanted.
static inline void course_finish(course *c, course_writer *w) {
    uint32_t frames = w->next;
    c->clip = course_room(c, frames);
    for (uint32_t i = 0; i < frames; i++) {
        CHECK(tr_clip_get_frame(w->clip, i, &w->pose) == TR_OK);
        CHECK(tr_clip_set_frame(c->clip, i, &w->pose) == TR_OK);
    }
    CHECK(tr_clip_set_base(c->clip, w->bases, tr_base_difference(w->bases[0], w->bases[frames - 1])) ==
          TR_OK);
    tr_clip_destroy(w->clip);
    free(w->bases);
    tr_pose_destroy(&w->pose);
    if (w->def->rest > 0) {
        tr_skeleton *skeleton = NULL;
        tr_clip *clip = NULL;
        CHECK(rest_rewrite(c->skeleton, c->clip, (rest_convention)(w->def->rest - 1), &skeleton, &clip));
        tr_clip_destroy(c->clip);
        tr_skeleton_destroy(c->skeleton);
        c->skeleton = skeleton;
        c->clip = clip;
    }
}

static inline bool course_make(course *c, const course_def *def, const course_step *steps, uint32_t count) {
    tr_mannequin_def body = {.height = def->height}, target = {0};
    *c = (course){.step_count = count, .rate = def->rate};
    for (uint32_t i = 0; i < count; i++)
        c->steps[i] = steps[i];
    if (tr_mannequin_make(&body, &c->skeleton, NULL, NULL) != TR_OK ||
        tr_mannequin_make(&target, &c->target, NULL, NULL) != TR_OK)
        return false;
    uint32_t room = (uint32_t)(def->rate * (4.0 * count + def->stands + 2));
    course_writer w = {.def = def, .random = tr_random_seed(def->seed)};
    w.clip = course_room(c, room);
    w.bases = calloc(room, sizeof *w.bases);
    if (!w.bases || tr_pose_create(NULL, tr_skeleton_joint_count(c->skeleton), &w.pose, NULL) != TR_OK)
        return false;
    w.at = (tr_base){tr_random_between(&w.random, -5, 5), 2, tr_random_between(&w.random, -3, 3)};
    w.next = def->added_pose ? COURSE_ADDED : 0; // far from the course, at rest
    for (uint32_t i = 0; i < count; i++)
        course_step_write(c, &w, i);
    if (count == 0) {
        tr_clip *rest = course_room(c, (uint32_t)(def->stands * def->rate));
        tr_pose_set_rest(&w.pose, c->skeleton);
        for (uint32_t i = 0; i < tr_clip_frame_count(rest); i++)
            CHECK(tr_clip_set_frame(rest, i, &w.pose) == TR_OK);
        course_write(&w, rest, 0, tr_clip_frame_count(rest) - 1);
        tr_clip_destroy(rest);
    }
    course_finish(c, &w);
    return true;
}

static inline void course_destroy(course *c) {
    tr_clip_destroy(c->clip);
    tr_skeleton_destroy(c->skeleton);
    tr_skeleton_destroy(c->target);
}

static inline tr_status course_build(const course *c, const tr_allocator *allocator, bool one_sided,
                                     tr_behavior_build **build, tr_error *error) {
    tr_behavior_capture capture = {"course", c->skeleton, c->clip, false};
    tr_behavior_build_def def = {.allocator = allocator,
                                 .skeleton = c->target,
                                 .captures = &capture,
                                 .capture_count = 1,
                                 .one_sided = one_sided};
    return tr_behavior_build_make(&def, build, error);
}

// What a planner asks of a machine.
static inline void check_machine(const tr_behavior_build *build) {
    tr_behavior_state *states = calloc(build->state_count, sizeof *states);
    tr_behavior_move *moves = calloc(build->clip_count, sizeof *moves);
    const char **labels = calloc(build->label_count, sizeof *labels);
    REQUIRE(states && moves && labels);
    for (uint32_t i = 0; i < build->label_count; i++)
        labels[i] = build->labels[i].name;
    for (uint32_t i = 0; i < build->clip_count; i++) {
        const tr_behavior_build_clip *clip = &build->clips[i];
        const tr_behavior_piece *piece = &build->pieces[clip->piece];
        moves[i] = (tr_behavior_move){.clip = i,
                                      .x = piece->x,
                                      .z = piece->z,
                                      .turn = piece->turn,
                                      .frames = clip->last - clip->first,
                                      .action = TR_NONE};
    }
    for (uint32_t i = 0; i < build->state_count; i++) {
        const tr_behavior_build_state *state = &build->states[i];
        CHECK(state->clip_count >= 1 && state->clip_count <= 4);
        states[i] = (tr_behavior_state){.name = state->name,
                                        .moves = moves + state->clip,
                                        .move_count = state->clip_count,
                                        .begin = state->begin,
                                        .end = state->end,
                                        .weight = state->weight};
    }
    tr_behavior_band upright = {.name = "upright", .low = 0, .high = 2};
    tr_behavior_def def = {.labels = labels,
                           .label_count = build->label_count,
                           .rest = build->rest,
                           .bands = &upright,
                           .band_count = 1,
                           .radius = 0.4f,
                           .frames_per_second = build->frames_per_second,
                           .states = states,
                           .state_count = build->state_count};
    tr_behavior *machine = NULL;
    tr_error error = {0};
    if (tr_behavior_create(&def, &machine, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_behavior_destroy(machine);
    free(states);
    free(moves);
    free(labels);
}
