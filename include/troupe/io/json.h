// troupe/io/json.h - reads and writes JSON (RFC 8259).
//
// A text becomes a flat array of values that are referred to by number. Every value has its line and its
// path, so that an error can say `line 12: accessors[3].count is -1, it must be at least 1`. A document never
// changes after it is read: any number of threads may read it. Numbers are read and written the same in every
// locale.
#pragma once
#include "troupe/io/file.h"

TR_BEGIN_DECLARATIONS

#define TR_JSON_DEPTH_MAX 256                // nested arrays and objects
#define TR_JSON_SIZE_MAX ((uint64_t)1 << 30) // of a text [bytes]

typedef struct tr_json tr_json;

typedef enum tr_json_kind {
    TR_JSON_ABSENT, // the kind of a look-up that found nothing (TR_NONE)
    TR_JSON_NULL,
    TR_JSON_BOOLEAN,
    TR_JSON_NUMBER,
    TR_JSON_STRING,
    TR_JSON_ARRAY,
    TR_JSON_OBJECT
} tr_json_kind;

// Reads a whole text: strictly RFC 8259 in valid UTF-8 (a byte order mark is skipped; comments, trailing
// commas, NaN and numbers beyond the range of double are errors). A number becomes the nearest double.
// TR_BAD_FILE has the line, the offset and what was found. TR_LIMIT: beyond TR_JSON_DEPTH_MAX or
// TR_JSON_SIZE_MAX. The text is not needed afterwards.
TR_API tr_status tr_json_read(const tr_allocator *allocator, const void *text, size_t size, tr_json **json,
                              tr_error *error);
TR_API void tr_json_destroy(tr_json *json); // NULL is allowed

// Access to values. Each function accepts TR_NONE and values of any kind, for which it returns TR_NONE, 0 or
// "". If a key occurs more than once in an object, the last one counts, as in JavaScript.
TR_API uint32_t tr_json_root(const tr_json *json);
TR_API tr_json_kind tr_json_kind_of(const tr_json *json, uint32_t value);
TR_API uint32_t tr_json_count(const tr_json *json, uint32_t value); // of items or members
TR_API uint32_t tr_json_item(const tr_json *json, uint32_t array,
                             uint32_t index); // also member `index` of an object
TR_API uint32_t tr_json_member(const tr_json *json, uint32_t object, const char *key);
TR_API const char *tr_json_key(const tr_json *json,
                               uint32_t member); // "" if it is not a member of an object
TR_API double tr_json_number(const tr_json *json, uint32_t value);
TR_API bool tr_json_boolean(const tr_json *json, uint32_t value);
// Strings end with a 0 that is not counted in `length` (may be NULL). They may contain other zeros (\u0000).
TR_API const char *tr_json_text(const tr_json *json, uint32_t value, size_t *length);
TR_API uint32_t tr_json_line(const tr_json *json,
                             uint32_t value); // line where it begins, from 1; 0 for TR_NONE
TR_API uint64_t tr_json_offset(const tr_json *json, uint32_t value); // where it begins [bytes]
// Writes "accessors[3].count" into `text` (at most `size` bytes with the final 0; a path that is too long is
// cut at its end), or "the document" for the root. Returns `text`.
TR_API const char *tr_json_path(const tr_json *json, uint32_t value, char *text, size_t size);

// Fills `error` (may be NULL) with the line, the offset and the sentence "PATH " + the formatted text, and
// returns TR_BAD_FILE: `return tr_json_fail(json, value, error, "is %g, it must be at least 0", radius);`
TR_API tr_status tr_json_fail(const tr_json *json, uint32_t value, tr_error *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

// Typed members of an object. A member that is missing (or null) leaves the result unchanged, so set the
// default first; with TR_JSON_REQUIRED it is an error. A member of the wrong kind or out of range is always
// an error. Errors are TR_BAD_FILE with line, path and value.
typedef enum tr_json_need { TR_JSON_OPTIONAL, TR_JSON_REQUIRED } tr_json_need;
TR_API tr_status tr_json_get_number(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                    double low, double high, double *number, tr_error *error);
TR_API tr_status tr_json_get_integer(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                     int64_t low, int64_t high, int64_t *integer, tr_error *error);
TR_API tr_status tr_json_get_boolean(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                     bool *boolean, tr_error *error);
// A string that contains a zero character is an error here. The text lives as long as the document.
TR_API tr_status tr_json_get_text(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                  const char **text, tr_error *error);
TR_API tr_status tr_json_get_array(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                   uint32_t *array, tr_error *error);
TR_API tr_status tr_json_get_object(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                    uint32_t *member, tr_error *error);
// Reads an array of exactly `count` numbers: a vector, a matrix.
TR_API tr_status tr_json_get_numbers(const tr_json *json, uint32_t object, const char *key, tr_json_need need,
                                     double *numbers, uint32_t count, tr_error *error);

// Writes one document, piece by piece, into memory. The fields are private to tr_json_write_*. A mistake (a
// value without its key, too many levels, no memory) is remembered and reported by tr_json_writer_finish, so
// the calls need no checks.
typedef struct tr_json_writer {
    tr_allocator allocator;
    char *text;
    uint32_t size, capacity;
    tr_status status;
    uint32_t depth;
    bool has_value, has_key;         // this level already has a value; a key waits for its value
    char closing[TR_JSON_DEPTH_MAX]; // '}' or ']' for each open level
} tr_json_writer;

TR_API tr_json_writer tr_json_writer_begin(const tr_allocator *allocator);
TR_API void tr_json_write_object(tr_json_writer *writer); // opens one: members follow, each after its key
TR_API void tr_json_write_array(tr_json_writer *writer);  // opens one
TR_API void tr_json_write_end(tr_json_writer *writer);    // closes the innermost object or array
TR_API void tr_json_write_key(tr_json_writer *writer, const char *key);
TR_API void tr_json_write_text(tr_json_writer *writer,
                               const char *text); // bytes that are not UTF-8 become U+FFFD
// Writes the shortest decimal that reads back the same; null for NaN and infinity.
TR_API void tr_json_write_number(tr_json_writer *writer, double number);
TR_API void tr_json_write_float(tr_json_writer *writer, float number);
TR_API void tr_json_write_integer(tr_json_writer *writer, int64_t integer);
TR_API void tr_json_write_boolean(tr_json_writer *writer, bool boolean);
TR_API void tr_json_write_null(tr_json_writer *writer);
// Hands what was written since the last call to `take`, which must not keep `text`, and forgets it: a long
// document can be printed while it grows. After a mistake `take` is not called.
TR_API void tr_json_writer_drain(tr_json_writer *writer,
                                 void (*take)(void *user, const char *text, size_t size), void *user);
// Returns the finished document, or what was not drained of it, followed by a line feed; free it with
// tr_bytes_free. The writer holds no memory afterwards, whatever the status. TR_INVALID: the document is
// incomplete or was put together wrongly. TR_OUT_OF_MEMORY. TR_LIMIT: beyond TR_JSON_SIZE_MAX or
// TR_JSON_DEPTH_MAX.
TR_API tr_status tr_json_writer_finish(tr_json_writer *writer, tr_bytes *text, tr_error *error);

TR_END_DECLARATIONS
