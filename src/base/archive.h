// base/archive.h - converts numbers into bytes and back.
//
// For each struct, one function names the fields once and serves both directions: with a writer it stores the
// fields, with a reader it fills them in. So writing and reading cannot drift apart.
//
//   static void archive_door(tr_archive *archive, door *d) {
//       tr_archive_vec3(archive, &d->hinge);
//       tr_archive_float(archive, &d->angle);
//       tr_archive_bool(archive, &d->locked);
//   }
//
// Bytes are little-endian and without padding: the same on every machine. An archive allocates no memory.
#pragma once
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

// Owned by the caller. Start with tr_archive_write or tr_archive_read.
typedef struct tr_archive {
    uint8_t *into;       // the bytes to write to; NULL: it only counts
    const uint8_t *from; // the bytes to read from; NULL: it writes
    uint64_t size, at;   // number of bytes, and the current position
    tr_status status;    // TR_OK, or the first failure
    tr_error *error;     // receives the message and the place of the failure; may be NULL
} tr_archive;

// Starts an archive that writes at most `size` bytes. Beyond them it continues to count, so that `at` is the
// number of bytes needed: with NULL and 0 it only counts.
tr_archive tr_archive_write(void *bytes, uint64_t size);
// Starts an archive that reads. After the first failure (TR_BAD_FILE: the bytes end, or a number is out of
// its range) every value that is read is 0, and the first message is kept.
tr_archive tr_archive_read(const void *bytes, uint64_t size, tr_error *error);

static inline bool tr_archive_reads(const tr_archive *archive) {
    return archive->from != NULL;
}
static inline bool tr_archive_is_good(const tr_archive *archive) {
    return archive->status == TR_OK;
}

void tr_archive_u8(tr_archive *archive, uint8_t *value);
void tr_archive_u32(tr_archive *archive, uint32_t *value);
void tr_archive_u64(tr_archive *archive, uint64_t *value);
void tr_archive_bool(tr_archive *archive, bool *value);   // refuses bytes other than 0 and 1
void tr_archive_float(tr_archive *archive, float *value); // refuses NaN, accepts infinity
void tr_archive_double(tr_archive *archive, double *value);
void tr_archive_floats(tr_archive *archive, float *values, uint64_t count);
void tr_archive_doubles(tr_archive *archive, double *values, uint64_t count);
void tr_archive_bytes(tr_archive *archive, void *bytes, uint64_t count);
void tr_archive_vec2(tr_archive *archive, tr_vec2 *value);
void tr_archive_vec3(tr_archive *archive, tr_vec3 *value);
void tr_archive_quat(tr_archive *archive, tr_quat *value);
void tr_archive_affine(tr_archive *archive, tr_affine *value);
void tr_archive_transform(tr_archive *archive, tr_transform *value);
void tr_archive_box(tr_archive *archive, tr_box *value);

// One of `count` values, for enumerations: `d->kind = (door_kind)tr_archive_choice(archive, d->kind, KINDS)`.
// When reading, refuses a number that is too large and returns 0.
uint32_t tr_archive_choice(tr_archive *archive, uint32_t value, uint32_t count);
// The number of items that follow, at most `max`. When reading, also refuses a number larger than that of the
// bytes left, so that the memory for the items stays in proportion to the bytes; returns 0 if refused. `what`
// names the items in the message ("orders").
uint32_t tr_archive_count(tr_archive *archive, uint32_t count, uint32_t max, const char *what);
// When reading, refuses the bytes with this message (TR_BAD_FILE) if `holds` is false.
void tr_archive_check(tr_archive *archive, bool holds, const char *sentence);
// Fails the archive for another reason: no memory, or something in the program that does not match the bytes.
// The first failure is kept.
void tr_archive_fail(tr_archive *archive, tr_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
