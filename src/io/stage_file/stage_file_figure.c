// A character of a file: its skeleton and body, and its own clips for standing and going.
#include "stage_file_data.h"

#include "io/beside.h"
#include "io/motion_parts.h"
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/motion/clip_edit.h"

#include <stdio.h>
#include <string.h>

#define USUAL_HEIGHT 1.75f
#define HEIGHT_LOW 0.3f // a body of this height or more is in metres
#define HEIGHT_HIGH 4.0f
#define FACING_LEAST 0.05f // a rest pose is no more exact than this [rad]
#define ASIDE_LEAST 0.2f   // hips that are closer to the origin at rest are above it [m],
#define ABOVE_LEAST 0.02f  // and soles closer to the floor are on it [m]
#define SPEED_LEAST 0.05f  // slower loops do not walk [m/s]
#define ROUNDS 3           // of a loop on the spot, so that a whole stride is in it

struct tr_stage_source {
    tr_stage_source *next;
    char *path;
    size_t room;
    tr_bytes bytes;
    tr_beside beside;
};

void tr_stage_free_sources(tr_stage_play *play) {
    while (play->sources) {
        tr_stage_source *source = play->sources;
        play->sources = source->next;
        tr_release(&play->allocator, source->path, source->room, 1);
        tr_bytes_free(&play->allocator, &source->bytes);
        tr_release(&play->allocator, source, 1, sizeof *source);
    }
}

// The content of a file; of a format that Troupe does not read, as a GLB.
static tr_status read_bytes(stage_reading *reading, const char *path, tr_bytes *bytes) {
    const tr_allocator *allocator = &reading->play->allocator;
    tr_bytes glb = {NULL, 0};
    tr_status status = tr_files_read(reading->options.files, allocator, path, bytes, reading->error);
    if (status != TR_OK || !tr_motion_file_is_other(path, bytes))
        return status;
    status = tr_motion_file_to_glb(allocator, path, bytes, &glb, reading->error);
    if (status != TR_OK)
        tr_error_set_file(reading->error, path);
    tr_bytes_free(allocator, bytes);
    *bytes = glb;
    return status;
}

// The file at `path`, read once for all characters; takes the path over unless it fails.
static tr_status find_source(stage_reading *reading, char *path, size_t room, tr_stage_source **source) {
    tr_stage_play *play = reading->play;
    for (*source = play->sources; *source; *source = (*source)->next)
        if (strcmp((*source)->path, path) == 0) {
            tr_release(&play->allocator, path, room, 1);
            return TR_OK;
        }
    tr_bytes bytes = {NULL, 0};
    tr_status status = read_bytes(reading, path, &bytes);
    tr_stage_source *made = status == TR_OK ? tr_allocate_zero(&play->allocator, 1, sizeof *made) : NULL;
    if (!made) {
        if (status == TR_OK)
            tr_bytes_free(&play->allocator, &bytes);
        tr_release(&play->allocator, path, room, 1);
        return status == TR_OK ? tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for a character")
                               : status;
    }
    *made = (tr_stage_source){play->sources, path, room, bytes, {reading->options.files, path}};
    *source = play->sources = made;
    return TR_OK;
}

// The figure of a file that is most like a human: by the number of its roles.
static uint32_t choose_figure(const tr_figures *figures) {
    uint32_t best = 0, most = 0;
    for (uint32_t i = 0; i < figures->count; i++) {
        uint32_t found = 0;
        for (uint32_t role = TR_ROLE_NONE + 1; role < TR_ROLE_COUNT; role++)
            found += tr_skeleton_with_role(figures->items[i].skeleton, (tr_role)role) != TR_NONE;
        if (found > most) {
            most = found;
            best = i;
        }
    }
    return best;
}

// From the lowest to the highest point in the rest pose: of the mesh, or of the joints if there is none.
static float height_of(const tr_figure *figure) {
    if (!figure->body || tr_body_view(figure->body)->vertex_count == 0)
        return tr_skeleton_height(figure->skeleton);
    const tr_body_def *body = tr_body_view(figure->body);
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < body->vertex_count; i++) {
        low = body->positions[i].y < low ? body->positions[i].y : low;
        high = body->positions[i].y > high ? body->positions[i].y : high;
    }
    return high - low;
}

static bool is_gltf(const tr_stage_source *source) {
    return source->bytes.size > 4 &&
           (memcmp(source->bytes.data, "glTF", 4) == 0 || source->bytes.data[0] == '{');
}

static tr_status read_scaled(stage_reading *reading, const tr_stage_source *source, const char *uri,
                             double unit, tr_figures *figures) {
    stage_notes notes = {&reading->options, uri};
    tr_motion_options options = tr_stage_motion_options(reading, &notes);
    options.metres_per_unit = unit;
    options.textures = true;
    if (unit != 0)
        options.note = NULL; // the same as the first time
    tr_figures_destroy(figures);
    *figures = tr_figures_begin(&reading->play->allocator);
    if (!is_gltf(source))
        return tr_motion_file_read(source->path, &options, figures, reading->error);
    tr_gltf_motion_options gltf = {.allocator = options.allocator,
                                   .metres_per_unit = unit != 0 ? unit : 1,
                                   .textures = true,
                                   .note = options.note,
                                   .note_user = options.note_user};
    tr_status status = tr_gltf_read_figures(source->bytes.data, source->bytes.size, &gltf, tr_beside_load,
                                            (void *)&source->beside, figures, reading->error);
    if (status != TR_OK)
        tr_error_set_file(reading->error, source->path);
    return status;
}

static void note(const stage_reading *reading, const char *sentence) {
    if (reading->options.note)
        reading->options.note(reading->options.note_user, sentence);
}

// The height of the soles at rest; without a mesh, of the lowest joint of the feet.
static float ground_of(const tr_skeleton *skeleton) {
    float lowest = INFINITY;
    bool soles = false;
    for (uint32_t side = 0; side < 2; side++) {
        tr_sole sole = tr_skeleton_sole(skeleton, side);
        soles = soles || sole.known;
        lowest = sole.known && sole.heel.y < lowest ? sole.heel.y : lowest;
    }
    static const tr_role feet[] = {TR_ROLE_LEFT_FOOT, TR_ROLE_RIGHT_FOOT};
    for (uint32_t side = 0; side < 2 && !soles; side++) {
        uint32_t foot = tr_skeleton_with_role(skeleton, feet[side]);
        for (uint32_t i = foot; foot != TR_NONE && i < tr_skeleton_subtree_end(skeleton, foot); i++) {
            float height = tr_affine_position(&tr_skeleton_rest_model(skeleton)[i]).y;
            lowest = height < lowest && tr_skeleton_hangs_on(skeleton, i, foot) ? height : lowest;
        }
    }
    return lowest < INFINITY ? lowest : 0;
}

// Files are common whose characters stand elsewhere than at the origin.
static tr_status stand_at_origin(stage_reading *reading, tr_figure *figure) {
    uint32_t hips = tr_skeleton_with_role(figure->skeleton, TR_ROLE_HIPS);
    if (hips == TR_NONE)
        return TR_OK; // tr_character_create says so
    tr_vec3 at = tr_affine_position(&tr_skeleton_rest_model(figure->skeleton)[hips]), by = {0, 0, 0};
    float ground = ground_of(figure->skeleton);
    if (at.x * at.x + at.z * at.z > ASIDE_LEAST * ASIDE_LEAST)
        by = tr_vec3_make(-at.x, 0, -at.z);
    if (fabsf(ground) > ABOVE_LEAST)
        by.y = -ground;
    return tr_vec3_length(by) > 0 ? tr_figure_move(figure, by, reading->error) : TR_OK;
}

// Or lie, because another axis points up in the program that wrote the file.
static tr_status stand_up(stage_reading *reading, const char *uri, tr_figure *figure, bool *raised) {
    bool again = *raised;
    tr_status status = tr_figure_raise(figure, raised, reading->error);
    if (status != TR_OK || !*raised || again)
        return status;
    char text[300];
    snprintf(text, sizeof text, "%.120s: the character lies at rest: it is turned by right angles", uri);
    note(reading, text);
    return TR_OK;
}

// Or do not face +Z.
static tr_status face_ahead(stage_reading *reading, const char *uri, tr_figure *figure) {
    tr_status status = stand_at_origin(reading, figure);
    float facing = tr_skeleton_facing(figure->skeleton);
    if (status != TR_OK || fabsf(facing) <= FACING_LEAST)
        return status;
    char text[300];
    snprintf(text, sizeof text, "%.120s: the character faces %.0f degrees from +Z at rest: it is turned", uri,
             (double)facing * (180 / TR_PI));
    note(reading, text);
    return tr_figure_turn(figure, -facing, reading->error);
}

// Reads the file in metres: as tall as `height`, or as it is if that is the height of a body.
static tr_status read_figures(stage_reading *reading, const tr_stage_source *source, const char *uri,
                              float height, tr_figures *figures, tr_stage_kind *kind) {
    tr_status status = read_scaled(reading, source, uri, 0, figures);
    if (status != TR_OK)
        return status;
    uint32_t chosen = choose_figure(figures);
    bool raised = false;
    status = stand_up(reading, uri, &figures->items[chosen], &raised);
    if (status != TR_OK)
        return status;
    float own = height_of(&figures->items[chosen]);
    double unit = height > 0 && own > 0 ? (double)height / own : 1;
    if (height == 0 && !(own >= HEIGHT_LOW && own <= HEIGHT_HIGH) && own > 0) {
        unit = (double)USUAL_HEIGHT / own;
        char text[300];
        snprintf(text, sizeof text,
                 "%.120s: the character is %g units tall: it is scaled to %g m (\"height\")", uri,
                 (double)own, (double)USUAL_HEIGHT);
        note(reading, text);
    }
    kind->height = (float)(own * unit);
    kind->source = (tr_gltf_source){.data = is_gltf(source) ? source->bytes.data : NULL,
                                    .size = source->bytes.size,
                                    .load = tr_beside_load,
                                    .load_user = (void *)&source->beside,
                                    .figure = chosen,
                                    .metres_per_unit = unit};
    status = unit == 1 ? TR_OK : read_scaled(reading, source, uri, unit, figures);
    if (status == TR_OK && unit != 1)
        status = stand_up(reading, uri, &figures->items[chosen], &raised);
    return status == TR_OK ? face_ahead(reading, uri, &figures->items[chosen]) : status;
}

static char to_small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Is the beginning of `wanted` somewhere in the name?
static bool is_similar(const char *name, const char *wanted) {
    for (; *name; name++) {
        int same = 0;
        while (same < 4 && wanted[same] && to_small(name[same]) == to_small(wanted[same]))
            same++;
        if (same == 4 || (same > 0 && !wanted[same]))
            return true;
    }
    return false;
}

// The names of clips, similar ones first.
static void list_clips(const tr_figure *figure, const char *wanted, char *text, size_t size) {
    uint32_t listed = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < 2 * figure->clip_count; i++) {
        const char *name = tr_clip_name(figure->clips[i % figure->clip_count]);
        size_t length = strlen(text);
        if (is_similar(name, wanted) != (i < figure->clip_count))
            continue;
        if (length + 62 > size) {
            snprintf(text + length, size - length, " and %u more", figure->clip_count - listed);
            return;
        }
        snprintf(text + length, size - length, "%s\"%.40s\"", listed++ ? ", " : "", name);
    }
}

static tr_status find_clip(const stage_reading *reading, uint32_t value, const char *file,
                           const tr_figure *figure, const tr_clip **clip) {
    const char *name = tr_json_text(reading->json, value, NULL);
    *clip = tr_figure_find_clip(figure, name);
    if (*clip)
        return TR_OK;
    char names[240];
    list_clips(figure, name, names, sizeof names);
    return tr_json_fail(reading->json, value, reading->error,
                        figure->clip_count ? "is \"%.60s\", but %.80s has only the clips %s"
                                           : "is \"%.60s\", but %.80s has no clips%s",
                        name, file, names);
}

// One stride of a clip: it travels, with labels, on the ground.
static tr_status make_cycle(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                            tr_clip **cycle, tr_error *error) {
    tr_clip *moving = NULL;
    tr_travel travel;
    tr_contact_params contacts = tr_contact_params_default();
    contacts.allocator = allocator;
    tr_status status = tr_clip_edit_travel(allocator, skeleton, clip, ROUNDS, &moving, &travel, error);
    if (status == TR_OK && travel.velocity.x == 0 && travel.velocity.z == 0)
        status = tr_clip_edit_contacts(skeleton, moving, &contacts, &travel.ground, error);
    if (status == TR_OK)
        status = tr_stage_lower_clip(allocator, skeleton, moving, travel.ground, error);
    tr_cycle_params stride = tr_cycle_params_default();
    double frame = 1 / tr_clip_rate(clip);
    if (status == TR_OK && travel.loops) { // the whole loop closes by itself
        tr_cycle_params whole = {travel.period - 0.5 * frame, travel.period + 0.5 * frame};
        status = tr_clip_edit_cycle(allocator, skeleton, moving, &whole, cycle, error);
    }
    if (moving && (status == TR_NOT_FOUND || (status == TR_OK && !*cycle)))
        status = tr_clip_edit_cycle(allocator, skeleton, moving, &stride, cycle, error);
    tr_clip_destroy(moving);
    if (status == TR_OK && tr_clip_speed(*cycle) < SPEED_LEAST) {
        tr_clip_destroy(*cycle);
        *cycle = NULL;
        status = tr_fail(error, TR_INVALID,
                         "neither the body nor the feet of the clip go anywhere at a steady speed");
    }
    return status;
}

// A loop without travel, on the ground, which faces ahead.
static tr_status make_stand(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                            tr_clip **stand, tr_error *error) {
    tr_clip *travel = NULL, *whole = NULL;
    tr_contact_params contacts = tr_contact_params_default();
    contacts.allocator = allocator;
    float ground = 0;
    tr_status status = tr_clip_edit_travel(allocator, skeleton, clip, 1, &travel, NULL, error);
    if (status == TR_OK)
        status = tr_clip_edit_contacts(skeleton, travel, &contacts, &ground, error);
    if (status == TR_OK)
        status = tr_stage_lower_clip(allocator, skeleton, travel, ground, error);
    if (status == TR_OK)
        status = tr_clip_edit_take_base(allocator, skeleton, travel, TR_BASE_FOLLOW, &whole, error);
    if (status == TR_OK)
        *stand = whole;
    tr_clip_destroy(travel);
    return status;
}

static tr_status read_clips(stage_reading *reading, uint32_t clips, const char *file, const tr_figure *figure,
                            tr_stage_kind *kind) {
    static const char *const known[] = {"stand", "walk", "jog", "run", NULL};
    const tr_allocator *allocator = &reading->play->allocator;
    tr_status status = tr_stage_check_keys(reading, clips, known);
    for (uint32_t i = 0; i < 4 && status == TR_OK; i++) {
        uint32_t value = tr_json_member(reading->json, clips, known[i]);
        const char *name = NULL;
        const tr_clip *clip = NULL;
        status = tr_json_get_text(reading->json, clips, known[i], TR_JSON_OPTIONAL, &name, reading->error);
        if (status != TR_OK || !name || !figure)
            continue;
        status = find_clip(reading, value, file, figure, &clip);
        if (status != TR_OK)
            continue;
        tr_clip *made = NULL;
        tr_error why;
        status = i == 0 ? make_stand(allocator, figure->skeleton, clip, &kind->stand, &why)
                        : make_cycle(allocator, figure->skeleton, clip, &made, &why);
        status = tr_stage_blame(reading, value,
                                i == 0 ? "cannot be used for standing" : "has no usable cycle", status, &why);
        if (made) {
            kind->speeds[i - 1] = tr_clip_speed(made);
            tr_stage_insert_cycle(kind, made);
        }
    }
    return status;
}

tr_status tr_stage_read_figure(stage_reading *reading, uint32_t character, float height,
                               tr_stage_kind *kind) {
    uint32_t value = tr_json_member(reading->json, character, "character"), clips = TR_NONE;
    tr_stage_source *source = NULL;
    const char *uri;
    char *path;
    size_t room;
    tr_status status =
        tr_json_get_object(reading->json, character, "clips", TR_JSON_OPTIONAL, &clips, reading->error);
    if (status == TR_OK)
        status = tr_stage_get_path(reading, value, "character file", &uri, &path, &room);
    if (status != TR_OK)
        return status;
    if (reading->options.check_only) {
        tr_release(&reading->play->allocator, path, room, 1);
        return clips == TR_NONE ? TR_OK : read_clips(reading, clips, uri, NULL, kind);
    }
    status = find_source(reading, path, room, &source);
    if (status != TR_OK)
        return status;
    tr_figures figures = tr_figures_begin(&reading->play->allocator);
    status = read_figures(reading, source, uri, height, &figures, kind);
    if (status == TR_OK) {
        tr_figure *figure = &figures.items[kind->source.figure];
        if (clips != TR_NONE)
            status = read_clips(reading, clips, uri, figure, kind);
        kind->skeleton = figure->skeleton;
        kind->body = figure->body;
        figure->skeleton = NULL;
        figure->body = NULL;
    }
    tr_figures_destroy(&figures);
    return status;
}
