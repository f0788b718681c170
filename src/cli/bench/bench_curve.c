#include "bench_curve.h"
#include "bench_axis.h"

#include <math.h>
#include <string.h>

#define LINE 3.0f // [pixels]
#define DOT 5.0f
#define GAP 6.0f // between words and the plane

bool bench_curve_has(const bench_result *result) {
    return result->axis != NULL;
}

static bool is_point(const bench_curve *curve, const bench_result *result) {
    return bench_curve_has(result) && strcmp(bench_quantity(result->unit), curve->quantity) == 0;
}

static void draw_grid(const bench_curve *curve, const bench_axis *along, const bench_axis *up,
                      tr_picture *picture) {
    double ticks[BENCH_TICKS_MAX];
    char word[48];
    for (uint32_t i = 0, count = bench_axis_ticks(along, ticks); i < count; i++) {
        float x = bench_axis_pixel(along, ticks[i]);
        bench_axis_word(along, ticks[i], word, sizeof word);
        tr_picture_line(picture, x, curve->top, x, curve->bottom, 1, curve->grid, 1);
        tr_picture_text(picture, x - tr_picture_text_width(curve->text, word) / 2, curve->bottom + GAP,
                        curve->text, word, curve->ink);
    }
    for (uint32_t i = 0, count = bench_axis_ticks(up, ticks); i < count; i++) {
        float y = bench_axis_pixel(up, ticks[i]);
        bench_axis_word(up, ticks[i], word, sizeof word);
        tr_picture_line(picture, curve->left, y, curve->right, y, 1, curve->grid, 1);
        tr_picture_text(picture, curve->left - GAP - tr_picture_text_width(curve->text, word),
                        y - curve->text / 2, curve->text, word, curve->ink);
    }
}

static void draw_line(const bench_curve *curve, const bench_axis *along, const bench_axis *up, bool ours,
                      tr_picture *picture) {
    tr_color color = ours ? curve->ours : curve->paper;
    float x = NAN, y = NAN;
    for (uint32_t i = 0; i < curve->count; i++) {
        const bench_result *result = &curve->results[i];
        double value = ours ? result->value : result->paper;
        if (!is_point(curve, result) || !isfinite(value))
            continue;
        float next_x = bench_axis_pixel(along, result->at),
              next_y = bench_axis_pixel(up, bench_in_base(result->unit, value));
        if (!isnan(x))
            tr_picture_line(picture, x, y, next_x, next_y, LINE, color, 1);
        tr_picture_disc(picture, next_x, next_y, DOT, color, 1);
        x = next_x;
        y = next_y;
    }
}

void bench_curve_draw(const bench_curve *curve, tr_picture *picture) {
    bench_axis along = bench_axis_begin(""), up = bench_axis_begin(curve->quantity);
    const char *name = "";
    for (uint32_t i = 0; i < curve->count; i++) {
        const bench_result *result = &curve->results[i];
        if (!is_point(curve, result))
            continue;
        name = result->axis;
        bench_axis_add(&along, result->at);
        bench_axis_add(&up, bench_in_base(result->unit, result->value));
        bench_axis_add(&up, bench_in_base(result->unit, result->paper));
    }
    bench_axis_finish(&along);
    bench_axis_finish(&up);
    along.left = curve->left;
    along.right = curve->right;
    up.left = curve->bottom;
    up.right = curve->top;
    draw_grid(curve, &along, &up, picture);
    draw_line(curve, &along, &up, false, picture);
    draw_line(curve, &along, &up, true, picture);
    tr_picture_text(picture, curve->right - tr_picture_text_width(curve->text, name),
                    curve->bottom + 2 * GAP + curve->text, curve->text, name, curve->ink);
}
