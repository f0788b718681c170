// Copies the card's words into the planes of a request.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL
#include <math.h>
#include <string.h>

// Two of the card's 32-bit words make one 64-bit word; bits outside the region are unchanged.
static void read_bits(const gl_piece *piece, const uint32_t *words, tr_bitmap *plane) {
    tr_cells cells = piece->cells;
    uint32_t first = cells.column_begin >> 6, last = (cells.column_end - 1) >> 6;
    uint64_t first_mask = ~(uint64_t)0 << (cells.column_begin & 63);
    uint64_t last_mask = ~(uint64_t)0 >> (63 - ((cells.column_end - 1) & 63));
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++) {
        const uint32_t *from = words + (size_t)(row - cells.row_begin) * piece->words_per_row;
        uint64_t *to = plane->words + (size_t)row * plane->stride;
        for (uint32_t word = first; word <= last; word++, from += 2) {
            uint64_t mask =
                (word == first ? first_mask : ~(uint64_t)0) & (word == last ? last_mask : ~(uint64_t)0);
            uint64_t set = from[0] | (uint64_t)from[1] << 32;
            to[word] = (to[word] & ~mask) | (set & mask);
        }
    }
}

static float height_of(uint32_t bits, float low) {
    float above;
    memcpy(&above, &bits, sizeof above);
    return (float)((double)low + above);
}

// The shader defines how a height is stored in bits; 0 means none.
static void read_heights(const tr_raster_request *request, const gl_piece *piece, const uint32_t *words) {
    tr_cells cells = piece->cells;
    uint32_t columns = cells.column_end - cells.column_begin;
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++) {
        size_t from = (size_t)(row - cells.row_begin) * columns;
        size_t to = (size_t)row * request->grid.columns + cells.column_begin;
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t floor_bits = words[piece->floor_at + from + i],
                     overhang_bits = words[piece->overhang_at + from + i];
            float low = request->band.low;
            request->floor[to + i] =
                floor_bits ? fminf(height_of(floor_bits - 1, low), request->split) : -INFINITY;
            request->overhang[to + i] =
                overhang_bits ? fmaxf(height_of(~overhang_bits, low), request->split) : INFINITY;
        }
    }
}

void tr_gl_read_piece(const tr_raster_request *request, const gl_piece *piece, const void *cells) {
    const uint32_t *words = cells;
    if (request->occupied)
        read_bits(piece, words, request->occupied);
    if (request->widened)
        read_bits(piece, words + piece->widened_at, request->widened);
    if (request->floor)
        read_heights(request, piece, words);
}
#else
typedef int raster_gl_read_is_empty; // ISO C requires a declaration
#endif
