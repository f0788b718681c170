#include "test.h"
#include "base/archive.h"
#include "troupe/base/random.h"

#include <math.h>
#include <string.h>

typedef enum kind { DOG, CAT, FISH, KINDS } kind;
typedef struct animal {
    kind kind;
    bool tame;
    uint8_t legs;
    uint32_t age;
    uint64_t chip;
    float weight;
    double price;
    tr_vec2 at;
    tr_vec3 nose;
    tr_quat turn;
    tr_affine place;
    tr_transform rest;
    tr_box box;
    char name[16];
    uint32_t toy_count;
    float toys[8];
} animal;

// The one function for both ways.
static void archive_animal(animal *a, tr_archive *archive) {
    a->kind = (kind)tr_archive_choice(archive, a->kind, KINDS);
    tr_archive_bool(archive, &a->tame);
    tr_archive_u8(archive, &a->legs);
    tr_archive_u32(archive, &a->age);
    tr_archive_u64(archive, &a->chip);
    tr_archive_float(archive, &a->weight);
    tr_archive_double(archive, &a->price);
    tr_archive_vec2(archive, &a->at);
    tr_archive_vec3(archive, &a->nose);
    tr_archive_quat(archive, &a->turn);
    tr_archive_affine(archive, &a->place);
    tr_archive_transform(archive, &a->rest);
    tr_archive_box(archive, &a->box);
    tr_archive_bytes(archive, a->name, sizeof a->name);
    a->toy_count = tr_archive_count(archive, a->toy_count, 8, "toys");
    tr_archive_floats(archive, a->toys, a->toy_count);
}

static float any_float(tr_random *random) {
    for (;;) {
        uint32_t bits = (uint32_t)tr_random_bits(random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isnan(value)) // infinities and tiny ones are welcome
            return value;
    }
}

static animal some_animal(tr_random *random) {
    animal a = {.kind = (kind)tr_random_below(random, KINDS),
                .tame = tr_random_below(random, 2),
                .legs = (uint8_t)tr_random_bits(random),
                .age = (uint32_t)tr_random_bits(random),
                .chip = tr_random_bits(random),
                .weight = any_float(random),
                .price = (double)any_float(random) * 1.1,
                .at = {any_float(random), any_float(random)},
                .nose = {any_float(random), any_float(random), any_float(random)},
                .turn = {any_float(random), any_float(random), any_float(random), any_float(random)},
                .box = tr_box_empty(),
                .name = "Rex",
                .toy_count = tr_random_below(random, 9)};
    for (int i = 0; i < 12; i++)
        a.place.m[i / 4][i % 4] = any_float(random);
    a.rest = (tr_transform){a.nose, a.turn, {any_float(random), 1, 2}};
    for (uint32_t i = 0; i < a.toy_count; i++)
        a.toys[i] = any_float(random);
    return a;
}

TEST(what_is_written_is_read_again) {
    tr_random random = tr_random_seed(1);
    for (int i = 0; i < 2000; i++) {
        animal one = some_animal(&random), other = {.kind = FISH};
        uint8_t bytes[512], again[512];
        tr_archive count = tr_archive_write(NULL, 0), writer = tr_archive_write(bytes, sizeof bytes);
        archive_animal(&one, &count);
        archive_animal(&one, &writer);
        CHECK_INT(count.at, writer.at);
        CHECK(!tr_archive_reads(&writer) && tr_archive_is_good(&writer));
        tr_archive reader = tr_archive_read(bytes, writer.at, NULL);
        archive_animal(&other, &reader);
        CHECK(tr_archive_reads(&reader) && tr_archive_is_good(&reader));
        CHECK_INT(reader.at, writer.at);
        CHECK(memcmp(&one.place, &other.place, sizeof one.place) == 0 && one.kind == other.kind);
        CHECK(one.chip == other.chip && one.tame == other.tame && one.toy_count == other.toy_count);
        tr_archive twice = tr_archive_write(again, sizeof again);
        archive_animal(&other, &twice);
        CHECK(twice.at == writer.at && memcmp(bytes, again, writer.at) == 0);
    }
}

TEST(bytes_are_the_same_on_every_machine) {
    static const uint8_t expected[28] = {1,    2,    3, 4,    5,    6,    7,    8,    0x80, 0x3f,
                                         0x01, 0xff, 0, 0,    0xc0, 0x3f, 0x00, 0x00, 0x00, 0x00,
                                         0x00, 0x00, 0, 0xc0, 2,    0,    0,    0};
    uint32_t small = 0x04030201, two = 2;
    uint64_t large = 0xff013f8008070605u;
    float number = 1.5f;
    double wide = -2;
    uint8_t bytes[64];
    tr_archive writer = tr_archive_write(bytes, sizeof bytes);
    tr_archive_u32(&writer, &small);
    tr_archive_u64(&writer, &large);
    tr_archive_float(&writer, &number);
    tr_archive_double(&writer, &wide);
    tr_archive_choice(&writer, two, 3);
    CHECK_INT(writer.at, 28);
    CHECK(memcmp(bytes, expected, sizeof expected) == 0);
}

TEST(a_writer_without_room_counts_on) {
    uint8_t bytes[6] = {9, 9, 9, 9, 9, 9};
    uint32_t value = 0x01010101;
    tr_archive writer = tr_archive_write(bytes, 5);
    tr_archive_u32(&writer, &value);
    tr_archive_u32(&writer, &value);
    CHECK_INT(writer.at, 8);
    CHECK(bytes[3] == 1 && bytes[4] == 9 && bytes[5] == 9);
}

TEST(bytes_that_end_give_zeros_and_one_sentence) {
    tr_random random = tr_random_seed(2);
    animal one = some_animal(&random);
    uint8_t bytes[512];
    tr_archive writer = tr_archive_write(bytes, sizeof bytes);
    archive_animal(&one, &writer);
    for (uint64_t size = 0; size < writer.at; size++) {
        animal other = one;
        tr_error error = {0};
        tr_archive reader = tr_archive_read(bytes, size, &error);
        archive_animal(&other, &reader);
        CHECK_INT(reader.status, TR_BAD_FILE);
        CHECK(error.message[0] && reader.at <= size && error.offset <= size);
        CHECK(other.toy_count == 0 || other.toys[other.toy_count - 1] == 0);
    }
    tr_archive nothing = tr_archive_read(NULL, 0, NULL);
    uint32_t value = 5;
    tr_archive_u32(&nothing, &value);
    CHECK_INT(value, 0);
    CHECK_INT(nothing.status, TR_BAD_FILE);
}

TEST(numbers_out_of_range_are_refused) {
    uint8_t bytes[64];
    uint32_t many = 9;
    float none = NAN;
    double wide_none = NAN;
    tr_archive writer = tr_archive_write(bytes, sizeof bytes);
    tr_archive_u32(&writer, &many);
    tr_archive_float(&writer, &none);
    tr_archive_double(&writer, &wide_none);
    tr_error error = {0};
    tr_archive reader = tr_archive_read(bytes, writer.at, &error);
    CHECK_INT(tr_archive_choice(&reader, 0, 9), 0);
    CHECK_CONTAINS(error.message, "choice 9 is out of range, there are 9 choices");
    reader = tr_archive_read(bytes, writer.at, &error);
    CHECK_INT(tr_archive_count(&reader, 0, 8, "hats"), 0);
    CHECK_CONTAINS(error.message, "9 hats are too many, with 12 bytes left and a maximum of 8");
    reader = tr_archive_read(bytes, 12, &error); // more items than bytes
    CHECK_INT(tr_archive_count(&reader, 0, 100, "hats"), 0);
    CHECK_INT(reader.status, TR_BAD_FILE);
    reader = tr_archive_read(bytes, 10, &error);
    bool yes = true;
    tr_archive_bool(&reader, &yes);
    CHECK(!yes && reader.status == TR_BAD_FILE);
    reader = tr_archive_read(bytes + 4, 4, &error);
    tr_archive_float(&reader, &none);
    CHECK(none == 0 && reader.status == TR_BAD_FILE);
    reader = tr_archive_read(bytes + 8, 8, &error);
    tr_archive_double(&reader, &wide_none);
    CHECK(wide_none == 0 && reader.status == TR_BAD_FILE);
    // The first failure stays.
    tr_archive_fail(&reader, TR_LIMIT, "too much");
    CHECK_INT(reader.status, TR_BAD_FILE);
    tr_archive_check(&writer, false, "a writer is not asked");
    CHECK_INT(writer.status, TR_OK);
}
