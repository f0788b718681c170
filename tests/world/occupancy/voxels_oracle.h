// What slicing must and may set, by exact arithmetic: triangles against the boxes of cells, one by one.
#pragma once
#include "world/little.h"
#include "world/oracle.h"
#include "troupe/world/voxels.h"

// Coordinates of the exact tests are whole numbers of 1/64 m; a cell is 16 of them, a layer 8.
#define VOXEL_UNIT (1.0f / 64)
#define VOXEL_CELL 16
#define VOXEL_LAYER 8
#define VOXEL_COLUMNS 40 // more than a tile
#define VOXEL_ROWS 36
#define VOXEL_LAYERS 70 // more than a word
#define VOXEL_FIRST_X (-96)
#define VOXEL_FIRST_Y (-80)
#define VOXEL_FIRST_Z (-160)

static inline tr_voxel_grid voxel_exact_grid(void) {
    tr_voxel_grid grid = {
        .grid = {{VOXEL_FIRST_X * VOXEL_UNIT, VOXEL_FIRST_Z * VOXEL_UNIT},
                 VOXEL_CELL * VOXEL_UNIT,
                 VOXEL_COLUMNS,
                 VOXEL_ROWS},
        .bottom = VOXEL_FIRST_Y * VOXEL_UNIT,
        .layer = VOXEL_LAYER * VOXEL_UNIT,
        .layers = VOXEL_LAYERS,
    };
    return grid;
}

static inline tr_voxels_request voxel_request(const tr_scene *scene, const tr_voxel_grid *grid) {
    tr_voxels_request request = {.scene = scene,
                                 .grid = *grid,
                                 .region = tr_grid_all(&grid->grid),
                                 .exclude_object = TR_NONE,
                                 .stand_cosine = 0.70710678f};
    return request;
}

// One of many kinds of triangle: whole, thin, upright, flat, a segment, a point, on the borders, large, tiny.
static inline void voxel_random_triangle(tr_random *random, int64_t triangle[3][3]) {
    uint32_t kind = tr_random_below(random, 12);
    int64_t size = kind == 0 ? 1500 : kind == 1 ? 6 : 8 + (int64_t)tr_random_below(random, 200);
    int64_t centre[3];
    centre[0] = VOXEL_FIRST_X + (int64_t)tr_random_below(random, VOXEL_COLUMNS * VOXEL_CELL + 40) - 20;
    centre[1] = VOXEL_FIRST_Y + (int64_t)tr_random_below(random, VOXEL_LAYERS * VOXEL_LAYER + 40) - 20;
    centre[2] = VOXEL_FIRST_Z + (int64_t)tr_random_below(random, VOXEL_ROWS * VOXEL_CELL + 40) - 20;
    for (int i = 0; i < 9; i++)
        triangle[i / 3][i % 3] =
            centre[i % 3] + (int64_t)tr_random_below(random, (uint32_t)size + 1) - size / 2;
    if (kind == 2) // upright: the third corner above the first
        triangle[2][0] = triangle[0][0], triangle[2][2] = triangle[0][2];
    if (kind == 3) // a segment
        memcpy(triangle[2], triangle[1], sizeof triangle[1]);
    if (kind == 4) // a point
        memcpy(triangle[1], triangle[0], sizeof triangle[0]),
            memcpy(triangle[2], triangle[0], sizeof triangle[0]);
    if (kind == 5 || kind == 10) // flat
        triangle[1][1] = triangle[2][1] = triangle[0][1];
    if (kind == 6 || kind == 10) // corners on the corners of cells, in 10 on a border of layers too
        for (int i = 0; i < 9; i++)
            triangle[i / 3][i % 3] &= i % 3 == 1 && kind == 6
                                          ? ~(int64_t)0
                                          : ~(int64_t)((i % 3 == 1 ? VOXEL_LAYER : VOXEL_CELL) - 1);
    if (kind == 7) // a wall along the grid, on a border
        for (int k = 0; k < 3; k++)
            triangle[k][0] = centre[0] & ~(int64_t)(VOXEL_CELL - 1);
    if (kind == 8) // heights exactly on the ends of the grid
        for (int k = 0; k < 3; k++)
            triangle[k][1] = VOXEL_FIRST_Y + (tr_random_below(random, 2) ? 0 : VOXEL_LAYERS * VOXEL_LAYER);
    if (kind == 9) { // a sliver: the third corner one unit off the edge
        for (int axis = 0; axis < 3; axis++)
            triangle[2][axis] = (triangle[0][axis] + triangle[1][axis]) / 2 + (axis == 0);
    }
    if (kind == 11) // an upright segment
        for (int k = 1; k < 3; k++)
            triangle[k][0] = triangle[0][0], triangle[k][2] = triangle[0][2];
}

static inline tr_scene *voxel_scene(int64_t (*triangles)[3][3], uint32_t count, uint32_t tags) {
    static tr_vec3 positions[3 * 64];
    static uint32_t indices[3 * 64];
    for (uint32_t i = 0; i < 3 * count; i++) {
        const int64_t *p = triangles[i / 3][i % 3];
        positions[i] =
            tr_vec3_make((float)p[0] * VOXEL_UNIT, (float)p[1] * VOXEL_UNIT, (float)p[2] * VOXEL_UNIT);
        indices[i] = i;
    }
    tr_scene *scene;
    uint32_t mesh;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    tr_mesh_def def = {
        .positions = positions, .position_count = 3 * count, .indices = indices, .triangle_count = count};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    CHECK(little_object(scene, mesh, tr_affine_identity(), tags) != TR_NONE);
    return scene;
}

// Does the triangle touch the cell, made larger on all sides by the slack when `near`? 32 times finer than
// the units, both kinds of slack are whole numbers.
static inline bool voxel_touches(int64_t triangle[3][3], uint32_t column, uint32_t layer, uint32_t row,
                                 bool near) {
    int64_t fine[3][3];
    for (int i = 0; i < 9; i++)
        fine[i / 3][i % 3] = 32 * triangle[i / 3][i % 3];
    int64_t centre[3] = {32 * (VOXEL_FIRST_X + VOXEL_CELL * (int64_t)column) + 16 * VOXEL_CELL,
                         32 * (VOXEL_FIRST_Y + VOXEL_LAYER * (int64_t)layer) + 16 * VOXEL_LAYER,
                         32 * (VOXEL_FIRST_Z + VOXEL_CELL * (int64_t)row) + 16 * VOXEL_CELL};
    int64_t half[3] = {16 * VOXEL_CELL + 2 * near, 16 * VOXEL_LAYER + 1 * near, 16 * VOXEL_CELL + 2 * near};
    return oracle_touches_int(fine, centre, half);
}

// The highest point of a triangle inside a box: the last height at which the box, cut off there, is still
// touched. -INFINITY when the box is not touched at all.
static inline double voxel_highest(double triangle[3][3], double box[3][2]) {
    double centre[3], half[3];
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = (box[axis][0] + box[axis][1]) / 2;
        half[axis] = (box[axis][1] - box[axis][0]) / 2;
    }
    if (!oracle_touches(triangle, centre, half))
        return -INFINITY;
    double from = box[1][0], to = box[1][1];
    for (int step = 0; step < 40; step++) { // touched when cut at `from`, perhaps not at `to`
        double middle = (from + to) / 2;
        centre[1] = (middle + box[1][1]) / 2;
        half[1] = (box[1][1] - middle) / 2;
        if (oracle_touches(triangle, centre, half))
            from = middle;
        else
            to = middle;
    }
    return from;
}

// The cosine between a triangle's plane and the ground, or -1 for one without area.
static inline double voxel_cosine(double t[3][3]) {
    double a[3], b[3];
    for (int axis = 0; axis < 3; axis++)
        a[axis] = t[1][axis] - t[0][axis], b[axis] = t[2][axis] - t[0][axis];
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return length > 0 ? fabs(n[1]) / length : -1;
}

// The box of a cell, made larger by parts of a cell and of a layer.
static inline void voxel_cell_box(const tr_voxel_grid *grid, uint32_t column, uint32_t layer, uint32_t row,
                                  double aside, double up, double box[3][2]) {
    double cell = grid->grid.cell, height = grid->layer;
    box[0][0] = grid->grid.origin.x + (column - aside) * cell;
    box[0][1] = grid->grid.origin.x + (column + 1 + aside) * cell;
    box[1][0] = grid->bottom + (layer - up) * height;
    box[1][1] = grid->bottom + (layer + 1 + up) * height;
    box[2][0] = grid->grid.origin.z + (row - aside) * cell;
    box[2][1] = grid->grid.origin.z + (row + 1 + aside) * cell;
}

// [first, last] of the numbers in [0, count) whose interval, a little larger, a triangle can touch.
static inline void voxel_numbers_under(int64_t triangle[3][3], int axis, int64_t begin, int64_t size,
                                       int64_t count, int64_t *first, int64_t *last) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int k = 0; k < 3; k++) {
        low = triangle[k][axis] < low ? triangle[k][axis] : low;
        high = triangle[k][axis] > high ? triangle[k][axis] : high;
    }
    *first = (low - begin + 1000 * size) / size - 1000 - 1;
    *last = (high - begin + 1000 * size) / size - 1000 + 1;
    *first = *first < 0 ? 0 : *first;
    *last = *last >= count ? count - 1 : *last;
}

static uint8_t voxel_expected[VOXEL_ROWS][VOXEL_COLUMNS][VOXEL_LAYERS]; // 1: may be set, 3: must be

static inline void voxel_expect(int64_t triangle[3][3]) {
    int64_t c0, c1, k0, k1, r0, r1;
    voxel_numbers_under(triangle, 0, VOXEL_FIRST_X, VOXEL_CELL, VOXEL_COLUMNS, &c0, &c1);
    voxel_numbers_under(triangle, 1, VOXEL_FIRST_Y, VOXEL_LAYER, VOXEL_LAYERS, &k0, &k1);
    voxel_numbers_under(triangle, 2, VOXEL_FIRST_Z, VOXEL_CELL, VOXEL_ROWS, &r0, &r1);
    for (int64_t row = r0; row <= r1; row++)
        for (int64_t column = c0; column <= c1; column++)
            for (int64_t layer = k0; layer <= k1; layer++) {
                uint8_t *cell = &voxel_expected[row][column][layer];
                uint32_t c = (uint32_t)column, k = (uint32_t)layer, r = (uint32_t)row;
                if (*cell == 3 || !voxel_touches(triangle, c, k, r, true))
                    continue;
                *cell |= voxel_touches(triangle, c, k, r, false) ? 3 : 1;
            }
}

typedef struct voxel_tally {
    uint64_t set, by_slack, tops, stands;
} voxel_tally;

// Is the kept height (of `steps` in a layer) between what the cell itself has and what the slack may add?
static inline bool voxel_is_top(const tr_voxel_grid *grid, double height, double tight, double loose,
                                double steps) {
    double rounding = 1e-6 * grid->layer * grid->layers;
    return height >= tight - rounding && height <= loose + grid->layer / steps + rounding;
}

static inline void voxel_check_top(const tr_voxels *voxels, int64_t (*triangles)[3][3], uint32_t count,
                                   uint32_t column, uint32_t layer, uint32_t row, voxel_tally *all) {
    const tr_voxel_grid *grid = &voxels->grid;
    double tight[3][2], loose[3][2], top[2] = {-INFINITY, -INFINITY}, stand[2] = {-INFINITY, -INFINITY};
    voxel_cell_box(grid, column, layer, row, 0, 0, tight);
    voxel_cell_box(grid, column, layer, row, 1.0 / 256, 1.0 / 256, loose);
    for (uint32_t i = 0; i < count; i++) {
        double t[3][3];
        for (int k = 0; k < 9; k++)
            t[k / 3][k % 3] = (double)triangles[i][k / 3][k % 3] * VOXEL_UNIT;
        double heights[2] = {voxel_highest(t, tight), voxel_highest(t, loose)};
        bool stands = voxel_cosine(t) > 0.707106;
        for (int k = 0; k < 2; k++) {
            top[k] = fmax(top[k], heights[k]);
            stand[k] = stands ? fmax(stand[k], heights[k]) : stand[k];
        }
    }
    tr_voxel_top kept = voxels->tops[(size_t)tr_voxels_column(voxels, column, row) * VOXEL_LAYERS + layer];
    double bottom = grid->bottom + (double)layer * grid->layer;
    if (!voxel_is_top(grid, bottom + kept.top * (double)grid->layer / 65535, top[0], top[1], 65535))
        test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) has top %u, not %g to %g", column, layer, row,
                    kept.top, top[0], top[1]);
    if (kept.stand == 0) {
        CHECK(stand[0] == -INFINITY);
        return;
    }
    double height = bottom + ((kept.stand >> 1) - 1) * (double)grid->layer / 32766;
    if (!voxel_is_top(grid, height, stand[0], stand[1], 32766))
        test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) has stand %u, not %g to %g", column, layer, row,
                    kept.stand, stand[0], stand[1]);
    CHECK_INT(kept.stand & 1, 1); // the scene's object has the sure tag
    all->stands++;
}

// All cells of the exact grid, and the tops of those with nothing above. The scene's object is tagged as one
// to stand on.
static inline void voxel_check(const tr_voxels *voxels, int64_t (*triangles)[3][3], uint32_t count,
                               bool with_tops, voxel_tally *all) {
    memset(voxel_expected, 0, sizeof voxel_expected);
    for (uint32_t i = 0; i < count; i++)
        voxel_expect(triangles[i]);
    for (uint32_t row = 0; row < VOXEL_ROWS; row++)
        for (uint32_t column = 0; column < VOXEL_COLUMNS; column++)
            for (uint32_t layer = 0; layer < VOXEL_LAYERS; layer++) {
                bool set = tr_voxels_get(voxels, column, layer, row);
                uint8_t cell = voxel_expected[row][column][layer];
                if (set ? cell == 0 : cell == 3)
                    test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) is %s", column, layer, row,
                                set ? "set, and nothing is near" : "touched, and not set");
                if (!set)
                    continue;
                all->set++;
                all->by_slack += cell == 1;
                bool covered = layer + 1 < VOXEL_LAYERS && tr_voxels_get(voxels, column, layer + 1, row);
                if (!with_tops || covered)
                    continue;
                voxel_check_top(voxels, triangles, count, column, layer, row, all);
                all->tops++;
            }
}

// What must (3) and may (1) be set of any grid, for all meshes of a scene: in doubles, so cells that are
// touched by less than a millionth may be either. One byte for each cell, numbered like tr_voxels.tops.
static inline void voxel_expect_scene(const tr_scene *scene, const tr_voxel_grid *grid, uint8_t *cells) {
    double slack = tr_raster_slack(&grid->grid), size[3] = {grid->grid.cell, grid->layer, grid->grid.cell};
    const double origin[3] = {grid->grid.origin.x, grid->bottom, grid->grid.origin.z};
    const double count[3] = {grid->grid.columns, grid->layers, grid->grid.rows};
    for (uint32_t object = 0; object < tr_scene_object_count(scene); object++) {
        tr_object_view view = tr_scene_object(scene, object);
        for (uint32_t i = 0; view.mesh != TR_NONE && i < tr_scene_mesh(scene, view.mesh).triangle_count;
             i++) {
            double t[3][3], tight[3][2], loose[3][2];
            int64_t first[3], last[3];
            oracle_triangle(scene, object, i, t);
            for (int axis = 0; axis < 3; axis++) {
                double low = fmin(t[0][axis], fmin(t[1][axis], t[2][axis])),
                       high = fmax(t[0][axis], fmax(t[1][axis], t[2][axis]));
                first[axis] = (int64_t)fmax(floor((low - origin[axis]) / size[axis] - 0.1), 0);
                last[axis] = (int64_t)fmin(floor((high - origin[axis]) / size[axis] + 0.1), count[axis] - 1);
            }
            for (int64_t row = first[2]; row <= last[2]; row++)
                for (int64_t column = first[0]; column <= last[0]; column++)
                    for (int64_t layer = first[1]; layer <= last[1]; layer++) {
                        uint32_t c = (uint32_t)column, k = (uint32_t)layer, r = (uint32_t)row;
                        uint8_t *cell = &cells[((size_t)r * grid->grid.columns + c) * grid->layers + k];
                        double centre[3], half[2][3];
                        voxel_cell_box(grid, c, k, r, -1e-6, -1e-6, tight);
                        voxel_cell_box(grid, c, k, r, slack, 1.0 / 256, loose);
                        for (int axis = 0; axis < 3; axis++) {
                            centre[axis] = (tight[axis][0] + tight[axis][1]) / 2;
                            half[0][axis] = (tight[axis][1] - tight[axis][0]) / 2;
                            half[1][axis] = (loose[axis][1] - loose[axis][0]) / 2;
                        }
                        if (*cell != 3 && oracle_touches(t, centre, half[1]))
                            *cell |= oracle_touches(t, centre, half[0]) ? 3 : 1;
                    }
        }
    }
}

// Are the cells between the two?
static inline void voxel_check_scene(const tr_voxels *voxels, const tr_scene *scene) {
    const tr_voxel_grid *grid = &voxels->grid;
    size_t count = (size_t)grid->grid.columns * grid->grid.rows * grid->layers;
    tr_allocator allocator = tr_allocator_default();
    uint8_t *cells = tr_allocate_zero(&allocator, count, 1);
    REQUIRE(cells);
    voxel_expect_scene(scene, grid, cells);
    for (size_t i = 0; i < count; i++) {
        uint32_t layer = (uint32_t)(i % grid->layers),
                 column = (uint32_t)(i / grid->layers % grid->grid.columns),
                 row = (uint32_t)(i / grid->layers / grid->grid.columns);
        bool set = tr_voxels_get(voxels, column, layer, row);
        if (set ? cells[i] == 0 : cells[i] == 3)
            test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) is %s", column, layer, row,
                        set ? "set, and nothing is near" : "touched, and not set");
    }
    tr_release(&allocator, cells, count, 1);
}
