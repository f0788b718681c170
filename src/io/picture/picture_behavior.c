// Pictures of behavior maps, drawn over those of occupancy maps.
#include "picture_draw.h"
#include "plan/behavior/behavior_map_data.h"

#include <stdio.h>

#define LEGEND_LINES 4

static const tr_color ink = {58, 64, 72};
static const tr_color faint_ink = {128, 128, 124};
static const tr_color moving_color = {150, 62, 58};
static const tr_color person_color = {120, 96, 150};
static const tr_color plain_color = {248, 244, 234};
static const tr_color band_colors[TR_BEHAVIOR_BANDS_MAX] = {
    {0, 0, 0},       {228, 160, 60}, {72, 140, 190}, {108, 166, 96},
    {186, 110, 170}, {90, 170, 170}, {200, 120, 90}, {140, 140, 80},
};

typedef enum cell_kind { CELL_FREE, CELL_BLOCKED, CELL_MOVING, CELL_PERSON, CELL_WITHIN } cell_kind;

// What a cell is at a frame; `band`: the first band that a special obstacle is free in.
static cell_kind kind_of(const tr_behavior_map *map, uint32_t column, uint32_t row, uint32_t frame,
                         uint32_t *band) {
    const tr_behavior_def *machine = &map->behavior->def;
    uint32_t blocked = map->blocked[(size_t)row * map->grid.columns + column],
             slot = behavior_last_slot(map, frame);
    if (!behavior_people_are_clear(map, column, row, slot, slot))
        return CELL_PERSON;
    bool moving = false;
    for (*band = 0; *band < machine->band_count; (*band)++) {
        bool is_clear = behavior_objects_are_clear(map, *band, column, row, slot, slot);
        if (!(blocked >> *band & 1) && is_clear)
            return *band ? CELL_WITHIN : CELL_FREE;
        moving |= !(blocked >> *band & 1);
    }
    return moving ? CELL_MOVING : CELL_BLOCKED;
}

static tr_color cell_color(const tr_behavior_map *map, cell_kind kind, uint32_t column, uint32_t row,
                           uint32_t band) {
    if (kind != CELL_FREE)
        return kind == CELL_WITHIN ? band_colors[band] : kind == CELL_PERSON ? person_color : moving_color;
    uint32_t near = map->near[(size_t)row * map->grid.columns + column];
    tr_color color = plain_color;
    for (uint32_t i = 1; i < map->behavior->def.band_count; i++)
        if (near >> i & 1)
            color = picture_mix(color, band_colors[i], 0.22);
    return color;
}

static void draw_cells(tr_picture *picture, const tr_behavior_map *map, uint32_t frame,
                       const tr_map_view *view) {
    float side = (float)view->pixels_per_cell;
    for (uint32_t row = 0; row < map->grid.rows; row++)
        for (uint32_t column = 0; column < map->grid.columns; column++) {
            uint32_t band;
            cell_kind kind = kind_of(map, column, row, frame, &band);
            float x = view->left + (float)column * side, y = view->top + (float)row * side;
            if (kind != CELL_BLOCKED)
                tr_picture_rectangle(picture, x, y, x + side, y + side,
                                     cell_color(map, kind, column, row, band), 1);
        }
}

static float draw_key(tr_picture *picture, float x, float y, float height, tr_color color, const char *word) {
    tr_picture_rectangle(picture, x - 1, y - 1, x + height + 1, y + height + 1, faint_ink, 0.5f);
    tr_picture_rectangle(picture, x, y, x + height, y + height, color, 1);
    tr_picture_text(picture, x + 1.5f * height, y + 0.08f * height, height, word, ink);
    return x + 2.8f * height + tr_picture_text_width(height, word);
}

static void draw_legend(tr_picture *picture, const tr_behavior_map *map, uint32_t frame, tr_map_view *view) {
    const tr_behavior_def *machine = &map->behavior->def;
    float x = view->left, y = view->notes_top, height = view->text;
    char text[80];
    if (map->object_bands)
        x = draw_key(picture, x, y, height, moving_color, "moving");
    if (map->people_count)
        x = draw_key(picture, x, y, height, person_color, "somebody");
    for (uint32_t i = 1; i < machine->band_count; i++) {
        const char *name = machine->bands[i].name;
        snprintf(text, sizeof text, "%.40s: %.2f to %.2f m", name ? name : "band",
                 (double)machine->bands[i].low, (double)machine->bands[i].high);
        if (x + 2.8f * height + tr_picture_text_width(height, text) > (float)picture->width && i > 1) {
            x = view->left;
            y += 1.8f * height;
        }
        x = draw_key(picture, x, y, height, band_colors[i], text);
    }
    snprintf(text, sizeof text, "at %.2f s", frame / machine->frames_per_second);
    if (x + tr_picture_text_width(height, text) > (float)picture->width) {
        x = view->left;
        y += 1.8f * height;
    }
    tr_picture_text(picture, x, y + 0.08f * height, height, text, faint_ink);
    view->notes_top = y + 1.8f * height;
}

tr_status tr_picture_draw_behavior_map(const tr_allocator *allocator, const tr_behavior_layers *drawn,
                                       uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                       tr_map_view *view, tr_error *error) {
    tr_bitmap blocked = {0};
    tr_map_view own;
    if (!drawn || !drawn->map || !picture)
        return tr_fail(error, TR_INVALID, "there is no map to draw, or no picture to draw it in");
    const tr_behavior_map *map = drawn->map;
    uint32_t frame = drawn->frame, note_lines = drawn->note_lines;
    tr_status status = tr_bitmap_create(&map->allocator, map->grid.columns, map->grid.rows, &blocked);
    if (status != TR_OK)
        return tr_fail(error, status, "no memory for a picture of the map");
    for (uint32_t row = 0; row < map->grid.rows; row++)
        for (uint32_t column = 0; column < map->grid.columns; column++) {
            uint32_t band;
            if (kind_of(map, column, row, frame, &band) == CELL_BLOCKED)
                tr_bitmap_set(&blocked, column, row);
        }
    tr_map_layers layers = {map->grid, &blocked, NULL, NULL,
                            note_lines + LEGEND_LINES <= 100 ? note_lines + LEGEND_LINES : note_lines};
    status = tr_picture_draw_map(allocator, &layers, pixels_per_cell, title, picture, &own, error);
    if (status == TR_OK) {
        draw_cells(picture, map, frame, &own);
        draw_legend(picture, map, frame, &own);
        if (view)
            *view = own;
    }
    tr_bitmap_destroy(&map->allocator, &blocked);
    return status;
}
