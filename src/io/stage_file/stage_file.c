#include "stage_file_data.h"

#include "io/beside.h"
#include "troupe/base/scalar.h"
#include "troupe/io/scene_file.h"
#include "troupe/plan/footstep_window.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <string.h>

#define NAMES_SHOWN 12  // objects of the scene that an error lists
#define NAMES_READ 1000 // out of this many

// An unknown key is most often a misspelt one, so it is an error.
tr_status tr_stage_check_keys(const stage_reading *reading, uint32_t object, const char *const *known) {
    for (uint32_t i = 0; i < tr_json_count(reading->json, object); i++) {
        uint32_t member = tr_json_item(reading->json, object, i);
        const char *key = tr_json_key(reading->json, member);
        const char *const *at = known;
        while (*at && strcmp(*at, key) != 0)
            at++;
        if (!*at && strncmp(key, "$", 1) != 0 && strcmp(key, "comment") != 0) {
            char list[300] = "";
            for (at = known; *at && strlen(list) + strlen(*at) + 3 < sizeof list; at++) {
                strcat(list, at == known ? "" : ", ");
                strcat(list, *at);
            }
            return tr_json_fail(reading->json, member, reading->error, "is not a known key; allowed keys: %s",
                                list);
        }
    }
    return TR_OK;
}

bool tr_stage_has(const stage_reading *reading, uint32_t object, const char *key) {
    tr_json_kind kind = tr_json_kind_of(reading->json, tr_json_member(reading->json, object, key));
    return kind != TR_JSON_ABSENT && kind != TR_JSON_NULL;
}

tr_status tr_stage_get_metres(const stage_reading *reading, uint32_t object, const char *key, double *numbers,
                              uint32_t count) {
    tr_status status =
        tr_json_get_numbers(reading->json, object, key, TR_JSON_OPTIONAL, numbers, count, reading->error);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        if (!(numbers[i] >= -STAGE_FILE_EXTENT && numbers[i] <= STAGE_FILE_EXTENT))
            return tr_json_fail(
                reading->json, tr_json_item(reading->json, tr_json_member(reading->json, object, key), i),
                reading->error, "is %g m, it must be within %g of 0", numbers[i], STAGE_FILE_EXTENT);
    return status;
}

tr_status tr_stage_blame(const stage_reading *reading, uint32_t value, const char *what, tr_status status,
                         const tr_error *why) {
    if (status == TR_OK)
        return TR_OK;
    if (status == TR_OUT_OF_MEMORY)
        return tr_fail(reading->error, status, "%.200s", why->message);
    return tr_json_fail(reading->json, value, reading->error, "%s: %.200s", what, why->message);
}

static tr_status get_box(stage_reading *reading, tr_box *box) {
    double area[4] = {box->min.x, box->min.z, box->max.x, box->max.z};
    tr_status status = tr_stage_get_metres(reading, reading->root, "area", area, 4);
    double ground = box->min.y;
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, reading->root, "ground", TR_JSON_OPTIONAL,
                                    -STAGE_FILE_EXTENT, STAGE_FILE_EXTENT, &ground, reading->error);
    if (status != TR_OK)
        return status;
    reading->has_level = tr_stage_has(reading, reading->root, "ground");
    reading->level = (float)ground;
    if (tr_stage_has(reading, reading->root, "area") &&
        !((float)area[0] < (float)area[2] && (float)area[1] < (float)area[3]))
        return tr_json_fail(reading->json, tr_json_member(reading->json, reading->root, "area"),
                            reading->error, "is empty: it must be [x0, z0, x1, z1] with x0 < x1 and z0 < z1");
    box->min = tr_vec3_make((float)area[0], (float)ground, (float)area[1]);
    box->max =
        tr_vec3_make((float)area[2], box->max.y > (float)ground ? box->max.y : (float)ground, (float)area[3]);
    return TR_OK;
}

static tr_status check_sample_name(const stage_reading *reading, uint32_t scene, const char *name) {
    char list[240] = "";
    for (uint32_t i = 0; i < tr_sample_count(); i++) {
        const char *known = tr_sample_name(i);
        if (strcmp(name, known) == 0)
            return TR_OK;
        if (strlen(list) + strlen(known) + 3 < sizeof list) {
            strcat(list, i == 0 ? "" : ", ");
            strcat(list, known);
        }
    }
    return tr_json_fail(reading->json, tr_json_member(reading->json, scene, "sample"), reading->error,
                        "is \"%.40s\", it must be one of: %s", name, list);
}

static tr_status get_sample(stage_reading *reading, uint32_t scene, tr_sample_def *def) {
    int64_t triangles = 0, seed = 0, people = 0;
    double width = 0, length = 0;
    tr_status status = tr_json_get_integer(reading->json, scene, "triangles", TR_JSON_OPTIONAL, 1, UINT32_MAX,
                                           &triangles, reading->error);
    if (status == TR_OK)
        status = tr_json_get_integer(reading->json, scene, "seed", TR_JSON_OPTIONAL, 0, INT64_MAX, &seed,
                                     reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, scene, "width", TR_JSON_OPTIONAL, 0.5, 20, &width,
                                    reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, scene, "length", TR_JSON_OPTIONAL, 1, 200, &length,
                                    reading->error);
    if (status == TR_OK)
        status = tr_json_get_integer(reading->json, scene, "people", TR_JSON_OPTIONAL, 1, 100000, &people,
                                     reading->error);
    def->triangles = (uint32_t)triangles;
    def->seed = (uint64_t)seed;
    def->width = (float)width;
    def->length = (float)length;
    def->people = (uint32_t)people;
    return status;
}

static tr_status make_sample(stage_reading *reading, uint32_t scene, const char *name) {
    static const char *const known[] = {"sample", "seed", "triangles", "width", "length", "people", NULL};
    tr_sample_def def = {.name = name, .allocator = &reading->play->allocator};
    tr_status status = tr_stage_check_keys(reading, scene, known);
    if (status == TR_OK)
        status = check_sample_name(reading, scene, name);
    if (status == TR_OK)
        status = get_sample(reading, scene, &def);
    if (status != TR_OK || reading->options.check_only)
        return status;
    tr_sample sample;
    tr_error why;
    status = tr_sample_make(&def, &sample, &why);
    if (status != TR_OK)
        return tr_stage_blame(reading, scene, "cannot be created", status, &why);
    reading->play->scene = sample.scene;
    reading->play->ground = sample.ground;
    return TR_OK;
}

static tr_status get_scene_units(const stage_reading *reading, uint32_t scene,
                                 tr_scene_read_options *options) {
    static const char *const known[] = {"file", "up", "unit", NULL};
    const char *up = NULL;
    double unit = 1;
    tr_status status = tr_stage_check_keys(reading, scene, known);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, scene, "up", TR_JSON_OPTIONAL, &up, reading->error);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, scene, "unit", TR_JSON_OPTIONAL, 1e-6, 1e6, &unit,
                                    reading->error);
    if (status != TR_OK)
        return status;
    if (up && strcmp(up, "y") != 0 && strcmp(up, "z") != 0)
        return tr_json_fail(reading->json, tr_json_member(reading->json, scene, "up"), reading->error,
                            "is \"%.20s\", it must be y or z", up);
    if (up)
        options->up = up[0] == 'y' ? TR_UP_Y : TR_UP_Z;
    options->metres_per_unit = (float)unit;
    return TR_OK;
}

static tr_status read_scene_file(stage_reading *reading, uint32_t scene, const char *uri) {
    tr_stage_play *play = reading->play;
    tr_scene_read_options options = tr_scene_read_options_default();
    options.allocator = &play->allocator;
    options.files = reading->options.files;
    options.note = reading->options.note;
    options.note_user = reading->options.note_user;
    tr_status status = get_scene_units(reading, scene, &options);
    if (status != TR_OK)
        return status;
    char *path;
    size_t room;
    tr_error why;
    status = tr_beside_path(&play->allocator, reading->path, uri, &path, &room, &why);
    if (status != TR_OK)
        return tr_stage_blame(reading, tr_json_member(reading->json, scene, "file"), "cannot be read", status,
                              &why);
    if (!reading->options.check_only) {
        status = tr_scene_create(&play->allocator, &play->scene);
        if (status == TR_OK)
            status = tr_scene_file_read(path, &options, play->scene, reading->error);
        else
            tr_fail(reading->error, status, "no memory for the scene");
        if (status == TR_OK)
            play->ground = tr_scene_bounds(play->scene);
    }
    tr_release(&play->allocator, path, room, 1);
    return status;
}

static tr_status read_scene(stage_reading *reading) {
    static const char *const known[] = {"sample", "file",   "seed", "triangles", "width",
                                        "length", "people", "up",   "unit",      NULL};
    uint32_t scene = TR_NONE;
    const char *sample = NULL, *file = NULL;
    tr_status status =
        tr_json_get_object(reading->json, reading->root, "scene", TR_JSON_REQUIRED, &scene, reading->error);
    if (status == TR_OK)
        status = tr_stage_check_keys(reading, scene, known);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, scene, "sample", TR_JSON_OPTIONAL, &sample, reading->error);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, scene, "file", TR_JSON_OPTIONAL, &file, reading->error);
    if (status != TR_OK)
        return status;
    if (!sample == !file)
        return tr_json_fail(reading->json, scene, reading->error,
                            "must have either \"sample\" (a sample scene's name) or \"file\"");
    status = sample ? make_sample(reading, scene, sample) : read_scene_file(reading, scene, file);
    if (reading->options.check_only && status == TR_OK) // any ground will do for a check
        reading->play->ground = (tr_box){{-1, 0, -1}, {1, 1, 1}};
    if (status == TR_OK && tr_box_is_empty(reading->play->ground))
        return tr_json_fail(reading->json, scene, reading->error, "has no triangles");
    return status == TR_OK ? get_box(reading, &reading->play->ground) : status;
}

// Lists names of the scene's objects for an error about an unknown one.
static void list_objects(const tr_scene *scene, char *list, size_t size) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < tr_scene_object_count(scene) && i < NAMES_READ && shown < NAMES_SHOWN; i++) {
        const char *name = tr_scene_object(scene, i).name;
        if (!name[0] || tr_scene_find(scene, name) != i || strlen(list) + strlen(name) + 3 > size)
            continue;
        strcat(list, shown++ ? ", " : "");
        strcat(list, name);
    }
}

tr_status tr_stage_find_object(const stage_reading *reading, uint32_t value, const char *name,
                               uint32_t *object) {
    *object = tr_scene_find(reading->play->scene, name);
    if (*object != TR_NONE)
        return TR_OK;
    char list[200] = "";
    list_objects(reading->play->scene, list, sizeof list);
    return tr_json_fail(reading->json, tr_json_member(reading->json, value, "object"), reading->error,
                        "is \"%.40s\", but the scene has no such object%s%s", name,
                        list[0] ? "; it has: " : "", list);
}

static tr_status read_link(const stage_reading *reading, uint32_t value, tr_ground_link *link) {
    static const char *const known[] = {"kind", "from", "to", "cost", "both_ways", "closed", NULL};
    static const struct {
        const char *name;
        tr_ground_link_kind kind;
    } kinds[] = {{"door", TR_GROUND_DOOR}, {"lift", TR_GROUND_LIFT}, {"other", TR_GROUND_OTHER}};
    const char *kind = NULL;
    double from[3] = {0}, to[3] = {0}, cost = 3;
    *link = (tr_ground_link){.both_ways = true};
    tr_status status = tr_stage_check_keys(reading, value, known);
    if (status == TR_OK)
        status = tr_json_get_text(reading->json, value, "kind", TR_JSON_REQUIRED, &kind, reading->error);
    const char *const ends[] = {"from", "to"};
    for (int i = 0; i < 2 && status == TR_OK; i++) {
        uint32_t array;
        status = tr_json_get_array(reading->json, value, ends[i], TR_JSON_REQUIRED, &array, reading->error);
        if (status == TR_OK)
            status = tr_stage_get_metres(reading, value, ends[i], i ? to : from, 3);
    }
    if (status == TR_OK)
        status =
            tr_json_get_number(reading->json, value, "cost", TR_JSON_OPTIONAL, 0, 1e6, &cost, reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "both_ways", TR_JSON_OPTIONAL, &link->both_ways,
                                     reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "closed", TR_JSON_OPTIONAL, &link->closed,
                                     reading->error);
    if (status != TR_OK)
        return status;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            link->kind = kinds[i].kind;
    link->from = tr_vec3_make((float)from[0], (float)from[1], (float)from[2]);
    link->to = tr_vec3_make((float)to[0], (float)to[1], (float)to[2]);
    link->cost = (float)cost;
    return link->kind ? TR_OK
                      : tr_json_fail(reading->json, tr_json_member(reading->json, value, "kind"),
                                     reading->error, "is \"%.20s\", it must be door, lift or other", kind);
}

static void note(const stage_reading *reading, const char *sentence) {
    if (reading->options.note)
        reading->options.note(reading->options.note_user, sentence);
}

// Reads "links", and notes keys of older files.
static tr_status read_links(stage_reading *reading, tr_stage_def *def) {
    uint32_t list = TR_NONE;
    static const char *const old[][2] = {
        {"storeys", "\"storeys\" is ignored: every stage uses all walkable storeys"},
        {"look_ahead", "\"look_ahead\" is ignored: actors avoid each other along their committed ways"},
        {"replan_interval", "\"replan_interval\" is ignored: actors replan when something has changed"}};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (tr_stage_has(reading, reading->root, old[i][0]))
            note(reading, old[i][1]);
    tr_status status =
        tr_json_get_array(reading->json, reading->root, "links", TR_JSON_OPTIONAL, &list, reading->error);
    uint32_t count = status == TR_OK ? tr_json_count(reading->json, list) : 0;
    if (count > TR_GROUND_LINKS_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has %u links, the maximum is %d", count,
                            TR_GROUND_LINKS_MAX);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = read_link(reading, tr_json_item(reading->json, list, i), &reading->links[i]);
    def->links = reading->links;
    def->link_count = count;
    return status;
}

static tr_status read_stage(stage_reading *reading) {
    tr_stage_def def = tr_stage_def_default(reading->play->scene);
    def.record = true;
    double cell = def.cell, margin = def.margin, variety = def.variety;
    tr_status links = read_links(reading, &def);
    if (links == TR_OK)
        links = tr_stage_read_variety(reading, reading->root, &variety, &def.seed);
    if (links != TR_OK)
        return links;
    reading->play->seconds = 60;
    const struct {
        const char *key;
        double low, high, *number;
    } numbers[] = {{"cell", 0.005, 10, &cell},
                   {"fps", 1, 240, &def.frames_per_second},
                   {"seconds", 0.1, 36000, &reading->play->seconds},
                   {"margin", 0, 10, &margin}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        tr_status status =
            tr_json_get_number(reading->json, reading->root, numbers[i].key, TR_JSON_OPTIONAL, numbers[i].low,
                               numbers[i].high, numbers[i].number, reading->error);
        if (status != TR_OK)
            return status;
    }
    int64_t steps = def.steps_ahead;
    tr_status ahead = tr_json_get_integer(reading->json, reading->root, "steps_ahead", TR_JSON_OPTIONAL, 1,
                                          TR_FOOTSTEP_WINDOW_STEPS_MAX, &steps, reading->error);
    if (ahead != TR_OK)
        return ahead;
    def.steps_ahead = (uint32_t)steps;
    tr_box area = reading->play->ground;
    def.area = area;
    double cells = ((double)area.max.x - area.min.x) / cell * (((double)area.max.z - area.min.z) / cell);
    if (!(cells <= TR_STAGE_FILE_CELLS_MAX))
        return tr_json_fail(reading->json, reading->root, reading->error,
                            "needs %.4g cells (the area divided by the square of cell), the maximum is %u",
                            cells, TR_STAGE_FILE_CELLS_MAX);
    def.allocator = &reading->play->allocator;
    def.tasks = reading->options.tasks;
    def.cell = (float)cell;
    def.margin = (float)margin;
    def.variety = (float)variety;
    reading->play->frames_per_second = def.frames_per_second;
    if (reading->options.check_only)
        return TR_OK;
    tr_error why;
    return tr_stage_blame(reading, reading->root, "cannot be used as a stage",
                          tr_stage_create(&def, &reading->play->stage, &why), &why);
}

static tr_status read_title(stage_reading *reading) {
    const char *title = "";
    tr_status status =
        tr_json_get_text(reading->json, reading->root, "title", TR_JSON_OPTIONAL, &title, reading->error);
    if (status != TR_OK)
        return status;
    reading->play->title_size = strlen(title) + 1;
    reading->play->title = tr_allocate(&reading->play->allocator, reading->play->title_size, 1);
    if (!reading->play->title)
        return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for the title");
    memcpy(reading->play->title, title, reading->play->title_size);
    return TR_OK;
}

static tr_status read_document(stage_reading *reading) {
    static const char *const known[] = {
        "title",   "scene",      "ground",          "area",       "cell",    "fps",   "seconds",
        "margin",  "look_ahead", "replan_interval", "characters", "storeys", "links", "moves",
        "variety", "seed",       "steps_ahead",     NULL};
    if (tr_json_kind_of(reading->json, reading->root) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, reading->root, reading->error,
                            "must be an object with \"scene\" and \"characters\"");
    tr_status status = tr_stage_check_keys(reading, reading->root, known);
    tr_status (*const steps[])(stage_reading *) = {read_title, read_scene, tr_stage_read_moves, read_stage,
                                                   tr_stage_read_characters};
    size_t count = reading->options.scene_only ? 3 : sizeof steps / sizeof steps[0];
    for (size_t i = 0; i < count && status == TR_OK; i++)
        status = steps[i](reading);
    return status;
}

tr_status tr_stage_file_read(const void *data, size_t size, const char *path,
                             const tr_stage_file_options *options, tr_stage_play *play, tr_error *error) {
    tr_error unwanted;
    tr_stage_file_options none = {0};
    if (!play)
        return tr_fail(error, TR_INVALID, "the tr_stage_play to read into is NULL");
    stage_reading reading = {.path = path ? path : "", .play = play, .options = options ? *options : none};
    reading.error = error ? error : &unwanted;
    memset(reading.error, 0, sizeof *reading.error);
    *play = (tr_stage_play){.allocator = tr_allocator_or_default(reading.options.allocator)};
    tr_status status = tr_json_read(&play->allocator, data, size, &reading.json, reading.error);
    if (status == TR_OK) {
        reading.root = tr_json_root(reading.json);
        status = read_document(&reading);
    }
    tr_json_destroy(reading.json);
    if (status != TR_OK || reading.options.check_only)
        tr_stage_play_destroy(play);
    if (status != TR_OK && !reading.error->file[0] && path)
        tr_error_set_file(reading.error, path);
    return status;
}

static void destroy_kind(tr_stage_kind *kind) {
    tr_character_destroy(kind->character);
    for (uint32_t i = 0; i < kind->cycle_count; i++)
        tr_clip_destroy(kind->cycles[i]);
    tr_clip_destroy(kind->stand);
    tr_body_destroy(kind->body);
    tr_skeleton_destroy(kind->skeleton);
}

void tr_stage_play_destroy(tr_stage_play *play) {
    tr_allocator allocator = play->allocator;
    tr_stage_destroy(play->stage);
    for (uint32_t i = 0; i < play->cast_count; i++)
        tr_behavior_cast_destroy(play->casts[i]);
    tr_release(&allocator, play->casts, play->cast_capacity, sizeof *play->casts);
    for (uint32_t i = 0; i < play->folder_count; i++)
        tr_behavior_folder_destroy(&play->folders[i]);
    tr_release(&allocator, play->folders, play->folder_capacity, sizeof *play->folders);
    for (uint32_t i = 0; i < play->kind_count; i++)
        destroy_kind(&play->kinds[i]);
    tr_release(&allocator, play->kinds, play->kind_capacity, sizeof *play->kinds);
    tr_stage_free_sources(play);
    tr_scene_destroy(play->scene);
    tr_release(&allocator, play->title, play->title_size, 1);
    *play = (tr_stage_play){.allocator = allocator};
}
