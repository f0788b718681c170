#include "mesh.h"

#include "troupe/base/hash.h"

#include <string.h>

static tr_status check_def(const tr_mesh_def *def, tr_error *error) {
    const char *name = def->name ? def->name : "";
    if (def->triangle_count > UINT32_MAX / 3)
        return tr_fail(error, TR_LIMIT, "mesh \"%s\" has %u triangles, the maximum is %u", name,
                       def->triangle_count, UINT32_MAX / 3);
    for (uint32_t i = 0; i < def->position_count; i++) {
        tr_vec3 p = def->positions[i];
        if (!(fabsf(p.x) <= TR_SCENE_EXTENT_MAX && fabsf(p.y) <= TR_SCENE_EXTENT_MAX &&
              fabsf(p.z) <= TR_SCENE_EXTENT_MAX))
            return tr_fail(error, TR_INVALID,
                           "vertex %u of mesh \"%s\" is (%g, %g, %g): not finite, or beyond %g m", i, name,
                           p.x, p.y, p.z, TR_SCENE_EXTENT_MAX);
    }
    for (uint32_t i = 0; i < def->triangle_count * 3; i++)
        if (def->indices[i] >= def->position_count)
            return tr_fail(error, TR_INVALID,
                           "triangle %u of mesh \"%s\" uses vertex %u, but there are only %u", i / 3, name,
                           def->indices[i], def->position_count);
    return TR_OK;
}

// The difference of two floats is exact when neither is more than twice the other (Sterbenz), and so is the
// difference from 0.
static void choose_on_axis(float low, float high, float *centre, float *half) {
    float middle = low / 2 + high / 2, reach = high / 2 - low / 2;
    *centre = reach <= fabsf(middle) / 3 ? middle : 0;
    *half = fmaxf(high - *centre, *centre - low);
}

void tr_mesh_choose_centre(tr_box bounds, tr_vec3 *centre, tr_vec3 *half) {
    choose_on_axis(bounds.min.x, bounds.max.x, &centre->x, &half->x);
    choose_on_axis(bounds.min.y, bounds.max.y, &centre->y, &half->y);
    choose_on_axis(bounds.min.z, bounds.max.z, &centre->z, &half->z);
}

// One triangle to be sorted: its key and its number.
typedef struct sort_entry {
    uint32_t key, triangle;
} sort_entry;

static uint32_t spread_bits(uint32_t value) { // spreads 10 bits to every third of 30
    value = (value | (value << 16)) & 0x030000ffu;
    value = (value | (value << 8)) & 0x0300f00fu;
    value = (value | (value << 4)) & 0x030c30c3u;
    return (value | (value << 2)) & 0x09249249u;
}

static uint32_t quantize(float value, float low, float scale) {
    float q = (value - low) * scale;
    return !(q > 0) ? 0 : q >= 1023 ? 1023 : (uint32_t)q; // NaN too: a mesh too small to scale
}

// Twice the area of a triangle seen from above.
static float area_from_above(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    return fabsf((b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z));
}

// Triangles that set many cells at once come first, then long ones, which are often the sides of the former.
static uint32_t rank_of(float area, float extent, float longest) {
    if (area > longest * longest / 64)
        return 0;
    return extent > longest / 2 ? 1 : extent > longest / 16 ? 2 : 3;
}

// Large triangles first, then along a Z-order curve in which height counts little: the fewer cells a block
// covers, the more often they are all set already and the block can be skipped.
static void make_keys(const tr_mesh *mesh, sort_entry *entries) {
    tr_vec3 low = mesh->bounds.min;
    tr_vec3 whole = tr_vec3_subtract(mesh->bounds.max, low);
    float longest = fmaxf(whole.x, fmaxf(whole.y, whole.z));
    float scale = longest > 0 ? 1024 / longest : 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        tr_vec3 corner[3];
        tr_box box = tr_box_empty();
        for (int k = 0; k < 3; k++) {
            corner[k] = mesh->positions[mesh->indices[3 * i + k]];
            box = tr_box_include(box, corner[k]);
        }
        tr_vec3 size = tr_vec3_subtract(box.max, box.min);
        uint32_t rank =
            rank_of(area_from_above(corner[0], corner[1], corner[2]), fmaxf(size.x, size.z), longest);
        uint32_t curve = spread_bits(quantize((box.min.x + box.max.x) / 2, low.x, scale)) |
                         spread_bits(quantize((box.min.y + box.max.y) / 2, low.y, scale / 16)) << 1 |
                         spread_bits(quantize((box.min.z + box.max.z) / 2, low.z, scale)) << 2;
        entries[i].key = rank << 30 | curve;
        entries[i].triangle = i;
    }
}

// Radix sort by 11 bits at a time: linear for any input, and stable, so the order is the same everywhere.
static void sort_entries(sort_entry *entries, sort_entry *other, uint32_t count) {
    for (int pass = 0; pass < 3; pass++) {
        uint32_t starts[2049] = {0};
        int shift = pass * 11;
        for (uint32_t i = 0; i < count; i++)
            starts[(entries[i].key >> shift & 2047) + 1]++;
        for (int digit = 0; digit < 2048; digit++)
            starts[digit + 1] += starts[digit];
        for (uint32_t i = 0; i < count; i++)
            other[starts[entries[i].key >> shift & 2047]++] = entries[i];
        sort_entry *swap = entries;
        entries = other;
        other = swap;
    }
}

static void fill_block(tr_mesh *mesh, uint32_t number, const sort_entry *entries) {
    mesh_block *block = &mesh->blocks[number];
    tr_box box = tr_box_empty();
    for (uint32_t lane = 0; lane < MESH_BLOCK; lane++) {
        uint32_t place = number * MESH_BLOCK + lane;
        if (place >= mesh->triangle_count)
            place = mesh->triangle_count - 1;
        uint32_t triangle = entries[place].triangle;
        for (int k = 0; k < 3; k++) {
            tr_vec3 p = tr_vec3_subtract(mesh->positions[mesh->indices[3 * triangle + k]], mesh->centre);
            block->corner[3 * k][lane] = p.x;
            block->corner[3 * k + 1][lane] = p.y;
            block->corner[3 * k + 2][lane] = p.z;
            box = tr_box_include(box, p);
        }
    }
    float *bounds = mesh->block_bounds + number;
    uint32_t stride = mesh->block_stride;
    bounds[0] = (box.min.x + box.max.x) / 2;
    bounds[stride] = (box.min.y + box.max.y) / 2;
    bounds[2 * stride] = (box.min.z + box.max.z) / 2;
    bounds[3 * stride] = (box.max.x - box.min.x) / 2;
    bounds[4 * stride] = (box.max.y - box.min.y) / 2;
    bounds[5 * stride] = (box.max.z - box.min.z) / 2;
}

static bool build_blocks(const tr_allocator *allocator, tr_mesh *mesh) {
    uint32_t count = mesh->triangle_count;
    mesh->block_count = (count + MESH_BLOCK - 1) / MESH_BLOCK;
    mesh->block_stride = (mesh->block_count + MESH_STRIDE - 1) / MESH_STRIDE * MESH_STRIDE;
    mesh->blocks = tr_allocate(allocator, mesh->block_count, sizeof *mesh->blocks);
    mesh->block_bounds =
        tr_allocate_zero(allocator, 6 * (size_t)mesh->block_stride, sizeof *mesh->block_bounds);
    sort_entry *entries = tr_allocate(allocator, 2 * (size_t)count, sizeof *entries);
    bool enough = mesh->blocks && mesh->block_bounds && entries;
    if (enough) {
        make_keys(mesh, entries);
        sort_entries(entries, entries + count, count); // three passes end in the second half
        for (uint32_t number = 0; number < mesh->block_count; number++)
            fill_block(mesh, number, entries + count);
    }
    tr_release(allocator, entries, 2 * (size_t)count, sizeof *entries);
    return enough;
}

static bool copy_def(const tr_allocator *allocator, const tr_mesh_def *def, tr_mesh *made) {
    made->position_count = def->position_count;
    made->triangle_count = def->triangle_count;
    made->positions = tr_allocate(allocator, def->position_count, sizeof *made->positions);
    made->indices = tr_allocate(allocator, 3 * (size_t)def->triangle_count, sizeof *made->indices);
    if (!made->positions || !made->indices)
        return false;
    if (def->position_count)
        memcpy(made->positions, def->positions, def->position_count * sizeof *made->positions);
    if (def->triangle_count)
        memcpy(made->indices, def->indices, 3 * (size_t)def->triangle_count * sizeof *made->indices);
    if (def->name) {
        made->name = tr_allocate(allocator, strlen(def->name) + 1, 1);
        if (!made->name)
            return false;
        memcpy(made->name, def->name, strlen(def->name) + 1);
    }
    return true;
}

// FNV-1a over words of four bytes instead of one: a large mesh is hashed as fast as it is copied.
static uint64_t hash_words(uint64_t hash, const void *words, size_t count) {
    const unsigned char *bytes = words;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + 4 * i, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t fingerprint_of(const tr_mesh *mesh) {
    uint64_t hash = tr_hash(TR_HASH_START, &mesh->position_count, sizeof mesh->position_count);
    hash = hash_words(hash, mesh->positions, 3 * (size_t)mesh->position_count);
    return hash_words(hash, mesh->indices, 3 * (size_t)mesh->triangle_count);
}

tr_status tr_mesh_create(const tr_allocator *allocator, const tr_mesh_def *def, tr_mesh *made,
                         tr_error *error) {
    memset(made, 0, sizeof *made);
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    bool enough = copy_def(allocator, def, made);
    made->bounds = tr_box_empty();
    if (enough && made->triangle_count) {
        for (uint32_t i = 0; i < made->triangle_count * 3; i++)
            made->bounds = tr_box_include(made->bounds, made->positions[made->indices[i]]);
        tr_mesh_choose_centre(made->bounds, &made->centre, &made->half);
        enough = build_blocks(allocator, made);
    }
    if (enough) {
        made->fingerprint = fingerprint_of(made);
        return TR_OK;
    }
    tr_mesh_destroy(allocator, made);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for mesh \"%s\" of %u triangles",
                   def->name ? def->name : "", def->triangle_count);
}

void tr_mesh_destroy(const tr_allocator *allocator, tr_mesh *mesh) {
    if (mesh->name)
        tr_release(allocator, mesh->name, strlen(mesh->name) + 1, 1);
    tr_release(allocator, mesh->positions, mesh->position_count, sizeof *mesh->positions);
    tr_release(allocator, mesh->indices, 3 * (size_t)mesh->triangle_count, sizeof *mesh->indices);
    tr_release(allocator, mesh->blocks, mesh->block_count, sizeof *mesh->blocks);
    tr_release(allocator, mesh->block_bounds, 6 * (size_t)mesh->block_stride, sizeof *mesh->block_bounds);
    memset(mesh, 0, sizeof *mesh);
}

uint64_t tr_mesh_bytes(const tr_mesh *mesh) {
    return sizeof *mesh + (mesh->name ? strlen(mesh->name) + 1 : 0) +
           (uint64_t)mesh->position_count * sizeof *mesh->positions +
           3 * (uint64_t)mesh->triangle_count * sizeof *mesh->indices +
           (uint64_t)mesh->block_count * sizeof *mesh->blocks +
           6 * (uint64_t)mesh->block_stride * sizeof *mesh->block_bounds;
}
