// A stroke font of our own: each character is a few lines and curves, so that text is sharp at every size.
//
// A point is two characters: x as '0' (0) to ':' (10), y as 'a' (0, the top of a capital) to 'm' (12, the
// tail of a g); lower case letters touch 'd', the base line is 'j'. A capital letter for y means that the
// curve is drawn towards the point and does not pass through it, as in TrueType outlines: two such points in
// a row meet half-way. A space lifts the pen.
#include "picture_draw.h"

#define UNITS_HIGH 12.0
#define UNIT_ASPECT 0.78 // an x unit in y units
#define GAP 2.8          // between two characters [x units]
#define SPACE 4.0        // width of a space [x units]
#define STROKE 1.15      // width of the pen [y units]
#define CURVE_PARTS 6
#define SEGMENTS_MOST 160

static const char *const glyphs[95] = {
    "",                                   // space
    "0a0g 0j0j",                          // !
    "0a0c 2a2c",                          // "
    "2a1j 6a5j 0d7d 0g7g",                // #
    "7c7B4b0B0E4e7E7I4i0I0h 4a4j",        // $
    "7a1j 2a0A0D2d4D4A2a 6f4F4J6j8J8F6f", // %
    "7j1d1A3a5A5c5D0F0J3j6J7f",           // &
    "0a0c",                               // '
    "2a0C0I2l",                           // (
    "0a2C2I0l",                           // )
    "3b3h 0d6f 6d0f",                     // *
    "0f6f 3c3i",                          // +
    "1i0k",                               // ,
    "0f4f",                               // -
    "0j0j",                               // .
    "0k5a",                               // /
    "3a0A0J3j6J6A3a",                     // 0
    "1c3a3j",                             // 1
    "0c0A3a6A6c6E3g0j6j",                 // 2
    "0c0A3a6A6E3e6E6J3j0J0h",             // 3
    "5j5a0g7g",                           // 4
    "6a0a0e3e6E6J3j0J0h",                 // 5
    "5a0A0g0J3j6J6E3e0E0g",               // 6
    "0a6a2j",                             // 7
    "3a0A0E3e6E6A3a 3e0E0J3j6J6E3e",      // 8
    "1j6J6d6A3a0A0F3f6F6d",               // 9
    "0e0e 0j0j",                          // :
    "1e1e 1i0k",                          // ;
    "6b0f6j",                             // <
    "0d6d 0g6g",                          // =
    "0b6f0j",                             // >
    "0c0A3a6A6c6E3f3g 3j3j",              // ?
    "6f6D4d2D2H4h6H6f6H8H8A4a0A0K4k6k",   // @
    "0j4a8j 1g7g",                        // A
    "0a0j4j7J7E4e0e 0a4a6A6E4e",          // B
    "7c7A4a0A0J4j7J7h",                   // C
    "0a0j3j8J8A3a0a",                     // D
    "6a0a0j6j 0e5e",                      // E
    "6a0a0j 0e5e",                        // F
    "7c7A4a0A0J4j7J7f5f",                 // G
    "0a0j 7a7j 0e7e",                     // H
    "0a0j",                               // I
    "5a5g5J2j0J0h",                       // J
    "0a0j 7a0f 3d7j",                     // K
    "0a0j6j",                             // L
    "0j0a4g8a8j",                         // M
    "0j0a7j7a",                           // N
    "4a0A0J4j8J8A4a",                     // O
    "0j0a4a7A7F4f0f",                     // P
    "4a0A0J4j8J8A4a 5g8j",                // Q
    "0j0a4a7A7F4f0f 4f7j",                // R
    "7c7A4a0A0E4e7E7J4j0J0h",             // S
    "0a8a 4a4j",                          // T
    "0a0f0J4j8J8f8a",                     // U
    "0a4j8a",                             // V
    "0a2j5c8j:a",                         // W
    "0a7j 7a0j",                          // X
    "0a4e8a 4e4j",                        // Y
    "0a7a0j7j",                           // Z
    "2a0a0k2k",                           // [
    "0a5k",                               // backslash
    "0a2a2k0k",                           // ]
    "0d2a4d",                             // ^
    "0k6k",                               // _
    "0a1c",                               // `
    "6d6j 6g6D3d0D0J3j6J6g",              // a
    "0a0j 0g0D3d6D6J3j0J0g",              // b
    "6e6D3d0D0J3j6J6i",                   // c
    "6a6j 6g6D3d0D0J3j6J6g",              // d
    "0g6g6D3d0D0J3j6J6i",                 // e
    "4a2A2c2j 0d4d",                      // f
    "6d6j6M3m1m 6g6D3d0D0J3j6J6g",        // g
    "0a0j 0g0D3d6D6g6j",                  // h
    "0d0j 0a0a",                          // i
    "2d2j2M0m 2a2a",                      // j
    "0a0j 5d0h 2f6j",                     // k
    "0a0h0J2j",                           // l
    "0d0j 0g0D2d4D4g4j 4g4D6d8D8g8j",     // m
    "0d0j 0g0D3d6D6g6j",                  // n
    "3d0D0J3j6J6D3d",                     // o
    "0d0m 0g0D3d6D6J3j0J0g",              // p
    "6d6m 6g6D3d0D0J3j6J6g",              // q
    "0d0j 0g0D3d4d",                      // r
    "5e5D3d0D0G3g6G6J3j0J0i",             // s
    "2b2h2J4j 0d4d",                      // t
    "0d0g0J3j6J6g 6d6j",                  // u
    "0d3j6d",                             // v
    "0d2j4e6j8d",                         // w
    "0d6j 6d0j",                          // x
    "0d3j 6d3j2M0m",                      // y
    "0d6d0j6j",                           // z
    "3a1A1d1F0f1F1i1K3k",                 // {
    "0a0k",                               // |
    "0a2A2d2F3f2F2i2K0k",                 // }
    "0g1E3f5G6e",                         // ~
};
static const char *const unknown_glyph = "0a5a5j0j0a";

// The glyph of the character at *text, which is moved past it (past a whole UTF-8 sequence if it begins one).
static const char *next_glyph(const char **text) {
    unsigned char c = (unsigned char)*(*text)++;
    if (c >= 32 && c < 127)
        return glyphs[c - 32];
    while (((unsigned char)**text & 0xC0) == 0x80)
        (*text)++;
    return c < 32 || c == 127 ? glyphs[0] : unknown_glyph;
}

static double glyph_width(const char *glyph) {
    if (!*glyph)
        return SPACE;
    int widest = 0;
    for (const char *c = glyph; *c; c += *c == ' ' ? 1 : 2)
        if (*c != ' ' && c[0] - '0' > widest)
            widest = c[0] - '0';
    return widest;
}

// Turns the points of one glyph into segments.
typedef struct glyph_pen {
    double left, top, unit; // [pixels]
    double x, y;            // current position
    double via_x, via_y;    // control point of the curve
    bool is_down, has_via;
    picture_segment segments[SEGMENTS_MOST];
    uint32_t count;
} glyph_pen;

static void pen_segment(glyph_pen *pen, double x, double y) {
    if (pen->count < SEGMENTS_MOST) {
        picture_segment segment = {pen->x, pen->y, x, y};
        pen->segments[pen->count++] = segment;
    }
    pen->x = x;
    pen->y = y;
}

static void pen_curve(glyph_pen *pen, double x, double y) {
    double from_x = pen->x, from_y = pen->y;
    for (int i = 1; i <= CURVE_PARTS; i++) {
        double t = (double)i / CURVE_PARTS, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        pen_segment(pen, a * from_x + b * pen->via_x + c * x, a * from_y + b * pen->via_y + c * y);
    }
}

static void pen_point(glyph_pen *pen, char column, char row) {
    bool passes = row >= 'a';
    double x = pen->left + (column - '0') * UNIT_ASPECT * pen->unit;
    double y = pen->top + (row - (passes ? 'a' : 'A')) * pen->unit;
    if (!passes) {
        if (pen->has_via)
            pen_curve(pen, (pen->via_x + x) / 2, (pen->via_y + y) / 2);
        pen->via_x = x;
        pen->via_y = y;
        pen->has_via = true;
        return;
    }
    if (!pen->is_down) {
        pen->x = x;
        pen->y = y;
        pen->is_down = true;
    } else if (pen->has_via) {
        pen_curve(pen, x, y);
    } else {
        pen_segment(pen, x, y);
    }
    pen->has_via = false;
}

void tr_picture_text(tr_picture *picture, float x, float y, float height, const char *text, tr_color color) {
    if (!picture || !picture->pixels || !text || !isfinite(x) || !isfinite(y) || !(height > 0) ||
        !isfinite(height))
        return;
    double unit = (double)height / UNITS_HIGH, width = fmax(STROKE * unit, 1.0), left = (double)x + width / 2;
    while (*text) {
        const char *glyph = next_glyph(&text);
        glyph_pen pen = {.left = left, .top = (double)y + width / 2, .unit = unit};
        for (const char *c = glyph; *c; c += *c == ' ' ? 1 : 2) {
            if (*c == ' ')
                pen.is_down = pen.has_via = false;
            else
                pen_point(&pen, c[0], c[1]);
        }
        if (pen.count > 0)
            picture_strokes(picture, pen.segments, pen.count, width, color, 1);
        left += (glyph_width(glyph) + GAP) * UNIT_ASPECT * unit;
    }
}

float tr_picture_text_width(float height, const char *text) {
    if (!text || !*text || !(height > 0) || !isfinite(height))
        return 0;
    double unit = (double)height / UNITS_HIGH, width = fmax(STROKE * unit, 1.0), x_units = 0;
    while (*text)
        x_units += glyph_width(next_glyph(&text)) + GAP;
    return (float)((x_units - GAP) * UNIT_ASPECT * unit + width);
}
