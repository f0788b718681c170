// Shared by the drawing functions. Internal.
#pragma once
#include "troupe/io/picture.h"

// A segment, in pixels.
typedef struct picture_segment {
    double x0, y0, x1, y1;
} picture_segment;

// Draws all segments as one stroke with round ends: a pixel is blended once, however many of them cover it.
void picture_strokes(tr_picture *picture, const picture_segment *segments, uint32_t count, double width,
                     tr_color color, double alpha);
// `weight` 0 keeps the colour, 1 gives `other`.
tr_color picture_mix(tr_color color, tr_color other, double weight);
