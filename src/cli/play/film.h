// Pictures and videos of moving characters: the output of `troupe play`. Draws with tr_render; a video needs
// the ffmpeg command.
#pragma once
#include "troupe/io/render.h"
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"

typedef struct film_actor {
    const tr_skeleton *skeleton;
    const tr_body *body; // NULL, or a body without a mesh: capsules or bones are drawn
    const tr_clip *clip; // in the world: with its base, or with none and root joints that move
    float color[3];      // linear [0, 1]; all 0: a colour of the film's palette
} film_actor;

// A line on the floor, or anywhere.
typedef struct film_route {
    const tr_vec3 *points;
    uint32_t count;
    float color[3]; // all 0: that of the actor with the same number
    float width;    // [m]; 0: 0.07
} film_route;

// From where the camera looks at somebody: relative to the way that somebody goes.
typedef enum film_view { FILM_VIEW_SIDE, FILM_VIEW_FRONT, FILM_VIEW_BACK, FILM_VIEW_THREE_QUARTER } film_view;

// A camera that follows one actor closely.
typedef struct film_follow {
    uint32_t actor;
    const tr_vec3 *path; // the actor's disc on the floor, from time 0 on
    uint32_t count;      // [>= 1]
    double rate;         // points in a second [> 0]
    float height;        // of the actor [m, > 0]
    float length;        // what it takes from nose to tail [m]; 0: less than its height
    float heading;       // what the actor faces if it stays in place [rad: 0 is +Z, pi/2 is +X]
    film_view view;
} film_follow;

// Zero selects a default wherever possible.
typedef struct film_def {
    const tr_allocator *allocator;
    tr_tasks *tasks;
    tr_scene *scene; // may be NULL; objects with trajectories move, and are put back afterwards
    const film_actor *actors;
    uint32_t actor_count; // [>= 1]
    const film_route *routes;
    uint32_t route_count;
    const film_follow *follow; // NULL: the camera shows all actors
    tr_box focus;              // what all pictures show, if the actors stay in place; all 0: all actors
    double still;              // the moment of the wide picture with a focus [s]; 0: the middle
    double begin, end;         // [s]; both 0: all of the longest clip
    float cut_height;          // above the highest floor that is walked on [m]; 0: 1.2
    float direction;           // of the camera, as for tr_camera_around [rad]; 0: across the longer side
    float elevation;           // [rad]; 0: 0.75
    uint32_t width, height;    // of a video, or of one frame of a strip; 0: 1280 x 720, 480 x 300
                               // (400 x 480 if the camera follows somebody)
    uint32_t frames;           // of a strip [1, 64]; 0: 8
    double frames_per_second;  // of a video [> 0, <= 240]; 0: 30
    // Called after each frame that is drawn; may be NULL. false stops the work with TR_PARTIAL.
    bool (*progress)(void *user, uint32_t done, uint32_t total);
    void *user;
} film_def;

// Writes a PNG: one wide picture with all actors at even times, paler the earlier, and a grid of frames, each
// with its time. If the camera follows somebody there is no wide picture.
tr_status film_strip(const film_def *def, const char *path, tr_error *error);
// The same as a picture in memory; the caller destroys it.
tr_status film_strip_draw(const film_def *def, tr_picture *picture, tr_error *error);
// Writes a video; the extension of the name selects the format. The file appears when it is complete.
// TR_UNAVAILABLE: ffmpeg is not installed.
tr_status film_video(const film_def *def, const char *path, tr_error *error);
