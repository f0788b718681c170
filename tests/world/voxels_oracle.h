// What slicing must and may set, by exact arithmetic: triangles against the boxes of cells, one by one.
#pragma once
#include "little.h"
#include "oracle.h"
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
