#include "play_steps.h"
#include "troupe/io/picture.h"
#include "troupe/world/profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STEPS_MAX (1u << 18) // what comes later is not drawn
#define METRE 110.0f         // pixels
#define WIDEST 16000.0f
#define BORDER 24.0f
#define TOP 70.0f
#define TEXT 13.0f
#define SOLE 0.26f // [m]
#define ROOM 0.5f  // around what is drawn [m]

struct play_steps {
    tr_stage_step_view *all;
    uint32_t count, room;
    bool full;
};

static const tr_color paper = {250, 250, 248}, ink = {40, 42, 46}, ground = {214, 206, 192},
                      refused = {206, 74, 60}, examined = {150, 156, 166}, later = {120, 170, 214},
                      feet[2] = {{34, 96, 160}, {24, 134, 92}};

static void see(void *user, const tr_stage_step_view *step) {
    play_steps *steps = user;
    if (steps->count == steps->room) {
        uint32_t room = steps->room ? 2 * steps->room : 1024;
        void *more = room <= STEPS_MAX ? realloc(steps->all, room * sizeof *steps->all) : NULL;
        steps->full = !more;
        if (!more)
            return;
        steps->all = more;
        steps->room = room;
    }
    steps->all[steps->count++] = *step;
}

tr_status play_steps_open(tr_stage *stage, play_steps **steps, tr_error *error) {
    *steps = calloc(1, sizeof **steps);
    if (!*steps)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for pictures of steps");
    tr_stage_watch_steps(stage, see, *steps);
    return TR_OK;
}

void play_steps_close(play_steps *steps) {
    if (steps)
        free(steps->all);
    free(steps);
}

// Where the steps of an actor lie: along its main direction, to the side of it, and up.
typedef struct steps_frame {
    tr_vec2 origin, along;
    float length, left, right, low, high, scale;
    float plan_top, side_top; // of the two panels [pixels]
} steps_frame;

static float along_of(const steps_frame *frame, tr_vec3 point) {
    return (point.x - frame->origin.x) * frame->along.x + (point.z - frame->origin.z) * frame->along.z;
}

static float aside_of(const steps_frame *frame, tr_vec3 point) {
    return (point.x - frame->origin.x) * frame->along.z - (point.z - frame->origin.z) * frame->along.x;
}

// The direction from the first step to the one farthest from it.
static bool find_frame(const play_steps *steps, tr_actor_id actor, steps_frame *frame) {
    const tr_stage_step_view *first = NULL;
    float farthest = 0;
    *frame = (steps_frame){.along = {0, 1}, .low = INFINITY, .high = -INFINITY};
    for (uint32_t i = 0; i < steps->count; i++) {
        const tr_stage_step_view *step = &steps->all[i];
        if (step->actor != actor)
            continue;
        first = first ? first : step;
        frame->origin = tr_vec3_from_above(first->place);
        tr_vec2 way = tr_vec2_subtract(tr_vec3_from_above(step->place), frame->origin);
        float length = tr_vec2_length(way);
        if (length > farthest) {
            farthest = length;
            frame->along = tr_vec2_scale(way, 1 / length);
        }
    }
    float begin = 0;
    for (uint32_t i = 0; i < steps->count && first; i++)
        for (int k = 0; k < TR_STAGE_STEP_POINTS && steps->all[i].actor == actor; k++) {
            tr_vec3 at = steps->all[i].swing[k];
            begin = fminf(begin, along_of(frame, at));
            frame->length = fmaxf(frame->length, along_of(frame, at));
            frame->left = fmaxf(frame->left, aside_of(frame, at));
            frame->right = fminf(frame->right, aside_of(frame, at));
            frame->low = fminf(frame->low, fminf(at.y, steps->all[i].place.y));
            frame->high = fmaxf(frame->high, at.y);
        }
    frame->origin = tr_vec2_add(frame->origin, tr_vec2_scale(frame->along, begin - ROOM));
    frame->length += 2 * ROOM - begin;
    frame->left += ROOM, frame->right -= ROOM, frame->low -= 0.3f, frame->high += 0.2f;
    frame->scale = fminf(METRE, (WIDEST - 2 * BORDER) / fmaxf(frame->length, 1));
    frame->side_top = TOP;
    frame->plan_top = TOP + frame->scale * (frame->high - frame->low) + BORDER;
    return first != NULL;
}

static tr_vec2 from_side(const steps_frame *frame, tr_vec3 point) {
    return (tr_vec2){BORDER + frame->scale * along_of(frame, point),
                     frame->side_top + frame->scale * (frame->high - point.y)};
}

static tr_vec2 from_above(const steps_frame *frame, tr_vec3 point) {
    return (tr_vec2){BORDER + frame->scale * along_of(frame, point),
                     frame->plan_top + frame->scale * (frame->left - aside_of(frame, point))};
}

// The ground on the line through the middle of the steps, cut from the triangles.
static tr_status draw_ground(tr_picture *picture, const steps_frame *frame, tr_scene *scene,
                             tr_error *error) {
    tr_solid *solid = NULL;
    tr_profile *profile = NULL;
    tr_solid_def def = tr_solid_def_default(scene);
    tr_profile_def strip = tr_profile_def_default();
    strip.columns = TR_PROFILE_COLUMNS_MAX;
    strip.triangles = 1u << 18;
    float middle = 0.5f * (frame->left + frame->right);
    tr_vec2 aside = {middle * frame->along.z, -middle * frame->along.x};
    tr_vec2 line[2] = {tr_vec2_add(frame->origin, aside)};
    line[1] = tr_vec2_add(line[0], tr_vec2_scale(frame->along, frame->length));
    tr_status status = tr_solid_create(&def, &solid, error);
    if (status == TR_OK)
        status = tr_profile_create(&strip, &profile, error);
    tr_profile_query query = {solid, line, 2, frame->high, 0.45f, 1.2f};
    tr_error why;
    if (status == TR_OK && tr_profile_cut(profile, &query, &why) == TR_OK) {
        tr_profile_view view = tr_profile_look(profile);
        float bottom = frame->side_top + frame->scale * (frame->high - frame->low);
        for (uint32_t i = 0; i < view.columns; i++) {
            float top = view.top[(size_t)i * view.rows + view.rows / 2];
            float x = BORDER + frame->scale * view.cell * (float)i, wide = frame->scale * view.cell;
            float y = frame->side_top + frame->scale * (frame->high - top);
            if (top > frame->low)
                tr_picture_rectangle(picture, x, fmaxf(y, frame->side_top), x + wide + 0.5f, bottom, ground,
                                     1);
        }
    }
    tr_profile_destroy(profile);
    tr_solid_destroy(solid);
    return status;
}

static void draw_sole(tr_picture *picture, const steps_frame *frame, const tr_stage_step_view *step) {
    float x = sinf(step->heading), z = cosf(step->heading);
    tr_vec3 heel = {step->place.x - 0.25f * SOLE * x, step->place.y, step->place.z - 0.25f * SOLE * z};
    tr_vec3 toes = {step->place.x + 0.75f * SOLE * x, step->place.y, step->place.z + 0.75f * SOLE * z};
    tr_vec2 a = from_above(frame, heel), b = from_above(frame, toes);
    tr_picture_line(picture, a.x, a.z, b.x, b.z, 0.09f * frame->scale, feet[step->side & 1], 0.55f);
    a = from_side(frame, heel), b = from_side(frame, toes);
    tr_picture_line(picture, a.x, a.z, b.x, b.z, 4, feet[step->side & 1], 1);
}

static void draw_swing(tr_picture *picture, const steps_frame *frame, const tr_stage_step_view *step,
                       float width, tr_color color, float alpha) {
    for (int k = 1; k < TR_STAGE_STEP_POINTS; k++) {
        tr_vec2 a = from_side(frame, step->swing[k - 1]), b = from_side(frame, step->swing[k]);
        tr_picture_line(picture, a.x, a.z, b.x, b.z, width, color, alpha);
        a = from_above(frame, step->swing[k - 1]), b = from_above(frame, step->swing[k]);
        tr_picture_line(picture, a.x, a.z, b.x, b.z, width, color, alpha);
    }
}

static void draw_step(tr_picture *picture, const steps_frame *frame, const tr_stage_step_view *step) {
    tr_vec2 side = from_side(frame, step->place), above = from_above(frame, step->place);
    switch (step->state) {
    case TR_STAGE_STEP_REFUSED:
        tr_picture_disc(picture, side.x, side.z, 2, refused, 0.5f);
        tr_picture_disc(picture, above.x, above.z, 2, refused, 0.5f);
        break;
    case TR_STAGE_STEP_EXAMINED:
        draw_swing(picture, frame, step, 1, examined, 0.35f);
        break;
    case TR_STAGE_STEP_LATER:
        draw_swing(picture, frame, step, 1, later, 0.6f);
        break;
    case TR_STAGE_STEP_NEXT:
        draw_swing(picture, frame, step, 2.2f, feet[step->side & 1], 1);
        draw_sole(picture, frame, step);
    }
}

static void draw_legend(tr_picture *picture, const char *name, bool full) {
    static const char *const words[] = {"left foot", "right foot", "planned, then planned again",
                                        "swings that were examined", "places that were rejected"};
    const tr_color colors[] = {feet[0], feet[1], later, examined, refused};
    char title[160];
    float x = BORDER;
    snprintf(title, sizeof title, "The steps of %.80s, from the side and from above%s", name,
             full ? " (the first part)" : "");
    tr_picture_text(picture, BORDER, 10, 1.4f * TEXT, title, ink);
    for (int i = 0; i < 5; i++) {
        tr_picture_rectangle(picture, x, 40, x + TEXT, 40 + TEXT, colors[i], 1);
        tr_picture_text(picture, x + 1.5f * TEXT, 40, TEXT, words[i], ink);
        x += 3 * TEXT + tr_picture_text_width(TEXT, words[i]);
    }
}

static tr_status draw_actor(const play_steps *steps, const tr_stage *stage, tr_actor_id actor,
                            const steps_frame *frame, tr_scene *scene, const char *path, tr_error *error) {
    tr_picture picture = {0};
    float width = fmaxf(2 * BORDER + frame->scale * frame->length, 900);
    float height = frame->plan_top + frame->scale * (frame->left - frame->right) + BORDER;
    tr_status status = tr_picture_create(NULL, (uint32_t)width, (uint32_t)height, paper, &picture, error);
    if (status == TR_OK)
        status = draw_ground(&picture, frame, scene, error);
    for (int state = TR_STAGE_STEP_REFUSED; state <= TR_STAGE_STEP_NEXT && status == TR_OK; state++)
        for (uint32_t i = 0; i < steps->count; i++)
            if (steps->all[i].actor == actor && (int)steps->all[i].state == state)
                draw_step(&picture, frame, &steps->all[i]);
    if (status == TR_OK) {
        draw_legend(&picture, tr_stage_actor_name(stage, actor), steps->full);
        status = tr_picture_write_png(&picture, path, error);
    }
    tr_picture_destroy(&picture);
    return status;
}

tr_status play_steps_write(const play_steps *steps, const tr_stage *stage, tr_scene *scene,
                           const char *folder, tr_error *error) {
    if (steps->count == 0)
        return tr_fail(error, TR_NOT_FOUND,
                       "no character of the stage is dragged: there are no steps to draw");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return tr_fail(error, TR_NO_FILE, "cannot create the folder %.200s: %s", folder, strerror(errno));
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_stage_actor_count(stage) && status == TR_OK; i++) {
        steps_frame frame;
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/%02u-steps.png", folder, i);
        if (length < 0 || (size_t)length >= sizeof path)
            return tr_fail(error, TR_NO_FILE, "the name of the folder is too long: %.80s...", folder);
        if (find_frame(steps, tr_stage_actor(stage, i), &frame))
            status = draw_actor(steps, stage, tr_stage_actor(stage, i), &frame, scene, path, error);
    }
    return status;
}
