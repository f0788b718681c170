// A frame from beginning to end.
#include "render_data.h"

#include <string.h>

#define SHADOW_SIDE_MAX 16384
#define SKY_CELLS ((size_t)RENDER_SKY_SIDE * RENDER_SKY_SIDE)
#define SKY_VALUES (SKY_CELLS * RENDER_SKY_LEVELS)

static tr_status check_def(const tr_render_def *def, tr_error *error) {
    if (def->width == 0 || def->height == 0)
        return tr_fail(error, TR_INVALID, "a picture of %u x %u pixels is empty", def->width, def->height);
    if (def->width > TR_PICTURE_SIDE_MAX || def->height > TR_PICTURE_SIDE_MAX)
        return tr_fail(error, TR_LIMIT, "a picture of %u x %u pixels is larger than %u on a side", def->width,
                       def->height, TR_PICTURE_SIDE_MAX);
    if (def->samples != 0 && def->samples != 1 && def->samples != 2 && def->samples != 4)
        return tr_fail(error, TR_INVALID, "the number of samples per side is %u, it must be 1, 2 or 4",
                       def->samples);
    if (def->shadow_size > SHADOW_SIDE_MAX)
        return tr_fail(error, TR_LIMIT, "a shadow map of %u pixels a side is larger than %u",
                       def->shadow_size, SHADOW_SIDE_MAX);
    if (def->shadow_size != 0 && def->shadow_size < 16)
        return tr_fail(error, TR_INVALID, "a shadow map of %u pixels a side is smaller than 16",
                       def->shadow_size);
    return TR_OK;
}

// The number of blocks of the shadow map.
static size_t block_count(const tr_render *render) {
    size_t side = render->shadow.size / RENDER_BLOCK;
    return side * side;
}

// The colours of one row, with room to read four of them at the end.
static size_t sums_size(const tr_render *render) {
    return (size_t)render->width * 3 + 4;
}

static bool allocate_buffers(tr_render *made) {
    size_t map = (size_t)made->shadow.size * made->shadow.size;
    made->nearness = tr_allocate(&made->allocator, made->band_size * made->members, sizeof *made->nearness);
    made->owner = tr_allocate(&made->allocator, made->band_size * made->members, sizeof *made->owner);
    made->sums = tr_allocate(&made->allocator, sums_size(made) * made->members, sizeof *made->sums);
    if (map > 0)
        made->shadow.map = tr_allocate(&made->allocator, map, sizeof *made->shadow.map);
    float **blocks = &made->shadow.block_low;
    if (map > 0)
        *blocks = tr_allocate(&made->allocator, 4 * block_count(made), sizeof **blocks);
    if (map == 0)
        return made->nearness && made->owner && made->sums;
    made->sky.heights = tr_allocate(&made->allocator, SKY_CELLS, sizeof(float));
    made->sky.cells = tr_allocate(&made->allocator, SKY_VALUES, sizeof(float));
    made->sky.old = tr_allocate(&made->allocator, SKY_VALUES, sizeof(float));
    return made->nearness && made->owner && made->sums && made->shadow.map && *blocks && made->sky.heights &&
           made->sky.cells && made->sky.old;
}

tr_status tr_render_create(const tr_render_def *def, tr_render **render, tr_error *error) {
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_render *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a renderer");
    made->allocator = allocator;
    made->tasks = def->tasks;
    made->width = def->width;
    made->height = def->height;
    made->samples = def->samples == 0 ? 2 : def->samples;
    made->members = tr_tasks_members(def->tasks);
    made->row_size = (size_t)((def->width + 3) & ~3u) * made->samples * made->samples;
    made->band_size = made->row_size * RENDER_BAND_ROWS;
    made->shadow.size = (def->shadow_size + RENDER_BLOCK - 1) / RENDER_BLOCK * RENDER_BLOCK;
    if (!allocate_buffers(made)) {
        tr_render_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to render %u x %u pixels", def->width,
                       def->height);
    }
    if (made->shadow.block_low) {
        made->shadow.block_high = made->shadow.block_low + block_count(made);
        made->shadow.own_low = made->shadow.block_high + block_count(made);
        made->shadow.own_high = made->shadow.own_low + block_count(made);
    }
    tr_render_shades_make(made->shades);
    *render = made;
    return TR_OK;
}

void tr_render_destroy(tr_render *render) {
    if (!render)
        return;
    tr_allocator allocator = render->allocator;
    tr_release(&allocator, render->faces, render->face_capacity, sizeof *render->faces);
    tr_release(&allocator, render->normals, render->normal_capacity, sizeof *render->normals);
    tr_release(&allocator, render->triangles, (size_t)render->chunk_capacity * 2 * RENDER_CHUNK,
               sizeof *render->triangles);
    tr_release(&allocator, render->chunks, render->chunk_capacity, sizeof *render->chunks);
    tr_release(&allocator, render->nearness, render->band_size * render->members, sizeof *render->nearness);
    tr_release(&allocator, render->owner, render->band_size * render->members, sizeof *render->owner);
    tr_release(&allocator, render->shadow.map, (size_t)render->shadow.size * render->shadow.size,
               sizeof *render->shadow.map);
    tr_release(&allocator, render->shadow.block_low, 4 * block_count(render), sizeof *render->shadow.map);
    tr_release(&allocator, render->sky.heights, SKY_CELLS, sizeof(float));
    tr_release(&allocator, render->sky.cells, SKY_VALUES, sizeof(float));
    tr_release(&allocator, render->sky.old, SKY_VALUES, sizeof(float));
    tr_release(&allocator, render->cut.lines, render->cut.line_capacity, sizeof *render->cut.lines);
    tr_release(&allocator, render->cut.active, render->cut.active_capacity, sizeof *render->cut.active);
    tr_release(&allocator, render->cut.open, render->cut.open_capacity, sizeof *render->cut.open);
    tr_release(&allocator, render->sums, sums_size(render) * render->members, sizeof *render->sums);
    tr_release(&allocator, render, 1, sizeof *render);
}

tr_status tr_render_begin(tr_render *render, const tr_camera *camera, tr_error *error) {
    render_view view;
    tr_status status = tr_render_view_make(camera, render->width, render->height, &view, error);
    if (status != TR_OK)
        return status;
    render->camera = view;
    render->camera.sample_margin = 0.5 / (render->samples * render->samples);
    render->rays = tr_render_rays_make(&view);
    render->face_count = render->normal_count = 0;
    render->solid = render->ground = tr_box_empty();
    render->is_open = true;
    return TR_OK;
}

// Makes room for the triangles of all chunks, two for each face. Old ones are not kept.
static bool reserve_triangles(tr_render *render) {
    uint32_t needed = tr_render_chunk_count(render);
    if (needed <= render->chunk_capacity)
        return true;
    uint32_t capacity = needed + needed / 2;
    const size_t each = 2 * RENDER_CHUNK;
    render_triangle *triangles = tr_allocate(&render->allocator, capacity * each, sizeof *triangles);
    render_chunk *chunks = tr_allocate(&render->allocator, capacity, sizeof *chunks);
    if (!triangles || !chunks) {
        tr_release(&render->allocator, triangles, capacity * each, sizeof *triangles);
        tr_release(&render->allocator, chunks, capacity, sizeof *chunks);
        return false;
    }
    tr_release(&render->allocator, render->triangles, render->chunk_capacity * each, sizeof *triangles);
    tr_release(&render->allocator, render->chunks, render->chunk_capacity, sizeof *chunks);
    render->triangles = triangles;
    render->chunks = chunks;
    render->chunk_capacity = capacity;
    return true;
}

typedef struct band_job {
    const tr_render *render;
    tr_picture *picture;
} band_job;

static void draw_band(void *user, uint32_t part, uint32_t member) {
    const band_job *job = user;
    const tr_render *render = job->render;
    uint32_t top = part * RENDER_BAND_ROWS;
    uint32_t bottom = render->height - top < RENDER_BAND_ROWS ? render->height : top + RENDER_BAND_ROWS;
    render_target target = {.nearness = render->nearness + render->band_size * member,
                            .owner = render->owner + render->band_size * member,
                            .top = (int32_t)top,
                            .bottom = (int32_t)bottom,
                            .stride = render->row_size};
    float nothing = render->camera.is_parallel ? -INFINITY : 0;
    for (size_t i = 0; i < render->band_size; i++)
        target.nearness[i] = nothing;
    memset(target.owner, 0xff, render->band_size * sizeof *target.owner); // TR_NONE
    tr_render_lanes(render->samples, &target);
    tr_render_fill(render, &target);
    tr_render_shade(render, &target, render->sums + sums_size(render) * member, job->picture);
}

tr_status tr_render_end(tr_render *render, tr_picture *picture, tr_error *error) {
    if (!render->is_open)
        return tr_fail(error, TR_INVALID, "a frame was ended without being begun");
    if (!picture || !picture->pixels || picture->width != render->width || picture->height != render->height)
        return tr_fail(error, TR_INVALID, "the picture has %u x %u pixels, but the renderer has %u x %u",
                       picture ? picture->width : 0, picture ? picture->height : 0, render->width,
                       render->height);
    if (!reserve_triangles(render))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to draw %u triangles", render->face_count);
    tr_render_shadow_draw(render);
    tr_render_sky_draw(render);
    render_projection projection = {render, &render->camera, false};
    tr_tasks_run(render->tasks, tr_render_chunk_count(render), tr_render_project, &projection);
    band_job job = {render, picture};
    uint32_t bands = (render->height + RENDER_BAND_ROWS - 1) / RENDER_BAND_ROWS;
    tr_tasks_run(render->tasks, bands, draw_band, &job);
    render->is_open = false;
    return TR_OK;
}
