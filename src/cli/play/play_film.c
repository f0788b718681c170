// The shot as pictures: a film strip and a video. If the actors stay in place and reach for objects, the
// camera looks over the shoulder of the reaching arm, and the paths of the wrists are drawn.
#include "play.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAYS 0.5f               // an actor that gets no further than this from its start stays in place [m]
#define WRIST_WIDTH 0.012f       // of the line of a wrist [m]
#define SHOULDER_DIRECTION 0.95f // from behind, turned aside by this angle [rad]
#define SHOULDER_ELEVATION 0.5f  // [rad]

static void fill_film(const play_shot *shot, film_actor *actors, film_route *routes) {
    for (uint32_t i = 0; i < shot->count; i++) {
        const play_part *part = &shot->parts[i];
        const tr_body_def *body =
            tr_character_body(part->character) ? tr_body_view(tr_character_body(part->character)) : NULL;
        actors[i] = (film_actor){
            tr_character_skeleton(part->character), tr_character_body(part->character), part->clip, {0}};
        routes[i] = (film_route){.points = part->trace, .count = part->trace_count};
        for (int k = 0; body && k < 3; k++)
            actors[i].color[k] = routes[i].color[k] = body->color[k];
    }
}

static bool stays(const play_part *part) {
    for (uint32_t i = 1; i < part->trace_count; i++)
        if (tr_vec3_length(tr_vec3_subtract(part->trace[i], part->trace[0])) > STAYS)
            return false;
    return true;
}

// The part of a shot with its reaches: the paths of the hands, and the bodies of these actors from the hips
// to the heads.
typedef struct reach_view {
    film_route *routes;
    tr_vec3 *points; // of all routes, one after the other
    uint32_t count, capacity, point_count, point_capacity;
    tr_box focus;
    float direction; // of the camera
    double arrived;  // when the first hand arrived [s]
} reach_view;

static tr_status count_reaches(const play_shot *shot, reach_view *view, tr_error *error) {
    for (uint32_t i = 0; i < shot->count; i++)
        for (uint32_t j = 0; j < play_order_count(shot->play.stage, i); j++) {
            tr_order_reach reach = play_order(shot->play.stage, i, j).reach;
            view->capacity += reach.plans > 0;
            view->point_capacity += reach.plans ? play_wrist_frames(shot, i, &reach) : 0;
        }
    view->routes = calloc(shot->count + view->capacity, sizeof *view->routes);
    view->points = calloc(view->point_capacity + 1, sizeof *view->points);
    return view->routes && view->points ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for pictures");
}

static void frame_body(const play_shot *shot, uint32_t actor, const tr_order_reach *reach, reach_view *view) {
    const play_part *part = &shot->parts[actor];
    tr_vec3 at = part->trace[0], hips = tr_affine_position(&reach->arm.base);
    tr_vec3 head = {at.x, at.y + tr_character_height(part->character) + 0.05f, at.z};
    view->focus = tr_box_include(tr_box_include(view->focus, head), hips);
    if (view->arrived > 0)
        return; // the camera is already set up for the first one
    // From behind and to the side of the arm; for a left arm from its left.
    tr_vec3 ahead = tr_affine_turn(&reach->arm.base, tr_vec3_make(0, 0, 1));
    float side = reach->side == TR_ARM_LEFT ? 1.0f : -1.0f;
    view->direction = atan2f(-ahead.x, -ahead.z) - side * SHOULDER_DIRECTION;
}

static tr_status take_reaches(const play_shot *shot, reach_view *view, tr_error *error) {
    view->focus = tr_box_empty();
    view->count = shot->count;
    tr_status status = count_reaches(shot, view, error);
    for (uint32_t i = 0; i < shot->count && status == TR_OK; i++)
        for (uint32_t j = 0; j < play_order_count(shot->play.stage, i) && status == TR_OK; j++) {
            tr_order_reach reach = play_order(shot->play.stage, i, j).reach;
            if (!reach.plans)
                continue;
            film_route *route = &view->routes[view->count++];
            tr_vec3 *points = view->points + view->point_count;
            status = play_take_wrist(shot, i, &reach, points, &route->count, error);
            *route = (film_route){points, route->count, {0.05f, 0.05f, 0.06f}, WRIST_WIDTH};
            view->point_count += route->count;
            for (uint32_t k = 0; k < route->count; k++)
                view->focus = tr_box_include(view->focus, points[k]);
            frame_body(shot, i, &reach, view);
            view->arrived = view->arrived > 0 ? view->arrived : reach.move_end;
        }
    return status;
}

// Aims the camera at the hands if no actor walks.
static void aim(const play_shot *shot, const reach_view *view, film_def *def) {
    bool all_stay = view->count > shot->count;
    for (uint32_t i = 0; i < shot->count; i++)
        all_stay = all_stay && stays(&shot->parts[i]);
    if (!all_stay)
        return;
    const tr_vec3 room = {0.12f, 0.02f, 0.12f};
    def->focus.min = tr_vec3_subtract(view->focus.min, room);
    def->focus.max = tr_vec3_add(view->focus.max, room);
    def->direction = view->direction != 0 ? view->direction : 1e-3f;
    def->elevation = SHOULDER_ELEVATION;
    def->still = view->arrived;
    def->cut_height = def->focus.max.y - shot->play.ground.min.y;
}

tr_status play_find_followed(const play_request *request, const tr_stage *stage, uint32_t *number,
                             tr_error *error) {
    char names[400] = "";
    uint32_t count = tr_stage_actor_count(stage);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = tr_stage_actor_name(stage, tr_stage_actor(stage, i));
        size_t used = strlen(names);
        if (strcmp(name, request->follow) == 0) {
            *number = i;
            return TR_OK;
        }
        if (used + strlen(name) + 8 < sizeof names)
            snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ", name);
        else if (used > 0 && names[used - 1] != '.')
            snprintf(names + used, sizeof names - used, ", ...");
    }
    return tr_fail(error, TR_NOT_FOUND,
                   "--follow is \"%.100s\", but the stage has no such character: it has %s", request->follow,
                   count > 0 ? names : "none");
}

// The most that the capsules of a body in its rest pose reach ahead and behind, on both sides of its middle.
static float length_of(const tr_character *character) {
    const tr_affine *rest = tr_skeleton_rest_model(tr_character_skeleton(character));
    const tr_body_def *body =
        tr_character_body(character) ? tr_body_view(tr_character_body(character)) : NULL;
    float most = 0;
    for (uint32_t i = 0; body && i < 2 * body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i / 2];
        tr_vec3 at = tr_affine_apply(&rest[capsule->joint], i % 2 ? capsule->b : capsule->a);
        most = fmaxf(most, fabsf(at.z) + capsule->radius);
    }
    return 2 * most;
}

// The camera follows an actor along the path of its disc.
static tr_status follow(const play_request *request, const play_shot *shot, film_follow *camera,
                        film_def *def, tr_error *error) {
    const tr_stage *stage = shot->play.stage;
    uint32_t number = 0;
    tr_status status = play_find_followed(request, stage, &number, error);
    if (status != TR_OK)
        return status;
    tr_actor_id actor = tr_stage_actor(stage, number);
    tr_actor_view view = {0};
    tr_stage_look(stage, actor, &view);
    const tr_character *character = shot->parts[number].character;
    const tr_stage_kind *kind = play_kind(shot, character); // a mesh may be taller than its joints
    float height = tr_character_height(character);
    *camera = (film_follow){.actor = number,
                            .rate = shot->play.frames_per_second,
                            .height = kind && kind->height > height ? kind->height : height,
                            .length = tr_character_walks(character) ? 0 : length_of(character),
                            .heading = view.heading,
                            .view = (film_view)request->view};
    camera->path = tr_stage_trace(stage, actor, &camera->count);
    def->follow = camera;
    return TR_OK;
}

static tr_status choose_time(const play_request *request, const play_shot *shot, film_def *def,
                             tr_error *error) {
    if (request->from == 0 && request->to == 0)
        return TR_OK;
    if (request->from >= shot->seconds)
        return tr_fail(error, TR_INVALID, "--from is %g, but the shot ends at %g s", request->from,
                       shot->seconds);
    def->begin = request->from;
    def->end = request->to > 0 && request->to < shot->seconds ? request->to : shot->seconds;
    return TR_OK;
}

static bool show_progress(void *user, uint32_t done, uint32_t total) {
    (void)total;
    progress_step(user, done);
    return true;
}

static tr_status draw_strip(const play_request *request, film_def *def, progress_bar *bar, tr_error *error) {
    *bar = progress_begin("drawing the film strip", request->frames);
    tr_status status = film_strip(def, request->png, error);
    progress_end(bar);
    return status;
}

static tr_status draw_video(const play_request *request, play_shot *shot, film_def *def, progress_bar *bar,
                            tr_error *error) {
    def->width = (uint32_t)request->width;
    def->height = (uint32_t)request->height;
    def->frames_per_second = shot->play.frames_per_second;
    double seconds = def->end > 0 ? def->end - def->begin : shot->seconds;
    *bar = progress_begin("drawing the video", (uint64_t)(seconds * shot->play.frames_per_second));
    tr_status status = film_video(def, request->video, error);
    progress_end(bar);
    if (status != TR_UNAVAILABLE)
        return status;
    fprintf(stderr, "troupe: no video: %s\n",
            error->message); // the other outputs are worth keeping
    shot->without_video = true;
    return TR_OK;
}

tr_status play_write_film(const play_request *request, play_shot *shot, tr_error *error) {
    film_actor *actors = calloc(shot->count, sizeof *actors);
    reach_view view = {0};
    tr_status status = actors ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for pictures");
    if (status == TR_OK)
        status = take_reaches(shot, &view, error);
    progress_bar bar = {0};
    film_def def = {.scene = shot->play.scene,
                    .actors = actors,
                    .actor_count = shot->count,
                    .routes = view.routes,
                    .route_count = view.count,
                    .frames = (uint32_t)request->frames,
                    .progress = show_progress,
                    .user = &bar};
    film_follow camera;
    if (status == TR_OK)
        status = choose_time(request, shot, &def, error);
    if (status == TR_OK)
        fill_film(shot, actors, view.routes);
    if (status == TR_OK && request->follow)
        status = follow(request, shot, &camera, &def, error);
    else if (status == TR_OK)
        aim(shot, &view, &def);
    if (status == TR_OK && request->png)
        status = draw_strip(request, &def, &bar, error);
    if (status == TR_OK && request->video)
        status = draw_video(request, shot, &def, &bar, error);
    free(actors);
    free(view.routes);
    free(view.points);
    return status;
}
