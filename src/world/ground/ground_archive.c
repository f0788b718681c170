#include "ground_archive.h"

static void archive_grid(tr_voxel_grid *grid, tr_archive *archive) {
    tr_archive_vec2(archive, &grid->grid.origin);
    tr_archive_float(archive, &grid->grid.cell);
    tr_archive_u32(archive, &grid->grid.columns);
    tr_archive_u32(archive, &grid->grid.rows);
    tr_archive_float(archive, &grid->bottom);
    tr_archive_float(archive, &grid->layer);
    tr_archive_u32(archive, &grid->layers);
}

static void archive_link(tr_ground_link *link, tr_archive *archive) {
    uint32_t kind = (uint32_t)link->kind;
    tr_archive_u32(archive, &kind);
    tr_archive_check(archive, kind == 1 || kind == 2 || kind == 4 || kind == 8, "a link has an unknown kind");
    link->kind = (tr_ground_link_kind)kind;
    tr_archive_vec3(archive, &link->from);
    tr_archive_vec3(archive, &link->to);
    tr_archive_bool(archive, &link->both_ways);
    tr_archive_bool(archive, &link->closed);
    tr_archive_float(archive, &link->cost);
    tr_archive_check(archive, tr_vec3_is_finite(link->from) && tr_vec3_is_finite(link->to) && link->cost >= 0,
                     "a link has an end that is not finite or a negative cost");
}

static void archive_body(tr_ground_body *body, tr_archive *archive) {
    tr_archive_float(archive, &body->height);
    tr_archive_float(archive, &body->radius);
    tr_archive_float(archive, &body->foot_span);
    tr_archive_float(archive, &body->foot_rise);
}

void tr_ground_recipe_archive(ground_recipe *recipe, tr_archive *archive) {
    archive_grid(&recipe->grid, archive);
    recipe->link_count = tr_archive_count(archive, recipe->link_count, TR_GROUND_LINKS_MAX, "links");
    for (uint32_t i = 0; i < recipe->link_count; i++)
        archive_link(&recipe->links[i], archive);
    recipe->size_count = tr_archive_count(archive, recipe->size_count, TR_GROUND_SIZES_MAX, "body sizes");
    for (uint32_t i = 0; i < recipe->size_count; i++)
        archive_body(&recipe->bodies[i], archive);
}

void tr_ground_recipe_of(const tr_ground *ground, ground_recipe *recipe) {
    recipe->grid = tr_surface_def_of(ground->surface)->grid;
    recipe->link_count = ground->link_count;
    recipe->size_count = ground->size_count;
    for (uint32_t i = 0; i < ground->link_count; i++)
        recipe->links[i] = ground->links[i];
    for (uint32_t i = 0; i < ground->size_count; i++)
        recipe->bodies[i] = ground->sizes[i].body;
}

static bool same_grid(const tr_voxel_grid *a, const tr_voxel_grid *b) {
    return a->grid.origin.x == b->grid.origin.x && a->grid.origin.z == b->grid.origin.z &&
           a->grid.cell == b->grid.cell && a->grid.columns == b->grid.columns &&
           a->grid.rows == b->grid.rows && a->bottom == b->bottom && a->layer == b->layer &&
           a->layers == b->layers;
}

static bool same_point(tr_vec3 a, tr_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_link(const tr_ground_link *a, const tr_ground_link *b) {
    return a->kind == b->kind && same_point(a->from, b->from) && same_point(a->to, b->to) &&
           a->both_ways == b->both_ways && a->cost == b->cost;
}

static bool same_body(const tr_ground_body *a, const tr_ground_body *b) {
    return a->height == b->height && a->radius == b->radius && a->foot_span == b->foot_span &&
           a->foot_rise == b->foot_rise;
}

bool tr_ground_recipe_fits(const ground_recipe *recipe, const tr_ground *ground) {
    bool fits = same_grid(&recipe->grid, &tr_surface_def_of(ground->surface)->grid) &&
                recipe->link_count == ground->link_count && recipe->size_count == ground->size_count;
    for (uint32_t i = 0; fits && i < recipe->link_count; i++)
        fits = same_link(&recipe->links[i], &ground->links[i]);
    for (uint32_t i = 0; fits && i < recipe->size_count; i++)
        fits = same_body(&recipe->bodies[i], &ground->sizes[i].body);
    return fits;
}

tr_status tr_ground_recipe_make(const ground_recipe *recipe, const tr_ground_def *def,
                                surface_exclude exclude, tr_raster *raster, const tr_scene *scene,
                                tr_ground **ground, tr_error *error) {
    tr_ground *made;
    *ground = NULL;
    tr_status status = tr_ground_make(def, &recipe->grid, exclude, raster, scene, &made, error);
    if (status == TR_OK && recipe->link_count)
        status = tr_ground_keep_links(made, recipe->links, recipe->link_count, error);
    for (uint32_t i = 0; i < recipe->size_count && status == TR_OK; i++) {
        uint32_t number;
        status = tr_ground_add_size(made, &recipe->bodies[i], &number, error);
        if (status == TR_OK && number != i)
            status = tr_fail(error, TR_BAD_FILE, "two body sizes are the same");
    }
    if (status == TR_OK)
        *ground = made;
    else
        tr_ground_destroy(made);
    return status;
}

void tr_ground_give(tr_ground *ground, const tr_allocator *allocator) {
    ground->allocator = *allocator;
    ground->surface->allocator = *allocator;
}
