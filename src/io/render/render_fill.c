// Triangles into samples, four at a time.
#include "render_data.h"

#define SIMD_LANES 4
#include "base/simd.h"

#define WIDTH_WORTH_A_SPAN 12 // narrower triangles are tested pixel by pixel [pixels]

static const float one_x[1][4] = {{0.5f, 1.5f, 2.5f, 3.5f}}, one_y[1][4] = {{0.5f, 0.5f, 0.5f, 0.5f}};
static const float four_x[1][4] = {{0.375f, 0.875f, 0.125f, 0.625f}};
static const float four_y[1][4] = {{0.125f, 0.375f, 0.625f, 0.875f}};
#define SIXTEENTH(n) (((n) + 0.5f) / 16)
static const float sixteen_x[4][4] = {
    {SIXTEENTH(2), SIXTEENTH(7), SIXTEENTH(12), SIXTEENTH(1)},
    {SIXTEENTH(6), SIXTEENTH(11), SIXTEENTH(0), SIXTEENTH(5)},
    {SIXTEENTH(10), SIXTEENTH(15), SIXTEENTH(4), SIXTEENTH(9)},
    {SIXTEENTH(14), SIXTEENTH(3), SIXTEENTH(8), SIXTEENTH(13)},
};
static const float sixteen_y[4][4] = {
    {SIXTEENTH(0), SIXTEENTH(1), SIXTEENTH(2), SIXTEENTH(3)},
    {SIXTEENTH(4), SIXTEENTH(5), SIXTEENTH(6), SIXTEENTH(7)},
    {SIXTEENTH(8), SIXTEENTH(9), SIXTEENTH(10), SIXTEENTH(11)},
    {SIXTEENTH(12), SIXTEENTH(13), SIXTEENTH(14), SIXTEENTH(15)},
};

void tr_render_lanes(uint32_t samples, render_target *target) {
    target->groups = samples == 1 ? 0 : samples == 2 ? 1 : 4;
    target->lane_x = samples == 1 ? one_x : samples == 2 ? four_x : sixteen_x;
    target->lane_y = samples == 1 ? one_y : samples == 2 ? four_y : sixteen_y;
}

// A triangle while one band draws it.
typedef struct band_filling {
    const render_triangle *triangle;
    simd_float edge_lane[4][3]; // offset of a sample in its pixel, for each group and edge
    simd_float nearness_lane[4];
    double per_across[3]; // 1 / across, 0 where that is 0
    uint32_t number;
} band_filling;

// The pixels of a row that the triangle may overlap, rather too many than too few: the rounding of floats
// stays well below a hundredth of a pixel.
static void row_span(const band_filling *filling, int32_t y, int32_t *left, int32_t *right) {
    const render_triangle *triangle = filling->triangle;
    const double slack = 0.01;
    for (int i = 0; i < 3; i++) {
        double at = triangle->base[i] + triangle->down[i] * (triangle->down[i] > 0 ? y + 1 : y);
        double crossing = -at * filling->per_across[i];
        if (triangle->across[i] > 0) {
            double from = crossing - 1 - slack;
            if (from > *left)
                *left = from < *right ? (int32_t)from : *right;
        } else if (triangle->across[i] < 0) {
            double to = crossing + 1 + slack;
            if (to < *right)
                *right = to > *left ? (int32_t)to : *left;
        } else if (at < 0) {
            *right = *left;
        }
    }
}

// Values that change from pixel to pixel, in registers: the compiler must assume that stores to samples
// change memory.
typedef struct row_steps {
    simd_float across[3], nearness_across;
    simd_int number;
} row_steps;

static inline void fill_group(const row_steps *steps, float *nearness, uint32_t *owner, simd_float x,
                              simd_float x_off, const simd_float edge[3], simd_float nearness_row) {
    simd_float e0 = steps->across[0] * x + edge[0], e1 = steps->across[1] * x + edge[1];
    simd_float e2 = steps->across[2] * x + edge[2];
    simd_float depth = steps->nearness_across * x_off + nearness_row, old = simd_load(nearness);
    simd_int inside = (simd_min(simd_min(e0, e1), e2) >= 0) & (depth > old);
    if (simd_bits(inside) == 0)
        return;
    simd_float kept = simd_select(inside, depth, old);
    memcpy(nearness, &kept, sizeof kept);
    if (owner) {
        simd_int owners;
        memcpy(&owners, owner, sizeof owners);
        simd_store((int32_t *)owner, simd_select_int(inside, steps->number, owners));
    }
}

// `groups` and `has_owner` are constants at the call.
static inline __attribute__((always_inline)) void fill_rows(const band_filling *filling,
                                                            const render_target *target, uint32_t groups,
                                                            bool has_owner) {
    const render_triangle *triangle = filling->triangle;
    int32_t top = triangle->top > target->top ? triangle->top : target->top;
    int32_t bottom = triangle->bottom < target->bottom ? triangle->bottom : target->bottom;
    const uint32_t count = groups == 0 ? 1 : groups;
    const int32_t step = groups == 0 ? 4 : 1;
    const row_steps steps = {
        {simd_set(triangle->across[0]), simd_set(triangle->across[1]), simd_set(triangle->across[2])},
        simd_set(triangle->nearness_across),
        simd_set_int((int32_t)filling->number)};
    for (int32_t y = top; y < bottom; y++) {
        int32_t left = triangle->left, right = triangle->right;
        if (right - left > WIDTH_WORTH_A_SPAN)
            row_span(filling, y, &left, &right);
        if (groups == 0)
            left &= ~3;
        simd_float edge[4][3], depth[4];
        float depth_row = (float)(triangle->nearness + triangle->nearness_down * (y - triangle->top));
        for (uint32_t g = 0; g < count; g++) {
            for (int i = 0; i < 3; i++)
                edge[g][i] =
                    simd_set((float)(triangle->base[i] + triangle->down[i] * y)) + filling->edge_lane[g][i];
            depth[g] = simd_set(depth_row) + filling->nearness_lane[g];
        }
        size_t first = (size_t)(y - target->top) * target->stride;
        float *nearness = target->nearness + first + (size_t)left * (groups == 0 ? 1 : 4 * count);
        uint32_t *owner = has_owner ? target->owner + (nearness - target->nearness) : NULL;
        simd_float at = simd_set((float)left), off = simd_set((float)(left - triangle->left));
        for (int32_t x = left; x < right; x += step, at += (float)step, off += (float)step)
            for (uint32_t g = 0; g < count; g++, nearness += 4, owner = has_owner ? owner + 4 : NULL)
                fill_group(&steps, nearness, owner, at, off, edge[g], depth[g]);
    }
}

static void fill_triangle(const render_triangle *triangle, uint32_t number, const render_target *target) {
    band_filling filling; // not all of it is needed, and clearing it would cost more than a small triangle
    filling.triangle = triangle;
    filling.number = number;
    uint32_t count = target->groups == 0 ? 1 : target->groups;
    for (uint32_t g = 0; g < count; g++) {
        simd_float x = simd_load(target->lane_x[g]), y = simd_load(target->lane_y[g]);
        for (int i = 0; i < 3; i++)
            filling.edge_lane[g][i] =
                simd_set(triangle->across[i]) * x + simd_set((float)triangle->down[i]) * y;
        filling.nearness_lane[g] =
            simd_set(triangle->nearness_across) * x + simd_set((float)triangle->nearness_down) * y;
    }
    if (triangle->right - triangle->left > WIDTH_WORTH_A_SPAN)
        for (int i = 0; i < 3; i++)
            filling.per_across[i] = triangle->across[i] != 0 ? 1 / (double)triangle->across[i] : 0;
    if (target->groups == 0 && !target->owner)
        fill_rows(&filling, target, 0, false);
    else if (target->groups == 0)
        fill_rows(&filling, target, 0, true);
    else if (target->groups == 1)
        fill_rows(&filling, target, 1, true);
    else
        fill_rows(&filling, target, 4, true);
}

void tr_render_fill(const tr_render *render, const render_target *target) {
    uint32_t chunks = tr_render_chunk_count(render);
    for (uint32_t c = 0; c < chunks; c++) {
        const render_chunk *chunk = &render->chunks[c];
        if (chunk->count == 0 || chunk->bottom <= target->top || chunk->top >= target->bottom)
            continue;
        uint32_t first = c * 2 * RENDER_CHUNK;
        for (uint32_t i = first; i < first + chunk->count; i++) {
            const render_triangle *triangle = &render->triangles[i];
            if (triangle->bottom > target->top && triangle->top < target->bottom)
                fill_triangle(triangle, i, target);
        }
    }
}
