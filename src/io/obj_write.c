#include "troupe/io/obj.h"
#include "number.h"

#include <stdio.h>
#include <string.h>

typedef struct obj_text {
    tr_allocator allocator;
    char *text;
    uint32_t size, capacity;
    tr_status status;
} obj_text;

// Makes room for `size` more bytes and returns where they go; NULL: no memory.
static char *extend(obj_text *out, size_t size) {
    uint64_t needed = (uint64_t)out->size + size;
    if (out->status == TR_OK && needed >= UINT32_MAX)
        out->status = TR_LIMIT;
    if (out->status == TR_OK && !tr_reserve(&out->allocator, (void **)&out->text, &out->capacity, needed, 1))
        out->status = TR_OUT_OF_MEMORY;
    return out->status == TR_OK ? out->text + out->size : NULL;
}

static void write_vertex(obj_text *out, tr_vec3 p) {
    char *at = extend(out, 3 * TR_NUMBER_TEXT + 4), *begin = at;
    if (!at)
        return;
    *at++ = 'v';
    const float coordinates[3] = {p.x, p.y, p.z};
    for (int axis = 0; axis < 3; axis++) {
        *at++ = ' ';
        at += tr_number_write_float(coordinates[axis], at);
    }
    *at++ = '\n';
    out->size += (uint32_t)(at - begin);
}

static char *write_whole(char *at, uint64_t number) {
    char reversed[20];
    int count = 0;
    do
        reversed[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0)
        *at++ = reversed[--count];
    return at;
}

static void write_triangle(obj_text *out, const uint32_t *corners, uint64_t first_vertex) {
    char *at = extend(out, 70), *begin = at;
    if (!at)
        return;
    *at++ = 'f';
    for (int i = 0; i < 3; i++) {
        *at++ = ' ';
        at = write_whole(at, first_vertex + corners[i]);
    }
    *at++ = '\n';
    out->size += (uint32_t)(at - begin);
}

// A name must stay on its line: control characters become '_', and so do blanks and a backslash at the ends,
// which readers trim or treat as a joined line.
static void write_name(obj_text *out, const char *name, uint32_t object) {
    char numbered[32];
    if (!name[0]) {
        snprintf(numbered, sizeof numbered, "object_%u", object);
        name = numbered;
    }
    size_t length = strlen(name);
    char *at = extend(out, length + 3);
    if (!at)
        return;
    *at++ = 'o';
    *at++ = ' ';
    for (size_t i = 0; i < length; i++) {
        bool at_end = i == 0 || i + 1 == length;
        bool odd = (unsigned char)name[i] < 0x20 || (at_end && (name[i] == ' ' || name[i] == '\\'));
        *at++ = odd ? '_' : name[i];
    }
    *at = '\n';
    out->size += (uint32_t)length + 3;
}

static uint64_t write_object(obj_text *out, const tr_scene *scene, uint32_t number, uint64_t first_vertex) {
    tr_object_view object = tr_scene_object(scene, number);
    if (object.removed || object.mesh == TR_NONE)
        return first_vertex;
    tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
    write_name(out, object.name, number);
    for (uint32_t i = 0; i < mesh.position_count && out->status == TR_OK; i++)
        write_vertex(out, tr_affine_apply(&object.placement, mesh.positions[i]));
    for (uint32_t i = 0; i < mesh.triangle_count && out->status == TR_OK; i++)
        write_triangle(out, mesh.indices + (size_t)i * 3, first_vertex);
    return first_vertex + mesh.position_count;
}

tr_status tr_obj_write(const tr_allocator *allocator, const tr_scene *scene, tr_bytes *text,
                       tr_error *error) {
    text->data = NULL;
    text->size = 0;
    obj_text out = {.allocator = tr_allocator_or_default(allocator)};
    uint64_t first_vertex = 1;
    for (uint32_t i = 0; i < tr_scene_object_count(scene) && out.status == TR_OK; i++)
        first_vertex = write_object(&out, scene, i, first_vertex);
    // tr_bytes_free() knows only the size, so the block must have exactly that; an empty one has 1 byte.
    size_t exact_size = out.size ? out.size : 1;
    if (out.status == TR_OK) {
        void *exact = out.allocator.resize(out.allocator.user, out.text, out.capacity, exact_size);
        if (exact) {
            text->data = exact;
            text->size = out.size;
            return TR_OK;
        }
        out.status = TR_OUT_OF_MEMORY;
    }
    tr_release(&out.allocator, out.text, out.capacity, 1);
    return tr_fail(error, out.status,
                   out.status == TR_LIMIT ? "the scene takes more than 4 GiB as OBJ text"
                                          : "no memory for the OBJ text");
}
