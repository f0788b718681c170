// The events of a step: orders that begin and end, blocked actors, footsteps.
#include "theatre.h"
#include "motion/cast/cast.h"

#define EVENTS_MAX 4000
typedef struct diary {
    tr_event events[EVENTS_MAX];
    uint32_t count;
} diary;
static diary all;

static tr_status tick_and_note(theatre *t) {
    tr_status status = tick(t);
    uint32_t count = 0;
    const tr_event *events = tr_stage_events(t->stage, &count);
    for (uint32_t i = 0; i < count && all.count < EVENTS_MAX; i++) {
        CHECK(all.count == 0 || events[i].time >= all.events[all.count - 1].time);
        CHECK(events[i].time <= tr_stage_time(t->stage));
        CHECK(events[i].time >= tr_stage_time(t->stage) - TR_STAGE_TICK - 1e-9);
        all.events[all.count++] = events[i];
    }
    return status;
}

static void play_and_note(theatre *t, double longest) {
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(t->stage) < longest)
        status = tick_and_note(t);
    CHECK_INT(status, TR_DONE);
}

// The nth event of a kind and actor; NULL: there is none.
static const tr_event *find(tr_event_kind kind, tr_actor_id actor, uint32_t number) {
    for (uint32_t i = 0; i < all.count; i++)
        if (all.events[i].kind == kind && all.events[i].actor == actor && number-- == 0)
            return &all.events[i];
    return NULL;
}

TEST(every_order_has_events_for_its_begin_and_its_end) {
    theatre t;
    all.count = 0;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -3, 0, -1);
        uint32_t fails = send_to(&t, a, 90, 0);
        uint32_t waits = give_order(&t, a, (tr_order){.kind = TR_ORDER_WAIT, .seconds = 0.3}, TR_ORDER_QUEUE);
        play_and_note(&t, 30);
        for (uint32_t i = 0; i < 3; i++) {
            const tr_event *begun = find(TR_EVENT_ORDER_BEGUN, a, i);
            REQUIRE(begun);
            CHECK_INT(begun->order, i);
            CHECK_NEAR(begun->time, report_of(&t, a, i).begin, 1e-9);
            CHECK(!find(TR_EVENT_ORDER_BEGUN, a, 3));
        }
        const tr_event *done = find(TR_EVENT_ORDER_DONE, a, 0), *failed = find(TR_EVENT_ORDER_FAILED, a, 0),
                       *waited = find(TR_EVENT_ORDER_DONE, a, 1);
        REQUIRE(done && failed && waited);
        CHECK_INT(done->order, 0);
        CHECK_NEAR(done->position.z, -1, 0.15);
        CHECK_NEAR(done->time, report_of(&t, a, 0).end, 1e-9);
        CHECK_INT(failed->order, fails);
        CHECK_INT(waited->order, waits);
        CHECK(done < failed && failed < waited);
    }
    close_theatre(&t);
}

TEST(a_cancelled_order_is_reported_in_the_next_step) {
    theatre t;
    all.count = 0;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -3, 0, 3);
        tick_and_note(&t);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        tick_and_note(&t);
        const tr_event *event = find(TR_EVENT_ORDER_CANCELLED, a, 0);
        CHECK(event && event->order == 0);
        CHECK(!find(TR_EVENT_ORDER_CANCELLED, a, 1));
    }
    close_theatre(&t);
}

TEST(footsteps_alternate_and_come_down_where_the_foot_is) {
    theatre t;
    all.count = 0;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -5, 0, 5);
        uint32_t same = 0, steps = 0, last = 2;
        tr_status status = TR_OK;
        while (status == TR_OK && tr_stage_time(t.stage) < 30) {
            uint32_t before = all.count;
            status = tick_and_note(&t);
            tr_actor_view view = view_of(&t, a);
            for (uint32_t i = before; i < all.count; i++) {
                const tr_event *e = &all.events[i];
                if (e->kind != TR_EVENT_FOOTSTEP)
                    continue;
                REQUIRE(e->foot < 2);
                CHECK(view.contacts >> (2 * e->foot) & 3);
                tr_vec3 ankle = tr_affine_position(&view.model[view.character->legs.feet[e->foot].ankle]);
                CHECK(tr_vec3_length(tr_vec3_subtract(ankle, e->position)) < 0.3f);
                CHECK_NEAR(e->position.x, view.position.x, 0.6);
                CHECK_NEAR(e->position.z, view.position.z, 0.9);
                same += e->foot == last;
                last = e->foot;
                steps++;
            }
        }
        CHECK(steps >= 10 && steps < 30); // 10 m
        CHECK(same <= 2);                 // when it sets out and when it comes to rest
    }
    close_theatre(&t);
}

TEST(a_blocked_actor_reports_what_blocks_it) {
    theatre t;
    all.count = 0;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "left", -6, -3, -0.45f, 3);
        add_box(t.scene, "right", 0.45f, -3, 6, 3);
        tick(&t);
        tr_actor_id a = add_walker(&t, 0, -4, 0, 4), b = add_walker(&t, 0, 4, 0, -4);
        play_and_note(&t, 90);
        const tr_event *first = find(TR_EVENT_BLOCKED, a, 0), *second = find(TR_EVENT_BLOCKED, b, 0);
        CHECK(first || second);
        CHECK(!first || first->other == b);
        CHECK(!second || second->other == a);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, b, 0).state, TR_ORDER_DONE);
        check_apart(&t);
    }
    close_theatre(&t);
}

// As many events, in the same order, as one tick after the other.
TEST(a_step_of_many_ticks_reports_the_events_of_all) {
    static diary fine;
    for (int coarse = 0; coarse < 2; coarse++) {
        theatre t;
        all.count = 0;
        if (open_theatre(&t, NULL)) {
            add_walker(&t, 0, -5, 0, 3);
            add_walker(&t, 1, 5, 0.2f, -3);
            for (int i = 0; i < (coarse ? 20 : 600); i++) {
                CHECK(tr_stage_step(t.stage, coarse ? 1 : TR_STAGE_TICK, NULL) <= TR_DONE);
                uint32_t count;
                const tr_event *events = tr_stage_events(t.stage, &count);
                for (uint32_t k = 0; k < count && all.count < EVENTS_MAX; k++)
                    all.events[all.count++] = events[k];
            }
        }
        close_theatre(&t);
        if (!coarse)
            fine = all;
    }
    CHECK(fine.count > 20);
    CHECK_INT(all.count, fine.count);
    for (uint32_t i = 0; i < all.count && i < fine.count; i++) {
        CHECK_INT(all.events[i].kind, fine.events[i].kind);
        CHECK_INT(all.events[i].actor, fine.events[i].actor);
        CHECK_NEAR(all.events[i].time, fine.events[i].time, 0);
    }
}

static uint32_t count_ends(tr_actor_id actor, uint32_t order) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < all.count; i++)
        count += all.events[i].actor == actor && all.events[i].order == order &&
                 all.events[i].kind >= TR_EVENT_ORDER_DONE && all.events[i].kind <= TR_EVENT_ORDER_CANCELLED;
    return count;
}

TEST(an_order_that_is_cancelled_again_and_again_ends_once) {
    theatre t;
    all.count = 0;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -3, 0, 3);
        uint32_t next = send_to(&t, a, 2, 2), last = send_to(&t, a, -2, 2);
        ticks(&t, 5);
        CHECK_INT(tr_stage_cancel(t.stage, a, last), TR_OK);
        CHECK_INT(tr_stage_cancel(t.stage, a, last), TR_OK);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        CHECK_INT(tick_and_note(&t), TR_DONE);
        CHECK_INT(count_ends(a, 0), 1);
        CHECK_INT(count_ends(a, next), 1);
        CHECK_INT(count_ends(a, last), 1);
    }
    close_theatre(&t);
}

TEST(the_orders_of_a_removed_actor_end_as_well) {
    theatre t;
    all.count = 0;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -3, 0, 3), b = add_walker(&t, 3, -3, 3, 3);
        uint32_t next = send_to(&t, a, 2, 2);
        ticks(&t, 10);
        CHECK_INT(tr_stage_remove_actor(t.stage, a), TR_OK);
        tick_and_note(&t);
        CHECK_INT(count_ends(a, 0), 1);
        CHECK_INT(count_ends(a, next), 1);
        CHECK(find(TR_EVENT_ORDER_CANCELLED, a, 1));
        CHECK_INT(count_ends(b, 0), 0);
    }
    close_theatre(&t);
}

TEST(a_stage_whose_last_orders_were_cancelled_before_they_began_is_done) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -3, 0, 3);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        CHECK_INT(tr_stage_step(t.stage, 0, NULL), TR_DONE); // no tick passes
    }
    close_theatre(&t);
}
