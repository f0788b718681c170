#include "behaviors_layout.h"

#include "troupe/io/picture.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN 36
#define LABEL_TEXT 18
#define LABEL_HEIGHT 52
#define NODE_GAP 44 // between panels above each other

// --- Panels ---

// Do the labels allow no state to follow that is not listed?
static bool is_complete(const tr_behavior_def *def, const tr_behavior_state *state) {
    uint32_t allowed = 0;
    for (uint32_t i = 0; i < def->state_count; i++)
        allowed += def->states[i].begin == state->end;
    return allowed == state->successor_count;
}

static bool belongs(const tr_behavior_def *def, const layout_panel *panel, const tr_behavior_state *state) {
    if (panel->begin != state->begin || panel->end != state->end)
        return false;
    bool complete = is_complete(def, state);
    if (complete || !panel->successors)
        return complete && !panel->successors;
    return panel->successor_count == state->successor_count &&
           memcmp(panel->successors, state->successors, state->successor_count * sizeof *state->successors) ==
               0;
}

// Wider than high: boxes are, and so are screens.
static void shape_panel(layout_panel *panel) {
    panel->columns = 1;
    while (panel->columns * panel->columns * 2 < panel->count && panel->columns < 12)
        panel->columns++;
    panel->rows = (panel->count + panel->columns - 1) / panel->columns;
    uint32_t heads = panel->successors ? 2 : 1;
    panel->width = (float)(panel->columns * (LAYOUT_BOX_WIDTH + LAYOUT_BOX_GAP) + LAYOUT_BOX_GAP);
    panel->height = (float)(panel->rows * (LAYOUT_BOX_HEIGHT + LAYOUT_BOX_GAP) + LAYOUT_BOX_GAP +
                            heads * LAYOUT_PANEL_HEAD);
}

static void make_panels(layout *made) {
    const tr_behavior_def *def = made->def;
    uint32_t placed = 0;
    for (uint32_t i = 0; i < def->state_count; i++) {
        const tr_behavior_state *state = &def->states[i];
        uint32_t k = 0;
        while (k < made->panel_count && !belongs(def, &made->panels[k], state))
            k++;
        if (k < made->panel_count)
            continue;
        layout_panel *panel = &made->panels[made->panel_count++];
        bool complete = is_complete(def, state);
        *panel = (layout_panel){.begin = state->begin,
                                .end = state->end,
                                .first = placed,
                                .successors = complete ? NULL : state->successors,
                                .successor_count = complete ? 0 : state->successor_count};
        for (uint32_t n = i; n < def->state_count; n++)
            if (belongs(def, panel, &def->states[n])) {
                made->order[placed++] = n;
                panel->count++;
            }
        shape_panel(panel);
    }
}

// --- Columns ---

static void choose_columns(layout *made) {
    const tr_behavior_def *def = made->def;
    made->labels[def->rest].is_used = true;
    for (uint32_t column = 0, found = 1; found; column += 2) {
        found = 0;
        for (uint32_t i = 0; i < made->panel_count; i++) {
            layout_panel *panel = &made->panels[i];
            layout_label *begin = &made->labels[panel->begin], *end = &made->labels[panel->end];
            if (!begin->is_used || begin->column != column)
                continue;
            panel->column = column + 1;
            made->column_count = panel->column + 1;
            if (end->is_used)
                continue;
            *end = (layout_label){.column = column + 2, .is_used = true};
            made->column_count = column + 3;
            found = 1;
        }
    }
}

static void size_labels(layout *made) {
    for (uint32_t i = 0; i < made->def->label_count; i++) {
        layout_label *label = &made->labels[i];
        label->width = tr_picture_text_width(LABEL_TEXT, made->def->labels[i]) + 44;
        label->height = LABEL_HEIGHT;
    }
}

// Lays what stands in a column one below the other and returns how high that is.
static float stack(layout *made, uint32_t column, float top) {
    float y = top;
    for (uint32_t i = 0; i < made->panel_count; i++)
        if (made->panels[i].column == column) {
            made->panels[i].y = y;
            y += made->panels[i].height + NODE_GAP;
        }
    for (uint32_t i = 0; i < made->def->label_count; i++)
        if (made->labels[i].is_used && column % 2 == 0 && made->labels[i].column == column) {
            made->labels[i].y = y;
            y += made->labels[i].height + NODE_GAP;
        }
    return y - NODE_GAP - top;
}

static void place_rows(layout *made, float top) {
    float height = 0;
    for (uint32_t column = 0; column < made->column_count; column++)
        height = fmaxf(height, stack(made, column, top));
    for (uint32_t column = 0; column < made->column_count; column++)
        stack(made, column, top + (height - stack(made, column, top)) / 2);
    made->bottom = top + height;
}

// --- Lines ---

// How many lines run in the channel on the right of a column; with `place`, from `x` on.
static uint32_t lines_in_channel(layout *made, uint32_t column, float x, bool place) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < made->def->label_count; i++) {
        layout_label *label = &made->labels[i];
        float *lines[3] = {&label->in, &label->out, &label->from_left};
        bool here[3] = {false, false, false};
        for (uint32_t k = 0; k < made->panel_count && label->is_used; k++) {
            const layout_panel *panel = &made->panels[k];
            here[0] |= panel->end == i && label->column == column && panel->column > column;
            here[1] |= panel->begin == i && label->column == column;
            here[2] |= panel->end == i && label->column == column + 1 && panel->column == column;
        }
        for (int k = 0; k < 3; k++)
            if (here[k]) {
                if (place)
                    *lines[k] = x + (float)count * LAYOUT_LINE_GAP;
                count++;
            }
    }
    // Panels in the column on the right that go back beyond the labels on their left.
    for (uint32_t k = 0; k < made->panel_count; k++) {
        layout_panel *panel = &made->panels[k];
        if (panel->column != column + 1 || made->labels[panel->end].column + 1 >= panel->column)
            continue;
        if (place)
            panel->leave = x + (float)count * LAYOUT_LINE_GAP;
        count++;
    }
    return count;
}

static void place_columns(layout *made) {
    float x = MARGIN;
    for (uint32_t column = 0; column < made->column_count; column++) {
        float width = 0;
        for (uint32_t i = 0; i < made->panel_count; i++)
            if (made->panels[i].column == column)
                width = fmaxf(width, made->panels[i].width);
        for (uint32_t i = 0; i < made->def->label_count; i++)
            if (made->labels[i].is_used && made->labels[i].column == column && column % 2 == 0)
                width = fmaxf(width, made->labels[i].width);
        for (uint32_t i = 0; i < made->panel_count; i++)
            if (made->panels[i].column == column)
                made->panels[i].x = x + (width - made->panels[i].width) / 2;
        for (uint32_t i = 0; i < made->def->label_count; i++)
            if (made->labels[i].is_used && made->labels[i].column == column && column % 2 == 0)
                made->labels[i].x = x + (width - made->labels[i].width) / 2;
        x += width;
        uint32_t lines = lines_in_channel(made, column, x + 24, true);
        x += column + 1 < made->column_count ? 24 + (float)lines * LAYOUT_LINE_GAP + 24 : 0;
    }
    made->width = x + MARGIN;
}

static void place_tracks(layout *made) {
    float y = made->bottom + 28;
    for (uint32_t i = 0; i < made->def->label_count; i++) {
        bool is_far = false;
        for (uint32_t k = 0; k < made->panel_count; k++)
            is_far |= made->panels[k].end == i && made->panels[k].leave > 0;
        if (!is_far)
            continue;
        made->labels[i].track = y;
        y += LAYOUT_LINE_GAP;
    }
    made->height = y + 16;
}

tr_status layout_make(const tr_behavior_def *def, float top, layout *made, tr_error *error) {
    *made = (layout){.def = def, .top = top};
    made->labels = calloc(def->label_count, sizeof *made->labels);
    made->panels = calloc(def->state_count, sizeof *made->panels);
    made->order = calloc(def->state_count, sizeof *made->order);
    if (!made->labels || !made->panels || !made->order)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to draw %u states", def->state_count);
    make_panels(made);
    choose_columns(made);
    size_labels(made);
    place_rows(made, top);
    place_columns(made);
    place_tracks(made);
    return TR_OK;
}

void layout_destroy(layout *made) {
    free(made->labels);
    free(made->panels);
    free(made->order);
}
