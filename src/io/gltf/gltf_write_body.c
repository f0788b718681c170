#include "gltf_write_data.h"
#include "gltf_write_source.h"

#include <stdio.h>
#include <string.h>

// The influences of one vertex as the standard requires: each joint once, unused ones 0, the sum 1.
static void clean_influences(const tr_body_def *body, uint32_t vertex, uint16_t joints[TR_BODY_INFLUENCES],
                             float weights[TR_BODY_INFLUENCES]) {
    double kept[TR_BODY_INFLUENCES] = {0}, sum = 0;
    int count = 0;
    memset(joints, 0, TR_BODY_INFLUENCES * sizeof *joints);
    for (int i = 0; i < TR_BODY_INFLUENCES; i++) {
        double weight = body->weights[vertex][i];
        if (!(weight > 0))
            continue;
        int place = 0;
        while (place < count && joints[place] != body->joints[vertex][i])
            place++;
        count += place == count;
        joints[place] = body->joints[vertex][i];
        kept[place] += weight;
        sum += weight;
    }
    // The rounding error is added to the largest weight.
    int heaviest = 0;
    for (int i = 1; i < count; i++)
        heaviest = kept[i] > kept[heaviest] ? i : heaviest;
    double rest = 1;
    for (int i = 0; i < TR_BODY_INFLUENCES; i++) {
        weights[i] = i != heaviest && sum > 0 ? (float)(kept[i] / sum) : 0;
        rest -= (double)weights[i];
        if (weights[i] == 0 && i != heaviest)
            joints[i] = 0;
    }
    weights[heaviest] = (float)rest;
}

static tr_vec3 clean_normal(tr_vec3 normal) {
    double x = normal.x, y = normal.y, z = normal.z, length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-12) || !isfinite(length))
        return tr_vec3_make(0, 1, 0);
    return tr_vec3_make((float)(x / length), (float)(y / length), (float)(z / length));
}

static uint32_t write_matrices(gltf_out *out, const tr_body_def *body) {
    tr_gltf_write_view(out, GLTF_NO_TARGET);
    uint32_t accessor = tr_gltf_write_accessor(out, GLTF_FLOAT, GLTF_MAT4, body->joint_count);
    for (uint32_t i = 0; i < body->joint_count && out->status == TR_OK; i++)
        for (int column = 0; column < 4; column++)
            for (int row = 0; row < 4; row++)
                tr_gltf_write_float(out, row < 3 ? body->inverse_rest[i].m[row][column]
                                                 : (column == 3 ? 1.0f : 0.0f));
    return accessor;
}

static uint32_t add_skin(gltf_out *out, const char *name, const tr_body_def *body, uint32_t first_joint) {
    gltf_out_skin skin = {.name = name,
                          .matrices = write_matrices(out, body),
                          .first_joint = first_joint,
                          .joint_count = body->joint_count};
    if (out->status == TR_OK && !tr_reserve(&out->allocator, (void **)&out->skins, &out->skin_capacity,
                                            (uint64_t)out->skin_count + 1, sizeof *out->skins))
        out->status = TR_OUT_OF_MEMORY;
    if (out->status != TR_OK)
        return TR_NONE;
    out->skins[out->skin_count] = skin;
    return out->skin_count++;
}

// The mesh gets a node next to the character's: a skinned mesh is placed by its joints alone, and validators
// warn about other parents.
static void write_skinned(gltf_out *out, const char *name, const tr_body_def *body, uint32_t first_joint) {
    uint32_t count = body->vertex_count;
    tr_vec3 *normals = tr_allocate(&out->allocator, count, sizeof *normals);
    uint16_t(*joints)[TR_BODY_INFLUENCES] = tr_allocate(&out->allocator, count, sizeof *joints);
    float(*weights)[TR_BODY_INFLUENCES] = tr_allocate(&out->allocator, count, sizeof *weights);
    if (!normals || !joints || !weights)
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    for (uint32_t i = 0; i < count && out->status == TR_OK; i++) {
        normals[i] = clean_normal(body->normals[i]);
        clean_influences(body, i, joints[i], weights[i]);
    }
    gltf_vertices vertices = {.positions = body->positions,
                              .normals = normals,
                              .joints = (const uint16_t(*)[TR_BODY_INFLUENCES])joints,
                              .weights = (const float(*)[TR_BODY_INFLUENCES])weights,
                              .count = count,
                              .indices = body->indices,
                              .index_count = body->triangle_count * 3,
                              .mode = GLTF_TRIANGLES,
                              .joint_count = body->joint_count};
    if (out->status == TR_OK) {
        uint32_t material = tr_gltf_write_material(out, name, body->color, false);
        uint32_t mesh = tr_gltf_write_mesh(out, name, &vertices, material);
        uint32_t skin = add_skin(out, name, body, first_joint);
        char label[256];
        snprintf(label, sizeof label, "%.200s_body", name);
        uint32_t node = tr_gltf_write_node(out, label, TR_NONE, tr_transform_identity());
        if (out->status == TR_OK) {
            out->nodes[node].mesh = mesh;
            out->nodes[node].skin = skin;
        }
    }
    tr_release(&out->allocator, normals, count, sizeof *normals);
    tr_release(&out->allocator, joints, count, sizeof *joints);
    tr_release(&out->allocator, weights, count, sizeof *weights);
}

// The joint that moves a triangle most.
static uint32_t owner_of(const tr_body_def *body, uint32_t triangle) {
    uint32_t best = 0;
    float most = -1;
    const uint32_t *corners = body->indices + (size_t)triangle * 3;
    for (int k = 0; k < 3 * TR_BODY_INFLUENCES; k++) {
        uint32_t joint = body->joints[corners[k / TR_BODY_INFLUENCES]][k % TR_BODY_INFLUENCES];
        float sum = 0;
        for (int n = 0; n < 3 * TR_BODY_INFLUENCES; n++) {
            uint32_t vertex = corners[n / TR_BODY_INFLUENCES];
            if (body->joints[vertex][n % TR_BODY_INFLUENCES] == joint)
                sum += body->weights[vertex][n % TR_BODY_INFLUENCES];
        }
        if (sum > most || (sum == most && joint < best)) {
            most = sum;
            best = joint;
        }
    }
    return best;
}

// Working memory to cut a body into pieces.
typedef struct gltf_cut {
    const tr_body_def *body;
    uint32_t *next, *first;       // the triangles of each joint, in order
    uint32_t *number, *seen;      // of each vertex in the piece of joint `seen` - 1
    tr_vec3 *positions, *normals; // of the piece
    uint32_t *indices;
    uint32_t vertex_count, index_count;
} gltf_cut;

static bool cut_begin(gltf_out *out, gltf_cut *cut) {
    const tr_body_def *body = cut->body;
    const tr_allocator *allocator = &out->allocator;
    cut->next = tr_allocate(allocator, body->triangle_count, sizeof *cut->next);
    cut->first = tr_allocate(allocator, body->joint_count, sizeof *cut->first);
    cut->number = tr_allocate(allocator, body->vertex_count, sizeof *cut->number);
    cut->seen = tr_allocate_zero(allocator, body->vertex_count, sizeof *cut->seen);
    cut->positions = tr_allocate(allocator, body->vertex_count, sizeof *cut->positions);
    cut->normals = tr_allocate(allocator, body->vertex_count, sizeof *cut->normals);
    cut->indices = tr_allocate(allocator, (size_t)body->triangle_count * 3, sizeof *cut->indices);
    return cut->next && cut->first && cut->number && cut->seen && cut->positions && cut->normals &&
           cut->indices;
}

static void cut_end(gltf_out *out, gltf_cut *cut) {
    const tr_body_def *body = cut->body;
    const tr_allocator *allocator = &out->allocator;
    tr_release(allocator, cut->next, body->triangle_count, sizeof *cut->next);
    tr_release(allocator, cut->first, body->joint_count, sizeof *cut->first);
    tr_release(allocator, cut->number, body->vertex_count, sizeof *cut->number);
    tr_release(allocator, cut->seen, body->vertex_count, sizeof *cut->seen);
    tr_release(allocator, cut->positions, body->vertex_count, sizeof *cut->positions);
    tr_release(allocator, cut->normals, body->vertex_count, sizeof *cut->normals);
    tr_release(allocator, cut->indices, (size_t)body->triangle_count * 3, sizeof *cut->indices);
}

static void list_triangles(gltf_cut *cut) {
    for (uint32_t i = 0; i < cut->body->joint_count; i++)
        cut->first[i] = TR_NONE;
    for (uint32_t i = cut->body->triangle_count; i-- > 0;) {
        uint32_t owner = owner_of(cut->body, i);
        cut->next[i] = cut->first[owner];
        cut->first[owner] = i;
    }
}

// Adds a vertex of the body in the axes of a joint. Normals are transformed by the cofactors, so that they
// stay perpendicular to the surface for any scale of the joint.
static uint32_t piece_vertex(gltf_cut *cut, uint32_t joint, uint32_t vertex) {
    if (cut->seen[vertex] == joint + 1)
        return cut->number[vertex];
    const tr_affine *map = &cut->body->inverse_rest[joint];
    tr_vec3 x = {map->m[0][0], map->m[0][1], map->m[0][2]}, y = {map->m[1][0], map->m[1][1], map->m[1][2]},
            z = {map->m[2][0], map->m[2][1], map->m[2][2]}, n = cut->body->normals[vertex];
    tr_vec3 normal = {tr_vec3_dot(tr_vec3_cross(y, z), n), tr_vec3_dot(tr_vec3_cross(z, x), n),
                      tr_vec3_dot(tr_vec3_cross(x, y), n)};
    cut->positions[cut->vertex_count] = tr_affine_apply(map, cut->body->positions[vertex]);
    cut->normals[cut->vertex_count] = clean_normal(normal);
    cut->seen[vertex] = joint + 1;
    cut->number[vertex] = cut->vertex_count;
    return cut->vertex_count++;
}

static void write_pieces(gltf_out *out, const char *name, gltf_cut *cut, uint32_t first_joint) {
    uint32_t material = tr_gltf_write_material(out, name, cut->body->color, false);
    for (uint32_t joint = 0; joint < cut->body->joint_count && out->status == TR_OK; joint++) {
        cut->vertex_count = cut->index_count = 0;
        for (uint32_t i = cut->first[joint]; i != TR_NONE; i = cut->next[i])
            for (int k = 0; k < 3; k++)
                cut->indices[cut->index_count++] =
                    piece_vertex(cut, joint, cut->body->indices[(size_t)i * 3 + (size_t)k]);
        if (cut->index_count == 0)
            continue;
        gltf_vertices vertices = {.positions = cut->positions,
                                  .normals = cut->normals,
                                  .count = cut->vertex_count,
                                  .indices = cut->indices,
                                  .index_count = cut->index_count,
                                  .mode = GLTF_TRIANGLES};
        uint32_t mesh = tr_gltf_write_mesh(out, name, &vertices, material);
        if (out->status == TR_OK)
            out->nodes[first_joint + joint].mesh = mesh;
    }
}

static void write_segments(gltf_out *out, const char *name, const tr_body_def *body, uint32_t first_joint) {
    gltf_cut cut = {.body = body};
    if (cut_begin(out, &cut)) {
        list_triangles(&cut);
        write_pieces(out, name, &cut, first_joint);
    } else {
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    }
    cut_end(out, &cut);
}

// Writes nodes for the joints under one for the character. Names are unique within the character, and names
// of ends are marked.
uint32_t tr_gltf_write_joints(gltf_out *out, const tr_skeleton *skeleton, uint32_t above, double unit) {
    tr_name_set names = tr_name_set_begin(&out->allocator);
    uint32_t first = out->node_count;
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton) && out->status == TR_OK; i++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, i);
        char label[256];
        bool marked = !joint.is_end || tr_name_is_end(joint.name);
        snprintf(label, sizeof label, "%.240s_end", joint.name);
        const char *name = tr_name_set_add(&names, marked ? joint.name : label);
        if (!name)
            tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
        if (unit != 1)
            joint.rest.position = tr_vec3_scale(joint.rest.position, (float)(1 / unit));
        if (name)
            tr_gltf_write_node(out, name, joint.parent == TR_NONE ? above : first + joint.parent, joint.rest);
    }
    tr_name_set_end(&names);
    return first;
}

void tr_gltf_write_actor(gltf_out *out, uint32_t number) {
    const tr_gltf_actor *actor = &out->shot->actors[number];
    char label[64];
    snprintf(label, sizeof label, "character_%u", number + 1);
    const char *name = actor->name && actor->name[0] ? actor->name : tr_skeleton_name(actor->skeleton);
    name = tr_gltf_write_unique(out, &out->actor_names, name[0] ? name : label);
    tr_transform place = tr_transform_identity();
    if (actor->place)
        tr_gltf_write_take_apart(actor->place, &place);
    if (out->status != TR_OK)
        return;
    double unit = tr_gltf_write_unit(out, number);
    if (unit != 1)
        place.scale = tr_vec3_scale(place.scale, (float)unit);
    uint32_t above = tr_gltf_write_node(out, name, TR_NONE, place);
    uint32_t first = tr_gltf_write_joints(out, actor->skeleton, above, unit);
    out->first_joint[number] = first;
    if (out->status != TR_OK)
        return;
    if (out->source_of && out->source_of[number] != TR_NONE) {
        tr_gltf_source_write_actor(out, number, name);
        return;
    }
    const tr_body_def *body = actor->body ? tr_body_view(actor->body) : NULL;
    bool has_mesh = body && body->vertex_count > 0 && body->triangle_count > 0;
    tr_body_def bones = {0};
    if (!has_mesh || out->shot->form == TR_GLTF_BONES) {
        if (!tr_gltf_bones_make(&out->allocator, actor->skeleton, &bones)) {
            tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
            return;
        }
        body = &bones;
    }
    if (out->shot->form == TR_GLTF_SEGMENTS)
        write_segments(out, name, body, first);
    else
        write_skinned(out, name, body, first);
    if (body == &bones)
        tr_gltf_bones_free(&out->allocator, &bones);
}
