// What a surface must be, worked out the slow way from the dense grid: layer by layer, cell by cell.
#pragma once
#include "world/little.h"
#include "troupe/base/scalar.h"
#include "troupe/world/surface.h"

#include <stdlib.h>

typedef struct oracle_cell {
    uint32_t column, row, height, room, kind;
    uint32_t patch; // union-find
} oracle_cell;

// Columns row by row: those of column i are cells first[i] to first[i + 1] - 1.
typedef struct surface_oracle {
    oracle_cell *cells;
    uint32_t *first;
    uint32_t count, columns, rows;
} surface_oracle;

static inline void oracle_destroy(surface_oracle *oracle) {
    free(oracle->cells);
    free(oracle->first);
}

static inline tr_voxels_request oracle_request(const tr_surface_def *def, const tr_scene *scene) {
    double sine, cosine;
    tr_sin_cos(def->slope, &sine, &cosine);
    cosine -= 1e-6;
    tr_voxels_request request = {.scene = scene,
                                 .grid = def->grid,
                                 .region = tr_grid_all(&def->grid.grid),
                                 .exclude_tags = def->exclude_tags,
                                 .exclude_object = TR_NONE,
                                 .stand_cosine = cosine > 0 ? (float)cosine : 0,
                                 .stand_exclude_tags = TR_TAG_NO_STEP,
                                 .sure_tags = TR_TAG_WALKABLE};
    return request;
}

static inline double oracle_unit(const tr_surface_def *def) {
    double range = (double)def->grid.layer * def->grid.layers;
    return range <= 65.0001 ? 0.001 : range / 65535;
}

// The kind by the definition: stand lies no more than `merge` and what rounding may do below the top.
static inline uint32_t oracle_kind(const tr_surface_def *def, tr_voxel_top top) {
    if (top.stand == 0)
        return TR_SURFACE_STEEP;
    double layer = def->grid.layer, stand = ((top.stand >> 1) - 1) / 32766.0 * layer,
           height = top.top / 65535.0 * layer;
    double slack = fmax(oracle_unit(def), layer / 128);
    return height - stand > def->merge + slack ? TR_SURFACE_STEEP
           : top.stand & 1                     ? TR_SURFACE_SURE
                                               : TR_SURFACE_STAND;
}

static inline void oracle_add(surface_oracle *oracle, const tr_surface_def *def, uint32_t column,
                              uint32_t row, uint32_t height, uint32_t kind, uint32_t ceiling) {
    double unit = oracle_unit(def), room = INFINITY;
    if (ceiling < def->grid.layers) {
        room = (double)ceiling * def->grid.layer - height * unit;
        if (room < def->room_least - unit / 64)
            return;
    }
    double steps = floor(room / def->room_step + 1.0 / 64);
    oracle_cell cell = {.column = column,
                        .row = row,
                        .height = height,
                        .room = steps < 63 ? (uint32_t)fmax(steps, 0) : 63,
                        .kind = kind,
                        .patch = oracle->count};
    oracle->cells[oracle->count++] = cell;
}

static inline void oracle_column(surface_oracle *oracle, const tr_surface_def *def, const tr_voxels *voxels,
                                 uint32_t column, uint32_t row) {
    uint32_t layers = def->grid.layers, lowest = layers;
    for (uint32_t k = layers; k-- > 0;)
        if (tr_voxels_get(voxels, column, k, row))
            lowest = k;
    if (lowest < layers && lowest > 0)
        oracle_add(oracle, def, column, row, 0, TR_SURFACE_VOID, lowest);
    for (uint32_t k = 0; k < layers; k++) {
        if (!tr_voxels_get(voxels, column, k, row) ||
            (k + 1 < layers && tr_voxels_get(voxels, column, k + 1, row)))
            continue;
        uint32_t ceiling = k + 1;
        while (ceiling < layers && !tr_voxels_get(voxels, column, ceiling, row))
            ceiling++;
        tr_voxel_top top = voxels->tops[(size_t)tr_voxels_column(voxels, column, row) * layers + k];
        double metres = (k + top.top / 65535.0) * def->grid.layer;
        double units = ceil(metres / oracle_unit(def) - 1.0 / 64);
        oracle_add(oracle, def, column, row, (uint32_t)fmin(units, 65535), oracle_kind(def, top), ceiling);
    }
}

static inline uint32_t oracle_root(const surface_oracle *oracle, uint32_t i) {
    while (oracle->cells[i].patch != i)
        i = oracle->cells[i].patch;
    return i;
}

// Runs over all pairs of cells of neighbouring columns. `side` 0: +x, 1: +z.
static inline bool oracle_next(const surface_oracle *oracle, uint32_t column, uint32_t row, int side,
                               uint32_t *other) {
    uint32_t c = column + (side == 0), r = row + (side == 1);
    *other = r * oracle->columns + c;
    return c < oracle->columns && r < oracle->rows;
}

typedef struct oracle_patch {
    uint32_t count, joints; // joints: steps from a cell of the patch to another, each way
    bool raised, sure;
} oracle_patch;

static inline void oracle_look(const surface_oracle *oracle, uint32_t from, uint32_t to, int32_t rise,
                               int32_t step, int32_t raised, oracle_patch *patches, bool judge) {
    // One look from each cell of a column at all of the other.
    for (uint32_t i = oracle->first[from]; i < oracle->first[from + 1]; i++) {
        for (uint32_t j = oracle->first[to]; j < oracle->first[to + 1]; j++) {
            oracle_cell *a = &oracle->cells[i], *b = &oracle->cells[j];
            int32_t up = (int32_t)a->height - (int32_t)b->height;
            if (a->kind < TR_SURFACE_STAND || b->kind < TR_SURFACE_STAND)
                continue;
            if (abs(up) <= rise) {
                if (judge)
                    patches[oracle_root(oracle, i)].joints++;
                else
                    oracle->cells[oracle_root(oracle, i)].patch = oracle_root(oracle, j);
            } else if (up > rise && judge) {
                patches[oracle_root(oracle, i)].raised |= up <= raised;
                patches[oracle_root(oracle, j)].sure |= up <= step;
            }
        }
    }
}

static inline void oracle_guess(surface_oracle *oracle, const tr_surface_def *def) {
    double unit = oracle_unit(def), sine, cosine, cell = def->grid.grid.cell;
    tr_sin_cos(def->slope, &sine, &cosine);
    double slope = cosine > 1e-6 ? cell * sine / cosine : 65536;
    int32_t rise = (int32_t)fmin(floor(fmax(slope, def->guess_rise) / unit + 1.0 / 64), 65535) + 1;
    int32_t step = (int32_t)floor(def->guess_step / unit + 1.0 / 64) + 1;
    int32_t raised = (int32_t)floor(1.5 / unit + 1.0 / 64);
    oracle_patch *patches = calloc(oracle->count + 1, sizeof *patches);
    for (int judge = 0; judge < 2; judge++)
        for (uint32_t row = 0; row < oracle->rows; row++)
            for (uint32_t column = 0; column < oracle->columns; column++)
                for (int side = 0; side < 2; side++) {
                    uint32_t here = row * oracle->columns + column, other;
                    if (!oracle_next(oracle, column, row, side, &other))
                        continue;
                    oracle_look(oracle, here, other, rise, step, raised, patches, judge);
                    oracle_look(oracle, other, here, rise, step, raised, patches, judge);
                }
    for (uint32_t i = 0; i < oracle->count; i++) {
        oracle_patch *patch = &patches[oracle_root(oracle, i)];
        patch->count++;
        patch->sure |= oracle->cells[i].kind == TR_SURFACE_SURE;
    }
    double limit = def->guess_area / (cell * cell);
    for (uint32_t i = 0; i < oracle->count; i++) {
        const oracle_patch *patch = &patches[oracle_root(oracle, i)];
        double area = patch->count - (4.0 * patch->count - patch->joints) / 2 + 1;
        if (oracle->cells[i].kind == TR_SURFACE_STAND && patch->raised && !patch->sure && area < limit &&
            patch->count <= floor(4 * limit + 8))
            oracle->cells[i].kind = TR_SURFACE_STEEP;
    }
    free(patches);
}

static inline surface_oracle oracle_make(const tr_surface_def *def, tr_raster *raster,
                                         const tr_scene *scene) {
    tr_voxels voxels;
    tr_voxels_request request = oracle_request(def, scene);
    uint32_t columns = def->grid.grid.columns, rows = def->grid.grid.rows;
    surface_oracle oracle = {.columns = columns, .rows = rows};
    oracle.cells = malloc(sizeof *oracle.cells * columns * rows * (def->grid.layers / 2 + 2));
    oracle.first = calloc((size_t)columns * rows + 1, sizeof *oracle.first);
    CHECK_INT(tr_voxels_make(raster, &request, true, NULL, &voxels, NULL), TR_OK);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            oracle.first[row * columns + column] = oracle.count;
            oracle_column(&oracle, def, &voxels, column, row);
        }
    oracle.first[columns * rows] = oracle.count;
    if (def->guess)
        oracle_guess(&oracle, def);
    tr_voxels_destroy(NULL, &voxels);
    return oracle;
}

// The first difference only: one is enough to look for.
static inline bool oracle_agrees(const surface_oracle *oracle, const tr_surface *surface) {
    if (oracle->count != tr_surface_cell_count(surface)) {
        test_failed(__FILE__, __LINE__, "%u cells, expected %u", tr_surface_cell_count(surface),
                    oracle->count);
        return false;
    }
    for (uint32_t i = 0; i < oracle->columns * oracle->rows; i++) {
        tr_surface_column column = tr_surface_at(surface, i % oracle->columns, i / oracle->columns);
        const oracle_cell *cells = oracle->cells + oracle->first[i];
        bool same = column.count == oracle->first[i + 1] - oracle->first[i];
        for (uint32_t k = 0; k < column.count && same; k++) {
            same = column.heights[k] == cells[k].height &&
                   column.rooms[k] == (cells[k].kind << 6 | cells[k].room);
            if (!same)
                test_failed(__FILE__, __LINE__,
                            "column %u row %u cell %u: height %u kind %u room %u, expected %u %u %u",
                            i % oracle->columns, i / oracle->columns, k, column.heights[k],
                            column.rooms[k] >> 6, column.rooms[k] & 63, cells[k].height, cells[k].kind,
                            cells[k].room);
        }
        if (!same) {
            test_failed(__FILE__, __LINE__, "column %u row %u differs (%u cells)", i % oracle->columns,
                        i / oracle->columns, column.count);
            return false;
        }
    }
    return true;
}

// Random things in a volume of `size` metres: slabs, boxes, ramps, spikes, with random tags.
static inline uint32_t oracle_thing(tr_scene *scene, tr_random *random, tr_vec3 size) {
    float x = tr_random_between(random, -0.2f, size.x), y = tr_random_between(random, -0.1f, size.y),
          z = tr_random_between(random, -0.2f, size.z);
    float wide = tr_random_between(random, 0, 2), deep = tr_random_between(random, 0, 2),
          high = tr_random_between(random, 0, 0.9f);
    uint32_t shape = tr_random_below(random, 5), tag = tr_random_below(random, 8);
    uint32_t tags = tag == 0 ? TR_TAG_NO_STEP : tag == 1 ? TR_TAG_WALKABLE : tag == 2 ? TR_TAG_CHARACTER : 0;
    if (shape == 0) // a floor
        x = z = -0.5f, wide = size.x + 1, deep = size.z + 1, high = 0.02f;
    if (shape == 4) // heights on the borders of layers
        y = floorf(y * 10) / 10, high = floorf(high * 10) / 10;
    tr_vec3 corners[8];
    little_box_corners(little_make_box(x, y, z, x + wide, y + high, z + deep), corners);
    for (int i = 0; i < 8 && shape == 1; i++) // a ramp
        corners[i].y += i & 1 ? high : 0;
    for (int i = 0; i < 8 && shape == 2; i++) // leaning
        corners[i].x += i & 2 ? wide / 2 : 0;
    tr_mesh_def def = {
        .positions = corners, .position_count = 8, .indices = little_box_indices, .triangle_count = 12};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    return little_object(scene, mesh, tr_affine_identity(), tags);
}

static inline tr_scene *oracle_scene(tr_random *random, tr_vec3 size, uint32_t things) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    for (uint32_t i = 0; i < things; i++)
        oracle_thing(scene, random, size);
    return scene;
}

static inline tr_surface_def oracle_def(tr_random *random, uint32_t side_max) {
    tr_surface_def def = tr_surface_def_default();
    def.grid.grid.cell = tr_random_below(random, 2) ? 0.1f : 0.25f;
    def.grid.grid.columns = 1 + tr_random_below(random, side_max);
    def.grid.grid.rows = 1 + tr_random_below(random, side_max);
    def.grid.layer = tr_random_below(random, 2) ? 0.1f : 0.05f;
    def.grid.layers = 1 + tr_random_below(random, 140);
    def.merge = tr_random_below(random, 3) ? 0 : 0.03f;
    def.room_least = tr_random_below(random, 3) ? 0.5f : 0;
    def.slope = tr_random_between(random, 0, 1.4f);
    def.guess = tr_random_below(random, 3) != 0;
    def.guess_area = tr_random_between(random, 0, 3);
    def.guess_rise = tr_random_between(random, 0, 0.5f);
    def.guess_step = tr_random_below(random, 2) ? tr_random_between(random, 0, 1) : 0;
    return def;
}

static inline tr_vec3 oracle_size(const tr_surface_def *def) {
    return tr_vec3_make(def->grid.grid.cell * (float)def->grid.grid.columns,
                        def->grid.layer * (float)def->grid.layers,
                        def->grid.grid.cell * (float)def->grid.grid.rows);
}
