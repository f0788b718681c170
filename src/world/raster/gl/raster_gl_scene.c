// The scene on the card: the corners of its meshes permanently, placements and emitted triangles for one
// drawing.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL
#include <math.h>
#include <string.h>

// Meshes never change and are only ever added.
bool tr_gl_scene_is_loaded(const gl_raster *raster, const tr_scene *scene) {
    return raster->scene == scene && raster->scene_identity == scene->identity &&
           raster->mesh_count == scene->mesh_count;
}

static void write_triangle(float *blocks, uint32_t number, const tr_vec3 *a, const tr_vec3 *b,
                           const tr_vec3 *c) {
    float *block = blocks + (size_t)(number / GL_BLOCK) * GL_BLOCK_FLOATS + number % GL_BLOCK;
    const tr_vec3 *corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        block[(3 * k) * GL_BLOCK] = corners[k]->x;
        block[(3 * k + 1) * GL_BLOCK] = corners[k]->y;
        block[(3 * k + 2) * GL_BLOCK] = corners[k]->z;
    }
}

static void write_mesh(float *blocks, const tr_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corner = &mesh->indices[3 * (size_t)i];
        write_triangle(blocks, i, &mesh->positions[corner[0]], &mesh->positions[corner[1]],
                       &mesh->positions[corner[2]]);
    }
}

static uint64_t list_meshes(gl_mesh *table, const tr_scene *scene) {
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const tr_mesh *mesh = &scene->meshes[i];
        gl_mesh known = {(uint32_t)blocks, mesh->triangle_count};
        table[i] = known;
        blocks += gl_block_count(mesh->triangle_count);
    }
    return blocks;
}

tr_status tr_gl_scene_load(gl_raster *raster, const tr_scene *scene, tr_error *error) {
    if (!tr_reserve(&raster->base.allocator, (void **)&raster->mesh_table, &raster->mesh_capacity,
                    scene->mesh_count, sizeof *raster->mesh_table))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a table of %u meshes", scene->mesh_count);
    raster->scene = NULL; // until everything is loaded
    uint64_t size = list_meshes(raster->mesh_table, scene) * GL_BLOCK_FLOATS * sizeof(float);
    if (size > (uint64_t)raster->storage_max)
        return tr_fail(error, TR_LIMIT,
                       "the meshes take %llu bytes, the maximum of this OpenGL driver is %lld",
                       (unsigned long long)size, (long long)raster->storage_max);
    // Uploaded through a second buffer, so that the first need not be accessible to the processor.
    gl_buffer staging = {0};
    tr_status status = tr_gl_buffer_reserve(raster, &raster->meshes, (size_t)size, 0, error);
    if (status == TR_OK)
        status = tr_gl_buffer_reserve(raster, &staging, (size_t)size,
                                      GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        write_mesh((float *)(void *)staging.map + (size_t)raster->mesh_table[i].first_block * GL_BLOCK_FLOATS,
                   &scene->meshes[i]);
    const gl_functions *gl = &raster->context.gl;
    if (size)
        gl->CopyNamedBufferSubData(staging.name, raster->meshes.name, 0, 0, (GLsizeiptr)size);
    tr_gl_buffer_destroy(gl, &staging);
    status = tr_gl_check(gl, "copying meshes", error);
    if (status != TR_OK)
        return status;
    raster->scene = scene;
    raster->scene_identity = scene->identity;
    raster->mesh_count = scene->mesh_count;
    return TR_OK;
}

// Tests one object's box in grid coordinates, in double precision, against the cells and the band.
static bool box_matters(const tr_raster_request *request, const gl_slice *slice, tr_cells cells,
                        const tr_affine *placement, tr_box box, float *height_slack) {
    const double scale[3] = {1.0 / request->grid.cell, 1, 1.0 / request->grid.cell};
    const double origin[3] = {request->grid.origin.x, request->band.low, request->grid.origin.z};
    const double centre[3] = {((double)box.min.x + box.max.x) / 2, ((double)box.min.y + box.max.y) / 2,
                              ((double)box.min.z + box.max.z) / 2};
    const double half[3] = {(double)box.max.x - centre[0], (double)box.max.y - centre[1],
                            (double)box.max.z - centre[2]};
    double middle[3], reach[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *m = placement->m[axis];
        middle[axis] =
            (m[0] * centre[0] + m[1] * centre[1] + m[2] * centre[2] + m[3] - origin[axis]) * scale[axis];
        reach[axis] =
            (fabs((double)m[0]) * half[0] + fabs((double)m[1]) * half[1] + fabs((double)m[2]) * half[2]) *
            scale[axis];
    }
    double height = (double)request->band.high - request->band.low;
    // As much as `soft` needs for its floats, so that both treat a table top at the very end of the band
    // alike; but the rounding here is never allowed to exceed the slack.
    double slack = 0.5 * tr_raster_slack(&request->grid) * request->grid.cell;
    if (slice->read)
        slack = fmin(slack, slice->slack);
    *height_slack = (float)fmin((fabs(middle[1]) + reach[1]) * 0x1p-21, slack);
    double around = 1 + (request->widened ? request->radius * scale[0] : 0);
    return middle[0] + reach[0] + around >= cells.column_begin &&
           middle[0] - reach[0] - around <= cells.column_end && middle[1] + reach[1] + *height_slack >= 0 &&
           middle[1] - reach[1] - *height_slack <= height &&
           middle[2] + reach[2] + around >= cells.row_begin && middle[2] - reach[2] - around <= cells.row_end;
}

bool tr_gl_scene_matters(const tr_raster_request *request, const gl_slice *slice, tr_cells cells,
                         uint32_t number, float *height_slack) {
    const scene_object *object = &request->scene->objects[number];
    const tr_raster_band *band = &request->band;
    if (object->removed || (object->tags & band->exclude_tags) || number == band->exclude_object)
        return false;
    if (scene_is_excluded(slice->exclude, slice->exclude_count, number))
        return false;
    if (slice->require_tags && !(object->tags & slice->require_tags))
        return false;
    if (object->mesh == TR_NONE)
        return box_matters(request, slice, cells, &object->placement, drawn_reach(object->bounds),
                           height_slack);
    const tr_mesh *mesh = &request->scene->meshes[object->mesh];
    return mesh->triangle_count > 0 &&
           box_matters(request, slice, cells, &object->placement, mesh->bounds, height_slack);
}

typedef struct gl_sink {
    tr_triangle_sink base;
    gl_raster *raster;
    gl_emitted emitted;
    tr_box allowed; // where corners are allowed
    tr_status status;
} gl_sink;

static void take_triangles(tr_triangle_sink *base, const tr_vec3 *corners, uint32_t count) {
    gl_sink *sink = (gl_sink *)base;
    gl_raster *raster = sink->raster;
    uint64_t triangles = (uint64_t)sink->emitted.triangle_count + count;
    uint64_t blocks = sink->emitted.first_block + triangles / GL_BLOCK + 1;
    if (sink->status != TR_OK)
        return;
    if (triangles > UINT32_MAX ||
        !tr_reserve(&raster->base.allocator, (void **)&raster->stream, &raster->stream_capacity, blocks,
                    GL_BLOCK_FLOATS * sizeof(float))) {
        sink->status = TR_OUT_OF_MEMORY;
        return;
    }
    float *stream = raster->stream + (size_t)sink->emitted.first_block * GL_BLOCK_FLOATS;
    for (uint32_t i = 0; i < count; i++) {
        const tr_vec3 *corner = &corners[3 * (size_t)i];
        if (!box_holds(&sink->allowed, corner[0]) || !box_holds(&sink->allowed, corner[1]) ||
            !box_holds(&sink->allowed, corner[2])) {
            sink->status = TR_INVALID;
            return;
        }
        write_triangle(stream, sink->emitted.triangle_count++, &corner[0], &corner[1], &corner[2]);
    }
}

static tr_status emit_object(gl_raster *raster, const scene_object *object, uint32_t number,
                             tr_error *error) {
    const char *name = object->name ? object->name : "";
    gl_sink sink = {.base = {take_triangles},
                    .raster = raster,
                    .emitted = {number, raster->stream_blocks, 0},
                    .allowed = drawn_reach(object->bounds),
                    .status = TR_OK};
    if (!tr_reserve(&raster->base.allocator, (void **)&raster->emitted, &raster->emitted_capacity,
                    (uint64_t)raster->emitted_count + 1, sizeof *raster->emitted))
        sink.status = TR_OUT_OF_MEMORY;
    else
        object->drawn.emit(object->drawn.user, &sink.base);
    if (sink.status == TR_INVALID)
        return tr_fail(error, TR_INVALID,
                       "drawn object %u (\"%s\") emitted a corner that is not finite or outside its bounds",
                       number, name);
    if (sink.status != TR_OK)
        return tr_fail(error, sink.status, "no memory for the triangles of drawn object %u (\"%s\")", number,
                       name);
    raster->emitted[raster->emitted_count++] = sink.emitted;
    raster->stream_blocks += gl_block_count(sink.emitted.triangle_count);
    return TR_OK;
}

tr_status tr_gl_scene_emit(gl_raster *raster, const tr_scene *scene, const tr_raster_request *request,
                           tr_error *error) {
    const gl_slice none = {.read = NULL};
    raster->stream_blocks = raster->emitted_count = 0;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        float height_slack;
        if (!object->drawn.emit || object->drawn.draw_gl ||
            (request && !tr_gl_scene_matters(request, &none, request->region, i, &height_slack)))
            continue;
        tr_status status = emit_object(raster, object, i, error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static bool is_seen(const depth_view *view, uint32_t number) {
    const tr_depth_request *request = view->request;
    const scene_object *object = &request->scene->objects[number];
    if (object->removed || (object->tags & request->exclude_tags) || number == request->exclude_object)
        return false;
    tr_vec3 centre, half;
    if (object->mesh == TR_NONE)
        tr_mesh_choose_centre(drawn_reach(object->bounds), &centre, &half);
    else {
        const tr_mesh *mesh = &request->scene->meshes[object->mesh];
        if (mesh->triangle_count == 0)
            return false;
        centre = mesh->centre;
        half = mesh->half;
    }
    depth_window window = depth_window_all(view);
    depth_plane planes[DEPTH_PLANES];
    double matrix[3][4];
    tr_depth_place(view, &object->placement, centre, matrix);
    tr_depth_planes(&window, view->near, (const double(*)[4])matrix, planes);
    return tr_depth_sees(planes, half);
}

tr_status tr_gl_scene_emit_seen(gl_raster *raster, const depth_view *view, tr_error *error) {
    const tr_scene *scene = view->request->scene;
    tr_status status = TR_OK;
    raster->stream_blocks = raster->emitted_count = 0;
    for (uint32_t i = 0; i < scene->object_count && status == TR_OK; i++)
        if (scene->objects[i].drawn.emit && is_seen(view, i))
            status = emit_object(raster, &scene->objects[i], i, error);
    return status;
}

gl_upload_layout tr_gl_scene_layout(const gl_raster *raster, const tr_scene *scene) {
    uint64_t blocks = raster->stream_blocks;
    for (uint32_t i = 0; i < scene->object_count; i++)
        if (scene->objects[i].mesh != TR_NONE)
            blocks += gl_block_count(scene->meshes[scene->objects[i].mesh].triangle_count);
    size_t step = (size_t)raster->alignment;
    gl_upload_layout layout = {.blocks_size = (size_t)blocks * sizeof(gl_block),
                               .instances_size = (size_t)scene->object_count * sizeof(gl_instance),
                               .stream_size =
                                   (size_t)raster->stream_blocks * GL_BLOCK_FLOATS * sizeof(float)};
    layout.blocks = (sizeof(gl_frame) + step - 1) / step * step;
    layout.instances = (layout.blocks + layout.blocks_size + step - 1) / step * step;
    layout.stream = (layout.instances + layout.instances_size + step - 1) / step * step;
    layout.size = layout.stream + layout.stream_size + step; // room to bind an empty range at the end
    return layout;
}

typedef struct gl_list {
    gl_block *blocks;
    gl_instance *instances;
    uint32_t block_count, instance_count;
} gl_list;

static void list_object(gl_list *list, const tr_affine *placement, float height_slack, uint32_t first_block,
                        uint32_t triangles, uint32_t streamed) {
    gl_instance instance = {.height_slack = height_slack};
    memcpy(instance.placement, placement->m, sizeof instance.placement);
    list->instances[list->instance_count] = instance;
    for (uint32_t done = 0; done < triangles; done += GL_BLOCK) {
        uint32_t left = triangles - done;
        gl_block block = {list->instance_count, first_block++, left < GL_BLOCK ? left : GL_BLOCK, streamed};
        list->blocks[list->block_count++] = block;
    }
    list->instance_count++;
}

uint32_t tr_gl_scene_list_seen(const gl_raster *raster, gl_slot *slot, const depth_view *view) {
    const tr_scene *scene = view->request->scene;
    gl_list list = {.blocks = (gl_block *)(void *)(slot->upload.map + slot->layout.blocks),
                    .instances = (gl_instance *)(void *)(slot->upload.map + slot->layout.instances)};
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE || !is_seen(view, i))
            continue;
        const gl_mesh *mesh = &raster->mesh_table[object->mesh];
        list_object(&list, &object->placement, 0, mesh->first_block, mesh->triangle_count, 0);
    }
    for (uint32_t i = 0; i < raster->emitted_count; i++) {
        const gl_emitted *emitted = &raster->emitted[i];
        list_object(&list, &scene->objects[emitted->object].placement, 0, emitted->first_block,
                    emitted->triangle_count, 1);
    }
    if (slot->layout.stream_size)
        memcpy(slot->upload.map + slot->layout.stream, raster->stream, slot->layout.stream_size);
    return list.block_count;
}

uint32_t tr_gl_scene_list(const gl_raster *raster, gl_slot *slot, const gl_piece *piece) {
    const tr_scene *scene = slot->request.scene;
    gl_list list = {.blocks = (gl_block *)(void *)(slot->upload.map + slot->layout.blocks),
                    .instances = (gl_instance *)(void *)(slot->upload.map + slot->layout.instances)};
    float height_slack;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        if (object->mesh == TR_NONE ||
            !tr_gl_scene_matters(&slot->request, &slot->slice, piece->cells, i, &height_slack))
            continue;
        const gl_mesh *mesh = &raster->mesh_table[object->mesh];
        list_object(&list, &object->placement, height_slack, mesh->first_block, mesh->triangle_count, 0);
    }
    for (uint32_t i = 0; i < raster->emitted_count; i++) {
        const gl_emitted *emitted = &raster->emitted[i];
        const scene_object *object = &scene->objects[emitted->object];
        if (tr_gl_scene_matters(&slot->request, &slot->slice, piece->cells, emitted->object, &height_slack))
            list_object(&list, &object->placement, height_slack, emitted->first_block,
                        emitted->triangle_count, 1);
    }
    if (slot->layout.stream_size)
        memcpy(slot->upload.map + slot->layout.stream, raster->stream, slot->layout.stream_size);
    return list.block_count;
}
#else
typedef int raster_gl_scene_is_empty; // ISO C requires a declaration
#endif
