// Pictures of depth maps: the view of a camera inside a link, and where obstacles are too near.
#include "picture_draw.h"

#include <stdio.h>

static const tr_color paper = {252, 250, 246};
static const tr_color ink = {58, 64, 72};
static const tr_color faint_ink = {128, 128, 124};
static const tr_color near_color = {255, 248, 226};
static const tr_color far_color = {44, 58, 76};
static const tr_color nothing_color = {22, 28, 38};
static const tr_color wall_color = {24, 160, 150};
static const tr_color hit_color = {206, 34, 38};

// Sizes of the parts of the picture [pixels].
typedef struct depth_layout {
    uint32_t side_x, side_y; // of one map
    uint32_t text, margin, gap, top;
    uint32_t width, height; // of the whole
} depth_layout;

static bool is_map(const tr_depth_map *map) {
    return map->depth && map->columns >= 1 && map->columns <= TR_DEPTH_SIZE_MAX && map->rows >= 1 &&
           map->rows <= TR_DEPTH_SIZE_MAX;
}

static bool same_size(const tr_depth_map *a, const tr_depth_map *b) {
    return a->columns == b->columns && a->rows == b->rows;
}

static tr_status check_layers(const tr_depth_layer *layers, uint32_t count, uint32_t scale, tr_error *error) {
    if (!layers || count < 1 || count > TR_DEPTH_LAYERS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u depth maps to draw, it must be 1 to %d", count,
                       TR_DEPTH_LAYERS_MAX);
    if (scale < 1 || scale > TR_MAP_CELL_PIXELS_MAX)
        return tr_fail(error, TR_INVALID, "a depth map can be magnified 1 to %d times, not %u",
                       TR_MAP_CELL_PIXELS_MAX, scale);
    for (uint32_t i = 0; i < count; i++) {
        const tr_depth_layer *layer = &layers[i];
        if (!is_map(&layer->scene))
            return tr_fail(error, TR_INVALID, "depth map %u to draw has no pixels", i);
        if (!same_size(&layer->scene, &layers[0].scene) ||
            (layer->link.depth && !same_size(&layer->link, &layer->scene)))
            return tr_fail(error, TR_INVALID,
                           "depth map %u to draw does not have the size of the first, %u x %u", i,
                           layers[0].scene.columns, layers[0].scene.rows);
        if (!(layer->near >= 0 && layer->near < layer->far && isfinite(layer->far)))
            return tr_fail(error, TR_INVALID,
                           "depth map %u has near %g and far %g m, it must be 0 <= near < far", i,
                           (double)layer->near, (double)layer->far);
    }
    return TR_OK;
}

static tr_status plan_layout(const tr_depth_map *map, uint32_t count, uint32_t scale, const char *title,
                             depth_layout *layout, tr_error *error) {
    uint64_t side_x = (uint64_t)map->columns * scale, side_y = (uint64_t)map->rows * scale;
    uint64_t text = side_x * count / 50;
    text = text < 13 ? 13 : text > 20 ? 20 : text;
    uint64_t margin = 2 * text, gap = text;
    uint64_t inside = side_x * count + gap * (count - 1), least = 42 * text; // width of the legend
    uint64_t width = (inside > least ? inside : least) + 2 * margin;
    uint64_t top = title && title[0] ? margin + 3 * text : margin;
    uint64_t height = top + side_y + 7 * text + margin;
    if (width > TR_PICTURE_SIDE_MAX || height > TR_PICTURE_SIDE_MAX)
        return tr_fail(error, TR_LIMIT,
                       "%u depth maps of %u x %u pixels, %u times as large, make a picture of %llu x %llu "
                       "pixels, more than %u on a side",
                       count, map->columns, map->rows, scale, (unsigned long long)width,
                       (unsigned long long)height, TR_PICTURE_SIDE_MAX);
    depth_layout made = {(uint32_t)side_x, (uint32_t)side_y, (uint32_t)text,  (uint32_t)margin,
                         (uint32_t)gap,    (uint32_t)top,    (uint32_t)width, (uint32_t)height};
    *layout = made;
    return TR_OK;
}

static bool collides(const tr_depth_layer *layer, size_t pixel) {
    return layer->link.depth && layer->link.depth[pixel] > 0 &&
           layer->link.depth[pixel] >= layer->scene.depth[pixel];
}

static tr_color color_of(const tr_depth_layer *layer, size_t pixel) {
    double near = (double)layer->near, far = (double)layer->far, depth = (double)layer->scene.depth[pixel];
    if (!(depth < far) && !collides(layer, pixel))
        return nothing_color; // NaN too
    double away = (depth - near) / (far - near);
    away = away > 0 ? away < 1 ? away : 1 : 0;
    // Colliding pixels keep their shade, so that the shape stays visible.
    return collides(layer, pixel) ? picture_mix(hit_color, far_color, 0.5 * away)
                                  : picture_mix(near_color, far_color, away);
}

// A round number of metres between the contours of all the links' walls.
static double contour_step(const tr_depth_layer *layers, uint32_t count) {
    double range = INFINITY, step = 1;
    for (uint32_t i = 0; i < count; i++)
        range = fmin(range, ((double)layers[i].far - (double)layers[i].near) / 3);
    while (step > range)
        step /= 10;
    while (step * 10 <= range)
        step *= 10;
    return 5 * step <= range ? 5 * step : 2 * step <= range ? 2 * step : step;
}

// The contour band of the wall at a pixel; -1 if there is no link.
static int32_t contour_of(const tr_depth_layer *layer, double step, size_t pixel) {
    float depth = layer->link.depth[pixel];
    if (!(depth > 0))
        return -1;
    double steps = (double)depth / step;
    return steps < 1e6 ? (int32_t)steps : 1000000;
}

// Draws the border between two pixels of the map as a line of the picture.
static void draw_border(tr_picture *picture, float x, float y, float side, bool upright, int32_t one,
                        int32_t other) {
    if (one == other)
        return;
    bool outline = one < 0 || other < 0;
    float half = outline ? 1 : 0.5f, alpha = outline ? 1 : 0.55f;
    if (upright)
        tr_picture_rectangle(picture, x - half, y, x + half, y + side, wall_color, alpha);
    else
        tr_picture_rectangle(picture, x, y - half, x + side, y + half, wall_color, alpha);
}

static void draw_wall(tr_picture *picture, const tr_depth_layer *layer, double step, float left, float top,
                      float side) {
    const tr_depth_map *map = &layer->link;
    for (uint32_t row = 0; row < map->rows; row++)
        for (uint32_t column = 0; column < map->columns; column++) {
            size_t pixel = (size_t)row * map->columns + column;
            int32_t here = contour_of(layer, step, pixel);
            float x = left + (float)column * side, y = top + (float)row * side;
            if (column > 0)
                draw_border(picture, x, y, side, true, contour_of(layer, step, pixel - 1), here);
            if (row > 0)
                draw_border(picture, x, y, side, false, contour_of(layer, step, pixel - map->columns), here);
        }
}

// Draws one map. Returns the number of colliding pixels.
static uint64_t draw_pixels(tr_picture *picture, const tr_depth_layer *layer, uint32_t left, uint32_t top,
                            uint32_t scale) {
    const tr_depth_map *map = &layer->scene;
    uint64_t hits = 0;
    for (size_t i = 0; i < (size_t)map->columns * map->rows; i++) {
        float x = (float)(left + i % map->columns * scale), y = (float)(top + i / map->columns * scale);
        tr_picture_rectangle(picture, x, y, x + (float)scale, y + (float)scale, color_of(layer, i), 1);
        hits += collides(layer, i);
    }
    return hits;
}

static void draw_caption(tr_picture *picture, const tr_depth_layer *layer, float x, float y, float height,
                         uint64_t hits) {
    const char *name = layer->name ? layer->name : "", *colon = name[0] ? ": " : "";
    char text[120];
    if (!layer->link.depth)
        snprintf(text, sizeof text, "%.60s", name);
    else if (hits)
        snprintf(text, sizeof text, "%.60s%s%llu pixels collide", name, colon, (unsigned long long)hits);
    else
        snprintf(text, sizeof text, "%.60s%sfree", name, colon);
    tr_picture_text(picture, x, y, height, text, ink);
    snprintf(text, sizeof text, "%.3g m to %.3g m", (double)layer->near, (double)layer->far);
    tr_picture_text(picture, x, y + 1.4f * height, height, text, faint_ink);
}

static void draw_layer(tr_picture *picture, const depth_layout *layout, const tr_depth_layer *layer,
                       uint32_t number, uint32_t scale, double step) {
    uint32_t left = layout->margin + number * (layout->side_x + layout->gap), top = layout->top;
    float height = (float)layout->text;
    tr_picture_rectangle(picture, (float)left - 1, (float)top - 1, (float)(left + layout->side_x) + 1,
                         (float)(top + layout->side_y) + 1, faint_ink, 0.6f);
    uint64_t hits = draw_pixels(picture, layer, left, top, scale);
    if (layer->link.depth)
        draw_wall(picture, layer, step, (float)left, (float)top, (float)scale);
    draw_caption(picture, layer, (float)left, (float)(top + layout->side_y) + 0.6f * height, height, hits);
}

// Draws a patch of colour and a word; returns where the next one begins.
static float draw_key(tr_picture *picture, float x, float y, float height, float width, tr_color from,
                      tr_color to, const char *word) {
    x = floorf(x + 0.5f); // between two pixels the background would show at every seam
    for (float i = 0; i < width; i += 1)
        tr_picture_rectangle(picture, x + i, y, x + i + 1, y + height,
                             picture_mix(from, to, (double)(i / width)), 1);
    tr_picture_text(picture, x + width + 0.5f * height, y + 0.08f * height, height, word, ink);
    return x + width + 1.8f * height + tr_picture_text_width(height, word);
}

static void draw_legend(tr_picture *picture, const depth_layout *layout, const tr_depth_layer *layers,
                        uint32_t count, double step) {
    float height = (float)layout->text, x = (float)layout->margin,
          y = (float)(layout->top + layout->side_y) + 4.2f * height;
    bool links = false;
    for (uint32_t i = 0; i < count; i++)
        links = links || layers[i].link.depth;
    x = draw_key(picture, x, y, height, 4 * height, near_color, far_color, "near to far");
    x = draw_key(picture, x, y, height, height, nothing_color, nothing_color, "nothing");
    if (links) {
        x = draw_key(picture, x, y, height, height, hit_color, hit_color, "inside the link");
        draw_key(picture, x, y + 0.4f * height, 0.2f * height, 1.5f * height, wall_color, wall_color, "");
        tr_picture_text(picture, x + 2 * height, y + 0.08f * height, height, "the link's wall", ink);
    }
    char text[160];
    int length = snprintf(text, sizeof text, "%u x %u pixels", layers[0].scene.columns, layers[0].scene.rows);
    if (links && length > 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length, ", contours of the wall every %g m", step);
    tr_picture_text(picture, (float)layout->margin, y + 1.7f * height, height, text, faint_ink);
}

tr_status tr_picture_draw_depth(const tr_allocator *allocator, const tr_depth_layer *layers, uint32_t count,
                                uint32_t scale, const char *title, tr_picture *picture, tr_error *error) {
    depth_layout layout = {.width = 0};
    tr_status status = check_layers(layers, count, scale, error);
    if (status == TR_OK && !picture)
        status = tr_fail(error, TR_INVALID, "the picture to draw depth maps in is NULL");
    if (status == TR_OK)
        status = plan_layout(&layers[0].scene, count, scale, title, &layout, error);
    if (status == TR_OK)
        status = tr_picture_create(allocator, layout.width, layout.height, paper, picture, error);
    if (status != TR_OK)
        return status;
    if (title && title[0])
        tr_picture_text(picture, (float)layout.margin, (float)layout.margin, 1.5f * (float)layout.text, title,
                        ink);
    double step = contour_step(layers, count);
    for (uint32_t i = 0; i < count; i++)
        draw_layer(picture, &layout, &layers[i], i, scale, step);
    draw_legend(picture, &layout, layers, count, step);
    return TR_OK;
}
