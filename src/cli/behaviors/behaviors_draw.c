// Draws a machine of behaviors.
#include "behaviors_layout.h"

#include "troupe/io/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEFT 36
#define TITLE_TEXT 26
#define LABEL_TEXT 18
#define NAME_TEXT 16
#define TEXT 13
#define TOP 96    // room for the title
#define LEGEND 30 // height of a line of the legend

static const tr_color white = {255, 255, 255};
static const tr_color ink = {40, 46, 54};
static const tr_color faint_ink = {104, 110, 116};
static const tr_color panel_color = {244, 245, 247};
static const tr_color panel_edge = {214, 218, 222};
static const tr_color box_edge = {170, 176, 184};
// Told apart by those who see few colours, too: neighbours differ in brightness.
static const tr_color label_colors[] = {{24, 100, 171},  {226, 132, 30}, {92, 150, 90},  {150, 52, 60},
                                        {140, 110, 180}, {90, 84, 70},   {30, 150, 160}, {200, 90, 150}};
#define LABEL_COLORS (sizeof label_colors / sizeof *label_colors)
static const tr_color band_colors[TR_BEHAVIOR_BANDS_MAX] = {{255, 255, 255}, {255, 222, 170}, {198, 224, 255},
                                                            {206, 236, 200}, {240, 208, 236}, {250, 240, 170},
                                                            {208, 240, 240}, {226, 214, 200}};

static tr_color color_of_label(uint32_t label) {
    return label_colors[label % LABEL_COLORS];
}

static void draw_rounded(tr_picture *picture, float x, float y, float width, float height, float radius,
                         tr_color color) {
    tr_picture_rectangle(picture, x + radius, y, x + width - radius, y + height, color, 1);
    tr_picture_rectangle(picture, x, y + radius, x + width, y + height - radius, color, 1);
    for (int i = 0; i < 4; i++)
        tr_picture_disc(picture, i % 2 ? x + width - radius : x + radius,
                        i / 2 ? y + height - radius : y + radius, radius, color, 1);
}

static void draw_framed(tr_picture *picture, float x, float y, float width, float height, float radius,
                        tr_color fill, tr_color edge, float line) {
    draw_rounded(picture, x, y, width, height, radius, edge);
    draw_rounded(picture, x + line, y + line, width - 2 * line, height - 2 * line, radius - line, fill);
}

// Text that keeps to a width: what is too long ends with dots.
static void draw_text_within(tr_picture *picture, float x, float y, float height, float width,
                             const char *text, tr_color color) {
    char shown[400];
    snprintf(shown, sizeof shown, "%.399s", text);
    for (size_t length = strlen(shown); length > 3 && tr_picture_text_width(height, shown) > width; length--)
        memcpy(shown + length - 4, "...", 4);
    tr_picture_text(picture, x, y, height, shown, color);
}

// --- States ---

static void draw_state(tr_picture *picture, const tr_behavior_def *def, const tr_behavior_state *state,
                       float x, float y) {
    behaviors_means means = behaviors_mean(state);
    char line[120];
    draw_framed(picture, x, y, LAYOUT_BOX_WIDTH, LAYOUT_BOX_HEIGHT, 10, band_colors[state->serves],
                state->serves ? ink : box_edge, 1.5f);
    draw_text_within(picture, x + 12, y + 8, NAME_TEXT, LAYOUT_BOX_WIDTH - 24, state->name, ink);
    snprintf(line, sizeof line, "%u %s%s, weight %.3g", state->move_count,
             state->parametrised ? "of a range" : "clip",
             state->move_count == 1 || state->parametrised ? "" : "s", (double)state->weight);
    draw_text_within(picture, x + 12, y + 29, TEXT, LAYOUT_BOX_WIDTH - 24, line, faint_ink);
    int length =
        snprintf(line, sizeof line, "%.2f m, %.2f s", means.metres, means.frames / def->frames_per_second);
    if (means.turn > 0.5 || means.turn < -0.5)
        snprintf(line + length, sizeof line - (size_t)length, ", turns %+.0f", means.turn);
    draw_text_within(picture, x + 12, y + 46, TEXT, LAYOUT_BOX_WIDTH - 24, line, faint_ink);
}

static void write_successors(const tr_behavior_def *def, const layout_panel *panel, char *text, size_t size) {
    int length = snprintf(text, size, "then only");
    for (uint32_t i = 0; i < panel->successor_count && (size_t)length < size; i++)
        length += snprintf(text + length, size - (size_t)length, "%s %s", i ? "," : "",
                           def->states[panel->successors[i]].name);
}

static void draw_panel(tr_picture *picture, const layout *made, const layout_panel *panel) {
    const tr_behavior_def *def = made->def;
    char text[400];
    draw_framed(picture, panel->x, panel->y, panel->width, panel->height, 14, panel_color, panel_edge, 1.5f);
    snprintf(text, sizeof text, "%s to %s", def->labels[panel->begin], def->labels[panel->end]);
    float y = panel->y + 9, room = panel->width - 28;
    draw_text_within(picture, panel->x + 14, y, TEXT, room, text, faint_ink);
    y += LAYOUT_PANEL_HEAD;
    if (panel->successors) {
        write_successors(def, panel, text, sizeof text);
        draw_text_within(picture, panel->x + 14, y - 4, TEXT, room, text, color_of_label(panel->end));
        y += LAYOUT_PANEL_HEAD;
    }
    for (uint32_t i = 0; i < panel->count; i++) {
        uint32_t row = i % panel->rows, column = i / panel->rows;
        draw_state(picture, def, &def->states[made->order[panel->first + i]],
                   panel->x + LAYOUT_BOX_GAP + (float)column * (LAYOUT_BOX_WIDTH + LAYOUT_BOX_GAP),
                   y + (float)row * (LAYOUT_BOX_HEIGHT + LAYOUT_BOX_GAP));
    }
}

static void draw_label(tr_picture *picture, const layout *made, uint32_t number) {
    const layout_label *label = &made->labels[number];
    bool rest = number == made->def->rest;
    if (!label->is_used)
        return;
    tr_color color = color_of_label(number);
    draw_rounded(picture, label->x, label->y, label->width, label->height, label->height / 2, color);
    if (rest) // a ring
        draw_framed(picture, label->x + 3, label->y + 3, label->width - 6, label->height - 6,
                    label->height / 2 - 3, color, white, 2);
    const char *name = made->def->labels[number];
    tr_picture_text(picture, label->x + (label->width - tr_picture_text_width(LABEL_TEXT, name)) / 2,
                    label->y + (label->height - LABEL_TEXT) / 2, LABEL_TEXT, name, white);
}

// --- Arrows ---

typedef struct pen {
    tr_picture *picture;
    tr_color color;
    float x, y;
} pen;

static void line_to(pen *at, float x, float y) {
    tr_picture_line(at->picture, at->x, at->y, x, y, 2.2f, at->color, 1);
    at->x = x;
    at->y = y;
}

// A head that points along X at where the pen is.
static void draw_head(const pen *at, float direction) {
    for (float wing = -5.5f; wing < 6; wing += 1.0f)
        tr_picture_line(at->picture, at->x, at->y, at->x - direction * 11, at->y + wing, 1.4f, at->color, 1);
}

// Where arrows touch labels and panels: above the middle those that leave a label, below those that come
// back.
static float out_y(const layout_label *label) {
    return label->y + label->height / 2 - 9;
}
static float in_y(const layout_label *label) {
    return label->y + label->height / 2 + 9;
}

static void draw_into_panel(tr_picture *picture, const layout *made, const layout_panel *panel) {
    const layout_label *label = &made->labels[panel->begin];
    float y = panel->y + panel->height / 2 - 9;
    pen at = {picture, color_of_label(panel->begin), label->x + label->width, out_y(label)};
    line_to(&at, label->out, out_y(label));
    line_to(&at, label->out, y);
    line_to(&at, panel->x - 2, y);
    draw_head(&at, 1);
}

static void draw_out_of_panel(tr_picture *picture, const layout *made, const layout_panel *panel) {
    const layout_label *label = &made->labels[panel->end];
    pen at = {picture, color_of_label(panel->end), panel->x, panel->y + panel->height / 2 + 9};
    if (label->column > panel->column) {
        at.x = panel->x + panel->width;
        line_to(&at, label->from_left, at.y);
        line_to(&at, label->from_left, label->y + label->height / 2);
        line_to(&at, label->x - 2, label->y + label->height / 2);
        draw_head(&at, 1);
        return;
    }
    if (panel->leave > 0) {
        line_to(&at, panel->leave, at.y);
        line_to(&at, panel->leave, label->track);
        line_to(&at, label->in, label->track);
    } else {
        line_to(&at, label->in, at.y);
    }
    line_to(&at, label->in, in_y(label));
    line_to(&at, label->x + label->width + 2, in_y(label));
    draw_head(&at, -1);
}

// --- The picture ---

static void draw_title(tr_picture *picture, const behaviors_job *job, const layout *made,
                       const behaviors_totals *totals) {
    const tr_behavior_def *def = made->def;
    char text[240];
    float room = (float)picture->width - 2 * LEFT;
    draw_text_within(picture, LEFT, 24, TITLE_TEXT, room, def->name ? def->name : job->source, ink);
    snprintf(text, sizeof text, "%u states, %u clips, %" PRIu64 " frames (%.1f s), %u transitions",
             def->state_count, totals->moves, totals->frames, (double)totals->frames / def->frames_per_second,
             totals->edges);
    draw_text_within(picture, LEFT, 58, NAME_TEXT, room, text, faint_ink);
}

static void draw_legend(tr_picture *picture, const layout *made) {
    const tr_behavior_def *def = made->def;
    float y = made->height + 6;
    char text[200];
    for (uint32_t i = 0; i < def->band_count; i++, y += LEGEND) {
        draw_framed(picture, LEFT, y, 30, 20, 6, band_colors[i], i ? ink : box_edge, 1.5f);
        snprintf(text, sizeof text, "%s %.80s, %.2f to %.2f m above the floor",
                 i ? "for obstacles that leave room in the band"
                   : "ordinary behavior; the upright body is in the band",
                 def->bands[i].name, (double)def->bands[i].low, (double)def->bands[i].high);
        draw_text_within(picture, LEFT + 42, y + 3, TEXT, (float)picture->width - LEFT - 60, text, ink);
    }
    draw_rounded(picture, LEFT, y, 30, 20, 10, color_of_label(def->rest));
    draw_text_within(picture, LEFT + 42, y + 3, TEXT, (float)picture->width - LEFT - 60,
                     "transition label: whatever leads to it may be followed by whatever it leads to; "
                     "the ring marks rest",
                     ink);
}

tr_status behaviors_draw(const behaviors_job *job, const char *path, tr_error *error) {
    const tr_behavior_def *def = tr_behavior_def_of(job->machine);
    layout made;
    tr_picture picture;
    tr_status status = layout_make(def, TOP, &made, error);
    if (status == TR_OK)
        status = tr_picture_create(NULL, (uint32_t)fmaxf(made.width, 900),
                                   (uint32_t)(made.height + LEGEND * (float)(def->band_count + 1) + 30),
                                   white, &picture, error);
    if (status != TR_OK) {
        layout_destroy(&made);
        return status;
    }
    behaviors_totals totals = behaviors_count(def, NULL, NULL);
    draw_title(&picture, job, &made, &totals);
    for (uint32_t i = 0; i < made.panel_count; i++) {
        draw_into_panel(&picture, &made, &made.panels[i]);
        draw_out_of_panel(&picture, &made, &made.panels[i]);
    }
    for (uint32_t i = 0; i < made.panel_count; i++)
        draw_panel(&picture, &made, &made.panels[i]);
    for (uint32_t i = 0; i < def->label_count; i++)
        draw_label(&picture, &made, i);
    draw_legend(&picture, &made);
    status = tr_picture_write_png(&picture, path, error);
    tr_picture_destroy(&picture);
    layout_destroy(&made);
    return status;
}
