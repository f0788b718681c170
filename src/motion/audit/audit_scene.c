// The scene of an audit: one tree of triangles for all static objects, and one for each moving object.
#include "audit_parts.h"

#include <math.h>
#include <string.h>

#define REACH_TAGGED 0.5f // a tagged floor may be this far above a point
#define REACH_PLAIN 0.1f  // any other: a seat or a table is not the floor of a foot below it

// The totals of a scene.
typedef struct scene_sum {
    uint64_t still; // triangles
    uint32_t movers;
    bool any_tagged;
} scene_sum;

static bool is_seen(const tr_object_view *object, uint32_t exclude_tags) {
    return !object->removed && object->mesh != TR_NONE && !(object->tags & exclude_tags);
}

static scene_sum sum_up(const tr_scene *scene, uint32_t exclude_tags) {
    scene_sum sum = {0};
    for (uint32_t i = 0; scene && i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (!is_seen(&object, exclude_tags))
            continue;
        sum.any_tagged |= (object.tags & TR_TAG_WALKABLE) != 0;
        if (tr_scene_trajectory(scene, i))
            sum.movers++;
        else
            sum.still += tr_scene_mesh(scene, object.mesh).triangle_count;
    }
    return sum;
}

static void place_corners(audit_triangle *triangle, const tr_mesh_view *mesh, const tr_affine *placement) {
    for (int i = 0; i < 3; i++)
        triangle->corners[i] =
            tr_affine_apply(placement, mesh->positions[mesh->indices[3 * (size_t)triangle->number + i]]);
}

static bool may_stand_on(const tr_object_view *object, bool any_tagged) {
    return any_tagged ? object->tags & TR_TAG_WALKABLE : !(object->tags & TR_TAG_NO_STEP);
}

static void add_object(const tr_scene *scene, const tr_object_view *object, bool may_stand,
                       audit_triangles *triangles) {
    tr_mesh_view mesh = tr_scene_mesh(scene, object->mesh);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        audit_triangle triangle = {.number = i};
        place_corners(&triangle, &mesh, &object->placement);
        tr_audit_triangles_add(triangles, triangle, may_stand);
    }
}

static tr_status add_mover(const tr_allocator *allocator, audit_scene *made, uint32_t number, bool any_tagged,
                           tr_error *error) {
    tr_object_view object = tr_scene_object(made->scene, number);
    audit_mover mover = {.object = number,
                         .may_stand = may_stand_on(&object, any_tagged),
                         .placement = object.placement,
                         .triangles.floor_reach = made->still.floor_reach};
    tr_status status = tr_audit_triangles_reserve(
        allocator, tr_scene_mesh(made->scene, object.mesh).triangle_count, &mover.triangles, error);
    if (status != TR_OK)
        return status;
    add_object(made->scene, &object, mover.may_stand, &mover.triangles);
    tr_audit_triangles_build(&mover.triangles);
    made->movers[made->mover_count++] = mover;
    return TR_OK;
}

tr_status tr_audit_scene_make(const tr_allocator *allocator, const tr_scene *scene, uint32_t exclude_tags,
                              audit_scene *made, tr_error *error) {
    scene_sum sum = sum_up(scene, exclude_tags);
    *made = (audit_scene){.scene = scene};
    tr_status status = tr_audit_triangles_reserve(allocator, sum.still, &made->still, error);
    made->still.floor_reach = sum.any_tagged ? REACH_TAGGED : REACH_PLAIN;
    made->mover_room = sum.movers;
    if (status == TR_OK && sum.movers > 0) {
        made->movers = tr_allocate(allocator, sum.movers, sizeof *made->movers);
        status = made->movers ? TR_OK : tr_audit_no_memory(error);
    }
    for (uint32_t i = 0; status == TR_OK && scene && i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (!is_seen(&object, exclude_tags))
            continue;
        if (tr_scene_trajectory(scene, i))
            status = add_mover(allocator, made, i, sum.any_tagged, error);
        else
            add_object(scene, &object, may_stand_on(&object, sum.any_tagged), &made->still);
    }
    if (status == TR_OK)
        tr_audit_triangles_build(&made->still);
    else
        tr_audit_scene_destroy(allocator, made);
    return status;
}

void tr_audit_scene_destroy(const tr_allocator *allocator, audit_scene *scene) {
    for (uint32_t i = 0; i < scene->mover_count; i++)
        tr_audit_triangles_destroy(allocator, &scene->movers[i].triangles);
    if (scene->movers)
        tr_release(allocator, scene->movers, scene->mover_room, sizeof *scene->movers);
    tr_audit_triangles_destroy(allocator, &scene->still);
    *scene = (audit_scene){0};
}

static void place_mover(const tr_scene *scene, audit_mover *mover, const tr_affine *placement) {
    audit_triangles *triangles = &mover->triangles;
    tr_mesh_view mesh = tr_scene_mesh(scene, tr_scene_object(scene, mover->object).mesh);
    uint32_t count = triangles->count;
    mover->placement = *placement;
    triangles->count = 0;
    for (uint32_t i = 0; i < count; i++) { // in the order of the tree
        audit_triangle triangle = triangles->items[i];
        place_corners(&triangle, &mesh, placement);
        tr_audit_triangles_add(triangles, triangle, mover->may_stand);
    }
    tr_audit_triangles_refit(triangles);
}

void tr_audit_scene_place(audit_scene *scene, double time) {
    for (uint32_t i = 0; i < scene->mover_count; i++) {
        audit_mover *mover = &scene->movers[i];
        tr_affine placement = tr_affine_from_transform(
            tr_trajectory_sample(tr_scene_trajectory(scene->scene, mover->object), time));
        if (memcmp(&placement, &mover->placement, sizeof placement) != 0)
            place_mover(scene->scene, mover, &placement);
    }
}

float tr_audit_scene_floor(const audit_scene *scene, tr_vec3 point) {
    float best = NAN;
    for (uint32_t i = 0; i < tr_audit_scene_tree_count(scene); i++) {
        float height = tr_audit_floor(tr_audit_scene_tree(scene, i), point);
        best = height <= best || isnan(height) ? best : height;
    }
    return best;
}
