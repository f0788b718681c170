// A walker made from captures: files are read, retargeted to the mannequin, cut to one stride and sorted by
// speed.
#include "stage_file_data.h"

#include "io/beside.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/retarget.h"

#include <stdio.h>
#include <string.h>

#define NOISE 10.0 // faster motion in a capture is noise [Hz]

// The floor of a capture may be at any height: move it to height 0, which actors stand on.
tr_status tr_stage_lower_clip(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_clip *clip,
                              float ground, tr_error *error) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    tr_pose pose;
    tr_status status = tr_pose_create(allocator, tr_skeleton_joint_count(skeleton), &pose, error);
    if (status != TR_OK)
        return status;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_clip_get_frame(clip, frame, &pose);
        for (uint32_t i = 0; i < pose.joint_count; i++)
            if (parents[i] == TR_NONE)
                pose.position[1][i] -= ground;
        tr_clip_set_frame(clip, frame, &pose);
    }
    tr_pose_destroy(&pose);
    return TR_OK;
}

// The motion of a file on the mannequin, standing on the ground, with labels.
static tr_status wear_motion(const tr_allocator *allocator, const tr_figure *figure,
                             const tr_skeleton *skeleton, tr_clip **worn, tr_error *error) {
    tr_retarget_params params = tr_retarget_params_default();
    tr_retarget *retarget = NULL;
    tr_clip *smooth = NULL;
    const tr_clip *clip = figure->clips[0];
    tr_status status = TR_OK;
    if (tr_clip_rate(clip) > 2 * NOISE) {
        status = tr_clip_edit_smooth(allocator, figure->skeleton, clip, NOISE, &smooth, error);
        clip = smooth;
    }
    params.motions = &clip;
    params.motion_count = 1;
    params.trust_rest = figure->body != NULL; // made with the skin; otherwise a convention of the file
    if (status == TR_OK)
        status = tr_retarget_create(allocator, figure->skeleton, skeleton, &params, &retarget, error);
    if (status == TR_OK)
        status = tr_retarget_clip(retarget, clip, worn, error);
    tr_contact_params contacts = tr_contact_params_default();
    contacts.allocator = allocator;
    float ground = 0;
    if (status == TR_OK)
        status = tr_clip_edit_contacts(skeleton, *worn, &contacts, &ground, error);
    if (status == TR_OK)
        status = tr_stage_lower_clip(allocator, skeleton, *worn, ground, error);
    tr_retarget_destroy(retarget);
    tr_clip_destroy(smooth);
    return status;
}

static tr_status make_cycle(stage_reading *reading, const tr_figure *figure, const tr_skeleton *skeleton,
                            tr_clip **cycle, tr_error *error) {
    const tr_allocator *allocator = &reading->play->allocator;
    if (figure->clip_count == 0)
        return tr_fail(error, TR_BAD_FILE, "the file has no motion");
    tr_clip *worn = NULL;
    tr_status status = wear_motion(allocator, figure, skeleton, &worn, error);
    tr_cycle_params stride = tr_cycle_params_default();
    if (status == TR_OK)
        status = tr_clip_edit_cycle(allocator, skeleton, worn, &stride, cycle, error);
    tr_clip_destroy(worn);
    return status;
}

// A note is prefixed with the name of its file, because a stage may have many.
static void pass_note(void *user, const char *sentence) {
    const stage_notes *notes = user;
    char text[512];
    snprintf(text, sizeof text, "%.200s: %s", notes->file, sentence);
    notes->options->note(notes->options->note_user, text);
}

tr_motion_options tr_stage_motion_options(const stage_reading *reading, stage_notes *notes) {
    tr_motion_options options = tr_motion_options_default();
    options.allocator = &reading->play->allocator;
    options.files = reading->options.files;
    options.note = reading->options.note ? pass_note : NULL;
    options.note_user = notes;
    return options;
}

tr_status tr_stage_get_path(const stage_reading *reading, uint32_t value, const char *what, const char **uri,
                            char **path, size_t *room) {
    size_t length;
    *uri = tr_json_text(reading->json, value, &length);
    if (tr_json_kind_of(reading->json, value) != TR_JSON_STRING || strlen(*uri) != length)
        return tr_json_fail(reading->json, value, reading->error, "must be the name of a %s", what);
    tr_error why;
    tr_status status = tr_beside_path(&reading->play->allocator, reading->path, *uri, path, room, &why);
    return tr_stage_blame(reading, value, "cannot be read", status, &why);
}

static tr_status read_cycle(stage_reading *reading, uint32_t value, const tr_skeleton *skeleton,
                            tr_clip **cycle) {
    const tr_allocator *allocator = &reading->play->allocator;
    const char *uri;
    char *path;
    size_t room;
    tr_error why;
    tr_status status = tr_stage_get_path(reading, value, "motion file", &uri, &path, &room);
    if (status != TR_OK)
        return status;
    if (reading->options.check_only) {
        tr_release(allocator, path, room, 1);
        return TR_OK;
    }
    stage_notes notes = {&reading->options, uri};
    tr_motion_options options = tr_stage_motion_options(reading, &notes);
    options.skip_first = true;
    tr_figures figures = tr_figures_begin(allocator);
    status = tr_motion_file_read(path, &options, &figures, reading->error);
    if (status == TR_OK)
        status = tr_stage_blame(reading, value, "has no usable cycle",
                                make_cycle(reading, &figures.items[0], skeleton, cycle, &why), &why);
    tr_figures_destroy(&figures);
    tr_release(allocator, path, room, 1);
    return status;
}

// Sorted by speed, as a locomotion needs them.
void tr_stage_insert_cycle(tr_stage_kind *kind, tr_clip *cycle) {
    uint32_t place = kind->cycle_count++;
    for (; place > 0 && tr_clip_speed(kind->cycles[place - 1]) > tr_clip_speed(cycle); place--)
        kind->cycles[place] = kind->cycles[place - 1];
    kind->cycles[place] = cycle;
}

tr_status tr_stage_read_cycles(stage_reading *reading, uint32_t files, tr_stage_kind *kind) {
    uint32_t count = tr_json_count(reading->json, files);
    if (count == 0 || count > TR_CHARACTER_CYCLES_MAX)
        return tr_json_fail(reading->json, files, reading->error, "has %u files, it must be 1 to %u", count,
                            TR_CHARACTER_CYCLES_MAX);
    tr_mannequin_def def = {.allocator = &reading->play->allocator,
                            .height = kind->height,
                            .color = {kind->color[0], kind->color[1], kind->color[2]},
                            .detail = kind->detail};
    tr_status status = TR_OK;
    if (!reading->options.check_only && !kind->skeleton)
        status = tr_mannequin_make(&def, &kind->skeleton, &kind->body, reading->error);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        tr_clip *cycle = NULL;
        status = read_cycle(reading, tr_json_item(reading->json, files, i), kind->skeleton, &cycle);
        if (cycle)
            tr_stage_insert_cycle(kind, cycle);
    }
    return status;
}
