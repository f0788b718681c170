#include "picture_draw.h"

#include <string.h>

tr_status tr_picture_create(const tr_allocator *allocator, uint32_t width, uint32_t height,
                            tr_color background, tr_picture *picture, tr_error *error) {
    if (width == 0 || height == 0)
        return tr_fail(error, TR_INVALID, "a picture of %u x %u pixels is empty", width, height);
    if (width > TR_PICTURE_SIDE_MAX || height > TR_PICTURE_SIDE_MAX)
        return tr_fail(error, TR_LIMIT, "a picture of %u x %u pixels is larger than %u on a side", width,
                       height, TR_PICTURE_SIDE_MAX);
    tr_picture made = {tr_allocator_or_default(allocator), width, height, NULL};
    made.pixels = tr_allocate(&made.allocator, (size_t)width * height, 3);
    if (!made.pixels)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a picture of %u x %u pixels", width, height);
    for (size_t i = 0; i < (size_t)width * height; i++)
        memcpy(made.pixels + 3 * i, &background, 3);
    *picture = made;
    return TR_OK;
}

void tr_picture_destroy(tr_picture *picture) {
    if (!picture)
        return;
    tr_release(&picture->allocator, picture->pixels, (size_t)picture->width * picture->height, 3);
    picture->pixels = NULL;
    picture->width = picture->height = 0;
}

static uint8_t mix_byte(uint8_t from, uint8_t to, double weight) {
    return (uint8_t)((double)from + ((double)to - (double)from) * weight + 0.5);
}

tr_color picture_mix(tr_color color, tr_color other, double weight) {
    tr_color mixed = {mix_byte(color.red, other.red, weight), mix_byte(color.green, other.green, weight),
                      mix_byte(color.blue, other.blue, weight)};
    return mixed;
}

static void blend(tr_picture *picture, uint32_t x, uint32_t y, tr_color color, double weight) {
    uint8_t *pixel = picture->pixels + 3 * ((size_t)y * picture->width + x);
    pixel[0] = mix_byte(pixel[0], color.red, weight);
    pixel[1] = mix_byte(pixel[1], color.green, weight);
    pixel[2] = mix_byte(pixel[2], color.blue, weight);
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// The pixels [*begin, *end) of a side of `size` that overlap the interval.
static void pixel_range(double low, double high, uint32_t size, uint32_t *begin, uint32_t *end) {
    *begin = (uint32_t)floor(clamp(low, 0, size));
    *end = (uint32_t)ceil(clamp(high, 0, size));
}

// The part of pixel `index` inside [low, high].
static double overlap(uint32_t index, double low, double high) {
    double from = low > index ? low : index, to = high < index + 1.0 ? high : index + 1.0;
    return to > from ? to - from : 0;
}

static bool is_drawable(const tr_picture *picture, double sum_of_numbers, double alpha) {
    return picture && picture->pixels && isfinite(sum_of_numbers) && alpha > 0;
}

void tr_picture_rectangle(tr_picture *picture, float x0, float y0, float x1, float y1, tr_color color,
                          float alpha) {
    double left = fmin((double)x0, (double)x1), right = fmax((double)x0, (double)x1);
    double top = fmin((double)y0, (double)y1), bottom = fmax((double)y0, (double)y1);
    if (!is_drawable(picture, (double)x0 + (double)y0 + (double)x1 + (double)y1, (double)alpha))
        return;
    double opacity = clamp((double)alpha, 0, 1);
    uint32_t column_begin, column_end, row_begin, row_end;
    pixel_range(left, right, picture->width, &column_begin, &column_end);
    pixel_range(top, bottom, picture->height, &row_begin, &row_end);
    for (uint32_t y = row_begin; y < row_end; y++) {
        double down = overlap(y, top, bottom) * opacity;
        for (uint32_t x = column_begin; x < column_end; x++)
            blend(picture, x, y, color, down * overlap(x, left, right));
    }
}

// The squared distance from the point (x, y) to the segment.
static double distance_squared(const picture_segment *s, double x, double y) {
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length = dx * dx + dy * dy;
    double along = length > 0 ? clamp(((x - s->x0) * dx + (y - s->y0) * dy) / length, 0, 1) : 0;
    double away_x = x - (s->x0 + along * dx), away_y = y - (s->y0 + along * dy);
    return away_x * away_x + away_y * away_y;
}

void picture_strokes(tr_picture *picture, const picture_segment *segments, uint32_t count, double width,
                     tr_color color, double alpha) {
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        left = fmin(left, fmin(segments[i].x0, segments[i].x1));
        right = fmax(right, fmax(segments[i].x0, segments[i].x1));
        top = fmin(top, fmin(segments[i].y0, segments[i].y1));
        bottom = fmax(bottom, fmax(segments[i].y0, segments[i].y1));
    }
    double reach = width / 2 + 0.5;
    uint32_t column_begin, column_end, row_begin, row_end;
    pixel_range(left - reach, right + reach, picture->width, &column_begin, &column_end);
    pixel_range(top - reach, bottom + reach, picture->height, &row_begin, &row_end);
    for (uint32_t y = row_begin; y < row_end; y++)
        for (uint32_t x = column_begin; x < column_end; x++) {
            double nearest = INFINITY;
            for (uint32_t i = 0; i < count; i++)
                nearest = fmin(nearest, distance_squared(&segments[i], x + 0.5, y + 0.5));
            double cover = clamp(reach - sqrt(nearest), 0, fmin(width, 1));
            if (cover > 0)
                blend(picture, x, y, color, cover * alpha);
        }
}

// Clips the segment from (along0, across0) to (along1, across1) to low <= along <= high. A clipped end is
// exactly on the border, however far away it was. false: nothing is left.
static bool cut(double *along0, double *across0, double *along1, double *across1, double low, double high) {
    if (fmax(*along0, *along1) < low || fmin(*along0, *along1) > high)
        return false;
    double slope = *along0 != *along1 ? (*across1 - *across0) / (*along1 - *along0) : 0;
    double begin = clamp(*along0, low, high), end = clamp(*along1, low, high);
    *across0 += (begin - *along0) * slope;
    *across1 += (end - *along1) * slope;
    *along0 = begin;
    *along1 = end;
    return true;
}

static bool clip_to_picture(const tr_picture *picture, double reach, picture_segment *s) {
    return cut(&s->x0, &s->y0, &s->x1, &s->y1, -reach, picture->width + reach) &&
           cut(&s->y0, &s->x0, &s->y1, &s->x1, -reach, picture->height + reach);
}

void tr_picture_line(tr_picture *picture, float x0, float y0, float x1, float y1, float width, tr_color color,
                     float alpha) {
    picture_segment line = {(double)x0, (double)y0, (double)x1, (double)y1};
    double reach = (double)width / 2 + 0.5;
    if (!is_drawable(picture, line.x0 + line.y0 + line.x1 + line.y1 + reach, (double)alpha) || !(width > 0) ||
        !clip_to_picture(picture, reach + 1, &line))
        return;
    // Row by row, so that the cost of a long slanting line depends on its length and not on its bounding box.
    double dx = line.x1 - line.x0, dy = line.y1 - line.y0, length = sqrt(dx * dx + dy * dy);
    double opacity = clamp((double)alpha, 0, 1),
           across = fabs(dy) > 0 ? reach * length / fabs(dy) + fabs(dx / dy) : INFINITY;
    uint32_t row_begin, row_end, column_begin, column_end;
    pixel_range(fmin(line.y0, line.y1) - reach, fmax(line.y0, line.y1) + reach, picture->height, &row_begin,
                &row_end);
    for (uint32_t y = row_begin; y < row_end; y++) {
        double middle = isfinite(across) ? line.x0 + (y + 0.5 - line.y0) * dx / dy : line.x0;
        double low = fmax(fmin(line.x0, line.x1) - reach, middle - across);
        double high = fmin(fmax(line.x0, line.x1) + reach, middle + across);
        pixel_range(low, high, picture->width, &column_begin, &column_end);
        for (uint32_t x = column_begin; x < column_end; x++) {
            double cover =
                clamp(reach - sqrt(distance_squared(&line, x + 0.5, y + 0.5)), 0, fmin((double)width, 1));
            if (cover > 0)
                blend(picture, x, y, color, cover * opacity);
        }
    }
}

void tr_picture_disc(tr_picture *picture, float x, float y, float radius, tr_color color, float alpha) {
    if (!is_drawable(picture, (double)x + (double)y + (double)radius, (double)alpha) || !(radius > 0))
        return;
    picture_segment centre = {(double)x, (double)y, (double)x, (double)y};
    picture_strokes(picture, &centre, 1, 2 * (double)radius, color, clamp((double)alpha, 0, 1));
}
