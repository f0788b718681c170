#include "troupe/motion/smoothness.h"

#include "motion/logarithm.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define JERK_WINDOW (1.0 / 60) // [s]: differences are taken over steps of about this
#define JERK_STEPS_MIN 12      // the least number of steps in a movement, if there are enough samples
#define CUTOFF 10.0            // [Hz]
#define AMPLITUDE 0.05         // of the highest amplitude in the spectrum
#define PADDING 16             // the spectrum is sampled this much more finely than the movement alone gives
#define PEAK_SHARE 0.05
#define RATE_MAX 1e6
#define JERK_LEAST 1e-9 // dimensionless: smaller than in any movement

// Squared jerk times step^6 at the middle of four points.
static double third_difference(const tr_vec3 *p, size_t step) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = ((double)(&p[3 * step].x)[axis] - (double)(&p[0].x)[axis]) -
                   3 * ((double)(&p[2 * step].x)[axis] - (double)(&p[step].x)[axis]);
        sum += d * d;
    }
    return sum;
}

// One axis of the jerk times step^3.
static double part_of_jerk(const tr_vec3 *p, size_t step, int axis) {
    return ((double)(&p[3 * step].x)[axis] - (double)(&p[0].x)[axis]) -
           3 * ((double)(&p[2 * step].x)[axis] - (double)(&p[step].x)[axis]);
}

// The integral over the part within one and a half steps of an end, where there is no third difference: the
// jerk is extrapolated linearly from `near` and `next`, which is one step further in.
static double end_integral(const tr_vec3 *near, const tr_vec3 *next, size_t step) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double a = part_of_jerk(near, step, axis), slope = a - part_of_jerk(next, step, axis);
        // The integral of the square of a + slope * t from t = 0 to 1.5 steps.
        sum += 1.5 * a * a + 2.25 * a * slope + 1.125 * slope * slope;
    }
    return sum * (double)step;
}

// The integral of the squared jerk [m^2 / s^5].
static double integrate_jerk(const tr_vec3 *p, uint32_t count, double rate) {
    size_t step = (size_t)(JERK_WINDOW * rate + 0.5), most = (count - 1) / JERK_STEPS_MIN;
    step = step > most ? most : step;
    step = step < 1 ? 1 : step;
    size_t last = count - 1 - 3 * step; // the last place where a difference can begin
    double sum = 0, time = (double)step / rate;
    for (size_t k = 0; k <= last; k++)
        sum += third_difference(&p[k], step) * (k == 0 || k == last ? 0.5 : 1);
    size_t inwards = last < step ? last : step;
    if (inwards == step)
        sum += end_integral(&p[0], &p[step], step) + end_integral(&p[last], &p[last - step], step);
    else
        sum *= (double)(count - 1) / (double)(last > 0 ? last : 1);
    double cube = time * time * time;
    return sum / rate / (cube * cube);
}

static uint32_t count_peaks(const double *speeds, uint32_t count, double highest) {
    double dip = PEAK_SHARE * highest, high = speeds[0], low = speeds[0];
    uint32_t peaks = 0;
    bool rising = true; // towards a possible peak
    for (uint32_t k = 0; k < count; k++) {
        high = speeds[k] > high ? speeds[k] : high;
        low = speeds[k] < low ? speeds[k] : low;
        if (rising && speeds[k] < high - dip) {
            peaks += high >= dip;
            rising = false;
            low = speeds[k];
        } else if (!rising && speeds[k] > low + dip) {
            rising = true;
            high = speeds[k];
        }
    }
    return peaks + (rising && high >= dip); // still fast at the end
}

// The amplitude at the frequency `turn` [rad per sample].
static double amplitude_at(const double *speeds, uint32_t count, double turn) {
    double s, c, real = 0, imaginary = 0, x = 1, y = 0;
    tr_sin_cos(turn, &s, &c);
    for (uint32_t k = 0; k < count; k++) {
        real += speeds[k] * x;
        imaginary += speeds[k] * y;
        double next = x * c - y * s;
        y = x * s + y * c;
        x = next;
        if ((k & 63) == 63) // restarted before rounding errors accumulate
            tr_sin_cos(turn * (k + 1), &y, &x);
    }
    return sqrt(real * real + imaginary * imaginary);
}

// The arc length of the amplitude over the frequency, both scaled from 0 to 1. The frequencies are those of a
// fast transform of the speeds, zero-padded to PADDING times a power of two.
static tr_status spectral_arc(const double *speeds, uint32_t count, double rate,
                              const tr_allocator *allocator, double *arc, tr_error *error) {
    double points = PADDING;
    for (uint32_t n = 1; n < count && points < 1e12; n *= 2) {
        points *= 2;
        if (n > UINT32_MAX / 2)
            break;
    }
    double most = CUTOFF / rate < 0.5 ? CUTOFF / rate : 0.5;
    size_t lines = (size_t)(most * points + 1e-9) + 1, last = 0;
    double *amplitudes = tr_allocate(allocator, lines, sizeof *amplitudes);
    if (!amplitudes)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a spectrum of %zu lines", lines);
    for (size_t i = 0; i < lines; i++) {
        amplitudes[i] = amplitude_at(speeds, count, 2 * TR_PI * (double)i / points);
        if (amplitudes[i] >= AMPLITUDE * amplitudes[0])
            last = i;
    }
    double sum = 0;
    for (size_t i = 1; i <= last; i++) {
        double along = 1.0 / (double)last, change = (amplitudes[i] - amplitudes[i - 1]) / amplitudes[0];
        sum += sqrt(along * along + change * change);
    }
    tr_release(allocator, amplitudes, lines, sizeof *amplitudes);
    *arc = -sum;
    return TR_OK;
}

static tr_status check(const tr_vec3 *positions, uint32_t count, double rate, tr_error *error) {
    if (count < TR_SMOOTHNESS_POINTS_MIN || !positions)
        return tr_fail(error, TR_INVALID, "the movement has %u positions, it needs at least %d", count,
                       TR_SMOOTHNESS_POINTS_MIN);
    if (!(rate > 0 && rate <= RATE_MAX))
        return tr_fail(error, TR_INVALID, "the rate is %g Hz, it must be above 0 and at most %g", rate,
                       RATE_MAX);
    for (uint32_t i = 0; i < count; i++)
        if (!tr_vec3_is_finite(positions[i]))
            return tr_fail(error, TR_INVALID, "position %u is not finite", i);
    return TR_OK;
}

static void fill_speeds(const tr_vec3 *positions, uint32_t count, double rate, double *speeds,
                        tr_smoothness *smoothness) {
    for (uint32_t k = 0; k + 1 < count; k++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = (double)(&positions[k + 1].x)[axis] - (double)(&positions[k].x)[axis];
            square += d * d;
        }
        double step = sqrt(square);
        speeds[k] = step * rate;
        smoothness->path_length += step;
        if (speeds[k] > smoothness->peak_speed)
            smoothness->peak_speed = speeds[k];
    }
}

tr_status tr_smoothness_measure(const tr_vec3 *positions, uint32_t count, double rate,
                                const tr_allocator *allocator, tr_smoothness *smoothness, tr_error *error) {
    *smoothness = (tr_smoothness){0};
    tr_status status = check(positions, count, rate, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(allocator);
    double *speeds = tr_allocate(&own, count - 1, sizeof *speeds);
    if (!speeds)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u speeds", count - 1);
    tr_smoothness found = {.duration = (count - 1) / rate};
    fill_speeds(positions, count, rate, speeds, &found);
    if (!(found.peak_speed > 0) || !isfinite(found.peak_speed)) {
        status =
            tr_fail(error, TR_INVALID,
                    "a movement with %u positions moves by %g m, it needs a speed that is finite and above 0",
                    count, found.path_length);
    } else {
        double time = found.duration, cube = time * time * time;
        double jerk = cube / (found.peak_speed * found.peak_speed) * integrate_jerk(positions, count, rate);
        jerk = jerk > JERK_LEAST ? (isfinite(jerk) ? jerk : 1e300) : JERK_LEAST;
        found.ldlj = -tr_natural_logarithm(jerk);
        found.speed_peaks = count_peaks(speeds, count - 1, found.peak_speed);
        status = spectral_arc(speeds, count - 1, rate, &own, &found.sparc, error);
    }
    tr_release(&own, speeds, count - 1, sizeof *speeds);
    if (status == TR_OK)
        *smoothness = found;
    return status;
}
