// How fast people walk who all go the same way, by how many there are on a square metre, beside what was
// measured of pedestrians.
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "density_corridor.h"

#include <math.h>
#include <stdio.h>

#define SEEDS 3
#define COMPARED 2.0 // up to this many people on a square metre the two are compared

// Pedestrians in one direction: people on a square metre, and their speed [m/s].
static const struct {
    double density, speed;
} measured[] = {{0.56, 1.36}, {1.15, 1.18}, {1.72, 0.95}, {2.15, 0.63}, {2.91, 0.32}};
#define MEASURED (sizeof measured / sizeof *measured)

// On straight lines between the points, and on the first and the last one beyond them.
static double speed_of_pedestrians(double density) {
    size_t i = 0;
    while (i + 2 < MEASURED && density > measured[i + 1].density)
        i++;
    double share = (density - measured[i].density) / (measured[i + 1].density - measured[i].density);
    return measured[i].speed + share * (measured[i + 1].speed - measured[i].speed);
}

// The mean of some seeds. false: an error was reported.
static bool measure(const bench_report *bench, double density, density_figures *mean) {
    tr_error error = {0};
    *mean = (density_figures){.nearest = INFINITY};
    for (uint32_t i = 0; i < SEEDS; i++) {
        density_corridor_def def = density_corridor_def_default(density);
        density_figures figures;
        def.seed = bench_seed(bench, 1 + i);
        if (density_corridor_measure(&def, &figures, &error) != TR_OK) {
            command_complain_of(&error);
            return false;
        }
        mean->people = figures.people;
        mean->density += figures.density / SEEDS;
        mean->speed += figures.speed / SEEDS;
        mean->halts += figures.halts / SEEDS;
        mean->wish += figures.wish / SEEDS;
        mean->nearest = fmin(mean->nearest, figures.nearest);
        mean->failed += figures.failed;
    }
    return true;
}

static void add(bench_report *bench, double density, const density_figures *figures) {
    bench_result result = {.value = figures->speed,
                           .unit = "m/s",
                           .paper = speed_of_pedestrians(figures->density),
                           .peer_value = NAN,
                           .axis = "people on a square metre",
                           .at = figures->density};
    snprintf(result.id, sizeof result.id, "stage.density.%.4g.speed", density);
    snprintf(
        result.what, sizeof result.what,
        "speed at %.2f people/m2, %u people, %u seeds; wished for %.2f m/s, stood %.0f %%, nearest %.0f mm",
        figures->density, figures->people, SEEDS, figures->wish, 100 * figures->halts,
        1000 * figures->nearest);
    bench_add(bench, &result);
}

bool bench_density(bench_report *bench) {
    static const double densities[] = {0.5, 0.56, 0.75, 1, 1.15, 1.5, 1.72, 2, 2.15};
    const size_t count = sizeof densities / sizeof *densities;
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        density_figures figures;
        bench_progress(bench, "people in one direction", (double)i / (double)count);
        if (!measure(bench, densities[i], &figures))
            return false;
        add(bench, densities[i], &figures);
        double off = 100 * (figures.speed / speed_of_pedestrians(figures.density) - 1);
        if (densities[i] <= COMPARED && fabs(off) > fabs(worst))
            worst = off;
    }
    bench_result result = {.value = worst, .unit = "%", .paper = NAN, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "stage.density.worst");
    snprintf(result.what, sizeof result.what, "largest difference from pedestrians, up to %g people/m2",
             COMPARED);
    bench_add(bench, &result);
    return true;
}
