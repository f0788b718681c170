#include "gltf_document.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct gltf_matrix {
    double m[3][4]; // rows; as tr_affine, but in double to keep precision over long chains of nodes
} gltf_matrix;

typedef struct gltf_placement {
    bool in_scene;
    gltf_matrix world;
} gltf_placement;

typedef struct gltf_show {
    gltf_document *document;
    gltf_graph graph;
    gltf_placement *nodes;
    uint64_t shown;    // primitives, counted once for each node that shows them
    uint32_t left_out; // nodes outside of the scene
} gltf_show;

// Chooses the nodes of the default scene (or the first); all roots in a file without scenes.
static tr_status choose_scene(gltf_show *show) {
    gltf_document *document = show->document;
    const tr_json *json = document->json;
    uint32_t scene = 0, list = TR_NONE, node;
    tr_status status = tr_gltf_get_index(document, document->root, "scene", TR_JSON_OPTIONAL,
                                         document->scene_list, "scenes", &scene);
    if (status != TR_OK)
        return status;
    if (tr_json_count(json, document->scene_list) == 0) {
        for (uint32_t i = 0; i < show->graph.count; i++)
            show->nodes[i].in_scene = show->graph.parents[i] == TR_NONE;
        return TR_OK;
    }
    status = tr_json_get_array(json, tr_json_item(json, document->scene_list, scene), "nodes",
                               TR_JSON_OPTIONAL, &list, document->error);
    for (uint32_t k = 0; status == TR_OK && k < tr_json_count(json, list); k++) {
        status = tr_gltf_read_node_number(document, list, k, &node);
        if (status != TR_OK)
            return status;
        show->nodes[node].in_scene = true;
        if (show->graph.parents[node] != TR_NONE)
            tr_scene_note(&document->reading, "scenes[%u] lists nodes[%u], which is a child of nodes[%u]",
                          scene, node, show->graph.parents[node]);
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

static tr_status read_local(const gltf_show *show, uint32_t node, gltf_matrix *matrix) {
    gltf_local local;
    double rows[3][3];
    tr_status status = tr_gltf_read_local(show->document, node, &local);
    if (status != TR_OK)
        return status;
    rotation_rows(local.turn, rows);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            matrix->m[row][column] = local.is_matrix ? local.matrix[row][column]
                                     : column == 3   ? local.move[row]
                                                     : rows[row][column] * local.scale[column];
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

static tr_status place_node(gltf_show *show, uint32_t number) {
    gltf_placement *node = &show->nodes[number];
    gltf_matrix local = {{{0}}}, root = {{{0}}};
    tr_status status = read_local(show, number, &local);
    if (status != TR_OK)
        return status;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            root.m[row][column] = show->document->reading.axes[row][column];
    uint32_t above = show->graph.parents[number];
    const gltf_placement *parent = above == TR_NONE ? NULL : &show->nodes[above];
    node->world = multiply(parent ? &parent->world : &root, &local);
    node->in_scene |= parent && parent->in_scene;
    return TR_OK;
}

static tr_status place_nodes(gltf_show *show) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < show->graph.count && status == TR_OK; i++)
        status = place_node(show, show->graph.order[i]);
    return status;
}

static tr_status add_primitive(gltf_show *show, uint32_t node, uint32_t mesh, uint32_t primitive,
                               const char *name) {
    gltf_document *document = show->document;
    uint32_t part;
    tr_status status = tr_gltf_build_primitive(document, mesh, primitive, &part);
    if (status != TR_OK || part == GLTF_EMPTY)
        return status;
    tr_affine placement;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            placement.m[row][column] = (float)show->nodes[node].world.m[row][column];
    char label[512];
    int length = snprintf(label, sizeof label, primitive ? "%s/%u" : "%s", name, primitive);
    size_t shown = length < (int)sizeof label ? (size_t)length : sizeof label - 1;
    status = tr_scene_parts_add_object(&document->parts, label, shown, part, &placement, document->error);
    if (status == TR_BAD_FILE) {
        document->error->line = tr_json_line(document->json, tr_gltf_node_value(document, node));
        document->error->offset = tr_json_offset(document->json, tr_gltf_node_value(document, node));
    }
    return status;
}

// Adds the mesh of a node, named after the node, or after the mesh if the node has no name.
static tr_status add_node(gltf_show *show, uint32_t node) {
    gltf_document *document = show->document;
    const tr_json *json = document->json;
    uint32_t value = tr_gltf_node_value(document, node), mesh = TR_NONE;
    const char *name = "", *node_name = "";
    tr_status status =
        tr_gltf_get_index(document, value, "mesh", TR_JSON_OPTIONAL, document->mesh_list, "meshes", &mesh);
    if (status != TR_OK || mesh == TR_NONE)
        return status;
    if (!show->nodes[node].in_scene) {
        show->left_out++;
        return TR_OK;
    }
    uint32_t mesh_value = tr_json_item(json, document->mesh_list, mesh);
    status = tr_json_get_text(json, mesh_value, "name", TR_JSON_OPTIONAL, &name, document->error);
    if (status == TR_OK)
        status = tr_json_get_text(json, value, "name", TR_JSON_OPTIONAL, &node_name, document->error);
    if (tr_gltf_has_extension(document, value, "EXT_mesh_gpu_instancing"))
        tr_scene_note(&document->reading, "nodes[%u] has instances: all but one are left out", node);
    uint32_t count = tr_json_count(json, tr_json_member(json, mesh_value, "primitives"));
    show->shown += count;
    if (show->shown > document->reading.options.max_objects)
        return tr_fail(document->error, TR_LIMIT,
                       "the nodes show at least %" PRIu64 " primitives, at most %" PRIu64 " objects are read",
                       show->shown, document->reading.options.max_objects);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = add_primitive(show, node, mesh, i, node_name[0] ? node_name : name);
    return status;
}

static tr_status read_nodes(gltf_show *show) {
    tr_status status = tr_gltf_open_graph(show->document, &show->graph);
    if (status == TR_OK)
        status = choose_scene(show);
    if (status == TR_OK)
        status = place_nodes(show);
    for (uint32_t i = 0; i < show->graph.count && status == TR_OK; i++)
        status = add_node(show, i);
    if (status != TR_OK)
        return status;
    if (show->left_out)
        tr_scene_note(&show->document->reading,
                      "%u nodes with meshes are not in the chosen scene and are left out", show->left_out);
    if (show->document->left_out)
        tr_scene_note(&show->document->reading, "%u primitives of points or lines are left out",
                      show->document->left_out);
    if (show->document->parts.object_count == 0)
        tr_scene_note(&show->document->reading, "the file has no triangles");
    return TR_OK;
}

tr_status tr_gltf_add_objects(gltf_document *document) {
    gltf_show show = {.document = document};
    uint32_t count = tr_json_count(document->json, document->node_list);
    const tr_allocator *allocator = &document->reading.allocator;
    show.nodes = tr_allocate_zero(allocator, count, sizeof *show.nodes);
    if (!show.nodes)
        return tr_scene_parts_no_memory(document->error);
    tr_status status = read_nodes(&show);
    tr_gltf_close_graph(&show.graph);
    tr_release(allocator, show.nodes, count, sizeof *show.nodes);
    return status;
}
