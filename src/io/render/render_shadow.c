// Sunlight: a shadow map with the nearness of objects to the sun, and soft look-ups in it.
#include "render_data.h"

#define SIMD_LANES 4
#include "base/simd.h"

#define BORDER 4       // empty texels around the map, for the look-ups at its rim
#define LIFT 0.6f      // distance from a surface at which a look-up is made [texels],
#define WALL_LIFT 2.0f // additional distance on an upright wall;
#define WALL_RISE 4.0f // additional height there, because the walls next to it rise as well

// Bounds on a plane across the sun's rays.
typedef struct flat_box {
    double low[2], high[2];
} flat_box;

static flat_box flat_empty(void) {
    flat_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    return box;
}

static void flat_include(flat_box *box, const render_view *sun, const double point[3]) {
    double off[3] = {point[0] - sun->eye[0], point[1] - sun->eye[1], point[2] - sun->eye[2]};
    for (int k = 0; k < 2; k++) {
        double at = render_dot(off, sun->axis[k]);
        box->low[k] = at < box->low[k] ? at : box->low[k];
        box->high[k] = at > box->high[k] ? at : box->high[k];
    }
}

static void box_corner(tr_box box, int number, double corner[3]) {
    corner[0] = number & 1 ? box.max.x : box.min.x;
    corner[1] = number & 2 ? box.max.y : box.min.y;
    corner[2] = number & 4 ? box.max.z : box.min.z;
}

// The visible part of the scene.
static flat_box seen_by(const render_view *camera, const render_view *sun, tr_box everything) {
    flat_box box = flat_empty();
    double far_depth = 0;
    for (int i = 0; i < 8; i++) {
        double corner[3];
        box_corner(everything, i, corner);
        double off[3] = {corner[0] - camera->eye[0], corner[1] - camera->eye[1], corner[2] - camera->eye[2]};
        double depth = render_dot(off, camera->axis[2]);
        far_depth = depth > far_depth ? depth : far_depth;
    }
    for (int i = 0; i < 8; i++) {
        double depth = i & 4 ? far_depth : 0, point[3];
        double reach = (camera->is_parallel ? 1 : depth) / camera->scale;
        double right = (i & 1 ? 1 : -1) * camera->middle_x * reach,
               up = (i & 2 ? 1 : -1) * camera->middle_y * reach;
        for (int k = 0; k < 3; k++)
            point[k] = camera->eye[k] + camera->axis[0][k] * right + camera->axis[1][k] * up +
                       camera->axis[2][k] * depth;
        flat_include(&box, sun, point);
    }
    return box;
}

bool tr_render_aim(const tr_render *render, tr_vec3 towards, uint32_t size, uint32_t border,
                   render_view *view) {
    if (tr_box_is_empty(render->solid))
        return false;
    tr_vec3 middle = tr_vec3_scale(tr_vec3_add(render->solid.min, render->solid.max), 0.5f);
    tr_vec3 back = tr_vec3_scale(towards, 1 + tr_vec3_length(middle));
    tr_camera camera = {middle, tr_vec3_subtract(middle, back), 0, 1};
    if (tr_render_view_make(&camera, size, size, view, NULL) != TR_OK)
        return false;
    flat_box casting = flat_empty();
    for (int i = 0; i < 8; i++) {
        double corner[3];
        box_corner(render->solid, i, corner);
        flat_include(&casting, view, corner);
    }
    flat_box seen = seen_by(&render->camera, view, tr_box_union(render->solid, render->ground));
    double side = 0, centre[2];
    for (int k = 0; k < 2; k++) {
        double low = casting.low[k] > seen.low[k] ? casting.low[k] : seen.low[k];
        double high = casting.high[k] < seen.high[k] ? casting.high[k] : seen.high[k];
        if (!(low < high))
            return false;
        side = high - low > side ? high - low : side;
        centre[k] = (low + high) / 2;
    }
    view->scale = (size - 2 * border) / side;
    view->middle_x -= centre[0] * view->scale;
    view->middle_y += centre[1] * view->scale;
    view->near_depth = -INFINITY;
    return true;
}

// The map from places relative to the camera's eye to the shadow map.
static void make_rows(render_shadow *shadow, const render_view *sun, const render_view *camera) {
    double off[3] = {camera->eye[0] - sun->eye[0], camera->eye[1] - sun->eye[1],
                     camera->eye[2] - sun->eye[2]};
    const double factor[3] = {sun->scale, -sun->scale, -1};
    const double base[3] = {sun->middle_x, sun->middle_y, 0};
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 3; k++)
            shadow->row[row][k] = (float)(factor[row] * sun->axis[row][k]);
        shadow->row[row][3] = (float)(base[row] + factor[row] * render_dot(off, sun->axis[row]));
    }
    shadow->texel = (float)(1 / sun->scale);
}

// The least and the greatest value of one row of blocks.
static void measure_blocks(const render_shadow *shadow, uint32_t row) {
    uint32_t side = shadow->size / RENDER_BLOCK;
    for (uint32_t i = 0; i < side; i++) {
        simd_float low = simd_set(INFINITY), high = simd_set(-INFINITY);
        const float *texel = shadow->map + ((size_t)row * shadow->size + i) * RENDER_BLOCK;
        for (int y = 0; y < RENDER_BLOCK; y++, texel += shadow->size)
            for (int k = 0; k < RENDER_BLOCK; k += 4) {
                low = simd_min(low, simd_load(texel + k));
                high = simd_max(high, simd_load(texel + k));
            }
        float least = low[0], most = high[0];
        for (int k = 1; k < 4; k++) {
            least = low[k] < least ? low[k] : least;
            most = high[k] > most ? high[k] : most;
        }
        shadow->own_low[(size_t)row * side + i] = least;
        shadow->own_high[(size_t)row * side + i] = most;
    }
}

static void draw_band(void *user, uint32_t part, uint32_t member) {
    (void)member;
    const tr_render *render = user;
    uint32_t size = render->shadow.size, top = part * RENDER_SHADOW_ROWS;
    uint32_t bottom = size - top < RENDER_SHADOW_ROWS ? size : top + RENDER_SHADOW_ROWS;
    render_target target = {.nearness = render->shadow.map + (size_t)top * size,
                            .top = (int32_t)top,
                            .bottom = (int32_t)bottom,
                            .stride = size};
    for (size_t i = 0; i < (size_t)(bottom - top) * size; i++)
        target.nearness[i] = -INFINITY;
    tr_render_lanes(1, &target);
    tr_render_fill(render, &target);
    for (uint32_t row = top / RENDER_BLOCK; row < bottom / RENDER_BLOCK; row++)
        measure_blocks(&render->shadow, row); // while they are in the cache
}

// The same including the neighbours that a look-up may reach.
static void widen_blocks(const render_shadow *shadow) {
    int32_t side = (int32_t)(shadow->size / RENDER_BLOCK);
    for (int32_t row = 0; row < side; row++)
        for (int32_t column = 0; column < side; column++) {
            int32_t top = row > 0 ? row - 1 : 0, bottom = row + 1 < side ? row + 1 : row;
            int32_t left = column > 0 ? column - 1 : 0, right = column + 1 < side ? column + 1 : column;
            float low = INFINITY, high = -INFINITY;
            for (int32_t y = top; y <= bottom; y++)
                for (int32_t x = left; x <= right; x++) {
                    size_t i = (size_t)y * (size_t)side + (size_t)x;
                    low = shadow->own_low[i] < low ? shadow->own_low[i] : low;
                    high = shadow->own_high[i] > high ? shadow->own_high[i] : high;
                }
            shadow->block_low[row * side + column] = low;
            shadow->block_high[row * side + column] = high;
        }
}

void tr_render_shadow_draw(tr_render *render) {
    render_view sun;
    const tr_vec3 towards = {RENDER_SUN_X, RENDER_SUN_Y, RENDER_SUN_Z};
    render->shadow.is_lit =
        !render->shadow.map || !tr_render_aim(render, towards, render->shadow.size, BORDER, &sun);
    if (render->shadow.is_lit)
        return;
    // Along one ray the higher of two points is the nearer to the sun. Height instead of depth is constant on
    // a floor: no bias is needed there, and most look-ups need only the block.
    sun.axis[2][0] = sun.axis[2][2] = 0;
    sun.axis[2][1] = -1;
    make_rows(&render->shadow, &sun, &render->camera);
    render_projection projection = {render, &sun, true};
    tr_tasks_run(render->tasks, tr_render_chunk_count(render), tr_render_project, &projection);
    uint32_t bands = (render->shadow.size + RENDER_SHADOW_ROWS - 1) / RENDER_SHADOW_ROWS;
    tr_tasks_run(render->tasks, bands, draw_band, render);
    widen_blocks(&render->shadow);
}

// The weights of a cubic B-spline for four neighbours: they sum to 1 and change smoothly.
static void spline_weights(float t, float weights[4]) {
    float s = 1 - t, tt = t * t, ss = s * s;
    weights[0] = ss * s / 6;
    weights[1] = (4 - 3 * tt * (2 - t)) / 6;
    weights[2] = (4 - 3 * ss * (2 - s)) / 6;
    weights[3] = tt * t / 6;
}

// Looks up the sixteen texels around a place of the map.
static float look_up(const render_shadow *shadow, float x, float y, float nearness) {
    int32_t column = (int32_t)x, row = (int32_t)y;
    float across[4], down[4];
    spline_weights(x - (float)column, across);
    spline_weights(y - (float)row, down);
    simd_float weights = simd_load(across), depth = simd_set(nearness), sum = simd_set(0);
    const float *map = shadow->map + (size_t)(row - 1) * shadow->size + (size_t)(column - 1);
    for (int i = 0; i < 4; i++, map += shadow->size) {
        simd_int lit = simd_load(map) <= depth;
        sum += (simd_float)(lit & (simd_int)weights) * simd_set(down[i]);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void tr_render_sunlight(const render_shadow *shadow, const render_lanes *lanes, float lit[4]) {
    for (int i = 0; i < 4; i++)
        lit[i] = lanes->facing[i] > 0 ? 1 : 0;
    if (shadow->is_lit)
        return;
    // Offset from the surface by as much as it may rise within the reach of a look-up; otherwise it would
    // shade itself.
    simd_float p[3], upright = 1 - simd_load(lanes->normal[1]);
    simd_float off = shadow->texel * (LIFT + WALL_LIFT * upright);
    for (int k = 0; k < 3; k++)
        p[k] = simd_load(lanes->place[k]) + simd_load(lanes->normal[k]) * off;
    float at[3][4];
    for (int k = 0; k < 3; k++) {
        simd_float sum = shadow->row[k][0] * p[0] + shadow->row[k][1] * p[1] + shadow->row[k][2] * p[2] +
                         (shadow->row[k][3] - (k < 2 ? 0.5f : 0));
        if (k == 2)
            sum += shadow->texel * WALL_RISE * simd_min(upright, simd_set(1));
        memcpy(at[k], &sum, sizeof sum);
    }
    float last = (float)shadow->size - 4;
    uint32_t side = shadow->size / RENDER_BLOCK;
    for (int i = 0; i < 4; i++) {
        float x = at[0][i], y = at[1][i];
        if (!(lit[i] > 0 && x >= 2 && y >= 2 && x < last && y < last))
            continue;
        size_t block = (size_t)((uint32_t)y / RENDER_BLOCK) * side + (uint32_t)x / RENDER_BLOCK;
        if (at[2][i] < shadow->block_low[block])
            lit[i] = 0;
        else if (at[2][i] < shadow->block_high[block])
            lit[i] = look_up(shadow, x, y, at[2][i]);
    }
}
