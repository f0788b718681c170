// troupe/base/status.h - the result codes and error messages of all calls.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_status {
    TR_OK = 0,        // done
    TR_PARTIAL,       // the budget ran out; the result is usable, and calling again continues
    TR_DONE,          // nothing left to do
    TR_NOT_FOUND,     // a definite negative answer: no path, no such name
    TR_INVALID,       // an argument is out of its documented range; nothing was changed
    TR_OUT_OF_MEMORY, // the allocator returned no memory; nothing was changed
    TR_LIMIT,         // a documented limit would be exceeded; the error names it and both numbers
    TR_BAD_FILE,      // a file's content is wrong; the error says where and what
    TR_NO_FILE,       // a file cannot be opened, read or written
    TR_UNAVAILABLE    // this build or this machine lacks a feature (OpenGL, assimp, a format)
} tr_status;

// Filled on failure by calls that take one (NULL is always allowed). Owned by the caller; has no pointers.
typedef struct tr_error {
    tr_status status;
    uint32_t line;     // 1-based line of a text file, 0 if there is none
    uint64_t offset;   // byte offset in a binary file, 0 if there is none
    char file[256];    // the file's name, "" if there is no file; a name that is too long keeps its end
    char message[384]; // one sentence with the value that broke the rule
} tr_error;

// Returns "ok", "partial" and so on. Static storage.
TR_API const char *tr_status_name(tr_status status);

// Writes `error` as one line, "file:line: message", into `text` (at most `size` bytes, including the final
// 0). Returns `text`.
TR_API const char *tr_error_format(const tr_error *error, char *text, size_t size);

// Fills `error` (may be NULL) with a printf-style sentence and returns `status`, so that a check reads
// `return tr_fail(error, TR_INVALID, "radius is %g, it must be at least 0", radius);`
// Control characters in the sentence, except tabs and line ends, become question marks.
TR_API tr_status tr_fail(tr_error *error, tr_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// Sets the file name in an error that a reader filled. Does nothing for NULL.
TR_API void tr_error_set_file(tr_error *error, const char *file);

TR_END_DECLARATIONS
