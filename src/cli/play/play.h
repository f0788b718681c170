// The result of `troupe play`, shared by the parts that write it: play_write.c, play_film.c, play_depth.c,
// play_report.c, play_reach.c, play_save.c.
#pragma once
#include "film.h"
#include "play_eyes.h"
#include "play_steps.h"
#include "troupe/io/json.h"
#include "troupe/io/stage_file.h"
#include "troupe/motion/audit.h"

typedef struct play_request {
    const char *path, *out, *bvh, *png, *video, *report, *depth, *eyes, *steps, *save, *load, *follow;
    double seconds;  // 0: given by the stage file
    double from, to; // the part of the shot that is drawn [s]; 0 for `to`: its end
    uint32_t view;   // film_view
    bool has_view;
    uint64_t threads, frames, width, height;
    bool apart, without_scene, segments, root_motion, json, text, help; // text: `out` is a .gltf
} play_request;

// One actor's part of the shot.
typedef struct play_part {
    const char *name;
    const tr_character *character;
    tr_clip *clip;
    tr_vec3 *trace; // on the floor, about every tenth of a second
    uint32_t trace_count;
    tr_audit audit;
    float nearest_body; // distance to the nearest other body over the whole shot [m]; INFINITY: no other body
} play_part;

typedef struct play_shot {
    tr_stage_play play;
    play_eyes *eyes;   // NULL: not wanted
    play_steps *steps; // the same
    play_part *parts;
    uint32_t count;
    tr_audit worst;
    double simulated, seconds; // time of the computation, and length of the shot [s]
    bool without_video;        // a video was requested, but ffmpeg is not installed
} play_shot;

// What the stage file says of a character.
const tr_stage_kind *play_kind(const play_shot *shot, const tr_character *character);
tr_status play_write_glb(const play_request *request, const play_shot *shot, tr_error *error);
tr_status play_write_bvh(const play_request *request, const play_shot *shot, tr_error *error);
tr_status play_write_film(const play_request *request, play_shot *shot, tr_error *error);
// The number of the actor to follow; an unknown name is an error that lists the names.
tr_status play_find_followed(const play_request *request, const tr_stage *stage, uint32_t *number,
                             tr_error *error);
tr_status play_write_depth(const play_request *request, const play_shot *shot, tr_error *error);

// Saves the stage to a file; or replaces the stage just opened by the one of a file.
tr_status play_save(const play_request *request, const play_shot *shot, tr_error *error);
tr_status play_load(const play_request *request, tr_tasks *tasks, play_shot *shot, tr_error *error);

// Measures every part, and the distances between bodies.
tr_status play_measure(play_shot *shot, tr_error *error);
tr_status play_write_report(const play_request *request, const play_shot *shot, tr_error *error);
// Orders, and the reaching wrist in every frame from its departure to its arrival: the number of frames and
// the positions. Actors are numbered here in the order of the stage.
uint32_t play_order_count(const tr_stage *stage, uint32_t actor);
tr_order_report play_order(const tr_stage *stage, uint32_t actor, uint32_t order);
uint32_t play_wrist_frames(const play_shot *shot, uint32_t actor, const tr_order_reach *reach);
tr_status play_take_wrist(const play_shot *shot, uint32_t actor, const tr_order_reach *reach,
                          tr_vec3 *positions, uint32_t *count, tr_error *error);
// Prints a line for every planned reach; writes the result of a reach as members of its order.
void play_print_reaches(const play_shot *shot, uint32_t actor);
void play_write_reach(tr_json_writer *writer, const play_shot *shot, uint32_t actor,
                      const tr_order_reach *reach);
// The report as a short table.
void play_print(const play_request *request, const play_shot *shot);
// Did every order succeed?
bool play_all_done(const play_shot *shot);
