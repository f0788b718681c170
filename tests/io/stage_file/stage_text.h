// A stage file with every key there is, and how the tests change it.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/stage_file.h"

#include <stdlib.h>
#include <string.h>

static const char stage_sample[] =
    "{\n"
    "  \"$schema\": \"stage.schema.json\", \"comment\": [\"whatever\", 1],\n"
    "  \"title\": \"Three in a room\",\n"
    "  \"scene\": {\"sample\": \"room\", \"seed\": 3, \"triangles\": 470, \"comment\": 1},\n"
    "  \"ground\": 0, \"area\": [-2.9, -2.4, 2.9, 2.4],\n"
    "  \"cell\": 0.1, \"fps\": 25, \"seconds\": 5.5,\n"
    "  \"margin\": 0.05, \"look_ahead\": 2, \"variety\": 0.75, \"seed\": 5,\n"
    "  \"replan_interval\": 0.4,\n"
    "  \"characters\": [\n"
    "    {\"name\": \"Ada\", \"height\": 1.68, \"color\": \"#C45c4a\", \"coarse\": true,\n"
    "     \"start\": [-2.2, -1.8], \"heading_degrees\": 90, \"radius\": 0.25,\n"
    "     \"gait\": \"stroll\", \"goal\": [2.2, -1.8], \"delay\": 0.2,\n"
    "     \"variety\": 0.5, \"seed\": 8, \"style\": {\"tired\": 0.6, \"proud\": 1}},\n"
    "    {\"start\": [2.2, 0, 1.8], \"speed\": 1.1, \"$note\": null,\n"
    "     \"orders\": [\n"
    "       {\"wait\": 0.1},\n"
    "       {\"go\": [-2.2, 1.8], \"heading_degrees\": -90, \"gait\": \"march\"},\n"
    "       {\"go\": [-2.2, 9, 1], \"speed\": 0.8, \"comment\": \"\"}]},\n"
    "    {\"start\": [0, -2.1],\n"
    "     \"cycles\": [\"walk.bvh\", \"sub/run%20fast.glb\"]}\n"
    "  ]\n"
    "}\n";

// The sample with the first `from` replaced by `to`; valid until the next call.
static inline const char *stage_with(const char *from, const char *to) {
    static char text[sizeof stage_sample + 4000];
    const char *at = strstr(stage_sample, from);
    if (!at) {
        test_failed(__FILE__, __LINE__, "the sample has no \"%s\"", from);
        return stage_sample;
    }
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - stage_sample), stage_sample, to, at + strlen(from));
    return text;
}

static inline tr_actor_view stage_view(const tr_stage_play *play, uint32_t index) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(play->stage, tr_stage_actor(play->stage, index), &view), TR_OK);
    return view;
}

static inline tr_order stage_order(const tr_stage_play *play, uint32_t index, uint32_t number) {
    tr_order_report report = {0};
    CHECK_INT(tr_stage_order_report(play->stage, tr_stage_actor(play->stage, index), number, &report), TR_OK);
    return report.order;
}

static inline bool stage_play_is_empty(const tr_stage_play *play) {
    return !play->scene && !play->stage && !play->kinds && play->kind_count == 0 && !play->title;
}

// Check the text without making anything, from a block that ends where it ends.
static inline tr_status stage_check(const void *text, size_t size, const tr_allocator *allocator,
                                    tr_error *error) {
    tr_stage_file_options options = {.allocator = allocator, .check_only = true};
    tr_stage_play play;
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    tr_status status = tr_stage_file_read(copy, size, "folder/play.json", &options, &play, error);
    free(copy);
    if (!stage_play_is_empty(&play))
        test_failed(__FILE__, __LINE__, "something is left of what was only checked");
    tr_stage_play_destroy(&play);
    return status;
}
