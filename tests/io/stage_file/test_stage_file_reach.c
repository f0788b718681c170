// Orders for arms in stage files: every key read, what is wrong named with its line and path.
#include "stage_text.h"
#include "troupe/base/scalar.h"

#include <math.h>

static char text[2000];

static const char *file_with(const char *scene, const char *orders) {
    snprintf(
        text, sizeof text,
        "{\"scene\": %s,\n \"seconds\": 1,\n \"characters\": [{\"start\": [-2, -1.5], \"coarse\": true,\n"
        "  \"orders\": [\n%s\n]}]}",
        scene, orders);
    return text;
}

static const char room[] = "{\"sample\": \"room\"}";

TEST(reaching_takes_a_point_or_an_object_with_details) {
    static const char *const good[] = {
        "{\"reach\": [0.1, 1.2, -1]}",
        "{\"reach\": {\"at\": [0.1, 1.2, -1]}}",
        "{\"reach\": {\"object\": \"table\"}}",
        ("{\"reach\": {\"object\": \"table\", \"hand\": \"either\", \"direction\": [0, -2, 1e-3], "
         "\"tolerance_degrees\": 180, \"seconds\": 60, \"hold\": 36000, \"comment\": {}}}"),
        "{\"reach\": {\"at\": [0, 1, -1], \"hand\": \"left\", \"object\": null}}",
        "{\"lower\": \"right\"}, {\"lower\": \"left\"}, {\"lower\": \"both\", \"$why\": 1}",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tr_error error = {0};
        const char *file = file_with(room, good[i]);
        if (stage_check(file, strlen(file), NULL, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s: %s", good[i], error.message);
    }
}

TEST(what_is_wrong_with_reaching_is_named_with_line_and_path) {
    static const char *const bad[][2] = {
        {"{\"reach\": [1, 2]}", "characters[0].orders[0].reach has 2 items, it must have 3"},
        {"{\"reach\": [1, 2, \"3\"]}", "characters[0].orders[0].reach[2] is a string, it must be a number"},
        {"{\"reach\": [1, 2e6, 3]}", "orders[0].reach[1] is 2e+06 m, it must be within 1e+06 of 0"},
        {"{\"reach\": \"thermos\"}",
         "orders[0].reach must be [x, y, z] or an object with \"at\" or \"object\""},
        {"{\"reach\": [1, 2, 3], \"hand\": \"left\"}",
         "orders[0].hand is not a known key; allowed keys: reach"},
        {"{\"reach\": {}}", "orders[0].reach must have either \"at\" (a point) or \"object\" (a name)"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"object\": \"x\"}}", "orders[0].reach must have either \"at\""},
        {"{\"reach\": {\"ad\": [1, 2, 3]}}", "orders[0].reach.ad is not a known key; allowed keys: at, "
                                             "object, hand, direction, tolerance_degrees, "
                                             "seconds, hold"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"hand\": \"both\"}}",
         "orders[0].reach.hand is \"both\", it must be right, left or either"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"direction\": [0, 0, 0]}}",
         "orders[0].reach.direction is [0, 0, 0], it must not have length 0"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"direction\": [0, 1]}}", "reach.direction has 2 items"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"tolerance_degrees\": 0}}", "is 0, it must be at least 0.1"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"tolerance_degrees\": 181}}", "is 181, it must be at most 180"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"seconds\": 0}}", "reach.seconds is 0, it must be at least 0.1"},
        {"{\"reach\": {\"at\": [1, 2, 3], \"hold\": -1}}", "reach.hold is -1, it must be at least 0"},
        {"{\"reach\": {\"object\": 7}}", "reach.object is a number, it must be a string"},
        {"{\"reach\": [1, 2, 3], \"lower\": \"left\"}", "orders[0] must be an object with one of"},
        {"{\"lower\": \"either\"}", "orders[0].lower is \"either\", it must be right, left or both"},
        {"{\"lower\": 1}", "orders[0].lower is a number, it must be a string"},
        {"{\"lower\": \"left\", \"speed\": 1}", "orders[0].speed is not a known key; allowed keys: lower"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_error error = {0};
        const char *file = file_with(room, bad[i][0]);
        CHECK_INT(stage_check(file, strlen(file), NULL, &error), TR_BAD_FILE);
        CHECK_CONTAINS(error.message, bad[i][1]);
        CHECK_INT(error.line, 5);
    }
}

TEST(orders_for_arms_come_out_as_they_were_written) {
    const char *file =
        file_with(room, "{\"reach\": {\"object\": \"table\", \"hand\": \"left\", \"direction\": [0, -3, 0], "
                        "\"tolerance_degrees\": 18, \"seconds\": 1.5, \"hold\": 0.25}},\n"
                        "{\"reach\": [0.5, 1, -1]}, {\"lower\": \"both\"}, {\"lower\": \"right\"}");
    tr_stage_play play;
    tr_error error = {0};
    CHECK_INT(tr_stage_file_read(file, strlen(file), "x.json", NULL, &play, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    if (play.stage) {
        CHECK_INT(tr_stage_order_count(play.stage, tr_stage_actor(play.stage, 0), NULL), 4);
        tr_order order = stage_order(&play, 0, 0);
        CHECK_INT(order.kind, TR_ORDER_REACH);
        CHECK_INT(order.hands, TR_HAND_LEFT);
        CHECK(order.has_object && order.has_direction);
        CHECK_TEXT(tr_scene_object(play.scene, order.object).name, "table");
        CHECK(order.direction.x == 0 && order.direction.y < 0 && order.direction.z == 0);
        CHECK_NEAR(order.tolerance, TR_PI / 10, 1e-6);
        CHECK_NEAR(order.seconds, 1.5, 0);
        CHECK_NEAR(order.hold, 0.25, 0);
        order = stage_order(&play, 0, 1);
        CHECK(order.kind == TR_ORDER_REACH && !order.has_object && !order.has_direction && order.hands == 0);
        CHECK(order.point.x == 0.5f && order.point.y == 1 && order.point.z == -1);
        order = stage_order(&play, 0, 2);
        CHECK(order.kind == TR_ORDER_LOWER && order.hands == 0);
        CHECK_INT(stage_order(&play, 0, 3).hands, TR_HAND_RIGHT);
    }
    tr_stage_play_destroy(&play);
}

TEST(an_object_that_is_not_there_is_named_with_those_that_are) {
    const char *file = file_with(room, "{\"reach\": {\"object\": \"sofa\"}}");
    tr_stage_play play;
    tr_error error = {0};
    CHECK_INT(tr_stage_file_read(file, strlen(file), "x.json", NULL, &play, &error), TR_BAD_FILE);
    CHECK_CONTAINS(
        error.message,
        "characters[0].orders[0].reach.object is \"sofa\", but the scene has no such object; it has: ");
    CHECK_INT(error.line, 5);
    CHECK(stage_play_is_empty(&play));
    tr_stage_play_destroy(&play);
}
