#include "gltf_write_source.h"

#include <string.h>

static uint32_t own_count(const gltf_out *out, gltf_list list) {
    return list == GLTF_ACCESSORS   ? out->accessor_count
           : list == GLTF_MESHES    ? out->mesh_count
           : list == GLTF_MATERIALS ? out->material_count
                                    : 0;
}

// The number that an item of a source has in the shot.
static uint32_t new_number(const gltf_out *out, const gltf_out_source *source, gltf_list list, uint32_t old) {
    uint32_t number = source->numbers[list][old];
    return list == GLTF_VIEWS ? number : own_count(out, list) + source->first[list] + number;
}

uint32_t tr_gltf_source_mesh(const gltf_out *out, const gltf_out_source *source, uint32_t mesh) {
    return mesh == TR_NONE ? TR_NONE : new_number(out, source, GLTF_MESHES, mesh);
}

uint32_t tr_gltf_sources_count(const gltf_out *out, gltf_list list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->source_count; i++)
        count += out->sources[i].used[list];
    return count;
}

static void copy(const gltf_out *out, const gltf_out_source *source, gltf_list list, const char *above,
                 uint32_t value, tr_json_writer *writer);

static void copy_members(const gltf_out *out, const gltf_out_source *source, gltf_list list,
                         const char *above, uint32_t object, tr_json_writer *writer) {
    const tr_json *json = source->document.json;
    for (uint32_t i = 0; i < tr_json_count(json, object); i++) {
        uint32_t member = tr_json_item(json, object, i);
        const char *key = tr_json_key(json, member);
        // Of a key that occurs again, the last one counts; null is like none.
        if (tr_json_member(json, object, key) != member || tr_gltf_source_leaves_out(list, key) ||
            (list != GLTF_NO_LIST && tr_json_kind_of(json, member) == TR_JSON_NULL))
            continue;
        gltf_list to = tr_gltf_source_reference(list, above, key);
        tr_json_write_key(writer, key);
        if (to != GLTF_NO_LIST && tr_json_kind_of(json, member) == TR_JSON_NUMBER)
            tr_json_write_integer(writer,
                                  new_number(out, source, to, (uint32_t)tr_json_number(json, member)));
        else
            copy(out, source, strcmp(key, "extras") == 0 ? GLTF_NO_LIST : list, key, member, writer);
    }
}

static void copy(const gltf_out *out, const gltf_out_source *source, gltf_list list, const char *above,
                 uint32_t value, tr_json_writer *writer) {
    const tr_json *json = source->document.json;
    switch (tr_json_kind_of(json, value)) {
    case TR_JSON_BOOLEAN:
        tr_json_write_boolean(writer, tr_json_boolean(json, value));
        break;
    case TR_JSON_NUMBER:
        tr_json_write_number(writer, tr_json_number(json, value));
        break;
    case TR_JSON_STRING:
        tr_json_write_text(writer, tr_json_text(json, value, NULL));
        break;
    case TR_JSON_ARRAY:
        tr_json_write_array(writer);
        for (uint32_t i = 0; i < tr_json_count(json, value); i++)
            copy(out, source, list, above, tr_json_item(json, value, i), writer);
        tr_json_write_end(writer);
        break;
    case TR_JSON_OBJECT:
        tr_json_write_object(writer);
        copy_members(out, source, list, above, value, writer);
        tr_json_write_end(writer);
        break;
    default:
        tr_json_write_null(writer);
    }
}

// An image that was a file of its own is now a view.
static void copy_image(const gltf_out *out, const gltf_out_source *source, uint32_t number,
                       tr_json_writer *writer) {
    const tr_json *json = source->document.json;
    uint32_t image = tr_json_item(json, source->lists[GLTF_IMAGES], number),
             view = source->image_views[number];
    if (view == TR_NONE) {
        copy(out, source, GLTF_IMAGES, "", image, writer);
        return;
    }
    const gltf_out_view *bytes = &out->views[view];
    const char *name = tr_json_text(json, tr_json_member(json, image, "name"), NULL);
    tr_json_write_object(writer);
    if (name[0]) {
        tr_json_write_key(writer, "name");
        tr_json_write_text(writer, name);
    }
    tr_json_write_key(writer, "mimeType");
    tr_json_write_text(writer, tr_gltf_image_type(out->bytes + bytes->offset, bytes->size));
    tr_json_write_key(writer, "bufferView");
    tr_json_write_integer(writer, view);
    tr_json_write_end(writer);
}

static void write_items(const gltf_out *out, const gltf_out_source *source, gltf_list list,
                        tr_json_writer *writer) {
    // In the order of their new numbers: an item was numbered when something first referred to it.
    uint32_t *order = tr_allocate(&out->allocator, source->used[list], sizeof *order);
    if (!order) {
        writer->status = TR_OUT_OF_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < source->counts[list]; i++)
        if (source->numbers[list][i] != TR_NONE)
            order[source->numbers[list][i]] = i;
    for (uint32_t i = 0; i < source->used[list]; i++)
        if (list == GLTF_IMAGES)
            copy_image(out, source, order[i], writer);
        else
            copy(out, source, list, "", tr_json_item(source->document.json, source->lists[list], order[i]),
                 writer);
    tr_release(&out->allocator, order, source->used[list], sizeof *order);
}

void tr_gltf_sources_write_list(const gltf_out *out, gltf_list list, tr_json_writer *writer) {
    for (uint32_t i = 0; i < out->source_count; i++)
        write_items(out, &out->sources[i], list, writer);
}

static bool is_listed(const gltf_out_source *source, const char *key, const char *name) {
    const tr_json *json = source->document.json;
    uint32_t list = tr_json_member(json, source->document.root, key);
    for (uint32_t i = 0; i < tr_json_count(json, list); i++)
        if (strcmp(tr_json_text(json, tr_json_item(json, list, i), NULL), name) == 0)
            return true;
    return false;
}

// An extension of a source that its items have, or that its accessors need.
static const char *extension(const gltf_out_source *source, uint32_t number) {
    static const char quantization[] = "KHR_mesh_quantization";
    if (number < source->extension_count)
        return source->extensions[number];
    return number == source->extension_count && is_listed(source, "extensionsUsed", quantization)
               ? quantization
               : NULL;
}

static bool was_before(const gltf_out *out, const char *key, uint32_t source, uint32_t number) {
    const char *name = extension(&out->sources[source], number), *other;
    for (uint32_t i = 0; i <= source; i++)
        for (uint32_t k = 0; (other = extension(&out->sources[i], k)) && (i < source || k < number); k++)
            if (strcmp(name, other) == 0 && is_listed(&out->sources[i], key, other))
                return true;
    return false;
}

static void write_names(const gltf_out *out, const char *key, const char *own, tr_json_writer *writer) {
    bool any = own != NULL;
    const char *name;
    for (uint32_t i = 0; i < out->source_count; i++)
        for (uint32_t k = 0; (name = extension(&out->sources[i], k)); k++)
            any = any || is_listed(&out->sources[i], key, name);
    if (!any)
        return;
    tr_json_write_key(writer, key);
    tr_json_write_array(writer);
    if (own)
        tr_json_write_text(writer, own);
    for (uint32_t i = 0; i < out->source_count; i++)
        for (uint32_t k = 0; (name = extension(&out->sources[i], k)); k++)
            if (is_listed(&out->sources[i], key, name) && !was_before(out, key, i, k) &&
                (!own || strcmp(own, name) != 0))
                tr_json_write_text(writer, name);
    tr_json_write_end(writer);
}

void tr_gltf_sources_write_extensions(const gltf_out *out, const char *own, tr_json_writer *writer) {
    write_names(out, "extensionsUsed", own, writer);
    write_names(out, "extensionsRequired", NULL, writer);
}

void tr_gltf_source_write_node(const gltf_out_source *source, uint32_t value, tr_json_writer *writer) {
    static const char *const keys[] = {"weights", "extras"};
    for (int i = 0; i < 2; i++) {
        uint32_t member = tr_json_member(source->document.json, value, keys[i]);
        if (member == TR_NONE || tr_json_kind_of(source->document.json, member) == TR_JSON_NULL)
            continue;
        tr_json_write_key(writer, keys[i]);
        copy(NULL, source, GLTF_NO_LIST, "", member, writer);
    }
}

void tr_gltf_source_write_skin(const gltf_out *out, const gltf_out_skin *skin, tr_json_writer *writer) {
    const gltf_out_source *source = skin->source;
    const tr_json *json = source->document.json;
    uint32_t matrices = tr_json_member(json, skin->value, "inverseBindMatrices"),
             joints = tr_json_member(json, skin->value, "joints");
    if (matrices != TR_NONE && tr_json_kind_of(json, matrices) == TR_JSON_NUMBER) {
        tr_json_write_key(writer, "inverseBindMatrices");
        tr_json_write_integer(
            writer, new_number(out, source, GLTF_ACCESSORS, (uint32_t)tr_json_number(json, matrices)));
    }
    tr_json_write_key(writer, "joints");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < tr_json_count(json, joints); i++) {
        uint32_t node = (uint32_t)tr_json_number(json, tr_json_item(json, joints, i));
        tr_json_write_integer(writer, skin->first_joint + source->joints[node]);
    }
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}
