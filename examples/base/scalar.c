// Sine, cosine and angle of a point: the same bits under every compiler and C library.
#include "troupe/base/scalar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int main(void) {
    printf("degrees  sine                cosine              angle back\n");
    for (int degrees = 0; degrees <= 180; degrees += 30) {
        double sine, cosine;
        tr_sin_cos(degrees * TR_PI / 180, &sine, &cosine);
        double back = tr_arc_tangent(sine, cosine) * 180 / TR_PI;
        printf("%7d  0x%016" PRIx64 "  0x%016" PRIx64 "  %.12f\n", degrees, bits_of(sine), bits_of(cosine),
               back);
    }
    return 0;
}
