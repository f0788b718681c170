// troupe convert IN OUT: converts a motion to another format, on its own body or on another.
#include "arguments.h"
#include "commands.h"
#include "json_fields.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/motion_file.h"
#include "troupe/io/scene_file.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/retarget.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_CLIP,
    OPTION_FIGURE,
    OPTION_TO,
    OPTION_HEIGHT,
    OPTION_FREE_FEET,
    OPTION_FPS,
    OPTION_UNIT,
    OPTION_OUT_UNIT,
    OPTION_SKIP_FIRST,
    OPTION_ROOT_MOTION,
    OPTION_LIST,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    {"--clip", 0, "NAME", "only this clip"},
    {"--figure", 0, "NAME", "only this figure"},
    {"--to", 0, "BODY", "put the motion on another body: mannequin, or a file with a character"},
    {"--height", 0, "METRES", "height of the mannequin [m] (1.75)"},
    {"--free-feet", 0, NULL, "with --to: keep the source's leg angles instead of its foot positions"},
    {"--fps", 0, "N", "frames per second (those of the file)"},
    {"--unit", 0, "METRES", "metres per unit of IN (BVH: guessed from the body; glTF: 1)"},
    {"--out-unit", 0, "METRES", "metres per unit of OUT if it is a BVH file (0.01)"},
    {"--skip-first", 0, NULL, "leave out frame 0 of a BVH file (an added T-pose)"},
    {"--root-motion", 0, NULL, "to GLB: a node of its own moves over the ground, the hips relative to it"},
    {"--list", 0, NULL, "list the figures and clips of the file and write nothing"},
    {"--json", 0, NULL, "print the summary as a JSON document"},
};

#define NOTES_MAX 32

typedef struct convert_request {
    const char *in, *out, *clip, *figure, *to;
    double fps, unit, out_unit, height;
    bool free_feet, skip_first, root_motion, list, json, help;
    char notes[NOTES_MAX][400];
    uint32_t note_count;
} convert_request;

static bool take_path(convert_request *request, const char *value) {
    if (!request->in)
        request->in = value;
    else if (!request->out)
        request->out = value;
    else
        command_complain("convert takes two files, \"%s\" is a third", value);
    return request->in == value || request->out == value;
}

static bool read_option(convert_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_CLIP:
        request->clip = value;
        return true;
    case OPTION_FIGURE:
        request->figure = value;
        return true;
    case OPTION_TO:
        request->to = value;
        return true;
    case OPTION_HEIGHT:
        return arguments_number("--height", value, 0.5, 2.5, &request->height);
    case OPTION_FREE_FEET:
        return request->free_feet = true;
    case OPTION_FPS:
        return arguments_number("--fps", value, 0.001, 10000, &request->fps);
    case OPTION_UNIT:
        return arguments_number("--unit", value, 1e-6, 1e6, &request->unit);
    case OPTION_OUT_UNIT:
        return arguments_number("--out-unit", value, 1e-6, 1e6, &request->out_unit);
    case OPTION_SKIP_FIRST:
        return request->skip_first = true;
    case OPTION_ROOT_MOTION:
        return request->root_motion = true;
    case OPTION_LIST:
        return request->list = true;
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        return take_path(request, value);
    }
    return false;
}

static void take_note(void *user, const char *sentence) {
    convert_request *request = user;
    if (request->note_count < NOTES_MAX)
        snprintf(request->notes[request->note_count++], sizeof request->notes[0], "%s", sentence);
    fprintf(stderr, "troupe: %s: note: %s\n", request->in, sentence);
}

static tr_status read_motion(convert_request *request, const char *path, tr_figures *figures,
                             tr_error *error) {
    tr_motion_options motion = tr_motion_options_default();
    if (path == request->in) {
        motion.metres_per_unit = request->unit;
        motion.frames_per_second = request->fps;
        motion.skip_first = request->skip_first;
        motion.note = take_note;
        motion.note_user = request;
    }
    return tr_motion_file_read(path, &motion, figures, error);
}

static const char *name_of(const tr_figure *figure) {
    return figure->name ? figure->name : "";
}

static tr_status keep_figure(tr_figures *figures, const char *name, tr_error *error) {
    for (uint32_t i = 0; i < figures->count; i++) {
        if (strcmp(name_of(&figures->items[i]), name) != 0)
            continue;
        tr_figure kept = figures->items[i];
        figures->items[i] = figures->items[0];
        figures->items[0] = kept;
        while (figures->count > 1)
            tr_figure_destroy(&figures->items[--figures->count]);
        return TR_OK;
    }
    return tr_fail(error, TR_NOT_FOUND, "there is no figure \"%.100s\"; --list shows all figures", name);
}

// Keeps every figure that has a clip of this name, with that clip alone.
static tr_status keep_clip(tr_figures *figures, const char *name, tr_error *error) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < figures->count; i++) {
        tr_figure *figure = &figures->items[i];
        const tr_clip *chosen = tr_figure_find_clip(figure, name);
        tr_clip *one = NULL;
        for (uint32_t k = 0; k < figure->clip_count; k++)
            if (figure->clips[k] == chosen)
                one = figure->clips[k];
            else
                tr_clip_destroy(figure->clips[k]);
        figure->clip_count = 0;
        if (one)
            figure->clips[figure->clip_count++] = one;
        else
            tr_figure_destroy(figure);
        tr_figure moved = *figure;
        if (one) {
            *figure = figures->items[kept];
            figures->items[kept++] = moved;
        }
    }
    figures->count = kept;
    return kept ? TR_OK
                : tr_fail(error, TR_NOT_FOUND, "there is no clip \"%.100s\"; --list shows all clips", name);
}

static tr_status resample(const convert_request *request, tr_figure *figure, tr_error *error) {
    for (uint32_t i = 0; i < figure->clip_count; i++) {
        tr_clip *clip = NULL;
        if (request->fps == 0 || tr_clip_rate(figure->clips[i]) == request->fps)
            continue;
        tr_status status =
            tr_clip_edit_resample(NULL, figure->skeleton, figure->clips[i], request->fps, &clip, error);
        if (status != TR_OK)
            return status;
        tr_clip_destroy(figure->clips[i]);
        figure->clips[i] = clip;
    }
    return TR_OK;
}

// The body that the motion is put on, as a figure without clips.
static tr_status make_target(convert_request *request, tr_figure *target, tr_error *error) {
    if (strcmp(request->to, "mannequin") == 0) {
        tr_mannequin_def def = {.height = (float)request->height};
        return tr_mannequin_make(&def, &target->skeleton, &target->body, error);
    }
    tr_figures others = tr_figures_begin(NULL);
    tr_status status = read_motion(request, request->to, &others, error);
    if (status == TR_OK) {
        target->skeleton = others.items[0].skeleton;
        target->body = others.items[0].body;
        others.items[0].skeleton = NULL;
        others.items[0].body = NULL;
    }
    tr_figures_destroy(&others);
    return status;
}

static tr_status put_clips_on(const convert_request *request, const tr_figure *figure, tr_figure *target,
                              tr_error *error) {
    tr_retarget_params params = tr_retarget_params_default();
    params.keep_feet = !request->free_feet;
    // The rest pose of a character was made with its skin; that of a capture is a convention of its file.
    params.motions = (const tr_clip *const *)figure->clips;
    params.motion_count = figure->clip_count;
    params.trust_rest = figure->body != NULL;
    tr_retarget *retarget = NULL;
    tr_status status =
        tr_retarget_create(NULL, figure->skeleton, target->skeleton, &params, &retarget, error);
    for (uint32_t i = 0; i < figure->clip_count && status == TR_OK; i++) {
        tr_clip *clip = NULL;
        status = tr_retarget_clip(retarget, figure->clips[i], &clip, error);
        if (status == TR_OK && tr_figure_add_clip(target, clip) != TR_OK) {
            tr_clip_destroy(clip);
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip");
        }
    }
    tr_retarget_destroy(retarget);
    return status;
}

static tr_status put_on_target(convert_request *request, tr_figure *figure, tr_error *error) {
    tr_figure target = {.allocator = tr_allocator_default()};
    tr_status status = make_target(request, &target, error);
    if (status == TR_OK)
        status = tr_figure_set_name(&target, name_of(figure));
    if (status == TR_OK)
        status = put_clips_on(request, figure, &target, error);
    tr_figure *old = status == TR_OK ? figure : &target;
    tr_figure_destroy(old);
    if (status == TR_OK)
        *figure = target;
    return status;
}

// A file without motion is a scene: its meshes are copied unchanged to a format that has meshes.
static tr_status convert_scene(const convert_request *request, tr_error *error) {
    tr_scene *scene = NULL;
    tr_bytes bytes = {NULL, 0};
    tr_scene_read_options how = tr_scene_read_options_default();
    if (request->unit > 0)
        how.metres_per_unit = (float)request->unit;
    tr_status status = tr_scene_create(NULL, &scene);
    if (status != TR_OK)
        return tr_fail(error, status, "no memory for a scene");
    status = tr_scene_file_read(request->in, &how, scene, error);
    tr_gltf_shot shot = {.scene = scene, .text = arguments_ends_with(request->out, ".gltf")};
    if (status == TR_OK)
        status = tr_gltf_write(&shot, &bytes, error);
    if (status == TR_OK)
        status = tr_file_write(request->out, bytes.data, bytes.size, error);
    tr_bytes_free(NULL, &bytes);
    tr_scene_destroy(scene);
    return status;
}

static bool is_gltf(const char *path) {
    return path && (arguments_ends_with(path, ".glb") || arguments_ends_with(path, ".gltf"));
}

// A character in a glTF file keeps all that the file has; the clips are added to it.
static tr_status write_motion(convert_request *request, const tr_figures *figures, tr_error *error) {
    for (uint32_t i = 0; request->root_motion && i < figures->count; i++)
        for (uint32_t k = 0; k < figures->items[i].clip_count; k++) {
            tr_clip **clip = &figures->items[i].clips[k], *made = NULL;
            tr_status status = tr_clip_edit_take_base(&figures->allocator, figures->items[i].skeleton, *clip,
                                                      TR_BASE_FOLLOW, &made, error);
            if (status != TR_OK)
                return status;
            tr_clip_destroy(*clip);
            *clip = made;
        }
    if (!is_gltf(request->to) || !is_gltf(request->out))
        return tr_motion_file_write(request->out, figures, request->out_unit, error);
    tr_motion_options motion = tr_motion_options_default();
    motion.note = take_note;
    motion.note_user = request;
    return tr_motion_file_add_clips(request->out, request->to, &motion, figures, error);
}

static tr_status convert(convert_request *request, tr_figures *figures, tr_error *error) {
    tr_status status = read_motion(request, request->in, figures, error);
    bool meshes = is_gltf(request->out);
    if (status == TR_NOT_FOUND && meshes && !request->figure && !request->clip && !request->to) {
        take_note(request, "the file has no motion: it is converted as a scene");
        return convert_scene(request, error);
    }
    if (status == TR_OK && request->figure)
        status = keep_figure(figures, request->figure, error);
    if (status == TR_OK && request->clip)
        status = keep_clip(figures, request->clip, error);
    for (uint32_t i = 0; i < figures->count && status == TR_OK; i++) {
        status = resample(request, &figures->items[i], error);
        if (status == TR_OK && request->to)
            status = put_on_target(request, &figures->items[i], error);
    }
    if (status == TR_OK && !request->list)
        status = write_motion(request, figures, error);
    return status;
}

static uint32_t count_roles(const tr_skeleton *skeleton) {
    uint32_t count = 0;
    for (int role = 1; role < TR_ROLE_COUNT; role++)
        count += tr_skeleton_with_role(skeleton, (tr_role)role) != TR_NONE;
    return count;
}

static void print_summary(const convert_request *request, const tr_figures *figures) {
    for (uint32_t i = 0; i < figures->count; i++) {
        const tr_figure *figure = &figures->items[i];
        printf("%s: %u joints, %u of them bones of a human body, %.2f m high%s\n", name_of(figure),
               tr_skeleton_joint_count(figure->skeleton), count_roles(figure->skeleton),
               (double)tr_skeleton_height(figure->skeleton), figure->body ? ", with a mesh" : "");
        for (uint32_t k = 0; k < figure->clip_count; k++)
            printf("  clip \"%s\": %u frames at %g per second, %.2f s\n", tr_clip_name(figure->clips[k]),
                   tr_clip_frame_count(figure->clips[k]), tr_clip_rate(figure->clips[k]),
                   tr_clip_duration(figure->clips[k]));
    }
    if (!request->list)
        printf("written to %s\n", request->out);
}

static void write_figure(tr_json_writer *writer, const tr_figure *figure) {
    tr_json_write_object(writer);
    json_field_text(writer, "name", figure->name);
    json_field_count(writer, "joints", tr_skeleton_joint_count(figure->skeleton));
    json_field_count(writer, "roles", count_roles(figure->skeleton));
    json_field_float(writer, "height", tr_skeleton_height(figure->skeleton));
    json_field_boolean(writer, "mesh", figure->body != NULL);
    tr_json_write_key(writer, "clips");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < figure->clip_count; i++) {
        tr_json_write_object(writer);
        json_field_text(writer, "name", tr_clip_name(figure->clips[i]));
        json_field_count(writer, "frames", tr_clip_frame_count(figure->clips[i]));
        json_field_number(writer, "fps", tr_clip_rate(figure->clips[i]));
        json_field_number(writer, "seconds", tr_clip_duration(figure->clips[i]));
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

static int print_json(const convert_request *request, const tr_figures *figures) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_error error = {0};
    tr_json_write_object(&writer);
    json_field_text(&writer, "in", request->in);
    json_field_text(&writer, "out", request->list ? NULL : request->out);
    tr_json_write_key(&writer, "figures");
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < figures->count; i++)
        write_figure(&writer, &figures->items[i]);
    tr_json_write_end(&writer);
    tr_json_write_key(&writer, "notes");
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < request->note_count; i++)
        tr_json_write_text(&writer, request->notes[i]);
    tr_json_write_end(&writer);
    tr_json_write_end(&writer);
    return json_print(&writer, &error) == TR_OK ? COMMAND_DONE : command_complain_of(&error);
}

static bool is_complete(const convert_request *request) {
    if (!request->in)
        command_complain("convert needs IN and OUT: a motion file to read and one to write");
    else if (!request->out && !request->list)
        command_complain("convert needs OUT, the file to write the motion of \"%s\" to (or --list)",
                         request->in);
    else if (request->out && request->list)
        command_complain("--list writes no file and cannot be given with \"%s\"", request->out);
    else if ((request->free_feet || request->height > 0) && !request->to)
        command_complain("%s requires --to", request->free_feet ? "--free-feet" : "--height");
    else if (request->root_motion && (!is_gltf(request->out) || is_gltf(request->to)))
        command_complain("--root-motion writes a node above the joints: OUT must be .glb or .gltf, and BODY the "
                         "mannequin (a character's file keeps its own nodes)");
    else
        return true;
    return false;
}

int command_convert(int count, char **arguments) {
    static const char usage[] = "troupe convert IN OUT [--clip NAME] [--figure NAME] [--to BODY] [--fps N]\n"
                                "                             [--unit METRES] [--skip-first] [--json]";
    convert_request request = {.out_unit = 0.01};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            usage, options, OPTION_COUNT,
            "Reads .bvh, .glb and .gltf and writes any of them. A .bvh takes one figure and one\n"
            "clip: choose them with --figure and --clip. Notes about irregular input go to stderr.");
        return COMMAND_DONE;
    }
    if (!is_complete(&request))
        return COMMAND_BAD;
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    int status = COMMAND_DONE;
    if (convert(&request, &figures, &error) != TR_OK)
        status = command_complain_of(&error);
    else if (request.json)
        status = print_json(&request, &figures);
    else
        print_summary(&request, &figures);
    tr_figures_destroy(&figures);
    return status;
}
