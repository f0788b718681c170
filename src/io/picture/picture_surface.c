// The picture of a surface: its storeys next to or above each other, their names, and the legend.
#include "picture_surface.h"

#include <stdio.h>

static const tr_color paper = {252, 250, 246};
static const tr_color ink = {58, 64, 72};
static const tr_color faint_ink = {128, 128, 124};

#define TALLEST 1.75 // greatest preferred ratio of height to width

// Layout of the picture [pixels].
typedef struct surface_layout {
    double text, margin, top;
    double metre;
    uint32_t across, lines; // storeys side by side, and lines of storeys
    double panel_width;
    double line_tops[TR_SURFACE_VIEW_STOREYS_MAX]; // from the lowest line up
    double bottom;                                 // where the legend begins
    uint32_t width, height;
} surface_layout;

// From the top of a line to the floors of its storeys at the view's origin, and from there to its end.
static double line_head(const surface_sheet *sheet, const surface_layout *layout, uint32_t line) {
    double most = -INFINITY;
    for (uint32_t i = line * layout->across; i < (line + 1) * layout->across && i < sheet->band_count; i++)
        most = fmax(most, sheet->bands[i].above);
    return most * layout->metre + 2.2 * layout->text;
}

static double line_foot(const surface_sheet *sheet, const surface_layout *layout, uint32_t line) {
    double most = -INFINITY;
    for (uint32_t i = line * layout->across; i < (line + 1) * layout->across && i < sheet->band_count; i++)
        most = fmax(most, sheet->bands[i].below);
    return most * layout->metre + layout->text;
}

static void try_layout(const surface_sheet *sheet, const tr_surface_layers *layers, const char *title,
                       uint32_t across, surface_layout *layout) {
    double ground = (sheet->columns + sheet->rows) * sheet->side * SURFACE_ACROSS;
    layout->text = fmin(fmax(layers->width / 72.0, 13), 24);
    layout->margin = 2 * layout->text;
    layout->across = across;
    layout->lines = (sheet->band_count + across - 1) / across;
    layout->panel_width = (layers->width - (across + 1) * layout->margin) / across;
    layout->metre = layout->panel_width / ground;
    layout->top = title && title[0] ? layout->margin + 3 * layout->text : layout->margin;
    double y = layout->top;
    for (uint32_t line = layout->lines; line-- > 0;) {
        layout->line_tops[line] = y;
        y += line_head(sheet, layout, line) + line_foot(sheet, layout, line);
    }
    layout->bottom = y;
    layout->width = layers->width;
    layout->height =
        (uint32_t)fmin(y + (5 + 1.8 * layers->note_lines) * layout->text + layout->margin + 1, 4e9);
}

static tr_status plan_layout(const surface_sheet *sheet, const tr_surface_layers *layers, const char *title,
                             surface_layout *layout, tr_error *error) {
    for (uint32_t across = 1; across <= sheet->band_count; across++) {
        try_layout(sheet, layers, title, across, layout);
        if (layout->height <= TALLEST * layout->width)
            break;
    }
    if (layout->height > TR_PICTURE_SIDE_MAX / SURFACE_FINENESS)
        return tr_fail(error, TR_LIMIT, "the picture would be %u x %u pixels, more than %u on a side",
                       layout->width, layout->height, TR_PICTURE_SIDE_MAX / SURFACE_FINENESS);
    return TR_OK;
}

// The lowest storey is at the bottom, and on the left.
static void place_storeys(const surface_sheet *sheet, const surface_layout *layout, tr_surface_view *view) {
    const tr_grid *grid = &tr_surface_grid(sheet->surface)->grid;
    double depth = sheet->rows * sheet->side;
    tr_surface_view made = {
        .origin = {(float)((double)grid->origin.x + sheet->window.column_begin * (double)grid->cell),
                   (float)((double)grid->origin.z + sheet->window.row_begin * (double)grid->cell)},
        .metre = (float)layout->metre,
        .storey_count = sheet->band_count,
        .left = (float)layout->margin,
        .text = (float)layout->text,
        .notes_top = (float)(layout->bottom + 5 * layout->text)};
    for (uint32_t i = 0; i < sheet->band_count; i++) {
        uint32_t line = i / layout->across, place = i % layout->across;
        double left = layout->margin + place * (layout->panel_width + layout->margin);
        tr_surface_storey storey = {.from = (float)sheet->bands[i].from,
                                    .floor = (float)sheet->bands[i].floor,
                                    .left = (float)(left + depth * SURFACE_ACROSS * layout->metre),
                                    .top = (float)(layout->line_tops[line] + line_head(sheet, layout, line))};
        made.storeys[i] = storey;
    }
    *view = made;
}

uint32_t tr_surface_view_storey(const tr_surface_view *view, float height) {
    uint32_t storey = 0;
    while (storey + 1 < view->storey_count && height >= view->storeys[storey + 1].from)
        storey++;
    return storey;
}

tr_vec2 tr_surface_view_pixel(const tr_surface_view *view, tr_vec3 point, uint32_t storey) {
    const tr_surface_storey *s = &view->storeys[storey < view->storey_count ? storey : 0];
    double x = (double)point.x - (double)view->origin.x, z = (double)point.z - (double)view->origin.z;
    double metre = (double)view->metre, rise = (double)point.y - (double)s->floor;
    tr_vec2 pixel = {(float)((double)s->left + (x - z) * SURFACE_ACROSS * metre),
                     (float)((double)s->top + ((x + z) * SURFACE_DOWN - rise) * metre)};
    return pixel;
}

// Every pixel is the mean of its fine pixels.
static void take_over(const tr_picture *fine, tr_picture *picture) {
    size_t line = 3 * (size_t)fine->width;
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++)
            for (uint32_t channel = 0; channel < 3; channel++) {
                const uint8_t *from = fine->pixels + SURFACE_FINENESS * (y * line + 3 * (size_t)x) + channel;
                uint32_t sum = 0;
                for (uint32_t i = 0; i < SURFACE_FINENESS * SURFACE_FINENESS; i++)
                    sum += from[i / SURFACE_FINENESS * line + 3 * (i % SURFACE_FINENESS)];
                picture->pixels[3 * ((size_t)y * picture->width + x) + channel] =
                    (uint8_t)((sum + SURFACE_FINENESS * SURFACE_FINENESS / 2) /
                              (SURFACE_FINENESS * SURFACE_FINENESS));
            }
}

static tr_status draw_storeys(const tr_allocator *memory, surface_sheet *sheet, const tr_surface_view *view,
                              tr_picture *picture, tr_error *error) {
    tr_picture fine;
    tr_status status = tr_picture_create(memory, SURFACE_FINENESS * picture->width,
                                         SURFACE_FINENESS * picture->height, paper, &fine, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < sheet->band_count; i++) {
        surface_sheet_enter(sheet, i);
        surface_blocks_draw(&fine, sheet, i, view);
    }
    take_over(&fine, picture);
    tr_picture_destroy(&fine);
    return TR_OK;
}

static void name_storeys(tr_picture *picture, const surface_sheet *sheet, const surface_layout *layout) {
    char text[60];
    for (uint32_t i = 0; i < sheet->band_count && sheet->band_count > 1; i++) {
        uint32_t line = i / layout->across, place = i % layout->across;
        snprintf(text, sizeof text, "storey %u, floor at %.2f m", i + 1, sheet->bands[i].floor);
        tr_picture_text(picture, (float)(layout->margin + place * (layout->panel_width + layout->margin)),
                        (float)layout->line_tops[line], (float)layout->text, text, ink);
    }
}

static float draw_key(tr_picture *picture, float x, float y, float text, tr_color color, const char *word) {
    tr_picture_rectangle(picture, x - 1, y - 1, x + text + 1, y + text + 1, faint_ink, 0.5f);
    tr_picture_rectangle(picture, x, y, x + text, y + text, color, 1);
    tr_picture_text(picture, x + 1.5f * text, y + 0.08f * text, text, word, ink);
    return x + 2.8f * text + tr_picture_text_width(text, word);
}

static float draw_ramp(tr_picture *picture, const surface_sheet *sheet, float x, float y, float text) {
    float length = 5 * text;
    char word[80];
    tr_picture_rectangle(picture, x - 1, y - 1, x + length + 1, y + text + 1, faint_ink, 0.5f);
    for (float i = 0; i < length; i += 1)
        tr_picture_rectangle(
            picture, x + i, y, x + i + 1, y + text,
            surface_tone_color(sheet, TONE_FREE,
                               sheet->low + (double)(i / length) * (sheet->high - sheet->low)),
            1);
    if (sheet->high > sheet->low)
        snprintf(word, sizeof word, "%.3g to %.3g m", sheet->low, sheet->high);
    else
        snprintf(word, sizeof word, "ground at %.3g m", sheet->low);
    tr_picture_text(picture, x + length + 0.5f * text, y + 0.08f * text, text, word, ink);
    return x + length + 1.8f * text + tr_picture_text_width(text, word);
}

// false: the states of the cells are unknown.
static bool count_reached(const surface_sheet *sheet, uint32_t *reached, uint32_t *border) {
    *reached = sheet->route ? tr_surface_route_reached(sheet->route) : 0;
    *border = sheet->route ? tr_surface_route_border(sheet->route) : 0;
    if (!sheet->states)
        return sheet->route != NULL;
    *reached = *border = 0;
    for (uint32_t i = 0; i < tr_surface_cell_count(sheet->surface); i++) {
        *reached += sheet->states[i] != TR_SURFACE_ROUTE_UNSEEN;
        *border += sheet->states[i] == TR_SURFACE_ROUTE_BORDER;
    }
    return true;
}

static void draw_legend(tr_picture *picture, const surface_sheet *sheet, const surface_layout *layout) {
    const tr_voxel_grid *grid = tr_surface_grid(sheet->surface);
    float text = (float)layout->text, x = (float)layout->margin, y = (float)layout->bottom + text;
    double middle = (sheet->low + sheet->high) / 2;
    x = draw_ramp(picture, sheet, x, y, text);
    if (sheet->route || sheet->states)
        x = draw_key(picture, x, y, text, surface_tone_color(sheet, TONE_BORDER, middle), "border");
    x = draw_key(picture, x, y, text, surface_tone_color(sheet, TONE_OTHER, middle), "not reached");
    x = draw_key(picture, x, y, text, surface_tone_color(sheet, TONE_STEEP, middle), "not walkable");
    draw_key(picture, x, y, text, surface_tone_color(sheet, TONE_CUT, middle), "cut");
    char words[160];
    int used = snprintf(words, sizeof words, "%u x %u columns of %.3g m, layers of %.3g m, %u cells",
                        grid->grid.columns, grid->grid.rows, (double)grid->grid.cell, (double)grid->layer,
                        tr_surface_cell_count(sheet->surface));
    uint32_t reached, border;
    if (count_reached(sheet, &reached, &border) && used > 0 && (size_t)used < sizeof words)
        snprintf(words + used, sizeof words - (size_t)used, ": %u reached, %u of them border", reached,
                 border);
    tr_picture_text(picture, (float)layout->margin, y + 2.1f * text, text, words, faint_ink);
}

static tr_status check_layers(const tr_surface_layers *layers, const tr_picture *picture, tr_error *error) {
    if (!layers || !layers->surface || !picture)
        return tr_fail(error, TR_INVALID, "there is no %s",
                       picture ? "surface to draw" : "picture to draw in");
    if (layers->route && tr_surface_route_surface(layers->route) != layers->surface)
        return tr_fail(error, TR_INVALID, "the ways belong to another surface");
    if (layers->width < 320 || layers->width > TR_PICTURE_SIDE_MAX / SURFACE_FINENESS)
        return tr_fail(error, TR_INVALID, "the picture of a surface can be 320 to %u pixels wide, not %u",
                       TR_PICTURE_SIDE_MAX / SURFACE_FINENESS, layers->width);
    if (layers->note_lines > 100)
        return tr_fail(error, TR_INVALID, "a picture can reserve at most 100 lines for notes, not %u",
                       layers->note_lines);
    return TR_OK;
}

tr_status tr_picture_draw_surface(const tr_allocator *allocator, const tr_surface_layers *layers,
                                  const char *title, tr_picture *picture, tr_surface_view *view,
                                  tr_error *error) {
    tr_status status = check_layers(layers, picture, error);
    if (status != TR_OK)
        return status;
    tr_allocator memory = allocator ? *allocator : tr_allocator_default();
    surface_sheet sheet;
    surface_layout layout = {0};
    tr_surface_view placed;
    tr_picture made = {.pixels = NULL};
    status = surface_sheet_create(&memory, layers, &sheet, error);
    if (status == TR_OK)
        status = plan_layout(&sheet, layers, title, &layout, error);
    if (status == TR_OK)
        status = tr_picture_create(&memory, layout.width, layout.height, paper, &made, error);
    if (status == TR_OK) {
        place_storeys(&sheet, &layout, &placed);
        status = draw_storeys(&memory, &sheet, &placed, &made, error);
    }
    if (status == TR_OK) {
        if (title && title[0])
            tr_picture_text(&made, (float)layout.margin, (float)layout.margin, 1.5f * (float)layout.text,
                            title, ink);
        name_storeys(&made, &sheet, &layout);
        draw_legend(&made, &sheet, &layout);
        *picture = made;
        if (view)
            *view = placed;
    } else {
        tr_picture_destroy(&made);
    }
    surface_sheet_destroy(&memory, &sheet);
    return status;
}
