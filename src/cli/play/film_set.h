// A film set: actors, camera and lights for frames of one size. Shared by strips and videos.
#pragma once
#include "film.h"

// The way of a camera that follows an actor: smooth, and sampled like the actor's path.
typedef struct film_track {
    tr_vec3 *places;   // on the floor, of what the camera looks at; NULL: there is no track
    float *directions; // from there to the camera, as for tr_camera_around; not wrapped [rad]
    uint32_t count;
    double rate;
} film_track;

// The triangles of the followed actor's body: those of the right limbs come last.
typedef struct film_limbs {
    uint32_t (*indices)[3]; // NULL: there are none
    uint32_t triangle_count, other_count;
} film_limbs;

typedef struct film_set {
    const film_def *def;
    tr_allocator allocator;
    tr_render *render;
    tr_picture picture; // the last frame
    tr_pose *poses;     // one for each actor
    tr_affine *model;   // of one actor
    uint32_t model_count;
    tr_vec3 *vertices; // positions, then normals, of one body
    uint32_t vertex_count;
    float (*colors)[3]; // of the triangles of one body
    uint32_t color_count;
    double begin, end, scene_time; // [s]
    tr_box path;                   // around all actors at all times
    float low, high;               // the lowest and the highest floor that an actor stands on [m]
    float cut;                     // [m]
    film_track track;
    film_limbs limbs;
} film_set;

tr_status film_set_open(const film_def *def, film_set *set, tr_error *error);
void film_set_close(film_set *set);
// Changes the size of the frames.
tr_status film_set_size(film_set *set, uint32_t width, uint32_t height, uint32_t samples, tr_error *error);
// Bounds of all actors at one time.
tr_box film_set_bounds(film_set *set, double time);
bool film_set_has_focus(const film_set *set);
tr_camera film_set_camera(const film_set *set, tr_box box);
// Draws all actors at each of the times, ascending; earlier ones are paler. The scene is drawn at the last
// time.
tr_status film_set_draw(film_set *set, const tr_camera *camera, const double *times, uint32_t time_count,
                        tr_error *error);
// film_follow.c: the camera that follows an actor. Opening needs a set whose actors were measured.
tr_status film_follow_open(film_set *set, tr_error *error);
void film_follow_close(film_set *set);
// For frames of the size of the set's picture.
tr_camera film_follow_camera(const film_set *set, double time);
// Opens the scene between the camera and the actor; returns the height at which everything is cut off.
float film_follow_cut(const film_set *set, double time, tr_render_opening *opening);
// film_limbs.c: tells the right limbs of the followed actor from the left. Draws the body that was skinned
// last.
tr_status film_limbs_open(film_set *set, tr_error *error);
void film_limbs_close(film_set *set);
tr_status film_limbs_draw(film_set *set, uint32_t vertex_count, const float color[3]);
// film_capsule.c: a ball drawn along a line.
tr_status film_capsule_add(tr_render *render, tr_vec3 a, tr_vec3 b, float radius, const float color[3]);
