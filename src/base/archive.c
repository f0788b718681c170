#include "base/archive.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tr_archive tr_archive_write(void *bytes, uint64_t size) {
    tr_archive archive = {.into = bytes, .size = bytes ? size : 0};
    return archive;
}

tr_archive tr_archive_read(const void *bytes, uint64_t size, tr_error *error) {
    static const uint8_t nothing;
    tr_archive archive = {.from = bytes ? bytes : &nothing, .size = bytes ? size : 0, .error = error};
    return archive;
}

void tr_archive_fail(tr_archive *archive, tr_status status, const char *format, ...) {
    if (archive->status != TR_OK)
        return;
    char sentence[sizeof archive->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    archive->status = tr_fail(archive->error, status, "%s", sentence);
    if (archive->error && status == TR_BAD_FILE)
        archive->error->offset = archive->at;
}

// Advances by `count` bytes; *at is where they begin. false: no bytes may be copied.
static bool pass(tr_archive *archive, uint64_t count, uint64_t *at) {
    *at = archive->at;
    if (archive->from) {
        if (archive->status == TR_OK && count > archive->size - archive->at)
            tr_archive_fail(archive, TR_BAD_FILE, "unexpected end of data after %llu bytes",
                            (unsigned long long)archive->size);
        if (archive->status != TR_OK)
            return false;
        archive->at += count;
        return true;
    }
    archive->at += count;
    return archive->at <= archive->size && archive->into;
}

// Little-endian on every machine. Compilers turn this into one load or store on little-endian machines.
static uint32_t get_u32(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_u32(uint8_t *b, uint32_t value) {
    b[0] = (uint8_t)value;
    b[1] = (uint8_t)(value >> 8);
    b[2] = (uint8_t)(value >> 16);
    b[3] = (uint8_t)(value >> 24);
}

// When reading, *value may be uninitialised: only writing looks at it.
void tr_archive_u8(tr_archive *archive, uint8_t *value) {
    uint64_t at;
    bool moves = pass(archive, 1, &at);
    if (archive->from)
        *value = moves ? archive->from[at] : 0;
    else if (moves)
        archive->into[at] = *value;
}

void tr_archive_u32(tr_archive *archive, uint32_t *value) {
    uint64_t at;
    bool moves = pass(archive, 4, &at);
    if (archive->from)
        *value = moves ? get_u32(archive->from + at) : 0;
    else if (moves)
        put_u32(archive->into + at, *value);
}

void tr_archive_u64(tr_archive *archive, uint64_t *value) {
    uint64_t at;
    bool moves = pass(archive, 8, &at);
    if (archive->from) {
        *value = moves ? get_u32(archive->from + at) | (uint64_t)get_u32(archive->from + at + 4) << 32 : 0;
    } else if (moves) {
        put_u32(archive->into + at, (uint32_t)*value);
        put_u32(archive->into + at + 4, (uint32_t)(*value >> 32));
    }
}

void tr_archive_bool(tr_archive *archive, bool *value) {
    uint8_t byte = 0;
    if (!archive->from)
        byte = *value;
    tr_archive_u8(archive, &byte);
    tr_archive_check(archive, byte <= 1, "a boolean is neither 0 nor 1");
    if (archive->from)
        *value = byte == 1;
}

void tr_archive_floats(tr_archive *archive, float *values, uint64_t count) {
    uint64_t at;
    bool moves = pass(archive, 4 * count, &at), none = false;
    for (uint64_t i = 0; i < count && (moves || archive->from); i++) {
        uint32_t bits = 0;
        if (!archive->from) {
            memcpy(&bits, &values[i], sizeof bits);
            put_u32(archive->into + at + 4 * i, bits);
            continue;
        }
        bits = moves ? get_u32(archive->from + at + 4 * i) : 0;
        memcpy(&values[i], &bits, sizeof bits);
        none |= isnan(values[i]) != 0;
        values[i] = isnan(values[i]) ? 0 : values[i];
    }
    tr_archive_check(archive, !none, "a number is NaN");
}

void tr_archive_float(tr_archive *archive, float *value) {
    tr_archive_floats(archive, value, 1);
}

void tr_archive_double(tr_archive *archive, double *value) {
    uint64_t bits = 0;
    if (!archive->from)
        memcpy(&bits, value, sizeof bits);
    tr_archive_u64(archive, &bits);
    if (!archive->from)
        return;
    memcpy(value, &bits, sizeof bits);
    tr_archive_check(archive, !isnan(*value), "a number is NaN");
    *value = isnan(*value) ? 0 : *value;
}

void tr_archive_doubles(tr_archive *archive, double *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        tr_archive_double(archive, &values[i]);
}

void tr_archive_bytes(tr_archive *archive, void *bytes, uint64_t count) {
    uint64_t at;
    bool moves = pass(archive, count, &at);
    if (count == 0)
        return;
    if (archive->from && moves)
        memcpy(bytes, archive->from + at, count);
    else if (archive->from)
        memset(bytes, 0, count);
    else if (moves)
        memcpy(archive->into + at, bytes, count);
}

void tr_archive_vec2(tr_archive *archive, tr_vec2 *value) {
    float numbers[2] = {value->x, value->z};
    tr_archive_floats(archive, numbers, 2);
    if (archive->from)
        *value = (tr_vec2){numbers[0], numbers[1]};
}

void tr_archive_vec3(tr_archive *archive, tr_vec3 *value) {
    float numbers[3] = {value->x, value->y, value->z};
    tr_archive_floats(archive, numbers, 3);
    if (archive->from)
        *value = (tr_vec3){numbers[0], numbers[1], numbers[2]};
}

void tr_archive_quat(tr_archive *archive, tr_quat *value) {
    float numbers[4] = {value->x, value->y, value->z, value->w};
    tr_archive_floats(archive, numbers, 4);
    if (archive->from)
        *value = (tr_quat){numbers[0], numbers[1], numbers[2], numbers[3]};
}

void tr_archive_affine(tr_archive *archive, tr_affine *value) {
    for (int row = 0; row < 3; row++)
        tr_archive_floats(archive, value->m[row], 4);
}

void tr_archive_transform(tr_archive *archive, tr_transform *value) {
    tr_archive_vec3(archive, &value->position);
    tr_archive_quat(archive, &value->rotation);
    tr_archive_vec3(archive, &value->scale);
}

void tr_archive_box(tr_archive *archive, tr_box *value) {
    tr_archive_vec3(archive, &value->min);
    tr_archive_vec3(archive, &value->max);
}

uint32_t tr_archive_choice(tr_archive *archive, uint32_t value, uint32_t count) {
    tr_archive_u32(archive, &value);
    if (!archive->from || value < count)
        return value;
    tr_archive_fail(archive, TR_BAD_FILE, "choice %u is out of range, there are %u choices", value, count);
    return 0;
}

uint32_t tr_archive_count(tr_archive *archive, uint32_t count, uint32_t max, const char *what) {
    tr_archive_u32(archive, &count);
    if (!archive->from || (count <= max && count <= archive->size - archive->at))
        return count;
    tr_archive_fail(archive, TR_BAD_FILE, "%u %s are too many, with %llu bytes left and a maximum of %u",
                    count, what, (unsigned long long)(archive->size - archive->at), max);
    return 0;
}

void tr_archive_check(tr_archive *archive, bool holds, const char *sentence) {
    if (archive->from && !holds)
        tr_archive_fail(archive, TR_BAD_FILE, "%s", sentence);
}
