#include "stride_data.h"
#include "stride_limits.h"
#include "troupe/base/scalar.h"

#define PACE 0.39f      // the square of a step is this times the speed: the walk ratio of people [m s]
#define TALL 1.75f      // the height of those people [m]
#define TIME_LEAST 0.5f // a step takes at least this share of the time of a usual one,
#define TIME_MOST 1.6f  // and at most this
#define TIME_RISE 2.0f  // a metre up or down takes as long as this many metres ahead
#define LEVEL 0.06f     // a step that rises or falls less is level [m per 0.86 m of leg]
#define ADULT_LEG 0.86f // [m]
#define HIGH 0.25f      // a rise of this many lengths of the leg is high:
#define UP_BEHIND 0.15f // the hips are further behind by this share of the step
#define ROLL_MOST 0.75f // tangent of half the angle of a heel that is up
#define ROLL_STEP 0.06f
#define TURNED_WAY 0.4f // a step that is turned takes as long as one longer by this share of the leg
#define OUT_MOST 1.4f   // how far the feet turn away from each other, and [rad]
#define IN_MOST 0.6f    // towards each other

tr_stride_body tr_stride_body_default(float height) {
    return (tr_stride_body){.thigh = 0.245f * height,
                            .shin = 0.246f * height,
                            .hips = 0.1f * height,
                            .apart = 0.074f * height,
                            .ankle = 0.039f * height,
                            .heel = 0.038f * height,
                            .ball = 0.076f * height,
                            .toe = 0.114f * height,
                            .width = 0.055f * height,
                            .radius = 0.028f * height,
                            .knee_most = 2.41f,
                            .hip_back = 0.52f,
                            .hip_front = 2.27f,
                            .ankle_up = 0.7f,
                            .ankle_down = 0.96f};
}

tr_status tr_stride_body_check(const tr_stride_body *body, tr_error *error) {
    const struct {
        const char *name;
        float value, least, most;
    } rules[] = {{"thigh", body->thigh, 0.01f, 10},
                 {"shin", body->shin, 0.01f, 10},
                 {"hips", body->hips, 0, 10},
                 {"apart", body->apart, 0, 10},
                 {"ankle", body->ankle, 0, 10},
                 {"heel", body->heel, 0.001f, 10},
                 {"ball", body->ball, 0.001f, 10},
                 {"toe", body->toe, 0.001f, 10},
                 {"width", body->width, 0.001f, 10},
                 {"radius", body->radius, 0, 10},
                 {"knee_most", body->knee_most, 0.5f, 3},
                 {"hip_back", body->hip_back, 0, 1.5f},
                 {"hip_front", body->hip_front, 0.5f, 3},
                 {"ankle_up", body->ankle_up, 0, 1.5f},
                 {"ankle_down", body->ankle_down, 0, 1.5f}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (!(rules[i].value >= rules[i].least && rules[i].value <= rules[i].most))
            return tr_fail(error, TR_INVALID, "%s of the body is %g, it must be %g to %g", rules[i].name,
                           (double)rules[i].value, (double)rules[i].least, (double)rules[i].most);
    if (body->ball > body->toe)
        return tr_fail(error, TR_INVALID, "the ball of the foot is %g m ahead, beyond the toes at %g m",
                       (double)body->ball, (double)body->toe);
    return TR_OK;
}

const char *tr_stride_reason_text(tr_stride_reason reason) {
    static const char *const texts[TR_STRIDE_REASONS] = {"the step is possible",
                                                         "the place is beyond the ground that is known",
                                                         "there is no floor",
                                                         "too little of the sole would be carried",
                                                         "the floor is too steep",
                                                         "something stands where the sole would",
                                                         "the step up is too high",
                                                         "the step down is too deep",
                                                         "the legs are too short",
                                                         "a joint would have to bend too far",
                                                         "no curve takes the foot over what lies between",
                                                         "something is in the way of the shin",
                                                         "something is in the way of the thigh",
                                                         "an overhang is in the way of a leg",
                                                         "another part of the body does not allow it",
                                                         "the feet would be in each other's way",
                                                         "the body would fall"};
    return (uint32_t)reason < TR_STRIDE_REASONS ? texts[reason] : "unknown";
}

void tr_stride_sole_turn(float facing, float slope, float roll, stride_sole *sole) {
    float rise = facing * slope, size = slope == 0 ? 1 : 1 / sqrtf(1 + rise * rise);
    float per = 1 / (1 + roll * roll), cosine = (1 - roll * roll) * per, sine = 2 * roll * per;
    float ahead = size, up = rise * size; // of a body that faces along the path
    sole->ahead_along = facing * (ahead * cosine + up * sine);
    sole->ahead_up = up * cosine - ahead * sine;
    sole->toes_along = roll > 0 ? facing * ahead : sole->ahead_along;
    sole->toes_up = roll > 0 ? up : sole->ahead_up;
}

stride_sole tr_stride_sole_of(const tr_stride_body *body, float facing, const tr_stride_foot *foot,
                              float roll) {
    stride_sole flat, sole;
    tr_stride_sole_turn(facing, foot->slope, 0, &flat);
    tr_stride_sole_turn(facing, foot->slope, roll, &sole);
    // The point of the sole about which it rolls stays where it is.
    float pivot = roll > 0 ? body->ball : -body->heel;
    float along = foot->along + pivot * flat.ahead_along, up = foot->height + pivot * flat.ahead_up;
    sole.along = along - pivot * sole.ahead_along - facing * body->ankle * sole.ahead_up;
    sole.up = up - pivot * sole.ahead_up + facing * body->ankle * sole.ahead_along;
    return sole;
}

static float time_of(const tr_stride_body *body, float length, float rise) {
    float leg = stride_leg(body), tall = leg / 0.491f;
    float usual = sqrtf(PACE * tall / TALL * 1.2f), way = fabsf(length) + TIME_RISE * fabsf(rise);
    // Half of the time of a step does not depend on its length.
    float time = 0.53f * sqrtf(tall / TALL) * (0.6f + 0.4f * way / usual);
    float least = TIME_LEAST * 0.53f * sqrtf(tall / TALL);
    return stride_clamp(time, least, TIME_MOST / TIME_LEAST * least);
}

// How high the hips may be for a leg to reach an ankle; less than nothing if it cannot.
static float highest(float reach, const tr_vec3 *hip, const tr_vec3 *ankle) {
    float along = hip->z - ankle->z, aside = hip->x - ankle->x;
    float square = reach * reach - along * along - aside * aside;
    return square > 0 ? ankle->y + sqrtf(square) : -INFINITY;
}

// Two feet on the ground and the pelvis between them.
typedef struct stride_pair {
    const tr_stride_body *body;
    const stride_limits *limits;
    float facing;
    uint32_t side; // of the rear foot
    const tr_stride_foot *rear, *front;
    stride_heading heading; // of the pelvis
} stride_pair;

// How far a foot that stands must be rolled, at least by `roll`, for its ankle not to bend too far.
static float roll_needed(const stride_pair *pair, const tr_stride_foot *foot, const tr_vec3 *hip,
                         float roll) {
    const tr_stride_body *body = pair->body;
    stride_heading heading = tr_stride_heading_of(foot->turn);
    tr_vec3 ahead = tr_stride_knee_ahead(pair->facing, &pair->heading, &heading);
    for (; roll < ROLL_MOST; roll += ROLL_STEP) {
        stride_placed placed = tr_stride_placed_of(body, pair->facing, foot, roll);
        stride_leg_pose leg = {.hip = *hip, .ankle = stride_placed_ankle(&placed)};
        tr_stride_bend(body, &ahead, &leg);
        tr_vec3 shin = tr_vec3_subtract(leg.knee, leg.ankle);
        float along = shin.z * heading.cosine + shin.x * heading.sine;
        if (along * placed.sole.ahead_along + shin.y * placed.sole.ahead_up <=
            0.97f * pair->limits->toes_up * body->shin)
            break;
    }
    return stride_low(roll, ROLL_MOST);
}

static tr_vec3 pair_hip(const stride_pair *pair, uint32_t side, const tr_stride_stand *stand) {
    tr_vec3 off = stride_hip_off(pair->body, pair->facing, side, &pair->heading);
    return tr_vec3_make(stand->aside + off.x, stand->height, stand->along + off.z);
}

// The height of the pelvis over both feet as they are rolled.
static void raise_hips(const stride_pair *pair, tr_stride_stand *stand) {
    float reach = STRIDE_REACH * stride_leg(pair->body);
    stride_placed back = tr_stride_placed_of(pair->body, pair->facing, pair->rear, stand->rear);
    stride_placed fore = tr_stride_placed_of(pair->body, pair->facing, pair->front, stand->front);
    tr_vec3 rear = stride_placed_ankle(&back), front = stride_placed_ankle(&fore);
    tr_vec3 rear_hip = pair_hip(pair, pair->side, stand), front_hip = pair_hip(pair, 1 - pair->side, stand);
    stand->height = stride_low(highest(reach, &rear_hip, &rear), highest(reach, &front_hip, &front));
    stand->reason = stand->height > stride_high(rear.y, front.y) ? TR_STRIDE_FINE : TR_STRIDE_TOO_FAR;
}

// Whether a body can turn its feet so far against each other.
static bool legs_turn(const stride_pair *pair) {
    float out = pair->side == 1 ? pair->front->turn - pair->rear->turn : pair->rear->turn - pair->front->turn;
    return out <= OUT_MOST && out >= -IN_MOST;
}

tr_stride_stand tr_stride_between_within(const tr_stride_body *body, const stride_limits *limits,
                                         float facing, uint32_t side, const tr_stride_foot *rear,
                                         const tr_stride_foot *front) {
    stride_pair pair = {body, limits, facing, side, rear, front, {0, 0, 1}};
    bool turned = rear->turn != 0 || front->turn != 0;
    float leg = stride_leg(body), rise = front->height - rear->height;
    float way = front->along - rear->along, length = way, ahead = facing * way, more = 0;
    if (turned) {
        pair.heading = tr_stride_heading_of(0.5f * (rear->turn + front->turn));
        // How far the body moves is what the feet are apart beyond a body at rest.
        tr_vec2 beside = stride_beside(body, facing, 1 - side, &pair.heading);
        length = way - beside.z;
        ahead = facing *
                (length * pair.heading.cosine + (front->aside - rear->aside - beside.x) * pair.heading.sine);
        more = TURNED_WAY * leg;
    }
    ahead = stride_clamp(ahead / leg, 0, 1.2f);
    float level = LEVEL * leg / ADULT_LEG, up = stride_clamp(rise / (HIGH * leg), 0, 1);
    // The hips are not so far ahead when the front foot is high.
    float passed = 0.5f - UP_BEHIND * up;
    tr_stride_stand stand = {.along = rear->along + passed * way,
                             .aside = 0.5f * (rear->aside + front->aside),
                             .duration = time_of(body, fabsf(length) + more, rise),
                             .turn = pair.heading.turn};
    stand.rate = length / stand.duration;
    stand.rear = stride_low(0.28f * ahead, 0.34f);
    bool flat = fabsf(rise) < level && fabsf(front->slope) < 0.05f;
    stand.front = flat ? -0.12f * stride_low(ahead / 0.4f, 1) : -rise > level ? 0.05f : 0;
    if (facing < 0)
        stand.rear = 0, stand.front = fabsf(rise) < level ? 0.06f : 0;
    raise_hips(&pair, &stand);
    if (stand.reason == TR_STRIDE_FINE && turned && !legs_turn(&pair))
        stand.reason = TR_STRIDE_FOLDED;
    if (fabsf(rise) < level || stand.reason != TR_STRIDE_FINE)
        return stand;
    tr_vec3 hip = pair_hip(&pair, rise > 0 ? 1 - side : side, &stand);
    if (rise > 0)
        stand.front = roll_needed(&pair, front, &hip, stand.front);
    else
        stand.rear = roll_needed(&pair, rear, &hip, stand.rear);
    return stand;
}

tr_stride_stand tr_stride_between(const tr_stride_body *body, float facing, uint32_t side,
                                  const tr_stride_foot *rear, const tr_stride_foot *front) {
    stride_limits limits = tr_stride_limits_of(body);
    return tr_stride_between_within(body, &limits, facing, side, rear, front);
}

void tr_stride_pelvis_at(const tr_stride *stride, float share, float *along, float *aside) {
    // Hermite: places and rates of both ends.
    float s = share, left = 1 - s, time = stride->duration;
    float from = stride->start.along, to = stride->end.along;
    *along = from + (to - from) * s * s * (3 - 2 * s) +
             s * left * (left * stride->start.rate - s * stride->end.rate) * time;
    float middle = stride->start.aside + (stride->end.aside - stride->start.aside) * stride_ease(s);
    *aside = middle + STRIDE_SWAY * (stride->stance.aside - middle) * stride_hump(s);
}

float tr_stride_height_at(const tr_stride *stride, float share) {
    return stride->start.height + (stride->end.height - stride->start.height) * stride_ease(share) +
           stride->bump * stride_hump(share);
}

// A foot that has landed on its ball in front of a bent knee comes down later, and the heel of a leg that
// bends far rises earlier.
static float stance_roll(const tr_stride *stride, float share) {
    float landed = stride->start.front, leaves = stride->end.rear, flat_by, begins;
    stride_stance_times(stride, &flat_by, &begins);
    float roll = landed * (1 - stride_ease(share / flat_by));
    if (share > begins)
        roll = stride_high(roll, 0) +
               (leaves - stride_high(roll, 0)) * stride_ease((share - begins) / (1 - begins));
    return roll;
}

stride_sole tr_stride_stance_at(const tr_stride_body *body, const tr_stride *stride, float share) {
    return tr_stride_sole_of(body, stride->facing, &stride->stance, stance_roll(stride, share));
}

static float bezier(const float points[4], float s) {
    float left = 1 - s;
    return left * left * left * points[0] + 3 * s * left * left * points[1] + 3 * s * s * left * points[2] +
           s * s * s * points[3];
}

// Of a foot that is still on the ground.
static float leaving_roll(const tr_stride *stride, float share) {
    return stride->start.rear + (stride->off - stride->start.rear) * stride_ease(share / stride->both);
}

stride_sole tr_stride_swing_at(const tr_stride_body *body, const tr_stride *stride, float share) {
    float s = stride_swing_share(stride, share), facing = stride->facing;
    if (s <= 0)
        return tr_stride_sole_of(body, facing, &stride->from, leaving_roll(stride, share));
    float slope = stride->from.slope + (stride->to.slope - stride->from.slope) * stride_ease(s);
    float roll =
        stride->off * (1 - stride_ease(s / 0.7f)) + stride->end.front * stride_ease((s - 0.5f) / 0.5f);
    stride_sole sole;
    tr_stride_sole_turn(facing, slope, roll, &sole);
    sole.along = bezier(stride->along, s);
    sole.up = bezier(stride->up, s);
    return sole;
}

// --- Feet that are turned ---

stride_heading tr_stride_heading_of(float turn) {
    if (turn == 0)
        return (stride_heading){0, 0, 1};
    double sine, cosine;
    tr_sin_cos((double)turn, &sine, &cosine);
    return (stride_heading){turn, (float)sine, (float)cosine};
}

stride_placed tr_stride_placed_of(const tr_stride_body *body, float facing, const tr_stride_foot *foot,
                                  float roll) {
    stride_placed placed = {.aside = foot->aside, .heading = {0, 0, 1}};
    tr_stride_foot own = *foot;
    if (foot->turn != 0) {
        placed.heading = tr_stride_heading_of(foot->turn);
        placed.along = foot->along;
        own.along = 0;
    }
    placed.sole = tr_stride_sole_of(body, facing, &own, roll);
    return placed;
}

stride_placed tr_stride_stance_placed(const tr_stride_body *body, const tr_stride *stride, float share) {
    return tr_stride_placed_of(body, stride->facing, &stride->stance, stance_roll(stride, share));
}

stride_placed tr_stride_swing_placed(const tr_stride_body *body, const tr_stride *stride, float share) {
    float s = stride_swing_share(stride, share);
    if (s <= 0)
        return tr_stride_placed_of(body, stride->facing, &stride->from, leaving_roll(stride, share));
    stride_placed placed = {.sole = tr_stride_swing_at(body, stride, share), .heading = {0, 0, 1}};
    placed.aside = stride_swing_aside(stride, share);
    if (stride->from.turn == 0 && stride->to.turn == 0 && stride->bow[0] == 0 && stride->bow[1] == 0)
        return placed;
    placed.along = placed.sole.along + stride->bow[1] * stride_hump(s);
    placed.aside += stride->bow[0] * stride_hump(s);
    placed.sole.along = 0;
    placed.heading =
        tr_stride_heading_of(stride->from.turn + (stride->to.turn - stride->from.turn) * stride_ease(s));
    return placed;
}

tr_vec3 tr_stride_knee_ahead(float facing, const stride_heading *pelvis, const stride_heading *foot) {
    float x = pelvis->sine + foot->sine, z = pelvis->cosine + foot->cosine, size = sqrtf(x * x + z * z);
    if (!(size > 0.1f))
        return tr_vec3_make(facing * pelvis->sine, 0, facing * pelvis->cosine);
    return tr_vec3_make(facing * x / size, 0, facing * z / size);
}

bool tr_stride_bend(const tr_stride_body *body, const tr_vec3 *forwards, stride_leg_pose *leg) {
    tr_vec3 way = tr_vec3_subtract(leg->ankle, leg->hip);
    float square = tr_vec3_dot(way, way), length = sqrtf(square);
    float upper = body->thigh, lower = body->shin;
    if (!(length > 1e-6f) || length >= upper + lower) {
        leg->knee = tr_vec3_add(leg->hip, tr_vec3_scale(way, upper / (upper + lower)));
        return length > 1e-6f && length <= (upper + lower) * 1.0001f;
    }
    float along = 0.5f * (square + upper * upper - lower * lower) / length;
    float off = upper * upper - along * along;
    tr_vec3 line = tr_vec3_scale(way, 1 / length);
    // The knee points where the body faces, at right angles to the line from hip to ankle.
    float part = forwards->x * line.x + forwards->z * line.z;
    tr_vec3 ahead = tr_vec3_add(tr_vec3_scale(line, -part), *forwards);
    float size = tr_vec3_length(ahead);
    off = off > 0 && size > 1e-6f ? sqrtf(off) / size : 0;
    leg->knee = tr_vec3_add(leg->hip, tr_vec3_add(tr_vec3_scale(line, along), tr_vec3_scale(ahead, off)));
    return true;
}
