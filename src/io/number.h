// io/number.h - decimal text to floating point and back, the same in every locale and on every machine.
#pragma once
#include "troupe/base/api.h"

// Read the longest number at the start of [text, end): an optional sign, digits with an optional point among,
// before or after them, an optional exponent. The double is the nearest one, ties to even, whatever the
// number of digits; infinite beyond the largest. false: no digit was found, nothing is written.
bool tr_number_read(const char *text, const char *end, const char **after, double *value);

// The shortest decimal that tr_number_read() turns into the same double (or, cast, the same float); returns
// its length, a final 0 is added. "nan", "inf" and "-inf" for what is no number.
#define TR_NUMBER_TEXT 32
size_t tr_number_write(double value, char text[TR_NUMBER_TEXT]);
size_t tr_number_write_float(float value, char text[TR_NUMBER_TEXT]);
