// troupe audit MOTION: measures the quality of a motion.
#include "arguments.h"
#include "audit_fields.h"
#include "audit_likeness.h"
#include "commands.h"
#include "json_fields.h"
#include "troupe/io/file.h"
#include "troupe/io/motion_file.h"
#include "troupe/io/scene_file.h"
#include "troupe/io/stage_file.h"
#include "troupe/motion/mannequin.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTION_SCENE,
    OPTION_SAMPLE,
    OPTION_FIGURE,
    OPTION_CLIP,
    OPTION_UNIT,
    OPTION_FPS,
    OPTION_SKIP_FIRST,
    OPTION_GROUND,
    OPTION_FIND_CONTACTS,
    OPTION_LIKE_PEOPLE,
    OPTION_SLIDE,
    OPTION_SKATE,
    OPTION_PENETRATION,
    OPTION_CLEARANCE,
    OPTION_LIMITS,
    OPTION_SEAM,
    OPTION_COLLISIONS,
    OPTION_SELF,
    OPTION_JERK,
    OPTION_LIKENESS,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    {"--scene", 0, "FILE", "the scene: OBJ, glTF, GLB, a format that assimp reads, or a stage file (.json)"},
    {"--sample", 0, "NAME", "or a sample scene"},
    {"--figure", 0, "NAME", "only this character (all)"},
    {"--clip", 0, "NAME", "only this clip (the first of each)"},
    {"--unit", 0, "M", "metres per unit of the file (given by the format, or guessed)"},
    {"--fps", 0, "N", "frames per second at which a glTF file is sampled (the rate of its keys)"},
    {"--skip-first", 0, NULL, "leave out frame 0 of a BVH (an added T-pose)"},
    {"--ground", 0, "Y", "height of the floor [m] (estimated from the motion; with a scene, its triangles)"},
    {"--find-contacts", 0, NULL, "find the plants in the motion, even if the file has labels"},
    {"--like-people", 0, NULL, "print how the steady strides compare with captured walks of people"},
    {"--max-slide", 0, "MM", "exit with status 1 if a planted foot slides further"},
    {"--max-skate", 0, "MM", "... if feet near the floor move further in 1/30 s, planted or not (MANN)"},
    {"--max-penetration", 0, "MM", "... if a foot penetrates the floor deeper"},
    {"--min-clearance", 0, "MM", "... if a foot swings closer to the floor"},
    {"--max-limits", 0, "N", "... if more joint limits are exceeded (frames times joints)"},
    {"--max-seam", 0, "MPS", "... if a velocity jumps by more at a seam"},
    {"--max-collisions", 0, "N", "... if more frames collide with the scene"},
    {"--max-self-collisions", 0, "N", "... if more frames collide with the body itself"},
    {"--max-jerk", 0, "X", "... if the mean jerk at 30 Hz is larger [m/s3]"},
    {"--min-likeness", 0, "PERCENT", "... if less of the strides is within 2 SD of people, mean over curves"},
    {"--json", 0, NULL, "print one JSON document and nothing else"},
};

typedef struct audit_request {
    const char *path, *scene, *sample, *figure, *clip;
    tr_motion_options motion;
    double ground;
    audit_limits limits;
    double min_likeness; // [percent]; NAN: no limit
    bool find_contacts, like_people, json, help;
} audit_request;

static bool read_limit(audit_request *request, int option, const char *value) {
    double *limits[] = {
        &request->limits.slide_mm,     &request->limits.skate_mm,        &request->limits.penetration_mm,
        &request->limits.clearance_mm, &request->limits.joint_limits,    &request->limits.seam_mps,
        &request->limits.collisions,   &request->limits.self_collisions, &request->limits.jerk};
    return arguments_number(options[option].name, value, 0, 1e9, limits[option - OPTION_SLIDE]);
}

static bool read_option(audit_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_SCENE:
        request->scene = value;
        return true;
    case OPTION_SAMPLE:
        request->sample = value;
        return true;
    case OPTION_FIGURE:
        request->figure = value;
        return true;
    case OPTION_CLIP:
        request->clip = value;
        return true;
    case OPTION_UNIT:
        return arguments_number("--unit", value, 1e-6, 1e6, &request->motion.metres_per_unit);
    case OPTION_FPS:
        return arguments_number("--fps", value, 1, 1000, &request->motion.frames_per_second);
    case OPTION_GROUND:
        return arguments_number("--ground", value, -1e6, 1e6, &request->ground);
    case OPTION_SKIP_FIRST:
        return request->motion.skip_first = true;
    case OPTION_FIND_CONTACTS:
        return request->find_contacts = true;
    case OPTION_LIKE_PEOPLE:
        return request->like_people = true;
    case OPTION_LIKENESS:
        request->like_people = true;
        return arguments_number("--min-likeness", value, 0, 100, &request->min_likeness);
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        if (request->path)
            command_complain("audit takes one file: \"%s\" follows \"%s\"", value, request->path);
        else
            request->path = value;
        return request->path == value;
    }
    return option >= OPTION_SLIDE && option < OPTION_LIKENESS && read_limit(request, option, value);
}

// The scene of a stage file, with the objects that it moves.
static tr_status load_stage(const char *path, tr_scene **scene, tr_error *error) {
    tr_bytes bytes;
    tr_status status = tr_file_read(NULL, path, &bytes, error);
    if (status != TR_OK)
        return status;
    tr_stage_play play;
    tr_stage_file_options how = {.scene_only = true, .note = command_note, .note_user = (void *)path};
    status = tr_stage_file_read(bytes.data, bytes.size, path, &how, &play, error);
    tr_bytes_free(NULL, &bytes);
    if (status != TR_OK)
        return status;
    *scene = play.scene;
    play.scene = NULL;
    tr_stage_play_destroy(&play);
    return TR_OK;
}

static tr_status load_scene(const audit_request *request, tr_scene **scene, tr_error *error) {
    if (request->sample) {
        tr_sample sample;
        tr_status status = tr_sample_make(&(tr_sample_def){.name = request->sample}, &sample, error);
        *scene = status == TR_OK ? sample.scene : NULL;
        return status;
    }
    if (!request->scene)
        return TR_OK;
    if (arguments_ends_with(request->scene, ".json"))
        return load_stage(request->scene, scene, error);
    tr_status status = tr_scene_create(NULL, scene);
    return status == TR_OK ? tr_scene_file_read(request->scene, NULL, *scene, error)
                           : tr_fail(error, status, "no memory for the scene");
}

// Files store neither limits nor capsules. If the joints are those of our mannequin, its limits and capsules
// apply.
typedef struct borrowed {
    tr_skeleton *skeleton;
    tr_body *body;
} borrowed;

static borrowed borrow_mannequin(const tr_skeleton *skeleton) {
    borrowed own = {NULL, NULL};
    tr_mannequin_def def = {.height = tr_skeleton_height(skeleton), .detail = 1};
    if (tr_mannequin_make(&def, &own.skeleton, &own.body, NULL) != TR_OK)
        return own;
    uint32_t count = tr_skeleton_joint_count(own.skeleton);
    bool same = count <= tr_skeleton_joint_count(skeleton);
    for (uint32_t i = 0; i < count && same; i++) {
        uint32_t joint = tr_skeleton_find(skeleton, tr_skeleton_joint(own.skeleton, i).name);
        same = joint == i;
    }
    if (!same || count != tr_skeleton_joint_count(skeleton)) {
        tr_body_destroy(own.body);
        tr_skeleton_destroy(own.skeleton);
        own = (borrowed){NULL, NULL};
    }
    return own;
}

static tr_status measure(const audit_request *request, const tr_figure *figure, const tr_clip *clip,
                         const tr_scene *scene, tr_audit *audit, tr_error *error) {
    tr_audit_params params = tr_audit_params_default();
    borrowed own = borrow_mannequin(figure->skeleton);
    params.scene = scene;
    params.ground = (float)request->ground;
    params.find_contacts = request->find_contacts;
    params.body = own.body ? own.body : figure->body;
    tr_status status =
        tr_audit_measure(NULL, own.skeleton ? own.skeleton : figure->skeleton, clip, &params, audit, error);
    tr_body_destroy(own.body);
    tr_skeleton_destroy(own.skeleton);
    if (status == TR_NOT_FOUND) {
        command_note((void *)request->path, "no feet were found: measurements that need feet are left out");
        return TR_OK;
    }
    return status;
}

#define COLUMNS 64

typedef struct audit_list {
    tr_audit audits[COLUMNS + 1]; // after the counted ones follows the worst of all
    const char *names[COLUMNS + 1];
    const tr_skeleton *skeletons[COLUMNS];
    const tr_clip *clips[COLUMNS];
    double likeness;          // the least of all [percent]; NAN if none was compared with people
    uint32_t count, left_out; // left_out: measured, but not shown one by one
} audit_list;

static tr_status measure_all(const audit_request *request, const tr_figures *figures, const tr_scene *scene,
                             audit_list *list, tr_error *error) {
    tr_audit worst, one;
    for (uint32_t i = 0; i < figures->count; i++) {
        const tr_figure *figure = &figures->items[i];
        const tr_clip *clip = request->clip        ? tr_figure_find_clip(figure, request->clip)
                              : figure->clip_count ? figure->clips[0]
                                                   : NULL;
        if (!clip || (request->figure && (!figure->name || strcmp(request->figure, figure->name) != 0)))
            continue;
        tr_status status = measure(request, figure, clip, scene, &one, error);
        if (status != TR_OK)
            return status;
        if (list->count == 0)
            worst = one;
        else
            audit_merge(&worst, &one);
        if (list->count == COLUMNS) {
            list->left_out++;
            continue;
        }
        list->audits[list->count] = one;
        list->skeletons[list->count] = figure->skeleton;
        list->clips[list->count] = clip;
        list->names[list->count++] = figure->name ? figure->name : tr_clip_name(clip);
    }
    if (list->count == 0)
        return tr_fail(error, TR_NOT_FOUND, "%.200s has no motion with the given --figure and --clip",
                       request->path);
    list->audits[list->count] = worst;
    list->names[list->count] = "worst";
    return TR_OK;
}

// Compares one character with people. Without steady strides it is left out, with a note.
static tr_status compare(const audit_request *request, audit_list *list, uint32_t number,
                         tr_likeness *likeness, bool *compared, tr_error *error) {
    tr_audit_params params = tr_audit_params_default();
    params.ground = (float)request->ground;
    params.find_contacts = request->find_contacts;
    tr_status status =
        tr_likeness_measure(NULL, list->skeletons[number], list->clips[number], &params, likeness, error);
    *compared = status == TR_OK;
    if (status == TR_NOT_FOUND) {
        command_note((void *)list->names[number], error->message);
        return TR_OK;
    }
    double percent = status == TR_OK ? (double)likeness->likeness * 100 : NAN;
    if (status == TR_OK && !(percent >= list->likeness))
        list->likeness = percent;
    return status;
}

static tr_status print_likeness(const audit_request *request, audit_list *list, tr_error *error) {
    for (uint32_t i = 0; i < list->count; i++) {
        tr_likeness likeness;
        bool compared;
        tr_status status = compare(request, list, i, &likeness, &compared, error);
        if (status != TR_OK)
            return status;
        if (compared)
            audit_likeness_print(&likeness, list->names[i]);
    }
    return TR_OK;
}

static tr_status write_likeness(const audit_request *request, audit_list *list, uint32_t number,
                                tr_json_writer *writer, tr_error *error) {
    tr_likeness likeness;
    bool compared;
    tr_status status = compare(request, list, number, &likeness, &compared, error);
    if (status != TR_OK)
        return status;
    tr_json_write_key(writer, "like_people");
    if (compared) {
        tr_json_write_object(writer);
        audit_likeness_write(writer, &likeness);
        tr_json_write_end(writer);
    } else
        tr_json_write_null(writer);
    return TR_OK;
}

static tr_status print_json(const audit_request *request, audit_list *list, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    audit_write_fields(&writer, &list->audits[list->count]);
    tr_json_write_key(&writer, "figures");
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < list->count; i++) {
        tr_json_write_object(&writer);
        json_field_text(&writer, "name", list->names[i]);
        audit_write_fields(&writer, &list->audits[i]);
        tr_status status = request->like_people ? write_likeness(request, list, i, &writer, error) : TR_OK;
        if (status != TR_OK) {
            json_drop(&writer);
            return status;
        }
        tr_json_write_end(&writer);
    }
    tr_json_write_end(&writer);
    tr_json_write_end(&writer);
    return json_print(&writer, error);
}

static bool likeness_is_enough(const audit_request *request, const audit_list *list) {
    if (!(request->min_likeness >= 0) || list->likeness >= request->min_likeness)
        return true;
    if (isnan(list->likeness))
        fprintf(stderr, "troupe: no walk could be compared with people\n");
    else
        fprintf(stderr, "troupe: the likeness with people is %.1f %%, at least %g %% is required\n",
                list->likeness, request->min_likeness);
    return false;
}

static int run(const audit_request *request) {
    tr_error error = {0};
    tr_scene *scene = NULL;
    tr_figures figures = tr_figures_begin(NULL);
    audit_list list = {.likeness = NAN};
    tr_status status = tr_motion_file_read(request->path, &request->motion, &figures, &error);
    if (status == TR_OK)
        status = load_scene(request, &scene, &error);
    if (status == TR_OK)
        status = measure_all(request, &figures, scene, &list, &error);
    if (status == TR_OK && request->json)
        status = print_json(request, &list, &error);
    else if (status == TR_OK && request->like_people)
        status = print_likeness(request, &list, &error);
    else if (status == TR_OK)
        audit_print(list.audits, list.names, list.count > 1 ? list.count + 1 : 1);
    if (list.left_out > 0)
        fprintf(stderr, "troupe: %u more characters are not shown, but \"worst\" includes them\n",
                list.left_out);
    int result = status == TR_OK ? COMMAND_DONE : command_complain_of(&error);
    if (status == TR_OK && audit_check(&list.audits[list.count], &request->limits))
        result = COMMAND_FAILED;
    if (status == TR_OK && !likeness_is_enough(request, &list))
        result = COMMAND_FAILED;
    tr_figures_destroy(&figures);
    tr_scene_destroy(scene);
    return result;
}

int command_audit(int count, char **arguments) {
    audit_request request = {.motion = tr_motion_options_default(),
                             .ground = NAN,
                             .limits = audit_limits_none(),
                             .min_likeness = NAN};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe audit MOTION [--scene FILE] [--max-slide MM ...] [--json]", options, OPTION_COUNT,
            "MOTION is a BVH, GLB or glTF file of any origin. Joint limits and collisions are measured for\n"
            "the mannequin only, not for other skeletons. Objects that a stage file moves are\n"
            "tested where they are at the time of each frame.");
        return COMMAND_DONE;
    }
    if (request.scene && request.sample)
        return command_complain("--scene and --sample cannot both be given");
    if (!request.path)
        return command_complain("audit needs a motion file: troupe audit walk.bvh");
    request.motion.note = command_note;
    request.motion.note_user = (void *)request.path;
    return run(&request);
}
