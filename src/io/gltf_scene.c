#include "gltf_document.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct gltf_matrix {
    double m[3][4]; // rows; as tr_affine, but in double so that long chains of nodes lose nothing
} gltf_matrix;

typedef struct gltf_node {
    uint32_t parent; // TR_NONE for a root
    uint32_t next;   // in the list of nodes that wait to be placed
    bool placed, in_scene;
    gltf_matrix world;
} gltf_node;

typedef struct gltf_graph {
    gltf_document *document;
    gltf_node *nodes;
    uint32_t count;
    uint64_t shown;    // primitives, once for each node that shows them
    uint32_t left_out; // nodes outside of the scene
} gltf_graph;

static uint32_t node_value(const gltf_graph *graph, uint32_t node) {
    return tr_json_item(graph->document->json, graph->document->node_list, node);
}

// The number that stands in item `i` of a list of nodes.
static tr_status read_node_number(const gltf_graph *graph, uint32_t list, uint32_t i, uint32_t *node) {
    const tr_json *json = graph->document->json;
    uint32_t item = tr_json_item(json, list, i);
    double number = tr_json_number(json, item);
    if (tr_json_kind_of(json, item) != TR_JSON_NUMBER || !(number >= 0 && number < graph->count) ||
        number != (double)(uint32_t)number)
        return tr_json_fail(json, item, graph->document->error,
                            "is %g, it must be the number of one of %u nodes", number, graph->count);
    *node = (uint32_t)number;
    return TR_OK;
}

static tr_status get_children(const gltf_graph *graph, uint32_t node, uint32_t *children) {
    *children = TR_NONE;
    return tr_json_get_array(graph->document->json, node_value(graph, node), "children", TR_JSON_OPTIONAL,
                             children, graph->document->error);
}

static tr_status link_nodes(gltf_graph *graph) {
    const tr_json *json = graph->document->json;
    for (uint32_t i = 0; i < graph->count; i++)
        graph->nodes[i].parent = TR_NONE;
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t children, child;
        tr_status status = get_children(graph, i, &children);
        for (uint32_t k = 0; status == TR_OK && k < tr_json_count(json, children); k++) {
            status = read_node_number(graph, children, k, &child);
            if (status == TR_OK && graph->nodes[child].parent != TR_NONE)
                status = tr_json_fail(json, tr_json_item(json, children, k), graph->document->error,
                                      "makes nodes[%u] a child a second time, it is one of nodes[%u]", child,
                                      graph->nodes[child].parent);
            if (status == TR_OK)
                graph->nodes[child].parent = i;
        }
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

// The nodes of the default scene (or the first); all roots in a file without scenes.
static tr_status choose_scene(gltf_graph *graph) {
    gltf_document *document = graph->document;
    const tr_json *json = document->json;
    uint32_t scene = 0, list = TR_NONE, node;
    tr_status status = tr_gltf_get_index(document, document->root, "scene", TR_JSON_OPTIONAL,
                                         document->scene_list, "scenes", &scene);
    if (status != TR_OK)
        return status;
    if (tr_json_count(json, document->scene_list) == 0) {
        for (uint32_t i = 0; i < graph->count; i++)
            graph->nodes[i].in_scene = graph->nodes[i].parent == TR_NONE;
        return TR_OK;
    }
    status = tr_json_get_array(json, tr_json_item(json, document->scene_list, scene), "nodes",
                               TR_JSON_OPTIONAL, &list, document->error);
    for (uint32_t k = 0; status == TR_OK && k < tr_json_count(json, list); k++) {
        status = read_node_number(graph, list, k, &node);
        if (status != TR_OK)
            return status;
        graph->nodes[node].in_scene = true;
        if (graph->nodes[node].parent != TR_NONE)
            tr_scene_note(&document->reading, "scenes[%u] lists nodes[%u], which is a child of nodes[%u]",
                          scene, node, graph->nodes[node].parent);
    }
    return status;
}

static void rotation_rows(const double q[4], double rows[3][3]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 0) || !isfinite(length)) {
        x = y = z = 0;
        w = length = 1;
    }
    x /= length;
    y /= length;
    z /= length;
    w /= length;
    rows[0][0] = 1 - 2 * (y * y + z * z);
    rows[0][1] = 2 * (x * y - z * w);
    rows[0][2] = 2 * (x * z + y * w);
    rows[1][0] = 2 * (x * y + z * w);
    rows[1][1] = 1 - 2 * (x * x + z * z);
    rows[1][2] = 2 * (y * z - x * w);
    rows[2][0] = 2 * (x * z - y * w);
    rows[2][1] = 2 * (y * z + x * w);
    rows[2][2] = 1 - 2 * (x * x + y * y);
}

static tr_status read_matrix(const gltf_graph *graph, uint32_t value, gltf_matrix *local) {
    const tr_json *json = graph->document->json;
    double m[16];
    tr_status status =
        tr_json_get_numbers(json, value, "matrix", TR_JSON_REQUIRED, m, 16, graph->document->error);
    if (status != TR_OK)
        return status;
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || !(fabs(m[15] - 1) < 1e-6))
        return tr_json_fail(json, tr_json_member(json, value, "matrix"), graph->document->error,
                            "has %g %g %g %g as its last row, it must be 0 0 0 1", m[3], m[7], m[11], m[15]);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            local->m[row][column] = m[column * 4 + row];
    return TR_OK;
}

static tr_status read_local(const gltf_graph *graph, uint32_t node, gltf_matrix *local) {
    const tr_json *json = graph->document->json;
    tr_error *error = graph->document->error;
    uint32_t value = node_value(graph, node);
    if (tr_json_kind_of(json, tr_json_member(json, value, "matrix")) > TR_JSON_NULL)
        return read_matrix(graph, value, local);
    double move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1}, rows[3][3];
    tr_status status = tr_json_get_numbers(json, value, "translation", TR_JSON_OPTIONAL, move, 3, error);
    if (status == TR_OK)
        status = tr_json_get_numbers(json, value, "rotation", TR_JSON_OPTIONAL, turn, 4, error);
    if (status == TR_OK)
        status = tr_json_get_numbers(json, value, "scale", TR_JSON_OPTIONAL, scale, 3, error);
    if (status != TR_OK)
        return status;
    rotation_rows(turn, rows);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            local->m[row][column] = rows[row][column] * scale[column];
        local->m[row][3] = move[row];
    }
    return TR_OK;
}

static gltf_matrix multiply(const gltf_matrix *a, const gltf_matrix *b) {
    gltf_matrix product;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            double sum = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                         a->m[row][2] * b->m[2][column];
            product.m[row][column] = column == 3 ? sum + a->m[row][3] : sum;
        }
    return product;
}

static tr_status place_node(gltf_graph *graph, uint32_t number) {
    gltf_node *node = &graph->nodes[number];
    gltf_matrix local = {{{0}}}, root = {{{0}}};
    tr_status status = read_local(graph, number, &local);
    if (status != TR_OK)
        return status;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            root.m[row][column] = graph->document->reading.axes[row][column];
    const gltf_node *parent = node->parent == TR_NONE ? NULL : &graph->nodes[node->parent];
    node->world = multiply(parent ? &parent->world : &root, &local);
    node->placed = true;
    node->in_scene |= parent && parent->in_scene;
    return TR_OK;
}

// Parents first, from the roots on. What is never reached hangs in a ring.
static tr_status place_nodes(gltf_graph *graph) {
    uint32_t waiting = TR_NONE;
    for (uint32_t i = graph->count; i > 0; i--)
        if (graph->nodes[i - 1].parent == TR_NONE) {
            graph->nodes[i - 1].next = waiting;
            waiting = i - 1;
        }
    while (waiting != TR_NONE) {
        uint32_t node = waiting, children, child;
        waiting = graph->nodes[node].next;
        tr_status status = place_node(graph, node);
        if (status == TR_OK)
            status = get_children(graph, node, &children);
        for (uint32_t k = 0; status == TR_OK && k < tr_json_count(graph->document->json, children); k++) {
            status = read_node_number(graph, children, k, &child);
            if (status != TR_OK)
                break;
            graph->nodes[child].next = waiting;
            waiting = child;
        }
        if (status != TR_OK)
            return status;
    }
    for (uint32_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i].placed)
            return tr_json_fail(graph->document->json, node_value(graph, i), graph->document->error,
                                "is its own ancestor, nodes must form trees");
    return TR_OK;
}

static tr_status add_primitive(gltf_graph *graph, uint32_t node, uint32_t mesh, uint32_t primitive,
                               const char *name) {
    gltf_document *document = graph->document;
    uint32_t part;
    tr_status status = tr_gltf_build_primitive(document, mesh, primitive, &part);
    if (status != TR_OK || part == GLTF_EMPTY)
        return status;
    tr_affine placement;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            placement.m[row][column] = (float)graph->nodes[node].world.m[row][column];
    char label[512];
    int length = snprintf(label, sizeof label, primitive ? "%s/%u" : "%s", name, primitive);
    size_t shown = length < (int)sizeof label ? (size_t)length : sizeof label - 1;
    status = tr_scene_parts_add_object(&document->parts, label, shown, part, &placement, document->error);
    if (status == TR_BAD_FILE) {
        document->error->line = tr_json_line(document->json, node_value(graph, node));
        document->error->offset = tr_json_offset(document->json, node_value(graph, node));
    }
    return status;
}

// What a node shows: a mesh, named after the node, or after the mesh where the node has no name.
static tr_status add_node(gltf_graph *graph, uint32_t node) {
    gltf_document *document = graph->document;
    const tr_json *json = document->json;
    uint32_t value = node_value(graph, node), mesh = TR_NONE;
    const char *name = "", *node_name = "";
    tr_status status =
        tr_gltf_get_index(document, value, "mesh", TR_JSON_OPTIONAL, document->mesh_list, "meshes", &mesh);
    if (status != TR_OK || mesh == TR_NONE)
        return status;
    if (!graph->nodes[node].in_scene) {
        graph->left_out++;
        return TR_OK;
    }
    uint32_t mesh_value = tr_json_item(json, document->mesh_list, mesh);
    status = tr_json_get_text(json, mesh_value, "name", TR_JSON_OPTIONAL, &name, document->error);
    if (status == TR_OK)
        status = tr_json_get_text(json, value, "name", TR_JSON_OPTIONAL, &node_name, document->error);
    if (tr_gltf_has_extension(document, value, "EXT_mesh_gpu_instancing"))
        tr_scene_note(&document->reading, "nodes[%u] has instances, which are left out but for one", node);
    uint32_t count = tr_json_count(json, tr_json_member(json, mesh_value, "primitives"));
    graph->shown += count;
    if (graph->shown > document->reading.options.max_objects)
        return tr_fail(document->error, TR_LIMIT,
                       "the nodes show at least %" PRIu64 " primitives, at most %" PRIu64 " objects are read",
                       graph->shown, document->reading.options.max_objects);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = add_primitive(graph, node, mesh, i, node_name[0] ? node_name : name);
    return status;
}

static tr_status read_graph(gltf_graph *graph) {
    tr_status (*const steps[])(gltf_graph *) = {link_nodes, choose_scene, place_nodes};
    tr_status status = TR_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == TR_OK; i++)
        status = steps[i](graph);
    for (uint32_t i = 0; i < graph->count && status == TR_OK; i++)
        status = add_node(graph, i);
    if (status != TR_OK)
        return status;
    if (graph->left_out)
        tr_scene_note(&graph->document->reading,
                      "%u nodes with meshes are not in the scene shown and are left out", graph->left_out);
    if (graph->document->left_out)
        tr_scene_note(&graph->document->reading, "%u primitives of points or lines are left out",
                      graph->document->left_out);
    if (graph->document->parts.object_count == 0)
        tr_scene_note(&graph->document->reading, "the file has no triangles");
    return TR_OK;
}

tr_status tr_gltf_add_objects(gltf_document *document) {
    gltf_graph graph = {.document = document, .count = tr_json_count(document->json, document->node_list)};
    const tr_allocator *allocator = &document->reading.allocator;
    graph.nodes = tr_allocate_zero(allocator, graph.count, sizeof *graph.nodes);
    if (!graph.nodes)
        return tr_scene_parts_no_memory(document->error);
    tr_status status = read_graph(&graph);
    tr_release(allocator, graph.nodes, graph.count, sizeof *graph.nodes);
    return status;
}
