// Beyond the papers' sizes: a million triangles, large grids, the optional planes, and threads.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/world/occupancy.h"

#include <math.h>
#include <stdio.h>

typedef struct scale_case {
    const char *id, *what;
    uint32_t cells, members;
    bool heights, clearance;
} scale_case;

static const scale_case cases[] = {
    {"scale.field1m.project_ms", "1,000,000 triangles, longer side 1024 cells", 1024, 1, false, false},
    {"scale.field1m.project_2_threads_ms", "the same on two threads", 1024, 2, false, false},
    {"scale.field1m.clearance_ms", "the same with the clearance map, one thread", 1024, 1, false, true},
    {"scale.field1m.heights_ms", "the same with floor and overhang kept, one thread", 1024, 1, true, false},
    {"scale.field1m.project4k_ms", "1,000,000 triangles, longer side 4096 cells", 4096, 1, false, false},
};
#define CASE_COUNT ((uint32_t)(sizeof cases / sizeof cases[0]))

typedef struct stand {
    const tr_sample *sample;
    tr_occupancy *occupancy;
    tr_raster *raster;
    tr_status status;
    tr_error error;
} stand;

static void build(void *user) {
    stand *s = user;
    s->status = tr_occupancy_build(s->occupancy, s->raster, s->sample->scene, &s->error);
}

static bool complain(const tr_error *error) {
    command_complain_of(error);
    return false;
}

static bool measure(bench_report *bench, const tr_sample *sample, const scale_case *c) {
    stand s = {.sample = sample};
    tr_tasks *tasks = NULL;
    tr_occupancy_def def = tr_occupancy_def_default(sample->ground.min.y);
    def.keep_heights = c->heights;
    def.keep_clearance = c->clearance;
    bool fine = tr_tasks_create(NULL, c->members, &tasks, &s.error) == TR_OK &&
                tr_grid_divide(sample->ground, c->cells, &def.grid, &s.error) == TR_OK &&
                tr_occupancy_create(&def, &s.occupancy, &s.error) == TR_OK;
    tr_raster_def raster = {.backend = TR_RASTER_SOFT, .tasks = tasks};
    fine = fine && tr_raster_create(&raster, &s.raster, &s.error) == TR_OK;
    double nanoseconds = fine ? bench_time(build, &s) : 0;
    fine = fine && s.status == TR_OK;
    bench_result result = {.value = nanoseconds / 1e6, .unit = "ms", .paper = NAN, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "%s", c->id);
    snprintf(result.what, sizeof result.what, "%s", c->what);
    if (fine)
        bench_add(bench, &result);
    tr_occupancy_destroy(s.occupancy);
    tr_raster_destroy(s.raster);
    tr_tasks_destroy(tasks);
    return fine || complain(&s.error);
}

bool bench_scale(bench_report *bench) {
    tr_sample sample;
    tr_error error = {0};
    tr_sample_def def = {.name = "field", .triangles = 1000000, .seed = bench_seed(bench, 0)};
    bench_progress(bench, "a million triangles", 0);
    if (tr_sample_make(&def, &sample, &error) != TR_OK)
        return complain(&error);
    bool fine = true;
    for (uint32_t i = 0; i < CASE_COUNT && fine; i++) {
        bench_progress(bench, "a million triangles", (double)i / CASE_COUNT);
        fine = measure(bench, &sample, &cases[i]);
    }
    tr_scene_destroy(sample.scene);
    return fine;
}
