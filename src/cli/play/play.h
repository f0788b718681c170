// What `troupe play` made, for those who write it out: play_write.c, play_film.c, play_depth.c,
// play_report.c, play_reach.c, play_save.c.
#pragma once
#include "film.h"
#include "troupe/io/json.h"
#include "troupe/io/stage_file.h"
#include "troupe/motion/audit.h"

typedef struct play_request {
    const char *path, *out, *bvh, *png, *video, *report, *depth, *save, *load;
    double seconds; // 0: what the stage file says
    uint64_t threads, frames, width, height;
    bool apart, without_scene, segments, json, text, help; // text: `out` is to be a .gltf
} play_request;

// One actor's part of the shot.
typedef struct play_part {
    const char *name;
    const tr_character *character;
    tr_clip *clip;
    tr_vec3 *trace; // on the floor, every tenth of a second or so
    uint32_t trace_count;
    tr_audit audit;
    float nearest_body; // to the body of another, over the whole shot; INFINITY: alone [m]
} play_part;

typedef struct play_shot {
    tr_stage_play play;
    play_part *parts;
    uint32_t count;
    tr_audit worst;
    double simulated, seconds; // how long it took to compute, and how long it is [s]
    bool without_video;        // one was asked for, and there is no ffmpeg
} play_shot;

tr_status play_write_glb(const play_request *request, const play_shot *shot, tr_error *error);
tr_status play_write_bvh(const play_request *request, const play_shot *shot, tr_error *error);
tr_status play_write_film(const play_request *request, play_shot *shot, tr_error *error);
tr_status play_write_depth(const play_request *request, const play_shot *shot, tr_error *error);

// The stage into a file; and the stage of a file instead of the one that was just opened.
tr_status play_save(const play_request *request, const play_shot *shot, tr_error *error);
tr_status play_load(const play_request *request, tr_tasks *tasks, play_shot *shot, tr_error *error);

// Measure every part, and how near bodies came to each other.
tr_status play_measure(play_shot *shot, tr_error *error);
tr_status play_write_report(const play_request *request, const play_shot *shot, tr_error *error);
// The wrist that reached, in every frame from when it left until it arrived: how many there are, and where.
// Actors are numbered here as the stage lists them.
uint32_t play_order_count(const tr_stage *stage, uint32_t actor);
tr_order_report play_order(const tr_stage *stage, uint32_t actor, uint32_t order);
uint32_t play_wrist_frames(const play_shot *shot, uint32_t actor, const tr_order_reach *reach);
tr_status play_take_wrist(const play_shot *shot, uint32_t actor, const tr_order_reach *reach,
                          tr_vec3 *positions, uint32_t *count, tr_error *error);
// What came of an order to reach, as a member of it.
// A line for every reach that was planned.
void play_print_reaches(const play_shot *shot, uint32_t actor);
void play_write_reach(tr_json_writer *writer, const play_shot *shot, uint32_t actor,
                      const tr_order_reach *reach);
// The report as a short table.
void play_print(const play_request *request, const play_shot *shot);
// Did every order end well?
bool play_all_done(const play_shot *shot);
