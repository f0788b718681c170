// Finds out what changed in the map by comparing it with what was seen of it, and tells the search.
#include "replan_data.h"

#include <string.h>

// Above this share of the cells, to begin anew is cheaper than to repair.
#define REPAIR_SHARE 16
#define REPAIR_ALWAYS 64 // changed cells

// Words that hold nodes to refresh: rows and words of a row, half open.
typedef struct touched_words {
    uint32_t row_begin, row_end, word_begin, word_end;
} touched_words;

// Mark the cells of a word and all around them.
static void touch_around(tr_replan *replan, uint32_t row, uint32_t word, uint64_t cells,
                         touched_words *touched) {
    uint32_t stride = replan->pitch / 64;
    uint64_t wide = cells | cells << 1 | cells >> 1;
    for (uint32_t r = row - 1; r <= row + 1; r++) {
        uint64_t *words = replan->touched + (size_t)r * stride;
        words[word] |= wide;
        if (cells >> 63)
            words[word + 1] |= 1; // not the last word of a row, which ends with a border
        if (cells & 1)
            words[word - 1] |= (uint64_t)1 << 63;
    }
    uint32_t first = cells & 1 ? word - 1 : word, end = cells >> 63 ? word + 2 : word + 1;
    touched->row_begin = row - 1 < touched->row_begin ? row - 1 : touched->row_begin;
    touched->row_end = row + 2 > touched->row_end ? row + 2 : touched->row_end;
    touched->word_begin = first < touched->word_begin ? first : touched->word_begin;
    touched->word_end = end > touched->word_end ? end : touched->word_end;
}

// Widen the rectangle of freed cells by those of a word of a row of nodes.
static void note_freed(tr_cells *freed, uint32_t row, uint32_t word, uint64_t cells) {
    uint32_t first = word * 64 + (uint32_t)__builtin_ctzll(cells) - 1;
    uint32_t end = word * 64 + 63 - (uint32_t)__builtin_clzll(cells);
    freed->column_begin = first < freed->column_begin ? first : freed->column_begin;
    freed->column_end = end > freed->column_end ? end : freed->column_end;
    freed->row_begin = row - 1 < freed->row_begin ? row - 1 : freed->row_begin;
    freed->row_end = row > freed->row_end ? row : freed->row_end;
}

// Node rows and words that hold the cells, the border's numbers included in both.
static uint64_t compare_cells(tr_replan *replan, tr_cells cells, touched_words *touched) {
    uint32_t stride = replan->pitch / 64;
    uint64_t changed = 0;
    tr_cells freed = {UINT32_MAX, UINT32_MAX, 0, 0};
    for (uint32_t row = cells.row_begin + 1; row <= cells.row_end; row++) {
        const uint64_t *now = replan->map->free + (size_t)row * stride;
        uint64_t *seen = replan->free + (size_t)row * stride;
        for (uint32_t word = (cells.column_begin + 1) / 64; word <= cells.column_end / 64; word++) {
            uint64_t different = now[word] ^ seen[word];
            if (different == 0)
                continue;
            seen[word] = now[word];
            changed += (uint64_t)__builtin_popcountll(different);
            if (touched)
                touch_around(replan, row, word, different, touched);
            if (different & now[word])
                note_freed(&freed, row, word, different & now[word]);
        }
    }
    tr_dirty_add(&replan->freed, freed);
    return changed;
}

static uint64_t compare_weights(tr_replan *replan, tr_cells cells, touched_words *touched) {
    const uint8_t *weights = replan->map->weights;
    uint64_t changed = 0;
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++) {
        const uint8_t *now = weights ? weights + (size_t)row * replan->columns : NULL;
        uint8_t *seen = replan->weights + (size_t)(row + 1) * replan->pitch + 1;
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++) {
            uint8_t weight = now ? now[column] : 0;
            if (seen[column] == weight)
                continue;
            seen[column] = weight;
            changed++;
            touch_around(replan, row + 1, (column + 1) / 64, (uint64_t)1 << ((column + 1) & 63), touched);
        }
    }
    return changed;
}

static void refresh_touched(tr_replan *replan, touched_words touched) {
    uint32_t stride = replan->pitch / 64;
    for (uint32_t row = touched.row_begin; row < touched.row_end; row++)
        for (uint32_t word = touched.word_begin; word < touched.word_end; word++) {
            uint64_t bits = replan->touched[(size_t)row * stride + word];
            replan->touched[(size_t)row * stride + word] = 0;
            for (; bits; bits &= bits - 1) {
                uint32_t node = row * replan->pitch + word * 64 + (uint32_t)__builtin_ctzll(bits);
                replan->open[node] = replan_ways_out(replan, node);
                if (replan->is_begun)
                    tr_replan_refresh(replan, node);
            }
        }
}

// After a time in which nobody kept them up to date.
static void refresh_all(tr_replan *replan) {
    for (uint32_t row = 1; row <= replan->rows; row++)
        for (uint32_t node = row * replan->pitch + 1; node <= row * replan->pitch + replan->columns; node++)
            replan->open[node] = replan_ways_out(replan, node);
    replan->open_is_old = false;
    replan->is_begun = false;
}

void tr_replan_absorb(tr_replan *replan, tr_cells changed) {
    const tr_route_map *map = replan->map;
    touched_words touched = {UINT32_MAX, 0, UINT32_MAX, 0};
    bool jumps = replan->route && !map->weights;
    uint64_t count = compare_cells(replan, changed, jumps ? NULL : &touched);
    if (map->weights != replan->seen_weights)
        changed = tr_grid_all(&map->grid);
    if (map->weights || replan->is_weighted)
        count += compare_weights(replan, changed, &touched);
    if (map->weights != replan->seen_weights)
        replan->last_status = TR_INVALID; // the last answer was to another question
    replan->is_changed |= count > 0;
    replan->seen_weights = map->weights;
    replan->is_weighted = map->weights != NULL;
    replan->seen_revision = map->revision;
    if (jumps) {
        replan->open_is_old = true;
        replan->is_begun = false;
    }
    if (count > REPAIR_ALWAYS && count > replan->cell_count / REPAIR_SHARE)
        replan->is_begun = false;
    if (!jumps && replan->open_is_old)
        refresh_all(replan);
    refresh_touched(replan, touched);
}
