#include "bench_plot.h"
#include "bench_axis.h"
#include "bench_curve.h"
#include "cli/arguments.h"
#include "troupe/io/picture.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// [pixels]
#define WIDTH 1200
#define MARGIN 32
#define TITLE_TEXT 24
#define HEAD_TEXT 18
#define TEXT 15
#define BAR 14
#define BAR_GAP 2
#define ROW_GAP 12
#define SPACE 10 // between a name, a bar and its figure
#define KEYS_MAX 16
#define CURVE 420 // height of a curve, above its bars
#define CURVE_LEFT 96
#define CURVE_WORDS 56 // below it

static const tr_color white = {255, 255, 255};
static const tr_color ink = {48, 54, 62};
static const tr_color faint_ink = {122, 124, 122};
static const tr_color grid_color = {224, 226, 224};
static const tr_color zero_color = {150, 154, 152};
static const tr_color our_color = {24, 100, 171};
static const tr_color paper_color = {170, 170, 164};
// Told apart by those who see few colours, too: they differ in brightness.
static const tr_color peer_colors[] = {{226, 132, 30}, {150, 52, 60}, {92, 150, 90}, {140, 110, 180}};
#define PEER_COLORS (sizeof peer_colors / sizeof peer_colors[0])

// Goes down the page. Without a picture nothing is drawn: so it is seen how high one must be.
typedef struct plot_pen {
    tr_picture *picture; // may be NULL
    float y;
} plot_pen;

static void draw_text(const plot_pen *pen, float x, float y, float height, const char *text, tr_color color) {
    if (pen->picture)
        tr_picture_text(pen->picture, x, y, height, text, color);
}

static void draw_box(const plot_pen *pen, float x0, float y0, float x1, float y1, tr_color color) {
    if (pen->picture)
        tr_picture_rectangle(pen->picture, fminf(x0, x1), y0, fmaxf(x0, x1), y1, color, 1);
}

// A peer's own figure that has ours beside it only repeats another one.
static bool is_shown(const bench_result *result) {
    return !(result->by && result->peer);
}

static bool is_of(const bench_result *result, const char *quantity) {
    return is_shown(result) && strcmp(bench_quantity(result->unit), quantity) == 0;
}

// Peers are numbered in the order in which a chart names them, and have the same colour in all of it.
static uint32_t peer_number(const bench_chart *chart, const char *name) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < chart->count; i++) {
        const char *named = chart->results[i].by ? chart->results[i].by : chart->results[i].peer;
        bool is_known = !named || !is_shown(&chart->results[i]);
        for (uint32_t k = 0; k < i && !is_known; k++) {
            const char *other = chart->results[k].by ? chart->results[k].by : chart->results[k].peer;
            is_known = other && is_shown(&chart->results[k]) && strcmp(other, named) == 0;
        }
        if (!is_known && strcmp(named, name) == 0)
            return number;
        number += !is_known;
    }
    return number;
}

typedef enum plot_rank { RANK_OURS, RANK_PEER, RANK_PAPER, RANK_COUNT } plot_rank;

typedef struct plot_bar {
    plot_rank rank;   // in the legend
    const char *name; // and what it says
    double value;
    tr_color color;
} plot_bar;

// What a result says, as bars one below the other; returns how many.
static uint32_t bars_of(const bench_chart *chart, const bench_result *result, plot_bar bars[3]) {
    const char *peer = result->by ? result->by : result->peer;
    tr_color color = peer ? peer_colors[peer_number(chart, peer) % PEER_COLORS] : our_color;
    uint32_t count = 0;
    if (result->by)
        bars[count++] = (plot_bar){RANK_PEER, result->by, result->value, color};
    else
        bars[count++] = (plot_bar){RANK_OURS, "Troupe", result->value, our_color};
    if (!result->by && peer && !isnan(result->peer_value))
        bars[count++] = (plot_bar){RANK_PEER, peer, result->peer_value, color};
    if (!isnan(result->paper))
        bars[count++] = (plot_bar){RANK_PAPER, "the paper", result->paper, paper_color};
    return count;
}

static float row_height(const bench_chart *chart, const bench_result *result) {
    plot_bar bars[3];
    return (float)bars_of(chart, result, bars) * (BAR + BAR_GAP) - BAR_GAP;
}

// "kuffner.maze50.project_ms" is "maze50 project" in the chart of kuffner, and what is a peer's has its
// colour.
static void write_name(const bench_chart *chart, const bench_result *result, char *name, size_t size) {
    const char *id = result->id;
    size_t suite = strlen(chart->name), unit = strlen(result->unit);
    if (strncmp(id, chart->name, suite) == 0 && id[suite] == '.')
        id += suite + 1;
    else if (strncmp(id, "peers.", 6) == 0)
        id += 6;
    snprintf(name, size, "%s", id);
    size_t length = strlen(name);
    if (unit > 0 && length > unit + 1 && strcmp(name + length - unit, result->unit) == 0 &&
        strchr("._", name[length - unit - 1]))
        name[length - unit - 1] = 0;
    for (char *at = name; *at; at++) {
        bool is_number =
            *at == '.' && at > name && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]);
        *at = strchr("._", *at) && !is_number ? ' ' : *at;
    }
}

// The axis of a quantity, with room for the names on the left and the figures beside the bars.
static bench_axis make_axis(const bench_chart *chart, const char *quantity) {
    bench_axis axis = bench_axis_begin(quantity);
    float names = 0, before = 0, after = 0;
    for (uint32_t i = 0; i < chart->count; i++) {
        const bench_result *result = &chart->results[i];
        char text[80];
        plot_bar bars[3];
        if (!is_of(result, quantity))
            continue;
        write_name(chart, result, text, sizeof text);
        names = fmaxf(names, tr_picture_text_width(TEXT, text));
        for (uint32_t k = 0, count = bars_of(chart, result, bars); k < count; k++) {
            bench_axis_add(&axis, bench_in_base(result->unit, bars[k].value));
            bench_figure(bars[k].value, result->unit, text, sizeof text);
            float *room = bars[k].value < 0 ? &before : &after;
            *room = fmaxf(*room, tr_picture_text_width(TEXT, text) + SPACE);
        }
    }
    bench_axis_finish(&axis);
    axis.left = MARGIN + names + SPACE + before;
    axis.right = WIDTH - MARGIN - after;
    return axis;
}

static void draw_key(plot_pen *pen, float *x, const char *name, tr_color color) {
    float width = BAR + 6 + tr_picture_text_width(TEXT, name);
    if (*x + width > WIDTH - MARGIN) {
        *x = MARGIN;
        pen->y += TEXT + 8;
    }
    draw_box(pen, *x, pen->y, *x + BAR, pen->y + BAR, color);
    draw_text(pen, *x + BAR + 6, pen->y, TEXT, name, ink);
    *x += width + 28;
}

// Everybody with a bar of this quantity, once: first we, last the paper.
static void draw_legend(plot_pen *pen, const bench_chart *chart, const char *quantity) {
    plot_bar keys[KEYS_MAX];
    uint32_t count = 0;
    float x = MARGIN;
    for (int rank = 0; rank < RANK_COUNT; rank++)
        for (uint32_t i = 0; i < chart->count; i++) {
            plot_bar bars[3];
            bool is_here = is_of(&chart->results[i], quantity);
            for (uint32_t k = 0, most = is_here ? bars_of(chart, &chart->results[i], bars) : 0; k < most;
                 k++) {
                bool is_wanted = (int)bars[k].rank == rank && count < KEYS_MAX;
                for (uint32_t n = 0; n < count && is_wanted; n++)
                    is_wanted = strcmp(keys[n].name, bars[k].name) != 0;
                if (is_wanted)
                    keys[count++] = bars[k];
            }
        }
    if (count == 1 && keys[0].rank == RANK_OURS)
        return; // which goes without saying
    for (uint32_t i = 0; i < count; i++)
        draw_key(pen, &x, keys[i].name, keys[i].color);
    pen->y += TEXT + 14;
}

static void draw_ticks(plot_pen *pen, const bench_axis *axis, float height) {
    double ticks[BENCH_TICKS_MAX];
    float end = -1e9f; // of the last word
    for (uint32_t i = 0, count = bench_axis_ticks(axis, ticks); i < count; i++) {
        char word[48];
        bench_axis_word(axis, ticks[i], word, sizeof word);
        float x = bench_axis_pixel(axis, ticks[i]), half = tr_picture_text_width(TEXT, word) / 2;
        bool is_zero = !axis->is_log && fabs(ticks[i]) < 1e-9 * (axis->high - axis->low);
        draw_box(pen, x - 0.5f, pen->y + TEXT + 5, x + 0.5f, pen->y + TEXT + 5 + height,
                 is_zero ? zero_color : grid_color);
        if (x - half < end + SPACE)
            continue;
        draw_text(pen, x - half, pen->y, TEXT, word, faint_ink);
        end = x + half;
    }
    pen->y += TEXT + 5 + ROW_GAP;
}

static void draw_row(plot_pen *pen, const bench_chart *chart, const bench_result *result,
                     const bench_axis *axis) {
    plot_bar bars[3];
    char text[96];
    float height = row_height(chart, result), zero = bench_axis_pixel(axis, axis->is_log ? axis->low : 0);
    write_name(chart, result, text, sizeof text);
    draw_text(pen, MARGIN, pen->y + (height - TEXT) / 2, TEXT, text, ink);
    for (uint32_t i = 0, count = bars_of(chart, result, bars); i < count; i++) {
        float y = pen->y + (float)i * (BAR + BAR_GAP);
        double value = bench_in_base(result->unit, bars[i].value);
        bool is_number = isfinite(value);
        float x = is_number ? bench_axis_pixel(axis, value) : zero;
        bench_figure(bars[i].value, result->unit, text, sizeof text);
        draw_box(pen, zero, y, x, y + BAR, bars[i].color);
        float beside = value < 0 ? x - SPACE / 2 - tr_picture_text_width(TEXT, text) : x + SPACE / 2;
        draw_text(pen, beside, y, TEXT, is_number ? text : "none", ink);
    }
    pen->y += height + ROW_GAP;
}

// The points of this quantity as a curve, if they form one.
static void draw_curve(plot_pen *pen, const bench_chart *chart, const char *quantity) {
    uint32_t points = 0;
    for (uint32_t i = 0; i < chart->count; i++)
        points += is_of(&chart->results[i], quantity) && bench_curve_has(&chart->results[i]);
    if (points < 2)
        return;
    bench_curve curve = {.results = chart->results,
                         .count = chart->count,
                         .quantity = quantity,
                         .left = CURVE_LEFT,
                         .right = WIDTH - MARGIN,
                         .top = pen->y,
                         .bottom = pen->y + CURVE,
                         .text = TEXT,
                         .ours = our_color,
                         .paper = paper_color,
                         .ink = faint_ink,
                         .grid = grid_color};
    if (pen->picture)
        bench_curve_draw(&curve, pen->picture);
    pen->y += CURVE + CURVE_WORDS;
}

static void draw_quantity(plot_pen *pen, const bench_chart *chart, const char *quantity) {
    bench_axis axis = make_axis(chart, quantity);
    float height = ROW_GAP;
    char head[120];
    for (uint32_t i = 0; i < chart->count; i++)
        if (is_of(&chart->results[i], quantity))
            height += row_height(chart, &chart->results[i]) + ROW_GAP;
    snprintf(head, sizeof head, "%s%s", quantity, axis.is_log ? ", logarithmic scale" : "");
    draw_text(pen, MARGIN, pen->y, HEAD_TEXT, head, ink);
    pen->y += HEAD_TEXT + 12;
    draw_legend(pen, chart, quantity);
    draw_curve(pen, chart, quantity);
    draw_ticks(pen, &axis, height);
    for (uint32_t i = 0; i < chart->count; i++)
        if (is_of(&chart->results[i], quantity))
            draw_row(pen, chart, &chart->results[i], &axis);
    pen->y += MARGIN;
}

static void draw_chart(plot_pen *pen, const bench_chart *chart, const char *origin) {
    char title[160];
    snprintf(title, sizeof title, "%s", chart->title);
    title[0] = (char)toupper((unsigned char)title[0]);
    pen->y += MARGIN;
    draw_text(pen, MARGIN, pen->y, TITLE_TEXT, title, ink);
    pen->y += TITLE_TEXT + 10;
    draw_text(pen, MARGIN, pen->y, TEXT, origin, faint_ink);
    pen->y += TEXT + 28;
    for (uint32_t i = 0; i < chart->count; i++) {
        const char *quantity = bench_quantity(chart->results[i].unit);
        bool is_first = is_shown(&chart->results[i]);
        for (uint32_t k = 0; k < i && is_first; k++)
            is_first = !is_of(&chart->results[k], quantity);
        if (is_first)
            draw_quantity(pen, chart, quantity);
    }
}

static tr_status write_charts(const char *path, const bench_chart *charts, uint32_t count, const char *origin,
                              tr_error *error) {
    plot_pen pen = {.picture = NULL};
    tr_picture picture;
    for (uint32_t i = 0; i < count; i++)
        if (charts[i].count > 0)
            draw_chart(&pen, &charts[i], origin);
    tr_status status = tr_picture_create(NULL, WIDTH, (uint32_t)fmaxf(pen.y, 1), white, &picture, error);
    if (status != TR_OK)
        return status;
    pen = (plot_pen){.picture = &picture};
    for (uint32_t i = 0; i < count; i++)
        if (charts[i].count > 0)
            draw_chart(&pen, &charts[i], origin);
    status = tr_picture_write_png(&picture, path, error);
    tr_picture_destroy(&picture);
    return status;
}

tr_status bench_plot_write(const char *path, const bench_chart *charts, uint32_t count, const char *origin,
                           tr_error *error) {
    if (arguments_ends_with(path, ".png"))
        return write_charts(path, charts, count, origin, error);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        char file[1024];
        int length = snprintf(file, sizeof file, "%s/%s.png", path, charts[i].name);
        if (length < 0 || (size_t)length >= sizeof file)
            return tr_fail(error, TR_NO_FILE, "the name of the folder is too long: %.80s...", path);
        if (charts[i].count > 0)
            status = write_charts(file, &charts[i], 1, origin, error);
    }
    return status;
}

// Can this build write pictures at all?
static tr_status check_png(tr_error *error) {
    tr_picture picture;
    tr_bytes bytes = {NULL, 0};
    tr_status status = tr_picture_create(NULL, 1, 1, white, &picture, error);
    if (status != TR_OK)
        return status;
    status = tr_picture_encode_png(NULL, &picture, &bytes, error);
    tr_bytes_free(NULL, &bytes);
    tr_picture_destroy(&picture);
    return status;
}

tr_status bench_plot_prepare(const char *path, tr_error *error) {
    tr_status status = check_png(error);
    struct stat found;
    char folder[1024];
    if (status != TR_OK)
        return status;
    if (!arguments_ends_with(path, ".png")) {
        if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)))
            return TR_OK;
        return tr_fail(error, TR_NO_FILE, "--png: the folder %.200s cannot be made: %s", path,
                       strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode))
        return tr_fail(error, TR_NO_FILE, "--png %.200s: there is no folder %.200s", path, folder);
    return TR_OK;
}
