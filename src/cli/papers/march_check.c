// The two checks for collision that a march can be given.
#include "march_data.h"

#include <string.h>

bool march_exact_is_free(void *exact, const tr_posture *posture) {
    const march_exact *check = exact;
    tr_vec3 points[4];
    tr_arm_points(&check->arm, posture, points);
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        tr_solid_capsule capsule = {points[link], points[link + 1], check->arm.radius[link]};
        if (tr_solid_touches(check->solid, &capsule))
            return false;
    }
    return true;
}

march_depth_def march_depth_def_default(tr_raster *raster, const tr_scene *scene, const tr_arm *arm) {
    march_depth_def def = {
        .raster = raster, .scene = scene, .size = 100, .pull_back = 0, .exclude_object = TR_NONE};
    if (arm)
        def.arm = *arm;
    return def;
}

static size_t map_cells(const march_depth *depth) {
    return (size_t)depth->def.size * depth->def.size;
}

// Step 2. A link is the same from all sides, so that its map does not depend on how the camera is turned
// about it.
static tr_status draw_links(march_depth *depth, tr_error *error) {
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        tr_depth_map *map = &depth->links[link];
        float length = depth->def.arm.length[link], radius = depth->def.arm.radius[link];
        map->columns = map->rows = depth->def.size;
        map->depth = tr_allocate(&depth->allocator, map_cells(depth), sizeof *map->depth);
        if (!map->depth)
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the depth map of a link");
        if (!(length > 0)) {
            memset(map->depth, 0, map_cells(depth) * sizeof *map->depth);
            continue;
        }
        tr_vec3 a = {0, 0, 0}, b = {0, 0, length};
        tr_depth_camera camera = tr_depth_link_camera(a, b, radius, depth->def.pull_back);
        tr_status status = tr_depth_link(&camera, a, b, radius, map, error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

tr_status march_depth_create(const march_depth_def *def, march_depth **depth, tr_error *error) {
    if (!def || !depth || !def->raster || !def->scene)
        return tr_fail(error, TR_INVALID, "depth maps need a rasteriser and a scene");
    if (def->size < 1 || def->size > TR_DEPTH_SIZE_MAX)
        return tr_fail(error, TR_INVALID, "a depth map is %u pixels a side, it must be 1 to %u", def->size,
                       TR_DEPTH_SIZE_MAX);
    if (!(def->pull_back >= 0 && def->pull_back <= 1))
        return tr_fail(error, TR_INVALID, "the camera is pulled back by %g, it must be 0 to 1",
                       (double)def->pull_back);
    tr_status status = tr_arm_check(&def->arm, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    march_depth *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for depth maps");
    made->allocator = allocator;
    made->def = *def;
    status = draw_links(made, error);
    if (status != TR_OK) {
        march_depth_destroy(made);
        return status;
    }
    *depth = made;
    return TR_OK;
}

void march_depth_destroy(march_depth *depth) {
    if (!depth)
        return;
    tr_allocator allocator = depth->allocator;
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++)
        tr_release(&allocator, depth->links[link].depth, map_cells(depth), sizeof(float));
    tr_release(&allocator, depth, 1, sizeof *depth);
}

const tr_depth_map *march_depth_map(const march_depth *depth, uint32_t link) {
    return depth && link < TR_ARM_LINKS ? &depth->links[link] : NULL;
}

tr_status march_depth_hits(march_depth *depth, const tr_vec3 points[4], uint32_t link, bool *hit,
                           tr_error *error) {
    if (!depth || !points || !hit || link >= TR_ARM_LINKS)
        return tr_fail(error, TR_INVALID, "there is no link %u to look along", link);
    *hit = false;
    if (!(depth->def.arm.length[link] > 0))
        return TR_OK;
    tr_depth_request request = {.scene = depth->def.scene,
                                .camera =
                                    tr_depth_link_camera(points[link], points[link + 1],
                                                         depth->def.arm.radius[link], depth->def.pull_back),
                                .exclude_tags = depth->def.exclude_tags,
                                .exclude_object = depth->def.exclude_object};
    return tr_depth_hits(depth->def.raster, &request, &depth->links[link], depth->def.comparison, hit, error);
}

bool march_depth_is_free(void *depth, const tr_posture *posture) {
    march_depth *check = depth;
    tr_vec3 points[4];
    tr_arm_points(&check->def.arm, posture, points);
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        tr_error error = {0};
        bool hit = false;
        tr_status status = march_depth_hits(check, points, link, &hit, &error);
        if (status != TR_OK && check->status == TR_OK) {
            check->status = status;
            check->error = error;
        }
        if (status != TR_OK || hit)
            return false;
    }
    return true;
}

tr_status march_depth_status(march_depth *depth, tr_error *error) {
    if (!depth)
        return tr_fail(error, TR_INVALID, "there are no depth maps");
    tr_status status = depth->status;
    if (status != TR_OK && error)
        *error = depth->error;
    depth->status = TR_OK;
    return status;
}
