// troupe behaviors: reads or builds a machine of behaviors, checks it, prints, draws and writes it.
#include "behaviors.h"
#include "cli/arguments.h"
#include "cli/commands.h"

#include <string.h>

#define WEIGHTS_MAX 64

enum {
    OPTION_OUT,
    OPTION_NO_NUMBERS,
    OPTION_PNG,
    OPTION_FILM,
    OPTION_STATE,
    OPTION_HEIGHT,
    OPTION_WEIGHT,
    OPTION_RATE,
    OPTION_TOLERANCE,
    OPTION_ONE_SIDED,
    OPTION_PIECES,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    {"--out", 'o', "FILE.json", "write the machine as a machine file"},
    {"--no-numbers", 0, NULL, "leave out the numbers of moves, which are then measured from their motion"},
    {"--png", 0, "FILE.png", "draw the machine: states, labels and what may follow"},
    {"--film", 0, "FOLDER", "draw a strip of frames of the first clip of every state"},
    {"--state", 0, "NAME", "with --film: of this state alone"},
    {"--height", 0, "METRES",
     "of a character with generated motion (a horse: of the withers), or that wears captures"},
    {"--weight", 0, "STATE=W", "change the weight of a state, the cost of a metre; may be repeated"},
    {"--rate", 0, "HZ", "of a folder: frames per second of the clips (30)"},
    {"--tolerance", 0, "LEGS", "of a folder: how unlike moments with the same label may be (0.25)"},
    {"--one-sided", 0, NULL, "of a folder: without mirror images of the captures"},
    {"--pieces", 0, NULL, "of a folder: print every piece of the captures, and why it is not used"},
    {"--json", 0, NULL, "print one JSON document and nothing else"},
};

typedef struct behaviors_request {
    const char *source, *out, *png, *film, *state, *weights[WEIGHTS_MAX];
    uint32_t weight_count;
    double height, rate, tolerance;
    bool no_numbers, one_sided, pieces, json, help;
} behaviors_request;

static bool read_option(behaviors_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_OUT:
        request->out = value;
        return true;
    case OPTION_PNG:
        request->png = value;
        return true;
    case OPTION_FILM:
        request->film = value;
        return true;
    case OPTION_STATE:
        request->state = value;
        return true;
    case OPTION_HEIGHT:
        return arguments_number("--height", value, 0.1, 10, &request->height);
    case OPTION_RATE:
        return arguments_number("--rate", value, 10, 240, &request->rate);
    case OPTION_TOLERANCE:
        return arguments_number("--tolerance", value, 0.01, 2, &request->tolerance);
    case OPTION_ONE_SIDED:
        return request->one_sided = true;
    case OPTION_PIECES:
        return request->pieces = true;
    case OPTION_NO_NUMBERS:
        return request->no_numbers = true;
    case OPTION_WEIGHT:
        if (request->weight_count == WEIGHTS_MAX) {
            command_complain("--weight is given more than %d times", WEIGHTS_MAX);
            return false;
        }
        request->weights[request->weight_count++] = value;
        return true;
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        if (request->source) {
            command_complain("behaviors takes one machine, \"%s\" follows \"%s\"", value, request->source);
            return false;
        }
        request->source = value;
        return true;
    }
    return false;
}

static bool check_request(const behaviors_request *request) {
    if (!request->source)
        command_complain(
            "behaviors needs a machine: a machine file, human, skateboarder, horse, or a folder of captures");
    else if (request->out && !arguments_ends_with(request->out, ".json"))
        command_complain("\"%s\" does not end with .json", request->out);
    else if (request->png && !arguments_ends_with(request->png, ".png"))
        command_complain("\"%s\" does not end with .png", request->png);
    else if (request->state && !request->film)
        command_complain("--state requires --film");
    else if (request->no_numbers && !request->out)
        command_complain("--no-numbers requires --out");
    else
        return true;
    return false;
}

// "jump=5"
bool behaviors_set_weight(behaviors_job *job, const char *text, tr_error *error) {
    const tr_behavior_def *def = tr_behavior_def_of(job->machine);
    const char *sign = strrchr(text, '=');
    double weight;
    if (!sign) {
        tr_fail(error, TR_INVALID, "--weight: \"%.80s\" must be the name of a state, = and a number", text);
        return false;
    }
    if (!arguments_number("--weight", sign + 1, 1e-6, 1e6, &weight))
        return false;
    size_t length = (size_t)(sign - text);
    for (uint32_t i = 0; i < def->state_count; i++)
        if (strlen(def->states[i].name) == length && strncmp(def->states[i].name, text, length) == 0)
            return tr_behavior_set_weight(job->machine, i, (float)weight, error) == TR_OK;
    tr_fail(error, TR_NOT_FOUND, "--weight: the machine has no state \"%.*s\"", (int)length, text);
    return false;
}

static int run(const behaviors_request *request, behaviors_job *job) {
    tr_error error = {0};
    job->how = (tr_behavior_build_def){.frames_per_second = request->rate,
                                       .tolerance = (float)request->tolerance,
                                       .one_sided = request->one_sided};
    tr_status status = behaviors_load(request->source, (float)request->height, job, &error);
    for (uint32_t i = 0; i < request->weight_count && status == TR_OK; i++)
        if (!behaviors_set_weight(job, request->weights[i], &error))
            return error.message[0] ? command_complain_of(&error) : COMMAND_BAD;
    if (status == TR_OK && request->out)
        status = behaviors_write(job, !request->no_numbers, request->out, &error);
    if (status == TR_OK && request->png)
        status = behaviors_draw(job, request->png, &error);
    if (status == TR_OK && request->film)
        status = behaviors_film(job, request->state, request->film, &error);
    if (status == TR_OK && request->json)
        status = behaviors_print_json(job, request->out, request->png, &error);
    else if (status == TR_OK)
        behaviors_print(job);
    if (status == TR_OK && request->pieces && !request->json)
        behaviors_print_pieces(job);
    return status == TR_OK ? COMMAND_DONE : command_complain_of(&error);
}

int command_behaviors(int count, char **arguments) {
    behaviors_request request = {.source = NULL};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe behaviors FILE.json [OPTIONS]\n"
            "       troupe behaviors human|skateboarder|horse [OPTIONS]\n"
            "       troupe behaviors FOLDER [OPTIONS]",
            options, OPTION_COUNT,
            "Checks a machine of behaviors and prints its states: what a planner chains to reach a goal.\n"
            "The file is a machine file; the names are characters with generated motion. From a folder of\n"
            "captures (.bvh, .glb, .gltf) a machine is built, worn by the mannequin; -o then writes its "
            "clips\n"
            "beside the machine file, as FILE.glb.");
        return COMMAND_DONE;
    }
    if (!check_request(&request))
        return COMMAND_BAD;
    behaviors_job job = {.machine = NULL};
    int status = run(&request, &job);
    behaviors_destroy(&job);
    return status;
}
