#include "io/number.h"
#include "test.h"
#include "troupe/base/random.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double read(const char *text) {
    const char *after = NULL;
    double value = -12345;
    if (!tr_number_read(text, text + strlen(text), &after, &value))
        return NAN;
    return after == text + strlen(text) ? value : NAN;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A text of all kinds of numbers, a third of them near the limits of double.
static void random_number(tr_random *random, char *text, size_t size) {
    size_t length = 0;
    uint32_t digits = 1 + tr_random_below(random, tr_random_below(random, 8) ? 20 : 200);
    uint32_t point = tr_random_below(random, digits + 1);
    for (uint32_t i = 0; i < digits && length + 12 < size; i++) {
        if (i == point)
            text[length++] = '.';
        text[length++] = (char)('0' + tr_random_below(random, 10));
    }
    static const int spread[3] = {20, 320, 700};
    int range = spread[tr_random_below(random, 3)];
    int exponent = (int)tr_random_below(random, (uint32_t)(2 * range)) - range;
    if (tr_random_below(random, 4))
        snprintf(text + length, size - length, "e%d", exponent);
    else
        text[length] = 0;
}

TEST(a_random_number_reads_to_the_bits_of_strtod) {
    tr_random random = tr_random_seed(1);
    for (int i = 0; i < 60000; i++) {
        char text[256];
        random_number(&random, text, sizeof text);
        if (bits_of(read(text)) != bits_of(strtod(text, NULL)))
            test_failed(__FILE__, __LINE__, "\"%s\" is %.17g, strtod says %.17g", text, read(text),
                        strtod(text, NULL));
    }
}

TEST(hard_cases_are_rounded_to_the_nearest_even) {
    static const char *const hard[] = {"9007199254740993",
                                       "9007199254740992.9999999999999999",
                                       "9007199254740993.00000000000000000000000000000001",
                                       "1.7976931348623157e308",
                                       "1.7976931348623158e308",
                                       "1.797693134862315807e308",
                                       "1.797693134862315808e308",
                                       "2.2250738585072014e-308",
                                       "2.2250738585072011e-308",
                                       "2.2250738585072012e-308",
                                       "4.9406564584124654e-324",
                                       "2.4703282292062327e-324",
                                       "2.4703282292062328e-324",
                                       "1e-400",
                                       "8.5e22",
                                       "1e23",
                                       "9.5367431640625e-7",
                                       "0.500000000000000166533453693773481063544750213623046875",
                                       "3.518437208883201171875e13",
                                       "6.9294956446009195e15",
                                       "123456789012345678901234567890e-10",
                                       "0.1",
                                       "0.30000000000000004",
                                       "2.47032822920623272088284396434110686182e-324",
                                       "1448997445238699",
                                       "7.2057594037927933e16",
                                       "5e-324",
                                       "1e22"};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++)
        CHECK_HASH(bits_of(read(hard[i])), bits_of(strtod(hard[i], NULL)));
}

TEST(every_power_of_ten_and_two_reads_right) {
    char text[64];
    for (int exponent = -345; exponent <= 310; exponent++) {
        snprintf(text, sizeof text, "1e%d", exponent);
        CHECK_HASH(bits_of(read(text)), bits_of(strtod(text, NULL)));
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        snprintf(text, sizeof text, "%.20g", ldexp(1, exponent));
        CHECK_HASH(bits_of(read(text)), bits_of(ldexp(1, exponent)));
    }
}

TEST(all_forms_are_read_and_other_text_is_not) {
    CHECK_NEAR(read("+5"), 5, 0);
    CHECK_NEAR(read(".5"), 0.5, 0);
    CHECK_NEAR(read("5."), 5, 0);
    CHECK_NEAR(read("-0.5E+1"), -5, 0);
    CHECK(signbit(read("-0")));
    CHECK(isinf(read("1e999")) && isinf(read("-1e99999999999999999999")));
    CHECK_NEAR(read("1e-99999999999999999999"), 0, 0);
    CHECK_NEAR(read("0e99999999999999999999"), 0, 0);
    static const char *const wrong[] = {"", "-", ".", "+.", "e5", "nan", "inf", "-inf", "x1", " 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *after;
        double value;
        CHECK(!tr_number_read(wrong[i], wrong[i] + strlen(wrong[i]), &after, &value));
    }
    static const char *const prefixes[] = {"1e", "1e+", "1.2.3", "12abc", "1 2"};
    static const int lengths[] = {1, 1, 3, 2, 1};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const char *after = NULL;
        double value;
        CHECK(tr_number_read(prefixes[i], prefixes[i] + strlen(prefixes[i]), &after, &value));
        CHECK_INT(after - prefixes[i], lengths[i]);
    }
}

TEST(a_number_ends_where_the_text_ends_though_digits_follow) {
    const char *text = "123456", *after;
    double value;
    CHECK(tr_number_read(text, text + 3, &after, &value));
    CHECK_NEAR(value, 123, 0);
    CHECK(after == text + 3);
}

TEST(a_very_long_number_costs_no_more_than_its_digits) {
    static char text[200001];
    memset(text, '0', sizeof text);
    text[1] = '.';
    text[200000] = '7';
    const char *after;
    double value = 1;
    CHECK(tr_number_read(text, text + sizeof text, &after, &value));
    CHECK_NEAR(value, 0, 0);
    memset(text, '9', sizeof text);
    CHECK(tr_number_read(text, text + sizeof text, &after, &value));
    CHECK(isinf(value));
    memset(text, '1', 1000);
    text[1] = '.';
    CHECK(tr_number_read(text, text + 1000, &after, &value));
    CHECK_HASH(bits_of(value), bits_of(1.1111111111111112));
}

static void check_double_survives(double value) {
    char text[TR_NUMBER_TEXT], short_text[64];
    size_t length = tr_number_write(value, text);
    CHECK_INT(strlen(text), length);
    CHECK(length < TR_NUMBER_TEXT);
    if (bits_of(read(text)) != bits_of(value))
        test_failed(__FILE__, __LINE__, "%.17g was written as %s", value, text);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(short_text, sizeof short_text, "%.*e", digits - 1, value);
        if (strtod(short_text, NULL) == value) {
            int written = 0; // significant digits of ours
            const char *at = text;
            bool seen = false;
            for (; *at && *at != 'e'; at++) {
                seen |= *at >= '1' && *at <= '9';
                written += seen && *at != '.';
            }
            for (; at > text && written > digits && at[-1] == '0'; at--)
                written--; // zeros before the point of a whole number are no digits of precision
            if (written > digits)
                test_failed(__FILE__, __LINE__, "%s has %d digits, %s has %d", text, written, short_text,
                            digits);
            break;
        }
    }
}

TEST(doubles_are_written_short_and_read_back_the_same) {
    static const double plain[] = {0,
                                   -0.0,
                                   1,
                                   0.1,
                                   1e-5,
                                   1e21,
                                   123456789,
                                   1e300,
                                   5e-324,
                                   1e-300,
                                   1e15,
                                   1e16,
                                   1e17,
                                   12e17,
                                   -2.5e-7,
                                   9007199254740991,
                                   0.3,
                                   2.0 / 3,
                                   2.2250738585072014e-308,
                                   1.7976931348623157e308};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        check_double_survives(plain[i]);
    tr_random random = tr_random_seed(2);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = (uint64_t)tr_random_bits(&random) << 32;
        bits |= tr_random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_double_survives(value);
        check_double_survives((double)(int64_t)bits / 1e9);
        check_double_survives((double)tr_random_below(&random, 100000) / 1000);
    }
}

TEST(floats_are_written_with_at_most_nine_digits_and_read_back_the_same) {
    tr_random random = tr_random_seed(3);
    for (int i = 0; i < 60000; i++) {
        uint32_t bits = tr_random_bits(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (i % 2)
            value = tr_random_between(&random, -1000, 1000);
        if (!isfinite(value))
            continue;
        char text[TR_NUMBER_TEXT];
        tr_number_write_float(value, text);
        float back = (float)read(text);
        if (memcmp(&back, &value, sizeof back) != 0)
            test_failed(__FILE__, __LINE__, "%.9g was written as %s", (double)value, text);
        if (strlen(text) > 16)
            test_failed(__FILE__, __LINE__, "%.9g was written as %s, which is long", (double)value, text);
    }
}

TEST(what_is_written_looks_as_expected) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1, "1"},           {-1.5, "-1.5"},       {0.1, "0.1"},
                 {1e-7, "1e-7"},     {123456, "123456"},   {1e16, "10000000000000000"},
                 {1e17, "1e17"},     {0.00001, "0.00001"}, {1.5e300, "1.5e300"},
                 {5e-324, "5e-324"}, {-0.0, "-0"},         {NAN, "nan"},
                 {-INFINITY, "-inf"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TR_NUMBER_TEXT];
        tr_number_write(cases[i].value, text);
        CHECK_TEXT(text, cases[i].text);
    }
    char text[TR_NUMBER_TEXT];
    tr_number_write_float(0.1f, text);
    CHECK_TEXT(text, "0.1");
    tr_number_write_float(16777216.0f, text);
    CHECK_TEXT(text, "16777216");
    tr_number_write_float(3.4028234663852886e38f, text);
    CHECK_TEXT(text, "3.4028235e38");
}

TEST(the_locale_changes_nothing) {
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
        test_skip("no locale with a decimal comma is installed");
        return;
    }
    char text[TR_NUMBER_TEXT];
    tr_number_write(1.25, text);
    CHECK_TEXT(text, "1.25");
    CHECK_NEAR(read("1.25"), 1.25, 0);
    setlocale(LC_NUMERIC, "C");
}
