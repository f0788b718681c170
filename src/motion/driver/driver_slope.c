// Routes over floors that are not level. The height of the root is the mean height of the route over a step
// around it: a curve without corners, which depends on the progress of the root alone.
#include "driver_parts.h"

#include "troupe/plan/way.h"

#define ROUND 0.35f     // half of the stretch over which heights are averaged [m]
#define FADE 0.8f       // way on which the difference at the beginning of a route fades [m]
#define AHEAD 0.8f      // a root is as slow as the slope this far ahead demands [m],
#define BEHIND 0.2f     // or behind
#define SHORTER 0.9f    // strides downhill are shorter by this share of the gradient,
#define SHORTER_UP 1.5f // those uphill, by this share of the gradient beyond
#define STEEP 0.2f
#define STRIDE_LEAST 0.6f // but not below this share

// The integral of the heights from the beginning of the route to a place along it. Before and after the route
// the floor goes on as it begins and ends.
static double sum_to(const tr_driver_task *task, double along) {
    const tr_driver_height *p = task->heights;
    uint32_t count = task->height_count;
    double sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        double length = (double)p[i + 1].along - (double)p[i].along;
        bool last = i + 2 == count || along < (double)p[i + 1].along;
        double end = last ? along : (double)p[i + 1].along, way = end - (double)p[i].along;
        double slope = length > 0 ? ((double)p[i + 1].height - (double)p[i].height) / length : 0;
        sum += way * ((double)p[i].height + 0.5 * way * slope);
        if (last)
            break;
    }
    return count == 1 ? along * (double)p[0].height : sum;
}

static double height_at(const tr_driver_task *task, double along) {
    return (sum_to(task, along + (double)ROUND) - sum_to(task, along - (double)ROUND)) / (2 * (double)ROUND);
}

void tr_driver_keep_height(tr_driver_root *root, const tr_driver_task *task) {
    if (!root->slopes || task->height_count == 0)
        return;
    double along = (double)root->state.progress, height = height_at(task, along);
    if (root->ground_new) {
        root->ground_off = root->ground - (float)height;
        root->ground_new = false;
    }
    double left = 1 - along / (double)FADE;
    double off = left <= 0 ? 0 : left >= 1 ? 1 : left * left * left * (10 + left * (6 * left - 15));
    root->ground = (float)(height + off * (double)root->ground_off);
}

void tr_driver_set_heights(tr_driver_state *state, tr_driver_task *task, const tr_vec2 *points,
                           const float *heights, uint32_t point_count) {
    double along = 0;
    for (uint32_t i = 0; i < point_count && i < task->height_room; i++) {
        if (i) {
            double x = (double)points[i].x - (double)points[i - 1].x,
                   z = (double)points[i].z - (double)points[i - 1].z;
            along += sqrt(x * x + z * z);
        }
        task->heights[i] = (tr_driver_height){(float)along, heights[i]};
        task->height_count = i + 1;
    }
    tr_driver_root *root = &state->root;
    root->slopes = root->ground_new = true;
    root->ground += root->ground_off; // a body that walks on from footsteps on a slope
    root->ground_off = 0;
}

float tr_driver_slope(const tr_driver_root *root, const tr_driver_task *task, float ahead) {
    if (!root->slopes || !root->has_route || task->height_count < 2)
        return 0;
    double along = (double)root->state.progress + (double)ahead, more = (double)ROUND;
    return (float)((height_at(task, along + more) - height_at(task, along - more)) / (2 * more));
}

float tr_driver_slope_stride(const tr_driver_root *root, const tr_driver_task *task) {
    float slope = tr_driver_slope(root, task, 0), up = slope - STEEP;
    float share = slope < 0 ? 1 + SHORTER * slope : up > 0 ? 1 - SHORTER_UP * up : 1;
    return share > STRIDE_LEAST ? share : STRIDE_LEAST;
}

float tr_driver_slope_limit(const tr_driver_root *root, const tr_driver_task *task) {
    if (!root->slopes || task->height_count < 2)
        return INFINITY;
    double along = (double)root->state.progress, from = along - (double)BEHIND, to = along + (double)AHEAD;
    double end = (double)task->heights[task->height_count - 1].along;
    from = from > 0 ? from : 0;
    to = to < end ? to : end;
    if (!(to - from > 0.1))
        return INFINITY;
    double slope = (height_at(task, to) - height_at(task, from)) / (to - from);
    return task->follow.speed * tr_way_slope_speed((float)slope);
}
