#include "behavior_file_layout.h"

#include <string.h>

#define LINE 100 // characters that fit on a line
#define INDENT 4

// Goes over the compact text twice: first it only counts what it would write.
typedef struct layout {
    const char *from, *end;
    char *to; // NULL: count
    size_t size;
} layout;

static void put(layout *out, const char *text, size_t size) {
    if (out->to)
        memcpy(out->to + out->size, text, size);
    out->size += size;
}

static void break_line(layout *out, uint32_t depth) {
    put(out, "\n", 1);
    for (uint32_t i = 0; i < depth * INDENT; i++)
        put(out, " ", 1);
}

// The end of the text that begins with a quotation mark at `at`.
static const char *skip_text(const char *at) {
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

// Does the object or array that begins at `at` stay on one line: is it short, and without an object in it?
static bool is_short(const char *at) {
    const char *begin = at;
    uint32_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_text(at) - 1;
        } else if (*at == '{' || *at == '[') {
            if (depth > 0 && *at == '{')
                return false;
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        }
        at++;
    } while (depth > 0 && at - begin <= LINE);
    return depth == 0;
}

static void lay_out(layout *out) {
    uint32_t depth = 0, inline_depth = 0; // open levels, and how many of them are on one line
    for (const char *at = out->from; at < out->end && *at != '\n';) {
        if (*at == '"') {
            const char *end = skip_text(at);
            put(out, at, (size_t)(end - at));
            at = end;
            continue;
        }
        if (*at == '{' || *at == '[') {
            bool is_empty = at[1] == '}' || at[1] == ']';
            depth++;
            inline_depth += inline_depth > 0 || is_empty || is_short(at);
            put(out, at, 1);
            if (!inline_depth)
                break_line(out, depth);
        } else if (*at == '}' || *at == ']') {
            depth--;
            if (!inline_depth)
                break_line(out, depth);
            inline_depth -= inline_depth > 0;
            put(out, at, 1);
        } else {
            put(out, at, 1);
            if (*at == ',' && !inline_depth)
                break_line(out, depth);
            else if (*at == ',' || *at == ':')
                put(out, " ", 1);
        }
        at++;
    }
    put(out, "\n", 1);
}

tr_status tr_json_lay_out(const tr_bytes *compact, const tr_allocator *allocator, tr_bytes *text,
                          tr_error *error) {
    layout out = {(const char *)compact->data, (const char *)compact->data + compact->size, NULL, 0};
    *text = (tr_bytes){NULL, 0};
    lay_out(&out);
    tr_allocator memory = tr_allocator_or_default(allocator);
    text->data = tr_allocate(&memory, out.size, 1);
    if (!text->data)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a document of %zu bytes", out.size);
    text->size = out.size;
    out.to = (char *)text->data;
    out.size = 0;
    lay_out(&out);
    return TR_OK;
}
