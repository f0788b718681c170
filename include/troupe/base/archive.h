// troupe/base/archive.h - numbers into bytes and back.
//
// One function for each struct names its fields once and serves both ways: with a writer it stores them, with
// a reader it fills them in. So what is written and what is read cannot drift apart.
//
//   static void archive_door(tr_archive *archive, door *d) {
//       tr_archive_vec3(archive, &d->hinge);
//       tr_archive_float(archive, &d->angle);
//       tr_archive_bool(archive, &d->locked);
//   }
//
// Bytes are little-endian and without padding: the same on every machine. An archive needs no memory.
#pragma once
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// The caller's. Begin with tr_archive_write or tr_archive_read.
typedef struct tr_archive {
    uint8_t *into;       // where it writes; NULL: it only counts
    const uint8_t *from; // where it reads; NULL: it writes
    uint64_t size, at;   // of the bytes, and how far it is
    tr_status status;    // TR_OK, or what went wrong first
    tr_error *error;     // gets the sentence, and the place of what is wrong; may be NULL
} tr_archive;

// Write at most `size` bytes. Beyond them it goes on counting, so that `at` is how many are needed: with NULL
// and 0 it only counts.
TR_API tr_archive tr_archive_write(void *bytes, uint64_t size);
// Read. After anything went wrong (TR_BAD_FILE: the bytes end, or a number is out of its range) all that is
// read is 0, and the first sentence stays.
TR_API tr_archive tr_archive_read(const void *bytes, uint64_t size, tr_error *error);

static inline bool tr_archive_reads(const tr_archive *archive) {
    return archive->from != NULL;
}
static inline bool tr_archive_is_good(const tr_archive *archive) {
    return archive->status == TR_OK;
}

TR_API void tr_archive_u8(tr_archive *archive, uint8_t *value);
TR_API void tr_archive_u32(tr_archive *archive, uint32_t *value);
TR_API void tr_archive_u64(tr_archive *archive, uint64_t *value);
TR_API void tr_archive_bool(tr_archive *archive, bool *value);   // another byte than 0 and 1 is refused
TR_API void tr_archive_float(tr_archive *archive, float *value); // NaN is refused, infinity is not
TR_API void tr_archive_double(tr_archive *archive, double *value);
TR_API void tr_archive_floats(tr_archive *archive, float *values, uint64_t count);
TR_API void tr_archive_doubles(tr_archive *archive, double *values, uint64_t count);
TR_API void tr_archive_bytes(tr_archive *archive, void *bytes, uint64_t count);
TR_API void tr_archive_vec2(tr_archive *archive, tr_vec2 *value);
TR_API void tr_archive_vec3(tr_archive *archive, tr_vec3 *value);
TR_API void tr_archive_quat(tr_archive *archive, tr_quat *value);
TR_API void tr_archive_affine(tr_archive *archive, tr_affine *value);
TR_API void tr_archive_transform(tr_archive *archive, tr_transform *value);
TR_API void tr_archive_box(tr_archive *archive, tr_box *value);

// One of `count` things, for enumerations: `d->kind = (door_kind)tr_archive_choice(archive, d->kind, KINDS)`.
// Reading: a number that is too large is refused, and the answer is 0.
TR_API uint32_t tr_archive_choice(tr_archive *archive, uint32_t value, uint32_t count);
// How many items follow, at most `max` of them. Reading: also no more than there are bytes left, so that
// memory for them is in proportion; 0 when refused. `what` is for the sentence ("orders").
TR_API uint32_t tr_archive_count(tr_archive *archive, uint32_t count, uint32_t max, const char *what);
// While reading: where `holds` is false the bytes are refused with this sentence (TR_BAD_FILE).
TR_API void tr_archive_check(tr_archive *archive, bool holds, const char *sentence);
// Refuse what follows for another reason: memory, or something in the program that does not fit the bytes.
// The first failure stays.
TR_API void tr_archive_fail(tr_archive *archive, tr_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

TR_END_DECLARATIONS
