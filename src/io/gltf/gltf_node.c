#include "gltf_document.h"

uint32_t tr_gltf_node_value(const gltf_document *document, uint32_t node) {
    return tr_json_item(document->json, document->node_list, node);
}

tr_status tr_gltf_read_node_number(const gltf_document *document, uint32_t list, uint32_t i, uint32_t *node) {
    const tr_json *json = document->json;
    uint32_t item = tr_json_item(json, list, i), count = tr_json_count(json, document->node_list);
    double number = tr_json_number(json, item);
    if (tr_json_kind_of(json, item) != TR_JSON_NUMBER || !(number >= 0 && number < count) ||
        number != (double)(uint32_t)number)
        return tr_json_fail(json, item, document->error, "is %g, it must be the number of one of %u nodes",
                            number, count);
    *node = (uint32_t)number;
    return TR_OK;
}

static tr_status get_children(const gltf_document *document, uint32_t node, uint32_t *children) {
    *children = TR_NONE;
    return tr_json_get_array(document->json, tr_gltf_node_value(document, node), "children", TR_JSON_OPTIONAL,
                             children, document->error);
}

static tr_status link_nodes(gltf_graph *graph) {
    const gltf_document *document = graph->document;
    const tr_json *json = document->json;
    for (uint32_t i = 0; i < graph->count; i++)
        graph->parents[i] = TR_NONE;
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t children, child = 0;
        tr_status status = get_children(document, i, &children);
        for (uint32_t k = 0; status == TR_OK && k < tr_json_count(json, children); k++) {
            status = tr_gltf_read_node_number(document, children, k, &child);
            if (status == TR_OK && graph->parents[child] != TR_NONE)
                status = tr_json_fail(json, tr_json_item(json, children, k), document->error,
                                      "lists nodes[%u], which is already a child of nodes[%u]", child,
                                      graph->parents[child]);
            if (status == TR_OK)
                graph->parents[child] = i;
        }
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

// Orders parents first, from the roots on; `next` links the waiting nodes. Nodes that are never reached form
// a cycle.
static tr_status order_nodes(gltf_graph *graph, uint32_t *next) {
    const gltf_document *document = graph->document;
    uint32_t waiting = TR_NONE, placed = 0;
    for (uint32_t i = graph->count; i > 0; i--)
        if (graph->parents[i - 1] == TR_NONE) {
            next[i - 1] = waiting;
            waiting = i - 1;
        }
    while (waiting != TR_NONE) {
        uint32_t node = waiting, children, child = 0;
        waiting = next[node];
        next[node] = node; // reached
        graph->order[placed++] = node;
        tr_status status = get_children(document, node, &children);
        for (uint32_t k = tr_json_count(document->json, children); status == TR_OK && k > 0; k--) {
            status = tr_gltf_read_node_number(document, children, k - 1, &child);
            next[child] = waiting;
            waiting = child;
        }
        if (status != TR_OK)
            return status;
    }
    for (uint32_t i = 0; i < graph->count; i++)
        if (next[i] != i)
            return tr_json_fail(document->json, tr_gltf_node_value(document, i), document->error,
                                "is its own ancestor, nodes must form trees");
    return TR_OK;
}

tr_status tr_gltf_open_graph(gltf_document *document, gltf_graph *graph) {
    const tr_allocator *allocator = &document->reading.allocator;
    graph->document = document;
    graph->count = tr_json_count(document->json, document->node_list);
    graph->parents = tr_allocate(allocator, graph->count, sizeof *graph->parents);
    graph->order = tr_allocate(allocator, graph->count, sizeof *graph->order);
    uint32_t *next = tr_allocate(allocator, graph->count, sizeof *next);
    tr_status status = TR_OUT_OF_MEMORY;
    if (graph->parents && graph->order && next) {
        for (uint32_t i = 0; i < graph->count; i++)
            next[i] = TR_NONE;
        status = link_nodes(graph);
        if (status == TR_OK)
            status = order_nodes(graph, next);
    } else {
        tr_scene_parts_no_memory(document->error);
    }
    tr_release(allocator, next, graph->count, sizeof *next);
    return status;
}

void tr_gltf_close_graph(gltf_graph *graph) {
    if (!graph->document)
        return;
    const tr_allocator *allocator = &graph->document->reading.allocator;
    tr_release(allocator, graph->parents, graph->count, sizeof *graph->parents);
    tr_release(allocator, graph->order, graph->count, sizeof *graph->order);
}

static tr_status read_matrix(const gltf_document *document, uint32_t value, gltf_local *local) {
    double m[16];
    tr_status status =
        tr_json_get_numbers(document->json, value, "matrix", TR_JSON_REQUIRED, m, 16, document->error);
    if (status != TR_OK)
        return status;
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || !(fabs(m[15] - 1) < 1e-6))
        return tr_json_fail(document->json, tr_json_member(document->json, value, "matrix"), document->error,
                            "has %g %g %g %g as its last row, it must be 0 0 0 1", m[3], m[7], m[11], m[15]);
    local->is_matrix = true;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            local->matrix[row][column] = m[column * 4 + row];
    return TR_OK;
}

tr_status tr_gltf_read_local(const gltf_document *document, uint32_t node, gltf_local *local) {
    const tr_json *json = document->json;
    uint32_t value = tr_gltf_node_value(document, node);
    *local = (gltf_local){.turn = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    if (tr_json_kind_of(json, tr_json_member(json, value, "matrix")) > TR_JSON_NULL)
        return read_matrix(document, value, local);
    tr_status status =
        tr_json_get_numbers(json, value, "translation", TR_JSON_OPTIONAL, local->move, 3, document->error);
    if (status == TR_OK)
        status =
            tr_json_get_numbers(json, value, "rotation", TR_JSON_OPTIONAL, local->turn, 4, document->error);
    if (status == TR_OK)
        status =
            tr_json_get_numbers(json, value, "scale", TR_JSON_OPTIONAL, local->scale, 3, document->error);
    return status;
}

tr_transform tr_gltf_local_transform(const gltf_local *local, double metres_per_unit) {
    const double *q = local->turn;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    tr_transform made = tr_transform_identity();
    for (int axis = 0; axis < 3; axis++) {
        (&made.position.x)[axis] = (float)(local->move[axis] * metres_per_unit);
        (&made.scale.x)[axis] = (float)local->scale[axis];
    }
    for (int part = 0; part < 4 && length > 0 && isfinite(length); part++)
        (&made.rotation.x)[part] = (float)(q[part] / length);
    return made;
}
