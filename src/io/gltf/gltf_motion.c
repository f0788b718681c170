#include "gltf_motion_data.h"

#include <inttypes.h>
#include <string.h>

#define DEFAULT_VALUES ((uint64_t)1 << 27)

tr_gltf_motion_options tr_gltf_motion_options_default(void) {
    tr_gltf_motion_options options = {.metres_per_unit = 1, .max_values = DEFAULT_VALUES};
    return options;
}

bool tr_gltf_motion_more(gltf_motion_reading *reading, void *list, uint32_t *capacity, uint32_t count,
                         size_t size) {
    return tr_reserve(&reading->document->reading.allocator, list, capacity, (uint64_t)count + 1, size);
}

tr_status tr_gltf_motion_no_memory(const gltf_motion_reading *reading) {
    return tr_fail(reading->document->error, TR_OUT_OF_MEMORY, "no memory for the figures of the file");
}

tr_status tr_gltf_motion_spend(gltf_motion_reading *reading, uint64_t values, const char *what) {
    reading->value_total += values;
    if (reading->value_total <= reading->options.max_values)
        return TR_OK;
    return tr_fail(reading->document->error, TR_LIMIT,
                   "with %s there are %" PRIu64 " values, at most %" PRIu64 " are read", what,
                   reading->value_total, reading->options.max_values);
}

static tr_status add_skin_joints(gltf_motion_reading *reading, gltf_skin *skin, uint32_t list) {
    gltf_document *document = reading->document;
    skin->first_joint = reading->skin_joint_count;
    skin->joint_count = tr_json_count(document->json, list);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        if (!tr_gltf_motion_more(reading, &reading->skin_joints, &reading->skin_joint_capacity,
                                 reading->skin_joint_count, sizeof *reading->skin_joints))
            return tr_gltf_motion_no_memory(reading);
        tr_status status =
            tr_gltf_read_node_number(document, list, i, &reading->skin_joints[reading->skin_joint_count]);
        if (status != TR_OK)
            return status;
        reading->skin_joint_count++;
    }
    return TR_OK;
}

static tr_status open_matrices(gltf_motion_reading *reading, gltf_skin *skin) {
    gltf_document *document = reading->document;
    uint32_t index = TR_NONE;
    tr_status status = tr_gltf_get_index(document, skin->value, "inverseBindMatrices", TR_JSON_OPTIONAL,
                                         document->accessor_list, "accessors", &index);
    if (status != TR_OK || index == TR_NONE)
        return status;
    status = tr_gltf_open_accessor(document, index, &skin->matrices);
    if (status != TR_OK)
        return status;
    if (skin->matrices->rows != 4 || skin->matrices->columns != 4)
        return tr_json_fail(document->json, skin->matrices->value, document->error,
                            "has inverse bind matrices, its type must be MAT4");
    if (skin->matrices->count < skin->joint_count)
        return tr_json_fail(document->json, skin->matrices->value, document->error,
                            "has %u inverse bind matrices, but the skin has %u joints", skin->matrices->count,
                            skin->joint_count);
    return TR_OK;
}

static tr_status read_skins(gltf_motion_reading *reading) {
    gltf_document *document = reading->document;
    for (uint32_t i = 0; i < tr_json_count(document->json, document->skin_list); i++) {
        gltf_skin skin = {.value = tr_json_item(document->json, document->skin_list, i), .group = i};
        uint32_t list = TR_NONE;
        tr_status status =
            tr_json_get_array(document->json, skin.value, "joints", TR_JSON_REQUIRED, &list, document->error);
        if (status == TR_OK)
            status = add_skin_joints(reading, &skin, list);
        if (status == TR_OK)
            status = open_matrices(reading, &skin);
        if (status != TR_OK)
            return status;
        if (!tr_gltf_motion_more(reading, &reading->skins, &reading->skin_capacity, i, sizeof skin))
            return tr_gltf_motion_no_memory(reading);
        reading->skins[reading->skin_count++] = skin;
    }
    return TR_OK;
}

// The first skin of the group of `skin`; compresses the path for later calls.
uint32_t tr_gltf_motion_group(gltf_motion_reading *reading, uint32_t skin) {
    uint32_t top = skin;
    while (reading->skins[top].group != top)
        top = reading->skins[top].group;
    while (reading->skins[skin].group != top) {
        uint32_t above = reading->skins[skin].group;
        reading->skins[skin].group = top;
        skin = above;
    }
    return top;
}

static void join(gltf_motion_reading *reading, uint32_t a, uint32_t b) {
    a = tr_gltf_motion_group(reading, a);
    b = tr_gltf_motion_group(reading, b);
    reading->skins[a > b ? a : b].group = a < b ? a : b;
}

// Skins share a figure if they share a joint, or if a joint of one is a descendant of a joint of the other:
// hair on a head.
static void group_skins(gltf_motion_reading *reading) {
    for (uint32_t i = 0; i < reading->skin_count; i++)
        for (uint32_t k = 0; k < reading->skins[i].joint_count; k++) {
            uint32_t node = reading->skin_joints[reading->skins[i].first_joint + k];
            if (reading->member[node] == TR_NONE)
                reading->member[node] = i;
            join(reading, reading->member[node], i);
        }
    for (uint32_t i = 0; i < reading->graph.count; i++) {
        uint32_t node = reading->graph.order[i], parent = reading->graph.parents[node];
        uint32_t above = parent == TR_NONE ? TR_NONE : reading->owner[parent];
        if (reading->member[node] != TR_NONE && above != TR_NONE)
            join(reading, reading->member[node], above);
        reading->owner[node] = reading->member[node] != TR_NONE ? reading->member[node] : above;
    }
    for (uint32_t i = 0; i < reading->graph.count; i++) {
        if (reading->member[i] != TR_NONE)
            reading->member[i] = tr_gltf_motion_group(reading, reading->member[i]);
        if (reading->owner[i] != TR_NONE)
            reading->owner[i] = tr_gltf_motion_group(reading, reading->owner[i]);
    }
}

// Without skins, the animated nodes are the figure.
static void group_animated(gltf_motion_reading *reading) {
    for (uint32_t i = 0; i < reading->graph.count; i++) {
        uint32_t node = reading->graph.order[i], parent = reading->graph.parents[node];
        uint32_t above = parent == TR_NONE ? TR_NONE : reading->owner[parent];
        reading->member[node] = reading->is_animated[node] ? 0 : TR_NONE;
        reading->owner[node] = reading->is_animated[node] ? 0 : above;
    }
}

// Does a node only mark the end of a bone?
static bool is_end_node(const gltf_document *document, uint32_t node) {
    uint32_t value = tr_gltf_node_value(document, node);
    return tr_name_is_end(
               tr_json_text(document->json, tr_json_member(document->json, value, "name"), NULL)) &&
           tr_json_count(document->json, tr_json_member(document->json, value, "children")) == 0 &&
           tr_json_member(document->json, value, "mesh") == TR_NONE;
}

// Lists the members of each group, and the nodes with meshes attached to them.
static tr_status list_members(gltf_motion_reading *reading) {
    const gltf_document *document = reading->document;
    for (uint32_t i = reading->graph.count; i > 0; i--) {
        uint32_t node = reading->graph.order[i - 1], parent = reading->graph.parents[node];
        uint32_t value = tr_gltf_node_value(document, node), skin = TR_NONE, group = reading->owner[node];
        bool on_joint = parent != TR_NONE && reading->member[parent] != TR_NONE;
        if (group != TR_NONE && (reading->is_animated[node] || (on_joint && is_end_node(document, node))))
            reading->member[node] = group;
        if (reading->member[node] != TR_NONE) {
            reading->next[node] = reading->first[reading->member[node]];
            reading->first[reading->member[node]] = node;
        }
        tr_status status =
            tr_gltf_get_index(document, value, "skin", TR_JSON_OPTIONAL, document->skin_list, "skins", &skin);
        if (status != TR_OK)
            return status;
        if (skin != TR_NONE)
            group = tr_gltf_motion_group(reading, skin);
        if (group != TR_NONE && tr_json_member(document->json, value, "mesh") != TR_NONE) {
            reading->next_mesh[node] = reading->first_mesh[group];
            reading->first_mesh[group] = node;
        }
    }
    return TR_OK;
}

// Nodes above joints belong to the skeleton, whatever they are.
static tr_status note_stray(gltf_motion_reading *reading) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t stray = 0, count = reading->graph.count;
    bool *above = tr_allocate_zero(allocator, count, sizeof *above);
    if (!above && count > 0)
        return tr_gltf_motion_no_memory(reading);
    for (uint32_t i = count; i > 0; i--) {
        uint32_t node = reading->graph.order[i - 1], parent = reading->graph.parents[node];
        if (parent != TR_NONE)
            above[parent] |= above[node] || reading->member[node] != TR_NONE;
        stray += reading->is_animated[node] && reading->owner[node] == TR_NONE && !above[node];
    }
    tr_release(allocator, above, count, sizeof *above);
    if (stray)
        tr_scene_note(&reading->document->reading, "%u animated nodes are not attached to a joint of a skin",
                      stray);
    return TR_OK;
}

static tr_status begin(gltf_motion_reading *reading) {
    gltf_document *document = reading->document;
    const tr_allocator *allocator = &document->reading.allocator;
    tr_status status = tr_gltf_open_graph(document, &reading->graph);
    if (status != TR_OK)
        return status;
    size_t count = reading->graph.count;
    reading->group_count = tr_json_count(document->json, document->skin_list) + 1;
    uint32_t **const lists[] = {&reading->member, &reading->owner,     &reading->rank,  &reading->joint,
                                &reading->next,   &reading->next_mesh, &reading->first, &reading->first_mesh};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        size_t size = (i < 6 ? count : reading->group_count) * sizeof(uint32_t);
        *lists[i] = tr_allocate(allocator, size, 1);
        if (!*lists[i])
            return tr_gltf_motion_no_memory(reading);
        memset(*lists[i], 0xff, size); // TR_NONE
    }
    reading->is_animated = tr_allocate_zero(allocator, count, sizeof *reading->is_animated);
    reading->times = tr_allocate_zero(allocator, document->accessor_count, sizeof *reading->times);
    if (!reading->is_animated || !reading->times)
        return tr_gltf_motion_no_memory(reading);
    for (uint32_t i = 0; i < reading->graph.count; i++)
        reading->rank[reading->graph.order[i]] = i;
    return TR_OK;
}

static void end(gltf_motion_reading *reading) {
    gltf_document *document = reading->document;
    const tr_allocator *allocator = &document->reading.allocator;
    size_t count = reading->graph.count;
    uint32_t *const lists[] = {reading->member, reading->owner,     reading->rank,  reading->joint,
                               reading->next,   reading->next_mesh, reading->first, reading->first_mesh};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        tr_release(allocator, lists[i], (i < 6 ? count : reading->group_count) * sizeof(uint32_t), 1);
    tr_release(allocator, reading->is_animated, count, sizeof *reading->is_animated);
    tr_release(allocator, reading->times, document->accessor_count, sizeof *reading->times);
    tr_release(allocator, reading->skins, reading->skin_capacity, sizeof *reading->skins);
    tr_release(allocator, reading->skin_joints, reading->skin_joint_capacity, sizeof *reading->skin_joints);
    tr_release(allocator, reading->animations, reading->animation_capacity, sizeof *reading->animations);
    tr_release(allocator, reading->channels, reading->channel_capacity, sizeof *reading->channels);
    tr_release(allocator, reading->nodes, reading->joint_capacity, sizeof *reading->nodes);
    tr_gltf_close_graph(&reading->graph);
}

static tr_status make_figure(gltf_motion_reading *reading, uint32_t group) {
    tr_status status = tr_gltf_motion_collect(reading, group);
    if (status != TR_OK)
        return status;
    tr_figure *figure = tr_figures_add(reading->figures);
    if (!figure)
        return tr_gltf_motion_no_memory(reading);
    status = tr_gltf_motion_make_skeleton(reading, group, figure);
    if (status == TR_OK)
        status = tr_gltf_motion_make_body(reading, group, figure);
    if (status == TR_OK && figure->body)
        status = tr_gltf_motion_find_soles(reading, figure);
    if (status == TR_OK)
        status = tr_gltf_motion_make_clips(reading, figure);
    for (uint32_t i = 0; i < reading->joint_count; i++)
        reading->joint[reading->nodes[i]] = TR_NONE;
    return status;
}

// Finds the groups of nodes that form figures.
static tr_status find_groups(gltf_motion_reading *reading) {
    tr_status status = begin(reading);
    if (status == TR_OK)
        status = read_skins(reading);
    if (status == TR_OK)
        status = tr_gltf_motion_read_animations(reading);
    if (status != TR_OK)
        return status;
    if (reading->skin_count)
        group_skins(reading);
    else
        group_animated(reading);
    status = list_members(reading);
    return status == TR_OK ? note_stray(reading) : status;
}

static tr_status read_figures(gltf_motion_reading *reading) {
    gltf_document *document = reading->document;
    tr_status status = find_groups(reading);
    uint32_t found = 0;
    for (uint32_t group = 0; group == 0 || group < reading->skin_count; group++) {
        if (status != TR_OK)
            return status;
        if (reading->first[group] == TR_NONE)
            continue;
        status = make_figure(reading, group);
        found++;
    }
    if (status == TR_OK && reading->weights_count)
        tr_scene_note(&document->reading, "%u channels of morph targets are left out",
                      reading->weights_count);
    if (status == TR_OK && found == 0)
        status = tr_fail(document->error, TR_NOT_FOUND,
                         "the file has no figure: it has neither skins nor animations of nodes");
    return status;
}

static tr_status take_joints(gltf_motion_reading *reading, uint32_t group, tr_skeleton **skeleton,
                             uint32_t **nodes, gltf_loose_list *loose) {
    tr_status status = tr_gltf_motion_collect(reading, group);
    tr_figure figure = {.allocator = reading->result};
    if (status == TR_OK)
        status = tr_gltf_motion_make_skeleton(reading, group, &figure);
    if (status == TR_OK) {
        size_t size = reading->joint_count * sizeof **nodes;
        *nodes = tr_allocate(&reading->result, reading->joint_count, sizeof **nodes);
        if (*nodes)
            memcpy(*nodes, reading->nodes, size);
        else
            status = tr_gltf_motion_no_memory(reading);
    }
    if (status == TR_OK) {
        *skeleton = figure.skeleton;
        figure.skeleton = NULL;
        if (loose)
            *loose = reading->loose;
    }
    tr_figure_destroy(&figure);
    return status;
}

tr_status tr_gltf_motion_find_joints(gltf_document *document, uint32_t figure, tr_skeleton **skeleton,
                                     uint32_t **nodes, gltf_loose_list *loose) {
    gltf_motion_reading reading = {.document = document,
                                   .options = tr_gltf_motion_options_default(),
                                   .result = document->reading.allocator};
    tr_status status = find_groups(&reading);
    uint32_t number = 0, found = TR_NONE;
    for (uint32_t group = 0; status == TR_OK && (group == 0 || group < reading.skin_count); group++)
        if (reading.first[group] != TR_NONE && number++ == figure)
            found = group;
    if (status == TR_OK && found == TR_NONE)
        status =
            tr_fail(document->error, TR_NOT_FOUND, "there is no figure %u, the file has %u", figure, number);
    if (status == TR_OK)
        status = take_joints(&reading, found, skeleton, nodes, loose);
    end(&reading);
    return status;
}

static tr_status check_options(const tr_gltf_motion_options *options, tr_error *error) {
    if (!(options->metres_per_unit > 0) || !isfinite(options->metres_per_unit))
        return tr_fail(error, TR_INVALID, "metres_per_unit is %g, it must be above 0",
                       options->metres_per_unit);
    if (!(options->frames_per_second >= 0 && options->frames_per_second <= 10000))
        return tr_fail(error, TR_INVALID, "frames_per_second is %g, it must be 0 to 10000",
                       options->frames_per_second);
    return TR_OK;
}

tr_status tr_gltf_read_figures(const void *data, size_t size, const tr_gltf_motion_options *options,
                               tr_gltf_load load, void *load_user, tr_figures *figures, tr_error *error) {
    if (!data && size)
        return tr_fail(error, TR_INVALID, "the glTF data is NULL");
    gltf_document document = {.load = load, .load_user = load_user, .bytes_read = size};
    gltf_motion_reading reading = {.document = &document, .figures = figures};
    reading.options = options ? *options : tr_gltf_motion_options_default();
    if (reading.options.max_values == 0)
        reading.options.max_values = DEFAULT_VALUES;
    tr_error unwanted;
    document.error = error ? error : &unwanted;
    memset(document.error, 0, sizeof *document.error);
    tr_status status = check_options(&reading.options, document.error);
    if (status != TR_OK)
        return status;
    tr_scene_read_options scene_options = tr_scene_read_options_default();
    scene_options.allocator = reading.options.allocator;
    scene_options.note = reading.options.note;
    scene_options.note_user = reading.options.note_user;
    scene_options.max_triangles =
        reading.options.max_values < DEFAULT_VALUES ? reading.options.max_values : DEFAULT_VALUES;
    status = tr_scene_reading_begin(&scene_options, &document.reading, document.error);
    if (status != TR_OK)
        return status;
    if (!figures->allocator.resize)
        figures->allocator = tr_allocator_default();
    reading.result = figures->allocator;
    uint32_t before = figures->count;
    status = tr_gltf_open(&document, data, size);
    if (status == TR_OK)
        status = read_figures(&reading);
    while (status != TR_OK && figures->count > before)
        tr_figure_destroy(&figures->items[--figures->count]);
    end(&reading);
    tr_gltf_close_meshes(&document);
    tr_gltf_close(&document);
    return status;
}
