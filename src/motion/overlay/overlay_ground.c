// The floor under the feet. A swinging foot looks not only at its place now but also at where it will be
// soon, as extrapolated from its speed and acceleration: a foot about to land slows down and looks no further
// than it goes.
#include "overlay_ground.h"

#define AHEAD 0.25f       // how long a swinging foot looks ahead [s]
#define AHEAD_MOST 1.0f   // and how far [m]
#define SOLE_BEHIND 0.03f // sampled behind the heel [m]
#define SOLE_BEFORE 0.05f // and before the tip: toes that leave the ground closer to a step would hit it [m]
#define SOLE_HALF_WIDTH 0.04f // [m]
#define SPACING 0.08f         // of the sampled points along the path of a foot [m]
#define PLANE_ROWS 6          // samples of the floor along a sole,
#define PLANE_COLUMNS 3       // and across it
#define STEEPEST 0.6f         // a foot stands on no steeper plane [m/m]
#define BOX_MORE 1e-3f        // more than rounding, anywhere on a stage [m]

// A sole where it would stand flat, starting behind the heel.
typedef struct sole_view {
    tr_vec2 heel;  // on the floor
    tr_vec2 ahead; // unit direction
    float length;
} sole_view;

// The outline is sampled in rows of two points, and at the tip.
#define SOLE_ROWS 8
#define SOLE_POINTS (2 * SOLE_ROWS + 1)

static tr_vec2 sole_point(const sole_view *sole, int i) {
    float ahead = sole->length * (float)(i / 2) / SOLE_ROWS - SOLE_BEHIND;
    float left = i == SOLE_POINTS - 1 ? 0 : i % 2 ? -SOLE_HALF_WIDTH : SOLE_HALF_WIDTH;
    float x = sole->ahead.x, z = sole->ahead.z;
    return (tr_vec2){sole->heel.x + x * ahead + z * left, sole->heel.z + z * ahead - x * left};
}

// The sole as it would come down now: the animation's sole, moved by the offset of the last step, and flat,
// because the whole foot follows a heel strike.
static sole_view sole_of(const tr_legs *legs, uint32_t side, const tr_foot_lock_past *past,
                         const tr_affine *model) {
    const tr_foot *foot = &legs->feet[side];
    tr_vec3 heel = tr_foot_heel(foot, model), ball = tr_foot_ball(foot, model),
            tip = tr_foot_tip(foot, model);
    tr_vec2 at = {heel.x + past->shown.x - past->meant.x, heel.z + past->shown.z - past->meant.z};
    float x = ball.x - heel.x, z = ball.z - heel.z, size = sqrtf(x * x + z * z);
    x = size > 0 ? x / size : 0, z = size > 0 ? z / size : 0;
    float length = tr_vec3_length(tr_vec3_subtract(ball, heel)) +
                   tr_vec3_length(tr_vec3_subtract(tip, ball)) + SOLE_BEHIND + SOLE_BEFORE;
    return (sole_view){at, {x, z}, length};
}

// The way that the foot covers within AHEAD at its present acceleration.
static tr_vec2 way_ahead(const tr_foot_lock_foot *foot, tr_vec3 ankle, float dt) {
    const tr_foot_lock_past *last = &foot->past[0], *before = &foot->past[1];
    if (!(dt > 0))
        return (tr_vec2){0, 0};
    float x = (ankle.x - last->meant.x) / dt, z = (ankle.z - last->meant.z) / dt;
    float speed = sqrtf(x * x + z * z), inverse = foot->past_time > 0 ? 1 / foot->past_time : 0;
    if (!(speed > 1e-3f))
        return (tr_vec2){0, 0};
    float old_x = (last->meant.x - before->meant.x) * inverse;
    float old_z = (last->meant.z - before->meant.z) * inverse;
    float gain = inverse > 0 ? ((x - old_x) * x + (z - old_z) * z) / (speed * dt) : 0;
    float time = -gain * AHEAD > speed ? speed / -gain : AHEAD;
    float distance = time * (speed + gain * time / 2);
    float scale = (distance < AHEAD_MOST ? distance : AHEAD_MOST) / speed;
    return (tr_vec2){x * scale, z * scale};
}

static float higher_of(float a, float b) {
    return a > b ? a : b;
}

static float lower_of(float a, float b) {
    return a < b ? a : b;
}

// Extends the range from `low` to `high` by the way.
static void lengthen(float way, float *low, float *high) {
    *low += lower_of(way, 0) - BOX_MORE;
    *high += higher_of(way, 0) + BOX_MORE;
}

// Is the floor at all sampled points no higher than the ground? One query usually tells. The box contains the
// first and the last row and the tip, now and at the end of the way, and is a little larger, so that all
// other points lie inside.
static bool is_flat_under(const overlay_ground *ground, const sole_view *sole, tr_vec2 way) {
    if (!ground->rise_most)
        return false;
    float x = sole->ahead.x, z = sole->ahead.z, tip = sole->length - SOLE_BEHIND;
    float row = sole->length * ((float)(SOLE_ROWS - 1) / SOLE_ROWS) - SOLE_BEHIND;
    float beside_x = fabsf(z) * SOLE_HALF_WIDTH, beside_z = fabsf(x) * SOLE_HALF_WIDTH;
    tr_vec2 back = {sole->heel.x - x * SOLE_BEHIND, sole->heel.z - z * SOLE_BEHIND},
            last = {sole->heel.x + x * row, sole->heel.z + z * row},
            front = {sole->heel.x + x * tip, sole->heel.z + z * tip},
            min = {lower_of(lower_of(back.x, last.x) - beside_x, front.x),
                   lower_of(lower_of(back.z, last.z) - beside_z, front.z)},
            max = {higher_of(higher_of(back.x, last.x) + beside_x, front.x),
                   higher_of(higher_of(back.z, last.z) + beside_z, front.z)};
    lengthen(way.x, &min.x, &max.x);
    lengthen(way.z, &min.z, &max.z);
    return ground->rise_most(ground->user, min, max) <= 0;
}

static float highest_under(const overlay_ground *ground, const sole_view *sole, tr_vec2 way) {
    float most = 0;
    if (is_flat_under(ground, sole, way))
        return most;
    for (int i = 0; i < SOLE_POINTS; i++)
        most = higher_of(most, ground->rise(ground->user, sole_point(sole, i)));
    float distance = sqrtf(way.x * way.x + way.z * way.z);
    uint32_t count = (uint32_t)(distance / SPACING) + (distance > 0);
    for (uint32_t i = 1; i <= count; i++) {
        float part = (float)i / (float)count;
        for (int j = SOLE_POINTS - 3; j < SOLE_POINTS; j++) {
            tr_vec2 at = sole_point(sole, j), point = {at.x + part * way.x, at.z + part * way.z};
            most = higher_of(most, ground->rise(ground->user, point));
        }
    }
    return most;
}

void tr_overlay_ask_rise(const overlay_ground *ground, const tr_legs *legs, const tr_foot_lock_state *lock,
                         const tr_affine *model, uint32_t contacts, float dt, float rise[2]) {
    static const tr_foot_lock_past nothing = {0};
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot_lock_foot *foot = &lock->feet[side];
        bool labelled = contacts >> (2 * side) & 3 && !foot->strayed;
        rise[side] = foot->rise;
        if (labelled && (foot->held_heel || foot->held_toes))
            continue; // stays where it is
        sole_view at = sole_of(legs, side, lock->begun ? &foot->past[0] : &nothing, model);
        tr_vec2 way = {0, 0};
        if (!labelled && lock->begun)
            way = way_ahead(foot, tr_affine_position(&model[legs->feet[side].ankle]), dt);
        float most = highest_under(ground, &at, way);
        rise[side] = most > 0 && isfinite(most) ? most : 0;
    }
}

// The floor under a sole, in rows from heel to tip. false: there is none.
typedef struct sole_floor {
    float heights[PLANE_ROWS][PLANE_COLUMNS];
    float u[PLANE_ROWS], v[PLANE_COLUMNS]; // from the middle, ahead and to the left
    tr_vec2 middle;
} sole_floor;

static bool sound(const overlay_ground *floor, const sole_view *sole, float ground, sole_floor *found) {
    float length = sole->length - SOLE_BEHIND - SOLE_BEFORE, mean = 0;
    float x = sole->ahead.x, z = sole->ahead.z;
    int count = 0;
    found->middle = (tr_vec2){sole->heel.x + 0.5f * length * x, sole->heel.z + 0.5f * length * z};
    for (int i = 0; i < PLANE_ROWS; i++)
        found->u[i] = length * ((float)i / (PLANE_ROWS - 1) - 0.5f);
    for (int k = 0; k < PLANE_COLUMNS; k++)
        found->v[k] = SOLE_HALF_WIDTH * (float)(k - 1);
    for (int i = 0; i < PLANE_ROWS; i++)
        for (int k = 0; k < PLANE_COLUMNS; k++) {
            float u = found->u[i], v = found->v[k];
            tr_vec3 at = {found->middle.x + u * x + v * z, ground, found->middle.z + u * z - v * x};
            float height = floor->floor(floor->user, at);
            found->heights[i][k] = height;
            if (isfinite(height))
                mean += height, count++;
        }
    for (int i = 0; i < PLANE_ROWS * PLANE_COLUMNS && count; i++)
        if (!isfinite(found->heights[i / PLANE_COLUMNS][i % PLANE_COLUMNS]))
            found->heights[i / PLANE_COLUMNS][i % PLANE_COLUMNS] = mean / (float)count;
    return count > 0;
}

// The plane of least squares, raised until it is nowhere below the floor.
static tr_foot_lock_ground plane_over(const sole_floor *floor, tr_vec2 ahead) {
    float mean = 0, along = 0, across = 0, uu = 0, vv = 0, out = 0;
    for (int i = 0; i < PLANE_ROWS; i++)
        for (int k = 0; k < PLANE_COLUMNS; k++) {
            float u = floor->u[i], v = floor->v[k], height = floor->heights[i][k] - floor->heights[0][0];
            mean += height, along += u * height, across += v * height;
            uu += u * u, vv += v * v;
        }
    mean /= PLANE_ROWS * PLANE_COLUMNS;
    along = uu > 0 ? along / uu : 0, across = vv > 0 ? across / vv : 0;
    float steep = sqrtf(along * along + across * across), less = steep > STEEPEST ? STEEPEST / steep : 1;
    along *= less, across *= less;
    for (int i = 0; i < PLANE_ROWS; i++)
        for (int k = 0; k < PLANE_COLUMNS; k++) {
            float over = floor->heights[i][k] - floor->heights[0][0] - mean - along * floor->u[i] -
                         across * floor->v[k];
            out = higher_of(over, out);
        }
    return (tr_foot_lock_ground){
        tr_vec3_make(floor->middle.x, floor->heights[0][0] + mean + out, floor->middle.z),
        along * ahead.x + across * ahead.z, along * ahead.z - across * ahead.x};
}

// A foot that comes down flatter than in the animation turns about its ankle: its heel comes down elsewhere.
// false: it is not on its heel.
static bool flatten_sole(const tr_legs *legs, uint32_t side, const tr_affine *model, float share,
                         sole_view *sole) {
    const tr_foot *foot = &legs->feet[side];
    tr_vec3 heel = tr_affine_turn(&model[foot->ankle], foot->heel),
            ball = tr_affine_turn(&model[foot->ankle], foot->ball);
    if (!(ball.y > heel.y))
        return false;
    tr_vec3 flat = tr_quat_rotate(legs->sole[side], tr_foot_heel_arm(foot)), ahead = legs->ahead[side];
    float size = sqrtf(ahead.x * ahead.x + ahead.z * ahead.z);
    float meant = size > 0 ? (flat.x * ahead.x + flat.z * ahead.z) / size : 0,
          now = heel.x * sole->ahead.x + heel.z * sole->ahead.z;
    sole->heel.x += share * (meant - now) * sole->ahead.x;
    sole->heel.z += share * (meant - now) * sole->ahead.z;
    return true;
}

void tr_overlay_ask_planes(const overlay_ground *floor, const tr_legs *legs, const tr_foot_lock_state *lock,
                           const tr_affine *model, float ground, bool shown, tr_foot_lock_ground planes[2]) {
    static const tr_foot_lock_past nothing = {0};
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot_lock_foot *foot = &lock->feet[side];
        sole_floor found;
        sole_view sole = sole_of(legs, side, lock->begun && !shown ? &foot->past[0] : &nothing, model);
        if (sound(floor, &sole, ground, &found)) {
            planes[side] = plane_over(&found, sole.ahead);
            float flatter = shown ? 0 : tr_foot_lock_flatter(&planes[side], sole.ahead);
            if (flatter > 0 && flatten_sole(legs, side, model, flatter, &sole) &&
                sound(floor, &sole, ground, &found))
                planes[side] = plane_over(&found, sole.ahead);
        } else if (lock->begun && lock->slopes)
            planes[side] = foot->ground;
        else
            planes[side] = (tr_foot_lock_ground){tr_vec3_make(sole.heel.x, ground, sole.heel.z), 0, 0};
    }
}
