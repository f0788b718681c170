#include "gltf_write_source.h"

#include <stdio.h>
#include <string.h>

#define WEIGHT_SLACK 1e-6 // sums of weights this close to 1 are rounding

static tr_status no_memory(const gltf_out_source *source) {
    return tr_fail(source->document.error, TR_OUT_OF_MEMORY, "no memory for the glTF file");
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

gltf_list tr_gltf_source_reference(gltf_list list, const char *above, const char *key) {
    switch (list) {
    case GLTF_MESHES:
        if (strcmp(above, "attributes") == 0 || strcmp(above, "targets") == 0)
            return GLTF_ACCESSORS;
        if (strcmp(above, "primitives") != 0)
            return GLTF_NO_LIST;
        return strcmp(key, "indices") == 0    ? GLTF_ACCESSORS
               : strcmp(key, "material") == 0 ? GLTF_MATERIALS
                                              : GLTF_NO_LIST;
    case GLTF_MATERIALS: // also in extensions: all of them refer to textures in this way
        return ends_with(above, "Texture") && strcmp(key, "index") == 0 ? GLTF_TEXTURES : GLTF_NO_LIST;
    case GLTF_TEXTURES:
        return strcmp(key, "source") == 0    ? GLTF_IMAGES
               : strcmp(key, "sampler") == 0 ? GLTF_SAMPLERS
                                             : GLTF_NO_LIST;
    case GLTF_IMAGES:
    case GLTF_ACCESSORS:
        return strcmp(key, "bufferView") == 0 ? GLTF_VIEWS : GLTF_NO_LIST;
    default:
        return GLTF_NO_LIST;
    }
}

// Extensions of materials, textures and samplers are copied. Those of meshes and accessors (compression,
// variants) say how to read what is written here in the plain form, or refer to lists that are not copied.
bool tr_gltf_source_leaves_out(gltf_list list, const char *key) {
    return strcmp(key, "extensions") == 0 && (list == GLTF_MESHES || list == GLTF_ACCESSORS);
}

static tr_status keep_extensions(gltf_out_source *source, uint32_t object) {
    const tr_json *json = source->document.json;
    for (uint32_t i = 0; i < tr_json_count(json, object); i++) {
        const char *name = tr_json_key(json, tr_json_item(json, object, i));
        uint32_t k = 0;
        while (k < source->extension_count && strcmp(source->extensions[k], name) != 0)
            k++;
        if (k < source->extension_count)
            continue;
        void *list = source->extensions;
        bool room = tr_reserve(&source->document.reading.allocator, &list, &source->extension_capacity,
                               (uint64_t)source->extension_count + 1, sizeof *source->extensions);
        source->extensions = list;
        if (!room)
            return no_memory(source);
        source->extensions[source->extension_count++] = name;
    }
    return TR_OK;
}

static void put_float(uint8_t *at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(bits >> 8 * i);
}

// Weights that do not sum to 1 are an error of the file; in the copy they do, as every program normalises
// them.
static void mend_weights(gltf_out *out, gltf_out_source *source, uint32_t number) {
    const gltf_accessor *accessor;
    uint32_t view = TR_NONE;
    if (tr_gltf_open_accessor(&source->document, number, &accessor) != TR_OK || out->status != TR_OK ||
        accessor->component != GLTF_FLOAT || accessor->rows != 4 || accessor->sparse_count > 0 ||
        tr_gltf_get_index(&source->document, accessor->value, "bufferView", TR_JSON_OPTIONAL,
                          source->lists[GLTF_VIEWS], "bufferViews", &view) != TR_OK ||
        view == TR_NONE)
        return;
    const tr_json *json = source->document.json;
    double offset = tr_json_number(json, tr_json_member(json, accessor->value, "byteOffset"));
    uint8_t *bytes = out->bytes + out->views[source->numbers[GLTF_VIEWS][view]].offset + (size_t)offset;
    for (uint32_t i = 0; i < accessor->count; i++) {
        double weights[16], sum = 0;
        tr_gltf_read_numbers(accessor, i, weights);
        for (int k = 0; k < 4; k++)
            sum += weights[k];
        if (!(sum > 0) || !isfinite(sum) || fabs(sum - 1) < WEIGHT_SLACK)
            continue;
        for (int k = 0; k < 4; k++)
            put_float(bytes + (size_t)i * accessor->stride + 4 * (size_t)k, (float)(weights[k] / sum));
    }
}

// Marks everything that a value inside an item refers to.
static tr_status use_inside(gltf_out *out, gltf_out_source *source, gltf_list list, const char *above,
                            uint32_t value) {
    gltf_document *document = &source->document;
    const tr_json *json = document->json;
    static const char *const names[] = {"accessors", "meshes",   "materials",  "textures",
                                        "images",    "samplers", "bufferViews"};
    bool is_object = tr_json_kind_of(json, value) == TR_JSON_OBJECT;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_json_count(json, value) && status == TR_OK; i++) {
        uint32_t member = tr_json_item(json, value, i), number = TR_NONE;
        const char *key = is_object ? tr_json_key(json, member) : above;
        if (is_object && (strcmp(key, "extras") == 0 || tr_gltf_source_leaves_out(list, key)))
            continue;
        gltf_list to = is_object ? tr_gltf_source_reference(list, above, key) : GLTF_NO_LIST;
        if (to != GLTF_NO_LIST && tr_json_kind_of(json, member) == TR_JSON_NUMBER) {
            status = tr_gltf_get_index(document, value, key, TR_JSON_REQUIRED, source->lists[to], names[to],
                                       &number);
            bool is_new = status == TR_OK && source->numbers[to][number] == TR_NONE;
            if (status == TR_OK)
                status = tr_gltf_source_use(out, source, to, number);
            bool is_weights =
                strcmp(key, "WEIGHTS_0") == 0 && tr_json_member(json, value, "WEIGHTS_1") == TR_NONE;
            if (status == TR_OK && is_new && to == GLTF_ACCESSORS && is_weights)
                mend_weights(out, source, number);
            continue;
        }
        if (is_object && strcmp(key, "extensions") == 0)
            status = keep_extensions(source, member);
        if (status == TR_OK)
            status = use_inside(out, source, list, key, member);
    }
    return status;
}

static tr_status use_view(gltf_out *out, gltf_out_source *source, uint32_t number) {
    gltf_view view = {0};
    tr_status status = tr_gltf_open_view(&source->document, number, &view);
    if (status != TR_OK)
        return status;
    uint32_t value = tr_json_item(source->document.json, source->lists[GLTF_VIEWS], number);
    double target =
        tr_json_number(source->document.json, tr_json_member(source->document.json, value, "target"));
    tr_gltf_write_view_of(out, view.data, (size_t)view.size);
    if (out->status != TR_OK)
        return TR_OK; // reported at the end
    gltf_out_view *made = &out->views[out->view_count - 1];
    made->target = target == GLTF_VERTICES || target == GLTF_INDICES ? (uint32_t)target : GLTF_NO_TARGET;
    made->stride = view.stride;
    source->numbers[GLTF_VIEWS][number] = out->view_count - 1;
    return TR_OK;
}

static tr_status use_image_file(gltf_out *out, gltf_out_source *source, uint32_t number) {
    gltf_image_files files = {&source->document, source->lists[GLTF_IMAGES], out->shot->note,
                              out->shot->note_user};
    return tr_gltf_take_image(out, &files, number, &source->image_views[number]);
}

tr_status tr_gltf_source_use(gltf_out *out, gltf_out_source *source, gltf_list list, uint32_t number) {
    if (source->numbers[list][number] != TR_NONE || out->status != TR_OK)
        return TR_OK;
    if (list == GLTF_VIEWS)
        return use_view(out, source, number);
    source->numbers[list][number] = source->used[list]++;
    const gltf_accessor *accessor;
    tr_status status = TR_OK;
    if (list == GLTF_ACCESSORS) // checks it
        status = tr_gltf_open_accessor(&source->document, number, &accessor);
    if (status == TR_OK && list == GLTF_IMAGES)
        status = use_image_file(out, source, number);
    return status == TR_OK ? use_inside(out, source, list, "",
                                        tr_json_item(source->document.json, source->lists[list], number))
                           : status;
}

static tr_status find_lists(gltf_out_source *source) {
    static const struct {
        const char *key;
        gltf_list list;
    } others[] = {{"textures", GLTF_TEXTURES}, {"images", GLTF_IMAGES}, {"samplers", GLTF_SAMPLERS}};
    gltf_document *document = &source->document;
    source->lists[GLTF_ACCESSORS] = document->accessor_list;
    source->lists[GLTF_MESHES] = document->mesh_list;
    source->lists[GLTF_MATERIALS] = document->material_list;
    source->lists[GLTF_VIEWS] = document->view_list;
    tr_status status = TR_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others && status == TR_OK; i++) {
        source->lists[others[i].list] = TR_NONE;
        status = tr_json_get_array(document->json, document->root, others[i].key, TR_JSON_OPTIONAL,
                                   &source->lists[others[i].list], document->error);
    }
    const tr_allocator *allocator = &document->reading.allocator;
    for (uint32_t i = 0; i <= GLTF_VIEWS && status == TR_OK; i++) {
        uint32_t count = tr_json_count(document->json, source->lists[i]);
        source->numbers[i] = tr_allocate(allocator, count, sizeof(uint32_t));
        if (!source->numbers[i])
            return no_memory(source);
        source->counts[i] = count;
        memset(source->numbers[i], 0xff, count * sizeof(uint32_t)); // TR_NONE
    }
    return status;
}

// Trees with a joint of the figure, or with a mesh that its skins move, are written.
static tr_status find_trees(gltf_out_source *source) {
    gltf_document *document = &source->document;
    const gltf_graph *graph = &source->graph;
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t node = graph->order[i], parent = graph->parents[node];
        source->roots[node] = parent == TR_NONE ? node : source->roots[parent];
        source->joints[node] = TR_NONE;
    }
    for (uint32_t i = 0; i < source->joint_count; i++) {
        source->joints[source->joint_nodes[i]] = i;
        source->kept[source->roots[source->joint_nodes[i]]] = true;
    }
    tr_status status = TR_OK;
    for (uint32_t node = 0; node < graph->count && status == TR_OK; node++) {
        uint32_t skin = TR_NONE, joints = TR_NONE, first = TR_NONE;
        status = tr_gltf_get_index(document, tr_gltf_node_value(document, node), "skin", TR_JSON_OPTIONAL,
                                   document->skin_list, "skins", &skin);
        if (status != TR_OK || skin == TR_NONE)
            continue;
        status = tr_json_get_array(document->json, tr_json_item(document->json, document->skin_list, skin),
                                   "joints", TR_JSON_REQUIRED, &joints, document->error);
        if (status == TR_OK && tr_json_count(document->json, joints) > 0)
            status = tr_gltf_read_node_number(document, joints, 0, &first);
        if (status == TR_OK && first != TR_NONE && source->joints[first] != TR_NONE)
            source->kept[source->roots[node]] = true;
    }
    return status;
}

// The meshes and the matrices of skins of a node.
static tr_status use_node(gltf_out *out, gltf_out_source *source, uint32_t node) {
    gltf_document *document = &source->document;
    uint32_t value = tr_gltf_node_value(document, node), mesh = TR_NONE, skin = TR_NONE, matrices = TR_NONE;
    tr_status status =
        tr_gltf_get_index(document, value, "mesh", TR_JSON_OPTIONAL, document->mesh_list, "meshes", &mesh);
    if (status == TR_OK && mesh != TR_NONE)
        status = tr_gltf_source_use(out, source, GLTF_MESHES, mesh);
    if (status == TR_OK)
        status =
            tr_gltf_get_index(document, value, "skin", TR_JSON_OPTIONAL, document->skin_list, "skins", &skin);
    if (status == TR_OK && skin != TR_NONE)
        status = tr_gltf_get_index(document, tr_json_item(document->json, document->skin_list, skin),
                                   "inverseBindMatrices", TR_JSON_OPTIONAL, document->accessor_list,
                                   "accessors", &matrices);
    return status == TR_OK && matrices != TR_NONE ? tr_gltf_source_use(out, source, GLTF_ACCESSORS, matrices)
                                                  : status;
}

static tr_status open_source(gltf_out *out, gltf_out_source *source) {
    gltf_document *document = &source->document;
    const tr_allocator *allocator = &document->reading.allocator;
    tr_status status = tr_gltf_open(document, source->source->data, source->source->size);
    if (status == TR_OK)
        status = tr_gltf_motion_find_joints(document, source->source->figure, &source->skeleton,
                                            &source->joint_nodes, NULL);
    if (status != TR_OK)
        return status;
    source->joint_count = tr_skeleton_joint_count(source->skeleton);
    status = tr_gltf_open_graph(document, &source->graph);
    if (status == TR_OK)
        status = find_lists(source);
    if (status != TR_OK)
        return status;
    uint32_t count = source->graph.count;
    source->joints = tr_allocate(allocator, count, sizeof *source->joints);
    source->roots = tr_allocate(allocator, count, sizeof *source->roots);
    source->kept = tr_allocate_zero(allocator, count, sizeof *source->kept);
    source->image_views = tr_allocate(allocator, source->counts[GLTF_IMAGES], sizeof *source->image_views);
    if (!source->joints || !source->roots || !source->kept || !source->image_views)
        return no_memory(source);
    memset(source->image_views, 0xff, source->counts[GLTF_IMAGES] * sizeof *source->image_views);
    status = find_trees(source);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        if (source->kept[source->roots[i]])
            status = use_node(out, source, i);
    return status;
}

// The source of an actor among those already open; opened if it is new.
static tr_status find_source(gltf_out *out, uint32_t actor, tr_error *error) {
    const tr_gltf_source *wanted = out->shot->actors[actor].source;
    uint32_t number = 0;
    while (number < out->source_count && (out->sources[number].source->data != wanted->data ||
                                          out->sources[number].source->figure != wanted->figure))
        number++;
    gltf_out_source *source = &out->sources[number];
    tr_status status = TR_OK;
    if (number == out->source_count) {
        tr_scene_read_options options = tr_scene_read_options_default();
        options.allocator = &out->allocator;
        *source = (gltf_out_source){.source = wanted,
                                    .document = {.load = wanted->load,
                                                 .load_user = wanted->load_user,
                                                 .bytes_read = wanted->size,
                                                 .error = error}};
        status = tr_scene_reading_begin(&options, &source->document.reading, error);
        if (status != TR_OK)
            return status;
        for (int i = 0; i < GLTF_LISTS && number > 0; i++)
            source->first[i] = source[-1].first[i] + source[-1].used[i];
        out->source_count++;
        status = open_source(out, source);
    }
    uint32_t joints = tr_skeleton_joint_count(out->shot->actors[actor].skeleton);
    if (status == TR_OK && joints != source->joint_count)
        status =
            tr_fail(error, TR_INVALID, "the skeleton of actor %u has %u joints, that of its source has %u",
                    actor, joints, source->joint_count);
    if (source->used[GLTF_MESHES] > 0) // otherwise bones are shown
        out->source_of[actor] = number;
    return status;
}

tr_status tr_gltf_sources_open(gltf_out *out, tr_error *error) {
    const tr_gltf_shot *shot = out->shot;
    uint32_t count = 0;
    for (uint32_t i = 0; i < shot->actor_count; i++)
        count += shot->form == TR_GLTF_SKINNED && shot->actors[i].source;
    if (count == 0)
        return TR_OK;
    error = error ? error : &out->unwanted;
    memset(error, 0, sizeof *error);
    out->sources = tr_allocate_zero(&out->allocator, shot->actor_count, sizeof *out->sources);
    out->source_of = tr_allocate(&out->allocator, shot->actor_count, sizeof *out->source_of);
    if (!out->sources || !out->source_of)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the glTF file");
    memset(out->source_of, 0xff, shot->actor_count * sizeof *out->source_of); // TR_NONE
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < shot->actor_count && status == TR_OK; i++)
        if (shot->actors[i].source)
            status = find_source(out, i, error);
    return status;
}

// Closing makes an error that has a line one that has the byte of a GLB: only the last source can have
// failed.
static void close_source(gltf_out_source *source, bool is_last) {
    const tr_allocator *allocator = &source->document.reading.allocator;
    uint32_t nodes = source->graph.count;
    tr_release(allocator, source->joints, nodes, sizeof *source->joints);
    tr_release(allocator, source->roots, nodes, sizeof *source->roots);
    tr_release(allocator, source->kept, nodes, sizeof *source->kept);
    tr_release(allocator, source->image_views, source->counts[GLTF_IMAGES], sizeof *source->image_views);
    tr_release(allocator, source->extensions, source->extension_capacity, sizeof *source->extensions);
    for (int i = 0; i <= GLTF_VIEWS; i++)
        tr_release(allocator, source->numbers[i], source->counts[i], sizeof(uint32_t));
    tr_release(allocator, source->joint_nodes, source->joint_count, sizeof *source->joint_nodes);
    tr_skeleton_destroy(source->skeleton);
    tr_gltf_close_graph(&source->graph);
    tr_error none = {0};
    if (!is_last)
        source->document.error = &none;
    tr_gltf_close(&source->document);
}

void tr_gltf_sources_close(gltf_out *out) {
    for (uint32_t i = 0; i < out->source_count; i++)
        close_source(&out->sources[i], i + 1 == out->source_count);
    tr_release(&out->allocator, out->sources, out->shot->actor_count, sizeof *out->sources);
    tr_release(&out->allocator, out->source_of, out->shot->actor_count, sizeof *out->source_of);
}

double tr_gltf_write_unit(const gltf_out *out, uint32_t actor) {
    bool has = out->source_of && out->source_of[actor] != TR_NONE;
    return has ? out->shot->actors[actor].source->metres_per_unit : 1;
}
