// The distance transform of Meijster, Roerdink and Hesselink: down and up the columns, then along each row
// the lower envelope of the columns' parabolas. Linear in the cells, and exact because it uses integers only.
#include "occupancy_clearance.h"

#include <math.h>

size_t tr_clearance_scratch(uint32_t columns) {
    return 3 * (size_t)columns;
}

// Safe growth measures between the nearest points of two cells. That is the distance between centres after
// every set cell is replaced by the 3 x 3 square around it.
static uint64_t source_word(const tr_bitmap *occupied, tr_growth growth, uint32_t row, uint32_t word) {
    const uint64_t *here = occupied->words + (size_t)row * occupied->stride + word;
    if (growth == TR_GROWTH_CENTRES)
        return *here;
    uint64_t middle = 0, before = 0, after = 0;
    for (int dz = -1; dz <= 1; dz++) {
        if ((dz < 0 && row == 0) || (dz > 0 && row + 1 == occupied->rows))
            continue;
        const uint64_t *words = here + (ptrdiff_t)dz * occupied->stride;
        middle |= words[0];
        before |= word > 0 ? words[-1] : 0;
        after |= words[1]; // a spare word ends each row
    }
    return middle | middle << 1 | before >> 63 | middle >> 1 | after << 63;
}

// Distance in rows to the nearest set cell of the same column. Small integers, exact as floats.
static bool measure_columns(const tr_bitmap *occupied, tr_growth growth, float *distance) {
    uint32_t columns = occupied->columns, rows = occupied->rows;
    float far = (float)(columns + rows);
    bool any = false;
    for (uint32_t row = 0; row < rows; row++) {
        float *here = distance + (size_t)row * columns;
        const float *above = row ? here - columns : NULL;
        for (uint32_t column = 0; column < columns; column += 64) {
            uint64_t bits = source_word(occupied, growth, row, column >> 6);
            any |= bits != 0;
            for (uint32_t i = column; i < columns && i < column + 64; i++, bits >>= 1)
                here[i] = bits & 1 ? 0 : !above || above[i] >= far ? far : above[i] + 1;
        }
    }
    for (uint32_t row = rows - 1; row-- > 0;) {
        float *here = distance + (size_t)row * columns;
        const float *below = here + columns;
        for (uint32_t i = 0; i < columns; i++)
            here[i] = here[i] > below[i] + 1 ? below[i] + 1 : here[i];
    }
    return any;
}

static int64_t parabola(const int32_t *height, int32_t apex, int64_t x) {
    return (x - apex) * (x - apex) + (int64_t)height[apex] * height[apex];
}

// The first x from which the parabola of `right` is below that of `left` (left < right).
static int64_t crossing(const int32_t *height, int32_t left, int32_t right) {
    int64_t rise = (int64_t)right * right - (int64_t)left * left + (int64_t)height[right] * height[right] -
                   (int64_t)height[left] * height[left];
    int64_t run = 2 * ((int64_t)right - left);
    return (rise >= 0 ? rise / run : -((-rise + run - 1) / run)) + 1;
}

// From squared cells to metres. Rounding must not move a distance across the radius, or the clearance map
// would contradict the map of blocked cells.
typedef struct metric {
    double cell, limit;         // [m]; the square of the radius in cells
    float far_inside, near_out; // the greatest blocked clearance, the least free one
    bool closed;                // whether the limit itself is blocked
} metric;

static metric make_metric(const clearance_rule *rule) {
    bool closed = rule->growth == TR_GROWTH_CENTRES;
    metric made = {.cell = rule->cell, .limit = rule->radius_cells * rule->radius_cells, .closed = closed};
    made.far_inside = closed ? rule->radius : nextafterf(rule->radius, 0);
    made.near_out = closed ? nextafterf(rule->radius, INFINITY) : rule->radius;
    return made;
}

static float to_metres(const metric *m, int64_t squared) {
    double d2 = (double)squared;
    float distance = (float)(m->cell * sqrt(d2));
    if (d2 < m->limit || (m->closed && d2 == m->limit))
        return distance < m->far_inside ? distance : m->far_inside;
    return distance > m->near_out ? distance : m->near_out;
}

static void measure_row(float *row, uint32_t columns, const metric *m, int32_t *scratch) {
    int32_t *height = scratch, *apex = scratch + columns, *begin = scratch + 2 * (size_t)columns;
    for (uint32_t i = 0; i < columns; i++)
        height[i] = (int32_t)row[i];
    int32_t top = 0;
    apex[0] = begin[0] = 0;
    for (int32_t x = 1; x < (int32_t)columns; x++) {
        while (top >= 0 && parabola(height, apex[top], begin[top]) > parabola(height, x, begin[top]))
            top--;
        if (top < 0) {
            top = 0;
            apex[0] = x; // begin[0] stays 0
            continue;
        }
        int64_t from = crossing(height, apex[top], x);
        if (from < (int64_t)columns) {
            top++;
            apex[top] = x;
            begin[top] = (int32_t)from;
        }
    }
    for (int32_t x = (int32_t)columns - 1; x >= 0; x--) {
        row[x] = to_metres(m, parabola(height, apex[top], x));
        if (x == begin[top])
            top--;
    }
}

void tr_clearance_measure(const tr_bitmap *occupied, const clearance_rule *rule, float *clearance,
                          int32_t *scratch) {
    uint32_t columns = occupied->columns;
    if (!measure_columns(occupied, rule->growth, clearance)) {
        for (size_t i = 0, end = (size_t)columns * occupied->rows; i < end; i++)
            clearance[i] = INFINITY;
        return;
    }
    metric m = make_metric(rule);
    for (uint32_t row = 0; row < occupied->rows; row++)
        measure_row(clearance + (size_t)row * columns, columns, &m, scratch);
}
