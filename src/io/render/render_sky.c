// The hidden part of the sky, for soft dark corners: a height map as seen from above; at some levels, the
// part of each cell that is higher; and that blurred to the reach of a corner's shade. Places are
// interpolated between cells and levels.
#include "render_data.h"

#define SIMD_LANES 4
#include "base/simd.h"

#define REACH 0.3f        // distance at which objects hide the sky [m]
#define HIGH 0.5f         // height difference at which they hide it completely [m]
#define CELL_COARSEST 1.f // with coarser cells the shades would be as large as rooms [m]
#define BORDER 2
#define BAND 16 // rows
#define VALUES (RENDER_SKY_SIDE * RENDER_SKY_LEVELS)

static void draw_heights(void *user, uint32_t part, uint32_t member) {
    (void)member;
    const tr_render *render = user;
    uint32_t top = part * BAND;
    render_target target = {.nearness = render->sky.heights + (size_t)top * RENDER_SKY_SIDE,
                            .top = (int32_t)top,
                            .bottom = (int32_t)(top + BAND),
                            .stride = RENDER_SKY_SIDE};
    for (size_t i = 0; i < (size_t)BAND * RENDER_SKY_SIDE; i++)
        target.nearness[i] = -INFINITY;
    tr_render_lanes(1, &target);
    tr_render_fill(render, &target);
}

// How much the objects of a cell hide the sky at each level.
static void fill_levels(const render_sky *sky, const float *height, float offset, float *values) {
    const float numbers[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    for (int i = 0; i < RENDER_SKY_SIDE; i++)
        for (int half = 0; half < 2; half++) {
            simd_float level = sky->first + sky->step * simd_load(numbers[half]);
            simd_float over = (height[i] + offset - level) * (1 / HIGH);
            over = simd_min(simd_max(over, simd_set(0)), simd_set(1));
            memcpy(values + i * RENDER_SKY_LEVELS + 4 * half, &over, sizeof over);
        }
}

// The mean of 2 radius + 1 neighbours along a row.
static void blur_row(const float *from, float *to, int32_t radius) {
    float share = 1 / (float)(2 * radius + 1);
    for (int half = 0; half < 2; half++) {
        simd_float sum = simd_set(0);
        for (int32_t i = -radius; i < RENDER_SKY_SIDE; i++) {
            if (i + radius < RENDER_SKY_SIDE)
                sum += simd_load(from + (i + radius) * RENDER_SKY_LEVELS + 4 * half);
            if (i - radius - 1 >= 0)
                sum -= simd_load(from + (i - radius - 1) * RENDER_SKY_LEVELS + 4 * half);
            simd_float mean = sum * share;
            if (i >= 0)
                memcpy(to + i * RENDER_SKY_LEVELS + 4 * half, &mean, sizeof mean);
        }
    }
}

typedef struct sky_job {
    const tr_render *render;
    float offset; // from the map's heights to heights relative to the eye
} sky_job;

// Rows of cells from heights, blurred along x.
static void blur_across(void *user, uint32_t part, uint32_t member) {
    (void)member;
    const sky_job *job = user;
    const render_sky *sky = &job->render->sky;
    for (uint32_t y = part * BAND; y < (part + 1) * BAND; y++) {
        float *row = sky->cells + (size_t)y * VALUES, *old = sky->old + (size_t)y * VALUES;
        fill_levels(sky, sky->heights + (size_t)y * RENDER_SKY_SIDE, job->offset, row);
        blur_row(row, old, (int32_t)sky->radius);
        blur_row(old, row, (int32_t)sky->radius);
    }
}

// The same down the columns of a part, row by row for all of them.
static void blur_columns(const float *from, float *to, int32_t radius, uint32_t begin, uint32_t end) {
    float share = 1 / (float)(2 * radius + 1), sums[VALUES / 16] = {0};
    for (int32_t y = -radius; y < RENDER_SKY_SIDE; y++) {
        const float *in = y + radius < RENDER_SKY_SIDE ? from + (size_t)(y + radius) * VALUES : NULL;
        const float *out = y - radius - 1 >= 0 ? from + (size_t)(y - radius - 1) * VALUES : NULL;
        for (uint32_t i = begin; i < end; i++)
            sums[i - begin] += (in ? in[i] : 0) - (out ? out[i] : 0);
        for (uint32_t i = begin; i < end && y >= 0; i++)
            to[(size_t)y * VALUES + i] = sums[i - begin] * share;
    }
}

static void blur_down(void *user, uint32_t part, uint32_t member) {
    (void)member;
    const render_sky *sky = &((const sky_job *)user)->render->sky;
    uint32_t begin = part * (VALUES / 16), end = begin + VALUES / 16;
    blur_columns(sky->cells, sky->old, (int32_t)sky->radius, begin, end);
    blur_columns(sky->old, sky->cells, (int32_t)sky->radius, begin, end);
}

void tr_render_sky_draw(tr_render *render) {
    const tr_vec3 up = {0, 1, 0};
    render_sky *sky = &render->sky;
    render_view above;
    sky->is_open = !sky->heights || !tr_render_aim(render, up, RENDER_SKY_SIDE, BORDER, &above) ||
                   1 / above.scale > (double)CELL_COARSEST;
    if (sky->is_open)
        return;
    const double *eye = render->camera.eye;
    const double off[3] = {eye[0] - above.eye[0], eye[1] - above.eye[1], eye[2] - above.eye[2]};
    for (int row = 0; row < 2; row++) {
        double scale = row == 0 ? above.scale : -above.scale;
        for (int k = 0; k < 3; k++)
            sky->row[row][k] = (float)(scale * above.axis[row][k]);
        // Values are at the centres of cells.
        sky->row[row][3] = (float)((row == 0 ? above.middle_x : above.middle_y) +
                                   scale * render_dot(off, above.axis[row]) - 0.5);
    }
    sky->cell = (float)(1 / above.scale);
    float radius = REACH / sky->cell / 2 + 0.5f;
    sky->radius = radius < 1 ? 1 : radius > 60 ? 60 : (uint32_t)radius;
    sky->first = (float)((double)render->solid.min.y - eye[1]);
    float height = render->solid.max.y - render->solid.min.y;
    sky->step = (height > 0.1f ? height : 0.1f) / (RENDER_SKY_LEVELS - 1);
    render_projection projection = {render, &above, true};
    tr_tasks_run(render->tasks, tr_render_chunk_count(render), tr_render_project, &projection);
    tr_tasks_run(render->tasks, RENDER_SKY_SIDE / BAND, draw_heights, render);
    sky_job job = {render, (float)(above.eye[1] - eye[1])};
    tr_tasks_run(render->tasks, RENDER_SKY_SIDE / BAND, blur_across, &job);
    tr_tasks_run(render->tasks, 16, blur_down, &job);
}

// Interpolates between two levels of a cell.
static float cell_value(const render_sky *sky, int32_t column, int32_t row, int32_t level, float between) {
    const float *values =
        sky->cells + ((size_t)row * RENDER_SKY_SIDE + (size_t)column) * RENDER_SKY_LEVELS + level;
    return values[0] + (values[1] - values[0]) * between;
}

float tr_render_sky_hidden(const render_sky *sky, const float place[3]) {
    float at[2];
    for (int k = 0; k < 2; k++)
        at[k] = sky->row[k][0] * place[0] + sky->row[k][1] * place[1] + sky->row[k][2] * place[2] +
                sky->row[k][3];
    const float last = RENDER_SKY_SIDE - 1;
    if (!(at[0] >= 0 && at[1] >= 0 && at[0] < last && at[1] < last))
        return 0;
    float level = (place[1] - sky->first) / sky->step, top = RENDER_SKY_LEVELS - 1.001f;
    level = level > 0 ? level < top ? level : top : 0;
    int32_t column = (int32_t)at[0], row = (int32_t)at[1], low = (int32_t)level;
    float x = at[0] - (float)column, y = at[1] - (float)row, between = level - (float)low;
    float upper = cell_value(sky, column, row, low, between) * (1 - x) +
                  cell_value(sky, column + 1, row, low, between) * x;
    float lower = cell_value(sky, column, row + 1, low, between) * (1 - x) +
                  cell_value(sky, column + 1, row + 1, low, between) * x;
    return upper * (1 - y) + lower * y;
}
