#include "gen.h"
#include "commands.h"
#include "troupe/base/scalar.h"
#include "troupe/io/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECONDS 180
#define COARSE_FROM 100 // from this many people on, meshes have fewer triangles, so that the shot stays small

static const char *const colours[] = {"#c45c4a", "#4676a4", "#daac52", "#629468", "#8e6aa0", "#5ca0a2"};
#define COLOURS (sizeof colours / sizeof colours[0])

static void write_place(tr_json_writer *json, const char *key, tr_vec3 place) {
    tr_json_write_key(json, key);
    tr_json_write_array(json);
    tr_json_write_float(json, place.x);
    tr_json_write_float(json, place.y);
    tr_json_write_float(json, place.z);
    tr_json_write_end(json);
}

static void write_number(tr_json_writer *json, const char *key, double value) {
    tr_json_write_key(json, key);
    tr_json_write_number(json, value);
}

static void write_text(tr_json_writer *json, const char *key, const char *text) {
    tr_json_write_key(json, key);
    tr_json_write_text(json, text);
}

// One colour for each group; if there is only one group, one for each height. A colour and a height make a
// character, and few characters load fast.
static const char *colour_of(const tr_sample_person *person, bool one_group) {
    uint32_t step = (uint32_t)((person->height - 1.5f) / 0.05f + 0.5f);
    return colours[(one_group ? step : person->group) % COLOURS];
}

static void write_person(tr_json_writer *json, const tr_sample_person *person, uint32_t number,
                         bool one_group, bool coarse) {
    char name[32];
    snprintf(name, sizeof name, "person %u", number);
    tr_json_write_object(json);
    write_text(json, "name", name);
    tr_json_write_key(json, "height");
    tr_json_write_float(json, person->height);
    write_text(json, "color", colour_of(person, one_group));
    if (coarse) {
        tr_json_write_key(json, "coarse");
        tr_json_write_boolean(json, true);
    }
    write_place(json, "start", person->start);
    write_number(json, "heading_degrees", floor((double)person->heading * 180 / TR_PI * 10 + 0.5) / 10);
    tr_json_write_key(json, "speed");
    tr_json_write_float(json, person->speed);
    write_place(json, "goal", person->goal);
    tr_json_write_end(json);
}

static void write_scene(tr_json_writer *json, const tr_sample_def *scene) {
    tr_json_write_key(json, "scene");
    tr_json_write_object(json);
    write_text(json, "sample", scene->name);
    if (scene->width > 0) {
        tr_json_write_key(json, "width");
        tr_json_write_float(json, scene->width);
    }
    if (scene->length > 0) {
        tr_json_write_key(json, "length");
        tr_json_write_float(json, scene->length);
    }
    if (scene->people) {
        tr_json_write_key(json, "people");
        tr_json_write_integer(json, scene->people);
    }
    tr_json_write_end(json);
}

static tr_status write_stage(const tr_sample_crowd_def *def, const tr_sample_crowd *crowd, tr_bytes *text,
                             tr_error *error) {
    uint32_t count;
    const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
    tr_sample_def scene = tr_sample_crowd_scene_def(crowd);
    tr_json_writer json = tr_json_writer_begin(NULL);
    char title[96];
    bool one_group = true;
    for (uint32_t i = 1; i < count; i++)
        one_group &= people[i].group == people[0].group;
    snprintf(title, sizeof title, "%s: %u people, seed %" PRIu64, def->kind, count, def->seed);
    tr_json_write_object(&json);
    write_text(&json, "title", title);
    write_scene(&json, &scene);
    write_number(&json, "seconds", SECONDS);
    tr_json_write_key(&json, "characters");
    tr_json_write_array(&json);
    for (uint32_t i = 0; i < count; i++)
        write_person(&json, &people[i], i + 1, one_group, count >= COARSE_FROM);
    tr_json_write_end(&json);
    tr_json_write_end(&json);
    return tr_json_writer_finish(&json, text, error);
}

int gen_crowd(const tr_sample_crowd_def *def, const char *path) {
    tr_sample_crowd *crowd = NULL;
    tr_bytes text = {NULL, 0};
    tr_error error = {0};
    bool to_standard_output = strcmp(path, "-") == 0;
    tr_status status = tr_sample_crowd_create(def, &crowd, &error);
    if (status != TR_OK)
        return command_complain_of(&error);
    uint32_t count;
    tr_sample_crowd_people(crowd, &count);
    status = write_stage(def, crowd, &text, &error);
    if (status == TR_OK && to_standard_output)
        fwrite(text.data, 1, text.size, stdout);
    else if (status == TR_OK)
        status = tr_file_write(path, text.data, text.size, &error);
    tr_bytes_free(NULL, &text);
    tr_sample_crowd_destroy(crowd);
    if (status != TR_OK)
        return command_complain_of(&error);
    if (!to_standard_output)
        printf("%s: %u people written to %s; troupe play %s -o FILE.glb plays them\n", def->kind, count, path,
               path);
    return COMMAND_DONE;
}
