// What actors with eyes see and believe: for each a picture with one tile for each moment at which its memory
// changed. On the left the objects that it sees, on the right where it believes that it could stand, and
// where that is wrong.
#include "play_eyes.h"
#include "troupe/io/picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOMENTS 12
#define SIZE 0            // the ground as the first actor's size sees it
#define APART 0.9         // between the first two moments [s]
#define APART_GROWTH 1.25 // from each moment to the next
#define COLUMNS 2
#define PANEL 216.0f // height of a tile's two panels [pixels]
#define SIGHT (PANEL * 160 / 96)
#define GAP 12.0f
#define TEXT 13.0f
#define TILE_WIDTH (SIGHT + PANEL + 2 * GAP)
#define TILE_HEIGHT (PANEL + 3 * TEXT)
#define TOP 64.0f
#define REACH 15.0f // from the middle of the map to its side, at most [m]

typedef struct eyes_watch {
    tr_picture picture;
    uint64_t memory; // a number that tells memories apart
    double apart;    // from this tile to the next, at least [s]
    double next;     // no tile before this time
    uint32_t tiles;
} eyes_watch;

struct play_eyes {
    eyes_watch *watches; // one for each actor
    uint32_t count;
};

static const tr_color paper = {250, 249, 246}, ink = {40, 40, 44}, sky = {214, 222, 230},
                      blocked = {70, 74, 82}, free_ground = {236, 234, 226}, mistaken_free = {214, 76, 60},
                      mistaken_blocked = {92, 142, 208}, path_color = {30, 120, 70},
                      view_color = {240, 170, 30};

// Objects get colours that differ, whatever their numbers.
static tr_color color_of(uint32_t object, float depth) {
    static const uint8_t wheel[12][3] = {{196, 112, 80},  {96, 144, 176},  {128, 164, 88},  {188, 156, 72},
                                         {148, 108, 168}, {84, 160, 148},  {200, 124, 148}, {120, 120, 184},
                                         {168, 140, 112}, {104, 172, 112}, {208, 148, 96},  {112, 132, 144}};
    const uint8_t *hue = wheel[object * 7 % 12];
    float light = 1.15f / (1 + 0.05f * depth);
    light = light > 1 ? 1 : light;
    return (tr_color){(uint8_t)((float)hue[0] * light), (uint8_t)((float)hue[1] * light),
                      (uint8_t)((float)hue[2] * light)};
}

static void draw_sight(tr_picture *picture, float left, float top, const tr_sight *sight) {
    tr_depth_map map = tr_sight_map(sight, NULL);
    float wide = SIGHT / (float)map.columns, high = PANEL / (float)map.rows;
    for (uint32_t i = 0; i < map.columns * map.rows; i++) {
        float x = left + wide * (float)(i % map.columns), y = top + high * (float)(i / map.columns);
        tr_color color = map.objects[i] == TR_NONE ? sky : color_of(map.objects[i], map.depth[i]);
        tr_picture_rectangle(picture, x, y, x + wide, y + high, color, 1);
    }
}

// A square of the ground around the middle of the area, or around the actor if the area is large.
typedef struct eyes_map {
    float left, top;
    tr_vec2 corner;
    float scale; // pixels per metre
} eyes_map;

static tr_vec2 pixel_of(const eyes_map *map, float x, float z) {
    return (tr_vec2){map->left + map->scale * (x - map->corner.x),
                     map->top + map->scale * (z - map->corner.z)};
}

static eyes_map place_map(const tr_stage *stage, float left, float top, tr_vec3 at) {
    const tr_grid *grid = &tr_surface_grid(tr_ground_surface(tr_stage_ground(stage)))->grid;
    float wide = grid->cell * (float)grid->columns, deep = grid->cell * (float)grid->rows;
    float half = fmaxf(wide, deep) / 2 < REACH ? fmaxf(wide, deep) / 2 : REACH;
    tr_vec2 middle = {grid->origin.x + wide / 2, grid->origin.z + deep / 2};
    if (half == REACH)
        middle = (tr_vec2){at.x, at.z};
    return (eyes_map){left, top, {middle.x - half, middle.z - half}, PANEL / (2 * half)};
}

static void draw_ground(tr_picture *picture, const eyes_map *map, const tr_stage *stage, tr_actor_id actor,
                        float floor) {
    const tr_ground *truth = tr_stage_ground(stage), *belief = tr_stage_known_ground(stage, actor);
    for (int row = 0; row < (int)PANEL; row += 2)
        for (int column = 0; column < (int)PANEL; column += 2) {
            tr_vec3 at = {map->corner.x + ((float)column + 1) / map->scale, floor,
                          map->corner.z + ((float)row + 1) / map->scale};
            bool is = tr_ground_is_free(truth, SIZE, at, NULL),
                 seems = tr_ground_is_free(belief, SIZE, at, NULL);
            tr_color color = is ? seems ? free_ground : mistaken_blocked : seems ? mistaken_free : blocked;
            float x = map->left + (float)column, y = map->top + (float)row;
            tr_picture_rectangle(picture, x, y, x + 2, y + 2, color, 1);
        }
}

static void draw_inside(tr_picture *picture, const eyes_map *map, tr_vec2 a, tr_vec2 b, tr_color color) {
    float right = map->left + PANEL, bottom = map->top + PANEL;
    if (a.x >= map->left && b.x >= map->left && a.x <= right && b.x <= right && a.z >= map->top &&
        b.z >= map->top && a.z <= bottom && b.z <= bottom)
        tr_picture_line(picture, a.x, a.z, b.x, b.z, 2, color, 1);
}

static void draw_way(tr_picture *picture, const eyes_map *map, const tr_way *way) {
    for (float along = 0; way && along + 0.1f < tr_way_length(way); along += 0.1f) {
        tr_vec3 a = tr_way_at(way, along), b = tr_way_at(way, along + 0.1f);
        draw_inside(picture, map, pixel_of(map, a.x, a.z), pixel_of(map, b.x, b.z), path_color);
    }
}

// The borders of the view on the map, a metre long.
static void draw_view(tr_picture *picture, const eyes_map *map, const tr_sight *sight) {
    tr_depth_camera camera;
    tr_sight_map(sight, &camera);
    float x = camera.forward.x, z = camera.forward.z, length = sqrtf(x * x + z * z);
    tr_vec2 eye = pixel_of(map, camera.eye.x, camera.eye.z);
    for (int side = -1; side <= 1 && length > 0; side += 2) {
        float t = camera.half_tangent * (float)side, norm = sqrtf(1 + t * t) * length;
        float to_x = camera.eye.x + 1.2f * (x + t * z) / norm,
              to_z = camera.eye.z + 1.2f * (z - t * x) / norm;
        draw_inside(picture, map, eye, pixel_of(map, to_x, to_z), view_color);
    }
    tr_picture_disc(picture, eye.x, eye.z, 3.5f, view_color, 1);
}

static uint64_t memory_of(const tr_sight *sight) {
    const tr_scene *scene = tr_sight_scene(sight);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++)
        sum += tr_scene_object(scene, i).revision * (2 * (uint64_t)i + 1);
    return sum;
}

static void draw_tile(eyes_watch *watch, const tr_stage *stage, tr_actor_id actor, tr_vec3 at) {
    const tr_sight *sight = tr_stage_sight(stage, actor);
    float left = GAP + (TILE_WIDTH + GAP) * (float)(watch->tiles % COLUMNS),
          top = TOP + TILE_HEIGHT * (float)(watch->tiles / COLUMNS);
    char caption[64];
    snprintf(caption, sizeof caption, "%.1f s", tr_stage_time(stage));
    tr_picture_text(&watch->picture, left, top, TEXT, caption, ink);
    top += 1.4f * TEXT;
    draw_sight(&watch->picture, left, top, sight);
    eyes_map map = place_map(stage, left + SIGHT + GAP, top, at);
    draw_ground(&watch->picture, &map, stage, actor, at.y);
    draw_way(&watch->picture, &map, tr_stage_way(stage, actor));
    draw_view(&watch->picture, &map, sight);
    watch->tiles++;
}

static void draw_legend(tr_picture *picture, const char *name) {
    static const char *const words[] = {"free", "blocked", "believed free, but blocked",
                                        "believed blocked, but free", "its way"};
    const tr_color colors[] = {free_ground, blocked, mistaken_free, mistaken_blocked, path_color};
    char title[160];
    float x = GAP;
    snprintf(title, sizeof title, "%.80s: what is seen, and what is believed", name);
    tr_picture_text(picture, GAP, 10, 1.4f * TEXT, title, ink);
    for (int i = 0; i < 5; i++) {
        tr_picture_rectangle(picture, x, 38, x + TEXT, 38 + TEXT, ink, 1);
        tr_picture_rectangle(picture, x + 1, 39, x + TEXT - 1, 37 + TEXT, colors[i], 1);
        tr_picture_text(picture, x + 1.5f * TEXT, 38, TEXT, words[i], ink);
        x += 3.2f * TEXT + tr_picture_text_width(TEXT, words[i]);
    }
}

static tr_status open_watch(eyes_watch *watch, const char *name, tr_error *error) {
    uint32_t rows = (MOMENTS + COLUMNS - 1) / COLUMNS;
    tr_status status =
        tr_picture_create(NULL, (uint32_t)(GAP + COLUMNS * (TILE_WIDTH + GAP)),
                          (uint32_t)(TOP + (float)rows * TILE_HEIGHT + GAP), paper, &watch->picture, error);
    if (status == TR_OK)
        draw_legend(&watch->picture, name);
    watch->apart = APART;
    return status;
}

tr_status play_eyes_open(const tr_stage *stage, play_eyes **eyes, tr_error *error) {
    uint32_t count = tr_stage_actor_count(stage), open = 0;
    play_eyes *made = calloc(1, sizeof *made);
    *eyes = made;
    if (made)
        made->watches = calloc(count, sizeof *made->watches);
    if (!made || !made->watches)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for pictures of what is seen");
    made->count = count;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        tr_actor_id actor = tr_stage_actor(stage, i);
        open += tr_stage_sight(stage, actor) != NULL;
        if (tr_stage_sight(stage, actor))
            status = open_watch(&made->watches[i], tr_stage_actor_name(stage, actor), error);
    }
    if (status == TR_OK && open == 0)
        status = tr_fail(error, TR_NOT_FOUND, "no character of the stage has \"eyes\"");
    return status;
}

void play_eyes_look(play_eyes *eyes, const tr_stage *stage) {
    for (uint32_t i = 0; i < eyes->count; i++) {
        eyes_watch *watch = &eyes->watches[i];
        tr_actor_id actor = tr_stage_actor(stage, i);
        const tr_sight *sight = tr_stage_sight(stage, actor);
        tr_actor_view view;
        if (!sight || !tr_sight_map(sight, NULL).depth || watch->tiles == MOMENTS ||
            tr_stage_time(stage) < watch->next || tr_stage_look(stage, actor, &view) != TR_OK)
            continue;
        uint64_t memory = memory_of(sight);
        if (watch->tiles && memory == watch->memory)
            continue;
        draw_tile(watch, stage, actor, view.position);
        watch->memory = memory;
        watch->apart *= APART_GROWTH;
        watch->next = tr_stage_time(stage) + watch->apart;
    }
}

tr_status play_eyes_write(const play_eyes *eyes, const char *folder, tr_error *error) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return tr_fail(error, TR_NO_FILE, "cannot create the folder %.200s: %s", folder, strerror(errno));
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < eyes->count && status == TR_OK; i++) {
        const eyes_watch *watch = &eyes->watches[i];
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/%02u-eyes.png", folder, i);
        if (length < 0 || (size_t)length >= sizeof path)
            return tr_fail(error, TR_NO_FILE, "the name of the folder is too long: %.80s...", folder);
        tr_picture part = watch->picture; // without the rows that stayed empty
        part.height = (uint32_t)(TOP + (float)((watch->tiles + COLUMNS - 1) / COLUMNS) * TILE_HEIGHT + GAP);
        if (watch->tiles)
            status = tr_picture_write_png(&part, path, error);
    }
    return status;
}

void play_eyes_close(play_eyes *eyes) {
    if (!eyes)
        return;
    for (uint32_t i = 0; i < eyes->count; i++)
        tr_picture_destroy(&eyes->watches[i].picture);
    free(eyes->watches);
    free(eyes);
}
