#include "base/simd_width.h"
#include "solid_grid.h"
#include "troupe/base/clock.h"

#include <float.h>
#include <string.h>

#define BATCH 16
#define BEYOND 1e30f // [m]: further than anything

tr_solid_def tr_solid_def_default(const tr_scene *scene) {
    tr_solid_def def = {
        .scene = scene, .exclude_object = TR_NONE, .clearance_box = tr_box_empty(), .clearance_cell = 0};
    return def;
}

static tr_status check_def(const tr_solid_def *def, tr_error *error) {
    if (!def->scene)
        return tr_fail(error, TR_INVALID, "a solid needs a scene");
    if (def->lanes != 0 && def->lanes != 4 && def->lanes != 8)
        return tr_fail(error, TR_INVALID, "lanes is %u, it must be 0, 4 or 8", def->lanes);
#if defined(__x86_64__)
    if (def->lanes > simd_widest())
        return tr_fail(error, TR_UNAVAILABLE, "%u lanes requested, this processor supports %u", def->lanes,
                       simd_widest());
#endif
    if (!(def->clearance_cell >= 0 && isfinite(def->clearance_cell)))
        return tr_fail(error, TR_INVALID, "clearance_cell is %g, it must be at least 0",
                       (double)def->clearance_cell);
    return TR_OK;
}

static solid_kernel kernel_of(uint32_t lanes) {
    static const solid_kernel four = {tr_solid_nearest_4, tr_solid_clear_4, tr_solid_near_4, tr_solid_foot_4,
                                      tr_solid_glance_4};
    static const solid_kernel eight = {tr_solid_nearest_8, tr_solid_clear_8, tr_solid_near_8, tr_solid_foot_8,
                                       tr_solid_glance_8};
    return lanes == 8 ? eight : four;
}

tr_status tr_solid_begin(const tr_solid_def *def, tr_solid **solid, tr_error *error) {
    *solid = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_solid *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a solid");
    made->allocator = own;
    made->tasks = def->tasks;
    made->scene = def->scene;
    made->exclude_tags = def->exclude_tags;
    made->exclude_object = def->exclude_object;
    made->lanes = def->lanes ? def->lanes : simd_widest();
    made->kernel = kernel_of(made->lanes);
    *solid = made;
    return TR_OK;
}

tr_status tr_solid_create(const tr_solid_def *def, tr_solid **solid, tr_error *error) {
    uint64_t begin = tr_clock_nanoseconds();
    tr_solid *made;
    *solid = NULL;
    tr_status status = tr_solid_begin(def, &made, error);
    if (status != TR_OK)
        return status;
    status = tr_solid_take(made, error);
    if (status == TR_OK && def->clearance_cell > 0)
        status = tr_solid_grid_create(made, def->clearance_cell, def->clearance_box, error);
    if (status != TR_OK) {
        tr_solid_destroy(made);
        return status;
    }
    made->build_us = (tr_clock_nanoseconds() - begin) / 1000;
    *solid = made;
    return TR_OK;
}

void tr_solid_destroy(tr_solid *solid) {
    if (!solid)
        return;
    tr_allocator allocator = solid->allocator;
    tr_solid_tree_release(&solid->large, &allocator);
    tr_solid_grid_destroy(solid->grid, &allocator);
    for (uint32_t i = 0; i < solid->mover_count; i++) {
        tr_solid_tree_release(&solid->movers[i].tree, &allocator);
        tr_solid_list_release(&solid->movers[i].drawn, &allocator);
    }
    tr_release(&allocator, solid->movers, solid->mover_capacity, sizeof *solid->movers);
    tr_release(&allocator, solid->tops, solid->top_capacity, sizeof *solid->tops);
    tr_release(&allocator, solid->objects, solid->object_capacity, sizeof *solid->objects);
    tr_release(&allocator, solid, 1, sizeof *solid);
}

tr_status tr_solid_update(tr_solid *solid, tr_box *changed, tr_error *error) {
    uint64_t begin = tr_clock_nanoseconds();
    tr_box box = tr_box_empty();
    tr_status status = TR_OK;
    if (solid->revision != solid->scene->revision)
        status = tr_solid_take_changes(solid, &box, error);
    if (changed)
        *changed = box;
    solid->refit_us = (tr_clock_nanoseconds() - begin) / 1000;
    return status;
}

// The separating directions for boxes: the cross products of the line with each axis.
static void prepare_across(solid_probe *probe) {
    const float *u = probe->u;
    const float pairs[3][2] = {{u[2], -u[1]}, {-u[2], u[0]}, {u[1], -u[0]}};
    for (int i = 0; i < 3; i++) {
        float length = sqrtf(pairs[i][0] * pairs[i][0] + pairs[i][1] * pairs[i][1]);
        for (int k = 0; k < 2; k++) {
            probe->across[i][k] = length > 0 ? pairs[i][k] / length : 0;
            probe->across_size[i][k] = fabsf(probe->across[i][k]);
        }
    }
}

static void prepare(solid_probe *probe, tr_vec3 from, tr_vec3 to) {
    const float a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
    float size = 0, furthest = 0;
    probe->from = from;
    probe->to = to;
    probe->squared = 0;
    for (int k = 0; k < 3; k++) {
        probe->a[k] = a[k];
        probe->u[k] = b[k] - a[k];
        probe->middle[k] = 0.5f * a[k] + 0.5f * b[k];
        float to_a = fabsf(a[k] - probe->middle[k]), to_b = fabsf(b[k] - probe->middle[k]);
        probe->half[k] = to_a > to_b ? to_a : to_b;
        probe->squared += probe->u[k] * probe->u[k];
        size += probe->half[k];
        furthest = fabsf(probe->middle[k]) > furthest ? fabsf(probe->middle[k]) : furthest;
    }
    if (probe->squared < 1e-20f) { // too short for its direction to mean anything
        probe->u[0] = probe->u[1] = probe->u[2] = probe->squared = 0;
        size += 1e-4f;
    }
    float length = sqrtf(probe->squared);
    probe->inverse = probe->squared > 0 ? 1 / probe->squared : 0;
    probe->half_length = 0.5f * length;
    for (int k = 0; k < 3; k++) {
        probe->along[k] = length > 0 ? probe->u[k] / length : 0;
        probe->along_size[k] = fabsf(probe->along[k]);
    }
    prepare_across(probe);
    probe->slack = 2e-6f * size;
    probe->box_slack = probe->slack + 4e-7f * furthest;
    probe->ill = 2e-6f * probe->squared;
}

// Far outside the world, fourth powers of floats overflow: such points are refused.
static bool is_place(tr_vec3 p) {
    const float most = TR_SOLID_EXTENT_MAX;
    return fabsf(p.x) <= most && fabsf(p.y) <= most && fabsf(p.z) <= most; // false for NaN
}

static bool is_sane(const tr_solid_capsule *capsule) {
    return is_place(capsule->a) && is_place(capsule->b) && isfinite(capsule->radius);
}

typedef enum part { STILL = 1, MOVING = 2, BOTH = 3 } part;

static void search_trees(const tr_solid *solid, solid_search *search,
                         void (*kernel)(const solid_tree *tree, solid_search *search), part of) {
    const solid_probe *probe = &search->probe;
    if (of & STILL)
        kernel(&solid->large, search);
    for (uint32_t first = 0; (of & MOVING) && first < solid->mover_count; first += SOLID_WIDTH) {
        float reach = search->limit * 1.00001f + probe->box_slack;
        reach = reach < 0.1f * BEYOND ? reach : 0.1f * BEYOND; // an empty box must not count as near
        const float half[3] = {probe->half[0] + reach, probe->half[1] + reach, probe->half[2] + reach};
        uint32_t near = solid->kernel.near(&solid->tops[first / SOLID_WIDTH], probe->middle, half);
        for (; near && !search->touches; near &= near - 1)
            kernel(&solid->movers[first + (uint32_t)__builtin_ctz(near)].tree, search);
    }
}

// The nearest triangle that is nearer than `limit`. The distance is known to be at most `known`.
static void search_exactly(const tr_solid *solid, solid_search *search, float known, float limit, part of) {
    float beyond = nextafterf(known, INFINITY);
    search->found = false;
    search->limit = beyond < limit ? beyond : limit;
    search_trees(solid, search, solid->kernel.nearest, of);
    if (!search->found)
        search->limit = limit;
}

// A lower bound of the distance to static objects, from the one grid corner next to the middle of the line.
// More than half of all queries end here. Returns whether the bound is at least `most`, which is known before
// the square root of the bound is.
static inline bool look_once(const solid_grid *grid, const tr_solid_capsule *capsule, float most,
                             float *low) {
    tr_vec3 a = capsule->a, b = capsule->b, way = tr_vec3_subtract(b, a);
    float x = (0.5f * (a.x + b.x) - grid->origin[0]) * grid->per_cell;
    float y = (0.5f * (a.y + b.y) - grid->origin[1]) * grid->per_cell;
    float z = (0.5f * (a.z + b.z) - grid->origin[2]) * grid->per_cell;
    bool inside =
        (x >= 0) & (y >= 0) & (z >= 0) & (x <= grid->last[0]) & (y <= grid->last[1]) & (z <= grid->last[2]);
    if (!inside)
        return false;
    int32_t column = (int32_t)(x + 0.5f), row = (int32_t)(y + 0.5f), slab = (int32_t)(z + 0.5f);
    float square = grid->squares[column + grid->count[0] * (row + grid->count[1] * slab)];
    float dx = x - (float)column, dy = y - (float)row, dz = z - (float)slab;
    float off = sqrtf(dx * dx + dy * dy + dz * dz) * grid->cell;
    float less = off + 0.5f * tr_vec3_length(way) + grid->slack, needed = (most + less) * grid->per_unit;
    *low = sqrtf(square) * grid->unit - less;
    return square >= needed * needed;
}

float tr_solid_distance(const tr_solid *solid, tr_vec3 a, tr_vec3 b, float limit, tr_solid_hit *hit) {
    solid_search search = {.limit = limit, .hit = hit};
    if (!is_place(a) || !is_place(b) || isnan(limit))
        return NAN;
    float low, known = INFINITY;
    if (solid->grid && solid->kernel.glance(solid->grid, a, b, INFINITY, &low, &known) && low >= limit &&
        solid->mover_count == 0)
        return limit;
    prepare(&search.probe, a, b);
    // Floats first: their bounds leave few triangles for the search in doubles.
    solid_search rough = {.probe = search.probe,
                          .limit = known < limit ? known : limit,
                          .radius = -1,
                          .low = INFINITY,
                          .high = known};
    search_trees(solid, &rough, solid->kernel.clear, BOTH);
    search_exactly(solid, &search, rough.high, limit, BOTH);
    return search.limit;
}

// Whether something is within the radius, where floats could not decide.
static bool touches_exactly(const tr_solid *solid, const solid_search *tried, part of) {
    solid_search search = *tried;
    search_exactly(solid, &search, tried->radius, INFINITY, of);
    return search.found;
}

bool tr_solid_touches(const tr_solid *solid, const tr_solid_capsule *capsule) {
    float radius = capsule->radius, low, high;
    if (!is_sane(capsule))
        return true;
    bool free = solid->grid && look_once(solid->grid, capsule, radius, &low) && low > radius;
    if (!free && solid->grid &&
        solid->kernel.glance(solid->grid, capsule->a, capsule->b, radius, &low, &high)) {
        if (high <= radius)
            return true;
        free = low > radius;
    }
    if (free && solid->mover_count == 0)
        return false;
    part of = free ? MOVING : BOTH;
    solid_search search = {.limit = radius, .radius = radius, .low = INFINITY, .high = INFINITY};
    prepare(&search.probe, capsule->a, capsule->b);
    search_trees(solid, &search, solid->kernel.clear, of);
    return search.touches || (search.low <= radius && touches_exactly(solid, &search, of));
}

// The answer of the trees: `enough` where nothing is nearer. The distance is known to be at most `known`.
static float search_clearance(const tr_solid *solid, const tr_solid_capsule *capsule, float enough,
                              float known, part of) {
    float radius = capsule->radius, most = radius + enough;
    solid_search search = {
        .limit = known < most ? known : most, .radius = radius, .low = INFINITY, .high = INFINITY};
    prepare(&search.probe, capsule->a, capsule->b);
    search_trees(solid, &search, solid->kernel.clear, of);
    if (search.low >= most)
        return enough;
    float low = search.low - radius, high = search.high - radius;
    if (search.touches)
        return high < 0 ? high : -FLT_MIN;
    if (low > 0 && low >= 0.5f * high)
        return low;
    search_exactly(solid, &search, search.high, most, of);
    if (!search.found)
        return enough;
    float exact = search.limit - radius;
    return search.limit > radius ? exact : exact < 0 ? exact : -FLT_MIN;
}

// Static objects, when one look at the grid was not enough or there is no grid.
static float look_closer(const tr_solid *solid, const tr_solid_capsule *capsule, float enough) {
    float radius = capsule->radius, most = radius + enough, low, high = INFINITY;
    if (!isfinite(most))
        return -INFINITY;
    if (solid->grid && solid->kernel.glance(solid->grid, capsule->a, capsule->b, most, &low, &high)) {
        if (high <= radius)
            return high < radius ? high - radius : -FLT_MIN;
        if (low >= most || (low > radius && low - radius >= 0.5f * (high - radius)))
            return low - radius;
    }
    return is_sane(capsule) ? search_clearance(solid, capsule, enough, high, STILL) : -INFINITY;
}

// Adds moving objects to the answer for static ones, `still`.
static float look_around(const tr_solid *solid, const tr_solid_capsule *capsule, float enough, float still) {
    if (!(still >= 0))
        return still;
    const float a[3] = {capsule->a.x, capsule->a.y, capsule->a.z};
    const float b[3] = {capsule->b.x, capsule->b.y, capsule->b.z};
    float middle[3], half[3], reach = 1.00001f * (capsule->radius + enough);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5f * a[k] + 0.5f * b[k];
        half[k] = 0.50001f * fabsf(b[k] - a[k]) + reach + 4e-7f * fabsf(middle[k]);
    }
    uint32_t near = 0;
    for (uint32_t first = 0; first < solid->mover_count; first += SOLID_WIDTH)
        near |= solid->kernel.near(&solid->tops[first / SOLID_WIDTH], middle, half);
    // Without moving objects near, their distance is at least `enough`.
    float moving = near ? search_clearance(solid, capsule, enough, INFINITY, MOVING) : enough;
    return moving < still ? moving : still;
}

// Infinity requests the exact clearance.
static float limit_enough(float enough) {
    return enough > BEYOND ? BEYOND : enough;
}

float tr_solid_clearance(const tr_solid *solid, const tr_solid_capsule *capsule, float enough) {
    float low, radius = capsule->radius;
    enough = limit_enough(enough);
    bool done = solid->grid && look_once(solid->grid, capsule, radius + enough, &low);
    float still = done ? low - radius : look_closer(solid, capsule, enough);
    return solid->mover_count ? look_around(solid, capsule, enough, still) : still;
}

// Looks at the grid once for each capsule of a batch, without waiting for the results, so that the processor
// works on several at once.
static void clear_batch(const tr_solid *solid, const tr_solid_capsule *capsules, uint32_t count, float enough,
                        float *clearances) {
    uint32_t left[BATCH], left_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        float low = 0, radius = capsules[i].radius;
        bool done = solid->grid && look_once(solid->grid, &capsules[i], radius + enough, &low);
        clearances[i] = low - radius;
        left[left_count] = i;
        left_count += !done;
    }
    for (uint32_t i = 0; i < left_count; i++)
        clearances[left[i]] = look_closer(solid, &capsules[left[i]], enough);
    for (uint32_t i = 0; i < count && solid->mover_count; i++)
        clearances[i] = look_around(solid, &capsules[i], enough, clearances[i]);
}

void tr_solid_clearances(const tr_solid *solid, const tr_solid_capsule *capsules, uint32_t count,
                         float enough, float *clearances) {
    enough = limit_enough(enough);
    for (uint32_t begin = 0; begin < count; begin += BATCH)
        clear_batch(solid, capsules + begin, count - begin < BATCH ? count - begin : BATCH, enough,
                    clearances + begin);
}

static void count_tree(tr_solid_counters *counters, const solid_tree *tree) {
    counters->triangles += tree->triangle_count;
    counters->nodes += tree->node_count;
    counters->trees++;
    counters->bounds = tr_box_union(counters->bounds, solid_tree_bounds(tree));
}

tr_solid_counters tr_solid_count(const tr_solid *solid) {
    tr_solid_counters counters = {.bounds = tr_box_empty()};
    counters.bytes = sizeof *solid + tr_solid_tree_bytes(&solid->large) + tr_solid_grid_bytes(solid->grid) +
                     (uint64_t)solid->mover_capacity * sizeof *solid->movers +
                     (uint64_t)solid->top_capacity * sizeof *solid->tops +
                     (uint64_t)solid->object_capacity * sizeof *solid->objects;
    count_tree(&counters, &solid->large);
    for (uint32_t i = 0; i < solid->mover_count; i++) {
        const solid_mover *mover = &solid->movers[i];
        counters.bytes += tr_solid_tree_bytes(&mover->tree) +
                          (uint64_t)mover->drawn.corner_capacity * 3 * sizeof *mover->drawn.corners +
                          (uint64_t)mover->drawn.name_capacity * sizeof *mover->drawn.names;
        if (mover->shown)
            count_tree(&counters, &mover->tree);
    }
    counters.build_us = solid->build_us;
    counters.refit_us = solid->refit_us;
    return counters;
}
