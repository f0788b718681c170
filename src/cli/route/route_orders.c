// Starts and goals of routes, from the command line and from a table of pairs.
#include "route.h"
#include "troupe/io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static route_order *add_order(route_orders *orders) {
    tr_allocator allocator = tr_allocator_default();
    if (!tr_reserve(&allocator, (void **)&orders->orders, &orders->capacity, (uint64_t)orders->count + 1,
                    sizeof *orders->orders))
        return NULL;
    route_order order = {.first_goal = orders->goal_count};
    orders->orders[orders->count] = order;
    return &orders->orders[orders->count++];
}

bool route_orders_add_start(route_orders *orders, route_point from) {
    route_order *order = orders->count > 0 ? &orders->orders[orders->count - 1] : NULL;
    if ((!order || order->has_from) && !(order = add_order(orders)))
        return false;
    order->from = from;
    order->has_from = true;
    return true;
}

bool route_orders_add_goal(route_orders *orders, route_point goal) {
    tr_allocator allocator = tr_allocator_default();
    if (!tr_reserve(&allocator, (void **)&orders->goals, &orders->goal_capacity,
                    (uint64_t)orders->goal_count + 1, sizeof *orders->goals) ||
        (orders->count == 0 && !add_order(orders)))
        return false;
    orders->goals[orders->goal_count++] = goal;
    orders->orders[orders->count - 1].goal_count++;
    return true;
}

void route_orders_free(route_orders *orders) {
    tr_allocator allocator = tr_allocator_default();
    tr_release(&allocator, orders->orders, orders->capacity, sizeof *orders->orders);
    tr_release(&allocator, orders->goals, orders->goal_capacity, sizeof *orders->goals);
}

enum { COLUMN_COUNT = 6 };
static const char *const column_names[COLUMN_COUNT] = {"sx", "sy", "sz", "ex", "ey", "ez"};

// A table of values separated by commas, one line at a time.
typedef struct table_reader {
    const char *at, *end; // the unread part
    const char *line_end; // of the current line
    uint32_t line;
    bool has_field;                 // another one follows on this line
    uint32_t columns[COLUMN_COUNT]; // the position of each in a line
    tr_error *error;
} table_reader;

static tr_status at_line(const table_reader *reader, tr_status status) {
    if (reader->error)
        reader->error->line = reader->line;
    return status;
}

// Moves to the next line that is not empty. false: there is none left.
static bool next_line(table_reader *reader) {
    while (reader->at < reader->end) {
        const char *stop = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        reader->line_end = stop ? stop : reader->end;
        reader->line++;
        const char *at = reader->at;
        while (at < reader->line_end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        reader->has_field = at < reader->line_end;
        if (reader->has_field)
            return true;
        reader->at = reader->line_end + (reader->line_end < reader->end);
    }
    return false;
}

static void finish_line(table_reader *reader) {
    reader->at = reader->line_end + (reader->line_end < reader->end);
}

// The next field of the line, without blanks and quotes around it, truncated if too long. false: none left.
static bool next_field(table_reader *reader, char *text, size_t size) {
    if (!reader->has_field)
        return false;
    const char *begin = reader->at, *stop = memchr(begin, ',', (size_t)(reader->line_end - begin));
    const char *end = stop ? stop : reader->line_end;
    reader->has_field = stop != NULL;
    reader->at = stop ? stop + 1 : end;
    while (begin < end && strchr(" \t\r\"", *begin) && *begin)
        begin++;
    while (end > begin && strchr(" \t\r\"", end[-1]) && end[-1])
        end--;
    size_t length = (size_t)(end - begin) < size - 1 ? (size_t)(end - begin) : size - 1;
    memcpy(text, begin, length);
    text[length] = 0;
    return true;
}

static tr_status read_names(table_reader *reader) {
    char name[64];
    for (int i = 0; i < COLUMN_COUNT; i++)
        reader->columns[i] = TR_NONE;
    if (next_line(reader)) {
        for (uint32_t column = 0; next_field(reader, name, sizeof name); column++)
            for (int i = 0; i < COLUMN_COUNT; i++)
                if (strcmp(name, column_names[i]) == 0)
                    reader->columns[i] = column;
        finish_line(reader);
    }
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (reader->columns[i] == TR_NONE) {
            tr_fail(reader->error, TR_BAD_FILE,
                    "the first line lacks the column %s, it must name sx, sy, sz, ex, ey and ez",
                    column_names[i]);
            return at_line(reader, TR_BAD_FILE);
        }
    return TR_OK;
}

static tr_status read_number(const table_reader *reader, int column, const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= -1e7 && *value <= 1e7)
        return TR_OK;
    tr_fail(reader->error, TR_BAD_FILE, "%s is \"%.40s\", it must be a number within 1e7 of 0",
            column_names[column], text);
    return at_line(reader, TR_BAD_FILE);
}

static tr_status read_pair(table_reader *reader, double numbers[COLUMN_COUNT]) {
    char text[64];
    bool found[COLUMN_COUNT] = {false};
    tr_status status = TR_OK;
    for (uint32_t column = 0; status == TR_OK && next_field(reader, text, sizeof text); column++)
        for (int i = 0; status == TR_OK && i < COLUMN_COUNT; i++)
            if (reader->columns[i] == column) {
                status = read_number(reader, i, text, &numbers[i]);
                found[i] = true;
            }
    for (int i = 0; status == TR_OK && i < COLUMN_COUNT; i++)
        if (!found[i]) {
            tr_fail(reader->error, TR_BAD_FILE, "the line ends before %s", column_names[i]);
            status = at_line(reader, TR_BAD_FILE);
        }
    finish_line(reader);
    return status;
}

tr_status route_orders_read_pairs(const char *path, route_orders *orders, tr_error *error) {
    tr_bytes text;
    tr_status status = tr_file_read(NULL, path, &text, error);
    if (status != TR_OK)
        return status;
    table_reader reader = {
        .at = (const char *)text.data, .end = (const char *)text.data + text.size, .error = error};
    if (text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    status = read_names(&reader);
    while (status == TR_OK && next_line(&reader)) {
        double n[COLUMN_COUNT];
        status = read_pair(&reader, n);
        if (status != TR_OK)
            break;
        route_point from = {n[0], n[1], n[2], true}, to = {n[3], n[4], n[5], true};
        if (!route_orders_add_start(orders, from) || !route_orders_add_goal(orders, to))
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for more than %u pairs", orders->count);
    }
    if (status == TR_OK && orders->count == 0)
        status = tr_fail(error, TR_BAD_FILE, "the table has no pairs");
    if (status != TR_OK)
        tr_error_set_file(error, path);
    tr_bytes_free(NULL, &text);
    return status;
}
