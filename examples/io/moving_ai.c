// Read a map and a scenario of the Moving AI Lab, print what they hold, and see a mistake named.
#include "troupe/io/moving_ai.h"

#include <stdio.h>
#include <string.h>

static const char map_text[] = "type octile\nheight 4\nwidth 8\nmap\n"
                               "........\n"
                               ".@@@@@@.\n"
                               ".....T..\n"
                               "..W.....\n";
static const char scenario_text[] = "version 1\n"
                                    "0\tcorner.map\t8\t4\t1\t0\t1\t2\t4\n";
static const char wrong_text[] = "type octile\nheight 2\nwidth 8\nmap\n........\n.....\n";

int main(void) {
    tr_grid grid;
    tr_bitmap blocked;
    tr_moving_ai_scenario scenario;
    tr_error error = {0};
    if (tr_moving_ai_read_map(NULL, map_text, strlen(map_text), &grid, &blocked, &error) != TR_OK) {
        fprintf(stderr, "line %u: %s\n", error.line, error.message);
        return 1;
    }
    printf("%u x %u cells, %llu blocked\n", grid.columns, grid.rows,
           (unsigned long long)tr_bitmap_count(&blocked));
    if (tr_moving_ai_read_scenario(NULL, scenario_text, strlen(scenario_text), &scenario, &error) == TR_OK) {
        const tr_moving_ai_query *query = &scenario.queries[0];
        printf("from %u,%u to %u,%u the shortest path is %g long; 4.00005 %s\n", query->start_column,
               query->start_row, query->goal_column, query->goal_row, query->optimal,
               tr_moving_ai_agrees(&scenario, 0, 4.00005) ? "agrees" : "does not agree");
        tr_moving_ai_free_scenario(NULL, &scenario);
    }
    tr_bitmap_destroy(NULL, &blocked);

    tr_status status = tr_moving_ai_read_map(NULL, wrong_text, strlen(wrong_text), &grid, &blocked, &error);
    printf("line %u: %s\n", error.line, error.message);
    return status == TR_BAD_FILE ? 0 : 1;
}
