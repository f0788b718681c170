#include "gltf_motion_data.h"

#define INFLUENCES_MAX 8 // JOINTS_0 and JOINTS_1

// The vertices of a figure, mesh by mesh, in the axes of the body in its rest pose.
typedef struct gltf_body {
    gltf_motion_reading *reading;
    const tr_skeleton *skeleton;
    tr_vec3 *positions, *normals; // a zero normal: the file has none
    uint16_t (*joints)[TR_BODY_INFLUENCES];
    float (*weights)[TR_BODY_INFLUENCES];
    uint32_t *indices;
    uint32_t vertex_count, position_capacity, normal_capacity, joint_capacity, weight_capacity;
    uint32_t index_count, index_capacity;
    tr_affine *inverse_rest, *to_body; // of each joint; to_body: for the current mesh
    bool *has_inverse;
    bool has_color;
    float color[3];
    float (*colors)[3]; // of each triangle
    uint32_t color_capacity;
    bool is_painted; // they differ
    gltf_paints paints;
    uint32_t dropped_influences;
} gltf_body;

// One primitive and what moves it.
typedef struct gltf_piece {
    gltf_primitive primitive;
    const gltf_accessor *normals, *joints[2], *weights[2];
    const gltf_skin *skin; // NULL: it is attached to `joint`
    uint32_t joint;
    gltf_brush brush; // how its triangles are coloured
} gltf_piece;

tr_status tr_gltf_motion_read_matrix(const gltf_motion_reading *reading, const gltf_skin *skin, uint32_t i,
                                     tr_affine *matrix) {
    double m[16];
    *matrix = tr_affine_identity();
    if (!skin->matrices)
        return TR_OK;
    tr_gltf_read_numbers(skin->matrices, i, m);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            matrix->m[row][column] =
                (float)(m[column * 4 + row] * (column == 3 ? reading->options.metres_per_unit : 1));
    if (tr_affine_is_finite(matrix))
        return TR_OK;
    return tr_json_fail(reading->document->json, skin->matrices->value, reading->document->error,
                        "has an inverse bind matrix (%u) that is not finite", i);
}

static uint32_t joint_of(const gltf_body *body, const gltf_skin *skin, uint32_t i) {
    const gltf_motion_reading *reading = body->reading;
    return reading->joint[reading->skin_joints[skin->first_joint + i]];
}

// For joints that no earlier skin has set, takes the skin's matrices, transformed so that the mesh is in the
// body's own axes when the first joint is at rest. Then computes, for every joint, the map from this skin's
// mesh to the body.
static tr_status prepare_skin(gltf_body *body, const gltf_skin *skin) {
    tr_affine matrix, from_body = tr_affine_identity(), to_body = tr_affine_identity(), back;
    bool set = false;
    tr_status spent = tr_gltf_motion_spend(body->reading, skin->joint_count, "the skins of bodies");
    if (spent != TR_OK)
        return spent;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        uint32_t joint = joint_of(body, skin, i);
        tr_status status = tr_gltf_motion_read_matrix(body->reading, skin, i, &matrix);
        if (status != TR_OK)
            return status;
        if (!set) {
            // A second skin follows the first if both have the joint.
            if (!body->has_inverse[joint] || !tr_affine_invert(&body->inverse_rest[joint], &back))
                back = tr_skeleton_rest_model(body->skeleton)[joint];
            to_body = tr_affine_multiply(&back, &matrix);
            set = tr_affine_invert(&to_body, &from_body);
            if (!set)
                continue; // a singular matrix is useless: try the next joint
        }
        if (!body->has_inverse[joint]) {
            body->inverse_rest[joint] = tr_affine_multiply(&matrix, &from_body);
            body->has_inverse[joint] = true;
        }
        body->to_body[joint] = tr_affine_invert(&body->inverse_rest[joint], &back)
                                   ? tr_affine_multiply(&back, &matrix)
                                   : to_body;
    }
    return TR_OK;
}

// For a mesh attached to a joint without a skin: the map from the axes of the node to those of the body.
static tr_status prepare_rigid(gltf_body *body, uint32_t node, uint32_t *joint) {
    gltf_motion_reading *reading = body->reading;
    tr_affine placed = tr_affine_identity(), back;
    double unit = reading->options.metres_per_unit;
    for (; node != TR_NONE && reading->joint[node] == TR_NONE; node = reading->graph.parents[node]) {
        gltf_local local;
        tr_transform transform = tr_transform_identity();
        tr_affine step;
        tr_status status = tr_gltf_motion_spend(reading, 1, "the nodes of bodies");
        if (status == TR_OK)
            status = tr_gltf_read_local(reading->document, node, &local);
        if (status != TR_OK)
            return status;
        for (int part = 0; part < 4; part++)
            (&transform.rotation.x)[part] = (float)local.turn[part];
        transform.rotation = tr_quat_normalize(transform.rotation);
        for (int axis = 0; axis < 3; axis++) {
            (&transform.position.x)[axis] = (float)(local.move[axis] * unit);
            (&transform.scale.x)[axis] = (float)local.scale[axis];
        }
        step = tr_affine_from_transform(transform);
        for (int row = 0; local.is_matrix && row < 3; row++)
            for (int column = 0; column < 4; column++)
                step.m[row][column] = (float)(local.matrix[row][column] * (column == 3 ? unit : 1));
        placed = tr_affine_multiply(&step, &placed);
    }
    *joint = node == TR_NONE ? 0 : reading->joint[node];
    if (!body->has_inverse[*joint] || !tr_affine_invert(&body->inverse_rest[*joint], &back))
        back = tr_skeleton_rest_model(body->skeleton)[*joint];
    body->to_body[*joint] = tr_affine_multiply(&back, &placed);
    return TR_OK;
}

static tr_status open_attribute(gltf_body *body, const gltf_piece *piece, const char *name, uint32_t rows,
                                const gltf_accessor **accessor) {
    gltf_document *document = body->reading->document;
    uint32_t attributes = tr_json_member(document->json, piece->primitive.value, "attributes");
    uint32_t index = TR_NONE;
    *accessor = NULL;
    tr_status status = tr_gltf_get_index(document, attributes, name, TR_JSON_OPTIONAL,
                                         document->accessor_list, "accessors", &index);
    if (status == TR_OK && index != TR_NONE)
        status = tr_gltf_open_accessor(document, index, accessor);
    if (status != TR_OK || !*accessor)
        return status;
    if ((*accessor)->rows != rows || (*accessor)->columns != 1)
        return tr_json_fail(document->json, (*accessor)->value, document->error,
                            "has the attribute %s, its type must be VEC%u", name, rows);
    if ((*accessor)->count < piece->primitive.positions->count)
        return tr_json_fail(document->json, (*accessor)->value, document->error,
                            "has %u values of %s for %u positions", (*accessor)->count, name,
                            piece->primitive.positions->count);
    return TR_OK;
}

static tr_status open_attributes(gltf_body *body, gltf_piece *piece) {
    tr_status status = open_attribute(body, piece, "NORMAL", 3, &piece->normals);
    if (status != TR_OK || !piece->skin)
        return status;
    static const char *const names[2][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
    for (int set = 0; set < 2 && status == TR_OK; set++) {
        status = open_attribute(body, piece, names[set][0], 4, &piece->joints[set]);
        if (status == TR_OK)
            status = open_attribute(body, piece, names[set][1], 4, &piece->weights[set]);
        if (!piece->joints[set] || !piece->weights[set])
            piece->joints[set] = piece->weights[set] = NULL;
    }
    return status;
}

// The joints that move a vertex, as joint numbers of the figure: the four with the largest weights. A vertex
// without weights follows the first joint.
static tr_status read_influences(gltf_body *body, const gltf_piece *piece, uint32_t vertex,
                                 uint16_t joints[TR_BODY_INFLUENCES], double weights[TR_BODY_INFLUENCES]) {
    uint32_t all_joints[INFLUENCES_MAX] = {0}, count = 0;
    double all_weights[INFLUENCES_MAX] = {0}, sum = 0;
    for (int set = 0; set < 2 && piece->joints[set]; set++) {
        double numbers[4], parts[4];
        tr_gltf_read_numbers(piece->joints[set], vertex, numbers);
        tr_gltf_read_numbers(piece->weights[set], vertex, parts);
        for (int k = 0; k < 4; k++) {
            if (!(parts[k] > 0) || !isfinite(parts[k]))
                continue;
            if (!(numbers[k] >= 0 && numbers[k] < piece->skin->joint_count))
                return tr_json_fail(body->reading->document->json, piece->joints[set]->value,
                                    body->reading->document->error,
                                    "has the joint %g in element %u, but the skin has only %u joints",
                                    numbers[k], vertex, piece->skin->joint_count);
            all_joints[count] = (uint32_t)numbers[k];
            all_weights[count++] = parts[k];
        }
    }
    body->dropped_influences += count > TR_BODY_INFLUENCES;
    for (uint32_t i = 0; i < TR_BODY_INFLUENCES; i++) {
        uint32_t best = i;
        for (uint32_t k = i + 1; k < count; k++)
            best = all_weights[k] > all_weights[best] ? k : best;
        double weight = all_weights[best];
        joints[i] = (uint16_t)(weight > 0 ? joint_of(body, piece->skin, all_joints[best]) : 0);
        weights[i] = weight;
        sum += weight;
        uint32_t joint = all_joints[i];
        all_joints[i] = all_joints[best];
        all_weights[best] = all_weights[i];
        all_joints[best] = joint;
    }
    for (int i = 0; i < TR_BODY_INFLUENCES; i++)
        weights[i] = sum > 0 ? weights[i] / sum : (i == 0);
    if (!(sum > 0))
        joints[0] = (uint16_t)joint_of(body, piece->skin, 0);
    return TR_OK;
}

static bool reserve_vertex(gltf_body *body) {
    gltf_motion_reading *reading = body->reading;
    uint32_t count = body->vertex_count;
    return tr_gltf_motion_more(reading, &body->positions, &body->position_capacity, count,
                               sizeof *body->positions) &&
           tr_gltf_motion_more(reading, &body->normals, &body->normal_capacity, count,
                               sizeof *body->normals) &&
           tr_gltf_motion_more(reading, &body->joints, &body->joint_capacity, count, sizeof *body->joints) &&
           tr_gltf_motion_more(reading, &body->weights, &body->weight_capacity, count, sizeof *body->weights);
}

static tr_vec3 read_point(const gltf_accessor *accessor, uint32_t element, double scale) {
    double p[3];
    tr_gltf_read_numbers(accessor, element, p);
    return tr_vec3_make((float)(p[0] * scale), (float)(p[1] * scale), (float)(p[2] * scale));
}

static tr_vec3 unit_or_zero(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 && isfinite(length) ? tr_vec3_scale(v, 1 / length) : tr_vec3_make(0, 0, 0);
}

static tr_status add_vertex(gltf_body *body, const gltf_piece *piece, uint32_t vertex) {
    gltf_motion_reading *reading = body->reading;
    uint16_t joints[TR_BODY_INFLUENCES] = {(uint16_t)piece->joint};
    double weights[TR_BODY_INFLUENCES] = {1};
    if (!reserve_vertex(body))
        return tr_gltf_motion_no_memory(reading);
    tr_status status = tr_gltf_motion_spend(reading, 1, "the vertices of bodies");
    if (status == TR_OK && piece->skin)
        status = read_influences(body, piece, vertex, joints, weights);
    if (status != TR_OK)
        return status;
    tr_vec3 position = read_point(piece->primitive.positions, vertex, reading->options.metres_per_unit);
    tr_vec3 normal = piece->normals ? read_point(piece->normals, vertex, 1) : tr_vec3_make(0, 0, 0);
    tr_vec3 moved = {0, 0, 0}, turned = {0, 0, 0};
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        if (!(weights[k] > 0))
            continue;
        const tr_affine *map = &body->to_body[joints[k]];
        moved = tr_vec3_add(moved, tr_vec3_scale(tr_affine_apply(map, position), (float)weights[k]));
        turned = tr_vec3_add(turned, tr_vec3_scale(tr_affine_turn(map, normal), (float)weights[k]));
    }
    if (!tr_vec3_is_finite(moved))
        return tr_json_fail(reading->document->json, piece->primitive.positions->value,
                            reading->document->error, "has an element (%u) that is not finite or too large",
                            vertex);
    uint32_t number = body->vertex_count++;
    body->positions[number] = moved;
    body->normals[number] = unit_or_zero(turned);
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        body->joints[number][k] = joints[k];
        body->weights[number][k] = (float)weights[k];
    }
    reading->document->owner[vertex] = piece->primitive.owner;
    reading->document->local[vertex] = number;
    return TR_OK;
}

static tr_status add_triangle(gltf_body *body, const gltf_piece *piece, uint32_t triangle) {
    gltf_document *document = body->reading->document;
    uint32_t corners[3], position = 0, numbers[3], points[3];
    tr_gltf_find_triangle(piece->primitive.mode, triangle, corners);
    for (int k = 0; k < 3; k++) {
        tr_status status = tr_gltf_find_position(document, &piece->primitive, corners[k], &position);
        if (status == TR_OK && document->owner[position] != piece->primitive.owner)
            status = add_vertex(body, piece, position);
        if (status != TR_OK)
            return status;
        numbers[k] = document->local[position];
        points[k] = position;
    }
    if (numbers[0] == numbers[1] || numbers[1] == numbers[2] || numbers[2] == numbers[0])
        return TR_OK;
    uint32_t count = body->index_count / 3;
    if (!tr_gltf_motion_more(body->reading, &body->colors, &body->color_capacity, count,
                             sizeof *body->colors))
        return tr_gltf_motion_no_memory(body->reading);
    tr_gltf_brush_color(&piece->brush, points, body->colors[count]);
    for (int k = 0; k < 3; k++) {
        if (!tr_gltf_motion_more(body->reading, &body->indices, &body->index_capacity, body->index_count,
                                 sizeof *body->indices))
            return tr_gltf_motion_no_memory(body->reading);
        body->indices[body->index_count++] = numbers[k];
    }
    return TR_OK;
}

static tr_status read_color(gltf_body *body, uint32_t primitive) {
    gltf_document *document = body->reading->document;
    uint32_t material = TR_NONE, look = TR_NONE;
    double color[4] = {1, 1, 1, 1};
    tr_status status = tr_gltf_get_index(document, primitive, "material", TR_JSON_OPTIONAL,
                                         document->material_list, "materials", &material);
    if (status != TR_OK || material == TR_NONE)
        return status;
    status =
        tr_json_get_object(document->json, tr_json_item(document->json, document->material_list, material),
                           "pbrMetallicRoughness", TR_JSON_OPTIONAL, &look, document->error);
    if (status == TR_OK && look != TR_NONE)
        status = tr_json_get_numbers(document->json, look, "baseColorFactor", TR_JSON_OPTIONAL, color, 4,
                                     document->error);
    for (int i = 0; i < 3; i++)
        body->color[i] = (float)(color[i] < 0 ? 0 : color[i] > 1 ? 1 : color[i]);
    body->has_color = true;
    return status;
}

static tr_status add_primitive(gltf_body *body, gltf_piece *piece) {
    gltf_document *document = body->reading->document;
    tr_status status = tr_gltf_open_primitive(document, &piece->primitive);
    if (status != TR_OK || piece->primitive.triangle_count == 0)
        return status;
    status = tr_gltf_motion_spend(body->reading, piece->primitive.triangle_count, "the triangles of bodies");
    if (status == TR_OK)
        status = open_attributes(body, piece);
    if (status == TR_OK && piece->skin && !piece->joints[0]) {
        tr_scene_note(&document->reading, "a skinned mesh without joints and weights is left out");
        return TR_OK;
    }
    if (status == TR_OK)
        status = tr_gltf_reserve_local(document, piece->primitive.positions->count);
    if (status == TR_OK && !body->has_color)
        status = read_color(body, piece->primitive.value);
    if (status == TR_OK)
        status = tr_gltf_brush_open(body->reading, &body->paints, &piece->primitive, &piece->brush);
    // Each primitive of the file has a separate number, so that none uses the vertices of another.
    piece->primitive.owner = body->reading->piece_count++;
    for (uint32_t i = 0; i < piece->primitive.triangle_count && status == TR_OK; i++)
        status = add_triangle(body, piece, i);
    return status;
}

static tr_status add_mesh(gltf_body *body, uint32_t node) {
    gltf_motion_reading *reading = body->reading;
    gltf_document *document = reading->document;
    const tr_json *json = document->json;
    uint32_t value = tr_gltf_node_value(document, node), mesh = TR_NONE, skin = TR_NONE, list = TR_NONE;
    gltf_piece piece = {0};
    tr_status status =
        tr_gltf_get_index(document, value, "mesh", TR_JSON_OPTIONAL, document->mesh_list, "meshes", &mesh);
    if (status == TR_OK)
        status =
            tr_gltf_get_index(document, value, "skin", TR_JSON_OPTIONAL, document->skin_list, "skins", &skin);
    if (status != TR_OK || mesh == TR_NONE || (skin != TR_NONE && reading->skins[skin].joint_count == 0))
        return status;
    if (skin != TR_NONE) {
        piece.skin = &reading->skins[skin];
        status = prepare_skin(body, piece.skin);
    } else {
        status = prepare_rigid(body, node, &piece.joint);
    }
    if (status == TR_OK)
        status = tr_json_get_array(json, tr_json_item(json, document->mesh_list, mesh), "primitives",
                                   TR_JSON_REQUIRED, &list, document->error);
    for (uint32_t i = 0; i < tr_json_count(json, list) && status == TR_OK; i++) {
        status = tr_gltf_motion_spend(reading, 1, "the primitives of bodies");
        if (status != TR_OK)
            break;
        piece.primitive = (gltf_primitive){.value = tr_json_item(json, list, i), .mode = GLTF_MODE_TRIANGLES};
        status = add_primitive(body, &piece);
    }
    return status;
}

// If the file has no normals: the area-weighted mean of the triangles around.
static tr_status fill_normals(gltf_body *body) {
    const tr_allocator *allocator = &body->reading->document->reading.allocator;
    tr_vec3 *sums = tr_allocate_zero(allocator, body->vertex_count, sizeof *sums);
    if (!sums)
        return tr_gltf_motion_no_memory(body->reading);
    const tr_vec3 *p = body->positions;
    for (uint32_t i = 0; i < body->index_count; i += 3) {
        const uint32_t *corner = body->indices + i;
        tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(p[corner[1]], p[corner[0]]),
                                       tr_vec3_subtract(p[corner[2]], p[corner[0]]));
        for (int k = 0; k < 3; k++)
            sums[corner[k]] = tr_vec3_add(sums[corner[k]], normal);
    }
    for (uint32_t i = 0; i < body->vertex_count; i++) {
        tr_vec3 *normal = &body->normals[i];
        if (normal->x == 0 && normal->y == 0 && normal->z == 0)
            *normal = unit_or_zero(sums[i]);
        if (normal->x == 0 && normal->y == 0 && normal->z == 0)
            normal->y = 1;
    }
    tr_release(allocator, sums, body->vertex_count, sizeof *sums);
    return TR_OK;
}

static tr_status finish(gltf_body *body, tr_figure *figure) {
    gltf_motion_reading *reading = body->reading;
    if (body->index_count == 0)
        return TR_OK;
    tr_status status = fill_normals(body);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < reading->joint_count; i++)
        if (!body->has_inverse[i] &&
            !tr_affine_invert(&tr_skeleton_rest_model(body->skeleton)[i], &body->inverse_rest[i]))
            body->inverse_rest[i] = tr_affine_identity();
    if (body->dropped_influences)
        tr_scene_note(&reading->document->reading,
                      "%u vertices are moved by more than %d joints: the weakest are left out",
                      body->dropped_influences, TR_BODY_INFLUENCES);
    tr_body_def def = {.allocator = &reading->result,
                       .name = figure->name,
                       .joint_count = reading->joint_count,
                       .positions = body->positions,
                       .normals = body->normals,
                       .joints = (const uint16_t(*)[TR_BODY_INFLUENCES])body->joints,
                       .weights = (const float(*)[TR_BODY_INFLUENCES])body->weights,
                       .vertex_count = body->vertex_count,
                       .indices = body->indices,
                       .triangle_count = body->index_count / 3,
                       .inverse_rest = body->inverse_rest};
    for (int i = 0; i < 3; i++)
        def.color[i] = body->has_color ? body->color[i] : 0.8f;
    for (uint32_t i = 0; i < body->index_count && !body->is_painted; i++)
        body->is_painted = body->colors[i / 3][i % 3] != def.color[i % 3];
    def.colors = body->is_painted ? (const float(*)[3])body->colors : NULL;
    status = tr_body_create(&def, &figure->body, reading->document->error);
    if (status == TR_INVALID) // invalid numbers, such as a matrix that overflows
        status = reading->document->error->status = TR_BAD_FILE;
    return status;
}

tr_status tr_gltf_motion_make_body(gltf_motion_reading *reading, uint32_t group, tr_figure *figure) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t count = reading->joint_count;
    gltf_body body = {.reading = reading,
                      .skeleton = figure->skeleton,
                      .inverse_rest = tr_allocate(allocator, count, sizeof *body.inverse_rest),
                      .to_body = tr_allocate(allocator, count, sizeof *body.to_body),
                      .has_inverse = tr_allocate_zero(allocator, count, sizeof *body.has_inverse)};
    tr_status status = TR_OK;
    if (!body.inverse_rest || !body.to_body || !body.has_inverse)
        status = tr_gltf_motion_no_memory(reading);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        body.to_body[i] = tr_affine_identity();
    // Skins first: they define the joints in the body, which rigid pieces need.
    for (int rigid = 0; rigid < 2; rigid++)
        for (uint32_t node = reading->first_mesh[group]; node != TR_NONE && status == TR_OK;
             node = reading->next_mesh[node]) {
            uint32_t value = tr_gltf_node_value(reading->document, node);
            if ((tr_json_member(reading->document->json, value, "skin") == TR_NONE) == rigid)
                status = add_mesh(&body, node);
        }
    if (status == TR_OK)
        status = finish(&body, figure);
    tr_release(allocator, body.positions, body.position_capacity, sizeof *body.positions);
    tr_release(allocator, body.normals, body.normal_capacity, sizeof *body.normals);
    tr_release(allocator, body.joints, body.joint_capacity, sizeof *body.joints);
    tr_release(allocator, body.weights, body.weight_capacity, sizeof *body.weights);
    tr_release(allocator, body.colors, body.color_capacity, sizeof *body.colors);
    tr_gltf_paints_free(reading, &body.paints);
    tr_release(allocator, body.indices, body.index_capacity, sizeof *body.indices);
    tr_release(allocator, body.inverse_rest, count, sizeof *body.inverse_rest);
    tr_release(allocator, body.to_body, count, sizeof *body.to_body);
    tr_release(allocator, body.has_inverse, count, sizeof *body.has_inverse);
    return status;
}
