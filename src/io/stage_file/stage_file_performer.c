// Characters whose "behaviors" bring the body along: a cast that comes with Troupe, a machine file, or a
// folder of captures. Characters with the same source, weights and size share the cast, and in the same
// colour the character.
#include "stage_file_data.h"

#include "io/beside.h"
#include "troupe/io/behavior_folder.h"

#include <stdio.h>
#include <string.h>

static const char *const sources[] = {"cast", "machine", "captures"};
#define SOURCES (sizeof sources / sizeof *sources)

static const char *const cast_names[] = {"human", "walker", "skateboarder", "horse"};
#define CAST_NAMES (sizeof cast_names / sizeof *cast_names)

// The value that names the source: a member of "behaviors". TR_NONE: there is none.
static uint32_t source_of(const stage_reading *reading, uint32_t behaviors) {
    for (size_t i = 0; i < SOURCES; i++)
        if (tr_stage_has(reading, behaviors, sources[i]))
            return tr_json_member(reading->json, behaviors, sources[i]);
    return TR_NONE;
}

bool tr_stage_brings_body(const stage_reading *reading, uint32_t character) {
    uint32_t behaviors = tr_json_member(reading->json, character, "behaviors");
    uint32_t source = source_of(reading, behaviors);
    if (source == TR_NONE)
        return false;
    // Human and walker wear the body of any character.
    const char *name = tr_json_text(reading->json, source, NULL);
    bool is_cast = strcmp(tr_json_key(reading->json, source), "cast") == 0;
    return !is_cast || !name || (strcmp(name, "human") != 0 && strcmp(name, "walker") != 0);
}

static tr_status check_cast(const stage_reading *reading, uint32_t source) {
    const char *name = tr_json_text(reading->json, source, NULL);
    for (size_t i = 0; i < CAST_NAMES && name; i++)
        if (strcmp(name, cast_names[i]) == 0)
            return TR_OK;
    return tr_json_fail(reading->json, source, reading->error,
                        "%s%.40s%s, it must be human, walker, skateboarder or horse",
                        name ? "is \"" : "is no string", name ? name : "", name ? "\"" : "");
}

static const char *what_of(const stage_reading *reading, uint32_t source) {
    bool machine = strcmp(tr_json_key(reading->json, source), "machine") == 0;
    return machine ? "machine file" : "folder of captures";
}

static tr_status check_path(const stage_reading *reading, uint32_t source) {
    const char *uri;
    char *path;
    size_t room;
    tr_status status = tr_stage_get_path(reading, source, what_of(reading, source), &uri, &path, &room);
    if (status == TR_OK)
        tr_release(&reading->play->allocator, path, room, 1);
    return status;
}

tr_status tr_stage_check_source(const stage_reading *reading, uint32_t character, uint32_t behaviors) {
    const tr_json *json = reading->json;
    uint32_t count = 0, source = source_of(reading, behaviors);
    for (size_t i = 0; i < SOURCES; i++)
        count += tr_stage_has(reading, behaviors, sources[i]);
    if (count > 1)
        return tr_json_fail(json, behaviors, reading->error,
                            "names more than one of \"cast\", \"machine\" and \"captures\"");
    tr_status status = TR_OK;
    if (count == 1 && strcmp(tr_json_key(json, source), "cast") == 0)
        status = check_cast(reading, source);
    else if (count == 1)
        status = check_path(reading, source);
    if (status != TR_OK || !tr_stage_brings_body(reading, character))
        return status;
    static const char *const own[] = {"character", "clips", "cycles"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (tr_stage_has(reading, character, own[i]))
            return tr_json_fail(json, tr_json_member(json, character, own[i]), reading->error,
                                "cannot be given together with behaviors that bring their own body");
    return TR_OK;
}

// ---------------------------------------------------------------------------------------------------- casts

static tr_status open_machine(const stage_reading *reading, const char *path, tr_behavior_cast **cast) {
    const tr_allocator *allocator = &reading->play->allocator;
    tr_bytes text = {NULL, 0};
    tr_behavior_file file = {0};
    stage_notes notes = {&reading->options, path};
    tr_motion_options motion = tr_stage_motion_options(reading, &notes);
    tr_behavior_file_options options = {
        .allocator = allocator, .files = motion.files, .note = motion.note, .note_user = motion.note_user};
    tr_status status = tr_files_read(reading->options.files, allocator, path, &text, reading->error);
    if (status == TR_OK)
        status = tr_behavior_file_read(text.data, text.size, path, allocator, &file, reading->error);
    if (status == TR_OK)
        status = tr_behavior_file_open(&file, path, &options, cast, reading->error);
    tr_behavior_file_destroy(&file);
    tr_bytes_free(allocator, &text);
    return status;
}

static tr_status read_captures(stage_reading *reading, uint32_t source, const char *path,
                               const tr_stage_kind *kind, const tr_behavior_cast **cast) {
    tr_stage_play *play = reading->play;
    void *folders = play->folders;
    if (reading->options.files && reading->options.files->read)
        return tr_json_fail(reading->json, source, reading->error,
                            "is a folder, which is read from the disk alone; name a machine file made of it");
    bool room = tr_reserve(&play->allocator, &folders, &play->folder_capacity,
                           (uint64_t)play->folder_count + 1, sizeof *play->folders);
    play->folders = folders;
    if (!room)
        return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for behaviors");
    tr_behavior_folder *made = &play->folders[play->folder_count];
    tr_behavior_folder_def def = {
        .allocator = &play->allocator,
        .mannequin = {.shape = kind->shape, .height = kind->height, .detail = kind->detail},
        .note = reading->options.note,
        .note_user = reading->options.note_user};
    tr_error why = {0};
    tr_status status = tr_stage_blame(reading, source, "cannot be made a machine",
                                      tr_behavior_folder_read(path, &def, made, &why), &why);
    if (status != TR_OK)
        return status;
    play->folder_count++; // from here on freed with the play
    *cast = made->cast;
    return TR_OK;
}

static tr_status make_named(const stage_reading *reading, const char *name, const tr_stage_kind *kind,
                            tr_behavior_cast **cast, tr_error *error) {
    const tr_allocator *allocator = &reading->play->allocator;
    tr_horse_def horse = {.allocator = allocator,
                          .height = tr_stage_has(reading, kind->described, "height") ? kind->height : 0,
                          .detail = kind->detail};
    if (strcmp(name, "horse") == 0)
        return tr_behavior_cast_horse(&horse, cast, error);
    tr_mannequin_def mannequin = {
        .allocator = allocator, .shape = kind->shape, .height = kind->height, .detail = kind->detail};
    return tr_behavior_cast_skateboarder(&mannequin, cast, error);
}

// The cast goes to the play.
static tr_status keep_cast(const stage_reading *reading, tr_behavior_cast *cast) {
    tr_stage_play *play = reading->play;
    void *casts = play->casts;
    bool room = tr_reserve(&play->allocator, &casts, &play->cast_capacity, (uint64_t)play->cast_count + 1,
                           sizeof *play->casts);
    play->casts = casts;
    if (room)
        play->casts[play->cast_count++] = cast;
    else
        tr_behavior_cast_destroy(cast);
    return room ? TR_OK : tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for behaviors");
}

static tr_status make_source(stage_reading *reading, uint32_t behaviors, uint32_t source,
                             const tr_stage_kind *kind, const tr_behavior_cast **cast) {
    const char *key = tr_json_key(reading->json, source), *uri;
    const tr_stage_play *play = reading->play;
    tr_behavior_cast *made = NULL;
    tr_error why = {0};
    if (play->cast_count + play->folder_count >= TR_STAGE_FILE_CASTS_MAX)
        return tr_json_fail(reading->json, behaviors, reading->error,
                            "differs from %d others in body or weights, the maximum is %d",
                            TR_STAGE_FILE_CASTS_MAX, TR_STAGE_FILE_CASTS_MAX);
    if (strcmp(key, "cast") == 0) {
        tr_status status = make_named(reading, tr_json_text(reading->json, source, NULL), kind, &made, &why);
        *cast = made;
        return status == TR_OK ? keep_cast(reading, made)
                               : tr_stage_blame(reading, source, "cannot be created", status, &why);
    }
    char *path;
    size_t room;
    tr_status status = tr_stage_get_path(reading, source, what_of(reading, source), &uri, &path, &room);
    if (status != TR_OK)
        return status;
    if (strcmp(key, "captures") == 0)
        status = read_captures(reading, source, path, kind, cast);
    else {
        status = open_machine(reading, path, &made);
        *cast = made;
        status = status == TR_OK ? keep_cast(reading, made) : status;
    }
    tr_release(&reading->play->allocator, path, room, 1);
    return status;
}

static tr_status check_rate(const stage_reading *reading, uint32_t source, const tr_behavior_cast *cast) {
    double rate = tr_behavior_def_of(cast->machine)->frames_per_second;
    return fabs(rate * TR_STAGE_TICK - 1) < 1e-9
               ? TR_OK
               : tr_json_fail(reading->json, source, reading->error, "has %g frames a second, a stage has %g",
                              rate, 1 / TR_STAGE_TICK);
}

// --------------------------------------------------------------------------------------------------- bodies

// Those of captures and of files are humanoids that may walk as well; a skateboarder without its board and a
// horse may not.
static bool may_walk(const stage_reading *reading, uint32_t source, const tr_behavior_cast *cast) {
    if (strcmp(tr_json_key(reading->json, source), "cast") == 0)
        return false;
    bool own = strcmp(cast->name ? cast->name : "", "skateboarder") != 0;
    return own && tr_skeleton_with_role(cast->skeleton, TR_ROLE_HIPS) != TR_NONE;
}

static tr_status make_body(const stage_reading *reading, uint32_t behaviors, uint32_t source,
                           tr_stage_kind *kind) {
    bool walks = may_walk(reading, source, kind->behaviors), wanted = walks;
    tr_status status =
        tr_json_get_boolean(reading->json, behaviors, "walks", TR_JSON_OPTIONAL, &wanted, reading->error);
    if (status != TR_OK)
        return status;
    if (wanted && !walks)
        return tr_json_fail(reading->json, tr_json_member(reading->json, behaviors, "walks"), reading->error,
                            "is true, but this body has no gait: it moves by behaviors alone");
    tr_character_def def = {.allocator = &reading->play->allocator,
                            .skeleton = kind->behaviors->skeleton,
                            .body = kind->behaviors->body};
    if (!wanted)
        def.performs = kind->behaviors;
    tr_error why = {0};
    status = tr_character_create(&def, &kind->character, &why);
    return tr_stage_blame(reading, source, "cannot be created", status, &why);
}

static tr_status push_kind(stage_reading *reading, const tr_stage_kind *kind, uint32_t *number) {
    tr_stage_play *play = reading->play;
    void *kinds = play->kinds;
    if (play->kind_count == TR_STAGE_FILE_KINDS_MAX)
        return tr_json_fail(reading->json, kind->described, reading->error,
                            "differs from %d others in behaviors or colour, the maximum is %d kinds",
                            TR_STAGE_FILE_KINDS_MAX, TR_STAGE_FILE_KINDS_MAX);
    bool room = tr_reserve(&play->allocator, &kinds, &play->kind_capacity, (uint64_t)play->kind_count + 1,
                           sizeof *play->kinds);
    play->kinds = kinds;
    if (!room)
        return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for a character");
    *number = play->kind_count++;
    play->kinds[*number] = *kind; // from here on freed with the play
    return TR_OK;
}

static bool same_source(const stage_reading *reading, uint32_t character, uint32_t other) {
    static const char *const keys[] = {"behaviors", "height", "body", "coarse"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!tr_stage_same_value(reading->json, tr_json_member(reading->json, character, keys[i]),
                                 tr_json_member(reading->json, other, keys[i])))
            return false;
    return true;
}

// The first kind of a source, in the colours of its body.
static tr_status make_first(stage_reading *reading, const tr_stage_kind *wanted, uint32_t *number) {
    uint32_t behaviors = tr_json_member(reading->json, wanted->described, "behaviors");
    uint32_t source = source_of(reading, behaviors);
    tr_stage_kind plain = *wanted;
    memset(plain.color, 0, sizeof plain.color);
    tr_status status = TR_OK;
    if (!reading->options.check_only)
        status = make_source(reading, behaviors, source, wanted, &plain.behaviors);
    if (status == TR_OK && plain.behaviors)
        status = check_rate(reading, source, plain.behaviors);
    if (status == TR_OK && plain.behaviors)
        status = tr_stage_read_weights(reading, behaviors, plain.behaviors->machine);
    if (status == TR_OK)
        status = push_kind(reading, &plain, number);
    if (status != TR_OK || reading->options.check_only)
        return status;
    tr_stage_kind *made = &reading->play->kinds[*number];
    status = make_body(reading, behaviors, source, made);
    if (status == TR_OK)
        made->height = tr_character_height(made->character);
    return status;
}

// A horse keeps its coat, and a character of a file its looks, unless a colour is given.
static bool is_colored(const stage_reading *reading, uint32_t character) {
    uint32_t source = source_of(reading, tr_json_member(reading->json, character, "behaviors"));
    const char *key = tr_json_key(reading->json, source), *name = tr_json_text(reading->json, source, NULL);
    bool horse = strcmp(key, "cast") == 0 && strcmp(name ? name : "", "horse") == 0;
    return tr_stage_has(reading, character, "color") || !(horse || strcmp(key, "machine") == 0);
}

tr_status tr_stage_find_performer(stage_reading *reading, uint32_t character, tr_stage_kind wanted,
                                  uint32_t *number) {
    const tr_stage_play *play = reading->play;
    uint32_t first = TR_NONE;
    uint32_t behaviors = tr_json_member(reading->json, character, "behaviors");
    tr_status status = tr_stage_check_source(reading, character, behaviors);
    if (status != TR_OK)
        return status;
    wanted.described = character;
    if (!is_colored(reading, character))
        memset(wanted.color, 0, sizeof wanted.color);
    for (uint32_t i = 0; i < play->kind_count; i++) {
        const tr_stage_kind *made = &play->kinds[i];
        if (!tr_stage_brings_body(reading, made->described) ||
            !same_source(reading, character, made->described))
            continue;
        first = first == TR_NONE ? i : first;
        if (memcmp(made->color, wanted.color, sizeof wanted.color) == 0) {
            *number = i;
            return TR_OK;
        }
    }
    if (first == TR_NONE)
        status = make_first(reading, &wanted, &first);
    *number = first;
    if (status != TR_OK || reading->options.check_only ||
        memcmp(play->kinds[first].color, wanted.color, sizeof wanted.color) == 0)
        return status;
    tr_stage_kind colored = play->kinds[first];
    memcpy(colored.color, wanted.color, sizeof colored.color);
    colored.character = NULL;
    colored.described = character;
    status = push_kind(reading, &colored, number);
    if (status != TR_OK)
        return status;
    tr_character_def def = {.allocator = &play->allocator,
                            .like = play->kinds[first].character,
                            .color = {wanted.color[0], wanted.color[1], wanted.color[2]}};
    return tr_character_create(&def, &play->kinds[*number].character, reading->error);
}
