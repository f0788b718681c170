// The visible part of a surface: the window of the grid, the storeys, and the heights at which walls are cut.
#include "picture_surface.h"

#define BLOCKS_MAX 720    // on a side
#define MARGIN_CELLS 6    // shown around the reached cells
#define BINS 2048         // of heights, to find the storeys
#define STOREY_LEAST 1.8  // between two floors [m]
#define STOREY_SHARE 0.05 // of the reached cells that a floor must have
#define STOREY_BELOW 0.35 // a storey begins this far below its floor [m]

static uint32_t sample(uint32_t begin, uint32_t end, uint32_t stride, uint32_t block) {
    uint32_t at = begin + block * stride + stride / 2;
    return at < end ? at : end - 1;
}

static tr_surface_column column_of(const surface_sheet *sheet, uint32_t column, uint32_t row) {
    const tr_cells *window = &sheet->window;
    return tr_surface_at(sheet->surface,
                         sample(window->column_begin, window->column_end, sheet->stride, column),
                         sample(window->row_begin, window->row_end, sheet->stride, row));
}

static double height_of(const surface_sheet *sheet, const tr_surface_column *column, uint32_t index) {
    return sheet->scale.bottom + column->heights[index] * sheet->scale.unit;
}

static tr_surface_route_state state_of(const surface_sheet *sheet, uint32_t cell) {
    if (sheet->states)
        return (tr_surface_route_state)sheet->states[cell];
    return sheet->route ? tr_surface_route_state_of(sheet->route, cell) : TR_SURFACE_ROUTE_FREE;
}

static bool is_reached(const surface_sheet *sheet, const tr_surface_column *column, uint32_t index) {
    if (!tr_surface_is_for_standing(column->rooms[index]))
        return false;
    return state_of(sheet, column->first + index) != TR_SURFACE_ROUTE_UNSEEN;
}

// Shows the reached cells and a margin; everything if no cell is reached.
static void choose_window(surface_sheet *sheet) {
    const tr_grid *grid = &tr_surface_grid(sheet->surface)->grid;
    tr_cells reached = {grid->columns, grid->rows, 0, 0};
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_surface_column cells = tr_surface_at(sheet->surface, column, row);
            for (uint32_t i = 0; i < cells.count; i++) {
                if (!is_reached(sheet, &cells, i))
                    continue;
                reached.column_begin = column < reached.column_begin ? column : reached.column_begin;
                reached.column_end = column >= reached.column_end ? column + 1 : reached.column_end;
                reached.row_begin = row < reached.row_begin ? row : reached.row_begin;
                reached.row_end = row + 1;
            }
        }
    if (reached.column_begin >= reached.column_end) {
        sheet->window = tr_grid_all(grid);
        return;
    }
    reached.column_begin -= reached.column_begin < MARGIN_CELLS ? reached.column_begin : MARGIN_CELLS;
    reached.row_begin -= reached.row_begin < MARGIN_CELLS ? reached.row_begin : MARGIN_CELLS;
    uint32_t right = grid->columns - reached.column_end, below = grid->rows - reached.row_end;
    reached.column_end += right < MARGIN_CELLS ? right : MARGIN_CELLS;
    reached.row_end += below < MARGIN_CELLS ? below : MARGIN_CELLS;
    sheet->window = reached;
}

static void divide_window(surface_sheet *sheet) {
    const tr_cells *window = &sheet->window;
    uint32_t width = window->column_end - window->column_begin, depth = window->row_end - window->row_begin;
    uint32_t longer = width > depth ? width : depth;
    sheet->stride = (longer + BLOCKS_MAX - 1) / BLOCKS_MAX;
    sheet->columns = (width + sheet->stride - 1) / sheet->stride;
    sheet->rows = (depth + sheet->stride - 1) / sheet->stride;
    sheet->side = (double)tr_surface_grid(sheet->surface)->grid.cell * sheet->stride;
}

// The number of reached cells at each height, and whether some are above others.
typedef struct height_census {
    uint32_t bins[BINS];
    double sums[BINS]; // of the heights in each
    double low, step;
    uint64_t count;
    bool has_storeys;
} height_census;

static void take_range(surface_sheet *sheet) {
    sheet->low = INFINITY, sheet->high = -INFINITY;
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            tr_surface_column cells = column_of(sheet, column, row);
            for (uint32_t i = 0; i < cells.count; i++) {
                double height = height_of(sheet, &cells, i);
                if (!is_reached(sheet, &cells, i))
                    continue;
                sheet->low = fmin(sheet->low, height);
                sheet->high = fmax(sheet->high, height);
            }
        }
    if (sheet->low > sheet->high)
        sheet->low = sheet->high = sheet->scale.bottom;
}

static void take_census(const surface_sheet *sheet, height_census *census) {
    census->low = sheet->low;
    census->step = fmax(0.1, (sheet->high - sheet->low) / (BINS - 1));
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            tr_surface_column cells = column_of(sheet, column, row);
            uint32_t reached = 0;
            for (uint32_t i = 0; i < cells.count; i++) {
                if (!is_reached(sheet, &cells, i))
                    continue;
                reached++;
                census->count++;
                double height = height_of(sheet, &cells, i);
                uint32_t bin = (uint32_t)((height - census->low) / census->step);
                census->bins[bin]++;
                census->sums[bin] += height;
            }
            census->has_storeys = census->has_storeys || reached > 1;
        }
}

static uint32_t cells_around(const height_census *census, int bin) {
    return census->bins[bin] + (bin > 0 ? census->bins[bin - 1] : 0) +
           (bin + 1 < BINS ? census->bins[bin + 1] : 0);
}

static double mean_around(const height_census *census, int bin) {
    double sum = census->sums[bin] + (bin > 0 ? census->sums[bin - 1] : 0) +
                 (bin + 1 < BINS ? census->sums[bin + 1] : 0);
    return sum / cells_around(census, bin);
}

// The height with most cells that is far enough from the known floors; -1: none has enough.
static int next_floor(const height_census *census, const double *floors, uint32_t count) {
    int best = -1;
    uint32_t most = 0;
    for (int i = 0; i < BINS; i++) {
        double height = census->low + (i + 0.5) * census->step;
        bool apart = true;
        for (uint32_t k = 0; k < count; k++)
            apart = apart && fabs(height - floors[k]) >= STOREY_LEAST;
        uint32_t here = cells_around(census, i);
        if (apart && here > most && (double)here >= STOREY_SHARE * (double)census->count) {
            most = here;
            best = i;
        }
    }
    return best;
}

static void find_storeys(surface_sheet *sheet, const height_census *census) {
    double floors[TR_SURFACE_VIEW_STOREYS_MAX];
    uint32_t count = 0;
    while (census->has_storeys && count < TR_SURFACE_VIEW_STOREYS_MAX) {
        int bin = next_floor(census, floors, count);
        if (bin < 0)
            break;
        double height = mean_around(census, bin);
        uint32_t at = count++;
        for (; at > 0 && floors[at - 1] > height; at--)
            floors[at] = floors[at - 1];
        floors[at] = height;
    }
    if (count == 0)
        floors[count++] = sheet->low;
    sheet->band_count = count;
    for (uint32_t i = 0; i < count; i++) {
        surface_band *band = &sheet->bands[i];
        band->floor = floors[i];
        band->from = i == 0 ? -INFINITY : floors[i] - STOREY_BELOW;
        band->to = i + 1 < count ? floors[i + 1] - STOREY_BELOW : INFINITY;
        band->low = INFINITY, band->high = -INFINITY;
    }
}

static void measure_storeys(surface_sheet *sheet) {
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            tr_surface_column cells = column_of(sheet, column, row);
            for (uint32_t i = 0; i < cells.count; i++) {
                double height = height_of(sheet, &cells, i);
                for (uint32_t k = 0; k < sheet->band_count && is_reached(sheet, &cells, i); k++) {
                    surface_band *band = &sheet->bands[k];
                    if (height < band->from || height >= band->to)
                        continue;
                    band->low = fmin(band->low, height);
                    band->high = fmax(band->high, height);
                }
            }
        }
    for (uint32_t k = 0; k < sheet->band_count; k++)
        if (sheet->bands[k].low > sheet->bands[k].high)
            sheet->bands[k].low = sheet->bands[k].high = sheet->bands[k].floor;
}

// The vertical extent of a storey in the picture: objects at the back are drawn higher.
static void measure_shown(surface_sheet *sheet, uint32_t number) {
    surface_block pieces[SURFACE_PIECES_MAX];
    surface_band *band = &sheet->bands[number];
    surface_sheet_enter(sheet, number);
    band->above = band->below = -INFINITY;
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            uint32_t count = surface_sheet_pieces(sheet, number, column, row, pieces);
            double back = (column + row) * sheet->side * SURFACE_DOWN,
                   front = back + 2 * sheet->side * SURFACE_DOWN;
            for (uint32_t i = 0; i < count; i++) {
                band->above = fmax(band->above, pieces[i].top - band->floor - back);
                band->below = fmax(band->below, band->floor - pieces[i].bottom + front);
            }
        }
    if (!(band->above + band->below > 0))
        band->above = band->below = SURFACE_CUT;
}

tr_status surface_sheet_create(const tr_allocator *memory, const tr_surface_layers *layers,
                               surface_sheet *sheet, tr_error *error) {
    surface_sheet made = {.surface = layers->surface,
                          .route = layers->route,
                          .states = layers->states,
                          .scale = tr_surface_scale_of(layers->surface)};
    *sheet = made;
    choose_window(sheet);
    divide_window(sheet);
    size_t blocks = (size_t)sheet->columns * sheet->rows;
    sheet->cut = tr_allocate(memory, blocks, sizeof *sheet->cut);
    sheet->shown = tr_allocate(memory, blocks, sizeof *sheet->shown);
    sheet->queue = tr_allocate(memory, blocks, sizeof *sheet->queue);
    height_census *census = tr_allocate_zero(memory, 1, sizeof *census);
    bool fits = sheet->cut && sheet->shown && sheet->queue && census;
    if (fits) {
        take_range(sheet);
        take_census(sheet, census);
        find_storeys(sheet, census);
        measure_storeys(sheet);
        for (uint32_t i = 0; i < sheet->band_count; i++)
            measure_shown(sheet, i);
    }
    tr_release(memory, census, 1, sizeof *census);
    return fits ? TR_OK
                : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a picture of %u x %u blocks",
                          sheet->columns, sheet->rows);
}

void surface_sheet_destroy(const tr_allocator *memory, surface_sheet *sheet) {
    size_t blocks = (size_t)sheet->columns * sheet->rows;
    tr_release(memory, sheet->cut, blocks, sizeof *sheet->cut);
    tr_release(memory, sheet->shown, blocks, sizeof *sheet->shown);
    tr_release(memory, sheet->queue, blocks, sizeof *sheet->queue);
}

// The highest reached height of a block in the storey; -INFINITY: none.
static float reached_height(const surface_sheet *sheet, const surface_band *band, uint32_t column,
                            uint32_t row) {
    tr_surface_column cells = column_of(sheet, column, row);
    double highest = -INFINITY;
    for (uint32_t i = 0; i < cells.count; i++) {
        double height = height_of(sheet, &cells, i);
        if (height >= band->from && height < band->to && is_reached(sheet, &cells, i))
            highest = fmax(highest, height);
    }
    return (float)highest;
}

// Every block takes the cut of the nearest ground: a flood from all reached cells. In upper storeys blocks
// further away than SURFACE_AROUND have none and are not shown.
static void spread_cuts(surface_sheet *sheet, const surface_band *band) {
    uint32_t head = 0, tail = 0;
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            uint32_t block = row * sheet->columns + column;
            sheet->cut[block] = reached_height(sheet, band, column, row);
            if (sheet->cut[block] > -INFINITY) {
                sheet->cut[block] += (float)SURFACE_CUT;
                sheet->queue[tail++] = block;
            }
        }
    uint32_t end = tail, waves = 0, most = (uint32_t)(SURFACE_AROUND / sheet->side) + 1;
    while (head < tail) {
        uint32_t block = sheet->queue[head++], column = block % sheet->columns, row = block / sheet->columns;
        uint32_t next[4] = {column > 0 ? block - 1 : block, column + 1 < sheet->columns ? block + 1 : block,
                            row > 0 ? block - sheet->columns : block,
                            row + 1 < sheet->rows ? block + sheet->columns : block};
        if (head > end && band != sheet->bands) { // one wave is complete
            end = tail;
            if (++waves > most)
                break;
        }
        for (int i = 0; i < 4; i++)
            if (!(sheet->cut[next[i]] > -INFINITY)) {
                sheet->cut[next[i]] = sheet->cut[block];
                sheet->queue[tail++] = next[i];
            }
    }
}

void surface_sheet_enter(surface_sheet *sheet, uint32_t band) {
    surface_block pieces[SURFACE_PIECES_MAX];
    spread_cuts(sheet, &sheet->bands[band]);
    for (uint32_t row = 0; row < sheet->rows; row++)
        for (uint32_t column = 0; column < sheet->columns; column++) {
            uint32_t count = surface_sheet_pieces(sheet, band, column, row, pieces);
            sheet->shown[row * sheet->columns + column] =
                count > 0 ? (float)pieces[count - 1].top : -INFINITY;
        }
}

// The underside of the object whose top is cell `index`: above the headroom of the cell below.
static double underside(const surface_sheet *sheet, const tr_surface_column *column, uint32_t index) {
    if (index == 0)
        return -INFINITY;
    uint32_t room = column->rooms[index - 1] & TR_SURFACE_ROOM_MAX;
    double bottom = height_of(sheet, column, index - 1) + room * sheet->scale.room;
    double top = height_of(sheet, column, index);
    return room == TR_SURFACE_ROOM_MAX ? fmax(bottom, top - SURFACE_SLAB) : fmin(bottom, top);
}

static surface_tone tone_of(const surface_sheet *sheet, const tr_surface_column *column, uint32_t index) {
    if (!tr_surface_is_for_standing(column->rooms[index]))
        return TONE_STEEP;
    if (!is_reached(sheet, column, index))
        return TONE_OTHER;
    return state_of(sheet, column->first + index) == TR_SURFACE_ROUTE_BORDER ? TONE_BORDER : TONE_FREE;
}

uint32_t surface_sheet_pieces(const surface_sheet *sheet, uint32_t band_number, uint32_t column, uint32_t row,
                              surface_block *pieces) {
    const surface_band *band = &sheet->bands[band_number];
    tr_surface_column cells = column_of(sheet, column, row);
    double cut = (double)sheet->cut[row * sheet->columns + column], base = band->low - SURFACE_SLAB;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cells.count && count < SURFACE_PIECES_MAX; i++) {
        double top = height_of(sheet, &cells, i), bottom = fmax(underside(sheet, &cells, i), base);
        surface_tone tone = tone_of(sheet, &cells, i);
        bool walked = tone <= TONE_BORDER && top >= band->from && top < band->to;
        if (tr_surface_kind_of(cells.rooms[i]) == TR_SURFACE_VOID || top < base || (!walked && bottom >= cut))
            continue;
        if (tone <= TONE_BORDER && !walked)
            tone = TONE_OTHER; // of another storey
        if (!walked && top > cut) {
            top = cut;
            tone = TONE_CUT;
        }
        surface_block piece = {bottom < top ? bottom : top, top, tone};
        pieces[count++] = piece;
    }
    return count;
}
