// troupe play STAGE.json: plans, moves and records all characters of a stage and writes the result.
#include "play.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "troupe/base/clock.h"
#include "troupe/io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OUT,
    OPTION_BVH,
    OPTION_PNG,
    OPTION_FRAMES,
    OPTION_FOLLOW,
    OPTION_VIEW,
    OPTION_FROM,
    OPTION_TO,
    OPTION_VIDEO,
    OPTION_SIZE,
    OPTION_REPORT,
    OPTION_DEPTH,
    OPTION_EYES,
    OPTION_STEPS,
    OPTION_SAVE,
    OPTION_LOAD,
    OPTION_SECONDS,
    OPTION_THREADS,
    OPTION_APART,
    OPTION_SEGMENTS,
    OPTION_WITHOUT_SCENE,
    OPTION_ROOT_MOTION,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    {"--out", 'o', "FILE.glb", "write the shot: characters, motion, scene and ways (.glb or .gltf)"},
    {"--bvh", 0, "FOLDER", "write a BVH file for each character"},
    {"--png", 0, "FILE", "draw a film strip"},
    {"--frames", 0, "N", "pictures in the film strip (8)"},
    {"--follow", 0, "NAME", "the film strip and the video follow this character closely"},
    {"--view", 0, "side|front|back|three-quarter", "from where --follow looks (side)"},
    {"--from", 0, "S", "begin the film strip and the video at this time [s] (0)"},
    {"--to", 0, "S", "end them at this time [s] (the end of the shot)"},
    {"--video", 0, "FILE", "write a video (.mp4, .webm); needs ffmpeg"},
    {"--size", 0, "W,H", "size of the video in pixels (960,540)"},
    {"--report", 0, "FILE.json", "write the outcome of every order, the times and the audit"},
    {"--depth", 0, "FOLDER", "write the depth maps seen from the links of an arm at the end of each reach"},
    {"--eyes", 0, "FOLDER", "draw what characters with eyes see and believe, when that changes"},
    {"--steps", 0, "FOLDER",
     "draw the steps of dragged characters, the swings they examined, the places they rejected"},
    {"--save", 0, "FILE", "save the state of the stage at the end"},
    {"--load", 0, "FILE", "continue from a file written by --save, bit for bit"},
    {"--seconds", 0, "S", "stop after this time [s] (given by the stage file)"},
    {"--threads", 0, "N", "number of threads (one per processor); the motion does not depend on it"},
    {"--apart", 0, NULL, "one animation for each character in the GLB"},
    {"--segments", 0, NULL, "rigid pieces instead of skinned bodies in the GLB"},
    {"--without-scene", 0, NULL, "leave the scene out of the GLB"},
    {"--root-motion", 0, NULL,
     "in the GLB, a node of each character moves over the ground, its hips relative to it"},
    {"--json", 0, NULL, "print the report and nothing else"},
};

static const char *const view_names[] = {[FILM_VIEW_SIDE] = "side",
                                         [FILM_VIEW_FRONT] = "front",
                                         [FILM_VIEW_BACK] = "back",
                                         [FILM_VIEW_THREE_QUARTER] = "three-quarter"};

static bool read_size(play_request *request, const char *value) {
    double size[2];
    uint32_t count;
    if (!arguments_list("--size", value, 2, 2, size, &count))
        return false;
    if (!(size[0] >= 16 && size[0] <= 7680 && size[1] >= 16 && size[1] <= 4320)) {
        command_complain("--size is %s, it must be from 16,16 to 7680,4320", value);
        return false;
    }
    request->width = (uint64_t)size[0];
    request->height = (uint64_t)size[1];
    return true;
}

static bool read_option(play_request *request, int option, const char *value) {
    const char **texts[] = {[OPTION_OUT] = &request->out,     [OPTION_BVH] = &request->bvh,
                            [OPTION_PNG] = &request->png,     [OPTION_FOLLOW] = &request->follow,
                            [OPTION_VIDEO] = &request->video, [OPTION_REPORT] = &request->report,
                            [OPTION_DEPTH] = &request->depth, [OPTION_SAVE] = &request->save,
                            [OPTION_EYES] = &request->eyes,   [OPTION_STEPS] = &request->steps,
                            [OPTION_LOAD] = &request->load,   [OPTION_COUNT] = NULL};
    switch (option) {
    case OPTION_FRAMES:
        return arguments_integer("--frames", value, 1, 100, &request->frames);
    case OPTION_VIEW:
        return request->has_view = arguments_word("--view", value, view_names, 4, &request->view);
    case OPTION_FROM:
        return arguments_number("--from", value, 0, 36000, &request->from);
    case OPTION_TO:
        return arguments_number("--to", value, 0.1, 36000, &request->to);
    case OPTION_SIZE:
        return read_size(request, value);
    case OPTION_SECONDS:
        return arguments_number("--seconds", value, 0.1, 36000, &request->seconds);
    case OPTION_THREADS:
        return arguments_integer("--threads", value, 1, TR_TASKS_MAX, &request->threads);
    case OPTION_APART:
        return request->apart = true;
    case OPTION_SEGMENTS:
        return request->segments = true;
    case OPTION_WITHOUT_SCENE:
        return request->without_scene = true;
    case OPTION_ROOT_MOTION:
        return request->root_motion = true;
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        if (request->path)
            command_complain("play takes one stage file: \"%s\" follows \"%s\"", value, request->path);
        else
            request->path = value;
        return request->path == value;
    }
    if (option < 0 || !texts[option])
        return false;
    *texts[option] = value;
    return true;
}

static tr_status open_stage(const play_request *request, tr_tasks *tasks, tr_stage_play *play,
                            tr_error *error) {
    tr_bytes bytes;
    tr_status status = tr_file_read(NULL, request->path, &bytes, error);
    if (status != TR_OK)
        return status;
    tr_stage_file_options how = {.tasks = tasks, .note = command_note, .note_user = (void *)request->path};
    status = tr_stage_file_read(bytes.data, bytes.size, request->path, &how, play, error);
    tr_bytes_free(NULL, &bytes);
    return status;
}

static tr_status act(const play_request *request, play_shot *shot, tr_error *error) {
    double longest = request->seconds > 0 ? request->seconds : shot->play.seconds;
    progress_bar bar = progress_begin("playing", (uint64_t)(longest * shot->play.frames_per_second));
    uint64_t begin = tr_clock_nanoseconds(), frame = 0;
    tr_status status = TR_OK;
    // One second more than needed shows all actors standing.
    double end = longest;
    while ((status == TR_OK || status == TR_DONE) && tr_stage_time(shot->play.stage) < end) {
        tr_status last = status;
        status = tr_stage_step(shot->play.stage, TR_STAGE_TICK, error);
        if (shot->eyes)
            play_eyes_look(shot->eyes, shot->play.stage);
        if (status == TR_DONE && last != TR_DONE && tr_stage_time(shot->play.stage) + 1 < end)
            end = tr_stage_time(shot->play.stage) + 1;
        progress_step(&bar, ++frame);
    }
    progress_end(&bar);
    shot->simulated = (double)(tr_clock_nanoseconds() - begin) / 1e9;
    shot->seconds = tr_stage_time(shot->play.stage);
    return status == TR_DONE ? TR_OK : status;
}

static tr_status take_part(play_shot *shot, uint32_t actor, play_part *part, tr_error *error) {
    const tr_stage *stage = shot->play.stage;
    uint32_t count, step = (uint32_t)(shot->play.frames_per_second / 10) + 1;
    const tr_vec3 *trace = tr_stage_trace(stage, tr_stage_actor(stage, actor), &count);
    part->name = tr_stage_actor_name(stage, tr_stage_actor(stage, actor));
    tr_actor_view view = {0};
    tr_stage_look(stage, tr_stage_actor(stage, actor), &view);
    part->character = view.character;
    part->trace = calloc(count / step + 2, sizeof *part->trace);
    if (!part->trace)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the way of %.60s", part->name);
    for (uint32_t i = 0; i < count; i += step)
        part->trace[part->trace_count++] = tr_vec3_add(trace[i], tr_vec3_make(0, 0.01f, 0));
    return tr_stage_clip(stage, tr_stage_actor(stage, actor), NULL, &part->clip, error);
}

static tr_status take_parts(play_shot *shot, tr_error *error) {
    uint32_t count = tr_stage_actor_count(shot->play.stage);
    shot->parts = calloc(count, sizeof *shot->parts);
    if (!shot->parts)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u characters", count);
    shot->count = count;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = take_part(shot, i, &shot->parts[i], error);
    return status;
}

static tr_status write_all(const play_request *request, play_shot *shot, tr_error *error) {
    tr_status status = play_measure(shot, error);
    if (status == TR_OK && request->out)
        status = play_write_glb(request, shot, error);
    if (status == TR_OK && request->bvh)
        status = play_write_bvh(request, shot, error);
    if (status == TR_OK && (request->png || request->video))
        status = play_write_film(request, shot, error);
    if (status == TR_OK && request->depth)
        status = play_write_depth(request, shot, error);
    if (status == TR_OK && request->eyes)
        status = play_eyes_write(shot->eyes, request->eyes, error);
    if (status == TR_OK && request->steps)
        status = play_steps_write(shot->steps, shot->play.stage, shot->play.scene, request->steps, error);
    if (status == TR_OK && (request->report || request->json))
        status = play_write_report(request, shot, error);
    return status;
}

static void destroy_shot(play_shot *shot) {
    for (uint32_t i = 0; i < shot->count; i++) {
        tr_clip_destroy(shot->parts[i].clip);
        free(shot->parts[i].trace);
    }
    free(shot->parts);
    play_eyes_close(shot->eyes);
    tr_stage_play_destroy(&shot->play);
    play_steps_close(shot->steps);
}

static int run(const play_request *request) {
    play_shot shot = {0};
    tr_error error = {0};
    tr_tasks *tasks = NULL;
    tr_status status = tr_tasks_create(NULL, (uint32_t)request->threads, &tasks, &error);
    if (status == TR_OK)
        status = open_stage(request, tasks, &shot.play, &error);
    uint32_t followed; // an unknown name is found before the work
    if (status == TR_OK && request->follow)
        status = play_find_followed(request, shot.play.stage, &followed, &error);
    if (status == TR_OK && request->load)
        status = play_load(request, tasks, &shot, &error);
    if (status == TR_OK && request->eyes)
        status = play_eyes_open(shot.play.stage, &shot.eyes, &error);
    if (status == TR_OK && request->steps)
        status = play_steps_open(shot.play.stage, &shot.steps, &error);
    if (status == TR_OK)
        status = act(request, &shot, &error);
    if (status == TR_OK && request->save)
        status = play_save(request, &shot, &error);
    if (status == TR_OK)
        status = take_parts(&shot, &error);
    if (status == TR_OK)
        status = write_all(request, &shot, &error);
    int result = status == TR_OK ? COMMAND_DONE : command_complain_of(&error);
    if (status == TR_OK && !request->json)
        play_print(request, &shot);
    if (status == TR_OK && !play_all_done(&shot))
        result = COMMAND_FAILED;
    destroy_shot(&shot);
    tr_tasks_destroy(tasks);
    return result;
}

static bool check_request(play_request *request) {
    request->text = request->out && arguments_ends_with(request->out, ".gltf");
    bool is_drawn = request->png || request->video;
    if (!request->path)
        command_complain("play needs a stage file: troupe play office.json -o office.glb");
    else if (request->out && !request->text && !arguments_ends_with(request->out, ".glb"))
        command_complain("--out is \"%s\", it must end with .glb or .gltf", request->out);
    else if (request->has_view && !request->follow)
        command_complain("--view requires --follow");
    else if ((request->follow || request->from > 0 || request->to > 0) && !is_drawn)
        command_complain("%s requires --png or --video", request->follow     ? "--follow"
                                                         : request->from > 0 ? "--from"
                                                                             : "--to");
    else if (request->to > 0 && request->to <= request->from)
        command_complain("--to is %g, it must be after --from, which is %g", request->to, request->from);
    else
        return true;
    return false;
}

int command_play(int count, char **arguments) {
    play_request request = {.frames = 8, .width = 960, .height = 540};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe play STAGE.json -o OUT.glb [--bvh FOLDER] [--png FILE] [--video FILE] [--report "
            "FILE.json]",
            options, OPTION_COUNT,
            "Exit status 1: an order could not be carried out. docs/io/stage_file.md describes stage\n"
            "files.");
        return COMMAND_DONE;
    }
    if (!check_request(&request))
        return COMMAND_BAD;
    return run(&request);
}
