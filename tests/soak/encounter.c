#include "encounter.h"

#include "block.h"
#include "troupe/base/random.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <string.h>

#define RADIUS 0.3f
#define LONGEST 120.0 // for an order [s]
#define PARTS 4       // of a tick that are looked at
#define DOOR 1.2f     // width [m]
#define DOOR_SECONDS 1.5

typedef struct encounter {
    tr_random random;
    tr_scene *scene;
    tr_stage *stage;
    tr_actor_id who;
    uint32_t thing;
    tr_box box; // of the thing, in its own axes
    tr_vec3 start, goal;
} encounter;

const char *encounter_name(encounter_kind kind) {
    static const char *const names[] = {"a cart on level ground", "a cart on a bridge", "a door that shuts",
                                        "a door that shuts and opens", "a door that shuts, with another way"};
    return names[kind];
}

static const tr_character *adult(void) {
    static tr_character *made;
    tr_character_def def = {.detail = 1};
    if (!made)
        tr_character_create(&def, &made, NULL);
    return made;
}

static float between(encounter *e, float low, float high) {
    return tr_random_between(&e->random, low, high);
}

// The thing goes from a to b and stays there, or comes back.
static void send_thing(encounter *e, tr_vec3 a, tr_vec3 b, double heading, double begin, double seconds,
                       double pause) {
    tr_affine placed = tr_affine_place(tr_vec3_make(0, 0, 0), heading);
    tr_transform from = {.position = a, .rotation = tr_affine_rotation(&placed), .scale = {1, 1, 1}},
                 to = from;
    to.position = b;
    const double times[] = {begin, begin + seconds, begin + seconds + pause, begin + 2 * seconds + pause};
    const tr_transform transforms[] = {from, to, to, from};
    tr_trajectory_def way = {.times = times, .transforms = transforms, .count = pause > 0 ? 4 : 2};
    tr_scene_set_trajectory(e->scene, e->thing, &way, NULL);
    tr_scene_set_time(e->scene, 0);
}

static void add_cart(encounter *e) {
    e->box = (tr_box){{-0.6f, 0.02f, -0.4f}, {0.6f, 0.9f, 0.4f}};
    e->thing = add_block(e->scene, NULL, e->box.min, e->box.max);
}

// Across the way of somebody, so that they would meet somewhere in the middle.
static bool set_level(encounter *e) {
    if (tr_scene_create(NULL, &e->scene) != TR_OK)
        return false;
    add_block(e->scene, NULL, tr_vec3_make(-8, -0.2f, -8), tr_vec3_make(8, 0, 8));
    add_cart(e);
    e->start = tr_vec3_make(between(e, -1, 1), 0, -6);
    e->goal = tr_vec3_make(between(e, -1, 1), 0, 6);
    tr_vec3 a = {-7, 0, between(e, -4, 4)}, b = {7, 0, between(e, -4, 4)};
    if (tr_random_below(&e->random, 2)) {
        tr_vec3 kept = a;
        a = b;
        b = kept;
    }
    double speed = (double)between(e, 0.3f, 2), x = b.x - a.x, z = b.z - a.z, length = sqrt(x * x + z * z);
    double meeting = 1 + (double)((a.z + b.z) / 2 + 6) / 1.3, begin = meeting - length / 2 / speed;
    double heading = x > 0 ? 0 : 3.14159265;
    send_thing(e, a, b, heading, begin > 0 ? begin : 0, length / speed, 0);
    return true;
}

// Along the bridge against somebody, on one side of it, or across its end.
static bool set_bridge(encounter *e) {
    tr_sample sample = {0};
    tr_sample_def def = {.name = "bridge", .width = between(e, 2.4f, 4), .length = between(e, 3, 8)};
    if (tr_sample_make(&def, &sample, NULL) != TR_OK)
        return false;
    e->scene = sample.scene;
    e->thing = sample.first_movable;
    e->box = (tr_box){{-0.6f, 0, -0.4f}, {0.6f, 0.9f, 0.4f}};
    e->start = sample.start;
    e->goal = sample.goal;
    float end = sample.length / 2, far = end + 8, side = sample.width / 2 - 0.5f, z = between(e, -side, side);
    double speed = (double)between(e, 0.3f, 1.2f);
    if (tr_random_below(&e->random, 3) == 0) {
        float x = end + between(e, -0.5f, 1.5f), half = x < end + 0.8f ? side : 3.5f;
        send_thing(e, tr_vec3_make(x, 0, -half), tr_vec3_make(x, 0, half), 1.5707963,
                   (double)between(e, 0, 8), 2 * (double)half / speed, 1);
    } else {
        send_thing(e, tr_vec3_make(far, 0, z), tr_vec3_make(-far, 0, z), 0, (double)between(e, 0, 6),
                   2 * (double)far / speed, 0);
    }
    return true;
}

// Two rooms and a door that shuts at any time from before somebody sets out to when it is through.
static bool set_door(encounter *e, bool opens, bool detour) {
    if (tr_scene_create(NULL, &e->scene) != TR_OK)
        return false;
    float end = detour ? 4 : 8, half = DOOR / 2;
    add_block(e->scene, NULL, tr_vec3_make(-6, -0.2f, -8), tr_vec3_make(6, 0, 8));
    add_block(e->scene, NULL, tr_vec3_make(-0.1f, 0, -8), tr_vec3_make(0.1f, 2.4f, -half));
    add_block(e->scene, NULL, tr_vec3_make(-0.1f, 0, half), tr_vec3_make(0.1f, 2.4f, end));
    e->box = (tr_box){{-0.03f, 0.02f, -half}, {0.03f, 2, half}};
    e->thing = add_block(e->scene, NULL, e->box.min, e->box.max);
    e->start = tr_vec3_make(-5, 0, between(e, -2, 2));
    e->goal = tr_vec3_make(5, 0, between(e, -2, 2));
    send_thing(e, tr_vec3_make(0.15f, 0, -DOOR - 0.02f), tr_vec3_make(0.15f, 0, 0), 0,
               (double)between(e, 0, 6), DOOR_SECONDS, opens ? 4 : 0);
    return true;
}

static bool set_up(encounter *e, encounter_kind kind) {
    switch (kind) {
    case ENCOUNTER_CART_LEVEL:
        return set_level(e);
    case ENCOUNTER_CART_BRIDGE:
        return set_bridge(e);
    default:
        return set_door(e, kind == ENCOUNTER_DOOR_OPENS, kind == ENCOUNTER_DOOR_DETOUR);
    }
}

// From the point to the thing, as it is at this time, seen from above.
static float distance(const encounter *e, double time, tr_vec2 point) {
    const tr_trajectory *way = tr_scene_trajectory(e->scene, e->thing);
    tr_affine place = tr_affine_from_transform(tr_trajectory_sample(way, time)), back;
    tr_affine_invert(&place, &back);
    tr_vec3 p = tr_affine_apply(&back, tr_vec3_make(point.x, 0, point.z));
    float x = fmaxf(fmaxf(e->box.min.x - p.x, p.x - e->box.max.x), 0);
    float z = fmaxf(fmaxf(e->box.min.z - p.z, p.z - e->box.max.z), 0);
    return sqrtf(x * x + z * z);
}

static void look(const encounter *e, double before, tr_vec2 from, tr_vec2 to, encounter_result *result) {
    for (int part = 1; part <= PARTS; part++) {
        float t = (float)part / PARTS;
        tr_vec2 at = {from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
        double time = before + (double)t * TR_STAGE_TICK;
        float gap = distance(e, time, at) - RADIUS;
        if (gap < result->nearest) {
            result->nearest = gap;
            result->time = time;
        }
    }
}

static void play(encounter *e, encounter_result *result) {
    const tr_trajectory *way = tr_scene_trajectory(e->scene, e->thing);
    double begin = tr_trajectory_begin(way), end = tr_trajectory_end(way);
    tr_actor_view view = {0};
    tr_stage_look(e->stage, e->who, &view);
    tr_vec2 from = tr_vec3_from_above(view.position);
    tr_status status = TR_OK;
    while ((status == TR_OK || tr_stage_time(e->stage) < end + 5) && tr_stage_time(e->stage) < LONGEST) {
        double before = tr_stage_time(e->stage);
        status = tr_stage_step(e->stage, TR_STAGE_TICK, NULL);
        tr_stage_look(e->stage, e->who, &view);
        look(e, before, from, tr_vec3_from_above(view.position), result);
        from = tr_vec3_from_above(view.position);
        for (double t = begin; t < end && before < begin; t += 0.05)
            result->was_in_the_way = result->was_in_the_way || distance(e, t, from) < RADIUS + 0.05f;
        if (before < begin && tr_stage_time(e->stage) < begin)
            result->was_in_the_way = false; // the last tick before it sets out counts
    }
    tr_order_report report;
    if (tr_stage_order_report(e->stage, e->who, 0, &report) != TR_OK)
        return;
    result->state = report.state;
    result->seconds = report.end - report.begin;
    memcpy(result->reason, report.reason, sizeof result->reason);
}

bool encounter_run(encounter_kind kind, uint64_t seed, encounter_result *result) {
    encounter e = {.random = tr_random_seed(1000 * seed + (uint64_t)kind)};
    *result = (encounter_result){.nearest = INFINITY};
    bool done = set_up(&e, kind);
    tr_stage_def def = tr_stage_def_default(e.scene);
    done = done && tr_stage_create(&def, &e.stage, NULL) == TR_OK;
    tr_stage_actor_def who = {.character = adult(), .position = e.start, .radius = RADIUS};
    tr_order go = {.kind = TR_ORDER_GO, .goal = e.goal};
    done = done && tr_stage_add_actor(e.stage, &who, &e.who, NULL) == TR_OK &&
           tr_stage_order(e.stage, e.who, &go, TR_ORDER_QUEUE, NULL, NULL) == TR_OK;
    if (done)
        play(&e, result);
    tr_stage_destroy(e.stage);
    tr_scene_destroy(e.scene);
    return done;
}

bool encounter_ended_well(encounter_kind kind, const encounter_result *result) {
    if (kind == ENCOUNTER_DOOR_SHUTS)
        return result->state == TR_ORDER_DONE || (result->state == TR_ORDER_FAILED && result->reason[0]);
    return result->state == TR_ORDER_DONE;
}
