// The floor spreads from the seeds over cells whose floors differ by small rises, and, where nothing can be
// stood on, onwards at the same height as long as some band is free there: over a log, under an arch, across
// a ditch. So the inside of a wall is not reached, and the ground behind a log is.
#include "behavior_terrain_job.h"
#include "troupe/world/occupancy.h"

#include <math.h>
#include <string.h>

#define LAYER 0.025f // height of a voxel [m]; a quarter of the step if that is less
#define CARRIED 3.0f // how far a floor continues where nothing can be stood on [m]
#define FAR_UP 20.0f // geometry that is further from all seeds does not count [m]
#define FAR_DOWN 20.0f
#define ROOM_LEAST 0.3f                // head room above a floor [m]
#define BYTES_MOST ((uint64_t)1 << 31) // of voxels

static void release_bitmaps(const tr_allocator *allocator, tr_bitmap *bitmaps) {
    for (uint32_t i = 0; i < TR_BEHAVIOR_BANDS_MAX; i++)
        if (bitmaps[i].words)
            tr_bitmap_destroy(allocator, &bitmaps[i]);
}

void tr_behavior_terrain_free(const tr_allocator *allocator, const tr_grid *grid, behavior_terrain *terrain) {
    size_t cells = (size_t)grid->columns * grid->rows;
    tr_release(allocator, terrain->heights, cells, sizeof *terrain->heights);
    tr_release(allocator, terrain->lowest, cells, sizeof *terrain->lowest);
    tr_release(allocator, terrain->highest, cells, sizeof *terrain->highest);
    release_bitmaps(allocator, terrain->occupied);
    release_bitmaps(allocator, terrain->blocked);
    memset(terrain, 0, sizeof *terrain);
}

static tr_status allocate(const behavior_terrain_def *def, terrain_job *job, behavior_terrain *made,
                          tr_error *error) {
    const tr_allocator *allocator = &def->allocator;
    size_t cells = job->cells;
    made->heights = tr_allocate(allocator, cells, sizeof *made->heights);
    made->lowest = tr_allocate(allocator, cells, sizeof *made->lowest);
    made->highest = tr_allocate(allocator, cells, sizeof *made->highest);
    job->queue_room = def->climb_up > 0 || def->climb_down > 0 ? 2 * cells : cells;
    job->queue = tr_allocate(allocator, job->queue_room, sizeof *job->queue);
    job->carried = tr_allocate(allocator, cells, sizeof *job->carried);
    job->steps = tr_allocate(allocator, cells, sizeof *job->steps);
    job->scratch = tr_allocate(allocator, cells, sizeof *job->scratch);
    bool fine = made->heights && made->lowest && made->highest && job->queue && job->carried && job->steps &&
                job->scratch;
    for (uint32_t i = 0; i < def->band_count && fine; i++)
        fine = tr_bitmap_create(allocator, def->grid.columns, def->grid.rows, &made->occupied[i]) == TR_OK &&
               tr_bitmap_create(allocator, def->grid.columns, def->grid.rows, &made->blocked[i]) == TR_OK;
    return fine ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the floor of %u cells", job->cells);
}

static void release_job(const behavior_terrain_def *def, terrain_job *job) {
    const tr_allocator *allocator = &def->allocator;
    tr_surface_destroy(job->surface);
    tr_voxels_destroy(allocator, &job->voxels);
    tr_release(allocator, job->queue, job->queue_room, sizeof *job->queue);
    tr_release(allocator, job->carried, job->cells, sizeof *job->carried);
    tr_release(allocator, job->steps, job->cells, sizeof *job->steps);
    tr_release(allocator, job->scratch, job->cells, sizeof *job->scratch);
}

// --- Slicing ---

static bool is_excluded(const behavior_terrain_def *def, uint32_t object) {
    return object < def->exclude_count && def->exclude[object / 64] >> (object % 64) & 1;
}

// The heights of everything that stands, near the seeds.
static void find_heights(const behavior_terrain_def *def, const tr_scene *scene, float *low, float *high) {
    float seed_low = INFINITY, seed_high = -INFINITY, top = 0;
    for (uint32_t i = 0; i < def->seed_count; i++) {
        seed_low = def->seeds[i].y < seed_low ? def->seeds[i].y : seed_low;
        seed_high = def->seeds[i].y > seed_high ? def->seeds[i].y : seed_high;
    }
    for (uint32_t i = 0; i < def->band_count; i++)
        top = def->bands[i].high > top ? def->bands[i].high : top;
    *low = seed_low, *high = seed_high;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_box box = is_excluded(def, i) ? tr_box_empty() : tr_scene_object(scene, i).bounds;
        if (tr_box_is_empty(box))
            continue;
        *low = box.min.y < *low ? box.min.y : *low;
        *high = box.max.y > *high ? box.max.y : *high;
    }
    *low = *low > seed_low - FAR_DOWN ? *low : seed_low - FAR_DOWN;
    *high = *high < seed_high + FAR_UP + top ? *high : seed_high + FAR_UP + top;
}

static tr_status voxel_grid(const behavior_terrain_def *def, const tr_scene *scene, float layer,
                            tr_voxel_grid *grid, tr_error *error) {
    float low, high;
    find_heights(def, scene, &low, &high);
    grid->grid = def->grid;
    grid->layer = layer;
    grid->bottom = low - 2 * layer;
    double layers = ceil(((double)high - (double)low) / (double)layer) + 4;
    if (!(layers <= TR_VOXEL_LAYERS_MAX))
        return tr_fail(error, TR_LIMIT, "the scene is %g m high, the highest is %g m",
                       (double)high - (double)low, (double)(layer * TR_VOXEL_LAYERS_MAX));
    grid->layers = (uint32_t)layers;
    return TR_OK;
}

static tr_status slice(terrain_job *job, tr_raster *raster, const tr_scene *scene, tr_error *error) {
    const behavior_terrain_def *def = job->def;
    tr_surface_def surface = tr_surface_def_default();
    float layer = def->step / 4 < LAYER ? def->step / 4 : LAYER;
    tr_voxels_request request = {.scene = scene,
                                 .exclude_tags = TR_TAG_CHARACTER,
                                 .exclude_object = TR_NONE,
                                 .exclude = def->exclude,
                                 .exclude_count = def->exclude_count};
    surface_touched touched = {.tiles = NULL};
    surface_exclude exclude = {def->exclude, def->exclude_count};
    tr_status status = voxel_grid(def, scene, layer, &request.grid, error);
    request.region = tr_grid_all(&def->grid);
    uint64_t bytes = (uint64_t)job->cells * ((request.grid.layers + 63) / 64) * 8;
    if (status == TR_OK && bytes > BYTES_MOST)
        status = tr_fail(error, TR_LIMIT,
                         "%u cells of %u layers would take %g GiB, the most is 2: choose larger cells",
                         job->cells, request.grid.layers, (double)bytes / 1073741824);
    if (status == TR_OK)
        status = tr_voxels_make(raster, &request, false, &def->allocator, &job->voxels, error);
    surface.allocator = &def->allocator;
    surface.room_least = ROOM_LEAST;
    surface.grid = request.grid;
    if (status == TR_OK)
        status = tr_surface_create(&surface, &job->surface, error);
    if (status == TR_OK)
        status = tr_surface_follow(job->surface, raster, scene, exclude, &touched, error);
    return status;
}

// --- Bands of a cell ---

// Whether geometry of a column lies between two heights.
static bool is_touched(const terrain_job *job, uint32_t cell, float low, float high) {
    const tr_voxel_grid *grid = &job->voxels.grid;
    if (!(low <= high))
        return false;
    float first = floorf((low - grid->bottom) / grid->layer),
          last = floorf((high - grid->bottom) / grid->layer);
    if (last < 0 || first >= (float)grid->layers)
        return false;
    uint32_t begin = first > 0 ? (uint32_t)first : 0;
    uint32_t end = last + 1 < (float)grid->layers ? (uint32_t)last + 1 : grid->layers;
    const uint64_t *bits = job->voxels.occupied + (size_t)cell * job->voxels.words;
    for (uint32_t word = begin / 64; word <= (end - 1) / 64; word++) {
        uint64_t mask = ~(uint64_t)0;
        if (word == begin / 64)
            mask &= ~(uint64_t)0 << (begin % 64);
        if (word == (end - 1) / 64)
            mask &= ~(uint64_t)0 >> (63 - (end - 1) % 64);
        if (bits[word] & mask)
            return true;
    }
    return false;
}

// In a cell without a floor of its own only bands that are in the air are free.
bool tr_behavior_terrain_is_free(const terrain_job *job, uint32_t cell, uint32_t band, float floor,
                                 bool has_floor) {
    const tr_behavior_band *heights = &job->def->bands[band];
    float step = job->def->step, low = heights->low > step ? heights->low : step;
    return (has_floor || heights->low >= step) && !is_touched(job, cell, floor + low, floor + heights->high);
}

bool tr_behavior_terrain_is_any_free(const terrain_job *job, uint32_t cell, float floor, bool has_floor) {
    for (uint32_t i = 0; i < job->def->band_count; i++)
        if (tr_behavior_terrain_is_free(job, cell, i, floor, has_floor))
            return true;
    return false;
}

// Whether something is right under this height: the ground continues under an obstacle that lies on it.
static bool is_carried_by_ground(const terrain_job *job, uint32_t cell, float floor) {
    return is_touched(job, cell, floor - job->def->step, floor + job->def->step);
}

// --- The flood ---

// The floor of a column that is nearest to a height and within a rise of it; NAN: none.
float tr_behavior_terrain_floor(const terrain_job *job, uint32_t cell, float height, float step) {
    uint32_t columns = job->def->grid.columns;
    tr_surface_scale scale = tr_surface_scale_of(job->surface);
    tr_surface_column tops = tr_surface_at(job->surface, cell % columns, cell / columns);
    float best = NAN, best_away = INFINITY, side = job->def->grid.cell;
    for (uint32_t i = 0; i < tops.count; i++) {
        tr_surface_kind kind = tr_surface_kind_of(tops.rooms[i]);
        float top = (float)(scale.bottom + scale.unit * tops.heights[i]), away = fabsf(top - height);
        // What is meant to be walked on may be as steep as 45 degrees.
        float most = kind == TR_SURFACE_SURE && side > step ? side : step;
        if ((kind == TR_SURFACE_STAND || kind == TR_SURFACE_SURE) && away <= most && away < best_away) {
            best = top;
            best_away = away;
        }
    }
    return best;
}

static void reach(terrain_job *job, flood_queues *flood, uint32_t cell, float floor, uint8_t steps) {
    job->terrain->heights[cell] = floor;
    job->steps[cell] = steps;
    if (steps == 0)
        job->queue[flood->end++] = cell;
    else
        job->carried[flood->carried_end++] = cell;
}

// From a cell to a neighbour that has not been reached.
static void spread(terrain_job *job, flood_queues *flood, uint32_t from, uint32_t to) {
    float height = job->terrain->heights[from],
          own = tr_behavior_terrain_floor(job, to, height, job->def->step);
    if (own == own) {
        if (tr_behavior_terrain_is_any_free(job, to, own, true))
            reach(job, flood, to, own, 0);
        return;
    }
    uint8_t steps = job->steps[from];
    if (steps < job->steps_most &&
        tr_behavior_terrain_is_any_free(job, to, height, is_carried_by_ground(job, to, height)))
        reach(job, flood, to, height, steps + 1);
}

static void spread_around(terrain_job *job, flood_queues *flood, uint32_t cell) {
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint32_t columns = job->def->grid.columns, rows = job->def->grid.rows;
    for (int i = 0; i < 4; i++) {
        uint32_t column = cell % columns + (uint32_t)step[i][0], row = cell / columns + (uint32_t)step[i][1];
        if (column < columns && row < rows && job->steps[row * columns + column] == 255)
            spread(job, flood, cell, row * columns + column);
    }
}

// Seeds without a floor do not count, as long as one has one.
static tr_status start(terrain_job *job, flood_queues *flood, tr_error *error) {
    const behavior_terrain_def *def = job->def;
    tr_status status = TR_NOT_FOUND;
    for (uint32_t i = 0; i < def->seed_count; i++) {
        uint32_t column, row;
        tr_vec3 seed = def->seeds[i];
        bool inside = tr_grid_find(&def->grid, tr_vec3_from_above(seed), &column, &row);
        uint32_t cell = inside ? row * def->grid.columns + column : 0;
        float floor = inside ? tr_behavior_terrain_floor(job, cell, seed.y, job->def->step) : NAN;
        if (floor == floor && job->steps[cell] == 255)
            reach(job, flood, cell, floor, 0);
        if (floor == floor)
            status = TR_OK;
        else if (i == 0)
            tr_fail(error, TR_NOT_FOUND,
                    inside ? "there is no floor at (%g, %g, %g)"
                           : "the place (%g, %g, %g) is outside the map",
                    (double)seed.x, (double)seed.y, (double)seed.z);
    }
    return status;
}

void tr_behavior_terrain_flood(terrain_job *job, flood_queues *flood) {
    while (flood->begin < flood->end || flood->carried_begin < flood->carried_end)
        spread_around(job, flood,
                      flood->begin < flood->end ? job->queue[flood->begin++]
                                                : job->carried[flood->carried_begin++]);
}

static tr_status find_floor(terrain_job *job, tr_error *error) {
    flood_queues flood = {0, 0, 0, 0};
    float most = CARRIED / job->def->grid.cell;
    job->steps_most = most < 250 ? (uint8_t)most : 250;
    memset(job->steps, 255, job->cells);
    for (uint32_t i = 0; i < job->cells; i++)
        job->terrain->heights[i] = NAN;
    tr_status status = start(job, &flood, error);
    if (status == TR_OK)
        tr_behavior_terrain_flood(job, &flood);
    if (status == TR_OK && (job->def->climb_up > job->def->step || job->def->climb_down > job->def->step))
        status = tr_behavior_terrain_climb(job, &flood, error);
    return status;
}

// --- What blocks ---

// Least (or greatest) floors over the cells within `reach` columns and rows, in place.
static void filter(terrain_job *job, float *heights, uint32_t reach, bool greatest) {
    uint32_t columns = job->def->grid.columns, rows = job->def->grid.rows;
    for (int along_rows = 0; along_rows < 2; along_rows++) {
        uint32_t count = along_rows ? rows : columns, stride = along_rows ? columns : 1;
        memcpy(job->scratch, heights, job->cells * sizeof *heights);
        for (uint32_t cell = 0; cell < job->cells; cell++) {
            uint32_t at = along_rows ? cell / columns : cell % columns;
            uint32_t first = at > reach ? at - reach : 0, last = at + reach < count ? at + reach : count - 1;
            float best = job->scratch[cell];
            for (uint32_t i = first; i <= last; i++) {
                float other = job->scratch[cell - (at - i) * stride];
                if (!(best == best) || (greatest ? other > best : other < best))
                    best = other == other ? other : best;
            }
            heights[cell] = best;
        }
    }
}

static void find_neighbour_floors(terrain_job *job) {
    behavior_terrain *terrain = job->terrain;
    size_t bytes = job->cells * sizeof *terrain->heights;
    uint32_t reach = (uint32_t)(job->def->radius / job->def->grid.cell) + 2;
    memcpy(terrain->lowest, terrain->heights, bytes);
    memcpy(terrain->highest, terrain->heights, bytes);
    bool is_even = true;
    float even = NAN;
    for (uint32_t i = 0; i < job->cells && is_even; i++) {
        float height = terrain->heights[i];
        is_even = !(height == height) || !(even == even) || height == even;
        even = height == height ? height : even;
    }
    if (is_even)
        return;
    filter(job, terrain->lowest, reach, false);
    filter(job, terrain->highest, reach, true);
    for (uint32_t i = 0; i < job->cells; i++)
        if (!(terrain->heights[i] == terrain->heights[i]))
            terrain->lowest[i] = terrain->highest[i] = NAN;
}

static void mark_cell(terrain_job *job, uint32_t column, uint32_t row) {
    const behavior_terrain_def *def = job->def;
    uint32_t cell = row * def->grid.columns + column;
    float floor = job->terrain->heights[cell];
    bool has_floor = floor == floor && (job->steps[cell] == 0 || is_carried_by_ground(job, cell, floor));
    for (uint32_t band = 0; band < def->band_count; band++) {
        bool blocked = !(floor == floor) || (!has_floor && def->bands[band].low < def->step);
        if (!blocked) {
            behavior_span span = behavior_terrain_span(job->terrain, cell, &def->bands[band], def->step);
            blocked = is_touched(job, cell, span.low, span.high);
        }
        if (blocked)
            tr_bitmap_set(&job->terrain->occupied[band], column, row);
    }
}

// Whether a neighbour has a floor that is much lower.
static bool is_above_a_neighbour(const terrain_job *job, uint32_t column, uint32_t row) {
    uint32_t columns = job->def->grid.columns, rows = job->def->grid.rows;
    float floor = job->terrain->heights[row * columns + column];
    for (int i = 0; i < 9; i++) {
        uint32_t x = column + (uint32_t)(i % 3 - 1), z = row + (uint32_t)(i / 3 - 1);
        if (x < columns && z < rows && floor - job->terrain->heights[z * columns + x] > job->def->step)
            return true;
    }
    return false;
}

// The side of a high floor is an obstacle for discs on the low floor beside it, but not for those on top.
static void block_below(terrain_job *job, uint32_t column, uint32_t row) {
    const behavior_terrain_def *def = job->def;
    int64_t reach = (int64_t)(def->radius / def->grid.cell) + 1;
    uint32_t columns = def->grid.columns, cell = row * columns + column;
    for (int64_t z = (int64_t)row - reach; z <= (int64_t)row + reach; z++)
        for (int64_t x = (int64_t)column - reach; x <= (int64_t)column + reach; x++) {
            if (x < 0 || z < 0 || x >= (int64_t)columns || z >= (int64_t)def->grid.rows)
                continue;
            float floor = job->terrain->heights[(size_t)z * columns + (size_t)x];
            double gap_x = fabs((double)x - column) - 1, gap_z = fabs((double)z - row) - 1;
            gap_x = gap_x > 0 ? gap_x : 0, gap_z = gap_z > 0 ? gap_z : 0;
            double limit = (double)def->radius / (double)def->grid.cell;
            if (!(job->terrain->heights[cell] - floor > def->step) ||
                gap_x * gap_x + gap_z * gap_z >= limit * limit)
                continue;
            for (uint32_t band = 0; band < def->band_count; band++) {
                if (def->bands[band].climbs)
                    continue;
                float low = def->bands[band].low > def->step ? def->bands[band].low : def->step;
                if (is_touched(job, cell, floor + low, floor + def->bands[band].high))
                    tr_bitmap_set(&job->terrain->blocked[band], (uint32_t)x, (uint32_t)z);
            }
        }
}

static void invert(tr_bitmap *bitmap) {
    for (uint32_t row = 0; row < bitmap->rows; row++) {
        uint64_t *words = bitmap->words + (size_t)row * bitmap->stride;
        for (uint32_t i = 0; i + 1 < bitmap->stride; i++)
            words[i] = ~words[i];
        if (bitmap->columns % 64)
            words[bitmap->stride - 2] &= ~(uint64_t)0 >> (64 - bitmap->columns % 64);
    }
}

// A special obstacle is at least as wide as a disc. Slivers beside an obstacle whose foot is wider than its
// top are blocked in the band as well: nobody can do anything with them.
static tr_status block_slivers(terrain_job *job, uint32_t band, uint64_t *scratch, size_t words,
                               tr_error *error) {
    const tr_allocator *allocator = &job->def->allocator;
    tr_bitmap *upright = &job->terrain->blocked[0], *blocked = &job->terrain->blocked[band];
    tr_bitmap within = {0}, wide = {0};
    tr_cells all = tr_grid_all(&job->def->grid);
    size_t count = (size_t)blocked->stride * blocked->rows;
    double half = (double)(job->def->radius / job->def->grid.cell) / 2;
    tr_status status = tr_bitmap_create(allocator, blocked->columns, blocked->rows, &within);
    if (status == TR_OK)
        status = tr_bitmap_create(allocator, blocked->columns, blocked->rows, &wide);
    for (size_t i = 0; i < count && status == TR_OK; i++)
        within.words[i] = upright->words[i] & ~blocked->words[i];
    if (status == TR_OK) {
        invert(&within);
        status = tr_occupancy_grow(&within, &wide, TR_GROWTH_CENTRES, half, all, scratch, words);
    }
    if (status == TR_OK) {
        invert(&wide);
        status = tr_occupancy_grow(&wide, &within, TR_GROWTH_CENTRES, half, all, scratch, words);
    }
    for (size_t i = 0; i < count && status == TR_OK; i++)
        blocked->words[i] |= upright->words[i] & ~within.words[i];
    tr_bitmap_destroy(allocator, &within);
    tr_bitmap_destroy(allocator, &wide);
    return status == TR_OK ? status : tr_fail(error, status, "no memory for special obstacles");
}

static tr_status block(terrain_job *job, tr_error *error) {
    const behavior_terrain_def *def = job->def;
    double radius = (double)(def->radius / def->grid.cell);
    size_t words = tr_occupancy_grow_scratch(def->grid.columns, radius);
    uint64_t *scratch = tr_allocate(&def->allocator, words, sizeof *scratch);
    if (!words || !scratch) {
        tr_release(&def->allocator, scratch, words, sizeof *scratch);
        return words ? tr_fail(error, TR_OUT_OF_MEMORY, "no memory to grow obstacles")
                     : tr_fail(error, TR_INVALID, "the radius %g is out of range", (double)def->radius);
    }
    for (uint32_t row = 0; row < def->grid.rows; row++)
        for (uint32_t column = 0; column < def->grid.columns; column++)
            mark_cell(job, column, row);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < def->band_count && status == TR_OK; i++)
        status = tr_occupancy_grow(&job->terrain->occupied[i], &job->terrain->blocked[i], TR_GROWTH_SAFE,
                                   radius, tr_grid_all(&def->grid), scratch, words);
    for (uint32_t row = 0; row < def->grid.rows && status == TR_OK; row++)
        for (uint32_t column = 0; column < def->grid.columns; column++)
            if (is_above_a_neighbour(job, column, row))
                block_below(job, column, row);
    for (uint32_t i = 1; i < def->band_count && status == TR_OK; i++)
        status = def->bands[i].climbs ? TR_OK : block_slivers(job, i, scratch, words, error);
    tr_release(&def->allocator, scratch, words, sizeof *scratch);
    return status;
}

tr_status tr_behavior_terrain_make(const behavior_terrain_def *def, tr_raster *raster, const tr_scene *scene,
                                   behavior_terrain *terrain, tr_error *error) {
    behavior_terrain made;
    memset(&made, 0, sizeof made);
    terrain_job job = {.def = def, .terrain = &made, .cells = def->grid.columns * def->grid.rows};
    tr_status status = allocate(def, &job, &made, error);
    if (status == TR_OK)
        status = slice(&job, raster, scene, error);
    if (status == TR_OK)
        status = find_floor(&job, error);
    if (status == TR_OK) {
        find_neighbour_floors(&job);
        status = block(&job, error);
    }
    release_job(def, &job);
    tr_behavior_terrain_free(&def->allocator, &def->grid, status == TR_OK ? terrain : &made);
    if (status == TR_OK)
        *terrain = made;
    return status;
}
