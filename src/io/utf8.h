// io/utf8.h - is this UTF-8? Used by the JSON reader and writer.
#pragma once
#include "troupe/base/api.h"

// How many bytes the character at `at` takes [1, 4]; 0 when [at, end) begins with no valid character
// (overlong forms, surrogates and numbers beyond U+10FFFF among them).
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

// Write `code` [0, 0x10ffff] and return how many bytes it took [1, 4].
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
