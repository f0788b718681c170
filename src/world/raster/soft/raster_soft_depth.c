// Depth maps with the `soft` back end: goes through the objects of a scene that the camera can see.
#include "raster_soft_depth.h"
#include "raster_soft_place.h"

#include <math.h>
#include <string.h>

typedef bool (*blocks_function)(const depth_job *job);

static depth_job begin_job(const depth_view *view, const depth_window *window) {
    depth_job job = {.column_first = (int32_t)window->column_first,
                     .column_last = (int32_t)window->column_last,
                     .row_first = (int32_t)window->row_first,
                     .row_last = (int32_t)window->row_last,
                     .deepest = window->deepest,
                     .near = view->near,
                     .columns = view->columns};
    return job;
}

// The borders as floats, with a margin for rounding in boxes of at most this half size.
static void round_planes(depth_job *job, const depth_plane planes[DEPTH_PLANES], tr_vec3 half) {
    const double rounding = 0x1p-20;
    double sum = 0;
    for (int i = 0; i < DEPTH_PLANES; i++) {
        const double *normal = planes[i].normal;
        double reach = fabs(normal[0]) * (double)half.x + fabs(normal[1]) * (double)half.y +
                       fabs(normal[2]) * (double)half.z;
        double offset = planes[i].offset + (2 * reach + fabs(planes[i].offset)) * rounding;
        for (int k = 0; k < 3; k++) {
            job->planes[i][k] = (float)normal[k];
            job->planes_size[i][k] = fabsf(job->planes[i][k]);
        }
        job->planes[i][3] = (float)offset;
        sum += 2 * reach + fabs(offset);
    }
    job->beyond_floats = !(sum < SOFT_FLOAT_SAFE);
}

// false: the camera sees nothing of the object.
static bool aim_job(depth_job *job, const depth_view *view, const depth_window *window,
                    const tr_affine *placement, tr_vec3 centre, tr_vec3 half) {
    depth_plane planes[DEPTH_PLANES];
    tr_depth_place(view, placement, centre, job->matrix);
    tr_depth_planes(window, view->near, (const double(*)[4])job->matrix, planes);
    if (!tr_depth_sees(planes, half))
        return false;
    round_planes(job, planes, half);
    return true;
}

static bool is_drawn(const depth_view *view, uint32_t number) {
    const tr_depth_request *request = view->request;
    return soft_is_drawn(&request->scene->objects[number], number, request->exclude_tags,
                         request->exclude_object);
}

// true: there is a collision.
static bool draw_meshes(const depth_view *view, const depth_window *window, depth_job *job,
                        blocks_function blocks) {
    const tr_scene *scene = view->request->scene;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE || !is_drawn(view, i))
            continue;
        const tr_mesh *mesh = &scene->meshes[object->mesh];
        if (mesh->block_count == 0 ||
            !aim_job(job, view, window, &object->placement, mesh->centre, mesh->half))
            continue;
        job->object = i;
        job->blocks = mesh->blocks;
        job->block_bounds = mesh->block_bounds;
        job->block_count = mesh->block_count;
        job->block_stride = mesh->block_stride;
        job->last_block_triangles = mesh->triangle_count - (mesh->block_count - 1) * MESH_BLOCK;
        if (blocks(job))
            return true;
    }
    return false;
}

// Draws the triangles that a draw callback emits at once, one block at a time.
typedef struct depth_sink {
    soft_sink base;
    depth_job job;
    blocks_function blocks;
    float bounds[6 * MESH_STRIDE];
    bool hit;
} depth_sink;

static bool draw_emitted(soft_sink *base) {
    depth_sink *sink = (depth_sink *)base;
    sink->job.last_block_triangles = base->count;
    sink->hit = sink->hit || sink->blocks(&sink->job);
    return true;
}

static tr_status draw_drawn(const depth_view *view, const depth_window *window, const depth_job *job,
                            blocks_function blocks, bool *hit, tr_error *error) {
    const tr_scene *scene = view->request->scene;
    const tr_affine identity = tr_affine_identity();
    for (uint32_t i = 0; i < scene->object_count && !*hit; i++) {
        const scene_object *object = &scene->objects[i];
        if (!object->drawn.emit || !is_drawn(view, i))
            continue;
        depth_sink sink = {.job = *job, .blocks = blocks};
        tr_soft_sink_begin(&sink.base, object, draw_emitted);
        tr_vec3 half = sink.base.half;
        if (!aim_job(&sink.job, view, window, &identity, sink.base.anchor, half))
            continue;
        sink.bounds[3 * MESH_STRIDE] = half.x;
        sink.bounds[4 * MESH_STRIDE] = half.y;
        sink.bounds[5 * MESH_STRIDE] = half.z;
        sink.job.object = i;
        sink.job.blocks = &sink.base.block;
        sink.job.block_bounds = sink.bounds;
        sink.job.block_count = 1;
        sink.job.block_stride = MESH_STRIDE;
        tr_status status = tr_soft_sink_run(&sink.base, object, i, error);
        if (status != TR_OK)
            return status;
        *hit = sink.hit;
    }
    return TR_OK;
}

tr_status tr_soft_depth_draw(uint32_t lanes, const depth_view *view, const tr_depth_map *map,
                             tr_error *error) {
    blocks_function blocks = lanes == 8 ? tr_soft_depth_blocks_8 : tr_soft_depth_blocks_4;
    size_t pixels = (size_t)map->columns * map->rows;
    depth_window window = depth_window_all(view);
    depth_job job = begin_job(view, &window);
    // During drawing the map holds 1 / depth, which is linear in the image.
    float *inverse = map->depth;
    job.inverse = inverse;
    memset(inverse, 0, pixels * sizeof *inverse);
    job.objects = map->objects;
    for (size_t i = 0; job.objects && i < pixels; i++)
        job.objects[i] = TR_NONE;
    bool hit = false;
    draw_meshes(view, &window, &job, blocks);
    tr_status status = draw_drawn(view, &window, &job, blocks, &hit, error);
    for (size_t i = 0; i < pixels; i++) {
        float depth = 1 / inverse[i];
        depth = depth > view->near ? depth : view->near;
        inverse[i] = depth < view->far ? depth : view->far;
        if (job.objects && !(depth < view->far))
            job.objects[i] = TR_NONE;
    }
    return status;
}

// The greatest depth of each column of pixels over some rows; NaN counts as no depth.
static void find_columns(const tr_depth_map *link, uint32_t row, uint32_t row_end, float *deepest) {
    memset(deepest, 0, link->columns * sizeof *deepest);
    for (; row < row_end; row++) {
        const float *depth = link->depth + (size_t)row * link->columns;
        for (uint32_t i = 0; i < link->columns; i++)
            deepest[i] = depth[i] > deepest[i] ? depth[i] : deepest[i];
    }
}

// Reads the link's map: the greatest depths of its tiles, and the part of it that has any.
static void find_tiles(const tr_depth_map *link, depth_tiles *tiles, depth_window *window) {
    float columns[TR_DEPTH_SIZE_MAX];
    uint32_t longer = link->columns > link->rows ? link->columns : link->rows;
    uint32_t side = (longer + DEPTH_TILES - 1) / DEPTH_TILES, across = (link->columns + side - 1) / side;
    depth_window none = {link->columns, -1, link->rows, -1, 0};
    *window = none;
    tiles->side = (int32_t)side;
    tiles->across = (int32_t)across;
    for (uint32_t tile_row = 0, row = 0; row < link->rows; tile_row++, row += side) {
        uint32_t row_end = row + side < link->rows ? row + side : link->rows;
        find_columns(link, row, row_end, columns);
        for (uint32_t tile = 0, begin = 0; tile < across; tile++, begin += side) {
            uint32_t end = begin + side < link->columns ? begin + side : link->columns;
            float deepest = 0;
            for (uint32_t i = begin; i < end; i++)
                deepest = columns[i] > deepest ? columns[i] : deepest;
            tiles->deepest[tile_row * across + tile] = deepest;
            if (!(deepest > 0))
                continue;
            window->deepest = (double)deepest > window->deepest ? (double)deepest : window->deepest;
            window->column_first = begin < window->column_first ? begin : window->column_first;
            window->column_last = end - 1.0 > window->column_last ? end - 1.0 : window->column_last;
            window->row_first = row < window->row_first ? row : window->row_first;
            window->row_last = row_end - 1.0;
        }
    }
}

tr_status tr_soft_depth_hits(uint32_t lanes, const depth_view *view, const tr_depth_map *link, bool *hit,
                             tr_error *error) {
    blocks_function blocks = lanes == 8 ? tr_soft_depth_blocks_8 : tr_soft_depth_blocks_4;
    depth_tiles tiles;
    depth_window window;
    find_tiles(link, &tiles, &window);
    // A link that reaches the far plane collides with nothing at all, as the maps compare.
    *hit = window.deepest >= (double)view->far;
    if (*hit || !(window.deepest >= (double)view->near))
        return TR_OK;
    window.deepest *= 1 + 0x1p-20; // depths are compared as floats
    depth_job job = begin_job(view, &window);
    job.link = link->depth;
    job.tiles = &tiles;
    *hit = draw_meshes(view, &window, &job, blocks);
    return *hit ? TR_OK : draw_drawn(view, &window, &job, blocks, hit, error);
}
