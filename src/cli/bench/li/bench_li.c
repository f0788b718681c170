// Li, "Directing intelligent digital actor with real-time motion planning".
#include "bench_li.h"

bool bench_li(bench_report *bench) {
    return bench_li_steps(bench) && bench_li_upper(bench);
}
