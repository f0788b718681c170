// All people set out at the same time. The first of them find the corridor empty, and room spreads from them
// to those behind, by one person a second: the people in the rear are not reached while they are measured,
// and nobody behind them matters. What counts are the people in a window that moves along with them.
#include "density_corridor.h"
#include "../bench.h"
#include "troupe/base/random.h"
#include "troupe/stage/stage.h"

#include <math.h>
#include <stdlib.h>

#define WALL 2.2f       // height [m]
#define BEFORE 1.0      // floor behind the last person [m]
#define PACE_MOST 2.0   // nobody gets farther than at this speed [m/s]
#define AWAY 0.1        // least distance of a place from where a body touches a wall [m]
#define APART 0.06      // and from another body [m]
#define REAR_BEGIN 1.0  // of those who count, from the last person [m],
#define REAR_END 11.0   // where they start
#define WINDOW 8.0      // length of what moves along with them [m]
#define STILL 0.05      // a slower person stands [m/s]
#define HEIGHTS 5       // of people
#define PLACES 300      // that are drawn for each person
#define TRIES 20        // rounds of such draws
#define DRAWS 40        // speeds that are drawn before the mean is taken
#define SPREAD_MOST 2.0 // standard deviations: nobody is slower or faster than this

typedef struct walker {
    tr_actor_id actor;
    tr_vec2 start;
    double speed, at, before; // that it wishes for; how far along it is, and was a tick ago [m]
} walker;

typedef struct corridor {
    density_corridor_def def;
    tr_scene *scene;
    tr_character *characters[HEIGHTS];
    tr_stage *stage;
    walker *people;
    uint32_t count;
    double whole; // length of the corridor [m]
    tr_random random;
} corridor;

density_corridor_def density_corridor_def_default(double density) {
    return (density_corridor_def){.density = density,
                                  .width = 3,
                                  .length = 40,
                                  .body = 0.22,
                                  .margin = 0.02,
                                  .speed = 1.4,
                                  .spread = 0.2,
                                  .settle = 10,
                                  .watch = 8,
                                  .seed = 1};
}

// --- The corridor, along +Z ---

static tr_status add_sheet(corridor *c, const tr_vec3 corners[4], const char *name, tr_error *error) {
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    tr_mesh_def def = {
        .name = name, .positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    tr_object_def object = {.name = name, .placement = tr_affine_identity()};
    uint32_t number;
    tr_status status = tr_scene_add_mesh(c->scene, &def, &object.mesh, error);
    return status == TR_OK ? tr_scene_add_object(c->scene, &object, &number, error) : status;
}

static tr_status build_scene(corridor *c, tr_error *error) {
    float half = (float)c->def.width / 2, out = half + 0.5f, begin = (float)-BEFORE, end = (float)c->whole;
    tr_vec3 floor[4] = {{-out, 0, begin}, {-out, 0, end}, {out, 0, end}, {out, 0, begin}};
    tr_status status = tr_scene_create(NULL, &c->scene);
    if (status != TR_OK)
        return tr_fail(error, status, "no memory for a corridor");
    status = add_sheet(c, floor, "floor", error);
    for (int side = -1; side <= 1 && status == TR_OK; side += 2) {
        float x = half * (float)side;
        tr_vec3 wall[4] = {{x, 0, begin}, {x, WALL, begin}, {x, WALL, end}, {x, 0, end}};
        status = add_sheet(c, wall, side < 0 ? "right wall" : "left wall", error);
    }
    return status;
}

static tr_status build(corridor *c, tr_error *error) {
    c->whole = c->def.length + PACE_MOST * (c->def.settle + c->def.watch);
    tr_status status = build_scene(c, error);
    for (uint32_t i = 0; i < HEIGHTS && status == TR_OK; i++) {
        tr_character_def def = {.height = 1.6f + 0.08f * (float)i, .detail = 1};
        status = tr_character_create(&def, &c->characters[i], error);
    }
    if (status != TR_OK)
        return status;
    float out = (float)c->def.width / 2 + 0.5f;
    tr_stage_def def = tr_stage_def_default(c->scene);
    def.area = (tr_box){{-out, -0.5f, (float)-BEFORE}, {out, 3, (float)c->whole}};
    def.seed = c->def.seed;
    def.margin = (float)c->def.margin;
    return tr_stage_create(&def, &c->stage, error);
}

// --- People ---

// Twelve uniform numbers are nearly a normal one.
static double draw_speed(corridor *c) {
    for (int i = 0; i < DRAWS; i++) {
        double sum = -6;
        for (int k = 0; k < 12; k++)
            sum += (double)tr_random_unit(&c->random);
        if (fabs(sum) < SPREAD_MOST)
            return c->def.speed + c->def.spread * sum;
    }
    return c->def.speed;
}

static double room_at(const corridor *c, tr_vec2 at) {
    double room = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        double x = (double)c->people[i].start.x - (double)at.x,
               z = (double)c->people[i].start.z - (double)at.z;
        room = fmin(room, sqrt(x * x + z * z));
    }
    return room;
}

// Of some places that are drawn, the first one with room, or the one with the most of it.
static tr_vec2 draw_place(corridor *c) {
    float half = (float)(c->def.width / 2 - c->def.body - AWAY);
    tr_vec2 best = {0, 0};
    double most = -1;
    for (int i = 0; i < TRIES * PLACES && (i < PLACES || most < 2 * c->def.body + APART); i++) {
        tr_vec2 at = {tr_random_between(&c->random, -half, half),
                      tr_random_between(&c->random, 0, (float)c->def.length)};
        double room = room_at(c, at);
        if (room > most)
            best = at, most = room;
    }
    return best;
}

static tr_status add_person(corridor *c, tr_error *error) {
    walker *person = &c->people[c->count];
    *person = (walker){.start = draw_place(c), .speed = draw_speed(c)};
    tr_stage_actor_def def = {.character = c->characters[tr_random_below(&c->random, HEIGHTS)],
                              .position = {person->start.x, 0, person->start.z},
                              .radius = (float)c->def.body,
                              .speed = (float)person->speed};
    tr_order order = {.kind = TR_ORDER_GO, .goal = {person->start.x, 0, (float)c->whole - 1}};
    tr_status status = tr_stage_add_actor(c->stage, &def, &person->actor, error);
    c->count += status == TR_OK;
    return status == TR_OK ? tr_stage_order(c->stage, person->actor, &order, TR_ORDER_QUEUE, NULL, error)
                           : status;
}

static tr_status fill(corridor *c, tr_error *error) {
    uint32_t count = (uint32_t)(c->def.density * c->def.length * c->def.width + 0.5);
    c->people = calloc(count, sizeof *c->people);
    if (!c->people)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u people", count);
    tr_status status = TR_OK;
    while (c->count < count && status == TR_OK)
        status = add_person(c, error);
    return status;
}

// --- The measurement ---

typedef struct sums {
    double density, speed, halts;
    uint64_t ticks, looks;
} sums;

static tr_status step(corridor *c, density_figures *figures, tr_error *error) {
    tr_status status = tr_stage_step(c->stage, TR_STAGE_TICK, error);
    uint32_t count;
    const tr_event *events = tr_stage_events(c->stage, &count);
    for (uint32_t i = 0; i < count; i++)
        figures->failed += events[i].kind == TR_EVENT_ORDER_FAILED;
    for (uint32_t i = 0; i < c->count; i++) {
        tr_actor_view view = {0};
        tr_stage_look(c->stage, c->people[i].actor, &view);
        c->people[i].before = c->people[i].at;
        c->people[i].at = (double)view.position.z;
    }
    return status == TR_DONE ? TR_OK : status;
}

static void look(const corridor *c, sums *all) {
    double middle = 0;
    uint32_t marked = 0, inside = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if ((double)c->people[i].start.z > REAR_BEGIN && (double)c->people[i].start.z < REAR_END) {
            middle += c->people[i].at;
            marked++;
        }
    middle /= marked ? marked : 1;
    for (uint32_t i = 0; i < c->count; i++) {
        const walker *person = &c->people[i];
        if (fabs(person->at - middle) > WINDOW / 2)
            continue;
        double speed = (person->at - person->before) / TR_STAGE_TICK;
        all->speed += speed;
        all->halts += speed < STILL;
        inside++;
    }
    all->looks += inside;
    all->density += inside / (WINDOW * c->def.width);
    all->ticks++;
}

static void conclude(const corridor *c, const sums *all, density_figures *figures) {
    figures->people = c->count;
    figures->nearest = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        figures->wish += c->people[i].speed / c->count;
        figures->nearest =
            fmin(figures->nearest, (double)tr_stage_counters_of(c->stage, c->people[i].actor).nearest);
    }
    figures->density = all->ticks ? all->density / (double)all->ticks : 0;
    figures->speed = all->looks ? all->speed / (double)all->looks : 0;
    figures->halts = all->looks ? all->halts / (double)all->looks : 0;
}

tr_status density_corridor_measure(const density_corridor_def *def, density_figures *figures,
                                   tr_error *error) {
    corridor c = {.def = *def, .random = tr_random_seed(def->seed)};
    sums all = {.ticks = 0};
    *figures = (density_figures){.people = 0};
    tr_status status = build(&c, error);
    if (status == TR_OK)
        status = fill(&c, error);
    uint32_t settle = (uint32_t)(def->settle / TR_STAGE_TICK),
             end = settle + (uint32_t)(def->watch / TR_STAGE_TICK);
    uint64_t begin = bench_thread_nanoseconds();
    for (uint32_t tick = 0; tick < end && status == TR_OK; tick++) {
        status = step(&c, figures, error);
        if (tick >= settle)
            look(&c, &all);
    }
    figures->tick_ms = (double)(bench_thread_nanoseconds() - begin) / 1e6 / end;
    if (status == TR_OK)
        conclude(&c, &all, figures);
    tr_stage_destroy(c.stage);
    for (uint32_t i = 0; i < HEIGHTS; i++)
        tr_character_destroy(c.characters[i]);
    tr_scene_destroy(c.scene);
    free(c.people);
    return status;
}
