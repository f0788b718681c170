// The blocks of one storey, from back to front: each a top and the two sides that face the viewer.
#include "picture_surface.h"

static const tr_color border_tint = {70, 62, 72};
static const tr_color other_color = {226, 224, 219};
static const tr_color steep_color = {170, 168, 164};
static const tr_color cut_color = {84, 94, 108};

// From sea green over sand to rose, all of them light enough to draw on.
static tr_color height_color(double t) {
    static const tr_color stops[] = {
        {112, 160, 168}, {152, 194, 176}, {214, 219, 172}, {240, 209, 152}, {230, 164, 136}};
    t = fmin(fmax(t, 0), 1) * 4;
    uint32_t index = t < 4 ? (uint32_t)t : 3;
    return picture_mix(stops[index], stops[index + 1], t - index);
}

tr_color surface_tone_color(const surface_sheet *sheet, surface_tone tone, double height) {
    double range = sheet->high - sheet->low;
    tr_color ramp = height_color(range > 0.2 ? (height - sheet->low) / range : 0.35);
    switch (tone) {
    case TONE_FREE:
        return ramp;
    case TONE_BORDER:
        return picture_mix(ramp, border_tint, 0.36);
    case TONE_OTHER:
        return other_color;
    case TONE_STEEP:
        return steep_color;
    case TONE_CUT:
        break;
    }
    return cut_color;
}

typedef struct corner {
    double x, y;
} corner;

// Fills the pixels whose centres are in a convex shape; a centre on an edge belongs to one of the two shapes
// that share it.
static void fill(tr_picture *picture, const corner *corners, int count, tr_color color) {
    double top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < count; i++) {
        top = fmin(top, corners[i].y);
        bottom = fmax(bottom, corners[i].y);
    }
    double first = fmax(ceil(top - 0.5), 0), end = fmin(ceil(bottom - 0.5), picture->height);
    for (double y = first; y < end; y += 1) {
        double left = INFINITY, right = -INFINITY, centre = y + 0.5;
        for (int i = 0; i < count; i++) {
            const corner *a = &corners[i], *b = &corners[(i + 1) % count];
            if ((a->y <= centre) == (b->y <= centre))
                continue;
            double x = a->x + (b->x - a->x) * ((centre - a->y) / (b->y - a->y));
            left = fmin(left, x);
            right = fmax(right, x);
        }
        double begin = fmax(ceil(left - 0.5), 0), stop = fmin(ceil(right - 0.5), picture->width);
        if (!(begin < stop))
            continue;
        uint8_t *pixel = picture->pixels + 3 * ((size_t)y * picture->width + (size_t)begin);
        for (double x = begin; x < stop; x += 1, pixel += 3)
            pixel[0] = color.red, pixel[1] = color.green, pixel[2] = color.blue;
    }
}

static tr_color lit(tr_color color, double light) {
    static const tr_color black = {28, 30, 44}, white = {255, 255, 250};
    return light < 1 ? picture_mix(color, black, 1 - light) : picture_mix(color, white, light - 1);
}

static double shown_at(const surface_sheet *sheet, int64_t column, int64_t row) {
    bool inside = column >= 0 && row >= 0 && column < sheet->columns && row < sheet->rows;
    return inside ? (double)sheet->shown[(size_t)row * sheet->columns + (size_t)column] : -INFINITY;
}

// Slopes towards the light are brighter, places next to something higher are darker.
static double light_of(const surface_sheet *sheet, uint32_t column, uint32_t row, double height) {
    double light = 1;
    for (int i = 0; i < 9; i++) {
        double beside = shown_at(sheet, (int64_t)column + i % 3 - 1, (int64_t)row + i / 3 - 1);
        light -= beside > height + 0.12 ? (i % 2 ? 0.055 : 0.03) : 0;
    }
    double left = shown_at(sheet, (int64_t)column - 1, row), back = shown_at(sheet, column, (int64_t)row - 1);
    double slope = 0;
    if (fabs(left - height) < 1.2 * sheet->side)
        slope += 0.8 * (height - left) / sheet->side;
    if (fabs(back - height) < 1.2 * sheet->side)
        slope += 0.4 * (height - back) / sheet->side;
    return light - 0.16 * slope;
}

static corner project(const tr_surface_view *view, const tr_surface_storey *storey, double x, double height,
                      double z) {
    double metre = (double)view->metre;
    corner at = {SURFACE_FINENESS * ((double)storey->left + (x - z) * SURFACE_ACROSS * metre),
                 SURFACE_FINENESS * ((double)storey->top +
                                     ((x + z) * SURFACE_DOWN - (height - (double)storey->floor)) * metre)};
    return at;
}

typedef struct block_place {
    const tr_surface_view *view;
    const tr_surface_storey *storey;
    double x0, z0, x1, z1; // from the view's origin [m]
} block_place;

// An upright side over the ground from (xa, za) to (xb, zb).
static void draw_side(tr_picture *fine, const block_place *place, const surface_block *block, double xa,
                      double za, double xb, double zb, tr_color color) {
    corner corners[4] = {project(place->view, place->storey, xa, block->top, za),
                         project(place->view, place->storey, xb, block->top, zb),
                         project(place->view, place->storey, xb, block->bottom, zb),
                         project(place->view, place->storey, xa, block->bottom, za)};
    fill(fine, corners, 4, color);
}

static void draw_top(tr_picture *fine, const block_place *place, double height, tr_color color) {
    corner corners[4] = {project(place->view, place->storey, place->x0, height, place->z0),
                         project(place->view, place->storey, place->x1, height, place->z0),
                         project(place->view, place->storey, place->x1, height, place->z1),
                         project(place->view, place->storey, place->x0, height, place->z1)};
    fill(fine, corners, 4, color);
}

// Sides are not drawn if the next block is at least as high and hides them.
static void draw_block(tr_picture *fine, const surface_sheet *sheet, const block_place *place,
                       uint32_t column, uint32_t row, const surface_block *block) {
    tr_color color = surface_tone_color(sheet, block->tone, block->top);
    bool wall = block->tone == TONE_CUT;
    draw_side(fine, place, block, place->x0, place->z1, place->x1, place->z1, lit(color, wall ? 1.22 : 0.86));
    draw_side(fine, place, block, place->x1, place->z0, place->x1, place->z1, lit(color, wall ? 1.08 : 0.72));
    draw_top(fine, place, block->top, wall ? color : lit(color, light_of(sheet, column, row, block->top)));
}

void surface_blocks_draw(tr_picture *fine, const surface_sheet *sheet, uint32_t band,
                         const tr_surface_view *view) {
    surface_block pieces[SURFACE_PIECES_MAX];
    block_place place = {.view = view, .storey = &view->storeys[band]};
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            uint32_t count = surface_sheet_pieces(sheet, band, column, row, pieces);
            place.x0 = column * sheet->side, place.x1 = (column + 1) * sheet->side;
            place.z0 = row * sheet->side, place.z1 = (row + 1) * sheet->side;
            for (uint32_t i = 0; i < count; i++)
                draw_block(fine, sheet, &place, column, row, &pieces[i]);
        }
}
