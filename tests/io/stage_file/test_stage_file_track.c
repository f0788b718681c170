// "track" in stage files: recorded mouse tracks are read into drags, replayed exactly, and refused with line
// and path.
#include "stage_text.h"

#include "troupe/base/hash.h"

static char text[2000];

static const char *file_with(const char *orders) {
    snprintf(text, sizeof text,
             "{\"scene\": {\"sample\": \"uneven\"}, \"seconds\": 9,\n \"characters\": [{\"name\": \"Lin\",\n"
             "  \"start\": [0, -0.4], \"coarse\": true, \"orders\": [\n%s\n]}]}",
             orders);
    return text;
}

// Of every pose of the first actor until the end.
static uint64_t play_through(const char *file, tr_tasks *tasks, double dt) {
    tr_stage_play play;
    tr_error error = {0};
    uint64_t hash = TR_HASH_START;
    tr_stage_file_options options = {.tasks = tasks};
    if (tr_stage_file_read(file, strlen(file), "x.json", &options, &play, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    while (play.stage && tr_stage_time(play.stage) < 8) {
        tr_actor_view view;
        double before = tr_stage_time(play.stage);
        tr_stage_step(play.stage, dt, &error);
        if (tr_stage_time(play.stage) == before ||
            tr_stage_look(play.stage, tr_stage_actor(play.stage, 0), &view) != TR_OK)
            continue;
        hash = tr_hash(hash, view.model, view.pose->joint_count * sizeof *view.model);
    }
    tr_stage_play_destroy(&play);
    return hash;
}

#define TRACK "{\"track\": [[0.5, 0, 0.8], [2.31, 0.2, 1], [3.77, -0.1, 1, 0], [6, 0, -0.6], [7, 0, 0]]}"

TEST(a_track_is_replayed_exactly) {
    uint64_t once = play_through(file_with(TRACK), NULL, TR_STAGE_TICK);
    CHECK_HASH(play_through(file_with(TRACK), NULL, TR_STAGE_TICK), once);
    CHECK_HASH(play_through(file_with(TRACK), NULL, TR_STAGE_TICK / 4), once);
    tr_tasks *tasks = NULL;
    if (tr_tasks_create(NULL, 3, &tasks, NULL) == TR_OK)
        CHECK_HASH(play_through(file_with(TRACK), tasks, TR_STAGE_TICK), once);
    tr_tasks_destroy(tasks);
}

TEST(every_key_becomes_a_drag_that_begins_at_its_time) {
    tr_stage_play play;
    tr_error error = {0};
    const char *file = file_with("{\"track\": [[0.5, 0, 0.8], [2.31, 0.2, 1, -0.5], [3.77, 0, 0]],\n"
                                 "\"speed\": 2, \"turn_degrees\": 90}");
    CHECK_INT(tr_stage_file_read(file, strlen(file), "x.json", NULL, &play, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    if (play.stage) {
        tr_actor_id lin = tr_stage_actor(play.stage, 0);
        REQUIRE(tr_stage_order_count(play.stage, lin, NULL) == 3);
        while (tr_stage_time(play.stage) < 4)
            tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        tr_order_report report;
        CHECK_INT(tr_stage_order_report(play.stage, lin, 1, &report), TR_OK);
        CHECK_INT(report.order.kind, TR_ORDER_DRAG);
        CHECK_NEAR(report.order.drag.ahead, 1.6, 1e-6);
        CHECK_NEAR(report.begin, 0.5, 0.034);
        double begin = report.begin;
        CHECK_INT(tr_stage_order_report(play.stage, lin, 2, &report), TR_OK);
        CHECK_INT(report.state, TR_ORDER_DONE);
        CHECK_NEAR(report.begin, begin + 1.81, 1e-9);
        CHECK_NEAR(report.order.drag.turn, -0.2 * 1.5707963, 1e-6); // to the right
        CHECK_NEAR(report.order.drag.aside, 1, 1e-6);
    }
    tr_stage_play_destroy(&play);
}

TEST(what_is_wrong_with_a_track_is_named_with_line_and_path) {
    static const char *const bad[][2] = {
        {"{\"track\": 7}", "orders[0].track is a number, it must be an array"},
        {"{\"track\": [[0, 0, 1]]}", "orders[0].track has 1 keys, it must be 2 to 65536"},
        {"{\"track\": [[0, 0, 1], 5]}",
         "orders[0].track[1] must be [seconds, right, up] or [seconds, right, up, aside]"},
        {"{\"track\": [[0, 0], [1, 0, 0]]}", "orders[0].track[0] must be [seconds, right, up]"},
        {"{\"track\": [[0, 0, 2], [1, 0, 0]]}", "orders[0].track[0][2] must be a number from -1 to 1"},
        {"{\"track\": [[-1, 0, 1], [1, 0, 0]]}", "orders[0].track[0][0] must be a number from 0 to 36000"},
        {"{\"track\": [[0, true, 1], [1, 0, 0]]}", "orders[0].track[0][1] must be a number from -1 to 1"},
        {"{\"track\": [[2, 0, 1], [2, 0, 0]]}", "orders[0].track[1] is at 2 s, it must be later than 2 s"},
        {"{\"track\": [[0, 0, 1], [1, 0, 0]], \"speed\": 0}",
         "orders[0].speed is 0, it must be at least 0.1"},
        {"{\"track\": [[0, 0, 1], [1, 0, 0]], \"gain\": 1}",
         "orders[0].gain is not a known key; allowed keys: track, speed, turn_degrees"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_error error = {0};
        const char *file = file_with(bad[i][0]);
        CHECK_INT(stage_check(file, strlen(file), NULL, &error), TR_BAD_FILE);
        CHECK_INT(error.line, 4);
        CHECK_CONTAINS(error.message, bad[i][1]);
    }
    tr_error error = {0};
    const char *good = file_with(TRACK);
    CHECK_INT(stage_check(good, strlen(good), NULL, &error), TR_OK);
}
