// Where a picture of a machine has its states and arrows.
//
// Labels are pills, and states that begin and end with the same labels share a panel. Both stand in columns
// by the number of states from rest: labels in columns 0, 2, 4, panels in between. Arrows run in the channels
// between the columns, and back to earlier labels in tracks below everything. All arrows that leave a label
// for a channel, or come to it there, share one line.
#pragma once
#include "behaviors.h"

typedef struct layout_label {
    uint32_t column;
    float x, y, width, height; // left, top
    float out, in, from_left;  // x of the lines: to panels, back from panels, from panels on the left
    float track;               // y of the line from farther panels; 0: there is none
    bool is_used;
} layout_label;

typedef struct layout_panel {
    uint32_t begin, end;        // labels
    uint32_t first, count;      // its states, in `order`
    uint32_t rows, columns;     // of its boxes
    const uint32_t *successors; // of its states, if these are not all that the labels allow; otherwise NULL
    uint32_t successor_count;
    uint32_t column;
    float x, y, width, height;
    float leave; // x of the line to a label farther back; 0: there is none
} layout_panel;

typedef struct layout {
    const tr_behavior_def *def;
    layout_label *labels;
    layout_panel *panels;
    uint32_t *order; // states, panel by panel
    uint32_t panel_count, column_count;
    float width, height, bottom; // of all; where the tracks begin
    float top;
} layout;

// [pixels]
#define LAYOUT_BOX_WIDTH 208
#define LAYOUT_BOX_HEIGHT 66
#define LAYOUT_BOX_GAP 10
#define LAYOUT_PANEL_HEAD 26
#define LAYOUT_LINE_GAP 12 // between lines in a channel

// `top`: room above the drawing. Destroy the layout also after a failure.
tr_status layout_make(const tr_behavior_def *def, float top, layout *made, tr_error *error);
void layout_destroy(layout *made);
