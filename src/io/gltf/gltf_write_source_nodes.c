// The nodes and skins of a character from a file, once for each actor. Joints are written like those of any
// skeleton; here they get their meshes, and the other nodes follow.
#include "gltf_write_source.h"

#include <stdio.h>

// Nodes of the file for one actor.
typedef struct source_nodes {
    gltf_out *out;
    const gltf_out_source *source;
    const char *name; // of the actor
    uint32_t above, first_joint;
    uint32_t *numbers; // in the shot, of each node of the file; TR_NONE: not written
    uint32_t *skins;   // in the shot, of each skin of the file; TR_NONE: not yet
    uint32_t skin_count;
} source_nodes;

static tr_transform place_of(const source_nodes *nodes, uint32_t node) {
    gltf_local local;
    tr_transform place = tr_transform_identity();
    tr_status status = tr_gltf_read_local(&nodes->source->document, node, &local);
    if (status != TR_OK) {
        tr_gltf_write_failed(nodes->out, status);
        return place;
    }
    tr_affine map;
    for (int row = 0; local.is_matrix && row < 3; row++)
        for (int column = 0; column < 4; column++)
            map.m[row][column] = (float)local.matrix[row][column];
    if (local.is_matrix)
        return tr_affine_to_transform(&map); // a shear is lost
    for (int axis = 0; axis < 3; axis++) {
        (&place.position.x)[axis] = (float)local.move[axis];
        (&place.scale.x)[axis] = (float)local.scale[axis];
    }
    for (int part = 0; part < 4; part++)
        (&place.rotation.x)[part] = (float)local.turn[part];
    place.rotation = tr_quat_normalize(place.rotation);
    return place;
}

static uint32_t add_skin(source_nodes *nodes, uint32_t skin) {
    gltf_out *out = nodes->out;
    if (nodes->skins[skin] != TR_NONE)
        return nodes->skins[skin];
    if (out->status == TR_OK && !tr_reserve(&out->allocator, (void **)&out->skins, &out->skin_capacity,
                                            (uint64_t)out->skin_count + 1, sizeof *out->skins))
        out->status = TR_OUT_OF_MEMORY;
    if (out->status != TR_OK)
        return TR_NONE;
    const gltf_document *document = &nodes->source->document;
    out->skins[out->skin_count] =
        (gltf_out_skin){.name = nodes->name,
                        .first_joint = nodes->first_joint,
                        .source = nodes->source,
                        .value = tr_json_item(document->json, document->skin_list, skin)};
    return nodes->skins[skin] = out->skin_count++;
}

// A skinned mesh is placed by its joints alone, and validators warn about other parents: its node is at the
// top, with the name of the actor in front.
static uint32_t add_node(source_nodes *nodes, uint32_t node, bool is_skinned) {
    const gltf_out_source *source = nodes->source;
    const tr_json *json = source->document.json;
    uint32_t parent = source->graph.parents[node], value = tr_gltf_node_value(&source->document, node);
    bool is_leaf = tr_json_count(json, tr_json_member(json, value, "children")) == 0;
    const char *name = tr_json_text(json, tr_json_member(json, value, "name"), NULL);
    char label[256];
    bool on_top = is_skinned && is_leaf;
    snprintf(label, sizeof label, on_top ? "%.120s_%.120s" : "%.0s%.240s", nodes->name,
             name[0] ? name : "node");
    uint32_t above = parent == TR_NONE ? nodes->above : nodes->numbers[parent];
    return tr_gltf_write_node(nodes->out, label, on_top ? TR_NONE : above,
                              on_top ? tr_transform_identity() : place_of(nodes, node));
}

// Nodes above the first joint have no effect, and were left out of the skeleton.
static void find_idle(source_nodes *nodes) {
    const gltf_out_source *source = nodes->source;
    for (uint32_t i = 0; i < source->joint_count; i++)
        for (uint32_t node = source->graph.parents[source->joint_nodes[i]];
             node != TR_NONE && source->joints[node] == TR_NONE; node = source->graph.parents[node])
            nodes->numbers[node] = nodes->above;
}

// Does a skin move the character? A tree may have others.
static bool is_own_skin(const gltf_out_source *source, uint32_t skin) {
    const gltf_document *document = &source->document;
    uint32_t value = tr_json_item(document->json, document->skin_list, skin);
    uint32_t joints = tr_json_member(document->json, value, "joints"), node = 0;
    for (uint32_t i = 0; i < tr_json_count(document->json, joints); i++)
        if (tr_gltf_read_node_number(document, joints, i, &node) != TR_OK || source->joints[node] == TR_NONE)
            return false;
    return tr_json_count(document->json, joints) > 0;
}

static void write_node(source_nodes *nodes, uint32_t node) {
    const gltf_out_source *source = nodes->source;
    const gltf_document *document = &source->document;
    uint32_t value = tr_gltf_node_value(document, node), mesh = TR_NONE, skin = TR_NONE;
    // These were checked when the source was opened.
    tr_gltf_get_index(document, value, "mesh", TR_JSON_OPTIONAL, document->mesh_list, "meshes", &mesh);
    if (mesh != TR_NONE)
        tr_gltf_get_index(document, value, "skin", TR_JSON_OPTIONAL, document->skin_list, "skins", &skin);
    if (skin != TR_NONE && !is_own_skin(source, skin))
        mesh = skin = TR_NONE;
    uint32_t *number = &nodes->numbers[node];
    bool is_idle = *number != TR_NONE && source->joints[node] == TR_NONE;
    if (source->joints[node] != TR_NONE)
        *number = nodes->first_joint + source->joints[node];
    else if (!is_idle)
        *number = add_node(nodes, node, skin != TR_NONE);
    if (mesh == TR_NONE || nodes->out->status != TR_OK)
        return;
    uint32_t holder = *number;
    if (is_idle || (skin != TR_NONE && source->joints[node] != TR_NONE))
        holder = add_node(nodes, node, skin != TR_NONE);
    skin = skin == TR_NONE ? TR_NONE : add_skin(nodes, skin);
    if (nodes->out->status != TR_OK)
        return;
    gltf_out_node *made = &nodes->out->nodes[holder];
    made->source = source;
    made->value = value;
    made->mesh = mesh;
    made->skin = skin;
}

void tr_gltf_source_write_actor(gltf_out *out, uint32_t actor, const char *name) {
    const gltf_out_source *source = &out->sources[out->source_of[actor]];
    const tr_allocator *allocator = &out->allocator;
    const gltf_graph *graph = &source->graph;
    source_nodes nodes = {.out = out,
                          .source = source,
                          .name = name,
                          .first_joint = out->first_joint[actor],
                          .above = out->first_joint[actor] - 1,
                          .skin_count = tr_json_count(source->document.json, source->document.skin_list)};
    nodes.numbers = tr_allocate(allocator, graph->count, sizeof *nodes.numbers);
    nodes.skins = tr_allocate(allocator, nodes.skin_count, sizeof *nodes.skins);
    if (nodes.numbers && nodes.skins) {
        for (uint32_t i = 0; i < graph->count; i++)
            nodes.numbers[i] = TR_NONE;
        for (uint32_t i = 0; i < nodes.skin_count; i++)
            nodes.skins[i] = TR_NONE;
        find_idle(&nodes);
        for (uint32_t i = 0; i < graph->count && out->status == TR_OK; i++)
            if (source->kept[source->roots[graph->order[i]]])
                write_node(&nodes, graph->order[i]);
    } else {
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    }
    tr_release(allocator, nodes.numbers, graph->count, sizeof *nodes.numbers);
    tr_release(allocator, nodes.skins, nodes.skin_count, sizeof *nodes.skins);
}
