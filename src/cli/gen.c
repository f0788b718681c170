// troupe gen NAME -o FILE.obj: writes a sample scene as a file that any program can read. troupe gen crowd -o
// FILE.json: writes people for one as a stage file. troupe gen tasks -o FILE.json: writes tasks for an arm.
#include "arguments.h"
#include "commands.h"
#include "gen.h"
#include "scene_options.h"
#include "troupe/io/obj.h"
#include "troupe/io/reach_file.h"
#include "troupe/world/sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTION_OUT,
    OPTION_TRIANGLES,
    OPTION_SEED,
    OPTION_WIDTH,
    OPTION_LENGTH,
    OPTION_PEOPLE,
    OPTION_KIND,
    OPTION_TASKS,
    OPTION_LIST,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    {"--out", 'o', "FILE", "file to write; - is the standard output"},
    {"--triangles", 0, "N", "number of triangles of the scene"},
    {"--seed", 0, "N", "random seed of the scene (0)"},
    {"--width", 0, "M", "width of a corridor (3), door (1), crossing (4) or bridge (3) [m]"},
    {"--length", 0, "M", "length of a corridor (12), the arms of a crossing (12) or a bridge (8) [m]"},
    {"--people", 0, "N", "people of a crowd, or that a plaza or crowd_field is sized for (100)"},
    {"--kind", 0, "NAME", "kind of crowd: where its people start and go; or scene of the tasks of an arm"},
    {"--tasks", 0, "N", "number of tasks for an arm (100)"},
    {"--list", 0, NULL, "list the samples and the kinds of crowd"},
};

typedef struct gen_request {
    tr_sample_def sample;
    const char *path, *kind;
    uint64_t tasks; // 0: not given
    bool list, help;
} gen_request;

static bool read_option(gen_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_OUT:
        request->path = value;
        return true;
    case OPTION_TRIANGLES:
        return sample_option_read(&request->sample, SCENE_OPTION_TRIANGLES, value);
    case OPTION_SEED:
        return sample_option_read(&request->sample, SCENE_OPTION_SEED, value);
    case OPTION_WIDTH:
        return sample_option_read(&request->sample, SCENE_OPTION_WIDTH, value);
    case OPTION_LENGTH:
        return sample_option_read(&request->sample, SCENE_OPTION_LENGTH, value);
    case OPTION_PEOPLE:
        return sample_option_read(&request->sample, SCENE_OPTION_PEOPLE, value);
    case OPTION_KIND:
        request->kind = value;
        return true;
    case OPTION_TASKS:
        return arguments_integer("--tasks", value, 1, TR_REACH_FILE_TASKS_MAX, &request->tasks);
    case OPTION_LIST:
        request->list = true;
        return true;
    case ARGUMENT_HELP:
        request->help = true;
        return true;
    case ARGUMENT_PLAIN:
        if (request->sample.name)
            command_complain("gen takes one sample: \"%s\" follows \"%s\"", value, request->sample.name);
        else
            request->sample.name = value;
        return request->sample.name == value;
    }
    return false;
}

static void print_list(void) {
    for (uint32_t i = 0; i < tr_sample_count(); i++)
        printf("%-10s %s\n", tr_sample_name(i), tr_sample_summary(i));
    printf("%-10s people for one of these scenes, as a stage file; values of --kind:\n", "crowd");
    for (uint32_t i = 0; i < tr_sample_crowd_kind_count(); i++)
        printf("  %-8s %s\n", tr_sample_crowd_kind(i), tr_sample_crowd_summary(i));
}

static int write_scene(const gen_request *request, const tr_sample *sample) {
    tr_bytes text = {NULL, 0};
    tr_error error = {0};
    bool to_standard_output = strcmp(request->path, "-") == 0;
    tr_status status = tr_obj_write(NULL, sample->scene, &text, &error);
    if (status == TR_OK && to_standard_output)
        fwrite(text.data, 1, text.size, stdout);
    else if (status == TR_OK)
        status = tr_file_write(request->path, text.data, text.size, &error);
    tr_bytes_free(NULL, &text);
    if (status != TR_OK)
        return command_complain_of(&error);
    if (!to_standard_output)
        printf("%s: %" PRIu64 " triangles in %u objects, %u of them movable, written to %s\n",
               request->sample.name, tr_scene_triangle_count(sample->scene),
               tr_scene_object_count(sample->scene), sample->movable_count, request->path);
    return COMMAND_DONE;
}

static int make_crowd(const gen_request *request) {
    if (!request->kind)
        return command_complain("gen crowd needs --kind NAME; troupe gen --list shows the kinds");
    if (request->sample.triangles)
        return command_complain("--triangles cannot be given with gen crowd");
    if (!request->path)
        return command_complain("gen crowd needs -o FILE.json, the stage file to write");
    if (strcmp(request->path, "-") != 0 && !arguments_ends_with(request->path, ".json"))
        return command_complain("gen crowd writes stage files: \"%s\" does not end with .json",
                                request->path);
    tr_sample_crowd_def def = {.kind = request->kind,
                               .people = request->sample.people,
                               .seed = request->sample.seed,
                               .width = request->sample.width,
                               .length = request->sample.length};
    return gen_crowd(&def, request->path);
}

static int make_tasks(const gen_request *request) {
    if (!request->kind)
        return command_complain("gen tasks needs --kind NAME, the scene to reach into");
    if (!request->path)
        return command_complain("gen tasks needs -o FILE.json, the reach file to write");
    if (strcmp(request->path, "-") != 0 && !arguments_ends_with(request->path, ".json"))
        return command_complain("gen tasks writes reach files: \"%s\" does not end with .json",
                                request->path);
    return gen_tasks(request->kind, request->sample.seed, request->tasks ? (uint32_t)request->tasks : 100,
                     request->path);
}

static int make_scene(const gen_request *request) {
    if (request->kind)
        return command_complain("--kind can only be given with gen crowd and gen tasks");
    if (!request->path)
        return command_complain("gen needs -o FILE.obj, the scene file to write");
    if (strcmp(request->path, "-") != 0 && !arguments_ends_with(request->path, ".obj"))
        return command_complain("gen writes OBJ files: \"%s\" does not end with .obj", request->path);
    tr_sample sample;
    tr_error error = {0};
    if (tr_sample_make(&request->sample, &sample, &error) != TR_OK)
        return command_complain_of(&error);
    int status = write_scene(request, &sample);
    tr_scene_destroy(sample.scene);
    return status;
}

int command_gen(int count, char **arguments) {
    gen_request request = {.path = NULL};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe gen NAME -o FILE.obj [--triangles N] [--seed N] [...]\n"
            "       troupe gen crowd --kind NAME -o FILE.json [--people N] [--seed N] [...]\n"
            "       troupe gen tasks --kind NAME -o FILE.json [--tasks N] [--seed N]",
            options, OPTION_COUNT,
            "The same name, triangles, sizes and seed give the same file, byte for byte.");
        return COMMAND_DONE;
    }
    if (request.list) {
        print_list();
        return COMMAND_DONE;
    }
    if (!request.sample.name)
        return command_complain("gen needs the name of a sample; troupe gen --list shows the samples");
    if (strcmp(request.sample.name, "tasks") == 0)
        return make_tasks(&request);
    if (request.tasks)
        return command_complain("--tasks can only be given with gen tasks");
    return strcmp(request.sample.name, "crowd") == 0 ? make_crowd(&request) : make_scene(&request);
}
