#include "troupe/motion/body.h"

#include <math.h>
#include <string.h>

// The stack holds this many skinning matrices; with a larger skeleton each vertex multiplies its own.
#define PALETTE_MAX 192
#define WEIGHT_TOLERANCE 1e-3f

struct tr_body {
    tr_allocator allocator;
    tr_body_def view; // points to the arrays below
    char *name;
    tr_vec3 *positions, *normals;
    uint16_t (*joints)[TR_BODY_INFLUENCES];
    float (*weights)[TR_BODY_INFLUENCES];
    uint32_t *indices;
    tr_affine *inverse_rest;
    float (*colors)[3];
    tr_capsule *capsules;
    bool *ignored_pairs;
};

static tr_status check_vertex(const tr_body_def *def, uint32_t i, tr_error *error) {
    if (!tr_vec3_is_finite(def->positions[i]) || !tr_vec3_is_finite(def->normals[i]))
        return tr_fail(error, TR_INVALID, "position or normal of vertex %u is not finite", i);
    float sum = 0;
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        float weight = def->weights[i][k];
        if (!(weight >= 0))
            return tr_fail(error, TR_INVALID, "weight %d of vertex %u is %g, it must be at least 0", k, i,
                           (double)weight);
        if (def->joints[i][k] >= def->joint_count)
            return tr_fail(error, TR_INVALID, "vertex %u uses joint %u, but there are only %u", i,
                           def->joints[i][k], def->joint_count);
        sum += weight;
    }
    if (!(sum > 1 - WEIGHT_TOLERANCE && sum < 1 + WEIGHT_TOLERANCE))
        return tr_fail(error, TR_INVALID, "the weights of vertex %u sum to %g, they must sum to 1", i,
                       (double)sum);
    return TR_OK;
}

static tr_status check_mesh(const tr_body_def *def, tr_error *error) {
    if (def->vertex_count > 0 &&
        (!def->positions || !def->normals || !def->joints || !def->weights || !def->inverse_rest))
        return tr_fail(error, TR_INVALID,
                       "a mesh of %u vertices needs positions, normals, joints, weights and the rest pose",
                       def->vertex_count);
    if (def->triangle_count > 0 && !def->indices)
        return tr_fail(error, TR_INVALID, "a mesh of %u triangles needs indices", def->triangle_count);
    if (def->triangle_count > UINT32_MAX / 3)
        return tr_fail(error, TR_LIMIT, "the body has %u triangles, the most is %u", def->triangle_count,
                       UINT32_MAX / 3);
    for (uint32_t i = 0; i < def->vertex_count; i++) {
        tr_status status = check_vertex(def, i, error);
        if (status != TR_OK)
            return status;
    }
    for (uint32_t i = 0; i < def->triangle_count * 3; i++)
        if (def->indices[i] >= def->vertex_count)
            return tr_fail(error, TR_INVALID, "triangle %u uses vertex %u, but there are only %u", i / 3,
                           def->indices[i], def->vertex_count);
    if (def->inverse_rest)
        for (uint32_t i = 0; i < def->joint_count; i++)
            if (!tr_affine_is_finite(&def->inverse_rest[i]))
                return tr_fail(error, TR_INVALID, "the inverse rest transform of joint %u is not finite", i);
    return TR_OK;
}

static tr_status check_capsules(const tr_body_def *def, tr_error *error) {
    if (def->capsule_count > 0 && !def->capsules)
        return tr_fail(error, TR_INVALID, "there are %u capsules, but the array is NULL", def->capsule_count);
    for (uint32_t i = 0; i < def->capsule_count; i++) {
        const tr_capsule *capsule = &def->capsules[i];
        if (capsule->joint >= def->joint_count)
            return tr_fail(error, TR_INVALID, "capsule %u uses joint %u, but there are only %u", i,
                           capsule->joint, def->joint_count);
        if (!tr_vec3_is_finite(capsule->a) || !tr_vec3_is_finite(capsule->b))
            return tr_fail(error, TR_INVALID, "an end of capsule %u is not finite", i);
        if (!(capsule->radius > 0) || !isfinite(capsule->radius))
            return tr_fail(error, TR_INVALID, "the radius of capsule %u is %g, it must be above 0", i,
                           (double)capsule->radius);
    }
    return TR_OK;
}

static tr_status check_body(const tr_body_def *def, tr_error *error) {
    if (def->joint_count < 1 || def->joint_count > TR_SKELETON_JOINTS_MAX)
        return tr_fail(error, TR_INVALID, "the body has %u joints, it must have 1 to %d", def->joint_count,
                       TR_SKELETON_JOINTS_MAX);
    for (int i = 0; i < 3; i++)
        if (!(def->color[i] >= 0 && def->color[i] <= 1))
            return tr_fail(error, TR_INVALID, "component %d of the colour is %g, it must be 0 to 1", i,
                           (double)def->color[i]);
    for (uint32_t i = 0; def->colors && i < def->triangle_count * 3; i++)
        if (!(def->colors[i / 3][i % 3] >= 0 && def->colors[i / 3][i % 3] <= 1))
            return tr_fail(error, TR_INVALID,
                           "a component of the colour of triangle %u is %g, it must be 0 to 1", i / 3,
                           (double)def->colors[i / 3][i % 3]);
    tr_status status = check_mesh(def, error);
    return status == TR_OK ? check_capsules(def, error) : status;
}

// NULL stays NULL; *complete becomes false when there is no memory.
static void *copy_array(const tr_body *body, const void *source, size_t count, size_t size, bool *complete) {
    if (!source)
        return NULL;
    void *copy = tr_allocate(&body->allocator, count, size);
    if (copy && count > 0)
        memcpy(copy, source, count * size);
    *complete = *complete && copy;
    return copy;
}

static bool copy_all(tr_body *body, const tr_body_def *def) {
    uint32_t vertices = def->vertex_count, capsules = def->capsule_count;
    bool complete = true;
    body->name = copy_array(body, def->name, def->name ? strlen(def->name) + 1 : 0, 1, &complete);
    body->positions = copy_array(body, def->positions, vertices, sizeof *def->positions, &complete);
    body->normals = copy_array(body, def->normals, vertices, sizeof *def->normals, &complete);
    body->joints = copy_array(body, def->joints, vertices, sizeof *def->joints, &complete);
    body->weights = copy_array(body, def->weights, vertices, sizeof *def->weights, &complete);
    body->indices =
        copy_array(body, def->indices, (size_t)def->triangle_count * 3, sizeof *def->indices, &complete);
    body->inverse_rest =
        copy_array(body, def->inverse_rest, def->joint_count, sizeof *def->inverse_rest, &complete);
    body->colors = copy_array(body, def->colors, def->triangle_count, sizeof *def->colors, &complete);
    body->capsules = copy_array(body, def->capsules, capsules, sizeof *def->capsules, &complete);
    body->ignored_pairs =
        copy_array(body, def->ignored_pairs, (size_t)capsules * capsules, sizeof(bool), &complete);
    return complete;
}

tr_status tr_body_create(const tr_body_def *def, tr_body **body, tr_error *error) {
    *body = NULL;
    tr_status status = check_body(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_body *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a body");
    made->allocator = allocator;
    made->view = *def;
    if (!copy_all(made, def)) {
        tr_body_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a body of %u vertices and %u capsules",
                       def->vertex_count, def->capsule_count);
    }
    made->view.allocator = &made->allocator;
    made->view.name = made->name ? made->name : "";
    made->view.positions = made->positions;
    made->view.normals = made->normals;
    made->view.joints = (const uint16_t(*)[TR_BODY_INFLUENCES])made->joints;
    made->view.weights = (const float(*)[TR_BODY_INFLUENCES])made->weights;
    made->view.indices = made->indices;
    made->view.inverse_rest = made->inverse_rest;
    made->view.colors = (const float(*)[3])made->colors;
    made->view.capsules = made->capsules;
    made->view.ignored_pairs = made->ignored_pairs;
    *body = made;
    return TR_OK;
}

void tr_body_destroy(tr_body *body) {
    if (!body)
        return;
    tr_allocator allocator = body->allocator;
    const tr_body_def *def = &body->view;
    size_t pairs = (size_t)def->capsule_count * def->capsule_count;
    tr_release(&allocator, body->name, body->name ? strlen(body->name) + 1 : 0, 1);
    tr_release(&allocator, body->positions, def->vertex_count, sizeof *body->positions);
    tr_release(&allocator, body->normals, def->vertex_count, sizeof *body->normals);
    tr_release(&allocator, body->joints, def->vertex_count, sizeof *body->joints);
    tr_release(&allocator, body->weights, def->vertex_count, sizeof *body->weights);
    tr_release(&allocator, body->indices, (size_t)def->triangle_count * 3, sizeof *body->indices);
    tr_release(&allocator, body->inverse_rest, def->joint_count, sizeof *body->inverse_rest);
    tr_release(&allocator, body->colors, def->triangle_count, sizeof *body->colors);
    tr_release(&allocator, body->capsules, def->capsule_count, sizeof *body->capsules);
    tr_release(&allocator, body->ignored_pairs, pairs, sizeof(bool));
    tr_release(&allocator, body, 1, sizeof *body);
}

const tr_body_def *tr_body_view(const tr_body *body) {
    return &body->view;
}

// The weighted sum of the skinning matrices of one vertex.
static tr_affine blended_matrix(const tr_body_def *def, const tr_affine *palette, const tr_affine *model,
                                uint32_t vertex) {
    tr_affine sum = {0};
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        float weight = def->weights[vertex][k];
        if (!(weight > 0))
            continue;
        uint32_t joint = def->joints[vertex][k];
        tr_affine matrix =
            palette ? palette[joint] : tr_affine_multiply(&model[joint], &def->inverse_rest[joint]);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                sum.m[row][column] += weight * matrix.m[row][column];
    }
    return sum;
}

void tr_body_skin(const tr_body *body, const tr_affine *model, tr_vec3 *positions, tr_vec3 *normals) {
    const tr_body_def *def = &body->view;
    tr_affine palette[PALETTE_MAX];
    bool fits = def->joint_count <= PALETTE_MAX;
    if (def->vertex_count == 0)
        return;
    for (uint32_t i = 0; fits && i < def->joint_count; i++)
        palette[i] = tr_affine_multiply(&model[i], &def->inverse_rest[i]);
    for (uint32_t i = 0; i < def->vertex_count; i++) {
        tr_affine matrix = blended_matrix(def, fits ? palette : NULL, model, i);
        positions[i] = tr_affine_apply(&matrix, def->positions[i]);
        if (!normals)
            continue;
        tr_vec3 normal = tr_affine_turn(&matrix, def->normals[i]);
        float length = tr_vec3_length(normal);
        normals[i] = length > 0 ? tr_vec3_scale(normal, 1 / length) : def->normals[i];
    }
}
