#include "troupe/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tr_status_name(tr_status status) {
    switch (status) {
    case TR_OK:
        return "ok";
    case TR_PARTIAL:
        return "partial";
    case TR_DONE:
        return "done";
    case TR_NOT_FOUND:
        return "not found";
    case TR_INVALID:
        return "invalid";
    case TR_OUT_OF_MEMORY:
        return "out of memory";
    case TR_LIMIT:
        return "limit";
    case TR_BAD_FILE:
        return "bad file";
    case TR_NO_FILE:
        return "no file";
    case TR_UNAVAILABLE:
        return "unavailable";
    }
    return "unknown";
}

const char *tr_error_format(const tr_error *error, char *text, size_t size) {
    if (size == 0)
        return text;
    char place[64] = "";
    if (error->line)
        snprintf(place, sizeof place, ":%u", (unsigned)error->line);
    else if (error->offset)
        snprintf(place, sizeof place, ": byte %llu", (unsigned long long)error->offset);
    snprintf(text, size, "%s%s%s%s", error->file, place, error->file[0] || place[0] ? ": " : "",
             error->message);
    return text;
}

// A message may quote a file, and a file may contain control sequences for a terminal.
static void tame(char *text) {
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') || *text == 0x7f)
            *text = '?';
}

tr_status tr_fail(tr_error *error, tr_status status, const char *format, ...) {
    if (!error)
        return status;
    tr_error made = {.status = status}; // a copy, because an argument may point into the message of *error
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(made.message, sizeof made.message, format, arguments);
    va_end(arguments);
    tame(made.message);
    *error = made;
    return status;
}

void tr_error_set_file(tr_error *error, const char *file) {
    if (!error || !file)
        return;
    size_t length = strlen(file), room = sizeof error->file - 1;
    size_t left_out = length > room ? length - room : 0; // the end of a path says more than its beginning
    memmove(error->file, file + left_out, length - left_out + 1);
}
