// Creates a ground, its sizes and its links. See ground_data.h.
#include "ground_data.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define LEVEL 0.25      // heights that differ by less may cost the same [m]
#define LINK_REACH 1.0f // greatest distance of a link's end from the nearest free place [m]
#define LINK_COST_MAX 1e6f
#define GROUND_OVER 0.5f     // of foot_rise: both legs have to clear an obstacle that is stepped over
#define GUESS_RISE_MOST 0.4f // steps of stairs are at most this high; seats are higher [m]

tr_ground_body tr_ground_body_of_height(float height) {
    tr_ground_body body = {height, 0.3f, 0.5f * height, 0.25f * height};
    return body;
}

tr_ground_def tr_ground_def_default(void) {
    tr_ground_def def = {.area = tr_box_empty(),
                         .cell = 0.05f,
                         .layer = 0.05f,
                         .slope = 0.78539816f,
                         .guess = true,
                         .exclude_tags = TR_TAG_CHARACTER};
    return def;
}

// The area, with the full height of the scene.
static tr_status surface_def_of(const tr_ground_def *def, const tr_scene *scene, tr_surface_def *made,
                                tr_error *error) {
    tr_box box = def->area, bounds = tr_scene_bounds(scene);
    if (tr_box_is_empty(box) && tr_box_is_empty(bounds))
        return tr_fail(error, TR_INVALID, "there is no ground: the scene is empty and no area is given");
    if (tr_box_is_empty(box)) {
        box = bounds;
    } else if (!tr_box_is_empty(bounds)) {
        box.min.y = bounds.min.y < box.min.y ? bounds.min.y : box.min.y;
        box.max.y = bounds.max.y > box.max.y ? bounds.max.y : box.max.y;
    }
    *made = tr_surface_def_default();
    made->slope = def->slope;
    made->exclude_tags = def->exclude_tags;
    made->guess = def->guess;
    made->guess_rise = def->guess_rise > 0 ? def->guess_rise : made->guess_rise;
    made->max_columns = def->max_columns;
    return tr_voxel_grid_cover(box, def->cell, def->layer, 0, def->max_columns, &made->grid, error);
}

static void measure_ground(tr_ground *ground) {
    double sine, cosine, cell = ground->grid.cell, unit = ground->scale.unit;
    for (uint32_t i = 0; i < 64; i++) {
        double units = i * ground->scale.room / unit + 1.0 / 64;
        ground->rooms[i] = units < GROUND_NO_CEILING ? (uint32_t)units : GROUND_NO_CEILING;
    }
    ground->room_most = ground->rooms[63];
    ground->rooms[63] = GROUND_NO_CEILING;
    tr_sin_cos(ground->def.slope, &sine, &cosine);
    double rise = cosine > 1e-6 ? cell * sine / cosine / unit : 65536;
    ground->slope_rise = rise < 65535 ? (int32_t)rise + 1 : 65536; // both heights were rounded up
    ground->level = LEVEL > unit ? (int32_t)(LEVEL / unit + 0.5) : 1;
}

static tr_status make_ground(tr_ground *ground, const tr_voxel_grid *grid, surface_exclude exclude,
                             tr_raster *raster, const tr_scene *scene, tr_error *error) {
    tr_surface_def def;
    tr_status status = surface_def_of(&ground->def, scene, &def, error);
    if (status != TR_OK)
        return status;
    def.grid = grid ? *grid : def.grid;
    def.allocator = &ground->allocator;
    if ((status = tr_surface_create(&def, &ground->surface, error)) != TR_OK)
        return status;
    ground->grid = def.grid.grid;
    ground->scale = tr_surface_scale_of(ground->surface);
    ground->tile_columns = tr_voxels_tile_columns(&ground->grid);
    ground->tile_rows = tr_voxels_tile_rows(&ground->grid);
    ground->tile_count = ground->tile_columns * ground->tile_rows;
    measure_ground(ground);
    ground->tiles = tr_allocate_zero(&ground->allocator, ground->tile_count, sizeof *ground->tiles);
    ground->touched =
        tr_allocate_zero(&ground->allocator, surface_words(ground->tile_count), sizeof *ground->touched);
    if (!ground->tiles || !ground->touched)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a ground of %u x %u columns",
                       ground->grid.columns, ground->grid.rows);
    return tr_ground_update(ground, raster, scene, exclude.bits, exclude.count, error);
}

tr_status tr_ground_create(const tr_ground_def *def, tr_raster *raster, const tr_scene *scene,
                           tr_ground **ground, tr_error *error) {
    const surface_exclude nothing = {NULL, 0};
    return tr_ground_make(def, NULL, nothing, raster, scene, ground, error);
}

tr_status tr_ground_make(const tr_ground_def *def, const tr_voxel_grid *grid, surface_exclude exclude,
                         tr_raster *raster, const tr_scene *scene, tr_ground **ground, tr_error *error) {
    *ground = NULL;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_ground *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a ground");
    made->allocator = allocator;
    made->def = *def;
    made->def.allocator = NULL; // the ground keeps its own copy
    tr_status status = make_ground(made, grid, exclude, raster, scene, error);
    if (status == TR_OK)
        *ground = made;
    else
        tr_ground_destroy(made);
    return status;
}

void tr_ground_tile_release(const tr_ground *ground, ground_tile *tile) {
    tr_release(&ground->allocator, tile->offsets, GROUND_OFFSETS * sizeof *tile->offsets + tile->count * 3u,
               1);
    memset(tile, 0, sizeof *tile);
}

void tr_ground_size_tile_release(const tr_ground *ground, size_tile *tile) {
    tr_release(&ground->allocator, tile->rects_of, tile->cell_count * 3u, 1);
    tr_release(&ground->allocator, tile->rects,
               tile->rect_count * sizeof *tile->rects + tile->portal_count * sizeof *tile->portals, 1);
    memset(tile, 0, sizeof *tile);
}

void tr_ground_size_release(const tr_ground *ground, ground_size *size) {
    for (uint32_t i = 0; size->tiles && i < ground->tile_count; i++)
        tr_ground_size_tile_release(ground, &size->tiles[i]);
    tr_release(&ground->allocator, size->tiles, ground->tile_count, sizeof *size->tiles);
    tr_release(&ground->allocator, size->ends, ground->link_count, sizeof *size->ends);
    tr_ground_labels_release(ground, size);
    memset(size, 0, sizeof *size);
}

void tr_ground_destroy(tr_ground *ground) {
    if (!ground)
        return;
    tr_allocator allocator = ground->allocator;
    for (uint32_t i = 0; i < ground->size_count; i++)
        tr_ground_size_release(ground, &ground->sizes[i]);
    tr_release(&allocator, ground->sizes, ground->size_capacity, sizeof *ground->sizes);
    for (uint32_t i = 0; ground->tiles && i < ground->tile_count; i++)
        tr_ground_tile_release(ground, &ground->tiles[i]);
    tr_release(&allocator, ground->tiles, ground->tile_count, sizeof *ground->tiles);
    tr_release(&allocator, ground->touched, surface_words(ground->tile_count), sizeof *ground->touched);
    tr_release(&allocator, ground->links, ground->link_count, sizeof *ground->links);
    tr_surface_destroy(ground->surface);
    tr_release(&allocator, ground, 1, sizeof *ground);
}

const tr_cells *tr_ground_changes(const tr_ground *ground, uint32_t *count) {
    *count = ground->change_count;
    return ground->changes;
}

uint64_t tr_ground_revision(const tr_ground *ground) {
    return ground->revision;
}

const tr_surface *tr_ground_surface(const tr_ground *ground) {
    return ground->surface;
}

uint64_t tr_ground_bytes(const tr_ground *ground) {
    uint64_t bytes =
        sizeof *ground + tr_surface_bytes(ground->surface) + ground->tile_count * sizeof *ground->tiles +
        surface_words(ground->tile_count) * sizeof *ground->touched +
        ground->size_capacity * sizeof *ground->sizes + ground->link_count * sizeof *ground->links;
    for (uint32_t i = 0; i < ground->tile_count; i++)
        bytes += GROUND_OFFSETS * sizeof *ground->tiles->offsets + ground->tiles[i].count * 3u;
    for (uint32_t k = 0; k < ground->size_count; k++) {
        const ground_size *size = &ground->sizes[k];
        bytes += ground->tile_count * sizeof *size->tiles + ground->link_count * sizeof *size->ends +
                 size->rect_total * sizeof *size->labels + size->label_count * sizeof *size->joined;
        for (uint32_t i = 0; i < ground->tile_count; i++)
            bytes += size->tiles[i].cell_count * 3u + size->tiles[i].rect_count * sizeof(ground_rect) +
                     size->tiles[i].portal_count * sizeof(ground_portal);
    }
    return bytes;
}

// --- Sizes ---

static tr_status check_length(const char *what, float value, bool may_be_zero, tr_error *error) {
    if (isfinite(value) && (may_be_zero ? value >= 0 : value > 0))
        return TR_OK;
    return tr_fail(error, TR_INVALID, "the body's %s is %g m, it must be %s 0", what, value,
                   may_be_zero ? "at least" : "above");
}

static tr_status check_body(const tr_ground_body *body, tr_error *error) {
    tr_status status;
    if ((status = check_length("height", body->height, false, error)) != TR_OK ||
        (status = check_length("radius", body->radius, true, error)) != TR_OK ||
        (status = check_length("foot span", body->foot_span, false, error)) != TR_OK ||
        (status = check_length("foot rise", body->foot_rise, true, error)) != TR_OK)
        return status;
    if (!(body->foot_rise < body->height))
        return tr_fail(error, TR_INVALID, "the foot rise is %g m, it must be less than the height of %g m",
                       body->foot_rise, body->height);
    return TR_OK;
}

// Head room is rounded down as in the surface, so that a room of exactly the height is enough.
static tr_status measure_body(const tr_ground *ground, const tr_ground_body *body, ground_measure *measure,
                              tr_error *error) {
    tr_status status = check_body(body, error);
    if (status != TR_OK)
        return status;
    double told = 63 * ground->scale.room, cell = ground->grid.cell;
    if ((double)body->height + body->foot_rise > told * 1.0000001)
        return tr_fail(error, TR_LIMIT,
                       "a body of %g m that steps up by %g m needs more than the maximum head room of %g m",
                       body->height, body->foot_rise, told);
    measure->room = tr_surface_room(ground->surface, body->height);
    measure->need = measure->room < 63 ? ground->rooms[measure->room] : ground->room_most;
    measure->rise = tr_surface_units(ground->surface, body->foot_rise);
    measure->over = tr_surface_units(ground->surface, GROUND_OVER * body->foot_rise);
    double span = floor(body->foot_span / cell + 1.0 / 1024);
    if (span > GROUND_SPAN_MAX)
        return tr_fail(error, TR_LIMIT, "the foot span of %g m is %g cells, the maximum is %d",
                       body->foot_span, span, GROUND_SPAN_MAX);
    measure->span = span < 1 ? 1 : (uint32_t)span;
    measure->radius = (double)(body->radius / ground->grid.cell);
    if (measure->radius > GROUND_RADIUS_MAX)
        return tr_fail(error, TR_LIMIT, "the radius of %g m is more than %d cells", body->radius,
                       GROUND_RADIUS_MAX);
    measure->halo = measure->radius > 0 ? (uint32_t)measure->radius + 2 : 0;
    return TR_OK;
}

// A step that leads on does not count as furniture where these bodies can climb it, or they could not use
// steep stairs. A patch that leads nowhere does: bodies do not walk over low tables or climb onto seats.
static tr_status follow_rise(tr_ground *ground, float foot_rise, tr_error *error) {
    float step = foot_rise < GUESS_RISE_MOST ? foot_rise : GUESS_RISE_MOST;
    if (!ground->def.guess || ground->def.guess_rise > 0 ||
        step <= tr_surface_def_of(ground->surface)->guess_step)
        return TR_OK;
    tr_status status = tr_surface_guess_anew(ground->surface, step, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < ground->tile_count; i++)
        ground->touched[i / 64] |= (uint64_t)1 << (i & 63);
    return tr_ground_take_over(ground, error);
}

static bool is_same(const tr_ground_body *a, const tr_ground_body *b) {
    return a->height == b->height && a->radius == b->radius && a->foot_span == b->foot_span &&
           a->foot_rise == b->foot_rise;
}

tr_status tr_ground_add_size(tr_ground *ground, const tr_ground_body *body, uint32_t *size, tr_error *error) {
    ground_size made = {.body = *body};
    tr_status status = measure_body(ground, body, &made.measure, error);
    if (status != TR_OK)
        return status;
    for (*size = 0; *size < ground->size_count; ++*size)
        if (is_same(&ground->sizes[*size].body, body))
            return TR_OK;
    if (ground->size_count == TR_GROUND_SIZES_MAX)
        return tr_fail(error, TR_LIMIT, "the ground already has the maximum of %d body sizes",
                       TR_GROUND_SIZES_MAX);
    if ((status = follow_rise(ground, body->foot_rise, error)) != TR_OK)
        return status;
    void *sizes = ground->sizes;
    bool room = tr_reserve(&ground->allocator, &sizes, &ground->size_capacity,
                           (uint64_t)ground->size_count + 1, sizeof *ground->sizes);
    ground->sizes = sizes;
    if (!room || !tr_ground_size_build(ground, &made))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for another body size on %u cells",
                       tr_surface_cell_count(ground->surface));
    ground->sizes[ground->size_count++] = made;
    return TR_OK;
}

const tr_ground_body *tr_ground_size(const tr_ground *ground, uint32_t size) {
    return size < ground->size_count ? &ground->sizes[size].body : NULL;
}

// --- Links ---

static bool has_floor(const tr_ground *ground, tr_vec3 point) {
    return tr_vec3_is_finite(point) && tr_surface_drop(ground->surface, point, 0.5f).cell != TR_NONE;
}

static tr_status check_link(const tr_ground *ground, const tr_ground_link *link, uint32_t number,
                            tr_error *error) {
    if (link->kind != TR_GROUND_DOOR && link->kind != TR_GROUND_LIFT && link->kind != TR_GROUND_LADDER &&
        link->kind != TR_GROUND_OTHER)
        return tr_fail(error, TR_INVALID, "link %u has the unknown kind %d", number, (int)link->kind);
    if (!(link->cost >= 0 && link->cost <= LINK_COST_MAX))
        return tr_fail(error, TR_INVALID, "link %u costs %g m, it must be 0 to %g", number, link->cost,
                       LINK_COST_MAX);
    const tr_vec3 ends[2] = {link->from, link->to};
    for (int i = 0; i < 2; i++)
        if (!has_floor(ground, ends[i]))
            return tr_fail(error, TR_INVALID, "link %u %s (%g, %g, %g), which has no floor below it", number,
                           i ? "leads to" : "begins at", ends[i].x, ends[i].y, ends[i].z);
    return TR_OK;
}

static ground_end end_at(const tr_ground *ground, const ground_size *size, tr_vec3 point) {
    ground_end end = {.tile = TR_NONE};
    tr_ground_place place = tr_ground_drop_on(ground, size, point, size->body.foot_rise);
    if (place.why != TR_GROUND_FREE)
        place = tr_ground_nearest_on(ground, size, place.cell == TR_NONE ? point : place.position, LINK_REACH,
                                     INFINITY, TR_NONE);
    if (place.cell == TR_NONE || place.why != TR_GROUND_FREE)
        return end;
    ground_spot spot = tr_ground_free_near(ground, size, place.position, 0.01);
    if (spot.tile == TR_NONE)
        return end;
    end.tile = spot.tile;
    end.rect = size->tiles[spot.tile].rects_of[spot.index];
    end.height = (uint16_t)ground_rounded(ground, ground->tiles[spot.tile].heights[spot.index]);
    end.position = place.position;
    return end;
}

void tr_ground_find_ends(const tr_ground *ground, ground_size *size) {
    for (uint32_t i = 0; i < ground->link_count; i++) {
        size->ends[i][0] = end_at(ground, size, ground->links[i].from);
        size->ends[i][1] = end_at(ground, size, ground->links[i].to);
    }
}

// Releases the ends that were made so far.
static void drop_ends(const tr_ground *ground, ground_end (**ends)[2], uint32_t made, uint32_t count) {
    for (uint32_t k = 0; k < made; k++)
        tr_release(&ground->allocator, ends[k], count, sizeof *ends[k]);
}

tr_status tr_ground_set_links(tr_ground *ground, const tr_ground_link *links, uint32_t count,
                              tr_error *error) {
    if (count > TR_GROUND_LINKS_MAX)
        return tr_fail(error, TR_LIMIT, "there are %u links, the maximum is %d", count, TR_GROUND_LINKS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        tr_status status = check_link(ground, &links[i], i, error);
        if (status != TR_OK)
            return status;
    }
    return tr_ground_keep_links(ground, links, count, error);
}

tr_status tr_ground_keep_links(tr_ground *ground, const tr_ground_link *links, uint32_t count,
                               tr_error *error) {
    ground_end(*ends[TR_GROUND_SIZES_MAX])[2];
    tr_ground_link *kept = tr_allocate(&ground->allocator, count, sizeof *kept);
    uint32_t made = 0;
    while (kept && made < ground->size_count &&
           (ends[made] = tr_allocate(&ground->allocator, count, sizeof *ends[made])))
        made++;
    if (!kept || made < ground->size_count) {
        drop_ends(ground, ends, made, count);
        tr_release(&ground->allocator, kept, count, sizeof *kept);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u links", count);
    }
    if (count > 0)
        memcpy(kept, links, count * sizeof *kept);
    uint32_t before = ground->link_count;
    tr_release(&ground->allocator, ground->links, before, sizeof *kept);
    ground->links = kept;
    ground->link_count = count;
    for (uint32_t k = 0; k < ground->size_count; k++) {
        tr_release(&ground->allocator, ground->sizes[k].ends, before, sizeof *ends[k]);
        ground->sizes[k].ends = ends[k];
        tr_ground_find_ends(ground, &ground->sizes[k]);
        tr_ground_label_links(ground, &ground->sizes[k]);
    }
    ground->revision++;
    return TR_OK;
}

tr_status tr_ground_close_link(tr_ground *ground, uint32_t link, bool closed) {
    if (link >= ground->link_count)
        return TR_INVALID;
    if (ground->links[link].closed == closed)
        return TR_OK;
    ground->links[link].closed = closed;
    for (uint32_t k = 0; k < ground->size_count; k++)
        tr_ground_label_links(ground, &ground->sizes[k]);
    ground->revision++;
    return TR_OK;
}

const tr_ground_link *tr_ground_links(const tr_ground *ground, uint32_t *count) {
    *count = ground->link_count;
    return ground->links;
}
