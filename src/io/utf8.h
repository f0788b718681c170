// io/utf8.h - UTF-8 validation and encoding for the JSON reader and writer.
#pragma once
#include "troupe/base/api.h"

// The length of the character at `at` in bytes [1, 4]; 0 if [at, end) does not begin with a valid character
// (overlong forms, surrogates and numbers beyond U+10FFFF are invalid).
static inline unsigned tr_utf8_length(const uint8_t *at, const uint8_t *end) {
    size_t room = (size_t)(end - at);
    if (room == 0)
        return 0;
    if (at[0] < 0x80)
        return 1;
    unsigned length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4 || room < length)
        return 0;
    for (unsigned i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    bool surrogate = at[0] == 0xed && at[1] >= 0xa0;
    bool beyond = at[0] == 0xf4 && at[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

// Writes `code` [0, 0x10ffff] and returns the number of bytes [1, 4].
static inline unsigned tr_utf8_write(uint8_t *at, uint32_t code) {
    if (code < 0x80) {
        at[0] = (uint8_t)code;
        return 1;
    }
    unsigned length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (unsigned i = length - 1; i > 0; i--, code >>= 6)
        at[i] = (uint8_t)(0x80 | (code & 0x3f));
    at[0] = (uint8_t)(lead[length] | code);
    return length;
}
