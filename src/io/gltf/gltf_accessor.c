#include "gltf_document.h"

#include <inttypes.h>
#include <string.h>

// glTF names component types by OpenGL's numbers.
enum {
    SIGNED_8 = 5120,
    UNSIGNED_8 = 5121,
    SIGNED_16 = 5122,
    UNSIGNED_16 = 5123,
    UNSIGNED_32 = 5125,
    FLOAT_32 = 5126
};

// The number of elements that an accessor without data may have in any file; larger files may have more.
#define COUNT_WITHOUT_DATA (1u << 20)

tr_status tr_gltf_open_accessors(gltf_document *document) {
    document->accessor_count = tr_json_count(document->json, document->accessor_list);
    document->accessors =
        tr_allocate(&document->reading.allocator, document->accessor_count, sizeof *document->accessors);
    if (!document->accessors)
        return tr_scene_parts_no_memory(document->error);
    for (uint32_t i = 0; i < document->accessor_count; i++)
        document->accessors[i].value = TR_NONE;
    return TR_OK;
}

void tr_gltf_close_accessors(gltf_document *document) {
    tr_release(&document->reading.allocator, document->accessors, document->accessor_count,
               sizeof *document->accessors);
}

static uint32_t component_size(uint32_t component) {
    switch (component) {
    case SIGNED_8:
    case UNSIGNED_8:
        return 1;
    case SIGNED_16:
    case UNSIGNED_16:
        return 2;
    case UNSIGNED_32:
    case FLOAT_32:
        return 4;
    default:
        return 0;
    }
}

static tr_status get_component(const gltf_document *document, uint32_t value, uint32_t *component) {
    int64_t number = 0;
    tr_status status = tr_json_get_integer(document->json, value, "componentType", TR_JSON_REQUIRED, 0,
                                           INT32_MAX, &number, document->error);
    if (status != TR_OK)
        return status;
    if (component_size((uint32_t)number) == 0)
        return tr_json_fail(document->json, tr_json_member(document->json, value, "componentType"),
                            document->error,
                            "is %" PRId64 ", it must be 5120, 5121, 5122, 5123, 5125 or 5126", number);
    *component = (uint32_t)number;
    return TR_OK;
}

static tr_status get_shape(const gltf_document *document, gltf_accessor *accessor) {
    static const struct {
        char name[8];
        uint8_t rows, columns;
    } shapes[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                  {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    const char *type = "";
    tr_status status =
        tr_json_get_text(document->json, accessor->value, "type", TR_JSON_REQUIRED, &type, document->error);
    if (status != TR_OK)
        return status;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(shapes[i].name, type) == 0) {
            uint32_t column = shapes[i].rows * component_size(accessor->component);
            accessor->rows = shapes[i].rows;
            accessor->columns = shapes[i].columns;
            accessor->column_stride = (uint8_t)(shapes[i].columns > 1 ? (column + 3) / 4 * 4 : column);
            return TR_OK;
        }
    return tr_json_fail(document->json, tr_json_member(document->json, accessor->value, "type"),
                        document->error,
                        "is \"%.20s\", it must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4", type);
}

// Finds `count` elements of `size` bytes, `stride` apart, in a view that `value` names by "bufferView" and
// "byteOffset".
static tr_status find_data(gltf_document *document, uint32_t value, uint64_t count, uint32_t size,
                           uint32_t *stride, const uint8_t **data) {
    uint32_t index = 0;
    int64_t offset = 0;
    gltf_view view = {0};
    tr_status status = tr_gltf_get_index(document, value, "bufferView", TR_JSON_REQUIRED, document->view_list,
                                         "bufferViews", &index);
    if (status == TR_OK)
        status = tr_json_get_integer(document->json, value, "byteOffset", TR_JSON_OPTIONAL, 0, INT64_MAX,
                                     &offset, document->error);
    if (status == TR_OK)
        status = tr_gltf_open_view(document, index, &view);
    if (status != TR_OK)
        return status;
    *stride = view.stride ? view.stride : size;
    if (*stride < size)
        return tr_json_fail(document->json, value, document->error,
                            "has elements of %u bytes, but bufferViews[%u].byteStride is %u", size, index,
                            *stride);
    // The count is below 2^32 and the stride below 2^8, so nothing here overflows 64 bits.
    uint64_t needed = (count - 1) * *stride + size;
    if ((uint64_t)offset > view.size || needed > view.size - (uint64_t)offset)
        return tr_json_fail(document->json, value, document->error,
                            "needs %" PRIu64 " bytes from byte %" PRId64
                            " on, but bufferViews[%u] has %" PRIu64,
                            needed, offset, index, view.size);
    *data = view.data + offset;
    return TR_OK;
}

static uint32_t read_unsigned(const uint8_t *at, uint32_t component) {
    uint32_t low = at[0];
    if (component == UNSIGNED_8)
        return low;
    low |= (uint32_t)at[1] << 8;
    return component == UNSIGNED_16 ? low : low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t sparse_index(const gltf_accessor *accessor, uint32_t place) {
    uint32_t size = component_size(accessor->sparse_component);
    return read_unsigned(accessor->sparse_indices + (size_t)place * size, accessor->sparse_component);
}

// The indices must increase, so that an element is found by binary search.
static tr_status check_sparse(const gltf_document *document, const gltf_accessor *accessor, uint32_t sparse) {
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        uint32_t index = sparse_index(accessor, i);
        if (index >= accessor->count)
            return tr_json_fail(document->json, sparse, document->error,
                                "replaces element %u, but the accessor has only %u", index, accessor->count);
        if (i > 0 && index <= sparse_index(accessor, i - 1))
            return tr_json_fail(document->json, sparse, document->error,
                                "replaces element %u after element %u, the indices must increase", index,
                                sparse_index(accessor, i - 1));
    }
    return TR_OK;
}

static tr_status open_sparse(gltf_document *document, gltf_accessor *accessor, uint32_t element_size) {
    const tr_json *json = document->json;
    uint32_t sparse = TR_NONE, indices = TR_NONE, values = TR_NONE, stride;
    int64_t count = 0;
    tr_status status =
        tr_json_get_object(json, accessor->value, "sparse", TR_JSON_OPTIONAL, &sparse, document->error);
    if (status != TR_OK || sparse == TR_NONE)
        return status;
    status = tr_json_get_integer(json, sparse, "count", TR_JSON_REQUIRED, 1, accessor->count, &count,
                                 document->error);
    if (status == TR_OK)
        status = tr_json_get_object(json, sparse, "indices", TR_JSON_REQUIRED, &indices, document->error);
    if (status == TR_OK)
        status = tr_json_get_object(json, sparse, "values", TR_JSON_REQUIRED, &values, document->error);
    if (status == TR_OK)
        status = get_component(document, indices, &accessor->sparse_component);
    if (status != TR_OK)
        return status;
    uint32_t type = accessor->sparse_component;
    if (type != UNSIGNED_8 && type != UNSIGNED_16 && type != UNSIGNED_32)
        return tr_json_fail(json, indices, document->error,
                            "has componentType %u, it must be 5121, 5123 or 5125", type);
    // The standard allows no stride for these views; one equal to the element size is harmless.
    status = find_data(document, indices, (uint64_t)count, component_size(type), &stride,
                       &accessor->sparse_indices);
    if (status == TR_OK && stride != component_size(type))
        return tr_json_fail(json, indices, document->error,
                            "uses a view with a byteStride, it must have none");
    if (status == TR_OK)
        status =
            find_data(document, values, (uint64_t)count, element_size, &stride, &accessor->sparse_values);
    if (status == TR_OK && stride != element_size)
        return tr_json_fail(json, values, document->error,
                            "uses a view with a byteStride, it must have none");
    accessor->sparse_count = (uint32_t)count;
    return status == TR_OK ? check_sparse(document, accessor, sparse) : status;
}

// An accessor without data is all zeros and costs the file nothing: its count must not cause a large
// allocation.
static tr_status check_count(const gltf_document *document, const gltf_accessor *accessor) {
    uint64_t most = document->bytes_read > COUNT_WITHOUT_DATA ? document->bytes_read : COUNT_WITHOUT_DATA;
    if (most > document->reading.options.max_triangles * 3)
        most = document->reading.options.max_triangles * 3;
    if (accessor->count <= most)
        return TR_OK;
    tr_fail(document->error, TR_LIMIT,
            "an accessor without a bufferView has %u elements, at most %" PRIu64 " are read", accessor->count,
            most);
    document->error->line = tr_json_line(document->json, accessor->value);
    document->error->offset = tr_json_offset(document->json, accessor->value);
    return TR_LIMIT;
}

static tr_status open_accessor(gltf_document *document, gltf_accessor *accessor) {
    const tr_json *json = document->json;
    int64_t count = 0;
    tr_status status = tr_json_get_integer(json, accessor->value, "count", TR_JSON_REQUIRED, 1,
                                           UINT32_MAX - 1, &count, document->error);
    if (status == TR_OK)
        status = get_component(document, accessor->value, &accessor->component);
    if (status == TR_OK)
        status = get_shape(document, accessor);
    if (status == TR_OK)
        status = tr_json_get_boolean(json, accessor->value, "normalized", TR_JSON_OPTIONAL,
                                     &accessor->normalized, document->error);
    if (status != TR_OK)
        return status;
    accessor->count = (uint32_t)count;
    uint32_t size = (uint32_t)accessor->column_stride * accessor->columns;
    if (tr_json_kind_of(json, tr_json_member(json, accessor->value, "bufferView")) == TR_JSON_ABSENT)
        status = check_count(document, accessor);
    else
        status =
            find_data(document, accessor->value, accessor->count, size, &accessor->stride, &accessor->data);
    return status == TR_OK ? open_sparse(document, accessor, size) : status;
}

tr_status tr_gltf_open_accessor(gltf_document *document, uint32_t index, const gltf_accessor **accessor) {
    gltf_accessor *kept = &document->accessors[index];
    *accessor = kept;
    if (kept->value != TR_NONE)
        return TR_OK;
    gltf_accessor opened = {.value = tr_json_item(document->json, document->accessor_list, index)};
    tr_status status = open_accessor(document, &opened);
    if (status == TR_OK)
        *kept = opened;
    return status;
}

// The address of element `index`: among the sparse values or in the data; NULL: it is zero.
static const uint8_t *find_element(const gltf_accessor *accessor, uint32_t index) {
    uint32_t low = 0, high = accessor->sparse_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sparse_index(accessor, middle) < index)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < accessor->sparse_count && sparse_index(accessor, low) == index)
        return accessor->sparse_values + (size_t)low * accessor->column_stride * accessor->columns;
    return accessor->data ? accessor->data + (size_t)index * accessor->stride : NULL;
}

static double clamp_signed(double value) {
    return value < -1 ? -1 : value;
}

static double read_component(const uint8_t *at, uint32_t component, bool normalized) {
    uint32_t bits = 0;
    float single;
    switch (component) {
    case SIGNED_8:
        return normalized ? clamp_signed((int8_t)at[0] / 127.0) : (int8_t)at[0];
    case UNSIGNED_8:
        return normalized ? at[0] / 255.0 : at[0];
    case SIGNED_16: {
        int16_t value = (int16_t)(at[0] | at[1] << 8);
        return normalized ? clamp_signed(value / 32767.0) : value;
    }
    case UNSIGNED_16:
        bits = read_unsigned(at, UNSIGNED_16);
        return normalized ? bits / 65535.0 : bits;
    case UNSIGNED_32:
        bits = read_unsigned(at, UNSIGNED_32);
        return normalized ? bits / 4294967295.0 : bits;
    default:
        bits = read_unsigned(at, UNSIGNED_32);
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    }
}

void tr_gltf_read_numbers(const gltf_accessor *accessor, uint32_t index, double *numbers) {
    const uint8_t *element = find_element(accessor, index);
    uint32_t size = component_size(accessor->component);
    for (uint32_t column = 0; column < accessor->columns; column++)
        for (uint32_t row = 0; row < accessor->rows; row++, numbers++)
            *numbers = element ? read_component(element + column * accessor->column_stride + row * size,
                                                accessor->component, accessor->normalized)
                               : 0;
}

uint32_t tr_gltf_read_whole(const gltf_accessor *accessor, uint32_t index) {
    const uint8_t *element = find_element(accessor, index);
    return element ? read_unsigned(element, accessor->component) : 0;
}
