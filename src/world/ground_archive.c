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
    tr_archive_check(archive, kind == 1 || kind == 2 || kind == 4 || kind == 8, "a link of no kind");
    link->kind = (tr_ground_link_kind)kind;
    tr_archive_vec3(archive, &link->from);
    tr_archive_vec3(archive, &link->to);
    tr_archive_bool(archive, &link->both_ways);
    tr_archive_bool(archive, &link->closed);
    tr_archive_float(archive, &link->cost);
    tr_archive_check(archive, tr_vec3_is_finite(link->from) && tr_vec3_is_finite(link->to) && link->cost >= 0,
                     "a link out of the world");
}

static void archive_body(tr_ground_body *body, tr_archive *archive) {
    tr_archive_float(archive, &body->height);
    tr_archive_float(archive, &body->radius);
    tr_archive_float(archive, &body->foot_span);
    tr_archive_float(archive, &body->foot_rise);
}

static void archive_links(tr_ground *ground, tr_archive *archive) {
    tr_ground_link links[TR_GROUND_LINKS_MAX] = {{0}};
    uint32_t count = tr_archive_count(archive, ground->link_count, TR_GROUND_LINKS_MAX, "links");
    for (uint32_t i = 0; i < count; i++) {
        if (!tr_archive_reads(archive))
            links[i] = ground->links[i];
        archive_link(&links[i], archive);
    }
    tr_error error = {0};
    tr_status status = TR_OK;
    if (tr_archive_reads(archive) && tr_archive_is_good(archive) && count)
        status = tr_ground_keep_links(ground, links, count, &error);
    if (status != TR_OK)
        tr_archive_fail(archive, status, "%s", error.message);
}

void tr_ground_archive(tr_ground *ground, tr_archive *archive) {
    if (!tr_archive_reads(archive)) { // one that is read has its grid already
        tr_voxel_grid grid = tr_surface_def_of(ground->surface)->grid;
        archive_grid(&grid, archive);
    }
    archive_links(ground, archive);
    uint32_t count = tr_archive_count(archive, ground->size_count, TR_GROUND_SIZES_MAX, "sizes of bodies");
    for (uint32_t i = 0; i < count; i++) {
        tr_ground_body body = {0};
        if (!tr_archive_reads(archive))
            body = ground->sizes[i].body;
        archive_body(&body, archive);
        if (!tr_archive_reads(archive) || !tr_archive_is_good(archive))
            continue;
        tr_error error = {0};
        uint32_t number = 0;
        tr_status status = tr_ground_add_size(ground, &body, &number, &error);
        if (status != TR_OK)
            tr_archive_fail(archive, status == TR_OUT_OF_MEMORY ? status : TR_BAD_FILE, "%s", error.message);
        tr_archive_check(archive, number == i, "two sizes of bodies are the same");
    }
}

tr_status tr_ground_restore(const tr_ground_def *def, surface_exclude exclude, tr_raster *raster,
                            const tr_scene *scene, tr_archive *archive, tr_ground **ground, tr_error *error) {
    tr_voxel_grid grid = {0};
    *ground = NULL;
    archive_grid(&grid, archive);
    if (!tr_archive_is_good(archive))
        return archive->status;
    tr_status status = tr_ground_make(def, &grid, exclude, raster, scene, ground, error);
    if (status != TR_OK)
        return status;
    tr_ground_archive(*ground, archive);
    if (!tr_archive_is_good(archive)) {
        tr_ground_destroy(*ground);
        *ground = NULL;
    }
    return archive->status;
}
