#include "gltf_write_data.h"

#include <string.h>

// A bone is an octahedron: eight faces of three corners, each with a flat normal.
#define BONE_CORNERS 24

typedef struct bone_mesh {
    tr_vec3 *positions, *normals;
    uint16_t (*joints)[TR_BODY_INFLUENCES];
    float (*weights)[TR_BODY_INFLUENCES];
    uint32_t *indices;
    tr_affine *inverse_rest;
    uint32_t count, most; // corners
} bone_mesh;

static bool allocate(const tr_allocator *allocator, bone_mesh *mesh, uint32_t joint_count) {
    mesh->positions = tr_allocate(allocator, mesh->most, sizeof *mesh->positions);
    mesh->normals = tr_allocate(allocator, mesh->most, sizeof *mesh->normals);
    mesh->joints = tr_allocate_zero(allocator, mesh->most, sizeof *mesh->joints);
    mesh->weights = tr_allocate_zero(allocator, mesh->most, sizeof *mesh->weights);
    mesh->indices = tr_allocate(allocator, mesh->most, sizeof *mesh->indices);
    mesh->inverse_rest = tr_allocate(allocator, joint_count, sizeof *mesh->inverse_rest);
    return mesh->positions && mesh->normals && mesh->joints && mesh->weights && mesh->indices &&
           mesh->inverse_rest;
}

static void release(const tr_allocator *allocator, bone_mesh *mesh, uint32_t joint_count) {
    tr_release(allocator, mesh->positions, mesh->most, sizeof *mesh->positions);
    tr_release(allocator, mesh->normals, mesh->most, sizeof *mesh->normals);
    tr_release(allocator, mesh->joints, mesh->most, sizeof *mesh->joints);
    tr_release(allocator, mesh->weights, mesh->most, sizeof *mesh->weights);
    tr_release(allocator, mesh->indices, mesh->most, sizeof *mesh->indices);
    tr_release(allocator, mesh->inverse_rest, joint_count, sizeof *mesh->inverse_rest);
}

static void add_face(bone_mesh *mesh, uint32_t joint, tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    const tr_vec3 corners[3] = {a, b, c};
    tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(b, a), tr_vec3_subtract(c, a));
    float length = tr_vec3_length(normal);
    normal = length > 0 ? tr_vec3_scale(normal, 1 / length) : tr_vec3_make(0, 1, 0);
    for (int i = 0; i < 3; i++, mesh->count++) {
        mesh->positions[mesh->count] = corners[i];
        mesh->normals[mesh->count] = normal;
        mesh->joints[mesh->count][0] = (uint16_t)joint;
        mesh->weights[mesh->count][0] = 1;
        mesh->indices[mesh->count] = mesh->count;
    }
}

// Adds a bone from `begin` to `end`, thickest at a fifth of its length, moved by `joint`.
static void add_bone(bone_mesh *mesh, uint32_t joint, tr_vec3 begin, tr_vec3 end, float thickness) {
    tr_vec3 along = tr_vec3_subtract(end, begin);
    tr_vec3 across =
        fabsf(along.y) < 0.9f * tr_vec3_length(along) ? tr_vec3_make(0, 1, 0) : tr_vec3_make(1, 0, 0);
    tr_vec3 side = tr_vec3_cross(along, across);
    side = tr_vec3_scale(side, thickness / tr_vec3_length(side));
    tr_vec3 front = tr_vec3_cross(side, along);
    front = tr_vec3_scale(front, thickness / tr_vec3_length(front));
    tr_vec3 middle = tr_vec3_add(begin, tr_vec3_scale(along, 0.2f));
    const tr_vec3 ring[5] = {tr_vec3_add(middle, side), tr_vec3_add(middle, front),
                             tr_vec3_subtract(middle, side), tr_vec3_subtract(middle, front),
                             tr_vec3_add(middle, side)};
    // front, side and along are right-handed in this order: the ring runs clockwise seen from the end.
    for (int i = 0; i < 4; i++) {
        add_face(mesh, joint, begin, ring[i], ring[i + 1]);
        add_face(mesh, joint, end, ring[i + 1], ring[i]);
    }
}

static bool has_children(const uint32_t *parents, uint32_t count, uint32_t joint) {
    for (uint32_t i = joint + 1; i < count; i++)
        if (parents[i] == joint)
            return true;
    return false;
}

// The extent of the joints, to which thickness and marks are relative.
static float extent_of(const tr_affine *model, uint32_t count) {
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < count; i++)
        box = tr_box_include(box, tr_affine_position(&model[i]));
    float extent = tr_vec3_length(tr_vec3_subtract(box.max, box.min));
    return extent > 1e-6f && isfinite(extent) ? extent : 1;
}

static void add_bones(bone_mesh *mesh, const tr_skeleton *skeleton) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    const tr_affine *model = tr_skeleton_rest_model(skeleton);
    uint32_t count = tr_skeleton_joint_count(skeleton);
    float extent = extent_of(model, count);
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 at = tr_affine_position(&model[i]);
        tr_vec3 from = parents[i] == TR_NONE ? at : tr_affine_position(&model[parents[i]]);
        float length = tr_vec3_length(tr_vec3_subtract(at, from));
        if (parents[i] != TR_NONE && length > 1e-4f * extent) {
            float thickness = 0.1f * length < 0.02f * extent ? 0.1f * length : 0.02f * extent;
            add_bone(mesh, parents[i], from, at, thickness);
        }
        // A mark where a bone would be missing: at roots, and at limbs without an end site.
        bool leaf = !tr_skeleton_joint(skeleton, i).is_end && !has_children(parents, count, i);
        if (parents[i] == TR_NONE || leaf) {
            float size = 0.02f * extent;
            tr_vec3 up = {0, size, 0};
            add_bone(mesh, i, tr_vec3_subtract(at, up), tr_vec3_add(at, up), 0.5f * size);
        }
        if (!tr_affine_invert(&model[i], &mesh->inverse_rest[i]))
            mesh->inverse_rest[i] = tr_affine_identity();
    }
}

static tr_body_def as_body(const bone_mesh *mesh, uint32_t joint_count) {
    tr_body_def body = {.joint_count = joint_count,
                        .positions = mesh->positions,
                        .normals = mesh->normals,
                        .joints = (const uint16_t(*)[TR_BODY_INFLUENCES])mesh->joints,
                        .weights = (const float(*)[TR_BODY_INFLUENCES])mesh->weights,
                        .vertex_count = mesh->count,
                        .indices = mesh->indices,
                        .triangle_count = mesh->count / 3,
                        .inverse_rest = mesh->inverse_rest,
                        .color = {0.45f, 0.53f, 0.62f}};
    return body;
}

bool tr_gltf_bones_make(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_body_def *bones) {
    uint32_t count = tr_skeleton_joint_count(skeleton);
    bone_mesh mesh = {.most = count * 2 * BONE_CORNERS}; // at most a bone and a mark for each
    if (!allocate(allocator, &mesh, count)) {
        release(allocator, &mesh, count);
        return false;
    }
    add_bones(&mesh, skeleton);
    *bones = as_body(&mesh, count);
    return true;
}

void tr_gltf_bones_free(const tr_allocator *allocator, tr_body_def *bones) {
    bone_mesh mesh = {.positions = (tr_vec3 *)bones->positions,
                      .normals = (tr_vec3 *)bones->normals,
                      .joints = (uint16_t(*)[TR_BODY_INFLUENCES])bones->joints,
                      .weights = (float(*)[TR_BODY_INFLUENCES])bones->weights,
                      .indices = (uint32_t *)bones->indices,
                      .inverse_rest = (tr_affine *)bones->inverse_rest,
                      .most = bones->joint_count * 2 * BONE_CORNERS};
    release(allocator, &mesh, bones->joint_count);
    memset(bones, 0, sizeof *bones);
}
