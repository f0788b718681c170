// A stage as text: read, played, and what a mistake in it gets for an answer.
#include "troupe/io/stage_file.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "{\n"
    "  \"scene\": {\"sample\": \"room\"},\n"
    "  \"characters\": [\n"
    "    {\"name\": \"Ada\", \"coarse\": true, \"start\": [-1.5, -1.5], \"goal\": [1.5, 1.5]}\n"
    "  ]\n"
    "}\n";

int main(void) {
    tr_stage_play play;
    tr_error error;
    char line[512];
    if (tr_stage_file_read(text, strlen(text), "room.json", NULL, &play, &error) != TR_OK) {
        fprintf(stderr, "%s\n", tr_error_format(&error, line, sizeof line));
        return 1;
    }
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(play.stage) < play.seconds)
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
    tr_actor_id ada = tr_stage_actor(play.stage, 0);
    tr_order_report report;
    tr_stage_order_report(play.stage, ada, 0, &report);
    printf("%s %s after %.1f s%s%s\n", tr_stage_actor_name(play.stage, ada),
           report.state == TR_ORDER_DONE ? "is there" : "gave up", report.end, report.reason[0] ? ": " : "",
           report.reason);
    tr_stage_play_destroy(&play);

    static const char wrong[] = "{\"scene\": {\"sample\": \"room\"},\n \"characters\": [{\"hight\": 2}]}";
    if (tr_stage_file_read(wrong, strlen(wrong), "wrong.json", NULL, &play, &error) != TR_OK)
        printf("refused: %s\n", tr_error_format(&error, line, sizeof line));
    return 0;
}
