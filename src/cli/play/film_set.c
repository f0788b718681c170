#include "film_set.h"

#include <math.h>
#include <string.h>

#define MEASURES_MOST 600  // sampled moments at which all actors are measured to frame the picture
#define MEASURE_STEP 0.1   // [s]
#define ROUTE_WIDTH 0.07f  // [m]
#define ROUTE_HEIGHT 0.01f // above the floor [m]
#define BODY_ROOM 0.15f    // around joints [m]
#define ADVANCE_MOST 1e6   // a scene beyond this is not framed [m]
#define STOREY_LEAST 1.0f  // floors that differ by less are one [m]
#define CUT_LAG 0.6        // time in which the cut through the scene follows the highest actor [s]
#define CUT_SAMPLES 6
#define FOLLOW_GROUND 8.0f // ground around the actors under a camera that follows [m]

static const float palette[][3] = {{0.72f, 0.22f, 0.06f}, {0.07f, 0.25f, 0.55f}, {0.12f, 0.38f, 0.14f},
                                   {0.40f, 0.12f, 0.36f}, {0.62f, 0.42f, 0.05f}, {0.04f, 0.38f, 0.40f}};

#define PALE 0.78f // what earlier moments fade to

static bool is_black(const float color[3]) {
    return color[0] == 0 && color[1] == 0 && color[2] == 0;
}

static const float *actor_color(const film_def *def, uint32_t actor) {
    if (actor < def->actor_count && !is_black(def->actors[actor].color))
        return def->actors[actor].color;
    return palette[actor % (sizeof palette / sizeof *palette)];
}

static tr_status check_actor(const film_def *def, uint32_t number, tr_error *error) {
    const film_actor *actor = &def->actors[number];
    if (!actor->skeleton || !actor->clip)
        return tr_fail(error, TR_INVALID, "actor %u has no skeleton or no clip", number);
    uint32_t joints = tr_skeleton_joint_count(actor->skeleton);
    if (tr_clip_joint_count(actor->clip) != joints)
        return tr_fail(error, TR_INVALID, "the clip of actor %u has %u joints, its skeleton %u", number,
                       tr_clip_joint_count(actor->clip), joints);
    if (actor->body && tr_body_view(actor->body)->joint_count != joints)
        return tr_fail(error, TR_INVALID, "the body of actor %u is for %u joints, its skeleton has %u",
                       number, tr_body_view(actor->body)->joint_count, joints);
    return TR_OK;
}

static tr_status check_def(const film_def *def, tr_error *error) {
    if (def->actor_count == 0 || !def->actors)
        return tr_fail(error, TR_INVALID, "a film needs at least one actor");
    for (uint32_t i = 0; i < def->actor_count; i++) {
        tr_status status = check_actor(def, i, error);
        if (status != TR_OK)
            return status;
    }
    if (!isfinite(def->begin) || !isfinite(def->end) || def->end < def->begin)
        return tr_fail(error, TR_INVALID, "a film cannot run from %g s to %g s", def->begin, def->end);
    if (!isfinite(def->cut_height) || !isfinite(def->direction) || !isfinite(def->elevation))
        return tr_fail(error, TR_INVALID, "the cut (%g m), direction (%g) or elevation (%g) is not finite",
                       def->cut_height, def->direction, def->elevation);
    return TR_OK;
}

// Allocates what one actor at a time needs.
static tr_status make_room(film_set *set, tr_error *error) {
    const film_def *def = set->def;
    set->poses = tr_allocate_zero(&set->allocator, def->actor_count, sizeof *set->poses);
    tr_status status = set->poses ? TR_OK : TR_OUT_OF_MEMORY;
    for (uint32_t i = 0; status == TR_OK && i < def->actor_count; i++) {
        const film_actor *actor = &def->actors[i];
        uint32_t joints = tr_skeleton_joint_count(actor->skeleton);
        uint32_t vertices = actor->body ? tr_body_view(actor->body)->vertex_count : 0;
        uint32_t colors = vertices > 0 && tr_body_view(actor->body)->colors
                              ? tr_body_view(actor->body)->triangle_count
                              : 0;
        set->color_count = colors > set->color_count ? colors : set->color_count;
        set->model_count = joints > set->model_count ? joints : set->model_count;
        set->vertex_count = vertices > set->vertex_count ? vertices : set->vertex_count;
        status = tr_pose_create(&set->allocator, joints, &set->poses[i], error);
    }
    if (status == TR_OK) {
        set->model = tr_allocate(&set->allocator, set->model_count, sizeof *set->model);
        set->vertices = tr_allocate(&set->allocator, 2 * (size_t)set->vertex_count, sizeof *set->vertices);
        set->colors = tr_allocate(&set->allocator, set->color_count, sizeof *set->colors);
        status = set->model && set->vertices && set->colors ? TR_OK : TR_OUT_OF_MEMORY;
    }
    return status == TR_OK ? TR_OK
                           : tr_fail(error, status, "no memory for a film of %u actors", def->actor_count);
}

static void pose_actor(film_set *set, uint32_t number, double time) {
    const film_actor *actor = &set->def->actors[number];
    tr_affine place = tr_affine_identity();
    tr_clip_sample(actor->clip, time, &set->poses[number]);
    if (tr_clip_has_base(actor->clip))
        place = tr_base_place(tr_clip_base(actor->clip, time), 0);
    tr_pose_to_model(actor->skeleton, &set->poses[number], &place, set->model);
}

tr_box film_set_bounds(film_set *set, double time) {
    tr_box all = tr_box_empty();
    for (uint32_t i = 0; i < set->def->actor_count; i++) {
        pose_actor(set, i, time);
        for (uint32_t k = 0; k < set->poses[i].joint_count; k++)
            all = tr_box_include(all, tr_affine_position(&set->model[k]));
    }
    const tr_vec3 room = {BODY_ROOM, 0, BODY_ROOM};
    all.min = tr_vec3_subtract(all.min, room);
    all.max = tr_vec3_add(all.max, tr_vec3_make(BODY_ROOM, BODY_ROOM, BODY_ROOM));
    return all;
}

// The floor of the highest actor at a time.
static float highest_floor(film_set *set, double time) {
    float highest = -INFINITY;
    for (uint32_t i = 0; i < set->def->actor_count; i++) {
        float least = INFINITY;
        pose_actor(set, i, time);
        for (uint32_t k = 0; k < set->poses[i].joint_count; k++)
            least = fminf(least, tr_affine_position(&set->model[k]).y);
        highest = least > highest ? least : highest;
    }
    return highest;
}

static uint32_t measure_count(double length) {
    return length / MEASURE_STEP < MEASURES_MOST ? (uint32_t)(length / MEASURE_STEP) + 2 : MEASURES_MOST;
}

static double longest_clip(const film_def *def) {
    double longest = 0;
    for (uint32_t i = 0; i < def->actor_count; i++)
        longest = fmax(longest, tr_clip_duration(def->actors[i].clip));
    return longest;
}

// Measures the floors: of all the time, so that the ground of a part of a film is that of the whole.
static void measure_floors(film_set *set) {
    double length = longest_clip(set->def);
    uint32_t count = measure_count(length);
    set->low = INFINITY;
    set->high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double time = length * i / (count - 1);
        set->low = fminf(set->low, film_set_bounds(set, time).min.y);
        set->high = fmaxf(set->high, highest_floor(set, time));
    }
}

// Measures the paths of all actors and their floors.
static tr_status measure(film_set *set, tr_error *error) {
    double length = set->end - set->begin;
    uint32_t count = measure_count(length);
    set->path = tr_box_empty();
    for (uint32_t i = 0; i < count; i++)
        set->path = tr_box_union(set->path, film_set_bounds(set, set->begin + length * i / (count - 1)));
    measure_floors(set);
    if (tr_box_is_empty(set->path) || !tr_vec3_is_finite(set->path.min) ||
        !tr_vec3_is_finite(set->path.max) ||
        tr_vec3_length(tr_vec3_subtract(set->path.max, set->path.min)) > ADVANCE_MOST)
        return tr_fail(error, TR_INVALID,
                       "the actors move too far for a film: x %g to %g, y %g to %g, z %g to %g",
                       set->path.min.x, set->path.max.x, set->path.min.y, set->path.max.y, set->path.min.z,
                       set->path.max.z);
    // Joints are at most a hand's breadth above the floor; people who walk near height 0 stand on 0.
    set->low = fabsf(set->low) < 0.2f ? 0 : set->low;
    set->high = set->high < set->low + 0.2f ? set->low : set->high;
    set->cut = set->high + (set->def->cut_height > 0 ? set->def->cut_height : 1.2f);
    return TR_OK;
}

tr_status film_set_open(const film_def *def, film_set *set, tr_error *error) {
    memset(set, 0, sizeof *set);
    set->def = def;
    set->allocator = tr_allocator_or_default(def->allocator);
    set->scene_time = def->scene ? tr_scene_time(def->scene) : 0;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    set->begin = def->begin;
    set->end = def->end;
    if (def->begin == 0 && def->end == 0)
        set->end = longest_clip(def);
    status = make_room(set, error);
    if (status == TR_OK)
        status = measure(set, error);
    if (status == TR_OK)
        status = film_follow_open(set, error);
    return status == TR_OK ? film_limbs_open(set, error) : status;
}

void film_set_close(film_set *set) {
    film_follow_close(set);
    film_limbs_close(set);
    for (uint32_t i = 0; set->poses && i < set->def->actor_count; i++)
        tr_pose_destroy(&set->poses[i]);
    tr_release(&set->allocator, set->poses, set->def->actor_count, sizeof *set->poses);
    tr_release(&set->allocator, set->model, set->model_count, sizeof *set->model);
    tr_release(&set->allocator, set->colors, set->color_count, sizeof *set->colors);
    tr_release(&set->allocator, set->vertices, 2 * (size_t)set->vertex_count, sizeof *set->vertices);
    tr_render_destroy(set->render);
    tr_picture_destroy(&set->picture);
    if (set->def->scene)
        tr_scene_set_time(set->def->scene, set->scene_time);
}

tr_status film_set_size(film_set *set, uint32_t width, uint32_t height, uint32_t samples, tr_error *error) {
    tr_render_destroy(set->render);
    tr_picture_destroy(&set->picture);
    set->render = NULL;
    uint32_t shadow_size = width < 800 ? 1024 : 2048;
    tr_render_def def = {&set->allocator, set->def->tasks, width, height, samples, shadow_size};
    tr_status status = tr_render_create(&def, &set->render, error);
    if (status == TR_OK)
        status = tr_picture_create(&set->allocator, width, height, (tr_color){0}, &set->picture, error);
    return status;
}

bool film_set_has_focus(const film_set *set) {
    const tr_box *focus = &set->def->focus;
    return focus->max.x > focus->min.x && focus->max.y > focus->min.y && focus->max.z > focus->min.z;
}

tr_camera film_set_camera(const film_set *set, tr_box box) {
    const film_def *def = set->def;
    box = film_set_has_focus(set) ? def->focus : box;
    float wide = set->path.max.x - set->path.min.x, deep = set->path.max.z - set->path.min.z;
    // Slightly oblique, so that straight walls show two sides.
    float direction = def->direction != 0 ? def->direction : wide >= deep ? 0.35f : 1.22f;
    float elevation = def->elevation != 0 ? def->elevation : 0.75f;
    return tr_camera_around(box, direction, elevation,
                            (float)set->picture.width / (float)set->picture.height);
}

// The body in its own colours; earlier moments are paler.
static tr_status draw_painted(film_set *set, const tr_body_def *body, float paleness) {
    for (uint32_t i = 0; i < body->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            set->colors[i][k] = body->colors[i][k] + (PALE - body->colors[i][k]) * paleness;
    return tr_render_add_painted_mesh(set->render, set->vertices, set->vertices + body->vertex_count,
                                      body->vertex_count, body->indices, body->triangle_count, NULL,
                                      (const float(*)[3])set->colors);
}

static tr_status draw_mesh(film_set *set, const film_actor *actor, const float color[3], float paleness) {
    const tr_body_def *body = tr_body_view(actor->body);
    tr_vec3 *normals = set->vertices + body->vertex_count;
    tr_body_skin(actor->body, set->model, set->vertices, normals);
    if (body->colors)
        return draw_painted(set, body, paleness);
    if (set->limbs.indices && actor == &set->def->actors[set->def->follow->actor])
        return film_limbs_draw(set, body->vertex_count, color);
    return tr_render_add_mesh(set->render, set->vertices, normals, body->vertex_count, body->indices,
                              body->triangle_count, NULL, color);
}

static tr_status draw_capsules(film_set *set, const film_actor *actor, const float color[3]) {
    const tr_body_def *body = tr_body_view(actor->body);
    tr_status status = TR_OK;
    for (uint32_t i = 0; status == TR_OK && i < body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i];
        const tr_affine *joint = &set->model[capsule->joint];
        tr_vec3 a = tr_affine_apply(joint, capsule->a), b = tr_affine_apply(joint, capsule->b);
        status = film_capsule_add(set->render, a, b, capsule->radius, color);
    }
    return status;
}

static tr_status draw_bones(film_set *set, const film_actor *actor, const float color[3]) {
    const uint32_t *parents = tr_skeleton_parents(actor->skeleton);
    float radius = 0.014f * tr_skeleton_height(actor->skeleton);
    radius = radius > 0.002f ? radius < 0.2f ? radius : 0.2f : 0.002f;
    tr_status status = TR_OK;
    for (uint32_t i = 0; status == TR_OK && i < tr_skeleton_joint_count(actor->skeleton); i++)
        if (parents[i] != TR_NONE)
            status = film_capsule_add(set->render, tr_affine_position(&set->model[parents[i]]),
                                      tr_affine_position(&set->model[i]), radius, color);
    return status;
}

static tr_status draw_actor(film_set *set, uint32_t number, double time, float paleness) {
    const film_actor *actor = &set->def->actors[number];
    const float *own = actor_color(set->def, number);
    float color[3];
    for (int k = 0; k < 3; k++)
        color[k] = own[k] + (PALE - own[k]) * paleness;
    pose_actor(set, number, time);
    if (actor->body && tr_body_view(actor->body)->triangle_count > 0)
        return draw_mesh(set, actor, color, paleness);
    if (actor->body && tr_body_view(actor->body)->capsule_count > 0)
        return draw_capsules(set, actor, color);
    return draw_bones(set, actor, color);
}

static tr_status draw_route(film_set *set, uint32_t number) {
    const film_route *route = &set->def->routes[number];
    const float *color = is_black(route->color) ? actor_color(set->def, number) : route->color;
    tr_vec3 *points = tr_allocate(&set->allocator, route->count, sizeof *points);
    if (!points)
        return TR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < route->count; i++)
        points[i] = tr_vec3_add(route->points[i], tr_vec3_make(0, ROUTE_HEIGHT, 0));
    tr_status status = tr_render_add_line(set->render, points, route->count,
                                          route->width > 0 ? route->width : ROUTE_WIDTH, color);
    tr_release(&set->allocator, points, route->count, sizeof *points);
    return status;
}

// Where storeys are stacked, a frame shows the storeys up to that of the highest actor.
static float cut_at(film_set *set, double time) {
    if (set->high - set->low < STOREY_LEAST)
        return set->cut;
    double sum = 0;
    for (int i = 0; i < CUT_SAMPLES; i++) {
        double when = time + CUT_LAG * ((double)i / (CUT_SAMPLES - 1) - 0.5);
        sum += highest_floor(set, fmin(fmax(when, set->begin), set->end));
    }
    return (float)(sum / CUT_SAMPLES) + set->cut - set->high;
}

static tr_status draw_scene(film_set *set, double time, float cut) {
    tr_render_opening opening;
    tr_scene_set_time(set->def->scene, time);
    if (!set->def->follow)
        return tr_render_add_scene(set->render, set->def->scene, cut);
    cut = film_follow_cut(set, time, &opening);
    return tr_render_add_scene_open(set->render, set->def->scene, cut, &opening);
}

static tr_status draw_world(film_set *set, double time, float cut) {
    tr_box ground = set->path;
    tr_status status = TR_OK;
    if (set->def->follow) { // the rim is far behind what a close picture shows
        const tr_vec3 room = {FOLLOW_GROUND, 0, FOLLOW_GROUND};
        ground = (tr_box){tr_vec3_subtract(ground.min, room), tr_vec3_add(ground.max, room)};
    }
    if (set->def->scene) {
        status = draw_scene(set, time, cut);
        tr_box bounds = tr_scene_bounds(set->def->scene);
        if (!tr_box_is_empty(bounds) && bounds.max.x - bounds.min.x < 500 &&
            bounds.max.z - bounds.min.z < 500)
            ground = tr_box_union(ground, bounds);
    }
    return status == TR_OK ? tr_render_add_ground(set->render, ground, set->low) : status;
}

tr_status film_set_draw(film_set *set, const tr_camera *camera, const double *times, uint32_t time_count,
                        tr_error *error) {
    tr_status status = tr_render_begin(set->render, camera, error);
    if (status != TR_OK)
        return status;
    status = draw_world(set, times[time_count - 1], time_count == 1 ? cut_at(set, times[0]) : set->cut);
    // From close by a route would hide how feet stand on the floor.
    for (uint32_t i = 0; status == TR_OK && !set->def->follow && i < set->def->route_count; i++)
        status = draw_route(set, i);
    for (uint32_t t = 0; t < time_count; t++) {
        float ago = time_count > 1 ? 1 - (float)t / (float)(time_count - 1) : 0;
        for (uint32_t i = 0; status == TR_OK && i < set->def->actor_count; i++)
            status = draw_actor(set, i, times[t], ago > 0 ? 0.35f + 0.45f * ago : 0);
    }
    if (status != TR_OK)
        return tr_fail(error, status, "frame at %.3f s: the scene, a route or an actor cannot be drawn (%s)",
                       times[time_count - 1], tr_status_name(status));
    return tr_render_end(set->render, &set->picture, error);
}
