// Collects the triangles of a drawn object, block by block.
#include "raster_soft_place.h"

static void flush_block(soft_sink *sink) {
    if (sink->count > 0 && !sink->stopped)
        sink->stopped = !sink->flush(sink);
    sink->count = 0;
}

static void take_triangles(tr_triangle_sink *base, const tr_vec3 *corners, uint32_t count) {
    soft_sink *sink = (soft_sink *)base;
    for (uint32_t i = 0; i < count && !sink->broken && !sink->stopped; i++) {
        for (int k = 0; k < 3; k++) {
            tr_vec3 corner = corners[3 * (size_t)i + k];
            if (!box_holds(&sink->allowed, corner)) {
                sink->broken = true;
                return;
            }
            tr_vec3 p = tr_vec3_subtract(corner, sink->anchor);
            sink->block.corner[3 * k][sink->count] = p.x;
            sink->block.corner[3 * k + 1][sink->count] = p.y;
            sink->block.corner[3 * k + 2][sink->count] = p.z;
        }
        if (++sink->count == MESH_BLOCK)
            flush_block(sink);
    }
}

void tr_soft_sink_begin(soft_sink *sink, const scene_object *object, bool (*flush)(soft_sink *sink)) {
    sink->base.take = take_triangles;
    sink->flush = flush;
    sink->allowed = drawn_reach(object->bounds);
    tr_mesh_choose_centre(sink->allowed, &sink->anchor, &sink->half);
    sink->count = 0;
    sink->broken = sink->stopped = false;
}

tr_status tr_soft_sink_run(soft_sink *sink, const scene_object *object, uint32_t number, tr_error *error) {
    const char *name = object->name ? object->name : "";
    object->drawn.emit(object->drawn.user, &sink->base);
    flush_block(sink);
    if (sink->broken)
        return tr_fail(error, TR_INVALID,
                       "drawn object %u (\"%s\") emitted a corner that is not finite or outside its bounds",
                       number, name);
    if (sink->stopped)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the triangles of drawn object %u (\"%s\")",
                       number, name);
    return TR_OK;
}
