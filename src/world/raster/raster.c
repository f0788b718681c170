#include "raster_backend.h"

#include <math.h>

float tr_raster_slack(const tr_grid *grid) {
    uint32_t side = grid->columns > grid->rows ? grid->columns : grid->rows;
    return side <= 8192 ? 1.0f / 256 : (float)side / (8192 * 256.0f);
}

tr_status tr_raster_create(const tr_raster_def *def, tr_raster **raster, tr_error *error) {
    *raster = NULL;
    if (def->lanes != 0 && def->lanes != 4 && def->lanes != 8)
        return tr_fail(error, TR_INVALID, "lanes is %u, it must be 0, 4 or 8", def->lanes);
    switch (def->backend) {
    case TR_RASTER_SOFT:
        return raster_soft_create(def, raster, error);
    case TR_RASTER_GL:
        return raster_gl_create(def, raster, error);
    }
    return tr_fail(error, TR_INVALID, "back end %d is unknown", (int)def->backend);
}

void tr_raster_destroy(tr_raster *raster) {
    if (raster)
        raster->functions->destroy(raster);
}

tr_raster_backend tr_raster_which(const tr_raster *raster) {
    return raster->backend;
}

const char *tr_raster_name(const tr_raster *raster) {
    return raster->name;
}

static bool plane_fits(const tr_bitmap *plane, const tr_grid *grid) {
    return !plane || (plane->words && plane->columns == grid->columns && plane->rows == grid->rows);
}

static tr_status check_planes(const tr_raster_request *request, tr_error *error) {
    const tr_grid *grid = &request->grid;
    if (!request->occupied && !request->widened && !request->floor)
        return tr_fail(error, TR_INVALID, "the request has no plane to fill");
    if (!plane_fits(request->occupied, grid) || !plane_fits(request->widened, grid))
        return tr_fail(error, TR_INVALID, "a plane does not have the size of the grid, %u x %u cells",
                       grid->columns, grid->rows);
    if (!request->floor != !request->overhang)
        return tr_fail(error, TR_INVALID,
                       "floor and overhang must be given together: one of the two is NULL");
    if (request->floor && !(request->split >= request->band.low && request->split <= request->band.high))
        return tr_fail(error, TR_INVALID, "split is %g m, outside the band [%g, %g]", request->split,
                       request->band.low, request->band.high);
    if (request->widened && !(request->radius >= 0 && request->radius < TR_SCENE_EXTENT_MAX))
        return tr_fail(error, TR_INVALID, "radius is %g m, it must be at least 0 and finite",
                       request->radius);
    return TR_OK;
}

tr_status raster_region_check(const tr_cells *region, const tr_grid *grid, tr_error *error) {
    if (region->column_begin > region->column_end || region->column_end > grid->columns ||
        region->row_begin > region->row_end || region->row_end > grid->rows)
        return tr_fail(error, TR_INVALID,
                       "the region [%u, %u) x [%u, %u) is not inside the grid of %u x %u cells",
                       region->column_begin, region->column_end, region->row_begin, region->row_end,
                       grid->columns, grid->rows);
    return TR_OK;
}

static tr_status check_request(const tr_raster_request *request, tr_error *error) {
    if (!request->scene)
        return tr_fail(error, TR_INVALID, "the request has no scene");
    tr_status status = tr_grid_check(&request->grid, UINT64_MAX, error);
    if (status != TR_OK)
        return status;
    const tr_raster_band *band = &request->band;
    if (!isfinite(band->low) || !isfinite(band->high) || band->low > band->high)
        return tr_fail(error, TR_INVALID,
                       "the height band goes from %g to %g m, it must be finite and not reversed", band->low,
                       band->high);
    status = raster_region_check(&request->region, &request->grid, error);
    return status == TR_OK ? check_planes(request, error) : status;
}

tr_status tr_raster_prepare(tr_raster *raster, const tr_scene *scene, const tr_grid *grid, tr_error *error) {
    tr_status status = tr_grid_check(grid, UINT64_MAX, error);
    return status == TR_OK ? raster->functions->prepare(raster, scene, grid, error) : status;
}

tr_status tr_raster_submit(tr_raster *raster, const tr_raster_request *request, tr_error *error) {
    tr_status status = check_request(request, error);
    if (status != TR_OK)
        return status;
    if (raster->in_flight == TR_RASTER_IN_FLIGHT)
        return tr_fail(error, TR_LIMIT, "%u requests are in flight already: collect one first",
                       raster->in_flight);
    status = raster->functions->submit(raster, request, error);
    if (status == TR_OK)
        raster->in_flight++;
    return status;
}

tr_status tr_raster_collect(tr_raster *raster, tr_error *error) {
    if (raster->in_flight == 0)
        return TR_DONE;
    raster->in_flight--;
    return raster->functions->collect(raster, error);
}

tr_status tr_raster_draw(tr_raster *raster, const tr_raster_request *request, tr_error *error) {
    if (raster->in_flight != 0)
        return tr_fail(error, TR_INVALID, "%u requests are in flight: collect them before drawing",
                       raster->in_flight);
    tr_status status = tr_raster_submit(raster, request, error);
    return status == TR_OK ? tr_raster_collect(raster, error) : status;
}
