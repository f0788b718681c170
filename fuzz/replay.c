// replay ROUNDS FILE...: run a fuzz target over the files as they are, then over ROUNDS changed copies of
// each. The changes come from a fixed seed: every run does the same. For compilers and machines without
// libFuzzer.
#include "target.h"
#include "troupe/base/random.h"
#include "troupe/io/file.h"

#include <string.h>

#define ROOM 65536

// Numbers that tend to break readers, as text and as bytes.
static const char *const words[] = {"-1", "0",    "4294967295", "4294967296", "1e999",    "nan",
                                    "\"", "[[[[", "]}",         "\\u",        "\xff\xff", "\0\0\0\0",
                                    "/",  "-0.0", "\\\n",       "2147483648"};

static size_t change_once(tr_random *random, uint8_t *data, size_t size, const uint8_t *other,
                          size_t other_size) {
    size_t at = size ? tr_random_below(random, (uint32_t)size) : 0;
    size_t length = 1 + tr_random_below(random, 16);
    switch (tr_random_below(random, 6)) {
    case 0: // another byte
        if (size)
            data[at] = (uint8_t)tr_random_bits(random);
        return size;
    case 1: // another bit
        if (size)
            data[at] ^= (uint8_t)(1u << tr_random_below(random, 8));
        return size;
    case 2: // a piece is missing
        length = length < size - at ? length : size - at;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 3: // a piece comes twice
        length = length < size - at ? length : size - at;
        if (size + length > ROOM)
            return size;
        memmove(data + at + length, data + at, size - at);
        return size + length;
    case 4: { // an odd word is put over what is there
        const char *word = words[tr_random_below(random, sizeof words / sizeof words[0])];
        length = strlen(word) ? strlen(word) : 4;
        if (at + length <= size)
            memcpy(data + at, word, length);
        return size;
    }
    default: // the end is that of another file
        length = other_size ? tr_random_below(random, (uint32_t)other_size) : 0;
        if (at + (other_size - length) > ROOM)
            return size;
        memcpy(data + at, other + length, other_size - length);
        return at + (other_size - length);
    }
}

static void run_changed(const tr_bytes *files, int count, int rounds) {
    static uint8_t changed[ROOM];
    tr_random random = tr_random_seed(2026);
    for (int i = 0; i < count; i++)
        for (int round = 0; round < rounds; round++) {
            const tr_bytes *other = &files[tr_random_below(&random, (uint32_t)count)];
            size_t size = files[i].size;
            memcpy(changed, files[i].data, size);
            for (uint32_t step = tr_random_below(&random, 5) + 1; step > 0; step--)
                size = change_once(&random, changed, size, other->data, other->size);
            uint8_t *exact =
                malloc(size ? size : 1); // of this very size: the sanitizer sees one byte too many
            TARGET_CHECK(exact);
            memcpy(exact, changed, size);
            LLVMFuzzerTestOneInput(exact, size);
            free(exact);
        }
}

int main(int argument_count, char **arguments) {
    int count = argument_count - 2;
    if (count < 1) {
        fprintf(stderr, "usage: replay ROUNDS FILE...\n");
        return 2;
    }
    tr_bytes *files = calloc((size_t)count, sizeof *files);
    TARGET_CHECK(files);
    for (int i = 0; i < count; i++) {
        tr_error error = {0};
        if (tr_file_read(NULL, arguments[i + 2], &files[i], &error) != TR_OK || files[i].size > ROOM / 2) {
            fprintf(stderr, "%s: %s\n", arguments[i + 2], error.message[0] ? error.message : "too large");
            return 2;
        }
        LLVMFuzzerTestOneInput(files[i].data, files[i].size);
    }
    int rounds = atoi(arguments[1]);
    run_changed(files, count, rounds);
    for (int i = 0; i < count; i++)
        tr_bytes_free(NULL, &files[i]);
    free(files);
    printf("%d files, %d changed copies of each: nothing broke\n", count, rounds);
    return 0;
}
