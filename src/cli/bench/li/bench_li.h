// The parts of the li suite.
#pragma once
#include "cli/bench/bench.h"
#include "troupe/troupe.h"

bool bench_li_steps(bench_report *bench);
bool bench_li_upper(bench_report *bench);
