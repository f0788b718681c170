// troupe reach --scene FILE --tasks FILE.json: plans reaches through clutter, task by task.
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "reach_depth.h"

#include <math.h>
#include <stdio.h>

enum {
    OPTION_SCENE,
    OPTION_SAMPLE,
    OPTION_SEED,
    OPTION_TASKS,
    OPTION_RUNS,
    OPTION_GOAL,
    OPTION_TASK,
    OPTION_MARGIN,
    OPTION_CHECKS,
    OPTION_UP,
    OPTION_PATHS,
    OPTION_DEPTH,
    OPTION_SMOOTH,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    {"--scene", 0, "FILE", "the scene: OBJ, glTF, GLB, or a format that assimp reads"},
    {"--sample", 0, "NAME", "or a sample scene"},
    {"--seed", 0, "N", "random seed of the sample scene (0)"},
    {"--tasks", 0, "FILE.json", "the arm and its tasks"},
    {"--runs", 0, "N", "plan each task N times, with the seeds 1 to N (20)"},
    {"--goal", 0, "position|pose", "goal of the wrist alone, or of the hand's direction too (position)"},
    {"--task", 0, "ID", "only this task (all)"},
    {"--margin", 0, "M", "distance that paths keep from obstacles where there is room [m] (0.002)"},
    {"--checks", 0, "N", "postures that a plan may check before it gives up (500000)"},
    {"--up", 0, "y|z", "the axis that is up in both files (given by the task file)"},
    {"--paths", 0, "FILE.json", "write every joint path for independent checks"},
    {"--depth", 0, "FOLDER", "write the depth maps of cameras along the links, as in Liu & Badler 2003"},
    {"--smooth", 0, NULL, "smooth the motion of the hand: takes some ms more, not counted in the times"},
    {"--json", 0, NULL, "print one JSON document and nothing else"},
};

static bool read_task_id(reach_request *request, const char *value) {
    uint64_t id;
    if (!arguments_integer("--task", value, 0, (uint64_t)1 << 53, &id))
        return false;
    request->task = (int64_t)id;
    return true;
}

static bool read_word_option(reach_request *request, int option, const char *value) {
    static const char *const goals[] = {"position", "pose"}, *const ups[] = {"y", "z"};
    uint32_t word;
    if (!arguments_word(options[option].name, value, option == OPTION_GOAL ? goals : ups, 2, &word))
        return false;
    if (option == OPTION_GOAL)
        request->pose = word == 1;
    else
        request->up = word == 1 ? TR_UP_Z : TR_UP_Y;
    return true;
}

static bool read_option(reach_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_SCENE:
        request->scene = value;
        return true;
    case OPTION_SAMPLE:
        request->sample = value;
        return true;
    case OPTION_TASKS:
        request->tasks = value;
        return true;
    case OPTION_PATHS:
        request->paths = value;
        return true;
    case OPTION_DEPTH:
        request->depth = value;
        return true;
    case OPTION_RUNS:
        return arguments_integer("--runs", value, 1, 100000, &request->runs);
    case OPTION_GOAL:
    case OPTION_UP:
        return read_word_option(request, option, value);
    case OPTION_TASK:
        return read_task_id(request, value);
    case OPTION_MARGIN:
        return arguments_number("--margin", value, 0, 1, &request->margin);
    case OPTION_CHECKS:
        return arguments_integer("--checks", value, 1, 100000000, &request->checks);
    case OPTION_SEED:
        return arguments_integer("--seed", value, 0, UINT64_MAX, &request->scene_seed);
    case OPTION_SMOOTH:
        return request->arm_smooth = true;
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        command_complain("reach takes no argument \"%s\"; see troupe reach --help", value);
    }
    return false;
}

static bool has_task(const reach_job *job, int64_t id) {
    for (uint32_t i = 0; i < job->file.task_count; i++)
        if (job->file.tasks[i].id == id)
            return true;
    return id < 0;
}

static bool check_request(const reach_request *request, const reach_job *job, tr_error *error) {
    if (!has_task(job, request->task))
        tr_fail(error, TR_NOT_FOUND, "%.200s has no task %lld", request->tasks, (long long)request->task);
    else if (job->file.task_count == 0)
        tr_fail(error, TR_BAD_FILE, "%.200s has no tasks", request->tasks);
    else
        return true;
    return false;
}

static tr_status save_paths(const reach_request *request, tr_json_writer *paths, tr_error *error) {
    tr_bytes text;
    tr_json_write_end(paths);
    tr_json_write_end(paths);
    tr_status status = tr_json_writer_finish(paths, &text, error);
    if (status != TR_OK)
        return status;
    status = tr_file_write(request->paths, text.data, text.size, error);
    tr_bytes_free(NULL, &text);
    return status;
}

static void show_progress(void *user, double share) {
    progress_step(user, (uint64_t)(share * 100));
}

static tr_status measure(reach_job *job, const reach_request *request, reach_report *report,
                         tr_error *error) {
    tr_json_writer paths = tr_json_writer_begin(NULL);
    progress_bar bar = progress_begin("planning", 100);
    reach_listener listener = {request->paths ? &paths : NULL, show_progress, &bar};
    tr_json_write_object(&paths);
    tr_json_write_key(&paths, "tasks");
    tr_json_write_array(&paths);
    tr_status status = reach_report_measure(job, request, &listener, report, error);
    progress_end(&bar);
    if (status == TR_OK && request->paths)
        return save_paths(request, &paths, error);
    tr_bytes unwanted = {0};
    if (tr_json_writer_finish(&paths, &unwanted, NULL) == TR_OK)
        tr_bytes_free(NULL, &unwanted);
    return status;
}

static int run(const reach_request *request) {
    tr_error error = {0};
    reach_job job;
    reach_report report = {0};
    tr_status status = reach_job_open(request, &job, &error);
    bool fine = status == TR_OK && check_request(request, &job, &error);
    if (fine)
        fine = measure(&job, request, &report, &error) == TR_OK;
    if (fine && request->depth)
        fine = reach_depth_write(&job, request, &error) == TR_OK;
    if (fine && request->json)
        fine = reach_print_json(&job, request, &report, &error) == TR_OK;
    else if (fine)
        reach_print_table(&job, request, &report);
    int result = !fine                                        ? command_complain_of(&error)
                 : report.collision_free == report.time_count ? COMMAND_DONE
                                                              : COMMAND_FAILED;
    reach_report_destroy(&report);
    reach_job_close(&job);
    return result;
}

int command_reach(int count, char **arguments) {
    reach_request request = {.runs = 20, .first_seed = 1, .task = -1, .margin = NAN};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe reach --scene FILE --tasks FILE.json [--runs N] [--goal position|pose] [--json]", options,
            OPTION_COUNT,
            "Every path found is checked again by separate, simple code at steps of 0.02 rad:\n"
            "limits, scene, body, arm, start and goal. Exit status 0: all paths were found and are\n"
            "collision-free.");
        return COMMAND_DONE;
    }
    if (!request.scene == !request.sample)
        return command_complain("reach needs either --scene FILE or --sample NAME");
    if (!request.tasks)
        return command_complain("reach needs --tasks FILE.json");
    return run(&request);
}
