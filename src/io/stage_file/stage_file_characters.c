// The characters of a stage file and their orders.
#include "stage_file_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define USUAL_HEIGHT 1.75f

// Muted, distinguishable colours for characters without one (0 to 255, as in a picture).
static const uint8_t palette[][3] = {{196, 92, 74},   {70, 118, 164}, {218, 172, 82},  {98, 148, 104},
                                     {142, 106, 160}, {92, 160, 162}, {206, 130, 148}, {138, 124, 108}};

// From sRGB to linear light, within 1 % of the sRGB curve.
static float to_linear(uint8_t value) {
    float c = (float)value / 255;
    return c * (c * (c * 0.305306011f + 0.682171111f) + 0.012522878f);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static tr_status get_color(const stage_reading *reading, uint32_t character, uint32_t number,
                           float color[3]) {
    const char *text = NULL;
    tr_status status =
        tr_json_get_text(reading->json, character, "color", TR_JSON_OPTIONAL, &text, reading->error);
    if (status != TR_OK)
        return status;
    const uint8_t *usual = palette[number % (sizeof palette / sizeof palette[0])];
    uint8_t parts[3] = {usual[0], usual[1], usual[2]};
    bool good = !text || (strlen(text) == 7 && text[0] == '#');
    for (size_t i = 0; text && good && i < 3; i++) {
        int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        good = high >= 0 && low >= 0;
        parts[i] = (uint8_t)(good ? high * 16 + low : 0);
    }
    if (!good)
        return tr_json_fail(reading->json, tr_json_member(reading->json, character, "color"), reading->error,
                            "is \"%.20s\", it must be a colour like #4676a4", text);
    for (int i = 0; i < 3; i++)
        color[i] = to_linear(parts[i]);
    return TR_OK;
}

// "gait" and "speed" of a character or an order; 0 if neither is given. A gait that the character has a clip
// for goes as fast as that clip.
static tr_status get_speed(const stage_reading *reading, uint32_t object, const tr_stage_kind *kind,
                           double *speed) {
    static const struct {
        const char *name;
        float speed;
        int clip; // its place in `speeds` of a kind; -1: none
    } gaits[] = {
        {"stroll", 0.9f, -1}, {"walk", 1.3f, 0}, {"march", 1.7f, -1}, {"jog", 2.5f, 1}, {"run", 3.5f, 2}};
    const char *gait = NULL;
    tr_status status =
        tr_json_get_text(reading->json, object, "gait", TR_JSON_OPTIONAL, &gait, reading->error);
    if (status != TR_OK)
        return status;
    size_t count = sizeof gaits / sizeof gaits[0], found = 0;
    while (gait && found < count && strcmp(gaits[found].name, gait) != 0)
        found++;
    if (gait && found == count)
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, "gait"), reading->error,
                            "is \"%.20s\", it must be stroll, walk, march, jog or run", gait);
    if (gait && tr_stage_has(reading, object, "speed"))
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, "speed"), reading->error,
                            "cannot be given together with a gait");
    if (gait)
        *speed = gaits[found].clip >= 0 && kind->speeds[gaits[found].clip] > 0
                     ? kind->speeds[gaits[found].clip]
                     : gaits[found].speed * sqrtf(kind->height / USUAL_HEIGHT);
    return tr_json_get_number(reading->json, object, "speed", TR_JSON_OPTIONAL, 0.1, 10, speed,
                              reading->error);
}

// A point on the ground: [x, y, z], or [x, z] on the floor of "ground" or on any floor.
static tr_status get_point(const stage_reading *reading, uint32_t object, const char *key, tr_vec3 *point,
                           bool *any_floor) {
    uint32_t array = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, object, key, TR_JSON_REQUIRED, &array, reading->error);
    if (status != TR_OK)
        return status;
    uint32_t count = tr_json_count(reading->json, array);
    double numbers[3] = {0};
    if (count != 2 && count != 3)
        return tr_json_fail(reading->json, array, reading->error,
                            "has %u numbers, it must be [x, z] or [x, y, z]", count);
    status = tr_stage_get_metres(reading, object, key, numbers, count);
    if (status == TR_OK)
        *point = tr_vec3_make((float)numbers[0], count == 3 ? (float)numbers[1] : reading->level,
                              (float)numbers[count - 1]);
    *any_floor = count == 2 && !reading->has_level;
    return status;
}

static tr_status get_heading(const stage_reading *reading, uint32_t object, bool *given, float *heading) {
    double degrees = NAN;
    tr_status status = tr_json_get_number(reading->json, object, "heading_degrees", TR_JSON_OPTIONAL, -720,
                                          720, &degrees, reading->error);
    *given = degrees == degrees;
    *heading = *given ? (float)(degrees * TR_PI / 180) : 0;
    return status;
}

static tr_status give_order(const stage_reading *reading, uint32_t value, uint32_t actor,
                            const tr_order *order) {
    tr_error why;
    if (reading->options.check_only)
        return TR_OK;
    tr_status status = tr_stage_order(reading->play->stage, actor, order, TR_ORDER_QUEUE, NULL, &why);
    return tr_stage_blame(reading, value, "cannot be carried out", status, &why);
}

static tr_status read_go(const stage_reading *reading, uint32_t value, const tr_stage_kind *kind,
                         tr_order *order) {
    static const char *const known[] = {"go", "heading_degrees", "gait", "speed", "deadline", "pass", NULL};
    double speed = 0;
    order->kind = TR_ORDER_GO;
    tr_status status = tr_stage_check_keys(reading, value, known);
    if (status == TR_OK)
        status = get_point(reading, value, "go", &order->goal, &order->any_floor);
    if (status == TR_OK)
        status = get_speed(reading, value, kind, &speed);
    if (status == TR_OK)
        status = get_heading(reading, value, &order->has_heading, &order->heading);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "deadline", TR_JSON_OPTIONAL, 0.1, 36000,
                                    &order->deadline, reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "pass", TR_JSON_OPTIONAL, &order->passes,
                                     reading->error);
    order->speed = (float)speed;
    return status;
}

static tr_status read_wait(const stage_reading *reading, uint32_t value, tr_order *order) {
    static const char *const known[] = {"wait", NULL};
    order->kind = TR_ORDER_WAIT;
    tr_status status = tr_stage_check_keys(reading, value, known);
    return status == TR_OK ? tr_json_get_number(reading->json, value, "wait", TR_JSON_REQUIRED, 0, 36000,
                                                &order->seconds, reading->error)
                           : status;
}

static tr_status read_order(const stage_reading *reading, uint32_t value, uint32_t actor,
                            const tr_stage_kind *walker) {
    static const char *const kinds[] = {"go", "wait", "reach", "lower", "track"};
    int kind = -1, count = 0;
    for (int i = 0; i < 5; i++)
        if (tr_stage_has(reading, value, kinds[i])) {
            kind = i;
            count++;
        }
    if (count != 1)
        return tr_json_fail(reading->json, value, reading->error,
                            "must be an object with one of \"go\", \"wait\", \"reach\", \"lower\" and "
                            "\"track\"");
    if (kind == 4)
        return tr_stage_read_track(reading, value, actor, give_order);
    tr_order order = {0};
    tr_status status = kind == 0   ? read_go(reading, value, walker, &order)
                       : kind == 1 ? read_wait(reading, value, &order)
                       : kind == 2 ? tr_stage_read_reach(reading, value, &order)
                                   : tr_stage_read_lower(reading, value, &order);
    return status == TR_OK ? give_order(reading, value, actor, &order) : status;
}

// "delay" and "goal" for the common case, "orders" for more.
static tr_status read_orders(const stage_reading *reading, uint32_t character, uint32_t actor,
                             const tr_stage_kind *kind) {
    double delay = 0;
    uint32_t orders = TR_NONE;
    tr_status status = tr_json_get_number(reading->json, character, "delay", TR_JSON_OPTIONAL, 0, 36000,
                                          &delay, reading->error);
    if (status == TR_OK && delay > 0) {
        tr_order wait = {.kind = TR_ORDER_WAIT, .seconds = delay};
        status = give_order(reading, character, actor, &wait);
    }
    uint32_t goal = tr_json_member(reading->json, character, "goal");
    if (status == TR_OK && tr_stage_has(reading, character, "goal")) {
        tr_order go = {.kind = TR_ORDER_GO};
        status = get_point(reading, character, "goal", &go.goal, &go.any_floor);
        if (status == TR_OK)
            status = give_order(reading, goal, actor, &go);
    }
    if (status == TR_OK)
        status =
            tr_json_get_array(reading->json, character, "orders", TR_JSON_OPTIONAL, &orders, reading->error);
    for (uint32_t i = 0; i < tr_json_count(reading->json, orders) && status == TR_OK; i++)
        status = read_order(reading, tr_json_item(reading->json, orders, i), actor, kind);
    return status;
}

// Are two kinds the same except for their colours?
static bool alike(const tr_stage_kind *a, const tr_stage_kind *b) {
    return a->shape == b->shape && a->height == b->height && a->detail == b->detail && !a->skeleton &&
           !b->skeleton && !a->behaviors && !b->behaviors;
}

static tr_status make_kind(stage_reading *reading, uint32_t character, const tr_character *like,
                           tr_stage_kind *kind) {
    uint32_t cycles = TR_NONE;
    bool scaled = tr_stage_has(reading, character, "height");
    tr_status status =
        tr_json_get_array(reading->json, character, "cycles", TR_JSON_OPTIONAL, &cycles, reading->error);
    if (status == TR_OK && tr_stage_has(reading, character, "character"))
        status = tr_stage_read_figure(reading, character, scaled ? kind->height : 0, kind);
    else if (status == TR_OK && tr_stage_has(reading, character, "clips"))
        status = tr_json_fail(reading->json, tr_json_member(reading->json, character, "clips"),
                              reading->error, "names clips of a \"character\" file, which is not given");
    if (status == TR_OK && cycles != TR_NONE)
        status = tr_stage_read_cycles(reading, cycles, kind);
    if (status != TR_OK || reading->options.check_only)
        return status;
    const char *name = "character";
    tr_json_get_text(reading->json, character, "name", TR_JSON_OPTIONAL, &name, NULL);
    stage_notes notes = {&reading->options, name};
    tr_motion_options options = tr_stage_motion_options(reading, &notes);
    const tr_clip *clips[TR_CHARACTER_CYCLES_MAX];
    for (uint32_t i = 0; i < kind->cycle_count; i++)
        clips[i] = kind->cycles[i];
    tr_character_def def = {.allocator = &reading->play->allocator,
                            .like = like,
                            .shape = kind->shape,
                            .height = kind->height,
                            .color = {kind->color[0], kind->color[1], kind->color[2]},
                            .detail = kind->detail,
                            .skeleton = kind->skeleton,
                            .body = kind->body,
                            .stand = kind->stand,
                            .cycles = kind->cycle_count ? clips : NULL,
                            .cycle_count = kind->cycle_count,
                            .note = options.note,
                            .note_user = options.note_user};
    tr_error why;
    status = tr_character_create(&def, &kind->character, &why);
    return tr_stage_blame(reading, character, "cannot be created", status, &why);
}

bool tr_stage_same_value(const tr_json *json, uint32_t a, uint32_t b) {
    tr_json_kind kind = tr_json_kind_of(json, a);
    if (kind != tr_json_kind_of(json, b) || tr_json_count(json, a) != tr_json_count(json, b) ||
        strcmp(tr_json_key(json, a), tr_json_key(json, b)) != 0)
        return false;
    if (kind == TR_JSON_STRING)
        return strcmp(tr_json_text(json, a, NULL), tr_json_text(json, b, NULL)) == 0;
    for (uint32_t i = 0; i < tr_json_count(json, a); i++)
        if (!tr_stage_same_value(json, tr_json_item(json, a, i), tr_json_item(json, b, i)))
            return false;
    return tr_json_number(json, a) == tr_json_number(json, b);
}

// Do two characters name the same files and clips?
static bool same_files(const stage_reading *reading, uint32_t character, uint32_t other) {
    static const char *const keys[] = {"character", "clips", "cycles", "height", "body"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!tr_stage_same_value(reading->json, tr_json_member(reading->json, character, keys[i]),
                                 tr_json_member(reading->json, other, keys[i])))
            return false;
    return true;
}

// Finds the matching kind, or creates it.
static tr_status find_kind(stage_reading *reading, uint32_t character, tr_stage_kind wanted, uint32_t *kind) {
    tr_stage_play *play = reading->play;
    const tr_character *like = NULL;
    bool own = tr_stage_has(reading, character, "character");
    for (*kind = 0; *kind < play->kind_count; ++*kind) {
        const tr_stage_kind *made = &play->kinds[*kind];
        if (own && same_files(reading, character, made->described))
            return TR_OK; // the colour is that of the file
        if (own || tr_stage_has(reading, character, "cycles") || !alike(made, &wanted))
            continue;
        if (memcmp(made->color, wanted.color, sizeof wanted.color) == 0)
            return TR_OK;
        like = like ? like : made->character; // the first: it owns its clips
    }
    *kind = play->kind_count;
    if (play->kind_count == TR_STAGE_FILE_KINDS_MAX)
        return tr_json_fail(
            reading->json, character, reading->error,
            "differs from %d others in height, colour, mesh or cycles, the maximum is %d kinds",
            TR_STAGE_FILE_KINDS_MAX, TR_STAGE_FILE_KINDS_MAX);
    void *kinds = play->kinds;
    bool room = tr_reserve(&play->allocator, &kinds, &play->kind_capacity, (uint64_t)play->kind_count + 1,
                           sizeof *play->kinds);
    play->kinds = kinds;
    if (!room)
        return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for a character");
    wanted.described = character;
    play->kinds[play->kind_count++] = wanted; // from here on freed with the play
    return make_kind(reading, character, like, &play->kinds[*kind]);
}

static tr_status read_looks(stage_reading *reading, uint32_t character, uint32_t number,
                            tr_stage_kind *kind) {
    bool coarse = false;
    tr_status status = tr_stage_read_shape(reading, character, &kind->shape);
    double height = tr_mannequin_shape_height(kind->shape);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, character, "height", TR_JSON_OPTIONAL, 0.5, 2.5, &height,
                                    reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, character, "coarse", TR_JSON_OPTIONAL, &coarse,
                                     reading->error);
    if (status == TR_OK)
        status = get_color(reading, character, number, kind->color);
    kind->height = (float)height;
    kind->detail = coarse;
    return status;
}

static tr_status count_body(stage_reading *reading, uint32_t character, float radius, float height) {
    for (uint32_t i = 0; i < reading->body_count; i++)
        if (reading->bodies[i].radius == radius && reading->bodies[i].height == height)
            return TR_OK;
    if (reading->body_count == TR_STAGE_FILE_BODIES_MAX)
        return tr_json_fail(reading->json, character, reading->error,
                            "differs from %d others in radius or height, the maximum is %d such bodies",
                            TR_STAGE_FILE_BODIES_MAX, TR_STAGE_FILE_BODIES_MAX);
    reading->bodies[reading->body_count++] = (struct stage_body){radius, height};
    return TR_OK;
}

static tr_status add_actor(stage_reading *reading, uint32_t character, const tr_stage_kind *kind,
                           uint32_t *actor) {
    tr_stage_actor_def def = {.character = kind->character};
    double radius = 0, speed = kind->speeds[0]; // its own walk
    if (kind->character && tr_stage_has(reading, character, "character"))
        radius = tr_character_radius(kind->character);
    bool given;
    tr_status status = get_point(reading, character, "start", &def.position, &def.any_floor);
    if (status == TR_OK)
        status = get_heading(reading, character, &given, &def.heading);
    if (status == TR_OK)
        status = get_speed(reading, character, kind, &speed);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, character, "radius", TR_JSON_OPTIONAL, 0.05, 5, &radius,
                                    reading->error);
    if (status == TR_OK)
        status =
            tr_json_get_text(reading->json, character, "name", TR_JSON_OPTIONAL, &def.name, reading->error);
    if (status == TR_OK)
        status = tr_stage_read_manner(reading, character, &def);
    if (status == TR_OK)
        status = tr_stage_read_eyes(reading, character, &def.eyes);
    if (status == TR_OK)
        status = tr_stage_read_behaviors(reading, character, kind, &def);
    if (status == TR_OK)
        status = count_body(reading, character, (float)radius, kind->height);
    if (status != TR_OK)
        return status;
    if (reading->options.check_only) {
        *actor = 0;
        return TR_OK;
    }
    def.radius = (float)radius;
    float tall = kind->character ? tr_character_height(kind->character) : 0;
    def.height = kind->skeleton && kind->height > tall ? kind->height : 0; // a mesh above its joints
    def.speed = (float)speed;
    tr_error why;
    status = tr_stage_add_actor(reading->play->stage, &def, actor, &why);
    return tr_stage_blame(reading, tr_json_member(reading->json, character, "start"), "cannot be used",
                          status, &why);
}

static tr_status read_character(stage_reading *reading, uint32_t character, uint32_t number) {
    static const char *const known[] = {
        "name", "height", "radius",    "color",  "coarse",  "start", "heading_degrees", "gait",      "speed",
        "goal", "delay",  "orders",    "cycles", "variety", "seed",  "style",           "character", "clips",
        "body", "eyes",   "behaviors", NULL};
    if (tr_json_kind_of(reading->json, character) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, character, reading->error, "must be an object with \"start\"");
    tr_stage_kind wanted = {0};
    uint32_t kind, actor;
    tr_status status = tr_stage_check_keys(reading, character, known);
    if (status == TR_OK)
        status = read_looks(reading, character, number, &wanted);
    if (status == TR_OK)
        status = tr_stage_brings_body(reading, character)
                     ? tr_stage_find_performer(reading, character, wanted, &kind)
                     : find_kind(reading, character, wanted, &kind);
    if (status == TR_OK)
        status = add_actor(reading, character, &reading->play->kinds[kind], &actor);
    return status == TR_OK ? read_orders(reading, character, actor, &reading->play->kinds[kind]) : status;
}

tr_status tr_stage_read_characters(stage_reading *reading) {
    uint32_t list = TR_NONE;
    tr_status status = tr_json_get_array(reading->json, reading->root, "characters", TR_JSON_REQUIRED, &list,
                                         reading->error);
    if (status != TR_OK)
        return status;
    uint32_t count = tr_json_count(reading->json, list);
    if (count == 0 || count > TR_STAGE_FILE_CHARACTERS_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has %u characters, it must be 1 to %d",
                            count, TR_STAGE_FILE_CHARACTERS_MAX);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = read_character(reading, tr_json_item(reading->json, list, i), i);
    return status;
}
