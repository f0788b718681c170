// From samples to pixels: every triangle of a pixel is lit once and weighted by its number of samples.
#include "render_data.h"

#define SIMD_LANES 4
#include "base/simd.h"

static const float high_background[3] = {0.62f, 0.68f, 0.74f}, low_background[3] = {0.82f, 0.83f, 0.82f};
#define SHOULDER 0.75
#define BATCH 64 // samples that are collected before they are lit

// Samples that wait to be lit.
typedef struct shade_batch {
    float x[BATCH], y[BATCH], nearness[BATCH], weight[BATCH];
    uint32_t owner[BATCH], pixel[BATCH];
    uint32_t count;
} shade_batch;

// State of a row.
typedef struct shade_row {
    const tr_render *render;
    const render_target *target;
    float *sums; // of the light of each pixel
    float background[3];
    shade_batch batch;
} shade_row;

static void flush(shade_row *row) {
    shade_batch *batch = &row->batch;
    for (uint32_t i = batch->count; i % 4 != 0; i++) { // fill up to a multiple of four
        batch->x[i] = batch->x[i - 1];
        batch->y[i] = batch->y[i - 1];
        batch->nearness[i] = batch->nearness[i - 1];
        batch->owner[i] = batch->owner[i - 1];
        batch->pixel[i] = batch->pixel[i - 1];
        batch->weight[i] = 0;
    }
    for (uint32_t i = 0; i < batch->count; i += 4) {
        float light[3][4];
        tr_render_light(row->render, batch->x + i, batch->y + i, batch->nearness + i, batch->owner + i,
                        row->background, light);
        for (uint32_t k = 0; k < 4; k++) {
            float *sum = row->sums + 3 * (size_t)batch->pixel[i + k], weight = batch->weight[i + k];
            sum[0] += light[0][k] * weight;
            sum[1] += light[1][k] * weight;
            sum[2] += light[2][k] * weight;
        }
    }
    batch->count = 0;
}

static void add_sample(shade_row *row, uint32_t pixel, float x, float y, size_t index, float weight) {
    shade_batch *batch = &row->batch;
    uint32_t i = batch->count++;
    batch->x[i] = x;
    batch->y[i] = y;
    batch->nearness[i] = row->target->nearness[index];
    batch->owner[i] = row->target->owner[index];
    batch->pixel[i] = pixel;
    batch->weight[i] = weight;
    if (batch->count == BATCH)
        flush(row);
}

// A pixel of several triangles, or with some background.
static void add_mixed(shade_row *row, uint32_t pixel, float y, size_t first, uint32_t count) {
    const uint32_t *owner = row->target->owner + first;
    const float *lane_x = row->target->lane_x[0], *lane_y = row->target->lane_y[0];
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (done >> i & 1)
            continue;
        uint32_t same = 0;
        for (uint32_t k = i; k < count; k++)
            if (owner[k] == owner[i]) {
                done |= 1u << k;
                same++;
            }
        float weight = (float)same / (float)count;
        if (owner[i] != TR_NONE)
            add_sample(row, pixel, (float)pixel + lane_x[i], y + lane_y[i], first + i, weight);
        else
            for (int k = 0; k < 3; k++)
                row->sums[3 * (size_t)pixel + (size_t)k] += row->background[k] * weight;
    }
}

static void light_row(shade_row *row, uint32_t y) {
    const tr_render *render = row->render;
    const render_target *target = row->target;
    uint32_t count = render->samples * render->samples;
    size_t first = (size_t)(y - (uint32_t)target->top) * target->stride;
    float from_x = target->lane_x[0][0], from_y = (float)y + target->lane_y[0][0];
    memset(row->sums, 0, (size_t)render->width * 3 * sizeof *row->sums);
    for (uint32_t x = 0; x < render->width; x++, first += count) {
        const uint32_t *owner = target->owner + first;
        uint32_t differs = 0;
        for (uint32_t i = 1; i < count; i++)
            differs |= owner[i] ^ owner[0];
        if (differs)
            add_mixed(row, x, (float)y, first, count);
        else if (owner[0] != TR_NONE)
            add_sample(row, x, (float)x + from_x, from_y, first, 1);
        else
            memcpy(row->sums + 3 * (size_t)x, row->background, sizeof row->background);
    }
    flush(row);
}

// Converts `count` sums of light, a multiple of 4 except at the end of the last row, to bytes.
static void encode(const tr_render *render, const float *sums, size_t count, uint8_t *bytes) {
    for (size_t i = 0; i < count; i += 4) {
        simd_float light = simd_load(sums + i) * (RENDER_SHADES / RENDER_BRIGHTEST);
        // The maximum of 0 and NaN is 0.
        light = simd_min(simd_max(light, simd_set(0)), simd_set(RENDER_SHADES)) + 0.5f;
        int32_t shade[4];
        simd_store(shade, __builtin_convertvector(light, simd_int));
        for (size_t k = 0; k < 4 && i + k < count; k++)
            bytes[i + k] = render->shades[shade[k]];
    }
}

void tr_render_shade(const tr_render *render, const render_target *target, float *sums, tr_picture *picture) {
    shade_row row = {.render = render, .target = target, .sums = sums};
    for (int32_t y = target->top; y < target->bottom; y++) {
        float down = ((float)y + 0.5f) / (float)render->height;
        for (int k = 0; k < 3; k++)
            row.background[k] = high_background[k] + (low_background[k] - high_background[k]) * down;
        light_row(&row, (uint32_t)y);
        size_t bytes = 3 * (size_t)picture->width;
        encode(render, sums, bytes, picture->pixels + (size_t)y * bytes);
    }
}

// v^(1/3) for v in (0, 1] by Newton's method: the same bits everywhere.
static double cube_root(double v) {
    double root = 1;
    for (int i = 0; i < 64; i++)
        root -= (root * root * root - v) / (3 * root * root);
    return root;
}

// Values brighter than SHOULDER are compressed into the range up to 1. Then the sRGB transfer function: a
// short linear piece, then 1.055 c^(5/12) - 0.055; c^(5/12) is the cube root of c * c^(1/4).
void tr_render_shades_make(uint8_t shades[RENDER_SHADES + 1]) {
    for (int i = 0; i <= RENDER_SHADES; i++) {
        double light = (double)i * RENDER_BRIGHTEST / RENDER_SHADES,
               over = (light - SHOULDER) / (1 - SHOULDER);
        double c = over > 0 ? SHOULDER + (1 - SHOULDER) * over / (1 + over) : light;
        double code = c > 0.0031308 ? 1.055 * cube_root(c * sqrt(sqrt(c))) - 0.055 : 12.92 * c;
        shades[i] = (uint8_t)(code * 255 + 0.5);
    }
}
