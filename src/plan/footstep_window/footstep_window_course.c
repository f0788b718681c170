// Where the feet of a window are put: ahead, to the side, or around.
#include "footstep_window_data.h"

#define SIDE_LEAST 0.03f  // of steps to the side, in heights of the body
#define SIDE_MOST 0.26f   //
#define SIDE_USUAL 0.2f   //
#define TURN_MOST 0.85f   // of the foot that leads a turn [rad]
#define TURN_APART 0.115f // of the feet in a turn, in heights of the body
#define SIDEWAYS 0.5f     // sine of the angle between path and body from which it steps to the side
#define LITTLE 0.02f      // a turn that is less is none [rad]
#define LAGS_BEHIND 0.03f // in heights of the body: a foot that is farther behind follows first
#define LAGS_IN_TURN 0.1f // [rad]

static float setting(float value, float usual) {
    return value > 0 ? value : usual;
}

// From the middle of a body to where one of its feet stands at rest: aside and along.
static tr_vec2 home(float apart, float facing, uint32_t side, const stride_heading *heading) {
    float off = 0.5f * apart * (side == 0 ? facing : -facing);
    return tr_vec2_make(off * heading->cosine, -off * heading->sine);
}

static void begin_aside(tr_footstep_window *window) {
    const tr_footstep_window_query *query = window->query;
    const tr_footstep_window_params *params = query->params;
    uint32_t stands = 1 - query->side, intervals = params->intervals;
    window->heading = tr_stride_heading_of(query->turn);
    tr_vec2 off = home(window->apart, query->facing, stands, &window->heading);
    window->origin = query->feet[stands].along - off.z;
    bool aside = fabsf(window->heading.sine) > SIDEWAYS;
    if (!aside)
        return;
    // The left foot leads where the path leads to the left of the body.
    window->course = WINDOW_ASIDE;
    window->lead = query->facing * window->heading.sine < 0 ? 0 : 1;
    window->least[0] = setting(params->side_least, SIDE_LEAST * query->height);
    float most = setting(params->side_most, SIDE_MOST * query->height);
    most = most > window->least[0] ? most : window->least[0];
    window->interval = (most - window->least[0]) / (float)intervals;
    window->least[1] = -window->interval * (float)(intervals / 2);
}

static void begin_turn(tr_footstep_window *window) {
    const tr_footstep_window_query *query = window->query;
    const tr_footstep_window_params *params = query->params;
    const tr_stride_foot *stands = &query->feet[1 - query->side];
    float way = query->turn - stands->turn, most = setting(params->turn_most, TURN_MOST);
    window->course = WINDOW_TURN;
    window->goal = query->turn;
    window->origin = stands->turn;
    window->lead = way > 0 ? 0 : 1;
    if (fabsf(way) > LITTLE)
        window->apart = setting(params->turn_apart, TURN_APART * query->height);
    stride_heading heading = tr_stride_heading_of(stands->turn);
    tr_vec2 off = home(window->apart, query->facing, 1 - query->side, &heading);
    window->pivot = tr_vec2_make(stands->aside - off.x, stands->along - off.z);
    // The intervals lead exactly to the goal.
    float usual = most / (float)params->intervals, count = ceilf(fabsf(way) / usual - 1e-3f);
    window->interval = count > 0 ? way / count : 0;
    window->least[0] = 0;
    window->least[1] = -window->interval * (float)params->intervals;
}

void tr_window_course_begin(tr_footstep_window *window) {
    const tr_footstep_window_query *query = window->query;
    const tr_footstep_window_params *params = query->params;
    window->course = query->turn != 0 ? WINDOW_SLANT : WINDOW_AHEAD;
    window->heading = tr_stride_heading_of(0);
    window->apart = query->body->apart;
    window->lead = query->side;
    window->least[0] = window->least[1] = params->length_least;
    window->interval = (params->length_most - params->length_least) / (float)params->intervals;
    window->origin = query->feet[1 - query->side].along;
    if (query->kind == TR_FOOTSTEP_WINDOW_TURN)
        begin_turn(window);
    else if (query->turn != 0)
        begin_aside(window);
}

uint32_t tr_window_course_steps(const tr_footstep_window *window) {
    uint32_t steps = window->query->params->steps, needed = 0;
    if (window->course != WINDOW_TURN)
        return steps;
    float most = setting(window->query->params->turn_most, TURN_MOST);
    float left = ceilf(fabsf(window->goal - window->origin) / most - 1e-3f);
    if (window->interval == 0 || window->query->side != window->lead)
        needed = 1; // the other foot comes beside
    needed += 2 * (left > 0 ? (uint32_t)left : 0);
    return needed < steps ? needed : steps;
}

bool tr_window_spot(const tr_footstep_window *window, uint32_t level, uint32_t sum, tr_stride_foot *foot) {
    const tr_footstep_window_query *query = window->query;
    uint32_t side = window_side(window, level);
    float at = window->origin + (float)sum * window->interval;
    for (uint32_t i = 1; i <= level; i++)
        at += window->least[window_part(window, i)];
    if (window->course != WINDOW_TURN) {
        tr_vec2 off = home(window->apart, query->facing, side, &window->heading);
        *foot = (tr_stride_foot){.along = at + off.z, .aside = off.x, .turn = query->turn};
        return true;
    }
    float left = window->goal - at;
    if (window->interval != 0 && left / window->interval < -0.5f)
        return false;
    if (fabsf(left) < 0.5f * fabsf(window->interval) || window->interval == 0)
        at = window->goal;
    stride_heading heading = tr_stride_heading_of(at);
    tr_vec2 off = home(window->apart, query->facing, side, &heading);
    *foot = (tr_stride_foot){.along = window->pivot.z + off.z, .aside = window->pivot.x + off.x, .turn = at};
    return true;
}

float tr_window_usual(const tr_footstep_window *window, uint32_t level) {
    const tr_footstep_window_query *query = window->query;
    bool leads = window_part(window, level) == 0;
    if (window->course == WINDOW_TURN)
        return leads ? 0.7f * (float)query->params->intervals * window->interval : 0;
    if (window->course == WINDOW_ASIDE)
        return leads ? SIDE_USUAL * query->height : 0;
    return query->params->length_usual;
}

uint32_t tr_footstep_window_side(const tr_footstep_window_query *query) {
    const tr_stride_foot *feet = query->feet;
    bool turns = query->kind == TR_FOOTSTEP_WINDOW_TURN;
    float left = query->turn - feet[0].turn, right = query->turn - feet[1].turn;
    // The foot that faces less towards the goal moves up to the other.
    if (turns && fabsf(left - right) > LAGS_IN_TURN)
        return fabsf(left) > fabsf(right) ? 0 : 1;
    stride_heading heading = tr_stride_heading_of(turns ? 0.5f * (feet[0].turn + feet[1].turn) : query->turn);
    tr_vec2 off = stride_beside(query->body, query->facing, 0, &heading);
    tr_vec2 way = {feet[0].aside - feet[1].aside - off.x, feet[0].along - feet[1].along - off.z};
    // How far the left foot is ahead of a body at rest: along the path, or where the body faces.
    float ahead = turns ? query->facing * (way.z * heading.cosine + way.x * heading.sine) : way.z;
    if (fabsf(ahead) > LAGS_BEHIND * query->height)
        return ahead < 0 ? 0 : 1;
    if (turns)
        return left + right > 0 ? 0 : 1;
    if (fabsf(heading.sine) > SIDEWAYS)
        return query->facing * heading.sine < 0 ? 0 : 1;
    return ahead < 0 ? 0 : 1;
}
