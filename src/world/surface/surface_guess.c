// Guesses from shape which flat cells are not meant for standing on.
//
// A patch is a set of standing cells, connected from neighbour to neighbour by small rises. A small patch
// that rises above the ground beside it, by more than a small rise and no more than the height of a man's
// chest, is a table, a chair or a crate, unless a step leads on from it to something higher. This depends
// only on the patch and on the cells beside it, so that after a change only patches that touch the change are
// judged again.
#include "surface_data.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define RAISED_MOST 1.5 // a patch higher above the ground beside it is no furniture [m]

struct guess_entry {
    uint32_t position;
    uint16_t column, row;
};

// Differences of height, in units.
typedef struct guess_rule {
    int32_t rise;       // a patch continues over rises up to this
    int32_t step;       // rises up to this lead on to something higher
    int32_t raised;     // a patch counts as raised over ground at most this far below
    double twice_cells; // twice the number of cells from which a patch is large
} guess_rule;

// On a walkable slope, cells rise by the slope: a patch must continue over that too.
static guess_rule rule_of(const tr_surface *surface) {
    const tr_surface_def *def = &surface->def;
    double sine, cosine, cell = def->grid.grid.cell;
    tr_sin_cos(def->slope, &sine, &cosine);
    double slope_rise = cosine > 1e-6 ? cell * sine / cosine : 65536.0;
    double rise = def->guess_rise > slope_rise ? def->guess_rise : slope_rise;
    guess_rule rule = {.rise = tr_surface_units(surface, rise) + 1, // each height was rounded up
                       .step = tr_surface_units(surface, def->guess_step) + 1,
                       .raised = tr_surface_units(surface, RAISED_MOST),
                       .twice_cells = 2 * def->guess_area / (cell * cell)};
    return rule;
}

tr_status tr_surface_guess_create(const tr_surface *surface, uint32_t cells, surface_guess *guess,
                                  tr_error *error) {
    memset(guess, 0, sizeof *guess);
    if (!surface->def.guess)
        return TR_OK;
    double longest = 2 * rule_of(surface).twice_cells + 8;
    guess->capacity = cells;
    guess->queue_capacity = longest < cells ? (uint32_t)longest : cells;
    guess->seen = tr_allocate_zero(&surface->allocator, surface_words(cells), sizeof *guess->seen);
    guess->large = tr_allocate_zero(&surface->allocator, surface_words(cells), sizeof *guess->large);
    guess->queue = tr_allocate(&surface->allocator, guess->queue_capacity, sizeof *guess->queue);
    if (guess->seen && guess->large && guess->queue)
        return TR_OK;
    tr_surface_guess_destroy(&surface->allocator, guess);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the guess on %u cells", cells);
}

void tr_surface_guess_destroy(const tr_allocator *allocator, surface_guess *guess) {
    tr_release(allocator, guess->seen, surface_words(guess->capacity), sizeof *guess->seen);
    tr_release(allocator, guess->large, surface_words(guess->capacity), sizeof *guess->large);
    tr_release(allocator, guess->queue, guess->queue_capacity, sizeof *guess->queue);
    memset(guess, 0, sizeof *guess);
}

static inline bool get_bit(const uint64_t *bits, uint32_t i) {
    return bits[i / 64] >> (i & 63) & 1;
}

static inline void set_bit(uint64_t *bits, uint32_t i) {
    bits[i / 64] |= (uint64_t)1 << (i & 63);
}

// Regardless of the guess.
static inline bool stands(const surface_cells *cells, uint32_t position) {
    return tr_surface_is_for_standing(cells->rooms[position]) || get_bit(cells->guessed, position);
}

// The column on side 0 to 3. false: outside the grid.
static inline bool beside(const tr_grid *grid, const struct guess_entry *from, uint32_t side,
                          uint32_t *column, uint32_t *row) {
    static const int8_t along[4] = {1, 0, -1, 0}, across[4] = {0, 1, 0, -1};
    *column = (uint32_t)(from->column + along[side]); // a column below 0 wraps to more than any grid has
    *row = (uint32_t)(from->row + across[side]);
    return *column < grid->columns && *row < grid->rows;
}

static struct guess_entry entry_at(uint32_t column, uint32_t row, uint32_t position) {
    struct guess_entry entry = {position, (uint16_t)column, (uint16_t)row};
    return entry;
}

static void note(const tr_surface *surface, surface_touched *changed, const struct guess_entry *entry) {
    tr_cells column = {entry->column, entry->row, entry->column + 1u, entry->row + 1u};
    if (!changed)
        return;
    changed->columns = tr_cells_join(changed->columns, column);
    if (changed->tiles)
        set_bit(changed->tiles,
                entry->row / TR_VOXEL_TILE * surface->tile_columns + entry->column / TR_VOXEL_TILE);
}

typedef struct patch {
    uint32_t count; // of cells, in the queue
    uint64_t steps; // between neighbouring cells of it, counted in both directions
    bool raised;
    bool stays; // part of it is meant for standing on, or it is too large
} patch;

// The offsets of the columns beside a cell, if all are in its tile: a few entries away. NULL: they are not.
static inline const uint16_t *offsets_inside(const tr_surface *surface, const struct guess_entry *entry,
                                             uint32_t *width, uint32_t *position) {
    const uint32_t low = TR_VOXEL_TILE - 1;
    const tr_grid *grid = &surface->def.grid.grid;
    uint32_t column = entry->column & low, row = entry->row & low;
    *width = surface_tile_side(entry->column & ~low, grid->columns);
    if (column == 0 || row == 0 || column + 1 >= *width ||
        row + 1 >= surface_tile_side(entry->row & ~low, grid->rows))
        return NULL;
    const surface_tile *tile =
        &surface->cells
             .tiles[entry->row / TR_VOXEL_TILE * surface->tile_columns + entry->column / TR_VOXEL_TILE];
    *position = tile->position;
    return surface->cells.offsets + tile->offsets + row * *width + column;
}

// Checks one cell beside the patch: does it belong to the patch, or does the patch rise above it? Returns
// whether the patch continues there. A cell that was seen before and fits belongs to this patch, or to one
// that stays.
static inline bool look_at(const surface_cells *cells, surface_guess *guess, const guess_rule *rule,
                           struct guess_entry entry, int32_t rise, patch *found) {
    uint32_t p = entry.position;
    if (rise > rule->raised)
        return false;
    if (rise < -rule->rise) { // a step, if it leads on to something higher
        found->stays = found->stays || (rise >= -rule->step && stands(cells, p));
        return false;
    }
    if (rise > rule->rise) {
        found->raised = found->raised || stands(cells, p);
        return false;
    }
    if (get_bit(guess->seen, p)) {
        found->stays = found->stays || get_bit(guess->large, p);
        return true;
    }
    if (!stands(cells, p))
        return false;
    if (found->count == guess->queue_capacity) {
        found->stays = true;
        return true;
    }
    set_bit(guess->seen, p);
    guess->queue[found->count++] = entry;
    return true;
}

// Checks all sides of a cell.
static void look_around(const tr_surface *surface, surface_guess *guess, const guess_rule *rule,
                        const struct guess_entry *from, patch *found) {
    const surface_cells *cells = &surface->cells;
    uint32_t width, position = 0;
    const uint16_t *here = offsets_inside(surface, from, &width, &position);
    const int32_t further[4] = {1, (int32_t)width, -1, -(int32_t)width};
    int32_t height = cells->heights[from->position];
    for (uint32_t side = 0; side < 4 && !found->stays; side++) {
        uint32_t column, row;
        surface_span span;
        if (!beside(&surface->def.grid.grid, from, side, &column, &row))
            continue;
        if (here)
            span = (surface_span){position + here[further[side]], position + here[further[side] + 1], 0};
        else
            span = surface_span_at(surface, column, row);
        for (uint32_t p = span.begin; p < span.end; p++)
            found->steps +=
                look_at(cells, guess, rule, entry_at(column, row, p), height - cells->heights[p], found);
    }
}

// A cell counts in full when geometry only touches it, so cells along the border count half: then the area is
// right on average, for any size of cell and any rotation of the object. On a plane a cell has four steps,
// less one for each side where the patch ends: twice the area is the number of steps less twice the number of
// cells, plus 2. This value only grows as more of a patch is found, since a further cell adds at least two
// steps.
static bool is_small(double steps, double count, const guess_rule *rule) {
    return steps - 2 * count + 2 < rule->twice_cells;
}

// Whether the known part is too large already, with `done` of its cells checked. Each of the others has at
// least one step back. So a floor is recognised long before all of it is flooded.
static bool is_large(const patch *found, const guess_rule *rule, uint32_t done) {
    return !is_small((double)found->steps + (found->count - done), found->count, rule);
}

// Floods the patch of an unseen cell. A patch that stays may be flooded in part: that part is marked.
static patch flood(const tr_surface *surface, surface_guess *guess, const guess_rule *rule,
                   struct guess_entry start) {
    patch found = {.count = 1};
    guess->queue[0] = start;
    set_bit(guess->seen, start.position);
    for (uint32_t i = 0; i < found.count && !found.stays; i++) {
        struct guess_entry from = guess->queue[i];
        if (tr_surface_kind_of(surface->cells.rooms[from.position]) == TR_SURFACE_SURE)
            found.stays = true;
        if (!found.stays)
            look_around(surface, guess, rule, &from, &found);
        found.stays = found.stays || is_large(&found, rule, i + 1);
    }
    for (uint32_t i = 0; i < found.count && found.stays; i++)
        set_bit(guess->large, guess->queue[i].position);
    return found;
}

static void judge(tr_surface *surface, surface_guess *guess, const guess_rule *rule, struct guess_entry start,
                  surface_touched *changed) {
    patch found = flood(surface, guess, rule, start);
    if (found.stays || !found.raised || !is_small((double)found.steps, found.count, rule))
        return;
    for (uint32_t i = 0; i < found.count; i++) {
        uint32_t position = guess->queue[i].position;
        uint8_t *room = &surface->cells.rooms[position];
        set_bit(surface->cells.guessed, position);
        *room = (uint8_t)(TR_SURFACE_STEEP << 6 | (*room & TR_SURFACE_ROOM_MAX));
        note(surface, changed, &guess->queue[i]);
    }
}

// Compares two adjacent columns: a cell that is raised over one of the other column begins a patch to be
// judged.
static void compare(tr_surface *surface, surface_guess *guess, const guess_rule *rule, struct guess_entry a,
                    surface_span span_a, struct guess_entry b, surface_span span_b) {
    const surface_cells *cells = &surface->cells;
    for (uint32_t p = span_a.begin; p < span_a.end; p++)
        for (uint32_t q = span_b.begin; q < span_b.end; q++) {
            int32_t rise = (int32_t)cells->heights[p] - cells->heights[q], size = rise < 0 ? -rise : rise;
            if (size <= rule->rise || size > rule->raised || !stands(cells, p) || !stands(cells, q))
                continue;
            struct guess_entry higher = rise > 0 ? a : b;
            higher.position = rise > 0 ? p : q;
            if (tr_surface_kind_of(cells->rooms[higher.position]) != TR_SURFACE_SURE &&
                !get_bit(guess->seen, higher.position))
                judge(surface, guess, rule, higher, NULL);
        }
}

// Whether one of two heights is raised over the other.
static inline bool is_raised(int32_t a, int32_t b, const guess_rule *rule) {
    int32_t size = a < b ? b - a : a - b;
    return (uint32_t)(size - rule->rise - 1) < (uint32_t)(rule->raised - rule->rise);
}

// Nearly all columns are level with the next, storey by storey, and storeys are far apart: this case must be
// recognised quickly. The air below the lowest object is not ground.
static inline bool is_level(const surface_cells *cells, const guess_rule *rule, surface_span a,
                            surface_span b) {
    if (a.end == a.begin || b.end == b.begin)
        return true;
    a.begin += tr_surface_kind_of(cells->rooms[a.begin]) == TR_SURFACE_VOID;
    b.begin += tr_surface_kind_of(cells->rooms[b.begin]) == TR_SURFACE_VOID;
    uint32_t count = a.end - a.begin;
    if (count != b.end - b.begin)
        return false;
    if (count == 1)
        return !is_raised(cells->heights[a.begin], cells->heights[b.begin], rule);
    int32_t lower = -65536;
    for (uint32_t i = 0; i < count; i++) {
        int32_t here = cells->heights[a.begin + i], there = cells->heights[b.begin + i];
        int32_t low = here < there ? here : there, high = here < there ? there : here;
        if (high - low > rule->rise || low - lower <= rule->raised)
            return false;
        lower = high;
    }
    return true;
}

// A row of a tile as it is stored: its columns, and the position that their cells count from.
typedef struct tile_row {
    const uint16_t *offsets;
    uint32_t position, column, row; // of its first column
} tile_row;

static tile_row row_at(const tr_surface *surface, uint32_t column, uint32_t row) {
    const surface_tile *tile =
        &surface->cells.tiles[row / TR_VOXEL_TILE * surface->tile_columns + column / TR_VOXEL_TILE];
    uint32_t begin = column / TR_VOXEL_TILE * TR_VOXEL_TILE,
             width = surface_tile_side(begin, surface->def.grid.grid.columns);
    tile_row found = {surface->cells.offsets + tile->offsets + row % TR_VOXEL_TILE * width + (column - begin),
                      tile->position, column, row};
    return found;
}

// Compares the columns of one row with the adjacent columns of another.
static void scan_rows(tr_surface *surface, surface_guess *guess, const guess_rule *rule, tile_row a,
                      tile_row b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        surface_span here = {a.position + a.offsets[i], a.position + a.offsets[i + 1], 0},
                     next = {b.position + b.offsets[i], b.position + b.offsets[i + 1], 0};
        if (!is_level(&surface->cells, rule, here, next))
            compare(surface, guess, rule, entry_at(a.column + i, a.row, 0), here,
                    entry_at(b.column + i, b.row, 0), next);
    }
}

// Whether every column of a row of a tile has one cell.
static bool is_plain(const uint16_t *offsets, uint32_t width) {
    uint32_t odd = 0;
    for (uint32_t i = 0; i <= width; i++)
        odd |= (uint32_t)offsets[i] ^ (offsets[0] + i);
    return odd == 0;
}

// Whether one height of any of these pairs is raised over the other. Without branches: this runs over the
// whole world.
static bool any_raised(const uint16_t *a, const uint16_t *b, uint32_t count, const guess_rule *rule) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < count; i++)
        any |= is_raised(a[i], b[i], rule);
    return any != 0;
}

static void scan_tile(tr_surface *surface, surface_guess *guess, const guess_rule *rule, tr_cells window) {
    const tr_grid *grid = &surface->def.grid.grid;
    uint32_t width = window.column_end - window.column_begin, first = window.column_begin;
    bool plain = is_plain(row_at(surface, first, window.row_begin).offsets, width);
    for (uint32_t row = window.row_begin; row < window.row_end; row++) {
        tile_row here = row_at(surface, first, row);
        const uint16_t *heights = surface->cells.heights + here.position + here.offsets[0];
        bool plain_below = row + 1 < window.row_end && is_plain(here.offsets + width, width);
        if (!plain || any_raised(heights, heights + 1, width - 1, rule))
            scan_rows(surface, guess, rule, here, row_at(surface, first + 1, row), width - 1);
        if (window.column_end < grid->columns)
            scan_rows(surface, guess, rule, row_at(surface, window.column_end - 1, row),
                      row_at(surface, window.column_end, row), 1);
        if (row + 1 < grid->rows &&
            (!plain || !plain_below || any_raised(heights, heights + width, width, rule)))
            scan_rows(surface, guess, rule, here, row_at(surface, first, row + 1), width);
        plain = plain_below;
    }
}

void tr_surface_guess_all(tr_surface *surface, surface_guess *guess) {
    guess_rule rule = rule_of(surface);
    if (!surface->def.guess || rule.rise >= rule.raised)
        return;
    for (uint32_t i = 0; i < surface->cells.tile_count; i++)
        scan_tile(surface, guess, &rule,
                  surface_tile_window(&surface->def.grid.grid, i % surface->tile_columns,
                                      i / surface->tile_columns));
}

tr_status tr_surface_guess_anew(tr_surface *surface, float step, tr_error *error) {
    surface_cells *cells = &surface->cells;
    float before = surface->def.guess_step;
    surface_guess guess;
    surface->def.guess_step = step;
    tr_status status = tr_surface_guess_create(surface, cells->capacity, &guess, error);
    if (status != TR_OK || !surface->def.guess) {
        surface->def.guess_step = status == TR_OK ? step : before;
        return status;
    }
    for (uint32_t i = 0; i < cells->used; i++)
        if (get_bit(cells->guessed, i))
            cells->rooms[i] = (uint8_t)(TR_SURFACE_STAND << 6 | (cells->rooms[i] & TR_SURFACE_ROOM_MAX));
    memset(cells->guessed, 0, surface_words(cells->capacity) * sizeof *cells->guessed);
    tr_surface_guess_all(surface, &guess);
    tr_surface_guess_destroy(&surface->allocator, &guess);
    surface->revision++;
    return TR_OK;
}

static tr_cells with_ring(const tr_grid *grid, tr_cells cells) {
    tr_cells wide = {cells.column_begin - (cells.column_begin > 0), cells.row_begin - (cells.row_begin > 0),
                     cells.column_end + (cells.column_end < grid->columns),
                     cells.row_end + (cells.row_end < grid->rows)};
    return wide;
}

// Clears the guess for the cells that were judged together with this one.
static void forget_patch(tr_surface *surface, surface_guess *guess, const guess_rule *rule,
                         struct guess_entry start, surface_touched *changed) {
    surface_cells *cells = &surface->cells;
    uint32_t count = 1, column, row;
    guess->queue[0] = start;
    cells->guessed[start.position / 64] &= ~((uint64_t)1 << (start.position & 63));
    for (uint32_t i = 0; i < count; i++) {
        struct guess_entry from = guess->queue[i];
        uint8_t *room = &cells->rooms[from.position];
        *room = (uint8_t)(TR_SURFACE_STAND << 6 | (*room & TR_SURFACE_ROOM_MAX));
        note(surface, changed, &from);
        for (uint32_t side = 0; side < 4; side++) {
            if (!beside(&surface->def.grid.grid, &from, side, &column, &row))
                continue;
            surface_span span = surface_span_at(surface, column, row);
            for (uint32_t p = span.begin; p < span.end; p++) {
                int32_t rise = (int32_t)cells->heights[from.position] - cells->heights[p];
                if (rise > rule->rise || rise < -rule->rise || !get_bit(cells->guessed, p))
                    continue;
                cells->guessed[p / 64] &= ~((uint64_t)1 << (p & 63));
                guess->queue[count++] = entry_at(column, row, p);
            }
        }
    }
}

// Whether any bit in [begin, end) is set.
static bool any_bit(const uint64_t *bits, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i = (i | 63) + 1) {
        uint64_t word = bits[i / 64] >> (i & 63);
        if (end - i < 64)
            word &= ((uint64_t)1 << (end - i)) - 1;
        if (word)
            return true;
    }
    return false;
}

static void forget_row(tr_surface *surface, surface_guess *guess, const guess_rule *rule, tile_row here,
                       uint32_t count, surface_touched *changed) {
    const uint64_t *guessed = surface->cells.guessed;
    if (!any_bit(guessed, here.position + here.offsets[0], here.position + here.offsets[count]))
        return;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = here.position + here.offsets[i]; p < here.position + here.offsets[i + 1]; p++)
            if (get_bit(guessed, p))
                forget_patch(surface, guess, rule, entry_at(here.column + i, here.row, p), changed);
}

// A cell beside a patch that stays belongs to that patch, too. Nearly all floor is recognised this way,
// without a flood.
static bool follows(const surface_cells *cells, surface_guess *guess, const guess_rule *rule, uint32_t before,
                    uint32_t p) {
    int32_t rise = (int32_t)cells->heights[p] - cells->heights[before];
    if (!get_bit(guess->large, before) || rise > rule->rise || rise < -rule->rise)
        return false;
    set_bit(guess->seen, p);
    set_bit(guess->large, p);
    return true;
}

static void judge_row(tr_surface *surface, surface_guess *guess, const guess_rule *rule, tile_row here,
                      uint32_t count, surface_touched *changed) {
    const surface_cells *cells = &surface->cells;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = here.position + here.offsets[i]; p < here.position + here.offsets[i + 1]; p++) {
            if (get_bit(guess->seen, p) || !stands(cells, p))
                continue;
            bool alone = i > 0 && here.offsets[i] == here.offsets[i - 1] + 1;
            if (!alone || !follows(cells, guess, rule, here.position + here.offsets[i - 1], p))
                judge(surface, guess, rule, entry_at(here.column + i, here.row, p), changed);
        }
}

// Judges the redone columns and a ring around them again, row by row, each in parts that lie in one tile.
static void look_again(tr_surface *surface, surface_guess *guess, tr_cells redone, surface_touched *changed,
                       void look(tr_surface *, surface_guess *, const guess_rule *, tile_row, uint32_t,
                                 surface_touched *)) {
    guess_rule rule = rule_of(surface);
    tr_cells wide = with_ring(&surface->def.grid.grid, redone);
    for (uint32_t row = wide.row_begin; row < wide.row_end; row++)
        for (uint32_t column = wide.column_begin, next; column < wide.column_end; column = next) {
            next = (column / TR_VOXEL_TILE + 1) * TR_VOXEL_TILE;
            next = next < wide.column_end ? next : wide.column_end;
            look(surface, guess, &rule, row_at(surface, column, row), next - column, changed);
        }
}

void tr_surface_guess_forget(tr_surface *surface, surface_guess *guess, tr_cells redone,
                             surface_touched *changed) {
    look_again(surface, guess, redone, changed, forget_row);
}

void tr_surface_guess_again(tr_surface *surface, surface_guess *guess, tr_cells redone,
                            surface_touched *changed) {
    look_again(surface, guess, redone, changed, judge_row);
}
