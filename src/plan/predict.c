#include "troupe/plan/predict.h"

#include <math.h>

typedef struct seen_object {
    double x, z; // middle of the bounds when last seen
    tr_vec2 observed, told;
    bool is_seen, is_told;
} seen_object;

struct tr_predict {
    tr_allocator allocator;
    seen_object *objects;
    uint32_t max;
    double time;
    bool has_time;
};

tr_status tr_predict_create(const tr_allocator *allocator, uint32_t object_max, tr_predict **predict,
                            tr_error *error) {
    *predict = NULL;
    if (object_max == 0)
        return tr_fail(error, TR_INVALID, "room for 0 objects was asked for, it must be 1 at least");
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_predict *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (made) {
        made->allocator = own;
        made->max = object_max;
        made->objects = tr_allocate_zero(&own, object_max, sizeof *made->objects);
    }
    if (!made || !made->objects) {
        tr_predict_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to predict %u objects", object_max);
    }
    *predict = made;
    return TR_OK;
}

void tr_predict_destroy(tr_predict *predict) {
    if (!predict)
        return;
    tr_allocator allocator = predict->allocator;
    tr_release(&allocator, predict->objects, predict->max, sizeof *predict->objects);
    tr_release(&allocator, predict, 1, sizeof *predict);
}

tr_status tr_predict_observe(tr_predict *predict, const tr_scene *scene, double time, tr_error *error) {
    uint32_t count = tr_scene_object_count(scene);
    if (count > predict->max)
        return tr_fail(error, TR_LIMIT, "the scene has %u objects, there is room for %u", count,
                       predict->max);
    if (!isfinite(time) || (predict->has_time && !(time > predict->time)))
        return tr_fail(error, TR_INVALID, "the time is %g s, it must be later than the last look at %g s",
                       time, predict->time);
    for (uint32_t i = 0; i < count; i++) {
        seen_object *object = &predict->objects[i];
        tr_box bounds = tr_scene_object(scene, i).bounds;
        bool is_there = !tr_box_is_empty(bounds);
        double x = ((double)bounds.min.x + bounds.max.x) / 2, z = ((double)bounds.min.z + bounds.max.z) / 2;
        object->observed = (tr_vec2){0, 0};
        if (is_there && object->is_seen) {
            object->observed.x = (float)((x - object->x) / (time - predict->time));
            object->observed.z = (float)((z - object->z) / (time - predict->time));
        }
        object->is_seen = is_there;
        object->x = is_there ? x : 0;
        object->z = is_there ? z : 0;
    }
    predict->time = time;
    predict->has_time = true;
    return TR_OK;
}

tr_status tr_predict_set_velocity(tr_predict *predict, uint32_t object, const tr_vec2 *velocity) {
    if (object >= predict->max || (velocity && (!isfinite(velocity->x) || !isfinite(velocity->z))))
        return TR_INVALID;
    predict->objects[object].is_told = velocity != NULL;
    if (velocity)
        predict->objects[object].told = *velocity;
    return TR_OK;
}

tr_vec2 tr_predict_velocity(const tr_predict *predict, uint32_t object) {
    tr_vec2 none = {0, 0};
    if (object >= predict->max)
        return none;
    const seen_object *seen = &predict->objects[object];
    return seen->is_told ? seen->told : seen->observed;
}

tr_predict_params tr_predict_params_default(const tr_raster_band *band) {
    tr_predict_params params = {
        .band = *band, .horizon = 2, .radius = 0.3f, .spread = 0.2f, .speed_max = 5, .weight = 160};
    return params;
}

static tr_status check(const tr_grid *grid, const tr_predict_params *params, tr_error *error) {
    tr_status status = tr_grid_check(grid, UINT64_MAX, error);
    if (status != TR_OK)
        return status;
    if (!(params->horizon > 0) || !isfinite(params->horizon))
        return tr_fail(error, TR_INVALID, "the horizon is %g s, it must be above 0", params->horizon);
    if (!(params->radius >= 0) || !isfinite(params->radius))
        return tr_fail(error, TR_INVALID, "the radius is %g m, it must be at least 0", params->radius);
    if (!(params->spread >= 0) || !isfinite(params->spread))
        return tr_fail(error, TR_INVALID, "the spread is %g m/s, it must be at least 0", params->spread);
    if (!(params->speed_max > 0))
        return tr_fail(error, TR_INVALID, "the greatest speed is %g m/s, it must be above 0",
                       params->speed_max);
    if (!isfinite(params->band.low) || !isfinite(params->band.high) || params->band.low > params->band.high)
        return tr_fail(error, TR_INVALID, "the height band goes from %g to %g m", params->band.low,
                       params->band.high);
    return TR_OK;
}

// One side of a moving box: where it is at first, and how fast it goes outwards or along [m, m/s].
typedef struct moving_side {
    double at, speed;
} moving_side;

// The grown bounds of a thing: all four sides move on their own.
typedef struct moving_box {
    moving_side left, right, low, high;
} moving_box;

// Keep of [from, to] the times at which the side is above (sign 1) or below (-1) a line.
static void cut_times(moving_side side, double line, double sign, double *from, double *to) {
    double gap = (side.at - line) * sign, speed = side.speed * sign;
    if (speed > 0)
        *from = -gap / speed > *from ? -gap / speed : *from;
    else if (speed < 0)
        *to = gap / -speed < *to ? gap / -speed : *to;
    else if (gap < 0)
        *to = -1;
}

// When the box first overlaps the cell, or a time beyond the horizon.
static double first_time(const moving_box *box, const tr_grid *grid, uint32_t column, uint32_t row,
                         double horizon) {
    double x = grid->origin.x + (double)column * grid->cell, z = grid->origin.z + (double)row * grid->cell;
    double from = 0, to = horizon;
    cut_times(box->right, x, 1, &from, &to);
    cut_times(box->left, x + grid->cell, -1, &from, &to);
    cut_times(box->high, z, 1, &from, &to);
    cut_times(box->low, z + grid->cell, -1, &from, &to);
    return from <= to ? from : 2 * horizon;
}

static uint32_t clamp_cell(double cell, uint32_t count) {
    return cell <= 0 ? 0 : cell >= count ? count : (uint32_t)cell;
}

// The cells around everything that the box sweeps.
static tr_cells cells_around(const moving_box *box, const tr_grid *grid, double horizon) {
    double left = fmin(box->left.at, box->left.at + box->left.speed * horizon) - grid->origin.x,
           right = fmax(box->right.at, box->right.at + box->right.speed * horizon) - grid->origin.x,
           low = fmin(box->low.at, box->low.at + box->low.speed * horizon) - grid->origin.z,
           high = fmax(box->high.at, box->high.at + box->high.speed * horizon) - grid->origin.z;
    tr_cells cells = {
        clamp_cell(left / grid->cell - 1, grid->columns), clamp_cell(low / grid->cell - 1, grid->rows),
        clamp_cell(right / grid->cell + 2, grid->columns), clamp_cell(high / grid->cell + 2, grid->rows)};
    return cells;
}

// Does this object move, and where? false: it is not there, at rest, too fast, or left out.
static bool begin_sweep(const tr_predict *predict, const tr_scene *scene, uint32_t number,
                        const tr_predict_params *params, moving_box *box) {
    tr_object_view object = tr_scene_object(scene, number);
    const tr_raster_band *band = &params->band;
    tr_vec2 velocity = tr_predict_velocity(predict, number);
    double speed = sqrt((double)velocity.x * velocity.x + (double)velocity.z * velocity.z);
    if (object.removed || tr_box_is_empty(object.bounds) || object.tags & band->exclude_tags ||
        number == band->exclude_object || object.bounds.min.y > band->high || object.bounds.max.y < band->low)
        return false;
    if (!(speed > 0) || speed > params->speed_max)
        return false;
    double radius = params->radius, spread = params->spread;
    box->left = (moving_side){object.bounds.min.x - radius, velocity.x - spread};
    box->right = (moving_side){object.bounds.max.x + radius, velocity.x + spread};
    box->low = (moving_side){object.bounds.min.z - radius, velocity.z - spread};
    box->high = (moving_side){object.bounds.max.z + radius, velocity.z + spread};
    return true;
}

// What to do with a cell that is swept after some part of the horizon [0 to 1].
typedef struct sweep_target {
    uint8_t *weights;
    tr_bitmap *blocked;
    uint8_t weight;
} sweep_target;

static void mark(const sweep_target *target, const tr_grid *grid, uint32_t column, uint32_t row,
                 double part) {
    if (target->blocked) {
        tr_bitmap_set(target->blocked, column, row);
        return;
    }
    uint8_t *weight = &target->weights[(size_t)row * grid->columns + column];
    uint8_t raised = (uint8_t)(target->weight * (1 - part) + 0.5);
    *weight = raised > *weight ? raised : *weight;
}

static void sweep(const tr_predict *predict, const tr_scene *scene, const tr_grid *grid,
                  const tr_predict_params *params, const sweep_target *target) {
    double horizon = params->horizon;
    for (uint32_t i = 0, count = tr_scene_object_count(scene); i < count; i++) {
        moving_box box;
        if (!begin_sweep(predict, scene, i, params, &box))
            continue;
        tr_cells cells = cells_around(&box, grid, horizon);
        for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
            for (uint32_t column = cells.column_begin; column < cells.column_end; column++) {
                double time = first_time(&box, grid, column, row, horizon);
                if (time <= horizon)
                    mark(target, grid, column, row, time / horizon);
            }
    }
}

tr_status tr_predict_weigh(const tr_predict *predict, const tr_scene *scene, const tr_grid *grid,
                           const tr_predict_params *params, uint8_t *weights, tr_error *error) {
    tr_status status = check(grid, params, error);
    sweep_target target = {.weights = weights, .weight = params->weight};
    if (status == TR_OK)
        sweep(predict, scene, grid, params, &target);
    return status;
}

tr_status tr_predict_block(const tr_predict *predict, const tr_scene *scene, const tr_grid *grid,
                           const tr_predict_params *params, tr_bitmap *blocked, tr_error *error) {
    tr_status status = check(grid, params, error);
    if (status == TR_OK && (blocked->columns != grid->columns || blocked->rows != grid->rows))
        status = tr_fail(error, TR_INVALID, "the bitmap has %u x %u cells, the grid %u x %u",
                         blocked->columns, blocked->rows, grid->columns, grid->rows);
    sweep_target target = {.blocked = blocked};
    if (status == TR_OK)
        sweep(predict, scene, grid, params, &target);
    return status;
}
