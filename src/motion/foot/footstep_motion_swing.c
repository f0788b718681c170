// The swinging foot. Its ball follows a straight line seen from above. Time windows let it rise before it
// goes ahead (up a stair), or go ahead before it sinks (down one). An arc on top takes it over everything
// else.
#include "footstep_motion_parts.h"

#define SAMPLES 32      // of a swing, at which the floor is sampled
#define WAIT_STEP 0.1f  // between the windows that are tried, as a share of the swing
#define WAITS 4         // 0 to 0.3
#define ARC_MOST 0.45f  // [m]
#define HIGH_MOST 0.6f  // over the lower end of the swing, in leg lengths: no knee lifts a foot further
#define ARC_HIGH 0.1f   // a foot that must go higher does not land on its heel
#define EDGE_MOST 0.02f // how far before and behind the sole the floor counts, in mid-swing [m]
#define WAIT_COST 0.25f // metres of arc that equal a wait of a whole swing
#define CLEAR 0.14f     // between the paths of the feet, sideways, in leg lengths
#define BESIDE 2.5f     // feet are beside each other within this multiple of it, before and behind
#define SWIFT 2.0f     // half the acceleration with which a foot leaves the ground, in ways per swing squared
#define LATE 2.0f      // the same with which a foot that lands on its heel stops
#define AIR_TURN 0.4f  // a foot in the air turns no further than this before it stops turning [rad]
#define TOES_BENT 0.2f // toes that are bent further have just left the ground [rad]
#define NOTHING -1e6f  // height of a missing floor
#define PRINT_ROWS 7   // samples of the floor under a footstep, along the sole,
#define PRINT_COLUMNS 3   // across it,
#define PRINT_WIDE 0.3f   // over this share of its length
#define SLACK_MORE 1.5f   // samples miss the highest point of the floor by no more than this factor,
#define SLACK_LEAST 2e-3f // and this [m]
#define STAYS 0.01f       // a foot that has moved less meets nothing but the floor on which it stands [m]

static float window_at(const float window[2], float s) {
    return (s - window[0]) / (window[1] - window[0]);
}

// A foot that leaves the ground speeds up at once, or the hips would have to wait for it. One that lands on
// its heel moves until then, or the hips would have to sink to reach it. The share of the way by which it is
// ahead of a curve that begins and ends without acceleration.
static float swift_at(const tr_footstep_motion_swing *swing, float s) {
    float left = 1 - s;
    return s > 0 && s < 1 ? s * s * left * left * (swing->swift * left - swing->late * s) : 0;
}

// The ball without the arc.
static tr_vec3 ball_at(const tr_footstep_motion_swing *swing, float s) {
    float over = window_at(swing->over, s), up = window_at(swing->up, s);
    float width = swing->duration * (swing->over[1] - swing->over[0]);
    float height = swing->duration * (swing->up[1] - swing->up[0]);
    tr_footstep_motion_curve x = {swing->from.x, swing->from_rate.x, swing->to.x, swing->to_rate.x};
    tr_footstep_motion_curve y = {swing->from.y, swing->from_rate.y, swing->to.y, swing->to_rate.y};
    tr_footstep_motion_curve z = {swing->from.z, swing->from_rate.z, swing->to.z, swing->to_rate.z};
    float hump = tr_footstep_motion_hump(over), swift = swift_at(swing, over);
    return tr_vec3_make(tr_footstep_motion_curve_at(&x, over * width, width).at + swing->bow.x * hump +
                            swift * (swing->to.x - swing->from.x),
                        tr_footstep_motion_curve_at(&y, up * height, height).at,
                        tr_footstep_motion_curve_at(&z, over * width, width).at + swing->bow.z * hump +
                            swift * (swing->to.z - swing->from.z));
}

static footstep_motion_pose pose_at(const tr_footstep_motion_swing *swing, const tr_legs *legs, uint32_t side,
                                    const tr_footstep_motion_foot *next, float s) {
    tr_vec3 ball = ball_at(swing, s);
    ball.y += swing->arc * tr_footstep_motion_hump(s);
    float time = s * swing->duration;
    tr_quat flat = tr_quat_blend(swing->turn_from, next->turn, tr_ease_float(window_at(swing->over, s)));
    float pitch = tr_footstep_motion_curve_at(&swing->pitch, time, swing->duration).at;
    float bend = tr_footstep_motion_curve_at(&swing->bend, time, swing->duration).at;
    return tr_footstep_motion_ball_pose(legs, side, ball, flat, pitch, bend);
}

footstep_motion_pose tr_footstep_motion_swing_at(const tr_footstep_motion_state *state, const tr_legs *legs,
                                                 float time) {
    const tr_footstep_motion_swing *swing = &state->swing;
    float s = swing->duration > 0 ? (time - swing->begin) / swing->duration : 1;
    return pose_at(swing, legs, state->side, &state->next, tr_footstep_motion_clamp(s, 0, 1));
}

// ------------------------------------------------------------------------------------- over what lies
// between

// The plane of a footstep. A floor is known by the highest point of each cell, so the cells of a slope stick
// out of the plane on which a sole lies flat, and so does rough ground that the sole bridges. Whatever sticks
// out no further than under the sole itself is no obstacle to a foot that leaves the plane or comes down on
// it.
typedef struct swing_plane {
    tr_vec3 position;
    float sine, cosine, pitch, roll;
    float slack; // how far the floor sticks out of the plane under the sole [m]
} swing_plane;

typedef struct swing_floor {
    const tr_footstep_motion_params *params;
    swing_plane planes[3]; // of the footsteps of both feet and the next
    float sole;            // half its length [m]
    float high;            // the higher of both ends [m]
    float lift;            // over the floor in mid-swing [m]
} swing_floor;

static float sounding(const swing_floor *floor, tr_vec3 point) {
    float found = floor->params->floor(floor->params->floor_user, point);
    return found > NOTHING ? found : NOTHING;
}

static tr_vec3 point_of_plane(const swing_plane *plane, float ahead, float aside) {
    return tr_vec3_make(plane->position.x + ahead * plane->sine + aside * plane->cosine,
                        plane->position.y + ahead * plane->pitch + aside * plane->roll,
                        plane->position.z + ahead * plane->cosine - aside * plane->sine);
}

static float ahead_of_plane(const swing_plane *plane, tr_vec3 point) {
    float x = point.x - plane->position.x, z = point.z - plane->position.z;
    return x * plane->sine + z * plane->cosine;
}

static float height_of_plane(const swing_plane *plane, tr_vec3 point) {
    float x = point.x - plane->position.x, z = point.z - plane->position.z;
    float aside = x * plane->cosine - z * plane->sine;
    return plane->position.y + plane->pitch * ahead_of_plane(plane, point) + plane->roll * aside;
}

static swing_plane plane_of(const swing_floor *floor, const tr_footstep *footstep) {
    double sine, cosine;
    tr_sin_cos((double)footstep->heading, &sine, &cosine);
    swing_plane plane = {footstep->position, (float)sine,    (float)cosine,
                         footstep->pitch,    footstep->roll, SLACK_LEAST};
    for (int i = 0; i < PRINT_ROWS * PRINT_COLUMNS && floor->params->floor; i++) {
        float along = (float)(i / PRINT_COLUMNS) / (PRINT_ROWS - 1), across = (float)(i % PRINT_COLUMNS) - 1;
        tr_vec3 point =
            point_of_plane(&plane, floor->sole * (2 * along - 1), floor->sole * PRINT_WIDE * across);
        float out = SLACK_MORE * (sounding(floor, point) - point.y) + SLACK_LEAST;
        plane.slack = out > plane.slack ? out : plane.slack;
    }
    return plane;
}

// Without a floor, footsteps have unlimited width and the length of a sole.
static float floor_at(const swing_floor *floor, tr_vec3 point) {
    if (floor->params->floor) {
        point.y = floor->high;
        float found = sounding(floor, point), height = found;
        for (int i = 0; i < 3; i++) {
            float plane = height_of_plane(&floor->planes[i], point);
            height = found <= plane + floor->planes[i].slack && plane < height ? plane : height;
        }
        return height;
    }
    float height = NOTHING;
    for (int i = 0; i < 3; i++) {
        float ahead = ahead_of_plane(&floor->planes[i], point);
        float at = floor->planes[i].position.y + floor->planes[i].pitch * ahead;
        height = fabsf(ahead) <= floor->sole && at > height ? at : height;
    }
    return height;
}

// Heel, ball and tip, and the direction of the foot seen from above.
typedef struct swing_sole {
    tr_vec3 points[3];
    tr_vec3 along;
} swing_sole;

static swing_sole sole_of(const tr_legs *legs, uint32_t side, const footstep_motion_pose *pose) {
    const tr_foot *shape = &legs->feet[side];
    tr_vec3 heel = tr_quat_rotate(pose->turn, tr_foot_heel_arm(shape));
    tr_vec3 ball = tr_quat_rotate(pose->turn, tr_foot_toes_arm(shape));
    tr_vec3 along = tr_vec3_subtract(ball, heel);
    float level = sqrtf(along.x * along.x + along.z * along.z);
    swing_sole sole = {.along = level > 0 ? tr_vec3_make(along.x / level, 0, along.z / level)
                                          : tr_vec3_make(0, 0, 1)};
    tr_vec3 tip = ball;
    if (shape->toes != TR_NONE) {
        tr_vec3 across = tr_vec3_make(sole.along.z, 0, -sole.along.x);
        tr_vec3 toes = tr_quat_rotate(tr_quat_about(across, -(double)pose->bend), along);
        tip = tr_vec3_add(ball,
                          tr_vec3_scale(toes, tr_footstep_motion_toes_length(shape) / tr_vec3_length(along)));
    }
    const tr_vec3 arms[3] = {heel, ball, tip};
    for (int i = 0; i < 3; i++)
        sole.points[i] = tr_vec3_add(pose->ankle, arms[i]);
    return sole;
}

// The arc that takes every sample of the sole over the floor; results above `most` need not be exact.
static float arc_needed(const tr_footstep_motion_swing *swing, const tr_legs *legs, uint32_t side,
                        const tr_footstep_motion_foot *next, const swing_floor *floor, float most) {
    float needed = 0;
    for (int i = 1; i < SAMPLES && needed < most; i++) {
        float s = (float)i / SAMPLES, hump = tr_footstep_motion_hump(s);
        footstep_motion_pose pose = pose_at(swing, legs, side, next, s);
        swing_sole sole = sole_of(legs, side, &pose);
        tr_vec3 ball = ball_at(swing, s), far = tr_vec3_subtract(swing->to, ball),
                gone = tr_vec3_subtract(ball, swing->from);
        float near = sqrtf(far.x * far.x + far.z * far.z), left = sqrtf(gone.x * gone.x + gone.z * gone.z);
        float moved = near < left ? near : left, edge = 0.5f * moved;
        if (moved < STAYS)
            continue;
        edge = edge < EDGE_MOST ? edge : EDGE_MOST;
        float room = floor->lift * hump;
        for (int k = 0; k < 3; k++) {
            tr_vec3 reach = tr_vec3_scale(sole.along, k == 0 ? -edge : edge);
            float here = floor_at(floor, sole.points[k]);
            float there = floor_at(floor, tr_vec3_add(sole.points[k], reach));
            float lacking = (here > there ? here : there) + room - sole.points[k].y;
            if (lacking > 0 && hump > 0)
                needed = lacking / hump > needed ? lacking / hump : needed;
        }
    }
    return needed;
}

// A foot that waits `begin` before it goes ahead, and `end` over its goal before it comes down. One that
// lands on its heel moves until then.
static void set_windows(tr_footstep_motion_swing *swing, float begin, float end) {
    float rise = swing->to.y - swing->from.y;
    swing->over[0] = begin, swing->over[1] = 1 - end;
    swing->up[0] = rise < 0 ? end : 0;
    swing->up[1] = rise > 0 && swing->pitch.to >= 0 ? 1 - begin : 1;
}

static void choose_arc(tr_footstep_motion_swing *swing, const tr_legs *legs, uint32_t side,
                       const tr_footstep_motion_foot *next, const swing_floor *floor) {
    const tr_limb *limb = &legs->limbs[side];
    // In the middle, where the arc is highest, half of the rise is done.
    float most =
        HIGH_MOST * (limb->upper_length + limb->lower_length) - 0.5f * fabsf(swing->to.y - swing->from.y);
    most = tr_footstep_motion_clamp(most, 0, ARC_MOST);
    float best = INFINITY, arc = 0, waits[2] = {0, 0};
    // A foot that is already moving does not wait.
    int ends = next->pitch < 0 ? 1 : WAITS, begins = swing->begin > 0 ? WAITS : 1;
    for (int sum = 0; sum <= begins + ends - 2; sum++)
        for (int end = 0; end <= sum && end < ends; end++) {
            if (sum - end >= begins)
                continue;
            float wait = WAIT_COST * WAIT_STEP * (float)sum;
            if (!(wait < best))
                continue;
            set_windows(swing, WAIT_STEP * (float)(sum - end), WAIT_STEP * (float)end);
            swing->arc = 0;
            float needed = arc_needed(swing, legs, side, next, floor, best - wait);
            if (wait + needed < best) {
                best = wait + needed;
                arc = needed;
                waits[0] = WAIT_STEP * (float)(sum - end), waits[1] = WAIT_STEP * (float)end;
            }
        }
    set_windows(swing, waits[0], waits[1]);
    swing->arc = arc < most ? arc : most;
}

// A line that comes too close to the standing foot bends around it, on the swinging foot's own side. A foot
// that turns as it swings sweeps its heel over the ground beside the line of its ball.
static tr_vec2 bow_around(const tr_footstep_motion_swing *swing, const tr_legs *legs,
                          const tr_footstep_motion_foot *stand, const tr_footstep_motion_foot *next,
                          uint32_t side, float clear) {
    double sine, cosine;
    tr_sin_cos((double)stand->footstep.heading, &sine, &cosine);
    float out = side == 0 ? 1 : -1;
    tr_vec2 left = {out * (float)cosine, -out * (float)sine};
    float near = BESIDE * clear, most = 0; // before and behind the foot there is room
    for (int i = 0; i < SAMPLES; i++) {
        float s = (float)i / SAMPLES, hump = tr_footstep_motion_hump(s);
        if (hump < 0.3f)
            continue;
        tr_vec3 points[2] = {ball_at(swing, s), pose_at(swing, legs, side, next, s).ankle};
        for (int k = 0; k < 2; k++) {
            float x = points[k].x - stand->ankle.x, z = points[k].z - stand->ankle.z;
            float ahead = x * (float)sine + z * (float)cosine, beside = x * left.x + z * left.z;
            if (ahead > near || ahead < -near || beside < -clear) // or passes on the other side
                continue;
            float fade = 1 - ahead * ahead / (near * near), lacking = (clear - beside) * fade;
            most = lacking > most ? lacking : most;
        }
    }
    return (tr_vec2){left.x * most, left.z * most};
}

// Sets the ends of the swing, and the speeds there.
static void set_ends(tr_footstep_motion_state *state, const tr_legs *legs, footstep_motion_value pitch,
                     float bend) {
    uint32_t side = state->side;
    const tr_footstep_motion_foot *foot = &state->feet[side], *next = &state->next;
    const tr_foot *shape = &legs->feet[side];
    tr_vec3 pivot = tr_foot_toes_arm(shape);
    footstep_motion_pose begin = tr_footstep_motion_foot_pose(foot, legs, side, pitch.at);
    footstep_motion_pose end = tr_footstep_motion_foot_pose(next, legs, side, next->pitch);
    tr_footstep_motion_swing *swing = &state->swing;
    *swing = (tr_footstep_motion_swing){.begin = state->lift_off,
                                        .duration = state->duration - state->lift_off,
                                        .turn_from = foot->turn,
                                        .swift = SWIFT * (1 - state->done) * (1 - state->done),
                                        .late = next->pitch < 0 ? LATE : 0,
                                        .over = {0, 1},
                                        .up = {0, 1},
                                        .pitch = {pitch.at, pitch.rate, next->pitch, next->pitch_rate},
                                        .bend = {bend, pitch.rate, next->pitch > 0 ? next->pitch : 0,
                                                 next->pitch > 0 ? next->pitch_rate : 0}};
    if (foot->in_air || foot->floats) {
        float most = AIR_TURN / (TR_FOOTSTEP_MOTION_STOP * swing->duration);
        swing->pitch.from_rate = tr_footstep_motion_clamp(pitch.rate, -most, most);
        swing->bend.from_rate = bend < TOES_BENT ? 0 : swing->pitch.from_rate;
    }
    swing->from = tr_vec3_add(begin.ankle, tr_quat_rotate(begin.turn, pivot));
    swing->to = tr_vec3_add(end.ankle, tr_quat_rotate(end.turn, pivot));
    if (next->pitch < 0) { // about the heel: the ball still moves down
        tr_vec3 arm = tr_quat_rotate(end.turn, tr_vec3_subtract(pivot, tr_foot_heel_arm(shape)));
        tr_vec3 spin = tr_vec3_scale(tr_footstep_motion_across(legs, side, next->turn), next->pitch_rate);
        swing->to_rate = tr_vec3_cross(spin, arm);
    }
    if (foot->in_air || foot->floats) { // it goes on as it was moving, but does not sink below its end
        float drop = swing->from.y - swing->to.y,
              fastest = drop > 0 ? drop / (TR_FOOTSTEP_MOTION_STOP * swing->duration) : 0;
        swing->from_rate = foot->rate;
        swing->from_rate.y = foot->rate.y > -fastest ? foot->rate.y : -fastest;
    }
}

void tr_footstep_motion_swing_plan(tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                                   const tr_legs *legs, footstep_motion_value pitch, float bend) {
    uint32_t side = state->side;
    const tr_footstep_motion_foot *foot = &state->feet[side], *stand = &state->feet[1 - side];
    const tr_foot *shape = &legs->feet[side];
    float leg = legs->limbs[side].upper_length + legs->limbs[side].lower_length;
    float from = foot->footstep.position.y, to = state->next.footstep.position.y;
    swing_floor floor = {.params = params,
                         .sole = tr_footstep_motion_half_sole(shape),
                         .lift = params->lift * (1 - state->done) * (1 - state->done),
                         .high = from > to ? from : to};
    const tr_footstep *footsteps[3] = {&foot->footstep, &stand->footstep, &state->next.footstep};
    for (int i = 0; i < 3; i++)
        floor.planes[i] = plane_of(&floor, footsteps[i]);
    for (int round = 0; round < 2; round++) {
        set_ends(state, legs, pitch, bend);
        state->swing.bow = bow_around(&state->swing, legs, stand, &state->next, side, CLEAR * leg);
        choose_arc(&state->swing, legs, side, &state->next, &floor);
        if (state->swing.arc < ARC_HIGH || state->next.pitch >= 0)
            return;
        state->next.pitch = state->next.pitch_rate = 0; // flat, so that it can come down from above
    }
}
