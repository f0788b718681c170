#include "gltf_add_data.h"
#include "troupe/io/gltf_motion.h"

#include <stdio.h>
#include <string.h>

#define NODES_MAX (1 << 24) // of all copies

static tr_status no_memory(const gltf_adding *adding) {
    return tr_fail(adding->document.error, TR_OUT_OF_MEMORY, "no memory for the glTF file");
}

static tr_status check_addition(const tr_gltf_addition *addition, tr_error *error) {
    if (!addition || (!addition->data && addition->size > 0))
        return tr_fail(error, TR_INVALID, "the glTF data is NULL");
    if (!(addition->tolerance >= 0) || !isfinite(addition->tolerance))
        return tr_fail(error, TR_INVALID, "the tolerance is %g, it must be at least 0",
                       (double)addition->tolerance);
    if (addition->copy_count == 0 || !addition->copies)
        return tr_fail(error, TR_INVALID, "there must be at least one copy of the character");
    for (uint32_t i = 0; i < addition->copy_count; i++)
        for (uint32_t k = 0; k < addition->copies[i].clip_count; k++)
            if (!addition->copies[i].clips || !addition->copies[i].clips[k])
                return tr_fail(error, TR_INVALID, "clip %u of copy %u is NULL", k, i);
    return TR_OK;
}

static tr_status check_clips(const gltf_adding *adding) {
    const tr_gltf_addition *addition = adding->addition;
    for (uint32_t i = 0; i < addition->copy_count; i++)
        for (uint32_t k = 0; k < addition->copies[i].clip_count; k++) {
            uint32_t joints = tr_clip_joint_count(addition->copies[i].clips[k]);
            if (joints != adding->joint_count)
                return tr_fail(adding->document.error, TR_INVALID,
                               "clip %u of copy %u has %u joints, figure %u of the file has %u", k, i, joints,
                               addition->figure, adding->joint_count);
        }
    uint32_t nodes = tr_json_count(adding->document.json, adding->document.node_list);
    if (addition->copy_count > 1 && (uint64_t)nodes * addition->copy_count > NODES_MAX)
        return tr_fail(adding->document.error, TR_LIMIT,
                       "%u copies of %u nodes are more than %d nodes together", addition->copy_count, nodes,
                       NODES_MAX);
    return TR_OK;
}

static tr_status open_document(gltf_adding *adding) {
    const tr_gltf_addition *addition = adding->addition;
    gltf_document *document = &adding->document;
    tr_status status = tr_gltf_open(document, addition->data, addition->size);
    if (status == TR_OK)
        status = tr_gltf_motion_find_joints(document, addition->figure, &adding->skeleton,
                                            &adding->joint_nodes, &adding->loose);
    if (status != TR_OK)
        return status;
    adding->joint_count = tr_skeleton_joint_count(adding->skeleton);
    adding->image_list = TR_NONE;
    status = tr_json_get_array(document->json, document->root, "images", TR_JSON_OPTIONAL,
                               &adding->image_list, document->error);
    return status == TR_OK ? check_clips(adding) : status;
}

static tr_status allocate_lists(gltf_adding *adding) {
    const tr_allocator *allocator = &adding->out.allocator;
    const gltf_document *document = &adding->document;
    size_t copies = adding->addition->copy_count, step = (size_t)adding->joint_count + 1;
    adding->node_count = tr_json_count(document->json, document->node_list);
    adding->skin_count = tr_json_count(document->json, document->skin_list);
    adding->image_count = tr_json_count(document->json, adding->image_list);
    adding->actors = tr_allocate(allocator, copies, sizeof *adding->actors);
    adding->out.first_joint = tr_allocate(allocator, copies, sizeof *adding->out.first_joint);
    adding->node_numbers = tr_allocate(allocator, copies * step, sizeof *adding->node_numbers);
    adding->matrix_joints = tr_allocate(allocator, adding->node_count, sizeof *adding->matrix_joints);
    adding->image_views = tr_allocate(allocator, adding->image_count, sizeof *adding->image_views);
    if (!adding->actors || !adding->out.first_joint || !adding->node_numbers || !adding->matrix_joints ||
        !adding->image_views)
        return no_memory(adding);
    memset(adding->matrix_joints, 0xff, adding->node_count * sizeof *adding->matrix_joints); // TR_NONE
    memset(adding->image_views, 0xff, adding->image_count * sizeof *adding->image_views);
    for (uint32_t i = 0; i < copies; i++) {
        uint32_t *numbers = adding->node_numbers + i * step, first = i * adding->node_count;
        const tr_gltf_copy *copy = &adding->addition->copies[i];
        adding->actors[i] = (tr_gltf_actor){
            .skeleton = adding->skeleton, .clips = copy->clips, .clip_count = copy->clip_count};
        adding->out.first_joint[i] = (uint32_t)(i * step + 1);
        numbers[0] = first + adding->joint_nodes[0];
        for (uint32_t k = 0; k < adding->joint_count; k++)
            numbers[k + 1] = first + adding->joint_nodes[k];
    }
    adding->shot.actors = adding->actors;
    return TR_OK;
}

// The new bytes follow those of buffer 0, so that a GLB has them all in its binary chunk. If the bytes of
// that buffer are elsewhere (EXT_meshopt_compression), the new bytes get a buffer of their own.
static tr_status choose_buffer(gltf_adding *adding) {
    gltf_document *document = &adding->document;
    uint32_t first = tr_json_item(document->json, document->buffer_list, 0);
    bool has_bytes =
        document->chunk ||
        tr_json_kind_of(document->json, tr_json_member(document->json, first, "uri")) == TR_JSON_STRING;
    adding->home_is_new = document->buffer_count == 0 || !has_bytes;
    adding->home = adding->home_is_new ? document->buffer_count : 0;
    adding->out.buffer = adding->home;
    if (adding->home_is_new)
        return TR_OK;
    tr_status status = tr_gltf_open_buffer(document, 0);
    if (status == TR_OK)
        tr_gltf_write_bytes(&adding->out, document->buffers[0].data, (size_t)document->buffers[0].size);
    return status;
}

static tr_status take_image(gltf_adding *adding, uint32_t number) {
    gltf_image_files files = {&adding->document, adding->image_list, adding->addition->note,
                              adding->addition->note_user};
    return tr_gltf_take_image(&adding->out, &files, number, &adding->image_views[number]);
}

// What the file says of a joint that no track moves. That is not its rest pose where the nodes hold another
// pose than the one in which the meshes were bound.
static tr_transform rest_of(const gltf_adding *adding, uint32_t joint) {
    for (uint32_t i = 0; i < adding->loose.count; i++)
        if (adding->loose.items[i].joint == joint)
            return adding->loose.items[i].rest;
    gltf_local local;
    tr_status status = tr_gltf_read_local(&adding->document, adding->joint_nodes[joint], &local);
    if (status == TR_OK && !local.is_matrix)
        return tr_gltf_local_transform(&local, tr_gltf_motion_options_default().metres_per_unit);
    return tr_skeleton_joint(adding->skeleton, joint).rest;
}

// The nodes of the writer stand for nodes of the document.
static void add_nodes(gltf_adding *adding) {
    const gltf_document *document = &adding->document;
    uint32_t top = tr_gltf_node_value(document, adding->joint_nodes[0]);
    const char *name = tr_json_text(document->json, tr_json_member(document->json, top, "name"), NULL);
    for (uint32_t copy = 0; copy < adding->addition->copy_count; copy++) {
        tr_gltf_write_node(&adding->out, name, TR_NONE, tr_transform_identity());
        for (uint32_t i = 0; i < adding->joint_count; i++)
            tr_gltf_write_node(&adding->out, "", TR_NONE, rest_of(adding, i));
    }
}

static void add_animations(gltf_adding *adding) {
    const gltf_document *document = &adding->document;
    const tr_json *json = document->json;
    for (uint32_t i = 0; i < tr_json_count(json, document->animation_list); i++) {
        uint32_t animation = tr_json_item(json, document->animation_list, i);
        const char *name = tr_json_text(json, tr_json_member(json, animation, "name"), NULL);
        tr_gltf_write_unique(&adding->out, &adding->out.animation_names, name);
    }
    tr_gltf_write_animations(&adding->out);
    for (uint32_t i = 0; i < adding->out.channel_count && adding->out.status == TR_OK; i++) {
        uint32_t joint = adding->out.channels[i].node % (adding->joint_count + 1) - 1;
        uint32_t node = adding->joint_nodes[joint];
        if (tr_json_kind_of(json, tr_json_member(json, tr_gltf_node_value(document, node), "matrix")) >
            TR_JSON_NULL)
            adding->matrix_joints[node] = joint;
    }
}

static tr_status add_everything(gltf_adding *adding) {
    gltf_out *out = &adding->out;
    out->node_numbers = adding->node_numbers;
    out->loose = &adding->loose;
    out->first_view = tr_json_count(adding->document.json, adding->document.view_list);
    out->first_accessor = adding->document.accessor_count;
    tr_status status = choose_buffer(adding);
    for (uint32_t i = 0; i < adding->image_count && status == TR_OK && out->status == TR_OK; i++)
        status = take_image(adding, i);
    if (status != TR_OK)
        return status;
    add_nodes(adding);
    add_animations(adding);
    if (out->status == TR_LIMIT)
        return tr_fail(adding->document.error, TR_LIMIT, "the character takes more than 2 GiB as glTF");
    return out->status == TR_OK ? TR_OK : no_memory(adding);
}

// Hands over the text, or packs it into a GLB.
static tr_status finish(gltf_adding *adding, tr_bytes *bytes) {
    const tr_allocator *allocator = &adding->out.allocator;
    tr_bytes json = {adding->text, adding->text_size};
    if (!adding->shot.text) {
        if (adding->home_is_new && adding->home > 0)
            adding->out.size = 0; // they are in the text
        return tr_gltf_write_pack(&adding->out, &json, bytes, adding->document.error);
    }
    bytes->data = tr_allocate(allocator, json.size, 1);
    if (!bytes->data)
        return no_memory(adding);
    memcpy(bytes->data, json.data, json.size);
    bytes->size = json.size;
    return TR_OK;
}

static void release(gltf_adding *adding) {
    tr_allocator allocator = adding->out.allocator;
    tr_release(&allocator, adding->text, adding->text_capacity, 1);
    tr_release(&allocator, adding->joint_nodes, adding->joint_count, sizeof *adding->joint_nodes);
    size_t copies = adding->addition->copy_count, step = (size_t)adding->joint_count + 1;
    tr_release(&allocator, adding->actors, copies, sizeof *adding->actors);
    tr_release(&allocator, adding->node_numbers, copies * step, sizeof *adding->node_numbers);
    tr_release(&allocator, adding->matrix_joints, adding->node_count, sizeof *adding->matrix_joints);
    tr_release(&allocator, adding->image_views, adding->image_count, sizeof *adding->image_views);
    tr_skeleton_destroy(adding->skeleton);
    tr_gltf_write_release(&adding->out);
    tr_gltf_close(&adding->document);
}

tr_status tr_gltf_add_clips(const tr_gltf_addition *addition, tr_bytes *bytes, tr_error *error) {
    bytes->data = NULL;
    bytes->size = 0;
    tr_status status = check_addition(addition, error);
    if (status != TR_OK)
        return status;
    tr_error unwanted;
    gltf_adding adding = {.addition = addition};
    adding.document = (gltf_document){.load = addition->load,
                                      .load_user = addition->load_user,
                                      .bytes_read = addition->size,
                                      .error = error ? error : &unwanted};
    memset(adding.document.error, 0, sizeof *adding.document.error);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.allocator = addition->allocator;
    status = tr_scene_reading_begin(&options, &adding.document.reading, adding.document.error);
    if (status != TR_OK)
        return status;
    adding.shot = (tr_gltf_shot){.actor_count = addition->copy_count,
                                 .apart = addition->copy_count == 1,
                                 .text = addition->text,
                                 .tolerance = addition->tolerance};
    adding.out = (gltf_out){.shot = &adding.shot, .allocator = adding.document.reading.allocator};
    adding.out.actor_names = tr_name_set_begin(&adding.out.allocator);
    adding.out.animation_names = tr_name_set_begin(&adding.out.allocator);
    tr_status (*const steps[])(gltf_adding *) = {open_document, allocate_lists, add_everything,
                                                 tr_gltf_add_json};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == TR_OK; i++)
        status = steps[i](&adding);
    if (status == TR_OK)
        status = finish(&adding, bytes);
    release(&adding);
    return status;
}
