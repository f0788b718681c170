#include "test.h"
#include "troupe/base/hash.h"

#include <string.h>

static uint64_t hash_of(const char *text) {
    return tr_hash(TR_HASH_START, text, strlen(text));
}

// Published with FNV-1a, 64 bits.
TEST(known_texts_have_their_known_hashes) {
    CHECK_HASH(hash_of(""), 0xcbf29ce484222325u);
    CHECK_HASH(hash_of("a"), 0xaf63dc4c8601ec8cu);
    CHECK_HASH(hash_of("foobar"), 0x85944171f73967e8u);
}

TEST(a_hash_goes_on_where_it_stopped) {
    uint64_t whole = hash_of("in two pieces");
    uint64_t pieces = tr_hash(tr_hash(TR_HASH_START, "in two ", 7), "pieces", 6);
    CHECK_HASH(pieces, whole);
}

TEST(no_bytes_leave_the_hash_as_it_is) {
    CHECK_HASH(tr_hash(12345, NULL, 0), 12345);
}

TEST(one_bit_changes_the_hash) {
    unsigned char bytes[64] = {0};
    uint64_t zero = tr_hash(TR_HASH_START, bytes, sizeof bytes);
    for (int bit = 0; bit < 512; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
        CHECK(tr_hash(TR_HASH_START, bytes, sizeof bytes) != zero);
        bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
    }
}
