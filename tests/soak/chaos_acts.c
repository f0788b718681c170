// What is done to the stage between two steps: people come, go and are put elsewhere, orders of every kind
// are given and taken back, and much of it is nonsense that has to be refused.
#include "chaos.h"

#include <stdlib.h>
#include <string.h>

static const float heights[] = {1.2f, 1.6f, 1.75f, 1.95f};
static const float radii[] = {0.22f, 0.3f, 0.36f};

// Made once for all runs: that takes longer than most of what is done with them.
static tr_character *character_of(uint32_t kind) {
    static tr_character *made[4];
    tr_character_def def = {.height = heights[kind], .detail = 1};
    if (!made[kind])
        tr_character_create(&def, &made[kind], NULL);
    return made[kind];
}

static float bad_number(chaos *c) {
    const float bad[] = {NAN, INFINITY, -INFINITY, -1, 1e30f};
    return bad[chaos_below(c, 5)];
}

static tr_actor_id bad_id(chaos *c) {
    const tr_actor_id bad[] = {0, TR_NONE, c->last_id + 1, c->last_id + 1000};
    uint32_t which = chaos_below(c, 5);
    return which < 4 ? bad[which] : c->gone_count ? c->gone[chaos_below(c, c->gone_count)].id : 0;
}

static void add_person(chaos *c) {
    if (c->person_count == c->person_max)
        return;
    uint32_t kind = chaos_below(c, 4);
    chaos_person person = {
        .character = character_of(kind), .radius = radii[chaos_below(c, 3)], .is_fresh = true};
    tr_stage_actor_def def = {.character = person.character,
                              .position = chaos_point(c),
                              .any_floor = chaos_chance(c, 0.3f),
                              .heading = chaos_between(c, -4, 4),
                              .radius = person.radius,
                              .speed = chaos_between(c, 0.5f, 2)};
    person.height = def.height = 1.05f * heights[kind];
    person.fastest = def.speed;
    bool is_bad = chaos_chance(c, 0.1f);
    if (is_bad)
        *(chaos_chance(c, 0.5f) ? &def.position.x : &def.radius) = NAN;
    tr_error error = {0};
    tr_status status = tr_stage_add_actor(c->stage, &def, &person.id, &error);
    if (chaos_is_short(c, status))
        return;
    if (status != TR_OK) {
        if (person.id || !error.message[0] || (status != TR_INVALID && status != TR_LIMIT))
            chaos_fault(c, "an actor was refused with status %d, id %u, '%s'", (int)status, person.id,
                        error.message);
        return;
    }
    if (is_bad || person.id <= c->last_id)
        chaos_fault(c, "actor %u after %u; is it a bad one? %d", person.id, c->last_id, is_bad);
    c->last_id = person.id;
    tr_actor_view view = {0};
    tr_stage_look(c->stage, person.id, &view);
    person.at = view.position;
    person.moved = c->time;
    c->people[c->person_count++] = person;
}

// The books of somebody who is gone are kept for a while: events of its last step may still come.
static void remove_person(chaos *c) {
    if (tr_stage_remove_actor(c->stage, bad_id(c)) != TR_INVALID)
        chaos_fault(c, "somebody was removed who is not there");
    if (!c->person_count)
        return;
    uint32_t which = chaos_below(c, c->person_count);
    tr_status status = tr_stage_remove_actor(c->stage, c->people[which].id);
    if (chaos_is_short(c, status))
        return;
    if (status != TR_OK)
        chaos_fault(c, "actor %u cannot be removed", c->people[which].id);
    if (c->gone_count == CHAOS_ACTORS) {
        free(c->gone[0].orders);
        memmove(c->gone, c->gone + 1, (CHAOS_ACTORS - 1) * sizeof *c->gone);
        c->gone_count--;
    }
    c->gone[c->gone_count++] = c->people[which];
    c->person_count--;
    memmove(c->people + which, c->people + which + 1, (c->person_count - which) * sizeof *c->people);
}

static void place_person(chaos *c) {
    tr_vec3 to = chaos_point(c);
    tr_error error = {0};
    if (tr_stage_place_actor(c->stage, bad_id(c), to, 0, &error) != TR_INVALID || !error.message[0])
        chaos_fault(c, "somebody was placed who is not there");
    tr_actor_id id = chaos_somebody(c);
    if (!id)
        return;
    if (chaos_chance(c, 0.1f)) {
        to.y = NAN;
        if (tr_stage_place_actor(c->stage, id, to, 0, &error) != TR_INVALID)
            chaos_fault(c, "actor %u was placed nowhere", id);
        return;
    }
    chaos_person *who = chaos_find(c, id);
    if (chaos_chance(c, 0.5f)) // beside others, or onto them
        to = tr_vec3_add(c->people[chaos_below(c, c->person_count)].at,
                         tr_vec3_make(chaos_between(c, -1, 1), 0, chaos_between(c, -1, 1)));
    tr_status status = tr_stage_place_actor(c->stage, id, to, chaos_between(c, -4, 4), &error);
    tr_actor_view view = {0};
    tr_stage_look(c->stage, id, &view);
    if (status == TR_OK) {
        who->is_fresh = true;
        who->at = view.position;
        who->inside = 0;
    }
}

// A way to go, of any kind; `to` gets bad numbers now and then.
static void draw_go(chaos *c, tr_order *order) {
    order->kind = TR_ORDER_GO;
    order->goal = chaos_point(c);
    order->any_floor = chaos_chance(c, 0.4f);
    order->near = chaos_chance(c, 0.2f) ? chaos_between(c, 0, 1.5f) : 0;
    order->has_heading = chaos_chance(c, 0.3f);
    order->heading = chaos_between(c, -4, 4);
    order->speed = chaos_chance(c, 0.3f) ? chaos_between(c, 0.3f, 3) : 0;
    uint32_t kind = chaos_below(c, 10);
    order->goal_kind = kind < 6    ? TR_GOAL_POINT
                       : kind == 6 ? TR_GOAL_REGION
                       : kind == 7 ? TR_GOAL_OBJECT
                                   : TR_GOAL_ACTOR;
    tr_vec3 half = {chaos_between(c, 0.1f, 2), 1, chaos_between(c, 0.1f, 2)};
    order->region = (tr_box){tr_vec3_subtract(order->goal, half), tr_vec3_add(order->goal, half)};
    order->object = chaos_below(c, tr_scene_object_count(c->scene) + 2);
    order->target = chaos_somebody(c);
}

static tr_order draw_order(chaos *c) {
    tr_order order = {.deadline = chaos_chance(c, 0.3f) ? (double)chaos_between(c, 0.1f, 30) : 0};
    uint32_t kind = chaos_below(c, 20);
    if (kind < 13)
        draw_go(c, &order);
    else if (kind < 16)
        order = (tr_order){.kind = TR_ORDER_WAIT, .seconds = (double)chaos_between(c, 0, 4)};
    else if (kind < 17)
        order.kind = TR_ORDER_LOWER;
    else if (kind < 18 && chaos_chance(c, 0.5f))
        order = (tr_order){.kind = TR_ORDER_DRAG, .seconds = (double)chaos_between(c, 0.1f, 12)};
    else if (kind < 18)
        order.kind = TR_ORDER_STEER;
    else
        order.kind = TR_ORDER_REACH;
    if (order.kind == TR_ORDER_DRAG) {
        order.drag.ahead = chaos_between(c, -1, 1.5f);
        order.drag.aside = chaos_chance(c, 0.3f) ? chaos_between(c, -1, 1) : 0;
        order.drag.turn = chaos_between(c, -1, 1);
    }
    order.velocity = (tr_vec2){chaos_between(c, -2, 2), chaos_between(c, -2, 2)};
    if (order.kind == TR_ORDER_REACH) {
        order.hands = chaos_below(c, 4);
        order.has_object = chaos_chance(c, 0.4f) && c->thing_count;
        order.object = order.has_object ? c->things[chaos_below(c, c->thing_count)].object : 0;
        tr_actor_id id = chaos_somebody(c);
        tr_vec3 near = id ? chaos_find(c, id)->at : chaos_point(c);
        order.point =
            tr_vec3_add(near, tr_vec3_make(chaos_between(c, -0.7f, 0.7f), chaos_between(c, 0.5f, 1.6f),
                                           chaos_between(c, -0.7f, 0.7f)));
        order.hold = (double)chaos_between(c, 0, 1);
    }
    return order;
}

static void spoil(chaos *c, tr_order *order) {
    switch (chaos_below(c, 6)) {
    case 0:
        order->kind = (tr_order_kind)77;
        break;
    case 1:
        order->kind = TR_ORDER_GO;
        order->goal_kind = TR_GOAL_POINT;
        order->goal.x = NAN;
        break;
    case 2:
        order->kind = TR_ORDER_GO;
        order->speed = bad_number(c);
        break;
    case 3:
        *order = (tr_order){.kind = TR_ORDER_WAIT, .seconds = (double)NAN};
        break;
    case 4:
        *order = (tr_order){.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_ACTOR, .target = bad_id(c)};
        break;
    default:
        order->deadline = (double)NAN;
    }
}

static void give_order(chaos *c) {
    tr_actor_id id = chaos_somebody(c);
    tr_order order = draw_order(c);
    uint32_t draw = chaos_below(c, 24);
    tr_order_mode mode = draw < 15 ? TR_ORDER_QUEUE : draw < 23 ? TR_ORDER_NEXT : TR_ORDER_REPLACE;
    tr_error error = {0};
    uint32_t number = TR_NONE;
    if (tr_stage_order(c->stage, bad_id(c), &order, mode, &number, &error) != TR_INVALID || number != TR_NONE)
        chaos_fault(c, "nobody took an order");
    chaos_person *who = id ? chaos_find(c, id) : NULL;
    if (!who || (mode != TR_ORDER_REPLACE && chaos_open_orders(who) >= CHAOS_QUEUE))
        return;
    bool is_bad = chaos_chance(c, 0.1f);
    if (is_bad)
        spoil(c, &order);
    memset(&error, 0, sizeof error);
    tr_status status = tr_stage_order(c->stage, id, &order, mode, &number, &error);
    if (chaos_is_short(c, status))
        return;
    if (status == TR_OK && is_bad)
        chaos_fault(c, "actor %u took a bad order of kind %d", id, (int)order.kind);
    if (status != TR_OK && (!error.message[0] || number != TR_NONE))
        chaos_fault(c, "an order was refused with status %d without a word", (int)status);
    if (status == TR_OK)
        chaos_note_order(c, who, &order, number);
}

static void steer(chaos *c) {
    tr_actor_id id = chaos_somebody(c);
    chaos_person *who = id ? chaos_find(c, id) : NULL;
    tr_vec2 velocity = {chaos_between(c, -2, 2), chaos_between(c, -2, 2)};
    if (tr_stage_steer(c->stage, bad_id(c), velocity, NULL) != TR_INVALID)
        chaos_fault(c, "nobody was steered");
    if (!who)
        return;
    uint32_t before = tr_stage_order_count(c->stage, id, NULL);
    if (chaos_chance(c, 0.1f)) {
        velocity.x = NAN;
        if (tr_stage_steer(c->stage, id, velocity, NULL) != TR_INVALID)
            chaos_fault(c, "actor %u was steered nowhere", id);
    } else {
        tr_status status = tr_stage_steer(c->stage, id, velocity, NULL);
        if (chaos_is_short(c, status))
            return;
        if (status != TR_OK)
            chaos_fault(c, "actor %u cannot be steered", id);
    }
    tr_order order = {.kind = TR_ORDER_STEER, .velocity = velocity};
    if (tr_stage_order_count(c->stage, id, NULL) > before)
        chaos_note_order(c, who, &order, before);
    float speed = sqrtf(velocity.x * velocity.x + velocity.z * velocity.z);
    who->fastest = speed > who->fastest ? speed : who->fastest;
}

static void cancel(chaos *c) {
    tr_actor_id id = chaos_somebody(c);
    if (tr_stage_cancel(c->stage, bad_id(c), 0) != TR_INVALID)
        chaos_fault(c, "nobody cancelled an order");
    if (!id)
        return;
    uint32_t count = tr_stage_order_count(c->stage, id, NULL);
    uint32_t number = chaos_chance(c, 0.2f) ? TR_NONE
                      : count               ? count - 1 - chaos_below(c, count < 3 ? count : 3)
                                            : 5;
    tr_status status = tr_stage_cancel(c->stage, id, number);
    if (!chaos_is_short(c, status) && status != TR_OK && status != TR_NOT_FOUND)
        chaos_fault(c, "cancelling order %u of %u gives %d", number, id, (int)status);
}

static void change(chaos *c) {
    tr_actor_id id = chaos_chance(c, 0.1f) ? bad_id(c) : chaos_somebody(c);
    chaos_person *who = chaos_find(c, id);
    tr_vec3 point = chaos_point(c);
    if (chaos_chance(c, 0.1f))
        point.z = NAN;
    tr_status looks = tr_stage_look_at(c->stage, id, chaos_chance(c, 0.3f) ? NULL : &point, NULL);
    if (!who && looks != TR_INVALID)
        chaos_fault(c, "nobody looks somewhere");
    float speed = chaos_chance(c, 0.1f) ? bad_number(c) : chaos_between(c, 0.3f, 2.5f);
    if (tr_stage_set_speed(c->stage, id, speed) == TR_OK && who && speed > who->fastest)
        who->fastest = speed;
    uint32_t link = chaos_below(c, c->link_count + 1);
    tr_status closed = tr_stage_close_link(c->stage, link, chaos_chance(c, 0.5f));
    if ((closed == TR_OK) != (link < c->link_count))
        chaos_fault(c, "closing link %u of %u gives %d", link, c->link_count, (int)closed);
}

void chaos_populate(chaos *c) {
    for (uint32_t i = 0; i < 4 * c->person_max; i++)
        add_person(c);
    for (uint32_t i = 0; i < 3 * c->person_count; i++)
        give_order(c);
}

void chaos_act(chaos *c) {
    uint32_t what = chaos_below(c, 100);
    if (what < 10)
        add_person(c);
    else if (what < 12)
        remove_person(c);
    else if (what < 16)
        place_person(c);
    else if (what < 70)
        give_order(c);
    else if (what < 72)
        steer(c);
    else if (what < 74)
        cancel(c);
    else if (what < 80)
        change(c);
    else
        chaos_act_on_things(c);
}
