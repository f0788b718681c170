#include "reach_triangles.h"
#include "troupe/base/allocator.h"
#include "troupe/world/distance.h"

#include <math.h>

#define SIDE 48 // cells
#define CELLS (SIDE * SIDE * SIDE)

typedef struct triangle {
    tr_vec3 corners[3];
    tr_box box;
    uint32_t seen; // number of the last query that visited it
} triangle;

struct reach_triangles {
    tr_vec3 origin;
    float cell;
    triangle *all;
    uint32_t count, capacity;
    uint32_t first[CELLS + 1]; // first entry of each cell
    uint32_t *numbers;
    uint32_t number_count;
    uint32_t question;
};

// In double, rounded once.
static tr_vec3 to_body(const tr_affine *base, tr_vec3 point) {
    double w[3] = {point.x, point.y, point.z}, b[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b[k] += base->m[i][k] * (w[i] - base->m[i][3]);
    return tr_vec3_make((float)b[2], (float)b[0], (float)b[1]);
}

static bool boxes_meet(tr_box a, tr_box b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

typedef struct cell_range {
    int low[3], high[3];
} cell_range;

static int cell_at(double offset, double cell) {
    double at = floor(offset / cell);
    return at < 0 ? 0 : at > SIDE - 1 ? SIDE - 1 : (int)at;
}

static cell_range cells_of(const reach_triangles *triangles, tr_box box) {
    double low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    double origin[3] = {triangles->origin.x, triangles->origin.y, triangles->origin.z};
    cell_range range;
    for (int i = 0; i < 3; i++) {
        range.low[i] = cell_at(low[i] - origin[i], triangles->cell);
        range.high[i] = cell_at(high[i] - origin[i], triangles->cell);
    }
    return range;
}

static bool gather(reach_triangles *triangles, const tr_scene *scene, const tr_affine *base, tr_box around) {
    tr_allocator memory = tr_allocator_default();
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t k = 0; k < mesh.triangle_count; k++) {
            triangle made = {.box = tr_box_empty()};
            for (int c = 0; c < 3; c++) {
                tr_vec3 corner = mesh.positions[mesh.indices[3 * k + c]];
                made.corners[c] = to_body(base, tr_affine_apply(&object.placement, corner));
                made.box = tr_box_include(made.box, made.corners[c]);
            }
            if (!boxes_meet(made.box, around))
                continue;
            if (!tr_reserve(&memory, (void **)&triangles->all, &triangles->capacity,
                            (uint64_t)triangles->count + 1, sizeof made))
                return false;
            triangles->all[triangles->count++] = made;
        }
    }
    return true;
}

// First counts, then fills: every triangle is in each cell that its box overlaps.
static void sort_into_cells(reach_triangles *triangles, bool fill) {
    for (uint32_t i = 0; i < triangles->count; i++) {
        cell_range range = cells_of(triangles, triangles->all[i].box);
        for (int x = range.low[0]; x <= range.high[0]; x++)
            for (int y = range.low[1]; y <= range.high[1]; y++)
                for (int z = range.low[2]; z <= range.high[2]; z++) {
                    uint32_t cell = (uint32_t)((x * SIDE + y) * SIDE + z);
                    if (fill)
                        triangles->numbers[--triangles->first[cell]] = i;
                    else
                        triangles->first[cell]++;
                }
    }
}

tr_status reach_triangles_create(const tr_scene *scene, const tr_affine *base, tr_vec3 centre, float half,
                                 reach_triangles **triangles, tr_error *error) {
    tr_allocator memory = tr_allocator_default();
    reach_triangles *made = tr_allocate_zero(&memory, 1, sizeof *made);
    tr_vec3 reach = {half, half, half};
    tr_box around = {tr_vec3_subtract(centre, reach), tr_vec3_add(centre, reach)};
    *triangles = NULL;
    bool fine = made != NULL;
    if (fine) {
        made->origin = around.min;
        made->cell = 2 * half / SIDE;
        fine = gather(made, scene, base, around);
    }
    if (fine) {
        sort_into_cells(made, false);
        for (uint32_t i = 0; i < CELLS; i++)
            made->first[i + 1] += made->first[i]; // the end of each cell; filling moves it to the beginning
        made->number_count = made->first[CELLS];
        made->numbers = tr_allocate(&memory, made->number_count, sizeof *made->numbers);
        fine = made->numbers != NULL;
    }
    if (!fine) {
        reach_triangles_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the triangles of the recheck");
    }
    sort_into_cells(made, true);
    *triangles = made;
    return TR_OK;
}

void reach_triangles_destroy(reach_triangles *triangles) {
    tr_allocator memory = tr_allocator_default();
    if (triangles) {
        tr_release(&memory, triangles->all, triangles->capacity, sizeof *triangles->all);
        tr_release(&memory, triangles->numbers, triangles->number_count, sizeof *triangles->numbers);
    }
    tr_release(&memory, triangles, 1, sizeof *triangles);
}

// Skips a triangle only if its box misses the line's box, grown by `limit`.
double reach_triangles_distance(reach_triangles *triangles, tr_vec3 a, tr_vec3 b, double limit) {
    float grown = (float)(limit * 1.000001);
    tr_vec3 reach = {grown, grown, grown};
    tr_box line = tr_box_include(tr_box_include(tr_box_empty(), a), b);
    tr_box near = {tr_vec3_subtract(line.min, reach), tr_vec3_add(line.max, reach)};
    cell_range range = cells_of(triangles, near);
    double least = limit;
    triangles->question++;
    for (int x = range.low[0]; x <= range.high[0]; x++)
        for (int y = range.low[1]; y <= range.high[1]; y++)
            for (int z = range.low[2]; z <= range.high[2]; z++) {
                uint32_t cell = (uint32_t)((x * SIDE + y) * SIDE + z);
                for (uint32_t i = triangles->first[cell]; i < triangles->first[cell + 1]; i++) {
                    triangle *one = &triangles->all[triangles->numbers[i]];
                    if (one->seen == triangles->question || !boxes_meet(one->box, near))
                        continue;
                    one->seen = triangles->question;
                    double square = tr_distance_segment_triangle(a, b, one->corners, NULL, NULL);
                    least = fmin(least, sqrt(square));
                }
            }
    return least;
}
