#include "behavior_sweep.h"
#include "world/timeline/timeline_data.h"
#include "world/timeline/trajectory_data.h"
#include "troupe/base/scalar.h"
#include "troupe/world/occupancy.h"

#include <math.h>
#include <string.h>

#define PLACES_MOST 4096 // of an object between two keys in a slot
#define HAIR 1e-4f       // by which everything is enlarged, against rounding [m]

typedef struct sweep_job {
    const behavior_sweep_def *def;
    const behavior_sweep_sink *sink;
    tr_mesh_view mesh;
    float reach;      // of the mesh from its origin, before it is scaled [m]
    tr_vec3 *corners; // position_count, placed
    // The lowest and highest point of the object over each cell of the grid; valid in `window` only.
    float *low, *high;
    tr_cells window;            // cells touched in this slot; empty: column_begin == column_end
    float margin;               // by which the object may be elsewhere between two places [m]
    float ignored;              // heights that a place would add are left out up to this [m]; at rest 0
    tr_bitmap touched, blocked; // as large as the grid, their rows and columns are those of the window
    uint64_t *scratch;
    size_t scratch_words;
    uint64_t *words;
    size_t word_count;
} sweep_job;

static tr_cells no_cells(void) {
    tr_cells none = {0, 0, 0, 0};
    return none;
}

static bool has_cells(tr_cells cells) {
    return cells.column_begin < cells.column_end && cells.row_begin < cells.row_end;
}

// --- One place of the object ---

static void include_cell(sweep_job *job, uint32_t column, uint32_t row, float low, float high) {
    size_t cell = (size_t)row * job->def->terrain_def->grid.columns + column;
    job->low[cell] = low < job->low[cell] ? low : job->low[cell];
    job->high[cell] = high > job->high[cell] ? high : job->high[cell];
}

// Makes the window hold these cells; new ones are empty.
static void widen_window(sweep_job *job, tr_cells cells) {
    tr_cells old = job->window, wide = cells;
    if (has_cells(old)) {
        wide.column_begin = old.column_begin < wide.column_begin ? old.column_begin : wide.column_begin;
        wide.row_begin = old.row_begin < wide.row_begin ? old.row_begin : wide.row_begin;
        wide.column_end = old.column_end > wide.column_end ? old.column_end : wide.column_end;
        wide.row_end = old.row_end > wide.row_end ? old.row_end : wide.row_end;
    }
    if (memcmp(&wide, &old, sizeof wide) == 0)
        return;
    for (uint32_t row = wide.row_begin; row < wide.row_end; row++)
        for (uint32_t column = wide.column_begin; column < wide.column_end; column++) {
            size_t cell = (size_t)row * job->def->terrain_def->grid.columns + column;
            if (row >= old.row_begin && row < old.row_end && column >= old.column_begin &&
                column < old.column_end)
                continue;
            job->low[cell] = INFINITY;
            job->high[cell] = -INFINITY;
        }
    job->window = wide;
}

// The cells from `low` to `high` along one side of the grid; false: none.
static bool range_of(float low, float high, float origin, float cell, uint32_t count, uint32_t *begin,
                     uint32_t *end) {
    float first = floorf((low - HAIR - origin) / cell), last = floorf((high + HAIR - origin) / cell);
    if (!(last >= 0) || !(first < (float)count))
        return false;
    *begin = first > 0 ? (uint32_t)first : 0;
    *end = last + 1 < (float)count ? (uint32_t)last + 1 : count;
    return true;
}

typedef struct polygon {
    float corner[8][3];
    int count;
} polygon;

// The part of a polygon with coordinate `axis` in [low, high].
static void clip(const polygon *given, int axis, float low, float high, polygon *kept) {
    polygon half = {.count = 0};
    const polygon *from = given;
    polygon *to = &half;
    for (int side = 0; side < 2; side++) {
        float sign = side ? -1.0f : 1.0f, limit = side ? -high : low;
        to->count = 0;
        for (int i = 0; i < from->count; i++) {
            const float *a = from->corner[i], *b = from->corner[(i + 1) % from->count];
            float here = sign * a[axis] - limit, there = sign * b[axis] - limit;
            if (here >= 0 && to->count < 8)
                memcpy(to->corner[to->count++], a, sizeof to->corner[0]);
            if ((here < 0) != (there < 0) && to->count < 8) {
                float t = here / (here - there), *c = to->corner[to->count++];
                for (int k = 0; k < 3; k++)
                    c[k] = a[k] + t * (b[k] - a[k]);
            }
        }
        from = &half;
        to = kept;
    }
}

// Narrows the heights of a triangle over a cell to those of its part inside.
static void narrow(const tr_vec3 corner[3], const tr_grid *grid, uint32_t column, uint32_t row, float *low,
                   float *high) {
    polygon whole = {.count = 3}, strip, part;
    for (int i = 0; i < 3; i++) {
        whole.corner[i][0] = corner[i].x;
        whole.corner[i][1] = corner[i].y;
        whole.corner[i][2] = corner[i].z;
    }
    float x = grid->origin.x + (float)column * grid->cell, z = grid->origin.z + (float)row * grid->cell;
    clip(&whole, 2, z - HAIR, z + grid->cell + HAIR, &strip);
    clip(&strip, 0, x - HAIR, x + grid->cell + HAIR, &part);
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < part.count; i++) {
        *low = part.corner[i][1] < *low ? part.corner[i][1] : *low;
        *high = part.corner[i][1] > *high ? part.corner[i][1] : *high;
    }
}

// A triangle seen from above: its edges as lines, and the plane that it lies in.
typedef struct flat_triangle {
    double edge[3][3]; // of a line a x + b z + c: at least 0 inside, in double where signs are exact
    double wide[3];    // |a| + |b|
    double slope_x, slope_z, level; // the plane's height is slope_x x + slope_z z + level
    bool is_steep;                  // upright: it has no slope
    tr_box box;
} flat_triangle;

static flat_triangle flatten(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    const double p[3][3] = {{(double)a.x, (double)a.y, (double)a.z},
                            {(double)b.x, (double)b.y, (double)b.z},
                            {(double)c.x, (double)c.y, (double)c.z}};
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
    }
    double area = u[2] * v[0] - u[0] * v[2], sign = area < 0 ? -1 : 1;
    flat_triangle made = {.box = tr_box_include(tr_box_include((tr_box){a, a}, b), c)};
    for (int i = 0; i < 3; i++) {
        const double *from = p[i], *to = p[(i + 1) % 3];
        double *edge = made.edge[i];
        edge[0] = sign * (to[2] - from[2]);
        edge[1] = sign * (from[0] - to[0]);
        edge[2] = -(edge[0] * from[0] + edge[1] * from[2]);
        made.wide[i] = fabs(edge[0]) + fabs(edge[1]);
    }
    made.is_steep = !(fabs(area) > 1e-12);
    if (!made.is_steep) {
        made.slope_x = (u[2] * v[1] - u[1] * v[2]) / area;
        made.slope_z = (u[1] * v[0] - u[0] * v[1]) / area;
        made.level = p[0][1] - made.slope_x * p[0][0] - made.slope_z * p[0][2];
    }
    return made;
}

// Whether a cell holds these heights already, or nearly so: most triangles of a thing that moves add nothing.
static bool holds(const sweep_job *job, size_t cell, float low, float high) {
    return job->low[cell] - job->ignored <= low - HAIR && job->high[cell] + job->ignored >= high + HAIR;
}

static bool is_over(const flat_triangle *triangle, double x, double z, double half) {
    for (int i = 0; i < 3; i++) {
        const double *edge = triangle->edge[i];
        double reach = triangle->wide[i] * half, at = edge[0] * x + edge[1] * z + edge[2];
        // An upright triangle has no inside: its edges are on one line.
        if (at < -reach || (triangle->is_steep && at > reach))
            return false;
    }
    return true;
}

// The heights of a triangle over a cell, or a little more; false: it is not over the cell, or adds nothing.
static bool heights_over(const sweep_job *job, const flat_triangle *triangle, const tr_vec3 corner[3],
                         uint32_t column, uint32_t row, float *low, float *high) {
    const tr_grid *grid = &job->def->terrain_def->grid;
    double side = (double)grid->cell, half = side / 2 + (double)HAIR;
    double x = (double)grid->origin.x + (column + 0.5) * side,
           z = (double)grid->origin.z + (row + 0.5) * side;
    if (!is_over(triangle, x, z, half))
        return false;
    *low = triangle->box.min.y, *high = triangle->box.max.y;
    if (!triangle->is_steep) {
        double rise = (fabs(triangle->slope_x) + fabs(triangle->slope_z)) * half;
        double middle = triangle->slope_x * x + triangle->slope_z * z + triangle->level;
        *low = middle - rise > (double)*low ? (float)(middle - rise) : *low;
        *high = middle + rise < (double)*high ? (float)(middle + rise) : *high;
    }
    if (holds(job, (size_t)row * grid->columns + column, *low, *high))
        return false;
    if (*high - *low > grid->cell)
        narrow(corner, grid, column, row, low, high);
    return *low <= *high;
}

static void include_triangle(sweep_job *job, const tr_vec3 corner[3]) {
    const tr_grid *grid = &job->def->terrain_def->grid;
    flat_triangle triangle = flatten(corner[0], corner[1], corner[2]);
    tr_box box = triangle.box;
    uint32_t column, column_end, row, row_end;
    float low, high;
    if (!range_of(box.min.x, box.max.x, grid->origin.x, grid->cell, grid->columns, &column, &column_end) ||
        !range_of(box.min.z, box.max.z, grid->origin.z, grid->cell, grid->rows, &row, &row_end))
        return;
    for (; row < row_end; row++)
        for (uint32_t i = column; i < column_end; i++)
            if (!holds(job, (size_t)row * grid->columns + i, box.min.y, box.max.y) &&
                heights_over(job, &triangle, corner, i, row, &low, &high))
                include_cell(job, i, row, low - HAIR, high + HAIR);
}

static void include_place(sweep_job *job, const tr_affine *place) {
    const tr_grid *grid = &job->def->terrain_def->grid;
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < job->mesh.position_count; i++) {
        job->corners[i] = tr_affine_apply(place, job->mesh.positions[i]);
        box = tr_box_include(box, job->corners[i]);
    }
    tr_cells cells;
    if (tr_box_is_empty(box) ||
        !range_of(box.min.x, box.max.x, grid->origin.x, grid->cell, grid->columns, &cells.column_begin,
                  &cells.column_end) ||
        !range_of(box.min.z, box.max.z, grid->origin.z, grid->cell, grid->rows, &cells.row_begin,
                  &cells.row_end))
        return;
    widen_window(job, cells);
    const uint32_t *index = job->mesh.indices;
    for (uint32_t i = 0; i < job->mesh.triangle_count; i++, index += 3)
        include_triangle(
            job, (tr_vec3[3]){job->corners[index[0]], job->corners[index[1]], job->corners[index[2]]});
}

static void include_transform(sweep_job *job, tr_transform at) {
    tr_affine place = tr_affine_from_transform(at);
    include_place(job, &place);
}

// --- The way between two places ---

static float greatest(tr_vec3 scale) {
    float x = fabsf(scale.x), y = fabsf(scale.y), z = fabsf(scale.z), most = x > y ? x : y;
    return most > z ? most : z;
}

// The most that a point of the object can move on its way from a to b [m].
static float way_of(const sweep_job *job, tr_transform a, tr_transform b) {
    float cosine = fabsf(a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y +
                         a.rotation.z * b.rotation.z + a.rotation.w * b.rotation.w);
    float sine = cosine < 1 ? sqrtf(1 - cosine * cosine) : 0;
    float angle = 2.001f * (float)tr_arc_tangent((double)sine, (double)cosine) + 1e-4f;
    float scale = greatest(a.scale) > greatest(b.scale) ? greatest(a.scale) : greatest(b.scale);
    return tr_vec3_distance(a.position, b.position) + angle * scale * job->reach +
           tr_vec3_distance(a.scale, b.scale) * job->reach;
}

// How far a point of the object moves between two places at most [m]: what that adds to its size is small
// beside cells or beside the disc.
static float spacing(const behavior_terrain_def *def) {
    float cells = 0.5f * def->grid.cell, discs = def->radius / 8;
    return cells > discs ? cells : discs;
}

static void include_way(sweep_job *job, tr_transform a, tr_transform b) {
    float way = way_of(job, a, b), fine = spacing(job->def->terrain_def), places = ceilf(way / fine);
    uint32_t count = places < PLACES_MOST ? (uint32_t)places : PLACES_MOST;
    float margin = count ? 0.5f * way / (float)count : 0;
    job->margin = margin > job->margin ? margin : job->margin;
    job->ignored = count ? 0.25f * job->def->terrain_def->grid.cell : job->ignored;
    for (uint32_t i = 1; i <= count; i++)
        include_transform(job, tr_transform_blend(a, b, (float)i / (float)count));
}

// Everything that a trajectory passes between two times.
static void include_trajectory(sweep_job *job, const tr_trajectory *way, double from, double to) {
    double begin = way->times[0], length = way->times[way->count - 1] - begin, base = 0;
    tr_transform at = tr_trajectory_sample(way, from);
    bool loops = way->loop && length > 0;
    if (loops && from > begin)
        base = length * floor((from - begin) / length);
    include_transform(job, at);
    for (uint32_t round = 0; round < 3; round++, base += length) {
        for (uint32_t i = 0; i < way->count; i++) {
            double time = way->times[i] + base;
            if (time >= to)
                break;
            if (i == 0 && round > 0) { // a jump passes no place between
                at = way->transforms[0];
                include_transform(job, at);
            }
            if (time <= from)
                continue;
            include_way(job, at, way->transforms[i]);
            at = way->transforms[i];
        }
        if (!loops || begin + base + length >= to)
            break;
    }
    include_way(job, at, tr_trajectory_sample(way, to));
}

// --- Cells of a slot ---

static uint32_t less(uint32_t a, uint32_t b) {
    return a > b ? a - b : 0;
}

static tr_bitmap shape_bitmap(tr_bitmap bitmap, tr_cells window) {
    bitmap.columns = window.column_end - window.column_begin;
    bitmap.rows = window.row_end - window.row_begin;
    bitmap.stride = (bitmap.columns + 63) / 64 + 1;
    return bitmap;
}

static bool mark_band(const sweep_job *job, const tr_bitmap *touched, tr_cells window, uint32_t band) {
    const behavior_terrain_def *def = job->def->terrain_def;
    float rise = job->margin + job->ignored;
    bool any = false;
    for (uint32_t row = job->window.row_begin; row < job->window.row_end; row++)
        for (uint32_t column = job->window.column_begin; column < job->window.column_end; column++) {
            size_t cell = (size_t)row * def->grid.columns + column;
            behavior_span span = behavior_terrain_span(job->def->terrain, cell, &def->bands[band], def->step);
            if (job->high[cell] + rise < span.low || job->low[cell] - rise > span.high ||
                !(span.low <= span.high) || job->low[cell] > job->high[cell])
                continue;
            tr_bitmap_set((tr_bitmap *)touched, column - window.column_begin, row - window.row_begin);
            any = true;
        }
    return any;
}

// Hands the slots over and begins anew. `grow`: how far the object may be elsewhere [m].
static tr_status finish_slots(sweep_job *job, uint32_t first, uint32_t last, float grow, tr_error *error) {
    const behavior_terrain_def *def = job->def->terrain_def;
    float radius = def->radius + job->margin + grow;
    uint32_t reach = (uint32_t)(radius / def->grid.cell) + 2;
    tr_cells cells = job->window;
    tr_cells window = {less(cells.column_begin, reach), less(cells.row_begin, reach),
                       cells.column_end + reach < def->grid.columns ? cells.column_end + reach
                                                                    : def->grid.columns,
                       cells.row_end + reach < def->grid.rows ? cells.row_end + reach : def->grid.rows};
    tr_status status = TR_OK;
    tr_bitmap touched = shape_bitmap(job->touched, window), blocked = shape_bitmap(job->blocked, window);
    double radius_cells = (double)(radius / def->grid.cell);
    if (has_cells(cells) && tr_occupancy_grow_scratch(touched.columns, radius_cells) > job->scratch_words)
        status =
            tr_fail(error, TR_LIMIT, "an object that may be %g m elsewhere is too uncertain", (double)grow);
    for (uint32_t band = 0; band < def->band_count && has_cells(cells) && status == TR_OK; band++) {
        memset(touched.words, 0, (size_t)touched.stride * touched.rows * sizeof *touched.words);
        memset(blocked.words, 0, (size_t)blocked.stride * blocked.rows * sizeof *blocked.words);
        if (!mark_band(job, &touched, window, band))
            continue;
        tr_cells all = {0, 0, touched.columns, touched.rows};
        status = tr_occupancy_grow(&touched, &blocked, TR_GROWTH_SAFE, radius_cells, all, job->scratch,
                                   job->scratch_words);
        if (status == TR_OK)
            status = job->sink->take(job->sink->user, band, first, last, window, &blocked);
        if (status != TR_OK)
            tr_fail(error, status, "no memory for the cells of a moving object");
    }
    job->window = no_cells();
    job->margin = job->ignored = 0;
    return status;
}

// --- Objects ---

static tr_status prepare(const behavior_sweep_def *def, const tr_scene *scene, uint32_t object, float grow,
                         sweep_job *job, tr_error *error) {
    const tr_allocator *allocator = &def->allocator;
    const tr_grid *grid = &def->terrain_def->grid;
    size_t cells = (size_t)grid->columns * grid->rows;
    job->mesh = tr_scene_mesh(scene, tr_scene_object(scene, object).mesh);
    for (uint32_t i = 0; i < job->mesh.position_count; i++) {
        float length = tr_vec3_length(job->mesh.positions[i]);
        job->reach = length > job->reach ? length : job->reach;
    }
    double most = (double)(def->terrain_def->radius + grow + grid->cell) / (double)grid->cell;
    job->scratch_words = tr_occupancy_grow_scratch(grid->columns, most);
    job->corners = tr_allocate(allocator, job->mesh.position_count, sizeof *job->corners);
    job->low = tr_allocate(allocator, cells, sizeof *job->low);
    job->high = tr_allocate(allocator, cells, sizeof *job->high);
    job->scratch = tr_allocate(allocator, job->scratch_words, sizeof *job->scratch);
    bool fine = job->corners && job->low && job->high && job->scratch &&
                tr_bitmap_create(allocator, grid->columns, grid->rows, &job->touched) == TR_OK &&
                tr_bitmap_create(allocator, grid->columns, grid->rows, &job->blocked) == TR_OK;
    return fine ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the motion of object %u", object);
}

static void release(sweep_job *job) {
    const tr_allocator *allocator = &job->def->allocator;
    const tr_grid *grid = &job->def->terrain_def->grid;
    size_t cells = (size_t)grid->columns * grid->rows;
    tr_release(allocator, job->corners, job->mesh.position_count, sizeof *job->corners);
    tr_release(allocator, job->low, cells, sizeof *job->low);
    tr_release(allocator, job->high, cells, sizeof *job->high);
    tr_release(allocator, job->scratch, job->scratch_words, sizeof *job->scratch);
    if (job->touched.words)
        tr_bitmap_destroy(allocator, &job->touched);
    if (job->blocked.words)
        tr_bitmap_destroy(allocator, &job->blocked);
}

// The end of the slots from `slot` on during which the object does not move, at most `to`.
static uint32_t still_until(const behavior_sweep_def *def, const tr_trajectory *way, uint32_t slot,
                            uint32_t to) {
    double begin, end, time = def->begin + def->slot * slot;
    tr_timeline_next_change(way, time, &begin, &end);
    double until = floor((begin - def->begin) / def->slot);
    return until <= slot ? slot : until < to ? (uint32_t)until : to;
}

tr_status tr_behavior_sweep_known(const behavior_sweep_def *def, const tr_scene *scene, uint32_t object,
                                  uint32_t from, uint32_t to, const behavior_sweep_sink *sink,
                                  tr_error *error) {
    const tr_trajectory *way = tr_scene_trajectory(scene, object);
    sweep_job job = {.def = def, .sink = sink};
    tr_status status = prepare(def, scene, object, 0, &job, error);
    uint32_t slot = from;
    while (slot < to && status == TR_OK) {
        double time = def->begin + def->slot * slot;
        uint32_t last = still_until(def, way, slot, to);
        if (last > slot)
            include_transform(&job, tr_trajectory_sample(way, time));
        else {
            last = slot + 1;
            include_trajectory(&job, way, time, def->begin + def->slot * last);
        }
        status = finish_slots(&job, slot, last, 0, error);
        slot = last;
    }
    release(&job);
    return status;
}

tr_status tr_behavior_sweep_guessed(const behavior_sweep_def *def, const tr_scene *scene, uint32_t object,
                                    uint32_t from, uint32_t to, const behavior_guess *guess,
                                    const behavior_sweep_sink *sink, tr_error *error) {
    float doubt = guess->doubt * (float)((double)guess->known * def->slot);
    sweep_job job = {.def = def, .sink = sink};
    tr_affine here = tr_scene_object(scene, object).placement;
    tr_status status = prepare(def, scene, object, doubt, &job, error);
    for (uint32_t i = 0; i < guess->known && from + i < to && status == TR_OK; i++) {
        tr_vec3 step = tr_vec3_scale(guess->velocity, (float)def->slot);
        float way = tr_vec3_length(step), fine = spacing(def->terrain_def);
        uint32_t count = (uint32_t)ceilf(way / fine);
        count = count < PLACES_MOST ? count : PLACES_MOST;
        include_place(&job, &here);
        for (uint32_t j = 0; j <= count; j++) {
            tr_affine there = here;
            float part = (float)i + (count ? (float)j / (float)count : 0);
            there.m[0][3] += step.x * part, there.m[1][3] += step.y * part, there.m[2][3] += step.z * part;
            include_place(&job, &there);
        }
        job.margin = count ? 0.5f * way / (float)count : 0;
        status =
            finish_slots(&job, from + i, from + i + 1, guess->doubt * (float)((i + 1) * def->slot), error);
    }
    if (guess->known == 0 && from < to && status == TR_OK) {
        include_place(&job, &here);
        status = finish_slots(&job, from, to, 0, error);
    }
    release(&job);
    return status;
}
