// Growth of occupied cells by an exact Euclidean disc, 64 cells at a time.
#include "troupe/world/occupancy.h"

#include <math.h>
#include <string.h>

// A disc in cells: in the row `dz` away from an occupied cell, cells up to width(dz) to either side are
// blocked. The near rows are the widest. A row of the result is therefore made from the occupied rows, from
// near to far: after each row the gathered cells are widened by one cell, until each row has been widened to
// the width for its distance.
//
// Safe growth is a 3 x 3 square (the nearest points of two cells instead of their centres) followed by an
// open disc. In one pass that is a disc with its own widths, one more in both directions.

// The greatest number of cells to either side in row `dz`, or -1 when the row is out of reach.
static int64_t disc_width(tr_growth growth, double radius, int64_t dz) {
    double squared = radius * radius;
    if (growth == TR_GROWTH_CENTRES) {
        double rest = squared - (double)dz * (double)dz;
        if (rest < 0)
            return -1;
        int64_t width = (int64_t)sqrt(rest);
        while ((double)(width + 1) * (double)(width + 1) <= rest)
            width++;
        while ((double)width * (double)width > rest)
            width--;
        return width;
    }
    int64_t gap_z = dz > 0 ? dz - 1 : 0;
    if (dz == 0 && squared == 0)
        return 0; // a point body: only the cell itself
    double rest = squared - (double)gap_z * (double)gap_z;
    if (rest <= 0)
        return -1;
    int64_t gap = (int64_t)sqrt(rest); // the greatest gap strictly inside
    while ((double)gap * (double)gap >= rest)
        gap--;
    while ((double)(gap + 1) * (double)(gap + 1) < rest)
        gap++;
    return gap + 1;
}

static bool radius_is_sane(double radius) {
    return radius >= 0 && radius <= 2.0 * TR_GRID_SIDE_MAX;
}

static uint32_t reach_of(double radius) {
    return (uint32_t)radius + 1; // the widest that either kind of growth can be, in rows and in columns
}

size_t tr_occupancy_grow_scratch(uint32_t columns, double radius) {
    if (!radius_is_sane(radius))
        return 0;
    return (size_t)(columns + 63) / 64 + 1 + reach_of(radius) + 3;
}

// The state of one call. The window is the words of a row that can matter: the region and the disc's reach
// around it.
typedef struct grow_job {
    const tr_bitmap *occupied;
    uint32_t window_begin, window_words;
    uint64_t *gathered; // window_words words, followed by a zero word
    int64_t *row_reach; // row_reach[w]: the greatest distance in rows whose width is at least w, -1 for none
    int64_t widest;
} grow_job;

// The loops below are inlined with `words` constant for narrow maps, whose rows then stay in registers:
// otherwise the loop overhead would be most of the work.
#define INLINE static inline __attribute__((always_inline))
#define NARROW 3 // words

INLINE uint64_t take_row(const grow_job *job, uint64_t *gathered, uint32_t words, int64_t row) {
    if (row < 0 || row >= job->occupied->rows)
        return 0;
    const uint64_t *source = job->occupied->words + (size_t)row * job->occupied->stride + job->window_begin;
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++) {
        gathered[i] |= source[i];
        any |= source[i];
    }
    return any;
}

// Widens the row by one cell to both sides.
INLINE void widen(uint64_t *row, uint32_t words) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t here = row[i];
        row[i] = here | here << 1 | before >> 63 | here >> 1 | row[i + 1] << 63;
        before = here;
    }
}

// All cells that block cells of row `target`.
INLINE void gather_words(const grow_job *job, int64_t target, uint64_t *gathered, uint32_t words) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        gathered[i] = 0;
    for (int64_t width = job->widest; width >= 0; width--) {
        for (int64_t dz = job->row_reach[width + 1] + 1; dz <= job->row_reach[width]; dz++) {
            any |= take_row(job, gathered, words, target + dz);
            if (dz != 0)
                any |= take_row(job, gathered, words, target - dz);
        }
        if (width > 0 && (any || words <= NARROW)) // widening a few words is faster than testing them
            widen(gathered, words);
    }
}

INLINE void gather_narrow(const grow_job *job, int64_t target, uint32_t words) {
    uint64_t gathered[NARROW + 1] = {0};
    gather_words(job, target, gathered, words);
    memcpy(job->gathered, gathered, words * sizeof *gathered);
}

static void gather_row(const grow_job *job, int64_t target) {
    switch (job->window_words) {
    case 1:
        gather_narrow(job, target, 1);
        break;
    case 2:
        gather_narrow(job, target, 2);
        break;
    case 3:
        gather_narrow(job, target, 3);
        break;
    default:
        gather_words(job, target, job->gathered, job->window_words);
        break;
    }
}

static void begin_job(grow_job *job, tr_growth growth, double radius, tr_cells region, uint64_t *scratch) {
    uint32_t reach = reach_of(radius), all_words = job->occupied->stride - 1;
    uint32_t first = region.column_begin > reach ? (region.column_begin - reach) >> 6 : 0;
    uint64_t last = ((uint64_t)region.column_end - 1 + reach) >> 6;
    job->window_begin = first;
    job->window_words = (last < all_words ? (uint32_t)last + 1 : all_words) - first;
    job->gathered = scratch;
    job->gathered[job->window_words] = 0;
    job->row_reach = (int64_t *)(scratch + all_words + 1);
    job->widest = disc_width(growth, radius, 0);
    int64_t dz = (int64_t)reach + 1;
    for (int64_t width = 0; width <= job->widest; width++) {
        while (dz >= 0 && disc_width(growth, radius, dz) < width)
            dz--;
        job->row_reach[width] = dz;
    }
    job->row_reach[job->widest + 1] = -1;
}

tr_status tr_occupancy_grow(const tr_bitmap *occupied, tr_bitmap *blocked, tr_growth growth, double radius,
                            tr_cells region, uint64_t *scratch, size_t scratch_words) {
    if (!radius_is_sane(radius) || occupied->columns != blocked->columns || occupied->rows != blocked->rows ||
        occupied->words == blocked->words || region.column_end > occupied->columns ||
        region.row_end > occupied->rows ||
        scratch_words < tr_occupancy_grow_scratch(occupied->columns, radius))
        return TR_INVALID;
    if (region.column_begin >= region.column_end)
        return TR_OK;
    grow_job job = {.occupied = occupied};
    begin_job(&job, growth, radius, region, scratch);
    uint32_t first = region.column_begin >> 6, last = (region.column_end - 1) >> 6;
    uint64_t first_mask = ~(uint64_t)0 << (region.column_begin & 63);
    uint64_t last_mask = ~(uint64_t)0 >> (63 - ((region.column_end - 1) & 63));
    for (uint32_t row = region.row_begin; row < region.row_end; row++) {
        gather_row(&job, row);
        uint64_t *target = blocked->words + (size_t)row * blocked->stride;
        for (uint32_t word = first; word <= last; word++) {
            uint64_t mask =
                (word == first ? first_mask : ~(uint64_t)0) & (word == last ? last_mask : ~(uint64_t)0);
            target[word] = (target[word] & ~mask) | (job.gathered[word - job.window_begin] & mask);
        }
    }
    return TR_OK;
}
