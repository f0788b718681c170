// One run from its seed to its end.
#include "chaos.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLD 5       // faults of a run are printed, the others counted
#define IMPASSE 60.0 // nobody has moved and no order has ended for so long: nothing more will happen [s]

void chaos_fault(chaos *c, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (c->result->faults++ == 0)
        snprintf(c->result->first, sizeof c->result->first, "seed %llu (%s), at %.3f s: %s",
                 (unsigned long long)c->def->seed, c->scene_name, c->time, text);
    if (!c->def->quiet && c->result->faults <= TOLD)
        printf("fault: seed %llu (%s), at %.3f s: %s\n", (unsigned long long)c->def->seed, c->scene_name,
               c->time, text);
}

// --- Memory ---

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
    chaos *c = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    if (c->fails_in > 0 && --c->fails_in == 0) {
        c->failed = true;
        return NULL;
    }
    return realloc(old, new_size);
}

bool chaos_is_short(chaos *c, tr_status status) {
    bool failed = c->failed;
    c->failed = false;
    if (status == TR_OUT_OF_MEMORY && !failed)
        chaos_fault(c, "there is no memory, and nobody asked for any");
    return status == TR_OUT_OF_MEMORY;
}

// --- Chance ---

float chaos_between(chaos *c, float low, float high) {
    return tr_random_between(&c->random, low, high);
}

uint32_t chaos_below(chaos *c, uint32_t count) {
    return tr_random_below(&c->random, count);
}

bool chaos_chance(chaos *c, float share) {
    return tr_random_unit(&c->random) < share;
}

tr_vec3 chaos_point(chaos *c) {
    float beyond = chaos_chance(c, 0.05f) ? 3.0f : 0;
    float height = chaos_chance(c, 0.3f) ? chaos_between(c, c->area.min.y, c->area.max.y) : 0;
    return tr_vec3_make(chaos_between(c, c->area.min.x - beyond, c->area.max.x + beyond), height,
                        chaos_between(c, c->area.min.z - beyond, c->area.max.z + beyond));
}

tr_actor_id chaos_somebody(chaos *c) {
    return c->person_count ? c->people[chaos_below(c, c->person_count)].id : 0;
}

chaos_person *chaos_find(chaos *c, tr_actor_id id) {
    for (uint32_t i = 0; i < c->person_count; i++)
        if (c->people[i].id == id)
            return &c->people[i];
    return NULL;
}

uint32_t chaos_open_orders(const chaos_person *who) {
    uint32_t open = 0;
    for (uint32_t i = 0; i < who->order_count; i++)
        open += !who->orders[i].ended;
    return open;
}

void chaos_note_order(chaos *c, chaos_person *who, const tr_order *order, uint32_t number) {
    if (number != who->order_count)
        chaos_fault(c, "order %u of actor %u has the number %u", who->order_count, who->id, number);
    if (who->order_count == who->order_capacity) {
        uint32_t capacity = 2 * who->order_capacity + 8;
        chaos_order *orders = realloc(who->orders, capacity * sizeof *orders);
        if (!orders)
            abort();
        who->orders = orders;
        who->order_capacity = capacity;
    }
    who->orders[who->order_count] = (chaos_order){
        .number = who->order_count, .order = *order, .state = TR_ORDER_PENDING, .given = c->time};
    who->order_count++;
    c->result->orders++;
    if (order->speed > who->fastest)
        who->fastest = order->speed;
    float steered = sqrtf(order->velocity.x * order->velocity.x + order->velocity.z * order->velocity.z);
    if (order->kind == TR_ORDER_STEER && steered > who->fastest)
        who->fastest = steered;
}

static bool open_stage(chaos *c, tr_error *error) {
    tr_stage_def def = tr_stage_def_default(c->scene);
    def.allocator = &c->memory;
    def.area = c->area;
    def.cell = chaos_chance(c, 0.7f) ? 0.05f : 0.1f;
    def.margin = chaos_chance(c, 0.7f) ? 0.1f : chaos_between(c, 0, 0.3f);
    def.plan_budget = chaos_chance(c, 0.8f) ? 0 : 100 + chaos_below(c, 5000);
    def.record = chaos_chance(c, 0.1f);
    def.links = c->links;
    def.link_count = c->link_count;
    return tr_stage_create(&def, &c->stage, error) == TR_OK;
}

static void step(chaos *c, double dt) {
    tr_error error = {0};
    double before = c->time;
    tr_status status = tr_stage_step(c->stage, dt, &error);
    c->time = tr_stage_time(c->stage);
    uint32_t ticks = (uint32_t)((c->time - before) / TR_STAGE_TICK + 0.5);
    c->result->ticks += ticks;
    if (status != TR_OK && status != TR_DONE && !chaos_is_short(c, status))
        chaos_fault(c, "a step of %g s gives %d: %s", dt, (int)status, error.message);
    else
        chaos_judge(c, status, ticks);
}

static void step_at_random(chaos *c) {
    const double steps[] = {0, 1e-4, 1.0 / 144, 1.0 / 60, 0.05, 0.11, 1};
    double dt = chaos_chance(c, 0.7f) ? TR_STAGE_TICK : steps[chaos_below(c, chaos_chance(c, 0.05f) ? 7 : 6)];
    if (chaos_chance(c, 0.01f)) {
        const double bad[] = {-1, 1.01, NAN, INFINITY};
        tr_error error = {0};
        if (tr_stage_step(c->stage, bad[chaos_below(c, 4)], &error) != TR_INVALID || !error.message[0])
            chaos_fault(c, "a bad step was taken");
    }
    if (c->def->seed % 5 == 0 && chaos_chance(c, 0.02f))
        c->fails_in = 1 + chaos_below(c, 30);
    step(c, dt);
}

// --- Does every order end? ---

// What never ends by itself is taken back; everything else is left alone, and nothing moves any more.
static void calm(chaos *c) {
    for (uint32_t i = 0; i < c->thing_count; i++) {
        c->things[i].drift_left = 0;
        if (c->things[i].is_there)
            tr_scene_set_trajectory(c->scene, c->things[i].object, NULL, NULL);
        c->things[i].is_cart = false;
    }
    for (uint32_t i = 0; i < c->person_count; i++) {
        chaos_person *who = &c->people[i];
        for (uint32_t k = 0; k < who->order_count; k++) {
            const tr_order *order = &who->orders[k].order;
            bool follows = order->kind == TR_ORDER_GO && order->goal_kind == TR_GOAL_ACTOR;
            if (!who->orders[k].ended && !(order->deadline > 0) && (follows || order->kind == TR_ORDER_STEER))
                tr_stage_cancel(c->stage, who->id, who->orders[k].number);
        }
    }
}

typedef struct wait_search {
    chaos *c;
    chaos_person *who;
    tr_actor_id blocker;
} wait_search;

static void take_line(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 from, tr_vec3 to) {
    wait_search *search = user;
    (void)from;
    if (kind != TR_DRAW_BLOCKED_BY || actor != search->who->id)
        return;
    for (uint32_t i = 0; i < search->c->person_count; i++) {
        tr_vec3 off = tr_vec3_subtract(search->c->people[i].at, to);
        if (tr_vec3_length(off) < 1e-3f)
            search->blocker = search->c->people[i].id;
    }
}

static void tell_waiting(chaos *c, chaos_person *who) {
    for (uint32_t k = 0; k < who->order_count; k++) {
        const chaos_order *order = &who->orders[k];
        if (order->ended || !order->begun)
            continue;
        wait_search search = {.c = c, .who = who};
        tr_draw draw = {.line = take_line, .user = &search};
        tr_stage_draw(c->stage, &draw);
        tr_vec3 goal = order->order.goal;
        printf("endless: seed %llu (%s): actor %u (radius %.2f) at (%.2f, %.2f, %.2f), order %u of kind %d, "
               "goal kind "
               "%d (%.2f, %.2f, %.2f), has not moved for %.0f s, waits for %u, was blocked by %u\n",
               (unsigned long long)c->def->seed, c->scene_name, who->id, (double)who->radius,
               (double)who->at.x, (double)who->at.y, (double)who->at.z, order->number, (int)order->order.kind,
               (int)order->order.goal_kind, (double)goal.x, (double)goal.y, (double)goal.z,
               c->time - who->moved, search.blocker, who->blocker);
    }
}

static uint32_t open_orders(const chaos *c) {
    uint32_t open = 0;
    for (uint32_t i = 0; i < c->person_count; i++)
        open += chaos_open_orders(&c->people[i]);
    return open;
}

static void wait_for_ends(chaos *c) {
    c->fails_in = 0;
    calm(c);
    double begin = c->time, ended = c->time;
    uint32_t open = open_orders(c);
    while (open && c->time - begin < c->def->patience && c->result->faults < 100) {
        step(c, TR_STAGE_TICK);
        uint32_t now = open_orders(c);
        ended = now < open ? c->time : ended;
        open = now;
        double moved = ended;
        for (uint32_t i = 0; i < c->person_count; i++)
            moved = c->people[i].moved > moved ? c->people[i].moved : moved;
        if (c->time - moved > IMPASSE)
            break;
    }
    c->result->endless = open;
    for (uint32_t i = 0; i < c->person_count && open && !c->def->quiet; i++)
        tell_waiting(c, &c->people[i]);
}

static void close_chaos(chaos *c) {
    tr_stage_destroy(c->stage);
    tr_scene_destroy(c->scene);
    for (uint32_t i = 0; i < c->person_count; i++)
        free(c->people[i].orders);
    for (uint32_t i = 0; i < c->gone_count; i++)
        free(c->gone[i].orders);
    free(c->floats);
    free(c);
}

bool chaos_run(const chaos_def *def, chaos_result *result) {
    *result = (chaos_result){.ticks = 0};
    chaos *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    c->def = def;
    c->result = result;
    c->memory = (tr_allocator){.resize = resize, .user = c};
    c->random = tr_random_seed(def->seed);
    c->scene_name = "nowhere";
    c->person_max = 2 + chaos_below(c, CHAOS_ACTORS - 1);
    float often = chaos_between(c, 0.01f, 0.2f);
    tr_error error = {0};
    if (!chaos_open_scene(c, &error) || !open_stage(c, &error)) {
        chaos_fault(c, "there is no stage: %s", error.message);
        close_chaos(c);
        return false;
    }
    chaos_populate(c);
    while (c->time < def->ticks * TR_STAGE_TICK && result->faults < 100) {
        for (int acts = 0; acts < 10 && chaos_chance(c, often); acts++)
            chaos_act(c);
        chaos_move_things(c);
        step_at_random(c);
    }
    if (def->patience > 0)
        wait_for_ends(c);
    close_chaos(c);
    return result->faults == 0;
}
