// The text of a BVH file, word by word.
#include "bvh_data.h"
#include "io/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void tr_bvh_count_oddity(bvh_oddity *oddity, uint32_t line) {
    if (oddity->count++ == 0)
        oddity->line = line;
}

tr_status tr_bvh_fail(const bvh_reader *reader, uint32_t line, const char *format, ...) {
    char sentence[sizeof reader->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    tr_fail(reader->error, TR_BAD_FILE, "%s", sentence);
    if (reader->error)
        reader->error->line = line;
    return TR_BAD_FILE;
}

tr_status tr_bvh_no_memory(const bvh_reader *reader) {
    return tr_fail(reader->error, TR_OUT_OF_MEMORY, "no memory to read a BVH file");
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_word_end(const bvh_reader *reader, const char *at) {
    return at == reader->end || is_blank(*at) || *at == '{' || *at == '}' || *at == ':';
}

// A carriage return followed by a line feed does not count as a separate line end.
void tr_bvh_skip_blanks(bvh_reader *reader) {
    for (; reader->at < reader->end && is_blank(*reader->at); reader->at++) {
        bool returns = *reader->at == '\r' && !(reader->at + 1 < reader->end && reader->at[1] == '\n');
        if (*reader->at == '\n' || returns)
            reader->line++;
    }
}

bvh_word tr_bvh_peek(bvh_reader *reader) {
    tr_bvh_skip_blanks(reader);
    const char *at = reader->at;
    if (at < reader->end && is_word_end(reader, at))
        at++;
    else
        while (!is_word_end(reader, at) && at - reader->at < 60)
            at++;
    bvh_word word = {reader->at, (uint32_t)(at - reader->at)};
    return word;
}

bvh_word tr_bvh_next(bvh_reader *reader) {
    bvh_word word = tr_bvh_peek(reader);
    reader->at += word.length;
    return word;
}

bool tr_bvh_is(bvh_word word, const char *keyword) {
    for (uint32_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (c != keyword[i])
            return false; // at the end of the keyword its 0 differs from any letter
    }
    return keyword[word.length] == 0;
}

static bool has_point(const char *text, const char *end) {
    for (; text < end; text++)
        if (*text == '.')
            return true;
    return false;
}

static bool is_digit(const bvh_reader *reader, const char *at) {
    return at < reader->end && *at >= '0' && *at <= '9';
}

// Some programs write a decimal comma ("1,25"), others a comma between numbers.
static const char *read_past_comma(const bvh_reader *reader, const char *comma, double *value) {
    if (has_point(reader->at, comma) || !is_digit(reader, comma + 1))
        return comma + 1;
    char text[64];
    const char *at = comma + 1;
    while (is_digit(reader, at) ||
           (at < reader->end && (*at == 'e' || *at == 'E' || *at == '-' || *at == '+')))
        at++;
    size_t length = (size_t)(at - reader->at), whole = (size_t)(comma - reader->at);
    const char *after;
    if (length >= sizeof text)
        return NULL;
    for (size_t i = 0; i < length; i++)
        text[i] = i == whole ? '.' : reader->at[i];
    if (!tr_number_read(text, text + length, &after, value) || after != text + length)
        return NULL;
    return at;
}

tr_status tr_bvh_number(bvh_reader *reader, const char *what, double most, double *value) {
    tr_bvh_skip_blanks(reader);
    const char *after = NULL;
    bool read = tr_number_read(reader->at, reader->end, &after, value);
    if (read && after < reader->end && *after == ',') {
        after = read_past_comma(reader, after, value);
        read = after != NULL;
    }
    if (!read || !is_word_end(reader, after)) {
        bvh_word word = tr_bvh_peek(reader);
        if (word.length == 0)
            return tr_bvh_fail(reader, reader->line, "the file ends, expected %s", what);
        return tr_bvh_fail(reader, reader->line, "%s is \"%.*s\", it must be a number", what,
                           (int)word.length, word.text);
    }
    if (!(fabs(*value) <= most))
        return tr_bvh_fail(reader, reader->line, "%s is %g, it must be within %g of 0", what, *value, most);
    reader->at = after;
    return TR_OK;
}
