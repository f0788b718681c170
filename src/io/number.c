#include "number.h"

#include <math.h>
#include <string.h>

// strtod and printf depend on the locale of the program, so the same file could read differently. Short
// numbers take the exact path of one multiplication or division by a power of ten; the others go through
// `decimal`, digit by digit.

#define DIGITS_MAX 800 // a double has at most 767 significant digits: further ones only break ties
#define SHIFT_MAX 60   // 10 * 2^60 still fits a 64-bit word
#define GROWTH_MAX 19  // digits that a shift by SHIFT_MAX adds

typedef struct decimal {
    int count; // of digits; the first is not 0 unless the value is
    int point; // the value is 0.DIGITS * 10^point
    bool more; // nonzero digits were cut off after the last
    uint8_t digits[DIGITS_MAX];
} decimal;

// Powers of ten that a double represents exactly.
static const double exact_power[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static void decimal_trim(decimal *d) {
    while (d->count > 0 && d->digits[d->count - 1] == 0)
        d->count--;
    if (d->count == 0)
        d->point = 0;
}

// d *= 2^bits
static void decimal_shift_left(decimal *d, int bits) {
    uint8_t wide[DIGITS_MAX + GROWTH_MAX];
    uint64_t carry = 0;
    int first = d->count + GROWTH_MAX;
    for (int i = d->count - 1; i >= 0; i--) {
        carry += (uint64_t)d->digits[i] << bits;
        wide[--first] = (uint8_t)(carry % 10);
        carry /= 10;
    }
    for (; carry; carry /= 10)
        wide[--first] = (uint8_t)(carry % 10);
    int count = d->count + GROWTH_MAX - first;
    d->point += count - d->count;
    int kept = count < DIGITS_MAX ? count : DIGITS_MAX;
    for (int i = kept; i < count; i++)
        d->more |= wide[first + i] != 0;
    memcpy(d->digits, wide + first, (size_t)kept);
    d->count = kept;
    decimal_trim(d);
}

// d /= 2^bits
static void decimal_shift_right(decimal *d, int bits) {
    uint64_t rest = 0, mask = ((uint64_t)1 << bits) - 1;
    int read = 0, written = 0;
    for (; rest >> bits == 0; read++)
        rest = rest * 10 + (read < d->count ? d->digits[read] : 0);
    d->point -= read - 1;
    while (read < d->count || rest != 0) {
        uint8_t digit = (uint8_t)(rest >> bits);
        if (written < DIGITS_MAX)
            d->digits[written++] = digit;
        else
            d->more |= digit != 0;
        rest = (rest & mask) * 10 + (read < d->count ? d->digits[read] : 0);
        read++;
    }
    d->count = written;
    decimal_trim(d);
}

static void decimal_shift(decimal *d, int bits) {
    while (bits != 0 && d->count) {
        int size = bits < 0 ? -bits : bits, step = size < SHIFT_MAX ? size : SHIFT_MAX;
        if (bits > 0)
            decimal_shift_left(d, step);
        else
            decimal_shift_right(d, step);
        bits += bits > 0 ? -step : step;
    }
}

// Does cutting d after `place` digits round away from zero? Rounds to nearest, ties to even.
static bool decimal_rounds_up(const decimal *d, int place) {
    if (place < 0 || place >= d->count)
        return false;
    if (d->digits[place] == 5 && place + 1 == d->count && !d->more)
        return place > 0 && d->digits[place - 1] % 2 != 0;
    return d->digits[place] >= 5;
}

static void decimal_round(decimal *d, int places) {
    if (places >= d->count)
        return;
    bool up = decimal_rounds_up(d, places);
    d->count = places;
    while (up && d->count > 0 && d->digits[d->count - 1] == 9)
        d->count--;
    if (up && d->count > 0) {
        d->digits[d->count - 1]++;
    } else if (up) {
        d->digits[0] = 1;
        d->count = 1;
        d->point++;
    }
    d->more = false;
    decimal_trim(d);
}

static uint64_t decimal_to_integer(const decimal *d) {
    uint64_t integer = 0;
    for (int i = 0; i < d->point; i++)
        integer = integer * 10 + (i < d->count ? d->digits[i] : 0);
    return integer + decimal_rounds_up(d, d->point);
}

// How far a value with this many decimal places can be shifted without passing [0.5, 1).
static int safe_shift(int places) {
    static const uint8_t bits[19] = {1, 3, 6, 9, 13, 16, 19, 23, 26, 29, 33, 36, 39, 43, 46, 49, 53, 56, 59};
    return places < 19 ? bits[places] : SHIFT_MAX;
}

// The double nearest to d, which is destroyed. The caller applies the sign.
static double decimal_to_double(decimal *d) {
    if (d->count == 0 || d->point < -330)
        return 0;
    if (d->point > 310)
        return INFINITY;
    int exponent = 0;
    while (d->point > 0) {
        int bits = safe_shift(d->point);
        decimal_shift_right(d, bits);
        exponent += bits;
    }
    while (d->point < 0 || d->digits[0] < 5) {
        int bits = safe_shift(-d->point);
        decimal_shift_left(d, bits);
        exponent -= bits;
    }
    // Now d is in [0.5, 1) and the value is d * 2^exponent. For subnormal numbers the last place is fixed.
    if (exponent < -1021) {
        decimal_shift(d, exponent + 1021);
        exponent = -1021;
    }
    decimal_shift(d, 53);
    uint64_t mantissa = decimal_to_integer(d), bits = mantissa;
    if (mantissa >=
        (uint64_t)1 << 52) // the addition lets a mantissa rounded up to 2^53 carry into the exponent
        bits = ((uint64_t)(exponent + 1022) << 52) + (mantissa - ((uint64_t)1 << 52));
    if (bits >= (uint64_t)0x7ff << 52)
        return INFINITY;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Reads all significant digits of a number that was already scanned; `exponent` is its exponent part.
static double read_slowly(const char *text, const char *end, int64_t exponent) {
    decimal d;
    d.count = 0;
    d.more = false;
    int64_t point = exponent;
    bool behind_point = false;
    for (; text < end && (is_digit(*text) || *text == '.'); text++) {
        if (*text == '.') {
            behind_point = true;
            continue;
        }
        uint8_t digit = (uint8_t)(*text - '0');
        bool leading = d.count == 0 && digit == 0;
        point += leading ? -behind_point : !behind_point;
        if (leading)
            continue;
        if (d.count < DIGITS_MAX)
            d.digits[d.count++] = digit;
        else
            d.more |= digit != 0;
    }
    d.point = point > 9999 ? 9999 : point < -9999 ? -9999 : (int)point;
    decimal_trim(&d);
    return decimal_to_double(&d);
}

// The part after 'e', or nothing if no digit follows. Saturates.
static const char *read_exponent(const char *at, const char *end, int64_t *exponent) {
    *exponent = 0;
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    const char *digit = at + 1;
    bool negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+'))
        digit++;
    if (digit == end || !is_digit(*digit))
        return at;
    for (; digit < end && is_digit(*digit); digit++)
        if (*exponent < (int64_t)1 << 40)
            *exponent = *exponent * 10 + (*digit - '0');
    if (negative)
        *exponent = -*exponent;
    return digit;
}

bool tr_number_read(const char *text, const char *end, const char **after, double *value) {
    const char *at = text;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char *digits = at;
    uint64_t mantissa = 0;
    int64_t scale = 0, exponent;
    int significant = 0;
    bool behind_point = false, any = false;
    for (; at < end && (is_digit(*at) || (*at == '.' && !behind_point)); at++) {
        if (*at == '.') {
            behind_point = true;
            continue;
        }
        any = true;
        if (significant < 19)
            mantissa = mantissa * 10 + (uint64_t)(*at - '0');
        significant += mantissa != 0;
        scale -= behind_point;
    }
    if (!any)
        return false;
    const char *digits_end = at;
    at = read_exponent(at, end, &exponent);
    scale += exponent;
    double magnitude;
    if (mantissa == 0)
        magnitude = 0;
    else if (significant <= 19 && mantissa <= (uint64_t)1 << 53 && scale >= -22 && scale <= 22)
        magnitude =
            scale < 0 ? (double)mantissa / exact_power[-scale] : (double)mantissa * exact_power[scale];
    else
        magnitude = read_slowly(digits, digits_end, exponent);
    *value = negative ? -magnitude : magnitude;
    *after = at;
    return true;
}

static void decimal_from_integer(decimal *d, uint64_t integer) {
    char reversed[20];
    int count = 0;
    for (; integer; integer /= 10)
        reversed[count++] = (char)(integer % 10);
    for (int i = 0; i < count; i++)
        d->digits[i] = (uint8_t)reversed[count - 1 - i];
    d->count = d->point = count;
    d->more = false;
    decimal_trim(d);
}

// The exact decimal of a finite positive double. Returns whether the double is a normal number.
static bool decimal_from_double(decimal *d, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    decimal_from_integer(d, biased ? fraction | (uint64_t)1 << 52 : fraction);
    decimal_shift(d, (biased ? biased : 1) - 1075);
    return biased != 0;
}

static size_t write_exponent(char *text, int exponent) {
    size_t length = 0;
    text[length++] = 'e';
    if (exponent < 0)
        text[length++] = '-';
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (size >= 100)
        text[length++] = (char)('0' + size / 100);
    if (size >= 10)
        text[length++] = (char)('0' + size / 10 % 10);
    text[length++] = (char)('0' + size % 10);
    return length;
}

// Digits and decimal point as text: plain if that takes at most `most` digits before the point, otherwise
// with an exponent.
static size_t write_digits(char *text, const uint8_t *digits, int count, int point, int most) {
    size_t length = 0;
    bool plain = point > -5 && point <= most;
    int shown_point = plain ? point : 1;
    if (shown_point <= 0) {
        text[length++] = '0';
        text[length++] = '.';
        for (int i = shown_point; i < 0; i++)
            text[length++] = '0';
    }
    for (int i = 0; i < count || i < shown_point; i++) {
        if (i > 0 && i == shown_point)
            text[length++] = '.';
        text[length++] = i < count ? (char)('0' + digits[i]) : '0';
    }
    if (!plain)
        length += write_exponent(text + length, point - 1);
    text[length] = 0;
    return length;
}

// Most numbers in real files have few decimals. r / 10^k is how such a text is read, so comparing with it is
// exact.
static bool find_short(double value, bool single, double limit, decimal *d) {
    if (!(value >= 1e-5 && value < limit))
        return false;
    for (int k = 0; k <= 20; k++) {
        double scaled = value * exact_power[k];
        if (!(scaled < limit))
            return false;
        uint64_t r = (uint64_t)(scaled + 0.5);
        double back = (double)r / exact_power[k];
        if (single ? (float)back == (float)value : back == value) {
            decimal_from_integer(d, r);
            d->point -= k;
            return d->count > 0;
        }
    }
    return false;
}

// The fewest digits that read back the same. Up to `sure` digits every decimal survives the conversion to
// binary and back, so a shorter answer shows as trailing zeros there; this does not hold for subnormal
// numbers.
static void find_exactly(double value, bool single, int sure, int most, decimal *shortest) {
    decimal exact;
    bool normal = decimal_from_double(&exact, value) && !(single && value < 1.1754943508222875e-38);
    for (int places = normal ? sure : 1; places <= most; places++) {
        *shortest = exact;
        decimal_round(shortest, places);
        decimal copy = *shortest;
        double back = decimal_to_double(&copy);
        if (single ? (float)back == (float)value : back == value)
            return;
    }
}

static size_t write_shortest(double value, bool single, char text[TR_NUMBER_TEXT]) {
    if (!isfinite(value)) {
        const char *word = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
        memcpy(text, word, strlen(word) + 1);
        return strlen(word);
    }
    size_t sign = 0;
    if (signbit(value)) {
        text[sign++] = '-';
        value = -value;
    }
    decimal d;
    d.count = 0;
    d.point = 1;
    if (value != 0 && !find_short(value, single, single ? 1e9 : 1e15, &d))
        find_exactly(value, single, single ? 6 : 15, single ? 9 : 17, &d);
    return sign + write_digits(text + sign, d.digits, d.count, d.point, single ? 10 : 17);
}

size_t tr_number_write(double value, char text[TR_NUMBER_TEXT]) {
    return write_shortest(value, false, text);
}

size_t tr_number_write_float(float value, char text[TR_NUMBER_TEXT]) {
    return write_shortest((double)value, true, text);
}
