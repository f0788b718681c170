// Pictures of occupancy maps: pale colours, so that what is drawn on top stands out.
#include "picture_draw.h"

#include <stdio.h>

static const tr_color paper = {252, 250, 246};
static const tr_color ink = {58, 64, 72};
static const tr_color faint_ink = {128, 128, 124};
static const tr_color occupied_color = {56, 68, 82};
static const tr_color grown_color = {214, 194, 174};
static const tr_color near_color = {237, 228, 209};
static const tr_color far_color = {255, 254, 250};
static const tr_color plain_color = {248, 244, 234};

// Sizes of the parts of a map's picture [pixels].
typedef struct map_layout {
    uint32_t map_width, map_height; // of one map
    uint32_t maps;                  // side by side
    uint32_t text, margin, gap;
    uint32_t top;           // where the map begins
    uint32_t width, height; // of the whole
} map_layout;

static tr_status plan_layout(const tr_grid *grid, uint32_t pixels_per_cell, const char *title, uint32_t maps,
                             uint32_t note_lines, map_layout *layout, tr_error *error) {
    if (pixels_per_cell < 1 || pixels_per_cell > TR_MAP_CELL_PIXELS_MAX)
        return tr_fail(error, TR_INVALID, "a map can have 1 to %u pixels for each cell, not %u",
                       TR_MAP_CELL_PIXELS_MAX, pixels_per_cell);
    uint64_t map_width = (uint64_t)grid->columns * pixels_per_cell,
             map_height = (uint64_t)grid->rows * pixels_per_cell;
    uint64_t text = map_width * maps / 50;
    text = text < 13 ? 13 : text > 20 ? 20 : text;
    uint64_t margin = 2 * text, gap = maps > 1 ? text : 0;
    uint64_t least = 34 * text; // the least width for the legend
    uint64_t inside = map_width * maps + gap * (maps - 1);
    uint64_t width = (inside > least ? inside : least) + 2 * margin;
    uint64_t top = title && title[0] ? margin + 3 * text : margin;
    uint64_t height = top + map_height + 5 * text + margin + note_lines * 9 * text / 5;
    if (width > TR_PICTURE_SIDE_MAX || height > TR_PICTURE_SIDE_MAX)
        return tr_fail(error, TR_LIMIT,
                       "a map of %u x %u cells with %u pixels each makes a picture of %llu x %llu pixels, "
                       "more than %u on a side",
                       grid->columns, grid->rows, pixels_per_cell, (unsigned long long)width,
                       (unsigned long long)height, TR_PICTURE_SIDE_MAX);
    map_layout made = {(uint32_t)map_width, (uint32_t)map_height, maps,
                       (uint32_t)text,      (uint32_t)margin,     (uint32_t)gap,
                       (uint32_t)top,       (uint32_t)width,      (uint32_t)height};
    *layout = made;
    return TR_OK;
}

static void set_pixel(tr_picture *picture, uint32_t x, uint32_t y, tr_color color) {
    uint8_t *pixel = picture->pixels + 3 * ((size_t)y * picture->width + x);
    pixel[0] = color.red;
    pixel[1] = color.green;
    pixel[2] = color.blue;
}

// 1, 2 or 5 times a power of ten, the largest not above `value` [> 0].
static double round_length(double value) {
    double unit = 1;
    while (unit > value)
        unit /= 10;
    while (unit * 10 <= value)
        unit *= 10;
    return 5 * unit <= value ? 5 * unit : 2 * unit <= value ? 2 * unit : unit;
}

typedef struct clearance_map {
    const float *values; // NULL if not kept
    uint32_t columns, rows;
    double far;  // the greatest value on free ground, drawn brightest [m]
    double step; // between two contours [m]
} clearance_map;

static clearance_map look_at_clearance(const tr_map_layers *layers) {
    const tr_grid *grid = &layers->grid;
    clearance_map map = {layers->clearance, grid->columns, grid->rows, 0, 1};
    for (size_t i = 0; map.values && i < (size_t)grid->columns * grid->rows; i++)
        if (isfinite(map.values[i]) && (double)map.values[i] > map.far)
            map.far = (double)map.values[i];
    if (!(map.far > 0))
        map.values = NULL; // nothing or everything is occupied: no shades
    else
        map.step = round_length(map.far / 4);
    return map;
}

// Interpolates between the centres of the cells, so that contours are smooth lines; (u, v) in cells.
static double clearance_at(const clearance_map *map, double u, double v) {
    double across = fmin(fmax(u - 0.5, 0), map->columns - 1.0),
           down = fmin(fmax(v - 0.5, 0), map->rows - 1.0);
    uint32_t column = (uint32_t)across, row = (uint32_t)down;
    uint32_t next_column = column + 1 < map->columns ? column + 1 : column,
             next_row = row + 1 < map->rows ? row + 1 : row;
    const float *upper = map->values + (size_t)row * map->columns,
                *lower = map->values + (size_t)next_row * map->columns;
    double fx = across - column, fy = down - row;
    double above = (double)upper[column] + ((double)upper[next_column] - (double)upper[column]) * fx;
    double below = (double)lower[column] + ((double)lower[next_column] - (double)lower[column]) * fx;
    return above + (below - above) * fy;
}

static tr_color free_color(const clearance_map *map, double u, double v) {
    if (!map->values)
        return plain_color;
    double clearance = clearance_at(map, u, v);
    clearance = clearance < map->far ? clearance : map->far;
    // Even bands with a slight gradient in each show both the contour and the direction.
    double band = floor(clearance / map->step) * map->step;
    return picture_mix(near_color, far_color, (0.75 * band + 0.25 * clearance) / map->far);
}

static void draw_cells(tr_picture *picture, const tr_map_layers *layers, const tr_map_view *view) {
    const tr_bitmap *occupied = layers->occupied, *blocked = layers->blocked ? layers->blocked : occupied;
    clearance_map clearance = look_at_clearance(layers);
    uint32_t side = view->pixels_per_cell, left = (uint32_t)view->left, top = (uint32_t)view->top;
    for (uint32_t y = 0; y < view->grid.rows * side; y++)
        for (uint32_t x = 0; x < view->grid.columns * side; x++) {
            uint32_t column = x / side, row = y / side;
            tr_color color = tr_bitmap_get(occupied, column, row) ? occupied_color
                             : tr_bitmap_get(blocked, column, row)
                                 ? grown_color
                                 : free_color(&clearance, (x + 0.5) / side, (y + 0.5) / side);
            set_pixel(picture, left + x, top + y, color);
        }
}

static void draw_grid_lines(tr_picture *picture, const tr_map_view *view) {
    uint32_t side = view->pixels_per_cell;
    float right = view->left + (float)(view->grid.columns * side),
          bottom = view->top + (float)(view->grid.rows * side);
    for (uint32_t i = 1; side >= 8 && i < view->grid.columns; i++)
        tr_picture_rectangle(picture, view->left + (float)(i * side), view->top,
                             view->left + (float)(i * side) + 1, bottom, ink, 0.06f);
    for (uint32_t i = 1; side >= 8 && i < view->grid.rows; i++)
        tr_picture_rectangle(picture, view->left, view->top + (float)(i * side), right,
                             view->top + (float)(i * side) + 1, ink, 0.06f);
}

static void draw_border(tr_picture *picture, const tr_map_view *view) {
    float width = (float)(view->grid.columns * view->pixels_per_cell),
          height = (float)(view->grid.rows * view->pixels_per_cell);
    float left = view->left, top = view->top, right = left + width, bottom = top + height;
    tr_picture_rectangle(picture, left - 1, top - 1, right + 1, top, faint_ink, 0.6f);
    tr_picture_rectangle(picture, left - 1, bottom, right + 1, bottom + 1, faint_ink, 0.6f);
    tr_picture_rectangle(picture, left - 1, top, left, bottom, faint_ink, 0.6f);
    tr_picture_rectangle(picture, right, top, right + 1, bottom, faint_ink, 0.6f);
}

static void draw_title(tr_picture *picture, const map_layout *layout, const char *title) {
    if (title && title[0])
        tr_picture_text(picture, (float)layout->margin, (float)layout->margin, 1.5f * (float)layout->text,
                        title, ink);
}

// A bar with its length in metres under the map, at the right.
static void draw_scale(tr_picture *picture, const map_layout *layout, const tr_map_view *view) {
    double metre = view->pixels_per_cell / (double)view->grid.cell; // [pixels]
    double length = round_length(layout->map_width / metre / 3);
    char text[40];
    snprintf(text, sizeof text, "%g m", length);
    float height = (float)layout->text, right = view->left + (float)layout->map_width;
    float left = right - (float)(length * metre), y = view->top + (float)layout->map_height + 1.4f * height;
    tr_picture_rectangle(picture, left, y, right, y + 2, ink, 1);
    tr_picture_rectangle(picture, left, y - 4, left + 2, y + 2, ink, 1);
    tr_picture_rectangle(picture, right - 2, y - 4, right, y + 2, ink, 1);
    tr_picture_text(picture, right - tr_picture_text_width(height, text), y + 0.5f * height, height, text,
                    ink);
}

// Draws a patch with a gradient between two colours, and a word; returns where the next one begins.
static float draw_key(tr_picture *picture, float x, float y, float height, tr_color from, tr_color to,
                      const char *word) {
    float width = from.red == to.red ? height : 2 * height;
    tr_picture_rectangle(picture, x - 1, y - 1, x + width + 1, y + height + 1, faint_ink, 0.5f);
    for (float i = 0; i < width; i += 1)
        tr_picture_rectangle(picture, x + i, y, x + i + 1, y + height,
                             picture_mix(from, to, (double)(i / width)), 1);
    tr_picture_text(picture, x + width + 0.5f * height, y + 0.08f * height, height, word, ink);
    return x + width + 1.8f * height + tr_picture_text_width(height, word);
}

static void draw_legend(tr_picture *picture, const map_layout *layout, const tr_map_view *view,
                        const tr_map_layers *layers) {
    float height = (float)layout->text, x = (float)layout->margin,
          y = (float)(layout->top + layout->map_height) + height;
    clearance_map clearance = look_at_clearance(layers);
    x = draw_key(picture, x, y, height, occupied_color, occupied_color, "occupied");
    if (layers->blocked)
        x = draw_key(picture, x, y, height, grown_color, grown_color, "too near");
    draw_key(picture, x, y, height, clearance.values ? near_color : plain_color,
             clearance.values ? far_color : plain_color, "free");
    uint64_t cells = (uint64_t)view->grid.columns * view->grid.rows;
    uint64_t blocked = tr_bitmap_count(layers->blocked ? layers->blocked : layers->occupied);
    char text[160];
    int length =
        snprintf(text, sizeof text, "%u x %u cells of %.3g m, %.0f%% free", view->grid.columns,
                 view->grid.rows, (double)view->grid.cell, 100.0 * (double)(cells - blocked) / (double)cells);
    if (clearance.values && length > 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length, ", contours every %g m", clearance.step);
    tr_picture_text(picture, (float)layout->margin, y + 2.1f * height, height, text, faint_ink);
}

tr_vec2 tr_map_view_pixel(const tr_map_view *view, tr_vec2 point) {
    double scale = view->pixels_per_cell / (double)view->grid.cell;
    tr_vec2 pixel = {(float)((double)view->left + ((double)point.x - (double)view->grid.origin.x) * scale),
                     (float)((double)view->top + ((double)point.z - (double)view->grid.origin.z) * scale)};
    return pixel;
}

tr_map_layers tr_map_layers_of(const tr_occupancy *occupancy) {
    tr_map_layers layers = {*tr_occupancy_grid(occupancy), tr_occupancy_occupied(occupancy),
                            tr_occupancy_blocked(occupancy), tr_occupancy_clearance(occupancy), 0};
    return layers;
}

static bool has_size(const tr_bitmap *bitmap, const tr_grid *grid) {
    return bitmap->columns == grid->columns && bitmap->rows == grid->rows;
}

static tr_status check_layers(const tr_map_layers *layers, tr_error *error) {
    if (!layers || !layers->occupied)
        return tr_fail(error, TR_INVALID, "there are no cells to draw");
    tr_status status = tr_grid_check(&layers->grid, (uint64_t)TR_GRID_SIDE_MAX * TR_GRID_SIDE_MAX, error);
    if (status != TR_OK)
        return status;
    if (!has_size(layers->occupied, &layers->grid) ||
        (layers->blocked && !has_size(layers->blocked, &layers->grid)))
        return tr_fail(error, TR_INVALID, "the cells to draw are %u x %u, the grid has %u x %u",
                       layers->occupied->columns, layers->occupied->rows, layers->grid.columns,
                       layers->grid.rows);
    if (layers->note_lines > 100)
        return tr_fail(error, TR_INVALID, "a map can reserve at most 100 lines for notes, not %u",
                       layers->note_lines);
    return TR_OK;
}

tr_status tr_picture_draw_map(const tr_allocator *allocator, const tr_map_layers *layers,
                              uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                              tr_map_view *view, tr_error *error) {
    map_layout layout;
    tr_status status = check_layers(layers, error);
    if (status == TR_OK && !picture)
        status = tr_fail(error, TR_INVALID, "the picture to draw the map in is NULL");
    if (status == TR_OK)
        status = plan_layout(&layers->grid, pixels_per_cell, title, 1, layers->note_lines, &layout, error);
    if (status == TR_OK)
        status = tr_picture_create(allocator, layout.width, layout.height, paper, picture, error);
    if (status != TR_OK)
        return status;
    float text = (float)layout.text;
    tr_map_view map = {pixels_per_cell,
                       (float)layout.margin,
                       (float)layout.top,
                       layers->grid,
                       text,
                       (float)(layout.top + layout.map_height) + 5 * text};
    draw_title(picture, &layout, title);
    draw_cells(picture, layers, &map);
    draw_grid_lines(picture, &map);
    draw_border(picture, &map);
    draw_legend(picture, &layout, &map, layers);
    draw_scale(picture, &layout, &map);
    if (view)
        *view = map;
    return TR_OK;
}

tr_status tr_picture_draw_occupancy(const tr_allocator *allocator, const tr_occupancy *occupancy,
                                    uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                    tr_map_view *view, tr_error *error) {
    if (!occupancy)
        return tr_fail(error, TR_INVALID, "the occupancy map to draw is NULL");
    tr_map_layers layers = tr_map_layers_of(occupancy);
    return tr_picture_draw_map(allocator, &layers, pixels_per_cell, title, picture, view, error);
}

// The range of the heights in a plane, for its colour ramp.
typedef struct height_range {
    double low, high; // low > high: there are none
} height_range;

static height_range look_at_heights(const float *heights, size_t count) {
    height_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++)
        if (isfinite(heights[i])) {
            range.low = fmin(range.low, (double)heights[i]);
            range.high = fmax(range.high, (double)heights[i]);
        }
    return range;
}

// From deep sea green over sand to brick: dark to light to warm, distinguishable in grey up to the middle.
static tr_color ramp(double t) {
    static const tr_color stops[] = {
        {38, 70, 83}, {42, 130, 125}, {138, 177, 125}, {233, 196, 106}, {231, 111, 81}};
    t = fmin(fmax(t, 0), 1) * 4;
    uint32_t index = t < 4 ? (uint32_t)t : 3;
    return picture_mix(stops[index], stops[index + 1], t - index);
}

static double place_in(height_range range, double height) {
    return range.high > range.low ? (height - range.low) / (range.high - range.low) : 0.5;
}

static void draw_height_cells(tr_picture *picture, const tr_map_view *view, const float *heights,
                              height_range range) {
    uint32_t side = view->pixels_per_cell;
    for (uint32_t row = 0; row < view->grid.rows; row++)
        for (uint32_t column = 0; column < view->grid.columns; column++) {
            float height = heights[(size_t)row * view->grid.columns + column];
            tr_color color = isfinite(height) ? ramp(place_in(range, (double)height)) : plain_color;
            float x = view->left + (float)(column * side), y = view->top + (float)(row * side);
            tr_picture_rectangle(picture, x, y, x + (float)side, y + (float)side, color, 1);
        }
}

static void draw_ramp(tr_picture *picture, const map_layout *layout, const tr_map_view *view,
                      height_range range, const char *name) {
    float height = (float)layout->text, x = view->left, y = view->top + (float)layout->map_height + height;
    char text[80];
    if (range.low > range.high) {
        snprintf(text, sizeof text, "%s: nothing", name);
        tr_picture_text(picture, x, y, height, text, ink);
        return;
    }
    float length = 8 * height;
    for (float i = 0; i < length; i += 1)
        tr_picture_rectangle(picture, x + i, y, x + i + 1, y + height, ramp((double)(i / (length - 1))), 1);
    snprintf(text, sizeof text, "%s, %.2f m to %.2f m", name, range.low, range.high);
    tr_picture_text(picture, x, y + 1.7f * height, height, text, ink);
}

tr_status tr_picture_draw_heights(const tr_allocator *allocator, const tr_occupancy *occupancy,
                                  uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                  tr_error *error) {
    if (!occupancy || !picture)
        return tr_fail(error, TR_INVALID, "the occupancy map to draw or the picture is NULL");
    const float *planes[2] = {tr_occupancy_floor(occupancy), tr_occupancy_overhang(occupancy)};
    if (!planes[0] || !planes[1])
        return tr_fail(error, TR_INVALID, "the occupancy map keeps no heights to draw");
    static const char *const names[2] = {"floor", "overhang"};
    tr_grid grid = *tr_occupancy_grid(occupancy);
    map_layout layout;
    tr_status status = plan_layout(&grid, pixels_per_cell, title, 2, 0, &layout, error);
    if (status == TR_OK)
        status = tr_picture_create(allocator, layout.width, layout.height, paper, picture, error);
    if (status != TR_OK)
        return status;
    draw_title(picture, &layout, title);
    for (uint32_t i = 0; i < 2; i++) {
        tr_map_view view = {pixels_per_cell,    (float)(layout.margin + i * (layout.map_width + layout.gap)),
                            (float)layout.top,  grid,
                            (float)layout.text, 0};
        height_range range = look_at_heights(planes[i], (size_t)grid.columns * grid.rows);
        draw_height_cells(picture, &view, planes[i], range);
        draw_grid_lines(picture, &view);
        draw_border(picture, &view);
        draw_ramp(picture, &layout, &view, range, names[i]);
    }
    return TR_OK;
}
