// The upper body of Li's digital actor: the scenes of figure 9, planned in windows that slide along.
//
// She sees three seconds ahead and plans again after each step of half a second, as in the paper. What is
// measured is the processor time of planning alone, per frame of the motion that is shown.
#include "bench_li.h"
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>

#define FRAMES_MAX 256
#define AHEAD 90 // frames of a window
#define STEP 15  // frames until the next
#define HEIGHT 1.75f
#define ROUNDS 5

typedef struct upper_stand {
    tr_sample sample;
    tr_solid *solid;
    tr_comply *comply;
    tr_comply_def def;
    tr_comply_place places[FRAMES_MAX];
    tr_comply_pose preferred[FRAMES_MAX], shown[FRAMES_MAX];
    uint32_t frames;
    tr_error error;
} upper_stand;

typedef struct upper_times {
    double whole, worst; // of one walk, of one plan [ns]
} upper_times;

// She walks along z on `x`.
static tr_status open_stand(upper_stand *stand, const char *name, uint64_t seed, float x) {
    stand->solid = NULL, stand->comply = NULL, stand->sample.scene = NULL;
    tr_status status =
        tr_sample_make(&(tr_sample_def){.name = name, .seed = seed}, &stand->sample, &stand->error);
    if (status != TR_OK)
        return status;
    tr_solid_def solid = tr_solid_def_default(stand->sample.scene);
    solid.clearance_cell = 0.05f; // over where the body is
    solid.clearance_box =
        (tr_box){{x - 0.9f, 0.3f, stand->sample.start.z}, {x + 0.9f, 2.1f, stand->sample.goal.z}};
    stand->def = tr_comply_def_default();
    stand->def.body = tr_comply_body_default(HEIGHT);
    status = tr_solid_create(&solid, &stand->solid, &stand->error);
    if (status == TR_OK)
        status = tr_comply_create(&stand->def, &stand->comply, &stand->error);
    float speed = 1.3f, length = stand->sample.goal.z - stand->sample.start.z;
    stand->frames = (uint32_t)(length / speed * 30) + 1;
    stand->frames = stand->frames < FRAMES_MAX ? stand->frames : FRAMES_MAX;
    for (uint32_t f = 0; f < stand->frames; f++) {
        stand->places[f] =
            (tr_comply_place){{x, 0.53f * HEIGHT, stand->sample.start.z + speed * (float)f / 30}, 0};
        stand->preferred[f] = tr_comply_swing((float)f / 32, 1);
    }
    return status;
}

static void close_stand(upper_stand *stand) {
    tr_comply_destroy(stand->comply);
    tr_solid_destroy(stand->solid);
    tr_scene_destroy(stand->sample.scene);
}

static tr_status walk(upper_stand *stand, upper_times *times) {
    tr_comply_query query = tr_comply_query_default();
    tr_comply_pose pose, velocity;
    *times = (upper_times){0, 0};
    query.solid = stand->solid;
    for (uint32_t at = 0; at + 1 < stand->frames;) {
        uint32_t left = stand->frames - at, ahead = left - 1 < STEP ? left - 1 : STEP;
        query.places = stand->places + at;
        query.preferred = stand->preferred + at;
        query.frame_count = left < AHEAD ? left : AHEAD;
        uint64_t begin = bench_thread_nanoseconds();
        tr_status status = tr_comply_plan(stand->comply, &query, &stand->error);
        double taken = (double)(bench_thread_nanoseconds() - begin);
        if (status != TR_OK)
            return status;
        const tr_comply_result *result = tr_comply_last(stand->comply);
        for (uint32_t f = 0; f <= ahead; f++)
            stand->shown[at + f] = result->poses[f];
        pose = result->poses[ahead], velocity = result->velocities[ahead];
        query.pose = &pose, query.velocity = &velocity, query.passed = ahead;
        at += ahead;
        times->whole += taken;
        times->worst = taken > times->worst ? taken : times->worst;
    }
    return TR_OK;
}

// The exact distance of everything that is planned from the triangles, at every frame and 8 times in between.
static double least_clearance(const upper_stand *stand) {
    double least = 9;
    for (uint32_t f = 0; f + 1 < stand->frames; f++)
        for (int s = 0; s < 8; s++) {
            float share = (float)s / 8;
            tr_comply_place place = stand->places[f];
            place.position = tr_vec3_add(
                place.position,
                tr_vec3_scale(tr_vec3_subtract(stand->places[f + 1].position, place.position), share));
            tr_comply_pose pose;
            for (size_t k = 0; k < sizeof pose / sizeof(float); k++) {
                float a = ((const float *)&stand->shown[f])[k], b = ((const float *)&stand->shown[f + 1])[k];
                ((float *)&pose)[k] = a + share * (b - a);
            }
            tr_solid_capsule capsules[TR_COMPLY_CAPSULES_MAX];
            uint32_t count = tr_comply_capsules(&stand->def.body, &place, &pose, capsules);
            for (uint32_t i = 0; i < count; i++) {
                if (i < stand->def.body.part_count && stand->def.body.parts[i].on_pelvis)
                    continue;
                double room =
                    (double)(tr_solid_distance(stand->solid, capsules[i].a, capsules[i].b, 9, NULL) -
                             capsules[i].radius);
                least = room < least ? room : least;
            }
        }
    return least;
}

static void add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                double paper) {
    bench_result result = {.value = value, .unit = unit, .paper = paper, .peer_value = (double)NAN};
    snprintf(result.id, sizeof result.id, "li.%.50s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

static bool measure(bench_report *bench, upper_stand *stand, upper_times *best, double *clearance) {
    double whole[ROUNDS], worst[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        upper_times times;
        if (walk(stand, &times) != TR_OK) {
            command_complain_of(&stand->error);
            return false;
        }
        whole[round] = times.whole, worst[round] = times.worst;
    }
    (void)bench;
    *best = (upper_times){bench_median(whole, ROUNDS), bench_median(worst, ROUNDS)};
    *clearance = least_clearance(stand);
    return true;
}

// Where nothing is near: along the middle of the widest lane of the course.
static bool measure_open(bench_report *bench) {
    upper_stand stand;
    upper_times times = {0, 0};
    double clearance;
    tr_status status = open_stand(&stand, "course", bench_seed(bench, 0), 10);
    bool fine = status == TR_OK && measure(bench, &stand, &times, &clearance);
    if (status != TR_OK)
        command_complain_of(&stand.error);
    if (fine)
        add(bench, "upper_open_fps", "upper body in the open, frames planned per second",
            1e9 * (stand.frames - 1) / times.whole, "1/s", (double)NAN);
    close_stand(&stand);
    return fine;
}

bool bench_li_upper(bench_report *bench) {
    static const char *const scenes[] = {"passage", "slide", "tables"};
    static const char *const whats[] = {"upper body through narrow passages (figure 9 a, b)",
                                        "upper body under a slide (figure 9 c, d)",
                                        "upper body past the edges of tables"};
    upper_stand stand;
    double whole = 0, worst = 0, frames = 0, least = 9;
    bool fine = true;
    for (int i = 0; i < 3 && fine; i++) {
        upper_times times = {0, 0};
        double clearance = 9;
        bench_progress(bench, whats[i], i / 3.0);
        tr_status status = open_stand(&stand, scenes[i], bench_seed(bench, 0), 0);
        fine = status == TR_OK && measure(bench, &stand, &times, &clearance);
        if (status != TR_OK)
            command_complain_of(&stand.error);
        char id[40], what[160];
        snprintf(id, sizeof id, "upper_%s_fps", scenes[i]);
        snprintf(what, sizeof what, "%s, frames planned per second", whats[i]);
        if (fine)
            add(bench, id, what, 1e9 * (stand.frames - 1) / times.whole, "1/s", (double)NAN);
        whole += times.whole, frames += stand.frames - 1;
        worst = times.worst > worst ? times.worst : worst;
        least = clearance < least ? clearance : least;
        close_stand(&stand);
    }
    if (!fine || !measure_open(bench))
        return false;
    add(bench, "upper_fps", "upper body in all scenes of figure 9, frames planned per second",
        1e9 * frames / whole, "1/s", 14.2);
    add(bench, "upper_worst_ms", "the slowest plan, three seconds ahead", worst / 1e6, "ms", (double)NAN);
    add(bench, "upper_clearance_mm", "least clearance at triangle level, 240 times a second", 1e3 * least,
        "mm", (double)NAN);
    return true;
}
