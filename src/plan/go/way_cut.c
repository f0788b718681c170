// Cuts a path into pieces: level stretches and smooth slopes are walked, stretches with steps, gaps and rough
// ground take footsteps, links are rides.
#include "way_parts.h"

#define HIGHER 0.045f      // floor higher than the level stretch by no more is stepped on like a sill [m]
#define LOWER 0.012f       // floor lower by no more makes no difference [m]
#define EVEN_SAMPLES 16    // samples of a line that are tested at once
#define APPROACH 0.8f      // length of a level stretch before stairs that takes footsteps too [m]
#define DEPART 0.9f        // the same after them: two steps, so that a body walks on from level feet [m]
#define LEVEL_LEAST 1.6f   // a shorter level stretch is not worth walking [m]
#define BENT 0.01f         // the floor of a piece with slopes is this straight between points [m],
#define BENT_CROWDED 0.05f // or this, where there is little room for points [m]
#define STEPS_MOST 50.0f   // longer stretches of footsteps are divided [m]
#define RIDE_ASIDE 0.3f    // a rise with less horizontal length is a ride, link or not [m]
#define RIDE_SPEED 1.0f    // [m/s]

// Goes along a path, sample by sample, and finds where level stretches begin and end.
typedef struct cutter {
    const tr_ground *ground;
    const tr_path_point *path;
    uint32_t path_count;
    tr_way *way;
    tr_error *error;
    float rise, speed, step_speed;
    float height;   // of the floor at the sample
    bool level;     // in a walked stretch
    bool slopes;    // that is not level: its floor is the one at the sample
    bool sills;     // or that is level, with things on the floor
    float floor;    // of the stretch, or where the floor has been steady
    float steady;   // where the floor began to be at this height [m]
    float boundary; // begin of the current piece [m]
    float depart;   // height of the floor where footsteps would end [m]
    float done;     // length of the path before the current stretch [m]
} cutter;

static float height_at(const cutter *cut, tr_vec2 point, float height) {
    return tr_ground_height(cut->ground, tr_vec3_make(point.x, height, point.z), cut->rise);
}

static tr_status add_point(cutter *cut, tr_vec3 position, float along, float speed) {
    tr_way *way = cut->way;
    if (way->point_count == way->point_max)
        return tr_fail(cut->error, TR_LIMIT, "the way has more than %u corners", way->point_max);
    tr_way_point point = {.position = position, .along = along};
    if (way->point_count) {
        const tr_way_point *before = &way->points[way->point_count - 1];
        float level = along - before->along, rise = fabsf(position.y - before->position.y);
        float gradient = level > rise ? (position.y - before->position.y) / level : 0;
        bool slopes = way->piece_count && way->pieces[way->piece_count - 1].slopes;
        float share = slopes ? tr_way_slope_speed(gradient) : 1;
        point.time = before->time + (level > rise ? level : rise) / (share * speed);
    }
    way->points[way->point_count++] = point;
    return TR_OK;
}

// The point of the path at a length along it, with the floor's height there.
static tr_vec3 point_at(const cutter *cut, float length, float height) {
    float done = 0;
    for (uint32_t i = 1; i < cut->path_count; i++) {
        tr_vec3 a = cut->path[i - 1].position, b = cut->path[i].position;
        float piece = tr_vec3_distance_from_above(a, b);
        if (done + piece >= length && piece > 0) {
            float t = (length - done) / piece;
            return tr_vec3_make(a.x + t * (b.x - a.x), height, a.z + t * (b.z - a.z));
        }
        done += piece;
    }
    tr_vec3 last = cut->path[cut->path_count - 1].position;
    return tr_vec3_make(last.x, height, last.z);
}

static tr_status add_piece(cutter *cut, tr_way_kind kind, float end, tr_way_piece **piece) {
    tr_way *way = cut->way;
    if (way->piece_count == way->piece_max)
        return tr_fail(cut->error, TR_LIMIT, "the way has more than %u stairs, gaps and lifts",
                       way->piece_max);
    *piece = &way->pieces[way->piece_count++];
    **piece = (tr_way_piece){kind, way->point_count - 1, 0, cut->boundary, end, false};
    return TR_OK;
}

// The length of the path up to its first corner beyond `along`.
static float next_corner(const cutter *cut, float along) {
    float done = 0;
    for (uint32_t i = 1; i < cut->path_count; i++) {
        done += tr_vec3_distance_from_above(cut->path[i - 1].position, cut->path[i].position);
        if (done > along + 1e-3f)
            return done;
    }
    return INFINITY;
}

// Adds the corners of a piece with slopes, and the points between them where the slope changes: the fewest
// for which the floor is straight in between.
static tr_status add_slopes(cutter *cut, float end) {
    const tr_way *way = cut->way;
    tr_vec3 from = way->points[way->point_count - 1].position, last = from;
    float begin = cut->boundary, along = begin, before = begin, low = -INFINITY, high = INFINITY;
    tr_status status = TR_OK;
    for (float corner = next_corner(cut, along); along < end && status == TR_OK;) {
        along = along + WAY_SAMPLE < corner ? along + WAY_SAMPLE : corner;
        along = along < end - 1e-3f ? along : end;
        tr_vec3 at = point_at(cut, along, last.y);
        float height = tr_ground_smooth_height(cut->ground, at, cut->rise);
        at.y = height == height ? height : last.y;
        float length = along - begin, slope = (at.y - from.y) / length;
        bool crowded = way->point_count > way->point_max / 2;
        float off = (crowded ? BENT_CROWDED : BENT) / length;
        bool bent = slope < low || slope > high;
        if (bent) {
            status = add_point(cut, last, before, cut->speed);
            from = last, begin = before;
            length = along - begin, slope = (at.y - from.y) / length, off = BENT / length;
        }
        low = bent || slope - off > low ? slope - off : low;
        high = bent || slope + off < high ? slope + off : high;
        last = at, before = along;
        if (status == TR_OK && (along == corner || along == end)) {
            status = add_point(cut, at, along, cut->speed);
            from = at, begin = along, low = -INFINITY, high = INFINITY;
            corner = next_corner(cut, along);
        }
    }
    return status;
}

static tr_status end_slopes(cutter *cut, float end) {
    tr_way_piece *piece = NULL;
    tr_status status = add_piece(cut, TR_WAY_WALK, end, &piece);
    if (status != TR_OK)
        return status;
    piece->slopes = true;
    status = add_slopes(cut, end);
    piece->count = cut->way->point_count - piece->first;
    cut->boundary = end;
    return status;
}

// Ends a piece at `end`: adds its corners and its last point.
static tr_status end_piece(cutter *cut, tr_way_kind kind, float end, float height) {
    if (end <= cut->boundary + 1e-3f)
        return TR_OK;
    if (kind == TR_WAY_WALK && cut->slopes)
        return end_slopes(cut, end);
    tr_way_piece *piece = NULL;
    tr_status status = add_piece(cut, kind, end, &piece);
    float done = 0, speed = kind == TR_WAY_WALK ? cut->speed : cut->step_speed;
    for (uint32_t i = 1; i < cut->path_count && status == TR_OK; i++) {
        done += tr_vec3_distance_from_above(cut->path[i - 1].position, cut->path[i].position);
        if (done > cut->boundary + 1e-3f && done < end - 1e-3f)
            status = add_point(cut, cut->path[i].position, done, speed);
    }
    if (status == TR_OK)
        status = add_point(cut, point_at(cut, end, height), end, speed);
    if (status == TR_OK)
        piece->count = cut->way->point_count - piece->first;
    cut->boundary = end;
    return status;
}

static bool is_off(const cutter *cut, float height) {
    return height > cut->floor + HIGHER || height < cut->floor - LOWER;
}

// Is the floor level to the left and right too? Along a slope or a kerb the path is level, but the floor
// under the feet is not. Where there is no floor, feet do not come down.
static bool is_level_aside(const cutter *cut, tr_vec2 point, tr_vec2 aside) {
    tr_vec2 left = {point.x + aside.x, point.z + aside.z}, right = {point.x - aside.x, point.z - aside.z};
    return !is_off(cut, height_at(cut, left, cut->floor)) && !is_off(cut, height_at(cut, right, cut->floor));
}

// Does a walked stretch go on at this sample? A smooth slope becomes its floor, unless things lie on the
// level floor before it: those are stepped over from a known level.
static bool walks_on(cutter *cut, tr_vec2 point, tr_vec2 aside, float height) {
    bool even = height == cut->floor &&
                height_at(cut, (tr_vec2){point.x + aside.x, point.z + aside.z}, height) == height &&
                height_at(cut, (tr_vec2){point.x - aside.x, point.z - aside.z}, height) == height;
    if (even)
        return true;
    bool level = !cut->slopes && !is_off(cut, height) && is_level_aside(cut, point, aside);
    float smooth = tr_way_slope_at(cut->ground, point, aside, height, cut->rise);
    if (!level && (cut->sills || smooth != smooth))
        return false;
    cut->sills = cut->sills || smooth != smooth;
    cut->slopes = !level;
    cut->floor = level ? cut->floor : smooth;
    return true;
}

// Has the floor been fit for walking since the last sample? Compared with the start of the stretch: on a
// gentle slope the floor is never far from that of the sample before.
static bool is_steady(cutter *cut, tr_vec2 point, tr_vec2 aside, float height) {
    if (!cut->slopes && fabsf(height - cut->floor) <= LOWER && is_level_aside(cut, point, aside))
        return true;
    float smooth = tr_way_slope_at(cut->ground, point, aside, height, cut->rise);
    cut->slopes = smooth == smooth;
    cut->floor = cut->slopes ? smooth : cut->floor;
    return cut->slopes;
}

// `aside`: from the path to where a foot may be on its left.
static tr_status take_sample(cutter *cut, tr_vec2 point, tr_vec2 aside, float along) {
    float height = height_at(cut, point, cut->height);
    bool gap = height != height;
    if (cut->level) {
        if (!gap && walks_on(cut, point, aside, height)) {
            cut->height = cut->slopes ? height : cut->height;
            return TR_OK;
        }
        cut->level = false;
        cut->steady = along;
        float end = along - APPROACH > cut->boundary ? along - APPROACH : cut->boundary;
        tr_status status = end_piece(cut, TR_WAY_WALK, end, cut->floor);
        cut->height = cut->floor = cut->depart = gap ? cut->height : height;
        cut->slopes = cut->sills = false;
        return status;
    }
    cut->height = gap ? cut->height : height;
    if (gap || !is_steady(cut, point, aside, height)) {
        cut->steady = along;
        cut->floor = cut->height;
        cut->slopes = false;
    }
    if (along - cut->steady <= DEPART)
        cut->depart = cut->floor;
    if (along - cut->steady < LEVEL_LEAST)
        return along - cut->boundary < STEPS_MOST ? TR_OK : end_piece(cut, TR_WAY_STEP, along, cut->height);
    cut->level = true;
    return end_piece(cut, TR_WAY_STEP, cut->steady + DEPART, cut->depart);
}

static tr_vec2 aside_of(tr_vec3 a, tr_vec3 b, float length) {
    float scale = length > 0 ? WAY_ASIDE / length : 0;
    return (tr_vec2){scale * (b.z - a.z), scale * (a.x - b.x)};
}

static tr_status cut_stretch(cutter *cut, tr_vec3 a, tr_vec3 b) {
    float length = tr_vec3_distance_from_above(a, b);
    uint32_t steps = 1 + (uint32_t)(length / WAY_SAMPLE);
    tr_vec2 aside = aside_of(a, b, length);
    tr_status status = TR_OK;
    for (uint32_t k = 1; k <= steps && status == TR_OK; k++) {
        float t = (float)k / (float)steps;
        tr_vec2 point = {a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)};
        status = take_sample(cut, point, aside, cut->done + t * length);
    }
    cut->done += length;
    return status;
}

// Is there a single floor, at one height, everywhere between two points and beside them? Then that height is
// enough; else every sample has to be tested.
static bool is_even(const tr_ground *ground, tr_vec2 a, tr_vec2 b, float *height) {
    tr_vec2 min = {(a.x < b.x ? a.x : b.x) - WAY_ASIDE, (a.z < b.z ? a.z : b.z) - WAY_ASIDE},
            max = {(a.x > b.x ? a.x : b.x) + WAY_ASIDE, (a.z > b.z ? a.z : b.z) + WAY_ASIDE};
    return tr_ground_is_even(ground, min, max, height);
}

bool tr_way_is_level(const tr_ground *ground, tr_vec3 from, tr_vec3 to, float floor, float foot_rise) {
    cutter cut = {.ground = ground, .rise = foot_rise + 0.01f, .floor = floor};
    float length = tr_vec3_distance_from_above(from, to), height;
    uint32_t steps = 1 + (uint32_t)(length / WAY_SAMPLE);
    tr_vec2 aside = aside_of(from, to, length), begin = {from.x, from.z};
    for (uint32_t k = 0; k < steps; k += EVEN_SAMPLES) {
        uint32_t next = k + EVEN_SAMPLES < steps ? k + EVEN_SAMPLES : steps;
        float t = (float)next / (float)steps;
        tr_vec2 end = {from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
        bool even = is_even(ground, begin, end, &height);
        if (even && is_off(&cut, height))
            return false;
        for (uint32_t i = k + 1; i <= next && !even; i++) {
            t = (float)i / (float)steps;
            tr_vec2 point = {from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
            height = height_at(&cut, point, floor);
            if (height != height || is_off(&cut, height) || !is_level_aside(&cut, point, aside))
                return false;
        }
        begin = end;
    }
    return true;
}

// A lift: ends the piece before it, is a piece of its own, and begins a level stretch above.
static tr_status cut_ride(cutter *cut, tr_vec3 from, tr_vec3 to) {
    tr_way_piece *piece = NULL;
    float end = cut->done + tr_vec3_distance_from_above(from, to);
    tr_status status = end_piece(cut, cut->level ? TR_WAY_WALK : TR_WAY_STEP, cut->done, cut->height);
    if (status == TR_OK)
        status = add_piece(cut, TR_WAY_RIDE, end, &piece);
    if (status == TR_OK)
        status = add_point(cut, to, end, RIDE_SPEED);
    if (status == TR_OK)
        piece->count = 2;
    cut->done = cut->boundary = end;
    cut->level = true;
    cut->slopes = cut->sills = false;
    cut->floor = cut->height = to.y;
    return status;
}

tr_status tr_way_cut(tr_way *way, const tr_ground *ground, const tr_path_point *points, uint32_t point_count,
                     float foot_rise, float speed, float step_speed, tr_error *error) {
    tr_way_clear(way);
    if (point_count == 0)
        return tr_fail(error, TR_INVALID, "a way needs at least one point");
    float first = points[0].position.y;
    cutter cut = {.ground = ground,
                  .path = points,
                  .path_count = point_count,
                  .way = way,
                  .error = error,
                  .rise = foot_rise + 0.01f,
                  .speed = speed,
                  .step_speed = step_speed,
                  .height = first,
                  .level = true,
                  .floor = first};
    tr_status status = add_point(&cut, points[0].position, 0, speed);
    for (uint32_t i = 1; i < point_count && status == TR_OK; i++) {
        tr_vec3 a = points[i - 1].position, b = points[i].position;
        bool rises = fabsf(b.y - cut.height) > cut.rise,
             aside = tr_vec3_distance_from_above(a, b) >= RIDE_ASIDE;
        bool carries = rises && (!aside || points[i].move == TR_PATH_LINK);
        status = carries ? cut_ride(&cut, a, b) : cut_stretch(&cut, a, b);
    }
    return status == TR_OK ? end_piece(&cut, cut.level ? TR_WAY_WALK : TR_WAY_STEP, cut.done, cut.height)
                           : status;
}
