#include "sample_round.h"
#include "troupe/base/scalar.h"

// The point of a smooth line through points, at `t` of the segment from b to c; a and d are the points before
// and after. The slopes are limited by the shorter neighbour, so that the line never overshoots beside a
// short segment.
static tr_vec3 smooth_point(tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d, float t) {
    float before = tr_vec3_length(tr_vec3_subtract(b, a)), here = tr_vec3_length(tr_vec3_subtract(c, b));
    float after = tr_vec3_length(tr_vec3_subtract(d, c));
    tr_vec3 begin = tr_vec3_subtract(c, a), end = tr_vec3_subtract(d, b);
    float begin_length = tr_vec3_length(begin), end_length = tr_vec3_length(end);
    float begin_slope = before < here ? before : here, end_slope = after < here ? after : here;
    begin = tr_vec3_scale(begin, begin_length > 0 ? begin_slope / begin_length : 0);
    end = tr_vec3_scale(end, end_length > 0 ? end_slope / end_length : 0);
    float s = 1 - t;
    tr_vec3 straight =
        tr_vec3_add(tr_vec3_scale(b, s * s * (1 + 2 * t)), tr_vec3_scale(c, t * t * (3 - 2 * t)));
    tr_vec3 bent = tr_vec3_subtract(tr_vec3_scale(begin, s * s * t), tr_vec3_scale(end, t * t * s));
    return tr_vec3_add(straight, bent);
}

static tr_vec3 profile_control(const sample_profile *profile, uint32_t index) {
    return sample_at(profile->points[index][0], profile->points[index][1], 0);
}

// Point number `step` of the profile, whose segments are divided into `fine` pieces, as (radius, y).
static tr_vec3 profile_point(const sample_profile *profile, uint32_t step, uint32_t fine) {
    uint32_t stretch = step / fine, last = profile->count - 1;
    tr_vec3 b = profile_control(profile, stretch);
    if (step % fine == 0)
        return b;
    tr_vec3 c = profile_control(profile, stretch + 1);
    float t = (float)(step % fine) / (float)fine;
    if (!profile->smooth)
        return tr_vec3_add(b, tr_vec3_scale(tr_vec3_subtract(c, b), t));
    // At the axis the line continues as its mirror image: the top of a body is round, not pointed.
    tr_vec3 a = stretch ? profile_control(profile, stretch - 1) : sample_at(-c.x, c.y, 0);
    tr_vec3 d = stretch + 2 <= last ? profile_control(profile, stretch + 2) : sample_at(-b.x, b.y, 0);
    return smooth_point(a, b, c, d, t);
}

static void add_ring(sample_shape *shape, float radius, float y, uint32_t sides) {
    for (uint32_t i = 0; i < sides; i++) {
        double sine, cosine;
        tr_sin_cos(2 * TR_PI * (double)i / (double)sides, &sine, &cosine);
        sample_shape_point(shape, sample_at((float)(radius * sine), y, (float)(radius * cosine)));
    }
}

// Rings of `sides` points, one after the other from `first`, joined to a skin.
static void join_rings(sample_shape *shape, uint32_t first, uint32_t rings, uint32_t sides) {
    for (uint32_t ring = 0; ring + 1 < rings; ring++)
        for (uint32_t i = 0; i < sides; i++) {
            uint32_t here = first + ring * sides + i, next = first + ring * sides + (i + 1) % sides;
            sample_shape_faces(shape, here, next, next + sides, here + sides);
        }
}

// A ring closed to one point: below the ring (facing down) or above it.
static void close_ring(sample_shape *shape, uint32_t pole, uint32_t ring, uint32_t sides, bool below) {
    for (uint32_t i = 0; i < sides; i++) {
        uint32_t here = ring + i, next = ring + (i + 1) % sides;
        sample_shape_face(shape, pole, below ? next : here, below ? here : next);
    }
}

void sample_shape_lathe(sample_shape *shape, sample_profile profile, uint32_t sides, uint32_t fine) {
    uint32_t last = (profile.count - 1) * fine;
    uint32_t bottom = sample_shape_point(shape, sample_at(0, profile.points[0][1], 0));
    uint32_t first = shape->position_count;
    for (uint32_t step = 1; step < last; step++) {
        tr_vec3 p = profile_point(&profile, step, fine);
        add_ring(shape, p.x, p.y, sides);
    }
    uint32_t top = sample_shape_point(shape, sample_at(0, profile.points[profile.count - 1][1], 0));
    join_rings(shape, first, last - 1, sides);
    close_ring(shape, bottom, first, sides, true);
    close_ring(shape, top, first + (last - 2) * sides, sides, false);
}

static tr_vec3 rod_point(const tr_vec3 *points, uint32_t count, uint32_t step, uint32_t fine) {
    uint32_t stretch = step / fine;
    if (step % fine == 0)
        return points[stretch];
    tr_vec3 b = points[stretch], c = points[stretch + 1];
    tr_vec3 a = stretch ? points[stretch - 1] : tr_vec3_subtract(tr_vec3_scale(b, 2), c);
    tr_vec3 d = stretch + 2 < count ? points[stretch + 2] : tr_vec3_subtract(tr_vec3_scale(c, 2), b);
    return smooth_point(a, b, c, d, (float)(step % fine) / (float)fine);
}

// The rod's ring across `along`; `*across` is passed on from ring to ring so that the skin does not twist.
static void add_rod_ring(sample_shape *shape, tr_vec3 middle, tr_vec3 along, tr_vec3 *across, float radius,
                         uint32_t sides) {
    tr_quat upright = tr_quat_between(sample_at(0, 1, 0), along);
    tr_vec3 side = tr_vec3_cross(*across, along);
    float length = tr_vec3_length(side);
    if (!(length > 1e-6f)) {
        side = tr_quat_rotate(upright, sample_at(1, 0, 0));
        length = 1;
    }
    side = tr_vec3_scale(side, 1 / length);
    tr_vec3 ahead = tr_vec3_cross(along, side);
    ahead = tr_vec3_scale(ahead, 1 / tr_vec3_length(ahead));
    for (uint32_t i = 0; i < sides; i++) {
        double sine, cosine;
        tr_sin_cos(2 * TR_PI * (double)i / (double)sides, &sine, &cosine);
        tr_vec3 out = tr_vec3_subtract(tr_vec3_scale(ahead, (float)cosine), tr_vec3_scale(side, (float)sine));
        sample_shape_point(shape, tr_vec3_add(middle, tr_vec3_scale(out, radius)));
    }
    *across = ahead;
}

void sample_shape_rod(sample_shape *shape, const tr_vec3 *points, uint32_t count, float radius,
                      uint32_t sides, uint32_t fine) {
    uint32_t last = (count - 1) * fine;
    tr_vec3 across = sample_at(0.3f, 0.2f, 0.9f);
    uint32_t begin = sample_shape_point(shape, points[0]), end = sample_shape_point(shape, points[count - 1]);
    uint32_t first = shape->position_count;
    for (uint32_t step = 0; step <= last; step++) {
        tr_vec3 before = rod_point(points, count, step ? step - 1 : 0, fine);
        tr_vec3 after = rod_point(points, count, step < last ? step + 1 : last, fine);
        add_rod_ring(shape, rod_point(points, count, step, fine), tr_vec3_subtract(after, before), &across,
                     radius, sides);
    }
    join_rings(shape, first, last + 1, sides);
    close_ring(shape, begin, first, sides, true);
    close_ring(shape, end, first + last * sides, sides, false);
}

// The outline of a plate, `inset` inwards: four quarter circles of `steps` + 1 points.
static void add_outline(sample_shape *shape, const sample_plate *plate, float inset, float y,
                        uint32_t steps) {
    static const float signs[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    float radius = plate->corner - inset;
    for (uint32_t corner = 0; corner < 4; corner++)
        for (uint32_t i = 0; i <= steps; i++) {
            double sine, cosine;
            tr_sin_cos(TR_PI / 2 * ((double)corner + (double)i / (double)steps), &sine, &cosine);
            float x = signs[corner][0] * (plate->half_x - plate->corner) + radius * (float)sine;
            float z = signs[corner][1] * (plate->half_z - plate->corner) + radius * (float)cosine;
            sample_shape_point(shape, sample_at(x, y, z));
        }
}

void sample_shape_plate(sample_shape *shape, const sample_plate *plate, uint32_t fine) {
    uint32_t sides = 4 * (fine + 1), first = shape->position_count;
    add_outline(shape, plate, plate->bevel, plate->bottom, fine);
    add_outline(shape, plate, 0, plate->bottom + plate->bevel, fine);
    add_outline(shape, plate, 0, plate->top - plate->bevel, fine);
    add_outline(shape, plate, plate->bevel, plate->top, fine);
    uint32_t bottom = sample_shape_point(shape, sample_at(0, plate->bottom, 0));
    uint32_t top = sample_shape_point(shape, sample_at(0, plate->top, 0));
    join_rings(shape, first, 4, sides);
    close_ring(shape, bottom, first, sides, true);
    close_ring(shape, top, first + 3 * sides, sides, false);
}

// The position, in steps, of point `i` of the 4 * fine points round a square of `fine` steps a side,
// counter-clockwise seen from above and beginning at (-1, -1).
static void round_square(uint32_t i, uint32_t fine, uint32_t *column, uint32_t *row) {
    uint32_t side = i / fine, step = i % fine;
    *column = side == 0 ? 0 : side == 1 ? step : side == 2 ? fine : fine - step;
    *row = side == 0 ? step : side == 1 ? fine : side == 2 ? fine - step : 0;
}

void sample_shape_key(sample_shape *shape, const sample_key *key, uint32_t fine) {
    uint32_t across = fine + 1, first = shape->position_count, around = 4 * fine;
    for (uint32_t row = 0; row < across; row++)
        for (uint32_t column = 0; column < across; column++) {
            float u = 2 * (float)column / (float)fine - 1, v = 2 * (float)row / (float)fine - 1;
            sample_shape_point(shape, sample_at(u * (key->half_x - key->taper),
                                                key->height - key->dish * (1 - u * u),
                                                v * (key->half_z - key->taper)));
        }
    for (uint32_t row = 0; row < fine; row++)
        for (uint32_t column = 0; column < fine; column++) {
            uint32_t corner = first + row * across + column;
            sample_shape_faces(shape, corner, corner + across, corner + across + 1, corner + 1);
        }
    uint32_t foot = shape->position_count;
    for (uint32_t i = 0; i < around; i++) {
        uint32_t column, row;
        round_square(i, fine, &column, &row);
        float u = 2 * (float)column / (float)fine - 1, v = 2 * (float)row / (float)fine - 1;
        sample_shape_point(shape, sample_at(u * key->half_x, 0, v * key->half_z));
    }
    uint32_t bottom = sample_shape_point(shape, sample_at(0, 0, 0));
    close_ring(shape, bottom, foot, around, true);
    for (uint32_t i = 0; i < around; i++) {
        uint32_t column, row, next_column, next_row;
        round_square(i, fine, &column, &row);
        round_square((i + 1) % around, fine, &next_column, &next_row);
        sample_shape_faces(shape, foot + i, foot + (i + 1) % around, first + next_row * across + next_column,
                           first + row * across + column);
    }
}

// Two skins, the upper a little over the lower, which meet at the border: one midrib point across each row.
void sample_shape_leaf(sample_shape *shape, float length, float half_width, float droop, uint32_t fine) {
    const float thickness = 0.002f;
    uint32_t rows = 3 * fine, root = sample_shape_point(shape, sample_at(0, 0, 0));
    uint32_t first = shape->position_count;
    for (uint32_t row = 1; row < rows; row++) {
        float t = (float)row / (float)rows, width = half_width * 4 * t * (1 - t) * (1.5f - t);
        float y = -droop * t * t, z = length * t * (1 - 0.2f * t * t);
        sample_shape_point(shape, sample_at(-width, y + 0.2f * width, z));
        sample_shape_point(shape, sample_at(0, y - thickness, z));
        sample_shape_point(shape, sample_at(width, y + 0.2f * width, z));
        sample_shape_point(shape, sample_at(0, y + thickness, z));
    }
    uint32_t tip = sample_shape_point(shape, sample_at(0, -droop, 0.8f * length));
    join_rings(shape, first, rows - 1, 4);
    close_ring(shape, root, first, 4, true);
    close_ring(shape, tip, first + (rows - 2) * 4, 4, false);
}
