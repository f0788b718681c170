#include "troupe/io/moving_ai.h"
#include "number.h"

#include <math.h>
#include <string.h>

// Reads the text line by line.
typedef struct line_reader {
    const char *at, *end; // the unread part
    const char *begin;    // of the line
    size_t length;        // without its end and trailing blanks
    uint32_t number;      // 1 is the first
    tr_error *error;
} line_reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static line_reader begin_lines(const void *text, size_t size, tr_error *error) {
    line_reader reader = {.at = text, .end = size ? (const char *)text + size : text, .error = error};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    return reader;
}

// A line feed, a carriage return, or both together end a line. false: there is none left.
static bool next_line(line_reader *reader) {
    if (reader->at == reader->end)
        return false;
    const char *at = reader->at;
    while (at < reader->end && *at != '\n' && *at != '\r')
        at++;
    reader->begin = reader->at;
    reader->length = (size_t)(at - reader->at);
    while (reader->length > 0 && is_blank(reader->begin[reader->length - 1]))
        reader->length--;
    if (at < reader->end)
        at += *at == '\r' && at + 1 < reader->end && at[1] == '\n' ? 2 : 1;
    reader->at = at;
    if (reader->number < UINT32_MAX)
        reader->number++;
    return true;
}

static bool next_line_with_text(line_reader *reader) {
    while (next_line(reader))
        if (reader->length > 0)
            return true;
    return false;
}

static tr_status at_line(const line_reader *reader, tr_status status) {
    if (reader->error)
        reader->error->line = reader->number;
    return status;
}

// The part of a text that an error quotes.
static int quoted(size_t length) {
    return length < 40 ? (int)length : 40;
}

// A part of a line.
typedef struct word {
    const char *begin;
    size_t length;
} word;

static bool word_is(word text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.begin, expected, text.length) == 0;
}

// The next word of [*at, end). With a `separator` a word ends there and may contain blanks; without one (0)
// it ends at a blank.
static bool next_word(const char **at, const char *end, char separator, word *found) {
    while (*at < end && is_blank(**at))
        ++*at;
    if (*at == end)
        return false;
    const char *stop = *at;
    while (stop < end && (separator ? *stop != separator : !is_blank(*stop)))
        stop++;
    found->begin = *at;
    found->length = (size_t)(stop - *at);
    *at = stop;
    return true;
}

// Digits only: a count has neither sign nor exponent. Saturates far beyond every limit here.
static bool read_whole(word text, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.begin[i] < '0' || text.begin[i] > '9')
            return false;
        if (*value < (uint64_t)1 << 40)
            *value = *value * 10 + (uint64_t)(text.begin[i] - '0');
    }
    return text.length > 0;
}

static tr_status read_count(const line_reader *reader, word text, const char *what, uint32_t low,
                            uint32_t high, uint32_t *count) {
    uint64_t value;
    if (!read_whole(text, &value) || value < low) {
        tr_fail(reader->error, TR_BAD_FILE, "%s is \"%.*s\", it must be a whole number of at least %u", what,
                quoted(text.length), text.begin, low);
        return at_line(reader, TR_BAD_FILE);
    }
    if (value > high) {
        tr_fail(reader->error, TR_LIMIT, "%s is %.*s, the maximum is %u", what, quoted(text.length),
                text.begin, high);
        return at_line(reader, TR_LIMIT);
    }
    *count = (uint32_t)value;
    return TR_OK;
}

static bool is_free_letter(char c) {
    return c == '.' || c == 'G' || c == 'S';
}

static bool is_letter(char c) {
    return is_free_letter(c) || c == '@' || c == 'O' || c == 'T' || c == 'W';
}

// "height 512" or "width 512", each once.
static tr_status read_side(const line_reader *reader, word key, word value, uint32_t *side) {
    char what[16];
    memcpy(what, key.begin, key.length);
    what[key.length] = 0;
    if (*side != 0) {
        tr_fail(reader->error, TR_BAD_FILE, "%s is given a second time, it was %u before", what, *side);
        return at_line(reader, TR_BAD_FILE);
    }
    return read_count(reader, value, what, 1, TR_GRID_SIDE_MAX, side);
}

static tr_status read_header_line(const line_reader *reader, tr_grid *grid, bool *typed) {
    const char *at = reader->begin, *end = reader->begin + reader->length;
    word key = {at, 0}, value = {end, 0}, rest;
    next_word(&at, end, 0, &key);
    next_word(&at, end, 0, &value);
    bool has_rest = next_word(&at, end, 0, &rest);
    if (word_is(key, "type") && !has_rest) {
        *typed = true;
        if (word_is(value, "octile"))
            return TR_OK;
        tr_fail(reader->error, TR_BAD_FILE, "the type of the map is \"%.*s\", it must be octile",
                quoted(value.length), value.begin);
        return at_line(reader, TR_BAD_FILE);
    }
    if (word_is(key, "height") && !has_rest)
        return read_side(reader, key, value, &grid->rows);
    if (word_is(key, "width") && !has_rest)
        return read_side(reader, key, value, &grid->columns);
    tr_fail(reader->error, TR_BAD_FILE, "found \"%.*s\", expected type, height, width or map",
            quoted(reader->length), reader->begin);
    return at_line(reader, TR_BAD_FILE);
}

// Up to the line "map".
static tr_status read_header(line_reader *reader, tr_grid *grid) {
    bool typed = false;
    while (next_line_with_text(reader)) {
        word line = {reader->begin, reader->length};
        if (word_is(line, "map")) {
            const char *missing = !typed               ? "type"
                                  : grid->rows == 0    ? "height"
                                  : grid->columns == 0 ? "width"
                                                       : NULL;
            if (!missing)
                return tr_grid_check(grid, 0, reader->error) == TR_OK ? TR_OK : at_line(reader, TR_LIMIT);
            tr_fail(reader->error, TR_BAD_FILE, "the map begins, but its %s is missing", missing);
            return at_line(reader, TR_BAD_FILE);
        }
        tr_status status = read_header_line(reader, grid, &typed);
        if (status != TR_OK)
            return status;
    }
    tr_fail(reader->error, TR_BAD_FILE, "the text ends before the line \"map\"");
    return at_line(reader, TR_BAD_FILE);
}

static tr_status fail_letter(const line_reader *reader, uint32_t row, size_t column) {
    unsigned char letter = (unsigned char)reader->begin[column];
    if (letter > ' ' && letter < 127)
        tr_fail(reader->error, TR_BAD_FILE, "row %u, column %zu is '%c', it must be one of . G S @ O T W",
                row, column, letter);
    else
        tr_fail(reader->error, TR_BAD_FILE,
                "row %u, column %zu is the byte 0x%02x, it must be one of . G S @ O T W", row, column,
                letter);
    return at_line(reader, TR_BAD_FILE);
}

// Checks that all rows are present and valid before allocating the size that the header claims.
static tr_status check_rows(line_reader *reader, const tr_grid *grid) {
    for (uint32_t row = 0; row < grid->rows; row++) {
        if (!next_line(reader)) {
            tr_fail(reader->error, TR_BAD_FILE, "the text ends after %u rows, but the height is %u", row,
                    grid->rows);
            return at_line(reader, TR_BAD_FILE);
        }
        for (size_t column = 0; column < reader->length && column < grid->columns; column++)
            if (!is_letter(reader->begin[column]))
                return fail_letter(reader, row, column);
        if (reader->length != grid->columns) {
            tr_fail(reader->error, TR_BAD_FILE, "row %u has %zu cells, but the width is %u", row,
                    reader->length, grid->columns);
            return at_line(reader, TR_BAD_FILE);
        }
    }
    if (!next_line_with_text(reader))
        return TR_OK;
    tr_fail(reader->error, TR_BAD_FILE, "\"%.*s\" follows the last row, but the height is %u",
            quoted(reader->length), reader->begin, grid->rows);
    return at_line(reader, TR_BAD_FILE);
}

static void fill_rows(line_reader *reader, tr_bitmap *blocked) {
    for (uint32_t row = 0; row < blocked->rows && next_line(reader); row++)
        for (uint32_t column = 0; column < blocked->columns; column++)
            if (!is_free_letter(reader->begin[column]))
                tr_bitmap_set(blocked, column, row);
}

tr_status tr_moving_ai_read_map(const tr_allocator *allocator, const void *text, size_t size, tr_grid *grid,
                                tr_bitmap *blocked, tr_error *error) {
    if ((!text && size > 0) || !grid || !blocked)
        return tr_fail(error, TR_INVALID, "the text or the map is NULL");
    line_reader reader = begin_lines(text, size, error);
    tr_grid read = {.cell = 1};
    tr_bitmap cells;
    tr_status status = read_header(&reader, &read);
    if (status != TR_OK)
        return status;
    line_reader rows = reader;
    status = check_rows(&reader, &read);
    if (status != TR_OK)
        return status;
    if (tr_bitmap_create(allocator, read.columns, read.rows, &cells) != TR_OK)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a map of %u x %u cells", read.columns,
                       read.rows);
    fill_rows(&rows, &cells);
    *grid = read;
    *blocked = cells;
    return TR_OK;
}

static tr_status read_version(line_reader *reader) {
    bool found = next_line_with_text(reader);
    const char *at = reader->begin, *end = found ? reader->begin + reader->length : at;
    word key = {at, 0}, value = {end, 0}, rest;
    if (found && next_word(&at, end, 0, &key) && word_is(key, "version") && next_word(&at, end, 0, &value) &&
        !next_word(&at, end, 0, &rest) && (word_is(value, "1") || word_is(value, "1.0")))
        return TR_OK;
    if (found)
        tr_fail(reader->error, TR_BAD_FILE, "the first line is \"%.*s\", it must be \"version 1\"",
                quoted(reader->length), reader->begin);
    else
        tr_fail(reader->error, TR_BAD_FILE, "the text has no first line \"version 1\"");
    return at_line(reader, TR_BAD_FILE);
}

enum {
    FIELD_BUCKET,
    FIELD_MAP,
    FIELD_WIDTH,
    FIELD_HEIGHT,
    FIELD_START_COLUMN,
    FIELD_START_ROW,
    FIELD_GOAL_COLUMN,
    FIELD_GOAL_ROW,
    FIELD_OPTIMAL,
    FIELD_COUNT
};

// Tabs separate the fields if there are any, so that a map's name may contain blanks.
static tr_status split_fields(const line_reader *reader, word fields[FIELD_COUNT]) {
    const char *at = reader->begin, *end = reader->begin + reader->length;
    char separator = memchr(at, '\t', reader->length) ? '\t' : 0;
    uint32_t count = 0;
    for (word field; next_word(&at, end, separator, &field); count++) {
        while (field.length > 0 && is_blank(field.begin[field.length - 1]))
            field.length--;
        if (count < FIELD_COUNT)
            fields[count] = field;
    }
    if (count == FIELD_COUNT)
        return TR_OK;
    tr_fail(reader->error, TR_BAD_FILE,
            "a query has %u fields, it must have %d: bucket, map, width, height, start column and row, goal "
            "column and row, optimal length",
            count, FIELD_COUNT);
    return at_line(reader, TR_BAD_FILE);
}

static tr_status read_cell(const line_reader *reader, word text, const char *what, const char *side_name,
                           uint32_t side, uint32_t *number) {
    tr_status status = read_count(reader, text, what, 0, TR_GRID_SIDE_MAX, number);
    if (status != TR_OK || *number < side)
        return status;
    tr_fail(reader->error, TR_BAD_FILE, "%s is %u, it must be below the %s, %u", what, *number, side_name,
            side);
    return at_line(reader, TR_BAD_FILE);
}

static tr_status read_optimal(const line_reader *reader, word text, double *optimal, uint32_t *decimals) {
    const char *after, *end = text.begin + text.length;
    if (!tr_number_read(text.begin, end, &after, optimal) || after != end || !(*optimal >= 0) ||
        !isfinite(*optimal)) {
        tr_fail(reader->error, TR_BAD_FILE,
                "the optimal length is \"%.*s\", it must be a number of at least 0", quoted(text.length),
                text.begin);
        return at_line(reader, TR_BAD_FILE);
    }
    const char *point = memchr(text.begin, '.', text.length);
    uint32_t count = 0;
    for (const char *at = point ? point + 1 : end; at < end && *at >= '0' && *at <= '9' && count < 99; at++)
        count++;
    *decimals = count > *decimals ? count : *decimals;
    return TR_OK;
}

static tr_status read_query(const line_reader *reader, tr_moving_ai_query *query, uint32_t *decimals) {
    word fields[FIELD_COUNT];
    tr_status status = split_fields(reader, fields);
    query->line = reader->number;
    if (status == TR_OK)
        status = read_count(reader, fields[FIELD_BUCKET], "the bucket", 0, UINT32_MAX, &query->bucket);
    if (status == TR_OK)
        status = read_count(reader, fields[FIELD_WIDTH], "the map's width", 1, TR_GRID_SIDE_MAX,
                            &query->map_width);
    if (status == TR_OK)
        status = read_count(reader, fields[FIELD_HEIGHT], "the map's height", 1, TR_GRID_SIDE_MAX,
                            &query->map_height);
    if (status == TR_OK)
        status = read_cell(reader, fields[FIELD_START_COLUMN], "the start's column", "width",
                           query->map_width, &query->start_column);
    if (status == TR_OK)
        status = read_cell(reader, fields[FIELD_START_ROW], "the start's row", "height", query->map_height,
                           &query->start_row);
    if (status == TR_OK)
        status = read_cell(reader, fields[FIELD_GOAL_COLUMN], "the goal's column", "width", query->map_width,
                           &query->goal_column);
    if (status == TR_OK)
        status = read_cell(reader, fields[FIELD_GOAL_ROW], "the goal's row", "height", query->map_height,
                           &query->goal_row);
    if (status == TR_OK)
        status = read_optimal(reader, fields[FIELD_OPTIMAL], &query->optimal, decimals);
    return status;
}

tr_status tr_moving_ai_read_scenario(const tr_allocator *allocator, const void *text, size_t size,
                                     tr_moving_ai_scenario *scenario, tr_error *error) {
    if ((!text && size > 0) || !scenario)
        return tr_fail(error, TR_INVALID, "the text or the scenario is NULL");
    tr_allocator own = tr_allocator_or_default(allocator);
    line_reader reader = begin_lines(text, size, error);
    tr_moving_ai_scenario read = {NULL, 0, 0, 0};
    tr_status status = read_version(&reader);
    while (status == TR_OK && next_line_with_text(&reader)) {
        tr_moving_ai_query query;
        status = read_query(&reader, &query, &read.decimals);
        if (status == TR_OK && !tr_reserve(&own, (void **)&read.queries, &read.capacity,
                                           (uint64_t)read.count + 1, sizeof *read.queries)) {
            tr_fail(error, TR_OUT_OF_MEMORY, "no memory for more than %u queries", read.count);
            status = at_line(&reader, TR_OUT_OF_MEMORY);
        }
        if (status == TR_OK)
            read.queries[read.count++] = query;
    }
    if (status == TR_OK)
        *scenario = read;
    else
        tr_moving_ai_free_scenario(&own, &read);
    return status;
}

void tr_moving_ai_free_scenario(const tr_allocator *allocator, tr_moving_ai_scenario *scenario) {
    if (!scenario)
        return;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_release(&own, scenario->queries, scenario->capacity, sizeof *scenario->queries);
    tr_moving_ai_scenario empty = {NULL, 0, 0, 0};
    *scenario = empty;
}

bool tr_moving_ai_agrees(const tr_moving_ai_scenario *scenario, uint32_t query, double length) {
    if (!scenario || query >= scenario->count)
        return false;
    double optimal = scenario->queries[query].optimal;
    double allowed = 1e-5 * (optimal > 1 ? optimal : 1); // files have six digits: 2436.68
    // Slightly more than half a unit: neither the file's number nor ours is exact to the last bit. With fewer
    // than two decimals the lengths may be integers, and half a unit would hide a wrong path.
    double half_unit = 0.5 + 1e-6;
    for (uint32_t i = 0; i < scenario->decimals; i++)
        half_unit /= 10;
    if (scenario->decimals >= 2 && half_unit > allowed)
        allowed = half_unit;
    return fabs(length - optimal) <= allowed;
}
