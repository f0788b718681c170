// Actors by id: bad ones, those that were removed, numbers that are never used again.
#include "theatre.h"
#include "troupe/base/random.h"

static void check_nobody(theatre *t, tr_actor_id id) {
    tr_actor_view view;
    memset(&view, 0x5a, sizeof view);
    tr_actor_view as_it_was = view;
    tr_order order = {.kind = TR_ORDER_WAIT, .seconds = 1};
    tr_order_report report;
    tr_error error = {0};
    tr_clip *clip = NULL;
    uint32_t number = 7, first = 7, count = 7;
    tr_vec3 point = {0, 1, 0};
    CHECK_INT(tr_stage_look(t->stage, id, &view), TR_INVALID);
    CHECK(memcmp(&view, &as_it_was, sizeof view) == 0);
    CHECK_INT(tr_stage_order(t->stage, id, &order, TR_ORDER_QUEUE, &number, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "there is no actor");
    CHECK_INT(number, 7);
    CHECK_INT(tr_stage_order(t->stage, id, &order, TR_ORDER_REPLACE, NULL, NULL), TR_INVALID);
    CHECK_INT(tr_stage_cancel(t->stage, id, TR_NONE), TR_INVALID);
    CHECK_INT(tr_stage_cancel(t->stage, id, 0), TR_INVALID);
    CHECK_INT(tr_stage_steer(t->stage, id, (tr_vec2){1, 0}, &error), TR_INVALID);
    CHECK_INT(tr_stage_remove_actor(t->stage, id), TR_INVALID);
    CHECK_INT(tr_stage_place_actor(t->stage, id, point, 0, &error), TR_INVALID);
    CHECK_INT(tr_stage_set_speed(t->stage, id, 1), TR_INVALID);
    CHECK_INT(tr_stage_look_at(t->stage, id, &point, &error), TR_INVALID);
    CHECK_INT(tr_stage_order_report(t->stage, id, 0, &report), TR_INVALID);
    CHECK_INT(tr_stage_order_count(t->stage, id, &first), 0);
    CHECK_INT(first, 0);
    CHECK_TEXT(tr_stage_actor_name(t->stage, id), "");
    CHECK(tr_stage_way(t->stage, id) == NULL);
    CHECK(tr_stage_clip(t->stage, id, NULL, &clip, &error) != TR_OK && !clip);
    tr_stage_trace(t->stage, id, &count);
    CHECK_INT(count, 0);
    CHECK_INT(tr_stage_counters_of(t->stage, id).plans, 0);
}

TEST(an_unknown_actor_number_is_answered_with_a_status) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -3, 0, 3), b = add_actor(&t, 2, 0);
        CHECK(a != 0 && b != 0 && a != b);
        const tr_actor_id bad[] = {0, 3, 99, TR_NONE, TR_NONE - 1, 1u << 31};
        for (int k = 0; k < 2; k++) {
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
                check_nobody(&t, bad[i]);
            ticks(&t, 5);
        }
        CHECK_INT(tr_stage_actor(t.stage, 2), 0);
        CHECK_INT(tr_stage_actor(t.stage, TR_NONE), 0);
    }
    close_theatre(&t);
}

TEST(the_number_of_a_removed_actor_is_never_used_again) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id first = add_walker(&t, 0, -3, 0, 3), second = add_actor(&t, 2, 0);
        ticks(&t, 10);
        CHECK_INT(tr_stage_remove_actor(t.stage, first), TR_OK);
        check_nobody(&t, first);
        CHECK_INT(tr_stage_actor_count(t.stage), 1);
        CHECK_INT(tr_stage_actor(t.stage, 0), second);
        tr_actor_id third = add_actor(&t, 0, -3);
        CHECK(third != first && third != second);
        check_nobody(&t, first);
        CHECK_INT(tr_stage_order_count(t.stage, third, NULL), 0);
        ticks(&t, 10);
        tr_vec2 at = place_of(&t, third); // the orders of the first are not its own
        CHECK_NEAR(at.z, -3, 1e-3);
    }
    close_theatre(&t);
}

// Compared with a list of the actors that should be there.
TEST(the_count_is_right_while_people_come_and_go_at_random) {
    theatre t;
    tr_random random = tr_random_seed(12);
    tr_actor_id there[12], gone[200];
    uint32_t count = 0, gone_count = 0;
    if (open_theatre(&t, NULL)) {
        for (int i = 0; i < 300; i++) {
            uint32_t what = tr_random_below(&random, 3);
            if (what == 0 && count < 12) {
                tr_stage_actor_def def = {.character = t.character};
                def.position =
                    tr_vec3_make(tr_random_between(&random, -5, 5), 0, tr_random_between(&random, -5, 5));
                tr_actor_id id = 0;
                tr_status status = tr_stage_add_actor(t.stage, &def, &id, NULL);
                CHECK(status == TR_OK || status == TR_INVALID); // another actor may stand there
                CHECK((status == TR_OK) == (id != 0));
                if (status == TR_OK) {
                    there[count++] = id;
                    send_to(&t, id, tr_random_between(&random, -5, 5), tr_random_between(&random, -5, 5));
                }
            } else if (what == 1 && count && gone_count < 200 && i % 2) {
                uint32_t which = tr_random_below(&random, count);
                CHECK_INT(tr_stage_remove_actor(t.stage, there[which]), TR_OK);
                gone[gone_count++] = there[which];
                memmove(there + which, there + which + 1, (--count - which) * sizeof *there);
            }
            CHECK(tick(&t) <= TR_DONE);
            CHECK_INT(tr_stage_actor_count(t.stage), count);
            for (uint32_t k = 0; k < count; k++)
                CHECK_INT(tr_stage_actor(t.stage, k), there[k]);
            for (uint32_t k = 0; k < gone_count; k++)
                CHECK_INT(tr_stage_remove_actor(t.stage, gone[k]), TR_INVALID);
        }
        CHECK(gone_count > 20);
        check_apart(&t);
    }
    close_theatre(&t);
}
