// The demands of a route.
#include "driver_parts.h"
#include "follow_data.h"

#include "troupe/base/scalar.h"

#define USUAL_HEIGHT 1.75f  // [m]
#define START_GAIN 4.0f     // of a body of the usual height: see tr_follow_params [1/s]
#define START_SPEED 0.08f   // [m/s]
#define SIDE_STRAIGHT 0.03f // a stretch may bend by this much [m]

// The distance of a point from the line between two others [m].
static float off_line(tr_vec2 a, tr_vec2 b, tr_vec2 point) {
    float x = b.x - a.x, z = b.z - a.z, size = sqrtf(x * x + z * z);
    return size > 0 ? fabsf((point.x - a.x) * z - (point.z - a.z) * x) / size : 0;
}

// Can pieces `first` to `piece` be one stretch? Side-steps go straight.
static bool is_one(const tr_vec2 *points, const uint8_t *passage, uint32_t first, uint32_t piece) {
    if (passage[piece] != passage[first])
        return false;
    bool straight = true;
    for (uint32_t i = first + 1; i <= piece && passage[first] == TR_PASSAGE_SIDE && straight; i++)
        straight = off_line(points[first], points[piece + 1], points[i]) < SIDE_STRAIGHT;
    return straight;
}

static void find_stretches(tr_driver_task *task, const tr_vec2 *points, uint32_t point_count,
                           const uint8_t *passage) {
    double along = 0;
    task->stretch_count = 0;
    for (uint32_t i = 0; passage && i + 1 < point_count;) {
        uint32_t first = i;
        float begin = (float)along;
        for (; i + 1 < point_count && is_one(points, passage, first, i); i++) {
            double x = (double)points[i + 1].x - points[i].x, z = (double)points[i + 1].z - points[i].z;
            along += sqrt(x * x + z * z);
        }
        if (passage[first] != TR_PASSAGE_OPEN)
            task->stretches[task->stretch_count++] =
                (tr_driver_stretch){begin, (float)along, points[i], passage[first]};
    }
}

tr_follow_params tr_driver_follow_params(const tr_driver_nature *nature, float speed) {
    tr_follow_params params = tr_follow_params_default(speed, nature->dt, nature->corridor);
    params.arrive = DRIVER_ARRIVE;
    float gentle = 1.2f + 0.4f * params.speed; // harder braking extends a stance further than legs reach
    params.acceleration_max = params.acceleration_max < gentle ? params.acceleration_max : gentle;
    // People take about 0.45 s to move their weight over one foot before the other leaves the ground, and
    // move ahead by a few centimetres meanwhile. Other bodies: equal Froude numbers.
    float slow = sqrtf(nature->cast->height / USUAL_HEIGHT);
    params.start_gain = START_GAIN / slow;
    params.start_speed = START_SPEED * slow;
    return params;
}

tr_status tr_driver_set_route(tr_driver_state *state, tr_driver_task *task, const tr_driver_nature *nature,
                              const tr_vec2 *points, uint32_t point_count, const uint8_t *passage,
                              const float *final_heading, float speed, tr_error *error) {
    float most = tr_locomotion_speed_max(nature->cast->locomotion);
    float wish = speed > 0 ? speed : nature->speed;
    tr_follow_params params = tr_driver_follow_params(nature, wish < most ? wish : most);
    for (uint32_t i = 0; passage && i + 1 < point_count; i++)
        if (passage[i] > TR_PASSAGE_SIDE)
            return tr_fail(error, TR_INVALID, "piece %u of the route has the unknown passage %u", i,
                           passage[i]);
    tr_status status = tr_follow_route_set(task->route, points, point_count, NULL, NULL, &params, error);
    if (status != TR_OK)
        return status;
    tr_follow_announce(task->route, &params, nature->dt);
    find_stretches(task, points, point_count, passage);
    task->point_count = point_count;
    task->height_count = 0;
    task->follow = params;
    tr_driver_root *root = &state->root;
    root->slopes = root->ground_new = false;
    root->ground_off = 0;
    if (root->kind == TR_DRIVER_STEPS) {
        const tr_driver *steps = tr_driver_of(state);
        float base = root->ground;
        bool goes_on = steps->may_leave(state);
        if (goes_on || steps->rests(state)) {
            tr_driver_leave_footsteps(state);
            root->ground_off = goes_on ? base - root->ground : 0; // for a route with heights
        } else
            root->footstep_count = root->footstep_next; // the current step is finished first
    }
    root->state.progress = 0;
    root->side = 0;
    root->has_route = true;
    root->has_final = final_heading != NULL;
    root->final_heading = final_heading ? *final_heading : 0;
    return TR_OK;
}

bool tr_driver_is_tight(const tr_driver_state *state, const tr_driver_task *task, float ahead, float behind) {
    const tr_driver_root *root = &state->root;
    float progress = root->state.progress;
    bool tight = false;
    for (uint32_t i = 0; i < task->stretch_count && root->has_route && !tight; i++) {
        const tr_driver_stretch *stretch = &task->stretches[i];
        tight = stretch->passage == TR_PASSAGE_TIGHT && stretch->begin - ahead < progress &&
                progress < stretch->end + behind;
    }
    return tight;
}
