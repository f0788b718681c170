// Feet on slopes. A foot is locked as on a level floor at height 0, and its ankle is then moved with that
// floor onto the plane on which the foot stands. The plane of a held foot does not change, so whatever does
// not move on the level floor does not move on the slope.
#include "foot_lock_foot.h"

#define FLAT_UPHILL 0.2f // on slopes from here on, feet come down flat [m/m]

tr_quat tr_foot_lock_tilt(const tr_foot_lock_ground *ground) {
    if (ground->slope_x == 0 && ground->slope_z == 0)
        return tr_quat_identity();
    return tr_quat_between(tr_vec3_make(0, 1, 0), tr_vec3_make(-ground->slope_x, 1, -ground->slope_z));
}

tr_vec3 tr_foot_lock_to_world(const tr_foot_lock_ground *ground, tr_vec3 point) {
    tr_vec3 arm = {point.x - ground->at.x, point.y, point.z - ground->at.z};
    return tr_vec3_add(ground->at, tr_quat_rotate(tr_foot_lock_tilt(ground), arm));
}

tr_vec3 tr_foot_lock_from_world(const tr_foot_lock_ground *ground, tr_vec3 point) {
    tr_vec3 arm =
        tr_quat_rotate(tr_quat_conjugate(tr_foot_lock_tilt(ground)), tr_vec3_subtract(point, ground->at));
    return tr_vec3_make(ground->at.x + arm.x, arm.y, ground->at.z + arm.z);
}

void tr_foot_lock_change_ground(tr_foot_lock_foot *foot, const tr_foot_lock_ground *ground) {
    tr_quat turn =
        tr_quat_multiply(tr_quat_conjugate(tr_foot_lock_tilt(ground)), tr_foot_lock_tilt(&foot->ground));
    for (int i = 0; i < 2; i++) {
        tr_foot_lock_past *past = &foot->past[i];
        past->shown = tr_foot_lock_from_world(ground, tr_foot_lock_to_world(&foot->ground, past->shown));
        past->shown_rotation = tr_quat_normalize(tr_quat_multiply(turn, past->shown_rotation));
    }
    foot->ground = *ground;
}

static void shift(tr_foot_lock_foot *foot, float by) {
    float *heights[] = {&foot->heel.y,          &foot->toes.y,          &foot->past[0].hip.y,
                        &foot->past[0].meant.y, &foot->past[0].shown.y, &foot->past[1].hip.y,
                        &foot->past[1].meant.y, &foot->past[1].shown.y, &foot->lowest[0],
                        &foot->lowest[1]};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        *heights[i] += by;
}

void tr_foot_lock_change_floor(tr_foot_lock_state *state, const tr_foot_lock_params *params) {
    for (int side = 0; side < 2 && state->begun; side++) {
        tr_foot_lock_foot *foot = &state->feet[side];
        bool held = foot->held_heel || foot->held_toes;
        if (params->slopes) {
            tr_vec3 at = foot->past[0].shown;
            at.y = params->ground + foot->rise;
            if (held)
                at.y = foot->on_toes ? foot->toes.y : foot->heel.y;
            shift(foot, -at.y);
            foot->ground = (tr_foot_lock_ground){at, 0, 0};
            foot->rise = foot->rise_goal = 0;
        } else {
            float rise = foot->ground.at.y - params->ground;
            shift(foot, foot->ground.at.y);
            foot->rise = foot->rise_goal = rise > 0 ? rise : 0;
        }
        foot->rise_speed = foot->rise_pull = foot->rise_left = 0;
    }
    state->slopes = params->slopes;
}

float tr_foot_lock_flatter(const tr_foot_lock_ground *ground, tr_vec2 ahead) {
    float uphill = ground->slope_x * ahead.x + ground->slope_z * ahead.z;
    return uphill < 0 ? 0 : uphill < FLAT_UPHILL ? uphill / FLAT_UPHILL : 1;
}

static float flatter(const tr_foot_lock_ground *plane, const leg_view *leg) {
    tr_vec3 along = tr_vec3_subtract(leg->toes, leg->heel);
    float level = sqrtf(along.x * along.x + along.z * along.z);
    return level > 0 ? tr_foot_lock_flatter(plane, (tr_vec2){along.x / level, along.z / level}) : 0;
}

// Uphill the shank leans over the foot already: a foot that would come down on its heel comes down flatter,
// and flat on steep slopes. Its ankle stays in place.
static void flatten(const tr_foot_lock_ground *plane, leg_view *leg) {
    tr_vec3 along = tr_vec3_subtract(leg->toes, leg->heel);
    float share = along.y > 0 ? flatter(plane, leg) : 0;
    if (!(share > 0))
        return;
    tr_quat turn = tr_quat_between(along, tr_vec3_make(along.x, along.y * (1 - share), along.z));
    leg->rotation = tr_quat_normalize(tr_quat_multiply(turn, leg->rotation));
    leg->heel = tr_quat_rotate(turn, leg->heel);
    leg->toes = tr_quat_rotate(turn, leg->toes);
}

void tr_foot_lock_view_slope(const tr_foot_lock_params *params, uint32_t side, leg_view *leg) {
    if (params->shown) {
        const tr_foot_lock_ground *plane = &params->planes[side];
        tr_quat back = tr_quat_conjugate(tr_foot_lock_tilt(plane));
        leg->hip = tr_foot_lock_from_world(plane, leg->hip);
        leg->knee = tr_foot_lock_from_world(plane, leg->knee);
        leg->ankle = tr_foot_lock_from_world(plane, leg->ankle);
        leg->heel = tr_quat_rotate(back, leg->heel);
        leg->toes = tr_quat_rotate(back, leg->toes);
        leg->rotation = tr_quat_multiply(back, leg->rotation);
        return;
    }
    leg->hip.y -= params->ground;
    leg->knee.y -= params->ground;
    leg->ankle.y -= params->ground;
    flatten(&params->planes[side], leg);
}

uint32_t tr_foot_lock_slope_contacts(const tr_foot_lock_ground *plane, const leg_view *leg,
                                     uint32_t contacts) {
    return contacts == 1 && flatter(plane, leg) >= 1 ? 3 : contacts;
}

void tr_foot_lock_lay(const tr_foot_lock_foot *foot, ankle_goal *goal) {
    goal->position = tr_foot_lock_to_world(&foot->ground, goal->position);
    goal->rotation = tr_quat_normalize(tr_quat_multiply(tr_foot_lock_tilt(&foot->ground), goal->rotation));
}
