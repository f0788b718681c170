// A film strip: one wide picture of the whole motion, and frames at even times below it.
#include "film_set.h"

#include <stdio.h>
#include <string.h>

#define FRAMES_MOST 64
#define COLUMNS_MOST 4
#define GAP 10     // between frames [pixels]
#define CAPTION 26 // under a frame [pixels]
#define CROWD 24   // actors of which the wide picture shows one moment
#define TIMES_MOST 24
#define STAYS 0.7f // share of the whole path that one frame must show for the camera to stay
static const tr_color paper = {250, 249, 247}, ink = {60, 62, 66};

typedef struct strip_layout {
    uint32_t frames, columns, rows;
    uint32_t frame_width, frame_height;
    uint32_t wide_width, wide_height; // 0: no wide picture
    uint32_t caption;                 // height of the room for the time under a frame; 0: it is in the frame
} strip_layout;

static tr_status make_layout(const film_def *def, strip_layout *layout, tr_error *error) {
    // Somebody who stands upright needs a frame that is higher than wide.
    strip_layout made = {.frames = def->frames ? def->frames : 8,
                         .frame_width = def->width    ? def->width
                                        : def->follow ? 400
                                                      : 480,
                         .frame_height = def->height   ? def->height
                                         : def->follow ? 480
                                                       : 300,
                         .caption = def->follow ? CAPTION : 0};
    if (made.frames > FRAMES_MOST)
        return tr_fail(error, TR_LIMIT, "a strip of %u frames is longer than %u", made.frames, FRAMES_MOST);
    if (made.frame_width > 4096 || made.frame_height > 4096)
        return tr_fail(error, TR_LIMIT, "frames of %u x %u pixels are larger than 4096 on a side",
                       made.frame_width, made.frame_height);
    made.columns = made.frames < COLUMNS_MOST ? made.frames : COLUMNS_MOST;
    made.rows = (made.frames + made.columns - 1) / made.columns;
    made.wide_width = made.columns * made.frame_width + (made.columns - 1) * GAP;
    made.wide_height = def->follow ? 0 : made.columns == 1 ? made.frame_height : made.wide_width * 9 / 20;
    *layout = made;
    return TR_OK;
}

static void copy_frame(tr_picture *strip, const tr_picture *frame, uint32_t left, uint32_t top) {
    for (uint32_t y = 0; y < frame->height; y++)
        memcpy(strip->pixels + 3 * ((size_t)(top + y) * strip->width + left),
               frame->pixels + 3 * (size_t)y * frame->width, 3 * (size_t)frame->width);
}

static void write_caption(tr_picture *strip, uint32_t left, uint32_t bottom, double from, double to) {
    char text[64];
    if (from == to)
        snprintf(text, sizeof text, "%.1f s", to);
    else
        snprintf(text, sizeof text, "%.1f s to %.1f s", from, to);
    float height = 16, width = tr_picture_text_width(height, text);
    float x = (float)left + 8, y = (float)bottom - height - 10;
    tr_picture_rectangle(strip, x - 5, y - 5, x + width + 5, y + height + 4, paper, 0.8f);
    tr_picture_text(strip, x, y, height, text, ink);
}

// Writes the time into the room under a frame, in its middle.
static void write_under(tr_picture *strip, const strip_layout *layout, uint32_t left, uint32_t top,
                        double time) {
    char text[32];
    snprintf(text, sizeof text, "%.2f s", time);
    float height = 18, width = tr_picture_text_width(height, text);
    tr_picture_text(strip, (float)left + ((float)layout->frame_width - width) / 2,
                    (float)(top + layout->frame_height) + 6, height, text, ink);
}

static double time_of(const film_set *set, uint32_t number, uint32_t count) {
    return count < 2 ? set->begin : set->begin + (set->end - set->begin) * number / (count - 1);
}

static bool report(const film_def *def, uint32_t done, uint32_t total) {
    return !def->progress || def->progress(def->user, done, total);
}

// Draws all paths at once. Ghosts are a good step apart so that they do not merge; actors that stay in place
// have none.
static tr_status draw_wide(film_set *set, const strip_layout *layout, tr_picture *strip, tr_error *error) {
    tr_status status = film_set_size(set, layout->wide_width, layout->wide_height, 2, error);
    if (status != TR_OK)
        return status;
    tr_vec3 size = tr_vec3_subtract(set->path.max, set->path.min);
    float way = sqrtf(size.x * size.x + size.z * size.z);
    double times[TIMES_MOST];
    bool crowd = set->def->actor_count >= CROWD; // its ghosts would hide each other
    uint32_t count = way < 1.2f || crowd || film_set_has_focus(set) ? 1
                     : way / 0.9f < TIMES_MOST                      ? (uint32_t)(way / 0.9f) + 1
                                                                    : TIMES_MOST;
    for (uint32_t i = 0; i < count; i++)
        times[i] = count == 1 ? (set->begin + set->end) / 2 : time_of(set, i, count);
    if (film_set_has_focus(set) && set->def->still > 0)
        times[0] = set->def->still < set->end ? set->def->still : set->end;
    tr_camera camera = film_set_camera(set, set->path);
    status = film_set_draw(set, &camera, times, count, error);
    if (status != TR_OK)
        return status;
    copy_frame(strip, &set->picture, GAP, GAP);
    write_caption(strip, GAP, GAP + layout->wide_height, times[0], times[count - 1]);
    return report(set->def, 1, layout->frames + 1) ? TR_OK : TR_PARTIAL;
}

// The size that the largest frame must show. Pictures are wider than high, so outstretched hands need no
// extra room.
static tr_vec3 largest_size(film_set *set, uint32_t count) {
    const float hands = 0.7f;
    tr_vec3 largest = {1, 1.7f, 1};
    for (uint32_t i = 0; i < count; i++) {
        tr_box box = film_set_bounds(set, time_of(set, i, count));
        tr_vec3 size = tr_vec3_subtract(box.max, box.min);
        largest.x = size.x - hands > largest.x ? size.x - hands : largest.x;
        largest.y = size.y > largest.y ? size.y : largest.y;
        largest.z = size.z - hands > largest.z ? size.z - hands : largest.z;
    }
    return largest;
}

// The camera follows the actors and does not zoom. It stays in place if following would not bring it much
// closer: frames of one place are easier to compare.
static tr_box framed_at(film_set *set, double time, tr_vec3 size) {
    tr_vec3 all = tr_vec3_subtract(set->path.max, set->path.min), half = tr_vec3_scale(size, 0.5f);
    if (size.x * size.x + size.z * size.z > STAYS * STAYS * (all.x * all.x + all.z * all.z))
        return set->path;
    tr_box box = film_set_bounds(set, time);
    tr_vec3 middle = tr_vec3_scale(tr_vec3_add(box.min, box.max), 0.5f);
    return (tr_box){tr_vec3_subtract(middle, half), tr_vec3_add(middle, half)};
}

// Puts the frame that was drawn in its place.
static void place_frame(const film_set *set, const strip_layout *layout, tr_picture *strip, uint32_t number,
                        double time) {
    uint32_t row_height = layout->frame_height + layout->caption + GAP;
    uint32_t wide = layout->wide_height > 0 ? layout->wide_height + GAP : 0;
    uint32_t left = GAP + number % layout->columns * (layout->frame_width + GAP);
    uint32_t top = GAP + wide + number / layout->columns * row_height;
    copy_frame(strip, &set->picture, left, top);
    if (layout->caption > 0)
        write_under(strip, layout, left, top, time);
    else
        write_caption(strip, left, top + layout->frame_height, time, time);
}

static tr_status draw_frames(film_set *set, const strip_layout *layout, tr_picture *strip, tr_error *error) {
    tr_vec3 size = largest_size(set, layout->frames);
    tr_status status = film_set_size(set, layout->frame_width, layout->frame_height, 2, error);
    uint32_t before = layout->wide_height > 0; // pictures drawn before
    for (uint32_t i = 0; status == TR_OK && i < layout->frames; i++) {
        double time = time_of(set, i, layout->frames);
        tr_camera camera = set->def->follow ? film_follow_camera(set, time)
                                            : film_set_camera(set, framed_at(set, time, size));
        status = film_set_draw(set, &camera, &time, 1, error);
        if (status != TR_OK)
            break;
        place_frame(set, layout, strip, i, time);
        if (!report(set->def, i + 1 + before, layout->frames + before))
            status = tr_fail(error, TR_PARTIAL, "stopped after %u frames", i + 1);
    }
    return status;
}

static tr_status create_strip(const film_def *def, const strip_layout *layout, tr_picture *strip,
                              tr_error *error) {
    uint32_t wide = layout->wide_height > 0 ? layout->wide_height + GAP : 0;
    uint32_t row_height = layout->frame_height + layout->caption + GAP;
    return tr_picture_create(def->allocator, layout->wide_width + 2 * GAP,
                             GAP + wide + layout->rows * row_height, paper, strip, error);
}

tr_status film_strip_draw(const film_def *def, tr_picture *picture, tr_error *error) {
    strip_layout layout = {0};
    film_set set;
    tr_picture strip = {0};
    tr_status status = make_layout(def, &layout, error);
    if (status != TR_OK)
        return status;
    status = film_set_open(def, &set, error);
    if (status == TR_OK)
        status = create_strip(def, &layout, &strip, error);
    if (status == TR_OK && layout.wide_height > 0)
        status = draw_wide(&set, &layout, &strip, error);
    if (status == TR_OK)
        status = draw_frames(&set, &layout, &strip, error);
    film_set_close(&set);
    if (status == TR_OK)
        *picture = strip;
    else
        tr_picture_destroy(&strip);
    return status;
}

tr_status film_strip(const film_def *def, const char *path, tr_error *error) {
    tr_picture picture;
    tr_status status = film_strip_draw(def, &picture, error);
    if (status != TR_OK)
        return status;
    status = tr_picture_write_png(&picture, path, error);
    tr_picture_destroy(&picture);
    return status;
}
