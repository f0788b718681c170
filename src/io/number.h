// io/number.h - decimal text to floating point and back, the same in every locale and on every machine.
#pragma once
#include "troupe/base/api.h"

// Reads the longest number at the start of [text, end): an optional sign, digits with an optional point
// among, before or after them, and an optional exponent. The result is the nearest double, ties to even, for
// any number of digits; infinity beyond the largest. false: no digit was found and nothing is written.
bool tr_number_read(const char *text, const char *end, const char **after, double *value);

// Writes the shortest decimal that tr_number_read() turns into the same double (or, cast, the same float),
// with a final 0; returns its length. "nan", "inf" and "-inf" for values that are not finite.
#define TR_NUMBER_TEXT 32
size_t tr_number_write(double value, char text[TR_NUMBER_TEXT]);
size_t tr_number_write_float(float value, char text[TR_NUMBER_TEXT]);
