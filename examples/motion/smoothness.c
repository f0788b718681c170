// How smooth are a reach in one go, one in two goes, and one with a tremor?
#include "troupe/base/scalar.h"
#include "troupe/motion/smoothness.h"

#include <stdio.h>

#define RATE 100
#define COUNT 101 // one second

static double minimum_jerk(double t) {
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * t * (10 - 15 * t + 6 * t * t);
}

int main(void) {
    static const char *const names[] = {"in one go", "in two goes", "with a tremor"};
    for (int kind = 0; kind < 3; kind++) {
        tr_vec3 positions[COUNT];
        for (int i = 0; i < COUNT; i++) {
            double t = i / (COUNT - 1.0), way = minimum_jerk(t), sine = 0, cosine;
            if (kind == 1)
                way = 0.7 * minimum_jerk(t / 0.6) + 0.3 * minimum_jerk((t - 0.45) / 0.55);
            if (kind == 2)
                tr_sin_cos(2 * TR_PI * 8 * t, &sine, &cosine);
            positions[i] = tr_vec3_make((float)(0.3 * way), (float)(1 + 0.1 * way), (float)(0.002 * sine));
        }
        tr_smoothness smoothness;
        tr_error error;
        if (tr_smoothness_measure(positions, COUNT, RATE, NULL, &smoothness, &error) != TR_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("%-14s log dimensionless jerk %6.2f, spectral arc length %6.3f, %u peaks, %.2f m/s at most\n",
               names[kind], smoothness.ldlj, smoothness.sparc, smoothness.speed_peaks, smoothness.peak_speed);
    }
    return 0;
}
