// The motion of a machine whose moves name files: read, put on the body of the machine, cut and measured.
#include "behavior_file_open.h"

#include "io/beside.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/retarget.h"

#include <stdio.h>
#include <string.h>

// --- Files ---

typedef struct source_note {
    const machine_opening *opening;
    const char *name;
} source_note;

// A note is prefixed with the name of its file, because a machine may have many.
static void pass_note(void *user, const char *sentence) {
    const source_note *note = user;
    char text[512];
    snprintf(text, sizeof text, "%.200s: %.300s", note->name, sentence);
    note->opening->options.note(note->opening->options.note_user, text);
}

static tr_status read_source(machine_opening *opening, const char *name, machine_source **found) {
    for (uint32_t i = 0; i < opening->source_count; i++)
        if (strcmp(opening->sources[i].name, name) == 0) {
            *found = &opening->sources[i];
            return TR_OK;
        }
    char *path;
    size_t room;
    tr_status status = tr_beside_path(&opening->allocator, opening->path, name, &path, &room, opening->error);
    if (status != TR_OK)
        return status;
    source_note note = {opening, name};
    tr_motion_options options = tr_motion_options_default();
    options.allocator = &opening->allocator;
    options.files = opening->options.files;
    options.frames_per_second = opening->file->def.frames_per_second;
    options.note = opening->options.note ? pass_note : NULL;
    options.note_user = &note;
    machine_source *source = &opening->sources[opening->source_count];
    *source = (machine_source){name, tr_figures_begin(&opening->allocator)};
    status = tr_motion_file_read(path, &options, &source->figures, opening->error);
    tr_release(&opening->allocator, path, room, 1);
    if (status != TR_OK) {
        tr_figures_destroy(&source->figures);
        return status;
    }
    opening->source_count++;
    *found = source;
    return TR_OK;
}

// The figure and the clip that a move names.
static tr_status find_clip(const tr_behavior_file_clip *wanted, const machine_source *source,
                           const tr_figure **figure, const tr_clip **clip, tr_error *error) {
    *figure = NULL;
    *clip = NULL;
    for (uint32_t i = 0; i < source->figures.count && !*figure; i++) {
        const tr_figure *item = &source->figures.items[i];
        if (!wanted->figure || (item->name && strcmp(item->name, wanted->figure) == 0))
            *figure = item;
    }
    if (!*figure)
        return tr_fail(error, TR_BAD_FILE, "%.100s has no figure \"%.60s\"", wanted->file, wanted->figure);
    if (wanted->name)
        *clip = tr_figure_find_clip(*figure, wanted->name);
    else if ((*figure)->clip_count > 0)
        *clip = (*figure)->clips[0];
    if (*clip)
        return TR_OK;
    return wanted->name ? tr_fail(error, TR_BAD_FILE, "%.100s has no clip \"%.60s\" of that figure",
                                  wanted->file, wanted->name)
                        : tr_fail(error, TR_BAD_FILE, "%.100s has no motion", wanted->file);
}

// --- Motions ---

// Replaces *clip by what `edit` made of it.
static void replace(tr_clip **clip, tr_clip *made) {
    if (!made)
        return;
    tr_clip_destroy(*clip);
    *clip = made;
}

static tr_status wear(const machine_opening *opening, const tr_figure *figure, const tr_clip *clip,
                      tr_clip **worn, tr_error *error) {
    const tr_allocator *allocator = &opening->allocator;
    const tr_skeleton *to = opening->skeleton;
    if (opening->keeps_skeleton) {
        uint32_t count = tr_skeleton_joint_count(to);
        bool same = count == tr_skeleton_joint_count(figure->skeleton);
        for (uint32_t i = 0; i < count && same; i++)
            same = strcmp(tr_skeleton_joint(to, i).name, tr_skeleton_joint(figure->skeleton, i).name) == 0;
        if (!same)
            return tr_fail(error, TR_BAD_FILE,
                           "its figure has other joints than that of the first file; name a body with "
                           "\"motion\": {\"body\": ...} to put all motions on it");
        return tr_clip_edit_cut(allocator, to, clip, 0, tr_clip_frame_count(clip), worn, error);
    }
    tr_retarget_params params = tr_retarget_params_default();
    tr_retarget *retarget = NULL;
    params.motions = &clip;
    params.motion_count = 1;
    params.trust_rest = figure->body != NULL; // made with the skin; otherwise a convention of the file
    tr_status status = tr_retarget_create(allocator, figure->skeleton, to, &params, &retarget, error);
    if (status == TR_OK)
        status = tr_retarget_clip(retarget, clip, worn, error);
    tr_retarget_destroy(retarget);
    return status;
}

static bool is_labelled(const tr_clip *clip) {
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++)
        if (tr_clip_frame_contacts(clip, i))
            return true;
    return false;
}

// Labels what touches the ground in a capture. A body without feet keeps its motion as it is.
static tr_status label(const machine_opening *opening, tr_clip *clip, tr_error *error) {
    tr_contact_params params = tr_contact_params_default();
    params.allocator = &opening->allocator;
    tr_status status = tr_clip_edit_contacts(opening->skeleton, clip, &params, NULL, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

static tr_status make_motion(const machine_opening *opening, machine_motion *motion, tr_error *error) {
    const tr_allocator *allocator = &opening->allocator;
    double rate = opening->file->def.frames_per_second;
    tr_clip *made = NULL, *rooted = NULL;
    tr_status status =
        tr_machine_take_root(allocator, motion->figure->skeleton, motion->clip, &rooted, error);
    if (status == TR_OK)
        status = wear(opening, motion->figure, rooted ? rooted : motion->clip, &motion->made, error);
    tr_clip_destroy(rooted);
    if (status == TR_OK && tr_clip_rate(motion->made) != rate) {
        status = tr_clip_edit_resample(allocator, opening->skeleton, motion->made, rate, &made, error);
        replace(&motion->made, made);
        made = NULL;
    }
    if (status == TR_OK && motion->mirrored) {
        status = tr_clip_edit_mirror(allocator, opening->skeleton, motion->made, &made, error);
        replace(&motion->made, made);
        made = NULL;
    }
    if (status == TR_OK && !is_labelled(motion->made))
        status = label(opening, motion->made, error);
    if (status == TR_OK && !tr_clip_has_base(motion->made)) {
        status =
            tr_clip_edit_take_base(allocator, opening->skeleton, motion->made, TR_BASE_FOLLOW, &made, error);
        replace(&motion->made, made);
    }
    return status;
}

static tr_status find_motion(machine_opening *opening, const tr_figure *figure, const tr_clip *clip,
                             bool mirrored, const tr_clip **found, tr_error *error) {
    for (uint32_t i = 0; i < opening->motion_count; i++)
        if (opening->motions[i].clip == clip && opening->motions[i].mirrored == mirrored) {
            *found = opening->motions[i].made;
            return TR_OK;
        }
    machine_motion *motion = &opening->motions[opening->motion_count];
    *motion = (machine_motion){figure, clip, mirrored, NULL};
    tr_status status = make_motion(opening, motion, error);
    if (status != TR_OK) {
        tr_clip_destroy(motion->made);
        return status;
    }
    opening->motion_count++;
    *found = motion->made;
    return TR_OK;
}

// --- Moves ---

static tr_status cut_move(machine_opening *opening, const tr_behavior_move *move, const tr_clip *motion,
                          tr_error *error) {
    const tr_behavior_file_clip *wanted = &opening->file->clips[move->clip];
    uint32_t count = tr_clip_frame_count(motion);
    if (wanted->last >= count)
        return tr_fail(error, TR_BAD_FILE, "last is frame %u, but its motion has %u frames at %g per second",
                       wanted->last, count, tr_clip_rate(motion));
    uint32_t begin = wanted->first > wanted->extra ? wanted->first - wanted->extra : 0;
    uint32_t end = wanted->last + wanted->extra + 1 < count ? wanted->last + wanted->extra + 1 : count;
    tr_clip *cut = NULL;
    tr_status status =
        tr_clip_edit_cut(&opening->allocator, opening->skeleton, motion, begin, end, &cut, error);
    if (status == TR_OK && move->name)
        status = tr_clip_set_name(cut, move->name);
    if (status != TR_OK) {
        tr_clip_destroy(cut);
        return status;
    }
    double action =
        move->action == TR_NONE ? -1 : (double)(wanted->first - begin + move->action) / tr_clip_rate(motion);
    opening->clips[opening->clip_count++] = (tr_behavior_cast_clip){.motion = cut,
                                                                    .first = wanted->first - begin,
                                                                    .last = wanted->last - begin,
                                                                    .action = action,
                                                                    .rise = move->rise,
                                                                    .parameter = move->parameter};
    return TR_OK;
}

static tr_status open_move(machine_opening *opening, const tr_behavior_move *move, tr_error *error) {
    const tr_behavior_file_clip *wanted = &opening->file->clips[move->clip];
    const tr_figure *figure;
    const tr_clip *clip, *motion;
    machine_source *source;
    if (!wanted->file)
        return tr_fail(error, TR_BAD_FILE, "it has no motion: it needs a \"file\", or the machine a cast");
    tr_status status = read_source(opening, wanted->file, &source);
    if (status != TR_OK)
        return tr_fail(error, status, "%.100s: %.250s", wanted->file, opening->error->message);
    status = find_clip(wanted, source, &figure, &clip, error);
    if (status == TR_OK && !opening->skeleton) { // the first file gives the body
        tr_figure *first = (tr_figure *)figure;
        opening->keeps_skeleton = true;
        opening->skeleton = first->skeleton;
        opening->body = first->body;
    }
    if (status == TR_OK)
        status = find_motion(opening, figure, clip, wanted->mirrored, &motion, error);
    return status == TR_OK ? cut_move(opening, move, motion, error) : status;
}

static tr_status open_body(machine_opening *opening) {
    const tr_behavior_file *file = opening->file;
    machine_source *source;
    if (!file->body)
        return TR_OK;
    if (strcmp(file->body, "mannequin") == 0) {
        tr_mannequin_def def = {.allocator = &opening->allocator, .height = file->height};
        return tr_mannequin_make(&def, &opening->skeleton, &opening->body, opening->error);
    }
    tr_status status = read_source(opening, file->body, &source);
    if (status != TR_OK)
        return status;
    opening->skeleton = source->figures.items[0].skeleton;
    opening->body = source->figures.items[0].body;
    return TR_OK;
}

// The file or the mannequin that the skeleton came from no longer has it: it is the cast's now.
static void give_skeleton(machine_opening *opening) {
    for (uint32_t i = 0; i < opening->source_count; i++)
        for (uint32_t k = 0; k < opening->sources[i].figures.count; k++) {
            tr_figure *figure = &opening->sources[i].figures.items[k];
            if (figure->skeleton != opening->skeleton)
                continue;
            figure->skeleton = NULL;
            figure->body = NULL;
        }
    opening->skeleton = NULL;
    opening->body = NULL;
}

static tr_status create_cast(machine_opening *opening, tr_behavior_cast **cast) {
    const tr_behavior_def *def = &opening->file->def;
    for (uint32_t i = 0; i < def->state_count; i++) {
        const tr_behavior_state *state = &def->states[i];
        opening->states[i] = (tr_behavior_cast_state){.name = state->name,
                                                      .clips = opening->clips + state->moves->clip,
                                                      .clip_count = state->move_count,
                                                      .begin = state->begin,
                                                      .end = state->end,
                                                      .weight = state->weight,
                                                      .serves = state->serves,
                                                      .parametrised = state->parametrised,
                                                      .successors = state->successors,
                                                      .successor_count = state->successor_count};
    }
    tr_behavior_cast_def made = {.allocator = &opening->allocator,
                                 .name = def->name,
                                 .skeleton = opening->skeleton,
                                 .body = opening->body,
                                 .labels = def->labels,
                                 .label_count = def->label_count,
                                 .rest = def->rest,
                                 .states = opening->states,
                                 .state_count = def->state_count,
                                 .bands = def->bands,
                                 .band_count = def->band_count,
                                 .radius = def->radius,
                                 .up = def->up,
                                 .down = def->down,
                                 .take_skeleton = true,
                                 .take_motions = true};
    tr_status status = tr_behavior_cast_create(&made, cast, opening->error);
    if (status == TR_OK) {
        give_skeleton(opening);
        opening->clip_count = 0;
    }
    return status;
}

static tr_status open_moves(machine_opening *opening) {
    const tr_behavior_def *def = &opening->file->def;
    tr_status status = open_body(opening);
    for (uint32_t i = 0; i < def->state_count && status == TR_OK; i++)
        for (uint32_t k = 0; k < def->states[i].move_count && status == TR_OK; k++) {
            tr_error why = {0};
            status = open_move(opening, &def->states[i].moves[k], &why);
            if (status != TR_OK)
                status = tr_machine_blame_move(opening, i, k, status, why.message);
        }
    return status;
}

tr_status tr_machine_open_files(machine_opening *opening, tr_behavior_cast **cast) {
    const tr_allocator *allocator = &opening->allocator;
    uint32_t moves = opening->file->clip_count, states = opening->file->def.state_count;
    opening->sources = tr_allocate(allocator, (size_t)moves + 1, sizeof *opening->sources);
    opening->motions = tr_allocate(allocator, moves, sizeof *opening->motions);
    opening->clips = tr_allocate(allocator, moves, sizeof *opening->clips);
    opening->states = tr_allocate(allocator, states, sizeof *opening->states);
    tr_status status = TR_OK;
    if (!opening->sources || !opening->motions || !opening->clips || !opening->states)
        status = tr_fail(opening->error, TR_OUT_OF_MEMORY, "no memory for %u moves", moves);
    if (status == TR_OK)
        status = open_moves(opening);
    if (status == TR_OK)
        status = create_cast(opening, cast);
    for (uint32_t i = 0; i < opening->clip_count; i++)
        tr_clip_destroy((tr_clip *)opening->clips[i].motion);
    for (uint32_t i = 0; i < opening->motion_count; i++)
        tr_clip_destroy(opening->motions[i].made);
    bool is_ours = opening->file->body && strcmp(opening->file->body, "mannequin") == 0;
    if (is_ours) {
        tr_body_destroy(opening->body);
        tr_skeleton_destroy(opening->skeleton);
    }
    for (uint32_t i = 0; i < opening->source_count; i++)
        tr_figures_destroy(&opening->sources[i].figures);
    tr_release(allocator, opening->sources, (size_t)moves + 1, sizeof *opening->sources);
    tr_release(allocator, opening->motions, moves, sizeof *opening->motions);
    tr_release(allocator, opening->clips, moves, sizeof *opening->clips);
    tr_release(allocator, opening->states, states, sizeof *opening->states);
    return status;
}
